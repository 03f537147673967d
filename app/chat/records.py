"""Conversations as plain values, as the database gives them out.

A conversation's messages form a tree: versions of a message are siblings, and of all siblings one is shown, so that the
path on the screen follows the shown ones down from the top. Knows no SQL and no Qt.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from app.answer_settings import AnswerSettings
from app.chat.answer_facts import NO_FACTS, AnswerFacts
from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED, STREAMING
from engine.errors import ErrorReport
from engine.messages import GenerationStats

USER, ASSISTANT = "user", "assistant"
ROLES = (USER, ASSISTANT)

FIRST_LINE, MODEL, PERSON = "first_line", "model", "person"
TITLE_SOURCES = (FIRST_LINE, MODEL, PERSON)
"""Who gave a conversation its title; a model replaces a first line only."""


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One turn.

    role      user or assistant
    status    one of app.chat.conversation.STATUSES; only answers are ever anything but done
    created   seconds since 1970
    is_shown  whether, of this message and its siblings, it is the one on the path
    """

    id: str
    conversation_id: str
    parent_id: str | None
    role: str
    content: str
    status: str = DONE
    model: str = ""
    created: float = 0.0
    facts: AnswerFacts = NO_FACTS
    is_shown: bool = True

    @property
    def reason(self) -> str:
        return self.facts.reason

    @property
    def stats(self) -> GenerationStats | None:
        return self.facts.stats

    @property
    def error(self) -> ErrorReport | None:
        return self.facts.error

    @property
    def is_running(self) -> bool:
        return self.status == STREAMING

    @property
    def can_continue(self) -> bool:
        """Whether it is an answer that was cut off: by a stop, an error, the end of the program or its limit."""
        is_cut = self.status in (INTERRUPTED, STOPPED, ERROR) or (self.status == DONE and self.reason == "length")
        return self.role == ASSISTANT and is_cut and bool(self.content.strip())


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """A conversation as a list shows it; times in seconds since 1970.

    title_source   one of TITLE_SOURCES
    is_unread      an answer ended there and nobody has looked since
    is_cut         an answer in it was interrupted and can be continued
    updated        when something was last said; opened: when it was last looked at
    trashed        when it went to the trash; None where it did not
    """

    id: str
    title: str
    title_source: str = FIRST_LINE
    folder_id: str | None = None
    is_pinned: bool = False
    is_unread: bool = False
    is_cut: bool = False
    created: float = 0.0
    updated: float = 0.0
    opened: float = 0.0
    trashed: float | None = None


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """A conversation with all its messages, in the order in which they were written.

    answers   how its answers are made, None where as in all others; the system prompt in it is `system_prompt`
    """

    summary: ConversationSummary
    system_prompt: str = ""
    messages: tuple[StoredMessage, ...] = ()
    answers: AnswerSettings | None = None

    @property
    def id(self) -> str:
        return self.summary.id

    @property
    def title(self) -> str:
        return self.summary.title

    def message(self, message_id: str) -> StoredMessage:
        """Raises KeyError."""
        for message in self.messages:
            if message.id == message_id:
                return message
        raise KeyError(message_id)

    def path(self) -> tuple[StoredMessage, ...]:
        """The messages shown, first to last."""
        shown = {m.parent_id: m for m in self.messages if m.is_shown}
        return tuple(_down(shown))

    def versions(self, message_id: str) -> tuple[StoredMessage, ...]:
        """The message and its siblings, oldest first: what `2 of 3` counts."""
        parent_id = self.message(message_id).parent_id
        return tuple(m for m in self.messages if m.parent_id == parent_id)


def _down(shown: dict[str | None, StoredMessage]) -> Iterator[StoredMessage]:
    at = shown.pop(None, None)  # taken out, so that a damaged tree has an end
    while at is not None:
        yield at
        at = shown.pop(at.id, None)


@dataclass(frozen=True, slots=True)
class Folder:
    id: str
    name: str
    created: float = 0.0


class UnknownRecord(LookupError):
    """There is no such conversation, message or folder; it was deleted, or never was."""

    def __init__(self, what: str, record_id: str) -> None:
        super().__init__(what, record_id)
        self.what = what
        self.record_id = record_id


class AnswerRunning(ValueError):
    """What was asked has to wait until this answer has ended."""

    def __init__(self, message_id: str) -> None:
        super().__init__(message_id)
        self.message_id = message_id
