"""What the window can do, declared: every action with its words, its usual keys, and what runs.

A new action is one line here. Where actions appear is decided in app/window/actions.py and by the menu below; what they
do is the window's.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.settings import THEMES
from app.window.actions import ANSWERS, CHATS, PAGES, PROGRAM, VIEW, Actions

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def add_actions(actions: Actions, window: "MainWindow") -> None:
    chat = window.controls.chat
    add = actions.add
    add(CHATS, "new_chat", _tr("New chat"), window.new_chat, "Ctrl+N")
    add(CHATS, "rename_chat", _tr("Rename conversation"), window.sidebar.rename_current, "F2")
    add(CHATS, "delete_chat", _tr("Delete conversation"), window.delete_current, "Ctrl+Shift+Backspace")

    add(ANSWERS, "copy_answer", _tr("Copy last answer"), window.copy_last, "Ctrl+Shift+C")
    add(ANSWERS, "answer_again", _tr("Answer again"), chat.regenerate, "Ctrl+R")
    add(ANSWERS, "stop_answer", _tr("Stop the answer"), chat.stop, in_menu=False)

    add(PAGES, "show_chat", _tr("Conversation"), window.show_chat_page, "Shift+Esc", in_menu=False)
    add(PAGES, "show_models", _tr("Models"), window.show_models_page, "Ctrl+M")
    add(PAGES, "show_speed", _tr("Speed"), window.show_speed_page, "Ctrl+Shift+M")
    add(PAGES, "show_neurons", _tr("Neurons"), window.show_neurons_page, "Ctrl+Shift+N")
    add(PAGES, "show_device", _tr("Device"), window.show_device_page, "Ctrl+Shift+D")

    add(VIEW, "toggle_panel", _tr("Answer settings"), window.toggle_panel, "Ctrl+.")
    add(VIEW, "toggle_sidebar", _tr("Show conversations"), window.toggle_sidebar, "Ctrl+B")

    add(PROGRAM, "about", _tr("About Ember"), window.show_about)
    add(PROGRAM, "quit", _tr("Quit"), window.close, "Ctrl+Q")


def build_menu(actions: Actions, window: "MainWindow") -> QMenu:
    menu = QMenu(window)
    actions.fill(menu, CHATS, ANSWERS, PAGES, VIEW)
    menu.addMenu(_theme_menu(window))
    actions.fill(menu, PROGRAM)
    return menu


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
