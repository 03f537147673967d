"""A model that nobody asks gives its memory back, and is there again for the next message."""

import threading
from collections.abc import Callable

from engine.messages import Generate, LoadModel, UnloadModel
from tests.app.conftest import Bench
from tests.app.fake_engine import STARTER, Script

MakeBench = Callable[[Script], Bench]


def test_nothing_waits_unless_it_is_wished_for(bench: Bench):
    idle = bench.session.idle
    assert not idle._timer.isActive()

    bench.session.settings.update(unload_minutes=5)
    assert idle._timer.isActive()
    assert idle._timer.interval() == 300_000
    bench.session.settings.update(unload_minutes=0)
    assert not idle._timer.isActive()


def test_an_answer_is_use(make_bench: MakeBench):
    gate = threading.Event()
    bench = make_bench(Script(gates={"answer": gate})).start()
    bench.session.settings.update(unload_minutes=15)
    bench.send("Hello")
    bench.until(lambda: bench.chat.answering)
    assert not bench.session.idle._timer.isActive()
    bench.session.idle._timer.timeout.emit()
    assert bench.models.state == "ready"

    gate.set()
    bench.until(lambda: bench.chat.answering is None)
    assert bench.session.idle._timer.isActive()


def test_it_sleeps_and_the_next_message_wakes_it(bench: Bench):
    bench.session.settings.update(unload_minutes=5)
    bench.session.idle._timer.timeout.emit()
    bench.until(lambda: bench.engine.asked(UnloadModel))
    assert bench.models.state == "asleep"
    assert bench.models.current == STARTER
    assert bench.window.top_bar.model.accessibleName() == "Model: Starter 135M, asleep until the next message"
    gate = bench.script.gates["load"] = threading.Event()

    bench.send("Hello")
    bench.until(lambda: bench.models.state == "loading")
    assert bench.chat.is_waiting_here
    assert bench.page._awaited() == "Loading the model…"
    gate.set()

    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].role == "assistant")
    assert bench.chat.path[-1].content == "Hello, world."
    assert len(bench.engine.asked(LoadModel)) == 2


def test_a_model_that_cannot_be_woken_keeps_the_message(bench: Bench):
    bench.models.sleep()
    bench.until(lambda: bench.engine.loaded is None)
    gate = bench.script.gates["load"] = threading.Event()
    bench.send("Hello")
    bench.until(lambda: bench.models.state == "loading")
    bench.models.cancel_load()

    bench.until(lambda: bench.models.state == "no model")
    assert bench.chat.is_waiting_here
    assert bench.page._awaited() == "Your message waits until a model is loaded."
    gate.set()
    bench.models.load(STARTER.model_id)
    bench.until(lambda: bench.engine.asked(Generate))


def test_the_last_model_is_loaded_by_the_first_message_where_that_is_wished_for(make_bench: MakeBench):
    bench = make_bench(Script())
    bench.session.settings.update(restores_model=False, last_model=STARTER.model_id)
    bench.start(until_ready=False)
    bench.until(lambda: bench.models.state == "asleep")
    assert bench.engine.asked(LoadModel) == []

    bench.ask("Hello")

    assert bench.models.state == "ready"


def test_after_a_death_the_sleeping_model_is_the_wanted_one(bench: Bench):
    bench.models.sleep()
    bench.engine.die()
    bench.until(lambda: bench.models.state == "stopped")
    assert bench.models.current == STARTER

    bench.models.start()

    bench.until(lambda: bench.models.state == "ready")
