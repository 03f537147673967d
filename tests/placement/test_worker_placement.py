"""What the worker gathers for an offer: a model's own studies, this machine's own figures, the card that is meant."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from engine import worker_placement
from engine.errors import InvalidRequest
from engine.messages import EngineConfig, OfferPlacement
from engine.model.pack import pack
from engine.model.packed_model import PackedModel
from engine.neuron_reports import SCHEMA_VERSION, CensusReport, LayerCensus, ReportHead, Subject
from engine.neurons.profile import Profile, UseCounts, write_profile
from engine.neurons.store import NeuronStore
from engine.placement.hardware import Card, CardDriver, Cupy, Memory, probe_machine
from engine.placement.speeds_file import FILE_NAME, keep_context_bytes, keep_speeds, machine_key
from engine.placement_reports import MachineSpeeds, ThreadRate
from engine.worker_placement import Subject as PlacedModel
from engine.worker_placement import costs_of, firing_shares, neuron_importance, offer_placement, read_devices
from tests.tiny_model import TINY, TinyCheckpoint

SPARSE = dataclasses.replace(TINY, activation="relu")
CARD = Card(0, "NVIDIA RTX 4070", 12 << 30, 11 << 30, (8, 9), "GPU-1")
ALONE = MachineSpeeds((ThreadRate(1, 2e10), ThreadRate(2, 4e10)), "", 0, 0, 0, 0, 0, "2026-11-30T10:00:00+00:00", 1.0)
ON_CARD = dataclasses.replace(
    ALONE, card_uuid="GPU-1", card_bytes_per_s=4e11, upload_bytes_per_s=2e10, download_bytes_per_s=2e10, launch_s=1e-7,
    round_trip_s=1e-6,
)  # fmt: skip


def nothing(done: int, total: int) -> None:
    """Progress nobody looks at."""


@pytest.fixture
def config(tmp_path: Path) -> EngineConfig:
    return EngineConfig(str(tmp_path / "models"), str(tmp_path / "cache" / "kernels"), n_threads=2)


@pytest.fixture
def packed(tmp_path: Path) -> PackedModel:
    path = tmp_path / "models" / "tiny.ember"
    return pack(TinyCheckpoint(SPARSE), path, "int8", source="", note="", on_step=nothing)


@pytest.fixture
def with_card(monkeypatch, config):
    """A machine with one card whose speeds are kept, as the probe would find it."""
    machine = dataclasses.replace(
        probe_machine(), driver=CardDriver("ok", "580.1", (CARD,)),
        cupy=Cupy("usable", "cupy-cuda13x", "14.2.0", indices=((CARD.uuid, 0),)),
        memory=Memory(16 << 30, 8 << 30, None),
    )  # fmt: skip
    monkeypatch.setattr(worker_placement, "probe_machine", lambda: machine)
    keep_speeds(Path(config.kernel_cache_dir).parent, machine_key(machine, CARD.uuid), ON_CARD)
    return machine


@pytest.fixture
def without_card(monkeypatch, config):
    machine = dataclasses.replace(probe_machine(), driver=CardDriver("no_driver"), cupy=Cupy("not_installed"))
    monkeypatch.setattr(worker_placement, "probe_machine", lambda: machine)
    return machine


def subject(packed: PackedModel) -> PlacedModel:
    return PlacedModel("tiny", packed.config, packed.weight_format, None, NeuronStore(packed))


def counts(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 100, (SPARSE.n_layers, SPARSE.n_neurons))


# Neurons ----------------------------------------------------------------------------------------------------------


def test_a_profile_is_what_is_known_best(packed):
    store = NeuronStore(packed)
    one, other = counts(1), counts(2)
    write_profile(store, Profile(store.fingerprint, (UseCounts("prose", 100, one), UseCounts("code", 200, other))))

    shares = firing_shares(packed.config, store)

    mixed = (one / 100 + other / 200) / 2
    assert shares.basis == "profile"
    assert shares.fired == pytest.approx(-np.sort(-mixed, axis=1))
    assert neuron_importance(packed.config, store) == pytest.approx(mixed)


def test_without_a_profile_a_census_will_do(packed):
    store = NeuronStore(packed)
    curve = tuple(np.linspace(0, 1, 21) ** 0.5)
    layer = LayerCensus(0.7, 0.75, (0.0,) * 8, (0.1,) * 4, curve, 0.5, (0.5,) * 5, 0.0, 0.0, ())
    of = Subject("tiny", "Tiny", "gated relu", True, "int8", SPARSE.n_layers, SPARSE.n_neurons, 36, store.fingerprint)
    head = ReportHead("2026-11-30T10:00:00+00:00", "0.1", 1.0, of, ())
    store.write("census", CensusReport(SCHEMA_VERSION, head, (layer,) * SPARSE.n_layers))

    shares = firing_shares(packed.config, store)

    assert shares.basis == "census"
    assert shares.fired == pytest.approx(np.full((SPARSE.n_layers, SPARSE.n_neurons), 0.25))
    assert neuron_importance(packed.config, store) is None

    write_profile(store, Profile(store.fingerprint, (), counts() / 100))
    ordered = firing_shares(packed.config, store)
    assert ordered.basis == "census"
    assert ordered.fired.mean() == pytest.approx(0.25)
    assert ordered.fired[0, 0] > 0.5 > ordered.fired[0, -1]
    assert np.array_equal(neuron_importance(packed.config, store), counts() / 100)


def test_nothing_known_or_a_damaged_profile_or_importance_alone_is_even(packed):
    store = NeuronStore(packed)
    assert firing_shares(packed.config, store).basis == "even"
    assert firing_shares(packed.config, None).basis == "even"
    write_profile(store, Profile(store.fingerprint, (), counts() / 100))
    assert firing_shares(packed.config, store).basis == "even"
    (store.folder / "profile.npz").write_bytes(b"damaged")
    assert firing_shares(packed.config, store).basis == "even"


def test_neurons_that_are_never_silent_are_all_read_whatever_was_counted(packed):
    store = NeuronStore(packed)
    write_profile(store, Profile(store.fingerprint, (UseCounts("prose", 100, counts()),)))

    shares = firing_shares(dataclasses.replace(SPARSE, activation="silu"), store)

    assert (shares.basis, float(shares.fired.min())) == ("even", 1.0)
    assert neuron_importance(dataclasses.replace(SPARSE, activation="silu"), store) is None


def test_a_loaded_models_order_is_kept(packed):
    store = NeuronStore(packed)
    fired = counts()
    write_profile(store, Profile(store.fingerprint, (UseCounts("prose", 100, fired),)))
    order = np.stack([np.arange(SPARSE.n_neurons)[::-1]] * SPARSE.n_layers).astype(np.int32)

    found = costs_of(subject(packed), context_bytes=0, order=order)

    row = found.work.layers[0].neurons
    assert np.argsort(row, kind="stable").tolist() == np.argsort(fired[0][::-1], kind="stable").tolist()


# Offers -----------------------------------------------------------------------------------------------------------


def test_an_offer_on_a_card_uses_what_was_measured_of_it(config, packed, with_card):
    keep_context_bytes(Path(config.kernel_cache_dir).parent, machine_key(with_card, CARD.uuid), 123 << 20)

    offer = offer_placement(OfferPlacement("1", "tiny"), config, subject(packed), nothing)

    assert (offer.card_uuid, offer.assumed, offer.basis) == (CARD.uuid, "", "even")
    assert offer.recommended_bytes > 123 << 20
    assert dict(offer.account)["context and modules"] == 123 << 20
    assert sum(n for _, n in offer.account) == CARD.memory_bytes
    assert offer.memory_free_bytes == 8 << 30


def test_a_budget_that_is_set_does_not_end_what_is_offered(config, packed, with_card):
    limited = dataclasses.replace(config, vram_bytes=200 << 20)

    offer = offer_placement(OfferPlacement("1", "tiny"), limited, subject(packed), nothing)

    assert offer.most_bytes == offer_placement(OfferPlacement("2", "tiny"), config, subject(packed), nothing).most_bytes
    assert offer.most_bytes > 200 << 20


def test_without_a_card_the_processor_is_measured_once_and_kept(config, packed, without_card, monkeypatch):
    calls = []

    def measure(processor, device, on_step):
        calls.append(device)
        return ALONE

    monkeypatch.setattr(worker_placement, "measure", measure)

    first = offer_placement(OfferPlacement("1", "tiny"), config, subject(packed), nothing)
    second = offer_placement(OfferPlacement("2", "tiny"), config, subject(packed), nothing)

    assert calls == [None]
    assert len(first.points) == 1
    assert first.points == second.points
    assert first.card_uuid == ""


def test_a_damaged_file_of_speeds_is_measured_again(config, packed, with_card, monkeypatch):
    (Path(config.kernel_cache_dir).parent / FILE_NAME).write_text("{")
    monkeypatch.setattr(worker_placement, "measure", lambda processor, device, on_step: ON_CARD)
    opened = []

    class Closing:
        def __init__(self) -> None:
            self.allocated = {"context and modules": 77 << 20}

        def close(self) -> None:
            opened.append("closed")

    monkeypatch.setattr(worker_placement, "open_device", lambda config, card: Closing())

    offer = offer_placement(OfferPlacement("1", "tiny"), config, subject(packed), nothing)

    assert opened == ["closed"]
    assert dict(offer.account)["context and modules"] == 77 << 20
    assert offer.points[-1].tokens_per_s >= offer.points[0].tokens_per_s


def test_a_card_that_is_assumed_is_named_and_needs_none_here(config, packed, without_card, monkeypatch):
    monkeypatch.setattr(worker_placement, "measure", lambda processor, device, on_step: ALONE)
    request = OfferPlacement("1", "tiny", assumed_card="4070")

    offer = offer_placement(request, config, subject(packed), nothing)

    assert (offer.assumed, offer.card_uuid) == ("RTX 4070", "assumed RTX 4070")
    assert len(offer.points) > 1
    with pytest.raises(InvalidRequest):
        offer_placement(dataclasses.replace(request, assumed_card="9999"), config, subject(packed), nothing)


def test_a_demonstration_is_no_card_and_its_emulation_is_not_measured(config, packed, without_card, monkeypatch):
    devices = []
    monkeypatch.setattr(
        worker_placement, "measure", lambda processor, device, on_step: devices.append(device) or ALONE
    )  # fmt: skip

    offer = offer_placement(OfferPlacement("1", "tiny", card="emulated"), config, subject(packed), nothing)
    report = read_devices(dataclasses.replace(config, card="emulated"), nothing, wants_measure=True)

    assert devices == [None, None]
    assert offer.card_uuid == "emulated"
    assert offer.assumed
    assert dict(offer.account).get("context and modules") == 0
    assert (report.state, report.chosen_uuid, report.cards) == ("emulated", "emulated", ())
    assert report.speeds.card_uuid == ""


def test_a_card_that_is_not_here_is_refused(config, packed, with_card):
    with pytest.raises(InvalidRequest) as refusal:
        offer_placement(OfferPlacement("1", "tiny", card="GPU-2"), config, subject(packed), nothing)

    assert refusal.value.field == "card"


def test_where_the_card_that_is_set_is_gone_the_others_are_told(config, with_card):
    report = read_devices(dataclasses.replace(config, card="GPU-gone"), nothing, wants_measure=False)

    assert (report.chosen_uuid, [card.uuid for card in report.cards]) == ("", ["GPU-1"])


def test_devices_are_told_with_what_was_measured_before(config, with_card, monkeypatch):
    def never(*_args: object) -> MachineSpeeds:
        raise AssertionError("measured without being asked to")

    monkeypatch.setattr(worker_placement, "measure", never)

    report = read_devices(config, nothing, wants_measure=False)

    assert report.speeds == ON_CARD
    assert (report.state, report.chosen_uuid, [card.name for card in report.cards]) == ("usable", "GPU-1", [CARD.name])
