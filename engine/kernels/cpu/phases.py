"""What every part of a decode step is made of: shares of a phase, its norm, its product, its time.

Rows, heads and neurons are cut into shares by these functions alone, so that phases that hand work to one another agree
on who owns what.
"""

from numba import njit

from engine.kernels.cpu.activations import norm, quantise
from engine.kernels.cpu.atomics import (
    cycle_count,
)
from engine.kernels.cpu.kinds import PART
from engine.kernels.cpu.rows import matvec_tokens
from engine.kernels.cpu.tables import (
    FETCH_AHEAD,
    NORMED,
    NORMED_BYTES,
    QUANTISED,
    QUANTISED_BYTES,
    UNITS,
    WIDTH,
    WIDTH_PADDED,
)
from engine.kernels.cpu.vectors import (
    load_f32,
    load_i64,
    store_f32,
    store_i64,
)


@njit(**PART)
def add_bias(y, bias, first, last):
    """y[first:last] += bias[first:last], unless there is none (address 0)."""
    if bias != 0:
        for i in range(4 * first, 4 * last, 4):
            store_f32(y, i, load_f32(y, i) + load_f32(bias, i))


@njit(**PART)
def add_listed_bias(y, bias, neurons, k):
    """y[i] += bias of the i-th listed neuron, unless there is none (address 0)."""
    if bias != 0:
        for i in range(k):
            store_f32(y, 4 * i, load_f32(y, 4 * i) + load_f32(bias, 4 * load_i64(neurons, 8 * i)))


@njit(**PART)
def spent(cycles, phase, since):
    """Add the cycles since `since` to a phase; returns now."""
    now = cycle_count()
    store_i64(cycles, phase, load_i64(cycles, phase) + now - since)
    return now


@njit(**PART)
def begin_of(n, share, n_shares):
    return n * share // n_shares


@njit(**PART)
def neuron_begin(n, share, n_shares):
    """Shares of neurons begin at multiples of 16: what is computed in whole vectors must not reach into the next."""
    return min(n, (n + 15) // 16 * share // n_shares * 16)


@njit(**PART)
def norm_and_quantise(kind, x, weight, bias, mine, sizes, n, eps, tokens):
    """Each token's norm of x into NORMED, and that as rows of `kind` want it into QUANTISED."""
    width, padded = sizes[WIDTH], sizes[WIDTH_PADDED]
    for t in range(tokens):
        normed = mine[NORMED] + t * sizes[NORMED_BYTES]
        norm(x + 4 * padded * t, weight, bias, normed, width, padded, eps)
        store_f32(mine[UNITS], 4 * t, quantise(kind, normed, mine[QUANTISED] + t * sizes[QUANTISED_BYTES], n))


@njit(**PART)
def product(kind, rows, stride, mine, y, y_bytes, bias, first, last, n, sizes, tokens):
    """y[t, first:last] = rows · what QUANTISED holds, plus the bias."""
    matvec_tokens(
        kind, rows, stride, mine[QUANTISED], sizes[QUANTISED_BYTES], y, y_bytes, mine[UNITS], tokens, first, last, n,
        sizes[FETCH_AHEAD],
    )  # fmt: skip
    if bias != 0:
        for t in range(tokens):
            add_bias(y + t * y_bytes, bias, first, last)
