"""The picker: found by typing, recent first, what loading takes beside the button, and what each button does."""

import threading
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.window.model_picker import FACTS, NAME, STATE, ModelPicker
from engine.messages import DescribeModel, LoadModel, UnloadModel
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, OTHER, STARTER, Script

MakeBench = Callable[[Script], Bench]
THREE = (STARTER, OTHER, BASE)


@pytest.fixture
def bench(make_bench: MakeBench) -> Bench:
    return make_bench(Script(models=THREE)).start()


@pytest.fixture
def picker(bench: Bench) -> ModelPicker:
    bench.window.choose_model()
    bench.settle()
    return bench.window.picker


def rows(picker: ModelPicker, role: int = NAME) -> list[str]:
    return [picker.list.item(row).data(role) for row in range(picker.list.count())]


def mark(bench: Bench, picker: ModelPicker, name: str) -> None:
    picker.list.setCurrentRow(rows(picker).index(name))
    bench.until(lambda: bench.session.controls.estimates.of(picker.current_id))


def test_it_lists_name_size_format_and_state(picker: ModelPicker):
    assert rows(picker) == ["Starter 135M", "Demo 1B", "Base 350M"]
    assert rows(picker, STATE) == ["loaded", "on disk", "on disk"]
    assert rows(picker, FACTS)[1] == "1.2 billion parameters · 812 MB · int4"
    assert picker.current_id == STARTER.model_id
    assert picker.filter.hasFocus()


def test_the_models_used_last_come_first(bench: Bench):
    bench.models.load(BASE.model_id)
    bench.until(lambda: bench.models.state == "ready" and bench.models.current == BASE)

    bench.window.choose_model()

    assert rows(bench.window.picker) == ["Base 350M", "Starter 135M", "Demo 1B"]
    assert bench.session.settings.value.recent_models == (BASE.model_id, STARTER.model_id)


def test_typing_narrows_it_down_and_enter_loads(bench: Bench, picker: ModelPicker):
    QTest.keyClicks(picker.filter, "int4 demo")
    assert rows(picker) == ["Demo 1B"]
    QTest.keyClick(picker.filter, Qt.Key.Key_Return)

    bench.until(lambda: bench.models.current == OTHER and bench.models.state == "ready")
    bench.until(lambda: not picker.isVisible())


def test_what_is_not_there_is_said(picker: ModelPicker):
    QTest.keyClicks(picker.filter, "zzz")

    assert picker.list.isHidden()
    assert picker._none.text() == "No model on this computer is called so."
    assert picker.load_button.isHidden()


def test_arrows_move_while_one_types(picker: ModelPicker):
    QTest.keyClick(picker.filter, Qt.Key.Key_Down)

    assert picker.current_id == OTHER.model_id
    assert picker.filter.hasFocus()


def test_what_loading_takes_is_said_before(bench: Bench, picker: ModelPicker):
    mark(bench, picker, "Demo 1B")

    words = picker._memory.text().replace("\u00a0", " ")
    assert words == (
        "Takes about 903 MB of memory: 812 MB weights, 41.0 MB for a context of 4096 tokens, 50.0 MB to work in."
        " 8.0 GB are free for it."
    )
    assert picker._warning.isHidden()
    assert picker.load_button.text() == "Load instead"


@pytest.mark.parametrize(
    ("free", "words"),
    [
        (500_000_000, "Only 500 MB are free, 403 MB too few: it would be read from the disk while it answers, slowly."),
        (60_000_000, "Only 60.0 MB are free: it cannot be loaded. Close other programs; 843 MB are missing."),
    ],
)
def test_too_little_memory_is_warned_of(make_bench: MakeBench, free: int, words: str):
    bench = make_bench(Script(models=THREE, free_bytes=free)).start()
    bench.window.choose_model()
    picker = bench.window.picker
    mark(bench, picker, "Demo 1B")

    assert not picker._warning.isHidden()
    assert picker._warning.text() == words


def test_afterwards_the_estimate_stands_beside_the_truth(picker: ModelPicker):
    assert picker._memory.text().replace("\u00a0", " ") == "Estimated 216 MB, takes 211 MB"
    assert not picker.unload_button.isHidden()
    assert picker.load_button.isHidden()


def test_a_load_shows_its_phase_and_is_really_cancelled(bench: Bench, picker: ModelPicker):
    bench.script.gates["load"] = threading.Event()
    bench.script.load = (("read", 42, 100),)
    mark(bench, picker, "Demo 1B")
    picker.load_button.click()
    bench.until(lambda: bench.models.loading and bench.models.loading.progress)
    assert rows(picker, STATE)[1] == "Reading the model into memory: 42 %"
    assert not picker._progress.isHidden()

    picker._progress.cancelled.emit()
    bench.until(lambda: bench.models.loading and bench.models.loading.subject == STARTER.model_id)
    bench.script.gates["load"].set()
    bench.until(lambda: bench.models.state == "ready")

    assert bench.models.current == STARTER
    assert [request.model_id for request in bench.engine.asked(LoadModel)] == [  # type: ignore[union-attr]
        STARTER.model_id, OTHER.model_id, STARTER.model_id,
    ]  # fmt: skip


def test_unloading_leaves_none(bench: Bench, picker: ModelPicker):
    picker.unload_button.click()

    bench.until(lambda: bench.models.state == "no model")
    assert bench.engine.asked(UnloadModel)
    assert rows(picker, STATE) == ["on disk", "on disk", "on disk"]
    assert picker.load_button.text() == "Load"


def test_a_model_that_answers_is_not_taken_away(bench: Bench, picker: ModelPicker):
    gate = bench.script.gates["answer"] = threading.Event()
    bench.send("Hello")
    bench.until(lambda: bench.chat.answering)
    bench.settle()

    assert rows(picker, STATE)[0] == "answering"
    assert not picker.unload_button.isEnabled()
    gate.set()
    bench.until(lambda: bench.chat.answering is None)
    assert picker.unload_button.isEnabled()


def test_it_is_asked_once_for_each_model(bench: Bench, picker: ModelPicker):
    for name in ("Demo 1B", "Base 350M", "Demo 1B", "Base 350M"):
        mark(bench, picker, name)

    asked = [request.model_id for request in bench.engine.asked(DescribeModel)]  # type: ignore[union-attr]
    assert asked.count(OTHER.model_id) == 1


def test_an_empty_library_says_so(make_bench: MakeBench):
    bench = make_bench(Script(models=())).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")
    bench.window.choose_model()

    assert bench.window.picker._none.text() == "No model is on this computer yet."
    bench.window.picker.all_button.click()
    assert bench.window.pages.current == "models"
    assert not bench.window.picker.isVisible()
