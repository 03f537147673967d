"""Attention of one query head over the key/value cache.

The cache holds, for each layer and key head, one row of `e` values a position: float32, float16, or int8 with a float32
scale for each 32 values, kept in an array of their own. `e` is padded with zeros, to a multiple of 8, or of 32 for
int8. Positions are read as four far streams, for the reason given in `rows.py`.
"""

import numpy as np
from numba import njit
from numba.extending import overload

from engine.kernels.cpu.activations import quantise_int16
from engine.kernels.cpu.kinds import KERNEL, PART
from engine.kernels.cpu.vectors import (
    abs_f8,
    add_f8,
    add_i8,
    exp_f8,
    fma,
    load_f8,
    load_f32,
    load_h16,
    load_half8,
    load_s8_f8,
    load_s8_h16,
    madd_h16,
    max_f8,
    max_of_f8,
    mul_f8,
    prefetch,
    round_i8,
    splat_f8,
    store_f8,
    store_f32,
    store_half8,
    store_i8_as_bytes,
    sum_f8,
    to_f8,
    zero_f8,
)

_LOWEST = np.float32(-1e30)
_TINY = np.float32(1e-30)
CACHE_GROUP = 32
# Bytes a stream of keys or values is fetched ahead of its use.
FETCH_AHEAD = 1536


# One row of the cache -------------------------------------------------------------------------------------------


@njit(**PART)
def append_f32(row, cache, scales, position, e):
    for i in range(0, 4 * e, 32):
        store_f8(cache, 4 * position * e + i, load_f8(row, i))


@njit(**PART)
def append_f16(row, cache, scales, position, e):
    for i in range(0, e, 8):
        store_half8(cache, 2 * (position * e + i), load_f8(row, 4 * i))


@njit(**PART)
def append_int8(row, cache, scales, position, e):
    for i in range(0, e, CACHE_GROUP):
        a, b = load_f8(row, 4 * i), load_f8(row, 4 * i + 32)
        c, d = load_f8(row, 4 * i + 64), load_f8(row, 4 * i + 96)
        most = max_of_f8(max_f8(max_f8(abs_f8(a), abs_f8(b)), max_f8(abs_f8(c), abs_f8(d))))
        unit = max(most, _TINY) / np.float32(127)
        inverse, at = splat_f8(np.float32(1) / unit), position * e + i
        store_i8_as_bytes(cache, at, round_i8(mul_f8(a, inverse)))
        store_i8_as_bytes(cache, at + 8, round_i8(mul_f8(b, inverse)))
        store_i8_as_bytes(cache, at + 16, round_i8(mul_f8(c, inverse)))
        store_i8_as_bytes(cache, at + 24, round_i8(mul_f8(d, inverse)))
        store_f32(scales, (at >> 5) << 2, unit)


def append_cached(kind, row, cache, scales, position, e):
    """Write one row of e floats at `position` of a head's cache."""
    raise NotImplementedError("compiled code only")


@overload(append_cached)
def _append_cached(kind, row, cache, scales, position, e):
    function = {"f16": append_f16, "f32": append_f32, "int8": append_int8}[kind.choice]

    def implementation(kind, row, cache, scales, position, e):
        function(row, cache, scales, position, e)

    return implementation


@njit(**KERNEL)
def append_entry(kind, row, cache, scales, position, e):
    """`append_cached` for a caller outside compiled code."""
    append_cached(kind, row, cache, scales, position, e)


@njit(**PART)
def units_f32(cache, i):
    return load_f8(cache, 4 * i)


@njit(**PART)
def units_f16(cache, i):
    return load_half8(cache, 2 * i)


@njit(**PART)
def units_int8(cache, i):
    return load_s8_f8(cache, i)


def read_units(kind, cache, i):
    """Eight cached values from value `i` on, as floats, in units of their group's scale."""
    raise NotImplementedError("compiled code only")


@overload(read_units)
def _read_units(kind, cache, i):
    function = {"f16": units_f16, "f32": units_f32, "int8": units_int8}[kind.choice]

    def implementation(kind, cache, i):
        return function(cache, i)

    return implementation


def group_weight(kind, scales, weight, i):
    """`weight` times the scale of the group that value `i` is in."""
    raise NotImplementedError("compiled code only")


@overload(group_weight)
def _group_weight(kind, scales, weight, i):
    def scaled(kind, scales, weight, i):
        return weight * load_f32(scales, (i >> 5) << 2)

    def plain(kind, scales, weight, i):
        return weight

    return scaled if kind.choice == "int8" else plain


@njit(**KERNEL)
def read_rows(kind, cache, scales, out, n, e):
    """The first n positions of a head as (n, e) float32 at `out`."""
    for i in range(0, n * e, 8):
        unit = splat_f8(group_weight(kind, scales, np.float32(1), i))
        store_f8(out, 4 * i, mul_f8(read_units(kind, cache, i), unit))


# Scores -----------------------------------------------------------------------------------------------------------


@njit(**PART)
def prepare_floats(query, ready, e):
    for i in range(0, 4 * e, 32):
        store_f8(ready, i, load_f8(query, i))
    return np.float32(1)


def prepare_query(kind, query, ready, e):
    """The query as the scores' products want it, at `ready`; returns the unit they are multiplied by."""
    raise NotImplementedError("compiled code only")


@overload(prepare_query)
def _prepare_query(kind, query, ready, e):
    function = quantise_int16 if kind.choice == "int8" else prepare_floats

    def implementation(kind, query, ready, e):
        return function(query, ready, e)

    return implementation


@njit(**PART)
def score4_f32(p0, p1, p2, p3, s0, s1, s2, s3, query, e):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for i in range(0, 4 * e, 32):
        x = load_f8(query, i)
        a, b = fma(load_f8(p0, i), x, a), fma(load_f8(p1, i), x, b)
        c, d = fma(load_f8(p2, i), x, c), fma(load_f8(p3, i), x, d)
    return sum_f8(a), sum_f8(b), sum_f8(c), sum_f8(d)


@njit(**PART)
def score4_f16(p0, p1, p2, p3, s0, s1, s2, s3, query, e):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for i in range(0, 2 * e, 16):
        x = load_f8(query, 2 * i)
        a, b = fma(load_half8(p0, i), x, a), fma(load_half8(p1, i), x, b)
        c, d = fma(load_half8(p2, i), x, c), fma(load_half8(p3, i), x, d)
    return sum_f8(a), sum_f8(b), sum_f8(c), sum_f8(d)


@njit(**PART)
def group_product(p, i, x0, x1, scales, total):
    product = add_i8(madd_h16(load_s8_h16(p, i), x0), madd_h16(load_s8_h16(p, i + 16), x1))
    return fma(to_f8(product), splat_f8(load_f32(scales, (i >> 5) << 2)), total)


@njit(**PART)
def score4_int8(p0, p1, p2, p3, s0, s1, s2, s3, query, e):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for i in range(0, e, CACHE_GROUP):
        x0, x1 = load_h16(query, 2 * i), load_h16(query, 2 * i + 32)
        a, b = group_product(p0, i, x0, x1, s0, a), group_product(p1, i, x0, x1, s1, b)
        c, d = group_product(p2, i, x0, x1, s2, c), group_product(p3, i, x0, x1, s3, d)
    return sum_f8(a), sum_f8(b), sum_f8(c), sum_f8(d)


def score4(kind, p0, p1, p2, p3, s0, s1, s2, s3, query, e):
    """Products of four cached rows, by address, with their scales' addresses, and a prepared query."""
    raise NotImplementedError("compiled code only")


@overload(score4)
def _score4(kind, p0, p1, p2, p3, s0, s1, s2, s3, query, e):
    function = {"f16": score4_f16, "f32": score4_f32, "int8": score4_int8}[kind.choice]

    def implementation(kind, p0, p1, p2, p3, s0, s1, s2, s3, query, e):
        return function(p0, p1, p2, p3, s0, s1, s2, s3, query, e)

    return implementation


def row_bytes(kind, e):
    """Bytes of a cached row."""
    raise NotImplementedError("compiled code only")


@overload(row_bytes)
def _row_bytes(kind, e):
    width = {"f16": 2, "f32": 4, "int8": 1}[kind.choice]

    def implementation(kind, e):
        return width * e

    return implementation


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


@njit(**PART)
def cached_at(before, own, n_before, p):
    """Where position p is counted from: `before` up to n_before, from there on `own`."""
    return before if p < n_before else own


@njit(**PART)
def attend_both(
    kind, query, keys, key_scales, values, value_scales, own_keys, own_key_scales, own_values, own_value_scales,
    n_before, out, scores, ready, first, n, e, scale,
):  # fmt: skip
    """out (e,) = softmax(scale * K · query) · V over the positions first … n of two caches.

    Positions below n_before are rows of the first cache, the others of `own`; of either, the address is where its
    position 0 stands or would stand. What comes out is the same bits wherever a position is kept.
    """
    row, groups = row_bytes(kind, e), (e >> 5) << 2
    scale *= prepare_query(kind, query, ready, e)
    seen = n - first
    quarter = seen // 4
    for i in range(quarter):
        p, p1, p2, p3 = first + i, first + i + quarter, first + i + 2 * quarter, first + i + 3 * quarter
        k, k1 = cached_at(keys, own_keys, n_before, p) + p * row, cached_at(keys, own_keys, n_before, p1) + p1 * row
        k2, k3 = cached_at(keys, own_keys, n_before, p2) + p2 * row, cached_at(keys, own_keys, n_before, p3) + p3 * row
        for line in range(FETCH_AHEAD, FETCH_AHEAD + row, 64):
            prefetch(k, line)
            prefetch(k1, line)
            prefetch(k2, line)
            prefetch(k3, line)
        a, b, c, d = score4(
            kind, k, k1, k2, k3,
            cached_at(key_scales, own_key_scales, n_before, p) + p * groups,
            cached_at(key_scales, own_key_scales, n_before, p1) + p1 * groups,
            cached_at(key_scales, own_key_scales, n_before, p2) + p2 * groups,
            cached_at(key_scales, own_key_scales, n_before, p3) + p3 * groups, ready, e,
        )  # fmt: skip
        store_f32(scores, 4 * i, a * scale)
        store_f32(scores, 4 * (i + quarter), b * scale)
        store_f32(scores, 4 * (i + 2 * quarter), c * scale)
        store_f32(scores, 4 * (i + 3 * quarter), d * scale)
    for i in range(4 * quarter, seen):
        p = first + i
        k = cached_at(keys, own_keys, n_before, p) + p * row
        s = cached_at(key_scales, own_key_scales, n_before, p) + p * groups
        a, _, _, _ = score4(kind, k, k, k, k, s, s, s, s, ready, e)
        store_f32(scores, 4 * i, a * scale)
    inverse = splat_f8(softmax(scores, seen))
    whole = e // 64 * 64
    for i in range(0, whole, 64):
        a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
        f, g, h, k = zero_f8(), zero_f8(), zero_f8(), zero_f8()
        for p in range(first, n):
            v, s = cached_at(values, own_values, n_before, p), cached_at(value_scales, own_value_scales, n_before, p)
            weight, at = load_f32(scores, 4 * (p - first)), p * e
            prefetch(v + p * row + FETCH_AHEAD, i * row // e)
            w = splat_f8(group_weight(kind, s, weight, at + i))
            a = fma(read_units(kind, v, at + i), w, a)
            b = fma(read_units(kind, v, at + i + 8), w, b)
            c = fma(read_units(kind, v, at + i + 16), w, c)
            d = fma(read_units(kind, v, at + i + 24), w, d)
            w = splat_f8(group_weight(kind, s, weight, at + i + 32))
            f = fma(read_units(kind, v, at + i + 32), w, f)
            g = fma(read_units(kind, v, at + i + 40), w, g)
            h = fma(read_units(kind, v, at + i + 48), w, h)
            k = fma(read_units(kind, v, at + i + 56), w, k)
        store_f8(out, 4 * i, mul_f8(a, inverse))
        store_f8(out, 4 * i + 32, mul_f8(b, inverse))
        store_f8(out, 4 * i + 64, mul_f8(c, inverse))
        store_f8(out, 4 * i + 96, mul_f8(d, inverse))
        store_f8(out, 4 * i + 128, mul_f8(f, inverse))
        store_f8(out, 4 * i + 160, mul_f8(g, inverse))
        store_f8(out, 4 * i + 192, mul_f8(h, inverse))
        store_f8(out, 4 * i + 224, mul_f8(k, inverse))
    for i in range(whole, e, 8):
        a = zero_f8()
        for p in range(first, n):
            v, s = cached_at(values, own_values, n_before, p), cached_at(value_scales, own_value_scales, n_before, p)
            w = splat_f8(group_weight(kind, s, load_f32(scores, 4 * (p - first)), p * e + i))
            a = fma(read_units(kind, v, p * e + i), w, a)
        store_f8(out, 4 * i, mul_f8(a, inverse))


@njit(**KERNEL)
def attend(kind, query, keys, key_scales, values, value_scales, out, scores, ready, n, e, scale):
    """out (e,) = softmax(scale * keys[:n] · query) · values[:n], of one cache, for callers outside the step.

    `scores` is scratch for n floats, rounded up to 8, and `ready` for e floats.
    """
    attend_both(
        kind, query, keys, key_scales, values, value_scales, keys, key_scales, values, value_scales, 0, out, scores,
        ready, 0, n, e, scale,
    )  # fmt: skip
