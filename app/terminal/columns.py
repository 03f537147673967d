"""Text broken into lines of a width, and two texts beside each other.

Widths are columns as a terminal counts them: most Chinese characters take two, and may be parted anywhere.
"""

import re
from itertools import zip_longest

from app.terminal.text_width import columns_of

_BETWEEN = " │ "
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
# A run of blanks, a wide character with the marks that may not begin a line, a number with its “%”, or a word.
_PARTS = re.compile(rf"\s+|[{_WIDE}][、。，．！？；：）」』》】,.!?;:)]*|[^\s{_WIDE}]*\d %[^\s{_WIDE}]*|[^\s{_WIDE}]+")


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns, broken between words where that is possible; a text has one line at least."""
    return [line for paragraph in text.expandtabs(4).split("\n") for line in _filled(paragraph, max(width, 2))]


def side_by_side(left: str, right: str, width: int) -> list[str]:
    """Two texts in halves of `width` columns, line by line."""
    half = (width - columns_of(_BETWEEN)) // 2
    rows = zip_longest(wrapped(left, half), wrapped(right, half), fillvalue="")
    return [f"{a}{' ' * (half - columns_of(a))}{_BETWEEN}{b}".rstrip() for a, b in rows]


def _filled(paragraph: str, width: int) -> list[str]:
    lines, line = [], ""
    for part in _PARTS.findall(paragraph):
        if columns_of(line) + columns_of(part) <= width:
            line += part
            continue
        if line.strip():
            lines.append(line.rstrip())
            line = ""
        if part.isspace():
            line = ""
            continue
        while columns_of(part) > width:
            head = _beginning(part, width)
            lines.append(head)
            part = part[len(head) :]
        line = part
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _beginning(word: str, width: int) -> str:
    """As many characters as fit, one at least."""
    n = 1
    while n < len(word) and columns_of(word[: n + 1]) <= width:
        n += 1
    return word[:n]
