"""Defects of PowerInfer's placement that were found in its source, each held off here.

a  layers in the order of their names as text: 0, 1, 10, 11, 2 …
b  a neuron's bytes reckoned from the number of neurons, where the width counts
i  workspace and cache left out, and an abort where all does not fit
l  a solver started through a shell, by path
"""

import dataclasses
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import OutOfMemory
from engine.kernels.formats import FORMATS
from engine.model.packed_model import WEIGHT_FORMATS
from engine.placement.budget import CardMemory, model_bytes, plan_bytes
from engine.placement.offer import Placer, model_costs, shares_from_counts
from engine.placement.plan import hottest_first
from engine.placement_reports import MachineSpeeds, ThreadRate
from tests.tiny_model import TINY

MIB = 1 << 20
# Width and neurons: those of LLaMA-7B, of Mistral and Bamboo, and of LLaMA-70B.
SHAPES = {"7B": (4096, 11008), "Mistral": (4096, 14336), "70B": (8192, 28672)}
# Launches and crossings so cheap that a model of a few megabytes is worth a card.
DESKTOP = MachineSpeeds((ThreadRate(2, 4e10),), "GPU-1", 6e11, 2e10, 2e10, 1e-8, 1e-7, "", 1.0)
CONFIG = dataclasses.replace(TINY, width=256, n_neurons=512, n_layers=24, activation="relu", context_tokens=512)
CONTEXT, WORKSPACE, CACHE = 3 * MIB, 2 * MIB, 64 << 10


def placer(fired: np.ndarray, memory: CardMemory) -> Placer:
    parts, zeros = WEIGHT_FORMATS["int8"], [0] * CONFIG.n_layers
    placed = model_bytes(
        CONFIG, parts, predictors=zeros, kv_caches=[CACHE] * CONFIG.n_layers, context=CONTEXT, workspace=WORKSPACE
    )  # fmt: skip
    costs = model_costs(CONFIG, parts, placed, shares_from_counts(fired), context_tokens=CONFIG.context_tokens)
    return Placer(costs, DESKTOP, memory, 2)


def one_busy_layer(busy: int) -> np.ndarray:
    """(layers, n): in one layer a few neurons fire at every token and the others never; elsewhere all seldom."""
    fired = np.full((CONFIG.n_layers, CONFIG.n_neurons), 0.02)
    fired[busy] = 0.0
    fired[busy, 100:140] = 1.0
    return fired


# a ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("busy", [0, 1, 2, 9, 10, 11, 20, 23])
def test_a_layer_keeps_its_own_shares_and_its_own_hot_set_whatever_its_number_looks_like_as_text(busy):
    fired = one_busy_layer(busy)

    costs = placer(fired, CardMemory(64 * MIB, 0, 0)).costs

    reads = [float(layer.neurons[:40].sum()) for layer in costs.work.layers]
    assert int(np.argmax(reads)) == busy
    assert sorted(hottest_first(fired[busy])[:40].tolist()) == list(range(100, 140))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_hot_set_of_each_layer_is_the_top_of_that_layers_counts(seed):
    counts = np.random.default_rng(seed).integers(0, 1000, (CONFIG.n_layers, CONFIG.n_neurons)) / 1000
    placed = placer(counts, CardMemory(9 * MIB, 0, 0))

    plan = placed.plan_for(placed.most_bytes)

    for layer, (place, own) in enumerate(zip(plan.layers, counts, strict=True)):
        hot, cold = place.hot(hottest_first(own)), place.cold(hottest_first(own))
        assert not len(hot) or not len(cold) or own[hot].min() >= own[cold].max(), layer
    assert 0 < sum(place.n_hot for place in plan.layers) < CONFIG.n_layers * CONFIG.n_neurons


# b ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(SHAPES))
@pytest.mark.parametrize("weight_format", sorted(WEIGHT_FORMATS))
def test_a_neuron_takes_three_rows_of_the_width_whatever_the_number_of_neurons(name, weight_format):
    width, n_neurons = SHAPES[name]
    config = dataclasses.replace(TINY, width=width, n_neurons=n_neurons, n_layers=1, activation="relu")
    parts = WEIGHT_FORMATS[weight_format]

    (layer,) = model_bytes(config, parts, predictors=[0], kv_caches=[0], context=0, workspace=0).layers

    rows = [FORMATS[parts.ffn_first], FORMATS[parts.ffn_rest], FORMATS[parts.ffn_rest]]
    assert layer.neuron == sum(fmt.stride(width) for fmt in rows)
    assert layer.n_neurons == n_neurons


def test_of_two_models_as_wide_a_budget_holds_as_many_neurons():
    hot = {}
    for n_neurons in (512, 1024):
        config = dataclasses.replace(CONFIG, n_neurons=n_neurons, n_layers=2)
        parts = WEIGHT_FORMATS["int8"]
        placed = model_bytes(config, parts, predictors=[0, 0], kv_caches=[0, 0], context=0, workspace=0)
        fired = np.full((2, n_neurons), 0.5)
        costs = model_costs(config, parts, placed, shares_from_counts(fired), context_tokens=512)
        budget = sum(layer.with_attention for layer in placed.layers) + placed.head + 512 * placed.layers[0].neuron
        plan = Placer(costs, DESKTOP, CardMemory(budget, 0, 0), 2).plan_for(budget)
        assert all(layer.attention_on_card for layer in plan.layers)
        hot[n_neurons] = sum(layer.n_hot for layer in plan.layers)

    assert hot[512] == hot[1024] == 512


# i ----------------------------------------------------------------------------------------------------------------


def test_workspace_and_cache_are_in_the_account():
    placed = placer(np.full((CONFIG.n_layers, CONFIG.n_neurons), 0.1), CardMemory(64 * MIB, 0, 0))

    ours = dict(plan_bytes(placed.costs.placed, placed.plan_for(64 * MIB)))

    assert ours["workspace"] == WORKSPACE
    assert ours["context and modules"] == CONTEXT
    assert ours["KV cache"] == CONFIG.n_layers * CACHE


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 24 * MIB), st.integers(0, 8 * MIB), st.integers(0, 4 * MIB))
def test_there_is_a_plan_for_any_card_and_it_fits(free, others, reserve):
    memory = CardMemory(free + others, others, reserve)
    placed = placer(np.full((CONFIG.n_layers, CONFIG.n_neurons), 0.1), memory)

    plan = placed.plan_for(placed.most_bytes)
    account = placed.account_for(plan)

    assert account.total <= memory.available
    assert sum(n for _, n in account.entries) == memory.device


def test_what_does_not_fit_is_refused_by_name_and_not_by_an_abort():
    placed = placer(np.full((CONFIG.n_layers, CONFIG.n_neurons), 0.1), CardMemory(8 * MIB, 0, 0))

    with pytest.raises(OutOfMemory) as refusal:
        placed.account_for(placed.plan_for(64 * MIB))

    assert refusal.value.what == "hot neurons"


# l ----------------------------------------------------------------------------------------------------------------


def test_planning_starts_no_process_and_opens_no_file(monkeypatch):
    def refuse(*_args: object, **_options: object) -> None:
        raise AssertionError("planning is a function call")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr("os.system", refuse)
    monkeypatch.setattr("builtins.open", refuse)

    placed = placer(one_busy_layer(3), CardMemory(16 * MIB, 0, 0))
    offer = placed.offer("a model of any name; rm -rf", context_tokens=512, card_uuid="", memory_bytes=0,
                         memory_free_bytes=0)  # fmt: skip

    assert offer.points[-1].hot_share > 0
