"""Settings of answers: the preset, the system prompt and how the next token is chosen, each with a line of explanation.

Shows what AnswerControl knows and passes every change on. Knows the ranges of its fields only.
"""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QButtonGroup,
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

from app.answer_settings import MAX_STOP_CHARS, MAX_STOPS, stops_of, stops_text
from app.window.answer_control import AnswerControl
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.model_control import ModelControl
from app.window.number_field import NumberField
from app.window.preset_row import PresetRow
from app.window.settings_control import SettingsControl
from app.window.theme import colors_of, scaled
from app.window.wording import number

WIDTH = 320
FIELD_WIDTH = 92
PROMPT_HEIGHT = 110
STOPS_HEIGHT = 62
MOST_TOKENS = 1_000_000


class AnswerPanel(QFrame):
    closed = Signal()
    template_asked = Signal()

    def __init__(
        self, answers: AnswerControl, models: ModelControl, settings: SettingsControl, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._answers = answers
        self._models = models
        self._settings = settings
        self.setMinimumWidth(WIDTH)
        self._fields: dict[str, NumberField | QPlainTextEdit] = {}
        self._resets: dict[str, IconButton] = {}
        self._box = QVBoxLayout()
        self._box.setContentsMargins(16, 4, 14, 16)
        self._box.setSpacing(4)
        self._add_scope()
        self._add_preset()
        self._add_prompt()
        self._add_numbers()
        self._add_stops()
        self._add_model()
        self._add_stats()
        self._box.addStretch(1)
        self._lay_out()
        answers.changed.connect(self.refresh)
        models.changed.connect(self._show_model)
        settings.changed.connect(self._show_choices)
        self.refresh()
        self._show_model()
        self._show_choices()

    def refresh(self) -> None:
        """Bring everything up to date; what is being typed into is left alone."""
        answers = self._answers
        self._for_all.setChecked(not answers.is_for_chat)
        self._for_chat.setChecked(answers.is_for_chat)
        self._scope_words.setText(self._words_of_scope())
        self._use_default.setVisible(answers.is_own)
        self.preset.refresh()
        value = answers.value
        for name, field in self._fields.items():
            now = getattr(value, name)
            self._resets[name].setVisible(now != answers.usual(name))
            if field.hasFocus() or (name == "stop" and self._stops_problem.text()):
                continue
            blocker = QSignalBlocker(field)
            if isinstance(field, NumberField):
                field.show_value(now)
            else:
                text = stops_text(now) if name == "stop" else now
                if field.toPlainText() != text:
                    field.setPlainText(text)
            blocker.unblock()
        self._show_stops_problem()

    def take_focus(self) -> None:
        self.preset.choice.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.sidebar))
        painter.fillRect(0, 0, 1, self.height(), QColor(colors.border))
        painter.end()

    # Assembly -----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        title = QLabel(self.tr("Answer settings"), self)
        title.setFont(scaled(self.font(), 1.1, weight=QFont.Weight.DemiBold))
        close = IconButton("close", self.tr("Close"), self)
        close.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 10, 6)
        head.addWidget(title, 1)
        head.addWidget(close)
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

    def _add_scope(self) -> None:
        self._for_all = self._choice(self.tr("All chats"))
        self._for_chat = self._choice(self.tr("This chat"))
        group = QButtonGroup(self)
        group.addButton(self._for_all)
        group.addButton(self._for_chat)
        self._for_all.clicked.connect(lambda: self._show_scope(is_for_chat=False))
        self._for_chat.clicked.connect(lambda: self._show_scope(is_for_chat=True))
        self._scope_words = MutedLabel(parent=self, factor=0.86)
        self._use_default = QPushButton(self.tr("Use those for all chats"), self)
        self._use_default.setAccessibleName(self._use_default.text())
        self._use_default.setProperty("kind", "flush")
        self._use_default.clicked.connect(self._answers.use_default)
        row = QHBoxLayout()
        row.setSpacing(14)
        row.addWidget(self._for_all)
        row.addWidget(self._for_chat)
        row.addStretch(1)
        self._box.addLayout(row)
        self._box.addWidget(self._scope_words)
        self._box.addWidget(self._use_default, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_preset(self) -> None:
        self.preset = PresetRow(self._answers, self)
        self._box.addSpacing(10)
        self._box.addWidget(self._label(self.tr("Preset"), self.preset.choice))
        self._box.addWidget(self.preset)

    def _add_prompt(self) -> None:
        field = self._add_text("system_prompt", self.tr("System prompt"), PROMPT_HEIGHT)
        field.setPlaceholderText(self.tr("For example: Answer briefly and in plain words."))
        self._prompt_words = self._explain("")

    def _add_numbers(self) -> None:
        self._add_number(
            "temperature", self.tr("Temperature"), NumberField(0, 10, step=0.05, decimals=2),
            self.tr("Higher is more varied; 0 takes the likeliest."),
        )  # fmt: skip
        self._add_number(
            "top_p", self.tr("Top-p"), NumberField(0.01, 1, step=0.01, decimals=2),
            self.tr("Keep the likeliest words that add up to this share; 1 is off."),
        )  # fmt: skip
        self._add_number(
            "top_k", self.tr("Top-k"), NumberField(0, 1_000_000),
            self.tr("Keep only this many of the likeliest words; 0 is off."),
        )  # fmt: skip
        self._add_number(
            "min_p", self.tr("Min-p"), NumberField(0, 0.99, step=0.01, decimals=2),
            self.tr("Drop words below this share of the likeliest; 0 is off."),
        )  # fmt: skip
        self._add_number(
            "repetition_penalty", self.tr("Repetition penalty"), NumberField(0.5, 2, step=0.01, decimals=2),
            self.tr("Above 1 the model repeats itself less; 1 is off."),
        )  # fmt: skip
        self._add_number(
            "max_tokens", self.tr("Longest answer"),
            NumberField(1, MOST_TOKENS, step=64, empty=self.tr("no limit")),
            self.tr("In tokens; a token is about four letters."),
        )  # fmt: skip
        self._add_number(
            "seed", self.tr("Seed"), NumberField(0, 2**63 - 1, empty=self.tr("random")),
            self.tr("The same seed makes the same random choices. The one that was used is among an answer’s details."),
        )  # fmt: skip

    def _add_stops(self) -> None:
        field = self._add_text("stop", self.tr("Stop strings"), STOPS_HEIGHT)
        field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._stop_words = self._explain(
            self.tr("One on each line; an answer ends before the first that it comes to. \\n stands for a line break.")
        )
        self._stops_problem = QLabel(self)
        self._stops_problem.setWordWrap(True)
        self._stops_problem.setTextFormat(Qt.TextFormat.PlainText)
        self._stops_problem.setFont(scaled(self.font(), 0.86))
        self._box.addWidget(self._stops_problem)

    def _add_model(self) -> None:
        self._completes = QCheckBox(self.tr("Base models go on with a text"), self)
        self._completes.setAccessibleName(self._completes.text())
        self._completes.toggled.connect(lambda on: self._settings.update(completes_base=on))
        self._box.addSpacing(14)
        self._box.addWidget(self._completes)
        self._completes_words = self._explain(
            self.tr("What you write is continued as it stands. Otherwise it is put to the model as a question.")
        )
        self._template = QPushButton(self.tr("Chat template…"), self)
        self._template.setAccessibleName(self._template.text())
        self._template.setToolTip(self.tr("How a conversation becomes the text that the model reads"))
        self._template.clicked.connect(self.template_asked)
        self._box.addSpacing(10)
        self._box.addWidget(self._template, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_stats(self) -> None:
        self._stats = QCheckBox(self.tr("Figures below each answer"), self)
        self._stats.setAccessibleName(self._stats.text())
        self._stats.toggled.connect(lambda on: self._settings.update(show_stats=on))
        self._box.addSpacing(14)
        self._box.addWidget(self._stats)
        self._explain(self.tr("Tokens, speed and the time to the first token, as measured."))

    def _add_text(self, name: str, label: str, height: int) -> QPlainTextEdit:
        field = QPlainTextEdit(self)
        field.setProperty("kind", "field")
        field.setTabChangesFocus(True)
        field.setFixedHeight(height)
        field.setAccessibleName(label)
        field.textChanged.connect(lambda: self._on_typed(name))
        row = QHBoxLayout()
        row.addWidget(self._label(label, field), 1)
        row.addWidget(self._reset_button(name, label))
        self._box.addSpacing(10)
        self._box.addLayout(row)
        self._box.addWidget(field)
        self._fields[name] = field
        return field

    def _add_number(self, name: str, label: str, field: NumberField, words: str) -> None:
        field.setParent(self)
        field.changed.connect(lambda value: self._answers.change({name: value}))
        field.setFixedWidth(FIELD_WIDTH)
        field.setAccessibleName(label)
        field.setAccessibleDescription(words)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self._label(label, field), 1)
        row.addWidget(self._reset_button(name, label))
        row.addWidget(field)
        self._box.addSpacing(10)
        self._box.addLayout(row)
        self._explain(words)
        self._fields[name] = field

    def _reset_button(self, name: str, label: str) -> IconButton:
        button = IconButton("refresh", self.tr("%1: back to the preset’s").replace("%1", label), self, size=14)
        button.setFixedSize(24, 24)
        button.clicked.connect(lambda: self._reset(name))
        self._resets[name] = button
        return button

    def _choice(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", "tab")
        button.setCheckable(True)
        return button

    def _label(self, text: str, field: QWidget) -> QLabel:
        label = QLabel(text, self)
        label.setBuddy(field)
        return label

    def _explain(self, words: str) -> MutedLabel:
        label = MutedLabel(words, self, factor=0.86)
        self._box.addWidget(label)
        return label

    # What is shown and asked --------------------------------------------------------------------------------------

    def _words_of_scope(self) -> str:
        answers = self._answers
        if not answers.is_for_chat:
            return (
                self.tr("For every chat without settings of its own. This one has its own.")
                if answers.is_own
                else self.tr("For every chat without settings of its own.")
            )
        if answers.is_own:
            return self.tr("For this chat alone.")
        return self.tr("This chat uses the settings for all chats until something is changed here.")

    def _show_model(self) -> None:
        ready = self._models.ready
        is_base = ready is not None and not ready.model.chat
        self._completes.setVisible(is_base)
        self._completes_words.setVisible(is_base)
        self._template.setEnabled(ready is not None and not self._models.completes_text)
        self._prompt_words.setText(
            self.tr("The loaded model goes on with a text and does not read a system prompt.")
            if self._models.completes_text
            else self.tr("Read by the model before the conversation.")
        )

    def _show_choices(self) -> None:
        settings = self._settings.value
        for box, is_on in ((self._completes, settings.completes_base), (self._stats, settings.show_stats)):
            blocker = QSignalBlocker(box)
            box.setChecked(is_on)
            blocker.unblock()
        self._show_model()

    def _show_stops_problem(self) -> None:
        field = self._fields["stop"]
        stops = stops_of(field.toPlainText()) if isinstance(field, QPlainTextEdit) else ()
        words = ""
        if len(stops) > MAX_STOPS:
            words = self.tr("There are %1 stop strings; at most %2 can be kept.").replace("%1", number(len(stops)))
            words = words.replace("%2", number(MAX_STOPS))
        elif any(len(stop) > MAX_STOP_CHARS for stop in stops):
            words = self.tr("A stop string has at most %1 characters.").replace("%1", number(MAX_STOP_CHARS))
        self._stops_problem.setText(words)
        self._stops_problem.setVisible(bool(words))
        self._stops_problem.setStyleSheet(f"color: {colors_of(self.palette()).danger};")

    def _on_typed(self, name: str) -> None:
        field = self._fields[name]
        if not isinstance(field, QPlainTextEdit):
            return
        if name == "stop":
            self._show_stops_problem()
            if not self._stops_problem.text():
                self._answers.change({name: stops_of(field.toPlainText())})
        else:
            self._answers.change({name: field.toPlainText()})

    def _show_scope(self, *, is_for_chat: bool) -> None:
        self._answers.show_for_chat(is_for_chat)
        self.refresh()

    def _reset(self, name: str) -> None:
        self.setFocus()  # a field with the focus is left alone
        self._stops_problem.clear()
        self._answers.reset(name)
