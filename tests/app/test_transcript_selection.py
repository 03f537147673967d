"""A selection runs through texts and messages, and what is copied is clean Markdown or plain text."""

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.window.transcript.code_view import CodeView
from app.window.transcript.folding import folded, unfolded
from app.window.transcript.selection import TextPart
from app.window.transcript.transcript_view import TranscriptView
from tests.app.transcript_samples import answered, asked, mouse, open_transcript, talk

TEXT = "First **bold** words.\n\n```python\nx = 1\ny = 2\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast words."


def parts_of(view: TranscriptView) -> list[TextPart]:
    return [part for message in view.views for part in message.parts()]


def place(part: TextPart, position: int) -> QPoint:
    cursor = part.editor.textCursor()
    cursor.setPosition(position)
    return part.editor.cursorRect(cursor).center()


def drag(first: TextPart, start: int, last: TextPart, end: int) -> None:
    """Press in one text and let go in another; as Qt does it, all events go to the first."""
    source, target = first.editor.viewport(), last.editor.viewport()
    at = place(first, start)
    mouse(QEvent.Type.MouseButtonPress, source, at)
    goal = source.mapFromGlobal(target.mapToGlobal(place(last, end)))
    for step in range(1, 11):
        mouse(QEvent.Type.MouseMove, source, at + (goal - at) * step / 10)
    mouse(QEvent.Type.MouseButtonRelease, source, goal)


def test_a_drag_goes_on_in_the_next_text_and_message(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0, "What is it?"), answered(1, TEXT), asked(2, "And then?")])
    question, prose, _, _, last, other = parts_of(view)

    drag(prose, 6, last, 4)

    assert view.selection.text() == (
        "**bold** words.\n\n```python\nx = 1\ny = 2\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast"
    )
    assert view.selection.text(as_markdown=False) == "bold words.\n\nx = 1\ny = 2\n\na\tb\n1\t2\n\nLast"
    assert not question.editor.textCursor().hasSelection()
    assert not view.is_following
    drag(last, 4, question, 5)
    assert view.selection.text().startswith("is it?\n\nFirst **bold**")
    assert view.selection.text().endswith("Last")
    drag(other, 0, other, 3)
    assert view.selection.text() == "And"


def test_a_whole_message_is_copied_as_it_was_written(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, TEXT)])
    parts = view.views[1].parts()

    view.selection.select(parts[0], 0, parts[-1], parts[-1].editor.document().characterCount() - 1)

    assert view.selection.text() == TEXT


def test_part_of_one_style_or_of_code_has_no_marks(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, TEXT)])
    prose, code, *_ = view.views[1].parts()
    view.selection.select(prose, 7, prose, 9)
    assert view.selection.text() == "ol"
    view.selection.select(code, 0, code, 5)
    assert view.selection.text() == "x = 1"
    view.selection.select(prose, 3, prose, 12)
    assert view.selection.text() == "st **bold** w"


def test_select_all_has_the_messages_that_are_not_built_and_says_who_spoke(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, talk(100))
    view.setFocus()

    QTest.keySequence(view, "Ctrl+A")
    QTest.keySequence(view, "Ctrl+C")

    text = QGuiApplication.clipboard().text()
    assert text.startswith("**You:**\n\nWord 0 of this conversation.\n\n**Tiny:**\n\nWord 1 of")
    assert text.endswith("Word 99 of this conversation.")
    assert text.count("**You:**") == 50


def test_keys_and_menu_of_a_text_copy_the_selection(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, TEXT)])
    prose, code, *_ = view.views[1].parts()
    view.selection.select(prose, 6, code, 3)

    QTest.keySequence(prose.editor, "Ctrl+C")
    assert QGuiApplication.clipboard().text() == "**bold** words.\n\n```python\nx =\n```"
    assert bytes(QGuiApplication.clipboard().mimeData().data("text/markdown").data()).startswith(b"**bold**")
    menu = view.selection.menu("https://example.org/")
    actions = {action.text(): action for action in menu.actions()}
    actions["Copy as plain text"].trigger()
    assert QGuiApplication.clipboard().text() == "bold words.\n\nx ="
    actions["Copy link"].trigger()
    assert QGuiApplication.clipboard().text() == "https://example.org/"
    menu.deleteLater()


def test_a_press_elsewhere_takes_the_selection_away(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, TEXT)])
    prose, code, *_, last = view.views[1].parts()
    view.selection.select(prose, 6, last, 3)

    mouse(QEvent.Type.MouseButtonPress, code.editor.viewport(), QPoint(2, 2))
    mouse(QEvent.Type.MouseButtonRelease, code.editor.viewport(), QPoint(2, 2))

    assert not view.selection.is_some


def test_shift_extends_the_selection_to_another_text(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, TEXT)])
    prose, *_, last = view.views[1].parts()
    mouse(QEvent.Type.MouseButtonPress, prose.editor.viewport(), place(prose, 6))
    mouse(QEvent.Type.MouseButtonRelease, prose.editor.viewport(), place(prose, 6))

    shift = Qt.KeyboardModifier.ShiftModifier
    mouse(QEvent.Type.MouseButtonPress, last.editor.viewport(), place(last, 4), shift)

    assert view.selection.text().startswith("**bold** words.")
    assert view.selection.text().endswith("\n\nLast")


def test_selecting_long_code_does_not_scroll_it(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, "```\n" + "word " * 100 + "\n```\n\nEnd")])
    code, last = view.views[1].parts()

    view.selection.select_all()

    assert code.editor.horizontalScrollBar().value() == 0
    assert view.selection.is_some
    assert last.editor.textCursor().selectedText() == "End"


def test_typed_text_is_copied_as_typed(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0, "# one\n\n  **two** 😀\nthree"), answered(1, "x")])
    question, answer = parts_of(view)

    view.selection.select(question, 2, answer, 1)

    assert view.selection.text() == "one\n\n  **two** 😀\nthree\n\nx"


def test_folded_code_is_cut_where_it_is_selected() -> None:
    code = "ab\n" + "x" * 2500 + "\n" + "y" * 1000 + "\ncd"
    shown = folded(code)

    for start, end in ((0, len(shown)), (3, 1003), (3, 1004), (1000, 2100), (2004, len(shown) - 1), (1, 2)):
        expected = shown[start:end]
        assert unfolded(code, start, end).replace("\n", "") == expected.replace("\n", "")
    assert unfolded(code, 0, len(shown)) == code


def test_code_wraps_on_request(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, "```\n" + "word " * 200 + "\n```")])
    (code,) = view.findChildren(CodeView)
    before = code.height()

    code._wrap.click()

    assert code.height() > before * 2
    assert code.editor.horizontalScrollBar().maximum() == 0
    code._wrap.click()
    assert code.height() == before
