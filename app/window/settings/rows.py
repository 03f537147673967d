"""A row of the settings page: a name, a line that explains it, a control, and a way back to what is usual.

Owns how rows look, make room, and are found by a search. What a control's value means is given by two functions: one
reads it, one is told of a new one; rows made `for_field` read and write a field of AppSettings.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.settings import AppSettings
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.number_field import NumberField
from app.window.settings_control import SettingsControl
from app.window.zoom import zoomed

CONTROL_WIDTH = 220

Row = TypeVar("Row", bound="SettingRow")
Read = Callable[[], Any]
Write = Callable[[Any], object]


class SettingRow(QWidget):
    """`usual` is the value that the way back leads to; None where there is no such value to go back to."""

    def __init__(
        self,
        name: str,
        words: str,
        control: QWidget,
        parent: QWidget,
        *,
        read: Read | None = None,
        write: Write | None = None,
        usual: Read | None = None,
    ) -> None:
        super().__init__(parent)
        self.name = name
        self.control = control
        self._words = words
        self._read, self._write, self._usual = read, write, usual
        self._label = QLabel(name, self)
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setBuddy(control)
        self._explanation = MutedLabel(words, self, factor=0.9)
        control.setParent(self)
        if not control.accessibleName():
            control.setAccessibleName(name)
        control.setAccessibleDescription(words)
        self.reset_button = IconButton("undo", _tr("Back to the usual: %1").replace("%1", name), self, size=16)
        self.reset_button.clicked.connect(self._on_reset)
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addWidget(self._label)
        text.addWidget(self._explanation)
        side = QHBoxLayout()
        side.setSpacing(6)
        side.addWidget(control)
        side.addWidget(self.reset_button)
        side.addStretch(1)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 9, 0, 9)
        self._box.setSpacing(16)
        self._box.addLayout(text, 1)
        self._box.addLayout(side)
        # Its place stays while there is nothing to go back from, so that controls stand below each other.
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(policy)
        self._show_reset()

    def matches(self, wanted: str) -> bool:
        """Whether every word looked for is in its name, its explanation or its choices."""
        text = f"{self.name} {self._words} {self.choices()}".casefold()
        return all(word in text for word in wanted.casefold().split())

    def choices(self) -> str:
        """Further words by which it is found."""
        return ""

    @property
    def is_offered(self) -> bool:
        """Whether it is worth being found outside the page."""
        return True

    def refresh(self) -> None:
        """Show the value that holds now; what is being typed into is left alone."""
        if self._read is not None and not (self.control.hasFocus() and isinstance(self.control, NumberField)):
            blocker = QSignalBlocker(self.control)
            self.show_value(self._read())
            blocker.unblock()
        self._show_reset()

    def show_value(self, value: Any) -> None:
        """Overridden by rows whose control has a value."""

    def reset(self) -> None:
        """What is usual again, where there is such a value."""
        if self._usual is not None and self._write is not None:
            self._write(self._usual())
            self.refresh()

    def _on_reset(self) -> None:
        self.control.setFocus()  # the button goes away
        self.reset()

    def put_below(self, is_below: bool) -> None:
        """The control below its name, or beside it."""
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if is_below else QBoxLayout.Direction.LeftToRight)
        self._box.setSpacing(zoomed(6 if is_below else 16))

    def _take(self, value: Any) -> None:
        if self._write is not None:
            self._write(value)
        self._show_reset()

    def _show_reset(self) -> None:
        has_way_back = self._usual is not None and self._read is not None and self._read() != self._usual()
        self.reset_button.setVisible(has_way_back)


class SwitchRow(SettingRow):
    def __init__(self, name: str, words: str, parent: QWidget, **values: Any) -> None:
        box = QCheckBox(parent)
        super().__init__(name, words, box, parent, **values)
        box.toggled.connect(self._take)

    def show_value(self, value: bool) -> None:
        assert isinstance(self.control, QCheckBox)  # noqa: S101 - made above
        self.control.setChecked(value)


class ChoiceRow(SettingRow):
    """`options` are (value, words)."""

    def __init__(
        self, name: str, words: str, options: Sequence[tuple[Any, str]], parent: QWidget, **values: Any
    ) -> None:
        box = QComboBox(parent)
        self._options = tuple(options)
        for value, text in self._options:
            box.addItem(text, value)
        box.setMinimumWidth(CONTROL_WIDTH)
        super().__init__(name, words, box, parent, **values)
        box.currentIndexChanged.connect(lambda at: self._take(self._options[at][0]))

    def choices(self) -> str:
        return " ".join(text for _, text in self._options)

    def show_value(self, value: Any) -> None:
        assert isinstance(self.control, QComboBox)  # noqa: S101 - made above
        at = next((number for number, option in enumerate(self._options) if option[0] == value), -1)
        self.control.setCurrentIndex(at)


class NumberRow(SettingRow):
    def __init__(self, name: str, words: str, field: NumberField, parent: QWidget, **values: Any) -> None:
        field.setFixedWidth(CONTROL_WIDTH)
        super().__init__(name, words, field, parent, **values)
        field.changed.connect(self._take)

    def show_value(self, value: float | int | None) -> None:
        assert isinstance(self.control, NumberField)  # noqa: S101 - made above
        self.control.show_value(value)


class LinkRow(SettingRow):
    """Leads to where a thing is set; `spoken` is what a screen reader says of the button."""

    clicked = Signal()

    def __init__(self, name: str, words: str, text: str, run: Callable[[], object], parent: QWidget) -> None:
        button = QPushButton(text, parent)
        button.setAccessibleName(f"{name}: {text}")
        button.setMinimumWidth(CONTROL_WIDTH)
        super().__init__(name, words, button, parent)
        button.clicked.connect(lambda: run())


class Rows:
    """Makes the rows of a page whose settings they are."""

    def __init__(self, settings: SettingsControl, parent: QWidget) -> None:
        self._settings = settings
        self._parent = parent
        self.made: list[SettingRow] = []

    def switch(self, field: str, name: str, words: str) -> SettingRow:
        return self._keep(SwitchRow(name, words, self._parent, **self.for_field(field)))

    def choice(self, field: str, name: str, words: str, options: Sequence[tuple[Any, str]]) -> SettingRow:
        return self._keep(ChoiceRow(name, words, options, self._parent, **self.for_field(field)))

    def number(self, field: str, name: str, words: str, control: NumberField) -> SettingRow:
        return self._keep(NumberRow(name, words, control, self._parent, **self.for_field(field)))

    def link(self, name: str, words: str, text: str, run: Callable[[], object]) -> SettingRow:
        return self._keep(LinkRow(name, words, text, run, self._parent))

    def own(self, row: Row) -> Row:
        """A row of another kind, or one that reads and writes in a way of its own."""
        self._keep(row)
        return row

    def for_field(self, field: str) -> dict[str, Any]:
        settings = self._settings
        return {
            "read": lambda: getattr(settings.value, field),
            "write": lambda value: settings.update(**{field: value}),
            "usual": lambda: getattr(AppSettings(), field),
        }

    def _keep(self, row: SettingRow) -> SettingRow:
        self.made.append(row)
        return row


def _tr(text: str) -> str:
    return QCoreApplication.translate("SettingRow", text)
