"""Training finds a planted order of neurons, never leaves worse what it was given, and says so when it cannot begin."""

import dataclasses
import sys

import numpy as np
import pytest

from engine.errors import Cancelled, PackageMissing
from engine.model.predictors import low_rank, sign_predictor
from engine.neurons.collect import LayerRecord, importance_codes
from engine.neurons.predictors import thresholds_for
from engine.neurons.signs import fitted_signs
from engine.neurons.training import (
    FirstProduct,
    Recipe,
    balanced_factor,
    closed_form,
    moments,
    named_share,
    token_weights,
    torch_or_refusal,
    train,
)
from tests.neurons.tiny_study import ignore

D, N, RANK = 24, 60, 5
LEARNED, CHECKED, HELD_OUT = slice(0, 6000), slice(6000, 7000), slice(7000, 8000)
RECIPE = Recipe(epochs=4, batch_tokens=128, learning_rate=2e-2, patience=16)


def planted(noise=0.0, seed=0, long_tokens=0, inequality=0.5):
    """A layer whose first product has rank RANK, but for noise; `entering` is the normed input with an error, at three
    times the length. Neurons differ in what their products matter by the logarithm `inequality`."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((N, RANK)) @ rng.standard_normal((RANK, D)) / np.sqrt(RANK * D)
    rows += noise * rng.standard_normal((N, D)) / np.sqrt(D)
    bias = rng.uniform(-1.5, 0.2, N)
    x = rng.standard_normal((HELD_OUT.stop, D)) * np.exp(rng.standard_normal(D) / 2) + 0.3
    first = x @ rows.T + bias
    importance = np.maximum(first, 0) * np.exp(inequality * rng.standard_normal(N))
    entering = 3 * (x + 0.2 * rng.standard_normal(x.shape))
    entering[rng.permutation(len(x))[:long_tokens]] *= 1000
    inputs = {"normed": x.astype(np.float16), "entering": entering.astype(np.float16)}
    record = LayerRecord(0, inputs, importance_codes(importance.astype(np.float32)))
    return record, FirstProduct(rows.astype(np.float32), bias.astype(np.float32))


def named_at(predictor, record, recall):
    """Share named on held-out tokens where that share of the importance is found."""
    x, importance = record.part(predictor.reads, HELD_OUT)
    scores = predictor.scores(x)
    return float((scores > thresholds_for(scores, importance, (recall,))[0]).mean())


def active_share(record):
    return float((record.codes[HELD_OUT] > 0).mean())


def test_a_closed_form_of_the_planted_rank_names_hardly_more_than_is_active():
    record, first = planted()

    start = closed_form(first, moments(record, "normed", LEARNED), "normed", RANK)

    x, importance = record.part("normed", HELD_OUT)
    named = start.scores(x) > 0
    assert start.rank == RANK
    assert (named == (importance > 0)).mean() > 0.99
    assert named_at(start, record, 0.999) < active_share(record)


def test_a_closed_form_of_full_rank_is_the_first_product():
    record, first = planted(noise=1.0)
    x = record.part("normed", HELD_OUT)[0]

    scores = closed_form(first, moments(record, "normed", LEARNED), "normed", D).scores(x)

    assert ((scores > 0) == (x @ first.rows.T + first.bias > 0)).mean() > 0.985


def test_higher_ranks_name_fewer():
    record, first = planted(noise=0.7)
    of = moments(record, "normed", LEARNED)

    named = [named_at(closed_form(first, of, "normed", rank), record, 0.99) for rank in (2, 4, 8, 16, 24)]

    assert named == sorted(named, reverse=True)
    assert named[-1] < 0.7 * named[0]


def test_the_look_ahead_is_found_and_is_the_worse_one():
    record, first = planted()
    same, ahead = (closed_form(first, moments(record, r, LEARNED), r, RANK) for r in ("normed", "entering"))

    assert named_at(same, record, 0.98) < named_at(ahead, record, 0.98) < 0.8 * named_at(shuffled(ahead), record, 0.98)


def test_tokens_of_a_thousand_times_the_length_do_not_decide():
    clean, first = planted(seed=3)
    odd, _ = planted(seed=3, long_tokens=40)
    usual, disturbed = (closed_form(first, moments(r, "entering", LEARNED), "entering", RANK) for r in (clean, odd))

    assert abs(named_at(disturbed, clean, 0.98) - named_at(usual, clean, 0.98)) < 0.02
    weights = token_weights(np.array([[3.0, 4.0], [6.0, 8.0], [0.0, 5.0], [3000.0, 4000.0]], np.float32))
    np.testing.assert_allclose(weights, [1, 1, 1, (15 / 5000) ** 2], rtol=1e-5)


def shuffled(predictor, seed=0):
    order = np.random.default_rng(seed).permutation(len(predictor.bias))
    return dataclasses.replace(predictor, outer=predictor.outer[order])


def test_training_improves_on_the_closed_form_where_some_neurons_matter_more():
    record, first = planted(noise=0.7, seed=1, inequality=1.5)
    start = closed_form(first, moments(record, "normed", LEARNED), "normed", 4)

    trained = train(record, start, LEARNED, CHECKED, 1, RECIPE, ignore)

    assert named_at(trained, record, 0.99) < 0.95 * named_at(start, record, 0.99)


def test_training_finds_the_signal_from_a_start_that_knows_nothing_of_it():
    record, _ = planted(seed=2)
    rng = np.random.default_rng(0)
    inner, outer = (0.1 * rng.standard_normal(shape).astype(np.float32) for shape in ((RANK, D), (N, RANK)))
    start = low_rank("linear", "normed", inner, outer, np.zeros(N, np.float32))

    trained = train(record, start, LEARNED, CHECKED, 1, dataclasses.replace(RECIPE, epochs=10), ignore)

    assert named_at(start, record, 0.98) > 0.9
    assert named_at(trained, record, 0.98) < 1.3 * active_share(record)


def test_training_never_returns_what_the_checked_tokens_call_worse():
    record, first = planted()
    start = closed_form(first, moments(record, "normed", LEARNED), "normed", RANK)
    harmful = dataclasses.replace(RECIPE, learning_rate=3.0, epochs=1)

    assert train(record, start, LEARNED, CHECKED, 1, harmful, ignore) is start


def test_the_same_training_twice_gives_the_same_numbers_and_another_seed_does_not():
    record, first = planted(noise=0.5)
    start = closed_form(first, moments(record, "normed", LEARNED), "normed", 3)

    one, two, other = (
        train(record, start, LEARNED, CHECKED, 1, dataclasses.replace(RECIPE, epochs=1, seed=seed), ignore)
        for seed in (0, 0, 1)
    )

    for name in ("inner", "outer", "bias"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    assert not np.array_equal(one.outer, other.outer)


def test_training_counts_its_tokens_and_ends_where_it_is_told_to():
    import torch

    record, first = planted()
    start = closed_form(first, moments(record, "normed", LEARNED), "normed", 3)
    seen, threads = [], torch.get_num_threads()

    def stop(tokens):
        seen.append(tokens)
        if tokens >= 3 * RECIPE.batch_tokens:
            raise Cancelled

    with pytest.raises(Cancelled):
        train(record, start, LEARNED, CHECKED, 1, RECIPE, stop)

    assert seen == [RECIPE.batch_tokens * n for n in (1, 2, 3)]
    assert torch.get_num_threads() == threads


def test_a_balanced_loss_is_lowest_where_no_constant_is_added():
    rng = np.random.default_rng(0)
    scores = 3 * rng.standard_normal((50, 40)).astype(np.float32)
    weights = np.where(rng.random((50, 40)) < 0.3, rng.uniform(0.1, 10, (50, 40)), 0).astype(np.float32)
    factor = balanced_factor(scores, weights)

    def loss(constant):
        s = scores.astype(np.float64) + constant
        return float((factor * weights * np.logaddexp(0, -s) + np.logaddexp(0, s)).sum())

    assert loss(0) < min(loss(-0.1), loss(0.1))


def test_the_share_named_is_counted_as_by_hand():
    rng = np.random.default_rng(1)
    scores = rng.permutation(400).reshape(20, 20).astype(np.float32)
    importance = np.where(rng.random((20, 20)) < 0.4, rng.uniform(1, 5, (20, 20)), 0).astype(np.float32)
    shares = []
    for recall in (0.99, 0.95):
        found, named = 0.0, 0
        for place in np.argsort(-scores, axis=None):
            found, named = found + importance.flat[place], named + 1
            if found >= recall * importance.sum():
                break
        shares.append(named / 400)

    assert named_share(scores, importance) == pytest.approx(np.mean(shares), abs=1 / 400)


def test_constants_of_signs_name_fewer_where_neurons_fire_at_different_rates():
    record, first = planted(noise=1.0, seed=4)
    plain = sign_predictor(first.rows, np.zeros(N, np.float32))

    fitted = fitted_signs(record, first.rows, LEARNED, CHECKED)

    assert np.array_equal(fitted.signs, plain.signs)
    assert named_at(fitted, record, 0.95) < 0.95 * named_at(plain, record, 0.95)


def test_signs_stay_as_they_are_where_constants_do_not_help_on_other_text():
    record, first = planted(seed=5)
    backwards = np.array(record.codes)
    rates = (backwards[LEARNED] > 0).mean(axis=0)
    order = np.argsort(rates)
    backwards[CHECKED][:, order] = record.codes[CHECKED][:, order[::-1]]

    fitted = fitted_signs(dataclasses.replace(record, codes=backwards), first.rows, LEARNED, CHECKED)

    assert not fitted.bias.any()


def test_a_missing_torch_is_named_with_what_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    record, _ = planted()
    start = low_rank("linear", "normed", *(np.zeros(s, np.float32) for s in ((2, D), (N, 2), (N,))))

    for call in (torch_or_refusal, lambda: train(record, start, LEARNED, CHECKED, 1, RECIPE, ignore)):
        with pytest.raises(PackageMissing) as refusal:
            call()
        assert (refusal.value.package, refusal.value.extra) == ("torch", "torch")
