"""What is going on with models: what is here, the loaded one, loading, importing, measuring, a dead engine.

Decides which model is loaded at the start and after a restart, and in which order things are asked of the engine. A
model that sleeps has given its memory back and is loaded again by the next message. Knows no widget; panes read its
attributes and listen to `changed`.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.error_text import ErrorText, describe_host_death
from app.window.bridge import EngineBridge
from app.window.settings_control import SettingsControl
from app.window.wording import error_words, translate
from engine.errors import ErrorReport
from engine.messages import (
    Cancel,
    Event,
    Failed,
    HostDied,
    ImportModel,
    ListModels,
    LoadModel,
    ModelImported,
    ModelInfo,
    ModelList,
    ModelReady,
    ModelUnloaded,
    Progress,
    RequestCancelled,
    UnloadModel,
)
from engine.neuron_reports import EXACT

STARTING, NO_MODEL, LOADING, READY, STOPPED = "starting", "no model", "loading", "ready", "stopped"
MEASURING, ASLEEP = "measuring", "asleep"
# What the engine can be lent for.
SPEED, NEURONS = "speed", "neurons"
N_RECENT = 12


@dataclass(frozen=True, slots=True)
class Task:
    """A load or an import under way, or an import that failed and is still shown.

    subject   model id, or path of the file
    """

    request_id: str
    subject: str
    progress: Progress | None = None
    error: ErrorText | None = None


@dataclass(frozen=True, slots=True)
class Death:
    """How the engine ended."""

    text: ErrorText
    log_tail: str


class ModelControl(QObject):
    changed = Signal()
    loaded_from_disk = Signal()
    imported = Signal(object)
    """ModelInfo of a file that has just become a model."""

    failed = Signal(object)
    """ErrorText of something no pane shows by itself."""

    def __init__(self, bridge: EngineBridge, settings: SettingsControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._settings = settings
        self._n_requests = 0
        self._wanted = settings.value.last_model
        self._is_listed = False
        self._is_lent = False
        self._has_begun = False
        self._asleep = ""
        self.lent_for = SPEED
        """While the engine is lent: what for."""
        self.models: tuple[ModelInfo, ...] = ()
        self.away: tuple[ModelInfo, ...] = ()
        """Models in folders of the library that are not connected; none of them can be loaded."""
        self.ready: ModelReady | None = None
        self.loading: Task | None = None
        self.load_error: tuple[str, ErrorText] | None = None
        """Model id and why it could not be loaded; until the next attempt."""
        self.imports: tuple[Task, ...] = ()
        self.death: Death | None = None
        bridge.received.connect(self._on_event)
        bridge.failed_to_open.connect(self._on_failed_to_open)
        self._completes_base = settings.value.completes_base
        settings.changed.connect(self._on_settings)

    @property
    def state(self) -> str:
        if self.death is not None:
            return STOPPED
        if not self._is_listed:
            return STARTING
        if self.loading is not None:
            return LOADING
        if self._is_lent:
            return MEASURING
        if self.ready is not None:
            return READY
        return ASLEEP if self.find(self._asleep) is not None else NO_MODEL

    @property
    def current(self) -> ModelInfo | None:
        """The model that is loaded or being loaded, that sleeps, or that was there before the engine died."""
        if self.loading is not None:
            return self.find(self.loading.subject)
        if self.death is not None:
            return self.find(self._wanted)
        return self.ready.model if self.ready else self.find(self._asleep)

    @property
    def completes_text(self) -> bool:
        """Whether the loaded model, a base model, goes on with a text instead of answering questions."""
        return self.ready is not None and not self.ready.model.chat and self._settings.value.completes_base

    @property
    def tier(self) -> str:
        """What answers are computed at: the tier wished for with the loaded model, where it is calibrated."""
        if self.ready is None:
            return EXACT
        wanted = self._settings.value.tier_of(self.ready.model.model_id)
        return wanted if wanted in self.ready.tiers else EXACT

    @property
    def is_importing(self) -> bool:
        return any(task.error is None for task in self.imports)

    def find(self, model_id: str) -> ModelInfo | None:
        return next((model for model in self.models if model.model_id == model_id), None)

    def by_recency(self) -> tuple[ModelInfo, ...]:
        """All models, those used last first, then in the library's order."""
        recent = self._settings.value.recent_models
        places = {model_id: place for place, model_id in enumerate(recent)}
        return tuple(sorted(self.models, key=lambda model: places.get(model.model_id, len(recent))))

    # What the user asks -------------------------------------------------------------------------------------------

    def choose_tier(self, tier: str) -> None:
        """Compute answers of the loaded model at a tier from now on; remembered for this model."""
        if self.ready is not None:
            self._settings.update(tiers=self._settings.value.with_tier(self.ready.model.model_id, tier))
            self.changed.emit()

    def start(self) -> None:
        """Start the engine, or a new one after its death; the wanted model is loaded once the library is known."""
        self.death = None
        self.ready = None
        self.loading = None
        self._is_listed = False
        self._is_lent = False
        self.imports = tuple(task for task in self.imports if task.error is not None)
        self._bridge.start()
        self._list()
        self.changed.emit()

    def load(self, model_id: str) -> None:
        self._wanted, self._asleep = model_id, ""
        self.load_error = None
        if self.state == STOPPED:
            self.start()
            return
        self.cancel_load()
        self._ask_to_load(model_id)
        self.changed.emit()

    def cancel_load(self) -> None:
        if self.loading is not None:
            self._bridge.submit(Cancel(self.loading.request_id))

    def import_files(self, paths: list[Path], weight_format: str = "") -> None:
        if self.state == STOPPED:
            self.start()
        for path in paths:
            task = Task(self._new_id("import"), str(path))
            same = tuple(t for t in self.imports if t.subject == task.subject)
            if any(t.error is None for t in same):
                continue
            self.imports = (*(t for t in self.imports if t not in same), task)
            self._bridge.submit(ImportModel(task.request_id, str(path), weight_format))
        self.changed.emit()

    def cancel_import(self, request_id: str) -> None:
        """Stop an import; one that has failed already is only taken off the list."""
        task = next((t for t in self.imports if t.request_id == request_id), None)
        if task is None:
            return
        if task.error is None:
            self._bridge.submit(Cancel(request_id))
        else:
            self._drop_import(request_id)

    def relist(self) -> None:
        """Read the library anew: something else has put models there, or taken some away."""
        if self.state != STOPPED:
            self._list()

    def unload(self) -> None:
        """Let go of the loaded model; none takes its place."""
        if self.ready is not None:
            self._bridge.submit(UnloadModel(self._new_id("unload")))

    def sleep(self) -> None:
        """Give the loaded model's memory back until the next message."""
        if self.state == READY and self.ready is not None:
            self._asleep, self.ready = self.ready.model.model_id, None
            self._bridge.submit(UnloadModel(self._new_id("sleep")))
            self.changed.emit()

    def wake(self) -> None:
        """Load the model that sleeps: somebody wants an answer."""
        if self.state == ASLEEP:
            self.load(self._asleep)

    def lend(self, purpose: str = SPEED) -> None:
        """Let a benchmark or a study have the engine, which lets go of the loaded model.

        Nothing is answered until `take_back`.
        """
        self._is_lent = True
        self.lent_for = purpose
        self.changed.emit()

    def take_back(self) -> None:
        """After a benchmark or a study: the model that was loaded before it is loaded again."""
        if not self._is_lent:
            return
        self._is_lent = False
        self._list()  # what was measured may have been packed for it
        if self.ready is not None:
            self._load_again(self.ready.model.model_id)
        self.changed.emit()

    # What the engine says -----------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        match event:
            case ModelList():
                self.models = tuple(model for model in event.models if not model.away_from)
                self.away = tuple(model for model in event.models if model.away_from)
                if not self._is_listed:
                    self._is_listed = True
                    self._load_first()
                self.changed.emit()
            case ModelReady():
                self._on_ready(event)
            case ModelUnloaded():
                self.ready = None
                self.changed.emit()
            case ModelImported():
                self._on_imported(event)
            case Progress():
                self._on_progress(event)
            case Failed():
                self._on_failed(event.request_id, event.error)
            case RequestCancelled():
                self._on_cancelled(event.request_id)
            case HostDied():
                text = describe_host_death(event, translate)
                self._on_death(Death(text, event.log_tail))

    def _on_settings(self) -> None:
        if self._settings.value.completes_base != self._completes_base:
            self._completes_base = self._settings.value.completes_base
            self.changed.emit()

    def _on_failed_to_open(self, report: ErrorReport) -> None:
        self._on_death(Death(error_words(report), ""))

    def _load_first(self) -> None:
        """The model used last, else the starter, else none; where that is not wished for at the start it sleeps."""
        starter = next((model for model in self.models if model.note == "starter"), None)
        first = self.find(self._wanted) or starter
        may_load = self._settings.value.restores_model or self._has_begun
        self._has_begun = True
        if first is not None and may_load:
            self.load(first.model_id)
        elif first is not None:
            self._asleep = first.model_id

    def _on_ready(self, event: ModelReady) -> None:
        if self.loading is None or event.request_id != self.loading.request_id:
            return
        asked = self.find(self.loading.subject)
        self.ready = event
        self.loading = None
        if self.load_error is not None and self.load_error[0] == event.model.model_id:
            self.load_error = None
        model_id = event.model.model_id
        others = (recent for recent in self._settings.value.recent_models if recent != model_id)
        self._settings.update(last_model=model_id, recent_models=(model_id, *others)[:N_RECENT])
        if asked != event.model:  # it has been packed meanwhile, and may have got another name
            self.models = tuple(event.model if model is asked else model for model in self.models)
            self._list()
        self.changed.emit()
        if event.from_disk:
            self.loaded_from_disk.emit()

    def _load_previous(self) -> None:
        """After a load that came to nothing, go back to the model that was there before it, if there was one."""
        before, self.ready = self.ready, None
        failed, self.loading = self.loading, None
        if before is not None and failed is not None and before.model.model_id != failed.subject:
            self._ask_to_load(before.model.model_id)

    def _load_again(self, model_id: str) -> None:
        """Where the engine has let go of the loaded model although nobody wanted that."""
        if self.loading is None and self.ready is not None and self.ready.model.model_id == model_id:
            self.ready = None
            self._ask_to_load(model_id)

    def _ask_to_load(self, model_id: str) -> None:
        self.loading = Task(self._new_id("load"), model_id)
        self._bridge.submit(LoadModel(self.loading.request_id, model_id))

    def _on_imported(self, event: ModelImported) -> None:
        self._drop_import(event.request_id)
        self._list()
        if self.state == NO_MODEL:
            self.load(event.model.model_id)
        self.imported.emit(event.model)

    def _on_progress(self, event: Progress) -> None:
        if self.loading is not None and event.request_id == self.loading.request_id:
            self.loading = replace(self.loading, progress=event)
        elif any(task.request_id == event.request_id for task in self.imports):
            self.imports = tuple(
                replace(task, progress=event) if task.request_id == event.request_id else task for task in self.imports
            )
        else:
            return
        self.changed.emit()

    def _on_failed(self, request_id: str, report: ErrorReport) -> None:
        text = error_words(report)
        if self.loading is not None and request_id == self.loading.request_id:
            self.load_error = (self.loading.subject, text)
            self._load_previous()
        elif any(task.request_id == request_id for task in self.imports):
            self.imports = tuple(
                replace(task, error=text) if task.request_id == request_id else task for task in self.imports
            )
        elif request_id.startswith("list-"):
            self._is_listed = True
            self.failed.emit(text)
        elif report.code == "NoModelLoaded" and self.ready is not None:
            self._load_again(self.ready.model.model_id)
        else:
            return
        self.changed.emit()

    def _on_cancelled(self, request_id: str) -> None:
        if self.loading is not None and request_id == self.loading.request_id:
            self._load_previous()
            self.changed.emit()
        else:
            self._drop_import(request_id)

    def _on_death(self, death: Death) -> None:
        current = self.current
        self._wanted = current.model_id if current else self._wanted
        self.death = death
        self._is_lent = False
        self.ready = None
        self.loading = None
        self.imports = tuple(task if task.error else replace(task, error=death.text) for task in self.imports)
        self.changed.emit()

    def _drop_import(self, request_id: str) -> None:
        left = tuple(task for task in self.imports if task.request_id != request_id)
        if left != self.imports:
            self.imports = left
            self.changed.emit()

    def _list(self) -> None:
        self._bridge.submit(ListModels(self._new_id("list")))

    def _new_id(self, kind: str) -> str:
        self._n_requests += 1
        return f"{kind}-{self._n_requests}"
