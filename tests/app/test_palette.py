"""The command palette finds what a few letters mean, is used by keyboard alone, and leaves things as they were."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.fuzzy import fit
from app.window.palette import MOST_ROWS, Entry, found
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER


def press(bench: Bench, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(bench.window.command_palette.field, key)


def opened(bench: Bench, typed: str = "") -> Bench:
    bench.window.commands.command("palette").action.trigger()
    QTest.keyClicks(bench.window.command_palette.field, typed)
    return bench


# What fits


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("set", "Settings", "Answer settings"),
        ("nc", "New chat", "Balance"),
        ("models", "Models", "Load Models of mine"),
        ("dark", "Dark", "Dusk and ark"),
        ("显存", "显存预算", "显示内存"),
        ("show de", "Show device", "Show models, then decide"),
    ],
)
def test_the_better_name_fits_better(typed: str, better: str, worse: str) -> None:
    best, second = fit(typed, better), fit(typed, worse)

    assert best is not None
    assert second is None or best > second


@pytest.mark.parametrize(("typed", "name"), [("xyz", "abc"), ("ba", "ab"), ("aa", "a"), ("model", "mode")])
def test_letters_that_are_not_there_in_order_do_not_fit(typed: str, name: str) -> None:
    assert fit(typed, name) is None


@pytest.mark.parametrize("name", ["", "a", "Straße", "İstanbul", "模型 👩‍💻", "x" * 10_000])
def test_every_name_fits_itself_and_nothing(name: str) -> None:
    assert fit("", name) == 0
    assert fit(name, name) is not None


def test_a_word_for_its_kind_finds_an_entry_but_a_name_comes_first() -> None:
    entries = [Entry("Rain", "Conversation", lambda: None), Entry("Conversation", "Page", lambda: None)]

    assert [each.title for each in found(entries, "conv")] == ["Conversation", "Rain"]


# In the window


def test_it_offers_actions_conversations_models_and_settings(bench: Bench) -> None:
    bench.ask("About lighthouses")
    palette = opened(bench).window.command_palette

    for typed, title in (
        ("device", "Device"),
        ("lighth", "About lighthouses"),
        ("demo", f"Load {OTHER.name}"),
        ("accent", "Accent"),
        ("quit", "Quit"),
    ):
        palette.field.setText(typed)
        assert palette.titles[0] == title, typed


def test_enter_takes_what_is_chosen(bench: Bench) -> None:
    opened(bench, "device")
    press(bench, Qt.Key.Key_Return)

    assert bench.window.pages.current == "device"
    assert not bench.window.command_palette.isVisible()


def test_the_arrows_choose_and_go_round(bench: Bench) -> None:
    palette = opened(bench).window.command_palette
    last = len(palette.titles) - 1
    assert last > MOST_ROWS

    press(bench, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == 1
    press(bench, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == last


def test_escape_gives_the_keyboard_back(bench: Bench) -> None:
    bench.composer.take_focus()
    before = bench.window.focusWidget()

    opened(bench, "x")
    assert bench.window.focusWidget() is bench.window.command_palette.field
    press(bench, Qt.Key.Key_Escape)

    assert bench.window.focusWidget() is before


def test_a_setting_is_brought_into_sight(bench: Bench) -> None:
    opened(bench, "keep what was fetched")
    press(bench, Qt.Key.Key_Return)
    bench.settle()

    page = bench.window.settings_page
    row = next(each for each in page.rows if each.name.startswith("Keep what was fetched"))
    top = row.mapTo(page.area.viewport(), row.rect().topLeft()).y()
    assert bench.window.pages.current == "settings"
    assert 0 <= top < page.area.viewport().height()
    assert row.control.hasFocus()


def test_nothing_found_is_said_and_enter_does_nothing(bench: Bench) -> None:
    palette = opened(bench, "qqqzzz").window.command_palette

    press(bench, Qt.Key.Key_Return)

    assert palette.titles == []
    assert palette._nothing.isVisible()
    assert palette.isVisible()


def test_it_fits_into_a_narrow_window(bench: Bench) -> None:
    bench.window.resize(440, 420)
    bench.settle()
    palette = opened(bench).window.command_palette
    bench.settle()

    assert palette.x() >= 0
    assert palette.geometry().right() < 440
    assert palette.geometry().bottom() < bench.window.height()
