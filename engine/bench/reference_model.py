"""A small model computed plainly: random weights of a few thousand values, and its logits in numpy from reference.py.

What `ember bench --check` holds the compiled step against. Every neuron is computed here, silent or not, so that the
step's skipping of silent ones is checked along with its arithmetic; those a predictor does not name count as silent.
Covers what the checks need: RMS norm, rotary
positions, a sequential residual.
"""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import reference
from engine.kernels.formats import FORMATS, Float32
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats, tensor_specs
from engine.model.rope import position_table

Tensors = dict[str, NDArray[Any]]

# No size divides a block of the kernels; three query heads to a key head.
_PLAIN = ModelConfig(
    name="check", family="llama", licence="", width=100, n_neurons=230, n_layers=2, n_heads=6, n_key_heads=2,
    head_width=18, n_vocab=331, context_tokens=128, norm_eps=1e-5, activation="silu", is_tied=False, rotary_width=18,
)  # fmt: skip
_THRESHOLD = 0.05  # a product at the threshold jumps by as much, and rounding decides to which side
_RANK = 70
_NAMES_ALL = 1e3  # a predictor's bias that no score outweighs
_BIASES = (0.3, 0.1)  # deviation of the constants that are added to vectors, and of a norm's weights from one


def small_config(activation: str) -> ModelConfig:
    """The small model with this activation; relu2 stands for those without a gate, which have biases as well."""
    is_gated = activation != "relu2"
    return dataclasses.replace(
        _PLAIN, name=f"check-{activation}", activation=activation, is_gated=is_gated, has_ffn_bias=not is_gated,
        threshold=_THRESHOLD if activation == "fatrelu" else 0.0,
    )  # fmt: skip


def small_tensors(config: ModelConfig, parts: PartFormats, seed: int) -> Tensors:
    """Random values, packed row by row as a model's are."""
    rng = np.random.default_rng(seed)
    tensors: Tensors = {}
    for spec in tensor_specs(config, parts, 0):
        part = spec.name.rpartition(".")[2]
        if not spec.stride:
            bias, norm = _BIASES
            values = rng.standard_normal(spec.rows, np.float32)
            tensors[spec.name] = bias * values if part.endswith("bias") else 1 + norm * values
            tensors[spec.name][config.n_neurons if part == "first_bias" else config.width :] = 0
        elif part != "tokenizer":
            columns = config.attention_width if part == "out" else config.width
            rows = rng.standard_normal((spec.rows, columns), np.float32)
            fmt = parts.of_up(config) if part == "up" else parts.of(part)
            tensors[spec.name] = fmt.pack(rows * np.float32(1 if part == "embedding" else columns**-0.5))
    return tensors


def small_predictor(config: ModelConfig, parts: PartFormats, seed: int) -> Tensors:
    """A random predictor for the tensors of `small_tensors`.

    In float rows it rules out about half of the neurons. In rounded ones it names all: rounding would put neurons whose
    score is near zero on the other side.
    """
    rng = np.random.default_rng(seed)
    fmt = FORMATS[parts.ffn_first]
    tensors: Tensors = {}
    for layer in range(config.n_layers):
        name = f"layers.{layer}.predictor_"
        bias = rng.standard_normal(config.n_neurons, np.float32) + (0 if fmt.name == "f32" else _NAMES_ALL)
        tensors[name + "in"] = fmt.pack(rng.standard_normal((_RANK, config.width), np.float32))
        tensors[name + "out"] = fmt.pack(rng.standard_normal((config.n_neurons, _RANK), np.float32))
        tensors[name + "bias"] = np.asarray(bias, np.float32)
    return tensors


def reference_logits(config: ModelConfig, parts: PartFormats, tensors: Tensors, tokens: list[int]) -> Float32:
    """tokens (t,) → logits (t, v) after each of them."""
    c, t = config, len(tokens)
    table = position_table(c, t)

    def rows(name: str, columns: int = c.width) -> Float32:
        part = name.rpartition(".")[2]
        return (parts.of_up(c) if part == "up" else parts.of(part)).unpack(tensors[name], columns)

    def norm(x: Float32, name: str) -> Float32:
        return reference.rms_norm(x, tensors[name][: c.width], c.norm_eps)

    def attend(x: Float32, layer: str) -> Float32:
        q, k, v = np.split(x @ rows(layer + "qkv").T, [c.attention_width, c.attention_width + c.key_width], axis=1)
        queries = reference.rope(q.reshape(t, c.n_heads, c.head_width), table)
        keys = reference.rope(k.reshape(t, c.n_key_heads, c.head_width), table).swapaxes(0, 1)
        values = v.reshape(t, c.n_key_heads, c.head_width).swapaxes(0, 1)
        seen = [reference.attention(queries[i], keys[:, : i + 1], values[:, : i + 1]) for i in range(t)]
        return np.stack(seen).reshape(t, c.attention_width) @ rows(layer + "out", c.attention_width).T

    def named(x: Float32, layer: str) -> NDArray[np.bool_]:
        fmt, rank = FORMATS[parts.ffn_first], len(tensors[layer + "predictor_in"])
        inner = x @ fmt.unpack(tensors[layer + "predictor_in"], c.width).T
        scores = inner @ fmt.unpack(tensors[layer + "predictor_out"], rank).T
        return np.asarray(scores + tensors[layer + "predictor_bias"] > 0)

    def feed_forward(x: Float32, layer: str) -> Float32:
        first = x @ rows(layer + c.first).T
        if c.has_ffn_bias:
            first = first + tensors[layer + "first_bias"][: c.n_neurons]
        acts = reference.activate(first, c.activation, c.threshold)
        if layer + "predictor_in" in tensors:
            acts = np.where(named(x, layer), acts, np.float32(0))
        if c.is_gated:
            ups = x @ rows(layer + "up").T
            acts = acts * (np.maximum(ups, np.float32(0)) if c.activation == "drelu" else ups)
        out = acts @ rows(layer + "down")
        return out + tensors[layer + "down_bias"][: c.width] if c.has_ffn_bias else out

    x = FORMATS[parts.embedding].unpack(tensors["embedding"][np.asarray(tokens)], c.width)
    for number in range(c.n_layers):
        layer = f"layers.{number}."
        x = x + attend(norm(x, layer + "attention_norm"), layer)
        x = x + feed_forward(norm(x, layer + "ffn_norm"), layer)
    return np.asarray(norm(x, "final_norm") @ rows("head").T, np.float32)
