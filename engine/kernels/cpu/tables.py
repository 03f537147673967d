"""The int64 tables by which the decode step is told everything: what stands in which column.

`runtime/decoder.py` fills them and keeps the memory alive whose addresses they hold; the kernels read them. Columns of
`private` belong to one thread, those of `shared` and `sizes` to all, those of `layers` to one layer of the model.
"""

import numpy as np

# Columns of a layer's row in `layers` (addresses; biases and norms may be 0). LEAST is where the smallest value stands
# that keeps a neuron alive. PREDICTOR is one of the kinds below and READS one of the inputs; PREDICTOR_OUT are the rows
# of the second matrix, or the signs; RANK and what follows say how the low-rank matrices lie. NEURONS are computed
# here, from number FIRST_NEURON on: with that begin FIRST, UP, DOWN, their biases, PREDICTOR_OUT and PREDICTOR_BIAS.
(
    ATTENTION_NORM, ATTENTION_NORM_BIAS, QKV, QKV_BIAS, OUT, OUT_BIAS, FFN_NORM, FFN_NORM_BIAS, FIRST, FIRST_BIAS, UP,
    UP_BIAS, DOWN, DOWN_BIAS, KEYS, VALUES, KEY_SCALES, VALUE_SCALES, LEAST, PREDICTOR, READS, PREDICTOR_IN,
    PREDICTOR_OUT, PREDICTOR_BIAS, RANK, N_RANK, PREDICTOR_OUT_STRIDE, NEURONS, FIRST_NEURON, N_LAYER_SLOTS,
) = range(30)  # fmt: skip

# Kinds of predictors, and what one reads: what the first product multiplies, the stream as it is when the feed-forward
# begins, or the stream that enters the layer.
NO_PREDICTOR, SIGN, LINEAR, RECTIFIED = range(4)
READS_NORMED, READS_STREAM, READS_ENTERING = range(3)

# Columns of `sizes`: the model's shape, padded lengths (values), strides (bytes) and choices. MAX_POSITIONS and
# OWN_POSITIONS are a head's rows in the two caches below. A block is so many neurons that their rows of one matrix stay
# in a core's cache while several tokens want them.
(
    WIDTH, WIDTH_PADDED, LAYERS, HEADS, KEY_HEADS, HEAD_WIDTH, HEAD_PADDED, ROTARY_WIDTH, WINDOW, VOCABULARY,
    MAX_POSITIONS, QKV_STRIDE, OUT_STRIDE, FIRST_STRIDE, UP_STRIDE, DOWN_STRIDE, HEAD_STRIDE, N_ATTENTION_IN,
    N_ATTENTION_OUT, N_FFN_FIRST, N_FFN_REST, N_DOWN, N_HEAD_IN, ACTIVATION, IS_GATED, RESIDUAL, CACHE_BYTES, SHARES,
    FETCH_AHEAD, QKV_BYTES, ATTENDED_BYTES, NORMED_BYTES, QUANTISED_BYTES, SIGN_BYTES, PREDICTED_BYTES,
    PREDICTION_BYTES, NEURON_SLOTS, LOGITS_BYTES, OWN_POSITIONS, FIRST_BLOCK, UP_BLOCK, DOWN_BLOCK, N_SIZES,
) = range(43)  # fmt: skip

# How a part is added to the stream.
SEQUENTIAL, PARALLEL, POST = range(3)

# The parts of a step, of which a call does some: a layer's attention, its neurons that are computed here, adding what
# these contribute to the stream (without that it is left at CONTRIBUTED, with neither bias nor residual), and after all
# layers the head.
ATTENTION, FEED_FORWARD, SUM, HEAD = 1, 2, 4, 8

# Columns of `shared` (addresses of buffers all threads see). FIRED may be 0: a byte for each token, layer and neuron
# slot, which is set to 1 where the neuron was active. ENTERING may be 0 too: the stream that entered a layer, for its
# predictor, where attention is not computed here. OWN_CACHES and PLACES are tables of their own.
(
    X, QKV_OUT, ATTENDED, PROJECTED, PARTIALS, LOGITS, ROPE_TABLE, FINAL_NORM, FINAL_NORM_BIAS, HEAD_ROWS, BARRIER,
    STOP, COUNTS, PREDICTED, ACTS, UPS, NEURON_LIST, FIRED, CONTRIBUTED, ENTERING, OWN_CACHES, PLACES, N_SHARED,
) = range(23)  # fmt: skip

# Where a token of the step stands, a row of PLACES: its position in its sequence, how many positions of that are in the
# cache that all sequences share (the layers' KEYS and its like), and what to add to a later position for its row in the
# cache that the token is written to. Offsets in bytes.
PLACE_BYTES, POSITION, N_BEFORE, ROW_OFFSET = 24, 0, 8, 16

# That other cache, a row of OWN_CACHES for each layer: addresses, as KEYS and its like. A single sequence has no
# positions before, and here the layers' own addresses.
CACHE_ROW_BYTES, OWN_KEYS, OWN_VALUES, OWN_KEY_SCALES, OWN_VALUE_SCALES = 32, 0, 8, 16, 24

# Columns of a thread's row in `private` (addresses). What a predictor reads stands in SIGNS, or as activations of the
# first product's rows in SEEN; PREDICTION is PREDICTED as such activations.
(
    NORMED, QUANTISED, UNITS, SIGNS, SEEN, SEEN_UNITS, PREDICTION, PREDICTION_UNITS, SCORES, QUERY, HEAD_OUT, READY,
    CYCLES, RUNS, BLOCK_PRODUCTS, N_PRIVATE,
) = range(16)  # fmt: skip

# A run: neighbours in a token's list of neurons that one thread multiplies, a row of RUNS. Positions in the list: its
# first, the next to be taken, its end; and how many a block has taken. Offsets in bytes. BLOCK_PRODUCTS is scratch for
# all products of a block of rows with all tokens.
RUN_BYTES, RUN_TOKEN, RUN_FIRST, RUN_NEXT, RUN_END, RUN_TAKEN = 40, 0, 8, 16, 24, 32

# What a layer's counts hold, for each share: neurons whose first product was computed, that the activation left alive,
# and that are active after the second product. Offsets in bytes.
COUNTED, CANDIDATES, EXAMINED, ACTIVE = 3, 0, 8, 16

# Phases of a step, by which its processor cycles are kept; offsets in bytes. As numpy's numbers: what is called with
# plain ones would be compiled anew for each.
PHASES = ("qkv", "attention", "out", "predictor", "first", "up", "down", "sum", "head", "waiting")
(
    IN_QKV, IN_ATTENTION, IN_OUT, IN_PREDICTOR, IN_FIRST, IN_UP, IN_DOWN, IN_SUM, IN_HEAD, IN_WAITING,
) = np.arange(0, 80, 8)  # fmt: skip
NO_BIAS, NOTHING, FIRST_TOKEN, ONE_TOKEN = np.int64(0), np.int64(0), np.int64(0), np.int64(1)
