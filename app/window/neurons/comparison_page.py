"""Two answers to one prompt beside each other: exact, and a tier's, with the token marked at which they part.

Owns the arrangement, the words about the two answers, and that both scroll together. What is compared is decided by
ComparisonControl.
"""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFont,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.neuron_words import tier_name
from app.window.column import lay_in_column
from app.window.error_card import ErrorCard
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.model_card import ProgressLine
from app.window.model_control import MEASURING, ModelControl
from app.window.neurons.comparison_control import Asked, ComparisonControl
from app.window.theme import colors_of, scaled
from app.window.wording import breakable, number
from engine.neuron_reports import Comparison

COLUMN_WIDTH = 1100
NARROW = 640  # below this width the answers stand below each other
PROMPT_HEIGHT = 66
LEAST_TEXT_HEIGHT = 190
LONGEST_QUOTE = 24


class ComparisonPage(QScrollArea):
    back_clicked = Signal()

    def __init__(self, comparison: ComparisonControl, models: ModelControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self._models = models
        self._error: ErrorCard | None = None
        self._asked: Asked | None = None
        self._shown: Comparison | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Compare answers"))
        back = IconButton("back", self.tr("Back to where you came from"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Compare answers"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(back)
        head.addWidget(title, 1)
        self._about = MutedLabel(parent=self)
        self._prompt = PromptField(self)
        self._prompt.setAccessibleName(self.tr("Prompt to compare answers to"))
        self._prompt.setPlaceholderText(self.tr("For example: Explain how rain forms"))
        self._prompt.textChanged.connect(self._show_controls)
        self._prompt.sent.connect(self._compare)
        self._tier = QComboBox(self)
        self._tier.setAccessibleName(self.tr("Tier to compare with exact"))
        self._go = QPushButton(self.tr("Compare"), self)
        self._go.setAccessibleName(self.tr("Compare exact with the tier"))
        self._go.setProperty("kind", "primary")
        self._go.clicked.connect(self._compare)
        tools = QHBoxLayout()
        tools.setSpacing(8)
        tools.addWidget(MutedLabel(self.tr("exact against"), self, wraps=False))
        tools.addWidget(self._tier)
        tools.addStretch(1)
        tools.addWidget(self._go)
        self._line = ProgressLine(self)
        self._line.cancelled.connect(comparison.cancel)
        self._meanwhile = MutedLabel(parent=self, factor=0.93)
        self._errors = QVBoxLayout()
        self._verdict = QLabel(self)
        self._verdict.setTextFormat(Qt.TextFormat.PlainText)
        self._verdict.setWordWrap(True)
        self._verdict.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._facts = MutedLabel(parent=self, factor=0.93)
        self._panes = QWidget(self)
        self.exact, self.other = AnswerPane(self._panes), AnswerPane(self._panes)
        self.exact.scroll_with(self.other)
        self.other.scroll_with(self.exact)
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._panes)
        self._beside.setContentsMargins(0, 4, 0, 0)
        self._beside.setSpacing(14)
        self._beside.addWidget(self.exact, 1)
        self._beside.addWidget(self.other, 1)
        box = QVBoxLayout()
        box.setContentsMargins(0, 16, 0, 24)
        box.setSpacing(10)
        box.addLayout(head)
        for widget in (self._about, self._prompt):
            box.addWidget(widget)
        box.addLayout(tools)
        box.addWidget(self._line)
        box.addWidget(self._meanwhile)
        box.addLayout(self._errors)
        box.addWidget(self._verdict)
        box.addWidget(self._facts)
        box.addWidget(self._panes, 1)
        self._filler = QWidget(self)
        box.addWidget(self._filler, 1)
        lay_in_column(self, box, COLUMN_WIDTH)
        comparison.changed.connect(self.refresh)
        comparison.compared.connect(self._announce)
        self.refresh()

    def take_focus(self) -> None:
        self._prompt.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_narrow = self.width() < NARROW
        direction = QBoxLayout.Direction
        self._beside.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        super().resizeEvent(event)

    def refresh(self) -> None:
        comparison = self._comparison
        if comparison.asked is not self._asked and comparison.asked is not None:
            self._asked = comparison.asked
            self._prompt.setPlainText(comparison.asked.prompt)
        self._show_controls()
        self._line.setVisible(comparison.task is not None)
        self._meanwhile.setVisible(comparison.task is not None)
        if comparison.task is not None:
            self._line.show_task(comparison.task)
            self._meanwhile.setText(self._meanwhile_words())
        self._show_error()
        self._show_comparison()

    # Parts --------------------------------------------------------------------------------------------------------

    def _show_controls(self) -> None:
        tiers = self._comparison.tiers
        if [self._tier.itemData(i) for i in range(self._tier.count())] != list(tiers):
            self._tier.clear()
            for tier in tiers:
                self._tier.addItem(tier_name(tier), tier)
        asked = self._comparison.asked
        if asked is not None and self._comparison.task is not None:
            self._tier.setCurrentIndex(self._tier.findData(asked.tier))
        is_busy = self._comparison.task is not None
        self._prompt.setReadOnly(is_busy)
        self._tier.setEnabled(bool(tiers) and not is_busy)
        self._go.setEnabled(bool(tiers) and not is_busy and bool(self._prompt.toPlainText().strip()))
        self._about.setText(breakable(self._about_words()))

    def _about_words(self) -> str:
        ready = self._models.ready
        if ready is None:
            return self.tr("No model is loaded that could answer.")
        if not self._comparison.tiers:
            words = self.tr("%1 has no tier to compare with. The page on neurons measures what it can leave out.")
            return words.replace("%1", ready.model.name)
        asked = self._comparison.asked
        if asked is not None and sum(message.role != "system" for message in asked.messages) > 1:
            return self.tr(
                "Answered after the messages before it in the conversation. A prompt compared here stands alone."
            )
        return self.tr("%1 answers twice with the same seed: exactly, and by a tier.").replace("%1", ready.model.name)

    def _meanwhile_words(self) -> str:
        if self._comparison.is_stopping:
            return self.tr("Stopping…")
        task = self._comparison.task
        if task is not None and task.request_id:
            return self.tr("Both answers are shown when they are finished. Messages sent meanwhile wait.")
        if self._models.state == MEASURING:
            return self.tr("Waits until the engine is free again.")
        return self.tr("Waits until the answer that is being written is finished.")

    def _show_error(self) -> None:
        text = self._comparison.error
        if (self._error.text if self._error else None) == text:
            return
        if self._error is not None:
            self._errors.removeWidget(self._error)
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if text is not None:
            self._error = ErrorCard(text, ((self.tr("Close"), self._comparison.forget_error),), "", self)
            self._errors.addWidget(self._error)

    def _show_comparison(self) -> None:
        comparison, asked = self._comparison.comparison, self._comparison.asked
        is_shown = comparison is not None
        for widget in (self._verdict, self._facts, self._panes):
            widget.setVisible(is_shown)
        self._filler.setVisible(not is_shown)
        if comparison is self._shown or comparison is None or asked is None:
            self._shown = comparison
            return
        self._shown = comparison
        self._verdict.setText(verdict_words(comparison))
        self._facts.setText(breakable(self._facts_words(comparison, asked)))
        at = comparison.diverges_at
        name = tier_name(comparison.tier)
        self.exact.show_answer(self._title(tier_name("exact"), comparison.exact_tokens_per_s), comparison.exact, at)
        self.other.show_answer(self._title(name, comparison.other_tokens_per_s), comparison.other, at)

    def _title(self, name: str, speed: float) -> str:
        words = name[:1].upper() + name[1:]
        return f"{words} · " + self.tr("%1 tokens/s").replace("%1", number(speed, 1)) if speed > 0 else words

    def _facts_words(self, comparison: Comparison, asked: Asked) -> str:
        parts = []
        if comparison.exact_tokens_per_s > 0 and comparison.other_tokens_per_s > 0:
            ratio = comparison.other_tokens_per_s / comparison.exact_tokens_per_s
            words = self.tr("%1 ran at %2 × the speed of exact")
            parts.append(words.replace("%1", tier_name(comparison.tier)).replace("%2", number(ratio, 2)))
        parts.append(self.tr("seed %1").replace("%1", str(asked.seed)))
        longest = max(len(comparison.exact), len(comparison.other))
        if longest >= asked.longest:
            parts.append(self.tr("answers end after %1 tokens at most").replace("%1", number(longest)))
        parts.append(asked.model)
        text = " · ".join(parts)
        return text[:1].upper() + text[1:]

    def _compare(self) -> None:
        tier = self._tier.currentData()
        if tier and self._go.isEnabled():
            self._comparison.compare_prompt(self._prompt.toPlainText(), str(tier))

    def _announce(self) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self._verdict.text()))


class PromptField(QPlainTextEdit):
    """Ctrl+Return sends; Return alone may belong to an input method. Tab goes on to the next control."""

    sent = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.setTabChangesFocus(True)
        self.setFixedHeight(PROMPT_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.sent.emit()
        else:
            super().keyPressEvent(event)


class AnswerPane(QWidget):
    """One answer as plain text, with the token marked at which it leaves the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marked = (0, 0)
        self._follower: AnswerPane | None = None
        self._title = QLabel(self)
        self._title.setFont(scaled(self.font(), 0.96, weight=QFont.Weight.DemiBold))
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "field")
        self.text.setAccessibleName(self.tr("Answer"))
        self.text.setMinimumHeight(LEAST_TEXT_HEIGHT)
        self.text.setTabChangesFocus(True)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.verticalScrollBar().valueChanged.connect(self._lead)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        box.addWidget(self._title)
        box.addWidget(self.text, 1)

    @property
    def marked(self) -> str:
        """The text that is marked; empty where none is."""
        first, last = self._marked
        return self.text.toPlainText()[first:last]

    def scroll_with(self, other: "AnswerPane") -> None:
        """Take the other one along."""
        self._follower = other

    def show_answer(self, title: str, pieces: Sequence[str], diverges_at: int) -> None:
        self._title.setText(title)
        self.text.setAccessibleName(title)
        self.text.setPlainText("".join(pieces))
        first = len("".join(pieces[:diverges_at])) if diverges_at >= 0 else 0
        length = len(pieces[diverges_at]) if 0 <= diverges_at < len(pieces) else 0
        self._marked = (first, first + length)
        self._mark()
        self._show_marked()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark()

    def _mark(self) -> None:
        """Places in the document count UTF-16 units, where those of Python count characters."""
        colors = colors_of(self.palette())
        text = self.text.toPlainText()
        first, last = (len(text[:at].encode("utf-16-le")) // 2 for at in self._marked)
        look = QTextCharFormat()
        look.setBackground(QColor(colors.selection))
        look.setForeground(QColor(colors.text))
        look.setFontUnderline(True)
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        selection = QTextEdit.ExtraSelection()
        selection.format = look
        selection.cursor = cursor
        self.text.setExtraSelections([selection] if last > first else [])

    def _show_marked(self) -> None:
        cursor = QTextCursor(self.text.document())
        text = self.text.toPlainText()
        cursor.setPosition(len(text[: self._marked[0]].encode("utf-16-le")) // 2)
        self.text.setTextCursor(cursor)
        self.text.ensureCursorVisible()

    def _lead(self, value: int) -> None:
        if self._follower is not None and self._follower.text.verticalScrollBar().value() != value:
            self._follower.text.verticalScrollBar().setValue(value)


def verdict_words(comparison: Comparison) -> str:
    """Whether the answers are the same, and where and how they part."""
    at, name = comparison.diverges_at, tier_name(comparison.tier)
    if at < 0:
        words = _tr("Both answers are the same, all %1 tokens of them.")
        return words.replace("%1", number(len(comparison.exact)))
    if at == 0:
        words = _tr("They part at the first token: exact begins with %2, %3 with %4.")
    elif at == 1:
        words = _tr("The first token is the same; then exact goes on with %2, %3 with %4.")
    else:
        words = _tr("The first %1 tokens are the same; then exact goes on with %2, %3 with %4.")
    for place, value in (("%1", number(at)), ("%3", name)):
        words = words.replace(place, value)
    for place, pieces in (("%2", comparison.exact), ("%4", comparison.other)):
        words = words.replace(place, _quoted(pieces[at]) if at < len(pieces) else _tr("its end"))
    return words


def _quoted(piece: str) -> str:
    """A token with what is invisible in it made visible."""
    shown = piece.replace("\n", "↵").replace("\t", "⇥")
    shown = shown if shown.strip() else shown.replace(" ", "␣")
    shown = shown.strip() if len(shown.strip()) <= LONGEST_QUOTE else shown.strip()[:LONGEST_QUOTE] + "…"
    return f"“{shown}”"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ComparisonPage", text)
