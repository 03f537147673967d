"""Chips that narrow a list down: each is on or off; those of one group widen each other."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.window.models.flow import FlowLayout

Chip = tuple[str, str, str, str]


class FilterChips(QWidget):
    """`chips` are (group, value, label, tooltip)."""

    changed = Signal()

    def __init__(self, name: str, chips: tuple[Chip, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._chips: dict[tuple[str, str], QPushButton] = {}
        flow = FlowLayout(self, spacing=6)
        for group, value, label, tip in chips:
            chip = QPushButton(label, self)
            chip.setProperty("kind", "filter")
            chip.setCheckable(True)
            chip.setAccessibleName(f"{name}: {label}")
            chip.setToolTip(tip)
            chip.toggled.connect(self.changed)
            flow.addWidget(chip)
            self._chips[group, value] = chip

    def chosen(self, group: str) -> frozenset[str]:
        return frozenset(value for (of, value), chip in self._chips.items() if of == group and chip.isChecked())

    def choose(self, group: str, value: str, *, is_on: bool) -> None:
        self._chips[group, value].setChecked(is_on)

    def clear(self) -> None:
        """Everything is shown; said once."""
        was = [chip for chip in self._chips.values() if chip.isChecked()]
        for chip in was:
            chip.blockSignals(True)
            chip.setChecked(False)
            chip.blockSignals(False)
        if was:
            self.changed.emit()
