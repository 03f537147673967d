"""The whole conversation as a text to be copied: who said what, in order."""

from collections.abc import Sequence

from app.chat.markdown import parse_shown
from app.chat.markdown_text import to_plain
from app.chat.records import USER, StoredMessage
from app.chat.thinking import split_thinking


def whole_text(path: Sequence[StoredMessage], user: str, answer: str, *, as_markdown: bool) -> str:
    """`user` and `answer` name the two sides; an answer is named by its model where that is known."""
    turns: list[str] = []
    for message in path:
        name = user if message.role == USER else message.model or answer
        text = message.content if message.role == USER else split_thinking(message.content).answer.strip()
        if not as_markdown and message.role != USER:
            text = to_plain(parse_shown(text))
        turns.append(f"**{name}:**\n\n{text}" if as_markdown else f"{name}:\n{text}")
    return "\n\n".join(turns)
