"""Tokens to text while they arrive.

Owns what may be shown already: a token can end inside a character or inside what will turn out to be a stop string, so
both are held back until it is known. What comes out does not depend on how the text was cut into tokens.
"""

import codecs
from collections.abc import Sequence

from engine.text.tokenizer import Tokenizer


class Detokenizer:
    """The text of one answer, piece by piece; pushes and the flush joined are the text before the first stop string.

    goes_on   the tokens follow a text that has begun, so that the first one's leading space is the text's
    """

    def __init__(self, tokenizer: Tokenizer, stop: Sequence[str] = (), *, goes_on: bool = False) -> None:
        self._tokenizer = tokenizer
        self._stop = tuple(s for s in stop if s)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._strip_space = tokenizer.strips_leading_space and not goes_on
        self._held = ""
        self.stopped = False
        self.stopped_by = ""
        """The stop string that came."""

    def push(self, token_id: int) -> str:
        """Add a token; return the characters that are now certain to be shown."""
        data = self._tokenizer.token_bytes(token_id)
        if self.stopped or not data:
            return ""
        if self._strip_space:
            data = data.removeprefix(b" ")
            self._strip_space = False
        return self._release(self._decoder.decode(data))

    def flush(self) -> str:
        """End the answer: return what was held back, an unfinished character as one U+FFFD."""
        if self.stopped:
            return ""
        text = self._release(self._decoder.decode(b"", True)) + self._held
        self._held = ""
        return text

    def _release(self, text: str) -> str:
        self._held += text
        cut = first_stop(self._held, self._stop)
        if cut is not None:
            found = [stop for stop in self._stop if self._held.startswith(stop, cut)]
            shown, self._held, self.stopped, self.stopped_by = self._held[:cut], "", True, min(found, key=len)
            return shown
        n_held = max((_overlap(self._held, stop) for stop in self._stop), default=0)
        cut = len(self._held) - n_held
        shown, self._held = self._held[:cut], self._held[cut:]
        return shown


def first_stop(text: str, stop: Sequence[str]) -> int | None:
    """Where the stop string that is complete first begins; of two complete at once, the longer."""
    found = [(start + len(s), start) for s in stop if (start := text.find(s)) >= 0]
    return min(found)[1] if found else None


def _overlap(text: str, stop: str) -> int:
    """Length of the longest end of `text` with which `stop` begins."""
    longest = min(len(text), len(stop) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(stop[:n])), 0)
