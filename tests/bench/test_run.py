"""A whole benchmark, from the request to the report, directly and through the engine's door."""

import dataclasses
from dataclasses import replace
from pathlib import Path

import pytest

from engine.bench.run import run_benchmark
from engine.benchmark_report import AbsentCompetitor, report_from_json, report_to_json
from engine.errors import Cancelled, InvalidRequest
from engine.messages import (
    PROGRESS_PHASES,
    BenchmarkDone,
    Cancel,
    EngineConfig,
    Failed,
    ImportModel,
    ListModels,
    LoadModel,
    ModelImported,
    ModelList,
    Progress,
    RequestCancelled,
    RunBenchmark,
)
from tests.bench.conftest import SHORT
from tests.engine.conftest import Front
from tests.tiny_model import TINY, TinyCheckpoint, write_gguf


def quiet(phase: str, done: int, total: int) -> None:
    """Progress nobody looks at."""


def test_a_report_holds_every_case_at_every_depth(packed_tiny, tmp_path: Path):
    seen = []
    spec = replace(SHORT, thread_sweep=True, ember_version="7.0")

    report = run_benchmark(spec, packed_tiny(activation="relu"), 1, tmp_path, lambda *step: seen.append(step))

    at_two = [(d.mode, d.depth) for d in report.decode if d.n_threads == 2]
    assert at_two == [("dense", 0), ("dense", 20), ("exact", 0), ("exact", 20)]
    assert {d.depth for d in report.decode if d.n_threads != 2} <= {0}
    assert [(p.n_tokens, p.n_threads) for p in report.prefill] == [(16, 2)]
    assert {r.n_threads for r in report.read_rates} == {d.n_threads for d in report.decode}
    assert all(d.limit_bytes_per_s > 0 and d.tokens_per_s.repeats == SHORT.repeats for d in report.decode)
    assert all(0 < d.active_share <= d.examined_share <= 1 for d in report.decode)
    assert (report.ember_version, report.spec, report.subject.name) == ("7.0", spec, "Tiny")
    assert report.machine.usable_cores > 0
    assert {phase for phase, _, _ in seen} <= set(PROGRESS_PHASES)
    assert report_from_json(report_to_json(report)) == report


def test_a_dense_model_has_no_active_share(packed_tiny, tmp_path: Path):
    report = run_benchmark(SHORT, packed_tiny(), 1, tmp_path, quiet)

    assert [(d.mode, d.active_share, d.examined_share) for d in report.decode] == [("dense", None, None)] * 2


def test_checks_are_made_only_when_asked_for(packed_tiny, tmp_path: Path):
    without = run_benchmark(SHORT, packed_tiny(activation="relu"), 2, tmp_path, quiet)
    checked = run_benchmark(replace(SHORT, checks=True), packed_tiny(activation="relu"), 2, tmp_path, quiet)

    assert without.checks == ()
    assert {c.name for c in checked.checks} == {"reference", "threads", "prefill", "sparse", "predicted"}
    assert checked.failed_checks == ()


def test_a_competitor_that_cannot_be_measured_is_named_once(packed_tiny, tmp_path: Path):
    gguf = write_gguf(tmp_path / "tiny.gguf")
    spec = replace(SHORT, against=("llama-bench=/no/where", "llama-cpp-python"), weight_formats=("int8", "int4"))

    report = run_benchmark(spec, packed_tiny(source=str(gguf)), 1, tmp_path, quiet)

    assert report.comparisons == ()
    assert [(a.competitor, a.reason) for a in report.absent] == [
        ("llama-bench", "failed"),
        ("llama-cpp-python", "not_installed"),
    ]
    assert {d.weight_format for d in report.decode} == {"int8", "int4"}


def test_without_a_gguf_file_nobody_else_is_measured(packed_tiny, tmp_path: Path):
    report = run_benchmark(replace(SHORT, against=("xllamacpp",)), packed_tiny(), 1, tmp_path, quiet)

    assert report.absent == (AbsentCompetitor("xllamacpp", "no_file"),)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"depths": (250,), "decoded_tokens": 10}, "depths"),
        ({"prompt_tokens": (257,)}, "depths"),
        ({"weight_formats": ("int3",)}, "weight_formats"),
        ({"modes": ("predicted",)}, "modes"),
    ],
)
def test_what_the_model_cannot_do_is_refused(packed_tiny, tmp_path: Path, changes: dict[str, object], field: str):
    with pytest.raises(InvalidRequest) as caught:
        run_benchmark(replace(SHORT, **changes), packed_tiny(), 1, tmp_path, quiet)

    assert caught.value.field == field


@pytest.mark.parametrize("phase", ["rates", "compile", "checks", "decode", "prefill"])
def test_a_benchmark_ends_in_any_phase(packed_tiny, tmp_path: Path, phase: str):
    def stop(now: str, done: int, total: int) -> None:
        if now == phase:
            raise Cancelled

    with pytest.raises(Cancelled):
        run_benchmark(replace(SHORT, checks=phase == "checks"), packed_tiny(), 2, tmp_path, stop)


# Through the door -------------------------------------------------------------------------------------------------


@pytest.fixture
def front(tmp_path: Path, kernel_cache: Path):
    made = Front(EngineConfig(str(tmp_path / "library"), str(kernel_cache), n_threads=2), in_process=True)
    checkpoint = TinyCheckpoint(dataclasses.replace(TINY, context_tokens=256))
    assert isinstance(made.ask(ImportModel("1", str(write_gguf(tmp_path / "tiny.gguf", checkpoint)))), ModelImported)
    yield made
    made.engine.close()


def test_a_request_is_answered_by_a_report(front: Front):
    front.engine.submit(RunBenchmark("b", replace(SHORT, model_id="tiny")))
    events = front.until((BenchmarkDone, Failed))

    assert isinstance(events[-1], BenchmarkDone)
    assert events[-1].report.subject.gguf == "tiny.gguf"
    assert all(isinstance(e, Progress) and e.request_id == "b" for e in events[:-1])


def test_a_cancelled_benchmark_leaves_an_engine_that_works(front: Front):
    front.engine.submit(RunBenchmark("b", replace(SHORT, model_id="tiny", repeats=1000)))
    while front.next().phase != "decode":
        pass
    front.engine.submit(Cancel("b"))

    assert isinstance(front.until((RequestCancelled, BenchmarkDone, Failed))[-1], RequestCancelled)
    assert isinstance(front.ask(ListModels("l")), ModelList)


def test_the_model_in_use_is_unloaded_for_a_benchmark(front: Front):
    front.ask(LoadModel("load", "tiny"))
    front.ask(RunBenchmark("b", replace(SHORT, model_id="tiny")))

    assert front.engine._worker._loaded is None


def test_a_shape_that_is_none_fails_with_its_name(front: Front):
    answer = front.ask(RunBenchmark("b", replace(SHORT, shape="9b")))

    assert isinstance(answer, Failed)
    assert answer.error.code == "InvalidRequest"
    assert answer.error.field("value") == "9b"
