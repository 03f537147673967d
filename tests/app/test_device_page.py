"""The device page shows what the engine told, and asks only while it is looked at."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from app.device_figures import GIB
from app.device_words import ASSUMABLE_CARDS, DEMONSTRATION, state_words
from app.window.device.figures import DemonstrationRibbon
from app.window.error_card import ErrorCard
from engine.errors import OutOfMemory
from engine.messages import Cancel, OfferPlacement, ReadDevices, SetBudget, WatchNeurons
from engine.placement.published_cards import PUBLISHED_CARDS
from engine.placement_reports import CARD_STATES
from tests.app import device_samples as samples
from tests.app.conftest import Bench
from tests.app.device_bench import MODELS, MakeBench, ask_here, button, control, opened, page
from tests.app.device_screenshots import dense, emulated, placed, refused_card, stepped_down, with_card, without_card
from tests.app.fake_engine import OTHER, STARTER, Script
from tests.app.test_window_shell import right_edge, unnamed


@pytest.fixture
def carded(make_bench: MakeBench) -> Bench:
    return opened(make_bench, with_card(MODELS))


# Looking and asking --------------------------------------------------------------------------------------------------


def test_nothing_is_asked_of_the_engine_until_somebody_looks(bench: Bench) -> None:
    bench.ask("one")

    for kind in (ReadDevices, OfferPlacement, WatchNeurons):
        assert bench.engine.asked(kind) == []


def test_neurons_are_sent_only_while_the_page_is_seen(carded: Bench) -> None:
    carded.window.show_chat_page()
    carded.settle()

    on, off = carded.engine.asked(WatchNeurons)

    assert (on.wanted, off.wanted) == (True, False)  # type: ignore[attr-defined]
    assert on.request_id == off.request_id
    carded.until(lambda: not carded.engine._watcher)
    before = control(carded).pictures.sample
    carded.ask("one")
    assert control(carded).pictures.sample is before
    assert not control(carded)._read_timer.isActive()


def test_budgets_are_offered_for_the_loaded_model_and_its_context(carded: Bench) -> None:
    (asked,) = carded.engine.asked(OfferPlacement)

    assert (asked.model_id, asked.context_tokens, asked.card) == (STARTER.model_id, STARTER.context_tokens, "auto")  # type: ignore[attr-defined]


def test_another_model_has_another_offer(carded: Bench) -> None:
    carded.models.load(OTHER.model_id)
    carded.until(lambda: control(carded).offer and control(carded).offer.model_id == OTHER.model_id)
    carded.until(lambda: control(carded).placement and control(carded).placement.model_id == OTHER.model_id)


def test_without_a_card_no_budget_is_offered(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))

    assert bench.engine.asked(OfferPlacement) == []
    assert not page(bench).budget.isVisible()
    assert page(bench).without.isVisible()
    assert page(bench).machine.plot.isVisible()


def test_what_a_budget_buys_is_asked_again_once_other_programs_have_grown(carded: Bench) -> None:
    grown = replace(samples.CARD, free_bytes=samples.CARD.free_bytes - GIB)
    carded.script.devices = samples.report("usable", grown)

    control(carded).refresh()

    carded.until(lambda: len(carded.engine.asked(OfferPlacement)) == 2)


def test_until_the_engine_answers_the_page_says_what_it_waits_for(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = make_bench(with_card(MODELS, gates={"devices": gate})).start()
    bench.window.show_device_page()
    bench.settle()

    assert page(bench)._loading.isVisible()
    assert not page(bench).cards.isVisible()
    gate.set()
    bench.until(lambda: control(bench).report is not None)
    assert not page(bench)._loading.isVisible()


def test_an_error_of_reading_can_be_tried_again(make_bench: MakeBench) -> None:
    script = with_card(MODELS, devices_error=OutOfMemory("the probe", 4, 2).report())
    bench = make_bench(script).start()
    bench.window.show_device_page()
    bench.until(lambda: control(bench).read_error)
    script.devices_error = None

    button(page(bench), "Try again").click()

    bench.until(lambda: control(bench).report is not None)
    bench.settle()
    assert page(bench).findChildren(ErrorCard) == []


# Cards ---------------------------------------------------------------------------------------------------------------


def test_every_state_is_said_in_plain_words_with_its_remedy(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    for state in CARD_STATES:
        if state in ("usable", "emulated"):
            continue
        cards = (samples.CARD,) if state in ("too_old", "failed") else ()
        bench.script.devices = samples.report(state, *cards, chosen_uuid="", driver="470.1")
        control(bench).refresh()
        bench.until(lambda state=state: control(bench).report.state == state)  # type: ignore[union-attr]

        wanted = state_words(bench.script.devices)
        assert (page(bench).cards.cause, page(bench).cards.action) == (wanted.cause, wanted.action)
        assert page(bench).without.isVisible()


def test_of_two_cards_one_is_chosen_and_used_after_a_restart(make_bench: MakeBench) -> None:
    bench = opened(make_bench, with_card(MODELS, devices=samples.TWO_CARDS))
    cards = page(bench).cards
    assert [row.choice.isVisible() for row in cards.rows] == [True, True]

    cards.rows[1].choice.click()
    bench.until(lambda: len(bench.engine.asked(OfferPlacement)) == 2)

    assert bench.session.settings.value.card == samples.SECOND.uuid
    assert control(bench).needs_restart
    cards._restart.button.click()
    bench.until(lambda: len(bench.engines) == 2 and bench.models.state == "ready")
    assert not control(bench).needs_restart
    bench.until(lambda: bench.engine.asked(ReadDevices))
    bench.until(lambda: control(bench).report is not None)


def test_the_engine_is_not_restarted_in_the_middle_of_an_answer(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = opened(make_bench, with_card(MODELS, devices=samples.TWO_CARDS, gates={"answer": gate}))
    bench.chat.send("one")
    bench.until(lambda: bench.chat.answering is not None)

    page(bench).cards.rows[1].choice.click()

    assert not page(bench).cards._restart.button.isEnabled()
    gate.set()
    bench.until(lambda: page(bench).cards._restart.button.isEnabled())


def test_one_card_needs_no_choice(carded: Bench) -> None:
    (row,) = page(carded).cards.rows

    assert not row.choice.isVisible()
    assert "browser 700 MiB" in row.users
    assert "PCIe 4.0 x16" in row.facts


# Demonstration -------------------------------------------------------------------------------------------------------


def test_a_demonstration_says_so_wherever_figures_are_and_is_no_card(make_bench: MakeBench) -> None:
    bench = opened(make_bench, emulated(MODELS), card="emulated")
    ask_here(bench, "one")
    whole = page(bench)

    for part in (whole.budget, whole.cards, whole.work, whole.heat):
        (ribbon,) = part.findChildren(DemonstrationRibbon)
        assert ribbon.isVisible(), part.accessibleName()
        assert ribbon.text == DEMONSTRATION
    assert whole.cards.rows == []
    assert bench.window.top_bar._device.isVisible()
    assert "Demonstration" in bench.window.top_bar._device._words
    assert not any("Emulated device" in label.text() for label in whole.findChildren(QLabel))


def test_a_real_card_is_never_called_a_demonstration(carded: Bench) -> None:
    ask_here(carded, "one")

    assert not any(ribbon.isVisible() for ribbon in page(carded).findChildren(DemonstrationRibbon))
    assert carded.window.top_bar._device._words == "card 87 %"


def test_a_demonstration_does_not_borrow_the_figures_of_a_card_that_is_there(make_bench: MakeBench) -> None:
    report = replace(samples.DEMONSTRATION, cards=(samples.CARD,))
    offer = samples.demonstration_offer(account=(("hot neurons", 6 * GIB), ("unused", 2 * GIB)))
    script = replace(emulated(MODELS), devices=report, placement=None, offer=offer)

    bench = opened(make_bench, script, card="emulated")

    assert sum(segment.n_bytes for segment in page(bench).budget._segments()) == 8 * GIB


def test_a_demonstration_begins_and_ends_with_a_restart(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    page(bench).cards.demonstrate.click()
    assert bench.session.settings.value.card == "emulated"
    assert control(bench).needs_restart

    page(bench).cards.demonstrate.click()

    assert bench.session.settings.value.card == "auto"
    assert not control(bench).needs_restart


# Without a card ------------------------------------------------------------------------------------------------------


def test_the_cards_to_reckon_with_are_those_the_engine_has_figures_of() -> None:
    assert list(ASSUMABLE_CARDS) == [card.name for card in PUBLISHED_CARDS]


def test_what_a_card_would_bring_is_predicted_for_a_named_one_and_called_an_assumption(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    without = page(bench).without
    assert not without.plot.isVisible()

    without.choice.setCurrentIndex(without.choice.findData("RTX 4090"))
    without.choice.activated.emit(without.choice.currentIndex())
    bench.until(lambda: control(bench).assumed.offer)
    bench.settle()

    (asked,) = bench.engine.asked(OfferPlacement)
    assert asked.assumed_card == "RTX 4090"  # type: ignore[attr-defined]
    assert without.result.startswith("Predicted with 9.0 GiB")
    assert "nothing of it was measured" in without.result
    assert without.plot.isVisible()


def test_no_figure_of_a_card_is_shown_where_none_was_asked_for(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))

    assert "tokens/s" not in "".join(label.text() for label in page(bench).without.findChildren(QLabel))
    assert "40.9 GB/s" in page(bench).without.measured


# Measuring -----------------------------------------------------------------------------------------------------------


def test_speeds_are_measured_on_request_with_progress(make_bench: MakeBench) -> None:
    gate = threading.Event()
    script = replace(
        without_card(MODELS), devices=samples.UNMEASURED, measured=samples.NO_CARD, measure=(("rates", 3, 6),),
        gates={"measure": gate},
    )  # fmt: skip
    bench = opened(make_bench, script)
    machine = page(bench).machine
    assert not machine.plot.isVisible()
    assert machine.when.startswith("Nothing has been measured yet")

    machine.measure.click()
    bench.until(lambda: (task := control(bench).measuring) and task.progress)
    assert machine.progress.isVisible()
    assert not machine.measure.isEnabled()
    gate.set()
    bench.until(lambda: control(bench).measuring is None)
    bench.settle()

    assert machine.plot.isVisible()
    assert machine.when.startswith("Measured 2026-11-30")


def test_a_measurement_can_be_cancelled(make_bench: MakeBench) -> None:
    script = replace(without_card(MODELS), gates={"measure": threading.Event()})
    bench = opened(make_bench, script)
    page(bench).machine.measure.click()

    button(page(bench).machine, "Cancel").click()
    bench.until(lambda: control(bench).measuring is None)

    assert bench.engine.asked(Cancel)
    assert control(bench).read_error is None
    assert control(bench).report is not None


# The engine's end ----------------------------------------------------------------------------------------------------


def test_what_a_dead_engine_said_is_not_shown_any_more(carded: Bench) -> None:
    ask_here(carded, "one")

    carded.engine.die()
    carded.until(lambda: carded.models.state == "stopped")
    carded.settle()

    assert control(carded).placement is None
    assert control(carded).pictures.sample is None
    assert not page(carded).budget.isVisible()
    assert not carded.window.top_bar._device.isVisible()


def test_a_new_engine_is_asked_anew(carded: Bench) -> None:
    carded.engine.die()
    carded.until(lambda: carded.models.state == "stopped")

    carded.models.start()
    carded.until(lambda: control(carded).offer is not None)

    assert [request.wanted for request in carded.engine.asked(WatchNeurons)] == [True]  # type: ignore[attr-defined]


# Reach and room ------------------------------------------------------------------------------------------------------

SCENES: dict[str, Callable[[], Script]] = {
    "card": lambda: with_card(MODELS, step_down=stepped_down()),
    "two": lambda: with_card(MODELS, devices=samples.TWO_CARDS),
    "emulated": lambda: emulated(MODELS),
    "none": lambda: without_card(MODELS),
    "dense": lambda: dense(MODELS),
    "refused": lambda: refused_card(MODELS),
}


@pytest.mark.parametrize("scene", SCENES)
def test_every_control_of_the_page_has_a_name(make_bench: MakeBench, scene: str) -> None:
    bench = opened(make_bench, SCENES[scene]())
    ask_here(bench, "one")

    assert unnamed(page(bench)) == []
    assert unnamed(bench.window.top_bar) == []


def test_the_tab_key_reaches_the_controls_from_the_top_down(carded: Bench) -> None:
    ask_here(carded, "one")
    whole = page(carded)
    wanted = [whole.budget.slider, whole.budget.field, whole.budget._recommended, whole.budget.plot,
              whole.heat.map, whole.machine.measure, whole.machine.plot]  # fmt: skip
    seen: list[QWidget] = []
    whole.setFocus()
    for _ in range(40):
        QTest.keyClick(QApplication.focusWidget() or whole, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused in wanted and focused not in seen:
            seen.append(focused)

    assert seen == wanted


class Longer(QTranslator):
    """A language in which everything takes half as much room again, and words do not break often."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:  # type: ignore[override]
        return text + "长" * (len(text) // 4)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("is_long", [False, True])
def test_in_a_narrow_window_nothing_is_cut_off(make_bench: MakeBench, scene: str, is_long: bool) -> None:
    translator = Longer()
    if is_long:
        QCoreApplication.installTranslator(translator)
    try:
        bench = opened(make_bench, SCENES[scene]())
        ask_here(bench, "one")
        bench.window.resize(440, 900)
        bench.settle()

        edge = right_edge(bench, page(bench).viewport())
        for widget in page(bench).widget().findChildren(QWidget):
            if widget.isVisible():
                assert right_edge(bench, widget) <= edge, (type(widget).__name__, widget.accessibleName())
    finally:
        QCoreApplication.removeTranslator(translator)


def test_the_page_is_reached_from_the_sidebar_the_menu_and_the_bar(carded: Bench) -> None:
    for reach in (
        carded.window.sidebar.device.click,
        lambda: QTest.keyClick(
            carded.window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        ),
        carded.window.top_bar._device.click,
    ):
        carded.window.show_chat_page()
        reach()

        assert carded.window.pages.currentWidget() is page(carded)


def test_placed_budgets_of_the_samples_add_up() -> None:
    state = placed(SetBudget("x", None))

    assert sum(n_bytes for _, n_bytes in state.account) == samples.TOTAL
