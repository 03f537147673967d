"""Conversations out to files and in from them, one file after another, without holding up the window.

Files are read, and written, on a thread of their own; what comes in goes into the database in slices between two events
of the window, conversation by conversation, since there is one writer. Each is whole or not there, and importing a file
again adds what is missing. Knows no widget.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.chat.chats import Chats
from app.chat.checked_json import ImportRefused
from app.chat.database import Database
from app.chat.exchange import ExportChoice, export_conversations
from app.chat.exchange_words import describe_refusal
from app.chat.imports import ImportReport, ReadConversations, insert_read, read_conversations
from app.chat.records import StoredConversation, UnknownRecord
from app.chat.store_errors import StoreError
from app.error_text import ErrorText, describe_store_error
from app.language import in_a_row
from app.window.wording import translate

SLICE_S = 0.012
"""For writing what is imported, between two events of the window."""


@dataclass(frozen=True, slots=True)
class Exported:
    path: Path
    n_conversations: int


@dataclass(frozen=True, slots=True)
class Imported:
    path: Path
    report: ImportReport


@dataclass(slots=True)
class _Writing:
    """A file that was read and is being written into the database."""

    path: Path
    read: ReadConversations
    n_done: int
    report: ImportReport


class _Cancelled(Exception):
    pass


class ExchangeControl(QObject):
    changed = Signal()
    """What is under way, or how far it is, is other than before."""

    exported = Signal(object)
    imported = Signal(object)
    failed = Signal(object)
    """An ErrorText."""

    _done = Signal(object)
    _advanced = Signal(int, int)

    def __init__(self, chats: Chats, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats = chats
        self._thread: threading.Thread | None = None
        self._is_cancelled = threading.Event()
        self._waiting: deque[Callable[[], object]] = deque()
        self._writing: _Writing | None = None
        self.progress: tuple[int, int] | None = None
        """How many of how many; None while nothing is under way."""
        self._slice = QTimer(self)
        self._slice.setInterval(0)
        self._slice.timeout.connect(self._write_some)
        self._done.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._advanced.connect(self._advance, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        return self._thread is not None or self._writing is not None

    def import_files(self, paths: Iterable[Path]) -> None:
        for path in paths:
            self._begin(lambda p=path: _read(p))  # type: ignore[misc]

    def export(self, conversations: Sequence[StoredConversation | str], choice: ExportChoice, path: Path) -> None:
        """Conversations, or the ids of stored ones, which are then read beside the window."""
        folders, store = self._chats.folders(), self._chats.database.path
        if store is None:
            conversations = [self._chats.load(c) if isinstance(c, str) else c for c in conversations]

        def write() -> object:
            n = len(conversations)
            try:
                export_conversations(_loaded(store, conversations), n, folders, choice, path, self._told(n))
            except StoreError as error:
                return describe_store_error(error, translate)
            return Exported(path, n)

        self._begin(write)

    def cancel(self) -> None:
        """Stop what is under way, and forget what waits; conversations that are in already stay."""
        self._waiting.clear()
        self._is_cancelled.set()
        if self._writing is not None:
            self._end_import()

    def close(self) -> None:
        self.cancel()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    # The thread ---------------------------------------------------------------------------------------------------

    def _begin(self, work: Callable[[], object]) -> None:
        self._waiting.append(work)
        self._next()

    def _next(self) -> None:
        if self.is_busy or not self._waiting:
            return
        work = self._waiting.popleft()
        self._is_cancelled.clear()
        self.progress = (0, 0)
        self._thread = threading.Thread(target=self._run, args=(work,), name="chat-exchange")
        self._thread.start()
        self.changed.emit()

    def _run(self, work: Callable[[], object]) -> None:
        try:
            outcome = work()
        except _Cancelled:
            outcome = None
        self._done.emit(outcome)

    def _told(self, total: int) -> Callable[[int], None]:
        last = [0.0]

        def tell(done: int) -> None:
            if self._is_cancelled.is_set():
                raise _Cancelled
            if time.monotonic() - last[0] > 0.05:
                last[0] = time.monotonic()
                self._advanced.emit(done, total)

        return tell

    def _advance(self, done: int, total: int) -> None:
        if self._thread is not None:
            self.progress = (done, total)
            self.changed.emit()

    def _take(self, outcome: object) -> None:
        if self._thread is None:
            return
        self._thread.join()
        self._thread = None
        self.progress = None
        if isinstance(outcome, tuple) and not self._is_cancelled.is_set():
            path, read = outcome
            report = ImportReport(read.source, 0, 0, 0, read.n_left_out)
            self._writing = _Writing(path, read, 0, report)
            self._slice.start()
        elif isinstance(outcome, ErrorText):
            self.failed.emit(outcome)
        elif isinstance(outcome, Exported):
            self.exported.emit(outcome)
        self.changed.emit()
        self._next()

    # Writing what came in -----------------------------------------------------------------------------------------

    def _write_some(self) -> None:
        writing = self._writing
        if writing is None:
            self._slice.stop()
            return
        read, total = writing.read, len(writing.read.conversations)
        end = time.monotonic() + SLICE_S
        try:
            while writing.n_done < total and time.monotonic() < end:
                conversation = read.conversations[writing.n_done]
                folders = read.folders if writing.n_done == 0 else ()
                with self._chats.database.writing(is_lasting=writing.n_done == total - 1) as db:
                    part = insert_read(db, replace(read, conversations=(conversation,), folders=folders))
                writing.n_done += 1
                writing.report = _sum(writing.report, part)
        except StoreError as error:
            self._fail_import(error)
            return
        self.progress = (writing.n_done, total)
        self.changed.emit()
        if writing.n_done >= total:
            self._end_import()

    def _end_import(self) -> None:
        writing, self._writing = self._writing, None
        self._slice.stop()
        self.progress = None
        if writing is not None:
            self.imported.emit(Imported(writing.path, writing.report))
        self.changed.emit()
        self._next()

    def _fail_import(self, error: StoreError) -> None:
        writing, self._writing = self._writing, None
        self._slice.stop()
        self.progress = None
        text = describe_store_error(error, translate)
        if writing is not None and writing.n_done:
            kept = translate(
                "{n_done} of {n_all} conversations came in before. Import the file again for the rest: none is doubled."
            ).format(n_done=writing.n_done, n_all=len(writing.read.conversations))
            text = ErrorText(text.cause, in_a_row(text.action, kept))
            self.imported.emit(Imported(writing.path, writing.report))
        self.failed.emit(text)
        self.changed.emit()
        self._next()


def _read(path: Path) -> object:
    """The path and what is in it, or why it is refused, in words."""
    try:
        return path, read_conversations(path)
    except ImportRefused as refused:
        return describe_refusal(refused, translate)


def _loaded(store: Path | None, conversations: Sequence[StoredConversation | str]) -> Iterator[StoredConversation]:
    """Those that are named are read one by one over a connection of this thread's; one that is gone is left out."""
    chats: Chats | None = None
    try:
        for each in conversations:
            if not isinstance(each, str):
                yield each
                continue
            chats = chats or Chats(Database(store, is_read_only=True))
            try:
                yield chats.load(each)
            except UnknownRecord:
                continue
    finally:
        if chats is not None:
            chats.database.close()


def _sum(report: ImportReport, part: ImportReport) -> ImportReport:
    return replace(
        report,
        n_conversations=report.n_conversations + part.n_conversations,
        n_messages=report.n_messages + part.n_messages,
        n_present=report.n_present + part.n_present,
        new_ids=report.new_ids + part.new_ids,
    )
