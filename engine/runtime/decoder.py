"""One token through the model: fills the address tables of `kernels/cpu/decode.py` and keeps their memory alive.

Owns every buffer the compiled step writes to. The step itself, and what each table column means, is in the kernel.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cpu import decode as kernel
from engine.kernels.cpu.kinds import CACHE_KINDS, DRELU, FATRELU, RELU, RELU2, ROW_KINDS, SILU
from engine.kernels.formats import Float32, Int64, round_up
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, aligned_empty
from engine.model.rope import position_table
from engine.runtime.kv_cache import KVCache
from engine.runtime.workers import WorkerPool

ACTIVATIONS = {"silu": SILU, "relu": RELU, "fatrelu": FATRELU, "drelu": DRELU, "relu2": RELU2}
# Bytes a stream of weights is fetched ahead of its use; measured in docs/optimisation-log.md.
FETCH_AHEAD = 3072
# Tokens one step can take.
MAX_TOKENS = 4
_RESIDUALS = {"sequential": kernel.SEQUENTIAL, "parallel": kernel.PARALLEL, "post": kernel.POST}


class Decoder:
    """The compiled decode step bound to one model's weights, one cache and one pool."""

    def __init__(
        self, config: ModelConfig, parts: PartFormats, tensors: Mapping[str, NDArray[Any]], cache: KVCache,
        pool: WorkerPool, fetch_ahead: int = FETCH_AHEAD,
    ) -> None:  # fmt: skip
        self._config, self._pool, self._cache = config, pool, cache
        self._n_shares = self._n_active = pool.n_threads
        self.fetch_ahead = fetch_ahead
        first = tensors.get("layers.0.predictor_in")
        self._rank = 0 if first is None else len(first)
        self._tensors = tensors
        self._kinds = tuple(
            ROW_KINDS[kind] for kind in (parts.attention, parts.ffn_first, parts.ffn_rest, parts.embedding)
        )
        self._cache_kind = CACHE_KINDS[cache.kind]
        self._buffers: list[NDArray[np.uint8]] = []
        self._rope = position_table(config, cache.context_tokens)
        self._x = self._rows(config.width, MAX_TOKENS)
        self.logits = self._rows(config.n_vocab, MAX_TOKENS)[:, : config.n_vocab]
        self._sizes = self._make_sizes(parts)
        self._layers = self._make_layers()
        self._barrier = self._words(64)
        self._stop = self._words(8)
        counted = (MAX_TOKENS, config.n_layers, self._n_shares, kernel.COUNTED)
        self._counts = self._words(math.prod(counted)).reshape(counted)
        self._n_counted = 0
        self._cycles = self._words(pool.n_threads * 16).reshape(pool.n_threads, 16)
        self._shared = self._make_shared()
        self._private = self._make_private()
        self._eps, self._scale = np.float32(config.norm_eps), np.float32(1 / np.sqrt(config.head_width))
        self._threshold = np.float32(config.threshold)

    @property
    def n_bytes(self) -> int:
        """Bytes of all working buffers."""
        return sum(b.nbytes for b in self._buffers) + self._rope.nbytes

    @property
    def neuron_counts(self) -> Int64:
        """(tokens, layers, 3), for the last step: neurons whose first product was computed, that the activation left
        alive, and that were active."""
        return np.asarray(self._counts[: self._n_counted].sum(axis=2))

    @property
    def phase_cycles(self) -> Int64:
        """(threads, phases): processor cycles spent in each of `PHASES` so far; zeros where they cannot be read."""
        return np.asarray(self._cycles[:, : len(kernel.PHASES)].copy())

    @property
    def n_active_threads(self) -> int:
        """How many of the pool's threads run a step; fewer change the time a step takes, never its result."""
        return self._n_active

    @n_active_threads.setter
    def n_active_threads(self, n: int) -> None:
        self._n_active = max(1, min(n, self._pool.n_threads))

    def request_stop(self) -> None:
        """Make a running step return early, from any thread."""
        self._stop[0] = 1

    def clear_stop(self) -> None:
        self._stop[0] = 0

    def compile(self) -> None:
        """Compile the step, or load it from the cache, on this thread alone: it runs over no layer and touches nothing.

        Were it compiled by the workers, one that fails would leave the others waiting for it.
        """
        nothing = self._sizes.copy()
        nothing[kernel.LAYERS] = 0
        tables = (self._layers, nothing, self._shared, self._private)
        kernel.decode_tokens(
            *self._kinds, self._cache_kind, 0, 1, *tables, self._eps, self._scale, self._threshold, 0, 1, False
        )

    def step(self, embedded: Float32, position: int, *, wants_logits: bool) -> bool:
        """Run up to MAX_TOKENS tokens, given their embeddings (t, d), from `position` on; fills `logits` (t, v).

        Each token gets the bits it would get alone. False if it was stopped.
        """
        tokens = len(embedded)
        self._x[:tokens, : self._config.width] = embedded
        self._n_counted = tokens
        self._barrier[:] = 0
        self._shared[kernel.ROPE_TABLE] = self._rope[position].ctypes.data
        n_threads = self._n_active

        def job(thread: int) -> int:
            tables = (self._layers, self._sizes, self._shared, self._private)
            numbers = (self._eps, self._scale, self._threshold, position, tokens, wants_logits)
            try:
                return int(kernel.decode_tokens(*self._kinds, self._cache_kind, thread, n_threads, *tables, *numbers))
            except BaseException:
                self._barrier[kernel.GENERATION // 8] = kernel.ABANDONED  # the others would wait for this one
                raise

        return bool(self._pool.run(job, n_threads) == 0)

    # Tables -------------------------------------------------------------------------------------------------------

    @property
    def _padded(self) -> int:
        return round_up(self._config.width, 64)

    @property
    def _widest(self) -> int:
        return round_up(max(self._config.width, self._config.attention_width), 64)

    @property
    def _neuron_slots(self) -> int:
        """Neurons of a token's lists: what is computed in whole vectors may reach 16 past the last."""
        return round_up(self._config.n_neurons + 16, 64)

    def _quantised_bytes(self, n: int) -> int:
        """Bytes of n activations in whatever kind, with scales and sums."""
        return 4 * n + 512

    def _floats(self, n: int) -> Float32:
        return self._buffer(4 * round_up(n, 64)).view(np.float32)[:n]

    def _rows(self, columns: int, rows: int) -> Float32:
        """(rows, columns and padding)."""
        return self._floats(rows * round_up(columns, 64)).reshape(rows, round_up(columns, 64))

    def _words(self, n: int) -> Int64:
        return self._buffer(8 * n).view(np.int64)

    def _buffer(self, n_bytes: int) -> NDArray[np.uint8]:
        buffer = aligned_empty(n_bytes)
        buffer[:] = 0
        self._buffers.append(buffer)
        return buffer

    @property
    def _head(self) -> str:
        return "embedding" if self._config.is_tied else "head"

    def _address(self, name: str) -> int:
        """Where a tensor lies; 0 where this model has no such tensor."""
        tensor = self._tensors.get(name)
        return 0 if tensor is None else int(tensor.ctypes.data)

    def _make_sizes(self, parts: PartFormats) -> Int64:
        c = self._config
        up = parts.of_up(c)
        first = parts.of("gate") if c.is_gated else up
        values = {
            kernel.WIDTH: c.width, kernel.WIDTH_PADDED: self._padded, kernel.NEURONS: c.n_neurons,
            kernel.LAYERS: c.n_layers, kernel.HEADS: c.n_heads, kernel.KEY_HEADS: c.n_key_heads,
            kernel.HEAD_WIDTH: c.head_width, kernel.HEAD_PADDED: self._cache.head_padded,
            kernel.ROTARY_WIDTH: c.rotary_width, kernel.WINDOW: c.window, kernel.VOCABULARY: c.n_vocab,
            kernel.MAX_POSITIONS: self._cache.context_tokens, kernel.QKV_STRIDE: parts.of("qkv").stride(c.width),
            kernel.OUT_STRIDE: parts.of("out").stride(c.attention_width), kernel.FIRST_STRIDE: first.stride(c.width),
            kernel.UP_STRIDE: up.stride(c.width), kernel.DOWN_STRIDE: parts.of("down").stride(c.width),
            kernel.HEAD_STRIDE: parts.of(self._head).stride(c.width),
            kernel.N_ATTENTION_IN: parts.of("qkv").padded(c.width),
            kernel.N_ATTENTION_OUT: parts.of("out").padded(c.attention_width),
            kernel.N_FFN_FIRST: first.padded(c.width), kernel.N_FFN_REST: up.padded(c.width),
            kernel.N_DOWN: parts.of("down").padded(c.width), kernel.N_HEAD_IN: parts.of(self._head).padded(c.width),
            kernel.RANK: self._rank, kernel.N_RANK: first.padded(max(self._rank, 1)),
            kernel.PREDICTOR_IN_STRIDE: first.stride(c.width),
            kernel.PREDICTOR_OUT_STRIDE: first.stride(max(self._rank, 1)), kernel.SHARES: self._n_shares,
            kernel.FETCH_AHEAD: self.fetch_ahead, kernel.QKV_BYTES: 4 * round_up(c.qkv_width, 64),
            kernel.ATTENDED_BYTES: 4 * round_up(c.attention_width, 64), kernel.NORMED_BYTES: 4 * self._widest,
            kernel.QUANTISED_BYTES: self._quantised_bytes(self._widest),
            kernel.PREDICTED_BYTES: 4 * round_up(self._rank, 64),
            kernel.PREDICTION_BYTES: self._quantised_bytes(round_up(self._rank, 64)),
            kernel.NEURON_SLOTS: self._neuron_slots, kernel.LOGITS_BYTES: self.logits.strides[0],
            kernel.ACTIVATION: ACTIVATIONS[c.activation], kernel.IS_GATED: int(c.is_gated),
            kernel.RESIDUAL: _RESIDUALS[c.residual], kernel.CACHE_BYTES: self._cache.keys.itemsize,
        }  # fmt: skip
        sizes = np.zeros(kernel.N_SIZES, np.int64)
        for column, value in values.items():
            sizes[column] = value
        return sizes

    def _make_layers(self) -> Int64:
        c = self._config
        names = {
            kernel.QKV: "qkv", kernel.QKV_BIAS: "qkv_bias", kernel.OUT: "out", kernel.OUT_BIAS: "out_bias",
            kernel.FIRST: c.first, kernel.FIRST_BIAS: "first_bias", kernel.UP: "up", kernel.DOWN: "down",
            kernel.DOWN_BIAS: "down_bias", kernel.PREDICTOR_IN: "predictor_in", kernel.PREDICTOR_OUT: "predictor_out",
            kernel.PREDICTOR_BIAS: "predictor_bias", kernel.UP_BIAS: "up_bias",
        }  # fmt: skip
        table = np.zeros((c.n_layers, kernel.N_LAYER_SLOTS), np.int64)
        for layer, row in enumerate(table):
            for column, name in names.items():
                row[column] = self._address(f"layers.{layer}.{name}")
            before_attention, before_ffn = f"layers.{layer}.attention_norm", f"layers.{layer}.ffn_norm"
            if c.residual == "post":  # each norm stands before the part that follows it
                before_attention, before_ffn = f"layers.{layer - 1}.ffn_norm", before_attention
            row[kernel.ATTENTION_NORM] = self._address(before_attention)
            row[kernel.ATTENTION_NORM_BIAS] = self._address(before_attention + "_bias")
            row[kernel.FFN_NORM] = self._address(before_ffn)
            row[kernel.FFN_NORM_BIAS] = self._address(before_ffn + "_bias")
            row[kernel.KEYS] = self._cache.keys[layer].ctypes.data
            row[kernel.VALUES] = self._cache.values[layer].ctypes.data
            row[kernel.KEY_SCALES] = self._cache.key_scales[layer].ctypes.data
            row[kernel.VALUE_SCALES] = self._cache.value_scales[layer].ctypes.data
        return table

    def _make_shared(self) -> Int64:
        c = self._config
        final_norm = f"layers.{c.n_layers - 1}.ffn_norm" if c.residual == "post" else "final_norm"
        buffers: dict[int, NDArray[Any]] = {
            kernel.X: self._x,
            kernel.QKV_OUT: self._rows(c.qkv_width, MAX_TOKENS),
            kernel.ATTENDED: self._rows(c.attention_width, MAX_TOKENS),
            kernel.PROJECTED: self._rows(c.width, MAX_TOKENS),
            kernel.PARTIALS: self._rows(self._padded, MAX_TOKENS * self._n_shares),
            kernel.PREDICTED: self._rows(max(self._rank, 1), MAX_TOKENS),
            kernel.ACTS: self._rows(self._neuron_slots, MAX_TOKENS),
            kernel.UPS: self._rows(self._neuron_slots, MAX_TOKENS),
            kernel.NEURON_LIST: self._words(self._neuron_slots * MAX_TOKENS),
            kernel.LOGITS: self.logits,
            kernel.BARRIER: self._barrier,
            kernel.STOP: self._stop,
            kernel.COUNTS: self._counts,
        }
        table = np.zeros(kernel.N_SHARED, np.int64)
        for column, buffer in buffers.items():
            table[column] = buffer.ctypes.data
        table[kernel.FINAL_NORM] = self._address(final_norm)
        table[kernel.FINAL_NORM_BIAS] = self._address(final_norm + "_bias")
        table[kernel.HEAD_ROWS] = self._address(self._head)
        return table

    def _make_private(self) -> Int64:
        ranked = round_up(self._rank, 64)
        table = np.zeros((self._pool.n_threads, kernel.N_PRIVATE), np.int64)
        for row, cycles in zip(table, self._cycles, strict=True):
            row[kernel.NORMED] = self._rows(self._widest, MAX_TOKENS).ctypes.data
            row[kernel.QUANTISED] = self._buffer(MAX_TOKENS * self._quantised_bytes(self._widest)).ctypes.data
            row[kernel.PREDICTION] = self._buffer(MAX_TOKENS * self._quantised_bytes(ranked)).ctypes.data
            row[kernel.UNITS] = self._floats(MAX_TOKENS).ctypes.data
            row[kernel.PREDICTION_UNITS] = self._floats(MAX_TOKENS).ctypes.data
            row[kernel.SCORES] = self._floats(self._cache.context_tokens + 8).ctypes.data
            for column in (kernel.QUERY, kernel.HEAD_OUT, kernel.READY):
                row[column] = self._floats(self._cache.head_padded).ctypes.data
            row[kernel.CYCLES] = cycles.ctypes.data
        return table
