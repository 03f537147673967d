"""Products with packed rows: dense matrix-vector, rows from a list, and the transposed accumulation of the down matrix.

Rows are read through four streams at once. In the dense product the four are far apart (a quarter of the rows each):
one core keeps more cache misses in flight that way, which the project's CPU study measured as 1.5 times the bandwidth
of a single stream. Activations come quantised as the row format wants them (`activations.py`): int16 for int8 rows,
grouped int8 for int4 rows, float32 for float rows. `n` is always the padded row length.
"""

import numpy as np
from numba import njit
from numba.extending import overload

from engine.kernels.cpu.kinds import KERNEL
from engine.kernels.cpu.vectors import (
    add_f8,
    add_i8,
    fma,
    high_nibbles,
    load_b32,
    load_f8,
    load_f32,
    load_h16,
    load_half,
    load_high4_f8,
    load_i32,
    load_i64,
    load_low4_f8,
    load_s8,
    load_s8_f8,
    load_s8_h16,
    low_nibbles,
    madd_b32,
    madd_h16,
    mul_f8,
    mul_h16,
    prefetch,
    scratch_8k,
    splat_f8,
    splat_pair_h16,
    store_f8,
    store_f32,
    store_h16_twice,
    sum_f8,
    to_f8,
    zero_f8,
    zero_i8,
)

# int4: groups of scale products kept on the stack at a time, 512 int32 for each of four rows; longer rows go in pieces.
INT4_PIECE = 16384


@njit(**KERNEL)
def int8_values_at(n):
    return (n // 16 + 31) // 32 * 32


@njit(**KERNEL)
def int4_values_at(n):
    return 32 + (n // 32 + 15) // 16 * 16


# Four dot products at once ----------------------------------------------------------------------------------------


@njit(**KERNEL)
def dot4_f32(p0, p1, p2, p3, x, n):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    e, f, g, h = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for i in range(0, 4 * n, 64):
        x0, x1 = load_f8(x, i), load_f8(x, i + 32)
        a, e = fma(load_f8(p0, i), x0, a), fma(load_f8(p0, i + 32), x1, e)
        b, f = fma(load_f8(p1, i), x0, b), fma(load_f8(p1, i + 32), x1, f)
        c, g = fma(load_f8(p2, i), x0, c), fma(load_f8(p2, i + 32), x1, g)
        d, h = fma(load_f8(p3, i), x0, d), fma(load_f8(p3, i + 32), x1, h)
    return sum_f8(add_f8(a, e)), sum_f8(add_f8(b, f)), sum_f8(add_f8(c, g)), sum_f8(add_f8(d, h))


@njit(**KERNEL)
def dot4_int8(p0, p1, p2, p3, x, n):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    q = int8_values_at(n)
    for i in range(0, n, 32):
        x0, x1 = load_h16(x, 2 * i), load_h16(x, 2 * i + 32)
        s = i >> 4
        ia = add_i8(madd_h16(load_s8_h16(p0, q + i), x0), madd_h16(load_s8_h16(p0, q + i + 16), x1))
        ib = add_i8(madd_h16(load_s8_h16(p1, q + i), x0), madd_h16(load_s8_h16(p1, q + i + 16), x1))
        ic = add_i8(madd_h16(load_s8_h16(p2, q + i), x0), madd_h16(load_s8_h16(p2, q + i + 16), x1))
        id_ = add_i8(madd_h16(load_s8_h16(p3, q + i), x0), madd_h16(load_s8_h16(p3, q + i + 16), x1))
        a = fma(to_f8(ia), splat_f8(load_half(p0, s)), a)
        b = fma(to_f8(ib), splat_f8(load_half(p1, s)), b)
        c = fma(to_f8(ic), splat_f8(load_half(p2, s)), c)
        d = fma(to_f8(id_), splat_f8(load_half(p3, s)), d)
    return sum_f8(a), sum_f8(b), sum_f8(c), sum_f8(d)


@njit(**KERNEL)
def int4_scales(p, x_scale, x_sum, first, last, products):
    """Fill `products` with w-scale * x-scale, twice each, for the groups first…last; returns Σ product * Σx.

    The nibbles are stored plus 8, so 8 times that sum is subtracted from the row's dot product.
    """
    offset = zero_f8()
    for k0 in range(first, last, 128):  # 128 groups: the int32 sums stay below 2^31
        total = zero_i8()
        for k in range(k0, min(k0 + 128, last), 16):
            s = mul_h16(load_s8_h16(p, 32 + k), load_h16(x_scale, 2 * k))
            total = add_i8(total, madd_h16(s, load_h16(x_sum, 2 * k)))
            store_h16_twice(products, 4 * (k - first), s)
        offset = add_f8(offset, to_f8(total))
    return sum_f8(offset)


@njit(**KERNEL)
def dot4_int4(p0, p1, p2, p3, x, n):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    ca, cb, cc, cd = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    q = int4_values_at(n)
    groups = (n // 32 + 15) // 16 * 16
    x_scale = x + n
    x_sum = x_scale + 2 * groups
    buffer = scratch_8k()
    for piece in range(0, n, INT4_PIECE):
        end = min(piece + INT4_PIECE, n)
        g0, g1 = piece // 32, (end // 32 + 15) // 16 * 16
        ca += int4_scales(p0, x_scale, x_sum, g0, g1, buffer)
        cb += int4_scales(p1, x_scale, x_sum, g0, g1, buffer + 2048)
        cc += int4_scales(p2, x_scale, x_sum, g0, g1, buffer + 4096)
        cd += int4_scales(p3, x_scale, x_sum, g0, g1, buffer + 6144)
        for i in range(piece, end, 1024):  # 1,024 values: 15 * 127 * 2 * 127² * 16 stays below 2^31
            ia, ib, ic, id_ = zero_i8(), zero_i8(), zero_i8(), zero_i8()
            ja, jb, jc, jd = zero_i8(), zero_i8(), zero_i8(), zero_i8()
            for j in range(i, min(i + 1024, end), 64):
                x0, x1 = load_b32(x, j), load_b32(x, j + 32)
                v, s = q + (j >> 1), (j - piece) >> 3
                w = load_b32(p0, v)
                ia = add_i8(ia, madd_h16(madd_b32(low_nibbles(w), x0), splat_pair_h16(load_i32(buffer, s))))
                ja = add_i8(ja, madd_h16(madd_b32(high_nibbles(w), x1), splat_pair_h16(load_i32(buffer, s + 4))))
                w = load_b32(p1, v)
                ib = add_i8(ib, madd_h16(madd_b32(low_nibbles(w), x0), splat_pair_h16(load_i32(buffer, s + 2048))))
                jb = add_i8(jb, madd_h16(madd_b32(high_nibbles(w), x1), splat_pair_h16(load_i32(buffer, s + 2052))))
                w = load_b32(p2, v)
                ic = add_i8(ic, madd_h16(madd_b32(low_nibbles(w), x0), splat_pair_h16(load_i32(buffer, s + 4096))))
                jc = add_i8(jc, madd_h16(madd_b32(high_nibbles(w), x1), splat_pair_h16(load_i32(buffer, s + 4100))))
                w = load_b32(p3, v)
                id_ = add_i8(id_, madd_h16(madd_b32(low_nibbles(w), x0), splat_pair_h16(load_i32(buffer, s + 6144))))
                jd = add_i8(jd, madd_h16(madd_b32(high_nibbles(w), x1), splat_pair_h16(load_i32(buffer, s + 6148))))
            a = add_f8(a, add_f8(to_f8(ia), to_f8(ja)))
            b = add_f8(b, add_f8(to_f8(ib), to_f8(jb)))
            c = add_f8(c, add_f8(to_f8(ic), to_f8(jc)))
            d = add_f8(d, add_f8(to_f8(id_), to_f8(jd)))
    eight = np.float32(8)
    return (
        (sum_f8(a) - eight * ca) * load_f32(p0, 0),
        (sum_f8(b) - eight * cb) * load_f32(p1, 0),
        (sum_f8(c) - eight * cc) * load_f32(p2, 0),
        (sum_f8(d) - eight * cd) * load_f32(p3, 0),
    )


def dot4(kind, p0, p1, p2, p3, x, n):
    """Dot products of four rows, by address, with the activations at `x`."""
    raise NotImplementedError("compiled code only")


@overload(dot4)
def _dot4(kind, p0, p1, p2, p3, x, n):
    function = {"int8": dot4_int8, "int4": dot4_int4, "f32": dot4_f32}[kind.choice]

    def implementation(kind, p0, p1, p2, p3, x, n):
        return function(p0, p1, p2, p3, x, n)

    return implementation


# Products over many rows ------------------------------------------------------------------------------------------


@njit(**KERNEL)
def matvec(kind, rows, stride, x, y, first, last, n, unit):
    """y[first:last] = unit * rows[first:last] · x, four far streams at a time.

    rows, x, y are addresses; y is float32. Reads every byte of the rows once.
    """
    quarter = (last - first) // 4
    for r in range(first, first + quarter):
        r1, r2, r3 = r + quarter, r + 2 * quarter, r + 3 * quarter
        a, b, c, d = dot4(kind, rows + r * stride, rows + r1 * stride, rows + r2 * stride, rows + r3 * stride, x, n)
        store_f32(y, 4 * r, unit * a)
        store_f32(y, 4 * r1, unit * b)
        store_f32(y, 4 * r2, unit * c)
        store_f32(y, 4 * r3, unit * d)
    r = first + 4 * quarter
    if r < last:
        r1, r2 = min(r + 1, last - 1), min(r + 2, last - 1)
        a, b, c, _ = dot4(kind, rows + r * stride, rows + r1 * stride, rows + r2 * stride, rows + r * stride, x, n)
        store_f32(y, 4 * r, unit * a)
        store_f32(y, 4 * r1, unit * b)
        store_f32(y, 4 * r2, unit * c)


@njit(**KERNEL)
def matvec_listed(kind, rows, stride, neurons, x, y, k, n, unit):
    """y[i] = unit * rows[neurons[i]] · x for the k row numbers (int64) at `neurons`.

    The next four rows are prefetched.
    """
    for i in range(0, k, 4):
        i1, i2, i3 = min(i + 1, k - 1), min(i + 2, k - 1), min(i + 3, k - 1)
        p0 = rows + load_i64(neurons, 8 * i) * stride
        p1 = rows + load_i64(neurons, 8 * i1) * stride
        p2 = rows + load_i64(neurons, 8 * i2) * stride
        p3 = rows + load_i64(neurons, 8 * i3) * stride
        if i + 8 <= k:
            for ahead in range(i + 4, i + 8):
                following = rows + load_i64(neurons, 8 * ahead) * stride
                for line in range(0, stride, 64):
                    prefetch(following, line)
        a, b, c, d = dot4(kind, p0, p1, p2, p3, x, n)
        store_f32(y, 4 * i3, unit * d)
        store_f32(y, 4 * i2, unit * c)
        store_f32(y, 4 * i1, unit * b)
        store_f32(y, 4 * i, unit * a)


# Accumulation of down rows ----------------------------------------------------------------------------------------


@njit(**KERNEL)
def add4_f32(p0, p1, p2, p3, h0, h1, h2, h3, y, n):
    a, b, c, d = splat_f8(h0), splat_f8(h1), splat_f8(h2), splat_f8(h3)
    for i in range(0, 4 * n, 32):
        v = fma(load_f8(p0, i), a, load_f8(y, i))
        v = fma(load_f8(p1, i), b, v)
        v = fma(load_f8(p2, i), c, v)
        store_f8(y, i, fma(load_f8(p3, i), d, v))


@njit(**KERNEL)
def add4_int8(p0, p1, p2, p3, h0, h1, h2, h3, y, n):
    q = int8_values_at(n)
    for g in range(0, n, 32):
        s = g >> 4
        a, b = splat_f8(h0 * load_half(p0, s)), splat_f8(h1 * load_half(p1, s))
        c, d = splat_f8(h2 * load_half(p2, s)), splat_f8(h3 * load_half(p3, s))
        for i in range(g, g + 32, 8):
            v = fma(load_s8_f8(p0, q + i), a, load_f8(y, 4 * i))
            v = fma(load_s8_f8(p1, q + i), b, v)
            v = fma(load_s8_f8(p2, q + i), c, v)
            store_f8(y, 4 * i, fma(load_s8_f8(p3, q + i), d, v))


@njit(**KERNEL)
def add4_int4(p0, p1, p2, p3, h0, h1, h2, h3, y, n):
    q = int4_values_at(n)
    h0, h1, h2, h3 = h0 * load_f32(p0, 0), h1 * load_f32(p1, 0), h2 * load_f32(p2, 0), h3 * load_f32(p3, 0)
    for g in range(0, n, 64):
        s, v0 = 32 + (g >> 5), q + (g >> 1)
        a, b = splat_f8(h0 * np.float32(load_s8(p0, s))), splat_f8(h1 * np.float32(load_s8(p1, s)))
        c, d = splat_f8(h2 * np.float32(load_s8(p2, s))), splat_f8(h3 * np.float32(load_s8(p3, s)))
        for i in range(0, 32, 8):
            v = fma(load_low4_f8(p0, v0 + i), a, load_f8(y, 4 * (g + i)))
            v = fma(load_low4_f8(p1, v0 + i), b, v)
            v = fma(load_low4_f8(p2, v0 + i), c, v)
            store_f8(y, 4 * (g + i), fma(load_low4_f8(p3, v0 + i), d, v))
        s += 1
        a, b = splat_f8(h0 * np.float32(load_s8(p0, s))), splat_f8(h1 * np.float32(load_s8(p1, s)))
        c, d = splat_f8(h2 * np.float32(load_s8(p2, s))), splat_f8(h3 * np.float32(load_s8(p3, s)))
        for i in range(0, 32, 8):
            o = 4 * (g + 32 + i)
            v = fma(load_high4_f8(p0, v0 + i), a, load_f8(y, o))
            v = fma(load_high4_f8(p1, v0 + i), b, v)
            v = fma(load_high4_f8(p2, v0 + i), c, v)
            store_f8(y, o, fma(load_high4_f8(p3, v0 + i), d, v))


def add4(kind, p0, p1, p2, p3, h0, h1, h2, h3, y, n):
    """y += h0 * row0 + h1 * row1 + h2 * row2 + h3 * row3, rows by address."""
    raise NotImplementedError("compiled code only")


@overload(add4)
def _add4(kind, p0, p1, p2, p3, h0, h1, h2, h3, y, n):
    function = {"int8": add4_int8, "int4": add4_int4, "f32": add4_f32}[kind.choice]

    def implementation(kind, p0, p1, p2, p3, h0, h1, h2, h3, y, n):
        return function(p0, p1, p2, p3, h0, h1, h2, h3, y, n)

    return implementation


@njit(**KERNEL)
def accumulate_down(kind, down, stride, neurons, acts, y, k, n):
    """y += Σ acts[i] * down[neurons[i]] over the k row numbers (int64) at `neurons`; y is n float32 by address."""
    zero = np.float32(0)
    for i in range(0, k, 4):
        p0 = down + load_i64(neurons, 8 * i) * stride
        h0, h1, h2, h3 = load_f32(acts, 4 * i), zero, zero, zero
        p1, p2, p3 = p0, p0, p0
        if i + 1 < k:
            p1, h1 = down + load_i64(neurons, 8 * i + 8) * stride, load_f32(acts, 4 * i + 4)
        if i + 2 < k:
            p2, h2 = down + load_i64(neurons, 8 * i + 16) * stride, load_f32(acts, 4 * i + 8)
        if i + 3 < k:
            p3, h3 = down + load_i64(neurons, 8 * i + 24) * stride, load_f32(acts, 4 * i + 12)
        add4(kind, p0, p1, p2, p3, h0, h1, h2, h3, y, n)


# Unpacking for prefill --------------------------------------------------------------------------------------------


@njit(**KERNEL)
def unpack_row_f32(p, y, n):
    for i in range(0, 4 * n, 32):
        store_f8(y, i, load_f8(p, i))


@njit(**KERNEL)
def unpack_row_int8(p, y, n):
    q = int8_values_at(n)
    for g in range(0, n, 32):
        s = splat_f8(load_half(p, g >> 4))
        for i in range(g, g + 32, 8):
            store_f8(y, 4 * i, mul_f8(load_s8_f8(p, q + i), s))


@njit(**KERNEL)
def unpack_row_int4(p, y, n):
    q, row_scale = int4_values_at(n), load_f32(p, 0)
    for g in range(0, n, 64):
        v = q + (g >> 1)
        low = splat_f8(row_scale * np.float32(load_s8(p, 32 + (g >> 5))))
        high = splat_f8(row_scale * np.float32(load_s8(p, 33 + (g >> 5))))
        for i in range(0, 32, 8):
            store_f8(y, 4 * (g + i), mul_f8(load_low4_f8(p, v + i), low))
            store_f8(y, 4 * (g + 32 + i), mul_f8(load_high4_f8(p, v + i), high))


def unpack_row(kind, p, y, n):
    """One row as n float32 at address `y`."""
    raise NotImplementedError("compiled code only")


@overload(unpack_row)
def _unpack_row(kind, p, y, n):
    function = {"int8": unpack_row_int8, "int4": unpack_row_int4, "f32": unpack_row_f32}[kind.choice]

    def implementation(kind, p, y, n):
        return function(p, y, n)

    return implementation


@njit(**KERNEL)
def unpack_rows(kind, rows, stride, y, first, last, n):
    """y[first:last] = rows[first:last] as float32, rows of n, by address."""
    for r in range(first, last):
        unpack_row(kind, rows + r * stride, y + 4 * r * n, n)
