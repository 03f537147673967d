"""Conversations of other files into the database: all of a file, or nothing of it.

Owns how a file is recognised, our own format, and what happens to what is there already: a conversation that is whole
in the database stays as it is (and leaves the trash), one of the same name with other messages comes in as a copy. A
file is read and checked to its end before the first row is written, in one transaction.
"""

import hashlib
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

from app.answer_settings import answer_settings_of
from app.chat.answer_facts import facts_from_values
from app.chat.chats import Chats
from app.chat.checked_json import MAX_CONVERSATIONS, MAX_MESSAGES, TIME_UNKNOWN, ImportRefused, Node, read_json
from app.chat.conversation import INTERRUPTED, STATUSES, STREAMING
from app.chat.exports import FORMAT, FORMAT_VERSION, to_json
from app.chat.foreign_chats import chatgpt, jan, open_webui
from app.chat.identifiers import imported_id, is_id
from app.chat.records import (
    ROLES,
    TITLE_SOURCES,
    ConversationSummary,
    Folder,
    StoredConversation,
    StoredMessage,
)
from app.chat.rows import insert_conversation, insert_folder, insert_message

OWN = "Ember"
OWN_TEXT_CHARACTERS = 64_000_000
_NAME_CHARACTERS = 300
_TITLE_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class ReadConversations:
    """A file that was read and found sound.

    source       Ember, ChatGPT, Open WebUI or Jan
    n_left_out   parts of messages that are no text
    """

    source: str
    conversations: tuple[StoredConversation, ...]
    folders: tuple[Folder, ...] = ()
    n_left_out: int = 0


@dataclass(frozen=True, slots=True)
class ImportReport:
    """n_conversations, n_messages: new ones; n_present: conversations that were there already; new_ids: of new ones."""

    source: str
    n_conversations: int
    n_messages: int
    n_present: int
    n_left_out: int
    new_ids: tuple[str, ...] = ()


def import_file(chats: Chats, path: Path) -> ImportReport:
    """Read a file, or a folder of Jan's, and write it. Raises ImportRefused, StoreError; then nothing was written."""
    return write_conversations(chats, read_conversations(path))


def read_conversations(path: Path) -> ReadConversations:
    """What a file or folder holds, whoever wrote it. Raises ImportRefused."""
    if path.is_dir():
        found = jan(path)
        return ReadConversations(found.source, found.conversations, (), found.n_left_out)
    root = read_json(path)
    first = Node(root.value[0], "[0]", root.path) if isinstance(root.value, list) and root.value else root
    if root.has("format"):
        return _own(root)
    if first.has("mapping"):
        found = chatgpt(root)
    elif first.has("chat"):
        found = open_webui(root)
    else:
        raise ImportRefused(str(path), "unknown_format", "", type(root.value).__name__)
    return ReadConversations(found.source, found.conversations, (), found.n_left_out)


def write_conversations(chats: Chats, read: ReadConversations) -> ImportReport:
    """All in one transaction. Raises StoreError."""
    with chats.database.writing(is_lasting=True) as db:
        return insert_read(db, read)


def insert_read(db: sqlite3.Connection, read: ReadConversations) -> ImportReport:
    """The same inside a transaction that the caller has begun."""
    for folder in read.folders:
        if not _is_there(db, "folders", folder.id):
            insert_folder(db, folder)
    new_ids: list[str] = []
    n_messages = n_present = 0
    for conversation in read.conversations:
        new = _new(db, conversation)
        if new is None:
            n_present += 1
            continue
        folder_id = new.summary.folder_id
        if folder_id is not None and not _is_there(db, "folders", folder_id):
            new = replace(new, summary=replace(new.summary, folder_id=None))
        insert_conversation(db, new)
        for message in new.messages:
            insert_message(db, message)
        new_ids.append(new.id)
        n_messages += len(new.messages)
    return ImportReport(read.source, len(new_ids), n_messages, n_present, read.n_left_out, tuple(new_ids))


def _new(db: sqlite3.Connection, conversation: StoredConversation) -> StoredConversation | None:
    """The conversation as it can be inserted; None where it is there already."""
    is_known = _is_there(db, "conversations", conversation.id)
    rows = db.execute("SELECT id FROM messages WHERE conversation_id = ?", (conversation.id,))
    if is_known and {row[0] for row in rows}.issuperset(m.id for m in conversation.messages):
        db.execute("UPDATE conversations SET trashed = NULL WHERE id = ?", (conversation.id,))
        return None
    if not is_known and not any(_is_there(db, "messages", m.id) for m in conversation.messages):
        return conversation
    copy = _copy(conversation)
    if _is_there(db, "conversations", copy.id):
        db.execute("UPDATE conversations SET trashed = NULL WHERE id = ?", (copy.id,))
        return None
    return copy


def _is_there(db: sqlite3.Connection, table: str, record_id: str) -> bool:
    return db.execute(f"SELECT 1 FROM {table} WHERE id = ?", (record_id,)).fetchone() is not None  # noqa: S608


def _copy(conversation: StoredConversation) -> StoredConversation:
    """The same under other names, which are the same again for the same content."""
    digest = hashlib.sha256(to_json([conversation]).encode("utf-8", "backslashreplace")).hexdigest()
    names = {m.id: imported_id("copy", digest, m.id) for m in conversation.messages}
    conversation_id = imported_id("copy", digest)
    messages = tuple(
        replace(
            m,
            id=names[m.id],
            conversation_id=conversation_id,
            parent_id=names[m.parent_id] if m.parent_id is not None else None,
        )
        for m in conversation.messages
    )
    return replace(conversation, summary=replace(conversation.summary, id=conversation_id), messages=messages)


# Our own format ---------------------------------------------------------------------------------------------------


def _own(root: Node) -> ReadConversations:
    name = root.member("format")
    if name.text(_NAME_CHARACTERS) != FORMAT:
        name.refuse("unknown_format", name.text(_NAME_CHARACTERS)[:60])
    version = root.member("version")
    if version.value != FORMAT_VERSION or isinstance(version.value, bool):
        version.refuse("newer", str(version.value)[:60])
    folders = tuple(
        Folder(_id(at.member("id")), at.member("name").text(_TITLE_CHARACTERS), at.member("created").time())
        for at in root.member("folders").items(MAX_CONVERSATIONS)
    )
    _require_unique(root.member("folders"), [folder.id for folder in folders])
    at_all = root.member("conversations")
    conversations = tuple(_own_conversation(at) for at in at_all.items(MAX_CONVERSATIONS))
    _require_unique(at_all, [conversation.id for conversation in conversations])
    _require_unique(at_all, [message.id for conversation in conversations for message in conversation.messages])
    return ReadConversations(OWN, conversations, folders)


def _own_conversation(at: Node) -> StoredConversation:
    conversation_id = _id(at.member("id"))
    created = at.member("created").time()
    folder = at.member("folder_id")
    summary = ConversationSummary(
        conversation_id,
        at.member("title").text(_TITLE_CHARACTERS),
        _one_of(at.member("title_source"), TITLE_SOURCES),
        None if folder.is_nothing else _id(folder),
        at.member("is_pinned").fact(),
        at.member("is_unread").fact(),
        created=created,
        updated=at.member("updated").time() or created,
        opened=at.member("opened").time() or TIME_UNKNOWN,
    )
    at_messages = at.member("messages").items(MAX_MESSAGES)
    messages = tuple(_own_message(node, conversation_id) for node in at_messages)
    earlier: set[str] = set()
    shown: set[str | None] = set()
    for node, message in zip(at_messages, messages, strict=True):
        # Parents come first in this format, which leaves no room for a cycle.
        if message.parent_id is not None and message.parent_id not in earlier:
            node.member("parent_id").refuse("no_parent", message.parent_id)
        if message.id in earlier:
            node.member("id").refuse("duplicate", message.id)
        if message.is_shown and message.parent_id in shown:
            node.member("is_shown").refuse("duplicate", "two versions shown")
        earlier.add(message.id)
        if message.is_shown:
            shown.add(message.parent_id)
    for node, message in zip(at_messages, messages, strict=True):
        if message.parent_id not in shown:
            node.member("is_shown").refuse("missing", "no version shown")
    prompt = at.member("system_prompt").text_or_none() or ""
    answers = at.member("answers").value
    settings = replace(answer_settings_of(answers), system_prompt=prompt) if isinstance(answers, dict) else None
    return StoredConversation(summary, prompt, messages, settings)


def _own_message(at: Node, conversation_id: str) -> StoredMessage:
    parent = at.member("parent_id")
    status = _one_of(at.member("status"), STATUSES)
    return StoredMessage(
        _id(at.member("id")),
        conversation_id,
        None if parent.is_nothing else _id(parent),
        _one_of(at.member("role"), ROLES),
        at.member("content").text(OWN_TEXT_CHARACTERS),
        INTERRUPTED if status == STREAMING else status,
        at.member("model").text_or_none(_NAME_CHARACTERS) or "",
        at.member("created").time(),
        facts_from_values(at.member("facts").value),
        at.member("is_shown").fact(),
    )


def _id(at: Node) -> str:
    text = at.text(_NAME_CHARACTERS)
    if not is_id(text):
        at.refuse("out_of_range", text[:60])
    return text


def _one_of(at: Node, known: tuple[str, ...]) -> str:
    text = at.text(_NAME_CHARACTERS)
    if text not in known:
        at.refuse("out_of_range", text[:60])
    return text


def _require_unique(at: Node, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            at.refuse("duplicate", name)
        seen.add(name)
