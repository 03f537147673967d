"""Kernels are compiled once per machine, and without a writable cache too."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.kernels.cpu.cache import cache_name, remember_kernels, run_compiling, use_kernel_cache

REPOSITORY = Path(__file__).parents[2]

# Loads a tiny model as the engine does, then prints how many functions were compiled and how many came from the cache.
PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from engine.kernels.cpu.cache import use_kernel_cache
use_kernel_cache(Path(sys.argv[2]))
from engine.model.pack import pack
from engine.runtime.loader import load_model
from engine.kernels.cpu import activations, attention, decode, rows
from tests.tiny_model import TinyCheckpoint
packed = pack(TinyCheckpoint(), Path(sys.argv[2]) / "tiny.ember", "int8", source="", note="", on_step=lambda *a: None)
load_model(packed, context_tokens=64, n_threads=2, on_progress=lambda *a: None).close()
kernels = [f for module in (activations, attention, decode, rows) for f in vars(module).values() if hasattr(f, "stats")]
print(sum(sum(f.stats.cache_misses.values()) for f in kernels), sum(sum(f.stats.cache_hits.values()) for f in kernels))
"""

# Compiles the parts of a decode step, then prints those that the whole step compiled once more, with other types.
PARTS_PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from engine.kernels.cpu.cache import use_kernel_cache
use_kernel_cache(Path(sys.argv[2]))
from engine.kernels.cpu import decode, feed_forward, phases, predict, warmup
from engine.model.pack import pack
from engine.runtime.loader import load_model
from tests.tiny_model import TinyCheckpoint
packed = pack(TinyCheckpoint(), Path(sys.argv[2]) / "tiny.ember", "mixed", source="", note="", on_step=lambda *a: None)
for step in warmup.warm_up_steps(packed.parts.of_step, "int8"):
    step()
parts = [f for m in (decode, feed_forward, phases, predict) for f in vars(m).values() if getattr(f, "signatures", ())]
before = {f: len(f.signatures) for f in parts}
load_model(packed, context_tokens=64, n_threads=1, on_progress=lambda *a: None).close()
warmed = ("product", "attend_head", "alive_neurons", "add_down", "finish_feed_forward", "see_and_project", "score")
names = [f.py_func.__name__ for f in parts]
assert set(warmed) <= set(names), names
print([f.py_func.__name__ for f in parts if len(f.signatures) > before[f]])
"""


def output_of(program, folder):
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(REPOSITORY), str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def compiled_and_cached(folder):
    return [int(n) for n in output_of(PROGRAM, folder).split()]


def test_parts_are_compiled_for_the_types_with_which_the_step_calls_them(tmp_path):
    assert output_of(PARTS_PROGRAM, tmp_path).strip() == "[]"


def test_a_second_start_compiles_nothing(tmp_path):
    first_compiled, _ = compiled_and_cached(tmp_path)
    again_compiled, again_cached = compiled_and_cached(tmp_path)

    assert first_compiled > 10
    assert again_compiled == 0
    assert again_cached > 0


@pytest.mark.slow
def test_code_that_changed_on_the_disk_is_compiled_again(tmp_path):
    compiled_and_cached(tmp_path)
    largest = max(tmp_path.rglob("*.nbc"), key=lambda path: path.stat().st_size)
    code = bytearray(largest.read_bytes())
    code[len(code) // 2] ^= 0x55
    largest.write_bytes(code)

    compiled, _ = compiled_and_cached(tmp_path)
    again_compiled, _ = compiled_and_cached(tmp_path)

    assert compiled > 10
    assert again_compiled == 0


def test_the_cache_is_named_after_the_sources():
    assert cache_name() == cache_name()
    assert cache_name().startswith("numba-")


@pytest.fixture
def numba_cache_dir():
    import numba

    before = numba.config.CACHE_DIR
    yield numba.config
    numba.config.CACHE_DIR = before


def test_old_kernels_are_cleared_and_other_folders_left(tmp_path, numba_cache_dir):
    for age, name in enumerate(("numba-new", "numba-older", "numba-oldest", "something else")):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (1e9 - age, 1e9 - age))

    assert use_kernel_cache(tmp_path)

    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {cache_name(), "numba-new", "numba-older", "something else"}
    assert str(tmp_path / cache_name()) == numba_cache_dir.CACHE_DIR


def test_without_a_writable_folder_kernels_go_to_a_temporary_one(tmp_path, numba_cache_dir):
    blocker = tmp_path / "file"
    blocker.write_text("in the way")

    assert not use_kernel_cache(blocker / "kernels")

    assert Path(numba_cache_dir.CACHE_DIR).is_dir()
    Path(numba_cache_dir.CACHE_DIR).rmdir()


def test_without_a_cache_nothing_is_written_or_cleared(tmp_path, numba_cache_dir, monkeypatch):
    numba_cache_dir.CACHE_DIR = ""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.nbc").write_text("not a kernel")
    attempts = []

    def step():
        attempts.append(len(attempts))
        if len(attempts) == 1:
            raise EOFError

    remember_kernels()
    run_compiling(step)

    assert attempts == [0, 1]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.nbc"]
