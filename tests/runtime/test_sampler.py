"""Laws of sampling; the draws are checked against the stated distribution."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidRequest
from engine.messages import SamplingParams
from engine.runtime.sampler import adjust, make_sampler, probabilities

OFF = {"top_k": 0, "top_p": 1.0, "min_p": 0.0, "repetition_penalty": 1.0}


def logits_of(probability):
    return np.log(np.asarray(probability, np.float32))


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 1000), n=st.integers(1, 200))
def test_temperature_zero_takes_the_likeliest(seed, n):
    logits = np.random.default_rng(seed).standard_normal(n).astype(np.float32)
    sample = make_sampler(SamplingParams(temperature=0.0, repetition_penalty=1.0))

    assert sample(logits, []) == int(logits.argmax())


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 1000), n=st.integers(1, 200), top_k=st.integers(0, 250), top_p=st.floats(0.01, 1.0),
    min_p=st.floats(0, 0.9), temperature=st.floats(0.05, 3.0),
)  # fmt: skip
def test_candidates_obey_every_filter(seed, n, top_k, top_p, min_p, temperature):
    logits = (np.random.default_rng(seed).standard_normal(n) * 3).astype(np.float32)
    params = SamplingParams(temperature=temperature, top_k=top_k, top_p=top_p, min_p=min_p, repetition_penalty=1.0)

    candidates, weights = probabilities(logits, params)

    everything = np.exp(logits.astype(np.float64) - logits.max())
    in_order = np.sort(logits)[::-1]
    assert len(candidates) == len(set(candidates.tolist())) >= 1
    assert weights.sum() == pytest.approx(1)
    assert np.all(np.diff(weights) <= 1e-12)
    assert len(candidates) <= (top_k or n)
    assert np.allclose(logits[candidates], in_order[: len(candidates)])
    if len(candidates) > 1:
        assert everything[candidates].min() >= min_p * (1 - 1e-6)


def test_top_p_keeps_the_smallest_set_that_reaches_it():
    logits = logits_of([0.5, 0.3, 0.15, 0.05])

    def kept(top_p):
        return len(probabilities(logits, SamplingParams(**{**OFF, "top_p": top_p}))[0])

    assert [kept(0.4), kept(0.6), kept(0.9), kept(1.0)] == [1, 2, 3, 4]


def test_draws_follow_the_distribution():
    expected = np.array([0.6, 0.3, 0.1])
    sample = make_sampler(SamplingParams(**OFF, temperature=1.0, seed=1))
    n = 20_000

    counts = np.bincount([sample(logits_of(expected), []) for _ in range(n)], minlength=3)

    # Five standard deviations of a binomial count.
    assert np.all(np.abs(counts / n - expected) < 5 * np.sqrt(expected * (1 - expected) / n))


def test_a_seed_repeats_an_answer_and_another_does_not():
    logits = np.zeros(1000, np.float32)

    def draws(seed):
        sample = make_sampler(SamplingParams(**OFF, seed=seed))
        return [sample(logits, []) for _ in range(20)]

    assert draws(3) == draws(3)
    assert draws(3) != draws(4)


def test_repetition_penalty_pushes_seen_tokens_down_whatever_their_sign():
    logits = np.array([2.0, -2.0, 1.0], np.float32)

    adjusted = adjust(logits, [0, 1], SamplingParams(repetition_penalty=2.0))

    assert adjusted.tolist() == [1.0, -4.0, 1.0]


def test_presence_counts_once_and_frequency_every_time():
    logits = np.zeros(3, np.float32)
    params = SamplingParams(repetition_penalty=1.0, presence_penalty=0.5, frequency_penalty=0.25)

    assert adjust(logits, [0, 0, 0, 1], params).tolist() == [-1.25, -0.75, 0.0]


def test_penalties_look_at_the_window_only():
    params = SamplingParams(repetition_penalty=1.0, presence_penalty=1.0, penalty_window=2)

    assert adjust(np.zeros(4, np.float32), [0, 1, 2], params).tolist() == [0.0, -1.0, -1.0, 0.0]


def test_logit_bias_can_force_and_forbid_a_token():
    logits = np.array([5.0, 0.0, 0.0], np.float32)
    sample = make_sampler(SamplingParams(**OFF, temperature=1.0, logit_bias=((0, -100.0), (2, 100.0), (99, 100.0))))

    assert {sample(logits, []) for _ in range(50)} == {2}


@pytest.mark.parametrize(
    "wrong",
    [
        {"temperature": -0.1}, {"top_k": -1}, {"top_p": 0.0}, {"top_p": 1.1}, {"min_p": 1.0}, {"max_tokens": 0},
        {"repetition_penalty": 0.0}, {"presence_penalty": 3.0}, {"frequency_penalty": -3.0}, {"seed": -1},
        {"penalty_window": -1}, {"stop": ("",)}, {"temperature": float("nan")},
        {"temperature": 1e-9}, {"logit_bias": ((1, float("inf")),)}, {"logit_bias": ((1, float("nan")),)},
        {"logit_bias": ((0.5, 1.0),)},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_out_of_range_is_refused_with_its_name(wrong):
    with pytest.raises(InvalidRequest) as caught:
        SamplingParams(**wrong)

    assert caught.value.field == next(iter(wrong))
