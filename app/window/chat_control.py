"""The chat: which conversation is shown, and what send, stop, edit, continue and answer again mean.

Knows no widget; the view listens to the signals and reads the attributes. One answer is written at a time, by
app/window/chats/answer_lane.py; messages sent meanwhile, or before a model is ready, wait in order.
"""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.answer_settings import AnswerSettings
from app.chat.chats import Chats
from app.chat.context import system_turn, with_draft
from app.chat.open_conversation import OpenConversation
from app.chat.records import USER, ConversationSummary, StoredMessage
from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.chats.answer_choices import AnswerChoices
from app.window.chats.answer_lane import Answering, AnswerLane, Waiting
from app.window.chats.branches import Branches
from app.window.chats.conversation_search import ConversationSearch
from app.window.chats.conversation_shelf import ConversationShelf
from app.window.chats.drafts import Drafts, Place
from app.window.chats.exchange_control import ExchangeControl
from app.window.chats.shown_conversation import ShownConversation
from app.window.model_control import ModelControl
from app.window.settings_control import SettingsControl
from engine.messages import ChatMessage, CountTokens


class ChatControl(QObject):
    path_changed = Signal()
    """Other messages are shown than before: another conversation, another version, a message more."""

    answer_grew = Signal(str, str)
    """Message id, the characters that are new."""

    answer_changed = Signal(object)
    """A StoredMessage whose status or figures are other than before."""

    answer_ended = Signal(object)
    """The StoredMessage of an answer that has just ended, in whichever conversation."""

    message_sought = Signal(str)
    """This message, which is on the path now, is what somebody looked for."""

    state_changed = Signal()
    """What is answered, or what waits, is other than before."""

    answers_changed = Signal()
    """The next answer of the conversation shown is made otherwise than before, by settings of its own."""

    list_changed = Signal()
    """Conversations, their order, titles or state are others than before."""

    store_changed = Signal()

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        settings: SettingsControl,
        chats: Chats,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._models = models
        self._settings = settings
        self._chats = chats
        self._shown = ShownConversation(chats, self)
        self.access, self.temporary = self._shown.access, self._shown.temporary
        self.shelf = ConversationShelf(chats, self.access, self)
        self.search = ConversationSearch(chats, self)
        self.exchange = ExchangeControl(chats, self)
        self._drafts = Drafts(chats, self._shown.access_of, self)
        self._choices = AnswerChoices(settings, self.access, self)
        self._lane = AnswerLane(
            bridge, models, settings, self._shown.access_of, self._answers_of, lambda it: it is self.conversation, self
        )
        self._lane.changed.connect(self.state_changed)
        self._lane.began.connect(self._on_began)
        self._lane.refused.connect(self._show)
        self._lane.grew.connect(self._on_grew)
        self._lane.ended.connect(self._on_ended)
        self._lane.settled.connect(self.answer_ended)
        self.branches = Branches(self._shown, self._lane, self.shelf, self.open, self)
        self.branches.changed.connect(self._show)
        self.branches.forked.connect(self.list_changed)
        self.notices: list[ErrorText] = []
        """What a person should know of this start, until it is put away."""
        self.access.changed.connect(self.store_changed)
        self.shelf.changed.connect(self._on_list_changed)

    # What is shown ------------------------------------------------------------------------------------------------

    @property
    def answering(self) -> Answering | None:
        """The answer being written, or versions of one, in whichever conversation."""
        return self._lane.answering

    @property
    def is_stored(self) -> bool:
        """False while conversations are kept in memory only."""
        return self._chats.database.path is not None

    @property
    def protected_file(self) -> Path | None:
        """The file whose conversations are shown, and which cannot be written; None where that is not so."""
        return self._chats.database.copied_from

    @property
    def protected(self) -> frozenset[str]:
        """Conversations and folders of that file."""
        return self._chats.protected

    @property
    def is_temporary_here(self) -> bool:
        """Whether what is shown, or would be begun, is kept nowhere."""
        return self._shown.is_temporary

    @property
    def store_error(self) -> ErrorText | None:
        """Why the latest write failed; None where it did not."""
        return self.access.error

    @property
    def has_unwritten(self) -> bool:
        """Whether text on the screen could not be written down yet."""
        return self._lane.writer.has_unwritten

    @property
    def place(self) -> Place:
        """The store and the conversation that are shown; None for one that is not begun yet."""
        return self._shown.place

    @property
    def conversation(self) -> OpenConversation | None:
        """The one that is shown; None where none is begun."""
        return self._shown.current

    @property
    def conversation_id(self) -> str | None:
        return self.conversation.id if self.conversation else None

    @property
    def path(self) -> list[StoredMessage]:
        return self._shown.path

    @property
    def is_answering_here(self) -> bool:
        return self._lane.is_answering(self.conversation)

    @property
    def is_waiting_here(self) -> bool:
        return self._lane.is_waiting(self.conversation)

    @property
    def is_busy_here(self) -> bool:
        return self._lane.is_busy(self.conversation)

    @property
    def draft(self) -> str:
        return self._drafts.text(self.place)

    @property
    def answer_settings(self) -> AnswerSettings | None:
        """How answers of the conversation shown are made, where it has settings of its own."""
        return self._choices.own(self.conversation, self._shown.new_in)

    @property
    def answers_in_force(self) -> AnswerSettings:
        """How the next answer of the conversation shown is made."""
        return self._choices.in_force(self.conversation, self._shown.new_in)

    def set_answer_settings(self, answers: AnswerSettings | None) -> None:
        """Of the conversation shown alone; None: as in all others."""
        self._choices.keep(self.conversation, self._shown.new_in, answers)
        self.answers_changed.emit()

    def conversations(self) -> list[ConversationSummary]:
        """Those in the store that are not in the trash, pinned ones first, then latest first."""
        return self.shelf.summaries()

    def busy_ids(self) -> set[str]:
        """Conversations that are being answered or wait to be."""
        return {conversation.id for conversation in self._lane.conversations()}

    def is_busy(self, conversation_id: str) -> bool:
        return conversation_id in self.busy_ids()

    def versions(self, message: StoredMessage) -> list[StoredMessage]:
        known = self.conversation is not None and message.id in self.conversation.messages
        return self.conversation.versions(message.id) if self.conversation and known else [message]

    def can_continue(self, message: StoredMessage) -> bool:
        """Whether an answer that was cut off can go on where it ended."""
        is_last = self.conversation is not None and self.conversation.last_id == message.id
        return is_last and message.can_continue and not self.is_busy_here

    def put_away(self, notice: ErrorText) -> None:
        """A person has read it."""
        self.notices = [kept for kept in self.notices if kept is not notice]
        self.store_changed.emit()

    # Which conversation -------------------------------------------------------------------------------------------

    def new(self, *, is_temporary: bool = False) -> None:
        """Nothing is shown, and the next message begins a conversation; a temporary one is written nowhere."""
        if self._shown.clear(is_temporary=is_temporary):
            self._show()

    def open(self, conversation_id: str, message_id: str | None = None) -> None:
        """Show a conversation; with a message, on the path through it."""
        if conversation_id != self.conversation_id:
            conversation = self._found(conversation_id)
            if conversation is None:
                return
            self._shown.current = conversation
            if conversation.chats is self._chats and self.access.do(lambda: self._chats.mark_opened(conversation_id)):
                self.shelf.refresh(conversation_id)
            self._show()
        if message_id is not None and self.conversation is not None and message_id in self.conversation.messages:
            if not any(message.id == message_id for message in self.path):
                self.branches.show(message_id)
            self.message_sought.emit(message_id)

    def keep_temporary(self) -> None:
        """Move the temporary conversation that is shown among those that are kept."""
        conversation = self.conversation
        if (
            conversation is None
            or not self.is_temporary_here
            or self.is_busy_here
            or not self._lane.writer.write_rest()
        ):
            return
        if self._lane.writer.write_rest() and self.access.do(lambda: self.temporary.keep(conversation)):
            self._drafts.keep((self._chats, conversation.id), self.draft)
            self._shown.clear()
            self.shelf.refresh(conversation.id)
            self.open(conversation.id)

    def rename(self, conversation_id: str, title: str) -> None:
        if self.temporary.find(conversation_id) is not None:
            self.temporary.rename(conversation_id, title)
            self._on_list_changed()
        else:
            self.shelf.rename(conversation_id, title)

    def delete(self, conversation_id: str) -> None:
        """Take a conversation off the list; `undelete` brings it back."""
        for conversation in self._lane.conversations():
            if conversation.id == conversation_id:
                self._lane.stop(conversation)
        is_temporary = self.temporary.find(conversation_id) is not None
        if is_temporary:
            self.temporary.drop(conversation_id)
        elif not self.shelf.throw_away(conversation_id):
            return
        if conversation_id == self.conversation_id:
            self._shown.clear()
            self._show()
        self.list_changed.emit()
        self.state_changed.emit()

    def undelete(self, conversation_id: str) -> None:
        if self.temporary.take_back(conversation_id) or self.shelf.bring_back(conversation_id):
            self.open(conversation_id)
            self.list_changed.emit()

    def erase(self, conversation_ids: Iterable[str]) -> int:
        """Out of the trash, for good; how many had to stay since an answer in them has not ended yet."""
        gone = list(conversation_ids)
        for conversation_id in gone:
            self._drafts.forget((self._chats, conversation_id))
            self._lane.writer.forget(conversation_id)
        return self.shelf.erase(gone)

    # What the user asks -------------------------------------------------------------------------------------------

    def send(self, text: str) -> bool:
        """Write the message down and queue it for an answer; False if it could not even be written down."""
        if not text.strip() or self.is_busy_here:
            return False
        chats, _ = place = self.place
        if self.conversation is not None:
            return self._say(self.conversation, text)
        begun = self._shown.access_of(chats).ask(lambda: chats.create(text))
        if begun is None:
            return False
        conversation = self._shown.current = OpenConversation(begun, chats)
        self._choices.begun(conversation)
        if self.is_temporary_here:
            self.temporary.add(conversation)
        self._drafts.sent(place)
        if conversation.last_id is not None:
            self._ask(Waiting(conversation, conversation.last_id))
        return True

    def send_in(self, conversation_id: str, text: str) -> bool:
        """The same in a conversation that has begun, whether it is shown or not."""
        conversation = None if conversation_id in self.busy_ids() else self._found(conversation_id)
        return conversation is not None and self._say(conversation, text)

    def edit(self, message_id: str, text: str) -> bool:
        """Say something else in place of a message; what was there stays, with what followed it, as a version."""
        conversation = self.conversation
        if conversation is None or not text.strip() or self.is_busy_here:
            return False
        if conversation.messages[message_id].content == text:
            self.regenerate(message_id)
            return True
        edited = self._shown.access_of(conversation.chats).ask(lambda: conversation.chats.edit(message_id, text))
        if edited is None:
            return False
        conversation.add(edited)
        self._ask(Waiting(conversation, edited.id))
        return True

    def _say(self, conversation: OpenConversation, text: str) -> bool:
        chats, parent_id = conversation.chats, conversation.last_id
        sent = self._shown.access_of(chats).ask(lambda: chats.send(conversation.id, parent_id, text))
        if sent is None:
            return False
        conversation.add(sent)
        self._drafts.sent((chats, conversation.id))
        self._ask(Waiting(conversation, sent.id))
        return True

    def regenerate(self, message_id: str | None = None, *, n_versions: int = 1) -> None:
        """Answer a message of the user once more, or that of an answer; without one, the last there is.

        An answer that is there stays as another version. Several are written at once, unless all would be the same.
        """
        path, conversation = self.path, self.conversation
        if not path or conversation is None or self.is_busy_here:
            return
        message = conversation.messages.get(message_id or path[-1].id)
        if message is not None and message.role != USER:
            message = conversation.messages.get(message.parent_id or "")
        if message is not None:
            conversation.ends_at = message.id
            self._ask(Waiting(conversation, message.id, n_versions=n_versions))

    def continue_answer(self, message_id: str) -> None:
        """Let an answer that was cut off go on where it ended."""
        conversation = self.conversation
        message = conversation.messages.get(message_id) if conversation is not None else None
        if conversation is None or message is None or message.parent_id is None or not self.can_continue(message):
            return
        if self._lane.writer.write_rest():
            self._ask(Waiting(conversation, message.parent_id, message.id))

    def continue_last(self) -> None:
        """The same for the last answer, if it was cut off."""
        if self.path:
            self.continue_answer(self.path[-1].id)

    def stop(self) -> None:
        """Stop the answer of the conversation shown, or take its message out of the queue."""
        if self.conversation is not None:
            self._lane.stop(self.conversation)
        self._show()

    def prompt_of(self, answer: StoredMessage) -> tuple[ChatMessage, ...]:
        """What the model would read now to give an answer of the conversation shown; empty where it is not there."""
        if self.conversation is None or answer.parent_id not in self.conversation.messages:
            return ()
        return self.conversation.prompt(self.answers_in_force.system_prompt, answer.parent_id)

    def keep_draft(self, text: str) -> None:
        """Remember what is typed and not sent."""
        self.keep_draft_of(self.place, text)

    def keep_draft_of(self, place: Place, text: str) -> None:
        self._drafts.keep(place, text)

    def count_request(self, request_id: str, draft: str, texts: tuple[str, ...]) -> CountTokens:
        """What asks how many tokens the conversation shown would have if the draft were sent now."""
        settings, conversation, answers = self._settings.value, self.conversation, self.answers_in_force
        system_prompt = answers.system_prompt
        said = conversation.prompt(system_prompt, conversation.last_id) if conversation else system_turn(system_prompt)
        prompt = with_draft(said, draft)
        return CountTokens(
            request_id,
            texts,
            prompt,
            overflow=settings.overflow,
            keeps_first=settings.keeps_first,
            max_tokens=answers.max_tokens,
            completes_text=self._models.completes_text,
        )

    def write_now(self) -> bool:
        """Write down all that is on the screen, and whether it is; what is refused is said in `store_error`."""
        # The first that is refused ends it, so that its reason is not put away by another that is not.
        return self._lane.writer.write_now() and self._drafts.save() and self._choices.save()

    def shut_down(self) -> None:
        """Write everything down; called before the engine is closed."""
        self._lane.shut_down()
        self._drafts.save()
        self.search.close()
        self.exchange.close()
        self._choices.save()

    # What becomes of it -------------------------------------------------------------------------------------------

    def _ask(self, waiting: Waiting) -> None:
        self._lane.add(waiting)
        self.path_changed.emit()
        self._refresh(waiting.conversation)
        self._lane.go_on()
        self.state_changed.emit()

    def _on_began(self, conversation: OpenConversation) -> None:
        if conversation is self.conversation:
            self.path_changed.emit()
        self.list_changed.emit()

    def _on_grew(self, conversation: OpenConversation, message_id: str, text: str) -> None:
        if conversation is self.conversation:
            self.answer_grew.emit(message_id, text)

    def _on_ended(self, conversation: OpenConversation, message: StoredMessage) -> None:
        if conversation is self.conversation:
            self.answer_changed.emit(message)
        self._refresh(conversation)

    def _answers_of(self, conversation: OpenConversation) -> AnswerSettings:
        return self._choices.in_force(conversation, self._shown.new_in)

    # Within -------------------------------------------------------------------------------------------------------

    def _found(self, conversation_id: str) -> OpenConversation | None:
        return self._shown.found(conversation_id, self._lane.conversations())

    def _refresh(self, conversation: OpenConversation) -> None:
        if conversation.chats is self._chats:
            self.shelf.refresh(conversation.id)
        else:
            self.list_changed.emit()

    def _on_list_changed(self) -> None:
        summary = self.shelf.find(self.conversation_id) if self.conversation_id is not None else None
        if summary is not None and self.conversation is not None:
            self.conversation.title = summary.title
        self.list_changed.emit()

    def _show(self, _conversation: OpenConversation | None = None) -> None:
        self.path_changed.emit()
        self.state_changed.emit()
