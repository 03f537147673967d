"""A row that gives an action other keys, and says so where they are another action's already.

Owns the field that keys are pressed in and the question about a conflict. Keys that would type are refused: they need
Ctrl, Alt or Meta, or are a function key.
"""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QKeySequenceEdit, QPushButton, QVBoxLayout, QWidget

from app.window.actions import Actions, Command
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.settings.rows import SettingRow

FIELD_WIDTH = 184
_MODIFIERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class ShortcutRow(SettingRow):
    def __init__(self, command: Command, actions: Actions, parent: QWidget) -> None:
        self._command = command
        self._actions = actions
        self.field = KeysField(command.text, parent)
        super().__init__(
            command.text,
            "",
            self.field,
            parent,
            read=lambda: actions.keys_of(command.name),
            write=lambda keys: actions.rebind(command.name, keys),
            usual=lambda: command.keys,
        )
        self._explanation.hide()
        self._box.setContentsMargins(0, 3, 0, 3)
        self.field.edit.editingFinished.connect(self._on_edited)
        self.field.cleared.clicked.connect(lambda: self._use(""))
        self.field.use_button.clicked.connect(self._take_over)
        self.field.keep_button.clicked.connect(self.refresh)
        actions.changed.connect(self.refresh)
        self.refresh()

    @property
    def is_offered(self) -> bool:
        return False  # its action is

    def choices(self) -> str:
        keys = QKeySequence.listFromString(self._actions.keys_of(self._command.name))
        return _tr("Shortcuts") + " " + " ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in keys)

    def show_value(self, value: str) -> None:
        keys = QKeySequence.listFromString(value, QKeySequence.SequenceFormat.PortableText)
        self.field.show_keys(keys[0] if keys else QKeySequence())

    def _on_edited(self) -> None:
        sequence = self.field.edit.keySequence()
        keys = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        if sequence.isEmpty() or keys in self._actions.keys_of(self._command.name).split("; "):
            return
        if _would_type(sequence):
            self.field.say(_tr("These keys type; add Ctrl or Alt, or use a function key."))
            return
        owner = self._actions.owner_of(keys, but=self._command.name)
        if owner is not None:
            self.field.ask(_tr("These keys belong to “%1”.").replace("%1", owner.text))
            return
        self._use(keys)

    def _take_over(self) -> None:
        self._use(self.field.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText))

    def _use(self, keys: str) -> None:
        self._take(keys)
        self.refresh()


class KeysField(QWidget):
    """Where keys are pressed, a button that takes them away, and below it what there is to say."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.edit = QKeySequenceEdit(self)
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName(_tr("Keys of %1").replace("%1", name))
        self.edit.setFixedWidth(FIELD_WIDTH)
        self.cleared = IconButton("close", _tr("No keys for %1").replace("%1", name), self, size=16)
        policy = self.cleared.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that fields stand below each other
        self.cleared.setSizePolicy(policy)
        self._words = MutedLabel("", self, factor=0.9)
        self.use_button = QPushButton(_tr("Use them here"), self)
        self.use_button.setProperty("kind", "inline")
        self.use_button.setAccessibleName(_tr("Use the keys for %1").replace("%1", name))
        self.keep_button = QPushButton(_tr("Leave it"), self)
        self.keep_button.setProperty("kind", "inline")
        self.keep_button.setAccessibleName(_tr("Leave the keys where they are"))
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.edit)
        row.addWidget(self.cleared)
        answers = QHBoxLayout()
        answers.setSpacing(4)
        answers.addWidget(self.use_button)
        answers.addWidget(self.keep_button)
        answers.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(3)
        box.addLayout(row)
        box.addWidget(self._words)
        box.addLayout(answers)
        self.setFocusProxy(self.edit)
        self.say("")

    @property
    def words(self) -> str:
        return self._words.text()

    def show_keys(self, keys: QKeySequence) -> None:
        self.edit.setKeySequence(keys)
        self.cleared.setVisible(not keys.isEmpty())
        self.say("")

    def say(self, words: str) -> None:
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.use_button.hide()
        self.keep_button.hide()

    def ask(self, words: str) -> None:
        self.say(words)
        self.use_button.show()
        self.keep_button.show()


def _would_type(sequence: QKeySequence) -> bool:
    keys = sequence[0]
    is_function = Qt.Key.Key_F1 <= keys.key() <= Qt.Key.Key_F35
    return not is_function and not keys.keyboardModifiers() & _MODIFIERS


def _tr(text: str) -> str:
    return QCoreApplication.translate("ShortcutRow", text)
