"""What happens to the activations of many tokens between the matrix products, and their attention's softmax.

Each kernel takes a range of tokens, so that the threads of a pool share the work; everything is float32 by address with
strides in bytes, except the activations made ready for `gemm.py`. Buffers are padded with zeros to whole units of that
module, and columns past the valid ones are left zero.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import norm, rope
from engine.kernels.cpu.attention import append_cached
from engine.kernels.cpu.gemm import LARGEST_ACTIVATION, UNIT_VALUES
from engine.kernels.cpu.kinds import DRELU, FATRELU, KERNEL, PART, RELU2, SILU
from engine.kernels.cpu.vectors import (
    abs_f8,
    add_f8,
    div_f8,
    exp_f8,
    fma,
    keep_from_f8,
    load_f8,
    load_f32,
    max_f8,
    max_of_f8,
    mul_f8,
    round_i8,
    splat_f8,
    store_f8,
    store_f32,
    store_i8_as_int16,
    sub_f8,
    sum_f8,
    zero_f8,
)

_TINY = np.float32(1e-30)
_LOWEST = np.float32(-1e30)


@njit(**KERNEL)
def norm_tokens(x, weight, bias, out, stride, d, padded, eps, first, last):
    """out[t] = norm(x[t]) for the tokens first … last; `padded` values are written."""
    for t in range(first, last):
        norm(x + t * stride, weight, bias, out + t * stride, d, padded, eps)


@njit(**KERNEL)
def quantise_tokens(x, x_stride, factors, out, out_stride, units, units_stride, n, first, last):
    """x (tokens, n) → int16 with a unit for each UNIT_VALUES of a token; n a multiple of UNIT_VALUES.

    `factors` (n,), unless 0, are multiplied in first. A unit is no number where one of its values is none.
    """
    zero = zero_f8()
    for t in range(first, last):
        source, target = x + t * x_stride, out + t * out_stride
        for block in range(0, n, UNIT_VALUES):
            largest, tainted = zero, zero
            for i in range(4 * block, 4 * (block + UNIT_VALUES), 32):
                v = load_f8(source, i)
                if factors != 0:
                    v = mul_f8(v, load_f8(factors, i))
                largest, tainted = max_f8(largest, abs_f8(v)), fma(v, zero, tainted)
            unit = max(max_of_f8(largest), _TINY) / np.float32(LARGEST_ACTIVATION)
            inverse = splat_f8(np.float32(1) / unit)
            for i in range(block, block + UNIT_VALUES, 8):
                v = load_f8(source, 4 * i)
                if factors != 0:
                    v = mul_f8(v, load_f8(factors, 4 * i))
                store_i8_as_int16(target, 2 * i, round_i8(mul_f8(v, inverse)))
            store_f32(units, t * units_stride + block // UNIT_VALUES * 4, unit + sum_f8(tainted))


@njit(**PART)
def add_bias_tokens(y, stride, bias, n, first, last):
    """y[t, :n] += bias."""
    for t in range(first, last):
        row = y + t * stride
        for i in range(0, 4 * n, 4):
            store_f32(row, i, load_f32(row, i) + load_f32(bias, i))


@njit(**KERNEL)
def add_tokens(x, y, stride, n, first, last):
    """x[t, :n] += y[t]."""
    for t in range(first, last):
        a, b = x + t * stride, y + t * stride
        for i in range(0, 4 * n, 4):
            store_f32(a, i, load_f32(a, i) + load_f32(b, i))


@njit(**PART)
def activate_f8(v, activation, threshold):
    zero = zero_f8()
    if activation == SILU:
        return div_f8(v, add_f8(splat_f8(np.float32(1)), exp_f8(sub_f8(zero, v))))
    if activation == FATRELU:
        return keep_from_f8(v, splat_f8(threshold))
    alive = max_f8(v, zero)
    return mul_f8(alive, alive) if activation == RELU2 else alive


@njit(**KERNEL)
def activate_tokens(products, ups, stride, bias, n, padded, activation, gated, threshold, first, last):
    """products[t] = activation(products[t] + bias) * ups[t], zero from n to `padded` (a multiple of 8).

    `bias` may be 0; without a gate ups are not read. A product that is no number stays none, of either kind.
    """
    for t in range(first, last):
        p, u = products + t * stride, ups + t * stride
        for i in range(0, 4 * ((n + 7) // 8 * 8), 32):
            v = load_f8(p, i)
            if bias != 0:
                v = add_f8(v, load_f8(bias, i))
            tainted = mul_f8(v, zero_f8())
            v = add_f8(activate_f8(v, activation, threshold), tainted)
            if gated:
                w = load_f8(u, i)
                if activation == DRELU:
                    w = add_f8(max_f8(w, zero_f8()), mul_f8(w, zero_f8()))
                v = mul_f8(v, w)
            store_f8(p, i, v)
        for i in range(4 * n, 4 * padded, 4):
            store_f32(p, i, np.float32(0))


@njit(**KERNEL)
def append_tokens(kind, rows, stride, cache, scales, position, e, padded, scratch, first, last):
    """Cache rows first … last, e values each, of one head at the positions from `position` + first on.

    `scratch` holds `padded` floats, zero past e.
    """
    for t in range(first, last):
        for i in range(0, 4 * e, 4):
            store_f32(scratch, i, load_f32(rows, t * stride + i))
        append_cached(kind, scratch, cache, scales, position + t, padded)


@njit(**KERNEL)
def rotate_tokens(qkv, stride, table, table_stride, heads, e, rotated, first, last):
    """Rotate the first `heads` heads of each token in place; table has a row a token."""
    for t in range(first, last):
        for h in range(heads):
            at = qkv + t * stride + 4 * h * e
            rope(at, at, table + t * table_stride, e, rotated)


@njit(**KERNEL)
def softmax_tokens(scores, stride, n, position, window, scale, tokens):
    """Softmax of scale * scores[t, :n] over what token t, at position + t, may see; zero elsewhere.

    With a window only so many positions are seen, the token itself included. n is a multiple of 8.
    """
    for t in range(tokens):
        row, seen = scores + t * stride, position + t + 1
        begin = max(0, seen - window) if window else 0
        for i in range(begin):
            store_f32(row, 4 * i, _LOWEST)
        for i in range(seen, n):
            store_f32(row, 4 * i, _LOWEST)
        largest, factor = splat_f8(_LOWEST), splat_f8(scale)
        end = 4 * ((seen + 7) // 8 * 8)
        for i in range(0, end, 32):
            largest = max_f8(largest, load_f8(row, i))
        shift, total = splat_f8(-scale * max_of_f8(largest)), zero_f8()
        for i in range(0, end, 32):
            weight = exp_f8(fma(load_f8(row, i), factor, shift))
            store_f8(row, i, weight)
            total = add_f8(total, weight)
        inverse = splat_f8(np.float32(1) / sum_f8(total))
        for i in range(0, end, 32):
            store_f8(row, i, mul_f8(load_f8(row, i), inverse))
        for i in range(begin):
            store_f32(row, 4 * i, np.float32(0))
        for i in range(seen, n):
            store_f32(row, 4 * i, np.float32(0))
