"""Between the engine and the window: requests go in, events come out as Qt signals on the window's thread.

Owns the engine object of the moment, and the merging of text pieces to about thirty updates a second; order is kept.
This is the only module in which engine and Qt meet. It decides nothing.
"""

import logging
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.interrupts import interrupt_ignored
from engine.api import Engine, OnEvent
from engine.errors import EngineError, ErrorReport, InternalError
from engine.messages import Event, HostDied, Request, TextPiece

log = logging.getLogger(__name__)

TEXT_INTERVAL_MS = 33

OpenEngine = Callable[[OnEvent], Engine]


class EngineBridge(QObject):
    """Holds one engine at a time; events of an engine that was replaced are dropped."""

    received = Signal(object)
    """An engine.messages.Event, on the window's thread; text pieces that arrived together are one."""

    opened = Signal()
    """An engine has been started and can be asked; what is asked in answer to this is asked first."""

    failed_to_open = Signal(object)
    """An ErrorReport: no engine could be started."""

    _woken = Signal()

    def __init__(self, open_engine: OpenEngine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = open_engine
        self._engine: Engine | None = None
        self._generation = 0
        # Appending to and popping from a deque is atomic; it is the only thing both threads touch.
        self._arrived: deque[tuple[int, Event]] = deque()
        self._pieces: list[TextPiece] = []
        self._text_timer = QTimer(self)
        self._text_timer.setSingleShot(True)
        self._text_timer.setInterval(TEXT_INTERVAL_MS)
        self._text_timer.timeout.connect(self._deliver_text)
        self._woken.connect(self._drain, Qt.ConnectionType.QueuedConnection)

    @property
    def alive(self) -> bool:
        return self._engine is not None and self._engine.alive

    def start(self) -> None:
        """Open an engine, in place of the one before if there was one."""
        self.close()
        generation = self._generation
        try:
            with interrupt_ignored():
                self._engine = self._open(lambda event: self._post(generation, event))
        except EngineError as error:
            self.failed_to_open.emit(error.report())
        except OSError as error:
            self.failed_to_open.emit(_report(error))
        else:
            self.opened.emit()

    def submit(self, request: Request) -> None:
        """Ask the engine; a dead one is not asked, its HostDied has said that nothing will be answered."""
        if self._engine is not None and self._engine.alive:
            self._engine.submit(request)

    def close(self) -> None:
        """Close the engine and forget what it may still say."""
        self._generation += 1
        self._text_timer.stop()
        self._pieces.clear()
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _post(self, generation: int, event: Event) -> None:
        """Runs on a thread of the engine's."""
        self._arrived.append((generation, event))
        self._woken.emit()

    def _drain(self) -> None:
        while self._arrived:
            generation, event = self._arrived.popleft()
            if generation != self._generation:
                continue
            if isinstance(event, TextPiece):
                self._pieces.append(event)
            else:
                if isinstance(event, HostDied):
                    log.error("the engine's process ended by itself: exit code %d", event.exit_code)
                self._deliver_text()
                self.received.emit(event)
        if self._pieces and not self._text_timer.isActive():
            self._text_timer.start()

    def _deliver_text(self) -> None:
        pieces, self._pieces = self._pieces, []
        texts: dict[str, list[str]] = {}
        for piece in pieces:
            texts.setdefault(piece.request_id, []).append(piece.text)
        for request_id, parts in texts.items():
            self.received.emit(TextPiece(request_id, "".join(parts)))


def _report(error: OSError) -> ErrorReport:
    log.error("the engine could not be started", exc_info=error)
    return InternalError(type(error).__name__, error.strerror or str(error)).report()
