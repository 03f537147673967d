"""A line between rows that is as thick everywhere, whatever the screen's scale.

Where a pixel of the window is one and a half of the screen's, a rectangle one pixel high is one or two of the screen's,
depending on where it lies.
"""

import math

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.window.theme import colors_of
from app.window.zoom import sizes_itself


class Line(QWidget):
    """Across all of its width, in the colour of borders."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        sizes_itself(self)
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        to_screen = painter.deviceTransform()
        scale = to_screen.m22()
        top = (math.floor(to_screen.dy() + 0.5) - to_screen.dy()) / scale
        color = QColor(colors_of(self.palette()).border)
        painter.fillRect(QRectF(0, top, self.width(), max(1, math.floor(scale)) / scale), color)
        painter.end()
