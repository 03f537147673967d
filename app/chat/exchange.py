"""One or several conversations into a file of a chosen kind; what several become, and what files are called.

Several as Markdown or HTML are a zip archive with a file for each. The formats are in app/chat/exports.py and
html_export.py. Knows no Qt, so that it can run beside a window.
"""

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.chat.exports import save_bytes, to_json, to_jsonl, to_markdown
from app.chat.html_export import to_html
from app.chat.records import Folder, StoredConversation

MARKDOWN, HTML, JSON, JSONL = "md", "html", "json", "jsonl"
KINDS = (MARKDOWN, HTML, JSON, JSONL)

NAME_CHARACTERS = 80
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)

OnProgress = Callable[[int], None]
"""Told how many conversations are done; whatever it raises ends the export, and no file is written."""


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """kind: one of KINDS; names: the words for `user` and `assistant` on pages; language: of the page, as BCP 47."""

    kind: str
    names: dict[str, str] = field(default_factory=dict)
    language: str = "en"


def is_archive(kind: str, n_conversations: int) -> bool:
    """Whether so many conversations of this kind become a zip archive."""
    return kind in (MARKDOWN, HTML) and n_conversations > 1


def suffix_of(kind: str, n_conversations: int) -> str:
    return "zip" if is_archive(kind, n_conversations) else kind


def export_conversations(
    conversations: Iterable[StoredConversation],
    n_conversations: int,
    folders: Sequence[Folder],
    choice: ExportChoice,
    path: Path,
    on_progress: OnProgress,
) -> None:
    """Write the file whole or not at all. Raises StoreError."""
    watched = _watched(conversations, on_progress)
    if is_archive(choice.kind, n_conversations):
        content = _archive(watched, choice)
    elif choice.kind == JSON:
        content = to_json(watched, folders).encode("utf-8", "replace")
    elif choice.kind == JSONL:
        content = to_jsonl(watched).encode("utf-8", "replace")
    else:
        content = "".join(_page(conversation, choice) for conversation in watched).encode("utf-8", "replace")
    save_bytes(path, content)


def file_name_of(title: str, otherwise: str) -> str:
    """A name that every system takes, without a suffix."""
    name = " ".join(_NOT_IN_NAMES.sub(" ", title).split())[:NAME_CHARACTERS].strip(" .")
    return otherwise if not name or _RESERVED.fullmatch(name) else name


def _watched(conversations: Iterable[StoredConversation], on_progress: OnProgress) -> Iterator[StoredConversation]:
    for number, conversation in enumerate(conversations, start=1):
        yield conversation
        on_progress(number)


def _page(conversation: StoredConversation, choice: ExportChoice) -> str:
    if choice.kind == HTML:
        return to_html(conversation, choice.names, choice.language)
    return to_markdown(conversation, choice.names)


def _archive(conversations: Iterable[StoredConversation], choice: ExportChoice) -> bytes:
    buffer = io.BytesIO()
    taken: set[str] = set()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for conversation in conversations:
            name = file_name_of(conversation.title, conversation.id)
            if name.casefold() in taken:
                name = f"{name} {conversation.id}"
            taken.add(name.casefold())
            archive.writestr(f"{name}.{choice.kind}", _page(conversation, choice).encode("utf-8", "replace"))
    return buffer.getvalue()
