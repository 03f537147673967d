"""A model's chat template: its text, what a conversation becomes by it, and where it goes wrong.

Shows what TemplateControl knows. The template is only text here: the engine renders it.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.window.error_card import ErrorCard
from app.window.labels import MutedLabel
from app.window.template_control import TemplateControl
from app.window.theme import colors_of, fixed_font, scaled
from app.window.wording import breakable, number
from engine.template_reports import TemplateTried, Turns


class TemplateDialog(QDialog):
    def __init__(self, control: TemplateControl, system_prompt: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        control.setParent(self)
        self._control = control
        self._system_prompt = system_prompt
        self._is_filled = False
        self._said = ""
        self._error: ErrorCard | None = None
        self.setWindowTitle(self.tr("Chat template of %1").replace("%1", control.model.name))
        self.resize(900, 640)
        self.origin = MutedLabel(parent=self)
        self.source = self._field(self.tr("Template"))
        self.source.setReadOnly(True)
        self.source.textChanged.connect(self._write)
        self.prompt = self._field(self.tr("What the model reads"))
        self.prompt.setReadOnly(True)
        self.prompt.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.status = QLabel(self)
        self.status.setWordWrap(True)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.with_system = QCheckBox(self.tr("With a system prompt"), self)
        self.with_system.setAccessibleName(self.with_system.text())
        self.with_system.setChecked(True)
        self.with_system.toggled.connect(self._write)
        self.revert_button = self._button(self.tr("Back to the model’s own"), "plain", self._revert)
        self.close_button = self._button(self.tr("Close"), "plain", self.close)
        self.keep_button = self._button(self.tr("Use this template"), "primary", self._keep)
        self._lay_out()
        control.changed.connect(self.refresh)
        control.kept.connect(self._on_kept)
        self.refresh()

    @property
    def is_changed(self) -> bool:
        """Whether what is written is not what is in use."""
        return self._is_filled and self.source.toPlainText() != self._control.source

    def refresh(self) -> None:
        control = self._control
        if control.read is not None and not self._is_filled:
            self._is_filled = True
            self.source.setReadOnly(False)
            self.source.setPlainText(control.source)
        self.origin.setText(self._origin_words())
        self._show_error()
        tried = control.tried
        text = self.source.toPlainText()
        if tried is not None and not control.is_trying:
            self._show_tried(tried)
        is_good = tried is not None and not tried.problem and not control.is_trying
        self.keep_button.setEnabled(self.is_changed and is_good and not control.is_keeping)
        can_revert = control.read is not None and (bool(control.read.kept) or text != control.read.own)
        self.revert_button.setEnabled(can_revert and not control.is_keeping)

    # Assembly -----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        left, right = QWidget(self), QWidget(self)
        for pane, title, field in (
            (left, self.tr("Template"), self.source),
            (right, self.tr("What the model reads"), self.prompt),
        ):
            label = QLabel(title, pane)
            label.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
            label.setBuddy(field)
            column = QVBoxLayout(pane)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(6)
            column.addWidget(label)
            column.addWidget(field, 1)
        halves = QSplitter(Qt.Orientation.Horizontal, self)
        halves.setChildrenCollapsible(False)
        halves.setHandleWidth(12)
        halves.addWidget(left)
        halves.addWidget(right)
        halves.setSizes([500, 400])
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.revert_button)
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addWidget(self.keep_button)
        below = QHBoxLayout()
        below.addWidget(self.status, 1)
        below.addWidget(self.with_system, 0, Qt.AlignmentFlag.AlignTop)
        self._error_place = QVBoxLayout()
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 16, 18, 14)
        box.setSpacing(10)
        box.addWidget(self.origin)
        box.addLayout(self._error_place)
        box.addWidget(halves, 1)
        box.addLayout(below)
        box.addLayout(row)

    def _field(self, name: str) -> QPlainTextEdit:
        field = QPlainTextEdit(self)
        field.setProperty("kind", "field")
        field.setFont(fixed_font(self.font()))
        field.setAccessibleName(name)
        field.setTabChangesFocus(True)
        field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        return field

    def _button(self, text: str, kind: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", kind)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: run())  # type: ignore[operator]
        return button

    # What is shown ------------------------------------------------------------------------------------------------

    def _origin_words(self) -> str:
        read = self._control.read
        if read is None:
            return self.tr("Reading the template…")
        if read.kept:
            return self.tr("Another template is used in place of the model’s own.")
        if read.origin == "checkpoint":
            return self.tr("This template came with the model. Another one can be used in its place.")
        if read.origin == "question and answer":
            return self.tr("The model came without a template: conversations are put to it as questions and answers.")
        words = self.tr("The model came without a template; Ember uses the form it was trained with (%1).")
        return words.replace("%1", read.origin.removeprefix("built-in: "))

    def _show_error(self) -> None:
        error = self._control.error
        if (self._error.text if self._error is not None else None) == error:
            return
        if self._error is not None:
            self._error_place.removeWidget(self._error)
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if error is not None:
            self._error = ErrorCard(error, (), "", self)
            self._error_place.addWidget(self._error)

    def _show_tried(self, tried: TemplateTried) -> None:
        colors = colors_of(self.palette())
        self.status.setStyleSheet(f"color: {colors.danger if tried.problem else colors.muted};")
        if tried.problem:
            self.status.setText(self._problem_words(tried))
            self._mark_line(tried.line)
            return
        self._mark_line(0)
        if self._said:
            self.status.setStyleSheet(f"color: {colors.good};")
            self.status.setText(self._said)
            return
        words = self.tr("It works.")
        if tried.n_tokens:
            words = self.tr("It works: %1 tokens.").replace("%1", number(tried.n_tokens))
        self.status.setText(words + " " + self.tr("What is written by the template itself is coloured."))
        if self.prompt.toPlainText() != tried.text:
            self.prompt.setPlainText(tried.text)
        self._colour_controls(tried)

    def _problem_words(self, tried: TemplateTried) -> str:
        if tried.problem == "empty":
            return self.tr("There is nothing in it.")
        problem = breakable(tried.problem.rstrip("."))
        if tried.line:
            return self.tr("Line %1: %2.").replace("%1", number(tried.line)).replace("%2", problem)
        return self.tr("It cannot be used: %1.").replace("%1", problem)

    def _mark_line(self, line: int) -> None:
        """Behind the line that is to blame; 0 for none."""
        marks: list[QTextEdit.ExtraSelection] = []
        block = self.source.document().findBlockByNumber(line - 1) if line > 0 else None
        if block is not None and block.isValid():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = QTextCursor(block)
            mark.format.setBackground(QColor(colors_of(self.palette()).danger_background))
            mark.format.setProperty(QTextCharFormat.Property.FullWidthSelection, True)
            marks.append(mark)
        self.source.setExtraSelections(marks)

    def _colour_controls(self, tried: TemplateTried) -> None:
        color = QColor(colors_of(self.palette()).accent)
        marks = []
        offsets = _utf16_offsets(tried.text)
        for start, length in tried.controls:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.prompt.document())
            cursor.setPosition(offsets[start])
            cursor.setPosition(offsets[start + length], QTextCursor.MoveMode.KeepAnchor)
            mark.cursor = cursor
            mark.format.setForeground(color)
            marks.append(mark)
        self.prompt.setExtraSelections(marks)

    # What is asked ------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        if self._is_filled:
            self._said = ""
            self._control.write(self.source.toPlainText(), self._turns())

    def _turns(self) -> Turns:
        """A conversation to look at the template with."""
        turns = (
            ("user", self.tr("How far away is the moon?")),
            ("assistant", self.tr("About 384,000 km.")),
            ("user", self.tr("And the sun?")),
        )
        if not self.with_system.isChecked():
            return turns
        return (("system", self._system_prompt or self.tr("Answer briefly.")), *turns)

    def _keep(self) -> None:
        self._control.keep(self.source.toPlainText())

    def _revert(self) -> None:
        read = self._control.read
        if read is None:
            return
        if self.source.toPlainText() != read.own:
            self.source.setPlainText(read.own)
        if read.kept:
            self._control.keep("")

    def _on_kept(self) -> None:
        self._said = self.tr("The model’s own template is used from the next message on.")
        if self._control.read is not None and self._control.read.kept:
            self._said = self.tr("This template is used from the next message on.")


def _utf16_offsets(text: str) -> list[int]:
    """Where each character begins as Qt counts, which takes two places for those beyond the first 65,536."""
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + (2 if ord(character) > 0xFFFF else 1))
    return offsets
