"""Explicit SIMD for numba: LLVM vectors as first-class numba types, and the few operations an inference engine needs.

Everything is generic vector IR, which LLVM splits or widens for the processor at hand, except the integer pair
products: they have x86 forms, used where the processor has AVX2 or SSSE3, and generic forms for every other one. What
LLVM would make a library call of, because the processor has no instruction for it (half precision, rounding), is
written out there: the compiler that numba brings has no such library, and the process would abort. Addresses are plain
integers: the caller keeps the memory alive and in bounds, and an address must never be taken from an array that a
kernel allocated (numba frees it at once). Offsets are in bytes.
"""

import os
import platform

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from engine.kernels.cpu.target import AVX2, FORCE_GENERIC, SSE, TARGET

_I1, _I8, _I16, _I32, _I64 = (ir.IntType(n) for n in (1, 8, 16, 32, 64))
_F16, _F32 = ir.HalfType(), ir.FloatType()
_ELEMENTS = {"i8": _I8, "i16": _I16, "i32": _I32, "i64": _I64, "f32": _F32}
_IS_X86 = platform.machine().lower() in ("x86_64", "amd64")

_FEATURES = llvm.get_host_cpu_features() if _IS_X86 and not FORCE_GENERIC else {}
HAS_AVX2 = TARGET != SSE and bool(_FEATURES.get("avx2", False))
HAS_SSSE3 = bool(_FEATURES.get("ssse3", False))
HAS_AVX512 = HAS_AVX2 and TARGET != AVX2 and bool(_FEATURES.get("avx512bw", False))
# Instructions that convert half precision, and that round: of every 64-bit ARM, but not of every x86.
_IS_ARM64 = platform.machine().lower() in ("arm64", "aarch64") and not FORCE_GENERIC
HAS_HALF = _IS_ARM64 or (TARGET != SSE and bool(_FEATURES.get("f16c", False)))
HAS_ROUND = _IS_ARM64 or bool(_FEATURES.get("sse4.1", False))


class Vec(types.Type):
    """A vector of `n` elements of the kind `element` (i8, i16, i32, i64 or f32)."""

    def __init__(self, element: str, n: int) -> None:
        self.element, self.n = element, n
        super().__init__(f"Vec({element}x{n})")

    @property
    def llvm(self) -> ir.VectorType:
        return ir.VectorType(_ELEMENTS[self.element], self.n)


@register_model(Vec)
class _VecModel(models.PrimitiveModel):
    def __init__(self, manager, vec):
        super().__init__(manager, vec, vec.llvm)


F8, B32, H16, I8, W4 = Vec("f32", 8), Vec("i8", 32), Vec("i16", 16), Vec("i32", 8), Vec("i64", 4)
# Twice as wide, for the matrix product: one register with AVX-512, two with AVX2.
F16, H32, I16 = Vec("f32", 16), Vec("i16", 32), Vec("i32", 16)
_VOID, _ADDRESS = types.void, types.intp


def _pointer(builder, address, offset, kind):
    return builder.inttoptr(builder.add(address, offset), kind.as_pointer())


def _load(builder, address, offset, kind, align):
    value = builder.load(_pointer(builder, address, offset, kind))
    value.align = align
    return value


def _store(builder, address, offset, value, align):
    builder.store(value, _pointer(builder, address, offset, value.type)).align = align


def _call(builder, name, result, arguments):
    function_type = ir.FunctionType(result, [a.type for a in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), arguments)


def _splat(builder, scalar, n):
    kind = ir.VectorType(scalar.type, n)
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, scalar, _I32(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_I32, n), [0] * n))


# Half precision and rounding ----------------------------------------------------------------------------------------


def _like(value, scalar):
    """The type of `value` with elements of the type `scalar`."""
    return ir.VectorType(scalar, value.type.count) if isinstance(value.type, ir.VectorType) else scalar


def _constant(kind, number):
    return ir.Constant(kind, [number] * kind.count if isinstance(kind, ir.VectorType) else number)


def _from_half(builder, value):
    """float16 → float32."""
    single = _like(value, _F32)
    if HAS_HALF:
        return builder.fpext(value, single)
    word = _like(value, _I32)
    bits = builder.zext(builder.bitcast(value, _like(value, _I16)), word)
    size = builder.shl(builder.and_(bits, _constant(word, 0x7FFF)), _constant(word, 13))
    # the exponent's bias differs by 112; a product also makes subnormal halves right
    scaled = builder.bitcast(builder.fmul(builder.bitcast(size, single), _constant(single, 2.0**112)), word)
    not_finite = builder.icmp_unsigned(">=", size, _constant(word, 0x7C00 << 13))
    scaled = builder.select(not_finite, builder.or_(scaled, _constant(word, 0x7F800000)), scaled)
    sign = builder.shl(builder.and_(bits, _constant(word, 0x8000)), _constant(word, 16))
    return builder.bitcast(builder.or_(scaled, sign), single)


def _to_half(builder, value):
    """float32 → float16, to the nearest, ties to even."""
    if HAS_HALF:
        return builder.fptrunc(value, _like(value, _F16))
    word, single = _like(value, _I32), value.type
    bits = builder.bitcast(value, word)
    size = builder.and_(bits, _constant(word, 0x7FFFFFFF))
    # subnormal halves: added to 1/2, the float's last bit is the half's, and the addition rounds
    small = builder.bitcast(builder.fadd(builder.bitcast(size, single), _constant(single, 0.5)), word)
    small = builder.sub(small, _constant(word, 0x3F000000))
    odd = builder.and_(builder.lshr(size, _constant(word, 13)), _constant(word, 1))
    normal = builder.add(builder.add(size, _constant(word, (0xFFF - (112 << 23)) & 0xFFFFFFFF)), odd)
    normal = builder.lshr(normal, _constant(word, 13))
    is_small = builder.icmp_unsigned("<", size, _constant(word, 113 << 23))
    is_large = builder.icmp_unsigned(">=", size, _constant(word, 143 << 23))
    is_none = builder.icmp_unsigned(">", size, _constant(word, 0x7F800000))
    large = builder.select(is_none, _constant(word, 0x7E00), _constant(word, 0x7C00))
    half = builder.select(is_large, large, builder.select(is_small, small, normal))
    sign = builder.and_(builder.lshr(bits, _constant(word, 16)), _constant(word, 0x8000))
    half = builder.trunc(builder.or_(half, sign), _like(value, _I16))
    return builder.bitcast(half, _like(value, _F16))


def _round(builder, value):
    """To the nearest integer, ties to even, of eight floats below 2^22 in size."""
    if HAS_ROUND:
        return _call(builder, "llvm.rint.v8f32", F8.llvm, [value])
    big = _constant(value.type, 1.5 * 2**23)  # floats of this size have no bits behind the point
    return builder.fsub(builder.fadd(value, big), big)


# Loads ------------------------------------------------------------------------------------------------------------


def _loader(result, kind, align, convert=None):
    @intrinsic
    def load(typing_context, address, offset):
        def codegen(context, builder, signature, arguments):
            value = _load(builder, arguments[0], arguments[1], kind, align)
            return convert(builder, value) if convert else value

        return result(_ADDRESS, _ADDRESS), codegen

    return load


load_f8 = _loader(F8, F8.llvm, 4)
load_b32 = _loader(B32, B32.llvm, 1)
load_h16 = _loader(H16, H16.llvm, 2)
load_f32 = _loader(types.float32, _F32, 4)
load_i32 = _loader(types.int32, _I32, 4)
load_i64 = _loader(types.int64, _I64, 8)
load_i16 = _loader(types.int16, _I16, 2)
load_s8 = _loader(types.int8, _I8, 1)
load_w4 = _loader(W4, W4.llvm, 8)
# Half precision in memory, single in the register.
load_half8 = _loader(F8, ir.VectorType(_F16, 8), 2, _from_half)
load_half = _loader(types.float32, _F16, 2, _from_half)
# Integers widened on the way in.
load_s8_h16 = _loader(H16, ir.VectorType(_I8, 16), 1, lambda b, v: b.sext(v, H16.llvm))
load_s8_f8 = _loader(F8, ir.VectorType(_I8, 8), 1, lambda b, v: b.sitofp(b.sext(v, I8.llvm), F8.llvm))


# Stores -----------------------------------------------------------------------------------------------------------


def _storer(source, align, convert=None):
    @intrinsic
    def store(typing_context, address, offset, value):
        def codegen(context, builder, signature, arguments):
            stored = convert(builder, arguments[2]) if convert else arguments[2]
            _store(builder, arguments[0], arguments[1], stored, align)
            return context.get_dummy_value()

        return _VOID(_ADDRESS, _ADDRESS, source), codegen

    return store


def _each_twice(builder, value):
    mask = ir.Constant(ir.VectorType(_I32, 32), [i // 2 for i in range(32)])
    return builder.shuffle_vector(value, ir.Constant(H16.llvm, ir.Undefined), mask)


def _negative_bits(builder, value):
    return builder.bitcast(builder.fcmp_ordered("<", value, ir.Constant(F8.llvm, [0.0] * 8)), _I8)


store_f8 = _storer(F8, 4)
store_f32 = _storer(types.float32, 4)
store_i64 = _storer(types.int64, 8)
store_i16 = _storer(types.int16, 2)
store_h16 = _storer(H16, 2)
store_i8 = _storer(I8, 4)
store_half8 = _storer(F8, 2, _to_half)
store_i8_as_bytes = _storer(I8, 1, lambda b, v: b.trunc(v, ir.VectorType(_I8, 8)))
store_i8_as_int16 = _storer(I8, 2, lambda b, v: b.trunc(v, ir.VectorType(_I16, 8)))
store_s8 = _storer(types.int8, 1)
# A byte with a bit for each of eight floats, lowest first, set where one is below zero.
store_negative_f8 = _storer(F8, 1, _negative_bits)
# 16 int16 → 32 int16, each twice: ready for a broadcast load of a pair.
store_h16_twice = _storer(H16, 4, _each_twice)


# Constants and arithmetic -----------------------------------------------------------------------------------------


@intrinsic
def zero_f8(typing_context):
    return F8(), lambda c, b, s, a: ir.Constant(F8.llvm, [0.0] * 8)


@intrinsic
def zero_i8(typing_context):
    return I8(), lambda c, b, s, a: ir.Constant(I8.llvm, [0] * 8)


@intrinsic
def zero_h16(typing_context):
    return H16(), lambda c, b, s, a: ir.Constant(H16.llvm, [0] * 16)


@intrinsic
def ones_h16(typing_context):
    return H16(), lambda c, b, s, a: ir.Constant(H16.llvm, [1] * 16)


@intrinsic
def splat_f8(typing_context, x):
    return F8(types.float32), lambda c, b, s, a: _splat(b, a[0], 8)


@intrinsic
def splat_pair_h16(typing_context, x):
    """One int32, repeated, seen as eight pairs of int16."""
    return H16(types.int32), lambda c, b, s, a: b.bitcast(_splat(b, a[0], 8), H16.llvm)


def _binary(kind, operation):
    @intrinsic
    def op(typing_context, x, y):
        return kind(kind, kind), lambda c, b, s, a: getattr(b, operation)(a[0], a[1])

    return op


add_f8, mul_f8, sub_f8 = _binary(F8, "fadd"), _binary(F8, "fmul"), _binary(F8, "fsub")
div_f8 = _binary(F8, "fdiv")
add_i8, mul_h16 = _binary(I8, "add"), _binary(H16, "mul")


@intrinsic
def fma(typing_context, x, y, z):
    """x * y + z; fused where the processor can (llvm.fma would be a library call where it can't)."""
    return F8(F8, F8, F8), lambda c, b, s, a: _call(b, "llvm.fmuladd.v8f32", F8.llvm, a)


@intrinsic
def max_f8(typing_context, x, y):
    return F8(F8, F8), lambda c, b, s, a: _call(b, "llvm.maxnum.v8f32", F8.llvm, a)


@intrinsic
def abs_f8(typing_context, x):
    return F8(F8), lambda c, b, s, a: _call(b, "llvm.fabs.v8f32", F8.llvm, a)


@intrinsic
def keep_from_f8(typing_context, x, least):
    """x where x >= least, 0 elsewhere."""

    def codegen(context, builder, signature, arguments):
        kept = builder.fcmp_ordered(">=", *arguments)
        return builder.select(kept, arguments[0], ir.Constant(F8.llvm, [0.0] * 8))

    return F8(F8, F8), codegen


@intrinsic
def low_nibbles(typing_context, v):
    return B32(B32), lambda c, b, s, a: b.and_(a[0], ir.Constant(B32.llvm, [15] * 32))


@intrinsic
def high_nibbles(typing_context, v):
    return B32(B32), lambda c, b, s, a: b.lshr(a[0], ir.Constant(B32.llvm, [4] * 32))


def _pair_products(builder, x, y, x_signed, wide, n):
    """Sums of adjacent products in generic IR; LLVM matches the processor's own instruction where it has one."""
    kind = ir.VectorType(wide, 2 * n)
    product = builder.mul((builder.sext if x_signed else builder.zext)(x, kind), builder.sext(y, kind))
    undefined = ir.Constant(kind, ir.Undefined)
    lanes = ir.VectorType(_I32, n)
    even = builder.shuffle_vector(product, undefined, ir.Constant(lanes, list(range(0, 2 * n, 2))))
    odd = builder.shuffle_vector(product, undefined, ir.Constant(lanes, list(range(1, 2 * n, 2))))
    return builder.add(even, odd)


@intrinsic
def madd_h16(typing_context, x, y):
    """16 int16 times 16 int16, adjacent products added: 8 int32 (pmaddwd)."""
    return I8(H16, H16), lambda c, b, s, a: _madd_h16(b, *a)


def _madd_h16(builder, x, y):
    if HAS_AVX2:
        return _call(builder, "llvm.x86.avx2.pmadd.wd", I8.llvm, [x, y])
    return _pair_products(builder, x, y, True, _I32, 8)


@intrinsic
def madd_b32(typing_context, unsigned, signed):
    """32 uint8 times 32 int8, adjacent products added: 16 int16 (pmaddubsw). Callers keep the sums within int16."""
    return H16(B32, B32), lambda c, b, s, a: _madd_b32(b, *a)


def _madd_b32(builder, unsigned, signed):
    if HAS_AVX2:
        return _call(builder, "llvm.x86.avx2.pmadd.ub.sw", H16.llvm, [unsigned, signed])
    if HAS_SSSE3:
        return _in_halves(builder, "llvm.x86.ssse3.pmadd.ub.sw.128", unsigned, signed, _I16)
    return _pair_products(builder, unsigned, signed, False, _I16, 16)


def _in_halves(builder, name, x, y, element):
    """An operation of 16 bytes on both halves of 32; the result has 16-bit elements."""
    n = x.type.count // 2
    result = ir.VectorType(element, 8)
    halves = []
    for first in (0, n):
        mask = ir.Constant(ir.VectorType(_I32, n), list(range(first, first + n)))
        arguments = [builder.shuffle_vector(v, ir.Constant(v.type, ir.Undefined), mask) for v in (x, y)]
        halves.append(_call(builder, name, result, arguments))
    return builder.shuffle_vector(*halves, ir.Constant(ir.VectorType(_I32, 16), list(range(16))))


@intrinsic
def add_scaled_nibbles(typing_context, total, nibbles, x, pair):
    """total + scale * sums of four adjacent products of 32 uint8 below 16 and 32 int8; `pair` is the scale twice."""

    def codegen(context, builder, signature, arguments):
        total, nibbles, x, pair = arguments
        if _IS_X86:
            scales = builder.bitcast(_splat(builder, pair, 8), H16.llvm)
            return builder.add(total, _madd_h16(builder, _madd_b32(builder, nibbles, x), scales))
        wide = ir.VectorType(_I16, 32)
        products = builder.mul(builder.zext(nibbles, wide), builder.sext(x, wide))
        sums = _adjacent_sums(builder, _adjacent_sums(builder, products, 16), 8)  # at most 4 * 15 * 127
        scale = _splat(builder, builder.trunc(pair, _I16), 8)
        return builder.add(total, builder.mul(builder.sext(sums, I8.llvm), builder.sext(scale, I8.llvm)))

    return I8(I8, B32, B32, types.int32), codegen


def _adjacent_sums(builder, value, n):
    """Sums of adjacent elements of a vector of 2 n."""
    undefined, lanes = ir.Constant(value.type, ir.Undefined), ir.VectorType(_I32, n)
    even = builder.shuffle_vector(value, undefined, ir.Constant(lanes, list(range(0, 2 * n, 2))))
    odd = builder.shuffle_vector(value, undefined, ir.Constant(lanes, list(range(1, 2 * n, 2))))
    return builder.add(even, odd)


@intrinsic
def to_f8(typing_context, v):
    return F8(I8), lambda c, b, s, a: b.sitofp(a[0], F8.llvm)


@intrinsic
def round_i8(typing_context, v):
    """To the nearest integer, ties to even; of values below 2^22 in size."""

    def codegen(context, builder, signature, arguments):
        return builder.fptosi(_round(builder, arguments[0]), I8.llvm)

    return I8(F8), codegen


# Bits -------------------------------------------------------------------------------------------------------------


@intrinsic
def zero_w4(typing_context):
    return W4(), lambda c, b, s, a: ir.Constant(W4.llvm, [0] * 4)


@intrinsic
def add_differing(typing_context, total, x, y):
    """total + in how many bits x and y differ, in each of four int64."""

    def codegen(context, builder, signature, arguments):
        total, x, y = arguments
        return builder.add(total, _call(builder, "llvm.ctpop.v4i64", W4.llvm, [builder.xor(x, y)]))

    return W4(W4, W4, W4), codegen


@intrinsic
def sum_w4(typing_context, v):
    return types.int64(W4), lambda c, b, s, a: _call(b, "llvm.vector.reduce.add.v4i64", _I64, a)


@intrinsic
def count_bits(typing_context, x):
    """How many bits of an int64 are set."""
    return types.int64(types.int64), lambda c, b, s, a: _call(b, "llvm.ctpop.i64", _I64, a)


# Rearranging ------------------------------------------------------------------------------------------------------


def _shuffle(kind, order):
    @intrinsic
    def op(typing_context, x, y):
        mask = ir.Constant(ir.VectorType(_I32, len(order)), order)
        return kind(kind, kind), lambda c, b, s, a: b.shuffle_vector(a[0], a[1], mask)

    return op


def _interleaved(n, first):
    """The order of x86's unpack instructions: two rows side by side, within each 128-bit half of n elements."""
    half, step = n // 2, n // 4
    return [lane * half + first * step + i + n * row for lane in (0, 1) for i in range(step) for row in (0, 1)]


# Two rows side by side: of each 128-bit half the first, or the last, elements.
zip_low_h16, zip_high_h16 = _shuffle(H16, _interleaved(16, 0)), _shuffle(H16, _interleaved(16, 1))
zip_low_b32, zip_high_b32 = _shuffle(B32, _interleaved(32, 0)), _shuffle(B32, _interleaved(32, 1))
# The first, or the last, four int32 of both.
low_lanes_i8, high_lanes_i8 = _shuffle(I8, [0, 1, 2, 3, 8, 9, 10, 11]), _shuffle(I8, [4, 5, 6, 7, 12, 13, 14, 15])


def _with_constant(kind, operation, number):
    @intrinsic
    def op(typing_context, x):
        constant = ir.Constant(kind.llvm, [number] * kind.n)
        return kind(kind), lambda c, b, s, a: getattr(b, operation)(a[0], constant)

    return op


add_64_h16, sub_h16, or_h16 = _with_constant(H16, "add", 64), _binary(H16, "sub"), _binary(H16, "or_")
divide_128_h16, times_128_h16 = _with_constant(H16, "ashr", 7), _with_constant(H16, "shl", 7)
low_byte_h16, high_byte_h16 = _with_constant(H16, "and_", 255), _with_constant(H16, "shl", 8)
times_32, times_8_h16 = _with_constant(H16, "shl", 5), _with_constant(H16, "shl", 3)
low_half_i8, high_half_i8, or_i8 = _with_constant(I8, "and_", 65535), _with_constant(I8, "shl", 16), _binary(I8, "or_")
add_h16 = _binary(H16, "add")


@intrinsic
def as_b32(typing_context, v):
    return B32(H16), lambda c, b, s, a: b.bitcast(a[0], B32.llvm)


# Sixteen lanes, for the product of matrices ------------------------------------------------------------------------

load_h32 = _loader(H32, H32.llvm, 2)
load_f16 = _loader(F16, F16.llvm, 4)
# 16 bytes widened to int16, and those once more.
load_s8_h32_twice = _loader(H32, ir.VectorType(_I8, 16), 1, lambda b, v: _twice(b, b.sext(v, H16.llvm)))
store_f16 = _storer(F16, 4)


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


load_low4_h16 = _loader(H16, ir.VectorType(_I8, 16), 1, _nibble_h16(shift=False))
load_high4_h16 = _loader(H16, ir.VectorType(_I8, 16), 1, _nibble_h16(shift=True))


@intrinsic
def zero_i16(typing_context):
    return I16(), lambda c, b, s, a: ir.Constant(I16.llvm, [0] * 16)


@intrinsic
def zero_f16(typing_context):
    return F16(), lambda c, b, s, a: ir.Constant(F16.llvm, [0.0] * 16)


@intrinsic
def splat_f16(typing_context, x):
    return F16(types.float32), lambda c, b, s, a: _splat(b, a[0], 16)


@intrinsic
def splat_h16(typing_context, x):
    return H16(types.int16), lambda c, b, s, a: _splat(b, a[0], 16)


@intrinsic
def splat_pair_h32(typing_context, x):
    """One int32, repeated, seen as sixteen pairs of int16."""
    return H32(types.int32), lambda c, b, s, a: b.bitcast(_splat(b, a[0], 16), H32.llvm)


@intrinsic
def fma16(typing_context, x, y, z):
    return F16(F16, F16, F16), lambda c, b, s, a: _call(b, "llvm.fmuladd.v16f32", F16.llvm, a)


@intrinsic
def to_f16(typing_context, v):
    return F16(I16), lambda c, b, s, a: b.sitofp(a[0], F16.llvm)


mul_f16, add_f16 = _binary(F16, "fmul"), _binary(F16, "fadd")


def _twice(builder, value):
    """16 int16 → 32, one after the other."""
    mask = ir.Constant(ir.VectorType(_I32, 32), 2 * list(range(16)))
    return builder.shuffle_vector(value, ir.Constant(H16.llvm, ir.Undefined), mask)


@intrinsic
def join_h16(typing_context, x, y):
    mask = ir.Constant(ir.VectorType(_I32, 32), list(range(32)))
    return H32(H16, H16), lambda c, b, s, a: b.shuffle_vector(a[0], a[1], mask)


@intrinsic
def first_f16(typing_context, v):
    """The first eight of sixteen."""
    return F8(F16), lambda c, b, s, a: _half(b, a[0], F16.llvm, 8, 0)


@intrinsic
def last_f16(typing_context, v):
    return F8(F16), lambda c, b, s, a: _half(b, a[0], F16.llvm, 8, 8)


def _half(builder, value, kind, n, first):
    mask = ir.Constant(ir.VectorType(_I32, n), list(range(first, first + n)))
    return builder.shuffle_vector(value, ir.Constant(kind, ir.Undefined), mask)


@intrinsic
def add_products(typing_context, total, x, y):
    """total + sums of adjacent products of 32 int16: 16 int32 (pmaddwd and an addition, or vpdpwssd)."""

    def codegen(context, builder, signature, arguments):
        total, x, y = arguments
        if HAS_AVX512:
            return builder.add(total, _call(builder, "llvm.x86.avx512.pmaddw.d.512", I16.llvm, [x, y]))
        if not HAS_AVX2:
            return builder.add(total, _pair_products(builder, x, y, True, _I32, 16))
        halves = [
            _call(
                builder, "llvm.x86.avx2.pmadd.wd", I8.llvm,
                [_half(builder, x, H32.llvm, 16, first), _half(builder, y, H32.llvm, 16, first)],
            )
            for first in (0, 16)
        ]  # fmt: skip
        joined = builder.shuffle_vector(*halves, ir.Constant(ir.VectorType(_I32, 16), list(range(16))))
        return builder.add(total, joined)

    return I16(I16, H32, H32), codegen


@intrinsic
def scale_h16(typing_context, x, y):
    """x * y / 32768 rounded, of 16 int16 (pmulhrsw)."""

    def codegen(context, builder, signature, arguments):
        if HAS_AVX2:
            return _call(builder, "llvm.x86.avx2.pmul.hr.sw", H16.llvm, arguments)
        if HAS_SSSE3:
            return _in_halves(builder, "llvm.x86.ssse3.pmul.hr.sw.128", *arguments, _I16)
        wide = ir.VectorType(_I32, 16)
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
        _store(builder, address, offset, builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(_I32, 32), order)), 2)
        return context.get_dummy_value()

    return _VOID(_ADDRESS, _ADDRESS, H16, H16), codegen


@intrinsic
def store_transposed(typing_context, address, stride, r0, r1, r2, r3, r4, r5, r6, r7):
    """Eight rows of eight int16 pairs → at address + j * stride the j-th pairs of all rows, as eight vectors."""

    def codegen(context, builder, signature, arguments):
        address, stride, *rows = arguments

        def shuffled(x, y, order):
            return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(_I32, 8), order))

        rows = [builder.bitcast(row, I8.llvm) for row in rows]
        low2, high2 = [0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15]
        low4, high4 = [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]
        t = [shuffled(rows[i], rows[i + 1], order) for i in (0, 2, 4, 6) for order in (low2, high2)]
        s = [shuffled(t[i + k], t[i + k + 2], order) for i in (0, 4) for k in (0, 1) for order in (low4, high4)]
        for j in range(4):
            for lane, order in ((0, [0, 1, 2, 3, 8, 9, 10, 11]), (4, [4, 5, 6, 7, 12, 13, 14, 15])):
                offset = builder.mul(stride, _I64(j + lane))
                _store(builder, address, offset, shuffled(s[j], s[j + 4], order), 2)
        return context.get_dummy_value()

    return _VOID(_ADDRESS, _ADDRESS, H16, H16, H16, H16, H16, H16, H16, H16), codegen


# Reductions -------------------------------------------------------------------------------------------------------


@intrinsic
def sum_f8(typing_context, v):
    """The sum of the lanes, in a fixed tree order."""

    def codegen(context, builder, signature, arguments):
        value = arguments[0]
        for width in (4, 2, 1):
            kind = ir.VectorType(_F32, 2 * width)
            undefined = ir.Constant(kind, ir.Undefined)
            low = builder.shuffle_vector(value, undefined, ir.Constant(ir.VectorType(_I32, width), list(range(width))))
            high = builder.shuffle_vector(
                value, undefined, ir.Constant(ir.VectorType(_I32, width), list(range(width, 2 * width)))
            )
            value = builder.fadd(low, high)
        return builder.extract_element(value, _I32(0))

    return types.float32(F8), codegen


@intrinsic
def sum_i8(typing_context, v):
    return types.int32(I8), lambda c, b, s, a: _call(b, "llvm.vector.reduce.add.v8i32", _I32, a)


@intrinsic
def max_of_f8(typing_context, v):
    def codegen(context, builder, signature, arguments):
        function_type = ir.FunctionType(_F32, [F8.llvm])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.vector.reduce.fmax.v8f32")
        return builder.call(function, [arguments[0]], fastmath=("nnan",))

    return types.float32(F8), codegen


@intrinsic
def exp_f8(typing_context, v):
    """exp of each lane, relative error about 2e-7, arguments clamped to [-87, 87]. Polynomial of the Cephes library."""

    def codegen(context, builder, signature, arguments):
        kind = F8.llvm

        def constant(x):
            return ir.Constant(kind, [float(x)] * 8)

        def multiply_add(x, y, z):
            return _call(builder, "llvm.fmuladd.v8f32", kind, [x, y, z])

        above = _call(builder, "llvm.maxnum.v8f32", kind, [arguments[0], constant(-87)])
        x = _call(builder, "llvm.minnum.v8f32", kind, [above, constant(87)])
        n = _round(builder, builder.fmul(x, constant(1.4426950408889634)))
        r = multiply_add(n, constant(-0.693359375), x)
        r = multiply_add(n, constant(2.12194440e-4), r)
        p = constant(1.9875691500e-4)
        coefficients = (1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1)
        for coefficient in coefficients:
            p = multiply_add(p, r, constant(coefficient))
        p = builder.fadd(multiply_add(builder.fmul(r, r), p, r), constant(1))
        exponent = builder.add(builder.fptosi(n, I8.llvm), ir.Constant(I8.llvm, [127] * 8))
        power = builder.bitcast(builder.shl(exponent, ir.Constant(I8.llvm, [23] * 8)), kind)
        return builder.fmul(p, power)

    return F8(F8), codegen


# Memory and threads -----------------------------------------------------------------------------------------------


def _scratch(n_bytes):
    @intrinsic
    def scratch(typing_context):
        def codegen(context, builder, signature, arguments):
            with builder.goto_entry_block():  # not alloca_once: that zero-fills byte by byte and compiles for minutes
                area = builder.alloca(ir.ArrayType(_I8, n_bytes))
            area.align = 64
            return builder.ptrtoint(area, _I64)

        return types.intp(), codegen

    return scratch


# The address of so many bytes on the stack, uninitialised, living as long as the calling kernel.
scratch_64, scratch_8k = _scratch(64), _scratch(8192)


@intrinsic
def prefetch(typing_context, address, offset):
    def codegen(context, builder, signature, arguments):
        pointer = builder.inttoptr(builder.add(arguments[0], arguments[1]), _I8.as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [_I8.as_pointer(), _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, _I32(0), _I32(3), _I32(1)])
        return context.get_dummy_value()

    return _VOID(_ADDRESS, _ADDRESS), codegen


@intrinsic
def atomic_add(typing_context, address, offset, value):
    """Adds to an int64 and returns what was there before."""

    def codegen(context, builder, signature, arguments):
        return builder.atomic_rmw("add", _pointer(builder, arguments[0], arguments[1], _I64), arguments[2], "seq_cst")

    return types.int64(_ADDRESS, _ADDRESS, types.int64), codegen


@intrinsic
def atomic_raise(typing_context, address, offset, value):
    """Make an int64 at least this large."""

    def codegen(context, builder, signature, arguments):
        builder.atomic_rmw("max", _pointer(builder, arguments[0], arguments[1], _I64), arguments[2], "seq_cst")
        return context.get_dummy_value()

    return _VOID(_ADDRESS, _ADDRESS, types.int64), codegen


@intrinsic
def atomic_load(typing_context, address, offset):
    def codegen(context, builder, signature, arguments):
        return builder.load_atomic(_pointer(builder, arguments[0], arguments[1], _I64), "acquire", 8)

    return types.int64(_ADDRESS, _ADDRESS), codegen


@intrinsic
def atomic_store(typing_context, address, offset, value):
    def codegen(context, builder, signature, arguments):
        builder.store_atomic(arguments[2], _pointer(builder, arguments[0], arguments[1], _I64), "release", 8)
        return context.get_dummy_value()

    return _VOID(_ADDRESS, _ADDRESS, types.int64), codegen


@intrinsic
def spin_pause(typing_context):
    """Tell the core that it spins (inline assembly would abort: numba's LLVM has no assembler)."""

    def codegen(context, builder, signature, arguments):
        if _IS_X86:
            _call(builder, "llvm.x86.sse2.pause", ir.VoidType(), [])
        elif platform.machine().lower() in ("arm64", "aarch64"):
            _call(builder, "llvm.aarch64.hint", ir.VoidType(), [_I32(1)])
        return context.get_dummy_value()

    return _VOID(), codegen


@intrinsic
def cycle_count(typing_context):
    """The processor's cycle counter where a program may read it (x86), 0 elsewhere."""

    def codegen(context, builder, signature, arguments):
        if not _IS_X86:
            return _I64(0)
        function_type = ir.FunctionType(_I64, [])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.readcyclecounter")
        return builder.call(function, [])

    return types.int64(), codegen


@intrinsic
def yield_thread(typing_context):
    """Give the processor to another thread."""

    def codegen(context, builder, signature, arguments):
        name = "SwitchToThread" if os.name == "nt" else "sched_yield"
        _call(builder, name, _I32, [])
        return context.get_dummy_value()

    return _VOID(), codegen
