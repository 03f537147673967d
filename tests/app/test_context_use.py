"""What the engine counted, as the parts of a gauge and as a place in the conversation."""

from dataclasses import replace

import pytest

from app.chat.answer_facts import AnswerFacts, facts_from_json, facts_to_json
from app.chat.context import (
    ContextUse,
    estimated_tokens,
    first_read,
    fits_without_oldest,
    system_turn,
    use_of,
    with_draft,
)
from app.chat.records import StoredMessage
from app.window.answer_detail_words import sections_of
from engine.context_reports import LeftOut, TokensCounted
from engine.messages import ChatMessage, GenerationStats


def counted(messages, *, draft=0, prompt=0, left_out=None, fits=True):
    return TokensCounted("c", "m", (draft,), tuple(messages), prompt, 1000, 250, left_out, fits)


def test_the_parts_add_up_to_the_prompt():
    use = use_of(counted([10, 100, 200, 50], draft=50, prompt=380), has_system=True)

    assert (use.system, use.messages, use.draft, use.template) == (10, 300, 50, 20)
    assert (use.used, use.room) == (380, 620)
    assert not use.is_nearly_full


def test_a_system_message_that_is_not_read_takes_nothing():
    use = use_of(counted([10, 100, 50], draft=50, prompt=151), has_system=True, reads_system=False)

    assert (use.system, use.messages, use.draft, use.template) == (0, 100, 50, 1)


def test_without_a_draft_and_a_system_message_all_are_messages():
    use = use_of(counted([100, 200], prompt=310), has_system=False)

    assert (use.system, use.messages, use.draft, use.template) == (0, 300, 0, 10)


def test_what_is_left_out_is_in_no_part():
    left_out = LeftOut(1, 2, 300)
    use = use_of(counted([10, 100, 200, 150, 50], draft=50, prompt=230, left_out=left_out), has_system=True)

    assert (use.system, use.messages, use.draft, use.template) == (10, 150, 50, 20)
    assert use.is_nearly_full


def test_of_a_draft_whose_middle_is_cut_the_rest_counts():
    use = use_of(counted([900], draft=900, prompt=410, left_out=LeftOut(0, 0, 0, 500)), has_system=False)

    assert (use.messages, use.draft, use.template) == (0, 400, 10)


@pytest.mark.parametrize(("used", "full"), [(799, False), (800, True)])
def test_from_four_fifths_on_it_is_nearly_full(used, full):
    assert ContextUse(0, used, 0, 0, 1000, 250).is_nearly_full is full


def message(number, role, content="text"):
    return StoredMessage(f"m{number}", "c", None, role, content)


PATH = [message(i, "assistant" if i % 2 else "user") for i in range(6)]


@pytest.mark.parametrize(
    ("left_out", "has_system", "expected"),
    [
        (LeftOut(1, 2, 9), True, "m2"),
        (LeftOut(0, 4, 9), False, "m4"),
        (LeftOut(3, 2, 9), True, "m4"),
        (LeftOut(0, 6, 9), False, None),
        (LeftOut(0, 0, 0, 50), False, "m0"),
    ],
)
def test_the_first_message_that_is_read_again_is_found(left_out, has_system, expected):
    assert first_read(PATH, left_out, has_system=has_system) == expected


def test_messages_that_are_sent_as_one_or_not_at_all_count_as_such():
    path = [message(0, "user"), message(1, "assistant", " "), message(2, "user"), message(3, "assistant"), *PATH[4:]]

    assert first_read(path, LeftOut(0, 2, 9), has_system=False) == "m4"


def test_a_draft_goes_on_with_what_was_said():
    said = (ChatMessage("user", "a"), ChatMessage("assistant", "b"))

    assert with_draft(said, "c") == (*said, ChatMessage("user", "c"))
    assert with_draft(said, " ") == said
    assert with_draft(said[:1], "c") == (ChatMessage("user", "a\n\nc"),)
    assert system_turn("  be brief ") == (ChatMessage("system", "be brief"),)
    assert system_turn(" ") == ()


def test_what_was_left_out_is_kept_with_the_answer_and_told_in_its_details():
    stats = replace(GenerationStats(20, 0, 0.5, 0.6, 3, 0.25, 2048), left_out=LeftOut(1, 12, 3400, 500))
    facts = facts_from_json(facts_to_json(AnswerFacts("stop", stats)))
    answer = StoredMessage("m", "c", None, "assistant", "Yes", facts=facts)

    assert facts.stats == stats
    rows = dict(sections_of(answer)[0].rows)
    assert (
        rows["Not read"].replace(",", "") == "12 messages 3400 tokens; 500 tokens in the middle of the newest message"
    )


def test_tokens_are_estimated_by_the_script():
    assert estimated_tokens("") == 0
    assert estimated_tokens("a" * 400) == 100
    assert estimated_tokens("火" * 300) == 200


@pytest.mark.parametrize(
    ("system", "older", "newest", "fits"),
    [
        (0, 8000, 1000, True),
        (0, 100, 12000, False),
        (0, 0, 12000, False),
        (7000, 4000, 1000, False),
        (500, 8000, 1000, True),
    ],
)
def test_leaving_out_the_oldest_is_known_to_help_or_not(system, older, newest, fits):
    texts = (("system", system), ("user", older // 2), ("assistant", older // 2), ("user", newest))
    prompt = [ChatMessage(role, "abcd" * n) for role, n in texts if n]

    assert fits_without_oldest(prompt, system + older + newest + 30, 8192) is fits
