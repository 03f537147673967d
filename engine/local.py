"""The engine in this process: one compute lane, a thread with a queue.

Serves tests, scripts and the host process alike. The lane imports the worker itself, so that opening an engine returns
before numba is loaded.
"""

import logging
import queue
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import InternalError
from engine.messages import Cancel, EngineConfig, Event, Failed, Request, RequestCancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.worker import Worker

log = logging.getLogger(__name__)


class LocalEngine:
    """See engine/api.py. `on_event` is called on the compute lane."""

    def __init__(self, config: EngineConfig, on_event: "Callable[[Event], None]") -> None:
        self._config = config
        self._on_event = on_event
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._worker: Worker | None = None
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._waiting: set[str] = set()
        self._cancelled_early: set[str] = set()
        self._lane = threading.Thread(target=self._run, name="ember-compute-0", daemon=True)
        self._lane.start()

    @property
    def alive(self) -> bool:
        return not self._closing.is_set() and self._lane.is_alive()

    def submit(self, request: Request) -> None:
        if isinstance(request, Cancel):
            self._cancel(request.target_id)
            return
        with self._lock:
            is_open = not self._closing.is_set()
            if is_open:
                self._waiting.add(request.request_id)
                self._requests.put(request)
        if not is_open:
            self._on_event(RequestCancelled(request.request_id))

    def close(self) -> None:
        with self._lock:
            self._closing.set()
            pending = tuple(self._waiting)
        for request_id in pending:
            self._cancel(request_id)
        self._requests.put(None)
        if threading.current_thread() is not self._lane:
            self._lane.join()

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
        failure = InternalError("NotStarted", "")
        worker: Worker | None = None
        try:
            worker = self._start()
        except Exception as error:  # a boundary: an engine that cannot start answers so, instead of not at all
            log.exception("the engine cannot start")
            failure = InternalError(type(error).__name__, str(error))
        while (request := self._requests.get()) is not None:
            request_id = "" if isinstance(request, Cancel) else request.request_id
            if worker is None:
                self._on_event(Failed(request_id, failure.report()))
            else:
                worker.run(request)
            with self._lock:
                self._waiting.discard(request_id)
        if worker is not None:
            worker.close()

    def _start(self) -> "Worker":
        from engine.kernels.cpu.cache import use_kernel_cache

        if not use_kernel_cache(Path(self._config.kernel_cache_dir)):
            log.warning("the kernel cache cannot be written to: kernels are compiled at every start")
        from engine.worker import Worker

        worker = Worker(self._config, self._on_event)
        with self._lock:
            self._worker = worker
            for request_id in self._cancelled_early:
                worker.cancel(request_id)
        return worker
