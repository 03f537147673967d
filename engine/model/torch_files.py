"""Tensors of `.bin` and `.pt` files, which are pickles, without running what a pickle can run.

Three fences. The pickle is listed first, not loaded: any global but the few that rebuild a tensor, any opcode but the
few `torch.save` writes, any number larger than the file refuses it. Then torch loads it with `weights_only=True`; there
is no other way in. Last, every storage torch found must be where the archive has it. Torch maps an archive only while
it is opened; its numbers are read from the file when asked for. Files of before 2020 are not archives: torch reads them
whole.

Knows nothing of what the tensors mean. Importing this module does not import torch.
"""

import io
import itertools
import os
import pickletools
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, TypeVar

import numpy as np
import psutil
from numpy.typing import NDArray

from engine.errors import UNREADABLE_PART, DamagedFile, FileMissing, ForeignFile, OutOfMemory, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.stored_tensors import (
    ITEM_BYTES,
    TensorEntry,
    check_finite,
    check_name,
    describe_beginning,
    open_regular,
    read_floats,
    read_integers,
)

if TYPE_CHECKING:
    import torch

_Number = TypeVar("_Number", np.float32, np.int64)

_ZIP_MAGIC = b"PK\x03\x04"
# The pickle of torch.serialization.MAGIC_NUMBER, first in files that are not archives.
_LEGACY_MAGIC = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."
_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
_DTYPES = {
    "bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64",
}  # fmt: skip
_STORAGES = ("Bool", "Byte", "Char", "Short", "Int", "Long", "Half", "BFloat16", "Float", "Double")
_STORAGE = re.compile(r"torch \w+Storage", re.ASCII)
_GLOBALS = frozenset(
    {
        "collections OrderedDict", "torch._utils _rebuild_tensor", "torch._utils _rebuild_tensor_v2",
        "torch._utils _rebuild_parameter",
        # Plain tensors that carry attributes, as in SparseLLM/ReluFalcon-40B.
        "torch._tensor _rebuild_from_type_v2", "torch Tensor",
        *(f"torch {kind}Storage" for kind in _STORAGES),
    }
)  # fmt: skip
_OPCODES = frozenset(
    {
        "PROTO", "STOP", "GLOBAL", "REDUCE", "BUILD", "BINPERSID", "MARK", "NONE", "NEWTRUE", "NEWFALSE",
        "BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE", "SHORT_BINSTRING",
        "EMPTY_TUPLE", "TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "EMPTY_LIST", "APPEND", "APPENDS",
        "EMPTY_DICT", "SETITEM", "SETITEMS", "BINGET", "LONG_BINGET", "BINPUT", "LONG_BINPUT",
    }
)  # fmt: skip
_ALL_OPCODES = {opcode.code: opcode for opcode in pickletools.opcodes}
# A tensor takes about 150 bytes and 35 opcodes: room for 15 000 in one file.
_MAX_PICKLE = 4 << 20
_MAX_OPCODES = 1 << 19
# A dimension beside one of size 0 may exceed a tiny file.
_SLACK = 1 << 20
_SUPPORTED = "dictionaries of plain tensors"
# What the restricted loader raises on bytes that are not what they claim to be; warnings only where they are errors.
_LOAD_ERRORS = (
    RuntimeError, ValueError, TypeError, LookupError, AttributeError, AssertionError, EOFError, ArithmeticError,
    struct.error, UnpicklingError, UserWarning,
)  # fmt: skip
_ZIP_ERRORS = (zipfile.BadZipFile, RuntimeError, ValueError, LookupError, EOFError, struct.error)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tensor of an archive begins in the file, and how far its dimensions are apart, in numbers."""

    offset: int
    strides: tuple[int, ...]


class TorchFile:
    """One open torch file: a dictionary of tensors, or one bare tensor, whose name is then empty."""

    def __init__(self, path: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile, UnsupportedModel (also where it holds code) or OutOfMemory."""
        self._path = path
        self._places: Mapping[str, _Place] = {}
        self._loaded: Mapping[str, torch.Tensor] = {}
        with ExitStack() as undo:
            self._file = undo.enter_context(open_regular(path))
            try:
                beginning = self._file.read(len(_LEGACY_MAGIC))
                is_archive = beginning.startswith(_ZIP_MAGIC)
                tensors = self._open_archive() if is_archive else self._open_legacy(beginning)
            except OSError as error:
                raise FileMissing(str(path), error.strerror or str(error)) from error
            entries = {name: _entry(path, name, tensor) for name, tensor in tensors.items()}
            undo.pop_all()
        self.entries: Mapping[str, TensorEntry] = MappingProxyType(entries)

    def read(self, name: str) -> Float32:
        """The tensor as float32 in its shape; see TensorFolder.read."""
        entry = self.entries[name]
        if name in self._loaded:
            return _loaded_floats(self._loaded[name], entry)
        place = self._places[name]
        return _strided(read_floats(self._file, place.offset, _span(entry.shape, place.strides), entry), entry, place)

    def read_integers(self, name: str) -> NDArray[np.int64]:
        """The tensor as whole numbers; raises UnsupportedModel where its type is one of floats."""
        entry = self.entries[name]
        if name in self._loaded:
            return _loaded_integers(self._loaded[name], entry)
        place = self._places[name]
        return _strided(read_integers(self._file, place.offset, _span(entry.shape, place.strides), entry), entry, place)

    def close(self) -> None:
        """Let go of the file; arrays that were read stay valid."""
        self._loaded = {}
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open_archive(self) -> "dict[str, torch.Tensor]":
        stored = _storages_of_archive(self._path, self._file)
        tensors = _named_tensors(self._path, _load(self._path, is_mapped=True))
        found = _storages_in_memory(tensors)
        # Where the mapping begins is not told, but the storages must lie in it as they lie in the file.
        begin = min(found, default=0) - min(stored, default=0)
        if {address - begin: size for address, size in found.items()} != stored:
            raise DamagedFile(str(self._path), f"{len(stored)} stored arrays are not what {len(tensors)} tensors use")
        self._places = {
            name: _Place(tensor.data_ptr() - begin if tensor.numel() else 0, tuple(tensor.stride()))
            for name, tensor in tensors.items()
        }
        return tensors

    def _open_legacy(self, beginning: bytes) -> "dict[str, torch.Tensor]":
        stored_bytes = _check_legacy(self._path, self._file, beginning)
        tensors = _named_tensors(self._path, _load(self._path, is_mapped=False))
        found = sum(_storages_in_memory(tensors).values())
        if found != stored_bytes:
            raise DamagedFile(str(self._path), f"tensors use {found} bytes, the file has {stored_bytes} for them")
        self._loaded = tensors
        return tensors


# First fence: what the file says, read without loading it ------------------------------------------------------------


def _list_pickle(path: Path, stream: io.BytesIO, largest: int) -> Counter[str]:
    """How often each opcode occurs in the next pickle; refuses what a file of tensors does not need."""
    counts: Counter[str] = Counter()
    try:
        for n_opcodes in itertools.count(1):
            name, argument = _next_opcode(path, stream)
            counts[name] += 1
            if name == "GLOBAL" and argument not in _GLOBALS:
                kind = "numbers of type" if _STORAGE.fullmatch(str(argument)) else "holds code:"
                raise UnsupportedModel(str(path), "torch file", f"{kind} {str(argument)[:100]}", _SUPPORTED)
            if name == "PROTO" and argument != 2:
                raise UnsupportedModel(str(path), "torch file", f"pickle protocol {argument}", _SUPPORTED)
            if isinstance(argument, int) and not 0 <= argument <= largest:
                raise DamagedFile(str(path), f"the number {argument:.3g} in a file of {largest} bytes")
            if name == "STOP":
                break
            if n_opcodes >= _MAX_OPCODES:
                raise UnsupportedModel(str(path), "torch file", f"more than {_MAX_OPCODES} opcodes", _SUPPORTED)
    except (ValueError, LookupError, OverflowError, struct.error) as error:
        raise DamagedFile(str(path), UNREADABLE_PART) from error
    return counts


def _next_opcode(path: Path, stream: io.BytesIO) -> tuple[str, Any]:
    """Name and argument; the argument is decoded only where the opcode is one of tensors."""
    code = stream.read(1).decode("latin-1")
    opcode = _ALL_OPCODES.get(code)
    if opcode is None:
        raise ValueError(f"no opcode is {code!r}")
    if opcode.name not in _OPCODES:
        raise UnsupportedModel(str(path), "torch file", f"holds code or objects: {opcode.name}", _SUPPORTED)
    if opcode.name == "GLOBAL":  # two lines as they are, which is how torch takes them; pickletools undoes escapes
        module, name = stream.readline(), stream.readline()
        return opcode.name, (module[:-1] + b" " + name[:-1]).decode("ascii", "backslashreplace")
    return opcode.name, opcode.arg.reader(stream) if opcode.arg is not None else None


@dataclass(frozen=True, slots=True)
class ListedArchive:
    """A torch archive that was looked through: its records by name, the folder they share, and its pickle."""

    records: Mapping[str, zipfile.ZipInfo]
    prefix: str
    pickle: bytes


def list_archive(path: Path, file: BinaryIO, size: int) -> ListedArchive:
    """Look through an open archive of `size` bytes: its directory and its pickle, in which nothing but tensors may be.

    Raises DamagedFile, ForeignFile or UnsupportedModel. `path` only names the file.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            records = {info.filename: info for info in archive.infolist()}
            if len(records) != len(archive.infolist()):
                raise DamagedFile(str(path), "the archive holds a name twice")
            prefix = _check_records(path, records)
            pickle = archive.read(records[prefix + "data.pkl"])
            order = prefix + "byteorder"
            if order in records and archive.read(order) != b"little":
                raise UnsupportedModel(str(path), "byte order", "not little-endian", "little-endian files")
    except (*_ZIP_ERRORS, OSError) as error:  # OSError: an offset before the beginning; the file itself is open
        raise DamagedFile(str(path), UNREADABLE_PART) from error
    stream = io.BytesIO(pickle)
    _list_pickle(path, stream, size + _SLACK)
    if stream.read(1):
        raise DamagedFile(str(path), "the pickle goes on after its end")
    return ListedArchive(records, prefix, pickle)


def _storages_of_archive(path: Path, file: BinaryIO) -> dict[int, int]:
    """Offset in the file → bytes, of every storage that is not empty."""
    size = os.fstat(file.fileno()).st_size
    listed = list_archive(path, file, size)
    records, prefix = listed.records, listed.prefix
    stored: dict[int, int] = {}
    end = 0
    for info in sorted(records.values(), key=lambda info: info.header_offset):
        begin = _begin_of_record(path, file, info)
        if info.header_offset < end or begin + info.file_size > size:
            raise DamagedFile(str(path), f"record {info.filename} overlaps another or the end of the file")
        end = begin + info.file_size
        if info.filename.startswith(prefix + "data/") and info.file_size:
            stored[begin] = info.file_size
    return stored


def _check_records(path: Path, records: Mapping[str, zipfile.ZipInfo]) -> str:
    """The folder that all records share; each is stored as it is and small where it is read at once."""
    prefix = next(iter(records), "").partition("/")[0] + "/"
    for name, info in records.items():
        if name.startswith(prefix + "code/") or name == prefix + "constants.pkl":
            raise UnsupportedModel(str(path), "torch file", "holds code: TorchScript", _SUPPORTED)
        if not name.startswith(prefix):
            raise DamagedFile(str(path), f"record {name[:64]!r} is outside {prefix[:64]!r}")
        if info.compress_type != zipfile.ZIP_STORED or info.compress_size != info.file_size or info.flag_bits & 1:
            raise UnsupportedModel(str(path), "torch file", f"compressed record {name[:64]!r}", _SUPPORTED)
        if not name.startswith(prefix + "data/") and info.file_size > _MAX_PICKLE:
            raise UnsupportedModel(str(path), "torch file", f"{name[:64]!r} of {info.file_size} bytes", _SUPPORTED)
    if prefix + "data.pkl" not in records:
        raise ForeignFile(str(path), "a torch file", "another kind of zip archive")
    return prefix


def _begin_of_record(path: Path, file: BinaryIO, info: zipfile.ZipInfo) -> int:
    """The offset of a record's first byte, from its own header, which must agree with the directory's."""
    file.seek(info.header_offset)
    header = file.read(_LOCAL_HEADER.size)
    if len(header) == _LOCAL_HEADER.size:
        magic, _, flags, method, *_, name_length, extra_length = _LOCAL_HEADER.unpack(header)
        name, extra = file.read(name_length), file.read(extra_length)
        encoding = "utf-8" if flags & 0x800 else "cp437"
        is_same = magic == _ZIP_MAGIC and method == zipfile.ZIP_STORED and flags == info.flag_bits
        if is_same and name == info.orig_filename.encode(encoding, "replace") and _is_list_of_fields(extra):
            return info.header_offset + len(header) + len(name) + len(extra)
    raise DamagedFile(str(path), f"the header of record {info.filename[:64]!r}")


def _is_list_of_fields(extra: bytes) -> bool:
    """Whether a zip header's extra bytes are whole fields: two bytes of kind, two of length, and so many more."""
    at = 0
    while at + 4 <= len(extra):
        at += 4 + int.from_bytes(extra[at + 2 : at + 4], "little")
    return at == len(extra)


def _check_legacy(path: Path, file: BinaryIO, beginning: bytes) -> int:
    """Bytes of all storages of a file that is no archive: five pickles, then a length before each storage."""
    file.seek(0)
    size = os.fstat(file.fileno()).st_size
    head = file.read(min(size, _MAX_PICKLE))
    if beginning != _LEGACY_MAGIC:
        if beginning[:1] == b"\x80":  # any other pickle; say so where it holds code
            _list_pickle(path, io.BytesIO(head), size + _SLACK)
        raise ForeignFile(str(path), "a torch file", describe_beginning(head))
    stream = io.BytesIO(head)
    for _ in range(2):
        _list_pickle(path, stream, 1 << 80)
    if _list_pickle(path, stream, size + _SLACK)["NEWFALSE"]:
        raise UnsupportedModel(str(path), "byte order", "not little-endian", "little-endian files")
    _list_pickle(path, stream, size + _SLACK)
    keys = _list_pickle(path, stream, size + _SLACK)
    return size - stream.tell() - 8 * (keys["BINUNICODE"] + keys["SHORT_BINSTRING"])


# Second fence: torch's restricted loader ----------------------------------------------------------------------------


def _load(path: Path, *, is_mapped: bool) -> Any:
    try:
        import torch
    except (ImportError, OSError) as error:
        raise UnsupportedModel(str(path), "torch weights", "torch is not installed", "safetensors") from error
    try:
        return torch.load(os.fspath(path), map_location="cpu", weights_only=True, mmap=is_mapped)
    except _LOAD_ERRORS as error:
        size = path.stat().st_size
        if "allocate memory" in str(error) and size > _MAX_PICKLE:  # a smaller file only claims to need it
            raise OutOfMemory(path.name, size, psutil.virtual_memory().available) from error
        raise DamagedFile(str(path), UNREADABLE_PART) from error


def _named_tensors(path: Path, loaded: Any) -> "dict[str, torch.Tensor]":
    import torch

    if isinstance(loaded, torch.Tensor):
        return {"": loaded.detach()}
    if not isinstance(loaded, dict):
        raise UnsupportedModel(str(path), "torch file", f"a {type(loaded).__name__}", _SUPPORTED)
    tensors: dict[str, torch.Tensor] = {}
    for name, value in dict.items(loaded):  # not its own method: a pickle can give a dictionary attributes
        if not isinstance(name, str) or not name:
            raise UnsupportedModel(str(path), "torch file", f"a key of type {type(name).__name__}", _SUPPORTED)
        check_name(name, path)
        if isinstance(value, torch.Tensor):
            tensors[name] = value.detach()
        elif not isinstance(value, (int, float, str, type(None))):
            raise UnsupportedModel(str(path), "torch file", f"{name} is a {type(value).__name__}", _SUPPORTED)
    return tensors


# Third fence: what torch made of it ---------------------------------------------------------------------------------


def _entry(path: Path, name: str, tensor: "torch.Tensor") -> TensorEntry:
    kind = str(tensor.dtype).removeprefix("torch.")
    if kind not in _DTYPES or str(tensor.layout) != "torch.strided" or tensor.device.type != "cpu" or tensor.is_neg():
        found = f"{tensor.layout} {tensor.dtype} on {tensor.device}"
        raise UnsupportedModel(str(path), f"tensor {name}", found, ", ".join(_DTYPES.values()))
    dtype = _DTYPES[kind]
    if _span(tuple(tensor.shape), tuple(tensor.stride())) < tensor.numel():
        # Rows that overlap or repeat: a few bytes could claim any size.
        raise DamagedFile(str(path), f"tensor {name} is larger than what it is stored in")
    return TensorEntry(name, tuple(tensor.shape), dtype, tensor.numel() * ITEM_BYTES[dtype], path)


def _storages_in_memory(tensors: "Mapping[str, torch.Tensor]") -> dict[int, int]:
    """Address → bytes of every storage that is not empty."""
    storages = [tensor.untyped_storage() for tensor in tensors.values()]
    return {storage.data_ptr(): storage.nbytes() for storage in storages if storage.nbytes()}


# Reading ------------------------------------------------------------------------------------------------------------


def _span(shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """Numbers from a tensor's first to its last, those between its rows included."""
    if 0 in shape:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))


def _strided(flat: NDArray[_Number], entry: TensorEntry, place: _Place) -> NDArray[_Number]:
    strides = tuple(stride * flat.itemsize for stride in place.strides)
    return np.asarray(np.lib.stride_tricks.as_strided(flat, entry.shape, strides), order="C")


def _loaded_floats(tensor: "torch.Tensor", entry: TensorEntry) -> Float32:
    import torch

    if not tensor.is_floating_point():
        raise UnsupportedModel(str(entry.file), f"type of {entry.name}", entry.dtype, "F32, F16, BF16, F64")
    values: Float32 = tensor.to(torch.float32, copy=True).contiguous().numpy()
    check_finite(values, entry)
    return values


def _loaded_integers(tensor: "torch.Tensor", entry: TensorEntry) -> NDArray[np.int64]:
    import torch

    if tensor.is_floating_point():
        raise UnsupportedModel(str(entry.file), f"type of {entry.name}", entry.dtype, "whole numbers")
    values: NDArray[np.int64] = tensor.to(torch.int64, copy=True).contiguous().numpy()
    return values
