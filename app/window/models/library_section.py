"""What is on this computer: the models of the library, what is being imported, the trash, and ways to get more in.

Owns the cards and the row of tools above them. What buttons mean is decided by ModelControl and LibraryControl; dialogs
are opened by the page.
"""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QVBoxLayout, QWidget

from app.catalog_filter import origin_of
from app.device_words import from_disk_words
from app.download_words import trash_words
from app.language import in_a_row
from app.window.device.device_control import words as device_words
from app.window.error_card import ErrorCard
from app.window.labels import MutedLabel
from app.window.memory_estimates import MemoryEstimates
from app.window.memory_words import estimate_words, fits, room_words, truth_words
from app.window.model_card import Card, CardState, ModelCard, ProgressLine
from app.window.model_control import READY, STARTING, STOPPED, ModelControl, Task
from app.window.models.asking import words
from app.window.models.download_control import DownloadControl
from app.window.models.flow import FlowLayout
from app.window.models.library_control import LibraryControl
from app.window.models.network_control import NetworkControl
from app.window.models.problem_card import ErrorPlace
from app.window.theme import scaled
from app.window.wording import number, size
from engine.messages import ModelInfo, ModelReady
from engine.transfer_reports import ModelUpdate


class LibrarySection(QWidget):
    import_clicked = Signal()
    folder_clicked = Signal()
    discover_clicked = Signal()
    open_folder_clicked = Signal()
    adopt_clicked = Signal()
    trash_clicked = Signal()
    licence_asked = Signal(str)

    def __init__(
        self,
        models: ModelControl,
        library: LibraryControl,
        downloads: DownloadControl,
        network: NetworkControl,
        licences: tuple[str, ...],
        estimates: MemoryEstimates,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._estimates = estimates
        self._models, self._library, self._downloads, self._network = models, library, downloads, network
        self._licences = licences
        self.cards: dict[str, ModelCard] = {}
        self.imports: dict[str, ImportCard] = {}
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        self._import_list = QVBoxLayout()
        self._import_list.setSpacing(12)
        self._empty = self._build_empty()
        self._waiting = MutedLabel(self.tr("Reading the library…"), self)
        self._update_error = ErrorPlace(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        box.addWidget(self._build_tools())
        box.addWidget(self._hint)
        box.addWidget(self._update_error)
        box.addLayout(self._import_list)
        box.addWidget(self._waiting)
        box.addWidget(self._empty)
        box.addLayout(self._list)
        box.addWidget(self._build_foot())

    def _build_tools(self) -> QWidget:
        self.format = QComboBox(self)
        self.format.setAccessibleName(self.tr("Weight format of imported models"))
        self.format.addItem(self.tr("Precision by model size"), "")
        self.format.addItem(self.tr("8 bits per weight"), "int8")
        self.format.addItem(self.tr("4 and 8 bits per weight"), "mixed")
        self.format.addItem(self.tr("4 bits per weight"), "int4")
        self.format.setToolTip(
            self.tr("How precisely an imported model's weights are kept.")
            + "\n"
            + self.tr("4 bits take half the memory and lose a little; 4 and 8 bits keep more where it matters.")
            + "\n"
            + self.tr("By model size: 8 bits, and 4 and 8 bits from a billion weights.")
        )
        self.import_button = QPushButton(self.tr("Import GGUF…"), self)
        self.import_button.setAccessibleName(self.tr("Import a GGUF file"))
        self.import_button.clicked.connect(self.import_clicked)
        self.folder_button = QPushButton(self.tr("Import a folder…"), self)
        self.folder_button.setAccessibleName(self.tr("Import a model's folder"))
        self.folder_button.setToolTip(self.tr("A folder with config.json and safetensors files."))
        self.folder_button.clicked.connect(self.folder_clicked)
        self._hint = MutedLabel(
            self.tr("Drop .gguf files or a model's folder anywhere on this window; they stay where they are."), self
        )
        tools = QWidget(self)
        flow = FlowLayout(tools, spacing=8)
        for tool in (self.import_button, self.folder_button, self.format):
            flow.addWidget(tool)
        return tools

    def _build_empty(self) -> Card:
        card = Card(self)
        title = QLabel(self.tr("No model is on this computer yet"), card)
        title.setFont(scaled(self.font(), 1.12, weight=QFont.Weight.DemiBold))
        title.setWordWrap(True)
        text = MutedLabel(
            self.tr("Discover shows models with sparse activations and says, before anything is downloaded, whether "
                    "one fits this computer. A GGUF file or a model's folder can be imported as well."), card,
        )  # fmt: skip
        self.discover_button = QPushButton(self.tr("Discover models"), card)
        self.discover_button.setAccessibleName(self.discover_button.text())
        self.discover_button.setProperty("kind", "primary")
        self.discover_button.clicked.connect(self.discover_clicked)
        box = QVBoxLayout(card)
        box.setContentsMargins(18, 17, 18, 18)
        box.setSpacing(9)
        box.addWidget(title)
        box.addWidget(text)
        box.addWidget(self.discover_button, 0, Qt.AlignmentFlag.AlignLeft)
        return card

    def _build_foot(self) -> QWidget:
        foot = QWidget(self)
        flow = FlowLayout(foot, spacing=4)
        self.updates_button = self._link(self.tr("Check for updates"), self._library.check_updates)
        self.adopt_button = self._link(self.tr("Models of other programs…"), self.adopt_clicked.emit)
        self.open_button = self._link(self.tr("Open the library's folder"), self.open_folder_clicked.emit)
        self.trash_button = self._link(self.tr("Trash"), self.trash_clicked.emit)
        for button in (self.updates_button, self.adopt_button, self.open_button, self.trash_button):
            flow.addWidget(button)
        return foot

    def _link(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", "inline")
        button.clicked.connect(lambda: run())  # type: ignore[operator]
        return button

    # What is shown ------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        self._show_models()
        self._show_imports()
        models, library = self._models, self._library
        self._waiting.setVisible(models.state == STARTING)
        has_none = not (models.models or models.away or self.imports) and models.state not in (STARTING, STOPPED)
        self._empty.setVisible(has_none)
        self._update_error.show_error(library.update_error, self.tr("Try again"), library.check_updates)
        has_hub_models = any(origin_of(model.source) is not None for model in models.models)
        self.updates_button.setVisible(has_hub_models)
        self.updates_button.setEnabled(not library.is_checking and not self._network.is_offline)
        self._name(self.updates_button, self._update_words())
        self.updates_button.setToolTip(self.tr("Ember is offline") if self._network.is_offline else "")
        self.open_button.setToolTip("\n".join(library.folders))
        self.trash_button.setVisible(bool(library.trash))
        self._name(self.trash_button, trash_words(library.trash, words))

    def _update_words(self) -> str:
        library = self._library
        if library.is_checking:
            return self.tr("Asking the hub for updates…")
        if library.updates is None:
            return self.tr("Check for updates")
        n_failed = sum(update.error is not None for update in library.updates)
        if n_failed:
            return self.tr("Check for updates (%1 could not be asked for)").replace("%1", number(n_failed))
        offers = [(model, library.update_of(model)) for model in self._models.models]
        newer = sum(update is not None and not library.has_newest(model, update) for model, update in offers)
        if not newer:
            return self.tr("Check for updates (all are the newest)")
        return self.tr("Check for updates (%1 found)").replace("%1", number(newer))

    def _name(self, button: QPushButton, text: str) -> None:
        if button.text() != text:
            button.setText(text)
            button.setAccessibleName(text)
            button.updateGeometry()

    def _show_models(self) -> None:
        shown = (*self._models.models, *self._models.away)
        known = {model.model_id for model in shown}
        for model_id in [i for i in self.cards if i not in known]:
            _discard(self._list, self.cards.pop(model_id))
        for position, model in enumerate(shown):
            card = self.cards.get(model.model_id)
            if card is None:
                card = self.cards[model.model_id] = self._new_card(model)
            if self._list.indexOf(card) != position:
                self._list.insertWidget(position, card)
            card.show_model(model, self._state_of(model))

    def _new_card(self, model: ModelInfo) -> ModelCard:
        card = ModelCard(model, self)
        card.load_clicked.connect(self._models.load)
        card.cancel_clicked.connect(self._models.cancel_load)
        card.remove_clicked.connect(self._library.throw_away)
        card.licence_clicked.connect(self.licence_asked)
        card.card_clicked.connect(self._library.read_card)
        card.update_clicked.connect(self._fetch_update)
        card.move_clicked.connect(self._library.move)
        card.move_cancelled.connect(self._library.cancel_move)
        return card

    def _state_of(self, model: ModelInfo) -> CardState:
        models, library = self._models, self._library
        if model.away_from:
            text = self.tr("In %1, which is not connected. It is here again once its drive is.")
            return CardState(origin=text.replace("%1", model.away_from), can_leave=False, is_away=True)
        ready, loading, error = models.ready, models.loading, models.load_error
        is_loaded = ready is not None and ready.model.model_id == model.model_id and models.state == READY
        origin = origin_of(model.source)
        is_starter = model.note == "starter"
        can_read = "card" if origin is not None else ""
        if is_starter and model.licence.lower() in self._licences:
            can_read = "licence"
        update = library.update_of(model)
        has_newer = update is not None and library.has_newest(model, update)
        carried = library.moves.get(model.model_id)
        moving = None
        if carried is not None and carried.error is None:
            moving = (self.tr("Moving to another folder…"), carried.share)
            if carried.size_bytes:
                text = self.tr("Moving to another folder: %1 of %2").replace("%1", size(carried.done_bytes))
                moving = (text.replace("%2", size(carried.size_bytes)), carried.share)
        return CardState(
            is_loaded=is_loaded,
            loaded_words=self._loaded_words(ready) if ready and is_loaded else "",
            loading=loading if loading is not None and loading.subject == model.model_id else None,
            error=error[1] if error and error[0] == model.model_id else None,
            origin=self._origin_words(model),
            can_read=can_read,
            update=self._newer_words(update, has_newer=has_newer) if update is not None else "",
            is_updating=update is not None and (has_newer or self._is_fetching(update)),
            folders=library.folders,
            moving=moving,
            move_error=carried.error if carried is not None else None,
            memory=self._memory_words(model) if not is_loaded else "",
            is_too_large=self._is_too_large(model),
            is_leaving=library.is_leaving(model.model_id),
            can_leave=model.state == "packed" or origin is not None,
        )

    def _memory_words(self, model: ModelInfo) -> str:
        """What loading would take, as far as that is known; asked for where somebody looks."""
        if self.isVisible() and model.state == "packed":
            self._estimates.ask(model.model_id)
        estimate = self._estimates.of(model.model_id)
        if estimate is None:
            return ""
        return in_a_row(estimate_words(estimate), room_words(estimate))

    def _is_too_large(self, model: ModelInfo) -> bool:
        estimate = self._estimates.of(model.model_id)
        return estimate is not None and not fits(estimate)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _origin_words(self, model: ModelInfo) -> str:
        origin = origin_of(model.source)
        if origin is not None:
            return self.tr("From %1, commit %2").replace("%1", origin.repo).replace("%2", origin.commit[:7])
        if model.note == "starter" or not model.source:
            return ""
        return self.tr("From the file or folder %1").replace("%1", Path(model.source).name)

    def _is_fetching(self, update: ModelUpdate) -> bool:
        download = self._downloads.of((update.repo,))
        return download is not None and download.state != "ready"

    def _newer_words(self, update: ModelUpdate, *, has_newer: bool) -> str:
        if has_newer:
            return self.tr("Its newer version is here, and takes its place once this one is not loaded.")
        return self.tr("There is a newer commit on the hub (%1).").replace("%1", update.newest[:7])

    def _fetch_update(self, model_id: str) -> None:
        model = self._models.find(model_id)
        update = self._library.update_of(model) if model is not None else None
        if update is not None and model is not None:
            folder = next((f for f in self._library.folders if Path(f) in Path(model.source).parents), "")
            self._downloads.add(update.repo, update.revision, weight_format=model.weight_format, folder=folder)

    def _show_imports(self) -> None:
        tasks = {task.request_id: task for task in self._models.imports}
        for request_id in [i for i in self.imports if i not in tasks]:
            _discard(self._import_list, self.imports.pop(request_id))
        for request_id, task in tasks.items():
            if request_id not in self.imports:
                card = self.imports[request_id] = ImportCard(self)
                card.closed.connect(lambda i=request_id: self._models.cancel_import(i))
                self._import_list.addWidget(card)
            self.imports[request_id].show_task(task)

    def _loaded_words(self, ready: ModelReady) -> str:
        parts = []
        if measured := truth_words(ready):
            parts.append(measured)
        elif ready.memory_bytes:
            parts.append(self.tr("%1 of memory").replace("%1", size(ready.memory_bytes)))
        if ready.n_threads:
            parts.append(self.tr("threads: %1").replace("%1", number(ready.n_threads)))
        parts.append(self.tr("reads up to %1 tokens").replace("%1", number(ready.context_tokens)))
        loaded = self.tr("Loaded: %1").replace("%1", ", ".join(parts))
        if not ready.from_disk:
            return loaded
        text = from_disk_words(ready.needed_bytes, ready.free_bytes, device_words)
        return f"{loaded}. {text.cause} {text.action}"


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
