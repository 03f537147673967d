"""How long a prompt takes to read, into an empty cache."""

import time

from engine.bench.decode_bench import Check
from engine.bench.subject import Bench, Case
from engine.benchmark_report import PrefillResult, Spread
from engine.runtime.transformer import Transformer


def time_prefill(transformer: Transformer, tokens: list[int], check: Check) -> float:
    """Tokens a second; the cache holds `tokens` afterwards."""
    transformer.cache.rewind(0)
    started = time.perf_counter()
    transformer.prefill(tokens, lambda done, total: check())
    return len(tokens) / (time.perf_counter() - started)


def prefill_result(
    bench: Bench, case: Case, n_threads: int, n_tokens: int, repeats: int, check: Check
) -> PrefillResult:
    transformer = bench.prepare(case, n_threads)
    tokens = bench.tokens[:n_tokens]
    rates = [time_prefill(transformer, tokens, check) for _ in range(repeats + 1)][1:]
    return PrefillResult(bench.weight_format, n_tokens, n_threads, Spread.of(rates))
