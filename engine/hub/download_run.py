"""One download on a thread of its own: the hub is asked what it is, its files are fetched, and it is handed over.

Owns what follows what, what is tried again and after how long, and when one that waits leaves its place to another. A
pause, the offline switch and a place given up end the thread with all that has arrived kept; `download_schedule.py`
begins it anew.
"""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from engine.catalog_reports import HubRepository
from engine.errors import (
    DownloadMismatch,
    EngineError,
    ErrorReport,
    HubAnswerUnusable,
    HubBusy,
    HubUnreachable,
    LibraryNotWritable,
    NetworkSwitchedOff,
    NoRoomForDownload,
    NotOnHub,
    TransferStalled,
)
from engine.hub.access import Access
from engine.hub.download import Download
from engine.hub.download_book import DownloadBook
from engine.hub.download_packing import Packing
from engine.hub.repository import Reference
from engine.hub.source_files import request_with_cards, room_to_pack
from engine.hub.transfer.backoff import delay_s
from engine.hub.transfer.line import Line, Network
from engine.hub.transfer.progress import TransferProgress, TransferState
from engine.hub.transfer.resolving import Hub
from engine.hub.transfer.transfer import Machine, RoomToPack, Transfer, TransferOptions

TICK_S = 0.1
_PASSING = (HubUnreachable, HubBusy, TransferStalled, HubAnswerUnusable)


class Planner(Protocol):
    """Asks a hub what a repository is; `cut` is for another thread and ends the question."""

    def repository(self, reference: Reference) -> HubRepository: ...
    def cut(self) -> None: ...


MakePlanner = Callable[[Hub, Network], Planner]


class Look(Protocol):
    """Judges a model from its headers before its weights are fetched, and raises what loading it would raise.

    Returns the size of the file that packing will write, 0 where the headers do not tell; `weight_format` is as in
    AddDownload. `on_line` is given each line that is used, which another thread may cut; `on_file` is called as bytes
    come in. Both may raise.
    """

    def __call__(
        self,
        found: HubRepository,
        hub: Hub,
        network: Network,
        *,
        on_file: Callable[[int, int], None],
        on_line: Callable[[Line], None],
        weight_format: str,
    ) -> int: ...


class DownloadRun:
    """Calling it with a download carries that on, on the caller's thread."""

    def __init__(
        self,
        book: DownloadBook,
        access: Access,
        plans: MakePlanner,
        packing: Packing,
        *,
        look: Look | None,
        options: TransferOptions,
        machine: Machine,
    ) -> None:
        self._book = book
        self._access = access
        self._plans = plans
        self._packing = packing
        self._look = look
        self._options = options
        self._machine = machine

    def __call__(self, download: Download) -> None:
        """From where it stands to the packing. Raises the EngineError that ends it."""
        try:
            if not download.record.is_fetched:
                with contextlib.suppress(_Stopped):
                    self._resolve(download)
                    self._fetch(download)
            if download.record.is_fetched and not download.stop.is_set():
                self._packing.hand_over(download)
        finally:
            with self._book.lock:
                self._book.lock.notify_all()

    # what it is

    def _resolve(self, download: Download) -> None:
        """Ask the hub what the model is, as often as it takes."""
        if download.record.files:
            return
        while True:
            self._show(download, "resolving")
            try:
                found, packed_bytes = self._ask(download)
            except NetworkSwitchedOff as error:
                self._wait_for_network(download, error)
            except _PASSING as error:
                self._stall(download, error)
            else:
                download.failures = 0
                self._take_plan(download, found, packed_bytes)
                return

    def _ask(self, download: Download) -> tuple[HubRepository, int]:
        """What the hub has, and the size of the packed file, as `_look_into`."""
        planner = self._plans(self._access.hub(), self._access.network)
        with self._book.lock:
            download.question = planner
        try:
            if download.stop.is_set():
                raise _Stopped
            found = planner.repository(Reference(download.record.repo, download.record.revision))
            _check_listing(found)
            packed_bytes = self._look_into(download, found)
        except _PASSING:
            if download.stop.is_set():  # it is the stop that cut the line
                raise _Stopped from None
            raise
        finally:
            with self._book.lock:
                download.question = None
        return found, packed_bytes

    def _look_into(self, download: Download, found: HubRepository) -> int:
        """The size of the packed file, 0 where nobody tells. Raises what loading the model would raise.

        An answer that no hub gives is left to the transfer to meet.
        """
        if self._look is None:
            return 0

        def check() -> None:
            if download.stop.is_set():
                raise _Stopped

        def take(line: Line) -> None:
            with self._book.lock:
                download.question = line
            check()

        with contextlib.suppress(HubAnswerUnusable, DownloadMismatch):
            return self._look(
                found,
                self._access.hub(),
                self._access.network,
                on_file=lambda done, total: check(),
                on_line=take,
                weight_format=download.record.weight_format,
            )
        return 0

    def _take_plan(self, download: Download, found: HubRepository, packed_bytes: int) -> None:
        """Raises UnsafeName and InvalidRequest."""
        request = request_with_cards(found)
        with self._book.lock:
            download.record = replace(
                download.record,
                repo=found.model.repo,
                commit=found.commit,
                licence=found.model.licence,
                files=request.files,
                packed_bytes=packed_bytes,
            )
            self._book.keep(download)

    # its files

    def _fetch(self, download: Download) -> None:
        book, record = self._book, download.record
        book.sources.prepare(record)
        request, folder = record.request, book.sources.folder(record)
        if request is None or folder is None:
            return
        to_pack = room_to_pack(record)
        transfer = Transfer(
            request,
            folder,
            self._access.hub(),
            self._access.network,
            options=replace(self._options, limit_bytes_s=book.limit_bytes_s),
            machine=self._machine,
            packing=RoomToPack(book.sources.library(record), to_pack) if to_pack else None,
        )
        with book.lock:
            download.transfer = transfer
            download.retry_in_s = None
            if download.stop.is_set():
                transfer.pause()
            book.share_limit()
        try:
            end = transfer.run(lambda progress: self._watch(download, progress))
        except (LibraryNotWritable, NoRoomForDownload):
            book.sources.library(record)  # raises FolderNotConnected where the drive was pulled out
            raise
        with book.lock:
            download.transfer = None
            download.held_bytes = end.done_bytes
        if end.state is TransferState.READY:
            book.sources.write_manifest(record)
            with book.lock:
                download.record = replace(download.record, is_fetched=True)
                book.keep(download)
        elif not download.stop.is_set() and end.error is not None and end.error.code == NetworkSwitchedOff.__name__:
            with book.lock:
                book.pause_for_network(download, end.error)
            raise _Stopped

    def _watch(self, download: Download, progress: TransferProgress) -> None:
        book = self._book
        waits = [file.retry_in_s for file in progress.files if file.retry_in_s is not None]
        with book.lock:
            if download.progress is not None and progress.done_bytes > download.progress.done_bytes:
                download.failures = 0
            download.progress = progress
            if download.not_before is not None:  # it has given way, and its transfer is ending
                return
            download.retry_in_s = min(waits) if waits and progress.state is TransferState.STALLED else None
            download.error = progress.error if progress.state is TransferState.STALLED else None
            if progress.state.value in ("resolving", "downloading", "verifying", "stalled-retrying"):
                book.set(download, progress.state.value)
            if download.retry_in_s is not None and download.transfer is not None:
                wait_s = max(download.retry_in_s, delay_s(download.failures + 1, self._machine.random))
                if self._gives_way(download, wait_s):
                    download.failures += 1
                    download.transfer.pause()
        book.changed()

    # waiting

    def _show(self, download: Download, state: str) -> None:
        if download.stop.is_set():
            raise _Stopped
        with self._book.lock:
            download.retry_in_s, download.error = None, None
            self._book.set(download, state)
        self._book.changed()

    def _stall(self, download: Download, error: EngineError) -> None:
        """Wait until the hub may be asked again: as long as it said, or longer the more often it failed."""
        download.failures += 1
        asked_s = float(error.wait_s) if isinstance(error, HubBusy) else 0.0
        wait_s = max(asked_s, delay_s(download.failures, self._machine.random))
        until = self._machine.clock() + wait_s
        with self._book.lock:
            download.error, download.retry_in_s = error.report(), wait_s
            self._book.set(download, "stalled-retrying")
        while (left := min(until - self._machine.clock(), wait_s)) > 0:
            until = min(until, self._machine.clock() + wait_s)  # of a clock that was put back
            with self._book.lock:
                download.retry_in_s = left
                gives_way = self._gives_way(download, left)
            self._book.changed()
            if gives_way or download.stop.wait(TICK_S):
                raise _Stopped
            if self._access.network.is_offline:
                self._wait_for_network(download, NetworkSwitchedOff(""))

    def _gives_way(self, download: Download, wait_s: float) -> bool:
        """Whether one that waits for the hub leaves its place to another; under the lock."""
        if download.stop.is_set() or download.not_before is not None:
            return download.not_before is not None
        if not any(d.state == "queued" and not d.record.is_fetched for d in self._book.downloads.values()):
            return False
        download.not_before = self._machine.clock() + wait_s
        return True

    def _wait_for_network(self, download: Download, error: NetworkSwitchedOff) -> None:
        with self._book.lock:
            self._book.pause_for_network(download, error.report())
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
