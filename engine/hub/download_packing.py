"""The last step of a download: its source is handed over to be packed, and what the compute lane says of that.

Owns which order is the one that counts: a download that was paused, given up or ordered again hears nothing of former
ones. The packing itself is the compute lane's.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from engine.errors import EngineError
from engine.hub.download import Download, PackOrder
from engine.hub.download_book import DownloadBook
from engine.hub.source_files import packable


class Pack(Protocol):
    """Takes an order and returns at once; the order is carried out on the compute lane when its turn comes."""

    def __call__(self, order: PackOrder) -> None: ...


# Given a source's folder and the packed file made of it, if any; returns that file, which may have another name now.
Whole = Callable[[Path, Path | None], Path | None]


class Packing:
    """Every method may be called from any thread. `whole` is told of a model that has just become usable."""

    def __init__(self, book: DownloadBook, pack: Pack, whole: Whole = lambda source, packed: packed) -> None:
        self._book = book
        self._pack = pack
        self._whole = whole

    def hand_over(self, download: Download) -> None:
        """All its files are there: order the packing, or end where none is wanted. Raises LibraryNotWritable."""
        book, record = self._book, download.record
        folder = book.sources.folder(record)
        if not record.packs or folder is None:
            if folder is not None:
                self._whole(folder, None)
            with book.lock:
                book.end(download)
            book.changed()
            return
        order = PackOrder(self, record, book.sources.library(record), packable(folder, record.files))
        with book.lock:
            if download.stop.is_set():
                return
            download.packing, download.order = (0, 0), order
            book.set(download, "packing")
        book.changed()
        self._pack(order)

    # what the compute lane says of an order

    def wants_packed(self, order: PackOrder) -> bool:
        with self._book.lock:
            return not self._book.is_closed and self._ordered(order) is not None

    def note_packing(self, order: PackOrder, done: int, total: int) -> None:
        with self._book.lock:
            if (download := self._ordered(order)) is not None:
                download.packing = (done, total)
        self._book.changed()

    def note_packed(self, order: PackOrder, packed: Path, weight_format: str) -> None:
        """Raises LibraryNotWritable and NoRoomForDownload."""
        book = self._book
        with book.lock:
            download = self._ordered(order)
        if download is None:
            return
        book.sources.settle(download.record, packed, weight_format)
        folder = book.sources.folder(download.record)
        packed = (self._whole(folder, packed) if folder is not None else None) or packed
        model_bytes = 0
        with contextlib.suppress(OSError):
            model_bytes = packed.stat().st_size
        with book.lock:
            download.model_bytes = model_bytes
            download.model_id = packed.name.removesuffix(packed.suffix)
            book.end(download)
        book.changed()

    def note_failed(self, order: PackOrder, error: EngineError) -> None:
        with self._book.lock:
            if (download := self._ordered(order)) is not None:
                self._book.fail(download, error)
        self._book.changed()

    def note_put_back(self, order: PackOrder) -> None:
        book = self._book
        with book.lock:
            if (download := self._ordered(order)) is not None:
                book.set(download, "paused" if download.record.is_paused else "queued")
                book.lock.notify_all()

    def _ordered(self, order: PackOrder) -> Download | None:
        """The download that waits for just this order."""
        download = self._book.downloads.get(order.download_id)
        waits = download is not None and download.state == "packing" and download.order is order
        return download if waits else None
