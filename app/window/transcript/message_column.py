"""The column of a transcript: messages below each other, and what stands among and below them.

Owns where everything in it is, at which width, and the lines that are no messages: what the model does not read, what
is being waited for, and a card below everything. Knows nothing of scrolling.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from app.window.error_card import ErrorCard
from app.window.transcript.gap_line import GapLine
from app.window.transcript.message_view import MessageView
from app.window.transcript.status_row import StatusRow
from app.window.zoom import zoomed

COLUMN_WIDTH = 760
SIDE_MARGIN = 24
TOP_MARGIN = 26
BOTTOM_MARGIN = 22
GAP_AFTER_QUESTION = 6
GAP_AFTER_ANSWER = 16
LEAST_WIDTH = 120


class MessageColumn(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Messages"))
        self.setAutoFillBackground(False)
        self.gap = GapLine(self)
        self._gap_words, self._gap_before = "", ""
        self.status = StatusRow(self)
        self.status.hide()
        self._notice: ErrorCard | None = None

    def show_gap(self, words: str, before_id: str) -> bool:
        """A line above a message, or without one below all; no words for no line. Whether it is another than before."""
        shown = words, before_id
        if shown == (self._gap_words, self._gap_before):
            return False
        self._gap_words, self._gap_before = shown
        self.gap.show_text(words)
        return True

    def show_status(self, text: str) -> None:
        """A line below the last message; empty for none."""
        self.status.show_text(text)
        self.status.setVisible(bool(text))

    def show_notice(self, card: ErrorCard | None, on_height_changed: Callable[[], object]) -> None:
        """A card below everything; it replaces the one before."""
        if self._notice is not None:
            self._notice.hide()
            self._notice.deleteLater()
        self._notice = card
        if card is not None:
            card.setParent(self)
            card.height_changed.connect(on_height_changed)
            card.show()

    def place(self, views: Sequence[MessageView], width_around: int, viewport: QSize) -> None:
        """Lay out in the middle of what scrolls it, at least as large as what is seen.

        `width_around` is measured without the scroll bar, so that nothing moves when it comes.
        """
        width = max(LEAST_WIDTH, min(zoomed(COLUMN_WIDTH), width_around - 2 * SIDE_MARGIN))
        left = (width_around - width) // 2
        y = TOP_MARGIN
        self.gap.hide()
        for view in views:
            if view.message.id == self._gap_before:
                y += self._place_gap(left, y, width)
            height = view.fit(width)
            view.setGeometry(left, y, width, height)
            y += height + (GAP_AFTER_QUESTION if view.message.role == "user" else GAP_AFTER_ANSWER)
        if not self._gap_before:
            y += self._place_gap(left, y, width)
        if not self.status.isHidden():
            self.status.setGeometry(left, y, width, self.status.fit(width))
            y += self.status.height() + GAP_AFTER_ANSWER
        if self._notice is not None:
            height = self._notice.fit(width)
            self._notice.setGeometry(left, y, width, height)
            y += height + GAP_AFTER_ANSWER
        self.resize(viewport.width(), max(y - GAP_AFTER_ANSWER + BOTTOM_MARGIN, viewport.height()))

    def _place_gap(self, left: int, y: int, width: int) -> int:
        """The height of the line, where there is one."""
        if not self._gap_words:
            return 0
        height = self.gap.fit(width)
        self.gap.setGeometry(left, y, width, height)
        self.gap.show()
        return height + GAP_AFTER_QUESTION
