"""What waits to be sent, as rows above the field: each can be taken back into it, or removed."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.chat.attached_files import split_files
from app.window.icons import IconButton, IconLabel
from app.window.labels import MutedLabel
from app.window.theme import colors_of
from app.window.wording import number

MOST_SHOWN = 5
PREVIEW_CHARACTERS = 300


class QueueRow(QWidget):
    edited = Signal()
    removed = Signal()

    def __init__(self, content: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        text, files = split_files(content)
        names = ", ".join(file.name for file in files)
        self._words = " ".join(text[:PREVIEW_CHARACTERS].split()) or names
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setMinimumWidth(40)
        edit = IconButton("pencil", self.tr("Edit the waiting message: %1").replace("%1", self._words), self, size=15)
        edit.setToolTip(self.tr("Take it back into the field"))
        edit.clicked.connect(self.edited)
        remove = IconButton(
            "close", self.tr("Remove the waiting message: %1").replace("%1", self._words), self, size=15
        )
        remove.setToolTip(self.tr("Remove it"))
        remove.clicked.connect(self.removed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._label, 1)
        if files:
            row.addWidget(IconLabel("file", "muted", 15, self))
            row.addWidget(MutedLabel(number(len(files)), self, factor=0.88, wraps=False))
        for button in (edit, remove):
            button.setFixedSize(26, 26)
            row.addWidget(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        elide = Qt.TextElideMode.ElideRight
        self._label.setText(self._label.fontMetrics().elidedText(self._words, elide, self._label.width()))


class QueueRows(QFrame):
    edited = Signal(int)
    removed = Signal(int)
    go_on_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[tuple[str, ...], bool] = ((), False)
        self._title = MutedLabel(parent=self, factor=0.88)
        self._go_on = QPushButton(self.tr("Send now"), self)
        self._go_on.setAccessibleName(self.tr("Send the waiting messages now"))
        self._go_on.setProperty("kind", "inline")
        self._go_on.clicked.connect(self.go_on_clicked)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(self._title, 1)
        head.addWidget(self._go_on)
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 7, 8, 6)
        box.setSpacing(2)
        box.addLayout(head)
        box.addLayout(self._rows)
        self.hide()

    def show_messages(self, messages: tuple[str, ...], *, is_held: bool) -> None:
        """`is_held`: they wait for a person and not for an answer."""
        if (messages, is_held) == self._shown:
            return
        self._shown = (messages, is_held)
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for index, content in enumerate(messages[:MOST_SHOWN]):
            row = QueueRow(content, self)
            row.edited.connect(lambda i=index: self.edited.emit(i))
            row.removed.connect(lambda i=index: self.removed.emit(i))
            self._rows.addWidget(row)
        self._title.setText(self._title_words(len(messages), is_held=is_held))
        self._go_on.setVisible(is_held)
        self.setVisible(bool(messages))

    def _title_words(self, n_messages: int, *, is_held: bool) -> str:
        words = (
            self.tr("Not sent yet (%1): the answer before did not come to its end")
            if is_held
            else self.tr("Sent once the answer is done (%1)")
        )
        more = n_messages - MOST_SHOWN
        words = words.replace("%1", number(n_messages))
        return words if more <= 0 else f"{words}. {self.tr('%1 more are not shown').replace('%1', number(more))}"

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colors.border))
        painter.setBrush(QColor(colors.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 11, 11)
        painter.end()
