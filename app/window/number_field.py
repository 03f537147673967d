"""A field for a number: typed, or stepped with the arrow keys and, while it has the focus, the wheel.

Owns reading and writing numbers in the user's locale, and the range. What cannot be read is marked and goes back to the
last good value when the field is left.
"""

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class NumberField(QLineEdit):
    """`decimals` 0 makes it a whole number. With `empty` the field may be empty, which means None and shows `empty`."""

    changed = Signal(object)
    """float, int or None."""

    def __init__(
        self,
        low: float,
        high: float,
        *,
        step: float = 1,
        decimals: int = 0,
        empty: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._low, self._high, self._step, self._decimals = low, high, step, decimals
        self._may_be_empty = bool(empty)
        self._value: float | int | None = None
        self.setPlaceholderText(empty)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.textEdited.connect(self._on_edited)

    def set_range(self, low: float, high: float, step: float) -> None:
        """What may be typed from now on; the value shown stays."""
        self._low, self._high, self._step = low, high, step

    def show_value(self, value: float | int | None) -> None:
        self._value = value
        self.setText(self._written(value))
        self._mark(is_valid=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step_by(1 if event.key() == Qt.Key.Key_Up else -1)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and event.angleDelta().y():
            self._step_by(1 if event.angleDelta().y() > 0 else -1)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.show_value(self._value)

    def _on_edited(self, text: str) -> None:
        text = text.strip()
        if not text and self._may_be_empty:
            self._set(None)
            return
        value, is_number = self._read(text)
        is_valid = is_number and self._low <= value <= self._high
        self._mark(is_valid=is_valid)
        if is_valid:
            self._set(value)

    def _step_by(self, steps: int) -> None:
        start = self._value if self._value is not None else self._low
        value = min(self._high, max(self._low, round(start + steps * self._step, self._decimals)))
        self._set(value if self._decimals else int(value))
        self.show_value(self._value)

    def _set(self, value: float | int | None) -> None:
        if value != self._value:
            self._value = value
            self.changed.emit(value)

    def _mark(self, *, is_valid: bool) -> None:
        if self.property("valid") != is_valid:
            self.setProperty("valid", is_valid)
            self.style().unpolish(self)
            self.style().polish(self)

    def _read(self, text: str) -> tuple[float | int, bool]:
        if self._decimals:
            value, is_number = QLocale().toDouble(text)
            if not is_number:  # a point is understood everywhere
                value, is_number = QLocale.c().toDouble(text)
            return round(value, self._decimals), is_number
        digits = text.replace(" ", "")
        return (int(digits), True) if digits.isascii() and digits.isdigit() and len(digits) < 20 else (0, False)

    def _written(self, value: float | int | None) -> str:
        if value is None:
            return ""
        return QLocale().toString(float(value), "f", self._decimals) if self._decimals else str(value)
