"""Are the fast paths right? Greedy tokens of each against those of a slower, plainer way to compute the same.

Two ways never agree to the last bit: rows are rounded to 8 or 4 bits, and so are the values they are multiplied with in
some formats. So a token counts as different where the plainer way prefers its own by more than that rounding, and the
logits may lie no further apart than it. Both tolerances are far below what a wrong row, scale, threshold or position
does, and above what a right kernel was seen to do.
"""

from collections.abc import Callable, Iterator

import numpy as np

from engine.bench.reference_model import Tensors, reference_logits, small_config, small_predictor, small_tensors
from engine.bench.subject import Bench, Case
from engine.benchmark_report import CheckResult
from engine.kernels.formats import Float32
from engine.model.packed_model import WEIGHT_FORMATS
from engine.runtime.loader import cache_kind_of
from engine.runtime.transformer import Transformer

ACTIVATIONS = ("silu", "relu", "fatrelu", "drelu", "relu2")
# Distance of the logits as a share of the largest one, by format: rounding, grown through the layers of a real model
# (the starter's thirty layers of int8 rows were seen at 0.0101).
TOLERANCE = {"f32": 1e-3, "int8": 2e-2}
INT4_TOLERANCE = 0.1
_THREADS = (2, 3)
_START = 1
_N_TOKENS = 32
_N_PROMPT, _N_CONTINUED = 40, 8
_SEED = 5

Check = Callable[[], None]


def compare(name: str, weight_format: str, subject: str, fast: Float32, plain: Float32) -> CheckResult:
    """Logits (t, v) of the same tokens; the tokens compared are the largest of each."""
    tolerance = TOLERANCE.get(weight_format, INT4_TOLERANCE)
    scale = max(float(np.abs(plain).max()), 1e-6)
    chosen = fast.argmax(axis=1)
    missed = plain.max(axis=1) - np.take_along_axis(plain, chosen[:, None], axis=1)[:, 0]
    wrong = np.flatnonzero(missed > tolerance * scale)
    return CheckResult(
        name=name,
        weight_format=weight_format,
        subject=subject,
        compared=len(chosen),
        differing=len(wrong),
        first=int(wrong[0]) if len(wrong) else -1,
        deviation=float(np.abs(fast - plain).max()) / scale,
        tolerance=tolerance,
    )


def kernel_checks(check: Check) -> Iterator[CheckResult]:
    """A small random model in every format, with every activation, several thread counts, and with a predictor.

    `check` is called before each and may raise to stop.
    """
    for weight_format in WEIGHT_FORMATS:
        for activation in ACTIVATIONS:
            yield from _small_checks(weight_format, activation, check)


def _small_checks(weight_format: str, activation: str, check: Check) -> Iterator[CheckResult]:
    parts, config = WEIGHT_FORMATS[weight_format], small_config(activation)
    tensors = small_tensors(config, parts, _SEED)

    def decoded(tensors: Tensors, n_threads: int, tokens: list[int] | None = None) -> tuple[list[int], Float32]:
        """Those tokens and their logits; without tokens, the greedy ones."""
        check()
        transformer = Transformer(
            config, parts, tensors, context_tokens=2 * _N_TOKENS, cache_kind=cache_kind_of(weight_format),
            n_threads=n_threads,
        )  # fmt: skip
        try:
            tokens = tokens or greedy_tokens(transformer, _START, _N_TOKENS)
            return tokens, decoded_logits(transformer, tokens)
        finally:
            transformer.close()

    tokens, alone = decoded(tensors, 1)
    plain = reference_logits(config, parts, tensors, tokens)
    yield compare("reference", weight_format, config.feed_forward, alone, plain)
    for n_threads in _THREADS:
        _, together = decoded(tensors, n_threads, tokens)
        yield compare("threads", weight_format, f"{config.feed_forward}, {n_threads} threads", together, alone)
    if config.is_sparse:
        tensors |= small_predictor(config, parts, _SEED)
        tokens, named = decoded(tensors, _THREADS[0])
        plain = reference_logits(config, parts, tensors, tokens)
        yield compare("predicted", weight_format, config.feed_forward, named, plain)


def subject_checks(bench: Bench, case: Case, n_threads: int, check: Check) -> Iterator[CheckResult]:
    """The model that is measured, dense or exact: prompts at once, silent neurons skipped, all threads.

    Not predicted, since what a predictor misses is missed in one way of computing and not in the other.
    """
    weight_format = bench.weight_format
    subject = bench.config.name + (f", {case.mode}" if bench.config.is_sparse else "")
    check()
    transformer = bench.prepare(case, n_threads)
    prompt = bench.tokens[:_N_PROMPT]
    transformer.cache.rewind(0)
    transformer.prefill(prompt, lambda done, total: check())
    tokens, at_once = [bench.tokens[_N_PROMPT]], []
    for _ in range(_N_CONTINUED):
        at_once.append(transformer.decode_step(tokens[-1]).copy())
        tokens.append(int(at_once[-1].argmax()))
    everything = [*prompt, *tokens[:-1]]
    one_by_one = decoded_logits(transformer, everything)
    yield compare("prefill", weight_format, subject, np.stack(at_once), one_by_one[-_N_CONTINUED:])
    check()
    if bench.config.is_sparse and case.mode == "exact":
        yield compare("sparse", weight_format, subject, one_by_one, transformer.all_logits(everything))
    if n_threads > 1:
        check()
        alone = decoded_logits(bench.prepare(case, 1), everything)
        yield compare("threads", weight_format, f"{subject}, {n_threads} threads", one_by_one, alone)


def greedy_tokens(transformer: Transformer, start: int, n: int) -> list[int]:
    """`start` and the n tokens it is continued with, on an empty cache."""
    transformer.cache.rewind(0)
    tokens = [start]
    for _ in range(n):
        tokens.append(int(transformer.decode_step(tokens[-1]).argmax()))
    return tokens


def decoded_logits(transformer: Transformer, tokens: list[int]) -> Float32:
    """(t, v): the logits after each token, decoded one at a time on an empty cache."""
    transformer.cache.rewind(0)
    return np.stack([transformer.decode_step(token).copy() for token in tokens])
