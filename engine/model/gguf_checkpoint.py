"""GGUF files as checkpoints, through the `gguf` package.

Owns the checks a foreign, truncated or altered file must meet before anything is allocated after it, and the one
difference in layout: llama.cpp stores the rows of Q and K with rotated pairs side by side.
"""

import mmap
import os
import struct
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedFile, EngineError, FileMissing, ForeignFile, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.config import ModelConfig, Rope, yarn
from engine.model.families import GGUF_LAYER_TENSORS, GGUF_TENSORS, Family, family_of_gguf
from engine.text.facts import TokenizerFacts
from engine.text.gguf_facts import facts_from_gguf

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MAX_ENTRIES = 1 << 20
# What the gguf package raises on bytes that are not what they claim to be.
_PARSE_ERRORS = (ValueError, KeyError, IndexError, TypeError, OverflowError, struct.error, EOFError, MemoryError)


class GgufCheckpoint:
    """An open GGUF file; see model/checkpoint.py."""

    def __init__(self, path: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel."""
        self._path = path
        _check_beginning(path)
        self._reader = _read_structure(path)
        try:
            fields = {name: _plain(field) for name, field in self._reader.fields.items()}
            self._tensors = {tensor.name: tensor for tensor in self._reader.tensors}
            self._family = family_of_gguf(str(fields.get("general.architecture", "")), str(path))
            self._config = _config(fields, self._tensors, self._family, path)
            self._check_tensors()
            self._tokenizer = facts_from_gguf(fields)
            if self._tokenizer.n_vocab > self._config.n_vocab:
                raise DamagedFile(
                    str(path),
                    f"the tokenizer knows {self._tokenizer.n_vocab} tokens, the embedding {self._config.n_vocab}",
                )
        except EngineError as error:
            self.close()
            if isinstance(error, (DamagedFile, UnsupportedModel)) and not error.path:
                error.path = str(path)
            raise
        except _PARSE_ERRORS as error:
            self.close()
            raise DamagedFile(str(path), f"metadata: {type(error).__name__}: {error}") from error

    @property
    def config(self) -> ModelConfig:
        return self._config

    @property
    def tokenizer(self) -> TokenizerFacts:
        return self._tokenizer

    @property
    def remarks(self) -> tuple[str, ...]:
        return ()

    def tensor(self, name: str, layer: int | None = None) -> Float32:
        from gguf.quants import dequantize

        stored = self._tensors[_gguf_name(name, layer)]
        try:
            values = np.asarray(dequantize(stored.data, stored.tensor_type), np.float32)
        except NotImplementedError as error:
            kind = stored.tensor_type.name
            raise UnsupportedModel(
                str(self._path), f"type of {stored.name}", kind, "F32, F16, Q8_0, Q4_0, …"
            ) from error
        if not np.isfinite(values).all():
            raise DamagedFile(str(self._path), f"{stored.name} holds values that are not numbers")
        if name in ("q", "k", "q_bias", "k_bias") and self._family.has_paired_rope:
            values = values[self._half_split_rows(name[0])]
        return values

    def int8_rows(self, name: str, layer: int | None = None) -> tuple[NDArray[np.float16], NDArray[np.int8]] | None:
        from gguf import GGMLQuantizationType

        stored = self._tensors[_gguf_name(name, layer)]
        if stored.tensor_type != GGMLQuantizationType.Q8_0:
            return None
        blocks = np.ascontiguousarray(stored.data).reshape(len(stored.data), -1, 34)
        scale = np.ascontiguousarray(blocks[:, :, :2]).view(np.float16)[:, :, 0]
        if not np.isfinite(scale).all():
            raise DamagedFile(str(self._path), f"{stored.name} holds values that are not numbers")
        values = np.ascontiguousarray(blocks[:, :, 2:]).view(np.int8).reshape(len(blocks), -1)
        if name in ("q", "k") and self._family.has_paired_rope:
            order = self._half_split_rows(name)
            return scale[order], values[order]
        return scale, values

    def close(self) -> None:
        """Let go of the file mapping; arrays from `tensor` stay valid."""
        self._tensors = {}
        del self._reader

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _half_split_rows(self, name: str) -> NDArray[np.int64]:
        """Row numbers that bring neighbouring pairs (2i, 2i+1) of each head to (i, i + e/2)."""
        heads = self._config.n_heads if name == "q" else self._config.n_key_heads
        rows = np.arange(heads * self._config.head_width).reshape(heads, self._config.head_width // 2, 2)
        return rows.swapaxes(1, 2).reshape(-1)

    def _check_tensors(self) -> None:
        """Every expected tensor is there with its shape, and none that we would silently ignore."""
        c = self._config
        d, q, k, n = c.width, c.attention_width, c.key_width, c.n_neurons
        shapes: dict[str, tuple[int, ...]] = {
            GGUF_TENSORS["embedding"]: (c.n_vocab, d),
            GGUF_TENSORS["final_norm"]: (d,),
        }
        if not c.is_tied:
            shapes[GGUF_TENSORS["head"]] = (c.n_vocab, d)
        layer_shapes = {
            "attention_norm": (d,), "q": (q, d), "k": (k, d), "v": (k, d), "out": (d, q),
            "ffn_norm": (d,), "up": (n, d), "down": (d, n),
        }  # fmt: skip
        if c.is_gated:
            layer_shapes["gate"] = (n, d)
        if c.has_qkv_bias:
            layer_shapes |= {"q_bias": (q,), "k_bias": (k,), "v_bias": (k,)}
        for layer in range(c.n_layers):
            shapes |= {_gguf_name(name, layer): shape for name, shape in layer_shapes.items()}
        for name, shape in shapes.items():
            if name not in self._tensors:
                raise DamagedFile(str(self._path), f"tensor {name} is missing")
            found = tuple(int(s) for s in reversed(self._tensors[name].shape))
            if found != shape:
                raise DamagedFile(str(self._path), f"tensor {name} has shape {found}, expected {shape}")
        for name in self._tensors.keys() - shapes.keys():
            raise UnsupportedModel(str(self._path), "tensor", name, "models without it")


def _gguf_name(name: str, layer: int | None) -> str:
    return GGUF_TENSORS[name] if layer is None else f"blk.{layer}.{GGUF_LAYER_TENSORS[name]}"


def _check_beginning(path: Path) -> None:
    try:
        with path.open("rb") as file:
            head = file.read(24)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    if head[:4] != _MAGIC:
        found = "an empty file" if not head else f"a file beginning with {head[:4]!r}"
        raise ForeignFile(str(path), "GGUF", found)
    if len(head) < 24:
        raise DamagedFile(str(path), f"the header ends after {size} bytes")
    version, n_tensors, n_fields = struct.unpack("<IQQ", head[4:])
    if version not in _VERSIONS:
        raise UnsupportedModel(str(path), "GGUF version", str(version), "2 and 3")
    # A tensor's entry takes at least 24 bytes, a field's 13: more than fit the file cannot be there.
    if n_tensors > min(_MAX_ENTRIES, size // 24) or n_fields > min(_MAX_ENTRIES, size // 13):
        raise DamagedFile(str(path), f"the header announces {n_tensors} tensors and {n_fields} fields")


def _read_structure(path: Path) -> Any:
    from gguf import GGUFReader

    try:
        reader = GGUFReader(path)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    except _PARSE_ERRORS as error:
        raise DamagedFile(str(path), f"structure: {type(error).__name__}: {error}") from error
    if isinstance(reader.data, np.memmap) and hasattr(mmap, "MADV_SEQUENTIAL"):
        mapping = reader.data._mmap  # type: ignore[attr-defined]
        mapping.madvise(mmap.MADV_SEQUENTIAL)
    return reader


def _plain(field: Any) -> object:
    return field.contents()


def _config(fields: dict[str, Any], tensors: dict[str, Any], family: Family, path: Path) -> ModelConfig:
    prefix = family.gguf_architecture

    def number(key: str, default: float | None = None) -> float:
        value = fields.get(f"{prefix}.{key}", default)
        if isinstance(value, list) and value and all(v == value[0] for v in value):
            value = value[0]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise DamagedFile(str(path), f"{prefix}.{key} = {value!r}")
        return value

    def integer(key: str, default: int | None = None) -> int:
        value = number(key, default)
        if int(value) != value:
            raise DamagedFile(str(path), f"{prefix}.{key} = {value!r}")
        return int(value)

    if integer("expert_count", 0) > 0:
        raise UnsupportedModel(str(path), "feed-forward", "mixture of experts", "dense feed-forward")
    embedding = tensors.get(GGUF_TENSORS["embedding"])
    if embedding is None or len(embedding.shape) != 2:
        raise DamagedFile(str(path), f"tensor {GGUF_TENSORS['embedding']} is missing")
    heads, width = integer("attention.head_count"), integer("embedding_length")
    if heads <= 0:
        raise DamagedFile(str(path), f"{prefix}.attention.head_count = {heads}")
    head_width = integer("attention.key_length", width // heads)
    rotated = integer("rope.dimension_count", head_width)
    if rotated != head_width:
        raise UnsupportedModel(str(path), "rotary width", f"{rotated} of {head_width}", "the whole head")
    return ModelConfig(
        name=str(fields.get("general.name") or path.stem),
        family=family.name,
        licence=str(fields.get("general.license", "")),
        width=width,
        n_neurons=integer("feed_forward_length"),
        n_layers=integer("block_count"),
        n_heads=heads,
        n_key_heads=integer("attention.head_count_kv", heads),
        head_width=head_width,
        n_vocab=int(embedding.shape[1]),
        context_tokens=integer("context_length"),
        rotary_width=rotated,
        rope=_rope(fields, prefix, float(number("rope.freq_base", 10000.0)), path),
        norm_eps=float(number("attention.layer_norm_rms_epsilon")),
        activation=family.activation or family.default_activation,
        is_tied=GGUF_TENSORS["head"] not in tensors,
        is_gated=_gguf_name("gate", 0) in tensors,
        has_qkv_bias=_gguf_name("q_bias", 0) in tensors,
    )


def _rope(fields: dict[str, Any], prefix: str, base: float, path: Path) -> Rope:
    scaling = str(fields.get(f"{prefix}.rope.scaling.type", "none"))
    if scaling == "none":
        return Rope(base=base)
    factor = fields.get(f"{prefix}.rope.scaling.factor")
    context = fields.get(f"{prefix}.rope.scaling.original_context_length", fields.get(f"{prefix}.context_length"))
    if not isinstance(factor, (int, float)) or not isinstance(context, int):
        raise DamagedFile(str(path), f"{prefix}.rope.scaling: factor {factor!r}, original context {context!r}")
    match scaling:
        case "linear":
            return Rope(base=base, scaling="linear", factor=float(factor))
        case "yarn":
            return yarn(base, float(factor), context)
        case _:
            raise UnsupportedModel(str(path), "rotary scaling", scaling, "linear, yarn")
