"""The sheet of shortcuts: every action that has keys, by group, in as many columns as there is room for.

Shows what is in use when it is opened; changing them is the settings page's business.
"""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.window.actions import ANSWERS, CHATS, GROUPS, PAGES, PROGRAM, VIEW, Actions, Command
from app.window.labels import MutedLabel
from app.window.theme import scaled
from app.window.zoom import zoomed

SIZE = (700, 560)


class ShortcutSheet(QDialog):
    change_asked = Signal()

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Shortcuts"))
        body = QWidget(self)
        columns = QHBoxLayout(body)
        columns.setContentsMargins(20, 16, 20, 12)
        columns.setSpacing(36)
        left, right = QVBoxLayout(), QVBoxLayout()
        for column in (left, right):
            column.setSpacing(18)
            columns.addLayout(column, 1)
        heights = [0, 0]
        for group in GROUPS:
            commands = [each for each in actions.commands if each.group == group and each.shortcut]
            if commands:
                at = 0 if heights[0] <= heights[1] else 1
                (left, right)[at].addWidget(_group(group_name(group), commands, body))
                heights[at] += len(commands) + 2
        fixed = [(words, keys) for words, keys in _fixed_keys() if keys]
        at = 0 if heights[0] <= heights[1] else 1
        (left, right)[at].addWidget(_keys_group(_tr("While writing"), fixed, body))
        for column in (left, right):
            column.addStretch(1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setAccessibleName(self.windowTitle())
        area.setWidget(body)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        change = buttons.addButton(self.tr("Change…"), QDialogButtonBox.ButtonRole.ActionRole)
        change.clicked.connect(self._change)
        buttons.rejected.connect(self.close)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 0, 20, 14)
        foot.addWidget(buttons)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(area, 1)
        box.addLayout(foot)
        self.resize(zoomed(SIZE[0]), zoomed(SIZE[1]))

    def _change(self) -> None:
        self.close()
        self.change_asked.emit()


def group_name(group: str) -> str:
    return {
        CHATS: _tr("Conversations"),
        ANSWERS: _tr("Answers"),
        PAGES: _tr("Pages"),
        VIEW: _tr("View"),
        PROGRAM: _tr("Ember"),
    }[group]


def _group(title: str, commands: list[Command], parent: QWidget) -> QWidget:
    return _keys_group(title, [(each.text, each.shortcut) for each in commands], parent)


def _keys_group(title: str, rows: list[tuple[str, str]], parent: QWidget) -> QWidget:
    whole = QWidget(parent)
    grid = QGridLayout(whole)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(0, 1)
    head = QLabel(title, whole)
    head.setFont(scaled(whole.font(), 1.08, weight=QFont.Weight.DemiBold))
    grid.addWidget(head, 0, 0, 1, 2)
    for number, (words, keys) in enumerate(rows, start=1):
        name = QLabel(words, whole)
        name.setWordWrap(True)
        grid.addWidget(name, number, 0)
        grid.addWidget(MutedLabel(keys, whole, wraps=False), number, 1, Qt.AlignmentFlag.AlignRight)
    return whole


def _fixed_keys() -> list[tuple[str, str]]:
    """Keys that belong to what has the keyboard, and cannot be changed."""
    return [
        (_tr("Stop the answer"), _native("Esc")),
        (_tr("Next control"), _native("Tab")),
        (_tr("Close what is open"), _native("Esc")),
    ]


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ShortcutSheet", text)
