"""What sending, stopping, answering again, deleting and a dying engine mean for conversations and for the disk."""

import sqlite3
import threading
import time
from collections.abc import Callable

from app.chat.chats import open_chats
from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED, STREAMING
from app.chat.records import StoredMessage
from engine.errors import ContextFull
from engine.messages import Cancel, ChatMessage, Generate
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER, Script

MakeBench = Callable[[Script], Bench]


def on_disk(bench: Bench) -> list[tuple[str, str, str]]:
    with sqlite3.connect(bench.paths.conversations) as db:
        rows = db.execute(
            "SELECT role, content || ifnull((SELECT group_concat(content, '') FROM (SELECT content FROM pieces"
            " WHERE message_id = messages.id ORDER BY number)), ''), status FROM messages ORDER BY row"
        ).fetchall()
    db.close()
    return rows


def prompts(bench: Bench) -> list[tuple[ChatMessage, ...]]:
    return [request.messages for request in bench.engine.asked(Generate)]  # type: ignore[union-attr]


def last(bench: Bench) -> StoredMessage:
    return bench.chat.path[-1]


def hold(bench: Bench, gate: str) -> threading.Event:
    event = bench.script.gates[gate] = threading.Event()
    return event


def test_a_message_is_answered_and_both_are_on_disk(bench: Bench) -> None:
    assert bench.ask("Hi there") == "Hello, world."

    assert on_disk(bench) == [("user", "Hi there", DONE), ("assistant", "Hello, world.", DONE)]
    assert [s.title for s in bench.chat.conversations()] == ["Hi there"]
    assert last(bench).stats is not None
    assert last(bench).model == "Starter 135M"


def test_the_message_is_on_disk_before_the_engine_says_anything(bench: Bench) -> None:
    hold(bench, "prompt")

    bench.chat.send("Hi")

    assert on_disk(bench) == [("user", "Hi", DONE), ("assistant", "", STREAMING)]


def test_a_growing_answer_is_written_at_least_once_a_second(bench: Bench) -> None:
    hold(bench, "answer")
    bench.chat.send("Hi")
    bench.until(lambda: last(bench).content == "Hello, world.")

    bench.until(lambda: on_disk(bench)[-1][1] == "Hello, world.", timeout=1000)
    assert on_disk(bench)[-1][2] == STREAMING


def test_the_model_reads_the_conversation_the_system_prompt_and_the_settings(bench: Bench) -> None:
    bench.session.settings.update(system_prompt="Be kind.", temperature=0.0, seed=5)
    bench.ask("one")
    bench.ask("two")

    assert prompts(bench)[-1] == (
        ChatMessage("system", "Be kind."),
        ChatMessage("user", "one"),
        ChatMessage("assistant", "Hello, world."),
        ChatMessage("user", "two"),
    )
    sampling = bench.engine.asked(Generate)[-1].sampling  # type: ignore[union-attr]
    assert (sampling.temperature, sampling.seed) == (0.0, 5)


def test_a_message_sent_while_the_model_loads_waits_and_is_answered(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = make_bench(Script(gates={"load": gate})).start(until_ready=False)

    assert bench.chat.send("early")
    assert bench.chat.is_waiting_here
    assert on_disk(bench) == [("user", "early", DONE)]
    gate.set()

    bench.until(lambda: last(bench).status == DONE and last(bench).role == "assistant")
    assert not bench.chat.is_waiting_here


def test_stopping_keeps_what_there_is(bench: Bench) -> None:
    hold(bench, "answer")
    bench.chat.send("Hi")
    bench.until(lambda: last(bench).content)

    bench.chat.stop()

    bench.until(lambda: bench.chat.answering is None)
    assert last(bench).status == STOPPED
    assert on_disk(bench)[-1] == ("assistant", "Hello, world.", STOPPED)


def test_stopping_before_the_first_word_leaves_an_empty_stopped_answer(bench: Bench) -> None:
    hold(bench, "prompt")
    bench.chat.send("Hi")
    bench.chat.stop()

    bench.until(lambda: bench.chat.answering is None)
    assert (last(bench).status, last(bench).content) == (STOPPED, "")


def test_stopping_a_waiting_message_takes_it_out_of_the_queue(make_bench: MakeBench) -> None:
    bench = make_bench(Script(gates={"load": threading.Event()})).start(until_ready=False)
    bench.chat.send("early")

    bench.chat.stop()

    assert not bench.chat.is_waiting_here
    assert [m.role for m in bench.chat.path] == ["user"]
    assert bench.engine.asked(Generate) == []


def test_answering_again_keeps_the_first_answer_as_a_version(bench: Bench) -> None:
    bench.ask("Hi")
    bench.script.answer = lambda request: ("Second",)
    bench.chat.regenerate()
    bench.until(lambda: last(bench).content == "Second" and last(bench).status == DONE)

    assert [m.content for m in bench.chat.versions(last(bench))] == ["Hello, world.", "Second"]
    bench.chat.branches.show(bench.chat.versions(last(bench))[0].id)
    assert last(bench).content == "Hello, world."
    bench.chat.new()
    bench.chat.open(bench.chat.conversations()[0].id)
    assert last(bench).content == "Hello, world."


def test_one_answer_at_a_time_and_the_others_wait_in_order(bench: Bench) -> None:
    gate = hold(bench, "answer")
    bench.chat.send("first")
    bench.chat.new()
    bench.chat.send("second")
    bench.chat.new()
    bench.chat.send("third")
    assert bench.chat.is_waiting_here
    gate.set()

    bench.until(lambda: bench.chat.answering is None and len(on_disk(bench)) == 6)
    assert [p[-1].content for p in prompts(bench)] == ["first", "second", "third"]
    assert all(status == DONE for _, _, status in on_disk(bench))


def test_looking_elsewhere_does_not_disturb_an_answer(bench: Bench) -> None:
    gate = hold(bench, "answer")
    bench.chat.send("first")
    first = bench.chat.conversation_id
    bench.chat.new()
    assert bench.chat.is_busy(first)
    gate.set()
    bench.until(lambda: bench.chat.answering is None)

    bench.chat.open(first)

    assert last(bench).content == "Hello, world."


def test_coming_back_while_it_is_answered_shows_the_growing_answer(bench: Bench) -> None:
    gate = hold(bench, "answer")
    bench.chat.send("first")
    first = bench.chat.conversation_id
    bench.chat.new()
    bench.until(lambda: bench.chat.answering.conversation.path()[-1].content)

    bench.chat.open(first)

    assert bench.chat.is_answering_here
    assert last(bench).content == "Hello, world."
    gate.set()
    bench.until(lambda: bench.chat.answering is None)


def test_a_failed_answer_keeps_its_reason(bench: Bench) -> None:
    bench.script.answer_error = ContextFull(9000, 8192).report()
    bench.ask("Hi")

    assert last(bench).status == ERROR
    bench.chat.new()
    bench.chat.open(bench.chat.conversations()[0].id)
    assert last(bench).error == bench.script.answer_error


def test_a_dying_engine_leaves_the_partial_answer(bench: Bench) -> None:
    hold(bench, "answer")
    bench.chat.send("Hi")
    bench.until(lambda: last(bench).content)
    bench.engine.die()

    bench.until(lambda: bench.chat.answering is None)
    assert on_disk(bench)[-1] == ("assistant", "Hello, world.", INTERRUPTED)


def test_messages_that_waited_are_answered_after_a_restart(bench: Bench) -> None:
    hold(bench, "answer")
    bench.chat.send("first")
    bench.chat.new()
    bench.chat.send("second")
    bench.engine.die()
    bench.until(lambda: bench.models.state == "stopped")
    bench.script.gates.clear()

    bench.models.start()

    bench.until(lambda: last(bench).role == "assistant" and last(bench).status == DONE)
    assert prompts(bench) == [(ChatMessage("user", "second"),)]


def test_deleting_can_be_undone(bench: Bench) -> None:
    bench.ask("Hi")
    conversation_id = bench.chat.conversation_id

    bench.chat.delete(conversation_id)
    assert bench.chat.conversations() == []
    assert bench.chat.conversation is None
    bench.chat.undelete(conversation_id)

    assert bench.chat.conversation_id == conversation_id
    assert last(bench).content == "Hello, world."


def test_deleting_a_conversation_stops_its_answer(bench: Bench) -> None:
    hold(bench, "answer")
    bench.chat.send("Hi")

    bench.chat.delete(bench.chat.conversation_id)

    assert len(bench.engine.asked(Cancel)) == 1
    bench.until(lambda: bench.chat.answering is None)


def test_renaming_changes_the_list_and_refuses_an_empty_name(bench: Bench) -> None:
    bench.ask("Hi")
    bench.chat.rename(bench.chat.conversation_id, "  A better\nname ")
    bench.chat.rename(bench.chat.conversation_id, "   ")

    assert [s.title for s in bench.chat.conversations()] == ["A better name"]


def test_drafts_belong_to_their_conversation_and_survive(make_bench: MakeBench, bench: Bench) -> None:
    bench.ask("Hi")
    first = bench.chat.conversation_id
    bench.chat.keep_draft("half a thou")
    bench.chat.new()
    bench.chat.keep_draft("another")
    bench.close()

    again = make_bench(Script())

    assert again.chat.draft == "another"
    again.chat.open(first)
    assert again.chat.draft == "half a thou"


def test_sending_clears_the_draft(bench: Bench) -> None:
    bench.chat.keep_draft("Hi")
    bench.ask("Hi")

    assert bench.chat.draft == ""
    bench.chat.new()
    assert bench.chat.draft == ""


def test_a_message_that_cannot_be_written_is_not_sent_and_not_lost(bench: Bench) -> None:
    bench.session.store.database._db.execute("PRAGMA query_only = ON")

    assert not bench.chat.send("precious")

    assert "write-protected" in bench.chat.store_error.cause
    assert bench.engine.asked(Generate) == []
    bench.session.store.database._db.execute("PRAGMA query_only = OFF")
    assert bench.chat.send("precious")
    assert bench.chat.store_error is None
    bench.until(lambda: bench.chat.answering is None)


def test_an_answer_that_cannot_be_written_is_written_as_soon_as_it_can(bench: Bench) -> None:
    gate = hold(bench, "answer")
    bench.chat.send("Hi")
    bench.until(lambda: last(bench).content)
    bench.session.store.database._db.execute("PRAGMA query_only = ON")
    gate.set()
    bench.until(lambda: bench.chat.answering is None)
    assert bench.chat.store_error is not None
    assert last(bench).content == "Hello, world."

    bench.session.store.database._db.execute("PRAGMA query_only = OFF")

    bench.until(lambda: on_disk(bench)[-1] == ("assistant", "Hello, world.", DONE))
    assert bench.chat.store_error is None


def test_closing_while_answering_stores_the_partial_answer(bench: Bench) -> None:
    hold(bench, "answer")
    bench.chat.send("Hi")
    bench.until(lambda: last(bench).content)

    bench.chat.shut_down()

    assert on_disk(bench)[-1] == ("assistant", "Hello, world.", INTERRUPTED)


def test_after_a_kill_the_interrupted_conversation_is_shown(make_bench: MakeBench, bench: Bench) -> None:
    bench.window.show_device_page()
    bench.close()
    chats = open_chats(bench.paths.conversations)
    answer = chats.start_answer(chats.create("question").path()[0].id, "tiny")
    chats.grow_answer(answer.id, "half")
    chats.database.close()

    again = make_bench(Script())

    assert last(again).content == "half"
    assert last(again).status == INTERRUPTED
    assert again.window.pages.current == "chat"


def test_an_unanswered_message_can_be_answered_later(bench: Bench) -> None:
    conversation = bench.session.store.create("question")
    bench.chat.open(conversation.id)

    bench.chat.regenerate()

    bench.until(lambda: last(bench).content == "Hello, world.")


def test_another_model_answers_the_next_message(bench: Bench) -> None:
    bench.ask("one")
    bench.models.load(OTHER.model_id)
    bench.send("two")
    bench.until(lambda: last(bench).role == "assistant" and last(bench).status == DONE)

    assert [m.model for m in bench.chat.path if m.role == "assistant"] == ["Starter 135M", "Demo 1B"]


def test_an_empty_message_is_not_sent(bench: Bench) -> None:
    assert not bench.chat.send(" \n ")
    assert bench.chat.conversations() == []


def test_growing_text_costs_no_write_for_each_piece(bench: Bench) -> None:
    writes: list[float] = []
    write = bench.session.store.grow_answer
    bench.session.store.grow_answer = lambda i, text: (writes.append(time.monotonic()), write(i, text))[1]  # type: ignore[method-assign,func-returns-value]
    bench.script.answer = lambda request: ("x",) * 400
    bench.script.pause_s = 0.002

    bench.ask("Hi")

    assert len(writes) <= 4
