"""Finding words in the conversation that is shown.

Hits are counted in the text of messages, since most messages of a long conversation are not built; marks of Markdown
are left out of it, so that what is found is what is read. The texts of files, which are behind their cards, are counted
apart. Where a message is built, its hits are looked up in the texts
on the screen, and the one that is wanted is the one of the same number, or the last there is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.chat.attached_files import split_files
from app.chat.records import USER, StoredMessage
from app.chat.thinking import split_thinking
from app.window.theme import colors_of
from app.window.transcript.selection import TextPart

_MARKS = re.compile(r"\]\((?:https?://[^\s)]*)\)|[*~`]+|^[ \t>]*#{1,6} |^[ \t]*[`~]{3,}.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Hit:
    """The how-manieth of its message, from 0."""

    message_id: str
    number: int


def hits_in(path: Sequence[StoredMessage], words: str) -> list[Hit]:
    """All places where words are found, whatever their case, first to last."""
    needle = words.lower()
    if not needle.strip():
        return []
    return [Hit(message.id, number) for message in path for number in range(_searchable(message).count(needle))]


def hits_in_files(path: Sequence[StoredMessage], words: str) -> int:
    """How many places there are in files of the messages, which no text on the screen shows."""
    needle = words.lower()
    if not needle.strip():
        return 0
    files = (file for message in path if message.role == USER for file in split_files(message.content)[1])
    return sum(file.text.lower().count(needle) for file in files)


def places_in(parts: Sequence[TextPart], words: str) -> list[tuple[TextPart, QTextCursor]]:
    """Where words are in texts on the screen."""
    found: list[tuple[TextPart, QTextCursor]] = []
    for part in parts:
        document = part.editor.document()
        cursor = document.find(words, 0)
        while not cursor.isNull():
            found.append((part, cursor))
            cursor = document.find(words, cursor)
    return found


class Finder:
    """The words that are looked for, where they are, and which of these places is shown."""

    def __init__(self) -> None:
        self.words = ""
        self.hits: list[Hit] = []
        self.n_in_files = 0
        self._current: QTextCursor | None = None

    def look_for(self, words: str, path: Sequence[StoredMessage]) -> None:
        self.words = words
        self.hits = hits_in(path, words)
        self.n_in_files = hits_in_files(path, words)
        self._current = None

    def choose(self, hit: Hit, parts: Sequence[TextPart]) -> tuple[TextPart, QTextCursor] | None:
        """Make a hit the current one; where it is in the texts of its message."""
        places = places_in(parts, self.words)
        if not places:
            return None
        part, self._current = places[min(hit.number, len(places) - 1)]
        return part, self._current

    def mark(self, parts: Sequence[TextPart], palette: QPalette) -> None:
        """Colour all places in these texts."""
        _mark(parts, self.words, self._current, palette)


def _searchable(message: StoredMessage) -> str:
    if message.role == USER:
        return split_files(message.content)[0].lower()
    return _MARKS.sub("", split_thinking(message.content).answer).lower()


def _mark(parts: Sequence[TextPart], words: str, current: QTextCursor | None, palette: QPalette) -> None:
    """Colour the places of the words, the current one more strongly; empty words take the colour off."""
    colors = colors_of(palette)
    quiet, loud = QTextCharFormat(), QTextCharFormat()
    quiet.setBackground(QColor(colors.selection))
    loud.setBackground(QColor(colors.accent))
    loud.setForeground(QColor(colors.on_accent))
    places = places_in(parts, words) if words.strip() else []
    for part in parts:
        marks = []
        for owner, cursor in places:
            if owner is part:
                each = QTextEdit.ExtraSelection()
                each.cursor = cursor
                each.format = loud if current is not None and cursor == current else quiet
                marks.append(each)
        editor: QTextEdit | QPlainTextEdit = part.editor
        if marks or editor.extraSelections():
            editor.setExtraSelections(marks)
