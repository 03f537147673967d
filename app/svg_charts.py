"""Charts as SVG: lines over an axis, bars, and a matrix with its numbers in it.

Owns scales, ticks and where labels stand. Colours, strokes and fonts are classes (`s0` … `s5` for series, `axis`,
`grid`, `limit`), so that the page that holds a chart decides how light and dark look. Everything that is drawn as text
is escaped; values that are no numbers are left out. Knows nothing of what the numbers mean.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

N_COLOURS = 6
_WIDTH, _HEIGHT = 520.0, 290.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 70.0, 20.0, 12.0, 42.0
_LABEL_GAP = 13.0
# Every point is drawn as a dot, which says its numbers when it is pointed at, only where they stay apart.
_MAX_DOTS = 100


@dataclass(frozen=True, slots=True)
class Axis:
    """`write` makes a tick's text; a logarithmic axis begins above 0, and what lies below is left out.

    is_whole  of whole numbers, such as layers
    marks     ticks to set instead of round ones
    """

    label: str
    write: Callable[[float], str]
    low: float
    high: float
    is_log: bool = False
    is_whole: bool = False
    marks: tuple[float, ...] = ()

    def has(self, value: float) -> bool:
        return math.isfinite(value) and (not self.is_log or value >= self.low * (1 - 1e-9))

    def place(self, value: float) -> float:
        """0 at the axis' low end, 1 at its high end; values beyond stay at the end."""
        low, high, value = (self._scaled(x) for x in (self.low, self.high, max(value, self.low)))
        return min(1.0, max(0.0, (value - low) / (high - low))) if high > low else 0.5

    def ticks(self) -> list[float]:
        if self.marks:
            return list(self.marks)
        if self.is_log:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            decades = [10.0**i for i in range(first, last + 1, max(1, math.ceil((last - first) / 6)))]
            return decades if len(decades) > 1 else [self.low, self.high]
        step = max(_round_step((self.high - self.low) / 5), 1.0 if self.is_whole else 0.0)
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.is_log else value


@dataclass(frozen=True, slots=True)
class Series:
    """A line through points. Faint ones are drawn thin, behind the others, without dots and legend."""

    name: str
    points: tuple[tuple[float, float], ...]
    colour: int = 0
    is_faint: bool = False


def line_chart(
    title: str, x: Axis, y: Axis, series: Sequence[Series], limits: Sequence[tuple[str, float]] = ()
) -> str:  # fmt: skip
    """Lines with a legend above them; `limits` are dashed lines across, with a name or none."""
    drawn = [_line(each, x, y) for each in sorted(series, key=lambda s: not s.is_faint)]
    across = [_limit(name, value, y) for name, value in limits]
    named = [s for s in series if not s.is_faint]
    legend = "".join(f'<li class="s{s.colour % N_COLOURS}">{escape(s.name)}</li>' for s in named)
    shown = f'<ul class="legend">{legend}</ul>' if len(named) > 1 else ""
    return shown + _svg(title, _HEIGHT, [*_grid(x, y), *drawn, *across])


def bar_chart(title: str, bars: Sequence[tuple[str, float, str]], colour: int = 0) -> str:
    """Bars to the right, each with its name before and its value's text behind it."""
    step, longest = 34.0, max((value for _, value, _ in bars if math.isfinite(value)), default=0.0)
    left, room = 110.0, _WIDTH - 110.0 - 96.0
    parts = []
    for i, (name, value, text) in enumerate(bars):
        middle = 12 + step * (i + 0.5)
        length = room * value / longest if longest > 0 and math.isfinite(value) else 0.0
        parts.append(_text(left - 10, middle + 4, name, "end", "name"))
        parts.append(
            f'<rect class="s{colour % N_COLOURS}" x="{left:.1f}" y="{middle - 9:.1f}" width="{max(length, 1):.1f}" '
            f'height="18" rx="3"/>'
        )
        parts.append(_text(left + length + 8, middle + 4, text, "start", "value"))
    return _svg(title, 24 + step * len(bars), parts)


def matrix_chart(
    title: str, names: Sequence[str], values: Sequence[Sequence[float | None]], write: Callable[[float], str]
) -> str:
    """A square of numbers from 0 to 1, each on a ground as deep as it is large; None stays empty."""
    left, top, cell_height = 104.0, 30.0, 40.0
    cell_width = (_WIDTH - left - 8) / max(len(names), 1)
    parts = []
    for i, (name, row) in enumerate(zip(names, values, strict=True)):
        y = top + i * cell_height
        parts.append(_text(left + (i + 0.5) * cell_width, top - 10, name, "middle", "name"))
        parts.append(_text(left - 10, y + cell_height / 2 + 4, name, "end", "name"))
        for j, value in enumerate(row):
            if value is None or not math.isfinite(value):
                continue
            x = left + j * cell_width
            parts.append(
                f'<rect class="cell s0" x="{x + 1:.1f}" y="{y + 1:.1f}" width="{cell_width - 2:.1f}" '
                f'height="{cell_height - 2:.1f}" rx="3" style="fill-opacity:{0.06 + 0.5 * min(1, max(0, value)):.3f}"/>'
            )
            parts.append(_text(x + cell_width / 2, y + cell_height / 2 + 4, write(value), "middle", "value"))
    return _svg(title, top + cell_height * len(names) + 8, parts)


# Parts ------------------------------------------------------------------------------------------------------------


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    name = escape(title, quote=True)
    return f'<svg viewBox="0 0 {_WIDTH:.0f} {height:.0f}" role="img" aria-label="{name}">{"".join(parts)}</svg>'


def _grid(x: Axis, y: Axis) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = []
    for tick in y.ticks():
        at = _y(tick, y)
        parts.append(f'<line class="grid" x1="{_LEFT:.1f}" x2="{right:.1f}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(_text(_LEFT - 8, at + 4, y.write(tick), "end", "tick"))
    parts.append(f'<line class="axis" x1="{_LEFT:.1f}" x2="{right:.1f}" y1="{bottom:.1f}" y2="{bottom:.1f}"/>')
    for tick in x.ticks():
        at = _x(tick, x)
        parts.append(f'<line class="axis" x1="{at:.1f}" x2="{at:.1f}" y1="{bottom:.1f}" y2="{bottom + 4:.1f}"/>')
        parts.append(_text(at, bottom + 17, x.write(tick), "middle", "tick"))
    parts.append(_text((_LEFT + right) / 2, _HEIGHT - 6, x.label, "middle", "label"))
    middle = (_TOP + bottom) / 2
    parts.append(
        f'<text class="label" text-anchor="middle" transform="translate(11 {middle:.1f}) rotate(-90)">{escape(y.label)}'
        "</text>"
    )
    return parts


def _line(series: Series, x: Axis, y: Axis) -> str:
    runs: list[list[tuple[float, float]]] = [[]]
    for px, py in series.points:  # a point that is left out parts the line
        if x.has(px) and y.has(py):
            runs[-1].append((px, py))
        elif runs[-1]:
            runs.append([])
    colour = f"s{series.colour % N_COLOURS}"
    kind = f"line faint {colour}" if series.is_faint else f"line {colour}"
    paths = [" ".join(f"{_x(px, x):.1f},{_y(py, y):.1f}" for px, py in run) for run in runs if run]
    lines = "".join(f'<polyline class="{kind}" points="{path}"/>' for path in paths)
    points = [point for run in runs for point in run]
    if series.is_faint or len(points) > _MAX_DOTS:
        return lines
    radius = 2.6 if len(points) <= 40 else 1.6
    dots = [
        f'<circle class="{colour}" cx="{_x(px, x):.1f}" cy="{_y(py, y):.1f}" r="{radius}">'
        f"<title>{escape(f'{series.name}: {x.label} {x.write(px)}, {y.label} {y.write(py)}')}</title></circle>"
        for px, py in points
    ]
    return lines + "".join(dots)


def _limit(name: str, value: float, y: Axis) -> str:
    if not y.has(value) or not y.low <= value <= y.high:
        return ""
    at, right = _y(value, y), _WIDTH - _RIGHT
    above = at - 4 if at - _LABEL_GAP > _TOP else at + _LABEL_GAP
    line = f'<line class="limit" x1="{_LEFT:.1f}" x2="{right:.1f}" y1="{at:.1f}" y2="{at:.1f}"/>'
    return line + (_text(right - 2, above, name, "end", "limit-name") if name else "")


def _text(x: float, y: float, text: str, anchor: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _x(value: float, axis: Axis) -> float:
    return _LEFT + axis.place(value) * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, axis: Axis) -> float:
    return _HEIGHT - _BOTTOM - axis.place(value) * (_HEIGHT - _TOP - _BOTTOM)


def _round_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, … times a power of ten that is at least this."""
    if not least > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))
