"""PowerInfer's variant of GGUF as names and arrays.

Owns what differs from GGUF: the magic `PWRI`, the down matrix stored by neurons under a name of its own, two predictor
matrices a layer, a threshold in the metadata, and fewer types. The `gguf` package reads the structure; bounds that it
does not check are checked here. Knows no model families: Q and K come as stored, which for the llama architecture is
with rotated pairs as neighbours.

Source: SJTU-IPADS/PowerInfer, gguf-py/gguf/constants.py, convert-hf-to-powerinfer-gguf.py, llama.cpp.
"""

import math
import os
import re
import struct
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, BinaryIO, Self

import numpy as np

from engine.errors import DamagedFile, EngineError, FileMissing, ForeignFile, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.gguf_structure import read_structure
from engine.model.stored_tensors import (
    TensorEntry,
    check_finite,
    check_name,
    describe_beginning,
    fill,
    n_values,
    open_regular,
    read_floats,
)

MAGIC = b"PWRI"
_VERSIONS = (2, 3)
_MAX_ENTRIES = 1 << 20
# Pieces the gguf package cuts a header into, one object each: twice those of a vocabulary of 80 000 with its merges.
_MAX_PIECES = 1_000_000
_MAX_DIMENSIONS = 4
_MAX_ALIGNMENT = 1 << 16
# PowerInfer left ggml at the types of 2023: numbers from 16 on are integers there and something else in ggml today.
_N_TYPES = 16
_FLOAT_TYPES = ("F32", "F16")
_BLOCK_TYPES = ("Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K")
_THRESHOLD = "powerinfer.sparse_threshold"
_INDEX_ARCHITECTURES = ("generic.gpu_index", "moe.gpu_idx")
_STORED_DOWN = re.compile(r"(blk\.\d+)\.ffn_down_t\.(weight|bias)", re.ASCII)
_PREDICTOR = re.compile(r"blk\.(0|[1-9]\d{0,3})\.fc([12])\.weight", re.ASCII)
# Rows of a quantised tensor that are unpacked at a time.
_BLOCK_VALUES = 1 << 20
_PARSE_ERRORS = (ValueError, LookupError, TypeError, ArithmeticError, RecursionError, struct.error, EOFError)


@dataclass(frozen=True, slots=True)
class _Place:
    offset: int
    shape: tuple[int, ...]
    is_transposed: bool


class PowerInferGguf:
    """One open `PWRI` file.

    fields      metadata by key, as plain values
    entries     tensors by GGUF's ordinary names; `ffn_down_t` appears as `ffn_down`, (d, n)
    predictors  layer → names of its two matrices, (r, d) and (n, r): logits are fc2 · relu(fc1 · h), h the residual
                stream before its norm; a neuron is predicted active from `sparse_threshold` on
    """

    def __init__(self, path: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel."""
        self._path = path
        with ExitStack() as undo:
            self._file = undo.enter_context(open_regular(path))
            try:
                size = os.fstat(self._file.fileno()).st_size
                _check_beginning(path, self._file.read(24), size)
                fields, entries, places = _structure(path, size)
            except OSError as error:
                raise FileMissing(str(path), error.strerror or str(error)) from error
            self.predictors: Mapping[int, tuple[str, str]] = MappingProxyType(_predictors(path, entries))
            self.sparse_threshold = _threshold(path, fields)
            undo.pop_all()
        self.fields: Mapping[str, Any] = MappingProxyType(fields)
        self.entries: Mapping[str, TensorEntry] = MappingProxyType(entries)
        self._places = places

    def read(self, name: str) -> Float32:
        """The tensor as float32 in its entry's shape; the down matrix is a transposed view.

        Raises DamagedFile where it is not there or holds a value that is not finite. Extra memory is the result's.
        """
        if name not in self.entries:
            raise DamagedFile(str(self._path), f"tensor {name} is missing")
        entry, place = self.entries[name], self._places[name]
        if entry.dtype in _FLOAT_TYPES:
            values = read_floats(self._file, place.offset, n_values(place.shape), entry).reshape(place.shape)
        else:
            values = _unpack(self._file, entry, place)
        return values.T if place.is_transposed else values

    def close(self) -> None:
        """Let go of the file; arrays that were read stay valid."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# Structure -----------------------------------------------------------------------------------------------------------


def _check_beginning(path: Path, head: bytes, size: int) -> None:
    if head[:4] != MAGIC:
        raise ForeignFile(str(path), "PowerInfer's GGUF", describe_beginning(head))
    if len(head) < 24:
        raise DamagedFile(str(path), f"the header ends after {size} bytes")
    version, n_tensors, n_fields = struct.unpack("<IQQ", head[4:])
    if version not in _VERSIONS:
        raise UnsupportedModel(str(path), "GGUF version", str(version), "2 and 3")
    # A tensor's entry takes at least 24 bytes, a field's 13: more than fit the file cannot be there.
    if n_tensors > min(_MAX_ENTRIES, size // 24) or n_fields > min(_MAX_ENTRIES, size // 13):
        raise DamagedFile(str(path), f"the header announces {n_tensors} tensors and {n_fields} fields")


def _structure(path: Path, size: int) -> tuple[dict[str, Any], dict[str, TensorEntry], dict[str, _Place]]:
    try:
        with np.errstate(over="raise"):
            reader = read_structure(
                path,
                max_pieces=_MAX_PIECES,
                any_magic=True,
                on_entries=lambda fields, entries: _check_types(path, fields, entries),
            )
            fields = {name: field.contents() for name, field in reader.fields.items()}
            stored = [_tensor(path, tensor) for tensor in reader.tensors]
            _check_layout(path, stored, int(reader.data_offset), int(reader.alignment), size)
    except EngineError:
        raise
    except _PARSE_ERRORS as error:
        raise DamagedFile(str(path), "its list of tensors cannot be read") from error
    entries = {entry.name: entry for entry, _ in stored}
    if len(entries) != len(stored):
        raise DamagedFile(str(path), "a down matrix is there twice, as it is and transposed")
    return fields, entries, {entry.name: place for entry, place in stored}


def _check_types(path: Path, fields: Mapping[str, Any], tensors: list[Any]) -> None:
    architecture = fields.get("general.architecture")
    if architecture is not None and architecture.contents() in _INDEX_ARCHITECTURES:
        found = "an index of neurons placed on a card, without weights"
        raise UnsupportedModel(str(path), "PowerInfer file", found, "models")
    for tensor in tensors:
        *_, kind, _ = tensor.parts
        if kind[0] >= _N_TYPES:
            supported = ", ".join((*_FLOAT_TYPES, *_BLOCK_TYPES))
            raise UnsupportedModel(str(path), f"type of {tensor.name}", f"number {kind[0]}", supported)


def _tensor(path: Path, tensor: Any) -> tuple[TensorEntry, _Place]:
    """A tensor under its ordinary name, and where it is."""
    name, dtype = str(tensor.name), str(tensor.tensor_type.name)
    check_name(name, path)
    if dtype not in (*_FLOAT_TYPES, *_BLOCK_TYPES):
        raise UnsupportedModel(str(path), f"type of {name}", dtype, ", ".join((*_FLOAT_TYPES, *_BLOCK_TYPES)))
    shape = tuple(int(size) for size in reversed(tensor.shape.tolist()))
    if not 1 <= len(shape) <= _MAX_DIMENSIONS or n_values(shape) != tensor.n_elements or 0 in shape:
        raise DamagedFile(str(path), f"tensor {name} has shape {shape}")
    place = _Place(int(tensor.data_offset), shape, False)
    if down := _STORED_DOWN.fullmatch(name):
        name = f"{down[1]}.ffn_down.{down[2]}"
        place = _Place(place.offset, shape, len(shape) == 2)
    shape = shape[::-1] if place.is_transposed else shape
    return TensorEntry(name, shape, dtype, int(tensor.n_bytes), path), place


def _check_layout(path: Path, stored: list[tuple[TensorEntry, _Place]], start: int, alignment: int, size: int) -> None:
    """The tensors fill the file from `start` to its end, each at the next aligned byte."""
    if not 1 <= alignment <= _MAX_ALIGNMENT:
        raise DamagedFile(str(path), f"an alignment of {alignment}")
    end = start
    for entry, place in sorted(stored, key=lambda each: each[1].offset):
        expected = -(-end // alignment) * alignment
        if place.offset != expected:
            raise DamagedFile(str(path), f"tensor {entry.name} is at {place.offset}, not at {expected}")
        end = place.offset + entry.n_bytes
    if not end <= size < end + alignment:
        raise DamagedFile(str(path), f"the tensors end at {end}, the file at {size}")


def _predictors(path: Path, entries: Mapping[str, TensorEntry]) -> dict[int, tuple[str, str]]:
    found: dict[int, dict[str, TensorEntry]] = {}
    for name, entry in entries.items():
        if match := _PREDICTOR.fullmatch(name):
            found.setdefault(int(match[1]), {})[match[2]] = entry
    pairs: dict[int, tuple[str, str]] = {}
    for layer, pair in sorted(found.items()):
        if len(pair) != 2:
            raise DamagedFile(str(path), f"half of the predictor of layer {layer} is missing")
        first, second = pair["1"], pair["2"]
        down = entries.get(f"blk.{layer}.ffn_down.weight")
        is_chain = len(first.shape) == len(second.shape) == 2 and second.shape[1] == first.shape[0]
        if not is_chain or (down is not None and down.shape != (first.shape[1], second.shape[0])):
            raise DamagedFile(str(path), f"the predictor of layer {layer} has shapes {first.shape}, {second.shape}")
        pairs[layer] = (first.name, second.name)
    return pairs


def _threshold(path: Path, fields: Mapping[str, Any]) -> float:
    value = fields.get(_THRESHOLD, 0.0)
    if not isinstance(value, float) or not math.isfinite(value):
        raise DamagedFile(str(path), f"{_THRESHOLD} = {value!r}")
    return value


# Values --------------------------------------------------------------------------------------------------------------


def _unpack(file: BinaryIO, entry: TensorEntry, place: _Place) -> Float32:
    """Blocks of a few bits as float32, some rows at a time."""
    from gguf.constants import GGMLQuantizationType
    from gguf.quants import dequantize

    columns = place.shape[-1]
    n_rows = n_values(place.shape) // columns
    row_bytes = entry.n_bytes // n_rows
    out = np.empty((n_rows, columns), np.float32)
    step = max(1, _BLOCK_VALUES // columns)
    file.seek(place.offset)
    for begin in range(0, n_rows, step):
        rows = out[begin : begin + step]
        raw = np.empty((len(rows), row_bytes), np.uint8)
        fill(file, raw.reshape(-1).data, entry)
        with np.errstate(all="ignore"):  # scales that are not finite are seen below
            rows[:] = dequantize(raw, GGMLQuantizationType[entry.dtype])
        check_finite(rows, entry)
    return out.reshape(place.shape)
