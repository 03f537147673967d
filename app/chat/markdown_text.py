"""Items of Markdown as text again: clean Markdown, or plain text without marks. For copying.

A whole message is copied as it was written; this is for a part of one, whose marks may be cut through. Knows no Qt.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter

from app.chat.markdown import Block, Code, Formula, Plain, Shown, Span, Table

_FENCE = "`"
_MARKS = (("bold", "**"), ("italic", "*"), ("strike", "~~"))  # outermost first


def to_markdown(items: Sequence[Shown]) -> str:
    return _joined(items, [_item_markdown(item) for item in items])


def to_plain(items: Sequence[Shown]) -> str:
    return _joined(items, [_item_plain(item) for item in items])


def cut_spans(spans: Iterable[Span], start: int, end: int, shown: Sequence[str]) -> tuple[Span, ...]:
    """Of spans those between two positions of what is shown for them, counted in UTF-16 units as Qt does.

    What is shown for a picture or formula is not its text, so these are taken whole.
    """
    found: list[Span] = []
    at = 0
    for span, text in zip(spans, shown, strict=True):
        length = n_units(text)
        first, last = max(start - at, 0), min(end - at, length)
        if first < last:
            if (first, last) == (0, length) or span.image or span.formula:
                found.append(span)
            else:
                part = units_between(text, first, last)
                found.append(replace(span, text=part if text == span.text else part.replace("\u200b", "")))
        at += length
    return tuple(found)


def n_units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def units_between(text: str, start: int, end: int) -> str:
    """The part between two positions that are counted in UTF-16 units, as Qt does."""
    if text.isascii():
        return text[start:end]
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "replace")


def _joined(items: Sequence[Shown], texts: Sequence[str]) -> str:
    parts: list[str] = []
    before: Shown | None = None
    for item, text in zip(items, texts, strict=True):
        if parts:
            is_same_list = isinstance(item, Block) and isinstance(before, Block) and item.list_id and before.depth
            parts.append("\n" if is_same_list else "\n\n")
        parts.append(text)
        before = item
    return "".join(parts)


def _item_markdown(item: Shown) -> str:
    match item:
        case Code():
            return _indented(_fenced(item), item.depth, item.quote)
        case Table():
            return _indented(_table_markdown(item), item.depth, item.quote)
        case Formula():
            return _indented(item.text, item.depth, item.quote)
        case Plain():
            return item.text
    if item.is_rule:
        return "---"
    text = "#" * item.heading + " " + _spans_markdown(item.spans) if item.heading else _spans_markdown(item.spans)
    if not item.list_id:
        return _indented(text, item.depth, item.quote)
    marker = f"{item.number}. " if item.number is not None else "- "
    box = {"open": "[ ] ", "done": "[x] "}.get(item.task, "")
    body = text.replace("\n", "\n" + " " * len(marker))
    return _indented(marker + box + body, item.depth - 1, item.quote)


def _item_plain(item: Shown) -> str:
    match item:
        case Code() | Plain() | Formula():
            return item.text
        case Table():
            return _table_plain(item)
    if item.is_rule:
        return ""
    text = _spans_plain(item.spans)
    if not item.list_id:
        return text
    marker = f"{item.number}. " if item.number is not None else {"open": "☐ ", "done": "☑ "}.get(item.task, "• ")
    return "  " * (item.depth - 1) + marker + text


def _fenced(code: Code) -> str:
    longest = max((len(run) for run in _runs(code.text)), default=0)
    fence = _FENCE * max(3, longest + 1)
    return f"{fence}{code.language}\n{code.text}\n{fence}"


def _runs(text: str) -> list[str]:
    """The runs of backticks in a text."""
    return "".join(c if c == _FENCE else " " for c in text).split()


def _table_plain(table: Table) -> str:
    return "\n".join("\t".join(_spans_plain(cell).replace("\n", " ") for cell in row) for row in table.rows)


def _table_markdown(table: Table) -> str:
    rules = {"center": ":-:", "right": "--:"}
    rows = [[_spans_markdown(cell).replace("\n", " ").replace("|", "\\|") for cell in row] for row in table.rows]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "|".join(rules.get(side, "---") for side in table.alignments) + "|")
    return "\n".join(lines)


def _indented(text: str, depth: int, quote: int) -> str:
    margin = "> " * quote + "   " * depth
    return "\n".join(margin + line if line else margin.rstrip() for line in text.split("\n")) if margin else text


def _spans_plain(spans: Iterable[Span]) -> str:
    return "".join(span.text for span in spans)


def _spans_markdown(spans: Iterable[Span]) -> str:
    return _marked(list(spans), _MARKS)


def _marked(spans: Sequence[Span], marks: Sequence[tuple[str, str]]) -> str:
    """The text of spans with the marks around each run of spans that they belong to."""
    if not marks:
        return "".join(map(_leaf_markdown, spans))
    (name, mark), *rest = marks
    texts: list[str] = []
    for is_set, run in groupby(spans, key=attrgetter(name)):
        text = _marked(list(run), rest)
        core = text.strip()
        if is_set and core:
            at = text.index(core)
            text = f"{text[:at]}{mark}{core}{mark}{text[at + len(core) :]}"
        texts.append(text)
    return "".join(texts)


def _leaf_markdown(span: Span) -> str:
    if span.formula or not span.text.strip():
        return span.text
    if span.image:
        return f"![{span.text}]({span.href})" if span.href else span.text
    text = span.text
    if span.code:
        marks = _FENCE * (max((len(run) for run in _runs(text)), default=0) + 1)
        text = f"{marks} {text} {marks}" if len(marks) > 1 else f"`{text}`"
    return f"[{text}]({span.href})" if span.href and span.href != span.text else text
