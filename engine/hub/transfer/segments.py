"""Which bytes of a file are held, which are being fetched, and which to fetch next.

A file is cut into blocks of one size; of each block a beginning is held, from nothing to all of it. A segment is a run
of missing bytes that one connection fetches with one request: it begins where the held beginning of a block ends, and
covers whole blocks from there. Not safe to use from several threads: its owner holds a lock.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes from `start` up to, not including, `end`."""

    start: int
    end: int

    @property
    def n_bytes(self) -> int:
        return self.end - self.start


class SegmentPlan:
    """`held` gives the bytes held at the beginning of each block that has any."""

    def __init__(self, size_bytes: int, block_bytes: int, held: Mapping[int, int]) -> None:
        self.size_bytes = size_bytes
        self.block_bytes = block_bytes
        self.n_blocks = -(-size_bytes // block_bytes)
        self._held = dict(held)  # no entry is nothing: what a hub declares may be larger than any memory
        self._claimed: set[int] = set()
        self._cursor = 0  # no block before it can be claimed
        self._n_whole = 0  # so many blocks at the beginning are whole, or more
        self.held_bytes = sum(held.values())

    @property
    def is_complete(self) -> bool:
        return self.held_bytes == self.size_bytes

    @property
    def prefix_bytes(self) -> int:
        """Held from the beginning of the file without a gap, in whole blocks."""
        while self._n_whole < self.n_blocks and self.held(self._n_whole) == self.length(self._n_whole):
            self._n_whole += 1
        return min(self._n_whole * self.block_bytes, self.size_bytes)

    def length(self, block: int) -> int:
        """Bytes in a block: all alike, but for the last."""
        return min(self.block_bytes, self.size_bytes - block * self.block_bytes)

    def held(self, block: int) -> int:
        return self._held.get(block, 0)

    def claim(self, longest_bytes: int) -> Segment | None:
        """The first run of missing bytes that nobody fetches, cut after the block that makes it `longest_bytes`."""
        while self._cursor < self.n_blocks and not self._is_free(self._cursor):
            self._cursor += 1
        first = end = self._cursor
        if first == self.n_blocks:
            return None
        start = first * self.block_bytes + self.held(first)
        while end == first or (
            end < self.n_blocks
            and self._is_free(end)
            and self.held(end) == 0
            and end * self.block_bytes - start < longest_bytes
        ):
            self._claimed.add(end)
            end += 1
        self._cursor = end
        return Segment(start, min(end * self.block_bytes, self.size_bytes))

    def release(self, segment: Segment) -> None:
        """The connection that claimed it has left it, finished or not."""
        first = segment.start // self.block_bytes
        self._claimed.difference_update(range(first, -(-segment.end // self.block_bytes)))
        self._cursor = min(self._cursor, first)

    def hold(self, block: int, n_bytes: int) -> None:
        """The first `n_bytes` of a block are on disk."""
        self.held_bytes += n_bytes - self.held(block)
        self._held[block] = n_bytes
        self._cursor = min(self._cursor, block)
        if n_bytes < self.length(block):
            self._n_whole = min(self._n_whole, block)

    def _is_free(self, block: int) -> bool:
        return block not in self._claimed and self.held(block) < self.length(block)
