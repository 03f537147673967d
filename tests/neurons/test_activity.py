"""Which neurons count as active, and laws of how activity is spread."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from engine.neurons.activity import (
    active_neurons,
    carried_by_most_active,
    coverage_curve,
    covering_share,
    hot_set,
    jaccard,
)
from tests.neurons.watching import slowly_active

COUNTS = st_numpy.arrays(np.int64, st.integers(1, 70), elements=st.integers(0, 1000))
SHARES = st.sampled_from([0.05, 0.5, 0.8, 0.9, 0.95, 1.0])


@pytest.mark.parametrize("is_sparse", [True, False])
@pytest.mark.parametrize("shape", [(1, 1), (1, 70), (65, 3), (130, 257)])
def test_active_neurons_are_those_found_one_by_one(shape, is_sparse):
    product = np.random.default_rng(0).standard_normal(shape).astype(np.float32) ** 3
    product[np.random.default_rng(1).random(shape) < 0.3] = 0

    assert np.array_equal(active_neurons(product, is_sparse), slowly_active(product, is_sparse))


@pytest.mark.parametrize("is_sparse", [True, False])
def test_a_token_without_products_has_no_active_neuron(is_sparse):
    product = np.zeros((3, 9), np.float32)
    product[1, 4] = 1e-20

    assert active_neurons(product, is_sparse).tolist() == (product != 0).tolist()


@given(COUNTS)
def test_coverage_rises_ever_more_slowly_from_nothing_to_all(counts):
    carried, curve = carried_by_most_active(counts), coverage_curve(counts)
    steps = np.diff(carried)

    assert carried[0] == curve[0] == 0
    assert carried[-1] == pytest.approx(1 if counts.any() else 0)
    assert curve[-1] == pytest.approx(carried[-1])
    assert (steps >= 0).all()
    assert (np.diff(steps) <= 1e-12).all()
    assert (np.diff(curve) >= 0).all()


@given(COUNTS, SHARES)
def test_the_covering_share_is_the_first_at_which_coverage_reaches_it(counts, share):
    n = round(covering_share(counts, share) * len(counts))
    carried = carried_by_most_active(counts)

    if not counts.any():
        assert n == 0
        return
    assert carried[n] >= share - 1e-9
    assert carried[n - 1] < share


@given(COUNTS, SHARES)
def test_the_hot_set_is_the_most_active_and_as_small_as_the_covering_share(counts, share):
    hot = hot_set(counts, share)
    cold = np.setdiff1d(np.arange(len(counts)), hot)

    assert len(hot) == round(covering_share(counts, share) * len(counts))
    assert counts[hot].min(initial=10**6) >= counts[cold].max(initial=0)
    assert counts[hot].sum() >= share * counts.sum() * (1 - 1e-9)


def test_four_of_five_equal_neurons_carry_four_fifths():
    assert hot_set(np.full(5, 7), 0.8).tolist() == [0, 1, 2, 3]
    assert covering_share(np.array([0, 0, 9, 1]), 0.9) == 0.25


def test_the_likeness_of_sets():
    assert jaccard(np.array([1, 2, 3]), np.array([3, 4])) == 0.25
    assert jaccard(np.array([5, 1]), np.array([1, 5])) == 1.0
    assert jaccard(np.array([], np.int64), np.array([], np.int64)) == 1.0
    assert jaccard(np.array([], np.int64), np.array([4])) == 0.0
