"""A process that chats until it is killed: python -m tests.app.chat_kill_writer HOME NUMBER

ChatControl with a scripted engine whose answers have a text that is known beforehand. Everything that is said on the
screen is told on the standard output, a JSON object a line: `sent` once a message was taken, `grew` with the characters
an answer has now, `ended` once it is whole.
"""

import json
import random
import sys
import time

from PySide6.QtCore import QCoreApplication, QTimer

from app.chat.chats import open_chats
from app.chat.records import StoredMessage
from app.paths import app_paths
from app.settings_file import SettingsFile
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.model_control import ModelControl
from app.window.settings_control import SettingsControl
from engine.messages import Generate, GenerateVariants
from tests.app.fake_engine import FakeEngine, Script

PIECE = "w%d "
PAUSE_S = 0.004


def text_of(n_pieces: int) -> str:
    """Every answer is a beginning of this."""
    return "".join(PIECE % number for number in range(n_pieces))


def tell(**facts: object) -> None:
    print(json.dumps({"at": time.time(), **facts}), flush=True)


class Writer:
    """Sends, asks again, for several versions too, edits and begins new conversations, as fast as answers come."""

    def __init__(self, home: str, number: int) -> None:
        self._random = random.Random(number)
        self._number = number
        self._n_sent = 0
        paths = app_paths(home)
        self._chats = open_chats(paths.conversations)
        self._settings = SettingsControl(SettingsFile(paths.settings))
        script = Script(answer=self._answer, variants=self._variants, pause_s=PAUSE_S)
        self._bridge = EngineBridge(lambda on_event: FakeEngine(on_event, script))
        self._models = ModelControl(self._bridge, self._settings)
        self.chat = ChatControl(self._bridge, self._models, self._settings, self._chats)
        self.chat.answer_grew.connect(self._on_grew)
        self.chat.answer_ended.connect(self._on_ended)
        self._models.start()
        for latest in self.chat.conversations()[:1]:
            self.chat.open(latest.id)
        self.go_on()

    def go_on(self) -> None:
        choice = self._random.random()
        path = self.chat.path
        if path and choice < 0.3:
            self.chat.regenerate(n_versions=3 if choice < 0.2 else 1)
            return
        text = f"message {self._number}.{self._n_sent}"
        self._n_sent += 1
        if path and choice < 0.5:
            is_taken = self.chat.edit(path[0].id, text)
        else:
            if choice > 0.8:
                self.chat.new()
            is_taken = self.chat.send(text)
        if is_taken:
            tell(kind="sent", conversation=self.chat.conversation_id, text=text)

    def _answer(self, request: Generate) -> list[str]:
        return self._pieces()

    def _pieces(self) -> list[str]:
        lengths = (3, 40, 400, 100_000)
        return [PIECE % number for number in range(self._random.choice(lengths))]

    def _variants(self, request: GenerateVariants) -> list[list[str]]:
        return [self._pieces() for _ in request.samplings]

    def _on_grew(self, message_id: str, _text: str) -> None:
        assert self.chat.conversation is not None
        tell(kind="grew", message=message_id, length=len(self.chat.conversation.messages[message_id].content))

    def _on_ended(self, message: StoredMessage) -> None:
        tell(kind="ended", message=message.id, length=len(message.content))
        QTimer.singleShot(0, self.go_on)


if __name__ == "__main__":
    app = QCoreApplication([])
    writer = Writer(sys.argv[1], int(sys.argv[2]))
    sys.exit(app.exec())
