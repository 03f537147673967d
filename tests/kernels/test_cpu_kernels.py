"""The numba kernels hold the specification in `reference.py`, at sizes that are not multiples of anything."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import formats, reference
from engine.kernels.cpu import ops

FORMATS = [formats.F32, formats.INT8, formats.INT4]
# Relative to |x|·|w|: int8 rows see activations rounded to 15 bits, int4 rows to 7 bits a group.
TOLERANCE = {"f32": 1e-6, "int8": 1e-4, "int4": 1e-2}
# Down rows are added with multipliers of 15 bits a group, or 14 bits a block of rows.
DOWN_TOLERANCE = {"f32": 1e-5, "int8": 2e-5, "int4": 1e-4}

sizes = st.integers(1, 130)


def random_rows(rng, n_rows, n):
    return (rng.standard_t(5, (n_rows, n)) * 0.1).astype(np.float32)


def assert_close(got, expected, scale, tolerance):
    assert np.all(np.isfinite(got))
    assert np.abs(got - expected).max(initial=0) <= tolerance * max(scale, 1e-6)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda f: f.name)
@settings(max_examples=25, deadline=None)
@given(n_rows=sizes, n=st.integers(1, 300), seed=st.integers(0, 2**31))
def test_matvec_equals_its_specification(fmt, n_rows, n, seed):
    rng = np.random.default_rng(seed)
    rows = fmt.pack(random_rows(rng, n_rows, n))
    x = rng.standard_normal(n).astype(np.float32)
    scale = float(np.abs(fmt.unpack(rows, n)).sum(axis=1).max() * np.abs(x).max())

    got = ops.matvec(rows, n, fmt, x)

    assert_close(got, reference.matvec(rows, n, fmt, x), scale, TOLERANCE[fmt.name])


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda f: f.name)
@pytest.mark.parametrize("n", [16384, 16448, 20000, 28672])
def test_matvec_holds_for_rows_longer_than_any_flush_interval(fmt, n):
    rng = np.random.default_rng(n)
    largest = np.where(rng.random((5, n)) < 0.5, -1, 1).astype(np.float32)
    rows = fmt.pack(largest)
    x = np.sign(largest[0]).astype(np.float32)

    got = ops.matvec(rows, n, fmt, x)

    assert_close(got, reference.matvec(rows, n, fmt, x), float(n), 1e-3)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda f: f.name)
@settings(max_examples=25, deadline=None)
@given(n_rows=sizes, n=st.integers(1, 200), seed=st.integers(0, 2**31), share=st.floats(0, 1))
def test_listed_rows_equal_the_dense_product(fmt, n_rows, n, seed, share):
    rng = np.random.default_rng(seed)
    rows = fmt.pack(random_rows(rng, n_rows, n))
    x = rng.standard_normal(n).astype(np.float32)
    neurons = np.flatnonzero(rng.random(n_rows) < share).astype(np.int64)

    got = ops.matvec_listed(rows, n, fmt, neurons, x)

    assert np.array_equal(got, ops.matvec(rows, n, fmt, x)[neurons])


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda f: f.name)
@settings(max_examples=25, deadline=None)
@given(n_rows=sizes, d=st.integers(1, 200), seed=st.integers(0, 2**31), share=st.floats(0, 1))
def test_accumulate_down_equals_its_specification(fmt, n_rows, d, seed, share):
    rng = np.random.default_rng(seed)
    down = fmt.pack(random_rows(rng, n_rows, d))
    neurons = np.flatnonzero(rng.random(n_rows) < share).astype(np.int64)
    acts = rng.standard_normal(len(neurons)).astype(np.float32)
    expected = rng.standard_normal(d).astype(np.float32)
    got = expected.copy()

    ops.accumulate_down(acts, neurons, down, d, fmt, got)
    reference.accumulate_down(acts, neurons, down, d, fmt, expected)

    assert_close(got, expected, 1 + float(np.abs(acts).sum()), DOWN_TOLERANCE[fmt.name])


@settings(max_examples=25, deadline=None)
@given(d=st.integers(1, 300), seed=st.integers(0, 2**31), size=st.floats(1e-3, 1e3))
def test_rms_norm_equals_its_specification(d, seed, size):
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal(d) * size).astype(np.float32)
    weight = rng.standard_normal(d).astype(np.float32)

    got = ops.rms_norm(x, weight, 1e-5)

    assert np.allclose(got, reference.rms_norm(x, weight, 1e-5), rtol=1e-5, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(d=st.integers(1, 300), seed=st.integers(0, 2**31), size=st.floats(1e-2, 1e2), shift=st.floats(-10, 10))
def test_layer_norm_equals_its_specification(d, seed, size, shift):
    rng = np.random.default_rng(seed)
    x = (rng.standard_normal(d) * size + shift).astype(np.float32)
    weight, bias = rng.standard_normal((2, d)).astype(np.float32)

    got = ops.layer_norm(x, weight, bias, 1e-5)

    assert np.allclose(got, reference.layer_norm(x, weight, bias, 1e-5), rtol=1e-3, atol=1e-3 * (1 + abs(shift) / size))


@settings(max_examples=25, deadline=None)
@given(
    h=st.integers(1, 5), half=st.integers(1, 40), n_rotated=st.integers(0, 40), position=st.integers(0, 8191),
    seed=st.integers(0, 2**31),
)  # fmt: skip
def test_rope_equals_its_specification(h, half, n_rotated, position, seed):
    x = np.random.default_rng(seed).standard_normal((h, 2 * half)).astype(np.float32)
    rotated = 2 * min(half, n_rotated)
    frequencies = 10000.0 ** (-np.arange(0, rotated, 2) / max(rotated, 1))
    table = reference.rope_table(np.array([position]), frequencies)

    assert np.allclose(ops.rope(x, table[0]), reference.rope(x[None], table)[0], atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(1, 100), seed=st.integers(0, 2**31), size=st.sampled_from([0.1, 5.0, 200.0]))
def test_silu_times_equals_its_specification(n, seed, size):
    rng = np.random.default_rng(seed)
    gate, up = (rng.standard_normal((2, n)) * size).astype(np.float32)

    assert np.allclose(ops.silu_times(gate, up), reference.silu(gate) * up, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("cache", ["f16", "f32", "int8"])
@settings(max_examples=25, deadline=None)
@given(
    g=st.integers(1, 3), group=st.integers(1, 3), e=st.integers(1, 80), n=st.integers(1, 70), seed=st.integers(0, 2**31)
)
def test_attention_equals_its_specification(cache, g, group, e, n, seed):
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((g * group, e)).astype(np.float32)
    keys, values = rng.standard_normal((2, g, n, e)).astype(np.float32)

    got = ops.attention(query, keys, values, cache)

    # Rounded by the cache as specified; with int8 rows the query is rounded to 15 bits as well.
    expected = reference.attention(query, reference.cached(keys, cache), reference.cached(values, cache))
    assert np.allclose(got, expected, atol=1e-3 if cache == "int8" else 1e-5)


@settings(max_examples=25, deadline=None)
@given(n=st.integers(1, 10), seed=st.integers(0, 2**31))
def test_attention_survives_extreme_scores(n, seed):
    rng = np.random.default_rng(seed)
    query = (rng.standard_normal((1, 16)) * 100).astype(np.float32)
    keys = (rng.standard_normal((1, n, 16)) * 100).astype(np.float32)
    values = rng.standard_normal((1, n, 16)).astype(np.float32)

    assert np.allclose(ops.attention(query, keys, values, "f32"), reference.attention(query, keys, values), atol=1e-4)


@pytest.mark.parametrize("fmt", FORMATS, ids=lambda f: f.name)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_not_swallowed(fmt, value):
    x = np.ones(64, np.float32)
    x[40] = value

    with np.errstate(invalid="ignore"):
        got = ops.matvec(fmt.pack(np.ones((3, 64), np.float32)), 64, fmt, x)

    assert not np.isfinite(got).any()
