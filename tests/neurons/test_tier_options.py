"""What is counted of all options at once is what each would read and lose alone, and choices stay within their aim."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernels.reference import activate
from engine.model.predictors import low_rank
from engine.neuron_reports import StudySpec
from engine.neurons.collect import down_norms
from engine.neurons.tier_choice import greedy_steps, interpolated, largest_within, measured_options, options_after
from engine.neurons.tier_options import (
    MOST_LOST,
    MOST_OPTIONS,
    Option,
    Points,
    Sampler,
    Silenced,
    Watcher,
    layer_predictors,
    make_points,
    thinned,
    upper_hull,
)
from engine.runtime.traffic import step_bytes
from tests.neurons.tiny_study import packed_tiny, tiny_study

TOKENS = np.random.default_rng(4).integers(4, 260, 50).tolist()


class Seen:
    """Views of a run, before and after another tap has changed them."""

    def __init__(self, then=None):
        self.before, self.after, self.first, self.then = {}, {}, {}, then

    def attended(self, layer, heads):
        pass

    def neurons(self, layer, view):
        self.first[layer], self.before[layer] = view.first.copy(), view.product.copy()
        if self.then:
            self.then.neurons(layer, view)
        self.after[layer] = view.product.copy()


@pytest.fixture(params=["relu", "drelu", "fatrelu", "relu2"])
def study(request, tmp_path):
    changes = {"activation": request.param, "threshold": 0.05 if request.param == "fatrelu" else 0.0}
    packed = packed_tiny(tmp_path, is_gated=request.param != "relu2", **changes)
    with tiny_study(packed, StudySpec("tiers")) as made:
        yield made


def watched(study):
    """Every layer's points and cuts, and the watcher that saw the text with them."""
    packed, transformer = study.packed, study.model.transformer
    predictors = layer_predictors(packed, None)
    sampler = Sampler(packed, [of_layer[1] for of_layer in predictors])
    transformer.observe(TOKENS, sampler)
    layers = range(packed.config.n_layers)
    points = [make_points(packed, predictors[layer], [sampler.thresholds(layer)]) for layer in layers]
    cuts = [sampler.cuts(layer) for layer in layers]
    watcher = Watcher(packed, points, cuts)
    transformer.observe(TOKENS, watcher)
    return predictors, points, cuts, watcher


def test_each_option_saves_and_loses_what_it_does_alone(study, monkeypatch):
    monkeypatch.setattr("engine.neurons.tier_options.thinned", list)  # all that save, not only the best
    packed, transformer, layer = study.packed, study.model.transformer, 0
    predictors, _, _, watcher = watched(study)
    config, norms = packed.config, down_norms(packed, layer)

    def read(named, seen):
        """Bytes a step reads on average, of counts as the kernel would make them."""
        alive = activate(seen.first[layer], config.activation, config.threshold) != 0
        counts = [named.sum(axis=1), (named & alive).sum(axis=1), (seen.after[layer] != 0).sum(axis=1)]
        return np.mean(
            [
                sum(dict(step_bytes(config, packed.parts, "f32", positions=0, counts=[c] * config.n_layers)).values())
                for c in np.transpose(counts)
            ]
        )

    plain = Seen()
    transformer.observe(TOKENS, plain)
    everything = read(np.ones(plain.first[layer].shape, np.bool_), plain)
    options = watcher.options(layer)
    for option in options[:: max(1, len(options) // 12)]:
        choice = option.choice(predictors[layer])
        seen = Seen(Silenced({layer: choice}))
        transformer.observe(TOKENS, seen)
        lost = ((seen.before[layer] - seen.after[layer]) * norms) ** 2
        kept = np.count_nonzero(seen.after[layer]) / np.count_nonzero(seen.before[layer])

        assert option.lost == pytest.approx(lost.sum() / ((seen.before[layer] * norms) ** 2).sum(), rel=1e-3, abs=1e-6)
        assert option.recall == pytest.approx(kept, abs=1e-6)
        if choice.predictor is None:
            named = np.where(choice.cut > 0, seen.first[layer] >= np.float32(choice.cut), True)
            alive_saved = (everything - read_cut(named, seen, config, packed)) / config.n_layers
            assert option.saved_bytes == pytest.approx(alive_saved, rel=1e-6)


def read_cut(alive_by_cut, seen, config, packed):
    alive = (activate(seen.first[0], config.activation, config.threshold) != 0) & alive_by_cut
    n = np.full(len(alive), config.n_neurons)
    counts = np.transpose([n, alive.sum(axis=1), (seen.after[0] != 0).sum(axis=1)])
    return np.mean(
        [
            sum(dict(step_bytes(config, packed.parts, "f32", positions=0, counts=[c] * config.n_layers)).values())
            for c in counts
        ]
    )


def test_a_predictor_that_names_few_neurons_saves_their_first_products(study):
    packed, layer = study.packed, 1
    n, d = packed.config.n_neurons, packed.config.width
    bias = np.where(np.arange(n) < 20, 1, -1).astype(np.float32)
    names_twenty = low_rank("linear", "normed", np.zeros((1, d), np.float32), np.zeros((n, 1), np.float32), bias)
    points = [[Points(None, (), 0), Points(names_twenty, (0.0,), 100)] for _ in range(3)]
    watcher = Watcher(packed, points, [()] * 3)

    study.model.transformer.observe(TOKENS, watcher)

    first = packed.parts.of("gate") if packed.config.is_gated else packed.parts.of_up(packed.config)
    tally = watcher._tallies[layer]
    assert tally[1].named[0] == 20 * len(TOKENS)
    exact = watcher._bytes(layer, tally[0], 0, 0, 0)
    assert exact - watcher._bytes(layer, tally[1], 0, 0, 100) >= (n - 20) * first.stride(d) - 100


def test_what_is_kept_rises_in_both_and_is_not_beaten(study):
    *_, watcher = watched(study)

    for layer in range(study.packed.config.n_layers):
        options = watcher.options(layer)
        assert 0 < len(options) <= MOST_OPTIONS
        for before, after in itertools.pairwise(options):
            assert before.lost < after.lost <= MOST_LOST
            assert before.saved_bytes < after.saved_bytes


def test_a_cut_leaves_the_quantile_it_is_named_after(study):
    *_, cuts, _ = watched(study)
    seen = Seen()
    study.model.transformer.observe(TOKENS, seen)

    config = study.packed.config
    for layer, of_layer in enumerate(cuts):
        first = seen.first[layer]
        alive = first[activate(first, config.activation, config.threshold) != 0]
        assert (alive < of_layer[4]).mean() == pytest.approx(0.2, abs=0.01)


# Choosing ---------------------------------------------------------------------------------------------------------

costs = st.floats(1e-6, 1)
gains = st.floats(1, 1000)


@given(st.lists(st.tuples(costs, gains), max_size=30))
def test_the_hull_is_concave_and_above_all_points(points):
    hull = [(0.0, 0.0), *(points[i] for i in upper_hull(points))]

    xs, ys = np.transpose(hull)
    assert (np.diff(ys) > 0).all()
    slopes = np.diff(ys) / np.maximum(np.diff(xs), 1e-300)
    assert (np.diff(slopes) <= 1e-9 * slopes[:-1]).all()
    for cost, gain in points:
        assert gain <= np.interp(cost, xs, ys) * (1 + 1e-9) + 1e-9


@given(st.lists(st.lists(st.tuples(costs, gains), max_size=6), min_size=1, max_size=4))
@settings(max_examples=60)
def test_greedy_saves_as_much_as_any_choice_of_the_same_divergence(layers):
    steps = greedy_steps(layers)

    for n in range(1, len(steps) + 1):
        chosen = options_after(steps, n)
        kl = sum(layers[layer][i][0] for layer, i in chosen.items())
        saved = sum(layers[layer][i][1] for layer, i in chosen.items())
        assert kl == pytest.approx(steps[n - 1].predicted_kl)
        assert saved == pytest.approx(steps[n - 1].saved_bytes)
        for other in _all_choices(layers):
            if sum(c for c, _ in other) <= kl * (1 - 1e-9):
                assert sum(g for _, g in other) <= saved * (1 + 1e-9)


def _all_choices(layers):
    found = [[]]
    for options in layers:
        found = [[*each, option] for each in found for option in [(0.0, 0.0), *options[:4]]]
    return found


@given(st.lists(st.floats(0, 0.01), min_size=1, max_size=60), st.floats(0.3, 4), st.integers(0, 99))
def test_no_choice_is_taken_that_was_measured_above_its_aim(kls, factor, seed):
    steps = greedy_steps([[(kl, 1.0)] for kl in kls])
    noise = np.random.default_rng(seed).uniform(0.5, 1.5, len(steps) + 1)
    measured = {}

    def together(ms):
        assert not set(ms) & measured.keys()
        found = {m: steps[m - 1].predicted_kl * factor * noise[m] if m else 0.0 for m in ms}
        measured.update(found)
        return found

    aims = {"fine": 0.0085, "fast": 0.0255}
    best, bounds = largest_within(aims, steps, together)

    for name, aim in aims.items():
        assert best[name] == 0 or measured[best[name]] <= aim
        assert all(bound > aim for m, bound in bounds.items() if m > best[name])


@pytest.mark.parametrize("factor", [0.25, 0.5, 1.0, 2.0, 5.0])
def test_the_search_comes_near_its_aim_in_few_sweeps(factor):
    steps = greedy_steps([[(0.0002 * (i % 7 + 1), 1.0)] for i in range(240)])
    sweeps = []

    def together(ms):
        sweeps.append(ms)
        return {m: (steps[m - 1].predicted_kl * factor) ** 1.1 if m else 0.0 for m in ms}

    best, bounds = largest_within({"fine": 0.0085, "fast": 0.0255}, steps, together)

    assert len(sweeps) <= 4
    assert 0.9 * 0.0085 < bounds[best["fine"]] <= 0.0085
    assert 0.9 * 0.0255 < bounds[best["fast"]] <= 0.0255


def option(lost, saved=1.0):
    return Option(0, 0.0, 0.1, saved, lost, 1.0)


@pytest.mark.parametrize("floor", [0.0, 2e-4])
def test_the_kl_of_options_between_measured_ones_follows_what_they_lose(floor):
    options = [option(10.0**-k) for k in range(6, 0, -1)]
    costs = [0.05 * o.lost for o in options]

    found = interpolated(options, {i: costs[i] + floor for i in measured_options(options)})

    np.testing.assert_allclose(found, costs, rtol=1e-6)


@pytest.mark.parametrize("n", [1, 2])
def test_few_options_are_all_measured(n):
    options = [option(0.1 * (i + 1)) for i in range(n)]

    assert interpolated(options, dict.fromkeys(measured_options(options), 0.01)) == [0.01] * n


def test_thinning_keeps_the_ends():
    options = [option(10.0 ** (-9 + 0.1 * i), 1000 * (1 - 0.97**i) + 1) for i in range(80)]

    kept = thinned(options)

    assert len(kept) <= MOST_OPTIONS
    assert kept[-1].saved_bytes == max(o.saved_bytes for o in options)


def test_a_choice_is_what_the_option_says():
    predictor = low_rank("linear", "normed", np.ones((1, 3), np.float32), np.ones((2, 1), np.float32), np.ones(2, "f4"))

    with_it = dataclasses.replace(option(0.1), predictor=1, threshold=0.25).choice([None, predictor])
    without = option(0.1).choice([None, predictor])

    assert np.array_equal(with_it.predictor.bias, [0.75, 0.75])
    assert with_it.cut == without.cut == 0.1
    assert without.predictor is None
