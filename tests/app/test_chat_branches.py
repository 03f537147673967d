"""Editing, continuing, forking, deleting versions, temporary chats: what they mean for tree, prompt and disk."""

import threading
from collections.abc import Callable

import pytest

from app.chat.chats import open_chats
from app.chat.conversation import DONE, INTERRUPTED, STOPPED
from app.chat.records import StoredMessage
from engine.messages import ChatMessage, Generate
from tests.app.chat_bench import ChatBench
from tests.app.fake_engine import Script

MakeBench = Callable[..., ChatBench]


@pytest.fixture
def bench(chat_bench: ChatBench) -> ChatBench:
    return chat_bench


def last(bench: ChatBench) -> StoredMessage:
    return bench.chat.path[-1]


def hold(bench: ChatBench, gate: str) -> threading.Event:
    event = bench.script.gates[gate] = threading.Event()
    return event


def texts(bench: ChatBench) -> list[str]:
    return [message.content for message in bench.chat.path]


def settled(bench: ChatBench) -> None:
    bench.until(lambda: bench.chat.answering is None and not bench.chat.is_waiting_here)


def stored(bench: ChatBench) -> list[str]:
    """The path as the file has it."""
    conversation_id = bench.chat.conversation_id
    assert conversation_id is not None
    return [m.content for m in bench.store.load(conversation_id).path()]


def stopped_answer(bench: ChatBench, text: str = "Hi") -> str:
    """An answer that was stopped behind its third piece; its id."""
    hold(bench, "answer")
    bench.chat.send(text)
    bench.until(lambda: last(bench).content == "Hello, world.")
    bench.chat.stop()
    settled(bench)
    bench.script.gates.clear()
    return last(bench).id


def test_an_edit_is_a_branch_and_the_old_one_keeps_what_followed(bench: ChatBench) -> None:
    bench.ask("one")
    bench.ask("two")
    first = bench.chat.path[0].id

    assert bench.chat.edit(first, "other")
    settled(bench)

    assert texts(bench) == stored(bench) == ["other", "Hello, world."]
    assert bench.engine.asked(Generate)[-1].messages == (ChatMessage("user", "other"),)  # type: ignore[attr-defined]
    assert [m.content for m in bench.chat.versions(bench.chat.path[0])] == ["one", "other"]
    bench.chat.branches.show(first)
    assert texts(bench) == stored(bench) == ["one", "Hello, world.", "two", "Hello, world."]


def test_an_earlier_answer_is_given_again_where_it_stands(bench: ChatBench) -> None:
    bench.ask("one")
    bench.ask("two")
    bench.script.answer = lambda request: ("Again",)

    bench.chat.regenerate(bench.chat.path[1].id)
    settled(bench)

    assert texts(bench) == stored(bench) == ["one", "Again"]
    bench.chat.branches.show(bench.chat.versions(last(bench))[0].id)
    assert texts(bench) == ["one", "Hello, world.", "two", "Hello, world."]


def test_a_stopped_answer_goes_on_where_it_ended(bench: ChatBench) -> None:
    answer_id = stopped_answer(bench)
    assert last(bench).status == STOPPED
    bench.script.answer = lambda request: (" And", " more.")

    bench.chat.continue_answer(answer_id)
    settled(bench)

    assert texts(bench) == stored(bench) == ["Hi", "Hello, world. And more."]
    assert (last(bench).id, last(bench).status) == (answer_id, DONE)
    asked = bench.engine.asked(Generate)[-1].messages  # type: ignore[attr-defined]
    assert asked == (ChatMessage("user", "Hi"), ChatMessage("assistant", "Hello, world."))


def test_a_whole_answer_is_not_continued(bench: ChatBench) -> None:
    bench.ask("Hi")

    bench.chat.continue_answer(last(bench).id)

    assert len(bench.engine.asked(Generate)) == 1
    assert not bench.chat.can_continue(last(bench))


def test_an_answer_cut_by_its_limit_can_go_on(bench: ChatBench) -> None:
    bench.script.reason = "length"
    bench.ask("Hi")

    assert bench.chat.can_continue(last(bench))


def test_a_continued_answer_that_dies_keeps_all_of_its_text(bench: ChatBench) -> None:
    answer_id = stopped_answer(bench)
    hold(bench, "answer")
    bench.script.answer = lambda request: (" More",)
    bench.chat.continue_answer(answer_id)
    bench.until(lambda: last(bench).content.endswith("More"))

    bench.engine.die()
    bench.until(lambda: bench.chat.answering is None)

    assert stored(bench)[-1] == "Hello, world. More"
    assert last(bench).status == INTERRUPTED


def test_deleting_a_version_can_be_undone(bench: ChatBench) -> None:
    bench.ask("one")
    bench.ask("two")
    answer = bench.chat.path[1].id
    bench.chat.regenerate(answer)
    settled(bench)
    bench.chat.branches.show(answer)
    whole = texts(bench)
    deleted: list[object] = []
    bench.chat.branches.deleted.connect(deleted.append)

    bench.chat.branches.delete(answer)

    assert texts(bench) == stored(bench) == ["one", "Hello, world."]
    assert len(bench.chat.versions(last(bench))) == 1
    bench.chat.branches.restore(deleted[0])  # type: ignore[arg-type]
    assert texts(bench) == stored(bench) == whole
    assert bench.chat.versions(bench.chat.path[1])[0].id == answer


def test_a_fork_goes_on_by_itself(bench: ChatBench) -> None:
    bench.ask("one")
    bench.ask("two")
    origin = bench.chat.conversation_id

    bench.chat.branches.fork(bench.chat.path[1].id)
    bench.ask("three")

    assert bench.chat.conversation_id != origin
    assert texts(bench) == stored(bench) == ["one", "Hello, world.", "three", "Hello, world."]
    bench.chat.open(origin)  # type: ignore[arg-type]
    assert texts(bench) == ["one", "Hello, world.", "two", "Hello, world."]


def test_nothing_changes_the_tree_while_it_is_answered(bench: ChatBench) -> None:
    bench.ask("one")
    gate = hold(bench, "answer")
    bench.chat.send("two")
    bench.until(lambda: bench.chat.is_answering_here)
    first = bench.chat.path[0].id

    assert not bench.chat.edit(first, "other")
    bench.chat.branches.delete(first)
    bench.chat.regenerate(first)

    assert texts(bench)[0] == "one"
    assert len(bench.engine.asked(Generate)) == 2
    gate.set()
    settled(bench)


def test_a_temporary_chat_leaves_nothing_on_the_disk(bench: ChatBench) -> None:
    bench.chat.new(is_temporary=True)
    assert bench.chat.is_temporary_here
    bench.chat.keep_draft("a secret draft")
    bench.ask("a secret question")
    temporary = bench.chat.conversation_id
    bench.chat.new()
    bench.ask("an ordinary question")

    assert [s.title for s in bench.chat.conversations()] == ["an ordinary question"]
    bench.chat.open(temporary)  # type: ignore[arg-type]
    assert texts(bench) == ["a secret question", "Hello, world."]
    bench.close()
    for file in bench.paths.data.rglob("*"):
        assert not file.is_file() or b"secret" not in file.read_bytes(), file


def test_a_temporary_chat_can_be_kept_and_a_deleted_one_comes_back(bench: ChatBench) -> None:
    bench.chat.new(is_temporary=True)
    bench.ask("after all")
    temporary = bench.chat.conversation_id
    assert temporary is not None
    bench.chat.delete(temporary)
    assert bench.chat.temporary.summaries() == []
    bench.chat.undelete(temporary)
    assert bench.chat.is_temporary_here

    bench.chat.keep_temporary()

    assert not bench.chat.is_temporary_here
    assert [s.title for s in bench.chat.conversations()] == ["after all"]
    assert bench.chat.temporary.summaries() == []
    bench.ask("and on")
    assert stored(bench) == ["after all", "Hello, world.", "and on", "Hello, world."]


def test_what_a_full_disk_kept_back_is_written_before_the_tree_changes(bench: ChatBench) -> None:
    gate = hold(bench, "answer")
    bench.chat.send("Hi")
    bench.until(lambda: last(bench).content)
    db = bench.store.database._db
    db.execute("PRAGMA query_only = ON")
    gate.set()
    settled(bench)
    assert bench.chat.has_unwritten

    bench.chat.branches.fork(last(bench).id)
    assert len(bench.chat.conversations()) == 1  # refused, and the text is still there
    assert texts(bench) == ["Hi", "Hello, world."]

    db.execute("PRAGMA query_only = OFF")
    bench.chat.branches.fork(last(bench).id)
    assert not bench.chat.has_unwritten
    assert stored(bench) == ["Hi", "Hello, world."]


def test_an_answer_of_the_last_run_can_be_continued_at_the_next(make_chat_bench: MakeBench, bench: ChatBench) -> None:
    bench.close()
    chats = open_chats(bench.paths.conversations)
    answer = chats.start_answer(chats.create("question").path()[0].id, "tiny")
    chats.grow_answer(answer.id, "half an")
    chats.database.close()
    again = make_chat_bench(Script(answer=lambda request: (" answer.",)))

    assert again.chat.can_continue(last(again))
    again.chat.continue_answer(last(again).id)
    settled(again)

    assert stored(again) == ["question", "half an answer."]


@pytest.mark.parametrize("gone", ["chat", "message"])
def test_what_is_gone_is_said_and_not_a_failure(bench: ChatBench, gone: str) -> None:
    missed: list[bool] = []
    bench.chat.access.missed.connect(lambda: missed.append(True))
    bench.ask("Hi")
    conversation_id = bench.chat.conversation_id
    assert conversation_id is not None
    if gone == "chat":
        bench.chat.delete(conversation_id)
        bench.chat.erase([conversation_id])
        bench.chat.open(conversation_id)
        assert bench.chat.conversation is None
    else:
        bench.store.delete_version(last(bench).id)
        bench.chat.branches.fork(last(bench).id)

    assert missed
