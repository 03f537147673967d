"""Many tokens at once: the dense pass that fills the cache.

Weights are unpacked to float32 a panel at a time by the compute threads, and multiplied by the linear algebra library
behind numpy, which is already near the machine's limit; activations stay float32, so a prompt is read more precisely
than tokens are decoded. Sparsity does not help here: a chunk of tokens together touches nearly every neuron.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import reference
from engine.kernels.cpu.kinds import ROW_KINDS
from engine.kernels.cpu.rows import unpack_rows
from engine.kernels.formats import Float32, RowFormat
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, aligned_empty
from engine.runtime.kv_cache import KVCache
from engine.runtime.workers import WorkerPool

# Values of an unpacked panel: 4 MiB of float32, which stays in a desktop's cache between unpacking and multiplying.
_PANEL_VALUES = 1 << 20

# Called between panels; raises to stop.
Checkpoint = Callable[[], None]


class Prefill:
    """The dense pass bound to one model's weights, one cache and one pool."""

    def __init__(
        self, config: ModelConfig, parts: PartFormats, tensors: Mapping[str, NDArray[Any]], cache: KVCache,
        pool: WorkerPool,
    ) -> None:  # fmt: skip
        self._config, self._parts, self._tensors, self._cache, self._pool = config, parts, tensors, cache, pool
        self._panel = aligned_empty(4 * max(_PANEL_VALUES, 64 * (config.width + config.attention_width + 64)))
        self._rope = reference.rope_table(np.arange(cache.context_tokens), config.head_width, config.rope_base)

    @property
    def n_bytes(self) -> int:
        return self._panel.nbytes + self._rope.nbytes

    def run(self, x: Float32, first: int, check: Checkpoint) -> Float32:
        """x (t, d): embeddings of the tokens at positions first… → the last layer's output (t, d); fills the cache."""
        c, t = self._config, len(x)
        table = self._rope[first : first + t]
        for layer in range(c.n_layers):
            name = f"layers.{layer}."
            qkv = self._project(self._norm(x, name + "attention_norm"), layer, "qkv", check)
            q, k, v = np.split(qkv, [c.attention_width, c.attention_width + c.key_width], axis=1)
            queries = reference.rope(q.reshape(t, c.n_heads, c.head_width), table)
            keys = reference.rope(k.reshape(t, c.n_key_heads, c.head_width), table)
            self._cache.append(layer, first, keys, v.reshape(t, c.n_key_heads, c.head_width))
            attended = self._attend(layer, queries, first, check)
            x = x + self._project(attended, layer, "out", check)
            normed = self._norm(x, name + "ffn_norm")
            gate = self._project(normed, layer, "gate", check)
            acts = _silu(gate) if c.activation == "silu" else np.maximum(gate, np.float32(0))
            acts *= self._project(normed, layer, "up", check)
            x = x + self._project_down(acts, layer, check)
        return x

    def logits(self, x: Float32) -> Float32:
        """The last layer's output (t, d) → logits (t, v)."""
        head = "embedding" if self._config.is_tied else "head"
        normed = self._norm(x, "final_norm")
        out = np.empty((len(x), self._config.n_vocab), np.float32)
        for rows, panel in self._panels(self._tensors[head], self._parts.of(head), self._config.width):
            out[:, rows] = normed @ panel.T
        return out

    def _norm(self, x: Float32, name: str) -> Float32:
        return reference.rms_norm(x, self._tensors[name][: self._config.width], self._config.norm_eps)

    def _project(self, x: Float32, layer: int, name: str, check: Checkpoint) -> Float32:
        """x (t, n) times the transposed matrix (r, n) → (t, r)."""
        rows_of = self._tensors[f"layers.{layer}.{name}"]
        out = np.empty((len(x), len(rows_of)), np.float32)
        for rows, panel in self._panels(rows_of, self._parts.of(name), x.shape[1]):
            check()
            np.matmul(x, panel.T, out=out[:, rows])
        return out

    def _project_down(self, acts: Float32, layer: int, check: Checkpoint) -> Float32:
        """acts (t, n) times the neuron-major down matrix (n, d) → (t, d)."""
        out = np.zeros((len(acts), self._config.width), np.float32)
        down = self._tensors[f"layers.{layer}.down"]
        for rows, panel in self._panels(down, self._parts.of("down"), self._config.width):
            check()
            out += acts[:, rows] @ panel
        return out

    def _panels(self, packed: NDArray[np.uint8], fmt: RowFormat, n: int) -> Iterator[tuple[slice, Float32]]:
        """Yields (slice of rows, the rows as float32 (rows, n)); a panel is overwritten by the next."""
        width, kind, n_threads = fmt.padded(n), ROW_KINDS[fmt.name], self._pool.n_threads
        step = max(64, _PANEL_VALUES // width)
        floats = self._panel.view(np.float32)
        for first in range(0, len(packed), step):
            count = min(step, len(packed) - first)
            source, target, stride = packed[first].ctypes.data, floats.ctypes.data, packed.shape[1]

            def unpack(thread: int, source: int = source, count: int = count) -> None:
                share = count * thread // n_threads, count * (thread + 1) // n_threads
                unpack_rows(kind, source, stride, target, *share, width)  # noqa: B023 - constants of the whole loop

            self._pool.run(unpack)
            yield slice(first, first + count), floats[: count * width].reshape(count, width)[:, :n]

    def _attend(self, layer: int, queries: Float32, first: int, check: Checkpoint) -> Float32:
        """queries (t, h, e) of positions first… → (t, h·e), each attending to itself and what came before."""
        t, h, e = queries.shape
        n = first + t
        group = h // self._config.n_key_heads
        hidden = np.arange(n)[None, :] > (first + np.arange(t))[:, None]
        out = np.empty((t, h, e), np.float32)
        for g in range(self._config.n_key_heads):
            check()
            keys, values = self._cache.head(layer, g, n)
            keys *= np.float32(1 / np.sqrt(e))
            for head in range(g * group, (g + 1) * group):
                scores = queries[:, head] @ keys.T
                scores[hidden] = -np.inf
                scores -= scores.max(axis=1, keepdims=True)
                np.exp(scores, out=scores)
                scores /= scores.sum(axis=1, keepdims=True)
                out[:, head] = scores @ values
        return out.reshape(t, h * e)


def _silu(x: Float32) -> Float32:
    # exp overflows to infinity for very negative gates, and x / infinity is the right zero.
    with np.errstate(over="ignore"):
        return np.asarray(x / (1 + np.exp(-x)), np.float32)
