"""Random checkpoints of a few thousand weights, as objects and as GGUF files, at sizes that divide nothing."""

from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np

from engine.kernels.formats import Float32
from engine.model.config import ModelConfig
from engine.text.facts import TokenizerFacts
from engine.text.gguf_facts import facts_from_gguf

TINY = ModelConfig(
    name="Tiny", family="llama", licence="none", width=36, n_neurons=70, n_layers=3, n_heads=6, n_key_heads=2,
    head_width=6, n_vocab=300, context_tokens=256, norm_eps=1e-5, activation="silu", is_tied=True, rotary_width=6,
)  # fmt: skip

CHAT_TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}<|assistant|>"
CONTROL = ("<|end|>", "<|user|>", "<|assistant|>", "<|system|>")


def byte_alphabet() -> list[str]:
    """The 256 characters that stand for bytes in a byte-level vocabulary, in byte order."""
    printable = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    extra = iter(range(256, 512))
    return [chr(b) if b in printable else chr(next(extra)) for b in range(256)]


def tokenizer_fields() -> dict[str, object]:
    """GGUF metadata of a tokenizer of 256 bytes, one merge and the control tokens."""
    alphabet = byte_alphabet()
    tokens = [*CONTROL, *alphabet, alphabet[ord("t")] + alphabet[ord("h")]]
    tokens += [f"<|unused{i}|>" for i in range(TINY.n_vocab - len(tokens))]
    control = {*range(len(CONTROL)), *range(len(CONTROL) + 257, len(tokens))}
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if i in control else 1 for i in range(len(tokens))],
        "tokenizer.ggml.merges": [f"{alphabet[ord('t')]} {alphabet[ord('h')]}"],
        "tokenizer.ggml.eos_token_id": 0,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.chat_template": CHAT_TEMPLATE,
    }


def tiny_facts() -> TokenizerFacts:
    return facts_from_gguf(tokenizer_fields())


@dataclass(frozen=True)
class TinyCheckpoint:
    """A checkpoint of random weights, the same for the same seed."""

    config: ModelConfig = TINY
    seed: int = 0

    @property
    def tokenizer(self) -> TokenizerFacts:
        return tiny_facts()

    def tensor(self, name: str, layer: int | None = None) -> Float32:
        c = self.config
        shapes = {
            "embedding": (c.n_vocab, c.width), "head": (c.n_vocab, c.width), "final_norm": (c.width,),
            "positions": (c.context_tokens, c.width), "q_bias": (c.attention_width,), "k_bias": (c.key_width,),
            "v_bias": (c.key_width,), "out_bias": (c.width,), "first_bias": (c.n_neurons,), "down_bias": (c.width,),
            "up_bias": (c.n_neurons,),
            "attention_norm_bias": (c.width,), "ffn_norm_bias": (c.width,), "final_norm_bias": (c.width,),
            "attention_norm": (c.width,), "ffn_norm": (c.width,), "q": (c.attention_width, c.width),
            "k": (c.key_width, c.width), "v": (c.key_width, c.width), "out": (c.width, c.attention_width),
            "gate": (c.n_neurons, c.width), "up": (c.n_neurons, c.width), "down": (c.width, c.n_neurons),
        }  # fmt: skip
        rng = np.random.default_rng([self.seed, sorted(shapes).index(name), 99 if layer is None else layer])
        values = rng.standard_normal(shapes[name]).astype(np.float32)
        if name.endswith("bias"):
            return np.asarray(0.2 * values, np.float32)
        if values.ndim == 1:
            return np.asarray(1 + 0.1 * values, np.float32)
        return np.asarray(values * (1.0 if name in ("embedding", "head") else c.width**-0.5), np.float32)

    @property
    def remarks(self) -> tuple[str, ...]:
        return ()

    def int8_rows(self, name: str, layer: int | None = None) -> None:
        return None

    def close(self) -> None:
        pass


def write_gguf(
    path: Path, checkpoint: TinyCheckpoint | None = None, *, powerinfer: bool = False, **changes: object
) -> Path:
    """The checkpoint as a GGUF file of float32 tensors; `changes` replace or, with None, remove metadata fields.

    With `powerinfer` as PowerInfer's converter writes it: down by neurons, two predictor matrices a layer, its magic.
    """
    checkpoint = checkpoint or TinyCheckpoint()
    c = checkpoint.config
    architecture = str(changes.pop("architecture", "llama"))
    prefix = architecture if architecture in ("qwen2", "arcee") else "llama"
    fields: dict[str, object] = {
        "general.name": c.name,
        "general.license": c.licence,
        f"{prefix}.context_length": c.context_tokens,
        f"{prefix}.embedding_length": c.width,
        f"{prefix}.block_count": c.n_layers,
        f"{prefix}.feed_forward_length": c.n_neurons,
        f"{prefix}.attention.head_count": c.n_heads,
        f"{prefix}.attention.head_count_kv": c.n_key_heads,
        f"{prefix}.attention.layer_norm_rms_epsilon": c.norm_eps,
        f"{prefix}.rope.freq_base": c.rope.base,
        f"{prefix}.rope.dimension_count": c.head_width,
        **tokenizer_fields(),
    }
    fields |= {name.replace("__", "."): value for name, value in changes.items()}
    writer = gguf.GGUFWriter(path, architecture)
    for name, value in fields.items():
        match value:
            case bool():
                writer.add_bool(name, value)
            case int():
                writer.add_uint32(name, value)
            case float():
                writer.add_float32(name, value)
            case str():
                writer.add_string(name, value)
            case list():
                writer.add_array(name, value)
            case None:
                pass

    def paired(values: Float32, heads: int) -> Float32:
        if prefix == "qwen2":
            return values
        e = c.head_width
        return values.reshape(heads, 2, e // 2, -1).swapaxes(1, 2).reshape(values.shape)

    writer.add_tensor("token_embd.weight", checkpoint.tensor("embedding"))
    writer.add_tensor("output_norm.weight", checkpoint.tensor("final_norm"))
    if not c.is_tied:
        writer.add_tensor("output.weight", checkpoint.tensor("head"))
    names = {
        "attn_norm": "attention_norm", "attn_q": "q", "attn_k": "k", "attn_v": "v", "attn_output": "out",
        "ffn_norm": "ffn_norm", "ffn_gate": "gate", "ffn_up": "up", "ffn_down": "down",
    }  # fmt: skip
    if not c.is_gated:
        del names["ffn_gate"]
    for layer in range(c.n_layers):
        if c.has_qkv_bias:
            for part in "qkv":
                writer.add_tensor(f"blk.{layer}.attn_{part}.bias", checkpoint.tensor(f"{part}_bias", layer))
        for theirs, ours in names.items():
            values = checkpoint.tensor(ours, layer)
            if ours == "q":
                values = paired(values, c.n_heads)
            if ours == "k":
                values = paired(values, c.n_key_heads)
            if ours == "down" and powerinfer:
                writer.add_tensor(f"blk.{layer}.ffn_down_t.weight", np.ascontiguousarray(values.T))
                writer.add_tensor(f"blk.{layer}.fc1.weight", np.ones((5, c.width), np.float32))
                writer.add_tensor(f"blk.{layer}.fc2.weight", np.ones((c.n_neurons, 5), np.float32))
                continue
            writer.add_tensor(f"blk.{layer}.{theirs}.weight", np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    if powerinfer:
        with path.open("r+b") as file:
            file.write(b"PWRI")
    return path
