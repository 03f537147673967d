"""A formula within a text: one character of the document, as large as its drawing, standing on the line of the text.

Qt asks a handler how large such a character is and to paint it. Knows how large an em is, nothing of where formulas
come from.
"""

from PySide6.QtCore import QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QFontMetrics,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from app.window.transcript.formula_renderer import Drawing, FormulaRenderer

OBJECT_TYPE = QTextFormat.ObjectTypes.UserObject.value + 1
OBJECT_CHARACTER = "\ufffc"
SLACK_EM = 0.22  # of a formula within a line, what may reach into the space between lines above and below
LATEX, DISPLAY = (QTextFormat.Property.UserProperty.value + number for number in (1, 2))
SCALE = 1.14  # the letters of formulas are smaller than those of text of the same size


def formula_format(style: QTextCharFormat, latex: str, is_display: bool) -> QTextCharFormat:
    """The format of the character that a formula is."""
    changed = QTextCharFormat(style)
    changed.setObjectType(OBJECT_TYPE)
    changed.setProperty(LATEX, latex)
    changed.setProperty(DISPLAY, is_display)
    # With this alignment Qt puts a part of the height below the line; see _below.
    changed.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
    return changed


class FormulaObject(QPyTextObject):
    def __init__(self, formulas: FormulaRenderer, document: QTextDocument) -> None:
        super().__init__(document)
        self._formulas = formulas
        self._painters: dict[tuple[str, bool, str], QSvgRenderer] = {}
        document.documentLayout().registerHandler(OBJECT_TYPE, self)

    def intrinsicSize(self, doc: QTextDocument, pos: int, style: QTextFormat) -> QSizeF:
        drawing, em, quarter = self._measured(style)
        if drawing is None:
            return QSizeF(em, em)
        slack = 0 if style.property(DISPLAY) else SLACK_EM * em
        return QSizeF(drawing.width * em, _height(drawing, em, quarter) - 2 * slack)

    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, pos: int, style: QTextFormat
    ) -> None:
        drawing, em, _ = self._measured(style)
        if drawing is None:
            return
        block = doc.findBlock(pos)
        line = block.layout().lineForTextPosition(pos - block.position())
        if not line.isValid():
            return
        # Qt centres such a character in its line; the line that text stands on is found from there.
        base = QRectF(rect).center().y() - (line.ascent() + line.descent()) / 2 + line.ascent()
        target = QRectF(rect.left(), base - drawing.ascent * em, drawing.width * em, 0)
        target.setHeight((drawing.ascent + drawing.descent) * em)
        color = style.toCharFormat().foreground().color()
        key = (str(style.property(LATEX)), bool(style.property(DISPLAY)), color.name())
        svg = self._painters.get(key) or self._painters.setdefault(key, drawing.renderer(color))
        svg.render(painter, target)

    def _measured(self, style: QTextFormat) -> tuple[Drawing | None, float, float]:
        """The drawing, the pixels of an em, and a quarter of the height of an x."""
        font = style.toCharFormat().font()
        drawing = self._formulas.drawing(str(style.property(LATEX)), bool(style.property(DISPLAY)))
        return drawing, em_of(font) * SCALE, QFontMetrics(font).xHeight() / 4


def em_of(font: QFont) -> float:
    return float(QFontInfo(font).pixelSize())


def _height(drawing: Drawing, em: float, quarter: float) -> float:
    """A height of which Qt's middle alignment puts enough above and below the line.

    It puts half of the height and a quarter of the height of an x above, and the rest below.
    """
    return 2 * max(drawing.ascent * em - quarter, drawing.descent * em + quarter)
