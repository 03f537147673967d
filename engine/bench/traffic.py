"""How many bytes one decode step has to read, part by part.

Follows from the shape, the row formats, the depth and the counted neurons. Norms, tables and the one row of the
embedding are left out: together they are less than a thousandth.
"""

from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats
from engine.runtime.kv_cache import cache_bytes


def step_bytes(
    config: ModelConfig,
    parts: PartFormats,
    cache_kind: str,
    *,
    positions: float,
    examined: float,
    active: float,
    candidates: float = 1.0,
    predictor_rank: int = 0,
) -> tuple[tuple[str, int], ...]:
    """(part, bytes) of attention, the predictor if there is one, the first product, the rest, the head and the cache.

    positions         in the cache, as a mean over the steps; a window hides those before it
    candidates        share of the neurons whose first product is computed
    examined, active  shares of the neurons whose up row, and whose down row, is read
    predictor_rank    rows of the predictor's first matrix, columns of its second; 0 where there is none
    """
    up = parts.of_up(config).stride(config.width)
    attention = config.qkv_width * parts.of("qkv").stride(config.width)
    attention += config.width * parts.of("out").stride(config.attention_width)
    first_format = parts.of("gate") if config.is_gated else parts.of_up(config)
    first = config.n_neurons * candidates * first_format.stride(config.width)
    predictor = predictor_rank * first_format.stride(config.width)
    predictor += config.n_neurons * first_format.stride(predictor_rank) if predictor_rank else 0
    rest = config.n_neurons * active * parts.of("down").stride(config.width)
    if config.is_gated:
        rest += config.n_neurons * examined * up
    head = config.n_vocab * parts.of("embedding" if config.is_tied else "head").stride(config.width)
    seen = min(positions, config.window) if config.window else positions
    return (
        ("attention", config.n_layers * attention),
        *((("predictor", config.n_layers * predictor),) if predictor_rank else ()),
        ("first", round(config.n_layers * first)),
        ("rest", round(config.n_layers * rest)),
        ("head", head),
        ("cache", round(cache_bytes(config, 1, cache_kind) * seen)),
    )
