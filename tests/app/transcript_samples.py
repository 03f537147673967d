"""Conversations as the transcript gets them, and a transcript that shows them without a window around it."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.chat.answer_facts import AnswerFacts
from app.chat.conversation import DONE, STREAMING
from app.chat.records import ASSISTANT, USER, StoredMessage
from app.window.transcript.transcript_view import TranscriptView
from engine.messages import GenerationStats

STATS = GenerationStats(20, 0, 0.5, 0.6, 40, 2.0, 2048)


def asked(number: int, text: str = "Why?") -> StoredMessage:
    return StoredMessage(f"m{number}", "c", None, USER, text)


def answered(number: int, text: str, status: str = DONE, *, stats: GenerationStats | None = STATS) -> StoredMessage:
    facts = AnswerFacts("stop", stats) if status != STREAMING else AnswerFacts()
    return StoredMessage(f"m{number}", "c", None, ASSISTANT, text, status, model="Tiny", facts=facts)


def talk(n_messages: int, text: str = "Word {n} of this conversation.") -> list[StoredMessage]:
    """Question and answer in turn."""
    words = [text.replace("{n}", str(number)) for number in range(n_messages)]
    return [answered(n, word) if n % 2 else asked(n, word) for n, word in enumerate(words)]


def grown(message: StoredMessage, text: str) -> StoredMessage:
    return replace(message, content=message.content + text)


def open_transcript(qtbot: QtBot, path: Sequence[StoredMessage], width: int = 900) -> TranscriptView:
    view = TranscriptView(lambda message: [message], lambda message: ())
    qtbot.addWidget(view, before_close_func=lambda shown: shown.formulas.shut_down())
    view.resize(width, 700)
    view.show()
    qtbot.waitExposed(view)
    view.show_path(path, show_stats=True)
    return view


def mouse(kind: QEvent.Type, widget: QWidget, at: QPoint, modifiers: Qt.KeyboardModifier | None = None) -> None:
    """A mouse event with the left button held, as a drag has it."""
    left = Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else left
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else left
    place = QPointF(at)
    event = QMouseEvent(
        kind,
        place,
        QPointF(widget.mapToGlobal(at)),
        button,
        held,
        modifiers or Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)
