"""What loading a model would take, reckoned by the engine from the model's header before anything is loaded.

Decides when the engine is asked: once for each model somebody looks at, and anew when what is free may have changed.
Knows no widget.
"""

from PySide6.QtCore import QObject, Signal

from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.model_control import STARTING, STOPPED, ModelControl
from app.window.wording import error_words
from engine.messages import (
    DescribeModel,
    Event,
    Failed,
    HostDied,
    ModelDescription,
    ModelList,
    ModelReady,
    ModelUnloaded,
    RequestCancelled,
)


class MemoryEstimates(QObject):
    changed = Signal()

    def __init__(self, bridge: EngineBridge, models: ModelControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._n_requests = 0
        self._asked: dict[str, str] = {}
        self._stale: set[str] = set()
        self._known: dict[str, ModelDescription] = {}
        self._errors: dict[str, ErrorText] = {}
        bridge.received.connect(self._on_event)

    def of(self, model_id: str) -> ModelDescription | None:
        """What is known; None until the engine has answered."""
        return self._known.get(model_id)

    def error_of(self, model_id: str) -> ErrorText | None:
        """Why it cannot be reckoned."""
        return self._errors.get(model_id)

    def ask(self, model_id: str) -> None:
        """Somebody looks at this model: find out, unless that is known or on its way."""
        is_known = (model_id in self._known or model_id in self._errors) and model_id not in self._stale
        if is_known or model_id in self._asked.values() or self._models.state in (STARTING, STOPPED):
            return
        self._n_requests += 1
        request_id = f"estimate-{self._n_requests}"
        self._asked[request_id] = model_id
        self._stale.discard(model_id)
        self._bridge.submit(DescribeModel(request_id, model_id))

    def ask_again(self, model_id: str) -> None:
        """As `ask`, where what is free may have changed since."""
        self._stale.add(model_id)
        self.ask(model_id)

    def _on_event(self, event: Event) -> None:
        match event:
            case ModelDescription() if event.request_id in self._asked:
                model_id = self._asked.pop(event.request_id)
                self._known[model_id] = event
                self._errors.pop(model_id, None)
                self.changed.emit()
            case Failed() if event.request_id in self._asked:
                self._errors[self._asked.pop(event.request_id)] = error_words(event.error)
                self.changed.emit()
            case RequestCancelled() if event.request_id in self._asked:
                self._asked.pop(event.request_id)
            case ModelList():  # one may have been packed, removed or replaced
                self._stale.update(self._known, self._errors)
            case ModelReady() | ModelUnloaded():
                self._stale.update(self._known)
            case HostDied():
                self._asked.clear()
                self._stale.update(self._known, self._errors)
