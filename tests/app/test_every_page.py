"""Every page and dialog of the shell at several widths and sizes: each control has a name, and no text is cut off."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from app.window.shortcut_sheet import ShortcutSheet
from tests.app import device_samples
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, OTHER, STARTER, Script
from tests.app.shown_texts import Shown, cut_off
from tests.app.test_window_shell import unnamed

MakeBench = Callable[..., Bench]


@pytest.fixture
def full(make_bench: MakeBench) -> Bench:
    bench = make_bench(Script(models=(STARTER, OTHER, BASE), devices=device_samples.UNMEASURED)).start()
    write_logs(bench.paths.engine_log)
    bench.ask("A question")
    return bench


def write_logs(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("2026-11-30 12:00:00,000 WARNING engine: something\n")


def faults(bench: Bench) -> dict[str, list[Shown]]:
    found = {}
    for name in bench.window.pages.names:
        bench.window.pages.show_page(name)
        bench.settle()
        found[name] = cut_off(bench.window)
    return {name: each for name, each in found.items() if each}


@pytest.mark.parametrize(("width", "zoom"), [(1180, 100), (480, 100), (1180, 150)])
def test_no_text_of_a_page_is_cut_off(full: Bench, width: int, zoom: int) -> None:
    full.window.resize(width, 760)
    full.session.settings.update(zoom=zoom)
    full.settle()

    found = faults(full)
    full.session.settings.update(zoom=100)

    assert found == {}


def test_every_control_of_every_page_has_a_name(full: Bench) -> None:
    for name in full.window.pages.names:
        full.window.pages.show_page(name)
        full.settle()

        assert unnamed(full.window, on_screen=True) == [], name


def test_the_first_questions_and_the_sheet_are_named_and_whole(full: Bench) -> None:
    full.session.ask_first_questions()
    dialog = full.session.welcome
    assert dialog is not None
    for _ in dialog.steps:
        full.settle()
        assert unnamed(dialog) == []
        assert cut_off(dialog) == [], type(dialog.step).__name__
        dialog.next_button.click()

    full.window.commands.command("shortcuts").action.trigger()
    (sheet,) = full.window.findChildren(ShortcutSheet)
    full.settle()
    assert unnamed(sheet) == []
    assert cut_off(sheet) == []
    sheet.close()


def test_the_walk_sees_what_it_looks_for(full: Bench) -> None:
    button = QPushButton("A text that needs room", full.window)
    button.setFixedWidth(20)
    button.show()
    nameless = QPushButton(full.window)

    assert any("A text that needs room" in each.text for each in cut_off(full.window))
    assert "QPushButton in MainWindow" in unnamed(full.window)
    button.deleteLater()
    nameless.deleteLater()
