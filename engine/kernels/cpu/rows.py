"""Products with packed rows: dense matrix-vector, rows from a list, and the transposed accumulation of the down matrix.

Rows are read through four streams at once. In the dense product the four are far apart (a quarter of the rows each):
one core keeps more cache misses in flight that way, which the project's CPU study measured as 1.5 times the bandwidth
of a single stream. Activations come quantised as the row format wants them (`activations.py`): int16 for int8 rows,
grouped int8 for int4 rows, float32 for float rows. `n` is always the padded row length.
"""

import numpy as np
from numba import njit
from numba.extending import overload

from engine.kernels.cpu.kinds import KERNEL, PART
from engine.kernels.cpu.vector_ir import (
    HAS_AVX2,
)
from engine.kernels.cpu.vectors import (
    add_64_h16,
    add_f8,
    add_h16,
    add_i8,
    add_scaled_nibbles,
    as_b32,
    divide_128_h16,
    fma,
    high_byte_h16,
    high_lanes_i8,
    high_nibbles,
    load_b32,
    load_f8,
    load_f32,
    load_h16,
    load_half,
    load_half8,
    load_i16,
    load_i32,
    load_i64,
    load_s8_h16,
    low_byte_h16,
    low_lanes_i8,
    low_nibbles,
    madd_b32,
    madd_h16,
    mul_f8,
    mul_h16,
    or_h16,
    prefetch,
    scratch_8k,
    scratch_64,
    splat_f8,
    splat_pair_h16,
    store_f8,
    store_f32,
    store_h16,
    store_h16_twice,
    sub_h16,
    sum_f8,
    times_8_h16,
    times_128_h16,
    to_f8,
    zero_f8,
    zero_h16,
    zero_i8,
    zip_high_b32,
    zip_high_h16,
    zip_low_b32,
    zip_low_h16,
)
from engine.kernels.cpu.wide_vectors import (
    add_products,
    first_f16,
    fma16,
    join_h16,
    last_f16,
    load_f16,
    load_s8_f16,
    load_s8_h32_twice,
    scale_h16,
    splat_f16,
    splat_h16,
    store_f16,
    to_f16,
    zero_f16,
    zero_i16,
)

# int4: scale products of so many values are kept on the stack at a time, for four rows, each a cache line more than a
# power of two apart; longer rows go in pieces.
INT4_PIECE, PITCH = 4096, 576


@njit(**PART)
def int8_values_at(n):
    return (n // 16 + 31) // 32 * 32


@njit(**KERNEL)
def int4_values_at(n):
    return 32 + (n // 32 + 15) // 16 * 16


@njit(**PART)
def fetch4(n0, n1, n2, n3, offset):
    """Fetch a cache line of each of four rows that are needed next."""
    prefetch(n0, offset)
    prefetch(n1, offset)
    prefetch(n2, offset)
    prefetch(n3, offset)


# Four dot products at once ----------------------------------------------------------------------------------------


@njit(**PART)
def dot4_f32(p0, p1, p2, p3, n0, n1, n2, n3, x, n):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    e, f, g, h = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for i in range(0, 4 * n, 64):
        fetch4(n0, n1, n2, n3, i)
        x0, x1 = load_f8(x, i), load_f8(x, i + 32)
        a, e = fma(load_f8(p0, i), x0, a), fma(load_f8(p0, i + 32), x1, e)
        b, f = fma(load_f8(p1, i), x0, b), fma(load_f8(p1, i + 32), x1, f)
        c, g = fma(load_f8(p2, i), x0, c), fma(load_f8(p2, i + 32), x1, g)
        d, h = fma(load_f8(p3, i), x0, d), fma(load_f8(p3, i + 32), x1, h)
    return sum_f8(add_f8(a, e)), sum_f8(add_f8(b, f)), sum_f8(add_f8(c, g)), sum_f8(add_f8(d, h))


@njit(**PART)
def dot4_int8(p0, p1, p2, p3, n0, n1, n2, n3, x, n):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    q = int8_values_at(n)
    for line in range(0, q, 64):
        fetch4(n0, n1, n2, n3, line)
    for i in range(0, n, 32):
        x0, x1 = load_h16(x, 2 * i), load_h16(x, 2 * i + 32)
        s = i >> 4
        if i & 32 == 0:
            fetch4(n0, n1, n2, n3, q + i)
        ia = add_i8(madd_h16(load_s8_h16(p0, q + i), x0), madd_h16(load_s8_h16(p0, q + i + 16), x1))
        ib = add_i8(madd_h16(load_s8_h16(p1, q + i), x0), madd_h16(load_s8_h16(p1, q + i + 16), x1))
        ic = add_i8(madd_h16(load_s8_h16(p2, q + i), x0), madd_h16(load_s8_h16(p2, q + i + 16), x1))
        id_ = add_i8(madd_h16(load_s8_h16(p3, q + i), x0), madd_h16(load_s8_h16(p3, q + i + 16), x1))
        a = fma(to_f8(ia), splat_f8(load_half(p0, s)), a)
        b = fma(to_f8(ib), splat_f8(load_half(p1, s)), b)
        c = fma(to_f8(ic), splat_f8(load_half(p2, s)), c)
        d = fma(to_f8(id_), splat_f8(load_half(p3, s)), d)
    return sum_f8(a), sum_f8(b), sum_f8(c), sum_f8(d)


@njit(**PART)
def products_of_two(p, at, x0, x1, scale, total):
    """total + 32 values of an int8 row times those of two tokens, side by side, in units of the group."""
    products = add_products(zero_i16(), load_s8_h32_twice(p, at), x0)
    products = add_products(products, load_s8_h32_twice(p, at + 16), x1)
    return fma16(to_f16(products), splat_f16(load_half(p, scale)), total)


@njit(**PART)
def dot4_of_two_int8(p0, p1, p2, p3, n0, n1, n2, n3, x, y, n):
    """`dot4_int8` with the activations of two tokens, at x and y: the same bits, rows and scales unpacked once."""
    a, b, c, d = zero_f16(), zero_f16(), zero_f16(), zero_f16()
    q = int8_values_at(n)
    for line in range(0, q, 64):
        fetch4(n0, n1, n2, n3, line)
    for i in range(0, n, 32):
        z0 = join_h16(load_h16(x, 2 * i), load_h16(y, 2 * i))
        z1 = join_h16(load_h16(x, 2 * i + 32), load_h16(y, 2 * i + 32))
        s = i >> 4
        if i & 32 == 0:
            fetch4(n0, n1, n2, n3, q + i)
        a, b = products_of_two(p0, q + i, z0, z1, s, a), products_of_two(p1, q + i, z0, z1, s, b)
        c, d = products_of_two(p2, q + i, z0, z1, s, c), products_of_two(p3, q + i, z0, z1, s, d)
    return (
        sum_f8(first_f16(a)), sum_f8(first_f16(b)), sum_f8(first_f16(c)), sum_f8(first_f16(d)),
        sum_f8(last_f16(a)), sum_f8(last_f16(b)), sum_f8(last_f16(c)), sum_f8(last_f16(d)),
    )  # fmt: skip


def takes_two(kind):
    """Whether rows of this kind are multiplied with two tokens at once, where that was measured to be faster: decided
    while compiling."""
    raise NotImplementedError("compiled code only")


@overload(takes_two)
def _takes_two(kind):
    answer = kind.choice == "int8" and HAS_AVX2

    def implementation(kind):
        return answer

    return implementation


@njit(**PART)
def scale_products(p, k, x_scale, x_sum, total, products):
    """Leave w-scale * x-scale, twice each, for 16 groups at `products`; returns total + product * Σx."""
    s = mul_h16(load_s8_h16(p, 32 + k), x_scale)
    store_h16_twice(products, 0, s)
    return add_i8(total, madd_h16(s, x_sum))


@njit(**PART)
def int4_scales(p0, p1, p2, p3, x_scale, x_sum, first, last, products):
    """The products of scales of four rows, for the groups first … last, PITCH apart; returns their Σ product * Σx.

    The nibbles are stored plus 8, so 8 times that sum is subtracted from the row's dot product.
    """
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for k0 in range(first, last, 128):  # 128 groups: the int32 sums stay below 2^31
        ia, ib, ic, id_ = zero_i8(), zero_i8(), zero_i8(), zero_i8()
        for k in range(k0, min(k0 + 128, last), 16):
            xs, xm, at = load_h16(x_scale, 2 * k), load_h16(x_sum, 2 * k), products + 4 * (k - first)
            ia = scale_products(p0, k, xs, xm, ia, at)
            ib = scale_products(p1, k, xs, xm, ib, at + PITCH)
            ic = scale_products(p2, k, xs, xm, ic, at + 2 * PITCH)
            id_ = scale_products(p3, k, xs, xm, id_, at + 3 * PITCH)
        a, b, c, d = add_f8(a, to_f8(ia)), add_f8(b, to_f8(ib)), add_f8(c, to_f8(ic)), add_f8(d, to_f8(id_))
    return sum_f8(a), sum_f8(b), sum_f8(c), sum_f8(d)


@njit(**PART)
def dot4_int4(p0, p1, p2, p3, n0, n1, n2, n3, x, n):
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    ca, cb, cc, cd = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    q = int4_values_at(n)
    groups = (n // 32 + 15) // 16 * 16
    x_scale = x + n
    x_sum = x_scale + 2 * groups
    buffer = scratch_8k()
    for line in range(0, q, 64):
        fetch4(n0, n1, n2, n3, line)
    for piece in range(0, n, INT4_PIECE):
        end = min(piece + INT4_PIECE, n)
        g0, g1 = piece // 32, (end // 32 + 15) // 16 * 16
        fa, fb, fc, fd = int4_scales(p0, p1, p2, p3, x_scale, x_sum, g0, g1, buffer)
        ca, cb, cc, cd = ca + fa, cb + fb, cc + fc, cd + fd
        for i in range(piece, end, 1024):  # 1,024 values: 15 * 127 * 2 * 127² * 16 stays below 2^31
            ia, ib, ic, id_ = zero_i8(), zero_i8(), zero_i8(), zero_i8()
            ja, jb, jc, jd = zero_i8(), zero_i8(), zero_i8(), zero_i8()
            for j in range(i, min(i + 1024, end), 64):
                x0, x1 = load_b32(x, j), load_b32(x, j + 32)
                v, s = q + (j >> 1), (j - piece) >> 3
                if j & 64 == 0:
                    fetch4(n0, n1, n2, n3, v)
                w = load_b32(p0, v)
                ia = add_scaled_nibbles(ia, low_nibbles(w), x0, load_i32(buffer, s))
                ja = add_scaled_nibbles(ja, high_nibbles(w), x1, load_i32(buffer, s + 4))
                w = load_b32(p1, v)
                ib = add_scaled_nibbles(ib, low_nibbles(w), x0, load_i32(buffer, s + PITCH))
                jb = add_scaled_nibbles(jb, high_nibbles(w), x1, load_i32(buffer, s + (PITCH + 4)))
                w = load_b32(p2, v)
                ic = add_scaled_nibbles(ic, low_nibbles(w), x0, load_i32(buffer, s + 2 * PITCH))
                jc = add_scaled_nibbles(jc, high_nibbles(w), x1, load_i32(buffer, s + (2 * PITCH + 4)))
                w = load_b32(p3, v)
                id_ = add_scaled_nibbles(id_, low_nibbles(w), x0, load_i32(buffer, s + 3 * PITCH))
                jd = add_scaled_nibbles(jd, high_nibbles(w), x1, load_i32(buffer, s + (3 * PITCH + 4)))
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


def dot4(kind, p0, p1, p2, p3, n0, n1, n2, n3, x, n):
    """Dot products of four rows, by address, with the activations at `x`; n0 … n3 are the rows to fetch meanwhile."""
    raise NotImplementedError("compiled code only")


@overload(dot4)
def _dot4(kind, p0, p1, p2, p3, n0, n1, n2, n3, x, n):
    function = {"int8": dot4_int8, "int4": dot4_int4, "f32": dot4_f32}[kind.choice]

    def implementation(kind, p0, p1, p2, p3, n0, n1, n2, n3, x, n):
        return function(p0, p1, p2, p3, n0, n1, n2, n3, x, n)

    return implementation


# Products over many rows ------------------------------------------------------------------------------------------


@njit(**PART)
def store_four(y, r, apart, unit, a, b, c, d):
    store_f32(y, 4 * r, unit * a)
    store_f32(y, 4 * (r + apart), unit * b)
    store_f32(y, 4 * (r + 2 * apart), unit * c)
    store_f32(y, 4 * (r + 3 * apart), unit * d)


@njit(**KERNEL)
def matvec_tokens(kind, rows, stride, x, x_bytes, y, y_bytes, units, tokens, first, last, n, fetch):
    """y[t, first:last] = units[t] * rows[first:last] · x[t] for a few tokens, x_bytes and y_bytes apart.

    rows, x, y, units are addresses; y and units are float32. Every byte of the rows is read once, as four streams, each
    fetched `fetch` bytes ahead of its use; what serves best depends on the processor, and is measured
    (`runtime/tuning.py`). A token's products are the same bits whatever other tokens are there.
    """
    quarter = (last - first) // 4
    far = quarter * stride
    for r in range(first, first + quarter):
        p = rows + r * stride
        p1, p2, p3, q, begin = p + far, p + 2 * far, p + 3 * far, p + fetch, 0
        if takes_two(kind):
            for t in range(0, tokens - 1, 2):
                u, v = x + t * x_bytes, y + t * y_bytes
                a, b, c, d, e, f, g, h = dot4_of_two_int8(
                    p, p1, p2, p3, q, q + far, q + 2 * far, q + 3 * far, u, u + x_bytes, n
                )  # fmt: skip
                store_four(v, r, quarter, load_f32(units, 4 * t), a, b, c, d)
                store_four(v + y_bytes, r, quarter, load_f32(units, 4 * t + 4), e, f, g, h)
                q = p
            begin = tokens & -2
        for t in range(begin, tokens):
            a, b, c, d = dot4(kind, p, p1, p2, p3, q, q + far, q + 2 * far, q + 3 * far, x + t * x_bytes, n)
            store_four(y + t * y_bytes, r, quarter, load_f32(units, 4 * t), a, b, c, d)
            q = p
    r = first + 4 * quarter
    if r < last:
        r1, r2 = min(r + 1, last - 1), min(r + 2, last - 1)
        p, p1, p2 = rows + r * stride, rows + r1 * stride, rows + r2 * stride
        for t in range(tokens):
            a, b, c, _ = dot4(kind, p, p1, p2, p, p, p, p, p, x + t * x_bytes, n)
            unit, out = load_f32(units, 4 * t), y + t * y_bytes
            store_f32(out, 4 * r, unit * a)
            store_f32(out, 4 * r1, unit * b)
            store_f32(out, 4 * r2, unit * c)


@njit(**KERNEL)
def matvec(kind, rows, stride, x, y, first, last, n, unit, fetch):
    """y[first:last] = unit * rows[first:last] · x: `matvec_tokens` of one token, for callers outside the step."""
    units = scratch_64()
    store_f32(units, 0, unit)
    matvec_tokens(kind, rows, stride, x, 0, y, 0, units, 1, first, last, n, fetch)


@njit(**PART)
def row_address(rows, stride, neurons, i, k):
    """Where the i-th listed row lies; past the end, the last one."""
    return rows + load_i64(neurons, 8 * min(i, k - 1)) * stride


@njit(**KERNEL)
def matvec_listed(kind, rows, stride, neurons, x, y, k, n, unit):
    """y[i] = unit * rows[neurons[i]] · x for the k row numbers (int64) at `neurons`.

    The next four rows are fetched while four are multiplied: their order in memory is not one a processor foresees.
    """
    for i in range(0, k, 4):
        a, b, c, d = dot4(
            kind, row_address(rows, stride, neurons, i, k), row_address(rows, stride, neurons, i + 1, k),
            row_address(rows, stride, neurons, i + 2, k), row_address(rows, stride, neurons, i + 3, k),
            row_address(rows, stride, neurons, i + 4, k), row_address(rows, stride, neurons, i + 5, k),
            row_address(rows, stride, neurons, i + 6, k), row_address(rows, stride, neurons, i + 7, k), x, n,
        )  # fmt: skip
        store_f32(y, 4 * min(i + 3, k - 1), unit * d)
        store_f32(y, 4 * min(i + 2, k - 1), unit * c)
        store_f32(y, 4 * min(i + 1, k - 1), unit * b)
        store_f32(y, 4 * i, unit * a)


# Accumulation of down rows ----------------------------------------------------------------------------------------


@njit(**PART)
def act_or_zero(acts, i, k):
    return load_f32(acts, 4 * i) if i < k else np.float32(0)


@njit(**PART)
def accumulate_f32(rows, stride, neurons, acts, y, k, n):
    for i in range(0, k, 4):
        p0, p1 = row_address(rows, stride, neurons, i, k), row_address(rows, stride, neurons, i + 1, k)
        p2, p3 = row_address(rows, stride, neurons, i + 2, k), row_address(rows, stride, neurons, i + 3, k)
        a, b = splat_f8(load_f32(acts, 4 * i)), splat_f8(act_or_zero(acts, i + 1, k))
        c, d = splat_f8(act_or_zero(acts, i + 2, k)), splat_f8(act_or_zero(acts, i + 3, k))
        for j in range(0, 4 * n, 32):
            v = fma(load_f8(p0, j), a, load_f8(y, j))
            v = fma(load_f8(p1, j), b, v)
            v = fma(load_f8(p2, j), c, v)
            store_f8(y, j, fma(load_f8(p3, j), d, v))


@njit(**PART)
def accumulate_int8(rows, stride, neurons, acts, y, k, n):
    """Eight rows at a time: each value times its group's scale and its row's act, added in the order of the list."""
    q = int8_values_at(n)
    factors = scratch_8k()  # of eight groups for each of eight rows
    for i in range(0, k, 8):
        p0, p1 = row_address(rows, stride, neurons, i, k), row_address(rows, stride, neurons, i + 1, k)
        p2, p3 = row_address(rows, stride, neurons, i + 2, k), row_address(rows, stride, neurons, i + 3, k)
        p4, p5 = row_address(rows, stride, neurons, i + 4, k), row_address(rows, stride, neurons, i + 5, k)
        p6, p7 = row_address(rows, stride, neurons, i + 6, k), row_address(rows, stride, neurons, i + 7, k)
        n0, n1 = row_address(rows, stride, neurons, i + 8, k), row_address(rows, stride, neurons, i + 9, k)
        n2, n3 = row_address(rows, stride, neurons, i + 10, k), row_address(rows, stride, neurons, i + 11, k)
        n4, n5 = row_address(rows, stride, neurons, i + 12, k), row_address(rows, stride, neurons, i + 13, k)
        n6, n7 = row_address(rows, stride, neurons, i + 14, k), row_address(rows, stride, neurons, i + 15, k)
        h0, h1 = splat_f8(load_f32(acts, 4 * i)), splat_f8(act_or_zero(acts, i + 1, k))
        h2, h3 = splat_f8(act_or_zero(acts, i + 2, k)), splat_f8(act_or_zero(acts, i + 3, k))
        h4, h5 = splat_f8(act_or_zero(acts, i + 4, k)), splat_f8(act_or_zero(acts, i + 5, k))
        h6, h7 = splat_f8(act_or_zero(acts, i + 6, k)), splat_f8(act_or_zero(acts, i + 7, k))
        for line in range(0, q, 64):
            fetch4(n0, n1, n2, n3, line)
            fetch4(n4, n5, n6, n7, line)
        for g0 in range(0, n // 32, 8):
            s = 2 * g0
            store_f8(factors, 0, mul_f8(load_half8(p0, s), h0))
            store_f8(factors, 32, mul_f8(load_half8(p1, s), h1))
            store_f8(factors, 64, mul_f8(load_half8(p2, s), h2))
            store_f8(factors, 96, mul_f8(load_half8(p3, s), h3))
            store_f8(factors, 128, mul_f8(load_half8(p4, s), h4))
            store_f8(factors, 160, mul_f8(load_half8(p5, s), h5))
            store_f8(factors, 192, mul_f8(load_half8(p6, s), h6))
            store_f8(factors, 224, mul_f8(load_half8(p7, s), h7))
            for g in range(min(8, n // 32 - g0)):
                f = factors + 4 * g
                m0, m1 = splat_f16(load_f32(f, 0)), splat_f16(load_f32(f, 32))
                m2, m3 = splat_f16(load_f32(f, 64)), splat_f16(load_f32(f, 96))
                m4, m5 = splat_f16(load_f32(f, 128)), splat_f16(load_f32(f, 160))
                m6, m7 = splat_f16(load_f32(f, 192)), splat_f16(load_f32(f, 224))
                first = 32 * (g0 + g)
                if g & 1 == 0:
                    fetch4(n0, n1, n2, n3, q + first)
                    fetch4(n4, n5, n6, n7, q + first)
                at, o = q + first, y + 4 * first
                v, w = load_f16(o, 0), load_f16(o, 64)
                v, w = fma16(load_s8_f16(p0, at), m0, v), fma16(load_s8_f16(p0, at + 16), m0, w)
                v, w = fma16(load_s8_f16(p1, at), m1, v), fma16(load_s8_f16(p1, at + 16), m1, w)
                v, w = fma16(load_s8_f16(p2, at), m2, v), fma16(load_s8_f16(p2, at + 16), m2, w)
                v, w = fma16(load_s8_f16(p3, at), m3, v), fma16(load_s8_f16(p3, at + 16), m3, w)
                v, w = fma16(load_s8_f16(p4, at), m4, v), fma16(load_s8_f16(p4, at + 16), m4, w)
                v, w = fma16(load_s8_f16(p5, at), m5, v), fma16(load_s8_f16(p5, at + 16), m5, w)
                v, w = fma16(load_s8_f16(p6, at), m6, v), fma16(load_s8_f16(p6, at + 16), m6, w)
                v, w = fma16(load_s8_f16(p7, at), m7, v), fma16(load_s8_f16(p7, at + 16), m7, w)
                store_f16(o, 0, v)
                store_f16(o, 64, w)


@njit(**PART)
def split_multipliers(p, at, weight):
    """Sixteen groups' scales times a row's weight (in 1/32768 of the unit): 128 * coarse + fine."""
    m = scale_h16(times_128_h16(load_s8_h16(p, at)), weight)
    coarse = divide_128_h16(add_64_h16(m))
    return coarse, sub_h16(m, times_128_h16(coarse))


@njit(**PART)
def pair_bytes(a, b):
    return or_h16(low_byte_h16(a), high_byte_h16(b))


@njit(**PART)
def accumulate_int4(rows, stride, neurons, acts, y, k, n):
    """Sixteen rows at a time, their multipliers as two signed bytes each, in units of 1/16256 of the largest row's.

    Nibbles of two rows side by side times their multipliers, added in int16: 16 rows * 15 * 127 stay below 2^15, and
    what the 8 in each nibble adds is subtracted beforehand (it may wrap: the final sum does not). An act that is no
    number makes the unit none. In floats, as int8, this would take half as long again or twice as long.
    """
    q, groups = int4_values_at(n), n // 32
    table = scratch_8k()  # pairs of a block of 16 groups: (8, 2, 16) int16, then corrections (2, 16)
    weights = table + 1024
    for i in range(0, k, 16):
        most, tainted = np.float32(1e-35), np.float32(0)
        for r in range(16):
            w = act_or_zero(acts, i + r, k) * load_f32(row_address(rows, stride, neurons, i + r, k), 0)
            store_f32(weights, 4 * r, w)
            most, tainted = max(most, abs(w)), tainted + w * np.float32(0)
        unit = splat_f8(most / np.float32(128 * 32767 / 32768) + tainted)
        for r in range(16):
            store_f32(weights, 4 * r, load_f32(weights, 4 * r) * (np.float32(32767) / most))
            following = row_address(rows, stride, neurons, i + 16 + r, k)
            for line in range(0, q, 64):
                prefetch(following, line)
        for g0 in range(0, groups, 16):
            coarse_sum, fine_sum = zero_h16(), zero_h16()
            for pair in range(8):
                pa = row_address(rows, stride, neurons, i + 2 * pair, k)
                pb = row_address(rows, stride, neurons, i + 2 * pair + 1, k)
                wa = splat_h16(np.int16(np.rint(load_f32(weights, 8 * pair))))
                wb = splat_h16(np.int16(np.rint(load_f32(weights, 8 * pair + 4))))
                coarse_a, fine_a = split_multipliers(pa, 32 + g0, wa)
                coarse_b, fine_b = split_multipliers(pb, 32 + g0, wb)
                store_h16(table, 64 * pair, pair_bytes(coarse_a, coarse_b))
                store_h16(table, 64 * pair + 32, pair_bytes(fine_a, fine_b))
                coarse_sum = add_h16(coarse_sum, add_h16(coarse_a, coarse_b))
                fine_sum = add_h16(fine_sum, add_h16(fine_a, fine_b))
            store_h16(table, 512, sub_h16(zero_h16(), times_8_h16(coarse_sum)))
            store_h16(table, 544, sub_h16(zero_h16(), times_8_h16(fine_sum)))
            for g in range(0, min(16, groups - g0), 2):
                v, t = q + 16 * (g0 + g), table + 2 * g
                a_coarse, a_fine = splat_h16(load_i16(t, 512)), splat_h16(load_i16(t, 544))
                c_coarse, c_fine = splat_h16(load_i16(t, 514)), splat_h16(load_i16(t, 546))
                b_coarse, b_fine, d_coarse, d_fine = a_coarse, a_fine, c_coarse, c_fine
                for pair in range(8):
                    m = 64 * pair
                    pa = row_address(rows, stride, neurons, i + 2 * pair, k)
                    pb = row_address(rows, stride, neurons, i + 2 * pair + 1, k)
                    if g & 2 == 0:
                        prefetch(row_address(rows, stride, neurons, i + 16 + 2 * pair, k), v)
                        prefetch(row_address(rows, stride, neurons, i + 17 + 2 * pair, k), v)
                    wa, wb = load_b32(pa, v), load_b32(pb, v)
                    first, last = zip_low_b32(wa, wb), zip_high_b32(wa, wb)
                    coarse, fine = as_b32(splat_h16(load_i16(t, m))), as_b32(splat_h16(load_i16(t, m + 32)))
                    low, high = low_nibbles(first), low_nibbles(last)
                    a_coarse, a_fine = add_h16(a_coarse, madd_b32(low, coarse)), add_h16(a_fine, madd_b32(low, fine))
                    b_coarse, b_fine = add_h16(b_coarse, madd_b32(high, coarse)), add_h16(b_fine, madd_b32(high, fine))
                    coarse, fine = as_b32(splat_h16(load_i16(t, m + 2))), as_b32(splat_h16(load_i16(t, m + 34)))
                    low, high = high_nibbles(first), high_nibbles(last)
                    c_coarse, c_fine = add_h16(c_coarse, madd_b32(low, coarse)), add_h16(c_fine, madd_b32(low, fine))
                    d_coarse, d_fine = add_h16(d_coarse, madd_b32(high, coarse)), add_h16(d_fine, madd_b32(high, fine))
                o = y + 128 * (g0 + g)
                add_sixteen(o, a_coarse, a_fine, unit)
                add_sixteen(o + 32, b_coarse, b_fine, unit)
                add_sixteen(o + 128, c_coarse, c_fine, unit)
                add_sixteen(o + 160, d_coarse, d_fine, unit)


@njit(**PART)
def add_sixteen(y, coarse, fine, unit):
    """y[0:8] and y[16:24] += unit * (128 * coarse + fine)."""
    parts = splat_pair_h16(np.int32((1 << 16) + 128))
    low, high = madd_h16(zip_low_h16(coarse, fine), parts), madd_h16(zip_high_h16(coarse, fine), parts)
    store_f8(y, 0, fma(to_f8(low_lanes_i8(low, high)), unit, load_f8(y, 0)))
    store_f8(y, 64, fma(to_f8(high_lanes_i8(low, high)), unit, load_f8(y, 64)))


def accumulate_down(kind, down, stride, neurons, acts, y, k, n):
    """y += Σ acts[i] * down[neurons[i]] over the k row numbers (int64) at `neurons`; y is n float32 by address."""
    raise NotImplementedError("compiled code only")


@overload(accumulate_down)
def _accumulate_down(kind, down, stride, neurons, acts, y, k, n):
    function = {"int8": accumulate_int8, "int4": accumulate_int4, "f32": accumulate_f32}[kind.choice]

    def implementation(kind, down, stride, neurons, acts, y, k, n):
        function(down, stride, neurons, acts, y, k, n)

    return implementation


@njit(**KERNEL)
def accumulate_down_entry(kind, down, stride, neurons, acts, y, k, n):
    """`accumulate_down` for a caller outside compiled code."""
    accumulate_down(kind, down, stride, neurons, acts, y, k, n)
