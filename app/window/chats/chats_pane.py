"""The conversations in the sidebar: a field to search them, their list, and what a search has found in its place.

Assembles and connects; what is asked for is decided by whoever listens.
"""

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from app.chat.search import SearchHit
from app.window.chats.list_rows import Row
from app.window.chats.search_results import SearchResults
from app.window.conversation_list import ConversationList
from app.window.escape import ClosedByEscape
from app.window.icons import FieldIcon, IconButton
from app.window.labels import MutedLabel, name_tools

TYPING_MS = 120  # after the last key, before a search begins
MAX_QUERY = 300


class ChatsPane(QWidget):
    query_changed = Signal(str)
    hit_opened = Signal(object)
    """A SearchHit."""

    more_hits_wanted = Signal()
    files_dropped = Signal(list)
    """Paths of files and folders that may hold conversations."""

    more_asked = Signal(QPoint)
    """What can be done with conversations as a whole; where the menu is to be, on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptDrops(True)
        self.list = ConversationList(self)
        self.results = SearchResults(self)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Search conversations"))
        self.field.setAccessibleName(self.tr("Search conversations"))
        self.field.setToolTip(self.tr("All words must be found; “words in quotes” as they stand (Ctrl+Shift+F)"))
        self.field.setClearButtonEnabled(True)
        self.field.setMaxLength(MAX_QUERY)
        FieldIcon("search", self.field)
        name_tools(self.field)
        self.field.installEventFilter(self)
        ClosedByEscape(self, lambda: bool(self.field.text()), self.leave_search)
        self._more = IconButton("more", self.tr("Folders, import, export, trash"), self)
        self._more.clicked.connect(lambda: self.more_asked.emit(self._more.mapToGlobal(self._more.rect().bottomLeft())))
        self._words = MutedLabel("", self)
        self._words.setContentsMargins(10, 4, 10, 2)
        self._words.hide()
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.list)
        self._stack.addWidget(self.results)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self._search)
        self._found: str | None = None  # the query whose hits are shown, once all of its first page is there
        self._opens_first = False  # Return was pressed before that
        self.field.textChanged.connect(self._on_typed)
        self.field.returnPressed.connect(self._open_first)
        self.results.opened.connect(self.hit_opened)
        self.results.more_wanted.connect(self.more_hits_wanted)
        self.results.left_upwards.connect(self.field.setFocus)
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.field, 1)
        head.addWidget(self._more)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addLayout(head)
        box.addWidget(self._words)
        box.addWidget(self._stack, 1)

    # What is shown ------------------------------------------------------------------------------------------------

    def show_rows(self, rows: list[Row], current: str, busy: frozenset[str]) -> None:
        self.list.show_rows(rows, current, busy)
        if not self.field.text().strip():
            self._say("" if rows else self.tr("Your conversations will appear here."))

    def show_hits(self, query: str, hits: tuple[SearchHit, ...], *, is_running: bool, problem: str = "") -> None:
        """What was found for a query that may have been left meanwhile."""
        if not self.field.text().strip() or query != self.field.text():
            return
        self._stack.setCurrentWidget(self.results)
        self._found = None if is_running or problem else query
        if is_running and not hits:
            self._say(self.tr("Searching…"))
            return
        self.results.show_hits(hits)
        if self._opens_first and not is_running:
            self._opens_first = False
            if not problem:
                self.results.open_first()
        nothing = self.tr("No conversation contains this.")
        self._say(problem or ("" if hits else nothing))

    def search(self) -> None:
        """Let a person look for something."""
        self.field.setFocus()
        self.field.selectAll()

    def leave_search(self) -> None:
        self.field.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = watched is self.field and event.type() == QEvent.Type.KeyPress
        is_down = is_key and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down
        if is_down and self._stack.currentWidget() is self.results:
            self.results.take_focus()
            return True
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _exports_among(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if paths := _exports_among(event):
            event.acceptProposedAction()
            self.files_dropped.emit(paths)

    def _on_typed(self, text: str) -> None:
        self._found, self._opens_first = None, False
        if text.strip():
            self._typing.start()
            return
        self._typing.stop()
        self._stack.setCurrentWidget(self.list)
        self._say("" if self.list.rows.rows else self.tr("Your conversations will appear here."))
        self.query_changed.emit("")

    def _search(self) -> None:
        self.query_changed.emit(self.field.text())

    def _open_first(self) -> None:
        """The best hit there is, now or as soon as it is known."""
        if not self.field.text().strip():
            return
        if self._found == self.field.text():
            self.results.open_first()
            return
        self._opens_first = True
        if self._typing.isActive():
            self._typing.stop()
            self._search()

    def _say(self, words: str) -> None:
        self._words.setText(words)
        self._words.setVisible(bool(words))


def _exports_among(event: QDropEvent) -> list[Path]:
    """Files and folders as exports of conversations are; what is in them is looked at when they are imported."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return [path for path in paths if path.suffix.lower() in (".json", ".jsonl") or (path / "thread.json").exists()]
