"""A code block: its language, a button that copies it, and the code, which scrolls sideways.

Owns appending while the block grows and colouring once it has ended. Knows nothing of the message around it.
"""

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTextBlockFormat,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTextEdit, QVBoxLayout, QWidget

from app.chat.markdown import Code
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.theme import colors_of, fixed_font, scaled
from app.window.transcript.highlight import CodeHighlighter
from app.window.transcript.prose_view import TEXT_SIZE

HEADER_HEIGHT = 32
PADDING = 12
RADIUS = 9
LINE_HEIGHT_PERCENT = 130
LONG_LINE = 1000  # a longer line is folded on the screen: nobody scrolls that far sideways
COPIED_MS = 1500


class CodeText(QTextEdit):
    """Read-only code as high as it is long."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setAcceptRichText(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setStyleSheet("QTextEdit { background: transparent; }")
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().wheelEvent(event)
        else:
            event.ignore()

    def append_code(self, text: str) -> None:
        """Add to the end, as the paragraphs of one line each that give code its line height."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.setBlockFormat(_line_format())
        cursor.insertText(text)

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes, with the scroll bar where a line is wider."""
        self.resize(width, max(1, self.height()))
        size = self.document().size()
        is_wide = size.width() > width
        return int(size.height() + 0.999) + (self.horizontalScrollBar().sizeHint().height() if is_wide else 0)


def folded(code: str) -> str:
    """Code with lines that are too long broken at fixed places, so that growing code only grows."""
    if len(code) <= LONG_LINE:
        return code
    lines = code.split("\n")
    return "\n".join(
        line
        if len(line) <= LONG_LINE
        else "\n".join(line[at : at + LONG_LINE] for at in range(0, len(line), LONG_LINE))
        for line in lines
    )


def _line_format() -> QTextBlockFormat:
    line = QTextBlockFormat()
    line.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return line


class CodeView(QFrame):
    selected = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code = Code("", is_closed=False)
        self._shown = ""
        self._highlighter: CodeHighlighter | None = None
        self._language = MutedLabel(parent=self, factor=0.86, wraps=False)
        self._copy = IconButton("copy", self.tr("Copy code"), self, size=16)
        self._copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._copy.clicked.connect(self._copy_code)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(self._show_copy)
        self._text = CodeText(self)
        self._text.setFont(scaled(fixed_font(self.font()), TEXT_SIZE))
        self._text.setAccessibleName(self.tr("Code"))
        self._text.selectionChanged.connect(self.selected)

        header = QHBoxLayout()
        header.setContentsMargins(PADDING, 0, 5, 0)
        header.addWidget(self._language, 1)
        header.addWidget(self._copy)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        head = QWidget(self)
        head.setLayout(header)
        head.setFixedHeight(HEADER_HEIGHT)
        box.addWidget(head)
        body = QVBoxLayout()
        body.setContentsMargins(PADDING, 9, PADDING, 7)
        body.addWidget(self._text)
        box.addLayout(body)

    def show_code(self, code: Code) -> None:
        """Show a block; while it only grows, only what is new is added."""
        before, self._code = self._code, code
        if code == before:
            return
        self._language.setText(code.language or self.tr("code"))
        self._text.setAccessibleName(self.tr("Code, %1").replace("%1", code.language or self.tr("plain text")))
        shown = folded(code.text)
        if shown.startswith(self._shown):
            self._text.append_code(shown[len(self._shown) :])
        else:
            self._text.clear()
            self._text.append_code(shown)
        self._shown = shown
        if code.is_closed and self._highlighter is None:
            self._highlighter = CodeHighlighter(self._text.document(), self.palette())
            self._highlighter.run(shown, code.language)

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes."""
        self.resize(width, self.height())
        return HEADER_HEIGHT + 9 + self._text.fit(width - 2 * PADDING) + 7

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._highlighter is not None:
            self._highlighter.use_palette(self.palette())

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.fillPath(outline, QColor(colors.code))
        painter.save()
        painter.setClipPath(outline)
        painter.fillRect(0, 0, self.width(), HEADER_HEIGHT, QColor(colors.code_header))
        painter.restore()
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawPath(outline)
        painter.end()

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._code.text)
        self._copy.show_icon("check", color="good")
        self._copied.start()

    def _show_copy(self) -> None:
        self._copy.show_icon("copy", color="muted")
