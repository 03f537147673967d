"""How full the context is, before sending: the ring, its account, the policies, and the line in the conversation."""

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.chat.context import ContextUse
from app.window.context_gauge import ContextDetails, ContextGauge, ring_color
from app.window.theme import LIGHT
from engine.context_reports import ASK, MIDDLE, OLDEST, LeftOut
from engine.errors import ContextFull
from engine.messages import CountTokens, Generate
from tests.app.conftest import Bench
from tests.app.fake_engine import STARTER


def gauge(bench: Bench) -> ContextGauge:
    return bench.window.top_bar.context


def use(bench: Bench) -> ContextUse:
    """Of what is there now, once it is counted."""
    bench.until(
        lambda: not bench.session.controls.context._timer.isActive() and bench.session.controls.context._asked is None
    )
    counted = bench.session.controls.context.use
    assert counted is not None
    return counted


def details(bench: Bench) -> ContextDetails:
    gauge(bench).show_details()
    return next(found for found in gauge(bench).findChildren(ContextDetails) if found.isVisible())


def gap(bench: Bench) -> str:
    line = bench.transcript._column.gap
    return line.text if line.isVisible() else ""


def test_the_draft_and_the_system_prompt_count_before_anything_is_sent(bench: Bench) -> None:
    bench.session.settings.update(system_prompt="Be very brief")
    bench.composer.set_text("four words of draft")

    bench.until(lambda: use(bench).draft == 4)
    assert (use(bench).system, use(bench).messages, use(bench).context) == (3, 0, 2048)
    assert gauge(bench).isVisible()
    assert "of the" in gauge(bench).toolTip()


def test_after_an_answer_the_conversation_counts(bench: Bench) -> None:
    bench.ask("Hi there")

    bench.until(lambda: use(bench).messages == 4)  # and “Hello, world.”
    assert use(bench).draft == 0


def test_files_count_as_part_of_the_draft(bench: Bench) -> None:
    bench.composer.files_bar.add_pasted("word " * 100)

    bench.until(lambda: use(bench).draft > 100)


def test_nothing_is_counted_while_an_answer_runs(bench: Bench) -> None:
    gate = bench.script.gates["answer"] = threading.Event()
    bench.composer.set_text("Hi you")
    bench.until(lambda: use(bench).draft == 2)
    bench.send("Hi you")
    bench.until(lambda: bench.chat.is_answering_here)
    assert use(bench).used >= 2
    assert gauge(bench).isVisible()
    n_before = len(bench.engine.asked(CountTokens))
    QTest.keyClicks(bench.composer._field, "meanwhile")
    QTest.qWait(400)
    assert len(bench.engine.asked(CountTokens)) == n_before

    gate.set()
    bench.until(lambda: bench.session.controls.context.use is not None and use(bench).draft == 1)


def test_the_ring_follows_while_messages_that_wait_are_answered(bench: Bench) -> None:
    gate = bench.script.gates["answer"] = threading.Event()
    bench.send("one")
    bench.until(lambda: bench.chat.is_answering_here)
    bench.send("two")
    bench.send("three")
    n_answers = len(bench.engine.asked(Generate))

    second = bench.script.gates["answer"] = threading.Event()
    gate.set()

    bench.until(lambda: len(bench.engine.asked(Generate)) == n_answers + 1 and bench.chat.is_answering_here)
    bench.until(lambda: use(bench).messages == 3)  # “one” and “Hello, world.”, while “two” is being answered
    third = bench.script.gates["answer"] = threading.Event()
    second.set()
    bench.until(lambda: use(bench).messages == 6)
    assert bench.chat.is_answering_here
    third.set()
    bench.until(lambda: use(bench).messages == 9)


@pytest.mark.parametrize(
    ("n_tokens", "left_out", "fits", "color"),
    [
        (700, None, True, "muted"),
        (800, None, True, "warning"),
        (300, LeftOut(0, 2, 9), True, "warning"),
        (1200, None, False, "danger"),
    ],
)
def test_the_ring_is_amber_at_four_fifths_and_red_where_it_does_not_fit(
    n_tokens: int, left_out: LeftOut | None, fits: bool, color: str
) -> None:
    assert ring_color(ContextUse(0, n_tokens, 0, 0, 1000, 250, left_out, fits), LIGHT) == getattr(LIGHT, color)


def test_a_click_shows_what_takes_the_context_and_changes_the_policy(bench: Bench) -> None:
    bench.ask("Hi")
    use(bench)
    shown = details(bench)
    buttons = {button.text(): button for button in shown._group.buttons()}
    assert buttons["Stop and ask me"].isChecked()
    assert not shown._keep.isEnabled()
    assert shown.focusWidget() is buttons["Stop and ask me"]

    buttons["Leave out the oldest turns"].click()
    shown._keep.click()

    assert bench.session.settings.value.overflow == OLDEST
    assert bench.session.settings.value.keeps_first is False
    shown.close()
    bench.settle()
    assert details(bench)._group.checkedButton().text() == "Leave out the oldest turns"
    details(bench).close()


def test_what_does_not_fit_is_said_with_how_much_it_is_too_long(bench: Bench) -> None:
    bench.composer.set_text("word " * 3000)
    bench.until(lambda: not use(bench).fits)

    words = details(bench)._remarks(use(bench))

    assert "tokens too many" in words[0]
    assert "does not fit" in gauge(bench).toolTip()
    details(bench).close()


def test_answers_are_asked_for_with_the_policy(bench: Bench) -> None:
    bench.session.settings.update(overflow=MIDDLE, keeps_first=False)
    bench.ask("Hi")

    asked = bench.engine.asked(Generate)[-1]
    assert isinstance(asked, Generate)
    assert (asked.overflow, asked.keeps_first) == (MIDDLE, False)


def test_a_line_marks_where_the_model_reads_on_before_and_while_it_answers(bench: Bench) -> None:
    bench.script.models = (replace(STARTER, context_tokens=10),)
    bench.ask("a question of five words")
    bench.ask("another one")
    assert gap(bench) == ""
    bench.script.left_out = LeftOut(0, 2, 7)
    bench.session.settings.update(overflow=OLDEST)
    bench.models.load(STARTER.model_id)
    bench.until(lambda: bench.models.state == "ready" and bench.models.ready.context_tokens == 10)

    bench.until(lambda: gap(bench))
    assert "2 messages (7 tokens)" in gap(bench)
    line, views = bench.transcript._column.gap, bench.transcript.views
    assert views[1].geometry().bottom() < line.y() < views[2].y()

    gate = bench.script.gates["answer"] = threading.Event()
    bench.script.left_out = LeftOut(0, 4, 12)
    bench.send("a third")
    bench.until(lambda: "4 messages" in gap(bench))
    assert bench.transcript._column.gap.y() > bench.transcript.views[3].geometry().bottom()
    gate.set()
    bench.until(lambda: bench.chat.answering is None)
    bench.chat.new()
    assert gap(bench) == ""


def test_a_conversation_that_does_not_fit_can_be_answered_with_a_part_left_out(bench: Bench) -> None:
    bench.ask("Tell me a long story about a lighthouse. " * 40)
    bench.script.answer_error = ContextFull(9000, 2048).report()
    bench.send("Hi")
    bench.until(lambda: bench.chat.answering is None and bench.chat.path and bench.chat.path[-1].error)
    bench.settle()
    buttons = {b.text(): b for b in bench.transcript.findChildren(QPushButton) if b.isVisible()}
    assert bench.session.settings.value.overflow == ASK
    bench.script.answer_error = None

    QTest.mouseClick(buttons["Leave out the oldest"], Qt.MouseButton.LeftButton)

    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].content)
    assert bench.session.settings.value.overflow == OLDEST
    asked = bench.engine.asked(Generate)[-1]
    assert isinstance(asked, Generate)
    assert asked.overflow == OLDEST
    toast = bench.window.toast
    assert "oldest" in toast._label.text()

    toast._button.click()

    assert bench.session.settings.value.overflow == ASK


def test_where_the_message_alone_is_too_long_only_a_cut_of_it_is_offered(bench: Bench) -> None:
    bench.ask("Hi")
    bench.script.answer_error = ContextFull(12847, 8192).report()
    bench.send("Sum this up: " + "a lighthouse and its keeper " * 80)
    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].error)
    bench.settle()
    words = {b.text() for b in bench.transcript.findChildren(QPushButton) if b.isVisible()}

    assert "Leave out the oldest" not in words
    assert {"Leave out the middle", "New chat"} <= words


def test_a_count_that_fails_is_asked_for_again_with_the_next_change(bench: Bench) -> None:
    use(bench)
    bench.engine.loaded = None
    QTest.keyClicks(bench.composer._field, "x")
    bench.until(lambda: bench.models.state == "ready" and bench.engine.loaded is not None)
    QTest.keyClicks(bench.composer._field, " y")

    bench.until(lambda: bench.session.controls.context.use is not None and use(bench).draft == 2)
