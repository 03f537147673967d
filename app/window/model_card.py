"""One model of the library as a card: what it is, what it takes, and what can be done with it.

Shows what it is told; what its buttons mean is decided by whoever listens.
"""

from PySide6.QtCore import QCoreApplication, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.window.error_card import ErrorCard
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.model_control import Task
from app.window.theme import colors_of, scaled
from app.window.wording import format_words, licence_words, number, parameters_words, percent, progress_words, size
from engine.messages import ModelInfo


class Card(QFrame):
    """A raised surface with rounded corners; `is_marked` gives it an edge in the accent colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_marked = False

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colors.raised))
        painter.setPen(QPen(QColor(colors.accent if self.is_marked else colors.border), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 11, 11)
        painter.end()


class ProgressLine(QWidget):
    """A phase in words, a bar, and a button that cancels, or says in `stop_words` what it does."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None, stop_words: str = "") -> None:
        super().__init__(parent)
        self._words = MutedLabel(parent=self, factor=0.9)
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._cancel = QPushButton(stop_words or self.tr("Cancel"), self)
        self._cancel.setAccessibleName(stop_words or self.tr("Cancel"))
        self._cancel.setProperty("kind", "plain" if stop_words else "quiet")
        self._cancel.clicked.connect(self.cancelled)
        words = QVBoxLayout()
        words.setSpacing(5)
        words.addWidget(self._words)
        words.addWidget(self._bar)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addLayout(words, 1)
        row.addWidget(self._cancel, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_task(self, task: Task, more: str = "") -> None:
        """`more` is said beside the phase."""
        words = progress_words(task.progress)
        words = f"{words} · {more}" if more else words
        self._words.setText(words)
        self._bar.setAccessibleName(words)
        share = percent(task.progress) if task.progress else None
        self._bar.setRange(0, 0 if share is None else 100)
        self._bar.setValue(share or 0)


class ModelCard(Card):
    load_clicked = Signal(str)
    cancel_clicked = Signal()
    remove_clicked = Signal(str)
    licence_clicked = Signal(str)

    def __init__(self, model: ModelInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._name = QLabel(self)
        self._name.setFont(scaled(self.font(), 1.1, weight=QFont.Weight.DemiBold))
        self._name.setWordWrap(True)
        self._facts = MutedLabel(parent=self)
        self._description = QLabel(self)
        self._loaded = MutedLabel(parent=self)
        self._description.setWordWrap(True)
        for label in (self._name, self._description):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._load = self._button(self.tr("Load"), "plain")
        self._load.clicked.connect(lambda: self.load_clicked.emit(self._model.model_id))
        self._remove = self._button(self.tr("Remove…"), "quiet")
        self._remove.clicked.connect(lambda: self.remove_clicked.emit(self._model.model_id))
        self._licence = self._button(self.tr("Read the licence"), "quiet")
        self._licence.clicked.connect(lambda: self.licence_clicked.emit(self._model.model_id))
        self._progress = ProgressLine(self)
        self._progress.cancelled.connect(self.cancel_clicked)
        self._error: ErrorCard | None = None
        self._tick = IconLabel("check", "good", 18, self)

        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(self._name)
        words.addWidget(self._facts)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(IconLabel("model", "accent", 24, self), 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        head.addWidget(self._tick, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._load, 0, Qt.AlignmentFlag.AlignTop)
        self._lower = QVBoxLayout()
        self._lower.setContentsMargins(36, 0, 0, 0)
        self._lower.setSpacing(8)
        self._lower.addWidget(self._description)
        self._lower.addWidget(self._loaded)
        self._lower.addWidget(self._progress)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(22, 0, 0, 0)
        buttons.addWidget(self._licence)
        buttons.addWidget(self._remove)
        buttons.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 15, 16, 9)
        box.setSpacing(9)
        box.addLayout(head)
        box.addLayout(self._lower)
        box.addLayout(buttons)

    def show_model(
        self,
        model: ModelInfo,
        *,
        is_loaded: bool,
        loaded_words: str,
        loading: Task | None,
        error: ErrorText | None,
        can_read_licence: bool,
    ) -> None:
        self._model = model
        self._name.setText(model.name)
        self._facts.setText(facts_words(model))
        self._description.setText(self._describe(model))
        self._description.setVisible(bool(self._description.text()))
        self._loaded.setText(loaded_words)
        self._loaded.setVisible(is_loaded and bool(loaded_words))
        self._tick.setVisible(is_loaded)
        self._tick.setToolTip(self.tr("Loaded"))
        self._load.setVisible(not is_loaded and loading is None)
        self._load.setAccessibleName(self.tr("Load %1").replace("%1", model.name))
        self._remove.setVisible(model.state == "packed")
        self._remove.setEnabled(loading is None)
        self._remove.setAccessibleName(self.tr("Remove %1").replace("%1", model.name))
        self._licence.setVisible(can_read_licence)
        self._progress.setVisible(loading is not None)
        if loading is not None:
            self._progress.show_task(loading)
        self._show_error(error)
        self.is_marked = is_loaded
        self.update()

    def _show_error(self, error: ErrorText | None) -> None:
        if (self._error.text if self._error else None) == error:
            return
        if self._error is not None:
            self._lower.removeWidget(self._error)
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if error is not None:
            self._error = ErrorCard(error, (), "", self)
            self._lower.addWidget(self._error)

    def _describe(self, model: ModelInfo) -> str:
        if model.note == "starter":
            return starter_words(model) + " " + self.tr("It is there to try Ember with.")
        if not model.chat:
            return self.tr("A base model: it continues text and was not taught to hold a conversation.")
        return ""

    def _button(self, text: str, kind: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", kind)
        return button


def facts_words(model: ModelInfo) -> str:
    """Family, size and format of a model in one line."""
    parts = [model.family] if model.family else []
    if model.n_parameters:
        parts.append(parameters_words(model.n_parameters))
    parts.append(size(model.size_bytes))
    parts.append(format_words(model))
    if model.context_tokens:
        parts.append(_tr("context of %1 tokens").replace("%1", number(model.context_tokens)))
    parts.append(licence_words(model.licence))
    return " · ".join(parts)


def starter_words(model: ModelInfo) -> str:
    """What the embedded model is, plainly."""
    text = _tr("A small English starter model, weak at reasoning and arithmetic, %1.")
    return text.replace("%1", licence_words(model.licence))


def _tr(text: str) -> str:
    return QCoreApplication.translate("ModelCard", text)
