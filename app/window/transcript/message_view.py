"""One message, and what a person wrote, in a bubble. Answers are in answer_view.py.

Owns the look of a message and being changed where it stands. What its buttons mean is decided by whoever listens. Knows
no engine and no store.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QEnterEvent, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from app.chat.attached_files import split_files, with_files
from app.chat.markdown import Block, Span
from app.chat.records import StoredMessage
from app.window.theme import colors_of
from app.window.transcript.answer_footer import (
    DELETE,
    EDIT,
    FORK,
    Place,
    VersionSwitch,
    icon_action,
)
from app.window.transcript.file_cards import FileCards
from app.window.transcript.message_editor import MessageEditor
from app.window.transcript.prose_view import ProseView
from app.window.transcript.selection import TextPart
from app.window.transcript.shared import Shared

BUBBLE_PADDING_X = 15
BUBBLE_PADDING_TOP = 10
BUBBLE_PADDING_BOTTOM = 6  # the last line has room below it already
CARDS_GAP = 6
BUBBLE_SHARE = 0.85  # of the column, at most
COPIED_MS = 1500


class MessageView(QWidget):
    """What both kinds of message have: text, a copy button, a row of actions that shows on hover."""

    height_changed = Signal()
    link_activated = Signal(str)
    selected = Signal()
    looked_into = Signal()
    """A person opened or closed a part of it."""

    version_chosen = Signal(str)
    fork_clicked = Signal(str)
    delete_version_clicked = Signal(str)
    acted = Signal()
    """A button was pressed, and what it means has been done."""

    def __init__(self, message: StoredMessage, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._shared = shared
        self._placed = Place(versions=(message.id,))
        self._fitted = (0, 0)
        self._copy = icon_action(self, "copy", self.tr("Copy message"))
        self._copy.clicked.connect(self._copy_message)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(COPIED_MS)
        self._copied.timeout.connect(lambda: self._copy.show_icon("copy", color="muted"))

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes. Done once for each width and each change."""
        if self._fitted[0] != width:
            self._fitted = (width, self._lay_out(width))
        return self._fitted[1]

    def forget_fit(self) -> None:
        """Lay out anew, whatever the width: the font is another."""
        self._fitted = (0, 0)

    def parts(self) -> Sequence[TextPart]:
        """Its texts that are on the screen, in order."""
        raise NotImplementedError

    def clean_text(self) -> str:
        """All of it as Markdown, without what was only thought."""
        return self.message.content

    def plain_text(self) -> str:
        return self.message.content

    def _lay_out(self, width: int) -> int:
        raise NotImplementedError

    def _changed(self) -> None:
        self._fitted = (0, 0)
        self.height_changed.emit()

    def _copy_message(self) -> None:
        QGuiApplication.clipboard().setText(self.clean_text())
        self._copy.show_icon("check", color="good")
        self._copied.start()
        self.acted.emit()

    def _menu(self) -> QMenu:
        """What can be done with the message beside what has a button of its own."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        plain = self.tr("Copy as plain text")
        menu.addAction(plain, lambda: QGuiApplication.clipboard().setText(self.plain_text()))
        if FORK in self._placed.offers:
            menu.addAction(self.tr("Go on from here in a new chat"), lambda: self.fork_clicked.emit(self.message.id))
        if DELETE in self._placed.offers:
            words = self.tr("Delete this version") if len(self._placed.versions) > 1 else self.tr("Delete this message")
            action = menu.addAction(words, lambda: self.delete_version_clicked.emit(self.message.id))
            action.setEnabled(self._placed.is_idle)
        return menu

    def _choose_version(self, message_id: str) -> None:
        self.version_chosen.emit(message_id)
        self.acted.emit()


class UserMessageView(MessageView):
    answer_clicked = Signal(str)
    edit_submitted = Signal(str, str)
    file_opened = Signal(object)
    """An AttachedFile."""

    def __init__(self, message: StoredMessage, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(message, parent, shared)
        self._bubble = QRectF()
        self._written, self._files = split_files(message.content)
        self._cards = FileCards(self._files, self)
        self._cards.opened.connect(self.file_opened)
        self._text = ProseView(self, compact=True)
        self._text.setAccessibleName(self.tr("Your message"))
        self._text.show_blocks([Block((Span(line),) if line else ()) for line in self._written.split("\n")])
        self._text.setVisible(bool(self._written))
        self._text.selectionChanged.connect(self.selected)
        if shared is not None:
            shared.selection.adopt(self._text)
        self._edit = icon_action(self, "pencil", self.tr("Edit message"))
        self._edit.clicked.connect(self.begin_edit)
        self._more = icon_action(self, "more", self.tr("More"))
        self._more.clicked.connect(lambda: self._menu().popup(self._more.mapToGlobal(self._more.rect().bottomLeft())))
        self._buttons = (self._copy, self._edit, self._more)
        self._versions = VersionSwitch(self)
        self._versions.chosen.connect(self._choose_version)
        self._editor: MessageEditor | None = None
        self._answer = QPushButton(self.tr("Answer this message"), self)
        self._answer.setAccessibleName(self.tr("Answer this message"))
        self._answer.clicked.connect(lambda: self.answer_clicked.emit(self.message.id))
        self._answer.clicked.connect(self.acted)
        self._answer.hide()
        self._show_reading(True)
        self._set_faint(True)

    def place(self, place: Place) -> None:
        """Tell it of the conversation around it: one that has no answer and awaits none offers to be answered."""
        if place == self._placed:
            return
        self._placed = place
        self._answer.setVisible(place.is_last and place.is_idle and self._editor is None)
        self._edit.setVisible(EDIT in place.offers)
        self._edit.setEnabled(place.is_idle)
        self._versions.show_versions(place.versions, self.message.id, is_shown=True)
        self._changed()

    def begin_edit(self) -> None:
        """Let the message be changed where it stands."""
        if self._editor is not None:
            return
        self._editor = MessageEditor(self._written, self)
        self._editor.cancelled.connect(self._end_edit)
        self._editor.submitted.connect(self._submit)
        self._editor.reshaped.connect(self._changed)
        self._show_reading(False)
        self._editor.show()
        self._changed()
        self._editor.take_focus()

    def parts(self) -> Sequence[TextPart]:
        return (self._text,) if self._written and self._editor is None else ()

    def _lay_out(self, width: int) -> int:
        if self._editor is not None:
            self._bubble = QRectF()
            height = self._editor.fit(width)
            self._editor.setGeometry(0, 0, width, height)
            return height + 14
        top = 0
        if self._files:
            top = self._cards.fit(width)
            self._cards.setGeometry(0, 0, width, top)
            top += CARDS_GAP
        self.update()
        if not self._written:
            self._bubble = QRectF()
            return self._lay_out_below(width, width, top - CARDS_GAP)
        text_width = self._text.ideal_width(int(width * BUBBLE_SHARE) - 2 * BUBBLE_PADDING_X)
        height = self._text.fit(text_width)
        left = width - text_width - 2 * BUBBLE_PADDING_X
        bubble_height = BUBBLE_PADDING_TOP + height + BUBBLE_PADDING_BOTTOM
        self._bubble = QRectF(left, top, text_width + 2 * BUBBLE_PADDING_X, bubble_height)
        self._text.setGeometry(left + BUBBLE_PADDING_X, top + BUBBLE_PADDING_TOP, text_width, height)
        return self._lay_out_below(width, left, top + bubble_height)

    def _lay_out_below(self, width: int, left: int, bubble_height: int) -> int:
        """The buttons beside the bubble where there is room, else below it; then versions and the offer to answer."""
        buttons = [button for button in self._buttons if not button.isHidden()]
        n_beside = 28 * len(buttons)
        is_beside = n_beside + 6 <= left
        row_width = self._versions.width + (0 if is_beside else n_beside)
        x = left - n_beside - 4 if is_beside else width - n_beside
        for button in buttons:
            button.move(x, bubble_height - 32 if is_beside else bubble_height + 2)
            x += 28
        if self._versions.width:
            self._versions.move(width - row_width + 6, bubble_height + 2)
        bottom = bubble_height + (32 if row_width else 14)
        if not self._answer.isHidden():
            self._answer.adjustSize()
            self._answer.move(0, bottom)
            bottom += self._answer.height()
        return bottom

    def _show_reading(self, is_reading: bool) -> None:
        for widget in (self._copy, self._more):
            widget.setVisible(is_reading)
        self._text.setVisible(is_reading and bool(self._written))
        self._cards.setVisible(is_reading and bool(self._files))
        self._edit.setVisible(is_reading and EDIT in self._placed.offers)
        self._versions.show_versions(self._placed.versions, self.message.id, is_shown=is_reading)
        self._answer.setVisible(is_reading and self._placed.is_last and self._placed.is_idle)

    def _end_edit(self) -> None:
        if self._editor is not None:
            self._editor.hide()
            self._editor.deleteLater()
            self._editor = None
        self._show_reading(True)
        self._changed()
        self.acted.emit()

    def _submit(self, text: str) -> None:
        if self._placed.is_idle:
            self._end_edit()
            self.edit_submitted.emit(self.message.id, with_files(text, self._files))

    def _set_faint(self, is_faint: bool) -> None:
        for button in self._buttons:
            button.set_faint(is_faint)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._set_faint(False)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_faint(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.setBrush(QColor(colors_of(self.palette()).bubble))
        painter.drawRoundedRect(self._bubble, 16, 16)
        painter.end()
