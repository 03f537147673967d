"""Compiling the kernels a model needs, one visible step at a time, before its first token asks for them.

Each step calls one kernel on a tiny input, which compiles it or loads it from the cache; the decode step itself, which
is built of them, is then quick to finish.
"""

from collections.abc import Callable

import numpy as np

from engine.kernels.cpu import ops
from engine.kernels.formats import FORMATS

Step = Callable[[], object]


def warm_up_steps(row_formats: frozenset[str], cache: str) -> list[Step]:
    """Calls to make in order; which of them compile is decided by the formats in use."""
    one = np.ones(1, np.float32)
    steps: list[Step] = [
        lambda: ops.rms_norm(one, one, 1e-5),
        lambda: ops.rope(np.ones((1, 2), np.float32), np.ones((2, 1), np.float32)),
        lambda: ops.silu_times(one, one),
        lambda: ops.attention(one[None], one[None, None], one[None, None], cache),
    ]
    for name in sorted(row_formats):
        fmt = FORMATS[name]
        rows, first = fmt.pack(np.ones((1, 1), np.float32)), np.zeros(1, np.int64)
        steps += [
            lambda rows=rows, fmt=fmt: ops.matvec(rows, 1, fmt, one),
            lambda rows=rows, fmt=fmt, first=first: ops.matvec_listed(rows, 1, fmt, first, one),
            lambda rows=rows, fmt=fmt, first=first: ops.accumulate_down(one, first, rows, 1, fmt, one.copy()),
        ]
    return steps
