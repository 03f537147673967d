"""What a new conversation shows before its first message: which model will answer, what it is, and where to begin.

Shows what it is told; suggestions are put into the composer and not sent.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.window.error_card import ErrorCard
from app.window.icons import app_icon
from app.window.labels import MutedLabel
from app.window.theme import scaled
from app.window.transcript.message_column import COLUMN_WIDTH

GLYPH_SIZE = 56


class EmptyState(QScrollArea):
    suggested = Signal(str)
    models_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(self.tr("New conversation"))
        self.viewport().setAutoFillBackground(False)
        glyph = QLabel(self)
        glyph.setPixmap(app_icon().pixmap(GLYPH_SIZE, GLYPH_SIZE))
        title = QLabel(self.tr("What is on your mind?"), self)
        title.setFont(scaled(self.font(), 1.75, weight=QFont.Weight.DemiBold))
        self._model = MutedLabel(parent=self, factor=1.02)
        self._model.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._models = QPushButton(self)
        self._models.setProperty("kind", "link")
        self._models.clicked.connect(self.models_clicked)
        self._suggestions = QWidget(self)
        self._chips = QVBoxLayout(self._suggestions)
        self._chips.setContentsMargins(0, 14, 0, 0)
        self._chips.setSpacing(8)
        for text in (
            self.tr("Tell me a short story about a lighthouse"),
            self.tr("Explain how rain forms, in simple words"),
            self.tr("Give me three ideas for a weekend walk"),
        ):
            self._chips.addWidget(self._chip(text), 0, Qt.AlignmentFlag.AlignHCenter)
        self._notice: ErrorCard | None = None
        self._notice_place = QVBoxLayout()
        column = QVBoxLayout()
        column.setSpacing(10)
        column.addStretch(4)
        column.addWidget(glyph, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(title, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._model)
        column.addWidget(self._models, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self._notice_place)
        column.addWidget(self._suggestions)
        column.addStretch(5)
        middle = QWidget(self)
        middle.setLayout(column)
        middle.setMaximumWidth(COLUMN_WIDTH - 100)
        outer = QWidget(self)
        outer.setAutoFillBackground(False)
        row = QHBoxLayout(outer)
        row.setContentsMargins(24, 20, 24, 20)
        row.addWidget(middle, 1)
        self.setWidget(outer)

    def show_model(self, words: str, link: str, *, has_suggestions: bool) -> None:
        self._model.setText(words)
        self._model.setVisible(bool(words))
        self._models.setText(link)
        self._models.setAccessibleName(link)
        self._models.setVisible(bool(link))
        self._suggestions.setVisible(has_suggestions)

    def show_notice(self, card: ErrorCard | None) -> None:
        if self._notice is not None:
            self._notice_place.removeWidget(self._notice)
            self._notice.hide()
            self._notice.deleteLater()
        self._notice = card
        if card is not None:
            self._notice_place.addWidget(card)

    def _chip(self, text: str) -> QPushButton:
        chip = QPushButton(text, self)
        chip.setAccessibleName(self.tr("Suggestion: %1").replace("%1", text))
        chip.setProperty("kind", "chip")
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.clicked.connect(lambda: self.suggested.emit(text))
        return chip
