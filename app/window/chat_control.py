"""The chat: which conversation is shown, what waits for an answer, what is being answered, what is on disk.

Decides when a message is sent to the engine, when text is flushed, what stop, regenerate, rename and delete mean. Knows
no widget; the view listens to the signals and reads the attributes. One answer is written at a time; messages sent
meanwhile, or before a model is ready, wait in order.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED, STREAMING, Conversation, Message, title_of
from app.chat.store import NEW_CONVERSATION, ConversationStore, StoreError, Summary
from app.error_text import ErrorText, describe_store_error
from app.window.bridge import EngineBridge
from app.window.model_control import READY, ModelControl
from app.window.settings_control import SettingsControl
from app.window.wording import translate
from engine.errors import ErrorReport
from engine.messages import (
    Cancel,
    ChatMessage,
    Event,
    Failed,
    Generate,
    GenerationFinished,
    GenerationStats,
    HostDied,
    Progress,
    RequestCancelled,
    TextPiece,
)

FLUSH_MS = 500
DRAFT_MS = 500


@dataclass(slots=True)
class Answering:
    """The answer being written."""

    request_id: str
    conversation: Conversation
    message_id: int
    progress: Progress | None = None
    is_stopping: bool = False
    is_flushed: bool = True


@dataclass(frozen=True, slots=True)
class Waiting:
    """A user's message that will be answered as soon as the engine is free."""

    conversation: Conversation
    message_id: int


class ChatControl(QObject):
    path_changed = Signal()
    """Other messages are shown than before: another conversation, another version, a message more."""

    answer_grew = Signal(int, str)
    """Message id, the characters that are new."""

    answer_changed = Signal(object)
    """A Message whose status or figures are other than before."""

    state_changed = Signal()
    """What is answered, or what waits, is other than before."""

    list_changed = Signal()
    store_changed = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        settings: SettingsControl,
        store: ConversationStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._settings = settings
        self._store = store
        self._n_requests = 0
        self._waiting: deque[Waiting] = deque()
        self._drafts = store.drafts()
        self._unsaved_drafts: set[int] = set()
        self.answering: Answering | None = None
        self.conversation: Conversation | None = None
        self.store_error: ErrorText | None = None
        """Why the latest write failed; None again once one succeeds."""
        self._flush_timer = QTimer(self)
        self._flush_timer.setInterval(FLUSH_MS)
        self._flush_timer.timeout.connect(self._flush)
        self._draft_timer = QTimer(self)
        self._draft_timer.setSingleShot(True)
        self._draft_timer.setInterval(DRAFT_MS)
        self._draft_timer.timeout.connect(self._save_drafts)
        bridge.received.connect(self._on_event)
        models.changed.connect(self._next)

    # What is shown ------------------------------------------------------------------------------------------------

    @property
    def is_stored(self) -> bool:
        """False while conversations are kept in memory only."""
        return self._store.path is not None

    @property
    def conversation_id(self) -> int:
        return self.conversation.id if self.conversation else NEW_CONVERSATION

    @property
    def path(self) -> list[Message]:
        return self.conversation.path() if self.conversation else []

    @property
    def is_answering_here(self) -> bool:
        return self.answering is not None and self.answering.conversation is self.conversation

    @property
    def is_waiting_here(self) -> bool:
        return any(w.conversation is self.conversation for w in self._waiting)

    @property
    def draft(self) -> str:
        return self._drafts.get(self.conversation_id, "")

    def conversations(self) -> list[Summary]:
        found: list[Summary] = []
        self._stored(lambda: found.extend(self._store.conversations()), is_read=True)
        return found

    def is_busy(self, conversation_id: int) -> bool:
        """Whether a conversation is being answered or waits to be."""
        busy = [w.conversation.id for w in self._waiting]
        if self.answering is not None:
            busy.append(self.answering.conversation.id)
        return conversation_id in busy

    def versions(self, message: Message) -> list[Message]:
        return self.conversation.versions(message.id) if self.conversation else [message]

    # What the user asks -------------------------------------------------------------------------------------------

    def new(self) -> None:
        if self.conversation is not None:
            self.conversation = None
            self._show()

    def open(self, conversation_id: int) -> None:
        if conversation_id == self.conversation_id:
            return
        live = [w.conversation for w in self._waiting] + ([self.answering.conversation] if self.answering else [])
        conversation = next((c for c in live if c.id == conversation_id), None)
        if conversation is None:
            loaded: list[Conversation] = []
            if not self._stored(lambda: loaded.append(self._store.load(conversation_id)), is_read=True):
                return
            conversation = loaded[0]
        self.conversation = conversation
        self._show()

    def send(self, text: str) -> bool:
        """Write the message down and queue it for an answer; False if it could not even be written down."""
        if not text.strip() or self.is_answering_here or self.is_waiting_here:
            return False
        conversation = self.conversation
        if conversation is None:
            begun: list[Conversation] = []
            if not self._stored(lambda: begun.append(self._store.create(title_of(text), text))):
                return False
            self._drafts.pop(NEW_CONVERSATION, None)
            conversation = self.conversation = begun[0]
        else:
            at = conversation
            sent: list[Message] = []
            if not self._stored(lambda: sent.append(self._store.add_message(at.id, at.leaf_id, "user", text))):
                return False
            conversation.add(sent[0])
            self.keep_draft("")
        if conversation.leaf_id is not None:
            self._ask(conversation, conversation.leaf_id)
        self.list_changed.emit()
        return True

    def regenerate(self) -> None:
        """Answer the last message of the user once more; an answer that is there stays as another version."""
        path = self.path
        if not path or self.conversation is None or self.is_answering_here or self.is_waiting_here:
            return
        asked = path[-1] if path[-1].role == "user" else self.conversation.messages.get(path[-1].parent_id or 0)
        if asked is not None:
            self.conversation.leaf_id = asked.id
            self._ask(self.conversation, asked.id)

    def prompt_of(self, answer: Message) -> tuple[ChatMessage, ...]:
        """What the model would read now to give an answer of the conversation shown; empty where it is not there."""
        if self.conversation is None or answer.parent_id not in self.conversation.messages:
            return ()
        return self.conversation.prompt(self._settings.value.system_prompt, answer.parent_id)

    def show_version(self, message_id: int) -> None:
        conversation = self.conversation
        if conversation is None or self.is_answering_here or self.is_waiting_here:
            return
        conversation.show_version(message_id)
        leaf_id = conversation.leaf_id
        if leaf_id is not None:
            self._stored(lambda: self._store.show_leaf(conversation.id, leaf_id))
        self.path_changed.emit()
        self.state_changed.emit()

    def stop(self) -> None:
        """Stop the answer of the conversation shown, or take its message out of the queue."""
        if self.answering is not None and self.is_answering_here:
            self.answering.is_stopping = True
            self._bridge.submit(Cancel(self.answering.request_id))
        for waiting in tuple(self._waiting):
            if waiting.conversation is self.conversation:
                self._waiting.remove(waiting)
                # Where another answer was to be made, the newest there is comes back.
                waiting.conversation.show_version(waiting.message_id)
        self.path_changed.emit()
        self.state_changed.emit()

    def rename(self, conversation_id: int, title: str) -> None:
        title = " ".join(title.split())
        if not title or not self._stored(lambda: self._store.rename(conversation_id, title)):
            return
        if self.conversation is not None and self.conversation.id == conversation_id:
            self.conversation.title = title
        self.list_changed.emit()

    def delete(self, conversation_id: int) -> None:
        """Take a conversation off the list; `undelete` brings it back."""
        if self.answering is not None and self.answering.conversation.id == conversation_id:
            self._bridge.submit(Cancel(self.answering.request_id))
        self._waiting = deque(w for w in self._waiting if w.conversation.id != conversation_id)
        if self._stored(lambda: self._store.delete(conversation_id)):
            if conversation_id == self.conversation_id:
                self.conversation = None
                self._show()
            self.list_changed.emit()

    def undelete(self, conversation_id: int) -> None:
        if self._stored(lambda: self._store.undelete(conversation_id)):
            self.open(conversation_id)
            self.list_changed.emit()

    def keep_draft(self, text: str) -> None:
        """Remember what is typed and not sent."""
        if text == self.draft:
            return
        self._drafts[self.conversation_id] = text
        self._unsaved_drafts.add(self.conversation_id)
        self._draft_timer.start()

    def shut_down(self) -> None:
        """Write everything down; called before the engine is closed."""
        self._waiting.clear()
        if self.answering is not None:
            self._end(INTERRUPTED)
        self._draft_timer.stop()
        self._save_drafts()

    # What the engine says -----------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        if isinstance(event, HostDied):
            if self.answering is not None:
                self._end(INTERRUPTED)
            return
        if self.answering is None or event.request_id != self.answering.request_id:
            return
        match event:
            case Progress():
                self.answering.progress = event
                self.state_changed.emit()
            case TextPiece():
                self._grow(event.text)
            case GenerationFinished():
                status = STOPPED if event.reason == "cancelled" else DONE
                self._end(status, reason=event.reason, stats=event.stats)
            case RequestCancelled():
                self._end(STOPPED)
            case Failed():
                self._end(ERROR, error=event.error)

    def _grow(self, text: str) -> None:
        answering = self.answering
        if answering is None:
            return
        message = answering.conversation.messages[answering.message_id]
        is_first = not message.content
        answering.conversation.update(message.id, content=message.content + text)
        answering.is_flushed = False
        if answering.conversation is self.conversation:
            self.answer_grew.emit(message.id, text)
        if is_first:
            self.state_changed.emit()

    def _end(
        self, status: str, *, reason: str = "", stats: GenerationStats | None = None, error: ErrorReport | None = None
    ) -> None:
        answering, self.answering = self.answering, None
        if answering is None:
            return
        self._flush_timer.stop()
        message = answering.conversation.update(
            answering.message_id, status=status, reason=reason, stats=stats, error=error
        )
        if not self._stored(lambda: self._store.write_answer(message)):
            # Kept for the next attempt: the text is on the screen and must not be lost because a disk was full.
            QTimer.singleShot(FLUSH_MS * 4, self, lambda: self._write_again(message))
        if answering.conversation is self.conversation:
            self.answer_changed.emit(message)
        self.list_changed.emit()
        self._next()
        self.state_changed.emit()

    # The queue ----------------------------------------------------------------------------------------------------

    def _ask(self, conversation: Conversation, message_id: int) -> None:
        self._waiting.append(Waiting(conversation, message_id))
        self.path_changed.emit()
        self._next()
        self.state_changed.emit()

    def _next(self) -> None:
        """Send the message that has waited longest, if the engine can take it."""
        if self.answering is not None or not self._waiting or self._models.state != READY:
            return
        ready = self._models.ready
        waiting = self._waiting[0]
        conversation = waiting.conversation
        written: list[Message] = []

        def write() -> None:
            written.append(
                self._store.add_message(
                    conversation.id,
                    waiting.message_id,
                    "assistant",
                    "",
                    status=STREAMING,
                    model=ready.model.name if ready else "",
                )
            )

        if not self._stored(write):
            self._waiting.popleft()
            self.state_changed.emit()
            return
        self._waiting.popleft()
        conversation.add(written[0])
        self._n_requests += 1
        self.answering = Answering(f"generate-{self._n_requests}", conversation, written[0].id)
        self._flush_timer.start()
        settings = self._settings.value
        prompt = conversation.prompt(settings.system_prompt, waiting.message_id)
        self._bridge.submit(
            Generate(self.answering.request_id, prompt, settings.sampling(), self._models.tier, settings.counts_neurons)
        )
        if conversation is self.conversation:
            self.path_changed.emit()
        self.list_changed.emit()
        self.state_changed.emit()

    # The disk -----------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        answering = self.answering
        if answering is None or answering.is_flushed:
            return
        message = answering.conversation.messages[answering.message_id]
        answering.is_flushed = self._stored(lambda: self._store.write_answer(message))

    def _write_again(self, message: Message) -> None:
        if not self._stored(lambda: self._store.write_answer(message)):
            QTimer.singleShot(FLUSH_MS * 4, self, lambda: self._write_again(message))

    def _save_drafts(self) -> None:
        for conversation_id in tuple(self._unsaved_drafts):
            content = self._drafts.get(conversation_id, "")
            if not self._stored(lambda i=conversation_id, c=content: self._store.save_draft(i, c)):  # type: ignore[misc]
                return
            self._unsaved_drafts.discard(conversation_id)

    def _stored(self, operation: Callable[[], None], *, is_read: bool = False) -> bool:
        """Run an operation of the store; where it is refused, say so once and go on without."""
        try:
            operation()
        except StoreError as error:
            problem = describe_store_error(error, translate)
            if problem != self.store_error:
                self.store_error = problem
                self.store_changed.emit()
            return False
        if self.store_error is not None and not is_read:  # being able to read says nothing about writing
            self.store_error = None
            self.store_changed.emit()
        return True

    def _show(self) -> None:
        self.path_changed.emit()
        self.state_changed.emit()
