"""Which neurons are active for a token, and how activity is spread over the neurons of a layer.

Where neurons can be silent, those are active whose product is not zero. Elsewhere (SiLU) nothing is ever exactly zero;
there those count that are among the largest products of their token which together carry `CARRYING` of the squares.
*Activity* is any measure of a neuron that is 0 or more and may be added up, as a rule at how many tokens it was active.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32, Int64

# Of a token's squared products, what its active neurons carry where no neuron is ever silent.
CARRYING = 0.95
# Shares of the neurons at which a coverage curve is given: 0, 5, 10 … 100 %.
COVERAGE_STEPS = 20
# Neurons that carry so much of the activity are hot.
HOT_SHARE = 0.8

Activity = NDArray[Any]
_TOKENS_TOGETHER = 64
_ROUNDING = 1e-12


def active_neurons(product: Float32, is_sparse: bool) -> NDArray[np.bool_]:
    """product (t, n): what the down product multiplies → (t, n).

    Without sparsity equal products are active or not together, and a token whose products are all zero has none.
    """
    if is_sparse:
        return np.asarray(product != 0)
    active = np.empty(product.shape, np.bool_)
    for first in range(0, len(product), _TOKENS_TOGETHER):
        magnitudes = np.abs(product[first : first + _TOKENS_TOGETHER])
        ordered = np.sort(magnitudes, axis=1)
        carried = np.cumsum(np.square(ordered, dtype=np.float64), axis=1)
        n_silent = np.count_nonzero(carried <= (1 - CARRYING) * carried[:, -1:], axis=1)
        smallest = np.take_along_axis(ordered, np.minimum(n_silent, product.shape[1] - 1)[:, None], axis=1)
        active[first : first + _TOKENS_TOGETHER] = (magnitudes >= smallest) & (magnitudes > 0)
    return active


def carried_by_most_active(activity: Activity) -> NDArray[np.float64]:
    """activity (n,) → (n + 1,): share that the k most active neurons carry, for k from 0; zeros where there is none."""
    carried = np.zeros(len(activity) + 1)
    np.cumsum(np.sort(activity)[::-1], dtype=np.float64, out=carried[1:])
    return np.asarray(carried / carried[-1] if carried[-1] > 0 else carried)


def coverage_curve(activity: Activity) -> tuple[float, ...]:
    """activity (n,) → the share that the most active 0, 5, 10 … 100 % carry, between whole neurons by their share."""
    carried = carried_by_most_active(activity)
    at = np.arange(COVERAGE_STEPS + 1) / COVERAGE_STEPS * len(activity)
    return tuple(np.interp(at, np.arange(len(carried)), carried).tolist())


def covering_share(activity: Activity, share: float) -> float:
    """The smallest share of the neurons, most active first, that carries `share` of the activity; 0 where there is
    none."""
    return _n_covering(activity, share) / len(activity)


def hot_set(activity: Activity, share: float = HOT_SHARE) -> Int64:
    """activity (n,) → numbers of the fewest neurons that carry `share` of it, the most active first.

    Of equally active ones those with the lower numbers are taken.
    """
    return np.argsort(-activity, kind="stable")[: _n_covering(activity, share)]


def jaccard(one: Int64, other: Int64) -> float:
    """Jaccard index of two sets of neurons: of those in either, the share in both; 1 where both are empty."""
    either = len(np.union1d(one, other))
    return len(np.intersect1d(one, other)) / either if either else 1.0


def _n_covering(activity: Activity, share: float) -> int:
    carried = carried_by_most_active(activity)
    return int(np.argmax(carried >= share * (1 - _ROUNDING))) if carried[-1] > 0 else 0
