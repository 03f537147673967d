"""What each budget of a card's memory would buy for a model, before anything is loaded, and the plan for one of them.

Puts together what the other modules of this package know: the bytes of a model's parts (`budget.py`), what a step reads
of them (from how often each neuron fires), the measured speeds (`cost.py`), and the planner's curves. The firing of
neurons comes as plain arrays; where they are kept is not known here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidRequest, OutOfMemory
from engine.kernels.cpu.feed_forward import DENSE_ABOVE
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats
from engine.placement.budget import CardMemory, MemoryAccount, ModelBytes, plan_bytes
from engine.placement.cost import (
    Float64,
    LayerWork,
    ReadRates,
    StepWork,
    cpu_rates,
    firing_from_coverage,
    hot_share,
    neuron_work,
    processor_seconds,
    speeds_of,
)
from engine.placement.plan import LayerPlacement, PlacementPlan, hottest_first
from engine.placement.planner import (
    BASELINES,
    BY_LAYER,
    CPU_ONLY,
    DENSE_ON_CARD,
    PlanCurve,
    Strategy,
    plan_curve,
)
from engine.placement_reports import BudgetPoint, MachineSpeeds, PlacementOffer

PROFILE, CENSUS, EVEN = "profile", "census", "even"
# What a context with the compiled modules takes on a card, until this machine has measured its own (`speeds_file.py`).
CONTEXT_BYTES_ESTIMATE = 512 << 20
# Tokens in the cache for which a step's time is predicted, as in docs/benchmarks.md.
DEPTH_TOKENS = 512
# Budgets of a curve, from nothing on the card to all of the model.
N_POINTS = 41

Order = NDArray[np.int32]


# How often neurons fire -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class FiringShares:
    """Of each layer's neurons, hottest first, the share of the tokens at which each is read.

    basis   where it is from: "profile", "census" or "even"
    named   (layers, n): its first row is read
    fired   (layers, n): its other rows are read
    """

    basis: str
    named: Float64
    fired: Float64

    def __post_init__(self) -> None:
        if self.basis not in (PROFILE, CENSUS, EVEN):
            raise InvalidRequest("basis", self.basis, ", ".join((PROFILE, CENSUS, EVEN)))
        if self.named.shape != self.fired.shape or self.fired.ndim != 2:
            raise InvalidRequest("fired", str(self.fired.shape), f"one row a layer, as {self.named.shape}")


def shares_from_counts(rates: Float64, order: Order | None = None, named: Float64 | None = None) -> FiringShares:
    """From a profile: rates (layers, n) is the share of tokens at which each neuron fires, row i that of layer i.

    order  (layers, n) the neurons' order in memory where it is given, as of a loaded model; otherwise by their rates
    named  (layers, n) the share at which a predictor names each; all of them, always, without one

    Rates of counts in which less has been seen than once a token may be sums of several kinds of text.
    """
    if order is None:
        order = np.stack([hottest_first(layer) for layer in rates])
    fired = np.take_along_axis(rates, order.astype(np.int64), axis=1)
    first = np.ones(fired.shape) if named is None else np.take_along_axis(named, order.astype(np.int64), axis=1)
    return FiringShares(PROFILE, np.maximum(first, fired), fired)


def shares_from_coverage(
    coverage: Sequence[Sequence[float]], active: Sequence[float], n_neurons: int
) -> FiringShares:  # fmt: skip
    """From a census: for each layer the coverage curve and the share of its neurons that fire for a token."""
    fired = np.stack(
        [firing_from_coverage(curve, share, n_neurons) for curve, share in zip(coverage, active, strict=True)]
    )
    return FiringShares(CENSUS, np.ones(fired.shape), fired)


def even_shares(n_layers: int, n_neurons: int) -> FiringShares:
    """Nothing is known, or no neuron can be silent: all of them are read for every token."""
    everything = np.ones((n_layers, n_neurons))
    return FiringShares(EVEN, everything, everything)


def coarse_named(named: Sequence[float], n_neurons: int) -> Float64:
    """(layers, n) from the share of its neurons that each layer's predictor names, where no more is known."""
    return np.repeat(np.asarray(named, np.float64)[:, None], n_neurons, axis=1)


# A model ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class ModelCosts:
    """What a model takes on a card, and what a step reads of it.

    share_whole  of the neurons' bytes, the share that is read as a whole rather than picked row by row
    """

    placed: ModelBytes
    work: StepWork
    share_whole: float
    basis: str


def model_costs(
    config: ModelConfig, parts: PartFormats, placed: ModelBytes, shares: FiringShares, *, context_tokens: int,
    depth_tokens: int = DEPTH_TOKENS,
) -> ModelCosts:  # fmt: skip
    """`placed` as `budget.model_bytes` for a cache of `context_tokens`, of which `depth_tokens` are taken to be filled.

    Predictors lie on the card and are read by none but a tier's step, which is not what is predicted here.
    """
    expected = config.n_layers, config.n_neurons
    if shares.fired.shape != expected:
        raise InvalidRequest("fired", str(shares.fired.shape), str(expected))
    first = parts.of("gate") if config.is_gated else parts.of_up(config)
    rest = parts.of("down").stride(config.width)
    if config.is_gated:
        rest += parts.of_up(config).stride(config.width)
    seen = min(depth_tokens, context_tokens, config.window or context_tokens) / context_tokens
    layers, whole, everything = [], 0.0, 0.0
    for layer, named, fired in zip(placed.layers, shares.named, shares.fired, strict=True):
        read = neuron_work(named, fired, first.stride(config.width), rest)
        layers.append(LayerWork(layer.attention + layer.kv_cache * seen, read))
        everything += float(read.sum())
        if fired.mean() > DENSE_ABOVE:
            whole += float(read.sum())
        elif named.min() >= 1.0:
            whole += float(first.stride(config.width)) * len(named)
    share_whole = whole / everything if everything else 1.0
    return ModelCosts(placed, StepWork(tuple(layers), float(placed.head)), share_whole, shares.basis)


# Budgets ----------------------------------------------------------------------------------------------------------


class Placer:
    """The plans of one model on one machine, for every budget.

    speeds  measured; or of an assumed card
    memory  the card's; None where there is none: then everything is the processor's
    """

    def __init__(
        self, costs: ModelCosts, speeds: MachineSpeeds, memory: CardMemory | None, n_threads: int | None = None
    ) -> None:
        self.costs = costs
        self.memory = memory
        self.speeds = speeds
        self._n_threads = n_threads
        self._made: tuple[PlanCurve, ...] = ()

    def with_memory(self, memory: CardMemory) -> "Placer":
        """The same plans on the same card, as its memory is now: nothing is planned anew."""
        other = Placer(self.costs, self.speeds, memory, self._n_threads)
        other._made = self._curves
        return other

    @property
    def _curves(self) -> tuple[PlanCurve, ...]:
        """Of the strategies that plans are chosen from; none without a card."""
        if not self._made and self.memory is not None:
            self._made = tuple(self._curve(strategy) for strategy in (DENSE_ON_CARD, BY_LAYER))
        return self._made

    @property
    def most_bytes(self) -> int:
        """What Ember may take of the card now."""
        return self.memory.available if self.memory else 0

    @cached_property
    def recommended_bytes(self) -> int:
        """The least budget that is as fast as all that may be taken; 0 where the card brings nothing."""
        if not self._curves:
            return 0
        _, seconds = self._best_seconds(np.array([self.most_bytes]))
        changes = np.unique(np.concatenate([curve.points()[0] for curve in self._curves]))
        changes = changes[changes <= self.most_bytes]
        _, reached = self._best_seconds(changes)
        return int(changes[int(np.argmax(reached <= seconds[0]))]) if len(changes) else 0

    def checked(self, budget: int) -> int:
        """The budget, where it may be taken now; 0 without a card.

        Raises InvalidRequest below 0, OutOfMemory for more than the card has.
        """
        if budget < 0:
            raise InvalidRequest("vram_bytes", str(budget), "0 or more")
        if self.memory is None:
            return 0
        if budget > self.most_bytes:
            raise OutOfMemory("card", budget, self.most_bytes)
        return budget

    def plan_for(self, budget: int) -> PlacementPlan:
        """The fastest plan within so many bytes of the card; the first among equals leaves the card alone."""
        chosen, _ = self._best_seconds(np.array([budget]))
        return self._plan(int(chosen[0]), budget)

    def plan_by(self, strategy: Strategy, budget: int) -> PlacementPlan:
        """The fastest plan of one strategy, for comparison. Raises OutOfMemory where it has none within the budget."""
        return self._curve(strategy).plan(budget)

    def account_for(self, plan: PlacementPlan) -> MemoryAccount | None:
        """None without a card. Raises OutOfMemory where the plan exceeds what may be taken now."""
        return MemoryAccount(self.memory, plan_bytes(self.costs.placed, plan)) if self.memory else None

    def point(self, budget: int, plan: PlacementPlan) -> BudgetPoint:
        return BudgetPoint(
            budget_bytes=budget,
            tokens_per_s=plan.tokens_per_s,
            hot_share=hot_share(self.costs.work, plan),
            attention_on_card=sum(layer.attention_on_card for layer in plan.layers),
            n_split=plan.n_split,
            strategy=plan.strategy,
        )

    def points(self) -> tuple[BudgetPoint, ...]:
        """From nothing on the card to all of the model, or of the card where that is less."""
        budgets = np.zeros(1, np.int64)
        if self.memory is not None:
            most = max(0, self.memory.device - self.memory.reserve)
            most = min(self.costs.placed.total, most)
            marks = [mark for mark in (self.most_bytes, self.recommended_bytes) if mark < most]
            budgets = np.unique(np.concatenate([np.linspace(0, most, N_POINTS).astype(np.int64), marks])).astype(
                np.int64
            )
        chosen, _ = self._best_seconds(budgets)
        return tuple(
            self.point(budget, self._plan(curve, budget))
            for curve, budget in zip(chosen.tolist(), budgets.tolist(), strict=True)
        )

    def baselines(self, budget: int) -> tuple[tuple[str, float], ...]:
        """(strategy, tokens/s) within a budget; a strategy that has no plan within it is left out."""
        if not self._curves:
            return ((CPU_ONLY.name, 1.0 / self._processor_s),)
        curves = [(strategy, self._curve(strategy)) for strategy in BASELINES]
        return tuple((s.name, c.plan(budget).tokens_per_s) for s, c in curves if c.least_bytes <= budget)

    def offer(
        self, model_id: str, *, context_tokens: int, card_uuid: str, memory_bytes: int, memory_free_bytes: int,
        wanted_bytes: int | None = None, assumed: str = "",
    ) -> PlacementOffer:  # fmt: skip
        """The whole curve, with the account of `wanted_bytes` or of what is recommended, and other ways to use as much.

        Raises OutOfMemory where more is wanted than may be taken.
        """
        budget = self.recommended_bytes if wanted_bytes is None else self.checked(wanted_bytes)
        plan = self.plan_for(budget)
        account = self.account_for(plan)
        return PlacementOffer(
            model_id=model_id,
            context_tokens=context_tokens,
            card_uuid=card_uuid,
            points=self.points(),
            baselines=self.baselines(self.most_bytes if wanted_bytes is None else budget),
            most_bytes=self.most_bytes,
            recommended_bytes=self.recommended_bytes,
            basis=self.costs.basis,
            memory_bytes=memory_bytes,
            memory_free_bytes=memory_free_bytes,
            chosen=self.point(budget, plan),
            account=account.entries if account else (),
            assumed=assumed,
            asked_bytes=None if wanted_bytes is None else budget,
        )

    def _curve(self, strategy: Strategy) -> PlanCurve:
        speeds = speeds_of(self.speeds, self.costs.share_whole, self._n_threads)
        return plan_curve(self.costs.placed, self.costs.work, speeds, strategy)

    def _best_seconds(self, budgets: NDArray[np.int64]) -> tuple[NDArray[np.int64], Float64]:
        """For each budget the curve that is fastest, -1 for the card left alone, and its seconds."""
        alone = np.full(budgets.shape, self._processor_s)
        seconds = np.stack([alone, *(curve.seconds(budgets) for curve in self._curves)])
        best = seconds.argmin(axis=0)
        return best - 1, np.take_along_axis(seconds, best[None], axis=0)[0]

    def _plan(self, curve: int, budget: int) -> PlacementPlan:
        return self._curves[curve].plan(budget) if curve >= 0 else self._idle

    @cached_property
    def _idle(self) -> PlacementPlan:
        layers = tuple(LayerPlacement(False, 0, layer.n_neurons) for layer in self.costs.placed.layers)
        return PlacementPlan(CPU_ONLY.name, layers, False, self._processor_s)

    @cached_property
    def _processor_s(self) -> float:
        rates: ReadRates = cpu_rates(self.speeds, self._n_threads)
        return processor_seconds(self.costs.work, rates, self.costs.share_whole)
