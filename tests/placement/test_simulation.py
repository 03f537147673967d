"""The simulation of PowerInfer's setting: its curves are those published, its bytes those of the models."""

import numpy as np
import pytest

from engine.placement.budget import plan_bytes
from engine.placement.offer import Placer
from tests.placement.simulate_powerinfer import (
    CASES,
    FALCON_40B,
    FORMATS,
    LLAMA_70B,
    PAPER_FALCON,
    PAPER_LLAMA,
    PROFILE_LLAMA,
    costs,
    coverage,
    machine,
    simulate,
)


@pytest.mark.parametrize("locality", [PAPER_FALCON, PAPER_LLAMA, PROFILE_LLAMA])
def test_curves_go_through_the_published_points(locality):
    curve = coverage(locality, 1000)

    for share, carried in locality.curve:
        assert np.interp(share, np.linspace(0, 1, 1001), curve) == pytest.approx(carried, abs=1e-3)
    assert (curve[0], curve[-1]) == (0, 1)
    assert (np.diff(curve, 2) <= 1e-9).all()


@pytest.mark.parametrize(("shape", "billions", "neuron"), [(FALCON_40B, 41.3, 2 * 16384), (LLAMA_70B, 68.7, 3 * 16384)])
def test_models_have_their_published_sizes(shape, billions, neuron):
    placed = costs(shape, 2.0, PAPER_LLAMA, predicted=False).placed

    weights = sum(layer.attention + layer.neuron * layer.n_neurons for layer in placed.layers) + placed.head
    assert weights / 2 / 1e9 == pytest.approx(billions, rel=0.01)
    assert placed.layers[0].neuron == neuron


@pytest.mark.parametrize("shape", [FALCON_40B, LLAMA_70B])
def test_the_published_share_of_neurons_fires(shape):
    read = costs(shape, 2.0, PAPER_LLAMA, predicted=True).work.layers[0].neurons

    row = 2 * shape.width
    expected = shape.n_neurons * row * (shape.named + (shape.n_matrices - 1) * shape.active)
    assert float(read.sum()) == pytest.approx(expected, rel=0.02)


def test_plans_fit_the_card():
    speeds, memory = machine()
    placer = Placer(costs(LLAMA_70B, FORMATS["int4"], PAPER_LLAMA, predicted=True), speeds, memory)

    plan = placer.plan_for(memory.available)

    assert sum(n for _, n in plan_bytes(placer.costs.placed, plan)) <= memory.available < placer.costs.placed.total


def test_by_neurons_is_predicted_faster_than_by_layers_where_a_model_does_not_fit():
    for shape, name, locality, _ in CASES:
        dense, by_layers, layers_predicted, exact, predicted = simulate(shape, FORMATS[name], locality)

        assert dense.tokens_per_s < by_layers.tokens_per_s <= exact.tokens_per_s * (1 + 1e-6)
        assert layers_predicted.tokens_per_s < predicted.tokens_per_s
