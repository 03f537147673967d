"""Small files of weights in every container the engine reads, and the bytes to spoil them."""

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import gguf
import numpy as np
import torch
from safetensors.torch import save_file

from tests.tiny_model import TINY, TinyCheckpoint

KINDS = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "F64": torch.float64}


def random_tensors(seed: int = 0) -> dict[str, torch.Tensor]:
    """One matrix and one vector of each stored type, at sizes that divide nothing."""
    generator = torch.Generator().manual_seed(seed)
    tensors = {}
    for kind, dtype in KINDS.items():
        tensors[f"{kind}.matrix"] = torch.randn(5, 7, generator=generator).to(dtype)
        tensors[f"{kind}.vector"] = torch.randn(3, generator=generator).to(dtype)
    return tensors


class Payload:
    """Unpickles by calling `function(*arguments)`."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self.call


def as_float32(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().to(torch.float32).contiguous().numpy()


def header_of(path: Path) -> tuple[dict, bytes]:
    """The header of a safetensors file and the data after it."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    return json.loads(raw[8 : 8 + length]), raw[8 + length :]


def write_safetensors(path: Path, header: object, data: bytes) -> Path:
    """A safetensors file whose header is what it is told to be: bytes, or anything that json can write."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path


def write_shards(folder: Path, tensors: Mapping[str, torch.Tensor], n_shards: int, suffix: str) -> dict:
    """The tensors in turn over shards with an index, which is returned."""
    stem = "model" if suffix == ".safetensors" else "pytorch_model"
    shards: list[dict[str, torch.Tensor]] = [{} for _ in range(n_shards)]
    weight_map = {}
    for i, (name, tensor) in enumerate(tensors.items()):
        shards[i % n_shards][name] = tensor
        weight_map[name] = f"{stem}-{i % n_shards + 1:05}-of-{n_shards:05}{suffix}"
    for i, shard in enumerate(shards):
        path = folder / f"{stem}-{i + 1:05}-of-{n_shards:05}{suffix}"
        if suffix == ".safetensors":
            save_file(shard, path)
        else:
            torch.save(shard, path)
    index = {"metadata": {"total_size": sum(t.nbytes for t in tensors.values())}, "weight_map": weight_map}
    write_index(folder, index, suffix)
    return index


def write_index(folder: Path, index: object, suffix: str) -> Path:
    stem = "model" if suffix == ".safetensors" else "pytorch_model"
    path = folder / f"{stem}{suffix}.index.json"
    path.write_bytes(index if isinstance(index, bytes) else json.dumps(index).encode())
    return path


def tiny_predictor(layer: int, rank: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """fc1 (rank, d) and fc2 (n, rank) for the tiny model, in float16."""
    rng = np.random.default_rng([7, layer])
    one, two = rng.standard_normal((rank, TINY.width)), rng.standard_normal((TINY.n_neurons, rank))
    return one.astype(np.float16), two.astype(np.float16)


def write_pwri(
    path: Path, *, architecture: str = "llama", threshold: float | None = 0.25, skip: frozenset[str] = frozenset(),
    extra: Mapping[str, np.ndarray] | None = None,
) -> Path:  # fmt: skip
    """The tiny model as PowerInfer's converter writes it: matrices in float16, down by neurons, predictors first."""
    source = TinyCheckpoint()
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_uint32(f"{architecture}.block_count", TINY.n_layers)
    writer.add_array("tokenizer.ggml.tokens", ["a", "b", "ß"])
    writer.add_array("tokenizer.ggml.scores", [0.5, -1.0, 2.0])
    if threshold is not None:
        writer.add_float32("powerinfer.sparse_threshold", threshold)
    tensors: dict[str, np.ndarray] = {}
    for layer in range(TINY.n_layers):
        tensors[f"blk.{layer}.fc1.weight"], tensors[f"blk.{layer}.fc2.weight"] = tiny_predictor(layer)
    tensors["token_embd.weight"] = source.tensor("embedding").astype(np.float16)
    for layer in range(TINY.n_layers):
        block = f"blk.{layer}"
        tensors[f"{block}.attn_norm.weight"] = source.tensor("attention_norm", layer)
        tensors[f"{block}.attn_q.weight"] = source.tensor("q", layer).astype(np.float16)
        tensors[f"{block}.ffn_up.weight"] = source.tensor("up", layer).astype(np.float16)
        tensors[f"{block}.ffn_down_t.weight"] = source.tensor("down", layer).T.astype(np.float16)
        tensors[f"{block}.ffn_down_t.bias"] = source.tensor("down_bias", layer)
    for name, values in {**tensors, **(extra or {})}.items():
        if name not in skip:
            writer.add_tensor(name, np.ascontiguousarray(values))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return stamp_pwri(path)


def stamp_pwri(path: Path) -> Path:
    """Write PowerInfer's magic over GGUF's."""
    with path.open("r+b") as file:
        file.write(struct.pack("<I", int.from_bytes(b"PWRI", "little")))
    return path
