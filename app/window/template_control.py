"""A model's chat template while it is looked at and changed: read, tried as it is written, kept, taken back.

Decides when a template is tried: after a pause in typing, one at a time, the newest last. Everything is rendered by
the engine, in its sandbox. Knows no widget.
"""

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.wording import error_words
from engine.messages import Event, Failed, HostDied, ModelInfo, RequestCancelled
from engine.template_reports import KeepTemplate, ReadTemplate, TemplateRead, TemplateTried, TryTemplate, Turns

TRY_AFTER_MS = 250


class TemplateControl(QObject):
    """Of one model; made anew for another one."""

    changed = Signal()
    kept = Signal()

    def __init__(self, bridge: EngineBridge, model: ModelInfo, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._n_requests = 0
        self._read_id = self._try_id = self._keep_id = ""
        self._wanted: tuple[str, Turns] | None = None
        self.model = model
        self.read: TemplateRead | None = None
        """What is in use; None until the engine has told."""
        self.tried: TemplateTried | None = None
        """Of the newest text that was tried."""
        self.error: ErrorText | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TRY_AFTER_MS)
        self._timer.timeout.connect(self._try)
        bridge.received.connect(self._on_event)
        self._read_id = self._new_id("read")
        bridge.submit(ReadTemplate(self._read_id, model.model_id))

    @property
    def source(self) -> str:
        """What forms prompts now."""
        return (self.read.kept or self.read.own) if self.read is not None else ""

    @property
    def is_trying(self) -> bool:
        """Whether what was written last has not been rendered yet."""
        return self._wanted is not None or bool(self._try_id)

    @property
    def is_keeping(self) -> bool:
        return bool(self._keep_id)

    def write(self, source: str, turns: Turns) -> None:
        """This is what is written now: render it soon."""
        self._wanted = (source, turns)
        self._timer.start()
        self.changed.emit()

    def keep(self, source: str) -> None:
        """Use it from now on; the model's own, or nothing, takes another one back."""
        if self.read is None or self._keep_id:
            return
        self.error = None
        self._keep_id = self._new_id("keep")
        kept = "" if source == self.read.own else source
        self._bridge.submit(KeepTemplate(self._keep_id, self.model.model_id, kept))
        self.changed.emit()

    def _try(self) -> None:
        if self._wanted is None or self._try_id:
            return
        (source, turns), self._wanted = self._wanted, None
        self._try_id = self._new_id("try")
        self._bridge.submit(TryTemplate(self._try_id, self.model.model_id, source, turns))

    def _on_event(self, event: Event) -> None:
        if isinstance(event, HostDied):
            self._read_id = self._try_id = self._keep_id = ""
            text = QCoreApplication.translate("TemplateControl", "The engine has stopped.")
            action = QCoreApplication.translate("TemplateControl", "Restart it, and open this window again.")
            self.error = ErrorText(text, action)
        elif event.request_id in ("", self._read_id, self._try_id, self._keep_id):
            self._on_answer(event)
        else:
            return
        self.changed.emit()

    def _on_answer(self, event: Event) -> None:
        match event:
            case TemplateRead():
                was_kept = event.request_id == self._keep_id
                self.read, self._read_id, self._keep_id = event, "", ""
                if was_kept:
                    self.kept.emit()
            case TemplateTried():
                self.tried, self._try_id = event, ""
                self._try()
            case Failed():
                self.error = error_words(event.error)
                self._forget(event.request_id)
            case RequestCancelled():
                self._forget(event.request_id)

    def _forget(self, request_id: str) -> None:
        if request_id == self._keep_id:
            self._keep_id = ""
        elif request_id == self._try_id:
            self._try_id = ""
            self._try()
        else:
            self._read_id = ""

    def _new_id(self, kind: str) -> str:
        self._n_requests += 1
        return f"template-{kind}-{id(self)}-{self._n_requests}"
