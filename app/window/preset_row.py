"""Which preset answers are made by, whether it was changed, and what can be done with presets.

Shows what AnswerControl knows. Owns the questions for names and files; what they mean is decided there.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QStandardPaths, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QInputDialog,
    QMenu,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.presets import SUFFIX, Preset
from app.window.answer_control import AnswerControl
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.preset_words import preset_meaning, preset_name


class PresetChoice(QComboBox):
    """A choice whose words lose their middle where there is no room: the end says whether a preset was changed."""

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width() - 4
        option.currentText = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideMiddle, room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()


class PresetRow(QWidget):
    def __init__(self, answers: AnswerControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers = answers
        self.choice = PresetChoice(self)
        self.choice.setAccessibleName(self.tr("Preset"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(12)
        self.choice.activated.connect(self._on_chosen)
        self.menu = QMenu(self)
        self._more = IconButton("more", self.tr("Presets: keep, rename, delete, hand on"), self)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setMenu(self.menu)
        self._words = MutedLabel(parent=self, factor=0.86)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.choice, 1)
        row.addWidget(self._more)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(row)
        box.addWidget(self._words)

    def refresh(self) -> None:
        preset, changed = self._answers.preset, bool(self._answers.changed_fields)
        blocker = QSignalBlocker(self.choice)
        self.choice.clear()
        if preset is None:
            self.choice.addItem(self.tr("No preset"), "")
        for each in self._answers.presets:
            name = preset_name(each)
            if preset is not None and each.key == preset.key and changed:
                name = self.tr("%1 (changed)").replace("%1", name)
            self.choice.addItem(name, each.key)
            self.choice.setItemData(self.choice.count() - 1, preset_meaning(each), Qt.ItemDataRole.ToolTipRole)
        self.choice.setToolTip(preset_name(preset) if preset is not None else "")
        self.choice.setCurrentIndex(max(0, self.choice.findData(preset.key if preset is not None else "")))
        blocker.unblock()
        if preset is None:
            self._words.setText(self.tr("These values belong to no preset."))
        elif changed:
            self._words.setText(self.tr("Some values are no longer the preset’s; the arrows beside them go back."))
        else:
            self._words.setText(preset_meaning(preset))
        self._fill_menu(preset, is_changed=changed)

    def _fill_menu(self, preset: Preset | None, *, is_changed: bool) -> None:
        self.menu.clear()
        self._action(self.tr("Back to the preset"), self._answers.reset, is_on=is_changed or preset is None)
        self.menu.addSeparator()
        is_own = preset is not None and preset.is_own
        if is_own and preset is not None:
            name = preset.name.replace("&", "&&")
            update = self.tr("Keep the changes in “%1”").replace("%1", name)
            self._action(update, self._answers.update_preset, is_on=is_changed)
        self._action(self.tr("Keep as a new preset…"), self._ask_to_save)
        self._action(self.tr("Rename…"), self._ask_to_rename, is_on=is_own)
        self._action(self.tr("Delete"), self._delete, is_on=is_own)
        self.menu.addSeparator()
        self._action(self.tr("Export to a file…"), self._ask_where_to, is_on=preset is not None)
        self._action(self.tr("Import from a file…"), self._ask_where_from)

    def _action(self, text: str, run: Callable[[], object], *, is_on: bool = True) -> None:
        action = self.menu.addAction(text)
        action.setEnabled(is_on)
        action.triggered.connect(lambda: run())

    def _on_chosen(self, index: int) -> None:
        key = self.choice.itemData(index)
        if key:
            self._answers.choose_preset(key)

    def _ask_to_save(self) -> None:
        preset = self._answers.preset
        name = preset.name if preset is not None and preset.is_own else ""
        self._ask_for_name(self.tr("Keep as a preset"), name, self._answers.save_preset)

    def _ask_to_rename(self) -> None:
        preset = self._answers.preset
        if preset is not None:
            key = preset.key
            self._ask_for_name(
                self.tr("Rename the preset"), preset.name, lambda name: self._answers.rename_preset(key, name)
            )

    def _ask_for_name(self, title: str, name: str, take: Callable[[str], object]) -> None:
        dialog = QInputDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        dialog.setLabelText(self.tr("Name"))
        dialog.setTextValue(name)
        dialog.setOkButtonText(self.tr("Keep"))
        dialog.setCancelButtonText(self.tr("Cancel"))
        dialog.textValueSelected.connect(take)
        dialog.open()

    def _delete(self) -> None:
        preset = self._answers.preset
        if preset is not None:
            self._answers.delete_preset(preset.key)

    def _ask_where_to(self) -> None:
        preset = self._answers.preset
        if preset is None:
            return
        key = preset.key
        dialog = self._file_dialog(self.tr("Export the preset"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
        plain = "".join(c if c.isalnum() or c in " -_" else "-" for c in preset_name(preset))
        dialog.selectFile(plain + SUFFIX)
        dialog.fileSelected.connect(lambda path: self._answers.hand_on(key, Path(path)))
        dialog.open()

    def _ask_where_from(self) -> None:
        dialog = self._file_dialog(self.tr("Import a preset"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self._answers.take_in(Path(path)))
        dialog.open()

    def _file_dialog(self, title: str) -> QFileDialog:
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        dialog = QFileDialog(self.window(), title, folder)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilter(self.tr("Presets (*.toml)"))
        return dialog
