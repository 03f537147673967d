"""The icon in the tray, where there is one, and the word about a long answer."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from app.chat.records import StoredMessage
from app.window.notices import LONG_ANSWER_S
from app.window.tray import DesktopTray
from tests.app.conftest import Bench


class Icon(QObject):
    """What a desktop's tray would be told."""

    messageClicked = Signal()
    activated = Signal(QSystemTrayIcon.ActivationReason)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.told: list[str] = []
        self.is_shown = False
        self.menu: QMenu | None = None

    def setToolTip(self, text: str) -> None: ...

    def setContextMenu(self, menu: QMenu) -> None:
        self.menu = menu

    def show(self) -> None:
        self.is_shown = True

    def hide(self) -> None:
        self.is_shown = False

    def showMessage(self, _title: str, text: str, *_: object) -> None:
        self.told.append(text)


class Desktop:
    """A desktop that has a tray, in place of the window's own."""

    def __init__(self, bench: Bench) -> None:
        self.icons: list[Icon] = []
        self.tray = DesktopTray(bench.window, make_tray=self._make, is_available=lambda: True)

    def _make(self, parent: QObject) -> QSystemTrayIcon:
        self.icons.append(Icon(parent))
        return self.icons[-1]  # type: ignore[return-value]

    @property
    def icon(self) -> Icon:
        return self.icons[-1]


@pytest.fixture
def desktop(bench: Bench) -> Desktop:
    return Desktop(bench)


def test_the_icon_stays_where_it_is_wanted(desktop: Desktop) -> None:
    assert desktop.icons == []

    desktop.tray.keep(True)
    desktop.tray.forget()
    assert desktop.icon.is_shown

    desktop.tray.keep(False)
    assert not desktop.icon.is_shown
    assert len(desktop.icons) == 1


def test_its_menu_shows_begins_and_quits(bench: Bench, desktop: Desktop) -> None:
    asked: list[str] = []
    desktop.tray.new_chat_asked.connect(lambda: asked.append("new"))
    desktop.tray.quit_asked.connect(lambda: asked.append("quit"))
    desktop.tray.keep(True)
    assert desktop.icon.menu is not None
    actions = {each.text(): each for each in desktop.icon.menu.actions() if each.text()}
    bench.window.hide()

    actions["Show Ember"].trigger()
    assert bench.window.isVisible()
    actions["New chat"].trigger()
    actions["Quit"].trigger()

    assert asked == ["new", "quit"]


def test_a_press_on_the_icon_brings_the_window_but_its_menu_does_not(bench: Bench, desktop: Desktop) -> None:
    desktop.tray.keep(True)
    bench.window.hide()

    desktop.icon.activated.emit(QSystemTrayIcon.ActivationReason.Context)
    assert not bench.window.isVisible()
    desktop.icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert bench.window.isVisible()


def test_without_a_tray_nothing_is_kept(bench: Bench) -> None:
    def refuse(_parent: QObject) -> QSystemTrayIcon:
        raise AssertionError("there is no tray")

    tray = DesktopTray(bench.window, make_tray=refuse, is_available=lambda: False)
    tray.keep(True)

    assert not tray.is_available


def lasting(answer: StoredMessage, seconds: float) -> StoredMessage:
    """The same answer, as if it had taken so long."""
    assert answer.stats is not None
    stats = replace(answer.stats, first_token_s=0.0, decode_s=seconds)
    return replace(answer, facts=replace(answer.facts, stats=stats))


@pytest.mark.parametrize(("seconds", "wanted", "told"), [(LONG_ANSWER_S, True, 1), (2.0, True, 0), (99.0, False, 0)])
def test_a_long_answer_is_told_to_who_is_elsewhere(
    bench: Bench, desktop: Desktop, seconds: float, wanted: bool, told: int
) -> None:
    bench.ask("one")
    bench.window.notices._desktop = desktop.tray
    bench.session.settings.update(tells_ends=wanted)
    answer = bench.chat.path[-1]
    answer = lasting(answer, seconds)
    bench.window.hide()

    bench.chat.answer_ended.emit(answer)

    assert sum(len(icon.told) for icon in desktop.icons) == told
    if told:
        bench.window.show_device_page()
        desktop.icon.messageClicked.emit()
        assert bench.window.pages.current == "chat"


def test_a_long_answer_is_not_told_to_who_looks(bench: Bench, desktop: Desktop) -> None:
    bench.ask("one")
    bench.window.notices._desktop = desktop.tray
    bench.window.activateWindow()
    bench.until(bench.window.isActiveWindow)
    answer = bench.chat.path[-1]

    bench.chat.answer_ended.emit(lasting(answer, 99.0))

    assert desktop.icons == []
