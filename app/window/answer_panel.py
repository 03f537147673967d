"""Settings of answers: the system prompt and how the next token is chosen, each with a line that explains it.

Shows the current settings and passes every change on at once. Knows the ranges of its fields and nothing else.
"""

from PySide6.QtCore import QRegularExpression, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QRegularExpressionValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.settings import AppSettings
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.theme import colors_of, scaled

WIDTH = 312
FIELD_WIDTH = 92
PROMPT_HEIGHT = 110
PROMPT_PAUSE_MS = 400


class AnswerPanel(QFrame):
    changed = Signal(dict)
    """Fields of AppSettings and their new values."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(WIDTH)
        self._fields: dict[str, QWidget] = {}
        title = QLabel(self.tr("Settings of answers"), self)
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
        self._add_fraction(
            "temperature", self.tr("Temperature"), 0, 2, 0.05, self.tr("Higher is more varied; 0 takes the likeliest.")
        )
        self._add_fraction(
            "top_p",
            self.tr("Top-p"),
            0.01,
            1,
            0.01,
            self.tr("Keep the likeliest words that add up to this share; 1 is off."),
        )
        self._add_count(
            "top_k", self.tr("Top-k"), 0, 1000, self.tr("Keep only this many of the likeliest words."), self.tr("off")
        )
        self._add_fraction(
            "min_p", self.tr("Min-p"), 0, 0.99, 0.01, self.tr("Drop words below this share of the likeliest; 0 is off.")
        )
        self._add_fraction(
            "repetition_penalty",
            self.tr("Repetition penalty"),
            0.5,
            2,
            0.01,
            self.tr("Above 1 the model repeats itself less; 1 is off."),
        )
        self._add_count(
            "max_tokens",
            self.tr("Longest answer"),
            0,
            1_000_000,
            self.tr("In tokens; a token is about four letters."),
            self.tr("no limit"),
        )
        self._add_seed()
        self._add_stats()
        reset = QPushButton(self.tr("Back to the defaults"), self)
        reset.setAccessibleName(self.tr("Back to the defaults"))
        reset.clicked.connect(self._reset)
        self._box.addSpacing(12)
        self._box.addWidget(reset)
        self._box.addStretch(1)

        inner = QWidget(self)
        inner.setLayout(self._box)
        inner.setAutoFillBackground(False)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(self.tr("Settings of answers"))
        scroll.viewport().setAutoFillBackground(False)
        scroll.setWidget(inner)
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
            if isinstance(widget, QDoubleSpinBox):
                widget.setValue(value)
            elif isinstance(widget, QSpinBox):
                widget.setValue(value or 0)
            elif isinstance(widget, QCheckBox):
                widget.setChecked(value)
            elif isinstance(widget, QLineEdit):
                widget.setText("" if value is None else str(value))
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
        pause = QTimer(self)
        pause.setSingleShot(True)
        pause.setInterval(PROMPT_PAUSE_MS)
        pause.timeout.connect(lambda: self.changed.emit({"system_prompt": field.toPlainText()}))
        field.textChanged.connect(pause.start)
        self._box.addWidget(self._label(self.tr("System prompt"), field))
        self._box.addWidget(field)
        self._explain(self.tr("Read by the model before every conversation."))
        self._fields["system_prompt"] = field

    def _add_fraction(self, name: str, label: str, low: float, high: float, step: float, words: str) -> None:
        field = FractionField(self)
        field.setRange(low, high)
        field.setSingleStep(step)
        field.setDecimals(2)
        field.valueChanged.connect(lambda value: self.changed.emit({name: round(value, 2)}))
        self._add_row(name, label, field, words)

    def _add_count(self, name: str, label: str, low: int, high: int, words: str, zero: str) -> None:
        field = CountField(self)
        field.setRange(low, high)
        field.setSpecialValueText(zero)
        is_optional = name == "max_tokens"
        field.valueChanged.connect(lambda value: self.changed.emit({name: (value or None) if is_optional else value}))
        self._add_row(name, label, field, words)

    def _add_seed(self) -> None:
        field = QLineEdit(self)
        # The engine takes seeds below 2^63: eighteen digits always fit.
        field.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]{0,18}"), field))
        field.setPlaceholderText(self.tr("random"))
        field.textChanged.connect(lambda text: self.changed.emit({"seed": int(text) if text else None}))
        self._add_row("seed", self.tr("Seed"), field, self.tr("The same seed and settings give the same answer."))

    def _add_stats(self) -> None:
        box = QCheckBox(self.tr("Figures below each answer"), self)
        box.setAccessibleName(self.tr("Figures below each answer"))
        box.toggled.connect(lambda on: self.changed.emit({"show_stats": on}))
        self._box.addSpacing(14)
        self._box.addWidget(box)
        self._explain(self.tr("Tokens, speed and the time to the first token, as measured."))
        self._fields["show_stats"] = box

    def _add_row(self, name: str, label: str, field: QWidget, words: str) -> None:
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

    def _label(self, text: str, field: QWidget) -> QLabel:
        label = QLabel(text, self)
        label.setBuddy(field)
        return label

    def _explain(self, words: str) -> None:
        self._box.addWidget(MutedLabel(words, self, factor=0.86))


class FractionField(QDoubleSpinBox):
    """A number that the wheel changes only while it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class CountField(QSpinBox):
    """A whole number that the wheel changes only while it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
