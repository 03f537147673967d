"""Text of a message: paragraphs, headings, lists and quotes in one document.

Owns the look of prose and the rewriting of only what changed. Nothing is ever fetched, and HTML never reaches the
document: it is built from the plain values of app/chat/markdown.py. Knows neither code blocks nor tables.
"""

import re
from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextListFormat,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from app.chat.markdown import Block, Span
from app.window.theme import Colors, colors_of, fixed_font, scaled

LINE_SEPARATOR = "\u2028"  # a line break within a paragraph
TEXT_SIZE = 1.07  # of the application's font: what is read at length is a little larger than what is clicked
HEADING_SIZES = (1.0, 1.45, 1.25, 1.12, 1.0, 1.0, 1.0)
LINE_HEIGHT_PERCENT = 138
MAX_DEPTH = 8  # deeper lists and quotes are drawn at this indentation
INDENT_EM = 1.75
QUOTE_EM = 1.1

UNFITTED_WIDTH = 600
WORD_CHARACTERS = 500
_LONG_WORD = re.compile(r"[!-~]{1000,}")


class FlatText(QTextBrowser):
    """A text as high as its content, that scrolls with what it lies on and loads nothing."""

    link_activated = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # Wrapped to the width of the view, as is the default, it would change with every size the view passes through.
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(UNFITTED_WIDTH)
        self.viewport().setAutoFillBackground(False)
        self.setStyleSheet("QTextBrowser { background: transparent; }")
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(lambda url: self.link_activated.emit(url.toString()))

    def loadResource(self, kind: int, name: QUrl | str) -> QByteArray:
        """Nothing a text names is ever read or fetched. Empty rather than None, after which Qt would try by itself."""
        return QByteArray(b"")

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes."""
        self._wrap_at(width)
        return int(self.document().size().height() + 0.999)

    def _wrap_at(self, width: int) -> None:
        if self.lineWrapColumnOrWidth() != width or self.document().textWidth() != width:
            self.setLineWrapColumnOrWidth(width)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())


class ProseView(FlatText):
    """Blocks as a document. `compact` leaves no space between paragraphs, as for text typed by a person."""

    def __init__(self, parent: QWidget | None = None, *, compact: bool = False) -> None:
        super().__init__(parent)
        self._compact = compact
        self._blocks: list[Block] = []
        self._starts: list[int] = []
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

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self._blocks:
            blocks = list(self._blocks)
            self.document().setIndentWidth(self._em() * INDENT_EM)
            self.show_blocks([])
            self.show_blocks(blocks)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.viewport().setToolTip(self.anchorAt(event.position().toPoint()))

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
        write_spans(cursor, block.spans, self.font(), self, heading=block.heading)

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
            block_format.setLeftMargin(em * QUOTE_EM * min(block.quote, MAX_DEPTH))
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

    def _em(self) -> float:
        return float(QFontInfo(self.font()).pixelSize())

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
                    self._paint_bar(painter, level, whole if level < n_shared else lines)
                if block.is_rule:
                    painter.drawRect(QRectF(0, lines.center().y(), self.viewport().width(), 1))
                elif block.list_id and block.number is None:
                    self._paint_item_mark(painter, text_block, block, colors)
            before, before_bottom = block, lines.bottom()
        painter.end()

    def _paint_bar(self, painter: QPainter, level: int, rect: QRectF) -> None:
        x = min(level, MAX_DEPTH) * self._em() * QUOTE_EM
        painter.drawRoundedRect(QRectF(x, rect.top(), 3, rect.height()), 1.5, 1.5)

    def _paint_item_mark(self, painter: QPainter, text_block: QTextBlock, block: Block, colors: Colors) -> None:
        em = self._em()
        line = text_block.layout().lineAt(0)
        # The layout's position is where the text begins, top margin and indentation included.
        at = text_block.layout().position() + line.position()
        middle = QPointF(at.x() - em * 0.78, at.y() + line.ascent() - em * 0.3)
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


def _lines_rect(text_block: QTextBlock) -> QRectF:
    """Where the lines of a paragraph are, without the space above it."""
    layout = text_block.layout()
    at = layout.position()
    rect = QRectF(at.x(), at.y(), 1, 1)
    for number in range(layout.lineCount()):
        rect = rect.united(layout.lineAt(number).rect().translated(at))
    return rect


def write_spans(
    cursor: QTextCursor, spans: Iterable[Span], font: QFont, widget: QWidget, *, heading: int = 0, bold: bool = False
) -> None:
    """Insert styled text at a cursor; `widget` gives palette and translations."""
    colors = colors_of(widget.palette())
    for span in spans:
        style = QTextCharFormat()
        if heading:
            style.setFontPointSize(font.pointSizeF() * HEADING_SIZES[heading])
        if span.code:
            fixed = fixed_font(font)
            # A generic name like "monospace" is not looked up in a text format: name the family itself.
            style.setFontFamilies([QFontInfo(fixed).family(), *font.families()])
            style.setFontPointSize(fixed.pointSizeF() * (HEADING_SIZES[heading] if heading else 1))
            style.setBackground(QColor(colors.code_header))
        if span.bold or heading or bold:
            style.setFontWeight(QFont.Weight.DemiBold)
        style.setFontItalic(span.italic)
        style.setFontStrikeOut(span.strike)
        style.setForeground(QColor(colors.text))
        text = span.text
        if span.image:
            text = QCoreApplication.translate("ProseView", "[picture, not loaded: %1]").replace("%1", span.text)
            style.setForeground(QColor(colors.muted))
        if span.href:
            style.setAnchor(True)
            style.setAnchorHref(span.href)
            style.setForeground(QColor(colors.link))
            style.setFontUnderline(True)
        cursor.insertText(_breakable(text).replace("\n", LINE_SEPARATOR), style)


def _breakable(text: str) -> str:
    """Qt takes seconds to wrap a word of many thousand characters, so such a word gets places to break at."""
    return _LONG_WORD.sub(lambda match: "\u200b".join(_parts(match[0], WORD_CHARACTERS)), text)


def _parts(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]
