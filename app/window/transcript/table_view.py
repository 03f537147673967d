"""A table: as wide as its content asks for, and scrolled sideways where that is wider than the message.

Owns how columns are laid out. Knows nothing of the message around it.
"""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QTextBlockFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTableFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.chat.markdown import Table
from app.window.theme import colors_of, scaled
from app.window.transcript.prose_view import TEXT_SIZE, FlatText, write_spans

CELL_PADDING = 7
MIN_COLUMN_EM = 5.5  # a column is not squeezed below this, the table scrolls instead
MAX_COLUMN_EM = 26

_ALIGNMENTS = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TableView(FlatText):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None
        self.setFont(scaled(self.font(), TEXT_SIZE))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(self.tr("Table"))

    def show_table(self, table: Table) -> None:
        if table != self._table:
            self._table = table
            self._write()

    def fit(self, width: int) -> int:
        natural = self._natural_width()
        laid_out = max(min(width, natural), self._least_width())
        self.setLineWrapMode(FlatText.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(laid_out)
        height = super().fit(laid_out)
        bar = self.horizontalScrollBar().sizeHint().height() + 4 if laid_out > width else 0
        return height + bar + 1

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super(FlatText, self).wheelEvent(event)
        else:
            event.ignore()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._table is not None:
            self._write()

    def _column_widths(self) -> list[float]:
        """What each column's widest cell takes in one line."""
        if self._table is None:
            return []
        metrics = QFontMetricsF(self.font())
        widths = [0.0] * len(self._table.alignments)
        for row in self._table.rows:
            for column, cell in enumerate(row[: len(widths)]):
                lines = "".join(span.text for span in cell).split("\n")
                widths[column] = max(widths[column], *(metrics.horizontalAdvance(line) * 1.08 for line in lines))
        return widths

    def _natural_width(self) -> int:
        return int(sum(self._column_widths()) + self._extra_width())

    def _least_width(self) -> int:
        em = QFontMetricsF(self.font()).horizontalAdvance("m")
        narrow = (min(width, MIN_COLUMN_EM * em) for width in self._column_widths())
        return int(sum(narrow) + self._extra_width())

    def _extra_width(self) -> float:
        columns = len(self._table.alignments) if self._table else 0
        return columns * (2 * CELL_PADDING + 2) + 8

    def _write(self) -> None:
        table = self._table
        if table is None:
            return
        colors = colors_of(self.palette())
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
        layout.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        em = QFontMetricsF(self.font()).horizontalAdvance("m")
        capped = [max(1.0, min(width, MAX_COLUMN_EM * em)) for width in self._column_widths()]
        shares = [QTextLength(QTextLength.Type.PercentageLength, 100 * width / sum(capped)) for width in capped]
        layout.setColumnWidthConstraints(shares)
        grid = cursor.insertTable(len(table.rows), max(1, len(table.alignments)), layout)
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
                write_spans(inside, spans, self.font(), self, bold=r == 0)
        # A document ends with a paragraph after the table; here it must take no room.
        end = QTextBlockFormat()
        end.setLineHeight(0, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.setBlockFormat(end)
        cursor.endEditBlock()
