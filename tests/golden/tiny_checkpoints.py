"""The tiny checkpoints in memory: random weights under the hub's names, and the tokenizer files beside them.

Owns one recipe per row of families.py; shapes come from the config.json of the row's folder. All weights come from one
numpy generator per family; they lean so that most neurons of a ReLU are silent, as in trained sparse models. Writing
them to disk is make_golden.py's.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tests.golden import tiny_tokenizers
from tests.golden.families import golden
from tests.golden.tiny_tokenizers import TokenizerFiles

Arrays = dict[str, NDArray[np.float32]]
Config = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tiny:
    """tensors under the hub's names and in the stored type; tokenizer files; the ids of the prompt.

    n_shards      how many files hold the weights, where there is an index
    legacy_pickle tensors carry an attribute, as in some torch files of 2023: they unpickle through another function
    """

    tensors: dict[str, Tensor]
    text: TokenizerFiles
    n_shards: int
    legacy_pickle: bool


@dataclass(frozen=True, slots=True)
class _Recipe:
    weights: Callable[[Config], Arrays]
    tokenizer: Callable[[], TokenizerFiles]
    n_shards: int = 2
    legacy_pickle: bool = False


def build(folder: str) -> Tiny:
    """The checkpoint of one row, the same every time."""
    row, recipe = golden(folder), _RECIPES[folder]
    dtype = getattr(torch, row.stored)
    tensors = {name: torch.from_numpy(values).to(dtype) for name, values in recipe.weights(row.config).items()}
    return Tiny(tensors, recipe.tokenizer(), recipe.n_shards, recipe.legacy_pickle)


# Weights --------------------------------------------------------------------------------------------------------------


class _Source:
    """Random tensors of one model.

    Every embedding shares a direction; first matrices of a feed-forward lean against it by `lean` standard deviations,
    which is how most of their products come out negative.
    """

    def __init__(self, seed: int, width: int) -> None:
        self._random = np.random.default_rng(seed)
        steady = self._random.standard_normal(width)
        steady -= steady.mean()  # layer norms take the mean away
        self._steady = steady / np.linalg.norm(steady)
        self.width = width

    def embedding(self, rows: int, size: float = 1.0) -> NDArray[np.float32]:
        values = 0.75 * self._random.standard_normal((rows, self.width)) + 0.65 * math.sqrt(self.width) * self._steady
        return np.asarray(size * values, np.float32)

    def matrix(self, rows: int, columns: int, size: float = 1.0) -> NDArray[np.float32]:
        """Maps vectors of unit variance to vectors of variance size²."""
        return np.asarray(self._random.standard_normal((rows, columns)) * size / math.sqrt(columns), np.float32)

    def leaning(self, rows: int, size: float = 1.0, lean: float = 1.0) -> NDArray[np.float32]:
        pull = lean * size / (0.65 * math.sqrt(self.width)) * self._steady
        return np.asarray(self.matrix(rows, self.width, size) - pull, np.float32)

    def near(self, value: float, size: int, spread: float = 0.2) -> NDArray[np.float32]:
        return np.asarray(value + spread * self._random.uniform(-1, 1, size), np.float32)


def _llama_weights(
    seed: int,
    *,
    gate: float = 1.0,
    lean: float = 1.0,
    up_lean: float = 0.0,
    embedding: float = 1.0,
    branch: float = 0.6,
    last: float = 1.0,
    with_up: bool = True,
    with_head: bool = True,
) -> Callable[[Config], Arrays]:
    """Weights under LLaMA's names.

    gate: spread of the gate's products; branch: size of what a branch adds; last: weight of the norm before the head.
    """

    def weights(config: Config) -> Arrays:
        d, n, v = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
        heads = config["num_attention_heads"]
        e = config.get("head_dim") or d // heads
        keys = config.get("num_key_value_heads", heads) * e
        source = _Source(seed, d)
        out: Arrays = {"model.embed_tokens.weight": source.embedding(v, embedding)}
        for layer in range(config["num_hidden_layers"]):
            name = f"model.layers.{layer}."
            out[name + "self_attn.q_proj.weight"] = source.matrix(heads * e, d)
            out[name + "self_attn.k_proj.weight"] = source.matrix(keys, d)
            out[name + "self_attn.v_proj.weight"] = source.matrix(keys, d)
            out[name + "self_attn.o_proj.weight"] = source.matrix(d, heads * e, branch)
            if config.get("model_type") == "qwen2":
                for which, size in (("q", heads * e), ("k", keys), ("v", keys)):
                    out[name + f"self_attn.{which}_proj.bias"] = source.near(0.0, size, 0.8)
            out[name + "mlp.gate_proj.weight"] = source.leaning(n, gate, lean)
            if with_up:
                out[name + "mlp.up_proj.weight"] = source.leaning(n, 1.0, up_lean)
            # about one neuron in five is active, and a gated one is a product of two
            out[name + "mlp.down_proj.weight"] = source.matrix(d, n, 2.5 * branch / gate)
            out[name + "input_layernorm.weight"] = source.near(1.0, d)
            out[name + "post_attention_layernorm.weight"] = source.near(1.0, d)
        out["model.norm.weight"] = source.near(last, d)
        if with_head:
            out["lm_head.weight"] = source.matrix(v, d, 2.0)
        return out

    return weights


def _with_inverse_frequencies(weights: Callable[[Config], Arrays]) -> Callable[[Config], Arrays]:
    """Early LLaMA files hold the rotary frequencies of every layer as a tensor."""

    def more(config: Config) -> Arrays:
        out = weights(config)
        e = config["hidden_size"] // config["num_attention_heads"]
        frequencies = np.asarray(10000.0 ** (-np.arange(0, e, 2) / e), np.float32)
        for layer in range(config["num_hidden_layers"]):
            out[f"model.layers.{layer}.self_attn.rotary_emb.inv_freq"] = frequencies
        return out

    return more


def _with_predictors(weights: Callable[[Config], Arrays], rank: int) -> Callable[[Config], Arrays]:
    """TurboSparse: fc2(relu(fc1(x))) approximates the gate from the stream before the norm.

    fc1 holds an orthogonal projection and its negative, so that the ReLU loses nothing.
    """

    def more(config: Config) -> Arrays:
        out = weights(config)
        d = config["hidden_size"]
        axis = np.random.default_rng(rank).standard_normal(d)
        mirror = np.eye(d) - 2 * np.outer(axis, axis) / (axis @ axis)
        half = mirror[: rank // 2]
        for layer in range(config["num_hidden_layers"]):
            name = f"model.layers.{layer}."
            gate = out[name + "mlp.gate_proj.weight"] * out[name + "post_attention_layernorm.weight"]
            seen = gate @ half.T
            out[name + "mlp.predictor.fc1.weight"] = np.asarray(np.concatenate([half, -half]), np.float32)
            out[name + "mlp.predictor.fc2.weight"] = np.asarray(np.concatenate([seen, -seen], axis=1), np.float32)
        return out

    return more


def _minicpm_weights(config: Config) -> Arrays:
    """Stored small: the factors of the configuration bring the stream to unit size. Shared by three checkpoints."""
    return _llama_weights(63, gate=0.06, lean=0.6, embedding=1 / 12, branch=0.8, last=15.0, with_head=False)(config)


def _saved_again(config: Config) -> Arrays:
    out = _minicpm_weights(config)
    return out | {"lm_head.weight": out["model.embed_tokens.weight"].copy()}


def _in_llama_format(config: Config) -> Arrays:
    """The three factors multiplied into the weights, as OpenBMB's converter does."""
    stored = {name: torch.from_numpy(a).bfloat16().float().numpy() for name, a in _minicpm_weights(config).items()}
    branch = np.float32(config["scale_depth"] / math.sqrt(config["num_hidden_layers"]))
    embedding = stored["model.embed_tokens.weight"]
    out = {n: a * branch if n.endswith(("o_proj.weight", "down_proj.weight")) else a for n, a in stored.items()}
    out["model.embed_tokens.weight"] = embedding * np.float32(config["scale_emb"])
    out["lm_head.weight"] = embedding * np.float32(config["dim_model_base"] / config["hidden_size"])
    return out


def _ungated(weights: Callable[[Config], Arrays]) -> Callable[[Config], Arrays]:
    """Nemotron and Arcee call the first of their two matrices up_proj."""

    def renamed(config: Config) -> Arrays:
        return {name.replace("gate_proj", "up_proj"): values for name, values in weights(config).items()}

    return renamed


def _nemotron_weights(config: Config) -> Arrays:
    """Norms store their weight less one, and have a bias."""
    source = _Source(13, config["hidden_size"])
    out = {}
    for name, values in _ungated(_llama_weights(12, with_up=False))(config).items():
        is_norm = "norm" in name
        out[name] = values - np.float32(1) if is_norm else values
        if is_norm:
            out[name.replace("weight", "bias")] = source.near(0.0, config["hidden_size"], 0.1)
    return out


def _opt_weights(seed: int, prefix: str, *, with_head: bool) -> Callable[[Config], Arrays]:
    def weights(config: Config) -> Arrays:
        d, n, v, inner = (config[k] for k in ("hidden_size", "ffn_dim", "vocab_size", "word_embed_proj_dim"))
        source, narrow = _Source(seed, d), _Source(seed + 1, inner)
        out: Arrays = {
            prefix + "embed_tokens.weight": narrow.matrix(v, inner, math.sqrt(inner)),
            prefix + "embed_positions.weight": source.matrix(config["max_position_embeddings"] + 2, d, math.sqrt(d)),
        }
        if inner != d:
            out[prefix + "project_out.weight"] = source.matrix(inner, d)
            out[prefix + "project_in.weight"] = narrow.matrix(d, inner)
        if config["do_layer_norm_before"]:
            out[prefix + "final_layer_norm.weight"] = source.near(1.0, d)
            out[prefix + "final_layer_norm.bias"] = source.near(0.0, d)
        for layer in range(config["num_hidden_layers"]):
            name = f"{prefix}layers.{layer}."
            for which in ("k_proj", "v_proj", "q_proj", "out_proj"):
                out[name + f"self_attn.{which}.weight"] = source.matrix(d, d)
                out[name + f"self_attn.{which}.bias"] = source.near(0.0, d, 0.5)
            for norm in ("self_attn_layer_norm", "final_layer_norm"):
                out[name + norm + ".weight"] = source.near(1.0, d)
                out[name + norm + ".bias"] = source.near(0.0, d)
            out[name + "fc1.weight"] = source.matrix(n, d)
            out[name + "fc1.bias"] = source.near(-1.0, n, 0.4)
            out[name + "fc2.weight"] = source.matrix(d, n, 2.0)
            out[name + "fc2.bias"] = source.near(0.0, d)
        if with_head:
            out["lm_head.weight"] = out[prefix + "embed_tokens.weight"].copy()
        return out

    return weights


def _falcon_weights(seed: int, *, with_head: bool) -> Callable[[Config], Arrays]:
    def weights(config: Config) -> Arrays:
        d, heads = config["hidden_size"], config["num_attention_heads"]
        is_new = config["new_decoder_architecture"]
        keys = config["num_kv_heads"] if is_new else 1
        source = _Source(seed, d)
        out: Arrays = {"transformer.word_embeddings.weight": source.embedding(config["vocab_size"])}
        for layer in range(config["num_hidden_layers"]):
            name = f"transformer.h.{layer}."
            for norm in ("ln_attn", "ln_mlp") if is_new else ("input_layernorm",):
                out[name + norm + ".weight"] = source.near(1.0, d)
                out[name + norm + ".bias"] = source.near(0.0, d)
            rows = (heads + 2 * keys) * (d // heads)
            out[name + "self_attention.query_key_value.weight"] = source.matrix(rows, d)
            out[name + "self_attention.dense.weight"] = source.matrix(d, d, 0.6)
            out[name + "mlp.dense_h_to_4h.weight"] = source.leaning(4 * d)
            out[name + "mlp.dense_4h_to_h.weight"] = source.matrix(d, 4 * d, 1.2)
        out["transformer.ln_f.weight"] = source.near(1.0, d)
        out["transformer.ln_f.bias"] = source.near(0.0, d)
        if with_head:
            out["lm_head.weight"] = out["transformer.word_embeddings.weight"].copy()
        return out

    return weights


# Recipes --------------------------------------------------------------------------------------------------------------


def _llama_both() -> TokenizerFiles:
    return tiny_tokenizers.llama_files(has_json=True)


def _llama_2() -> TokenizerFiles:
    return tiny_tokenizers.llama_files(has_json=True, template=tiny_tokenizers.LLAMA_2)


def _llama_3() -> TokenizerFiles:
    added = ("<|begin_of_text|>", "<|end_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>")
    return tiny_tokenizers.llama3_files(added=added, eos="<|eot_id|>", template=tiny_tokenizers.LLAMA_3)


def _llama_chatml() -> TokenizerFiles:
    added = ("<s>", "<|im_start|>", "<|im_end|>")
    return tiny_tokenizers.llama3_files(added=added, eos="<|im_end|>", template=tiny_tokenizers.CHATML)


def _arcee() -> TokenizerFiles:
    added = ("<|begin_of_text|>", "<|end_of_text|>", "<|im_start|>", "<|im_end|>")
    return tiny_tokenizers.llama3_files(added=added, eos="<|im_end|>", template=tiny_tokenizers.CHATML)


def _minicpm_chat() -> TokenizerFiles:
    return tiny_tokenizers.llama_files(has_json=True, template=tiny_tokenizers.MINICPM)


def _turbosparse() -> TokenizerFiles:
    whole = tiny_tokenizers.whole
    special = {"additional_special_tokens": ["<|im_start|>"], "bos_token": whole("<s>")}
    special |= {"eos_token": whole("<|im_end|>"), "pad_token": whole("<unk>"), "unk_token": whole("<unk>")}
    return tiny_tokenizers.llama_files(
        has_json=True, added=("<|im_end|>", "<|im_start|>"), eos="<|im_end|>", template=tiny_tokenizers.CHATML,
        special_map=special,
    )  # fmt: skip


_llama = tiny_tokenizers.llama_files
_falcon = tiny_tokenizers.falcon_files

_RECIPES: dict[str, _Recipe] = {
    "llama-2": _Recipe(_llama_weights(1), _llama_2),
    "llama-linear": _Recipe(_with_inverse_frequencies(_llama_weights(2)), _llama),
    "llama-3.2": _Recipe(_llama_weights(3, with_head=False), _llama_3),
    "llama-rope-parameters": _Recipe(_llama_weights(4), _llama_chatml),
    "mistral": _Recipe(_llama_weights(5), _llama),
    "qwen2": _Recipe(_llama_weights(6, with_head=False), lambda: tiny_tokenizers.qwen2_files(eos="<|im_end|>")),
    "relu-llama-7b": _Recipe(_llama_weights(7), _llama, n_shards=3),
    "relu-llama-70b": _Recipe(_llama_weights(8), _llama),
    "reglu": _Recipe(_llama_weights(9), _llama_both),
    "relu-nb": _Recipe(_llama_weights(10, with_up=False), _llama_both),
    "relu2-nb": _Recipe(_llama_weights(11, with_up=False), _llama_both),
    "prosparse": _Recipe(_llama_weights(62, gate=0.03, lean=0.6), _llama, n_shards=3),
    "sparselm": _Recipe(_llama_weights(14, lean=1.8, with_head=False), tiny_tokenizers.smollm_files),
    "sparseqwen2": _Recipe(
        _llama_weights(15, lean=0.3, up_lean=0.1),
        lambda: tiny_tokenizers.qwen2_files(eos="<|endoftext|>"),
        n_shards=4,
    ),
    "minicpm-s": _Recipe(_minicpm_weights, _llama_both),
    "minicpm-s-saved": _Recipe(_saved_again, _llama_both),
    "minicpm-s-llama-format": _Recipe(_in_llama_format, _minicpm_chat),
    "sparsing-law": _Recipe(_llama_weights(16, embedding=1 / 12, branch=0.8, last=15.0, with_head=False), _llama),
    "bamboo": _Recipe(_llama_weights(17, lean=0.3, up_lean=0.1), _llama, n_shards=3),
    "turbosparse-mistral": _Recipe(
        _with_predictors(_llama_weights(18, lean=0.6, up_lean=0.2), rank=76), _turbosparse, n_shards=4
    ),
    "opt-125m": _Recipe(_opt_weights(19, "model.decoder.", with_head=True), tiny_tokenizers.opt_files),
    "opt-350m": _Recipe(_opt_weights(21, "decoder.", with_head=False), tiny_tokenizers.opt_files),
    "falcon-7b": _Recipe(_falcon_weights(23, with_head=True), _falcon),
    "falcon-40b": _Recipe(_falcon_weights(24, with_head=False), _falcon, n_shards=3, legacy_pickle=True),
    "nemotron-mini": _Recipe(_nemotron_weights, tiny_tokenizers.nemotron_files),
    "arcee": _Recipe(_ungated(_llama_weights(25, with_up=False)), _arcee),
}
