"""Conversations in a database: what can be done with them and their messages, each in one short transaction.

Owns what the tree means: an edit and another answer are siblings of what was there, of siblings one is shown, deleting
a version takes along what hangs on it. An answer is a row from the moment it is asked for; while it is written its text
goes into pieces, so that each second costs what came in that second, and the search index sees it once, at its end.
Knows no SQL error (those are `StoreError`), no Qt and no engine process.
"""

import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from app.answer_settings import AnswerSettings
from app.chat.answer_facts import NO_FACTS, AnswerFacts, facts_to_json
from app.chat.answer_parts import unfinished
from app.chat.conversation import DONE, INTERRUPTED, STREAMING, title_of
from app.chat.database import Database
from app.chat.identifiers import new_id
from app.chat.records import (
    ASSISTANT,
    FIRST_LINE,
    MODEL,
    PERSON,
    USER,
    AnswerRunning,
    ConversationSummary,
    Folder,
    StoredConversation,
    StoredMessage,
    UnknownRecord,
)
from app.chat.rows import (
    MESSAGE,
    SUMMARY,
    answers_of,
    answers_to_row,
    found_message,
    hide_versions,
    insert_conversation,
    insert_folder,
    insert_message,
    message_of,
    path_to,
    pieces_of,
    refuse_running,
    require,
    require_parent,
    show,
    storable,
    summary_of,
    write_draft,
)
from app.chat.store_errors import StoreError
from app.chat.versions import DeletedVersion, copy_path, put_back, take_out

TRASH_DAYS = 30
LASTING_S = 30.0
"""While an answer is written, at most so much of it is only in the system's memory, not on the disk itself."""


@dataclass(slots=True)
class _Running:
    """An answer being written: its text as far as it is stored, and the number of its next piece."""

    content: str
    next_piece: int


class Chats:
    """The conversations of one open database.

    interrupted   conversations in which an answer was being written when the last process ended, latest first
    protected     conversations and folders of a file that cannot be written; what becomes of them here never gets there
    """

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        self.database = database
        self.interrupted: tuple[str, ...] = ()
        self._now = now
        self._running: dict[str, _Running] = {}
        if not database.is_read_only:
            self._settle()
        self.protected: frozenset[str] = frozenset()
        if database.copied_from is not None:
            kept = (summary.id for summary in self._summaries("1 = 1"))
            self.protected = frozenset((*kept, *(folder.id for folder in self.folders())))

    # Lists --------------------------------------------------------------------------------------------------------

    def conversations(self) -> list[ConversationSummary]:
        """All that are not in the trash, pinned ones first, then latest first."""
        return self._summaries("trashed IS NULL ORDER BY is_pinned DESC, updated DESC, row DESC")

    def trash(self) -> list[ConversationSummary]:
        """Those in the trash, thrown away last first."""
        return self._summaries("trashed IS NOT NULL ORDER BY trashed DESC, row DESC")

    def summary(self, conversation_id: str) -> ConversationSummary:
        """Raises UnknownRecord."""
        found = self._summaries("id = ?", conversation_id)
        if not found:
            raise UnknownRecord("conversation", conversation_id)
        return found[0]

    def load(self, conversation_id: str) -> StoredConversation:
        """Raises UnknownRecord."""
        summary = self.summary(conversation_id)
        with self.database.reading() as db:
            system_prompt, answers = answers_of(db, conversation_id)
            rows = db.execute(
                f"SELECT {MESSAGE} FROM messages WHERE conversation_id = ? ORDER BY row",  # noqa: S608
                (conversation_id,),
            ).fetchall()
            added = pieces_of(db, [row[0] for row in rows if row[4] == STREAMING])
        messages = (message_of(row) for row in rows)
        whole = tuple(replace(m, content=m.content + added[m.id]) if m.id in added else m for m in messages)
        return StoredConversation(summary, system_prompt, whole, answers)

    def message(self, message_id: str) -> StoredMessage:
        """Raises UnknownRecord."""
        with self.database.reading() as db:
            message = found_message(db, message_id)
            added = pieces_of(db, [message_id] if message.is_running else [])
        return replace(message, content=message.content + added.get(message_id, ""))

    # Conversations ------------------------------------------------------------------------------------------------

    def create(
        self, text: str = "", *, title: str = "", folder_id: str | None = None, system_prompt: str = ""
    ) -> StoredConversation:
        """A new conversation; with `text` it begins with this message of the user, or is not made at all.

        Without a title it is called after the first line. The draft of the new conversation is done with.
        """
        now = self._now()
        source = PERSON if title else FIRST_LINE
        summary = ConversationSummary(
            new_id(), title or title_of(text), source, folder_id, created=now, updated=now, opened=now
        )
        with self.database.writing(is_lasting=bool(text)) as db:
            if folder_id is not None:
                require(db, "folders", folder_id)
            insert_conversation(db, StoredConversation(summary, system_prompt))
            messages: tuple[StoredMessage, ...] = ()
            if text:
                write_draft(db, None, "")
                messages = (self._add(db, StoredMessage(new_id(), summary.id, None, USER, text)),)
        return StoredConversation(self.summary(summary.id), system_prompt, messages)

    def adopt(self, conversation: StoredConversation) -> None:
        """Take in a conversation of another store, with the names it has there; it is in no folder."""
        summary = replace(conversation.summary, folder_id=None, trashed=None)
        with self.database.writing(is_lasting=True) as db:
            insert_conversation(db, replace(conversation, summary=summary))
            for message in conversation.messages:
                insert_message(db, message)

    def rename(self, conversation_id: str, title: str) -> None:
        """A person's title, which no model replaces."""
        self._change(conversation_id, title=storable(title), title_source=PERSON)

    def suggest_title(self, conversation_id: str, title: str) -> bool:
        """A model's title, where there is only a first line yet; whether it was taken."""
        with self.database.writing() as db:
            require(db, "conversations", conversation_id)
            cursor = db.execute(
                "UPDATE conversations SET title = ?, title_source = ? WHERE id = ? AND title_source = ?",
                (storable(title), MODEL, conversation_id, FIRST_LINE),
            )
            return cursor.rowcount > 0

    def pin(self, conversation_id: str, *, is_pinned: bool) -> None:
        self._change(conversation_id, is_pinned=int(is_pinned))

    def set_answers(self, conversation_id: str, answers: AnswerSettings | None) -> None:
        """How answers of this conversation are made; None: as in all others."""
        prompt = "" if answers is None else answers.system_prompt
        self._change(conversation_id, system_prompt=storable(prompt), answers=answers_to_row(answers))

    def mark_opened(self, conversation_id: str) -> None:
        """Somebody looks at it now."""
        self._change(conversation_id, opened=self._now(), is_unread=0)

    def mark_unread(self, conversation_id: str) -> None:
        self._change(conversation_id, is_unread=1)

    def throw_away(self, conversation_id: str) -> None:
        """Into the trash, from which `bring_back` takes it; after TRASH_DAYS it is erased at a start."""
        self._change(conversation_id, trashed=self._now())

    def bring_back(self, conversation_id: str) -> None:
        self._change(conversation_id, trashed=None)

    def erase(self, conversation_id: str) -> None:
        """For good. Raises AnswerRunning."""
        with self.database.writing(is_lasting=True) as db:
            require(db, "conversations", conversation_id)
            refuse_running(db, "conversation_id = ?", (conversation_id,))
            db.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))

    def fork(self, message_id: str) -> StoredConversation:
        """A new conversation with the path down to this message; an answer still being written is cut there."""
        with self.database.writing(is_lasting=True) as db:
            origin = self._summaries("id = ?", found_message(db, message_id).conversation_id)[0]
            system_prompt, answers = answers_of(db, origin.id)
            now = self._now()
            summary = replace(
                origin,
                id=new_id(),
                is_pinned=False,
                is_unread=False,
                created=now,
                updated=now,
                opened=now,
                trashed=None,
            )
            insert_conversation(db, StoredConversation(summary, system_prompt, answers=answers))
            copy_path(db, message_id, summary.id)
        return self.load(summary.id)

    # Folders ------------------------------------------------------------------------------------------------------

    def folders(self) -> list[Folder]:
        with self.database.reading() as db:
            rows = db.execute("SELECT id, name, created FROM folders ORDER BY name, id").fetchall()
        return [Folder(*row) for row in rows]

    def add_folder(self, name: str) -> Folder:
        folder = Folder(new_id(), storable(name), self._now())
        with self.database.writing() as db:
            insert_folder(db, folder)
        return folder

    def rename_folder(self, folder_id: str, name: str) -> None:
        with self.database.writing() as db:
            require(db, "folders", folder_id)
            db.execute("UPDATE folders SET name = ? WHERE id = ?", (storable(name), folder_id))

    def delete_folder(self, folder_id: str) -> None:
        """What was in it is then in none."""
        with self.database.writing() as db:
            require(db, "folders", folder_id)
            db.execute("DELETE FROM folders WHERE id = ?", (folder_id,))

    def move(self, conversation_id: str, folder_id: str | None) -> None:
        with self.database.writing() as db:
            require(db, "conversations", conversation_id)
            if folder_id is not None:
                require(db, "folders", folder_id)
            db.execute("UPDATE conversations SET folder_id = ? WHERE id = ?", (folder_id, conversation_id))

    # Notes --------------------------------------------------------------------------------------------------------

    def note(self, name: str) -> str:
        """A short text that the program keeps beside the conversations; empty where there is none."""
        with self.database.reading() as db:
            row = db.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def set_note(self, name: str, text: str) -> None:
        with self.database.writing() as db:
            db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, storable(text)))

    # Messages -----------------------------------------------------------------------------------------------------

    def send(self, conversation_id: str, parent_id: str | None, text: str) -> StoredMessage:
        """A message of the user below `parent_id`, shown from now on; the conversation's draft is done with."""
        with self.database.writing(is_lasting=True) as db:
            require(db, "conversations", conversation_id)
            require_parent(db, conversation_id, parent_id)
            write_draft(db, conversation_id, "")
            return self._add(db, StoredMessage(new_id(), conversation_id, parent_id, USER, text))

    def edit(self, message_id: str, text: str) -> StoredMessage:
        """Another version of a message with this text, shown from now on; the old one keeps what follows it."""
        with self.database.writing(is_lasting=True) as db:
            old = found_message(db, message_id)
            model = old.model if old.role == ASSISTANT else ""
            new = StoredMessage(new_id(), old.conversation_id, old.parent_id, old.role, text, model=model)
            return self._add(db, new)

    def start_answer(self, parent_id: str, model: str) -> StoredMessage:
        """An empty answer below a message, shown from now on: one more version where there is an answer already."""
        return self.start_answers(parent_id, model, 1)[0]

    def start_answers(self, parent_id: str, model: str, n_answers: int) -> tuple[StoredMessage, ...]:
        """So many empty answers below a message at once, all of them or none; the first is shown from now on."""
        answers: list[StoredMessage] = []
        with self.database.writing(is_lasting=True) as db:
            parent = found_message(db, parent_id)
            for _ in range(n_answers):
                empty = StoredMessage(new_id(), parent.conversation_id, parent.id, ASSISTANT, "", STREAMING, model)
                answers.append(self._add(db, empty, is_shown=not answers))
        for answer in answers:
            self._running[answer.id] = _Running("", 0)
        return tuple(answers)

    def regenerate(self, answer_id: str, model: str) -> StoredMessage:
        """Another version of this answer, empty. Raises ValueError for an answer to nothing."""
        parent_id = self.message(answer_id).parent_id
        if parent_id is None:
            raise ValueError(f"{answer_id} answers no message")
        return self.start_answer(parent_id, model)

    def continue_answer(self, message_id: str) -> StoredMessage:
        """The same answer, being written again; its text goes on where it ended, and its figures are not all there."""
        with self.database.writing() as db:
            old = found_message(db, message_id)
            if old.role != ASSISTANT:
                raise ValueError(f"{message_id} is no answer")
            if old.is_running:
                raise AnswerRunning(message_id)
            show(db, old)
            facts = unfinished(old.facts)
            values = (STREAMING, facts_to_json(facts), message_id)
            db.execute("UPDATE messages SET status = ?, facts = ? WHERE id = ?", values)
        self._running[message_id] = _Running(old.content, 0)
        return replace(old, status=STREAMING, facts=facts, is_shown=True)

    def grow_answer(self, message_id: str, content: str) -> None:
        """Store the whole text of a running answer as it is now; the cost is that of what is new."""
        running = self._running.get(message_id)
        if running is None:
            raise ValueError(f"{message_id} is no running answer")
        if content == running.content:
            return
        is_lasting = time.monotonic() - self.database.last_checkpoint > LASTING_S
        with self.database.writing(is_lasting=is_lasting) as db:
            if content.startswith(running.content):
                new, number = content[len(running.content) :], running.next_piece
            else:  # what was written is taken back, for example half a character
                new, number = content, 0
                require(db, "messages", message_id)
                db.execute("DELETE FROM pieces WHERE message_id = ?", (message_id,))
                db.execute("UPDATE messages SET content = '' WHERE id = ?", (message_id,))
            db.execute("INSERT INTO pieces VALUES (?, ?, ?)", (message_id, number, storable(new)))
        running.content, running.next_piece = content, number + 1

    def finish_answer(
        self, message_id: str, content: str, status: str = DONE, facts: AnswerFacts = NO_FACTS, *, is_seen: bool = True
    ) -> StoredMessage:
        """The answer's text and status for good, and what is known of it; again with the same is harmless."""
        if status == STREAMING:
            raise ValueError("an answer that ends is not running")
        now = self._now()
        with self.database.writing(is_lasting=True) as db:
            old = found_message(db, message_id)
            if old.role != ASSISTANT:
                raise ValueError(f"{message_id} is no answer")
            db.execute("DELETE FROM pieces WHERE message_id = ?", (message_id,))
            db.execute(
                "UPDATE messages SET content = ?, status = ?, facts = ? WHERE id = ?",
                (storable(content), status, facts_to_json(facts), message_id),
            )
            db.execute(
                "UPDATE conversations SET updated = ?, is_unread = CASE WHEN ? THEN is_unread ELSE 1 END WHERE id = ?",
                (now, is_seen, old.conversation_id),
            )
        self._running.pop(message_id, None)
        return replace(old, content=storable(content), status=status, facts=facts)

    def show_version(self, message_id: str) -> None:
        """Make the path go through this message, and below it as it went before."""
        with self.database.writing() as db:
            for message in reversed(path_to(db, message_id)):
                show(db, message)

    def delete_version(self, message_id: str) -> DeletedVersion:
        """Erase a message with everything that hangs on it; of the other versions, the one before it is shown.

        Raises AnswerRunning where an answer among them is still being written.
        """
        with self.database.writing(is_lasting=True) as db:
            return take_out(db, message_id)

    def restore_version(self, deleted: DeletedVersion) -> None:
        """Undo `delete_version`: all is back where it was, and shown where it was. Again is harmless."""
        with self.database.writing(is_lasting=True) as db:
            put_back(db, deleted)

    # Drafts -------------------------------------------------------------------------------------------------------

    def drafts(self) -> dict[str | None, str]:
        """Text typed and not sent, by conversation; None stands for the one that is not begun yet."""
        with self.database.reading() as db:
            return dict(db.execute("SELECT conversation_id, content FROM drafts").fetchall())

    def save_draft(self, conversation_id: str | None, text: str) -> None:
        """An empty text is none."""
        with self.database.writing() as db:
            if conversation_id is not None:
                require(db, "conversations", conversation_id)
            write_draft(db, conversation_id, text)

    # Within -------------------------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Close what the last process left open, and empty the trash of what has been there long enough."""
        with self.database.writing() as db:
            rows = db.execute(
                "SELECT id, conversation_id, content FROM messages WHERE status <> 'done' AND status = ?"
                " ORDER BY created DESC, row DESC",
                (STREAMING,),
            ).fetchall()
            added = pieces_of(db, [row[0] for row in rows])
            for message_id, _, content in rows:
                db.execute(
                    "UPDATE messages SET status = ?, content = ? WHERE id = ?",
                    (INTERRUPTED, content + added.get(message_id, ""), message_id),
                )
            db.execute("DELETE FROM pieces")
            db.execute("DELETE FROM conversations WHERE trashed < ?", (self._now() - TRASH_DAYS * 86_400,))
        self.interrupted = tuple(dict.fromkeys(row[1] for row in rows))

    def _summaries(self, condition: str, *values: object) -> list[ConversationSummary]:
        with self.database.reading() as db:
            rows = db.execute(f"SELECT {SUMMARY} FROM conversations WHERE {condition}", values).fetchall()  # noqa: S608
        return [summary_of(row) for row in rows]

    def _change(self, conversation_id: str, **values: object) -> None:
        columns = ", ".join(f"{name} = ?" for name in values)
        with self.database.writing() as db:
            require(db, "conversations", conversation_id)
            db.execute(f"UPDATE conversations SET {columns} WHERE id = ?", (*values.values(), conversation_id))  # noqa: S608

    def _add(self, db: sqlite3.Connection, message: StoredMessage, *, is_shown: bool = True) -> StoredMessage:
        """Insert a message, as the one shown of its siblings or behind them."""
        message = replace(message, created=self._now(), content=storable(message.content), is_shown=is_shown)
        if is_shown:
            hide_versions(db, message)
        insert_message(db, message)
        db.execute("UPDATE conversations SET updated = ? WHERE id = ?", (message.created, message.conversation_id))
        return message


def open_chats(path: Path | None) -> Chats:
    """The conversations of a file, or of memory; `database.salvaged` says what became of a damaged file.

    Raises StoreError.
    """
    for is_last in (False, True):
        database = Database(path)
        try:
            return Chats(database)
        except StoreError as error:
            database.close()
            if is_last or error.kind != "corrupt":
                raise  # the second attempt looks through the file, since the first met damage
    raise AssertionError("the second attempt returns or raises")


def open_protected(path: Path) -> Chats:
    """The conversations of a file that cannot be written, in memory: nothing that is done with them is kept.

    Raises StoreError.
    """
    database = Database(None, copied_from=path)
    try:
        return Chats(database)
    except StoreError:
        database.close()
        raise
