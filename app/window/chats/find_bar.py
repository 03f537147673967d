"""The bar that finds words in the conversation shown: a field, how many places there are, and which one is shown.

What is found and marked is the transcript's; this owns the typing, the keys and the words.
"""

from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from app.window.escape import ClosedByEscape
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.theme import colors_of
from app.window.wording import number

TYPING_MS = 120
MAX_CHARACTERS = 500


class Findable(Protocol):
    """Where words are found; hits are counted from 0, and those in files, which are not shown, apart."""

    @property
    def n_in_files(self) -> int: ...

    def find(self, text: str) -> int: ...

    def show_hit(self, index: int) -> None: ...

    def clear_find(self) -> None: ...


class FindBar(QFrame):
    """Return goes to the next place, Shift+Return to the one before, Esc closes."""

    closed = Signal()

    def __init__(self, text: Findable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._n_hits = 0
        self._at = -1
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Find in this conversation"))
        self.field.setAccessibleName(self.tr("Find in this conversation"))
        self.field.setMaxLength(MAX_CHARACTERS)
        self.field.setMaximumWidth(420)
        self.field.installEventFilter(self)
        ClosedByEscape(self, self.isVisible, self.leave)
        self.field.textChanged.connect(self._on_typed)
        self.count = MutedLabel("", self, factor=0.93, wraps=False)
        self.count.setMinimumWidth(84)
        self._previous = IconButton("arrow-up", self.tr("Previous place"), self)
        self._previous.name_it(self.tr("Previous place"), self.tr("Shift+Enter"))
        self._previous.clicked.connect(lambda: self._step(-1))
        self._next = IconButton("arrow-down", self.tr("Next place"), self)
        self._next.name_it(self.tr("Next place"), self.tr("Enter"))
        self._next.clicked.connect(lambda: self._step(1))
        close = IconButton("close", self.tr("Close"), self)
        close.name_it(self.tr("Close"), self.tr("Esc"))
        close.clicked.connect(self.leave)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 12, 7)
        row.setSpacing(6)
        row.addStretch(1)
        row.addWidget(self.field, 4)
        row.addWidget(self.count)
        row.addWidget(self._previous)
        row.addWidget(self._next)
        row.addWidget(close)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self._find)
        self._show_count()
        self.hide()

    def enter(self) -> None:
        """Show the bar, or go to it where it is shown."""
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        if self.field.text():
            self._find()

    def leave(self) -> None:
        if not self.isHidden():
            self._typing.stop()
            self.hide()
            self._text.clear_find()
            self.closed.emit()

    def find_again(self) -> None:
        """Other messages are shown: count anew, and stay where one is."""
        if not self.isHidden() and self.field.text():
            self._n_hits = self._text.find(self.field.text())
            self._at = min(self._at, self._n_hits - 1)
            self._show_count()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_key = watched is self.field and event.type() == QEvent.Type.KeyPress
        if is_key and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colors_of(self.palette()).border))
        painter.end()

    def _on_typed(self) -> None:
        self._typing.start()

    def _find(self) -> None:
        """The first look goes to the latest place, which is nearest to where one reads."""
        self._typing.stop()
        text = self.field.text()
        self._n_hits = self._text.find(text) if text.strip() else 0
        if not text.strip():
            self._text.clear_find()
        self._at = self._n_hits - 1
        if self._n_hits:
            self._text.show_hit(self._at)
        self._show_count()

    def _step(self, step: int) -> None:
        if self._typing.isActive():
            self._find()
            return
        if self._n_hits:
            self._at = (self._at + step) % self._n_hits
            self._text.show_hit(self._at)
            self._show_count()

    def _show_count(self) -> None:
        for button in (self._previous, self._next):
            button.setEnabled(self._n_hits > 0)
        self.count.setText(self._count_words() if self.field.text().strip() else "")

    def _count_words(self) -> str:
        n_in_files = self._text.n_in_files
        if self._n_hits:
            words = self.tr("%1 of %2")
            if n_in_files:
                words = self.tr("%1 of %2, and %3 in files")
            words = words.replace("%1", number(self._at + 1)).replace("%2", number(self._n_hits))
        else:
            words = self.tr("in files only: %3") if n_in_files else self.tr("not found")
        return words.replace("%3", number(n_in_files))
