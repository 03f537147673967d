"""An error in the words of a person: cause, next action, buttons, and details for those who want them.

Owns the look of a card; what its buttons do is given. Used in the conversation and on the model page.
"""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.models.flow import FlowLayout
from app.window.theme import colors_of, fixed_font
from app.window.wording import breakable

DETAILS_HEIGHT = 180

Action = tuple[str, Callable[[], None]]


class ErrorCard(QFrame):
    """`actions` are (label, what to do); the first one is the suggested one."""

    height_changed = Signal()

    def __init__(
        self, text: ErrorText, actions: tuple[Action, ...] = (), details: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.text = text
        cause = QLabel(breakable(text.cause), self)
        action = MutedLabel(breakable(text.action), self)
        cause.setWordWrap(True)
        cause.setTextFormat(Qt.TextFormat.PlainText)
        for label in (cause, action):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = cause.font()
        font.setBold(True)
        cause.setFont(font)

        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(IconLabel("alert", "danger", 20, self), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(5)
        words.addWidget(cause)
        words.addWidget(action)
        head.addLayout(words, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 13, 14, 13)
        box.setSpacing(10)
        box.addLayout(head)
        buttons = FlowLayout(spacing=8)
        for number, (label_text, run) in enumerate(actions):
            button = QPushButton(label_text, self)
            button.setAccessibleName(label_text)
            button.setProperty("kind", "plain" if number else "primary")
            button.clicked.connect(run)
            buttons.addWidget(button)
        self._details = QPlainTextEdit(details, self)
        self._details.setReadOnly(True)
        self._details.setProperty("kind", "field")
        self._details.setFont(fixed_font(self.font()))
        self._details.setAccessibleName(self.tr("Details of the error"))
        self._details.setFixedHeight(DETAILS_HEIGHT)
        self._details.hide()
        if details:
            self._toggle = QPushButton(self.tr("Show details"), self)
            self._toggle.setAccessibleName(self.tr("Show details"))
            self._toggle.setProperty("kind", "quiet")
            self._toggle.clicked.connect(self._toggle_details)
            buttons.addWidget(self._toggle)
        if actions or details:
            row = QHBoxLayout()
            row.setContentsMargins(30, 0, 0, 0)
            row.addLayout(buttons, 1)
            box.addLayout(row)
        box.addWidget(self._details)

    def fit(self, width: int) -> int:
        """The height it takes at a width."""
        self.resize(width, self.height())
        layout = self.layout()
        return layout.heightForWidth(width) if layout is not None else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colors.danger_background))
        painter.setPen(QPen(QColor(colors.danger_border), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        painter.end()

    def _toggle_details(self) -> None:
        shown = self._details.isHidden()
        self._details.setVisible(shown)
        label = self.tr("Hide details") if shown else self.tr("Show details")
        self._toggle.setText(label)
        self._toggle.setAccessibleName(label)
        self.height_changed.emit()
