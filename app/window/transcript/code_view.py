"""A code block: its language, buttons that wrap, save and copy it, and the code, which scrolls sideways.

Owns appending while the block grows and colouring once it has ended. Knows nothing of the message around it.
"""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QRectF, QStandardPaths, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QMessageBox, QTextEdit, QVBoxLayout, QWidget

from app.chat.markdown import Code, Shown
from app.window.dialogs import question
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.theme import colors_of, fixed_font, scaled
from app.window.transcript.code_file import suggested_name, write_code
from app.window.transcript.flat_text import TEXT_SIZE
from app.window.transcript.folding import folded, unfolded
from app.window.transcript.highlight import CodeHighlighter
from app.window.zoom import zoomed

HEADER_HEIGHT = 32
PADDING = 12
ABOVE, BELOW = 9, 7
RADIUS = 9
LINE_HEIGHT_PERCENT = 130
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
        self.setProperty("kind", "bare")
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().wheelEvent(event)
        else:
            event.ignore()

    def append_code(self, text: str) -> None:
        """Add to the end, as the paragraphs of one line each that give code its line height."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        is_first = self.document().isEmpty()
        cursor.setBlockFormat(_line_format())
        cursor.insertText(text)
        if is_first:  # text that is put in at the cursor takes it along, and Qt keeps it in sight
            self.moveCursor(QTextCursor.MoveOperation.Start)

    def set_wrapped(self, is_wrapped: bool) -> None:
        mode = QTextEdit.LineWrapMode
        self.setLineWrapMode(mode.FixedPixelWidth if is_wrapped else mode.NoWrap)

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes, with the scroll bar where a line is wider."""
        if self.lineWrapMode() == QTextEdit.LineWrapMode.FixedPixelWidth:
            self.setLineWrapColumnOrWidth(width)
            return int(self.document().size().height() + 0.999)
        self.resize(width, max(1, self.height()))
        size = self.document().size()
        is_wide = size.width() > width
        return int(size.height() + 0.999) + (self.horizontalScrollBar().sizeHint().height() if is_wide else 0)


def _line_format() -> QTextBlockFormat:
    line = QTextBlockFormat()
    line.setLineHeight(LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return line


class CodeView(QFrame):
    selected = Signal()
    reshaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._code = Code("", is_closed=False)
        self._shown = ""
        self._highlighter: CodeHighlighter | None = None
        self._language = MutedLabel(parent=self, factor=0.86, wraps=False)
        self._wrap = self._button("wrap", self.tr("Wrap long lines"))
        self._wrap.setCheckable(True)
        self._wrap.toggled.connect(self._set_wrapped)
        self._save = self._button("save", self.tr("Save code as a file"))
        self._save.clicked.connect(self._ask_where_to_save)
        self._copy = self._button("copy", self.tr("Copy code"))
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
        header.setSpacing(2)
        for button in (self._wrap, self._save, self._copy):
            header.addWidget(button)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        head = QWidget(self)
        head.setLayout(header)
        head.setFixedHeight(HEADER_HEIGHT)
        box.addWidget(head)
        body = QVBoxLayout()
        body.setContentsMargins(PADDING, ABOVE, PADDING, BELOW)
        body.addWidget(self._text)
        box.addLayout(body)

    @property
    def editor(self) -> QTextEdit:
        return self._text

    def items_between(self, start: int, end: int) -> list[Shown]:
        part = unfolded(self._code.text, start, end)
        return [replace(self._code, text=part)] if part else []

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
        text = self._text.fit(width - 2 * zoomed(PADDING))
        return zoomed(HEADER_HEIGHT) + zoomed(ABOVE) + text + zoomed(BELOW)

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
        painter.fillRect(0, 0, self.width(), zoomed(HEADER_HEIGHT), QColor(colors.code_header))
        painter.restore()
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawPath(outline)
        painter.end()

    def _button(self, icon: str, name: str) -> IconButton:
        button = IconButton(icon, name, self, size=16)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _set_wrapped(self, is_wrapped: bool) -> None:
        self._text.set_wrapped(is_wrapped)
        self._wrap.show_icon("wrap", color="accent" if is_wrapped else "muted")
        self.reshaped.emit()

    def _ask_where_to_save(self) -> None:
        """The dialog asks before an older file goes."""
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        dialog = QFileDialog(self.window(), self.tr("Save the code"), folder)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.selectFile(suggested_name(self._code.text, self._code.language))
        dialog.fileSelected.connect(lambda path: self._save_code(Path(path)))
        dialog.open()

    def _save_code(self, path: Path) -> None:
        try:
            write_code(path, self._code.text)
        except OSError as error:
            words = self.tr("“%1” could not be saved: %2.")
            box = question(self.window(), "alert", words.replace("%1", path.name).replace("%2", error.strerror or ""))
            box.setInformativeText(self.tr("Choose another folder, or copy the code. The code is still here."))
            box.addButton(QMessageBox.StandardButton.Ok)
            box.open()
            return
        self._save.show_icon("check", color="good")
        self._copied.start()

    def _copy_code(self) -> None:
        QGuiApplication.clipboard().setText(self._code.text)
        self._copy.show_icon("check", color="good")
        self._copied.start()

    def _show_copy(self) -> None:
        self._copy.show_icon("copy", color="muted")
        self._save.show_icon("save", color="muted")
