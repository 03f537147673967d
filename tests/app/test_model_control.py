"""Which model is loaded when, and what becomes of loads, imports and a dead engine."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.settings import AppSettings
from app.settings_file import SettingsFile
from engine.errors import ForeignFile, OutOfMemory
from engine.messages import ImportModel, LoadModel
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER, STARTER, Script

MakeBench = Callable[[Script], Bench]


def loads(bench: Bench) -> list[str]:
    return [request.model_id for request in bench.engine.asked(LoadModel)]  # type: ignore[union-attr]


def test_the_starter_is_loaded_at_the_first_start(bench: Bench) -> None:
    assert loads(bench) == [STARTER.model_id]
    assert bench.models.current == STARTER


def test_the_model_used_last_is_loaded_again(make_bench: MakeBench, bench: Bench) -> None:
    bench.models.load(OTHER.model_id)
    bench.until(lambda: bench.models.state == "ready" and bench.models.current == OTHER)
    bench.close()

    assert SettingsFile(bench.paths.settings).settings.last_model == OTHER.model_id
    again = make_bench(Script()).start()
    assert loads(again) == [OTHER.model_id]


def test_a_model_that_is_gone_gives_way_to_the_starter(make_bench: MakeBench, script: Script) -> None:
    bench = make_bench(script)
    bench.session.settings.update(last_model="gone")
    bench.models._wanted = "gone"

    bench.start()

    assert loads(bench) == [STARTER.model_id]


def test_an_empty_library_loads_nothing(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=())).start(until_ready=False)

    bench.until(lambda: bench.models.state == "no model")
    assert loads(bench) == []


def test_progress_of_a_load_is_known(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench = make_bench(Script(load=(("pack", 42, 100),), gates={"load": gate})).start(until_ready=False)

    bench.until(lambda: bench.models.loading and bench.models.loading.progress)
    assert bench.models.state == "loading"
    assert bench.models.loading.progress.done == 42
    gate.set()
    bench.until(lambda: bench.models.state == "ready")


def test_a_load_that_fails_goes_back_to_the_model_before(bench: Bench) -> None:
    report = OutOfMemory("the weights", 9_000_000_000, 1_000_000_000).report()
    bench.script.load_errors[OTHER.model_id] = report

    bench.models.load(OTHER.model_id)

    bench.until(lambda: bench.models.load_error and bench.models.state == "ready")
    model_id, text = bench.models.load_error
    assert model_id == OTHER.model_id
    assert "9.0 GB" in text.cause
    assert loads(bench) == [STARTER.model_id, OTHER.model_id, STARTER.model_id]


def test_without_a_model_before_a_failed_load_leaves_none(make_bench: MakeBench) -> None:
    report = OutOfMemory("the weights", 9, 1).report()
    bench = make_bench(Script(load_errors={STARTER.model_id: report})).start(until_ready=False)

    bench.until(lambda: bench.models.load_error)
    assert bench.models.state == "no model"


def test_a_cancelled_load_goes_back_to_the_model_before(bench: Bench) -> None:
    gate = bench.script.gates["load"] = threading.Event()
    bench.models.load(OTHER.model_id)
    bench.models.cancel_load()
    bench.until(lambda: bench.models.loading and bench.models.loading.subject == STARTER.model_id)
    gate.set()

    bench.until(lambda: bench.models.state == "ready")
    assert bench.models.current == STARTER


def test_choosing_another_model_replaces_a_load(bench: Bench) -> None:
    gate = bench.script.gates["load"] = threading.Event()
    bench.models.load(OTHER.model_id)
    bench.models.load(STARTER.model_id)
    gate.set()

    bench.until(lambda: bench.models.state == "ready")
    assert bench.models.current == STARTER


def test_an_import_shows_progress_and_joins_the_library(bench: Bench) -> None:
    gate = bench.script.gates["import"] = threading.Event()
    bench.script.imports = (("verify", 1, 2), ("pack", 30, 100))
    bench.models.import_files([Path("/models/New.gguf")], "int4")
    bench.until(lambda: bench.models.imports and bench.models.imports[0].progress)
    gate.set()

    bench.until(lambda: bench.models.find("new"))
    assert bench.models.imports == ()
    assert bench.engine.asked(ImportModel)[0].weight_format == "int4"  # type: ignore[union-attr]
    assert bench.models.current == STARTER


def test_the_first_import_is_loaded_at_once(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=())).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")

    bench.models.import_files([Path("/models/New.gguf")])

    bench.until(lambda: bench.models.state == "ready")
    assert bench.models.current.name == "New"


def test_an_import_can_be_cancelled(bench: Bench) -> None:
    bench.script.gates["import"] = threading.Event()
    bench.models.import_files([Path("/models/a.gguf"), Path("/models/b.gguf")])
    for task in bench.models.imports:
        bench.models.cancel_import(task.request_id)

    bench.until(lambda: not bench.models.imports)
    assert bench.models.models == (STARTER, OTHER)


def test_one_file_is_not_imported_twice_at_once(bench: Bench) -> None:
    gate = bench.script.gates["import"] = threading.Event()
    bench.models.import_files([Path("/models/a.gguf")])
    bench.models.import_files([Path("/models/a.gguf")])
    gate.set()

    assert len(bench.models.imports) == 1
    bench.until(lambda: not bench.models.imports)


def test_a_failed_import_stays_until_it_is_closed_or_tried_again(bench: Bench) -> None:
    bench.script.import_error = ForeignFile("/models/a.gguf", "a GGUF file", "PK").report()
    bench.models.import_files([Path("/models/a.gguf")])
    bench.until(lambda: bench.models.imports and bench.models.imports[0].error)
    assert "PK" in bench.models.imports[0].error.cause

    bench.models.import_files([Path("/models/a.gguf")])
    bench.until(lambda: bench.models.imports and bench.models.imports[0].error)
    bench.models.cancel_import(bench.models.imports[0].request_id)

    assert bench.models.imports == ()


def test_a_model_the_engine_has_let_go_of_is_loaded_again(bench: Bench) -> None:
    bench.engine.loaded = None
    bench.send("hi")
    bench.until(lambda: bench.chat.path and bench.chat.path[-1].status == "error")
    assert bench.chat.path[-1].error.code == "NoModelLoaded"

    bench.until(lambda: bench.models.state == "ready" and len(loads(bench)) == 2)

    assert bench.ask("again") == "Hello, world."


def test_after_a_death_the_restart_loads_the_same_model(bench: Bench) -> None:
    bench.models.load(OTHER.model_id)
    bench.until(lambda: bench.models.state == "ready" and bench.models.current == OTHER)
    bench.engine.die(-11, "Segmentation fault")
    bench.until(lambda: bench.models.state == "stopped")
    assert "SIGSEGV" in bench.models.death.text.cause
    assert bench.models.death.log_tail == "Segmentation fault"

    bench.models.start()

    bench.until(lambda: bench.models.state == "ready")
    assert bench.models.current == OTHER
    assert bench.models.death is None


def test_after_a_death_another_model_can_be_chosen(bench: Bench) -> None:
    bench.engine.die()
    bench.until(lambda: bench.models.state == "stopped")

    bench.models.load(OTHER.model_id)

    bench.until(lambda: bench.models.state == "ready")
    assert loads(bench) == [OTHER.model_id]


def test_an_import_that_dies_with_the_engine_says_so(bench: Bench) -> None:
    bench.script.gates["import"] = threading.Event()
    bench.models.import_files([Path("/models/a.gguf")])
    bench.engine.die()

    bench.until(lambda: bench.models.imports and bench.models.imports[0].error)
    assert bench.models.imports[0].error == bench.models.death.text


def test_a_model_that_gets_another_id_by_packing_is_listed_anew(make_bench: MakeBench) -> None:
    source = replace(STARTER, state="source", weight_format="")
    bench = make_bench(Script(models=(source,)))
    bench.start()

    packed = replace(STARTER, model_id="starter-135m-2")
    bench.script.models = (packed,)
    bench.models.load(packed.model_id)

    bench.until(lambda: bench.models.models == (packed,))


def test_settings_default_to_no_model() -> None:
    assert AppSettings().last_model == ""
