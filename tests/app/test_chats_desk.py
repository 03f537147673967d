"""What a person does with conversations in the window: menus, search, find, trash, dropped files, closing."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QPushButton, QRadioButton

from app.chat.attached_files import AttachedFile, with_files
from app.chat.exchange import ExportChoice
from app.window.chats.export_dialog import ExportDialog
from app.window.chats.list_rows import Row, rows_of
from app.window.chats.trash_dialog import TrashDialog
from tests.app.conftest import Bench

MakeBench = Callable[..., Bench]


def titles(bench: Bench) -> list[str]:
    """What the list shows, headings left out."""
    bench.settle()
    return [row.text for row in bench.window.sidebar.chats.list.rows.rows if row.text]


def row(bench: Bench, title: str) -> Row:
    bench.settle()
    return next(each for each in bench.window.sidebar.chats.list.rows.rows if each.text == title)


def choose(bench: Bench, *names: str) -> None:
    """Press an entry of the menu that is open, by way of its submenus."""
    bench.settle()
    menu = next(each for each in QApplication.topLevelWidgets() if isinstance(each, QMenu) and each.isVisible())
    for name in names[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text().split("\t")[0] == name)
    action = next(each for each in menu.actions() if each.text().split("\t")[0] == names[-1])
    action.trigger()
    for each in QApplication.topLevelWidgets():
        if isinstance(each, QMenu):
            each.close()
    bench.settle()


def press(bench: Bench, name: str) -> None:
    """A button of the question that is asked."""
    bench.settle()
    box = next(each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox) and each.isVisible())
    next(each for each in box.buttons() if each.text() == name).click()
    bench.settle()


def test_pins_folders_and_deleting_go_by_the_menu_and_back_by_the_toast(bench: Bench) -> None:
    for text in ("one", "two", "three"):
        bench.chat.new()
        bench.ask(text)
    desk, chats = bench.window.desk, bench.window.sidebar.chats
    position = chats.list.mapToGlobal(chats.list.rect().center())

    desk._show_menu([row(bench, "one")], position)
    choose(bench, "Pin")
    assert titles(bench) == ["one", "three", "two"]
    desk._add_folder("Work", [row(bench, "two").key])
    assert titles(bench) == ["one", "Work", "two", "three"]
    desk._show_menu([row(bench, "one"), row(bench, "three")], position)
    choose(bench, "Move to", "Work")
    assert titles(bench) == ["Work", "three", "two", "one"]

    desk._show_menu([row(bench, "Work")], position)
    choose(bench, "Delete folder")
    assert titles(bench) == ["three", "two", "one"]
    bench.window.toast._press()
    assert titles(bench) == ["Work", "three", "two", "one"]

    desk._show_menu([row(bench, "two"), row(bench, "one")], position)
    choose(bench, "Delete")
    assert titles(bench) == ["Work", "three"]
    bench.window.toast._press()
    assert sorted(titles(bench)) == ["Work", "one", "three", "two"]


def test_keys_go_from_one_conversation_to_the_next(bench: Bench) -> None:
    for text in ("one", "two"):
        bench.chat.new()
        bench.ask(text)
    bench.chat.new()
    bench.settle()
    seen = []
    for step in (1, 1, 1, -1, -1):
        bench.window.desk.step(step)
        bench.settle()
        seen.append(bench.chat.path[0].content)

    assert seen == ["two", "one", "one", "two", "two"]


def test_a_search_leads_to_the_message_even_in_another_version(bench: Bench) -> None:
    bench.script.answer = lambda request: ("The word is zephyr.",)
    bench.ask("first")
    bench.script.answer = lambda request: ("Nothing here.",)
    bench.chat.regenerate()
    bench.until(lambda: bench.chat.answering is None)
    bench.chat.new()
    chats = bench.window.sidebar.chats

    bench.window.search_chats()
    QTest.keyClicks(chats.field, "zephyr")
    bench.until(lambda: chats.results.model().rowCount() == 1)
    QTest.keyClick(chats.field, Qt.Key.Key_Return)

    assert [m.content for m in bench.chat.path] == ["first", "The word is zephyr."]
    QTest.keyClick(chats.field, Qt.Key.Key_Escape)
    assert chats.field.text() == ""
    assert chats._stack.currentWidget() is chats.list
    QTest.keyClicks(chats.field, "nowhere")
    bench.until(lambda: chats._words.text() == "No conversation contains this.")


def test_return_opens_the_best_hit_as_soon_as_it_is_known(bench: Bench) -> None:
    for text in ("old zephyr", "new zephyr", "something else"):
        bench.chat.new()
        bench.ask(text)
    chats = bench.window.sidebar.chats
    bench.window.search_chats()

    QTest.keyClicks(chats.field, "zephyr")
    QTest.keyClick(chats.field, Qt.Key.Key_Return)  # before anything was looked for
    bench.until(lambda: bench.chat.path[0].content == "new zephyr")

    assert chats.results.currentIndex().row() == 0
    QTest.keyClick(chats.field, Qt.Key.Key_Down)
    QTest.keyClick(chats.results, Qt.Key.Key_Down)
    chats.field.setText("zephyr nowhere")
    QTest.keyClick(chats.field, Qt.Key.Key_Return)
    bench.until(lambda: chats._words.text() == "No conversation contains this.")
    assert bench.chat.path[0].content == "new zephyr"
    chats.field.setText("old zephyr")  # what was wished for before does not count for this
    bench.until(lambda: chats._found == "old zephyr")
    assert bench.chat.path[0].content == "new zephyr"
    QTest.keyClick(chats.field, Qt.Key.Key_Return)
    assert bench.chat.path[0].content == "old zephyr"


def test_words_in_files_are_counted_apart_since_they_cannot_be_shown(bench: Bench) -> None:
    file = AttachedFile("sky.txt", "cloud over cloud, all Cloud")
    bench.ask(with_files("a cloud", (file,)))
    bar = bench.page.find_bar
    bench.window.find_in_chat()

    QTest.keyClicks(bar.field, "cloud")
    bench.until(lambda: bar.count.text() == "1 of 1, and 3 in files")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "1 of 1, and 3 in files"
    bar.field.setText("over")
    bench.until(lambda: bar.count.text() == "in files only: 1")
    bar.field.setText("sky")
    bench.until(lambda: bar.count.text() == "not found")


def test_words_are_found_in_the_conversation_one_place_after_the_other(bench: Bench) -> None:
    bench.script.answer = lambda request: ("cloud, cloud and Cloud",)
    bench.ask("a cloud")
    bar = bench.page.find_bar

    bench.window.find_in_chat()
    QTest.keyClicks(bar.field, "cloud")
    bench.until(lambda: bar.count.text() == "4 of 4")
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "1 of 4"
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "4 of 4"
    bar.field.setText("nowhere")
    bench.until(lambda: bar.count.text() == "not found")
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)

    assert bar.isHidden()


def test_the_trash_gives_back_and_deletes_for_good_after_a_question(bench: Bench) -> None:
    for text in ("one", "two"):
        bench.chat.new()
        bench.ask(text)
        bench.chat.delete(bench.chat.conversation_id)  # type: ignore[arg-type]
    bench.window.desk.show_trash()
    dialog = bench.window.findChild(TrashDialog)
    assert dialog is not None

    dialog._list.setCurrentItem(dialog._list.findItems("one", Qt.MatchFlag.MatchExactly)[0])
    dialog._restore.click()
    assert titles(bench) == ["one"]
    dialog._empty.click()
    press(bench, "Delete for good")

    assert bench.chat.shelf.trash() == []
    assert dialog._list.isHidden()
    assert "30 days" in dialog._words.text()
    dialog.close()
    bench.settle()
    bench.chat.delete(row(bench, "one").key)  # with the dialog gone


def test_files_dropped_on_the_list_are_imported_and_can_be_taken_out_again(bench: Bench, tmp_path: Path) -> None:
    bench.ask("one")
    file = tmp_path / "saved.json"
    bench.chat.exchange.export([bench.chat.conversation_id], ExportChoice("json"), file)  # type: ignore[list-item]
    bench.until(file.exists)
    bench.until(lambda: not bench.chat.exchange.is_busy)
    bench.chat.delete(bench.chat.conversation_id)  # type: ignore[arg-type]
    bench.chat.erase([summary.id for summary in bench.chat.shelf.trash()])
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier

    bench.window.sidebar.chats.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, keys))
    bench.until(lambda: titles(bench) == ["one"])

    assert "imported from Ember" in bench.window.toast._label.text()
    bench.window.toast._press()
    assert titles(bench) == []


def test_an_export_asks_for_its_kind(bench: Bench, tmp_path: Path) -> None:
    bench.ask("one")
    bench.window.desk.export_current()
    dialog = bench.window.findChild(ExportDialog)
    assert dialog is not None
    next(each for each in dialog.findChildren(QRadioButton) if each.text() == "Web page").click()

    assert dialog.kind == "html"
    dialog._finish(dialog.kind, tmp_path / "one.html")
    bench.until((tmp_path / "one.html").exists)
    bench.until(lambda: "one.html" in bench.window.toast._label.text())


def test_a_temporary_chat_says_so_and_is_listed_apart(bench: Bench) -> None:
    bench.window.desk.new_temporary()
    assert bench.page.temporary.isVisible()
    bench.ask("secret")
    shown = rows_of([], [], bench.chat.temporary.summaries(), set())
    assert [each.text for each in shown if each.text] == titles(bench) == ["secret"]

    keep = bench.page.temporary.findChild(QPushButton)
    assert keep is not None
    keep.click()

    assert not bench.page.temporary.isVisible()
    assert [s.title for s in bench.chat.conversations()] == ["secret"]


def answered_and_refused(bench: Bench) -> sqlite3.Connection:
    """A window whose answer has ended, while the file refused its end; the file's connection."""
    gate = bench.script.gates["answer"] = threading.Event()
    bench.send("Hi")
    bench.until(lambda: bench.chat.path[-1].content)
    db = bench.session.store.database._db
    db.execute("PRAGMA query_only = ON")
    gate.set()
    bench.until(lambda: bench.chat.has_unwritten)
    return db


def test_closing_with_text_that_cannot_be_written_asks_first(bench: Bench) -> None:
    db = answered_and_refused(bench)

    assert not bench.window.close()
    press(bench, "Cancel")
    assert bench.window.isVisible()
    bench.window.close()
    db.execute("PRAGMA query_only = OFF")
    press(bench, "Try again")

    assert not bench.window.isVisible()
    assert not bench.chat.has_unwritten


def question_of(bench: Bench) -> QMessageBox | None:
    boxes = bench.window.findChildren(QMessageBox)
    return next((box for box in boxes if box.isVisible()), None)


def test_the_question_before_closing_goes_away_once_all_is_written_after_all(bench: Bench) -> None:
    db = answered_and_refused(bench)
    assert not bench.window.close()
    assert question_of(bench) is not None
    bench.settle()
    assert bench.window.isVisible()  # a look that finds nothing better changes nothing

    db.execute("PRAGMA query_only = OFF")

    bench.until(lambda: not bench.window.isVisible())
    assert question_of(bench) is None
    stored = bench.session.store.load(bench.chat.conversation_id or "").path()[-1]
    assert stored.content == bench.chat.path[-1].content != ""


def test_a_draft_that_was_refused_is_written_without_another_key(bench: Bench) -> None:
    db = bench.session.store.database._db
    db.execute("PRAGMA query_only = ON")
    bench.chat.keep_draft("half a thought")
    bench.until(lambda: bench.chat.store_error is not None)
    assert not bench.window.close()
    box = question_of(bench)
    assert box is not None
    next(each for each in box.buttons() if each.text() == "Cancel").click()

    db.execute("PRAGMA query_only = OFF")

    bench.until(lambda: bench.session.store.drafts() == {None: "half a thought"})
    assert bench.window.isVisible()
    assert bench.chat.store_error is None
