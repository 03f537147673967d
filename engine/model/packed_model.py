"""Our file: a model packed for row-wise computation. The only module that defines this format.

The container is safetensors: every tensor is a uint8 matrix of packed rows (`kernels/formats.py`) or a float32 vector,
all aligned to 64 bytes; the tokenizer's file is the last tensor. The metadata holds the format's version, the
configuration, the row format of each part, and a CRC of each tensor that is checked when the model is read. A file is
written under another name, flushed and renamed: under its own name it is whole or absent.
"""

import contextlib
import errno
import json
import os
import shutil
import stat
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from engine.errors import (
    DamagedFile,
    EngineError,
    FileMissing,
    ForeignFile,
    LibraryNotWritable,
    OutOfDisk,
    PackedVersionMismatch,
    UnsupportedModel,
)
from engine.kernels.formats import FORMATS, Bytes, RowFormat, round_up
from engine.model.config import ModelConfig, config_from_json
from engine.model.weight_memory import weight_memory
from engine.text.facts import TokenizerFacts, facts_from_json, facts_to_json

FORMAT_NAME = "ember-packed"
FORMAT_VERSION = 2
SUFFIX = ".ember"
PARTIAL_SUFFIX = ".partial"
ALIGNMENT = 64
_MAX_HEADER = 64 << 20
_READ_BYTES = 8 << 20
# Rows that are not wanted are read over rather than skipped up to so many bytes.
_READ_OVER_BYTES = 64 << 10
_DISK_MARGIN = 64 << 20
# What json and our own reading raise on a header that is not what it claims to be (Infinity among it).
_HEADER_ERRORS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK}
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

MIXED_FROM_PARAMETERS = 1_000_000_000

OnBytes = Callable[[int, int], None]
OnTensor = Callable[[str, NDArray[Any]], None]
_AS_WRITTEN: Mapping[str, NDArray[np.integer]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PartFormats:
    """The row format of each part of the model.

    attention  qkv and out
    ffn_first  the rows that decide which neurons are active: gate, or up where there is no gate
    ffn_rest   up and down
    embedding  the embedding and the output projection
    """

    attention: str
    ffn_first: str
    ffn_rest: str
    embedding: str

    @property
    def of_step(self) -> tuple[str, str, str, str]:
        """As the decode step takes them: attention, the first product, the rest of the feed-forward, the head."""
        return self.attention, self.ffn_first, self.ffn_rest, self.embedding

    def of(self, name: str) -> RowFormat:
        part = {
            "qkv": self.attention, "out": self.attention, "gate": self.ffn_first, "up": self.ffn_rest,
            "down": self.ffn_rest, "embedding": self.embedding, "head": self.embedding, "positions": "f32",
        }[name]  # fmt: skip
        return FORMATS[part]

    def of_up(self, config: ModelConfig) -> RowFormat:
        return FORMATS[self.ffn_rest if config.is_gated else self.ffn_first]


# What a user names: int8 keeps the source's quality, int4 halves the bytes, mixed has the precision where few rows are
# read (up and down of the active neurons), f32 is the reference path.
WEIGHT_FORMATS = {
    "mixed": PartFormats("int4", "int4", "int8", "int8"),
    "int8": PartFormats("int8", "int8", "int8", "int8"),
    "int4": PartFormats("int4", "int4", "int4", "int8"),
    "f32": PartFormats("f32", "f32", "f32", "f32"),
}


def default_weight_format(config: ModelConfig) -> str:
    """int8 for small models, whose quality four bits hurt and whose bytes hardly matter; mixed from a billion weights.

    The losses are measured in docs/benchmarks.md.
    """
    return "mixed" if config.n_parameters >= MIXED_FROM_PARAMETERS else "int8"


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """A tensor of the file: uint8 (rows, stride) or, with stride 0, float32 (rows,)."""

    name: str
    rows: int
    stride: int

    @property
    def n_bytes(self) -> int:
        return self.rows * (self.stride or 4)


def tensor_specs(config: ModelConfig, parts: PartFormats, tokenizer_bytes: int) -> list[TensorSpec]:
    """Every tensor in file order.

    Vectors are padded with zeros to 64 values; matrices hold one row a neuron or output.
    """

    def vector(name: str, values: int) -> TensorSpec:
        return TensorSpec(name, round_up(values, ALIGNMENT), 0)

    def norm(name: str) -> list[TensorSpec]:
        weight = vector(name, config.width)
        return [weight, vector(name + "_bias", config.width)] if config.norm == "layer" else [weight]

    def matrix(prefix: str, name: str, rows: int, columns: int) -> TensorSpec:
        return TensorSpec(prefix + name, rows, parts.of(name).stride(columns))

    specs = [matrix("", "embedding", config.n_vocab, config.width)]
    if config.has_learned_positions:
        specs.append(matrix("", "positions", config.context_tokens, config.width))
    for layer in range(config.n_layers):
        prefix = f"layers.{layer}."
        specs += norm(prefix + "attention_norm")
        specs.append(matrix(prefix, "qkv", config.qkv_width, config.width))
        if config.has_qkv_bias:
            specs.append(vector(prefix + "qkv_bias", config.qkv_width))
        specs.append(matrix(prefix, "out", config.width, config.attention_width))
        if config.has_out_bias:
            specs.append(vector(prefix + "out_bias", config.width))
        specs += norm(prefix + "ffn_norm")
        if config.is_gated:
            specs.append(matrix(prefix, "gate", config.n_neurons, config.width))
        specs.append(TensorSpec(prefix + "up", config.n_neurons, parts.of_up(config).stride(config.width)))
        if config.has_ffn_bias:
            specs.append(vector(prefix + "first_bias", config.n_neurons))
            if config.is_gated:
                specs.append(vector(prefix + "up_bias", config.n_neurons))
        specs.append(matrix(prefix, "down", config.n_neurons, config.width))
        if config.has_ffn_bias:
            specs.append(vector(prefix + "down_bias", config.width))
    if config.residual != "post":
        specs += norm("final_norm")
    if not config.is_tied:
        specs.append(matrix("", "head", config.n_vocab, config.width))
    return [*specs, TensorSpec("tokenizer", tokenizer_bytes, 1)]


@dataclass(frozen=True, slots=True)
class PackedModel:
    """An opened packed file: its header, checked against the file; tensors are read with `read`."""

    path: Path
    config: ModelConfig
    weight_format: str
    tokenizer: TokenizerFacts
    source: str
    note: str
    remarks: tuple[str, ...]
    data_start: int
    tensors: Mapping[str, tuple[TensorSpec, int]]
    checksums: tuple[int, ...]

    @property
    def parts(self) -> PartFormats:
        return WEIGHT_FORMATS[self.weight_format]

    @property
    def data_bytes(self) -> int:
        return sum(spec.n_bytes for spec, _ in self.tensors.values())

    @property
    def part_bytes(self) -> dict[str, int]:
        """Bytes by part: attention, feed-forward, embedding and head, other."""
        parts = {"attention": 0, "feed-forward": 0, "embedding and head": 0, "other": 0}
        of = {
            "qkv": "attention", "out": "attention", "gate": "feed-forward", "up": "feed-forward",
            "down": "feed-forward", "embedding": "embedding and head", "head": "embedding and head",
        }  # fmt: skip
        for name, (spec, _) in self.tensors.items():
            parts[of.get(name.rpartition(".")[2], "other")] += spec.n_bytes
        return parts

    def read(
        self, on_bytes: OnBytes, row_orders: Mapping[str, NDArray[np.integer]] = _AS_WRITTEN,
        on_tensor: OnTensor = lambda name, tensor: None,
    ) -> dict[str, NDArray[Any]]:  # fmt: skip
        """All tensors in one private block of memory, each checked against its CRC.

        Private memory rather than a mapping: it gets huge pages, which row gathers need. `on_bytes(done, total)` is
        called as bytes arrive, `on_tensor(name, tensor)` as each is there; both may raise to stop.

        row_orders  by a tensor's name the numbers of its first rows in the order in which they are to lie, each once;
                    such a tensor is read into memory of its own first, which is used for the next as well

        Raises FileMissing or DamagedFile.
        """
        total, done, told = self.data_bytes, 0, 0
        tensors = self._views(weight_memory(total))
        moved = [self.tensors[name][0].n_bytes for name in row_orders if name in self.tensors]
        unordered = np.empty(max(moved, default=0), np.uint8)
        try:
            with self.path.open("rb", buffering=0) as file:
                file.seek(self.data_start)
                for (name, tensor), checksum in zip(tensors.items(), self.checksums, strict=True):
                    order = row_orders.get(name)
                    target = unordered[: tensor.nbytes] if order is not None else tensor.reshape(-1).view(np.uint8)
                    for count in self._fill(file, target, name, checksum):
                        done += count
                        if done - told >= _READ_BYTES or done == total:
                            told = done
                            on_bytes(done, total)
                    if order is not None:
                        rows = target.view(tensor.dtype).reshape(tensor.shape)
                        np.take(rows, order, axis=0, out=tensor[: len(order)], mode="clip")
                        tensor[len(order) :] = rows[len(order) :]
                    on_tensor(name, tensor)
        except OSError as error:
            raise FileMissing(str(self.path), error.strerror or str(error)) from error
        return tensors

    def map(self) -> dict[str, NDArray[Any]]:
        """All tensors as views of a read-only mapping, for models that exceed memory; checksums are not checked."""
        return self._views(np.memmap(self.path, np.uint8, "r", self.data_start, (self.data_bytes,)))

    def open_rows(self) -> "PackedRows":
        """The file, held open for reading single rows of what was loaded from it.

        Raises FileMissing or, where another file has taken its place, DamagedFile.
        """
        try:
            file = self.path.open("rb", buffering=0)
        except OSError as error:
            raise FileMissing(str(self.path), error.strerror or str(error)) from error
        try:
            found = _read_header(self.path, file, os.fstat(file.fileno()).st_size)
            if found != self:
                raise DamagedFile(str(self.path), "another model has taken this one's place")
            return PackedRows(self, file)
        except BaseException:
            file.close()
            raise

    def _fill(self, file: FileIO, target: NDArray[np.uint8], name: str, checksum: int) -> Iterator[int]:
        """Read a tensor's bytes from where the file stands; yields how many as they arrive, then checks them."""
        view, done, crc = target.data, 0, 0
        while done < len(view):
            count = file.readinto(view[done : done + _READ_BYTES])
            if not count:
                raise DamagedFile(str(self.path), f"the file ends in tensor {name}, {len(view) - done} bytes early")
            crc = zlib.crc32(view[done : done + count], crc)
            done += count
            yield count
        if crc != checksum:
            raise DamagedFile(str(self.path), f"tensor {name} does not match its checksum")

    def _views(self, block: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
        """Every tensor of the file's data, in file order."""
        out: dict[str, NDArray[Any]] = {}
        for name, (spec, offset) in self.tensors.items():
            raw = block[offset : offset + spec.n_bytes]
            out[name] = raw.reshape(spec.rows, spec.stride) if spec.stride else raw.view(np.float32)
        return out


class PackedRows:
    """Single rows of a packed file that stays open; made by `PackedModel.open_rows`. One thread uses it at a time."""

    def __init__(self, model: PackedModel, file: FileIO) -> None:
        self._model, self._file = model, file

    def read(self, name: str, numbers: NDArray[np.integer], out: Bytes) -> None:
        """out[i] = row numbers[i] of a tensor of rows; numbers may be in any order, each at most once.

        Reads in the file's order, and rows between as well where few are left out. A tensor that is read whole is
        checked against its CRC. Raises FileMissing or DamagedFile.
        """
        spec, offset = self._model.tensors[name]
        places = np.argsort(numbers)
        wanted = np.asarray(numbers, np.int64)[places]
        most = max(1, _READ_BYTES // spec.stride)
        buffer = np.empty((min(most, spec.rows), spec.stride), np.uint8)
        begin, crc = 0, 0
        while begin < len(wanted):
            first = int(wanted[begin])
            end = int(np.searchsorted(wanted, first + most))
            gaps = np.flatnonzero(np.diff(wanted[begin:end]) * spec.stride > _READ_OVER_BYTES)
            end = begin + int(gaps[0]) + 1 if len(gaps) else end
            rows = buffer[: int(wanted[end - 1]) + 1 - first]
            self._read_at(self._model.data_start + offset + first * spec.stride, rows.reshape(-1), name)
            crc = zlib.crc32(rows.reshape(-1).data, crc)
            out[places[begin:end]] = rows[wanted[begin:end] - first]
            begin = end
        if len(wanted) == spec.rows and crc != self._checksum(name):
            raise DamagedFile(str(self._model.path), f"tensor {name} does not match its checksum")

    def close(self) -> None:
        self._file.close()

    def _checksum(self, name: str) -> int:
        return dict(zip(self._model.tensors, self._model.checksums, strict=True))[name]

    def _read_at(self, position: int, target: NDArray[np.uint8], name: str) -> None:
        view, done = target.data, 0
        try:
            self._file.seek(position)
            while done < len(view):
                count = self._file.readinto(view[done:])
                if not count:
                    raise DamagedFile(str(self._model.path), f"the file ends in tensor {name}")
                done += count
        except OSError as error:
            raise FileMissing(str(self._model.path), error.strerror or str(error)) from error


def aligned_empty(n_bytes: int) -> NDArray[np.uint8]:
    raw = np.empty(n_bytes + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + n_bytes]


# Reading ----------------------------------------------------------------------------------------------------------


def open_packed(path: Path) -> PackedModel:
    """Read and check the header. Raises FileMissing, ForeignFile, DamagedFile or PackedVersionMismatch."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would be waited on for ever
            raise ForeignFile(str(path), "an Ember model", "something that is no ordinary file")
        with path.open("rb") as file:
            return _read_header(path, file, os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    except EngineError as error:
        if isinstance(error, DamagedFile) and not error.path:
            error.path = str(path)
        raise


def _read_header(path: Path, file: BinaryIO, size: int) -> PackedModel:
    prefix = file.read(8)
    header_bytes = int.from_bytes(prefix, "little") if len(prefix) == 8 else 0
    if not 2 <= header_bytes <= min(_MAX_HEADER, max(size - 8, 0)):
        raise ForeignFile(str(path), "an Ember model", f"{size} bytes that do not begin with a header")
    try:
        header = json.loads(file.read(header_bytes))
        metadata = header["__metadata__"]
        name, version = metadata["format"], int(metadata["version"])
    except _HEADER_ERRORS as error:
        raise ForeignFile(str(path), "an Ember model", "a file without our metadata") from error
    if name != FORMAT_NAME:
        raise ForeignFile(str(path), "an Ember model", f"a file of format {name!r}")
    if version != FORMAT_VERSION:
        raise PackedVersionMismatch(str(path), version, FORMAT_VERSION)
    try:
        return _checked_model(path, header, metadata, 8 + header_bytes, size, file)
    except _HEADER_ERRORS as error:
        raise DamagedFile(str(path), "its header cannot be read") from error


def _checked_model(
    path: Path, header: dict[str, Any], metadata: dict[str, str], data_start: int, size: int, file: BinaryIO
) -> PackedModel:
    config = config_from_json(json.loads(metadata["config"]))
    weight_format = metadata["weight_format"]
    if weight_format not in WEIGHT_FORMATS:
        raise DamagedFile(str(path), f"weight format {weight_format!r}")
    text_begin, text_end = header["tokenizer"]["data_offsets"]
    specs = tensor_specs(config, WEIGHT_FORMATS[weight_format], int(text_end) - int(text_begin))
    if json.loads(metadata["tensors"]) != [s.name for s in specs]:
        raise DamagedFile(str(path), "the list of tensors does not fit the configuration")
    tensors: dict[str, tuple[TensorSpec, int]] = {}
    offset = 0
    for spec in specs:
        if header[spec.name] != _entry(spec, offset):
            raise DamagedFile(str(path), f"tensor {spec.name} is not where it must be")
        tensors[spec.name] = (spec, offset)
        offset += spec.n_bytes
    if data_start % ALIGNMENT or size != data_start + offset:
        raise DamagedFile(str(path), f"the file has {size} bytes, expected {data_start + offset}")
    checksums = bytes.fromhex(metadata["checksums"])
    if len(checksums) != 4 * len(specs):
        raise DamagedFile(str(path), "checksums are missing")
    crcs = struct.unpack(f">{len(specs)}I", checksums)
    text_spec, text_offset = tensors["tokenizer"]
    file.seek(data_start + text_offset)
    text = file.read(text_spec.n_bytes)
    if zlib.crc32(text) != crcs[-1]:
        raise DamagedFile(str(path), "tensor tokenizer does not match its checksum")
    return PackedModel(
        path=path,
        config=config,
        weight_format=weight_format,
        tokenizer=facts_from_json(json.loads(metadata["tokenizer"]), text),
        source=str(metadata["source"]),
        note=str(metadata["note"]),
        remarks=tuple(str(r) for r in json.loads(metadata["remarks"])),
        data_start=data_start,
        tensors=tensors,
        checksums=crcs,
    )


def _entry(spec: TensorSpec, offset: int) -> dict[str, Any]:
    shape = [spec.rows, spec.stride] if spec.stride else [spec.rows]
    return {"dtype": "U8" if spec.stride else "F32", "shape": shape, "data_offsets": [offset, offset + spec.n_bytes]}


# Writing ----------------------------------------------------------------------------------------------------------


class PackedWriter:
    """Writes the tensors of one model in file order; made by `create_packed`."""

    def __init__(self, file: BinaryIO, specs: list[TensorSpec]) -> None:
        self.path: Path | None = None  # where the file ended up, once it is whole
        self._file = file
        self._specs = specs
        self._checksums: list[int] = []

    def write(self, name: str, tensor: Bytes | NDArray[np.float32]) -> None:
        """Append the next tensor: packed rows as specified, or a vector that is padded here."""
        spec = self._specs[len(self._checksums)]
        if spec.stride:
            data = np.ascontiguousarray(tensor)
            fits = data.dtype == np.uint8 and data.size == spec.n_bytes
        else:
            data = np.zeros(spec.rows, np.float32)
            data[: tensor.size] = tensor
            fits = tensor.size <= spec.rows
        if spec.name != name or not fits:
            raise ValueError(f"{name} {tensor.shape} is not the next tensor {spec}")
        raw = data.reshape(-1).view(np.uint8)
        self._file.write(raw.data)
        self._checksums.append(zlib.crc32(raw.data))

    def checksums(self) -> str:
        if len(self._checksums) != len(self._specs):
            raise ValueError(f"{len(self._checksums)} of {len(self._specs)} tensors were written")
        return struct.pack(f">{len(self._specs)}I", *self._checksums).hex()


@contextlib.contextmanager
def create_packed(
    path: Path,
    config: ModelConfig,
    weight_format: str,
    tokenizer: TokenizerFacts,
    *,
    source: str,
    note: str,
    remarks: tuple[str, ...] = (),
) -> Iterator[PackedWriter]:
    """A writer for a new file at `path`, which appears there only when the block ends without an error.

    Raises OutOfDisk (before writing, or when the disk fills up) or LibraryNotWritable; leaves nothing behind then.
    """
    specs = tensor_specs(config, WEIGHT_FORMATS[weight_format], len(tokenizer.data))
    needed = sum(s.n_bytes for s in specs)
    replaces = path.exists()
    partial = path.with_name(f".{path.name}.{os.getpid()}{PARTIAL_SUFFIX}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        available = shutil.disk_usage(path.parent).free
        if available < needed + _DISK_MARGIN:
            raise OutOfDisk(str(path.parent), needed + _DISK_MARGIN, available)
        with partial.open("w+b") as file:

            def put_header(checksums: str) -> None:
                file.seek(0)
                file.write(_header(config, weight_format, tokenizer, specs, source, note, remarks, checksums))

            put_header("0" * 8 * len(specs))
            writer = PackedWriter(file, specs)
            yield writer
            put_header(writer.checksums())
            file.flush()
            os.fsync(file.fileno())
        writer.path = _put_in_place(partial, path, replaces=replaces)
        _sync_folder(path.parent)
    except OSError as error:
        if error.errno in _DISK_FULL:
            free = shutil.disk_usage(path.parent).free
            raise OutOfDisk(str(path.parent), needed + _DISK_MARGIN, free) from error
        raise LibraryNotWritable(str(path.parent), error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def packed_bytes(
    config: ModelConfig, weight_format: str, tokenizer: TokenizerFacts, *, source: str, note: str,
    remarks: tuple[str, ...] = (),
) -> int:  # fmt: skip
    """Size of the file that `create_packed` makes of the same arguments, without making it."""
    specs = tensor_specs(config, WEIGHT_FORMATS[weight_format], len(tokenizer.data))
    checksums = "0" * 8 * len(specs)
    header = _header(config, weight_format, tokenizer, specs, source, note, remarks, checksums)
    return len(header) + sum(spec.n_bytes for spec in specs)


def _put_in_place(partial: Path, path: Path, *, replaces: bool) -> Path:
    """Rename, atomically. A name that was free and has been taken meanwhile by another process is left to it."""
    if replaces or not hasattr(os, "link"):
        partial.replace(path)
        return path
    for number in range(1, 1000):
        name = f"{path.name.removesuffix(SUFFIX)}-{number}{SUFFIX}"
        free = path if number == 1 else path.with_name(name)
        try:
            os.link(partial, free)
        except FileExistsError:
            continue
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            partial.replace(path)  # a file system without links
            return path
        return free
    raise FileExistsError(errno.EEXIST, f"a thousand models are named {path.name}")


def _header(
    config: ModelConfig, weight_format: str, tokenizer: TokenizerFacts, specs: list[TensorSpec], source: str,
    note: str, remarks: tuple[str, ...], checksums: str,
) -> bytes:  # fmt: skip
    metadata = {
        "format": FORMAT_NAME,
        "version": str(FORMAT_VERSION),
        "config": json.dumps(config.to_json()),
        "weight_format": weight_format,
        "tokenizer": json.dumps(facts_to_json(tokenizer)),
        "tensors": json.dumps([s.name for s in specs]),
        "source": source,
        "note": note,
        "remarks": json.dumps(remarks),
        "checksums": checksums,
    }
    header: dict[str, Any] = {"__metadata__": metadata}
    offset = 0
    for spec in specs:
        header[spec.name] = _entry(spec, offset)
        offset += spec.n_bytes
    text = json.dumps(header).encode()
    if len(text) > _MAX_HEADER - ALIGNMENT:
        raise UnsupportedModel("", "header", f"{len(text)} bytes of names and templates", f"{_MAX_HEADER} bytes")
    text += b" " * (round_up(len(text) + 8, ALIGNMENT) - len(text) - 8)
    return len(text).to_bytes(8, "little") + text


def _sync_folder(folder: Path) -> None:
    """Make a rename durable where folders can be synced (not on Windows)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
