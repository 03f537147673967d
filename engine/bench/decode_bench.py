"""How long one token takes: the engine's own decode step, at a depth, again and again.

Timed is what a generation repeats: embedding, the compiled step on all threads, the check of the logits, the largest of
them. Each measurement begins at the same depth and feeds the same tokens.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.bench.bandwidth import read_weights
from engine.bench.subject import Bench, Case
from engine.benchmark_report import DecodeResult, Spread
from engine.kernels.cpu.cache import run_compiling
from engine.kernels.cpu.tables import PHASES
from engine.kernels.formats import FORMATS
from engine.runtime.loader import OnProgress
from engine.runtime.traffic import predictor_bytes, step_bytes
from engine.runtime.transformer import Transformer

# Called between steps; raises to stop.
Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Timed:
    """One measurement.

    shares  (3,): the mean shares of neurons, as in `Transformer.neuron_counts`
    cycles  (phases,): processor cycles in each of the kernel's PHASES, all threads together
    """

    tokens_per_s: float
    shares: NDArray[np.float64]
    cycles: NDArray[np.int64]


def time_decode(transformer: Transformer, tokens: list[int], depth: int, n_tokens: int, check: Check) -> Timed:
    """Decode n_tokens of `tokens` on the first `depth` positions of the cache, which must hold as many."""
    transformer.cache.rewind(depth)
    counts, elapsed, cycles = np.zeros(3), 0.0, transformer.phase_cycles
    for token in tokens[depth : depth + n_tokens]:
        check()
        started = time.perf_counter()
        transformer.decode_step(token).argmax()
        elapsed += time.perf_counter() - started
        counts += transformer.neuron_counts.sum(axis=0)
    config = transformer.config
    shares = counts / (n_tokens * config.n_layers * config.n_neurons)
    return Timed(n_tokens / elapsed, shares, (transformer.phase_cycles - cycles).sum(axis=0))


def decode_results(
    bench: Bench, case: Case, n_threads: int, depths: tuple[int, ...], n_tokens: int, repeats: int,
    on_progress: OnProgress, check: Check,
) -> list[DecodeResult]:  # fmt: skip
    """One case with one thread count at each depth, in turns with reading the same weights: the limit."""
    transformer = bench.prepare(case, n_threads)
    matrices = bench.large_matrices
    run_compiling(lambda: read_weights(matrices[:1], transformer.pool))
    results = []
    for depth in depths:
        bench.fill(transformer, depth, on_progress)
        timed, read = [], []
        for repeat in range(repeats + 1):
            measured = time_decode(transformer, bench.tokens, depth, n_tokens, check)
            rate = read_weights(matrices, transformer.pool)
            if repeat:
                timed.append(measured)
                read.append(rate)
        can_be_silent = bench.config.is_sparse
        candidates, examined, active = (float(share) for share in timed[-1].shares)
        results.append(
            DecodeResult(
                weight_format=bench.weight_format,
                mode=case.mode,
                asked_share=case.share,
                candidate_share=candidates if can_be_silent else None,
                examined_share=examined if can_be_silent else None,
                active_share=active if can_be_silent else None,
                depth=depth,
                n_threads=n_threads,
                n_tokens=n_tokens,
                tokens_per_s=Spread.of([t.tokens_per_s for t in timed]),
                step_bytes=_step_bytes(bench, case, timed[-1].shares, depth + (n_tokens + 1) / 2),
                limit_bytes_per_s=max(read),
                phases=_phases([t.cycles for t in timed]),
            )
        )  # fmt: skip
    return results


def _step_bytes(
    bench: Bench, case: Case, shares: NDArray[np.float64], positions: float
) -> tuple[tuple[str, int], ...]:  # fmt: skip
    """As `step_bytes`, of layers that all have these shares of neurons."""
    c, rank = bench.config, bench.predictor_rank if case.mode == "predicted" else 0
    read = predictor_bytes("linear", rank, c.width, c.n_neurons, FORMATS[bench.parts.ffn_first]) if rank else 0
    counts = np.tile(shares * c.n_neurons, (c.n_layers, 1))
    return step_bytes(
        c, bench.parts, bench.cache_kind, positions=positions, counts=counts, predictors=c.n_layers * read
    )


def _phases(cycles: list[NDArray[np.int64]]) -> tuple[tuple[str, float], ...]:
    """Shares of the time by phase, those without any left out; empty where the processor's clock cannot be read."""
    total = np.sum(cycles, axis=0)
    return tuple((name, float(n / total.sum())) for name, n in zip(PHASES, total, strict=True) if n > 0)
