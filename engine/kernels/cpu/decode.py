"""One token through the whole model, as one compiled function that each worker thread runs for its share.

Threads split rows, heads and neurons statically and meet at spin barriers, five a layer; nothing here takes the GIL or
allocates. The order inside a layer is the transformer's: norm, QKV, rotate and append, attend, project, norm,
feed-forward, sum. The feed-forward is exact: the gate's rows first, then only the neurons the activation left alive;
each thread adds its neurons' down rows into its own accumulator, and the accumulators are added in the order of the
threads, so a result depends on the number of threads but not on their timing.

Everything is passed by address in two int64 tables whose columns are the constants below; `runtime/decoder.py` fills
them and keeps the memory alive.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import quantise, rms_norm, rope, silu_times
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

# Columns of a layer's row in `layers` (addresses).
ATTENTION_NORM, QKV, OUT, FFN_NORM, GATE, UP, DOWN, KEYS, VALUES, N_LAYER_SLOTS = range(10)

# Columns of `sizes`: the model's shape, padded lengths (values) and strides (bytes).
(
    WIDTH, WIDTH_PADDED, NEURONS, LAYERS, HEADS, KEY_HEADS, HEAD_WIDTH, HEAD_PADDED, VOCABULARY, MAX_POSITIONS,
    ATTENTION_WIDTH, ATTENTION_PADDED, QKV_STRIDE, OUT_STRIDE, GATE_STRIDE, UP_STRIDE, DOWN_STRIDE, HEAD_STRIDE,
    N_ATTENTION_IN, N_ATTENTION_OUT, N_FFN_FIRST, N_FFN_REST, N_DOWN, N_HEAD_IN, ACTIVATION, CACHE_BYTES, N_SIZES,
) = range(27)  # fmt: skip

# Columns of `shared` (addresses of buffers all threads see).
X, QKV_OUT, ATTENDED, PARTIALS, LOGITS, ROPE_TABLE, FINAL_NORM, HEAD_ROWS, BARRIER, STOP, ACTIVE, N_SHARED = range(12)

# Columns of a thread's row in `private` (addresses).
NORMED, QUANTISED, GATED, UPPED, NEURON_LIST, SCORES, QUERY, HEAD_OUT, N_PRIVATE = range(9)

SILU, RELU = 0, 1
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
def add_scaled(y, x, first, last):
    for i in range(4 * first, 4 * last, 4):
        store_f32(x, i, load_f32(x, i) + load_f32(y, i))


@njit(**KERNEL)
def compact_active(gate, neurons, first, count):
    """Move the gates above zero to the front and list their row numbers; returns how many there are."""
    k = 0
    for i in range(count):
        g = load_f32(gate, 4 * i)
        store_f32(gate, 4 * k, g)
        store_i64(neurons, 8 * k, first + i)
        if g > np.float32(0):
            k += 1
    return k


@njit(**KERNEL)
def feed_forward(first_kind, rest_kind, slots, sizes, normed, quantised, gated, upped, neurons, y, first, last):
    """y += the share of neurons first…last in the layer's output; returns how many of them were active."""
    count = last - first
    n_in = sizes[N_FFN_FIRST]
    unit = quantise(first_kind, normed, quantised, n_in)
    gate_base = gated - 4 * first
    matvec(first_kind, slots[GATE], sizes[GATE_STRIDE], quantised, gate_base, first, last, n_in, unit)
    k = count
    if sizes[ACTIVATION] == RELU:
        k = compact_active(gated, neurons, first, count)
    else:
        for i in range(count):
            store_i64(neurons, 8 * i, first + i)
    unit = quantise(rest_kind, normed, quantised, sizes[N_FFN_REST])
    if k > DENSE_ABOVE * count:
        up_base = upped - 4 * first
        matvec(rest_kind, slots[UP], sizes[UP_STRIDE], quantised, up_base, first, last, sizes[N_FFN_REST], unit)
        if k < count:
            for i in range(k):
                store_f32(upped, 4 * i, load_f32(upped, 4 * (load_i64(neurons, 8 * i) - first)))
    elif k > 0:
        matvec_listed(rest_kind, slots[UP], sizes[UP_STRIDE], neurons, quantised, upped, k, sizes[N_FFN_REST], unit)
    if sizes[ACTIVATION] == RELU:
        for i in range(0, 4 * k, 4):
            store_f32(gated, i, load_f32(gated, i) * load_f32(upped, i))
    else:
        silu_times(gated, upped, gated, k)
    accumulate_down(rest_kind, slots[DOWN], sizes[DOWN_STRIDE], neurons, gated, y, k, sizes[N_DOWN])
    return k


@njit(**KERNEL)
def decode_token(
    attention_kind, first_kind, rest_kind, head_kind, cache_kind,
    thread, n_threads, layers, sizes, shared, private, eps, scale, position, wants_logits,
):  # fmt: skip
    """Thread `thread`'s share of one token at `position`: x (embedded by the caller) → logits.

    layers (n_layers, slots), sizes, shared, private (threads, columns): int64 tables as above. The number of active
    neurons of each thread and layer is left at ACTIVE, (threads, n_layers) int64. Returns 1 if the stop word made all
    threads leave early; x and the cache at `position` are then undefined.
    """
    mine = private[thread]
    x, barrier = shared[X], shared[BARRIER]
    normed, quantised = mine[NORMED], mine[QUANTISED]
    width, padded = sizes[WIDTH], sizes[WIDTH_PADDED]
    heads, key_heads, e, ep = sizes[HEADS], sizes[KEY_HEADS], sizes[HEAD_WIDTH], sizes[HEAD_PADDED]
    n_qkv = (heads + 2 * key_heads) * e
    qkv_first, qkv_last = n_qkv * thread // n_threads, n_qkv * (thread + 1) // n_threads
    key_first, key_last = key_heads * thread // n_threads, key_heads * (thread + 1) // n_threads
    head_first, head_last = heads * thread // n_threads, heads * (thread + 1) // n_threads
    out_first, out_last = width * thread // n_threads, width * (thread + 1) // n_threads
    neuron_first, neuron_last = sizes[NEURONS] * thread // n_threads, sizes[NEURONS] * (thread + 1) // n_threads
    sum_first, sum_last = padded // 8 * thread // n_threads * 8, padded // 8 * (thread + 1) // n_threads * 8
    own_sum = shared[PARTIALS] + 4 * padded * thread
    met = 0
    for layer in range(sizes[LAYERS]):
        slots = layers[layer]
        rms_norm(x, slots[ATTENTION_NORM], normed, width, padded, eps)
        unit = quantise(attention_kind, normed, quantised, sizes[N_ATTENTION_IN])
        matvec(
            attention_kind, slots[QKV], sizes[QKV_STRIDE], quantised, shared[QKV_OUT], qkv_first, qkv_last,
            sizes[N_ATTENTION_IN], unit,
        )  # fmt: skip
        met += 1
        meet(barrier, n_threads, met)

        for g in range(key_first, key_last):
            head_cache = g * sizes[MAX_POSITIONS] * ep * sizes[CACHE_BYTES]
            rope(shared[QKV_OUT] + 4 * (heads + g) * e, mine[HEAD_OUT], shared[ROPE_TABLE], e)
            append_cached(cache_kind, mine[HEAD_OUT], slots[KEYS] + head_cache, position, ep)
            value = shared[QKV_OUT] + 4 * (heads + key_heads + g) * e
            for i in range(0, 4 * e, 4):
                store_f32(mine[HEAD_OUT], i, load_f32(value, i))
            append_cached(cache_kind, mine[HEAD_OUT], slots[VALUES] + head_cache, position, ep)
        met += 1
        meet(barrier, n_threads, met)

        for h in range(head_first, head_last):
            head_cache = (h // (heads // key_heads)) * sizes[MAX_POSITIONS] * ep * sizes[CACHE_BYTES]
            rope(shared[QKV_OUT] + 4 * h * e, mine[QUERY], shared[ROPE_TABLE], e)
            attend(
                cache_kind, mine[QUERY], slots[KEYS] + head_cache, slots[VALUES] + head_cache, mine[HEAD_OUT],
                mine[SCORES], position + 1, ep, scale,
            )  # fmt: skip
            for i in range(0, 4 * e, 4):
                store_f32(shared[ATTENDED], 4 * h * e + i, load_f32(mine[HEAD_OUT], i))
            for i in range(4 * e, 4 * ep, 4):
                store_f32(mine[HEAD_OUT], i, np.float32(0))
        met += 1
        meet(barrier, n_threads, met)

        unit = quantise(attention_kind, shared[ATTENDED], quantised, sizes[N_ATTENTION_OUT])
        matvec(
            attention_kind, slots[OUT], sizes[OUT_STRIDE], quantised, normed, out_first, out_last,
            sizes[N_ATTENTION_OUT], unit,
        )  # fmt: skip
        add_scaled(normed, x, out_first, out_last)
        met += 1
        meet(barrier, n_threads, met)

        rms_norm(x, slots[FFN_NORM], normed, width, padded, eps)
        for i in range(0, 4 * padded, 32):
            store_f8(own_sum, i, zero_f8())
        active = feed_forward(
            first_kind, rest_kind, slots, sizes, normed, quantised, mine[GATED], mine[UPPED], mine[NEURON_LIST],
            own_sum, neuron_first, neuron_last,
        )  # fmt: skip
        store_i64(shared[ACTIVE], 8 * (thread * sizes[LAYERS] + layer), active)
        if thread == 0:
            atomic_store(barrier, _STOPPING, atomic_load(shared[STOP], 0))
        met += 1
        meet(barrier, n_threads, met)

        if atomic_load(barrier, _STOPPING) != 0:
            return 1
        for i in range(4 * sum_first, 4 * sum_last, 32):
            v = load_f8(x, i)
            for t in range(n_threads):
                v = add_f8(v, load_f8(shared[PARTIALS], 4 * padded * t + i))
            store_f8(x, i, v)
        met += 1
        meet(barrier, n_threads, met)
    if wants_logits:
        rms_norm(x, shared[FINAL_NORM], normed, width, padded, eps)
        unit = quantise(head_kind, normed, quantised, sizes[N_HEAD_IN])
        v = sizes[VOCABULARY]
        matvec(
            head_kind, shared[HEAD_ROWS], sizes[HEAD_STRIDE], quantised, shared[LOGITS], v * thread // n_threads,
            v * (thread + 1) // n_threads, sizes[N_HEAD_IN], unit,
        )  # fmt: skip
    return 0
