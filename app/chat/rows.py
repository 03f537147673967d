"""Conversations, messages and folders as rows of the tables, and back; what several operations do to rows.

For the modules that write conversations; each function belongs inside a transaction that its caller has begun.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from app.answer_settings import AnswerSettings, answer_settings_from_json, answer_settings_to_json
from app.chat.answer_facts import facts_from_json, facts_to_json
from app.chat.conversation import STREAMING
from app.chat.records import (
    AnswerRunning,
    ConversationSummary,
    Folder,
    StoredConversation,
    StoredMessage,
    UnknownRecord,
)

SUMMARY = (
    "id, title, title_source, folder_id, is_pinned, is_unread, created, updated, opened, trashed,"
    " EXISTS (SELECT 1 FROM messages WHERE conversation_id = conversations.id AND status <> 'done'"
    " AND status = 'interrupted')"
)
MESSAGE = "id, conversation_id, parent_id, role, status, is_shown, model, created, facts, content"


def insert_conversation(db: sqlite3.Connection, conversation: StoredConversation) -> None:
    """The conversation without its messages."""
    s = conversation.summary
    db.execute(
        "INSERT INTO conversations (id, title, title_source, folder_id, is_pinned, is_unread, created, updated, opened,"
        " trashed, system_prompt, answers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            s.id, storable(s.title), s.title_source, s.folder_id, s.is_pinned, s.is_unread, s.created, s.updated,
            s.opened, s.trashed, storable(conversation.system_prompt), answers_to_row(conversation.answers),
        ),
    )  # fmt: skip


def answers_of(db: sqlite3.Connection, conversation_id: str) -> tuple[str, AnswerSettings | None]:
    """The system prompt of a conversation, and how its answers are made."""
    system_prompt, answers = db.execute(
        "SELECT system_prompt, answers FROM conversations WHERE id = ?", (conversation_id,)
    ).fetchone()
    found = answer_settings_from_json(answers)
    return system_prompt, found and replace(found, system_prompt=system_prompt)


def answers_to_row(answers: AnswerSettings | None) -> str | None:
    return None if answers is None else storable(answer_settings_to_json(replace(answers, system_prompt="")))


def insert_message(db: sqlite3.Connection, m: StoredMessage, row: int | None = None) -> None:
    """Behind all others, or as the row of this number, which is free."""
    db.execute(
        f"INSERT INTO messages (row, {MESSAGE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (
            row, m.id, m.conversation_id, m.parent_id, m.role, m.status, m.is_shown, storable(m.model), m.created,
            facts_to_json(m.facts), storable(m.content),
        ),
    )  # fmt: skip


def insert_folder(db: sqlite3.Connection, folder: Folder) -> None:
    db.execute("INSERT INTO folders VALUES (?, ?, ?)", (folder.id, storable(folder.name), folder.created))


def summary_of(row: tuple[Any, ...]) -> ConversationSummary:
    number, title, source, folder_id, is_pinned, is_unread, created, updated, opened, trashed, is_cut = row
    return ConversationSummary(
        number, title, source, folder_id, bool(is_pinned), bool(is_unread), bool(is_cut), created, updated, opened,
        trashed,
    )  # fmt: skip


def message_of(row: tuple[Any, ...]) -> StoredMessage:
    message_id, conversation_id, parent_id, role, status, is_shown, model, created, facts, content = row
    return StoredMessage(
        message_id, conversation_id, parent_id, role, content, status, model, created, facts_from_json(facts),
        bool(is_shown),
    )  # fmt: skip


def found_message(db: sqlite3.Connection, message_id: str) -> StoredMessage:
    row = db.execute(f"SELECT {MESSAGE} FROM messages WHERE id = ?", (message_id,)).fetchone()  # noqa: S608
    if row is None:
        raise UnknownRecord("message", message_id)
    return message_of(row)


def path_to(db: sqlite3.Connection, message_id: str) -> list[StoredMessage]:
    """From the top down to this message."""
    path = [found_message(db, message_id)]
    while (parent_id := path[-1].parent_id) is not None:
        path.append(found_message(db, parent_id))
    return path[::-1]


def pieces_of(db: sqlite3.Connection, message_ids: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for message_id in message_ids:
        rows = db.execute("SELECT content FROM pieces WHERE message_id = ? ORDER BY number", (message_id,))
        found[message_id] = "".join(row[0] for row in rows)
    return found


def show(db: sqlite3.Connection, message: StoredMessage) -> None:
    hide_versions(db, message)
    db.execute("UPDATE messages SET is_shown = 1 WHERE id = ?", (message.id,))


def hide_versions(db: sqlite3.Connection, message: StoredMessage) -> None:
    db.execute(
        "UPDATE messages SET is_shown = 0 WHERE conversation_id = ? AND parent_id IS ? AND is_shown",
        (message.conversation_id, message.parent_id),
    )


def show_some_version(db: sqlite3.Connection, message: StoredMessage) -> None:
    """Show this message where no other version of it is shown."""
    shown = db.execute(
        "SELECT 1 FROM messages WHERE conversation_id = ? AND parent_id IS ? AND is_shown",
        (message.conversation_id, message.parent_id),
    ).fetchone()
    if shown is None:
        show(db, message)


def write_draft(db: sqlite3.Connection, conversation_id: str | None, text: str) -> None:
    db.execute("DELETE FROM drafts WHERE conversation_id IS ?", (conversation_id,))
    if text:
        db.execute("INSERT INTO drafts VALUES (?, ?)", (conversation_id, storable(text)))


def require(db: sqlite3.Connection, table: str, record_id: str) -> None:
    if db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (record_id,)).fetchone() is None:  # noqa: S608
        raise UnknownRecord(table.removesuffix("s"), record_id)


def require_parent(db: sqlite3.Connection, conversation_id: str, parent_id: str | None) -> None:
    if parent_id is not None and found_message(db, parent_id).conversation_id != conversation_id:
        raise UnknownRecord("message", parent_id)


def refuse_running(db: sqlite3.Connection, condition: str, values: tuple[str, ...]) -> None:
    row = db.execute(
        f"SELECT id FROM messages WHERE status = ? AND {condition} LIMIT 1",  # noqa: S608
        (STREAMING, *values),
    ).fetchone()
    if row is not None:
        raise AnswerRunning(row[0])


def storable(text: str) -> str:
    """A lone surrogate cannot be encoded, and one odd character must not cost the whole text."""
    return text.encode("utf-8", "replace").decode("utf-8")
