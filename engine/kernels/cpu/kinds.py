"""Marker values that choose a kernel variant at compile time.

Passing `INT8_ROWS` instead of a number makes numba specialise the callers, so a model compiles only the variants it
needs and a kernel body has no branches on the format. Markers carry no data.
"""

from numba import types
from numba.extending import NativeValue, models, overload, register_model, typeof_impl, unbox


class Marker:
    """A compile-time choice; two markers of one name are the same choice."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class MarkerType(types.Type):
    def __init__(self, name: str) -> None:
        self.choice = name
        super().__init__(f"Marker({name})")


register_model(MarkerType)(models.OpaqueModel)


@typeof_impl.register(Marker)
def _typeof_marker(value, context):
    return MarkerType(value.name)


@unbox(MarkerType)
def _unbox_marker(kind, value, context):
    return NativeValue(context.context.get_dummy_value())


INT8_ROWS, INT4_ROWS, F32_ROWS = Marker("int8"), Marker("int4"), Marker("f32")
ROW_KINDS = {m.name: m for m in (INT8_ROWS, INT4_ROWS, F32_ROWS)}
CACHE_KINDS = {name: Marker(name) for name in ("f16", "f32", "int8")}


def same_kind(a, b):
    """Two choices are one: decided while compiling."""
    raise NotImplementedError("compiled code only")


@overload(same_kind)
def _same_kind(a, b):
    answer = a.choice == b.choice

    def implementation(a, b):
        return answer

    return implementation


# What follows the first product of a neuron.
SILU, RELU, FATRELU, DRELU, RELU2 = range(5)

# Options of every kernel: no GIL, no fast-math (a result must not depend on what a compiler feels free to reorder),
# cached.
KERNEL = {"nogil": True, "error_model": "numpy", "boundscheck": False, "cache": True}
# Of a kernel that only kernels call: without the entries for Python and C, which take a sixth of the time to compile.
PART = {**KERNEL, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
