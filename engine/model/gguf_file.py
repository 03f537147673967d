"""GGUF files as metadata and arrays by name, through the `gguf` package.

Owns the checks a foreign, truncated or altered file must meet before anything is allocated after it. Knows no model
families: Q and K come as stored.
"""

import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedFile, FileMissing, ForeignFile, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.gguf_structure import read_structure
from engine.model.stored_tensors import describe_beginning

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MAX_ENTRIES = 1 << 20
# Twice those of a vocabulary of 256 000 with its merges.
_MAX_PIECES = 4_000_000
# What the gguf package raises on bytes that are not what they claim to be.
PARSE_ERRORS = (ValueError, KeyError, IndexError, TypeError, OverflowError, struct.error, EOFError, MemoryError)


class GgufFile:
    """One open file: `fields`, metadata as plain values; `shapes`, tensors by name as (outputs, inputs)."""

    def __init__(self, path: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel."""
        self._path = path
        _check_beginning(path)
        self._reader = _read_structure(path)
        try:
            self.fields: Mapping[str, Any] = {name: field.contents() for name, field in self._reader.fields.items()}
            self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
            self.shapes: Mapping[str, tuple[int, ...]] = {
                name: tuple(int(s) for s in reversed(tensor.shape)) for name, tensor in self._tensors.items()
            }
        except PARSE_ERRORS as error:
            raise DamagedFile(str(path), "its metadata cannot be read") from error

    def read(self, name: str) -> Float32:
        """The tensor, dequantised; raises DamagedFile where a value is not finite."""
        from gguf.quants import dequantize

        stored = self._tensors[name]
        try:
            values = np.asarray(dequantize(stored.data, stored.tensor_type), np.float32)
        except NotImplementedError as error:
            kind = stored.tensor_type.name
            raise UnsupportedModel(str(self._path), f"type of {name}", kind, "F32, F16, Q8_0, Q4_0, …") from error
        if not np.isfinite(values).all():
            raise DamagedFile(str(self._path), f"{name} holds values that are not numbers")
        return values

    def q8_0(self, name: str) -> tuple[NDArray[np.float16], NDArray[np.int8]] | None:
        """Scales (r, n/32) and values (r, n) of a tensor of type Q8_0; None for any other type."""
        from gguf import GGMLQuantizationType

        stored = self._tensors[name]
        if stored.tensor_type != GGMLQuantizationType.Q8_0:
            return None
        blocks = np.ascontiguousarray(stored.data).reshape(len(stored.data), -1, 34)
        scale = np.ascontiguousarray(blocks[:, :, :2]).view(np.float16)[:, :, 0]
        if not np.isfinite(scale).all():
            raise DamagedFile(str(self._path), f"{name} holds values that are not numbers")
        return scale, np.ascontiguousarray(blocks[:, :, 2:]).view(np.int8).reshape(len(blocks), -1)

    def close(self) -> None:
        """Let go of the file mapping; arrays that were read stay valid."""
        self._tensors = {}
        self._reader = None


def _check_beginning(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(24)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    if head[:4] != _MAGIC:
        raise ForeignFile(str(path), "GGUF", describe_beginning(head))
    if len(head) < 24:
        raise DamagedFile(str(path), f"the header ends after {size} bytes")
    version, n_tensors, n_fields = struct.unpack("<IQQ", head[4:])
    if version not in _VERSIONS:
        raise UnsupportedModel(str(path), "GGUF version", str(version), "2 and 3")
    # A tensor's entry takes at least 24 bytes, a field's 13: more than fit the file cannot be there.
    if n_tensors > min(_MAX_ENTRIES, size // 24) or n_fields > min(_MAX_ENTRIES, size // 13):
        raise DamagedFile(str(path), f"the header announces {n_tensors} tensors and {n_fields} fields")


def _read_structure(path: Path) -> Any:
    try:
        return read_structure(path, max_pieces=_MAX_PIECES)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    except PARSE_ERRORS as error:
        raise DamagedFile(str(path), "its list of tensors cannot be read") from error
