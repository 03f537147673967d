"""One token through the whole model, as one compiled function that each worker thread runs for its share.

Threads split rows, heads and neurons statically and meet at spin barriers, five a layer; nothing here takes the GIL or
allocates. The order inside a layer is the transformer's: norm, QKV, rotate and append, attend, project, norm,
feed-forward, sum. The feed-forward is exact: the first product of all neurons, then only those the activation left
alive; each thread adds its neurons' down rows into its own accumulator, and the accumulators are added in the order of
the threads, so a result depends on the number of threads but not on their timing.

What families differ in is in `sizes` and in addresses that may be 0: no bias, no norm before the first layer, no gate.
With post-norm each norm of the table stands before the part that follows it, and a part is added to its normed input
instead of to the stream.

Everything is passed by address in two int64 tables whose columns are the constants below; `runtime/decoder.py` fills
them and keeps the memory alive.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import norm, quantise, rope, silu_times
from engine.kernels.cpu.attention import append_cached, attend
from engine.kernels.cpu.kinds import KERNEL
from engine.kernels.cpu.rows import accumulate_down, matvec, matvec_listed
from engine.kernels.cpu.vectors import (
    add_f8,
    atomic_add,
    atomic_load,
    atomic_store,
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

# Columns of a layer's row in `layers` (addresses; biases and norms may be 0).
(
    ATTENTION_NORM, ATTENTION_NORM_BIAS, QKV, QKV_BIAS, OUT, OUT_BIAS, FFN_NORM, FFN_NORM_BIAS, FIRST, FIRST_BIAS, UP,
    DOWN, DOWN_BIAS, KEYS, VALUES, N_LAYER_SLOTS,
) = range(16)  # fmt: skip

# Columns of `sizes`: the model's shape, padded lengths (values), strides (bytes) and choices.
(
    WIDTH, WIDTH_PADDED, NEURONS, LAYERS, HEADS, KEY_HEADS, HEAD_WIDTH, HEAD_PADDED, ROTARY_WIDTH, WINDOW, VOCABULARY,
    MAX_POSITIONS, QKV_STRIDE, OUT_STRIDE, FIRST_STRIDE, UP_STRIDE, DOWN_STRIDE, HEAD_STRIDE, N_ATTENTION_IN,
    N_ATTENTION_OUT, N_FFN_FIRST, N_FFN_REST, N_DOWN, N_HEAD_IN, ACTIVATION, IS_GATED, RESIDUAL, CACHE_BYTES, N_SIZES,
) = range(29)  # fmt: skip

# Columns of `shared` (addresses of buffers all threads see).
(
    X, QKV_OUT, ATTENDED, PROJECTED, PARTIALS, LOGITS, ROPE_TABLE, FINAL_NORM, FINAL_NORM_BIAS, HEAD_ROWS, BARRIER,
    STOP, COUNTS, N_SHARED,
) = range(14)  # fmt: skip

# Columns of a thread's row in `private` (addresses).
NORMED, QUANTISED, GATED, UPPED, NEURON_LIST, SCORES, QUERY, HEAD_OUT, N_PRIVATE = range(9)

SILU, RELU, FATRELU, DRELU, RELU2 = range(5)
SEQUENTIAL, PARALLEL, POST = range(3)
# Above this share of active neurons a dense product beats a list (measured in the project's CPU study).
DENSE_ABOVE = 0.55
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


@njit(**KERNEL)
def add_bias(y, bias, first, last):
    """y[first:last] += bias[first:last], unless there is none (address 0)."""
    if bias != 0:
        for i in range(4 * first, 4 * last, 4):
            store_f32(y, i, load_f32(y, i) + load_f32(bias, i))


@njit(**KERNEL)
def compact_alive(products, neurons, first, count, activation, threshold):
    """Move the products the activation leaves alive to the front and list their row numbers; returns how many."""
    k = 0
    for i in range(count):
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


@njit(**KERNEL)
def up_products(kind, slots, sizes, quantised, ups, neurons, first, last, k, unit):
    """ups[i] = up row of the i-th listed neuron · x: from a list, or densely where most neurons are listed."""
    count = last - first
    n = sizes[N_FFN_REST]
    if k > DENSE_ABOVE * count:
        matvec(kind, slots[UP], sizes[UP_STRIDE], quantised, ups - 4 * first, first, last, n, unit)
        if k < count:
            for i in range(k):
                store_f32(ups, 4 * i, load_f32(ups, 4 * (load_i64(neurons, 8 * i) - first)))
    elif k > 0:
        matvec_listed(kind, slots[UP], sizes[UP_STRIDE], neurons, quantised, ups, k, n, unit)


@njit(**KERNEL)
def feed_forward(
    first_kind, rest_kind, slots, sizes, threshold, normed, quantised, acts, ups, neurons, counts, y, first, last
):
    """y += the share of neurons first…last in the layer's output.

    counts: two int64, how many were examined past their first product, and how many were active.
    """
    count, activation = last - first, sizes[ACTIVATION]
    n_in = sizes[N_FFN_FIRST]
    unit = quantise(first_kind, normed, quantised, n_in)
    matvec(first_kind, slots[FIRST], sizes[FIRST_STRIDE], quantised, acts - 4 * first, first, last, n_in, unit)
    add_bias(acts - 4 * first, slots[FIRST_BIAS], first, last)
    if activation == SILU:
        k = count
        for i in range(count):
            store_i64(neurons, 8 * i, first + i)
    else:
        k = compact_alive(acts, neurons, first, count, activation, threshold)
    store_i64(counts, 0, k)
    if sizes[IS_GATED]:
        unit = quantise(rest_kind, normed, quantised, sizes[N_FFN_REST])
        up_products(rest_kind, slots, sizes, quantised, ups, neurons, first, last, k, unit)
        if activation == DRELU:
            k = compact_positive(acts, ups, neurons, k)
    store_i64(counts, 8, k)
    if activation == SILU and sizes[IS_GATED]:
        silu_times(acts, ups, acts, k)
    elif sizes[IS_GATED]:
        for i in range(0, 4 * k, 4):
            a = load_f32(acts, i)
            store_f32(acts, i, (a * a if activation == RELU2 else a) * load_f32(ups, i))
    elif activation == RELU2:
        for i in range(0, 4 * k, 4):
            store_f32(acts, i, load_f32(acts, i) * load_f32(acts, i))
    accumulate_down(rest_kind, slots[DOWN], sizes[DOWN_STRIDE], neurons, acts, y, k, sizes[N_DOWN])


@njit(**KERNEL)
def decode_token(
    attention_kind, first_kind, rest_kind, head_kind, cache_kind,
    thread, n_threads, layers, sizes, shared, private, eps, scale, threshold, position, wants_logits,
):  # fmt: skip
    """Thread `thread`'s share of one token at `position`: x (embedded by the caller) → logits.

    layers (n_layers, slots), sizes, shared, private (threads, columns): int64 tables as above. How many neurons each
    thread examined and found active in each layer is left at COUNTS, (threads, n_layers, 2) int64. Returns 1 if the
    stop word made all threads leave early; x and the cache at `position` are then undefined.
    """
    mine = private[thread]
    x, barrier = shared[X], shared[BARRIER]
    normed, quantised = mine[NORMED], mine[QUANTISED]
    width, padded = sizes[WIDTH], sizes[WIDTH_PADDED]
    heads, key_heads, e, ep = sizes[HEADS], sizes[KEY_HEADS], sizes[HEAD_WIDTH], sizes[HEAD_PADDED]
    n_qkv, residual = (heads + 2 * key_heads) * e, sizes[RESIDUAL]
    qkv_first, qkv_last = n_qkv * thread // n_threads, n_qkv * (thread + 1) // n_threads
    key_first, key_last = key_heads * thread // n_threads, key_heads * (thread + 1) // n_threads
    head_first, head_last = heads * thread // n_threads, heads * (thread + 1) // n_threads
    out_first, out_last = width * thread // n_threads, width * (thread + 1) // n_threads
    neuron_first, neuron_last = sizes[NEURONS] * thread // n_threads, sizes[NEURONS] * (thread + 1) // n_threads
    sum_first, sum_last = padded // 8 * thread // n_threads * 8, padded // 8 * (thread + 1) // n_threads * 8
    own_sum = shared[PARTIALS] + 4 * padded * thread
    seen_from = max(0, position + 1 - sizes[WINDOW]) if sizes[WINDOW] else 0
    met = 0
    for layer in range(sizes[LAYERS]):
        slots = layers[layer]
        norm(x, slots[ATTENTION_NORM], slots[ATTENTION_NORM_BIAS], normed, width, padded, eps)
        unit = quantise(attention_kind, normed, quantised, sizes[N_ATTENTION_IN])
        matvec(
            attention_kind, slots[QKV], sizes[QKV_STRIDE], quantised, shared[QKV_OUT], qkv_first, qkv_last,
            sizes[N_ATTENTION_IN], unit,
        )  # fmt: skip
        add_bias(shared[QKV_OUT], slots[QKV_BIAS], qkv_first, qkv_last)
        met += 1
        meet(barrier, n_threads, met)

        for g in range(key_first, key_last):
            head_cache = g * sizes[MAX_POSITIONS] * ep * sizes[CACHE_BYTES]
            rope(shared[QKV_OUT] + 4 * (heads + g) * e, mine[HEAD_OUT], shared[ROPE_TABLE], e, sizes[ROTARY_WIDTH])
            append_cached(cache_kind, mine[HEAD_OUT], slots[KEYS] + head_cache, position, ep)
            value = shared[QKV_OUT] + 4 * (heads + key_heads + g) * e
            for i in range(0, 4 * e, 4):
                store_f32(mine[HEAD_OUT], i, load_f32(value, i))
            append_cached(cache_kind, mine[HEAD_OUT], slots[VALUES] + head_cache, position, ep)
        met += 1
        meet(barrier, n_threads, met)

        for h in range(head_first, head_last):
            head_cache = (h // (heads // key_heads)) * sizes[MAX_POSITIONS] + seen_from
            head_cache *= ep * sizes[CACHE_BYTES]
            rope(shared[QKV_OUT] + 4 * h * e, mine[QUERY], shared[ROPE_TABLE], e, sizes[ROTARY_WIDTH])
            attend(
                cache_kind, mine[QUERY], slots[KEYS] + head_cache, slots[VALUES] + head_cache, mine[HEAD_OUT],
                mine[SCORES], position + 1 - seen_from, ep, scale,
            )  # fmt: skip
            for i in range(0, 4 * e, 4):
                store_f32(shared[ATTENDED], 4 * h * e + i, load_f32(mine[HEAD_OUT], i))
            for i in range(4 * e, 4 * ep, 4):
                store_f32(mine[HEAD_OUT], i, np.float32(0))
        met += 1
        meet(barrier, n_threads, met)

        unit = quantise(attention_kind, shared[ATTENDED], quantised, sizes[N_ATTENTION_OUT])
        matvec(
            attention_kind, slots[OUT], sizes[OUT_STRIDE], quantised, shared[PROJECTED], out_first, out_last,
            sizes[N_ATTENTION_OUT], unit,
        )  # fmt: skip
        add_bias(shared[PROJECTED], slots[OUT_BIAS], out_first, out_last)
        base = normed if residual == POST else x
        if residual != PARALLEL:
            for i in range(4 * out_first, 4 * out_last, 4):
                store_f32(x, i, load_f32(base, i) + load_f32(shared[PROJECTED], i))
        met += 1
        meet(barrier, n_threads, met)

        norm(x, slots[FFN_NORM], slots[FFN_NORM_BIAS], normed, width, padded, eps)
        for i in range(0, 4 * padded, 32):
            store_f8(own_sum, i, zero_f8())
        feed_forward(
            first_kind, rest_kind, slots, sizes, threshold, normed, quantised, mine[GATED], mine[UPPED],
            mine[NEURON_LIST], shared[COUNTS] + 16 * (thread * sizes[LAYERS] + layer), own_sum, neuron_first,
            neuron_last,
        )  # fmt: skip
        if thread == 0:
            atomic_store(barrier, _STOPPING, atomic_load(shared[STOP], 0))
        met += 1
        meet(barrier, n_threads, met)

        if atomic_load(barrier, _STOPPING) != 0:
            return 1
        base = normed if residual == POST else x
        for i in range(4 * sum_first, 4 * sum_last, 32):
            v = load_f8(base, i)
            for t in range(n_threads):
                v = add_f8(v, load_f8(shared[PARTIALS], 4 * padded * t + i))
            if slots[DOWN_BIAS] != 0:
                v = add_f8(v, load_f8(slots[DOWN_BIAS], i))
            if residual == PARALLEL:
                v = add_f8(v, load_f8(shared[PROJECTED], i))
            store_f8(x, i, v)
        met += 1
        meet(barrier, n_threads, met)
    if wants_logits:
        norm(x, shared[FINAL_NORM], shared[FINAL_NORM_BIAS], normed, width, padded, eps)
        unit = quantise(head_kind, normed, quantised, sizes[N_HEAD_IN])
        v = sizes[VOCABULARY]
        matvec(
            head_kind, shared[HEAD_ROWS], sizes[HEAD_STRIDE], quantised, shared[LOGITS], v * thread // n_threads,
            v * (thread + 1) // n_threads, sizes[N_HEAD_IN], unit,
        )  # fmt: skip
    return 0
