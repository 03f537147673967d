"""The downloads that this process has in hand, with their records on disk.

Owns the lock under which a download is changed, and that what its record says is what it is. What is done with them is
decided by others: by the user (`download_queue.py`), by turn (`download_schedule.py`), by what the hub, the disk and
the compute lane say (`download_run.py`, `download_packing.py`).
"""

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import replace

from engine.errors import EngineError, ErrorReport, FolderNotConnected, UnknownDownload
from engine.hub.download import Download
from engine.hub.download_record import DownloadFiles, DownloadRecord, stored
from engine.hub.source_files import SourceFiles

log = logging.getLogger(__name__)


class DownloadBook:
    """`lock` is held by whoever changes a download, and notified when something may go on. `changed` tells watchers.

    limit_bytes_s   for all together, shared among those that run
    """

    def __init__(
        self, files: DownloadFiles, sources: SourceFiles, changed: Callable[[], None], limit_bytes_s: int | None = None
    ) -> None:
        self.files = files
        self.sources = sources
        self.changed = changed
        self.limit_bytes_s = limit_bytes_s
        self.lock = threading.Condition()
        self.downloads: dict[str, Download] = {}
        self.is_closed = False

    # which there are

    def take(self, record: DownloadRecord) -> Download:
        """Take a download in hand. Raises ModelHeldElsewhere, FolderNotConnected, LibraryNotWritable."""
        self.files.hold(record)
        failure = record.failure.report() if record.failure else None
        state = "failed" if failure else "paused" if record.is_paused else "queued"
        download = Download(record, state, error=failure)
        with contextlib.suppress(EngineError):  # told when it is fetched
            download.held_bytes = self.sources.held_bytes(record)
        with self.lock:
            download.record = replace(record, state=state)
            self.files.write(download.record)
            self.downloads[record.download_id] = download
            self.lock.notify_all()
        self.changed()
        return download

    def take_up(self) -> None:
        """Take every download in hand that an earlier process left and no other has."""
        for record in self.files.all():
            with self.lock:
                if record.download_id in self.downloads:
                    continue
            with contextlib.suppress(EngineError):  # one in another's hands, or in a library that cannot be written
                self.take(record)

    def find(self, download_id: str) -> Download:
        """One in hand, or that is taken in hand now. Raises UnknownDownload, and what `take` raises."""
        download = self.downloads.get(download_id)
        if download is None:
            record = self.files.read(download_id)
            if record is None:
                raise UnknownDownload(download_id)
            download = self.take(record)
        return download

    def in_order(self) -> list[Download]:
        return sorted(self.downloads.values(), key=lambda d: (d.record.place, d.record.download_id))

    def drop(self, download_id: str) -> None:
        """It is given up, and what had come of it is gone."""
        self.files.remove(download_id)
        with self.lock:
            self.downloads.pop(download_id, None)
        self.changed()

    # how one of them stands; the lock is held

    def set(self, download: Download, state: str) -> None:
        if download.state != state or download.record.state != state:
            download.state = state
            download.record = replace(download.record, state=state)
            self.keep(download)

    def keep(self, download: Download) -> None:
        """Write the record; where that fails, the download says so and goes on with what memory knows."""
        if not download.is_given_up and self.files.is_held_here(download.record.download_id):
            try:
                self.files.write(download.record)
            except EngineError as error:
                download.error = error.report()

    def fail(self, download: Download, error: EngineError) -> None:
        """It ends with an error; one whose drive is gone waits for that instead, and goes on by itself."""
        if isinstance(error, FolderNotConnected):
            download.waits_for_drive = True
            self.set(download, "paused")
        else:
            download.record = replace(download.record, failure=stored(error.report()))
            self.set(download, "failed")
        download.error = error.report()

    def forget(self, download: Download) -> None:
        """Keep nothing on disk of what the hub does not know; it is shown as failed until this process ends."""
        try:
            self.files.remove(download.record.download_id)
        except EngineError as error:
            log.warning("the record of a download stays: %s", error)

    def end(self, download: Download) -> None:
        """It is ready: nothing of it needs to be kept any more."""
        download.state, download.error, download.retry_in_s = "ready", None, None
        self.files.remove(download.record.download_id)

    def pause_for_network(self, download: Download, error: ErrorReport | None) -> None:
        """It goes on by itself once the network is switched on; its state and why are told together."""
        download.waits_for_network = True
        self.set(download, "paused")
        download.error = error

    def halt(self, download: Download) -> None:
        """Let it stop at its next step; what is asked or fetched for it is cut."""
        download.stop.set()
        if download.question is not None:
            download.question.cut()
        if download.transfer is not None:
            download.transfer.pause()
        if download.state == "packing" and download.running is None:
            self.set(download, "paused" if download.record.is_paused else "queued")
        self.lock.notify_all()

    def is_back(self, download: Download) -> bool:
        """Whether the drive that a download waits for is there again; its record is taken in hand anew then."""
        try:
            self.sources.library(download.record)
        except FolderNotConnected:
            return False
        except EngineError:
            return True  # told when it runs
        self.files.release(download.record.download_id)  # the lock was a file of the drive that went
        try:
            self.files.hold(download.record)
        except EngineError as error:
            log.info("a download stays where it is: %s", error)
            return False
        return True

    def share_limit(self) -> None:
        running = [d.transfer for d in self.downloads.values() if d.transfer is not None]
        for transfer in running:
            limit = self.limit_bytes_s
            transfer.limit(None if limit is None else max(1, limit // len(running)))
