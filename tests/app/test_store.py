"""Nothing written is lost, and a database that cannot be used is explained and left alone."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED, STREAMING
from app.chat.store import MIGRATIONS, NEW_CONVERSATION, ConversationStore, StoreError, set_aside
from app.error_text import STORE_TEXTS, describe_store_error
from engine.errors import OutOfMemory
from engine.messages import GenerationStats
from engine.placement_reports import StepLoad

STATS = GenerationStats(12, 4, 0.5, 0.6, 30, 3.0, 2048)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "conversations.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[ConversationStore]:
    opened = ConversationStore(path)
    yield opened
    opened.close()


def reopened(store: ConversationStore) -> ConversationStore:
    store.close()
    return ConversationStore(store.path)


def test_a_conversation_is_read_back_as_it_was_written(store: ConversationStore) -> None:
    conversation = store.create("Title 题")
    question = store.add_message(conversation.id, None, "user", "Hi 😀\x00 <b>")
    answer = store.add_message(conversation.id, question.id, "assistant", "", status=STREAMING, model="tiny")
    conversation.add(question)
    conversation.add(answer)
    store.write_answer(conversation.update(answer.id, content="Hello", status=DONE, reason="stop", stats=STATS))

    again = reopened(store)

    assert again.load(conversation.id) == conversation
    assert [s.title for s in again.conversations()] == ["Title 题"]
    again.close()


def test_who_did_the_work_of_an_answer_is_read_back(store: ConversationStore) -> None:
    load = StepLoad(29, 3.0, 1.5, 2.5, 1.2, 0.1, 0.9, 10_000, 4_000, 300, 12)
    conversation = store.create("t")
    conversation.add(store.add_message(conversation.id, None, "assistant", "", status=STREAMING))
    done = conversation.update(
        conversation.path()[0].id, status=DONE, stats=replace(STATS, active=(0.1, 0.2), load=load)
    )
    store.write_answer(done)

    assert store.load(conversation.id).path()[0].stats == done.stats


def test_the_error_of_an_answer_is_read_back(store: ConversationStore) -> None:
    conversation = store.create("t")
    conversation.add(store.add_message(conversation.id, None, "assistant", "", status=STREAMING))
    report = OutOfMemory("the KV cache", 5, 3).report()
    failed = conversation.update(conversation.path()[0].id, status=ERROR, error=report)
    store.write_answer(failed)

    assert store.load(conversation.id).path()[0].error == report


def test_an_answer_cut_off_becomes_interrupted_at_the_next_start(store: ConversationStore) -> None:
    conversation = store.create("t")
    store.add_message(conversation.id, None, "assistant", "half an ans", status=STREAMING)
    other = store.create("u")
    store.add_message(other.id, None, "assistant", "whole", status=STOPPED)

    again = reopened(store)

    assert again.interrupted == (conversation.id,)
    assert again.load(conversation.id).path()[0].status == INTERRUPTED
    assert again.load(other.id).path()[0].status == STOPPED
    again.close()


def test_latest_conversation_comes_first_and_looking_does_not_count(store: ConversationStore) -> None:
    first, second = store.create("first"), store.create("second")
    message = store.add_message(first.id, None, "user", "x")
    store.add_message(second.id, None, "user", "x")
    store.show_leaf(first.id, message.id)

    assert [s.title for s in store.conversations()] == ["second", "first"]


def test_a_deleted_conversation_can_come_back_until_the_next_start(store: ConversationStore) -> None:
    kept, gone = store.create("kept"), store.create("gone")
    store.add_message(gone.id, None, "user", "secret-word")
    store.delete(kept.id)
    store.delete(gone.id)
    assert store.conversations() == []
    store.undelete(kept.id)

    again = reopened(store)

    assert [s.title for s in again.conversations()] == ["kept"]
    again.close()
    assert b"secret-word" not in again.path.read_bytes()


def test_drafts_are_kept_and_cleared(store: ConversationStore) -> None:
    store.save_draft(NEW_CONVERSATION, "half a thou")
    store.save_draft(5, "x")
    store.save_draft(5, "")

    again = reopened(store)

    assert again.drafts() == {NEW_CONVERSATION: "half a thou"}
    again.close()


def test_a_lone_surrogate_does_not_cost_the_text(store: ConversationStore) -> None:
    conversation = store.create("t")
    store.add_message(conversation.id, None, "user", "a\ud800b")

    assert store.load(conversation.id).path()[0].content == "a?b"


def test_figures_of_another_version_are_not_made_up(store: ConversationStore) -> None:
    conversation = store.create("t")
    message = store.add_message(conversation.id, None, "assistant", "x")
    store._db.execute("UPDATE messages SET stats = ?", ('{"reason": "stop", "stats": {"watts": 3}}',))

    read = store.load(conversation.id).messages[message.id]

    assert read.stats is None
    assert read.reason == "stop"


# Migrations


def test_a_migration_runs_after_a_copy_of_the_file(store: ConversationStore, path: Path) -> None:
    store.create("old")
    store.close()
    newer = (*MIGRATIONS, "ALTER TABLE conversations ADD COLUMN folder TEXT")

    again = ConversationStore(path, newer)
    again.rename(again.conversations()[0].id, "new")
    again.close()

    with sqlite3.connect(path.with_name("conversations.version-1.sqlite3")) as copy:
        assert copy.execute("SELECT title FROM conversations").fetchall() == [("old",)]
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
    copy.close()
    with pytest.raises(StoreError) as refused:
        ConversationStore(path)
    assert refused.value.kind == "newer"


def test_a_migration_that_fails_changes_nothing(store: ConversationStore, path: Path) -> None:
    store.create("old")
    store.close()

    with pytest.raises(StoreError):
        ConversationStore(path, (*MIGRATIONS, "ALTER TABLE conversations ADD COLUMN x; SELECT * FROM nowhere"))

    again = ConversationStore(path)
    assert [s.title for s in again.conversations()] == ["old"]
    again.close()


# Refusals


@pytest.mark.parametrize("content", [b"\x00" * 8192, b"this is not a database at all, it is text\n" * 100])
def test_a_foreign_file_is_explained_and_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    with pytest.raises(StoreError) as refused:
        ConversationStore(path)

    assert refused.value.kind == "corrupt"
    assert path.read_bytes() == content


def test_a_damaged_database_is_explained_and_can_be_set_aside(store: ConversationStore, path: Path) -> None:
    conversation = store.create("t")
    for number in range(200):
        store.add_message(conversation.id, None, "user", f"{number} " * 200)
    store.close()
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 4096 * 4)
    before = path.read_bytes()

    with pytest.raises(StoreError) as refused:
        ConversationStore(path)
    assert refused.value.kind == "corrupt"
    assert path.read_bytes() == before

    aside = set_aside(path)
    fresh = ConversationStore(path)
    assert fresh.conversations() == []
    fresh.close()
    assert aside.read_bytes() == before


def test_a_locked_database_is_explained(store: ConversationStore, path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("BEGIN EXCLUSIVE")

        with pytest.raises(StoreError) as refused:
            store.create("t")
    other.close()

    assert refused.value.kind == "locked"


def test_a_full_disk_is_explained_and_the_store_goes_on_afterwards(store: ConversationStore) -> None:
    conversation = store.create("t")
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreError) as refused:
        store.add_message(conversation.id, None, "user", "x" * 100_000)

    assert refused.value.kind == "full"
    store._db.execute("PRAGMA max_page_count = 1000000")
    store.add_message(conversation.id, None, "user", "x" * 100_000)
    assert len(store.load(conversation.id).path()) == 1


def test_a_write_protected_database_is_explained(store: ConversationStore) -> None:
    store._db.execute("PRAGMA query_only = ON")

    with pytest.raises(StoreError) as refused:
        store.create("t")

    assert refused.value.kind == "read_only"


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")

    with pytest.raises(StoreError) as refused:
        ConversationStore(tmp_path / "data" / "conversations.sqlite3")

    assert refused.value.kind == "unreadable"


def test_our_own_mistakes_are_not_called_the_databases(store: ConversationStore) -> None:
    with pytest.raises(sqlite3.Error):
        store.create(object())  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", sorted(STORE_TEXTS))
def test_every_refusal_has_words(kind: str) -> None:
    text = describe_store_error(StoreError(kind, "/data/c.sqlite3", "disk I/O error"))

    assert "/data/c.sqlite3" in text.cause
    assert "disk I/O error" in text.cause
    assert text.action


def test_without_a_path_nothing_touches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = ConversationStore(None)
    store.create("t")
    store.close()

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "facts", ["{", "[1]", "[[[", '"x"', '{"error": {}}', '{"error": [1], "stats": "x", "reason": 3}', '{"stats": [1]}']
)
def test_damaged_facts_of_an_answer_are_none(store: ConversationStore, facts: str) -> None:
    conversation = store.create("t", "hi")
    answer = store.add_message(conversation.id, conversation.leaf_id, "assistant", "Hello")
    store._db.execute("UPDATE messages SET stats = ? WHERE id = ?", (facts, answer.id))

    read = store.load(conversation.id).path()[-1]

    assert (read.content, read.stats, read.error, read.reason) == ("Hello", None, None, "")


def test_figures_that_are_no_numbers_are_none(store: ConversationStore) -> None:
    conversation = store.create("t", "hi")
    answer = store.add_message(conversation.id, conversation.leaf_id, "assistant", "Hello")
    store.write_answer(replace(answer, stats=STATS))
    store._db.execute("UPDATE messages SET stats = replace(stats, '2048', '\"many\"')")

    assert store.load(conversation.id).path()[-1].stats is None


@pytest.mark.parametrize("damaged", ["CAST(x'ff41' AS TEXT)", "x'ff41'"])
def test_text_that_is_no_utf_8_is_shown_as_far_as_it_goes(store: ConversationStore, damaged: str) -> None:
    conversation = store.create("t", "hi")
    store.save_draft(conversation.id, "draft")
    for table, column in (("conversations", "title"), ("messages", "content"), ("drafts", "content")):
        store._db.execute(f"UPDATE {table} SET {column} = {damaged}")

    read = store.load(conversation.id)

    assert (read.title, read.path()[0].content) == ("\ufffdA", "\ufffdA")
    assert [s.title for s in store.conversations()] == ["\ufffdA"]
    assert store.drafts() == {conversation.id: "\ufffdA"}


def test_a_message_that_is_its_own_parent_can_be_read(store: ConversationStore) -> None:
    conversation = store.create("t", "hi")
    store._db.execute("UPDATE messages SET parent_id = id")

    assert [m.content for m in store.load(conversation.id).path()] == ["hi"]
