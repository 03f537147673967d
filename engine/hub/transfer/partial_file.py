"""All that is on disk of an unfinished file: its bytes, its journal, and the plan of what is missing.

Owns their order: a byte is written before the journal says so, and only what the journal says counts as held. Safe to
use from several threads, each with a segment of its own.
"""

import threading
import zlib
from collections.abc import Iterable
from pathlib import Path

from engine.errors import EngineError
from engine.hub.transfer.journal import HeldBlock, Identity, Journal
from engine.hub.transfer.part_file import PartFile, disk_errors, put_in_place
from engine.hub.transfer.segments import Segment, SegmentPlan

SYNC_BYTES = 32 << 20  # after so many the drive is made to keep them: a power cut may cost twice as much of one file
RECORD_BYTES = 256 << 10  # at most so many bytes of a segment are written and not in the journal: what a kill may cost


class PartialFile:
    """An unfinished file of a certain identity at `part` and `journal`; what was there of another one is dropped.

    Every method that writes raises LibraryNotWritable and NoRoomForDownload.
    """

    def __init__(self, part: Path, journal: Path, identity: Identity) -> None:
        self.identity = identity
        self._part_path, self._journal_path = part, journal
        self._lock = threading.Lock()
        self._sync_lock = threading.Lock()
        self._unsynced_bytes = 0
        self._syncing: threading.Thread | None = None
        self._sync_error: EngineError | None = None
        self._is_open = True
        with disk_errors(part):
            if not part.exists():
                journal.unlink(missing_ok=True)  # it would speak of bytes that are not there
            self._journal = Journal(journal, identity)
            try:
                self._drop_what_is_not_there()
                self._part = PartFile(part)
            except BaseException:
                self._journal.close()
                raise
        held = {number: block.n_bytes for number, block in self._journal.entries.blocks.items()}
        self._plan = SegmentPlan(identity.size_bytes, identity.block_bytes, held)

    @property
    def path(self) -> Path:
        return self._part_path

    @property
    def held_bytes(self) -> int:
        return self._plan.held_bytes

    @property
    def is_complete(self) -> bool:
        return self._plan.is_complete

    @property
    def prefix_bytes(self) -> int:
        """Held from the beginning without a gap."""
        with self._lock:
            return self._plan.prefix_bytes

    @property
    def validator(self) -> str:
        """The strong ETag of the server that gave the bytes, in its quotation marks, or an empty string."""
        return self._journal.entries.validator

    @validator.setter
    def validator(self, validator: str) -> None:
        with self._lock:
            self._journal.record_validator(validator)

    def blocks(self) -> dict[int, HeldBlock]:
        """What is held of each block."""
        with self._lock:
            return dict(self._journal.entries.blocks)

    def claim(self, longest_bytes: int) -> Segment | None:
        with self._lock:
            return self._plan.claim(longest_bytes)

    def release(self, segment: Segment) -> None:
        with self._lock:
            self._plan.release(segment)

    def forget(self, blocks: Iterable[int]) -> None:
        """These blocks are to be fetched again. On disk the journal keeps their lines until they have been."""
        with self._lock:
            for block in blocks:
                self._plan.hold(block, 0)
                self._journal.entries.blocks.pop(block, None)

    def sync(self) -> None:
        """Make all that is held outlast a power cut; nothing once it is closed."""
        if self._is_open:
            self._await_sync()
            self._part.sync()
            self._journal.sync()

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            if self._syncing is not None:
                self._syncing.join()
            self._part.close()
            self._journal.close()

    def discard(self) -> None:
        """Close and delete it."""
        self.close()
        with disk_errors(self._part_path):
            self._journal_path.unlink(missing_ok=True)
            self._part_path.unlink(missing_ok=True)

    def finish(self, target: Path) -> None:
        """Close it and give it its name; to be called when it is complete, synced and proven."""
        self.close()
        put_in_place(self._part_path, target)
        with disk_errors(self._journal_path):
            self._journal_path.unlink(missing_ok=True)

    def _drop_what_is_not_there(self) -> None:
        """Leave out blocks beyond the end of the part, and a part of which nothing is held."""
        blocks, block_bytes = self._journal.entries.blocks, self.identity.block_bytes
        there = self._part_path.stat().st_size if self._part_path.exists() else 0
        for number in [n for n, held in blocks.items() if n * block_bytes + held.n_bytes > there]:
            del blocks[number]
        if not blocks or there > self.identity.size_bytes:
            blocks.clear()
            self._part_path.unlink(missing_ok=True)

    def _crc_of(self, block: int) -> int:
        with self._lock:
            held = self._journal.entries.blocks.get(block)
        return held.crc32 if held else 0

    def _hold(self, block: int, held: HeldBlock) -> None:
        with self._lock:
            self._unsynced_bytes += held.n_bytes - self._plan.held(block)
            self._journal.record(block, held)
            self._plan.hold(block, held.n_bytes)
            is_due = self._unsynced_bytes >= SYNC_BYTES
            if is_due:
                self._unsynced_bytes = 0
        if is_due:
            self._sync_aside()

    def _sync_aside(self) -> None:
        """Let the drive keep what is written, on a thread of its own: meanwhile bytes go on arriving.

        Only where the drive is still busy with the former ones they wait. Raises what that thread met.
        """
        with self._sync_lock:
            self._await_sync()
            self._syncing = threading.Thread(target=self._try_sync, name="ember-transfer-sync", daemon=True)
            self._syncing.start()

    def _await_sync(self) -> None:
        """Raises what the latest one met: the system tells of it only once."""
        if self._syncing is not None:
            self._syncing.join()
        if self._sync_error is not None:
            raise self._sync_error

    def _try_sync(self) -> None:
        try:
            self._part.sync()
            self._journal.sync()
        except EngineError as error:
            self._sync_error = error


class SegmentWriter:
    """Takes the bytes of a segment in their order, in pieces of any size, and records what has been written in time."""

    def __init__(self, partial: PartialFile, segment: Segment) -> None:
        self.position = segment.start
        self._partial = partial
        self._end = segment.end
        self._crc = partial._crc_of(segment.start // partial.identity.block_bytes)
        self._recorded_to = segment.start

    @property
    def is_full(self) -> bool:
        return self.position == self._end

    def write(self, data: bytes) -> bool:
        """No more than the segment still lacks; returns whether bytes were recorded.

        Raises LibraryNotWritable and NoRoomForDownload.
        """
        recorded_to = self._recorded_to
        self._partial._part.write_at(self.position, data)
        view = memoryview(data)
        block_bytes = self._partial.identity.block_bytes
        while view:
            room = min(block_bytes - self.position % block_bytes, self._end - self.position)
            piece, view = view[:room], view[room:]
            self._crc = zlib.crc32(piece, self._crc)
            self.position += len(piece)
            if self.position % block_bytes == 0 or self.is_full:
                self.record()
                self._crc = 0
        if self.position - self._recorded_to >= RECORD_BYTES:
            self.record()
        return self._recorded_to > recorded_to

    def record(self) -> None:
        """Record what there is of the block that is being filled."""
        if self.position == self._recorded_to:
            return
        block = (self.position - 1) // self._partial.identity.block_bytes
        n_bytes = self.position - block * self._partial.identity.block_bytes
        self._partial._hold(block, HeldBlock(n_bytes, self._crc))
        self._recorded_to = self.position
