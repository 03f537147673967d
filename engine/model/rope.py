"""Rotary positions of a model as a table: the only place that knows how the frequencies are scaled."""

import math

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32
from engine.kernels.reference import rope_table
from engine.model.config import ModelConfig, Rope


def position_table(config: ModelConfig, n_positions: int) -> Float32:
    """(positions, 2, rotary width / 2): cosines and sines; empty rows where positions are learned."""
    frequencies = rope_frequencies(config.rope, config.rotary_width)
    return rope_table(np.arange(n_positions), frequencies, config.rope.attention_factor)


def rope_frequencies(rope: Rope, width: int) -> NDArray[np.float64]:
    """(width / 2,): how far a position turns each pair. Formulas of the hub's models, tested against `transformers`."""
    plain = rope.base ** (-np.arange(0, width, 2, dtype=np.float64) / max(width, 1))
    match rope.scaling:
        case "linear":
            return plain / rope.factor
        case "llama3":
            turns = rope.original_context * plain / (2 * math.pi)
            kept = np.clip((turns - rope.low) / (rope.high - rope.low), 0, 1)
            return plain * kept + plain / rope.factor * (1 - kept)
        case "yarn":
            first, last = (_pair_that_turns(n, rope, width) for n in (rope.high, rope.low))
            first, last = max(math.floor(first), 0), min(math.ceil(last), width - 1)
            ramp = (np.arange(width // 2) - first) / max(last - first, 0.001)
            scaled = np.clip(ramp, 0, 1)
            return plain * (1 - scaled) + plain / rope.factor * scaled
        case _:
            return plain


def _pair_that_turns(times: float, rope: Rope, width: int) -> float:
    """The (fractional) pair that turns so many times over the original context."""
    return width * math.log(rope.original_context / (times * 2 * math.pi)) / (2 * math.log(rope.base))
