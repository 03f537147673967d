"""A table: as wide as its content asks for, and scrolled sideways where that is wider than the message.

Owns how columns are laid out. Knows nothing of the message around it.
"""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.chat.markdown import Block, Shown, Table
from app.window.theme import colors_of, scaled
from app.window.transcript.flat_text import TEXT_SIZE, FlatText
from app.window.transcript.formula_renderer import FormulaRenderer

CELL_PADDING = 7
MAX_WORD_EM = 14  # a longer word may be broken rather than make the table scroll
CODE_SLACK = 1.2  # text in code or bold takes more than the plain font says

_ALIGNMENTS = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TableView(FlatText):
    def __init__(self, parent: QWidget | None = None, formulas: FormulaRenderer | None = None) -> None:
        super().__init__(parent, formulas)
        self._table: Table | None = None
        self._grid: QTextTable | None = None
        self._columns: list[float] = []
        self.setFont(scaled(self.font(), TEXT_SIZE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(self.tr("Table"))

    def show_table(self, table: Table) -> None:
        if table != self._table:
            self._table = table
            self._write_table()

    def fit(self, width: int) -> int:
        columns = self._fitted_columns(width - 4)
        laid_out = int(sum(columns) + self._extra_width() + 0.999)
        if self._grid is not None and columns != self._columns:
            self._columns = columns
            layout = self._grid.format()
            length = QTextLength.Type.FixedLength
            layout.setColumnWidthConstraints([QTextLength(length, c + 2 * CELL_PADDING) for c in columns])
            self._grid.setFormat(layout)
        height = super().fit(laid_out)
        bar = self.horizontalScrollBar().sizeHint().height() + 4 if laid_out > width else 0
        return height + bar + 1

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super(FlatText, self).wheelEvent(event)
        else:
            event.ignore()

    def items_between(self, start: int, end: int) -> list[Shown]:
        """The rows that are selected, or the text where all of it is in one cell."""
        table, grid = self._table, self._grid
        if table is None or grid is None:
            return []
        first, last = grid.cellAt(start), grid.cellAt(max(start, end - 1))
        if not first.isValid() and not last.isValid() and end - start > 1:
            return [table]
        if first.isValid() and first == last:
            return [Block(table.rows[first.row()][first.column()])] if self._has(first.row(), first.column()) else []
        rows = slice(first.row() if first.isValid() else 0, last.row() + 1 if last.isValid() else len(table.rows))
        return [replace(table, rows=table.rows[rows])]

    def _has(self, row: int, column: int) -> bool:
        return self._table is not None and row < len(self._table.rows) and column < len(self._table.rows[row])

    def _rewrite(self) -> None:
        if self._table is not None:
            self._write_table()

    def _fitted_columns(self, width: int) -> list[float]:
        """Widths of the columns: as they like if there is room, else squeezed, but no word is broken for it."""
        words, lines = self._wishes()
        room = width - self._extra_width()
        if sum(lines) <= room:
            return lines
        spare = max(0.0, room - sum(words))
        wanted = sum(lines) - sum(words)
        return [w + (spare * (n - w) / wanted if wanted else 0.0) for w, n in zip(words, lines, strict=True)]

    def _wishes(self) -> tuple[list[float], list[float]]:
        """For each column what its widest word and its widest line take; both with a limit."""
        if self._table is None:
            return [], []
        plain, bold = QFontMetricsF(self.font()), QFontMetricsF(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        most = MAX_WORD_EM * plain.horizontalAdvance("m")
        words = [1.0] * len(self._table.alignments)
        lines = [1.0] * len(self._table.alignments)
        for number, row in enumerate(self._table.rows):
            metrics = plain if number else bold
            for column, cell in enumerate(row[: len(words)]):
                drawn = [width for span in cell if (width := self._drawn_width(span)) is not None]
                text = "".join(span.text for span in cell if self._drawn_width(span) is None)
                slack = CODE_SLACK if any(span.code or span.bold for span in cell) else 1.0
                for line in text.split("\n"):
                    lines[column] = max(lines[column], metrics.horizontalAdvance(line) * slack + 2 + sum(drawn))
                words[column] = max(words[column], *drawn, 1.0) if drawn else words[column]
                for word in text.split():
                    words[column] = max(words[column], min(most, metrics.horizontalAdvance(word) * slack + 2))
        return words, [max(pair) for pair in zip(words, lines, strict=True)]

    def _extra_width(self) -> float:
        columns = len(self._table.alignments) if self._table else 0
        return columns * (2 * CELL_PADDING + 1) + 3

    def _write_table(self) -> None:
        table = self._table
        if table is None:
            return
        colors = colors_of(self.palette())
        self._columns = []
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        layout = QTextTableFormat()
        layout.setBorder(1)
        layout.setBorderCollapse(True)
        layout.setBorderBrush(QBrush(QColor(colors.border)))
        layout.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        layout.setCellPadding(CELL_PADDING)
        layout.setCellSpacing(0)
        layout.setHeaderRowCount(1)
        layout.setMargin(0)
        grid = self._grid = cursor.insertTable(len(table.rows), max(1, len(table.alignments)), layout)
        for r, row in enumerate(table.rows):
            for c, spans in enumerate(row[: len(table.alignments)]):
                cell = grid.cellAt(r, c)
                if r == 0:
                    style = cell.format()
                    style.setBackground(QColor(colors.code_header))
                    cell.setFormat(style)
                inside = cell.firstCursorPosition()
                block = QTextBlockFormat()
                block.setAlignment(_ALIGNMENTS.get(table.alignments[c], Qt.AlignmentFlag.AlignLeft))
                inside.setBlockFormat(block)
                self._write(inside, spans, bold=r == 0)
                if spans and all(span.formula for span in spans):
                    inside.insertText("\u200b", QTextCharFormat())  # so that it stands where the text beside it does
        # A document ends with a paragraph after the table; here it must take no room.
        end = QTextBlockFormat()
        end.setLineHeight(0, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.setBlockFormat(end)
        cursor.endEditBlock()
