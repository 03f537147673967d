"""One file on its way: its state, and the tasks that bring it further.

Connections ask for a task, perform it, and ask again: resolve the file, fetch a segment of it, verify it. Any number of
segments are fetched at once, and beside them the digest follows what has arrived; the other tasks are done alone. A
failure that may pass is kept with the time of the next attempt; any other ends the file. Knows nothing of threads'
lives, of other files or of the drive: see `transfer.py`.
"""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.errors import (
    DownloadMismatch,
    EngineError,
    HubAnswerUnusable,
    HubBusy,
    HubUnreachable,
    NetworkSwitchedOff,
    NotOnHub,
    TransferStalled,
)
from engine.hub.transfer.backoff import delay_s
from engine.hub.transfer.fetching import Contradiction, RangesIgnored, Source, fetch_segment
from engine.hub.transfer.journal import Identity, read_journal
from engine.hub.transfer.line import Line
from engine.hub.transfer.part_file import FileLock, disk_errors
from engine.hub.transfer.partial_file import PartialFile
from engine.hub.transfer.progress import Clock, FileProgress, TransferState, moved
from engine.hub.transfer.request import WORK_FOLDER, FileWanted, place_in
from engine.hub.transfer.resolving import AskedToWait, Hub, LinkRefused, ResolvedFile, resolve
from engine.hub.transfer.segments import Segment
from engine.hub.transfer.verify import RunningDigest, SecondReading, digest_kind, read_back

_PATIENCE = 3  # with answers that contradict the hub's description, and with links that are refused when still fresh
_PASSING = (HubUnreachable, HubBusy, TransferStalled, HubAnswerUnusable, NetworkSwitchedOff)


class Interrupted(Exception):
    """The transfer stops; what has arrived is kept."""


class _Superseded(Exception):
    """Another connection found that the file may have changed; this one stops, and the hub is asked."""


@dataclass(frozen=True, slots=True)
class Resolve:
    """To ask the hub what the file is and where it lies."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """To fetch a segment."""

    source: Source
    segment: Segment


@dataclass(frozen=True, slots=True)
class Verify:
    """To read a whole file back: the partial one, or one that stood at its place before."""

    file: ResolvedFile
    partial: PartialFile
    at_target: bool


@dataclass(frozen=True, slots=True)
class Advance:
    """To carry the digest of a partial file on over what is there of it, while the rest is fetched."""

    partial: PartialFile
    digest: RunningDigest
    up_to: int


Task = Resolve | Fetch | Verify | Advance


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a file needs of its transfer.

    `random` gives numbers in [0, 1). `received` is told of bytes as they come; it may hold their connection back, and
    raises Interrupted once `stopping` is set.
    """

    hub: Hub
    repo: str
    folder: Path
    block_bytes: int
    segment_bytes: int
    clock: Clock
    random: Callable[[], float]
    stopping: threading.Event
    received: Callable[[int], None]


class FileTransfer:
    """A file of a transfer. `next_task`, `perform` and `progress` are safe to call from several threads."""

    def __init__(self, wanted: FileWanted, around: Surroundings) -> None:
        """Raises UnsafeName."""
        self.wanted = wanted
        self.state = TransferState.QUEUED
        self.failure: EngineError | None = None
        self._around = around
        self._target = place_in(around.folder, wanted.path)
        name = hashlib.sha256(wanted.path.encode()).hexdigest()[:32]
        work = around.folder / WORK_FOLDER
        self._part, self._journal, self._lock_file = (work / f"{name}.{kind}" for kind in ("part", "journal", "lock"))
        self._lock = threading.Lock()
        self._owned: FileLock | None = None
        self._partial: PartialFile | None = None
        self._file: ResolvedFile | None = None
        self._link_is_good = False
        self._check_target = False
        self._takes_ranges = True
        self._digest: RunningDigest | None = None
        self._is_advancing = False
        self._second_reading: SecondReading | None = None
        self._found_digest = ""
        self._active = 0
        self._is_taken = False  # by a task that is done alone
        self._failures = 0
        self._contradictions = 0
        self._refused_links = 0
        self._retry_at: float | None = None
        self._held_bytes = 0  # by a former run, while no partial file is open
        self._verified_bytes = 0

    @property
    def is_resolved(self) -> bool:
        return self._file is not None

    @property
    def commit(self) -> str:
        """The commit that the hub named, or an empty string."""
        return self._file.commit if self._file else ""

    @property
    def size_bytes(self) -> int | None:
        return self._file.size_bytes if self._file else self.wanted.size_bytes

    @property
    def missing_bytes(self) -> int:
        """What is still to be written, as far as it is known."""
        with self._lock:
            if self._partial is None or self._check_target:
                return 0
            return self._partial.identity.size_bytes - self._partial.held_bytes

    def open(self) -> None:
        """Take an unfinished file into hand. Raises DownloadInUse, LibraryNotWritable and NoRoomForDownload."""
        if self.state is TransferState.READY:
            return
        self._owned = FileLock(self._lock_file, self.wanted.path)
        self.failure = None
        self._file = None
        self._retry_at = None
        self._failures = self._contradictions = self._refused_links = 0
        self._link_is_good = False
        if kept := read_journal(self._journal):
            self._held_bytes = sum(block.n_bytes for block in kept[1].blocks.values())
        self._move(TransferState.QUEUED)

    def close(self) -> None:
        """Let go of it, with all that was recorded made durable. Raises LibraryNotWritable and NoRoomForDownload."""
        try:
            if self._partial:
                self._partial.sync()
        finally:
            if self._partial:
                self._held_bytes = self._partial.held_bytes
                self._partial.close()
                self._partial = None
            if self._owned:
                self._owned.release()
                self._owned = None

    def halt(self) -> None:
        """No connection works on it any more."""
        with self._lock:
            if self.state not in (TransferState.READY, TransferState.FAILED):
                self.failure = None  # it was that of an attempt, and there is none now
                self._move(TransferState.PAUSED)

    def discard(self) -> None:
        """Delete what has arrived of an unfinished file. Raises DownloadInUse while it is being fetched."""
        with FileLock(self._lock_file, self.wanted.path), disk_errors(self._part):
            self._journal.unlink(missing_ok=True)
            self._part.unlink(missing_ok=True)

    def progress(self) -> FileProgress:
        with self._lock:
            size = self.size_bytes
            done = self._partial.held_bytes if self._partial else self._held_bytes
            if self.state is TransferState.READY and size is not None:
                done = size
            waits = self.state is TransferState.STALLED and self._retry_at is not None
            retry_in_s = max(0.0, (self._retry_at or 0.0) - self._around.clock()) if waits else None
            error = self.failure.report() if self.failure else None
            return FileProgress(self.wanted.path, self.state, done, size, self._verified_bytes, error, retry_in_s)

    def is_due(self) -> bool:
        """Whether the time of the next attempt has come."""
        retry_at = self._retry_at
        return retry_at is not None and self._around.clock() >= retry_at

    def next_task(self, longest_bytes: int, *, may_fetch: bool) -> Task | None:
        """What there is to do for one more connection now, if anything; it must then be performed."""
        with self._lock:
            if self._is_taken or self.state in (TransferState.READY, TransferState.FAILED):
                return None
            if self._retry_at is not None:
                if not self.is_due():
                    return None
                self._retry_at = None
            task = self._choose(longest_bytes, may_fetch)
            if task is not None:
                self._active += 1
            return task

    def perform(self, task: Task, line: Line, revision: str) -> float | None:
        """Do a task. Returns for how many seconds the server asks to be left alone, or None.

        A failure becomes the file's state; exceptions other than the engine's own are faults of ours and pass.
        """
        wait_s = None
        try:
            match task:
                case Resolve():
                    self._resolve(line, revision)
                case Fetch(source, segment):
                    fetch_segment(line, source, segment, self._on_received, self._note_progress)
                case Verify(file, partial, at_target):
                    self._verify(file, partial, at_target=at_target)
                case Advance(partial, digest, up_to):
                    digest.read(partial.path, up_to, self._on_verified)
        except AskedToWait as asked:
            wait_s = asked.wait_s
            self._note_failure(asked.error, wait_s)
        except EngineError as error:
            self._note_failure(error, None)
        except LinkRefused as refused:
            self._note_refused_link(refused)
        except Contradiction as found:
            self._note_contradiction(found)
        except RangesIgnored:
            self._takes_ranges = False  # one connection reads from the beginning then, and skips what is held
        except (Interrupted, _Superseded):
            pass
        finally:
            with self._lock:
                self._leave(task)
        return wait_s

    # what to do next

    def _choose(self, longest_bytes: int, may_fetch: bool) -> Task | None:
        file, partial = self._file, self._partial
        if file is None or partial is None or not self._link_is_good:
            return self._alone(TransferState.RESOLVING, Resolve())
        if not may_fetch:
            return None
        if self._check_target or partial.is_complete:
            return self._alone(TransferState.VERIFYING, Verify(file, partial, self._check_target))
        if (advance := self._advance(file, partial)) is not None:
            return advance
        if self._active and not self._takes_ranges:
            return None
        longest_bytes = min(longest_bytes, self._around.segment_bytes) if self._takes_ranges else file.size_bytes
        segment = partial.claim(longest_bytes)
        if segment is None:
            return None
        self._move(TransferState.DOWNLOADING)
        return Fetch(Source(self._around.hub, self._around.repo, file, partial, self._takes_ranges), segment)

    def _advance(self, file: ResolvedFile, partial: PartialFile) -> Task | None:
        """The digest's next part, once that is long enough to be worth it, and short enough to be soon done."""
        digest = self._digest = self._digest or RunningDigest(file.size_bytes, file.etag)
        step = self._around.segment_bytes
        if self._is_advancing or partial.prefix_bytes - digest.n_bytes < step:
            return None
        self._is_advancing = True
        self._move(TransferState.DOWNLOADING)
        return Advance(partial, digest, digest.n_bytes + step)

    def _alone(self, state: TransferState, task: Task) -> Task | None:
        if self._active:
            return None
        self._move(state)
        self._is_taken = True
        return task

    def _leave(self, task: Task) -> None:
        self._active -= 1
        if isinstance(task, Fetch):
            task.source.partial.release(task.segment)
        elif isinstance(task, Advance):
            self._is_advancing = False
        else:
            self._is_taken = False
        if self._partial is not None and self._partial.is_complete and self._link_is_good:
            self._retry_at = None
        if self._active == 0 and self._retry_at is not None and self.state is not TransferState.FAILED:
            self._move(TransferState.STALLED)

    def _move(self, state: TransferState) -> None:
        self.state = moved(self.state, state)

    # failures

    def _note_failure(self, error: EngineError, wait_s: float | None) -> None:
        if self._around.stopping.is_set() and not isinstance(error, DownloadMismatch):
            return  # it is the stop that broke the connection
        with self._lock:
            if not isinstance(error, _PASSING):
                self._fail(error)
                return
            now = self._around.clock()
            if self._retry_at is None or now >= self._retry_at:  # connections that fail together count once
                self._failures += 1
                self._retry_at = now + delay_s(self._failures, self._around.random)
            if wait_s is not None:
                self._retry_at = max(self._retry_at, now + wait_s)
            self.failure = error
            if self._failures > 1:
                self._link_is_good = False

    def _note_refused_link(self, refused: LinkRefused) -> None:
        with self._lock:
            if not self._link_is_good:
                return  # another connection has already noticed
            self._link_is_good = False
            self._refused_links += 1
            refusals = self._refused_links
        if refusals > _PATIENCE and refused.status in (404, 410):
            self._note_failure(NotOnHub(self._around.repo, self.commit, self.wanted.path), None)
        elif refusals > 1:
            self._note_failure(HubBusy(refused.host, refused.status), None)

    def _note_progress(self) -> None:
        with self._lock:
            self._failures = self._contradictions = self._refused_links = 0
            if self.state is not TransferState.FAILED:
                self.failure = None

    def _fail(self, error: EngineError) -> None:
        self.failure = error
        self._move(TransferState.FAILED)

    def _note_contradiction(self, found: Contradiction) -> None:
        """Ask the hub anew, and give up where it insists."""
        with self._lock:
            self._link_is_good = False
            self._contradictions += 1
            if self._contradictions > _PATIENCE and self.state is not TransferState.FAILED:
                self._fail(DownloadMismatch(self.wanted.path, found.what, found.expected, found.found))

    # resolving

    def _resolve(self, line: Line, revision: str) -> None:
        around = self._around
        found = resolve(line, around.hub, around.repo, revision, self.wanted.path)
        self._hold_to_wanted(found)
        identity = Identity(around.repo, self.wanted.path, found.etag, found.size_bytes, around.block_bytes)
        with self._lock, disk_errors(self._part):
            if self._partial is None or self._partial.identity != identity:
                if self._partial:
                    self._partial.close()
                    self._partial = None
                self._partial = PartialFile(self._part, self._journal, identity)
                self._takes_ranges = True
                self._second_reading = None
                self._digest = None
                self._check_target = self._target.is_file() and self._target.stat().st_size == found.size_bytes
            self._file = found
            self._link_is_good = True

    def _hold_to_wanted(self, found: ResolvedFile) -> None:
        """Raises DownloadMismatch where the hub has another file than the request expects."""
        path, wanted = self.wanted.path, self.wanted
        if wanted.size_bytes is not None and wanted.size_bytes != found.size_bytes:
            raise DownloadMismatch(path, "the size", str(wanted.size_bytes), str(found.size_bytes))
        kind = digest_kind(found.etag)
        expected = wanted.sha256 if kind == "SHA-256" else wanted.git_sha1
        if expected and expected != found.etag:
            raise DownloadMismatch(path, f"the {kind}", expected, found.etag)

    def _on_received(self, n_bytes: int) -> None:
        self._around.received(n_bytes)
        if self._contradictions and not self._link_is_good:
            raise _Superseded

    # verifying

    def _verify(self, file: ResolvedFile, partial: PartialFile, *, at_target: bool) -> None:
        block_bytes, etag = partial.identity.block_bytes, file.etag
        if at_target:
            found = read_back(self._target, file.size_bytes, etag, block_bytes, {}, self._on_verified)
            self._check_target = False
            if found.digest == etag:
                partial.discard()
                self._ready()
            return
        reading, blocks = self._second_reading, partial.blocks()
        if reading is not None and not reading.found_difference(blocks):
            self._read_again(reading, file, partial)
            return
        partial.sync()
        digest, self._digest = self._digest or RunningDigest(file.size_bytes, etag), None
        digest.read(partial.path, file.size_bytes, self._on_verified)
        if digest.hexdigest() == etag:
            partial.finish(self._target)
            self._ready()
            return
        found = read_back(partial.path, file.size_bytes, etag, block_bytes, blocks, self._on_verified)
        self._found_digest = found.digest
        if found.digest == etag:  # the drive gave other bytes before
            partial.finish(self._target)
            self._ready()
        elif found.spoiled_blocks:
            partial.forget(found.spoiled_blocks)
        else:
            self._second_reading = reading or SecondReading(blocks)
            self._read_again(self._second_reading, file, partial)

    def _read_again(self, reading: SecondReading, file: ResolvedFile, partial: PartialFile) -> None:
        self._digest = None  # it may be of bytes that are fetched again now
        batch = reading.next_batch(max(1, self._around.segment_bytes // self._around.block_bytes))
        if batch:
            partial.forget(batch)
            return
        with self._lock:
            self._partial = None
            self._held_bytes = 0
        partial.discard()
        raise DownloadMismatch(self.wanted.path, f"the {digest_kind(file.etag)}", file.etag, self._found_digest)

    def _ready(self) -> None:
        with self._lock:
            self._partial = None
            self.failure = None
            self._move(TransferState.READY)

    def _on_verified(self, n_bytes: int) -> None:
        self._verified_bytes = n_bytes
        if self._around.stopping.is_set():
            raise Interrupted
