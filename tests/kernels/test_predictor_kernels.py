"""The kernels that score neurons by signs hold the specification exactly, at sizes that are no multiple of anything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import reference
from engine.kernels.cpu import ops, predict
from engine.model.predictors import sign_bits


def signed(rng, shape):
    """Random numbers, some of them zeros of both signs."""
    values = rng.standard_normal(shape).astype(np.float32)
    return np.where(rng.random(shape) < 0.2, np.copysign(np.float32(0), values), values)


@settings(max_examples=60, deadline=None)
@given(d=st.integers(1, 700), n=st.integers(1, 40), seed=st.integers(0, 2**31))
def test_sign_scores_equal_their_specification(d, n, seed):
    rng = np.random.default_rng(seed)
    rows, x, bias = signed(rng, (n, d)), signed(rng, d), rng.standard_normal(n).astype(np.float32)
    signs = sign_bits(rows)

    assert np.array_equal(ops.sign_scores(x, signs, bias), reference.sign_scores(x, signs, bias))


@settings(max_examples=30, deadline=None)
@given(blocks=st.integers(1, 12), seed=st.integers(0, 2**31))
def test_signs_are_packed_lowest_first(blocks, seed):
    x, out = (
        ops.padded(signed(np.random.default_rng(seed), 64 * blocks), 64 * blocks),
        ops.aligned_zeros(blocks, np.uint64),
    )

    predict.pack_signs(x.ctypes.data, out.ctypes.data, len(x))

    assert np.array_equal(out, reference.sign_words(x))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, np.float32(1e-45), np.float32(-1e-45)])
def test_the_sign_of_what_is_tiny_or_no_number(value):
    x = np.full(64, value, np.float32)
    out = ops.aligned_zeros(1, np.uint64)

    predict.pack_signs(ops.padded(x, 64).ctypes.data, out.ctypes.data, 64)

    assert out[0] == (np.uint64(2**64 - 1) if value < 0 else 0)


@pytest.mark.parametrize("differing", [0, 1, 4096])
def test_all_and_none_agree(differing):
    x = np.ones(4096, np.float32)
    rows = np.ones((1, 4096), np.float32)
    rows[0, :differing] = -1

    assert ops.sign_scores(x, sign_bits(rows), np.zeros(1, np.float32)).tolist() == [2048 - differing]
