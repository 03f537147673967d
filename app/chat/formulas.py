"""Formulas in Markdown: what lies between `$` or `$$`, `\\(` and `\\)`, `\\[` and `\\]`, as tokens of the parser.

Owns what counts as a formula. Prices, shell variables and formulas that never end stay text: a single dollar begins
one only where nothing is between it and the formula, and ends one only where neither a letter nor a digit follows. A
formula on lines of its own holds no blank line, as in LaTeX, so that a forgotten end costs one paragraph its look at
most. Knows nothing of how formulas are drawn.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

MAX_INLINE = 2000  # characters of a formula within a line
MAX_DISPLAY = 8000  # of one on lines of its own

CLOSERS = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
DISPLAY = ("$$", "\\[")

_OPEN_LINE = re.compile(r"^[ \t>*+\-\d.)]*(\$\$|\\\[)", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_PRICE = re.compile(r"\d[\d.,]*[kKmMbB%]?(?:\s|$|[-–—/+(),;])")
_WORD = re.compile(r"[A-Za-z]{2,}")
_LATEX = re.compile(r"[\\^_={}<>]")


def add_formulas(parser: MarkdownIt) -> None:
    """Make a parser give `formula_inline` and `formula_block` tokens: LaTeX in `content`, the opener in `markup`."""
    parser.inline.ruler.before("escape", "formula", _inline)
    parser.block.ruler.before("fence", "formula", _block, {"alt": ["paragraph", "blockquote", "list"]})


def unfinished_formula(text: str) -> int:
    """Where a formula on lines of its own begins whose end has not come yet; -1 where there is none."""
    at = max((blank.end() for blank in _BLANK_LINE.finditer(text)), default=0)
    while opened := _OPEN_LINE.search(text, at):
        closer = CLOSERS[opened[1]]
        close = _closing(text, opened.end(), len(text), closer)
        if close < 0:
            return opened.start()
        at = close + len(closer)
    return -1


def _inline(state: StateInline, silent: bool) -> bool:
    text, at, end = state.src, state.pos, state.posMax
    opener = _opener(text, at)
    if not opener:
        return False
    start = at + len(opener)
    close = _closing(text, start, min(end, start + MAX_INLINE), CLOSERS[opener])
    if close < 0 or not text[start:close].strip():
        return False
    after = close + len(CLOSERS[opener])
    if opener == "$" and not _is_meant(text[at - 1 : at], text[start:close], text[after : min(end, after + 1)]):
        return False
    if not silent:
        token = state.push("formula_inline", "", 0)
        token.content = text[start:close]
        token.markup = opener
    state.pos = after
    return True


def _opener(text: str, at: int) -> str:
    if text[at] == "$":
        return "$$" if text.startswith("$$", at) else "$"
    return text[at : at + 2] if text.startswith(("\\(", "\\["), at) else ""


def _closing(text: str, start: int, end: int, closer: str) -> int:
    """Where the closer is that no backslash takes the meaning from; -1 for none."""
    at = text.find(closer, start, end)
    while at >= 0:
        n_backslashes = 0
        while at - n_backslashes > start and text[at - n_backslashes - 1] == "\\":
            n_backslashes += 1
        if n_backslashes % 2 == 0:
            return at
        at = text.find(closer, at + 1, end)
    return -1


def _is_meant(before: str, latex: str, after: str) -> bool:
    """Whether two single dollars hold a formula rather than stand for money or a variable of a shell."""
    if latex[0].isspace() or latex[-1].isspace():
        return False
    if any(c.isascii() and c.isalnum() for c in (before, after) if c):
        return False
    if not _PRICE.match(latex) or _LATEX.search(latex):
        return True
    return not _WORD.search(latex) and latex.count("(") == latex.count(")")


def _block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    begin = state.bMarks[start_line] + state.tShift[start_line]
    opener = state.src[begin : begin + 2]
    if opener not in DISPLAY or state.is_code_block(start_line):
        return False
    lines: list[str] = []
    n_characters = 0
    for line in range(start_line, end_line):
        if state.isEmpty(line) or (line > start_line and state.sCount[line] < state.blkIndent):
            return False
        text = state.src[begin + 2 : state.eMarks[line]] if line == start_line else _line_of(state, line)
        close = _closing(text, 0, len(text), CLOSERS[opener])
        if close >= 0:
            lines.append(text[:close])
            latex = "\n".join(lines)
            if text[close + 2 :].strip() or not latex.strip():
                return False
            if not silent:
                token = state.push("formula_block", "", 0)
                token.block = True
                token.content = latex
                token.markup = opener
                token.map = [start_line, line + 1]
                state.line = line + 1
            return True
        n_characters += len(text)
        if n_characters > MAX_DISPLAY:
            return False
        lines.append(text)
    return False


def _line_of(state: StateBlock, line: int) -> str:
    return state.getLines(line, line + 1, state.blkIndent, False)
