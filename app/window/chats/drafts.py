"""What is typed and not sent: kept for each conversation, and written down a moment after the last key."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.chat.chats import Chats
from app.window.chats.store_access import StoreAccess

DRAFT_MS = 500
RETRY_MS = 2000

Place = tuple[Chats, str | None]
"""A store and a conversation in it; None for the one that is not begun yet."""


class Drafts(QObject):
    def __init__(self, chats: Chats, access_of: Callable[[Chats], StoreAccess], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._access_of = access_of
        known = access_of(chats).ask(chats.drafts, is_read=True) or {}
        self._texts: dict[Place, str] = {(chats, conversation_id): text for conversation_id, text in known.items()}
        self._unsaved: set[Place] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.save)

    def text(self, place: Place) -> str:
        return self._texts.get(place, "")

    def keep(self, place: Place, text: str) -> None:
        if text == self.text(place):
            return
        self._texts[place] = text
        self._unsaved.add(place)
        self._timer.start(DRAFT_MS)

    def sent(self, place: Place) -> None:
        """The store has removed it together with sending it."""
        self._texts.pop(place, None)
        self._unsaved.discard(place)

    def forget(self, place: Place) -> None:
        """The conversation is gone for good."""
        self.sent(place)

    def save(self) -> bool:
        """Write down what has changed, and whether it is; what is refused is tried again a moment later.

        That of a conversation which is gone is given up.
        """
        self._timer.stop()
        for place in tuple(self._unsaved):
            chats, conversation_id = place
            text = self.text(place)
            access = self._access_of(chats)
            is_kept = access.do(lambda c=chats, i=conversation_id, t=text: c.save_draft(i, t))  # type: ignore[misc]
            if not is_kept and access.error is not None:
                self._timer.start(RETRY_MS)
                return False
            self._unsaved.discard(place)
        return True
