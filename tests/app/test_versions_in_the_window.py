"""Several versions of an answer in the window: the menu, the keys, the switch while they grow, and what is said."""

import threading

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.chat.chats import open_chats
from app.chat.conversation import INTERRUPTED, STREAMING
from app.window.answer_details import AnswerDetails
from app.window.palette_entries import palette_entries
from app.window.transcript.answer_view import AnswerView
from engine.errors import ContextFull
from engine.messages import GenerateVariants
from tests.app.conftest import Bench

SHIFTED = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
WORDS = "Write 3 more versions"


def answer(bench: Bench) -> AnswerView:
    view = bench.transcript.views[-1]
    assert isinstance(view, AnswerView)
    return view


def text(view: AnswerView) -> str:
    """What can be read of it on the screen."""
    return "\n".join(part.editor.toPlainText() for part in view.parts())


def entry(bench: Bench, words: str = WORDS) -> QAction:
    menu = answer(bench)._menu()
    assert isinstance(menu, QMenu)
    return next(action for action in menu.actions() if action.text() == words)


def running(bench: Bench) -> threading.Event:
    """Three more versions, asked for in the menu, of which nothing is missing but their ends; what lets them end."""
    bench.ask("Hi")
    gate = bench.script.gates["answer"] = threading.Event()
    entry(bench).trigger()
    bench.until(lambda: [m.content for m in bench.chat.versions(bench.chat.path[-1])][3:] == ["Version 2 of it."])
    bench.settle()
    return gate


def settled(bench: Bench) -> None:
    bench.until(lambda: not bench.chat.is_busy_here)
    bench.settle()


def test_the_switch_is_there_while_they_grow_and_shows_them(bench: Bench) -> None:
    gate = running(bench)
    shown = answer(bench)
    assert shown.message.status == STREAMING
    assert shown._version.isVisible()
    assert shown._version.text() == "2 / 4"
    assert not shown._copy.isVisible()

    shown._next.click()
    bench.settle()

    assert answer(bench)._version.text() == "3 / 4"
    assert text(answer(bench)) == "Version 1 of it."
    gate.set()
    settled(bench)
    assert answer(bench)._version.text() == "3 / 4"
    assert answer(bench)._copy.isVisible()


def test_a_version_that_is_looked_at_goes_on_growing(bench: Bench) -> None:
    bench.ask("Hi")
    bench.script.pause_s = 0.02
    bench.script.variants = lambda request: [[f"{number}"] * 60 for number in range(3)]
    bench.chat.regenerate(n_versions=3)
    bench.until(lambda: answer(bench).message.content.startswith("0"))

    answer(bench)._next.click()
    shown = answer(bench)
    seen = len(text(shown))
    bench.until(lambda: len(text(shown)) > seen + 3)

    assert set(text(shown).strip()) == {"1"}
    bench.chat.stop()
    settled(bench)


def test_beside_versions_that_grow_nothing_else_is_offered(bench: Bench) -> None:
    gate = running(bench)
    bench.chat.branches.step(-1)
    bench.settle()

    assert answer(bench).message.content == "Hello, world."
    assert bench.page._awaited() == "3 other versions are being written…"
    assert bench.composer._hint.text() == "Esc stops all versions. What you send now is sent once they are done."
    assert not answer(bench)._regenerate.isEnabled()
    assert not entry(bench).isEnabled()
    assert not entry(bench, "Delete this version").isEnabled()

    gate.set()
    settled(bench)
    assert bench.page._awaited() == ""
    assert answer(bench)._regenerate.isEnabled()
    assert entry(bench, "Delete this version").isEnabled()


def test_keys_write_versions_and_go_through_them(bench: Bench) -> None:
    bench.ask("Hi")
    field = bench.composer._field
    bench.until(lambda: field.hasFocus())

    QTest.keyClick(field, Qt.Key.Key_R, SHIFTED)
    settled(bench)
    assert answer(bench)._version.text() == "2 / 4"
    QTest.keyClick(field, Qt.Key.Key_PageDown, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(field, Qt.Key.Key_PageDown, Qt.KeyboardModifier.AltModifier)
    assert answer(bench)._version.text() == "4 / 4"
    QTest.keyClick(field, Qt.Key.Key_PageUp, Qt.KeyboardModifier.AltModifier)
    assert answer(bench)._version.text() == "3 / 4"
    assert WORDS in [each.title for each in palette_entries(bench.window)]


def test_escape_stops_all_of_them(bench: Bench) -> None:
    running(bench)

    QTest.keyClick(bench.window, Qt.Key.Key_Escape)
    settled(bench)

    shown = bench.chat.versions(bench.chat.path[-1])[1:]
    assert [m.status for m in shown] == ["stopped"] * 3
    assert answer(bench)._facts.text().startswith("stopped")


def test_at_temperature_zero_it_is_said_and_nothing_is_written(bench: Bench) -> None:
    bench.ask("Hi")
    bench.session.settings.update(temperature=0.0)

    entry(bench).trigger()
    bench.settle()

    assert bench.engine.asked(GenerateVariants) == []
    assert not bench.chat.is_busy_here
    assert (
        bench.window.toast._label.text()
        == "At temperature 0 all versions would be the same. Choose a higher temperature first."
    )
    bench.page.answer_settings_clicked.emit()
    assert bench.window.panel.isVisible()
    bench.page.answer_settings_clicked.emit()
    assert bench.window.panel.isVisible()


def test_a_refusal_is_told_in_the_words_of_the_engine(bench: Bench) -> None:
    bench.ask("Hi")
    bench.script.variants = lambda request: [[], [], []]
    bench.script.answer_error = ContextFull(3000, 2048).report()

    entry(bench).trigger()
    settled(bench)

    for _ in range(3):
        card = answer(bench)._card
        assert card is not None
        assert "3,000" in card.text.cause
        assert "2,048" in card.text.cause
        bench.chat.branches.step(1)
        bench.settle()


def test_what_is_sent_meanwhile_waits_for_all_of_them(bench: Bench) -> None:
    bench.script.variants = lambda request: [["short"], ["a", "b"], ["a", "b"]]
    bench.ask("Hi")
    gate = bench.script.gates["answer"] = threading.Event()
    entry(bench).trigger()
    bench.until(lambda: [m.status for m in bench.chat.versions(bench.chat.path[-1])][1:2] == ["done"])
    bench.send("And then?")
    bench.settle()
    assert bench.session.controls.queue.messages == ("And then?",)

    gate.set()
    bench.until(lambda: len(bench.chat.path) == 4 and bench.chat.answering is None)

    assert [m.content for m in bench.chat.path] == ["Hi", "short", "And then?", "Hello, world."]


def test_details_name_the_seed_of_each(bench: Bench) -> None:
    bench.ask("Hi")
    entry(bench).trigger()
    settled(bench)
    seeds = []
    for _ in range(3):
        rows = dict(
            row for section in AnswerDetails(answer(bench).message, "", bench.window).sections for row in section.rows
        )
        seeds.append(rows["Seed"])
        bench.chat.branches.step(1)

    assert seeds == ["1000", "1001", "1002"]


def test_the_window_closes_while_they_grow(bench: Bench) -> None:
    running(bench)

    bench.close()

    chats = open_chats(bench.paths.conversations)
    conversation = chats.load(chats.conversations()[0].id)
    kept = [(m.content, m.status) for m in conversation.messages[2:]]
    chats.database.close()
    assert kept == [(f"Version {number} of it.", INTERRUPTED) for number in range(3)]
