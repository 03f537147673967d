"""A loaded model's time with a card: what is on it now, how that changes while answers run, and what happens when the
card fails.

Owns the moves from one placement to another, in slices between tokens: what leaves goes first, so that there is room
for what comes; only the difference is moved, and after each slice the placement is a whole one that steps can use. Rows
that become cold are in main memory again before they are given up here. Owns stepping down too: where memory runs out
or another program wants it, to a smaller plan; where the card is lost, to the processor alone, with the hot rows read
from the packed file. Plans are made elsewhere.
"""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from engine.errors import DeviceLost, EngineError, OutOfMemory
from engine.kernels.cuda.ops import PROMPT_UNIT_VALUES
from engine.placement.plan import LayerPlacement, PlacementPlan
from engine.runtime.card_model import CardModel
from engine.runtime.decoder import Decoder
from engine.runtime.predictor_rows import PredictorRows

# Bytes moved at a time: a few milliseconds on any bus.
SLICE_BYTES = 16 << 20
# What a move may take of the time before a token: so many seconds, and so much of what the last token took. A move
# ends within twice the time of its copies then, however slow the tokens are.
MOVING_S, MOVING_SHARE = 0.02, 1.0
# Other programs' memory is looked at so often, in seconds.
WATCHED_EVERY_S = 0.5
# Of the reserve: when so little of it is free, memory is given back until all of it is.
_ALARMING = 0.5
# A smaller plan has at least so many fewer hot neurons.
_FEWER = 0.25


class RowKeeper(Protocol):
    """Main memory of the rows that are on the card; `HostRows`, or a stand-in."""

    @property
    def released(self) -> tuple[int, ...]:
        """For each layer how many of its first rows hold nothing."""

    def release(self, layer: int, n: int) -> object:
        """The rows [0, n) need not be kept; where the system cannot give memory back they are."""

    def refill(self, layer: int, begin: int, rows: Mapping[str, NDArray[Any]] | None = None) -> None:
        """The released rows from `begin` on hold weights again: these, by tensor; from the packed file where None."""


@dataclass(frozen=True, slots=True)
class StepDown:
    """A placement that was given up: `reason` is one of STEP_DOWN_REASONS.

    wanted_bytes, available_bytes   what could not be had, and what was there; 0 where nothing was asked for
    seconds                         from then until the smaller placement could be used
    """

    reason: str
    wanted_bytes: int
    available_bytes: int
    before: PlacementPlan
    after: PlacementPlan
    seconds: float


# A plan that takes at least so many bytes less than another.
Smaller = Callable[[PlacementPlan, int], PlacementPlan]


class CardSession:
    """One thread uses it. `model` is None once the card is lost or closed.

    slice_bytes  moved at a time, at most
    moving_s     what a move may take of the time before a token, at least; moving_share: of the time since it was last
                 taken up
    """

    def __init__(
        self, model: CardModel, decoder: Decoder, *, rows: RowKeeper | None = None, smaller: Smaller | None = None,
        on_step_down: Callable[[StepDown], None] = lambda step_down: None, reserve_bytes: int = 0,
    ) -> None:  # fmt: skip
        """
        rows           None where main memory keeps all rows
        smaller        None for fewer hot neurons in every layer
        reserve_bytes  of the card that should stay free for other programs
        """
        self.model: CardModel | None = model
        self._decoder, self._rows = decoder, rows
        self._smaller: Smaller = smaller if smaller is not None else self._fewer_neurons
        self._on_step_down, self._reserve = on_step_down, reserve_bytes
        self.slice_bytes, self.moving_s, self.moving_share = SLICE_BYTES, MOVING_S, MOVING_SHARE
        self._n_neurons = model.config.n_neurons
        self._plan = self._target = on_processor(model.config.n_layers, self._n_neurons)
        self._moves: Iterator[None] | None = None
        self._began = self._advanced = self._last_move_s = 0.0
        self._watched_at = time.monotonic()
        self._n_layers = model.config.n_layers

    @property
    def plan(self) -> PlacementPlan:
        """What is where now; the same object until something moves."""
        return self._plan

    @property
    def target(self) -> PlacementPlan:
        """The placement that was last asked for, or that a step down has left."""
        return self._target

    @property
    def is_moving(self) -> bool:
        return self._moves is not None

    @property
    def last_move_s(self) -> float:
        """Seconds from the request to the end of the last finished move."""
        return self._last_move_s

    @property
    def allocated(self) -> Mapping[str, int]:
        """Bytes by purpose on the card."""
        return {} if self.model is None else self.model.device.allocated

    def apply(self, plan: PlacementPlan) -> float:
        """Make this the placement now; returns the seconds it took. Where that fails, a smaller one is in place."""
        self.begin(plan)
        while self.is_moving:
            self.advance(float("inf"))
        return self._last_move_s

    def begin(self, plan: PlacementPlan) -> None:
        """Move towards this placement from the next `advance` on."""
        self._began = self._advanced = time.perf_counter()
        self._target = plan
        self._moves = None if self.model is None else self._move(self.model, plan)

    def advance(self, seconds: float) -> None:
        """Between two tokens: a part of the moves, for about so long, at least one slice."""
        began = time.perf_counter()
        try:
            for _ in self._moves or ():
                self._advanced = time.perf_counter()
                if self._advanced - began > seconds:
                    return
            self._placed()
            self._moves, self._last_move_s = None, time.perf_counter() - self._began
        except (OutOfMemory, DeviceLost) as error:
            self.step_down(error)

    def between_tokens(self) -> None:
        """What is due before the next token, or the next layer of a prompt: a part of a move, a look at the card's
        memory."""
        if self.is_moving:
            since = time.perf_counter() - self._advanced
            self.advance(max(self.moving_s, self.moving_share * since))
        now = time.monotonic()
        if self.model is not None and self._plan.uses_card and now - self._watched_at >= WATCHED_EVERY_S:
            self._watched_at = now
            self.watch_memory()

    def watch_memory(self) -> None:
        """Give memory back where other programs have taken the reserve."""
        if self.model is None:
            return
        try:
            free, _ = self.model.device.memory()
        except DeviceLost as error:
            self.step_down(error)
            return
        if free < _ALARMING * self._reserve:
            self._shrink("other_program", self._reserve - free, free)

    def step_down(self, error: OutOfMemory | DeviceLost) -> None:
        """Have less on the card, at worst nothing."""
        if isinstance(error, OutOfMemory):
            self._shrink("out_of_memory", error.needed_bytes, error.available_bytes)
        else:
            self._give_up("device_lost", time.perf_counter(), self._plan)

    def leave_card(self, reason: str) -> None:
        """The processor does everything from here on."""
        self._give_up(reason, time.perf_counter(), self._plan)

    def replace_predictors(self) -> None:
        """The decoder's tiers have changed."""
        model = self.model
        if model is None:
            return
        try:
            for layer, held in enumerate(model.layers):
                if held.attention:
                    model.free_predictors(layer)
            for layer, held in enumerate(model.layers):
                if held.attention:
                    model.take_predictors(layer, self._predictors(layer))
        except (OutOfMemory, DeviceLost) as error:
            self.step_down(error)
        self._placed()

    def close(self) -> None:
        """Give the card's memory back, at the end of the model's life: rows that only the card had are gone."""
        model, self.model, self._moves = self.model, None, None
        if model is not None:
            with contextlib.suppress(EngineError):
                self._free_all(model)

    # Moving ----------------------------------------------------------------------------------------------------------

    def _move(self, model: CardModel, plan: PlacementPlan) -> Iterator[None]:
        """From what is there, whatever that is, to the plan; after each slice it can be used, or stopped."""
        yield from self._leave(model, plan)
        if plan.uses_card:
            model.take_workspace()
        for layer, place in enumerate(plan.layers):
            if place.attention_on_card and not model.layers[layer].attention:
                model.take_attention(layer, self._predictors(layer))
                yield from self._after_slice(model)
        if plan.head_on_card and not model.head:
            model.take_head()
            yield from self._after_slice(model)
        for layer, place in enumerate(plan.layers):
            yield from self._grow(model, layer, place.n_hot)
        if not plan.uses_card:
            model.free_workspace()

    def _leave(self, model: CardModel, plan: PlacementPlan) -> Iterator[None]:
        if model.head and not plan.head_on_card:
            model.free_head()
            yield from self._after_slice(model)
        for layer, place in enumerate(plan.layers):
            if model.layers[layer].attention and not place.attention_on_card:
                model.free_attention(layer)
                yield from self._after_slice(model)
            yield from self._shrink_layer(model, layer, place.n_hot)

    def _shrink_layer(self, model: CardModel, layer: int, n_hot: int) -> Iterator[None]:
        neurons = model.layers[layer].neurons
        size = self._rows_in_slice(neurons.row_bytes)
        while neurons.n_hot > n_hot:
            first = max(n_hot, neurons.n_hot - size)
            if (end := self._n_released(layer)) > first and self._rows is not None:
                self._rows.refill(layer, first, neurons.download(first, end))
            neurons.n_hot = first
            yield from self._after_slice(model)
        if neurons.most_rows > n_hot:
            neurons.resize(n_hot)

    def _grow(self, model: CardModel, layer: int, n_hot: int) -> Iterator[None]:
        neurons = model.layers[layer].neurons
        if neurons.n_hot < n_hot:
            neurons.resize(n_hot)
            size = self._rows_in_slice(neurons.row_bytes)
            while neurons.n_hot < n_hot:
                neurons.append(min(n_hot, neurons.n_hot + size))
                yield from self._after_slice(model)
        if self._rows is not None and self._n_released(layer) < n_hot:  # also where an earlier move was ended before it
            self._rows.release(layer, n_hot)

    def _after_slice(self, model: CardModel) -> Iterator[None]:
        model.device.record().wait()
        self._placed()
        yield

    def _rows_in_slice(self, row_bytes: int) -> int:
        return max(1, _in_blocks(self.slice_bytes // row_bytes))

    def _placed(self) -> None:
        """Note what is where, and tell the decoder. Rows that are nowhere come from the packed file."""
        for layer in range(self._n_layers):
            n_hot = 0 if self.model is None else self.model.layers[layer].neurons.n_hot
            if self._rows is not None and self._n_released(layer) > n_hot:
                self._rows.refill(layer, n_hot)
        if self.model is None:
            self._plan = on_processor(self._n_layers, self._n_neurons)
        else:
            layers = tuple(
                LayerPlacement(bool(held.attention), held.neurons.n_hot, self._n_neurons)
                for held in self.model.layers
            )  # fmt: skip
            self._plan = PlacementPlan(self._target.strategy, layers, bool(self.model.head), self._target.step_s)
        self._decoder.place([place.n_hot for place in self._plan.layers])

    def _n_released(self, layer: int) -> int:
        return 0 if self._rows is None else self._rows.released[layer]

    def _predictors(self, layer: int) -> dict[str, PredictorRows]:
        """Of the layer, by tier."""
        found = {tier: self._decoder.choices(tier)[1][layer] for tier in self._decoder.tiers}
        return {tier: predictor for tier, predictor in found.items() if predictor is not None}

    # Stepping down ---------------------------------------------------------------------------------------------------

    def _shrink(self, reason: str, wanted: int, available: int) -> None:
        began, before, model = time.perf_counter(), self._plan, self.model
        self._moves = None
        self._placed()
        plan, missing = self._plan, max(1, wanted - available if reason == "out_of_memory" else wanted)
        while model is not None:
            plan = self._smaller(plan, missing) if plan.uses_card else plan
            self._target = plan
            try:
                for _ in self._move(model, plan):
                    pass
                self._placed()
                break
            except OutOfMemory as error:
                missing = max(1, error.needed_bytes - error.available_bytes)
            except DeviceLost:
                self._give_up("device_lost", began, before)
                return
        self._on_step_down(StepDown(reason, wanted, available, before, self._plan, time.perf_counter() - began))

    def _give_up(self, reason: str, began: float, before: PlacementPlan) -> None:
        """Have nothing on the card. What of it still answers is asked to give its memory back."""
        model, self.model, self._moves = self.model, None, None
        self._placed()
        if model is not None:
            with contextlib.suppress(EngineError):
                self._free_all(model)
        if reason:
            self._on_step_down(StepDown(reason, 0, 0, before, self._plan, time.perf_counter() - began))

    @staticmethod
    def _free_all(model: CardModel) -> None:
        model.device.synchronise()
        model.free_head()
        for layer, held in enumerate(model.layers):
            model.free_attention(layer)
            held.neurons.resize(0)
        model.free_workspace()

    def _fewer_neurons(self, plan: PlacementPlan, missing: int) -> PlacementPlan:
        """Fewer in every layer alike; without hot neurons nothing is on the card."""
        row_bytes = [] if self.model is None else [held.neurons.row_bytes for held in self.model.layers]
        return fewer_neurons(plan, row_bytes, missing)


def fewer_neurons(plan: PlacementPlan, row_bytes: Sequence[int], missing: int) -> PlacementPlan:
    """Fewer hot neurons in every layer alike, by `missing` bytes and a quarter at least; none leave the card alone."""
    hot_bytes = sum(place.n_hot * n_bytes for place, n_bytes in zip(plan.layers, row_bytes, strict=True))
    kept = max(0.0, 1 - max(_FEWER, missing / hot_bytes)) if hot_bytes else 0.0
    layers = tuple(
        LayerPlacement(place.attention_on_card, _in_blocks(int(place.n_hot * kept)), place.n_neurons)
        for place in plan.layers
    )
    if not any(place.n_hot for place in layers):
        return on_processor(len(layers), layers[0].n_neurons)
    return PlacementPlan(plan.strategy, layers, plan.head_on_card, 0.0)


def _in_blocks(n: int) -> int:
    """So many neurons or fewer, in whole blocks of what a prompt's activations are rounded in, where there is one."""
    return n - n % PROMPT_UNIT_VALUES if n >= PROMPT_UNIT_VALUES else n


def on_processor(n_layers: int, n_neurons: int) -> PlacementPlan:
    """The placement that leaves the card alone."""
    return PlacementPlan("cpu only", (LayerPlacement(False, 0, n_neurons),) * n_layers, False, 0.0)
