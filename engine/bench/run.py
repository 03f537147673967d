"""One benchmark from the request to the report: the order of work.

First the machine, before anything computes; then the checks of the kernels, and how fast memory is read; then, for
each row format, the model's own checks, the decode cases, the prompts, and the rounds against competitors; then memory
once more.
"""

import contextlib
import datetime
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import gguf

from engine.bench.against import CompetitorFailed, compare, open_competitor
from engine.bench.bandwidth import read_passes, read_rates
from engine.bench.checks import kernel_checks, subject_checks
from engine.bench.decode_bench import decode_results
from engine.bench.machine import Watch, machine_facts
from engine.bench.prefill_bench import prefill_result
from engine.bench.subject import Bench, Case, cases, gguf_of, open_bench, subject_of
from engine.bench.synthetic_gguf import GGUF_FORMATS, write_random_gguf
from engine.benchmark_report import (
    SCHEMA_VERSION,
    AbsentCompetitor,
    BenchmarkReport,
    BenchmarkSpec,
    CheckResult,
    Comparison,
    DecodeResult,
    PrefillResult,
)
from engine.errors import InvalidRequest
from engine.messages import WEIGHT_FORMATS
from engine.model.gguf_file import GgufFile
from engine.model.packed_model import PackedModel
from engine.placement.cores import compute_threads, usable_processors
from engine.runtime.loader import MIN_CONTEXT_TOKENS, OnProgress

_SEED = 1
# What llama.cpp needs of a context beyond the tokens that are timed.
_SPARE_TOKENS = 64


def run_benchmark(
    spec: BenchmarkSpec, packed: PackedModel | None, n_threads: int, scratch: Path, on_progress: OnProgress
) -> BenchmarkReport:
    """Measure `packed`, or with None the shape that `spec` names; n_threads where it names none.

    A file that only another engine reads is written to the folder `scratch`, and deleted. on_progress(phase, done,
    total) is called before each measurement and within long ones, and may raise to stop. Raises InvalidRequest,
    OutOfMemory, OutOfDisk, FileMissing.
    """
    started, now = time.perf_counter(), datetime.datetime.now().astimezone()
    subject, asked = subject_of(spec, packed), cases(spec, packed)
    formats = spec.weight_formats or ((packed.weight_format,) if packed else ("int8",))
    if not set(formats) <= set(WEIGHT_FORMATS):
        raise InvalidRequest("weight_formats", ", ".join(formats), ", ".join(WEIGHT_FORMATS))
    threads = _thread_counts(compute_threads(spec.n_threads or n_threads), sweeps=spec.thread_sweep)
    context = _context_tokens(spec, packed)
    machine, watch = machine_facts(), Watch()
    checks = list(kernel_checks(partial(on_progress, "checks", 0, 0))) if spec.checks else []
    passes = read_passes(spec.probe_bytes, threads, spec.repeats, partial(on_progress, "rates"))
    decode: list[DecodeResult] = []
    prefill: list[PrefillResult] = []
    comparisons: list[Comparison] = []
    absent: list[AbsentCompetitor] = []
    for weight_format in formats:
        with open_bench(spec, packed, weight_format, context, on_progress) as bench:
            if spec.checks:
                checks += _subject_checks(bench, asked, threads[0], on_progress)
            decode += _decode(bench, spec, asked, threads, on_progress)
            prefill += _prefill(bench, spec, asked[0], threads[0], on_progress)
            if spec.against:
                with _their_file(bench, packed, scratch, on_progress) as (path, kind):
                    for competitor in spec.against:
                        found = _compare(bench, spec, asked, threads[0], competitor, path, kind, on_progress)
                        if isinstance(found, AbsentCompetitor):
                            absent += [found] if found not in absent else []
                        else:
                            comparisons += found
    # Once more at the end: a machine is not as fast in one minute as in the next.
    rates = read_rates(passes, read_passes(spec.probe_bytes, threads, spec.repeats, partial(on_progress, "rates")))
    return BenchmarkReport(
        schema=SCHEMA_VERSION,
        created=now.isoformat(timespec="seconds"),
        ember_version=spec.ember_version,
        elapsed_s=time.perf_counter() - started,
        machine=machine,
        others_share=watch.others_share(),
        spec=spec,
        subject=subject,
        read_rates=rates,
        decode=tuple(decode),
        prefill=tuple(prefill),
        comparisons=tuple(comparisons),
        absent=tuple(absent),
        checks=tuple(checks),
    )


def _subject_checks(
    bench: Bench, asked: tuple[Case, ...], n_threads: int, on_progress: OnProgress
) -> list[CheckResult]:
    """The densest and the sparsest of the cases that compute every first product."""
    check = partial(on_progress, "checks", 0, 0)
    whole = [case for case in asked if case.mode != "predicted"]
    chosen = dict.fromkeys((*whole[:1], *whole[-1:]))
    return [result for case in chosen for result in subject_checks(bench, case, n_threads, check)]


def _decode(
    bench: Bench, spec: BenchmarkSpec, asked: tuple[Case, ...], threads: tuple[int, ...], on_progress: OnProgress
) -> list[DecodeResult]:
    """Every case at every depth; other thread counts at the first depth, since they change how fast memory is read."""
    turns = [(case, n, spec.depths if n == threads[0] else spec.depths[:1]) for n in threads for case in asked]
    results = []
    for number, (case, n, depths) in enumerate(turns):
        check = partial(on_progress, "decode", number, len(turns))
        check()
        results += decode_results(bench, case, n, depths, spec.decoded_tokens, spec.repeats, on_progress, check)
    return results


def _prefill(
    bench: Bench, spec: BenchmarkSpec, case: Case, n_threads: int, on_progress: OnProgress
) -> list[PrefillResult]:
    results = []
    for number, n_tokens in enumerate(spec.prompt_tokens):
        check = partial(on_progress, "prefill", number, len(spec.prompt_tokens))
        check()
        results.append(prefill_result(bench, case, n_threads, n_tokens, spec.repeats, check))
    return results


@contextlib.contextmanager
def _their_file(
    bench: Bench, packed: PackedModel | None, scratch: Path, on_progress: OnProgress
) -> Iterator[tuple[Path | None, str]]:
    """A GGUF file of the same weights, or of the same shape, and what it is quantised to; None where there is none."""
    if packed is None:
        kind = GGUF_FORMATS[bench.weight_format]
        path = write_random_gguf(scratch, bench.config, kind, _SEED, partial(on_progress, "weights"))
        try:
            yield path, kind
        finally:
            path.unlink(missing_ok=True)
        return
    source = gguf_of(packed)
    yield source, "" if source is None else _quantisation(source)


def _quantisation(path: Path) -> str:
    """Q4_1 for example; empty where the file does not say."""
    with contextlib.closing(GgufFile(path)) as file:
        number = file.fields.get("general.file_type")
    try:
        name = str(gguf.LlamaFileType(number).name)
    except ValueError:
        return ""
    return name.removeprefix("MOSTLY_").removeprefix("ALL_")


def _compare(
    bench: Bench, spec: BenchmarkSpec, asked: tuple[Case, ...], n_threads: int, competitor: str, path: Path | None,
    kind: str, on_progress: OnProgress,
) -> list[Comparison] | AbsentCompetitor:  # fmt: skip
    if path is None:
        return AbsentCompetitor(competitor.partition("=")[0], "no_file")
    context = _context_tokens(spec, None) + _SPARE_TOKENS
    try:
        with open_competitor(competitor, path, n_threads, context, partial(on_progress, "rounds", 0, 0)) as opened:
            return compare(bench, spec, asked, n_threads, opened, kind, on_progress)
    except CompetitorFailed as failed:
        return failed.absent


def _thread_counts(n_threads: int, *, sweeps: bool) -> tuple[int, ...]:
    """n_threads first, since it serves for everything else; a sweep goes up to all processors."""
    most = usable_processors()
    steps = {n for k in range(12) for n in (2**k, 3 * 2**k) if n <= most} | {most}
    return (n_threads, *sorted(steps - {n_threads})) if sweeps else (n_threads,)


def _context_tokens(spec: BenchmarkSpec, packed: PackedModel | None) -> int:
    """Room for the deepest measurement and the longest prompt. Raises InvalidRequest where the model has less."""
    needed = max(max(spec.depths, default=0) + spec.decoded_tokens, max(spec.prompt_tokens, default=0))
    if packed is not None and needed > packed.config.context_tokens:
        raise InvalidRequest("depths", str(needed), f"at most the {packed.config.context_tokens} tokens of this model")
    return max(needed, MIN_CONTEXT_TOKENS)
