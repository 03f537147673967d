"""Choosing a model: a list below the model's name in the bar, narrowed by typing, with what loading would take.

Shows what ModelControl and MemoryEstimates know, the models used last first. What loading, unloading and cancelling
mean is decided by ModelControl.
"""

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.language import in_a_row
from app.window.chat_control import ChatControl
from app.window.labels import MutedLabel, name_tools
from app.window.memory_estimates import MemoryEstimates
from app.window.memory_words import estimate_words, fits, room_words, truth_words
from app.window.model_card import ProgressLine
from app.window.model_control import ASLEEP, LOADING, MEASURING, READY, STOPPED, ModelControl
from app.window.theme import colors_of, scaled
from app.window.wording import breakable, format_words, lined, parameters_words, progress_words, size
from app.window.zoom import zoomed
from engine.messages import ModelInfo

WIDTH = 480
LIST_HEIGHT = 264
ROW_HEIGHT = 50
MODEL_ID, NAME, FACTS, STATE, COLOR = (Qt.ItemDataRole.UserRole + number for number in range(1, 6))


class ModelPicker(QFrame):
    models_clicked = Signal()

    def __init__(
        self, models: ModelControl, estimates: MemoryEstimates, chat: ChatControl, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._models = models
        self._estimates = estimates
        self._chat = chat
        self._awaited = ""
        self.setAccessibleName(self.tr("Choose a model"))
        self.filter = QLineEdit(self)
        self.filter.setPlaceholderText(self.tr("Type to find a model"))
        self.filter.setAccessibleName(self.tr("Find a model"))
        self.filter.setClearButtonEnabled(True)
        name_tools(self.filter)
        self.filter.textChanged.connect(lambda: self._fill())
        self.filter.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Models on this computer"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setItemDelegate(_RowDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMouseTracking(True)
        self.list.viewport().setAutoFillBackground(False)
        self.list.currentItemChanged.connect(lambda: self._on_current())
        self.list.itemActivated.connect(lambda: self.load())
        self._none = MutedLabel(parent=self)
        self._memory = MutedLabel(parent=self, factor=0.93)
        self._warning = QLabel(self)
        self._warning.setWordWrap(True)
        self._warning.setTextFormat(Qt.TextFormat.PlainText)
        self._warning.setFont(scaled(self.font(), 0.93))
        self._progress = ProgressLine(self)
        self._progress.cancelled.connect(models.cancel_load)
        self.all_button = self._button(self.tr("All models…"), "quiet", self._show_all)
        self.unload_button = self._button(self.tr("Unload"), "plain", models.unload)
        self.load_button = self._button(self.tr("Load"), "primary", self.load)
        self._lay_out()
        models.changed.connect(self._on_changed)
        estimates.changed.connect(self._on_changed)
        chat.state_changed.connect(self._on_changed)

    def open_below(self, anchor: QWidget) -> None:
        """Open with everything listed; the keyboard is where one types."""
        self.filter.clear()
        self._fill()
        self._select(self._models.current)
        self.setFixedWidth(min(zoomed(WIDTH), max(zoomed(300), anchor.window().width() - 24)))
        self.adjustSize()
        window = anchor.window()
        left = min(
            anchor.mapToGlobal(QPoint(0, 0)).x(), window.mapToGlobal(QPoint(window.width(), 0)).x() - self.width() - 12
        )
        self.move(left, anchor.mapToGlobal(QPoint(0, anchor.height() + 4)).y())
        self.show()
        self.filter.setFocus()
        model_id = self.current_id
        if model_id:
            self._estimates.ask_again(model_id)

    @property
    def current_id(self) -> str:
        """Of the model that is marked; empty where none is."""
        item = self.list.currentItem()
        return str(item.data(MODEL_ID)) if item is not None else ""

    def load(self) -> None:
        """Load the model that is marked, unless it is."""
        model_id = self.current_id
        if model_id and self.load_button.isEnabled() and not self.load_button.isHidden():
            self._awaited = model_id
            self._models.load(model_id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list while one types."""
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.load()
                return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setBrush(QColor(colors.raised))
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    # Assembly -----------------------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.all_button)
        buttons.addStretch(1)
        buttons.addWidget(self.unload_button)
        buttons.addWidget(self.load_button)
        self._foot = QVBoxLayout()
        self._foot.setContentsMargins(4, 4, 4, 0)
        self._foot.setSpacing(5)
        for part in (self._memory, self._warning, self._progress):
            self._foot.addWidget(part)
        self._foot.addLayout(buttons)
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 10, 10, 10)
        box.setSpacing(8)
        box.addWidget(self.filter)
        box.addWidget(self._none)
        box.addWidget(self.list)
        box.addLayout(self._foot)

    def _button(self, text: str, kind: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", kind)
        button.clicked.connect(lambda: run())  # type: ignore[operator]
        return button

    # What is shown ------------------------------------------------------------------------------------------------

    def _on_changed(self) -> None:
        if not self.isVisible():
            return
        if self._awaited and self._models.state == READY and self._is_loaded(self._awaited):
            self._awaited = ""
            self.hide()
            return
        self._fill()

    def _fill(self) -> None:
        """Bring the rows up to date; the marked one stays, else the first is."""
        wanted = self.filter.text().casefold().split()
        found = [m for m in self._models.by_recency() if all(part in _searched(m) for part in wanted)]
        before = self.current_id
        self.list.blockSignals(True)
        if [m.model_id for m in found] != [self.list.item(row).data(MODEL_ID) for row in range(self.list.count())]:
            self.list.clear()
            for model in found:
                item = QListWidgetItem(self.list)
                item.setData(MODEL_ID, model.model_id)
        for row, model in enumerate(found):
            self._show_row(self.list.item(row), model)
        self.list.blockSignals(False)
        self._select(self._models.find(before) if before in [m.model_id for m in found] else None)
        self.list.setFixedHeight(min(zoomed(LIST_HEIGHT), zoomed(ROW_HEIGHT) * len(found) + 4))
        self._none.setVisible(not found)
        self.list.setVisible(bool(found))
        if wanted:
            self._none.setText(self.tr("No model on this computer is called so."))
        else:
            self._none.setText(self.tr("No model is on this computer yet."))
        self._show_current()

    def _show_row(self, item: QListWidgetItem, model: ModelInfo) -> None:
        state, color = self._state_of(model)
        item.setData(NAME, model.name)
        task = self._models.loading
        facts = _facts(model, is_loading=task is not None and task.subject == model.model_id)
        item.setData(FACTS, facts)
        item.setData(STATE, state)
        item.setData(COLOR, color)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{model.name}, {state}, {facts}")
        item.setToolTip(model.name)

    def _state_of(self, model: ModelInfo) -> tuple[str, str]:
        """In words, and the colour of its dot."""
        models, task = self._models, self._models.loading
        if task is not None and task.subject == model.model_id:
            return (progress_words(task.progress) if task.progress else self.tr("loading…")), "accent"
        if self._is_loaded(model.model_id):
            if models.state == MEASURING:
                return self.tr("busy: it is being measured"), "accent"
            return (self.tr("answering"), "good") if self._chat.answering is not None else (self.tr("loaded"), "good")
        is_current = models.current is not None and models.current.model_id == model.model_id
        if models.state == ASLEEP and is_current:
            return self.tr("asleep: the next message loads it"), "muted"
        return (self.tr("on disk") if model.state == "packed" else self.tr("not prepared yet")), "muted"

    def _is_loaded(self, model_id: str) -> bool:
        ready = self._models.ready
        return ready is not None and ready.model.model_id == model_id and self._models.loading is None

    def _on_current(self) -> None:
        if self.current_id:
            self._estimates.ask(self.current_id)
        self._show_current()

    def _show_current(self) -> None:
        """What the marked model takes, and what can be done with it."""
        model_id, models = self.current_id, self._models
        task = models.loading
        is_loading = task is not None and task.subject == model_id
        is_loaded = bool(model_id) and self._is_loaded(model_id)
        self._progress.setVisible(is_loading)
        if task is not None and is_loading:
            self._progress.show_task(task)
        words, warning = self._memory_words(model_id, is_loaded=is_loaded)
        self._memory.setText(lined(words))
        self._memory.setVisible(bool(words))
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))
        self._warning.setStyleSheet(f"color: {colors_of(self.palette()).danger};")
        self.unload_button.setVisible(is_loaded)
        self.unload_button.setEnabled(models.state == READY and self._chat.answering is None)
        self.load_button.setVisible(bool(model_id) and not is_loaded and not is_loading)
        self.load_button.setEnabled(models.state not in (MEASURING, STOPPED))
        is_other = models.ready is not None and not is_loaded
        self.load_button.setText(self.tr("Load instead") if is_other else self.tr("Load"))
        self.load_button.setAccessibleName(self.load_button.text())
        self.adjustSize()

    def _memory_words(self, model_id: str, *, is_loaded: bool) -> tuple[str, str]:
        """What there is to say, and what to be warned of."""
        ready, error = self._models.ready, self._models.load_error
        if error is not None and error[0] == model_id:
            return "", in_a_row(error[1].cause, error[1].action)
        if ready is not None and is_loaded:
            return truth_words(ready)[:1].upper() + truth_words(ready)[1:], ""
        estimate, problem = self._estimates.of(model_id), self._estimates.error_of(model_id)
        if problem is not None:
            return "", breakable(in_a_row(problem.cause, problem.action))
        if not model_id:
            return "", ""
        if estimate is None:
            if self._chat.answering is not None or self._models.state == LOADING:
                return self.tr("What it takes of memory is reckoned once the engine is free."), ""
            return self.tr("Reckoning what it takes of memory…"), ""
        room = room_words(estimate)
        if not fits(estimate):
            return estimate_words(estimate), room
        return in_a_row(estimate_words(estimate), room), ""

    def _select(self, model: ModelInfo | None) -> None:
        rows = [
            row for row in range(self.list.count()) if model and self.list.item(row).data(MODEL_ID) == model.model_id
        ]
        if self.list.count():
            self.list.setCurrentRow(rows[0] if rows else 0)

    def _show_all(self) -> None:
        self.hide()
        self.models_clicked.emit()


class _RowDelegate(QStyledItemDelegate):
    """A row of two lines: name and state, facts below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(zoomed(200), zoomed(ROW_HEIGHT))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        colors = colors_of(option.palette)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        font: QFont = option.font
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        is_marked = bool(state & QStyle.StateFlag.State_Selected)
        if is_marked or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QPen(QColor(colors.accent), 1) if is_marked else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.hover))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 7, 7)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(colors, str(index.data(COLOR)))))
        upper = rect.adjusted(zoomed(26), zoomed(6), -zoomed(10), -rect.height() // 2)
        lower = rect.adjusted(zoomed(26), rect.height() // 2, -zoomed(10), -zoomed(6))
        painter.drawEllipse(QPointF(rect.left() + zoomed(14), upper.center().y() + 1), 4, 4)
        painter.setFont(font)
        painter.setPen(QColor(colors.muted))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(str(index.data(STATE)), Qt.TextElideMode.ElideRight, upper.width() * 3 // 5)
        align = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(upper, align | Qt.AlignmentFlag.AlignRight, shown)
        room = upper.width() - metrics.horizontalAdvance(shown) - zoomed(12)
        painter.drawText(
            lower, align, metrics.elidedText(str(index.data(FACTS)), Qt.TextElideMode.ElideRight, lower.width())
        )
        painter.setFont(scaled(font, 1.0, weight=QFont.Weight.DemiBold))
        painter.setPen(QColor(colors.text))
        name = painter.fontMetrics().elidedText(str(index.data(NAME)), Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(upper, align, name)
        painter.restore()


def _facts(model: ModelInfo, *, is_loading: bool) -> str:
    parts = [parameters_words(model.n_parameters)] if model.n_parameters else []
    parts += [size(model.size_bytes), format_words(model, is_loading=is_loading)]
    return " · ".join(parts)


def _searched(model: ModelInfo) -> str:
    return f"{model.name} {model.model_id} {model.family} {model.weight_format}".casefold()
