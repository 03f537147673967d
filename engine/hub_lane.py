"""What is asked of the hub and of the library's folders, beside the compute lane, and nothing before it is asked.

Owns the download manager (`hub/downloads.py`), the desk for questions about models that are not here yet
(`worker_hub.py`), and the packing of what was fetched, all of which begin with the first request for them: an engine
that only answers chats has neither their threads nor a way to the network. Questions are answered on one thread and
models packed on another, each one after the other, so that neither waits for an answer that is being written.
"""

import contextlib
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engine.catalog_reports import (
    CatalogEvents,
    CatalogRead,
    CatalogRequests,
    CheckFit,
    FitChecked,
    HubRepository,
    HubSearched,
    ReadCatalog,
    ReadRepository,
    RepositoryRead,
    SearchHub,
)
from engine.errors import Cancelled, EngineError, InternalError, OutOfMemory
from engine.hub.access import Access
from engine.hub.download import PackOrder
from engine.hub.downloads import TOKENS, Downloads
from engine.hub.hub_metadata import HubMetadata
from engine.hub.library import Library
from engine.hub.library_places import Places
from engine.hub.token_store import TokenStore
from engine.hub.transfer.line import Line, Network
from engine.hub.transfer.resolving import Hub
from engine.importing import import_model
from engine.messages import EngineConfig, Event, Failed, Progress, RequestCancelled
from engine.transfer_reports import TransferRequests, UseNetwork

if TYPE_CHECKING:
    from engine.worker_hub import HubDesk

log = logging.getLogger(__name__)


class HubLane:
    """Every method may be called from any thread, and returns soon.

    in_use      whether a packed file is loaded now
    on_library  told of other folders that the library has from now on
    held_bytes  of memory, by the loaded model
    """

    def __init__(
        self,
        config: EngineConfig,
        emit: Callable[[Event], None],
        *,
        in_use: Callable[[Path], bool] = lambda packed: False,
        on_library: Callable[[Library], None] = lambda library: None,
        held_bytes: Callable[[], int] = lambda: 0,
    ) -> None:
        self._config, self._emit = config, emit
        self._in_use, self._on_library, self._held_bytes = in_use, on_library, held_bytes
        self._lock = threading.Lock()
        self._library = Library(self._folder, places=Places(self._folder.parent))
        self._access: Access | None = None
        self._downloads: Downloads | None = None
        self._desk: HubDesk | None = None
        self._questions: queue.SimpleQueue[CatalogRequests | None] = queue.SimpleQueue()
        self._asking: threading.Thread | None = None
        self._orders: queue.SimpleQueue[PackOrder | None] = queue.SimpleQueue()
        self._packing: threading.Thread | None = None
        self._running = ""
        self._cancelled: set[str] = set()

    def submit(self, request: TransferRequests | CatalogRequests) -> None:
        with self._lock:
            if isinstance(request, UseNetwork) and request.network.is_offline:
                self._opened_access().network.switch(offline=True)  # before any question that was asked after it
            if isinstance(request, TransferRequests):
                self._opened_downloads().submit(request)
                return
            if self._asking is None:
                from engine.worker_hub import HubDesk  # with a good part of the engine: not for a download alone

                self._desk = HubDesk(self._opened_access().hub, self._opened_access().network)
                self._asking = threading.Thread(target=self._answer_questions, name="ember-hub-questions", daemon=True)
                self._asking.start()
            self._questions.put(request)

    def cancel(self, request_id: str) -> None:
        with self._lock:
            self._cancelled.add(request_id)
            if self._downloads is not None:
                self._downloads.cancel(request_id)
            if self._desk is not None and self._running == request_id:
                self._desk.stop()

    def close(self) -> None:
        """Downloads go on at the next start."""
        with self._lock:
            downloads, asking, desk, access = self._downloads, self._asking, self._desk, self._access
            packing = self._packing
        if access is not None:
            access.network.switch(offline=True)
        if asking is not None and desk is not None:
            self._questions.put(None)
            desk.stop()
        if downloads is not None:
            downloads.close()
        if packing is not None:
            self._orders.put(None)
            packing.join()
        if asking is not None:
            asking.join()

    # Opened when first needed; under the lock ---------------------------------------------------------------------

    @property
    def _folder(self) -> Path:
        return Path(self._config.library_dir)

    def _opened_access(self) -> Access:
        if self._access is None:
            self._access = Access(TokenStore(self._folder.parent / TOKENS))
        return self._access

    def _opened_downloads(self) -> Downloads:
        if self._downloads is None:
            self._packing = threading.Thread(target=self._carry_out_orders, name="ember-packing", daemon=True)
            self._packing.start()
            self._downloads = Downloads(
                self._library,
                self._folder.parent,
                HubMetadata,
                self._take_order,
                self._emit,
                look=look_into,
                in_use=self._in_use,
                on_library=self._use_library,
                access=self._opened_access(),
            )
        return self._downloads

    def _use_library(self, library: Library) -> None:
        self._library = library
        self._on_library(library)

    # Packing ------------------------------------------------------------------------------------------------------

    def _take_order(self, order: PackOrder) -> None:
        self._orders.put(order)

    def _carry_out_orders(self) -> None:
        while (order := self._orders.get()) is not None:
            try:
                self._carry_out(order)
            except Cancelled:
                order.put_back()
            except EngineError as error:
                order.fail(error)
            except MemoryError:
                order.fail(OutOfMemory("packing", 0, 0))
            except (OSError, ValueError, RuntimeError, LookupError, TypeError) as error:
                log.exception("packing failed")
                order.fail(InternalError(type(error).__name__, str(error)))

    def _carry_out(self, order: PackOrder) -> None:
        packed = import_model(
            order.source,
            self._library,
            order.weight_format,
            lambda phase, done, total: order.progress(done, total),
            folder=order.library,
        )
        order.finish(packed.path, packed.weight_format)

    # Questions ----------------------------------------------------------------------------------------------------

    def _answer_questions(self) -> None:
        while (request := self._questions.get()) is not None:
            with self._lock:
                self._running = request.request_id
            try:
                self._check(request.request_id)
                for event in self._answers(request):
                    self._emit(event)
            except Cancelled:
                self._emit(RequestCancelled(request.request_id))
            except EngineError as error:
                wanted_it = request.request_id in self._cancelled  # what was cut ends as if the hub were out of reach
                self._emit(
                    RequestCancelled(request.request_id) if wanted_it else Failed(request.request_id, error.report())
                )
            except (OSError, ValueError, RuntimeError, LookupError, TypeError) as error:
                log.exception("request %s failed", type(request).__name__)
                self._emit(Failed(request.request_id, InternalError(type(error).__name__, str(error)).report()))
            finally:
                with self._lock:
                    self._running = ""
                    self._cancelled.discard(request.request_id)

    def _answers(self, request: CatalogRequests) -> Iterator[CatalogEvents | Progress]:
        request_id, desk = request.request_id, self._desk
        if desk is None:
            raise InternalError("NotOpened", type(request).__name__)
        match request:
            case ReadCatalog():
                yield CatalogRead(request_id, desk.catalog())
            case SearchHub(search=search):
                yield HubSearched(request_id, desk.search(search))
            case ReadRepository(reference=reference):
                yield RepositoryRead(request_id, desk.repository(reference))
            case CheckFit():
                yield self._fit(request, desk)

    def _fit(self, request: CheckFit, desk: "HubDesk") -> FitChecked:
        from engine.worker_hub import fit_question

        question = fit_question(
            self._config,
            self._library.folder,
            weight_format=request.weight_format,
            context_tokens=request.context_tokens,
            leaving_bytes=self._held_bytes(),
        )

        def on_file(done: int, total: int) -> None:
            self._check(request.request_id)
            self._emit(Progress(request.request_id, "headers", done, total))

        return FitChecked(request.request_id, desk.fit(desk.repository(request.reference), question, on_file))

    def _check(self, request_id: str) -> None:
        if request_id in self._cancelled:
            raise Cancelled


def look_into(
    found: HubRepository,
    hub: Hub,
    network: Network,
    *,
    on_file: Callable[[int, int], None],
    on_line: Callable[[Line], None],
    weight_format: str,
) -> int:
    """The size of the packed file, 0 where the headers do not tell. Raises what loading the model would raise."""
    from engine.hub.remote_headers import NoHeaders, open_remote  # with a good part of the engine
    from engine.model.packed_model import default_weight_format, packed_bytes

    with contextlib.suppress(NoHeaders):
        remote = open_remote(found, hub, network, on_file=on_file, on_line=on_line)
        return packed_bytes(
            remote.config,
            weight_format or default_weight_format(remote.config),
            remote.tokenizer,
            source="",
            note="",
            remarks=remote.remarks,
        )
    return 0
