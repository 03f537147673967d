"""The oracle keeps what mattered in the dense run, exactly so many, and thinning less loses less."""

import numpy as np
import pytest

from engine.errors import Cancelled
from engine.neuron_reports import StudySpec
from engine.neurons.calibration import TextWindow
from engine.neurons.collect import down_norms
from engine.neurons.oracle import HEAD_SHARES, NEURON_SHARES, Oracle, buckets_of, head_grams, kept_of, take_oracle
from engine.neurons.study import run_study
from engine.runtime.divergence import compare_logits
from tests.neurons.tiny_study import KilledAt, alike, ignore, packed_tiny, tiny_study, write_text


class Watcher:
    def __init__(self):
        self.products, self.heads = {}, {}

    def attended(self, layer, heads):
        self.heads[layer] = heads.copy()

    def neurons(self, layer, view):
        self.products[layer] = view.product.copy()


@pytest.fixture
def study(tmp_path):
    packed = packed_tiny(tmp_path)
    with tiny_study(packed, StudySpec("oracle", paths=(str(write_text(tmp_path / "text.txt")),), n_tokens=256)) as made:
        yield made


@pytest.mark.parametrize("n", [1, 6, 70, 1536])
def test_exactly_the_largest_are_kept_ties_among_them(n):
    importance = np.random.default_rng(0).standard_normal((9, n)).astype(np.float32) ** 2
    importance[importance < 0.3] = 0  # most silent, as in a sparse model

    buckets = buckets_of(importance, NEURON_SHARES)

    for number, share in enumerate(NEURON_SHARES):
        kept = buckets >= number
        assert (kept.sum(axis=1) == kept_of(share, n)).all()
        lost = np.where(kept, 0, importance)
        assert (lost.max(axis=1) <= np.where(kept, importance, np.inf).min(axis=1)).all()


def test_a_share_is_rounded_up_and_never_nothing():
    assert [kept_of(share, 70) for share in (1.0, 0.5, 0.3, 0.02, 0.0001)] == [70, 35, 21, 2, 1]


def test_a_head_counts_by_what_it_adds_to_the_stream(study):
    c, layer = study.packed.config, 1
    watcher = Watcher()
    study.model.transformer.observe(list(range(20)), watcher)
    out = study.packed.map()[f"layers.{layer}.out"].view(np.float32)[: c.width, : c.attention_width]

    heads = watcher.heads[layer]
    squares = np.einsum("the,hef,thf->th", heads, head_grams(study.packed, layer), heads)

    for head in range(c.n_heads):
        added = heads[:, head] @ out[:, head * c.head_width : (head + 1) * c.head_width].T
        np.testing.assert_allclose(squares[:, head], (added**2).sum(axis=1), rtol=1e-3, atol=1e-5)


def test_the_second_run_keeps_what_the_first_one_chose(study):
    window = TextWindow("own", tuple(np.random.default_rng(1).integers(4, 260, 40).tolist()))
    transformer, watcher = study.model.transformer, Watcher()
    dense = transformer.all_logits(window.tokens, watcher)
    share = NEURON_SHARES.index(0.2)

    class Masked:
        def attended(self, layer, heads):
            pass

        def neurons(self, layer, view):
            importance = np.abs(watcher.products[layer]) * down_norms(study.packed, layer)
            least = np.sort(importance, axis=1)[:, -kept_of(0.2, importance.shape[1])]
            view.product[importance < least[:, None]] = 0

    by_hand = compare_logits(dense[:-1], transformer.all_logits(window.tokens, Masked())[:-1], window.tokens[1:])
    found = Oracle(transformer, study.packed).window(window, ignore)["neurons"][share]

    np.testing.assert_allclose(found.kl, by_hand.kl, rtol=1e-3, atol=1e-6)
    assert np.array_equal(found.flipped, by_hand.flipped)


def test_keeping_all_loses_nothing_and_keeping_less_loses_more(study):
    report = take_oracle(study)

    for points, shares in ((report.neurons, NEURON_SHARES), (report.heads, HEAD_SHARES)):
        assert tuple(p.kept for p in points) == shares
        assert (points[0].kl_mean, points[0].kl_p99, points[0].flips) == (0, 0, 0)
        assert 0 <= points[1].kl_mean < points[-1].kl_mean
    assert report.neurons[0].perplexity == report.heads[0].perplexity > 1


def test_silent_neurons_cost_nothing(tmp_path):
    """Half of a ReLU model's neurons are silent, so that keeping the larger half loses next to nothing."""
    packed = packed_tiny(tmp_path)
    with tiny_study(packed, StudySpec("oracle")) as study:
        window = TextWindow("own", tuple(range(10, 50)))
        found = Oracle(study.model.transformer, packed).window(window, ignore)["neurons"]

    assert found[NEURON_SHARES.index(0.5)].kl.mean() < 0.02 * found[NEURON_SHARES.index(0.1)].kl.mean()


@pytest.mark.parametrize("error", [Cancelled, KeyboardInterrupt])
@pytest.mark.parametrize("killed_at", [1, 20, 47])
def test_a_study_that_was_ended_goes_on_and_reports_the_same(tmp_path, killed_at, error):
    packed = packed_tiny(tmp_path)
    spec = StudySpec("oracle", paths=(str(write_text(tmp_path / "text.txt")),), n_tokens=256)
    with tiny_study(packed, spec) as study:
        whole = take_oracle(study)
        study.store.forget_work("oracle")
    with pytest.raises(error):
        run_study(spec, packed, 2, _after_loading(KilledAt(killed_at, error)), take_oracle)

    with tiny_study(packed, spec) as again:
        left_at = dict(again.store.unfinished()).get("oracle", 0.0)
        runs = []
        again.on_progress = lambda phase, done, total: runs.append((done, total))
        report = take_oracle(again)

    assert alike(report) == alike(whole)
    a_window, whole_runs = 18, 4 * 18
    assert left_at == pytest.approx(killed_at // a_window * a_window / whole_runs)
    assert len(runs) < whole_runs + 10 - whole_runs * left_at
    assert runs[-1] == (whole_runs, whole_runs)


def _after_loading(killed):
    return lambda phase, done, total: killed(phase, done, total) if phase == "evaluate" else None
