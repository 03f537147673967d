"""The decode step over a processor and a card, in the place of the processor's own: the same calls, the same answers.

Owns what a step does about a card that fails in the middle of it: the session steps down, and the step is done again
on what is left, from the same cache and the same embeddings, so that no token is lost and none differs. How a step is
done is `card_step.py`, what lies where `card_session.py`; while nothing is on the card a step is the processor's alone,
with the bits it always had.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.errors import DeviceLost, OutOfMemory
from engine.kernels.formats import Float32, Int64
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats
from engine.model.predictors import LayerChoice
from engine.neuron_reports import EXACT
from engine.placement.plan import PlacementPlan
from engine.placement_reports import StepLoad
from engine.runtime.card_model import CardModel, Tensors
from engine.runtime.card_session import CardSession
from engine.runtime.card_step import CardStep
from engine.runtime.decoder import Decoder
from engine.runtime.hot_prompt import HotPrompt
from engine.runtime.kv_cache import KVCache
from engine.runtime.step_load import LoadMeter


class HybridDecoder:
    """`Decoder`'s interface, for `Transformer`."""

    def __init__(
        self, config: ModelConfig, parts: PartFormats, tensors: Tensors, cache: KVCache, decoder: Decoder,
        session: CardSession, most_prompt_tokens: int,
    ) -> None:  # fmt: skip
        self.session = session
        first = parts.of("gate") if config.is_gated else parts.of_up(config)
        up_bytes = parts.of_up(config).stride(config.width) if config.is_gated else 0
        # read of a neuron that is a candidate, alive, active
        self._row_bytes = np.array([first.stride(config.width), up_bytes, parts.of("down").stride(config.width)])
        self._n_layers = config.n_layers
        self._decoder, self._tensors, self._cache = decoder, tensors, cache
        self._most_prompt_tokens = most_prompt_tokens
        self._meter = LoadMeter()
        self._step: CardStep | None = None
        self._prompt: HotPrompt | None = None
        self._model: CardModel | None = None
        self._was_on_card = self._is_stopped = False
        self._hot_counts: Int64 = np.zeros((0, 0, 3), np.int64)

    # As the processor's decoder --------------------------------------------------------------------------------------

    @property
    def n_bytes(self) -> int:
        return self._decoder.n_bytes

    @property
    def tiers(self) -> tuple[str, ...]:
        return self._decoder.tiers

    def set_tiers(self, tiers: Mapping[str, Sequence[LayerChoice]]) -> None:
        self._decoder.set_tiers(tiers)
        self.session.replace_predictors()

    def predictor_bytes(self, tier: str) -> int:
        return self._decoder.predictor_bytes(tier)

    @property
    def notes_fired(self) -> bool:
        return self._decoder.notes_fired

    @notes_fired.setter
    def notes_fired(self, wanted: bool) -> None:
        self._decoder.notes_fired = wanted

    @property
    def fired(self) -> NDArray[np.uint8]:
        return self._decoder.fired

    @property
    def neuron_counts(self) -> Int64:
        counts = self._decoder.neuron_counts
        return counts + self._hot_counts if self._was_on_card else counts

    @property
    def phase_cycles(self) -> Int64:
        return self._decoder.phase_cycles

    @property
    def n_active_threads(self) -> int:
        return self._decoder.n_active_threads

    @n_active_threads.setter
    def n_active_threads(self, n: int) -> None:
        self._decoder.n_active_threads = n

    @property
    def logits(self) -> Float32:
        if self._was_on_card and self._step is not None and self._step.has_logits:
            return self._step.logits
        return self._decoder.logits

    def request_stop(self) -> None:
        self._is_stopped = True
        self._decoder.request_stop()

    def clear_stop(self) -> None:
        self._is_stopped = False
        self._decoder.clear_stop()

    def compile(self) -> None:
        self._decoder.compile()

    def step(
        self, embedded: Float32, position: int, *, wants_logits: bool, tier: str = EXACT, notes_fired: bool = False
    ) -> bool:  # fmt: skip
        """As `Decoder.step`; what is due of moves comes first."""
        self.session.between_tokens()
        while self.session.plan.uses_card:
            try:
                is_done = self._step_with_card(embedded, position, wants_logits, tier, notes_fired)
            except (OutOfMemory, DeviceLost) as error:
                self.session.step_down(error)
                continue
            if not is_done or self._is_finite(len(embedded), wants_logits):
                return is_done
            self.session.leave_card("wrong_result")
        self._was_on_card = False
        self._meter.begin(None)
        with self._meter.processor():
            is_done = self._decoder.step(
                embedded, position, wants_logits=wants_logits, tier=tier, notes_fired=notes_fired
            )  # fmt: skip
        if is_done:
            self._hot_counts = np.zeros((len(embedded), self._n_layers, 3), np.int64)
            self._note_load(len(embedded))
        return is_done

    @property
    def on_processor(self) -> Decoder:
        """The processor's half, which does a whole step where nothing is on a card."""
        return self._decoder

    # With a card -----------------------------------------------------------------------------------------------------

    @property
    def plan(self) -> PlacementPlan:
        return self.session.plan

    def take_load(self, reader: str) -> StepLoad:
        """Who did the work since this reader's last call, of the steps that were measured."""
        return self._meter.take(reader)

    def prompt_hook(self) -> HotPrompt | None:
        """What a prompt's hot rows are multiplied by; None where there are none on the card."""
        self._follow_session()
        if not any(place.n_hot for place in self.session.plan.layers):
            return None
        if self._prompt is None and self._model is not None:
            self._prompt = HotPrompt(self._model, self._most_prompt_tokens)
        return self._prompt

    def cache_changes(self, position: int) -> None:
        """The cache from this position on is about to be written in main memory."""
        for held in self._model.layers if self._model is not None else ():
            if held.mirror is not None:
                held.mirror.n_same = min(held.mirror.n_same, position)

    def _follow_session(self) -> None:
        if self._model is not self.session.model:
            self._model, self._step, self._prompt = self.session.model, None, None

    def _step_with_card(
        self, embedded: Float32, position: int, wants_logits: bool, tier: str, notes_fired: bool
    ) -> bool:
        self._follow_session()
        model = self._model
        if model is None:
            raise DeviceLost("", "no model on the card")
        if self._step is None:
            self._step = CardStep(model, self._decoder, self._tensors, self._cache, self._meter)
        self._was_on_card = True
        self._meter.begin(model.device)
        notes = notes_fired and self.notes_fired
        is_done = self._step.run(
            self.session.plan, embedded, position, wants_logits=wants_logits, tier=tier, notes_fired=notes,
            is_stopped=lambda: self._is_stopped,
        )  # fmt: skip
        if not is_done:
            return False
        self._hot_counts = self._step.hot_counts()
        if notes:
            self._step.add_fired(self.fired)
        self._note_load(len(embedded))
        return True

    def _is_finite(self, tokens: int, wants_logits: bool) -> bool:
        """Whether the step that a card took part in has come to numbers."""
        results = self.logits[:tokens] if wants_logits or self._step is None else self._step.last_stream
        return bool(np.isfinite(results).all())

    def _note_load(self, tokens: int) -> None:
        if not self._meter.is_measuring:
            return
        hot, cold = self._hot_counts.sum(axis=(0, 1)), self._decoder.neuron_counts.sum(axis=(0, 1))
        self._meter.end(
            tokens, hot_bytes=int(hot @ self._row_bytes), cold_bytes=int(cold @ self._row_bytes),
            active_hot=int(hot[2]), active_cold=int(cold[2]),
        )  # fmt: skip
