"""Choosing the next token from its logits.

The order is the usual one: penalties and bias, then top-k, top-p, min-p, then temperature, then a draw. Everything is
float64 on the few candidates that are left, so a seed gives the same answer on every machine whose logits agree.
"""

import secrets
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32
from engine.messages import SamplingParams

# logits (v,), the tokens so far → the next token.
Sampler = Callable[[Float32, Sequence[int]], int]


def make_sampler(params: SamplingParams) -> Sampler:
    """One function that holds the random state of one answer. Without a seed one is drawn."""
    seed = drawn_seed() if params.seed is None else params.seed
    random = np.random.Generator(np.random.PCG64(seed))

    def sample(logits: Float32, tokens: Sequence[int]) -> int:
        adjusted = adjust(logits, tokens, params)
        if params.temperature == 0:
            return int(adjusted.argmax())
        candidates, weights = probabilities(adjusted, params)
        return int(random.choice(candidates, p=weights))

    return sample


def drawn_seed() -> int:
    """A seed for an answer that asks for none; short enough to be read and typed."""
    return secrets.randbits(32)


def adjust(logits: Float32, tokens: Sequence[int], params: SamplingParams) -> Float32:
    """A copy of the logits with penalties and bias applied.

    Repetition as in Keskar et al., 2019 (CTRL): positive logits are divided, negative ones multiplied. Presence and
    frequency as in the OpenAI interface: subtracted once, and once per occurrence.
    """
    out = logits.copy()
    window = np.asarray(tokens[-params.penalty_window :] if params.penalty_window else [], np.int64)
    if len(window):
        seen, counts = np.unique(window, return_counts=True)
        values = out[seen]
        if params.repetition_penalty != 1.0:
            penalty = np.float32(params.repetition_penalty)
            values = np.where(values > 0, values / penalty, values * penalty)
        out[seen] = values - params.presence_penalty - params.frequency_penalty * counts.astype(np.float32)
    for token, bias in params.logit_bias:
        if 0 <= token < len(out):
            out[token] += bias
    return out


def probabilities(logits: Float32, params: SamplingParams) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The tokens that may be drawn, most likely first, and their probabilities (which sum to 1)."""
    k = min(params.top_k or len(logits), len(logits))
    candidates = np.argpartition(logits, len(logits) - k)[len(logits) - k :] if k < len(logits) else np.arange(k)
    # Ties in the order of their ids, so that the result does not depend on how the partition left them.
    candidates = candidates[np.lexsort((candidates, -logits[candidates]))]
    scores = logits[candidates].astype(np.float64)
    kept = _softmax(scores)
    n = len(kept)
    if params.top_p < 1.0:
        n = int(np.searchsorted(np.cumsum(kept), params.top_p)) + 1
    if params.min_p > 0.0:
        n = min(n, int(np.count_nonzero(kept >= params.min_p * kept[0])))
    n = max(1, min(n, len(kept)))
    return candidates[:n], _softmax(scores[:n] / params.temperature)


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.exp(scores - scores.max())
    return np.asarray(weights / weights.sum())
