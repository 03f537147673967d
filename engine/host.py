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
import queue
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from engine.context_reports import PromptFitted
from engine.messages import (
    BudgetApplied,
    Cancel,
    EngineConfig,
    Event,
    HostDied,
    NeuronsSeen,
    Progress,
    Request,
    TextPiece,
    VariantEnded,
    VariantText,
)
from engine.transfer_reports import ConnectionTried, TransferProgressed

log = logging.getLogger(__name__)

# Events that may be followed by others for the same request; any other answers it for good.
_PASSING = (
    Progress, PromptFitted, TextPiece, VariantText, VariantEnded, NeuronsSeen, BudgetApplied, TransferProgressed,
    ConnectionTried,
)  # fmt: skip
_CLOSE_S = 1.5
# Our compute threads each call the linear algebra library for their own share; read when numpy is imported.
_LINEAR_ALGEBRA_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "OMP_NUM_THREADS")
# Libraries that log every address they ask for, which is to log what people search for.
_TELL_ADDRESSES = ("httpx2", "httpcore2", "huggingface_hub", "urllib3")
_LOG_BYTES = 1 << 20
_TAIL_BYTES = 4096


class HostEngine:
    """See engine/api.py. `on_event` is called on this side's reader thread."""

    def __init__(self, config: EngineConfig, on_event: Callable[[Event], None]) -> None:
        self._config, self._on_event = config, on_event
        self._log_start = _log_size(config.log_path)
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, config), name="ember-engine", daemon=True)
        self._process.start()
        theirs.close()
        self._lock = threading.Lock()
        self._pending: set[str] = set()
        self._closing = False
        self._exit_code: int | None = None
        self._outbox: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="ember-engine-reader", daemon=True)
        self._sender = threading.Thread(target=self._send, name="ember-engine-sender", daemon=True)
        self._reader.start()
        self._sender.start()

    @property
    def alive(self) -> bool:
        return not self._closing and self._exit_code is None

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def submit(self, request: Request) -> None:
        """Never waits, not even for a host that has been stopped.

        A request to a host that has ended is answered by HostDied on the calling thread.
        """
        with self._lock:
            if not isinstance(request, Cancel):
                self._pending.add(request.request_id)
            is_dead = self._exit_code is not None
        if is_dead:
            self._report_death()
        else:
            self._outbox.put(request)

    def close(self) -> None:
        with self._lock:
            if self._closing:
                return
            self._closing = True
        self._outbox.put(None)
        self._process.join(_CLOSE_S)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        for thread in (self._reader, self._sender):
            if threading.current_thread() is not thread:
                thread.join()
        self._pipe.close()
        self._process.close()

    def _send(self) -> None:
        """Requests wait here for a host that does not read; a broken pipe is the reader's to report."""
        while True:
            request = self._outbox.get()
            try:
                self._pipe.send(request)
            except (OSError, ValueError):
                return
            if request is None:
                return

    def _read(self) -> None:
        while True:
            try:
                event: Event = self._pipe.recv()
            except (EOFError, OSError):
                break
            if not isinstance(event, (*_PASSING, HostDied)):
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
        self._outbox.put(None)  # ends the sender: the pipe is broken
        self._report_death()

    def _report_death(self) -> None:
        with self._lock:
            pending = tuple(sorted(self._pending))
            self._pending.clear()
        self._on_event(HostDied(self._exit_code or 0, _log_tail(self._config.log_path, self._log_start), pending))


def serve(pipe: "Connection[Event | None, Request | None]", config: EngineConfig) -> None:
    """The host process: requests from the pipe to a LocalEngine, its events back, until the pipe closes."""
    _end_with_parent()
    _open_log(config.log_path)
    log.info("engine started pid %d", os.getpid())
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
    """Ask Linux to end this process with its parent, even while compiled code keeps the pipe's reader waiting.

    Linux takes "parent" to be the thread that started us: front-ends open engines on a thread that lives as long as
    they do.
    """
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
    for name in _TELL_ADDRESSES:
        logging.getLogger(name).setLevel(logging.WARNING)
    os.dup2(handler.stream.fileno(), 2)  # type: ignore[union-attr]  # just opened
    faulthandler.enable()


def _log_size(path: str) -> int:
    try:
        return Path(path).stat().st_size if path else 0
    except OSError:
        return 0


def _log_tail(path: str, start: int) -> str:
    """The end of what was logged from `start` on; a log that has been rotated since is read from its beginning."""
    if not path:
        return ""
    try:
        with Path(path).open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(start if start <= end else 0, end - _TAIL_BYTES))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
