"""Named shapes: the sizes of models people know, so that speed can be measured without their weights.

A shape with "-8" behind its name is the first eight layers of it: the same matrices, a quarter of the memory.
"""

import dataclasses

from engine.errors import InvalidRequest
from engine.model.config import ModelConfig


def _shape(name: str, width: int, n_neurons: int, n_layers: int, heads: tuple[int, int], n_vocab: int) -> ModelConfig:
    n_heads, n_key_heads = heads
    return ModelConfig(
        name=name, family="llama", licence="", width=width, n_neurons=n_neurons, n_layers=n_layers, n_heads=n_heads,
        n_key_heads=n_key_heads, head_width=width // n_heads, n_vocab=n_vocab, context_tokens=32768, norm_eps=1e-5,
        activation="relu", is_tied=False, rotary_width=width // n_heads,
    )  # fmt: skip


_FULL = (
    _shape("1b", 1536, 3840, 52, (24, 8), 73448),  # MiniCPM-S
    _shape("7b", 4096, 11008, 32, (32, 32), 32000),  # Llama 2
    _shape("13b", 5120, 13824, 40, (40, 40), 32000),
)
SHAPES: dict[str, ModelConfig] = {config.name: config for config in _FULL} | {
    f"{config.name}-8": dataclasses.replace(config, name=f"{config.name}-8", n_layers=8) for config in _FULL
}


def shape_config(name: str) -> ModelConfig:
    """Raises InvalidRequest for a name that is none."""
    if name not in SHAPES:
        raise InvalidRequest("shape", name, ", ".join(sorted(SHAPES)))
    return SHAPES[name]
