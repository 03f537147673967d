"""How long one token takes: the engine's own decode step, at a depth, again and again.

Timed is what a generation repeats: embedding, the compiled step on all threads, the check of the logits, the largest of
them. Each measurement begins at the same depth and feeds the same tokens.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.bench.subject import Bench, Case
from engine.bench.traffic import step_bytes
from engine.benchmark_report import DecodeResult, Spread
from engine.runtime.loader import OnProgress
from engine.runtime.transformer import Transformer

# Called between steps; raises to stop.
Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Timed:
    """One measurement: tokens a second, and the mean shares of neurons examined and active."""

    tokens_per_s: float
    examined: float
    active: float


def time_decode(transformer: Transformer, tokens: list[int], depth: int, n_tokens: int, check: Check) -> Timed:
    """Decode n_tokens of `tokens` on the first `depth` positions of the cache, which must hold as many."""
    transformer.cache.rewind(depth)
    counts, elapsed = np.zeros(2), 0.0
    for token in tokens[depth : depth + n_tokens]:
        check()
        started = time.perf_counter()
        transformer.decode_step(token).argmax()
        elapsed += time.perf_counter() - started
        counts += transformer.neuron_counts[:, -2:].sum(axis=0)
    config = transformer.config
    examined, active = counts / (n_tokens * config.n_layers * config.n_neurons)
    return Timed(n_tokens / elapsed, float(examined), float(active))


def decode_results(
    bench: Bench, case: Case, n_threads: int, depths: tuple[int, ...], n_tokens: int, repeats: int,
    on_progress: OnProgress, check: Check,
) -> list[DecodeResult]:  # fmt: skip
    """One case with one thread count at each depth; the limit is not known yet."""
    transformer = bench.prepare(case, n_threads)
    results = []
    for depth in depths:
        bench.fill(transformer, depth, on_progress)
        timed = [time_decode(transformer, bench.tokens, depth, n_tokens, check) for _ in range(repeats + 1)][1:]
        can_be_silent = bench.config.is_sparse
        examined, active = timed[-1].examined, timed[-1].active
        results.append(
            DecodeResult(
                weight_format=bench.weight_format,
                mode=case.mode,
                asked_share=case.share,
                examined_share=examined if can_be_silent else None,
                active_share=active if can_be_silent else None,
                depth=depth,
                n_threads=n_threads,
                n_tokens=n_tokens,
                tokens_per_s=Spread.of([t.tokens_per_s for t in timed]),
                step_bytes=step_bytes(
                    bench.config, bench.parts, bench.cache_kind, positions=depth + (n_tokens + 1) / 2,
                    examined=examined, active=active,
                ),
                limit_bytes_per_s=0.0,
            )
        )  # fmt: skip
    return results
