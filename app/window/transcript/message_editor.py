"""A message of the user's being changed where it stands: a field with its text, and what to do with it.

Enter sends as in the composer, Escape gives up. What sending means is decided by whoever listens.
"""

import math
import time

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QInputMethodEvent, QKeyEvent, QPainter, QPaintEvent, QPen, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.window.escape import ClosedByEscape
from app.window.labels import MutedLabel
from app.window.theme import colors_of, scaled
from app.window.transcript.flat_text import TEXT_SIZE
from app.window.zoom import zoomed

PADDING = 12
MIN_LINES, MAX_LINES = 2, 14
IME_PAUSE_S = 0.05  # a Return this soon after an input method committed belongs to the input method


class EditField(QPlainTextEdit):
    submitted = Signal()

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._preedit = ""
        self._committed_at = float("-inf")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.viewport().setAutoFillBackground(False)
        self.setProperty("kind", "bare")

    @property
    def is_composing(self) -> bool:
        """Whether an input method is at work."""
        return bool(self._preedit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if not self._preedit and time.monotonic() - self._committed_at > IME_PAUSE_S:
                self.submitted.emit()
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._preedit = event.preeditString()
        if event.commitString():
            self._committed_at = time.monotonic()
        super().inputMethodEvent(event)


class MessageEditor(QWidget):
    submitted = Signal(str)
    cancelled = Signal()
    reshaped = Signal()

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = EditField(text, self)
        self._field.setFont(scaled(self.font(), TEXT_SIZE))
        self._field.setAccessibleName(self.tr("Edit your message"))
        self._field.moveCursor(QTextCursor.MoveOperation.End)
        self._field.submitted.connect(self._submit)
        ClosedByEscape(self, self.isVisible, self._leave)
        note = MutedLabel(self.tr("What followed stays as another version."), self, factor=0.86)
        self._send = QPushButton(self.tr("Send"), self)
        self._send.setProperty("kind", "primary")
        self._send.clicked.connect(self._submit)
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.clicked.connect(self.cancelled)
        for button in (self._send, cancel):
            button.setAccessibleName(button.text())
        row = QHBoxLayout()
        row.addWidget(note, 1)
        row.addWidget(cancel)
        row.addWidget(self._send)
        box = QVBoxLayout(self)
        box.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        box.addWidget(self._field, 1)
        box.addLayout(row)
        self._field.textChanged.connect(self._on_changed)
        self._on_changed()

    def take_focus(self) -> None:
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def fit(self, width: int) -> int:
        """The height it takes at a width."""
        self.resize(width, self.height())
        n_lines = min(MAX_LINES, max(MIN_LINES, int(self._field.document().size().height())))
        margin = self._field.document().documentMargin()
        text = math.ceil(n_lines * QFontMetricsF(self._field.font()).lineSpacing() + 2 * margin) + 2
        layout = self.layout()
        gap = layout.spacing() if layout is not None else 0
        return text + gap + self._send.sizeHint().height() + 2 * zoomed(PADDING)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.accent), 1))
        painter.setBrush(QColor(colors.input))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 14, 14)
        painter.end()

    def _on_changed(self) -> None:
        self._send.setEnabled(bool(self._field.toPlainText().strip()))
        self.reshaped.emit()

    def _leave(self) -> None:
        if not self._field.is_composing:
            self.cancelled.emit()

    def _submit(self) -> None:
        text = self._field.toPlainText()
        if text.strip():
            self.submitted.emit(text)
