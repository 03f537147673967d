"""What the window can do, declared: every action with its words, its usual keys, and what runs.

A new action is one line here. Where actions appear is decided in app/window/actions.py and by the menu below; what they
do is the window's.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.chat.several_answers import MORE_VERSIONS
from app.settings import THEMES, ZOOMS
from app.window.actions import ANSWERS, CHATS, PAGES, PROGRAM, VIEW, Actions
from app.window.settings_ways import show_shortcuts
from app.window.zoom import USUAL

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def add_actions(actions: Actions, window: "MainWindow") -> None:
    chat = window.controls.chat
    add = actions.add
    add(CHATS, "new_chat", _tr("New chat"), window.new_chat, "Ctrl+N")
    add(CHATS, "rename_chat", _tr("Rename conversation"), window.sidebar.rename_current, "F2")
    add(CHATS, "delete_chat", _tr("Delete conversation"), lambda: window.desk.delete_current(), "Ctrl+Shift+Backspace")
    add(CHATS, "new_temporary_chat", _tr("New temporary chat"), lambda: window.desk.new_temporary(), "Ctrl+Alt+N")
    add(CHATS, "find_in_chat", _tr("Find in this conversation"), window.find_in_chat, "Ctrl+F")
    add(CHATS, "search_chats", _tr("Search conversations"), window.search_chats, "Ctrl+Shift+F")
    add(CHATS, "next_chat", _tr("Next conversation"), lambda: window.desk.step(1), "Ctrl+PgDown", in_menu=False)
    add(
        CHATS,
        "previous_chat",
        _tr("Previous conversation"),
        lambda: window.desk.step(-1),
        "Ctrl+Shift+Up",
        in_menu=False,
    )
    add(CHATS, "export_chat", _tr("Export conversation…"), lambda: window.desk.export_current(), "Ctrl+Shift+E")
    add(CHATS, "import_chats", _tr("Import conversations…"), lambda: window.desk.ask_for_imports(), in_menu=False)
    add(CHATS, "show_trash", _tr("Trash…"), lambda: window.desk.show_trash(), in_menu=False)

    add(CHATS, "add_files", _tr("Add files to the message…"), window.add_files, "Ctrl+Shift+U", in_menu=False)
    add(CHATS, "edit_prompts", _tr("Edit prompts…"), window.edit_prompts)

    add(ANSWERS, "copy_answer", _tr("Copy last answer"), window.copy_last, "Ctrl+Shift+C")
    add(ANSWERS, "answer_again", _tr("Answer again"), chat.regenerate, "Ctrl+R")
    versions = _tr("Write %1 more versions").replace("%1", str(MORE_VERSIONS))
    add(ANSWERS, "more_versions", versions, lambda: window.chat_page.write_versions(), "Ctrl+Shift+R")
    previous, following = _tr("Previous version of the answer"), _tr("Next version of the answer")
    add(ANSWERS, "previous_version", previous, lambda: chat.branches.step(-1), "Alt+PgUp", in_menu=False)
    add(ANSWERS, "next_version", following, lambda: chat.branches.step(1), "Alt+PgDown", in_menu=False)
    add(ANSWERS, "continue_answer", _tr("Continue the answer"), chat.continue_last, "Alt+Return", in_menu=False)
    add(ANSWERS, "stop_answer", _tr("Stop the answer"), chat.stop, in_menu=False)

    add(PAGES, "show_chat", _tr("Conversation"), window.show_chat_page, "Shift+Esc", in_menu=False)
    add(PAGES, "show_models", _tr("Models"), window.show_models_page, "Ctrl+M")
    add(PAGES, "show_speed", _tr("Speed"), window.show_speed_page, "Ctrl+Shift+M")
    add(PAGES, "show_neurons", _tr("Neurons"), window.show_neurons_page, "Ctrl+Shift+N")
    add(PAGES, "show_device", _tr("Device"), window.show_device_page, "Ctrl+Shift+D")
    add(PAGES, "show_settings", _tr("Settings"), window.show_settings_page, "Ctrl+,")
    add(PAGES, "show_logs", _tr("Logs"), window.show_logs_page, "Ctrl+Shift+L", in_menu=False)

    add(ANSWERS, "choose_model", _tr("Choose a model…"), window.choose_model, "Ctrl+Shift+O")
    add(VIEW, "toggle_panel", _tr("Answer settings"), window.toggle_panel, "Ctrl+.")
    add(VIEW, "toggle_sidebar", _tr("Show conversations"), window.toggle_sidebar, "Ctrl+B")
    add(VIEW, "zoom_in", _tr("Larger"), lambda: zoom_by(window, 1), "Ctrl+=; Ctrl++", in_menu=False)
    add(VIEW, "zoom_out", _tr("Smaller"), lambda: zoom_by(window, -1), "Ctrl+-", in_menu=False)
    add(VIEW, "zoom_reset", _tr("Usual size"), lambda: zoom_by(window, 0), "Ctrl+0", in_menu=False)

    add(PROGRAM, "palette", _tr("Commands"), lambda: window.command_palette.toggle(), "Ctrl+K")
    add(PROGRAM, "shortcuts", _tr("Shortcuts"), lambda: show_shortcuts(window), "Ctrl+/")
    add(PROGRAM, "about", _tr("About Ember"), window.show_about)
    add(PROGRAM, "quit", _tr("Quit"), window.close, "Ctrl+Q")


def build_menu(actions: Actions, window: "MainWindow") -> QMenu:
    menu = QMenu(window)
    actions.fill(menu, CHATS, ANSWERS, PAGES, VIEW)
    menu.addMenu(_theme_menu(window))
    actions.fill(menu, PROGRAM)
    return menu


def zoom_by(window: "MainWindow", steps: int) -> None:
    """To the next larger or smaller size; 0 is the usual one."""
    settings = window.controls.settings
    at = min(range(len(ZOOMS)), key=lambda number: abs(ZOOMS[number] - settings.value.zoom))
    zoom = ZOOMS[max(0, min(len(ZOOMS) - 1, at + steps))] if steps else USUAL
    settings.update(zoom=zoom)
    window.toast.show_text(_tr("Size %1").replace("%1", f"{zoom} %"))


def _theme_menu(window: "MainWindow") -> QMenu:
    menu = QMenu(_tr("Theme"), window)
    group = QActionGroup(menu)
    settings = window.controls.settings
    labels = {"system": _tr("Follow the system"), "light": _tr("Light"), "dark": _tr("Dark")}
    for choice in THEMES:
        action = QAction(labels[choice], menu)
        action.setCheckable(True)
        action.triggered.connect(lambda _=False, c=choice: settings.update(theme=c))
        action.setData(choice)
        group.addAction(action)
        menu.addAction(action)

    def tick() -> None:
        for action in group.actions():
            action.setChecked(action.data() == settings.value.theme)

    menu.aboutToShow.connect(tick)
    return menu


def _tr(text: str) -> str:
    return QCoreApplication.translate("WindowActions", text)
