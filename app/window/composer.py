"""Where a message is typed: a field that grows, a button that sends or stops, and the reason where neither is possible.

Owns the keys: Enter sends, Shift+Enter breaks the line, and an input method is never interrupted. Decides nothing about
what sending means.
"""

import time

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.window.icons import IconButton, icon_pixmap
from app.window.labels import MutedLabel
from app.window.theme import colors_of, scaled
from app.window.transcript.transcript_view import COLUMN_WIDTH

MAX_LINES = 8
IME_PAUSE_S = 0.05  # a Return this soon after an input method committed belongs to the input method
BUTTON_SIZE = 34


class MessageField(QPlainTextEdit):
    """Text that sends itself on Enter."""

    submitted = Signal()
    page_scrolled = Signal(float)
    height_changed = Signal()
    focus_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preedit = ""
        self._committed_at = float("-inf")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setStyleSheet("QPlainTextEdit { background: transparent; }")
        self.document().setDocumentMargin(2)
        self.document().documentLayout().documentSizeChanged.connect(lambda: self._fit())
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._is_composing():
                return
            if modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
                self.submitted.emit()
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

    def _is_composing(self) -> bool:
        return bool(self._preedit) or time.monotonic() - self._committed_at < IME_PAUSE_S

    def _fit(self) -> None:
        line = QFontMetricsF(self.font()).lineSpacing()
        lines = max(1.0, self.document().documentLayout().documentSize().height())
        height = int(min(lines, MAX_LINES) * line + 2 * self.document().documentMargin() + 2.999)
        over = lines > MAX_LINES
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if over else policy.ScrollBarAlwaysOff)
        if height != self.height():
            self.setFixedHeight(height)
            self.height_changed.emit()


class RoundButton(IconButton):
    """The filled button at the end of the field."""

    def __init__(self, icon: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(icon, name, parent, color="on_accent", size=20)
        self.setFixedSize(BUTTON_SIZE, BUTTON_SIZE)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        fill = colors.accent_hover if self.underMouse() and self.isEnabled() else colors.accent
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colors.text), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(fill if self.isEnabled() else colors.hover))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 10, 10)
        color = colors.on_accent if self.isEnabled() else colors.muted
        pixmap = icon_pixmap(self._icon, color, 20, self.devicePixelRatioF())
        painter.drawPixmap((self.width() - 20) // 2, (self.height() - 20) // 2, pixmap)
        painter.end()


class Composer(QWidget):
    sent = Signal(str)
    """The text; the field is emptied by whoever accepted it."""

    stop_clicked = Signal()
    text_changed = Signal(str)
    page_scrolled = Signal(float)
    hint_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_stoppable = False
        self._can_send = True
        self._field = MessageField(self)
        self._field.setAccessibleName(self.tr("Message"))
        self._field.setPlaceholderText(self.tr("Write a message…"))
        self._field.setFont(scaled(self.font(), 1.04))
        self._field.submitted.connect(self._submit)
        self._field.page_scrolled.connect(self.page_scrolled)
        self._field.textChanged.connect(self._on_text_changed)
        self._field.height_changed.connect(self.updateGeometry)
        self._field.focus_changed.connect(self.update)
        self._button = RoundButton("send", self.tr("Send"), self)
        self._button.clicked.connect(self._press)
        self._hint = MutedLabel(parent=self, factor=0.88)
        self._hint_button = QPushButton(self)
        self._hint_button.setProperty("kind", "inline")
        self._hint_button.clicked.connect(self.hint_clicked)
        self._hint_button.hide()

        self._box = QWidget(self)
        row = QHBoxLayout(self._box)
        row.setContentsMargins(14, 9, 9, 9)
        row.setSpacing(8)
        row.addWidget(self._field, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        below = QHBoxLayout()
        below.setContentsMargins(14, 0, 4, 0)
        below.addWidget(self._hint, 1)
        below.addWidget(self._hint_button)
        inner = QVBoxLayout()
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(4)
        inner.addWidget(self._box)
        hint_row = QWidget(self)
        hint_row.setLayout(below)
        hint_row.setMinimumHeight(24)
        inner.addWidget(hint_row)
        column = QWidget(self)
        column.setLayout(inner)
        column.setMaximumWidth(COLUMN_WIDTH + 20)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(14, 6, 14, 6)
        outer.addWidget(column, 1)
        self._update_button()

    def sizeHint(self) -> QSize:
        return QSize(400, super().sizeHint().height())

    @property
    def text(self) -> str:
        return self._field.toPlainText()

    def set_text(self, text: str) -> None:
        self._field.setPlainText(text)
        cursor = self._field.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self._field.setTextCursor(cursor)

    def take_focus(self) -> None:
        self._field.setFocus()

    def take_key(self, event: QKeyEvent) -> None:
        """Go on with a key that was pressed elsewhere."""
        self.take_focus()
        self._field.keyPressEvent(event)  # sent as an event, it would come back where the field has no use for it

    def show_state(self, *, hint: str, hint_action: str, can_send: bool, is_stoppable: bool) -> None:
        """What can be done now, and in `hint` why something cannot; `hint_action` names the way out."""
        self._hint.setText(hint)
        self._hint_button.setText(hint_action)
        self._hint_button.setAccessibleName(hint_action)
        self._hint_button.setVisible(bool(hint_action))
        self._can_send = can_send
        self._is_stoppable = is_stoppable
        self._update_button()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_focus = self._field.hasFocus()
        painter.setPen(QPen(QColor(colors.accent if has_focus else colors.border), 1.4 if has_focus else 1))
        painter.setBrush(QColor(colors.input))
        area = QRectF(self._box.rect()).translated(self._box.mapTo(self, self._box.rect().topLeft()))
        painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 16, 16)
        painter.end()

    def _on_text_changed(self) -> None:
        self.text_changed.emit(self.text)
        self._update_button()

    def _submit(self) -> None:
        if self._can_send and not self._is_stoppable and self.text.strip():
            self.sent.emit(self.text)

    def _press(self) -> None:
        if self._is_stoppable:
            self.stop_clicked.emit()
        else:
            self._submit()

    def _update_button(self) -> None:
        if self._is_stoppable:
            self._button.show_icon("stop")
            self._button.name_it(self.tr("Stop"), self.tr("Esc"))
            self._button.setEnabled(True)
        else:
            self._button.show_icon("send")
            self._button.name_it(self.tr("Send"), self.tr("Enter"))
            self._button.setEnabled(self._can_send and bool(self.text.strip()))
