"""Single rows of a packed file, read long after it was opened; and memory that weights lie in."""

import dataclasses
import mmap
import os
import sys

import numpy as np
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import DamagedFile, FileMissing
from engine.model import packed_model, weight_memory
from engine.model.pack import pack
from tests.tiny_model import TINY, TinyCheckpoint

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="single pages are given back on Linux only")


def ignore(done, total):
    """Progress nobody looks at."""


def packed_at(path, seed=0, weight_format="int8"):
    checkpoint = TinyCheckpoint(dataclasses.replace(TINY, n_neurons=700, width=200), seed)
    return pack(checkpoint, path, weight_format, source="", note="", on_step=ignore)


@pytest.fixture
def packed(tmp_path):
    return packed_at(tmp_path / "tiny.ember")


@pytest.fixture
def rows(packed):
    opened = packed.open_rows()
    yield opened
    opened.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 1000), share=st.sampled_from([0.0, 0.01, 0.3, 0.9, 1.0]),
    buffer=st.sampled_from([1, 900, 1 << 16]), over=st.sampled_from([0, 1000, 1 << 20]),
)  # fmt: skip
def test_rows_are_read_in_any_order(packed, rows, monkeypatch, seed, share, buffer, over):
    monkeypatch.setattr(packed_model, "_READ_BYTES", buffer)
    monkeypatch.setattr(packed_model, "_READ_OVER_BYTES", over)
    rng, whole = np.random.default_rng(seed), packed.map()["layers.1.down"]
    numbers = rng.permutation(np.flatnonzero(rng.random(700) < share)).astype(np.int32)
    out = np.empty((len(numbers), whole.shape[1]), np.uint8)

    rows.read("layers.1.down", numbers, out)

    assert np.array_equal(out, whole[numbers])


def test_a_file_that_is_replaced_or_deleted_meanwhile_is_still_the_one_that_was_opened(packed, rows, tmp_path):
    expected = packed.read(ignore)["layers.0.up"]
    packed_at(tmp_path / "other.ember", seed=1).path.replace(packed.path)
    out = np.empty_like(expected)

    rows.read("layers.0.up", np.arange(700), out)

    assert np.array_equal(out, expected)
    with pytest.raises(DamagedFile):
        packed.open_rows()
    packed.path.unlink()
    with pytest.raises(FileMissing):
        packed.open_rows()


def test_a_row_that_is_gone_from_the_disk_is_noticed(packed, rows):
    _, offset = packed.tensors["layers.2.down"]
    out = np.empty((700, packed.tensors["layers.2.down"][0].stride), np.uint8)
    with packed.path.open("r+b") as file:
        file.seek(packed.data_start + offset + 5000)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 4]))

    with pytest.raises(DamagedFile) as caught:
        rows.read("layers.2.down", np.arange(700)[::-1], out)
    assert "checksum" in caught.value.what

    os.truncate(packed.path, packed.data_start + offset + 6000)
    with pytest.raises(DamagedFile):
        rows.read("layers.2.down", np.array([699]), out[:1])


# Memory -----------------------------------------------------------------------------------------------------------


@LINUX
@given(begin=st.integers(0, 5000), n=st.integers(0, 60_000))
@settings(max_examples=40, deadline=None)
def test_only_whole_pages_inside_are_given_back(begin, n):
    memory = weight_memory.weight_memory(1 << 16)
    memory[:] = 7
    part = memory[begin : begin + n]

    given_back = weight_memory.give_back(part)

    gone = np.flatnonzero(memory == 0)
    assert len(gone) == given_back
    assert given_back % mmap.PAGESIZE == 0
    if given_back:
        assert begin <= gone[0] < begin + mmap.PAGESIZE
        assert begin + len(part) - mmap.PAGESIZE < gone[-1] + 1 <= begin + len(part)
    assert given_back > len(part) - 2 * mmap.PAGESIZE


@LINUX
def test_memory_is_taken_when_it_is_written_and_may_be_asked_for_beyond_what_there_is():
    beyond = 2 * psutil.virtual_memory().total
    memory = weight_memory.weight_memory(beyond)
    inside = memory[beyond // 2 :][: 16 << 20]
    inside = inside[-inside.ctypes.data % (2 << 20) :][: 8 << 20]

    assert memory.ctypes.data % 64 == 0
    assert weight_memory.resident_bytes(inside) == 0
    inside[: 4 << 20] = 1
    assert weight_memory.resident_bytes(inside) == 4 << 20
    assert weight_memory.give_back(inside) == 8 << 20
    assert weight_memory.resident_bytes(inside) == 0
    assert not inside[:100].any()


def test_other_systems_keep_weights_in_ordinary_memory(packed, monkeypatch):
    monkeypatch.setattr(weight_memory.sys, "platform", "win32")
    tensors = packed.read(ignore)
    before = tensors["layers.0.up"].copy()

    assert all(tensor.ctypes.data % 64 == 0 for tensor in tensors.values())
    assert weight_memory.give_back(tensors["layers.0.up"]) == 0
    assert weight_memory.resident_bytes(before) == before.nbytes
    assert np.array_equal(tensors["layers.0.up"], before)


def test_ordinary_memory_is_left_alone():
    array = np.ones(1 << 16, np.uint8)

    assert weight_memory.give_back(array) == 0
    assert array.all()
    assert not weight_memory.is_mapped_file(array)
    weight_memory.expect_whole(array)
    weight_memory.expect_picked_rows(array)


def test_a_mapped_model_takes_advice_and_reads_the_same(packed):
    tensors, expected = packed.map(), packed.read(ignore)

    for name in ("layers.0.up", "layers.2.down", "head", "tokenizer"):
        if (tensor := tensors.get(name)) is not None:
            assert weight_memory.is_mapped_file(tensor)
            weight_memory.expect_picked_rows(tensor)
            weight_memory.expect_whole(tensor)

    assert all(np.array_equal(tensors[name], expected[name]) for name in expected)
    assert not weight_memory.is_mapped_file(expected["embedding"])
