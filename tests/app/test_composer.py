"""Writing a message: keys, input methods, files beside the text, prompts that a slash finds."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QLocale, QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication, QImage, QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea

from app.chat.attached_files import AttachedFile, split_files, with_files
from app.prompt_library import Prompt
from app.settings import CTRL_ENTER
from app.window.composer.attachments_bar import AttachmentChip
from app.window.composer.message_field import MessageField, local_files
from app.window.composer.prompt_dialog import PromptDialog
from app.window.file_dialog import FileDialog
from app.window.transcript.file_cards import FileCard
from engine.messages import CountTokens, Generate
from tests.app.conftest import Bench
from tests.app.fake_engine import Script

NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def field(bench: Bench) -> MessageField:
    return bench.composer._field


def chips(bench: Bench) -> list[AttachmentChip]:
    return bench.composer.files_bar.chips


def facts(bench: Bench) -> list[str]:
    return [chip._facts.text() for chip in chips(bench)]


def paste(bench: Bench, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    QGuiApplication.clipboard().setMimeData(data)
    field(bench).paste()


def give(bench: Bench, *paths: Path) -> None:
    """Files, and wait until they are read."""
    bench.composer.add_files(list(paths))
    bench.until(lambda: not bench.composer.files_bar.is_reading)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.md"
    path.write_text("one two three\n")
    return path


# Keys


def test_with_ctrl_enter_enter_breaks_the_line(bench: Bench) -> None:
    bench.session.settings.update(send_with=CTRL_ENTER)
    QTest.keyClicks(field(bench), "one")
    QTest.keyClick(field(bench), Qt.Key.Key_Return)
    QTest.keyClicks(field(bench), "two")
    QTest.keyClick(field(bench), Qt.Key.Key_Return, SHIFT)
    assert bench.chat.path == []
    assert bench.composer.text.splitlines() == ["one", "two"]

    QTest.keyClick(field(bench), Qt.Key.Key_Return, CTRL)

    bench.until(lambda: bench.chat.path)
    assert bench.chat.path[0].content.splitlines() == ["one", "two"]


@pytest.mark.parametrize("modifiers", [NONE, CTRL])
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_an_input_method_that_composes_is_never_sent(bench: Bench, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    QTest.keyClicks(field(bench), "x")
    QApplication.sendEvent(field(bench), QInputMethodEvent("nihao", []))

    QApplication.sendEvent(field(bench), QKeyEvent(QEvent.Type.KeyPress, key, modifiers))

    assert bench.chat.path == []
    assert bench.composer.text == "x"


def test_enter_in_the_moment_after_a_commit_neither_sends_nor_breaks_the_line(bench: Bench) -> None:
    bench.session.settings.update(send_with=CTRL_ENTER)
    committed = QInputMethodEvent("", [])
    committed.setCommitString("你好")
    QApplication.sendEvent(field(bench), committed)

    for modifiers in (NONE, CTRL):
        QApplication.sendEvent(field(bench), QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, modifiers))

    assert bench.composer.text == "你好"
    assert bench.chat.path == []


def test_an_input_method_may_use_enter_while_prompts_are_offered(bench: Bench) -> None:
    QTest.keyClicks(field(bench), "/")
    assert bench.composer._menu.isVisible()
    QApplication.sendEvent(field(bench), QInputMethodEvent("zong", []))

    QApplication.sendEvent(field(bench), QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NONE))

    assert bench.composer.text == "/"
    assert bench.composer._menu.isVisible()


# Files


def test_a_long_paste_becomes_a_file_and_a_short_one_is_text(bench: Bench) -> None:
    paste(bench, "short")
    paste(bench, "long\n" * 60)
    paste(bench, "y" * 2500)

    assert bench.composer.text == "short"
    assert [chip.name for chip in chips(bench)] == ["Pasted text.txt", "Pasted text 2.txt"]
    assert bench.composer.files[0].text == "long\n" * 60


def test_a_paste_replaces_what_was_selected(bench: Bench) -> None:
    bench.composer.set_text("keep this away")
    field(bench).selectAll()

    paste(bench, "long\n" * 60)

    assert bench.composer.text == ""
    assert len(bench.composer.files) == 1


def test_a_picture_and_far_too_long_a_text_are_refused_with_the_reason(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.window.composer.attachments_bar.MAX_CHARACTERS", 3000)
    data = QMimeData()
    data.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    assert field(bench).canInsertFromMimeData(data)
    field(bench).insertFromMimeData(data)
    paste(bench, "z" * 4000)

    assert ["no text file" in text or "more than" in text for text in facts(bench)] == [True, True]
    assert bench.composer.files == ()
    assert bench.composer.text == ""


def test_the_button_names_the_key_that_sends(bench: Bench) -> None:
    assert bench.composer._button.toolTip() == "Send (Enter)"

    bench.session.settings.update(send_with=CTRL_ENTER)

    assert bench.composer._button.toolTip() == "Send (Ctrl+Enter)"


def test_files_are_read_named_and_counted_by_the_model(bench: Bench, notes: Path) -> None:
    give(bench, notes)

    assert [chip.name for chip in chips(bench)] == ["notes.md"]
    bench.until(lambda: "3 tokens" in facts(bench)[0])
    assert "about" not in facts(bench)[0]
    QTest.keyClicks(field(bench), "typing goes on")
    assert "about" not in facts(bench)[0]
    assert chips(bench)[0].accessibleName().startswith("notes.md")


def test_without_a_model_tokens_are_estimated(make_bench: Callable[..., Bench], notes: Path) -> None:
    bench = make_bench(Script(models=())).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")

    give(bench, notes)

    assert "about" in facts(bench)[0]


def test_dropped_files_are_taken_by_the_field_and_around_it(bench: Bench, notes: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(notes))])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    event = QDropEvent(QPoint(3, 3).toPointF(), action, data, button, NONE)

    bench.composer.dropEvent(event)
    field(bench).insertFromMimeData(data)
    bench.window.dropEvent(event)
    bench.until(lambda: not bench.composer.files_bar.is_reading)

    assert [chip.name for chip in chips(bench)] == ["notes.md", "notes 2.md", "notes 3.md"]
    assert bench.composer.text == ""


def test_a_model_that_is_dropped_is_left_to_the_window(bench: Bench, tmp_path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "model.gguf"))])

    assert not field(bench).canInsertFromMimeData(data)
    assert local_files(data) == []


def test_a_file_that_cannot_be_added_says_why_and_can_be_put_away(bench: Bench, tmp_path: Path, notes: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0\0")
    give(bench, notes, tmp_path / "picture.png", tmp_path / "gone.txt")

    assert [chip.file is not None for chip in chips(bench)] == [True, False, False]
    assert "no text file" in facts(bench)[1]
    assert "not there any more" in facts(bench)[2]

    chips(bench)[1]._remove.click()

    assert [chip.name for chip in chips(bench)] == ["notes.md", "gone.txt"]
    assert len(bench.composer.files) == 1


def test_nothing_is_sent_while_a_file_is_being_read(bench: Bench, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    def read(path: Path, is_unwanted: Callable[[], bool]) -> AttachedFile:
        assert gate.wait(10)
        return AttachedFile(path.name, "text")

    monkeypatch.setattr("app.window.composer.attachment_reader.read_attachment", read)
    bench.composer.set_text("Look")
    bench.composer.add_files([notes])
    assert not bench.composer._button.isEnabled()
    assert "still being read" in bench.composer._hint.text()
    QTest.keyClick(field(bench), Qt.Key.Key_Return)
    assert bench.chat.path == []

    gate.set()
    bench.until(lambda: bench.composer._button.isEnabled())
    assert "still being read" not in bench.composer._hint.text()

    QTest.keyClick(field(bench), Qt.Key.Key_Return)
    bench.until(lambda: bench.chat.path)


def test_files_are_sent_with_the_message_and_shown_as_cards(bench: Bench, notes: Path) -> None:
    give(bench, notes)
    QTest.keyClicks(field(bench), "Explain this")
    QTest.keyClick(field(bench), Qt.Key.Key_Return)

    bench.until(lambda: bench.chat.answering is None and len(bench.chat.path) == 2)
    text, files = split_files(bench.chat.path[0].content)
    assert (text, files) == ("Explain this", (AttachedFile("notes.md", "one two three\n"),))
    asked = bench.engine.asked(Generate)[-1]
    assert isinstance(asked, Generate)
    assert asked.messages[-1].content == bench.chat.path[0].content
    assert bench.composer.content == ""
    (card,) = bench.transcript.findChildren(FileCard)
    assert card.file == files[0]
    assert "one two three" not in bench.transcript.views[0]._text.toPlainText()

    card.click()
    (dialog,) = bench.window.findChildren(FileDialog)
    assert dialog.windowTitle() == "notes.md"
    dialog.close()


def test_a_message_of_files_alone_can_be_sent(bench: Bench, notes: Path) -> None:
    give(bench, notes)
    assert bench.composer._button.isEnabled()
    bench.composer._button.click()

    bench.until(lambda: bench.chat.answering is None and len(bench.chat.path) == 2)
    assert split_files(bench.chat.path[0].content)[0] == ""
    assert bench.chat.conversation is not None
    assert bench.chat.conversation.title == "notes.md"


def test_files_survive_as_drafts(make_bench: Callable[..., Bench], notes: Path) -> None:
    bench = make_bench(Script()).start()
    give(bench, notes)
    QTest.keyClicks(field(bench), "later")
    bench.close()

    again = make_bench(Script()).start()

    assert again.composer.text == "later"
    assert [file.name for file in again.composer.files] == ["notes.md"]


@pytest.mark.parametrize("text", ["one\ntwo\nthree", "一\n二\n三", "a long line of words " * 16, "one\n\n👩‍🚀"])
def test_a_draft_that_came_back_is_seen_from_its_beginning(make_bench: Callable[..., Bench], text: str) -> None:
    bench = make_bench(Script()).start()
    bench.composer.set_text(text)
    bench.close()

    again = make_bench(Script()).start()

    assert again.composer.text == text
    bar = field(again).verticalScrollBar()
    again.until(lambda: (bar.value(), bar.maximum()) == (0, 0))


def test_many_files_leave_room_and_each_can_be_reached(bench: Bench, notes: Path, tmp_path: Path) -> None:
    give(bench, notes, *(tmp_path / f"gone {n}.txt" for n in range(14)))
    bench.settle()
    bar = bench.composer.files_bar
    area = bar.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)

    assert area.height() < bench.window.height() / 3 < bar.height()
    scroll = area.verticalScrollBar()
    assert scroll.value() == scroll.maximum() > 0

    area.ensureWidgetVisible(chips(bench)[0])
    assert not chips(bench)[0].visibleRegion().isEmpty()

    bench.composer.set_text("")
    bench.settle()
    assert not area.isVisible()


def test_each_conversation_keeps_its_own_files(bench: Bench, notes: Path) -> None:
    bench.ask("One")
    one = bench.chat.conversation_id
    give(bench, notes)
    bench.chat.new()
    assert bench.composer.files == ()

    bench.chat.open(one)

    assert [file.name for file in bench.composer.files] == ["notes.md"]


def test_a_file_can_be_looked_at_and_become_text_again(bench: Bench) -> None:
    bench.composer.set_text(with_files("Before: ", [AttachedFile("a.txt", "some text")]))
    QTest.keyClick(chips(bench)[0], Qt.Key.Key_Return)
    (dialog,) = bench.window.findChildren(FileDialog)

    dialog.text_wanted.emit()
    dialog.close()

    assert bench.composer.text == "Before: some text"
    assert bench.composer.files == ()


def test_more_files_than_a_message_can_have_are_refused_once(bench: Bench, notes: Path) -> None:
    give(bench, *[notes] * 25)

    assert len(bench.composer.files) == 20
    assert len(chips(bench)) == 21
    assert "at most 20" in facts(bench)[-1]


def test_names_of_files_are_told_apart(bench: Bench, notes: Path) -> None:
    give(bench, notes, notes, notes)

    assert [file.name for file in bench.composer.files] == ["notes.md", "notes 2.md", "notes 3.md"]


# Prompts


def menu_names(bench: Bench) -> list[str]:
    return [prompt.name for prompt in bench.composer._menu.found] if bench.composer._menu.isVisible() else []


def test_a_slash_offers_prompts_and_typing_filters_them(bench: Bench) -> None:
    QTest.keyClicks(field(bench), "/")
    assert "Summarise" in menu_names(bench)
    assert "Translate" in menu_names(bench)

    QTest.keyClicks(field(bench), "trans")
    assert menu_names(bench)[0] == "Translate"

    QTest.keyClicks(field(bench), "zzz")
    assert menu_names(bench) == []


def test_a_prompt_is_chosen_with_the_keyboard_and_its_place_is_selected(bench: Bench) -> None:
    QTest.keyClicks(field(bench), "/trans")
    QTest.keyClick(field(bench), Qt.Key.Key_Return)

    assert bench.composer.text.startswith("Translate the following text into {{language}}")
    assert field(bench).textCursor().selectedText() == "{{language}}"
    assert bench.chat.path == []
    QTest.keyClicks(field(bench), "French")
    QTest.keyClick(field(bench), Qt.Key.Key_Tab)
    assert field(bench).textCursor().selectedText() == "{{text}}"
    assert bench.window.focusWidget() is field(bench)


def test_arrows_move_through_the_prompts_and_around(bench: Bench) -> None:
    QTest.keyClicks(field(bench), "/")
    names = menu_names(bench)
    QTest.keyClick(field(bench), Qt.Key.Key_Up)
    assert bench.composer._menu._list.currentRow() == len(names) - 1
    QTest.keyClick(field(bench), Qt.Key.Key_Down)
    QTest.keyClick(field(bench), Qt.Key.Key_Down)
    assert bench.composer._menu._list.currentRow() == 1


def test_escape_puts_the_prompts_away_and_the_slash_is_text(bench: Bench) -> None:
    QTest.keyClicks(field(bench), "/")
    QTest.keyClick(field(bench), Qt.Key.Key_Escape)
    assert menu_names(bench) == []

    QTest.keyClicks(field(bench), "sum of it")
    assert menu_names(bench) == []
    QTest.keyClick(field(bench), Qt.Key.Key_Return)

    bench.until(lambda: bench.chat.path)
    assert bench.chat.path[0].content == "/sum of it"


def test_the_rest_of_the_field_fills_the_place_for_text(bench: Bench) -> None:
    bench.composer.set_text("my long story")
    cursor = field(bench).textCursor()
    cursor.setPosition(0)
    field(bench).setTextCursor(cursor)
    QTest.keyClicks(field(bench), "/summ")
    QTest.keyClick(field(bench), Qt.Key.Key_Tab)

    assert bench.composer.text.endswith("\n\nmy long story")
    assert "{{" not in bench.composer.text


def test_a_prompt_takes_what_was_copied(bench: Bench) -> None:
    QGuiApplication.clipboard().setText("their message")
    QTest.keyClicks(field(bench), "/write a r")
    QTest.keyClick(field(bench), Qt.Key.Key_Return)

    assert bench.composer.text.endswith("their message")


def test_prompts_come_in_the_language_of_the_window(bench: Bench) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale("zh_CN"))
    QTest.keyClicks(field(bench), "/")
    names = menu_names(bench)
    QLocale.setDefault(before)

    assert "翻译" in names


def test_own_prompts_are_written_changed_used_and_kept(bench: Bench) -> None:
    bench.composer.edit_prompts()
    (dialog,) = bench.window.findChildren(PromptDialog)
    dialog._new.click()
    dialog._name.selectAll()
    QTest.keyClicks(dialog._name, "Poem")
    dialog._text.setPlainText("A poem about {{topic}}")
    assert bench.session.controls.prompts.own == (Prompt("Poem", "A poem about {{topic}}"),)
    assert "topic" in dialog._places.text()
    dialog._use.click()

    assert bench.composer.text == "A poem about {{topic}}"
    bench.composer.set_text("")
    QTest.keyClicks(field(bench), "/poem")
    assert menu_names(bench)[0] == "Poem"
    bench.settle()
    bench.composer.edit_prompts()
    (dialog,) = bench.window.findChildren(PromptDialog)
    dialog._remove.click()
    assert bench.session.controls.prompts.own == ()
    dialog.close()


def test_a_prompt_that_comes_with_ember_can_be_copied_and_not_changed(bench: Bench) -> None:
    bench.composer.edit_prompts()
    (dialog,) = bench.window.findChildren(PromptDialog)
    assert dialog._text.isReadOnly()
    dialog._copy.click()

    assert not dialog._text.isReadOnly()
    assert [prompt.name for prompt in bench.session.controls.prompts.own] == ["Summarise"]
    dialog.close()


def test_prompts_that_cannot_be_written_are_said_and_stay(bench: Bench) -> None:
    bench.paths.prompts.mkdir(parents=True)
    bench.composer.edit_prompts()
    (dialog,) = bench.window.findChildren(PromptDialog)
    dialog._copy.click()

    assert dialog._problem.isVisible()
    assert "could not be written down" in dialog._problem.text()
    assert not dialog._text.isReadOnly()
    dialog.close()


def test_one_count_is_asked_for_at_a_time(bench: Bench) -> None:
    gate = bench.script.gates["count"] = threading.Event()
    n_before = len(bench.engine.asked(CountTokens))
    QTest.keyClicks(field(bench), "one")
    bench.until(lambda: len(bench.engine.asked(CountTokens)) == n_before + 1)
    QTest.keyClicks(field(bench), " two")
    QTest.qWait(400)
    assert len(bench.engine.asked(CountTokens)) == n_before + 1

    gate.set()

    bench.until(lambda: len(bench.engine.asked(CountTokens)) == n_before + 2)
    last = bench.engine.asked(CountTokens)[-1]
    assert isinstance(last, CountTokens)
    assert last.texts[0] == "one two"
