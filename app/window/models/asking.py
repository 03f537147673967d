"""What the controls of the model page share: ids of their own for what they ask, and a word when something changed."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.window.bridge import EngineBridge
from engine.messages import Cancel, Event, HostDied, Request


def words(text: str) -> str:
    """The translation of a template of app/download_words.py or app/catalog_words.py."""
    return QCoreApplication.translate("Words", text)


class Asking(QObject):
    """Asks the engine and hears its events. Before an engine is open and after its death nothing is asked."""

    changed = Signal()

    def __init__(self, bridge: EngineBridge, prefix: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._prefix = prefix
        self._n_requests = 0
        bridge.opened.connect(self._on_opened)
        bridge.received.connect(self._hear)

    @property
    def is_open(self) -> bool:
        return self._bridge.alive

    def _ask(self, make: Callable[[str], Request]) -> str:
        """The request's id."""
        self._n_requests += 1
        request_id = f"{self._prefix}-{self._n_requests}"
        self._bridge.submit(make(request_id))
        return request_id

    def _cancel(self, request_id: str) -> None:
        if request_id:
            self._bridge.submit(Cancel(request_id))

    def _hear(self, event: Event) -> None:
        if isinstance(event, HostDied):
            self._on_death()
        else:
            self._on_event(event)

    def _on_opened(self) -> None:
        """An engine has just been started: it knows nothing of what was asked before."""

    def _on_event(self, event: Event) -> None:
        raise NotImplementedError

    def _on_death(self) -> None:
        """Nothing that was asked will be answered."""
