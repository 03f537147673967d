"""Predicted times against figures worked out by hand, and the curves they are made from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidRequest
from engine.placement.cost import (
    LayerWork,
    Speeds,
    StepWork,
    firing_from_coverage,
    hot_share,
    layer_seconds,
    neuron_work,
    step_seconds,
)
from engine.placement.plan import LayerPlacement, PlacementPlan, hottest_first

MACHINE = Speeds(
    cpu_dense_rate=10.0, cpu_rows_rate=5.0, card_dense_rate=100.0, card_rows_rate=50.0, launch=0.1, crossing=0.2,
    join=0.05, token=1.0,
)  # fmt: skip
LAYER = LayerWork(20.0, np.array([60.0, 30.0, 10.0]))


def test_slower_side_and_a_fixed_charge_where_a_layer_is_split():
    seconds = layer_seconds(LAYER, MACHINE, attention_on_card=False, counts=np.arange(4))

    attention = 20 / 10
    cold, hot = 100 / 5, 0.1 + 100 / 50
    one = max(0.1 + 60 / 50, 40 / 5) + 2 * 0.2 + 0.05
    two = max(0.1 + 90 / 50, 10 / 5) + 2 * 0.2 + 0.05
    assert seconds == pytest.approx([attention + cold, attention + one, attention + two, attention + hot])


@pytest.mark.parametrize(
    ("attention_on_card", "n_hot", "head_on_card", "crossings"),
    [
        (False, 0, False, 0),  # nothing on the card
        (True, 3, True, 2),  # everything: to the card, and the logits back
        (True, 3, False, 2),
        (True, 0, True, 4),  # to attention, back to the neurons, to the head, back
        (True, 0, False, 2),
        (False, 3, False, 2),
        (False, 3, True, 2),
        (True, 1, True, 2),  # those of the split are in the layer's own time
        (False, 1, False, 0),
        (False, 1, True, 2),
    ],
)
def test_a_token_crosses_wherever_the_next_part_lies_on_the_other_side(
    attention_on_card, n_hot, head_on_card, crossings
):
    plan = PlacementPlan("by hand", (LayerPlacement(attention_on_card, n_hot, 3),), head_on_card, 0.0)
    head = 0.1 + 30 / 100 if head_on_card else 30 / 10
    layer = layer_seconds(LAYER, MACHINE, attention_on_card=attention_on_card, counts=np.array(n_hot))

    seconds = step_seconds(StepWork((LAYER,), 30.0), MACHINE, plan)

    assert seconds == pytest.approx(1.0 + float(layer) + head + crossings * 0.2)


def test_hot_share_is_of_the_work_not_of_the_neurons():
    work = StepWork((LAYER, LayerWork(5.0, np.array([0.0, 0.0]))), 1.0)
    layers = (LayerPlacement(True, 1, 3), LayerPlacement(True, 2, 2))

    assert hot_share(work, PlacementPlan("by hand", layers, True, 1.0)) == pytest.approx(0.6)
    silent = StepWork((LayerWork(0.0, np.zeros(3)), work.layers[1]), 1.0)
    assert hot_share(silent, PlacementPlan("by hand", layers, True, 1.0)) == 0.0


def test_work_of_a_neuron_is_its_first_row_when_named_and_the_rest_when_firing():
    named, fired = np.array([1.0, 0.5, 0.5]), np.array([0.25, 0.25, 0.0])

    assert neuron_work(named, fired, 100, 200).tolist() == [150.0, 100.0, 50.0]
    with pytest.raises(InvalidRequest):
        neuron_work(named, np.array([0.1, 1.5, 0.0]), 100, 200)


def test_equally_important_neurons_keep_their_order():
    assert hottest_first(np.array([1.0, 3.0, 1.0, 3.0, 0.0])).tolist() == [1, 3, 0, 2, 4]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=21), st.floats(0, 1), st.integers(1, 300))
def test_firing_from_a_coverage_curve_keeps_the_mean_and_the_order(steps, active, n_neurons):
    steps = np.sort(steps)[::-1] + 1e-3
    coverage = np.concatenate(([0.0], np.cumsum(steps) / np.sum(steps)))

    fired = firing_from_coverage(coverage.tolist(), active, n_neurons)

    assert fired.shape == (n_neurons,)
    assert ((fired >= 0) & (fired <= 1)).all()
    assert fired.sum() == pytest.approx(active * n_neurons, abs=1e-6)
    assert (np.diff(fired) <= 1e-9).all()


def test_firing_from_a_coverage_curve_has_that_coverage():
    coverage = [0.0, 0.5, 0.8, 0.95, 1.0]

    fired = firing_from_coverage(coverage, 0.1, 400)

    assert np.cumsum(fired)[[99, 199, 299, 399]] / fired.sum() == pytest.approx(coverage[1:])


@pytest.mark.parametrize("coverage", [[0.0], [0.1, 1.0], [0.0, 0.9], [0.0, 0.8, 0.7, 1.0], [0.0, 0.2, 1.0]])
def test_curves_that_are_none_are_refused(coverage):
    with pytest.raises(InvalidRequest) as refusal:
        firing_from_coverage(coverage, 0.1, 100)

    assert refusal.value.field == "coverage"


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_a_rate_that_was_not_measured_is_refused_by_name(value):
    with pytest.raises(InvalidRequest) as refusal:
        Speeds(10.0, 5.0, value, 50.0, 0.1, 0.2, 0.05, 1.0)

    assert refusal.value.field == "card_dense_rate"


@pytest.mark.parametrize(
    ("dense", "neurons"),
    [(-1.0, [1.0]), (float("nan"), [1.0]), (1.0, []), (1.0, [[1.0]]), (1.0, [1.0, -0.5]), (1.0, [float("inf")])],
)
def test_work_that_cannot_be_is_refused(dense, neurons):
    with pytest.raises(InvalidRequest):
        LayerWork(dense, np.array(neurons))
