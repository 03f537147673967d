"""Several versions of an answer written at once: the tree, the disk, flipping, stopping, and what goes wrong."""

import sqlite3
import threading

import pytest

from app.chat.chats import open_chats
from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED, STREAMING
from app.chat.records import StoredMessage
from app.chat.several_answers import is_without_chance, samplings_of
from engine.errors import OutOfMemory
from engine.messages import Cancel, ChatMessage, Generate, GenerateVariants, SamplingParams
from tests.app.chat_bench import ChatBench

WHOLE = ["Version 0 of it.", "Version 1 of it.", "Version 2 of it."]


@pytest.fixture
def bench(chat_bench: ChatBench) -> ChatBench:
    chat_bench.ask("Hi")
    return chat_bench


def versions(bench: ChatBench) -> list[StoredMessage]:
    return bench.chat.versions(bench.chat.path[-1])


def texts(bench: ChatBench) -> list[str]:
    return [message.content for message in versions(bench)]


def statuses(bench: ChatBench) -> list[str]:
    return [message.status for message in versions(bench)]


def stored(bench: ChatBench) -> list[tuple[str, str]]:
    conversation_id = bench.chat.conversation_id
    assert conversation_id is not None
    conversation = bench.store.load(conversation_id)
    return [(m.content, m.status) for m in conversation.versions(conversation.path()[-1].id)]


def settled(bench: ChatBench) -> None:
    bench.until(lambda: not bench.chat.is_busy_here)


def running(bench: ChatBench) -> threading.Event:
    """Three more versions of which nothing is missing but their ends; what lets them end."""
    gate = bench.script.gates["answer"] = threading.Event()
    bench.chat.regenerate(n_versions=3)
    bench.until(lambda: texts(bench)[1:] == WHOLE)
    return gate


def test_versions_are_written_at_once_beside_the_one_there(bench: ChatBench) -> None:
    bench.chat.regenerate(n_versions=3)
    settled(bench)

    assert texts(bench) == ["Hello, world.", *WHOLE]
    assert stored(bench) == [(text, DONE) for text in texts(bench)]
    assert bench.chat.path[-1].content == WHOLE[0]
    (request,) = bench.engine.asked(GenerateVariants)
    assert isinstance(request, GenerateVariants)
    assert request.messages == (ChatMessage("user", "Hi"),)
    assert len(bench.engine.asked(Generate)) == 1


def test_each_has_figures_and_a_seed_of_its_own(bench: ChatBench) -> None:
    bench.script.variants = lambda request: [["a", "b", "c"], ["a"], ["a", "b"]]

    bench.chat.regenerate(n_versions=3)
    settled(bench)

    stats = [message.stats for message in versions(bench)[1:]]
    assert [each.generated_tokens for each in stats if each] == [3, 1, 2]
    assert [each.seed for each in stats if each] == [1000, 1001, 1002]


def test_a_chosen_seed_makes_versions_that_differ_from_those_there(bench: ChatBench) -> None:
    bench.settings.update(seed=7)

    for _ in range(2):
        bench.chat.regenerate(n_versions=3)
        settled(bench)

    seeds = [message.stats.seed for message in versions(bench)[1:] if message.stats]
    chosen = [message.facts.sampling.seed for message in versions(bench)[1:] if message.facts.sampling]
    assert seeds == chosen == [7, 8, 9, 10, 11, 12]


def test_where_chance_has_no_part_one_version_is_written(bench: ChatBench) -> None:
    bench.settings.update(temperature=0.0)

    bench.chat.regenerate(n_versions=3)
    settled(bench)

    assert len(versions(bench)) == 2
    assert bench.engine.asked(GenerateVariants) == []


def test_chance_and_seeds() -> None:
    assert is_without_chance(SamplingParams(temperature=0.0))
    assert is_without_chance(SamplingParams(top_k=1))
    assert not is_without_chance(SamplingParams())
    last = 2**63 - 1
    assert [each.seed for each in samplings_of(SamplingParams(seed=last), 3, {None, 0})] == [last, 1, 2]
    assert [each.seed for each in samplings_of(SamplingParams(), 2)] == [None, None]


def test_versions_can_be_looked_at_while_they_are_written(bench: ChatBench) -> None:
    gate = running(bench)
    first, second = versions(bench)[0], versions(bench)[2]

    bench.chat.branches.show(second.id)
    assert bench.chat.path[-1].id == second.id
    bench.chat.branches.step(-1)
    bench.chat.branches.step(-1)
    bench.chat.branches.step(-1)
    assert bench.chat.path[-1].id == first.id
    bench.chat.branches.step(1)
    bench.chat.branches.step(1)
    gate.set()
    settled(bench)

    assert bench.chat.path[-1].id == second.id
    assert stored(bench)[1:] == [(text, DONE) for text in WHOLE]
    assert bench.store.load(second.conversation_id).path()[-1].id == second.id


def test_nothing_else_of_the_tree_changes_meanwhile(bench: ChatBench) -> None:
    bench.chat.edit(bench.chat.path[0].id, "Hello")
    settled(bench)
    gate = running(bench)
    question, other = bench.chat.path[0], bench.chat.versions(bench.chat.path[0])[0]

    bench.chat.branches.show(other.id)
    bench.chat.branches.delete(versions(bench)[2].id)
    bench.chat.branches.delete(versions(bench)[0].id)
    bench.chat.regenerate(n_versions=3)

    assert bench.chat.path[0].id == question.id
    assert len(versions(bench)) == 4
    gate.set()
    settled(bench)
    bench.chat.branches.delete(versions(bench)[2].id)
    assert texts(bench) == ["Hello, world.", WHOLE[0], WHOLE[2]]


def test_one_that_ends_early_is_done_while_the_others_go_on(bench: ChatBench) -> None:
    bench.script.variants = lambda request: [["a", "b", "c"], ["short"], ["a", "b", "c"]]
    gate = bench.script.gates["answer"] = threading.Event()
    ended: list[StoredMessage] = []
    bench.chat.answer_ended.connect(ended.append)

    bench.chat.regenerate(n_versions=3)
    bench.until(lambda: texts(bench)[3] == "abc")

    assert statuses(bench)[1:] == [STREAMING, DONE, STREAMING]
    assert stored(bench)[2] == ("short", DONE)
    assert bench.chat.is_answering_here
    assert ended == []
    gate.set()
    settled(bench)
    assert statuses(bench)[1:] == [DONE] * 3
    assert [message.content for message in ended] == ["abc"]


def test_a_stop_stops_all_and_keeps_what_is_there(bench: ChatBench) -> None:
    running(bench)
    bench.chat.branches.show(versions(bench)[3].id)

    bench.chat.stop()
    settled(bench)

    assert stored(bench)[1:] == [(text, STOPPED) for text in WHOLE]
    assert len(bench.engine.asked(Cancel)) == 1


def test_what_the_engine_refuses_is_told_on_every_version_that_has_not_ended(bench: ChatBench) -> None:
    error = OutOfMemory("answers", 10_000_000_000, 1_000_000_000).report()
    bench.script.variants = lambda request: [["done"], ["half", " of"], ["half", " of"]]
    bench.script.answer_error = error

    bench.chat.regenerate(n_versions=3)
    settled(bench)

    assert stored(bench)[1:] == [("done", DONE), ("half of", ERROR), ("half of", ERROR)]
    assert [message.error for message in versions(bench)[1:]] == [None, error, error]


def test_the_death_of_the_engine_leaves_all_interrupted_and_one_goes_on(bench: ChatBench) -> None:
    running(bench)

    bench.engine.die()
    settled(bench)

    assert stored(bench)[1:] == [(text, INTERRUPTED) for text in WHOLE]
    bench.script.gates.clear()
    bench.script.answer = lambda request: (" And on.",)
    bench.models.start()
    bench.until(lambda: bench.models.state == "ready")
    bench.chat.continue_last()
    settled(bench)
    assert texts(bench)[1] == WHOLE[0] + " And on."


def test_closing_meanwhile_keeps_all_of_them(bench: ChatBench) -> None:
    running(bench)

    bench.close()

    chats = open_chats(bench.paths.conversations)
    (summary,) = chats.conversations()
    conversation = chats.load(summary.id)
    kept = conversation.versions(conversation.path()[-1].id)
    assert [(m.content, m.status) for m in kept[1:]] == [(text, INTERRUPTED) for text in WHOLE]
    chats.database.close()


def test_they_are_on_the_disk_before_they_end(bench: ChatBench) -> None:
    gate = running(bench)

    bench.until(lambda: _after_a_kill(bench) == [(text, INTERRUPTED) for text in WHOLE])

    gate.set()
    settled(bench)


def _after_a_kill(bench: ChatBench) -> list[tuple[str, str]]:
    """What another process would find of the versions, were this one killed now."""
    copy = bench.paths.data / "copy.db"
    for old in bench.paths.data.glob("copy.db*"):
        old.unlink()
    target = sqlite3.connect(copy)
    bench.store.database._db.backup(target)
    target.close()
    chats = open_chats(copy)
    conversation = chats.load(chats.conversations()[0].id)
    chats.database.close()
    return [(m.content, m.status) for m in conversation.versions(conversation.path()[-1].id)[1:]]


def test_a_disk_that_refuses_them_begins_none_and_keeps_the_answer_there(bench: ChatBench) -> None:
    db = bench.store.database._db
    db.execute("PRAGMA query_only = ON")

    bench.chat.regenerate(n_versions=3)

    assert bench.chat.store_error is not None
    assert texts(bench) == ["Hello, world."]
    assert bench.engine.asked(GenerateVariants) == []
    db.execute("PRAGMA query_only = OFF")


def test_a_deleted_conversation_stops_them(bench: ChatBench) -> None:
    running(bench)
    conversation_id = bench.chat.conversation_id
    assert conversation_id is not None

    bench.chat.delete(conversation_id)
    bench.until(lambda: bench.chat.answering is None)
    bench.chat.undelete(conversation_id)

    assert stored(bench)[1:] == [(text, STOPPED) for text in WHOLE]


def test_a_temporary_chat_has_versions_too(bench: ChatBench) -> None:
    bench.chat.new(is_temporary=True)
    bench.ask("secret")

    bench.chat.regenerate(n_versions=3)
    settled(bench)

    assert texts(bench)[1:] == WHOLE
