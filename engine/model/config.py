"""`ModelConfig`: the shape and the constants of one model, checked once.

Built from a checkpoint's metadata by its reader or from a packed file's header; everything that runs takes its numbers
from here. A value that cannot be run is refused with its name.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from engine.errors import DamagedFile

# What follows the first product of a neuron: silu never silences one; the others do, fatrelu below a threshold and
# drelu
# a second time after the up product.
ACTIVATIONS = ("silu", "relu", "fatrelu", "drelu", "relu2")
NORMS = ("rms", "layer")
RESIDUALS = ("sequential", "parallel", "post")
ROPE_SCALINGS = ("none", "linear", "llama3", "yarn")
# Bounds far beyond any model that fits a desktop: a damaged header must not make us allocate.
_MAX_WIDTH, _MAX_NEURONS, _MAX_LAYERS, _MAX_VOCABULARY, _MAX_CONTEXT = 65536, 1 << 20, 1024, 1 << 22, 1 << 24


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Hyperparameters of a decoder-only transformer.

    width         d: values of the residual stream
    n_neurons     hidden units of each feed-forward
    n_key_heads   key/value heads; each serves n_heads / n_key_heads query heads
    rotary_width  values of a head that are rotated, from its start; 0 where positions are learned
    rope          base and scaling of the rotary frequencies
    window        a position sees at most so many, itself included; 0 means all before it
    norm          rms, or layer (with bias)
    residual      sequential: attention, then feed-forward, each on its norm of the stream; parallel: both on the stream
                  that enters the layer; post: each added to its input, then normed
    is_gated      the feed-forward is down(act(gate x) * up x), otherwise down(act(up x))
    activation    one of ACTIVATIONS; `threshold` is fatrelu's
    has_*_bias    of query, key and value; of the attention's output; of every feed-forward product
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
    norm_eps: float
    activation: str
    is_tied: bool
    rotary_width: int
    rope: "Rope" = field(default_factory=lambda: Rope())
    window: int = 0
    norm: str = "rms"
    residual: str = "sequential"
    is_gated: bool = True
    threshold: float = 0.0
    has_qkv_bias: bool = False
    has_out_bias: bool = False
    has_ffn_bias: bool = False

    def __post_init__(self) -> None:
        def check(name: str, ok: bool) -> None:
            if not ok:
                raise DamagedFile("", f"{name} = {getattr(self, name)!r} is out of range")

        check("width", 0 < self.width <= _MAX_WIDTH)
        check("n_neurons", 0 < self.n_neurons <= _MAX_NEURONS)
        check("n_layers", 0 < self.n_layers <= _MAX_LAYERS)
        check("n_heads", 0 < self.n_heads <= _MAX_WIDTH)
        check("n_key_heads", 0 < self.n_key_heads <= self.n_heads and self.n_heads % self.n_key_heads == 0)
        check("head_width", 0 < self.head_width <= _MAX_WIDTH)
        check("n_vocab", 0 < self.n_vocab <= _MAX_VOCABULARY)
        check("context_tokens", 0 < self.context_tokens <= _MAX_CONTEXT)
        check("rotary_width", 0 <= self.rotary_width <= self.head_width and self.rotary_width % 2 == 0)
        check("window", 0 <= self.window <= _MAX_CONTEXT)
        check("norm", self.norm in NORMS)
        check("residual", self.residual in RESIDUALS)
        check("norm_eps", 0.0 < self.norm_eps < 1.0)
        check("activation", self.activation in ACTIVATIONS)
        check("activation", self.is_gated or self.activation not in ("silu", "drelu"))
        check("threshold", (0.0 < self.threshold < 1e4) if self.activation == "fatrelu" else self.threshold == 0.0)

    @property
    def attention_width(self) -> int:
        return self.n_heads * self.head_width

    @property
    def key_width(self) -> int:
        return self.n_key_heads * self.head_width

    @property
    def qkv_width(self) -> int:
        return self.attention_width + 2 * self.key_width

    @property
    def has_learned_positions(self) -> bool:
        return self.rotary_width == 0

    @property
    def is_sparse(self) -> bool:
        """Neurons can be exactly silent."""
        return self.activation != "silu"

    @property
    def first(self) -> str:
        """The matrix of the feed-forward's first product."""
        return "gate" if self.is_gated else "up"

    @property
    def feed_forward(self) -> str:
        """What a neuron computes, in words a user may see: "gated silu", "gated fatrelu 0.01", "plain relu"."""
        threshold = f" {self.threshold:g}" if self.activation == "fatrelu" else ""
        return f"{'gated' if self.is_gated else 'plain'} {self.activation}{threshold}"

    @property
    def n_parameters(self) -> int:
        attention = self.width * (2 * self.attention_width + 2 * self.key_width)
        layer = attention + (3 if self.is_gated else 2) * self.width * self.n_neurons
        layer += 2 * self.width * (2 if self.norm == "layer" else 1)
        layer += self.qkv_width * self.has_qkv_bias + self.width * self.has_out_bias
        layer += ((2 if self.is_gated else 1) * self.n_neurons + self.width) * self.has_ffn_bias
        outside = self.n_vocab * self.width * (1 if self.is_tied else 2)
        outside += self.width * (2 if self.norm == "layer" else 1) * (self.residual != "post")
        outside += self.context_tokens * self.width * self.has_learned_positions
        return self.n_layers * layer + outside

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Rope:
    """Frequencies of the rotary positions: base ** (-2i / e), then scaled.

    linear  all divided by `factor`
    llama3  the slow ones divided by `factor`, between the wavelengths original/low and original/high in part
    yarn    the slow ones divided by `factor`, blended between the rotations `low` and `high` (beta fast and slow);
            rotations are multiplied by `attention_factor`. Source: Peng et al., 2023
    """

    base: float = 10000.0
    scaling: str = "none"
    factor: float = 1.0
    low: float = 1.0
    high: float = 1.0
    original_context: int = 0
    attention_factor: float = 1.0

    def __post_init__(self) -> None:
        def check(name: str, ok: bool) -> None:
            if not ok:
                raise DamagedFile("", f"rope {name} = {getattr(self, name)!r} is out of range")

        check("base", 1.0 < self.base < 1e12)
        check("scaling", self.scaling in ROPE_SCALINGS)
        check("factor", 1.0 <= self.factor < 1e4)
        check("low", 0.0 < self.low < 1e4)
        check("high", 0.0 < self.high < 1e4)
        check("high", self.high > self.low or self.scaling in ("none", "linear"))
        check("attention_factor", 0.0 < self.attention_factor < 1e3)
        check("original_context", 0 < self.original_context <= _MAX_CONTEXT or self.scaling in ("none", "linear"))


def yarn(
    base: float, factor: float, original_context: int, *, low: float = 1.0, high: float = 32.0,
    attention_factor: float | None = None,
) -> Rope:  # fmt: skip
    """YaRN scaling with the paper's defaults where a checkpoint states none."""
    attention = 0.1 * math.log(factor) + 1.0 if attention_factor is None else attention_factor
    return Rope(base, "yarn", factor, low, high, original_context, attention)


def config_from_json(values: Mapping[str, Any]) -> ModelConfig:
    """The inverse of `to_json`; every field must be there and of its type."""
    rope = values.get("rope")
    if not isinstance(rope, Mapping):
        raise DamagedFile("", f"rope = {rope!r} in the model's header")
    return ModelConfig(**_typed(ModelConfig, values, {"rope"}), rope=Rope(**_typed(Rope, rope, set())))


def _typed(kind: Any, values: Mapping[str, Any], without: set[str]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for each in fields(kind):
        if each.name in without:
            continue
        value = values.get(each.name)
        expected: Any = (int, float) if each.type is float else each.type
        if (isinstance(value, bool) and expected is not bool) or not isinstance(value, expected):
            raise DamagedFile("", f"{each.name} = {value!r} in the model's header")
        out[each.name] = value
    return out
