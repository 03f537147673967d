"""The CUDA C sources as text: what they take, and headers put in."""

from pathlib import Path

import pytest

from engine.errors import InternalError
from engine.kernels.cuda.sources import read_source, signatures, source_names

SAMPLES = Path(__file__).parent / "cuda_samples"


def taken(text):
    return {
        kernel.name: [(p.name, p.dtype.name + ("*" if p.is_pointer else "")) for p in kernel.parameters]
        for kernel in signatures(text).values()
    }


def test_parameters_are_read_with_their_types():
    text = """
    // extern "C" __global__ void not_this(int* x) {}
    extern "C" __global__ void __launch_bounds__(256)
    first(const unsigned char* __restrict__ rows, /* of a row */ int stride,
          const __half *x, float4* out, unsigned long long n, bool last) { }
    extern "C" __global__ void second() { }
    __global__ void not_exported(int n) { }
    """

    assert taken(text) == {
        "first": [
            ("rows", "uint8*"), ("stride", "int32"), ("x", "float16*"), ("out", "float32*"), ("n", "uint64"),
            ("last", "bool"),
        ],
        "second": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("bound", "most"),
    [
        ("__launch_bounds__(128) void", 128),
        ("void __launch_bounds__(THREADS)", 96),
        ("void __launch_bounds__(WIDE, 2)", 512),
        ("void", 1024),
    ],
)
def test_launch_bounds_are_read_as_numbers_or_by_name(bound, most):
    text = f'#define THREADS 96\nconstexpr int WIDE = 512;\nextern "C" __global__ {bound} k(int n) {{}}\n'

    assert signatures(text)["k"].most_threads == most


def test_kernels_may_be_stamped_out_by_macros_over_macros():
    text = """
    #define TIMES(a, b) ((a) * (b))
    #define KERNEL(format, T)                                          \\
        extern "C" __global__ void __launch_bounds__(64) rows_##format( \\
            const T* rows, int n) { (void)TIMES(n, 2); }
    #define BOTH(T) KERNEL(one, T) KERNEL(two, int)
    KERNEL(int8, signed char)
    BOTH(__half)
    """

    assert taken(text) == {
        "rows_int8": [("rows", "int8*"), ("n", "int32")],
        "rows_one": [("rows", "float16*"), ("n", "int32")],
        "rows_two": [("rows", "int32*"), ("n", "int32")],
    }


@pytest.mark.parametrize("parameter", ["struct Shape s", "float** x", "const void* x", "Rows rows"])
def test_a_type_without_a_dtype_is_refused_by_name(parameter):
    with pytest.raises(InternalError) as fault:
        signatures(f'extern "C" __global__ void odd({parameter}) {{}}')

    assert f"odd: parameter '{parameter}'" in fault.value.detail


def test_headers_are_put_in_once_and_lines_keep_their_numbers(tmp_path):
    (tmp_path / "a.cuh").write_text("#pragma once\nint a;\n")
    (tmp_path / "b.cuh").write_text('#pragma once\n#include "a.cuh"\nint b;\n')
    (tmp_path / "k.cu").write_text('#include "b.cuh"\n#include "a.cuh"\n#include <cuda_fp16.h>\nint k;\n')

    lines = read_source("k", tmp_path).splitlines()

    assert [line for line in lines if line.startswith("int")] == ["int a;", "int b;", "int k;"]
    assert "#include <cuda_fp16.h>" in lines
    assert not any("pragma" in line or "include" in line for line in lines if "<cuda_fp16.h>" not in line)
    place, at = "", {}
    number = 0
    for line in lines:
        if line.startswith("#line"):
            number, place = int(line.split()[1]) - 1, line.split('"')[1]
        else:
            number += 1
            at[line] = (place, number)
    assert (at["int a;"], at["int b;"], at["int k;"]) == (("a.cuh", 2), ("b.cuh", 3), ("k.cu", 4))


def test_a_missing_header_is_named(tmp_path):
    (tmp_path / "k.cu").write_text('#include "gone.cuh"\n')

    with pytest.raises(InternalError, match=r"gone\.cuh"):
        read_source("k", tmp_path)


def test_every_kernel_of_the_engine_can_be_called():
    """Each source has kernels, each with parameters that have a dtype, and no name is there twice."""
    names = []
    for source in source_names():
        found = signatures(read_source(source))
        assert found, source
        names += list(found)

    assert len(names) == len(set(names)) > 0
