"""Attention of one query head over the key/value cache.

The cache holds, for each layer and key head, one row of `e` values a position, float16 or float32; `e` is padded to a
multiple of 8 with zeros. Positions are read as four far streams, for the reason given in `rows.py`.
"""

import numpy as np
from numba import njit
from numba.extending import overload

from engine.kernels.cpu.kinds import KERNEL
from engine.kernels.cpu.vectors import (
    add_f8,
    exp_f8,
    fma,
    load_f8,
    load_f32,
    load_half8,
    max_f8,
    max_of_f8,
    mul_f8,
    splat_f8,
    store_f8,
    store_f32,
    store_half8,
    sum_f8,
    zero_f8,
)

_LOWEST = np.float32(-1e30)


def load_cached(kind, address, index):
    """Eight cached values, the first at position `index`, as floats."""
    raise NotImplementedError("compiled code only")


@overload(load_cached)
def _load_cached(kind, address, index):
    def from_f16(kind, address, index):
        return load_half8(address, 2 * index)

    def from_f32(kind, address, index):
        return load_f8(address, 4 * index)

    return {"f16": from_f16, "f32": from_f32}[kind.choice]


def store_cached(kind, address, index, value):
    """Store eight floats as cached values."""
    raise NotImplementedError("compiled code only")


@overload(store_cached)
def _store_cached(kind, address, index, value):
    def as_f16(kind, address, index, value):
        store_half8(address, 2 * index, value)

    def as_f32(kind, address, index, value):
        store_f8(address, 4 * index, value)

    return {"f16": as_f16, "f32": as_f32}[kind.choice]


@njit(**KERNEL)
def append_cached(kind, row, cache, position, e):
    """Write one row of e floats at `position` of a head's cache."""
    for i in range(0, e, 8):
        store_cached(kind, cache, position * e + i, load_f8(row, 4 * i))


@njit(**KERNEL)
def softmax(scores, n):
    """n scores in place, except for the division: returns 1 / Σ. The buffer reaches to a multiple of 8."""
    for p in range(n, (n + 7) // 8 * 8):
        store_f32(scores, 4 * p, _LOWEST)
    largest = splat_f8(_LOWEST)
    for p in range(0, n, 8):
        largest = max_f8(largest, load_f8(scores, 4 * p))
    shift = splat_f8(-max_of_f8(largest))
    total = zero_f8()
    for p in range(0, n, 8):
        weight = exp_f8(add_f8(load_f8(scores, 4 * p), shift))
        store_f8(scores, 4 * p, weight)
        total = add_f8(total, weight)
    return np.float32(1) / sum_f8(total)


@njit(**KERNEL)
def attend(kind, query, keys, values, out, scores, n, e, scale):
    """out (e,) = softmax(scale * keys[:n] · query) · values[:n]; `scores` is scratch for n floats, rounded up to 8."""
    quarter = n // 4
    for p in range(quarter):
        p1, p2, p3 = p + quarter, p + 2 * quarter, p + 3 * quarter
        a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
        for i in range(0, e, 8):
            x = load_f8(query, 4 * i)
            a = fma(load_cached(kind, keys, p * e + i), x, a)
            b = fma(load_cached(kind, keys, p1 * e + i), x, b)
            c = fma(load_cached(kind, keys, p2 * e + i), x, c)
            d = fma(load_cached(kind, keys, p3 * e + i), x, d)
        store_f32(scores, 4 * p, sum_f8(a) * scale)
        store_f32(scores, 4 * p1, sum_f8(b) * scale)
        store_f32(scores, 4 * p2, sum_f8(c) * scale)
        store_f32(scores, 4 * p3, sum_f8(d) * scale)
    for p in range(4 * quarter, n):
        a = zero_f8()
        for i in range(0, e, 8):
            a = fma(load_cached(kind, keys, p * e + i), load_f8(query, 4 * i), a)
        store_f32(scores, 4 * p, sum_f8(a) * scale)
    inverse = splat_f8(softmax(scores, n))
    whole = e // 32 * 32
    for i in range(0, whole, 32):
        a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
        for p in range(n):
            w, row = splat_f8(load_f32(scores, 4 * p)), p * e + i
            a = fma(load_cached(kind, values, row), w, a)
            b = fma(load_cached(kind, values, row + 8), w, b)
            c = fma(load_cached(kind, values, row + 16), w, c)
            d = fma(load_cached(kind, values, row + 24), w, d)
        store_f8(out, 4 * i, mul_f8(a, inverse))
        store_f8(out, 4 * i + 32, mul_f8(b, inverse))
        store_f8(out, 4 * i + 64, mul_f8(c, inverse))
        store_f8(out, 4 * i + 96, mul_f8(d, inverse))
    for i in range(whole, e, 8):
        a = zero_f8()
        for p in range(n):
            a = fma(load_cached(kind, values, p * e + i), splat_f8(load_f32(scores, 4 * p)), a)
        store_f8(out, 4 * i, mul_f8(a, inverse))
