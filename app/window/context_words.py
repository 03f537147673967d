"""What is left out of a conversation, in words."""

from PySide6.QtCore import QCoreApplication

from app.language import tr
from app.window.context_control import Gap
from app.window.wording import number
from engine.context_reports import LeftOut


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
    return tr("; ").join(parts)


def left_out_words(left_out: LeftOut) -> str:
    """What was left out, without where."""
    parts = []
    if left_out.n_messages:
        words = _tr("1 message, %2 tokens") if left_out.n_messages == 1 else _tr("%1 messages, %2 tokens")
        parts.append(words.replace("%1", number(left_out.n_messages)).replace("%2", number(left_out.n_tokens)))
    if left_out.cut_tokens:
        words = _tr("%1 tokens in the middle of the newest message")
        parts.append(words.replace("%1", number(left_out.cut_tokens)))
    return tr("; ").join(parts)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Context", text)
