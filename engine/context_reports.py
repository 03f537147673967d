"""What the engine says of a model's context: tokens that were counted, and what of a conversation was left out.

Frozen dataclasses of plain values, a part of engine/messages.py. Owns the names of what can be done with a conversation
that does not fit.
"""

from dataclasses import dataclass

ASK, OLDEST, MIDDLE = "ask", "oldest", "middle"
OVERFLOWS = (ASK, OLDEST, MIDDLE)
"""Where a conversation does not fit: refuse with numbers, leave out the oldest turns, or those in the middle."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of a conversation the model does not read.

    first        of the messages left out, among those that were sent (a system message counts)
    n_messages   that follow each other, left out whole
    n_tokens     of their texts
    cut_tokens   of the middle of the newest message, which alone was too long
    """

    first: int
    n_messages: int
    n_tokens: int
    cut_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TokensCounted:
    """Answer to CountTokens.

    text_tokens      of each text by itself
    message_tokens   of each message's text; what the template adds is not in it
    prompt_tokens    that the model would read, template included: of all messages, or of those that are left in
    context_tokens   that fit at most, and `room_tokens` of these that are kept for the answer
    left_out         what Generate would leave out
    fits             whether Generate would answer
    """

    request_id: str
    model_id: str
    text_tokens: tuple[int, ...]
    message_tokens: tuple[int, ...]
    prompt_tokens: int
    context_tokens: int
    room_tokens: int
    left_out: LeftOut | None = None
    fits: bool = True


@dataclass(frozen=True, slots=True)
class PromptFitted:
    """Told before an answer for which something had to be left out."""

    request_id: str
    prompt_tokens: int
    context_tokens: int
    left_out: LeftOut


ContextEvents = TokensCounted | PromptFitted
