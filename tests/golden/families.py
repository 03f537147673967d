"""The checkpoints of this folder, one row each: what a reader of the folder must find out.

A row holds the truth where a repository's config.json is silent or wrong, and names the trap that the folder sets.
`GOLDEN` can be run, `REFUSED` must be turned down with a reason. Knows neither engine nor torch.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent

SPARSE = (0.60, 0.95)
DENSE = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Golden:
    """One tiny checkpoint in the layout of `repository`, with golden logits.

    family      the engine's name of the family
    activation  what the weights mean, whatever config.json says; `threshold` is fatrelu's
    is_gated    down(act(gate x) * up x), otherwise down(act(first x))
    silent      bounds of the share of neurons that contribute nothing, over all layers and tokens of golden.npz
    stored      type of the weights in the files
    weights     safetensors or bin; with "shards" where an index lists several files; "both" where both are there
    tokenizer   sentencepiece (tokenizer.model), json (tokenizer.json), both, or vocab (vocab.json and merges.txt)
    reference   transformers, where it has the architecture, otherwise plain (plain_reference.py)
    window      positions a token sees; shorter than the prompt wherever there is one
    trap        what is easily read wrong
    """

    folder: str
    repository: str
    family: str
    activation: str
    trap: str
    is_gated: bool = True
    threshold: float = 0.0
    silent: tuple[float, float] = SPARSE
    stored: str = "bfloat16"
    weights: str = "safetensors"
    tokenizer: str = "sentencepiece"
    reference: str = "plain"
    window: int = 0

    @property
    def path(self) -> Path:
        return HERE / "checkpoints" / self.folder

    @property
    def config(self) -> dict[str, Any]:
        return dict(json.loads((self.path / "config.json").read_text(encoding="utf-8")))

    def load(self) -> dict[str, NDArray[Any]]:
        """tokens (t,) int64; logits (t, vocabulary) float32; silent (layers,) float64; text, the prompt.

        With predictors in the checkpoint also predicted_logits: what the repository's own code computes.
        """
        with np.load(self.path / "golden.npz") as file:
            return {name: file[name] for name in file.files}


@dataclass(frozen=True, slots=True)
class Refused:
    """A folder that must be refused before a weight is read, and a word that the reason is about."""

    folder: str
    repository: str
    reason: str

    @property
    def path(self) -> Path:
        return HERE / "refused" / self.folder


GOLDEN = (
    # LLaMA and its neighbours as they were made ------------------------------------------------------------------
    Golden(
        "llama-2", "meta-llama/Llama-2-7b-hf", "llama", "silu", "nothing: the plain case",
        silent=DENSE, stored="float16", weights="safetensors shards", tokenizer="both", reference="transformers",
    ),
    Golden(
        "llama-linear", "togethercomputer/LLaMA-2-7B-32K", "llama", "silu",
        "rope_scaling linear; inverse frequencies are stored as tensors",
        silent=DENSE, stored="float16", weights="bin shards", reference="transformers",
    ),
    Golden(
        "llama-3.2", "meta-llama/Llama-3.2-1B-Instruct", "llama", "silu",
        "rope_scaling llama3, tied head, head_dim that is not width / heads, a list of end tokens",
        silent=DENSE, tokenizer="json", reference="transformers",
    ),
    Golden(
        "llama-rope-parameters", "openbmb/MiniCPM5-1B", "llama", "silu",
        "written by transformers 5: rope_parameters and dtype in place of rope_theta and torch_dtype",
        silent=DENSE, tokenizer="json", reference="transformers",
    ),
    Golden(
        "mistral", "mistralai/Mistral-7B-v0.1", "mistral", "silu", "the sliding window is shorter than the prompt",
        silent=DENSE, weights="safetensors shards", reference="transformers", window=9,
    ),
    Golden(
        "qwen2", "Qwen/Qwen2-0.5B-Instruct", "qwen2", "silu",
        "use_sliding_window false voids sliding_window; biases on q, k and v; the head is tied and not stored",
        silent=DENSE, tokenizer="json", reference="transformers",
    ),
    # LLaMA's shape with another feed-forward ---------------------------------------------------------------------
    Golden(
        "relu-llama-7b", "SparseLLM/ReluLLaMA-7B", "llama", "relu", "float32 in torch shards",
        stored="float32", weights="bin shards", reference="transformers",
    ),
    Golden(
        "relu-llama-70b", "SparseLLM/ReluLLaMA-70B", "llama", "relu",
        "config.json says float16, the files hold float32; it names no rotary base",
        stored="float32", weights="safetensors shards", reference="transformers",
    ),
    Golden(
        "reglu", "SparseLLM/reglu-95B", "llama", "relu", "the same weights twice, as safetensors and for torch",
        weights="both", tokenizer="both", reference="transformers",
    ),
    Golden(
        "relu-nb", "SparseLLM/relu-95B", "llama", "relu", "no up_proj: gate_proj is the first of two matrices",
        is_gated=False, tokenizer="both",
    ),
    Golden(
        "relu2-nb", "SparseLLM/relu2-95B", "llama", "relu2", "no up_proj, and the activation is squared",
        is_gated=False, tokenizer="both",
    ),
    Golden(
        "prosparse", "SparseLLM/prosparse-llama-2-7b", "prosparse", "fatrelu",
        "values below the threshold are silent; config.json says bfloat16, the files hold float32",
        threshold=0.01, stored="float32", weights="safetensors shards",
    ),
    Golden(
        "sparselm", "SakanaAI/SparseLM2B", "sparselm", "relu", "hidden_act says silu; the gate is a ReLU",
        tokenizer="json",
    ),
    Golden(
        "sparseqwen2", "PowerInfer/SparseQwen2-7B", "qwen2", "drelu",
        "hidden_act says relu, and the up product passes through it too; _name_or_path names another model",
        weights="safetensors shards", tokenizer="json",
    ),
    # MiniCPM -----------------------------------------------------------------------------------------------------
    Golden(
        "minicpm-s", "openbmb/MiniCPM-S-1B-sft", "minicpm", "fatrelu",
        "config.json has no model_type, no tie_word_embeddings and no rope_theta; three factors scale the stream",
        threshold=0.03, weights="both", tokenizer="both",
    ),
    Golden(
        "minicpm-s-saved", "openbmb/MiniCPM-S-1B-sft", "minicpm", "fatrelu",
        "the same weights saved again by transformers: model_type is there, lm_head.weight too",
        threshold=0.03, weights="bin", tokenizer="both",
    ),
    Golden(
        "minicpm-s-llama-format", "openbmb/MiniCPM-S-1B-sft-llama-format", "llama", "fatrelu",
        "hidden_act says relu but the threshold holds; the three factors are listed but already in the weights",
        threshold=0.03, weights="bin", tokenizer="both",
    ),
    Golden(
        "sparsing-law", "SparseLLM/sparsing-law-0.1b-relu", "minicpm", "relu",
        "MiniCPM's factors with a plain ReLU; no model_type", weights="bin",
    ),
    # Mistral's shape with dReLU ----------------------------------------------------------------------------------
    Golden(
        "bamboo", "PowerInfer/Bamboo-base-v0_1", "bamboo", "drelu", "the sliding window is shorter than the prompt",
        weights="safetensors shards", window=11,
    ),
    Golden(
        "turbosparse-mistral", "PowerInfer/TurboSparse-Mistral-Instruct", "bamboo", "drelu",
        "predictors among the weights, which the exact model does not use; more embedding rows than tokens",
        weights="safetensors shards", tokenizer="both", window=8,
    ),
    # Ungated, with layer norms or squared ReLU -------------------------------------------------------------------
    Golden(
        "opt-125m", "facebook/opt-125m", "opt", "relu",
        "learned positions start at row 2; every matrix has a bias; prompts begin with </s>",
        is_gated=False, stored="float16", weights="bin", tokenizer="vocab", reference="transformers",
    ),
    Golden(
        "opt-350m", "facebook/opt-350m", "opt", "relu",
        "norms after the sums, none at the end; narrower embeddings with projections; names without model.",
        is_gated=False, stored="float16", weights="bin", tokenizer="vocab", reference="transformers",
    ),
    Golden(
        "falcon-7b", "tiiuae/falcon-7b", "falcon", "relu",
        "one norm feeds attention and feed-forward; all query heads share one key head at the end of the fused matrix",
        is_gated=False, tokenizer="json", reference="transformers",
    ),
    Golden(
        "falcon-40b", "SparseLLM/ReluFalcon-40B", "falcon", "relu",
        "config.json does not name the ReLU; the fused matrix is grouped: queries, key, value per key head; two norms",
        is_gated=False, stored="float32", weights="bin shards", tokenizer="json", reference="transformers",
    ),
    Golden(
        "nemotron-mini", "nvidia/Nemotron-Mini-4B-Instruct", "nemotron", "relu2",
        "one is added to every norm's weight; half of each head is rotated; head_dim is not width / heads",
        is_gated=False, weights="bin", tokenizer="both", reference="transformers",
    ),
    Golden(
        "arcee", "arcee-ai/AFM-4.5B", "arcee", "relu2", "rope_scaling yarn, which also sharpens attention",
        is_gated=False, weights="safetensors shards", tokenizer="json", reference="transformers",
    ),
)  # fmt: skip

REFUSED = (
    Refused("mixtral", "mistralai/Mixtral-8x7B-v0.1", "experts"),
    Refused("turbosparse-mixtral", "PowerInfer/TurboSparse-Mixtral", "experts"),
    Refused("smallthinker", "PowerInfer/SmallThinker-4BA0.6B-Instruct", "experts"),
    Refused("minicpm-moe", "openbmb/MiniCPM-MoE-8x2B", "experts"),
    Refused("llama-moe", "llama-moe/LLaMA-MoE-v1-3_5B-2_8", "experts"),
    Refused("mamba", "state-spaces/mamba-130m-hf", "architecture"),
    Refused("nemotron-h", "nvidia/NVIDIA-Nemotron-3-Nano-4B-BF16", "architecture"),
    Refused("t5", "google-t5/t5-small", "decoder"),
    Refused("gpt2", "openai-community/gpt2", "architecture"),
    Refused("llama-gptq", "TheBloke/Llama-2-7B-GPTQ", "quantised"),
    Refused("falcon-gelu", "tiiuae/falcon-11B", "activation"),
    Refused("opt-gelu", "facebook/galactica-125m", "activation"),
)


def golden(folder: str) -> Golden:
    return next(row for row in GOLDEN if row.folder == folder)
