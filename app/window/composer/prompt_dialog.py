"""The user's own prompts, to be written, changed and removed; those that come with Ember can be taken as a beginning.

Every change is kept at once; what could not be written down is said, and stays on the screen.
"""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.prompt_library import MAX_NAME, Prompt, PromptLibrary, places
from app.window.composer.prompt_menu import PREVIEW, PromptRow
from app.window.labels import MutedLabel

LIST_WIDTH = 220


class PromptDialog(QDialog):
    use_clicked = Signal(object)
    """A Prompt that is to be put into the field."""

    def __init__(self, library: PromptLibrary, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Prompts"))
        self.resize(760, 520)
        self._library = library
        self._own = list(library.own)
        self._given = list(library.built_in(language))
        self._list = QListWidget(self)
        self._list.setAccessibleName(self.tr("Prompts"))
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setFixedWidth(LIST_WIDTH)
        self._list.setItemDelegate(PromptRow(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.viewport().setAutoFillBackground(False)
        self._list.setProperty("kind", "bare")
        self._list.currentRowChanged.connect(self._show_row)
        self._name = QLineEdit(self)
        self._name.setMaxLength(MAX_NAME)
        self._name.setAccessibleName(self.tr("Name of the prompt"))
        self._name.textEdited.connect(self._change)
        self._text = QPlainTextEdit(self)
        self._text.setProperty("kind", "field")
        self._text.setAccessibleName(self.tr("Text of the prompt"))
        self._text.setTabChangesFocus(True)
        self._text.textChanged.connect(self._change)
        self._places = MutedLabel(parent=self, factor=0.9)
        self._problem = QLabel(self)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._problem.hide()
        self._new = self._button(self.tr("New prompt"), self._add_new)
        self._copy = self._button(self.tr("Copy it to my prompts"), self._copy_given)
        self._remove = self._button(self.tr("Delete"), self._delete)
        self._use = self._button(self.tr("Use it"), self._use_it)
        self._close = self._button(self.tr("Close"), self.close)
        for button in (self._new, self._copy, self._remove, self._use, self._close):
            button.setAutoDefault(False)
        left = QVBoxLayout()
        left.addWidget(self._list, 1)
        left.addWidget(self._new)
        right = QVBoxLayout()
        right.setSpacing(6)
        right.addWidget(_caption(self.tr("Name"), self._name, self))
        right.addWidget(self._name)
        right.addSpacing(4)
        right.addWidget(_caption(self.tr("Text"), self._text, self))
        right.addWidget(self._text, 1)
        right.addWidget(self._places)
        right.addWidget(self._problem)
        buttons = QHBoxLayout()
        buttons.addWidget(self._copy)
        buttons.addWidget(self._remove)
        buttons.addStretch(1)
        buttons.addWidget(self._use)
        buttons.addWidget(self._close)
        right.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 14, 16, 12)
        row.setSpacing(16)
        row.addLayout(left)
        row.addLayout(right, 1)
        self._fill_list(0)
        self._show_file_problem()

    @property
    def _row(self) -> int:
        return self._list.currentRow()

    @property
    def _current(self) -> Prompt | None:
        shown = [*self._own, *self._given]
        return shown[self._row] if 0 <= self._row < len(shown) else None

    def done(self, result: int) -> None:
        self._write()
        super().done(result)

    def _button(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.clicked.connect(run)
        return button

    def _fill_list(self, row: int) -> None:
        blocker = QSignalBlocker(self._list)
        self._list.clear()
        for prompt in self._own:
            self._add_item(prompt.name or self.tr("Unnamed"), " ".join(prompt.text.split()))
        for prompt in self._given:
            self._add_item(prompt.name, self.tr("comes with Ember"))
        self._list.setCurrentRow(max(0, min(row, self._list.count() - 1)))
        del blocker
        self._show_row(self._row)

    def _add_item(self, name: str, preview: str) -> None:
        item = QListWidgetItem(name)
        item.setData(PREVIEW, preview)
        self._list.addItem(item)

    def _show_row(self, row: int) -> None:
        prompt = self._current
        is_own = prompt is not None and row < len(self._own)
        with QSignalBlocker(self._name), QSignalBlocker(self._text):
            self._name.setText(prompt.name if prompt else "")
            self._text.setPlainText(prompt.text if prompt else "")
        self._name.setReadOnly(not is_own)
        self._text.setReadOnly(not is_own)
        self._remove.setVisible(is_own)
        self._copy.setVisible(prompt is not None and not is_own)
        self._use.setEnabled(prompt is not None)
        self._show_places()

    def _show_places(self) -> None:
        found = places(self._text.toPlainText())
        words = (
            self.tr("Places to fill: %1").replace("%1", ", ".join(found))
            if found
            else self.tr(
                "Write {{text}} for what stands in the field, {{clipboard}} for what was copied, or any {{word}}."
            )
        )
        self._places.setText(words)

    def _change(self) -> None:
        row = self._row
        if 0 <= row < len(self._own):
            self._own[row] = Prompt(self._name.text(), self._text.toPlainText())
            item = self._list.item(row)
            if item is not None:
                item.setText(self._name.text() or self.tr("Unnamed"))
                item.setData(PREVIEW, " ".join(self._text.toPlainText().split()))
            self._show_places()
            self._write()

    def _add_new(self) -> None:
        self._own.append(Prompt(self.tr("New prompt"), ""))
        self._fill_list(len(self._own) - 1)
        self._name.setFocus()
        self._name.selectAll()

    def _copy_given(self) -> None:
        prompt = self._current
        if prompt is not None:
            self._own.append(Prompt(prompt.name, prompt.text))
            self._fill_list(len(self._own) - 1)
            self._write()
            self._text.setFocus()

    def _delete(self) -> None:
        if 0 <= self._row < len(self._own):
            self._own.pop(self._row)
            self._fill_list(self._row)
            self._write()

    def _use_it(self) -> None:
        prompt = self._current
        if prompt is not None:
            self.use_clicked.emit(prompt)
            self.close()

    def _write(self) -> None:
        if tuple(p for p in self._own if p.name.strip() and p.text.strip()) == self._library.own:
            return
        try:
            self._library.keep(self._own)
        except OSError as error:
            words = self.tr("The prompts could not be written down: %1. They are kept until Ember ends.")
            self._say(words.replace("%1", error.strerror or str(error)))
        else:
            self._problem.hide()

    def _show_file_problem(self) -> None:
        problem, aside = self._library.problem, self._library.kept_aside
        if problem and aside is not None:
            words = self.tr("Your prompts could not be read (%1). The file is kept as %2.")
            self._say(words.replace("%1", problem).replace("%2", aside.name))
        elif problem:
            words = self.tr("Your prompts could not be read (%1), and the file is left as it is.")
            self._say(words.replace("%1", problem))

    def _say(self, words: str) -> None:
        self._problem.setText(words)
        self._problem.show()


def _caption(text: str, buddy: QWidget, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setBuddy(buddy)
    return label
