"""What the worker answers about cards and budgets: this machine as a report, and what a budget would buy for a model.

Owns the gathering of what `engine.placement` computes with: figures kept on this machine, a model's sizes, and what its
neurons are known to do. Plain functions; the worker makes events of what they return.
"""

import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import DamagedFile, InvalidRequest
from engine.kernels.cuda.device import Device
from engine.messages import EngineConfig, OfferPlacement
from engine.model.config import ModelConfig
from engine.model.packed_model import WEIGHT_FORMATS
from engine.neuron_reports import CensusReport
from engine.neurons.profile import Profile, mixed_rates, read_profile
from engine.neurons.store import NeuronStore
from engine.placement import speeds_file
from engine.placement.budget import PURPOSES, CardMemory
from engine.placement.cores import compute_threads
from engine.placement.cost import Float64
from engine.placement.devices import EMULATED, card_facts, card_memory, choose_card, device_report
from engine.placement.hardware import DeviceInfo, probe_machine
from engine.placement.offer import (
    CONTEXT_BYTES_ESTIMATE,
    FiringShares,
    ModelCosts,
    Order,
    Placer,
    even_shares,
    model_costs,
    shares_from_counts,
    shares_from_coverage,
)
from engine.placement.probe import measure
from engine.placement.published_cards import PublishedCard, published_card, published_memory, with_published
from engine.placement.speeds_file import Measured, machine_key
from engine.placement_reports import CardFacts, DeviceReport, MachineSpeeds, PlacementOffer
from engine.runtime.card_model import bytes_on_card
from engine.runtime.loader import cache_kind_of, memory_need
from engine.runtime.traffic import predictor_bytes

log = logging.getLogger(__name__)

# done, total; may raise to stop.
OnStep = Callable[[int, int], None]
# Where the processor plays the card: as much memory as the emulation is given, and nobody else on it.
EMULATED_BYTES = 8 << 30
DEMONSTRATED_CARD = "RTX 4060"


@dataclass(frozen=True, slots=True)
class Subject:
    """A model to be placed, packed or not; `store` is where its neurons' studies are, None where there are none.

    context_tokens   as LoadModel
    """

    model_id: str
    config: ModelConfig
    weight_format: str
    context_tokens: int | None = None
    store: NeuronStore | None = None


# This machine -----------------------------------------------------------------------------------------------------


def read_devices(config: EngineConfig, on_step: OnStep, *, wants_measure: bool) -> DeviceReport:
    """This machine, with the speeds that were measured before, or are measured now and kept.

    Raises DeviceLost or OutOfMemory of the card while it is measured, and what on_step raises.
    """
    machine = probe_machine()
    card = None
    with contextlib.suppress(InvalidRequest):  # a card that is set and no longer here: all others are told
        card = wanted_card(config, machine)
    kept = kept_measures(config, machine, card)
    speeds = measured_speeds(config, machine, card, on_step) if wants_measure else kept.speeds
    report = device_report(machine, config.card, speeds)
    return replace(report, state=EMULATED, chosen_uuid=EMULATED) if config.card == EMULATED else report


def wanted_card(config: EngineConfig, machine: DeviceInfo) -> CardFacts | None:
    """The card that the configuration means, None where it means none, or none of this machine can be used.

    Raises InvalidRequest where it names one that is not here.
    """
    return choose_card(card_facts(machine), config.card) if machine.card_state == "usable" else None


def kept_measures(config: EngineConfig, machine: DeviceInfo, card: CardFacts | None) -> Measured:
    """What is kept of this machine with this card, or with none."""
    return speeds_file.stored(speeds_folder(config), machine_key(machine, _uuid(card)))


def measured_speeds(
    config: EngineConfig, machine: DeviceInfo, card: CardFacts | None, on_step: OnStep
) -> MachineSpeeds:
    """Measure now, and keep it, with what a context on the card took; a card is opened for it and closed again."""
    uuid, folder = _uuid(card), speeds_folder(config)
    key = machine_key(machine, uuid)
    with contextlib.ExitStack() as opened:
        device = opened.enter_context(contextlib.closing(open_device(config, card))) if card is not None else None
        speeds = replace(measure(machine.processor, device, on_step), card_uuid=uuid)
        context_bytes = device.allocated.get(PURPOSES[0], 0) if device is not None else 0
    speeds_file.keep_speeds(folder, key, speeds)
    if context_bytes:
        speeds_file.keep_context_bytes(folder, key, context_bytes)
    return speeds


def speeds_folder(config: EngineConfig) -> Path:
    """Beside the compiled kernels."""
    return Path(config.kernel_cache_dir).parent


def open_device(config: EngineConfig, card: CardFacts | None) -> Device:
    """The card, or without one the processor in its place. Raises CardUnusable, DeviceLost, OutOfMemory."""
    if card is None:
        from engine.kernels.cuda.emulated_device import EmulatedDevice

        folder = Path(config.kernel_cache_dir) / EMULATED
        return EmulatedDevice(folder, total_bytes=EMULATED_BYTES, sanitises=False, poisons=False)
    from engine.kernels.cuda.cupy_device import open_card

    return open_card(card.uuid, card.cuda_index if card.cuda_index >= 0 else None)


def _uuid(card: CardFacts | None) -> str:
    return card.uuid if card is not None else ""


# A model ----------------------------------------------------------------------------------------------------------


def offer_placement(request: OfferPlacement, config: EngineConfig, subject: Subject, on_step: OnStep) -> PlacementOffer:
    """What each budget would buy; measures this machine first where that was not done yet.

    Raises InvalidRequest for a card that is not here, OutOfMemory for a budget beyond what may be taken, and what
    on_step raises.
    """
    config = replace(config, card=request.card, vram_bytes=None)
    machine = probe_machine()
    assumed = published_card(request.assumed_card) if request.assumed_card else demonstrated_card(config)
    placer = placer_of(config, subject, machine, on_step, assumed=assumed)
    need = memory_need(subject.config, subject.weight_format, subject.context_tokens)
    return placer.offer(
        subject.model_id,
        context_tokens=need.context_tokens,
        card_uuid=EMULATED if config.card == EMULATED else placer.speeds.card_uuid,
        memory_bytes=need.total_bytes,
        memory_free_bytes=machine.memory.available_bytes,
        wanted_bytes=request.vram_bytes,
        assumed=assumed.name if assumed else "",
    )


def placer_of(
    config: EngineConfig, subject: Subject, machine: DeviceInfo, on_step: OnStep, *,
    assumed: PublishedCard | None = None, order: Order | None = None,
) -> Placer:  # fmt: skip
    """The plans of a model for the card that `config` means, or for an assumed one; as `offer_placement`."""
    card = wanted_card(config, machine) if assumed is None else None
    kept = kept_measures(config, machine, card)
    speeds = kept.speeds
    if speeds is None:
        speeds = measured_speeds(config, machine, card, on_step)
        kept = kept_measures(config, machine, card)
    memory = card_memory(card, config.vram_bytes, machine.memory) if card is not None else None
    context_bytes = kept.context_bytes or CONTEXT_BYTES_ESTIMATE
    if assumed is not None:
        speeds, memory = with_published(speeds, assumed), published_memory(assumed, config.vram_bytes)
    if config.card == EMULATED:
        memory = CardMemory(EMULATED_BYTES, 0, 0, config.vram_bytes)
        context_bytes = 0
    costs = costs_of(subject, context_bytes=context_bytes, order=order)
    return Placer(costs, speeds, memory, compute_threads(config.n_threads))


def demonstrated_card(config: EngineConfig) -> PublishedCard | None:
    """What a demonstration plans for: the emulation is so slow that nothing would be put on it for its own sake."""
    return published_card(DEMONSTRATED_CARD) if config.card == EMULATED else None


def costs_of(subject: Subject, *, context_bytes: int, order: Order | None = None) -> ModelCosts:
    """A model's bytes on a card and its work, in the order of neurons that a loaded model has, if one is given."""
    config, parts = subject.config, WEIGHT_FORMATS[subject.weight_format]
    context_tokens = memory_need(config, subject.weight_format, subject.context_tokens).context_tokens
    placed = bytes_on_card(
        config, parts, context_tokens=context_tokens, cache_kind=cache_kind_of(subject.weight_format),
        predictors=predictors_of(subject), context_bytes=context_bytes,
    )  # fmt: skip
    return model_costs(
        config, parts, placed, firing_shares(config, subject.store, order), context_tokens=context_tokens
    )


def firing_shares(config: ModelConfig, store: NeuronStore | None, order: Order | None = None) -> FiringShares:
    """How often each neuron fires: from the profile, or else the census; all of them where neither is known.

    A profile's kinds of text count alike. A census knows how many neurons fire, and not which: its coverage holds for
    neurons in the order of published importance, where that was read, and otherwise all of a layer fire alike.
    """
    shape = config.n_layers, config.n_neurons
    if store is None or not config.is_sparse:
        return even_shares(*shape)
    profile = _profile(store)
    rates = _rates(profile)
    if rates is not None:
        return shares_from_counts(rates, order)
    try:
        census = store.read("census")
    except DamagedFile:
        census = None
    if not isinstance(census, CensusReport):
        return even_shares(*shape)
    active = [1 - layer.silent for layer in census.layers]
    if profile is not None and profile.importance is not None:
        return shares_from_coverage([layer.coverage for layer in census.layers], active, config.n_neurons)
    return shares_from_coverage([(0.0, 1.0)] * config.n_layers, active, config.n_neurons)


def neuron_importance(config: ModelConfig, store: NeuronStore | None) -> Float64 | None:
    """(layers, n) by which a model's neurons are to be ordered, as `firing_shares` takes them to be: rates of the
    profile, or else published importance; None where neither is known, or no neuron can be silent."""
    profile = _profile(store) if store is not None and config.is_sparse else None
    rates = _rates(profile)
    return rates if rates is not None or profile is None else profile.importance


def predictors_of(subject: Subject) -> tuple[int, ...]:
    """Bytes of each layer's predictors, those of all calibrated tiers together, as they lie on a card."""
    config, parts = subject.config, WEIGHT_FORMATS[subject.weight_format]
    first = parts.of("gate") if config.is_gated else parts.of_up(config)
    totals = [0] * config.n_layers
    for choices in (subject.store.tiers() if subject.store else {}).values():
        for layer, choice in enumerate(choices):
            if choice.predictor is not None:
                p = choice.predictor
                totals[layer] += predictor_bytes(p.kind, p.rank, config.width, config.n_neurons, first)
    return tuple(totals)


def _rates(profile: Profile | None) -> Float64 | None:
    """(layers, n) shares of tokens, over all kinds of text alike; None where nothing was counted."""
    kinds = [use.kind for use in profile.uses if use.n_tokens] if profile is not None else []
    return mixed_rates(profile, dict.fromkeys(kinds, 1.0)) if profile is not None and kinds else None


def _profile(store: NeuronStore) -> Profile | None:
    try:
        return read_profile(store)
    except DamagedFile as error:
        log.warning("a profile cannot be read: %s", error)
        return None
