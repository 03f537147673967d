"""The line that says what an answer is waiting for, with three dots that breathe while it is in sight."""

import math

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.window.labels import MutedLabel
from app.window.theme import colors_of

FRAME_MS = 90
DOTS_WIDTH = 38


class StatusRow(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._step = 0
        self._label = MutedLabel(parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(DOTS_WIDTH, 4, 0, 4)
        row.addWidget(self._label)
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._breathe)

    def show_text(self, text: str) -> None:
        self._label.setText(text)
        self.setAccessibleName(text)

    def fit(self, width: int) -> int:
        self.resize(width, self.height())
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else 0

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        color = QColor(colors_of(self.palette()).accent)
        middle = self.height() / 2
        for dot in range(3):
            strength = 0.5 + 0.5 * math.sin((self._step - 2.2 * dot) * 2 * math.pi / 12)
            color.setAlphaF(0.25 + 0.75 * strength)
            painter.setBrush(color)
            painter.drawEllipse(QPointF(4 + dot * 10, middle), 3, 3)
        painter.end()

    def _breathe(self) -> None:
        self._step += 1
        self.update(0, 0, DOTS_WIDTH, self.height())
