"""The bytes a step is said to read are those of the matrices it does read."""

import dataclasses

import numpy as np
import pytest

from engine.bench.shapes import SHAPES
from engine.model.packed_model import WEIGHT_FORMATS, tensor_specs
from engine.runtime.kv_cache import cache_bytes
from engine.runtime.traffic import predictor_bytes, step_bytes
from tests.tiny_model import TINY


def counts(config, candidates, alive, active):
    """Counts of layers that all have these shares of their neurons."""
    return np.tile(np.array([candidates, alive, active]) * config.n_neurons, (config.n_layers, 1))


@pytest.mark.parametrize("weight_format", sorted(WEIGHT_FORMATS))
@pytest.mark.parametrize("config", [SHAPES["7b-8"], SHAPES["1b-8"], TINY], ids=lambda config: config.name)
def test_a_step_of_all_neurons_reads_every_matrix_once(config, weight_format: str):
    parts = WEIGHT_FORMATS[weight_format]
    matrices = sum(s.n_bytes for s in tensor_specs(config, parts, 0) if s.stride)
    if not config.is_tied:  # one row of the embedding, then
        matrices -= config.n_vocab * parts.of("embedding").stride(config.width)

    read = dict(step_bytes(config, parts, "f16", positions=0, counts=counts(config, 1, 1, 1)))

    assert sum(read.values()) == matrices


def test_silent_neurons_are_not_read_past_their_first_product():
    config, parts = SHAPES["7b-8"], WEIGHT_FORMATS["int8"]

    dense = dict(step_bytes(config, parts, "f16", positions=512, counts=counts(config, 1, 1, 1)))
    sparse = dict(step_bytes(config, parts, "f16", positions=512, counts=counts(config, 1, 0.1, 0.05)))

    assert sparse["rest"] == pytest.approx(0.075 * dense["rest"], rel=1e-6)
    assert {**sparse, "rest": 0} == {**dense, "rest": 0}


def test_up_rows_are_all_read_where_most_neurons_are_alive():
    config, parts = SHAPES["7b-8"], WEIGHT_FORMATS["int8"]

    def rest(alive):
        return dict(step_bytes(config, parts, "f16", positions=0, counts=counts(config, 1, alive, 0)))["rest"]

    assert rest(0.6) == rest(1.0) == 8 * 11008 * parts.of_up(config).stride(4096)
    assert rest(0.5) == rest(1.0) / 2


def test_a_low_rank_predictor_is_read_whole_and_saves_the_first_products_it_rules_out():
    config, parts = SHAPES["7b-8"], WEIGHT_FORMATS["int8"]
    gate = parts.of("gate")
    one = predictor_bytes("linear", 512, config.width, config.n_neurons, gate)

    exact = dict(step_bytes(config, parts, "f16", positions=0, counts=counts(config, 1, 0.1, 0.1)))
    predicted = dict(
        step_bytes(config, parts, "f16", positions=0, counts=counts(config, 0.16, 0.1, 0.1), predictors=8 * one)
    )

    assert one == 512 * gate.stride(4096) + 11008 * (gate.stride(512) + 4)
    assert predicted.pop("predictor") == 8 * one
    assert predicted.pop("first") == pytest.approx(0.16 * exact.pop("first"), rel=1e-6)
    assert predicted == exact


@pytest.mark.parametrize(("width", "words"), [(64, 1), (65, 2), (576, 9)])
def test_a_sign_predictor_reads_a_bit_a_weight_and_a_constant_a_neuron(width, words):
    assert predictor_bytes("sign", 0, width, 100, WEIGHT_FORMATS["int4"].of("gate")) == 100 * (8 * words + 4)


def test_the_cache_is_read_as_far_as_the_window_sees():
    config, parts = SHAPES["1b"], WEIGHT_FORMATS["int4"]

    def cache(window: int, positions: float) -> int:
        changed = dataclasses.replace(config, window=window)
        return dict(step_bytes(changed, parts, "f16", positions=positions, counts=counts(changed, 1, 1, 1)))["cache"]

    assert cache(0, 4096) == cache_bytes(config, 4096, "f16")
    assert cache(1000, 4096) == cache_bytes(config, 1000, "f16")
    assert cache(1000, 10) == cache_bytes(config, 10, "f16")


def test_the_first_layers_of_a_shape_are_the_shape_but_for_their_number():
    for name in ("1b", "7b", "13b"):
        assert SHAPES[f"{name}-8"] == dataclasses.replace(SHAPES[name], name=f"{name}-8", n_layers=8)
