"""Colours in a code block, worked out once when the block has ended.

Owns the way from a language name to coloured stretches of each line, in slices of a few milliseconds so that typing and
scrolling stay smooth. pygments is loaded with the first block that needs it. Knows no widget.
"""

import time
from collections.abc import Iterator

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QFont, QPalette, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.window.theme import colors_of

SLICE_S = 0.006
MAX_CHARACTERS = 200_000  # beyond this a block stays in one colour

Stretch = tuple[int, int, str]
"""Start and length in UTF-16 units, and which colour: a field of Colors."""


class CodeHighlighter(QSyntaxHighlighter):
    """Colours the lines of a document as far as they have been worked out."""

    def __init__(self, document: QTextDocument, palette: QPalette) -> None:
        super().__init__(document)
        self._palette = palette
        self._lines: list[list[Stretch]] = []
        self._work: Iterator[list[Stretch]] = iter(())
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    def run(self, code: str, language: str) -> None:
        if len(code) <= MAX_CHARACTERS and language:
            self._work = stretches(code, language)
            self._timer.start()

    def use_palette(self, palette: QPalette) -> None:
        self._palette = palette
        if self._lines:
            self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        if number >= len(self._lines):
            return
        colors = colors_of(self._palette)
        for start, length, kind in self._lines[number]:
            style = QTextCharFormat()
            style.setForeground(QColor(getattr(colors, kind)))
            if kind == "syntax_keyword":
                style.setFontWeight(QFont.Weight.DemiBold)
            elif kind == "syntax_comment":
                style.setFontItalic(True)
            self.setFormat(start, length, style)

    def _go_on(self) -> None:
        end = time.monotonic() + SLICE_S
        for line in self._work:
            self._lines.append(line)
            if time.monotonic() > end:
                return
        self._timer.stop()
        self.rehighlight()


def stretches(code: str, language: str) -> Iterator[list[Stretch]]:
    """The coloured stretches of each line; none at all for a language nobody knows."""
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.token import Token  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    kinds = (
        (Token.Comment, "syntax_comment"),
        (Token.Keyword, "syntax_keyword"),
        (Token.Operator.Word, "syntax_keyword"),
        (Token.Literal.String, "syntax_string"),
        (Token.Literal.Number, "syntax_number"),
        (Token.Literal, "syntax_number"),
        (Token.Name.Function, "syntax_name"),
        (Token.Name.Class, "syntax_name"),
        (Token.Name.Decorator, "syntax_name"),
        (Token.Name.Tag, "syntax_keyword"),
        (Token.Name.Attribute, "syntax_name"),
        (Token.Name.Builtin, "syntax_name"),
        (Token.Operator, "syntax_operator"),
        (Token.Punctuation, "syntax_operator"),
    )
    try:
        lexer = get_lexer_by_name(language.lower(), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return
    line: list[Stretch] = []
    at = 0
    for token, text in lexer.get_tokens(code):
        kind = next((name for parent, name in kinds if token in parent), "")
        for number, part in enumerate(text.split("\n")):
            if number:
                yield line
                line, at = [], 0
            units = len(part.encode("utf-16-le", "surrogatepass")) // 2
            if kind and units:
                line.append((at, units, kind))
            at += units
    yield line
