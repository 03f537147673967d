"""What decoding several sequences together brings: run by hand, on an otherwise idle machine.

    python -m tests.measure_batch relu-smollm2.ember [--rounds 7] [--tokens 24]
    python -m tests.measure_batch --shape 1b --share 0.1 [--format int8]

Of a packed model the sequences are continuations of one passage, each drawn with a seed of its own; of a shape they are
random tokens. The same tokens are then decoded together and, of one sequence at a time, alone, in turns; the logits
must be the same bits. Prints a Markdown table for docs/neurons.md: the share of a layer's neurons that is active for a
token and for any of those of a step, tokens/s of all sequences together and of each, and together in times of one after
the other, as medians of the rounds; a round's time is the median of its steps.
"""

# ruff: noqa: E402 - the folder of compiled kernels is chosen before these are imported
import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from engine.kernels.cpu.cache import use_kernel_cache

use_kernel_cache(Path("build/measure-kernels"))

from engine.bench.shapes import shape_config
from engine.bench.synthetic import calibrate, synthetic_model
from engine.messages import SamplingParams
from engine.model.packed_model import WEIGHT_FORMATS, open_packed
from engine.runtime.loader import cache_kind_of
from engine.runtime.sampler import make_sampler
from engine.runtime.transformer import Transformer
from engine.text.tokenizer import Tokenizer
from tests.model_fixtures import AUSTEN

Clock = Callable[[], float]
SIZES = (1, 2, 4, 8, 16, 32)
CONTEXT = 2048
BEGINNING = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--shape", default="1b")
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--format", default="int8")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tokens", type=int, default=24)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--busy", action="store_true", help="count processor time, of one thread: others use the machine"
    )
    options = parser.parse_args()
    clock = time.thread_time if options.busy else time.perf_counter
    n_threads = 1 if options.busy else options.threads
    if options.model:
        opened = packed_model(options.model, n_threads)
    else:
        opened = shape_of(options.shape, options.format, options.share, n_threads)
    with opened as (transformer, beginning, is_real):
        transformer.prefill(beginning[:-1], lambda done, total: None)
        transformer.decode_step(beginning[-1])
        sequences = drawn(transformer, max(options.sizes), options.tokens, is_real)
        print("| sequences | active | any of them | tokens/s together | each | alone | times one after the other |")
        print("|---:|---:|---:|---:|---:|---:|---:|")
        for n in options.sizes:
            measure(transformer, sequences[:n], options.rounds, clock)


@contextmanager
def packed_model(path: Path, n_threads: int) -> Iterator[tuple[Transformer, list[int], bool]]:
    packed = open_packed(path)
    transformer = Transformer(
        packed.config, packed.parts, packed.read(lambda done, total: None), context_tokens=CONTEXT,
        cache_kind=cache_kind_of(packed.parts.attention), n_threads=n_threads,
    )  # fmt: skip
    try:
        yield transformer, Tokenizer(packed.tokenizer).encode(AUSTEN.read_text(encoding="utf-8"))[:BEGINNING], True
    finally:
        transformer.close()


@contextmanager
def shape_of(
    name: str, weight_format: str, share: float, n_threads: int
) -> Iterator[tuple[Transformer, list[int], bool]]:
    config, parts = shape_config(name), WEIGHT_FORMATS[weight_format]
    tensors = synthetic_model(config, parts, 1)
    transformer = Transformer(
        config, parts, tensors, context_tokens=CONTEXT, cache_kind=cache_kind_of(weight_format),
        n_threads=n_threads,
    )  # fmt: skip
    try:
        calibrate(transformer, tensors, config, share)
        transformer.cache.rewind(0)
        yield transformer, np.random.default_rng(2).integers(0, config.n_vocab, BEGINNING).tolist(), False
    finally:
        transformer.close()


def drawn(transformer: Transformer, n: int, n_tokens: int, is_real: bool) -> list[list[int]]:
    """Tokens of each sequence: what the model says when its words are drawn, or any."""
    random = np.random.default_rng(3).integers(0, transformer.config.n_vocab, (n, n_tokens)).tolist()
    if not is_real:
        return random
    samplers = [make_sampler(SamplingParams(temperature=1.0, seed=seed)) for seed in range(n)]
    fork = transformer.fork(n)
    last = transformer.cache.tokens[-1]
    transformer.cache.rewind(len(transformer.cache.tokens) - 1)
    logits = np.tile(transformer.decode_step(last), (n, 1))
    for _ in range(n_tokens):
        tokens = [sample(logits[i], fork.tokens(i)) for i, sample in enumerate(samplers)]
        logits = fork.step(range(n), tokens)
    found = [fork.tokens(i)[len(transformer.cache.tokens) :] for i in range(n)]
    fork.close()
    return found


def measure(transformer: Transformer, sequences: list[list[int]], rounds: int, clock: Clock) -> None:
    n = len(sequences)
    active, union, logits = shares(transformer, sequences)
    together, alone = [], []
    for turn in range(rounds + 1):
        number = turn % n
        one, last = decode_alone(transformer, sequences[number], clock)
        assert np.array_equal(last, logits[number])
        all_of_them, last = decode_together(transformer, sequences, clock)
        assert np.array_equal(last, logits)
        if turn:
            alone.append(1 / one)
            together.append(n / all_of_them)
    ratios = [b / a for a, b in zip(alone, together, strict=True)]
    speed, single = statistics.median(together), statistics.median(alone)
    shown = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    columns = (
        n,
        f"{100 * active:.0f}",
        f"{100 * union:.0f}",
        f"{speed:.0f}",
        f"{speed / n:.0f}",
        f"{single:.0f}",
        shown,
    )
    print(f"| {' | '.join(map(str, columns))} |", flush=True)


def shares(transformer: Transformer, sequences: list[list[int]]) -> tuple[float, float, np.ndarray]:
    """Mean shares of the neurons: active for a token, and for any token of a step; and the last logits of each."""
    fork, active, union = transformer.fork(len(sequences)), [], []
    fork.notes_fired = True
    for tokens in zip(*sequences, strict=True):
        logits = fork.step(range(len(tokens)), tokens).copy()
        active.append(fork.fired.mean())
        union.append(fork.fired.any(axis=0).mean())
    fork.close()
    return float(np.mean(active)), float(np.mean(union)), logits


def decode_together(transformer: Transformer, sequences: list[list[int]], clock: Clock) -> tuple[float, np.ndarray]:
    """Seconds of a step, the median, and the logits after the last."""
    fork, times = transformer.fork(len(sequences)), []
    for tokens in zip(*sequences, strict=True):
        started = clock()
        logits = fork.step(range(len(tokens)), tokens)
        times.append(clock() - started)
    logits = logits.copy()
    fork.close()
    return statistics.median(times), logits


def decode_alone(transformer: Transformer, tokens: list[int], clock: Clock) -> tuple[float, np.ndarray]:
    times, n_before = [], len(transformer.cache.tokens)
    for token in tokens:
        started = clock()
        logits = transformer.decode_step(token)
        times.append(clock() - started)
    logits = logits.copy()
    transformer.cache.rewind(n_before)
    return statistics.median(times), logits


if __name__ == "__main__":
    main()
