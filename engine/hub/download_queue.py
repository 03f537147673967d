"""Models on their way, in an order that the user can change: fetched one after another, then packed.

Owns what a user does with downloads and is told of them, and puts together what carries them on: the book of those in
hand (`download_book.py`), whose turn it is (`download_schedule.py`), the way of one of them (`download_run.py`) and its
packing (`download_packing.py`). All of it outlives the process. Knows nothing of messages: `downloads.py` speaks those.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from engine.errors import DownloadInUse, EngineError, InvalidRequest, UnknownDownload
from engine.hub.access import Access
from engine.hub.download import Download
from engine.hub.download_book import DownloadBook
from engine.hub.download_packing import Pack, Packing, Whole
from engine.hub.download_record import SCHEMA, DownloadFiles, DownloadRecord, download_id_of
from engine.hub.download_run import DownloadRun, Look, MakePlanner
from engine.hub.download_schedule import DownloadSchedule
from engine.hub.keep_awake import KeepAwake
from engine.hub.library_places import Places
from engine.hub.repository import Reference
from engine.hub.source_files import SourceFiles
from engine.hub.transfer.transfer import Machine, TransferOptions
from engine.transfer_reports import STEERING, DownloadQueueReport, DownloadReport

log = logging.getLogger(__name__)

_GIVE_UP_S = 0.6


class DownloadQueue:
    """The downloads of a library. Every method may be called from any thread and returns soon.

    folders    of the library; the first takes what is put nowhere else, and each holds the records of what goes to it
    plans      makes what asks a hub for a repository
    look       judges what was found before any of its weights is fetched; without one, packing judges
    at_once    how many are fetched side by side
    places     which of the folders are connected
    whole      told of a source that has become a usable model: see Packing
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
        places: Places | None = None,
        whole: Whole = lambda source, packed: packed,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._folders = folders
        self._access = access
        self._places = places or Places()
        self._awake = keep_awake or KeepAwake()
        options, machine = options or TransferOptions(), machine or Machine()
        self._sources = SourceFiles(folders, self._places)
        self._files = DownloadFiles(folders, self._places)
        self._book = DownloadBook(self._files, self._sources, on_change, options.limit_bytes_s)
        packing = Packing(self._book, pack, whole)
        run = DownloadRun(self._book, access, plans, packing, look=look, options=options, machine=machine)
        self._schedule = DownloadSchedule(
            self._book, run, access.network, self._awake, machine.clock, at_once=at_once, away=self._away
        )

    # what a user does

    def take_up(self) -> None:
        """Take every download in hand that an earlier process left and no other has, now and as drives come back."""
        self._book.take_up()
        self._schedule.start(takes_up=True)

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

        Raises InvalidRequest, ModelHeldElsewhere, FolderNotConnected, LibraryNotWritable, NoRoomForDownload, and
        DownloadInUse for one that was given up and has not ended yet.
        """
        Reference(repo, revision)  # to make it is to check it
        if folder and Path(folder) not in self._folders:
            raise InvalidRequest("folder", folder, "one of the library's folders")
        book, download_id = self._book, download_id_of(repo, revision)
        with book.lock:
            known = book.downloads.get(download_id)
            if known is not None and known.is_given_up:
                raise DownloadInUse(repo)
            if known is not None and known.state != "ready":
                self._resume(known)
                return download_id
            book.downloads.pop(download_id, None)
        kept = self._files.read(download_id)
        goal = folder or str(self._folders[0])
        last = max((record.place for record in self._files.all()), default=0)
        record = replace(
            kept
            or DownloadRecord(
                SCHEMA, download_id, repo, revision, self._access.settings.endpoint, goal, "", True, True, last + 1
            ),
            weight_format=weight_format,
            packs=packs,
            keeps_source=keeps_source,
            is_paused=False,
            failure=None,
        )  # fmt: skip
        book.take(record)
        self._schedule.start()
        return download_id

    def steer(self, download_id: str, action: str) -> None:
        """Pause, resume, or move: one of STEERING.

        Raises UnknownDownload, InvalidRequest, FolderNotConnected, LibraryNotWritable.
        """
        if action not in STEERING:
            raise InvalidRequest("action", action, ", ".join(STEERING))
        with self._book.lock:
            download = self._book.find(download_id)
            if action == "pause":
                self._pause(download)
            elif action == "resume":
                self._resume(download)
            else:
                self._reorder(download, action)
        self._schedule.start()
        self._book.changed()

    def cancel(self, download_id: str) -> int:
        """Give a download up and delete what has come of it; returns the bytes freed.

        One that cannot end at once is deleted when it has ended; the bytes are then those that it has fetched.
        A model that was whole before stays. Raises UnknownDownload, ModelHeldElsewhere, FolderNotConnected,
        LibraryNotWritable.
        """
        book = self._book
        with book.lock:
            download = book.downloads.get(download_id)
        if download is None:
            record = self._files.read(download_id)
            if record is None:
                raise UnknownDownload(download_id)
            self._files.hold(record)
            freed = self._sources.delete(record, self._access.network)
            self._files.remove(download_id)
            return freed
        with book.lock:
            download.is_given_up = True
            book.halt(download)
            running = download.running
        if running is not None:
            try:
                running.exception(_GIVE_UP_S)  # its end; what it ended with no longer matters
            except TimeoutError:
                held = download.held_bytes if download.progress is None else download.progress.done_bytes
                running.add_done_callback(lambda _: self._delete_late(download))
                book.changed()
                return held
        return self._delete(download)

    def limit(self, bytes_per_s: int | None) -> None:
        """A ceiling on the speed of all together, at once; None lifts it."""
        with self._book.lock:
            self._book.limit_bytes_s = bytes_per_s
            self._book.share_limit()
        self._book.changed()

    def network_changed(self) -> None:
        """Look again whether downloads that waited for the network may go on."""
        with self._book.lock:
            self._book.lock.notify_all()
        self._book.changed()

    def report(self) -> DownloadQueueReport:
        """All downloads in their order, then those that other processes have in hand or nobody has taken up."""
        book = self._book
        with book.lock:
            own = book.in_order()
            told = [d.report(self._sources.shown_folder(d.record)) for d in own if not d.is_given_up]
            known = {download.record.download_id for download in own}
            limit, awake = book.limit_bytes_s, self._awake.is_awake
        told += [self._report_of_others(record) for record in self._files.all() if record.download_id not in known]
        return DownloadQueueReport(tuple(told), limit, self._access.network.is_offline, awake, self._away())

    def close(self) -> None:
        """Stop everything, with all that has arrived kept; what ran goes on at the next start. Returns soon."""
        with self._book.lock:
            self._book.is_closed = True
            for download in self._book.downloads.values():
                self._book.halt(download)
            self._book.lock.notify_all()
        self._schedule.close()
        self._files.release_all()

    # inside; the lock is held where a download is changed

    def _away(self) -> tuple[str, ...]:
        return tuple(str(folder) for folder in self._folders if not self._places.is_connected(folder))

    def _report_of_others(self, record: DownloadRecord) -> DownloadReport:
        """Of what another process has in hand, or nobody: as far as the disk tells."""
        holder = self._files.holder(record.download_id)
        state = record.state if holder else "failed" if record.failure else "paused"
        download = Download(record, state, self._sources.held_bytes(record))
        download.error = record.failure.report() if record.failure else None
        return replace(download.report(self._sources.shown_folder(record)), holder=holder)

    def _pause(self, download: Download) -> None:
        if download.state in ("ready", "failed"):
            return
        download.record = replace(download.record, is_paused=True)
        download.not_before = None
        self._book.halt(download)
        if download.running is None:
            self._book.set(download, "paused")
        else:
            self._book.keep(download)

    def _resume(self, download: Download) -> None:
        if download.state == "ready":
            return
        self._access.network.forget_holds()
        self._files.hold(download.record)
        download.record = replace(download.record, is_paused=False, failure=None)
        if download.running is None and download.state in ("paused", "failed", "stalled-retrying"):
            download.waits_for_network = download.waits_for_drive = False
            download.error = None
            download.not_before = None
            self._book.set(download, "queued")
        else:
            self._book.keep(download)
        self._book.lock.notify_all()

    def _reorder(self, download: Download, action: str) -> None:
        order = self._book.in_order()
        at = order.index(download)
        order.pop(at)
        to = {"first": 0, "last": len(order), "earlier": max(at - 1, 0), "later": min(at + 1, len(order))}[action]
        order.insert(to, download)
        for place, other in enumerate(order, 1):
            if other.record.place != place:
                other.record = replace(other.record, place=place)
                self._book.keep(other)
        self._book.lock.notify_all()

    def _delete(self, download: Download) -> int:
        """Raises what keeps it from being deleted; it is in the list again then."""
        try:
            freed = 0 if download.state == "ready" else self._sources.delete(download.record, self._access.network)
            self._book.drop(download.record.download_id)
        except EngineError:
            with self._book.lock:
                download.is_given_up = False
            raise
        return freed

    def _delete_late(self, download: Download) -> None:
        try:
            self._delete(download)
        except EngineError as error:
            log.warning("a download that was given up stays: %s", error)
