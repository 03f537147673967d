"""One model of the library as a card: what it is, what it takes, and what can be done with it.

Shows what it is told; what its buttons mean is decided by whoever listens.
"""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.language import in_a_row
from app.window.error_card import ErrorCard
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.model_control import Task
from app.window.models.flow import FlowLayout
from app.window.theme import colors_of, scaled
from app.window.wording import (
    breakable,
    format_words,
    licence_words,
    lined,
    number,
    parameters_words,
    percent,
    progress_words,
    size,
    tied,
)
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

    def show_share(self, words: str, share: float | None) -> None:
        """What is under way and how much of it is done; None while nobody knows."""
        self._words.setText(words)
        self._bar.setAccessibleName(words)
        self._bar.setRange(0, 0 if share is None else 1000)
        self._bar.setValue(round(1000 * (share or 0.0)))


@dataclass(frozen=True, slots=True)
class CardState:
    """What is going on with a model of the library.

    loaded_words   empty where it is not loaded; `loading` is under way
    origin         where it came from
    can_read       "card" of its publisher, "licence" that comes with Ember, or nothing
    update         empty, or what is newer on the hub
    folders        that it could be moved to
    moving         (words, share or None) of a move; `move_error` why one failed
    memory         what loading would take; `is_too_large` where more than is free
    is_away        its drive is not connected: there is nothing that could be done with it now
    """

    is_loaded: bool = False
    loaded_words: str = ""
    loading: Task | None = None
    error: ErrorText | None = None
    origin: str = ""
    can_read: str = ""
    update: str = ""
    is_updating: bool = False
    folders: tuple[str, ...] = ()
    moving: tuple[str, float | None] | None = None
    move_error: ErrorText | None = None
    is_leaving: bool = False
    can_leave: bool = True
    is_away: bool = False
    memory: str = ""
    is_too_large: bool = False


class ModelCard(Card):
    load_clicked = Signal(str)
    cancel_clicked = Signal()
    remove_clicked = Signal(str)
    licence_clicked = Signal(str)
    card_clicked = Signal(str)
    update_clicked = Signal(str)
    move_clicked = Signal(str, str)
    """Id, and a folder of the library."""

    move_cancelled = Signal(str)

    def __init__(self, model: ModelInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._name = QLabel(self)
        self._name.setFont(scaled(self.font(), 1.1, weight=QFont.Weight.DemiBold))
        self._name.setWordWrap(True)
        self._facts = MutedLabel(parent=self)
        self._description = QLabel(self)
        self._loaded = MutedLabel(parent=self)
        self._memory = MutedLabel(parent=self, factor=0.93)
        self._too_large = QLabel(self)
        self._too_large.setWordWrap(True)
        self._too_large.setTextFormat(Qt.TextFormat.PlainText)
        self._too_large.setFont(scaled(self.font(), 0.93))
        self._description.setWordWrap(True)
        for label in (self._name, self._description):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self._load = self._button(self.tr("Load"), "plain")
        self._load.clicked.connect(lambda: self.load_clicked.emit(self._model.model_id))
        self._remove = self._button(self.tr("Move to the trash"), "quiet")
        self._remove.clicked.connect(lambda: self.remove_clicked.emit(self._model.model_id))
        self._licence = self._button(self.tr("Read the licence"), "quiet")
        self._licence.clicked.connect(lambda: self.licence_clicked.emit(self._model.model_id))
        self._card = self._button(self.tr("Card and licence"), "quiet")
        self._card.clicked.connect(lambda: self.card_clicked.emit(self._model.model_id))
        self._move = self._button(self.tr("Move to"), "quiet")
        self._folders = QMenu(self._move)
        self._move.setMenu(self._folders)
        self._shown_folders: tuple[str, ...] = ()
        self._origin = MutedLabel(parent=self, factor=0.93)
        self._update_words = QLabel(self)
        self._update_words.setWordWrap(True)
        self._update_words.setTextFormat(Qt.TextFormat.PlainText)
        self._update = self._button(self.tr("Fetch the update"), "plain")
        self._update.clicked.connect(lambda: self.update_clicked.emit(self._model.model_id))
        self._moving = ProgressLine(self)
        self._moving.cancelled.connect(lambda: self.move_cancelled.emit(self._model.model_id))
        self._move_error: ErrorCard | None = None
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
        self._lower.addWidget(self._origin)
        self._lower.addWidget(self._memory)
        self._lower.addWidget(self._too_large)
        self._lower.addWidget(self._loaded)
        self._lower.addWidget(self._progress)
        self._lower.addWidget(self._moving)
        # In a widget of its own: a layout with nothing shown in it would make the column below the name narrow.
        self._update_row = QWidget(self)
        update = QHBoxLayout(self._update_row)
        update.setContentsMargins(0, 0, 0, 0)
        update.setSpacing(10)
        update.addWidget(self._update_words, 1)
        update.addWidget(self._update)
        self._lower.addWidget(self._update_row)
        row = QWidget(self)
        flow = FlowLayout(row, spacing=2)
        for button in (self._card, self._licence, self._move, self._remove):
            flow.addWidget(button)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(22, 0, 0, 0)
        buttons.addWidget(row)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 15, 16, 9)
        box.setSpacing(9)
        box.addLayout(head)
        box.addLayout(self._lower)
        box.addLayout(buttons)

    def show_model(self, model: ModelInfo, state: CardState) -> None:
        self._model = model
        self._name.setText(breakable(model.name))
        self._facts.setText(lined(facts_words(model, is_loading=state.loading is not None)))
        self._description.setText(self._describe(model))
        self._description.setVisible(bool(self._description.text()))
        self._origin.setText(breakable(state.origin))
        self._origin.setVisible(bool(state.origin))
        self._loaded.setText(state.loaded_words)
        self._loaded.setVisible(state.is_loaded and bool(state.loaded_words))
        self._memory.setText(lined(state.memory))
        self._memory.setVisible(bool(state.memory) and not state.is_too_large)
        self._too_large.setText(tied(state.memory))
        self._too_large.setVisible(bool(state.memory) and state.is_too_large)
        self._too_large.setStyleSheet(f"color: {colors_of(self.palette()).danger};")
        self._tick.setVisible(state.is_loaded)
        self._tick.setToolTip(self.tr("Loaded"))
        loading = state.loading
        is_busy = loading is not None or state.moving is not None or state.is_leaving
        self._load.setVisible(not state.is_loaded and loading is None and not state.is_away)
        self._load.setEnabled(not is_busy)
        self._load.setAccessibleName(self.tr("Load %1").replace("%1", model.name))
        self._remove.setVisible(state.can_leave)
        self._remove.setEnabled(not is_busy)
        self._remove.setAccessibleName(self.tr("Move %1 to the trash").replace("%1", model.name))
        self._licence.setVisible(state.can_read == "licence")
        self._card.setVisible(state.can_read == "card")
        self._card.setAccessibleName(self.tr("Card and licence of %1").replace("%1", model.name))
        self._show_folders(state.folders if state.can_leave else ())
        self._move.setEnabled(not is_busy)
        self._move.setAccessibleName(self.tr("Move %1 to another folder").replace("%1", model.name))
        self._update_words.setText(state.update)
        self._update_row.setVisible(bool(state.update))
        self._update.setVisible(bool(state.update) and not state.is_updating)
        self._update.setAccessibleName(self.tr("Fetch the update of %1").replace("%1", model.name))
        self._progress.setVisible(loading is not None)
        if loading is not None:
            self._progress.show_task(loading)
        self._moving.setVisible(state.moving is not None)
        if state.moving is not None:
            self._moving.show_share(*state.moving)
        self._show_error(state.error)
        self._show_move_error(state.move_error)
        self.is_marked = state.is_loaded
        self.setAccessibleName(model.name)
        self.update()

    def _show_folders(self, folders: tuple[str, ...]) -> None:
        self._move.setVisible(len(folders) > 1)
        if folders != self._shown_folders:
            self._shown_folders = folders
            self._folders.clear()
            for folder in folders:
                action = self._folders.addAction(folder.replace("&", "&&"))
                action.triggered.connect(lambda _=False, f=folder: self.move_clicked.emit(self._model.model_id, f))

    def _show_move_error(self, error: ErrorText | None) -> None:
        if (self._move_error.text if self._move_error else None) == error:
            return
        if self._move_error is not None:
            self._lower.removeWidget(self._move_error)
            self._move_error.hide()
            self._move_error.deleteLater()
            self._move_error = None
        if error is not None:
            close = (self.tr("Close"), lambda: self.move_cancelled.emit(self._model.model_id))
            self._move_error = ErrorCard(error, (close,), "", self)
            self._lower.addWidget(self._move_error)

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
            return in_a_row(starter_words(model), self.tr("It is there to try Ember with."))
        if not model.chat:
            return self.tr("A base model: it continues text and was not taught to hold a conversation.")
        return ""

    def _button(self, text: str, kind: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", kind)
        return button


def facts_words(model: ModelInfo, *, is_loading: bool = False) -> str:
    """Family, size and format of a model in one line."""
    parts = [model.family] if model.family else []
    if model.n_parameters:
        parts.append(parameters_words(model.n_parameters))
    parts.append(size(model.size_bytes))
    parts.append(format_words(model, is_loading=is_loading))
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
