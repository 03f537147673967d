"""The engine in this process: one compute lane, a thread with a queue, and beside it a lane for hub and library.

Serves tests, scripts and the host process alike. Each lane imports what it needs itself, so that opening an engine
returns before numba is loaded, and one that is asked nothing about the hub never loads what could reach it.
"""

import logging
import queue
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from engine.catalog_reports import CatalogRequests
from engine.errors import InternalError
from engine.messages import (
    Cancel,
    EngineConfig,
    Event,
    Failed,
    LoadModel,
    RemoveModel,
    Request,
    RequestCancelled,
    RunBenchmark,
    SetBudget,
    StudyNeurons,
    UnloadModel,
    WatchNeurons,
)
from engine.transfer_reports import TransferRequests

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.hub.library import Library
    from engine.hub_lane import HubLane
    from engine.worker import Worker

log = logging.getLogger(__name__)

# Requests after which another model may be loaded, or none.
_CHANGING = (LoadModel, UnloadModel, RemoveModel, RunBenchmark, StudyNeurons)
# How often a card's memory is looked at while nothing is asked.
_IDLE_S = 1.0


class LocalEngine:
    """See engine/api.py. `on_event` is called on the engine's threads, by one of them at a time."""

    def __init__(self, config: EngineConfig, on_event: "Callable[[Event], None]") -> None:
        self._config = config
        self._tell, self._telling = on_event, threading.RLock()
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._worker: Worker | None = None
        self._library: Library | None = None  # other folders than the configuration's, once it has them
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._waiting: set[str] = set()
        self._n_changing = 0
        self._cancelled_early: set[str] = set()
        self._hub_requests: queue.SimpleQueue[TransferRequests | CatalogRequests | Cancel | None] = queue.SimpleQueue()
        self._hub_thread: threading.Thread | None = None
        self._lane = threading.Thread(target=self._run, name="ember-compute-0", daemon=True)
        self._lane.start()

    @property
    def alive(self) -> bool:
        return not self._closing.is_set() and self._lane.is_alive()

    def submit(self, request: Request) -> None:
        if isinstance(request, Cancel):
            self._cancel(request.target_id)
            if self._hub_thread is not None:
                self._hub_requests.put(request)
            return
        told: tuple[Event, ...] = ()
        with self._lock:
            is_open = not self._closing.is_set()
            if is_open and isinstance(request, TransferRequests | CatalogRequests):
                self._hub_requests.put(request)
                if self._hub_thread is None:
                    self._hub_thread = threading.Thread(target=self._run_hub, name="ember-hub", daemon=True)
                    self._hub_thread.start()
            elif is_open:
                self._waiting.add(request.request_id)
                self._requests.put(request)
                if isinstance(request, _CHANGING):
                    self._n_changing += 1
                # behind a request that changes the model it is for the one that is still to come
                worker = None if self._n_changing else self._worker
                if worker is not None and isinstance(request, SetBudget | WatchNeurons):
                    told = worker.live.note(request)
        for event in told:
            self._on_event(event)
        if not is_open:
            self._on_event(RequestCancelled(request.request_id))

    def close(self) -> None:
        with self._lock:
            self._closing.set()
            pending = tuple(self._waiting)
            hub_thread = self._hub_thread
        if hub_thread is not None:
            self._hub_requests.put(None)
        for request_id in pending:
            self._cancel(request_id)
        self._requests.put(None)
        if threading.current_thread() is not self._lane:
            self._lane.join()
        if hub_thread not in (None, threading.current_thread()):
            hub_thread.join()

    def _on_event(self, event: Event) -> None:
        with self._telling:
            self._tell(event)

    def _cancel(self, request_id: str) -> None:
        """Only a request that waits or runs can be cancelled; a late Cancel must not hit the next one."""
        with self._lock:
            if request_id not in self._waiting:
                return
            if self._worker is None:
                self._cancelled_early.add(request_id)
            else:
                self._worker.cancel(request_id)

    def _run(self) -> None:
        """Starts the worker for the first request: an engine that is only asked for downloads spares its start."""
        first = self._requests.get()
        if first is None:
            return
        failure = InternalError("NotStarted", "")
        worker: Worker | None = None
        try:
            worker = self._start()
        except Exception as error:  # a boundary: an engine that cannot start answers so, instead of not at all
            log.exception("the engine cannot start")
            failure = InternalError(type(error).__name__, str(error))
        request: Request | None = first
        while request is not None:
            request_id = "" if isinstance(request, Cancel) else request.request_id
            if worker is None:
                self._on_event(Failed(request_id, failure.report()))
            else:
                worker.run(request)
            with self._lock:
                self._waiting.discard(request_id)
                self._n_changing -= isinstance(request, _CHANGING)
            request = self._next(worker)
        if worker is not None:
            worker.close()

    def _next(self, worker: "Worker | None") -> Request | None:
        """The next request; the worker looks after its card until there is one."""
        while worker is not None and worker.has_card:
            try:
                return self._requests.get(timeout=_IDLE_S)
            except queue.Empty:
                worker.idle()
        return self._requests.get()

    def _start(self) -> "Worker":
        from engine.kernels.cpu.cache import use_kernel_cache

        if not use_kernel_cache(Path(self._config.kernel_cache_dir)):
            log.warning("the kernel cache cannot be written to: kernels are compiled at every start")
        from engine.worker import Worker

        worker = Worker(self._config, self._on_event)
        with self._lock:
            self._worker = worker
            if self._library is not None:
                worker.use_library(self._library)
            for request_id in self._cancelled_early:
                worker.cancel(request_id)
        return worker

    def _run_hub(self) -> None:
        """Hands requests on to the hub's lane, which answers on threads of its own."""
        lane: HubLane | None = None
        while (request := self._hub_requests.get()) is not None:
            if isinstance(request, Cancel):
                if lane is not None:
                    lane.cancel(request.target_id)
                continue
            if lane is None:
                lane = self._open_hub_lane()
            lane.submit(request)
        if lane is not None:
            lane.close()

    def _open_hub_lane(self) -> "HubLane":
        from engine.hub_lane import HubLane

        def on_library(library: "Library") -> None:
            with self._lock:
                self._library = library
                if self._worker is not None:
                    self._worker.use_library(library)

        return HubLane(
            self._config,
            self._on_event,
            in_use=lambda packed: self._worker is not None and self._worker.is_loaded(packed),
            on_library=on_library,
            held_bytes=lambda: 0 if self._worker is None else self._worker.held_bytes,
        )
