"""A window over a scripted engine, in a folder of its own, without a display."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat.chats import Chats, open_chats
from app.paths import AppPaths, app_paths, assets_dir
from app.settings_file import SettingsFile
from app.window.start import Session
from app.window.theme import Theme
from app.window.zoom import USUAL, zoom_percent
from tests.app.chat_bench import chat_bench as chat_bench
from tests.app.chat_bench import make_chat_bench as make_chat_bench
from tests.app.fake_engine import FakeEngine, Script


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    return app_paths(str(tmp_path / "home"))


@pytest.fixture
def script() -> Script:
    return Script()


class Bench:
    """A session with a scripted engine, and what tests want to do with it."""

    def __init__(
        self, paths: AppPaths, script: Script, app: QApplication, qtbot: QtBot, store: Chats | None = None
    ) -> None:
        self.paths = paths
        self.script = script
        self.qtbot = qtbot
        self.engines: list[FakeEngine] = []
        self._is_closed = False
        file = SettingsFile(paths.settings)
        self.theme = Theme(app, assets_dir(), file.settings.theme)
        store = store or open_chats(paths.conversations)
        self.session = Session(paths, file, self.theme, store, self._open)
        self.chat = self.session.chat
        self.models = self.session.models
        self.window = self.session.window
        self.page = self.window.chat_page
        self.transcript = self.page.transcript
        self.composer = self.page.composer

    @property
    def engine(self) -> FakeEngine:
        return self.engines[-1]

    def until(self, condition: Callable[[], object], timeout: int = 5000) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=timeout)

    def settle(self) -> None:
        """Let queued events and deferred deletions happen."""
        for _ in range(3):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            QCoreApplication.processEvents()

    def start(self, *, until_ready: bool = True) -> "Bench":
        self.session.open()
        self.qtbot.waitExposed(self.window)
        self.until(lambda: self.engines)
        if until_ready:
            self.until(lambda: self.models.state == "ready")
        return self

    def send(self, text: str) -> None:
        self.composer.set_text(text)
        self.composer.sent.emit(text)

    def ask(self, text: str) -> str:
        """Send and wait for the whole answer."""
        self.send(text)
        self.until(lambda: self.chat.answering is None and self.chat.path and self.chat.path[-1].role == "assistant")
        return self.chat.path[-1].content

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self.window.close()
        self.session.close()
        if zoom_percent() != USUAL:  # it is the application's, which the next test goes on with
            value = self.session.settings.value
            self.theme.show(value.theme, value.accent, USUAL)
        self.window.deleteLater()
        for part in (self.chat, self.models, self.session.bridge, self.session.settings, self.theme):
            part.deleteLater()
        self.settle()

    def _open(self, on_event: Callable[..., None]) -> FakeEngine:
        self.engines.append(FakeEngine(on_event, self.script))
        return self.engines[-1]


@pytest.fixture
def make_bench(paths: AppPaths, qapp: QApplication, qtbot: QtBot) -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def make(script: Script, store: Chats | None = None) -> Bench:
        made.append(Bench(paths, script, qapp, qtbot, store))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


@pytest.fixture
def bench(make_bench: Callable[[Script], Bench], script: Script) -> Bench:
    """A started window whose starter model is loaded."""
    return make_bench(script).start()
