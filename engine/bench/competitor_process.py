"""Another engine in a process of its own, asked over its standard streams: run as a script, never imported by Ember.

    python -P competitor_process.py ENGINE FILE.gguf THREADS CONTEXT

Answers one line of JSON to each line of JSON; the first it writes says that the model is loaded, and as which version.
Imports nothing of ours, so that the other engine has the process for itself. It ends when its input ends. While it
runs, the embedded server of xllamacpp listens on a port of the loopback device that nobody uses.
"""

import importlib.metadata
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, TextIO


class Engine(Protocol):
    def decode(self, tokens: list[int], depth: int) -> float:
        """Tokens a second over tokens[depth:], with those before in the cache."""
        ...

    def prefill(self, tokens: list[int]) -> float:
        """Tokens a second over all of `tokens`, with an empty cache."""
        ...


class Xllamacpp:
    def __init__(self, path: str, n_threads: int, context_tokens: int) -> None:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = path
        params.n_ctx = context_tokens
        params.n_parallel = 1
        params.n_gpu_layers = 0
        params.cpuparams.n_threads = n_threads
        params.cpuparams_batch.n_threads = n_threads
        params.fit_params = False
        params.ui = False
        params.warmup = True
        self._server = xllamacpp.Server(params)

    def decode(self, tokens: list[int], depth: int) -> float:
        # The first token comes out of the prompt's last step: one more than is to be timed.
        timings = self._timings(tokens[: max(depth, 1)], len(tokens) - depth + 1, keeps=True)
        return 1000 * (int(timings["predicted_n"]) - 1) / float(timings["predicted_ms"])

    def prefill(self, tokens: list[int]) -> float:
        timings = self._timings(tokens, 1, keeps=False)
        return 1000 * int(timings["prompt_n"]) / float(timings["prompt_ms"])

    def _timings(self, prompt: list[int], n_predict: int, *, keeps: bool) -> dict[str, Any]:
        request = {
            "prompt": prompt,
            "n_predict": n_predict,
            "temperature": 0,
            "samplers": ["temperature"],
            "cache_prompt": keeps,
            "ignore_eos": True,
        }
        answer = self._server.handle_completions(request)
        values = json.loads(answer) if isinstance(answer, (str, bytes)) else answer
        return dict(values["timings"])


class LlamaCppPython:
    def __init__(self, path: str, n_threads: int, context_tokens: int) -> None:
        import llama_cpp

        self._llama = llama_cpp.Llama(
            model_path=path, n_ctx=context_tokens, n_threads=n_threads, n_threads_batch=n_threads, n_gpu_layers=0,
            n_batch=512, verbose=False,
        )  # fmt: skip
        self._cached: list[int] = []

    def decode(self, tokens: list[int], depth: int) -> float:
        if self._cached[:depth] != tokens[:depth]:
            self.prefill(tokens[:depth])
        self._llama.n_tokens = depth
        started = time.perf_counter()
        for token in tokens[depth:]:
            self._llama.eval([token])
        elapsed = time.perf_counter() - started
        self._cached = list(tokens)
        return (len(tokens) - depth) / elapsed

    def prefill(self, tokens: list[int]) -> float:
        self._llama.reset()
        started = time.perf_counter()
        self._llama.eval(tokens)
        self._cached = list(tokens)
        return len(tokens) / (time.perf_counter() - started)


# name: (distribution, how it is opened)
ENGINES: dict[str, tuple[str, Callable[[str, int, int], Engine]]] = {
    "xllamacpp": ("xllamacpp", Xllamacpp),
    "llama-cpp-python": ("llama_cpp_python", LlamaCppPython),
}


def serve(engine: Engine, version: str, questions: TextIO, answers: TextIO) -> None:
    def say(values: dict[str, Any]) -> None:
        answers.write(json.dumps(values) + "\n")
        answers.flush()

    say({"version": version})
    for line in questions:
        asked = json.loads(line)
        if asked["task"] == "decode":
            say({"tokens_per_s": engine.decode(asked["tokens"], asked["depth"])})
        else:
            say({"tokens_per_s": engine.prefill(asked["tokens"])})


def main(arguments: list[str]) -> None:
    name, path, n_threads, context_tokens = arguments
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is none of our answers
    distribution, engine = ENGINES[name]
    serve(
        engine(path, int(n_threads), int(context_tokens)), importlib.metadata.version(distribution), sys.stdin, answers
    )


if __name__ == "__main__":
    main(sys.argv[1:])
