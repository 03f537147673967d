"""A file of named arrays with a header: how tiers, profiles and the sums of studies lie on disk.

A zip of numpy arrays without compression (`numpy.savez`), whose member "header" is JSON in bytes. It is written whole,
read without pickle, and nothing larger than the caller expects is ever allocated. What the arrays mean is the caller's.
"""

import contextlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import UNREADABLE_PART, DamagedFile, FileMissing, LibraryNotWritable

Arrays = dict[str, NDArray[Any]]

_HEADER = "header"
# What a zip and the arrays' own headers add to the arrays.
_OVERHEAD_BYTES = 1 << 20
_READ_ERRORS = (
    ValueError, LookupError, TypeError, AttributeError, EOFError, OverflowError, RuntimeError, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip


def write_arrays(path: Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a header of plain values and arrays, none of them named "header". Raises LibraryNotWritable."""
    buffer = io.BytesIO()
    content = np.frombuffer(json.dumps(dict(header)).encode(), np.uint8)
    np.savez(buffer, allow_pickle=False, **{_HEADER: content}, **arrays)
    write_whole(path, buffer.getvalue())


def read_arrays(path: Path, most_bytes: int) -> tuple[dict[str, Any], Arrays]:
    """The inverse of `write_arrays`, for arrays of at most `most_bytes` together. Raises FileMissing or DamagedFile."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, io.SEEK_END)
            if size > most_bytes + _OVERHEAD_BYTES:
                raise DamagedFile(str(path), f"{size} bytes, expected {most_bytes} or less")
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as file:
                for entry in file.zip.infolist():
                    _check_member(file.zip, entry)
                header = json.loads(bytes(file[_HEADER]))
                if not isinstance(header, dict):
                    raise ValueError("a header that is no object")
                return header, {name: file[name] for name in file.files if name != _HEADER}
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    except _READ_ERRORS as error:
        raise DamagedFile(str(path), UNREADABLE_PART) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that under its own name it is whole or absent. Raises LibraryNotWritable."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        raise LibraryNotWritable(str(path), error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):  # where there is no such folder there is nothing to remove either
            partial.unlink(missing_ok=True)


def _check_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    """An array takes in memory what its member has in the file. Raises ValueError."""
    if entry.compress_type != zipfile.ZIP_STORED or entry.file_size > entry.compress_size:
        raise ValueError(f"member {entry.filename} is compressed")
    with archive.open(entry) as member:
        if np.lib.format.read_magic(member) != (1, 0):
            raise ValueError(f"member {entry.filename} is of another version")
        shape, _, dtype = np.lib.format.read_array_header_1_0(member)
        held = entry.file_size - member.tell()
    if dtype.hasobject or int(np.prod(shape, dtype=object)) * dtype.itemsize != held:
        raise ValueError(f"member {entry.filename} of {held} bytes holds {shape} {dtype}")
