"""The profile: how often each neuron fires, and how much it contributes, for each kind of text.

Owns the study that measures it, its file, and what is read from it: firing rates of a mix of kinds, hot sets, and the
counts of the user's own chats, which lie in a file of their own because they grow with every answer. Published counts
are kept as *importance*, an order of the neurons, and never as rates: see `predictor_files.py`.

A profile belongs to one packing of one model. A study replaces the kinds of text it ran on and leaves the others.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import (
    UNREADABLE_PART,
    DamagedFile,
    FileMissing,
    InvalidRequest,
    LibraryNotWritable,
    ProfileRefused,
    UnsupportedModel,
)
from engine.kernels.formats import Float32, Int64
from engine.model.array_file import Arrays, read_arrays, write_arrays
from engine.model.config import ModelConfig
from engine.model.predictor_files import read_importance
from engine.neuron_reports import (
    COVERED,
    KINDS,
    OWN,
    SCHEMA_VERSION,
    Corpus,
    Overlap,
    ProfileReport,
    ReportHead,
    UseProfile,
)
from engine.neurons.activity import active_neurons, coverage_curve, covering_share, hot_set, jaccard
from engine.neurons.calibration import calibration_windows, corpus_of
from engine.neurons.collect import down_norms
from engine.neurons.store import NeuronStore
from engine.neurons.study import WINDOW_TOKENS, Study
from engine.neurons.sums import WindowJob, add_up
from engine.runtime.prefill import LayerView

FILE_VERSION = 1
DEFAULT_TOKENS = 32_768
# The kind of the user's own chats; all kinds in the order in which they are kept and shown.
CHATS = "chats"
USES = (*KINDS, OWN, CHATS)

Float64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class UseCounts:
    """What n_tokens of one kind of text (of USES) activated.

    fired         (L, n) tokens at which a neuron was active
    contribution  (L, n) the sum of |product| · ‖down row‖ over all tokens; None where only firing was counted
    """

    kind: str
    n_tokens: int
    fired: Int64
    contribution: Float64 | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """The profile of the weights with fingerprint `of`.

    uses        at most one of each kind, in the order of USES, all of one shape
    importance  (L, n) published counts as shares of their layer's, an order and no rates; None where none were read
    """

    of: str
    uses: tuple[UseCounts, ...]
    importance: Float64 | None = None

    def use(self, kind: str) -> UseCounts | None:
        return next((use for use in self.uses if use.kind == kind), None)


# The study --------------------------------------------------------------------------------------------------------


def take_profile(study: Study) -> ProfileReport:
    """Measure, and keep beside what the profile has of other kinds.

    Raises Cancelled, TextUnusable (too little text), FileMissing or DamagedFile (of it, or of the published counts),
    ForeignFile or UnsupportedModel (of the counts), LibraryNotWritable.
    """
    config, packed, store = study.packed.config, study.packed, study.store
    importance = published_importance(Path(study.spec.counts), config) if study.spec.counts else None
    windows, _ = calibration_windows(
        study.model.tokenizer, study.spec, n_tokens=study.spec.n_tokens or DEFAULT_TOKENS,
        window_tokens=min(WINDOW_TOKENS, config.context_tokens), held_out=False,
    )  # fmt: skip
    kinds = [kind for kind in USES if any(window.kind == kind for window in windows)]
    shape = (len(kinds), config.n_layers, config.n_neurons)
    sums: Arrays = {"fired": np.zeros(shape, np.int64), "products": np.zeros(shape)}
    taps = {
        kind: ProfileTap(config.is_sparse, sums["fired"][number], sums["products"][number])
        for number, kind in enumerate(kinds)
    }
    add_up(study, [WindowJob(window, taps[window.kind]) for window in windows], sums, kinds)
    norms = np.stack([down_norms(packed, layer) for layer in range(config.n_layers)])
    measured = tuple(
        UseCounts(
            kind, sum(len(w.tokens) for w in windows if w.kind == kind), sums["fired"][number],
            sums["products"][number] * norms,
        )
        for number, kind in enumerate(kinds)
    )  # fmt: skip
    profile = _renewed(store, Profile(store.fingerprint, measured, importance))
    store.forget("profile")  # what it says is of another profile from here on
    write_profile(store, profile)
    profile = _with_chats(store, profile)
    return profile_report(study.head(corpora_of(profile)), profile)


@dataclass(frozen=True, slots=True)
class ProfileTap:
    """Adds what one kind of text activates: fired (L, n), and products (L, n) the sums of |product|."""

    is_sparse: bool
    fired: Int64
    products: Float64

    def attended(self, layer: int, heads: Float32) -> None:
        """Heads are no part of a profile."""

    def neurons(self, layer: int, view: LayerView) -> None:
        self.fired[layer] += np.count_nonzero(active_neurons(view.product, self.is_sparse), axis=0)
        self.products[layer] += np.abs(view.product).sum(axis=0, dtype=np.float64)


def corpora_of(profile: Profile) -> list[Corpus]:
    """The text behind a profile; the user's chats are counted apart."""
    return [corpus_of(use.kind, use.n_tokens) for use in profile.uses if use.kind != CHATS]


def profile_report(head: ReportHead, profile: Profile) -> ProfileReport:
    """What there is to say of a profile."""
    uses = tuple(_use_profile(use) for use in profile.uses)
    hot = [[hot_set(layer) for layer in use.fired] for use in profile.uses]
    overlaps = tuple(
        Overlap(profile.uses[i].kind, profile.uses[j].kind, tuple(map(jaccard, hot[i], hot[j])))
        for i, j in itertools.combinations(range(len(hot)), 2)
    )
    chats = profile.use(CHATS)
    return ProfileReport(
        SCHEMA_VERSION, head, uses, overlaps, profile.importance is not None,
        chats.n_tokens if chats else 0,
    )  # fmt: skip


def published_importance(folder: Path, config: ModelConfig) -> Float64:
    """(L, n): published counts as shares of their layer's sum; zeros where a layer has none.

    Raises FileMissing, ForeignFile, DamagedFile, or UnsupportedModel where they are of another model's shape.
    """
    counts = read_importance(folder)
    found, expected = (len(counts), len(counts[0])), (config.n_layers, config.n_neurons)
    if found != expected:
        raise UnsupportedModel(
            str(folder), "neuron counts", "{} layers of {}".format(*found), "{} of {}".format(*expected)
        )
    values = np.stack(counts).astype(np.float64)
    return np.asarray(values / np.maximum(values.sum(axis=1, keepdims=True), 1))


# What is read from a profile --------------------------------------------------------------------------------------


def mixed_rates(profile: Profile, mix: Mapping[str, float]) -> Float64:
    """(L, n): share of tokens at which each neuron fires in text mixed of kinds by weight; weights need not sum to 1.

    Kinds the profile does not have are left out. Raises InvalidRequest where nothing is left, or a weight is below 0.
    """
    parts = [(weight, use) for kind, weight in mix.items() if (use := profile.use(kind)) and use.n_tokens]
    total = sum(weight for weight, _ in parts)
    if min(mix.values(), default=0.0) < 0 or total <= 0:
        raise InvalidRequest(
            "mix", str(dict(mix)), "weights above 0 for " + ", ".join(use.kind for use in profile.uses)
        )
    return np.asarray(sum(weight / total / use.n_tokens * use.fired for weight, use in parts))


def coverage_of(profile: Profile, mix: Mapping[str, float]) -> tuple[tuple[float, ...], ...]:
    """By layer, the activity of a mix of kinds that the most active 0, 5, 10 … 100 % carry. As `mixed_rates`."""
    return tuple(coverage_curve(layer) for layer in mixed_rates(profile, mix))


def merge(one: Profile, other: Profile) -> Profile:
    """Both counted together: counts of the same kind are added; importance is one's, or else the other's.

    A contribution is kept where all of a kind's counts have one. Raises InvalidRequest for other weights or shapes.
    """
    shapes = {use.fired.shape for use in (*one.uses, *other.uses)}
    if one.of != other.of or len(shapes) > 1:
        raise InvalidRequest("profile", f"{other.of} {sorted(shapes)}", f"the same weights as {one.of}")
    by_kind = {use.kind: use for use in one.uses}
    for use in other.uses:
        by_kind[use.kind] = _added(by_kind[use.kind], use) if use.kind in by_kind else use
    importance = other.importance if one.importance is None else one.importance
    return Profile(one.of, _in_order(by_kind), importance)


def _added(one: UseCounts, other: UseCounts) -> UseCounts:
    contribution = None
    if one.contribution is not None and other.contribution is not None:
        contribution = one.contribution + other.contribution
    return UseCounts(one.kind, one.n_tokens + other.n_tokens, one.fired + other.fired, contribution)


def _in_order(by_kind: Mapping[str, UseCounts]) -> tuple[UseCounts, ...]:
    return tuple(by_kind[kind] for kind in USES if kind in by_kind)


def _use_profile(use: UseCounts) -> UseProfile:
    layers, n = use.fired.shape
    active = tuple((use.fired.sum(axis=1) / (use.n_tokens * n)).tolist()) if use.n_tokens else (0.0,) * layers
    covering = tuple(tuple(covering_share(layer, share) for share in COVERED) for layer in use.fired)
    return UseProfile(use.kind, use.n_tokens, active, covering)


# The files --------------------------------------------------------------------------------------------------------


def read_profile(store: NeuronStore) -> Profile | None:
    """The profile of these weights with the user's chats; None where there is neither. Raises DamagedFile."""
    profile = _read(store, _path(store)) or Profile(store.fingerprint, ())
    profile = _with_chats(store, profile)
    return profile if profile.uses or profile.importance is not None else None


def read_measured(store: NeuronStore) -> Profile | None:
    """The profile of these weights without the user's chats; None where none was measured. Raises DamagedFile."""
    return _read(store, _path(store))


def write_profile(store: NeuronStore, profile: Profile) -> None:
    """Keep a profile, without its chats, which have their own file. Raises LibraryNotWritable."""
    write_profile_file(_path(store), replace(profile, uses=tuple(use for use in profile.uses if use.kind != CHATS)))


def add_chat_counts(store: NeuronStore, counts: Int64, n_tokens: int) -> None:
    """Add what n_tokens of the user's chats activated, counts (L, n), to what is kept of them.

    A file of them that is damaged or of other weights is begun anew. Raises InvalidRequest for counts of another shape
    or below 0, LibraryNotWritable.
    """
    if counts.shape != store.shape or n_tokens < 0 or (counts < 0).any() or (counts > n_tokens).any():
        raise InvalidRequest("counts", f"{counts.shape} of {n_tokens} tokens", f"{store.shape}, 0 to {n_tokens}")
    if n_tokens:
        added = Profile(store.fingerprint, (UseCounts(CHATS, n_tokens, counts.astype(np.int64)),))
        kept = _read_or_none(store, _chats_path(store))
        write_profile_file(_chats_path(store), merge(kept, added) if kept else added)


def counted_chat_tokens(store: NeuronStore) -> int:
    """Tokens of the user's chats that were counted for these weights."""
    kept = _read_or_none(store, _chats_path(store))
    return sum(use.n_tokens for use in kept.uses) if kept else 0


def forget_chat_counts(store: NeuronStore) -> None:
    """Delete what is kept of the user's chats. Raises LibraryNotWritable."""
    path = _chats_path(store)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise LibraryNotWritable(str(path), error.strerror or str(error)) from error


def _renewed(store: NeuronStore, measured: Profile) -> Profile:
    """What was measured, with the other kinds and the importance that are kept."""
    kept = _read_or_none(store, _path(store))
    if kept is None:
        return measured
    by_kind = {use.kind: use for use in (*kept.uses, *measured.uses)}
    importance = kept.importance if measured.importance is None else measured.importance
    return Profile(measured.of, _in_order(by_kind), importance)


def _with_chats(store: NeuronStore, profile: Profile) -> Profile:
    chats = _read_or_none(store, _chats_path(store))
    by_kind = {use.kind: use for use in (*profile.uses, *(chats.uses if chats else ()))}
    return replace(profile, uses=_in_order(by_kind))


def _path(store: NeuronStore) -> Path:
    return store.folder / "profile.npz"


def _chats_path(store: NeuronStore) -> Path:
    return store.folder / "chats.npz"


def write_profile_file(path: Path, profile: Profile) -> None:
    """Raises LibraryNotWritable."""
    arrays: dict[str, NDArray[Any]] = {}
    for use in profile.uses:
        arrays[f"{use.kind}.fired"] = use.fired
        if use.contribution is not None:
            arrays[f"{use.kind}.contribution"] = use.contribution
    if profile.importance is not None:
        arrays["importance"] = profile.importance
    uses = [[use.kind, use.n_tokens] for use in profile.uses]
    write_arrays(path, {"version": FILE_VERSION, "of": profile.of, "uses": uses}, arrays)


def _read_or_none(store: NeuronStore, path: Path) -> Profile | None:
    """As `_read`; a damaged file counts as none."""
    try:
        return _read(store, path)
    except DamagedFile:
        return None


def _read(store: NeuronStore, path: Path) -> Profile | None:
    """None where there is no file, or it is of other weights or another version. Raises DamagedFile."""
    try:
        return read_profile_file(path, store)
    except (FileMissing, ProfileRefused):
        return None


def read_profile_file(path: Path, store: NeuronStore) -> Profile:
    """A profile of a store's weights. Raises FileMissing, DamagedFile, or ProfileRefused for others or versions."""
    layers, n = store.shape
    header, arrays = read_arrays(path, (2 * len(USES) + 1) * 8 * layers * n)
    if header.get("version") != FILE_VERSION:
        raise ProfileRefused(str(path), "other_version")
    if header.get("of") != store.fingerprint:
        raise ProfileRefused(str(path), "other_weights")
    try:
        uses = tuple(_use(kind, n_tokens, arrays, store.shape) for kind, n_tokens in header["uses"])
        importance = _values(arrays["importance"], store.shape) if "importance" in arrays else None
        if [use.kind for use in uses] != [kind for kind in USES if any(use.kind == kind for use in uses)]:
            raise ValueError(f"uses {[use.kind for use in uses]}")
    except (ValueError, LookupError, TypeError) as error:
        raise DamagedFile(str(path), UNREADABLE_PART) from error
    return Profile(store.fingerprint, uses, importance)


def _use(kind: Any, n_tokens: Any, arrays: Mapping[str, NDArray[Any]], shape: Sequence[int]) -> UseCounts:
    fired, contribution = arrays[f"{kind}.fired"], arrays.get(f"{kind}.contribution")
    if isinstance(n_tokens, bool) or not isinstance(n_tokens, int) or n_tokens < 0:
        raise ValueError(f"{n_tokens!r} tokens of {kind}")
    if fired.shape != tuple(shape) or fired.dtype != np.int64 or (fired < 0).any() or (fired > n_tokens).any():
        raise ValueError(f"counts of {kind}: {fired.shape} {fired.dtype}")
    return UseCounts(kind, n_tokens, fired, None if contribution is None else _values(contribution, shape))


def _values(array: NDArray[Any], shape: Sequence[int]) -> Float64:
    if array.shape != tuple(shape) or array.dtype != np.float64 or not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"values {array.shape} {array.dtype}")
    return array
