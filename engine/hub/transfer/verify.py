"""Whether a whole file is what the hub announced, and if not, which of its blocks changed on this disk.

Large files have a SHA-256; the others have the name that git gives their content, a SHA-1 over a short head and the
bytes. The blocks' CRCs in the journal are of the bytes as they arrived, so a block that differs was spoiled here.
"""

import hashlib
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.errors import LibraryNotWritable
from engine.hub.transfer.journal import HeldBlock

_READ_BYTES = 1 << 20


class Hash(Protocol):
    def update(self, data: bytes | memoryview, /) -> None: ...
    def hexdigest(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found: the digest of the file, and the blocks whose bytes are not those that arrived."""

    digest: str
    spoiled_blocks: tuple[int, ...]


def digest_kind(etag: str) -> str:
    """`SHA-256` or `git SHA-1` by the form of a hub's ETag, or an empty string where it is no digest."""
    if re.fullmatch(r"[0-9a-f]{64}", etag):
        return "SHA-256"
    return "git SHA-1" if re.fullmatch(r"[0-9a-f]{40}", etag) else ""


def read_back(
    path: Path,
    size_bytes: int,
    etag: str,
    block_bytes: int,
    blocks: Mapping[int, HeldBlock],
    on_bytes: Callable[[int], None],
) -> Verdict:
    """Read the file once for its digest, of the kind that `etag` is, and for the CRC of each block in `blocks`.

    `on_bytes` is told how many have been read and may raise to stop. Raises LibraryNotWritable where it cannot be read.
    """
    digest = _hash_for(etag, size_bytes)
    spoiled: list[int] = []
    n_read = 0
    try:
        with path.open("rb") as file:
            for number in range(-(-size_bytes // block_bytes)):
                data = file.read(min(block_bytes, size_bytes - n_read))
                digest.update(data)
                held = blocks.get(number)
                if held is not None and (len(data) != held.n_bytes or zlib.crc32(data) != held.crc32):
                    spoiled.append(number)
                n_read += len(data)
                on_bytes(n_read)
    except OSError as error:
        raise LibraryNotWritable(str(path), error.strerror or str(error)) from error
    return Verdict(digest.hexdigest(), tuple(spoiled))


class RunningDigest:
    """The digest of a file's beginning, carried on while the rest arrives, so that little is left to read at the end.

    To be used by one thread at a time.
    """

    def __init__(self, size_bytes: int, etag: str) -> None:
        self._hash = _hash_for(etag, size_bytes)
        self.n_bytes = 0

    def read(self, path: Path, up_to: int, on_bytes: Callable[[int], None]) -> None:
        """Carry it on; `on_bytes` is told how many bytes it is of and may raise to stop, which loses nothing.

        Raises LibraryNotWritable where the file cannot be read.
        """
        room = memoryview(bytearray(min(_READ_BYTES, max(up_to - self.n_bytes, 0))))  # one for all: new ones cost more
        try:
            with path.open("rb", buffering=0) as file:
                file.seek(self.n_bytes)
                while n_read := file.readinto(room[: up_to - self.n_bytes]):
                    self._hash.update(room[:n_read])
                    self.n_bytes += n_read
                    on_bytes(self.n_bytes)
        except OSError as error:
            raise LibraryNotWritable(str(path), error.strerror or str(error)) from error

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


class SecondReading:
    """What to fetch again when a file is wrong although every block is as it arrived: then a block arrived wrong.

    Nobody says which, so they are fetched again a batch at a time, until one of them arrives otherwise than before.
    """

    def __init__(self, blocks: Mapping[int, HeldBlock]) -> None:
        self._before = dict(blocks)
        self._left = sorted(blocks)
        self._batch: tuple[int, ...] = ()

    def next_batch(self, n_blocks: int) -> tuple[int, ...]:
        """The blocks to fetch now; empty when all have been."""
        self._batch, self._left = tuple(self._left[:n_blocks]), self._left[n_blocks:]
        return self._batch

    def found_difference(self, blocks: Mapping[int, HeldBlock]) -> bool:
        """Whether a block of the latest batch is other than at first."""
        return any(blocks.get(number) != self._before[number] for number in self._batch)


def _hash_for(etag: str, size_bytes: int) -> Hash:
    if digest_kind(etag) == "SHA-256":
        return hashlib.sha256()
    digest = hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % size_bytes)
    return digest
