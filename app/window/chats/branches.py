"""What is done with the tree of messages: another version shown, one taken out and brought back, a chat forked off.

Decides when that may be done: while the conversation is answered only the versions of that answer may be looked at,
and where text is to be copied or taken out, all of it is written before. What is said anew (an edit, another answer) is
ChatControl's, the only one that uses this.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app.chat.open_conversation import OpenConversation
from app.chat.versions import DeletedVersion
from app.window.chats.answer_lane import AnswerLane
from app.window.chats.conversation_shelf import ConversationShelf
from app.window.chats.shown_conversation import ShownConversation


class Branches(QObject):
    changed = Signal()
    """Other messages are shown than before."""

    forked = Signal()
    """There is a conversation more, and it is shown."""

    deleted = Signal(object)
    """A DeletedVersion, which `restore` brings back."""

    def __init__(
        self,
        shown: ShownConversation,
        lane: AnswerLane,
        shelf: ConversationShelf,
        open_chat: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._shown = shown
        self._lane = lane
        self._shelf = shelf
        self._open_chat = open_chat

    def show(self, message_id: str) -> None:
        """Make the path go through this message."""
        conversation = self._shown.current
        message = conversation.messages.get(message_id) if conversation is not None else None
        if conversation is None or message is None:
            return
        if self._lane.is_busy(conversation) and not self._lane.is_version(conversation, message):
            return
        conversation.show_version(message_id)
        self._shown.access_of(conversation.chats).do(lambda: conversation.chats.show_version(message_id))
        self.changed.emit()

    def step(self, step: int) -> None:
        """Show the next version of the last message, or with -1 the one before."""
        path, conversation = self._shown.path, self._shown.current
        if not path or conversation is None:
            return
        versions = [message.id for message in conversation.versions(path[-1].id)]
        at = versions.index(path[-1].id) + step
        if 0 <= at < len(versions):
            self.show(versions[at])

    def fork(self, message_id: str) -> None:
        """Go on from a message in a conversation of its own; the one shown stays as it is."""
        origin = self._shown.current
        if origin is None or not self._lane.writer.write_rest():
            return
        chats = origin.chats
        forked = self._shown.access_of(chats).ask(lambda: chats.fork(message_id))
        if forked is None:
            return
        if chats is self._shown.kept:
            self._shelf.refresh(forked.id)
            self._open_chat(forked.id)
        else:
            self._shown.current = OpenConversation(forked, chats)
            self._shown.temporary.add(self._shown.current)
            self.changed.emit()
        self.forked.emit()

    def delete(self, message_id: str) -> None:
        """Take out a version of a message with all that follows it; `restore` brings it back."""
        conversation = self._idle()
        if conversation is None or not self._lane.writer.write_rest():
            return
        access = self._shown.access_of(conversation.chats)
        deleted = access.ask(lambda: conversation.chats.delete_version(message_id))
        if deleted is not None:
            conversation.remove(message_id)
            self.changed.emit()
            self.deleted.emit(deleted)

    def restore(self, deleted: DeletedVersion) -> None:
        shown = self._shown
        conversation = shown.found(deleted.conversation_id, self._lane.conversations())
        if conversation is None or self._lane.is_busy(conversation):
            return
        if shown.access_of(conversation.chats).do(lambda: conversation.chats.restore_version(deleted)):
            if conversation is shown.current:
                shown.current = shown.read(conversation.chats, conversation.id) or conversation
                self.changed.emit()
            else:
                self._open_chat(conversation.id)

    def _idle(self) -> OpenConversation | None:
        """The conversation shown, unless an answer is written in it or waited for."""
        return None if self._lane.is_busy(self._shown.current) else self._shown.current
