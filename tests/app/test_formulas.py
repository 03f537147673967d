"""What counts as a formula: LaTeX between its marks, and neither money nor shells."""

import random
import time

import pytest

from app.chat.formulas import unfinished_formula
from app.chat.markdown import Block, Code, Formula, Item, MarkdownStream, Span, Table, parse


def formulas(text: str) -> list[str]:
    found: list[str] = []
    for item in parse(text):
        if isinstance(item, Formula):
            found.append(item.latex)
        elif isinstance(item, Block):
            found += [span.formula for span in item.spans if span.formula]
        elif isinstance(item, Table):
            found += [span.formula for row in item.rows for cell in row for span in cell if span.formula]
    return found


def written(items: list[Item]) -> str:
    texts = [item.text if isinstance(item, Formula) else "".join(s.text for s in item.spans) for item in items]  # type: ignore[union-attr]
    return "\n".join(texts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mass $E=mc^2$ and energy", ["E=mc^2"]),
        (r"so \(a_b*c*\), then", ["a_b*c*"]),
        ("the sum $$x$$ holds", ["x"]),
        (r"is \[x\] here", ["x"]),
        ("$$\nx = 1\n$$", ["x = 1"]),
        ("\\[\n\\frac{1}{2}\n\\]", [r"\frac{1}{2}"]),
        ("Then:\n$$\nx\n- 2\n$$\nmore", ["x\n- 2"]),
        ("1. a\n   $$x$$\n2. b", ["x"]),
        ("> $$\n> a\n> $$", ["a"]),
        ("| a |\n|---|\n| $x$ |", ["x"]),
        ("**bold $x_1$ and $x_2$**", ["x_1", "x_2"]),
        ("其中 $x$是", ["x"]),
        (r"$\text{cost} = \$5$", [r"\text{cost} = \$5"]),
        ("a $2 \\times 3$ grid", ["2 \\times 3"]),
        ("$5$ apples", ["5"]),
    ],
)
def test_formulas_are_found(text: str, expected: list[str]) -> None:
    assert formulas(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "It costs $5, or $10 for two.",
        "between $5-$10",
        "US$25 and A$30 or $20 (2$).",
        "from $5 million to 10$",
        "$HOME/$USER and $PATH",
        "`$x$` is code",
        "```\n$$x$$\n```",
        "a $ b $ c",
        "never ends $x + y",
        "$$\nnever ends",
        "$$\na\n\nb\n$$",
        r"escaped \$x\$",
        "$$$$",
        "$$ $$",
    ],
)
def test_what_is_no_formula_stays_text(text: str) -> None:
    assert formulas(text) == []


def test_a_formula_keeps_the_marks_it_was_written_with() -> None:
    assert parse("$$\nx\n$$") == [Formula("x", "$$\nx\n$$")]
    assert parse(r"a \(x\) b") == [Block((Span("a "), Span(r"\(x\)", formula="x"), Span(" b")))]


TEXT = "Then:\n\n$$\na\n- b\n$$\n\nand $x$ is *so*:\n\\[\ny\n= 2\n\\]\nend.\n\n- item\n\n  $$z$$\n\n```\n$$\n```\n"


@pytest.mark.parametrize("seed", range(8))
def test_growing_formulas_end_as_whole_ones(seed: int) -> None:
    rng = random.Random(seed)
    stream = MarkdownStream()
    items: list[Item] = []
    at = 0
    while at < len(TEXT):
        size = rng.randint(1, 6)
        stream.append(TEXT[at : at + size])
        items = stream.items()
        at += size

    def shape(items: list[Item]) -> list[object]:
        return [(i.spans, i.depth) if isinstance(i, Block) else i for i in items]

    assert shape(items) == shape(parse(TEXT))
    assert any(isinstance(item, Code) for item in items)


def test_where_an_unfinished_formula_begins() -> None:
    assert unfinished_formula("a\n$$\nx") == 2
    assert unfinished_formula("$$\nx\n$$\nb") == -1
    assert unfinished_formula("$$\nx\n\nb") == -1
    assert unfinished_formula("\\[\nx\n\\]\n$$") == 8


@pytest.mark.parametrize("text", ["$" * 20_000, "$a " * 10_000, r"$\$" * 8_000, "$$\n" * 5_000, r"\(" * 9_000])
def test_hostile_dollars_are_read_in_time_and_kept(text: str) -> None:
    start = time.thread_time()
    items = parse(text)

    assert time.thread_time() - start < 5
    assert written(items).replace("\n", "").count("$") == text.count("$")
