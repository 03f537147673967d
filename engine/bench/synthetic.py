"""A model of random packed rows in memory: the size and the work of a real one, without its checkpoint.

Speed depends on the shape, the row formats and how many neurons are active, not on what the weights say. The rows are
therefore drawn as bytes, and the share of active neurons is set by one constant a layer, added to every first product:
with normed inputs and random rows those products are normally distributed, so the constant is a quantile, corrected by
what was then counted.
"""

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import FORMATS, GROUP, INT4_HEADER, Bytes, Float32, Int64, RowFormat
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, aligned_empty, tensor_specs

Tensors = dict[str, NDArray[Any]]

# Standard deviations of uniform bytes and nibbles, to give rows of n values the deviation 1 / sqrt(n).
_INT8_DEVIATION, _INT4_DEVIATION, _INT4_SCALE = 73.9, 4.64, 100
_CALIBRATION_ROUNDS, _CALIBRATION_TOKENS = 4, 6


def random_rows(fmt: RowFormat, rows: int, n: int, deviation: float, rng: np.random.Generator) -> Bytes:
    """(rows, stride) uint8 in `fmt`: rows of n random values of about this standard deviation and mean zero."""
    stride = fmt.stride(n)
    out = aligned_empty(rows * stride).reshape(rows, stride)
    for first in range(0, rows, 1024):
        out[first : first + 1024] = _random_block(fmt, min(1024, rows - first), n, deviation, rng)
    return out


def _random_block(fmt: RowFormat, rows: int, n: int, deviation: float, rng: np.random.Generator) -> Bytes:
    if fmt.name == "f32":
        return fmt.pack(deviation * rng.standard_normal((rows, n), np.float32))
    out = rng.integers(0, 256, (rows, fmt.stride(n)), np.uint8)
    groups = fmt.padded(n) // GROUP
    if fmt.name == "int8":
        scale = np.full((1, groups), deviation / _INT8_DEVIATION, np.float16)
        out[:, : 2 * groups] = scale.view(np.uint8)
        return out
    row_scale = np.full((1, 1), deviation / (_INT4_DEVIATION * _INT4_SCALE), np.float32)
    out[:, :4] = row_scale.view(np.uint8)
    # Signs at random: nibbles minus 8 have a mean of -1/2, which must not add up along a row.
    signs = rng.integers(0, 2, (rows, groups)).astype(np.int8) * np.int8(2) - np.int8(1)
    out[:, INT4_HEADER : INT4_HEADER + groups] = (signs * np.int8(_INT4_SCALE)).view(np.uint8)
    return out


def synthetic_model(config: ModelConfig, parts: PartFormats, seed: int, predictor_rank: int = 0) -> Tensors:
    """Every tensor a `Transformer` of this configuration asks for, with random values.

    `first_bias`, and with a rank the three predictor tensors of each layer, are there for `calibrate` to set.
    """
    rng = np.random.default_rng(seed)
    tensors: Tensors = {}
    for spec in tensor_specs(config, parts, 0):
        part = spec.name.rpartition(".")[2]
        if part == "tokenizer":
            continue
        if not spec.stride:
            tensors[spec.name] = np.full(spec.rows, 0.0 if part.endswith("bias") else 1.0, np.float32)
            tensors[spec.name][config.width :] = 0
            continue
        fmt = parts.of_up(config) if part == "up" else parts.of(part)
        n = config.attention_width if part == "out" else config.width
        deviation = 1.0 if part == "embedding" else (config.n_neurons if part == "down" else n) ** -0.5
        tensors[spec.name] = random_rows(fmt, spec.rows, n, deviation, rng)
    for layer in range(config.n_layers):
        name = f"layers.{layer}."
        tensors[name + "first_bias"] = np.zeros(config.n_neurons, np.float32)
        if predictor_rank:
            tensors |= _random_predictor(name, config, FORMATS[parts.ffn_first], predictor_rank, rng)
    return tensors


def _random_predictor(
    name: str, config: ModelConfig, fmt: RowFormat, rank: int, rng: np.random.Generator
) -> dict[str, NDArray[Any]]:
    return {
        name + "predictor_in": random_rows(fmt, rank, config.width, config.width**-0.5, rng),
        name + "predictor_out": random_rows(fmt, config.n_neurons, rank, rank**-0.5, rng),
        name + "predictor_bias": np.zeros(config.n_neurons, np.float32),
    }


class Steppable(Protocol):
    """What calibration needs of a transformer."""

    @property
    def neuron_counts(self) -> Int64: ...

    def decode_step(self, token: int) -> Float32: ...


def calibrate(
    transformer: Steppable, tensors: Mapping[str, NDArray[Any]], config: ModelConfig, share: float,
    candidates: float | None = None,
) -> float:  # fmt: skip
    """Set the layers' constants so that about `share` of the neurons are active; returns the share then counted.

    With `candidates` that share of the neurons passes the predictor, and `share` of all is active among them. The model
    must be a sparse one of `synthetic_model`; tokens are appended to its cache.
    """
    normal = NormalDist()
    wanted = {"first_bias": share} if candidates is None else {"predictor_bias": candidates, "first_bias": share}
    for bias, target in wanted.items():
        of = candidates if candidates is not None and bias == "first_bias" else 1.0
        goal = normal.inv_cdf(target / of)
        for layer in range(config.n_layers):
            tensors[f"layers.{layer}.{bias}"][:] = goal
        for _ in range(_CALIBRATION_ROUNDS):
            counted = _mean_counts(transformer, config)
            column = counted[:, 0] if bias == "predictor_bias" else counted[:, 2] / of
            for layer, measured in enumerate(np.clip(column, 1e-4, 1 - 1e-4)):
                tensors[f"layers.{layer}.{bias}"] += np.float32(goal - normal.inv_cdf(float(measured)))
    return float(_mean_counts(transformer, config)[:, 2].mean())


def _mean_counts(transformer: Steppable, config: ModelConfig) -> NDArray[np.float64]:
    """(layers, 3): mean shares of neurons over a few tokens, in the columns of `neuron_counts`."""
    total = np.zeros((config.n_layers, 3))
    for token in range(_CALIBRATION_TOKENS):
        transformer.decode_step(7 * token % config.n_vocab)
        total += transformer.neuron_counts
    return total / (_CALIBRATION_TOKENS * config.n_neurons)
