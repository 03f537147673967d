"""Sign predictors that need no training: which constant each neuron's count of agreeing signs is compared with.

Owns that calibration alone. A count says how likely a neuron is to be active, but not equally for all: a neuron that
fires seldom needs more agreement. With one slope a for the whole layer and a constant b for each neuron,
a · count + b is fitted to the logarithm of the importance to be expected, by Newton's method on the loss of
`training.py`; the constants are then b / a, so that the counts themselves stay whole numbers. They are taken where they
find the importance of other text with fewer neurons named than one constant for all does.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32
from engine.model.predictors import LayerPredictor, sign_predictor
from engine.neurons.collect import LayerRecord
from engine.neurons.predictors import thresholds_for
from engine.neurons.training import AIM, balanced_factor, importance_weights, named_share

# Tokens that are fitted to, spread over those given, and rounds of Newton's method.
FITTED_TOKENS = 8192
_ROUNDS = 6
# Pull of each constant towards 0, in tokens; and the longest step, in units of the score.
_PRIOR_TOKENS = 4.0
_LONGEST_STEP = 2.0
_TOGETHER = 1024

Float64 = NDArray[np.float64]


def fitted_signs(record: LayerRecord, first_rows: Float32, learned: slice, checked: slice) -> LayerPredictor:
    """The sign predictor of a layer; first_rows (n, d) are those of its first product."""
    plain = sign_predictor(first_rows, np.zeros(len(first_rows), np.float32))
    constants = _fitted_constants(plain, record, learned)
    fitted = replace(plain, bias=constants)
    x, importance = record.part(plain.reads, checked)
    counts = plain.scores(x)
    is_better = named_share(counts + constants, importance) < named_share(counts, importance)
    return fitted if is_better else plain


def _fitted_constants(plain: LayerPredictor, record: LayerRecord, learned: slice) -> Float32:
    """(n,): b / a, with its mean taken out."""
    step = max(1, (learned.stop - learned.start) // FITTED_TOKENS)
    sample = slice(learned.start, learned.stop, step)
    x, importance = record.part(plain.reads, sample)
    counts = plain.scores(x)
    spread = float(counts.std()) or 1.0
    threshold = thresholds_for(counts, importance, (AIM,))[0]
    counts = (counts - np.float32(threshold)) / np.float32(spread)
    weights = importance_weights(record, learned).take(record.codes[sample])
    weights *= np.float32(balanced_factor(counts, weights))
    slope, constants = 1.0, np.zeros(counts.shape[1])
    for _ in range(_ROUNDS):
        pulls, curves, slope_pull, slope_curve = _derivatives(counts, weights, slope, constants)
        pulls += _PRIOR_TOKENS * constants
        constants -= np.clip(pulls / (curves + _PRIOR_TOKENS), -_LONGEST_STEP, _LONGEST_STEP)
        change = slope_pull / max(slope_curve, 1e-12)
        slope = max(slope - float(np.clip(change, -slope / 2, slope)), 1e-3)
    in_counts = constants / slope * spread
    return np.asarray(in_counts - in_counts.mean(), np.float32)


def _derivatives(
    counts: Float32, weights: Float32, slope: float, constants: Float64
) -> tuple[Float64, Float64, float, float]:
    """First and second derivatives of the loss, by each constant and by the slope."""
    pulls, curves, slope_pull, slope_curve = np.zeros(len(constants)), np.zeros(len(constants)), 0.0, 0.0
    for first in range(0, len(counts), _TOGETHER):
        c, w = counts[first : first + _TOGETHER], weights[first : first + _TOGETHER]
        with np.errstate(over="ignore"):
            chance = 1 / (1 + np.exp(-(np.float32(slope) * c + constants.astype(np.float32))))
        pull = chance * (1 + w) - w
        curve = chance * (1 - chance) * (1 + w)
        pulls += pull.sum(axis=0, dtype=np.float64)
        curves += curve.sum(axis=0, dtype=np.float64)
        slope_pull += float((pull * c).sum(dtype=np.float64))
        slope_curve += float((curve * c * c).sum(dtype=np.float64))
    return pulls, curves, slope_pull, slope_curve
