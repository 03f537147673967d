"""Parts of the decode step that decide which neurons live, at their edges."""

import numpy as np
import pytest

from engine.kernels import reference
from engine.kernels.cpu import feed_forward, ops


def survivors(products, least=0.0):
    """Row numbers and values that compact_alive keeps of products whose first row number is 100."""
    values = ops.padded(np.asarray(products, np.float32), len(products))
    neurons = ops.aligned_zeros(len(products), np.int64)
    k = feed_forward.compact_alive(values.ctypes.data, neurons.ctypes.data, 100, 100 + len(products), np.float32(least))
    return neurons[:k].tolist(), values[:k].tolist()


def test_zero_is_silent_and_the_smallest_positive_is_not():
    smallest = float(np.finfo(np.float32).smallest_normal)

    assert survivors([0.0, -0.0, -1.0, smallest, 2.0]) == ([103, 104], [smallest, 2.0])


def test_a_product_equal_to_the_threshold_is_active_as_in_the_reference():
    threshold = np.float32(0.01)
    products = [np.nextafter(threshold, np.float32(0)), threshold, np.nextafter(threshold, np.float32(1)), -0.02, 0.0]

    neurons, values = survivors(products, threshold)

    expected = reference.activate(np.asarray(products, np.float32), "fatrelu", float(threshold))
    assert neurons == (100 + np.flatnonzero(expected)).tolist() == [101, 102]
    assert values == expected[expected > 0].tolist()


@pytest.mark.parametrize("products", [[-1.0], [1.0], [-1.0] * 9, [1.0] * 9])
def test_none_all_and_one(products):
    neurons, values = survivors(products)

    assert values == [p for p in products if p > 0]
    assert neurons == [100 + i for i, p in enumerate(products) if p > 0]


def test_the_second_test_of_drelu_keeps_order_and_pairs():
    acts = ops.padded(np.array([1, 2, 3, 4], np.float32), 4)
    ups = ops.padded(np.array([5, -6, 0, 8], np.float32), 4)
    neurons = ops.aligned_zeros(4, np.int64)
    neurons[:] = [7, 9, 11, 13]

    k = feed_forward.compact_positive(acts.ctypes.data, ups.ctypes.data, neurons.ctypes.data, 4)

    assert (acts[:k].tolist(), ups[:k].tolist(), neurons[:k].tolist()) == ([1, 4], [5, 8], [7, 13])
