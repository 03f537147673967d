"""An answer while it is being written: its thinking and its text as items, of which only the unfinished end is parsed.

Knows no Qt.
"""

from collections.abc import Sequence

from app.chat.markdown import Item, MarkdownStream
from app.chat.thinking import split_thinking


class GrowingAnswer:
    def __init__(self) -> None:
        self._thinking = _Fed()
        self._answer = _Fed()
        self.is_thinking = False
        """Whether it has begun to think and not to answer."""

    @property
    def has_thinking(self) -> bool:
        return bool(self._thinking.text)

    def show(self, text: str) -> None:
        """Take in all that there is of it by now."""
        thought = split_thinking(text, is_growing=True)
        self.is_thinking = thought.is_open
        self._thinking.feed(thought.thinking)
        self._answer.feed(thought.answer)

    def thinking(self) -> Sequence[Item]:
        return self._thinking.stream.items()

    def answer(self) -> Sequence[Item]:
        return self._answer.stream.items()


class _Fed:
    """A stream and what it was fed; fed anew where the text is not what it was, plus more."""

    def __init__(self) -> None:
        self.text = ""
        self.stream = MarkdownStream()

    def feed(self, text: str) -> None:
        if not text.startswith(self.text):
            self.stream, self.text = MarkdownStream(), ""
        self.stream.append(text[len(self.text) :])
        self.text = text
