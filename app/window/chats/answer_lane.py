"""Answers, one after another: what waits for one, what is being answered, what the engine says, what is written down.

Decides when a message goes to the engine and how an answer ends; several versions of one, written at once, are one
answering, which lasts until the last of them has ended. Which conversation is shown, and what a person may ask
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
from app.chat.several_answers import is_without_chance, samplings_of
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
    GenerateVariants,
    GenerationFinished,
    HostDied,
    Progress,
    RequestCancelled,
    SamplingParams,
    TextPiece,
    VariantEnded,
    VariantsFinished,
    VariantText,
)

AccessOf = Callable[[Chats], StoreAccess]


@dataclass(slots=True)
class Answering:
    """The answer being written, or the versions of one, in the order of their numbers.

    samplings    how the tokens of each are chosen
    running      which of them have not ended
    n_received   characters that came; less than the text of an answer that was continued
    before       what was known of an answer when it was continued
    """

    request_id: str
    conversation: OpenConversation
    message_ids: tuple[str, ...]
    samplings: tuple[SamplingParams, ...]
    running: set[str]
    answers: AnswerSettings = field(default_factory=AnswerSettings)
    progress: Progress | None = None
    is_stopping: bool = False
    n_received: int = 0
    before: AnswerFacts | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A user's message that will be answered as soon as the engine is free; or an answer that will go on.

    n_versions   so many answers are written at once
    """

    conversation: OpenConversation
    message_id: str
    continued_id: str | None = None
    n_versions: int = 1


class AnswerLane(QObject):
    changed = Signal()
    """What is answered, how far it is, or what waits, is other than before."""

    began = Signal(object)
    """The OpenConversation that has an answer more, or several, which are empty."""

    refused = Signal(object)
    """The OpenConversation of a message that waited: the row of its answer could not be written."""

    grew = Signal(object, str, str)
    """The OpenConversation, the message's id, the characters that are new."""

    ended = Signal(object, object)
    """The OpenConversation and the StoredMessage of an answer or a version, before the next message is sent."""

    settled = Signal(object)
    """The StoredMessage of an answer that has ended, after that; of several versions the one that tells how it went."""

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

    def is_version(self, conversation: OpenConversation, message: StoredMessage) -> bool:
        """Whether it is a version of the answer that is being written, or that answer."""
        if self.answering is None or self.answering.conversation is not conversation:
            return False
        return message.parent_id == conversation.messages[self.answering.message_ids[0]].parent_id

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
        answers = self._answers_of(conversation)
        samplings = self._samplings(waiting, answers.sampling())
        begun = self._begin(waiting, len(samplings))
        if not begun:
            conversation.ends_at = None
            self.refused.emit(conversation)
            return
        self._n_requests += 1
        ids = tuple(answer.id for answer in begun)
        self.answering = Answering(
            f"generate-{self._n_requests}", conversation, ids, samplings, set(ids), answers, before=before
        )
        for message_id in ids:
            self.writer.begin(conversation, message_id)
        self._bridge.submit(self._request(self.answering, waiting, begun[0]))
        self.began.emit(conversation)
        self.changed.emit()

    def shut_down(self) -> None:
        """Nothing is asked any more, and what there is of an answer is written down."""
        self._waiting.clear()
        self._end_all(INTERRUPTED)
        self.writer.write_rest()

    # What the engine says -----------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        if isinstance(event, HostDied):
            self._end_all(INTERRUPTED)
            return
        answering = self.answering
        if answering is None or event.request_id != answering.request_id:
            return
        match event:
            case Progress():
                answering.progress = event
                self.changed.emit()
            case TextPiece():
                self._grow(answering, 0, event.text)
            case VariantText():
                self._grow(answering, event.number, event.text)
            case GenerationFinished():
                self._finish(answering, 0, event)
            case VariantEnded():
                self._finish(answering, event.number, event)
            case VariantsFinished():
                self._end_all(INTERRUPTED)
            case RequestCancelled():
                self._end_all(STOPPED)
            case Failed():
                self._end_all(ERROR, AnswerFacts(error=event.error))

    def _grow(self, answering: Answering, number: int, text: str) -> None:
        conversation = answering.conversation
        message = conversation.messages[answering.message_ids[number]]
        conversation.update(message.id, content=message.content + text)
        is_first = not answering.n_received
        answering.n_received += len(text)
        self.writer.grew(message.id)
        self.grew.emit(conversation, message.id, text)
        if is_first:
            self.changed.emit()

    def _finish(self, answering: Answering, number: int, event: GenerationFinished | VariantEnded) -> None:
        """An answer, or one version of it, is whole or was stopped."""
        status = STOPPED if event.reason == "cancelled" else DONE
        sampling, preset = answering.samplings[number], answering.answers.preset
        facts = AnswerFacts(event.reason, event.stats, sampling=sampling, preset=preset)
        self._end(answering, (answering.message_ids[number],), status, facts)

    def _end_all(self, status: str, facts: AnswerFacts = NO_FACTS) -> None:
        """Whatever has not ended ends so."""
        answering = self.answering
        if answering is not None:
            still = tuple(message_id for message_id in answering.message_ids if message_id in answering.running)
            self._end(answering, still, status, facts)

    def _end(self, answering: Answering, message_ids: tuple[str, ...], status: str, facts: AnswerFacts) -> None:
        """These have ended, and where they are the last, the answering has."""
        conversation = answering.conversation
        answering.running.difference_update(message_ids)
        if not answering.running:
            self.answering = None
        if answering.before is not None:
            facts = joined_facts(answering.before, facts, is_grown=answering.n_received > 0)
        messages = [conversation.update(message_id, status=status, facts=facts) for message_id in message_ids]
        for message in messages:
            self.writer.end(conversation, message, is_seen=self._is_shown(conversation))
        for message in messages:
            self.ended.emit(conversation, message)
        if not answering.running:
            self.go_on()
        self.changed.emit()
        if not answering.running:
            self.settled.emit(_telling(answering))

    # Requests -----------------------------------------------------------------------------------------------------

    def _begin(self, waiting: Waiting, n_answers: int) -> tuple[StoredMessage, ...]:
        """The rows of the answers; none where they could not be written."""
        conversation, chats = waiting.conversation, waiting.conversation.chats
        continued_id = waiting.continued_id
        access = self._access_of(chats)
        if continued_id is not None:
            again = access.ask(lambda: chats.continue_answer(continued_id))
            return () if again is None else (conversation.update(continued_id, status=STREAMING, facts=again.facts),)
        ready = self._models.ready
        model = ready.model.name if ready else ""
        begun = access.ask(lambda: chats.start_answers(waiting.message_id, model, n_answers)) or ()
        for answer in begun:
            conversation.add(answer)
        return begun

    def _samplings(self, waiting: Waiting, sampling: SamplingParams) -> tuple[SamplingParams, ...]:
        """How the tokens of each version are chosen, none as in one that is there; one where all would be the same."""
        if waiting.n_versions == 1 or is_without_chance(sampling):
            return (sampling,)
        there = waiting.conversation.answers_to(waiting.message_id)
        taken = {answer.stats.seed for answer in there if answer.stats is not None}
        return samplings_of(sampling, waiting.n_versions, taken)

    def _request(self, answering: Answering, waiting: Waiting, answer: StoredMessage) -> Generate | GenerateVariants:
        settings = self._settings.value
        prompt = waiting.conversation.prompt(answering.answers.system_prompt, waiting.message_id)
        if waiting.continued_id is not None:
            prompt = (*prompt, ChatMessage(ASSISTANT, answer.content))
        if len(answering.samplings) > 1:
            return GenerateVariants(
                answering.request_id,
                prompt,
                answering.samplings,
                overflow=settings.overflow,
                keeps_first=settings.keeps_first,
                completes_text=self._models.completes_text,
            )
        return Generate(
            answering.request_id,
            prompt,
            answering.samplings[0],
            self._models.tier,
            settings.counts_neurons,
            overflow=settings.overflow,
            keeps_first=settings.keeps_first,
            completes_text=self._models.completes_text,
        )


def _telling(answering: Answering) -> StoredMessage:
    """The one that tells how it went: that which did not come to its end, else that which is shown, else the first."""
    messages = [answering.conversation.messages[message_id] for message_id in answering.message_ids]
    return next((m for m in messages if m.status != DONE), next((m for m in messages if m.is_shown), messages[0]))
