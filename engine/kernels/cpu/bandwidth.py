"""Reading memory as fast as it comes: what the weights' kernels are measured against.

Only loads and additions, in the two ways the row kernels read: through one stream, or through four that lie far apart.
The sum is returned so that no load can be left out.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.kinds import KERNEL
from engine.kernels.cpu.vectors import (
    add_f8,
    load_f8,
    sum_f8,
    zero_f8,
)

LINE_BYTES = 128  # taken from a stream at a time


@njit(**KERNEL)
def sum_one_stream(address, n_bytes):
    """The sum of n_bytes of float32 at `address`; n_bytes is a multiple of LINE_BYTES."""
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for i in range(0, n_bytes, LINE_BYTES):
        a, b = add_f8(a, load_f8(address, i)), add_f8(b, load_f8(address, i + 32))
        c, d = add_f8(c, load_f8(address, i + 64)), add_f8(d, load_f8(address, i + 96))
    return sum_f8(add_f8(add_f8(a, b), add_f8(c, d)))


@njit(**KERNEL)
def sum_four_streams(address, n_bytes, distance):
    """The sum of n_bytes of float32 at `address` and at one, two and three times `distance` behind it."""
    second, third, fourth = address + distance, address + 2 * distance, address + 3 * distance
    a, b, c, d = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    e, f, g, h = zero_f8(), zero_f8(), zero_f8(), zero_f8()
    for i in range(0, n_bytes, LINE_BYTES):
        for j in range(i, i + LINE_BYTES, 64):
            a, e = add_f8(a, load_f8(address, j)), add_f8(e, load_f8(address, j + 32))
            b, f = add_f8(b, load_f8(second, j)), add_f8(f, load_f8(second, j + 32))
            c, g = add_f8(c, load_f8(third, j)), add_f8(g, load_f8(third, j + 32))
            d, h = add_f8(d, load_f8(fourth, j)), add_f8(h, load_f8(fourth, j + 32))
    return sum_f8(add_f8(add_f8(add_f8(a, e), add_f8(b, f)), add_f8(add_f8(c, g), add_f8(d, h))))


@njit(**KERNEL)
def sum_matrices(addresses, lengths, thread, n_threads):
    """A thread's share of many matrices, each in four streams; int64 addresses and lengths in bytes."""
    total = np.float32(0)
    for i in range(len(addresses)):
        stream = lengths[i] // n_threads // 4 // LINE_BYTES * LINE_BYTES
        total += sum_four_streams(addresses[i] + 4 * stream * thread, stream, stream)
    return total
