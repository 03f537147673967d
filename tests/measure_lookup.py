"""What guessing tokens from the text brings, apart from sparsity: run by hand, on an otherwise idle machine.

    python -m tests.measure_lookup [--format int8] [--rounds 5]

The starter model answers the same requests with and without guessing, in turns; the answers must be the same. Prints
the price of a step of several tokens and a Markdown table for docs/benchmarks.md.
"""

# ruff: noqa: E402 - the kernels' cache must be chosen before they are imported

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from engine.kernels.cpu.cache import use_kernel_cache

use_kernel_cache(Path("build/measure-kernels"))

from engine.hub.starter import find_starter
from engine.messages import SamplingParams
from engine.model.gguf_checkpoint import GgufCheckpoint
from engine.model.pack import pack
from engine.runtime.generate import generate
from engine.runtime.loader import cache_kind_of
from engine.runtime.lookup import Payoff
from engine.runtime.transformer import Transformer
from engine.text.tokenizer import Tokenizer
from tests.model_fixtures import AUSTEN

N_TOKENS = 160
DEPTH = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", default="int8")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    gguf = find_starter()
    assert gguf is not None
    with tempfile.TemporaryDirectory() as folder, GgufCheckpoint(gguf) as checkpoint:
        path = Path(folder) / "starter.ember"
        packed = pack(checkpoint, path, options.format, source="", note="", on_step=lambda done, total: None)
        tokenizer = Tokenizer(packed.tokenizer)
        transformer = Transformer(
            packed.config, packed.parts, packed.read(lambda done, total: None), context_tokens=2048,
            cache_kind=cache_kind_of(options.format), n_threads=2,
        )  # fmt: skip
        try:
            print_prices(transformer, tokenizer, options.rounds)
            print_answers(transformer, tokenizer, options.rounds)
        finally:
            transformer.close()


def print_prices(transformer: Transformer, tokenizer: Tokenizer, rounds: int) -> None:
    tokens = tokenizer.encode(AUSTEN.read_text(encoding="utf-8"))[: DEPTH + 4]
    times: dict[int, list[float]] = {n: [] for n in (1, 2, 3, 4)}
    transformer.prefill(tokens[:DEPTH], lambda done, total: None)
    for _ in range(8 * rounds):
        for n, each in times.items():
            transformer.cache.rewind(DEPTH)
            started = time.perf_counter()
            transformer.decode_steps(tokens[DEPTH : DEPTH + n])
            each.append(time.perf_counter() - started)
    single = statistics.median(times[1])
    prices = ", ".join(f"{n} tokens {statistics.median(times[n]) / single:.2f}" for n in (2, 3, 4))
    print(f"Price of a step in steps of one token ({1000 * single:.2f} ms): {prices}\n")


def print_answers(transformer: Transformer, tokenizer: Tokenizer, rounds: int) -> None:
    passage = AUSTEN.read_text(encoding="utf-8")[2000:3200]
    requests = {
        "repeats a passage": f"Copy this text.\n\n{passage}\n\nThe same text again:\n\n{passage[:300]}",
        "goes on from a passage": passage,
    }
    print("| answer | without, tokens/s | with | ratio (min to max) | guessed | held |\n|---|---:|---:|---:|---:|---:|")
    for name, request in requests.items():
        prompt = tokenizer.encode(request)
        transformer.payoff = Payoff()
        speeds: list[tuple[float, float]] = []
        for _ in range(rounds + 1):
            plain, plain_speed, _ = answer(transformer, tokenizer, prompt, speculate=False)
            guessed, speed, stats = answer(transformer, tokenizer, prompt, speculate=True)
            assert plain == guessed
            speeds.append((plain_speed, speed))
        speeds = speeds[1:]
        ratios = [b / a for a, b in speeds]
        held = stats.accepted_tokens / stats.proposed_tokens if stats.proposed_tokens else 0.0
        print(
            f"| {name} | {statistics.median(a for a, _ in speeds):.0f} | {statistics.median(b for _, b in speeds):.0f} "
            f"| {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) | {stats.proposed_tokens} "
            f"| {held:.0%} |"
        )


def answer(transformer: Transformer, tokenizer: Tokenizer, prompt: list[int], *, speculate: bool):
    """The text, tokens a second after the first, and the statistics of one greedy answer."""
    sampling = SamplingParams(
        temperature=0.0, repetition_penalty=1.0, max_tokens=N_TOKENS,
        logit_bias=tuple((token, -1000.0) for token in tokenizer.eos_ids),
    )  # fmt: skip
    transformer.cache.rewind(0)
    run = generate(transformer, tokenizer, prompt, sampling, (), lambda done, total: None, speculate=speculate)
    pieces = []
    while True:
        try:
            pieces.append(next(run))
        except StopIteration as end:
            return "".join(pieces), end.value.stats.decode_tokens_per_s, end.value.stats


if __name__ == "__main__":
    main()
