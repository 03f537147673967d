"""One benchmark from the request to the report: the order of work.

First the machine, before anything computes; then how fast it reads memory; then, for each row format, the checks, the
decode cases, the prompts, and the rounds against competitors.
"""

import datetime
import time
from functools import partial

from engine.bench.bandwidth import limit, read_rates
from engine.bench.decode_bench import decode_results
from engine.bench.machine import machine_facts
from engine.bench.prefill_bench import prefill_result
from engine.bench.subject import cases, open_bench, subject_of
from engine.benchmark_report import (
    SCHEMA_VERSION,
    BenchmarkReport,
    BenchmarkSpec,
    DecodeResult,
    PrefillResult,
)
from engine.errors import InvalidRequest
from engine.messages import WEIGHT_FORMATS
from engine.model.packed_model import PackedModel
from engine.placement.cores import compute_threads, usable_processors
from engine.runtime.loader import MIN_CONTEXT_TOKENS, OnProgress


def run_benchmark(
    spec: BenchmarkSpec, packed: PackedModel | None, n_threads: int, on_progress: OnProgress
) -> BenchmarkReport:
    """Measure `packed`, or with None the shape that `spec` names; n_threads where it names none.

    on_progress(phase, done, total) is called before each measurement and within long ones, and may raise to stop.
    Raises InvalidRequest, OutOfMemory, FileMissing.
    """
    started, now = time.perf_counter(), datetime.datetime.now().astimezone()
    subject = subject_of(spec, packed)
    formats = spec.weight_formats or ((packed.weight_format,) if packed else ("int8",))
    threads = _thread_counts(compute_threads(spec.n_threads or n_threads), sweeps=spec.thread_sweep)
    context = _context_tokens(spec, packed)
    if not set(formats) <= set(WEIGHT_FORMATS):
        raise InvalidRequest("weight_formats", ", ".join(formats), ", ".join(WEIGHT_FORMATS))
    machine = machine_facts()
    rates = read_rates(
        spec.probe_bytes, tuple(sorted(set(threads))), spec.repeats, lambda *step: on_progress("rates", *step)
    )
    decode: list[DecodeResult] = []
    prefill: list[PrefillResult] = []
    for weight_format in formats:
        with open_bench(spec, packed, weight_format, context, on_progress) as bench:
            asked = cases(spec, bench.config)
            # Other thread counts only at the first depth: what they change is how fast memory is read.
            turns = [(case, n, spec.depths if n == threads[0] else spec.depths[:1]) for n in threads for case in asked]
            for number, (case, n, depths) in enumerate(turns):
                check = partial(on_progress, "decode", number, len(turns))
                check()
                decode += decode_results(
                    bench, case, n, depths, spec.decoded_tokens, spec.repeats, limit(rates, n), on_progress, check
                )
            for number, n_tokens in enumerate(spec.prompt_tokens):
                check = partial(on_progress, "prefill", number, len(spec.prompt_tokens))
                check()
                prefill.append(prefill_result(bench, asked[0], threads[0], n_tokens, spec.repeats, check))
    return BenchmarkReport(
        schema=SCHEMA_VERSION,
        created=now.isoformat(timespec="seconds"),
        ember_version=spec.ember_version,
        elapsed_s=time.perf_counter() - started,
        machine=machine,
        spec=spec,
        subject=subject,
        read_rates=rates,
        decode=tuple(decode),
        prefill=tuple(prefill),
    )


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
