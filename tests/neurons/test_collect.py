"""What is collected is what the layers saw and did, whole after a kill, and no larger than the disk allows."""

import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Cancelled, OutOfDisk
from engine.kernels.formats import FORMATS
from engine.neuron_reports import StudySpec
from engine.neurons import collect as collecting
from engine.neurons.calibration import TextWindow
from engine.neurons.collect import (
    collect,
    down_norms,
    groups_of_layers,
    importance_codes,
    importance_of_codes,
    token_bytes,
)
from tests.neurons.tiny_study import ignore, packed_tiny, tiny_study
from tests.tiny_model import TINY

READS = ("normed", "stream", "entering")
LAYERS = range(1, 3)


def windows_of(seed, n=6, size=20):
    rng = np.random.default_rng(seed)
    return tuple(TextWindow("own", tuple(rng.integers(0, 300, size).tolist())) for _ in range(n))


class Watcher:
    def __init__(self):
        self.views = {}

    def attended(self, layer, heads):
        pass

    def neurons(self, layer, view):
        for name in (*READS, "product"):
            self.views.setdefault((layer, name), []).append(getattr(view, name).copy())

    def all(self, layer, name):
        return np.concatenate(self.views[layer, name])


@pytest.fixture
def study(tmp_path):
    with tiny_study(packed_tiny(tmp_path), StudySpec("predictors")) as made:
        yield made


def collected(study, windows, folder, on_window=ignore, layers=LAYERS):
    return collect(study.model.transformer, study.packed, windows, layers, READS, folder, on_window)


def contents(records):
    return [(r.layer, {name: np.array(a) for name, a in r.inputs.items()}, np.array(r.codes)) for r in records]


@given(st.lists(st.floats(0, 2.0**100, width=32), min_size=1, max_size=50))
def test_codes_tell_zero_from_all_else_and_are_within_six_percent(values):
    importance = np.asarray(values, np.float32)

    codes = importance_codes(importance)
    decoded = importance_of_codes()[codes]

    assert np.array_equal(codes == 0, importance == 0)
    held = (importance > 2.0**-20) & (importance < 2.0**11.8)
    np.testing.assert_allclose(decoded[held], importance[held], rtol=1 / 16)
    order = np.argsort(importance)
    assert (np.diff(decoded[order]) >= 0).all()


def test_records_are_what_the_layers_saw_and_did(study, tmp_path):
    windows, watcher = windows_of(0), Watcher()
    for window in windows:
        study.model.transformer.observe(window.tokens, watcher)
    records = collected(study, windows, tmp_path / "work")

    assert [r.layer for r in records] == list(LAYERS)
    tensors = study.packed.map()
    for record in records:
        lengths = np.linalg.norm(FORMATS["f32"].unpack(tensors[f"layers.{record.layer}.down"], TINY.width), axis=1)
        np.testing.assert_allclose(down_norms(study.packed, record.layer), lengths, rtol=1e-6)
        product = watcher.all(record.layer, "product")
        for reads in READS:
            x, importance = record.part(reads, slice(0, len(product)))
            np.testing.assert_allclose(x, watcher.all(record.layer, reads), rtol=1e-3, atol=1e-6)
            assert np.array_equal(importance > 0, product != 0)
            np.testing.assert_allclose(importance, np.abs(product) * lengths, rtol=1 / 16, atol=2.0**-20)
    assert 0.2 < (product != 0).mean() < 0.8


@pytest.mark.parametrize("kill_at", [0, 1, 3, 5])
def test_a_killed_collection_goes_on_and_ends_the_same(study, tmp_path, monkeypatch, kill_at):
    monkeypatch.setattr(collecting, "_NOTED_TOKENS", 40)
    windows, told = windows_of(1), []
    whole = contents(collected(study, windows, tmp_path / "whole"))

    def kill(done):
        if done == kill_at:
            raise Cancelled

    with pytest.raises(Cancelled):
        collected(study, windows, tmp_path / "work", kill)
    for path in (tmp_path / "work").glob("*.codes"):  # a write that was torn
        with path.open("ab") as file:
            file.write(b"torn")
    again = contents(collected(study, windows, tmp_path / "work", told.append))

    assert told == list(range(kill_at // 2 * 2, len(windows) + 1))
    for (layer, inputs, codes), (other_layer, other_inputs, other_codes) in zip(whole, again, strict=True):
        assert layer == other_layer
        assert np.array_equal(codes, other_codes)
        assert all(np.array_equal(inputs[name], other_inputs[name]) for name in READS)


def test_a_collection_of_other_text_or_layers_is_not_gone_on_with(study, tmp_path):
    told = []
    collected(study, windows_of(2), tmp_path / "work")
    collected(study, windows_of(2), tmp_path / "work", told.append)
    assert told == [6]

    collected(study, windows_of(3), tmp_path / "work", told.append)
    collected(study, windows_of(3), tmp_path / "work", told.append, layers=range(1))

    assert told == [6, *range(7), *range(7)]


def test_a_file_that_was_cut_short_is_collected_anew(study, tmp_path):
    told = []
    whole = contents(collected(study, windows_of(4), tmp_path / "work"))
    path = tmp_path / "work" / "001.codes"
    path.write_bytes(path.read_bytes()[:-1])

    again = contents(collected(study, windows_of(4), tmp_path / "work", told.append))

    assert told == list(range(7))
    assert np.array_equal(whole[0][2], again[0][2])


def with_free(monkeypatch, n_bytes):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=n_bytes))


def test_groups_fit_half_of_the_free_disk_and_hold_every_layer_once(tmp_path, monkeypatch):
    n_tokens = 1 << 20
    one = token_bytes(TINY, READS) * n_tokens
    for free, n_groups in ((10 * one, 1), (5 * one, 2), (3 * one, 3)):
        with_free(monkeypatch, free)
        groups = groups_of_layers(TINY, READS, n_tokens, tmp_path / "missing" / "folder")

        assert [layer for group in groups for layer in group] == list(range(TINY.n_layers))
        assert len(groups) == n_groups
        assert max(len(group) for group in groups) * one <= free / 2


def test_a_disk_that_cannot_hold_one_layer_is_told_before_anything_runs(study, tmp_path, monkeypatch):
    with_free(monkeypatch, 1 << 20)

    with pytest.raises(OutOfDisk) as refusal:
        groups_of_layers(TINY, READS, 1 << 20, tmp_path)
    assert refusal.value.needed_bytes > token_bytes(TINY, READS) << 20
    assert refusal.value.available_bytes == 1 << 20
    with pytest.raises(OutOfDisk):
        collected(study, windows_of(5), tmp_path / "work")
