"""Items become Markdown again that means the same, and plain text without marks."""

import pytest

from app.chat.markdown import Block, Item, Span, parse
from app.chat.markdown_text import cut_spans, to_markdown, to_plain, units_between

DOCUMENT = """# Title

Some **bold *and italic*** text with `code`, ~~old~~, [a link](https://example.org/x) and https://example.org.
Second line with $x_1$.

1. first
2. second
   - nested

- [x] done
- [ ] open

> quoted

| a | b |
|---|--:|
| 1 \\| x | **2** |

$$
y = 2
$$

````python
```
x = 1
````

---

![cat](https://example.org/c.png)"""


def shape(items: list[Item]) -> list[object]:
    return [(i.spans, i.heading, i.quote, i.depth, i.number, i.task) if isinstance(i, Block) else i for i in items]


def test_markdown_of_items_means_the_same() -> None:
    items = parse(DOCUMENT)

    assert shape(parse(to_markdown(items))) == shape(items)


def test_plain_text_has_no_marks() -> None:
    text = to_plain(parse(DOCUMENT))

    for line in ("Title", "Second line with $x_1$.", "1. first", "  • nested", "☑ done", "☐ open", "1 | x\t2", "x = 1"):
        assert line in text.split("\n")
    assert "**" not in text
    assert "example.org/x" not in text


@pytest.mark.parametrize(("start", "end", "expected"), [(0, 2, "ab"), (1, 4, "b😀"), (2, 4, "😀"), (4, 5, "c")])
def test_positions_are_counted_as_qt_counts(start: int, end: int, expected: str) -> None:
    assert units_between("ab😀c", start, end) == expected
    spans = (Span("ab"), Span("😀c", bold=True))
    cut = cut_spans(spans, start, end, [span.text for span in spans])
    assert "".join(span.text for span in cut) == expected


def test_a_formula_is_cut_as_a_whole() -> None:
    spans = (Span("a "), Span("$xyz$", formula="xyz"), Span(" b"))

    assert cut_spans(spans, 1, 3, ["a ", "\ufffc", " b"]) == (Span(" "), Span("$xyz$", formula="xyz"))
