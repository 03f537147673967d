"""Figures of predictors are what a count by hand gives, on text nobody learned from; work survives a kill unchanged."""

import dataclasses
import itertools
import json
import zipfile

import numpy as np
import pytest
import torch

from engine.errors import Cancelled, DamagedFile, FileMissing, NothingSilent, TextUnusable, UnsupportedModel
from engine.kernels.formats import FORMATS
from engine.model.predictors import low_rank, sign_predictor
from engine.neuron_reports import StudySpec, study_from_json, study_to_json
from engine.neurons import collect as collecting
from engine.neurons.calibration import calibration_windows
from engine.neurons.collect import collect
from engine.neurons.predictor_study import divided_texts, ranks_for, take_predictors
from engine.neurons.predictors import (
    FILE_NAME,
    RECALL_TARGETS,
    Candidate,
    as_stored,
    at_threshold,
    first_format,
    layer_bytes,
    measured,
    read_candidates,
    read_candidates_file,
    thresholds_for,
    write_candidates,
)
from engine.neurons.store import NeuronStore
from engine.neurons.study import run_study
from tests.neurons.tiny_study import KilledAt, alike, ignore, packed_tiny, tiny_study, write_text
from tests.tiny_model import TINY

D, N, LAYERS = TINY.width, TINY.n_neurons, TINY.n_layers


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    return str(write_text(tmp_path_factory.mktemp("text") / "text.txt", 12_000))


@pytest.fixture
def packed(tmp_path):
    return packed_tiny(tmp_path, "int8", seed=3)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, text):
    """The report, the candidates and the packed model of a study nobody interrupted."""
    packed = packed_tiny(tmp_path_factory.mktemp("whole"), "int8", seed=3)
    report = taken(packed, text)
    return report, read_candidates(NeuronStore(packed), packed.config), packed


def spec_for(text, **changes):
    return StudySpec("predictors", **({"paths": (text,), "n_tokens": 4096, "ranks": (4, 8)} | changes))


def taken(packed, text, on_progress=ignore, **changes):
    with tiny_study(packed, spec_for(text, **changes), on_progress, n_threads=1) as study:
        return take_predictors(study)


def random_layer(seed=0, tokens=40):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((tokens, D)).astype(np.float32)
    matrices = (rng.standard_normal(shape).astype(np.float32) for shape in ((6, D), (N, 6), (N,)))
    predictor = low_rank("linear", "normed", *matrices)
    importance = np.maximum(predictor.scores(x) + 3 * rng.standard_normal((tokens, N)), 0).astype(np.float32)
    return predictor, x, importance


# Figures ----------------------------------------------------------------------------------------------------------


def test_figures_are_counted_as_by_hand(packed):
    predictor, x, importance = random_layer()
    scores = (x @ predictor.inner.T) @ predictor.outer.T + predictor.bias
    thresholds = [-4.0, 0.0, 2.5]

    figures = measured(predictor, thresholds, [(x[:15], importance[:15]), (x[15:], importance[15:])], packed)

    fmt = first_format(packed)
    for f, threshold in zip(figures, thresholds, strict=True):
        named = found = active = 0
        weight = found_weight = 0.0
        for t in range(len(x)):
            for i in range(N):
                is_named, is_active = scores[t, i] > threshold, importance[t, i] > 0
                named, active, found = named + is_named, active + is_active, found + (is_named and is_active)
                weight += importance[t, i]
                found_weight += importance[t, i] * is_named
        assert f.named == pytest.approx(named / scores.size)
        assert f.recall == pytest.approx(found / active)
        assert f.precision == pytest.approx(found / named)
        assert f.recall_weighted == pytest.approx(found_weight / weight, rel=1e-5)
        assert f.n_bytes == 6 * fmt.stride(D) + N * fmt.stride(6) + 4 * N
        assert f.saved_bytes == pytest.approx((1 - f.named) * N * fmt.stride(D) - f.n_bytes)
        assert (f.kind, f.reads, f.rank, f.threshold) == ("linear", "normed", 6, threshold)


def test_thresholds_reach_their_targets_and_rise_as_the_targets_fall():
    predictor, x, importance = random_layer(1, 300)
    scores = predictor.scores(x)

    thresholds = thresholds_for(scores, importance)

    assert thresholds == sorted(thresholds)
    total = importance.sum(dtype=np.float64)
    for target, threshold in zip(RECALL_TARGETS, thresholds, strict=True):
        assert importance[scores > np.float32(threshold)].sum(dtype=np.float64) >= target * total * (1 - 1e-6)
        above = np.min(scores[(importance > 0) & (scores > np.float32(threshold))])
        assert importance[scores > above].sum(dtype=np.float64) < target * total
    silent = np.zeros_like(importance)
    assert (scores > np.float32(thresholds_for(scores, silent)[0])).sum() == 0


def test_a_shuffled_predictor_shows_in_its_recall(packed):
    predictor, x, importance = random_layer(2, 300)
    thresholds = thresholds_for(predictor.scores(x), importance, (0.95,))
    order = np.random.default_rng(0).permutation(N)
    shuffled = dataclasses.replace(predictor, outer=predictor.outer[order], bias=predictor.bias[order])

    (sound,), (broken,) = (measured(p, thresholds, [(x, importance)], packed) for p in (predictor, shuffled))

    assert sound.recall_weighted >= 0.95
    assert broken.recall_weighted < 0.8
    assert broken.precision < sound.precision - 0.2


def test_an_operating_point_names_what_exceeds_its_threshold(packed):
    predictor, x, importance = random_layer(3)
    candidate = Candidate(predictor, measured(predictor, [-1.0, 0.5], [(x, importance)], packed))
    scores = predictor.scores(x)

    for i, threshold in enumerate((-1.0, 0.5)):
        near = np.abs(scores - threshold) < 1e-4
        assert ((at_threshold(candidate, i).scores(x) > 0) == (scores > threshold))[~near].all()
    assert near.mean() < 0.01


def test_ranks_leave_no_padding_in_a_row():
    wide = dataclasses.replace(TINY, width=576)
    assert ranks_for(wide, FORMATS["int8"]) == (32, 96, 160)
    for name in ("int8", "int4", "f32"):
        for width in (36, 576, 4096):
            fmt = FORMATS[name]
            for rank in ranks_for(dataclasses.replace(TINY, width=width), fmt):
                assert 1 <= rank <= width
                assert rank == width // 2 or fmt.stride(rank + 1) > fmt.stride(rank)


# The file ---------------------------------------------------------------------------------------------------------


def candidates_of(packed, n_layers=LAYERS):
    fmt, layers = first_format(packed), []
    for layer in range(n_layers):
        predictor, x, importance = random_layer(layer)
        signs = sign_predictor(np.random.default_rng(layer).standard_normal((N, D)).astype(np.float32), predictor.bias)
        made = (as_stored(predictor, fmt), signs)
        layers.append(tuple(Candidate(p, measured(p, [0.0, 1.0], [(x, importance)], packed)) for p in made))
    return layers


def test_candidates_come_back_as_they_were_written(packed):
    store, layers = NeuronStore(packed), candidates_of(packed)
    assert read_candidates(store, packed.config) is None

    write_candidates(store.folder / FILE_NAME, layers, first_format(packed), store.fingerprint)
    again = read_candidates(store, packed.config)

    for candidates, others in zip(layers, again, strict=True):
        for one, other in zip(candidates, others, strict=True):
            assert one.figures == other.figures
            assert (one.predictor.kind, one.predictor.reads) == (other.predictor.kind, other.predictor.reads)
            for name in ("inner", "outer", "signs", "bias"):
                assert np.array_equal(getattr(one.predictor, name), getattr(other.predictor, name))


def test_candidates_of_other_weights_are_none(packed):
    path = NeuronStore(packed).folder / FILE_NAME
    write_candidates(path, candidates_of(packed), first_format(packed), "other")

    assert read_candidates(NeuronStore(packed), packed.config) is None


def rewritten(path, name, change):
    """Replace a member of the file by what `change` makes of it."""
    with zipfile.ZipFile(path) as archive:
        members = {entry: archive.read(entry) for entry in archive.namelist()}
    members[name] = change(members[name])
    with zipfile.ZipFile(path, "w") as archive:
        for entry, content in members.items():
            if content is not None:
                archive.writestr(entry, content)


def in_header(**changes):
    """A change of the header's JSON, which is kept as an array of bytes."""

    def change(content):
        start = 10 + int.from_bytes(content[8:10], "little")
        values = json.dumps(json.loads(content[start:]) | changes).encode()
        array = np.frombuffer(values, np.uint8)
        head = content[:start].replace(f"({len(content) - start},)".encode(), f"({len(array)},)".encode())
        head = head[:8] + (len(head) - 10).to_bytes(2, "little") + head[10:]
        return head + values

    return change


def entries(kind, rank):
    return [[{"kind": kind, "reads": "normed", "rank": rank, "figures": []}]] * LAYERS


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("0.0.outer.npy", lambda content: None),
        ("0.0.outer.npy", lambda content: content[:-8]),
        ("0.0.outer.npy", lambda content: content.replace(b"(70, ", b"(99999999, ")),
        ("0.0.bias.npy", lambda content: content[:-4] + np.float32(np.nan).tobytes()),
        ("header.npy", lambda content: content[:-20]),
        ("header.npy", in_header(layers=[])),
        ("header.npy", in_header(row_format="int5")),
        ("header.npy", in_header(schema=99)),
        ("header.npy", in_header(layers=entries("oracle", 1))),
        ("header.npy", in_header(layers=entries("linear", 10**9))),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused(packed, name, change):
    store = NeuronStore(packed)
    path = store.folder / FILE_NAME
    write_candidates(path, candidates_of(packed), first_format(packed), store.fingerprint)
    rewritten(path, name, change)

    with pytest.raises(DamagedFile) as refusal:
        read_candidates(store, packed.config)
    assert refusal.value.path == str(path)


def test_no_zip_and_no_file_are_told_apart(packed, tmp_path):
    (tmp_path / "text").write_text("no zip")
    with pytest.raises(DamagedFile):
        read_candidates_file(tmp_path / "text", packed.config, "", LAYERS)
    with pytest.raises(FileMissing):
        read_candidates_file(tmp_path / "missing", packed.config, "", LAYERS)


# The study --------------------------------------------------------------------------------------------------------


def test_every_layer_has_signs_both_ranks_and_their_look_ahead(whole):
    report, candidates, packed = whole

    assert study_from_json("predictors", study_to_json(report)) == report
    assert len(report.layers) == len(report.active) == LAYERS
    assert report.layer_bytes == layer_bytes(packed) == N * first_format(packed).stride(D)
    for figures, layer in zip(report.layers, candidates, strict=True):
        assert [(c.predictor.kind, c.predictor.reads, c.predictor.rank) for c in layer] == [
            ("sign", "normed", 0), ("linear", "normed", 4), ("linear", "normed", 8), ("linear", "entering", 4),
            ("linear", "entering", 8),
        ]  # fmt: skip
        assert figures == tuple(f for c in layer for f in c.figures)


def test_points_lose_and_name_less_and_less_as_thresholds_rise(whole):
    for layer in whole[1]:
        for candidate in layer:
            figures = candidate.figures
            for a, b in itertools.pairwise(figures):
                assert a.threshold < b.threshold
                assert a.named >= b.named
                assert a.recall >= b.recall
                assert a.saved_bytes <= b.saved_bytes
            assert figures[0].recall_weighted > 0.985


def test_figures_are_of_the_stored_predictors_on_text_nobody_learned_from(whole, text, tmp_path):
    _, candidates, packed = whole
    with tiny_study(packed, spec_for(text), n_threads=1) as study:
        windows, _ = calibration_windows(
            study.model.tokenizer, study.spec, n_tokens=512, window_tokens=64, held_out=True
        )  # fmt: skip
        records = collect(
            study.model.transformer, packed, windows, range(LAYERS), ("normed", "entering"), tmp_path / "held", ignore
        )
    for record, layer in zip(records, candidates, strict=True):
        for candidate in layer:
            predictor = candidate.predictor
            assert all(
                np.array_equal(getattr(as_stored(predictor, first_format(packed)), name), getattr(predictor, name))
                for name in ("inner", "outer")
            )
            parts = [record.part(predictor.reads, slice(0, 512))]
            expected = measured(predictor, [f.threshold for f in candidate.figures], parts, packed)
            assert [f.named for f in expected] == pytest.approx([f.named for f in candidate.figures], abs=1e-3)
            assert [f.recall for f in expected] == pytest.approx([f.recall for f in candidate.figures], abs=1e-3)


def test_a_higher_rank_orders_neurons_better_and_the_sum_of_active_is_right(whole):
    report, candidates, _ = whole
    for active, layer in zip(report.active, candidates, strict=True):
        low, high = layer[1].figures[-1], layer[2].figures[-1]
        assert high.precision > low.precision
        assert high.recall * active == pytest.approx(high.precision * high.named, rel=1e-6)


def test_text_is_divided_without_overlap_and_over_all_of_it(packed, text):
    with tiny_study(packed, spec_for(text)) as study:
        texts = divided_texts(study, 4096)

    n = [part.stop - part.start for part in (texts.learned, texts.checked, texts.held_out)]
    assert n == [60 * 64, 4 * 64, 8 * 64]
    assert (texts.learned.start, texts.checked.start) == (0, texts.learned.stop)
    assert texts.held_out.start == texts.checked.stop
    assert texts.held_out.stop == sum(len(w.tokens) for w in texts.windows) == sum(c.n_tokens for c in texts.corpora)
    assert len({w.tokens for w in texts.windows}) == len(texts.windows)


@pytest.mark.parametrize("kill_at", [20, 85, 130])
def test_a_killed_study_goes_on_and_ends_the_same(whole, packed, text, monkeypatch, kill_at):
    monkeypatch.setattr(collecting, "_NOTED_TOKENS", 512)
    report, candidates, _ = whole
    with pytest.raises(Cancelled):
        taken(packed, text, KilledAt(kill_at, Cancelled))

    again = taken(packed, text)

    assert [alike(again).layers, again.active] == [alike(report).layers, report.active]
    for one, other in zip(candidates, read_candidates(NeuronStore(packed), packed.config), strict=True):
        assert all(np.array_equal(a.predictor.outer, b.predictor.outer) for a, b in zip(one, other, strict=True))


def test_layers_that_are_done_are_not_done_again(packed, text):
    progress = []

    def note(phase, done, total):
        progress.append((phase, done, total))

    taken(packed, text, note, n_tokens=1024)
    shares = [done / total for _, done, total in progress]
    assert {phase for phase, _, _ in progress} == {"train"}
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    progress.clear()
    taken(packed, text, note, n_tokens=1024)
    assert len(progress) <= 2


def test_finished_work_leaves_only_the_report_and_the_file(packed, text):
    report = run_study(spec_for(text, n_tokens=1024), packed, 1, ignore, take_predictors)

    store = NeuronStore(packed)
    assert store.read("predictors") == report
    assert store.unfinished() == ()
    assert sorted(p.name for p in store.folder.rglob("*") if p.is_file()) == ["predictors.json", FILE_NAME]


def test_without_ranks_one_rank_is_trained_and_all_are_measured(packed, text):
    report = taken(packed, text, ranks=(), n_tokens=1024)

    ranks = set(ranks_for(packed.config, first_format(packed)))
    for figures in report.layers:
        assert {f.rank for f in figures if f.reads == "normed" and f.kind == "linear"} == ranks
        (ahead,) = {f.rank for f in figures if f.reads == "entering"}
        assert ahead in ranks


def test_a_model_that_is_never_silent_is_refused(tmp_path, text):
    with pytest.raises(NothingSilent) as refusal:
        taken(packed_tiny(tmp_path, "int8", activation="silu"), text)
    assert refusal.value.feed_forward == "gated silu"


def test_too_little_text_is_refused_with_what_is_needed(packed, tmp_path):
    with pytest.raises(TextUnusable):
        taken(packed, str(write_text(tmp_path / "short.txt", 90)), n_tokens=64)


# Published predictors ---------------------------------------------------------------------------------------------


def published(folder, n_layers=LAYERS, width=D, threshold=None):
    folder.mkdir()
    rng = np.random.default_rng(0)
    for layer in range(n_layers):
        first, second = (rng.standard_normal(s).astype(np.float32) for s in ((7 + layer, width), (N, 7 + layer)))
        values = {"fc1.weight": torch.from_numpy(first), "fc2.weight": torch.from_numpy(second)}
        torch.save(values, folder / f"model_{layer}.pt")
    if threshold is not None:
        (folder / "config.json").write_text(json.dumps({"sparse_threshold": threshold}))
    return str(folder)


def test_published_predictors_read_the_stream_at_their_own_threshold_too(packed, text, tmp_path):
    folder = published(tmp_path / "published", threshold=0.75)

    report = taken(packed, text, ranks=(), n_tokens=1024, published=folder)
    candidates = read_candidates(NeuronStore(packed), packed.config)

    for layer, (figures, (signs, relu)) in enumerate(zip(report.layers, candidates, strict=True)):
        assert {(f.kind, f.reads, f.rank) for f in figures} == {("sign", "normed", 0), ("relu", "stream", 7 + layer)}
        assert 0.0 in [f.threshold for f in relu.figures]
        assert (relu.predictor.bias == -0.75).all()
        assert signs.predictor.kind == "sign"
        # Random matrices know nothing: what they name is no likelier to be active than the rest.
        assert all(abs(f.precision - report.active[layer]) < 0.15 for f in relu.figures if f.named > 0.1)


@pytest.mark.parametrize("changes", [{"n_layers": LAYERS - 1}, {"width": D + 1}])
def test_published_predictors_of_another_model_are_refused(packed, text, tmp_path, changes):
    folder = published(tmp_path / "published", **changes)

    with pytest.raises(UnsupportedModel) as refusal:
        taken(packed, text, published=folder)
    assert refusal.value.path == folder
    assert f"{LAYERS} layers of {D} to {N}" in refusal.value.supported
