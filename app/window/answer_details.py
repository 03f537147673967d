"""A window with everything that is known of one answer, to be read, copied, or answered with again."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.chat.records import StoredMessage
from app.window.answer_detail_words import Section, as_text, sections_of
from app.window.labels import MutedLabel
from app.window.theme import scaled
from app.window.wording import breakable, tied


class AnswerDetails(QDialog):
    seed_chosen = Signal(object)
    """The seed of this answer is to be used again: an int."""

    def __init__(self, message: StoredMessage, preset: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Details of the answer"))
        self.resize(460, 560)
        self.sections = sections_of(message, preset)
        rows = QGridLayout()
        rows.setContentsMargins(18, 14, 18, 14)
        rows.setHorizontalSpacing(18)
        rows.setVerticalSpacing(5)
        rows.setColumnStretch(1, 1)
        for section in self.sections:
            self._add(rows, section)
        rows.setRowStretch(rows.rowCount(), 1)
        inner = QWidget(self)
        inner.setLayout(rows)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(self.windowTitle())
        scroll.setWidget(inner)
        scroll.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(18, 8, 18, 14)
        buttons.setSpacing(8)
        stats = message.stats
        seed = stats.seed if stats is not None else None
        self.seed_button = self._button(self.tr("Use this seed"))
        self.seed_button.setToolTip(
            self.tr("With the same settings and the same messages, the same answer comes again.")
        )
        self.seed_button.setVisible(seed is not None)
        self.seed_button.clicked.connect(lambda: self._choose(seed))
        self.copy_button = self._button(self.tr("Copy"))
        self.copy_button.clicked.connect(self._copy)
        close = self._button(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.close)
        buttons.addWidget(self.seed_button)
        buttons.addStretch(1)
        buttons.addWidget(self.copy_button)
        buttons.addWidget(close)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(scroll, 1)
        box.addLayout(buttons)

    def _add(self, rows: QGridLayout, section: Section) -> None:
        at = rows.rowCount()
        if at > 1:
            rows.setRowMinimumHeight(at, 8)
            at += 1
        title = QLabel(section.title, self)
        title.setFont(scaled(self.font(), 1.05, weight=QFont.Weight.DemiBold))
        rows.addWidget(title, at, 0, 1, 2)
        for number, (name, value) in enumerate(section.rows, at + 1):
            label = MutedLabel(name, self, wraps=False)
            shown = QLabel(breakable(tied(value)), self)
            shown.setTextFormat(Qt.TextFormat.PlainText)
            shown.setWordWrap(True)
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            shown.setAccessibleName(f"{name}: {value}")
            rows.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            rows.addWidget(shown, number, 1)

    def _button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        return button

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self.sections))

    def _choose(self, seed: int | None) -> None:
        if seed is not None:
            self.seed_chosen.emit(seed)
            self.close()
