"""Spoiled files of weights: each is refused with an error of ours, soon, in little memory, and nothing in it runs.

Two laws. A file that was built wrong on purpose is refused. A file with a few bytes changed anywhere is refused, or
gives the same numbers, or other numbers where the change hit the numbers themselves.
"""

import io
import json
import os
import pickle
import random
import struct
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save

from engine.errors import EngineError
from engine.model.powerinfer_gguf import PowerInferGguf
from engine.model.tensor_files import TensorFolder
from tests.model.weight_files import header_of, random_tensors, write_index, write_pwri, write_safetensors, write_shards

SECONDS = 10.0  # two on an idle machine; a busy one must not fail the law
GROWTH_BYTES = 150 << 20
Numbers = dict[str, np.ndarray]


def read_folder(path: Path) -> Numbers:
    with TensorFolder(path) as folder:
        return {name: folder.read(name) for name in folder.entries}


def read_pwri(path: Path) -> Numbers:
    with PowerInferGguf(path) as file:
        return {name: np.array(file.read(name)) for name in file.entries}


def outcome(read: Callable[[Path], Numbers], path: Path) -> EngineError | Numbers:
    """The error, or the numbers; a test fails where it takes long or anything else is raised."""
    begin = time.monotonic()
    try:
        return read(path)
    except EngineError as error:
        error.report()
        return error
    finally:
        assert time.monotonic() - begin < SECONDS


def assert_refused(read: Callable[[Path], Numbers], path: Path, label: str, harmless: Numbers | None = None) -> None:
    """The file is refused; where `harmless` is given it may also read as that."""
    found = outcome(read, path)
    if isinstance(found, EngineError):
        return
    if harmless is None or found.keys() != harmless.keys():
        pytest.fail(f"{label} was read as {found.keys()}", pytrace=False)
    assert all(np.array_equal(found[name], harmless[name]) for name in harmless), label


@contextmanager
def in_little_memory() -> Iterator[None]:
    """Fails where the process peaks far above what it had; only Linux can tell."""
    if not sys.platform.startswith("linux"):
        yield
        return
    reset = Path("/proc/self/clear_refs")
    try:
        reset.write_text("5")
    except OSError:
        yield
        return
    before = peak_bytes()
    yield
    assert peak_bytes() - before < GROWTH_BYTES


def peak_bytes() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


@pytest.fixture(autouse=True)
def torch_is_loaded_and_memory_watched():
    torch.zeros(1)
    with in_little_memory():
        yield


# safetensors ---------------------------------------------------------------------------------------------------------

HUGE = (1 << 31, 1 << 40, (1 << 48) + 1, 1 << 63, 1 << 64, 10**30)


def safetensors_bytes() -> bytes:
    return save(random_tensors())


def spoiled_lengths() -> Iterator[tuple[str, bytes]]:
    whole = safetensors_bytes()
    length = int.from_bytes(whole[:8], "little")
    others = [0, 1, 2, 7, length - 8, length - 1, length + 1, length + 8, len(whole) - 8, len(whole) - 7, len(whole)]
    others += [100_000_000, 100_000_001, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
    for other in others:
        yield f"header of {other} bytes", struct.pack("<Q", other) + whole[8:]
    for at in [
        0, 1, 7, 8, 9, 20, length // 2, length, length + 7, length + 8, length + 9, len(whole) - 8, len(whole) - 1,
    ]:  # fmt: skip
        yield f"cut at {at}", whole[:at]
    for more in (1, 8, 4096):
        yield f"{more} bytes more", whole + bytes(more)


def spoiled_json() -> Iterator[tuple[str, bytes]]:
    whole = safetensors_bytes()
    length = int.from_bytes(whole[:8], "little")
    text, data = whole[8 : 8 + length].rstrip(), whole[8 + length :]
    matrix = b'"F32.matrix":{"dtype":"F32","shape":[5,7],"data_offsets":[0,140]}'
    texts = {
        "empty": b"",
        "open": b"{",
        "list": b"[]",
        "null": b"null",
        "string": b'"x"',
        "no tensors": b"{}",
        "number": b"7",
        "spaces": b" " * 64,
        "zeros": bytes(64),
        "cut": text[:-1],
        "behind": text + b"x",
        "two objects": text + text,
        "mark in front": b"\xef\xbb\xbf" + text,
        "space in front": b" " + text,
        "no utf-8": text.replace(b"F32.matrix", b"F32.\xff\xfe\xfdtrix"),
        "utf-16": text.decode().encode("utf-16"),
        "nan": text.replace(b"[5,7]", b"[NaN,7]"),
        "infinity": text.replace(b"[5,7]", b"[Infinity,7]"),
        "deep lists": b'{"a":' + b"[" * 100_000,
        "deep objects": b'{"a":' * 100_000,
        "deep and closed": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        "twice": b"{" + matrix + b"," + matrix + b"}",
        "twice inside": text.replace(b'"dtype"', b'"dtype":"F32","dtype"', 1),
        "long number": text.replace(b"[5,7]", b"[" + b"9" * 10_000 + b",7]"),
        "many values": b'{"a":[' + b"1," * 5_000_000 + b"1]}",
        "comments": text.replace(b"[5,7]", b"[5,/**/7]"),
        "single quotes": text.replace(b'"', b"'"),
        "trailing comma": text[:-1] + b",}",
        "name of half a character": text.replace(b"F32.matrix", b"F32.\\ud800"),
        "name with a line break": text.replace(b"F32.matrix", b"F32.\\nmatrix"),
        "name with a zero": text.replace(b"F32.matrix", b"F32.\\u0000"),
        "endless name": text.replace(b"F32.matrix", b"F" * 100_000),
    }
    for label, changed in texts.items():
        yield label, len(changed).to_bytes(8, "little") + changed + data


def spoiled_entries() -> Iterator[tuple[str, object]]:
    """(what was changed, header) of a file whose data stay as they are."""
    header = json.loads(safetensors_bytes()[8:].partition(b"}}")[0] + b"}}")
    name = "F32.matrix"
    begin, end = header[name]["data_offsets"]
    other = header["F16.matrix"]["data_offsets"]
    fields = {
        "dtype": ["F16", "F64", "I8", "BOOL", "F31", "f32", "F32 ", "", None, 5, ["F32"], {"F32": 1}, "F8_E9", "Q4_0"],
        "shape": [
            [5, 8], [5], [35, 2], [-5, -7], [5.0, 7], [5, 7, 1.0], [True, 35], "57", None, [5, 7, 0], [5, 7, 2], [],
            [1] * 9 + [35], [[5, 7]], ["5", "7"], {"0": 5}, 35, [0], *([n] for n in HUGE), *([n, n] for n in HUGE),
            [1 << 32, 1 << 32], [1 << 63, 2], [10**400, 1],
        ],
        "data_offsets": [
            [begin + 4, end + 4], [begin - 4, end - 4], [begin, end - 4], [begin, end + 4], [end, begin],
            [begin, begin], [-4, end], [float(begin), end], [str(begin), str(end)], [begin], [begin, end, end], [],
            None, "0,4", other, [True, end], {"begin": begin}, *([n, n + end - begin] for n in HUGE),
            *([begin, n] for n in HUGE),
        ],
    }  # fmt: skip
    for field, values in fields.items():
        for value in values:
            if value != header[name][field]:
                yield f"{field} {str(value)[:60]}", {**header, name: {**header[name], field: value}}
        yield f"no {field}", {**header, name: {k: v for k, v in header[name].items() if k != field}}
    yield "a field more", {**header, name: {**header[name], "strides": [7, 1]}}
    for value in (None, 3, "F32", [], {}, [header[name]]):
        yield f"entry {value}", {**header, name: value}
    for gone in header:
        yield f"without {gone}", {k: v for k, v in header.items() if k != gone}
    yield "two tensors in one place", {**header, "again": header[name]}
    yield "a tensor of nothing inside another", {
        **header, "none": {"dtype": "F32", "shape": [0], "data_offsets": [begin + 4, begin + 4]}
    }  # fmt: skip
    for value in (None, 3, "x", [], {"a": 1}, {"a": {"b": "c"}}):
        yield f"metadata {value}", {**header, "__metadata__": value}


def all_spoiled_safetensors() -> list[tuple[str, bytes]]:
    data = header_bytes_and_data(safetensors_bytes())[1]
    cases = [*spoiled_lengths(), *spoiled_json()]
    for label, header in spoiled_entries():
        text = json.dumps(header).encode()
        cases.append((label, len(text).to_bytes(8, "little") + text + data))
    return cases


def header_bytes_and_data(whole: bytes) -> tuple[bytes, bytes]:
    end = 8 + int.from_bytes(whole[:8], "little")
    return whole[8:end], whole[end:]


def test_spoiled_safetensors_are_refused(tmp_path):
    path = tmp_path / "model.safetensors"
    for label, content in all_spoiled_safetensors():
        path.write_bytes(content)

        assert_refused(read_folder, tmp_path, label)


# Indexes -------------------------------------------------------------------------------------------------------------

FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"


def spoiled_shard_names(outside: Path) -> list[object]:
    """Names that lead out of the folder, to files that are there, or are no plain names."""
    return [
        f"../{outside.name}", f"./../{outside.name}", str(outside), f"..\\{outside.name}", f"sub/../../{outside.name}",
        f"sub/{FIRST}", f"./{FIRST}", f"/{FIRST}", f"//{FIRST}", f"{FIRST}/", f"{FIRST}/.", f"\\{FIRST}",
        f"\\\\server\\share\\{FIRST}", f"C:\\{FIRST}", f"C:{FIRST}", f"{FIRST}:stream.safetensors", f"~/{FIRST}",
        f"file://{outside}", f"https://example.org/{FIRST}", f"%2e%2e%2f{outside.name}", f"..%2f{outside.name}",
        f"..／{outside.name}", f"..∕{outside.name}", f"{FIRST}\0.safetensors", f"{FIRST}\n", f"\n{FIRST}", f" {FIRST}",
        f"{FIRST} ", f"{FIRST}.", f"-{FIRST}", f".{FIRST}", "", ".", "..", "...", "/", ".safetensors", "*.safetensors",
        "con.safetensors", "a" * 300 + ".safetensors", "model-00003-of-00002.safetensors", "config.json",
        "model.safetensors.index.json", "pytorch_model.bin", "sub", "\ud800.safetensors", "é.safetensors",
        None, 3, 1.5, True, [FIRST], {"file": FIRST}, [],
    ]  # fmt: skip


def spoiled_indexes(outside: Path, index: dict) -> Iterator[tuple[str, object]]:
    weight_map = index["weight_map"]
    for name in spoiled_shard_names(outside):
        yield f"shard {name!r}", {"weight_map": {**weight_map, "F32.matrix": name}}
    yield from {
        "empty": b"",
        "cut": json.dumps(index).encode()[:-3],
        "list": [],
        "null": None,
        "no map": {"metadata": {}},
        "deep": b'{"weight_map":' * 100_000,
        "many": b'{"weight_map":{"a":[' + b"1," * 5_000_000 + b"1]}}",
        "twice": b'{"weight_map":{"a":"' + FIRST.encode() + b'","a":"' + SECOND.encode() + b'"}}',
        "two maps": b'{"weight_map":{},"weight_map":{"a":"' + FIRST.encode() + b'"}}',
        "no utf-8": b'{"weight_map":"\xff"}',
        "zeros": bytes(100),
    }.items()
    for value in (None, [], {}, "x", 3, [["F32.matrix", FIRST]]):
        yield f"map {value}", {"weight_map": value}
    yield "a tensor that is nowhere", {"weight_map": {**weight_map, "none": FIRST}}
    yield "all in the first", {"weight_map": dict.fromkeys(weight_map, FIRST)}
    yield "changed about", {"weight_map": {k: FIRST if v == SECOND else SECOND for k, v in weight_map.items()}}
    for name, shard in weight_map.items():
        yield f"{name} elsewhere", {"weight_map": {**weight_map, name: FIRST if shard == SECOND else SECOND}}
    for name in ("\n", "x\0", "\ud800", "n" * 5000):
        yield f"tensor {name[:8]!r}", {"weight_map": {**weight_map, name: FIRST}}


@pytest.fixture
def sharded(tmp_path):
    """A folder of two shards, its index, and a readable file outside it."""
    folder, outside = tmp_path / "model", tmp_path / "outside.safetensors"
    (folder / "sub").mkdir(parents=True)
    index = write_shards(folder, random_tensors(), 2, ".safetensors")
    outside.write_bytes((folder / FIRST).read_bytes())
    (folder / "sub" / FIRST).write_bytes((folder / FIRST).read_bytes())
    return folder, outside, index


def test_spoiled_indexes_are_refused(sharded):
    folder, outside, index = sharded
    assert isinstance(outcome(read_folder, folder), dict)
    for label, content in spoiled_indexes(outside, index):
        write_index(folder, content, ".safetensors")

        assert_refused(read_folder, folder, label)


def test_spoiled_shards_are_refused(sharded):
    folder, _, index = sharded
    whole = (folder / SECOND).read_bytes()
    others: dict[str, bytes | None] = {
        "missing": None,
        "empty": b"",
        "the first": (folder / FIRST).read_bytes(),
        "cut": whole[:-1],
        "pointer": b"version https://git-lfs.github.com/spec/v1\n",
        "page": b"<!DOCTYPE html>" * 20,
        "zip": b"PK\x03\x04" * 9,
        "a folder": b"",
        "index": json.dumps(index).encode(),
    }
    for label, content in others.items():
        (folder / SECOND).unlink(missing_ok=True)
        if label == "a folder":
            (folder / SECOND).mkdir()
        elif content is not None:
            (folder / SECOND).write_bytes(content)

        assert_refused(read_folder, folder, label)
        if label == "a folder":
            (folder / SECOND).rmdir()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_out_of_the_folder_are_refused(sharded):
    folder, outside, _ = sharded
    shard = folder / FIRST
    for target in (
        outside, Path("..") / outside.name, folder / "sub", folder / "nowhere", FIRST, "/dev/zero", "/", "..",
    ):  # fmt: skip
        shard.unlink()
        shard.symlink_to(target)

        assert_refused(read_folder, folder, f"link to {target}")


# Torch files ---------------------------------------------------------------------------------------------------------


def number(value: int) -> bytes:
    if 0 <= value < 256:
        return b"K" + bytes([value])
    if -(1 << 31) <= value < 1 << 31:
        return b"J" + struct.pack("<i", value)
    raw = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(raw)]) + raw


def text(value: str) -> bytes:
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def several(*items: bytes) -> bytes:
    return b"(" + b"".join(items) + b"t"


def named(module: str, name: str) -> bytes:
    return f"c{module}\n{name}\n".encode()


def storage(kind: str = "FloatStorage", key: str = "0", count: int = 12, *more: bytes) -> bytes:
    return several(text("storage"), named("torch", kind), text(key), text("cpu"), number(count), *more) + b"Q"


def tensor(
    held: bytes | None = None, offset: int = 0, size: tuple[int, ...] = (3, 4), stride: tuple[int, ...] = (4, 1)
) -> bytes:
    hooks = named("collections", "OrderedDict") + b")R"
    sizes, strides = several(*map(number, size)), several(*map(number, stride))
    whole = several(storage() if held is None else held, number(offset), sizes, strides, b"\x89", hooks)
    return named("torch._utils", "_rebuild_tensor_v2") + whole + b"R"


def state(**tensors: bytes) -> bytes:
    return b"\x80\x02}(" + b"".join(text(name) + ops for name, ops in tensors.items()) + b"u."


DATA = np.arange(12, dtype=np.float32).tobytes()


def write_archive(path: Path, content: bytes, **records: bytes | None) -> None:
    """An archive as torch writes it; `records` adds, replaces or, with None, removes one."""
    whole = {"data.pkl": content, "byteorder": b"little", "data/0": DATA, "version": b"3\n", **records}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in whole.items():
            if data is not None:
                archive.writestr(f"w/{name}", data)


def write_legacy(path: Path, content: bytes, *, at: int = 3, data: bytes = DATA) -> None:
    """A file from before archives; `content` is its pickle number `at`, in order or in another's place."""
    pickles = [
        pickle.dumps(0x1950A86A20F9469CFC6C, 2), pickle.dumps(1001, 2), pickle.dumps({"little_endian": True}, 2),
        state(w=tensor(storage("FloatStorage", "0", 12, b"N"))), pickle.dumps(["0"], 2),
    ]  # fmt: skip
    pickles[at] = content
    path.write_bytes(b"".join(pickles) + struct.pack("<q", len(data) // 4) + data)


def spoiled_states() -> Iterator[tuple[str, bytes]]:
    """Pickles of a dictionary of one tensor that say something wrong."""
    for count in (0, 1, 11, 13, 24, (1 << 31) - 1, 1 << 31, 1 << 62, 1 << 64, -1, -12):
        yield f"storage of {count}", state(w=tensor(storage(count=count)))
    for offset in (1, 12, (1 << 31) - 1, 1 << 62, -1):
        yield f"offset {offset}", state(w=tensor(offset=offset))
    for size, stride in [
        ((3, 5), (5, 1)), ((4, 4), (4, 1)), ((1 << 20, 1 << 20), (1 << 20, 1)), ((1 << 31, 1), (1, 1)),
        ((-3, 4), (4, 1)), ((3, -4), (4, 1)), ((3, 4), (0, 1)), ((3, 4), (2, 1)), ((3, 4), (4, 0)),
        ((1 << 15, 1 << 15), (0, 0)), ((3, 4), (1,)), ((3, 4), (-4, 1)), ((3, 4), (4, 1, 1)), ((3, 4), (5, 1)),
        ((1 << 62,), (1,)), ((1 << 33, 1 << 33), (1, 1)), ((12,), (2,)),
    ]:  # fmt: skip
        yield f"size {size} stride {stride}", state(w=tensor(size=size, stride=stride))
    for kind in (
        "HalfStorage", "DoubleStorage", "IntStorage", "LongStorage", "BoolStorage", "UntypedStorage", "TypedStorage",
        "ComplexFloatStorage", "QInt8Storage", "Storage", "floatStorage", "",
    ):  # fmt: skip
        yield f"kind {kind}", state(w=tensor(storage(kind)))
    for key in ("1", "", "../0", "/0", "00", "data/0", "..\\0", "x" * 1000):
        yield f"key {key[:10]!r}", state(w=tensor(storage(key=key)))
    whole = state(w=tensor())
    for at in range(0, len(whole), 17):
        yield f"cut at {at}", whole[:at]
    yield from {
        "no end": whole[:-1],
        "behind": whole + b"N",
        "empty": b"",
        "protocol 0": whole.replace(b"\x80\x02", b"\x80\x00", 1),
        "protocol 4": whole.replace(b"\x80\x02", b"\x80\x04", 1),
        "protocol 255": whole.replace(b"\x80\x02", b"\x80\xff", 1),
        "a list": b"\x80\x02]" + tensor() + b"a.",
        "a number": b"\x80\x02K\x05.",
        "nothing": b"\x80\x02N.",
        "a name twice removed": b"\x80\x02}(K\x01" + tensor() + b"u.",
        "nested": state(w=b"}" + text("w") + tensor() + b"s"),
        "no such memory": b"\x80\x02h\x05.",
        "empty stack": b"\x80\x02R.",
        "pop": b"\x80\x020.",
        "marks": b"\x80\x02" + b"(" * 500_000,
        "deep": b"\x80\x02" + b"]" * 200_000 + b"a" * 199_999 + b".",
        "half a name": state(**{"w\n": tensor()}),
        "persistent number": b"\x80\x02K\x01Q.",
        "persistent text": b"\x80\x02P0\n.",
        "other": state(w=tensor(several(text("module")) + b"Q")),
        "long text": b"\x80\x02X\xff\xff\xff\xff.",
        "long number": b"\x80\x02\x8b\xff\xff\xff\x7f.",
        "bytearray": b"\x80\x02\x96" + b"\xff" * 8 + b".",
        "empty name": state(**{"": tensor()}),
        "endless name": state(**{"n" * 5000: tensor()}),
        "attributes": b"\x80\x02"
        + named("collections", "OrderedDict")
        + b")R"
        + b"}"
        + text("items")
        + b"K\x01sb"
        + text("w")
        + b"]s.",
        "memory bomb": b"\x80\x02" + named("builtins", "bytearray") + number(1 << 40) + b"\x85R.",
    }.items()


def spoiled_archives() -> Iterator[tuple[str, Callable[[Path], None]]]:
    """(what was changed, how to write it) beyond the pickle: records and the archive's own structure."""
    good = state(w=tensor())

    def with_records(**records: bytes | None) -> Callable[[Path], None]:
        return lambda path: write_archive(path, good, **records)

    def changed(change: Callable[[bytearray], bytes | bytearray]) -> Callable[[Path], None]:
        def write(path: Path) -> None:
            write_archive(path, good)
            path.write_bytes(change(bytearray(path.read_bytes())))

        return write

    def compressed(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in {"data.pkl": good, "data/0": DATA}.items():
                archive.writestr(f"w/{name}", data)

    def bomb(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr("w/data.pkl", bytes(50 << 20))

    def twice(path: Path) -> None:
        write_archive(path, good)
        with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("w/data.pkl", good)

    def outside(path: Path) -> None:
        write_archive(path, good)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("../escaped", b"x")

    for label, records in {
        "no pickle": {"data.pkl": None},
        "no storage": {"data/0": None},
        "short storage": {"data/0": DATA[:-4]},
        "long storage": {"data/0": DATA + bytes(4)},
        "a storage more": {"data/1": DATA},
        "big-endian": {"byteorder": b"big"},
        "no order": {"byteorder": b"middle"},
        "script": {"constants.pkl": b"\x80\x02)."},
        "code": {"code/w.py": b"import os"},
        "long pickle": {"data.pkl": bytes(5 << 20)},
        "long version": {"version": bytes(5 << 20)},
    }.items():
        yield label, with_records(**records)
    yield from {"compressed": compressed, "bomb": bomb, "twice": twice, "outside": outside}.items()
    buffer = io.BytesIO()
    write_archive(buffer, good)  # type: ignore[arg-type]
    size = len(buffer.getvalue())
    for at in range(4, size, size // 25):
        yield f"cut at {at}", changed(lambda raw, at=at: raw[:at])
    directory = buffer.getvalue().index(b"PK\x01\x02")
    for label, at, value in [
        ("encrypted", directory + 8, b"\1\0"), ("method", directory + 10, b"\x08\0"),
        ("checksum", directory + 16, bytes(4)), ("packed size", directory + 20, b"\xff" * 4),
        ("size", directory + 24, b"\xff" * 4), ("offset", directory + 42, b"\xf0" * 4),
        ("directory's offset", size - 6, b"\xf0" * 4), ("directory's size", size - 10, b"\xf0" * 4),
        ("local name's length", 26, b"\xff\xff"), ("local extra's length", 28, b"\xff\xff"),
        ("local method", 8, b"\x08\0"),
    ]:  # fmt: skip
        yield label, changed(lambda raw, at=at, value=value: raw[:at] + value + raw[at + len(value) :])


def spoiled_legacy() -> Iterator[tuple[str, Callable[[Path], None]]]:
    for label, content in spoiled_states():
        # Only the storage's tuple is longer in these files; the wrong numbers stay as wrong.
        yield label, lambda path, content=content: write_legacy(path, content.replace(b"tQ", b"NtQ"))
    good = state(w=tensor(storage("FloatStorage", "0", 12, b"N")))
    for at, content in [
        (0, pickle.dumps(1, 2)), (0, b""), (1, pickle.dumps(1002, 2)), (1, b""),
        (2, pickle.dumps({"little_endian": False}, 2)), (4, pickle.dumps(["1"], 2)), (4, pickle.dumps([], 2)),
        (4, pickle.dumps(["0", "0"], 2)), (4, b""), (4, pickle.dumps(3, 2)),
    ]:  # fmt: skip
        yield (
            f"pickle {at} is {content[:12]!r}",
            lambda path, at=at, content=content: write_legacy(path, content, at=at),
        )
    for data in (b"", DATA[:-4], DATA[:-1], DATA + bytes(4), DATA * 2):
        yield f"{len(data)} bytes", lambda path, data=data: write_legacy(path, good, data=data)


def test_the_hand_made_torch_files_are_right_before_they_are_spoiled(tmp_path):
    path = tmp_path / "pytorch_model.bin"
    for write in (
        lambda: write_archive(path, state(w=tensor())),
        lambda: write_legacy(path, state(w=tensor(storage("FloatStorage", "0", 12, b"N")))),
    ):
        write()
        assert read_folder(tmp_path)["w"].tolist() == np.arange(12).reshape(3, 4).tolist()


def test_spoiled_torch_files_are_refused(tmp_path):
    path = tmp_path / "pytorch_model.bin"
    for label, content in spoiled_states():
        write_archive(path, content)
        assert_refused(read_folder, tmp_path, f"archive, {label}")
    for label, write in spoiled_archives():
        write(path)
        assert_refused(read_folder, tmp_path, f"archive, {label}")
    for label, write in spoiled_legacy():
        write(path)
        # Torch makes a storage that was announced too small as large as its tensor, and fills it from the file.
        assert_refused(read_folder, tmp_path, f"legacy, {label}", {"w": np.arange(12, dtype=np.float32).reshape(3, 4)})


def payloads(marker: Path) -> Iterator[tuple[str, bytes]]:
    """Pickles that would create `marker`, or reach for what could; each by another opcode or function."""
    code, command = f"open({str(marker)!r}, 'w').close()", f"touch {marker}"
    calls = [
        ("os", "system", command), ("posix", "system", command), ("nt", "system", command), ("os", "popen", command),
        ("os", "mkdir", str(marker)), ("posix", "mkdir", str(marker)), ("subprocess", "getoutput", command),
        ("subprocess", "check_output", f"mkdir {marker}"), ("commands", "getoutput", command),
        ("builtins", "exec", code), ("builtins", "eval", code), ("__builtin__", "eval", code),
        ("builtins", "compile", code), ("builtins", "__import__", "antigravity"),
        ("__builtin__", "execfile", str(marker)), ("builtins", "getattr", "x"), ("builtins", "bytearray", "x"),
        ("importlib", "import_module", "this"), ("runpy", "run_path", str(marker)), ("pickle", "loads", "x"),
        ("_pickle", "loads", "x"), ("torch", "load", str(marker)), ("torch.hub", "load", "x"),
        ("torch.jit", "load", str(marker)), ("torch._utils", "_rebuild_tensor_v3", "x"), ("torch", "Tensor", "x"),
        ("torch.serialization", "_get_layout", "torch.strided"), ("torch.storage", "_load_from_bytes", "x"),
        ("numpy.core.multiarray", "_reconstruct", "x"), ("numpy", "load", str(marker)), ("_codecs", "encode", "x"),
        ("shutil", "rmtree", str(marker.parent / "none")), ("webbrowser", "open", "about:blank"),
        ("pty", "spawn", "true"), ("code", "interact", "x"), ("functools", "partial", "x"),
        ("operator", "attrgetter", "system"), ("collections", "Counter", "x"), ("collections", "OrderedDict\0", "x"),
        ("torch.\\x5futils", "_rebuild_tensor_v2", "x"),
        ("io", "open", str(marker)),
    ]  # fmt: skip
    for module, name, argument in calls:
        yield f"{module}.{name}", b"\x80\x02" + named(module, name) + text(argument) + b"\x85R."
    system, argument = named("posix", "system"), text(command)
    short = b"\x8c\x05posix\x8c\x06system\x93"
    yield from {
        "in a value": state(w=tensor(), x=system + argument + b"\x85R"),
        "as a key": b"\x80\x02}" + system + argument + b"\x85RK\x01s.",
        "in a tensor": state(w=tensor(system + argument + b"\x85R")),
        "by INST": b"\x80\x02(" + argument + b"iposix\nsystem\n.",
        "by OBJ": b"\x80\x02(" + system + argument + b"o.",
        "by NEWOBJ": b"\x80\x02" + system + argument + b"\x85\x81.",
        "by NEWOBJ_EX": b"\x80\x04" + system + argument + b"\x85}\x92.",
        "by STACK_GLOBAL": b"\x80\x04" + short + argument + b"\x85R.",
        "by STACK_GLOBAL in protocol 2": b"\x80\x02" + short + argument + b"\x85R.",
        "by EXT1": b"\x80\x02\x82\x01.",
        "by BUILD": b"\x80\x02" + named("torch", "device") + b")\x81}" + text("__setstate__") + system + b"sb.",
        "without a protocol": system + argument + b"\x85R.",
        "as text": b"cposix\nsystem\n(S'" + command.encode() + b"'\ntR.",
        "after memory": b"\x80\x02" + system + b"q\x00" + argument + b"\x85h\x00" + argument + b"\x85R.",
        "after the end": b"\x80\x02}." + system + argument + b"\x85R.",
        "only named": b"\x80\x02" + system + b".",
        "deep": b"\x80\x02" + b"]" * 50 + system + argument + b"\x85R" + b"a" * 50 + b".",
    }.items()


def test_code_in_torch_files_is_refused_and_not_run(tmp_path):
    path, marker = tmp_path / "pytorch_model.bin", tmp_path / "executed"
    modules = set(sys.modules)
    for label, content in payloads(marker):
        write_archive(path, content)
        assert_refused(read_folder, tmp_path, f"archive, {label}")
        for at in range(5):
            write_legacy(path, content, at=at)
            assert_refused(read_folder, tmp_path, f"legacy {at}, {label}")
        path.write_bytes(content)
        assert_refused(read_folder, tmp_path, f"bare, {label}")

        assert not marker.exists(), label
    assert not {"antigravity", "this", "pty"} & (set(sys.modules) - modules)


# PowerInfer's GGUF ---------------------------------------------------------------------------------------------------


def spoiled_pwri(whole: bytes) -> Iterator[tuple[str, bytes]]:
    def put(at: int, value: bytes) -> bytes:
        return whole[:at] + value + whole[at + len(value) :]

    for magic in (b"GGUF", b"IRWP", b"pwri", b"PWRJ", b"ggml", b"\0\0\0\0", b"PK\x03\x04"):
        yield f"magic {magic!r}", put(0, magic)
    for version in (0, 1, 4, 5, 1 << 24, 3 << 24, (1 << 32) - 1):
        yield f"version {version}", put(4, struct.pack("<I", version))
    n_tensors, n_fields = struct.unpack("<QQ", whole[8:24])
    for count in (0, 1, n_tensors - 1, n_tensors + 1, 1 << 20, 1 << 32, 1 << 63, (1 << 64) - 1):
        yield f"{count} tensors", put(8, struct.pack("<Q", count))
    for count in (0, 1, n_fields - 1, n_fields + 1, 1 << 20, 1 << 32, 1 << 63, (1 << 64) - 1):
        yield f"{count} fields", put(16, struct.pack("<Q", count))
    for length in (0, 1 << 16, 1 << 32, 1 << 63, (1 << 64) - 1):
        yield f"key of {length}", put(24, struct.pack("<Q", length))
    kind = whole.index(b"tokenizer.ggml.scores") + len("tokenizer.ggml.scores")
    for value in (13, 255, 1 << 31, 8, 10):
        yield f"value of type {value}", put(kind, struct.pack("<I", value))
        yield f"list of type {value}", put(kind + 4, struct.pack("<I", value))
    for length in (0, 2, 4, 1 << 20, 1 << 32, 1 << 63, (1 << 64) - 1):
        yield f"list of {length}", put(kind + 8, struct.pack("<Q", length))
    for name in (b"blk.1.ffn_down_t.weight", b"token_embd.weight", b"blk.2.fc1.weight"):
        at = whole.index(name) + len(name)
        kind, offset = at + 4 + 16, at + 4 + 16 + 4
        dims = struct.unpack("<QQ", whole[at + 4 : at + 20])
        begin = struct.unpack("<Q", whole[offset : offset + 8])[0]
        for count in (0, 1, 3, 4, 5, 1 << 20, (1 << 32) - 1):
            yield f"{name!r} {count} dimensions", put(at, struct.pack("<I", count))
        for pair in [
            (0, dims[1]), (dims[0] + 1, dims[1]), (dims[0], dims[1] + 1), (1 << 32, 1 << 32), (1 << 63, 2),
            (dims[0], 1 << 60), (1 << 62, 1), ((1 << 64) - 1, (1 << 64) - 1), (dims[0] * 2, dims[1] * 2), (1, 1),
        ]:  # fmt: skip
            yield f"{name!r} dimensions {pair}", put(at + 4, struct.pack("<QQ", *pair))
        for value in (0, 2, 3, 4, 5, 8, 14, 15, 16, 18, 24, 26, 30, 39, 255, 1 << 31):
            yield f"{name!r} type {value}", put(kind, struct.pack("<I", value))
        for other in (
            begin + 1, begin + 32, max(begin - 32, 7), begin + 64, 1 << 32, 1 << 63, (1 << 64) - 1, (1 << 64) - 32,
        ):  # fmt: skip
            yield f"{name!r} at {other}", put(offset, struct.pack("<Q", other))
    second = whole.index(b"blk.1.fc2.weight")
    yield "a name twice", put(second, b"blk.0.fc2.weight")
    yield "no text", put(whole.index(b"token_embd"), b"\xff\xfe")
    yield "a line break", put(whole.index(b"token_embd"), b"\n")
    yield "half a predictor", put(second, b"blk.7.fc2.weight")
    yield "threshold", put(whole.index(b"powerinfer.sparse_threshold") + 31, struct.pack("<f", float("nan")))
    yield (
        "a card's index",
        whole.replace(
            b"general.architecture\x08\0\0\0\x05\0\0\0\0\0\0\0llama",
            b"general.architecture\x08\0\0\0\x11\0\0\0\0\0\0\0generic.gpu_index",
        ),
    )
    for at in range(1, len(whole), len(whole) // 40):
        yield f"cut at {at}", whole[:at]
    for more in (32, 4096):
        yield f"{more} bytes more", whole + bytes(more)


def test_spoiled_powerinfer_files_are_refused(tmp_path):
    path = write_pwri(tmp_path / "p.gguf")
    whole = path.read_bytes()
    for label, content in spoiled_pwri(whole):
        assert content != whole, label
        path.write_bytes(content)

        assert_refused(read_pwri, path, label)


# Bytes changed at random ---------------------------------------------------------------------------------------------


def test_there_are_enough_mutations(tmp_path, sharded):
    pwri = write_pwri(tmp_path / "p.gguf").read_bytes()
    n_torch = (
        2 * sum(1 for _ in spoiled_states())
        + sum(1 for _ in spoiled_archives())
        + 7 * sum(1 for _ in payloads(tmp_path))
    )

    counts = {
        "safetensors": len(all_spoiled_safetensors()),
        "indexes": sum(1 for _ in spoiled_indexes(sharded[1], sharded[2])),
        "torch": n_torch,
        "powerinfer": sum(1 for _ in spoiled_pwri(pwri)),
    }

    assert min(counts.values()) >= 60
    assert sum(counts.values()) >= 300


def assert_same_numbers(found: Numbers, expected: Numbers, label: object) -> None:
    """The same values, under whatever names and shapes a change of a name or the order of sizes leaves them."""
    left = sorted(np.sort(values, axis=None).tobytes() for values in found.values())
    right = sorted(np.sort(values, axis=None).tobytes() for values in expected.values())
    assert left == right, label


def flips(whole: bytes, end: int, seed: int, count: int) -> Iterator[tuple[list[int], bytes]]:
    """The file with one to four of its first `end` bytes changed."""
    rng = random.Random(seed)
    for _ in range(count):
        changed = bytearray(whole)
        places = [rng.randrange(end) for _ in range(rng.choice([1, 1, 1, 2, 4]))]
        for at in places:
            changed[at] = rng.choice([changed[at] ^ (1 << rng.randrange(8)), rng.randrange(256), 0, 255])
        yield places, bytes(changed)


@pytest.mark.parametrize("seed", range(3))
def test_changed_bytes_of_a_safetensors_header_are_refused_or_harmless(tmp_path, seed):
    whole = safetensors_bytes()
    path = tmp_path / "model.safetensors"
    path.write_bytes(whole)
    expected = read_folder(tmp_path)
    for places, content in flips(whole, 8 + int.from_bytes(whole[:8], "little"), seed, 150):
        path.write_bytes(content)
        found = outcome(read_folder, tmp_path)
        if isinstance(found, dict):
            assert_same_numbers(found, expected, places)


def test_changed_bytes_of_a_torch_archive_are_refused_or_harmless(tmp_path):
    """The same numbers come out where none of them was hit, and as many in any case."""
    path = tmp_path / "pytorch_model.bin"
    torch.save(random_tensors(), path)
    whole = path.read_bytes()
    expected = read_folder(tmp_path)
    with zipfile.ZipFile(path) as archive:
        stored = [archive.read(name) for name in archive.namelist() if "/data/" in name]
    numbers = [range(at, at + len(data)) for data in stored if (at := whole.index(data)) > 0]
    for places, content in flips(whole, len(whole), 4, 300):
        path.write_bytes(content)
        found = outcome(read_folder, tmp_path)
        if isinstance(found, dict):
            assert {name: v.shape for name, v in found.items()} == {name: v.shape for name, v in expected.items()}, (
                places
            )
            if not any(at in part for at in places for part in numbers):
                assert_same_numbers(found, expected, places)


def test_changed_bytes_of_an_old_torch_file_are_refused_or_read(tmp_path):
    """Nothing in these files checks them: a size may become smaller, which only who knows the model can see."""
    path = tmp_path / "pytorch_model.bin"
    torch.save(random_tensors(), path, _use_new_zipfile_serialization=False)
    whole = path.read_bytes()
    for _, content in flips(whole, len(whole), 4, 300):
        path.write_bytes(content)

        outcome(read_folder, tmp_path)


def test_changed_bytes_of_a_pickle_in_a_sound_archive_are_refused_or_read(tmp_path):
    path = tmp_path / "pytorch_model.bin"
    whole = state(w=tensor(), bias=tensor(size=(4,), stride=(1,)), other=tensor(storage("HalfStorage", "1", 24)))
    for _, content in flips(whole, len(whole), 6, 300):
        write_archive(path, content, **{"data/1": DATA})

        outcome(read_folder, tmp_path)


def test_changed_bytes_of_a_powerinfer_header_are_refused_or_harmless(tmp_path):
    """None of these 300 makes a vector grow into the padding behind it; that one only who knows the model can see."""
    path = write_pwri(tmp_path / "p.gguf")
    whole = path.read_bytes()
    expected = read_pwri(path)
    header = len(whole) - sum(-(-entry.n_bytes // 32) * 32 for entry in entries_of(path))
    for places, content in flips(whole, header, 5, 300):
        path.write_bytes(content)
        found = outcome(read_pwri, path)
        if isinstance(found, dict):
            assert_same_numbers(found, expected, places)


def entries_of(path: Path) -> list:
    with PowerInferGguf(path) as file:
        return list(file.entries.values())


def test_headers_written_again_unchanged_still_read(tmp_path):
    """The laws above mean something only if the tools that spoil files do not spoil them by themselves."""
    path = tmp_path / "model.safetensors"
    path.write_bytes(safetensors_bytes())
    expected = read_folder(tmp_path)

    write_safetensors(path, *header_of(path))

    assert_same_numbers(read_folder(tmp_path), expected, "unchanged")
