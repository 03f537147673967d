"""Markdown of an answer as plain values, while it is still being written.

Owns which markup counts: CommonMark with tables, strike-through and formulas; HTML, images and reference definitions
are text, and only http and https links are links. Nested structure is flattened into items (a paragraph knows its quote
and list depth), so that a view is a plain loop. Knows no Qt. Only the last block of a text that still grows can change,
so only that is parsed again.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.chat.formulas import CLOSERS, DISPLAY, add_formulas, unfinished_formula

MAX_NESTING = 30
PLAIN_CHARACTERS = 30_000  # an unfinished block or a single line longer than this is shown unformatted
SHOWN_COST = 1500  # of what a view formats: about 50 ms of parsing
_FENCE_COST, _CODE_COST, _MARK_COST = 4.0, 0.05, 0.25  # a line of text without marks being 1


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text in one style; "\\n" is a line break.

    image     marks the text that stands for a picture
    formula   LaTeX, where the text is a formula with the marks around it; `is_display` where it is set large
    """

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    image: bool = False
    href: str = ""
    formula: str = ""
    is_display: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading or rule.

    heading   1 to 6, or 0
    quote     how many quotes it is in
    depth     how many lists it is in
    list_id   which list, where it begins an item; 0 elsewhere
    number    of the item in an ordered list; None in a bullet list
    task      "open" or "done" where the item begins with a box
    tight     no space between this and the item before
    """

    spans: tuple[Span, ...]
    heading: int = 0
    is_rule: bool = False
    quote: int = 0
    depth: int = 0
    list_id: int = 0
    number: int | None = None
    task: str = ""
    tight: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """A code block; `is_closed` is False while its end has not arrived."""

    text: str
    language: str = ""
    quote: int = 0
    depth: int = 0
    is_closed: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the first row being the header; `alignments` has left, center or right for each column."""

    rows: tuple[tuple[tuple[Span, ...], ...], ...]
    alignments: tuple[str, ...]
    quote: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula on lines of its own: its LaTeX, and the text it was written as, with the marks around it."""

    latex: str
    text: str
    quote: int = 0
    depth: int = 0


Item = Block | Code | Table | Formula


@dataclass(frozen=True, slots=True)
class Plain:
    """What would take too long to format, as text: a table with very many cells, or all that follows."""

    text: str
    is_table: bool = False


Shown = Item | Plain


_HALF_MARKER = re.compile(r" {0,3}(\d{1,9}|[-+*])?\s*")  # of an item of a list, as far as it has come


class MarkdownStream:
    """The items of a growing text; those returned once for finished blocks are returned again as the same objects."""

    def __init__(self) -> None:
        self._parser = _parser()
        self._stable: list[Item] = []
        self._tail = ""
        self._held = ""
        self._n_lists = 0

    def append(self, piece: str) -> None:
        piece = self._held + piece
        self._held = "\r" if piece.endswith("\r") else ""
        self._tail += _clean(piece.removesuffix("\r") if self._held else piece)

    def items(self) -> list[Item]:
        """Everything so far."""
        if len(self._tail) > PLAIN_CHARACTERS and not _FENCE.match(self._tail):
            return self._stable + _plain(self._tail)
        tokens = self._parser.parse(self._tail)
        start_line = _last_block_line(tokens, self._tail)
        cut = _offset_of_line(self._tail, start_line) if start_line else 0
        if cut and not _HALF_MARKER.fullmatch(self._tail, cut):  # else it may yet be one more item of a list above
            finished, self._tail = self._tail[:cut], self._tail[cut:]
            walk = _Walk(finished, self._n_lists)
            self._stable += walk.items(self._parser.parse(finished))
            self._n_lists = walk.n_lists
            tokens = self._parser.parse(self._tail)
        return self._stable + _Walk(self._tail, self._n_lists).items(tokens)


def parse(text: str) -> list[Item]:
    """The items of a whole text."""
    text = _clean(text)
    if max(map(len, text.split("\n"))) > PLAIN_CHARACTERS:
        return _plain(text)
    return _Walk(text, 0).items(_parser().parse(text))


def parse_shown(text: str) -> list[Shown]:
    """The items of a text as a view shows it: where it is very long only its beginning is formatted."""
    text = _clean(text)
    cut = _affordable(text)
    items: list[Shown] = [*parse(text[:cut])] if text[:cut].strip() or cut == len(text) else []
    return [*items, Plain(text[cut:].strip("\n"))] if text[cut:].strip() else items


def _affordable(text: str) -> int:
    """How many characters, in whole lines, can be formatted at SHOWN_COST."""
    cost, at, fence = 0.0, 0, ""
    for line in _LINE.findall(text):
        mark = _FENCE.match(line)
        if fence:
            cost += _CODE_COST
            if mark and mark[1].startswith(fence):
                fence = ""
        elif mark:
            cost += _FENCE_COST
            fence = mark[1]
        elif line.strip():
            cost += 1 + _MARK_COST * sum(map(line.count, "|*_`["))
        if cost > SHOWN_COST and len(line) <= PLAIN_CHARACTERS:  # a longer line makes all of it plain already
            return at
        at += len(line)
    return at


def is_web_link(href: str) -> bool:
    """Whether a link may be offered at all: http or https with a host."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    # A reference definition would make a line of the answer vanish.
    parser.enable(["table", "strikethrough"]).disable("reference")
    add_formulas(parser)
    return parser


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE_END = re.compile(r"[ >]*(`{3,}|~{3,})[ \t]*$")
_TASK = re.compile(r"\[([ xX])\] ")
_BARE_LINK = re.compile(r"https?://[^\s<>\"'`*|\\^{}\[\]]*[^\s<>\"'`*|\\^{}\[\].,;:!?()（）。，；：！？、]")

# Control characters that would draw nothing or disturb the text around them: C0 except tab and newline, DEL, and the
# two overrides that make text read backwards.
_REPLACED: dict[int, str] = (
    dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), "\ufffd")
    | dict.fromkeys((0x202D, 0x202E), "")
    | dict.fromkeys((0x2028, 0x2029), "\n")
)


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_REPLACED)


def _plain(text: str) -> list[Item]:
    return [Block((Span(line),)) for line in text.split("\n") if line.strip()]


def _last_block_line(tokens: list[Token], text: str) -> int:
    """First line of the last top-level block, or of an earlier one that a formula's end may still make one with it."""
    starts = [token.map[0] for token in tokens if token.level == 0 and token.nesting >= 0 and token.map]
    at = unfinished_formula(text)
    if at >= 0:
        line = text.count("\n", 0, at)
        starts = [start for start in starts if start <= line]
    return starts[-1] if starts else 0


def _offset_of_line(text: str, line: int) -> int:
    offset = 0
    for _ in range(line):
        offset = text.index("\n", offset) + 1
    return offset


@dataclass(slots=True)
class _List:
    is_ordered: bool
    number: int
    id: int
    is_fresh: bool = False  # an item has begun whose first block is still to come
    has_items: bool = False


class _Walk:
    """Tokens to items, with the stack of quotes and lists that surround the current one."""

    def __init__(self, source: str, n_lists: int) -> None:
        self.n_lists = n_lists
        self._source = source
        self._quote = 0
        self._lists: list[_List] = []

    def items(self, tokens: list[Token]) -> list[Item]:
        if any(token.level >= MAX_NESTING - 2 for token in tokens):
            return _plain(self._source)  # the parser drops what is deeper: better unformatted than lost
        return list(self._walk(iter(tokens)))

    def _walk(self, tokens: Iterator[Token]) -> Iterator[Item]:
        heading = 0
        for token in tokens:
            match token.type:
                case "blockquote_open":
                    self._quote += 1
                case "blockquote_close":
                    self._quote -= 1
                case "bullet_list_open" | "ordered_list_open":
                    self.n_lists += 1
                    start = int(token.attrs.get("start", 1))
                    self._lists.append(_List(token.type == "ordered_list_open", start, self.n_lists))
                case "bullet_list_close" | "ordered_list_close":
                    self._lists.pop()
                case "list_item_open":
                    self._lists[-1].is_fresh = True
                case "list_item_close":
                    if self._lists[-1].is_fresh:
                        yield self._block(())
                    self._lists[-1].number += 1
                case "heading_open":
                    heading = int(token.tag[1])
                case "inline":
                    yield self._block(tuple(_spans(token.children or ())), heading, tight=token.level > 0)
                    heading = 0
                case "paragraph_open":
                    pass
                case "hr":
                    yield replace(self._block(()), is_rule=True)
                case "fence" | "code_block" | "formula_block":
                    if self._lists and self._lists[-1].is_fresh:
                        yield self._block(())
                    yield self._formula(token) if token.type == "formula_block" else self._code(token)
                case "table_open":
                    yield self._table(tokens)

    def _block(self, spans: tuple[Span, ...], heading: int = 0, *, tight: bool = False) -> Block:
        block = Block(spans, heading=heading, quote=self._quote, depth=len(self._lists))
        if not (self._lists and self._lists[-1].is_fresh):
            return block
        inner = self._lists[-1]
        # An outer item may begin with an inner list ("1. - x"): its own marker then has no block and is left out.
        for level in self._lists:
            level.is_fresh = False
        tight = inner.has_items or len(self._lists) > 1
        inner.has_items = True
        number = inner.number if inner.is_ordered else None
        block = replace(block, list_id=inner.id, number=number, tight=tight)
        box = _TASK.match(spans[0].text) if spans and number is None else None
        if box is None:
            return block
        rest = replace(spans[0], text=spans[0].text[box.end() :])
        return replace(block, spans=(rest, *spans[1:]), task="open" if box[1] == " " else "done")

    def _code(self, token: Token) -> Code:
        words = token.info.split()
        is_closed = True
        if token.type == "fence" and token.map:
            lines = self._source.split("\n")[token.map[0] + 1 : token.map[1]]
            end = _FENCE_END.match(lines[-1]) if lines else None
            is_closed = end is not None and end[1].startswith(token.markup)
        text = token.content.removesuffix("\n")
        return Code(text, words[0][:40] if words else "", self._quote, len(self._lists), is_closed)

    def _formula(self, token: Token) -> Formula:
        return Formula(token.content.strip(), _with_marks(token), self._quote, len(self._lists))

    def _table(self, tokens: Iterator[Token]) -> Table:
        rows: list[list[tuple[Span, ...]]] = []
        alignments: list[str] = []
        for token in tokens:
            if token.type == "table_close":
                break
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open") and len(rows) == 1:
                alignments.append(str(token.attrs.get("style", "text-align:left")).removeprefix("text-align:"))
            elif token.type == "inline":
                rows[-1].append(tuple(_spans(token.children or ())))
        return Table(tuple(map(tuple, rows)), tuple(alignments), self._quote, len(self._lists))


def _spans(tokens: Iterable[Token]) -> list[Span]:
    spans: list[Span] = []
    bold = italic = strike = 0
    hrefs: list[str] = []
    for token in tokens:
        match token.type:
            case "strong_open":
                bold += 1
            case "strong_close":
                bold -= 1
            case "em_open":
                italic += 1
            case "em_close":
                italic -= 1
            case "s_open":
                strike += 1
            case "s_close":
                strike -= 1
            case "link_open":
                href = str(token.attrs.get("href", ""))
                hrefs.append(href if is_web_link(href) else "")
            case "link_close":
                hrefs.pop()
            case _:
                style = Span("", bold > 0, italic > 0, False, strike > 0, False, hrefs[-1] if hrefs else "")
                for span in _leaf(token, style):
                    _join(spans, span)
    return spans


def _leaf(token: Token, style: Span) -> Iterator[Span]:
    match token.type:
        case "softbreak" | "hardbreak":
            yield replace(style, text="\n")
        case "code_inline":
            yield replace(style, text=token.content, code=True)
        case "formula_inline":
            is_display = token.markup in DISPLAY
            yield replace(style, text=_with_marks(token), formula=token.content.strip(), is_display=is_display)
        case "image":
            source = str(token.attrs.get("src", ""))
            href = style.href or (source if is_web_link(source) else "")
            yield replace(style, text=token.content or source, image=True, href=href)
        case _:
            # Written as entities, such characters get past the cleaning of the source.
            text = token.content if token.content.isprintable() else token.content.translate(_REPLACED)
            if style.href:
                yield replace(style, text=text)
            else:
                yield from _with_bare_links(text, style)


def _with_marks(token: Token) -> str:
    return f"{token.markup}{token.content}{CLOSERS[token.markup]}"


def _with_bare_links(text: str, style: Span) -> Iterator[Span]:
    at = 0
    for match in _BARE_LINK.finditer(text):
        if is_web_link(match[0]):
            yield replace(style, text=text[at : match.start()])
            yield replace(style, text=match[0], href=match[0])
            at = match.end()
    yield replace(style, text=text[at:])


def _join(spans: list[Span], span: Span) -> None:
    """Append, or lengthen the last span where nothing but the text differs."""
    if not span.text:
        return
    if spans and not span.formula and replace(spans[-1], text=span.text) == span:
        spans[-1] = replace(spans[-1], text=spans[-1].text + span.text)
    else:
        spans.append(span)
