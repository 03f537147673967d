"""What an answer's markup means: nothing is lost, nothing is fetched, and growing text ends as the whole text."""

import random

import pytest

from app.chat.markdown import PLAIN_CHARACTERS, Block, Code, Item, MarkdownStream, Span, Table, is_web_link, parse

DOCUMENT = """# Title

Some **bold *and italic*** text with `code`, ~~old~~ and https://example.org/x.
Second line.

1. first
   ```python
   x = 1
   ```
   more
2. second
   - nested

> quote
> > deeper

| a | b |
|:--|--:|
| 1 | **2** |

---

```
open
"""


def text_of(items: list[Item]) -> str:
    return "".join(span.text for item in items if isinstance(item, Block) for span in item.spans)


def grown(text: str, sizes: list[int]) -> list[Item]:
    stream = MarkdownStream()
    items: list[Item] = []
    at = 0
    for size in sizes:
        stream.append(text[at : at + size])
        items = stream.items()
        at += size
    return items


def test_structure_becomes_flat_items() -> None:
    items = parse(DOCUMENT)

    assert [type(i).__name__ for i in items] == [
        "Block",
        "Block",
        "Block",
        "Code",
        "Block",
        "Block",
        "Block",
        "Block",
        "Block",
        "Table",
        "Block",
        "Code",
    ]
    first, code, more, second, nested = items[2:7]
    assert isinstance(first, Block)
    assert (first.number, first.depth, first.list_id) == (1, 1, 1)
    assert code == Code("x = 1", "python", depth=1)
    assert isinstance(more, Block)
    assert (more.depth, more.list_id) == (1, 0)
    assert isinstance(second, Block)
    assert (second.number, second.list_id) == (2, 1)
    assert isinstance(nested, Block)
    assert (nested.number, nested.depth) == (None, 2)
    assert items[9] == Table((((Span("a"),), (Span("b"),)), ((Span("1"),), (Span("2", bold=True),))), ("left", "right"))
    assert items[-1] == Code("open", is_closed=False)


def test_styles_and_bare_links() -> None:
    paragraph = parse(DOCUMENT)[1]

    assert isinstance(paragraph, Block)
    assert Span("and italic", bold=True, italic=True) in paragraph.spans
    assert Span("code", code=True) in paragraph.spans
    assert Span("old", strike=True) in paragraph.spans
    assert Span("https://example.org/x", href="https://example.org/x") in paragraph.spans
    assert Span(".\nSecond line.") in paragraph.spans


@pytest.mark.parametrize("seed", range(5))
def test_growing_text_ends_as_the_whole_text(seed: int) -> None:
    text = DOCUMENT * 3
    rng = random.Random(seed)
    sizes = []
    while sum(sizes) < len(text):
        sizes.append(rng.randint(1, 12))

    def shape(items: list[Item]) -> list[object]:  # numbers of lists and their spacing may differ, nothing else
        return [(i.spans, i.heading, i.quote, i.depth, i.number) if isinstance(i, Block) else i for i in items]

    assert shape(grown(text, sizes)) == shape(parse(text))


def test_finished_blocks_are_the_same_objects_again() -> None:
    stream = MarkdownStream()
    stream.append("one\n\ntwo\n\nthree")
    before = stream.items()
    stream.append(" and more\n\nfour")
    after = stream.items()

    assert all(a is b for a, b in zip(before[:2], after, strict=False))


def test_a_line_ending_split_between_pieces_is_one() -> None:
    assert grown("a\r\n\r\nb\r\n", [2, 2, 1, 3]) == [Block((Span("a"),)), Block((Span("b"),))]


@pytest.mark.parametrize(
    "html",
    ["<script>alert(1)</script>", "<b>bold</b>", "<img src=x onerror=alert(1)>", "<!-- gone? -->", "<details>x"],
)
def test_html_is_shown_as_text(html: str) -> None:
    assert text_of(parse(html)) == html
    assert text_of(parse(f"before {html} after")) == f"before {html} after"


def test_an_image_is_a_text_with_a_link() -> None:
    items = parse("![cat](https://evil.example/t.png?q=secret) ![](javascript:x)")

    assert isinstance(items[0], Block)
    assert items[0].spans[0] == Span("cat", image=True, href="https://evil.example/t.png?q=secret")
    assert all(not span.href for span in items[0].spans[1:])


@pytest.mark.parametrize(
    ("href", "accepted"),
    [
        ("https://example.org", True),
        ("http://example.org:8080/a?b#c", True),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("data:text/html,x", False),
        ("https://", False),
        ("//example.org", False),
        ("mailto:a@b.c", False),
        ("https://[", False),
        ("", False),
        ("smb://host/share", False),
    ],
)
def test_only_web_links_are_links(href: str, accepted: bool) -> None:
    assert is_web_link(href) is accepted
    if href == "https://[":
        return  # the parser has percent-encoded the bracket by then
    linked = [s.href for i in parse(f"[x](<{href}>)") if isinstance(i, Block) for s in i.spans if s.href]
    assert linked == ([href] if accepted else [])


def test_a_reference_definition_does_not_vanish() -> None:
    assert "[1]: " in text_of(parse("[1]: http://example.org 'title'"))


@pytest.mark.parametrize("nesting", ["> " * 3000, "- " * 3000, "1. " * 3000])
def test_deep_nesting_loses_nothing(nesting: str) -> None:
    assert text_of(parse(nesting + "needle")).endswith("needle")


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "word " * 20_000,
        "[" * 9_000,
        "*a " * 7_000,
        "`a" * 10_000,
        "<" * 20_000,
        "|" * 5_000,
        "![x](http://e.c/a) " * 3_000,
        "https://" * 5_000,
    ],
    ids=lambda t: t[:8],
)
@pytest.mark.timeout(20)
def test_hostile_text_is_parsed_in_time_and_kept(text: str) -> None:
    letters = sum(c.isalpha() for c in text.replace("![x](http://e.c/a)", "x"))

    for items in (parse(text), grown(text, [len(text) // 2 + 1] * 2)):
        assert sum(c.isalpha() for c in text_of(items)) >= letters


def test_control_characters_are_visible_and_cannot_turn_text_round() -> None:
    assert text_of(parse("a\x00b\x1b[31mc\u202edoc.exe\u2028next <|im_end|>")) == "a�b�[31mcdoc.exe\nnext <|im_end|>"


def test_an_endless_block_is_shown_plain_while_it_grows() -> None:
    stream = MarkdownStream()
    stream.append("**x** " * (PLAIN_CHARACTERS // 5))

    (block,) = stream.items()

    assert isinstance(block, Block)
    assert len(block.spans) == 1


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("```\nx\n```", True),
        ("```\nx", False),
        ("```", False),
        ("````\n```\n", False),
        ("~~~py\nx\n~~~", True),
        ("> ```\n> x\n> ```", True),
        ("    indented", True),
    ],
)
def test_whether_a_code_block_has_ended(text: str, closed: bool) -> None:
    (code,) = parse(text)

    assert isinstance(code, Code)
    assert code.is_closed is closed


def test_boxes_of_a_task_list() -> None:
    items = parse("- [ ] a\n- [x] b\n- [y] c\n\n[ ] no item")

    assert [i.task for i in items if isinstance(i, Block)] == ["open", "done", "", ""]
    assert text_of(items) == "ab[y] c[ ] no item"


def test_an_item_that_begins_with_code_keeps_its_number() -> None:
    items = parse("1. ```\n   x\n   ```\n2. b\n3.\n")

    assert [i.number for i in items if isinstance(i, Block)] == [1, 2, 3]


@pytest.mark.parametrize(
    "text", ["1. one\n\n2. two\n\n3. three\n\nThe end", "* one\n\n* two\n\nThe end", "- a\n\n- b\n"]
)
def test_a_list_with_gaps_is_one_list_however_it_arrives(text: str) -> None:
    stream = MarkdownStream()
    for character in text:
        stream.append(character)
        stream.items()

    assert stream.items() == parse(text)
