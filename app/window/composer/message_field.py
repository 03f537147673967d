"""The field a message is typed into: it grows with its text, and owns what the keys mean.

An input method is never interrupted: while it composes, and for a moment after it has committed, Return is its own.
Text that is long, and files, are not put into the field but told of.
"""

import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QInputMethodEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from app.attachments import is_long
from app.settings import ENTER

MAX_LINES = 8
IME_PAUSE_S = 0.05  # a Return this soon after an input method committed belongs to the input method

KeyTaker = Callable[[QKeyEvent], bool]


class MessageField(QPlainTextEdit):
    """Text that is sent by a key; which one is the user's choice."""

    submitted = Signal()
    page_scrolled = Signal(float)
    height_changed = Signal()
    focus_changed = Signal()
    files_given = Signal(list)
    """Paths of files that were dropped or pasted."""

    long_pasted = Signal(str)
    picture_pasted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preedit = ""
        self._committed_at = float("-inf")
        self._send_with = ENTER
        self._take_key: KeyTaker | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setProperty("kind", "bare")
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(lambda: self._fit())
        self._fit()

    @property
    def is_composing(self) -> bool:
        """Whether an input method is at work, or was a moment ago."""
        return bool(self._preedit) or time.monotonic() - self._committed_at < IME_PAUSE_S

    def send_with(self, choice: str) -> None:
        """Which key sends: one of app.settings.SEND_KEYS."""
        self._send_with = choice

    def ask_first(self, take_key: KeyTaker | None) -> None:
        """Whoever is to see keys before the field does; it returns whether a key was its own."""
        self._take_key = take_key

    def event(self, event: QEvent) -> bool:
        """Tab is looked at here, since it would go on to the next widget before it is a key of the field."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            is_tab = event.key() == Qt.Key.Key_Tab and not self.is_composing
            if is_tab and self._take_key is not None and self._take_key(event):
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        is_return = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and self.is_composing:
            return
        if self._take_key is not None and self._take_key(event):
            return
        if is_return:
            if self._sends(modifiers):
                self.submitted.emit()
                return
            if modifiers == Qt.KeyboardModifier.NoModifier:
                self.insertPlainText("\n")
                self.ensureCursorVisible()
                return
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown) and modifiers == Qt.KeyboardModifier.NoModifier:
            self.page_scrolled.emit(-1.0 if key == Qt.Key.Key_PageUp else 1.0)
            return
        super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._preedit = event.preeditString()
        if event.commitString():
            self._committed_at = time.monotonic()
        super().inputMethodEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._preedit = ""
        self.focus_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Text that was put in before has the height of another width and font."""
        super().showEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        if any(url.isLocalFile() for url in source.urls()):
            return bool(local_files(source))
        return source.hasImage() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = local_files(source)
        if files:
            self.files_given.emit(files)
        elif source.hasText() and is_long(source.text()):
            self.long_pasted.emit(source.text())
        elif source.hasImage() and not source.hasText():
            self.picture_pasted.emit()
        else:
            super().insertFromMimeData(source)

    def _sends(self, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            return True
        return modifiers == Qt.KeyboardModifier.NoModifier and self._send_with == ENTER

    def _fit(self) -> None:
        line = QFontMetricsF(self.font()).lineSpacing()
        lines = max(1.0, self.document().documentLayout().documentSize().height())
        over = lines > MAX_LINES
        text = max(min(lines, MAX_LINES) * line, self._text_height())
        height = int(text + 2 * self.document().documentMargin() + 2.999)
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if over else policy.ScrollBarAlwaysOff)
        if height != self.height():
            self.setFixedHeight(height)
            self.height_changed.emit()
        if not over:
            self.verticalScrollBar().setValue(0)

    def _text_height(self) -> float:
        """Of the lines that are shown at once; they may be higher than the font's, where others stand in for it."""
        layout, block, height, n_lines = self.document().documentLayout(), self.document().begin(), 0.0, 0
        while block.isValid() and n_lines < MAX_LINES:
            in_block = layout.blockBoundingRect(block).height()
            if not block.next().isValid():
                in_block -= self.document().documentMargin()  # which the last block has below it
            n_here = max(1, block.lineCount())
            n_shown = min(n_here, MAX_LINES - n_lines)
            height += in_block * n_shown / n_here
            n_lines += n_shown
            block = block.next()
        return height


def local_files(source: QMimeData) -> list[Path]:
    """The files of this computer that something dropped or copied names, but for models, which the window imports."""
    paths = (Path(url.toLocalFile()) for url in source.urls() if url.isLocalFile())
    return [path for path in paths if path.suffix.lower() != ".gguf"]
