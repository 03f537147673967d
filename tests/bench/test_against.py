"""Turns with other engines: what they say is read rightly, and what is absent or broken is said."""

import io
import json
import os
import stat
import sys
import time
import types
from dataclasses import replace
from pathlib import Path

import pytest

from engine.bench import competitor_process
from engine.bench.against import CompetitorFailed, compare, open_competitor, parse_llama_bench, parse_version
from engine.bench.competitor_process import LlamaCppPython, serve
from engine.bench.subject import Case, open_bench
from engine.benchmark_report import AbsentCompetitor
from engine.errors import Cancelled
from tests.bench.conftest import SHORT
from tests.model_fixtures import require_starter

SAMPLE = Path(__file__).with_name("llama-bench.json")


def nothing() -> None:
    """Nobody asks to stop."""


def program(path: Path, body: str) -> Path:
    """An executable Python program."""
    path.write_text(f"#!{sys.executable}\nimport json, sys, time\n{body}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


# llama-bench ------------------------------------------------------------------------------------------------------


def test_rates_are_read_from_what_llama_bench_printed():
    assert parse_llama_bench(SAMPLE.read_text(encoding="utf-8")) == [84.405644, 73.135959]


@pytest.mark.parametrize("text", ["", "error: no such file", "{}", '[{"n_gen": 4}]', '[{"avg_ts": null}]', "[3]"])
def test_other_output_of_llama_bench_is_a_failure_in_its_own_words(text: str):
    if text == "{}":
        assert parse_llama_bench(text) == []
        return
    with pytest.raises(CompetitorFailed) as caught:
        parse_llama_bench(text)

    assert caught.value.absent.competitor == "llama-bench"
    assert "not understood" in caught.value.absent.detail


def test_the_version_is_found_among_other_lines():
    text = "ggml_init: found 1 device\nversion: 6730 (e4cf0af6)\nbuilt with GNU 12.2.0 for Linux x86_64\n"

    assert parse_version(text) == "6730 (e4cf0af6)"
    assert parse_version("usage: llama-bench [options]") == ""


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_a_llama_bench_is_asked_for_one_task_at_a_time(tmp_path: Path):
    asked = tmp_path / "asked"
    body = f"""
open({str(asked)!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "--version":
    print("version: 7 (abc)", file=sys.stderr)
else:
    print(json.dumps([{{"avg_ts": 12.5}}]))
"""
    binary = program(tmp_path / "llama-bench", body)

    with open_competitor(f"llama-bench={binary}", Path("m.gguf"), 3, 64, nothing) as bench:
        rates = bench.decode([1] * 20, 16, nothing), bench.prefill([1] * 20, nothing)

    lines = asked.read_text().splitlines()
    assert rates == (12.5, 12.5)
    assert bench.version == "7 (abc)"
    assert lines[1] == "-m m.gguf -t 3 -ngl 0 -r 1 -o json -p 0 -n 4 -d 16"
    assert lines[2] == "-m m.gguf -t 3 -ngl 0 -r 1 -o json -p 20 -n 0"


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_a_llama_bench_that_fails_is_quoted(tmp_path: Path):
    binary = program(tmp_path / "llama-bench", 'print("loading"); sys.exit("error: unknown model architecture")')

    with pytest.raises(CompetitorFailed) as caught, open_competitor(f"llama-bench={binary}", Path("m"), 1, 64, nothing):
        pass

    assert caught.value.absent == AbsentCompetitor("llama-bench", "failed", "error: unknown model architecture")


def test_a_llama_bench_that_is_not_there_is_named():
    with pytest.raises(CompetitorFailed) as caught, open_competitor("llama-bench=/no/where", Path("m"), 1, 64, nothing):
        pass

    assert caught.value.absent.reason == "failed"
    assert "/no/where" in caught.value.absent.detail


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_a_llama_bench_that_takes_long_is_ended_when_the_benchmark_is(tmp_path: Path):
    binary = program(tmp_path / "llama-bench", "time.sleep(60)")
    started = time.monotonic()

    def stop() -> None:
        if time.monotonic() - started > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled), open_competitor(f"llama-bench={binary}", Path("m"), 1, 64, stop):
        pass

    assert time.monotonic() - started < 10


# Packages in a process of their own -------------------------------------------------------------------------------


def test_a_package_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    with pytest.raises(CompetitorFailed) as caught, open_competitor("xllamacpp", Path("m.gguf"), 1, 64, nothing):
        pass

    assert caught.value.absent == AbsentCompetitor("xllamacpp", "not_installed")


def test_a_package_that_cannot_read_the_file_fails_in_its_own_words(tmp_path: Path):
    file = tmp_path / "no.gguf"
    file.write_bytes(b"GGUFnonsense")

    with pytest.raises(CompetitorFailed) as caught, open_competitor("xllamacpp", file, 1, 64, nothing):
        pass

    assert caught.value.absent.reason == "failed"
    assert caught.value.absent.detail


@pytest.mark.model
def test_llama_cpp_decodes_and_reads_the_starter():
    with open_competitor("xllamacpp", require_starter(), 2, 256, nothing) as competitor:
        tokens = list(range(1000, 1040))
        rates = [competitor.decode(tokens, 32, nothing), competitor.decode(tokens[:4], 0, nothing)]
        rates.append(competitor.prefill(tokens, nothing))

    assert competitor.version
    assert all(rate > 0 for rate in rates)


@pytest.mark.model
def test_a_package_that_loads_is_ended_when_the_benchmark_is():
    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled), open_competitor("xllamacpp", require_starter(), 2, 256, stop):
        pass


class EchoEngine:
    """Answers with what it was asked."""

    def decode(self, tokens: list[int], depth: int) -> float:
        return 100.0 * depth + len(tokens)

    def prefill(self, tokens: list[int]) -> float:
        return -float(len(tokens))


def test_the_other_process_answers_each_question_until_there_are_none():
    questions = [{"task": "decode", "tokens": [1, 2], "depth": 1}, {"task": "prefill", "tokens": [1, 2, 3]}]
    answers = io.StringIO()

    serve(EchoEngine(), "9", io.StringIO("".join(json.dumps(q) + "\n" for q in questions)), answers)

    said = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert said == [{"version": "9"}, {"tokens_per_s": 102.0}, {"tokens_per_s": -3.0}]


def test_the_other_process_imports_nothing_of_ours():
    source = Path(competitor_process.__file__).read_text(encoding="utf-8")

    assert "from engine" not in source
    assert "import engine" not in source


class FakeLlama:
    """The calls of llama_cpp.Llama that are made, in order."""

    def __init__(self, **options: object) -> None:
        self.calls: list[object] = []
        self.n_tokens = 0

    def reset(self) -> None:
        self.calls.append("reset")
        self.n_tokens = 0

    def eval(self, tokens: list[int]) -> None:
        self.calls.append((self.n_tokens, list(tokens)))
        self.n_tokens += len(tokens)


def test_llama_cpp_python_reads_the_depth_once_and_decodes_from_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "llama_cpp", types.SimpleNamespace(Llama=FakeLlama))
    engine = LlamaCppPython("m.gguf", 2, 64)

    engine.decode([5, 6, 7, 8], 2)
    engine.decode([5, 6, 7, 8], 2)

    steps = [(2, [7]), (3, [8])]
    assert engine._llama.calls == ["reset", (0, [5, 6]), *steps, *steps]


# Rounds -----------------------------------------------------------------------------------------------------------


class Steady:
    """A competitor of a constant speed that notes its turns."""

    name, version = "steady", "1"

    def __init__(self) -> None:
        self.turns: list[tuple[str, int, int]] = []

    def decode(self, tokens: list[int], depth: int, check) -> float:
        self.turns.append(("decode", len(tokens) - depth, depth))
        return 10.0

    def prefill(self, tokens: list[int], check) -> float:
        self.turns.append(("prefill", len(tokens), 0))
        return 5.0


def test_each_round_measures_every_task_of_both(packed_tiny):
    packed, competitor, seen = packed_tiny(activation="relu"), Steady(), []
    asked = (Case("dense"), Case("exact"))

    with open_bench(SHORT, packed, "int8", 64, lambda *step: None) as bench:
        found = compare(bench, SHORT, asked, 2, competitor, "F32", lambda *step: seen.append(step))

    tasks = [(c.mode, c.task, c.size) for c in found]
    assert tasks == [
        ("dense", "decode", 0), ("exact", "decode", 0), ("dense", "decode", 20), ("exact", "decode", 20),
        ("dense", "prefill", 16),
    ]  # fmt: skip
    assert all(c.ours.repeats == c.theirs.repeats == c.ratio.repeats == SHORT.repeats for c in found)
    assert all(c.theirs.median == (10.0 if c.task == "decode" else 5.0) for c in found)
    assert found[0].ratio.largest == pytest.approx(found[0].ours.largest / 10)
    assert competitor.turns.count(("decode", 3, 20)) == 2 * (SHORT.repeats + 1)
    assert seen[-1] == ("rounds", 15, 15)


def test_rounds_end_when_asked_to(packed_tiny):
    def stop(phase: str, done: int, total: int) -> None:
        if phase == "rounds" and done == 3:
            raise Cancelled

    with open_bench(SHORT, packed_tiny(), "int8", 64, lambda *step: None) as bench, pytest.raises(Cancelled):
        compare(bench, replace(SHORT, repeats=50), (Case("dense"),), 1, Steady(), "F32", stop)
