"""The memory of a card as one bar, and what its parts are called.

Owns how bytes become lengths and colours; which parts there are is given. Together they are the card, so that the bar
is always full.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QHelpEvent, QPainter, QPainterPath, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.device_figures import OTHERS, RESERVE, UNUSED, Segment, total_of
from app.device_words import purpose_name
from app.error_text import memory_words
from app.window.device.device_control import words
from app.window.theme import Colors, colors_of, mixed, scaled

BAR_HEIGHT = 24
RADIUS = 6

# Ember's own parts share a hue. (colour, how much of it)
_INKS = {
    "hot neurons": ("accent", 0.95), "attention": ("accent", 0.72), "KV cache": ("accent", 0.56),
    "head": ("accent", 0.45), "predictors": ("accent", 0.38), "workspace": ("accent", 0.31),
    "context and modules": ("accent", 0.24), OTHERS: ("muted", 0.55), UNUSED: ("hover", 1.0),
}  # fmt: skip


def ink_of(colors: Colors, segment: Segment) -> QBrush:
    if segment.name == RESERVE:
        return QBrush(mixed(colors, "muted", 0.45), Qt.BrushStyle.BDiagPattern)
    name, amount = _INKS.get(segment.name, ("accent" if segment.is_ours else "muted", 0.8))
    return QBrush(mixed(colors, name, amount))


def paint_segments(painter: QPainter, colors: Colors, bar: QRectF, segments: Sequence[Segment]) -> None:
    outline = QPainterPath()
    outline.addRoundedRect(bar, RADIUS, RADIUS)
    painter.save()
    painter.setClipPath(outline)
    painter.fillRect(bar, QColor(colors.hover))
    for segment, place in segment_places(bar, segments):
        painter.fillRect(place.adjusted(0, 0, -1.0 if place.width() > 3 else 0.0, 0), ink_of(colors, segment))
    painter.restore()
    painter.setPen(QColor(colors.border))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(outline)


def segment_places(bar: QRectF, segments: Sequence[Segment]) -> list[tuple[Segment, QRectF]]:
    total = total_of(segments) or 1
    x = bar.left()
    places = []
    for segment in segments:
        width = bar.width() * segment.n_bytes / total
        places.append((segment, QRectF(x, bar.top(), width, bar.height())))
        x += width
    return places


def segment_words(segment: Segment) -> str:
    return f"{purpose_name(segment.name, words)} {memory_words(segment.n_bytes)}"


class MemoryBar(QWidget):
    """The bar by itself, for a card that is only looked at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._segments: tuple[Segment, ...] = ()
        self.setFixedHeight(14)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_segments(self, segments: tuple[Segment, ...]) -> None:
        self._segments = segments
        said = ", ".join(segment_words(segment) for segment in segments)
        self.setAccessibleName(self.tr("Memory of the card: %1").replace("%1", said))
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            show_segment_tip(self, event, QRectF(self.rect()), self._segments)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        paint_segments(painter, colors_of(self.palette()), bar, self._segments)
        painter.end()


def show_segment_tip(widget: QWidget, event: QHelpEvent, bar: QRectF, segments: Sequence[Segment]) -> None:
    at = next((s for s, place in segment_places(bar, segments) if place.contains(event.pos().toPointF())), None)
    if at is None:
        QToolTip.hideText()
    else:
        QToolTip.showText(event.globalPos(), segment_words(at), widget)


class MemoryLegend(QWidget):
    """What the colours of the bar are, each with its bytes; it takes as many lines as it needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._segments: tuple[Segment, ...] = ()
        self.setFont(scaled(self.font(), 0.9))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_segments(self, segments: tuple[Segment, ...]) -> None:
        if segments != self._segments:
            self._segments = segments
            total = memory_words(total_of(segments))
            said = ", ".join(segment_words(segment) for segment in segments)
            self.setAccessibleName(self.tr("Of %1: %2").replace("%1", total).replace("%2", said))
            self._fit()
            self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for segment, text, place in self._entries():
            swatch = QRectF(place.left() + 0.5, place.center().y() - 4.5, 10, 10)
            painter.setPen(QColor(colors.border))
            painter.setBrush(ink_of(colors, segment))
            painter.drawRoundedRect(swatch, 2.5, 2.5)
            painter.setPen(QColor(colors.text))
            room = place.adjusted(16, 0, 0, 0)
            elided = QFontMetrics(self.font()).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, elided)
        painter.end()

    def _entries(self) -> list[tuple[Segment, str, QRect]]:
        metrics = QFontMetrics(self.font())
        line = metrics.height() + 5
        x = y = 0
        found = []
        for segment in self._segments:
            text = segment_words(segment)
            width = min(16 + metrics.horizontalAdvance(text) + 2, max(60, self.width()))
            if x and x + width > self.width():
                x, y = 0, y + line
            found.append((segment, text, QRect(x, y, width, line)))
            x += width + 16
        return found

    def _fit(self) -> None:
        entries = self._entries()
        height = entries[-1][2].bottom() + 2 if entries else 0
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)
