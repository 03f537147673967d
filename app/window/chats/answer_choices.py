"""How answers are made where a conversation has settings of its own: chosen now, written down a moment later.

Owns those of the conversation that is not begun yet, which takes them along once it is. Knows no widget.
"""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer

from app.answer_settings import AnswerSettings
from app.chat.chats import Chats
from app.chat.open_conversation import OpenConversation
from app.window.chats.store_access import StoreAccess
from app.window.settings_control import SettingsControl

WRITTEN_AFTER_MS = 500
RETRY_MS = 2000


class AnswerChoices(QObject):
    def __init__(self, settings: SettingsControl, access: StoreAccess, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._access = access
        self._of_new: dict[Chats, AnswerSettings] = {}
        self._unwritten: dict[tuple[Chats, str], AnswerSettings | None] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.save)

    def own(self, conversation: OpenConversation | None, new_in: Chats) -> AnswerSettings | None:
        """A conversation's own, or of the one that would begin in a store; None where it uses those of all."""
        if conversation is None:
            return self._of_new.get(new_in)
        if conversation.answers is None and conversation.system_prompt:  # imported with no more than that
            return replace(self._settings.value.answers(), system_prompt=conversation.system_prompt)
        return conversation.answers

    def in_force(self, conversation: OpenConversation | None, new_in: Chats) -> AnswerSettings:
        return self.own(conversation, new_in) or self._settings.value.answers()

    def keep(self, conversation: OpenConversation | None, new_in: Chats, answers: AnswerSettings | None) -> None:
        """From now on; None: as all others."""
        if conversation is None:
            self._of_new.pop(new_in, None)
            if answers is not None:
                self._of_new[new_in] = answers
            return
        conversation.answers = answers
        conversation.system_prompt = "" if answers is None else answers.system_prompt
        self._unwritten[conversation.chats, conversation.id] = answers
        self._timer.start(WRITTEN_AFTER_MS)

    def begun(self, conversation: OpenConversation) -> None:
        """What was chosen before there was a conversation is this one's."""
        answers = self._of_new.pop(conversation.chats, None)
        if answers is not None:
            self.keep(conversation, conversation.chats, answers)

    def save(self) -> bool:
        """Write down what has changed, and whether it is; what is refused is tried again a moment later.

        That of a conversation which is gone is given up.
        """
        self._timer.stop()
        for (chats, conversation_id), answers in tuple(self._unwritten.items()):
            is_kept = self._access.do(lambda c=chats, i=conversation_id, a=answers: c.set_answers(i, a))  # type: ignore[misc]
            if not is_kept and self._access.error is not None:
                self._timer.start(RETRY_MS)
                return False
            self._unwritten.pop((chats, conversation_id), None)
        return True
