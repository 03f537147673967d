"""The specification of predictors' scores and of cuts: one meaning for studies, for the reference and for kernels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels import reference
from engine.kernels.formats import F32, FORMATS
from engine.model.predictors import low_rank, sign_bits, sign_predictor


def signed(rng, shape):
    """Random numbers, some of them zeros of both signs."""
    values = rng.standard_normal(shape).astype(np.float32)
    return np.where(rng.random(shape) < 0.2, np.copysign(np.float32(0), values), values)


@settings(max_examples=60, deadline=None)
@given(d=st.integers(1, 300), n=st.integers(1, 40), seed=st.integers(0, 2**31))
def test_sign_scores_are_those_of_the_predictor(d, n, seed):
    rng = np.random.default_rng(seed)
    rows, x, bias = signed(rng, (n, d)), signed(rng, d), rng.standard_normal(n).astype(np.float32)
    predictor = sign_predictor(rows, bias)

    got = reference.sign_scores(x, predictor.signs, predictor.bias)

    assert np.array_equal(reference.sign_words(x), sign_bits(x[None])[0])
    assert np.array_equal(got, predictor.scores(x[None])[0])
    agreeing = ((rows < 0) == (x < 0)).sum(axis=1)
    assert np.array_equal(got, (agreeing - np.float32(d) / 2 + bias).astype(np.float32))


@pytest.mark.parametrize("kind", ["linear", "relu"])
@settings(max_examples=40, deadline=None)
@given(d=st.integers(1, 150), n=st.integers(1, 40), rank=st.integers(1, 70), seed=st.integers(0, 2**31))
def test_low_rank_scores_are_those_of_the_predictor(kind, d, n, rank, seed):
    rng = np.random.default_rng(seed)
    shapes = ((rank, d), (n, rank), (n,), (d,))
    inner, outer, bias, x = (rng.standard_normal(shape).astype(np.float32) for shape in shapes)
    predictor = low_rank(kind, "normed", inner, outer, bias)

    got = reference.low_rank_scores(x, F32.pack(inner), F32.pack(outer), bias, F32, is_rectified=kind == "relu")

    np.testing.assert_allclose(got, predictor.scores(x[None])[0], rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("activation", ["silu", "relu", "fatrelu", "drelu", "relu2"])
@pytest.mark.parametrize("cut", [0.0, 0.05, 0.3, 1e9])
def test_a_cut_silences_what_is_below_it_and_nothing_of_silu(activation, cut):
    rng, fmt, d, n = np.random.default_rng(3), FORMATS["f32"], 20, 50
    gate, up, down = (rng.standard_normal((n, d)).astype(np.float32) * np.float32(0.2) for _ in range(3))
    x, bias = rng.standard_normal(d).astype(np.float32), rng.standard_normal(n).astype(np.float32) * np.float32(0.1)
    product = gate @ x + bias
    acts, ups = reference.activate(product, activation, 0.1), up @ x
    if activation != "silu" and cut:
        acts = np.where(product >= cut, acts, 0)
    if activation == "drelu":
        acts = np.where(ups > 0, acts, 0)

    out, examined, active = reference.feed_forward(
        x, fmt.pack(gate), fmt.pack(up), fmt.pack(down), fmt, activation, 0.1, bias, cut=cut
    )

    np.testing.assert_allclose(out, (acts * ups) @ down, atol=1e-4)
    assert active == np.count_nonzero(acts)
    assert examined == (
        n if activation == "silu" else np.count_nonzero(product >= max(cut, 0.1 * (activation == "fatrelu"), 1e-30))
    )
