"""The stream of activations on the card, and what is launched on it: attention, hot neurons, sums, the head.

Owns which of two buffers holds the stream, since a norm goes from one into the other, and whether it is normed already.
Launches only; what crosses between the sides, and when somebody waits, is `card_step.py`.
"""

from dataclasses import dataclass

import numpy as np

from engine.kernels.cuda.device import CardArray
from engine.kernels.cuda.ops import rounds
from engine.kernels.formats import INT8, Float32
from engine.model.config import ModelConfig
from engine.placement.plan import PlacementPlan
from engine.runtime.card_model import CardModel, head_tensors
from engine.runtime.hot import HotChoice, HotFfn
from engine.runtime.predictor_rows import PredictorRows

_OTHER = {"x": "normed", "normed": "x"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a step is to do; steps that are asked the same have the same launches."""

    tokens: int
    tier: str
    wants_logits: bool
    notes_fired: bool


class CardStream:
    """Bound to one model on one card; `begin` comes before anything else of a step.

    x, x_in    the stream, and the name of its buffer; is_normed: whether the norm that comes next was taken elsewhere
    normed     what the layer's first product multiplies
    """

    def __init__(self, model: CardModel) -> None:
        self._model, self._config, self._hot = model, model.config, HotFfn(model)
        self._first_format = model.parts.of("gate") if model.config.is_gated else model.parts.of_up(model.config)
        self._scale = float(np.float32(1 / np.sqrt(model.config.head_width)))
        self._plan, self._asked = PlacementPlan("", (), False, 0.0), Asked(0, "", False, False)
        self._slots: dict[int, int] = {}
        self._predictors: tuple[PredictorRows | None, ...] = ()
        self._least: Float32 = np.zeros(0, np.float32)
        self.x_in, self.is_normed = "x", False
        self.x = self.normed = model.work["x"]

    def begin(
        self, plan: PlacementPlan, asked: Asked, least: Float32, predictors: tuple[PredictorRows | None, ...]
    ) -> None:  # fmt: skip
        """A step that is to do this; for each layer the least activation that keeps a neuron, and its predictor."""
        self._plan, self._asked, self._least, self._predictors = plan, asked, least, predictors
        on_card = [layer for layer, place in enumerate(plan.layers) if place.attention_on_card]
        self._slots = {layer: slot for slot, layer in enumerate(on_card)}
        self.is_normed = False

    @property
    def slots(self) -> dict[int, int]:
        """Of the layers whose attention is here: where theirs lies among the queries, keys and values."""
        return self._slots

    def launch_layer(self, layer: int) -> None:
        self.attend(layer)
        self.launch_hot(layer)
        self.add_to_stream(layer, self._model.tokens("hot", self._asked.tokens))

    def attend(self, layer: int, entering_to: Float32 | None = None) -> None:
        """x → x after attention; with a parallel residual attention's output stays in `projected`.

        entering_to  where in main memory what enters the layer is wanted, if anywhere
        """
        model, ops, c, t = self._model, self._model.ops, self._config, self._asked.tokens
        weights, cache = model.layers[layer].attention, model.mirror(layer).cache
        normed = self._norm(before_attention(self._config, layer))
        entering = normed if c.residual == "post" else self.x
        if entering_to is not None:
            model.device.download(entering, entering_to)
        if self._plan.layers[layer].n_hot and self.reads(layer, "entering"):
            self._score(layer, entering)
        qkv = model.qkv(len(self._slots), t)[self._slots[layer]]
        attended, projected = model.tokens("attended", t), model.tokens("projected", t)
        positions, of_qkv, of_out = model.work["positions"][:t], model.parts.of("qkv"), model.parts.of("out")
        ops.matvec(weights["qkv"], of_qkv, c.width, model.rounded(normed, of_qkv), qkv, weights.get("qkv_bias"))
        ops.rotate_and_append(qkv, model.work.get("rope"), positions, model.layout, cache)
        if cache.kind == "int8":
            ops.round_activations(qkv, INT8, c.attention_width, qkv, run=c.head_width)
        ops.attention(qkv, model.layout, cache, positions, c.window, self._scale, attended)
        if rounds(of_out):
            ops.round_activations(attended, of_out, c.attention_width, attended)
        ops.matvec(weights["out"], of_out, c.attention_width, attended, projected, weights.get("out_bias"))
        if c.residual == "post":
            self._become(normed)
        if c.residual != "parallel":
            ops.add(self.x, projected)
        self.normed = self._norm(before_ffn(self._config, layer))
        if self._plan.layers[layer].n_hot and self.reads(layer, "stream"):
            self._score(layer, self.x)
        if self._plan.layers[layer].n_hot and self.reads(layer, "normed"):
            self._score(layer, self.normed)

    def launch_hot(self, layer: int) -> None:
        """The hot neurons' sum for what `normed` holds, into `hot`."""
        model, t = self._model, self._asked.tokens
        neurons = model.layers[layer].neurons
        n, first = neurons.n_hot, layer * t * self._config.n_neurons
        scores = model.neuron_rows("scores", t, n) if self._predictors[layer] is not None else None
        fired = model.work["fired"][first : first + t * n].reshape(t, n) if self._asked.notes_fired else None
        choice = HotChoice(float(self._least[layer]), model.work["counts"][layer], scores, fired)
        self._hot.forward(neurons, self.normed, model.tokens("hot", t), choice)

    def add_to_stream(self, layer: int, *sums: CardArray) -> None:
        if self._config.residual == "post":
            self._become(self.normed)
        parts = [*sums]
        if (down_bias := self._model.layers[layer].attention.get("down_bias")) is not None:
            parts.append(down_bias)
        if self._config.residual == "parallel":
            parts.append(self._model.tokens("projected", self._asked.tokens))
        self._model.ops.add(self.x, *parts)
        self.is_normed = False

    def launch_head(self) -> None:
        model, (name, *_) = self._model, head_tensors(self._config)
        normed, logits = self._norm(before_head(self._config)), model.tokens("logits", self._asked.tokens)
        fmt = model.parts.of(name)
        model.ops.matvec(model.head[name], fmt, self._config.width, model.rounded(normed, fmt), logits, None)

    def _norm(self, name: str) -> CardArray:
        """x normed, in the other of the two buffers; x itself where it is normed already or no norm stands there."""
        if not name or self.is_normed:
            return self.x
        layer, within = _layer_and_name(name)
        weights = self._model.head if layer is None else self._model.layers[layer].attention
        other = self._model.tokens(_OTHER[self.x_in], self._asked.tokens)
        self._model.ops.norm(
            self.x, weights[within], weights.get(within + "_bias"), self._config.norm_eps, other, self._config.width
        )
        return other

    def hold(self, buffer: str) -> None:
        """The stream is in this buffer from here on."""
        self.x_in, self.x = buffer, self._model.tokens(buffer, self._asked.tokens)

    def _become(self, normed: CardArray) -> None:
        """With post-norm what was normed is the stream from here on."""
        if normed is not self.x:
            self.hold(_OTHER[self.x_in])
        self.is_normed = False

    def reads(self, layer: int, what: str) -> bool:
        """Whether this tier has a predictor for the layer, and it reads this."""
        predictor = self._predictors[layer]
        return predictor is not None and reads_of(predictor, self._config) == what

    def _score(self, layer: int, x: CardArray) -> None:
        """Scores of the hot neurons into `scores`, by the predictor of this tier."""
        model, t = self._model, self._asked.tokens
        predictor = model.layers[layer].predictors[self._asked.tier]
        n = model.layers[layer].neurons.n_hot
        scores, arrays, rows = model.neuron_rows("scores", t, n), predictor.arrays, predictor.rows
        outer, bias = arrays["outer"][:n], arrays["bias"][:n]
        if rows.kind == "sign":
            model.ops.sign_scores(x, self._config.width, outer, bias, scores)
        else:
            fmt, is_rectified = self._first_format, rows.kind == "relu"
            model.ops.low_rank_scores(
                model.rounded(x, fmt), arrays["inner"], outer, bias, fmt, self._config.width,
                model.tokens("projection", t), scores, is_rectified=is_rectified,
            )  # fmt: skip


# Which norm stands before a part --------------------------------------------------------------------------------------


def before_attention(config: ModelConfig, layer: int) -> str:
    if config.residual == "post":
        return f"layers.{layer - 1}.ffn_norm" if layer else ""
    return f"layers.{layer}.attention_norm"


def before_ffn(config: ModelConfig, layer: int) -> str:
    return f"layers.{layer}.{'attention_norm' if config.residual == 'post' else 'ffn_norm'}"


def before_head(config: ModelConfig) -> str:
    return f"layers.{config.n_layers - 1}.ffn_norm" if config.residual == "post" else "final_norm"


def reads_of(predictor: PredictorRows, config: ModelConfig) -> str:
    """What a predictor reads: with post-norm there is no norm between the stream and the first product."""
    return "normed" if config.residual == "post" and predictor.reads == "stream" else predictor.reads


def _layer_and_name(name: str) -> tuple[int | None, str]:
    """The number of a tensor's layer, None for what is of none, and its name within the layer."""
    prefix, _, within = name.rpartition(".")
    return (int(prefix.removeprefix("layers.")) if prefix else None), within
