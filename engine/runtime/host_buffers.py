"""Main memory that copies to and from a card run through: pinned, so that they go on beside the processor's work.

Each buffer is written again only after the stream has passed its last use.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from engine.kernels.cuda.device import Device
from engine.kernels.cuda.ops import MAX_TOKENS as TILE_TOKENS
from engine.kernels.formats import Float32, round_up
from engine.model.config import ModelConfig
from engine.runtime.card_model import COUNTED
from engine.runtime.decoder import MAX_TOKENS


@dataclass(frozen=True, slots=True, eq=False)
class HostBuffers:
    """Of a step of up to MAX_TOKENS tokens."""

    stream: Float32
    entering: Float32
    normed: Float32
    cold: Float32
    hot: Float32
    projected: Float32
    scores: Float32
    qkv: Float32
    counts: NDArray[np.int32]
    fired: NDArray[np.uint8]
    logits: Float32
    positions: NDArray[np.int32]
    rope: Float32


def host_buffers(config: ModelConfig, device: Device) -> HostBuffers:
    """Raises OutOfMemory or DeviceLost."""
    c = config

    def pinned(shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        buffer = device.pinned(shape, dtype)
        buffer[...] = 0  # what lies past the width goes up too
        return buffer

    padded, f32 = round_up(c.width, 64), np.float32
    tokens = (MAX_TOKENS, padded)
    return HostBuffers(
        stream=pinned(tokens, f32), entering=pinned(tokens, f32), normed=pinned(tokens, f32),
        cold=pinned(tokens, f32), hot=pinned(tokens, f32), projected=pinned(tokens, f32),
        scores=pinned((MAX_TOKENS * c.n_neurons,), f32),
        qkv=pinned((c.n_layers * MAX_TOKENS * c.qkv_width,), f32),
        counts=pinned((c.n_layers, COUNTED, TILE_TOKENS), np.int32),
        fired=pinned((c.n_layers * MAX_TOKENS * c.n_neurons,), np.uint8),
        logits=pinned((MAX_TOKENS, round_up(c.n_vocab, 64)), f32), positions=pinned((MAX_TOKENS,), np.int32),
        rope=pinned((MAX_TOKENS, 2, c.rotary_width // 2), f32),
    )  # fmt: skip
