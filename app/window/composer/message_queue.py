"""Messages that were sent while an answer runs: they wait, in order; each is sent once the answer before it is done.

Decides when that is: after an answer that came to its end, never after one that was stopped or failed; then the queue
waits for a person. What waits is kept as part of the conversation's draft, so that a restart gives it back as text.
Knows no widget.
"""

from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal

from app.chat.attached_files import split_files, with_files
from app.chat.conversation import DONE
from app.chat.records import StoredMessage
from app.window.chat_control import ChatControl
from app.window.chats.drafts import Place


@dataclass(slots=True)
class Queue:
    """What waits in a conversation, and what is typed in its field meanwhile.

    is_held  whether it waits for a person, since the answer before it did not come to its end
    """

    messages: list[str] = field(default_factory=list)
    typed: str = ""
    is_held: bool = False


class MessageQueue(QObject):
    changed = Signal()
    """What waits in the conversation that is shown is other than before."""

    sent = Signal()
    """A message of the conversation that is shown has left the queue for its answer."""

    def __init__(self, chat: ChatControl, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chat = chat
        self._queues: dict[Place, Queue] = {}
        chat.answer_ended.connect(self._on_ended)
        self._idle_timer = QTimer(self)
        self._idle_timer.setSingleShot(True)
        self._idle_timer.setInterval(0)  # after all that follows from an answer's end
        self._idle_timer.timeout.connect(self._hold_what_nothing_precedes)
        chat.state_changed.connect(self._idle_timer.start)

    @property
    def _here(self) -> Queue:
        return self._queues.get(self._chat.place, Queue())

    @property
    def messages(self) -> tuple[str, ...]:
        """Of the conversation shown, the next first."""
        return tuple(self._here.messages)

    @property
    def is_held(self) -> bool:
        return self._here.is_held

    @property
    def draft(self) -> str:
        """What belongs into the field of the conversation shown."""
        queue = self._queues.get(self._chat.place)
        return queue.typed if queue is not None else self._chat.draft

    def keep_draft(self, typed: str) -> None:
        """Remember what is in the field, together with what waits."""
        queue = self._queues.get(self._chat.place)
        if queue is None:
            self._chat.keep_draft(typed)
        else:
            queue.typed = typed
            self._chat.keep_draft(joined((*queue.messages, typed)))

    def send(self, content: str) -> bool:
        """Send it, or let it wait where an answer runs; False where it could not be written down.

        Before a queue that is held it goes first, and the queue goes on after its answer.
        """
        if self._chat.is_busy_here:
            self._queues.setdefault(self._chat.place, Queue()).messages.append(content)
            self._keep("")
            self.changed.emit()
            return True
        queue = self._queues.get(self._chat.place)
        if not self._chat.send(content):
            return False
        if queue is not None:
            queue.is_held, queue.typed = False, ""
            self._chat.keep_draft(joined(tuple(queue.messages)))  # which sending has removed
            self.changed.emit()
        return True

    def take_out(self, index: int) -> str:
        """Remove a message that waits; returns its content."""
        queue = self._queues.get(self._chat.place)
        if queue is None or not 0 <= index < len(queue.messages):
            return ""
        content = queue.messages.pop(index)
        self._keep(queue.typed)
        self.changed.emit()
        return content

    def go_on(self) -> None:
        """A person wants a queue that was held to be sent."""
        if self._here.messages:
            self._here.is_held = False
            self.changed.emit()
            if not self._chat.is_busy_here:
                self._send_next(self._chat.place)

    def _on_ended(self, answer: StoredMessage) -> None:
        place = next((p for p in self._queues if p[1] == answer.conversation_id), None)
        if place is None:
            return
        if answer.status == DONE:
            self._send_next(place)
        elif not self._queues[place].is_held:
            self._queues[place].is_held = True
            self.changed.emit()

    def _hold_what_nothing_precedes(self) -> None:
        """Where the message before was stopped while it waited itself, no answer will end."""
        queue = self._here
        if queue.messages and not queue.is_held and not self._chat.is_busy_here:
            queue.is_held = True
            self.changed.emit()

    def _send_next(self, place: Place) -> None:
        queue = self._queues.get(place)
        if queue is None or queue.is_held or not queue.messages or place[1] is None:
            return
        if not self._chat.send_in(place[1], queue.messages[0]):
            queue.is_held = True
            self.changed.emit()
            return
        queue.messages.pop(0)
        is_here = place == self._chat.place
        self._chat.keep_draft_of(place, joined((*queue.messages, queue.typed)))
        if not queue.messages:
            del self._queues[place]
        self.changed.emit()
        if is_here:
            self.sent.emit()

    def _keep(self, typed: str) -> None:
        """Write down what waits and what is typed; an empty queue is none."""
        place = self._chat.place
        queue = self._queues[place]
        queue.typed = typed
        if not queue.messages:
            del self._queues[place]
        self._chat.keep_draft(joined((*queue.messages, typed)))


def joined(contents: tuple[str, ...]) -> str:
    """Several messages as one, with the files of all of them behind the text."""
    parts = [split_files(content) for content in contents if content.strip()]
    text = "\n\n".join(text for text, _ in parts if text.strip())
    return with_files(text, [file for _, files in parts for file in files])
