"""A formula on lines of its own: drawn large, and scrolled sideways where it is wider than the message.

What cannot be drawn, and what is not drawn yet, is shown as it was written.
"""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QTextCursor, QWheelEvent
from PySide6.QtWidgets import QWidget

from app.chat.markdown import Formula, Shown, Span
from app.window.theme import scaled
from app.window.transcript.flat_text import TEXT_SIZE, FlatText
from app.window.transcript.formula_renderer import FormulaRenderer

INDENT = 18
PADDING = 4


class FormulaView(FlatText):
    def __init__(self, parent: QWidget | None = None, formulas: FormulaRenderer | None = None) -> None:
        super().__init__(parent, formulas)
        self._formula: Formula | None = None
        self._is_drawing = False
        self.setFont(scaled(self.font(), TEXT_SIZE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def show_formula(self, formula: Formula) -> None:
        if formula != self._formula:
            self._formula = formula
            name = QCoreApplication.translate("FormulaView", "Formula: %1")
            self.setAccessibleName(name.replace("%1", formula.latex))
            self._rewrite()

    def items_between(self, start: int, end: int) -> list[Shown]:
        formula = self._formula
        if formula is None or start >= end:
            return []
        return [formula] if self._is_drawing or self.is_whole(start, end) else [Formula("", formula.text[start:end])]

    def is_whole(self, start: int, end: int) -> bool:
        return start == 0 and end >= self.document().characterCount() - 1

    def fit(self, width: int) -> int:
        """The height it takes, with the scroll bar where the formula is wider than this."""
        if not self._is_drawing:
            return super().fit(width) + 2 * PADDING
        self._wrap_at(100_000)
        widest = int(self.document().idealWidth() + 0.999)
        self._wrap_at(max(widest, width))
        bar = self.horizontalScrollBar().sizeHint().height() if widest > width else 0
        return int(self.document().size().height() + 0.999) + bar + 2 * PADDING

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super(FlatText, self).wheelEvent(event)
        else:
            event.ignore()

    def _rewrite(self) -> None:
        formula = self._formula
        if formula is None:
            return
        self._is_drawing = self._is_drawn((formula.latex, True))
        self.clear()
        cursor = QTextCursor(self.document())
        if self._is_drawing:
            block = cursor.blockFormat()
            block.setLeftMargin(INDENT)
            cursor.setBlockFormat(block)
        self._write(cursor, [Span(formula.text, formula=formula.latex, is_display=True)])
