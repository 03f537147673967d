"""Vectors of eight lanes, and single numbers, that kernels compute with; what they are made of is `vector_ir.py`."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from engine.kernels.cpu.vector_ir import (
    ADDRESS,
    B32,
    F8,
    H16,
    HALF,
    HAS_AVX2,
    HAS_SSSE3,
    I8,
    INT8,
    INT16,
    INT32,
    INT64,
    IS_X86,
    SINGLE,
    VOID,
    W4,
    binary,
    call,
    from_half,
    in_halves,
    interleaved,
    loader,
    pair_products,
    round_to_even,
    shuffle,
    splat,
    storer,
    to_half,
    with_constant,
)

# Loads ----------------------------------------------------------------------------------------------------------------


load_f8 = loader(F8, F8.llvm, 4)
load_b32 = loader(B32, B32.llvm, 1)
load_h16 = loader(H16, H16.llvm, 2)
load_f32 = loader(types.float32, SINGLE, 4)
load_i32 = loader(types.int32, INT32, 4)
load_i64 = loader(types.int64, INT64, 8)
load_i16 = loader(types.int16, INT16, 2)
load_s8 = loader(types.int8, INT8, 1)
load_w4 = loader(W4, W4.llvm, 8)
# Half precision in memory, single in the register.
load_half8 = loader(F8, ir.VectorType(HALF, 8), 2, from_half)
load_half = loader(types.float32, HALF, 2, from_half)
# Integers widened on the way in.
load_s8_h16 = loader(H16, ir.VectorType(INT8, 16), 1, lambda b, v: b.sext(v, H16.llvm))
load_s8_f8 = loader(F8, ir.VectorType(INT8, 8), 1, lambda b, v: b.sitofp(b.sext(v, I8.llvm), F8.llvm))


# Stores ---------------------------------------------------------------------------------------------------------------


def _each_twice(builder, value):
    mask = ir.Constant(ir.VectorType(INT32, 32), [i // 2 for i in range(32)])
    return builder.shuffle_vector(value, ir.Constant(H16.llvm, ir.Undefined), mask)


def _negative_bits(builder, value):
    return builder.bitcast(builder.fcmp_ordered("<", value, ir.Constant(F8.llvm, [0.0] * 8)), INT8)


store_f8 = storer(F8, 4)
store_f32 = storer(types.float32, 4)
store_i64 = storer(types.int64, 8)
store_i16 = storer(types.int16, 2)
store_h16 = storer(H16, 2)
store_i8 = storer(I8, 4)
store_half8 = storer(F8, 2, to_half)
store_i8_as_bytes = storer(I8, 1, lambda b, v: b.trunc(v, ir.VectorType(INT8, 8)))
store_i8_as_int16 = storer(I8, 2, lambda b, v: b.trunc(v, ir.VectorType(INT16, 8)))
store_s8 = storer(types.int8, 1)
# A byte with a bit for each of eight floats, lowest first, set where one is below zero.
store_negative_f8 = storer(F8, 1, _negative_bits)
# 16 int16 → 32 int16, each twice: ready for a broadcast load of a pair.
store_h16_twice = storer(H16, 4, _each_twice)


# Constants and arithmetic ---------------------------------------------------------------------------------------------


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
def splat_f8(typing_context, x):
    return F8(types.float32), lambda c, b, s, a: splat(b, a[0], 8)


@intrinsic
def splat_pair_h16(typing_context, x):
    """One int32, repeated, seen as eight pairs of int16."""
    return H16(types.int32), lambda c, b, s, a: b.bitcast(splat(b, a[0], 8), H16.llvm)


add_f8, mul_f8, sub_f8 = binary(F8, "fadd"), binary(F8, "fmul"), binary(F8, "fsub")
div_f8 = binary(F8, "fdiv")
add_i8, mul_h16 = binary(I8, "add"), binary(H16, "mul")


@intrinsic
def fma(typing_context, x, y, z):
    """x * y + z; fused where the processor can (llvm.fma would be a library call where it can't)."""
    return F8(F8, F8, F8), lambda c, b, s, a: call(b, "llvm.fmuladd.v8f32", F8.llvm, a)


@intrinsic
def max_f8(typing_context, x, y):
    return F8(F8, F8), lambda c, b, s, a: call(b, "llvm.maxnum.v8f32", F8.llvm, a)


@intrinsic
def abs_f8(typing_context, x):
    return F8(F8), lambda c, b, s, a: call(b, "llvm.fabs.v8f32", F8.llvm, a)


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


@intrinsic
def madd_h16(typing_context, x, y):
    """16 int16 times 16 int16, adjacent products added: 8 int32 (pmaddwd)."""
    return I8(H16, H16), lambda c, b, s, a: pairs_of_int16(b, *a)


def pairs_of_int16(builder, x, y):
    if HAS_AVX2:
        return call(builder, "llvm.x86.avx2.pmadd.wd", I8.llvm, [x, y])
    return pair_products(builder, x, y, True, INT32, 8)


@intrinsic
def madd_b32(typing_context, unsigned, signed):
    """32 uint8 times 32 int8, adjacent products added: 16 int16 (pmaddubsw). Callers keep the sums within int16."""
    return H16(B32, B32), lambda c, b, s, a: pairs_of_bytes(b, *a)


def pairs_of_bytes(builder, unsigned, signed):
    if HAS_AVX2:
        return call(builder, "llvm.x86.avx2.pmadd.ub.sw", H16.llvm, [unsigned, signed])
    if HAS_SSSE3:
        return in_halves(builder, "llvm.x86.ssse3.pmadd.ub.sw.128", unsigned, signed, INT16)
    return pair_products(builder, unsigned, signed, False, INT16, 16)


@intrinsic
def add_scaled_nibbles(typing_context, total, nibbles, x, pair):
    """total + scale * sums of four adjacent products of 32 uint8 below 16 and 32 int8; `pair` is the scale twice."""

    def codegen(context, builder, signature, arguments):
        total, nibbles, x, pair = arguments
        if IS_X86:
            scales = builder.bitcast(splat(builder, pair, 8), H16.llvm)
            return builder.add(total, pairs_of_int16(builder, pairs_of_bytes(builder, nibbles, x), scales))
        wide = ir.VectorType(INT16, 32)
        products = builder.mul(builder.zext(nibbles, wide), builder.sext(x, wide))
        sums = _adjacent_sums(builder, _adjacent_sums(builder, products, 16), 8)  # at most 4 * 15 * 127
        scale = splat(builder, builder.trunc(pair, INT16), 8)
        return builder.add(total, builder.mul(builder.sext(sums, I8.llvm), builder.sext(scale, I8.llvm)))

    return I8(I8, B32, B32, types.int32), codegen


def _adjacent_sums(builder, value, n):
    """Sums of adjacent elements of a vector of 2 n."""
    undefined, lanes = ir.Constant(value.type, ir.Undefined), ir.VectorType(INT32, n)
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
        return builder.fptosi(round_to_even(builder, arguments[0]), I8.llvm)

    return I8(F8), codegen


# Bits -----------------------------------------------------------------------------------------------------------------


@intrinsic
def zero_w4(typing_context):
    return W4(), lambda c, b, s, a: ir.Constant(W4.llvm, [0] * 4)


@intrinsic
def add_differing(typing_context, total, x, y):
    """total + in how many bits x and y differ, in each of four int64."""

    def codegen(context, builder, signature, arguments):
        total, x, y = arguments
        return builder.add(total, call(builder, "llvm.ctpop.v4i64", W4.llvm, [builder.xor(x, y)]))

    return W4(W4, W4, W4), codegen


@intrinsic
def sum_w4(typing_context, v):
    return types.int64(W4), lambda c, b, s, a: call(b, "llvm.vector.reduce.add.v4i64", INT64, a)


@intrinsic
def count_bits(typing_context, x):
    """How many bits of an int64 are set."""
    return types.int64(types.int64), lambda c, b, s, a: call(b, "llvm.ctpop.i64", INT64, a)


# Rearranging ----------------------------------------------------------------------------------------------------------


# Two rows side by side: of each 128-bit half the first, or the last, elements.
zip_low_h16, zip_high_h16 = shuffle(H16, interleaved(16, 0)), shuffle(H16, interleaved(16, 1))
zip_low_b32, zip_high_b32 = shuffle(B32, interleaved(32, 0)), shuffle(B32, interleaved(32, 1))
# The first, or the last, four int32 of both.
low_lanes_i8, high_lanes_i8 = shuffle(I8, [0, 1, 2, 3, 8, 9, 10, 11]), shuffle(I8, [4, 5, 6, 7, 12, 13, 14, 15])
add_64_h16, sub_h16, or_h16 = with_constant(H16, "add", 64), binary(H16, "sub"), binary(H16, "or_")
divide_128_h16, times_128_h16 = with_constant(H16, "ashr", 7), with_constant(H16, "shl", 7)
low_byte_h16, high_byte_h16 = with_constant(H16, "and_", 255), with_constant(H16, "shl", 8)
times_32, times_8_h16 = with_constant(H16, "shl", 5), with_constant(H16, "shl", 3)
add_h16 = binary(H16, "add")


@intrinsic
def as_b32(typing_context, v):
    return B32(H16), lambda c, b, s, a: b.bitcast(a[0], B32.llvm)


# Reductions -----------------------------------------------------------------------------------------------------------


@intrinsic
def sum_f8(typing_context, v):
    """The sum of the lanes, in a fixed tree order."""

    def codegen(context, builder, signature, arguments):
        value = arguments[0]
        for width in (4, 2, 1):
            kind = ir.VectorType(SINGLE, 2 * width)
            undefined = ir.Constant(kind, ir.Undefined)
            low = builder.shuffle_vector(value, undefined, ir.Constant(ir.VectorType(INT32, width), list(range(width))))
            high = builder.shuffle_vector(
                value, undefined, ir.Constant(ir.VectorType(INT32, width), list(range(width, 2 * width)))
            )
            value = builder.fadd(low, high)
        return builder.extract_element(value, INT32(0))

    return types.float32(F8), codegen


@intrinsic
def sum_i8(typing_context, v):
    return types.int32(I8), lambda c, b, s, a: call(b, "llvm.vector.reduce.add.v8i32", INT32, a)


@intrinsic
def max_of_f8(typing_context, v):
    def codegen(context, builder, signature, arguments):
        function_type = ir.FunctionType(SINGLE, [F8.llvm])
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
            return call(builder, "llvm.fmuladd.v8f32", kind, [x, y, z])

        above = call(builder, "llvm.maxnum.v8f32", kind, [arguments[0], constant(-87)])
        x = call(builder, "llvm.minnum.v8f32", kind, [above, constant(87)])
        n = round_to_even(builder, builder.fmul(x, constant(1.4426950408889634)))
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


# Memory ---------------------------------------------------------------------------------------------------------------


def _scratch(n_bytes):
    @intrinsic
    def scratch(typing_context):
        def codegen(context, builder, signature, arguments):
            with builder.goto_entry_block():  # not alloca_once: that zero-fills byte by byte and compiles for minutes
                area = builder.alloca(ir.ArrayType(INT8, n_bytes))
            area.align = 64
            return builder.ptrtoint(area, INT64)

        return types.intp(), codegen

    return scratch


# The address of so many bytes on the stack, uninitialised, living as long as the calling kernel.
scratch_64, scratch_8k = _scratch(64), _scratch(8192)


@intrinsic
def prefetch(typing_context, address, offset):
    def codegen(context, builder, signature, arguments):
        pointer = builder.inttoptr(builder.add(arguments[0], arguments[1]), INT8.as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [INT8.as_pointer(), INT32, INT32, INT32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, INT32(0), INT32(3), INT32(1)])
        return context.get_dummy_value()

    return VOID(ADDRESS, ADDRESS), codegen
