"""The card of the loaded model: opened when the model is loaded, planned for, and given more or less of it as asked.

Owns the device, the plan that a budget buys, and what the engine tells of both (`PlacementState`). The rows move in
`runtime/card_session.py`; plans come from `placement/offer.py`. A card that cannot be opened is no failure of loading:
the processor alone is a normal case.
"""

import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import CardUnusable, DeviceLost, EngineError, OutOfMemory
from engine.kernels.cuda.device import Device
from engine.kernels.formats import Float32
from engine.messages import EngineConfig
from engine.neurons.store import NeuronStore
from engine.placement.devices import AUTO, EMULATED, NONE, device_memory
from engine.placement.hardware import probe_machine
from engine.placement.offer import Placer
from engine.placement.plan import PlacementPlan
from engine.placement_reports import CardFacts, PlacementState
from engine.runtime.card_session import CardSession, StepDown, fewer_neurons
from engine.runtime.host_rows import HostRows
from engine.runtime.loader import LoadedModel
from engine.worker_placement import OnStep, Subject, demonstrated_card, open_device, placer_of, wanted_card

log = logging.getLogger(__name__)

OnState = Callable[[PlacementState], None]
# Of two computations of the same logits: the norm of their difference, in that of the logits about their mean. Rounding
# activations to 7 bits, which the processor does for int4 rows and the card does not, makes some hundredths.
_LARGEST_DIFFERENCE = 0.2


@dataclass(frozen=True, slots=True)
class WantedCard:
    """What the configuration means: a card of this machine, or the processor in its place."""

    facts: CardFacts | None
    is_emulated: bool


def find_card(config: EngineConfig) -> WantedCard | None:
    """The card to load a model for; None where none is wished for, or where any would do and none can be used.

    Raises InvalidRequest or CardUnusable where one is asked for that is not here or cannot be used. A budget asks for
    a card, too.
    """
    if config.card == NONE:
        return None
    if config.card == EMULATED:
        return WantedCard(None, is_emulated=True)
    machine = probe_machine()
    if machine.card_state != "usable" and (config.card != AUTO or config.vram_bytes):
        raise CardUnusable(machine.card_state, machine.card_detail)
    facts = wanted_card(config, machine)
    return None if facts is None else WantedCard(facts, is_emulated=False)


def card_state(config: EngineConfig) -> tuple[str, str]:
    """Why no card takes part, as CardUnusable says it: one of CARD_STATES, with versions or the driver's own words."""
    machine = probe_machine()
    return machine.card_state, machine.card_detail if config.card != NONE else "switched off"


class ModelCard:
    """The card's part in one loaded model. Used by the compute lane; `open_card` makes it."""

    def __init__(
        self, loaded: LoadedModel, model_id: str, wanted: WantedCard, device: Device, placer: Placer, rows: HostRows,
        on_state: OnState,
    ) -> None:  # fmt: skip
        self._loaded, self._model_id, self._wanted, self._device = loaded, model_id, wanted, device
        self._placer, self._on_state = placer, on_state
        self._measured = 0.0
        self._budget = 0
        self._step_down: StepDown | None = None
        memory = device_memory(device)
        self._session: CardSession = loaded.transformer.use_card(
            device,
            rows=rows,
            smaller=self._smaller,
            on_step_down=self._stepped_down,
            reserve_bytes=memory.reserve,
        )

    @property
    def is_moving(self) -> bool:
        return self._session.is_moving

    @property
    def is_alive(self) -> bool:
        """Whether the card still takes part."""
        return self._session.model is not None

    @property
    def energy_uuid(self) -> str:
        """Of the card whose energy counter tells what answers took; empty where it is only demonstrated."""
        return "" if self._wanted.facts is None else self._wanted.facts.uuid

    def begin(self, budget: int | None, *, at_most: bool = False) -> None:
        """Move towards what this budget buys, between tokens; None is what is recommended.

        Raises OutOfMemory where more is wanted than may be taken now, unless the budget is a ceiling; DeviceLost.
        """
        if not self.is_alive:
            if budget == 0:
                return
            raise DeviceLost(self._device.name, "given up before")
        memory = device_memory(self._device)
        placer = self._placer.with_memory(memory)
        if budget is None:
            budget = placer.recommended_bytes
        budget = placer.checked(min(budget, memory.available) if at_most else budget)
        plan = placer.plan_for(budget)
        self._budget, self._step_down, self._measured = budget, None, 0.0
        self._session.begin(plan)

    def watch_memory(self) -> None:
        """Give memory back where another program has taken the reserve."""
        self._session.watch_memory()

    def finish(self) -> None:
        """Do what is left of a move."""
        while self._session.is_moving:
            self._session.advance(float("inf"))

    def note_speed(self, tokens_per_s: float) -> None:
        """Of the answer that has ended under the plan of now."""
        self._measured = tokens_per_s

    def state(self) -> PlacementState:
        """Where the model is now."""
        plan, step_down = self._session.plan, self._step_down
        point = self._placer.point(self._budget, plan)
        is_measured = not self._wanted.is_emulated
        return PlacementState(
            model_id=self._model_id,
            card_uuid=EMULATED if self._wanted.facts is None else self._wanted.facts.uuid,
            is_emulated=self._wanted.is_emulated,
            budget_bytes=self._budget,
            account=self._account(plan),
            allocated=tuple(sorted(self._session.allocated.items())),
            hot_neurons=tuple(layer.n_hot for layer in plan.layers),
            n_neurons=self._loaded.packed.config.n_neurons,
            attention_on_card=tuple(layer.attention_on_card for layer in plan.layers),
            head_on_card=plan.head_on_card,
            hot_share=point.hot_share,
            predicted_tokens_per_s=point.tokens_per_s if is_measured and plan.step_s > 0 else 0.0,
            measured_tokens_per_s=self._measured,
            applied_s=self._session.last_move_s,
            stepped_down="" if step_down is None else step_down.reason,
            wanted_bytes=0 if step_down is None else step_down.wanted_bytes,
        )

    def check(self, expected: Float32, found: Float32) -> None:
        """Use the card no more where it computes something else than the processor: logits (v,) of the same token."""
        difference = float(np.linalg.norm(found - expected)) / max(
            1e-6, float(np.linalg.norm(expected - expected.mean()))
        )
        if not difference <= _LARGEST_DIFFERENCE:
            log.error("the card's logits differ by %.3g of their spread", difference)
            self._session.leave_card("wrong_result")

    def leave(self) -> None:
        """The processor has everything again."""
        self._session.leave_card("")

    def close(self) -> None:
        """After the model; gives the card's memory back."""
        _close(self._device)

    def _account(self, plan: PlacementPlan) -> tuple[tuple[str, int], ...]:
        if not self.is_alive:
            return ()
        try:
            account = self._placer.with_memory(device_memory(self._device)).account_for(plan)
        except (OutOfMemory, DeviceLost):  # another program is taking what the plan has: the next look at memory tells
            return ()
        return account.entries if account is not None else ()

    def _smaller(self, plan: PlacementPlan, missing: int) -> PlacementPlan:
        """The best plan for so many bytes less; where that is as large as before, fewer neurons everywhere."""
        held = sum(self._session.allocated.values())
        smaller = self._placer.plan_for(max(0, held - missing))
        row_bytes = [layer.neuron for layer in self._placer.costs.placed.layers]
        if not smaller.uses_card or sum(p.n_hot for p in smaller.layers) < sum(p.n_hot for p in plan.layers):
            return smaller
        return fewer_neurons(plan, row_bytes, missing)

    def _stepped_down(self, step_down: StepDown) -> None:
        self._step_down, self._measured = step_down, 0.0
        self._budget = sum(self._session.allocated.values())
        log.warning("the card: %s, %d bytes wanted", step_down.reason, step_down.wanted_bytes)
        self._on_state(self.state())


def open_card(
    config: EngineConfig, wanted: WantedCard, loaded: LoadedModel, model_id: str, on_step: OnStep, on_state: OnState
) -> ModelCard:  # fmt: skip
    """Let the card take part in a loaded model, with what the configuration's budget buys already on it.

    Raises EngineError where it cannot: the model is then the processor's, as before; and Cancelled as `on_step` does.
    """
    started = time.perf_counter()
    subject = Subject(
        model_id,
        loaded.packed.config,
        loaded.packed.weight_format,
        loaded.transformer.cache.context_tokens,
        NeuronStore(loaded.packed),
    )
    unlimited = replace(config, vram_bytes=None)
    placer = placer_of(
        unlimited, subject, probe_machine(), on_step, order=loaded.order.numbers, assumed=demonstrated_card(config)
    )
    expected = _logits(loaded)
    rows = loaded.host_rows()
    with contextlib.ExitStack() as undo:
        device = open_device(config, wanted.facts)
        undo.callback(_close, device)
        card = ModelCard(loaded, model_id, wanted, device, placer, rows, on_state)
        undo.callback(card.leave)
        card.begin(config.vram_bytes, at_most=True)
        card.finish()
        card.check(expected, _logits(loaded))
        undo.pop_all()
    log.info("on the card after %.1f s", time.perf_counter() - started)
    return card


def _close(device: Device) -> None:
    try:
        device.close()
    except EngineError as error:
        log.warning("the card was not closed: %s", error)


def _logits(loaded: LoadedModel) -> Float32:
    """(v,) of one token on an empty cache."""
    logits = loaded.transformer.decode_step(0).copy()
    loaded.transformer.cache.rewind(0)
    return logits
