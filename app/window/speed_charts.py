"""Pictures of benchmarks: decoding over time as a line, the phases of a token as bars.

Owns how figures become lengths; the figures themselves, as words, are given. Each picture says the same to a screen
reader as it shows.
"""

import math
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.benchmark_text import case_words, phase_name
from app.benchmarks import Point
from app.language import in_percent
from app.window.theme import Colors, colors_of, mixed, scaled
from app.window.wording import moment_words
from engine.benchmark_report import DecodeResult

CHART_HEIGHT = 148
BAR_HEIGHT = 16
REACH = 12  # pixels from a point within which the pointer is at it

# Families of phases share a hue: attention, feed-forward, the rest. (colour, how much of it)
_PHASE_INKS = {
    "qkv": ("accent", 0.95), "attention": ("accent", 0.7), "out": ("accent", 0.45),
    "predictor": ("danger", 0.8),
    "first": ("syntax_name", 0.95), "up": ("syntax_name", 0.7), "down": ("syntax_name", 0.5),
    "sum": ("syntax_name", 0.35),
    "head": ("good", 0.85),
    "waiting": ("muted", 0.55),
}  # fmt: skip


class LineChart(QWidget):
    """Speeds in the order in which they were measured, from zero up; whiskers go from the slowest to the fastest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points: tuple[Point, ...] = ()
        self.setFixedHeight(CHART_HEIGHT)
        self.setFont(scaled(self.font(), 0.86))

    def show_points(self, points: tuple[Point, ...]) -> None:
        if points != self._points:
            self._points = points
            said = "; ".join(f"{moment_words(point.created)}: {point.words}" for point in points)
            self.setAccessibleName(self.tr("Decoding over time: %1").replace("%1", said))
            self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            at = next(
                (p for p, place in self._places() if (place - QPointF(event.pos())).manhattanLength() < REACH), None
            )
            if at is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), f"{at.words}\n{moment_words(at.created)}", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_scale(painter, colors)
        places = self._places()
        for point, place in places:
            low, high = self._y(point.tokens_per_s.smallest), self._y(point.tokens_per_s.largest)
            painter.setPen(QPen(mixed(colors, "accent", 0.4), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(QPointF(place.x(), low), QPointF(place.x(), high))
        painter.setPen(QPen(QColor(colors.accent), 2))
        painter.drawPolyline(QPolygonF([place for _, place in places]))
        for point, place in places:
            size = 4.5 if point.is_shown else 3.0
            painter.setPen(QPen(QColor(colors.raised), 1.5))
            painter.setBrush(QColor(colors.text if point.is_shown else colors.accent))
            painter.drawEllipse(place, size, size)
        painter.end()

    def _paint_scale(self, painter: QPainter, colors: Colors) -> None:
        area = self._area()
        metrics = QFontMetrics(self.font())
        step, top = self._scale()
        value = 0.0
        while value <= top + step / 2:
            y = self._y(value)
            painter.setPen(QPen(QColor(colors.border), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(colors.muted))
            text = QRectF(0, y - metrics.height() / 2, area.left() - 8, metrics.height())
            painter.drawText(text, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{value:g}")
            value += step
        if not self._points:
            return
        below = QRect(int(area.left()), int(area.bottom()) + 5, int(area.width()), metrics.height() + 2)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, moment_words(self._points[0].created))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, moment_words(self._points[-1].created))

    def _scale(self) -> tuple[float, float]:
        """The distance of lines, of 1, 2 or 5 times a power of ten, and the topmost line."""
        most = max((point.tokens_per_s.largest for point in self._points), default=0.0) or 1.0
        power = 10.0 ** math.floor(math.log10(most))
        step = next(s for s in (0.2 * power, 0.5 * power, power, 2 * power, 5 * power) if most / s <= 4)
        return step, step * math.ceil(most / step)

    def _area(self) -> QRectF:
        metrics = QFontMetrics(self.font())
        step, top = self._scale()
        left = max(metrics.horizontalAdvance(f"{value:g}") for value in (top, top - step, step)) + 12
        return QRectF(left, 8, max(10, self.width() - left - 10), CHART_HEIGHT - metrics.height() - 18)

    def _y(self, value: float) -> float:
        area = self._area()
        return area.bottom() - area.height() * value / self._scale()[1]

    def _places(self) -> list[tuple[Point, QPointF]]:
        area = self._area().adjusted(8, 0, -8, 0)
        gaps = max(1, len(self._points) - 1)
        return [
            (point, QPointF(area.left() + area.width() * number / gaps, self._y(point.tokens_per_s.median)))
            for number, point in enumerate(self._points)
        ]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A word of the legend and where it stands."""

    phase: str
    text: str
    place: QRect


class PhaseBars(QWidget):
    """A bar for each way of decoding whose phases were timed, and what the colours mean."""

    def __init__(self, results: tuple[DecodeResult, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._results = tuple(result for result in results if result.phases)
        self._has_names = len(self._results) > 1
        self.setFont(scaled(self.font(), 0.9))
        self.setAccessibleName(". ".join(f"{_name(r)}: {', '.join(_shares(r).values())}" for r in self._results))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = self._line_height()
        y = 0
        for result in self._results:
            if self._has_names:
                painter.setPen(QColor(colors.muted))
                place = QRect(0, y, self.width(), line)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, _name(result))
                y += line
            self._paint_bar(painter, colors, result, y)
            y += BAR_HEIGHT + 8
        for entry in self._legend():
            swatch = QRectF(entry.place.left(), entry.place.center().y() - 4.5, 10, 10)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_ink(colors, entry.phase))
            painter.drawRoundedRect(swatch, 2.5, 2.5)
            painter.setPen(QColor(colors.text))
            painter.drawText(entry.place.adjusted(16, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, entry.text)
        painter.end()

    def _paint_bar(self, painter: QPainter, colors: Colors, result: DecodeResult, y: int) -> None:
        total = sum(share for _, share in result.phases) or 1.0
        x = 0.0
        painter.setPen(Qt.PenStyle.NoPen)
        for phase, share in result.phases:
            width = self.width() * share / total
            painter.setBrush(_ink(colors, phase))
            painter.drawRect(QRectF(x, y, max(0.6, width - 1.0), BAR_HEIGHT))
            x += width

    def _legend(self) -> list[_Entry]:
        """In one bar's legend the shares are said as well; small ones are in the table below."""
        shares = _shares(self._results[0]) if len(self._results) == 1 else {}
        phases = dict.fromkeys(phase for result in self._results for phase, _ in result.phases)
        metrics, line = QFontMetrics(self.font()), self._line_height()
        x, y = 0, len(self._results) * (BAR_HEIGHT + 8 + (line if self._has_names else 0)) + 2
        found = []
        for phase in phases:
            text = shares.get(phase, phase_name(phase))
            width = 16 + metrics.horizontalAdvance(text)
            if x and x + width > self.width():
                x, y = 0, y + line
            found.append(_Entry(phase, text, QRect(x, y, width + 4, line)))
            x += width + 18
        return found

    def _fit(self) -> None:
        legend = self._legend() if self._results else []
        height = legend[-1].place.bottom() + 3 if legend else 0
        if height != self.height():
            self.setFixedHeight(height)

    def _line_height(self) -> int:
        return QFontMetrics(self.font()).height() + 5


def _name(result: DecodeResult) -> str:
    case = case_words(result.mode, result.asked_share)
    return f"{result.weight_format} {case}, depth {result.depth:,}, threads {result.n_threads}"


def _shares(result: DecodeResult) -> dict[str, str]:
    return {phase: f"{phase_name(phase)} {in_percent(f'{100 * share:.0f}')}" for phase, share in result.phases}


def _ink(colors: Colors, phase: str) -> QColor:
    name, amount = _PHASE_INKS.get(phase, ("text", 0.7))
    return mixed(colors, name, amount)
