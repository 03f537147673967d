"""Errors about cards in words: no raw codes, one unit for a card's memory, and a next step that helps."""

import pytest

from app.error_text import describe
from engine.errors import CardUnusable, DeviceLost, EngineError, InvalidRequest, OutOfMemory
from engine.placement.budget import PURPOSES
from engine.placement.published_cards import PUBLISHED_CARDS, published_card
from engine.placement_reports import CARD_STATES
from tests.app.device_samples import GIB, MIB

DETAILS = {
    "old_driver": "470.1", "too_old": "5.2", "no_compiler": "NVRTC, headers", "failed": "NVML: Unknown Error.",
    "no_device": "GPU-11111111-aaaa",
}  # fmt: skip


@pytest.mark.parametrize("state", CARD_STATES)
@pytest.mark.parametrize("has_detail", [False, True])
def test_every_state_of_a_card_is_a_sentence_without_codes(state: str, has_detail: bool) -> None:
    detail = DETAILS.get(state, "its own words") if has_detail else ""
    text = describe(CardUnusable(state, detail).report())

    assert text.cause[0].isupper()
    assert text.cause.endswith(".")
    assert text.action.endswith(".")
    for rubbish in ("{", "()", "–", "..", ": )", ": .", f"({state}", "_"):
        assert rubbish not in text.cause + text.action
    assert detail.rstrip(".") in text.cause
    assert ("(" in text.cause.replace("(CuPy)", "")) == has_detail


def test_states_of_a_card_are_told_apart() -> None:
    texts = {describe(CardUnusable(state, "").report()).cause for state in CARD_STATES}

    assert len(texts) == len(CARD_STATES)


@pytest.mark.parametrize("state", CARD_STATES)
def test_a_card_that_is_switched_off_is_called_that_whatever_its_state(state: str) -> None:
    text = describe(CardUnusable(state, "switched off").report())

    assert "that is what is set" in text.cause
    assert "--card auto" in text.action
    assert "driver" not in text.cause


def test_a_card_of_an_unknown_state_is_shown_by_its_code() -> None:
    assert "melted (at noon)" in describe(CardUnusable("melted", "at noon").report()).cause


@pytest.mark.parametrize("what", ["card", *PURPOSES, "all of the model on the card"])
def test_a_full_card_is_told_in_the_units_of_cards_with_a_smaller_budget_as_the_way_out(what: str) -> None:
    text = describe(OutOfMemory(what, 9 * GIB, 300 * MIB).report())

    assert "9.0 GiB needed, 300 MiB free" in text.cause
    assert "on the card on the card" not in text.cause
    assert text.action.startswith("Choose a smaller budget")
    assert "GB" not in text.cause.replace("GiB", "")


def test_full_main_memory_is_not_taken_for_a_full_card() -> None:
    text = describe(OutOfMemory("cache", 9_000_000_000, 2_000_000_000).report())

    assert "9.0 GB needed, 2.0 GB free" in text.cause
    assert "budget" not in text.action


@pytest.mark.parametrize("name", ["Sample Card 12", ""])
def test_a_card_that_was_given_up_is_not_said_to_be_silent(name: str) -> None:
    given_up = describe(DeviceLost(name, "given up before").report())
    lost = describe(DeviceLost(name, "the bus fell off").report())

    assert "no longer answers" not in given_up.cause
    assert "Load the model again" in given_up.action
    assert lost.cause.endswith("no longer answers: the bus fell off.")
    for text in (given_up, lost):
        assert "  " not in text.cause
        assert "–" not in text.cause


def test_of_a_card_that_cannot_be_assumed_the_known_ones_are_listed() -> None:
    with pytest.raises(EngineError) as caught:
        published_card("RTX 9999")

    text = describe(caught.value.report())

    assert "“RTX 9999”" in text.cause
    assert "assumed_card" not in text.cause
    for card in PUBLISHED_CARDS:
        assert card.name in text.action


def test_of_a_card_that_is_not_here_those_that_are_are_listed() -> None:
    text = describe(InvalidRequest("card", "4090", "auto, none, GPU-1 (Sample Card 12)").report())

    assert "“4090”" in text.cause
    assert "Sample Card 12" in text.action
