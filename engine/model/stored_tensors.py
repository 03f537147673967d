"""Numbers as files store them, and how they become float32.

Owns `TensorEntry`, the table of stored types, and the reading of one tensor from an open file in pieces. Callers have
checked that the numbers lie inside the file; nothing here knows how a file says where they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

import numpy as np
import psutil
from numpy.typing import NDArray

from engine.errors import DamagedFile, FileMissing, OutOfMemory, UnsupportedModel
from engine.kernels.formats import Float32

# Names as in safetensors (its README lists them), with the bytes of one number.
ITEM_BYTES: Mapping[str, int] = MappingProxyType(
    {
        "BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "F8_E8M0": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2,
        "I32": 4, "U32": 4, "F32": 4, "I64": 8, "U64": 8, "F64": 8, "C64": 8,
    }
)  # fmt: skip
_FLOATS = {"F32": "<f4", "F16": "<f2", "F64": "<f8"}
_INTEGERS = {
    "BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4", "I64": "<i8",
}  # fmt: skip
# Numbers converted at a time: bounds what a read needs beside its result to about 10 MB.
_PIECE = 1 << 20
_MAX_NAME = 1024


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """A tensor of a file, not read yet.

    name     as the file has it; empty for a file that holds one bare tensor
    shape    rows first
    dtype    a key of ITEM_BYTES, or a block type of ggml
    n_bytes  as stored, without gaps
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    n_bytes: int
    file: Path

    @property
    def n_values(self) -> int:
        return n_values(self.shape)


def open_regular(path: Path) -> BinaryIO:
    """The file without a buffer; raises FileMissing also for what is no regular file, which could block for ever."""
    try:
        if path.exists() and not path.is_file():
            raise FileMissing(str(path), "not a regular file")
        return path.open("rb", buffering=0)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error


def n_values(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def check_name(name: str, path: Path) -> None:
    """A tensor's name reaches people in errors and other processes in messages: it has to be text."""
    if len(name) > _MAX_NAME or not name.isprintable():
        raise DamagedFile(str(path), f"a tensor is called {name[:64]!r}")


def read_floats(file: BinaryIO, offset: int, count: int, entry: TensorEntry) -> Float32:
    """(count,) from `offset` on, exact but for F64, which is rounded.

    Raises DamagedFile where the file ends early or a value is not finite, UnsupportedModel where the type is not a
    float of 16 bits or more, OutOfMemory where the result does not fit.
    """
    if entry.dtype not in (*_FLOATS, "BF16"):
        raise UnsupportedModel(str(entry.file), f"type of {entry.name}", entry.dtype, "F32, F16, BF16, F64")
    out = _empty(count, entry)
    item = ITEM_BYTES[entry.dtype]
    file.seek(offset)
    if entry.dtype == "F32":
        fill(file, out.view(np.uint8).data, entry)
    for begin in range(0, count, _PIECE):
        piece = out[begin : begin + _PIECE]
        if entry.dtype != "F32":
            raw = np.empty(len(piece) * item, np.uint8)
            fill(file, raw.data, entry)
            _convert(raw, piece, entry.dtype)
        check_finite(piece, entry)
    return out


def read_integers(file: BinaryIO, offset: int, count: int, entry: TensorEntry) -> NDArray[np.int64]:
    """(count,) whole numbers; raises as `read_floats` does, UnsupportedModel where the type is not one of integers."""
    if entry.dtype not in _INTEGERS:
        raise UnsupportedModel(str(entry.file), f"type of {entry.name}", entry.dtype, ", ".join(_INTEGERS))
    raw = np.empty(count * ITEM_BYTES[entry.dtype], np.uint8)
    file.seek(offset)
    fill(file, raw.data, entry)
    return raw.view(_INTEGERS[entry.dtype]).astype(np.int64)


def check_finite(values: Float32, entry: TensorEntry) -> None:
    if not np.isfinite(values).all():
        raise DamagedFile(str(entry.file), f"{entry.name or 'the tensor'} holds values that are not numbers")


def fill(file: BinaryIO, target: memoryview, entry: TensorEntry) -> None:
    """Read until `target` is full; raises DamagedFile where the file ends before, FileMissing where reading fails."""
    done = 0
    try:
        while done < len(target):
            count = file.readinto(target[done:])  # type: ignore[attr-defined]
            if not count:
                raise DamagedFile(str(entry.file), f"the file ends {len(target) - done} bytes early in {entry.name}")
            done += count
    except OSError as error:
        raise FileMissing(str(entry.file), error.strerror or str(error)) from error


def _convert(raw: NDArray[np.uint8], out: Float32, dtype: str) -> None:
    if dtype == "BF16":  # the upper half of a float32
        bits = out.view(np.uint32)
        bits[:] = raw.view("<u2")
        bits <<= 16
        return
    with np.errstate(over="ignore", invalid="ignore"):  # what does not fit becomes infinite, and the caller looks
        out[:] = raw.view(_FLOATS[dtype])


def _empty(count: int, entry: TensorEntry) -> Float32:
    try:
        return np.empty(count, np.float32)
    except MemoryError as error:
        raise OutOfMemory(entry.name, 4 * count, psutil.virtual_memory().available) from error


def describe_beginning(beginning: bytes) -> str:
    """What a file that is not of the expected kind looks like; the `found` of a ForeignFile."""
    if not beginning:
        return "an empty file"
    if beginning.startswith(b"version https://"):
        return "a Git LFS pointer: the file itself was not downloaded"
    return "a file of another kind"
