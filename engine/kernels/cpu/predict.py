"""Which neurons a predictor names: scores from signs or from low-rank matrices, in the middle of a decode step.

A layer's table says what kind its predictor is and what it reads; one compiled step serves all. A predictor that
reads the stream entering the layer is projected before attention, in the phase of the first product there, so that it
costs no barrier of its own; one that reads the feed-forward's input is projected just before. Signs are packed by each
thread for itself. Scores stand in ACTS until the candidates' first products take their place.
"""

import numpy as np
from numba import njit

from engine.kernels.cpu.activations import quantise
from engine.kernels.cpu.kinds import KERNEL, PART
from engine.kernels.cpu.phases import neuron_begin
from engine.kernels.cpu.rows import matvec_tokens
from engine.kernels.cpu.tables import (
    ACTS,
    ENTERING,
    FETCH_AHEAD,
    FIRST_STRIDE,
    N_FFN_FIRST,
    N_RANK,
    NEURON_SLOTS,
    NEURONS,
    NORMED,
    NORMED_BYTES,
    POST,
    PREDICTED,
    PREDICTED_BYTES,
    PREDICTION,
    PREDICTION_BYTES,
    PREDICTION_UNITS,
    PREDICTOR,
    PREDICTOR_BIAS,
    PREDICTOR_IN,
    PREDICTOR_OUT,
    PREDICTOR_OUT_STRIDE,
    QUANTISED,
    QUANTISED_BYTES,
    RANK,
    READS,
    READS_ENTERING,
    READS_NORMED,
    RECTIFIED,
    RESIDUAL,
    SEEN,
    SEEN_UNITS,
    SHARES,
    SIGN,
    SIGN_BYTES,
    SIGNS,
    UNITS,
    WIDTH,
    WIDTH_PADDED,
    X,
)
from engine.kernels.cpu.vectors import (
    add_differing,
    count_bits,
    load_f8,
    load_f32,
    load_i64,
    load_w4,
    store_f32,
    store_i64,
    store_negative_f8,
    sum_w4,
    zero_w4,
)


@njit(**KERNEL)
def pack_signs(x, out, n):
    """n float32, n a multiple of 64 → n / 64 words: a set bit where a value is below zero, lowest bit first."""
    for i in range(0, n, 8):
        store_negative_f8(out, i >> 3, load_f8(x, 4 * i))


@njit(**PART)
def differing_bits(a, b, words):
    """In how many bits two rows of int64 words differ."""
    total, whole = zero_w4(), words // 4 * 32
    for i in range(0, whole, 32):
        total = add_differing(total, load_w4(a, i), load_w4(b, i))
    differing = sum_w4(total)
    for i in range(whole, 8 * words, 8):
        differing += count_bits(load_i64(a, i) ^ load_i64(b, i))
    return differing


@njit(**KERNEL)
def sign_scores(signs, words, width, x, x_bytes, bias, y, y_bytes, tokens, first, last):
    """y[t, first:last] = on how many of `width` values the signs of a row and of x[t] agree, less width / 2, plus bias.

    signs and x are rows of packed signs, of `words` int64 each; bias and y float32.
    """
    for row in range(first, last):
        for t in range(tokens):
            agreeing = width - 2 * differing_bits(signs + 8 * words * row, x + t * x_bytes, words)
            score = np.float32(agreeing) * np.float32(0.5) + load_f32(bias, 4 * row)
            store_f32(y + t * y_bytes, 4 * row, score)


@njit(**PART)
def sees_after_attention(slots, shared):
    """Whether a layer's predictor sees its input when the feed-forward begins; otherwise it has before attention."""
    return slots[READS] != READS_ENTERING or shared[ENTERING] != 0


@njit(**PART)
def see(kind, slots, sizes, shared, mine, tokens):
    """Make ready what a layer's predictor reads, at the place in the layer where it is known.

    With norms behind the parts, the stream entering a layer is what attention multiplies. Where attention was not
    computed here, the caller has put that stream at ENTERING.
    """
    reads, padded = slots[READS], sizes[WIDTH_PADDED]
    for t in range(tokens):
        x = shared[X] + 4 * padded * t
        if reads == READS_ENTERING and shared[ENTERING] != 0:
            x = shared[ENTERING] + 4 * padded * t
        elif reads == READS_NORMED or sizes[RESIDUAL] == POST:
            x = mine[NORMED] + t * sizes[NORMED_BYTES]
        if slots[PREDICTOR] == SIGN:
            pack_signs(x, mine[SIGNS] + t * sizes[SIGN_BYTES], padded)
        elif reads != READS_NORMED:
            unit = quantise(kind, x, mine[SEEN] + t * sizes[QUANTISED_BYTES], sizes[N_FFN_FIRST])
            store_f32(mine[SEEN_UNITS], 4 * t, unit)


@njit(**PART)
def project(kind, slots, sizes, shared, mine, share, tokens):
    """A share's rows of a low-rank predictor's inner product, into PREDICTED; zeros follow the last of all rows."""
    x, units = (mine[QUANTISED], mine[UNITS]) if slots[READS] == READS_NORMED else (mine[SEEN], mine[SEEN_UNITS])
    rank, n_shares, y_bytes = slots[RANK], sizes[SHARES], sizes[PREDICTED_BYTES]
    first, last = rank * share // n_shares, rank * (share + 1) // n_shares
    matvec_tokens(
        kind, slots[PREDICTOR_IN], sizes[FIRST_STRIDE], x, sizes[QUANTISED_BYTES], shared[PREDICTED], y_bytes, units,
        tokens, first, last, sizes[N_FFN_FIRST], sizes[FETCH_AHEAD],
    )  # fmt: skip
    for t in range(tokens):
        y = shared[PREDICTED] + t * y_bytes
        if slots[PREDICTOR] == RECTIFIED:
            for i in range(4 * first, 4 * last, 4):
                if load_f32(y, i) < np.float32(0):
                    store_f32(y, i, np.float32(0))
        if share == n_shares - 1:
            for i in range(4 * rank, 4 * slots[N_RANK], 4):
                store_f32(y, i, np.float32(0))


@njit(**PART)
def see_and_project(kind, slots, sizes, shared, mine, thread, n_threads, tokens):
    """All a thread does before scores can be computed; returns whether threads must meet before that."""
    see(kind, slots, sizes, shared, mine, tokens)
    if slots[PREDICTOR] == SIGN:
        return False
    for share in range(thread, sizes[SHARES], n_threads):
        project(kind, slots, sizes, shared, mine, share, tokens)
    return sees_after_attention(slots, shared)


@njit(**PART)
def score(kind, slots, sizes, shared, mine, share, tokens):
    """Scores of a share's neurons, at their places in ACTS."""
    slot_bytes, bias, n_shares = 4 * sizes[NEURON_SLOTS], slots[PREDICTOR_BIAS], sizes[SHARES]
    first, last = neuron_begin(slots[NEURONS], share, n_shares), neuron_begin(slots[NEURONS], share + 1, n_shares)
    if slots[PREDICTOR] == SIGN:
        sign_scores(
            slots[PREDICTOR_OUT], sizes[WIDTH_PADDED] // 64, sizes[WIDTH], mine[SIGNS], sizes[SIGN_BYTES], bias,
            shared[ACTS], slot_bytes, tokens, first, last,
        )  # fmt: skip
        return
    matvec_tokens(
        kind, slots[PREDICTOR_OUT], slots[PREDICTOR_OUT_STRIDE], mine[PREDICTION], sizes[PREDICTION_BYTES],
        shared[ACTS], slot_bytes, mine[PREDICTION_UNITS], tokens, first, last, slots[N_RANK], sizes[FETCH_AHEAD],
    )  # fmt: skip
    for t in range(tokens):
        y = shared[ACTS] + t * slot_bytes
        for i in range(4 * first, 4 * last, 4):
            store_f32(y, i, load_f32(y, i) + load_f32(bias, i))


@njit(**PART)
def take_projected(kind, slots, sizes, shared, mine, tokens):
    """PREDICTED, which all threads have filled, as activations of the second matrix's rows."""
    for t in range(tokens):
        projected, out = shared[PREDICTED] + t * sizes[PREDICTED_BYTES], mine[PREDICTION] + t * sizes[PREDICTION_BYTES]
        store_f32(mine[PREDICTION_UNITS], 4 * t, quantise(kind, projected, out, slots[N_RANK]))


@njit(**PART)
def list_candidates(scores, neurons, first, last):
    """List the rows from `first` on whose predicted score is positive, or no number; returns how many."""
    k = 0
    for i in range(last - first):
        store_i64(neurons, 8 * k, first + i)
        if not load_f32(scores, 4 * i) <= np.float32(0):
            k += 1
    return k
