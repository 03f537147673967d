"""Searching all conversations beside the window: the latest query counts, pages follow, refusals are said."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.chat.chats import Chats, open_chats
from app.window.chats.conversation_search import PAGE, ConversationSearch


@pytest.fixture(params=["file", "memory"])
def chats(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Chats]:
    opened = open_chats(tmp_path / "chats.sqlite3" if request.param == "file" else None)
    yield opened
    opened.database.close()


@pytest.fixture
def search(chats: Chats, qtbot: QtBot) -> Iterator[ConversationSearch]:
    made = ConversationSearch(chats)
    yield made
    made.close()


def found(qtbot: QtBot, search: ConversationSearch, ask: Callable[[], None]) -> list[str]:
    ask()
    qtbot.waitUntil(lambda: not search.is_running, timeout=10_000)
    return [hit.snippet for hit in search.hits]


def test_hits_come_and_what_is_written_later_is_found_as_well(
    chats: Chats, search: ConversationSearch, qtbot: QtBot
) -> None:
    chats.create("a question about hot neurons", title="one")
    assert found(qtbot, search, lambda: search.look_for("neurons")) == ["a question about hot neurons"]

    chats.create("冷神经元 and neurons", title="two")

    assert found(qtbot, search, lambda: search.look_for("神经")) == ["冷神经元 and neurons"]
    assert len(found(qtbot, search, lambda: search.look_for("neurons"))) == 2
    assert found(qtbot, search, lambda: search.look_for("  ")) == []


def test_only_the_latest_query_counts(chats: Chats, search: ConversationSearch, qtbot: QtBot) -> None:
    for word in ("alpha", "beta"):
        chats.create(f"{word} text", title=word)

    def hurry() -> None:
        for query in ("alpha", "beta", "alp", "beta text"):
            search.look_for(query)

    assert found(qtbot, search, hurry) == ["beta text"]
    assert search.query == "beta text"


def test_pages_follow_one_another(chats: Chats, search: ConversationSearch, qtbot: QtBot) -> None:
    for number in range(PAGE + 5):
        chats.create(f"needle {number}", title="t")
    found(qtbot, search, lambda: search.look_for("needle"))
    assert (len(search.hits), search.has_more) == (PAGE, True)

    found(qtbot, search, search.look_further)

    assert (len({hit.message_id for hit in search.hits}), search.has_more) == (PAGE + 5, False)


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path, qtbot: QtBot) -> None:
    chats = open_chats(tmp_path / "chats.sqlite3")
    chats.create("one")
    search = ConversationSearch(chats)
    chats.database.close()
    (tmp_path / "chats.sqlite3").unlink()

    assert found(qtbot, search, lambda: search.look_for("one")) == []

    assert search.error is not None
    search.close()
