"""What the list of conversations shows, row by row: headings, folders, conversations.

Owns the order: temporary ones, pinned ones, folders, and the rest under headings by age. Knows no widget.
"""

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.chat.records import ConversationSummary, Folder

HEADING, FOLDER, CHAT = "heading", "folder", "chat"

TEMPORARY, PINNED, FOLDERS, TODAY, YESTERDAY, WEEK, MONTH, OLDER = (
    "temporary", "pinned", "folders", "today", "yesterday", "week", "month", "older",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list.

    kind     heading, folder or chat
    key      of a heading: one of the names above; else the id of the folder or conversation
    text     title or name; empty for a heading, whose words are the view's
    n_inside conversations in a folder
    is_protected   it is in a file that cannot be written, and cannot be renamed, moved or deleted
    """

    kind: str
    key: str
    text: str = ""
    summary: ConversationSummary | None = None
    is_inside: bool = False
    is_open: bool = False
    n_inside: int = 0
    is_protected: bool = False


def rows_of(
    summaries: Iterable[ConversationSummary],
    folders: Sequence[Folder],
    temporary: Sequence[ConversationSummary],
    open_folders: Collection[str],
    now: float | None = None,
    protected: Collection[str] = (),
) -> list[Row]:
    """`summaries` are in the order in which they are to be shown. A pinned one is not in its folder as well."""
    pinned: list[Row] = []
    inside: dict[str, list[Row]] = {folder.id: [] for folder in folders}
    loose: list[ConversationSummary] = []
    for summary in summaries:
        if summary.is_pinned:
            pinned.append(_chat(summary))
        elif summary.folder_id in inside:
            inside[summary.folder_id].append(_chat(summary, is_inside=True))
        else:
            loose.append(summary)
    rows = [Row(HEADING, TEMPORARY), *map(_chat, temporary)] if temporary else []
    rows += [Row(HEADING, PINNED), *pinned] if pinned else []
    rows += [Row(HEADING, FOLDERS)] if folders else []
    for folder in folders:
        is_open = folder.id in open_folders
        rows.append(Row(FOLDER, folder.id, folder.name, is_open=is_open, n_inside=len(inside[folder.id])))
        rows += inside[folder.id] if is_open else []
    rows += _by_age(loose, time.time() if now is None else now)
    return [replace(row, is_protected=True) if row.key in protected else row for row in rows] if protected else rows


def _chat(summary: ConversationSummary, *, is_inside: bool = False) -> Row:
    return Row(CHAT, summary.id, summary.title, summary, is_inside)


def _by_age(summaries: Iterable[ConversationSummary], now: float) -> Iterator[Row]:
    midnight = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    limits = [(key, (midnight - timedelta(days=days)).timestamp()) for key, days in _AGES]
    heading = ""
    for summary in summaries:
        age = next((key for key, begin in limits if summary.updated >= begin), OLDER)
        if age != heading:
            heading = age
            yield Row(HEADING, age)
        yield _chat(summary)


_AGES = ((TODAY, 0), (YESTERDAY, 1), (WEEK, 6), (MONTH, 29))
