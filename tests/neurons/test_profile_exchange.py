"""Profiles of the same weights are counted together; anything else is refused and changes nothing."""

import dataclasses

import numpy as np
import pytest

from engine.errors import UNREADABLE_PART, DamagedFile, FileMissing, ProfileRefused
from engine.neuron_reports import StudySpec
from engine.neurons.profile import (
    CHATS,
    FILE_VERSION,
    Profile,
    UseCounts,
    add_chat_counts,
    read_measured,
    read_profile,
    take_profile,
    write_profile,
    write_profile_file,
)
from engine.neurons.profile_exchange import add_profile, save_profile
from engine.neurons.store import NeuronStore
from engine.neurons.study import run_study
from tests.neurons.tiny_study import ignore, packed_tiny, write_text
from tests.tiny_model import TINY

SHAPE = (TINY.n_layers, TINY.n_neurons)


@pytest.fixture
def packed(tmp_path):
    return packed_tiny(tmp_path)


def counted(kind, seed, n_tokens=100):
    rng = np.random.default_rng(seed)
    return UseCounts(kind, n_tokens, rng.integers(0, n_tokens + 1, SHAPE), rng.random(SHAPE))


def profile_of(packed, *uses):
    return Profile(NeuronStore(packed).fingerprint, uses)


def test_what_two_people_measured_is_counted_together(packed, tmp_path):
    own, other = counted("prose", 1), counted("prose", 2, 300)
    write_profile(NeuronStore(packed), profile_of(packed, own))
    write_profile_file(tmp_path / "theirs.npz", profile_of(packed, other, counted("code", 3)))
    report = add_profile(packed, tmp_path / "theirs.npz", "1.0")
    together = read_measured(NeuronStore(packed))
    assert [(use.kind, use.n_tokens) for use in together.uses] == [("prose", 400), ("code", 100)]
    assert np.array_equal(together.use("prose").fired, own.fired + other.fired)
    assert np.allclose(together.use("prose").contribution, own.contribution + other.contribution)
    assert report == NeuronStore(packed).read("profile")
    assert [(use.kind, use.n_tokens) for use in report.uses] == [("prose", 400), ("code", 100)]
    assert report.head.n_tokens == 500


def test_what_is_saved_is_read_back_where_nothing_was_measured(packed, tmp_path):
    text = write_text(tmp_path / "text.txt")
    run_study(StudySpec("profile", paths=(str(text),), n_tokens=256), packed, 1, ignore, take_profile)
    save_profile(packed, tmp_path / "mine.npz")
    measured = NeuronStore(packed).read("profile")
    (NeuronStore(packed).folder / "profile.npz").unlink()
    NeuronStore(packed).forget("profile")
    again = add_profile(packed, tmp_path / "mine.npz", "1.0")
    assert (again.uses, again.overlaps) == (measured.uses, measured.overlaps)


def test_chats_are_neither_given_away_nor_taken_in(packed, tmp_path):
    store = NeuronStore(packed)
    add_chat_counts(store, counted(CHATS, 1).fired, 100)
    with pytest.raises(ProfileRefused) as nothing:
        save_profile(packed, tmp_path / "mine.npz")
    assert nothing.value.reason == "nothing_measured"
    write_profile(store, profile_of(packed, counted("prose", 2)))
    save_profile(packed, tmp_path / "mine.npz")
    assert b"chats" not in (tmp_path / "mine.npz").read_bytes()
    write_profile_file(tmp_path / "theirs.npz", profile_of(packed, counted("code", 4), counted(CHATS, 3)))
    add_profile(packed, tmp_path / "theirs.npz", "1.0")
    assert read_profile(store).use(CHATS).n_tokens == 100


def test_the_same_counts_are_not_counted_twice(packed, tmp_path):
    write_profile(NeuronStore(packed), profile_of(packed, counted("prose", 1), counted("code", 2)))
    save_profile(packed, tmp_path / "mine.npz")
    with pytest.raises(ProfileRefused) as refused:
        add_profile(packed, tmp_path / "mine.npz", "1.0")
    assert refused.value.reason == "counted_before"
    assert [use.n_tokens for use in read_measured(NeuronStore(packed)).uses] == [100, 100]


def test_other_weights_other_versions_and_broken_files_change_nothing(packed, tmp_path, monkeypatch):
    kept = profile_of(packed, counted("prose", 1))
    write_profile(NeuronStore(packed), kept)
    theirs = tmp_path / "theirs.npz"
    write_profile_file(theirs, dataclasses.replace(kept, of="of others"))
    with pytest.raises(ProfileRefused) as refused:
        add_profile(packed, theirs, "1.0")
    assert refused.value.reason == "other_weights"
    monkeypatch.setattr("engine.neurons.profile.FILE_VERSION", FILE_VERSION + 1)
    write_profile_file(theirs, kept)
    monkeypatch.undo()
    with pytest.raises(ProfileRefused) as refused:
        add_profile(packed, theirs, "1.0")
    assert refused.value.reason == "other_version"
    theirs.write_bytes(theirs.read_bytes()[:-300])
    with pytest.raises(DamagedFile):
        add_profile(packed, theirs, "1.0")
    with pytest.raises(FileMissing):
        add_profile(packed, tmp_path / "nowhere.npz", "1.0")
    assert np.array_equal(read_measured(NeuronStore(packed)).use("prose").fired, kept.use("prose").fired)


def overwritten(path, at=None):
    """Sixty-four bytes in the middle of a file become others."""
    content = bytearray(path.read_bytes())
    at = len(content) // 2 if at is None else at
    content[at : at + 64] = bytes(b ^ 0x5A for b in content[at : at + 64])
    path.write_bytes(content)


def test_a_damaged_profile_is_told_without_a_librarys_words(packed, tmp_path):
    store = NeuronStore(packed)
    write_profile(store, profile_of(packed, counted("prose", 1)))
    overwritten(store.folder / "profile.npz")
    with pytest.raises(DamagedFile) as caught:
        save_profile(packed, tmp_path / "mine.npz")
    assert caught.value.what == UNREADABLE_PART
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("how", ["emptied", "overwritten", "not utf-8"])
def test_damaged_reports_keep_nobody_from_the_others(packed, tmp_path, how):
    store = NeuronStore(packed)
    write_profile_file(tmp_path / "theirs.npz", profile_of(packed, counted("code", 3)))
    report = add_profile(packed, tmp_path / "theirs.npz", "1.0")
    for study in ("census", "oracle"):
        path = store.folder / f"{study}.json"
        path.write_bytes((store.folder / "profile.json").read_bytes())
        if how == "overwritten":
            overwritten(path)
        else:
            path.write_bytes(b"" if how == "emptied" else b"\xff\xfe{")
    kept = store.survey()
    assert kept.reports == (("profile", report),)
    assert kept.damaged == ("census", "oracle")
    assert kept.stale == ()
    assert store.read("profile") == report
    with pytest.raises(DamagedFile):
        store.read("census")
