"""A budget is predicted by the offer alone, applied once, and steps down with numbers; what is shown was told."""

import threading

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from app.device_figures import GIB, MIB, OTHERS, predicted
from app.device_words import speed_words
from app.window.device.budget_card import curve_data
from app.window.device.figures import NoticeCard
from app.window.error_card import ErrorCard
from engine.errors import OutOfMemory
from tests.app import device_samples as samples
from tests.app.conftest import Bench
from tests.app.device_bench import MODELS, MakeBench, ask_here, budgets, button, control, opened, page
from tests.app.device_screenshots import UNUSED, dense, emulated, refused_card, stepped_down, with_card
from tests.app.fake_engine import OTHER


@pytest.fixture
def carded(make_bench: MakeBench) -> Bench:
    return opened(make_bench, with_card(MODELS))


# The budget ----------------------------------------------------------------------------------------------------------


def test_the_bar_and_its_legend_are_the_account_of_the_placement(carded: Bench) -> None:
    card = page(carded).budget

    assert sum(segment.n_bytes for segment in card._legend._segments) == samples.TOTAL
    assert card.slider.n_bytes == 6 * GIB
    said = card._legend.accessibleName()
    assert "hot neurons 3.9 GiB" in said
    assert "other programs 1.4 GiB" in said
    assert card.hot.value == "87 %"


def test_before_anything_is_placed_the_bar_is_what_the_driver_says(make_bench: MakeBench) -> None:
    bench = opened(make_bench, with_card(MODELS, devices=UNUSED, placement=None))

    assert sum(segment.n_bytes for segment in page(bench).budget._segments()) == samples.TOTAL
    assert page(bench).budget.slider.n_bytes == 0
    assert page(bench).budget.slider.isEnabled()


def test_dragging_predicts_by_the_points_of_the_offer_and_asks_nothing(carded: Bench) -> None:
    card, n_requests = page(carded).budget, len(carded.engine.requests)
    card.slider.setSliderDown(True)
    for mebibytes in range(100, 9000, 333):
        card.slider.setValue(mebibytes)

        expected = predicted(samples.offer().points, mebibytes * MIB)
        assert expected is not None
        assert card.predicted.value == speed_words(expected.tokens_per_s)
        assert card.measured.value == "–"

    assert len(carded.engine.requests) == n_requests


def test_letting_go_applies_the_budget_once_and_it_is_remembered(carded: Bench) -> None:
    slider = page(carded).budget.slider
    slider.setSliderDown(True)
    for mebibytes in (1024, 2048, 4096):
        slider.setValue(mebibytes)
    slider.setSliderDown(False)

    carded.until(lambda: control(carded).budget_bytes == 4 * GIB)

    assert budgets(carded) == [4 * GIB]
    assert carded.session.settings.value.vram_bytes == 4 * GIB
    assert control(carded).wanted is None
    assert slider.n_bytes == 4 * GIB


def test_keys_step_and_several_steps_are_applied_as_one(carded: Bench) -> None:
    slider = page(carded).budget.slider
    slider.setFocus()
    for _ in range(4):
        QTest.keyClick(slider, Qt.Key.Key_Left)
        QTest.qWait(30)
    QTest.keyClick(slider, Qt.Key.Key_PageDown)

    carded.until(lambda: budgets(carded))
    carded.until(lambda: not control(carded).is_applying)

    assert len(budgets(carded)) == 1
    assert budgets(carded)[0] == slider.n_bytes < 6 * GIB


def test_the_ends_of_the_slider_are_nothing_and_all_that_is_free(carded: Bench) -> None:
    slider = page(carded).budget.slider
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_End)
    assert slider.n_bytes == samples.MOST
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert slider.n_bytes == 0

    carded.until(lambda: budgets(carded) == [0])


def test_the_pointer_sets_the_handle_where_it_is_on_the_card(carded: Bench) -> None:
    slider = page(carded).budget.slider
    bar = slider._bar()
    at = QPoint(round(bar.left() + bar.width() / 2), round(bar.center().y()))
    beyond = QPoint(round(bar.right()), at.y())

    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=at)
    assert slider.n_bytes == pytest.approx(samples.TOTAL / 2, rel=0.01)
    QTest.mouseMove(slider, beyond)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=beyond)

    assert slider.n_bytes == samples.MOST


def test_scrolling_the_page_does_not_move_the_budget(carded: Bench) -> None:
    slider = page(carded).budget.slider
    slider.clearFocus()
    before = slider.value()
    place = QPointF(slider.rect().center())
    event = QWheelEvent(
        place, slider.mapToGlobal(place), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip

    QCoreApplication.sendEvent(slider, event)

    assert slider.value() == before


def test_a_typed_budget_is_applied_with_enter_and_not_before(carded: Bench) -> None:
    field = page(carded).budget.field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "3.25")
    QTest.qWait(450)
    assert budgets(carded) == []
    assert page(carded).budget.slider.n_bytes == round(3.25 * GIB)

    QTest.keyClick(field, Qt.Key.Key_Return)

    carded.until(lambda: budgets(carded) == [round(3.25 * GIB)])


def test_what_is_recommended_is_left_to_the_engine_from_then_on(carded: Bench) -> None:
    control(carded).choose_budget(2 * GIB)
    carded.until(lambda: control(carded).budget_bytes == 2 * GIB)

    button(page(carded).budget, "Use what is recommended").click()
    carded.until(lambda: control(carded).budget_bytes == 9 * GIB)

    assert budgets(carded) == [2 * GIB, None]
    assert carded.session.settings.value.vram_bytes is None


def test_a_budget_chosen_while_another_is_applied_follows_it(carded: Bench) -> None:
    gate = carded.script.gates["budget"] = threading.Event()
    control(carded).choose_budget(2 * GIB)
    carded.until(lambda: control(carded).is_applying)
    control(carded).choose_budget(3 * GIB)
    control(carded).choose_budget(4 * GIB)
    QTest.qWait(450)
    assert budgets(carded) == [2 * GIB]

    gate.set()

    carded.until(lambda: control(carded).budget_bytes == 4 * GIB)
    assert budgets(carded) == [2 * GIB, 4 * GIB]


def test_a_budget_moves_while_an_answer_is_written(carded: Bench) -> None:
    gate = carded.script.gates["answer"] = threading.Event()
    carded.chat.send("one")
    carded.until(lambda: carded.chat.path and carded.chat.path[-1].content.endswith("evaporation."))

    control(carded).choose_budget(3 * GIB)
    carded.until(lambda: control(carded).budget_bytes == 3 * GIB)

    assert carded.chat.answering is not None
    gate.set()
    carded.until(lambda: carded.chat.answering is None)
    assert carded.chat.path[-1].content == "Rain begins with evaporation."


def test_a_speed_is_measured_only_for_a_budget_that_was_there_for_a_whole_answer(carded: Bench) -> None:
    gate = carded.script.gates["answer"] = threading.Event()
    carded.chat.send("one")
    carded.until(lambda: carded.chat.answering is not None)
    control(carded).choose_budget(3 * GIB)
    carded.until(lambda: control(carded).budget_bytes == 3 * GIB)
    gate.set()
    carded.until(lambda: carded.chat.answering is None)
    carded.settle()
    assert page(carded).budget.measured.value == "–"

    ask_here(carded, "two")

    assert control(carded).placement is not None
    assert page(carded).budget.measured.value == "8.0 tokens/s"


def test_a_refused_budget_is_explained_and_the_handle_goes_back(carded: Bench) -> None:
    carded.script.budget_error = OutOfMemory("hot neurons", 9 * GIB, 4 * GIB).report()
    control(carded).choose_budget(8 * GIB)
    carded.until(lambda: control(carded).budget_error)
    carded.settle()

    assert page(carded).budget.slider.n_bytes == 6 * GIB
    assert carded.session.settings.value.vram_bytes is None
    button(page(carded).budget, "Close").click()
    carded.settle()
    assert page(carded).budget.findChildren(ErrorCard) == []


def test_a_budget_chosen_last_thing_is_remembered(carded: Bench) -> None:
    control(carded).choose_budget(5 * GIB)
    carded.close()

    assert carded.session.settings.value.vram_bytes == 5 * GIB


def test_other_ways_of_sharing_are_named_with_what_they_would_do(carded: Bench) -> None:
    texts = page(carded).budget._baselines.texts

    assert texts[2:4] == ["Whole layers on the card, as many as fit", "27.4 tokens/s"]
    assert "does not fit" in texts


def test_while_another_model_is_loaded_the_slider_waits_for_it(carded: Bench) -> None:
    gate = carded.script.gates["load"] = threading.Event()
    carded.models.load(OTHER.model_id)
    carded.until(lambda: carded.models.loading)
    carded.settle()

    assert page(carded).budget.isVisible()
    assert not page(carded).budget.slider.isEnabled()
    assert control(carded).placement is None
    gate.set()
    carded.until(lambda: page(carded).budget.slider.isEnabled())


def test_what_is_promised_of_a_move_is_what_rounding_allows(carded: Bench) -> None:
    state = page(carded).budget._state.text()

    assert "near ties" in state
    assert "answer stays the same" not in state


def test_nothing_on_the_card_is_explained(carded: Bench) -> None:
    control(carded).choose_budget(0)
    carded.until(lambda: control(carded).placement and control(carded).placement.budget_bytes == 0)
    carded.settle()
    assert page(carded).budget._state.text().startswith("In force. Nothing is on the card: the budget is 0.")


def test_a_full_card_is_told_in_the_units_of_the_page(carded: Bench) -> None:
    carded.script.budget_error = OutOfMemory("card", 9 * GIB, 4 * GIB).report()
    control(carded).choose_budget(8 * GIB)
    carded.until(lambda: control(carded).budget_error)
    carded.settle()

    (card,) = page(carded).budget.findChildren(ErrorCard)
    assert "9.0 GiB needed, 4.0 GiB free" in card.text.cause
    assert "smaller budget" in card.text.action


def test_a_prediction_in_force_is_the_placements_own_or_none(make_bench: MakeBench) -> None:
    bench = opened(make_bench, with_card(MODELS, placement=samples.placement(predicted_tokens_per_s=0.0)))

    assert page(bench).budget.predicted.value == "–"


# Dense models --------------------------------------------------------------------------------------------------------


def test_of_a_dense_model_nothing_is_said_of_how_often_neurons_fire(make_bench: MakeBench) -> None:
    bench = opened(make_bench, dense(MODELS))
    card = page(bench).budget

    assert "all are read for every token" in card._basis.text()
    assert "profile" not in card._basis.text()
    assert card._baselines.texts[0] == "Ember: as much as fits"
    assert "nothing there would be faster" in card._state.text()


# Demonstration -------------------------------------------------------------------------------------------------------


def everything_said(widget: QWidget) -> str:
    """What is to be read of a widget, by eye or ear."""
    labels = [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]
    heard = [w.accessibleName() + w.accessibleDescription() for w in (widget, *widget.findChildren(QWidget))]
    return "\n".join((*labels, *heard))


def test_of_a_demonstration_no_speed_is_predicted_as_this_computers(make_bench: MakeBench) -> None:
    bench = opened(make_bench, emulated(MODELS), card="emulated")
    ask_here(bench, "one")
    card = page(bench).budget
    for mebibytes in (None, 3000, 5120):
        if mebibytes is not None:
            card.slider.setSliderDown(True)
            card.slider.setValue(mebibytes)
        assert card.predicted.value == "–"
        assert card.predicted.caption == "not predicted for a demonstration"
        assert "tokens/s" not in card.slider.accessibleDescription()
    card.slider.setSliderDown(False)

    said = everything_said(card)
    assert "speeds measured on this computer" not in said
    assert "same speeds" not in said
    assert "by the published figures of the RTX 4060, an assumption" in card._baselines._title.text()
    assert "published figures of the RTX 4060, an assumption" in card._basis.text()


def test_the_curve_of_a_demonstration_is_named_by_whose_figures_it_is() -> None:
    offer = samples.demonstration_offer()

    data = curve_data(offer, (6 * GIB, 2.8), 32)

    assert "by the published figures of the RTX 4060, an assumption" in data.title
    assert [line.name for line in data.lines] == ["RTX 4060, assumed", "recommended"]
    assert not any("predicted" in stop.words for stop in data.stops)
    here = curve_data(samples.offer(), (6 * GIB, 2.8), 32)
    assert [line.name for line in here.lines] == ["predicted", "recommended", "measured, last answer"]
    assert "published" not in here.title


def test_an_offer_for_another_card_is_not_shown_as_the_demonstrations(make_bench: MakeBench) -> None:
    bench = opened(make_bench, emulated(MODELS), card="emulated")
    assert page(bench).budget.plot.isVisible()
    bench.script.offer = samples.offer()

    control(bench).choose_card("auto")
    bench.until(lambda: control(bench).offer and not control(bench).offer.assumed)
    bench.settle()

    for part in (page(bench).budget.plot, page(bench).budget._basis, page(bench).budget._baselines):
        assert not part.isVisible()
    assert page(bench).budget.predicted.value == "–"


# A card that is not used ---------------------------------------------------------------------------------------------

REFUSAL = "The processor computes alone. No NVIDIA driver was found."


def test_a_card_that_was_asked_for_and_is_not_used_is_said_on_the_page_and_over_it(make_bench: MakeBench) -> None:
    bench = opened(make_bench, refused_card(MODELS), card="GPU-11111111-aaaa")

    (card,) = page(bench).findChildren(NoticeCard)
    assert card.text == REFUSAL
    assert "install NVIDIA's driver" in card.notice_text.action
    assert REFUSAL in bench.window.toast.accessibleName()
    button(page(bench), "Understood").click()
    bench.settle()
    assert page(bench).findChildren(NoticeCard) == []


def test_a_budget_that_was_set_asks_for_a_card_too(make_bench: MakeBench) -> None:
    bench = make_bench(refused_card(MODELS))
    bench.session.settings.update(vram_bytes=2 * GIB)
    bench.start()

    assert REFUSAL in bench.window.toast.accessibleName()


def test_a_card_that_is_not_used_is_said_once_a_start(make_bench: MakeBench) -> None:
    bench = make_bench(refused_card(MODELS))
    bench.session.settings.update(vram_bytes=2 * GIB)
    said: list[str] = []
    bench.session.device.stepped_down.connect(lambda notice: said.append(notice.text.cause))
    bench.start()
    bench.models.load(OTHER.model_id)
    bench.until(lambda: bench.models.ready and bench.models.ready.model.model_id == OTHER.model_id)
    bench.settle()
    assert said == [REFUSAL]

    control(bench).restart()
    bench.until(lambda: len(said) == 2)

    assert said == [REFUSAL] * 2


def test_a_card_that_nobody_asked_for_is_no_message_over_the_page(make_bench: MakeBench) -> None:
    bench = opened(make_bench, refused_card(MODELS))

    assert REFUSAL not in bench.window.toast.accessibleName()
    assert [card.text for card in page(bench).findChildren(NoticeCard)] == [REFUSAL]


def test_a_refusal_goes_with_the_next_model_that_the_card_takes_part_in(make_bench: MakeBench) -> None:
    bench = opened(make_bench, refused_card(MODELS), card="GPU-11111111-aaaa")
    bench.script.card_refusal = None

    bench.models.load(OTHER.model_id)
    bench.until(lambda: control(bench).notice is None)
    bench.settle()

    assert page(bench).findChildren(NoticeCard) == []


# Stepping down -------------------------------------------------------------------------------------------------------


@pytest.fixture
def pressed(make_bench: MakeBench) -> Bench:
    """Another program has taken memory in the middle of an answer."""
    bench = opened(make_bench, with_card(MODELS, step_down=stepped_down()))
    ask_here(bench, "one")
    return bench


def test_what_was_given_back_is_said_with_its_numbers_on_the_page_and_over_it(pressed: Bench) -> None:
    words = "Another program took 2.1 GiB: Ember gave back 2.1 GiB."

    (card,) = page(pressed).findChildren(NoticeCard)

    assert card.text == words
    assert words in pressed.window.toast.accessibleName()
    assert pressed.chat.path[-1].content == "Rain begins with evaporation."
    assert control(pressed).budget_bytes < 4 * GIB


def test_the_slider_ends_where_other_programs_begin(pressed: Bench) -> None:
    account = dict(control(pressed).placement.account)  # type: ignore[union-attr]

    assert account[OTHERS] + page(pressed).budget.slider._most <= samples.TOTAL


def test_a_notice_goes_when_it_is_understood(pressed: Bench) -> None:
    button(page(pressed), "Understood").click()
    pressed.settle()

    assert page(pressed).findChildren(NoticeCard) == []


def test_what_was_given_back_can_be_taken_again(pressed: Bench) -> None:
    pressed.script.step_down = None

    button(page(pressed), "Take 6.0 GiB again").click()
    pressed.until(lambda: control(pressed).budget_bytes == 6 * GIB)
    pressed.settle()

    assert page(pressed).findChildren(NoticeCard) == []


def test_elsewhere_the_message_leads_to_the_page(make_bench: MakeBench) -> None:
    bench = make_bench(with_card(MODELS, step_down=stepped_down())).start()
    bench.ask("one")

    bench.window.toast._button.click()

    assert bench.window.pages.currentWidget() is page(bench)
