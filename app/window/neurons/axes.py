"""Axes of the plots on neurons: layers, shares, bytes, decades, and how the values on them are written.

Owns what several plots have in common; knows no report.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.error_text import format_bytes
from app.neuron_words import percent, share, signed_bytes
from app.window.neurons.plot_data import Axis, Bars, Line, MatrixData, PlotData, Stop
from app.window.wording import number

INKS = ("accent", "syntax_name", "good", "text", "syntax_number", "muted")


@dataclass(frozen=True, slots=True)
class StudyChart:
    """A plot and the sentence below it."""

    data: PlotData | MatrixData
    words: str


def by_layer(title: str, y_title: str, series: Iterable[tuple[str, Sequence[float], str, bool]]) -> PlotData:
    """Shares of every layer as lines: (name, values, ink, whether it is dashed)."""
    series = list(series)
    n = max((len(values) for _, values, _, _ in series), default=0)
    lines = [Line(name, tuple(enumerate(values)), ink, is_dashed=dashed) for name, values, ink, dashed in series]
    stops = [
        Stop(
            float(i), "\n".join((layer_name(i), *(f"{name}: {share(v[i])}" for name, v, _, _ in series if i < len(v))))
        )
        for i in range(n)
    ]
    y = share_axis(y_title, [value for _, values, _, _ in series for value in values])
    return PlotData(title, layer_axis(n), y, tuple(lines), stops=tuple(stops))


def categories(
    title: str, y_title: str, names: Sequence[str], values: Sequence[float], write: Callable[[float], str], ink: str
) -> PlotData:
    x = Axis("", -0.6, len(names) - 0.4, tuple((float(i), name) for i, name in enumerate(names)))
    y = bytes_axis(y_title, values) if write is bytes_words else count_axis(y_title, values)
    stops = tuple(Stop(float(i), f"{name}\n{write(values[i])}") for i, name in enumerate(names))
    return PlotData(title, x, y, bars=(Bars("", tuple(enumerate(values)), ink, 0.75),), stops=stops)


def nice_floor(value: float) -> float:
    """The highest beginning of an axis up to 1 that holds a share and has even ticks."""
    return next((low for low in (0.99, 0.95, 0.9, 0.75, 0.5) if low <= value + 1e-9), 0.0)


def layer_axis(n: int) -> Axis:
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if n / step <= 9)
    ticks = tuple((float(i), str(i)) for i in range(0, n, step))
    return Axis(_tr("layer"), -0.5, max(n, 1) - 0.5, ticks)


def share_axis(title: str, values: Iterable[float] = (1.0,)) -> Axis:
    """From 0 to 100 %, or to less where all values are small."""
    top = max(values, default=1.0)
    high = next(high for high in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, math.inf) if top <= high)
    high = min(high, max(1.0, top))
    return Axis(title, 0.0, high, tuple((high * i / 5, percent(round(high * i / 5, 6))) for i in range(6)))


def range_axis(title: str, low: float, high: float) -> Axis:
    steps = [low + (high - low) * i / 5 for i in range(6)]
    return Axis(title, low, high, tuple((value, percent(round(value, 6))) for value in steps))


def count_axis(title: str, values: Iterable[float]) -> Axis:
    step, first, last = _steps(values)
    return Axis(title, first * step, last * step, tuple((i * step, f"{i * step:g}") for i in range(first, last + 1)))


def bytes_axis(title: str, values: Iterable[float]) -> Axis:
    step, first, last = _steps(values)
    ticks = tuple((i * step, signed_bytes(i * step).replace(".0 ", " ") if i else "0") for i in range(first, last + 1))
    return Axis(title, first * step, last * step, ticks)


def _steps(values: Iterable[float]) -> tuple[float, int, int]:
    """The distance of ticks (1, 2 or 5 times a power of ten), and which multiples of it hold zero and the values."""
    low, high = 0.0, 0.0
    for value in values:
        low, high = min(low, value), max(high, value)
    reach = (high - low) or 1.0
    power = 10.0 ** math.floor(math.log10(reach))
    step = next(s for s in (0.2 * power, 0.5 * power, power, 2 * power, 5 * power) if reach / s <= 5)
    return step, math.floor(low / step), max(1, math.ceil(high / step))


def log_axis(
    title: str, values: Iterable[float], *, has_zero: bool = False, write: Callable[[float], str] | None = None
) -> Axis:
    """Whole decades around the values; with zeros among them, the lowest tick stands for 0."""
    values = list(values)
    first = math.floor(math.log10(min(values)) + 1e-9) - (1 if has_zero else 0)
    last = math.ceil(math.log10(max(values)) - 1e-9)
    last = max(last, first + 1)
    every = 1 if last - first <= 6 else 2
    write = write or (lambda value: f"{value:g}" if value >= 1e-4 else f"10^{round(math.log10(value))}")
    ticks = [(10.0**i, write(10.0**i)) for i in range(first, last + 1, every)]
    if has_zero:
        ticks[0] = (10.0**first, "0")
    return Axis(title, 10.0**first, 10.0**last, tuple(ticks), is_log=True)


def kept_axis(shares: Iterable[float]) -> Axis:
    low = min((s for s in shares if s > 0), default=0.1)
    low = next((edge for edge in (0.5, 0.2, 0.1, 0.05, 0.02, 0.01) if edge <= low * 1.0001), 0.001)
    known = (0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
    return Axis(_tr("kept"), low, 1.0, tuple((s, percent(s)) for s in known if s >= low), is_log=True)


def bytes_words(count: float) -> str:
    return format_bytes(round(count))


def speed_words(speed: float) -> str:
    return fill(_tr("%1 tokens/s"), number(speed, 1))


def layer_name(layer: int) -> str:
    return fill(_tr("layer %1"), number(layer))


def first_upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def ink_of(at: int) -> str:
    return INKS[at % len(INKS)]


def fill(text: str, *values: str) -> str:
    for at, value in enumerate(values, 1):
        text = text.replace(f"%{at}", value)
    return text


def _tr(text: str) -> str:
    return QCoreApplication.translate("StudyCharts", text)
