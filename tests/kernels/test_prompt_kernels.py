"""The kernels that read many tokens at once hold the specification in `reference.py`, at sizes that divide nothing.

Integers are compared exactly; float32 sums against float64 ones, relative to the size of what was summed.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import formats, reference
from engine.kernels.cpu import gemm, kinds, ops, prompt
from engine.runtime.decoder import ACTIVATIONS

PACKED = [formats.INT8, formats.INT4]
# Float32 sums of at most some hundred partial sums, each of them exact.
SUM_TOLERANCE = 2e-6

seeds, tokens = st.integers(0, 2**31), st.integers(1, 27)


def random_rows(rng, n_rows, n):
    rows = rng.standard_t(5, (n_rows, n)) * np.exp(rng.normal(0, 2, (n_rows, 1)))
    return rows.astype(np.float32)


def random_tokens(rng, t, n):
    """With outliers, and values of very different size along a token."""
    return (rng.standard_t(3, (t, n)) * np.exp(rng.normal(0, 2, (t, n)))).astype(np.float32)


def padded_tokens(x):
    out = np.zeros((len(x), formats.round_up(x.shape[1], gemm.UNIT_VALUES)), np.float32)
    out[:, : x.shape[1]] = x
    return out


def quantised(x):
    return reference.quantise_units(padded_tokens(x), gemm.UNIT_VALUES, gemm.LARGEST_ACTIVATION)


@settings(max_examples=25, deadline=None)
@given(t=st.integers(1, 9), n=st.integers(1, 400), seed=seeds)
def test_activations_of_many_tokens_are_rounded_as_specified(t, n, seed):
    rng = np.random.default_rng(seed)
    x, factors = random_tokens(rng, t, n), rng.standard_normal(n).astype(np.float32)
    x[0, : min(n, 130)] = 0

    for scaled, given_factors in ((x, None), (x * factors, factors)):
        values, units = ops.quantise_units(x, given_factors)
        expected_values, expected_units = quantised(scaled)

        assert np.array_equal(units, expected_units)
        assert np.array_equal(values, expected_values)


def test_a_unit_is_no_number_where_a_value_is_none_and_nowhere_else():
    x = np.ones((3, 300), np.float32)
    x[1, 140], x[2, 299] = np.nan, np.inf

    _, units = ops.quantise_units(x)

    assert np.isfinite(units).tolist() == [[True, True, True], [True, False, True], [True, True, False]]


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
@settings(max_examples=25, deadline=None)
@given(n_rows=st.integers(1, 60), n=st.integers(1, 400), seed=seeds)
def test_the_int16_form_of_a_row_is_the_row(fmt, n_rows, n, seed):
    rows = fmt.pack(random_rows(np.random.default_rng(seed), n_rows, n))

    values, units = reference.int16_rows(rows, n, fmt)

    assert np.array_equal(ops.row_units(rows, n, fmt), units)
    assert np.abs(values).max(initial=0) <= 4096  # with activations of 4,095, 128 products stay below 2^31
    error = np.abs(values[:, :n] * units[:, None].astype(np.float64) - fmt.unpack(rows, n))
    assert (error <= (0.57 if fmt is formats.INT8 else 1e-4) * units[:, None]).all()


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
@settings(max_examples=30, deadline=None)
@given(t=tokens, n_rows=st.integers(1, 300), n=st.integers(1, 300), seed=seeds)
def test_the_product_of_many_tokens_equals_its_specification(fmt, t, n_rows, n, seed):
    rng = np.random.default_rng(seed)
    check_rows(fmt, random_rows(rng, n_rows, n), random_tokens(rng, t, n))


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
@pytest.mark.parametrize("n", [gemm.PANEL_VALUES, gemm.PANEL_VALUES + 1, 2 * gemm.PANEL_VALUES + 33])
def test_the_product_of_many_tokens_holds_for_rows_longer_than_a_panel(fmt, n):
    rng = np.random.default_rng(n)
    check_rows(fmt, random_rows(rng, gemm.PANEL_OUTPUTS + 3, n), random_tokens(rng, 7, n))


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
def test_the_largest_possible_products_do_not_overflow(fmt):
    rows, x = np.ones((17, 1100), np.float32), np.ones((gemm.TILE_TOKENS + 1, 1100), np.float32)
    rows[::2] *= -1
    x[::2] *= -1

    check_rows(fmt, rows, x)


def check_rows(fmt, weights, x):
    n = weights.shape[1]
    rows, (values, units) = fmt.pack(weights), quantised(x)

    got = ops.multiply_rows(rows, n, fmt, values, units)

    scale = np.abs(x).astype(np.float64) @ np.abs(fmt.unpack(rows, n)).astype(np.float64).T
    assert (np.abs(got - reference.multiply_rows(rows, n, fmt, values, units)) <= SUM_TOLERANCE * scale + 1e-12).all()


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
@settings(max_examples=30, deadline=None)
@given(t=tokens, k=st.integers(1, 300), d=st.integers(1, 300), seed=seeds)
def test_the_transposed_product_of_many_tokens_equals_its_specification(fmt, t, k, d, seed):
    rng = np.random.default_rng(seed)
    check_down(fmt, random_rows(rng, k, d), random_tokens(rng, t, k))


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
@pytest.mark.parametrize("k", [gemm.PANEL_VALUES, gemm.PANEL_VALUES + 1, 2 * gemm.PANEL_VALUES + 33])
def test_the_transposed_product_holds_for_more_neurons_than_a_panel(fmt, k):
    rng = np.random.default_rng(k)
    check_down(fmt, random_rows(rng, k, gemm.PANEL_OUTPUTS + 3), random_tokens(rng, 7, k))


def check_down(fmt, weights, acts):
    d = weights.shape[1]
    down = fmt.pack(weights)
    factors = ops.row_units(down, d, fmt)
    values, units = quantised(acts * factors)

    got = ops.multiply_down(down, d, fmt, values, units, factors)

    scale = np.abs(acts).astype(np.float64) @ np.abs(fmt.unpack(down, d)).astype(np.float64)
    expected = reference.multiply_down(down, d, fmt, values, units)[:, :d]
    assert (np.abs(got - expected) <= SUM_TOLERANCE * scale + 1e-12).all()
    # of the unrounded activations and rows: 12 bits of the largest in a unit, 1/2 of a row's unit for int8
    plain = acts.astype(np.float64) @ fmt.unpack(down, d).astype(np.float64)
    largest = np.abs(values).astype(np.float64).max() * units.max() * len(weights)
    bound = largest * (4096 / 4095 / 2 + (0.57 if fmt is formats.INT8 else 1e-3)) + SUM_TOLERANCE * scale
    assert (np.abs(got - plain) <= bound + 1e-12).all()


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
def test_a_token_gets_the_same_bits_however_many_are_read_with_it(fmt):
    rng = np.random.default_rng(3)
    x, weights = random_tokens(rng, 20, 150), fmt.pack(random_rows(rng, 70, 150))
    values, units = quantised(x)
    down = fmt.pack(random_rows(rng, 150, 70))
    factors = ops.row_units(down, 70, fmt)

    rows_together = ops.multiply_rows(weights, 150, fmt, values, units)
    down_together = ops.multiply_down(down, 70, fmt, values, units, factors)

    for t in range(20):
        alone = slice(t, t + 1)
        assert np.array_equal(ops.multiply_rows(weights, 150, fmt, values[alone], units[alone])[0], rows_together[t])
        assert np.array_equal(
            ops.multiply_down(down, 70, fmt, values[alone], units[alone], factors)[0], down_together[t]
        )


@pytest.mark.parametrize("fmt", PACKED, ids=lambda f: f.name)
def test_a_stop_ends_a_product_within_a_panel(fmt):
    rows = fmt.pack(np.ones((40, 64), np.float32))
    values, units = quantised(np.ones((gemm.TILE_TOKENS, 64), np.float32))
    y, panel = ops.aligned_zeros(gemm.TILE_TOKENS * 64, np.float32), ops.aligned_zeros(gemm.PANEL_BYTES, np.uint8)
    factors, stop = ops.aligned_zeros(gemm.PANEL_OUTPUTS, np.float32), ops.aligned_zeros(8, np.int64)

    def left_early():
        kind, tokens = kinds.ROW_KINDS[fmt.name], len(values)
        shape = (rows.ctypes.data, rows.shape[1], 40, 64, values.ctypes.data, values.strides[0], units.ctypes.data)
        rest = (units.strides[0], y.ctypes.data, 256, tokens, 0, 64, panel.ctypes.data, factors.ctypes.data)
        return gemm.multiply_rows(kind, *shape, *rest, stop.ctypes.data)

    assert left_early() == 0
    stop[0] = 1
    assert left_early() == 1


@settings(max_examples=40, deadline=None)
@given(
    t=st.integers(1, 20), position=st.integers(0, 60), window=st.sampled_from([0, 1, 3, 8, 100]), seed=seeds,
    size=st.sampled_from([0.1, 3.0, 300.0]),
)  # fmt: skip
def test_softmax_sees_what_a_token_may_see_and_nothing_else(t, position, window, seed, size):
    scores = (np.random.default_rng(seed).standard_normal((t, position + t)) * size).astype(np.float32)

    got = ops.softmax_visible(scores, position, window, 0.3)
    expected = reference.softmax_visible(scores, position, window, np.float32(0.3))

    assert np.allclose(got, expected, atol=2e-5, rtol=1e-4)
    seen, at = position + 1 + np.arange(t)[:, None], np.arange(position + t)
    assert not got[(at >= seen) | (at < seen - (window or 1000))].any()
    assert np.allclose(got.sum(axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("has_bias", [False, True])
@settings(max_examples=15, deadline=None)
@given(t=st.integers(1, 5), n=st.integers(1, 70), seed=seeds)
def test_the_activation_of_many_tokens_equals_its_specification(activation, has_bias, t, n, seed):
    rng = np.random.default_rng(seed)
    products, ups = (3 * rng.standard_normal((2, t, n))).astype(np.float32)
    bias = rng.standard_normal(n).astype(np.float32) if has_bias else None
    acts = reference.activate(products if bias is None else products + bias, activation, 0.05)
    gates = np.maximum(ups, 0) if activation == "drelu" else ups

    gated = ops.activate(products, ups, bias, ACTIVATIONS[activation], 0.05)
    plain = ops.activate(products, None, bias, ACTIVATIONS[activation], 0.05)

    assert np.allclose(gated, acts * gates, rtol=1e-5, atol=1e-5)
    assert np.allclose(plain, acts, rtol=1e-5, atol=1e-5)
    if activation != "silu":
        assert np.array_equal(plain == 0, acts == 0)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_what_is_no_number_stays_none_after_an_activation(activation):
    products = np.array([[1, np.nan, -1, np.inf, -np.inf]], np.float32)

    with np.errstate(invalid="ignore"):
        got = ops.activate(products, np.ones((1, 5), np.float32), None, ACTIVATIONS[activation], 0.05)

    assert np.isfinite(got).tolist() == [[True, False, True, False, False]]


@pytest.mark.parametrize("cache", kinds.CACHE_KINDS)
@settings(max_examples=25, deadline=None)
@given(p=st.integers(1, 12), e=st.integers(1, 140), seed=seeds)
def test_a_cache_gives_back_what_its_kind_keeps(cache, p, e, seed):
    rows = random_tokens(np.random.default_rng(seed), p, e)
    rows[0] = 0

    kept, scales, back = ops.cache_rows(rows, cache)

    assert np.array_equal(back, reference.cached(rows, cache))
    assert not kept[:, e:].any()
    if cache == "int8":
        wide = np.zeros(kept.shape, np.float32)
        wide[:, :e] = rows
        values, expected_scales = reference.quantise_cache(wide)
        assert np.array_equal(kept, values)
        assert np.array_equal(scales, expected_scales)


@settings(max_examples=15, deadline=None)
@given(t=st.integers(1, 6), h=st.integers(1, 4), half=st.integers(1, 20), seed=seeds)
def test_the_heads_of_many_tokens_are_rotated_each_by_its_position(t, h, half, seed):
    rng = np.random.default_rng(seed)
    e = 2 * half + 2
    x = rng.standard_normal((t, h + 1, e)).astype(np.float32)
    table = reference.rope_table(np.arange(7, 7 + t), 10000.0 ** (-np.arange(half) / half))
    got = x.copy()

    prompt.rotate_tokens(
        got.ctypes.data, got.strides[0], table.ctypes.data, table.strides[0], h, e, 2 * half, 0, t
    )  # fmt: skip

    assert np.allclose(got[:, :h], reference.rope(x[:, :h], table), atol=1e-5)
    assert np.array_equal(got[:, h], x[:, h])
