"""The whole window over the real engine and the embedded model: typed, streamed, stopped, branched, found, restarted.

Every step is a person's, by keys and buttons, and waits for a state, never for a time. What the model says is not
looked at; a fixed seed and no chance keep its answers long enough to be interrupted.
"""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.chat.chats import open_chats
from app.chat.records import StoredMessage
from app.language import speak, unchanged
from app.paths import app_paths, assets_dir
from app.settings import AppSettings
from app.settings_file import SettingsFile
from app.window.chats.list_model import ROW_ROLE
from app.window.chats.list_rows import CHAT
from app.window.error_card import ErrorCard
from app.window.language import Language
from app.window.start import Session
from app.window.theme import Theme
from app.window.transcript.answer_view import AnswerView
from app.window.transcript.message_view import UserMessageView
from engine.api import Engine, OnEvent, open_engine
from engine.messages import EngineConfig
from tests.model_fixtures import TEST_KERNELS

pytestmark = pytest.mark.model

PATIENCE_MS = 120_000  # of a machine with other work; on a quiet one each wait is over in a second or two
TITLE = "Tell me a long story."
STORY = f"{TITLE}\nIt is about a lighthouse keeper and the sea."
RAIN = "Explain in many words how rain forms."
CHOSEN = AppSettings(is_welcomed=True, language="en", theme="light", temperature=0.0, seed=7, repetition_penalty=1.2)


class Program:
    """One start of the program, as its user meets it."""

    def __init__(self, home: Path, library: Path, app: QApplication, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self._is_closed = False
        self.paths = app_paths(str(home))
        file = SettingsFile(self.paths.settings)
        if not self.paths.settings.exists():
            file.save(CHOSEN)
        self._theme = Theme(app, assets_dir(), "light")
        self._language = Language(app, assets_dir() / "translations", file.settings.language)
        config = EngineConfig(str(library), str(TEST_KERNELS), log_path=str(self.paths.engine_log), card="none")

        def opener(on_event: OnEvent) -> Engine:
            return open_engine(config, on_event)

        self.session = Session(self.paths, file, self._theme, open_chats(self.paths.conversations), opener)
        self.session.follow(self._language)
        self.chat, self.models = self.session.chat, self.session.models
        self.session.open()
        qtbot.waitExposed(self.session.window)

    def until(self, condition: Callable[[], object]) -> None:
        self._qtbot.waitUntil(lambda: bool(condition()), timeout=PATIENCE_MS)

    # What is on the screen ----------------------------------------------------------------------------------------

    @property
    def field(self) -> QWidget:
        return self.session.window.chat_page.composer._field

    @property
    def question(self) -> UserMessageView:
        return next(v for v in self.session.window.chat_page.transcript.views if isinstance(v, UserMessageView))

    @property
    def answer(self) -> AnswerView:
        return next(v for v in reversed(self.session.window.chat_page.transcript.views) if isinstance(v, AnswerView))

    @property
    def has_answer(self) -> bool:
        return any(isinstance(view, AnswerView) for view in self.session.window.chat_page.transcript.views)

    @property
    def shown(self) -> str:
        """The text of the last answer that can be read on the screen."""
        return self.answer.plain_text() if self.has_answer else ""

    @property
    def titles(self) -> list[str]:
        model = self.session.window.sidebar.chats.list.model()
        rows = [model.index(row, 0) for row in range(model.rowCount())]
        return [index.data() for index in rows if index.data(ROW_ROLE).kind == CHAT]

    @property
    def cards(self) -> list[ErrorCard]:
        return [card for card in self.session.window.chat_page.findChildren(ErrorCard) if card.isVisible()]

    def engine_processes(self) -> list[psutil.Process]:
        children = psutil.Process().children()
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]

    # What a person does -------------------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Write a message, line by line, and send it."""
        self.field.setFocus()
        first, *others = text.split("\n")
        QTest.keyClicks(self.field, first)
        for line in others:
            QTest.keyClick(self.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
            QTest.keyClicks(self.field, line)
        QTest.keyClick(self.field, Qt.Key.Key_Return)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
        QTest.keyClick(self.session.window, key, modifiers)

    def click(self, button: QAbstractButton) -> None:
        self.until(lambda: button.isVisible() and button.isEnabled())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def watch(self, times: int = 3, beyond: int = 0) -> list[str]:
        """Wait until an answer has been seen to grow so often; what could be read each time."""
        seen: list[str] = []

        def has_grown() -> bool:
            text = self.shown
            if self.chat.is_answering_here and len(text) > max(beyond, len(seen[-1]) if seen else 0):
                seen.append(text)
            return len(seen) >= times

        self.until(has_grown)
        return seen

    def stop(self) -> str:
        """Stop the answer; what is left of it on the screen."""
        QTest.keyClick(self.field, Qt.Key.Key_Escape)
        self.until(lambda: self.chat.answering is None)
        return self.shown

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self.session.window.close()
        self.session.close()
        self._language.changed.disconnect()  # else another window would be made
        self._language.choose("en")
        parts = (self.chat, self.models, self.session.bridge, self.session.settings, self._theme, self._language)
        for part in (self.session.window, *parts):
            part.deleteLater()
        for _ in range(3):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QCoreApplication.processEvents()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the starter is prepared once for all tests here."""
    return tmp_path_factory.mktemp("library")


@pytest.fixture
def start(tmp_path: Path, library: Path, qapp: QApplication, qtbot: QtBot) -> Iterator[Callable[[], Program]]:
    started: list[Program] = []
    locale = QLocale()

    def start_program() -> Program:
        started.append(Program(tmp_path / "home", library, qapp, qtbot))
        return started[-1]

    yield start_program
    for program in started:
        program.close()
    speak(unchanged)
    QLocale.setDefault(locale)


def test_a_conversation_from_the_first_key_to_the_next_start(start: Callable[[], Program]) -> None:
    program = start()

    # typed before the model is there, sent with Enter, and answered bit by bit
    program.type(STORY)
    assert [message.content for message in program.chat.path] == [STORY]
    seen = program.watch()
    assert all(after.startswith(before.rstrip()[:20]) for before, after in itertools.pairwise(seen))

    # stopped: what was there stays, and can go on where it ended
    stopped = program.stop()
    assert len(stopped) >= len(seen[-1])
    assert program.answer._facts.text().startswith("stopped")
    written = program.chat.path[-1].content
    program.click(program.answer._footer.go_on)
    program.watch(times=2, beyond=len(stopped))
    program.stop()
    assert program.chat.path[-1].content.startswith(written)
    assert len(program.chat.path) == 2
    story = program.chat.path[-1].content

    # edited in place: another branch, and the first one is a click away
    program.click(program.question._edit)
    editor = program.question._editor
    assert editor is not None
    field = editor._field
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, RAIN)
    QTest.keyClick(field, Qt.Key.Key_Return)
    program.watch(times=2)
    program.stop()
    rain = program.chat.path[-1].content
    assert [message.content for message in program.chat.path] == [RAIN, rain]
    assert program.question._versions.label.text() == "2 / 2"
    program.click(program.question._versions.previous)
    assert [message.content for message in program.chat.path] == [STORY, story]
    program.click(program.question._versions.next)
    assert [message.content for message in program.chat.path] == [RAIN, rain]

    # answered again: a version beside the other
    program.click(program.answer._regenerate)
    program.watch(times=2)
    program.stop()
    assert program.answer._version.text() == "2 / 2"

    # found from another conversation, on the branch that is not shown
    program.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert program.chat.path == []
    program.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    pane = program.session.window.sidebar.chats
    assert pane.field.hasFocus()
    QTest.keyClicks(pane.field, "lighthouse keeper")
    program.until(lambda: pane.results.model().rowCount())
    QTest.keyClick(pane.field, Qt.Key.Key_Down)
    QTest.keyClick(pane.results, Qt.Key.Key_Return)
    program.until(lambda: program.chat.path)
    assert [message.content for message in program.chat.path] == [STORY, story]
    pane.leave_search()

    # another language while an answer runs: other words, the same answer
    program.type("And what did the sea say?")
    begun = program.watch(times=1)[-1]
    old = program.session.window
    program.session.settings.update(language="zh_CN")
    program.until(lambda: program.session.window is not old)
    names = {button.accessibleName() for button in program.session.window.sidebar.findChildren(QAbstractButton)}
    assert "神经元" in names
    program.watch(times=2, beyond=len(begun))
    program.stop()
    path = [(message.id, message.content, message.status) for message in program.chat.path]
    assert len(path) == 4

    # the next start: in that language, with everything that was said
    program.close()
    again = start()
    names = {button.accessibleName() for button in again.session.window.sidebar.findChildren(QAbstractButton)}
    assert "神经元" in names
    again.until(lambda: again.titles == [TITLE])
    again.chat.open(again.chat.conversations()[0].id)
    assert [(message.id, message.content, message.status) for message in again.chat.path] == path
    again.until(lambda: again.has_answer and again.shown)
    assert again.question._versions.label.text() == "1 / 2"


def test_an_engine_that_is_killed_leaves_the_answer_and_comes_back(start: Callable[[], Program]) -> None:
    program = start()
    program.type(STORY)
    seen = program.watch()[-1]

    (host,) = program.engine_processes()
    host.kill()

    program.until(lambda: program.cards)
    program.until(lambda: program.chat.answering is None)
    left = program.chat.path[-1].content
    assert len(left) >= len(seen)
    restart = next(
        button
        for card in program.cards
        for button in card.findChildren(QAbstractButton)
        if button.isVisible() and "start" in button.text().lower()
    )
    program.click(restart)
    program.until(lambda: program.models.state == "ready")
    assert program.engine_processes() != [host]
    program.click(program.answer._footer.go_on)
    program.watch(times=2, beyond=len(seen))
    program.stop()
    assert program.chat.path[-1].content.startswith(left)


def test_versions_at_once_are_those_that_their_seeds_give_alone(start: Callable[[], Program]) -> None:
    program = start()
    program.session.settings.update(temperature=1.0, max_tokens=16)
    again = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier

    def settled() -> list[StoredMessage]:
        program.until(lambda: program.chat.path and not program.chat.is_busy_here)
        return program.chat.versions(program.chat.path[-1])

    program.type(RAIN)
    (first,) = settled()
    program.press(Qt.Key.Key_R, again)
    program.until(lambda: program.answer._version.text() == "2 / 4")
    versions = settled()

    seeds = [message.stats.seed for message in versions if message.stats is not None]
    assert seeds == [7, 8, 9, 10]
    assert len({message.content for message in versions}) == 4
    assert {message.reason for message in versions} == {"length"}
    program.session.settings.update(seed=9)
    program.press(Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    program.until(lambda: len(program.chat.versions(program.chat.path[-1])) == 5)
    *others, alone = settled()
    assert [message.id for message in others] == [message.id for message in versions]
    assert versions[0].id == first.id
    assert alone.content == versions[2].content
