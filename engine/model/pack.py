"""Checkpoint → PackedModel: concatenate, transpose, quantise, write, one tensor in memory at a time."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from engine.errors import UnsupportedModel
from engine.kernels.formats import INT8, Bytes, RowFormat
from engine.model.checkpoint import Checkpoint
from engine.model.packed_model import WEIGHT_FORMATS, PackedModel, create_packed, open_packed

# Rows packed at a time: bounds the working memory of the int4 scale search.
_BLOCK_ROWS = 4096

OnStep = Callable[[int, int], None]


def pack(
    checkpoint: Checkpoint, path: Path, weight_format: str, *, source: str, note: str, on_step: OnStep
) -> PackedModel:
    """Write the checkpoint to `path` and open the result.

    on_step(done, total) is called between tensors and may raise to stop, which leaves nothing behind. Peak extra memory
    is one tensor as float32 and its packed form.
    """
    config, parts = checkpoint.config, WEIGHT_FORMATS[weight_format]
    total = config.n_layers + 1

    with create_packed(
        path, config, weight_format, checkpoint.tokenizer, source=source, note=note, remarks=checkpoint.remarks
    ) as writer:

        def vector(name: str, layer: int | None = None) -> None:
            prefix = "" if layer is None else f"layers.{layer}."
            writer.write(prefix + name, checkpoint.tensor(name, layer))

        def norm(name: str, layer: int | None = None) -> None:
            vector(name, layer)
            if config.norm == "layer":
                vector(name + "_bias", layer)

        on_step(0, total)
        writer.write("embedding", _matrix(checkpoint, "embedding", None, parts.of("embedding")))
        if config.has_learned_positions:
            writer.write("positions", _packed_rows(checkpoint.tensor("positions"), parts.of("positions")))
        for layer in range(config.n_layers):
            on_step(layer + 1, total)
            prefix = f"layers.{layer}."
            norm("attention_norm", layer)
            qkv = [_matrix(checkpoint, name, layer, parts.of("qkv")) for name in ("q", "k", "v")]
            writer.write(prefix + "qkv", np.concatenate(qkv))
            if config.has_qkv_bias:
                biases = [checkpoint.tensor(name, layer) for name in ("q_bias", "k_bias", "v_bias")]
                writer.write(prefix + "qkv_bias", np.concatenate(biases))
            writer.write(prefix + "out", _matrix(checkpoint, "out", layer, parts.of("out")))
            if config.has_out_bias:
                vector("out_bias", layer)
            norm("ffn_norm", layer)
            if config.is_gated:
                writer.write(prefix + "gate", _matrix(checkpoint, "gate", layer, parts.of("gate")))
            writer.write(prefix + "up", _matrix(checkpoint, "up", layer, parts.of_up(config)))
            if config.has_ffn_bias:
                vector("first_bias", layer)
                if config.is_gated:
                    vector("up_bias", layer)
            down = np.ascontiguousarray(checkpoint.tensor("down", layer).T)
            writer.write(prefix + "down", _packed_rows(down, parts.of("down")))
            if config.has_ffn_bias:
                vector("down_bias", layer)
        if config.residual != "post":
            norm("final_norm")
        if not config.is_tied:
            writer.write("head", _matrix(checkpoint, "head", None, parts.of("head")))
        writer.write("tokenizer", np.frombuffer(checkpoint.tokenizer.data, np.uint8))
    return open_packed(writer.path or path)


def _matrix(checkpoint: Checkpoint, name: str, layer: int | None, fmt: RowFormat) -> Bytes:
    """The rows of one matrix in `fmt`; int8 rows are taken over unchanged where the source has the same groups."""
    if fmt is INT8:
        ready = checkpoint.int8_rows(name, layer)
        if ready is not None:
            return INT8.join(*ready, ready[1].shape[1])
    return _packed_rows(checkpoint.tensor(name, layer), fmt)


def _packed_rows(rows: np.ndarray[tuple[int, int], np.dtype[np.float32]], fmt: RowFormat) -> Bytes:
    out = np.empty((rows.shape[0], fmt.stride(rows.shape[1])), np.uint8)
    for first in range(0, len(rows), _BLOCK_ROWS):
        try:
            out[first : first + _BLOCK_ROWS] = fmt.pack(np.ascontiguousarray(rows[first : first + _BLOCK_ROWS]))
        except OverflowError as error:
            raise UnsupportedModel("", "weights", str(error), "smaller weights, or the format f32") from error
    return out
