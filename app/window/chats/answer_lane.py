"""Answers, one after another: what waits for one, what is being answered, what the engine says, what is written down.

Decides when a message goes to the engine and how an answer ends. Which conversation is shown, and what a person may ask
for, is decided by ChatControl, the only one that uses this.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from app.answer_settings import AnswerSettings
from app.chat.answer_facts import NO_FACTS, AnswerFacts
from app.chat.answer_parts import joined_facts
from app.chat.chats import Chats
from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED, STREAMING
from app.chat.open_conversation import OpenConversation
from app.chat.records import ASSISTANT, StoredMessage
from app.window.bridge import EngineBridge
from app.window.chats.answer_writer import AnswerWriter
from app.window.chats.store_access import StoreAccess
from app.window.model_control import ASLEEP, READY, ModelControl
from app.window.settings_control import SettingsControl
from engine.messages import (
    Cancel,
    ChatMessage,
    Event,
    Failed,
    Generate,
    GenerationFinished,
    HostDied,
    Progress,
    RequestCancelled,
    TextPiece,
)

AccessOf = Callable[[Chats], StoreAccess]


@dataclass(slots=True)
class Answering:
    """The answer being written."""

    request_id: str
    conversation: OpenConversation
    message_id: str
    answers: AnswerSettings = field(default_factory=AnswerSettings)
    progress: Progress | None = None
    is_stopping: bool = False
    n_received: int = 0
    """Characters that came; less than the text of an answer that was continued."""

    before: AnswerFacts | None = None
    """What was known of an answer when it was continued."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A user's message that will be answered as soon as the engine is free; or an answer that will go on."""

    conversation: OpenConversation
    message_id: str
    continued_id: str | None = None


class AnswerLane(QObject):
    changed = Signal()
    """What is answered, how far it is, or what waits, is other than before."""

    began = Signal(object)
    """The OpenConversation that has one answer more, which is empty."""

    refused = Signal(object)
    """The OpenConversation of a message that waited: the row of its answer could not be written."""

    grew = Signal(object, str, str)
    """The OpenConversation, the message's id, the characters that are new."""

    ended = Signal(object, object)
    """The OpenConversation and the StoredMessage, before the next message is sent to the engine."""

    settled = Signal(object)
    """The StoredMessage of an answer that has ended, after that."""

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        settings: SettingsControl,
        access_of: AccessOf,
        answers_of: Callable[[OpenConversation], AnswerSettings],
        is_shown: Callable[[OpenConversation], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._settings = settings
        self._access_of = access_of
        self._answers_of = answers_of
        self._is_shown = is_shown
        self._n_requests = 0
        self._waiting: deque[Waiting] = deque()
        self.writer = AnswerWriter(access_of, self)
        self.answering: Answering | None = None
        bridge.received.connect(self._on_event)
        models.changed.connect(self.go_on)

    def conversations(self) -> list[OpenConversation]:
        """Those that are answered or wait to be; what is in memory of them is ahead of what is stored."""
        waiting = [w.conversation for w in self._waiting]
        return [*waiting, self.answering.conversation] if self.answering is not None else waiting

    def is_answering(self, conversation: OpenConversation | None) -> bool:
        return self.answering is not None and self.answering.conversation is conversation

    def is_waiting(self, conversation: OpenConversation | None) -> bool:
        return any(w.conversation is conversation for w in self._waiting)

    def is_busy(self, conversation: OpenConversation | None) -> bool:
        """Answered, or waiting to be."""
        return self.is_answering(conversation) or self.is_waiting(conversation)

    # What is asked ------------------------------------------------------------------------------------------------

    def add(self, waiting: Waiting) -> None:
        """Answer it when its turn has come; `go_on` looks whether that is now."""
        self._waiting.append(waiting)

    def stop(self, conversation: OpenConversation) -> None:
        """Stop its answer, and take its messages out of the queue."""
        if self.answering is not None and self.answering.conversation is conversation:
            self.answering.is_stopping = True
            self._bridge.submit(Cancel(self.answering.request_id))
        for waiting in tuple(self._waiting):
            if waiting.conversation is conversation:
                self._waiting.remove(waiting)
                conversation.ends_at = None  # the answer there was comes back

    def go_on(self) -> None:
        """Send the message that has waited longest, if the engine can take it."""
        if self._waiting and self._models.state == ASLEEP:
            self._models.wake()
        if self.answering is not None or not self._waiting or self._models.state != READY:
            return
        waiting = self._waiting.popleft()
        conversation = waiting.conversation
        before = conversation.messages[waiting.continued_id].facts if waiting.continued_id is not None else None
        answer = self._begin(waiting)
        if answer is None:
            conversation.ends_at = None
            self.refused.emit(conversation)
            return
        self._n_requests += 1
        answers = self._answers_of(conversation)
        self.answering = Answering(f"generate-{self._n_requests}", conversation, answer.id, answers, before=before)
        self.writer.begin(conversation, answer.id)
        self._bridge.submit(self._request(self.answering.request_id, waiting, answer))
        self.began.emit(conversation)
        self.changed.emit()

    def shut_down(self) -> None:
        """Nothing is asked any more, and what there is of an answer is written down."""
        self._waiting.clear()
        if self.answering is not None:
            self._end(INTERRUPTED)
        self.writer.write_rest()

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
                self.changed.emit()
            case TextPiece():
                self._grow(self.answering, event.text)
            case GenerationFinished():
                status = STOPPED if event.reason == "cancelled" else DONE
                answers = self.answering.answers
                facts = AnswerFacts(event.reason, event.stats, sampling=answers.sampling(), preset=answers.preset)
                self._end(status, facts)
            case RequestCancelled():
                self._end(STOPPED)
            case Failed():
                self._end(ERROR, AnswerFacts(error=event.error))

    def _grow(self, answering: Answering, text: str) -> None:
        conversation = answering.conversation
        message = conversation.messages[answering.message_id]
        conversation.update(message.id, content=message.content + text)
        is_first = not answering.n_received
        answering.n_received += len(text)
        self.writer.grew()
        self.grew.emit(conversation, message.id, text)
        if is_first:
            self.changed.emit()

    def _end(self, status: str, facts: AnswerFacts = NO_FACTS) -> None:
        answering, self.answering = self.answering, None
        if answering is None:
            return
        if answering.before is not None:
            facts = joined_facts(answering.before, facts, is_grown=answering.n_received > 0)
        conversation = answering.conversation
        message = conversation.update(answering.message_id, status=status, facts=facts)
        self.writer.end(conversation, message, is_seen=self._is_shown(conversation))
        self.ended.emit(conversation, message)
        self.go_on()
        self.changed.emit()
        self.settled.emit(message)

    # Requests -----------------------------------------------------------------------------------------------------

    def _begin(self, waiting: Waiting) -> StoredMessage | None:
        """The row of the answer; None where it could not be written."""
        conversation, chats = waiting.conversation, waiting.conversation.chats
        continued_id = waiting.continued_id
        access = self._access_of(chats)
        if continued_id is not None:
            again = access.ask(lambda: chats.continue_answer(continued_id))
            return again and conversation.update(continued_id, status=STREAMING, facts=again.facts)
        ready = self._models.ready
        model = ready.model.name if ready else ""
        answer = access.ask(lambda: chats.start_answer(waiting.message_id, model))
        if answer is not None:
            conversation.add(answer)
        return answer

    def _request(self, request_id: str, waiting: Waiting, answer: StoredMessage) -> Generate:
        settings, answers = self._settings.value, self._answers_of(waiting.conversation)
        prompt = waiting.conversation.prompt(answers.system_prompt, waiting.message_id)
        if waiting.continued_id is not None:
            prompt = (*prompt, ChatMessage(ASSISTANT, answer.content))
        return Generate(
            request_id,
            prompt,
            answers.sampling(),
            self._models.tier,
            settings.counts_neurons,
            overflow=settings.overflow,
            keeps_first=settings.keeps_first,
            completes_text=self._models.completes_text,
        )
