"""The transcript: the messages of the path that is shown, scrolled.

Owns scrolling: the view follows a growing answer only while the person is at its end; a wheel, a key, a drag or a
selection stops that at once, and layout growing by itself never does. Only the latest messages are built; earlier ones
are added when one scrolls near the top. What buttons in messages mean is decided by whoever listens.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QWidget

from app.chat.records import StoredMessage
from app.window.error_card import Action, ErrorCard
from app.window.icons import IconButton
from app.window.transcript.gap_line import GapLine
from app.window.transcript.message_view import AnswerView, MessageView, UserMessageView
from app.window.transcript.status_row import StatusRow

COLUMN_WIDTH = 760
SIDE_MARGIN = 24
TOP_MARGIN = 26
BOTTOM_MARGIN = 22
GAP_AFTER_QUESTION = 6
GAP_AFTER_ANSWER = 16
PAGE = 30  # messages built at once
NEAR_TOP = 400  # pixels from the top at which earlier messages are added
AT_END = 6  # pixels from the end that still count as the end

Versions = Callable[[StoredMessage], list[StoredMessage]]
ErrorActions = Callable[[StoredMessage], tuple[Action, ...]]


class TranscriptView(QScrollArea):
    link_activated = Signal(str)
    regenerate_clicked = Signal()
    compare_clicked = Signal(str)
    """The answer that is to be given exactly and by a tier, by its message id."""

    version_chosen = Signal(str)
    acted = Signal()
    """A button in a message was pressed."""

    scrolled = Signal(bool)
    """Whether something is hidden above."""

    def __init__(self, versions: Versions, error_actions: ErrorActions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._versions = versions
        self._error_actions = error_actions
        self._path: list[StoredMessage] = []
        self._first = 0
        self._views: list[MessageView] = []
        self._is_following = True
        self._show_stats = True
        self._is_idle = True
        self._can_compare = False
        self._is_laying_out = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self.viewport().setAutoFillBackground(False)
        self._column = QWidget(self)
        self._column.setAccessibleName(self.tr("Messages"))
        self._column.setAutoFillBackground(False)
        self.setWidget(self._column)
        self._gap = GapLine(self._column)
        self._gap_words, self._gap_before = "", ""
        self._status = StatusRow(self._column)
        self._status.hide()
        self._notice: ErrorCard | None = None
        self._jump = IconButton("arrow-down", self.tr("Jump to the latest message"), self)
        self._jump.setObjectName("jump")
        self._jump.resize(38, 38)
        self._jump.hide()
        self._jump.clicked.connect(self.follow)
        bar = self.verticalScrollBar()
        bar.setSingleStep(24)
        bar.actionTriggered.connect(lambda: QTimer.singleShot(0, self, self._note_user_scroll))
        bar.valueChanged.connect(self._on_scrolled)

    # Content ------------------------------------------------------------------------------------------------------

    @property
    def is_following(self) -> bool:
        return self._is_following

    @property
    def views(self) -> list[MessageView]:
        return list(self._views)

    def show_path(self, path: list[StoredMessage], *, show_stats: bool) -> None:
        """Show these messages; views of messages that stay are kept."""
        self._show_stats = show_stats
        self._path = path
        ids = [message.id for message in path]
        kept = 0
        while kept < len(self._views) and self._first + kept < len(ids):
            if self._views[kept].message.id != ids[self._first + kept]:
                break
            kept += 1
        if kept == 0:
            self._first = max(0, len(path) - PAGE)
            self._is_following = True
        self._drop(self._views[kept:])
        self._views = self._views[:kept]
        self._views += [self._new_view(message) for message in path[self._first + kept :]]
        self._place_views()
        self._lay_out()

    def grow(self, message: StoredMessage, text: str) -> None:
        view = self._view_of(message.id)
        if isinstance(view, AnswerView):
            view.grow(message, text)

    def update_answer(self, message: StoredMessage) -> None:
        self._path = [message if m.id == message.id else m for m in self._path]
        view = self._view_of(message.id)
        if isinstance(view, AnswerView):
            view.show_message(message)
            self._place_views()

    def show_stats(self, is_shown: bool) -> None:
        self._show_stats = is_shown
        self._place_views()

    def set_idle(self, is_idle: bool) -> None:
        """Whether a last message without an answer may be answered now."""
        if is_idle != self._is_idle:
            self._is_idle = is_idle
            self._place_views()

    def set_comparable(self, can_compare: bool) -> None:
        """Whether the loaded model has tiers, which answers can be compared at."""
        if can_compare != self._can_compare:
            self._can_compare = can_compare
            self._place_views()

    def show_gap(self, words: str | None, before_id: str | None = None) -> None:
        """A line that says what the model does not read, above the first message it reads; None for none.

        Without a message it is below all of them.
        """
        shown = words or "", before_id or ""
        if shown != (self._gap_words, self._gap_before):
            self._gap_words, self._gap_before = shown
            self._gap.show_text(shown[0])
            self._lay_out()

    @property
    def has_status(self) -> bool:
        return not self._status.isHidden()

    def show_status(self, text: str) -> None:
        """A line below the last message that says what is being waited for; empty for none."""
        self._status.show_text(text)
        self._status.setVisible(bool(text))
        self._lay_out()

    def show_notice(self, card: ErrorCard | None) -> None:
        """A card below everything; it replaces the one before."""
        if self._notice is not None:
            self._notice.hide()
            self._notice.deleteLater()
        self._notice = card
        if card is not None:
            card.setParent(self._column)
            card.height_changed.connect(self._lay_out)
            card.show()
        self._lay_out()

    def last_answer(self) -> StoredMessage | None:
        return next((m for m in reversed(self._path) if m.role == "assistant" and m.content), None)

    # Scrolling ----------------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._is_following = True
        self._scroll_to_end()

    def scroll_pages(self, pages: float) -> None:
        """Scroll as the Page keys do, for a composer that has the focus."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + int(pages * self.viewport().height() * 0.9))
        self._note_user_scroll()

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event)
        if event.angleDelta().y() > 0 or event.pixelDelta().y() > 0:
            self._is_following = self._is_following and self.verticalScrollBar().maximum() == 0
            self._update_jump()
        else:
            self._note_user_scroll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_End:
            self.follow()
        elif event.key() == Qt.Key.Key_Home:
            bar.setValue(0)
            self._note_user_scroll()
        else:
            super().keyPressEvent(event)
            self._note_user_scroll()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._lay_out()

    def _note_user_scroll(self) -> None:
        bar = self.verticalScrollBar()
        self._is_following = bar.value() >= bar.maximum() - AT_END
        self._update_jump()

    def _on_selected(self) -> None:
        self._is_following = False
        self._update_jump()

    def _on_scrolled(self, value: int) -> None:
        self._update_jump()
        self.scrolled.emit(value > TOP_MARGIN)
        if value < NEAR_TOP and self._first > 0:
            QTimer.singleShot(0, self, self._add_earlier)

    def _scroll_to_end(self) -> None:
        bar: QScrollBar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._update_jump()

    def _update_jump(self) -> None:
        bar = self.verticalScrollBar()
        self._jump.setVisible(not self._is_following and bar.maximum() - bar.value() > 40)

    # Building -----------------------------------------------------------------------------------------------------

    def _new_view(self, message: StoredMessage) -> MessageView:
        view: MessageView
        if message.role == "user":
            view = UserMessageView(message, self._column)
            view.answer_clicked.connect(self.regenerate_clicked)
        else:
            view = AnswerView(message, self._column)
            view.regenerate_clicked.connect(self.regenerate_clicked)
            view.compare_clicked.connect(self.compare_clicked)
            view.version_chosen.connect(self.version_chosen)
        view.acted.connect(self.acted)
        view.height_changed.connect(self._lay_out)
        view.link_activated.connect(self.link_activated)
        view.selected.connect(self._on_selected)
        view.show()
        return view

    def _add_earlier(self) -> None:
        """Build one more page above; what is in sight stays where it is."""
        if self._first == 0 or self.verticalScrollBar().value() >= NEAR_TOP:
            return
        start = max(0, self._first - PAGE)
        before = self._column.height()
        self._views = [self._new_view(message) for message in self._path[start : self._first]] + self._views
        self._first = start
        self._place_views()
        self._lay_out()
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self._column.height() - before)

    def _place_views(self) -> None:
        for view in self._views:
            is_last = bool(self._path) and view.message.id == self._path[-1].id
            if isinstance(view, AnswerView):
                view.place(
                    is_last=is_last,
                    versions=[m.id for m in self._versions(view.message)],
                    show_stats=self._show_stats,
                    card_actions=self._error_actions(view.message),
                    can_compare=self._can_compare,
                )
            elif isinstance(view, UserMessageView):
                view.place(is_unanswered=is_last and self._is_idle)

    def _drop(self, views: list[MessageView]) -> None:
        for view in views:
            view.hide()
            view.deleteLater()

    def _view_of(self, message_id: str) -> MessageView | None:
        return next((view for view in reversed(self._views) if view.message.id == message_id), None)

    # Layout -------------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        if self._is_laying_out:
            return
        self._is_laying_out = True
        try:
            self._place_everything()
        finally:
            self._is_laying_out = False

    def _place_everything(self) -> None:
        viewport = self.viewport().size()
        # Measured without the scroll bar, so that nothing moves when it comes.
        width = max(120, min(COLUMN_WIDTH, self.width() - 2 * SIDE_MARGIN))
        left = (self.width() - width) // 2
        anchor = self._anchor()
        y = TOP_MARGIN
        self._gap.hide()
        for view in self._views:
            if view.message.id == self._gap_before:
                y += self._place_gap(left, y, width)
            height = view.fit(width)
            view.setGeometry(left, y, width, height)
            y += height + (GAP_AFTER_QUESTION if view.message.role == "user" else GAP_AFTER_ANSWER)
        if not self._gap_before:
            y += self._place_gap(left, y, width)
        if not self._status.isHidden():
            self._status.setGeometry(left, y, width, self._status.fit(width))
            y += self._status.height() + GAP_AFTER_ANSWER
        if self._notice is not None:
            height = self._notice.fit(width)
            self._notice.setGeometry(left, y, width, height)
            y += height + GAP_AFTER_ANSWER
        self._column.resize(viewport.width(), max(y - GAP_AFTER_ANSWER + BOTTOM_MARGIN, viewport.height()))
        if self._is_following:
            self._scroll_to_end()
        elif anchor is not None:
            view, offset = anchor
            self.verticalScrollBar().setValue(view.y() - offset)
        self._jump.move((self.width() - self._jump.width()) // 2, self.height() - self._jump.height() - 14)
        self._update_jump()

    def _place_gap(self, left: int, y: int, width: int) -> int:
        """The height of the line, where there is one."""
        if not self._gap_words:
            return 0
        height = self._gap.fit(width)
        self._gap.setGeometry(left, y, width, height)
        self._gap.show()
        return height + GAP_AFTER_QUESTION

    def _anchor(self) -> tuple[MessageView, int] | None:
        """The first view in sight and where its top is, so that it can be put back there."""
        top = self.verticalScrollBar().value()
        for view in self._views:
            if view.geometry().bottom() >= top and view.height() > 0:
                return view, view.y() - top
        return None
