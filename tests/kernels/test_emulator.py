"""The processor in a card's place computes what CUDA C says, and finds out what a card would hide."""

import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import CompilerMissing, InternalError
from engine.kernels.cuda.emulated_device import EmulatedDevice
from engine.kernels.cuda.emulation import compiler
from tests.card_fixtures import CARD_KERNELS

SAMPLES = Path(__file__).parent / "cuda_samples"
FAULTS = Path(__file__).parent / "cuda_faults"
LAST_BITS = 1e-5


@pytest.fixture
def samples(card_kernels):
    device = EmulatedDevice(card_kernels, sources=SAMPLES)
    yield device
    device.close()


@pytest.fixture
def faults(card_kernels):
    device = EmulatedDevice(card_kernels, sources=FAULTS)
    yield device
    device.close()


def up(device, array, purpose="workspace"):
    there = device.empty(array.shape, array.dtype, purpose)
    device.upload(array, there)
    return there


def down(device, array):
    here = np.empty(array.shape, array.dtype)
    device.download(array, here, wait=True)
    return here


def launched(device, kernel, block, out, *args, source="faults", grid=(1,), shared_bytes=0):
    """What a kernel leaves in `out`, which it takes first."""
    there = up(device, out)
    device.kernel(source, kernel)(grid, block, (there, *args), shared_bytes)
    return down(device, there)


def fault_of(device, kernel, block, *args):
    with pytest.raises(InternalError) as fault:
        launched(device, kernel, block, np.ones(64, np.int32), *args)
    # a kernel's fault stays: what is asked of the card afterwards fails, as with CUDA
    with pytest.raises(InternalError):
        device.synchronise()
    assert fault.value.kind == "KernelFault"
    return fault.value.detail


@settings(max_examples=12, deadline=None)
@given(n=st.integers(1, 40), k8=st.integers(1, 40), seed=st.integers(0, 99), reverses=st.booleans())
def test_listed_rows_of_halves_times_a_vector(n, k8, seed, reverses):
    rng = np.random.default_rng(seed)
    k = 8 * k8
    weights = rng.standard_normal((50, k)).astype(np.float16)
    x = rng.standard_normal(k).astype(np.float16)
    listed = np.sort(rng.choice(50, n, replace=False)).astype(np.int32)
    device = EmulatedDevice(CARD_KERNELS, sources=SAMPLES, reverses=reverses)
    out = device.empty((n,), np.float32, "workspace")

    device.kernel("samples", "dots_f16")(
        (-(-n // 8),), (256,), (up(device, weights), up(device, x), up(device, listed), out, np.int32(n), np.int32(k)),
        2 * k,
    )  # fmt: skip
    found = down(device, out)
    device.close()

    wanted = weights[listed].astype(np.float64) @ x.astype(np.float64)
    assert np.abs(found - wanted).max() < LAST_BITS * k


def test_integer_products_are_exact(samples):
    rng = np.random.default_rng(1)
    w = rng.integers(-128, 128, (20, 64)).astype(np.int8)
    x = rng.integers(-128, 128, 64).astype(np.int8)
    out = samples.empty((20,), np.int32, "workspace")

    samples.kernel("samples", "dots_int8")(
        (3,), (256,), (up(samples, w), up(samples, x), out, np.int32(20), np.int32(64))
    )

    assert (down(samples, out) == w.astype(np.int32) @ x.astype(np.int32)).all()


@pytest.mark.parametrize("os_threads", [1, 2])
@pytest.mark.parametrize("reverses", [False, True])
@pytest.mark.parametrize("shape", [((2, 3, 5), (4, 2, 3)), ((7,), (33,)), ((1, 1, 4), (1, 8))])
def test_grids_and_blocks_of_every_dimension(samples, os_threads, reverses, shape):
    grid, block = shape
    samples.os_threads, samples.reverses = os_threads, reverses
    n = int(np.prod(grid) * np.prod(block)) - 1
    x = np.arange(n + 1, dtype=np.float32)

    found = launched(samples, "add_number", block, x, np.float32(0.5), np.int32(n), source="samples", grid=grid)

    assert (found[:n] == x[:n] + 0.5).all()
    assert found[n] == n


@pytest.mark.parametrize("reverses", [False, True])
@pytest.mark.parametrize(("n", "share"), [(1, 1.0), (31, 0.5), (1000, 0.1), (1024, 1.0), (1500, 0.0)])
def test_compaction_by_ballots_is_ascending(samples, reverses, n, share):
    samples.reverses = reverses
    x = np.where(np.random.default_rng(n).random(n) < share, 1.0, -1.0).astype(np.float32)
    listed, count = samples.empty((n,), np.int32, "workspace"), samples.empty((1,), np.int32, "workspace")

    samples.kernel("samples", "positives")((1,), (256,), (up(samples, x), np.int32(n), listed, count))

    found = int(down(samples, count)[0])
    assert down(samples, listed)[:found].tolist() == np.flatnonzero(x > 0).tolist()


@pytest.mark.parametrize("reverses", [False, True])
def test_warp_operations_are_cudas(samples, reverses):
    samples.reverses = reverses
    x = np.arange(32, dtype=np.int32)
    out = samples.empty((7, 32), np.int32, "workspace")

    samples.kernel("samples", "warp_kinds")((1,), (32,), (up(samples, x), out))

    prefix, below, crossed, from_third, ballot, any_all, block_votes = down(samples, out)
    assert (prefix == np.cumsum(x)).all()
    assert below.tolist() == [lane if lane % 8 == 7 else lane + 1 for lane in range(32)]
    assert (crossed == (x ^ 5)).all()
    assert from_third.tolist() == [3] * 16 + [19] * 16
    assert set(ballot.view(np.uint32).tolist()) == {0xAAAAAAAA}
    assert set(any_all.tolist()) == {3}
    assert set(block_votes.tolist()) == {116}


def test_numbers_too_small_to_be_normal_are_zero_on_the_card_and_only_there(samples):
    tiny = np.full(64, 1e-40, np.float32)

    found = launched(samples, "add_number", (64,), tiny, np.float32(0), np.int32(60), source="samples")

    assert (found[:60] == 0).all()
    assert (found[60:] == tiny[60:]).all()
    assert (tiny * np.float32(0.5) > 0).all()


@pytest.mark.parametrize(
    ("kernel", "block", "named"),
    [
        ("exited_lane", (32,), "exited"),
        ("lane_not_in_mask", (32,), "not in the warp's mask"),
        ("barrier_in_a_branch", (64,), "32 threads at a barrier, 32 at a warp operation"),
        ("two_barriers", (64,), "different barriers"),
        ("beyond_an_array", (32,), "beyond its array at faults.cu:"),
    ],
)
def test_threads_that_miss_each_other_or_their_arrays_are_named(faults, kernel, block, named):
    detail = fault_of(faults, kernel, block)

    assert detail.startswith(kernel)
    assert named in detail
    assert named.startswith("32 threads") or "thread" in detail


def test_a_misaligned_access_names_its_line(faults):
    x, out = up(faults, np.arange(8, dtype=np.int32)), up(faults, np.zeros(32, np.int32))

    faults.kernel("faults", "misaligned")((1,), (32,), (x, out))
    with pytest.raises(InternalError) as fault:
        faults.synchronise()

    line = next(n for n, text in enumerate((FAULTS / "faults.cu").read_text().splitlines(), 1) if "(x + 1)" in text)
    assert f"a misaligned access at faults.cu:{line}" in fault.value.detail


@pytest.mark.parametrize(
    ("kernel", "n", "grid", "differs"),
    [
        ("missing_barrier", 64, 1, True),
        ("missing_warp_barrier", 32, 1, True),
        ("order_of_blocks", 1, 5, True),
        ("with_barrier", 64, 1, False),
    ],
)
def test_a_kernel_that_depends_on_the_order_of_threads_gives_other_bits_in_reverse(faults, kernel, n, grid, differs):
    found = []
    for faults.reverses in (False, True):
        found.append(launched(faults, kernel, (n,), np.zeros(64, np.int32), grid=(grid,)))

    assert (found[0] != found[1]).any() == differs


@pytest.mark.skipif(platform.system() != "Linux", reason="static shared memory is found by its ELF segment")
@pytest.mark.parametrize(("kernel", "shared_bytes"), [("unwritten_shared", 0), ("unwritten_dynamic", 256)])
def test_shared_memory_that_no_thread_wrote_is_no_number(faults, kernel, shared_bytes):
    for _ in range(2):
        found = launched(faults, kernel, (64,), np.zeros(64, np.float32), shared_bytes=shared_bytes)

        assert (found[:32] == 1).all()
        assert np.isnan(found[32:]).all()


@pytest.mark.parametrize("n_bytes", [4 * 64, 4 * 1024, 4096 * 3])
def test_an_access_beyond_guarded_memory_is_the_kernels_fault(card_kernels, n_bytes):
    device = EmulatedDevice(card_kernels, sources=FAULTS, guards=True)
    n = n_bytes // 4
    x, out = up(device, np.ones(n, np.float32)), up(device, np.zeros(32, np.float32))
    reads = device.kernel("faults", "reads_beyond")

    reads((1,), (32,), (x, out, np.int32(n - 32)))
    assert (down(device, out) == 1).all()
    reads((1,), (32,), (x, out, np.int32(n - 31)))
    with pytest.raises(InternalError) as fault:
        device.synchronise()
    device.close()

    assert "outside the card's memory" in fault.value.detail
    assert "thread 31,0,0" in fault.value.detail


def test_a_write_beyond_an_allocation_is_seen_when_it_is_waited_for(card_kernels):
    device = EmulatedDevice(card_kernels, sources=FAULTS)
    x = up(device, np.zeros(30, np.float32), "hot neurons")

    device.kernel("faults", "writes_beyond")((1,), (32,), (x, np.int32(30)))

    with pytest.raises(InternalError, match="hot neurons"):
        device.synchronise()
    with pytest.raises(InternalError, match="hot neurons"):
        device.close()


def test_without_a_compiler_the_emulated_card_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    device = EmulatedDevice(tmp_path / "cache", sources=SAMPLES)

    with pytest.raises(CompilerMissing) as refusal:
        device.kernel("samples", "busy")
    device.close()

    assert "g++" in refusal.value.looked_for


def test_a_source_that_does_not_compile_is_told_with_the_compilers_words(tmp_path):
    (tmp_path / "wrong.cu").write_text('extern "C" __global__ void wrong(float* x)\n{\n    x[0] = undeclared;\n}\n')
    device = EmulatedDevice(tmp_path / "cache", sources=tmp_path)

    with pytest.raises(InternalError) as fault:
        device.kernel("wrong", "wrong")
    device.close()

    assert "wrong.cu:3" in fault.value.detail
    assert "undeclared" in fault.value.detail
    assert list((tmp_path / "cache").iterdir()) == []


def test_compiled_kernels_are_kept_and_an_edited_header_makes_new_ones(tmp_path):
    for name in ("samples.cu", "sums.cuh"):
        (tmp_path / name).write_text((SAMPLES / name).read_text())
    cache = tmp_path / "cache"

    def compiled():
        device = EmulatedDevice(cache, sources=tmp_path)
        device.kernel("samples", "busy")
        device.close()
        return {path.name: path.stat().st_mtime_ns for path in cache.iterdir()}

    first = compiled()
    assert compiled() == first
    (tmp_path / "sums.cuh").write_text((SAMPLES / "sums.cuh").read_text() + "// edited\n")
    assert len(compiled()) == 2


def test_nothing_is_compiled_for_instructions_that_this_processor_lacks(monkeypatch, tmp_path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor : 0\nflags : fpu sse sse2 f16c\n")
    monkeypatch.setattr(compiler, "_CPUINFO", cpuinfo)
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    assert compiler.machine_flags() == ["-mf16c"]

    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert compiler.machine_flags() == []


def test_fibers_by_ucontext_do_the_same(tmp_path, monkeypatch):
    """What machines other than x86-64 with ELF switch threads by."""
    monkeypatch.setattr(compiler, "FLAGS", (*compiler.FLAGS, "-DEMU_UCONTEXT"))
    monkeypatch.setattr(compiler, "machine_flags", list)
    device = EmulatedDevice(CARD_KERNELS, sources=SAMPLES)
    x = np.where(np.arange(300) % 3 == 0, 1.0, -1.0).astype(np.float32)
    listed, count = device.empty((300,), np.int32, "workspace"), device.empty((1,), np.int32, "workspace")

    device.kernel("samples", "positives")((1,), (96,), (up(device, x), np.int32(300), listed, count))
    found = int(down(device, count)[0])
    numbers = down(device, listed)[:found].tolist()
    device.close()

    assert numbers == list(range(0, 300, 3))


def test_a_process_that_ends_without_closing_the_card_ends():
    code = (
        "import numpy as np, pathlib\n"
        "from engine.kernels.cuda.emulated_device import EmulatedDevice\n"
        f"device = EmulatedDevice(pathlib.Path({str(CARD_KERNELS)!r}))\n"
        "device.fill(device.empty((4,), np.float32, 'workspace'), 0)\n"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
