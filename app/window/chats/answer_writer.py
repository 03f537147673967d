"""The way of answers to the disk: twice a second while they are written, whole at their end, and again where refused.

What could not be written is kept here, so that a full disk costs nothing that is on the screen. Decides nothing about
answers.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer

from app.chat.chats import Chats
from app.chat.open_conversation import OpenConversation
from app.chat.records import StoredMessage
from app.window.chats.store_access import StoreAccess

FLUSH_MS = 500
RETRY_MS = 2000


@dataclass(slots=True)
class _Growing:
    conversation: OpenConversation
    message_id: str
    is_flushed: bool = True


@dataclass(frozen=True, slots=True)
class _Ended:
    conversation: OpenConversation
    message: StoredMessage
    is_seen: bool


class AnswerWriter(QObject):
    def __init__(self, access_of: Callable[[Chats], StoreAccess], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._access_of = access_of
        self._growing: dict[str, _Growing] = {}
        self._unwritten: dict[str, _Ended] = {}
        self._flush_timer = QTimer(self)
        self._flush_timer.setInterval(FLUSH_MS)
        self._flush_timer.timeout.connect(self._flush)
        self._retry_timer = QTimer(self)
        self._retry_timer.setSingleShot(True)
        self._retry_timer.setInterval(RETRY_MS)
        self._retry_timer.timeout.connect(self.write_rest)

    @property
    def has_unwritten(self) -> bool:
        """Whether an answer on the screen is not wholly in its store."""
        return bool(self._unwritten)

    def begin(self, conversation: OpenConversation, message_id: str) -> None:
        """An answer is a row now, and its text will come."""
        self._growing[message_id] = _Growing(conversation, message_id)
        self._flush_timer.start()

    def grew(self, message_id: str) -> None:
        if message_id in self._growing:
            self._growing[message_id].is_flushed = False

    def end(self, conversation: OpenConversation, message: StoredMessage, *, is_seen: bool) -> None:
        """The answer is what it will stay; it is written now, or as soon as that is possible."""
        self._growing.pop(message.id, None)
        if not self._growing:
            self._flush_timer.stop()
        self._unwritten[message.id] = _Ended(conversation, message, is_seen)
        self.write_rest()

    def write_rest(self) -> bool:
        """Write what could not be written before; whether nothing is left."""
        for message_id, ended in tuple(self._unwritten.items()):
            if not self._write(ended):
                self._retry_timer.start()
                return False
            del self._unwritten[message_id]
        return True

    def write_now(self) -> bool:
        """All there is, that of running answers included; whether it is written."""
        self._flush()
        return self.write_rest() and all(growing.is_flushed for growing in self._growing.values())

    def forget(self, conversation_id: str) -> None:
        """The conversation is gone for good."""
        for message_id, ended in tuple(self._unwritten.items()):
            if ended.conversation.id == conversation_id:
                del self._unwritten[message_id]

    def _write(self, ended: _Ended) -> bool:
        message, chats = ended.message, ended.conversation.chats
        return self._access_of(chats).do(
            lambda: chats.finish_answer(
                message.id, message.content, message.status, message.facts, is_seen=ended.is_seen
            )
        )

    def _flush(self) -> None:
        for growing in self._growing.values():
            if not growing.is_flushed:
                growing.is_flushed = self._grow(growing)

    def _grow(self, growing: _Growing) -> bool:
        chats, message_id = growing.conversation.chats, growing.message_id
        content = growing.conversation.messages[message_id].content
        return self._access_of(chats).do(lambda: chats.grow_answer(message_id, content))
