"""A window over a file of conversations that cannot be written: all can be read and found, and it says what is lost."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.chat.chats import open_chats
from app.chat.store_errors import StoreError
from app.window.chats import opening
from app.window.error_card import ErrorCard
from tests.app.conftest import Bench
from tests.app.fake_engine import Script
from tests.app.protected_folder import protected_folder as protected_folder
from tests.app.protected_folder import write_protected
from tests.app.test_chats_desk import row, titles

MakeBench = Callable[..., Bench]


@pytest.fixture
def protected(make_bench: MakeBench, protected_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    path = protected_folder / "chats.sqlite3"
    chats = open_chats(path)
    for text in ("the zephyr blows", "another"):
        answer = chats.start_answer(chats.create(text).messages[0].id, "tiny")
        chats.finish_answer(answer.id, "Yes.")
    chats.database.close()
    monkeypatch.setattr(opening, "ask_about_store", lambda error: pytest.fail(f"asked about {error.kind}"))
    with write_protected(protected_folder):
        store = opening.open_store(path)
    assert store is not None
    return make_bench(Script(), store).start()


def actions_of_menu(bench: Bench) -> dict[str, bool]:
    bench.settle()
    menu = next(each for each in QApplication.topLevelWidgets() if isinstance(each, QMenu) and each.isVisible())
    found = {action.text().split("\t")[0]: action.isEnabled() for action in menu.actions() if action.text()}
    menu.close()
    return found


def test_old_conversations_are_shown_marked_and_found(protected: Bench) -> None:
    assert titles(protected) == ["another", "the zephyr blows"]
    (card,) = (c for c in protected.page.findChildren(ErrorCard) if c.isVisible())
    assert str(protected.chat.protected_file) in card.text.cause
    assert "is not saved" in card.text.cause
    assert "allow writing" in card.text.action
    model = protected.window.sidebar.chats.list.rows
    place = model.place_of(row(protected, "another").key)
    assert model.data(place, Qt.ItemDataRole.AccessibleTextRole) == "another, write-protected"
    assert not model.flags(place) & (Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDragEnabled)

    field = protected.window.sidebar.chats.field
    QTest.keyClicks(field, "zephyr")
    protected.until(lambda: protected.chat.search.hits and not protected.chat.search.is_running)
    protected.window.desk._open_hit(protected.chat.search.hits[0])
    assert [message.content for message in protected.chat.path] == ["the zephyr blows", "Yes."]


def test_they_are_neither_renamed_nor_deleted_and_can_be_exported(protected: Bench) -> None:
    desk, chats = protected.window.desk, protected.window.sidebar.chats
    desk._show_menu([row(protected, "another")], chats.list.mapToGlobal(chats.list.rect().center()))

    assert actions_of_menu(protected) == {"Export…": True, "Delete": False}
    desk.delete([row(protected, "another").key])
    protected.settle()
    assert titles(protected) == ["another", "the zephyr blows"]
    assert "write-protected" in protected.window.toast._label.text()
    chats.list.rename(row(protected, "another").key)
    assert chats.list.state() == chats.list.State.NoState


def test_one_goes_on_chatting_and_nothing_of_it_gets_into_the_file(protected: Bench, protected_folder: Path) -> None:
    protected.chat.open(row(protected, "another").key)
    protected.ask("more of it")
    protected.chat.new()
    protected.ask("a new one")
    desk, chats = protected.window.desk, protected.window.sidebar.chats
    desk._show_menu([row(protected, "a new one")], chats.list.mapToGlobal(chats.list.rect().center()))
    assert {"Rename", "Pin", "Delete"} <= {name for name, is_on in actions_of_menu(protected).items() if is_on}
    assert protected.chat.store_error is None
    assert protected.window.close()  # without a question: it was said before

    again = open_chats(protected_folder / "chats.sqlite3")
    assert [len(again.load(s.id).messages) for s in again.conversations()] == [2, 2]
    again.database.close()


def test_a_folder_without_conversations_that_cannot_be_written_is_asked_about(
    protected_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask(error: StoreError) -> str:
        asked.append(error.kind)
        return "memory"

    monkeypatch.setattr(opening, "ask_about_store", ask)
    with write_protected(protected_folder):
        store = opening.open_store(protected_folder / "chats.sqlite3")

    assert asked == ["read_only"]
    assert store is not None
    assert (store.database.path, store.database.copied_from) == (None, None)
    store.database.close()
