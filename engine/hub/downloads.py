"""What the engine does with requests about downloads, the hub and the library's folders, beside the compute lane.

Owns two threads: one answers at once and tells watchers what has changed, four times a second at most; the other does
what may take long, a connection to try, a model to move, one thing after another. Events leave by `emit`, on either.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from engine.errors import Cancelled, EngineError, ErrorReport, InternalError, ModelInUse
from engine.hub.access import Access, try_connection
from engine.hub.adoption import adopt, adoptable
from engine.hub.download_packing import Pack
from engine.hub.download_queue import DownloadQueue
from engine.hub.download_run import Look, MakePlanner
from engine.hub.library import Library
from engine.hub.repository import Reference, parse_reference
from engine.hub.token_store import TokenStore, origin_name
from engine.hub.updates import note_superseded, packed_of, settle_updates
from engine.messages import Failed, RequestCancelled
from engine.transfer_reports import (
    AddDownload,
    AdoptableFound,
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
    DownloadsRead,
    EmptyTrash,
    FindAdoptable,
    FoldersUsed,
    LimitDownloads,
    ModelAdopted,
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
    TransferEvents,
    TransferProgressed,
    TransferRequests,
    TrashEmptied,
    TrashModel,
    TrashRead,
    TryConnection,
    UpdatesChecked,
    UseLibraryFolders,
    UseNetwork,
    WatchDownloads,
)

log = logging.getLogger(__name__)

TOKENS = "hub-token.json"
_TELL_S = 0.25
_SETTLE_S = 5.0  # between two looks whether an older model is still loaded that an update takes the place of
_STILL = ("ready", "failed", "paused")
_SLOW = (TryConnection, FindAdoptable, AdoptModel, MoveModel, TrashModel, RestoreModel, EmptyTrash, CheckUpdates)

Emitted = TransferEvents | Failed | RequestCancelled


class Downloads:
    """The download manager of one engine. `submit`, `cancel` and `close` may be called from any thread.

    library    the folders as they are at the start; `on_library` is told of others
    state_dir  where a token is kept if no keyring answers
    pack       hands an order to the compute lane
    look       judges a model from its headers, before its weights are fetched
    in_use     whether a packed file is loaded now: it is then neither moved nor deleted
    """

    def __init__(
        self,
        library: Library,
        state_dir: Path,
        plans: MakePlanner,
        pack: Pack,
        emit: Callable[[Emitted], None],
        *,
        look: Look | None = None,
        in_use: Callable[[Path], bool] = lambda packed: False,
        on_library: Callable[[Library], None] = lambda library: None,
        access: Access | None = None,
        make_queue: Callable[..., DownloadQueue] = DownloadQueue,
    ) -> None:
        self._library = library
        self._emit = emit
        self._in_use = in_use
        self._on_library = on_library
        self._plans = plans
        self._pack = pack
        self._look = look
        self._make_queue = make_queue
        self._access = access or Access(TokenStore(state_dir / TOKENS))
        self._queue = self._opened_queue(library)
        self._library_changes = 0
        self._away = self._queue.report().away
        self._updates_wait = threading.Event()
        self._settling = threading.Lock()
        self._watchers: set[str] = set()
        self._changed = threading.Event()
        self._closing = threading.Event()
        self._cancelled: set[str] = set()
        self._quick: queue.SimpleQueue[TransferRequests | None] = queue.SimpleQueue()
        self._long: queue.SimpleQueue[TransferRequests | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._answer_quickly, name="ember-hub-desk", daemon=True),
            threading.Thread(target=self._answer_at_length, name="ember-hub-work", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, request: TransferRequests) -> None:
        (self._long if isinstance(request, _SLOW) else self._quick).put(request)

    def cancel(self, request_id: str) -> None:
        """End a request that takes long, at its next step; others have ended before this is heard."""
        self._cancelled.add(request_id)

    def close(self) -> None:
        """Stop everything; downloads go on at the next start, a move or an adoption leaves all at its old place."""
        self._closing.set()
        self._access.network.switch(offline=True)
        self._quick.put(None)
        self._long.put(None)
        self._queue.close()
        for thread in self._threads:
            thread.join()

    # the two threads

    def _answer_quickly(self) -> None:
        told_at = float("-inf")
        while not self._closing.is_set():
            try:
                request = self._quick.get(timeout=_TELL_S)
            except queue.Empty:
                request = None
            if request is not None:
                self._answer(request)
            if self._watchers and self._changed.is_set() and time.monotonic() >= told_at + _TELL_S:
                self._changed.clear()
                told_at = time.monotonic()
                report = self._report()
                for request_id in tuple(self._watchers):
                    self._emit(DownloadsRead(request_id, report))

    def _answer_at_length(self) -> None:
        self._library.tidy()
        self._settle_updates()
        while not self._closing.is_set():
            try:
                request = self._long.get(timeout=_SETTLE_S)
            except queue.Empty:
                if self._updates_wait.is_set():
                    self._settle_updates()
                continue
            if request is None:
                return
            self._answer(request)

    def _answer(self, request: TransferRequests) -> None:
        """One request, whatever goes wrong in it told as the engine's other requests tell it."""
        try:
            for event in self._events(request):
                self._emit(event)
        except Cancelled:
            self._emit(RequestCancelled(request.request_id))
        except EngineError as error:
            self._emit(Failed(request.request_id, error.report()))
        except (OSError, ValueError, RuntimeError, LookupError, TypeError) as error:
            log.exception("request %s failed", type(request).__name__)
            self._emit(Failed(request.request_id, InternalError(type(error).__name__, str(error)).report()))
        self._cancelled.discard(request.request_id)

    def _events(self, request: TransferRequests) -> Iterator[TransferEvents]:
        """The events of one request. Raises EngineError, or Cancelled."""
        request_id = request.request_id
        match request:
            case ReadDownloads():
                yield DownloadsRead(request_id, self._report())
            case WatchDownloads(wanted=wanted, takes_up=takes_up):
                (self._watchers.add if wanted else self._watchers.discard)(request_id)
                if takes_up:
                    self._queue.take_up()
                yield DownloadsRead(request_id, self._report())
            case AddDownload():
                reference = parse_reference(request.repo, self._access.settings.endpoint)
                download_id = self._queue.add(
                    reference.repo,
                    reference.revision or request.revision,
                    weight_format=request.weight_format,
                    packs=request.packs,
                    keeps_source=request.keeps_source,
                    folder=request.folder,
                )
                yield DownloadAdded(request_id, download_id)
            case SteerDownload(download_id=download_id, action=action):
                self._queue.steer(download_id, action)
                yield DownloadsRead(request_id, self._report())
            case CancelDownload(download_id=download_id):
                yield DownloadCancelled(request_id, download_id, self._queue.cancel(download_id))
            case LimitDownloads(bytes_per_s=limit):
                self._queue.limit(limit)
                yield DownloadsRead(request_id, self._report())
            case UseNetwork(network=network):
                self._access.use(network)
                self._queue.network_changed()
                yield DownloadsRead(request_id, self._report())
            case StoreToken(token=token):
                endpoint = self._access.settings.endpoint
                place = self._access.tokens.write(endpoint, token)
                yield TokenKept(request_id, place, origin_name(endpoint))
            case ReadToken():
                endpoint = self._access.settings.endpoint
                yield TokenKept(request_id, self._access.tokens.place(endpoint), origin_name(endpoint))
            case ReadCard(model_id=model_id):
                yield CardRead(request_id, self._library.card(model_id))
            case ReadTrash():
                yield TrashRead(request_id, tuple(self._library.trashed()))
            case _:
                yield from self._long_events(request)

    def _long_events(self, request: TransferRequests) -> Iterator[TransferEvents]:
        request_id = request.request_id
        match request:
            case TryConnection(repo=repo, path=path):
                steps: list[ConnectionStep] = []
                for step in try_connection(self._access, repo, path):
                    self._check(request_id)
                    steps.append(step)
                    yield ConnectionTried(request_id, step)
                yield ConnectionTested(request_id, tuple(steps))
            case UseLibraryFolders(folders=folders):
                yield self._use_folders(request_id, folders)
            case FindAdoptable(folders=folders):
                found = adoptable([Path(folder) for folder in folders], self._library.folder)
                yield AdoptableFound(request_id, tuple(found))
            case AdoptModel(path=path, repo=repo, commit=commit):
                self._library.places.prepare(self._library.folder)
                adopted = adopt(
                    Path(path), repo, commit, self._library.folder, _now(), self._teller(request_id)
                )  # fmt: skip
                yield ModelAdopted(request_id, repo, str(adopted.folder), adopted.linked_bytes, adopted.copied_bytes)
            case MoveModel(model_id=model_id, folder=folder):
                parts = self._check_free(model_id)
                self._library.move(model_id, Path(folder), self._teller(request_id))
                self._forget_downloads(parts)
                yield ModelMoved(request_id, model_id, folder)
            case TrashModel(model_id=model_id, and_source=and_source):
                parts = self._check_free(model_id)
                trash_id, size = self._library.discard(model_id, and_source=and_source)
                self._forget_downloads(parts)
                yield ModelTrashed(request_id, model_id, trash_id, size)
            case RestoreModel(trash_id=trash_id):
                yield ModelRestored(request_id, self._library.restore(trash_id))
            case EmptyTrash(trash_id=trash_id):
                yield TrashEmptied(request_id, self._library.empty_trash(trash_id))
            case CheckUpdates():
                yield UpdatesChecked(request_id, tuple(self._updates(request_id)))

    # what they need

    def _opened_queue(self, library: Library) -> DownloadQueue:
        return self._make_queue(
            library.folders,
            self._access,
            self._plans,
            self._pack,
            look=self._look,
            places=library.places,
            whole=self._replace_older,
            on_change=lambda: self._changed.set(),
        )

    def _use_folders(self, request_id: str, folders: tuple[str, ...]) -> TransferEvents:
        """Another queue where the folders are others; what ran goes on in it, at the same speed limit."""
        library = self._library.with_folders([Path(folder) for folder in folders])
        if library.folders != self._library.folders:
            limit = self._queue.report().limit_bytes_s
            self._queue.close()
            self._library = library
            self._queue = self._opened_queue(library)
            self._queue.limit(limit)
            self._on_library(library)
            library.tidy()
            self._settle_updates()
            if self._watchers:
                self._queue.take_up()
        return FoldersUsed(request_id, tuple(str(folder) for folder in library.folders))

    def _report(self) -> DownloadQueueReport:
        report = self._queue.report()
        if report.away != self._away:
            self._away = report.away
            self._library_changes += 1
        return replace(report, library_changes=self._library_changes)

    def _replace_older(self, source: Path, packed: Path | None) -> Path | None:
        """A source is a usable model now: what it is a newer version of goes. Returns its packed file, as it is named.

        An older version that stays in the way of that costs no more than the room it takes.
        """
        try:
            note_superseded(self._library, source, packed)
        except EngineError as error:
            log.warning("an older version stays beside %s: %s", source, error)
        self._settle_updates()
        return packed_of(packed.parent, source) if packed is not None else None

    def _settle_updates(self) -> None:
        """Look again for newer versions that are to take their place, for as long as one has to wait."""
        with self._settling:  # the thread that packs may come here as well
            waited = self._updates_wait.is_set()
            if settle_updates(self._library, self._in_use):
                self._updates_wait.set()
            elif waited:
                self._updates_wait.clear()
                self._library_changes += 1
                self._changed.set()

    def _updates(self, request_id: str) -> Iterator[ModelUpdate]:
        asked: dict[tuple[str, str], tuple[str, ErrorReport | None]] = {}
        planner = self._plans(self._access.hub(), self._access.network)
        for _, manifest in self._library.sources():
            self._check(request_id)
            revision = manifest.revision or "main"
            if revision == manifest.commit:  # a commit was asked for, and that does not change
                continue
            key = (manifest.repo, revision)
            if key not in asked:
                try:
                    asked[key] = planner.repository(Reference(*key)).commit, None
                except EngineError as error:
                    asked[key] = "", error.report()
            newest, problem = asked[key]
            yield ModelUpdate(manifest.repo, revision, manifest.commit, newest, problem)

    def _check_free(self, model_id: str) -> tuple[Path, ...]:
        """The model's files and folders. Raises ModelInUse where it is loaded or being fetched, UnknownModel.

        A download that has failed or is paused holds nothing, unless another process has it in hand.
        """
        _, parts = self._library.parts_of(model_id, and_source=True)
        fetched = {d.folder for d in self._queue.report().downloads if d.folder and (d.holder or d.state not in _STILL)}
        if any(self._in_use(part) for part in parts) or any(str(part) in fetched for part in parts):
            raise ModelInUse(model_id)
        return tuple(parts)

    def _forget_downloads(self, parts: tuple[Path, ...]) -> None:
        """Give up the downloads that have failed or are paused and whose folder has just gone elsewhere."""
        gone = {str(part) for part in parts if not part.exists()}
        for download in self._queue.report().downloads:
            if download.folder in gone and download.state in ("failed", "paused"):
                self._queue.cancel(download.download_id)

    def _teller(self, request_id: str) -> Callable[[int, int], None]:
        """Tells how far something is, four times a second; raises Cancelled once that is wished."""
        told_at = [float("-inf")]

        def tell(done: int, total: int) -> None:
            self._check(request_id)
            if time.monotonic() >= told_at[0] + _TELL_S or done >= total:
                told_at[0] = time.monotonic()
                self._emit(TransferProgressed(request_id, done, total))

        return tell

    def _check(self, request_id: str) -> None:
        if self._closing.is_set() or request_id in self._cancelled:
            raise Cancelled


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
