"""Engine events reach the window's thread, in order, and text not more often than it can be looked at."""

import signal
import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.window.bridge import EngineBridge
from engine.api import OnEvent
from engine.errors import OutOfMemory
from engine.messages import (
    Event,
    GenerationFinished,
    GenerationStats,
    HostDied,
    ListModels,
    ModelList,
    Progress,
    TextPiece,
)

STATS = GenerationStats(1, 0, 0.1, 0.1, 1, 0.1, 128)


class Recorder:
    """An engine that says only what a test makes it say."""

    def __init__(self, on_event: OnEvent) -> None:
        self.on_event = on_event
        self.alive = True
        self.requests: list[object] = []

    def submit(self, request: object) -> None:
        self.requests.append(request)

    def close(self) -> None:
        self.alive = False

    def say(self, *events: Event) -> None:
        thread = threading.Thread(target=lambda: [self.on_event(event) for event in events])
        thread.start()
        thread.join()


class Setup:
    def __init__(self) -> None:
        self.engines: list[Recorder] = []
        self.events: list[Event] = []
        self.threads: set[bool] = set()
        self.bridge = EngineBridge(self._open)
        self.bridge.received.connect(self._receive)
        self.bridge.start()

    @property
    def engine(self) -> Recorder:
        return self.engines[-1]

    def _open(self, on_event: OnEvent) -> Recorder:
        self.engines.append(Recorder(on_event))
        return self.engines[-1]

    def _receive(self, event: Event) -> None:
        self.events.append(event)
        self.threads.add(QThread.currentThread() is self.bridge.thread())


@pytest.fixture
def setup(qapp: object) -> Iterator[Setup]:
    made = Setup()
    yield made
    made.bridge.close()
    made.bridge.deleteLater()


def test_events_arrive_on_the_windows_thread_in_order(setup: Setup, qtbot: QtBot) -> None:
    setup.engine.say(
        Progress("g", "prompt", 1, 2), TextPiece("g", "a"), TextPiece("g", "b"), GenerationFinished("g", "stop", STATS)
    )

    qtbot.waitUntil(lambda: len(setup.events) == 3)
    assert setup.events == [
        Progress("g", "prompt", 1, 2),
        TextPiece("g", "ab"),
        GenerationFinished("g", "stop", STATS),
    ]
    assert setup.threads == {True}


def test_text_is_merged_to_about_thirty_updates_a_second(setup: Setup, qtbot: QtBot) -> None:
    def talk() -> None:
        for _ in range(300):
            setup.engine.on_event(TextPiece("g", "x"))
            time.sleep(0.001)

    start = time.monotonic()
    thread = threading.Thread(target=talk)
    thread.start()
    qtbot.waitUntil(lambda: sum(len(e.text) for e in setup.events if isinstance(e, TextPiece)) == 300)
    took = time.monotonic() - start
    thread.join()

    assert len(setup.events) <= took * 31 + 2


def test_text_of_two_requests_is_not_mixed(setup: Setup, qtbot: QtBot) -> None:
    setup.engine.say(TextPiece("a", "1"), TextPiece("b", "2"), TextPiece("a", "3"))

    qtbot.waitUntil(lambda: len(setup.events) == 2)
    assert setup.events == [TextPiece("a", "13"), TextPiece("b", "2")]


def test_what_a_replaced_engine_says_is_dropped(setup: Setup, qtbot: QtBot) -> None:
    old = setup.engine
    old.say(TextPiece("g", "lost"))
    setup.bridge.start()
    old.say(ModelList("l", ()))
    setup.engine.say(ModelList("m", ()))

    qtbot.waitUntil(lambda: bool(setup.events))
    assert setup.events == [ModelList("m", ())]
    assert not old.alive


def test_a_dead_engine_is_not_asked(setup: Setup) -> None:
    setup.engine.alive = False

    setup.bridge.submit(ListModels("l"))

    assert setup.engine.requests == []
    assert not setup.bridge.alive


@pytest.mark.parametrize(
    ("error", "code"), [(OutOfMemory("x", 2, 1), "OutOfMemory"), (OSError(12, "no memory"), "InternalError")]
)
def test_an_engine_that_cannot_be_started_is_reported(qtbot: QtBot, error: Exception, code: str) -> None:
    def fail(on_event: OnEvent) -> Recorder:
        raise error

    bridge = EngineBridge(fail)
    reports: list = []
    bridge.failed_to_open.connect(reports.append)

    bridge.start()

    assert [report.code for report in reports] == [code]
    assert not bridge.alive
    bridge.deleteLater()


def test_the_engine_ignores_control_c_from_its_first_moment(qapp: QApplication) -> None:
    seen: list[object] = []

    def open_engine(on_event: OnEvent) -> Recorder:
        seen.append(signal.getsignal(signal.SIGINT))
        return Recorder(on_event)

    before = signal.getsignal(signal.SIGINT)
    bridge = EngineBridge(open_engine)
    bridge.start()
    bridge.close()

    assert seen == [signal.SIG_IGN]
    assert signal.getsignal(signal.SIGINT) is before


def test_the_engines_death_is_in_the_log_without_what_it_left_behind(setup: Setup, qtbot: QtBot, caplog) -> None:
    setup.engine.say(HostDied(-9, "last words", ("r1",)))
    qtbot.waitUntil(lambda: bool(setup.events))

    assert [record.getMessage() for record in caplog.records] == ["the engine's process ended by itself: exit code -9"]
