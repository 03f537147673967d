"""A conversation as one HTML page that needs nothing else.

No script, nothing remote, everything a person or a model wrote escaped; the Markdown is that of app/chat/markdown.py,
so HTML in it is text, a picture is its description, and only web addresses are links. A policy in the page forbids
loading anything, should a later hand add it.
"""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from app.chat.markdown import Block, Code, Formula, Item, Span, Table, is_web_link, parse
from app.chat.records import StoredConversation, StoredMessage

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 780px; padding: 32px 20px 64px; overflow-wrap: anywhere;
  font: 16px/1.55 system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 24px; line-height: 1.25; }
.by { margin: 28px 0 4px; opacity: .65; font-size: 13px; }
.user { border-radius: 10px; padding: 2px 16px; background: color-mix(in srgb, currentColor 7%, transparent); }
p, .item { white-space: pre-wrap; margin: 8px 0; }
pre { overflow-x: auto; padding: 12px 14px; border-radius: 8px; font-size: 14px;
  background: color-mix(in srgb, currentColor 7%, transparent); }
blockquote { margin: 8px 0; padding-left: 14px;
  border-left: 3px solid color-mix(in srgb, currentColor 25%, transparent); }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: 4px 12px; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
"""


def to_html(conversation: StoredConversation, names: dict[str, str] | None = None, language: str = "en") -> str:
    """The path shown; `names` gives the words for `user` and `assistant`."""
    words = {"user": "user", "assistant": "assistant"} | (names or {})
    title = escape(conversation.title)
    head = (
        f'<!DOCTYPE html>\n<html lang="{escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
    system = f"<blockquote><p>{escape(conversation.system_prompt)}</p></blockquote>\n"
    turns = "".join(_turn(message, words[message.role]) for message in conversation.path())
    return f"{head}{system if conversation.system_prompt else ''}{turns}</body>\n</html>\n"


def _turn(message: StoredMessage, name: str) -> str:
    by = escape(f"{name} · {message.model}" if message.model else name)
    is_typed = message.role == "user"  # what a person typed is shown as typed
    body = f"<p>{escape(message.content)}</p>" if is_typed else "\n".join(_items(parse(message.content)))
    return f'<div class="by">{by}</div>\n<div class="{message.role}" dir="auto">\n{body}\n</div>\n'


def _items(items: Iterable[Item]) -> Iterator[str]:
    for quote, group in groupby(items, key=lambda item: item.quote):
        yield "<blockquote>" * quote + "".join(map(_item, group)) + "</blockquote>" * quote


def _item(item: Item) -> str:
    indent = f' style="margin-left: {1.6 * item.depth:.1f}em"' if item.depth else ""
    match item:
        case Code():
            label = f' title="{escape(item.language)}"' if item.language else ""
            return f"<pre{label}{indent}><code>{escape(item.text)}</code></pre>"
        case Table():
            return f"<table{indent}>{_table(item)}</table>"
        case Formula():
            return f'<p class="item"{indent}>{escape(item.text)}</p>'
        case Block(is_rule=True):
            return "<hr>"
        case Block(heading=level) if level:
            return f"<h{min(level + 1, 6)}>{_spans(item.spans)}</h{min(level + 1, 6)}>"
    return f'<p class="item"{indent}>{_marker(item)}{_spans(item.spans)}</p>'


def _marker(block: Block) -> str:
    if block.task:
        return "☑ " if block.task == "done" else "☐ "
    if block.number is not None:
        return f"{block.number}. "
    return "• " if block.list_id else ""


def _table(table: Table) -> str:
    rows = []
    for number, row in enumerate(table.rows):
        tag = "td" if number else "th"
        rows.append("<tr>" + "".join(f"<{tag}>{_spans(cell)}</{tag}>" for cell in row) + "</tr>")
    return "".join(rows)


def _spans(spans: Iterable[Span]) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    text = escape(span.text)
    for is_set, tag in (
        (span.code, "code"),
        (span.strike, "s"),
        (span.italic or span.image, "em"),
        (span.bold, "strong"),
    ):
        if is_set:
            text = f"<{tag}>{text}</{tag}>"
    if span.href and is_web_link(span.href):
        return f'<a rel="noopener noreferrer nofollow" href="{escape(span.href)}">{text}</a>'
    return text
