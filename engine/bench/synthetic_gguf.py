"""Random weights of a shape as a GGUF file, for engines that read nothing else.

The blocks are drawn as bytes with one scale, like our own rows in engine/bench/synthetic.py: what a step reads and
computes is what it would be with real weights. The feed-forward is gated SiLU, as llama.cpp has no sparse one.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray

from engine.errors import OutOfDisk
from engine.model.config import ModelConfig
from engine.model.packed_model import PARTIAL_SUFFIX

# Our row formats and the nearest of theirs.
GGUF_FORMATS = {"int8": "Q8_0", "int4": "Q4_0", "mixed": "Q4_0", "f32": "F32"}
_BLOCK = 32
# Standard deviation of uniform bytes and nibbles, to give rows of n values one of 1 / sqrt(n).
_DEVIATIONS = {"Q8_0": 73.9, "Q4_0": 4.61}
_FILE_TYPES = {
    "Q8_0": gguf.LlamaFileType.MOSTLY_Q8_0, "Q4_0": gguf.LlamaFileType.MOSTLY_Q4_0, "F32": gguf.LlamaFileType.ALL_F32,
}  # fmt: skip
_ROWS = 4096  # drawn at a time
_DISK_MARGIN = 64 << 20

OnStep = Callable[[int, int], None]


def write_random_gguf(folder: Path, config: ModelConfig, kind: str, seed: int, on_step: OnStep) -> Path:
    """Write `config` in `kind` (a value of GGUF_FORMATS) and return where; the caller deletes it.

    The name is that of a partial file of the library, which a later start removes if this process cannot. on_step(done,
    total) is called between tensors and may raise to stop. Raises OutOfDisk, OSError.
    """
    matrices = _matrices(config)
    needed = sum(rows * _row_bytes(columns, kind) for _, rows, columns in matrices)
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    if needed + _DISK_MARGIN > free:
        raise OutOfDisk(str(folder), needed + _DISK_MARGIN, free)
    path = folder / f".{config.name}-{kind.lower()}.{os.getpid()}{PARTIAL_SUFFIX}"
    try:
        _write(path, config, kind, matrices, np.random.default_rng(seed), on_step)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _write(
    path: Path, config: ModelConfig, kind: str, matrices: list[tuple[str, int, int]], rng: np.random.Generator,
    on_step: OnStep,
) -> None:  # fmt: skip
    writer = gguf.GGUFWriter(path, "llama")
    try:
        _add_metadata(writer, config, kind)
        norms = ["output_norm", *(f"blk.{i}.{name}_norm" for i in range(config.n_layers) for name in ("attn", "ffn"))]
        ones = np.ones(config.width, np.float32)
        for name in norms:
            writer.add_tensor_info(f"{name}.weight", ones.shape, ones.dtype, ones.nbytes)
        quantisation = gguf.GGMLQuantizationType[kind]
        for name, rows, columns in matrices:
            row_bytes = _row_bytes(columns, kind)
            shape, dtype = ((rows, columns), np.float32) if kind == "F32" else ((rows, row_bytes), np.uint8)
            writer.add_tensor_info(f"{name}.weight", shape, np.dtype(dtype), rows * row_bytes, raw_dtype=quantisation)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        for _ in norms:
            writer.write_tensor_data(ones)
        for number, (_, rows, columns) in enumerate(matrices):
            on_step(number, len(matrices))
            writer.write_tensor_data(_random_matrix(rows, columns, kind, rng))
        on_step(len(matrices), len(matrices))
    finally:
        writer.close()


def _add_metadata(writer: "gguf.GGUFWriter", config: ModelConfig, kind: str) -> None:
    writer.add_name(config.name)
    writer.add_context_length(config.context_tokens)
    writer.add_embedding_length(config.width)
    writer.add_block_count(config.n_layers)
    writer.add_feed_forward_length(config.n_neurons)
    writer.add_head_count(config.n_heads)
    writer.add_head_count_kv(config.n_key_heads)
    writer.add_layer_norm_rms_eps(config.norm_eps)
    writer.add_rope_dimension_count(config.rotary_width)
    writer.add_vocab_size(config.n_vocab)
    writer.add_file_type(_FILE_TYPES[kind])
    pieces = [b"<unk>", b"<s>", b"</s>", *(b"<0x%02X>" % i for i in range(256))]
    pieces += [b"t%d" % i for i in range(config.n_vocab - len(pieces))]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(pieces)
    writer.add_token_scores([0.0] * len(pieces))
    writer.add_token_types([2, 3, 3, *[6] * 256, *[1] * (len(pieces) - 259)])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)


def _matrices(c: ModelConfig) -> list[tuple[str, int, int]]:
    """(name, rows, columns) of every matrix, in file order."""
    found = [("token_embd", c.n_vocab, c.width)]
    for layer in range(c.n_layers):
        sizes = {
            "attn_q": (c.attention_width, c.width), "attn_k": (c.key_width, c.width), "attn_v": (c.key_width, c.width),
            "attn_output": (c.width, c.attention_width), "ffn_gate": (c.n_neurons, c.width),
            "ffn_up": (c.n_neurons, c.width), "ffn_down": (c.width, c.n_neurons),
        }  # fmt: skip
        found += [(f"blk.{layer}.{name}", *size) for name, size in sizes.items()]
    return found if c.is_tied else [*found, ("output", c.n_vocab, c.width)]


def _row_bytes(columns: int, kind: str) -> int:
    return columns // _BLOCK * {"Q8_0": 34, "Q4_0": 18, "F32": 4 * _BLOCK}[kind]


def _random_matrix(rows: int, columns: int, kind: str, rng: np.random.Generator) -> NDArray[np.uint8 | np.float32]:
    if kind == "F32":
        return np.asarray(rng.standard_normal((rows, columns), np.float32) / np.sqrt(columns), np.float32)
    block_bytes = _row_bytes(_BLOCK, kind)
    scale = np.array([1 / (np.sqrt(columns) * _DEVIATIONS[kind])], np.float16).view(np.uint8)
    out = np.empty((rows, _row_bytes(columns, kind)), np.uint8)
    for first in range(0, rows, _ROWS):
        blocks = out[first : first + _ROWS].reshape(-1, block_bytes)
        blocks[:] = rng.integers(0, 256, blocks.shape, np.uint8)
        blocks[:, :2] = scale
    return out
