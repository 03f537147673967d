"""One token, or a few, through the whole model, as one compiled function that each worker thread runs for its shares.

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
from engine.kernels.cpu.rows import accumulate_down, matvec_listed, matvec_tokens
from engine.kernels.cpu.vectors import (
    add_f8,
    atomic_add,
    atomic_load,
    atomic_raise,
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
    DOWN, DOWN_BIAS, KEYS, VALUES, KEY_SCALES, VALUE_SCALES, PREDICTOR_IN, PREDICTOR_OUT, PREDICTOR_BIAS, UP_BIAS,
    N_LAYER_SLOTS,
) = range(22)  # fmt: skip

# Columns of `sizes`: the model's shape, padded lengths (values), strides (bytes) and choices.
(
    WIDTH, WIDTH_PADDED, NEURONS, LAYERS, HEADS, KEY_HEADS, HEAD_WIDTH, HEAD_PADDED, ROTARY_WIDTH, WINDOW, VOCABULARY,
    MAX_POSITIONS, QKV_STRIDE, OUT_STRIDE, FIRST_STRIDE, UP_STRIDE, DOWN_STRIDE, HEAD_STRIDE, N_ATTENTION_IN,
    N_ATTENTION_OUT, N_FFN_FIRST, N_FFN_REST, N_DOWN, N_HEAD_IN, ACTIVATION, IS_GATED, RESIDUAL, CACHE_BYTES, RANK,
    N_RANK, PREDICTOR_IN_STRIDE, PREDICTOR_OUT_STRIDE, SHARES, FETCH_AHEAD, QKV_BYTES, ATTENDED_BYTES,
    NORMED_BYTES, QUANTISED_BYTES, PREDICTED_BYTES, PREDICTION_BYTES, NEURON_SLOTS, LOGITS_BYTES, N_SIZES,
) = range(43)  # fmt: skip

# Columns of `shared` (addresses of buffers all threads see).
(
    X, QKV_OUT, ATTENDED, PROJECTED, PARTIALS, LOGITS, ROPE_TABLE, FINAL_NORM, FINAL_NORM_BIAS, HEAD_ROWS, BARRIER,
    STOP, COUNTS, PREDICTED, ACTS, UPS, NEURON_LIST, N_SHARED,
) = range(18)  # fmt: skip

# Columns of a thread's row in `private` (addresses).
NORMED, QUANTISED, UNITS, PREDICTION, PREDICTION_UNITS, SCORES, QUERY, HEAD_OUT, READY, CYCLES, N_PRIVATE = range(11)

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
# Down rows read at once where several tokens want them all; whole blocks of the accumulation kernels.
BLOCK_NEURONS = 64
# Shares whose counts differ from the mean by more are divided anew.
UNEVEN = 0.05
SPINS_BEFORE_YIELD = 2000
# Byte offsets inside the barrier's memory: arrivals, generation, the stop decision; each on a cache line of its own.
_ARRIVED, GENERATION, _STOPPING = 0, 128, 256
# A generation that no step reaches: with it in place nobody waits for a thread that has failed.
ABANDONED = 1 << 62


@njit(**KERNEL)
def meet(barrier, n_threads, generation):
    """Wait until all threads have come here `generation` times."""
    if atomic_add(barrier, _ARRIVED, 1) == n_threads * generation - 1:
        atomic_raise(barrier, GENERATION, generation)
    else:
        spins = 0
        while atomic_load(barrier, GENERATION) < generation:
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


@njit(**PART)
def alive_neurons(kind, slots, sizes, shared, mine, threshold, share, layer, tokens):
    """The first product of a share's neurons, or of those the predictor names; the survivors are listed.

    They stand at the share's first neuron in ACTS and NEURON_LIST; counts get the candidates and how many are alive.
    """
    n_shares, activation, n = sizes[SHARES], sizes[ACTIVATION], sizes[N_FFN_FIRST]
    first, last = neuron_begin(sizes[NEURONS], share, n_shares), neuron_begin(sizes[NEURONS], share + 1, n_shares)
    rows, stride, bias, slot_bytes = slots[FIRST], sizes[FIRST_STRIDE], slots[FIRST_BIAS], 4 * sizes[NEURON_SLOTS]
    if slots[PREDICTOR_IN] != 0:
        matvec_tokens(
            kind, slots[PREDICTOR_OUT], sizes[PREDICTOR_OUT_STRIDE], mine[PREDICTION], sizes[PREDICTION_BYTES],
            shared[ACTS], slot_bytes, mine[PREDICTION_UNITS], tokens, first, last, sizes[N_RANK], sizes[FETCH_AHEAD],
        )  # fmt: skip
    else:
        product(kind, rows, stride, mine, shared[ACTS], slot_bytes, bias, first, last, n, sizes, tokens)
    for t in range(tokens):
        acts = shared[ACTS] + t * slot_bytes + 4 * first
        neurons = shared[NEURON_LIST] + 2 * t * slot_bytes + 8 * first
        counts = counts_of(shared, sizes, t, layer, share)
        if slots[PREDICTOR_IN] != 0:
            add_bias(acts - 4 * first, slots[PREDICTOR_BIAS], first, last)
            k = list_candidates(acts, neurons, first, last)
            store_i64(counts, CANDIDATES, k)
            quantised, unit = mine[QUANTISED] + t * sizes[QUANTISED_BYTES], load_f32(mine[UNITS], 4 * t)
            matvec_listed(kind, rows, stride, neurons, quantised, acts, k, n, unit)
            k = keep_alive(acts, neurons, bias, k, activation, threshold)
        else:
            store_i64(counts, CANDIDATES, last - first)
            if activation == SILU:
                k = list_all(neurons, first, last)
            else:
                k = compact_alive(acts, neurons, first, last, activation, threshold)
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
def contribute(kind, slots, sizes, shared, mine, t, at, k, y, counts, since):
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
    store_i64(counts, ACTIVE, load_i64(counts, ACTIVE) + k)
    since = spent(cycles, IN_UP, since)
    if k > 0:
        accumulate_down(kind, slots[DOWN], sizes[DOWN_STRIDE], neurons, acts, y, k, sizes[N_DOWN])
    return spent(cycles, IN_DOWN, since)


@njit(**PART)
def contribute_densely(kind, slots, sizes, shared, mine, share, layer, tokens, since):
    """As `contribute`, for tokens that leave most neurons alive: a share's rows are read once for all of them."""
    slot_bytes, n_shares, sums = 4 * sizes[NEURON_SLOTS], sizes[SHARES], 4 * sizes[WIDTH_PADDED]
    first, last = neuron_begin(sizes[NEURONS], share, n_shares), neuron_begin(sizes[NEURONS], share + 1, n_shares)
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
    n_shares, n, counts = sizes[SHARES], sizes[NEURONS], counts_of(shared, sizes, t, layer, 0)
    total, most = alive_in_layer(sizes, shared, t, layer)
    own = counts + 8 * COUNTED * share
    if total > DENSE_ABOVE * n or most * n_shares < total + total * UNEVEN:
        at = neuron_begin(n, share, n_shares)
        return contribute(kind, slots, sizes, shared, mine, t, at, load_i64(own, EXAMINED), y, own, since)
    begin, end, passed = total * share // n_shares, total * (share + 1) // n_shares, 0
    for s in range(n_shares):
        k = load_i64(counts, 8 * COUNTED * s + EXAMINED)
        a, b = max(begin, passed), min(end, passed + k)
        if a < b:
            at = neuron_begin(n, s, n_shares) + a - passed
            since = contribute(kind, slots, sizes, shared, mine, t, at, b - a, y, own, since)
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
        dense = dense and total > DENSE_ABOVE * sizes[NEURONS]
    if dense:
        return contribute_densely(kind, slots, sizes, shared, mine, share, layer, tokens, since)
    for t in range(tokens):
        own_sum = shared[PARTIALS] + sums * (n_shares * t + share)
        since = share_out(kind, slots, sizes, shared, mine, t, share, layer, own_sum, since)
    return since


@njit(**PART)
def append_head(cache_kind, slots, sizes, shared, mine, t, g, position):
    """Rotate and append the key and value of one key head of token t, which stands at `position`."""
    e, ep = sizes[HEAD_WIDTH], sizes[HEAD_PADDED]
    cache, scales = g * sizes[MAX_POSITIONS] * ep * sizes[CACHE_BYTES], g * sizes[MAX_POSITIONS] * (ep >> 5) * 4
    key = shared[QKV_OUT] + t * sizes[QKV_BYTES] + 4 * (sizes[HEADS] + g) * e
    rope(key, mine[HEAD_OUT], shared[ROPE_TABLE] + 4 * t * sizes[ROTARY_WIDTH], e, sizes[ROTARY_WIDTH])
    append_cached(cache_kind, mine[HEAD_OUT], slots[KEYS] + cache, slots[KEY_SCALES] + scales, position, ep)
    value = key + 4 * sizes[KEY_HEADS] * e
    for i in range(0, 4 * e, 4):
        store_f32(mine[HEAD_OUT], i, load_f32(value, i))
    append_cached(cache_kind, mine[HEAD_OUT], slots[VALUES] + cache, slots[VALUE_SCALES] + scales, position, ep)


@njit(**PART)
def attend_head(cache_kind, slots, sizes, shared, mine, t, h, position, scale):
    """Rotate the query of one head of token t and attend; the result goes to its place in ATTENDED."""
    e, ep = sizes[HEAD_WIDTH], sizes[HEAD_PADDED]
    seen_from = max(0, position + 1 - sizes[WINDOW]) if sizes[WINDOW] else 0
    row = (h // (sizes[HEADS] // sizes[KEY_HEADS])) * sizes[MAX_POSITIONS] + seen_from
    cache, scales = row * ep * sizes[CACHE_BYTES], row * (ep >> 5) * 4
    query, table = shared[QKV_OUT] + t * sizes[QKV_BYTES] + 4 * h * e, shared[ROPE_TABLE]
    rope(query, mine[QUERY], table + 4 * t * sizes[ROTARY_WIDTH], e, sizes[ROTARY_WIDTH])
    attend(
        cache_kind, mine[QUERY], slots[KEYS] + cache, slots[KEY_SCALES] + scales, slots[VALUES] + cache,
        slots[VALUE_SCALES] + scales, mine[HEAD_OUT], mine[SCORES], mine[READY], position + 1 - seen_from, ep, scale,
    )  # fmt: skip
    out = shared[ATTENDED] + t * sizes[ATTENDED_BYTES] + 4 * h * e
    for i in range(0, 4 * e, 4):
        store_f32(out, i, load_f32(mine[HEAD_OUT], i))
    for i in range(4 * e, 4 * ep, 4):
        store_f32(mine[HEAD_OUT], i, np.float32(0))


@njit(**PART)
def add_attended(sizes, shared, mine, share, tokens):
    """x += what attention projected, of a share's columns; to its normed input instead where norms stand after."""
    n_shares, padded = sizes[SHARES], sizes[WIDTH_PADDED]
    if sizes[RESIDUAL] == PARALLEL:
        return
    for t in range(tokens):
        x, projected = shared[X] + 4 * padded * t, shared[PROJECTED] + 4 * padded * t
        base = mine[NORMED] + t * sizes[NORMED_BYTES] if sizes[RESIDUAL] == POST else x
        for i in range(begin_of(sizes[WIDTH], share, n_shares), begin_of(sizes[WIDTH], share + 1, n_shares)):
            store_f32(x, 4 * i, load_f32(base, 4 * i) + load_f32(projected, 4 * i))


@njit(**PART)
def add_contributions(slots, sizes, shared, mine, share, tokens):
    """x += the sums of all shares, in their order, of a share's columns."""
    n_shares, padded = sizes[SHARES], sizes[WIDTH_PADDED]
    first, last = begin_of(padded // 8, share, n_shares), begin_of(padded // 8, share + 1, n_shares)
    for t in range(tokens):
        x, partials = shared[X] + 4 * padded * t, shared[PARTIALS] + 4 * padded * n_shares * t
        base = mine[NORMED] + t * sizes[NORMED_BYTES] if sizes[RESIDUAL] == POST else x
        for i in range(32 * first, 32 * last, 32):
            v = load_f8(base, i)
            for s in range(n_shares):
                v = add_f8(v, load_f8(partials, 4 * padded * s + i))
            if slots[DOWN_BIAS] != 0:
                v = add_f8(v, load_f8(slots[DOWN_BIAS], i))
            if sizes[RESIDUAL] == PARALLEL:
                v = add_f8(v, load_f8(shared[PROJECTED] + 4 * padded * t, i))
            store_f8(x, i, v)


@njit(**KERNEL)
def decode_tokens(
    attention_kind, first_kind, rest_kind, head_kind, cache_kind,
    thread, n_threads, layers, sizes, shared, private, eps, scale, threshold, position, tokens, wants_logits,
):  # fmt: skip
    """Thread `thread`'s shares of a few tokens from `position` on: x (embedded by the caller) → logits.

    layers (n_layers, slots), sizes, shared, private (threads, columns): int64 tables as above. Counts of neurons are
    left at COUNTS, (tokens, n_layers, shares, COUNTED) int64. Several tokens share the reading of what is read whole;
    each gets the bits it would get alone. Returns 1 if the stop word made all threads leave early; x and the cache from
    `position` on are then undefined.
    """
    mine = private[thread]
    x, barrier, cycles = shared[X], shared[BARRIER], mine[CYCLES]
    width, padded, n_shares = sizes[WIDTH], sizes[WIDTH_PADDED], sizes[SHARES]
    heads, key_heads = sizes[HEADS], sizes[KEY_HEADS]
    n_qkv = (heads + 2 * key_heads) * sizes[HEAD_WIDTH]
    heads_stay_together = key_heads % n_shares == 0
    met = 0
    now = cycle_count()
    for layer in range(sizes[LAYERS]):
        slots = layers[layer]
        norm_and_quantise(
            attention_kind, x, slots[ATTENTION_NORM], slots[ATTENTION_NORM_BIAS], mine, sizes, sizes[N_ATTENTION_IN],
            eps, tokens,
        )  # fmt: skip
        for share in range(thread, n_shares, n_threads):
            product(
                attention_kind, slots[QKV], sizes[QKV_STRIDE], mine, shared[QKV_OUT], sizes[QKV_BYTES],
                slots[QKV_BIAS], begin_of(n_qkv, share, n_shares), begin_of(n_qkv, share + 1, n_shares),
                sizes[N_ATTENTION_IN], sizes, tokens,
            )  # fmt: skip
        now = spent(cycles, IN_QKV, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        for share in range(thread, n_shares, n_threads):
            for g in range(begin_of(key_heads, share, n_shares), begin_of(key_heads, share + 1, n_shares)):
                for t in range(tokens):
                    append_head(cache_kind, slots, sizes, shared, mine, t, g, position + t)
        if not heads_stay_together:
            met += 1
            meet(barrier, n_threads, met)
        for share in range(thread, n_shares, n_threads):
            for h in range(begin_of(heads, share, n_shares), begin_of(heads, share + 1, n_shares)):
                for t in range(tokens):
                    attend_head(cache_kind, slots, sizes, shared, mine, t, h, position + t, scale)
        now = spent(cycles, IN_ATTENTION, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        for t in range(tokens):
            attended, quantised = (
                shared[ATTENDED] + t * sizes[ATTENDED_BYTES],
                mine[QUANTISED] + t * sizes[QUANTISED_BYTES],
            )
            store_f32(mine[UNITS], 4 * t, quantise(attention_kind, attended, quantised, sizes[N_ATTENTION_OUT]))
        for share in range(thread, n_shares, n_threads):
            product(
                attention_kind, slots[OUT], sizes[OUT_STRIDE], mine, shared[PROJECTED], 4 * padded, slots[OUT_BIAS],
                begin_of(width, share, n_shares), begin_of(width, share + 1, n_shares), sizes[N_ATTENTION_OUT], sizes,
                tokens,
            )  # fmt: skip
            add_attended(sizes, shared, mine, share, tokens)
        now = spent(cycles, IN_OUT, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        norm_and_quantise(
            first_kind, x, slots[FFN_NORM], slots[FFN_NORM_BIAS], mine, sizes, sizes[N_FFN_FIRST], eps, tokens
        )
        if slots[PREDICTOR_IN] != 0:
            for share in range(thread, n_shares, n_threads):
                product(
                    first_kind, slots[PREDICTOR_IN], sizes[PREDICTOR_IN_STRIDE], mine, shared[PREDICTED],
                    sizes[PREDICTED_BYTES], 0, begin_of(sizes[RANK], share, n_shares),
                    begin_of(sizes[RANK], share + 1, n_shares), sizes[N_FFN_FIRST], sizes, tokens,
                )  # fmt: skip
            met += 1
            meet(barrier, n_threads, met)
            for t in range(tokens):
                predicted, ready = shared[PREDICTED] + t * sizes[PREDICTED_BYTES], t * sizes[PREDICTION_BYTES]
                unit = quantise(first_kind, predicted, mine[PREDICTION] + ready, sizes[N_RANK])
                store_f32(mine[PREDICTION_UNITS], 4 * t, unit)
            now = spent(cycles, IN_PREDICTOR, now)
        for share in range(thread, n_shares, n_threads):
            alive_neurons(first_kind, slots, sizes, shared, mine, threshold, share, layer, tokens)
        now = spent(cycles, IN_FIRST, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        if not same_kind(first_kind, rest_kind):
            for t in range(tokens):
                normed, quantised = mine[NORMED] + t * sizes[NORMED_BYTES], mine[QUANTISED] + t * sizes[QUANTISED_BYTES]
                store_f32(mine[UNITS], 4 * t, quantise(rest_kind, normed, quantised, sizes[N_FFN_REST]))
        for share in range(thread, n_shares, n_threads):
            now = finish_feed_forward(rest_kind, slots, sizes, shared, mine, share, layer, tokens, now)
        if thread == 0:
            atomic_store(barrier, _STOPPING, atomic_load(shared[STOP], 0))
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)

        if atomic_load(barrier, _STOPPING) != 0:
            return 1
        for share in range(thread, n_shares, n_threads):
            add_contributions(slots, sizes, shared, mine, share, tokens)
        now = spent(cycles, IN_SUM, now)
        met += 1
        meet(barrier, n_threads, met)
        now = spent(cycles, IN_WAITING, now)
    if wants_logits:
        norm_and_quantise(
            head_kind, x, shared[FINAL_NORM], shared[FINAL_NORM_BIAS], mine, sizes, sizes[N_HEAD_IN], eps, tokens
        )
        v = sizes[VOCABULARY]
        for share in range(thread, n_shares, n_threads):
            product(
                head_kind, shared[HEAD_ROWS], sizes[HEAD_STRIDE], mine, shared[LOGITS], sizes[LOGITS_BYTES], 0,
                begin_of(v, share, n_shares), begin_of(v, share + 1, n_shares), sizes[N_HEAD_IN], sizes, tokens,
            )  # fmt: skip
        spent(cycles, IN_HEAD, now)
    return 0
