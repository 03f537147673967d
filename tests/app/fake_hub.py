"""What a scripted engine answers about the hub, downloads and the library's folders, on a thread of its own.

As the real one it answers beside the lane that models run on. A `gate` of the script holds a kind of question back.
"""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.catalog_reports import (
    CatalogEntry,
    CatalogRead,
    CatalogRequests,
    CheckFit,
    FitChecked,
    FitReport,
    HubModel,
    HubRepository,
    HubSearched,
    ReadCatalog,
    ReadRepository,
    RepositoryRead,
    SearchHub,
)
from engine.errors import ErrorReport, FileMissing, NetworkSwitchedOff, NotOnHub, UnknownDownload
from engine.messages import Event, Failed, Progress, RequestCancelled
from engine.transfer_reports import (
    AddDownload,
    AdoptableFound,
    AdoptableModel,
    AdoptModel,
    CancelDownload,
    CardRead,
    CheckUpdates,
    ConnectionStep,
    ConnectionTested,
    ConnectionTried,
    DownloadAdded,
    DownloadCancelled,
    DownloadQueueReport,
    DownloadReport,
    DownloadsRead,
    EmptyTrash,
    FindAdoptable,
    FoldersUsed,
    LimitDownloads,
    ModelAdopted,
    ModelCard,
    ModelMoved,
    ModelRestored,
    ModelTrashed,
    ModelUpdate,
    MoveModel,
    ReadCard,
    ReadDownloads,
    ReadToken,
    ReadTrash,
    RestoreModel,
    SteerDownload,
    StoreToken,
    TokenKept,
    TransferProgressed,
    TransferRequests,
    TrashedModel,
    TrashEmptied,
    TrashModel,
    TrashRead,
    TryConnection,
    UpdatesChecked,
    UseLibraryFolders,
    UseNetwork,
    WatchDownloads,
)

Requests = TransferRequests | CatalogRequests


@dataclass
class HubScript:
    """What the hub and the library know.

    errors    by the name of a request's class: makes that kind of question fail
    repositories, fits   by reference; one that is not there is not on the hub
    headers   (done, total) told while headers are read
    fit       answers CheckFit where it is given
    gates     "catalog", "search", "repository", "fit", "connection", "folders", "updates", "network", "find", "add",
              and "carry" for moves and adoptions
    progress  (done, total) told of moves and adoptions
    """

    catalog: tuple[CatalogEntry, ...] = ()
    found: tuple[HubModel, ...] = ()
    repositories: dict[str, HubRepository] = field(default_factory=dict)
    fits: dict[str, FitReport] = field(default_factory=dict)
    fit: Callable[[CheckFit], FitReport] | None = None
    headers: tuple[tuple[int, int], ...] = ()
    downloads: tuple[DownloadReport, ...] = ()
    limit: int | None = None
    is_offline: bool = False
    away: tuple[str, ...] = ()
    library_changes: int = 0
    token_place: str = "nowhere"
    steps: tuple[ConnectionStep, ...] = ()
    trash: tuple[TrashedModel, ...] = ()
    adoptable: tuple[AdoptableModel, ...] = ()
    updates: tuple[ModelUpdate, ...] = ()
    cards: dict[str, ModelCard] = field(default_factory=dict)
    progress: tuple[tuple[int, int], ...] = ()
    errors: dict[str, ErrorReport] = field(default_factory=dict)
    gates: dict[str, threading.Event] = field(default_factory=dict)


class FakeHub:
    """`models` are asked for and changed where a model leaves the library or comes back."""

    def __init__(
        self, script: HubScript, emit: Callable[[Event], None], take: Callable[[str], int], put: Callable[[str], None]
    ) -> None:
        self.script = script
        self._emit, self._take, self._put = emit, take, put
        self._queue: queue.SimpleQueue[Requests | None] = queue.SimpleQueue()
        self._cancelled: set[str] = set()
        self._watchers: set[str] = set()
        self._n_added = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake-hub", daemon=True)
        self._thread.start()

    def submit(self, request: Requests) -> None:
        self._queue.put(request)

    def cancel(self, request_id: str) -> None:
        self._cancelled.add(request_id)

    def close(self) -> None:
        self._closing.set()
        self._queue.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=10)
            assert not self._thread.is_alive(), "a question of the script waits for something that never comes"

    def tell(self, *downloads: DownloadReport) -> None:
        """Downloads as they are from now on, told to those who watch; from any thread."""
        self.script.downloads = downloads
        for watcher in tuple(self._watchers):
            self._emit(DownloadsRead(watcher, self._report()))

    @property
    def is_watched(self) -> bool:
        return bool(self._watchers)

    def _report(self) -> DownloadQueueReport:
        script = self.script
        awake = any(download.state == "downloading" for download in script.downloads)
        return DownloadQueueReport(
            script.downloads, script.limit, script.is_offline, awake, script.away, script.library_changes
        )

    def _run(self) -> None:
        while (request := self._queue.get()) is not None and not self._closing.is_set():
            error = self.script.errors.get(type(request).__name__)
            if self._waits(_GATES.get(type(request), ""), request.request_id):
                self._emit(RequestCancelled(request.request_id))
            elif error is not None:
                self._emit(Failed(request.request_id, error))
            elif self.script.is_offline and isinstance(request, _ONLINE):
                self._emit(Failed(request.request_id, NetworkSwitchedOff("huggingface.co").report()))
            else:
                self._answer(request)

    def _answer(self, request: Requests) -> None:
        if isinstance(request, CatalogRequests):
            self._answer_question(request)
        elif isinstance(request, _DOWNLOADS):
            self._answer_download(request)
        else:
            self._answer_library(request)

    def _answer_question(self, request: CatalogRequests) -> None:
        script, request_id = self.script, request.request_id
        match request:
            case ReadCatalog():
                self._emit(CatalogRead(request_id, script.catalog))
            case SearchHub():
                self._emit(HubSearched(request_id, script.found))
            case ReadRepository(reference=reference):
                repository = script.repositories.get(reference)
                if repository is None:
                    self._emit(Failed(request_id, NotOnHub(reference, "main", "").report()))
                else:
                    self._emit(RepositoryRead(request_id, repository))
            case CheckFit(reference=reference):
                for done, total in script.headers:
                    self._emit(Progress(request_id, "headers", done, total))
                report = script.fit(request) if script.fit is not None else script.fits.get(reference)
                if report is None:
                    self._emit(Failed(request_id, NotOnHub(reference, "main", "config.json").report()))
                else:
                    self._emit(FitChecked(request_id, report))

    def _answer_download(self, request: Requests) -> None:
        script, request_id = self.script, request.request_id
        match request:
            case WatchDownloads(wanted=wanted):
                (self._watchers.add if wanted else self._watchers.discard)(request_id)
                self._emit(DownloadsRead(request_id, self._report()))
            case AddDownload():
                self._n_added += 1
                download_id = f"added-{self._n_added}"
                added = DownloadReport(download_id, request.repo, request.revision, "", "queued", 0, None)
                self._emit(DownloadAdded(request_id, download_id))
                self.tell(*script.downloads, added)
            case SteerDownload(download_id=download_id, action=action):
                self._steer(request_id, download_id, action)
            case CancelDownload(download_id=download_id):
                gone = next((d for d in script.downloads if d.download_id == download_id), None)
                script.downloads = tuple(d for d in script.downloads if d is not gone)
                self._emit(DownloadCancelled(request_id, download_id, gone.done_bytes if gone else 0))
            case LimitDownloads(bytes_per_s=limit):
                script.limit = limit
                self._emit(DownloadsRead(request_id, self._report()))
            case UseNetwork(network=network):
                script.is_offline = network.is_offline
                self._emit(DownloadsRead(request_id, self._report()))
            case ReadDownloads():
                self._emit(DownloadsRead(request_id, self._report()))

    def _steer(self, request_id: str, download_id: str, action: str) -> None:
        script = self.script
        order = list(script.downloads)
        at = next((n for n, d in enumerate(order) if d.download_id == download_id), -1)
        if at < 0:
            self._emit(Failed(request_id, UnknownDownload(download_id).report()))
            return
        if action in ("pause", "resume"):
            order[at] = replace(order[at], state="paused" if action == "pause" else "queued", error=None)
        else:
            one = order.pop(at)
            to = {"earlier": max(at - 1, 0), "later": at + 1, "first": 0, "last": len(order)}[action]
            order.insert(to, one)
        script.downloads = tuple(order)
        self._emit(DownloadsRead(request_id, self._report()))

    def _answer_library(self, request: Requests) -> None:
        script, request_id = self.script, request.request_id
        match request:
            case StoreToken(token=token):
                script.token_place = "keyring" if token else "nowhere"
                self._emit(TokenKept(request_id, script.token_place, "https://huggingface.co"))
            case ReadToken():
                self._emit(TokenKept(request_id, script.token_place, "https://huggingface.co"))
            case TryConnection():
                for step in script.steps:
                    self._emit(ConnectionTried(request_id, step))
                self._emit(ConnectionTested(request_id, script.steps))
            case UseLibraryFolders(folders=folders):
                self._emit(FoldersUsed(request_id, folders))
            case FindAdoptable():
                self._emit(AdoptableFound(request_id, script.adoptable))
            case AdoptModel(repo=repo, path=path):
                if not self._carried(request_id):
                    self._emit(ModelAdopted(request_id, repo, path, 1000, 0))
            case MoveModel(model_id=model_id, folder=folder):
                if not self._carried(request_id):
                    self._emit(ModelMoved(request_id, model_id, folder))
            case TrashModel(model_id=model_id):
                n_bytes = self._take(model_id)
                script.trash = (*script.trash, TrashedModel(f"trash-{model_id}", model_id, n_bytes, "2026-11-30", 30))
                self._emit(ModelTrashed(request_id, model_id, f"trash-{model_id}", n_bytes))
            case ReadTrash():
                self._emit(TrashRead(request_id, script.trash))
            case RestoreModel(trash_id=trash_id):
                back = next(model for model in script.trash if model.trash_id == trash_id)
                script.trash = tuple(model for model in script.trash if model is not back)
                self._put(back.model_id)
                self._emit(ModelRestored(request_id, back.model_id))
            case EmptyTrash(trash_id=trash_id):
                gone = tuple(model for model in script.trash if trash_id in ("", model.trash_id))
                script.trash = tuple(model for model in script.trash if model not in gone)
                self._emit(TrashEmptied(request_id, sum(model.size_bytes for model in gone)))
            case CheckUpdates():
                self._emit(UpdatesChecked(request_id, script.updates))
            case ReadCard(model_id=model_id):
                card = script.cards.get(model_id)
                missing = FileMissing(model_id, "it did not come from a hub").report()
                self._emit(CardRead(request_id, card) if card is not None else Failed(request_id, missing))

    def _carried(self, request_id: str) -> bool:
        """Tell how far it is; True where it was cancelled, which is then answered."""
        for done, total in self.script.progress:
            self._emit(TransferProgressed(request_id, done, total))
        if self._waits("carry", request_id):
            self._emit(RequestCancelled(request_id))
            return True
        return False

    def _waits(self, gate: str, request_id: str) -> bool:
        event = self.script.gates.get(gate)
        while event is not None and not event.wait(0.005):
            if self._closing.is_set():
                return True
            if request_id in self._cancelled:
                return True
        return request_id in self._cancelled


_GATES: dict[type, str] = {
    ReadCatalog: "catalog", SearchHub: "search", ReadRepository: "repository", CheckFit: "fit",
    TryConnection: "connection", UseLibraryFolders: "folders", CheckUpdates: "updates", UseNetwork: "network",
    FindAdoptable: "find", AddDownload: "add",
}  # fmt: skip
_DOWNLOADS = (WatchDownloads, AddDownload, SteerDownload, CancelDownload, LimitDownloads, UseNetwork, ReadDownloads)
_ONLINE = (SearchHub, ReadRepository, CheckFit, CheckUpdates)
