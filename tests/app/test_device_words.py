"""Cards, budgets and slowness in words: each state its remedy, each reason its rule, no sentence without a figure."""

from dataclasses import replace

import pytest

from app.device_figures import GIB, MIB, OTHERS
from app.device_words import (
    DEMONSTRATION,
    STATE_TEXTS,
    Circumstances,
    assumed_words,
    basis_words,
    card_facts_words,
    card_users_words,
    main_memory_words,
    nothing_on_card_words,
    point_words,
    rate_words,
    real_cards,
    share_words,
    slowness,
    speed_words,
    state_words,
    step_down_words,
    time_words,
)
from app.error_text import memory_words
from engine.placement_reports import CARD_STATES, STEP_DOWN_REASONS, PlacementState, StepLoad, ThreadRate
from tests.app import device_samples as samples

SLOW_SWEEP = replace(samples.SPEEDS, cpu=(ThreadRate(8, 30e9),))
KNOWN = Circumstances(replace(samples.USABLE, speeds=SLOW_SWEEP), samples.placement(), 8, 9 * GIB, 10 * GIB)


@pytest.mark.parametrize("state", CARD_STATES)
def test_every_state_has_words_and_all_but_usable_a_next_step(state: str) -> None:
    text = state_words(samples.report(state, samples.CARD, driver="470.1"))

    assert text.cause
    assert bool(text.action) == (state != "usable")
    assert "{" not in text.cause + text.action


def test_states_differ_in_cause_and_remedy() -> None:
    causes = {text.cause for text in STATE_TEXTS.values()}
    remedies = [STATE_TEXTS[s].action for s in ("not_installed", "no_driver", "old_driver", "no_compiler", "no_device")]

    assert len(causes) == len(CARD_STATES)
    assert len(set(remedies)) == len(remedies)


def test_an_old_driver_is_named_and_an_old_card_too() -> None:
    assert "470.1" in state_words(samples.report("old_driver", samples.CARD, driver="470.1")).cause
    assert "Sample Card 12" in state_words(samples.report("too_old", samples.CARD)).cause


def test_an_unknown_state_is_shown_by_its_code() -> None:
    assert "melted" in state_words(samples.report("melted")).cause


def test_a_detail_of_the_driver_is_told_and_none_leaves_no_brackets() -> None:
    words = "NVML: Unknown Error."

    assert (
        state_words(samples.report("failed", detail=words)).cause
        == "The card could not be opened (NVML: Unknown Error)."
    )
    for state in CARD_STATES:
        assert "(" not in state_words(samples.report(state)).cause.replace("(CuPy)", "")


def test_an_emulated_card_is_never_one_of_the_cards() -> None:
    facts = replace(samples.CARD, uuid="emulated", is_emulated=True)
    assert real_cards(samples.report("emulated", facts)) == ()
    assert state_words(samples.DEMONSTRATION).cause == DEMONSTRATION


def test_a_card_is_told_with_its_memory_its_link_and_who_uses_it() -> None:
    assert card_facts_words(samples.CARD) == "12.0 GiB, 4.6 GiB free · PCIe 4.0 x16 · compute capability 8.6"
    assert card_users_words(samples.CARD) == "In use by: Ember 6.0 GiB, browser 700 MiB, compositor 300 MiB"
    assert "(size not told)" in card_users_words(samples.SECOND)
    assert card_users_words(replace(samples.SECOND, processes=())) == "No program is known to use it."


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 MiB"), (512 * MIB, "512 MiB"), (1024 * MIB - 1, "1.0 GiB"), (round(2.13 * GIB), "2.1 GiB"),
     (80 * GIB, "80.0 GiB"), (141 * GIB, "141 GiB"), (-300 * MIB, "−300 MiB")],
)  # fmt: skip
def test_memory_is_written_as_cards_count_it(count: int, words: str) -> None:
    assert memory_words(count) == words


def test_small_figures_are_not_rounded_to_nothing() -> None:
    assert [share_words(s) for s in (0.0, 0.001, 0.5, 0.9987, 1.0)] == ["0 %", "< 1 %", "50 %", "> 99 %", "100 %"]
    assert [time_words(s) for s in (4e-6, 18e-6, 0.0184, 0.42)] == ["4.0 µs", "18 µs", "18 ms", "0.4 s"]
    assert [rate_words(r) for r in (27.4e9, 1008e9)] == ["27.4 GB/s", "1,008 GB/s"]
    assert [speed_words(s) for s in (9.96, 250.4)] == ["10.0 tokens/s", "250 tokens/s"]


def test_a_translation_may_order_the_numbers_as_it_likes() -> None:
    words = speed_words(12.0, lambda text: "每秒 {speed} 个词元")

    assert words == "每秒 12.0 个词元"


# Stepping down --------------------------------------------------------------------------------------------------------


def grown(state: PlacementState, n_bytes: int) -> PlacementState:
    return replace(state, account=tuple((n, b + n_bytes if n == OTHERS else b) for n, b in state.account))


def test_giving_back_names_what_was_taken_and_what_was_given() -> None:
    before = samples.placement(6 * GIB)
    taken = round(2.1 * GIB)
    after = grown(samples.placement(6 * GIB - taken, stepped_down="other_program", wanted_bytes=taken), taken)

    text = step_down_words(after, before)

    assert text.cause == "Another program took 2.1 GiB: Ember gave back 2.1 GiB."
    assert text.action.startswith("Ember goes on with 3.9 GiB of the card.")


def test_what_is_not_known_is_not_claimed() -> None:
    after = samples.placement(4 * GIB, stepped_down="other_program")

    assert step_down_words(after, None).cause == "Another program needs the card's memory."
    assert step_down_words(after, samples.placement(6 * GIB)).cause.endswith("Ember gave back 2.0 GiB.")


@pytest.mark.parametrize("reason", [*STEP_DOWN_REASONS, "something new"])
def test_every_step_down_says_how_it_goes_on(reason: str) -> None:
    after = samples.placement(0, stepped_down=reason, wanted_bytes=3 * GIB)

    text = step_down_words(after, samples.placement(6 * GIB))

    assert "with the processor alone" in text.action
    assert "{" not in text.cause + text.action


def test_out_of_memory_names_what_could_not_be_had() -> None:
    after = samples.placement(4 * GIB, stepped_down="out_of_memory", wanted_bytes=3 * GIB)

    assert "3.0 GiB" in step_down_words(after, None).cause


# Budgets --------------------------------------------------------------------------------------------------------------


def test_a_point_is_called_predicted() -> None:
    lines = point_words(samples.offer().points[10], 32).splitlines()

    assert lines[0] == "5.0 GiB"
    assert lines[1].startswith("predicted: ")
    assert lines[3] == "attention on the card in 32 of 32 layers"


def test_a_card_that_is_not_here_is_called_an_assumption_whatever_it_would_bring() -> None:
    faster = assumed_words(samples.offer(assumed="RTX 4090"))
    slower = assumed_words(samples.offer(assumed="RTX 4090", recommended_bytes=0, basis="even"))
    unknown = assumed_words(samples.offer(assumed="RTX 4090", points=()))

    assert faster.startswith("Predicted with 9.0 GiB of it: 53.7 tokens/s")
    assert slower.startswith("With this model the processor alone would be as fast: 10.5 tokens/s, predicted.")
    assert "as if every one fired for every token" in slower
    for words in (faster, slower, unknown):
        assert "RTX 4090 is not in this computer" in words
        assert "nothing of it was measured" in words


@pytest.mark.parametrize("basis", ["profile", "census", "even"])
@pytest.mark.parametrize("assumed", ["", "RTX 4060"])
@pytest.mark.parametrize("is_sparse", [True, False])
def test_a_basis_claims_no_measurement_of_a_card_that_is_not_here(basis: str, assumed: str, is_sparse: bool) -> None:
    words = basis_words(samples.offer(basis=basis, assumed=assumed), is_sparse=is_sparse)

    assert ("published figures of the RTX 4060, an assumption" in words) == bool(assumed)
    assert ("the speeds measured on this computer" in words) != bool(assumed)
    assert "{" not in words


def test_of_a_dense_model_no_profile_is_promised_to_make_anything_sharper() -> None:
    dense = samples.offer(basis="even", assumed="RTX 4060")

    for words in (basis_words(dense, is_sparse=False), assumed_words(dense, is_sparse=False)):
        assert "all are read for every token" in words
        assert "profile" not in words
        assert "as if" not in words
    assert "profile" in basis_words(dense)


def test_a_point_of_an_assumed_card_is_not_called_predicted_here() -> None:
    words = point_words(samples.demonstration_offer().points[10], 32, assumed="RTX 4060")

    assert words.splitlines()[1].startswith("assumed, RTX 4060: ")
    assert "predicted" not in words


@pytest.mark.parametrize(
    ("state", "wanted", "words"),
    [
        (samples.placement(0), 0, "the budget is 0"),
        (samples.placement(0), None, "for this model, nothing there would be faster"),
        (samples.placement(300 * MIB, allocated=()), 300 * MIB, "nothing that fits in 300 MiB would be faster"),
        (samples.placement(0), 4 * GIB, "there was no room"),
        (samples.placement(0, stepped_down="out_of_memory", wanted_bytes=GIB), 4 * GIB, "no room for 1.0 GiB more"),
        (samples.placement(0, stepped_down="device_lost"), None, "no longer answers"),
    ],
)
def test_where_nothing_is_on_the_card_the_reason_is_told(state: PlacementState, wanted: int | None, words: str) -> None:
    assert words in nothing_on_card_words(state, wanted)


def test_where_something_is_on_the_card_no_reason_is_made_up() -> None:
    assert nothing_on_card_words(samples.placement(), 0) == ""


def test_a_model_beyond_main_memory_is_said_to_run_from_disk() -> None:
    assert "is read from the disk" in main_memory_words(samples.offer(memory_bytes=40 * GIB))
    assert "disk" not in main_memory_words(samples.offer())
    assert main_memory_words(samples.offer(memory_bytes=0)) == ""


# Slowness -------------------------------------------------------------------------------------------------------------

BUSY = {"card_busy_s": 0.5, "cpu_busy_s": 0.5, "overlap_s": 0.45, "cpu_waited_s": 0.03, "card_waited_s": 0.03}
SMALL_MEMORY = replace(KNOWN.report, memory_bytes=8 * GIB)  # type: ignore[type-var]
SLOW_READING = {"cold_bytes": 1_000_000_000}

CASES = [
    ("disk", samples.load(**SLOW_READING), replace(KNOWN, report=SMALL_MEMORY)),
    ("disk", samples.processor_load(**SLOW_READING), replace(KNOWN, report=SMALL_MEMORY, placement=None)),
    ("card_disturbed", samples.load(hot_bytes=2_000_000_000, card_busy_s=0.9, wall_s=1.0), KNOWN),
    ("processor_disturbed", samples.load(cold_bytes=4_000_000_000), KNOWN),
    ("crossing", samples.load(card_busy_s=0.2, cpu_busy_s=0.25, overlap_s=0.15, cpu_waited_s=0.3), KNOWN),
    ("waited_for_processor", samples.load(), KNOWN),
    ("too_few_threads", samples.load(cold_bytes=12_000_000_000), replace(KNOWN, report=samples.USABLE, n_threads=2)),
    ("waited_for_card", samples.load(card_busy_s=0.58, cpu_busy_s=0.3, overlap_s=0.28, cpu_waited_s=0.29,
                                     card_waited_s=0.0, hot_bytes=80_000_000_000), KNOWN),
    ("balanced", samples.load(**BUSY, hot_bytes=60_000_000_000, wall_s=0.56), KNOWN),
    ("processor_alone", samples.processor_load(), replace(KNOWN, placement=None, most_bytes=0)),
    ("too_few_threads", samples.processor_load(),
     Circumstances(report=samples.NO_CARD, n_threads=2)),
    ("nothing_on_the_card", samples.processor_load(), replace(KNOWN, placement=samples.placement(0))),
]  # fmt: skip


@pytest.mark.parametrize(("code", "load", "known"), CASES, ids=[f"{i}-{c[0]}" for i, c in enumerate(CASES)])
def test_the_first_rule_that_the_counters_meet_is_the_reason(code: str, load: StepLoad, known: Circumstances) -> None:
    found = slowness(load, known)

    assert found is not None
    assert found.code == code
    assert "{" not in found.words


@pytest.mark.parametrize("load", [None, samples.load(n_tokens=0), samples.load(wall_s=0.0)])
def test_no_reason_is_given_where_nothing_was_measured(load: StepLoad | None) -> None:
    assert slowness(load, KNOWN) is None


def test_a_reason_carries_the_figures_it_was_chosen_by() -> None:
    waited = slowness(samples.load(), KNOWN)
    disk = slowness(samples.load(**SLOW_READING), replace(KNOWN, report=SMALL_MEMORY))
    threads = slowness(samples.processor_load(), Circumstances(report=samples.NO_CARD, n_threads=2))

    assert waited is not None
    assert "35 %" in waited.words
    assert "23 %" in waited.words
    assert disk is not None
    assert "9.0 GiB" in disk.words
    assert "8.0 GiB" in disk.words
    assert threads is not None
    assert "2 of 8 cores; 8 threads" in threads.words


def test_a_larger_budget_is_only_suggested_where_there_is_one() -> None:
    room = slowness(samples.load(), KNOWN)
    full = slowness(samples.load(), replace(KNOWN, placement=samples.placement(10 * GIB)))
    unknown = slowness(samples.load(), replace(KNOWN, most_bytes=0))

    assert room is not None
    assert "larger budget" in room.words
    assert full is not None
    assert "not to be had" in full.words
    assert unknown is not None
    assert unknown.words.endswith("neurons' work.")


def test_an_emulated_card_is_never_said_to_be_disturbed() -> None:
    load = samples.load(hot_bytes=2_000_000_000, card_busy_s=0.9, wall_s=1.0)
    demonstration = samples.placement(is_emulated=True)

    found = slowness(load, replace(KNOWN, placement=demonstration))

    assert found is not None
    assert found.code not in ("card_disturbed", "processor_disturbed")


def test_other_programs_are_not_blamed_without_a_rate_to_compare_with() -> None:
    report = replace(samples.USABLE, speeds=None)

    found = slowness(samples.load(**SLOW_READING), replace(KNOWN, report=report))

    assert found is not None
    assert found.code == "waited_for_processor"


def test_more_threads_than_the_machine_has_cores_are_not_suggested() -> None:
    report = replace(samples.NO_CARD, physical_cores=2, usable_cores=2)

    found = slowness(samples.processor_load(), Circumstances(report=report, n_threads=2))

    assert found is not None
    assert found.code == "processor_alone"
