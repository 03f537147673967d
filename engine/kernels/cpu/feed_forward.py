"""The feed-forward of a decode step: which neurons live, and what those add to the stream.

Exact without a predictor and a cut: the first product of all neurons, then only those that the activation left alive.
A predictor's candidates stand in place of all; a cut raises what keeps a neuron alive. What is left is divided anew
where the shares are uneven, and each share adds its neurons' down rows into an accumulator of its own.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import silu_times
from engine.kernels.cpu.kinds import DRELU, KERNEL, PART, RELU2, SILU
from engine.kernels.cpu.phases import add_listed_bias, neuron_begin, product, spent
from engine.kernels.cpu.predict import list_candidates
from engine.kernels.cpu.rows import accumulate_down, matvec_listed
from engine.kernels.cpu.tables import (
    ACTIVATION,
    ACTIVE,
    ACTS,
    CANDIDATES,
    COUNTED,
    COUNTS,
    CYCLES,
    DOWN,
    DOWN_STRIDE,
    EXAMINED,
    FIRED,
    FIRST,
    FIRST_BIAS,
    FIRST_NEURON,
    FIRST_STRIDE,
    IN_DOWN,
    IN_UP,
    IS_GATED,
    LAYERS,
    LEAST,
    N_DOWN,
    N_FFN_FIRST,
    N_FFN_REST,
    NEURON_LIST,
    NEURON_SLOTS,
    NEURONS,
    NO_PREDICTOR,
    PARTIALS,
    PREDICTOR,
    QUANTISED,
    QUANTISED_BYTES,
    SHARES,
    UNITS,
    UP,
    UP_BIAS,
    UP_STRIDE,
    UPS,
    WIDTH_PADDED,
)
from engine.kernels.cpu.vectors import load_f32, load_i64, scratch_64, store_f8, store_f32, store_i64, store_s8, zero_f8

# Above this share of active neurons a dense product beats a list (measured in the project's CPU study).
DENSE_ABOVE = 0.55
# Down rows read at once where several tokens want them all; whole blocks of the accumulation kernels.
BLOCK_NEURONS = 64
# Shares whose counts differ from the mean by more are divided anew.
UNEVEN = 0.05


@njit(**KERNEL)
def compact_alive(products, neurons, first, last, least):
    """Move the products that are positive, and `least` at least, to the front and list their rows; returns how many.

    products and neurons are those of row `first` on.
    """
    k = 0
    for i in range(last - first):
        a = load_f32(products, 4 * i)
        store_f32(products, 4 * k, a)
        store_i64(neurons, 8 * k, first + i)
        if a > np.float32(0) and a >= least:
            k += 1
    return k


@njit(**PART)
def keep_alive(products, neurons, k, least):
    """`compact_alive` of k listed candidates; returns how many are kept."""
    kept = 0
    for i in range(k):
        a = load_f32(products, 4 * i)
        store_f32(products, 4 * kept, a)
        store_i64(neurons, 8 * kept, load_i64(neurons, 8 * i))
        if a > np.float32(0) and a >= least:
            kept += 1
    return kept


@njit(**KERNEL)
def compact_positive(acts, ups, neurons, k):
    """Of k neurons keep those whose up product is positive too; returns how many."""
    kept = 0
    for i in range(k):
        u = load_f32(ups, 4 * i)
        store_f32(acts, 4 * kept, load_f32(acts, 4 * i))
        store_f32(ups, 4 * kept, u)
        store_i64(neurons, 8 * kept, load_i64(neurons, 8 * i))
        if u > np.float32(0):
            kept += 1
    return kept


@njit(**PART)
def list_all(neurons, first, last):
    for i in range(last - first):
        store_i64(neurons, 8 * i, first + i)
    return last - first


@njit(**PART)
def silu_of_listed(acts, ups, k):
    """acts[:k] = silu(acts) * ups; what follows belongs to others and is left alone."""
    whole = k // 8 * 8
    silu_times(acts, ups, acts, whole)
    if whole < k:
        rest = scratch_64()
        for i in range(k - whole):
            store_f32(rest, 4 * i, load_f32(acts, 4 * (whole + i)))
            store_f32(rest, 32 + 4 * i, load_f32(ups, 4 * (whole + i)))
        for i in range(k - whole, 8):
            store_f32(rest, 4 * i, np.float32(0))
            store_f32(rest, 32 + 4 * i, np.float32(0))
        silu_times(rest, rest + 32, rest, 8)
        for i in range(k - whole):
            store_f32(acts, 4 * (whole + i), load_f32(rest, 4 * i))


@njit(**PART)
def finish_acts(acts, ups, k, activation, gated):
    """acts[:k] = activation(acts) * ups of k neurons; without a gate ups are not read."""
    if activation == SILU and gated:
        silu_of_listed(acts, ups, k)
    elif gated:
        for i in range(0, 4 * k, 4):
            a = load_f32(acts, i)
            store_f32(acts, i, (a * a if activation == RELU2 else a) * load_f32(ups, i))
    elif activation == RELU2:
        for i in range(0, 4 * k, 4):
            store_f32(acts, i, load_f32(acts, i) * load_f32(acts, i))


@njit(**PART)
def note_fired(slots, sizes, shared, t, layer, neurons, k):
    """Mark k listed neurons of token t as active, where somebody wants to know."""
    if shared[FIRED] != 0:
        fired = shared[FIRED] + (t * sizes[LAYERS] + layer) * sizes[NEURON_SLOTS] + slots[FIRST_NEURON]
        for i in range(k):
            store_s8(fired, load_i64(neurons, 8 * i), np.int8(1))


@njit(**PART)
def alive_neurons(kind, slots, sizes, shared, mine, share, layer, tokens):
    """The first product of a share's neurons, or of those the predictor names; the survivors are listed.

    They stand at the share's first neuron in ACTS and NEURON_LIST; counts get the candidates and how many are alive.
    """
    n_shares, activation, n = sizes[SHARES], sizes[ACTIVATION], sizes[N_FFN_FIRST]
    first, last = neuron_begin(slots[NEURONS], share, n_shares), neuron_begin(slots[NEURONS], share + 1, n_shares)
    rows, stride, bias, slot_bytes = slots[FIRST], sizes[FIRST_STRIDE], slots[FIRST_BIAS], 4 * sizes[NEURON_SLOTS]
    least = load_f32(slots[LEAST], 0)
    if slots[PREDICTOR] == NO_PREDICTOR:
        product(kind, rows, stride, mine, shared[ACTS], slot_bytes, bias, first, last, n, sizes, tokens)
    for t in range(tokens):
        acts = shared[ACTS] + t * slot_bytes + 4 * first
        neurons = shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * first
        counts = counts_of(shared, sizes, t, layer, share)
        if slots[PREDICTOR] != NO_PREDICTOR:
            k = list_candidates(acts, neurons, first, last)
            store_i64(counts, CANDIDATES, k)
            quantised, unit = mine[QUANTISED] + t * sizes[QUANTISED_BYTES], load_f32(mine[UNITS], 4 * t)
            matvec_listed(kind, rows, stride, neurons, quantised, acts, k, n, unit)
            add_listed_bias(acts, bias, neurons, k)
            if activation != SILU:
                k = keep_alive(acts, neurons, k, least)
        else:
            store_i64(counts, CANDIDATES, last - first)
            if activation == SILU:
                k = list_all(neurons, first, last)
            else:
                k = compact_alive(acts, neurons, first, last, least)
        store_i64(counts, EXAMINED, k)
        store_i64(counts, ACTIVE, 0)


@njit(**PART)
def counts_of(shared, sizes, t, layer, share):
    return shared[COUNTS] + 8 * COUNTED * ((t * sizes[LAYERS] + layer) * sizes[SHARES] + share)


@njit(**PART)
def alive_in_layer(sizes, shared, t, layer):
    """How many neurons are alive for token t, and in the share that has most of them."""
    counts, total, most = counts_of(shared, sizes, t, layer, 0), 0, 0
    for share in range(sizes[SHARES]):
        k = load_i64(counts, 8 * COUNTED * share + EXAMINED)
        total, most = total + k, max(most, k)
    return total, most


@njit(**PART)
def contribute(kind, slots, sizes, shared, mine, t, layer, at, k, y, counts, since):
    """y += the contribution of k listed neurons of token t from list position `at` on; returns now."""
    slot_bytes, cycles = 4 * sizes[NEURON_SLOTS], mine[CYCLES]
    acts, ups = shared[ACTS] + t * slot_bytes + 4 * at, shared[UPS] + t * slot_bytes + 4 * at
    neurons = shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * at
    activation, gated, n = sizes[ACTIVATION], sizes[IS_GATED], sizes[N_FFN_REST]
    if gated and k > 0:
        quantised, unit = mine[QUANTISED] + t * sizes[QUANTISED_BYTES], load_f32(mine[UNITS], 4 * t)
        matvec_listed(kind, slots[UP], sizes[UP_STRIDE], neurons, quantised, ups, k, n, unit)
        add_listed_bias(ups, slots[UP_BIAS], neurons, k)
        if activation == DRELU:
            k = compact_positive(acts, ups, neurons, k)
    finish_acts(acts, ups, k, activation, gated)
    note_fired(slots, sizes, shared, t, layer, neurons, k)
    store_i64(counts, ACTIVE, load_i64(counts, ACTIVE) + k)
    since = spent(cycles, IN_UP, since)
    if k > 0:
        accumulate_down(kind, slots[DOWN], sizes[DOWN_STRIDE], neurons, acts, y, k, sizes[N_DOWN])
    return spent(cycles, IN_DOWN, since)


@njit(**PART)
def contribute_densely(kind, slots, sizes, shared, mine, share, layer, tokens, since):
    """As `contribute`, for tokens that leave most neurons alive: a share's rows are read once for all of them."""
    slot_bytes, n_shares, sums = 4 * sizes[NEURON_SLOTS], sizes[SHARES], 4 * sizes[WIDTH_PADDED]
    first, last = neuron_begin(slots[NEURONS], share, n_shares), neuron_begin(slots[NEURONS], share + 1, n_shares)
    activation, gated = sizes[ACTIVATION], sizes[IS_GATED]
    if gated:
        product(
            kind, slots[UP], sizes[UP_STRIDE], mine, shared[UPS], slot_bytes, slots[UP_BIAS], first, last,
            sizes[N_FFN_REST], sizes, tokens,
        )  # fmt: skip
    for t in range(tokens):
        acts, ups = shared[ACTS] + t * slot_bytes + 4 * first, shared[UPS] + t * slot_bytes + 4 * first
        neurons, counts = (
            shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * first,
            counts_of(shared, sizes, t, layer, share),
        )
        k = load_i64(counts, EXAMINED)
        if gated and k < last - first:
            for i in range(k):
                store_f32(ups, 4 * i, load_f32(ups, 4 * (load_i64(neurons, 8 * i) - first)))
        if gated and activation == DRELU:
            k = compact_positive(acts, ups, neurons, k)
        finish_acts(acts, ups, k, activation, gated)
        note_fired(slots, sizes, shared, t, layer, neurons, k)
        store_i64(counts, ACTIVE, k)
    since = spent(mine[CYCLES], IN_UP, since)
    block = BLOCK_NEURONS if tokens > 1 else max(1, last - first)  # a share may have no neurons
    for begin in range(0, last - first, block):
        for t in range(tokens):
            k = min(load_i64(counts_of(shared, sizes, t, layer, share), ACTIVE) - begin, block)
            if k > 0:
                accumulate_down(
                    kind, slots[DOWN], sizes[DOWN_STRIDE],
                    shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * (first + begin),
                    shared[ACTS] + t * slot_bytes + 4 * (first + begin),
                    shared[PARTIALS] + sums * (n_shares * t + share), k, sizes[N_DOWN],
                )  # fmt: skip
    return spent(mine[CYCLES], IN_DOWN, since)


@njit(**PART)
def share_out(kind, slots, sizes, shared, mine, t, share, layer, y, since):
    """Share `share`'s part of the neurons left alive in the whole layer for token t; returns now."""
    n_shares, n, counts = sizes[SHARES], slots[NEURONS], counts_of(shared, sizes, t, layer, 0)
    total, most = alive_in_layer(sizes, shared, t, layer)
    own = counts + 8 * COUNTED * share
    if total > DENSE_ABOVE * n or most * n_shares < total + total * UNEVEN:
        at = neuron_begin(n, share, n_shares)
        return contribute(kind, slots, sizes, shared, mine, t, layer, at, load_i64(own, EXAMINED), y, own, since)
    begin, end, passed = total * share // n_shares, total * (share + 1) // n_shares, 0
    for s in range(n_shares):
        k = load_i64(counts, 8 * COUNTED * s + EXAMINED)
        a, b = max(begin, passed), min(end, passed + k)
        if a < b:
            at = neuron_begin(n, s, n_shares) + a - passed
            since = contribute(kind, slots, sizes, shared, mine, t, layer, at, b - a, y, own, since)
        passed += k
    return since


@njit(**PART)
def finish_feed_forward(kind, slots, sizes, shared, mine, share, layer, tokens, since):
    """A share's part of the layer's feed-forward, of all tokens, into its accumulators; returns now."""
    n_shares, sums, dense = sizes[SHARES], 4 * sizes[WIDTH_PADDED], True
    for t in range(tokens):
        own_sum = shared[PARTIALS] + sums * (n_shares * t + share)
        for i in range(0, sums, 32):
            store_f8(own_sum, i, zero_f8())
        total, _ = alive_in_layer(sizes, shared, t, layer)
        dense = dense and total > DENSE_ABOVE * slots[NEURONS]
    if dense:
        return contribute_densely(kind, slots, sizes, shared, mine, share, layer, tokens, since)
    for t in range(tokens):
        own_sum = shared[PARTIALS] + sums * (n_shares * t + share)
        since = share_out(kind, slots, sizes, shared, mine, t, share, layer, own_sum, since)
    return since
