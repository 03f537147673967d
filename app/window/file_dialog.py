"""A file of a message, to be read: its name, its size and its text."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.chat.attached_files import AttachedFile
from app.window.labels import MutedLabel
from app.window.theme import fixed_font, scaled
from app.window.wording import number, size

SHOWN_CHARACTERS = 200_000


class FileDialog(QDialog):
    """`is_draft` offers what can be done with a file that is not sent yet."""

    text_wanted = Signal()
    """The file is to stand in the field as text."""

    removed = Signal()

    def __init__(self, file: AttachedFile, parent: QWidget | None = None, *, is_draft: bool = False) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(file.name)
        self.resize(720, 560)
        title = QLabel(file.name, self)
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setWordWrap(True)
        title.setFont(scaled(self.font(), 1.1))
        facts = self.tr("%1, %2 lines").replace("%1", size(file.n_bytes)).replace("%2", number(file.n_lines))
        if len(file.text) > SHOWN_CHARACTERS:
            more = self.tr("only the first %1 characters are shown").replace("%1", number(SHOWN_CHARACTERS))
            facts = f"{facts}; {more}"
        field = QPlainTextEdit(file.text[:SHOWN_CHARACTERS], self)
        field.setReadOnly(True)
        field.setProperty("kind", "field")
        field.setFont(fixed_font(self.font()))
        field.setAccessibleName(self.tr("Text of the file"))
        buttons = QHBoxLayout()
        if is_draft:
            buttons.addWidget(self._button(self.tr("Put it into the message as text"), self.text_wanted.emit))
            buttons.addWidget(self._button(self.tr("Remove"), self.removed.emit))
        buttons.addStretch(1)
        close = self._button(self.tr("Close"), lambda: None)
        close.setDefault(True)
        buttons.addWidget(close)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 12)
        box.setSpacing(8)
        box.addWidget(title)
        box.addWidget(MutedLabel(facts, self, factor=0.92))
        box.addWidget(field, 1)
        box.addLayout(buttons)

    def _button(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        button.clicked.connect(run)
        button.clicked.connect(self.close)
        return button
