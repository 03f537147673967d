"""Profiles given to others and taken from them: what several people measured of the same weights, counted together.

A file holds what was measured of texts, and never what was counted of somebody's chats.
"""

import datetime
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.errors import ProfileRefused
from engine.model.packed_model import PackedModel
from engine.neuron_reports import ProfileReport, ReportHead
from engine.neurons.profile import (
    CHATS,
    Profile,
    UseCounts,
    corpora_of,
    merge,
    profile_report,
    read_measured,
    read_profile,
    read_profile_file,
    write_profile,
    write_profile_file,
)
from engine.neurons.store import NeuronStore
from engine.neurons.study import subject_of


def save_profile(packed: PackedModel, path: Path) -> None:
    """Write what was measured of a model's weights. Raises ProfileRefused, DamagedFile, LibraryNotWritable."""
    profile = read_measured(NeuronStore(packed))
    if profile is None:
        raise ProfileRefused(str(path), "nothing_measured")
    write_profile_file(path, profile)


def add_profile(packed: PackedModel, path: Path, ember_version: str) -> ProfileReport:
    """Count a file of `save_profile` together with what is kept, and keep the report of both.

    Raises FileMissing, DamagedFile, LibraryNotWritable, or ProfileRefused: for other weights, another version, or
    counts of a kind of text that are there already, to the last neuron.
    """
    store = NeuronStore(packed)
    added, kept = read_profile_file(path, store), read_measured(store)
    added = replace(added, uses=tuple(use for use in added.uses if use.kind != CHATS))
    if kept is not None and any(_is_same(use, kept.use(use.kind)) for use in added.uses):
        raise ProfileRefused(str(path), "counted_before")
    before = store.read("profile")
    store.forget("profile")  # what it says is of another profile from here on
    write_profile(store, added if kept is None else merge(kept, added))
    together = read_profile(store) or Profile(store.fingerprint, ())
    seconds = before.head.elapsed_s if before is not None else 0.0
    created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    head = ReportHead(created, ember_version, seconds, subject_of(packed), tuple(corpora_of(together)))
    report = profile_report(head, together)
    store.write("profile", report)
    return report


def _is_same(use: UseCounts, kept: UseCounts | None) -> bool:
    return kept is not None and kept.n_tokens == use.n_tokens and np.array_equal(kept.fired, use.fired)
