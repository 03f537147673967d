"""The actions of a window by name: what can be done, in which group, and by which keys.

Owns the shortcuts in use: the usual ones, changed by what the settings say. The menu, the sheet of shortcuts, the
command palette and the tooltips of buttons are made of these; what an action does is given.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from app.window.settings_control import SettingsControl

CHATS, ANSWERS, PAGES, VIEW, PROGRAM = "chats", "answers", "pages", "view", "program"
GROUPS = (CHATS, ANSWERS, PAGES, VIEW, PROGRAM)


@dataclass(frozen=True, slots=True)
class Command:
    """An action with what is said of it.

    keys      the usual ones, as QKeySequence writes them in its portable form; several are separated by "; "
    in_menu   whether the window's menu has it; the palette has all of them
    """

    name: str
    group: str
    action: QAction
    keys: str = ""
    in_menu: bool = True

    @property
    def text(self) -> str:
        return self.action.text()

    @property
    def shortcut(self) -> str:
        """The first of its keys, as people of this system write them; empty where there are none."""
        return self.action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


class Actions(QObject):
    changed = Signal()
    """Other keys are in use."""

    def __init__(self, window: QWidget, settings: SettingsControl) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._commands: dict[str, Command] = {}
        self._buttons: list[tuple[QAbstractButton, str, str]] = []
        self._shown = settings.value.shortcuts
        settings.changed.connect(self._on_settings)

    @property
    def commands(self) -> tuple[Command, ...]:
        """By group, in the order in which they were added."""
        return tuple(each for group in GROUPS for each in self._commands.values() if each.group == group)

    def command(self, name: str) -> Command:
        return self._commands[name]

    def add(
        self, group: str, name: str, text: str, run: Callable[[], object], keys: str = "", *, in_menu: bool = True
    ) -> QAction:
        """Names are kept in the settings, so one that was given stays."""
        action = QAction(text, self._window)
        action.setObjectName(name)
        action.triggered.connect(lambda: run())
        self._window.addAction(action)
        self._commands[name] = Command(name, group, action, keys, in_menu)
        action.setShortcuts(_sequences(self.keys_of(name)))
        return action

    def fill(self, menu: QMenu, *groups: str) -> None:
        """The actions of these groups that belong into the menu, with a line between two groups."""
        for group in groups:
            if not menu.isEmpty():
                menu.addSeparator()
            for each in self._commands.values():
                if each.group == group and each.in_menu:
                    menu.addAction(each.action)

    # Keys ---------------------------------------------------------------------------------------------------------

    def keys_of(self, name: str) -> str:
        """The keys in use, written as in `Command`; those in the settings, or else the usual ones."""
        return dict(self._settings.value.shortcuts).get(name, self._commands[name].keys)

    def is_changed(self, name: str) -> bool:
        return self.keys_of(name) != self._commands[name].keys

    def owner_of(self, keys: str, *, but: str = "") -> Command | None:
        """Whose action it is that these keys start, other than the one named."""
        wanted = _sequences(keys)
        for name, each in self._commands.items():
            if name != but and any(key in wanted for key in _sequences(self.keys_of(name))):
                return each
        return None

    def rebind(self, name: str, keys: str) -> None:
        """Use these keys, and take them from whichever action had them; empty for none."""
        wanted = _sequences(keys)
        chosen = dict(self._settings.value.shortcuts) | {name: keys}
        for other in self._commands:
            had = _sequences(self.keys_of(other))
            left = [key for key in had if key not in wanted]
            if other != name and left != had:
                chosen[other] = _written(left)
        self._settings.update(shortcuts=self._pairs(chosen))

    def reset(self, name: str) -> None:
        """The usual keys again; whoever has been given them meanwhile is left without."""
        self.rebind(name, self._commands[name].keys)

    def reset_all(self) -> None:
        self._settings.update(shortcuts=())

    def label(self, button: QAbstractButton, name: str, words: str) -> None:
        """Keep the button's tooltip saying what it does and by which keys."""
        self._buttons.append((button, name, words))
        self._label(button, name, words)

    def _label(self, button: QAbstractButton, name: str, words: str) -> None:
        shortcut = self._commands[name].shortcut
        button.setToolTip(f"{words} ({shortcut})" if shortcut else words)

    def _pairs(self, chosen: dict[str, str]) -> tuple[tuple[str, str], ...]:
        """What differs from the usual; names of a newer version are kept."""
        return tuple(
            sorted(
                (name, keys)
                for name, keys in chosen.items()
                if name not in self._commands or keys != self._commands[name].keys
            )
        )

    def _on_settings(self) -> None:
        if self._settings.value.shortcuts == self._shown:
            return
        self._shown = self._settings.value.shortcuts
        for name, each in self._commands.items():
            each.action.setShortcuts(_sequences(self.keys_of(name)))
        for button, name, words in self._buttons:
            self._label(button, name, words)
        self.changed.emit()


def _sequences(keys: str) -> list[QKeySequence]:
    return QKeySequence.listFromString(keys, QKeySequence.SequenceFormat.PortableText) if keys else []


def _written(sequences: list[QKeySequence]) -> str:
    return QKeySequence.listToString(sequences, QKeySequence.SequenceFormat.PortableText)
