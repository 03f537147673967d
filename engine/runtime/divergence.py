"""How far one run's next-token distributions are from another's over the same tokens, and how sure a mean of that is.

Owns the KL divergence (Kullback and Leibler, 1951; in nats, the run that loses nothing first), flips of the likeliest
token, the loss of the token that came, and the bootstrap (Efron, 1979) over windows of text. Knows nothing of how the
logits came about.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32

Float64 = NDArray[np.float64]

# Tokens whose distributions are compared together: a block stays in the processor's cache.
_BLOCK_TOKENS = 8
_RESAMPLES = 4000
_SEED = 1
# Of the resampled means so many lie below the bound.
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Losses:
    """For each of t tokens: the KL of what comes next, whether the likeliest next token is another, and the other
    run's loss (negative log likelihood, nats) on the token that came."""

    kl: Float64
    flipped: NDArray[np.bool_]
    nll: Float64

    def to_lists(self) -> list[list[float]]:
        """As JSON can hold it."""
        return [self.kl.tolist(), self.flipped.astype(int).tolist(), self.nll.tolist()]

    @classmethod
    def from_lists(cls, lists: list[list[float]]) -> "Losses":
        kl, flipped, nll = lists
        return cls(np.asarray(kl, np.float64), np.asarray(flipped, np.bool_), np.asarray(nll, np.float64))


@dataclass(frozen=True, slots=True)
class Summary:
    """Over all tokens of all windows; `kl_upper` is the 95 % bound of the mean from resampling windows."""

    kl_mean: float
    kl_upper: float
    kl_p99: float
    flips: float
    perplexity: float


def kl_divergence(base: Float32, other: Float32) -> float:
    """Of two logit vectors (v,)."""
    return float(compare_logits(base[None], other[None], np.zeros(1, np.int64)).kl[0])


def compare_logits(base: Float32, other: Float32, came: Sequence[int] | NDArray[np.int64]) -> Losses:
    """base, other (t, v) after the same tokens; `came` (t,) is the token that followed each.

    Equal logits have a divergence of exactly zero.
    """
    t, wanted = len(base), np.asarray(came, np.int64)
    kl, nll, flipped = np.empty(t), np.empty(t), np.empty(t, np.bool_)
    for first in range(0, t, _BLOCK_TOKENS):
        block = slice(first, min(first + _BLOCK_TOKENS, t))
        p, q = base[block], other[block]
        weights, p_sum, p_norm = _normaliser(p)
        _, _, q_norm = _normaliser(q)
        moved = (weights * (p - q)).sum(axis=1, dtype=np.float64) / p_sum
        kl[block] = np.maximum(moved + (q_norm - p_norm), 0.0)
        nll[block] = q_norm - np.take_along_axis(q, wanted[block, None], axis=1)[:, 0]
        flipped[block] = p.argmax(axis=1) != q.argmax(axis=1)
    return Losses(kl, flipped, nll)


def summarise(windows: Sequence[Losses]) -> Summary:
    """Of one window or more."""
    kl = np.concatenate([w.kl for w in windows])
    return Summary(
        kl_mean=float(kl.mean()),
        kl_upper=upper_bound([w.kl for w in windows]),
        kl_p99=float(np.quantile(kl, 0.99)),
        flips=float(np.concatenate([w.flipped for w in windows]).mean()),
        perplexity=math.exp(float(np.concatenate([w.nll for w in windows]).mean())),
    )


def upper_bound(windows: Sequence[Float64]) -> float:
    """Below this the mean over all tokens lies with 95 % confidence, as far as these windows are like others.

    Whole windows are drawn with replacement, since tokens of one text are alike; the same windows give the same bound.
    It is never below the mean itself, so that a single window bounds nothing too low.
    """
    sums, sizes = np.array([w.sum() for w in windows]), np.array([len(w) for w in windows])
    drawn = np.random.default_rng(_SEED).integers(0, len(windows), (_RESAMPLES, len(windows)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return max(float(np.quantile(means, _CONFIDENCE)), float(sums.sum() / sizes.sum()))


def _normaliser(logits: Float32) -> tuple[Float32, Float64, Float64]:
    """Rows of logits → exp(logits − largest), their sums, and the logarithm of the sum of exp(logits)."""
    largest = logits.max(axis=1, keepdims=True)
    weights = np.exp(logits - largest)
    sums = weights.sum(axis=1, dtype=np.float64)
    return weights, sums, np.log(sums) + largest[:, 0].astype(np.float64)
