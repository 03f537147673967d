"""The list of conversations, its folders and the trash: order, what is dragged where, and that thousands are quick."""

import time
from collections.abc import Iterator
from datetime import datetime

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot

from app.chat.chats import Chats, open_chats
from app.chat.database import Database
from app.chat.records import ConversationSummary, Folder
from app.window.chats.conversation_shelf import ConversationShelf
from app.window.chats.list_model import MIME_TYPE, ConversationListModel
from app.window.chats.list_rows import CHAT, FOLDER, HEADING, Row, rows_of
from app.window.chats.store_access import StoreAccess
from app.window.conversation_list import ConversationList

NOW = datetime(2026, 3, 10, 12, 0).timestamp()
DAY = 86_400.0


def chat(key: str, days: float = 0.0, *, folder: str | None = None, pinned: bool = False) -> ConversationSummary:
    return ConversationSummary(key, f"title {key}", folder_id=folder, is_pinned=pinned, updated=NOW - days * DAY)


def lines(rows: list[Row]) -> list[str]:
    marks = {HEADING: "#", FOLDER: "/", CHAT: ""}
    return [("  " if row.is_inside else "") + marks[row.kind] + row.key for row in rows]


@pytest.fixture
def shelf(qapp: object) -> Iterator[ConversationShelf]:
    chats = open_chats(None)
    yield ConversationShelf(chats, StoreAccess())
    chats.database.close()


def test_rows_stand_under_headings_and_in_folders() -> None:
    summaries = [
        chat("p", 40, pinned=True), chat("a"), chat("f1", 1, folder="F"), chat("b", 0.6), chat("c", 3), chat("d", 20),
        chat("e", 400), chat("lost", 500, folder="gone"),
    ]  # fmt: skip
    folders = [Folder("F", "Work"), Folder("G", "Empty")]

    rows = rows_of(summaries, folders, [chat("t")], {"F"}, NOW)

    assert lines(rows) == [
        "#temporary", "t", "#pinned", "p", "#folders", "/F", "  f1", "/G", "#today", "a", "#yesterday", "b", "#week",
        "c", "#month", "d", "#older", "e", "lost",
    ]  # fmt: skip
    assert lines(rows_of(summaries, folders, [], set(), NOW))[2:5] == ["#folders", "/F", "/G"]
    assert [row.n_inside for row in rows if row.kind == FOLDER] == [1, 0]


def test_a_conversation_is_dropped_on_a_folder_or_out_of_it(qapp: object) -> None:
    model = ConversationListModel()
    model.show(rows_of([chat("p", pinned=True), chat("a")], [Folder("F", "Work")], [], {"F"}, NOW), frozenset())
    moved: list[tuple[list[str], str | None]] = []
    model.moved.connect(lambda ids, to: moved.append((ids, to)))
    data = model.mimeData([model.place_of("a")])
    copy = Qt.DropAction.CopyAction

    places = {row.key: model.index(at) for at, row in enumerate(model.rows)}
    assert data.hasFormat(MIME_TYPE)
    assert [key for key, place in places.items() if model.canDropMimeData(data, copy, -1, 0, place)] == ["F", "today"]
    model.dropMimeData(data, copy, -1, 0, places["F"])
    model.dropMimeData(data, copy, -1, 0, places["today"])
    assert not model.dropMimeData(data, copy, -1, 0, QModelIndex())

    assert moved == [(["a"], "F"), (["a"], None)]


def test_only_changed_rows_are_laid_out_anew(qtbot: QtBot) -> None:
    view = ConversationList()
    qtbot.addWidget(view)
    resets: list[bool] = []
    view.rows.modelReset.connect(lambda: resets.append(True))
    rows = rows_of([chat("a"), chat("b")], [], [], set(), NOW)
    view.show_rows(rows, "a", frozenset())

    view.show_rows(rows, "b", frozenset({"a"}))

    assert len(resets) == 1
    assert [row.key for row in view.selected_rows()] == ["b"]
    view.show_rows(rows_of([chat("c"), chat("a"), chat("b")], [], [], set(), NOW), "b", frozenset())
    assert [row.key for row in view.selected_rows()] == ["b"]


def test_several_that_are_chosen_stay_so(qtbot: QtBot) -> None:
    view = ConversationList()
    qtbot.addWidget(view)
    summaries = [chat("a"), chat("b"), chat("c")]
    view.show_rows(rows_of(summaries, [], [], set(), NOW), "a", frozenset())
    for key in "bc":
        view.selectionModel().select(view.rows.place_of(key), view.selectionModel().SelectionFlag.Select)

    view.show_rows(rows_of(summaries[::-1], [], [], set(), NOW), "a", frozenset())

    assert {row.key for row in view.selected_rows()} == {"a", "b", "c"}


def test_ten_thousand_conversations_are_a_matter_of_moments(qtbot: QtBot) -> None:
    """Bounds far above what it takes, so that only another order of magnitude fails."""
    view = ConversationList()
    view.resize(240, 600)
    qtbot.addWidget(view)
    view.show()
    summaries = [chat(str(number), number / 50) for number in range(10_000)]

    started = time.thread_time()
    for current in ("5", "9000"):
        view.show_rows(rows_of(summaries, [], [], set(), NOW), current, frozenset({"7"}))
        view.grab()
    taken = time.thread_time() - started

    assert taken < 2.0
    assert view.rows.rowCount() > 10_000


# The shelf --------------------------------------------------------------------------------------------------------


def test_pins_come_first_and_the_latest_next(shelf: ConversationShelf) -> None:
    chats: Chats = shelf._chats
    ids = [chats.create(text).id for text in ("one", "two", "three")]
    shelf.read_again()

    shelf.pin(ids[0], is_pinned=True)

    assert [s.title for s in shelf.summaries()] == ["one", "three", "two"]
    assert [s.title for s in chats.conversations()] == ["one", "three", "two"]


def test_a_folder_that_goes_leaves_what_was_in_it(shelf: ConversationShelf) -> None:
    conversation_id = shelf._chats.create("one").id
    shelf.read_again()
    work = shelf.add_folder("  Work  ")
    assert work is not None
    assert (work.name, shelf.add_folder("   ")) == ("Work", None)
    shelf.move([conversation_id], work.id)
    shelf.rename_folder(work.id, "Office")
    shelf.toggle_folder(work.id)
    assert [f.name for f in shelf.folders] == ["Office"]
    assert shelf.open_folders == frozenset()
    again = ConversationShelf(shelf._chats, StoreAccess())
    assert again.open_folders == frozenset()

    assert shelf.delete_folder(work.id) == [conversation_id]

    assert [(s.id, s.folder_id) for s in shelf.summaries()] == [(conversation_id, None)]
    assert [(s.id, s.folder_id) for s in shelf._chats.conversations()] == [(conversation_id, None)]


def test_the_trash_gives_back_and_forgets(shelf: ConversationShelf) -> None:
    ids = [shelf._chats.create(text).id for text in ("one", "two")]
    shelf.read_again()
    for each in ids:
        assert shelf.throw_away(each)
    assert shelf.summaries() == []
    assert {s.id for s in shelf.trash()} == set(ids)

    assert shelf.bring_back(ids[0])
    assert shelf.erase([ids[1]]) == 0

    assert [s.id for s in shelf.summaries()] == [ids[0]]
    assert shelf.trash() == []


def test_what_is_still_answered_stays_in_the_trash(shelf: ConversationShelf) -> None:
    chats = shelf._chats
    conversation = chats.create("one")
    answer = chats.start_answer(conversation.path()[0].id, "tiny")
    shelf.read_again()
    shelf.throw_away(conversation.id)

    assert shelf.erase([conversation.id]) == 1
    chats.finish_answer(answer.id, "done")
    assert shelf.erase([conversation.id]) == 0


def test_a_refused_change_leaves_the_list_as_it_is(shelf: ConversationShelf) -> None:
    conversation_id = shelf._chats.create("one").id
    shelf.read_again()
    database: Database = shelf._chats.database
    database._db.execute("PRAGMA query_only = ON")

    shelf.rename(conversation_id, "other")
    assert not shelf.throw_away(conversation_id)

    assert [s.title for s in shelf.summaries()] == ["one"]
    assert shelf._access.error is not None
    assert "write-protected" in shelf._access.error.cause
