"""Files beside a message in words: their size in tokens, and why one was refused."""

from PySide6.QtCore import QCoreApplication

from app import attachments
from app.attachments import Refused
from app.window.wording import number, size


def refusal_words(refused: Refused) -> str:
    """Why a file cannot be added, with its numbers, and what would help."""
    found, limit = number(refused.found), number(refused.limit)
    words = {
        attachments.MISSING: _tr("It is not there any more. Choose it again."),
        attachments.UNREADABLE: _tr("It cannot be read: %1. Check its permissions."),
        attachments.NO_FILE: _tr("This is a folder, a pipe or a device. Choose single files."),
        attachments.EMPTY: _tr("It has no text."),
        attachments.TOO_LARGE: _tr("It has %2, and at most %3 can be read. Add a part of it."),
        attachments.BINARY: _tr("This is no text file. Text, code and PDF can be read; save it as one of these."),
        attachments.TOO_LONG: _tr("It has more than %5 characters. Add a part of it."),
        attachments.TOO_MANY: _tr("A message can have at most %5 files. Remove another one first."),
        attachments.ENCRYPTED: _tr("The PDF asks for a password. Save it without one first."),
        attachments.NO_TEXT: _tr(
            "The PDF has pictures of pages and no text (%4 pages). Text recognition is needed first."
        ),
        attachments.DAMAGED: _tr("The PDF is damaged. Open it in a PDF viewer and save it anew."),
        attachments.TOO_MANY_PAGES: _tr("The PDF has %4 pages, and at most %5 can be read. Save a part of it."),
        attachments.NO_ANSWER: _tr(
            "Its drive has not answered for %5 seconds. See that the drive or the network works, then add it again."
        ),
        attachments.TOO_SLOW: _tr("Reading the PDF took longer than %5 seconds. Save a part of it."),
    }[refused.reason]
    parts = {"%1": refused.detail, "%2": size(refused.found), "%3": size(refused.limit), "%4": found, "%5": limit}
    for mark, value in parts.items():
        words = words.replace(mark, value)
    return words


def tokens_words(n_tokens: int, *, is_about: bool) -> str:
    """How many tokens a text has; estimated where no model is loaded to count them."""
    if n_tokens == 1:
        return _tr("about 1 token") if is_about else _tr("1 token")
    words = _tr("about %1 tokens") if is_about else _tr("%1 tokens")
    return words.replace("%1", number(n_tokens))


def pasted_name(n_before: int) -> str:
    """The name of long text that was pasted, after so many others."""
    name = _tr("Pasted text")
    return f"{name} {n_before + 1}.txt" if n_before else f"{name}.txt"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Attachments", text)
