"""How full a model's context is, and where in a conversation what it still reads begins.

Puts what the engine counted (engine/context_reports.py) beside the messages of a path. What is left out is decided by
the engine, which counts exactly; here is only what that means for what is on the screen. Knows no Qt.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.records import StoredMessage
from engine.context_reports import LeftOut, TokensCounted
from engine.messages import ChatMessage

NEARLY_FULL = 0.8
_SURELY_FITS = 0.75  # of a context, since what a message has is estimated
_LATIN, _OTHER = 4.0, 1.5  # characters of a token, roughly, where no tokenizer is at hand


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Tokens of what would be read if the draft were sent now.

    template   what the chat template writes around the messages
    room       left for the answer; `wanted_room` is what is kept for one
    left_out   what would not be read
    fits       whether there would be an answer
    """

    system: int
    messages: int
    draft: int
    template: int
    context: int
    wanted_room: int
    left_out: LeftOut | None = None
    fits: bool = True

    @property
    def used(self) -> int:
        return self.system + self.messages + self.draft + self.template

    @property
    def room(self) -> int:
        return max(0, self.context - self.used)

    @property
    def share(self) -> float:
        return min(1.0, self.used / self.context) if self.context else 0.0

    @property
    def is_nearly_full(self) -> bool:
        return self.share >= NEARLY_FULL or self.left_out is not None


def use_of(counted: TokensCounted, *, has_system: bool, reads_system: bool = True) -> ContextUse:
    """The parts of a count whose first text is the draft and whose messages end with it.

    A system message is the first one; a model that goes on with a text does not read it.
    """
    kept = list(counted.message_tokens)
    left = counted.left_out
    cut = 0
    if left is not None:
        kept[left.first : left.first + left.n_messages] = []
        cut = left.cut_tokens
    draft = max(0, counted.text_tokens[0] - cut)
    first = kept[0] if has_system and kept else 0
    messages = max(0, sum(kept) - first - counted.text_tokens[0])
    system = first if reads_system else 0
    template = max(0, counted.prompt_tokens - system - messages - draft)
    return ContextUse(
        system, messages, draft, template, counted.context_tokens, counted.room_tokens, left, counted.fits
    )  # fmt: skip


def first_read(path: Sequence[StoredMessage], left_out: LeftOut, *, has_system: bool) -> str | None:
    """The message from which on the model reads again; None where of the path nothing behind the gap is read.

    Goes through the path as OpenConversation.prompt does: empty messages are not sent, and those of one role that
    follow each other are one.
    """
    turns: list[StoredMessage] = []
    for message in path:
        if message.content.strip() and not (turns and turns[-1].role == message.role):
            turns.append(message)
    index = left_out.first + left_out.n_messages - has_system
    return turns[index].id if 0 <= index < len(turns) else None


def fits_without_oldest(prompt: Sequence[ChatMessage], prompt_tokens: int, context_tokens: int) -> bool:
    """Whether a prompt that was refused surely fits once its oldest turns are left out.

    Not so where its newest message with the system's is too long already. The engine tells the tokens of the whole; the
    share of these two is estimated.
    """
    turns = [message for message in prompt if message.role != "system"]
    if len(turns) < 2:
        return False
    sizes = [estimated_tokens(message.content) for message in prompt]
    stays = sizes[-1] + sum(size for message, size in zip(prompt, sizes, strict=True) if message.role == "system")
    return prompt_tokens * stays <= _SURELY_FITS * context_tokens * sum(sizes)


def system_turn(system_prompt: str) -> tuple[ChatMessage, ...]:
    """What is read before anything has been said."""
    return (ChatMessage("system", system_prompt.strip()),) if system_prompt.strip() else ()


def with_draft(said: tuple[ChatMessage, ...], draft: str) -> tuple[ChatMessage, ...]:
    """What would be read if the draft were sent now; as in OpenConversation.prompt, two turns of the user are one."""
    if not draft.strip():
        return said
    if said and said[-1].role == "user":
        return (*said[:-1], ChatMessage("user", f"{said[-1].content}\n\n{draft}"))
    return (*said, ChatMessage("user", draft))


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has."""
    n_latin = len(text.encode("ascii", "ignore"))
    return round(n_latin / _LATIN + (len(text) - n_latin) / _OTHER + 0.499)
