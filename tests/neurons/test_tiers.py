"""A tier is offered only as it was measured: on text it was not chosen on, decoded, and within its limit."""

import dataclasses

import numpy as np
import pytest

from engine.errors import Cancelled, NothingSilent, TextUnusable
from engine.model.predictors import LayerChoice
from engine.neuron_reports import EXACT, TIER_LIMITS, PredictorFigures, StudySpec, study_from_json, study_to_json
from engine.neurons import tiers
from engine.neurons.calibration import TextWindow, calibration_windows
from engine.neurons.predictors import FILE_NAME, Candidate, at_threshold, first_format, write_candidates
from engine.neurons.study import run_study
from engine.neurons.tier_options import Silenced, layer_predictors
from engine.neurons.tiers import AIM, halves, take_tiers
from engine.runtime.divergence import compare_logits
from engine.runtime.transformer import Transformer
from tests.neurons.tiny_study import KilledAt, alike, ignore, packed_tiny, tiny_study, write_text
from tests.tiny_model import TinyCheckpoint

N_WINDOWS = 16
# A tiny model's feed-forward is a small part of what it reads.
TINY_GAIN = 0.001


class Telling(TinyCheckpoint):
    """A tiny model whose feed-forward moves its predictions as much as a trained one's does."""

    def tensor(self, name, layer=None):
        values = super().tensor(name, layer)
        return np.asarray(4 * values, np.float32) if name == "down" else values


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return str(write_text(tmp_path_factory.mktemp("text") / "text.txt", 20_000))


@pytest.fixture
def packed(tmp_path):
    return packed_tiny(tmp_path, "int8", seed=4, checkpoint=Telling)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, text):
    """The report of a study nobody interrupted."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(tiers, "LEAST_GAIN", TINY_GAIN)
        return taken(packed_tiny(tmp_path_factory.mktemp("whole"), "int8", seed=4, checkpoint=Telling), text)[0]


@pytest.fixture(autouse=True)
def small_gains_count(monkeypatch):
    monkeypatch.setattr(tiers, "LEAST_GAIN", TINY_GAIN)


def spec_for(text, **changes):
    return StudySpec("tiers", **({"paths": (text,), "n_tokens": 64 * N_WINDOWS} | changes))


def taken(packed, text, on_progress=ignore, **changes):
    with tiny_study(packed, spec_for(text, **changes), on_progress) as study:
        return take_tiers(study), study.store


def test_every_tier_is_within_its_limit_and_saves_more_than_the_one_before(packed, text):
    report, store = taken(packed, text)

    names = [t.name for t in report.tiers]
    assert names == [EXACT, "fine", "fast"]
    assert [t.limit for t in report.tiers] == [0.0, *TIER_LIMITS.values()]
    exact, fine, fast = report.tiers
    assert (exact.kl_mean, exact.kl_p99, exact.flips, exact.layers) == (0, 0, 0, ())
    assert 0 < fine.kl_mean <= fine.kl_upper <= 0.01
    assert 0 < fast.kl_mean <= fast.kl_upper <= 0.03
    assert fast.step_bytes < fine.step_bytes < exact.step_bytes < report.dense_bytes
    assert all(t.tokens_per_s > 0 for t in report.tiers)
    assert report.dense_tokens_per_s > 0
    assert len(fine.layers) == packed.config.n_layers
    assert study_from_json("tiers", study_to_json(report)) == report
    assert sorted(store.folder.glob("tier-*")) == [store.folder / "tier-fast.npz", store.folder / "tier-fine.npz"]


def test_what_is_offered_is_what_was_measured(packed, text):
    spec = spec_for(text)
    report = run_study(spec, packed, 2, ignore, take_tiers)

    with tiny_study(packed, spec) as study:
        offered = study.store.tiers()
        assert list(offered) == ["fine", "fast"]
        for figures in report.tiers[1:]:
            for choice, layer in zip(offered[figures.name], figures.layers, strict=True):
                assert choice.cut == layer.cut
                assert (choice.predictor.kind if choice.predictor else "") == layer.predictor
        # Decoded once more by the kept choices, the text gives the same divergences.
        windows = _measuring(study)
        transformer = study.model.transformer
        transformer.set_tiers(offered)
        for figures in report.tiers[1:]:
            kls = [_losses(transformer, window, figures.name).kl for window in windows]
            assert np.concatenate(kls).mean() == pytest.approx(figures.kl_mean, rel=1e-9)


def _measuring(study):
    windows, _ = calibration_windows(
        study.model.tokenizer, study.spec, n_tokens=64 * N_WINDOWS, window_tokens=64, held_out=True
    )
    return halves(windows)[1]


def _losses(transformer, window, tier):
    def decoded(name):
        transformer.cache.rewind(0)
        transformer.tier = name
        return np.stack([transformer.decode_step(token).copy() for token in window.tokens])[:-1]

    losses = compare_logits(decoded(EXACT), decoded(tier), window.tokens[1:])
    transformer.tier = EXACT
    return losses


@pytest.mark.parametrize(("weight_format", "tolerance"), [("f32", 0.02), ("int8", 0.2)])
def test_a_dense_run_that_is_silenced_loses_what_the_decoded_tier_loses(tmp_path, text, weight_format, tolerance):
    packed = packed_tiny(tmp_path, weight_format, checkpoint=Telling)
    run_study(spec_for(text), packed, 2, ignore, take_tiers)
    with tiny_study(packed, spec_for(text)) as study:
        transformer, offered = study.model.transformer, study.store.tiers()
        transformer.set_tiers(offered)
        assert offered
        for name, choices in offered.items():
            simulated, decoded = [], []
            for window in _measuring(study):
                dense = transformer.all_logits(window.tokens)[:-1]
                tap = Silenced(dict(enumerate(choices)))
                other = transformer.all_logits(window.tokens, tap)[:-1]
                simulated.append(compare_logits(dense, other, window.tokens[1:]).kl)
                decoded.append(_losses(transformer, window, name).kl)
            # Rounded rows are multiplied in another order, which puts values near a cut on its other side.
            assert np.mean(simulated) == pytest.approx(np.mean(decoded), rel=tolerance)


def test_on_its_own_half_no_choice_exceeds_its_aim(packed, text, monkeypatch):
    found = {}
    search = tiers.largest_within

    def watched(aims, steps, together):
        found["best"], found["bounds"] = search(aims, steps, together)
        return found["best"], found["bounds"]

    monkeypatch.setattr(tiers, "largest_within", watched)
    taken(packed, text)

    for name, m in found["best"].items():
        assert m > 0
        assert found["bounds"][m] <= AIM * TIER_LIMITS[name]


def shuffled(packed):
    """Candidates of every layer whose figures are those of good predictors, and whose rows belong to other neurons."""
    rng, n, reads = np.random.default_rng(8), packed.config.n_neurons, "normed"
    found = []
    for of_layer in layer_predictors(packed, None):
        broken = dataclasses.replace(of_layer[1], signs=of_layer[1].signs[rng.permutation(n)])
        promised = PredictorFigures("sign", reads, 0, 100, 0.0, 0.5, 0.999, 0.999, 0.9, saved_bytes=1000)
        figures = tuple(dataclasses.replace(promised, threshold=threshold) for threshold in (-4.0, -3.0, -2.0))
        found.append((Candidate(broken, figures),))
    return found


def test_a_predictor_that_misses_is_seen_by_what_it_costs(packed, text):
    """Its own figures promise a recall of 0.999; the divergence it makes keeps it out of every tier."""
    candidates = shuffled(packed)
    with tiny_study(packed, spec_for(text)) as study:
        write_candidates(study.store.folder / FILE_NAME, candidates, first_format(packed), study.store.fingerprint)
        report = take_tiers(study)
        window = _measuring(study)[0]
        dense = study.model.transformer.all_logits(window.tokens)[:-1]
        choices = {layer: LayerChoice(at_threshold(of_layer[0], 1)) for layer, of_layer in enumerate(candidates)}
        other = study.model.transformer.all_logits(window.tokens, Silenced(choices))[:-1]

    assert compare_logits(dense, other, window.tokens[1:]).kl.mean() > 3 * TIER_LIMITS["fast"]
    assert len(report.tiers) > 1
    for tier in report.tiers:
        assert not any(layer.predictor for layer in tier.layers)
        assert tier.kl_upper <= tier.limit


class Blind:
    """A dense run in which nothing is silenced, whatever a tier would do."""

    def __init__(self, choices):
        pass

    def attended(self, layer, heads):
        pass

    def neurons(self, layer, view):
        pass


def test_a_tier_above_its_limit_when_decoded_is_refused_however_it_was_chosen(packed, text, monkeypatch):
    monkeypatch.setattr(tiers, "Silenced", Blind)  # the choosing half believes that nothing costs anything

    report, _ = taken(packed, text)

    # Both are the same choice, which is all that saves; it is offered as what it was measured to be.
    (fine,) = report.refused
    assert (fine.name, fine.reason) == ("fine", "above_limit")
    assert fine.kl_upper > 2 * TIER_LIMITS["fine"]
    assert [t.name for t in report.tiers] == [EXACT, "fast"]
    assert report.tiers[1].kl_upper == fine.kl_upper <= TIER_LIMITS["fast"]


def test_where_every_choice_is_above_its_limit_only_exact_is_offered(packed, text, monkeypatch):
    monkeypatch.setattr(tiers, "Silenced", Blind)
    monkeypatch.setattr(tiers, "TIER_LIMITS", {"fine": 0.005, "fast": 0.01})

    report, store = taken(packed, text)

    assert [t.name for t in report.tiers] == [EXACT]
    assert [(r.name, r.reason) for r in report.refused] == [("fine", "above_limit"), ("fast", "above_limit")]
    assert not store.tiers()


def test_a_tier_that_saves_nothing_is_refused(packed, text, monkeypatch):
    monkeypatch.setattr(tiers, "LEAST_GAIN", 0.9)

    report, _ = taken(packed, text)

    assert [t.name for t in report.tiers] == [EXACT]
    assert {r.reason for r in report.refused} == {"no_gain"}


def test_tiers_of_an_earlier_calibration_are_not_offered_with_a_newer_one(packed, text, monkeypatch):
    spec = spec_for(text)
    run_study(spec, packed, 2, ignore, take_tiers)
    monkeypatch.setattr(tiers, "LEAST_GAIN", 0.9)
    run_study(dataclasses.replace(spec, n_tokens=64 * 8), packed, 2, ignore, take_tiers)

    with tiny_study(packed, spec) as study:
        assert study.store.tiers() == {}


@pytest.mark.parametrize("killed_at", [1, 9, 40, 300, 2000])
def test_a_study_that_was_ended_goes_on_and_chooses_the_same(packed, text, whole, killed_at):
    phases = []

    with pytest.raises(Cancelled):
        taken(packed, text, KilledAt(killed_at, Cancelled))
    report, _ = taken(packed, text, lambda *progress: phases.append(progress))

    assert _untimed(report) == _untimed(whole)
    assert all(done <= total for _, done, total in phases)
    assert phases[-1][1] == phases[-1][2]


def _untimed(report):
    timeless = tuple(dataclasses.replace(t, tokens_per_s=0.0) for t in report.tiers)
    return dataclasses.replace(alike(report), tiers=timeless, dense_tokens_per_s=0.0)


def test_nothing_is_measured_twice(packed, text, monkeypatch):
    taken(packed, text)

    with tiny_study(packed, spec_for(text)) as study:
        measured_again = []
        for name in ("decode_step", "all_logits", "observe"):
            monkeypatch.setattr(Transformer, name, lambda *given, name=name: measured_again.append(name))
        report = take_tiers(study)

    assert measured_again == []
    assert [t.name for t in report.tiers] == [EXACT, "fine", "fast"]


def test_a_model_without_silent_neurons_is_refused(tmp_path, text):
    packed = packed_tiny(tmp_path, activation="silu")

    with pytest.raises(NothingSilent) as caught:
        taken(packed, text)

    assert caught.value.feed_forward == packed.config.feed_forward


def test_text_of_one_window_cannot_be_divided():
    window = TextWindow("own", (1, 2, 3))

    assert halves([window, window, TextWindow("code", (4, 5, 6))])[0] == [window, TextWindow("code", (4, 5, 6))]
    with pytest.raises(TextUnusable):
        halves([window, TextWindow("code", (4, 5, 6))])
