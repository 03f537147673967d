"""Escape closes what is open first; what it stops otherwise goes on."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton, QWidget

from app.window.transcript.message_editor import EditField
from app.window.transcript.message_view import UserMessageView
from tests.app.conftest import Bench

Opened = tuple[QWidget, Callable[[], bool]]


@pytest.fixture
def answering(bench: Bench) -> Bench:
    """One whole answer, and a second one that has begun."""
    bench.ask("One")
    bench.script.gates["answer"] = threading.Event()
    return bench


def palette(bench: Bench) -> Opened:
    bench.window.command_palette.toggle()
    return bench.window.command_palette.field, bench.window.command_palette.isVisible


def find_bar(bench: Bench) -> Opened:
    bench.page.find_bar.enter()
    return bench.page.find_bar.field, bench.page.find_bar.isVisible


def button_of_find_bar(bench: Bench) -> Opened:
    """Where a press on one of its buttons leaves the focus."""
    bench.page.find_bar.enter()
    button = (bench.page.find_bar.findChildren(QToolButton) or bench.page.find_bar.findChildren(QPushButton))[-1]
    return button, bench.page.find_bar.isVisible


def prompts(bench: Bench) -> Opened:
    bench.composer.set_text("")
    bench.composer.take_focus()
    QTest.keyClicks(bench.composer._field, "/")
    return bench.composer._field, bench.composer._menu.isVisible


def search(bench: Bench) -> Opened:
    pane = bench.window.sidebar.chats
    pane.search()
    QTest.keyClicks(pane.field, "lighthouse")
    return pane.field, lambda: bool(pane.field.text())


def editor(bench: Bench) -> Opened:
    def fields() -> list[EditField]:
        return [field for field in bench.transcript.findChildren(EditField) if field.isVisible()]

    return fields()[0], lambda: bool(fields())


@pytest.mark.parametrize("open_it", [palette, find_bar, button_of_find_bar, prompts, search, editor])
def test_the_first_escape_closes_and_the_next_one_stops(answering: Bench, open_it: Callable[[Bench], Opened]) -> None:
    bench = answering
    if open_it is editor:
        message = bench.transcript.views[0]
        assert isinstance(message, UserMessageView)
        message._edit.click()
    bench.send("Two")
    bench.until(lambda: bench.chat.is_answering_here and bench.chat.path[-1].content)
    widget, is_open = open_it(bench)
    assert is_open()

    QTest.keyClick(widget, Qt.Key.Key_Escape)

    bench.settle()
    assert not is_open()
    answer = bench.chat.answering
    assert answer is not None
    assert not answer.is_stopping

    QTest.keyClick(bench.composer._field, Qt.Key.Key_Escape)

    bench.until(lambda: bench.chat.answering is None)


def test_an_escape_with_nothing_open_is_left_to_others(bench: Bench) -> None:
    for widget in (bench.composer._field, bench.window.sidebar.chats.field):
        asked = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
        asked.ignore()
        QApplication.sendEvent(widget, asked)
        assert not asked.isAccepted()
