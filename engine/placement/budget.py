"""The card's memory as one closed account: every byte has a name, and the names add up to what the card has.

Owns what a model's parts take on a card (`ModelBytes`, from the very list of tensors a packed file holds, so that
scales, padding and biases are counted as they lie), what a card offers (`CardMemory`), and the account of a plan. Knows
no speeds and decides nothing. What the runtime then really allocates is held against the account by `deviations`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from engine.errors import InvalidRequest, OutOfMemory
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, tensor_specs
from engine.placement.plan import PlacementPlan

# In the order in which they are reserved: an account that does not fit names the first that is too much.
PURPOSES = ("context and modules", "workspace", "attention", "head", "predictors", "KV cache", "hot neurons")
_NEURON_TENSORS = ("gate", "up", "down", "first_bias", "up_bias")


def _refuse_negative(values: Any) -> None:
    for field in fields(values):
        value = getattr(values, field.name)
        if isinstance(value, int) and value < 0:
            raise InvalidRequest(field.name, str(value), "0 or more")


@dataclass(frozen=True, slots=True)
class LayerBytes:
    """What one layer takes on a card, in bytes.

    attention   weights of attention, both norms, and whatever else of the layer belongs to no neuron
    predictor   that of the whole layer
    kv_cache    keys and values of the whole context
    neuron      one neuron: its rows with their scales, and its biases; rows lie in their layer's order, without numbers
    """

    attention: int
    predictor: int
    kv_cache: int
    neuron: int
    n_neurons: int

    def __post_init__(self) -> None:
        _refuse_negative(self)

    @property
    def with_attention(self) -> int:
        """What goes to the card where the layer's attention does."""
        return self.attention + self.predictor + self.kv_cache


@dataclass(frozen=True, slots=True)
class ModelBytes:
    """What a model takes on a card, in bytes.

    head       the output projection and the norm before it
    context    the driver's context and the compiled modules   } as soon as anything is on the card
    workspace  activations, partial sums, pinned copies        }
    """

    layers: tuple[LayerBytes, ...]
    head: int
    context: int
    workspace: int

    def __post_init__(self) -> None:
        _refuse_negative(self)
        if not self.layers:
            raise InvalidRequest("layers", "0", "1 or more")

    @property
    def overhead(self) -> int:
        return self.context + self.workspace

    @property
    def total(self) -> int:
        """Everything on the card."""
        layers = sum(layer.with_attention + layer.neuron * layer.n_neurons for layer in self.layers)
        return self.overhead + self.head + layers


def model_bytes(
    config: ModelConfig, parts: PartFormats, *, predictors: Sequence[int], kv_caches: Sequence[int], context: int,
    workspace: int,
) -> ModelBytes:  # fmt: skip
    """The bytes of a packed model with its weights in the file's own formats.

    predictors, kv_caches   bytes of each layer, zeros where there is none
    context, workspace      as in `ModelBytes`; known from the device

    The embedding stays in main memory, where one row a token is read; a tied one is on the card a second time, as the
    head.
    """
    for name, values in (("predictors", predictors), ("kv_caches", kv_caches)):
        if len(values) != config.n_layers:
            raise InvalidRequest(name, str(len(values)), f"one for each of {config.n_layers} layers")
    attention = [0] * config.n_layers
    neuron = [0] * config.n_layers
    head = 0
    for spec in tensor_specs(config, parts, 0):
        prefix, _, name = spec.name.rpartition(".")
        if prefix:
            layer = int(prefix.removeprefix("layers."))
            if name in _NEURON_TENSORS:
                neuron[layer] += spec.stride or 4
            else:
                attention[layer] += spec.n_bytes
        elif name.startswith(("head", "final_norm")) or (name == "embedding" and config.is_tied):
            head += spec.n_bytes
    layers = zip(attention, predictors, kv_caches, neuron, strict=True)
    return ModelBytes(tuple(LayerBytes(*layer, config.n_neurons) for layer in layers), head, context, workspace)


@dataclass(frozen=True, slots=True)
class CardMemory:
    """What a card has, in bytes, and what of it Ember may take.

    device   all of it
    others   taken by other programs and by the driver
    reserve  left free for the desktop and for whatever starts next
    limit    the user's own: Ember takes no more, whatever is free; None for none
    """

    device: int
    others: int
    reserve: int
    limit: int | None = None

    def __post_init__(self) -> None:
        _refuse_negative(self)
        if self.others > self.device:
            raise InvalidRequest("others", str(self.others), f"0 to {self.device}")

    @property
    def available(self) -> int:
        free = max(0, self.device - self.others - self.reserve)
        return free if self.limit is None else min(free, self.limit)


@dataclass(frozen=True, slots=True)
class MemoryAccount:
    """A plan's bytes on a card by name: `ours` as in PURPOSES, `entries` with what is not ours. Their sum is the card.

    Raises OutOfMemory where ours exceed what is available, naming the first purpose that no longer fits.
    """

    memory: CardMemory
    ours: tuple[tuple[str, int], ...]

    def __post_init__(self) -> None:
        needed = 0
        for name, n_bytes in self.ours:
            if needed + n_bytes > self.memory.available:
                raise OutOfMemory(name, n_bytes, self.memory.available - needed)
            needed += n_bytes

    @property
    def total(self) -> int:
        """What Ember takes."""
        return sum(n_bytes for _, n_bytes in self.ours)

    @property
    def entries(self) -> tuple[tuple[str, int], ...]:
        """Every byte of the card once; the reserve is what of it other programs have left."""
        free = self.memory.device - self.memory.others - self.total
        reserve = min(self.memory.reserve, free)
        return (
            *self.ours, ("other programs", self.memory.others), ("reserve", reserve), ("unused", free - reserve),
        )  # fmt: skip

    def deviations(self, allocated: Mapping[str, int]) -> dict[str, int]:
        """Bytes allocated beyond the account (negative: below it) for each of its names; all 0 where it was right.

        A name that the account does not have is refused: what has no name cannot be held against a budget.
        """
        planned = dict(self.ours)
        for name in allocated:
            if name not in planned:
                raise InvalidRequest("allocated", name, ", ".join(PURPOSES))
        return {name: allocated.get(name, 0) - n_bytes for name, n_bytes in planned.items()}


def plan_bytes(model: ModelBytes, plan: PlacementPlan) -> tuple[tuple[str, int], ...]:
    """(purpose, bytes) of a plan on the card, for each of PURPOSES; all zero where the plan leaves the card alone."""
    placed = list(zip(model.layers, plan.layers, strict=True))
    with_attention = [layer for layer, place in placed if place.attention_on_card]
    sums = (
        model.context if plan.uses_card else 0,
        model.workspace if plan.uses_card else 0,
        sum(layer.attention for layer in with_attention),
        model.head if plan.head_on_card else 0,
        sum(layer.predictor for layer in with_attention),
        sum(layer.kv_cache for layer in with_attention),
        sum(layer.neuron * place.n_hot for layer, place in placed),
    )
    return tuple(zip(PURPOSES, sums, strict=True))
