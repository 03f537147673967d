"""The same weights computing every neuron: what skipping silent ones is measured against.

Owns how a sparse model is made dense for its cost alone; what it computes then is another function.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.model.config import ModelConfig

# First products of a model without gates, lifted so far that no neuron is silent.
LIFTED = np.float32(100)


def without_silence(
    config: ModelConfig, tensors: Mapping[str, NDArray[Any]]
) -> tuple[ModelConfig, Mapping[str, NDArray[Any]]]:
    """Configuration and tensors with which a Transformer reads every row: under an activation that silences none, or
    with lifted constants where there is no gate. The large tensors are shared with the given ones."""
    if not config.is_sparse:
        return config, tensors
    if config.is_gated:
        return dataclasses.replace(config, activation="silu", threshold=0.0), tensors
    none, lifted = np.zeros(config.n_neurons, np.float32), dict(tensors)
    for layer in range(config.n_layers):
        name = f"layers.{layer}.first_bias"
        lifted[name] = tensors.get(name, none) + LIFTED
    return config, lifted
