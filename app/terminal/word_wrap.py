"""Breaking lines between words while the words are still being written.

A word that reaches the edge is taken back and written again on the next line. Columns are counted as the terminal does,
two for most Chinese characters; these may be parted anywhere. Lines of code, between fences, are left to the terminal.
"""

from app.terminal.text_width import columns_of

_FENCES = ("```", "~~~")


class WordWrap:
    """The state of the line that is being written."""

    def __init__(self) -> None:
        self._column = 0
        self._word = ""
        self._line = ""
        self._in_code = False

    def add(self, text: str, width: int) -> str:
        """What to write for these characters where a line holds `width` columns: them, and what breaks the line.

        `width` is at least one less than the terminal has: on its last column a cursor's place is ambiguous.
        """
        return "".join(self._character(c, width) for c in text)

    def _character(self, c: str, width: int) -> str:
        if c == "\n":
            if self._line.lstrip().startswith(_FENCES):
                self._in_code = not self._in_code
            self._column, self._word, self._line = 0, "", ""
            return c
        n_columns = 8 - self._column % 8 if c == "\t" else 0 if self._joins(c) else columns_of(c)
        self._line += c
        if self._in_code or self._line.lstrip().startswith(_FENCES):
            self._column = (self._column + n_columns) % max(width, 1)
            return c
        if self._column + n_columns <= width:
            self._column += n_columns
            self._word = "" if c.isspace() or n_columns > 1 else self._word + c
            return c
        return self._broken_before(c, n_columns)

    def _joins(self, c: str) -> bool:
        """Whether this character is drawn into the one before it, as in families and skin tones of emoji."""
        return self._line.endswith("\u200d") or "\U0001f3fb" <= c <= "\U0001f3ff"

    def _broken_before(self, c: str, n_columns: int) -> str:
        """Begin a new line with the unfinished word and `c`; a blank at the edge vanishes into the break."""
        if c.isspace():
            self._column, self._word = 0, ""
            return "\n"
        word = self._word if n_columns == 1 and columns_of(self._word) < self._column else ""
        self._column = columns_of(word) + n_columns
        self._word = word + c if n_columns == 1 else ""
        return f"\x1b[{columns_of(word)}D\x1b[K\n{word}{c}" if word else f"\n{c}"
