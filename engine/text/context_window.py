"""What of a conversation the model gets to read where not all of it fits the context.

Owns which messages are left out, and the middle of a message that is too long by itself. Where to cut is told from the
tokens of each message; what is handed on has been counted as a whole, as the template writes it. The window moves in
steps: once the limit is passed, turns go until KEPT_SHARE of it is used, so that for some turns to come the prompt
begins as the cache has it. Nothing is remembered between two answers: going through the turns from the first one finds
the same steps again. How messages become tokens is given.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine.context_reports import ASK, MIDDLE, LeftOut
from engine.errors import ContextFull
from engine.messages import ChatMessage
from engine.text.tokenizer import Tokenizer

KEPT_SHARE = 0.7  # of the limit is used after turns were left out
HEAD_SHARE = 0.3  # of the limit is what the kept beginning may take
ROOM_TOKENS = 1024  # free for the answer, where it has no limit of its own
ROOM_SHARE = 0.25  # of the context is the most that is kept free
LEAST_MESSAGE_TOKENS = 32  # of a message whose middle is cut
MAX_COUNTS = 4096  # texts whose tokens are remembered

Encode = Callable[[Sequence[ChatMessage]], list[int]]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt that fits, the messages it consists of, and what of the conversation is not in it."""

    prompt: list[int]
    messages: tuple[ChatMessage, ...]
    left_out: LeftOut | None = None


class ContextWindow:
    """The window of one loaded model. `encode` makes a prompt of messages."""

    def __init__(self, encode: Encode, tokenizer: Tokenizer, context_tokens: int) -> None:
        self._encode = encode
        self._tokenizer = tokenizer
        self._counts: dict[bytes, int] = {}
        self._turn_tokens: int | None = None
        self.context_tokens = context_tokens

    def room(self, max_tokens: int | None) -> int:
        """Tokens that are kept free for an answer."""
        most = max(1, int(self.context_tokens * ROOM_SHARE))
        return min(ROOM_TOKENS if max_tokens is None else max_tokens, most)

    def count(self, text: str) -> int:
        """Tokens of a text by itself."""
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key not in self._counts:
            if len(self._counts) >= MAX_COUNTS:
                self._counts.clear()
            self._counts[key] = len(self._tokenizer.encode(text))
        return self._counts[key]

    def fit(
        self, messages: Sequence[ChatMessage], overflow: str, *, keeps_first: bool, max_tokens: int | None
    ) -> Fitted:
        """The prompt for a conversation whose last user message is to be answered.

        ASK leaves nothing out, and what does not fit is refused by whoever reads it. Raises ContextFull where all that
        may be left out would not be enough.
        """
        messages = tuple(messages)
        if overflow == ASK:
            return Fitted(self._encode(messages), messages)
        limit = self.context_tokens - self.room(max_tokens)
        first = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
        costs = [self._cost(message) for message in messages]
        head = self._head(messages, costs, first, int(limit * HEAD_SHARE), overflow, keeps_first=keeps_first)
        start = _window_start(messages, costs, head, limit)
        while True:
            kept = messages[:head] + messages[start:]
            prompt = self._encode(kept)
            if len(prompt) <= limit:
                return Fitted(prompt, kept, self._left_out(messages, head, start))
            following = _next_user(messages, start + 1)
            if following is None:
                break
            start = following
        if head > first:  # the newest message needs the room of the beginning
            head, start = first, _last_user(messages)
            kept = messages[:head] + messages[start:]
            prompt = self._encode(kept)
            if len(prompt) <= limit:
                return Fitted(prompt, kept, self._left_out(messages, head, start))
        if overflow == MIDDLE:
            return self._with_message_cut(messages, head, start, limit)
        if len(prompt) < self.context_tokens:  # the answer has less room than it should, but some
            return Fitted(prompt, kept, self._left_out(messages, head, start))
        raise ContextFull(len(prompt), self.context_tokens)

    def _cost(self, message: ChatMessage) -> int:
        return self.count(message.content) + self._per_turn()

    def _per_turn(self) -> int:
        """What the template writes around a message."""
        if self._turn_tokens is None:
            one, letter = ChatMessage("user", "a"), self.count("a")
            added = len(self._encode((one, ChatMessage("assistant", "a"), one))) - len(self._encode((one,)))
            self._turn_tokens = max(0, -(-(added - 2 * letter) // 2))
        return self._turn_tokens

    def _head(
        self,
        messages: Sequence[ChatMessage],
        costs: Sequence[int],
        first: int,
        most: int,
        overflow: str,
        *,
        keeps_first: bool,
    ) -> int:
        """Where the kept beginning ends: after the system's message, or after whole exchanges of a user and a model."""
        if overflow != MIDDLE and not keeps_first:
            return first
        head = first
        while (end := _end_of_exchange(messages, head)) is not None:
            if sum(costs[first:end]) > most:
                break
            head = end
            if overflow != MIDDLE:
                break
        return head

    def _left_out(self, messages: Sequence[ChatMessage], head: int, start: int, cut_tokens: int = 0) -> LeftOut | None:
        if start <= head and not cut_tokens:
            return None
        gone = messages[head:start]
        return LeftOut(head, len(gone), sum(self.count(m.content) for m in gone), cut_tokens)

    def _with_message_cut(self, messages: Sequence[ChatMessage], head: int, start: int, limit: int) -> Fitted:
        """Only the newest message is left beside the system's, and still too long: its middle goes."""
        newest = messages[start]
        ids = self._tokenizer.encode(newest.content)

        def cut(n_kept: int) -> Fitted:
            half = n_kept // 2
            begin = self._tokenizer.decode(ids[: n_kept - half]).rstrip("\ufffd")
            end = self._tokenizer.decode(ids[len(ids) - half :]).lstrip("\ufffd")
            n_cut = len(ids) - n_kept
            content = f"{begin}\n\n[… {n_cut} tokens left out …]\n\n{end}"
            kept = (*messages[:head], replace(newest, content=content), *messages[start + 1 :])
            return Fitted(self._encode(kept), kept, self._left_out(messages, head, start, n_cut))

        n_kept = len(ids)
        while True:
            fitted = cut(n_kept)
            over = len(fitted.prompt) - limit
            if over <= 0:
                return fitted
            n_kept -= over
            if n_kept < LEAST_MESSAGE_TOKENS:
                raise ContextFull(len(self._encode((*messages[:head], *messages[start:]))), self.context_tokens)


def _window_start(messages: Sequence[ChatMessage], costs: Sequence[int], head: int, limit: int) -> int:
    """The first message behind the beginning, found by asking anew after each of the user's turns."""
    before = [0]
    for cost in costs:
        before.append(before[-1] + cost)
    start = head
    for asked, message in enumerate(messages):
        if message.role != "user" or asked < head or before[head] + before[asked + 1] - before[start] <= limit:
            continue
        while before[head] + before[asked + 1] - before[start] > limit * KEPT_SHARE:
            following = _next_user(messages, start + 1)
            if following is None or following > asked:
                break
            start = following
    return start


def _next_user(messages: Sequence[ChatMessage], start: int) -> int | None:
    return next((i for i in range(start, len(messages)) if messages[i].role == "user"), None)


def _last_user(messages: Sequence[ChatMessage]) -> int:
    return max((i for i, m in enumerate(messages) if m.role == "user"), default=len(messages))


def _end_of_exchange(messages: Sequence[ChatMessage], start: int) -> int | None:
    """Behind the answer that ends the turn of the user at `start`; None where there is none, or nothing follows it."""
    if start >= len(messages) or messages[start].role != "user":
        return None
    end = start + 1
    while end < len(messages) and messages[end].role == "assistant":
        end += 1
    return end if start + 1 < end < len(messages) else None
