"""A row that gives an action other keys, and says so where they are another action's already.

Owns the field that keys are pressed in and the question about a conflict. Keys that would type are refused: they need
Ctrl, Alt or Meta, or are a function key.
"""

from PySide6.QtCore import QCoreApplication, Qt, Signal
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
        self.field.used.connect(self._take_over)
        self.field.left.connect(self.refresh)
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
            self.field.question.say(_tr("These keys type; add Ctrl or Alt, or use a function key."))
            return
        owner = self._actions.owner_of(keys, but=self._command.name)
        if owner is not None:
            self.field.question.say(_tr("These keys belong to “%1”.").replace("%1", owner.text), asks=True)
            return
        self._use(keys)

    def _take_over(self) -> None:
        self._use(self.field.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText))

    def _use(self, keys: str) -> None:
        self._take(keys)
        self.refresh()


class KeysField(QWidget):
    """Where keys are pressed, a button that takes them away, and below it what there is to say."""

    used = Signal()
    """Keys of another action's are to be this one's."""

    left = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = name
        self.edit = QKeySequenceEdit(self)
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName(_tr("Keys of %1").replace("%1", name))
        self.edit.setFixedWidth(FIELD_WIDTH)
        self.cleared = IconButton("close", _tr("No keys for %1").replace("%1", name), self, size=16)
        policy = self.cleared.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # so that fields stand below each other
        self.cleared.setSizePolicy(policy)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.edit)
        row.addWidget(self.cleared)
        row.addStretch(1)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(3)
        self._box.addLayout(row)
        self.setFocusProxy(self.edit)
        self._question: Question | None = None

    @property
    def question(self) -> "Question":
        """What there is to say and to ask; few rows ever have something."""
        if self._question is None:
            self._question = Question(self._name, self)
            self._question.used.connect(self.used)
            self._question.left.connect(self.left)
            self._box.addWidget(self._question)
        return self._question

    def show_keys(self, keys: QKeySequence) -> None:
        self.edit.setKeySequence(keys)
        self.cleared.setVisible(not keys.isEmpty())
        if self._question is not None:
            self._question.hide()


class Question(QWidget):
    """Words about keys, and where they are another action's two answers."""

    used = Signal()
    left = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = MutedLabel("", self, factor=0.9)
        self.use_button = self._button(_tr("Use them here"), _tr("Use the keys for %1").replace("%1", name))
        self.use_button.clicked.connect(self.used)
        self.keep_button = self._button(_tr("Leave it"), _tr("Leave the keys where they are"))
        self.keep_button.clicked.connect(self.left)
        answers = QHBoxLayout()
        answers.setSpacing(4)
        answers.addWidget(self.use_button)
        answers.addWidget(self.keep_button)
        answers.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(3)
        box.addWidget(self._words)
        box.addLayout(answers)

    @property
    def words(self) -> str:
        """Empty while there is nothing to say."""
        return "" if self.isHidden() else self._words.text()

    def say(self, words: str, *, asks: bool = False) -> None:
        self._words.setText(words)
        self.use_button.setVisible(asks)
        self.keep_button.setVisible(asks)
        self.show()

    def _button(self, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setProperty("kind", "inline")
        button.setAccessibleName(spoken)
        return button


def _would_type(sequence: QKeySequence) -> bool:
    keys = sequence[0]  # type: ignore[index]
    is_function = Qt.Key.Key_F1 <= keys.key() <= Qt.Key.Key_F35
    return not is_function and not keys.keyboardModifiers() & _MODIFIERS


def _tr(text: str) -> str:
    return QCoreApplication.translate("ShortcutRow", text)
