"""Divergences agree with their definition in double precision, and the bootstrap's bound covers what it claims."""

import numpy as np
import pytest

from engine.runtime.divergence import Losses, compare_logits, kl_divergence, summarise, upper_bound


def log_softmax(x):
    x = x.astype(np.float64)
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def logits(t, v, seed=0, scale=4.0):
    return (scale * np.random.default_rng(seed).standard_normal((t, v))).astype(np.float32)


@pytest.mark.parametrize(("t", "v"), [(1, 2), (7, 30), (8, 331), (19, 4099)])
def test_losses_are_those_of_the_definition(t, v):
    base, other = logits(t, v), logits(t, v) + logits(t, v, seed=1, scale=0.3)
    came = np.random.default_rng(2).integers(0, v, t)

    losses = compare_logits(base, other, came)

    p, q = log_softmax(base), log_softmax(other)
    np.testing.assert_allclose(losses.kl, (np.exp(p) * (p - q)).sum(axis=1), rtol=2e-4, atol=1e-6)
    np.testing.assert_allclose(losses.nll, -q[np.arange(t), came], atol=1e-5)
    assert np.array_equal(losses.flipped, p.argmax(axis=1) != q.argmax(axis=1))


def test_equal_logits_do_not_diverge_at_all():
    same = compare_logits(logits(40, 999), logits(40, 999), np.zeros(40, np.int64))

    assert not same.kl.any()
    assert not same.flipped.any()


def test_a_shift_of_all_logits_is_no_divergence():
    assert kl_divergence(logits(1, 500)[0], logits(1, 500)[0] + np.float32(3)) == pytest.approx(0, abs=1e-6)


def test_logits_far_apart_stay_finite():
    base, other = np.array([0, 200], np.float32), np.array([200, 0], np.float32)

    assert kl_divergence(base, other) == pytest.approx(200)


def test_a_summary_is_over_tokens_not_over_windows():
    long = Losses(np.full(30, 0.1), np.zeros(30, np.bool_), np.full(30, 2.0))
    short = Losses(np.full(10, 0.5), np.ones(10, np.bool_), np.full(10, 4.0))

    summary = summarise([long, short])

    assert summary.kl_mean == pytest.approx(0.2)
    assert summary.flips == pytest.approx(0.25)
    assert summary.perplexity == pytest.approx(np.exp(2.5))
    assert summary.kl_upper >= summary.kl_mean


def test_the_bound_is_above_the_true_mean_as_often_as_it_says():
    rng, held = np.random.default_rng(3), 0
    for _ in range(200):
        levels = rng.gamma(4.0, 0.25, 32)  # texts differ: mean 1 over all of them
        held += upper_bound([level * rng.exponential(1.0, 64) for level in levels]) >= 1.0

    # 95 %, less what resampling 32 windows underestimates, give or take three deviations of 200 trials.
    assert 0.88 <= held / 200 <= 0.99


def test_the_same_windows_give_the_same_bound():
    windows = [np.random.default_rng(i).exponential(1.0, 16) for i in range(5)]

    assert upper_bound(windows) == upper_bound(windows)
