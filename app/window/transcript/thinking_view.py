"""What a model said to itself before it answered: a line that opens and closes, and the text under it.

Open while the thinking goes on and closed once the answer begins, unless a person has decided otherwise. The text is
built when it is first seen. Knows neither the message nor how thinking is told apart from the answer.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.chat.markdown import Shown
from app.window.icons import icon_pixmap
from app.window.theme import colors_of
from app.window.transcript.segments import SegmentsView
from app.window.transcript.shared import Shared

GAP = 6
BAR_WIDTH = 3
INDENT = 16
ICON = 14


class ThinkingView(QWidget):
    reshaped = Signal()
    toggled = Signal()
    """A person opened or closed it."""

    link_activated = Signal(str)
    selected = Signal()

    def __init__(self, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._items: Callable[[], Sequence[Shown]] = tuple
        self._is_chosen = False
        self._header = QToolButton(self)
        self._header.setObjectName("thinking")
        self._header.setCheckable(True)
        self._header.setCursor(Qt.CursorShape.PointingHandCursor)
        self._header.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._header.clicked.connect(self._choose)
        self._body: SegmentsView | None = None

    @property
    def is_open(self) -> bool:
        return self._header.isChecked()

    @property
    def body(self) -> SegmentsView | None:
        """The text, once it has been opened."""
        return self._body

    def show_thinking(self, items: Callable[[], Sequence[Shown]], words: str, *, is_thinking: bool) -> None:
        """Show what has been thought so far, which is asked for when it is seen, under a line that says `words`."""
        self._items = items
        self._header.setText(words)
        self._header.setAccessibleName(words)
        if not self._is_chosen:
            self._header.setChecked(is_thinking)
        self._show_body()

    def fit(self, width: int) -> int:
        self._header.adjustSize()
        self._header.move(0, 0)
        height = self._header.height()
        if self._body is not None and self.is_open:
            body = self._body.fit(width - INDENT)
            self._body.setGeometry(INDENT, height + GAP, width - INDENT, body)
            height += GAP + body
        return height

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._body is None or not self.is_open:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors_of(self.palette()).border))
        painter.drawRoundedRect(QRectF(2, self._body.y(), BAR_WIDTH, self._body.height()), 1.5, 1.5)
        painter.end()

    def _choose(self) -> None:
        self._is_chosen = True
        self._show_body()
        self.reshaped.emit()
        self.toggled.emit()

    def _show_body(self) -> None:
        name = "chevron-down" if self.is_open else "chevron-right"
        self._header.setIcon(icon_pixmap(name, colors_of(self.palette()).muted, ICON, self.devicePixelRatioF()))
        if self.is_open:
            if self._body is None:
                self._body = SegmentsView(self, self._shared)
                self._body.link_activated.connect(self.link_activated)
                self._body.selected.connect(self.selected)
                self._body.reshaped.connect(self.reshaped)
            self._body.show_items(self._items())
        if self._body is not None:
            self._body.setVisible(self.is_open)
