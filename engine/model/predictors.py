"""What chooses a layer's neurons ahead of time: predictors and cuts, and the file that holds one for each layer.

A predictor gives each neuron a score from something cheap; those above zero are candidates, all others are taken to be
silent. A cut silences neurons whose activation is below it. Both lose something, unlike the engine's own skipping, so
that nothing here is used before its loss is measured.

The file is one of arrays (`array_file.py`); it belongs to one packing of one model, whose fingerprint it carries.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import UNREADABLE_PART, DamagedFile
from engine.kernels.formats import Float32, round_up
from engine.model.array_file import Arrays, read_arrays, write_arrays
from engine.model.config import ModelConfig
from engine.model.packed_model import PackedModel
from engine.neuron_reports import PREDICTOR_INPUTS, PREDICTOR_KINDS

FILE_VERSION = 1
MAX_RANK = 4096
Signs = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class LayerPredictor:
    """Scores of one layer's n neurons; those above zero are candidates.

    kind   sign: on how many of the d inputs the signs of x and of the neuron's first row agree, less d / 2 (a zero
           counts as positive). Source: SparseInfer (Shin et al., 2024)
           linear: outer · (inner · x). Source: Deja Vu (Liu et al., 2023)
           relu: outer · max(inner · x, 0). Source: PowerInfer (Song et al., 2023)
    reads  what x is: one of PREDICTOR_INPUTS
    inner  (r, d), outer (n, r): float32; both empty for signs
    signs  (n, d / 64 rounded up): bit i of word j is set where weight 64 j + i is negative; empty otherwise
    bias   (n,) float32, added to the scores
    """

    kind: str
    reads: str
    inner: Float32
    outer: Float32
    signs: Signs
    bias: Float32

    @property
    def rank(self) -> int:
        return len(self.inner)

    def scores(self, x: Float32) -> Float32:
        """x (t, d) → (t, n): the specification, and what studies run; the decode step has a kernel."""
        if self.kind == "sign":
            agreeing = _plus_minus(sign_bits(x), x.shape[1]) @ _plus_minus(self.signs, x.shape[1]).T
            return np.asarray(agreeing / 2 + self.bias, np.float32)
        inner = x @ self.inner.T
        if self.kind == "relu":
            np.maximum(inner, 0, out=inner)
        return np.asarray(inner @ self.outer.T + self.bias, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class LayerChoice:
    """What a tier does in one layer. `cut` silences activations below it, before the up product; 0 for none."""

    predictor: LayerPredictor | None = None
    cut: float = 0.0


def low_rank(kind: str, reads: str, inner: Float32, outer: Float32, bias: Float32) -> LayerPredictor:
    return LayerPredictor(kind, reads, inner, outer, np.zeros((0, 0), np.uint64), bias)


def sign_predictor(first_rows: Float32, bias: Float32, reads: str = "normed") -> LayerPredictor:
    """first_rows (n, d): the matrix of the feed-forward's first product."""
    nothing = np.zeros((0, 0), np.float32)
    return LayerPredictor("sign", reads, nothing, nothing, sign_bits(first_rows), bias)


def sign_bits(rows: Float32) -> Signs:
    """rows (r, d) → (r, words): a set bit for each value below zero, lowest bit first."""
    padded = np.zeros((len(rows), round_up(rows.shape[1], 64)), np.bool_)
    padded[:, : rows.shape[1]] = rows < 0
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _plus_minus(bits: Signs, d: int) -> Float32:
    """(r, words) → (r, d): -1 where the bit is set, 1 elsewhere."""
    flat = np.unpackbits(bits.astype("<u8").view(np.uint8), axis=1, count=d, bitorder="little")
    return np.asarray(1 - 2 * flat.astype(np.float32), np.float32)


def fingerprint(packed: PackedModel) -> str:
    """Names the weights of a packed model: its tensors' checksums, shape and format."""
    facts = json.dumps([packed.config.to_json(), packed.weight_format, packed.checksums], sort_keys=True)
    return f"{zlib.crc32(facts.encode()):08x}{len(packed.checksums):04x}"


# The file ---------------------------------------------------------------------------------------------------------


def write_choices(path: Path, choices: Sequence[LayerChoice], of: str) -> None:
    """Write one choice a layer for the weights with fingerprint `of`. Raises LibraryNotWritable."""
    arrays: dict[str, NDArray[Any]] = {}
    layers = []
    for layer, choice in enumerate(choices):
        predictor = choice.predictor
        layers.append([float(choice.cut), *((predictor.kind, predictor.reads) if predictor else ("", ""))])
        if predictor:
            for name in ("inner", "outer", "signs", "bias"):
                arrays[f"{layer}.{name}"] = getattr(predictor, name)
    write_arrays(path, {"version": FILE_VERSION, "of": of, "layers": layers}, arrays)


def read_choices(path: Path, config: ModelConfig, of: str) -> tuple[LayerChoice, ...] | None:
    """The choices of a model, None where they are of other weights. Raises FileMissing or DamagedFile."""
    most_bytes = config.n_layers * 4 * (config.n_neurons + config.width) * MAX_RANK
    header, arrays = read_arrays(path, most_bytes)
    try:
        if header["of"] != of or header["version"] != FILE_VERSION:
            return None
        if len(header["layers"]) != config.n_layers:
            raise ValueError(f"{len(header['layers'])} layers")
        return tuple(_choice(arrays, layer, values, config) for layer, values in enumerate(header["layers"]))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise DamagedFile(str(path), UNREADABLE_PART) from error


def _choice(arrays: Arrays, layer: int, values: Sequence[Any], config: ModelConfig) -> LayerChoice:
    cut, kind, reads = float(values[0]), str(values[1]), str(values[2])
    if not 0 <= cut < 1e6:
        raise ValueError(f"layer {layer}: cut {cut}")
    if not kind:
        return LayerChoice(None, cut)
    if kind not in PREDICTOR_KINDS or reads not in PREDICTOR_INPUTS:
        raise ValueError(f"layer {layer}: {kind} predictor that reads {reads}")
    inner, outer, signs, bias = (arrays[f"{layer}.{name}"] for name in ("inner", "outer", "signs", "bias"))
    d, n, rank = config.width, config.n_neurons, len(inner)
    words = (n, round_up(d, 64) // 64) if kind == "sign" else (0, 0)
    pairs = ((0, 0), (0, 0)) if kind == "sign" else ((rank, d), (n, rank))
    if (inner.shape, outer.shape) != pairs or signs.shape != words or bias.shape != (n,) or rank > MAX_RANK:
        raise ValueError(f"layer {layer}: shapes {inner.shape} {outer.shape} {signs.shape} {bias.shape}")
    if signs.dtype != np.uint64 or any(a.dtype != np.float32 or not np.isfinite(a).all() for a in (inner, outer, bias)):
        raise ValueError(f"layer {layer}: not numbers of the right kind")
    return LayerChoice(LayerPredictor(kind, reads, inner, outer, signs, bias), cut)
