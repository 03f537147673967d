"""What the model would read if the draft were sent now: asked of the engine whenever something changes and it is free.

Decides when tokens are counted: a moment after the last change, at once between an answer and the message that waits
for its end, one count at a time, never while an answer runs. Knows where in the conversation shown the model's reading
begins, before an answer and of the last one. Knows no widget.
"""

from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.attached_files import AttachedFile
from app.chat.context import ContextUse, estimated_tokens, first_read, use_of
from app.chat.records import StoredMessage
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.chats.drafts import Place
from app.window.model_control import ASLEEP, READY, ModelControl
from app.window.settings_control import SettingsControl
from engine.context_reports import LeftOut, PromptFitted, TokensCounted
from engine.messages import Cancel, Event, Failed, HostDied, RequestCancelled

AFTER_MS = 250  # since the last change


@dataclass(frozen=True, slots=True)
class Gap:
    """What is left out of the conversation shown.

    before_id  the message from which on the model reads again; None: none of those shown
    """

    left_out: LeftOut
    before_id: str | None


@dataclass(frozen=True, slots=True)
class FileTokens:
    """Tokens of a file of the draft; estimated while no model has counted them."""

    count: int
    is_about: bool = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """A count under way."""

    request_id: str
    place: Place
    draft: str
    files: tuple[AttachedFile, ...]
    has_system: bool
    reads_system: bool


class ContextControl(QObject):
    changed = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        chat: ChatControl,
        settings: SettingsControl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._chat = chat
        self._n_requests = 0
        self._draft = ""
        self._files: tuple[AttachedFile, ...] = ()
        self._asked: _Asked | None = None
        self._model_id = ""
        self._of_file: dict[AttachedFile, int] = {}
        self._fitted: PromptFitted | None = None
        self._has_system = False
        self.use: ContextUse | None = None
        """Of the conversation shown with the draft; None while nothing has been counted."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(AFTER_MS)
        self._timer.timeout.connect(self._count)
        bridge.received.connect(self._on_event)
        models.changed.connect(self._on_models)
        settings.changed.connect(self._timer.start)
        chat.state_changed.connect(self._timer.start)
        chat.answers_changed.connect(self._timer.start)
        chat.answer_ended.connect(self._on_answer_ended)
        chat.path_changed.connect(self._on_path)
        self._place = chat.place

    @property
    def file_tokens(self) -> tuple[FileTokens, ...]:
        """Of each file of the draft."""
        known = self._of_file
        return tuple(
            FileTokens(known[file]) if file in known else FileTokens(estimated_tokens(file.text), is_about=True)
            for file in self._files
        )

    @property
    def gap(self) -> Gap | None:
        """Where something is left out: of the answer that runs, else of the next one."""
        answering = self._chat.answering
        left_out = self.use.left_out if self.use is not None else None
        if answering is not None and self._chat.is_answering_here:
            fitted = self._fitted
            left_out = fitted.left_out if fitted and fitted.request_id == answering.request_id else None
        if left_out is None:
            return None
        return Gap(left_out, first_read(self._chat.path, left_out, has_system=self._has_system))

    def set_draft(self, content: str, files: tuple[AttachedFile, ...] = ()) -> None:
        """What is being written, with the files that are in it."""
        if content != self._draft:
            self._draft, self._files = content, files
            self._timer.start()
            self.changed.emit()

    def _on_path(self) -> None:
        if self._chat.place != self._place:
            has_begun = self._place == (self._chat.place[0], None) and self._chat.is_busy_here
            self._place = self._chat.place
            if not has_begun:  # what was a draft is a conversation now, and as long
                self.use = None
                self.changed.emit()
        self._timer.start()

    def _on_answer_ended(self, answer: StoredMessage) -> None:
        """Counted at once: a message that waits is sent next, and keeps the engine for as long as its answer."""
        if answer.conversation_id == self._place[1]:
            self._count()

    def _on_models(self) -> None:
        if self._models.state == READY:
            self._timer.start()
        elif self._models.state != ASLEEP and self._models.ready is None and self.use is not None:
            self.use, self._of_file = None, {}
            self.changed.emit()

    def _count(self) -> None:
        """Ask, unless the engine is busy; whatever ends that starts the timer again."""
        if self._asked is not None or self._models.state != READY or self._chat.answering is not None:
            return
        self._n_requests += 1
        request_id = f"count-{self._n_requests}"
        texts = (self._draft, *(file.text for file in self._files))
        request = self._chat.count_request(request_id, self._draft, texts)
        has_system = bool(request.messages) and request.messages[0].role == "system"
        self._asked = _Asked(
            request_id, self._chat.place, self._draft, self._files, has_system, not request.completes_text
        )
        self._bridge.submit(request)

    def _on_event(self, event: Event) -> None:
        match event:
            case TokensCounted():
                self._on_counted(event)
            case PromptFitted():
                answering = self._chat.answering
                if answering is not None and event.request_id == answering.request_id:
                    self._fitted = event
                    self.changed.emit()
            case Failed() | RequestCancelled():
                if self._asked is not None and event.request_id == self._asked.request_id:
                    self._asked = None
            case HostDied():
                self._asked = None

    def _on_counted(self, event: TokensCounted) -> None:
        asked = self._asked
        if asked is None or event.request_id != asked.request_id:
            return
        self._asked = None
        if (asked.place, asked.draft) != (self._chat.place, self._draft):
            self._timer.start()
        if asked.place != self._chat.place:
            return
        if event.model_id != self._model_id:
            self._model_id, self._of_file = event.model_id, {}
        counts = dict(zip(asked.files, event.text_tokens[1:], strict=True))
        known = self._of_file | counts
        self._of_file = {file: known[file] for file in self._files if file in known}
        self._has_system = asked.has_system
        self.use = use_of(event, has_system=asked.has_system, reads_system=asked.reads_system)
        self.changed.emit()

    def make_way(self) -> None:
        """A message is sent: a count that waits would only hold it up."""
        self._timer.stop()
        if self._asked is not None:
            self._bridge.submit(Cancel(self._asked.request_id))
