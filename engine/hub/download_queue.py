"""Models on their way, in an order that the user can change: fetched one after another, then packed.

Owns what follows what in one download, the threads it happens in, and that all of it outlives the process. A download
asks the hub what it is (`plans`), fetches the files (`transfer/`), writes the manifest, and hands the source over to be
packed on the compute lane (`pack`), which may be much later. Knows nothing of messages: `downloads.py` speaks those.
"""

import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from engine.catalog_reports import HubRepository
from engine.errors import (
    DownloadInUse,
    DownloadMismatch,
    EngineError,
    ErrorReport,
    HubAnswerUnusable,
    HubBusy,
    HubUnreachable,
    InternalError,
    InvalidRequest,
    NetworkSwitchedOff,
    NotOnHub,
    TransferStalled,
    UnknownDownload,
)
from engine.hub.access import Access
from engine.hub.download import Download, PackOrder
from engine.hub.download_record import SCHEMA, DownloadFiles, DownloadRecord, download_id_of, stored
from engine.hub.keep_awake import KeepAwake
from engine.hub.repository import Reference
from engine.hub.source_files import SourceFiles, packable, request_with_cards
from engine.hub.transfer.backoff import LONGEST_ASKED_S, delay_s
from engine.hub.transfer.line import Line, Network
from engine.hub.transfer.progress import TransferProgress, TransferState
from engine.hub.transfer.resolving import AskedToWait, Hub
from engine.hub.transfer.transfer import Machine, Transfer, TransferOptions
from engine.transfer_reports import STEERING, DownloadQueueReport, DownloadReport

log = logging.getLogger(__name__)

TICK_S = 0.1
_GIVE_UP_S = 0.6
_PASSING = (HubUnreachable, HubBusy, TransferStalled, HubAnswerUnusable)


class Planner(Protocol):
    """Asks a hub what a repository is; `cut` is for another thread and ends the question."""

    def repository(self, reference: Reference) -> HubRepository: ...
    def cut(self) -> None: ...


MakePlanner = Callable[[Hub, Network], Planner]


class Look(Protocol):
    """Judges a model from its headers before its weights are fetched, and raises what loading it would raise.

    `on_line` is given each line that is used, which another thread may cut; `on_file` is called as bytes come in. Both
    may raise.
    """

    def __call__(
        self,
        found: HubRepository,
        hub: Hub,
        network: Network,
        *,
        on_file: Callable[[int, int], None],
        on_line: Callable[[Line], None],
    ) -> None: ...


class Pack(Protocol):
    """Takes an order and returns at once; the order is carried out on the compute lane when its turn comes."""

    def __call__(self, order: PackOrder) -> None: ...


class DownloadQueue:
    """The downloads of a library. Every method may be called from any thread and returns soon.

    folders    of the library; the first holds the records and takes what is put nowhere else
    plans      makes what asks a hub for a repository
    look       judges what was found before any of its weights is fetched; without one, packing judges
    at_once    how many are fetched side by side
    """

    def __init__(
        self,
        folders: tuple[Path, ...],
        access: Access,
        plans: MakePlanner,
        pack: Pack,
        *,
        look: Look | None = None,
        options: TransferOptions | None = None,
        machine: Machine | None = None,
        keep_awake: KeepAwake | None = None,
        at_once: int = 1,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._folders = folders
        self._access = access
        self._plans = plans
        self._pack = pack
        self._look = look
        self._options = options or TransferOptions()
        self._machine = machine or Machine()
        self._awake = keep_awake or KeepAwake()
        self._at_once = at_once
        self._on_change = on_change
        self._limit = self._options.limit_bytes_s
        self._files = DownloadFiles(folders[0])
        self._sources = SourceFiles(folders)
        self._lock = threading.Condition()
        self._downloads: dict[str, Download] = {}
        self._is_closed = False
        self._pool = ThreadPoolExecutor(max(at_once, 1) + 4, thread_name_prefix="ember-download")
        self._scheduler: threading.Thread | None = None

    # what a user does

    def take_up(self) -> None:
        """Take every download in hand that an earlier process left and no other has."""
        for record in self._files.all():
            with self._lock:
                if record.download_id in self._downloads:
                    continue
            with contextlib.suppress(EngineError):  # one in another's hands, or in a library that cannot be written
                self._take(record)
        self._start()

    def add(
        self,
        repo: str,
        revision: str = "main",
        *,
        weight_format: str = "",
        packs: bool = True,
        keeps_source: bool = True,
        folder: str = "",
    ) -> str:
        """Put a model at the end of the queue; one that is there already goes on. Returns its id.

        Raises InvalidRequest, ModelHeldElsewhere, LibraryNotWritable, NoRoomForDownload, and DownloadInUse for one that
        was given up and has not ended yet.
        """
        Reference(repo, revision)  # to make it is to check it
        if folder and Path(folder) not in self._folders:
            raise InvalidRequest("folder", folder, "one of the library's folders")
        download_id = download_id_of(repo, revision)
        with self._lock:
            known = self._downloads.get(download_id)
            if known is not None and known.is_given_up:
                raise DownloadInUse(repo)
            if known is not None and known.state != "ready":
                self._resume(known)
                return download_id
            self._downloads.pop(download_id, None)
        kept = self._files.read(download_id)
        places = [record.place for record in self._files.all()]
        record = replace(
            kept
            or DownloadRecord(
                SCHEMA, download_id, repo, revision, self._access.settings.endpoint, folder, "", True, True,
                max(places, default=0) + 1,
            ),
            weight_format=weight_format,
            packs=packs,
            keeps_source=keeps_source,
            is_paused=False,
            failure=None,
        )  # fmt: skip
        self._take(record)
        self._start()
        return download_id

    def steer(self, download_id: str, action: str) -> None:
        """Pause, resume, or move: one of STEERING. Raises UnknownDownload, InvalidRequest, LibraryNotWritable."""
        if action not in STEERING:
            raise InvalidRequest("action", action, ", ".join(STEERING))
        with self._lock:
            download = self._find(download_id)
            if action == "pause":
                self._pause(download)
            elif action == "resume":
                self._resume(download)
            else:
                self._reorder(download, action)
        self._on_change()

    def cancel(self, download_id: str) -> int:
        """Give a download up and delete what has come of it; returns the bytes freed.

        One that cannot end at once is deleted when it has ended; the bytes are then those that it has fetched.
        A model that was whole before stays. Raises UnknownDownload, ModelHeldElsewhere, LibraryNotWritable.
        """
        with self._lock:
            download = self._downloads.get(download_id)
        if download is None:
            record = self._files.read(download_id)
            if record is None:
                raise UnknownDownload(download_id)
            self._files.hold(download_id, record.repo)
            freed = self._sources.delete(record, self._access.network)
            self._files.remove(download_id)
            return freed
        with self._lock:
            download.is_given_up = True
            self._halt(download)
            running = download.running
        if running is not None:
            try:
                running.exception(_GIVE_UP_S)  # its end; what it ended with no longer matters
            except TimeoutError:
                held = download.held_bytes if download.progress is None else download.progress.done_bytes
                running.add_done_callback(lambda _: self._delete_late(download))
                self._on_change()
                return held
        return self._delete(download)

    def _delete_late(self, download: Download) -> None:
        try:
            self._delete(download)
        except EngineError as error:
            log.warning("a download that was given up stays: %s", error)
            with self._lock:
                download.is_given_up = False

    def _delete(self, download: Download) -> int:
        freed = 0 if download.state == "ready" else self._sources.delete(download.record, self._access.network)
        self._files.remove(download.record.download_id)
        with self._lock:
            self._downloads.pop(download.record.download_id, None)
        self._on_change()
        return freed

    def limit(self, bytes_per_s: int | None) -> None:
        """A ceiling on the speed of all together, at once; None lifts it."""
        with self._lock:
            self._limit = bytes_per_s
            self._share_limit()
        self._on_change()

    def network_changed(self) -> None:
        """Look again whether downloads that waited for the network may go on."""
        with self._lock:
            self._lock.notify_all()
        self._on_change()

    def report(self) -> DownloadQueueReport:
        """All downloads in their order, then those that other processes have in hand or nobody has taken up."""
        with self._lock:
            own = sorted(self._downloads.values(), key=lambda d: (d.record.place, d.record.download_id))
            told = [d.report(self._sources.shown_folder(d.record)) for d in own if not d.is_given_up]
            known = {download.record.download_id for download in own}
            limit, awake = self._limit, self._awake.is_awake
        told += [self._report_of_others(record) for record in self._files.all() if record.download_id not in known]
        return DownloadQueueReport(tuple(told), limit, self._access.network.is_offline, awake)

    def close(self) -> None:
        """Stop everything, with all that has arrived kept; what ran goes on at the next start. Returns soon."""
        with self._lock:
            self._is_closed = True
            for download in self._downloads.values():
                self._halt(download)
            self._lock.notify_all()
        if self._scheduler is not None:
            self._scheduler.join()
        self._pool.shutdown(wait=True)
        self._awake.want(False)
        self._files.release_all()

    # what the compute lane says of an order

    def wants_packed(self, order: PackOrder) -> bool:
        with self._lock:
            return not self._is_closed and self._ordered(order) is not None

    def note_packing(self, order: PackOrder, done: int, total: int) -> None:
        with self._lock:
            if (download := self._ordered(order)) is not None:
                download.packing = (done, total)
        self._on_change()

    def note_packed(self, order: PackOrder, packed: Path, weight_format: str) -> None:
        """Raises LibraryNotWritable and NoRoomForDownload."""
        with self._lock:
            download = self._ordered(order)
        if download is None:
            return
        self._sources.settle(download.record, packed, weight_format)
        with self._lock:
            download.model_id = packed.name.removesuffix(packed.suffix)
            self._end(download)
        self._on_change()

    def note_failed(self, order: PackOrder, error: EngineError) -> None:
        with self._lock:
            if (download := self._ordered(order)) is not None:
                self._fail(download, error.report())
        self._on_change()

    def note_put_back(self, order: PackOrder) -> None:
        with self._lock:
            if (download := self._ordered(order)) is not None:
                self._set(download, "paused" if download.record.is_paused else "queued")
                self._lock.notify_all()

    def _report_of_others(self, record: DownloadRecord) -> DownloadReport:
        """Of what another process has in hand, or nobody: as far as the disk tells."""
        holder = self._files.holder(record.download_id)
        state = record.state if holder else "failed" if record.failure else "paused"
        download = Download(record, state, self._sources.held_bytes(record))
        download.error = record.failure.report() if record.failure else None
        return replace(download.report(self._sources.shown_folder(record)), holder=holder)

    def _ordered(self, order: PackOrder) -> Download | None:
        """The download that waits for just this order."""
        download = self._downloads.get(order.download_id)
        waits = download is not None and download.state == "packing" and download.order is order
        return download if waits else None

    # inside; the lock is held where a download is changed

    def _find(self, download_id: str) -> Download:
        download = self._downloads.get(download_id)
        if download is None:
            record = self._files.read(download_id)
            if record is None:
                raise UnknownDownload(download_id)
            self._take(record)
            self._start()
            download = self._downloads[download_id]
        return download

    def _take(self, record: DownloadRecord) -> None:
        self._files.hold(record.download_id, record.repo)
        failure = record.failure.report() if record.failure else None
        state = "failed" if failure else "paused" if record.is_paused else "queued"
        download = Download(record, state, error=failure)
        with contextlib.suppress(EngineError):  # told when it is fetched
            download.held_bytes = self._sources.held_bytes(record)
        with self._lock:
            download.record = replace(record, state=state)
            self._files.write(download.record)
            self._downloads[record.download_id] = download
            self._lock.notify_all()
        self._on_change()

    def _start(self) -> None:
        with self._lock:
            if self._scheduler is None and not self._is_closed:
                self._scheduler = threading.Thread(target=self._schedule, name="ember-downloads", daemon=True)
                self._scheduler.start()

    def _pause(self, download: Download) -> None:
        if download.state in ("ready", "failed"):
            return
        download.record = replace(download.record, is_paused=True)
        download.not_before = None
        self._halt(download)
        if download.running is None:
            self._set(download, "paused")
        else:
            self._keep(download)

    def _resume(self, download: Download) -> None:
        if download.state == "ready":
            return
        self._files.hold(download.record.download_id, download.record.repo)
        download.record = replace(download.record, is_paused=False, failure=None)
        if download.running is None and download.state in ("paused", "failed", "stalled-retrying"):
            download.waits_for_network = False
            download.error = None
            download.not_before = None
            self._set(download, "queued")
        else:
            self._keep(download)
        self._lock.notify_all()

    def _reorder(self, download: Download, action: str) -> None:
        order = sorted(self._downloads.values(), key=lambda d: (d.record.place, d.record.download_id))
        at = order.index(download)
        order.pop(at)
        to = {"first": 0, "last": len(order), "earlier": max(at - 1, 0), "later": min(at + 1, len(order))}[action]
        order.insert(to, download)
        for place, other in enumerate(order, 1):
            if other.record.place != place:
                other.record = replace(other.record, place=place)
                self._keep(other)
        self._lock.notify_all()

    def _halt(self, download: Download) -> None:
        download.stop.set()
        if download.question is not None:
            download.question.cut()
        if download.transfer is not None:
            download.transfer.pause()
        if download.state == "packing" and download.running is None:
            self._set(download, "paused" if download.record.is_paused else "queued")
        self._lock.notify_all()

    def _set(self, download: Download, state: str) -> None:
        if download.state != state or download.record.state != state:
            download.state = state
            download.record = replace(download.record, state=state)
            self._keep(download)

    def _keep(self, download: Download) -> None:
        """Write the record; where that fails, the download says so and goes on with what memory knows."""
        if not download.is_given_up and self._files.is_held_here(download.record.download_id):
            try:
                self._files.write(download.record)
            except EngineError as error:
                download.error = error.report()

    def _fail(self, download: Download, error: ErrorReport) -> None:
        download.record = replace(download.record, failure=stored(error))
        self._set(download, "failed")
        download.error = error

    def _forget(self, download: Download) -> None:
        """Keep nothing on disk of what the hub does not know; it is shown as failed until this process ends."""
        try:
            self._files.remove(download.record.download_id)
        except EngineError as error:
            log.warning("the record of a download stays: %s", error)

    def _end(self, download: Download) -> None:
        """It is ready: nothing of it needs to be kept any more."""
        download.state, download.error, download.retry_in_s = "ready", None, None
        self._files.remove(download.record.download_id)

    def _share_limit(self) -> None:
        running = [d.transfer for d in self._downloads.values() if d.transfer is not None]
        for transfer in running:
            transfer.limit(None if self._limit is None else max(1, self._limit // len(running)))

    # the scheduling thread

    def _schedule(self) -> None:
        while True:
            with self._lock:
                self._cut_again()
                if self._is_closed:
                    if all(d.running is None or d.running.done() for d in self._downloads.values()):
                        return
                    self._lock.wait(TICK_S)
                    continue
                self._collect()
                self._begin()
                active = any(d.running is not None for d in self._downloads.values())
            self._awake.want(active)
            with self._lock:
                if not self._is_closed:
                    self._lock.wait(TICK_S if active else 5 * TICK_S)

    def _cut_again(self) -> None:
        """What is to stop may have been between two requests when it was cut."""
        for download in self._downloads.values():
            if download.stop.is_set() and download.question is not None:
                download.question.cut()

    def _collect(self) -> None:
        """See to what has ended."""
        for download in self._downloads.values():
            running = download.running
            if running is None or not running.done():
                continue
            download.running = download.transfer = download.question = None
            download.stop.clear()
            fault = running.exception()
            if fault is not None and not isinstance(fault, EngineError):
                log.error("a download failed", exc_info=fault)
                fault = InternalError(type(fault).__name__, str(fault))
            if isinstance(fault, EngineError):
                self._fail(download, fault.report())
                if isinstance(fault, NotOnHub) and not download.record.commit:
                    self._forget(download)
            elif download.state == "stalled-retrying" and download.not_before is not None:
                log.info("%s lets others go on while it waits", download.record.download_id)
            elif download.state not in ("ready", "failed", "packing"):
                self._set(download, "paused" if download.record.is_paused or download.waits_for_network else "queued")
            elif download.state == "packing" and download.record.is_paused:
                self._set(download, "paused")
            self._share_limit()
            self._on_change()

    def _begin(self) -> None:
        """Let the first ones that may run begin."""
        offline = self._access.network.is_offline
        running = sum(d.running is not None for d in self._downloads.values())
        self._end_waits(offline)
        for download in sorted(self._downloads.values(), key=lambda d: (d.record.place, d.record.download_id)):
            if download.waits_for_network and not offline and not download.record.is_paused:
                download.waits_for_network, download.error = False, None
                self._set(download, "queued")
            if download.state != "queued" or download.running is not None or download.is_given_up:
                continue
            if download.record.is_fetched or running < self._at_once:
                running += not download.record.is_fetched
                download.stop.clear()
                download.not_before = None
                download.running = self._pool.submit(self._run, download)

    def _end_waits(self, offline: bool) -> None:
        """Let those that wait for the hub without a thread take their turn again once it is time."""
        now = self._machine.clock()
        for download in self._downloads.values():
            if download.not_before is None or download.running is not None:
                continue
            download.not_before = min(download.not_before, now + LONGEST_ASKED_S)  # of a clock that was put back
            download.retry_in_s = max(0.0, download.not_before - now)
            if download.retry_in_s == 0.0 or offline:
                download.not_before = download.retry_in_s = None
                self._set(download, "queued")
            self._on_change()

    def _gives_way(self, download: Download, wait_s: float) -> bool:
        """Whether one that waits for the hub leaves its place to another; under the lock."""
        if download.stop.is_set() or download.not_before is not None:
            return download.not_before is not None
        if not any(d.state == "queued" and not d.record.is_fetched for d in self._downloads.values()):
            return False
        download.not_before = self._machine.clock() + wait_s
        return True

    # a download's own thread

    def _run(self, download: Download) -> None:
        """From where it stands to the packing. Raises the EngineError that ends it."""
        try:
            if not download.record.is_fetched:
                with contextlib.suppress(_Stopped):
                    self._resolve(download)
                    self._fetch(download)
            if download.record.is_fetched and not download.stop.is_set():
                self._hand_over(download)
        finally:
            with self._lock:
                self._lock.notify_all()

    def _resolve(self, download: Download) -> None:
        """Ask the hub what the model is, as often as it takes."""
        if download.record.files:
            return
        while True:
            self._show(download, "resolving")
            try:
                found = self._ask(download)
            except NetworkSwitchedOff as error:
                self._wait_for_network(download, error)
            except AskedToWait as asked:
                self._stall(download, asked.error, asked.wait_s or 0.0)
            except _PASSING as error:
                self._stall(download, error)
            else:
                download.failures = 0
                self._take_plan(download, found)
                return

    def _ask(self, download: Download) -> HubRepository:
        planner = self._plans(self._access.hub(), self._access.network)
        with self._lock:
            download.question = planner
        try:
            if download.stop.is_set():
                raise _Stopped
            found = planner.repository(Reference(download.record.repo, download.record.revision))
            _check_listing(found)
            self._look_into(download, found)
        except _PASSING:
            if download.stop.is_set():  # it is the stop that cut the line
                raise _Stopped from None
            raise
        finally:
            with self._lock:
                download.question = None
        return found

    def _look_into(self, download: Download, found: HubRepository) -> None:
        """Raises what loading the model would raise. An answer that no hub gives is left to the transfer to meet."""
        if self._look is None:
            return

        def check() -> None:
            if download.stop.is_set():
                raise _Stopped

        def take(line: Line) -> None:
            with self._lock:
                download.question = line
            check()

        with contextlib.suppress(HubAnswerUnusable, DownloadMismatch):
            self._look(
                found, self._access.hub(), self._access.network, on_file=lambda done, total: check(), on_line=take
            )

    def _take_plan(self, download: Download, found: HubRepository) -> None:
        """Raises UnsafeName and InvalidRequest."""
        request = request_with_cards(found)
        with self._lock:
            download.record = replace(
                download.record,
                repo=found.model.repo,
                commit=found.commit,
                licence=found.model.licence,
                files=request.files,
            )
            self._keep(download)

    def _fetch(self, download: Download) -> None:
        record = download.record
        request, folder = record.request, self._sources.folder(record)
        if request is None or folder is None:
            return
        limit = self._limit
        transfer = Transfer(
            request,
            folder,
            self._access.hub(),
            self._access.network,
            options=replace(self._options, limit_bytes_s=limit),
            machine=self._machine,
        )
        with self._lock:
            download.transfer = transfer
            download.retry_in_s = None
            if download.stop.is_set():
                transfer.pause()
            self._share_limit()
        end = transfer.run(lambda progress: self._watch(download, progress))
        with self._lock:
            download.transfer = None
            download.held_bytes = end.done_bytes
        if end.state is TransferState.READY:
            self._sources.write_manifest(record)
            with self._lock:
                download.record = replace(download.record, is_fetched=True)
                self._keep(download)
        elif not download.stop.is_set() and end.error is not None and end.error.code == NetworkSwitchedOff.__name__:
            with self._lock:
                download.waits_for_network, download.error = True, end.error
            raise _Stopped

    def _watch(self, download: Download, progress: TransferProgress) -> None:
        waits = [file.retry_in_s for file in progress.files if file.retry_in_s is not None]
        with self._lock:
            if download.progress is not None and progress.done_bytes > download.progress.done_bytes:
                download.failures = 0
            download.progress = progress
            if download.not_before is not None:  # it has given way, and its transfer is ending
                return
            download.retry_in_s = min(waits) if waits and progress.state is TransferState.STALLED else None
            download.error = progress.error if progress.state is TransferState.STALLED else None
            if progress.state.value in ("resolving", "downloading", "verifying", "stalled-retrying"):
                self._set(download, progress.state.value)
            if download.retry_in_s is not None and download.transfer is not None:
                wait_s = max(download.retry_in_s, delay_s(download.failures + 1, self._machine.random))
                if self._gives_way(download, wait_s):
                    download.failures += 1
                    download.transfer.pause()
        self._on_change()

    def _hand_over(self, download: Download) -> None:
        record, folder = download.record, self._sources.folder(download.record)
        if not record.packs or folder is None:
            with self._lock:
                self._end(download)
            return
        order = PackOrder(self, record, self._sources.library(record), packable(folder, record.files))
        with self._lock:
            if download.stop.is_set():
                return
            download.packing, download.order = (0, 0), order
            self._set(download, "packing")
        self._on_change()
        self._pack(order)

    def _show(self, download: Download, state: str) -> None:
        if download.stop.is_set():
            raise _Stopped
        with self._lock:
            download.retry_in_s, download.error = None, None
            self._set(download, state)
        self._on_change()

    def _stall(self, download: Download, error: EngineError, asked_s: float = 0.0) -> None:
        download.failures += 1
        wait_s = max(asked_s, delay_s(download.failures, self._machine.random))
        until = self._machine.clock() + wait_s
        with self._lock:
            download.error, download.retry_in_s = error.report(), wait_s
            self._set(download, "stalled-retrying")
        while (left := min(until - self._machine.clock(), wait_s)) > 0:
            until = min(until, self._machine.clock() + wait_s)  # of a clock that was put back
            with self._lock:
                download.retry_in_s = left
                gives_way = self._gives_way(download, left)
            self._on_change()
            if gives_way:
                raise _Stopped
            if download.stop.wait(TICK_S):
                raise _Stopped
            if self._access.network.is_offline:
                self._wait_for_network(download, NetworkSwitchedOff(""))

    def _wait_for_network(self, download: Download, error: NetworkSwitchedOff) -> None:
        with self._lock:
            download.waits_for_network, download.error = True, error.report()
        raise _Stopped


def _check_listing(found: HubRepository) -> None:
    """Raises what the hub's listing says against a model, NotOnHub for an empty one."""
    if found.error is not None:
        raise _Told(found.error)
    if not found.wanted:
        raise NotOnHub(found.model.repo, found.commit, "config.json")


class _Told(EngineError):
    """An error that comes as a report."""

    def __init__(self, report: ErrorReport) -> None:
        super().__init__(report.code)
        self._report = report

    def report(self) -> ErrorReport:
        return self._report


class _Stopped(Exception):
    """A download is paused, given up, or waits for the network; what has arrived is kept."""
