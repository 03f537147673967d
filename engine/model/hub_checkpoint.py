"""Folders in the hub's layout as checkpoints: config.json, tokenizer files, safetensors or torch weights.

Owns how a family's tensors become ours: names, fused QKV split, factors folded in, projections around the layers
multiplied into embedding and head. Reads one tensor at a time; no code of a repository is executed.
"""

import math
import re
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedFile, EngineError, FileMissing, ForeignFile, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.config import ModelConfig
from engine.model.families import Names
from engine.model.hub_config import check_hub_config, config_from_hub, read_scales
from engine.model.tensor_files import TensorFile, TensorFolder, strict_json
from engine.text.facts import TokenizerFacts
from engine.text.hub_facts import facts_from_folder

_MAX_CONFIG_BYTES = 1 << 20
_UNGATED = {"gate": "up", "gate_bias": "up_bias"}
_NORMS = ("attention_norm", "ffn_norm", "final_norm")


class HubCheckpoint:
    """An open folder; see model/checkpoint.py."""

    def __init__(
        self, folder: Path, *, repository: str = "", weights: Callable[[Path], TensorFile] = TensorFolder
    ) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel.

        `weights` opens the tensors, where they are not in the folder: of a repository whose headers alone are here.
        """
        self._path = str(folder)
        values = read_hub_config(folder)
        repository = repository or folder.resolve().name
        self._family = check_hub_config(values, path=self._path, repository=repository)
        self._values = values
        self._files = weights(folder)
        try:
            self._stored = self._find_names()
            self._config = config_from_hub(values, self._has, path=self._path, repository=repository)
            self._scales = read_scales(values, self._family, path=self._path)
            self._check_tensors()
            self._tokenizer = facts_from_folder(folder, self._family.name, repository=repository)
            if self._tokenizer.n_vocab > self._config.n_vocab:
                raise DamagedFile(
                    self._path,
                    f"the tokenizer knows {self._tokenizer.n_vocab} tokens, the embedding {self._config.n_vocab}",
                )
        except EngineError as error:
            self.close()
            if isinstance(error, (DamagedFile, UnsupportedModel)) and not error.path:
                error.path = self._path
            raise

    @property
    def config(self) -> ModelConfig:
        return self._config

    @property
    def tokenizer(self) -> TokenizerFacts:
        return self._tokenizer

    @property
    def remarks(self) -> tuple[str, ...]:
        claimed = str(self._values.get("torch_dtype") or self._values.get("dtype") or "")
        if claimed in ("float16", "bfloat16") and any(e.dtype == "F32" for e in self._files.entries.values()):
            return ("wider than labelled",)
        return ()

    def tensor(self, name: str, layer: int | None = None) -> Float32:
        values = self._raw(name, layer)
        if name in _NORMS and self._family.norm_offset:
            values = np.asarray(values + np.float32(self._family.norm_offset), np.float32)
        factor = self._factor(name)
        return values if factor == 1.0 else np.asarray(values * np.float32(factor), np.float32)

    def int8_rows(self, name: str, layer: int | None = None) -> tuple[NDArray[np.float16], NDArray[np.int8]] | None:
        return None

    def close(self) -> None:
        self._files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Names --------------------------------------------------------------------------------------------------------

    def _find_names(self) -> dict[tuple[str, int | None], str]:
        """(our name, layer) → the name in the files, for every tensor that is there."""
        found: dict[tuple[str, int | None], str] = {}
        n_layers = self._values.get("num_hidden_layers", self._values.get("n_layer"))
        if isinstance(n_layers, bool) or not isinstance(n_layers, int) or not 0 < n_layers <= 1024:
            raise DamagedFile(self._path, f"num_hidden_layers = {n_layers!r}")
        self._find(found, self._family.outside, "", None)
        for layer in range(n_layers):
            self._find(found, self._family.layer, self._family.layers.format(layer), layer)
        # Ungated checkpoints of the LLaMA shape call their only first matrix gate_proj.
        if not any(name == "up" for name, _ in found):
            return {(_UNGATED.get(name, name), layer): stored for (name, layer), stored in found.items()}
        return found

    def _find(self, found: dict[tuple[str, int | None], str], names: Names, place: str, layer: int | None) -> None:
        for ours, alternatives in names.items():
            for theirs in (prefix + place + name for name in alternatives for prefix in self._family.prefixes):
                if theirs + ".weight" in self._files.entries:
                    found[ours, layer] = theirs + ".weight"
                    if theirs + ".bias" in self._files.entries:
                        found[f"{ours}_bias", layer] = theirs + ".bias"
                    break

    def _has(self, name: str) -> bool:
        """Whether the checkpoint has a tensor of this name of ours, outside the layers or in the first."""
        if name in ("q_bias", "k_bias", "v_bias") and ("qkv_bias", 0) in self._stored:
            return True
        stored = {"first_bias": "gate_bias" if ("gate", 0) in self._stored else "up_bias"}.get(name, name)
        return (stored, None) in self._stored or (stored, 0) in self._stored

    def _check_tensors(self) -> None:
        """Every expected tensor is there with its shape, and none that we would silently ignore."""
        c = self._config
        d, q, k, n = c.width, c.attention_width, c.key_width, c.n_neurons
        inner = self._projected_width()
        outside: dict[str, tuple[int, ...]] = {"embedding": (c.n_vocab, inner or d)}
        if not c.is_tied and inner is None:
            outside["head"] = (c.n_vocab, d)
        if c.residual != "post":
            outside["final_norm"] = (d,)
        if c.has_learned_positions:
            outside["positions"] = (c.context_tokens + self._family.position_offset, d)
        if inner is not None:
            outside |= {"project_in": (d, inner), "project_out": (inner, d)}
        inside: dict[str, tuple[int, ...]] = {
            "attention_norm": (d,), "ffn_norm": (d,), "out": (d, q), "up": (n, d), "down": (d, n),
        }  # fmt: skip
        if "qkv" in self._family.layer:
            inside["qkv"] = (q + 2 * k, d)
        else:
            inside |= {"q": (q, d), "k": (k, d), "v": (k, d)}
        if c.is_gated:
            inside["gate"] = (n, d)
        expected: dict[tuple[str, int | None], tuple[int, ...]] = {(name, None): s for name, s in outside.items()}
        for layer in range(c.n_layers):
            expected |= {(name, layer): shape for name, shape in inside.items()}
        if c.norm == "layer":
            expected |= {(f"{name}_bias", at): shape for (name, at), shape in expected.items() if name in _NORMS}
        for key, shape in list(expected.items()):
            if key not in self._stored:
                where = "" if key[1] is None else f" of layer {key[1]}"
                raise DamagedFile(self._path, f"tensor {key[0]}{where} is missing")
            found = self._files.entries[self._stored[key]].shape
            if tuple(found) != shape:
                raise DamagedFile(self._path, f"tensor {self._stored[key]} has shape {tuple(found)}, expected {shape}")
        self._check_biases()
        used = set(self._stored.values())
        head = {self._stored.get(("head", None), "")}
        for name in self._files.entries.keys() - used - head:
            if not any(re.fullmatch(pattern, name) for pattern in self._family.ignored):
                raise UnsupportedModel(self._path, "tensor", name, "models without it")

    def _check_biases(self) -> None:
        """A bias is there in every layer or in none, and only where the runtime adds it."""
        c = self._config
        sizes = {
            "q_bias": c.attention_width, "k_bias": c.key_width, "v_bias": c.key_width, "qkv_bias": c.qkv_width,
            "out_bias": c.width, "gate_bias": c.n_neurons, "up_bias": c.n_neurons, "down_bias": c.width,
        }  # fmt: skip
        for (name, layer), stored in self._stored.items():
            if not name.endswith("_bias") or (name.removesuffix("_bias") in _NORMS and c.norm == "layer"):
                continue
            if name not in sizes:
                raise UnsupportedModel(self._path, "tensor", stored, "models without it")
            if tuple(self._files.entries[stored].shape) != (sizes[name],):
                raise DamagedFile(self._path, f"tensor {stored} has shape {self._files.entries[stored].shape}")
            if layer is not None and (name, 0) not in self._stored:
                raise DamagedFile(self._path, f"tensor {stored} has no counterpart in the first layer")
        for name in sizes:
            if (name, 0) in self._stored and any((name, i) not in self._stored for i in range(c.n_layers)):
                raise DamagedFile(self._path, f"tensor {name} is missing in a layer")
        of_qkv = {part for part in ("q", "k", "v") if (f"{part}_bias", 0) in self._stored}
        if 0 < len(of_qkv) < 3:
            raise UnsupportedModel(
                self._path, "attention", f"biases of {', '.join(sorted(of_qkv))} alone", "all or none"
            )
        of_ffn = ("gate_bias", "up_bias", "down_bias") if c.is_gated else ("up_bias", "down_bias")
        found = sum((name, 0) in self._stored for name in of_ffn)
        if 0 < found < len(of_ffn):
            raise UnsupportedModel(self._path, "feed-forward", f"{found} biases of {len(of_ffn)}", "all biases or none")

    # Values -------------------------------------------------------------------------------------------------------

    def _raw(self, name: str, layer: int | None) -> Float32:
        if name == "first_bias":
            name = "gate_bias" if self._config.is_gated else "up_bias"
        base = name.removesuffix("_bias")
        if base in ("q", "k", "v") and (base, layer) not in self._stored:
            return self._part_of_fused(base, "qkv_bias" if name.endswith("_bias") else "qkv", layer)
        if name == "positions":
            return self._files.read(self._stored[name, None])[self._family.position_offset :]
        if name in ("embedding", "head") and self._projected_width() is not None:
            return self._projected(name)
        return self._files.read(self._stored[name, layer])

    def _projected_width(self) -> int | None:
        """Width of the embedding where projections stand between it and the layers (OPT-350m)."""
        stored = self._stored.get(("project_in", None))
        return None if stored is None else int(self._files.entries[stored].shape[1])

    def _projected(self, name: str) -> Float32:
        """Embedding and head with their projections multiplied in: E·Pᵢₙᵀ, and E·Pₒᵤₜ since logits are E·(Pₒᵤₜ x)."""
        embedding = self._files.read(self._stored["embedding", None])
        if name == "embedding":
            return np.asarray(embedding @ self._files.read(self._stored["project_in", None]).T, np.float32)
        return np.asarray(embedding @ self._files.read(self._stored["project_out", None]), np.float32)

    def _part_of_fused(self, part: str, fused: str, layer: int | None) -> Float32:
        """Query, key or value rows of Falcon's fused matrix: for each key head its query heads, its key, its value."""
        c = self._config
        values = self._files.read(self._stored[fused, layer])
        group = c.n_heads // c.n_key_heads
        blocks = values.reshape(c.n_key_heads, group + 2, c.head_width, *values.shape[1:])
        chosen = {"q": blocks[:, :group], "k": blocks[:, group], "v": blocks[:, group + 1]}[part]
        return np.ascontiguousarray(chosen).reshape(-1, *values.shape[1:])

    def _factor(self, name: str) -> float:
        """What MiniCPM multiplies a result with, put into the tensor that makes the result."""
        if self._family.scale_keys is None:
            return 1.0
        embedding, depth, base = self._scales
        head = base / self._config.width
        match name:
            case "embedding":
                return embedding
            case "out" | "out_bias" | "down" | "down_bias":
                return depth / math.sqrt(self._config.n_layers)
            case "final_norm":
                # The tied head is the embedding with its factor, which has to come off again.
                return head / embedding if self._config.is_tied else head
            case _:
                return 1.0


def read_hub_config(folder: Path) -> dict[str, Any]:
    """The object in config.json; raises FileMissing, ForeignFile or DamagedFile."""
    path = folder / "config.json"
    try:
        if path.stat().st_size > _MAX_CONFIG_BYTES:
            raise DamagedFile(str(path), f"config.json has {path.stat().st_size} bytes")
        values = strict_json(path.read_bytes(), path)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    if not isinstance(values, dict):
        raise ForeignFile(str(path), "a model's config.json", type(values).__name__)
    return values
