"""Versions of messages with what hangs on them: taken out, put back, and a path copied into another conversation.

Each function belongs inside a transaction that its caller has begun.
"""

import sqlite3
from dataclasses import dataclass, replace

from app.chat.conversation import INTERRUPTED
from app.chat.identifiers import new_id
from app.chat.records import StoredMessage
from app.chat.rows import (
    MESSAGE,
    found_message,
    hide_versions,
    insert_message,
    message_of,
    path_to,
    pieces_of,
    refuse_running,
    require,
    require_parent,
    show_some_version,
)

_BELOW = (
    "id IN (WITH RECURSIVE below(id) AS (SELECT ? UNION"
    " SELECT messages.id FROM messages JOIN below ON messages.parent_id = below.id) SELECT id FROM below)"
)


@dataclass(frozen=True, slots=True)
class DeletedVersion:
    """A message that was erased, and with it all that hung on it, by the numbers of their rows."""

    top: StoredMessage
    rows: tuple[tuple[int, StoredMessage], ...]

    @property
    def conversation_id(self) -> str:
        return self.top.conversation_id


def take_out(db: sqlite3.Connection, message_id: str) -> DeletedVersion:
    """Erase a message with all below it, and show another version of it. Raises AnswerRunning."""
    gone = found_message(db, message_id)
    refuse_running(db, _BELOW, (message_id,))
    found = db.execute(f"SELECT row, {MESSAGE} FROM messages WHERE {_BELOW} ORDER BY row", (message_id,))  # noqa: S608
    rows = tuple((row[0], message_of(row[1:])) for row in found.fetchall())
    (at,) = (number for number, message in rows if message.id == message_id)
    db.execute(f"DELETE FROM messages WHERE {_BELOW}", (message_id,))  # noqa: S608
    if gone.is_shown:
        db.execute(
            "UPDATE messages SET is_shown = 1 WHERE row = (SELECT row FROM messages WHERE conversation_id = ?"
            " AND parent_id IS ? ORDER BY row > ?, abs(row - ?) LIMIT 1)",
            (gone.conversation_id, gone.parent_id, at, at),
        )
    return DeletedVersion(gone, rows)


def put_back(db: sqlite3.Connection, deleted: DeletedVersion) -> None:
    """What was taken out is where it was, and shown where it was. Raises UnknownRecord where its place is gone."""
    top = deleted.top
    require(db, "conversations", top.conversation_id)
    require_parent(db, top.conversation_id, top.parent_id)
    if db.execute("SELECT 1 FROM messages WHERE id = ?", (top.id,)).fetchone():
        return
    if top.is_shown:
        hide_versions(db, top)
    for row, message in deleted.rows:
        is_taken = db.execute("SELECT 1 FROM messages WHERE row = ?", (row,)).fetchone() is not None
        insert_message(db, message, None if is_taken else row)
    if not top.is_shown:  # the version that was shown may have been deleted since
        show_some_version(db, top)


def copy_path(db: sqlite3.Connection, message_id: str, conversation_id: str) -> None:
    """The path down to a message into another conversation; an answer still being written is cut there."""
    path = path_to(db, message_id)
    added = pieces_of(db, [message.id for message in path if message.is_running])
    parent_id = None
    for message in path:
        copy = replace(
            message,
            id=new_id(),
            conversation_id=conversation_id,
            parent_id=parent_id,
            is_shown=True,
            content=message.content + added.get(message.id, ""),
            status=INTERRUPTED if message.is_running else message.status,
        )
        insert_message(db, copy)
        parent_id = copy.id
