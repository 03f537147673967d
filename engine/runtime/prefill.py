"""Many tokens at once: the dense pass that fills the cache.

Each compute thread takes a share of the rows, heads and neurons: it unpacks its weights to float32 a panel at a time
and multiplies them with the linear algebra library behind numpy, which should run on one thread of its own (the
engine's host sees to that). Activations stay float32, so a prompt is read more precisely than tokens are decoded.
Sparsity does not help here: a chunk of tokens together touches nearly every neuron.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import reference
from engine.kernels.cpu.kinds import ROW_KINDS
from engine.kernels.cpu.rows import unpack_rows
from engine.kernels.formats import Float32, RowFormat, round_up
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, aligned_empty
from engine.model.rope import position_table
from engine.runtime.kv_cache import KVCache
from engine.runtime.workers import WorkerPool

# Values of an unpacked panel: 1 MiB of float32 stays in a core's own cache between unpacking and multiplying.
_PANEL_VALUES = 1 << 18
_MIN_PANEL_ROWS = 64

# Called between panels; raises to stop.
Checkpoint = Callable[[], None]
# Called after each layer with how many are done.
OnLayer = Callable[[int], None]


class Prefill:
    """The dense pass bound to one model's weights, one cache and one pool."""

    def __init__(
        self, config: ModelConfig, parts: PartFormats, tensors: Mapping[str, NDArray[Any]], cache: KVCache,
        pool: WorkerPool,
    ) -> None:  # fmt: skip
        self._config, self._parts, self._tensors, self._cache, self._pool = config, parts, tensors, cache, pool
        widest = round_up(max(config.width, config.attention_width), 64)
        panel_values = max(_PANEL_VALUES, _MIN_PANEL_ROWS * widest)
        self._panels = [aligned_empty(4 * panel_values).view(np.float32) for _ in range(pool.n_threads)]
        self._rope = position_table(config, cache.context_tokens)

    @property
    def n_bytes(self) -> int:
        return sum(p.nbytes for p in self._panels) + self._rope.nbytes

    def run(self, x: Float32, first: int, check: Checkpoint, on_layer: OnLayer = lambda done: None) -> Float32:
        """x (t, d): embeddings of the tokens at positions first… → the last layer's output (t, d); fills the cache."""
        c, t = self._config, len(x)
        table = self._rope[first : first + t]
        for layer in range(c.n_layers):
            name = f"layers.{layer}."
            entering = x if c.residual == "post" else self._norm(x, name + "attention_norm")
            qkv = self._project(entering, layer, "qkv", check)
            q, k, v = np.split(qkv, [c.attention_width, c.attention_width + c.key_width], axis=1)
            queries = reference.rope(q.reshape(t, c.n_heads, c.head_width), table)
            keys = reference.rope(k.reshape(t, c.n_key_heads, c.head_width), table)
            self._cache.append(layer, first, keys, v.reshape(t, c.n_key_heads, c.head_width))
            attended = self._project(self._attend(layer, queries, first, check), layer, "out", check)
            match c.residual:
                case "parallel":
                    x = x + attended + self._feed_forward(self._norm(x, name + "ffn_norm"), layer, check)
                case "post":
                    x = self._norm(x + attended, name + "attention_norm")
                    x = self._norm(x + self._feed_forward(x, layer, check), name + "ffn_norm")
                case _:
                    x = x + attended
                    x = x + self._feed_forward(self._norm(x, name + "ffn_norm"), layer, check)
            on_layer(layer + 1)
        return x

    def logits(self, x: Float32) -> Float32:
        """The last layer's output (t, d) → logits (t, v)."""
        head = "embedding" if self._config.is_tied else "head"
        normed = x if self._config.residual == "post" else self._norm(x, "final_norm")
        return self._multiply(normed, self._tensors[head], self._parts.of(head), lambda: None)

    def _norm(self, x: Float32, name: str) -> Float32:
        d, eps = self._config.width, self._config.norm_eps
        weight, bias = self._tensors[name], self._tensors.get(name + "_bias")
        if bias is None:
            return reference.rms_norm(x, weight[:d], eps)
        return reference.layer_norm(x, weight[:d], bias[:d], eps)

    def _project(self, x: Float32, layer: int, name: str, check: Checkpoint) -> Float32:
        out = self._multiply(x, self._tensors[f"layers.{layer}.{name}"], self._parts.of(name), check)
        bias = self._tensors.get(f"layers.{layer}.{name}_bias")
        if bias is not None:
            out += bias[: out.shape[1]]
        return out

    def _multiply(self, x: Float32, packed: NDArray[np.uint8], fmt: RowFormat, check: Checkpoint) -> Float32:
        """x (t, n) times the transposed matrix (r, n) → (t, r)."""
        out = np.empty((len(x), len(packed)), np.float32)

        def share(thread: int) -> None:
            for rows, panel in self._unpacked(thread, packed, fmt, x.shape[1], *self._share(thread, len(packed))):
                check()
                out[:, rows] = x @ panel.T

        self._pool.run(share)
        return out

    def _feed_forward(self, x: Float32, layer: int, check: Checkpoint) -> Float32:
        """x (t, d) → (t, d); each thread computes its neurons' gate, up and contribution, added in thread order."""
        c, parts = self._config, self._parts
        names = ("gate", "up", "down") if c.is_gated else ("up", "down")
        tensors = {name: self._tensors[f"layers.{layer}.{name}"] for name in names}
        first_bias = self._tensors.get(f"layers.{layer}.first_bias")
        formats = {"gate": parts.of("gate"), "up": parts.of_up(c), "down": parts.of("down")}
        partial = np.zeros((self._pool.n_threads, len(x), c.width), np.float32)

        def share(thread: int) -> None:
            first, last = self._share(thread, c.n_neurons)

            def panels(name: str) -> Iterator[tuple[slice, Float32]]:
                for rows, panel in self._unpacked(thread, tensors[name], formats[name], c.width, first, last):
                    check()
                    yield slice(rows.start - first, rows.stop - first), panel

            acts = np.empty((len(x), last - first), np.float32)
            for mine, panel in panels(c.first):
                acts[:, mine] = x @ panel.T
            if first_bias is not None:
                acts += first_bias[first:last]
            acts = _silu(acts) if c.activation == "silu" else reference.activate(acts, c.activation, c.threshold)
            if c.is_gated:
                for mine, panel in panels("up"):
                    ups = x @ panel.T
                    acts[:, mine] *= np.maximum(ups, np.float32(0)) if c.activation == "drelu" else ups
            for mine, panel in panels("down"):
                partial[thread] += acts[:, mine] @ panel

        self._pool.run(share)
        out = np.asarray(partial.sum(axis=0))
        if (bias := self._tensors.get(f"layers.{layer}.down_bias")) is not None:
            out += bias[: c.width]
        return out

    def _share(self, thread: int, n: int) -> tuple[int, int]:
        return n * thread // self._pool.n_threads, n * (thread + 1) // self._pool.n_threads

    def _unpacked(
        self, thread: int, packed: NDArray[np.uint8], fmt: RowFormat, n: int, first: int, last: int
    ) -> Iterator[tuple[slice, Float32]]:
        """Yields (slice of rows, those rows as float32 (rows, n)) from first to last.

        A panel overwrites the one before.
        """
        width, kind, panel = fmt.padded(n), ROW_KINDS[fmt.name], self._panels[thread]
        step = max(_MIN_PANEL_ROWS, _PANEL_VALUES // width)
        for start in range(first, last, step):
            count = min(step, last - start)
            unpack_rows(kind, packed[start].ctypes.data, packed.shape[1], panel.ctypes.data, 0, count, width)
            yield slice(start, start + count), panel[: count * width].reshape(count, width)[:, :n]

    def _attend(self, layer: int, queries: Float32, first: int, check: Checkpoint) -> Float32:
        """queries (t, h, e) of positions first… → (t, h·e), each attending to itself and what came before."""
        t, h, e = queries.shape
        n = first + t
        group = h // self._config.n_key_heads
        distance = (first + np.arange(t))[:, None] - np.arange(n)[None, :]
        hidden = (distance < 0) | (distance >= self._config.window) if self._config.window else distance < 0
        out = np.empty((t, h, e), np.float32)

        def share(thread: int) -> None:
            g = -1
            for head in range(*self._share(thread, h)):
                check()
                if head // group != g:
                    g = head // group
                    keys, values = self._cache.head(layer, g, n)
                    keys *= np.float32(1 / np.sqrt(e))
                scores = queries[:, head] @ keys.T
                scores[hidden] = -np.inf
                scores -= scores.max(axis=1, keepdims=True)
                np.exp(scores, out=scores)
                scores /= scores.sum(axis=1, keepdims=True)
                out[:, head] = scores @ values

        self._pool.run(share)
        return out.reshape(t, h * e)


def _silu(x: Float32) -> Float32:
    # exp overflows to infinity for very negative gates, and x / infinity is the right zero.
    with np.errstate(over="ignore"):
        return np.asarray(x / (1 + np.exp(-x)), np.float32)
