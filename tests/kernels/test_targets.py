"""Correct without AVX2, and fast by the instructions that the speed rests on, where only compiling can tell.

What a processor of another kind would run is emitted by `compile_for_targets.py` and looked at here: vector products
where the project claims them, and no library calls in the kernels. What x86 processors of other generations run is held
to the specification too, by running the tests of the kernels anew in a process that compiles for those.
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from engine.kernels.cpu import ops, vector_ir, vectors
from tests.kernels.compile_for_targets import FORMS

REPOSITORY = Path(__file__).parents[2]
IS_X86 = platform.machine().lower() in ("x86_64", "amd64")
ARM64, AVX512 = ("generic", "apple-m1"), ("znver4", "sapphirerapids")
# Functions of the mathematical library that are called once for many values, and on such processors only.
KNOWN_CALLS = {("x86-64", "accumulate_int4"): ["rintf"]}


def compiled(form):
    answer = subprocess.run(
        [sys.executable, "tests/kernels/compile_for_targets.py", form], cwd=REPOSITORY,
        env={**os.environ, **FORMS[form].environment, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


@pytest.fixture(scope="module")
def emitted():
    """target → kernel → what was emitted, for every form that this processor's compiler can make."""
    if not IS_X86:
        pytest.skip("the kernels' x86 forms are made by an x86 compiler only")
    return {target: kernels for form in FORMS for target, kernels in compiled(form).items()}


def count(emitted, target, kernel, *mnemonics):
    """How many instructions there are of these mnemonics, together."""
    instructions = emitted[target][kernel]["instructions"]
    return sum(instructions.get(mnemonic, 0) for mnemonic in mnemonics)


def test_the_kernels_compile_for_every_target(emitted):
    assert set(emitted) == {"x86-64", "nehalem", "haswell", *ARM64, *AVX512}
    assert all(len(kernels) == 11 for kernels in emitted.values())


def test_no_kernel_calls_a_library(emitted):
    calls = {(t, k): facts["calls"] for t, kernels in emitted.items() for k, facts in kernels.items() if facts["calls"]}

    assert calls == KNOWN_CALLS


@pytest.mark.parametrize("kernel", ["dot4_int8", "score4_int8", "tile", "dot4_int4"])
def test_avx2_multiplies_int16_pairs_sixteen_at_a_time(emitted, kernel):
    assert count(emitted, "haswell", kernel, "vpmaddwd") >= 8


@pytest.mark.parametrize("kernel", ["dot4_int4", "accumulate_int4"])
def test_avx2_multiplies_nibbles_thirty_two_at_a_time(emitted, kernel):
    assert count(emitted, "haswell", kernel, "vpmaddubsw") >= 8


@pytest.mark.parametrize("kernel", ["dot4_int4", "accumulate_int4"])
def test_processors_without_avx_multiply_nibbles_sixteen_at_a_time(emitted, kernel):
    assert count(emitted, "nehalem", kernel, "pmaddubsw") >= 16


@pytest.mark.parametrize("target", ["haswell", *AVX512])
def test_half_precision_is_converted_by_an_instruction(emitted, target):
    assert count(emitted, target, "score4_f16", "vcvtph2ps", "vcvtph2psx") >= 4


@pytest.mark.parametrize("target", AVX512)
def test_avx512_multiplies_a_tile_thirty_two_at_a_time(emitted, target):
    assert emitted[target]["tile"]["wide"] > 12
    assert count(emitted, target, "tile", "vpdpwssd", "vpmaddwd") >= 12  # one or two a token


@pytest.mark.parametrize("kernel", ["dot4_int4", "score4_int8"])
def test_avx512_multiplies_and_adds_pairs_in_one_instruction(emitted, kernel):
    assert count(emitted, "znver4", kernel, "vpdpwssd") >= 4


@pytest.mark.parametrize("target", ARM64)
@pytest.mark.parametrize("kernel", ["dot4_int8", "score4_int8", "tile", "dot4_int4"])
def test_arm_multiplies_int16_four_at_a_time(emitted, target, kernel):
    assert count(emitted, target, kernel, "smull.4s", "smull2.4s", "smlal.4s", "smlal2.4s") >= 16


@pytest.mark.parametrize("target", ["haswell", *AVX512, *ARM64])
def test_down_rows_are_widened_and_added_in_whole_vectors(emitted, target):
    fused = ("vfmadd132ps", "vfmadd213ps", "vfmadd231ps", "fmla.4s")

    assert count(emitted, target, "accumulate_int8", *fused) >= 8
    assert count(emitted, target, "accumulate_int8", "vcvtdq2ps", "scvtf.4s") >= 8
    assert count(emitted, target, "accumulate_int8", "vcvtsi2ss", "vcvtsi2ssl", "scvtf") == 0


@pytest.mark.parametrize("target", ARM64)
@pytest.mark.parametrize("kernel", ["dot4_int4", "accumulate_int4"])
def test_arm_multiplies_nibbles_eight_at_a_time(emitted, target, kernel):
    assert count(emitted, target, kernel, "smull.8h", "smull2.8h", "mul.8h") >= 16


@pytest.mark.parametrize("target", ARM64)
def test_arm_converts_half_precision_and_rounds_by_instructions(emitted, target):
    assert count(emitted, target, "score4_f16", "fcvtl.4s") >= 4
    assert count(emitted, target, "score4_f16", "fmla.4s") >= 8
    assert count(emitted, target, "quantise_int16", "frintx.4s", "frintn.4s", "fcvtns.4s") >= 2


@pytest.mark.parametrize("target", ARM64)
def test_arm_adds_products_of_nibbles_before_it_scales_them(emitted, target):
    assert count(emitted, target, "dot4_int4", "addp.8h") >= 24
    assert count(emitted, target, "dot4_int4", "smlal.4s", "smlal2.4s") >= 16


@pytest.mark.parametrize(
    ("target", "instruction"),
    [("haswell", "vpshufb"), *((t, "vpopcntq") for t in AVX512), *((t, "cnt.16b") for t in ARM64)],
)
def test_bits_are_counted_by_vector_instructions(emitted, target, instruction):
    assert count(emitted, target, "differing_bits", instruction) >= 1


@pytest.mark.parametrize("target", ["haswell", *AVX512])
def test_eight_signs_are_packed_in_one_instruction(emitted, target):
    assert count(emitted, target, "pack_signs", "vmovmskps", "kmovb", "kmovd", "vpmovd2m") >= 1


@pytest.mark.parametrize("target", ["x86-64", "nehalem", "haswell", *ARM64, *AVX512])
@pytest.mark.parametrize("kernel", ["dot4_int4", "dot4_int8", "score4_int8", "tile"])
def test_products_are_never_taken_one_by_one(emitted, target, kernel):
    # a few scalar products are left for addresses and the rows' scales
    assert count(emitted, target, kernel, "imull", "imulq", "imulw", "mul", "madd", "smull", "smaddl") <= 4


# Running the portable forms ---------------------------------------------------------------------------------------

KERNEL_TESTS = (
    "test_cpu_kernels.py", "test_prompt_kernels.py", "test_decode_parts.py", "test_predictor_kernels.py",
    "test_targets.py",
)  # fmt: skip
VECTOR_TESTS = ("test_cpu_kernels.py", "test_prompt_kernels.py", "test_predictor_kernels.py")
WRITTEN_OUT = "widened or narrowed or rounding_goes or nibbles_product"  # of this file
WHOLE_MODELS = "same_bits or prefill_leaves or never_used or skipped_and_counted"


def passes(target, *arguments):
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments],
        cwd=REPOSITORY, env={**os.environ, "EMBER_KERNEL_TARGET": target}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-2000:]


@pytest.mark.parametrize("file", KERNEL_TESTS)
def test_the_oldest_processor_holds_the_same_specification(file):
    passes("generic", f"tests/kernels/{file}", *(("-k", WRITTEN_OUT) if file == "test_targets.py" else ()))


@pytest.mark.slow
def test_the_oldest_processor_runs_whole_models():
    files = [f"tests/runtime/test_{name}.py" for name in ("transformer", "predicted", "tiers_in_the_step")]
    passes("generic", *files, "-k", WHOLE_MODELS)


@pytest.mark.skipif(not vector_ir.HAS_AVX512, reason="this processor has no AVX-512: it runs the AVX2 forms anyway")
@pytest.mark.parametrize("file", VECTOR_TESTS)
def test_a_processor_without_avx512_holds_the_same_specification(file):
    passes("avx2", f"tests/kernels/{file}")


@pytest.mark.skipif(not vector_ir.HAS_SSSE3, reason="not a processor that has these instructions")
@pytest.mark.slow
@pytest.mark.parametrize("file", VECTOR_TESTS)
def test_a_processor_without_avx_holds_the_same_specification(file):
    passes("sse", f"tests/kernels/{file}")


# What the portable forms write out --------------------------------------------------------------------------------


@njit(nogil=True)
def widen(source, target, n):
    for i in range(0, n, 8):
        vectors.store_f8(target, 4 * i, vectors.load_half8(source, 2 * i))


@njit(nogil=True)
def narrow(source, target, n):
    for i in range(0, n, 8):
        vectors.store_half8(target, 2 * i, vectors.load_f8(source, 4 * i))


@njit(nogil=True)
def rounded(source, target, n):
    for i in range(0, n, 8):
        vectors.store_i8(target, 4 * i, vectors.round_i8(vectors.load_f8(source, 4 * i)))


load_i8 = vector_ir.loader(vector_ir.I8, vector_ir.I8.llvm, 4)


def nibble_sums(*, is_x86, monkeypatch):
    """What the form for x86, or that for others, makes of random nibbles, bytes and scales."""
    monkeypatch.setattr(vectors, "IS_X86", is_x86)

    @njit(nogil=True)
    def sums(nibbles, x, scales, out, n):
        for i in range(n):
            vectors.store_i8(out, 32 * i, vectors.add_scaled_nibbles(
                load_i8(out, 32 * i), vectors.load_b32(nibbles, 32 * i), vectors.load_b32(x, 32 * i),
                vectors.load_i32(scales, 4 * i),
            ))  # fmt: skip

    rng, n = np.random.default_rng(0), 500
    nibbles, x = rng.integers(0, 16, (n, 32), np.uint8), rng.integers(-127, 128, (n, 32)).astype(np.int8)
    scales = rng.integers(-127 * 127, 127 * 127 + 1, (n, 1)).astype(np.int16)
    nibbles[:4], x[:4], scales[:4] = 15, 127, 127 * 127
    out = rng.integers(-(1 << 20), 1 << 20, (n, 8)).astype(np.int32)
    expected = out + scales * (nibbles * x.astype(np.int32)).reshape(n, 8, 4).sum(axis=2)
    pairs = np.repeat(scales, 2, axis=1).copy()

    sums(nibbles.ctypes.data, x.ctypes.data, pairs.ctypes.data, out.ctypes.data, n)
    return out, expected


@pytest.mark.parametrize("is_x86", [IS_X86, False])
def test_every_form_of_the_nibbles_product_is_exact(is_x86, monkeypatch):
    got, expected = nibble_sums(is_x86=is_x86, monkeypatch=monkeypatch)

    assert np.array_equal(got, expected)


def test_every_half_is_widened_exactly():
    halves, got = np.arange(65536, dtype=np.uint16), ops.aligned_zeros(65536, np.float32)

    widen(halves.ctypes.data, got.ctypes.data, 65536)

    assert np.array_equal(got, halves.view(np.float16).astype(np.float32), equal_nan=True)


def test_floats_are_narrowed_to_the_nearest_half_and_ties_to_even():
    halves = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32).view(np.uint32)
    between = np.concatenate([halves + np.uint32(step) for step in (0, 1, 0xFFF, 0x1000, 0x1001)])
    anywhere = np.random.default_rng(0).integers(0, 1 << 32, 1 << 18, dtype=np.uint32)
    x = np.concatenate([between, anywhere]).view(np.float32)
    got = np.zeros(len(x), np.float16)

    narrow(x.ctypes.data, got.ctypes.data, len(x))

    with np.errstate(over="ignore", invalid="ignore"):
        assert np.array_equal(got, x.astype(np.float16), equal_nan=True)


def test_rounding_goes_to_the_nearest_and_ties_to_even():
    x = np.concatenate([np.arange(-64, 64) / 2, np.linspace(-33000, 33000, 4096), [0.49999997, -0.49999997] * 4])
    x = x.astype(np.float32)
    got = np.zeros(len(x), np.int32)

    rounded(x.ctypes.data, got.ctypes.data, len(x))

    assert np.array_equal(got, np.rint(x).astype(np.int32))
