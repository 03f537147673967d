"""The files of a request fetched side by side: connections, the watch over them, disk space, speed.

A few threads, each with a line of its own, ask the files for tasks. The thread in `run` watches: it cuts a line that
has been silent for too long, looks at the drive once a second, tells of the progress, and stops the others on a pause,
a failure or the offline switch. Files are fetched once all of them are resolved, so that what cannot be had, or does
not fit on the drive, is known before the first gigabyte.
"""

import contextlib
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError, InvalidRequest, NetworkSwitchedOff, NoRoomForDownload, UnsafeName
from engine.hub.transfer.file_transfer import FileTransfer, Interrupted, Surroundings, Task
from engine.hub.transfer.line import Line, Network
from engine.hub.transfer.part_file import disk_errors, free_bytes, is_same_drive
from engine.hub.transfer.pending import read_pending, remove_pending, write_pending
from engine.hub.transfer.progress import (
    Clock,
    RateLimit,
    RateMeter,
    TransferProgress,
    TransferState,
    state_of_all,
)
from engine.hub.transfer.request import WORK_FOLDER, TransferRequest
from engine.hub.transfer.resolving import Hub, host_of

TICK_S = 0.05
_PROGRESS_S = 0.2
_LOOK_AT_DRIVE_S = 1.0
_BLOCKS_A_REQUEST = 4  # at least, towards the end of a transfer

OnProgress = Callable[[TransferProgress], None]


@dataclass(frozen=True, slots=True)
class TransferOptions:
    """How to fetch. A segment is what one request asks for, a block what the journal and the check of the disk go by.

    `silence_s` is how long a connection may bring nothing, `reserve_bytes` what the drive must have to spare at the
    start. Raises InvalidRequest.
    """

    connections: int = 8
    segment_bytes: int = 32 << 20
    block_bytes: int = 1 << 20
    silence_s: float = 30.0
    reserve_bytes: int = 64 << 20
    limit_bytes_s: int | None = None

    def __post_init__(self) -> None:
        for name, least, most in (
            ("connections", 1, 32), ("segment_bytes", 1, 1 << 30), ("block_bytes", 1, 1 << 24), ("silence_s", 1, 3600),
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise InvalidRequest(name, str(getattr(self, name)), f"{least} to {most}")


@dataclass(frozen=True, slots=True)
class Machine:
    """What a transfer asks of the machine: the time in seconds, chance in [0, 1), the drives of folders."""

    clock: Clock = time.monotonic
    random: Callable[[], float] = random.random
    free_bytes: Callable[[Path], int] = free_bytes
    is_same_drive: Callable[[Path, Path], bool] = is_same_drive


@dataclass(frozen=True, slots=True)
class RoomToPack:
    """What will be written into another folder once all files are here: it must have room for that from the start."""

    folder: Path
    n_bytes: int


class Transfer:
    """A request being fetched into a folder. `run` belongs to one thread, the other methods to any."""

    def __init__(
        self,
        request: TransferRequest,
        folder: Path,
        hub: Hub,
        network: Network,
        *,
        options: TransferOptions | None = None,
        machine: Machine | None = None,
        packing: RoomToPack | None = None,
    ) -> None:
        """Raises UnsafeName where a link in the folder leads out of it."""
        self.request = request
        self.folder = folder
        self._hub = hub
        self._network = network
        self._options = options or TransferOptions()
        self._machine = machine or Machine()
        self._packing = packing
        self._packing_here = 0  # of it, on the drive of the files themselves
        self._pause = threading.Event()
        self._stopping = threading.Event()
        self._turn = threading.Condition()
        self._hold_until: float | None = None
        self._n_busy = 0
        self._may_fetch = False
        self._commit = request.revision if request.pins_commit else ""
        self._kept_commit = ""
        self._failure: EngineError | None = None
        self._meter = RateMeter(self._machine.clock)
        self._limit = RateLimit(self._machine.clock, self._options.limit_bytes_s)
        around = Surroundings(
            hub,
            request.repo,
            folder,
            self._options.block_bytes,
            self._options.segment_bytes,
            self._machine.clock,
            self._machine.random,
            self._stopping,
            self._received,
        )
        self._files = tuple(FileTransfer(wanted, around) for wanted in request.files)

    def run(self, on_progress: OnProgress = lambda progress: None) -> TransferProgress:
        """Fetch until every file is ready, or until a pause or the offline switch. May be called again after its end.

        `on_progress` is called in this thread, a few times a second and at every change of the whole's state. Raises
        what ended it for good: NotOnHub, LicenceNotAccepted, HubAccessDenied, DownloadMismatch, DownloadInUse,
        NoRoomForDownload, LibraryNotWritable, UnsafeName. What has arrived is kept then, too.
        """
        self._stopping.clear()
        self._failure = None
        self._hold_until = None
        self._n_busy = 0
        self._may_fetch = False
        self._meter = RateMeter(self._machine.clock)
        work = self.folder / WORK_FOLDER
        with disk_errors(self.folder):
            work.mkdir(parents=True, exist_ok=True)
        if work.is_symlink():
            raise UnsafeName(WORK_FOLDER, "a link in the place of a folder")
        try:
            with contextlib.ExitStack() as held:
                for file in self._files:
                    file.open()
                    held.callback(file.close)
                self._take_up()
                self._fetch_all(on_progress)
            self._failure = self._failure or self._failure_of_a_file()
        except EngineError as error:
            self._failure = self._failure or error
        finally:
            for file in self._files:
                file.halt()
        if isinstance(self._failure, NoRoomForDownload):
            self._failure = self._without_room(self._failure)
        progress = self.progress()
        if progress.state is TransferState.READY:
            remove_pending(self.folder, self.request)
        on_progress(progress)
        if self._failure is not None and not isinstance(self._failure, NetworkSwitchedOff):
            raise self._failure
        return progress

    def pause(self) -> None:
        """End `run`, or let it end at once when it is called; what has arrived is kept."""
        self._pause.set()

    def resume(self) -> None:
        """Take a pause back; `run` is then to be called again."""
        self._pause.clear()

    def limit(self, bytes_per_s: int | None) -> None:
        """Change the ceiling on the speed; None lifts it."""
        self._limit.change(bytes_per_s)

    def discard(self) -> None:
        """Delete what has arrived of unfinished files, and the request. Raises DownloadInUse while it is running."""
        if (self.folder / WORK_FOLDER).is_dir():
            for file in self._files:
                file.discard()
            remove_pending(self.folder, self.request)

    def progress(self) -> TransferProgress:
        """How it stands now."""
        files = tuple(file.progress() for file in self._files)
        sizes = [file.size_bytes for file in files]
        size = None if None in sizes else sum(size for size in sizes if size is not None)
        done = sum(file.done_bytes for file in files)
        state = state_of_all(file.state for file in files)
        if self._failure is not None and not isinstance(self._failure, NetworkSwitchedOff):
            state = TransferState.FAILED
        elif self._hold_until is not None and not self._n_busy and state is not TransferState.PAUSED:
            state = TransferState.STALLED  # the server asked one file to wait, and all of them do
        runs = state in (TransferState.DOWNLOADING, TransferState.STALLED)
        errors = (file.error for file in files if file.error and file.state is state)
        return TransferProgress(
            state,
            done,
            size,
            self._meter.bytes_per_s() if runs else 0.0,
            self._meter.left_s(None if size is None else size - done) if runs else None,
            self._failure.report() if self._failure else next(errors, None),
            files,
        )

    # the watching thread

    def _take_up(self) -> None:
        """Hold on to the commit of an earlier run, and keep the request for a later one."""
        kept = read_pending(self.folder, self._hub.endpoint, self.request)
        if kept is not None and not self._commit:
            self._commit = kept.commit
        self._keep_request()

    def _keep_request(self) -> None:
        self._kept_commit = self._commit
        write_pending(self.folder, self._hub.endpoint, self.request, self._kept_commit)

    def _fetch_all(self, on_progress: OnProgress) -> None:
        with contextlib.ExitStack() as opened:
            n_lines = self._options.connections
            lines = [opened.enter_context(self._network.line(self._machine.clock)) for _ in range(n_lines)]
            pool = opened.enter_context(ThreadPoolExecutor(n_lines, thread_name_prefix="ember-transfer"))
            workers = [pool.submit(self._work, line) for line in lines]
            try:
                self._watch(workers, lines, on_progress)
            finally:
                self._stop(workers, lines)
        for worker in workers:
            worker.result()

    def _watch(self, workers: list[Future[None]], lines: list[Line], on_progress: OnProgress) -> None:
        told_at, told_state = float("-inf"), None
        drive_at = float("-inf")
        while not self._is_over(workers):
            now = time.monotonic()
            for line in lines:
                silent_s = line.waiting_s()
                if silent_s is not None and silent_s >= self._options.silence_s:
                    line.cut(silent_s)
            if now >= drive_at + _LOOK_AT_DRIVE_S and all(file.is_resolved for file in self._files):
                self._check_room(0 if self._may_fetch else self._options.reserve_bytes)
                self._may_fetch, drive_at = True, now
                self._wake()
            if self._commit != self._kept_commit:
                self._keep_request()
            progress = self.progress()
            if now >= told_at + _PROGRESS_S or progress.state is not told_state:
                on_progress(progress)
                told_at, told_state = now, progress.state
            with self._turn:
                if self._hold_until is not None and self._machine.clock() >= self._hold_until:
                    self._hold_until = None
                    self._turn.notify_all()
                if any(file.is_due() for file in self._files):
                    self._turn.notify_all()
                self._turn.wait(TICK_S)

    def _is_over(self, workers: list[Future[None]]) -> bool:
        if any(worker.done() for worker in workers):  # only when there is nothing left to do, or by a fault of ours
            return True
        if self._network.is_offline:
            self._failure = NetworkSwitchedOff(host_of(self._hub.endpoint))
        else:
            self._failure = self._failure_of_a_file()
        return self._failure is not None or self._pause.is_set()

    def _failure_of_a_file(self) -> EngineError | None:
        return next((file.failure for file in self._files if file.state is TransferState.FAILED), None)

    def _stop(self, workers: list[Future[None]], lines: list[Line]) -> None:
        self._stopping.set()
        while not all(worker.done() for worker in workers):
            self._wake()
            for line in lines:
                line.cut()  # again and again: a connection may just have been opened
            time.sleep(TICK_S / 10)

    def _wake(self) -> None:
        with self._turn:
            self._turn.notify_all()

    def _check_room(self, reserve_bytes: int) -> None:
        """Raises NoRoomForDownload unless the drives hold what is missing, what packing will write, and a reserve."""
        missing = sum(file.missing_bytes for file in self._files)
        with disk_errors(self.folder):
            available = self._machine.free_bytes(self.folder)
            packing = self._packing
            is_elsewhere = packing is not None and not self._machine.is_same_drive(self.folder, packing.folder)
            left = self._machine.free_bytes(packing.folder) if packing is not None and is_elsewhere else available
        self._packing_here = packing.n_bytes if packing is not None and not is_elsewhere else 0
        needed = missing + self._packing_here + reserve_bytes
        if missing and available < needed:
            raise NoRoomForDownload(str(self.folder), needed, available, self._packing_here)
        if missing and packing is not None and is_elsewhere and left < packing.n_bytes:
            raise NoRoomForDownload(str(packing.folder), packing.n_bytes, left, packing.n_bytes)

    def _without_room(self, found: NoRoomForDownload) -> NoRoomForDownload:
        """The failure of one write as that of the whole: what is still to come, and what the drive has."""
        if found.packing_bytes:  # of the whole already
            return found
        progress = self.progress()
        missing = 0 if progress.size_bytes is None else progress.size_bytes - progress.done_bytes
        packing = self._packing_here if missing else 0
        needed = max(found.needed_bytes, missing + packing)
        return NoRoomForDownload(str(self.folder), needed, found.available_bytes, packing)

    # the connections' threads

    def _work(self, line: Line) -> None:
        while (chosen := self._next()) is not None:
            file, task = chosen
            wait_s = file.perform(task, line, self._commit or self.request.revision)
            with self._turn:
                self._n_busy -= 1
                if wait_s is not None:
                    self._hold_until = max(self._hold_until or 0.0, self._machine.clock() + wait_s)
                self._commit = self._commit or file.commit
                self._turn.notify_all()

    def _next(self) -> tuple[FileTransfer, Task] | None:
        """The next thing to do, waiting for one if need be; None at the end of everything."""
        with self._turn:
            while not self._stopping.is_set():
                if all(file.state in (TransferState.READY, TransferState.FAILED) for file in self._files):
                    return None
                chosen = self._choose() if self._hold_until is None else None
                if chosen is not None:
                    return chosen
                self._turn.wait()
            return None

    def _choose(self) -> tuple[FileTransfer, Task] | None:
        if not self._commit and self._n_busy:
            return None  # the first answer says which commit all files are to be of
        missing = sum(file.missing_bytes for file in self._files)
        longest = max(_BLOCKS_A_REQUEST * self._options.block_bytes, missing // self._options.connections)
        for file in self._files:
            task = file.next_task(longest, may_fetch=self._may_fetch)
            if task is not None:
                self._n_busy += 1
                return file, task
        return None

    def _received(self, n_bytes: int) -> None:
        """Account for bytes that came in, and hold their connection back where there is a limit. Raises Interrupted."""
        self._meter.add(n_bytes)
        clock = self._machine.clock
        n_changes = self._limit.n_changes
        due = clock() + self._limit.take(n_bytes)
        while not self._stopping.is_set():
            left_s = due - clock()
            if left_s <= 0 or self._limit.n_changes != n_changes:
                return
            self._stopping.wait(min(left_s, TICK_S))
        raise Interrupted
