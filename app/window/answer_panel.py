"""Settings of answers: the system prompt and how the next token is chosen, each with a line that explains it.

Shows the current settings and passes every change on at once. Knows the ranges of its fields only.
"""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.settings import AppSettings
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.number_field import NumberField
from app.window.theme import colors_of, scaled

WIDTH = 312
FIELD_WIDTH = 92
PROMPT_HEIGHT = 110


class AnswerPanel(QFrame):
    changed = Signal(dict)
    """Fields of AppSettings and their new values."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(WIDTH)
        self._fields: dict[str, QWidget] = {}
        title = QLabel(self.tr("Answer settings"), self)
        title.setFont(scaled(self.font(), 1.1, weight=QFont.Weight.DemiBold))
        close = IconButton("close", self.tr("Close"), self)
        close.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 10, 6)
        head.addWidget(title, 1)
        head.addWidget(close)

        self._box = QVBoxLayout()
        self._box.setContentsMargins(16, 4, 14, 16)
        self._box.setSpacing(4)
        self._add_prompt()
        self._add_number(
            "temperature",
            self.tr("Temperature"),
            NumberField(0, 10, step=0.05, decimals=2),
            self.tr("Higher is more varied; 0 takes the likeliest."),
        )
        self._add_number(
            "top_p",
            self.tr("Top-p"),
            NumberField(0.01, 1, step=0.01, decimals=2),
            self.tr("Keep the likeliest words that add up to this share; 1 is off."),
        )
        self._add_number(
            "top_k",
            self.tr("Top-k"),
            NumberField(0, 1_000_000),
            self.tr("Keep only this many of the likeliest words; 0 is off."),
        )
        self._add_number(
            "min_p",
            self.tr("Min-p"),
            NumberField(0, 0.99, step=0.01, decimals=2),
            self.tr("Drop words below this share of the likeliest; 0 is off."),
        )
        self._add_number(
            "repetition_penalty",
            self.tr("Repetition penalty"),
            NumberField(0.5, 2, step=0.01, decimals=2),
            self.tr("Above 1 the model repeats itself less; 1 is off."),
        )
        self._add_number(
            "max_tokens",
            self.tr("Longest answer"),
            NumberField(1, 1_000_000, step=64, empty=self.tr("no limit")),
            self.tr("In tokens; a token is about four letters."),
        )
        self._add_number(
            "seed",
            self.tr("Seed"),
            NumberField(0, 2**63 - 1, empty=self.tr("random")),
            self.tr("The same seed makes the same random choices."),
        )
        self._add_stats()
        reset = QPushButton(self.tr("Back to the defaults"), self)
        reset.setAccessibleName(self.tr("Back to the defaults"))
        reset.clicked.connect(self._reset)
        self._box.addSpacing(12)
        self._box.addWidget(reset)
        self._box.addStretch(1)

        inner = QWidget(self)
        inner.setLayout(self._box)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.tr("Answer settings"))
        scroll.viewport().setAutoFillBackground(False)
        scroll.setWidget(inner)
        inner.setAutoFillBackground(False)  # which setWidget has just set
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(head)
        outer.addWidget(scroll, 1)

    def show_settings(self, settings: AppSettings) -> None:
        """Bring the fields up to date; what is being typed into is left alone."""
        for name, widget in self._fields.items():
            if widget.hasFocus():
                continue
            value = getattr(settings, name)
            blocker = QSignalBlocker(widget)
            if isinstance(widget, NumberField):
                widget.show_value(value)
            elif isinstance(widget, QCheckBox):
                widget.setChecked(value)
            elif isinstance(widget, QPlainTextEdit) and widget.toPlainText() != value:
                widget.setPlainText(value)
            blocker.unblock()

    def take_focus(self) -> None:
        self._fields["system_prompt"].setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.sidebar))
        painter.fillRect(0, 0, 1, self.height(), QColor(colors.border))
        painter.end()

    def _reset(self) -> None:
        self.setFocus()
        defaults = AppSettings()
        self.changed.emit({name: getattr(defaults, name) for name in self._fields if name != "system_prompt"})

    # Fields -------------------------------------------------------------------------------------------------------

    def _add_prompt(self) -> None:
        field = QPlainTextEdit(self)
        field.setProperty("kind", "field")
        field.setTabChangesFocus(True)
        field.setFixedHeight(PROMPT_HEIGHT)
        field.setAccessibleName(self.tr("System prompt"))
        field.setPlaceholderText(self.tr("For example: Answer briefly and in plain words."))
        field.textChanged.connect(lambda: self.changed.emit({"system_prompt": field.toPlainText()}))
        self._box.addWidget(self._label(self.tr("System prompt"), field))
        self._box.addWidget(field)
        self._explain(self.tr("Read by the model before every conversation."))
        self._fields["system_prompt"] = field

    def _add_number(self, name: str, label: str, field: NumberField, words: str) -> None:
        field.setParent(self)
        field.changed.connect(lambda value: self.changed.emit({name: value}))
        field.setFixedWidth(FIELD_WIDTH)
        field.setAccessibleName(label)
        field.setAccessibleDescription(words)
        row = QHBoxLayout()
        row.addWidget(self._label(label, field), 1)
        row.addWidget(field)
        self._box.addSpacing(10)
        self._box.addLayout(row)
        self._explain(words)
        self._fields[name] = field

    def _add_stats(self) -> None:
        box = QCheckBox(self.tr("Figures below each answer"), self)
        box.setAccessibleName(self.tr("Figures below each answer"))
        box.toggled.connect(lambda on: self.changed.emit({"show_stats": on}))
        self._box.addSpacing(14)
        self._box.addWidget(box)
        self._explain(self.tr("Tokens, speed and the time to the first token, as measured."))
        self._fields["show_stats"] = box

    def _label(self, text: str, field: QWidget) -> QLabel:
        label = QLabel(text, self)
        label.setBuddy(field)
        return label

    def _explain(self, words: str) -> None:
        self._box.addWidget(MutedLabel(words, self, factor=0.86))
