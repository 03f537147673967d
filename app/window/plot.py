"""Plots: lines, bands and bars over two axes, and a matrix of shares, with the numbers under the pointer.

Owns how values become places on the screen. What is plotted, and every word of it, is given. A plot takes the focus:
the arrow keys move from one stop to the next as the pointer does, and a screen reader is told what stands there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.window.theme import Colors, colors_of, mixed, scaled

AREA_HEIGHT = 158
CELL_HEIGHT = 34
_LEFT_VCENTER = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT_VCENTER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Axis:
    """One direction of a plot; `ticks` are (value, label).

    On a logarithmic one, what is below `low` lies at its start.
    """

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    is_log: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        if self.is_log:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, share))


@dataclass(frozen=True, slots=True)
class Line:
    """`ink` names a colour of the theme; `strength` is how much of it is mixed with the ground. No name: no legend."""

    name: str
    points: tuple[tuple[float, float], ...]
    ink: str = "accent"
    strength: float = 1.0
    width: float = 2.0
    is_dashed: bool = False
    has_dots: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """The room between two values, at each x: (x, low, high)."""

    name: str
    points: tuple[tuple[float, float, float], ...]
    ink: str = "accent"
    strength: float = 0.3


@dataclass(frozen=True, slots=True)
class Bars:
    """Values as bars from zero, which may go down."""

    name: str
    points: tuple[tuple[float, float], ...]
    ink: str = "accent"
    strength: float = 0.85


Series = Line | Band | Bars


@dataclass(frozen=True, slots=True)
class Limit:
    """A line across at a value, with a word on it."""

    value: float
    words: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A place on the x axis where pointer and arrow keys stop; `words` has a line for each figure there."""

    x: float
    words: str


@dataclass(frozen=True, slots=True)
class PlotData:
    """A plot's content; later series are painted over earlier ones, bands and bars below lines."""

    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...] = ()
    bands: tuple[Band, ...] = ()
    bars: tuple[Bars, ...] = ()
    limits: tuple[Limit, ...] = ()
    stops: tuple[Stop, ...] = ()


@dataclass(frozen=True, slots=True)
class MatrixData:
    """Shares by row and column (None: unknown); `texts` are what the cells show, `words` what is said of one."""

    title: str
    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    words: tuple[tuple[str, ...], ...]


class Chart(QWidget):
    """What plots and matrices have in common: stops, which pointer and keys choose among, and a box with the words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._at = -1
        self.setFont(scaled(self.font(), 0.86))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def stop_words(self) -> str:
        """What is said of the stop that is chosen; empty where none is."""
        stops = self._stops()
        return stops[self._at].words if 0 <= self._at < len(stops) else ""

    def choose_stop(self, at: int) -> None:
        """Go to a stop by its number; -1 for none."""
        at = max(-1, min(len(self._stops()) - 1, at))
        if at != self._at:
            self._at = at
            self.setAccessibleDescription(self.stop_words)
            self.update()

    def _stops(self) -> Sequence[Stop]:
        raise NotImplementedError

    def _stop_at(self, place: QPointF) -> int:
        raise NotImplementedError

    def _steps(self) -> dict[int, int]:
        """How far each arrow key goes."""
        return {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._stops()) - 1
        steps = self._steps()
        if event.key() in steps and last >= 0:
            at = 0 if self._at < 0 else self._at + steps[event.key()]
            self.choose_stop(at if 0 <= at <= last else self._at)
        elif event.key() == Qt.Key.Key_Home and last >= 0:
            self.choose_stop(0)
        elif event.key() == Qt.Key.Key_End and last >= 0:
            self.choose_stop(last)
        else:
            super().keyPressEvent(event)
            return
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.stop_words))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.choose_stop(self._stop_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self.choose_stop(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.choose_stop(-1)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def _paint_focus(self, painter: QPainter, colors: Colors) -> None:
        if self.hasFocus():
            painter.setPen(QPen(QColor(colors.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)

    def _paint_words(self, painter: QPainter, colors: Colors, beside: QPointF) -> None:
        """The words of the stop in a box beside a place, inside the widget."""
        lines = self.stop_words.split("\n")
        metrics = QFontMetrics(self.font())
        width = max(metrics.horizontalAdvance(line) for line in lines) + 18
        height = len(lines) * (metrics.height() + 1) + 10
        left = beside.x() + 10 if beside.x() + 10 + width < self.width() else beside.x() - 10 - width
        box = QRectF(
            max(1.0, min(left, self.width() - width - 1.0)),
            max(1.0, min(beside.y(), self.height() - height - 1.0)),
            width,
            height,
        )
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.text))
        painter.drawRoundedRect(box, 5, 5)
        painter.setPen(QColor(colors.page))
        for number, line in enumerate(lines):
            painter.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold) if number == 0 else self.font())
            place = box.adjusted(9, 5 + number * (metrics.height() + 1), 0, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, line)
        painter.setFont(self.font())


class Plot(Chart):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        none = Axis("", 0, 1, ())
        self._data = PlotData("", none, none)

    @property
    def data(self) -> PlotData:
        return self._data

    def show_data(self, data: PlotData, said: str) -> None:
        """`said` is what the plot means, for who cannot see it."""
        self._data = data
        self._at = -1
        self.setAccessibleName(f"{data.title}. {said}" if said else data.title)
        self._fit()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_legend(painter, colors)
        self._paint_axes(painter, colors)
        painter.save()
        painter.setClipRect(self._area().adjusted(-4, -4, 4, 4))
        for band in self._data.bands:
            upper = [self._point(x, high) for x, _, high in band.points]
            lower = [self._point(x, low) for x, low, _ in band.points]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(mixed(colors, band.ink, band.strength))
            painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))
        for bars in self._data.bars:
            self._paint_bars(painter, colors, bars)
        self._paint_limits(painter, colors)
        for line in self._data.lines:
            self._paint_line(painter, colors, line)
        painter.restore()
        self._paint_focus(painter, colors)
        if self.stop_words:
            area = self._area()
            x = self._point(self._data.stops[self._at].x, 0.0).x()
            painter.setPen(QPen(mixed(colors, "text", 0.5), 1))
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            self._paint_words(painter, colors, QPointF(x, area.top() + 2))
        painter.end()

    # Stops --------------------------------------------------------------------------------------------------------

    def _stops(self) -> Sequence[Stop]:
        return self._data.stops

    def _stop_at(self, place: QPointF) -> int:
        area = self._area().adjusted(-12, -8, 12, 8)
        if not self._data.stops or not area.contains(place):
            return -1
        distances = [abs(self._point(stop.x, 0.0).x() - place.x()) for stop in self._data.stops]
        return distances.index(min(distances))

    # Series -------------------------------------------------------------------------------------------------------

    def _paint_bars(self, painter: QPainter, colors: Colors, bars: Bars) -> None:
        width = max(1.0, 0.7 * self._area().width() / max(1, len(bars.points)))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(colors, bars.ink, bars.strength))
        for x, value in bars.points:
            top, foot = self._point(x, max(value, 0.0)), self._point(x, min(value, 0.0))
            painter.drawRect(QRectF(top.x() - width / 2, top.y(), width, max(1.0, foot.y() - top.y())))

    def _paint_line(self, painter: QPainter, colors: Colors, line: Line) -> None:
        places = [self._point(x, y) for x, y in line.points]
        painter.setPen(self._pen(colors, line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(places))
        if line.has_dots or len(places) == 1:
            painter.setPen(QPen(QColor(colors.raised), 1))
            painter.setBrush(mixed(colors, line.ink, line.strength))
            for place in places:
                painter.drawEllipse(place, 3.2, 3.2)

    def _paint_limits(self, painter: QPainter, colors: Colors) -> None:
        area = self._area()
        metrics = QFontMetrics(self.font())
        for limit in self._data.limits:
            y = self._point(0.0, limit.value).y()
            painter.setPen(QPen(mixed(colors, "good", 0.9), 1.2, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(colors.good))
            place = QRectF(area.left(), y - metrics.height() - 1, area.width() - 4, metrics.height())
            painter.drawText(place, _RIGHT_VCENTER, limit.words)

    def _pen(self, colors: Colors, line: Line) -> QPen:
        pen = QPen(mixed(colors, line.ink, line.strength), line.width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if line.is_dashed:
            pen.setDashPattern([3.0, 2.4])
        return pen

    # Axes and legend ----------------------------------------------------------------------------------------------

    def _paint_axes(self, painter: QPainter, colors: Colors) -> None:
        area, data = self._area(), self._data
        metrics = QFontMetrics(self.font())
        line = metrics.height()
        painter.setFont(self.font())
        painter.setPen(QColor(colors.muted))
        painter.drawText(QRectF(0, area.top() - line - 7, self.width(), line), _LEFT_VCENTER, data.y.title)
        for value, label in data.y.ticks:
            y = self._point(0.0, value).y()
            painter.setPen(QPen(QColor(colors.border), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(colors.muted))
            painter.drawText(QRectF(0, y - line / 2, area.left() - 7, line), _RIGHT_VCENTER, label)
        free_from = -1e9
        for value, label in data.x.ticks:
            x = self._point(value, 0.0).x()
            width = metrics.horizontalAdvance(label)
            left = max(0.0, min(x - width / 2, self.width() - width))
            painter.setPen(QPen(QColor(colors.border), 1))
            painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 4))
            if left < free_from:
                continue
            free_from = left + width + 8
            painter.setPen(QColor(colors.muted))
            painter.drawText(QRectF(left, area.bottom() + 5, width + 1, line), _LEFT_VCENTER, label)
        painter.setPen(QColor(colors.muted))
        title = QRectF(area.left(), area.bottom() + 6 + line, area.width(), line)
        painter.drawText(title, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, data.x.title)

    def _paint_legend(self, painter: QPainter, colors: Colors) -> None:
        entries = {series.name: series for series in self._named()}
        painter.setFont(self.font())
        for name, place in self._legend():
            series = entries[name]
            middle = place.center().y() + 0.5
            if isinstance(series, Line):
                painter.setPen(self._pen(colors, series))
                painter.drawLine(QPointF(place.left(), middle), QPointF(place.left() + 16, middle))
            else:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(mixed(colors, series.ink, series.strength))
                painter.drawRoundedRect(QRectF(place.left() + 3, middle - 5, 10, 10), 2.5, 2.5)
            painter.setPen(QColor(colors.text))
            painter.drawText(place.adjusted(22, 0, 0, 0), _LEFT_VCENTER, name)

    def _named(self) -> list[Series]:
        series: list[Series] = [*self._data.bars, *self._data.bands, *self._data.lines]
        return [each for each in series if each.name]

    def _legend(self) -> list[tuple[str, QRect]]:
        """The names that stand above the plot, and where."""
        metrics = QFontMetrics(self.font())
        line = metrics.height() + 4
        x = y = 0
        found = []
        for name in dict.fromkeys(series.name for series in self._named()):
            width = 24 + metrics.horizontalAdvance(name)
            if x and x + width > self.width():
                x, y = 0, y + line
            found.append((name, QRect(x, y, width, line)))
            x += width + 14
        return found

    # Places -------------------------------------------------------------------------------------------------------

    def _fit(self) -> None:
        height = self._top() + AREA_HEIGHT + 2 * QFontMetrics(self.font()).height() + 10
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)

    def _top(self) -> int:
        legend = self._legend()
        below_legend = legend[-1][1].bottom() + 5 if legend else 2
        return below_legend + QFontMetrics(self.font()).height() + 9

    def _area(self) -> QRectF:
        metrics = QFontMetrics(self.font())
        left = max((metrics.horizontalAdvance(label) for _, label in self._data.y.ticks), default=0) + 9
        return QRectF(left, self._top(), max(20, self.width() - left - 10), AREA_HEIGHT)

    def _point(self, x: float, y: float) -> QPointF:
        area = self._area()
        return QPointF(
            area.left() + area.width() * self._data.x.place(x), area.bottom() - area.height() * self._data.y.place(y)
        )


class Matrix(Chart):
    """Shares by row and column as shades, each with its number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data = MatrixData("", (), (), (), ())

    @property
    def data(self) -> MatrixData:
        return self._data

    def show_data(self, data: MatrixData, said: str) -> None:
        self._data = data
        self._at = -1
        self.setAccessibleName(f"{data.title}. {said}" if said else data.title)
        self.setFixedHeight(self._head() + CELL_HEIGHT * len(data.names) + 4)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(260, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        metrics = QFontMetrics(self.font())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = self._left()
        elide = Qt.TextElideMode.ElideRight
        for row, name in enumerate(self._data.names):
            first = self._cell(row, 0)
            painter.setPen(QColor(colors.muted))
            painter.drawText(
                QRectF(0, first.top(), left - 8, first.height()),
                _RIGHT_VCENTER,
                metrics.elidedText(name, elide, int(left) - 8),
            )
            above = self._cell(0, row)
            words = metrics.elidedText(name, elide, int(above.width()) - 2)
            place = QRectF(above.left(), 0, above.width(), self._head() - 3)
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter, words)
            for column, value in enumerate(self._data.values[row]):
                self._paint_cell(painter, colors, row, column, value)
        self._paint_focus(painter, colors)
        if self.stop_words:
            cell = self._cell(*divmod(self._at, len(self._data.names)))
            painter.setPen(QPen(QColor(colors.text), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(cell.adjusted(1, 1, -1, -1), 4, 4)
            self._paint_words(painter, colors, QPointF(cell.right() - 8, cell.top() + 4))
        painter.end()

    def _paint_cell(self, painter: QPainter, colors: Colors, row: int, column: int, value: float | None) -> None:
        cell = self._cell(row, column).adjusted(1.5, 1.5, -1.5, -1.5)
        # At most so much of the hue that text in the colour of the theme stays readable on it.
        shade = mixed(colors, "accent", 0.06 + 0.42 * value) if value is not None else QColor(colors.hover)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(shade)
        painter.drawRoundedRect(cell, 4, 4)
        painter.setPen(QColor(colors.text))
        painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, self._data.texts[row][column])

    def _stops(self) -> Sequence[Stop]:
        return [Stop(0.0, words) for row in self._data.words for words in row]

    def _steps(self) -> dict[int, int]:
        n = len(self._data.names)
        return {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -n, Qt.Key.Key_Down: n}

    def _stop_at(self, place: QPointF) -> int:
        n = len(self._data.names)
        return next((i for i in range(n * n) if self._cell(*divmod(i, n)).contains(place)), -1)

    def _head(self) -> int:
        return QFontMetrics(self.font()).height() + 6

    def _left(self) -> float:
        metrics = QFontMetrics(self.font())
        widest = max((metrics.horizontalAdvance(name) for name in self._data.names), default=0) + 10
        return min(float(widest), 0.3 * self.width())

    def _cell(self, row: int, column: int) -> QRectF:
        left = self._left()
        width = min(96.0, (self.width() - left - 2) / max(1, len(self._data.names)))
        return QRectF(left + column * width, self._head() + row * CELL_HEIGHT, width, CELL_HEIGHT)
