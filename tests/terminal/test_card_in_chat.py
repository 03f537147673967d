"""What the terminal chat says of a card: where a model is, another budget, and what was given back unasked."""

from dataclasses import replace

import pytest

from app.terminal.sizes import memory_size
from engine.errors import CardUnusable, OutOfMemory
from engine.messages import ModelReady, ReadDevices, SetBudget
from tests.app.device_samples import GIB, NO_CARD, USABLE, load, placement
from tests.terminal import scripted_engine
from tests.terminal.scripted_engine import STATS, Script
from tests.terminal.test_chat import run_piped


def test_a_model_on_a_card_is_said_to_be_there():
    run = run_piped(Script(placement=placement()), "hello")
    assert "On the card: 6.0 GiB" in run.err
    assert "attention of 32 of 32 layers" in run.err
    assert "predicted" in run.err
    assert "demonstration" not in run.err.lower()


def test_a_demonstration_is_never_taken_for_a_card():
    run = run_piped(Script(placement=placement(is_emulated=True, predicted_tokens_per_s=0.0)), "hello")
    assert "A demonstration: the processor plays the card." in run.err
    assert "predicted" not in run.err


@pytest.mark.parametrize(
    ("typed", "budget"), [("/vram 4GiB", 4 * GIB), ("/vram none", 0), ("/vram auto", None), ("/vram 2", 2 * GIB)]
)
def test_another_budget_is_asked_for(typed, budget):
    script = Script(placement=placement())
    run_piped(script, f"hello\n{typed}\n")
    assert [request.vram_bytes for request in script.requests if isinstance(request, SetBudget)] == [budget]


def test_what_is_no_size_asks_nothing_of_the_engine():
    script = Script(placement=placement())
    run = run_piped(script, "hello\n/vram lots\n")
    assert "'lots' is no size" in run.err
    assert not [request for request in script.requests if isinstance(request, SetBudget)]


def test_without_a_card_a_budget_says_why():
    run = run_piped(Script(), "hello\n/vram 4GiB\n/vram\n")
    assert "driver" in run.err
    assert "No graphics card takes part" in run.out


def test_a_card_with_nothing_on_it_says_why():
    nothing = placement(0)
    assert "for this model, nothing there would be faster" in run_piped(Script(placement=nothing), "hello").err
    small = placement(GIB, allocated=())
    run = run_piped(Script(placement=small), "hello\n/vram none\n/vram\n", vram_bytes=GIB)
    assert "nothing that fits in 1.0 GiB would be faster" in run.err
    assert run.out.count("the budget is 0") == 2
    assert "no neurons" not in run.err + run.out


REFUSED = CardUnusable("no_driver", "").report()
FULL = OutOfMemory("card", 4 * GIB, GIB).report()


@pytest.mark.parametrize(
    ("options", "refusal", "words"),
    [
        ({"card": "GPU-1"}, REFUSED, "The processor computes alone. No NVIDIA driver was found. If this computer"),
        ({"card": "4090", "vram_bytes": 0}, REFUSED, "No NVIDIA driver was found."),
        ({"card": "emulated"}, FULL, "no room for this budget: 4.0 GiB needed, 1.0 GiB free"),
        ({"vram_bytes": 4 * GIB}, FULL, "Choose a smaller budget"),
    ],
)
def test_a_card_that_was_asked_for_and_is_not_used_is_said_once_with_what_to_do(options, refusal, words):
    run = run_piped(Script(card_refusal=refusal), "hello", **options)
    assert words in run.err
    assert run.err.count("The processor computes alone.") == 1


@pytest.mark.parametrize("options", [{}, {"card": "none"}, {"card": "none", "vram_bytes": GIB}, {"vram_bytes": 0}])
def test_where_no_card_was_asked_for_nothing_is_said_of_one(options):
    script = Script(card_refusal=REFUSED, report=NO_CARD)
    run = run_piped(script, "hello", **options)
    assert "computes alone" not in run.err
    assert not [request for request in script.requests if isinstance(request, ReadDevices)]


def test_a_budget_of_any_card_says_why_there_is_none():
    run = run_piped(Script(card_refusal=REFUSED), "hello", vram_bytes=GIB)
    assert "The processor computes alone. No NVIDIA driver was found." in run.err
    assert "computes alone" not in run_piped(Script(report=USABLE), "hello", vram_bytes=GIB).err


def test_what_was_given_back_is_said_with_its_numbers_and_the_answer_goes_on():
    less = placement(2 * GIB, stepped_down="out_of_memory", wanted_bytes=GIB)
    run = run_piped(Script([["one ", less, "two"]], placement=placement()), "hello")
    assert run.out.split() == ["one", "two"]
    assert "1.0 GiB" in run.err
    assert "2.0 GiB" in run.err


def test_statistics_say_who_did_the_work():
    run = run_piped(Script(placement=placement(), stats=replace(STATS, load=load())), "hello", shows_stats=True)
    assert "77 % of the neurons' work" in run.err


@pytest.mark.parametrize("text", ["", "GiB", "-4GiB", "4 parsecs", "4GiBB", "1e9"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(ValueError, match="no size"):
        memory_size(text)


def test_a_model_that_exceeds_memory_is_warned_about_with_the_numbers(monkeypatch):
    ready = ModelReady
    monkeypatch.setattr(
        scripted_engine, "ModelReady",
        lambda *values, **named: replace(
            ready(*values, **named), from_disk=True, needed_bytes=9 * GIB, free_bytes=3 * GIB
        ),
    )  # fmt: skip
    run = run_piped(Script(), "hello")
    assert "needs 9.0 GiB of main memory, and 3.0 GiB is free" in run.err
