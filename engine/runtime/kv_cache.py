"""Keys and values of the tokens so far, and which tokens those are.

Owns the memory, appending, and rewinding to a common prefix, so that a follow-up question computes only what is new.
Layout: for each layer and key head, one row a position: float32, float16, or int8 with a float32 scale for each 32
values; padded to a multiple of 8 values, or of 32 for int8.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cpu.attention import CACHE_GROUP, read_rows
from engine.kernels.cpu.kinds import CACHE_KINDS
from engine.kernels.cpu.prompt import append_tokens
from engine.kernels.formats import Float32, Int64, round_up
from engine.kernels.reference import quantise_cache
from engine.model.config import ModelConfig
from engine.neuron_reports import EXACT

CACHE_DTYPES: dict[str, type[np.generic]] = {"int8": np.int8, "f16": np.float16, "f32": np.float32}


def padded_head(config: ModelConfig, kind: str) -> int:
    """Values of a cached row."""
    return round_up(config.head_width, CACHE_GROUP if kind == "int8" else 8)


def cache_bytes(config: ModelConfig, context_tokens: int, kind: str) -> int:
    """Bytes of the whole cache; of one position with `context_tokens` = 1."""
    width = padded_head(config, kind)
    row = width * np.dtype(CACHE_DTYPES[kind]).itemsize + (width // CACHE_GROUP * 4 if kind == "int8" else 0)
    return 2 * config.n_layers * config.n_key_heads * context_tokens * row


class KVCache:
    """`keys` and `values` are (layers, key heads, positions, padded head width); `tokens` the ids they stand for.

    key_scales and value_scales are (layers, key heads, positions, padded head width / 32) for int8, empty otherwise.
    """

    def __init__(self, config: ModelConfig, context_tokens: int, kind: str) -> None:
        self.kind = kind
        self.context_tokens = context_tokens
        self._head_width = config.head_width
        self.head_padded = padded_head(config, kind)
        rows = (config.n_layers, config.n_key_heads, context_tokens)
        self.keys: NDArray[Any] = np.zeros((*rows, self.head_padded), CACHE_DTYPES[kind])
        self.values: NDArray[Any] = np.zeros((*rows, self.head_padded), CACHE_DTYPES[kind])
        groups = self.head_padded // CACHE_GROUP if kind == "int8" else 0
        self.key_scales: Float32 = np.zeros((*rows, groups), np.float32)
        self.value_scales: Float32 = np.zeros((*rows, groups), np.float32)
        self.tokens: list[int] = []
        self._tier, self._tier_from = EXACT, 0

    @property
    def n_bytes(self) -> int:
        return self.keys.nbytes + self.values.nbytes + self.key_scales.nbytes + self.value_scales.nbytes

    def write(
        self, layer: int, head: int, position: int, keys: Float32, values: Float32, first: int, last: int,
        scratch: Float32,
    ) -> None:  # fmt: skip
        """Rows first … last of keys and values (tokens, at least head width), of the tokens from `position` on.

        `scratch` holds a padded row, zero past the head's width.
        """
        kind, e = CACHE_KINDS[self.kind], self._head_width
        for source, cache, scales in ((keys, self.keys, self.key_scales), (values, self.values, self.value_scales)):
            append_tokens(
                kind, source.ctypes.data, source.strides[0], cache[layer, head].ctypes.data,
                scales[layer, head].ctypes.data, position, e, self.head_padded, scratch.ctypes.data, first, last,
            )  # fmt: skip

    def append(self, layer: int, first: int, keys: Float32, values: Float32) -> None:
        """Write keys and values (t, key heads, head width) of the positions from `first` on, for one layer."""
        scratch = np.zeros(self.head_padded, np.float32)
        for head in range(keys.shape[1]):
            self.write(layer, head, first, keys[:, head], values[:, head], 0, len(keys), scratch)

    def append_layers(self, layers: Int64, first: int, keys: Float32, values: Float32) -> None:
        """Write keys and values (layers, t, key heads, head width) of the positions from `first` on, of these layers.

        For what was computed elsewhere, many layers at a time; the same bits as `append`.
        """
        last = first + keys.shape[1]
        for source, cache, scales in ((keys, self.keys, self.key_scales), (values, self.values, self.value_scales)):
            wide = np.zeros((len(layers), source.shape[2], source.shape[1], self.head_padded), np.float32)
            wide[..., : self._head_width] = source.swapaxes(1, 2)
            if self.kind == "int8":
                cache[layers, :, first:last], scales[layers, :, first:last] = quantise_cache(wide)
            else:
                cache[layers, :, first:last] = wide

    def read(self, layer: int, head: int, n: int, keys: Float32, values: Float32) -> None:
        """Fill keys and values (at least n, padded head width) with the first n positions of one head."""
        kind, e = CACHE_KINDS[self.kind], self.head_padded
        for cache, scales, out in ((self.keys, self.key_scales, keys), (self.values, self.value_scales, values)):
            read_rows(kind, cache[layer, head].ctypes.data, scales[layer, head].ctypes.data, out.ctypes.data, n, e)

    def note_tier(self, tier: str) -> None:
        """What is appended from now on is computed by this tier, until a rewind takes it out again."""
        if self._tier == EXACT:
            self._tier, self._tier_from = tier, len(self.tokens)

    def rewind_to_common_prefix(self, tokens: Sequence[int], tier: str = EXACT) -> int:
        """Forget everything after the longest common beginning with `tokens`; returns its length.

        What another tier than `tier` has computed is forgotten too: an exact answer is exact from its first token on.
        """
        if self._tier not in (EXACT, tier):
            self.rewind(self._tier_from)
        n = 0
        for known, wanted in zip(self.tokens, tokens, strict=False):
            if known != wanted:
                break
            n += 1
        self.rewind(n)
        return n

    def rewind(self, n_tokens: int) -> None:
        if n_tokens < len(self.tokens) and n_tokens <= self._tier_from:
            self._tier = EXACT
        del self.tokens[n_tokens:]
