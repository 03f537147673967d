"""The way from the window to the conversations' file: what is refused is explained once, and the program goes on.

Owns the latest refusal in words. Knows no widget, and not what the operations are about.
"""

import logging
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from app.chat.records import UnknownRecord
from app.chat.store_errors import StoreError
from app.error_text import ErrorText, describe_store_error
from app.window.wording import translate

log = logging.getLogger(__name__)

T = TypeVar("T")


class StoreAccess(QObject):
    changed = Signal()
    """`error` is another than before."""

    missed = Signal()
    """What was asked for is no longer there."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.error: ErrorText | None = None
        """Why the latest write failed; None again once one succeeds."""

    def ask(self, operation: Callable[[], T], *, is_read: bool = False) -> T | None:
        """The answer of an operation; None where it was refused, which is then said."""
        try:
            answer = operation()
        except StoreError as error:
            self._tell(describe_store_error(error, translate))
            return None
        except UnknownRecord as error:
            log.warning("no such %s in the conversations", error.what)
            self.missed.emit()
            return None
        if not is_read:  # being able to read says nothing about writing
            self._tell(None)
        return answer

    def do(self, operation: Callable[[], object]) -> bool:
        """Whether an operation that writes was carried out."""
        return self.ask(lambda: (operation(), True)[1]) is True

    def _tell(self, problem: ErrorText | None) -> None:
        if problem != self.error:
            self.error = problem
            self.changed.emit()
