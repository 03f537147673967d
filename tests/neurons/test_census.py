"""A census against the same figures worked out the slow way, at the edges, and its laws."""

import dataclasses
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from engine.neuron_reports import COVERED, UNION_TOKENS, StudySpec, study_from_json, study_to_json
from engine.neurons.calibration import TextWindow, calibration_windows
from engine.neurons.census import (
    QUANTILES,
    SILENCED,
    CensusTap,
    census_sums,
    consecutive_unions,
    layer_census,
    quantile_of,
    sample_windows,
    take_census,
    thresholding_errors,
    thresholds_of,
)
from engine.runtime.prefill import LayerView
from tests.neurons.tiny_study import packed_tiny, tiny_study, write_text
from tests.neurons.watching import record, slowly_active
from tests.tiny_model import TINY, TinyCheckpoint

MODELS = {
    "relu": {"activation": "relu"},
    "silu": {"activation": "silu"},
    "drelu": {"activation": "drelu"},
    "fatrelu": {"activation": "fatrelu", "threshold": 0.1},
    "plain": {"activation": "relu", "is_gated": False, "norm": "layer", "has_ffn_bias": True},
    "plain squared": {"activation": "relu2", "is_gated": False},
    "parallel": {"activation": "relu", "residual": "parallel"},
    "biases": {"activation": "relu", "has_ffn_bias": True},
}


class WithFirstBias(TinyCheckpoint):
    """All first products are shifted so far that every neuron is silent, or none is."""

    shift = 0.0

    def tensor(self, name, layer=None):
        values = super().tensor(name, layer)
        return values + np.float32(self.shift) if name == "first_bias" else values


class Silent(WithFirstBias):
    shift = -1e4


class Busy(WithFirstBias):
    shift = 1e4


def activation_of(first, config):
    match config.activation:
        case "silu":
            return first / (1 + np.exp(-first.astype(np.float64)))
        case "fatrelu":
            return np.where(first >= np.float32(config.threshold), first, 0)
        case "relu2":
            return np.maximum(first, 0) ** 2
        case _:
            return np.maximum(first, 0)


def census_of(tmp_path, packed, n_tokens=5 * 64):
    """A census of 5 windows of made-up text, and all that was computed on them."""
    spec = StudySpec("census", paths=(str(write_text(tmp_path / "text.txt")),), n_tokens=n_tokens)
    with tiny_study(packed, spec) as study:
        report = take_census(study)
        windows, _ = calibration_windows(
            study.model.tokenizer, spec, n_tokens=n_tokens, window_tokens=64, held_out=False
        )
        return report, windows, record(study.model.transformer, windows)


@pytest.mark.parametrize("name", MODELS)
def test_a_census_is_what_a_slow_count_finds(tmp_path, name):
    packed = packed_tiny(tmp_path, **MODELS[name])
    report, _windows, seen = census_of(tmp_path, packed)
    config = packed.config

    assert report.head.n_tokens == 5 * 64
    assert len(report.layers) == config.n_layers
    for number, layer in enumerate(report.layers):
        sizes = np.abs(activation_of(np.concatenate(seen.first[number]), config))
        active = [slowly_active(product, config.is_sparse) for product in seen.product[number]]
        tokens = np.concatenate(active)
        fired = np.sort(tokens.sum(axis=0))[::-1]
        carried = np.cumsum(fired) / fired.sum()

        assert layer.zeros == pytest.approx((sizes == 0).mean())
        assert layer.silent == pytest.approx(1 - tokens.mean(), abs=2e-4)
        assert layer.magnitudes[-1] == pytest.approx(sizes.max(), rel=1e-5)
        for q, found in zip(QUANTILES, layer.magnitudes, strict=False):
            near = np.quantile(sizes, [max(0, q - 1e-3), min(1, q + 1e-3)])
            assert near[0] * (1 - 1 / 64) <= found <= near[1] * (1 + 1 / 64)
        for share, found in zip(COVERED, layer.covering, strict=True):
            assert found == pytest.approx((np.argmax(carried >= share - 1e-12) + 1) / config.n_neurons, abs=0.02)
        assert layer.coverage[10] == pytest.approx(carried[config.n_neurons // 2 - 1], abs=1e-3)
        pairs = [(after & before).sum() for w in active for before, after in itertools.pairwise(w)]
        later = sum(w[1:].sum() for w in active)
        assert layer.overlap == pytest.approx(sum(pairs) / later, abs=1e-3)
        for length, found in zip(UNION_TOKENS, layer.unions, strict=True):
            united = [w[start : start + length].any(axis=0).mean() for w in active for start in range(64 - 32 + 1)]
            assert found == pytest.approx(np.mean(united), abs=1e-3)
        assert layer.dead == pytest.approx((fired == 0).mean())
        assert layer.always_on == pytest.approx((fired == len(tokens)).mean(), abs=0.02)
        for step in layer.thresholding:
            assert step.silent == pytest.approx(
                (sizes.astype(np.float32) < np.float32(step.threshold)).mean(), abs=1e-4
            )


@pytest.mark.parametrize("name", ["relu", "silu", "plain", "biases"])
@pytest.mark.parametrize("weight_format", ["f32", "int8"])
def test_what_thresholding_costs_is_the_error_of_the_layers_output(tmp_path, name, weight_format):
    packed = packed_tiny(tmp_path, weight_format, **MODELS[name])
    report, windows, seen = census_of(tmp_path, packed)
    config, tensors = packed.config, packed.map()
    number = windows.index(sample_windows(windows)[0])
    for layer, census in enumerate(report.layers):
        first, product = seen.first[layer][number], seen.product[layer][number].astype(np.float64)
        down = packed.parts.of("down").unpack(tensors[f"layers.{layer}.down"], config.width)[: config.n_neurons]
        bias = tensors.get(f"layers.{layer}.down_bias", np.zeros(config.width))[: config.width]
        whole = product @ down + bias
        sizes = np.abs(activation_of(first, config)).astype(np.float32)

        assert len(census.thresholding) == len(SILENCED)
        for step in census.thresholding:
            cut = np.where(sizes < np.float32(step.threshold), 0, product) @ down + bias
            assert step.output_error == pytest.approx(((whole - cut) ** 2).sum() / (whole**2).sum(), rel=1e-3)


def test_a_higher_threshold_silences_more_and_about_what_is_asked(tmp_path):
    report, _, _ = census_of(tmp_path, packed_tiny(tmp_path, activation="silu"))
    for layer in report.layers:
        silent = [step.silent for step in layer.thresholding]
        assert silent == sorted(silent)
        # Many activations are near silu's lowest value, and a bin of sizes is not parted.
        np.testing.assert_allclose(silent, SILENCED, atol=0.06)
        assert 0 < layer.thresholding[0].output_error < layer.thresholding[-1].output_error < 1


def test_layers_in_which_nothing_ever_fires(tmp_path):
    report, _, _ = census_of(tmp_path, packed_tiny(tmp_path, checkpoint=Silent, has_ffn_bias=True))
    for layer in report.layers:
        assert (layer.zeros, layer.silent, layer.dead, layer.always_on, layer.overlap) == (1, 1, 1, 0, 0)
        assert set(layer.magnitudes) == set(layer.covering) == set(layer.coverage) == set(layer.unions) == {0.0}
        assert layer.thresholding == ()
    assert study_from_json("census", study_to_json(report)) == report


@pytest.mark.parametrize("activation", ["relu", "silu"])
def test_layers_in_which_everything_always_fires(tmp_path, activation):
    packed = packed_tiny(tmp_path, checkpoint=Busy, activation=activation, has_ffn_bias=True)
    report, _, _ = census_of(tmp_path, packed)
    for layer in report.layers:
        assert layer.zeros == layer.dead == 0
        if activation == "relu":
            assert (layer.silent, layer.always_on, layer.overlap, set(layer.unions)) == (0, 1, 1, {1.0})
            assert layer.covering == pytest.approx(COVERED, abs=1 / 70)
            assert layer.coverage == pytest.approx([i / 20 for i in range(21)])


@pytest.mark.parametrize("name", ["relu", "silu"])
def test_windows_of_one_token_have_no_neighbours(name):
    config = dataclasses.replace(TINY, **MODELS[name])
    rng, sums = np.random.default_rng(0), census_sums(config)
    tap = CensusTap(config, sums)
    products = rng.standard_normal((6, 1, config.n_neurons)).astype(np.float32)
    products[np.abs(products) < 0.5] = 0
    for product in products:
        tap.neurons(0, LayerView(product, product, product, product, product))

    found, active = layer_census(config, sums, 0, 6), [slowly_active(p, config.is_sparse) for p in products]

    assert found.overlap == 0
    assert found.unions == pytest.approx([np.mean(active)] * len(UNION_TOKENS))
    assert found.silent == pytest.approx(1 - np.mean(active))


@given(st_numpy.arrays(np.bool_, st.tuples(st.integers(1, 90), st.integers(1, 7))))
def test_unions_are_those_of_so_many_tokens_and_grow(active):
    unions = consecutive_unions(active)
    starts = range(max(1, len(active) - 31))

    for length, union in zip(UNION_TOKENS, unions, strict=True):
        assert np.array_equal(union, [active[start : start + length].any(axis=0) for start in starts])
    for smaller, larger in itertools.pairwise(unions):
        assert (smaller <= larger).all()


@given(
    st_numpy.arrays(np.float32, st.integers(1, 200), elements=st.floats(0, 2.0**60, width=32)),
    st.sampled_from(QUANTILES),
)
def test_a_quantile_of_the_histogram_lies_within_its_resolution(values, q):
    sizes = np.bincount(np.ascontiguousarray(values).view(np.int32) >> 17, minlength=1 << 14)
    ordered = np.sort(values).astype(np.float64)
    true = ordered[int(np.ceil(q * len(ordered))) - 1]

    assert quantile_of(sizes, q) == pytest.approx(true, rel=1 / 64, abs=1e-35)


def test_thresholds_are_edges_between_what_they_part():
    values = np.geomspace(1e-6, 1e3, 10_000).astype(np.float32)
    sizes = np.bincount(np.concatenate([values.view(np.int32) >> 17, np.zeros(5000, np.int64)]), minlength=1 << 14)

    thresholds = thresholds_of(sizes)

    assert [np.mean(values < np.float32(each)) for each in thresholds] == pytest.approx(SILENCED, abs=0.001)
    assert thresholds_of(np.zeros(1 << 14, np.int64)) == ()
    one_size = np.zeros(1 << 14, np.int64)
    one_size[8000] = 3
    assert len(thresholds_of(one_size)) == 1


def test_silencing_all_loses_all_but_the_bias(tmp_path):
    packed = packed_tiny(tmp_path, activation="relu")
    product = np.random.default_rng(0).standard_normal((5, 70)).astype(np.float32)

    errors, squares = thresholding_errors(packed, 1, product, np.abs(product), [1e-9, 1e9])

    assert errors[0] == 0
    assert errors[1] == pytest.approx(squares)


def test_thresholds_are_tried_on_every_kind_of_text():
    windows = [TextWindow(kind, (number,)) for number in range(5) for kind in ("prose", "code")]

    assert [window.kind for window in sample_windows(windows)] == ["prose", "code"]
    assert {window.tokens for window in sample_windows(windows)} == {(2,)}


@pytest.mark.model
def test_the_starter_is_never_exactly_silent_but_most_of_its_products_hardly_count(packed_starter):
    with tiny_study(packed_starter("int8"), StudySpec("census", kinds=("prose",), n_tokens=512)) as study:
        report = take_census(study)

    assert report.head.n_tokens == 512
    for layer in report.layers:
        assert layer.zeros < 1e-4
        assert 0.2 < layer.silent < 1
        assert list(layer.unions) == sorted(layer.unions)
        assert layer.unions[0] > 1 - layer.silent
        errors = [step.output_error for step in layer.thresholding]
        assert errors == sorted(errors)
        assert 0 < errors[0] < 0.05
        assert errors[-1] < 1.5
