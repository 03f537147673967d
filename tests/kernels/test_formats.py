"""Row formats: a row decodes alone, and loses no more than llama.cpp's format of the same width."""

import gguf
import numpy as np
import pytest

from engine.kernels.formats import F16, FORMATS


@pytest.mark.parametrize("fmt", ["int8", "int4"])
def test_a_packed_row_decodes_alone(fmt):
    rows = np.random.default_rng(0).standard_normal((9, 77)).astype(np.float32)
    together = FORMATS[fmt].unpack(FORMATS[fmt].pack(rows), 77)

    alone = np.concatenate([FORMATS[fmt].unpack(FORMATS[fmt].pack(row[None]), 77) for row in rows])

    assert np.array_equal(together, alone)


@pytest.mark.parametrize("fmt", ["int8", "int4", "f32"])
@pytest.mark.parametrize("value", [0.0, 1e-30, 1e-8, 6e4, -3.0])
def test_rows_of_one_value_keep_it(fmt, value):
    rows = np.full((2, 70), value, np.float32)

    got = FORMATS[fmt].unpack(FORMATS[fmt].pack(rows), 70)

    # float16 scales reach down to 6e-8: what is smaller rounds to zero.
    assert np.allclose(got, rows, rtol=2e-2 if fmt != "f32" else 0, atol=1e-5 if fmt == "int8" else 0)


@pytest.mark.parametrize(("fmt", "theirs", "ratio"), [("int8", "Q8_0", 1.001), ("int4", "Q4_0", 1.0)])
def test_the_error_is_no_larger_than_llama_cpps(fmt, theirs, ratio):
    rows = np.random.default_rng(0).standard_t(5, (200, 1024)).astype(np.float32)
    kind = gguf.GGMLQuantizationType[theirs]

    ours = FORMATS[fmt].unpack(FORMATS[fmt].pack(rows), 1024) - rows
    other = gguf.quants.dequantize(gguf.quants.quantize(rows, kind), kind) - rows

    print(f"{fmt} {np.sqrt(np.mean(ours**2)):.5f}, {theirs} {np.sqrt(np.mean(other**2)):.5f}")
    assert np.mean(ours**2) <= ratio * np.mean(other**2)


def test_q8_0_is_taken_over_bit_for_bit():
    rows = np.random.default_rng(1).standard_normal((7, 96)).astype(np.float32)
    kind = gguf.GGMLQuantizationType.Q8_0
    blocks = gguf.quants.quantize(rows, kind).reshape(7, 3, 34)
    scale = np.ascontiguousarray(blocks[:, :, :2]).view(np.float16)[:, :, 0]
    values = np.ascontiguousarray(blocks[:, :, 2:]).view(np.int8).reshape(7, 96)

    packed = FORMATS["int8"].join(scale, values, 96)

    assert np.array_equal(FORMATS["int8"].unpack(packed, 96), gguf.quants.dequantize(blocks.reshape(7, -1), kind))


def test_weights_beyond_float16_scales_are_refused_by_int8_and_kept_by_int4():
    rows = np.full((1, 32), 1e7, np.float32)

    with pytest.raises(OverflowError):
        FORMATS["int8"].pack(rows)

    assert np.allclose(FORMATS["int4"].unpack(FORMATS["int4"].pack(rows), 32), rows, rtol=0.02)


def test_f16_rows_are_float16_with_zeros_behind_them():
    rows = np.random.default_rng(2).standard_normal((3, 77)).astype(np.float32)

    packed = F16.pack(rows)

    assert packed.shape == (3, F16.stride(77))
    assert np.array_equal(F16.unpack(packed, 77), rows.astype(np.float16).astype(np.float32))
    assert not packed[:, 2 * 77 :].any()
    with pytest.raises(OverflowError):
        F16.pack(np.full((1, 8), 7e4, np.float32))
