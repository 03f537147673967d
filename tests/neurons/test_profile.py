"""A profile is what a slow count finds; kinds are kept apart, merged and mixed by their tokens; files are whole."""

import dataclasses

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import DamagedFile, InvalidRequest, TextUnusable, UnsupportedModel
from engine.neuron_reports import COVERED, KINDS, OWN, StudySpec, study_from_json, study_to_json
from engine.neurons.calibration import BUNDLED, calibration_windows
from engine.neurons.profile import (
    CHATS,
    Profile,
    UseCounts,
    add_chat_counts,
    coverage_of,
    forget_chat_counts,
    merge,
    mixed_rates,
    published_importance,
    read_profile,
    take_profile,
    write_profile,
)
from engine.neurons.store import NeuronStore
from engine.neurons.study import run_study
from tests.neurons.tiny_study import ignore, packed_tiny, tiny_study, write_text
from tests.neurons.watching import record, slowly_active
from tests.tiny_model import TINY

LAYERS, N = TINY.n_layers, TINY.n_neurons


@pytest.fixture
def packed(tmp_path):
    return packed_tiny(tmp_path)


@pytest.fixture
def store(packed):
    return NeuronStore(packed)


def counts(seed=0, n_tokens=100):
    return np.random.default_rng(seed).integers(0, n_tokens + 1, (LAYERS, N))


def use(kind, seed=0, n_tokens=100, has_contribution=True):
    contribution = np.random.default_rng(seed).random((LAYERS, N)) if has_contribution else None
    return UseCounts(kind, n_tokens, counts(seed, n_tokens), contribution)


def own_spec(tmp_path, **changes):
    return StudySpec("profile", paths=(str(write_text(tmp_path / "text.txt")),), **({"n_tokens": 4 * 64} | changes))


def same(one, other):
    return (
        (one.kind, one.n_tokens) == (other.kind, other.n_tokens)
        and np.array_equal(one.fired, other.fired)
        and (one.contribution is None) == (other.contribution is None)
        and (one.contribution is None or np.array_equal(one.contribution, other.contribution))
    )


def write_counts(folder, layers=LAYERS, n=N):
    folder.mkdir()
    for layer in range(layers):
        torch.save(torch.arange(layer, layer + n), folder / f"activation_{layer}.pt")
    return folder


# Measuring --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [{"activation": "relu"}, {"activation": "silu"}, {"activation": "drelu"}, {"is_gated": False},
     {"residual": "parallel"}, {"has_ffn_bias": True}],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("weight_format", ["f32", "int8"])
def test_a_profile_is_what_a_slow_count_finds(tmp_path, changes, weight_format):
    packed, spec = packed_tiny(tmp_path, weight_format, **changes), own_spec(tmp_path, kinds=("code",), n_tokens=6 * 64)
    with tiny_study(packed, spec) as study:
        report = take_profile(study)
        windows, corpora = calibration_windows(
            study.model.tokenizer, spec, n_tokens=6 * 64, window_tokens=64, held_out=False
        )
        profile = read_profile(study.store)
        assert [u.kind for u in profile.uses] == [u.kind for u in report.uses] == ["code", OWN]
        assert report.head.corpora == corpora
        for found, said in zip(profile.uses, report.uses, strict=True):
            seen = record(study.model.transformer, [w for w in windows if w.kind == found.kind])
            assert found.n_tokens == said.n_tokens == 3 * 64
            for layer in range(LAYERS):
                product = np.concatenate(seen.product[layer])
                rows = packed.map()[f"layers.{layer}.down"]
                norms = np.linalg.norm(packed.parts.of("down").unpack(rows, packed.config.width), axis=1)[:N]
                active = slowly_active(product, packed.config.is_sparse)

                assert np.abs(found.fired[layer] - active.sum(axis=0)).max() <= (0 if packed.config.is_sparse else 1)
                np.testing.assert_allclose(
                    found.contribution[layer], np.abs(product.astype(np.float64)).sum(axis=0) * norms, rtol=1e-5
                )
                carried = np.cumsum(np.sort(found.fired[layer])[::-1]) / found.fired[layer].sum()
                assert said.active[layer] == pytest.approx(active.mean(), abs=1e-3)
                assert said.covering[layer] == pytest.approx(
                    [(np.argmax(carried >= share - 1e-12) + 1) / N for share in COVERED]
                )


def test_a_file_that_is_no_text_is_refused_before_the_model_is_read(tmp_path, packed, monkeypatch):
    monkeypatch.setattr("engine.neurons.study.load_model", None)
    path = tmp_path / "latin.txt"
    path.write_bytes("Größe".encode("latin-1") * 100)

    with pytest.raises(TextUnusable) as raised:
        run_study(StudySpec("profile", paths=(str(path),)), packed, 2, ignore, take_profile)

    assert (raised.value.path, raised.value.reason) == (str(path), "not_utf8")


def test_all_bundled_kinds_are_profiled_and_compared(packed):
    report = run_study(StudySpec("profile", n_tokens=256), packed, 2, ignore, take_profile)

    assert [u.kind for u in report.uses] == list(KINDS)
    assert [(c.kind, c.name, c.licence, c.n_tokens) for c in report.head.corpora] == [
        (kind, *BUNDLED[kind], 64) for kind in KINDS
    ]
    assert len(report.overlaps) == 6
    for overlap in report.overlaps:
        assert len(overlap.jaccard) == LAYERS
        assert all(0 < share < 1 for share in overlap.jaccard)
    assert study_from_json("profile", study_to_json(report)) == report


def test_a_study_renews_its_kinds_and_leaves_the_others(tmp_path, packed, store):
    before = Profile(store.fingerprint, (use("prose", 1), use(OWN, 2)), np.random.default_rng(0).random((LAYERS, N)))
    write_profile(store, before)

    report = run_study(own_spec(tmp_path), packed, 2, ignore, take_profile)

    profile = read_profile(store)
    assert [u.kind for u in profile.uses] == [u.kind for u in report.uses] == ["prose", OWN]
    assert same(profile.uses[0], before.uses[0])
    assert profile.uses[1].n_tokens == 256
    assert np.array_equal(profile.importance, before.importance)
    assert report.importance
    assert [(o.kind, o.other) for o in report.overlaps] == [("prose", OWN)]


@pytest.mark.parametrize("old", ["damaged", "other weights"])
def test_a_profile_that_is_of_no_use_is_replaced(tmp_path, packed, store, old):
    write_profile(store, Profile("other", (use("prose"),)))
    if old == "damaged":
        (store.folder / "profile.npz").write_bytes(b"PK no profile")

    run_study(own_spec(tmp_path), packed, 2, ignore, take_profile)

    assert [u.kind for u in read_profile(store).uses] == [OWN]


# Published counts -------------------------------------------------------------------------------------------------


def test_published_counts_order_neurons_and_are_no_rates(tmp_path, packed, store):
    plain = run_study(own_spec(tmp_path), packed, 2, ignore, take_profile)
    rates = mixed_rates(read_profile(store), {OWN: 1})
    folder = write_counts(tmp_path / "counts")

    report = run_study(own_spec(tmp_path, counts=str(folder)), packed, 2, ignore, take_profile)

    profile = read_profile(store)
    assert (plain.importance, report.importance) == (False, True)
    assert report.uses == plain.uses
    assert np.array_equal(mixed_rates(profile, {OWN: 1}), rates)
    np.testing.assert_allclose(profile.importance.sum(axis=1), 1)
    assert np.array_equal(np.argsort(profile.importance[1]), np.arange(N))


def test_counts_of_another_model_are_refused(tmp_path):
    with pytest.raises(UnsupportedModel):
        published_importance(write_counts(tmp_path / "few layers", layers=2), TINY)
    with pytest.raises(UnsupportedModel):
        published_importance(write_counts(tmp_path / "wide", n=N + 1), TINY)


def test_a_layer_without_published_counts_has_no_importance(tmp_path):
    folder = write_counts(tmp_path / "counts")
    torch.save(torch.zeros(N, dtype=torch.int64), folder / "activation_1.pt")

    assert not published_importance(folder, TINY)[1].any()


# Merging and mixing -----------------------------------------------------------------------------------------------


def test_merging_adds_what_is_of_the_same_kind():
    one = Profile("w", (use("prose", 1), use("code", 2)), None)
    other = Profile("w", (use("code", 3), use(OWN, 4), use(CHATS, 5, has_contribution=False)), np.ones((LAYERS, N)))

    both = merge(one, other)

    assert [u.kind for u in both.uses] == ["prose", "code", OWN, CHATS]
    assert both.use("code").n_tokens == 200
    assert np.array_equal(both.use("code").fired, one.uses[1].fired + other.uses[0].fired)
    assert np.array_equal(both.use("code").contribution, one.uses[1].contribution + other.uses[0].contribution)
    assert same(both.use("prose"), one.uses[0])
    assert np.array_equal(both.importance, other.importance)
    assert np.array_equal(merge(other, one).use("code").fired, both.use("code").fired)


def test_a_merged_contribution_is_of_all_that_was_counted():
    both = merge(Profile("w", (use(OWN),)), Profile("w", (use(OWN, has_contribution=False),)))

    assert both.uses[0].contribution is None


def test_profiles_of_other_weights_or_shapes_are_not_merged():
    one = Profile("w", (use("prose"),))
    small = UseCounts("prose", 5, np.zeros((2, 3), np.int64))

    for other in (Profile("v", (use("prose"),)), Profile("w", (small,))):
        with pytest.raises(InvalidRequest):
            merge(one, other)


@given(st.dictionaries(st.sampled_from(["prose", "code", OWN]), st.floats(0.01, 100), min_size=1))
def test_mixed_rates_are_the_weighted_mean_of_the_kinds(mix):
    profile = Profile("w", (use("prose", 1), use("code", 2, 1000), use(OWN, 3, 7)))
    rates, total = mixed_rates(profile, mix), sum(mix.values())
    curves = coverage_of(profile, mix)

    expected = sum(w / total * profile.use(kind).fired / profile.use(kind).n_tokens for kind, w in mix.items())
    np.testing.assert_allclose(rates, expected)
    assert ((rates >= 0) & (rates <= 1 + 1e-12)).all()
    assert len(curves) == LAYERS
    assert all(curve[0] == 0 and curve[-1] == pytest.approx(1) for curve in curves)


def test_kinds_that_were_not_counted_do_not_count_in_a_mix():
    profile = Profile("w", (use("prose", 1), UseCounts(CHATS, 0, np.zeros((LAYERS, N), np.int64))))

    mixed = mixed_rates(profile, {"prose": 1, "code": 5, CHATS: 3})

    np.testing.assert_allclose(mixed, profile.uses[0].fired / 100)
    for mix in ({}, {"code": 1}, {CHATS: 1}, {"prose": 0}, {"prose": 2, "code": -1}):
        with pytest.raises(InvalidRequest):
            mixed_rates(profile, mix)


# The user's chats -------------------------------------------------------------------------------------------------


def test_chats_add_up_and_can_be_forgotten(tmp_path, packed, store):
    assert read_profile(store) is None
    add_chat_counts(store, counts(1, 9), 9)
    add_chat_counts(store, counts(2, 30), 30)
    add_chat_counts(store, np.zeros((LAYERS, N), np.int64), 0)

    found = read_profile(store)

    assert [(u.kind, u.n_tokens, u.contribution) for u in found.uses] == [(CHATS, 39, None)]
    assert np.array_equal(found.uses[0].fired, counts(1, 9) + counts(2, 30))
    report = run_study(own_spec(tmp_path), packed, 2, ignore, take_profile)
    assert report.chat_tokens == 39
    assert [u.kind for u in report.uses] == [OWN, CHATS]
    assert [c.kind for c in report.head.corpora] == [OWN]
    forget_chat_counts(store)
    forget_chat_counts(store)
    assert [u.kind for u in read_profile(store).uses] == [OWN]


def test_chats_of_other_weights_or_in_a_damaged_file_are_begun_anew(tmp_path, store):
    add_chat_counts(store, counts(1, 9), 9)
    (store.folder / "chats.npz").write_bytes(b"no zip")
    add_chat_counts(store, counts(2, 30), 30)
    assert read_profile(store).uses[0].n_tokens == 30

    other = NeuronStore(packed_tiny(tmp_path, seed=1))
    other.folder.mkdir(parents=True)
    (other.folder / "chats.npz").write_bytes((store.folder / "chats.npz").read_bytes())
    assert read_profile(other) is None
    add_chat_counts(other, counts(3, 4), 4)
    assert read_profile(other).uses[0].n_tokens == 4


@pytest.mark.parametrize("wrong", ["layers", "neurons", "below zero", "more than tokens"])
def test_counts_that_cannot_be_are_refused(store, wrong):
    bad = {
        "layers": counts()[:2], "neurons": counts()[:, :9], "below zero": counts() - 200,
        "more than tokens": counts() + 101,
    }[wrong]  # fmt: skip

    with pytest.raises(InvalidRequest):
        add_chat_counts(store, bad, 100)
    assert read_profile(store) is None


# The file ---------------------------------------------------------------------------------------------------------


def test_a_profile_comes_back_from_its_file_without_the_chats(store):
    written = Profile(store.fingerprint, (use("chinese", 1), use(OWN, 2), use(CHATS, 3)), np.ones((LAYERS, N)))
    write_profile(store, written)

    found = read_profile(store)

    assert [u.kind for u in found.uses] == ["chinese", OWN]
    assert all(same(one, other) for one, other in zip(found.uses, written.uses, strict=False))
    assert np.array_equal(found.importance, written.importance)


def test_a_profile_of_other_weights_is_none(store):
    write_profile(store, Profile("other", (use("prose"),)))

    assert read_profile(store) is None


def broken(profile):
    one = profile.uses[0]
    change = dataclasses.replace
    return {
        "shape": change(one, fired=one.fired[:, :5]),
        "floats": change(one, fired=one.fired.astype(np.float64)),
        "below zero": change(one, fired=one.fired - 200),
        "too many": change(one, n_tokens=3),
        "no number": change(one, n_tokens="many"),
        "contribution": change(one, contribution=one.contribution * np.nan),
        "kind": change(one, kind="verse"),
    }


@pytest.mark.parametrize("way", [*broken(Profile("", (use("prose"),))), "short", "flipped", "twice", "large"])
def test_a_damaged_profile_is_refused_and_names_the_file(store, way):
    whole = Profile(store.fingerprint, (use("prose"),), np.ones((LAYERS, N)))
    path = store.folder / "profile.npz"
    write_profile(store, dataclasses.replace(whole, uses=(broken(whole)[way],)) if way in broken(whole) else whole)
    content = path.read_bytes()
    match way:
        case "short":
            path.write_bytes(content[:-50])
        case "flipped":
            path.write_bytes(content[:2000] + bytes([content[2000] ^ 255]) + content[2001:])
        case "twice":
            path.write_bytes(content.replace(b'[["prose", 100]]', b'[["verse", 100]]'))
        case "large":
            path.write_bytes(content + bytes(4 << 20))

    with pytest.raises(DamagedFile) as raised:
        read_profile(store)
    assert raised.value.path == str(path)
