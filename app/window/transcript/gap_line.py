"""The line in a conversation above which the model does not read."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.window.labels import MutedLabel
from app.window.theme import colors_of
from app.window.zoom import zoomed

GAP = 12  # pixels between the words and the lines beside them
LEAST_LINE = 24


class GapLine(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = MutedLabel(parent=self, factor=0.88)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def show_text(self, text: str) -> None:
        self._label.setText(text)
        self.setAccessibleName(text)

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes."""
        room = max(40, width - 2 * (zoomed(GAP) + zoomed(LEAST_LINE)))
        self._label.setWordWrap(False)
        words = min(self._label.sizeHint().width(), room)
        self._label.setWordWrap(True)
        height = self._label.heightForWidth(words)
        self._label.setGeometry((width - words) // 2, zoomed(8), words, height)
        return height + zoomed(16)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(colors_of(self.palette()).warning))
        y = self.height() // 2
        painter.drawLine(0, y, self._label.x() - zoomed(GAP), y)
        painter.drawLine(self._label.geometry().right() + zoomed(GAP), y, self.width(), y)
        painter.end()
