"""A start with conversations that cannot be had, and a disk that is full: nothing is lost, and a person chooses."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.chat.chats import open_chats
from app.chat.conversation import DONE
from app.window.chats import opening
from tests.app.chat_bench import ChatBench


def answers(monkeypatch: pytest.MonkeyPatch, *choices: str) -> list[str]:
    """What was asked about, in order; answered by `choices`."""
    asked: list[str] = []
    left = list(choices)
    monkeypatch.setattr(opening, "ask_about_store", lambda error: (asked.append(error.kind), left.pop(0))[1])
    return asked


def test_conversations_another_ember_has_open_are_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chats.sqlite3"
    first = open_chats(path)
    first.create("theirs")
    asked = answers(monkeypatch, "again", "memory")

    mine = opening.open_store(path)

    assert asked == ["in_use", "in_use"]
    assert mine is not None
    assert mine.database.path is None
    assert [s.title for s in first.conversations()] == ["theirs"]
    mine.database.close()
    first.database.close()
    again = opening.open_store(path)
    assert again is not None
    assert [s.title for s in again.conversations()] == ["theirs"]
    again.database.close()


def test_a_folder_that_cannot_be_made_is_asked_about_and_can_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    asked = answers(monkeypatch, "quit")

    assert opening.open_store(tmp_path / "data" / "chats.sqlite3") is None

    assert asked == ["unreadable"]
    assert (tmp_path / "data").read_text() == "a file where a folder should be"


def test_a_full_disk_costs_nothing_that_is_on_the_screen(chat_bench: ChatBench, qtbot: QtBot) -> None:
    chat_bench.ask("one")
    db = chat_bench.store.database._db
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    long = "word " * 20_000
    chat_bench.script.answer = lambda request: (long,)
    chat_bench.script.pause_s = 0.1
    assert chat_bench.chat.send("two")
    chat_bench.until(lambda: chat_bench.chat.is_answering_here)
    db.execute(f"PRAGMA max_page_count = {pages}")

    chat_bench.until(lambda: chat_bench.chat.answering is None)
    assert chat_bench.chat.store_error is not None
    assert "full" in chat_bench.chat.store_error.cause
    assert chat_bench.chat.path[-1].content == long
    assert chat_bench.chat.has_unwritten
    assert not chat_bench.chat.write_now()

    db.execute("PRAGMA max_page_count = 1073741823")
    chat_bench.until(lambda: not chat_bench.chat.has_unwritten)
    assert chat_bench.chat.store_error is None
    stored = chat_bench.store.load(chat_bench.chat.conversation_id or "").path()[-1]
    assert (stored.content, stored.status) == (long, DONE)
