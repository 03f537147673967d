"""Every family's forward pass written out from its mathematics, in float64, one prompt at a time.

Owns nothing but formulas: a `Facts` says which of them apply, `forward` applies them to tensors under the names of the
hub. It shares no code with the engine and none with transformers, so that agreement of any two of the three means
something. Slow, plain, and not meant for more than a few dozen tokens.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

Tensors = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a forward pass needs to know beside the tensors.

    layout      how tensors are named and laid out: llama, opt or falcon
    norm        rms or layer; `norm_offset` is added to its weight
    residual    sequential, parallel (both branches read the layer's input), or post (norms after the sums)
    frequencies radians per position of each rotated pair (i, i + r/2); empty where positions are learned
    rope_gain   multiplies cosine and sine
    window      a position sees at most so many, itself included; 0: all
    first_position   row of the learned positions that belongs to position 0
    embedding_gain, branch_gain, logit_gain   MiniCPM's factors: of the embeddings, of what each branch adds, of logits
    """

    layout: str
    n_layers: int
    n_heads: int
    n_key_heads: int
    head_width: int
    activation: str
    threshold: float
    eps: float
    norm: str = "rms"
    norm_offset: float = 0.0
    residual: str = "sequential"
    frequencies: tuple[float, ...] = ()
    rope_gain: float = 1.0
    window: int = 0
    first_position: int = 2
    embedding_gain: float = 1.0
    branch_gain: float = 1.0
    logit_gain: float = 1.0


@dataclass(frozen=True, slots=True)
class Forward:
    """logits (t, v) float64; silent (layers,): share of neurons that contribute nothing; margin: the smallest distance
    of a first product from fatrelu's threshold, where the activation jumps."""

    logits: Tensor
    silent: Tensor
    margin: float


def read_facts(config: Mapping[str, Any], *, family: str, activation: str, threshold: float) -> Facts:
    """The facts that config.json states, for a family and activation known from elsewhere."""
    heads = config["num_attention_heads"]
    n_layers = config["num_hidden_layers"]
    head_width = config.get("head_dim") or config["hidden_size"] // heads
    common: dict[str, Any] = {
        "n_layers": n_layers, "n_heads": heads, "head_width": head_width, "activation": activation,
        "threshold": threshold,
    }  # fmt: skip
    if family == "opt":
        residual = "sequential" if config["do_layer_norm_before"] else "post"
        return Facts("opt", n_key_heads=heads, eps=1e-5, norm="layer", residual=residual, **common)
    if family == "falcon":
        key_heads = config["num_kv_heads"] if config["new_decoder_architecture"] else 1
        return Facts(
            "falcon", n_key_heads=key_heads, eps=config["layer_norm_epsilon"], norm="layer", residual="parallel",
            frequencies=plain_frequencies(head_width, 10000.0), **common,
        )  # fmt: skip
    frequencies, gain = scaled_frequencies(config, int(head_width * config.get("partial_rotary_factor", 1.0)))
    gains = {}
    if family == "minicpm":
        gains = {
            "embedding_gain": config["scale_emb"],
            "branch_gain": config["scale_depth"] / math.sqrt(n_layers),
            "logit_gain": config["dim_model_base"] / config["hidden_size"],
        }
    is_layer = family == "nemotron"
    window = config.get("sliding_window") or 0
    return Facts(
        "llama",
        n_key_heads=config.get("num_key_value_heads", heads),
        eps=config["norm_eps" if is_layer else "rms_norm_eps"],
        norm="layer" if is_layer else "rms",
        norm_offset=1.0 if is_layer else 0.0,
        frequencies=frequencies,
        rope_gain=gain,
        window=0 if config.get("use_sliding_window") is False else window,
        **gains,
        **common,
    )


def plain_frequencies(rotated: int, base: float) -> tuple[float, ...]:
    return tuple(base ** (-2 * i / rotated) for i in range(rotated // 2))


def scaled_frequencies(config: Mapping[str, Any], rotated: int) -> tuple[tuple[float, ...], float]:
    """The rotary frequencies and their gain.

    linear: Chen et al., 2023. llama3: the scheme published with Llama 3.1. yarn: Peng et al., 2023, equations 18 to 22.
    """
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    base = float(scaling.get("rope_theta") or config.get("rope_theta") or 10000.0)
    plain = plain_frequencies(rotated, base)
    kind = scaling.get("rope_type") or scaling.get("type") or "default"
    if kind == "default":
        return plain, 1.0
    factor = scaling["factor"]
    if kind == "linear":
        return tuple(f / factor for f in plain), 1.0
    original = scaling["original_max_position_embeddings"]
    if kind == "llama3":
        low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]

        def kept(frequency: float) -> float:  # 1 where waves are short, 0 where they are long
            turns = original * frequency / (2 * math.pi)
            return min(1.0, max(0.0, (turns - low) / (high - low)))

        return tuple(f * kept(f) + f / factor * (1 - kept(f)) for f in plain), 1.0

    def index_of(turns: float) -> float:  # of the pair that turns so often in the original context
        return rotated * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base))

    first, last = math.floor(index_of(scaling["beta_fast"])), math.ceil(index_of(scaling["beta_slow"]))
    first, last = max(first, 0), min(last, rotated - 1)
    stretched = [min(1.0, max(0.0, (i - first) / (last - first))) for i in range(rotated // 2)]
    frequencies = tuple(f / factor * s + f * (1 - s) for f, s in zip(plain, stretched, strict=True))
    return frequencies, 0.1 * math.log(factor) + 1


def forward(tensors: Tensors, facts: Facts, tokens: list[int], *, predicted: bool = False) -> Forward:
    """Logits of every position; with `predicted`, neurons that a layer's predictor expects to be silent are."""
    outside = {"llama": _llama_outside, "opt": _opt_outside, "falcon": _falcon_outside}[facts.layout](tensors)
    inside = {"llama": _llama_layer, "opt": _opt_layer, "falcon": _falcon_layer}[facts.layout]
    x = outside["embedding"][torch.tensor(tokens)] * facts.embedding_gain
    if "project_in" in outside:
        x = x @ outside["project_in"].T
    if "positions" in outside:
        x = x + outside["positions"][facts.first_position :][: len(tokens)]
    silent, margin = [], math.inf
    for number in range(facts.n_layers):
        layer = inside(tensors, number, facts)
        x, share, nearest = _layer(x, layer, facts, predicted)
        silent.append(share)
        margin = min(margin, nearest)
    if "final_norm" in outside:
        x = _norm(x, outside, "final_norm", facts)
    if "project_out" in outside:
        x = x @ outside["project_out"].T
    return Forward(x @ outside["head"].T * facts.logit_gain, torch.stack(silent), margin)


def _layer(x: Tensor, layer: dict[str, Tensor], facts: Facts, predicted: bool) -> tuple[Tensor, Tensor, float]:
    if facts.residual == "post":
        x = _norm(x + _attention(x, layer, facts), layer, "attention_norm", facts)
        added, share, margin = _feed_forward(x, layer, facts, None)
        return _norm(x + added, layer, "ffn_norm", facts), share, margin
    attended = _attention(_norm(x, layer, "attention_norm", facts), layer, facts) * facts.branch_gain
    before_ffn = x if facts.residual == "parallel" else x + attended
    masked_by = before_ffn if predicted else None
    added, share, margin = _feed_forward(_norm(before_ffn, layer, "ffn_norm", facts), layer, facts, masked_by)
    return x + attended + added * facts.branch_gain, share, margin


def _norm(x: Tensor, tensors: Mapping[str, Tensor], name: str, facts: Facts) -> Tensor:
    if facts.norm == "layer":
        x = x - x.mean(-1, keepdim=True)
    normed = x / torch.sqrt(x.square().mean(-1, keepdim=True) + facts.eps) * (tensors[name] + facts.norm_offset)
    return normed + tensors[name + "_bias"] if facts.norm == "layer" else normed


def _linear(x: Tensor, layer: Mapping[str, Tensor], name: str) -> Tensor:
    y = x @ layer[name].T
    return y + layer[name + "_bias"] if name + "_bias" in layer else y


def _attention(x: Tensor, layer: Mapping[str, Tensor], facts: Facts) -> Tensor:
    length, e, each = len(x), facts.head_width, facts.n_heads // facts.n_key_heads
    q = _rotated(_linear(x, layer, "q").reshape(length, facts.n_heads, e), facts)
    k = _rotated(_linear(x, layer, "k").reshape(length, facts.n_key_heads, e), facts).repeat_interleave(each, 1)
    v = _linear(x, layer, "v").reshape(length, facts.n_key_heads, e).repeat_interleave(each, 1)
    out = torch.empty_like(q)
    for position in range(length):
        seen = slice(max(0, position + 1 - facts.window) if facts.window else 0, position + 1)
        shares = torch.exp((k[seen] * q[position]).sum(-1) / math.sqrt(e))
        out[position] = (shares[..., None] * v[seen]).sum(0) / shares.sum(0)[..., None]
    return _linear(out.reshape(length, -1), layer, "out")


def _rotated(x: Tensor, facts: Facts) -> Tensor:
    """x (t, heads, e): pairs (i, i + r/2) of the first r values turned by position times frequency."""
    half = len(facts.frequencies)
    if not half:
        return x
    angle = torch.arange(len(x), dtype=x.dtype)[:, None] * torch.tensor(facts.frequencies, dtype=x.dtype)
    cos, sin = torch.cos(angle)[:, None] * facts.rope_gain, torch.sin(angle)[:, None] * facts.rope_gain
    a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return torch.cat([a * cos - b * sin, b * cos + a * sin, rest], -1)


def _feed_forward(
    x: Tensor, layer: Mapping[str, Tensor], facts: Facts, masked_by: Tensor | None
) -> tuple[Tensor, Tensor, float]:
    first = _linear(x, layer, "first")
    acts = _activation(first, facts)
    if "up" in layer:
        up = _linear(x, layer, "up")
        acts = acts * (up.clamp(min=0) if facts.activation == "drelu" else up)
    if masked_by is not None and "predictor_1" in layer:
        score = _linear(_linear(masked_by, layer, "predictor_1").clamp(min=0), layer, "predictor_2")
        acts = acts * (score > 0)
    silent = (acts == 0).double().mean()
    margin = float((first - facts.threshold).abs().min()) if facts.threshold else math.inf
    return _linear(acts, layer, "down"), silent, margin


def _activation(x: Tensor, facts: Facts) -> Tensor:
    match facts.activation:
        case "silu":
            return x / (1 + torch.exp(-x))
        case "fatrelu":
            return torch.where(x > facts.threshold, x, torch.zeros_like(x))
        case "relu2":
            return x.clamp(min=0).square()
        case _:
            return x.clamp(min=0)


# Layouts: the hub's names → the names used above, everything in float64 ----------------------------------------------


def _named(tensors: Tensors, prefix: str, names: Mapping[str, str]) -> dict[str, Tensor]:
    """Those of the tensors that are there, with their biases."""
    found = {}
    for ours, theirs in names.items():
        for ending, suffix in ((".weight", ""), (".bias", "_bias")):
            if prefix + theirs + ending in tensors:
                found[ours + suffix] = tensors[prefix + theirs + ending].double()
    return found


def _llama_outside(tensors: Tensors) -> dict[str, Tensor]:
    outside = _named(tensors, "model.", {"embedding": "embed_tokens", "final_norm": "norm"})
    return {"head": outside["embedding"]} | outside | _named(tensors, "", {"head": "lm_head"})


def _llama_layer(tensors: Tensors, number: int, facts: Facts) -> dict[str, Tensor]:
    layer = _named(
        tensors,
        f"model.layers.{number}.",
        {
            "attention_norm": "input_layernorm", "q": "self_attn.q_proj", "k": "self_attn.k_proj",
            "v": "self_attn.v_proj", "out": "self_attn.o_proj", "ffn_norm": "post_attention_layernorm",
            "first": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj",
            "predictor_1": "mlp.predictor.fc1", "predictor_2": "mlp.predictor.fc2",
        },
    )  # fmt: skip
    if "first" not in layer:  # nemotron and arcee: up_proj and down_proj only
        layer["first"] = layer.pop("up")
    return layer


def _opt_prefix(tensors: Tensors) -> str:
    return "model.decoder." if "model.decoder.embed_tokens.weight" in tensors else "decoder."


def _opt_outside(tensors: Tensors) -> dict[str, Tensor]:
    outside = _named(
        tensors,
        _opt_prefix(tensors),
        {
            "embedding": "embed_tokens", "positions": "embed_positions", "final_norm": "final_layer_norm",
            "project_in": "project_in", "project_out": "project_out",
        },
    )  # fmt: skip
    return {"head": outside["embedding"]} | outside


def _opt_layer(tensors: Tensors, number: int, facts: Facts) -> dict[str, Tensor]:
    return _named(
        tensors,
        f"{_opt_prefix(tensors)}layers.{number}.",
        {
            "attention_norm": "self_attn_layer_norm", "q": "self_attn.q_proj", "k": "self_attn.k_proj",
            "v": "self_attn.v_proj", "out": "self_attn.out_proj", "ffn_norm": "final_layer_norm", "first": "fc1",
            "down": "fc2",
        },
    )  # fmt: skip


def _falcon_outside(tensors: Tensors) -> dict[str, Tensor]:
    outside = _named(tensors, "transformer.", {"embedding": "word_embeddings", "final_norm": "ln_f"})
    return {"head": outside["embedding"]} | outside


def _falcon_layer(tensors: Tensors, number: int, facts: Facts) -> dict[str, Tensor]:
    """The fused matrix holds, for each key head: its query heads, then the key, then the value."""
    layer = _named(
        tensors,
        f"transformer.h.{number}.",
        {
            "attention_norm": "ln_attn", "ffn_norm": "ln_mlp", "qkv": "self_attention.query_key_value",
            "out": "self_attention.dense", "first": "mlp.dense_h_to_4h", "down": "mlp.dense_4h_to_h",
            "norm": "input_layernorm",
        },
    )  # fmt: skip
    for suffix in ("", "_bias"):
        if "norm" + suffix in layer:
            layer["attention_norm" + suffix] = layer["ffn_norm" + suffix] = layer["norm" + suffix]
    g, e = facts.n_key_heads, facts.head_width
    each = facts.n_heads // g
    groups = layer.pop("qkv").reshape(g, each + 2, e, -1)
    layer["q"] = groups[:, :each].reshape(g * each * e, -1)
    layer["k"], layer["v"] = groups[:, each].reshape(g * e, -1), groups[:, each + 1].reshape(g * e, -1)
    return layer
