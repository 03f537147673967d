"""The window around the pages: the list, the menu, panes and sizes, names for everyone who cannot see it."""

import itertools
import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLineEdit,
    QMenu,
    QMessageBox,
    QWidget,
)

from app.settings_file import SettingsFile
from app.window.chats.list_model import ROW_ROLE
from app.window.chats.list_rows import CHAT
from app.window.number_field import NumberField
from app.window.theme import DARK, THEMES, Colors, colors_of, palette_of
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, OTHER, STARTER, Script

MakeBench = Callable[..., Bench]


def titles(bench: Bench) -> list[str]:
    bench.settle()
    model = bench.window.sidebar.chats.list.model()
    rows = [model.index(row, 0) for row in range(model.rowCount())]
    return [index.data() for index in rows if index.data(ROW_ROLE).kind == CHAT]


def index_of(bench: Bench, title: str) -> QModelIndex:
    bench.settle()
    model = bench.window.sidebar.chats.list.model()
    return next(model.index(row, 0) for row in range(model.rowCount()) if model.index(row, 0).data() == title)


def key(bench: Bench, sequence: str) -> None:
    """Press a shortcut of the window."""
    action = next(a for a in bench.window.actions() if a.shortcut().toString() == sequence)
    action.trigger()


# The list


def test_conversations_are_listed_under_their_first_line(bench: Bench) -> None:
    bench.ask("First question\nwith more")
    key(bench, "Ctrl+N")
    bench.ask("Second question")

    assert titles(bench) == ["Second question", "First question"]
    assert bench.window.sidebar.chats.list.model().index(0, 0).data() == "Today"


def test_a_click_opens_a_conversation(bench: Bench) -> None:
    bench.ask("one")
    key(bench, "Ctrl+N")
    bench.ask("two")
    view = bench.window.sidebar.chats.list
    at = view.visualRect(index_of(bench, "one")).center()

    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, at.y()))

    assert bench.chat.path[0].content == "one"
    assert bench.window.focusWidget() is bench.composer._field


def test_renaming_happens_in_place(bench: Bench) -> None:
    bench.ask("one")
    bench.settle()
    key(bench, "F2")
    (editor,) = bench.window.sidebar.chats.list.findChildren(QLineEdit)
    editor.setText("A better name")
    QTest.keyClick(editor, Qt.Key.Key_Return)

    bench.until(lambda: titles(bench) == ["A better name"])


def test_the_dots_open_a_menu_and_deleting_offers_undo(bench: Bench) -> None:
    bench.ask("one")
    view = bench.window.sidebar.chats.list
    rect = view.visualRect(index_of(bench, "one"))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.right() - 10, rect.center().y()))
    (menu,) = [m for m in bench.window.sidebar.chats.findChildren(QMenu) if m.isVisible()]

    next(a for a in menu.actions() if a.text().startswith("Delete")).trigger()
    menu.close()
    assert titles(bench) == []
    assert bench.window.toast.isVisible()
    bench.window.toast._button.click()

    assert titles(bench) == ["one"]
    assert bench.chat.path[0].content == "one"


@pytest.mark.parametrize("pressed", [Qt.Key.Key_Delete, Qt.Key.Key_Backspace])
def test_no_bare_key_deletes(bench: Bench, pressed: Qt.Key) -> None:
    bench.ask("one")
    bench.window.sidebar.chats.list.setFocus()

    QTest.keyClick(bench.window.sidebar.chats.list, pressed)

    assert titles(bench) == ["one"]


def test_a_conversation_that_is_answered_elsewhere_is_marked(bench: Bench) -> None:
    gate = bench.script.gates["answer"] = threading.Event()
    bench.send("one")
    bench.until(lambda: bench.chat.is_answering_here)
    key(bench, "Ctrl+N")

    assert bench.chat.is_busy(index_of(bench, "one").data(ROW_ROLE).key)
    gate.set()
    bench.until(lambda: bench.chat.answering is None)


# Menu and shortcuts


def test_shortcuts_are_unique(bench: Bench) -> None:
    keys = [a.shortcut().toString() for a in bench.window.actions() if not a.shortcut().isEmpty()]

    assert len(keys) == len(set(keys)) >= 8


def test_the_last_answer_can_be_copied_by_key(bench: Bench) -> None:
    bench.ask("one")

    key(bench, "Ctrl+Shift+C")

    assert QGuiApplication.clipboard().text() == "Hello, world."


def test_the_models_name_opens_the_picker(bench: Bench) -> None:
    QTest.mouseClick(bench.window.top_bar.model, Qt.MouseButton.LeftButton)

    assert bench.window.picker.isVisible()
    bench.window.picker.hide()
    bench.models.load(OTHER.model_id)
    bench.until(lambda: bench.models.current == OTHER and bench.models.state == "ready")
    assert bench.window.top_bar.model.accessibleName() == "Model: Demo 1B, ready"


def test_about_shows_the_version_and_closes(bench: Bench) -> None:
    next(a for a in bench.window.actions() if a.text() == "About Ember").trigger()

    (box,) = bench.window.findChildren(QMessageBox)
    assert box.text().startswith("Ember")
    box.close()


def test_the_theme_is_chosen_in_the_menu_and_kept(bench: Bench) -> None:
    dark = next(a for a in bench.window.findChildren(QAction) if a.text() == "Dark")

    dark.trigger()
    bench.session.settings.save()

    assert bench.window.palette().window().color().name() == DARK.page
    assert SettingsFile(bench.paths.settings).settings.theme == "dark"
    bench.theme.choose("light")


# Panes


def test_the_settings_of_answers_are_applied_and_kept(bench: Bench) -> None:
    key(bench, "Ctrl+.")
    panel = bench.window.panel
    assert panel.isVisible()
    panel._fields["system_prompt"].setPlainText("Be brief.")  # type: ignore[attr-defined]
    temperature = panel._fields["temperature"]
    assert isinstance(temperature, NumberField)
    temperature.setFocus()
    temperature.selectAll()
    QTest.keyClicks(temperature, "0.25")
    seed = panel._fields["seed"]
    assert isinstance(seed, NumberField)
    seed.setFocus()
    QTest.keyClicks(seed, "42")

    bench.until(lambda: bench.session.settings.value.system_prompt == "Be brief.")
    bench.session.settings.save()
    kept = SettingsFile(bench.paths.settings).settings
    assert (kept.temperature, kept.seed, kept.system_prompt) == (0.25, 42, "Be brief.")
    key(bench, "Ctrl+.")
    assert not panel.isVisible()


def test_a_number_out_of_range_is_marked_and_not_taken(bench: Bench) -> None:
    key(bench, "Ctrl+.")
    top_p = bench.window.panel._fields["top_p"]
    assert isinstance(top_p, NumberField)
    top_p.setFocus()
    top_p.selectAll()
    QTest.keyClicks(top_p, "7")
    assert top_p.property("valid") is False
    assert bench.session.settings.value.top_p == 0.95

    bench.composer.take_focus()
    assert top_p.text() == "0.95"
    top_p.setFocus()
    QTest.keyClick(top_p, Qt.Key.Key_Down)
    assert bench.session.settings.value.top_p == 0.94


def test_back_to_the_defaults_keeps_the_system_prompt(bench: Bench) -> None:
    bench.session.settings.update(temperature=1.5, seed=3, system_prompt="Be brief.")

    bench.session.controls.answers.reset()

    value = bench.session.settings.value
    assert (value.temperature, value.seed, value.system_prompt) == (0.7, None, "Be brief.")
    assert bench.window.panel._fields["temperature"].text() == "0.70"  # type: ignore[attr-defined]


def test_a_narrow_window_hides_the_list_until_asked(bench: Bench) -> None:
    bench.window.resize(520, 700)
    bench.settle()
    assert not bench.window.sidebar.isVisible()
    assert bench.window.top_bar.new_button.isVisible()

    key(bench, "Ctrl+B")
    assert bench.window.sidebar.isVisible()

    bench.window.resize(1000, 700)
    bench.settle()
    assert bench.window.sidebar.isVisible()


@pytest.mark.parametrize("width", [440, 520, 760, 1180, 1900])
def test_nothing_sticks_out_at_any_width(bench: Bench, width: int) -> None:
    bench.ask("A question that is long enough to be wrapped in a narrow window, surely " * 3)
    bench.window.resize(width, 700)
    bench.settle()

    assert bench.window.width() == width
    for view in bench.transcript.views:
        assert view.x() >= 0
        assert view.geometry().right() <= bench.transcript.viewport().width()


def right_edge(bench: Bench, widget: QWidget) -> int:
    return widget.mapTo(bench.window, widget.rect().topRight()).x()


def test_in_a_narrow_window_the_list_lies_over_the_page_until_something_is_chosen(bench: Bench) -> None:
    bench.ask("one")
    bench.window.resize(440, 700)
    bench.settle()
    page = bench.page.geometry()

    key(bench, "Ctrl+B")
    bench.settle()

    sidebar, button = bench.window.sidebar, bench.window.top_bar.sidebar_button
    assert bench.window.width() == 440
    assert bench.page.geometry() == page
    at = sidebar.mapTo(bench.window, sidebar.rect().center())
    assert bench.window.childAt(at) in (sidebar, *sidebar.findChildren(QWidget))
    assert bench.window.childAt(button.mapTo(bench.window, button.rect().center())) is button
    bench.window.open_chat(bench.chat.conversation_id)
    assert not sidebar.isVisible()

    bench.window.resize(1000, 700)
    bench.settle()
    assert sidebar.isVisible()
    assert bench.page.mapTo(bench.window, QPoint(0, 0)).x() == sidebar.width()


@pytest.mark.parametrize("width", [440, 600, 760, 1000])
def test_the_models_page_is_as_wide_as_it_has_room(bench: Bench, width: int) -> None:
    bench.window.resize(width, 700)
    bench.window.show_models_page()
    bench.settle()

    page = bench.window.models_page
    for button in (page.library.import_button, page.library.folder_button, page.library.format):
        assert right_edge(bench, button) < width
    assert page.widget().width() <= page.viewport().width()


def test_the_menu_stays_inside_the_window_and_its_button_is_let_go(bench: Bench) -> None:
    button = bench.window.top_bar._menu_button
    menu = button.menu()
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, True)
    menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    assert menu.x() + menu.width() <= bench.window.mapToGlobal(QPoint(bench.window.width(), 0)).x()
    menu.close()
    bench.until(lambda: not button.underMouse())


def test_a_toast_is_in_the_middle_of_the_page(bench: Bench) -> None:
    toast = bench.window.toast

    def is_in_the_middle() -> bool:
        middle = bench.page.mapTo(bench.window, bench.page.rect().center()).x()
        return abs(toast.geometry().center().x() - middle) <= 1

    toast.show_text("Said")
    assert is_in_the_middle()
    key(bench, "Ctrl+B")
    bench.until(is_in_the_middle)


def test_the_window_comes_back_where_it_was(make_bench: MakeBench, bench: Bench) -> None:
    bench.window.resize(701, 633)
    bench.settle()
    bench.close()

    again = make_bench(Script())

    assert (again.window.width(), again.window.height()) == (701, 633)


def test_the_page_and_the_panes_come_back(make_bench: MakeBench, bench: Bench) -> None:
    bench.window.resize(1200, 700)
    bench.settle()
    bench.window.show_device_page()
    key(bench, "Ctrl+B")
    bench.window.toggle_panel()
    bench.close()

    again = make_bench(Script()).start()

    assert again.window.pages.current == "device"
    assert not again.window.sidebar.isVisible()
    assert again.window.panel.isVisible()


def test_a_page_that_only_exists_on_request_does_not_come_back(make_bench: MakeBench, bench: Bench) -> None:
    bench.window.show_comparison_page()
    bench.close()

    assert make_bench(Script()).window.pages.current == "chat"


@pytest.mark.parametrize("text", ["", "[General]\npage=nowhere\nsidebar=perhaps\ngeometry=4\n", "\0\0\0", "page"])
def test_a_state_that_cannot_be_read_is_as_none(make_bench: MakeBench, bench: Bench, text: str) -> None:
    bench.close()
    (bench.paths.config / "window.ini").write_text(text)

    again = make_bench(Script()).start()

    assert again.window.pages.current == "chat"
    assert again.window.sidebar.isVisible()


def test_a_broken_settings_file_is_told(make_bench: MakeBench, bench: Bench) -> None:
    bench.close()
    bench.paths.settings.parent.mkdir(parents=True, exist_ok=True)
    bench.paths.settings.write_text("theme = ")

    again = make_bench(Script()).start()

    assert "could not be read" in again.window.toast._label.text()
    assert "settings.broken-" in again.window.toast._label.text()


# For everyone


CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractScrollArea)


def unnamed(window: QWidget, *, on_screen: bool = False) -> list[str]:
    """Controls a screen reader could only call by their kind; parts of Qt's own composite widgets are Qt's business."""
    found = []
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, CONTROLS) or widget.objectName().startswith("qt_"):
            continue
        if on_screen and not widget.isVisible():
            continue
        above = [widget.parentWidget(), widget.parentWidget() and widget.parentWidget().parentWidget()]
        if any(isinstance(parent, QComboBox | QLineEdit) for parent in above):  # what clears a field takes no focus
            continue
        if not widget.accessibleName() and not (isinstance(widget, QAbstractButton) and widget.text()):
            found.append(f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}")
    return found


def test_every_control_has_a_name(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=(STARTER, OTHER, BASE))).start()
    bench.script.answer = lambda request: ("Text [l](https://a.b)\n\n```py\nx\n```\n\n|a|b|\n|-|-|\n|1|2|\n",)
    bench.ask("one")
    bench.chat.regenerate()
    bench.until(lambda: bench.chat.answering is None)
    bench.script.gates["import"] = threading.Event()
    bench.window.import_files([])
    bench.window.toggle_panel()
    bench.engine.die()
    bench.until(lambda: bench.models.state == "stopped")
    for page in bench.window.pages.names:  # most are made when they are first shown
        bench.window.pages.show_page(page)
    bench.window.show_chat_page()
    bench.settle()

    assert unnamed(bench.window) == []


def test_the_tab_key_reaches_everything_and_comes_back(bench: Bench) -> None:
    bench.ask("one")
    start = bench.window.focusWidget()
    reached = []
    for _ in range(60):
        QTest.keyClick(bench.window.focusWidget(), Qt.Key.Key_Tab)
        now = bench.window.focusWidget()
        reached.append(now.accessibleName())
        if now is start:
            break

    assert now is start
    for name in ("New chat", "Conversations", "Send", "Answer settings", "Menu", "Copy message", "Answer again"):
        assert name in reached or name == "Send"  # sending is disabled while the field is empty


def luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", THEMES.values(), ids=[f"{accent}-{is_dark}" for is_dark, accent in THEMES])
def test_text_has_enough_contrast_on_every_ground(colors: Colors) -> None:
    grounds = (colors.page, colors.sidebar, colors.raised, colors.input, colors.hover, colors.bubble, colors.code)
    for ink, ground in itertools.product((colors.text, colors.muted, colors.link), (*grounds, colors.code_header)):
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    assert contrast(colors.on_accent, colors.accent) >= 4.5
    assert contrast(colors.on_accent, colors.accent_hover) >= 4.5
    assert contrast(colors.text, colors.selection) >= 4.5
    assert contrast(colors.accent, colors.page) >= 3.0  # of what is painted in it
    assert contrast(colors.text, colors.danger_background) >= 4.5
    assert contrast(colors.muted, colors.danger_background) >= 4.5
    assert contrast(colors.danger, colors.page) >= 4.5
    for ink in (
        colors.syntax_keyword,
        colors.syntax_name,
        colors.syntax_string,
        colors.syntax_number,
        colors.syntax_comment,
        colors.syntax_operator,
    ):
        assert contrast(ink, colors.code) >= 4.5, ink


def test_a_palette_tells_its_theme_and_accent() -> None:
    for colors in THEMES.values():
        assert colors_of(palette_of(colors)) == colors


def test_nothing_ticks_while_nothing_happens(bench: Bench) -> None:
    bench.ask("one")
    bench.until(lambda: not bench.transcript.has_status)
    bench.window.toast.hide()
    bench.composer._field.clearFocus()  # a blinking cursor ticks, rightly
    bench.until(lambda: not running(bench), timeout=3000)


def running(bench: Bench) -> list[str]:
    owners = (bench.window, bench.chat, bench.models, bench.session.bridge, bench.session.settings)
    timers = [timer for owner in owners for timer in owner.findChildren(QTimer)]
    return [type(t.parent()).__name__ for t in timers if t.isActive()]
