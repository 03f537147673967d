"""A gated feed-forward with biases (LLaMA's mlp_bias) says what `transformers` says of the same folder."""

import contextlib
import shutil

import numpy as np
import pytest
import torch
import transformers

from engine.errors import UnsupportedModel
from engine.model.open_checkpoint import open_checkpoint
from engine.model.pack import pack
from engine.runtime.transformer import Transformer
from tests.golden.families import HERE

TOKENS = [1, 5, 9, 33, 2, 7, 40, 41, 5, 9, 33, 60, 61, 62]


@pytest.fixture(scope="module", params=["relu", "silu"])
def folder(request, tmp_path_factory):
    path = tmp_path_factory.mktemp(request.param)
    source = HERE / "checkpoints" / "llama-2"
    n_vocab = transformers.AutoConfig.from_pretrained(source).vocab_size
    config = transformers.LlamaConfig(
        hidden_size=48, intermediate_size=100, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        vocab_size=n_vocab, hidden_act=request.param, mlp_bias=True, max_position_embeddings=128,
    )  # fmt: skip
    torch.manual_seed(3)
    model = transformers.LlamaForCausalLM(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(torch.randn_like(parameter) * (0.3 if "norm" not in name else 0.1) + ("norm" in name))
    model.save_pretrained(path)
    for name in ("tokenizer.json", "tokenizer.model", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copy(source / name, path / name)
    with torch.no_grad():
        return path, model(torch.tensor([TOKENS])).logits[0].numpy()


def opened(path, folder, weight_format):
    with contextlib.closing(open_checkpoint(folder)) as checkpoint:
        packed = pack(checkpoint, path, weight_format, source="", note="", on_step=lambda done, total: None)
    tensors = packed.read(lambda done, total: None)
    return Transformer(packed.config, packed.parts, tensors, context_tokens=64, cache_kind="f32", n_threads=2)


def test_every_bias_is_added(folder, tmp_path):
    path, expected = folder
    with contextlib.closing(opened(tmp_path / "m.ember", path, "f32")) as transformer:
        dense = transformer.all_logits(TOKENS)[:, : expected.shape[1]]
        transformer.cache.rewind(0)
        decoded = np.stack([transformer.decode_step(token).copy() for token in TOKENS])[:, : expected.shape[1]]

    scale = np.abs(expected).max()
    assert np.abs(dense - expected).max() < 1e-4 * scale
    assert np.abs(decoded - expected).max() < 1e-4 * scale


def test_some_biases_of_three_are_refused(folder, tmp_path):
    from safetensors.numpy import load_file, save_file

    shutil.copytree(folder[0], tmp_path / "some")
    weights = tmp_path / "some" / "model.safetensors"
    tensors = {name: value for name, value in load_file(weights).items() if not name.endswith("up_proj.bias")}
    save_file(tensors, weights, metadata={"format": "pt"})

    with pytest.raises(UnsupportedModel, match="2 biases of 3"):
        open_checkpoint(tmp_path / "some")
