"""The model page: what is in the library, what is being imported, and how to get more in.

Owns the arrangement and its updates; what buttons mean is decided by ModelControl, and questions are asked by
whoever assembles the window.
"""

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QFont, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.window.column import lay_in_column
from app.window.error_card import ErrorCard
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.model_card import Card, ModelCard, ProgressLine
from app.window.model_control import READY, ModelControl, Task
from app.window.theme import scaled
from app.window.transcript.transcript_view import COLUMN_WIDTH
from app.window.wording import number, size
from engine.messages import ModelReady

NARROW_HEAD = 640  # below this width what imports models has a row of its own


class ModelsPage(QScrollArea):
    back_clicked = Signal()
    import_clicked = Signal()
    folder_clicked = Signal()
    remove_asked = Signal(str)
    licence_asked = Signal(str)

    def __init__(
        self, models: ModelControl, library: Path, licences: tuple[str, ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._models = models
        self._licences = licences
        self._cards: dict[str, ModelCard] = {}
        self._imports: dict[str, ImportCard] = {}
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Models"))

        back = IconButton("back", self.tr("Back to the conversation"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Models"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        self._format = QComboBox(self)
        self._format.setAccessibleName(self.tr("Weight format of imported models"))
        self._format.addItem(self.tr("Precision by model size"), "")
        self._format.addItem(self.tr("8 bits per weight"), "int8")
        self._format.addItem(self.tr("4 and 8 bits per weight"), "mixed")
        self._format.addItem(self.tr("4 bits per weight"), "int4")
        self._format.setToolTip(
            self.tr("How precisely an imported model's weights are kept.")
            + "\n"
            + self.tr("4 bits take half the memory and lose a little; 4 and 8 bits keep more where it matters.")
            + "\n"
            + self.tr("By model size: 8 bits, and 4 and 8 bits from a billion weights.")
        )
        self._import = QPushButton(self.tr("Import GGUF…"), self)
        self._import.setAccessibleName(self.tr("Import a GGUF file"))
        self._import.setProperty("kind", "primary")
        self._import.clicked.connect(self.import_clicked)
        self._import_folder = QPushButton(self.tr("Import a folder…"), self)
        self._import_folder.setAccessibleName(self.tr("Import a model's folder"))
        self._import_folder.setToolTip(self.tr("A folder with config.json and safetensors files."))
        self._import_folder.clicked.connect(self.folder_clicked)
        name_row = QHBoxLayout()
        name_row.setSpacing(8)
        name_row.addWidget(back)
        name_row.addWidget(title, 1)
        name_row.addWidget(self._format)
        tools = QHBoxLayout()
        tools.setSpacing(8)
        tools.addWidget(self._import_folder)
        tools.addWidget(self._import)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head.setSpacing(8)
        self._head.addLayout(name_row, 1)
        self._head.addLayout(tools)
        hint = MutedLabel(
            self.tr("Drop .gguf files or a model's folder anywhere on this window; they stay where they are.")
        )
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        self._import_list = QVBoxLayout()
        self._import_list.setSpacing(12)
        folder = QPushButton(self.tr("Open the library's folder"), self)
        folder.setAccessibleName(self.tr("Open the library's folder"))
        folder.setToolTip(str(library))
        folder.setProperty("kind", "inline")
        folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(library))))

        box = QVBoxLayout()
        box.setContentsMargins(0, 16, 0, 24)
        box.setSpacing(12)
        box.addLayout(self._head)
        box.addWidget(hint)
        box.addLayout(self._import_list)
        box.addLayout(self._list)
        box.addWidget(folder, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        lay_in_column(self, box, COLUMN_WIDTH)
        models.changed.connect(self.refresh)
        self.refresh()

    @property
    def weight_format(self) -> str:
        return str(self._format.currentData())

    def resizeEvent(self, event: QResizeEvent) -> None:
        direction = QBoxLayout.Direction
        self._head.setDirection(direction.TopToBottom if self.width() < NARROW_HEAD else direction.LeftToRight)
        super().resizeEvent(event)

    def refresh(self) -> None:
        self._show_models()
        self._show_imports()

    def _show_models(self) -> None:
        models = self._models
        known = {model.model_id for model in models.models}
        for model_id in [i for i in self._cards if i not in known]:
            _discard(self._list, self._cards.pop(model_id))
        ready = models.ready
        for position, model in enumerate(models.models):
            card = self._cards.get(model.model_id)
            if card is None:
                card = self._cards[model.model_id] = ModelCard(model, self)
                card.load_clicked.connect(models.load)
                card.cancel_clicked.connect(models.cancel_load)
                card.remove_clicked.connect(self.remove_asked)
                card.licence_clicked.connect(self.licence_asked)
            if self._list.indexOf(card) != position:
                self._list.insertWidget(position, card)
            loading = models.loading
            is_loaded = ready is not None and ready.model.model_id == model.model_id and models.state == READY
            error = models.load_error
            card.show_model(
                model,
                is_loaded=is_loaded,
                loaded_words=self._loaded_words(ready) if ready and is_loaded else "",
                loading=loading if loading is not None and loading.subject == model.model_id else None,
                error=error[1] if error and error[0] == model.model_id else None,
                can_read_licence=model.note == "starter" and model.licence.lower() in self._licences,
            )

    def _show_imports(self) -> None:
        tasks = {task.request_id: task for task in self._models.imports}
        for request_id in [i for i in self._imports if i not in tasks]:
            _discard(self._import_list, self._imports.pop(request_id))
        for request_id, task in tasks.items():
            if request_id not in self._imports:
                card = self._imports[request_id] = ImportCard(self)
                card.closed.connect(lambda i=request_id: self._models.cancel_import(i))
                self._import_list.addWidget(card)
            self._imports[request_id].show_task(task)

    def _loaded_words(self, ready: ModelReady) -> str:
        parts = []
        if ready.memory_bytes:
            parts.append(self.tr("%1 of memory").replace("%1", size(ready.memory_bytes)))
        if ready.n_threads:
            parts.append(self.tr("threads: %1").replace("%1", number(ready.n_threads)))
        parts.append(self.tr("reads up to %1 tokens").replace("%1", number(ready.context_tokens)))
        return self.tr("Loaded: %1").replace("%1", ", ".join(parts))


class ImportCard(Card):
    """A file on its way into the library."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = QLabel(self)
        self._name.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._name.setWordWrap(True)
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._line = ProgressLine(self)
        self._line.cancelled.connect(self.closed)
        self._error: ErrorCard | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(16, 12, 12, 12)
        self._box.setSpacing(8)
        self._box.addWidget(self._name)
        self._box.addWidget(self._line)

    def show_task(self, task: Task) -> None:
        self._name.setText(self.tr("Importing %1").replace("%1", Path(task.subject).name))
        if task.error is None:
            self._line.show_task(task)
            return
        self._name.setText(self.tr("%1 was not imported").replace("%1", Path(task.subject).name))
        self._line.hide()
        if self._error is None:
            self._error = ErrorCard(task.error, ((self.tr("Close"), self.closed.emit),), "", self)
            self._box.addWidget(self._error)


def _discard(layout: QVBoxLayout, widget: QWidget) -> None:
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()
