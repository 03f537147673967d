"""The account of a card's memory: closed, exact to the byte of what a packed file holds, and never quietly exceeded."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidRequest, OutOfMemory
from engine.model.packed_model import WEIGHT_FORMATS, tensor_specs
from engine.placement.budget import (
    PURPOSES,
    CardMemory,
    LayerBytes,
    MemoryAccount,
    ModelBytes,
    model_bytes,
    plan_bytes,
)
from engine.placement.plan import LayerPlacement, PlacementPlan
from engine.placement.planner import BY_LAYER, DENSE_ON_CARD, plan_curve
from tests.placement.placement_models import DESKTOP, model_of_size, models, speeds
from tests.tiny_model import TINY

# Widths and neurons in other proportions than 2.7: bytes counted from the wrong one of them would show.
SHAPES = {
    "gated": dataclasses.replace(TINY, width=4096, n_neurons=14336, n_layers=2),
    "plain with biases": dataclasses.replace(
        TINY, width=768, n_neurons=3072, is_gated=False, activation="relu", has_ffn_bias=True, has_qkv_bias=True,
        has_out_bias=True, norm="layer", is_tied=True,
    ),
    "untied": dataclasses.replace(TINY, width=512, n_neurons=1000, is_tied=False),
}  # fmt: skip


def on_card(model: ModelBytes, n_hot: int) -> PlacementPlan:
    layers = tuple(LayerPlacement(True, n_hot, layer.n_neurons) for layer in model.layers)
    return PlacementPlan("by hand", layers, True, 1.0)


def of_shape(name: str, weight_format: str = "int8", **other: int) -> ModelBytes:
    config = SHAPES[name]
    zeros = [0] * config.n_layers
    return model_bytes(
        config, WEIGHT_FORMATS[weight_format], predictors=zeros, kv_caches=zeros,
        context=other.get("context", 0), workspace=other.get("workspace", 0),
    )  # fmt: skip


@pytest.mark.parametrize("weight_format", sorted(WEIGHT_FORMATS))
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_model_on_the_card_is_the_packed_file_without_embedding_and_padding(shape, weight_format):
    config = SHAPES[shape]
    specs = tensor_specs(config, WEIGHT_FORMATS[weight_format], 0)
    in_memory = {"embedding", "positions"} if not config.is_tied else {"positions"}
    file_bytes = sum(spec.n_bytes for spec in specs if spec.name not in in_memory)
    biases = [spec for spec in specs if spec.name.endswith(("first_bias", "up_bias"))]
    padding = sum(4 * (spec.rows - config.n_neurons) for spec in biases)

    model = of_shape(shape, weight_format)

    assert model.total == file_bytes - padding


def test_bytes_of_a_neuron_follow_from_the_width():
    assert of_shape("gated", "f32").layers[0].neuron == 3 * 4 * 4096
    assert of_shape("plain with biases", "f32").layers[0].neuron == 2 * 4 * 768 + 4


def test_caches_and_predictors_are_counted_layer_by_layer():
    config = SHAPES["untied"]
    caches, predictors = range(100, 100 + config.n_layers), range(7, 7 + config.n_layers)

    model = model_bytes(
        config, WEIGHT_FORMATS["int8"], predictors=predictors, kv_caches=caches, context=1, workspace=2
    )  # fmt: skip

    assert [layer.kv_cache for layer in model.layers] == list(caches)
    assert [layer.predictor for layer in model.layers] == list(predictors)
    assert model.total == of_shape("untied").total + sum(caches) + sum(predictors) + 3
    with pytest.raises(InvalidRequest):
        model_bytes(config, WEIGHT_FORMATS["int8"], predictors=[], kv_caches=caches, context=0, workspace=0)


@settings(max_examples=150, deadline=None)
@given(models(), speeds(), st.integers(0, 2000), st.integers(0, 500), st.integers(0, 500), st.data())
def test_every_byte_of_the_card_has_one_name(subject, machine, device, others, reserve, data):
    model, work = subject
    limit = data.draw(st.none() | st.integers(0, 2000))
    memory = CardMemory(device + others, others, reserve, limit)

    plan = plan_curve(model, work, machine, BY_LAYER, group=2).plan(memory.available)
    account = MemoryAccount(memory, plan_bytes(model, plan))

    entries = dict(account.entries)
    assert len(entries) == len(account.entries)
    assert sum(entries.values()) == memory.device
    assert all(n_bytes >= 0 for n_bytes in entries.values())
    assert account.total <= memory.available
    assert entries["other programs"] == others
    assert entries["reserve"] == min(reserve, device)
    if limit is not None:
        assert account.total <= limit


def test_every_purpose_is_counted_once():
    layers = tuple(LayerBytes(1 << 4 * i, 2 << 4 * i, 4 << 4 * i, 8 << 4 * i, 1) for i in range(3))
    model = ModelBytes(layers, 1 << 12, 1 << 13, 1 << 14)

    ours = dict(plan_bytes(model, on_card(model, 1)))

    assert ours == {
        "context and modules": 1 << 13, "workspace": 1 << 14, "attention": 0x111, "head": 1 << 12,
        "predictors": 0x222, "KV cache": 0x444, "hot neurons": 0x888,
    }  # fmt: skip
    assert sum(ours.values()) == model.total
    assert tuple(ours) == PURPOSES


def test_a_plan_that_leaves_the_card_alone_takes_nothing():
    model, _ = model_of_size(2, 128, 64)
    layers = tuple(LayerPlacement(False, 0, 128) for _ in model.layers)

    assert {n for _, n in plan_bytes(model, PlacementPlan("by hand", layers, False, 1.0))} == {0}


def test_one_hot_neuron_brings_context_and_workspace():
    model, _ = model_of_size(2, 128, 64)
    layers = (LayerPlacement(False, 1, 128), LayerPlacement(False, 0, 128))

    ours = dict(plan_bytes(model, PlacementPlan("by hand", layers, False, 1.0)))

    assert {name for name, n in ours.items() if n} == {"context and modules", "workspace", "hot neurons"}


def test_what_does_not_fit_is_named_with_its_bytes():
    model, work = model_of_size(4, 2048, 512)
    plan = plan_curve(model, work, DESKTOP, DENSE_ON_CARD).plan(model.total)
    ours = plan_bytes(model, plan)
    before_cache = sum(n_bytes for name, n_bytes in ours[: PURPOSES.index("KV cache")])

    with pytest.raises(OutOfMemory) as refusal:
        MemoryAccount(CardMemory(before_cache + 10, 0, 0), ours)

    assert refusal.value.what == "KV cache"
    assert refusal.value.needed_bytes == dict(ours)["KV cache"]
    assert refusal.value.available_bytes == 10
    MemoryAccount(CardMemory(model.total, 0, 0), ours)


@pytest.mark.parametrize(
    ("memory", "available"),
    [
        (CardMemory(100, 30, 20), 50),
        (CardMemory(100, 30, 20, limit=40), 40),
        (CardMemory(100, 30, 20, limit=60), 50),
        (CardMemory(100, 95, 20), 0),
        (CardMemory(100, 0, 0, limit=0), 0),
    ],
)
def test_available_is_what_neither_others_nor_the_reserve_nor_the_limit_takes(memory, available):
    assert memory.available == available


def test_allocations_are_held_against_their_names():
    model, _ = model_of_size(2, 128, 64)
    ours = plan_bytes(model, on_card(model, 64))
    account = MemoryAccount(CardMemory(model.total, 0, 0), ours)
    allocated = dict(ours)

    assert set(account.deviations(allocated).values()) == {0}
    allocated["workspace"] += 12
    del allocated["head"]
    assert {n: d for n, d in account.deviations(allocated).items() if d} == {"workspace": 12, "head": -model.head}
    with pytest.raises(InvalidRequest):
        account.deviations({"scratch": 5})


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: LayerBytes(-1, 0, 0, 0, 1), "attention"),
        (lambda: ModelBytes((LayerBytes(0, 0, 0, 0, 1),), -1, 0, 0), "head"),
        (lambda: ModelBytes((), 0, 0, 0), "layers"),
        (lambda: CardMemory(10, 11, 0), "others"),
        (lambda: CardMemory(10, 0, 0, limit=-1), "limit"),
        (lambda: LayerPlacement(True, 5, 4), "n_hot"),
    ],
)
def test_impossible_bytes_are_refused_by_name(make, field):
    with pytest.raises(InvalidRequest) as refusal:
        make()

    assert refusal.value.field == field
