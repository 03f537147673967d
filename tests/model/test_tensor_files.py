"""Folders of weights: right ones read exactly, a part at a time; wrong ones are refused by name."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from engine.errors import DamagedFile, FileMissing, ForeignFile, UnsupportedModel
from engine.model.tensor_files import TensorFolder
from tests.model.weight_files import (
    as_float32,
    header_of,
    random_tensors,
    write_index,
    write_safetensors,
    write_shards,
)

ROOT = Path(__file__).resolve().parents[2]


def assert_same(folder: TensorFolder, tensors: dict[str, torch.Tensor]) -> None:
    assert folder.entries.keys() == tensors.keys()
    for name, tensor in tensors.items():
        values = folder.read(name)
        assert values.dtype == np.float32
        assert values.shape == tuple(tensor.shape)
        assert np.array_equal(values, as_float32(tensor)), name


@pytest.mark.parametrize("suffix", [".safetensors", ".bin"])
@pytest.mark.parametrize("n_shards", [1, 3])
def test_a_written_folder_reads_back_exactly(tmp_path, suffix, n_shards):
    tensors = random_tensors()
    write_shards(tmp_path, tensors, n_shards, suffix)

    with TensorFolder(tmp_path) as folder:
        assert_same(folder, tensors)
        assert folder.stored_dtypes == {"F32", "F16", "BF16", "F64"}
        assert folder.total_bytes == sum(tensor.nbytes for tensor in tensors.values())
        entry = folder.entries["BF16.matrix"]
        assert (entry.shape, entry.dtype, entry.n_bytes, entry.file.parent) == ((5, 7), "BF16", 70, tmp_path)


@pytest.mark.parametrize("kind", ["F16", "BF16"])
def test_every_finite_value_of_16_bits_reads_exactly(tmp_path, kind):
    dtype = {"F16": torch.float16, "BF16": torch.bfloat16}[kind]
    values = torch.arange(-(1 << 15), 1 << 15, dtype=torch.int32).to(torch.int16).view(dtype)
    values = values[torch.isfinite(values.float())]
    save_file({"all": values}, tmp_path / "model.safetensors")

    with TensorFolder(tmp_path) as folder:
        read = folder.read("all")

    assert np.array_equal(read.view(np.uint32), as_float32(values).view(np.uint32))


def test_scalars_and_empty_tensors_keep_their_shape(tmp_path):
    tensors = {"scalar": torch.tensor(2.5), "empty": torch.zeros(0, 4), "other": torch.ones(2)}
    save_file(tensors, tmp_path / "model.safetensors")

    with TensorFolder(tmp_path) as folder:
        assert_same(folder, tensors)


def test_safetensors_are_preferred_and_other_files_ignored(tmp_path):
    tensors = random_tensors(1)
    save_file(tensors, tmp_path / "model.safetensors")
    torch.save(random_tensors(2), tmp_path / "pytorch_model.bin")
    for name in ("flax_model.msgpack", "tf_model.h5", "optimizer.bin", "training_args.bin", "consolidated.00.pth"):
        (tmp_path / name).write_bytes(b"not read")

    with TensorFolder(tmp_path) as folder:
        assert_same(folder, tensors)


def test_arrays_stay_valid_after_closing(tmp_path):
    tensors = random_tensors()
    save_file(tensors, tmp_path / "model.safetensors")
    folder = TensorFolder(tmp_path)
    values = folder.read("F32.matrix")

    folder.close()

    assert np.array_equal(values, as_float32(tensors["F32.matrix"]))


def test_a_type_that_is_no_float_is_listed_but_not_read(tmp_path):
    save_file({"mask": torch.ones(3, dtype=torch.bool), "w": torch.ones(2)}, tmp_path / "model.safetensors")

    with TensorFolder(tmp_path) as folder:
        assert folder.entries["mask"].dtype == "BOOL"
        assert folder.read("w").tolist() == [1, 1]
        with pytest.raises(UnsupportedModel) as caught:
            folder.read("mask")
    assert caught.value.found == "BOOL"


@pytest.mark.parametrize("suffix", [".safetensors", ".bin"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_a_value_that_is_not_finite_is_refused_with_the_tensors_name(tmp_path, suffix, value, dtype):
    write_shards(tmp_path, {"good": torch.ones(4), "bad": torch.tensor([1.0, value], dtype=dtype)}, 1, suffix)

    with TensorFolder(tmp_path) as folder:
        folder.read("good")
        with pytest.raises(DamagedFile) as caught:
            folder.read("bad")
    assert "bad" in caught.value.what


def test_a_double_beyond_float32_is_refused(tmp_path):
    save_file({"w": torch.tensor([1e300], dtype=torch.float64)}, tmp_path / "model.safetensors")

    with TensorFolder(tmp_path) as folder, pytest.raises(DamagedFile):
        folder.read("w")


def test_a_folder_that_is_not_there_is_missing(tmp_path):
    with pytest.raises(FileMissing):
        TensorFolder(tmp_path / "none")


def test_a_folder_without_weights_is_foreign(tmp_path):
    (tmp_path / "flax_model.msgpack").write_bytes(b"x")

    with pytest.raises(ForeignFile) as caught:
        TensorFolder(tmp_path)
    assert "flax_model.msgpack" in caught.value.found


def test_a_pointer_to_a_file_that_was_not_downloaded_is_named(tmp_path):
    text = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    for name in ("model.safetensors", "pytorch_model.bin"):
        (tmp_path / name).write_bytes(text)

        with pytest.raises(ForeignFile) as caught:
            TensorFolder(tmp_path)
        assert "Git LFS pointer" in caught.value.found
        (tmp_path / name).unlink()


@pytest.mark.parametrize("suffix", [".safetensors", ".bin"])
def test_a_missing_shard_is_named(tmp_path, suffix):
    write_shards(tmp_path, random_tensors(), 3, suffix)
    missing = sorted(tmp_path.glob(f"*{suffix}"))[1]
    missing.unlink()

    with pytest.raises(FileMissing) as caught:
        TensorFolder(tmp_path)
    assert caught.value.path == str(missing)


@pytest.mark.parametrize("suffix", [".safetensors", ".bin"])
def test_a_tensor_in_another_shard_than_listed_is_refused(tmp_path, suffix):
    index = write_shards(tmp_path, random_tensors(), 2, suffix)
    weight_map = index["weight_map"]
    weight_map["F32.matrix"] = weight_map["F32.vector"]
    write_index(tmp_path, index, suffix)

    with pytest.raises(DamagedFile) as caught:
        TensorFolder(tmp_path)
    assert "F32.matrix" in caught.value.what


def test_a_tensor_in_two_shards_is_refused(tmp_path):
    write_shards(tmp_path, random_tensors(), 2, ".safetensors")
    first, second = sorted(tmp_path.glob("*.safetensors"))
    second.write_bytes(first.read_bytes())

    with pytest.raises(DamagedFile):
        TensorFolder(tmp_path)


def test_reading_a_tensor_that_is_not_there_is_an_error_of_ours(tmp_path):
    save_file(random_tensors(), tmp_path / "model.safetensors")

    with TensorFolder(tmp_path) as folder, pytest.raises(DamagedFile):
        folder.read("none")


def test_a_file_cut_short_after_opening_is_refused(tmp_path):
    path = tmp_path / "model.safetensors"
    save_file({"w": torch.ones(1000)}, path)

    with TensorFolder(tmp_path) as folder:
        os.truncate(path, path.stat().st_size - 100)
        with pytest.raises(DamagedFile):
            folder.read("w")


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_are_followed_within_the_folder_and_the_hubs_cache_only(tmp_path):
    tensors = random_tensors()
    blobs, snapshot, elsewhere = (tmp_path / name for name in ("m/blobs", "m/snapshots/abc", "elsewhere"))
    for folder in (blobs, snapshot, elsewhere):
        folder.mkdir(parents=True)
    save_file(tensors, blobs / "0123")
    (snapshot / "model.safetensors").symlink_to("../../blobs/0123")
    (elsewhere / "model.safetensors").symlink_to(blobs / "0123")

    with TensorFolder(snapshot) as opened:
        assert_same(opened, tensors)
    with pytest.raises(DamagedFile) as caught:
        TensorFolder(elsewhere)
    assert "leaves the folder" in caught.value.what


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes in folders on Windows")
def test_a_pipe_in_the_place_of_a_file_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "model.safetensors")

    with pytest.raises((ForeignFile, FileMissing)):
        TensorFolder(tmp_path)


def test_an_unknown_type_says_which_are_known(tmp_path):
    path = tmp_path / "model.safetensors"
    save_file({"w": torch.ones(2)}, path)
    header, data = header_of(path)
    header["w"]["dtype"] = "F8_NEW"
    write_safetensors(path, header, data)

    with pytest.raises(UnsupportedModel) as caught:
        TensorFolder(tmp_path)
    assert caught.value.found == "F8_NEW"


def test_safetensors_need_no_torch(tmp_path):
    save_file(random_tensors(), tmp_path / "model.safetensors")
    code = (
        "import sys; from pathlib import Path; from engine.model.tensor_files import TensorFolder\n"
        f"with TensorFolder(Path({str(tmp_path)!r})) as f: [f.read(n) for n in f.entries]\n"
        "assert 'torch' not in sys.modules"
    )

    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


# A process of its own, so that what it peaks at is its own; Linux tells the peak of a process since it began.
MEASURE = """
import sys
from pathlib import Path
from engine.model.tensor_files import TensorFolder

def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])

folder = TensorFolder(Path(sys.argv[1]))
for name in ("warm", *folder.entries):
    if name == "warm":
        folder.read(min(folder.entries, key=lambda n: folder.entries[n].n_bytes))
        before = peak()
    else:
        folder.read(name)
print(peak() - before, 4 * max(entry.n_values for entry in folder.entries.values()))
"""


def measured_growth(folder: Path) -> tuple[int, int]:
    """How much a process that reads every tensor grows, and the bytes of the largest one as float32."""
    command = [sys.executable, "-c", MEASURE, str(folder)]
    answer = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    growth, largest = answer.stdout.split()
    return int(growth), int(largest)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_a_large_checkpoint_streams(tmp_path):
    """600 MB in three shards of holes: a process that reads them all grows by less than 2.5 of its largest tensor."""
    shape, n_bytes = [4096, 2560], 4096 * 2560 * 2
    weight_map = {}
    for shard in range(3):
        name = f"model-{shard + 1:05}-of-00003.safetensors"
        kinds = ["BF16"] * 8 + ["F32"]
        header, end = {}, 0
        for i, kind in enumerate(kinds):
            size = n_bytes * (2 if kind == "F32" else 1)
            header[f"{shard}.{i}"] = {"dtype": kind, "shape": shape, "data_offsets": [end, end + size]}
            end += size
            weight_map[f"{shard}.{i}"] = name
        header[f"{shard}.small"] = {"dtype": "F32", "shape": [4], "data_offsets": [end, end + 16]}
        weight_map[f"{shard}.small"] = name
        path = write_safetensors(tmp_path / name, header, b"")
        os.truncate(path, path.stat().st_size + end + 16)
    write_index(tmp_path, {"weight_map": weight_map}, ".safetensors")
    with TensorFolder(tmp_path) as folder:
        assert folder.total_bytes > 600e6

    growth, largest = measured_growth(tmp_path)

    assert growth < 2.5 * largest


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
def test_a_large_torch_file_streams(tmp_path):
    tensors = {f"w{i}": torch.zeros(1024, 4096, dtype=torch.float16) for i in range(20)}
    torch.save({**tensors, "small": torch.ones(4)}, tmp_path / "pytorch_model.bin")

    growth, largest = measured_growth(tmp_path)

    assert growth < 2.5 * largest
