"""Search in titles and messages: every part of the query as a substring, in any script, newest first.

Owns what a query means and what a hit looks like. Parts of three characters and more are found in an index of
trigrams; shorter ones, common in Chinese, by looking at the text. Nothing in a query is an operator but double quotes,
which hold words together. Letters are matched whatever their case.
"""

import itertools
import re
import sqlite3
from dataclasses import dataclass

from app.chat.database import Database

TITLE, MESSAGE = "title", "message"
SNIPPET_CHARACTERS = 160
_BEFORE_HIT = 48
_INDEXED_CHARACTERS = 3
MAX_PARTS = 20
MAX_QUERY_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Where a query was found.

    kind         title or message
    message_id   None for a title
    role         of the message; empty for a title
    when         of the message, or when something was last said in the conversation, seconds since 1970
    snippet      of the text, in one line, around the first place; "…" where something is left out
    marks        (start, end) in the snippet, ascending, not overlapping
    """

    kind: str
    conversation_id: str
    message_id: str | None
    conversation_title: str
    role: str
    when: float
    snippet: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """Behind which hit the next page begins."""

    when: float
    is_title: bool
    row: int


@dataclass(frozen=True, slots=True)
class SearchPage:
    """Some hits; `following` is None where there are no more."""

    hits: tuple[SearchHit, ...]
    following: SearchCursor | None


def search(
    database: Database,
    query: str,
    limit: int = 30,
    after: SearchCursor | None = None,
    conversation_id: str | None = None,
) -> SearchPage:
    """Hits in all conversations that are not in the trash, or in one, newest first; an empty query has none."""
    parts = query_parts(query)
    if not parts or limit < 1:
        return SearchPage((), None)
    with database.reading() as db:
        rows = _rows(db, parts, limit + 1, after, conversation_id)
    hits = tuple(_hit(row, parts) for row in rows[:limit])
    last = rows[limit - 1] if len(rows) > limit else None
    return SearchPage(hits, SearchCursor(last[0], bool(last[1]), last[2]) if last else None)


def query_parts(query: str) -> tuple[str, ...]:
    """What must all be found: words, and what stands between double quotes."""
    text = query[:MAX_QUERY_CHARACTERS].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    found = (quoted if quoted else word for quoted, word in re.findall(r'"([^"]+)"|([^\s"]+)', text))
    return tuple(dict.fromkeys(part for found_part in found if (part := found_part.strip())))[:MAX_PARTS]


_Row = tuple[float, int, int, str, str | None, str, str, str]


def _rows(
    db: sqlite3.Connection,
    parts: tuple[str, ...],
    limit: int,
    after: SearchCursor | None,
    conversation_id: str | None,
) -> list[_Row]:
    """when, is it a title, row, conversation, message, title, role, text."""
    selects, values = [], []
    for is_title in (0, 1):
        condition, condition_values = _condition(parts, bool(is_title))
        time_column = "c.updated" if is_title else "m.created"
        row_column = "c.row" if is_title else "m.row"
        if conversation_id is not None:
            condition += " AND c.id = ?"
            condition_values.append(conversation_id)
        if after is not None:
            condition += f" AND ({time_column}, {is_title}, {row_column}) < (?, ?, ?)"
            condition_values += [after.when, after.is_title, after.row]
        columns = (
            "c.updated, 1, c.row, c.id, NULL, c.title, '', c.title FROM conversations c"
            if is_title
            else "m.created, 0, m.row, c.id, m.id, c.title, m.role, m.row FROM messages m"
            " JOIN conversations c ON c.id = m.conversation_id"
        )
        selects.append(
            f"SELECT * FROM (SELECT {columns} WHERE c.trashed IS NULL AND {condition}"  # noqa: S608 - columns of ours
            f" ORDER BY {time_column} DESC, {row_column} DESC LIMIT ?)"
        )
        values += [*condition_values, limit]
    rows = db.execute(f"{' UNION ALL '.join(selects)} ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT ?", (*values, limit))
    return [_with_text(db, row) for row in rows.fetchall()]


def _condition(parts: tuple[str, ...], is_title: bool) -> tuple[str, list[object]]:
    index, column, row = ("title_index", "c.title", "c.row") if is_title else ("message_index", "m.content", "m.row")
    long = [part for part in parts if len(part) >= _INDEXED_CHARACTERS]
    conditions: list[str] = []
    values: list[object] = []
    if long:
        conditions.append(f"{row} IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)")  # noqa: S608
        values.append(" AND ".join('"' + part.replace('"', '""') + '"' for part in long))
    for part in parts:
        if len(part) < _INDEXED_CHARACTERS:
            if part.isascii():
                conditions.append(f"{column} LIKE ? ESCAPE '\\'")
                values.append("%" + re.sub(r"([%_\\])", r"\\\1", part) + "%")
                continue
            spellings = _spellings(part)
            conditions.append("(" + " OR ".join([f"instr({column}, ?) > 0"] * len(spellings)) + ")")
            values += spellings
    return " AND ".join(conditions), values


def _spellings(part: str) -> list[str]:
    """A short part in all its cases, which LIKE does not know beyond ASCII."""
    cases = [dict.fromkeys((character, character.lower(), character.upper())) for character in part]
    return list(dict.fromkeys("".join(letters) for letters in itertools.product(*cases)))


def _with_text(db: sqlite3.Connection, row: _Row) -> _Row:
    """The text of a message is read for the hits of the page only."""
    if row[1]:
        return row
    (content,) = db.execute("SELECT content FROM messages WHERE row = ?", (row[2],)).fetchone()
    return (*row[:7], content)


def _hit(row: _Row, parts: tuple[str, ...]) -> SearchHit:
    when, is_title, _, conversation_id, message_id, title, role, text = row
    snippet, marks = snippet_of(text, parts)
    kind = TITLE if is_title else MESSAGE
    return SearchHit(kind, conversation_id, message_id, title, role, when, snippet, marks)


def snippet_of(text: str, parts: tuple[str, ...]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text around the first place where a part is found, in one line, with all places in it."""
    pattern = re.compile("|".join(re.escape(part) for part in sorted(parts, key=len, reverse=True)), re.IGNORECASE)
    first = pattern.search(text)
    start = max(0, first.start() - _BEFORE_HIT) if first else 0
    if start > 0 and (space := text.rfind(" ", start, start + 16)) >= 0 and first and space < first.start():
        start = space + 1
    end = min(len(text), start + SNIPPET_CHARACTERS)
    # One character for one, so that the places stay where they are.
    cut = "".join(" " if c.isspace() or not c.isprintable() else c for c in text[start:end])
    lead = "…" if start > 0 else ""
    marks = ((m.start() + len(lead), m.end() + len(lead)) for m in pattern.finditer(text[start:end]))
    return lead + cut + ("…" if end < len(text) else ""), tuple(marks)
