"""Compiling the decode step a model needs in visible steps, before its first token asks for it.

The step is one large function; its parts are compiled first, each for the very types with which the step calls them, so
that no work is done twice and a progress bar moves. A part's parameters have the same names everywhere, and a name
tells the type.
"""

from collections.abc import Callable
from typing import Any

from numba import float32, int64, types

from engine.kernels.cpu import decode, feed_forward, phases, predict
from engine.kernels.cpu.kinds import CACHE_KINDS, ROW_KINDS, MarkerType

Step = Callable[[], object]
# Of parameters that are not an int64.
_ROW = types.Array(int64, 1, "C")
_TYPES = {"slots": _ROW, "sizes": _ROW, "shared": _ROW, "mine": _ROW, "eps": float32, "scale": float32}


def warm_up_steps(row_formats: tuple[str, str, str, str], cache: str) -> list[Step]:
    """Calls to make in order; each compiles one part of the decode step, or loads it from the cache.

    row_formats  of attention, the first product, the rest of the feed-forward, and the head
    """
    attention, first, rest, head = row_formats
    anywhere = sorted(set(row_formats))
    parts: list[tuple[Any, dict[str, str]]] = [
        *((phases.product, {"kind": kind}) for kind in anywhere),
        *((phases.norm_and_quantise, {"kind": kind}) for kind in sorted({attention, first, head})),
        (decode.append_head, {"cache_kind": cache}),
        (decode.attend_head, {"cache_kind": cache}),
        (predict.see_and_project, {"kind": first}),
        (predict.score, {"kind": first}),
        *((feed_forward.multiply_listed, {"kind": kind}) for kind in sorted({first, rest})),
        (feed_forward.alive_neurons, {"kind": first}),
        (feed_forward.multiply_densely, {"kind": rest}),
        (feed_forward.add_down, {"kind": rest}),
        (feed_forward.finish_feed_forward, {"kind": rest}),
    ]
    return [lambda part=part, kinds=kinds: part.compile(_signature(part, kinds)) for part, kinds in parts]


def _signature(part: Any, kinds: dict[str, str]) -> tuple[types.Type, ...]:
    code = part.py_func.__code__
    names = code.co_varnames[: code.co_argcount]
    return tuple(_marker(kinds[name]) if name in kinds else _TYPES.get(name, int64) for name in names)


def _marker(kind: str) -> MarkerType:
    return MarkerType((ROW_KINDS.get(kind) or CACHE_KINDS[kind]).name)
