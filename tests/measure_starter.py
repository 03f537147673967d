"""Speed of the starter model against llama.cpp on the same GGUF file: run by hand, on an otherwise idle machine.

    python -m tests.measure_starter [--threads 2] [--rounds 7]

Both engines live in this process and take turns; the ratio is the median over rounds. llama.cpp is the `xllamacpp`
wheel with its own timings. Prints a Markdown table for docs/benchmarks.md.
"""

import argparse
import json
import platform
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from engine.hub.starter import find_starter
from engine.model.gguf_checkpoint import GgufCheckpoint
from engine.model.pack import pack
from engine.runtime.transformer import Transformer
from engine.text.tokenizer import Tokenizer
from tests.model_fixtures import AUSTEN

N_PROMPT = 512
N_DECODED = 128


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--rounds", type=int, default=7)
    chosen = options.parse_args()
    gguf = find_starter()
    assert gguf is not None
    theirs = LlamaCpp(gguf, chosen.threads)
    with tempfile.TemporaryDirectory() as folder, GgufCheckpoint(gguf) as checkpoint:
        ours = {name: Ours(checkpoint, Path(folder), name, chosen.threads) for name in ("int8", "int4")}
        text = AUSTEN.read_text(encoding="utf-8")
        results = {name: [] for name in ("llama.cpp", *ours)}
        for number in range(chosen.rounds + 1):
            # A different beginning each round: nobody may answer from a cache.
            prompt = f"Round {number}. {text[number * 500 :]}"
            for name, engine in {"llama.cpp": theirs, **ours}.items():
                measured = engine.run(prompt)
                if number:  # the first round warms up
                    results[name].append(measured)
        for engine in ours.values():
            engine.close()
    print(f"{platform.processor() or platform.machine()}, {chosen.threads} threads, {chosen.rounds} rounds\n")
    print("| engine | prompt tokens/s | decode tokens/s | decode, ratio |\n|---|---|---|---|")
    for name, rounds in results.items():
        prompt_speed, decode_speed = (statistics.median(r[i] for r in rounds) for i in range(2))
        spread = [r[1] for r in rounds]
        ratio = statistics.median(r[1] / t[1] for r, t in zip(rounds, results["llama.cpp"], strict=True))
        print(
            f"| {name} | {prompt_speed:.0f} | {decode_speed:.1f} ({min(spread):.1f} to {max(spread):.1f}) "
            f"| {ratio:.2f} |"
        )


class Ours:
    def __init__(self, checkpoint: GgufCheckpoint, folder: Path, weight_format: str, n_threads: int) -> None:
        packed = pack(
            checkpoint, folder / weight_format, weight_format, source="", note="", on_step=lambda done, total: None
        )
        self._tokenizer = Tokenizer(packed.tokenizer)
        self._transformer = Transformer(
            packed.config, packed.parts, packed.read(lambda done, total: None), context_tokens=1024, cache_kind="f16",
            n_threads=n_threads,
        )  # fmt: skip

    def run(self, prompt: str) -> tuple[float, float]:
        tokens = self._tokenizer.encode(prompt)[:N_PROMPT]
        self._transformer.cache.rewind(0)
        started = time.perf_counter()
        self._transformer.prefill(tokens[:-1], lambda done, total: None)
        logits = self._transformer.decode_step(tokens[-1])
        read = time.perf_counter()
        for _ in range(N_DECODED):
            logits = self._transformer.decode_step(int(logits.argmax()))
        return N_PROMPT / (read - started), N_DECODED / (time.perf_counter() - read)

    def close(self) -> None:
        self._transformer.close()


class LlamaCpp:
    def __init__(self, gguf: Path, n_threads: int) -> None:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(gguf)
        params.n_ctx = 1024
        params.n_parallel = 1
        params.cpuparams.n_threads = n_threads
        params.cpuparams_batch.n_threads = n_threads
        params.warmup = True
        self._server = xllamacpp.Server(params)
        self._tokenizer = None

    def run(self, prompt: str) -> tuple[float, float]:
        # About N_PROMPT tokens: the exact number comes back with the timings.
        request = {
            "prompt": prompt[: 4 * N_PROMPT + 300], "n_predict": N_DECODED, "temperature": 0, "cache_prompt": False,
            "ignore_eos": True,
        }  # fmt: skip
        answer = self._server.handle_completions(request)
        timings = (json.loads(answer) if isinstance(answer, (str, bytes)) else answer)["timings"]
        return timings["prompt_per_second"], timings["predicted_per_second"]


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
