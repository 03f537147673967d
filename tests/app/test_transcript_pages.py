"""Long conversations: only pages around what is in sight are built, and words are found in all of them."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.chat.conversation import STREAMING
from app.window.transcript.transcript_view import MAX_BUILT, PAGE, TranscriptView
from tests.app.transcript_samples import answered, asked, grown, open_transcript, talk

LONG = "Word {n} of this conversation. " * 12


def scroll(view: TranscriptView, value: int) -> None:
    view.verticalScrollBar().setValue(value)
    view._note_user_scroll()
    for _ in range(3):
        QApplication.processEvents()


def built(view: TranscriptView) -> tuple[int, int]:
    return view._first, view._first + len(view.views)


def test_scrolling_up_and_down_moves_the_pages_and_keeps_their_number_small(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, talk(200, LONG))
    assert len(view.views) < PAGE  # what is in sight comes first
    qtbot.waitUntil(lambda: PAGE <= len(view.views) <= 2 * PAGE)
    assert built(view)[1] == 200
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    for _ in range(20):
        first = view.views[0]
        scroll(view, 100)
        assert len(view.views) <= MAX_BUILT
        if built(view)[0] == 0:
            break
        assert abs(first.y() - view.verticalScrollBar().value()) < 400
    assert built(view) == (0, MAX_BUILT)
    assert not view.is_following
    assert not view._jump.isHidden()
    for _ in range(20):
        scroll(view, view.verticalScrollBar().maximum() - 10)
        if built(view)[1] == 200:
            break
    assert built(view)[1] == 200
    assert len(view.views) <= MAX_BUILT


def test_the_jump_button_builds_the_latest_messages_again(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, talk(400, LONG))
    view.seek("m5")
    assert view.views[0].message.id == "m0"

    view._jump.click()

    qtbot.waitUntil(lambda: PAGE <= len(view.views) <= 2 * PAGE)
    assert built(view)[1] == 400
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    assert view.is_following


def test_being_at_the_end_of_what_is_built_is_not_being_at_the_end(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, talk(400, LONG))
    view.seek("m5")
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    view._note_user_scroll()

    assert not view.is_following


def test_an_answer_that_grew_while_it_was_not_built_is_whole_when_it_is(qtbot: QtBot) -> None:
    message = answered(400, "Begun", STREAMING)
    view = open_transcript(qtbot, [*talk(400, LONG), message])
    view.seek("m5")
    view.grow(grown(message, " and ended"), " and ended")

    view.follow()

    assert view.views[-1].message.content == "Begun and ended"
    assert "Begun and ended" in "".join(part.editor.toPlainText() for part in view.views[-1].parts())


def test_a_message_that_is_added_while_one_looks_back_does_not_move_the_view(qtbot: QtBot) -> None:
    path = talk(400, LONG)
    view = open_transcript(qtbot, path)
    view.seek("m5")
    before = view.verticalScrollBar().value()

    view.show_path([*path, asked(400)], show_stats=True)

    assert view.verticalScrollBar().value() == before
    assert built(view)[1] < 400
    view.follow()
    assert view.views[-1].message.id == "m400"


def test_words_are_found_in_every_message_and_gone_to(qtbot: QtBot) -> None:
    path = talk(400, LONG)
    path[3] = answered(3, "A **Need**le here, and a `needle` there.\n\n```\nneedle\n```")
    path[200] = asked(200, "Where is the NEEDLE?")
    view = open_transcript(qtbot, path)

    assert view.find("needle") == 4
    view.show_hit(3)
    (shown,) = [m for m in view.views if m.message.id == "m200"]
    bar = view.verticalScrollBar()
    assert bar.value() <= shown.y() <= bar.value() + view.viewport().height()
    assert not view.is_following
    assert len(view.views) <= 2 * PAGE
    view.show_hit(1)
    (shown,) = [m for m in view.views if m.message.id == "m3"]
    marked = [len(part.editor.extraSelections()) for part in shown.parts()]
    assert marked == [2, 1]
    loud = [s.format.background().color().name() for part in shown.parts() for s in part.editor.extraSelections()]
    assert len(set(loud)) == 2
    assert loud.count(loud[1]) == 1
    view.clear_find()
    assert not any(part.editor.extraSelections() for part in shown.parts())


def test_nothing_is_found_for_no_words(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, talk(4))

    assert view.find("") == 0
    assert view.find("  ") == 0
    assert view.find("absent") == 0


def test_addresses_and_thinking_are_not_searched(qtbot: QtBot) -> None:
    text = "<think>needle</think>See [this](https://example.org/needle)."
    view = open_transcript(qtbot, [asked(0), answered(1, text)])

    assert view.find("needle") == 0
    assert view.find("this") == 1
