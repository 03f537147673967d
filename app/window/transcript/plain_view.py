"""Text that would take too long to format: a line that says so, and the text, which scrolls by itself.

Only the lines on the screen are laid out, so that its length costs nothing. All of it can be selected and copied.
"""

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from app.chat.markdown import Plain, Shown
from app.window.labels import MutedLabel
from app.window.theme import fixed_font
from app.window.transcript.folding import folded, unfolded
from app.window.zoom import zoomed

MAX_LINES_SHOWN = 24
SPACING = 6


class PlainText(QPlainTextEdit):
    """Read-only text in the fixed font; `wraps` folds long lines, else they are scrolled."""

    def __init__(self, name: str, parent: QWidget | None = None, *, wraps: bool = True) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFont(fixed_font(self.font()))
        self.setAccessibleName(name)
        self.set_wrapped(wraps)

    def set_wrapped(self, wraps: bool) -> None:
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wraps else mode.NoWrap)


class PlainView(QWidget):
    selected = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plain = Plain("")
        self._shown = ""
        self._note = MutedLabel(parent=self, factor=0.93)
        self._text = PlainText(self.tr("Unformatted text"), self)
        self._text.selectionChanged.connect(self.selected)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACING)
        box.addWidget(self._note)
        box.addWidget(self._text, 1)

    @property
    def editor(self) -> QPlainTextEdit:
        return self._text

    def toPlainText(self) -> str:
        return self._text.toPlainText()

    def items_between(self, start: int, end: int) -> list[Shown]:
        return [Plain(unfolded(self._plain.text, start, end))]

    def show_plain(self, plain: Plain) -> None:
        """Show a text; while it only grows, only what is new is added."""
        self._plain = plain
        table = self.tr("This table is very large and is shown without its layout.")
        rest = self.tr("The rest of this text is very long and is shown without formatting.")
        self._note.setText(table if plain.is_table else rest)
        self._text.set_wrapped(not plain.is_table)
        shown = folded(plain.text)
        if self._shown and shown.startswith(self._shown):
            cursor = QTextCursor(self._text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(shown[len(self._shown) :])
        elif shown != self._shown:
            self._text.setPlainText(shown)
        self._shown = shown

    def fit(self, width: int) -> int:
        """The height it takes at a width: its lines, as long as they are few."""
        n_lines = min(MAX_LINES_SHOWN, self._text.blockCount() + 2)
        note = max(self._note.heightForWidth(width), self._note.sizeHint().height())
        return note + zoomed(SPACING) + n_lines * self._text.fontMetrics().lineSpacing()
