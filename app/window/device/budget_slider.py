"""The budget as a slider that lies on the bar of the card's memory: its handle is where Ember's part ends.

Owns the painting, and the steps of keys and wheel. What a position buys is said by whoever listens.
"""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from app.device_figures import GIB, MIB, Segment, ours_of, slider_step, total_of
from app.error_text import memory_words
from app.window.device.memory_bar import BAR_HEIGHT, paint_segments, show_segment_tip
from app.window.theme import Colors, colors_of, mixed, scaled

TOP = 9
HANDLE_WIDTH = 7
EDGE = 8  # room for half of the handle at both ends


class BudgetSlider(QSlider):
    """In bytes; positions are whole MiB, but the end of the range is reached exactly."""

    previewed = Signal(object)
    """Bytes under the handle while it is held."""

    chosen = Signal(object)
    """Bytes where the handle was let go, or went by keys or wheel."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._segments: tuple[Segment, ...] = ()
        self._most = 0
        self._recommended = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Memory that Ember may take on the card"))
        self.setMinimumWidth(120)
        self.valueChanged.connect(self._on_value)
        self.sliderReleased.connect(lambda: self.chosen.emit(self.n_bytes))

    @property
    def n_bytes(self) -> int:
        return self._most if self.value() == self.maximum() else self.value() * MIB

    def show_card(self, segments: tuple[Segment, ...], most_bytes: int, recommended_bytes: int) -> None:
        """What is on the card, how far the handle may go, and what is recommended (0: nothing is)."""
        self._segments, self._most, self._recommended = segments, most_bytes, recommended_bytes
        step = slider_step(most_bytes)
        was_blocked = self.blockSignals(True)
        self.setRange(0, -(-most_bytes // MIB))
        self.blockSignals(was_blocked)
        self.setSingleStep(step // MIB)
        self.setPageStep(max(step, min(GIB, most_bytes // 4)) // MIB or 1)
        self.update()

    def show_budget(self, n_bytes: int) -> None:
        """Put the handle there without saying so; not while it is held."""
        if not self.isSliderDown():
            was_blocked = self.blockSignals(True)
            self.setValue(self.maximum() if n_bytes >= self._most else n_bytes // MIB)
            self.blockSignals(was_blocked)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, TOP + BAR_HEIGHT + 4 + QFontMetrics(self._mark_font()).height())

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    # Keys, wheel and pointer --------------------------------------------------------------------------------------

    def _on_value(self) -> None:
        if self.isSliderDown():
            self.previewed.emit(self.n_bytes)
        else:
            self.chosen.emit(self.n_bytes)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A page that is scrolled must not change what its sliders say."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.isEnabled():
            self.setSliderDown(True)
            self._follow(event.position())
            event.accept()
        else:
            event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown():
            self._follow(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)
            self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            show_segment_tip(self, event, self._bar(), self._segments)
            return True
        return super().event(event)

    def _follow(self, place: QPointF) -> None:
        bar = self._bar()
        n_bytes = (place.x() - bar.left()) / max(1.0, bar.width()) * total_of(self._segments)
        self.setValue(self.maximum() if n_bytes >= self._most else round(max(0.0, n_bytes) / MIB))

    # Painting -----------------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = self._bar()
        paint_segments(painter, colors, bar, self._segments)
        if self.isEnabled():
            self._paint_difference(painter, colors, bar)
            self._paint_recommended(painter, colors, bar)
            self._paint_handle(painter, colors, bar)
        painter.end()

    def _paint_difference(self, painter: QPainter, colors: Colors, bar: QRectF) -> None:
        """What would be taken more, or given back."""
        now, then = self._x(ours_of(self._segments)), self._x(self.n_bytes)
        if abs(now - then) < 1.5:
            return
        place = QRectF(min(now, then), bar.top() + 1, abs(then - now), bar.height() - 2)
        if then < now:
            painter.fillRect(place, mixed(colors, "hover", 1.0))
        painter.fillRect(place, QBrush(mixed(colors, "accent", 0.75), Qt.BrushStyle.BDiagPattern))

    def _paint_recommended(self, painter: QPainter, colors: Colors, bar: QRectF) -> None:
        if not 0 < self._recommended <= self._most:
            return
        x, y = self._x(self._recommended), bar.bottom() + 4
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.good))
        painter.drawPolygon(QPolygonF([QPointF(x, y), QPointF(x - 5, y + 7), QPointF(x + 5, y + 7)]))
        painter.setFont(self._mark_font())
        painter.setPen(QColor(colors.good))
        text = self.tr("recommended %1").replace("%1", memory_words(self._recommended))
        metrics = painter.fontMetrics()
        width = metrics.horizontalAdvance(text)
        left = x + 9 if x + 9 + width <= self.width() else x - 9 - width
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(self.width()))
        place = QRectF(max(0.0, left), y - 3, width + 2, metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_handle(self, painter: QPainter, colors: Colors, bar: QRectF) -> None:
        x = self._x(self.n_bytes)
        handle = QRectF(x - HANDLE_WIDTH / 2, bar.top() - 5, HANDLE_WIDTH, bar.height() + 10)
        painter.setPen(QPen(QColor(colors.raised), 2))
        painter.setBrush(QColor(colors.text))
        painter.drawRoundedRect(handle, 3.5, 3.5)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colors.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(handle.adjusted(-2.5, -2.5, 2.5, 2.5), 5, 5)

    def _bar(self) -> QRectF:
        return QRectF(EDGE, TOP, max(20, self.width() - 2 * EDGE), BAR_HEIGHT)

    def _x(self, n_bytes: int) -> float:
        bar = self._bar()
        return bar.left() + bar.width() * min(1.0, n_bytes / (total_of(self._segments) or 1))

    def _mark_font(self) -> QFont:
        return scaled(self.font(), 0.86)
