"""Exports hold what is shown, or everything; a page for browsers contains nothing that runs or loads."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.chat.chats import Chats, open_chats
from app.chat.exports import save_export, to_json, to_jsonl, to_markdown
from app.chat.html_export import to_html
from app.chat.records import ConversationSummary, StoredConversation, StoredMessage
from app.chat.store_errors import StoreError

HOSTILE = (
    "<script>alert(1)</script> <img src=https://evil.example/x.png onerror=alert(1)>",
    "![secret](https://evil.example/p.png?q=1) [go](javascript:alert(1)) [ok](https://example.org/a?b=\"c'>d)",
    '```"><script>alert(1)</script>\n</code></pre><script>alert(2)</script>\n```',
    "| a | b |\n|---|---|\n| <b>x</b> | `</td><script>` |",
    "> - 1. <iframe src='//evil.example'>\n\n- [x] done\n- [ ] open",
    "<style>@import url(//evil.example)</style> <link rel=stylesheet href=//evil.example> </div></body></html>",
    "> " * 60 + "deep <svg onload=alert(1)>",
    "x" * 1_000_000 + "<script>",
    "\u202ereversed\u202c <meta http-equiv=refresh content=0;url=//evil.example> &lt;script&gt; &#60;script&#62;",
)


@pytest.fixture
def chats() -> Iterator[Chats]:
    found = open_chats(None)
    yield found
    found.database.close()


def branched(chats: Chats) -> StoredConversation:
    """Two versions of the answer, the first of them shown."""
    conversation = chats.create("What is 2+2?", title="Sums", system_prompt="Be brief.\nBe right.")
    first = chats.start_answer(conversation.messages[0].id, "tiny")
    chats.finish_answer(first.id, "**4**\n\n```python\n2 + 2\n```\n")
    second = chats.regenerate(first.id, "tiny")
    chats.finish_answer(second.id, "5")
    chats.show_version(first.id)
    return chats.load(conversation.id)


def spoken(*texts: str) -> StoredConversation:
    messages = []
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        messages.append(StoredMessage(str(number), "c", str(number - 1) if number else None, role, text))
    return StoredConversation(
        ConversationSummary("c", texts[0][:200] if texts else ""), texts[0][:200], tuple(messages)
    )


class Page(HTMLParser):
    """Which elements and attributes a browser would see."""

    VOID = frozenset({"meta", "hr"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data


ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "h4", "h5", "h6", "div", "p", "pre", "code",
    "blockquote", "table", "tr", "td", "th", "hr", "em", "strong", "s", "a",
}  # fmt: skip


def assert_harmless(html: str) -> Page:
    page = Page(html)
    assert page.tags <= ALLOWED
    assert page.open == []
    for tag, name, value in page.attributes:
        assert name in {
            "lang",
            "charset",
            "http-equiv",
            "content",
            "name",
            "class",
            "dir",
            "style",
            "title",
            "rel",
            "href",
        }
        if name == "href":
            assert tag == "a"
            assert value.startswith(("http://", "https://"))
        if name == "style":
            assert value.startswith("margin-left: ")
        if name == "http-equiv":
            assert value == "Content-Security-Policy"
    assert "default-src 'none'" in html
    return page


def test_markdown_is_the_path_that_is_shown(chats: Chats) -> None:
    text = to_markdown(branched(chats), {"user": "You", "assistant": "Ember"})

    assert text == (
        "# Sums\n\n> Be brief.\n> Be right.\n\n**You**\n\nWhat is 2+2?\n\n**Ember** (tiny)\n\n"
        "**4**\n\n```python\n2 + 2\n```\n"
    )


def test_jsonl_has_a_conversation_on_each_line(chats: Chats) -> None:
    lines = to_jsonl([branched(chats), chats.load(chats.create(title="empty").id), spoken("a\u2028b\nc", "d")]).split(
        "\n"
    )

    assert lines[-1] == ""
    assert [json.loads(line)["messages"] for line in lines[:-1]] == [
        [
            {"role": "system", "content": "Be brief.\nBe right."},
            {"role": "user", "content": "What is 2+2?"},
            {"role": "assistant", "content": "**4**\n\n```python\n2 + 2\n```\n"},
        ],
        [
            {"role": "system", "content": "a\u2028b\nc"},
            {"role": "user", "content": "a\u2028b\nc"},
            {"role": "assistant", "content": "d"},
        ],
    ]


def test_json_has_every_version(chats: Chats) -> None:
    conversation = branched(chats)

    (whole,) = json.loads(to_json([conversation]))["conversations"]

    assert [(m["id"], m["parent_id"], m["is_shown"]) for m in whole["messages"]] == [
        (m.id, m.parent_id, m.is_shown) for m in conversation.messages
    ]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_page_holds_nothing_that_runs_or_loads(text: str) -> None:
    page = assert_harmless(to_html(spoken(text, text, "end"), {"user": text[:50], "assistant": "<b>"}))

    assert text in page.text  # what a person typed is shown as typed


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet="<>&\"'`*_[]()!|~#-+.:/=0123 abh\n\t", max_size=60), max_size=3))
def test_no_text_becomes_an_element(texts: list[str]) -> None:
    assert_harmless(to_html(spoken("t", *texts)))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "chat.md"
    save_export(target, "one\n")
    with pytest.raises(UnicodeEncodeError):
        save_export(target, "two \ud800")
    with pytest.raises(StoreError) as caught:
        save_export(tmp_path / "nowhere" / "chat.md", "x")

    assert target.read_bytes() == b"one\n"
    assert [found.name for found in tmp_path.iterdir()] == ["chat.md"]
    assert caught.value.kind == "unreadable"
