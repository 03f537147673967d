"""The library in the window: its folders, moves, the trash, updates, model cards, and what other programs have.

Decides in which order the engine learns of the library's folders and goes on with downloads, and that a loaded model is
let go before it is moved or thrown away. Knows no widget.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.catalog_filter import Origin, origin_of
from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.model_control import ModelControl
from app.window.models.asking import Asking
from app.window.settings_control import SettingsControl
from app.window.wording import error_words
from engine.messages import Event, Failed, ModelInfo, ModelUnloaded, RequestCancelled
from engine.transfer_reports import (
    AdoptableFound,
    AdoptableModel,
    AdoptModel,
    CardRead,
    CheckUpdates,
    DownloadsRead,
    EmptyTrash,
    FindAdoptable,
    FoldersUsed,
    ModelAdopted,
    ModelMoved,
    ModelRestored,
    ModelTrashed,
    ModelUpdate,
    MoveModel,
    ReadCard,
    ReadTrash,
    RestoreModel,
    TransferProgressed,
    TrashedModel,
    TrashEmptied,
    TrashModel,
    TrashRead,
    UpdatesChecked,
    UseLibraryFolders,
)


@dataclass(frozen=True, slots=True)
class Carried:
    """A model being moved or taken over; `subject` is its id or the folder it comes from, `done` None until known."""

    request_id: str
    subject: str
    done_bytes: int = 0
    size_bytes: int = 0
    error: ErrorText | None = None

    @property
    def share(self) -> float | None:
        return self.done_bytes / self.size_bytes if self.size_bytes else None


class LibraryControl(Asking):
    settled = Signal()
    """The engine knows the library's folders, or has been started with the one it has."""

    trashed = Signal(str, str, object)
    """Name of a model, its id in the trash, and the bytes that emptying it frees."""

    restored = Signal(str)
    emptied = Signal(object)
    """Bytes freed."""

    moved = Signal(str, str)
    """Name of a model and the folder it is in now."""

    adopted = Signal(object)
    """ModelAdopted."""

    card_read = Signal(object)
    refused = Signal(object)
    """ErrorText of something that was asked and not done."""

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        settings: SettingsControl,
        own_folder: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(bridge, "library", parent)
        self._models = models
        self._settings = settings
        self._own = str(own_folder)
        self._wanted: tuple[str, ...] | None = None
        self._folders_id = self._trash_id = self._updates_id = self._find_id = self._card_id = ""
        self._asked: dict[str, str] = {}
        self._waiting: tuple[str, Callable[[], None]] | None = None
        self._unloaded_for: dict[str, str] = {}
        self.folder_error: ErrorText | None = None
        self.away: tuple[str, ...] = ()
        """Folders that are not connected."""
        self.trash: tuple[TrashedModel, ...] = ()
        self.moves: dict[str, Carried] = {}
        """By model id."""
        self.updates: tuple[ModelUpdate, ...] | None = None
        """None until they were asked for."""
        self.update_error: ErrorText | None = None
        self.adoptable: tuple[AdoptableModel, ...] | None = None
        self.adopting: dict[str, Carried] = {}
        """By the folder in the other program's cache."""
        self.card_error: ErrorText | None = None

    # What is known ------------------------------------------------------------------------------------------------

    @property
    def folders(self) -> tuple[str, ...]:
        """The first is for new models."""
        return self._settings.value.library_folders or (self._own,)

    @property
    def is_using(self) -> bool:
        return bool(self._folders_id)

    @property
    def is_checking(self) -> bool:
        return bool(self._updates_id)

    @property
    def is_finding(self) -> bool:
        return bool(self._find_id)

    def is_leaving(self, model_id: str) -> bool:
        """Whether a model is on its way to the trash."""
        return model_id in self._asked.values() or (self._waiting is not None and self._waiting[0] == model_id)

    def update_of(self, model: ModelInfo) -> ModelUpdate | None:
        """A newer commit of the repository a model came from, where one is known."""
        origin = origin_of(model.source)
        if origin is None:
            return None
        return next((u for u in self.updates or () if u.is_newer and _is_of(u, origin)), None)

    def has_newest(self, model: ModelInfo, update: ModelUpdate) -> bool:
        """Whether the newer commit is in the library too, prepared in the same way."""
        alike = [other for other in self._models.models if other.weight_format == model.weight_format]
        origins = [origin for other in alike if (origin := origin_of(other.source)) is not None]
        repo = update.repo.casefold()
        return any(origin.repo.casefold() == repo and update.newest.startswith(origin.commit) for origin in origins)

    # What the user asks -------------------------------------------------------------------------------------------

    def use_folders(self, folders: tuple[str, ...]) -> None:
        """Have these folders from now on; kept if the engine takes them."""
        self.folder_error = None
        self._wanted = folders
        self._folders_id = self._ask(lambda i: UseLibraryFolders(i, folders))
        self.changed.emit()

    def throw_away(self, model_id: str) -> None:
        """Move a model, and what it was packed from, to the trash."""
        if not self.is_leaving(model_id):
            self._once_free(model_id, lambda: self._submit_trash(model_id))

    def restore(self, trash_id: str) -> None:
        self._ask(lambda i: RestoreModel(i, trash_id))

    def empty(self, trash_id: str = "") -> None:
        """Delete one thing in the trash for good, or all."""
        self._ask(lambda i: EmptyTrash(i, trash_id))

    def read_trash(self) -> None:
        self._trash_id = self._ask(ReadTrash)

    def move(self, model_id: str, folder: str) -> None:
        if model_id not in self.moves or self.moves[model_id].error is not None:
            self._once_free(model_id, lambda: self._submit_move(model_id, folder))

    def cancel_move(self, model_id: str) -> None:
        """Stop a move; one that has failed is only no longer shown."""
        carried = self.moves.get(model_id)
        if carried is not None and carried.error is not None:
            del self.moves[model_id]
            self.changed.emit()
        elif carried is not None:
            self._cancel(carried.request_id)

    def check_updates(self) -> None:
        if not self.is_checking:
            self.update_error = None
            self._updates_id = self._ask(CheckUpdates)
            self.changed.emit()

    def read_card(self, model_id: str) -> None:
        self.card_error = None
        self._card_id = self._ask(lambda i: ReadCard(i, model_id))

    def find_adoptable(self, folders: tuple[str, ...]) -> None:
        self.adoptable = None
        self._find_id = self._ask(lambda i: FindAdoptable(i, folders))
        self.changed.emit()

    def adopt(self, model: AdoptableModel) -> None:
        request_id = self._ask(lambda i: AdoptModel(i, model.path, model.repo, model.commit))
        self.adopting[model.path] = Carried(request_id, model.path)
        self.changed.emit()

    def cancel_adoption(self, path: str) -> None:
        if path in self.adopting:
            self._cancel(self.adopting[path].request_id)

    # In which order -----------------------------------------------------------------------------------------------

    def _once_free(self, model_id: str, run: Callable[[], None]) -> None:
        """A loaded model is let go first."""
        ready = self._models.ready
        if ready is not None and ready.model.model_id == model_id:
            self._waiting = (model_id, run)
            self._models.unload()
        else:
            run()
        self.changed.emit()

    def _submit_trash(self, model_id: str) -> None:
        self._asked[self._ask(lambda i: TrashModel(i, model_id))] = model_id

    def _submit_move(self, model_id: str, folder: str) -> None:
        request_id = self._ask(lambda i: MoveModel(i, model_id, folder))
        self.moves[model_id] = Carried(request_id, model_id)

    # The engine ---------------------------------------------------------------------------------------------------

    def _on_opened(self) -> None:
        folders = self._settings.value.library_folders
        if folders:
            self._wanted = folders
            self._folders_id = self._ask(lambda i: UseLibraryFolders(i, folders))
        else:
            self.settled.emit()
        self.read_trash()

    def _on_event(self, event: Event) -> None:
        match event:
            case ModelUnloaded():
                self._on_unloaded()
            case DownloadsRead():
                if event.queue.away == self.away:
                    return
                self.away = event.queue.away
            case FoldersUsed() if event.request_id == self._folders_id:
                self._on_folders(event)
            case TrashRead():
                self.trash = event.models
            case ModelTrashed():
                self._on_trashed(event)
            case ModelRestored():
                self._models.relist()
                self.read_trash()
                self.restored.emit(event.model_id)
            case TrashEmptied():
                self.read_trash()
                self.emptied.emit(event.freed_bytes)
            case ModelMoved():
                self._on_moved(event)
            case TransferProgressed():
                self._on_progress(event)
            case UpdatesChecked() if event.request_id == self._updates_id:
                self._updates_id, self.updates = "", event.updates
            case CardRead() if event.request_id == self._card_id:
                self._card_id = ""
                self.card_read.emit(event.card)
            case AdoptableFound() if event.request_id == self._find_id:
                self._find_id, self.adoptable = "", event.models
            case ModelAdopted():
                self._on_adopted(event)
            case RequestCancelled():
                self._drop_carried(event.request_id)
            case Failed() if event.request_id.startswith(f"{self._prefix}-"):
                self._on_failed(event)
            case _:
                return
        self.changed.emit()

    def _on_unloaded(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            model_id, run = waiting
            run()
            self._unloaded_for[self._last_id] = model_id

    @property
    def _last_id(self) -> str:
        return f"{self._prefix}-{self._n_requests}"

    def _on_folders(self, event: FoldersUsed) -> None:
        self._folders_id = ""
        if self._wanted is not None and self._wanted != self.folders:
            self._settings.update(library_folders=() if self._wanted == (self._own,) else self._wanted)
        self._wanted = None
        self._models.relist()
        self.read_trash()
        self.settled.emit()

    def _on_trashed(self, event: ModelTrashed) -> None:
        model = self._models.find(event.model_id)
        self._asked.pop(event.request_id, None)
        self._unloaded_for.pop(event.request_id, None)
        self._models.relist()
        self.read_trash()
        self.trashed.emit(model.name if model else event.model_id, event.trash_id, event.size_bytes)

    def _on_moved(self, event: ModelMoved) -> None:
        model = self._models.find(event.model_id)
        self.moves.pop(event.model_id, None)
        self._models.relist()
        self._load_again(event.request_id)
        self.moved.emit(model.name if model else event.model_id, event.folder)

    def _on_adopted(self, event: ModelAdopted) -> None:
        self._drop_carried(event.request_id)
        self._models.relist()
        self.adopted.emit(event)

    def _on_progress(self, event: TransferProgressed) -> None:
        for carried in (self.moves, self.adopting):
            for key, one in carried.items():
                if one.request_id == event.request_id:
                    carried[key] = replace(one, done_bytes=event.done_bytes, size_bytes=event.size_bytes)

    def _drop_carried(self, request_id: str) -> None:
        for carried in (self.moves, self.adopting):
            for key in [key for key, one in carried.items() if one.request_id == request_id]:
                del carried[key]
        self._load_again(request_id)

    def _load_again(self, request_id: str) -> None:
        """A model that was only let go so that it could be moved, or that could not be thrown away."""
        model_id = self._unloaded_for.pop(request_id, "")
        if model_id and self._models.loading is None and self._models.ready is None:
            self._models.load(model_id)

    def _on_failed(self, event: Failed) -> None:
        text = error_words(event.error)
        request_id = event.request_id
        self._load_again(request_id)
        if request_id == self._folders_id:
            self._folders_id, self._wanted, self.folder_error = "", None, text
            self.settled.emit()
        elif request_id == self._updates_id:
            self._updates_id, self.update_error = "", text
        elif request_id == self._find_id:
            self._find_id, self.adoptable = "", ()
            self.refused.emit(text)
        elif any(one.request_id == request_id for one in (*self.moves.values(), *self.adopting.values())):
            for carried in (self.moves, self.adopting):
                for key, one in carried.items():
                    if one.request_id == request_id:
                        carried[key] = replace(one, error=text)
        else:
            self._asked.pop(request_id, None)
            self.refused.emit(text)

    def _on_death(self) -> None:
        self._folders_id = self._trash_id = self._updates_id = self._find_id = self._card_id = ""
        self._wanted = self._waiting = None
        self._asked.clear()
        self._unloaded_for.clear()
        self.moves.clear()
        self.adopting.clear()
        self.changed.emit()


def _is_of(update: ModelUpdate, origin: Origin) -> bool:
    return update.repo.casefold() == origin.repo.casefold() and update.commit.startswith(origin.commit)
