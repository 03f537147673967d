"""ChatControl over a scripted engine, without a window: what tests of conversations need, and quick to set up."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from app.chat.chats import Chats, open_chats
from app.paths import AppPaths
from app.settings_file import SettingsFile
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.model_control import ModelControl
from app.window.settings_control import SettingsControl
from tests.app.fake_engine import FakeEngine, Script


class ChatBench:
    def __init__(self, paths: AppPaths, script: Script, chats: Chats | None = None) -> None:
        self.paths = paths
        self.script = script
        self.engines: list[FakeEngine] = []
        self.store = chats or open_chats(paths.conversations)
        self.settings = SettingsControl(SettingsFile(paths.settings))
        self.bridge = EngineBridge(self._open)
        self.models = ModelControl(self.bridge, self.settings)
        self.chat = ChatControl(self.bridge, self.models, self.settings, self.store)
        if self.store.interrupted:
            self.chat.open(self.store.interrupted[0])
        self._is_closed = False

    @property
    def engine(self) -> FakeEngine:
        return self.engines[-1]

    def start(self, qtbot: QtBot) -> "ChatBench":
        self.qtbot = qtbot
        self.models.start()
        self.until(lambda: self.models.state == "ready")
        return self

    def until(self, condition: Callable[[], object], timeout: int = 10_000) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=timeout)

    def ask(self, text: str) -> str:
        """Send and wait for the whole answer."""
        assert self.chat.send(text)
        self.until(lambda: self.chat.answering is None and self.chat.path[-1].role == "assistant")
        return self.chat.path[-1].content

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self.chat.shut_down()
        self.bridge.close()
        self.settings.save()
        self.store.database.close()
        for part in (self.chat, self.models, self.bridge, self.settings):
            part.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()

    def _open(self, on_event: Callable[..., None]) -> FakeEngine:
        self.engines.append(FakeEngine(on_event, self.script))
        return self.engines[-1]


@pytest.fixture
def make_chat_bench(paths: AppPaths, qtbot: QtBot) -> Iterator[Callable[..., ChatBench]]:
    made: list[ChatBench] = []

    def make(script: Script, chats: Chats | None = None) -> ChatBench:
        made.append(ChatBench(paths, script, chats).start(qtbot))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


@pytest.fixture
def chat_bench(make_chat_bench: Callable[..., ChatBench], script: Script) -> ChatBench:
    return make_chat_bench(script)
