"""What is left out of a conversation, in words."""

from PySide6.QtCore import QCoreApplication

from app.window.context_control import Gap
from app.window.wording import number


def gap_words(gap: Gap) -> str:
    """The line in front of the first message that the model reads again."""
    left = gap.left_out
    parts = []
    if left.n_messages:
        words = _tr("1 message (%2 tokens) above is not read by the model")
        if left.n_messages > 1:
            words = _tr("%1 messages (%2 tokens) above are not read by the model")
        parts.append(words.replace("%1", number(left.n_messages)).replace("%2", number(left.n_tokens)))
    if left.cut_tokens:
        words = _tr("%1 tokens in the middle of the newest message are not read by the model")
        parts.append(words.replace("%1", number(left.cut_tokens)))
    return "; ".join(parts)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Context", text)
