"""A conversation: messages that form a tree, of which one path is shown.

Owns what a message is, which path is current, and what of it the model gets to read. An answer that is generated again
becomes a sibling of the first one. Knows neither the file it is stored in nor the window nor a tokenizer.
"""

from dataclasses import dataclass, field, replace

from engine.errors import ErrorReport
from engine.messages import ChatMessage, GenerationStats

STREAMING, DONE, STOPPED, ERROR, INTERRUPTED = "streaming", "done", "stopped", "error", "interrupted"
STATUSES = (STREAMING, DONE, STOPPED, ERROR, INTERRUPTED)

TITLE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Message:
    """One turn.

    role     user or assistant
    status   one of STATUSES; only answers are ever anything but done
    reason   why a finished answer ended, in the engine's words (stop, length, context, cancelled)
    stats    measured by the engine; absent for what it did not finish
    error    why an answer failed
    """

    id: int
    conversation_id: int
    parent_id: int | None
    role: str
    content: str
    status: str = DONE
    model: str = ""
    created: float = 0.0
    reason: str = ""
    stats: GenerationStats | None = None
    error: ErrorReport | None = None


@dataclass(slots=True)
class Conversation:
    """All messages by id, and the last one of the path that is shown."""

    id: int
    title: str
    messages: dict[int, Message] = field(default_factory=dict)
    leaf_id: int | None = None

    def path(self) -> list[Message]:
        """The messages shown, first to last."""
        return self._up_from(self.leaf_id)[::-1]

    def add(self, message: Message) -> None:
        self.messages[message.id] = message
        self.leaf_id = message.id

    def update(self, message_id: int, **changes: object) -> Message:
        changed: Message = replace(self.messages[message_id], **changes)  # type: ignore[arg-type]
        self.messages[message_id] = changed
        return changed

    def versions(self, message_id: int) -> list[Message]:
        """The message and its siblings of the same role, oldest first."""
        message = self.messages[message_id]
        same = (m for m in self.messages.values() if m.parent_id == message.parent_id and m.role == message.role)
        return sorted(same, key=lambda m: m.id)

    def show_version(self, message_id: int) -> None:
        """Make the path go through this message, and on through the newest messages below it."""
        at, seen = message_id, {message_id}
        while below := [m.id for m in self.messages.values() if m.parent_id == at and m.id not in seen]:
            at = max(below)
            seen.add(at)
        self.leaf_id = at

    def prompt(self, system_prompt: str, upto: int) -> tuple[ChatMessage, ...]:
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

    def _up_from(self, message_id: int | None) -> list[Message]:
        """The message, its parent and so on; a damaged tree ends where a parent is missing or comes again."""
        found: dict[int, Message] = {}
        at = message_id
        while at is not None and at in self.messages and at not in found:
            found[at] = self.messages[at]
            at = self.messages[at].parent_id
        return list(found.values())


def title_of(text: str) -> str:
    """A title from a first message: its first line that says something, cut at a word."""
    lines = (line for raw in text.splitlines() if (line := raw.strip().lstrip("#>*-` ").strip()))
    line = next(lines, text.strip())
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[:TITLE_CHARACTERS]
    at_word = cut.rsplit(" ", 1)[0] if " " in cut[TITLE_CHARACTERS // 2 :] else cut
    return at_word.rstrip(" ,.;:") + "…"
