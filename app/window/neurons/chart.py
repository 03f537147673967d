"""What plots and matrices have in common: places where their numbers are told, reached by pointer and arrow keys.

Owns the box with the words of the place, and what a screen reader is told of it.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
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
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.window.neurons.plot_data import Stop
from app.window.theme import Colors, scaled


class Chart(QWidget):
    """A widget with stops, one of which may be chosen."""

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
        bold = scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold)
        widths = [QFontMetrics(bold).horizontalAdvance(lines[0]), *(metrics.horizontalAdvance(x) for x in lines[1:])]
        width = max(widths) + 20
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
            painter.setFont(bold if number == 0 else self.font())
            place = box.adjusted(9, 5 + number * (metrics.height() + 1), 0, 0)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, line)
        painter.setFont(self.font())
