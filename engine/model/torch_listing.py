"""What tensors a torch archive holds, without torch and without their numbers.

For files of which only the end and the pickle are at hand. The pickle has been listed by `torch_files.py` and can name
nothing but the few globals that rebuild a tensor; here each of those is a function of ours that keeps shape and type.
Knows nothing of files from before 2020, which are no archives.
"""

import io
import pickle
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from engine.errors import UNREADABLE_PART, DamagedFile, UnsupportedModel
from engine.model.stored_tensors import ITEM_BYTES, TensorEntry, check_name, n_values
from engine.model.torch_files import ListedArchive, list_archive

_DTYPES: Mapping[str, str] = MappingProxyType(
    {
        "BoolStorage": "BOOL", "ByteStorage": "U8", "CharStorage": "I8", "ShortStorage": "I16", "IntStorage": "I32",
        "LongStorage": "I64", "HalfStorage": "F16", "BFloat16Storage": "BF16", "FloatStorage": "F32",
        "DoubleStorage": "F64",
    }
)  # fmt: skip
_MAX_DIMENSIONS = 8
_SUPPORTED = "dictionaries of plain tensors"
# What unpickling raises on bytes that are not what they claim to be.
_PICKLE_ERRORS = (
    pickle.UnpicklingError, ValueError, TypeError, LookupError, AttributeError, EOFError, ArithmeticError,
    RecursionError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Storage:
    dtype: str
    n_values: int


@dataclass(frozen=True, slots=True)
class _Shape:
    dtype: str
    shape: tuple[int, ...]


def list_torch_archive(path: Path, file: BinaryIO, size: int) -> list[TensorEntry]:
    """The tensors of an open archive of `size` bytes; little of it is read. `path` only names the file.

    Raises DamagedFile, ForeignFile or UnsupportedModel, as opening the whole file would.
    """
    archive = list_archive(path, file, size)
    try:
        loaded = _Listing(archive).load()
    except _PICKLE_ERRORS as error:
        raise DamagedFile(str(path), UNREADABLE_PART) from error
    if not isinstance(loaded, dict):
        raise UnsupportedModel(str(path), "torch file", f"a {type(loaded).__name__}", _SUPPORTED)
    entries: list[TensorEntry] = []
    for name, value in dict.items(loaded):  # not its own method: a pickle can give a dictionary attributes
        if not isinstance(name, str) or not name:
            raise UnsupportedModel(str(path), "torch file", f"a key of type {type(name).__name__}", _SUPPORTED)
        check_name(name, path)
        if isinstance(value, _Shape):
            n_bytes = n_values(value.shape) * ITEM_BYTES[value.dtype]
            entries.append(TensorEntry(name, value.shape, value.dtype, n_bytes, path))
        elif not isinstance(value, (int, float, str, type(None))):
            raise UnsupportedModel(str(path), "torch file", f"{name} is a {type(value).__name__}", _SUPPORTED)
    return entries


class _Listing(pickle.Unpickler):
    """Makes shapes of tensors; reaches no global but the functions below."""

    def __init__(self, archive: ListedArchive) -> None:
        super().__init__(io.BytesIO(archive.pickle), encoding="utf-8")
        self._archive = archive
        self._known: Mapping[tuple[str, str], Any] = {
            ("collections", "OrderedDict"): OrderedDict,
            ("torch._utils", "_rebuild_tensor"): _rebuilt,
            ("torch._utils", "_rebuild_tensor_v2"): _rebuilt,
            ("torch._utils", "_rebuild_parameter"): _parameter,
            ("torch._tensor", "_rebuild_from_type_v2"): _from_type,
            ("torch", "Tensor"): _Shape,
            **{("torch", name): dtype for name, dtype in _DTYPES.items()},
        }

    def find_class(self, module: str, name: str) -> Any:
        return self._known[module, name]

    def persistent_load(self, pid: Any) -> _Storage:
        """A storage, held against the record that has its bytes."""
        kind, dtype, key, _, count = pid
        if kind != "storage" or dtype not in ITEM_BYTES or type(count) is not int or not isinstance(key, str):
            raise ValueError("no storage")
        record = self._archive.records[f"{self._archive.prefix}data/{key}"]
        if record.file_size != count * ITEM_BYTES[dtype]:
            raise ValueError(f"storage {key[:40]} has {record.file_size} bytes for {count} numbers")
        return _Storage(dtype, count)


def _rebuilt(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> _Shape:
    if not isinstance(storage, _Storage) or not _are_sizes(shape) or not _are_sizes(strides):
        raise ValueError("no tensor")
    if type(offset) is not int or offset < 0 or len(shape) != len(strides):
        raise ValueError("no tensor")
    span = 0 if 0 in shape else 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    if n_values(shape) > span or (span and offset + span > storage.n_values):
        raise ValueError(f"a tensor of {shape} in a storage of {storage.n_values}")
    return _Shape(storage.dtype, shape)


def _parameter(tensor: Any, *_: Any) -> Any:
    return tensor


def _from_type(rebuild: Callable[..., Any], kind: Any, arguments: Any, state: Any) -> Any:
    if rebuild not in (_rebuilt, _parameter) or not isinstance(arguments, tuple):
        raise ValueError("no tensor")
    return rebuild(*arguments)


def _are_sizes(values: Any) -> bool:
    return (
        isinstance(values, tuple)
        and len(values) <= _MAX_DIMENSIONS
        and all(type(value) is int and 0 <= value < 1 << 48 for value in values)
    )
