"""What goes where: each layer's attention, its neurons and the head, on the card or on the processor.

A layer's neurons have an order, hottest first, and the plan gives the number of its beginning that the card holds. So
every neuron has exactly one place, and a layer has its own order: there is no list of layers that could be shuffled
against it. Knows neither bytes nor seconds; who made the plan is in `planner.py`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidRequest

Int32 = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class LayerPlacement:
    """The `n_hot` hottest of a layer's `n_neurons` are in the card's memory, the others are computed by the processor.

    attention_on_card   with it go the norms, the layer's keys and values, and its predictor
    """

    attention_on_card: bool
    n_hot: int
    n_neurons: int

    def __post_init__(self) -> None:
        if not 0 <= self.n_hot <= self.n_neurons:
            raise InvalidRequest("n_hot", str(self.n_hot), f"0 to {self.n_neurons}")

    @property
    def is_split(self) -> bool:
        return 0 < self.n_hot < self.n_neurons

    def hot(self, order: Int32) -> Int32:
        """(n_hot,) ascending numbers of the neurons on the card; `order` (n_neurons,) is hottest first."""
        return np.sort(self._checked(order)[: self.n_hot])

    def cold(self, order: Int32) -> Int32:
        """(n_neurons - n_hot,) ascending numbers of the others."""
        return np.sort(self._checked(order)[self.n_hot :])

    def _checked(self, order: Int32) -> Int32:
        if order.shape != (self.n_neurons,) or not np.array_equal(np.sort(order), np.arange(self.n_neurons)):
            raise InvalidRequest("order", str(order.shape), f"each of {self.n_neurons} neurons once")
        return order


@dataclass(frozen=True, slots=True)
class PlacementPlan:
    """`strategy` is what the plan was free to choose.

    step_s  the predicted time of one decode step, in seconds; 0 where nobody predicted it
    """

    strategy: str
    layers: tuple[LayerPlacement, ...]
    head_on_card: bool
    step_s: float

    @property
    def uses_card(self) -> bool:
        return self.head_on_card or any(layer.attention_on_card or layer.n_hot for layer in self.layers)

    @property
    def n_split(self) -> int:
        return sum(layer.is_split for layer in self.layers)

    @property
    def tokens_per_s(self) -> float:
        """Predicted; 0.0 of a plan that was made without a prediction, as by stepping down."""
        return 1.0 / self.step_s if self.step_s > 0 else 0.0


def hottest_first(importance: NDArray[np.float64]) -> Int32:
    """(n,) neuron numbers by falling importance, the lower number first among equals."""
    return np.argsort(-importance, kind="stable").astype(np.int32)
