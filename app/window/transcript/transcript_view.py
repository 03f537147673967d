"""The transcript: the messages of the path that is shown, scrolled.

Owns scrolling: the view follows a growing answer only while the person is at its end; a wheel, a key, a drag or a
selection stops that at once, and layout growing by itself never does. Owns which messages are built: a window of pages
around what is in sight, moved as one scrolls or jumps; where they stand is app/window/transcript/message_column.py's.
What buttons in messages mean is decided by whoever listens.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QMetaMethod, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.chat.records import StoredMessage
from app.window.error_card import Action, ErrorCard
from app.window.icons import IconButton
from app.window.transcript.answer_footer import CONTINUE, DELETE, DETAILS, EDIT, FORK, VERSIONS, Place
from app.window.transcript.answer_view import AnswerView
from app.window.transcript.finding import Finder
from app.window.transcript.formula_renderer import FormulaRenderer
from app.window.transcript.message_column import TOP_MARGIN, MessageColumn
from app.window.transcript.message_view import MessageView, UserMessageView
from app.window.transcript.reading_place import ReadingPlace, edge_for, place_at
from app.window.transcript.selection import TextPart, TranscriptSelection
from app.window.transcript.shared import Shared
from app.window.transcript.whole_text import whole_text

PAGE = 30  # messages that are built around what is in sight
BATCH = 4  # of these, what is built without a pause
MAX_BUILT = 120  # beyond this the far end is taken down again
NEAR_EDGE = 400  # pixels from the edge of what is built at which more is added
AT_END = 6  # pixels from the end that still count as the end
HIT_MARGIN = 120  # pixels above a message or a hit that is gone to

Versions = Callable[[StoredMessage], Sequence[StoredMessage]]
ErrorActions = Callable[[StoredMessage], tuple[Action, ...]]


class TranscriptView(QScrollArea):
    """Signals of buttons name the message they belong to by its id."""

    link_activated = Signal(str)
    regenerate_clicked = Signal(str)
    """Another version of this answer is wanted, or an answer to this message of the user's."""

    versions_clicked = Signal(str)
    """Several more versions of this answer are wanted."""

    edit_submitted = Signal(str, str)
    """This text is to stand in the place of a message of the user's."""

    continue_clicked = Signal(str)
    fork_clicked = Signal(str)
    delete_version_clicked = Signal(str)
    details_clicked = Signal(str)
    compare_clicked = Signal(str)
    """The answer that is to be given exactly and by a tier."""

    version_chosen = Signal(str)
    file_opened = Signal(object)
    """An AttachedFile of a message."""

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
        self._reading: ReadingPlace | None = None
        self._finder = Finder()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Conversation"))
        self.viewport().setAutoFillBackground(False)
        self._column = MessageColumn(self)
        self.setWidget(self._column)
        formulas = FormulaRenderer()  # not a child: Qt would destroy its process while that runs
        self.destroyed.connect(formulas.shut_down)
        self.selection = TranscriptSelection(self, lambda: self._views, self._whole_text)
        self._shared = Shared(formulas, self.selection)
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
        """Of the messages that are built."""
        return list(self._views)

    @property
    def formulas(self) -> FormulaRenderer:
        return self._shared.formulas

    def show_path(self, path: Sequence[StoredMessage], *, show_stats: bool) -> None:
        """Show these messages; views of messages that stay are kept."""
        self._show_stats = show_stats
        was_latest = self._is_latest
        self._path = list(path)
        ids = [message.id for message in self._path[self._first : self._first + len(self._views)]]
        pairs = zip(self._views, ids, strict=False)
        kept = next((n for n, (view, i) in enumerate(pairs) if view.message.id != i), min(len(self._views), len(ids)))
        if kept == 0:
            self._is_following = True
            self._show_latest()
        else:
            is_changed = was_latest or kept < len(self._views)
            self._show_window(self._first, len(self._path) if is_changed else self._first + kept)

    def grow(self, message: StoredMessage, text: str) -> None:
        """Show the message, to which this text has been added."""
        self._note(message)
        view = self._view_of(message.id)
        if isinstance(view, AnswerView):
            view.grow(message)

    def update_answer(self, message: StoredMessage) -> None:
        self._note(message)
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

    @property
    def has_status(self) -> bool:
        return not self._column.status.isHidden()

    def show_status(self, text: str) -> None:
        """A line below the last message that says what is being waited for; empty for none."""
        self._column.show_status(text)
        self._lay_out()

    def show_gap(self, words: str | None, before_id: str | None = None) -> None:
        """A line that says what the model does not read, above the first message it reads; None for none.

        Without a message it is below all of them.
        """
        if self._column.show_gap(words or "", before_id or ""):
            self._lay_out()

    def show_notice(self, card: ErrorCard | None) -> None:
        """A card below everything; it replaces the one before."""
        self._column.show_notice(card, self._lay_out)
        self._lay_out()

    def last_answer(self) -> StoredMessage | None:
        return next((m for m in reversed(self._path) if m.role == "assistant" and m.content), None)

    # Finding ------------------------------------------------------------------------------------------------------

    def find(self, text: str) -> int:  # type: ignore[override]  # hides a function of Qt's for handles of windows
        """Mark every place of these words; how many there are in the whole conversation."""
        self._finder.look_for(text, self._path)
        self._mark_hits()
        return len(self._finder.hits)

    @property
    def n_in_files(self) -> int:
        """How many places of these words are in files, where they are not marked."""
        return self._finder.n_in_files

    def show_hit(self, index: int) -> None:
        """Go to one of the places that were found, from 0."""
        hit = self._finder.hits[index]
        self.seek(hit.message_id)
        view = self._view_of(hit.message_id)
        found = self._finder.choose(hit, view.parts()) if view is not None else None
        if found is not None:
            self._mark_hits()
            self._go_to(*found)

    def clear_find(self) -> None:
        self.find("")

    def seek(self, message_id: str) -> None:
        """Go to a message."""
        at = next((n for n, message in enumerate(self._path) if message.id == message_id), None)
        if at is None:
            return
        self._is_following = False
        if not self._first <= at < self._end:
            first = max(0, at - PAGE // 2)
            self._show_window(first, min(len(self._path), first + PAGE))
        view = self._view_of(message_id)
        if view is not None:
            self.verticalScrollBar().setValue(view.y() - HIT_MARGIN)
            self._note_user_scroll()

    def _go_to(self, part: TextPart, place: QTextCursor) -> None:
        rect = part.editor.cursorRect(place)
        y = part.editor.viewport().mapTo(self._column, rect.topLeft()).y()
        bar = self.verticalScrollBar()
        if not bar.value() <= y <= bar.value() + self.viewport().height() - HIT_MARGIN:
            bar.setValue(y - HIT_MARGIN)
        self._note_user_scroll()

    def _mark_hits(self) -> None:
        self._finder.mark([part for view in self._views for part in view.parts()], self.palette())

    # Scrolling ----------------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._is_following = True
        if not self._is_latest:
            self._show_latest()
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
        if self.selection.on_key(event):
            return
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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            QTimer.singleShot(0, self, self._refit)

    def _refit(self) -> None:
        for view in self._views:
            view.forget_fit()
        self._lay_out()

    def _note_user_scroll(self) -> None:
        bar = self.verticalScrollBar()
        self._is_following = self._is_latest and bar.value() >= bar.maximum() - AT_END
        self._update_jump()

    def _on_selected(self) -> None:
        if self.selection.is_some:
            self._stop_following()
        else:
            self._note_user_scroll()

    def _stop_following(self) -> None:
        self._is_following = False
        self._update_jump()

    def _on_scrolled(self, value: int) -> None:
        self._update_jump()
        if not self._is_laying_out:
            self._reading = place_at(self._views, self._column, value)
        self.scrolled.emit(value > TOP_MARGIN)
        if (value < NEAR_EDGE and self._first > 0) or (self._is_near_end(value) and not self._is_latest):
            QTimer.singleShot(0, self, self._add_page)

    def _is_near_end(self, value: int) -> bool:
        return value > self.verticalScrollBar().maximum() - NEAR_EDGE

    def _scroll_to_end(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())
        self._update_jump()

    def _update_jump(self) -> None:
        bar = self.verticalScrollBar()
        is_far = not self._is_latest or bar.maximum() - bar.value() > 40
        self._jump.setVisible(not self._is_following and is_far)

    # Building -----------------------------------------------------------------------------------------------------

    @property
    def _end(self) -> int:
        """Where in the path what is built ends."""
        return self._first + len(self._views)

    @property
    def _is_latest(self) -> bool:
        return self._end >= len(self._path)

    def _add_page(self) -> None:
        """Build one more page at the edge that is near; what is in sight stays where it is."""
        value = self.verticalScrollBar().value()
        if value < NEAR_EDGE and self._first > 0:
            first = max(0, self._first - PAGE)
            self._show_window(first, min(self._end, first + MAX_BUILT))
        elif self._is_near_end(value) and not self._is_latest:
            end = min(len(self._path), self._end + PAGE)
            self._show_window(max(self._first, end - MAX_BUILT), end)

    def _show_latest(self) -> None:
        """Build what is in sight at the end, and the rest of the page bit by bit afterwards."""
        end = first = len(self._path)
        while True:
            first = max(0, first - BATCH)
            self._show_window(first, end)
            if first == 0 or not self._views or self._views[-1].geometry().bottom() > 1.2 * self.viewport().height():
                break
        QTimer.singleShot(0, self, self._fill_page)

    def _fill_page(self) -> None:
        if self._is_latest and self._first > 0 and len(self._views) < PAGE:
            self._show_window(max(0, self._first - BATCH, self._end - PAGE), self._end)
            QTimer.singleShot(0, self, self._fill_page)

    def _show_window(self, first: int, end: int) -> None:
        """Build these messages of the path, and no others; views that are there already are kept."""
        anchor = self._anchor()
        there = {view.message.id: view for view in self._views}
        self._first = first
        self._views = [there.pop(m.id) if m.id in there else self._new_view(m) for m in self._path[first:end]]
        self._take_down(list(there.values()))
        self._place_views(anchor)
        if self._finder.words:
            self._mark_hits()

    def _take_down(self, views: Sequence[MessageView]) -> None:
        focus = self.focusWidget()
        if any(view.isAncestorOf(focus) for view in views if focus is not None):
            self.setFocus()  # else Qt gives the focus to the next message, and scrolls there
        for view in views:
            view.hide()
            view.deleteLater()

    def _new_view(self, message: StoredMessage) -> MessageView:
        view: MessageView
        if message.role == "user":
            view = UserMessageView(message, self._column, self._shared)
            view.answer_clicked.connect(self.regenerate_clicked)
            view.edit_submitted.connect(self.edit_submitted)
            view.file_opened.connect(self.file_opened)
        else:
            view = AnswerView(message, self._column, self._shared)
            view.regenerate_clicked.connect(self.regenerate_clicked)
            view.versions_clicked.connect(self.versions_clicked)
            view.continue_clicked.connect(self.continue_clicked)
            view.details_clicked.connect(self.details_clicked)
            view.compare_clicked.connect(self.compare_clicked)
        view.version_chosen.connect(self.version_chosen)
        view.fork_clicked.connect(self.fork_clicked)
        view.delete_version_clicked.connect(self.delete_version_clicked)
        view.acted.connect(self.acted)
        view.height_changed.connect(self._lay_out)
        view.link_activated.connect(self.link_activated)
        view.selected.connect(self._on_selected)
        view.looked_into.connect(self._stop_following)
        view.show()
        return view

    def _place_views(self, anchor: tuple[MessageView, int] | None = None) -> None:
        """Tell messages of what is around them, and lay out once."""
        was_laying_out, self._is_laying_out = self._is_laying_out, True
        try:
            self._tell_views()
        finally:
            self._is_laying_out = was_laying_out
        self._lay_out(anchor)

    def _tell_views(self) -> None:
        offers = self._offers()
        for view in self._views:
            place = Place(
                is_last=bool(self._path) and view.message.id == self._path[-1].id,
                versions=tuple(m.id for m in self._versions(view.message)),
                show_stats=self._show_stats,
                is_idle=self._is_idle,
                can_compare=self._can_compare,
                offers=offers,
            )
            if isinstance(view, AnswerView):
                view.place(place, self._error_actions(view.message))
            elif isinstance(view, UserMessageView):
                view.place(place)

    def _offers(self) -> frozenset[str]:
        """What somebody listens to."""
        signals: dict[str, SignalInstance] = {
            EDIT: self.edit_submitted,
            CONTINUE: self.continue_clicked,
            FORK: self.fork_clicked,
            DELETE: self.delete_version_clicked,
            DETAILS: self.details_clicked,
            VERSIONS: self.versions_clicked,
        }
        return frozenset(name for name, s in signals.items() if self.isSignalConnected(QMetaMethod.fromSignal(s)))

    def _note(self, message: StoredMessage) -> None:
        at = next((n for n in range(len(self._path) - 1, -1, -1) if self._path[n].id == message.id), None)
        if at is not None:
            self._path[at] = message

    def _view_of(self, message_id: str) -> MessageView | None:
        return next((view for view in reversed(self._views) if view.message.id == message_id), None)

    def _whole_text(self, as_markdown: bool) -> str:
        return whole_text(self._path, self.tr("You"), self.tr("Answer"), as_markdown=as_markdown)

    # Layout -------------------------------------------------------------------------------------------------------

    def _lay_out(self, anchor: tuple[MessageView, int] | None = None) -> None:
        if self._is_laying_out:
            return
        self._is_laying_out = True
        try:
            self._place_everything(anchor or self._anchor())
        finally:
            self._is_laying_out = False

    def _place_everything(self, anchor: tuple[MessageView, int] | None) -> None:
        self._column.place(self._views, self.width(), self.viewport().size())
        if self._is_following:
            self._scroll_to_end()
        elif (edge := edge_for(self._reading, self._views, self._column)) is not None:
            self.verticalScrollBar().setValue(edge)
        elif anchor is not None:
            view, offset = anchor
            self.verticalScrollBar().setValue(view.y() - offset)
        self._jump.move((self.width() - self._jump.width()) // 2, self.height() - self._jump.height() - 14)
        self._update_jump()

    def _anchor(self) -> tuple[MessageView, int] | None:
        """The first view in sight and where its top is, so that it can be put back there."""
        top = self.verticalScrollBar().value()
        for view in self._views:
            if view.geometry().bottom() >= top and view.height() > 0:
                return view, view.y() - top
        return None
