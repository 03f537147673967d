"""A loaded model with a card, through the engine's door: the processor plays the card."""

import time
from pathlib import Path

import numpy as np
import pytest

from engine import worker_card
from engine.kernels.cuda.emulated_device import EmulatedDevice
from engine.kernels.cuda.ops import CardOps
from engine.messages import (
    BudgetApplied,
    Cancel,
    ChatMessage,
    EngineConfig,
    Failed,
    Generate,
    GenerateVariants,
    GenerationFinished,
    ImportModel,
    ListModels,
    LoadModel,
    ModelImported,
    ModelReady,
    NeuronsSeen,
    SamplingParams,
    SetBudget,
    TextPiece,
    VariantEnded,
    VariantsFinished,
    VariantText,
    WatchNeurons,
)
from engine.model.packed_model import open_packed
from engine.neurons.profile import Profile, UseCounts, read_profile, write_profile
from engine.neurons.store import NeuronStore
from engine.placement.hardware import DeviceInfo
from engine.placement.offer import Placer
from engine.placement_reports import MachineSpeeds, ThreadRate
from engine.runtime import loader
from engine.runtime.residence import residence
from tests.engine.conftest import Front
from tests.golden.families import golden

GREEDY = SamplingParams(temperature=0.0, max_tokens=24, repetition_penalty=1.0)
QUESTION = (ChatMessage("user", "What is it?"),)


def opened(tmp_path, kernel_cache, card, **options):
    return Front(EngineConfig(str(tmp_path / card), str(kernel_cache), card=card, **options), in_process=True)


def loaded(front):
    imported = front.ask(ImportModel("i", str(golden("prosparse").path)))
    assert isinstance(imported, ModelImported), imported
    ready = front.ask(LoadModel("l", imported.model.model_id))
    assert isinstance(ready, ModelReady), ready
    return ready


def answer(front, request_id="g", during=()):
    """The text of a greedy answer, its ending, and every other event; requests of `during` follow the first piece."""
    front.engine.submit(Generate(request_id, QUESTION, GREEDY))
    text, others, rest = "", [], list(during)
    while True:
        event = front.next()
        if isinstance(event, TextPiece):
            text += event.text
            if rest:
                front.engine.submit(rest.pop(0))
        elif isinstance(event, GenerationFinished):
            return text, event, others
        else:
            others.append(event)


def devices_of(monkeypatch, prepare=lambda device: None):
    """A list to which every device that is opened is added."""
    devices, open_device = [], worker_card.open_device

    def opened_device(*args):
        devices.append(open_device(*args))
        prepare(devices[-1])
        return devices[-1]

    monkeypatch.setattr(worker_card, "open_device", opened_device)
    return devices


@pytest.fixture(autouse=True)
def slow_processor(monkeypatch):
    """Speeds at which a card is worth its while even for a model of a few kilobytes."""
    kept = worker_card.placer_of

    def placer_of(*args, **options):
        placer = kept(*args, **options)
        speeds = MachineSpeeds((ThreadRate(1, 1e6),), "", 1e12, 1e12, 1e12, 1e-9, 1e-9, "2026-01-01", 1.0)
        return Placer(placer.costs, speeds, placer.memory, 1)

    monkeypatch.setattr(worker_card, "placer_of", placer_of)


@pytest.fixture
def emulated(tmp_path, kernel_cache):
    front = opened(tmp_path, kernel_cache, "emulated")
    yield front
    front.engine.close()


@pytest.fixture
def alone(tmp_path, kernel_cache):
    front = opened(tmp_path, kernel_cache, "none")
    yield front
    front.engine.close()


def test_an_answer_is_the_same_with_a_card_and_says_who_did_the_work(alone, emulated):
    assert loaded(alone).placement is None
    expected, _, _ = answer(alone)
    placement = loaded(emulated).placement

    assert placement.is_emulated
    assert placement.predicted_tokens_per_s == 0.0  # a demonstration promises nothing
    assert sum(placement.hot_neurons) > 0
    assert sum(n for _, n in placement.account) == 8 << 30
    assert {name: n for name, n in placement.account if dict(placement.allocated).get(name)} == {
        name: n for name, n in placement.allocated if n
    }
    text, ending, _ = answer(emulated)
    assert text == expected
    assert ending.stats.load.n_tokens > 0
    assert ending.stats.load.card_busy_s > 0


def test_a_card_makes_way_for_several_answers_and_a_budget_set_meanwhile_is_in_place_after_them(alone, emulated):
    loaded(alone)
    expected, _, _ = answer(alone)
    budget = loaded(emulated).placement.budget_bytes * 3 // 4
    emulated.engine.submit(GenerateVariants("v", QUESTION, (GREEDY, GREEDY)))
    events = emulated.until(VariantText)
    emulated.engine.submit(SetBudget("b", budget))

    events += emulated.until(BudgetApplied)

    texts = ["".join(e.text for e in events if isinstance(e, VariantText) and e.number == n) for n in range(2)]
    assert texts == [expected] * 2
    assert [e.stats.load for e in events if isinstance(e, VariantEnded)] == [None] * 2
    assert any(isinstance(e, VariantsFinished) for e in events)
    assert events[-1].state.budget_bytes == budget
    assert sum(events[-1].state.hot_neurons) > 0
    text, ending, _ = answer(emulated)
    assert text == expected
    assert ending.stats.load.card_busy_s > 0


def test_a_budget_is_applied_while_an_answer_runs_and_the_answer_stays(alone, emulated):
    loaded(alone)
    expected, _, _ = answer(alone)
    ready = loaded(emulated)
    budgets = [0, ready.placement.budget_bytes, ready.placement.budget_bytes * 3 // 4]

    text, _, others = answer(emulated, during=[SetBudget(f"b{n}", budget) for n, budget in enumerate(budgets)])

    assert text == expected
    applied = [event for event in others if isinstance(event, BudgetApplied)]
    assert applied
    assert {event.request_id for event in applied} <= {"b0", "b1", "b2"}
    last = applied[-1].state
    assert last.budget_bytes in budgets
    assert last.applied_s >= 0.0
    after = emulated.ask(SetBudget("b", 0))
    assert after.state.hot_neurons == (0,) * len(after.state.hot_neurons)
    assert not any(dict(after.state.allocated).get(name) for name in ("attention", "head", "hot neurons"))
    assert answer(emulated, "h")[0] == expected


def test_a_card_that_computes_something_else_is_used_no_more(alone, emulated, monkeypatch):
    loaded(alone)
    expected, _, _ = answer(alone)
    finish_acts = CardOps.finish_acts

    def doubled(ops, acts, ups, counts, activation, active):
        finish_acts(ops, acts, ups, counts, activation, active)
        ops.add(acts, acts, acts, acts)

    monkeypatch.setattr(CardOps, "finish_acts", doubled)
    emulated.engine.submit(ImportModel("i", str(golden("prosparse").path)))
    model_id = emulated.until(ModelImported)[-1].model.model_id
    emulated.engine.submit(LoadModel("l", model_id))
    events = emulated.until(ModelReady)
    told = [event.state for event in events if isinstance(event, BudgetApplied)]
    assert [state.stepped_down for state in told] == ["wrong_result"]
    assert sum(events[-1].placement.hot_neurons) == 0
    assert answer(emulated)[0] == expected


@pytest.mark.parametrize("reason", ["device_lost", "out_of_memory"])
def test_a_card_that_fails_in_the_middle_is_told_with_numbers_and_the_answer_stays(
    alone, emulated, monkeypatch, reason
):
    loaded(alone)
    expected, _, _ = answer(alone)
    devices = devices_of(monkeypatch)
    ready = loaded(emulated)
    full = ready.placement.budget_bytes
    if reason == "out_of_memory":
        emulated.ask(SetBudget("less", full // 2))
        devices[0].fail_allocation_after(1)
        text, _, others = answer(emulated, during=[SetBudget("more", full)])
    else:
        emulated.engine.submit(Generate("g", QUESTION, GREEDY))
        text = emulated.until(TextPiece)[-1].text
        devices[0].lose()
        events = emulated.until(GenerationFinished)
        text += "".join(event.text for event in events if isinstance(event, TextPiece))
        others = events

    assert text == expected
    told = [event.state for event in others if isinstance(event, BudgetApplied) and event.state.stepped_down]
    assert told[0].stepped_down == reason
    assert (told[0].wanted_bytes > 0) == (reason == "out_of_memory")
    assert answer(emulated, "h")[0] == expected


def test_more_than_the_card_has_is_refused_with_numbers(emulated):
    loaded(emulated)
    failed = emulated.ask(SetBudget("b", 1 << 40))
    assert isinstance(failed, Failed)
    assert failed.error.code == "OutOfMemory"
    assert failed.error.field("needed_bytes") == 1 << 40


@pytest.mark.parametrize("budget", [-5, -(10**30), 10**30])
def test_a_budget_out_of_range_leaves_everything_as_it_was(emulated, budget):
    before = loaded(emulated).placement
    failed = emulated.ask(SetBudget("b", budget))
    assert failed.error.code == ("InvalidRequest" if budget < 0 else "OutOfMemory")
    after = emulated.ask(SetBudget("c", before.budget_bytes)).state
    assert (after.hot_neurons, after.budget_bytes) == (before.hot_neurons, before.budget_bytes)


def test_a_refused_budget_leaves_the_one_before_it_in_force(emulated):
    full = loaded(emulated).placement.budget_bytes
    _, _, others = answer(emulated, during=[SetBudget("a", full // 2), SetBudget("b", 1 << 50)])
    ended = {event.request_id: event for event in others if event.request_id in ("a", "b")}
    while len(ended) < 2:
        event = emulated.next()
        ended[event.request_id] = event
    assert isinstance(ended["b"], Failed)
    assert isinstance(ended["a"], BudgetApplied)
    assert ended["a"].state.budget_bytes == full // 2
    assert emulated.ask(SetBudget("c", full)).state.budget_bytes == full


def test_each_budget_is_answered_once_whatever_is_cancelled(emulated):
    full = loaded(emulated).placement.budget_bytes
    emulated.engine.submit(Generate("g", QUESTION, GREEDY))
    emulated.until(TextPiece)
    ids = [f"b{n}" for n in range(12)]
    for n, request_id in enumerate(ids):
        emulated.engine.submit(SetBudget(request_id, full * (n % 4) // 4))
        if n % 3 == 0:
            emulated.engine.submit(Cancel(request_id))
    emulated.engine.submit(SetBudget("last", full))
    seen = []
    while not seen or seen[-1].request_id != "last":
        seen.append(emulated.next())
    assert emulated.ask(ListModels("l"))
    ends = [event.request_id for event in seen if event.request_id in ids]
    assert sorted(ends) == sorted(ids)
    assert isinstance(seen[-1], BudgetApplied)


def test_a_budget_asked_for_after_a_load_is_for_that_load(emulated):
    ready = loaded(emulated)
    full = ready.placement.budget_bytes
    emulated.engine.submit(Generate("g", QUESTION, GREEDY))
    emulated.engine.submit(LoadModel("again", ready.model.model_id))
    emulated.engine.submit(SetBudget("b", full // 2))
    events = emulated.until(BudgetApplied)
    assert [event for event in events if isinstance(event, ModelReady)]
    assert events[-1].state.budget_bytes == full // 2


def test_memory_is_given_back_while_nothing_is_asked(emulated, monkeypatch):
    devices = devices_of(monkeypatch)
    loaded(emulated)
    card = emulated.engine._worker._card
    card._session._reserve = 1 << 20  # as a real card's, of which the desktop has the rest
    devices[0].others_bytes = (8 << 30) - sum(devices[0].allocated.values()) - 1000
    told = emulated.until(BudgetApplied, 20)[-1].state
    assert told.stepped_down == "other_program"
    assert told.wanted_bytes > 0


@pytest.mark.parametrize("n_calls", [0, 3, 40])
def test_a_card_lost_as_it_is_opened_is_no_failure_of_loading(alone, emulated, monkeypatch, n_calls):
    loaded(alone)
    expected, _, _ = answer(alone)
    devices_of(monkeypatch, lambda device: device.lose_after(n_calls))
    emulated.engine.submit(ImportModel("i", str(golden("prosparse").path)))
    emulated.engine.submit(LoadModel("l", emulated.until(ModelImported)[-1].model.model_id))
    events = emulated.until(ModelReady)

    told = [event.state.stepped_down for event in events if isinstance(event, BudgetApplied)]
    refusal = events[-1].card_refusal
    assert "device_lost" in told or refusal.code == "DeviceLost"
    assert answer(emulated)[0] == expected
    assert emulated.ask(SetBudget("b", 1 << 20)).error.code in ("DeviceLost", "CardUnusable")


def test_a_card_that_is_asked_for_and_not_there_is_said(tmp_path, kernel_cache):
    front = opened(tmp_path, kernel_cache, "GPU-0000")
    try:
        ready = loaded(front)
        assert ready.placement is None
        assert ready.card_refusal.code in ("CardUnusable", "InvalidRequest")
    finally:
        front.engine.close()


@pytest.mark.parametrize(("vram_bytes", "code"), [(None, None), (0, None), (1 << 30, "CardUnusable")])
def test_a_budget_asks_for_a_card_too(tmp_path, kernel_cache, monkeypatch, vram_bytes, code):
    monkeypatch.setattr(DeviceInfo, "card_state", "no_driver")
    monkeypatch.setattr(DeviceInfo, "card_detail", "")
    front = opened(tmp_path, kernel_cache, "auto", vram_bytes=vram_bytes)
    try:
        refusal = loaded(front).card_refusal
        assert (None if refusal is None else refusal.code) == code
    finally:
        front.engine.close()


def test_a_budget_begins_while_a_prompt_is_read(emulated):
    full = loaded(emulated).placement.budget_bytes
    transformer = emulated.engine._worker._loaded.transformer
    read = transformer._read_prompt

    def ask_and_read(chunk, on_layer):
        emulated.engine.submit(SetBudget("b", full // 2))
        read(chunk, on_layer)

    transformer._read_prompt = ask_and_read
    emulated.engine.submit(Generate("g", (ChatMessage("user", "What is it? " * 8),), GREEDY))

    seen = emulated.until(TextPiece)

    applied = [event for event in seen if isinstance(event, BudgetApplied)]
    assert [event.request_id for event in applied] == ["b"]
    assert applied[0].state.budget_bytes == full // 2
    emulated.until(GenerationFinished)


def test_a_folder_for_kernels_that_cannot_be_made_is_said(tmp_path, kernel_cache, monkeypatch):
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    monkeypatch.setattr(worker_card, "open_device", lambda *args: EmulatedDevice(in_the_way))
    front = opened(tmp_path, kernel_cache, "emulated")
    try:
        ready = loaded(front)
        assert ready.placement is None
        assert ready.card_refusal.code == "CardUnusable"
        assert str(in_the_way) in ready.card_refusal.field("detail")
        assert answer(front)[0]
    finally:
        front.engine.close()


def test_without_a_card_a_budget_is_refused_in_a_way_that_says_why(alone):
    assert alone.ask(SetBudget("b", 1 << 20)).error.code == "NoModelLoaded"
    loaded(alone)
    failed = alone.ask(SetBudget("c", 1 << 20))
    assert failed.error.code == "CardUnusable"
    assert failed.error.field("detail") == "switched off"


@pytest.mark.parametrize("card", ["none", "emulated"])
def test_neurons_are_seen_while_an_answer_runs(tmp_path, kernel_cache, card):
    front = opened(tmp_path, kernel_cache, card)
    try:
        loaded(front)
        front.engine.submit(WatchNeurons("w", wanted=True, n_buckets=8))
        samples, deadline = [], time.monotonic() + 60
        while not samples and time.monotonic() < deadline:  # a picture is made a few times a second
            samples = [event.sample for event in answer(front)[2] if isinstance(event, NeuronsSeen)]
        sample = samples[0]
        assert len(sample.fired) == sample.n_layers * sample.n_buckets
        assert any(sample.fired)
        assert (sum(sample.hot_buckets) > 0) == (card == "emulated")
        front.engine.submit(WatchNeurons("w", wanted=False))
        assert not [event for event in answer(front, "h")[2] if isinstance(event, NeuronsSeen)]
    finally:
        front.engine.close()


def store_of(front, ready):
    return NeuronStore(open_packed(Path(front.config.library_dir) / f"{ready.model.model_id}.ember"))


def test_counted_neurons_go_by_the_numbers_of_the_file(alone, emulated):
    """Though the hottest lie first in memory, in an order that a profile gives."""
    counted = []
    for front in (alone, emulated):
        ready = loaded(front)
        store = store_of(front, ready)
        counts = np.random.default_rng(5).integers(1, 90, store.shape)
        write_profile(store, Profile(store.fingerprint, (UseCounts("prose", 100, counts),)))
        assert isinstance(front.ask(LoadModel("again", ready.model.model_id)), ModelReady)
        front.engine.submit(Generate("g", QUESTION, GREEDY, counts_neurons=True))
        front.until(GenerationFinished)
        counted.append(read_profile(store).use("chats").fired)
    assert counted[0].any()
    assert np.abs(counted[0] - counted[1]).sum() <= 0.01 * counted[0].sum()  # rounding may decide a neuron


def test_a_model_that_exceeds_memory_is_read_from_its_file_and_says_so(alone, monkeypatch):
    loaded(alone)
    expected, _, _ = answer(alone)
    monkeypatch.setattr(loader, "residence", lambda weights, other: residence(weights, other, free_bytes=other + 1))
    ready = loaded(alone)
    assert ready.from_disk
    assert ready.needed_bytes > ready.free_bytes > 0
    assert answer(alone, "h")[0] == expected
