"""The conversations that Ember 0.1 kept, taken over once into the database of this version.

The old file is opened for reading only and stays as it is. That it was taken over is written down in the same
transaction, so that a conversation that is deleted afterwards does not come back, and a second attempt does nothing.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.chat.answer_facts import facts_from_json
from app.chat.chats import Chats
from app.chat.connections import connect
from app.chat.conversation import DONE, INTERRUPTED, STATUSES, STREAMING
from app.chat.identifiers import imported_id
from app.chat.imports import ImportReport, ReadConversations, insert_read
from app.chat.records import FIRST_LINE, ROLES, ConversationSummary, StoredConversation, StoredMessage
from app.chat.store_errors import StoreError, explained

SOURCE = "Ember 0.1"
_NOTE = "previous_store"
_KNOWN_VERSIONS = (1,)
_NEW_CONVERSATION = 0
"""Stands there for the one that is not begun yet, where its draft is kept."""


def take_over(chats: Chats, previous: Path) -> ImportReport | None:
    """Conversations and drafts of the old file; None where there is none, or where this was done before.

    Raises StoreError: about the old file (its path says which) with nothing written, or about the database.
    """
    with chats.database.reading() as db:
        if db.execute("SELECT 1 FROM notes WHERE name = ?", (_NOTE,)).fetchone():
            return None
    if not previous.exists():
        return None
    conversations, drafts = _read(previous)
    with chats.database.writing(is_lasting=True) as db:
        report = insert_read(db, ReadConversations(SOURCE, conversations))
        for conversation_id, text in drafts.items():
            db.execute("INSERT OR IGNORE INTO drafts VALUES (?, ?)", (conversation_id, text))
        db.execute("INSERT INTO notes VALUES (?, ?)", (_NOTE, SOURCE))
    return report


def _read(previous: Path) -> tuple[tuple[StoredConversation, ...], dict[str | None, str]]:
    with explained(previous), contextlib.closing(connect(previous, mode="ro")) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version not in _KNOWN_VERSIONS:
            raise StoreError("foreign", str(previous), f"version {version}")
        rows = db.execute(
            "SELECT id, title, leaf_id, created, updated FROM conversations WHERE deleted IS NULL ORDER BY id"
        ).fetchall()
        conversations = tuple(_conversation(db, *row) for row in rows)
        names = {row[0]: c.id for row, c in zip(rows, conversations, strict=True)}
        kept = names | {_NEW_CONVERSATION: None}
        drafts = {
            kept[number]: text
            for number, text in db.execute("SELECT conversation_id, content FROM drafts")
            if number in kept and text
        }
    return conversations, drafts


def _conversation(
    db: sqlite3.Connection, number: int, title: str, leaf_id: int | None, created: float, updated: float
) -> StoredConversation:
    origin = (SOURCE, repr(created), str(number))
    conversation_id = imported_id(*origin)
    rows = db.execute(
        "SELECT id, parent_id, role, content, status, stats, model, created FROM messages"
        " WHERE conversation_id = ? ORDER BY id",
        (number,),
    ).fetchall()
    rows = [row for row in rows if row[2] in ROLES]
    parents = _parents(rows)
    shown = _shown(parents, leaf_id)
    names: dict[int | None, str] = {row[0]: imported_id(*origin, str(row[0])) for row in rows}
    messages = tuple(
        StoredMessage(
            names[row[0]],
            conversation_id,
            names.get(parents[row[0]]),
            row[2],
            row[3],
            _status(row[4]),
            row[6],
            row[7],
            facts_from_json(row[5]),
            row[0] in shown,
        )
        for row in rows
    )
    summary = ConversationSummary(conversation_id, title, FIRST_LINE, created=created, updated=updated, opened=updated)
    return StoredConversation(summary, "", messages)


def _parents(rows: list[tuple[Any, ...]]) -> dict[int, int | None]:
    """A message came after its parent; what does not is a beginning, as the old store showed it."""
    numbers = {row[0] for row in rows}
    return {row[0]: row[1] if row[1] in numbers and row[1] < row[0] else None for row in rows}


def _shown(parents: dict[int, int | None], leaf_id: int | None) -> set[int]:
    """Of the children of each parent the one on the path to the leaf, or the newest."""
    chosen: dict[int | None, int] = {}
    for number, parent in parents.items():
        chosen[parent] = number  # ascending: the newest stays
    for number in _up(parents, leaf_id):
        chosen[parents[number]] = number
    return set(chosen.values())


def _up(parents: dict[int, int | None], number: int | None) -> Iterator[int]:
    while number is not None and number in parents:
        yield number
        number = parents[number]


def _status(status: str) -> str:
    if status == STREAMING:
        return INTERRUPTED
    return status if status in STATUSES else DONE
