"""The conversations at a start: opened, taken over from the version before, or explained.

Decides what happens when the file cannot be used: nothing is overwritten, and the person chooses. Owns what is said
about a start that went otherwise than expected.
"""

import logging
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QAbstractButton, QMessageBox

from app.chat.chats import Chats, open_chats, open_protected
from app.chat.database import set_aside
from app.chat.exchange_words import describe_salvage
from app.chat.previous_store import take_over
from app.chat.store_errors import StoreError
from app.error_text import ErrorText, describe_store_error
from app.window.wording import translate

log = logging.getLogger(__name__)


def open_store(path: Path) -> Chats | None:
    """The conversations; None where the user would rather not start without them."""
    while True:
        try:
            return open_chats(path)
        except StoreError as error:
            log.warning("conversations not opened: %s: %s", error.kind, error.reason)
            protected = _protected(path) if error.kind == "read_only" else None
            if protected is not None:
                return protected
            choice = ask_about_store(error)
            if choice == "aside":
                try:
                    set_aside(path)
                except OSError as problem:
                    log.warning("not set aside: %s", problem)
            elif choice == "memory":
                return open_chats(None)
            elif choice == "quit":
                return None


def _protected(path: Path) -> Chats | None:
    """What is in a file that cannot be written; None where it cannot be read either."""
    try:
        return open_protected(path)
    except StoreError as error:
        log.warning("nor could they be read: %s: %s", error.kind, error.reason)
        return None


def ask_about_store(error: StoreError) -> str:
    """What is to be done about a file that cannot be used: aside, again, memory or quit."""
    text = describe_store_error(error, translate)
    box = QMessageBox(QMessageBox.Icon.Warning, "Ember", text.cause)
    box.setInformativeText(text.action)
    choices: dict[QAbstractButton, str] = {}
    role = QMessageBox.ButtonRole
    if error.kind == "corrupt":
        choices[box.addButton(_tr("Keep it aside, start with an empty file"), role.AcceptRole)] = "aside"
    else:
        choices[box.addButton(_tr("Try again"), role.AcceptRole)] = "again"
    choices[box.addButton(_tr("Continue without saving"), role.ActionRole)] = "memory"
    choices[box.addButton(_tr("Quit"), role.RejectRole)] = "quit"
    box.exec()
    return next((name for button, name in choices.items() if button is box.clickedButton()), "quit")


def opening_notices(chats: Chats, previous: Path) -> list[ErrorText]:
    """Take over what the version before kept, once; what a person should know of this start."""
    notices = []
    if chats.database.salvaged is not None:
        notices.append(describe_salvage(chats.database.salvaged, translate))
    if chats.database.path is None:
        return notices
    try:
        report = take_over(chats, previous)
    except StoreError as error:
        log.warning("earlier conversations not taken over: %s: %s", error.kind, error.reason)
        text = describe_store_error(error, translate)
        action = _tr("The conversations of the earlier version are not here yet. %1").replace("%1", text.action)
        notices.append(ErrorText(text.cause, action))
    else:
        if report is not None:
            log.info("%d earlier conversations taken over", report.n_conversations)
    return notices


def _tr(text: str) -> str:
    return QCoreApplication.translate("Opening", text)
