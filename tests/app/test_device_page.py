"""The device page shows what the engine told, asks only while it is looked at, and moves a budget without a fuss."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, Qt, QTranslator
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from app.device_figures import GIB, MIB, OTHERS, heat_pixels, predicted
from app.device_words import ASSUMABLE_CARDS, DEMONSTRATION, STATE_TEXTS, speed_words
from app.window.device.device_control import DeviceControl
from app.window.device.device_page import DevicePage
from app.window.device.figures import DemonstrationRibbon, NoticeCard
from app.window.device.heat_map import HeatMap
from app.window.error_card import ErrorCard
from engine.errors import OutOfMemory
from engine.messages import Cancel, OfferPlacement, ReadDevices, SetBudget, WatchNeurons
from engine.placement.published_cards import PUBLISHED_CARDS
from engine.placement_reports import CARD_STATES
from tests.app import device_samples as samples
from tests.app.conftest import Bench
from tests.app.device_screenshots import UNUSED, emulated, placed, stepped_down, with_card, without_card
from tests.app.fake_engine import OTHER, STARTER, Script
from tests.app.test_window_shell import right_edge, unnamed

MakeBench = Callable[..., Bench]
MODELS = (STARTER, OTHER)


def opened(make_bench: MakeBench, script: Script, *, card: str = "auto") -> Bench:
    """The device page of a window, once this machine and what budgets buy are known."""
    bench = make_bench(script)
    bench.session.settings.update(card=card)
    bench.start()
    bench.window.show_device_page()
    bench.until(lambda: bench.session.device.report is not None)
    if script.offer is not None:
        bench.until(lambda: bench.session.device.offer is not None)
    bench.settle()
    return bench


@pytest.fixture
def carded(make_bench: MakeBench) -> Bench:
    return opened(make_bench, with_card(MODELS))


def control(bench: Bench) -> DeviceControl:
    return bench.session.device


def page(bench: Bench) -> DevicePage:
    return bench.window.device_page


def budgets(bench: Bench) -> list[int | None]:
    return [request.vram_bytes for request in bench.engine.asked(SetBudget)]  # type: ignore[attr-defined]


def button(widget: QWidget, words: str) -> QPushButton:
    return next(each for each in widget.findChildren(QPushButton) if each.text().startswith(words))


def ask_here(bench: Bench, text: str) -> None:
    """Ask without leaving the page."""
    bench.chat.send(text)
    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].role == "assistant")
    bench.settle()


# Looking and asking -----------------------------------------------------------------------------------------------


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
    before = control(carded).sample
    carded.ask("one")
    assert control(carded).sample is before
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


# The budget -------------------------------------------------------------------------------------------------------


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


# Stepping down ----------------------------------------------------------------------------------------------------


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


# Who does the work ------------------------------------------------------------------------------------------------


def test_before_an_answer_nothing_is_claimed_of_one(carded: Bench) -> None:
    work = page(carded).work

    assert not work.reason.isVisible()
    assert not work.work.isVisible()
    assert work._empty.isVisible()


def test_the_last_answer_says_who_worked_who_waited_and_why_it_was_slow(carded: Bench) -> None:
    ask_here(carded, "one")
    work = page(carded).work

    assert work.work.text == "card 77 %, processor 23 %"
    assert work.card.text == "computed 52 % of the time, waited 35 %"
    assert "the card waited for the processor" in work.reason.text


def test_while_an_answer_is_written_its_own_work_is_shown(carded: Bench) -> None:
    gate = carded.script.gates["answer"] = threading.Event()
    carded.chat.send("one")
    carded.until(lambda: control(carded).live_load is not None)
    carded.settle()

    assert page(carded).work._when.text().startswith("Of the answer that is being written")
    gate.set()
    carded.until(lambda: carded.chat.answering is None)
    carded.settle()
    assert page(carded).work._when.text().startswith("Of the last answer")


def test_without_a_card_only_the_processor_is_spoken_of(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    ask_here(bench, "one")

    assert page(bench).work.work.text == "processor 100 %"
    assert not page(bench).work.card.isVisible()
    assert "processor computed everything" in page(bench).work.reason.text


# Neurons as they fire ---------------------------------------------------------------------------------------------


def test_the_picture_has_a_pixel_for_each_bucket(carded: Bench) -> None:
    ask_here(carded, "one")
    sample = control(carded).sample
    assert sample is not None

    image = page(carded).heat.map.image

    assert image.format() == QImage.Format.Format_Indexed8
    assert (image.width(), image.height()) == (64, 32)
    pixels = heat_pixels(sample)
    for layer, bucket in ((0, 0), (7, 20), (31, 63)):
        assert image.pixelIndex(bucket, layer) == pixels[64 * layer + bucket]


def test_without_a_card_all_of_the_picture_is_cold(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    ask_here(bench, "one")
    image = page(bench).heat.map.image

    assert all(image.pixelIndex(x, y) < 128 for x in range(64) for y in range(32))
    assert "hot" not in page(bench).heat._legend.accessibleName()


def test_a_flood_of_samples_is_shown_ten_times_a_second(carded: Bench) -> None:
    shown: list[float] = []
    control(carded).sampled.connect(lambda: shown.append(time.monotonic()))
    start = time.monotonic()
    while time.monotonic() - start < 0.55:
        control(carded)._on_sample(samples.neurons(n_layers=2, n_buckets=4))
        QCoreApplication.processEvents()
        time.sleep(0.002)

    assert 4 <= len(shown) <= 7


def test_a_picture_is_painted_in_a_few_milliseconds(carded: Bench) -> None:
    sample = samples.neurons(n_layers=80, n_buckets=64)
    ask_here(carded, "one")
    heat = page(carded).heat.map
    start = time.perf_counter()
    for _ in range(20):
        heat.show_sample(sample)
        heat.grab()

    assert (time.perf_counter() - start) / 20 < 0.033


def test_a_bucket_is_told_to_pointer_and_keys(carded: Bench) -> None:
    ask_here(carded, "one")
    heat = page(carded).heat.map
    cell = heat._cell(9, 21).center()

    assert heat._stop_at(cell) == 64 * 9 + 21
    heat.choose_stop(64 * 9 + 21)
    QTest.keyClick(heat, Qt.Key.Key_Down)

    first, fired, side = heat.stop_words.splitlines()
    assert first == "layer 10, bucket 22 of 64"
    assert fired.endswith("% fired")
    assert "card" in side or "processor" in side


def test_a_change_of_theme_recolours_the_picture(carded: Bench) -> None:
    ask_here(carded, "one")
    heat = page(carded).heat.map

    def corner() -> int:
        carded.settle()
        area = heat._area().toRect()
        return heat.grab().toImage().pixelColor(area.left() + 2, area.top() + 2).rgb()

    carded.theme.choose("light")
    light = corner()
    carded.theme.choose("dark")

    assert corner() != light
    carded.theme.choose("system")


@pytest.mark.parametrize(("n_layers", "n_buckets"), [(1, 1), (200, 64), (3, 7)])
def test_models_of_every_shape_have_a_picture(qtbot: object, n_layers: int, n_buckets: int) -> None:
    heat = HeatMap()
    heat.resize(400, 300)
    heat.show_sample(samples.neurons(n_layers=n_layers, n_buckets=n_buckets))

    assert not heat.grab().isNull()
    assert heat.height() >= n_layers
    heat.deleteLater()


# Cards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [s for s in CARD_STATES if s not in ("usable", "emulated")])
def test_every_state_is_said_in_plain_words_with_its_remedy(make_bench: MakeBench, state: str) -> None:
    cards = (samples.CARD,) if state in ("too_old", "failed") else ()
    report = samples.report(state, *cards, chosen_uuid="", driver="470.1")
    bench = opened(make_bench, Script(models=MODELS, devices=report))

    assert page(bench).cards.cause
    assert page(bench).cards.action.split("(")[0].strip()[:20] in STATE_TEXTS[state].action
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


# Demonstration ----------------------------------------------------------------------------------------------------


def test_a_demonstration_says_so_wherever_figures_are_and_is_no_card(make_bench: MakeBench) -> None:
    bench = opened(make_bench, emulated(MODELS), card="emulated")
    ask_here(bench, "one")
    whole = page(bench)

    for part in (whole.budget, whole.cards, whole.work, whole.heat, whole.machine):
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
    offer = samples.offer(card_uuid="emulated", account=(("hot neurons", 6 * GIB), ("unused", 2 * GIB)))
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


# Without a card ---------------------------------------------------------------------------------------------------


def test_the_cards_to_reckon_with_are_those_the_engine_has_figures_of() -> None:
    assert list(ASSUMABLE_CARDS) == [card.name for card in PUBLISHED_CARDS]


def test_what_a_card_would_bring_is_predicted_for_a_named_one_and_called_an_assumption(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    without = page(bench).without
    assert not without.plot.isVisible()

    without.choice.setCurrentIndex(without.choice.findData("RTX 4090"))
    without.choice.activated.emit(without.choice.currentIndex())
    bench.until(lambda: control(bench).assumed)
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


# Measuring --------------------------------------------------------------------------------------------------------


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


# The engine's end -------------------------------------------------------------------------------------------------


def test_what_a_dead_engine_said_is_not_shown_any_more(carded: Bench) -> None:
    ask_here(carded, "one")

    carded.engine.die()
    carded.until(lambda: carded.models.state == "stopped")
    carded.settle()

    assert control(carded).placement is None
    assert control(carded).sample is None
    assert not page(carded).budget.isVisible()
    assert not carded.window.top_bar._device.isVisible()


def test_a_new_engine_is_asked_anew(carded: Bench) -> None:
    carded.engine.die()
    carded.until(lambda: carded.models.state == "stopped")

    carded.models.start()
    carded.until(lambda: control(carded).offer is not None)

    assert [request.wanted for request in carded.engine.asked(WatchNeurons)] == [True]  # type: ignore[attr-defined]


# Reach and room ---------------------------------------------------------------------------------------------------

SCENES: dict[str, Callable[[], Script]] = {
    "card": lambda: with_card(MODELS, step_down=stepped_down()),
    "two": lambda: with_card(MODELS, devices=samples.TWO_CARDS),
    "emulated": lambda: emulated(MODELS),
    "none": lambda: without_card(MODELS),
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
        carded.window.sidebar._device.click,
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
