"""Keys and values of the tokens so far, and which tokens those are.

Owns the memory, appending, and rewinding to a common prefix, so that a follow-up question computes only what is new.
Layout: for each layer and key head, one row a position, float16 or float32, padded to a multiple of 8 values.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32, round_up
from engine.model.config import ModelConfig

CACHE_DTYPES = {"f16": np.float16, "f32": np.float32}


def cache_bytes(config: ModelConfig, context_tokens: int, kind: str) -> int:
    row = round_up(config.head_width, 8) * np.dtype(CACHE_DTYPES[kind]).itemsize
    return 2 * config.n_layers * config.n_key_heads * context_tokens * row


class KVCache:
    """`keys` and `values` are (layers, key heads, positions, padded head width); `tokens` the ids they stand for."""

    def __init__(self, config: ModelConfig, context_tokens: int, kind: str) -> None:
        self.kind = kind
        self.context_tokens = context_tokens
        self.head_padded = round_up(config.head_width, 8)
        self._head_width = config.head_width
        shape = (config.n_layers, config.n_key_heads, context_tokens, self.head_padded)
        self.keys: NDArray[np.float16 | np.float32] = np.zeros(shape, CACHE_DTYPES[kind])
        self.values: NDArray[np.float16 | np.float32] = np.zeros(shape, CACHE_DTYPES[kind])
        self.tokens: list[int] = []

    @property
    def n_bytes(self) -> int:
        return self.keys.nbytes + self.values.nbytes

    def append(self, layer: int, first: int, keys: Float32, values: Float32) -> None:
        """Write keys and values (t, key heads, head width) of the positions from `first` on, for one layer."""
        last = first + len(keys)
        self.keys[layer, :, first:last, : self._head_width] = keys.swapaxes(0, 1)
        self.values[layer, :, first:last, : self._head_width] = values.swapaxes(0, 1)

    def head(self, layer: int, head: int, n_positions: int) -> tuple[Float32, Float32]:
        """Keys and values (positions, head width) of one head as float32."""
        keys = self.keys[layer, head, :n_positions, : self._head_width]
        values = self.values[layer, head, :n_positions, : self._head_width]
        return keys.astype(np.float32), values.astype(np.float32)

    def rewind_to_common_prefix(self, tokens: Sequence[int]) -> int:
        """Forget everything after the longest common beginning with `tokens`; returns its length."""
        n = 0
        for known, wanted in zip(self.tokens, tokens, strict=False):
            if known != wanted:
                break
            n += 1
        self.rewind(n)
        return n

    def rewind(self, n_tokens: int) -> None:
        del self.tokens[n_tokens:]
