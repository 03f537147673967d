"""Search in all conversations, beside the window's thread: the latest query counts, results come page by page.

Owns the thread and its own connection, which only reads. Knows no widget.
"""

import queue
import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal

from app.chat.chats import Chats
from app.chat.database import Database
from app.chat.search import SearchCursor, SearchHit, SearchPage, search
from app.chat.store_errors import StoreError
from app.error_text import ErrorText, describe_store_error
from app.window.wording import translate

PAGE = 40


@dataclass(frozen=True, slots=True)
class _Asked:
    number: int
    query: str
    after: SearchCursor | None


class ConversationSearch(QObject):
    changed = Signal()
    """`hits`, `is_running` or `error` are others than before."""

    _arrived = Signal(int, object)

    def __init__(self, chats: Chats, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats = chats
        self._number = 0
        self._following: SearchCursor | None = None
        self._queue: queue.SimpleQueue[_Asked | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.query = ""
        self.hits: tuple[SearchHit, ...] = ()
        self.is_running = False
        self.error: ErrorText | None = None
        self._arrived.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def has_more(self) -> bool:
        return self._following is not None

    def look_for(self, query: str) -> None:
        """Begin anew; hits of what was looked for before stay until the new ones are there."""
        self.query = query
        self._following = None
        if query.strip():
            self._ask(None)
        else:
            self._number += 1
            self.hits, self.is_running, self.error = (), False, None
            self.changed.emit()

    def look_further(self) -> None:
        """The next page of the same, if there is one."""
        if self._following is not None and not self.is_running:
            self._ask(self._following)

    def close(self) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _ask(self, after: SearchCursor | None) -> None:
        self._number += 1
        self.is_running = True
        asked = _Asked(self._number, self.query, after)
        if self._chats.database.path is None:  # what is in memory has one connection, which is this thread's
            self._arrived.emit(asked.number, _answered(self._chats.database, asked))
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, args=(self._chats.database.path,), name="search")
            self._thread.start()
        self._queue.put(asked)
        self.changed.emit()

    def _take(self, number: int, answer: object) -> None:
        if number != self._number:
            return
        self.is_running = False
        if isinstance(answer, SearchPage):
            is_further = self._following is not None
            self.hits = (*self.hits, *answer.hits) if is_further else answer.hits
            self._following, self.error = answer.following, None
        elif isinstance(answer, StoreError):
            self.error = describe_store_error(answer, translate)
        self.changed.emit()

    def _run(self, path: Path) -> None:
        """On the thread of the search: what was asked last, until None comes."""
        database: Database | None = None
        try:
            while (asked := _latest(self._queue)) is not None:
                try:
                    database = database or Database(path, is_read_only=True)
                except StoreError as error:
                    self._arrived.emit(asked.number, error)
                    continue
                self._arrived.emit(asked.number, _answered(database, asked))
        finally:
            if database is not None:
                database.close()


def _latest(asked: "queue.SimpleQueue[_Asked | None]") -> _Asked | None:
    """Waits for a question; of several that wait, the newest, and None as soon as there is one."""
    found = asked.get()
    while found is not None and not asked.empty():
        found = asked.get()
    return found


def _answered(database: Database, asked: _Asked) -> SearchPage | StoreError:
    try:
        return search(database, asked.query, PAGE, asked.after)
    except StoreError as error:
        return error
