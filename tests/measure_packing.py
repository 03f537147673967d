"""Time and memory of packing a random checkpoint of a real shape: run by hand.

    python -m tests.measure_packing [1b|7b] [--format int8] [--folder PLACE_WITH_ROOM]

Writes a bfloat16 checkpoint in the hub's layout (safetensors shards) of MiniCPM-S-1B's or Llama-2-7B's shape, then
packs it in a process of its own and prints the time and that process's peak resident memory. Weights are random blocks
repeated: their values do not matter to either.
"""

import argparse
import json
import multiprocessing
import resource
import struct
import tempfile
import time
from pathlib import Path

import numpy as np

from engine.messages import WEIGHT_FORMATS

SHAPES = {
    "1b": {"hidden_size": 1536, "intermediate_size": 3840, "num_hidden_layers": 52, "num_attention_heads": 24,
           "num_key_value_heads": 8, "vocab_size": 73440, "tie_word_embeddings": True},
    "7b": {"hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32,
           "num_key_value_heads": 32, "vocab_size": 32000, "tie_word_embeddings": False},
}  # fmt: skip
SHARD_BYTES = 4 << 30
BLOCK_VALUES = 1 << 20


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("shape", choices=SHAPES)
    options.add_argument("--format", choices=WEIGHT_FORMATS, default="int8")
    options.add_argument("--folder", type=Path)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as place:
        source = Path(place) / "checkpoint"
        source.mkdir()
        n_bytes = write_checkpoint(source, SHAPES[chosen.shape])
        context = multiprocessing.get_context("spawn")
        with context.Pool(1) as pool:
            seconds, peak_bytes, packed_bytes = pool.apply(pack_one, (source, chosen.format))
    print(
        f"{chosen.shape} {chosen.format}: {n_bytes / 1e9:.2f} GB packed to {packed_bytes / 1e9:.2f} GB "
        f"in {seconds:.0f} s, peak resident memory {peak_bytes / 1e9:.2f} GB"
    )


def pack_one(source: Path, weight_format: str) -> tuple[float, int, int]:
    from engine.model.hub_checkpoint import HubCheckpoint
    from engine.model.pack import pack

    started = time.perf_counter()
    with HubCheckpoint(source) as checkpoint:
        packed = pack(
            checkpoint, source / "model.ember", weight_format, source="", note="", on_step=lambda done, total: None
        )
    seconds = time.perf_counter() - started
    return seconds, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, packed.data_bytes


def write_checkpoint(folder: Path, shape: dict[str, object]) -> int:
    """Config, a tokenizer of bytes, and shards; returns the bytes of the weights."""
    config = {
        **shape, "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_act": "relu",
        "max_position_embeddings": 4096, "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "torch_dtype": "bfloat16",
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    vocabulary = {chr(256 + i): i for i in range(256)}
    tokenizer = {"model": {"type": "BPE", "vocab": vocabulary, "merges": []}, "added_tokens": []}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    d, n, v = shape["hidden_size"], shape["intermediate_size"], shape["vocab_size"]
    k = d // shape["num_attention_heads"] * shape["num_key_value_heads"]
    tensors = {"model.embed_tokens.weight": (v, d), "model.norm.weight": (d,)}
    if not shape["tie_word_embeddings"]:
        tensors["lm_head.weight"] = (v, d)
    for layer in range(shape["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        tensors |= {
            prefix + "input_layernorm.weight": (d,), prefix + "post_attention_layernorm.weight": (d,),
            prefix + "self_attn.q_proj.weight": (d, d), prefix + "self_attn.k_proj.weight": (k, d),
            prefix + "self_attn.v_proj.weight": (k, d), prefix + "self_attn.o_proj.weight": (d, d),
            prefix + "mlp.gate_proj.weight": (n, d), prefix + "mlp.up_proj.weight": (n, d),
            prefix + "mlp.down_proj.weight": (d, n),
        }  # fmt: skip
    shards: list[dict[str, tuple[int, ...]]] = [{}]
    size = 0
    for name, dimensions in tensors.items():
        n_bytes = 2 * int(np.prod(dimensions))
        if size + n_bytes > SHARD_BYTES:
            shards.append({})
            size = 0
        shards[-1][name] = dimensions
        size += n_bytes
    values = (np.random.default_rng(0).standard_normal(BLOCK_VALUES) * 0.02).astype(np.float32)
    block = (values.view(np.uint32) >> 16).astype(np.uint16).tobytes()
    weight_map, total = {}, 0
    for number, shard in enumerate(shards, 1):
        path = folder / f"model-{number:05}-of-{len(shards):05}.safetensors"
        header, offset = {}, 0
        for name, dimensions in shard.items():
            n_bytes = 2 * int(np.prod(dimensions))
            header[name] = {"dtype": "BF16", "shape": dimensions, "data_offsets": [offset, offset + n_bytes]}
            weight_map[name] = path.name
            offset += n_bytes
        text = json.dumps(header).encode()
        with path.open("wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for first in range(0, offset, len(block)):
                file.write(block[: min(len(block), offset - first)])
        total += offset
    index = {"metadata": {"total_size": total}, "weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return total


if __name__ == "__main__":
    main()
