"""How answers of a conversation are made stays with it: stored, forked, adopted, exported, read from a damaged page."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.answer_settings import AnswerSettings
from app.chat.chats import Chats, open_chats
from app.chat.exports import to_json
from app.chat.imports import import_file
from app.chat.page_scan import _SHAPES
from app.chat.records import StoredConversation

OWN = AnswerSettings("Be 简短.\n", 0.2, 0.8, 9, 0.1, 1.3, 2**40, 64, ("\n\n", "User:"), "own:Mine")


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[Chats]:
    found = open_chats(tmp_path / "chats.sqlite3")
    yield found
    found.database.close()


def chosen(chats: Chats) -> StoredConversation:
    conversation = chats.create("What is 2+2?")
    chats.set_answers(conversation.id, OWN)
    return chats.load(conversation.id)


def test_they_are_stored_with_the_system_prompt_in_its_place(chats: Chats, tmp_path: Path):
    conversation = chosen(chats)
    assert (conversation.answers, conversation.system_prompt) == (OWN, OWN.system_prompt)
    chats.database.close()

    again = open_chats(tmp_path / "chats.sqlite3")
    assert again.load(conversation.id).answers == OWN
    again.set_answers(conversation.id, None)
    assert (again.load(conversation.id).answers, again.load(conversation.id).system_prompt) == (None, "")
    again.database.close()


def test_a_new_conversation_has_none(chats: Chats):
    assert chats.load(chats.create("Hello").id).answers is None


def test_a_fork_takes_them_along(chats: Chats):
    conversation = chosen(chats)

    assert chats.fork(conversation.messages[0].id).answers == OWN


def test_another_store_adopts_them(chats: Chats):
    other = open_chats(None)
    other.adopt(chosen(chats))

    assert [other.load(s.id).answers for s in other.conversations()] == [OWN]
    other.database.close()


def test_they_are_exported_and_come_back(chats: Chats, tmp_path: Path):
    file = tmp_path / "own.json"
    file.write_text(to_json([chosen(chats)], []), encoding="utf-8")
    other = open_chats(None)
    import_file(other, file)

    assert [other.load(s.id).answers for s in other.conversations()] == [OWN]
    other.database.close()


def test_damaged_ones_of_a_file_cost_themselves_alone(chats: Chats, tmp_path: Path):
    values = json.loads(to_json([chosen(chats)], []))
    values["conversations"][0]["answers"] = {"temperature": "hot", "stop": [""], "min_p": 0.3, "system_prompt": 4}
    file = tmp_path / "own.json"
    file.write_text(json.dumps(values), encoding="utf-8")
    other = open_chats(None)
    import_file(other, file)

    (found,) = [other.load(s.id) for s in other.conversations()]
    assert found.answers == AnswerSettings(OWN.system_prompt, min_p=0.3)
    other.database.close()


def test_the_columns_of_a_damaged_page_are_the_tables(chats: Chats):
    with chats.database.reading() as db:
        columns = tuple(row[1] for row in db.execute("PRAGMA table_info(conversations)"))

    assert _SHAPES["conversations"][1] == columns
