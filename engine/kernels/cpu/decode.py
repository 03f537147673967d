"""One token, or a few, through the whole model, as one compiled function that each worker thread runs for its shares.

Rows, heads and neurons are split statically into shares; a thread takes the shares whose numbers are its own plus
multiples of the number of threads, and all meet at spin barriers, six or seven a layer; nothing here takes the GIL or
allocates. The order inside a layer is the transformer's: norm, QKV, rotate and append, attend, project, norm,
feed-forward (`feed_forward.py`, with the predictors of `predict.py`), sum. A call does some of these parts in some of
the layers: a whole token, or what is left of it where a card does the rest. Accumulators are added in the order of the
shares, so that a result depends on the number of shares, but neither on the number of threads nor on their timing.

What families differ in is in `sizes` and in addresses that may be 0: no bias, no norm before the first layer, no gate.
With post-norm each norm of the table stands before the part that follows it, and a part is added to its normed input
instead of to the stream.

Everything is passed by address in int64 tables (`tables.py`), which `runtime/decoder.py` fills.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import quantise, rope
from engine.kernels.cpu.atomics import (
    atomic_add,
    atomic_load,
    atomic_raise,
    atomic_store,
    cycle_count,
    spin_pause,
    yield_thread,
)
from engine.kernels.cpu.attention import append_cached, attend_both
from engine.kernels.cpu.feed_forward import alive_neurons, finish_feed_forward
from engine.kernels.cpu.kinds import KERNEL, PART, same_kind
from engine.kernels.cpu.phases import begin_of, norm_and_quantise, product, spent
from engine.kernels.cpu.predict import score, see_and_project, sees_after_attention, take_projected
from engine.kernels.cpu.tables import (
    ATTENDED,
    ATTENDED_BYTES,
    ATTENTION,
    ATTENTION_NORM,
    ATTENTION_NORM_BIAS,
    BARRIER,
    CACHE_BYTES,
    CACHE_ROW_BYTES,
    CONTRIBUTED,
    CYCLES,
    DOWN_BIAS,
    FEED_FORWARD,
    FFN_NORM,
    FFN_NORM_BIAS,
    FINAL_NORM,
    FINAL_NORM_BIAS,
    HEAD,
    HEAD_OUT,
    HEAD_PADDED,
    HEAD_ROWS,
    HEAD_STRIDE,
    HEAD_WIDTH,
    HEADS,
    IN_ATTENTION,
    IN_FIRST,
    IN_HEAD,
    IN_OUT,
    IN_PREDICTOR,
    IN_QKV,
    IN_SUM,
    IN_WAITING,
    KEY_HEADS,
    KEY_SCALES,
    KEYS,
    LOGITS,
    LOGITS_BYTES,
    MAX_POSITIONS,
    N_ATTENTION_IN,
    N_ATTENTION_OUT,
    N_BEFORE,
    N_FFN_FIRST,
    N_FFN_REST,
    N_HEAD_IN,
    NO_BIAS,
    NO_PREDICTOR,
    NORMED,
    NORMED_BYTES,
    OUT,
    OUT_BIAS,
    OUT_STRIDE,
    OWN_CACHES,
    OWN_KEY_SCALES,
    OWN_KEYS,
    OWN_POSITIONS,
    OWN_VALUE_SCALES,
    OWN_VALUES,
    PARALLEL,
    PARTIALS,
    PLACE_BYTES,
    PLACES,
    POSITION,
    POST,
    PREDICTOR,
    PROJECTED,
    QKV,
    QKV_BIAS,
    QKV_BYTES,
    QKV_OUT,
    QKV_STRIDE,
    QUANTISED,
    QUANTISED_BYTES,
    QUERY,
    READS,
    READS_ENTERING,
    READY,
    RESIDUAL,
    ROPE_TABLE,
    ROTARY_WIDTH,
    ROW_OFFSET,
    SCORES,
    SHARES,
    SIGN,
    STOP,
    SUM,
    UNITS,
    VALUE_SCALES,
    VALUES,
    VOCABULARY,
    WIDTH,
    WIDTH_PADDED,
    WINDOW,
    X,
)
from engine.kernels.cpu.vectors import (
    add_f8,
    load_f8,
    load_f32,
    load_i64,
    store_f8,
    store_f32,
    zero_f8,
)

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
def append_head(cache_kind, sizes, shared, mine, layer, t, g):
    """Rotate and append the key and value of one key head of token t, at its place."""
    e, ep, row = sizes[HEAD_WIDTH], sizes[HEAD_PADDED], g * sizes[OWN_POSITIONS]
    cache, scales = row * ep * sizes[CACHE_BYTES], row * (ep >> 5) * 4
    own, place = shared[OWN_CACHES] + CACHE_ROW_BYTES * layer, shared[PLACES] + PLACE_BYTES * t
    position = load_i64(place, POSITION)
    at = position + load_i64(place, ROW_OFFSET)
    key = shared[QKV_OUT] + t * sizes[QKV_BYTES] + 4 * (sizes[HEADS] + g) * e
    rope(key, mine[HEAD_OUT], shared[ROPE_TABLE] + 4 * position * sizes[ROTARY_WIDTH], e, sizes[ROTARY_WIDTH])
    append_cached(
        cache_kind, mine[HEAD_OUT], load_i64(own, OWN_KEYS) + cache, load_i64(own, OWN_KEY_SCALES) + scales, at, ep
    )  # fmt: skip
    value = key + 4 * sizes[KEY_HEADS] * e
    for i in range(0, 4 * e, 4):
        store_f32(mine[HEAD_OUT], i, load_f32(value, i))
    append_cached(
        cache_kind, mine[HEAD_OUT], load_i64(own, OWN_VALUES) + cache, load_i64(own, OWN_VALUE_SCALES) + scales, at, ep
    )  # fmt: skip


@njit(**PART)
def attend_head(cache_kind, slots, sizes, shared, mine, layer, t, h, scale):
    """Rotate the query of one head of token t and attend; the result goes to its place in ATTENDED."""
    e, ep, g = sizes[HEAD_WIDTH], sizes[HEAD_PADDED], h // (sizes[HEADS] // sizes[KEY_HEADS])
    own, place = shared[OWN_CACHES] + CACHE_ROW_BYTES * layer, shared[PLACES] + PLACE_BYTES * t
    position, row_bytes, scale_bytes = load_i64(place, POSITION), ep * sizes[CACHE_BYTES], (ep >> 5) * 4
    before, own_row = g * sizes[MAX_POSITIONS], g * sizes[OWN_POSITIONS] + load_i64(place, ROW_OFFSET)
    query, table = shared[QKV_OUT] + t * sizes[QKV_BYTES] + 4 * h * e, shared[ROPE_TABLE]
    rope(query, mine[QUERY], table + 4 * position * sizes[ROTARY_WIDTH], e, sizes[ROTARY_WIDTH])
    attend_both(
        cache_kind, mine[QUERY], slots[KEYS] + before * row_bytes, slots[KEY_SCALES] + before * scale_bytes,
        slots[VALUES] + before * row_bytes, slots[VALUE_SCALES] + before * scale_bytes,
        load_i64(own, OWN_KEYS) + own_row * row_bytes, load_i64(own, OWN_KEY_SCALES) + own_row * scale_bytes,
        load_i64(own, OWN_VALUES) + own_row * row_bytes, load_i64(own, OWN_VALUE_SCALES) + own_row * scale_bytes,
        load_i64(place, N_BEFORE), mine[HEAD_OUT], mine[SCORES], mine[READY],
        max(0, position + 1 - sizes[WINDOW]) if sizes[WINDOW] else 0, position + 1, ep, scale,
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


@njit(**PART)
def leave_contributions(sizes, shared, share, tokens):
    """CONTRIBUTED = the sums of all shares, in their order, of a share's columns."""
    n_shares, padded = sizes[SHARES], sizes[WIDTH_PADDED]
    first, last = begin_of(padded // 8, share, n_shares), begin_of(padded // 8, share + 1, n_shares)
    for t in range(tokens):
        out, partials = shared[CONTRIBUTED] + 4 * padded * t, shared[PARTIALS] + 4 * padded * n_shares * t
        for i in range(32 * first, 32 * last, 32):
            v = zero_f8()
            for s in range(n_shares):
                v = add_f8(v, load_f8(partials, 4 * padded * s + i))
            store_f8(out, i, v)


@njit(**KERNEL)
def decode_tokens(
    attention_kind, first_kind, rest_kind, head_kind, cache_kind,
    thread, n_threads, layers, sizes, shared, private, eps, scale, tokens, first_layer, end_layer, parts,
):  # fmt: skip
    """Thread `thread`'s shares of `parts` of the layers first_layer … end_layer, for a few tokens.

    Where each token stands, and in which sequence, is in PLACES; those of one sequence come in their order.

    layers (n_layers, slots), sizes, shared, private (threads, columns): int64 tables as above; `parts` adds up what
    there is of ATTENTION, FEED_FORWARD, SUM and HEAD. All of them, in all layers: x (embedded by the caller) → logits.
    A part begins with X as the one before it has left it, and with PROJECTED where the residual is parallel. Counts of
    neurons are left at COUNTS, (tokens, n_layers, shares, COUNTED) int64. Several tokens share the reading of what is
    read whole; each gets the bits it would get alone. Returns 1 if the stop word made all threads leave early; x and
    the caches from the tokens' places on are then undefined.
    """
    mine = private[thread]
    x, barrier, cycles = shared[X], shared[BARRIER], mine[CYCLES]
    width, padded, n_shares = sizes[WIDTH], sizes[WIDTH_PADDED], sizes[SHARES]
    heads, key_heads = sizes[HEADS], sizes[KEY_HEADS]
    n_qkv = (heads + 2 * key_heads) * sizes[HEAD_WIDTH]
    heads_stay_together = key_heads % n_shares == 0
    met = 0
    now = cycle_count()
    for layer in range(first_layer, end_layer):
        slots = layers[layer]
        if parts & ATTENTION:
            norm_and_quantise(
                attention_kind, x, slots[ATTENTION_NORM], slots[ATTENTION_NORM_BIAS], mine, sizes,
                sizes[N_ATTENTION_IN], eps, tokens,
            )  # fmt: skip
            if slots[PREDICTOR] != NO_PREDICTOR and slots[READS] == READS_ENTERING:
                see_and_project(first_kind, slots, sizes, shared, mine, thread, n_threads, tokens)
                now = spent(cycles, IN_PREDICTOR, now)
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
                        append_head(cache_kind, sizes, shared, mine, layer, t, g)
            if not heads_stay_together:
                met += 1
                meet(barrier, n_threads, met)
            for share in range(thread, n_shares, n_threads):
                for h in range(begin_of(heads, share, n_shares), begin_of(heads, share + 1, n_shares)):
                    for t in range(tokens):
                        attend_head(cache_kind, slots, sizes, shared, mine, layer, t, h, scale)
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
                    begin_of(width, share, n_shares), begin_of(width, share + 1, n_shares), sizes[N_ATTENTION_OUT],
                    sizes, tokens,
                )  # fmt: skip
                add_attended(sizes, shared, mine, share, tokens)
            now = spent(cycles, IN_OUT, now)
            if thread == 0 and not parts & FEED_FORWARD:
                atomic_store(barrier, _STOPPING, atomic_load(shared[STOP], 0))
            met += 1
            meet(barrier, n_threads, met)
            now = spent(cycles, IN_WAITING, now)
            if not parts & FEED_FORWARD and atomic_load(barrier, _STOPPING) != 0:
                return 1
        if parts & FEED_FORWARD:
            norm_and_quantise(
                first_kind, x, slots[FFN_NORM], slots[FFN_NORM_BIAS], mine, sizes, sizes[N_FFN_FIRST], eps, tokens
            )
            if slots[PREDICTOR] != NO_PREDICTOR:
                if sees_after_attention(slots, shared) and see_and_project(
                    first_kind, slots, sizes, shared, mine, thread, n_threads, tokens
                ):
                    met += 1
                    meet(barrier, n_threads, met)
                if slots[PREDICTOR] != SIGN:
                    take_projected(first_kind, slots, sizes, shared, mine, tokens)
                for share in range(thread, n_shares, n_threads):
                    score(first_kind, slots, sizes, shared, mine, share, tokens)
                now = spent(cycles, IN_PREDICTOR, now)
            for share in range(thread, n_shares, n_threads):
                alive_neurons(first_kind, slots, sizes, shared, mine, share, layer, tokens)
            now = spent(cycles, IN_FIRST, now)
            met += 1
            meet(barrier, n_threads, met)
            now = spent(cycles, IN_WAITING, now)

            if not same_kind(first_kind, rest_kind):
                for t in range(tokens):
                    normed, quantised = (
                        mine[NORMED] + t * sizes[NORMED_BYTES],
                        mine[QUANTISED] + t * sizes[QUANTISED_BYTES],
                    )
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
                if parts & SUM:
                    add_contributions(slots, sizes, shared, mine, share, tokens)
                else:
                    leave_contributions(sizes, shared, share, tokens)
            now = spent(cycles, IN_SUM, now)
            met += 1
            meet(barrier, n_threads, met)
            now = spent(cycles, IN_WAITING, now)
    if parts & HEAD:
        norm_and_quantise(
            head_kind, x, shared[FINAL_NORM], shared[FINAL_NORM_BIAS], mine, sizes, sizes[N_HEAD_IN], eps, tokens
        )
        v = sizes[VOCABULARY]
        for share in range(thread, n_shares, n_threads):
            product(
                head_kind, shared[HEAD_ROWS], sizes[HEAD_STRIDE], mine, shared[LOGITS], sizes[LOGITS_BYTES], NO_BIAS,
                begin_of(v, share, n_shares), begin_of(v, share + 1, n_shares), sizes[N_HEAD_IN], sizes, tokens,
            )  # fmt: skip
        spent(cycles, IN_HEAD, now)
    return 0
