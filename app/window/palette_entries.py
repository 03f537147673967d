"""What the command palette offers: the window's actions, its conversations and models, and every setting."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.window.actions import PAGES
from app.window.palette import Entry

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

PREFERRED = 20  # actions come before conversations that fit as well


def palette_entries(window: "MainWindow") -> list[Entry]:
    return [*_actions(window), *_conversations(window), *_models(window), *_settings(window)]


def _actions(window: "MainWindow") -> list[Entry]:
    kinds = {PAGES: _tr("Page")}
    return [
        Entry(
            command.text, kinds.get(command.group, _tr("Action")), command.action.trigger, command.shortcut, PREFERRED
        )
        for command in window.commands.commands
        if command.action.isEnabled() and command.name != "palette"
    ]


def _conversations(window: "MainWindow") -> list[Entry]:
    summaries = window.controls.chat.conversations()
    return [Entry(each.title, _tr("Conversation"), partial(window.open_chat, each.id)) for each in summaries]


def _models(window: "MainWindow") -> list[Entry]:
    models = window.controls.models
    return [
        Entry(_tr("Load %1").replace("%1", model.name), _tr("Model"), partial(models.load, model.model_id))
        for model in models.models
    ]


def _settings(window: "MainWindow") -> list[Entry]:
    page = window.settings_page
    return [Entry(row.name, _tr("Setting"), partial(window.show_setting, row)) for row in page.rows if row.is_offered]


def _tr(text: str) -> str:
    return QCoreApplication.translate("PaletteEntries", text)
