"""One token through the model: fills the address tables of `kernels/cpu/tables.py` and keeps their memory alive.

Owns every buffer the compiled step writes to, and a table of layers for each tier: to change tier is to hand the step
another table. The step itself is `kernels/cpu/decode.py`.

Where a card computes a layer's first neurons (`place`), the step begins after them, and is run part by part: `begin`,
then for each layer `attention_part` and `feed_forward_part` as far as they are the processor's, then `head_part`. What
the parts leave and take up lies in `x`, `contributed`, `projected` and `normed`, which the caller may read and write
between them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import InternalError
from engine.kernels.cpu import decode as kernel
from engine.kernels.cpu import tables as at
from engine.kernels.cpu.kinds import CACHE_KINDS, DRELU, FATRELU, RELU, RELU2, ROW_KINDS, SILU
from engine.kernels.formats import Float32, Int64, round_up
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, aligned_empty
from engine.model.predictors import LayerChoice
from engine.model.rope import position_table
from engine.neuron_reports import EXACT
from engine.runtime.kv_cache import KVCache
from engine.runtime.predictor_rows import PredictorRows, packed_predictor, predictor_of_tensors
from engine.runtime.workers import WorkerPool

ACTIVATIONS = {"silu": SILU, "relu": RELU, "fatrelu": FATRELU, "drelu": DRELU, "relu2": RELU2}
# Bytes a stream of weights is fetched ahead of its use; measured in docs/optimisation-log.md.
FETCH_AHEAD = 3072
# Tokens one step of a single sequence can take.
MAX_TOKENS = 4
# Bytes of neurons' rows that stay in a core's cache while several tokens want them; measured in
# docs/optimisation-log.md.
BLOCK_BYTES = 256 << 10
_RESIDUALS = {"sequential": at.SEQUENTIAL, "parallel": at.PARALLEL, "post": at.POST}


@dataclass(frozen=True, slots=True, eq=False)
class _Tier:
    """What the step is handed for one tier: the table of layers, and what that points to beside the model's tensors.

    whole  the table with all neurons here, from which `table` is made anew for each placement
    least  (layers,): the smallest value that keeps a neuron alive, where it is positive at all
    """

    whole: Int64
    table: Int64
    least: Float32
    predictors: tuple[PredictorRows | None, ...]

    @property
    def n_bytes(self) -> int:
        predictors = sum(p.n_bytes for p in self.predictors if p is not None)
        return self.whole.nbytes + self.table.nbytes + self.least.nbytes + predictors


class Decoder:
    """The compiled decode step bound to one model's weights, one cache and one pool."""

    def __init__(
        self, config: ModelConfig, parts: PartFormats, tensors: Mapping[str, NDArray[Any]], cache: KVCache,
        pool: WorkerPool, fetch_ahead: int = FETCH_AHEAD, max_tokens: int = MAX_TOKENS,
    ) -> None:  # fmt: skip
        self._config, self._parts, self._pool, self._cache = config, parts, pool, cache
        self.max_tokens = max_tokens
        self._n_shares = self._n_active = pool.n_threads
        self.fetch_ahead = fetch_ahead
        self._tensors = tensors
        self._first_format = parts.of("gate") if config.is_gated else parts.of_up(config)
        self._kinds = tuple(
            ROW_KINDS[kind] for kind in (parts.attention, parts.ffn_first, parts.ffn_rest, parts.embedding)
        )
        self._cache_kind = CACHE_KINDS[cache.kind]
        self._buffers: list[NDArray[np.uint8]] = []
        self._rope = position_table(config, cache.context_tokens)
        self._n_hot = np.zeros(config.n_layers, np.int64)
        self._x, self._entering, self._contributed, self._projected = (
            self._rows(config.width, self.max_tokens) for _ in range(4)
        )
        self._normed = [self._rows(self._widest, self.max_tokens) for _ in range(pool.n_threads)]
        self.logits = self._rows(config.n_vocab, self.max_tokens)[:, : config.n_vocab]
        self._sizes = self._make_sizes(parts)
        self._barrier = self._words(64)
        self._stop = self._words(8)
        counted = (self.max_tokens, config.n_layers, self._n_shares, at.COUNTED)
        self._counts = self._words(math.prod(counted)).reshape(counted)
        self._n_tokens = 0
        self._places = self._words(max_tokens * at.PLACE_BYTES // 8).reshape(max_tokens, -1)
        self._own_caches = np.zeros((config.n_layers, at.CACHE_ROW_BYTES // 8), np.int64)
        self._cycles = self._words(pool.n_threads * 16).reshape(pool.n_threads, 16)
        self._shared = self._make_shared()
        self._private = self._make_private()
        self._eps, self._scale = np.float32(config.norm_eps), np.float32(1 / np.sqrt(config.head_width))
        exact = [predictor_of_tensors(tensors, layer, config, self._first_format) for layer in range(config.n_layers)]
        self._tier = self._make_tier(exact, [0.0] * config.n_layers)
        self._tiers = {EXACT: self._tier}
        self._rank_buffers: list[NDArray[np.uint8]] = []
        self._make_room_for_ranks()
        self._fired = np.zeros((0, config.n_layers, self._neuron_slots), np.uint8)
        self.write_to(cache)

    def for_sequences(self, own: KVCache, max_tokens: int) -> "Decoder":
        """A decoder of the same model, tiers and placement whose steps take tokens of several sequences.

        own  the cache that it appends to; the one of this decoder it only reads. `begin_at` says which rows of both
             are a token's.

        It stops where this one is told to. Buffers are its own, `max_tokens` wide. Tiers set later are not its.
        """
        wide = Decoder(
            self._config, self._parts, self._tensors, self._cache, self._pool, self.fetch_ahead, max_tokens
        )  # fmt: skip
        wide._tiers, wide._tier, wide._n_hot = self._tiers, self._tiers[EXACT], self._n_hot
        wide._make_room_for_ranks()
        wide._stop = self._stop
        wide._shared[at.STOP] = self._stop.ctypes.data
        wide.write_to(own)
        return wide

    def write_to(self, own: KVCache) -> None:
        """Append to this cache, which the caller keeps alive."""
        self._own = own
        self._sizes[at.OWN_POSITIONS] = own.context_tokens
        columns = (own.keys, own.values, own.key_scales, own.value_scales)
        for layer, row in enumerate(self._own_caches):
            row[:] = [array[layer].ctypes.data for array in columns]

    @property
    def n_bytes(self) -> int:
        """Bytes of all working buffers, and of the tiers' predictors; a model's own are among its tensors."""
        buffers = sum(b.nbytes for b in (*self._buffers, *self._rank_buffers)) + self._rope.nbytes + self._fired.nbytes
        return buffers + sum(tier.n_bytes for name, tier in self._tiers.items() if name != EXACT)

    @property
    def tiers(self) -> tuple[str, ...]:
        return tuple(self._tiers)

    def set_tiers(self, tiers: Mapping[str, Sequence[LayerChoice]]) -> None:
        """Keep these beside exact, in place of those there were. Raises InternalError on choices of another shape."""
        c, fmt = self._config, self._first_format
        made = {EXACT: self._tiers[EXACT]}
        for name, choices in tiers.items():
            if name == EXACT or len(choices) != c.n_layers:
                raise InternalError("Tier", f"{name} with {len(choices)} of {c.n_layers} layers")
            predictors = [
                packed_predictor(choice.predictor, c, fmt) if choice.predictor else None for choice in choices
            ]
            made[name] = self._make_tier(predictors, [choice.cut for choice in choices])
        self._tiers, self._tier = made, made[EXACT]
        self._make_room_for_ranks()

    def predictor_bytes(self, tier: str) -> int:
        """What a step of this tier reads of predictors: both matrices, the second as far as its neurons are here."""
        predictors = zip(self._tiers[tier].predictors, self._config.n_neurons - self._n_hot, strict=True)
        return sum(p.step_bytes(int(n_here)) for p, n_here in predictors if p is not None and n_here)

    def choices(self, tier: str) -> tuple[Float32, tuple[PredictorRows | None, ...]]:
        """For each layer the least activation that a tier keeps, and its predictor, of all neurons."""
        return self._tiers[tier].least, self._tiers[tier].predictors

    # Where neurons are --------------------------------------------------------------------------------------------

    @property
    def n_hot(self) -> tuple[int, ...]:
        """How many of each layer's neurons, from the first on, are computed elsewhere."""
        return tuple(self._n_hot.tolist())

    def place(self, n_hot: Sequence[int]) -> None:
        """From the next step on leave out the first n_hot neurons of each layer; their rows are no longer read.

        Counts and `fired` are then of the others; `fired` keeps the neurons' places. Raises InternalError.
        """
        c = self._config
        wanted = np.asarray(n_hot, np.int64)
        if wanted.shape != (c.n_layers,) or (wanted < 0).any() or (wanted > c.n_neurons).any():
            raise InternalError("Placement", f"{list(n_hot)} of {c.n_neurons} neurons in {c.n_layers} layers")
        self._n_hot = wanted
        for tier in self._tiers.values():
            self._move(tier)

    def _move(self, tier: _Tier) -> None:
        """Make a tier's table of the neurons that are here."""
        table, n_hot = tier.table, self._n_hot
        table[:] = tier.whole
        table[:, at.NEURONS], table[:, at.FIRST_NEURON] = self._config.n_neurons - n_hot, n_hot
        sizes = self._sizes
        is_sign = table[:, at.PREDICTOR] == at.SIGN
        outer_bytes = np.where(is_sign, sizes[at.SIGN_BYTES], table[:, at.PREDICTOR_OUT_STRIDE])
        for column, row_bytes in (
            (at.FIRST, sizes[at.FIRST_STRIDE]), (at.UP, sizes[at.UP_STRIDE]), (at.DOWN, sizes[at.DOWN_STRIDE]),
            (at.FIRST_BIAS, 4), (at.UP_BIAS, 4), (at.PREDICTOR_OUT, outer_bytes), (at.PREDICTOR_BIAS, 4),
        ):  # fmt: skip
            table[:, column] += np.where(table[:, column] != 0, n_hot * row_bytes, 0)

    @property
    def notes_fired(self) -> bool:
        """Whether steps leave in `fired` which neurons were active."""
        return bool(len(self._fired))

    @notes_fired.setter
    def notes_fired(self, wanted: bool) -> None:
        shape = (self.max_tokens if wanted else 0, self._config.n_layers, self._neuron_slots)
        self._fired = np.zeros(shape, np.uint8)

    @property
    def fired(self) -> NDArray[np.uint8]:
        """(tokens, layers, n), of the last step that noted it: 1 where a neuron was active. What is computed elsewhere
        is written by whoever computes it."""
        return self._fired[:, :, : self._config.n_neurons]

    @property
    def neuron_counts(self) -> Int64:
        """(tokens, layers, 3), for the last step: neurons whose first product was computed, that the activation left
        alive, and that were active."""
        return np.asarray(self._counts[: self._n_tokens].sum(axis=2))

    @property
    def phase_cycles(self) -> Int64:
        """(threads, phases): processor cycles spent in each of `PHASES` so far; zeros where they cannot be read."""
        return np.asarray(self._cycles[:, : len(at.PHASES)].copy())

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
        tables = (self._tiers[EXACT].table, self._sizes, self._shared, self._private)
        kernel.decode_tokens(*self._kinds, self._cache_kind, 0, 1, *tables, self._eps, self._scale, 1, 0, 0, 0)

    def step(
        self, embedded: Float32, position: int, *, wants_logits: bool, tier: str = EXACT, notes_fired: bool = False
    ) -> bool:  # fmt: skip
        """Run up to max_tokens tokens, given their embeddings (t, d), from `position` on; fills `logits` (t, v).

        Each token gets the bits it would get alone. With `notes_fired`, where that is switched on, `fired` is written
        anew. False if it was stopped.
        """
        self.begin(embedded, position, tier=tier, notes_fired=notes_fired)
        return self.whole_step(wants_logits=wants_logits)

    def whole_step(self, *, wants_logits: bool) -> bool:
        """All that a step which has begun computes. False if it was stopped."""
        parts = at.ATTENTION | at.FEED_FORWARD | at.SUM
        return self._run(0, self._config.n_layers, parts | at.HEAD if wants_logits else parts)

    # A step in parts ----------------------------------------------------------------------------------------------

    @property
    def x(self) -> Float32:
        """(t, padded d) of the step that has begun: the stream, zero past d. Parts begin and end with it; see there."""
        return self._x[: self._n_tokens]

    @property
    def contributed(self) -> Float32:
        """(t, padded d): what `feed_forward_part` left, the sum of the neurons here, with neither bias nor stream."""
        return self._contributed[: self._n_tokens]

    @property
    def projected(self) -> Float32:
        """(t, padded d): what attention adds, with its bias; already in `x`, but with a parallel residual."""
        return self._projected[: self._n_tokens]

    @property
    def normed(self) -> Float32:
        """(t, padded d): what the last part's first product multiplied; with norms behind the parts, what it is added
        to."""
        return self._normed[0][: self._n_tokens, : self._padded]

    def begin(self, embedded: Float32, position: int, *, tier: str = EXACT, notes_fired: bool = False) -> None:
        """Begin a step of up to max_tokens tokens, given their embeddings (t, d), at `position`; `x` is these.

        Counts and, with `notes_fired` where that is switched on, `fired` are zero until parts are run.
        """
        places = np.zeros((len(embedded), at.PLACE_BYTES // 8), np.int64)
        places[:, 0] = position + np.arange(len(embedded))
        self.begin_at(embedded, places, tier=tier, notes_fired=notes_fired)

    def begin_at(self, embedded: Float32, places: Int64, *, tier: str = EXACT, notes_fired: bool = False) -> None:
        """As `begin`, of tokens of any sequences, those of one in their order.

        places  (t, 3): a token's position, how many positions of its sequence are in the cache that is only read, and
                what to add to a later one for its row in the cache that is written
        """
        self._n_tokens, self._tier = len(embedded), self._tiers[tier]
        self._places[: self._n_tokens] = places
        self._x[: self._n_tokens, : self._config.width] = embedded
        self._counts[: self._n_tokens] = 0
        self._shared[at.FIRED] = self._shared[at.ENTERING] = 0
        if notes_fired and self.notes_fired:
            self._fired[: self._n_tokens] = 0
            self._shared[at.FIRED] = self._fired.ctypes.data

    def attention_part(self, layer: int) -> bool:
        """`x` as it enters the layer → as the feed-forward sees it, before its norm; keys and values are appended.

        With a parallel residual `x` stays, and what attention adds is left in `projected`. A predictor that reads the
        stream entering the layer has then seen it. False if it was stopped.
        """
        return self._run(layer, layer + 1, at.ATTENTION)

    def feed_forward_part(self, layer: int, *, entering: Float32 | None = None, adds: bool = False) -> bool:
        """`x` after attention → `contributed`; with `adds` → `x` as it leaves the layer, bias and residual included.

        entering  (t, padded d): the stream that entered the layer (normed, with norms behind the parts), where this
                  layer's `attention_part` was not run; read only by predictors that look at it

        Where none of the layer's neurons are here nothing is computed, `normed` neither, and they contribute zeros.
        False if it was stopped.
        """
        if self._n_hot[layer] == self._config.n_neurons and not adds:
            self._contributed[: self._n_tokens] = 0
            return True
        self._shared[at.ENTERING] = 0
        if entering is not None:
            self._entering[: self._n_tokens] = entering
            self._shared[at.ENTERING] = self._entering.ctypes.data
        is_done = self._run(layer, layer + 1, at.FEED_FORWARD | at.SUM if adds else at.FEED_FORWARD)
        self._shared[at.ENTERING] = 0  # the next layer's attention may be here
        return is_done

    def whole_layers(self, first: int, end: int) -> bool:
        """`x` as it enters layer `first` → as it leaves layer `end` - 1, of neurons that are all here. False if it was
        stopped."""
        return self._run(first, end, at.ATTENTION | at.FEED_FORWARD | at.SUM)

    def head_part(self) -> bool:
        """`x` as it leaves the last layer → `logits` (t, v)."""
        return self._run(0, 0, at.HEAD)

    def _run(self, first_layer: int, end_layer: int, parts: int) -> bool:
        self._barrier[:] = 0
        n_threads, layers = self._n_active, self._tier.table

        def job(thread: int) -> int:
            tables = (layers, self._sizes, self._shared, self._private)
            numbers = (self._eps, self._scale, self._n_tokens, first_layer, end_layer, parts)
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

    def _block(self, row_bytes: int) -> int:
        """How many neurons several tokens take their rows of before they go on."""
        return min(max(16, BLOCK_BYTES // row_bytes // 16 * 16), self._neuron_slots)

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
        buffer = _zeros(n_bytes)
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
        first = self._first_format
        values = {
            at.WIDTH: c.width, at.WIDTH_PADDED: self._padded,
            at.LAYERS: c.n_layers, at.HEADS: c.n_heads, at.KEY_HEADS: c.n_key_heads,
            at.HEAD_WIDTH: c.head_width, at.HEAD_PADDED: self._cache.head_padded,
            at.ROTARY_WIDTH: c.rotary_width, at.WINDOW: c.window, at.VOCABULARY: c.n_vocab,
            at.MAX_POSITIONS: self._cache.context_tokens, at.QKV_STRIDE: parts.of("qkv").stride(c.width),
            at.OUT_STRIDE: parts.of("out").stride(c.attention_width), at.FIRST_STRIDE: first.stride(c.width),
            at.UP_STRIDE: up.stride(c.width), at.DOWN_STRIDE: parts.of("down").stride(c.width),
            at.HEAD_STRIDE: parts.of(self._head).stride(c.width),
            at.N_ATTENTION_IN: parts.of("qkv").padded(c.width),
            at.N_ATTENTION_OUT: parts.of("out").padded(c.attention_width),
            at.N_FFN_FIRST: first.padded(c.width), at.N_FFN_REST: up.padded(c.width),
            at.N_DOWN: parts.of("down").padded(c.width), at.N_HEAD_IN: parts.of(self._head).padded(c.width),
            at.SHARES: self._n_shares,
            at.FETCH_AHEAD: self.fetch_ahead, at.QKV_BYTES: 4 * round_up(c.qkv_width, 64),
            at.ATTENDED_BYTES: 4 * round_up(c.attention_width, 64), at.NORMED_BYTES: 4 * self._widest,
            at.QUANTISED_BYTES: self._quantised_bytes(self._widest),
            at.SIGN_BYTES: self._padded // 8,
            at.NEURON_SLOTS: self._neuron_slots, at.LOGITS_BYTES: self.logits.strides[0],
            at.ACTIVATION: ACTIVATIONS[c.activation], at.IS_GATED: int(c.is_gated),
            at.RESIDUAL: _RESIDUALS[c.residual], at.CACHE_BYTES: self._cache.keys.itemsize,
            at.FIRST_BLOCK: self._block(first.stride(c.width)), at.UP_BLOCK: self._block(up.stride(c.width)),
            at.DOWN_BLOCK: self._block(parts.of("down").stride(c.width)),
        }  # fmt: skip
        sizes = np.zeros(at.N_SIZES, np.int64)
        for column, value in values.items():
            sizes[column] = value
        return sizes

    def _make_tier(self, predictors: Sequence[PredictorRows | None], cuts: Sequence[float]) -> _Tier:
        c = self._config
        table = self._make_layers()
        least = np.maximum(np.asarray(cuts, np.float32), np.float32(c.threshold if c.activation == "fatrelu" else 0))
        for layer, (row, predictor) in enumerate(zip(table, predictors, strict=True)):
            row[at.LEAST] = least[layer : layer + 1].ctypes.data
            row[at.PREDICTOR] = at.NO_PREDICTOR
            if predictor is not None:
                predictor.fill(row, c, self._first_format)
        tier = _Tier(table, table.copy(), least, tuple(predictors))
        self._move(tier)
        return tier

    def _make_room_for_ranks(self) -> None:
        """Buffers between the two matrices of the largest low-rank predictor there is."""
        ranks = [p.rank for tier in self._tiers.values() for p in tier.predictors if p is not None]
        rank = round_up(max(ranks, default=0), 64)
        n_bytes = self._quantised_bytes(rank)
        self._rank_buffers = [_zeros(self.max_tokens * size) for size in (4 * rank, *[n_bytes] * self._pool.n_threads)]
        self._sizes[at.PREDICTED_BYTES], self._sizes[at.PREDICTION_BYTES] = 4 * rank, n_bytes
        self._shared[at.PREDICTED] = self._rank_buffers[0].ctypes.data
        for row, prediction in zip(self._private, self._rank_buffers[1:], strict=True):
            row[at.PREDICTION] = prediction.ctypes.data

    def _make_layers(self) -> Int64:
        c = self._config
        names = {
            at.QKV: "qkv", at.QKV_BIAS: "qkv_bias", at.OUT: "out", at.OUT_BIAS: "out_bias",
            at.FIRST: c.first, at.FIRST_BIAS: "first_bias", at.UP: "up", at.DOWN: "down",
            at.DOWN_BIAS: "down_bias", at.UP_BIAS: "up_bias",
        }  # fmt: skip
        table = np.zeros((c.n_layers, at.N_LAYER_SLOTS), np.int64)
        for layer, row in enumerate(table):
            for column, name in names.items():
                row[column] = self._address(f"layers.{layer}.{name}")
            before_attention, before_ffn = f"layers.{layer}.attention_norm", f"layers.{layer}.ffn_norm"
            if c.residual == "post":  # each norm stands before the part that follows it
                before_attention, before_ffn = f"layers.{layer - 1}.ffn_norm", before_attention
            row[at.ATTENTION_NORM] = self._address(before_attention)
            row[at.ATTENTION_NORM_BIAS] = self._address(before_attention + "_bias")
            row[at.FFN_NORM] = self._address(before_ffn)
            row[at.FFN_NORM_BIAS] = self._address(before_ffn + "_bias")
            row[at.KEYS] = self._cache.keys[layer].ctypes.data
            row[at.VALUES] = self._cache.values[layer].ctypes.data
            row[at.KEY_SCALES] = self._cache.key_scales[layer].ctypes.data
            row[at.VALUE_SCALES] = self._cache.value_scales[layer].ctypes.data
        return table

    def _make_shared(self) -> Int64:
        c = self._config
        final_norm = f"layers.{c.n_layers - 1}.ffn_norm" if c.residual == "post" else "final_norm"
        buffers: dict[int, NDArray[Any]] = {
            at.X: self._x,
            at.QKV_OUT: self._rows(c.qkv_width, self.max_tokens),
            at.ATTENDED: self._rows(c.attention_width, self.max_tokens),
            at.PROJECTED: self._projected,
            at.CONTRIBUTED: self._contributed,
            at.PARTIALS: self._rows(self._padded, self.max_tokens * self._n_shares),
            at.ACTS: self._rows(self._neuron_slots, self.max_tokens),
            at.UPS: self._rows(self._neuron_slots, self.max_tokens),
            at.NEURON_LIST: self._words(self._neuron_slots * self.max_tokens),
            at.LOGITS: self.logits,
            at.BARRIER: self._barrier,
            at.STOP: self._stop,
            at.COUNTS: self._counts,
        }
        table = np.zeros(at.N_SHARED, np.int64)
        for column, buffer in buffers.items():
            table[column] = buffer.ctypes.data
        table[at.ROPE_TABLE] = self._rope.ctypes.data
        table[at.OWN_CACHES], table[at.PLACES] = self._own_caches.ctypes.data, self._places.ctypes.data
        table[at.FINAL_NORM] = self._address(final_norm)
        table[at.FINAL_NORM_BIAS] = self._address(final_norm + "_bias")
        table[at.HEAD_ROWS] = self._address(self._head)
        return table

    def _make_private(self) -> Int64:
        table = np.zeros((self._pool.n_threads, at.N_PRIVATE), np.int64)
        for row, normed, cycles in zip(table, self._normed, self._cycles, strict=True):
            row[at.NORMED] = normed.ctypes.data
            row[at.QUANTISED] = self._buffer(self.max_tokens * self._quantised_bytes(self._widest)).ctypes.data
            row[at.SEEN] = self._buffer(self.max_tokens * self._quantised_bytes(self._widest)).ctypes.data
            row[at.SIGNS] = self._buffer(self.max_tokens * self._padded // 8).ctypes.data
            row[at.UNITS] = self._floats(self.max_tokens).ctypes.data
            row[at.SEEN_UNITS] = self._floats(self.max_tokens).ctypes.data
            row[at.PREDICTION_UNITS] = self._floats(self.max_tokens).ctypes.data
            row[at.SCORES] = self._floats(self._cache.context_tokens + 8).ctypes.data
            for column in (at.QUERY, at.HEAD_OUT, at.READY):
                row[column] = self._floats(self._cache.head_padded).ctypes.data
            row[at.CYCLES] = cycles.ctypes.data
            block = max(self._sizes[at.FIRST_BLOCK], self._sizes[at.UP_BLOCK])
            row[at.BLOCK_PRODUCTS] = self._floats(int(block) * self.max_tokens).ctypes.data
            row[at.RUNS] = self._words(self.max_tokens * self._n_shares * at.RUN_BYTES // 8).ctypes.data
        return table


def _zeros(n_bytes: int) -> NDArray[np.uint8]:
    """Zeros that begin where a cache line does."""
    buffer = aligned_empty(n_bytes)
    buffer[:] = 0
    return buffer
