"""What a reasoning model says to itself before it answers, told apart from the answer.

Owns the marks around it: `<think>` and what other families write. They count at the beginning of an answer only; where
a chat template has opened them already, a closing mark on a line of its own does. Marks elsewhere are text. While the
text grows, the beginning of a mark at its end is held back, so that no mark ever flashes on the screen.
"""

import re
from dataclasses import dataclass

MARKS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("[THINK]", "[/THINK]"),
)

_LONE_CLOSER = re.compile(rf"^[ \t]*(?:{'|'.join(re.escape(closer) for _, closer in MARKS)})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Thought:
    """A text in two parts; `is_open` while the end of the thinking has not come."""

    thinking: str
    answer: str
    is_open: bool = False


def split_thinking(text: str, *, is_growing: bool = False) -> Thought:
    """The thinking and the answer of a text; a growing text may still be at the beginning of a mark."""
    begun = text.lstrip()
    for opener, closer in MARKS:
        if begun.startswith(opener):
            inner = begun[len(opener) :]
            at = inner.find(closer)
            if at >= 0:
                return Thought(inner[:at].strip(), inner[at + len(closer) :].lstrip())
            return Thought(_without_part(inner, closer, is_growing).lstrip(), "", is_open=True)
        if is_growing and begun and opener.startswith(begun):
            return Thought("", "")
    lone = _LONE_CLOSER.search(text)
    if lone is not None:
        return Thought(text[: lone.start()].strip(), text[lone.end() :].lstrip())
    return Thought("", text)


def _without_part(text: str, mark: str, is_growing: bool) -> str:
    """The text less a beginning of the mark at its end, of which more may still come."""
    if is_growing:
        for length in range(min(len(mark) - 1, len(text)), 0, -1):
            if mark.startswith(text[-length:]):
                return text[:-length]
    return text
