"""What threads of a step share words of memory with, and how they wait for each other; and the cycle counter."""

import os
import platform

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from engine.kernels.cpu.vector_ir import (
    ADDRESS,
    INT32,
    INT64,
    IS_X86,
    VOID,
    call,
    pointer,
)


@intrinsic
def atomic_add(typing_context, address, offset, value):
    """Adds to an int64 and returns what was there before."""

    def codegen(context, builder, signature, arguments):
        return builder.atomic_rmw("add", pointer(builder, arguments[0], arguments[1], INT64), arguments[2], "seq_cst")

    return types.int64(ADDRESS, ADDRESS, types.int64), codegen


@intrinsic
def atomic_raise(typing_context, address, offset, value):
    """Make an int64 at least this large."""

    def codegen(context, builder, signature, arguments):
        builder.atomic_rmw("max", pointer(builder, arguments[0], arguments[1], INT64), arguments[2], "seq_cst")
        return context.get_dummy_value()

    return VOID(ADDRESS, ADDRESS, types.int64), codegen


@intrinsic
def atomic_load(typing_context, address, offset):
    def codegen(context, builder, signature, arguments):
        return builder.load_atomic(pointer(builder, arguments[0], arguments[1], INT64), "acquire", 8)

    return types.int64(ADDRESS, ADDRESS), codegen


@intrinsic
def atomic_store(typing_context, address, offset, value):
    def codegen(context, builder, signature, arguments):
        builder.store_atomic(arguments[2], pointer(builder, arguments[0], arguments[1], INT64), "release", 8)
        return context.get_dummy_value()

    return VOID(ADDRESS, ADDRESS, types.int64), codegen


@intrinsic
def spin_pause(typing_context):
    """Tell the core that it spins (inline assembly would abort: numba's LLVM has no assembler)."""

    def codegen(context, builder, signature, arguments):
        if IS_X86:
            call(builder, "llvm.x86.sse2.pause", ir.VoidType(), [])
        elif platform.machine().lower() in ("arm64", "aarch64"):
            call(builder, "llvm.aarch64.hint", ir.VoidType(), [INT32(1)])
        return context.get_dummy_value()

    return VOID(), codegen


@intrinsic
def cycle_count(typing_context):
    """The processor's cycle counter where a program may read it (x86), 0 elsewhere."""

    def codegen(context, builder, signature, arguments):
        if not IS_X86:
            return INT64(0)
        function_type = ir.FunctionType(INT64, [])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.readcyclecounter")
        return builder.call(function, [])

    return types.int64(), codegen


@intrinsic
def yield_thread(typing_context):
    """Give the processor to another thread."""

    def codegen(context, builder, signature, arguments):
        name = "SwitchToThread" if os.name == "nt" else "sched_yield"
        call(builder, name, INT32, [])
        return context.get_dummy_value()

    return VOID(), codegen
