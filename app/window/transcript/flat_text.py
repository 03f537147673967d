"""A text in the transcript that is as high as its content, and the way styled text is written into a document.

Owns what every such text has in common: it loads nothing, scrolls with what it lies on, shows formulas as soon as they
are drawn, and can say which part of it is selected. HTML never reaches a document: all is built from the plain values
of app/chat/markdown.py.
"""

import re
from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QMouseEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from app.chat.markdown import Shown, Span
from app.window.theme import Colors, colors_of, fixed_font
from app.window.transcript.formula_object import OBJECT_CHARACTER, SCALE, FormulaObject, em_of, formula_format
from app.window.transcript.formula_renderer import FormulaRenderer, Key

LINE_SEPARATOR = "\u2028"  # a line break within a paragraph
TEXT_SIZE = 1.07  # of the application's font: what is read at length is a little larger than what is clicked
HEADING_SIZES = (1.0, 1.45, 1.25, 1.12, 1.0, 1.0, 1.0)
UNFITTED_WIDTH = 600
WORD_CHARACTERS = 500
_LONG_WORD = re.compile(r"[!-~]{1000,}")


class FlatText(QTextBrowser):
    """A text as high as its content, that scrolls with what it lies on and loads nothing.

    Without `formulas`, and until a formula is drawn, its source is shown.
    """

    link_activated = Signal(str)
    reshaped = Signal()
    """It has another height than before at the same width."""

    def __init__(self, parent: QWidget | None = None, formulas: FormulaRenderer | None = None) -> None:
        super().__init__(parent)
        self._formulas = formulas
        self._undrawn: set[Key] = set()
        self._look = self._look_now()
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
        self.setProperty("kind", "bare")
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(lambda url: self.link_activated.emit(url.toString()))
        if formulas is not None:
            self._object = FormulaObject(formulas, self.document())
            formulas.changed.connect(self._on_formulas_drawn)

    @property
    def editor(self) -> QTextEdit:
        return self

    def items_between(self, start: int, end: int) -> list[Shown]:
        """What lies between two positions of the document."""
        raise NotImplementedError

    def loadResource(self, kind: int, name: QUrl | str) -> QByteArray:
        """Nothing a text names is ever read or fetched. Empty rather than None, after which Qt would try by itself."""
        return QByteArray(b"")

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.viewport().setToolTip(self.anchorAt(event.position().toPoint()))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            look = self._look_now()
            if look != self._look:  # a change of the theme tells a widget of itself several times
                self._look = look
                self._rewrite()

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes."""
        self._wrap_at(width)
        return int(self.document().size().height() + 0.999)

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def _wrap_at(self, width: int) -> None:
        if self.lineWrapColumnOrWidth() != width or self.document().textWidth() != width:
            self.setLineWrapColumnOrWidth(width)

    def _look_now(self) -> tuple[Colors, str]:
        """What a text is written in."""
        return colors_of(self.palette()), self.font().toString()

    def _rewrite(self) -> None:
        """Write the content once more, in the colours and the font there are now."""

    def _redraw_formulas(self) -> None:
        """Put drawings in the place of sources."""
        self._rewrite()

    def _on_formulas_drawn(self) -> None:
        formulas = self._formulas
        if formulas is None or not self._undrawn:
            return
        known = {key for key in self._undrawn if formulas.is_known(*key)}
        self._undrawn -= known
        if any(formulas.drawing(*key) is not None for key in known):
            self._redraw_formulas()
            self.reshaped.emit()

    # Writing ------------------------------------------------------------------------------------------------------

    def _write(
        self, cursor: QTextCursor, spans: Iterable[Span], *, heading: int = 0, bold: bool = False
    ) -> tuple[str, ...]:
        """Insert styled text at a cursor; what is shown for each span."""
        shown: list[str] = []
        for span in spans:
            text, style = self._styled(span, heading=heading, bold=bold)
            shown.append(text)
            cursor.insertText(text.replace("\n", LINE_SEPARATOR), style)
        return tuple(shown)

    def _styled(self, span: Span, *, heading: int = 0, bold: bool = False) -> tuple[str, QTextCharFormat]:
        """What is shown for a span, and how."""
        font = self.font()
        colors = colors_of(self.palette())
        style = QTextCharFormat()
        if heading:
            style.setFontPointSize(font.pointSizeF() * HEADING_SIZES[heading])
        if span.bold or heading or bold:
            style.setFontWeight(QFont.Weight.DemiBold)
        style.setFontItalic(span.italic)
        style.setFontStrikeOut(span.strike)
        style.setForeground(QColor(colors.text))
        if span.formula and self._is_drawn((span.formula, span.is_display)):
            return OBJECT_CHARACTER, formula_format(style, span.formula, span.is_display)
        text = span.text
        if span.code or span.formula:
            fixed = fixed_font(font)
            # A generic name like "monospace" is not looked up in a text format: name the family itself.
            style.setFontFamilies([QFontInfo(fixed).family(), *font.families()])
            style.setFontPointSize(fixed.pointSizeF() * (HEADING_SIZES[heading] if heading else 1))
            style.setBackground(QColor(colors.code_header))
        if span.image:
            text = QCoreApplication.translate("ProseView", "[picture, not loaded: %1]").replace("%1", span.text)
            style.setForeground(QColor(colors.muted))
        if span.href:
            style.setAnchor(True)
            style.setAnchorHref(span.href)
            style.setForeground(QColor(colors.link))
            style.setFontUnderline(True)
        return _breakable(text), style

    def _drawn_width(self, span: Span) -> float | None:
        """Of a formula that is drawn, the width; None for all else."""
        if self._formulas is None or not span.formula:
            return None
        drawing = self._formulas.drawing(span.formula, span.is_display)
        return drawing.width * em_of(self.font()) * SCALE if drawing is not None else None

    def _is_drawn(self, key: Key) -> bool:
        if self._formulas is None:
            return False
        if self._formulas.drawing(*key) is not None:
            return True
        if not self._formulas.is_known(*key):
            self._undrawn.add(key)
        return False


def _breakable(text: str) -> str:
    """Qt takes seconds to wrap a word of many thousand characters, so such a word gets places to break at."""
    return _LONG_WORD.sub(lambda match: "\u200b".join(_parts(match[0], WORD_CHARACTERS)), text)


def _parts(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]
