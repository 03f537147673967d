"""Thinking is told apart from the answer, at any point of a growing text."""

import pytest

from app.chat.growing_answer import GrowingAnswer
from app.chat.markdown import Block
from app.chat.thinking import MARKS, Thought, split_thinking


@pytest.mark.parametrize(("opener", "closer"), MARKS)
def test_both_parts_are_told_apart(opener: str, closer: str) -> None:
    assert split_thinking(f"{opener}\nhm\n{closer}\n\nYes.") == Thought("hm", "Yes.")
    assert split_thinking(f"{opener}hm") == Thought("hm", "", is_open=True)


@pytest.mark.parametrize(
    "text",
    ["No marks.", "Use <think> to think.", "`</think>` ends it.", "The tag </think> ends it.", "", "<thinkable>"],
)
def test_marks_elsewhere_are_text(text: str) -> None:
    assert split_thinking(text) == Thought("", text)


def test_a_template_may_have_opened_the_thinking() -> None:
    assert split_thinking("hm\n</think>\n\nYes.") == Thought("hm", "Yes.")


def test_no_thinking_at_all_is_none() -> None:
    assert split_thinking("<think>\n\n</think>\n\nYes.") == Thought("", "Yes.")


@pytest.mark.parametrize(("opener", "closer"), MARKS)
def test_no_mark_is_ever_shown_while_the_text_grows(opener: str, closer: str) -> None:
    text = f"{opener}one < two{closer}Yes < no."

    for length in range(len(text) + 1):
        thought = split_thinking(text[:length], is_growing=True)
        assert "one < two".startswith(thought.thinking)
        assert "Yes < no.".startswith(thought.answer)
    assert split_thinking(text) == Thought("one < two", "Yes < no.")


def words(items: object) -> str:
    return "".join(span.text for item in items if isinstance(item, Block) for span in item.spans)  # type: ignore[attr-defined]


def test_a_growing_answer_parses_only_what_is_new() -> None:
    growing = GrowingAnswer()
    growing.show("<think>first\n\nsecond")
    assert growing.is_thinking
    before = growing.thinking()[0]
    growing.show("<think>first\n\nsecond\n\nthird</think>Yes.\n\nAnd")
    assert not growing.is_thinking
    assert growing.thinking()[0] is before
    assert words(growing.thinking()) == "firstsecondthird"
    assert words(growing.answer()) == "Yes.And"


def test_an_answer_that_turns_out_to_be_thinking_is_shown_as_such() -> None:
    growing = GrowingAnswer()
    growing.show("hm")
    assert words(growing.answer()) == "hm"
    growing.show("hm\n</think>\nYes.")
    assert words(growing.thinking()) == "hm"
    assert words(growing.answer()) == "Yes."
