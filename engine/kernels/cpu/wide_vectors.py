"""Vectors of sixteen lanes: one register with AVX-512, two with AVX2. For sums that stay in registers while many rows
pass by: the product of matrices, and what neurons' down rows add up to."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from engine.kernels.cpu.vector_ir import (
    ADDRESS,
    F8,
    F16,
    H16,
    H32,
    HAS_AVX2,
    HAS_AVX512,
    HAS_SSSE3,
    I8,
    I16,
    INT8,
    INT16,
    INT32,
    INT64,
    VOID,
    binary,
    call,
    in_halves,
    loader,
    pair_products,
    splat,
    store_value,
    storer,
)

load_h32 = loader(H32, H32.llvm, 2)
load_f16 = loader(F16, F16.llvm, 4)
# 16 bytes widened to int16, and those once more.
load_s8_h32_twice = loader(H32, ir.VectorType(INT8, 16), 1, lambda b, v: _twice(b, b.sext(v, H16.llvm)))
store_f16 = storer(F16, 4)
load_s8_f16 = loader(F16, ir.VectorType(INT8, 16), 1, lambda b, v: b.sitofp(b.sext(v, I16.llvm), F16.llvm))


def _nibble_h16(shift):
    """16 bytes' low or high nibbles, minus 8, as int16."""

    def convert(builder, value):
        wide = builder.zext(value, H16.llvm)
        if shift:
            wide = builder.lshr(wide, ir.Constant(H16.llvm, [4] * 16))
        else:
            wide = builder.and_(wide, ir.Constant(H16.llvm, [15] * 16))
        return builder.sub(wide, ir.Constant(H16.llvm, [8] * 16))

    return convert


load_low4_h16 = loader(H16, ir.VectorType(INT8, 16), 1, _nibble_h16(shift=False))
load_high4_h16 = loader(H16, ir.VectorType(INT8, 16), 1, _nibble_h16(shift=True))


@intrinsic
def zero_i16(typing_context):
    return I16(), lambda c, b, s, a: ir.Constant(I16.llvm, [0] * 16)


@intrinsic
def zero_f16(typing_context):
    return F16(), lambda c, b, s, a: ir.Constant(F16.llvm, [0.0] * 16)


@intrinsic
def splat_f16(typing_context, x):
    return F16(types.float32), lambda c, b, s, a: splat(b, a[0], 16)


@intrinsic
def splat_h16(typing_context, x):
    return H16(types.int16), lambda c, b, s, a: splat(b, a[0], 16)


@intrinsic
def splat_pair_h32(typing_context, x):
    """One int32, repeated, seen as sixteen pairs of int16."""
    return H32(types.int32), lambda c, b, s, a: b.bitcast(splat(b, a[0], 16), H32.llvm)


@intrinsic
def fma16(typing_context, x, y, z):
    return F16(F16, F16, F16), lambda c, b, s, a: call(b, "llvm.fmuladd.v16f32", F16.llvm, a)


@intrinsic
def to_f16(typing_context, v):
    return F16(I16), lambda c, b, s, a: b.sitofp(a[0], F16.llvm)


mul_f16 = binary(F16, "fmul")


def _twice(builder, value):
    """16 int16 → 32, one after the other."""
    mask = ir.Constant(ir.VectorType(INT32, 32), 2 * list(range(16)))
    return builder.shuffle_vector(value, ir.Constant(H16.llvm, ir.Undefined), mask)


@intrinsic
def join_h16(typing_context, x, y):
    mask = ir.Constant(ir.VectorType(INT32, 32), list(range(32)))
    return H32(H16, H16), lambda c, b, s, a: b.shuffle_vector(a[0], a[1], mask)


@intrinsic
def first_f16(typing_context, v):
    """The first eight of sixteen."""
    return F8(F16), lambda c, b, s, a: _half(b, a[0], F16.llvm, 8, 0)


@intrinsic
def last_f16(typing_context, v):
    return F8(F16), lambda c, b, s, a: _half(b, a[0], F16.llvm, 8, 8)


def _half(builder, value, kind, n, first):
    mask = ir.Constant(ir.VectorType(INT32, n), list(range(first, first + n)))
    return builder.shuffle_vector(value, ir.Constant(kind, ir.Undefined), mask)


@intrinsic
def add_products(typing_context, total, x, y):
    """total + sums of adjacent products of 32 int16: 16 int32 (pmaddwd and an addition, or vpdpwssd)."""

    def codegen(context, builder, signature, arguments):
        total, x, y = arguments
        if HAS_AVX512:
            return builder.add(total, call(builder, "llvm.x86.avx512.pmaddw.d.512", I16.llvm, [x, y]))
        if not HAS_AVX2:
            return builder.add(total, pair_products(builder, x, y, True, INT32, 16))
        halves = [
            call(
                builder, "llvm.x86.avx2.pmadd.wd", I8.llvm,
                [_half(builder, x, H32.llvm, 16, first), _half(builder, y, H32.llvm, 16, first)],
            )
            for first in (0, 16)
        ]  # fmt: skip
        joined = builder.shuffle_vector(*halves, ir.Constant(ir.VectorType(INT32, 16), list(range(16))))
        return builder.add(total, joined)

    return I16(I16, H32, H32), codegen


@intrinsic
def scale_h16(typing_context, x, y):
    """x * y / 32768 rounded, of 16 int16 (pmulhrsw)."""

    def codegen(context, builder, signature, arguments):
        if HAS_AVX2:
            return call(builder, "llvm.x86.avx2.pmul.hr.sw", H16.llvm, arguments)
        if HAS_SSSE3:
            return in_halves(builder, "llvm.x86.ssse3.pmul.hr.sw.128", *arguments, INT16)
        wide = ir.VectorType(INT32, 16)
        product = builder.mul(builder.sext(arguments[0], wide), builder.sext(arguments[1], wide))
        rounded = builder.add(product, ir.Constant(wide, [1 << 14] * 16))
        return builder.trunc(builder.ashr(rounded, ir.Constant(wide, [15] * 16)), H16.llvm)

    return H16(H16, H16), codegen


@intrinsic
def store_zipped(typing_context, address, offset, x, y):
    """Two rows of 16 int16 as 16 pairs: x0 y0 x1 y1 …"""

    def codegen(context, builder, signature, arguments):
        address, offset, x, y = arguments
        order = [i // 2 + 16 * (i % 2) for i in range(32)]
        store_value(
            builder, address, offset, builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(INT32, 32), order)), 2
        )
        return context.get_dummy_value()

    return VOID(ADDRESS, ADDRESS, H16, H16), codegen


@intrinsic
def store_transposed(typing_context, address, stride, r0, r1, r2, r3, r4, r5, r6, r7):
    """Eight rows of eight int16 pairs → at address + j * stride the j-th pairs of all rows, as eight vectors."""

    def codegen(context, builder, signature, arguments):
        address, stride, *rows = arguments

        def shuffled(x, y, order):
            return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(INT32, 8), order))

        rows = [builder.bitcast(row, I8.llvm) for row in rows]
        low2, high2 = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
        low4, high4 = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
        t = [shuffled(rows[i], rows[i + 1], order) for i in (0, 2, 4, 6) for order in (low2, high2)]
        s = [shuffled(t[i + k], t[i + k + 2], order) for i in (0, 4) for k in (0, 1) for order in (low4, high4)]
        for j in range(4):
            for lane, order in ((0, [0, 1, 2, 3, 8, 9, 10, 11]), (4, [4, 5, 6, 7, 12, 13, 14, 15])):
                offset = builder.mul(stride, INT64(j + lane))
                store_value(builder, address, offset, shuffled(s[j], s[j + 4], order), 2)
        return context.get_dummy_value()

    return VOID(ADDRESS, ADDRESS, H16, H16, H16, H16, H16, H16, H16, H16), codegen
