"""The feed-forward of a decode step: which neurons live, and what those add to the stream.

Exact without a predictor and a cut: the first product of all neurons, then only those that the activation left alive.
A predictor's candidates stand in place of all; a cut raises what keeps a neuron alive. What is left is divided anew
where the shares are uneven, and each share adds its neurons' down rows into an accumulator of its own.

Several tokens share the reading of a neuron's rows, whichever sequences they are of: all take their neurons out of one
block of rows before any goes on to the next, so that a row that some of them want comes from memory once. What each
token's products and sums are made of, and in which order, does not change with that, nor do their bits.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import silu_times
from engine.kernels.cpu.kinds import DRELU, KERNEL, PART, RELU2, SILU
from engine.kernels.cpu.phases import add_listed_bias, neuron_begin, product, spent
from engine.kernels.cpu.predict import list_candidates
from engine.kernels.cpu.rows import accumulate_down, matvec_listed, matvec_tokens, takes_two
from engine.kernels.cpu.tables import (
    ACTIVATION,
    ACTIVE,
    ACTS,
    BLOCK_PRODUCTS,
    CANDIDATES,
    COUNTED,
    COUNTS,
    CYCLES,
    DOWN,
    DOWN_BLOCK,
    DOWN_STRIDE,
    EXAMINED,
    FETCH_AHEAD,
    FIRED,
    FIRST,
    FIRST_BIAS,
    FIRST_BLOCK,
    FIRST_NEURON,
    FIRST_STRIDE,
    FIRST_TOKEN,
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
    NO_BIAS,
    NO_PREDICTOR,
    NOTHING,
    ONE_TOKEN,
    PARTIALS,
    PREDICTOR,
    QUANTISED,
    QUANTISED_BYTES,
    RUN_BYTES,
    RUN_END,
    RUN_FIRST,
    RUN_NEXT,
    RUN_TAKEN,
    RUN_TOKEN,
    RUNS,
    SHARES,
    UNITS,
    UP,
    UP_BIAS,
    UP_BLOCK,
    UP_STRIDE,
    UPS,
    WIDTH_PADDED,
)
from engine.kernels.cpu.vectors import (
    load_f32,
    load_i64,
    scratch_64,
    store_f8,
    store_f32,
    store_i64,
    store_s8,
    zero_f8,
)

_EIGHT = np.int64(8)
# Above this share of active neurons a dense product beats a list (measured in the project's CPU study).
DENSE_ABOVE = 0.55
# The same for several tokens, of all their products with a block of rows: where two tokens are multiplied at once, and
# where each is by itself, which of many makes the list the better for longer (measured in docs/optimisation-log.md).
DENSE_IN_PAIRS, DENSE_OF_FEW, DENSE_OF_MANY, FEW_TOKENS = 0.45, 0.55, 0.8, 4
# Neurons of a token that the products, and the accumulation of down rows, take at once: lists are cut at multiples.
PRODUCTS_AT_ONCE, SUMMED_AT_ONCE = np.int64(4), np.int64(16)
# Shares whose counts differ from the mean by more are divided anew.
UNEVEN = 0.05


@njit(**KERNEL)
def compact_alive(products, neurons, first, last, least):
    """Move the products that are positive, and `least` at least, to the front and list their rows; returns how many.

    products and neurons are those of row `first` on. What is no number stays, to be noticed in what comes of it.
    """
    k = 0
    for i in range(last - first):
        a = load_f32(products, 4 * i)
        store_f32(products, 4 * k, a)
        store_i64(neurons, 8 * k, first + i)
        if not (a <= np.float32(0) or a < least):
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
        if not (a <= np.float32(0) or a < least):
            kept += 1
    return kept


@njit(**KERNEL)
def compact_positive(acts, ups, neurons, k):
    """Of k neurons keep those whose up product is positive too, or no number; returns how many."""
    kept = 0
    for i in range(k):
        u = load_f32(ups, 4 * i)
        store_f32(acts, 4 * kept, load_f32(acts, 4 * i))
        store_f32(ups, 4 * kept, u)
        store_i64(neurons, 8 * kept, load_i64(neurons, 8 * i))
        if not u <= np.float32(0):
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
        silu_times(rest, rest + 32, rest, _EIGHT)
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
    else:
        n_runs = NOTHING
        for t in range(tokens):
            acts = shared[ACTS] + t * slot_bytes + 4 * first
            k = list_candidates(acts, shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * first, first, last)
            store_i64(counts_of(shared, sizes, t, layer, share), CANDIDATES, k)
            n_runs = add_run(mine, n_runs, t, first, k)
        multiply_listed(
            kind, rows, stride, shared[ACTS], n, sizes[FIRST_BLOCK], slots, sizes, shared, mine, n_runs, tokens
        )
    for t in range(tokens):
        acts = shared[ACTS] + t * slot_bytes + 4 * first
        neurons = shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * first
        counts = counts_of(shared, sizes, t, layer, share)
        if slots[PREDICTOR] != NO_PREDICTOR:
            k = load_i64(counts, CANDIDATES)
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
    counts, total, most = counts_of(shared, sizes, t, layer, NOTHING), 0, 0
    for share in range(sizes[SHARES]):
        k = load_i64(counts, 8 * COUNTED * share + EXAMINED)
        total, most = total + k, max(most, k)
    return total, most


# Runs of listed neurons, which a thread multiplies block by block ---------------------------------------------------


@njit(**PART)
def add_run(mine, n_runs, t, first, k):
    """Note k neurons from position `first` of token t's list on, unless there are none; returns how many runs there
    are."""
    if k == 0:
        return n_runs
    run = mine[RUNS] + RUN_BYTES * n_runs
    store_i64(run, RUN_TOKEN, t)
    store_i64(run, RUN_FIRST, first)
    store_i64(run, RUN_NEXT, first)
    store_i64(run, RUN_END, first + k)
    return n_runs + 1


@njit(**PART)
def take(run, neurons, until, n, at_once):
    """Move a run's next past its neurons below `until`, `at_once` at a time; returns how many. With `until` n, all."""
    begin, end = load_i64(run, RUN_NEXT), load_i64(run, RUN_END)
    at = end
    if until < n:
        at = begin
        while at < end and load_i64(neurons, 8 * at) < until:
            at += 1
        if at < end:
            at -= (at - begin) % at_once
    store_i64(run, RUN_NEXT, at)
    return at - begin


@njit(**PART)
def dense_from(kind, tokens):
    """The share of the products of several tokens with a block of rows from which on it is faster to compute all."""
    if takes_two(kind):
        return DENSE_IN_PAIRS
    return DENSE_OF_FEW if tokens <= FEW_TOKENS else DENSE_OF_MANY


@njit(**PART)
def take_block(sizes, shared, mine, n_runs, until, n):
    """`take` for each run of products; returns how many neurons that were."""
    taken = 0
    for r in range(n_runs):
        run = mine[RUNS] + RUN_BYTES * r
        neurons = shared[NEURON_LIST] + 8 * load_i64(run, RUN_TOKEN) * sizes[NEURON_SLOTS]
        k = take(run, neurons, until, n, PRODUCTS_AT_ONCE)
        store_i64(run, RUN_TAKEN, k)
        taken += k
    return taken


@njit(**PART)
def pick(out, products, neurons, at, end, first):
    """out[i] = the product of the i-th listed neuron, out of those of a block of rows; returns how many were before it.

    Those, a few that an earlier block left over, stand at the beginning and are left to be multiplied.
    """
    begin = at
    while at < end and load_i64(neurons, 8 * at) < first:
        at += 1
    for i in range(at, end):
        store_f32(out, 4 * i, load_f32(products, 4 * (load_i64(neurons, 8 * i) - first)))
    return at - begin


@njit(**PART)
def multiply_listed(kind, rows, stride, products, n, block, slots, sizes, shared, mine, n_runs, tokens):
    """The products of all neurons in the runs, at their positions in the tokens' lists, without bias."""
    slot_bytes, n_neurons = 4 * sizes[NEURON_SLOTS], slots[NEURONS]
    block = block if tokens > 1 else max(1, n_neurons)
    for first in range(0, n_neurons, block):
        last = min(first + block, n_neurons)
        taken = take_block(sizes, shared, mine, n_runs, last, n_neurons)
        dense = tokens > 1 and taken > dense_from(kind, tokens) * (last - first) * tokens
        if dense:
            matvec_tokens(
                kind, rows, stride, mine[QUANTISED], sizes[QUANTISED_BYTES], mine[BLOCK_PRODUCTS] - 4 * first,
                4 * block, mine[UNITS], tokens, first, last, n, sizes[FETCH_AHEAD],
            )  # fmt: skip
        for r in range(n_runs):
            run = mine[RUNS] + RUN_BYTES * r
            t, k = load_i64(run, RUN_TOKEN), load_i64(run, RUN_TAKEN)
            at, neurons = load_i64(run, RUN_NEXT) - k, shared[NEURON_LIST] + 2 * t * slot_bytes
            out = products + t * slot_bytes
            if dense:
                k = pick(out, mine[BLOCK_PRODUCTS] + 4 * block * t, neurons, at, at + k, first)
            if k > 0:
                matvec_listed(
                    kind, rows, stride, neurons + 8 * at, mine[QUANTISED] + t * sizes[QUANTISED_BYTES], out + 4 * at,
                    k, n, load_f32(mine[UNITS], 4 * t),
                )  # fmt: skip


@njit(**PART)
def add_down(kind, slots, sizes, shared, mine, share, n_runs, tokens):
    """Add what the neurons in the runs contribute to their tokens' accumulators of a share."""
    slot_bytes, sums, n_neurons = 4 * sizes[NEURON_SLOTS], 4 * sizes[WIDTH_PADDED], slots[NEURONS]
    block = sizes[DOWN_BLOCK] if tokens > 1 else max(1, n_neurons)
    for until in range(block, n_neurons + block, block):
        for r in range(n_runs):
            run = mine[RUNS] + RUN_BYTES * r
            t, at = load_i64(run, RUN_TOKEN), load_i64(run, RUN_NEXT)
            neurons = shared[NEURON_LIST] + 2 * t * slot_bytes
            k = take(run, neurons, until, n_neurons, SUMMED_AT_ONCE)
            if k > 0:
                accumulate_down(
                    kind, slots[DOWN], sizes[DOWN_STRIDE], neurons + 8 * at, shared[ACTS] + t * slot_bytes + 4 * at,
                    shared[PARTIALS] + sums * (sizes[SHARES] * t + share), k, sizes[N_DOWN],
                )  # fmt: skip


# The rest of the feed-forward ---------------------------------------------------------------------------------------


@njit(**PART)
def divide_alive(slots, sizes, shared, mine, share, layer, tokens):
    """Make runs of the neurons left alive that are a share's to finish, token by token; returns how many runs.

    These are its own, or where the shares are uneven its part of all that are alive in the layer.
    """
    n_shares, n, n_runs = sizes[SHARES], slots[NEURONS], NOTHING
    for t in range(tokens):
        counts = counts_of(shared, sizes, t, layer, NOTHING)
        total, most = alive_in_layer(sizes, shared, t, layer)
        if total > DENSE_ABOVE * n or most * n_shares < total + total * UNEVEN:
            own = load_i64(counts, 8 * COUNTED * share + EXAMINED)
            n_runs = add_run(mine, n_runs, t, neuron_begin(n, share, n_shares), own)
            continue
        begin, end, passed = total * share // n_shares, total * (share + 1) // n_shares, 0
        for s in range(n_shares):
            k = load_i64(counts, 8 * COUNTED * s + EXAMINED)
            a, b = max(begin, passed), min(end, passed + k)
            if a < b:
                n_runs = add_run(mine, n_runs, t, neuron_begin(n, s, n_shares) + a - passed, b - a)
            passed += k
    return n_runs


@njit(**PART)
def multiply_densely(kind, slots, sizes, shared, mine, share, n_runs):
    """The second products, with bias, of a share's neurons and one token; those in its run go to their positions."""
    n_shares, ups, neurons = sizes[SHARES], shared[UPS], shared[NEURON_LIST]
    first, last = neuron_begin(slots[NEURONS], share, n_shares), neuron_begin(slots[NEURONS], share + 1, n_shares)
    product(
        kind, slots[UP], sizes[UP_STRIDE], mine, ups, NOTHING, slots[UP_BIAS], first, last, sizes[N_FFN_REST], sizes,
        ONE_TOKEN,
    )  # fmt: skip
    if n_runs > 0 and load_i64(mine[RUNS], RUN_END) < last:
        for i in range(first, load_i64(mine[RUNS], RUN_END)):
            store_f32(ups, 4 * i, load_f32(ups, 4 * load_i64(neurons, 8 * i)))


@njit(**PART)
def finish_runs(slots, sizes, shared, mine, share, layer, n_runs, up_bias):
    """From first and second products to what each neuron's down row is multiplied by; those not active are left out."""
    slot_bytes, activation, gated = 4 * sizes[NEURON_SLOTS], sizes[ACTIVATION], sizes[IS_GATED]
    for r in range(n_runs):
        run = mine[RUNS] + RUN_BYTES * r
        t, first = load_i64(run, RUN_TOKEN), load_i64(run, RUN_FIRST)
        k = load_i64(run, RUN_END) - first
        acts, ups = shared[ACTS] + t * slot_bytes + 4 * first, shared[UPS] + t * slot_bytes + 4 * first
        neurons = shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * first
        if gated:
            add_listed_bias(ups, up_bias, neurons, k)
            if activation == DRELU:
                k = compact_positive(acts, ups, neurons, k)
        finish_acts(acts, ups, k, activation, gated)
        note_fired(slots, sizes, shared, t, layer, neurons, k)
        counts = counts_of(shared, sizes, t, layer, share)
        store_i64(counts, ACTIVE, load_i64(counts, ACTIVE) + k)
        store_i64(run, RUN_NEXT, first)
        store_i64(run, RUN_END, first + k)


@njit(**PART)
def finish_feed_forward(kind, slots, sizes, shared, mine, share, layer, tokens, since):
    """A share's part of the layer's feed-forward, of all tokens, into its accumulators; returns now."""
    n_shares, sums = sizes[SHARES], 4 * sizes[WIDTH_PADDED]
    for t in range(tokens):
        own_sum = shared[PARTIALS] + sums * (n_shares * t + share)
        for i in range(0, sums, 32):
            store_f8(own_sum, i, zero_f8())
    n_runs, up_bias = divide_alive(slots, sizes, shared, mine, share, layer, tokens), slots[UP_BIAS]
    total, _ = alive_in_layer(sizes, shared, FIRST_TOKEN, layer)
    if sizes[IS_GATED] and tokens == 1 and total > DENSE_ABOVE * slots[NEURONS]:
        multiply_densely(kind, slots, sizes, shared, mine, share, n_runs)
        up_bias = NO_BIAS
    elif sizes[IS_GATED]:
        multiply_listed(
            kind, slots[UP], sizes[UP_STRIDE], shared[UPS], sizes[N_FFN_REST], sizes[UP_BLOCK], slots, sizes, shared,
            mine, n_runs, tokens,
        )  # fmt: skip
    finish_runs(slots, sizes, shared, mine, share, layer, n_runs, up_bias)
    since = spent(mine[CYCLES], IN_UP, since)
    add_down(kind, slots, sizes, shared, mine, share, n_runs, tokens)
    return spent(mine[CYCLES], IN_DOWN, since)
