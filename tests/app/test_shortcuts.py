"""Keys can be changed, conflicts are told, and what the settings say is what works."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.settings_file import SettingsFile
from app.window.settings.shortcut_rows import ShortcutRow
from app.window.shortcut_sheet import ShortcutSheet
from tests.app.conftest import Bench
from tests.app.fake_engine import Script

MakeBench = Callable[..., Bench]
CONTROL = Qt.KeyboardModifier.ControlModifier


def keys(bench: Bench, name: str) -> list[str]:
    return [each.toString() for each in bench.window.commands.command(name).action.shortcuts()]


def row(bench: Bench, name: str) -> ShortcutRow:
    bench.window.show_settings_page()
    rows = (each for each in bench.window.settings_page.rows if isinstance(each, ShortcutRow))
    return next(each for each in rows if each._command.name == name)


def press_into(row: ShortcutRow, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """As the field does when keys are pressed and let go."""
    row.field.edit.setKeySequence(QKeySequence(key | modifier))
    row.field.edit.editingFinished.emit()


def test_every_action_has_keys_of_its_own_or_none(bench: Bench) -> None:
    used = [key for each in bench.window.commands.commands for key in keys(bench, each.name)]

    assert len(used) == len(set(used)) > 15


def test_names_of_actions_are_said(bench: Bench) -> None:
    for each in bench.window.commands.commands:
        assert each.text.strip(), each.name
        assert each.name == each.action.objectName()


def test_other_keys_work_at_once_and_are_kept(make_bench: MakeBench, bench: Bench) -> None:
    press_into(row(bench, "show_models"), Qt.Key.Key_J, CONTROL)
    assert keys(bench, "show_models") == ["Ctrl+J"]
    bench.window.show()
    QTest.keyClick(bench.window, Qt.Key.Key_J, CONTROL)
    bench.until(lambda: bench.window.pages.current == "models")
    bench.close()

    again = make_bench(Script())

    assert keys(again, "show_models") == ["Ctrl+J"]


def test_keys_of_another_action_are_told_and_taken_only_on_request(bench: Bench) -> None:
    changed = row(bench, "show_models")

    press_into(changed, Qt.Key.Key_N, CONTROL)

    assert "New chat" in changed.field.question.words
    assert keys(bench, "show_models") == ["Ctrl+M"]
    assert keys(bench, "new_chat") == ["Ctrl+N"]
    changed.field.question.use_button.click()
    assert keys(bench, "show_models") == ["Ctrl+N"]
    assert keys(bench, "new_chat") == []
    assert changed.field.question.words == ""


def test_a_conflict_can_be_left(bench: Bench) -> None:
    changed = row(bench, "show_models")
    press_into(changed, Qt.Key.Key_N, CONTROL)

    changed.field.question.keep_button.click()

    assert changed.field.edit.keySequence().toString() == "Ctrl+M"
    assert keys(bench, "new_chat") == ["Ctrl+N"]


@pytest.mark.parametrize("key", [Qt.Key.Key_A, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Delete])
def test_keys_that_type_are_refused(bench: Bench, key: Qt.Key) -> None:
    changed = row(bench, "show_models")

    press_into(changed, key)

    assert "type" in changed.field.question.words
    assert keys(bench, "show_models") == ["Ctrl+M"]


def test_a_function_key_will_do(bench: Bench) -> None:
    press_into(row(bench, "show_models"), Qt.Key.Key_F9)

    assert keys(bench, "show_models") == ["F9"]


def test_keys_can_be_taken_away_and_given_back(bench: Bench) -> None:
    changed = row(bench, "new_chat")

    changed.field.cleared.click()
    assert keys(bench, "new_chat") == []
    assert bench.window.top_bar.new_button.toolTip() == "New chat"

    changed.reset_button.click()
    assert keys(bench, "new_chat") == ["Ctrl+N"]
    assert bench.window.top_bar.new_button.toolTip() == "New chat (Ctrl+N)"


def test_one_of_several_keys_can_be_taken_by_another_action(bench: Bench) -> None:
    assert keys(bench, "zoom_in") == ["Ctrl+=", "Ctrl++"]

    bench.window.commands.rebind("show_models", "Ctrl+=")

    assert keys(bench, "zoom_in") == ["Ctrl++"]


def test_all_keys_can_be_made_usual_again(bench: Bench) -> None:
    bench.window.commands.rebind("show_models", "Ctrl+N")

    bench.window.commands.reset_all()

    assert (keys(bench, "show_models"), keys(bench, "new_chat")) == (["Ctrl+M"], ["Ctrl+N"])
    assert bench.session.settings.value.shortcuts == ()


def test_keys_of_an_action_of_a_newer_version_are_kept(make_bench: MakeBench, bench: Bench) -> None:
    bench.session.settings.update(shortcuts=(("of_tomorrow", "Ctrl+Y"),))
    bench.window.commands.rebind("show_models", "F9")
    bench.close()

    assert dict(SettingsFile(bench.paths.settings).settings.shortcuts) == {"of_tomorrow": "Ctrl+Y", "show_models": "F9"}


def test_the_sheet_shows_what_is_in_use(bench: Bench) -> None:
    bench.window.commands.rebind("show_models", "F9")

    bench.window.commands.command("shortcuts").action.trigger()

    (sheet,) = bench.window.findChildren(ShortcutSheet)
    texts = [label.text() for label in sheet.findChildren(QLabel)]
    assert "F9" in texts
    assert {each.text for each in bench.window.commands.commands if each.shortcut} <= set(texts)
    sheet.close()


def test_the_sheet_leads_to_where_keys_are_changed(bench: Bench) -> None:
    bench.window.commands.command("shortcuts").action.trigger()
    (sheet,) = bench.window.findChildren(ShortcutSheet)

    sheet._change()

    assert bench.window.pages.current == "settings"
    focus = bench.window.focusWidget()
    assert focus is not None
    assert any(card.has_shortcuts and card.isAncestorOf(focus) for card in bench.window.settings_page.cards)
