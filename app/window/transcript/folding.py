"""Very long lines broken at fixed places, for Qt takes long to lay one out, and nobody scrolls that far sideways.

The places are fixed so that a text that grows is shown as one that grows. Knows how to find back what was written.
"""

from app.chat.markdown_text import units_between

LONG_LINE = 1000


def folded(text: str) -> str:
    """The text with lines that are too long broken."""
    if len(text) <= LONG_LINE:
        return text
    lines = text.split("\n")
    return "\n".join(
        line
        if len(line) <= LONG_LINE
        else "\n".join(line[at : at + LONG_LINE] for at in range(0, len(line), LONG_LINE))
        for line in lines
    )


def unfolded(text: str, start: int, end: int) -> str:
    """What of the text lies between two positions of the folded text, counted in UTF-16 units."""
    shown = folded(text)
    if shown == text:
        return units_between(text, start, end)
    before, part = units_between(shown, 0, start), units_between(shown, start, end)
    first = len(before) - _n_folds(text, len(before))
    last = len(before) + len(part)
    return text[first : last - _n_folds(text, last)]


def _n_folds(text: str, upto: int) -> int:
    """How many line ends were put into the first characters of the folded text."""
    count = at = 0
    for line in text.split("\n"):
        n_own = max(0, len(line) - 1) // LONG_LINE
        if at + len(line) + n_own >= upto:
            return count + max(0, upto - at) // (LONG_LINE + 1)
        count += n_own
        at += len(line) + n_own + 1
    return count
