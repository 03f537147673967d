"""Are the fast paths right? Greedy tokens of each against those of a slower, plainer way to compute the same.

Two ways never agree to the last bit: rows are rounded to 8 or 4 bits, and so are the values they are multiplied with in
some formats. So a token counts as different where the plainer way prefers its own by more than that rounding, and the
logits may lie no further apart than it. Both tolerances are far below what a wrong row, scale, threshold or position
does, and above what a right kernel was seen to do.
"""

from collections.abc import Callable, Iterator

import numpy as np

from engine.bench.reference_model import reference_logits, small_config, small_tensors
from engine.bench.subject import Bench, Case
from engine.benchmark_report import CheckResult
from engine.kernels.formats import Float32
from engine.model.packed_model import WEIGHT_FORMATS
from engine.runtime.loader import cache_kind_of
from engine.runtime.transformer import Transformer

ACTIVATIONS = ("silu", "relu", "fatrelu", "drelu", "relu2")
# Distance of the logits as a share of the largest one, by format.
TOLERANCE = {"f32": 1e-3, "int8": 1e-2}
INT4_TOLERANCE = 0.1
_THREADS = (1, 2, 3)
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
    """A small random model in every format, with every activation and several thread counts; `check` may raise."""
    for weight_format, parts in WEIGHT_FORMATS.items():
        for activation in ACTIVATIONS:
            check()
            config = small_config(activation)
            tensors = small_tensors(config, parts, _SEED)
            logits, tokens = {}, [1]
            for n_threads in _THREADS:
                transformer = Transformer(
                    config, parts, tensors, context_tokens=64, cache_kind=cache_kind_of(weight_format),
                    n_threads=n_threads,
                )  # fmt: skip
                try:
                    if len(tokens) == 1:
                        tokens = greedy_tokens(transformer, tokens, _N_TOKENS)
                    logits[n_threads] = decoded_logits(transformer, tokens)
                finally:
                    transformer.close()
            plain = reference_logits(config, parts, tensors, tokens)
            yield compare("reference", weight_format, config.feed_forward, logits[1], plain)
            for n_threads in _THREADS[1:]:
                subject = f"{config.feed_forward}, {n_threads} threads"
                yield compare("threads", weight_format, subject, logits[n_threads], logits[1])


def subject_checks(bench: Bench, case: Case, n_threads: int, check: Check) -> Iterator[CheckResult]:
    """The model that is measured, in one case: prompts at once, silent neurons skipped, all threads."""
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


def greedy_tokens(transformer: Transformer, start: list[int], n: int) -> list[int]:
    """`start` and the n tokens it is continued with; an empty cache before, all but the last token in it after."""
    transformer.cache.rewind(0)
    tokens = list(start)
    for token in start[:-1]:
        transformer.decode_step(token)
    for _ in range(n):
        tokens.append(int(transformer.decode_step(tokens[-1]).argmax()))
    return tokens


def decoded_logits(transformer: Transformer, tokens: list[int]) -> Float32:
    """(t, v): the logits after each token, decoded one at a time on an empty cache."""
    transformer.cache.rewind(0)
    return np.stack([transformer.decode_step(token).copy() for token in tokens])
