"""The float path against `transformers`, and the packed formats against the float path, on the starter model."""

import contextlib

import gguf
import numpy as np
import pytest
import torch
import transformers

from engine.model.pack import pack
from engine.runtime.loader import cache_kind_of
from engine.runtime.transformer import Transformer
from engine.text.tokenizer import Tokenizer

pytestmark = pytest.mark.model

PROMPTS = (
    "The history of the lighthouse begins long before electricity. Sailors trusted fires lit on hilltops, then oil "
    "lamps behind glass, and the keepers who tended them through storms wrote down every ship that passed, every "
    "change of the wind, and every night on which the fog was so thick that the bell had to be rung by hand.",
    "def fibonacci(n: int) -> int:\n    '''Return the n-th Fibonacci number.'''\n    if n < 2:\n        return n\n"
    "    previous, current = 0, 1\n    for _ in range(n - 1):\n        previous, current = current, previous + "
    "current\n    return current\n\n\nprint([fibonacci(i) for i in range(20)])\n",
    "Question: what are three good habits for sleeping better, and why does each of them help? Answer: first, go to "
    "bed at the same time every day, because the body keeps a clock; second, avoid coffee after 3 pm, since 50 % of "
    "its caffeine is still there 6 hours later; third, 关灯, because light delays the hormone that makes us sleepy.",
)


@pytest.fixture(scope="module")
def reference(starter_checkpoint):
    """transformers' own LLaMA class holding the same dequantised weights."""
    c = starter_checkpoint.config
    config = transformers.LlamaConfig(
        vocab_size=c.n_vocab, hidden_size=c.width, intermediate_size=c.n_neurons, num_hidden_layers=c.n_layers,
        num_attention_heads=c.n_heads, num_key_value_heads=c.n_key_heads, head_dim=c.head_width,
        max_position_embeddings=c.context_tokens, rms_norm_eps=c.norm_eps, rope_theta=c.rope.base,
        rope_parameters={"rope_type": "default", "rope_theta": c.rope.base}, tie_word_embeddings=True,
        hidden_act="silu", attention_bias=False, mlp_bias=False, attn_implementation="eager",
    )  # fmt: skip
    model = transformers.LlamaForCausalLM(config).eval()
    names = {
        "self_attn.q_proj": "q", "self_attn.k_proj": "k", "self_attn.v_proj": "v", "self_attn.o_proj": "out",
        "mlp.gate_proj": "gate", "mlp.up_proj": "up", "mlp.down_proj": "down",
        "input_layernorm": "attention_norm", "post_attention_layernorm": "ffn_norm",
    }  # fmt: skip
    state = {
        "model.embed_tokens.weight": starter_checkpoint.tensor("embedding"),
        "model.norm.weight": starter_checkpoint.tensor("final_norm"),
    }
    state["lm_head.weight"] = state["model.embed_tokens.weight"]
    for layer in range(c.n_layers):
        for theirs, ours in names.items():
            state[f"model.layers.{layer}.{theirs}.weight"] = starter_checkpoint.tensor(ours, layer)
    model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state.items()})
    return model


def reference_logits(model, tokens):
    with torch.no_grad():
        return model(torch.tensor([tokens])).logits[0].numpy()


def opened(packed):
    return Transformer(
        packed.config, packed.parts, packed.read(lambda done, total: None), context_tokens=1024,
        cache_kind=cache_kind_of(packed.weight_format), n_threads=2,
    )  # fmt: skip


@pytest.fixture(scope="module")
def float_path(packed_starter):
    with contextlib.closing(opened(packed_starter("f32"))) as transformer:
        yield transformer


@pytest.fixture(scope="module")
def int8_path(packed_starter):
    with contextlib.closing(opened(packed_starter("int8"))) as transformer:
        yield transformer


@pytest.fixture(scope="module")
def int4_path(packed_starter):
    with contextlib.closing(opened(packed_starter("int4"))) as transformer:
        yield transformer


@pytest.fixture(scope="module")
def tokenizer(starter_checkpoint):
    return Tokenizer(starter_checkpoint.tokenizer)


@pytest.mark.parametrize("prompt", PROMPTS, ids=["prose", "code", "mixed"])
def test_float_logits_equal_transformers(prompt, reference, float_path, tokenizer):
    tokens = tokenizer.encode(prompt)
    assert len(tokens) >= 64
    expected = reference_logits(reference, tokens)

    dense = float_path.all_logits(tokens)
    float_path.cache.rewind(0)
    decoded = np.stack([float_path.decode_step(token).copy() for token in tokens])

    print(f"prefill {np.abs(dense - expected).max():.1e}, decode {np.abs(decoded - expected).max():.1e}")
    assert np.abs(dense - expected).max() < 2e-3
    assert np.abs(decoded - expected).max() < 2e-3


@pytest.mark.parametrize("prompt", PROMPTS, ids=["prose", "code", "mixed"])
def test_float_greedy_continuation_equals_transformers(prompt, reference, float_path, tokenizer):
    tokens = tokenizer.encode(prompt)
    with torch.no_grad():
        expected = reference.generate(
            torch.tensor([tokens]), attention_mask=torch.ones(1, len(tokens), dtype=torch.long), do_sample=False,
            max_new_tokens=64, min_new_tokens=64, pad_token_id=0,
        )[0, len(tokens) :].tolist()  # fmt: skip
    # transformers was told to go on past the end of the answer, which it does by never choosing that token.
    banned = list(tokenizer.eos_ids) if reference.generation_config.eos_token_id is not None else []

    float_path.cache.rewind(0)
    float_path.prefill(tokens[:-1], lambda done, total: None)
    token, got = tokens[-1], []
    while len(got) < 64:
        logits = float_path.decode_step(token).copy()
        logits[banned] = -np.inf
        token = int(logits.argmax())
        got.append(token)

    assert got == expected


# Measured on the first chapters of Persuasion. The starter's own weights have 4 bits with an offset: rounding them to
# 4 bits a second time costs about 0.3 nats in whatever symmetric format, so int4 is held to llama.cpp's Q4_0 of the
# same weights instead of to an absolute limit, and the starter is offered in int8.
N_HELD_OUT = 768
N_DECODED = 256


@pytest.fixture(scope="module")
def held_out(tokenizer, austen, float_path):
    tokens = tokenizer.encode(austen)[:N_HELD_OUT]
    return tokens, log_probabilities(float_path.all_logits(tokens))


def test_int8_packing_stays_within_its_divergence(held_out, int8_path):
    prefill, decode = divergences("int8", held_out, int8_path)

    assert prefill < 0.01
    assert decode < 0.01


@pytest.mark.slow
def test_int4_packing_loses_no_more_than_q4_0_of_the_same_weights(held_out, int4_path, starter_checkpoint, tmp_path):
    tokens, expected = held_out
    prefill, decode = divergences("int4", held_out, int4_path)
    packed = pack(
        Requantised(starter_checkpoint), tmp_path / "q4_0.ember", "f32", source="", note="",
        on_step=lambda done, total: None,
    )  # fmt: skip
    with contextlib.closing(opened(packed)) as transformer:
        q4_0 = divergence(expected, log_probabilities(transformer.all_logits(tokens))).mean()

    print(f"Q4_0 of the same weights: mean KL {q4_0:.5f}")
    assert prefill < q4_0
    assert decode < 1.1 * q4_0  # activations are rounded too


class Requantised:
    """The starter with every matrix but the embedding rounded to Q4_0 by the gguf package."""

    def __init__(self, checkpoint):
        self.config, self.tokenizer, self._checkpoint = checkpoint.config, checkpoint.tokenizer, checkpoint
        self.remarks = ()

    def tensor(self, name, layer=None):
        values = self._checkpoint.tensor(name, layer)
        if values.ndim == 1 or name == "embedding":
            return values
        kind = gguf.GGMLQuantizationType.Q4_0
        return gguf.quants.dequantize(gguf.quants.quantize(values, kind), kind)

    def int8_rows(self, name, layer=None):
        return None


def divergences(weight_format, held_out, transformer):
    """Mean KL of the dense pass and of the decode step against the float path."""
    tokens, expected = held_out
    dense = log_probabilities(transformer.all_logits(tokens))
    transformer.cache.rewind(0)
    decoded = log_probabilities(np.stack([transformer.decode_step(t).copy() for t in tokens[:N_DECODED]]))
    prefill_kl, decode_kl = divergence(expected, dense), divergence(expected[:N_DECODED], decoded)
    flips = np.mean(expected.argmax(axis=1) != dense.argmax(axis=1))
    print(
        f"{weight_format}: mean KL prefill {prefill_kl.mean():.5f}, decode {decode_kl.mean():.5f}, "
        f"p99 {np.quantile(decode_kl, 0.99):.4f}, top token differs {100 * flips:.1f} %"
    )
    return prefill_kl.mean(), decode_kl.mean()


def log_probabilities(logits):
    logits = logits.astype(np.float64)
    logits -= logits.max(axis=1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


def divergence(expected, got):
    return (np.exp(expected) * (expected - got)).sum(axis=1)
