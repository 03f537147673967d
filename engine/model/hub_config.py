"""config.json of a hub repository → ModelConfig, through the family's row.

Refuses what cannot be run before a weight is read, naming what is missing: mixtures of experts, quantised checkpoints,
encoder-decoders, activations and scalings we do not have. `repository` is the name under which the checkpoint is known;
it is only asked where a configuration is known to be silent or wrong.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import DamagedFile, UnsupportedModel
from engine.model.config import ModelConfig, Rope, yarn
from engine.model.families import ACTIVATION_NAMES, Family, family_of_hub, overridden_activation

HasTensor = Callable[[str], bool]

_LARGEST = 1e18
# Keys that change what a model computes, in ways we do not have.
_ALTERING_KEYS = (
    "attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar", "logit_scale", "attention_multiplier",
    "residual_multiplier", "embedding_multiplier", "logits_scaling",
)  # fmt: skip


def config_from_hub(values: Mapping[str, Any], has: HasTensor, *, path: str, repository: str) -> ModelConfig:
    """The configuration of a checkpoint whose tensors answer `has(our name)`, layer tensors by those of layer 0.

    Raises UnsupportedModel or DamagedFile.
    """
    family = check_hub_config(values, path=path, repository=repository)
    read = _Reader(values, path)
    heads, width = read.integer("num_attention_heads", "n_head"), read.integer("hidden_size")
    if heads <= 0 or width <= 0:
        raise DamagedFile(path, f"num_attention_heads = {heads}, hidden_size = {width}")
    head_width = read.integer("head_dim", default=width // heads)
    activation, threshold = _activation(values, family, path, repository)
    n_layers = read.integer("num_hidden_layers", "n_layer")
    residual = family.residual
    if not read.boolean("do_layer_norm_before", default=True):
        residual = "post"
    is_new_falcon = read.boolean("new_decoder_architecture", default=False)
    if family.residual == "parallel" and not read.boolean("parallel_attn", default=True) and not is_new_falcon:
        raise UnsupportedModel(path, "residual", "parallel_attn = false", "parallel attention")
    if read.boolean("alibi", default=False):
        raise UnsupportedModel(path, "positions", "alibi", "rotary or learned positions")
    has_positions = has("positions")
    rotary = 0 if has_positions else int(head_width * _rotary_share(values, family, path))
    is_gated = has("gate") and has("up")
    return ModelConfig(
        name=repository,
        family=family.name,
        licence=str(values.get("license", "")),
        width=width,
        n_neurons=read.integer("intermediate_size", "ffn_dim", "ffn_hidden_size", default=4 * width),
        n_layers=n_layers,
        n_heads=heads,
        n_key_heads=_key_heads(read, heads),
        head_width=head_width,
        n_vocab=read.integer("vocab_size"),
        context_tokens=read.integer("max_position_embeddings", "max_sequence_length", default=2048),
        norm_eps=read.number(family.norm_eps_key, default=family.default_norm_eps),
        activation=activation,
        is_tied=_is_tied(read, family, has, path),
        rotary_width=rotary,
        rope=Rope() if has_positions else _rope(values, read, path),
        window=_window(values, read, family, n_layers, path),
        norm=family.norm,
        residual=residual,
        is_gated=is_gated,
        threshold=threshold,
        has_qkv_bias=has("q_bias"),
        has_out_bias=has("out_bias"),
        has_ffn_bias=has("first_bias"),
    )


def read_scales(values: Mapping[str, Any], family: Family, *, path: str) -> tuple[float, float, float]:
    """The family's three factors (MiniCPM), or ones that change nothing."""
    if family.scale_keys is None:
        return 1.0, 1.0, 1.0
    read = _Reader(values, path)
    first, second, third = (read.number(key) for key in family.scale_keys)
    if not all(0 < scale < 1e6 for scale in (first, second, third)):
        raise DamagedFile(path, f"{', '.join(family.scale_keys)} = {first}, {second}, {third}")
    return first, second, third


class _Reader:
    """Typed reads of a configuration; a value of another type is damage, an absent one the default."""

    def __init__(self, values: Mapping[str, Any], path: str) -> None:
        self._values, self._path = values, path

    def number(self, *keys: str, default: float | None = None) -> float:
        for key in keys:
            value = self._values.get(key)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise DamagedFile(self._path, f"{key} = {value!r}")
            if not -_LARGEST <= value <= _LARGEST:  # neither infinite, nor no number, nor an integer without end
                raise DamagedFile(self._path, f"{key} = {str(value)[:40]}")
            return float(value)
        if default is None:
            raise DamagedFile(self._path, f"{keys[0]} is missing")
        return float(default)

    def boolean(self, key: str, *, default: bool) -> bool:
        value = self._values.get(key)
        if value is not None and not isinstance(value, bool):
            raise DamagedFile(self._path, f"{key} = {value!r}")
        return default if value is None else value

    def has(self, key: str) -> bool:
        return self._values.get(key) is not None

    def integer(self, *keys: str, default: int | None = None) -> int:
        value = self.number(*keys, default=default)
        if abs(value) > 2**53 or int(value) != value:
            raise DamagedFile(self._path, f"{keys[0]} = {value!r}")
        return int(value)


def check_hub_config(values: Mapping[str, Any], *, path: str, repository: str) -> Family:
    """The family, after refusing what config.json alone shows cannot be run: before a download, before a weight."""
    if values.get("quantization_config"):
        raise UnsupportedModel(path, "weights", "a quantised checkpoint", "float32, float16 and bfloat16 weights")
    if any("expert" in key and isinstance(value, int) and value > 1 for key, value in values.items()):
        raise UnsupportedModel(path, "feed-forward", "a mixture of experts", "dense feed-forward")
    for key in _ALTERING_KEYS:
        if values.get(key) not in (None, False, 0, 1, 1.0):
            raise UnsupportedModel(path, "configuration", f"{key} = {values[key]!r}", "models without it")
    if _Reader(values, path).boolean("is_encoder_decoder", default=False):
        raise UnsupportedModel(path, "architecture", "encoder and decoder", "decoder only")
    family = family_of_hub(values, path)
    _activation(values, family, path, repository)
    return family


def _activation(values: Mapping[str, Any], family: Family, path: str, repository: str) -> tuple[str, float]:
    """The activation and its threshold: the override, else the family's, else what the configuration says."""
    known = overridden_activation(family, f"{repository} {values.get('_name_or_path', '')}")
    if known is not None:
        return known
    claimed = str(values.get(family.activation_key) or family.default_activation)
    activation = family.activation or ACTIVATION_NAMES.get(claimed, "")
    if not activation:
        raise UnsupportedModel(path, "activation", claimed, ", ".join(sorted(set(ACTIVATION_NAMES.values()))))
    if activation == "fatrelu":
        return activation, _Reader(values, path).number(family.threshold_key)
    # The only Qwen2 with a ReLU that was published passes its up product through it too, whatever its name is here.
    if family.name == "qwen2" and activation == "relu":
        return "drelu", 0.0
    # MiniCPM in LLaMA's format keeps its scale keys but lost the threshold that the weights were trained with.
    if family.name == "llama" and activation == "relu" and "scale_emb" in values and "scale_depth" in values:
        return "fatrelu", 0.03
    return activation, 0.0


def _key_heads(read: _Reader, heads: int) -> int:
    is_new_falcon = read.boolean("new_decoder_architecture", default=False)
    if read.boolean("multi_query", default=False) and not is_new_falcon:
        return 1
    return read.integer("num_key_value_heads", "num_kv_heads", "n_head_kv", default=heads)


def _is_tied(read: _Reader, family: Family, has: HasTensor, path: str) -> bool:
    if has("project_in"):  # the projections around the layers make two matrices of one
        return False
    is_tied = read.boolean("tie_word_embeddings", default=family.is_tied or not has("head"))
    if not is_tied and not has("head"):
        raise DamagedFile(path, "tensor head is missing, and tie_word_embeddings is false")
    return is_tied


def _window(values: Mapping[str, Any], read: _Reader, family: Family, n_layers: int, path: str) -> int:
    """Positions that every layer sees; 0 for all. Layers of different windows are refused."""
    kinds = values.get("layer_types")
    if isinstance(kinds, list) and len({str(kind) for kind in kinds}) > 1:
        raise UnsupportedModel(path, "attention", "layers with and without a window", "one window for all layers")
    if family.window == "never":
        return 0
    if family.window == "asked":
        if not read.boolean("use_sliding_window", default=False):
            return 0
        full = read.integer("max_window_layers", default=n_layers)
        if full >= n_layers:
            return 0
        if full > 0:
            raise UnsupportedModel(path, "attention", "layers with and without a window", "one window for all layers")
    if "sliding_window" not in values:
        return family.default_window
    return read.integer("sliding_window", default=0)


def _rope_values(values: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """The newer rope_parameters or the older rope_scaling; one for all layers."""
    found = values.get("rope_parameters") or values.get("rope_scaling") or {}
    if not isinstance(found, Mapping):
        raise DamagedFile(path, f"rope_scaling = {found!r}")
    if any(isinstance(value, Mapping) for value in found.values()):
        raise UnsupportedModel(path, "rotary scaling", "one for each kind of layer", "one for all layers")
    return found


def _rotary_share(values: Mapping[str, Any], family: Family, path: str) -> float:
    """The share of each head that is rotated."""
    stated = _Reader(values, path).number("partial_rotary_factor", default=family.default_rotary_share)
    share = _Reader(_rope_values(values, path), path).number("partial_rotary_factor", default=stated)
    if not 0.0 < share <= 1.0:
        raise DamagedFile(path, f"partial_rotary_factor = {share}")
    return share


def _rope(values: Mapping[str, Any], read: _Reader, path: str) -> Rope:
    """Base and scaling, from rope_theta and rope_scaling or from the newer rope_parameters."""
    scaling = _rope_values(values, path)
    inner = _Reader(scaling, path)
    base = inner.number("rope_theta", default=read.number("rope_theta", default=10000.0))
    kind = str(scaling.get("rope_type") or scaling.get("type") or "default")
    context = read.integer("max_position_embeddings", default=2048)
    match kind:
        case "default" | "none":
            return Rope(base=base)
        case "linear":
            return Rope(base=base, scaling="linear", factor=inner.number("factor"))
        case "llama3":
            return Rope(
                base=base,
                scaling="llama3",
                factor=inner.number("factor"),
                low=inner.number("low_freq_factor"),
                high=inner.number("high_freq_factor"),
                original_context=inner.integer("original_max_position_embeddings"),
            )
        case "yarn":
            if not inner.boolean("truncate", default=True):
                raise UnsupportedModel(path, "rotary scaling", "yarn without truncation", "yarn with it")
            return _yarn(base, inner, context)
        case _:
            raise UnsupportedModel(path, "rotary scaling", kind, "linear, llama3, yarn")


def _yarn(base: float, inner: _Reader, context: int) -> Rope:
    factor = inner.number("factor")
    attention = inner.number("attention_factor") if inner.has("attention_factor") else None
    if attention is None and inner.has("mscale") and inner.has("mscale_all_dim"):
        attention = _gain(factor, inner.number("mscale")) / _gain(factor, inner.number("mscale_all_dim"))
    return yarn(
        base,
        factor,
        inner.integer("original_max_position_embeddings", default=context),
        low=inner.number("beta_slow", default=1.0),
        high=inner.number("beta_fast", default=32.0),
        attention_factor=attention,
    )


def _gain(factor: float, weight: float) -> float:
    """YaRN's growth of attention with the scaling factor."""
    return 0.1 * weight * math.log(factor) + 1.0 if factor > 1 else 1.0
