"""What happens to the activations of one token between the matrix products: norm, quantisation, rotation, gating.

All buffers are float32 by address and padded with zeros to a multiple of 64 values; `n` is the padded length where a
kernel only reads whole vectors.
"""

import math

import numpy as np
from numba import njit
from numba.extending import overload

from engine.kernels.cpu.kinds import KERNEL, PART
from engine.kernels.cpu.vectors import (
    abs_f8,
    add_f8,
    add_i8,
    div_f8,
    exp_f8,
    fma,
    load_f8,
    load_f32,
    max_f8,
    max_of_f8,
    mul_f8,
    round_i8,
    splat_f8,
    store_f8,
    store_f32,
    store_i8_as_bytes,
    store_i8_as_int16,
    store_i16,
    sub_f8,
    sum_f8,
    sum_i8,
    zero_f8,
)

_TINY = np.float32(1e-20)


@njit(**KERNEL)
def rms_norm(x, weight, out, d, n, eps):
    """out = x / sqrt(mean(x²) + eps) * weight over d values; everything past d is zero in x and in weight."""
    total = zero_f8()
    for i in range(0, 4 * n, 32):
        v = load_f8(x, i)
        total = fma(v, v, total)
    factor = splat_f8(np.float32(1) / np.float32(math.sqrt(sum_f8(total) / np.float32(d) + eps)))
    for i in range(0, 4 * n, 32):
        store_f8(out, i, mul_f8(mul_f8(load_f8(x, i), factor), load_f8(weight, i)))


@njit(**KERNEL)
def layer_norm(x, weight, bias, out, d, n, eps):
    """out = (x - mean) / sqrt(variance + eps) * weight + bias over d values; all are zero past d."""
    total = zero_f8()
    for i in range(0, 4 * n, 32):
        total = add_f8(total, load_f8(x, i))
    mean = sum_f8(total) / np.float32(d)
    centre = splat_f8(mean)
    total = zero_f8()
    whole = d // 8 * 8
    for i in range(0, 4 * whole, 32):
        v = sub_f8(load_f8(x, i), centre)
        total = fma(v, v, total)
    squares = sum_f8(total)
    for i in range(4 * whole, 4 * d, 4):
        squares += (load_f32(x, i) - mean) * (load_f32(x, i) - mean)
    factor = splat_f8(np.float32(1) / np.float32(math.sqrt(squares / np.float32(d) + eps)))
    for i in range(0, 4 * n, 32):
        v = mul_f8(mul_f8(sub_f8(load_f8(x, i), centre), factor), load_f8(weight, i))
        store_f8(out, i, add_f8(v, load_f8(bias, i)))


@njit(**PART)
def copy_floats(x, out, n):
    for i in range(0, 4 * n, 32):
        store_f8(out, i, load_f8(x, i))
    return np.float32(1)


@njit(**KERNEL)
def norm(x, weight, bias, out, d, n, eps):
    """rms_norm without a bias (address 0), layer_norm with one; a copy without a weight."""
    if weight == 0:
        copy_floats(x, out, n)
    elif bias == 0:
        rms_norm(x, weight, out, d, n, eps)
    else:
        layer_norm(x, weight, bias, out, d, n, eps)


@njit(**PART)
def quantise_int16(x, out, n):
    """n float32 → n int16; returns their unit, which is no number where one of them is none."""
    largest, tainted, zero = zero_f8(), zero_f8(), zero_f8()
    for i in range(0, 4 * n, 32):
        v = load_f8(x, i)
        largest, tainted = max_f8(largest, abs_f8(v)), fma(v, zero, tainted)
    unit = max(max_of_f8(largest), _TINY) / np.float32(32767)
    inverse = splat_f8(np.float32(1) / unit)
    for i in range(0, n, 8):
        store_i8_as_int16(out, 2 * i, round_i8(mul_f8(load_f8(x, 4 * i), inverse)))
    return unit + sum_f8(tainted)


@njit(**PART)
def quantise_grouped_int8(x, out, n):
    """n float32 → n int8, then an int16 scale (7 bits) and an int16 sum a group of 32, both padded to 16.

    Returns the unit, which is no number where one of the values is none.
    """
    largest, tainted, zero = zero_f8(), zero_f8(), zero_f8()
    for i in range(0, 4 * n, 32):
        v = load_f8(x, i)
        largest, tainted = max_f8(largest, abs_f8(v)), fma(v, zero, tainted)
    unit = max(max_of_f8(largest), _TINY) / np.float32(127 * 127)
    groups = (n // 32 + 15) // 16 * 16
    scales = out + n
    sums = scales + 2 * groups
    for g in range(n // 32, groups):
        store_i16(scales, 2 * g, np.int16(0))
        store_i16(sums, 2 * g, np.int16(0))
    for i in range(0, n, 32):
        v0, v1, v2, v3 = load_f8(x, 4 * i), load_f8(x, 4 * i + 32), load_f8(x, 4 * i + 64), load_f8(x, 4 * i + 96)
        most = max_of_f8(max_f8(max_f8(abs_f8(v0), abs_f8(v1)), max_f8(abs_f8(v2), abs_f8(v3))))
        exact = most / (unit * np.float32(127)) - np.float32(1e-4)
        scale = np.int32(exact)  # rounded up without a library call
        scale = min(max(scale + (np.float32(scale) < exact), 1), 127)
        inverse = splat_f8(np.float32(1) / (unit * np.float32(scale)))
        q0, q1 = round_i8(mul_f8(v0, inverse)), round_i8(mul_f8(v1, inverse))
        q2, q3 = round_i8(mul_f8(v2, inverse)), round_i8(mul_f8(v3, inverse))
        store_i8_as_bytes(out, i, q0)
        store_i8_as_bytes(out, i + 8, q1)
        store_i8_as_bytes(out, i + 16, q2)
        store_i8_as_bytes(out, i + 24, q3)
        store_i16(scales, i >> 4, np.int16(scale))
        store_i16(sums, i >> 4, np.int16(sum_i8(add_i8(add_i8(q0, q1), add_i8(q2, q3)))))
    return unit + sum_f8(tainted)


def quantise(kind, x, out, n):
    """The activations as rows of `kind` want them, at address `out`; returns the unit a product is multiplied by."""
    raise NotImplementedError("compiled code only")


@overload(quantise)
def _quantise(kind, x, out, n):
    function = {"int8": quantise_int16, "int4": quantise_grouped_int8, "f32": copy_floats}[kind.choice]

    def implementation(kind, x, out, n):
        return function(x, out, n)

    return implementation


@njit(**KERNEL)
def rope(x, out, table, e, rotated):
    """out = one head of width e, its first `rotated` values rotated; table holds half as many cosines, then sines."""
    half = rotated // 2
    for i in range(half):
        cos, sin = load_f32(table, 4 * i), load_f32(table, 4 * (half + i))
        a, b = load_f32(x, 4 * i), load_f32(x, 4 * (half + i))
        store_f32(out, 4 * i, a * cos - b * sin)
        store_f32(out, 4 * (half + i), a * sin + b * cos)
    for i in range(4 * rotated, 4 * e, 4):
        store_f32(out, i, load_f32(x, i))


@njit(**KERNEL)
def silu_times(gate, up, out, n):
    """out = silu(gate) * up over n values, n rounded up to 8; the buffers reach that far."""
    one, zero = splat_f8(np.float32(1)), zero_f8()
    for i in range(0, 4 * n, 32):
        g = load_f8(gate, i)
        store_f8(out, i, mul_f8(div_f8(g, add_f8(one, exp_f8(sub_f8(zero, g)))), load_f8(up, i)))


@njit(**KERNEL)
def quantise_entry(kind, x, out, n):
    """`quantise` for a caller outside compiled code."""
    return quantise(kind, x, out, n)
