"""Rows of a file of conversations found page by page, where SQLite itself finds no way in.

A leaf of a table holds whole rows, whatever has become of the pages that lead to it. Owns what is needed of the file
format (https://www.sqlite.org/fileformat2.html, sections 1.6 and 2) to read those, and how a row of ours is told from
others by its values. Nothing is trusted: what leads outside the file or makes no sense is no row.
"""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from app.chat.identifiers import is_id
from app.chat.records import ROLES, TITLE_SOURCES

PAGE_BYTES = 4096  # what SQLite gives a new file; ours are all made so
MAX_SCANNED_BYTES = 1 << 30

_TABLE_LEAF, _INDEX_LEAF = 0x0D, 0x0A
_MAX_COLUMNS = 64
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

Values = tuple[Any, ...]


def scan_pages(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Rows by table, in the order of their row numbers. Raises OSError."""
    with path.open("rb") as file:
        data = file.read(MAX_SCANNED_BYTES)
    found: dict[str, dict[object, Values]] = {name: {} for name in _SHAPES}
    for start in range(PAGE_BYTES, len(data) - PAGE_BYTES + 1, PAGE_BYTES):
        kind = data[start]
        if kind in (_TABLE_LEAF, _INDEX_LEAF):
            for row, values in _rows(data, start, kind):
                for name, (its_kind, columns, fits) in _SHAPES.items():
                    if its_kind == kind and len(values) >= len(columns) and fits(values):
                        found[name][row if kind == _TABLE_LEAF else values[:2]] = values
                        break
    return {name: [_named(name, key, rows[key]) for key in sorted(rows, key=_sorting)] for name, rows in found.items()}


def _named(table: str, key: object, values: Values) -> dict[str, Any]:
    row = dict(zip(_SHAPES[table][1], values, strict=False))
    return row | {"row": key} if "row" in row else row


def _sorting(key: object) -> tuple[int, str]:
    return (key, "") if isinstance(key, int) else (0, repr(key))


# What rows of ours look like --------------------------------------------------------------------------------------


def _is_message(v: Values) -> bool:
    return v[0] is None and _is_name(v[1]) and _is_name(v[2]) and v[4] in ROLES and isinstance(v[10], str)


def _is_conversation(v: Values) -> bool:
    return v[0] is None and _is_name(v[1]) and isinstance(v[2], str) and v[3] in TITLE_SOURCES


def _is_folder(v: Values) -> bool:
    return len(v) == 3 and _is_name(v[0]) and isinstance(v[1], str) and isinstance(v[2], float)


def _is_draft(v: Values) -> bool:
    return len(v) == 2 and (v[0] is None or _is_name(v[0])) and isinstance(v[1], str)


def _is_piece(v: Values) -> bool:
    return len(v) == 3 and _is_name(v[0]) and isinstance(v[1], int) and isinstance(v[2], str)


def _is_note(v: Values) -> bool:
    return len(v) == 2 and isinstance(v[0], str) and isinstance(v[1], str)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and is_id(value)


_SHAPES: dict[str, tuple[int, tuple[str, ...], Callable[[Values], bool]]] = {
    "messages": (
        _TABLE_LEAF,
        (
            "row", "id", "conversation_id", "parent_id", "role", "status", "is_shown", "model", "created", "facts",
            "content",
        ),
        _is_message,
    ),
    "conversations": (
        _TABLE_LEAF,
        (
            "row", "id", "title", "title_source", "folder_id", "is_pinned", "is_unread", "created", "updated",
            "opened", "trashed", "system_prompt", "answers",
        ),
        _is_conversation,
    ),
    "folders": (_TABLE_LEAF, ("id", "name", "created"), _is_folder),
    "drafts": (_TABLE_LEAF, ("conversation_id", "content"), _is_draft),
    "pieces": (_INDEX_LEAF, ("message_id", "number", "content"), _is_piece),
    "notes": (_INDEX_LEAF, ("name", "value"), _is_note),
}  # fmt: skip


# The format -------------------------------------------------------------------------------------------------------


def _rows(data: bytes, start: int, kind: int) -> Iterator[tuple[int, Values]]:
    (n_cells,) = struct.unpack_from(">H", data, start + 3)
    if n_cells > (PAGE_BYTES - 8) // 2:
        return
    for (offset,) in struct.iter_unpack(">H", data[start + 8 : start + 8 + 2 * n_cells]):
        try:
            yield _cell(data, start, start + offset, kind)
        except (IndexError, ValueError, struct.error):
            continue


def _cell(data: bytes, start: int, at: int, kind: int) -> tuple[int, Values]:
    n_bytes, at = _varint(data, at)
    row = 0
    if kind == _TABLE_LEAF:
        row, at = _varint(data, at)
    if n_bytes > len(data):
        raise ValueError(n_bytes)
    largest = PAGE_BYTES - 35 if kind == _TABLE_LEAF else (PAGE_BYTES - 12) * 64 // 255 - 23
    n_here = n_bytes
    if n_bytes > largest:
        least = (PAGE_BYTES - 12) * 32 // 255 - 23
        n_here = least + (n_bytes - least) % (PAGE_BYTES - 4)
        n_here = n_here if n_here <= largest else least
    if at + n_here > start + PAGE_BYTES:
        raise ValueError(at)
    payload = data[at : at + n_here]
    if n_bytes > n_here:
        (page,) = struct.unpack_from(">I", data, at + n_here)
        payload += b"".join(_overflow(data, page, n_bytes - n_here))
    if len(payload) != n_bytes:
        raise ValueError(len(payload))
    return row, _record(payload)


def _overflow(data: bytes, page: int, n_bytes: int) -> Iterator[bytes]:
    while n_bytes > 0:
        start = (page - 1) * PAGE_BYTES
        if page < 2 or start + PAGE_BYTES > len(data):
            raise ValueError(page)
        (page,) = struct.unpack_from(">I", data, start)
        yield data[start + 4 : start + min(PAGE_BYTES, 4 + n_bytes)]
        n_bytes -= PAGE_BYTES - 4


def _record(payload: bytes) -> Values:
    n_header, at = _varint(payload, 0)
    kinds = []
    while at < n_header:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != n_header or len(kinds) > _MAX_COLUMNS:
        raise ValueError(n_header)
    values = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError(at)
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Any, int]:
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    if kind in (10, 11):
        raise ValueError(kind)
    n_bytes = 8 if kind == 7 else _INTEGER_BYTES[kind] if kind < 7 else (kind - 12) // 2
    raw = payload[at : at + n_bytes]
    if len(raw) != n_bytes:
        raise ValueError(n_bytes)
    if kind == 7:
        return struct.unpack(">d", raw)[0], at + 8
    if kind < 7:
        return int.from_bytes(raw, "big", signed=True), at + n_bytes
    return (raw.decode("utf-8", "replace") if kind % 2 else raw), at + n_bytes


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for number in range(9):
        byte = data[at + number]
        if number == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + number + 1
    raise ValueError(at)
