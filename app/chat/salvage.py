"""What can still be read of a damaged file of conversations.

Reads a table forward until it breaks, backward until it breaks, and what lies between row by row, so that a bad page
costs the rows on it and no more; where something is missing, the pages themselves are looked through as well. What
belonged together and lost its other half is kept: a message whose parent is gone becomes another beginning, and
messages whose conversation is gone get one. The damaged file is only read.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.chat.conversation import STATUSES, title_of
from app.chat.page_scan import scan_pages
from app.chat.records import FIRST_LINE, ROLES, TITLE_SOURCES
from app.chat.schema import TABLES

MAX_GAP_ROWS = 200_000
"""Rows between two readable stretches that are tried one by one."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SalvageReport:
    """What happened to a damaged file.

    damaged_path    where it lies now, untouched
    reason          what SQLite found
    n_conversations, n_messages   what was read out of it
    n_unreadable    rows that are known to be lost; more may be, where a whole table could not be read
    """

    damaged_path: str
    reason: str
    n_conversations: int
    n_messages: int
    n_unreadable: int


def salvage_into(fresh: sqlite3.Connection, damaged: Path) -> tuple[int, int, int]:
    """Fill an empty database of the current version; returns conversations, messages and known losses."""
    tables = _tables(damaged)
    rows: dict[str, list[Row]] = {}
    n_lost = 0
    for table in TABLES:
        rows[table], lost = tables.get(table, ([], 1))
        n_lost += lost
    if n_lost:
        # Behind what SQLite can read, so that of two rows of one name the one it read counts.
        for table, scanned in scan_pages(damaged).items():
            rows[table] += scanned
    messages = _whole_messages(rows["messages"], rows["pieces"])
    conversations = _whole_conversations(rows["conversations"], messages, rows["folders"])
    kept = {c["id"] for c in conversations}
    fresh.execute("BEGIN IMMEDIATE")
    for folder in _unique(rows["folders"]):
        _insert(fresh, "folders", {n: folder[n] for n in ("id", "name", "created")})
    for conversation in conversations:
        _insert(fresh, "conversations", conversation)
    for message in messages:
        _insert(fresh, "messages", message)
    drafts = {d.get("conversation_id"): d.get("content") for d in reversed(rows["drafts"])}
    for owner, content in drafts.items():
        if isinstance(content, str) and (owner is None or owner in kept):
            _insert(fresh, "drafts", {"conversation_id": owner, "content": content})
    for note in rows["notes"]:
        if isinstance(note.get("name"), str) and isinstance(note.get("value"), str):
            fresh.execute("INSERT OR IGNORE INTO notes VALUES (?, ?)", (note["name"], note["value"]))
    fresh.execute("COMMIT")
    return len(conversations), len(messages), n_lost


# Reading ----------------------------------------------------------------------------------------------------------


def _tables(damaged: Path) -> dict[str, tuple[list[Row], int]]:
    """Rows of every table that can be found, by column name, and how many were seen to be unreadable.

    Where the journal is what is damaged, the file alone is read.
    """
    for options in ("mode=ro", "mode=ro&immutable=1"):
        with contextlib.suppress(sqlite3.DatabaseError), contextlib.closing(_reader(damaged, options)) as db:
            names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            return {name: _rows(db, name) for name in TABLES if name in names}
    return {}


def _reader(path: Path, options: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, timeout=1.0, isolation_level=None)
    db.text_factory = lambda text: text.decode("utf-8", "replace")
    db.execute("PRAGMA cell_size_check = ON")
    return db


def _rows(db: sqlite3.Connection, table: str) -> tuple[list[Row], int]:
    try:
        columns = [column[1] for column in db.execute(f"PRAGMA table_info({table})")]
    except sqlite3.DatabaseError:
        return [], 1
    has_rowid = table not in ("pieces", "notes")
    query = f"SELECT rowid, * FROM {table} ORDER BY rowid" if has_rowid else f"SELECT 1, * FROM {table}"  # noqa: S608
    ascending, is_whole = _until_it_breaks(db, query)
    if is_whole or not has_rowid:
        return [dict(zip(columns, row[1:], strict=True)) for row in ascending], 0 if is_whole else 1
    descending, _ = _until_it_breaks(db, f"{query} DESC")
    found = {row[0]: row for row in (*ascending, *descending)}
    low = max((row[0] for row in ascending), default=0)
    high = min((row[0] for row in descending), default=_highest(db, table, low))
    n_lost = 0
    for number in range(low + 1, min(high, low + MAX_GAP_ROWS)):
        try:
            row = db.execute(f"SELECT rowid, * FROM {table} WHERE rowid = ?", (number,)).fetchone()  # noqa: S608
        except sqlite3.DatabaseError:
            n_lost += 1
            continue
        if row is not None:
            found[number] = row
    rows = [dict(zip(columns, found[number][1:], strict=True)) for number in sorted(found)]
    return rows, n_lost


def _until_it_breaks(db: sqlite3.Connection, query: str) -> tuple[list[tuple[Any, ...]], bool]:
    rows: list[tuple[Any, ...]] = []
    try:
        rows.extend(iter(db.execute(query)))  # what came before the error stays
    except sqlite3.DatabaseError:
        return rows, False
    return rows, True


def _highest(db: sqlite3.Connection, table: str, low: int) -> int:
    """A row number beyond all others, as far as an index or nothing at all tells."""
    try:
        return int(db.execute(f"SELECT max(rowid) FROM {table}").fetchone()[0] or low) + 1  # noqa: S608
    except sqlite3.DatabaseError:
        return low + 10_000


# Making whole -----------------------------------------------------------------------------------------------------


def _whole_messages(rows: list[Row], pieces: list[Row]) -> list[Row]:
    """Messages that fit the schema; an answer that was being written gets its pieces."""
    numbered = {
        (piece.get("message_id"), piece["number"]): piece["content"]
        for piece in reversed(pieces)
        if isinstance(piece.get("number"), int) and isinstance(piece.get("content"), str)
    }
    added: dict[object, str] = {}
    for message_id, number in sorted(numbered, key=lambda key: key[1]):
        added[message_id] = added.get(message_id, "") + numbered[message_id, number]
    messages = []
    for row in sorted(_unique(rows), key=_row_number):
        if row.get("role") not in ROLES or not isinstance(row.get("content"), str):
            continue
        if not isinstance(row.get("conversation_id"), str):
            continue
        messages.append(
            {
                "id": row["id"], "conversation_id": row["conversation_id"], "parent_id": row.get("parent_id"),
                "role": row["role"], "status": row["status"] if row.get("status") in STATUSES else "done",
                "is_shown": bool(row.get("is_shown")), "model": _text(row.get("model")),
                "created": _time(row.get("created")), "facts": _text(row.get("facts")) or None,
                "content": row["content"] + added.get(row["id"], ""),
            }
        )  # fmt: skip
    return list(_one_shown(_without_gaps(messages)))


def _without_gaps(messages: list[Row]) -> list[Row]:
    """Parents that are there, in the same conversation, and not among what hangs on the message itself."""
    known = {m["id"]: m for m in messages}
    for message in messages:
        parent = known.get(message["parent_id"])
        if parent is None or parent["conversation_id"] != message["conversation_id"]:
            message["parent_id"] = None
    settled: set[str] = set()
    for message in messages:
        path: set[str] = set()
        at = message
        while at["id"] not in settled and at["parent_id"] is not None:
            if at["id"] in path:
                at["parent_id"] = None
                break
            path.add(at["id"])
            at = known[at["parent_id"]]
        settled |= path | {at["id"]}
    return messages


def _one_shown(messages: list[Row]) -> Iterator[Row]:
    groups: dict[tuple[str, str | None], list[Row]] = {}
    for message in messages:
        groups.setdefault((message["conversation_id"], message["parent_id"]), []).append(message)
    shown = {next((m["id"] for m in group if m["is_shown"]), group[-1]["id"]) for group in groups.values()}
    for message in messages:
        yield message | {"is_shown": int(message["id"] in shown)}


def _whole_conversations(rows: list[Row], messages: list[Row], folders: list[Row]) -> list[Row]:
    known_folders = {f["id"] for f in _unique(folders)}
    firsts: dict[str, Row] = {}
    for message in messages:
        firsts.setdefault(message["conversation_id"], message)
    conversations = []
    seen = set()
    for row in _unique(rows):
        seen.add(row["id"])
        source = row.get("title_source")
        conversations.append(
            {
                "id": row["id"], "title": _text(row.get("title")),
                "title_source": source if source in TITLE_SOURCES else FIRST_LINE,
                "folder_id": row["folder_id"] if row.get("folder_id") in known_folders else None,
                "is_pinned": int(bool(row.get("is_pinned"))), "is_unread": int(bool(row.get("is_unread"))),
                "created": _time(row.get("created")), "updated": _time(row.get("updated")),
                "opened": _time(row.get("opened")),
                "trashed": _time(row["trashed"]) if row.get("trashed") is not None else None,
                "system_prompt": _text(row.get("system_prompt")),
                "answers": _text(row.get("answers")) or None,
            }
        )  # fmt: skip
    for conversation_id, first in firsts.items():
        if conversation_id not in seen:
            at = first["created"]
            conversations.append(
                {"id": conversation_id, "title": title_of(first["content"]), "title_source": FIRST_LINE,
                 "created": at, "updated": at, "opened": at}
            )  # fmt: skip
    return conversations


def _unique(rows: list[Row]) -> Iterator[Row]:
    seen: set[str] = set()
    for row in rows:
        if isinstance(row.get("id"), str) and row["id"] not in seen:
            seen.add(row["id"])
            yield row


def _row_number(row: Row) -> int:
    number = row.get("row")
    return number if isinstance(number, int) else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _time(value: object) -> float:
    return float(value) if isinstance(value, int | float) else time.time()


def _insert(db: sqlite3.Connection, table: str, row: Row) -> None:
    columns, marks = ", ".join(row), ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(row.values()))  # noqa: S608 - names of ours
