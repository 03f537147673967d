"""`ModelConfig`: the shape and the constants of one model, checked once.

Built from a checkpoint's metadata by its reader or from a packed file's header; everything that runs takes its numbers
from here. A value that cannot be run is refused with its name.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from engine.errors import DamagedFile

ACTIVATIONS = ("silu", "relu")
# Bounds far beyond any model that fits a desktop: a damaged header must not make us allocate.
_MAX_WIDTH, _MAX_NEURONS, _MAX_LAYERS, _MAX_VOCABULARY, _MAX_CONTEXT = 65536, 1 << 20, 1024, 1 << 22, 1 << 24


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Hyperparameters of a decoder-only transformer.

    width         d: values of the residual stream
    n_neurons     hidden units of each feed-forward
    n_key_heads   key/value heads; each serves n_heads / n_key_heads query heads
    rope_base     base of the rotary frequencies
    activation    silu or relu
    is_tied       the output projection is the embedding
    """

    name: str
    family: str
    licence: str
    width: int
    n_neurons: int
    n_layers: int
    n_heads: int
    n_key_heads: int
    head_width: int
    n_vocab: int
    context_tokens: int
    rope_base: float
    norm_eps: float
    activation: str
    is_tied: bool

    def __post_init__(self) -> None:
        def check(name: str, ok: bool) -> None:
            if not ok:
                raise DamagedFile("", f"{name} = {getattr(self, name)!r} is out of range")

        check("width", 0 < self.width <= _MAX_WIDTH)
        check("n_neurons", 0 < self.n_neurons <= _MAX_NEURONS)
        check("n_layers", 0 < self.n_layers <= _MAX_LAYERS)
        check("n_heads", 0 < self.n_heads <= _MAX_WIDTH)
        check("n_key_heads", 0 < self.n_key_heads <= self.n_heads and self.n_heads % self.n_key_heads == 0)
        check("head_width", 0 < self.head_width <= _MAX_WIDTH and self.head_width % 2 == 0)
        check("n_vocab", 0 < self.n_vocab <= _MAX_VOCABULARY)
        check("context_tokens", 0 < self.context_tokens <= _MAX_CONTEXT)
        check("rope_base", 1.0 < self.rope_base < 1e12)
        check("norm_eps", 0.0 < self.norm_eps < 1.0)
        check("activation", self.activation in ACTIVATIONS)

    @property
    def attention_width(self) -> int:
        return self.n_heads * self.head_width

    @property
    def key_width(self) -> int:
        return self.n_key_heads * self.head_width

    @property
    def n_parameters(self) -> int:
        attention = self.width * (2 * self.attention_width + 2 * self.key_width)
        layer = attention + 3 * self.width * self.n_neurons + 2 * self.width
        return self.n_layers * layer + self.width + self.n_vocab * self.width * (1 if self.is_tied else 2)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def config_from_json(values: Mapping[str, Any]) -> ModelConfig:
    """The inverse of `to_json`; every field must be there and of its type."""
    out: dict[str, Any] = {}
    for field in fields(ModelConfig):
        value = values.get(field.name)
        expected: Any = (int, float) if field.type is float else field.type
        if (isinstance(value, bool) and expected is not bool) or not isinstance(value, expected):
            raise DamagedFile("", f"{field.name} = {value!r} in the model's header")
        out[field.name] = value
    return ModelConfig(**out)
