"""What is said of main memory before a model is loaded, and what loading then takes."""

import dataclasses
import json
import mmap
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import OutOfMemory
from engine.model import weight_memory
from engine.model.pack import pack
from engine.placement.hardware import Memory
from engine.runtime.loader import memory_need
from engine.runtime.residence import advise_mapped, free_memory, residence
from engine.runtime.transformer import Transformer
from tests.tiny_model import TINY, TinyCheckpoint

ROOT = Path(__file__).parents[2]
SHAPE = {
    "width": 512, "n_neurons": 6000, "n_layers": 6, "n_heads": 8, "n_key_heads": 8, "head_width": 64,
    "rotary_width": 64, "activation": "relu", "context_tokens": 2048,
}  # fmt: skip


def ignore(done, total):
    """Progress nobody looks at."""


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    checkpoint = TinyCheckpoint(dataclasses.replace(TINY, **SHAPE))
    path = tmp_path_factory.mktemp("memory") / "model.ember"
    return pack(checkpoint, path, "int8", source="", note="", on_step=ignore)


@given(*[st.integers(0, 1 << 40)] * 3, st.floats(0, 1))
def test_a_model_runs_from_disk_exactly_where_it_does_not_fit(weights, other, free, share):
    on_card = int(share * weights)
    if other > free:
        with pytest.raises(OutOfMemory):
            residence(weights, other, on_card_bytes=on_card, free_bytes=free)
        return

    said = residence(weights, other, on_card_bytes=on_card, free_bytes=free)

    assert (said.needed_bytes, said.free_bytes) == (weights + other - on_card, free)
    assert said.runs_from_disk == (weights + other - on_card > free)


def test_free_memory_is_what_a_container_leaves_us():
    ours = psutil.Process().memory_info().rss

    assert free_memory(Memory(1 << 36, 1 << 35, None)) == 1 << 35
    assert free_memory(Memory(1 << 36, 1 << 35, ours + (1 << 30))) == pytest.approx(1 << 30, rel=0.05)
    assert free_memory(Memory(1 << 36, 1 << 35, ours // 2)) == 0
    assert free_memory(Memory(1 << 36, 1 << 20, 1 << 35)) == 1 << 20
    assert residence(0, 0).free_bytes <= psutil.virtual_memory().total


# A process of its own, for what a test process has taken before is given back and taken again.
LOADING = """
import json, sys, psutil
from pathlib import Path
from engine.kernels.cpu.cache import use_kernel_cache
use_kernel_cache(Path("build/test-kernels"))
from engine.model.packed_model import open_packed
from engine.runtime.loader import load_model
process = psutil.Process()
packed = open_packed(Path(sys.argv[1]))
load_model(packed, context_tokens=64, n_threads=2, on_progress=lambda *a: None).close()  # code is no part of the need
before = process.memory_full_info().uss
model = load_model(packed, context_tokens=2048, n_threads=2, on_progress=lambda *a: None)
transformer = model.transformer
transformer.prefill(list(range(300)) + list(range(212)), lambda *a: None)
for token in range(5):
    transformer.decode_step(token)
print(json.dumps([process.memory_full_info().uss - before, transformer.n_bytes]))
model.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures a process by what Linux tells")
def test_what_a_model_takes_is_what_was_said(packed):
    need = memory_need(packed.config, "int8", 2048)

    answer = subprocess.run(
        [sys.executable, "-c", LOADING, str(packed.path)], cwd=ROOT, capture_output=True, text=True, check=True
    )  # fmt: skip

    taken, counted = json.loads(answer.stdout)
    known = need.weight_bytes + need.cache_bytes + need.prompt_bytes
    assert known * 0.9 < taken < need.total_bytes
    assert known * 0.9 < counted < need.total_bytes


def test_a_mapped_model_computes_the_same_bits_under_advice(packed):
    sizes = {"context_tokens": 64, "cache_kind": "int8", "n_threads": 2}
    logits = []
    for tensors in (packed.read(ignore), packed.map()):
        advise_mapped(packed.config, tensors)
        transformer = Transformer(packed.config, packed.parts, tensors, **sizes)
        transformer.prefill(list(range(20)), ignore)
        logits.append(transformer.decode_step(7).copy())
        transformer.close()

    assert np.array_equal(*logits)


@pytest.mark.skipif(sys.platform != "linux", reason="advice is given on Linux only")
def test_of_a_mapped_model_single_rows_are_fetched_alone(packed):
    def fetched_by_one_row(tensors):
        up = tensors["layers.3.up"]
        for tensor in tensors.values():
            weight_memory.give_back(tensor)
        _drop_from_cache(packed.path)
        if weight_memory.resident_bytes(up) > up.nbytes // 2:
            pytest.skip("this file system keeps its files in memory")
        up[3000].sum()
        return weight_memory.resident_bytes(up)

    tensors, few = packed.map(), 16 * mmap.PAGESIZE  # a row touches two; others may have stayed
    assert fetched_by_one_row(tensors) > few
    advise_mapped(packed.config, tensors)
    assert fetched_by_one_row(tensors) <= few
    advise_mapped(packed.config, tensors, for_prompt=True)
    assert fetched_by_one_row(tensors) > few
    transformer = Transformer(
        packed.config, packed.parts, tensors, context_tokens=64, cache_kind="int8", n_threads=2
    )  # fmt: skip
    transformer.prefill(list(range(20)), ignore)
    transformer.close()
    assert fetched_by_one_row(tensors) <= few


def _drop_from_cache(path):
    """Ask the system to forget what it keeps of the file."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
