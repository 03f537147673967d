"""The order in which a model's neurons lie in memory: the hottest first, so that a layer's placement is one number.

A neuron's rows, its biases and its rows of predictors are moved together as they are read, so that what a layer
computes is the same sum in another order. Owns the way there and back: what is told of neurons by number, to a user or
to a file, goes by their numbers in the packed file. Who is hot is for the profile to say (`engine/neurons/profile.py`),
whose figures come here as plain arrays.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidRequest
from engine.model.config import ModelConfig
from engine.model.packed_model import OnBytes, PackedModel
from engine.model.predictors import LayerChoice
from engine.placement.plan import hottest_first

Int32 = NDArray[np.int32]
# What of a layer has a row, or a value, for each neuron.
NEURON_TENSORS = ("gate", "up", "down", "first_bias", "up_bias", "predictor_out", "predictor_bias")


@dataclass(frozen=True, slots=True, eq=False)
class NeuronOrder:
    """numbers (layers, n) int32: which of the file's neurons lies first, second … in each layer. Raises InvalidRequest
    where that is not each of them once."""

    numbers: Int32
    _places: NDArray[np.intp] = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.numbers.ndim != 2 or not (np.sort(self.numbers, axis=1) == np.arange(self.numbers.shape[1])).all():
            raise InvalidRequest("order", str(self.numbers.shape), "each neuron once in each layer")
        object.__setattr__(self, "_places", np.argsort(self.numbers, axis=1))

    @property
    def is_as_packed(self) -> bool:
        return bool((self.numbers == np.arange(self.numbers.shape[1])).all())

    def original(self, values: NDArray[Any]) -> NDArray[Any]:
        """values (…, layers, n) of neurons as they lie → by their numbers in the file; a copy."""
        return _picked(values, self._places)

    def lying(self, values: NDArray[Any]) -> NDArray[Any]:
        """values (…, layers, n) by the neurons' numbers in the file → as the neurons lie; a copy."""
        return _picked(values, self.numbers)

    def choices(self, choices: Sequence[LayerChoice]) -> tuple[LayerChoice, ...]:
        """A tier's choices, whose predictors go by the file's numbers → for neurons as they lie."""
        return tuple(_moved(choice, numbers) for choice, numbers in zip(choices, self.numbers, strict=True))

    def of_tensors(self) -> Mapping[str, Int32]:
        """For each tensor that has rows of neurons, whether a model has it or not: the numbers of its rows in order."""
        return {
            f"layers.{layer}.{name}": numbers for layer, numbers in enumerate(self.numbers) for name in NEURON_TENSORS
        }


def as_packed(config: ModelConfig) -> NeuronOrder:
    """Neurons as they lie in the file."""
    return NeuronOrder(np.tile(np.arange(config.n_neurons, dtype=np.int32), (config.n_layers, 1)))


def by_importance(importance: NDArray[np.float64]) -> NeuronOrder:
    """importance (layers, n), for each neuron of the file, finite: the most important first, the lower number first
    among equals. Raises InvalidRequest."""
    if importance.ndim != 2 or not np.isfinite(importance).all():
        raise InvalidRequest("importance", str(importance.shape), "a finite value for each neuron of each layer")
    return NeuronOrder(np.stack([hottest_first(layer) for layer in importance]))


def read_in_order(
    packed: PackedModel, order: NeuronOrder, on_bytes: OnBytes,
    on_tensor: Callable[[str, NDArray[Any]], None] = lambda name, tensor: None,
) -> dict[str, NDArray[Any]]:  # fmt: skip
    """As `packed.read`, with the neurons of each layer in this order; takes one matrix more while it reads.

    on_tensor(name, tensor) is called as each is there; hot rows can then go to a card, and their memory back, before
    the next is read. Raises InvalidRequest where the order is not of this model, and what `read` raises.
    """
    shape = (packed.config.n_layers, packed.config.n_neurons)
    if order.numbers.shape != shape:
        raise InvalidRequest("order", str(order.numbers.shape), str(shape))
    return packed.read(on_bytes, {} if order.is_as_packed else order.of_tensors(), on_tensor)


def _picked(values: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """values[…, layer, rows[layer, i]] at (…, layer, i)."""
    return np.asarray(values[..., np.arange(len(rows))[:, None], rows])


def _moved(choice: LayerChoice, numbers: Int32) -> LayerChoice:
    predictor = choice.predictor
    if predictor is None:
        return choice
    outer = predictor.outer if predictor.kind == "sign" else predictor.outer[numbers]
    signs = predictor.signs[numbers] if predictor.kind == "sign" else predictor.signs
    moved = dataclasses.replace(predictor, outer=outer, signs=signs, bias=predictor.bias[numbers])
    return dataclasses.replace(choice, predictor=moved)
