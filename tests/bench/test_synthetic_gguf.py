"""Random weights for other engines: a whole GGUF file of the shape, and nothing left when it cannot be finished."""

import dataclasses
import shutil
from pathlib import Path

import pytest

from engine.bench.against import open_competitor
from engine.bench.shapes import SHAPES
from engine.bench.synthetic_gguf import GGUF_FORMATS, write_random_gguf
from engine.errors import Cancelled, OutOfDisk
from engine.hub.library import Library
from engine.messages import WEIGHT_FORMATS
from engine.model.gguf_checkpoint import GgufCheckpoint

SMALL = dataclasses.replace(
    SHAPES["7b-8"], name="small", width=128, n_neurons=192, n_layers=2, n_heads=4, n_key_heads=2, head_width=32,
    rotary_width=32, n_vocab=400, context_tokens=256,
)  # fmt: skip


def test_every_format_has_its_nearest():
    assert set(GGUF_FORMATS) >= set(WEIGHT_FORMATS)


@pytest.mark.parametrize("kind", sorted(set(GGUF_FORMATS.values())))
def test_the_file_is_a_model_of_the_shape(tmp_path: Path, kind: str):
    path = write_random_gguf(tmp_path, SMALL, kind, 3, lambda done, total: None)

    with GgufCheckpoint(path) as checkpoint:
        read = checkpoint.config
        gate, down = checkpoint.tensor("gate", 1), checkpoint.tensor("down", 0)
    assert read.norm_eps == pytest.approx(SMALL.norm_eps)  # float32 there
    assert dataclasses.replace(read, licence="", activation="relu", norm_eps=SMALL.norm_eps) == SMALL
    assert (gate.shape, down.shape) == ((192, 128), (128, 192))
    assert gate.std() == pytest.approx(128**-0.5, rel=0.1)


def test_llama_cpp_runs_the_file(tmp_path: Path):
    path = write_random_gguf(tmp_path, SMALL, "Q4_0", 3, lambda done, total: None)

    with open_competitor("xllamacpp", path, 1, 64, lambda: None) as competitor:
        assert competitor.decode(list(range(300, 320)), 16, lambda: None) > 0


def test_a_file_that_is_not_finished_is_not_left(tmp_path: Path):
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_random_gguf(tmp_path, SMALL, "Q8_0", 3, stop)

    assert list(tmp_path.iterdir()) == []


def test_a_file_of_a_process_that_died_is_removed_at_the_next_start(tmp_path: Path):
    path = write_random_gguf(tmp_path, SMALL, "Q8_0", 3, lambda done, total: None)
    orphan = path.with_name(path.name.replace(path.name.split(".")[-2], "999999999"))
    path.rename(orphan)

    Library(tmp_path).remove_leftovers()

    assert not orphan.exists()


def test_a_drive_without_room_is_said_before_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10, 10, 0))

    with pytest.raises(OutOfDisk) as caught:
        write_random_gguf(tmp_path, SMALL, "Q8_0", 3, lambda done, total: None)

    assert caught.value.available_bytes == 0
    assert list(tmp_path.iterdir()) == []
