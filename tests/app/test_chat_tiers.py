"""Tiers in the window: chosen for a model, said of an answer, and compared with exact token by token."""

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.window.context_gauge import ContextGauge
from app.window.neurons.comparison_page import ComparisonPage, verdict_words
from app.window.theme import DARK, LIGHT
from app.window.top_bar import TierChip
from app.window.transcript.answer_view import AnswerView
from app.window.wording import stats_words
from engine.errors import ContextFull
from engine.messages import Cancel, CompareTiers, Generate, GenerationStats, StudyNeurons
from engine.neuron_reports import Comparison
from tests.app import neuron_samples
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER, STARTER, Script
from tests.app.test_window_shell import right_edge

MakeBench = Callable[..., Bench]
TIERS = ("exact", "fine", "fast")


@pytest.fixture
def tiered(make_bench: MakeBench) -> Bench:
    """A window whose models have both tiers."""
    return make_bench(Script(tiers=TIERS, comparison=neuron_samples.DIVERGING)).start()


def chip(bench: Bench) -> TierChip:
    return bench.window.top_bar._tier


def choose(bench: Bench, tier: str) -> None:
    chip(bench)._menu.actions()[TIERS.index(tier)].trigger()


def answer_view(bench: Bench) -> AnswerView:
    view = bench.transcript.views[-1]
    assert isinstance(view, AnswerView)
    return view


def compared(bench: Bench, comparison: Comparison, prompt: str = "Explain how rain forms") -> ComparisonPage:
    bench.script.comparison = comparison
    bench.window._compare_prompt(prompt, comparison.tier)
    bench.until(lambda: bench.session.comparison.task is None)
    bench.settle()
    return bench.window.comparison_page


# Choosing


def test_exact_alone_is_no_choice(bench: Bench) -> None:
    assert not chip(bench).isVisible()
    bench.ask("one")

    assert bench.engine.asked(Generate)[0].tier == "exact"  # type: ignore[union-attr]
    assert not answer_view(bench)._compare.isVisible()


def test_only_the_tiers_of_the_model_are_offered_with_what_they_promise(tiered: Bench) -> None:
    assert chip(tiered).isVisible()
    assert [action.text().split(":")[0] for action in chip(tiered)._menu.actions()] == ["Exact", "Fine", "Fast"]
    assert "0.03 nats" in chip(tiered)._menu.actions()[2].text()


def test_a_tier_is_remembered_for_its_model(tiered: Bench) -> None:
    choose(tiered, "fast")
    tiered.ask("one")
    tiered.models.load(OTHER.model_id)
    tiered.until(lambda: tiered.engine.loaded == OTHER and tiered.models.state == "ready")
    tiered.ask("two")
    tiered.models.load(STARTER.model_id)
    tiered.until(lambda: tiered.engine.loaded == STARTER and tiered.models.state == "ready")
    tiered.ask("three")

    assert [r.tier for r in tiered.engine.asked(Generate)] == ["fast", "exact", "fast"]  # type: ignore[union-attr]
    assert chip(tiered)._words == "Fast"
    tiered.session.settings.save()
    assert f'tiers = {{"{STARTER.model_id}" = "fast"}}' in tiered.paths.settings.read_text()


def test_a_tier_that_is_no_longer_there_is_not_asked_for(tiered: Bench) -> None:
    choose(tiered, "fast")
    tiered.script.tiers = ("exact", "fine")
    tiered.models.load(STARTER.model_id)
    tiered.until(lambda: tiered.models.ready is not None and tiered.models.ready.tiers == ("exact", "fine"))

    tiered.ask("one")

    assert tiered.engine.asked(Generate)[0].tier == "exact"  # type: ignore[union-attr]
    assert chip(tiered)._words == "Exact"


def test_in_a_narrow_window_the_tier_has_room_and_the_context_is_a_ring(tiered: Bench) -> None:
    tiered.ask("one")
    tiered.window.resize(440, 500)
    tiered.settle()

    gauge = tiered.window.top_bar.findChild(ContextGauge)
    tiered.until(gauge.isVisible)
    tiered.settle()
    assert gauge.width() < 30
    assert right_edge(tiered, tiered.window.top_bar._menu_button) < 440
    assert chip(tiered).width() == chip(tiered).sizeHint().width()
    tiered.window.resize(1000, 600)
    tiered.settle()
    assert gauge.width() > 60


# What is said of an answer


def test_an_answer_says_its_tier_and_what_was_found_when_it_was_checked(tiered: Bench) -> None:
    tiered.script.audited = (-1, 3, 0.0123)
    choose(tiered, "fine")
    tiered.ask("one")

    assert "tier fine, mean KL 0.012 at 3 tokens checked" in answer_view(tiered)._facts.text()
    assert "3 tokens were also computed exactly" in answer_view(tiered)._facts.toolTip()
    assert not answer_view(tiered)._drift.isVisible()


def test_an_exact_answer_says_nothing_of_tiers(tiered: Bench) -> None:
    tiered.ask("one")

    assert "tier" not in answer_view(tiered)._facts.text()


def test_a_tier_that_drifted_is_told_also_without_figures(tiered: Bench) -> None:
    tiered.script.audited = (127, 2, 0.3)
    tiered.session.settings.update(show_stats=False)
    choose(tiered, "fast")
    tiered.ask("one")
    view = answer_view(tiered)

    assert not view._facts.isVisible()
    assert view._drift.isVisible()
    assert view._drift.text().startswith("From token 128 on this answer was computed exactly: the tier fast")
    assert view._drift.geometry().bottom() < view._copy.geometry().top() + 8
    tiered.window.resize(440, 600)
    tiered.settle()
    assert view._drift.height() >= view._drift.heightForWidth(view._drift.width())


def test_drift_is_still_told_when_the_conversation_is_opened_again(tiered: Bench) -> None:
    tiered.script.audited = (127, 2, 0.3)
    choose(tiered, "fast")
    tiered.ask("one")
    conversation_id = tiered.chat.conversation_id
    tiered.window.new_chat()

    tiered.window.open_chat(conversation_id)

    assert "From token 128" in answer_view(tiered)._drift.text()


# Comparing


def test_the_first_token_that_differs_is_marked_and_said(tiered: Bench) -> None:
    page = compared(tiered, neuron_samples.DIVERGING)

    assert tiered.window.pages.currentWidget() is page
    assert page._verdict.text() == "The first 4 tokens are the same; then exact goes on with “:”, fast with “.”."
    assert (page.exact.marked, page.other.marked) == (":", ".")
    (selection,) = page.exact.text.extraSelections()
    assert selection.cursor.selectedText() == ":"
    assert page.exact._title.text() == "Exact · 41.2 tokens/s"
    assert page.other._title.text() == "Fast · 55.9 tokens/s"
    assert "1.36 × the speed of exact" in page._facts.text()


def test_both_are_asked_with_one_seed_and_the_settings(tiered: Bench) -> None:
    tiered.session.settings.update(seed=11, temperature=0.3, system_prompt="Be brief.", max_tokens=32)
    page = compared(tiered, neuron_samples.DIVERGING, "  Why? ")
    (asked,) = tiered.engine.asked(CompareTiers)

    assert [(m.role, m.content) for m in asked.messages] == [("system", "Be brief."), ("user", "Why?")]  # type: ignore[union-attr]
    sampling = asked.sampling  # type: ignore[union-attr]
    assert (sampling.seed, sampling.temperature, sampling.max_tokens) == (11, 0.3, 32)
    assert "seed 11" in page._facts.text().lower()


def test_a_random_seed_is_drawn_once_and_told(tiered: Bench) -> None:
    page = compared(tiered, neuron_samples.DIVERGING)
    (asked,) = tiered.engine.asked(CompareTiers)

    assert asked.sampling.seed is not None  # type: ignore[union-attr]
    assert f"seed {asked.sampling.seed}" in page._facts.text().lower()  # type: ignore[union-attr]


def test_answers_that_are_the_same_are_said_to_be(tiered: Bench) -> None:
    page = compared(tiered, neuron_samples.IDENTICAL)

    assert page._verdict.text() == "Both answers are the same, all 5 tokens of them."
    assert page.exact.text.extraSelections() == page.other.text.extraSelections() == []
    assert page.exact.text.toPlainText() == "Yes. It does."


@pytest.mark.parametrize(
    ("exact", "other", "at", "words"),
    [
        (("a",), ("b",), 0, "at the first token: exact begins with “a”, fast with “b”"),
        (("a", " b"), ("a",), 1, "The first token is the same; then exact goes on with “b”, fast with its end"),
        (("a", "b"), ("a", "b", "\n\n"), 2, "The first 2 tokens are the same; then exact goes on with its end, fast"),
        (("a", "  "), ("a", "\t"), 1, "exact goes on with “␣␣”, fast with “⇥”"),
        (("%3", "%1"), ("%3", "%2"), 1, "exact goes on with “%1”, fast with “%2”"),
        (("x", "w" * 90), ("x", "v"), 1, f"exact goes on with “{'w' * 24}…”"),
    ],
)
def test_every_way_to_part_has_words(exact: tuple[str, ...], other: tuple[str, ...], at: int, words: str) -> None:
    assert words in verdict_words(Comparison("fast", exact, other, at, 1.0, 2.0))


def test_marks_are_right_beyond_the_basic_plane(tiered: Bench) -> None:
    """Qt counts UTF-16 units, Python characters."""
    page = compared(tiered, Comparison("fast", ("🔥", "😀", "火", "a"), ("🔥", "😀", "水"), 2, 1.0, 1.0))

    assert page.exact.text.extraSelections()[0].cursor.selectedText() == "火"
    assert page.other.text.extraSelections()[0].cursor.selectedText() == "水"


def test_long_answers_scroll_together(tiered: Bench) -> None:
    common = tuple(f"line {i}\n" for i in range(300))
    page = compared(tiered, Comparison("fast", (*common, "a"), (*common, "b"), 300, 1.0, 1.0))
    exact, other = (pane.text.verticalScrollBar() for pane in (page.exact, page.other))
    assert exact.value() > 0  # the token that differs is in sight
    assert exact.value() == other.value()

    exact.setValue(40)
    assert other.value() == 40
    other.setValue(7)
    assert exact.value() == 7


def test_chinese_text_wraps_and_nothing_sticks_out(tiered: Bench) -> None:
    tiered.window.resize(440, 700)
    page = compared(tiered, neuron_samples.CHINESE, "请用一个小例子解释稀疏激活" * 9)

    assert page.widget().width() <= page.viewport().width()
    for pane in (page.exact, page.other):
        assert pane.text.horizontalScrollBar().maximum() == 0
        assert right_edge(tiered, pane) < 440
    assert page.exact.y() < page.other.y()  # below each other


def test_an_answer_of_the_conversation_is_compared_with_what_came_before_it(tiered: Bench) -> None:
    choose(tiered, "fine")
    tiered.ask("first")
    tiered.ask("second")
    choose(tiered, "fast")

    answer_view(tiered)._compare.click()
    tiered.until(lambda: tiered.session.comparison.comparison is not None)

    (asked,) = tiered.engine.asked(CompareTiers)
    assert [m.content for m in asked.messages] == ["first", "Hello, world.", "second"]  # type: ignore[union-attr]
    assert asked.tier == "fine"  # type: ignore[union-attr]  # at which it was answered
    page = tiered.window.comparison_page
    assert page._prompt.toPlainText() == "second"
    assert "messages before it" in page._about.text()
    page.back_clicked.emit()
    assert tiered.window.pages.currentWidget() is tiered.window.chat_page


def test_a_prompt_on_the_page_on_neurons_is_compared_and_leads_back_there(tiered: Bench) -> None:
    tiered.script.known = {STARTER.model_id: (("tiers", neuron_samples.tiers()),)}
    tiered.window.show_neurons_page()
    row = tiered.window.neurons_page.compare
    tiered.until(row.isVisible)
    assert not row.go.isEnabled()
    row.prompt.setText("Why?")
    row.tier.setCurrentIndex(1)

    QTest.keyClick(row.prompt, Qt.Key.Key_Return)
    tiered.until(lambda: tiered.session.comparison.comparison is not None)

    assert tiered.engine.asked(CompareTiers)[0].tier == "fast"  # type: ignore[union-attr]
    assert tiered.window.pages.currentWidget() is tiered.window.comparison_page
    tiered.window.comparison_page.back_clicked.emit()
    assert tiered.window.pages.currentWidget() is tiered.window.neurons_page


def test_a_model_that_is_not_loaded_is_loaded_to_be_compared(tiered: Bench) -> None:
    tiered.script.known = {OTHER.model_id: (("tiers", neuron_samples.tiers()),)}
    tiered.window.show_neurons_page()
    tiered.session.studies.choose(OTHER.model_id)
    row = tiered.window.neurons_page.compare
    tiered.until(row.load.isVisible)
    assert not row.prompt.isVisible()

    row.load.click()

    tiered.until(row.prompt.isVisible)
    assert tiered.engine.loaded == OTHER


def test_another_prompt_can_be_compared_on_the_page_itself(tiered: Bench) -> None:
    page = compared(tiered, neuron_samples.DIVERGING)
    page._prompt.setPlainText("And snow?")
    page._tier.setCurrentIndex(0)

    QTest.keyClick(page._prompt, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    tiered.until(lambda: len(tiered.engine.asked(CompareTiers)) == 2)
    tiered.until(lambda: tiered.session.comparison.task is None)

    second = tiered.engine.asked(CompareTiers)[1]
    assert (second.messages[-1].content, second.tier) == ("And snow?", "fine")  # type: ignore[union-attr]


def test_a_comparison_waits_for_the_answer_and_can_be_cancelled(tiered: Bench) -> None:
    gate = tiered.script.gates["answer"] = threading.Event()
    tiered.script.gates["compare"] = threading.Event()
    tiered.script.compare = (("compare", 10, 100),)
    tiered.send("Tell me")
    tiered.until(lambda: tiered.chat.path[-1].content)
    tiered.window._compare_prompt("Why?", "fast")
    page = tiered.window.comparison_page
    assert "Waits until the answer" in page._meanwhile.text()
    assert tiered.engine.asked(CompareTiers) == []
    gate.set()
    tiered.until(lambda: page._line._words.text() == "Answering twice: 10 %")
    assert not page._go.isEnabled()

    page._line._cancel.click()

    tiered.until(lambda: tiered.session.comparison.task is None)
    assert tiered.engine.asked(Cancel)
    assert not page._verdict.isVisible()
    assert page._error is None
    assert page._go.isEnabled()


def test_a_comparison_that_fails_is_explained(tiered: Bench) -> None:
    tiered.script.compare_error = ContextFull(9000, 2048).report()
    page = compared(tiered, neuron_samples.DIVERGING)

    assert page._error is not None
    assert "9,000 tokens" in page._error.text.cause
    next(b for b in page._error.findChildren(QPushButton) if b.text() == "Close").click()
    assert page._error is None


def test_an_engine_that_dies_while_comparing_is_told(tiered: Bench) -> None:
    tiered.script.gates["compare"] = threading.Event()
    tiered.window._compare_prompt("Why?", "fast")
    tiered.until(lambda: tiered.engine.asked(CompareTiers))

    tiered.engine.die()

    tiered.until(lambda: tiered.window.comparison_page._error is not None)
    assert tiered.session.comparison.task is None


def test_a_comparison_that_ends_elsewhere_is_announced(tiered: Bench) -> None:
    gate = tiered.script.gates["compare"] = threading.Event()
    tiered.window._compare_prompt("Why?", "fast")
    tiered.window.show_chat_page()
    gate.set()

    tiered.until(lambda: "two answers" in tiered.window.toast._label.text())
    tiered.window.toast._button.click()
    assert tiered.window.pages.currentWidget() is tiered.window.comparison_page


def test_the_mark_follows_the_theme(tiered: Bench) -> None:
    page = compared(tiered, neuron_samples.DIVERGING)
    (light,) = page.exact.text.extraSelections()

    tiered.theme.choose("dark")
    tiered.settle()

    (dark,) = page.exact.text.extraSelections()
    assert dark.cursor.selectedText() == ":"
    assert light.format.background().color() == QColor(LIGHT.selection)
    assert dark.format.background().color() == QColor(DARK.selection)


def test_figures_of_an_answer_without_a_check_say_that(tiered: Bench) -> None:
    choose(tiered, "fast")
    tiered.ask("one")

    assert "tier fast, too short to be checked" in answer_view(tiered)._facts.text()


def test_calibrating_offers_the_tiers_without_a_restart(bench: Bench) -> None:
    bench.script.reports["tiers"] = neuron_samples.tiers()
    bench.window.show_neurons_page()
    bench.until(lambda: bench.session.studies.known is not None)
    bench.script.tiers = TIERS

    bench.window.neurons_page.cards["tiers"]._start.click()
    bench.until(lambda: bench.engine.asked(StudyNeurons) and bench.models.state == "ready")

    assert chip(bench).isVisible()
    bench.until(bench.window.neurons_page.compare.prompt.isVisible)


def test_an_audit_of_one_token_is_said_in_the_singular() -> None:
    stats = replace(GenerationStats(1, 0, 0.1, 0.1, 9, 0.1, 99), tier="fine", audited_tokens=1, audit_kl=0.002)

    assert "tier fine, mean KL 0.0020 at 1 token checked" in stats_words(stats)
