"""Messages sent while an answer runs: they wait, are sent in order, and nothing of them is lost."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.chat.attached_files import AttachedFile, with_files
from app.window.composer.message_queue import joined
from app.window.composer.queue_rows import QueueRow
from engine.errors import OutOfMemory
from tests.app.conftest import Bench
from tests.app.fake_engine import Script


def said(bench: Bench) -> list[str]:
    return [message.content for message in bench.chat.path if message.role == "user"]


def rows(bench: Bench) -> list[str]:
    bench.settle()
    found = bench.composer.queue.findChildren(QueueRow) if bench.composer.queue.isVisible() else []
    return [row._words for row in found if row.isVisible()]


def write(bench: Bench, text: str) -> None:
    QTest.keyClicks(bench.composer._field, text)
    QTest.keyClick(bench.composer._field, Qt.Key.Key_Return)


@pytest.fixture
def answering(bench: Bench) -> Bench:
    """A bench whose first answer is held back."""
    bench.script.gates["answer"] = threading.Event()
    write(bench, "one")
    bench.until(lambda: bench.chat.is_answering_here)
    return bench


def test_what_is_sent_meanwhile_waits_and_goes_in_order(answering: Bench) -> None:
    write(answering, "two")
    write(answering, "three")
    assert rows(answering) == ["two", "three"]
    assert said(answering) == ["one"]
    assert answering.composer.text == ""

    answering.script.gates["answer"].set()

    answering.until(lambda: said(answering) == ["one", "two", "three"] and answering.chat.answering is None)
    assert [message.role for message in answering.chat.path] == ["user", "assistant"] * 3
    assert rows(answering) == []


def test_stop_does_not_send_what_waits(answering: Bench) -> None:
    write(answering, "two")
    QTest.keyClick(answering.composer._field, Qt.Key.Key_Escape)

    answering.until(lambda: answering.chat.answering is None)
    answering.settle()
    assert said(answering) == ["one"]
    assert rows(answering) == ["two"]
    assert answering.composer.queue._go_on.isVisible()

    answering.script.gates.clear()
    answering.composer.queue._go_on.click()

    answering.until(lambda: said(answering) == ["one", "two"] and answering.chat.answering is None)
    assert rows(answering) == []


def test_stopping_a_message_that_waits_itself_holds_what_is_behind_it(bench: Bench) -> None:
    gate = bench.script.gates["load"] = threading.Event()
    bench.models.load("demo-1b")
    write(bench, "one")
    write(bench, "two")
    assert rows(bench) == ["two"]
    assert not bench.composer.queue._go_on.isVisible()

    QTest.keyClick(bench.composer._field, Qt.Key.Key_Escape)

    assert rows(bench) == ["two"]
    assert bench.composer.queue._go_on.isVisible()
    gate.set()
    bench.until(lambda: bench.models.state == "ready")
    assert said(bench) == ["one"]


def test_a_failed_answer_holds_what_waits(answering: Bench) -> None:
    write(answering, "two")
    answering.script.answer_error = OutOfMemory("answer", 2, 1).report()
    answering.script.gates["answer"].set()

    answering.until(lambda: answering.chat.answering is None)
    assert rows(answering) == ["two"]
    assert said(answering) == ["one"]


def test_a_dead_engine_holds_what_waits(answering: Bench) -> None:
    write(answering, "two")
    answering.engine.die()

    answering.until(lambda: answering.chat.answering is None)
    assert rows(answering) == ["two"]


def test_after_a_stop_a_new_message_goes_first_and_the_rest_follows(answering: Bench) -> None:
    write(answering, "two")
    QTest.keyClick(answering.composer._field, Qt.Key.Key_Escape)
    answering.until(lambda: answering.chat.answering is None)
    answering.script.gates.clear()

    write(answering, "instead")

    answering.until(lambda: said(answering) == ["one", "instead", "two"] and answering.chat.answering is None)


def test_what_waits_can_be_taken_back_and_removed(answering: Bench) -> None:
    for text in ("two", "three"):
        write(answering, text)
    QTest.keyClicks(answering.composer._field, "typed")

    answering.composer.queue.edited.emit(0)

    assert answering.composer.text == "two\n\ntyped"
    assert rows(answering) == ["three"]
    answering.composer.queue.removed.emit(0)
    assert rows(answering) == []
    answering.script.gates["answer"].set()
    answering.until(lambda: answering.chat.answering is None)
    assert said(answering) == ["one"]
    assert answering.composer.text == "two\n\ntyped"


def test_a_queue_goes_on_while_another_conversation_is_shown(answering: Bench) -> None:
    write(answering, "two")
    first = answering.chat.conversation_id
    answering.chat.new()
    assert rows(answering) == []
    QTest.keyClicks(answering.composer._field, "elsewhere")
    answering.script.gates["answer"].set()

    answering.until(lambda: answering.chat.answering is None and not answering.chat.busy_ids())
    assert answering.composer.text == "elsewhere"
    answering.chat.open(first)
    assert said(answering) == ["one", "two"]
    assert rows(answering) == []


def test_the_field_and_the_queue_of_a_conversation_come_back_with_it(answering: Bench) -> None:
    write(answering, "two")
    QTest.keyClicks(answering.composer._field, "three")
    first = answering.chat.conversation_id
    answering.chat.new()
    answering.chat.open(first)

    assert rows(answering) == ["two"]
    assert answering.composer.text == "three"


def test_what_waits_survives_a_restart_as_a_draft(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(Script()).start()
    bench.script.gates["answer"] = threading.Event()
    write(bench, "one")
    bench.until(lambda: bench.chat.is_answering_here)
    write(bench, "two")
    QTest.keyClicks(bench.composer._field, "three")
    conversation_id = bench.chat.conversation_id
    bench.close()

    again = make_bench(Script()).start()
    again.chat.open(conversation_id)

    assert again.composer.text == "two\n\nthree"
    assert rows(again) == []


def test_a_sent_queue_leaves_no_draft(make_bench: Callable[..., Bench]) -> None:
    bench = make_bench(Script()).start()
    gate = bench.script.gates["answer"] = threading.Event()
    write(bench, "one")
    bench.until(lambda: bench.chat.is_answering_here)
    write(bench, "two")
    gate.set()
    bench.until(lambda: said(bench) == ["one", "two"] and bench.chat.answering is None)
    conversation_id = bench.chat.conversation_id
    bench.close()

    again = make_bench(Script()).start()
    again.chat.open(conversation_id)

    assert again.composer.content == ""


def test_messages_are_joined_with_their_files_behind() -> None:
    file, other = AttachedFile("a", "x"), AttachedFile("b", "y")

    assert joined((with_files("one", [file]), " ", with_files("two", [other]))) == with_files(
        "one\n\ntwo", [file, other]
    )
    assert joined(()) == ""
