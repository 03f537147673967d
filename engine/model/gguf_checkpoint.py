"""GGUF files, and PowerInfer's variant of them, as checkpoints.

Owns what llama.cpp's layout means: metadata keys, tensor names, and that the rows of Q and K are stored with rotated
pairs side by side.
"""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedFile, EngineError, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.config import ModelConfig, Rope, yarn
from engine.model.families import GGUF_LAYER_TENSORS, GGUF_TENSORS, Family, family_of_gguf, overridden_activation
from engine.model.gguf_file import PARSE_ERRORS, GgufFile
from engine.model.powerinfer_gguf import MAGIC as POWERINFER_MAGIC
from engine.model.powerinfer_gguf import PowerInferGguf
from engine.text.facts import TokenizerFacts
from engine.text.gguf_facts import facts_from_gguf


class GgufSource(Protocol):
    """What both kinds of file offer."""

    @property
    def fields(self) -> Mapping[str, Any]: ...

    def read(self, name: str) -> Float32: ...

    def close(self) -> None: ...


class GgufCheckpoint:
    """An open GGUF file; see model/checkpoint.py."""

    def __init__(self, path: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel."""
        self._path = path
        self._file: GgufFile | None = None
        self._source: GgufSource
        self._ignored: frozenset[str] = frozenset()
        if is_powerinfer(path):
            special = PowerInferGguf(path)
            self._source = special
            self._shapes = {name: entry.shape for name, entry in special.entries.items()}
            self._ignored = frozenset(name for pair in special.predictors.values() for name in pair)
        else:
            self._source = self._file = GgufFile(path)
            self._shapes = dict(self._file.shapes)
        try:
            fields = self._source.fields
            self._family = family_of_gguf(str(fields.get("general.architecture", "")), str(path))
            # What PowerInfer converts is ReLU; its files do not say so.
            default = "relu" if self._file is None else self._family.default_activation
            known_as = f"{fields.get('general.name', '')} {path.stem}"
            activation = overridden_activation(self._family, known_as) or (self._family.activation or default, 0.0)
            self._config = _config(fields, self._shapes, self._family, path, activation)
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
        except PARSE_ERRORS as error:
            self.close()
            raise DamagedFile(str(path), "its metadata cannot be read") from error

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
        values = self._source.read(_gguf_name(name, layer))
        if name in ("q", "k", "q_bias", "k_bias") and self._family.has_paired_rope:
            values = values[self._half_split_rows(name[0])]
        return values

    def int8_rows(self, name: str, layer: int | None = None) -> tuple[NDArray[np.float16], NDArray[np.int8]] | None:
        ready = None if self._file is None else self._file.q8_0(_gguf_name(name, layer))
        if ready is not None and name in ("q", "k") and self._family.has_paired_rope:
            order = self._half_split_rows(name)
            return ready[0][order], ready[1][order]
        return ready

    def close(self) -> None:
        """Let go of the file; arrays from `tensor` stay valid."""
        self._source.close()

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
            found = self._shapes.get(name)
            if found is None:
                raise DamagedFile(str(self._path), f"tensor {name} is missing")
            if found != shape:
                raise DamagedFile(str(self._path), f"tensor {name} has shape {found}, expected {shape}")
        for name in self._shapes.keys() - shapes.keys() - self._ignored:
            raise UnsupportedModel(str(self._path), "tensor", name, "models without it")


def _gguf_name(name: str, layer: int | None) -> str:
    return GGUF_TENSORS[name] if layer is None else f"blk.{layer}.{GGUF_LAYER_TENSORS[name]}"


def is_powerinfer(path: Path) -> bool:
    """Whether the file begins like PowerInfer's; a file that cannot be read is left to the ordinary reader to name."""
    try:
        with path.open("rb") as file:
            return file.read(4) == POWERINFER_MAGIC
    except OSError:
        return False


def _config(
    fields: Mapping[str, Any],
    shapes: Mapping[str, tuple[int, ...]],
    family: Family,
    path: Path,
    activation: tuple[str, float],
) -> ModelConfig:
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

    if number("attention.clamp_kqv", 0.0) > 0:
        raise UnsupportedModel(str(path), "attention", "clamped queries, keys and values", "attention without a clamp")
    if integer("expert_count", 0) > 0:
        raise UnsupportedModel(str(path), "feed-forward", "mixture of experts", "dense feed-forward")
    embedding = shapes.get(GGUF_TENSORS["embedding"])
    if embedding is None or len(embedding) != 2:
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
        n_vocab=embedding[0],
        context_tokens=integer("context_length"),
        rotary_width=rotated,
        rope=_rope(fields, prefix, float(number("rope.freq_base", 10000.0)), path),
        norm_eps=float(number("attention.layer_norm_rms_epsilon")),
        activation=activation[0],
        threshold=activation[1],
        is_tied=GGUF_TENSORS["head"] not in shapes,
        is_gated=_gguf_name("gate", 0) in shapes,
        has_qkv_bias=_gguf_name("q_bias", 0) in shapes,
    )


def _rope(fields: Mapping[str, Any], prefix: str, base: float, path: Path) -> Rope:
    scaling = str(fields.get(f"{prefix}.rope.scaling.type", "none"))
    if scaling == "none":
        for key in ("rope.scaling.factor", "rope.scale_linear"):
            if fields.get(f"{prefix}.{key}") not in (None, 0, 1):
                raise UnsupportedModel(str(path), "rotary scaling", f"{key} without a type", "linear, yarn")
        return Rope(base=base)
    if scaling not in ("linear", "yarn"):
        raise UnsupportedModel(str(path), "rotary scaling", scaling, "linear, yarn")
    factor = fields.get(f"{prefix}.rope.scaling.factor")
    context = fields.get(f"{prefix}.rope.scaling.original_context_length", fields.get(f"{prefix}.context_length"))
    if not isinstance(factor, (int, float)) or not isinstance(context, int):
        raise DamagedFile(str(path), f"{prefix}.rope.scaling: factor {factor!r}, original context {context!r}")
    if scaling == "linear":
        return Rope(base=base, scaling="linear", factor=float(factor))
    return yarn(base, float(factor), context)
