"""What is listed of a torch archive is what torch finds in it; what torch's reader refuses is refused here, too."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DamagedFile, EngineError, UnsupportedModel
from engine.model.torch_files import TorchFile
from engine.model.torch_listing import list_torch_archive
from tests.model.weight_files import random_tensors

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = sorted((ROOT / "tests" / "golden" / "checkpoints").glob("*/pytorch_model*.bin"))


def listed(path: Path):
    with path.open("rb") as file:
        return list_torch_archive(path, file, path.stat().st_size)


def save(value: object, path: Path) -> Path:
    torch.save(value, path)
    return path


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_checkpoint_lists_as_torch_reads_it(path):
    with TorchFile(path) as file:
        assert {entry.name: entry for entry in listed(path)} == dict(file.entries)


def test_shared_strided_and_empty_tensors_list_as_torch_has_them(tmp_path):
    whole = torch.arange(24, dtype=torch.float32).reshape(4, 6)
    tensors = {
        **random_tensors(), "whole": whole, "same": whole, "turned": whole.T, "part": whole[1:3, 2:], "none": whole[:0],
        "number": torch.tensor(3.0), "parameter": torch.nn.Parameter(whole), "flags": torch.tensor([True, False]),
    }  # fmt: skip
    path = save(tensors, tmp_path / "m.bin")

    with TorchFile(path) as file:
        assert {entry.name: entry for entry in listed(path)} == dict(file.entries)


def test_a_modules_state_lists_with_its_metadata_ignored(tmp_path):
    module = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.BatchNorm1d(5))

    found = {entry.name: entry.shape for entry in listed(save(module.state_dict(), tmp_path / "m.bin"))}

    assert found == {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}


@pytest.mark.parametrize("value", [[1], {"a": [torch.zeros(1)]}, {1: torch.zeros(1)}, {"a": {"b": 1}}, torch.zeros(2)])
def test_other_contents_are_unsupported(tmp_path, value):
    with pytest.raises(UnsupportedModel):
        listed(save(value, tmp_path / "m.bin"))


def test_a_tensor_that_repeats_its_storage_is_refused(tmp_path):
    with pytest.raises(DamagedFile):
        listed(save({"a": torch.zeros(1).expand(1 << 20)}, tmp_path / "m.bin"))


def test_what_holds_code_is_refused(tmp_path):
    with pytest.raises(UnsupportedModel):
        listed(save({"a": subprocess.Popen}, tmp_path / "m.bin"))


@settings(max_examples=300, deadline=None)
@given(at=st.integers(0, 4000), new=st.binary(min_size=1, max_size=4))
def test_altered_bytes_are_listed_or_refused_and_nothing_else(tmp_path_factory, at, new):
    data = bytearray(small_archive())
    at %= len(data)
    data[at : at + len(new)] = new
    path = tmp_path_factory.mktemp("altered") / "m.bin"
    path.write_bytes(data)

    try:
        found = listed(path)
    except EngineError:
        return

    assert sum(entry.n_bytes for entry in found) <= 4 * len(data)


def small_archive() -> bytes:
    import io

    stream = io.BytesIO()
    torch.save({"a.weight": torch.zeros(4, 3), "b.bias": torch.ones(3, dtype=torch.float16)}, stream)
    return stream.getvalue()


def test_listing_needs_no_torch():
    code = "import sys, engine.model.torch_listing; sys.exit('torch' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
