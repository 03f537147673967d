"""Low-rank linear predictors of one layer, trained on what the layer did: scores = outer · (inner · x) + bias.

Owns where training begins, the loss and the stopping; knows nothing of files or of what a predictor saves. Torch is
imported when training begins and nowhere else in the studies.

Training begins at a closed form. The first product is a linear map of the normed input; its best approximation of rank
r for the inputs that occur, in units of each neuron's own spread, gives the matrices (reduced-rank regression; for an
input other than the normed one, on what that input tells of it), and a neuron's scale and constant follow from the
error that is left, taken for Gaussian. The loss of a score s above the threshold is

    w · softplus(-s) + softplus(s),    w = k · importance / mean importance of the active

a cross-entropy with weighted positives, in which naming a neuron costs the same whether it is active or not, as it
does in bytes. The factor k is such that, where training begins, no constant added to all scores lowers the loss while
the threshold stands where the aimed share of the importance is found: what is learned is a better order of neurons at
that recall, and not a more cautious threshold.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.errors import PackageMissing
from engine.kernels.formats import Float32
from engine.model.predictors import LayerPredictor, low_rank
from engine.neurons.collect import LayerRecord, importance_of_codes
from engine.neurons.predictors import thresholds_for

# Shares of the importance to be found with the fewest named, when states of a training are compared.
CHECKED_RECALLS = (0.99, 0.95)
# The share of the importance that is aimed at.
AIM = 0.99
_CHUNK_TOKENS = 1024
# Tokens from which moments are taken: so many for each input value, and no fewer than the least.
_MOMENT_TOKENS, _LEAST_MOMENT_TOKENS = 16, 16384
# Added to the inputs' covariance, as a share of its mean diagonal.
_RIDGE = 1e-3
# σ(1.702 x) is within 0.01 of the normal distribution's integral.
_PROBIT = 1.702
# Least error of a closed form in units of the neuron's spread, so that no score is scaled without bound.
_LEAST_ERROR = 0.05
# Bounds of a neuron's weight at a token, in mean importances.
_WEIGHTS = (0.1, 10.0)
# Of the longest step, where the schedule ends.
_LAST_STEP, _WARM_UP_STEPS = 0.02, 20


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    looks     at the checked tokens in an epoch; `patience` of them without gain end the training
    """

    epochs: int = 1
    batch_tokens: int = 512
    learning_rate: float = 5e-3
    weight_decay: float = 0.01
    looks: int = 4
    patience: int = 2
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class FirstProduct:
    """A layer's first product: rows (n, d), constants (n,), and the value above which a neuron is active."""

    rows: Float32
    bias: Float32
    threshold: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """Of the normed input and of what a predictor reads: means (d,) and covariances (d, d); `crossed` is of the normed
    (rows) with the read."""

    normed_mean: Float32
    mean: Float32
    normed: Float32
    crossed: Float32
    read: Float32


def torch_or_refusal() -> Any:
    """Torch. Raises PackageMissing."""
    try:
        import torch
    except (ImportError, OSError) as error:
        raise PackageMissing("torch", "torch", f"{type(error).__name__}: {error}") from error
    return torch


def token_weights(x: Float32) -> Float32:
    """x (t, d) → (t,): 1, and less for tokens longer than twice the median, by the square of their length.

    The stream of a text's first token may be a thousand times longer than the others, and would be all that counts.
    """
    lengths = np.linalg.norm(x, axis=1)
    return np.asarray(np.minimum(1, 2 * np.median(lengths) / np.maximum(lengths, 1e-30)) ** 2, np.float32)


def moments(record: LayerRecord, reads: str, tokens: slice) -> Moments:
    """Over some tokens, spread over those given."""
    d = record.inputs[reads].shape[1]
    sums = [np.zeros(shape) for shape in ((), (d,), (d,), (d, d), (d, d), (d, d))]
    for chunk in _spread_chunks(tokens, max(_MOMENT_TOKENS * d, _LEAST_MOMENT_TOKENS)):
        x, normed = _values(record, reads, chunk), _values(record, "normed", chunk)
        v = token_weights(x)[:, None]
        parts = (v.sum(), (v * normed).sum(0), (v * x).sum(0), (v * normed).T @ normed, (v * normed).T @ x)
        for total, part in zip(sums, (*parts, (v * x).T @ x), strict=True):
            total += part
    normed_mean, mean, normed_square, crossed, square = (total / sums[0] for total in sums[1:])
    values = (
        normed_mean, mean, normed_square - np.outer(normed_mean, normed_mean), crossed - np.outer(normed_mean, mean),
        square - np.outer(mean, mean),
    )  # fmt: skip
    return Moments(*(np.asarray(value, np.float32) for value in values))


def closed_form(first: FirstProduct, m: Moments, reads: str, rank: int) -> LayerPredictor:
    """The linear predictor of a rank that is found without training."""
    covariance = m.read.astype(np.float64)
    covariance += np.eye(len(covariance)) * (_RIDGE * np.trace(covariance) / len(covariance) + 1e-12)
    values, vectors = np.linalg.eigh(covariance)
    whitening = (vectors * np.maximum(values, values[-1] * 1e-9) ** -0.5) @ vectors.T
    mapped = first.rows @ m.crossed.astype(np.float64) @ whitening  # the first product of whitened inputs
    spread = np.sqrt(np.maximum(np.einsum("nd,nd->n", first.rows @ m.normed, first.rows), 1e-12))
    scaled = mapped / spread[:, None]
    basis = np.linalg.eigh(scaled.T @ scaled)[1][:, ::-1][:, :rank]
    inner, outer = basis.T @ whitening, mapped @ basis
    error = np.sqrt(np.maximum(spread**2 - np.square(outer).sum(axis=1), (_LEAST_ERROR * spread) ** 2))
    scale = _PROBIT / error
    outer *= scale[:, None]
    bias = scale * (first.rows @ m.normed_mean + first.bias - first.threshold) - outer @ (inner @ m.mean)
    return low_rank("linear", reads, *(np.asarray(a, np.float32) for a in (inner, outer, bias)))


def train(
    record: LayerRecord, start: LayerPredictor, learned: slice, checked: slice, n_threads: int, recipe: Recipe,
    on_tokens: Callable[[int], None],
) -> LayerPredictor:  # fmt: skip
    """Train from `start` on the learned tokens; of the states looked at, the start among them, that which finds the
    importance of the checked tokens with the fewest named is returned.

    on_tokens(seen) counts over all epochs and may raise Cancelled. The same record, start and number of threads give
    the same predictor. Raises PackageMissing.
    """
    torch = torch_or_refusal()
    threads_before = torch.get_num_threads()
    torch.set_num_threads(n_threads)
    try:
        with torch.no_grad():
            return _Training(torch, record, start, learned, checked, recipe).run(on_tokens)
    finally:
        torch.set_num_threads(threads_before)


def named_share(scores: Float32, importance: Float32) -> float:
    """Share of the neurons named where the importance is found; the mean over CHECKED_RECALLS."""
    thresholds = thresholds_for(scores, importance, CHECKED_RECALLS)
    return float(np.mean([(scores > np.float32(threshold)).mean() for threshold in thresholds]))


def balanced_factor(scores: Float32, weights: Float32) -> float:
    """The k of the loss for which adding a constant to all scores does not lower it: scores and weights (t, n), the
    weights without k and 0 for silent neurons."""
    with np.errstate(over="ignore"):
        chance = 1 / (1 + np.exp(-scores))
    missed = float((weights * (1 - chance)).sum(dtype=np.float64))
    return float(chance.sum(dtype=np.float64)) / missed if missed > 0 else 1.0


def importance_weights(record: LayerRecord, tokens: slice) -> Float32:
    """(256,): by code, the weight of a neuron in mean importances of the active ones, within bounds; 0 for silent."""
    counts = np.zeros(256, np.int64)
    for chunk in _chunks(tokens):
        counts += np.bincount(record.codes[chunk].reshape(-1), minlength=256)
    importance = importance_of_codes()
    mean = float(counts @ importance) / max(int(counts[1:].sum()), 1) or 1.0
    weights = np.clip(importance / mean, *_WEIGHTS)
    weights[0] = 0
    return np.asarray(weights, np.float32)


class _Training:
    """One predictor in training: inputs are centred and scaled by their spread, so that a step is of one size in every
    direction; `state` undoes it."""

    def __init__(
        self, torch: Any, record: LayerRecord, start: LayerPredictor, learned: slice, checked: slice, recipe: Recipe
    ) -> None:
        self._torch, self._start, self._recipe = torch, start, recipe
        self._x, self._codes = record.inputs[start.reads][learned], record.codes[learned]
        sample = np.concatenate([_values(record, start.reads, c) for c in _spread_chunks(learned, 8 * _CHUNK_TOKENS)])
        weights = token_weights(sample)[:, None]
        self._longest = 2 * float(np.median(np.linalg.norm(sample, axis=1)))
        self._centre = np.asarray((weights * sample).sum(0) / weights.sum(), np.float32)
        spread = np.sqrt((weights * np.square(sample - self._centre)).sum(0) / weights.sum())
        self._spread = np.asarray(np.maximum(spread, spread.mean() * 1e-3 + 1e-12), np.float32)
        self._checked_x, self._checked = record.part(start.reads, checked)
        weight_of_code = importance_weights(record, learned)
        scores = start.scores(self._checked_x)
        threshold = np.float32(thresholds_for(scores, self._checked, (AIM,))[0])
        factor = balanced_factor(scores - threshold, weight_of_code.take(record.codes[checked]))
        self._weight_of_code = weight_of_code * np.float32(factor)
        constant = start.bias + start.outer @ (start.inner @ self._centre) - threshold
        self._parameters = [torch.from_numpy(a) for a in (start.inner * self._spread, start.outer.copy(), constant)]
        self._rng = np.random.default_rng([recipe.seed, record.layer, start.rank])
        self._least = named_share(scores, self._checked)

    def run(self, on_tokens: Callable[[int], None]) -> LayerPredictor:
        recipe, n_tokens = self._recipe, len(self._x)
        n_batches = max(1, n_tokens // recipe.batch_tokens)
        n_steps, look_every = recipe.epochs * n_batches, max(1, n_batches // recipe.looks)
        optimiser = self._torch.optim.AdamW(self._parameters, recipe.learning_rate, weight_decay=recipe.weight_decay)
        best, least, misses = self._start, self._least, 0
        order = np.empty(0, np.int64)
        for step in range(n_steps):
            batch = step % n_batches * recipe.batch_tokens
            if not batch:
                order = self._rng.permutation(n_tokens)
            for group in optimiser.param_groups:
                left = _LAST_STEP + (1 - _LAST_STEP) * (1 - step / n_steps)
                group["lr"] = recipe.learning_rate * left * min(1, (step + 1) / _WARM_UP_STEPS)
            self._give_gradients(np.sort(order[batch : batch + recipe.batch_tokens]))
            optimiser.step()
            on_tokens(min((step + 1) * recipe.batch_tokens, recipe.epochs * n_tokens))
            if (step + 1) % look_every == 0 or step + 1 == n_steps:
                now = self._state()
                share = named_share(now.scores(self._checked_x), self._checked)
                best, least, misses = (now, share, 0) if share < least else (best, least, misses + 1)
                if misses >= recipe.patience:
                    break
        return best

    def _give_gradients(self, rows: Any) -> None:
        torch, (inner, outer, bias) = self._torch, self._parameters
        values = self._x[rows].astype(np.float32)
        lengths = np.maximum(np.linalg.norm(values, axis=1), 1e-30)
        shares = np.minimum(1, self._longest / lengths) ** 2 / len(rows)
        x = torch.from_numpy((values - self._centre) / self._spread)
        weights = torch.from_numpy(self._weight_of_code.take(self._codes[rows]))
        hidden = x @ inner.T
        # Of the loss by the score: σ(s) (1 + w) - w.
        slope = torch.addmm(bias, hidden, outer.T).sigmoid_().mul_(weights + 1).sub_(weights)
        slope.mul_(torch.from_numpy(shares.astype(np.float32))[:, None])
        outer.grad, bias.grad, inner.grad = slope.T @ hidden, slope.sum(0), (slope @ outer).T @ x

    def _state(self) -> LayerPredictor:
        inner, outer, bias = (parameter.numpy().copy() for parameter in self._parameters)
        inner /= self._spread
        return replace(self._start, inner=inner, outer=outer, bias=bias - outer @ (inner @ self._centre))


def _values(record: LayerRecord, reads: str, tokens: slice) -> Float32:
    return np.asarray(record.inputs[reads][tokens], np.float32)


def _chunks(tokens: slice) -> Iterator[slice]:
    for first in range(tokens.start, tokens.stop, _CHUNK_TOKENS):
        yield slice(first, min(first + _CHUNK_TOKENS, tokens.stop))


def _spread_chunks(tokens: slice, most: int) -> list[slice]:
    """Chunks at equal distances, of about `most` tokens together."""
    chunks = list(_chunks(tokens))
    n = min(len(chunks), max(1, -(-most // _CHUNK_TOKENS)))
    return [chunks[i * len(chunks) // n] for i in range(n)]
