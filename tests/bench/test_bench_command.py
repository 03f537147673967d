"""`ember bench`: what the options ask for, what is printed and kept, and the exit codes."""

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import engine.api
from app.cli import main
from app.terminal.bench import BenchOptions, competitors, make_spec, run_bench
from app.terminal.console import Console
from engine.benchmark_report import BenchmarkReport, BenchmarkSpec, report_from_json
from engine.errors import InvalidRequest, UnknownModel
from engine.messages import ModelInfo
from tests.bench.test_checks import broken_activation
from tests.model_fixtures import TEST_KERNELS

ROOT = Path(__file__).resolve().parents[2]
MODEL = ModelInfo("tiny-model", "Tiny Model", "packed", "llama", "int8", 1, 1, 256, "", "")
PLAIN = BenchOptions("", {}, False, (), False, "", "", None, "1.0")


class FakeSession:
    """Answers a benchmark with a report made before."""

    def __init__(self, report: BenchmarkReport) -> None:
        self.report = report
        self.asked: list[BenchmarkSpec] = []

    def models(self) -> tuple[ModelInfo, ...]:
        return (MODEL,)

    def benchmark(self, spec: BenchmarkSpec) -> BenchmarkReport:
        self.asked.append(spec)
        return self.report


@pytest.fixture
def session(report: BenchmarkReport) -> FakeSession:
    return FakeSession(report)


@pytest.fixture
def console() -> Console:
    return Console(io.StringIO(), io.StringIO())


def test_options_become_a_spec(session: FakeSession):
    values = {"depths": (0,), "repeats": 3, "modes": None, "shape": None}

    spec = make_spec(replace(PLAIN, model="tiny", values=values, checks=True), session)

    assert spec == BenchmarkSpec(model_id="tiny-model", depths=(0,), repeats=3, checks=True, ember_version="1.0")


def test_a_quick_look_measures_less_but_what_was_asked_for(session: FakeSession):
    quick = make_spec(replace(PLAIN, quick=True, values={"repeats": 9}), session)

    assert quick.repeats == 9
    assert quick.depths == (0,)


def test_a_model_that_is_none_is_refused(session: FakeSession):
    with pytest.raises(UnknownModel):
        make_spec(replace(PLAIN, model="other"), session)


def test_auto_stands_for_what_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    binary = tmp_path / "llama-bench"
    binary.touch()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object() if name == "xllamacpp" else None)

    assert competitors(("auto",)) == ("xllamacpp",)
    assert competitors(("none",)) == ()
    asked = f"llama-bench={binary}"
    assert competitors(("auto", "xllamacpp", asked)) == ("xllamacpp", asked)


def test_a_program_that_is_not_there_is_refused_before_measuring(session: FakeSession, console: Console):
    assert run_bench(session, console, replace(PLAIN, against=("llama-bench=/no/where",))) == 2
    assert session.asked == []


@pytest.mark.parametrize("option", ["json_path", "markdown_path"])
def test_a_file_that_cannot_be_written_is_told_before_measuring(session: FakeSession, console: Console, option: str):
    with pytest.raises(OSError):
        run_bench(session, console, replace(PLAIN, **{option: "/no/where/report"}))

    assert session.asked == []


def test_what_cannot_be_measured_exits_with_two(session: FakeSession, console: Console):
    assert run_bench(session, console, replace(PLAIN, values={"repeats": 0})) == 2
    assert session.asked == []
    with pytest.raises(InvalidRequest):
        make_spec(replace(PLAIN, values={"repeats": 0}), session)


def test_a_report_is_printed_written_and_kept(session: FakeSession, tmp_path: Path, report: BenchmarkReport):
    out = io.StringIO()
    options = replace(
        PLAIN, json_path=str(tmp_path / "r.json"), markdown_path=str(tmp_path / "r.md"), history=tmp_path / "kept"
    )

    code = run_bench(session, Console(out, io.StringIO()), options)

    assert code == 0
    assert "Decoding, one token at a time" in out.getvalue()
    assert report_from_json((tmp_path / "r.json").read_text(encoding="utf-8")) == report
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("## Benchmark: shape 7b-8")
    assert len(list((tmp_path / "kept").iterdir())) == 1


def test_a_history_that_cannot_be_written_costs_only_the_history(session: FakeSession, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    err = io.StringIO()

    code = run_bench(session, Console(io.StringIO(), err), replace(PLAIN, history=tmp_path / "file"))

    assert code == 0
    assert "not kept" in err.getvalue()


def test_a_failed_check_exits_with_one_and_a_sentence(session: FakeSession, report: BenchmarkReport):
    out = io.StringIO()
    session.report = replace(report, checks=(replace(report.checks[0], differing=1, first=4),))

    code = run_bench(session, Console(out, io.StringIO()), PLAIN)

    assert code == 1
    assert "WRONG: 1 of 33 tokens differ, the first at position 4" in out.getvalue()


@pytest.mark.parametrize(
    "arguments",
    [
        ["tiny", "--shape", "7b"],
        ["--threads", "0"],
        ["--depth", "x"],
        ["--active", "ten"],
        ["--threads", "2", "--thread-sweep"],
    ],
)
def test_misuse_exits_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        main(["bench", *arguments])

    assert caught.value.code == 2
    assert capsys.readouterr().out == ""


# The real thing ---------------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own, but for the kernels that tests have compiled."""
    (tmp_path / "home" / "cache").mkdir(parents=True)
    TEST_KERNELS.mkdir(parents=True, exist_ok=True)
    (tmp_path / "home" / "cache" / "kernels").symlink_to(TEST_KERNELS, target_is_directory=True)
    monkeypatch.setenv("EMBER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_the_fast_paths_of_this_build_are_right(home: Path, tmp_path: Path):
    kept = tmp_path / "report.json"

    done = subprocess.run(
        [sys.executable, "-m", "app", "bench", "--check", "--quick", "--json", str(kept)],
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=280, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout
    values = json.loads(kept.read_text(encoding="utf-8"))
    assert {check["name"] for check in values["checks"]} >= {"reference", "threads", "prefill"}
    assert len(list((home / "data" / "benchmarks").iterdir())) == 1


@pytest.mark.model
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_broken_kernel_makes_the_command_fail(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    opened = engine.api.open_engine
    monkeypatch.setattr(engine.api, "open_engine", lambda config, on_event: opened(config, on_event, in_process=True))
    broken_activation(monkeypatch)

    code = main(["bench", "--check", "--quick", "--no-history"])

    assert code == 1
    assert "WRONG" in capsys.readouterr().out
