"""A conversation that is open: its messages in memory, as its store has them, while they are shown and grow.

Owns which path is current and what of it the model gets to read. What is written goes to the store first, and comes
here once it is there; a growing answer is ahead of it by what came since the last write. Knows neither the window nor
a tokenizer.
"""

from dataclasses import replace

from app.chat.chats import Chats
from app.chat.records import StoredConversation, StoredMessage
from engine.messages import ChatMessage


class OpenConversation:
    """The messages by id, in the order in which they were written.

    chats     the store it lives in
    answers   how its answers are made, None where as in all others
    ends_at   a message behind which the path ends for now, since another answer to it is awaited
    """

    def __init__(self, stored: StoredConversation, chats: Chats) -> None:
        self.id = stored.id
        self.title = stored.title
        self.system_prompt = stored.system_prompt
        self.answers = stored.answers
        self.chats = chats
        self.ends_at: str | None = None
        self.messages: dict[str, StoredMessage] = {}
        self._versions: dict[str | None, list[str]] = {}
        for message in stored.messages:
            self._put(message)

    @property
    def last_id(self) -> str | None:
        """The last message of the path."""
        path = self.path()
        return path[-1].id if path else None

    def path(self) -> list[StoredMessage]:
        """The messages shown, first to last; a damaged tree ends where a message comes again."""
        found: dict[str, StoredMessage] = {}
        at = self._shown_below(None)
        while at is not None and at.id not in found:
            found[at.id] = at
            at = None if at.id == self.ends_at else self._shown_below(at.id)
        return list(found.values())

    def versions(self, message_id: str) -> list[StoredMessage]:
        """The message and its siblings, oldest first."""
        return [self.messages[sibling] for sibling in self._versions[self.messages[message_id].parent_id]]

    def answers_to(self, message_id: str) -> list[StoredMessage]:
        """All there are to a message, oldest first."""
        return [self.messages[answer] for answer in self._versions.get(message_id, ())]

    def add(self, message: StoredMessage) -> None:
        """A message that was just written; where it is shown, no other version of it is."""
        if message.is_shown:
            self._hide_versions(message)
        self._put(message)
        self.ends_at = None

    def update(self, message_id: str, **changes: object) -> StoredMessage:
        changed: StoredMessage = replace(self.messages[message_id], **changes)  # type: ignore[arg-type]
        self.messages[message_id] = changed
        return changed

    def show_version(self, message_id: str) -> None:
        """Make the path go through this message, and below it as it went before."""
        self.ends_at = None
        for message in self._up_from(message_id):
            self._hide_versions(message)
            self.update(message.id, is_shown=True)

    def remove(self, message_id: str) -> list[StoredMessage]:
        """Take a version out, with all below it; of the others the one before it is shown, else the one behind it."""
        gone = self.messages[message_id]
        siblings = self._versions[gone.parent_id]
        at = siblings.index(message_id)
        others = siblings[:at][::-1] + siblings[at + 1 :]
        below = self._below(message_id)
        for message in below:
            self._versions[message.parent_id].remove(message.id)
            self.messages.pop(message.id)
        if others and gone.is_shown:
            self.update(others[0], is_shown=True)
        if self.ends_at not in self.messages:
            self.ends_at = None
        return below

    def prompt(self, system_prompt: str, upto: str | None) -> tuple[ChatMessage, ...]:
        """What the model reads in order to answer the message `upto`.

        Turns of one role that follow each other (an answer in between failed) are joined, since many chat templates
        refuse them.
        """
        turns: list[ChatMessage] = []
        for message in self._up_from(upto):
            if not message.content.strip():
                continue
            if turns and turns[-1].role == message.role:
                later = turns.pop()
                turns.append(ChatMessage(message.role, f"{message.content}\n\n{later.content}"))
            else:
                turns.append(ChatMessage(message.role, message.content))
        if system_prompt.strip():
            turns.append(ChatMessage("system", system_prompt.strip()))
        return tuple(turns[::-1])

    def _put(self, message: StoredMessage) -> None:
        self.messages[message.id] = message
        self._versions.setdefault(message.parent_id, []).append(message.id)

    def _shown_below(self, parent_id: str | None) -> StoredMessage | None:
        below = (self.messages[message_id] for message_id in self._versions.get(parent_id, ()))
        return next((message for message in below if message.is_shown), None)

    def _hide_versions(self, message: StoredMessage) -> None:
        for sibling in self._versions.get(message.parent_id, ()):
            if self.messages[sibling].is_shown:
                self.update(sibling, is_shown=False)

    def _up_from(self, message_id: str | None) -> list[StoredMessage]:
        """The message, its parent and so on; a damaged tree ends where a parent is missing or comes again."""
        found: dict[str, StoredMessage] = {}
        at = message_id
        while at is not None and at in self.messages and at not in found:
            found[at] = self.messages[at]
            at = self.messages[at].parent_id
        return list(found.values())

    def _below(self, message_id: str) -> list[StoredMessage]:
        """The message and all that hang on it, parents first."""
        found = [self.messages[message_id]]
        for message in found:  # grows as it is walked
            found += [self.messages[child] for child in self._versions.get(message.id, ())]
        return found
