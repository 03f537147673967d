"""Which bytes of an unfinished file are on disk, kept beside it so that any end of the process leaves it usable.

The first line is JSON: what the file is. Each further line is `block bytes crc32` (so many bytes of that block are
there, from its beginning, and have that CRC), appended after the bytes themselves were written; a later line about a
block replaces an earlier one. `etag "..."` is the validator of the server that gave the bytes. What a kill cut short or
a power cut spoiled is left out when it is read; a line about bytes that never reached the disk is found out by the CRC.
"""

import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

from engine.hub.transfer.part_file import disk_errors

SCHEMA = 1
_BLOCK = re.compile(rb"(\d{1,9}) (\d{1,12}) ([0-9a-f]{8})")
_VALIDATOR = re.compile(rb'etag ("[\x21\x23-\x7e]{1,500}")')
_LONGEST_HEAD = 64 << 10
_LINE_BYTES = 512  # no line is longer, but for the first


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes bytes on disk the beginning of a certain file; `etag` is the hub's, the digest of the content."""

    repo: str
    path: str
    etag: str
    size_bytes: int
    block_bytes: int


@dataclass(frozen=True, slots=True)
class HeldBlock:
    """The first `n_bytes` of a block, and their CRC-32."""

    n_bytes: int
    crc32: int


@dataclass
class JournalEntries:
    """What a journal says: the held blocks by number, and the validator of the server, or an empty string."""

    blocks: dict[int, HeldBlock] = field(default_factory=dict)
    validator: str = ""


class Journal:
    """An open journal. Not safe to use from several threads: its owner holds a lock."""

    def __init__(self, path: Path, identity: Identity) -> None:
        """Continue the journal at `path` if it is about the same file, else begin an empty one.

        Raises LibraryNotWritable and NoRoomForDownload.
        """
        self._path = path
        self.entries = JournalEntries()
        with disk_errors(self._path, _LINE_BYTES):
            kept = _read(path, identity)
            if kept is None:
                self._begin(identity)
            else:
                self.entries, whole_bytes = kept
                os.truncate(path, whole_bytes)  # a last line that was cut short would spoil the next one
            self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))

    def record(self, block: int, held: HeldBlock) -> None:
        """To be called after the bytes were written. Raises LibraryNotWritable and NoRoomForDownload."""
        self.entries.blocks[block] = held
        self._append(b"%d %d %08x\n" % (block, held.n_bytes, held.crc32))

    def record_validator(self, validator: str) -> None:
        """A strong ETag in its quotation marks, or an empty string, which is not recorded."""
        self.entries.validator = validator
        if validator and _VALIDATOR.fullmatch(line := b"etag " + validator.encode("latin-1")):
            self._append(line + b"\n")

    def sync(self) -> None:
        """Make what was recorded outlast a power cut; the bytes it is about are to be synced before."""
        with disk_errors(self._path, _LINE_BYTES):
            os.fsync(self._handle)

    def close(self) -> None:
        os.close(self._handle)

    def _append(self, line: bytes) -> None:
        with disk_errors(self._path, _LINE_BYTES):
            os.write(self._handle, line)

    def _begin(self, identity: Identity) -> None:
        fresh = self._path.with_name(self._path.name + ".new")
        with fresh.open("wb") as file:
            file.write(json.dumps({"schema": SCHEMA, **asdict(identity)}).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._path)


def read_journal(path: Path) -> tuple[Identity, JournalEntries] | None:
    """What a journal is about and says, whatever file that is; None where there is none that can be read."""
    try:
        found = _parse(path.read_bytes())
    except OSError:
        return None
    return found and (found[0], found[1])


def _read(path: Path, identity: Identity) -> tuple[JournalEntries, int] | None:
    """What is said about the file of this identity and the bytes up to the last whole line; None for another file."""
    try:
        found = _parse(path.read_bytes())
    except FileNotFoundError:
        return None
    return (found[1], found[2]) if found and found[0] == identity else None


def _parse(text: bytes) -> tuple[Identity, JournalEntries, int] | None:
    head, newline, rest = text.partition(b"\n")
    identity = _identity(head) if newline else None
    if identity is None:
        return None
    entries = JournalEntries()
    lines = rest.split(b"\n")
    cut_short = lines.pop()
    for line in lines:
        if match := _BLOCK.fullmatch(line):
            block, n_bytes = int(match[1]), int(match[2])
            longest = min(identity.block_bytes, identity.size_bytes - block * identity.block_bytes)
            if 0 < n_bytes <= longest:
                entries.blocks[block] = HeldBlock(n_bytes, int(match[3], 16))
        elif match := _VALIDATOR.fullmatch(line):
            entries.validator = match[1].decode("latin-1")
    return identity, entries, len(text) - len(cut_short)


def _identity(head: bytes) -> Identity | None:
    try:
        found = json.loads(head) if len(head) <= _LONGEST_HEAD else None
        if not isinstance(found, dict) or found.pop("schema", None) != SCHEMA:
            return None
        identity = Identity(**found)
    except (ValueError, TypeError, RecursionError):
        return None
    counts, texts = (identity.size_bytes, identity.block_bytes), (identity.repo, identity.path, identity.etag)
    is_sound = all(type(n) is int and n >= 0 for n in counts) and all(isinstance(text, str) for text in texts)
    return identity if is_sound and identity.block_bytes else None
