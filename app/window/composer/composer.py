"""Where a message is written: a field that grows, files beside it, prompts that `/` finds, what waits to be sent, a
button that sends or stops, and the reason where neither is possible.

Owns what belongs to the message that is being written. Decides nothing about what sending means.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.attachments import BINARY, Refused
from app.chat.attached_files import AttachedFile, split_files, with_files
from app.prompt_library import Prompt, PromptLibrary, filled, next_place
from app.settings import ENTER
from app.window.composer.attachments_bar import AttachmentsBar
from app.window.composer.message_field import MessageField, local_files
from app.window.composer.prompt_dialog import PromptDialog
from app.window.composer.prompt_menu import PromptMenu
from app.window.composer.queue_rows import QueueRows
from app.window.escape import ClosedByEscape
from app.window.file_dialog import FileDialog
from app.window.flow import FlowArea
from app.window.icons import IconButton, icon_pixmap
from app.window.labels import MutedLabel
from app.window.theme import colors_of, scaled
from app.window.transcript.message_column import COLUMN_WIDTH
from app.window.zoom import zoomed

BUTTON_SIZE = 34
MENU_WIDTH = 460
FILES_HEIGHT = 156  # three rows of files, and a bit of the fourth
LONGEST_QUESTION = 40  # characters behind a slash that may be a question to the prompt library


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
        size = self.iconSize().width()
        pixmap = icon_pixmap(self._icon, color, size, self.devicePixelRatioF())
        painter.drawPixmap((self.width() - size) // 2, (self.height() - size) // 2, pixmap)
        painter.end()


class Composer(QWidget):
    sent = Signal(str)
    """The message with its files; the field is emptied by whoever accepted it."""

    stop_clicked = Signal()
    text_changed = Signal(str)
    """The message with its files, as it is now."""

    page_scrolled = Signal(float)
    hint_clicked = Signal()

    def __init__(self, library: PromptLibrary, language: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_stoppable = False
        self._obstacle = ""
        self._can_send = True
        self._send_key = ENTER
        self._written_files = ""  # as they stand in the message; written once, since they may be long
        self._library = library
        self._language = language
        self.setAcceptDrops(True)
        self._field = MessageField(self)
        self._field.setAccessibleName(self.tr("Message"))
        self._field.setPlaceholderText(self.tr("Write a message, or / for a prompt…"))
        self._field.setFont(scaled(self.font(), 1.04))
        self._field.submitted.connect(self._submit)
        self._field.page_scrolled.connect(self.page_scrolled)
        self._field.textChanged.connect(self._on_changed)
        self._field.cursorPositionChanged.connect(self._look_for_prompts)
        self._field.height_changed.connect(self.updateGeometry)
        self._field.focus_changed.connect(self._on_focus)
        self._field.files_given.connect(self.add_files)
        self._field.long_pasted.connect(self._add_pasted)
        self._field.picture_pasted.connect(self._refuse_picture)
        self._field.ask_first(self._take_field_key)
        self._button = RoundButton("send", self.tr("Send"), self)
        self._button.clicked.connect(self._press)
        self._attach = IconButton("paperclip", self.tr("Add files"), self, size=19)
        self._attach.setFixedSize(BUTTON_SIZE, BUTTON_SIZE)
        self._attach.clicked.connect(self.choose_files)
        self.queue = QueueRows(self)
        self.files_bar = AttachmentsBar(self)
        self.files_bar.changed.connect(self._on_files_changed)
        self.files_bar.opened.connect(self._show_file)
        self._menu = PromptMenu(lambda: library.prompts(language()), self)
        self._menu.chosen.connect(self._use_prompt)
        self._menu.edit_clicked.connect(self.edit_prompts)
        ClosedByEscape(self._field, self._menu.isVisible, self._menu.decline)
        self._hint = MutedLabel(parent=self, factor=0.88)
        self._hint_button = QPushButton(self)
        self._hint_button.setProperty("kind", "inline")
        self._hint_button.clicked.connect(self.hint_clicked)
        self._hint_button.hide()
        self._box = QWidget(self)
        self._lay_out()
        self._update_button()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._attach, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self._field, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(9, 9, 9, 9)
        inside.setSpacing(8)
        files = FlowArea(self.files_bar, FILES_HEIGHT, self._box)
        files.setAccessibleName(self.tr("Files that go with the message"))
        inside.addWidget(files)
        inside.addLayout(row)
        below = QHBoxLayout()
        below.setContentsMargins(14, 0, 4, 0)
        below.addWidget(self._hint, 1)
        below.addWidget(self._hint_button)
        hint_row = QWidget(self)
        hint_row.setLayout(below)
        hint_row.setMinimumHeight(24)
        column = QWidget(self)
        column.setMaximumWidth(COLUMN_WIDTH + 20)
        inner = QVBoxLayout(column)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(4)
        inner.addWidget(self.queue)
        inner.addWidget(self._box)
        inner.addWidget(hint_row)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(14, 6, 14, 6)
        outer.addWidget(column, 1)

    def sizeHint(self) -> QSize:
        return QSize(400, super().sizeHint().height())

    # What is written ----------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What stands in the field."""
        return self._field.toPlainText()

    @property
    def files(self) -> tuple[AttachedFile, ...]:
        return self.files_bar.files

    @property
    def content(self) -> str:
        """The message as it would be sent."""
        text = self.text
        return "\n\n".join(filter(None, (text if text.strip() else "", self._written_files))) or text

    def set_text(self, content: str) -> None:
        """Put a message, with its files, in place of what is there."""
        text, files = split_files(content)
        self.files_bar.show_files(files)
        self._show_hint()
        self._written_files = with_files("", files)
        self._field.setPlainText(text)
        cursor = self._field.textCursor()
        cursor.movePosition(cursor.MoveOperation.End)
        self._field.setTextCursor(cursor)
        if not text:
            self._on_changed()  # the field says nothing where it was empty before

    def add_files(self, paths: list[Path]) -> None:
        self.files_bar.add_paths(paths)
        self.take_focus()

    def send_with(self, choice: str) -> None:
        """Which key sends: one of app.settings.SEND_KEYS."""
        self._field.send_with(choice)
        self._send_key = choice
        self._update_button()

    def take_focus(self) -> None:
        self._field.setFocus()

    def take_key(self, event: QKeyEvent) -> None:
        """Go on with a key that was pressed elsewhere."""
        self.take_focus()
        self._field.keyPressEvent(event)  # sent as an event, it would come back where the field has no use for it

    def show_state(self, *, hint: str, hint_action: str, can_send: bool, is_stoppable: bool) -> None:
        """What can be done now, and in `hint` why something cannot; `hint_action` names the way out."""
        self._obstacle = hint
        self._hint_button.setText(hint_action)
        self._hint_button.setAccessibleName(hint_action)
        self._hint_button.setVisible(bool(hint_action))
        self._can_send = can_send
        self._is_stoppable = is_stoppable
        self._show_hint()
        self._update_button()

    def _show_hint(self) -> None:
        reading = self.tr("A file is still being read. The message can be sent once that is done.")
        self._hint.setText(reading if self._can_send and self.files_bar.is_reading else self._obstacle)

    def edit_prompts(self) -> None:
        """Open the prompt library."""
        dialog = PromptDialog(self._library, self._language(), self)
        dialog.use_clicked.connect(self._use_prompt)
        dialog.open()

    # Files --------------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = local_files(event.mimeData())
        if files:
            event.acceptProposedAction()
            self.add_files(files)

    def choose_files(self) -> None:
        """Ask which files are to go with the message."""
        dialog = QFileDialog(self, self.tr("Add files to the message"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("All files (*)"), self.tr("PDF files (*.pdf)")])
        dialog.filesSelected.connect(lambda names: self.add_files([Path(name) for name in names]))
        dialog.open()

    def _add_pasted(self, text: str) -> None:
        cursor = self._field.textCursor()
        cursor.removeSelectedText()
        self.files_bar.add_pasted(text.replace("\r\n", "\n").replace("\r", "\n"))

    def _refuse_picture(self) -> None:
        self.files_bar.add_refused(Refused(self.tr("Picture"), BINARY))

    def _show_file(self, file: AttachedFile) -> None:
        dialog = FileDialog(file, self, is_draft=True)
        dialog.text_wanted.connect(lambda: self._turn_into_text(file))
        dialog.removed.connect(lambda: self.files_bar.remove(file))
        dialog.finished.connect(self.take_focus)
        dialog.open()

    def _turn_into_text(self, file: AttachedFile) -> None:
        self.files_bar.remove(file)
        self._field.textCursor().insertText(file.text)
        self.take_focus()

    # Prompts ------------------------------------------------------------------------------------------------------

    def _look_for_prompts(self) -> None:
        text, at = self.text, self._field.textCursor().position()
        typed = text[1:at] if text.startswith("/") and 0 < at <= LONGEST_QUESTION and "\n" not in text[:at] else None
        if typed is not None and not self._field.hasFocus():
            typed = None
        self._menu.look_for(typed)
        self._place_menu()

    def _place_menu(self) -> None:
        """Above the box, over the page: a child of the window, so that the composer need not grow for it."""
        window = self.window()
        if self._menu.parentWidget() is not window:
            was_hidden = self._menu.isHidden()
            self._menu.setParent(window)
            self._menu.setVisible(not was_hidden)
        corner = self._box.mapTo(window, QPoint(0, 0)) if window is not self else self._box.pos()
        self._menu.place(corner.x(), corner.y() - 6, min(zoomed(MENU_WIDTH), self._box.width()))

    def _use_prompt(self, prompt: Prompt) -> None:
        cursor = self._field.textCursor()
        is_asked = self.text.startswith("/") and cursor.position() <= LONGEST_QUESTION
        typed = self.text[cursor.position() :] if is_asked else self.text
        ready = filled(prompt, typed, QGuiApplication.clipboard().text(), has_files=bool(self.files))
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(ready.text)
        self._select(ready.start, ready.length)
        self.take_focus()

    def _select(self, start: int, length: int) -> None:
        cursor = self._field.textCursor()
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        self._field.setTextCursor(cursor)
        self._field.ensureCursorVisible()

    def _take_field_key(self, event: QKeyEvent) -> bool:
        if self._menu.take_key(event):
            return True
        if event.key() == Qt.Key.Key_Tab and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            start, length = next_place(self.text, self._field.textCursor().selectionEnd())
            if start >= 0:
                self._select(start, length)
                return True
        return False

    # Events -------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_menu()

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

    def _on_focus(self) -> None:
        self._look_for_prompts()
        self.update()

    def _on_files_changed(self) -> None:
        self._written_files = with_files("", self.files)
        self._show_hint()
        self._on_changed()

    def _on_changed(self) -> None:
        self.text_changed.emit(self.content)
        self._look_for_prompts()
        self._update_button()

    def _submit(self) -> None:
        if self._can_send and not self.files_bar.is_reading and self.content.strip():
            self.sent.emit(self.content)

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
            self._button.name_it(
                self.tr("Send"), self.tr("Enter") if self._send_key == ENTER else self.tr("Ctrl+Enter")
            )
            self._button.setEnabled(self._can_send and bool(self.content.strip()) and not self.files_bar.is_reading)
