"""Another theme or another size over a long conversation: each widget told a few times only, and every text right."""

import time
from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTextEdit, QWidget

from app.window.theme import DARK, LIGHT
from app.window.transcript.prose_view import ProseView
from tests.app.conftest import Bench
from tests.app.measure_transcript import document

N_MESSAGES = 200
MOST_S = 2.0
"""Of a processor's time on any machine; 0.4 to 0.8 where this was written, 4.4 to 5.8 before."""


class Told(QObject):
    """Counts how often each widget is told that its style is another one."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.times: Counter[QObject] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StyleChange:
            self.times[watched] += 1
        return False


@pytest.fixture
def long_chat(bench: Bench) -> Iterator[Bench]:
    """A conversation of 200 messages, the latest of which are on the screen."""
    store = bench.session.store
    conversation = store.create("Long")
    parent = None
    text = document(1500)
    for number in range(N_MESSAGES // 2):
        asked = store.send(conversation.id, parent, f"Question {number}: why is that so?")
        answer = store.start_answer(asked.id, "Tiny")
        parent = store.finish_answer(answer.id, text, "done").id
    bench.window.open_chat(conversation.id)
    bench.until(lambda: len(bench.transcript.views) >= 30)
    bench.settle()
    yield bench
    bench.session.settings.update(zoom=100, theme="light")


def font_sizes(window: QWidget) -> dict[object, float]:
    """Of all widgets but the frames of Qt's own around scroll bars, which show no text."""
    sizes: dict[object, float] = {}
    for widget in window.findChildren(QWidget):
        if not widget.objectName().startswith("qt_scrollarea"):
            sizes[widget] = widget.font().pointSizeF()
        if isinstance(widget, QTextEdit | QPlainTextEdit):
            sizes[widget, "text"] = widget.document().defaultFont().pointSizeF()
    return sizes


@pytest.mark.parametrize("change", [{"theme": "dark"}, {"zoom": 125}])
def test_no_widget_is_told_again_for_each_that_it_lies_in(
    long_chat: Bench, qapp: QApplication, change: dict[str, object]
) -> None:
    told = Told(qapp)
    qapp.installEventFilter(told)
    try:
        long_chat.session.settings.update(**change)
    finally:
        qapp.removeEventFilter(told)

    assert told.times[long_chat.composer] > 0
    assert max(told.times.values()) <= 4  # twice by the sheet, once or twice where its icon has another size


@pytest.mark.parametrize("change", [{"theme": "dark"}, {"zoom": 125}])
def test_it_does_not_take_seconds(long_chat: Bench, change: dict[str, object]) -> None:
    start = time.process_time()
    long_chat.session.settings.update(**change)
    long_chat.settle()

    assert time.process_time() - start < MOST_S


def test_every_text_has_its_size_at_once(long_chat: Bench) -> None:
    long_chat.engine.die()
    long_chat.until(lambda: long_chat.models.state == "stopped")
    long_chat.settle()
    usual = font_sizes(long_chat.window)
    for percent in (150, 80, 125, 100):
        long_chat.session.settings.update(zoom=percent)

        now = font_sizes(long_chat.window)
        wrong = [
            (key, size, now[key])
            for key, size in usual.items()
            if key in now and now[key] != pytest.approx(size * percent / 100, abs=0.05)
        ]
        assert wrong == []


def test_texts_are_written_once_in_the_new_colours(long_chat: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    written: Counter[ProseView] = Counter()
    rewrite = ProseView._rewrite

    def counted(view: ProseView) -> None:
        written[view] += 1
        rewrite(view)

    monkeypatch.setattr(ProseView, "_rewrite", counted)
    for theme, colors in (("dark", DARK), ("light", LIGHT)):
        written.clear()
        long_chat.session.settings.update(theme=theme)

        assert set(written.values()) == {1}
        for view in written:
            cursor = QTextCursor(view.document())
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
            assert cursor.charFormat().foreground().color() == QColor(colors.text)
