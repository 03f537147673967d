"""Other engines on the same weights: each round measures ours and theirs, one right after the other.

A machine is faster in one minute than in the next, so figures of different minutes are not divided by each other: a
ratio belongs to one round, and the median over the rounds is reported. Who goes first alternates. A competitor lives in
a process of its own; one that is absent, or that fails, is reported in its own words and ends nothing else.
"""

import contextlib
import importlib.util
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

from engine.bench.decode_bench import Check, time_decode
from engine.bench.prefill_bench import time_prefill
from engine.bench.subject import Bench, Case
from engine.benchmark_report import AbsentCompetitor, BenchmarkSpec, Comparison, Spread
from engine.runtime.loader import OnProgress

_MODULES = {"xllamacpp": "xllamacpp", "llama-cpp-python": "llama_cpp"}
_SCRIPT = Path(__file__).with_name("competitor_process.py")
_POLL_S = 0.1  # how long a cancelled benchmark goes on waiting
_WORDS = 300  # characters of a competitor's own words in a report


class CompetitorFailed(Exception):
    """It is absent, or did not answer; the argument is what the report says of it."""

    def __init__(self, absent: AbsentCompetitor) -> None:
        super().__init__(absent.reason)
        self.absent = absent


class Competitor(Protocol):
    """What takes turns with us. Both measurements raise CompetitorFailed."""

    name: str
    version: str

    def decode(self, tokens: list[int], depth: int, check: Check) -> float:
        """Tokens a second over tokens[depth:], with as many as `depth` in the cache."""
        ...

    def prefill(self, tokens: list[int], check: Check) -> float:
        """Tokens a second over all of `tokens`, with an empty cache."""
        ...


@contextlib.contextmanager
def open_competitor(asked: str, gguf: Path, n_threads: int, context_tokens: int, check: Check) -> Iterator[Competitor]:
    """`asked` as in BenchmarkSpec.against. Raises CompetitorFailed; ends its process on the way out."""
    name, _, path = asked.partition("=")
    if name == "llama-bench":
        yield LlamaBench(Path(path), gguf, n_threads, check)
        return
    if importlib.util.find_spec(_MODULES[name]) is None:
        raise CompetitorFailed(AbsentCompetitor(name, "not_installed"))
    competitor = ProcessCompetitor(name, gguf, n_threads, context_tokens)
    try:
        competitor.wait_until_loaded(check)
        yield competitor
    finally:
        competitor.close()


class ProcessCompetitor:
    """A Python package in a process of its own; see competitor_process.py."""

    def __init__(self, name: str, gguf: Path, n_threads: int, context_tokens: int) -> None:
        self.name, self.version = name, ""
        command = [sys.executable, "-P", str(_SCRIPT), name, str(gguf), str(n_threads), str(context_tokens)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=_environment(),
        )
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._words: list[str] = []
        assert self._process.stdout is not None and self._process.stderr is not None  # noqa: S101, PT018 - pipes as asked
        self._readers = [
            threading.Thread(target=self._read_answers, args=(self._process.stdout,), name="ember-competitor-answers"),
            threading.Thread(target=self._read_words, args=(self._process.stderr,), name="ember-competitor-words"),
        ]
        for reader in self._readers:
            reader.start()

    def wait_until_loaded(self, check: Check) -> None:
        self.version = str(self._answer(check).get("version", ""))

    def decode(self, tokens: list[int], depth: int, check: Check) -> float:
        return self._ask({"task": "decode", "tokens": tokens, "depth": depth}, check)

    def prefill(self, tokens: list[int], check: Check) -> float:
        return self._ask({"task": "prefill", "tokens": tokens}, check)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was not sent goes nowhere
                    stream.close()

    def _ask(self, question: dict[str, Any], check: Check) -> float:
        assert self._process.stdin is not None  # noqa: S101 - a pipe as asked
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._failure() from None
        return float(self._answer(check)["tokens_per_s"])

    def _answer(self, check: Check) -> dict[str, Any]:
        while True:
            check()
            try:
                line = self._answers.get(timeout=_POLL_S)
            except queue.Empty:
                continue
            if line is None:
                raise self._failure()
            return dict(json.loads(line))

    def _failure(self) -> CompetitorFailed:
        code = self._process.wait()
        self._readers[1].join()
        said = [line for line in self._words if line.strip()]
        detail = said[-1].strip()[:_WORDS] if said else f"it ended with exit code {code}"
        return CompetitorFailed(AbsentCompetitor(self.name, "failed", detail))

    def _read_answers(self, stream: IO[str]) -> None:
        for line in stream:
            self._answers.put(line)
        self._answers.put(None)

    def _read_words(self, stream: IO[str]) -> None:
        for line in stream:
            del self._words[:-20]
            self._words.append(line)


class LlamaBench:
    """A llama-bench binary, started anew for each measurement; it warms up by itself."""

    name = "llama-bench"

    def __init__(self, binary: Path, gguf: Path, n_threads: int, check: Check) -> None:
        self._binary, self._gguf, self._n_threads = binary, gguf, n_threads
        self.version = parse_version(self._run(["--version"], check))

    def decode(self, tokens: list[int], depth: int, check: Check) -> float:
        return self._measure(["-p", "0", "-n", str(len(tokens) - depth), "-d", str(depth)], check)

    def prefill(self, tokens: list[int], check: Check) -> float:
        return self._measure(["-p", str(len(tokens)), "-n", "0"], check)

    def _measure(self, arguments: list[str], check: Check) -> float:
        command = ["-m", str(self._gguf), "-t", str(self._n_threads), "-ngl", "0", "-r", "1", "-o", "json", *arguments]
        rates = parse_llama_bench(self._run(command, check))
        if len(rates) != 1:
            raise self._failure(f"{len(rates)} results instead of one")
        return rates[0]

    def _run(self, arguments: list[str], check: Check) -> str:
        try:
            process = subprocess.Popen(  # noqa: S603 - the binary the user names
                [str(self._binary), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace", env=_environment(),
            )  # fmt: skip
        except OSError as error:
            raise self._failure(f"{self._binary}: {error.strerror or error}") from error
        try:
            while True:
                check()
                with contextlib.suppress(subprocess.TimeoutExpired):
                    out, words = process.communicate(timeout=_POLL_S)
                    break
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
        if process.returncode:
            said = [line for line in words.splitlines() if line.strip()]
            raise self._failure(said[-1].strip() if said else f"it ended with exit code {process.returncode}")
        return out if out.strip() else words  # some versions state theirs on the one stream, some on the other

    def _failure(self, detail: str) -> CompetitorFailed:
        return CompetitorFailed(AbsentCompetitor(self.name, "failed", detail[:_WORDS]))


def parse_llama_bench(text: str) -> list[float]:
    """Tokens a second of each test in the output of `llama-bench -o json`. Raises CompetitorFailed."""
    try:
        return [float(test["avg_ts"]) for test in json.loads(text)]
    except (ValueError, TypeError, KeyError) as error:
        words = f"its output is not understood ({type(error).__name__}: {error})"
        raise CompetitorFailed(AbsentCompetitor("llama-bench", "failed", words[:_WORDS])) from error


def parse_version(text: str) -> str:
    """The version in the output of `llama-bench --version`, or in that of an older one, which says it otherwise."""
    for line in text.splitlines():
        if line.startswith("version:"):
            return line.removeprefix("version:").strip()[:_WORDS]
    return ""


# Rounds -----------------------------------------------------------------------------------------------------------


@dataclass
class _Series:
    """The rounds of one comparison."""

    case: Case
    task: str
    size: int
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)


def compare(
    bench: Bench, spec: BenchmarkSpec, cases: tuple[Case, ...], n_threads: int, competitor: Competitor,
    their_format: str, on_progress: OnProgress,
) -> list[Comparison]:  # fmt: skip
    """Decoding in every case and the reading of prompts, in turns; the first round warms both up."""
    series = [_Series(case, "decode", depth) for depth in spec.depths for case in cases]
    series += [_Series(cases[0], "prefill", n) for n in spec.prompt_tokens]
    n_rounds = spec.repeats + 1
    for number in range(n_rounds):
        for place, each in enumerate(series):

            def check(done: int = len(series) * number + place) -> None:
                on_progress("rounds", done, len(series) * n_rounds)

            turns = [(each.ours, _our_turn), (each.theirs, _their_turn)]
            for rates, turn in turns if number % 2 else reversed(turns):
                rate = turn(bench, each, spec, n_threads, competitor, on_progress, check)
                if number:
                    rates.append(rate)
    on_progress("rounds", len(series) * n_rounds, len(series) * n_rounds)
    return [
        Comparison(
            competitor=competitor.name,
            version=competitor.version,
            their_format=their_format,
            weight_format=bench.weight_format,
            mode=each.case.mode,
            asked_share=each.case.share,
            task=each.task,
            size=each.size,
            n_threads=n_threads,
            ours=Spread.of(each.ours),
            theirs=Spread.of(each.theirs),
            ratio=Spread.of([ours / theirs for ours, theirs in zip(each.ours, each.theirs, strict=True)]),
        )
        for each in series
    ]


_Turn = Callable[[Bench, _Series, BenchmarkSpec, int, Competitor, OnProgress, Check], float]


def _our_turn(
    bench: Bench,
    each: _Series,
    spec: BenchmarkSpec,
    n_threads: int,
    _: Competitor,
    on_progress: OnProgress,
    check: Check,
) -> float:
    transformer = bench.prepare(each.case, n_threads)
    if each.task == "prefill":
        return time_prefill(transformer, bench.tokens[: each.size], check)
    bench.fill(transformer, each.size, on_progress)
    return time_decode(transformer, bench.tokens, each.size, spec.decoded_tokens, check).tokens_per_s


def _their_turn(
    bench: Bench,
    each: _Series,
    spec: BenchmarkSpec,
    n_threads: int,
    competitor: Competitor,
    _: OnProgress,
    check: Check,
) -> float:
    if each.task == "prefill":
        return competitor.prefill(bench.tokens[: each.size], check)
    return competitor.decode(bench.tokens[: each.size + spec.decoded_tokens], each.size, check)


def _environment() -> dict[str, str]:
    """Ours without the thread counts that were set for our own linear algebra library."""
    return {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
