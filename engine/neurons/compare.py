"""One conversation answered twice with the same seed: exactly, and by a tier.

Owns the order of the two and what they share, which is the prompt as exact has read it; what the first answer left in
the cache beyond that never reaches the second. The tier's answer is one such as a chat would get, audits included.
"""

import dataclasses
import secrets
from collections.abc import Callable

from engine.errors import Cancelled
from engine.messages import GenerationStats, SamplingParams
from engine.neuron_reports import Comparison
from engine.runtime.audit import Audit
from engine.runtime.generate import NO_TOKEN, Ending, generate_tokens
from engine.runtime.loader import LoadedModel

# phase, done, total; may raise Cancelled.
OnProgress = Callable[[str, int, int], None]
# Tokens of each answer where the sampling sets no limit.
MOST_TOKENS = 512


@dataclasses.dataclass(frozen=True, slots=True)
class _Answer:
    """`pieces` are the text that became certain with each of `tokens`."""

    tokens: tuple[int, ...]
    pieces: tuple[str, ...]
    stats: GenerationStats


def compare(
    loaded: LoadedModel, prompt: list[int], sampling: SamplingParams, stop: tuple[str, ...], audit: Audit,
    on_progress: OnProgress,
) -> Comparison:  # fmt: skip
    """Both answers. Without a seed one is drawn for both, and without a limit `MOST_TOKENS` are generated.

    on_progress("compare", done, total) counts the tokens of both. Raises ContextFull, Cancelled.
    """
    seed = secrets.randbits(63) if sampling.seed is None else sampling.seed
    room = loaded.transformer.cache.context_tokens - len(prompt)
    most = max(1, min(sampling.max_tokens or MOST_TOKENS, room))
    sampling = dataclasses.replace(sampling, seed=seed, max_tokens=most)

    def answered(audit: Audit | None, before: int) -> _Answer:
        return _answer(
            loaded, prompt, sampling, stop, audit, lambda done: on_progress("compare", before + done, 2 * most)
        )  # fmt: skip

    exact = answered(None, 0)
    other = answered(audit, most)
    on_progress("compare", 2 * most, 2 * most)
    return Comparison(
        audit.tier, exact.pieces, other.pieces, first_difference(exact.tokens, other.tokens),
        exact.stats.decode_tokens_per_s, other.stats.decode_tokens_per_s,
    )  # fmt: skip


def first_difference(tokens: tuple[int, ...], others: tuple[int, ...]) -> int:
    """Where two answers part; one that ends earlier differs there. -1 where they are the same."""
    for n, (token, other) in enumerate(zip(tokens, others, strict=False)):
        if token != other:
            return n
    return -1 if len(tokens) == len(others) else min(len(tokens), len(others))


def _answer(
    loaded: LoadedModel, prompt: list[int], sampling: SamplingParams, stop: tuple[str, ...], audit: Audit | None,
    on_token: Callable[[int], None],
) -> _Answer:  # fmt: skip
    tokens: list[int] = []
    pieces: list[str] = []
    answer = generate_tokens(
        loaded.transformer, loaded.tokenizer, prompt, sampling, stop, lambda done, total: on_token(0), audit=audit
    )  # fmt: skip
    try:
        while True:
            try:
                made = next(answer)
            except StopIteration as end:
                ending: Ending = end.value
                break
            if made.token != NO_TOKEN:
                tokens.append(made.token)
                pieces.append(made.text)
            elif pieces:
                pieces[-1] += made.text
            on_token(len(tokens))
    finally:
        answer.close()
    if ending.reason == "cancelled":
        raise Cancelled
    return _Answer(tuple(tokens), tuple(pieces), ending.stats)
