"""Which option each layer of a tier takes: greedily by bytes saved for the divergence added, as far as the limit lets.

Owns the order in which layers give up a little more, and the search for how far along it a tier may go. What each
option costs alone is given; what they cost together is not their sum, so that it is measured again and again by whoever
asks, and only a choice that was measured to be within its aim is ever taken.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.neurons.tier_options import LEAST_LOST, Option, upper_hull

# Times that choices are measured together, each time a few that seem near an aim.
MOST_SWEEPS = 4
# A choice that comes so close to its aim is not bettered.
_CLOSE = 0.95
# Budgets that are tried first, as shares of the aim: divergences of layers seldom just add up.
_FIRST_TRIES = (0.4, 0.6, 0.8, 1.0, 1.4)

# Which of a layer's options are run alone.
_MEASURED_AT = (0.0, 0.6, 1.0)

# Numbers of steps to measure → for each the upper bound of the mean KL.
MeasureTogether = Callable[[Sequence[int]], Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class Step:
    """A layer goes on to a further option; the sums are over all layers after this step."""

    layer: int
    option: int
    saved_bytes: float
    predicted_kl: float


def interpolated(options: Sequence[Option], measured: Mapping[int, float]) -> list[float]:
    """The KL of each option, from those of `measured_options`.

    Small losses move the predictions in proportion to their squares, so that up to the middle option the KL is taken to
    be proportional to what is lost, and beyond it linear in logarithms. Of each measured KL the part is taken away that
    is there however little is lost: where weights are rounded any change makes everything after it round differently,
    which a tier pays once and not in every layer.
    """
    lost = [max(option.lost, LEAST_LOST) for option in options]
    if len(measured) < len(_MEASURED_AT):
        return [max(measured[i], LEAST_LOST) for i in range(len(options))]
    first, middle, last = sorted(measured)
    share = lost[first] / lost[middle]
    floor = max(0.0, (measured[first] - share * measured[middle]) / (1 - share)) if share < 1 else 0.0
    at_middle, at_last = (max(measured[i] - floor, LEAST_LOST) for i in (middle, last))
    beyond = np.interp(np.log(lost), np.log([lost[middle], lost[last]]), np.log([at_middle, at_last]))
    return [
        at_middle * each / lost[middle] if each <= lost[middle] else math.exp(log_kl)
        for each, log_kl in zip(lost, beyond, strict=True)
    ]


def measured_options(options: Sequence[Option]) -> list[int]:
    """Of a layer's options those whose KL is worth a run of its own: the first, the middle and the last."""
    n = len(options)
    return sorted({round(share * (n - 1)) for share in _MEASURED_AT}) if n else []


def greedy_steps(layers: Sequence[Sequence[tuple[float, float]]]) -> list[Step]:
    """By layer and option, (KL, saved bytes) → all steps in the order of what each saves for the KL it adds."""
    increments = []
    for layer, options in enumerate(layers):
        kl_before = saved_before = 0.0
        for option in upper_hull(options):
            kl, saved = options[option]
            rate = (saved - saved_before) / max(kl - kl_before, LEAST_LOST)
            increments.append((-rate, layer, option, saved - saved_before, kl - kl_before))
            kl_before, saved_before = kl, saved
    steps, saved_bytes, predicted_kl = [], 0.0, 0.0
    for _, layer, option, saved, kl in sorted(increments):
        saved_bytes, predicted_kl = saved_bytes + saved, predicted_kl + kl
        steps.append(Step(layer, option, saved_bytes, predicted_kl))
    return steps


def options_after(steps: Sequence[Step], n_steps: int) -> dict[int, int]:
    """The option of each layer that has one after so many steps."""
    return {step.layer: step.option for step in steps[:n_steps]}


def largest_within(
    aims: Mapping[str, float], steps: Sequence[Step], together: MeasureTogether
) -> tuple[dict[str, int], dict[int, float]]:
    """For each aim the most steps found whose bound does not exceed it, 0 where there are none; and all bounds.

    A number of steps that was not measured is never returned, but for 0, which loses nothing.
    """
    predicted, bounds = [0.0, *(step.predicted_kl for step in steps)], {0: 0.0}
    for _ in range(MOST_SWEEPS):
        wanted = {m for aim in aims.values() for m in _tries(predicted, bounds, aim)} - bounds.keys()
        if not wanted:
            break
        bounds.update(together(sorted(wanted)))
    return {name: _best(bounds, aim) for name, aim in aims.items()}, bounds


def _best(bounds: Mapping[int, float], aim: float) -> int:
    return max(m for m, bound in bounds.items() if bound <= aim)


def _tries(predicted: Sequence[float], bounds: Mapping[int, float], aim: float) -> set[int]:
    """Numbers of steps that may come nearer to the aim than what was measured."""
    best, last = _best(bounds, aim), len(predicted) - 1
    if len(bounds) == 1:
        return {_steps_for(predicted, share * aim) for share in _FIRST_TRIES}
    beyond = min((m for m in bounds if m > best), default=None)
    if bounds[best] >= _CLOSE * aim or best == last or beyond == best + 1:
        return set()
    if beyond is None:
        scale = predicted[best] / bounds[best] if bounds[best] > 0 and predicted[best] > 0 else 1.0
        return {min(last, max(best + 1, _steps_for(predicted, scale * aim * more))) for more in (1.0, 1.4)}
    slope = (predicted[beyond] - predicted[best]) / max(bounds[beyond] - bounds[best], LEAST_LOST)
    budget = predicted[best] + slope * (aim - bounds[best])
    tries = (_steps_for(predicted, budget), _steps_for(predicted, (predicted[best] + budget) / 2))
    return {min(beyond - 1, max(best + 1, m)) for m in tries}


def _steps_for(predicted: Sequence[float], budget: float) -> int:
    """The most steps whose predicted KL does not exceed the budget."""
    return int(np.searchsorted(predicted, budget, side="right")) - 1
