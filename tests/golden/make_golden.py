"""Writes the generated half of this folder: weights, tokenizer files and golden.npz of every checkpoint.

    .venv/bin/python -m tests.golden.make_golden [folder ...]

Run by hand after a recipe or a config.json has changed; see README.md. The logits are computed from what was written,
after rounding to the stored type, by transformers where it knows the architecture and by plain_reference.py otherwise.
"""

import json
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import Tensor

from tests.golden import plain_reference
from tests.golden.families import GOLDEN, Golden, golden
from tests.golden.tiny_checkpoints import Tiny, build
from tests.golden.tiny_tokenizers import PROMPT

# Written by hand in the folders; everything else there is generated.
KEPT = ("config.json", "generation_config.json", "training_args.bin", "modeling_minicpm.py")

_MODELS: dict[str, Any] = {
    "llama": transformers.LlamaForCausalLM,
    "mistral": transformers.MistralForCausalLM,
    "qwen2": transformers.Qwen2ForCausalLM,
    "opt": transformers.OPTForCausalLM,
    "falcon": transformers.FalconForCausalLM,
    "nemotron": transformers.NemotronForCausalLM,
    "arcee": transformers.ArceeForCausalLM,
}


def write(row: Golden) -> None:
    """Replace what is generated in the row's folder."""
    for path in row.path.iterdir():
        if path.name not in KEPT:
            path.unlink()
    tiny = build(row.folder)
    for name, data in tiny.text.files.items():
        (row.path / name).write_bytes(data)
    if row.weights != "bin" and row.weights != "bin shards":
        _write_safetensors(row.path, tiny, row.weights.endswith("shards"))
    if row.weights.startswith(("bin", "both")):
        _write_torch(row.path, tiny, row.weights.endswith("shards"))
    tokens = list(tiny.text.prompt)
    plain = plain_forward(row, read_weights(row.path), tokens)
    logits = plain.logits.float().numpy() if row.reference == "plain" else transformers_logits(row, tokens)
    arrays = {
        "tokens": np.array(tokens, np.int64),
        "logits": logits,
        "silent": plain.silent.numpy(),
        "text": np.array(PROMPT),
    }
    if any(".predictor." in name for name in tiny.tensors):
        predicted = plain_forward(row, read_weights(row.path), tokens, predicted=True)
        arrays["predicted_logits"] = predicted.logits.float().numpy()
    np.savez_compressed(row.path / "golden.npz", **arrays)


def plain_forward(
    row: Golden, tensors: dict[str, Tensor], tokens: list[int], *, predicted: bool = False
) -> plain_reference.Forward:
    facts = plain_reference.read_facts(
        row.config, family=row.family, activation=row.activation, threshold=row.threshold
    )
    return plain_reference.forward(tensors, facts, tokens, predicted=predicted)


def transformers_logits(row: Golden, tokens: list[int]) -> np.ndarray:
    """Of the files of the folder, in float32."""
    changes = {"activation": "relu"} if row.family == "falcon" else {}  # hard-wired in ReluFalcon's own code
    model = _MODELS[row.family].from_pretrained(
        row.path, dtype=torch.float32, attn_implementation="eager", local_files_only=True, **changes
    )
    with torch.no_grad():
        return np.asarray(model.eval()(torch.tensor([tokens])).logits[0].numpy(), np.float32)


def read_weights(folder: Path) -> dict[str, Tensor]:
    """All tensors of a folder, as they are stored; safetensors where there are both."""
    tensors: dict[str, Tensor] = {}
    for path in sorted(folder.glob("*.safetensors")):
        tensors |= load_file(path)
    if not tensors:
        for path in sorted(folder.glob("pytorch_model*.bin")):
            tensors |= torch.load(path, weights_only=True)
    return tensors


def _shards(tensors: dict[str, Tensor], n_shards: int) -> list[dict[str, Tensor]]:
    """In order, of about equal size; a layer may be split between two."""
    total = sum(t.nbytes for t in tensors.values())
    shards: list[dict[str, Tensor]] = [{} for _ in range(n_shards)]
    done = 0
    for name, tensor in tensors.items():
        shards[min(n_shards - 1, done * n_shards // total)][name] = tensor
        done += tensor.nbytes
    return shards


def _write_shards(folder: Path, tiny: Tiny, stem: str, ending: str, save: Any) -> None:
    shards = _shards(tiny.tensors, tiny.n_shards)
    places = {}
    for number, shard in enumerate(shards, 1):
        name = f"{stem}-{number:05d}-of-{len(shards):05d}.{ending}"
        save(shard, folder / name)
        places |= dict.fromkeys(shard, name)
    index = {
        "metadata": {"total_size": sum(t.nbytes for t in tiny.tensors.values())},
        "weight_map": dict(sorted(places.items())),
    }
    (folder / f"{stem}.{ending}.index.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


def _write_safetensors(folder: Path, tiny: Tiny, is_sharded: bool) -> None:
    def save(tensors: dict[str, Tensor], path: Path) -> None:
        save_file(tensors, path, metadata={"format": "pt"})

    if is_sharded:
        _write_shards(folder, tiny, "model", "safetensors", save)
    else:
        save(tiny.tensors, folder / "model.safetensors")


def _write_torch(folder: Path, tiny: Tiny, is_sharded: bool) -> None:
    def save(tensors: dict[str, Tensor], path: Path) -> None:
        if tiny.legacy_pickle:
            for tensor in tensors.values():
                tensor.is_sharded = False  # type: ignore[attr-defined]
        torch.save(OrderedDict(tensors), path)

    if is_sharded:
        _write_shards(folder, tiny, "pytorch_model", "bin", save)
    else:
        save(tiny.tensors, folder / "pytorch_model.bin")


def main(folders: list[str]) -> None:
    for row in [golden(folder) for folder in folders] or GOLDEN:
        write(row)
        size = sum(path.stat().st_size for path in row.path.iterdir())
        print(f"{row.folder}: {size / 1024:.0f} KiB, silent {row.load()['silent'].mean():.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
