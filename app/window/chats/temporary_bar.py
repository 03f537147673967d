"""What stands above a temporary conversation: that it is kept nowhere, and the way to keep it after all."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.theme import colors_of
from app.window.transcript.message_column import COLUMN_WIDTH


class TemporaryBar(QFrame):
    keep_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        words = MutedLabel(self.tr("Temporary chat: it is saved nowhere and is gone when Ember is closed."), self)
        self._keep = QPushButton(self.tr("Keep this chat"), self)
        self._keep.setAccessibleName(self.tr("Keep this chat"))
        self._keep.clicked.connect(self.keep_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 7, 8, 7)
        row.setSpacing(10)
        row.addWidget(IconLabel("temporary", "accent", 18, self), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(words, 1)
        row.addWidget(self._keep)
        self.setMaximumWidth(COLUMN_WIDTH)
        self.hide()

    def show_state(self, *, is_temporary: bool, can_keep: bool) -> None:
        self.setVisible(is_temporary)
        self._keep.setVisible(can_keep)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(colors.accent), 1, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor(colors.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.end()
