"""One row of facts per family of checkpoints. Nothing else in the engine asks which architecture a model is.

A new family is a new row; one that needs another operation adds a field here and one function where the field is read.
What a feed-forward is follows, in this order, from the tensors that are there, from the row, and from what the
configuration claims: configurations lie, tensors do not.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import UnsupportedModel

# Tensors of one layer and outside the layers, by our names. A value may list alternatives, tried in order.
Names = Mapping[str, tuple[str, ...]]


def _names(**names: str) -> Names:
    return {ours: tuple(theirs.split("|")) for ours, theirs in names.items()}


_LLAMA_OUTSIDE = _names(embedding="embed_tokens", final_norm="norm", head="lm_head")
_LLAMA_LAYER = _names(
    attention_norm="input_layernorm", q="self_attn.q_proj", k="self_attn.k_proj", v="self_attn.v_proj",
    out="self_attn.o_proj", ffn_norm="post_attention_layernorm", gate="mlp.gate_proj", up="mlp.up_proj",
    down="mlp.down_proj",
)  # fmt: skip
_OPT_OUTSIDE = _names(
    embedding="decoder.embed_tokens", positions="decoder.embed_positions", final_norm="decoder.final_layer_norm",
    project_in="decoder.project_in", project_out="decoder.project_out", head="lm_head",
)  # fmt: skip
_OPT_LAYER = _names(
    attention_norm="self_attn_layer_norm", q="self_attn.q_proj", k="self_attn.k_proj", v="self_attn.v_proj",
    out="self_attn.out_proj", ffn_norm="final_layer_norm", up="fc1", down="fc2",
)  # fmt: skip
_FALCON_OUTSIDE = _names(embedding="word_embeddings", final_norm="ln_f", head="lm_head")
_FALCON_LAYER = _names(
    attention_norm="ln_attn|input_layernorm", qkv="self_attention.query_key_value", out="self_attention.dense",
    ffn_norm="ln_mlp|input_layernorm", up="mlp.dense_h_to_4h", down="mlp.dense_4h_to_h",
)  # fmt: skip


_INVERSE_FREQUENCIES = r".*\.rotary_emb\.inv_freq"


@dataclass(frozen=True, slots=True)
class Family:
    """What the checkpoints of a family have in common.

    model_types        values of `model_type` in config.json
    gguf_architecture  value of general.architecture, and the prefix of its metadata keys; empty where GGUF has none
    has_paired_rope    GGUF stores the rows of Q and K so that rotated pairs are neighbours: undone on reading
    prefixes           what may stand before a tensor's name on the hub
    layers             the list of layers, with the layer's number
    outside, layer     tensor names on the hub, without `.weight` and `.bias`
    activation         what the feed-forward computes whatever the configuration says; empty: the configuration is asked
    activation_key     where the configuration says it
    default_activation where it says nothing
    threshold_key      fatrelu's threshold in the configuration
    norm, residual, norm_eps_key   as in ModelConfig
    norm_offset        added to every norm's weight (layernorm1p)
    position_offset    rows of the learned positions before position 0
    scale_keys         MiniCPM's three: embedding times the first, each branch times second / sqrt(layers), logits
                       divided by width / third
    predictor_reads    what published predictors of the family are fed: "stream", the residual before the feed-forward's
                       norm, or "layer input", which enters the layer. Source: PowerInfer's graph builders
    window             whether sliding_window counts: never, where stated, or only where use_sliding_window asks for it
    default_window     where a family that states it does not
    default_rotary_share   of each head, where a configuration does not say
    ignored            patterns of whole tensor names that are not part of the model (predictors, buffers)
    """

    name: str
    model_types: tuple[str, ...]
    gguf_architecture: str = ""
    has_paired_rope: bool = False
    prefixes: tuple[str, ...] = ("model.", "")
    layers: str = "layers.{}."
    outside: Names = field(default_factory=lambda: _LLAMA_OUTSIDE)
    layer: Names = field(default_factory=lambda: _LLAMA_LAYER)
    activation: str = ""
    activation_key: str = "hidden_act"
    default_activation: str = "silu"
    threshold_key: str = "hidden_act_param"
    norm: str = "rms"
    norm_eps_key: str = "rms_norm_eps"
    default_norm_eps: float = 1e-6
    residual: str = "sequential"
    norm_offset: float = 0.0
    position_offset: int = 0
    is_tied: bool = False
    has_qkv_bias: bool = False
    scale_keys: tuple[str, str, str] | None = None
    predictor_reads: str = "stream"
    window: str = "never"
    default_window: int = 0
    default_rotary_share: float = 1.0
    ignored: tuple[str, ...] = (_INVERSE_FREQUENCIES,)


FAMILIES = (
    Family("llama", ("llama",), "llama", has_paired_rope=True),
    Family("prosparse", ("sparsellama",), activation="fatrelu"),
    Family("minicpm", ("minicpm",), scale_keys=("scale_emb", "scale_depth", "dim_model_base"), is_tied=True),
    Family("sparselm", ("llama_sparse_relu",), activation="relu"),
    Family("mistral", ("mistral",), window="stated", default_window=4096),
    Family(
        "bamboo", ("bamboo",), "bamboo", activation="drelu",
        has_paired_rope=True, window="stated",
        ignored=(_INVERSE_FREQUENCIES, r".*\.mlp\.predictor\.fc[12]\.(weight|bias)"),
    ),
    Family("qwen2", ("qwen2",), "qwen2", has_qkv_bias=True, window="asked"),
    Family("arcee", ("arcee",), "arcee", has_paired_rope=True, default_activation="relu2"),
    Family(
        "nemotron", ("nemotron",), default_activation="relu2", norm="layer", norm_eps_key="norm_eps",
        default_norm_eps=1e-5, norm_offset=1.0, default_rotary_share=0.5,
    ),
    Family(
        "opt", ("opt",), prefixes=("model.", ""), layers="decoder.layers.{}.", outside=_OPT_OUTSIDE, layer=_OPT_LAYER,
        activation_key="activation_function", default_activation="relu", norm="layer", norm_eps_key="layer_norm_eps",
        default_norm_eps=1e-5, position_offset=2, is_tied=True, has_qkv_bias=True,
    ),
    Family(
        "falcon", ("falcon", "RefinedWeb", "RefinedWebModel"), prefixes=("transformer.", ""), layers="h.{}.",
        outside=_FALCON_OUTSIDE, layer=_FALCON_LAYER, activation_key="activation", default_activation="gelu",
        norm="layer", norm_eps_key="layer_norm_epsilon", default_norm_eps=1e-5, residual="parallel", is_tied=True,
        predictor_reads="layer input",
    ),
)  # fmt: skip

# Repositories whose configuration is silent or wrong about the activation: a piece of the name (lower case, without
# dashes and underscores), the family, and what the weights were trained with. Sources: model cards and modelling code.
ACTIVATION_OVERRIDES = (
    ("relufalcon", "falcon", "relu", 0.0),
    ("sparseqwen2", "qwen2", "drelu", 0.0),
    ("minicpms1bsftllamaformat", "llama", "fatrelu", 0.03),
    ("prosparseminicpm1bsftllamaformat", "llama", "fatrelu", 0.03),
    ("sparselm", "llama", "relu", 0.0),
    ("prosparsellama", "llama", "fatrelu", 0.01),
    ("prosparseminicpm", "llama", "fatrelu", 0.03),
)


def overridden_activation(family: "Family", known_as: str) -> tuple[str, float] | None:
    """Activation and threshold of a repository whose configuration is known to be silent or wrong."""
    plain = re.sub(r"[-_. ]", "", known_as.lower())
    for piece, name, activation, threshold in ACTIVATION_OVERRIDES:
        if name == family.name and piece in plain:
            return activation, threshold
    return None


# Names of activations on the hub, and ours.
ACTIVATION_NAMES = {
    "silu": "silu", "swish": "silu", "relu": "relu", "fatrelu": "fatrelu", "drelu": "drelu", "relu2": "relu2",
    "relu_squared": "relu2", "squared_relu": "relu2",
}  # fmt: skip

# Our names of the tensors outside and inside a layer, and GGUF's.
GGUF_TENSORS = {"embedding": "token_embd.weight", "final_norm": "output_norm.weight", "head": "output.weight"}
GGUF_LAYER_TENSORS = {
    "attention_norm": "attn_norm.weight",
    "q": "attn_q.weight",
    "k": "attn_k.weight",
    "v": "attn_v.weight",
    "q_bias": "attn_q.bias",
    "k_bias": "attn_k.bias",
    "v_bias": "attn_v.bias",
    "out": "attn_output.weight",
    "ffn_norm": "ffn_norm.weight",
    "gate": "ffn_gate.weight",
    "up": "ffn_up.weight",
    "down": "ffn_down.weight",
}


def family_of_gguf(architecture: str, path: str) -> Family:
    for family in FAMILIES:
        if architecture and family.gguf_architecture == architecture:
            return family
    supported = ", ".join(sorted({f.gguf_architecture for f in FAMILIES if f.gguf_architecture}))
    raise UnsupportedModel(path, "architecture", architecture or "none stated", supported)


def family_of_hub(config: Mapping[str, Any], path: str) -> Family:
    """By `model_type`, or where a configuration has none by the name of its class (MiniCPMForCausalLM)."""
    classes = config.get("architectures")
    first = str(classes[0]) if isinstance(classes, list) and classes else ""
    stated = str(config.get("model_type") or first.lower().removesuffix("forcausallm"))
    for family in FAMILIES:
        if stated in family.model_types:
            return family
    supported = ", ".join(sorted({t for f in FAMILIES for t in f.model_types}))
    raise UnsupportedModel(path, "architecture", stated or "none stated", supported)
