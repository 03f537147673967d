"""Whose turn it is: downloads begin in their order, so many at once, and take their turn again after a wait.

Owns the thread that looks at them, the threads they run on, what becomes of one whose thread has ended, and that those
whose drive was not connected go on once it is. How one of them is carried on is in `download_run.py`.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from engine.errors import EngineError, InternalError, NotOnHub
from engine.hub.download import Download
from engine.hub.download_book import DownloadBook
from engine.hub.download_run import TICK_S
from engine.hub.keep_awake import KeepAwake
from engine.hub.transfer.backoff import LONGEST_ASKED_S
from engine.hub.transfer.line import Network
from engine.hub.transfer.progress import Clock

log = logging.getLogger(__name__)

_LOOK_AT_DRIVES_S = 1.0


class DownloadSchedule:
    """Begins with `start`, ends with `close`, which waits for all that runs.

    at_once   how many are fetched side by side
    away      which folders of the library are not connected now
    """

    def __init__(
        self,
        book: DownloadBook,
        run: Callable[[Download], None],
        network: Network,
        awake: KeepAwake,
        clock: Clock,
        *,
        at_once: int,
        away: Callable[[], tuple[str, ...]] = lambda: (),
    ) -> None:
        self._book = book
        self._run = run
        self._network = network
        self._awake = awake
        self._clock = clock
        self._at_once = at_once
        self._find_away = away
        self._away = away()
        self._takes_up = False
        self._looked_at = time.monotonic()
        self._pool = ThreadPoolExecutor(max(at_once, 1) + 4, thread_name_prefix="ember-download")
        self._thread: threading.Thread | None = None

    def start(self, *, takes_up: bool = False) -> None:
        """With `takes_up` also what comes with a drive is taken in hand when that is connected."""
        with self._book.lock:
            self._takes_up = self._takes_up or takes_up
            if self._thread is None and not self._book.is_closed:
                self._thread = threading.Thread(target=self._schedule, name="ember-downloads", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """To be called when the book is closed and everything in it halted."""
        if self._thread is not None:
            self._thread.join()
        self._pool.shutdown(wait=True)
        self._awake.want(False)

    # the scheduling thread

    def _schedule(self) -> None:
        book = self._book
        while True:
            self._look_at_drives()
            with book.lock:
                self._cut_again()
                if book.is_closed:
                    if all(d.running is None or d.running.done() for d in book.downloads.values()):
                        return
                    book.lock.wait(TICK_S)
                    continue
                self._collect()
                self._begin()
                active = any(d.running is not None for d in book.downloads.values())
            self._awake.want(active)
            with book.lock:
                if not book.is_closed:
                    book.lock.wait(TICK_S if active else 5 * TICK_S)

    def _look_at_drives(self) -> None:
        """Take up what has come back with a drive, and tell watchers of drives that come and go."""
        now = time.monotonic()
        if now < self._looked_at + _LOOK_AT_DRIVES_S or self._book.is_closed:
            return
        self._looked_at = now
        before, self._away = self._away, self._find_away()
        if before == self._away:
            return
        if self._takes_up and set(before) - set(self._away):
            self._book.take_up()
        self._book.changed()

    def _cut_again(self) -> None:
        """What is to stop may have been between two requests when it was cut."""
        for download in self._book.downloads.values():
            if download.stop.is_set() and download.question is not None:
                download.question.cut()

    def _collect(self) -> None:
        """See to what has ended."""
        book = self._book
        for download in book.downloads.values():
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
                book.fail(download, fault)
                if isinstance(fault, NotOnHub) and not download.record.commit:
                    book.forget(download)
            elif download.state == "stalled-retrying" and download.not_before is not None:
                log.info("%s lets others go on while it waits", download.record.download_id)
            elif download.state not in ("ready", "failed", "packing"):
                book.set(download, "paused" if download.record.is_paused or download.waits_for_network else "queued")
            elif download.state == "packing" and download.record.is_paused:
                book.set(download, "paused")
            book.share_limit()
            book.changed()

    def _begin(self) -> None:
        """Let the first ones that may run begin."""
        book, offline = self._book, self._network.is_offline
        running = sum(d.running is not None for d in book.downloads.values())
        self._end_waits(offline)
        for download in book.in_order():
            if download.waits_for_network and not offline and not download.record.is_paused:
                download.waits_for_network, download.error = False, None
                book.set(download, "queued")
            if download.waits_for_drive and not download.record.is_paused and book.is_back(download):
                download.waits_for_drive, download.error = False, None
                book.set(download, "queued")
            if download.state != "queued" or download.running is not None or download.is_given_up:
                continue
            if download.record.is_fetched or running < self._at_once:
                running += not download.record.is_fetched
                download.stop.clear()
                download.not_before = None
                download.running = self._pool.submit(self._run, download)

    def _end_waits(self, offline: bool) -> None:
        """Let those that wait for the hub without a thread take their turn again once it is time."""
        now = self._clock()
        for download in self._book.downloads.values():
            if download.not_before is None or download.running is not None:
                continue
            download.not_before = min(download.not_before, now + LONGEST_ASKED_S)  # of a clock that was put back
            download.retry_in_s = max(0.0, download.not_before - now)
            if download.retry_in_s == 0.0 or offline:
                download.not_before = download.retry_in_s = None
                self._book.set(download, "queued")
            self._book.changed()
