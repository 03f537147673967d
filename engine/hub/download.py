"""One download as the queue has it in hand: what it is, where it stands, and its order to be packed.

Holds values and says them; they are changed through the book of all downloads (`download_book.py`).
"""

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from engine.errors import Cancelled, EngineError, ErrorReport
from engine.hub.download_record import DownloadRecord
from engine.hub.transfer.progress import TransferProgress
from engine.hub.transfer.transfer import Transfer
from engine.transfer_reports import DownloadedFile, DownloadReport


class PackKeeper(Protocol):
    """Who is told how an order goes."""

    def wants_packed(self, order: "PackOrder") -> bool: ...
    def note_packing(self, order: "PackOrder", done: int, total: int) -> None: ...
    def note_packed(self, order: "PackOrder", packed: Path, weight_format: str) -> None: ...
    def note_failed(self, order: "PackOrder", error: EngineError) -> None: ...
    def note_put_back(self, order: "PackOrder") -> None: ...


class PackOrder:
    """A source to be packed, and where to say how that went. Its methods may be called from any thread."""

    def __init__(self, keeper: "PackKeeper", record: DownloadRecord, library: Path, source: Path) -> None:
        self._keeper = keeper
        self.download_id = record.download_id
        self.repo = record.repo
        self.library = library
        self.source = source
        self.weight_format = record.weight_format
        self.keeps_source = record.keeps_source

    def check(self) -> None:
        """Raises Cancelled once the download is paused or given up, or the queue is closed."""
        if not self._keeper.wants_packed(self):
            raise Cancelled

    def progress(self, done: int, total: int) -> None:
        """Raises Cancelled as `check` does."""
        self.check()
        self._keeper.note_packing(self, done, total)

    def finish(self, packed: Path, weight_format: str) -> None:
        """The packed file is whole and under its name."""
        self._keeper.note_packed(self, packed, weight_format)

    def fail(self, error: EngineError) -> None:
        self._keeper.note_failed(self, error)

    def put_back(self) -> None:
        """It was not carried out, for no fault of its own: at the next start it is handed over again."""
        self._keeper.note_put_back(self)


class Question(Protocol):
    """Something that is being asked, and can be ended by another thread."""

    def cut(self) -> None: ...


@dataclass
class Download:
    """Changed under the book's lock. `running` is its thread's, `question` and `transfer` what that is doing.

    `not_before` is set while it waits for the hub without a thread, so that others may run; `failures` counts the
    stalls since bytes last came in. `model_bytes` is the size of the packed file, once there is one.
    """

    record: DownloadRecord
    state: str
    held_bytes: int = 0
    error: ErrorReport | None = None
    retry_in_s: float | None = None
    progress: TransferProgress | None = None
    packing: tuple[int, int] = (0, 0)
    model_id: str = ""
    model_bytes: int = 0
    question: Question | None = None
    transfer: Transfer | None = None
    order: PackOrder | None = None
    running: Future[None] | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    is_given_up: bool = False
    waits_for_network: bool = False
    waits_for_drive: bool = False
    not_before: float | None = None
    failures: int = 0

    def report(self, folder: str) -> DownloadReport:
        """As front-ends are told; `folder` is where its files are, empty until that is known."""
        record, progress = self.record, self.progress
        done = progress.done_bytes if progress is not None else self.held_bytes
        size = record.size_bytes
        if self.state == "packing":
            done, size = self.packing
        elif self.state == "ready":
            size = self.model_bytes or size
            done = size or done
        runs = progress is not None and self.state in ("downloading", "stalled-retrying")
        files = progress.files if progress is not None else ()
        return DownloadReport(
            record.download_id,
            record.repo,
            record.revision,
            record.commit,
            self.state,
            done,
            size,
            progress.rate_bytes_s if runs and progress is not None else 0.0,
            progress.left_s if self.state == "downloading" and progress is not None else None,
            self.retry_in_s if self.state == "stalled-retrying" else None,
            self.error,
            record.packs,
            record.keeps_source,
            self.model_id,
            folder,
            "",
            tuple(DownloadedFile(f.path, f.state.value, f.done_bytes, f.size_bytes, f.error) for f in files),
        )
