"""The question that is asked where the window is to be closed and not everything is written down.

Owns how it ends: by an answer, or by itself once all is written after all; then the window closes as it was asked to.
"""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from app.error_text import ErrorText
from app.language import in_a_row
from app.window.chat_control import ChatControl
from app.window.dialogs import question

TRIED_AGAIN_MS = 1000
"""While the question is asked, what is unwritten is tried so often."""


class ClosingQuestion(QObject):
    def __init__(self, chat: ChatControl, window: QWidget) -> None:
        super().__init__(window)
        self._chat = chat
        self._window = window
        self._box: QMessageBox | None = None
        self._again: QPushButton | None = None
        self._anyway: QPushButton | None = None
        self._closes_anyway = False
        self._trying = QTimer(self)
        self._trying.setInterval(TRIED_AGAIN_MS)
        self._trying.timeout.connect(self._look_again)
        self._looking = QTimer(self)  # not at once: the write that just succeeded is still being noted
        self._looking.setSingleShot(True)
        self._looking.setInterval(0)
        self._looking.timeout.connect(self._look_again)
        chat.store_changed.connect(self._looking.start)

    def may_close(self) -> bool:
        """Whether all that is on the screen is written; where it cannot be, the person is asked, and may close then."""
        error = None if self._closes_anyway or self._chat.write_now() else self._chat.store_error
        if error is None:
            return True
        if self._box is None:
            self._ask(error)
        return False

    def _ask(self, error: ErrorText) -> None:
        box = self._box = question(self._window, "alert", self.tr("Close Ember, though not everything is saved?"))
        box.setInformativeText(in_a_row(error.cause, error.action))
        self._again = box.addButton(self.tr("Try again"), QMessageBox.ButtonRole.AcceptRole)
        self._anyway = box.addButton(self.tr("Close without saving"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(self._again)
        box.finished.connect(self._on_answered)
        box.open()
        self._trying.start()

    def _on_answered(self) -> None:
        box, self._box = self._box, None
        self._trying.stop()
        if box is None:
            return
        self._closes_anyway = box.clickedButton() is self._anyway
        if box.clickedButton() in (self._again, self._anyway):
            self._window.close()

    def _look_again(self) -> None:
        """Close where nothing is unwritten any more; else say what is in the way now."""
        if self._box is None:
            return
        if not self._chat.write_now():
            error = self._chat.store_error
            if error is not None:
                self._box.setInformativeText(in_a_row(error.cause, error.action))
            return
        self._box.done(0)  # answered by nobody
        self._window.close()
