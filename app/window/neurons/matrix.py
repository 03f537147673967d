"""A matrix of shares by row and column, as shades with their numbers.

Owns where the cells lie. What they say is given.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.window.neurons.chart import Chart
from app.window.neurons.plot_data import MatrixData, Stop
from app.window.theme import Colors, colors_of, mixed

CELL_HEIGHT = 34
_RIGHT_VCENTER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


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
