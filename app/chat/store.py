"""Conversations on disk: one SQLite file that survives a kill at any moment.

Owns the schema, its version and the migrations (each after a copy of the file); every refusal is a `StoreError`. A
file that cannot be used is never overwritten; it is moved aside only when the caller asks. Knows no Qt and no engine
process; one thread uses one store.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.chat.answer_facts import AnswerFacts, facts_from_json, facts_to_json
from app.chat.conversation import DONE, INTERRUPTED, STREAMING, Conversation, Message
from app.chat.store_errors import StoreError as StoreError
from app.chat.store_errors import explained

MIGRATIONS = (
    """
    CREATE TABLE conversations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        leaf_id INTEGER,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        deleted REAL
    );
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        parent_id INTEGER REFERENCES messages(id) ON DELETE CASCADE,
        role TEXT NOT NULL,
        content TEXT NOT NULL,
        status TEXT NOT NULL,
        stats TEXT,
        model TEXT NOT NULL,
        created REAL NOT NULL
    );
    CREATE INDEX messages_of_conversation ON messages(conversation_id);
    CREATE INDEX messages_of_parent ON messages(parent_id);
    CREATE INDEX conversations_by_time ON conversations(updated);
    CREATE TABLE drafts (
        conversation_id INTEGER PRIMARY KEY,
        content TEXT NOT NULL
    );
    """,
)

NEW_CONVERSATION = 0
"""Stands for "not yet written to" where a draft is kept."""

BUSY_TIMEOUT_S = 1.0
QUICK_CHECK_BYTES = 32_000_000  # larger files are not read through at every start


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation as the list shows it."""

    id: int
    title: str
    updated: float


class ConversationStore:
    """An open database; `path` None keeps everything in memory."""

    def __init__(self, path: Path | None, migrations: tuple[str, ...] = MIGRATIONS) -> None:
        self.path = path
        self.interrupted: tuple[int, ...] = ()
        """Conversations in which an answer was being written when the program last ended."""
        with self._explained():
            self._db = self._open(path)
        try:
            with self._explained():
                self._check()
                self._migrate(migrations)
                self._settle()
        except StoreError:
            self._db.close()
            raise

    def close(self) -> None:
        self._db.close()

    # Conversations ------------------------------------------------------------------------------------------------

    def conversations(self) -> list[Summary]:
        """All that are not deleted, latest first."""
        with self._explained():
            rows = self._db.execute(
                "SELECT id, title, updated FROM conversations WHERE deleted IS NULL ORDER BY updated DESC, id DESC"
            ).fetchall()
        return [Summary(number, _readable(title), updated) for number, title, updated in rows]

    def load(self, conversation_id: int) -> Conversation:
        with self._explained():
            title, leaf_id = self._db.execute(
                "SELECT title, leaf_id FROM conversations WHERE id = ?", (conversation_id,)
            ).fetchone()
            rows = self._db.execute(
                "SELECT id, conversation_id, parent_id, role, content, status, model, created, stats"
                " FROM messages WHERE conversation_id = ? ORDER BY id",
                (conversation_id,),
            ).fetchall()
        return Conversation(conversation_id, _readable(title), {row[0]: _message(row) for row in rows}, leaf_id)

    def create(self, title: str, text: str = "") -> Conversation:
        """A new conversation; with `text` it begins with this message of the user, or is not made at all."""
        now = time.time()
        with self._writing():
            cursor = self._db.execute(
                "INSERT INTO conversations (title, created, updated) VALUES (?, ?, ?)", (title, now, now)
            )
            conversation = Conversation(int(cursor.lastrowid or 0), title)
            if text:
                self._db.execute("DELETE FROM drafts WHERE conversation_id = ?", (NEW_CONVERSATION,))
                conversation.add(self._insert(Message(0, conversation.id, None, "user", text, created=now)))
        return conversation

    def rename(self, conversation_id: int, title: str) -> None:
        with self._writing():
            self._db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation_id))

    def delete(self, conversation_id: int) -> None:
        """Take it off the list; it is erased when the store is next opened, and can come back until then."""
        with self._writing():
            self._db.execute("UPDATE conversations SET deleted = ? WHERE id = ?", (time.time(), conversation_id))

    def undelete(self, conversation_id: int) -> None:
        with self._writing():
            self._db.execute("UPDATE conversations SET deleted = NULL WHERE id = ?", (conversation_id,))

    def show_leaf(self, conversation_id: int, leaf_id: int) -> None:
        """Remember which path was shown last; it does not count as a change of the conversation."""
        with self._writing():
            self._db.execute("UPDATE conversations SET leaf_id = ? WHERE id = ?", (leaf_id, conversation_id))

    # Messages -----------------------------------------------------------------------------------------------------

    def add_message(
        self,
        conversation_id: int,
        parent_id: int | None,
        role: str,
        content: str,
        *,
        status: str = DONE,
        model: str = "",
    ) -> Message:
        """Write a message and make it the end of the path that is shown."""
        message = Message(0, conversation_id, parent_id, role, content, status, model, time.time())
        with self._writing():
            return self._insert(message)

    def write_answer(self, message: Message) -> None:
        """Bring content, status and facts of an answer up to date."""
        with self._writing():
            self._db.execute(
                "UPDATE messages SET content = ?, status = ?, stats = ? WHERE id = ?",
                (_storable(message.content), message.status, _facts(message), message.id),
            )

    def _insert(self, message: Message) -> Message:
        cursor = self._db.execute(
            "INSERT INTO messages (conversation_id, parent_id, role, content, status, model, created)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                message.conversation_id, message.parent_id, message.role, _storable(message.content), message.status,
                message.model, message.created,
            ),
        )  # fmt: skip
        written = replace(message, id=int(cursor.lastrowid or 0))
        self._db.execute(
            "UPDATE conversations SET leaf_id = ?, updated = ? WHERE id = ?",
            (written.id, written.created, written.conversation_id),
        )
        return written

    # Drafts -------------------------------------------------------------------------------------------------------

    def drafts(self) -> dict[int, str]:
        """Text typed and not sent, by conversation."""
        with self._explained():
            rows = self._db.execute("SELECT conversation_id, content FROM drafts").fetchall()
        return {number: _readable(content) for number, content in rows}

    def save_draft(self, conversation_id: int, content: str) -> None:
        with self._writing():
            if content:
                self._db.execute("INSERT OR REPLACE INTO drafts VALUES (?, ?)", (conversation_id, _storable(content)))
            else:
                self._db.execute("DELETE FROM drafts WHERE conversation_id = ?", (conversation_id,))

    # Opening ------------------------------------------------------------------------------------------------------

    def _open(self, path: Path | None) -> sqlite3.Connection:
        if path is not None:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError("unreadable", str(path), error.strerror or str(error)) from error
        db = sqlite3.connect(path or ":memory:", timeout=BUSY_TIMEOUT_S, isolation_level=None)
        db.text_factory = _readable  # damaged text is shown as far as it goes rather than refused
        return db

    def _check(self) -> None:
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.execute("PRAGMA secure_delete = ON")
        if self.path is not None and self.path.stat().st_size <= QUICK_CHECK_BYTES:
            (verdict,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise StoreError("corrupt", str(self.path), verdict)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")

    def _migrate(self, migrations: tuple[str, ...]) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version > len(migrations):
            raise StoreError("newer", str(self.path), f"version {version}, this Ember knows {len(migrations)}")
        if 0 < version < len(migrations) and self.path is not None:
            self._copy_file(version)
        for number, script in enumerate(migrations[version:], start=version + 1):
            with self._writing():
                for statement in script.split(";"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {number}")

    def _copy_file(self, version: int) -> None:
        assert self.path is not None  # noqa: S101 - the caller has just looked
        copy = self.path.with_name(f"{self.path.stem}.version-{version}{self.path.suffix}")
        with contextlib.closing(sqlite3.connect(copy)) as target:
            self._db.backup(target)

    def _settle(self) -> None:
        """Close what the last run left open: answers that were being written, conversations that were deleted."""
        with self._writing():
            self._db.execute("DELETE FROM conversations WHERE deleted IS NOT NULL")
            rows = self._db.execute(
                "SELECT DISTINCT conversation_id FROM messages WHERE status = ? ORDER BY id DESC", (STREAMING,)
            ).fetchall()
            self._db.execute("UPDATE messages SET status = ? WHERE status = ?", (INTERRUPTED, STREAMING))
        self.interrupted = tuple(row[0] for row in rows)

    # Refusals -----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """All or nothing."""
        with self._explained():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def _explained(self) -> contextlib.AbstractContextManager[None]:
        return explained(self.path)


def set_aside(path: Path) -> Path:
    """Move an unusable database, with its journal, to a name of its own; the caller has told the user."""
    aside = path.with_name(f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        journal = path.with_name(path.name + suffix)
        if journal.exists():
            journal.rename(aside.with_name(aside.name + suffix))
    return aside


def _message(row: tuple[Any, ...]) -> Message:
    number, conversation_id, parent_id, role, content, status, model, created, facts = row
    message = Message(number, conversation_id, parent_id, role, _readable(content), status, model, created)
    known = facts_from_json(facts)
    return replace(message, reason=known.reason, stats=known.stats, error=known.error)


def _facts(message: Message) -> str | None:
    return facts_to_json(AnswerFacts(message.reason, message.stats, message.error))


def _readable(text: object) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def _storable(text: str) -> str:
    """A lone surrogate cannot be encoded, and one odd character must not cost the whole text."""
    return text.encode("utf-8", "replace").decode("utf-8")
