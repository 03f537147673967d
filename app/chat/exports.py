"""Conversations as files that others can read: Markdown, JSON with the whole tree, JSONL for training.

The JSON is complete, and app/chat/imports.py reads it back with the same names; the others hold the path that is shown.
The page for browsers is in app/chat/html_export.py.
"""

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.chat.conversation import INTERRUPTED
from app.chat.records import Folder, StoredConversation, StoredMessage
from app.chat.store_errors import explained

FORMAT = "ember-conversations"
FORMAT_VERSION = 1


def to_markdown(conversation: StoredConversation, names: dict[str, str] | None = None) -> str:
    """The path shown; `names` gives the words for `user` and `assistant`, which stand for themselves without."""
    words = {"user": "user", "assistant": "assistant"} | (names or {})
    lines = [f"# {' '.join(conversation.title.split())}"]
    if conversation.system_prompt:
        lines.append("\n".join(f"> {line}".rstrip() for line in conversation.system_prompt.splitlines()))
    for message in conversation.path():
        by = f" ({message.model})" if message.model else ""
        lines += [f"**{words[message.role]}**{by}", message.content.strip("\n")]
    return "\n\n".join(lines) + "\n"


def to_json(conversations: Iterable[StoredConversation], folders: Iterable[Folder] = ()) -> str:
    """Everything but drafts, in the format that `read_conversations` knows as its own."""
    whole = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "folders": [asdict(folder) for folder in folders],
        "conversations": [_conversation(conversation) for conversation in conversations],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def to_jsonl(conversations: Iterable[StoredConversation]) -> str:
    """One conversation a line, as `{"messages": [{"role", "content"}]}`; those without messages are left out."""
    lines = []
    for conversation in conversations:
        turns = [{"role": m.role, "content": m.content} for m in conversation.path()]
        if turns:
            system = [{"role": "system", "content": conversation.system_prompt}] if conversation.system_prompt else []
            lines.append(json.dumps({"messages": system + turns}, ensure_ascii=False) + "\n")
    return "".join(lines)


def save_export(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises StoreError."""
    save_bytes(path, text.encode("utf-8"))


def save_bytes(path: Path, content: bytes) -> None:
    """The same for what is no text."""
    with explained(path):
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(unfinished).replace(path)
        except BaseException:
            Path(unfinished).unlink(missing_ok=True)
            raise


def _conversation(conversation: StoredConversation) -> dict[str, Any]:
    s = conversation.summary
    return {
        "id": s.id,
        "title": s.title,
        "title_source": s.title_source,
        "folder_id": s.folder_id,
        "is_pinned": s.is_pinned,
        "is_unread": s.is_unread,
        "created": s.created,
        "updated": s.updated,
        "opened": s.opened,
        "system_prompt": conversation.system_prompt,
        "answers": None if conversation.answers is None else asdict(conversation.answers),
        "messages": [_message(message) for message in conversation.messages],
    }


def _message(message: StoredMessage) -> dict[str, Any]:
    return {
        "id": message.id,
        "parent_id": message.parent_id,
        "role": message.role,
        "status": INTERRUPTED if message.is_running else message.status,
        "is_shown": message.is_shown,
        "model": message.model,
        "created": message.created,
        "facts": asdict(message.facts),
        "content": message.content,
    }
