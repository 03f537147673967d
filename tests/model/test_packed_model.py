"""The packed file: whole or absent, and refused where it is not what was written."""

import dataclasses
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import safetensors

from engine.errors import (
    Cancelled,
    DamagedFile,
    EngineError,
    FileMissing,
    ForeignFile,
    LibraryNotWritable,
    OutOfDisk,
    PackedVersionMismatch,
)
from engine.model.pack import pack
from engine.model.packed_model import open_packed
from tests.tiny_model import TINY, TinyCheckpoint

REPOSITORY = Path(__file__).parents[2]


def pack_tiny(path, weight_format="int8", on_step=lambda done, total: None, **changes):
    checkpoint = TinyCheckpoint(dataclasses.replace(TINY, **changes))
    return pack(checkpoint, path, weight_format, source="here", note="a note", on_step=on_step)


@pytest.fixture
def tiny_packed(tmp_path):
    return pack_tiny(tmp_path / "tiny.ember").path


def read(packed):
    return packed.read(lambda done, total: None)


@pytest.mark.parametrize("weight_format", ["int8", "int4", "f32"])
@pytest.mark.parametrize("is_tied", [True, False])
def test_what_is_packed_reads_back(tmp_path, weight_format, is_tied):
    packed = pack_tiny(tmp_path / "tiny.ember", weight_format, is_tied=is_tied)
    source = TinyCheckpoint(packed.config)
    tensors = read(packed)

    def unpacked(name, part):
        return packed.parts.of(part).unpack(tensors[name], TINY.width)

    assert packed == open_packed(packed.path)
    assert (packed.source, packed.note, packed.tokenizer) == ("here", "a note", source.tokenizer)
    tolerance = {"f32": 0.0, "int8": 0.01, "int4": 0.2}[weight_format]
    for layer in range(TINY.n_layers):
        prefix = f"layers.{layer}."
        qkv = np.concatenate([source.tensor(name, layer) for name in ("q", "k", "v")])
        assert np.allclose(unpacked(prefix + "qkv", "qkv"), qkv, atol=tolerance)
        assert np.allclose(unpacked(prefix + "gate", "gate"), source.tensor("gate", layer), atol=tolerance)
        assert np.allclose(unpacked(prefix + "down", "down"), source.tensor("down", layer).T, atol=tolerance)
        assert np.array_equal(tensors[prefix + "ffn_norm"][: TINY.width], source.tensor("ffn_norm", layer))
        assert not tensors[prefix + "ffn_norm"][TINY.width :].any()
    assert ("head" in tensors) is not is_tied


@pytest.mark.parametrize("weight_format", ["int8", "int4", "f32"])
def test_the_container_is_safetensors_and_rows_are_aligned(tmp_path, weight_format):
    packed = pack_tiny(tmp_path / "tiny.ember", weight_format)
    tensors = read(packed)

    with safetensors.safe_open(packed.path, "numpy") as file:
        for name in file.keys():  # noqa: SIM118 - not a dict
            assert np.array_equal(file.get_tensor(name).reshape(-1), tensors[name].reshape(-1))
    for name, tensor in tensors.items():
        assert tensor.ctypes.data % 64 == 0, name
    mapped = packed.map()
    assert all(np.array_equal(mapped[name], tensors[name]) for name in tensors)


def test_a_mapped_model_is_aligned_like_a_read_one(tiny_packed):
    assert all(t.ctypes.data % 64 == 0 for t in open_packed(tiny_packed).map().values())


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileMissing):
        open_packed(tmp_path / "none.ember")


@pytest.mark.parametrize("content", [b"", b"\x00" * 7, b"\xff" * 100, b"GGUF" + bytes(100), b"hello" * 40], ids=repr)
def test_a_foreign_file_is_named_as_such(tmp_path, content):
    path = tmp_path / "foreign.ember"
    path.write_bytes(content)

    with pytest.raises(ForeignFile):
        open_packed(path)


def test_a_safetensors_file_of_another_program_is_foreign(tmp_path):
    from safetensors.numpy import save_file

    path = tmp_path / "other.ember"
    save_file({"a": np.zeros(3, np.float32)}, path, {"format": "np"})

    with pytest.raises(ForeignFile):
        open_packed(path)


def test_every_truncation_is_refused(tiny_packed):
    whole = tiny_packed.read_bytes()
    for length in [*range(0, len(whole), len(whole) // 80), len(whole) - 1]:
        tiny_packed.write_bytes(whole[:length])

        with pytest.raises((DamagedFile, ForeignFile)):
            open_packed(tiny_packed)


def test_no_flipped_bit_goes_unnoticed(tiny_packed):
    whole = tiny_packed.read_bytes()
    # Padding spaces of the header and the metadata's free texts may change without changing what the model computes.
    rng = np.random.default_rng(1)
    data_start = open_packed(tiny_packed).data_start
    for position in rng.integers(data_start, len(whole), 60):
        changed = bytearray(whole)
        changed[position] ^= 1 << int(rng.integers(8))
        tiny_packed.write_bytes(changed)

        with pytest.raises(DamagedFile) as caught:
            read(open_packed(tiny_packed))
        assert "checksum" in caught.value.what


def test_a_damaged_header_gives_one_of_our_errors(tiny_packed):
    whole = tiny_packed.read_bytes()
    rng = np.random.default_rng(2)
    data_start = open_packed(tiny_packed).data_start
    for position in rng.integers(0, data_start, 300):
        changed = bytearray(whole)
        changed[position] = int(rng.integers(256))
        tiny_packed.write_bytes(changed)
        try:
            read(open_packed(tiny_packed))
        except EngineError:
            continue


def test_another_version_is_told_apart(tiny_packed):
    whole = tiny_packed.read_bytes()
    changed = whole.replace(b'"version": "2"', b'"version": "7"', 1)
    assert changed != whole
    tiny_packed.write_bytes(changed)

    with pytest.raises(PackedVersionMismatch) as caught:
        open_packed(tiny_packed)

    assert (caught.value.found, caught.value.expected) == (7, 2)


@pytest.mark.parametrize("field", ["config", "tokenizer", "tensors", "checksums", "weight_format"])
@pytest.mark.parametrize("value", ["", "null", "[]", "{}", "[" * 5000, "zz"])
def test_metadata_of_another_kind_is_refused(tiny_packed, field, value):
    whole = tiny_packed.read_bytes()
    n = int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8 : 8 + n])
    header["__metadata__"][field] = value
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 8) % 64)
    tiny_packed.write_bytes(len(text).to_bytes(8, "little") + text + whole[8 + n :])

    with pytest.raises((DamagedFile, ForeignFile)):
        open_packed(tiny_packed)


@pytest.mark.parametrize("stop_at", [0, 1, 3])
def test_a_cancelled_packing_leaves_nothing(tmp_path, stop_at):
    def stop(done, total):
        if done == stop_at:
            raise Cancelled

    with pytest.raises(Cancelled):
        pack_tiny(tmp_path / "tiny.ember", on_step=stop)

    assert list(tmp_path.iterdir()) == []


def test_a_failed_packing_keeps_the_file_that_was_there(tiny_packed):
    before = tiny_packed.read_bytes()

    def stop(done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        pack_tiny(tiny_packed, "int4", on_step=stop)

    assert tiny_packed.read_bytes() == before


def test_too_little_disk_is_said_before_writing(tmp_path, monkeypatch):
    usage = type("usage", (), {"free": 1000})
    monkeypatch.setattr("engine.model.packed_model.shutil.disk_usage", lambda path: usage)

    with pytest.raises(OutOfDisk) as caught:
        pack_tiny(tmp_path / "tiny.ember")

    assert caught.value.available_bytes == 1000
    assert caught.value.needed_bytes > 1000
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX file size limit")
def test_a_disk_that_fills_up_while_writing_leaves_nothing(tmp_path):
    previous = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, previous[1]))
        with pytest.raises(OutOfDisk):
            pack_tiny(tmp_path / "tiny.ember")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, previous)
        signal.signal(signal.SIGXFSZ, handler)

    assert list(tmp_path.iterdir()) == []


def test_a_library_that_cannot_be_written_is_named(tmp_path):
    blocker = tmp_path / "file"
    blocker.write_text("in the way")

    with pytest.raises(LibraryNotWritable) as caught:
        pack_tiny(blocker / "tiny.ember")

    assert caught.value.reason


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_packing_leaves_no_model_and_its_rest_is_cleared(tmp_path):
    program = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from engine.model.pack import pack\n"
        "from tests.tiny_model import TinyCheckpoint\n"
        "def slow(done, total):\n"
        "    print(done, flush=True)\n"
        "    time.sleep(60 if done == 2 else 0)\n"
        "pack(TinyCheckpoint(), Path(sys.argv[2]) / 'tiny.ember', 'int8', source='', note='', on_step=slow)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(REPOSITORY), str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        while process.stdout.readline().strip() != "2":
            time.sleep(0.01)
        process.kill()
    names = [path.name for path in tmp_path.iterdir()]
    assert len(names) == 1
    assert names[0].endswith(".partial")

    from engine.hub.library import Library

    Library(tmp_path).remove_leftovers()

    assert list(tmp_path.iterdir()) == []


def test_a_name_taken_while_packing_is_left_to_who_took_it(tmp_path):
    path = tmp_path / "tiny.ember"

    def take_the_name(done, total):
        if done == 1:
            path.write_bytes(b"of another process")

    packed = pack_tiny(path, on_step=take_the_name)

    assert path.read_bytes() == b"of another process"
    assert packed.path == tmp_path / "tiny-2.ember"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tiny-2.ember", "tiny.ember"]
