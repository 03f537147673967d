"""Torch files: tensors read exactly; anything that could run is refused and does not run."""

import io
import os
import pickle
import subprocess
import sys
import zipfile
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.errors import DamagedFile, FileMissing, ForeignFile, UnsupportedModel
from engine.model.torch_files import TorchFile
from tests.model.weight_files import Payload, as_float32, random_tensors

ROOT = Path(__file__).resolve().parents[2]
FORMATS = pytest.mark.parametrize("is_archive", [True, False], ids=["archive", "legacy"])


def save(value: object, path, *, is_archive: bool = True):
    torch.save(value, path, _use_new_zipfile_serialization=is_archive)
    return path


def rewrite(path, change):
    """The archive again, each record passed through `change(name, data) -> (name, data)` or left out for None."""
    with zipfile.ZipFile(path) as archive:
        records = [(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for record in records:
            changed = change(*record)
            if changed is not None:
                archive.writestr(*changed)
    return path


@FORMATS
def test_a_dictionary_of_tensors_reads_back_exactly(tmp_path, is_archive):
    tensors = random_tensors()

    with TorchFile(save(tensors, tmp_path / "w.bin", is_archive=is_archive)) as file:
        assert file.entries.keys() == tensors.keys()
        for name, tensor in tensors.items():
            assert file.entries[name].dtype == name.split(".")[0]
            assert file.entries[name].n_bytes == tensor.nbytes
            assert np.array_equal(file.read(name), as_float32(tensor)), name


@FORMATS
def test_shared_strided_and_empty_tensors_read_as_torch_has_them(tmp_path, is_archive):
    base = torch.arange(100.0).reshape(10, 10)
    tensors = OrderedDict(
        base=base, tied=base, row=base[3], transposed=base.T, steps=base[2:5, ::3], cube=base[:8, :9].reshape(8, 3, 3),
        parameter=torch.nn.Parameter(torch.ones(2, 3)), scalar=torch.tensor(4.0), empty=torch.zeros(0, 4096),
    )  # fmt: skip

    with TorchFile(save(tensors, tmp_path / "w.bin", is_archive=is_archive)) as file:
        for name, tensor in tensors.items():
            values = file.read(name)
            assert values.flags.c_contiguous
            assert np.array_equal(values, as_float32(tensor)), name


@FORMATS
def test_a_modules_state_reads_with_its_metadata_ignored(tmp_path, is_archive):
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LayerNorm(4))

    with TorchFile(save(module.state_dict(), tmp_path / "w.bin", is_archive=is_archive)) as file:
        assert file.entries.keys() == module.state_dict().keys()
        assert np.array_equal(file.read("0.weight"), as_float32(module.state_dict()["0.weight"]))


@FORMATS
def test_a_bare_tensor_has_no_name(tmp_path, is_archive):
    counts = torch.tensor([3, 1, 1 << 40])

    with TorchFile(save(counts, tmp_path / "activation_0.pt", is_archive=is_archive)) as file:
        assert list(file.entries) == [""]
        assert file.read_integers("").tolist() == counts.tolist()
        with pytest.raises(UnsupportedModel):
            file.read("")


@FORMATS
def test_floats_are_not_read_as_whole_numbers(tmp_path, is_archive):
    path = save({"w": torch.ones(2)}, tmp_path / "w.bin", is_archive=is_archive)

    with TorchFile(path) as file, pytest.raises(UnsupportedModel):
        file.read_integers("w")


def test_plain_values_beside_tensors_are_ignored(tmp_path):
    path = save({"w": torch.ones(2), "step": 7, "rate": 0.5, "note": "x", "none": None}, tmp_path / "w.pt")

    with TorchFile(path) as file:
        assert list(file.entries) == ["w"]


@pytest.mark.parametrize(
    "value",
    [[torch.ones(2)], {"state": {"w": torch.ones(2)}}, {"w": [1, 2]}, {3: torch.ones(2)},
     {"w": torch.ones(2, 2).to_sparse()}, {"w": torch.ones(2, dtype=torch.complex64)}, "text"],
    ids=["list", "nested", "list in dict", "number as key", "sparse", "complex", "text"],
)  # fmt: skip
def test_other_contents_are_unsupported(tmp_path, value):
    with pytest.raises(UnsupportedModel):
        TorchFile(save(value, tmp_path / "w.pt"))


@FORMATS
def test_a_tensor_that_repeats_its_storage_is_refused(tmp_path, is_archive):
    """A stride of zero lets four bytes claim any size."""
    path = save({"w": torch.ones(1).expand(50_000, 50_000)}, tmp_path / "w.pt", is_archive=is_archive)

    with pytest.raises(DamagedFile):
        TorchFile(path)


def test_a_file_that_is_not_there_is_missing(tmp_path):
    with pytest.raises(FileMissing):
        TorchFile(tmp_path / "none.bin")


@pytest.mark.parametrize("content", [b"", b"PK", b"<html>" * 9, bytes(64), b"GGUF" + bytes(60)], ids=repr)
def test_a_foreign_file_is_named_as_such(tmp_path, content):
    path = tmp_path / "w.bin"
    path.write_bytes(content)

    with pytest.raises(ForeignFile):
        TorchFile(path)


def test_a_zip_archive_of_something_else_is_foreign(tmp_path):
    with zipfile.ZipFile(tmp_path / "w.bin", "w") as archive:
        archive.writestr("word/document.xml", "<x/>")

    with pytest.raises(ForeignFile):
        TorchFile(tmp_path / "w.bin")


def test_a_script_archive_holds_code(tmp_path):
    path = save({"w": torch.ones(2)}, tmp_path / "w.pt")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("w/constants.pkl", b"\x80\x02).")

    with pytest.raises(UnsupportedModel) as caught:
        TorchFile(path)
    assert "holds code" in caught.value.found


def test_a_compressed_archive_is_refused(tmp_path):
    """Its numbers are not where they seem, and 10 GB may hide in 10 MB."""
    path = save({"w": torch.zeros(1000)}, tmp_path / "w.pt")
    with zipfile.ZipFile(path) as archive:
        records = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in records.items():
            archive.writestr(name, data)

    with pytest.raises(UnsupportedModel) as caught:
        TorchFile(path)
    assert "compressed" in caught.value.found


def test_an_archive_written_by_another_zip_program_reads(tmp_path):
    tensors = random_tensors()
    path = rewrite(save(tensors, tmp_path / "w.pt"), lambda name, data: (name, data))

    with TorchFile(path) as file:
        assert np.array_equal(file.read("BF16.matrix"), as_float32(tensors["BF16.matrix"]))


def test_bytes_in_another_order_are_unsupported(tmp_path):
    path = save({"w": torch.ones(2)}, tmp_path / "w.pt")
    rewrite(path, lambda name, data: (name, b"big" if name.endswith("byteorder") else data))

    with pytest.raises(UnsupportedModel):
        TorchFile(path)


def test_a_storage_of_another_size_than_announced_is_refused(tmp_path):
    path = save({"a": torch.ones(4), "b": torch.ones(4)}, tmp_path / "w.pt")
    for change in (data_of("data/0", lambda data: data[:8]), data_of("data/0", lambda data: data + bytes(64))):
        copy = tmp_path / "copy.pt"
        copy.write_bytes(path.read_bytes())
        with pytest.raises(DamagedFile):
            TorchFile(rewrite(copy, change))


def test_a_storage_that_nothing_uses_is_refused(tmp_path):
    path = save({"a": torch.ones(4)}, tmp_path / "w.pt")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("w/data/9", bytes(16))

    with pytest.raises(DamagedFile):
        TorchFile(path)


def data_of(ending, change):
    return lambda name, data: (name, change(data) if name.endswith(ending) else data)


def test_without_torch_the_file_is_unsupported(tmp_path, monkeypatch):
    path = save({"w": torch.ones(2)}, tmp_path / "w.pt")
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(UnsupportedModel) as caught:
        TorchFile(path)
    assert "torch is not installed" in caught.value.found


# Code in files -----------------------------------------------------------------------------------------------------


@pytest.fixture
def marker(tmp_path):
    """A path that a payload would create; it must not exist at the end."""
    path = tmp_path / "executed"
    yield path
    assert not path.exists()


def payloads(marker) -> dict[str, object]:
    code = f"open({str(marker)!r}, 'w').close()"
    touch = Payload(exec, code)
    return {
        "system": Payload(os.system, f"touch {marker}"),
        "exec": touch,
        "eval": Payload(eval, f"open({str(marker)!r}, 'w')"),
        "open": Payload(open, str(marker), "w"),
        "mkdir": Payload(os.mkdir, str(marker)),
        "nested": {"w": torch.ones(2), "deep": [{"x": (1, touch)}]},
        "key": {touch: torch.ones(2)},
        "attribute": Payload(getattr, Payload(__import__, "os"), "system"),
        "memory": Payload(bytearray, 1 << 40),
    }


@FORMATS
@pytest.mark.parametrize("kind", list(payloads("x")))
def test_a_file_that_holds_code_is_refused_and_not_run(tmp_path, marker, kind, is_archive):
    path = save(payloads(marker)[kind], tmp_path / "w.bin", is_archive=is_archive)

    with pytest.raises(UnsupportedModel) as caught:
        TorchFile(path)
    assert "holds code" in caught.value.found


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("kind", ["system", "exec"])
def test_a_bare_pickle_is_refused_and_not_run(tmp_path, marker, kind, protocol):
    path = tmp_path / "w.bin"
    path.write_bytes(pickle.dumps(payloads(marker)[kind], protocol))

    with pytest.raises((UnsupportedModel, ForeignFile)):
        TorchFile(path)


def test_a_function_of_torch_that_is_not_needed_is_refused(tmp_path, marker):
    """Torch's own list allows more than tensors need."""
    stream = io.BytesIO()
    pickle.Pickler(stream, 2).dump(Payload(torch.device, "cpu"))
    path = save({"w": torch.ones(2)}, tmp_path / "w.pt")
    rewrite(path, lambda name, data: (name, stream.getvalue() if name.endswith("data.pkl") else data))

    with pytest.raises(UnsupportedModel) as caught:
        TorchFile(path)
    assert "torch device" in caught.value.found


def test_an_allowed_list_that_someone_widened_changes_nothing(tmp_path, marker):
    path = save(payloads(marker)["open"], tmp_path / "w.bin")

    with torch.serialization.safe_globals([open, io.open]), pytest.raises(UnsupportedModel):
        TorchFile(path)


def test_importing_the_reader_does_not_import_torch():
    code = "import sys, engine.model.torch_files, engine.model.predictor_files; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
