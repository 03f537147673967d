"""Many tokens at once: the dense pass that fills the cache.

Owns the buffers and the order of the phases; the products are those of `kernels/cpu/gemm.py`, shared among the pool's
threads by rows, and what lies between them by tokens. Attention multiplies with the linear algebra library behind
numpy, which should run on one thread of its own (the engine's host sees to that). Float rows, the reference path, are
multiplied there too. Sparsity does not help here: a chunk of tokens together touches nearly every neuron.

Where a card computes a layer's first neurons (`place`), it does so while the others are computed here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled, InternalError
from engine.kernels.cpu import gemm, prompt
from engine.kernels.cpu.kinds import ROW_KINDS
from engine.kernels.formats import F32, Bytes, Float32, RowFormat, round_up
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, aligned_empty
from engine.model.rope import position_table
from engine.runtime.decoder import ACTIVATIONS
from engine.runtime.kv_cache import KVCache
from engine.runtime.residence import advise_mapped
from engine.runtime.workers import WorkerPool

# Tokens whose attention is computed together.
_ATTENTION_TOKENS = 64
# Rows of float weights unpacked together.
_FLOAT_ROWS = 256

# Called with the first and the end of a range of tokens.
TokenJob = Callable[[int, int], None]
# Called after each layer with how many are done.
OnLayer = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class LayerView:
    """What one layer's feed-forward saw and made of t tokens; views that are valid during the call only.

    entering  (t, d) the stream that entered the layer
    stream    (t, d) the stream before the feed-forward's norm (with a parallel residual: `entering`)
    normed    (t, d) what the first product multiplies
    first     (t, n) the first product with its bias, before the activation
    product   (t, n) what the down product multiplies; a tap may change it in place
    """

    entering: Float32
    stream: Float32
    normed: Float32
    first: Float32
    product: Float32


class Tap(Protocol):
    """Watches a dense pass, and may take part in it. Called on the thread that runs the pass."""

    def attended(self, layer: int, heads: Float32) -> None:
        """heads (t, h, e): the attention's output of each head before its projection; may be changed in place."""

    def neurons(self, layer: int, view: LayerView) -> None:
        """After the activation, before the down product."""


class HotPart(Protocol):
    """Computes each layer's first neurons elsewhere while a prompt is read. Called on the thread that runs the pass."""

    def begin(self, layer: int, normed: Float32) -> None:
        """Set out, with what the first product multiplies, (t, d); a view that is valid until `finish`."""

    def finish(self, layer: int) -> Float32:
        """(t, d): the sum of these neurons, without a bias. Each `begin` is followed by one, also when the pass is
        stopped."""


def prompt_bytes(config: ModelConfig, most_tokens: int) -> int:
    """About what a `Prefill` takes beside the weights: a row of every buffer for each token it reads at once."""
    floats = 3 * config.width + config.qkv_width + config.attention_width + (2 + config.is_gated) * config.n_neurons
    return 4 * round_up(most_tokens, gemm.TILE_TOKENS) * floats


class Prefill:
    """The dense pass bound to one model's weights, one cache and one pool; reads up to `most_tokens` at once."""

    def __init__(
        self, config: ModelConfig, parts: PartFormats, tensors: Mapping[str, NDArray[Any]], cache: KVCache,
        pool: WorkerPool, most_tokens: int,
    ) -> None:  # fmt: skip
        self._config, self._parts, self._tensors, self._cache, self._pool = config, parts, tensors, cache, pool
        self._most = most = round_up(most_tokens, gemm.TILE_TOKENS)
        self._rope = position_table(config, cache.context_tokens)
        self._stop = np.zeros(8, np.int64)
        self._x, self._normed, self._projected = (_floats(most, config.width) for _ in range(3))
        self._qkv, self._attended = _floats(most, config.qkv_width), _floats(most, config.attention_width)
        self._acts = _floats(most, config.n_neurons)
        self._ups = _floats(most, config.n_neurons if config.is_gated else 1)
        widest = _columns(max(config.width, config.attention_width, config.n_neurons))
        self._quantised = aligned_empty(2 * most * widest)
        self._units = np.zeros(most * widest // gemm.UNIT_VALUES, np.float32)
        self._row_units = _floats(1, config.n_neurons)
        self._factors = [_floats(1, gemm.PANEL_OUTPUTS) for _ in range(pool.n_threads)]
        self._panels = [aligned_empty(gemm.PANEL_BYTES) for _ in range(pool.n_threads)]
        self._input, self._input_values = self._normed, config.width
        self._entering = np.empty((0, config.width), np.float32)
        self._n_hot: tuple[int, ...] = (0,) * config.n_layers
        self._hot: HotPart | None = None
        self._cold_biases: dict[int, Float32] = {}

    @property
    def n_bytes(self) -> int:
        return sum(buffer.nbytes for buffer in self.buffers)

    @property
    def buffers(self) -> tuple[NDArray[Any], ...]:
        """All that is kept beside the weights."""
        floats = (self._x, self._normed, self._projected, self._qkv, self._attended, self._acts, self._ups)
        rest = (self._rope, self._units, self._row_units, *self._cold_biases.values())
        return (*floats, *rest, self._quantised, *self._panels)

    def compile_steps(self) -> list[Callable[[], object]]:
        """Calls that compile what a prompt needs, or load it from the cache, one kernel at a time; they do no work."""
        c, parts, zero, f0 = self._config, self._parts, 0, np.float32(0)
        formats = {parts.of(name) for name in ("qkv", "out", "gate", "up", c.first)} | {parts.of_up(c)}
        row_kinds = [ROW_KINDS[fmt.name] for fmt in sorted(formats - {F32}, key=lambda fmt: fmt.name)]
        down = [] if parts.of("down") is F32 else [ROW_KINDS[parts.of("down").name]]
        nothing, scratch, stop = [zero] * 6, _floats(1, self._cache.head_padded), self._stop.ctypes.data
        return [
            lambda: prompt.norm_tokens(*nothing, zero, f0, zero, zero),
            lambda: prompt.quantise_tokens(*nothing, *nothing[:4]),
            lambda: prompt.add_tokens(*nothing),
            lambda: prompt.activate_tokens(*nothing, zero, zero, f0, zero, zero),
            lambda: prompt.rotate_tokens(*nothing, zero, zero, zero),
            lambda: prompt.softmax_tokens(zero, zero, zero, zero, zero, f0, zero),
            lambda: self._cache.write(0, 0, 0, scratch, scratch, 0, 0, scratch),
            lambda: self._cache.read(0, 0, 0, scratch, scratch),
            *(lambda kind=kind: gemm.multiply_rows(kind, *nothing, *nothing, zero, zero, zero, stop)
              for kind in row_kinds),
            *(lambda kind=kind: gemm.row_units(kind, *nothing) for kind in down),
            *(lambda kind=kind: gemm.multiply_down(kind, *nothing, *nothing, zero, zero, zero, stop)
              for kind in down),
        ]  # fmt: skip

    def place(self, n_hot: Sequence[int], hot: HotPart | None = None) -> None:
        """From the next pass on leave each layer's first n_hot neurons to `hot`; their rows are no longer read.

        Raises InternalError.
        """
        c = self._config
        if len(n_hot) != c.n_layers or not all(0 <= n <= c.n_neurons for n in n_hot) or (hot is None and any(n_hot)):
            raise InternalError("Placement", f"{list(n_hot)} of {c.n_neurons} neurons in {c.n_layers} layers")
        self._n_hot, self._hot, self._cold_biases = tuple(int(n) for n in n_hot), hot, {}
        for layer, n in enumerate(self._n_hot):
            bias = self._tensors.get(f"layers.{layer}.first_bias")
            if n and bias is not None:  # a copy: kernels read biases in whole vectors
                self._cold_biases[layer] = _floats(1, c.n_neurons - n)
                self._cold_biases[layer][0, : c.n_neurons - n] = bias[n : c.n_neurons]

    def request_stop(self) -> None:
        """Make a running pass raise Cancelled within one panel of weights, from any thread."""
        self._stop[0] = 1

    def clear_stop(self) -> None:
        self._stop[0] = 0

    def run(
        self, x: Float32, first: int, on_layer: OnLayer = lambda done: None, tap: Tap | None = None
    ) -> Float32:  # fmt: skip
        """x (t, d): embeddings of the tokens at positions first… → the last layer's output (t, d); fills the cache.

        Raises Cancelled, what the hot part raises, and InternalError where a tap is to see neurons that are elsewhere.
        """
        if tap is not None and any(self._n_hot):
            raise InternalError("Tap", f"{sum(self._n_hot)} neurons are computed elsewhere")
        advise_mapped(self._config, self._tensors, for_prompt=True)
        try:
            return self._run_layers(x, first, on_layer, tap)
        finally:
            advise_mapped(self._config, self._tensors)

    def _run_layers(self, x: Float32, first: int, on_layer: OnLayer, tap: Tap | None) -> Float32:
        c, t = self._config, len(x)
        self._x[:t, : c.width] = x
        for layer in range(c.n_layers):
            name = f"layers.{layer}."
            if tap is not None:
                self._entering = self._x[:t, : c.width].copy()
            self._prepare("" if c.residual == "post" else name + "attention_norm", t)
            self._multiply(t, (name + "qkv", self._parts.of("qkv"), self._qkv))
            self._append(layer, first, t)
            self._attend(layer, first, t)
            if tap is not None:
                tap.attended(layer, self._attended[:t, : c.attention_width].reshape(t, c.n_heads, c.head_width))
            self._by_tokens(t, self._quantising(self._attended, c.attention_width))
            self._multiply(t, (name + "out", self._parts.of("out"), self._projected))
            if c.residual == "parallel":
                self._prepare(name + "ffn_norm", t)
                self._add(t)
            else:
                self._add(t, norm=name + "attention_norm" if c.residual == "post" else "")
                self._prepare("" if c.residual == "post" else name + "ffn_norm", t)
            self._feed_forward(layer, t, tap)
            self._add(t, norm=name + "ffn_norm" if c.residual == "post" else "")
            on_layer(layer + 1)
        return self._x[:t, : c.width].copy()

    def logits(self, x: Float32) -> Float32:
        """The last layer's output (t, d), t at most `most_tokens` → logits (t, v)."""
        c, t = self._config, len(x)
        head = "embedding" if c.is_tied else "head"
        self._x[:t, : c.width] = x
        self._prepare("" if c.residual == "post" else "final_norm", t)
        out = _floats(self._most, c.n_vocab)
        self._multiply(t, (head, self._parts.of(head), out))
        return out[:t, : c.n_vocab].copy()

    # Phases -------------------------------------------------------------------------------------------------------

    def _prepare(self, norm: str, t: int) -> None:
        """Norm x into `normed`, or copy it without a norm, and quantise that."""
        c = self._config
        self._by_tokens(t, self._norming(self._x, self._normed, norm), self._quantising(self._normed, c.width))

    def _norming(self, x: Float32, out: Float32, norm: str) -> TokenJob:
        """out[t] = norm(x[t]), a copy where `norm` is empty."""
        c, eps = self._config, np.float32(self._config.norm_eps)
        weight, bias = (self._address(norm), self._address(norm + "_bias")) if norm else (0, 0)
        source, target, stride, padded = x.ctypes.data, out.ctypes.data, x.strides[0], round_up(c.width, 64)

        def job(first: int, last: int) -> None:
            prompt.norm_tokens(source, weight, bias, target, stride, c.width, padded, eps, first, last)

        return job

    def _quantising(self, x: Float32, n: int, factors: int = 0) -> TokenJob:
        """x (tokens, n and padding) is what the next product multiplies; integers are made of it for packed rows."""
        self._input, self._input_values, padded = x, n, x.shape[1]
        source, out, units = x.ctypes.data, self._quantised.ctypes.data, self._units.ctypes.data
        x_stride, units_stride = x.strides[0], 4 * padded // gemm.UNIT_VALUES

        def job(first: int, last: int) -> None:
            prompt.quantise_tokens(source, x_stride, factors, out, 2 * padded, units, units_stride, padded, first, last)

        return job

    def _multiply(
        self, t: int, *products: tuple[str, RowFormat, Float32], units_of: str = "", begin: int = 0
    ) -> None:  # fmt: skip
        """For each (matrix, its format, out): out[:t] = the input times its rows from `begin` on, plus their bias.

        With `units_of`, the units of these rows of that down matrix are left in `row_units` too.
        """

        def job(thread: int) -> None:
            for name, fmt, out in products:
                rows = self._tensors[name][begin:]
                first, last = self._blocks(thread, len(rows), gemm.TILE_OUTPUTS)
                if fmt is F32:
                    self._multiply_floats(rows, out, t, first, last)
                else:
                    self._multiply_rows(thread, rows, fmt, out, t, first, last)
                bias = self._tensors.get(name + "_bias")
                if bias is not None:
                    out[:t, first : min(last, len(rows))] += bias[begin:][first : min(last, len(rows))]
            if units_of:
                self._find_units(thread, self._tensors[units_of][begin:])

        self._run(job)

    def _multiply_rows(
        self, thread: int, rows: Bytes, fmt: RowFormat, out: Float32, t: int, first: int, last: int
    ) -> None:
        padded = self._input.shape[1]
        gemm.multiply_rows(
            ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], len(rows), fmt.padded(self._input_values),
            self._quantised.ctypes.data, 2 * padded, self._units.ctypes.data, 4 * padded // gemm.UNIT_VALUES,
            out.ctypes.data, out.strides[0], round_up(t, gemm.TILE_TOKENS), first, last,
            self._panels[thread].ctypes.data, self._factors[thread].ctypes.data, self._stop.ctypes.data,
        )  # fmt: skip

    def _multiply_floats(self, rows: Bytes, out: Float32, t: int, first: int, last: int) -> None:
        weights = rows.view(np.float32)[:, : self._input_values]
        for begin in range(first, min(last, len(rows)), _FLOAT_ROWS):
            self._check()
            columns = slice(begin, min(begin + _FLOAT_ROWS, last, len(rows)))
            out[:t, columns] = self._input[:t, : self._input_values] @ weights[columns].T

    def _find_units(self, thread: int, rows: Bytes) -> None:
        first, last = self._blocks(thread, len(rows), 1)
        fmt, n = self._parts.of("down"), self._config.width
        gemm.row_units(
            ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], self._row_units.ctypes.data, first, last,
            fmt.padded(n),
        )  # fmt: skip

    def _feed_forward(self, layer: int, t: int, tap: Tap | None) -> None:
        """`normed` → the feed-forward's output in `projected`."""
        width, n_hot, hot = self._config.width, self._n_hot[layer], self._hot
        if n_hot == 0 or hot is None:
            self._sum_neurons(layer, t, tap)
        else:
            hot.begin(layer, self._normed[:t, :width])
            try:
                self._sum_neurons(layer, t, tap)
            finally:
                of_hot = hot.finish(layer)
            self._projected[:t, :width] += of_hot
        if (down_bias := self._tensors.get(f"layers.{layer}.down_bias")) is not None:
            self._projected[:t, :width] += down_bias[:width]

    def _sum_neurons(self, layer: int, t: int, tap: Tap | None) -> None:
        """`normed` → the sum of the layer's neurons that are here, in `projected`."""
        c, acts, down, name = self._config, self._acts, self._parts.of("down"), f"layers.{layer}."
        n_hot = self._n_hot[layer]
        n = c.n_neurons - n_hot
        if n == 0:
            self._projected[:t, : c.width] = 0
            return
        first_format = self._parts.of("gate") if c.is_gated else self._parts.of_up(c)
        products = [(name + c.first, first_format, acts)]
        if c.is_gated:
            products.append((name + "up", self._parts.of_up(c), self._ups))
        self._multiply(t, *products, units_of="" if down is F32 else name + "down", begin=n_hot)
        threshold, activation = np.float32(c.threshold), c.activation
        cold_bias = self._cold_biases.get(layer)
        bias = self._address(name + "first_bias") if cold_bias is None else cold_bias.ctypes.data

        def activate(first: int, last: int) -> None:
            prompt.activate_tokens(
                acts.ctypes.data, self._ups.ctypes.data, acts.strides[0], bias, n, acts.shape[1],
                ACTIVATIONS[activation], int(c.is_gated), threshold, first, last,
            )  # fmt: skip

        factors = 0 if down is F32 else self._row_units.ctypes.data
        if tap is None:
            self._by_tokens(t, activate, self._quantising(acts, c.n_neurons, factors))
        else:
            first_product = self._with_bias(acts[:t, : c.n_neurons], name + "first_bias")
            self._by_tokens(t, activate)
            tap.neurons(layer, self._view(first_product, t))
            self._by_tokens(t, self._quantising(acts, c.n_neurons, factors))
        self._run(lambda thread: self._multiply_down(thread, self._tensors[name + "down"][n_hot:], down, t))

    def _with_bias(self, products: Float32, name: str) -> Float32:
        """A copy of products (t, n), with the bias where there is one."""
        bias = self._tensors.get(name)
        return products.copy() if bias is None else products + bias[: products.shape[1]]

    def _view(self, first_product: Float32, t: int) -> LayerView:
        c = self._config
        stream = self._entering if c.residual == "parallel" else self._x[:t, : c.width]
        return LayerView(
            self._entering, stream, self._normed[:t, : c.width], first_product, self._acts[:t, : c.n_neurons]
        )

    def _multiply_down(self, thread: int, rows: Bytes, fmt: RowFormat, t: int) -> None:
        c, out = self._config, self._projected
        first, last = self._blocks(thread, c.width, 64)
        if fmt is F32:
            columns = slice(first, min(last, c.width))
            out[:t, columns] = self._input[:t, : len(rows)] @ rows.view(np.float32)[:, columns]
            return
        padded = self._input.shape[1]
        gemm.multiply_down(
            ROW_KINDS[fmt.name], rows.ctypes.data, rows.shape[1], len(rows), fmt.padded(c.width),
            self._quantised.ctypes.data, 2 * padded, self._units.ctypes.data, 4 * padded // gemm.UNIT_VALUES,
            out.ctypes.data, out.strides[0], round_up(t, gemm.TILE_TOKENS), first, min(last, fmt.padded(c.width)),
            self._panels[thread].ctypes.data, self._row_units.ctypes.data, self._stop.ctypes.data,
        )  # fmt: skip

    def _add(self, t: int, norm: str = "") -> None:
        """x += projected, then normed where the norm stands after the part."""
        x, projected, stride = self._x.ctypes.data, self._projected.ctypes.data, self._x.strides[0]

        def job(first: int, last: int) -> None:
            prompt.add_tokens(x, projected, stride, self._config.width, first, last)

        self._by_tokens(t, job, *([self._norming(self._x, self._x, norm)] if norm else []))

    def _append(self, layer: int, position: int, t: int) -> None:
        """Rotate queries and keys in place, and append keys and values to the cache."""
        c, cache, qkv, stride = self._config, self._cache, self._qkv, self._qkv.strides[0]
        table = self._rope[position : position + t]

        def job(first: int, last: int) -> None:
            prompt.rotate_tokens(
                qkv.ctypes.data, stride, table.ctypes.data, table.strides[0], c.n_heads + c.n_key_heads, c.head_width,
                c.rotary_width, first, last,
            )  # fmt: skip
            scratch = _floats(1, cache.head_padded)
            for head in range(c.n_key_heads):
                column = c.attention_width + head * c.head_width
                cache.write(
                    layer, head, position, qkv[:, column:], qkv[:, column + c.key_width :], first, last, scratch
                )

        self._by_tokens(t, job)

    def _attend(self, layer: int, position: int, t: int) -> None:
        """The queries of t tokens → `attended`, each attending to itself and what came before."""
        c, e = self._config, self._config.head_width
        group, scale, width = c.n_heads // c.n_key_heads, np.float32(1 / np.sqrt(e)), self._cache.head_padded
        seen, qkv = round_up(position + t, 8), self._qkv

        def job(thread: int) -> None:
            keys, values = (np.empty((seen, width), np.float32) for _ in range(2))
            scores, held = np.empty((_ATTENTION_TOKENS, seen), np.float32), -1
            keys[position + t :] = values[position + t :] = 0
            for head in range(*self._blocks(thread, c.n_heads, 1)):
                if head // group != held:
                    held = head // group
                    self._cache.read(layer, held, position + t, keys, values)
                for begin in range(0, t, _ATTENTION_TOKENS):
                    self._check()
                    end = min(begin + _ATTENTION_TOKENS, t)
                    n = round_up(position + end, 8)
                    block = scores[: end - begin, :n]
                    columns = slice(head * e, head * e + e)
                    np.matmul(qkv[begin:end, columns], keys[:n, :e].T, out=block)
                    prompt.softmax_tokens(
                        scores.ctypes.data, scores.strides[0], n, position + begin, c.window, scale, end - begin
                    )  # fmt: skip
                    self._attended[begin:end, columns] = block @ values[:n, :e]

        self._run(job)

    # Threads ------------------------------------------------------------------------------------------------------

    def _by_tokens(self, t: int, *jobs: TokenJob) -> None:
        """Each thread does the jobs one after the other for its share of t tokens."""

        def share(thread: int) -> None:
            for job in jobs:
                job(*self._blocks(thread, t, 1))

        self._pool.run(share)

    def _run(self, job: Callable[[int], None]) -> None:
        self._pool.run(job)
        self._check()

    def _check(self) -> None:
        if self._stop[0]:
            raise Cancelled

    def _blocks(self, thread: int, n: int, size: int) -> tuple[int, int]:
        """The thread's share of n things in whole blocks; the last may reach past n."""
        blocks, threads = -(-n // size), self._pool.n_threads
        return blocks * thread // threads * size, blocks * (thread + 1) // threads * size

    def _address(self, name: str) -> int:
        """Where a tensor lies; 0 where this model has no such tensor."""
        tensor = self._tensors.get(name)
        return 0 if tensor is None else int(tensor.ctypes.data)


def _columns(n: int) -> int:
    return round_up(n, gemm.UNIT_VALUES)


def _floats(rows: int, columns: int) -> Float32:
    """Zeros (rows, columns and padding), float32, aligned."""
    out = aligned_empty(4 * rows * _columns(columns)).view(np.float32).reshape(rows, _columns(columns))
    out[:] = 0
    return out
