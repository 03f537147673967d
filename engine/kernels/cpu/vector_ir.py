"""How explicit SIMD for numba is made: LLVM vectors as first-class numba types, and what intrinsics are built of.

Everything is generic vector IR, which LLVM splits or widens for the processor at hand, except the integer pair
products: they have x86 forms, used where the processor has AVX2 or SSSE3, and generic forms for every other one. What
LLVM would make a library call of, because the processor has no instruction for it (half precision, rounding), is
written out here: the compiler that numba brings has no such library, and the process would abort. Addresses are plain
integers: the caller keeps the memory alive and in bounds, and an address must never be taken from an array that a
kernel allocated (numba frees it at once). Offsets are in bytes.
"""

import platform

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from engine.kernels.cpu.target import AVX2, FORCE_GENERIC, SSE, TARGET

BIT, INT8, INT16, INT32, INT64 = (ir.IntType(n) for n in (1, 8, 16, 32, 64))
HALF, SINGLE = ir.HalfType(), ir.FloatType()
_ELEMENTS = {"i8": INT8, "i16": INT16, "i32": INT32, "i64": INT64, "f32": SINGLE}
IS_X86 = platform.machine().lower() in ("x86_64", "amd64")

_FEATURES = llvm.get_host_cpu_features() if IS_X86 and not FORCE_GENERIC else {}
HAS_AVX2 = TARGET != SSE and bool(_FEATURES.get("avx2", False))
HAS_SSSE3 = bool(_FEATURES.get("ssse3", False))
HAS_AVX512 = HAS_AVX2 and TARGET != AVX2 and bool(_FEATURES.get("avx512bw", False))
# Instructions that convert half precision, and that round: of every 64-bit ARM, but not of every x86.
IS_ARM64 = platform.machine().lower() in ("arm64", "aarch64") and not FORCE_GENERIC
HAS_HALF = IS_ARM64 or (TARGET != SSE and bool(_FEATURES.get("f16c", False)))
HAS_ROUND = IS_ARM64 or bool(_FEATURES.get("sse4.1", False))


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
VOID, ADDRESS = types.void, types.intp


def pointer(builder, address, offset, kind):
    return builder.inttoptr(builder.add(address, offset), kind.as_pointer())


def load_value(builder, address, offset, kind, align):
    value = builder.load(pointer(builder, address, offset, kind))
    value.align = align
    return value


def store_value(builder, address, offset, value, align):
    builder.store(value, pointer(builder, address, offset, value.type)).align = align


def call(builder, name, result, arguments):
    function_type = ir.FunctionType(result, [a.type for a in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), arguments)


def splat(builder, scalar, n):
    kind = ir.VectorType(scalar.type, n)
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, scalar, INT32(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(INT32, n), [0] * n))


# Half precision and rounding ------------------------------------------------------------------------------------------


def _like(value, scalar):
    """The type of `value` with elements of the type `scalar`."""
    return ir.VectorType(scalar, value.type.count) if isinstance(value.type, ir.VectorType) else scalar


def _constant(kind, number):
    return ir.Constant(kind, [number] * kind.count if isinstance(kind, ir.VectorType) else number)


def from_half(builder, value):
    """float16 → float32."""
    single = _like(value, SINGLE)
    if HAS_HALF:
        return builder.fpext(value, single)
    word = _like(value, INT32)
    bits = builder.zext(builder.bitcast(value, _like(value, INT16)), word)
    size = builder.shl(builder.and_(bits, _constant(word, 0x7FFF)), _constant(word, 13))
    # the exponent's bias differs by 112; a product also makes subnormal halves right
    scaled = builder.bitcast(builder.fmul(builder.bitcast(size, single), _constant(single, 2.0**112)), word)
    not_finite = builder.icmp_unsigned(">=", size, _constant(word, 0x7C00 << 13))
    scaled = builder.select(not_finite, builder.or_(scaled, _constant(word, 0x7F800000)), scaled)
    sign = builder.shl(builder.and_(bits, _constant(word, 0x8000)), _constant(word, 16))
    return builder.bitcast(builder.or_(scaled, sign), single)


def to_half(builder, value):
    """float32 → float16, to the nearest, ties to even."""
    if HAS_HALF:
        return builder.fptrunc(value, _like(value, HALF))
    word, single = _like(value, INT32), value.type
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
    half = builder.trunc(builder.or_(half, sign), _like(value, INT16))
    return builder.bitcast(half, _like(value, HALF))


def round_to_even(builder, value):
    """To the nearest integer, ties to even, of eight floats below 2^22 in size."""
    if HAS_ROUND:
        return call(builder, "llvm.rint.v8f32", F8.llvm, [value])
    big = _constant(value.type, 1.5 * 2**23)  # floats of this size have no bits behind the point
    return builder.fsub(builder.fadd(value, big), big)


# Ways of making intrinsics --------------------------------------------------------------------------------------------


def loader(result, kind, align, convert=None):
    @intrinsic
    def load(typing_context, address, offset):
        def codegen(context, builder, signature, arguments):
            value = load_value(builder, arguments[0], arguments[1], kind, align)
            return convert(builder, value) if convert else value

        return result(ADDRESS, ADDRESS), codegen

    return load


def storer(source, align, convert=None):
    @intrinsic
    def store(typing_context, address, offset, value):
        def codegen(context, builder, signature, arguments):
            stored = convert(builder, arguments[2]) if convert else arguments[2]
            store_value(builder, arguments[0], arguments[1], stored, align)
            return context.get_dummy_value()

        return VOID(ADDRESS, ADDRESS, source), codegen

    return store


def binary(kind, operation):
    @intrinsic
    def op(typing_context, x, y):
        return kind(kind, kind), lambda c, b, s, a: getattr(b, operation)(a[0], a[1])

    return op


def with_constant(kind, operation, number):
    @intrinsic
    def op(typing_context, x):
        constant = ir.Constant(kind.llvm, [number] * kind.n)
        return kind(kind), lambda c, b, s, a: getattr(b, operation)(a[0], constant)

    return op


def shuffle(kind, order):
    @intrinsic
    def op(typing_context, x, y):
        mask = ir.Constant(ir.VectorType(INT32, len(order)), order)
        return kind(kind, kind), lambda c, b, s, a: b.shuffle_vector(a[0], a[1], mask)

    return op


def interleaved(n, first):
    """The order of x86's unpack instructions: two rows side by side, within each 128-bit half of n elements."""
    half, step = n // 2, n // 4
    return [lane * half + first * step + i + n * row for lane in (0, 1) for i in range(step) for row in (0, 1)]


def pair_products(builder, x, y, x_signed, wide, n):
    """Sums of adjacent products in generic IR; LLVM matches the processor's own instruction where it has one."""
    kind = ir.VectorType(wide, 2 * n)
    product = builder.mul((builder.sext if x_signed else builder.zext)(x, kind), builder.sext(y, kind))
    undefined = ir.Constant(kind, ir.Undefined)
    lanes = ir.VectorType(INT32, n)
    even = builder.shuffle_vector(product, undefined, ir.Constant(lanes, list(range(0, 2 * n, 2))))
    odd = builder.shuffle_vector(product, undefined, ir.Constant(lanes, list(range(1, 2 * n, 2))))
    return builder.add(even, odd)


def in_halves(builder, name, x, y, element):
    """An operation of 16 bytes on both halves of 32; the result has 16-bit elements."""
    n = x.type.count // 2
    result = ir.VectorType(element, 8)
    halves = []
    for first in (0, n):
        mask = ir.Constant(ir.VectorType(INT32, n), list(range(first, first + n)))
        arguments = [builder.shuffle_vector(v, ir.Constant(v.type, ir.Undefined), mask) for v in (x, y)]
        halves.append(call(builder, name, result, arguments))
    return builder.shuffle_vector(*halves, ir.Constant(ir.VectorType(INT32, 16), list(range(16))))
