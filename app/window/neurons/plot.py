"""A plot: lines, bands and bars over two axes.

Owns how values become places on the screen. What is plotted, and every word of it, is given.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.window.neurons.chart import Chart
from app.window.neurons.plot_data import Axis, Bars, Line, PlotData, Series, Stop
from app.window.theme import Colors, colors_of, mixed

AREA_HEIGHT = 158
_LEFT_VCENTER = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT_VCENTER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


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
            top = y + 1 if limit.is_below else y - metrics.height() - 1
            place = QRectF(area.left() + 5, top, area.width() - 5, metrics.height())
            painter.drawText(place, _LEFT_VCENTER, limit.words)

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
        rows = 2 if self._data.x.title else 1
        height = self._top() + AREA_HEIGHT + rows * QFontMetrics(self.font()).height() + 10
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)

    def _top(self) -> int:
        legend = self._legend()
        below_legend = legend[-1][1].bottom() + 5 if legend else 2
        return below_legend + (QFontMetrics(self.font()).height() + 9 if self._data.y.title else 7)

    def _area(self) -> QRectF:
        metrics = QFontMetrics(self.font())
        left = max((metrics.horizontalAdvance(label) for _, label in self._data.y.ticks), default=0) + 9
        return QRectF(left, self._top(), max(20, self.width() - left - 10), AREA_HEIGHT)

    def _point(self, x: float, y: float) -> QPointF:
        area = self._area()
        return QPointF(
            area.left() + area.width() * self._data.x.place(x), area.bottom() - area.height() * self._data.y.place(y)
        )
