"""The census: what a model's neurons do on text, layer by layer, whether they can be silent or not.

Owns the sums of a dense pass and the figures made of them. Memory does not grow with the text: sizes of activations go
into a histogram whose bins are 1/64 of an octave, so that a quantile is within 1.6 % of the true one; what is compared
from token to token is compared within a window.

What thresholding would do is measured, not estimated: the output of the feed-forward with and without the silenced
neurons, on up to `SAMPLE_TOKENS` tokens of a window of each kind, each threshold applied to one layer alone. Thresholds
are edges of bins, so that the share they silence is exact, over all tokens. Source: CATS (Lee et al., 2024).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32, Int64
from engine.kernels.reference import activate
from engine.model.array_file import Arrays
from engine.model.config import ModelConfig
from engine.model.packed_model import PackedModel
from engine.neuron_reports import COVERED, SCHEMA_VERSION, UNION_TOKENS, CensusReport, LayerCensus, Thresholding
from engine.neurons.activity import active_neurons, coverage_curve, covering_share
from engine.neurons.calibration import TextWindow, calibration_windows
from engine.neurons.study import WINDOW_TOKENS, Study
from engine.neurons.sums import WindowJob, add_up
from engine.runtime.prefill import LayerView

DEFAULT_TOKENS = 16_384
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
# Thresholds are put where they silence about these shares of the activations that are not zero.
SILENCED = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
# Of each kind of text, the tokens on which thresholds are applied.
SAMPLE_TOKENS = 128

# Of float32's bits: those below a bin's, which leaves the exponent and six of the mantissa.
_BIN_SHIFT = 17
_N_BINS = 1 << (31 - _BIN_SHIFT)
_ROWS_TOGETHER = 1024

Float64 = NDArray[np.float64]


def take_census(study: Study) -> CensusReport:
    """Raises Cancelled, TextUnusable (too little text), FileMissing or DamagedFile (of it), LibraryNotWritable."""
    config, packed = study.packed.config, study.packed
    windows, corpora = calibration_windows(
        study.model.tokenizer, study.spec, n_tokens=study.spec.n_tokens or DEFAULT_TOKENS,
        window_tokens=min(WINDOW_TOKENS, config.context_tokens), held_out=False,
    )  # fmt: skip
    sums = census_sums(config)
    observing, thresholding = CensusTap(config, sums), ThresholdTap(packed, sums)
    jobs = [WindowJob(window, observing) for window in windows]
    jobs += [WindowJob(window, thresholding) for window in sample_windows(windows)]
    add_up(study, jobs, sums, [QUANTILES, SILENCED, UNION_TOKENS, SAMPLE_TOKENS])
    n_tokens = sum(len(window.tokens) for window in windows)
    layers = tuple(layer_census(config, sums, layer, n_tokens) for layer in range(config.n_layers))
    return CensusReport(SCHEMA_VERSION, study.head(corpora), layers)


def census_sums(config: ModelConfig) -> Arrays:
    """What a census adds up, by layer (L), zero at first.

    sizes     (L, bins) activations by the bits of their size
    zeros     (L,) activations that are exactly zero
    largest   (L,) the largest |activation|
    fired     (L, n) tokens at which a neuron was active
    again     (L, 2) active neurons of tokens that have one before them, and how many of these were active then too
    starts, united    (L,), (L, unions): stretches of tokens, and neurons active in their first 2, 4, … tokens
    errors, outputs   (L, thresholds), (L,): squared errors of the feed-forward's output, and its squares
    """
    layers, n = config.n_layers, config.n_neurons
    counts = {
        "sizes": (layers, _N_BINS), "zeros": (layers,), "fired": (layers, n), "again": (layers, 2),
        "starts": (layers,), "united": (layers, len(UNION_TOKENS)),
    }  # fmt: skip
    values = {"largest": (layers,), "errors": (layers, len(SILENCED)), "outputs": (layers,)}
    return {name: np.zeros(shape, np.int64) for name, shape in counts.items()} | {
        name: np.zeros(shape) for name, shape in values.items()
    }


@dataclass(frozen=True, slots=True)
class CensusTap:
    """Adds to the sums what all neurons do on a window, which it must be shown as a whole."""

    config: ModelConfig
    sums: Arrays

    def attended(self, layer: int, heads: Float32) -> None:
        """Heads are no part of a census."""

    def neurons(self, layer: int, view: LayerView) -> None:
        sums, active = self.sums, active_neurons(view.product, self.config.is_sparse)
        sizes = np.abs(activate(view.first, self.config.activation, self.config.threshold))
        bins = np.ascontiguousarray(sizes).view(np.int32) >> _BIN_SHIFT
        sums["sizes"][layer] += np.bincount(bins.ravel(), minlength=_N_BINS)
        sums["zeros"][layer] += np.count_nonzero(sizes == 0)
        sums["largest"][layer] = max(sums["largest"][layer], float(sizes.max()))
        sums["fired"][layer] += active.sum(axis=0)
        sums["again"][layer] += np.count_nonzero(active[1:]), np.count_nonzero(active[1:] & active[:-1])
        unions = consecutive_unions(active)
        sums["starts"][layer] += len(unions[0])
        sums["united"][layer] += [np.count_nonzero(union) for union in unions]


@dataclass(frozen=True, slots=True)
class ThresholdTap:
    """Adds to the sums what the output loses by each threshold, once the sizes of all activations are summed up."""

    packed: PackedModel
    sums: Arrays

    def attended(self, layer: int, heads: Float32) -> None:
        """Attention stays whole."""

    def neurons(self, layer: int, view: LayerView) -> None:
        thresholds = thresholds_of(self.sums["sizes"][layer])
        if not thresholds:
            return
        config, t = self.packed.config, len(view.product)
        chosen = np.arange(min(SAMPLE_TOKENS, t)) * t // min(SAMPLE_TOKENS, t)
        sizes = np.abs(activate(view.first[chosen], config.activation, config.threshold))
        errors, outputs = thresholding_errors(self.packed, layer, view.product[chosen], sizes, thresholds)
        self.sums["errors"][layer, : len(thresholds)] += errors
        self.sums["outputs"][layer] += outputs


def sample_windows(windows: Sequence[TextWindow]) -> list[TextWindow]:
    """The middle window of each kind, in the order of the kinds."""
    by_kind: dict[str, list[TextWindow]] = {}
    for window in windows:
        by_kind.setdefault(window.kind, []).append(window)
    return [of_kind[len(of_kind) // 2] for of_kind in by_kind.values()]


def consecutive_unions(active: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """active (t, n) → for each of UNION_TOKENS (s, n): active at any of so many tokens from a start on.

    All unions begin at the same starts, those with as many tokens as the longest needs, so that they grow with their
    length. In a shorter window there is one start, and a union ends with the window.
    """
    n_starts = max(1, len(active) - max(UNION_TOKENS) + 1)
    unions, running, length = [], active.copy(), 1
    for wanted in UNION_TOKENS:
        while length < wanted:
            step = min(length, wanted - length)
            running[: max(0, len(running) - step)] |= running[step:].copy()
            length += step
        unions.append(running[:n_starts].copy())
    return unions


def thresholding_errors(
    packed: PackedModel, layer: int, product: Float32, sizes: Float32, thresholds: Sequence[float]
) -> tuple[Float64, float]:
    """What silencing does to the feed-forward's output on t tokens: squared errors by threshold, and the squares.

    product (t, n); sizes (t, n): |activation|; thresholds (k,), rising
    """
    config, tensors, name = packed.config, packed.map(), f"layers.{layer}."
    rows, fmt, d = tensors[name + "down"], packed.parts.of("down"), config.width
    # What each threshold silences beyond the one before it, and what none does: their sums from the left are the
    # errors, and the last sum is the output.
    band = np.searchsorted(np.asarray(thresholds, np.float32), sizes, side="right")
    lost = np.zeros((len(thresholds) + 1, len(product), d), np.float32)
    for first in range(0, config.n_neurons, _ROWS_TOGETHER):
        columns = slice(first, min(first + _ROWS_TOGETHER, config.n_neurons))
        down, values, bands = fmt.unpack(rows[columns], d), product[:, columns], band[:, columns]
        for number, sum_of_band in enumerate(lost):
            sum_of_band += np.where(bands == number, values, 0) @ down
    np.cumsum(lost, axis=0, out=lost)
    output = lost[-1]
    if name + "down_bias" in tensors:
        output = output + tensors[name + "down_bias"][:d]
    return np.square(lost[:-1], dtype=np.float64).sum(axis=(1, 2)), float(np.square(output, dtype=np.float64).sum())


def thresholds_of(sizes: Int64) -> tuple[float, ...]:
    """sizes (bins,) → rising thresholds, edges of bins, at about the shares SILENCED of what is not zero."""
    nonzero = sizes.copy()
    nonzero[0] = 0  # zero, and what is too small to matter in float32
    below = np.cumsum(nonzero)
    if not below[-1]:
        return ()
    bins = np.searchsorted(below, np.asarray(SILENCED) * below[-1]) + 1
    return tuple(_edges()[np.unique(bins)].tolist())


def quantile_of(sizes: Int64, q: float) -> float:
    """sizes (bins,) → the value below which a share q lies, taking values to be spread evenly within a bin."""
    below, edges = np.cumsum(sizes), _edges()
    wanted = q * below[-1]
    number = int(np.searchsorted(below, wanted))
    if number == 0:
        return 0.0
    within = (wanted - below[number - 1]) / sizes[number]
    return float(edges[number] + within * (edges[number + 1] - edges[number]))


def layer_census(config: ModelConfig, sums: Arrays, layer: int, n_tokens: int) -> LayerCensus:
    """The figures of one layer, over n_tokens."""
    n, sizes, fired = config.n_neurons, sums["sizes"][layer], sums["fired"][layer]
    n_active, n_again = sums["again"][layer]
    largest = float(sums["largest"][layer])
    below = np.concatenate([[0], np.cumsum(sizes)])
    thresholds, outputs = thresholds_of(sizes), float(sums["outputs"][layer])
    return LayerCensus(
        zeros=float(sums["zeros"][layer] / (n_tokens * n)),
        silent=float(1 - fired.sum() / (n_tokens * n)),
        magnitudes=(*(min(quantile_of(sizes, q), largest) for q in QUANTILES), largest),
        covering=tuple(covering_share(fired, share) for share in COVERED),
        coverage=coverage_curve(fired),
        overlap=float(n_again / n_active) if n_active else 0.0,
        unions=tuple((sums["united"][layer] / (sums["starts"][layer] * n)).tolist()),
        dead=float(np.count_nonzero(fired == 0) / n),
        always_on=float(np.count_nonzero(fired == n_tokens) / n),
        thresholding=tuple(
            Thresholding(
                threshold, float(below[np.searchsorted(_edges(), threshold)] / (n_tokens * n)),
                float(sums["errors"][layer, number] / outputs) if outputs else 0.0,
            )
            for number, threshold in enumerate(thresholds)
        ),
    )  # fmt: skip


def _edges() -> Float64:
    """(bins + 1,): where each bin begins, and where the last one that is finite ends, which is infinite."""
    bits = np.arange(_N_BINS + 1, dtype=np.int64) << _BIN_SHIFT
    infinite = np.float32(np.inf).view(np.int32)
    return np.asarray(np.minimum(bits, infinite).astype(np.int32).view(np.float32), np.float64)
