"""How many bytes one decode step has to read, part by part.

Follows from the shape, the row formats, the depth, the counted neurons and what predictors read. Norms, the model's own
biases, tables and the one row of the embedding are left out: together they are less than a thousandth.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cpu.feed_forward import DENSE_ABOVE
from engine.kernels.formats import RowFormat, round_up
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats
from engine.runtime.kv_cache import cache_bytes


def predictor_bytes(kind: str, rank: int, width: int, n_neurons: int, fmt: RowFormat) -> int:
    """What a layer's predictor reads to score n_neurons once.

    That is a sign for each weight of the first product, or both low-rank matrices of `rank` in the first product's
    format `fmt`, and a constant for each neuron.
    """
    inner = 0 if kind == "sign" else rank * fmt.stride(width)
    return inner + n_neurons * scoring_bytes(kind, rank, width, fmt)


def scoring_bytes(kind: str, rank: int, width: int, fmt: RowFormat) -> int:
    """What of `predictor_bytes` is read for one neuron."""
    return 4 + (round_up(width, 64) // 8 if kind == "sign" else fmt.stride(rank))


def step_bytes(
    config: ModelConfig, parts: PartFormats, cache_kind: str, *, positions: float, counts: NDArray[Any],
    predictors: int = 0, n_here: Sequence[int] | None = None,
) -> tuple[tuple[str, int], ...]:  # fmt: skip
    """(part, bytes) of attention, predictors if there are any, the first product, the rest, the head and the cache.

    positions   in the cache, as a mean over the steps; a window hides those before it
    counts      (layers, 3): neurons whose first product was computed, that the activation left alive, and that were
                active, as in `Transformer.neuron_counts`; a mean over steps will do. Where most are alive the up rows
                of all are read, which is faster than picking them
    predictors  what those of all layers read, as `predictor_bytes`
    n_here      of how many neurons of each layer these are the counts, where others are computed elsewhere; else all
    """
    n = np.asarray(config.n_neurons if n_here is None else n_here)
    candidates, alive, active = np.asarray(counts, np.float64).T
    attention = config.qkv_width * parts.of("qkv").stride(config.width)
    attention += config.width * parts.of("out").stride(config.attention_width)
    first_format = parts.of("gate") if config.is_gated else parts.of_up(config)
    rest = active.sum() * parts.of("down").stride(config.width)
    if config.is_gated:
        rest += np.where(alive > DENSE_ABOVE * n, n, alive).sum() * parts.of_up(config).stride(config.width)
    head = config.n_vocab * parts.of("embedding" if config.is_tied else "head").stride(config.width)
    seen = min(positions, config.window) if config.window else positions
    return (
        ("attention", config.n_layers * attention),
        *((("predictor", predictors),) if predictors else ()),
        ("first", round(float(candidates.sum() * first_format.stride(config.width)))),
        ("rest", round(float(rest))),
        ("head", head),
        ("cache", round(cache_bytes(config, 1, cache_kind) * seen)),
    )
