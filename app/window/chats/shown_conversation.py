"""Which conversation is shown, in which store it is, and where others are found.

Owns the stores of a run: the one of the conversations that are kept, and those in memory, with the way to each. Knows
no widget, and nothing of answers.
"""

from collections.abc import Iterable

from PySide6.QtCore import QObject

from app.chat.chats import Chats
from app.chat.open_conversation import OpenConversation
from app.chat.records import StoredMessage
from app.window.chats.drafts import Place
from app.window.chats.store_access import StoreAccess
from app.window.chats.temporary_chats import TemporaryChats


class ShownConversation:
    """kept      the store of all that are kept
    new_in       where the next conversation begins, as long as none is shown
    current      the conversation that is shown; None for one that is not begun yet
    """

    def __init__(self, kept: Chats, parent: QObject | None = None) -> None:
        self.kept = kept
        self.new_in = kept
        self.current: OpenConversation | None = None
        self.access = StoreAccess(parent)
        self.temporary = TemporaryChats(kept, parent)

    @property
    def place(self) -> Place:
        """The store and the conversation; None for one that is not begun yet."""
        return (self.current.chats, self.current.id) if self.current else (self.new_in, None)

    @property
    def is_temporary(self) -> bool:
        """Whether what is shown, or would be begun, is kept nowhere."""
        return self.place[0] is not self.kept

    @property
    def path(self) -> list[StoredMessage]:
        return self.current.path() if self.current else []

    def clear(self, *, is_temporary: bool = False) -> bool:
        """Show none, and let the next one begin among those that are kept, or nowhere; whether that is different."""
        is_same = self.current is None and self.is_temporary == is_temporary
        if is_temporary and not is_same:
            self.new_in = self.temporary.new_store()
        elif not is_temporary:
            self.new_in = self.kept
        self.current = None
        return not is_same

    def found(self, conversation_id: str, in_hand: Iterable[OpenConversation] = ()) -> OpenConversation | None:
        """A conversation as it is in memory, shown or `in_hand`, else as it is stored."""
        shown = [self.current] if self.current is not None else []
        known = next((c for c in [*shown, *in_hand] if c.id == conversation_id), None)
        return known or self.temporary.find(conversation_id) or self.read(self.kept, conversation_id)

    def read(self, chats: Chats, conversation_id: str) -> OpenConversation | None:
        stored = self.access_of(chats).ask(lambda: chats.load(conversation_id), is_read=True)
        return OpenConversation(stored, chats) if stored is not None else None

    def access_of(self, chats: Chats) -> StoreAccess:
        """What is done in memory says nothing about the file."""
        return self.access if chats is self.kept else self.temporary.access
