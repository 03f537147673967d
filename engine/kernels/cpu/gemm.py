"""Products of many tokens with packed rows: what a prompt is read with.

Weights are unpacked to int16 a panel at a time, in pairs along the summed dimension, so that one instruction multiplies
and adds two products for each of sixteen outputs; activations are int16 with a unit for each token and each 128 values
(`prompt.quantise_tokens`), so that an outlier costs only its neighbours precision. Sums of 128 products are exact in
int32, then joined as float32 in a fixed order: a result depends neither on how many tokens are read at once nor on the
number of threads.

    int4  (nibble - 8) * group scale, at most 1,016 in size and exact; the row's float scale is left to the result
    int8  value * group scale / row unit, at most 4,096 in size, where the row unit is its largest group scale / 32

In the product with the transposed down matrix the sum runs over the neurons, so there a row's scale or unit is
multiplied into the neuron's activation before that is rounded (`row_units`).
"""

import numpy as np
from numba import njit
from numba.extending import overload

from engine.kernels.cpu.atomics import (
    atomic_load,
)
from engine.kernels.cpu.kinds import KERNEL, PART
from engine.kernels.cpu.rows import int4_values_at, int8_values_at
from engine.kernels.cpu.vector_ir import (
    HAS_AVX512,
)
from engine.kernels.cpu.vectors import (
    abs_f8,
    load_f32,
    load_half,
    load_half8,
    load_i32,
    load_s8,
    load_s8_h16,
    max_f8,
    max_of_f8,
    mul_h16,
    store_f32,
    times_32,
    zero_f8,
)
from engine.kernels.cpu.wide_vectors import (
    add_products,
    fma16,
    load_f16,
    load_h32,
    load_high4_h16,
    load_low4_h16,
    mul_f16,
    scale_h16,
    splat_f16,
    splat_h16,
    splat_pair_h32,
    store_f16,
    store_transposed,
    store_zipped,
    to_f16,
    zero_f16,
    zero_i16,
)

# Values of a token that share a unit: 128 products of 4,096 * 4,095 stay below 2^31.
UNIT_VALUES = 128
LARGEST_ACTIVATION = 4095
# A panel: up to 128 outputs by 1,024 values stay in a core's second-level cache while all tokens pass by.
PANEL_OUTPUTS, PANEL_VALUES = 128, 1024
# One block of sixteen outputs; a cache line more than a power of two, so that blocks do not fall on the same sets.
BLOCK_BYTES = 32 * PANEL_VALUES + 64
PANEL_BYTES = PANEL_OUTPUTS // 16 * BLOCK_BYTES
# Tokens and outputs multiplied at a time: as many sums as the registers hold. Callers pad both to multiples.
TILE_TOKENS, TILE_OUTPUTS = (12, 32) if HAS_AVX512 else (6, 16)


# Units ------------------------------------------------------------------------------------------------------------


@njit(**PART)
def int8_unit(p, n):
    """The unit of a row's int16 form: 32768 / (32 * 32767) of its largest group scale."""
    largest, groups = zero_f8(), n // 32
    for g in range(0, groups // 8 * 8, 8):
        largest = max_f8(largest, abs_f8(load_half8(p, 2 * g)))
    most = max_of_f8(largest)
    for g in range(groups // 8 * 8, groups):
        most = max(most, abs(load_half(p, 2 * g)))
    return most * np.float32(32768 / (32 * 32767))


@njit(**PART)
def int4_unit(p, n):
    return load_f32(p, 0)


def row_unit(kind, p, n):
    """What the int16 form of a row is multiplied by."""
    raise NotImplementedError("compiled code only")


@overload(row_unit)
def _row_unit(kind, p, n):
    function = {"int8": int8_unit, "int4": int4_unit}[kind.choice]

    def implementation(kind, p, n):
        return function(p, n)

    return implementation


@njit(**KERNEL)
def row_units(kind, rows, stride, units, first, last, n):
    """units[first:last] = the units of these rows, float32 by address."""
    for r in range(first, last):
        store_f32(units, 4 * r, row_unit(kind, rows + r * stride, n))


@njit(**PART)
def int8_ratio(p, group, unit):
    """A group's scale as a share of the row's largest, in 1/32767, sixteen times."""
    if unit == np.float32(0):
        return splat_h16(np.int16(0))
    return splat_h16(np.int16(np.rint(load_half(p, 2 * group) * (np.float32(1024) / unit))))


# Unpacking --------------------------------------------------------------------------------------------------------


@njit(**PART)
def pack_rows_int8(rows, stride, r, last, block, k0, k, n):
    """Rows r … r+15 (at most `last`), values k0 … k0+k, as pairs of int16: 64 bytes a pair for all sixteen."""
    q = int8_values_at(n)
    for half in range(0, 16, 8):
        p0, p1 = rows + min(r + half, last) * stride, rows + min(r + half + 1, last) * stride
        p2, p3 = rows + min(r + half + 2, last) * stride, rows + min(r + half + 3, last) * stride
        p4, p5 = rows + min(r + half + 4, last) * stride, rows + min(r + half + 5, last) * stride
        p6, p7 = rows + min(r + half + 6, last) * stride, rows + min(r + half + 7, last) * stride
        u0, u1, u2, u3 = int8_unit(p0, n), int8_unit(p1, n), int8_unit(p2, n), int8_unit(p3, n)
        u4, u5, u6, u7 = int8_unit(p4, n), int8_unit(p5, n), int8_unit(p6, n), int8_unit(p7, n)
        for g in range(k0, k0 + k, 32):
            s0, s1 = int8_ratio(p0, g >> 5, u0), int8_ratio(p1, g >> 5, u1)
            s2, s3 = int8_ratio(p2, g >> 5, u2), int8_ratio(p3, g >> 5, u3)
            s4, s5 = int8_ratio(p4, g >> 5, u4), int8_ratio(p5, g >> 5, u5)
            s6, s7 = int8_ratio(p6, g >> 5, u6), int8_ratio(p7, g >> 5, u7)
            for i in range(g, g + 32, 16):
                store_transposed(
                    block + 32 * (i - k0) + 4 * half, 64,
                    scale_h16(times_32(load_s8_h16(p0, q + i)), s0), scale_h16(times_32(load_s8_h16(p1, q + i)), s1),
                    scale_h16(times_32(load_s8_h16(p2, q + i)), s2), scale_h16(times_32(load_s8_h16(p3, q + i)), s3),
                    scale_h16(times_32(load_s8_h16(p4, q + i)), s4), scale_h16(times_32(load_s8_h16(p5, q + i)), s5),
                    scale_h16(times_32(load_s8_h16(p6, q + i)), s6), scale_h16(times_32(load_s8_h16(p7, q + i)), s7),
                )  # fmt: skip


@njit(**PART)
def int4_group(p, group):
    return splat_h16(np.int16(load_s8(p, 32 + group)))


@njit(**PART)
def pack_rows_int4(rows, stride, r, last, block, k0, k, n):
    q = int4_values_at(n)
    for half in range(0, 16, 8):
        p0, p1 = rows + min(r + half, last) * stride, rows + min(r + half + 1, last) * stride
        p2, p3 = rows + min(r + half + 2, last) * stride, rows + min(r + half + 3, last) * stride
        p4, p5 = rows + min(r + half + 4, last) * stride, rows + min(r + half + 5, last) * stride
        p6, p7 = rows + min(r + half + 6, last) * stride, rows + min(r + half + 7, last) * stride
        for g in range(k0, k0 + k, 64):
            z = g >> 5
            s0, s1, s2, s3 = int4_group(p0, z), int4_group(p1, z), int4_group(p2, z), int4_group(p3, z)
            s4, s5, s6, s7 = int4_group(p4, z), int4_group(p5, z), int4_group(p6, z), int4_group(p7, z)
            for i in range(0, 32, 16):
                v = q + (g >> 1) + i
                store_transposed(
                    block + 32 * (g + i - k0) + 4 * half, 64,
                    mul_h16(load_low4_h16(p0, v), s0), mul_h16(load_low4_h16(p1, v), s1),
                    mul_h16(load_low4_h16(p2, v), s2), mul_h16(load_low4_h16(p3, v), s3),
                    mul_h16(load_low4_h16(p4, v), s4), mul_h16(load_low4_h16(p5, v), s5),
                    mul_h16(load_low4_h16(p6, v), s6), mul_h16(load_low4_h16(p7, v), s7),
                )  # fmt: skip
            z += 1
            s0, s1, s2, s3 = int4_group(p0, z), int4_group(p1, z), int4_group(p2, z), int4_group(p3, z)
            s4, s5, s6, s7 = int4_group(p4, z), int4_group(p5, z), int4_group(p6, z), int4_group(p7, z)
            for i in range(0, 32, 16):
                v = q + (g >> 1) + i
                store_transposed(
                    block + 32 * (g + 32 + i - k0) + 4 * half, 64,
                    mul_h16(load_high4_h16(p0, v), s0), mul_h16(load_high4_h16(p1, v), s1),
                    mul_h16(load_high4_h16(p2, v), s2), mul_h16(load_high4_h16(p3, v), s3),
                    mul_h16(load_high4_h16(p4, v), s4), mul_h16(load_high4_h16(p5, v), s5),
                    mul_h16(load_high4_h16(p6, v), s6), mul_h16(load_high4_h16(p7, v), s7),
                )  # fmt: skip


def pack_rows(kind, rows, stride, r, last, block, k0, k, n):
    raise NotImplementedError("compiled code only")


@overload(pack_rows)
def _pack_rows(kind, rows, stride, r, last, block, k0, k, n):
    function = {"int8": pack_rows_int8, "int4": pack_rows_int4}[kind.choice]

    def implementation(kind, rows, stride, r, last, block, k0, k, n):
        function(rows, stride, r, last, block, k0, k, n)

    return implementation


@njit(**PART)
def zip_rows_int8(pa, pb, ua, ub, panel, i, first, last, n):
    """Values first … last of two down rows, of units ua and ub, side by side as the i-th pair of the panel's blocks."""
    q, block = int8_values_at(n), panel + 32 * i
    for g in range(first, last, 32):
        sa, sb = int8_ratio(pa, g >> 5, ua), int8_ratio(pb, g >> 5, ub)
        for j in range(g, g + 32, 16):
            a = scale_h16(times_32(load_s8_h16(pa, q + j)), sa)
            store_zipped(block, 0, a, scale_h16(times_32(load_s8_h16(pb, q + j)), sb))
            block += BLOCK_BYTES


@njit(**PART)
def zip_rows_int4(pa, pb, ua, ub, panel, i, first, last, n):
    q, block = int4_values_at(n), panel + 32 * i
    for g in range(first, last, 64):
        v = q + (g >> 1)
        sa, sb = int4_group(pa, g >> 5), int4_group(pb, g >> 5)
        store_zipped(block, 0, mul_h16(load_low4_h16(pa, v), sa), mul_h16(load_low4_h16(pb, v), sb))
        a = mul_h16(load_low4_h16(pa, v + 16), sa)
        store_zipped(block, BLOCK_BYTES, a, mul_h16(load_low4_h16(pb, v + 16), sb))
        sa, sb = int4_group(pa, (g >> 5) + 1), int4_group(pb, (g >> 5) + 1)
        store_zipped(block, 2 * BLOCK_BYTES, mul_h16(load_high4_h16(pa, v), sa), mul_h16(load_high4_h16(pb, v), sb))
        a = mul_h16(load_high4_h16(pa, v + 16), sa)
        store_zipped(block, 3 * BLOCK_BYTES, a, mul_h16(load_high4_h16(pb, v + 16), sb))
        block += 4 * BLOCK_BYTES


def zip_rows(kind, pa, pb, ua, ub, panel, i, first, last, n):
    raise NotImplementedError("compiled code only")


@overload(zip_rows)
def _zip_rows(kind, pa, pb, ua, ub, panel, i, first, last, n):
    function = {"int8": zip_rows_int8, "int4": zip_rows_int4}[kind.choice]

    def implementation(kind, pa, pb, ua, ub, panel, i, first, last, n):
        function(pa, pb, ua, ub, panel, i, first, last, n)

    return implementation


# Multiplying ------------------------------------------------------------------------------------------------------


@njit(**KERNEL)
def join(y, offset, total, units, at):
    store_f16(y, offset, fma16(to_f16(total), splat_f16(load_f32(units, at)), load_f16(y, offset)))


@njit(**PART)
def tile_of_6(block, x, x_stride, units, units_stride, y, y_stride, k):
    """y[t, :16] += units[t] * x[t, :k] · block for six tokens; strides in bytes."""
    x1, x2, x3, x4, x5 = x + x_stride, x + 2 * x_stride, x + 3 * x_stride, x + 4 * x_stride, x + 5 * x_stride
    for start in range(0, k, UNIT_VALUES):
        a, b, c, d, e, f = zero_i16(), zero_i16(), zero_i16(), zero_i16(), zero_i16(), zero_i16()
        for i in range(start, min(start + UNIT_VALUES, k), 2):
            w, at = load_h32(block, 32 * i), 2 * i
            a = add_products(a, w, splat_pair_h32(load_i32(x, at)))
            b = add_products(b, w, splat_pair_h32(load_i32(x1, at)))
            c = add_products(c, w, splat_pair_h32(load_i32(x2, at)))
            d = add_products(d, w, splat_pair_h32(load_i32(x3, at)))
            e = add_products(e, w, splat_pair_h32(load_i32(x4, at)))
            f = add_products(f, w, splat_pair_h32(load_i32(x5, at)))
        u = units + start // UNIT_VALUES * 4
        join(y, 0, a, u, 0)
        join(y, y_stride, b, u, units_stride)
        join(y, 2 * y_stride, c, u, 2 * units_stride)
        join(y, 3 * y_stride, d, u, 3 * units_stride)
        join(y, 4 * y_stride, e, u, 4 * units_stride)
        join(y, 5 * y_stride, f, u, 5 * units_stride)


@njit(**PART)
def join_pair(y, offset, first, second, units, at):
    """As `join`, for thirty-two neighbouring outputs."""
    unit = splat_f16(load_f32(units, at))
    store_f16(y, offset, fma16(to_f16(first), unit, load_f16(y, offset)))
    store_f16(y, offset + 64, fma16(to_f16(second), unit, load_f16(y, offset + 64)))


@njit(**PART)
def tile_of_12(block, x, x_stride, units, units_stride, y, y_stride, k):
    """y[t, :32] += units[t] * x[t, :k] · two neighbouring blocks, for twelve tokens.

    For processors with thirty-two wide registers: twenty-four sums, and a value is loaded once for every two products.
    """
    x1, x2, x3, x4, x5 = x + x_stride, x + 2 * x_stride, x + 3 * x_stride, x + 4 * x_stride, x + 5 * x_stride
    x6, x7, x8 = x + 6 * x_stride, x + 7 * x_stride, x + 8 * x_stride
    x9, x10, x11 = x + 9 * x_stride, x + 10 * x_stride, x + 11 * x_stride
    for start in range(0, k, UNIT_VALUES):
        a0, b0, a1, b1, a2, b2, a3, b3 = (
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
        )
        a4, b4, a5, b5, a6, b6, a7, b7 = (
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
        )
        a8, b8, a9, b9, a10, b10, a11, b11 = (
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
            zero_i16(),
        )
        for i in range(start, min(start + UNIT_VALUES, k), 2):
            v, w, at = load_h32(block, 32 * i), load_h32(block, 32 * i + BLOCK_BYTES), 2 * i
            z = splat_pair_h32(load_i32(x, at))
            a0, b0 = add_products(a0, v, z), add_products(b0, w, z)
            z = splat_pair_h32(load_i32(x1, at))
            a1, b1 = add_products(a1, v, z), add_products(b1, w, z)
            z = splat_pair_h32(load_i32(x2, at))
            a2, b2 = add_products(a2, v, z), add_products(b2, w, z)
            z = splat_pair_h32(load_i32(x3, at))
            a3, b3 = add_products(a3, v, z), add_products(b3, w, z)
            z = splat_pair_h32(load_i32(x4, at))
            a4, b4 = add_products(a4, v, z), add_products(b4, w, z)
            z = splat_pair_h32(load_i32(x5, at))
            a5, b5 = add_products(a5, v, z), add_products(b5, w, z)
            z = splat_pair_h32(load_i32(x6, at))
            a6, b6 = add_products(a6, v, z), add_products(b6, w, z)
            z = splat_pair_h32(load_i32(x7, at))
            a7, b7 = add_products(a7, v, z), add_products(b7, w, z)
            z = splat_pair_h32(load_i32(x8, at))
            a8, b8 = add_products(a8, v, z), add_products(b8, w, z)
            z = splat_pair_h32(load_i32(x9, at))
            a9, b9 = add_products(a9, v, z), add_products(b9, w, z)
            z = splat_pair_h32(load_i32(x10, at))
            a10, b10 = add_products(a10, v, z), add_products(b10, w, z)
            z = splat_pair_h32(load_i32(x11, at))
            a11, b11 = add_products(a11, v, z), add_products(b11, w, z)
        u, us = units + start // UNIT_VALUES * 4, units_stride
        join_pair(y, 0, a0, b0, u, 0)
        join_pair(y, y_stride, a1, b1, u, us)
        join_pair(y, 2 * y_stride, a2, b2, u, 2 * us)
        join_pair(y, 3 * y_stride, a3, b3, u, 3 * us)
        join_pair(y, 4 * y_stride, a4, b4, u, 4 * us)
        join_pair(y, 5 * y_stride, a5, b5, u, 5 * us)
        join_pair(y, 6 * y_stride, a6, b6, u, 6 * us)
        join_pair(y, 7 * y_stride, a7, b7, u, 7 * us)
        join_pair(y, 8 * y_stride, a8, b8, u, 8 * us)
        join_pair(y, 9 * y_stride, a9, b9, u, 9 * us)
        join_pair(y, 10 * y_stride, a10, b10, u, 10 * us)
        join_pair(y, 11 * y_stride, a11, b11, u, 11 * us)


tile = tile_of_12 if HAS_AVX512 else tile_of_6


@njit(**KERNEL)
def multiply_panel(panel, x, x_stride, units, units_stride, y, y_stride, tokens, outputs, k):
    """y[:tokens, :outputs] += x · panel; tokens a multiple of TILE_TOKENS, outputs of TILE_OUTPUTS."""
    for t in range(0, tokens, TILE_TOKENS):
        for r in range(0, outputs, TILE_OUTPUTS):
            tile(
                panel + r // 16 * BLOCK_BYTES, x + t * x_stride, x_stride, units + t * units_stride, units_stride,
                y + t * y_stride + 4 * r, y_stride, k,
            )  # fmt: skip


@njit(**KERNEL)
def clear(y, y_stride, tokens, outputs):
    for t in range(tokens):
        for r in range(0, 4 * outputs, 64):
            store_f16(y, t * y_stride + r, zero_f16())


@njit(**KERNEL)
def multiply_rows(kind, rows, stride, n_rows, n, x, x_stride, units, units_stride, y, y_stride, tokens, first, last,
                  panel, factors, stop):  # fmt: skip
    """y[:tokens, first:last] = x · rows[first:last]ᵀ; first and last multiples of TILE_OUTPUTS, strides in bytes.

    y reaches to a multiple of TILE_OUTPUTS columns and of TILE_TOKENS rows; `factors` is scratch for PANEL_OUTPUTS
    float32. Returns 1 if the word at `stop` was set, leaving y undefined.
    """
    for begin in range(first, last, PANEL_OUTPUTS):
        end = min(begin + PANEL_OUTPUTS, last)
        clear(y + 4 * begin, y_stride, tokens, end - begin)
        for k0 in range(0, n, PANEL_VALUES):
            k = min(PANEL_VALUES, n - k0)
            for r in range(begin, end, 16):
                pack_rows(kind, rows, stride, r, n_rows - 1, panel + (r - begin) // 16 * BLOCK_BYTES, k0, k, n)
            multiply_panel(
                panel, x + 2 * k0, x_stride, units + 4 * (k0 // UNIT_VALUES), units_stride, y + 4 * begin, y_stride,
                tokens, end - begin, k,
            )  # fmt: skip
            if atomic_load(stop, 0) != 0:
                return 1
        for r in range(begin, end):
            store_f32(factors, 4 * (r - begin), row_unit(kind, rows + min(r, n_rows - 1) * stride, n))
        for t in range(tokens):
            for r in range(begin, end, 16):
                at = t * y_stride + 4 * r
                store_f16(y, at, mul_f16(load_f16(y, at), load_f16(factors, 4 * (r - begin))))
    return 0


@njit(**KERNEL)
def multiply_down(kind, rows, stride, n_rows, n, x, x_stride, units, units_stride, y, y_stride, tokens, first, last,
                  panel, factors, stop):  # fmt: skip
    """y[:tokens, first:last] = x · rows[:, first:last]; first and last multiples of 64.

    x (tokens, n_rows) has each row's unit multiplied in; `factors` are those units, of all rows. Returns 1 if the word
    at `stop` was set.
    """
    for begin in range(first, last, PANEL_OUTPUTS):
        end = min(begin + PANEL_OUTPUTS, last)
        clear(y + 4 * begin, y_stride, tokens, end - begin)
        for k0 in range(0, n_rows, PANEL_VALUES):
            k = min(PANEL_VALUES, n_rows - k0)
            for i in range(0, k, 2):
                a, b = k0 + i, min(k0 + i + 1, n_rows - 1)
                ua, ub = load_f32(factors, 4 * a), load_f32(factors, 4 * b)
                zip_rows(kind, rows + a * stride, rows + b * stride, ua, ub, panel, i, begin, end, n)
            multiply_panel(
                panel, x + 2 * k0, x_stride, units + 4 * (k0 // UNIT_VALUES), units_stride, y + 4 * begin, y_stride,
                tokens, end - begin, (k + 1) // 2 * 2,
            )  # fmt: skip
            if atomic_load(stop, 0) != 0:
                return 1
    return 0
