"""Which neurons go to the card: the plan with the least predicted time of a decode step, for every budget at once.

Why the programme is exact: time and memory of a step are sums over layers, and what the layers still to be placed can
achieve depends on those before them only through the bytes these took and the side, card or processor, on which they
leave the token's activation; the programme keeps the least time for each number of bytes and each side, and tries every
choice of the next layer on top of it. Two things are discretised: bytes, which each layer rounds up to a unit, so that
no plan is slower than the best without rounding within `n_layers + 2` units less (nothing is lost if the unit divides
all sizes, as a group does where attention has one place and layers are equal and in whole groups), and the neurons of a
layer, which go in groups, so that a plan is slower than the best of single neurons by at most the processor's time for
one group of each layer which that one splits.

Within a layer the hottest neurons go first. Any other choice of as many can be faster only by balancing the two sides
better than the groups do, by less than the card's time for one group.

Source of the idea: PowerInfer (Song et al., 2023), which maximises a sum of firing frequencies with an integer solver.
Here the objective is the time itself, both sides' work, their overlap and the charges of crossing included.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.errors import InvalidRequest, OutOfMemory
from engine.kernels.cuda.ops import PROMPT_UNIT_VALUES
from engine.placement.budget import LayerBytes, ModelBytes
from engine.placement.cost import (
    Counts,
    Float64,
    LayerWork,
    Speeds,
    StepWork,
    dense_seconds,
    layer_seconds,
    step_seconds,
)
from engine.placement.plan import LayerPlacement, PlacementPlan

# The programme tries every choice of a layer in every unit, half of them on average: 180 million take below 0.1 s.
MOST_GROUPS = 9_000
# A prompt's activations are rounded in blocks of so many neurons: a split between two blocks leaves their bits alone.
FEWEST_NEURONS_IN_GROUP = PROMPT_UNIT_VALUES
MOST_UNITS = 16_384  # 20 MiB of tables for 80 layers
MOST_CHOICES_TIMES_UNITS = 180_000_000
_CPU, _CARD = 0, 1


@dataclass(frozen=True, slots=True)
class Strategy:
    """What a plan may choose.

    attention   sides on which a layer's attention may be, and the head: False the processor's, True the card's
    neurons_follow_attention   a layer is whole: its neurons are where its attention is
    """

    name: str
    attention: tuple[bool, ...]
    neurons_follow_attention: bool = False


# Attention, head, predictors and cache together on one side, neurons anywhere.
DENSE_ON_CARD = Strategy("dense on card", (True,))
DENSE_ON_CPU = Strategy("dense on cpu", (False,))
# Each layer's attention anywhere, too: but for the rounding of bytes never slower than any of the others.
BY_LAYER = Strategy("by layer", (False, True))
# For comparison. Whole layers is the split of llama.cpp; here they still skip silent neurons, as all strategies do.
WHOLE_LAYERS = Strategy("whole layers", (False, True), neurons_follow_attention=True)
CARD_ONLY = Strategy("card only", (True,), neurons_follow_attention=True)
CPU_ONLY = Strategy("cpu only", (False,), neurons_follow_attention=True)
BASELINES = (WHOLE_LAYERS, CARD_ONLY, CPU_ONLY)


def neurons_in_group(n_layers: int, n_neurons: int) -> int:
    """The smallest power of two, from FEWEST_NEURONS_IN_GROUP, with which the model has at most MOST_GROUPS groups."""
    group = FEWEST_NEURONS_IN_GROUP
    while n_layers * -(-n_neurons // group) > MOST_GROUPS:
        group *= 2
    return group


def plan_curve(
    model: ModelBytes, work: StepWork, speeds: Speeds, strategy: Strategy = DENSE_ON_CARD, *, group: int | None = None
) -> "PlanCurve":
    """The best plan of a strategy for every budget: one run of the programme.

    `group` is the number of neurons that are placed together, `neurons_in_group` by default. It must not change while a
    model is loaded, if plans are to be compared by the memory they move.
    """
    if len(model.layers) != len(work.layers):
        raise InvalidRequest("layers", str(len(work.layers)), str(len(model.layers)))
    for placed, layer in zip(model.layers, work.layers, strict=True):
        if placed.n_neurons != layer.n_neurons:
            raise InvalidRequest("neurons", str(layer.n_neurons), str(placed.n_neurons))
    if group is None:
        group = neurons_in_group(len(model.layers), max(layer.n_neurons for layer in model.layers))
    if group < 1:
        raise InvalidRequest("group", str(group), "1 or more")
    stages = [
        *(
            _layer_stage(placed, layer, speeds, strategy, group)
            for placed, layer in zip(model.layers, work.layers, strict=True)
        ),
        _head_stage(model.head, work.head, speeds, strategy),
    ]
    unit = _unit(stages, {min(group, layer.n_neurons) * layer.neuron for layer in model.layers})
    tables = _least_seconds(stages, unit, speeds)
    return PlanCurve(model, work, speeds, strategy, tuple(stages), unit, tuple(tables))


def fastest(plans: Iterable[PlacementPlan]) -> PlacementPlan:
    """The plan with the least predicted time, the first among equals."""
    return min(plans, key=lambda plan: plan.step_s)


@dataclass(frozen=True, slots=True, eq=False)
class PlanCurve:
    """The best plan for every budget, a budget being the bytes that Ember may take on the card, overhead included.

    unit    bytes in which the programme counts
    tables  for the beginning and after each stage (2, units + 1) float64: the least seconds with the token's activation
            on the processor's and on the card's side, within so many units beyond what the strategy always takes
    """

    model: ModelBytes
    work: StepWork
    speeds: Speeds
    strategy: Strategy
    stages: tuple["_Stage", ...]
    unit: int
    tables: tuple[Float64, ...]

    @property
    def least_bytes(self) -> int:
        """The smallest budget for which there is a plan: 0 where everything may be left to the processor."""
        return 0 if False in self.strategy.attention else self._least_on_card

    def seconds(self, budgets: Counts) -> Float64:
        """Predicted seconds of a decode step for each budget in bytes, inf below `least_bytes`; shaped as `budgets`."""
        units = (budgets - self._least_on_card) // self.unit
        totals = self._totals()
        on_card = totals[np.clip(units, 0, len(totals) - 1)]
        return np.where(units >= 0, on_card, self._idle().step_s if not self.least_bytes else np.inf)

    def points(self) -> tuple[Counts, Float64]:
        """(k,) ascending budgets in bytes at which the prediction changes, and (k,) seconds of a step from there on."""
        totals = self._totals()
        changes = np.concatenate(([0], np.flatnonzero(np.diff(totals) < 0) + 1))
        budgets = self._least_on_card + changes * self.unit
        seconds = totals[changes]
        if self.least_bytes == 0 and budgets[0] > 0:
            faster = seconds < self._idle().step_s
            budgets = np.concatenate(([0], budgets[faster]))
            seconds = np.concatenate(([self._idle().step_s], seconds[faster]))
        return budgets, seconds

    def plan(self, budget: int) -> PlacementPlan:
        """The fastest plan within `budget` bytes; among equally fast ones always the same.

        Raises OutOfMemory below `least_bytes`.
        """
        if budget < self._least_on_card:
            if False in self.strategy.attention:
                return self._idle()
            whole = self.strategy.neurons_follow_attention
            what = "all of the model on the card" if whole else "attention, head and KV cache on the card"
            raise OutOfMemory(what, self.least_bytes, max(0, budget))
        units = min((budget - self._least_on_card) // self.unit, self.tables[0].shape[1] - 1)
        return self._trace(int(units))

    @property
    def _least_on_card(self) -> int:
        return self.model.overhead + sum(stage.least_bytes for stage in self.stages)

    def _totals(self) -> Float64:
        """(units + 1,) seconds of a whole step: the token's activation, then logits, are wanted in main memory."""
        return _entered(self.tables[-1], _CPU, self.speeds.crossing)

    def _idle(self) -> PlacementPlan:
        """The plan that leaves the card alone."""
        layers = tuple(LayerPlacement(False, 0, layer.n_neurons) for layer in self.model.layers)
        seconds = step_seconds(self.work, self.speeds, PlacementPlan(self.strategy.name, layers, False, 0.0))
        return PlacementPlan(self.strategy.name, layers, False, seconds)

    def _trace(self, units: int) -> PlacementPlan:
        """Follow the table back from the end: at each stage the choice that gave the least time."""
        crossing, last = self.speeds.crossing, self.tables[-1][:, units]
        side = _CPU if last[_CPU] <= last[_CARD] + crossing else _CARD
        step_s = float(self._totals()[units])
        found: list[tuple[int, int]] = []
        for stage, before in zip(reversed(self.stages), reversed(self.tables[:-1]), strict=True):
            least, attention, count, weight = np.inf, _CPU, 0, 0
            for choices in stage.choices:
                if choices.end != side:
                    continue
                weights = _in_units(choices.n_bytes - stage.least_bytes, self.unit)
                left = units - weights[weights <= units]
                entered = _entered(before[:, left], choices.attention, crossing)
                seconds = entered + choices.seconds[: len(left)]
                if len(left) and seconds.min() < least:
                    best = int(seconds.argmin())
                    least, attention = float(seconds[best]), choices.attention
                    count, weight = int(choices.counts[best]), int(weights[best])
            units -= weight
            stays = before[attention, units] <= before[1 - attention, units] + crossing
            side = attention if stays else 1 - attention
            found.append((attention, count))
        (head, _), *layers = found
        placed = tuple(
            LayerPlacement(attention == _CARD, count, layer.n_neurons)
            for (attention, count), layer in zip(reversed(layers), self.model.layers, strict=True)
        )
        return PlacementPlan(self.strategy.name, placed, head == _CARD, step_s)


# The programme ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    """Choices that want a token's activation on side `attention` and leave it on side `end`; (k,) each, bytes rising.

    counts   hot neurons; 0 for the head
    n_bytes  on the card
    seconds  the crossing between the sides included, where they differ
    """

    attention: int
    end: int
    counts: Counts
    n_bytes: Counts
    seconds: Float64


@dataclass(frozen=True, slots=True, eq=False)
class _Stage:
    """A layer, or the head at the end; `least_bytes` are on the card whatever is chosen."""

    choices: tuple[_Choices, ...]

    @property
    def least_bytes(self) -> int:
        return min(int(choices.n_bytes[0]) for choices in self.choices)


def _layer_stage(placed: LayerBytes, work: LayerWork, speeds: Speeds, strategy: Strategy, group: int) -> _Stage:
    n = placed.n_neurons
    choices = []
    for on_card in strategy.attention:
        if strategy.neurons_follow_attention:
            counts = np.array([n if on_card else 0])
        else:
            counts = np.append(np.arange(0, n, group), n)
        seconds = layer_seconds(work, speeds, attention_on_card=on_card, counts=counts)
        n_bytes = placed.neuron * counts + (placed.with_attention if on_card else 0)
        ends = np.where(counts == 0, _CPU, np.where(counts == n, _CARD, int(on_card)))
        for end in (_CPU, _CARD):
            which = ends == end
            if which.any():
                crossing = speeds.crossing if end != on_card else 0.0
                choices.append(_worthwhile(int(on_card), end, counts[which], n_bytes[which], seconds[which] + crossing))
    return _Stage(tuple(choices))


def _worthwhile(attention: int, end: int, counts: Counts, n_bytes: Counts, seconds: Float64) -> _Choices:
    """Without those that take more bytes and no less time than another: they are in no better plan."""
    before = np.concatenate(([np.inf], np.minimum.accumulate(seconds)[:-1]))
    kept = seconds < before
    return _Choices(attention, end, counts[kept], n_bytes[kept], seconds[kept])


def _head_stage(head_bytes: int, head_work: float, speeds: Speeds, strategy: Strategy) -> _Stage:
    return _Stage(
        tuple(
            _Choices(
                int(on_card), int(on_card), np.array([0]), np.array([head_bytes if on_card else 0]),
                np.array([dense_seconds(head_work, speeds, on_card=on_card)]),
            )
            for on_card in strategy.attention
        )
    )  # fmt: skip


def _unit(stages: list[_Stage], group_bytes: set[int]) -> int:
    """Bytes in which to count: a divisor of all sizes where that makes few enough units.

    Otherwise the part of a group or of a whole stage with which the stages round up least; layers of equal size then
    round nothing, or all the same.
    """
    spans = [np.concatenate([choices.n_bytes for choices in stage.choices]) - stage.least_bytes for stage in stages]
    every = np.concatenate(spans)
    starts = np.cumsum([0, *(len(sizes) for sizes in spans[:-1])])
    wholes = np.maximum.reduceat(every, starts)
    total = int(wholes.sum())
    divisor = max(1, int(np.gcd.reduce(every)))
    least = -(-total // min(MOST_UNITS, MOST_CHOICES_TIMES_UNITS // len(every)))
    if divisor >= least:
        return divisor
    units = {-(-size // part) for size in (min(group_bytes), max(group_bytes)) for part in range(1, 9)}
    units |= {-(-size // max(1, size // least)) for size in (int(wholes.min()), int(wholes.max()))}

    def rounding(unit: int) -> int:
        return int(np.maximum.reduceat(_in_units(every, unit) * unit - every, starts).sum())

    return min((unit for unit in {*units, least} if unit >= least), key=lambda unit: (rounding(unit), -unit))


def _in_units(n_bytes: Counts, unit: int) -> Counts:
    return -(-n_bytes // unit)


def _entered(seconds: Float64, side: int, crossing: float) -> Float64:
    """The least seconds after which a token's activation is on `side`; `seconds` (2, k) by the side where it was."""
    least: Float64 = np.minimum(seconds[side], seconds[1 - side] + crossing)
    return least


def _least_seconds(stages: list[_Stage], unit: int, speeds: Speeds) -> list[Float64]:
    """The tables of `PlanCurve`. A stage adds to what lay before it; beyond all that could be used nothing changes."""
    weights = [[_in_units(choices.n_bytes - stage.least_bytes, unit) for choices in stage.choices] for stage in stages]
    reaches = np.cumsum([max(int(chosen[-1]) for chosen in stage) for stage in weights])
    units = int(reaches[-1])
    table = np.full((2, units + 1), np.inf)
    table[_CPU] = speeds.token
    tables, spare = [table], np.empty(units + 1)
    for stage, chosen, reach in zip(stages, weights, reaches, strict=True):
        before, table = table, np.full((2, units + 1), np.inf)
        entered = [_entered(before[:, : reach + 1], side, speeds.crossing) for side in (_CPU, _CARD)]
        for choices, taken in zip(stage.choices, chosen, strict=True):
            start, end = entered[choices.attention], table[choices.end, : reach + 1]
            for weight, seconds in zip(taken.tolist(), choices.seconds.tolist(), strict=True):
                length = reach + 1 - weight
                np.add(start[:length], seconds, out=spare[:length])
                np.minimum(end[weight:], spare[:length], out=end[weight:])
        table[:, reach + 1 :] = table[:, reach : reach + 1]
        tables.append(table)
    return tables
