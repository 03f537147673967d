"""Small parts of the device page: a figure with its caption, rows of them, a heading, and the word that it is a show.

Owns their look and how they make room for long words.
"""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.device_words import DEMONSTRATION
from app.error_text import ErrorText
from app.language import in_a_row
from app.window.device.device_control import words
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.theme import colors_of, mixed, scaled
from app.window.wording import breakable, tied

FIELD_HEIGHT = 32  # of a control among figures, beside which they stand on one line
TILE_WIDTH = 168  # below which a row of figures has fewer columns


class Heading(QLabel):
    """The title of a card; a screen reader is told that it is one by the card's own name."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFont(scaled(self.font(), 1.12, weight=QFont.Weight.DemiBold))
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)


class Figure(QWidget):
    """A number to read at a glance, or a control in its place, and below it what it is."""

    def __init__(self, caption: str, parent: QWidget | None = None, *, control: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = QLabel("–", self)
        self._value.setFont(scaled(self.font(), 1.28, weight=QFont.Weight.DemiBold))
        self._value.setTextFormat(Qt.TextFormat.PlainText)
        self._value.setWordWrap(True)
        self._value.setMinimumHeight(FIELD_HEIGHT)
        self._caption = MutedLabel(caption, self, factor=0.9)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        if control is None:
            box.addWidget(self._value)
        else:
            self._value.hide()
            box.addWidget(control, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(self._caption)
        box.addStretch(1)

    @property
    def value(self) -> str:
        return self._value.text().replace("\u00a0", " ")

    @property
    def caption(self) -> str:
        return self._caption.text()

    def show_value(self, value: str, caption: str = "") -> None:
        """A value that is not known is shown as a dash."""
        self._value.setText(tied(value) or "–")
        if caption:
            self._caption.setText(caption)
        self.setAccessibleName(f"{self._caption.text()}: {value or '–'}")


class FigureRow(QWidget):
    """Figures beside each other, and below each other where the window is narrow."""

    def __init__(self, figures: tuple[Figure, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures = figures
        self._n_columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(10)
        self._arrange(len(figures))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(max(1, min(len(self._figures), (event.size().width() + 18) // TILE_WIDTH)))

    def _arrange(self, n_columns: int) -> None:
        if len(self._figures) == 4 and n_columns == 3:
            n_columns = 2
        if n_columns == self._n_columns:
            return
        for column in range(self._n_columns):
            self._grid.setColumnStretch(column, 0)
        self._n_columns = n_columns
        for at, figure in enumerate(self._figures):
            self._grid.addWidget(figure, at // n_columns, at % n_columns)
        for column in range(n_columns):
            self._grid.setColumnStretch(column, 1)


class Ribbon(QFrame):
    """A line of words that is not to be missed, with an icon."""

    def __init__(
        self, text: str, icon: str = "info", parent: QWidget | None = None, *, ink: str = "syntax_name"
    ) -> None:
        super().__init__(parent)
        self._ink = ink
        self._text = QLabel(text, self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setFont(scaled(self.font(), 0.95, weight=QFont.Weight.Medium))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        row = QHBoxLayout(self)
        row.setContentsMargins(11, 7, 11, 7)
        row.setSpacing(9)
        row.addWidget(IconLabel(icon, ink, 17, self), 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout()
        self._column.setSpacing(6)
        self._column.addWidget(self._text)
        row.addLayout(self._column, 1)
        self.setAccessibleName(text)

    @property
    def text(self) -> str:
        return self._text.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(mixed(colors, self._ink, 0.08))
        painter.setPen(QPen(mixed(colors, self._ink, 0.45), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.end()


class DemonstrationRibbon(Ribbon):
    """Stands wherever figures of an emulated card do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(words(DEMONSTRATION), "info", parent)
        self.hide()


class NoticeCard(Ribbon):
    """Something that happened by itself: what, how it goes on, and at most one thing to do about it."""

    understood = Signal()
    again_clicked = Signal()

    def __init__(self, text: ErrorText, again: str, parent: QWidget | None = None) -> None:
        super().__init__(breakable(text.cause), "alert", parent, ink="accent")
        self.notice_text = text
        action = MutedLabel(breakable(text.action), self)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for label, kind, signal in (
            (again, "plain", self.again_clicked),
            (self.tr("Understood"), "quiet", self.understood),
        ):
            if label:
                button = QPushButton(label, self)
                button.setAccessibleName(label)
                button.setProperty("kind", kind)
                button.clicked.connect(signal)
                buttons.addWidget(button)
        buttons.addStretch(1)
        self._column.addWidget(action)
        self._column.addLayout(buttons)
        self.setAccessibleName(in_a_row(text.cause, text.action))
