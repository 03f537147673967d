"""Text of a message: paragraphs, headings, lists and quotes in one document.

Owns the look of prose and the rewriting of only what changed. Nothing is ever fetched, and HTML never reaches the
document: it is built from the plain values of app/chat/markdown.py. Knows neither code blocks nor tables.
"""

import unicodedata
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextListFormat,
)
from PySide6.QtWidgets import QWidget

from app.chat.markdown import Block, Plain, Shown
from app.chat.markdown_text import cut_spans, n_units, units_between
from app.window.theme import Colors, colors_of, scaled
from app.window.transcript.flat_text import TEXT_SIZE, FlatText
from app.window.transcript.formula_object import OBJECT_CHARACTER, em_of
from app.window.transcript.formula_renderer import FormulaRenderer

LINE_HEIGHT_PERCENT = 138
MAX_DEPTH = 8  # deeper lists and quotes are drawn at this indentation
INDENT_EM = 1.75
QUOTE_EM = 1.1


class ProseView(FlatText):
    """Blocks as a document. `compact` leaves no space between paragraphs, as for text typed by a person."""

    def __init__(
        self, parent: QWidget | None = None, formulas: FormulaRenderer | None = None, *, compact: bool = False
    ) -> None:
        super().__init__(parent, formulas)
        self._compact = compact
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._texts: list[tuple[str, ...]] = []
        self.setFont(scaled(self.font(), TEXT_SIZE))
        self.document().setIndentWidth(self._em() * INDENT_EM)

    def show_blocks(self, blocks: list[Block]) -> None:
        """Replace the content; what is the same as before at the beginning is left untouched."""
        same = 0
        for old, new in zip(self._blocks, blocks, strict=False):
            if old is not new and old != new:
                break
            same += 1
        if same == len(self._blocks) == len(blocks):
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._truncate(cursor, same)
        for block in blocks[same:]:
            self._append(cursor, block)
        cursor.endEditBlock()

    def ideal_width(self, limit: int) -> int:
        """The width at which nothing wraps, at most `limit`."""
        self._wrap_at(limit)
        self.document().size()  # lays it out
        widest = 0.0
        block = self.document().begin()
        while block.isValid():
            layout = block.layout()
            for number in range(layout.lineCount()):
                widest = max(widest, layout.lineAt(number).naturalTextWidth())
            block = block.next()
        return min(limit, int(widest + 1.999))

    def items_between(self, start: int, end: int) -> list[Shown]:
        found: list[Shown] = []
        if self._compact:
            return [Plain(units_between(self.toPlainText(), start, end))]
        ends = [*(at - 1 for at in self._starts[1:]), self.document().characterCount() - 1]
        for block, at, last, shown in zip(self._blocks, self._starts, ends, self._texts, strict=True):
            if max(start, at) < min(end, last) or start < at <= last < end:
                spans = cut_spans(block.spans, start - at, end - at, shown)
                # What a paragraph is (a heading, an item) belongs to its beginning.
                found.append(replace(block if start <= at else Block(()), spans=spans))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        self._paint_marks(event)
        super().paintEvent(event)

    # Writing ------------------------------------------------------------------------------------------------------

    def _truncate(self, cursor: QTextCursor, count: int) -> None:
        if count >= len(self._blocks):
            cursor.movePosition(QTextCursor.MoveOperation.End)
            return
        # The paragraph separator before the first block that goes belongs to what goes.
        cursor.setPosition(max(0, self._starts[count] - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self._blocks[count:]
        del self._starts[count:]
        del self._texts[count:]

    def _append(self, cursor: QTextCursor, block: Block) -> None:
        block_format = self._block_format(block)
        if self._blocks:
            cursor.insertBlock(block_format, QTextCharFormat())
        else:
            if (former := cursor.block().textList()) is not None:
                former.remove(cursor.block())
            cursor.setBlockFormat(block_format)
        if block.list_id:
            self._put_in_list(cursor, block)
        self._blocks.append(block)
        self._starts.append(cursor.position())
        self._texts.append(self._write(cursor, block.spans, heading=block.heading))

    def _block_format(self, block: Block) -> QTextBlockFormat:
        em = self._em()
        block_format = QTextBlockFormat()
        block_format.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self._blocks and not self._compact:
            space = 1.15 if block.heading else 0.28 if block.tight else 0.72
            block_format.setTopMargin(em * space)
        if block.heading:
            block_format.setHeadingLevel(block.heading)
        if block.quote:
            margin = em * QUOTE_EM * min(block.quote, MAX_DEPTH)
            block_format.setRightMargin(margin) if _is_right_to_left(block) else block_format.setLeftMargin(margin)
        if block.depth and not block.list_id:
            block_format.setIndent(min(block.depth, MAX_DEPTH))
        return block_format

    def _put_in_list(self, cursor: QTextCursor, block: Block) -> None:
        for before, start in zip(reversed(self._blocks), reversed(self._starts), strict=True):
            if before.list_id == block.list_id:
                existing = self.document().findBlock(start).textList()
                if existing is not None:
                    existing.add(cursor.block())
                return
        style = QTextListFormat.Style
        list_format = QTextListFormat()
        # Bullets are painted here, at a size and distance that suit the text.
        list_format.setStyle(style.ListDecimal if block.number is not None else style.ListStyleUndefined)
        list_format.setIndent(min(block.depth, MAX_DEPTH))
        if block.number is not None:
            list_format.setStart(block.number)
        cursor.createList(list_format)

    def _rewrite(self) -> None:
        blocks = list(self._blocks)
        if blocks:
            self.document().setIndentWidth(self._em() * INDENT_EM)
            self.show_blocks([])
            self.show_blocks(blocks)

    def _redraw_formulas(self) -> None:
        """Each in its place, so that what is selected or read stays so."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        shift = 0
        for number, block in enumerate(self._blocks):
            self._starts[number] += shift
            at, texts = self._starts[number], list(self._texts[number])
            for which, span in enumerate(block.spans):
                length = n_units(texts[which])
                if span.formula and texts[which] != OBJECT_CHARACTER:
                    text, style = self._styled(span, heading=block.heading)
                    if text == OBJECT_CHARACTER:
                        cursor.setPosition(at)
                        cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
                        cursor.insertText(text, style)
                        texts[which] = text
                        shift += 1 - length
                        length = 1
                at += length
            self._texts[number] = tuple(texts)
        cursor.endEditBlock()

    def _em(self) -> float:
        return em_of(self.font())

    # Painting -----------------------------------------------------------------------------------------------------

    def _paint_marks(self, event: QPaintEvent) -> None:
        """Bullets, boxes of tasks, bars beside quotes, and rules between paragraphs."""
        colors = colors_of(self.palette())
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layout = self.document().documentLayout()
        before, before_bottom = Block(()), 0.0
        for block, start in zip(self._blocks, self._starts, strict=True):
            is_marked = block.quote or block.is_rule or (block.list_id and block.number is None)
            if not (is_marked or before.quote):
                before = block
                continue
            text_block = self.document().findBlock(start)
            lines = _lines_rect(text_block)
            # A bar goes on through the space between two paragraphs of the same quote.
            n_shared = min(before.quote, block.quote)
            whole = lines.united(QRectF(lines.left(), before_bottom - 2, 1, 1)) if n_shared else lines
            if layout.blockBoundingRect(text_block).united(whole).intersects(QRectF(event.rect())):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colors.border))
                for level in range(min(block.quote, MAX_DEPTH)):
                    self._paint_bar(painter, level, whole if level < n_shared else lines, block)
                if block.is_rule:
                    painter.drawRect(QRectF(0, lines.center().y(), self.viewport().width(), 1))
                elif block.list_id and block.number is None:
                    self._paint_item_mark(painter, text_block, block, colors)
            before, before_bottom = block, lines.bottom()
        painter.end()

    def _paint_bar(self, painter: QPainter, level: int, rect: QRectF, block: Block) -> None:
        x = min(level, MAX_DEPTH) * self._em() * QUOTE_EM
        if _is_right_to_left(block):
            x = self.document().textWidth() - x - 3
        painter.drawRoundedRect(QRectF(x, rect.top(), 3, rect.height()), 1.5, 1.5)

    def _paint_item_mark(self, painter: QPainter, text_block: QTextBlock, block: Block, colors: Colors) -> None:
        em = self._em()
        line = text_block.layout().lineAt(0)
        # The layout's position is where the text begins, top margin and indentation included.
        at = text_block.layout().position() + line.position()
        x = at.x() - em * 0.78
        if text_block.textDirection() == Qt.LayoutDirection.RightToLeft:
            x = at.x() + line.width() + em * 0.78
        middle = QPointF(x, at.y() + line.ascent() - em * 0.3)
        painter.save()
        if block.task:
            self._paint_box(painter, QPointF(middle.x() - em * 0.1, middle.y()), block.task == "done", colors)
        elif block.depth % 2:
            painter.setBrush(QColor(colors.muted))
            painter.drawEllipse(middle, em * 0.17, em * 0.17)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colors.muted), 1.2))
            painter.drawEllipse(middle, em * 0.15, em * 0.15)
        painter.restore()

    def _paint_box(self, painter: QPainter, middle: QPointF, is_done: bool, colors: Colors) -> None:
        half = self._em() * 0.42
        box = QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half)
        painter.setPen(QPen(QColor(colors.accent if is_done else colors.muted), 1.2))
        painter.setBrush(QColor(colors.accent) if is_done else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, half * 0.45, half * 0.45)
        if is_done:
            painter.setPen(QPen(QColor(colors.on_accent), 1.6))
            points = ((-0.5, 0.05), (-0.12, 0.42), (0.52, -0.38))
            painter.drawPolyline([QPointF(middle.x() + x * half, middle.y() + y * half) for x, y in points])


def _is_right_to_left(block: Block) -> bool:
    """Whether the first letter that has a direction says so; Qt goes by the same rule."""
    classes = (unicodedata.bidirectional(c) for span in block.spans for c in span.text)
    return next((kind for kind in classes if kind in ("L", "R", "AL")), "L") != "L"


def _lines_rect(text_block: QTextBlock) -> QRectF:
    """Where the lines of a paragraph are, without the space above it."""
    layout = text_block.layout()
    at = layout.position()
    rect = QRectF(at.x(), at.y(), 1, 1)
    for number in range(layout.lineCount()):
        rect = rect.united(layout.lineAt(number).rect().translated(at))
    return rect
