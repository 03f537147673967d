"""One token through the whole model, as one compiled function that each worker thread runs for its shares.

Rows, heads and neurons are split statically into shares; a thread takes the shares whose numbers are its own plus
multiples of the number of threads, and all meet at spin barriers, six or seven a layer; nothing here takes the GIL or
allocates. The order inside a layer is the transformer's: norm, QKV, rotate and append, attend, project, norm,
feed-forward, sum. The feed-forward is exact: the first product of all neurons, then only those the activation left
alive; with a predictor, the first product of the neurons it names. What is left alive is divided anew where the shares
are uneven. Each share adds its neurons' down rows into an accumulator of its own, and the accumulators are added in the
order of the shares, so that a result depends on the number of shares, but neither on the number of threads nor on
their timing.

What families differ in is in `sizes` and in addresses that may be 0: no bias, no norm before the first layer, no gate.
With post-norm each norm of the table stands before the part that follows it, and a part is added to its normed input
instead of to the stream.

Everything is passed by address in int64 tables whose columns are the constants below; `runtime/decoder.py` fills them
and keeps the memory alive.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import norm, quantise, rope, silu_times
from engine.kernels.cpu.attention import append_cached, attend
from engine.kernels.cpu.kinds import DRELU, FATRELU, KERNEL, PART, RELU2, SILU, same_kind
from engine.kernels.cpu.rows import accumulate_down, matvec, matvec_listed
from engine.kernels.cpu.vectors import (
    add_f8,
    atomic_add,
    atomic_load,
    atomic_store,
    cycle_count,
    load_f8,
    load_f32,
    load_i64,
    spin_pause,
    store_f8,
    store_f32,
    store_i64,
    yield_thread,
    zero_f8,
)

# Columns of a layer's row in `layers` (addresses; biases, norms, scales and predictors may be 0).
(
    ATTENTION_NORM, ATTENTION_NORM_BIAS, QKV, QKV_BIAS, OUT, OUT_BIAS, FFN_NORM, FFN_NORM_BIAS, FIRST, FIRST_BIAS, UP,
    DOWN, DOWN_BIAS, KEYS, VALUES, KEY_SCALES, VALUE_SCALES, PREDICTOR_IN, PREDICTOR_OUT, PREDICTOR_BIAS, N_LAYER_SLOTS,
) = range(21)  # fmt: skip

# Columns of `sizes`: the model's shape, padded lengths (values), strides (bytes) and choices.
(
    WIDTH, WIDTH_PADDED, NEURONS, LAYERS, HEADS, KEY_HEADS, HEAD_WIDTH, HEAD_PADDED, ROTARY_WIDTH, WINDOW, VOCABULARY,
    MAX_POSITIONS, QKV_STRIDE, OUT_STRIDE, FIRST_STRIDE, UP_STRIDE, DOWN_STRIDE, HEAD_STRIDE, N_ATTENTION_IN,
    N_ATTENTION_OUT, N_FFN_FIRST, N_FFN_REST, N_DOWN, N_HEAD_IN, ACTIVATION, IS_GATED, RESIDUAL, CACHE_BYTES, RANK,
    N_RANK, PREDICTOR_IN_STRIDE, PREDICTOR_OUT_STRIDE, SHARES, FETCH_AHEAD, N_SIZES,
) = range(35)  # fmt: skip

# Columns of `shared` (addresses of buffers all threads see).
(
    X, QKV_OUT, ATTENDED, PROJECTED, PARTIALS, LOGITS, ROPE_TABLE, FINAL_NORM, FINAL_NORM_BIAS, HEAD_ROWS, BARRIER,
    STOP, COUNTS, PREDICTED, ACTS, UPS, NEURON_LIST, N_SHARED,
) = range(18)  # fmt: skip

# Columns of a thread's row in `private` (addresses).
NORMED, QUANTISED, PREDICTION, SCORES, QUERY, HEAD_OUT, READY, CYCLES, N_PRIVATE = range(9)

# What a layer's counts hold, for each share: neurons whose first product was computed, that the activation left alive,
# and that are active after the second product.
COUNTED, CANDIDATES, EXAMINED, ACTIVE = 3, 0, 8, 16

# Phases of a step, by which its processor cycles are kept.
PHASES = ("qkv", "attention", "out", "predictor", "first", "up", "down", "sum", "head", "waiting")
(
    IN_QKV, IN_ATTENTION, IN_OUT, IN_PREDICTOR, IN_FIRST, IN_UP, IN_DOWN, IN_SUM, IN_HEAD, IN_WAITING,
) = range(0, 80, 8)  # fmt: skip

SEQUENTIAL, PARALLEL, POST = range(3)
# Above this share of active neurons a dense product beats a list (measured in the project's CPU study).
DENSE_ABOVE = 0.55
# Shares whose counts differ from the mean by more are divided anew.
UNEVEN = 0.05
SPINS_BEFORE_YIELD = 2000
# Byte offsets inside the barrier's memory: arrivals, generation, the stop decision; each on a cache line of its own.
_ARRIVED, _GENERATION, _STOPPING = 0, 128, 256


@njit(**KERNEL)
def meet(barrier, n_threads, generation):
    """Wait until all threads have come here `generation` times."""
    if atomic_add(barrier, _ARRIVED, 1) == n_threads * generation - 1:
        atomic_store(barrier, _GENERATION, generation)
    else:
        spins = 0
        while atomic_load(barrier, _GENERATION) < generation:
            spin_pause()
            spins += 1
            if spins > SPINS_BEFORE_YIELD:
                yield_thread()


@njit(**PART)
def add_bias(y, bias, first, last):
    """y[first:last] += bias[first:last], unless there is none (address 0)."""
    if bias != 0:
        for i in range(4 * first, 4 * last, 4):
            store_f32(y, i, load_f32(y, i) + load_f32(bias, i))


@njit(**KERNEL)
def spent(cycles, phase, since):
    """Add the cycles since `since` to a phase; returns now."""
    now = cycle_count()
    store_i64(cycles, phase, load_i64(cycles, phase) + now - since)
    return now


@njit(**KERNEL)
def compact_alive(products, neurons, first, last, activation, threshold):
    """Move the products the activation leaves alive to the front and list their row numbers; returns how many.

    products and neurons are those of row `first` on.
    """
    k = 0
    for i in range(last - first):
        a = load_f32(products, 4 * i)
        store_f32(products, 4 * k, a)
        store_i64(neurons, 8 * k, first + i)
        if (activation == FATRELU and a >= threshold) or (activation != FATRELU and a > np.float32(0)):
            k += 1
    return k


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
def list_candidates(scores, neurons, first, last):
    """List the rows from `first` on whose predicted score is positive; returns how many."""
    k = 0
    for i in range(last - first):
        store_i64(neurons, 8 * k, first + i)
        if load_f32(scores, 4 * i) > np.float32(0):
            k += 1
    return k


@njit(**PART)
def keep_alive(products, neurons, bias, k, activation, threshold):
    """Of k listed candidates keep those the activation leaves alive; returns how many."""
    kept = 0
    for i in range(k):
        neuron = load_i64(neurons, 8 * i)
        a = load_f32(products, 4 * i)
        if bias != 0:
            a += load_f32(bias, 4 * neuron)
        store_f32(products, 4 * kept, a)
        store_i64(neurons, 8 * kept, neuron)
        if (activation == FATRELU and a >= threshold) or (activation != FATRELU and a > np.float32(0)):
            kept += 1
    return kept


@njit(**PART)
def list_all(neurons, first, last):
    for i in range(last - first):
        store_i64(neurons, 8 * i, first + i)
    return last - first


@njit(**PART)
def finish_acts(acts, ups, k, activation, gated):
    """acts[:k] = activation(acts) * ups of k neurons; without a gate ups are not read."""
    if activation == SILU and gated:
        silu_times(acts, ups, acts, k)
    elif gated:
        for i in range(0, 4 * k, 4):
            a = load_f32(acts, i)
            store_f32(acts, i, (a * a if activation == RELU2 else a) * load_f32(ups, i))
    elif activation == RELU2:
        for i in range(0, 4 * k, 4):
            store_f32(acts, i, load_f32(acts, i) * load_f32(acts, i))


@njit(**PART)
def begin_of(n, share, n_shares):
    return n * share // n_shares


@njit(**PART)
def neuron_begin(n, share, n_shares):
    """Shares of neurons begin at multiples of 16: what is computed in whole vectors must not reach into the next."""
    return min(n, (n + 15) // 16 * share // n_shares * 16)


@njit(**PART)
def alive_neurons(
    kind, slots, sizes, shared, threshold, first, last, quantised, unit, predicted, predicted_unit, counts
):
    """The first product of a share's neurons, or of those the predictor names; the survivors are listed at `first`.

    counts: three int64, of which this sets the candidates and how many are alive.
    """
    acts, neurons = shared[ACTS] + 4 * first, shared[NEURON_LIST] + 8 * first
    activation, n, bias = sizes[ACTIVATION], sizes[N_FFN_FIRST], slots[FIRST_BIAS]
    rows, stride = slots[FIRST], sizes[FIRST_STRIDE]
    if predicted != 0:
        matvec(
            kind, slots[PREDICTOR_OUT], sizes[PREDICTOR_OUT_STRIDE], predicted, shared[ACTS], first, last,
            sizes[N_RANK], predicted_unit, sizes[FETCH_AHEAD],
        )  # fmt: skip
        add_bias(shared[ACTS], slots[PREDICTOR_BIAS], first, last)
        k = list_candidates(acts, neurons, first, last)
        store_i64(counts, CANDIDATES, k)
        matvec_listed(kind, rows, stride, neurons, quantised, acts, k, n, unit)
        k = keep_alive(acts, neurons, bias, k, activation, threshold)
    else:
        matvec(kind, rows, stride, quantised, shared[ACTS], first, last, n, unit, sizes[FETCH_AHEAD])
        add_bias(shared[ACTS], bias, first, last)
        store_i64(counts, CANDIDATES, last - first)
        if activation == SILU:
            k = list_all(neurons, first, last)
        else:
            k = compact_alive(acts, neurons, first, last, activation, threshold)
    store_i64(counts, EXAMINED, k)
    store_i64(counts, ACTIVE, 0)


@njit(**KERNEL)
def contribute(kind, slots, sizes, shared, quantised, unit, at, k, dense_first, dense_last, y, counts, cycles, since):
    """y += the contribution of k listed neurons from list position `at` on; returns now.

    With dense_last > 0 the up products of all rows from dense_first to dense_last are taken, among which the k are.
    """
    acts, ups, neurons = shared[ACTS] + 4 * at, shared[UPS] + 4 * at, shared[NEURON_LIST] + 8 * at
    activation, gated, n = sizes[ACTIVATION], sizes[IS_GATED], sizes[N_FFN_REST]
    if gated:
        if dense_last > 0:
            matvec(
                kind,
                slots[UP],
                sizes[UP_STRIDE],
                quantised,
                ups - 4 * dense_first,
                dense_first,
                dense_last,
                n,
                unit,
                sizes[FETCH_AHEAD],
            )
            if k < dense_last - dense_first:
                for i in range(k):
                    store_f32(ups, 4 * i, load_f32(ups, 4 * (load_i64(neurons, 8 * i) - dense_first)))
        elif k > 0:
            matvec_listed(kind, slots[UP], sizes[UP_STRIDE], neurons, quantised, ups, k, n, unit)
        if activation == DRELU:
            k = compact_positive(acts, ups, neurons, k)
    finish_acts(acts, ups, k, activation, gated)
    store_i64(counts, ACTIVE, load_i64(counts, ACTIVE) + k)
    since = spent(cycles, IN_UP, since)
    if k > 0:
        accumulate_down(kind, slots[DOWN], sizes[DOWN_STRIDE], neurons, acts, y, k, sizes[N_DOWN])
    return spent(cycles, IN_DOWN, since)


@njit(**PART)
def share_out(kind, slots, sizes, shared, quantised, unit, share, counts, y, cycles, since):
    """Share `share`'s part of the neurons left alive in the whole layer, whose counts are at `counts`; returns now."""
    n_shares, n = sizes[SHARES], sizes[NEURONS]
    total, most = 0, 0
    for s in range(n_shares):
        k = load_i64(counts, 8 * COUNTED * s + EXAMINED)
        total, most = total + k, max(most, k)
    own = counts + 8 * COUNTED * share
    if total > DENSE_ABOVE * n or most * n_shares < total + total * UNEVEN:
        first, last = neuron_begin(n, share, n_shares), neuron_begin(n, share + 1, n_shares)
        k, dense_last = load_i64(own, EXAMINED), last if total > DENSE_ABOVE * n else 0
        return contribute(
            kind, slots, sizes, shared, quantised, unit, first, k, first, dense_last, y, own, cycles, since
        )
    begin, end, passed = total * share // n_shares, total * (share + 1) // n_shares, 0
    for s in range(n_shares):
        k = load_i64(counts, 8 * COUNTED * s + EXAMINED)
        a, b = max(begin, passed), min(end, passed + k)
        if a < b:
            at = neuron_begin(n, s, n_shares) + a - passed
            since = contribute(kind, slots, sizes, shared, quantised, unit, at, b - a, 0, 0, y, own, cycles, since)
        passed += k
    return since


@njit(**PART)
def append_head(cache_kind, slots, sizes, shared, mine, g, position):
    """Rotate and append the key and value of one key head."""
    e, ep = sizes[HEAD_WIDTH], sizes[HEAD_PADDED]
    cache, scales = g * sizes[MAX_POSITIONS] * ep * sizes[CACHE_BYTES], g * sizes[MAX_POSITIONS] * (ep >> 5) * 4
    key = shared[QKV_OUT] + 4 * (sizes[HEADS] + g) * e
    rope(key, mine[HEAD_OUT], shared[ROPE_TABLE], e, sizes[ROTARY_WIDTH])
    append_cached(cache_kind, mine[HEAD_OUT], slots[KEYS] + cache, slots[KEY_SCALES] + scales, position, ep)
    value = key + 4 * sizes[KEY_HEADS] * e
    for i in range(0, 4 * e, 4):
        store_f32(mine[HEAD_OUT], i, load_f32(value, i))
    append_cached(cache_kind, mine[HEAD_OUT], slots[VALUES] + cache, slots[VALUE_SCALES] + scales, position, ep)


@njit(**PART)
def attend_head(cache_kind, slots, sizes, shared, mine, h, position, scale):
    """Rotate the query of one head and attend; the result goes to its place in ATTENDED."""
    e, ep = sizes[HEAD_WIDTH], sizes[HEAD_PADDED]
    seen_from = max(0, position + 1 - sizes[WINDOW]) if sizes[WINDOW] else 0
    row = (h // (sizes[HEADS] // sizes[KEY_HEADS])) * sizes[MAX_POSITIONS] + seen_from
    cache, scales = row * ep * sizes[CACHE_BYTES], row * (ep >> 5) * 4
    rope(shared[QKV_OUT] + 4 * h * e, mine[QUERY], shared[ROPE_TABLE], e, sizes[ROTARY_WIDTH])
    attend(
        cache_kind, mine[QUERY], slots[KEYS] + cache, slots[KEY_SCALES] + scales, slots[VALUES] + cache,
        slots[VALUE_SCALES] + scales, mine[HEAD_OUT], mine[SCORES], mine[READY], position + 1 - seen_from, ep, scale,
    )  # fmt: skip
    for i in range(0, 4 * e, 4):
        store_f32(shared[ATTENDED], 4 * h * e + i, load_f32(mine[HEAD_OUT], i))
    for i in range(4 * e, 4 * ep, 4):
        store_f32(mine[HEAD_OUT], i, np.float32(0))


@njit(**KERNEL)
def decode_token(
    attention_kind, first_kind, rest_kind, head_kind, cache_kind,
    thread, n_threads, layers, sizes, shared, private, eps, scale, threshold, position, wants_logits,
):  # fmt: skip
    """Thread `thread`'s shares of one token at `position`: x (embedded by the caller) → logits.

    layers (n_layers, slots), sizes, shared, private (threads, columns): int64 tables as above. Counts of neurons are
    left at COUNTS, (n_layers, shares, COUNTED) int64. Returns 1 if the stop word made all threads leave early; x and
    the cache at `position` are then undefined.
    """
    mine = private[thread]
    x, barrier, cycles = shared[X], shared[BARRIER], mine[CYCLES]
    normed, quantised, prediction = mine[NORMED], mine[QUANTISED], mine[PREDICTION]
    width, padded, n_shares = sizes[WIDTH], sizes[WIDTH_PADDED], sizes[SHARES]
    heads, key_heads = sizes[HEADS], sizes[KEY_HEADS]
    n_qkv, residual = (heads + 2 * key_heads) * sizes[HEAD_WIDTH], sizes[RESIDUAL]
    heads_stay_together = key_heads % n_shares == 0
    met = 0
    now = cycle_count()
    for layer in range(sizes[LAYERS]):
        slots = layers[layer]
        counts = shared[COUNTS] + 8 * COUNTED * n_shares * layer
        norm(x, slots[ATTENTION_NORM], slots[ATTENTION_NORM_BIAS], normed, width, padded, eps)
        unit = quantise(attention_kind, normed, quantised, sizes[N_ATTENTION_IN])
        for share in range(thread, n_shares, n_threads):
            first, last = begin_of(n_qkv, share, n_shares), begin_of(n_qkv, share + 1, n_shares)
            matvec(
                attention_kind, slots[QKV], sizes[QKV_STRIDE], quantised, shared[QKV_OUT], first, last,
                sizes[N_ATTENTION_IN], unit, sizes[FETCH_AHEAD],
            )  # fmt: skip
            add_bias(shared[QKV_OUT], slots[QKV_BIAS], first, last)
        now = spent(cycles, IN_QKV, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        for share in range(thread, n_shares, n_threads):
            for g in range(begin_of(key_heads, share, n_shares), begin_of(key_heads, share + 1, n_shares)):
                append_head(cache_kind, slots, sizes, shared, mine, g, position)
        if not heads_stay_together:
            met += 1
            meet(barrier, n_threads, met)
        for share in range(thread, n_shares, n_threads):
            for h in range(begin_of(heads, share, n_shares), begin_of(heads, share + 1, n_shares)):
                attend_head(cache_kind, slots, sizes, shared, mine, h, position, scale)
        now = spent(cycles, IN_ATTENTION, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        unit = quantise(attention_kind, shared[ATTENDED], quantised, sizes[N_ATTENTION_OUT])
        base = normed if residual == POST else x
        for share in range(thread, n_shares, n_threads):
            first, last = begin_of(width, share, n_shares), begin_of(width, share + 1, n_shares)
            matvec(
                attention_kind, slots[OUT], sizes[OUT_STRIDE], quantised, shared[PROJECTED], first, last,
                sizes[N_ATTENTION_OUT], unit, sizes[FETCH_AHEAD],
            )  # fmt: skip
            add_bias(shared[PROJECTED], slots[OUT_BIAS], first, last)
            if residual != PARALLEL:
                for i in range(4 * first, 4 * last, 4):
                    store_f32(x, i, load_f32(base, i) + load_f32(shared[PROJECTED], i))
        now = spent(cycles, IN_OUT, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        norm(x, slots[FFN_NORM], slots[FFN_NORM_BIAS], normed, width, padded, eps)
        unit = quantise(first_kind, normed, quantised, sizes[N_FFN_FIRST])
        predicted, predicted_unit = 0, np.float32(0)
        if slots[PREDICTOR_IN] != 0:
            for share in range(thread, n_shares, n_threads):
                matvec(
                    first_kind, slots[PREDICTOR_IN], sizes[PREDICTOR_IN_STRIDE], quantised, shared[PREDICTED],
                    begin_of(sizes[RANK], share, n_shares), begin_of(sizes[RANK], share + 1, n_shares),
                    sizes[N_FFN_FIRST], unit, sizes[FETCH_AHEAD],
                )  # fmt: skip
            met += 1
            meet(barrier, n_threads, met)
            predicted, predicted_unit = prediction, quantise(first_kind, shared[PREDICTED], prediction, sizes[N_RANK])
            now = spent(cycles, IN_PREDICTOR, now)
        for share in range(thread, n_shares, n_threads):
            neuron_first = neuron_begin(sizes[NEURONS], share, n_shares)
            alive_neurons(
                first_kind, slots, sizes, shared, threshold, neuron_first,
                neuron_begin(sizes[NEURONS], share + 1, n_shares), quantised, unit, predicted, predicted_unit,
                counts + 8 * COUNTED * share,
            )  # fmt: skip
        now = spent(cycles, IN_FIRST, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        if not same_kind(first_kind, rest_kind):
            unit = quantise(rest_kind, normed, quantised, sizes[N_FFN_REST])
        for share in range(thread, n_shares, n_threads):
            own_sum = shared[PARTIALS] + 4 * padded * share
            for i in range(0, 4 * padded, 32):
                store_f8(own_sum, i, zero_f8())
            now = share_out(rest_kind, slots, sizes, shared, quantised, unit, share, counts, own_sum, cycles, now)
        if thread == 0:
            atomic_store(barrier, _STOPPING, atomic_load(shared[STOP], 0))
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        if atomic_load(barrier, _STOPPING) != 0:
            return 1
        base = normed if residual == POST else x
        for share in range(thread, n_shares, n_threads):
            first, last = begin_of(padded // 8, share, n_shares), begin_of(padded // 8, share + 1, n_shares)
            for i in range(32 * first, 32 * last, 32):
                v = load_f8(base, i)
                for s in range(n_shares):
                    v = add_f8(v, load_f8(shared[PARTIALS], 4 * padded * s + i))
                if slots[DOWN_BIAS] != 0:
                    v = add_f8(v, load_f8(slots[DOWN_BIAS], i))
                if residual == PARALLEL:
                    v = add_f8(v, load_f8(shared[PROJECTED], i))
                store_f8(x, i, v)
        now = spent(cycles, IN_SUM, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)
    if wants_logits:
        norm(x, shared[FINAL_NORM], shared[FINAL_NORM_BIAS], normed, width, padded, eps)
        unit = quantise(head_kind, normed, quantised, sizes[N_HEAD_IN])
        v = sizes[VOCABULARY]
        for share in range(thread, n_shares, n_threads):
            matvec(
                head_kind, shared[HEAD_ROWS], sizes[HEAD_STRIDE], quantised, shared[LOGITS],
                begin_of(v, share, n_shares), begin_of(v, share + 1, n_shares), sizes[N_HEAD_IN], unit,
                sizes[FETCH_AHEAD],
            )  # fmt: skip
        spent(cycles, IN_HEAD, now)
    return 0
