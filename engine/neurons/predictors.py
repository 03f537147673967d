"""Predictors that may be chosen for a layer, with what each was measured to save and to lose, and the file of them.

Owns what a candidate is, the measuring of its operating points on text it has not seen, and the file beside the model;
knows nothing of how a predictor was found. Low-rank matrices are kept as rows of the first product's format, which is
how they are read at run time, so that a candidate's scores already have that format's error.

The file is a zip of numpy arrays (`numpy.savez`, read without pickle). A member is looked at only after its size was
found to be the one that the model's configuration asks for.
"""

import io
import math
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import UNREADABLE_PART, DamagedFile, FileMissing
from engine.kernels.formats import FORMATS, Float32, RowFormat, round_up
from engine.model.array_file import write_whole
from engine.model.config import ModelConfig
from engine.model.packed_model import PackedModel
from engine.model.predictors import MAX_RANK, LayerPredictor
from engine.neuron_reports import PREDICTOR_INPUTS, PREDICTOR_KINDS, PredictorFigures
from engine.neurons.store import NeuronStore
from engine.plain_json import from_json, to_json
from engine.runtime.traffic import predictor_bytes

FILE_NAME = "predictors.npz"
FILE_VERSION = 1
# Shares of the active neurons' weight that thresholds aim at; a candidate has an operating point for each.
RECALL_TARGETS = (0.999, 0.995, 0.99, 0.98, 0.95, 0.9)
_MAX_HEADER_BYTES = 64 << 20
_READ_ERRORS = (
    ValueError, LookupError, TypeError, AttributeError, EOFError, OverflowError, RuntimeError, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip

# Inputs (t, d) and importance (t, n), 0 where a neuron is silent: one part of a text.
Part = tuple[Float32, Float32]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A predictor of one layer and its operating points, by falling recall; a point names the neurons whose score
    exceeds its threshold."""

    predictor: LayerPredictor
    figures: tuple[PredictorFigures, ...]


def at_threshold(candidate: Candidate, i: int) -> LayerPredictor:
    """The predictor whose scores are above zero where the candidate's exceed the threshold of its point i."""
    bias = candidate.predictor.bias - np.float32(candidate.figures[i].threshold)
    return replace(candidate.predictor, bias=bias)


def first_format(packed: PackedModel) -> RowFormat:
    """The row format of the feed-forward's first product."""
    return packed.parts.of("gate") if packed.config.is_gated else packed.parts.of_up(packed.config)


def layer_bytes(packed: PackedModel) -> int:
    """That all first products of a layer read."""
    return packed.config.n_neurons * first_format(packed).stride(packed.config.width)


def as_stored(predictor: LayerPredictor, fmt: RowFormat) -> LayerPredictor:
    """The predictor with the error its matrices have as rows of `fmt`."""
    if predictor.kind == "sign":
        return predictor
    inner, outer = (fmt.unpack(fmt.pack(m), m.shape[1]) for m in (predictor.inner, predictor.outer))
    return replace(predictor, inner=inner, outer=outer)


# Measuring --------------------------------------------------------------------------------------------------------


def thresholds_for(scores: Float32, importance: Float32, targets: Sequence[float] = RECALL_TARGETS) -> list[float]:
    """scores and importance (t, n) → for each share the highest threshold above which lies that share of the importance
    of active neurons. Without an active neuron: the highest score, which names nothing."""
    is_active = importance > 0
    ranked, weights = scores[is_active], importance[is_active]
    if not len(ranked):
        return [float(scores.max(initial=0))] * len(targets)
    order = np.argsort(-ranked, kind="stable")
    ranked, reached = ranked[order], np.cumsum(weights[order], dtype=np.float64)
    found = np.searchsorted(reached, np.asarray(targets) * reached[-1])
    lowest = ranked[np.minimum(found, len(ranked) - 1)]
    return [float(np.nextafter(score, np.float32(-np.inf))) for score in lowest]


def measured(
    predictor: LayerPredictor, thresholds: Sequence[float], parts: Iterable[Part], packed: PackedModel
) -> tuple[PredictorFigures, ...]:
    """What a predictor names, finds and saves at each threshold, over all `parts` of a text."""
    # Scores, active, importance; then by threshold: named, named and active, importance of those.
    n_scores, n_active, weight = 0, 0, 0.0
    named, found, found_weight = (np.zeros(len(thresholds)) for _ in range(3))
    for x, importance in parts:
        scores, is_active = predictor.scores(x), importance > 0
        n_scores, n_active = n_scores + scores.size, n_active + int(is_active.sum())
        weight += float(importance.sum(dtype=np.float64))
        active_scores, active_weights = scores[is_active], importance[is_active]
        for i, threshold in enumerate(thresholds):
            is_found = active_scores > np.float32(threshold)
            named[i] += np.count_nonzero(scores > np.float32(threshold))
            found[i] += np.count_nonzero(is_found)
            found_weight[i] += active_weights[is_found].sum(dtype=np.float64)
    config, all_bytes = packed.config, layer_bytes(packed)
    n_bytes = predictor_bytes(predictor.kind, predictor.rank, config.width, config.n_neurons, first_format(packed))
    return tuple(
        PredictorFigures(
            kind=predictor.kind,
            reads=predictor.reads,
            rank=predictor.rank,
            n_bytes=n_bytes,
            threshold=float(threshold),
            named=float(named[i] / max(n_scores, 1)),
            recall=float(found[i] / n_active) if n_active else 1.0,
            recall_weighted=float(found_weight[i] / weight) if weight else 1.0,
            precision=float(found[i] / named[i]) if named[i] else 1.0,
            saved_bytes=float((1 - named[i] / max(n_scores, 1)) * all_bytes - n_bytes),
        )
        for i, threshold in enumerate(thresholds)
    )


# The file ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    kind: str
    reads: str
    rank: int
    figures: tuple[PredictorFigures, ...]

    def __post_init__(self) -> None:
        numbers = [value for f in self.figures for value in (f.threshold, f.named, f.recall, f.saved_bytes)]
        if self.kind not in PREDICTOR_KINDS or self.reads not in PREDICTOR_INPUTS or not 0 <= self.rank <= MAX_RANK:
            raise ValueError(f"{self.kind} predictor of rank {self.rank} that reads {self.reads}")
        if not all(map(math.isfinite, numbers)):
            raise ValueError("figures that are no numbers")


@dataclass(frozen=True, slots=True)
class _Header:
    schema: int
    of: str
    row_format: str
    layers: tuple[tuple[_Entry, ...], ...]


def write_candidates(path: Path, layers: Sequence[Sequence[Candidate]], fmt: RowFormat, of: str) -> None:
    """Write each layer's candidates for the weights with fingerprint `of`. Raises LibraryNotWritable."""
    arrays: dict[str, NDArray[Any]] = {}
    entries = []
    for layer, candidates in enumerate(layers):
        for i, each in enumerate(candidates):
            predictor, name = each.predictor, f"{layer}.{i}."
            arrays[name + "bias"] = predictor.bias
            if predictor.kind == "sign":
                arrays[name + "signs"] = predictor.signs
            else:
                arrays[name + "inner"], arrays[name + "outer"] = fmt.pack(predictor.inner), fmt.pack(predictor.outer)
        entries.append(
            tuple(_Entry(c.predictor.kind, c.predictor.reads, c.predictor.rank, c.figures) for c in candidates)
        )
    header = to_json(_Header(FILE_VERSION, of, fmt.name, tuple(entries)))
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, header=np.frombuffer(header.encode(), np.uint8), **arrays)
    write_whole(path, buffer.getvalue())


def read_candidates(store: NeuronStore, config: ModelConfig) -> tuple[tuple[Candidate, ...], ...] | None:
    """By layer, the candidates that the "predictors" study found for these weights; None where there are none.

    Raises FileMissing (it cannot be read) or DamagedFile.
    """
    path = store.folder / FILE_NAME
    return read_candidates_file(path, config, store.fingerprint, config.n_layers) if path.exists() else None


def read_candidates_file(
    path: Path, config: ModelConfig, of: str, n_layers: int
) -> tuple[tuple[Candidate, ...], ...] | None:
    """What `write_candidates` wrote; None where it is of other weights. Raises FileMissing or DamagedFile."""
    try:
        with zipfile.ZipFile(path) as archive:
            text = _member(archive, "header", None, np.uint8).tobytes().decode()
            header = from_json(_Header, text, str(path), FILE_VERSION, "a file of predictors")
            if header.of != of:
                return None
            if len(header.layers) != n_layers:
                raise ValueError(f"{len(header.layers)} layers")
            fmt = FORMATS[header.row_format]
            return tuple(
                tuple(_candidate(archive, f"{layer}.{i}.", entry, config, fmt) for i, entry in enumerate(entries))
                for layer, entries in enumerate(header.layers)
            )
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    except _READ_ERRORS as error:
        raise DamagedFile(str(path), UNREADABLE_PART) from error


def _candidate(archive: zipfile.ZipFile, name: str, entry: _Entry, config: ModelConfig, fmt: RowFormat) -> Candidate:
    d, n, rank = config.width, config.n_neurons, entry.rank
    inner, outer, signs = np.zeros((0, 0), np.float32), np.zeros((0, 0), np.float32), np.zeros((0, 0), np.uint64)
    if entry.kind == "sign":
        signs = _member(archive, name + "signs", (n, round_up(d, 64) // 64), np.uint64)
    else:
        inner = fmt.unpack(_member(archive, name + "inner", (rank, fmt.stride(d)), np.uint8), d)
        outer = fmt.unpack(_member(archive, name + "outer", (n, fmt.stride(rank)), np.uint8), rank)
    bias = _member(archive, name + "bias", (n,), np.float32)
    if not all(np.isfinite(a).all() for a in (inner, outer, bias)):
        raise ValueError(f"{name} holds values that are no numbers")
    return Candidate(LayerPredictor(entry.kind, entry.reads, inner, outer, signs, bias), entry.figures)


def _member(
    archive: zipfile.ZipFile, name: str, shape: tuple[int, ...] | None, dtype: type[np.generic]
) -> NDArray[Any]:
    """An array of the file, read only if it has this shape and type; without a shape a list of any bearable length."""
    entry = archive.getinfo(name + ".npy")
    with archive.open(entry) as stream:
        if np.lib.format.read_magic(stream) != (1, 0):
            raise ValueError(f"{name} is of another version of numpy's format")
        found, is_fortran, found_type = np.lib.format.read_array_header_1_0(stream)
        wanted = shape if shape is not None else (min(found[0], _MAX_HEADER_BYTES),)
        n_bytes = math.prod(wanted) * np.dtype(dtype).itemsize
        if found != wanted or is_fortran or found_type != np.dtype(dtype) or entry.file_size > n_bytes + (1 << 16):
            raise ValueError(f"{name} has the shape {found} of {found_type}, expected {wanted}")
        content = stream.read(n_bytes)
    return np.frombuffer(content, dtype).reshape(wanted).copy()
