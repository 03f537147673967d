"""The engine in a process of its own, and this side's handle on it.

A spawned process gives isolation: a crash, or a driver's fault, takes the engine but not the window, and ending the
process surely gives its memory back. The two sides talk over the pipe of `multiprocessing`; no port is opened. The host
ends when its pipe closes, so it never outlives the front-end, however that ends.
"""

import contextlib
import faulthandler
import logging
import logging.handlers
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from engine.messages import (
    Cancel,
    EngineConfig,
    Event,
    Failed,
    GenerationFinished,
    HostDied,
    ModelDescription,
    ModelImported,
    ModelList,
    ModelReady,
    ModelRemoved,
    ModelUnloaded,
    Request,
    RequestCancelled,
)

log = logging.getLogger(__name__)

# Events that answer a request for good.
_FINAL = (
    ModelList, ModelDescription, ModelImported, ModelRemoved, ModelReady, ModelUnloaded, GenerationFinished,
    RequestCancelled, Failed,
)  # fmt: skip
_CLOSE_S = 1.5
# Our compute threads each call the linear algebra library for their own share; read when numpy is imported.
_LINEAR_ALGEBRA_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "OMP_NUM_THREADS")
_LOG_BYTES = 1 << 20
_TAIL_BYTES = 4096


class HostEngine:
    """See engine/api.py. `on_event` is called on this side's reader thread."""

    def __init__(self, config: EngineConfig, on_event: Callable[[Event], None]) -> None:
        self._config, self._on_event = config, on_event
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, config), name="ember-engine", daemon=True)
        self._process.start()
        theirs.close()
        self._lock = threading.Lock()
        self._pending: set[str] = set()
        self._closing = False
        self._exit_code: int | None = None
        self._reader = threading.Thread(target=self._read, name="ember-engine-reader", daemon=True)
        self._reader.start()

    @property
    def alive(self) -> bool:
        return not self._closing and self._exit_code is None

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def submit(self, request: Request) -> None:
        """A request to a host that has ended is answered by HostDied on the calling thread."""
        with self._lock:
            if not isinstance(request, Cancel):
                self._pending.add(request.request_id)
            if self._exit_code is None:
                try:
                    self._pipe.send(request)
                except (OSError, ValueError):
                    # The reader sees the same broken pipe and reports the death, with this request among the pending.
                    return
                return
        self._report_death()

    def close(self) -> None:
        with self._lock:
            if self._closing:
                return
            self._closing = True
            with contextlib.suppress(OSError, ValueError):
                self._pipe.send(None)
        self._process.join(_CLOSE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        if threading.current_thread() is not self._reader:
            self._reader.join()
        self._pipe.close()
        self._process.close()

    def _read(self) -> None:
        while True:
            try:
                event: Event = self._pipe.recv()
            except (EOFError, OSError):
                break
            if isinstance(event, _FINAL):
                with self._lock:
                    self._pending.discard(event.request_id)
            if not self._closing:
                self._on_event(event)
        if self._closing:
            return
        self._process.join(_CLOSE_S)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        with self._lock:
            self._exit_code = self._process.exitcode or 0
        self._report_death()

    def _report_death(self) -> None:
        with self._lock:
            pending = tuple(sorted(self._pending))
            self._pending.clear()
        self._on_event(HostDied(self._exit_code or 0, _log_tail(self._config.log_path), pending))


def serve(pipe: "Connection[Event | None, Request | None]", config: EngineConfig) -> None:
    """The host process: requests from the pipe to a LocalEngine, its events back, until the pipe closes."""
    _end_with_parent()
    _open_log(config.log_path)
    for variable in _LINEAR_ALGEBRA_THREADS:
        os.environ[variable] = "1"
    from engine.local import LocalEngine

    lock = threading.Lock()

    def send(event: Event) -> None:
        with lock:
            try:
                pipe.send(event)
            except OSError:
                os._exit(0)  # nobody is listening any more

    engine = LocalEngine(config, send)
    try:
        while (request := pipe.recv()) is not None:
            engine.submit(request)
    except (EOFError, OSError):
        os._exit(0)
    except KeyboardInterrupt:
        log.info("interrupted")
    engine.close()


def _end_with_parent() -> None:
    """Ask Linux to end this process with its parent, even while compiled code keeps the pipe's reader waiting."""
    with contextlib.suppress(ValueError):
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C in a terminal is the front-end's business
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig, sigkill = 1, 9
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, sigkill)


def _open_log(path: str) -> None:
    """Log to the file, and send the process's stderr there too, so that a crash leaves its trace."""
    if not path:
        return
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(path, maxBytes=_LOG_BYTES, backupCount=2, encoding="utf-8")
    except OSError:
        return  # a log that cannot be written must not keep the engine from running
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    os.dup2(handler.stream.fileno(), 2)  # type: ignore[union-attr]  # just opened
    faulthandler.enable()


def _log_tail(path: str) -> str:
    if not path:
        return ""
    try:
        with Path(path).open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL_BYTES))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
