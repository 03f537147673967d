"""Conversations that are kept nowhere: each lives in a store in memory and is gone when Ember is closed.

Owns those of this session, the ones that were just deleted included, until it ends.
"""

from PySide6.QtCore import QObject

from app.chat.chats import Chats, open_chats
from app.chat.open_conversation import OpenConversation
from app.chat.records import ConversationSummary
from app.window.chats.store_access import StoreAccess


class TemporaryChats:
    def __init__(self, kept: Chats, parent: QObject | None = None) -> None:
        self._kept = kept
        self._open: list[OpenConversation] = []
        self._dropped: list[OpenConversation] = []
        self.access = StoreAccess(parent)

    def new_store(self) -> Chats:
        """For a conversation that is to be kept nowhere."""
        return open_chats(None)

    def add(self, conversation: OpenConversation) -> None:
        self._open.insert(0, conversation)

    def find(self, conversation_id: str) -> OpenConversation | None:
        return next((c for c in self._open if c.id == conversation_id), None)

    def summaries(self) -> list[ConversationSummary]:
        """Latest first."""
        return [conversation.chats.summary(conversation.id) for conversation in self._open]

    def rename(self, conversation_id: str, title: str) -> None:
        conversation, title = self.find(conversation_id), " ".join(title.split())
        if conversation is not None and title:
            conversation.chats.rename(conversation_id, title)
            conversation.title = title

    def drop(self, conversation_id: str) -> None:
        """Off the list; `take_back` undoes it."""
        self._dropped += [c for c in self._open if c.id == conversation_id]
        self._open = [c for c in self._open if c.id != conversation_id]

    def take_back(self, conversation_id: str) -> bool:
        """Whether there was such a one."""
        found = [c for c in self._dropped if c.id == conversation_id]
        self._dropped = [c for c in self._dropped if c.id != conversation_id]
        self._open = found + self._open
        return bool(found)

    def keep(self, conversation: OpenConversation) -> None:
        """Write it among those that are kept; it is no longer temporary. Raises StoreError."""
        self._kept.adopt(conversation.chats.load(conversation.id))
        self._open = [c for c in self._open if c.id != conversation.id]
