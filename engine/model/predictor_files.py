"""Published predictors and neuron counts: folders of one torch file a layer.

Owns the joining of files to layers by number (`model_10.pt` is layer 10 and comes after 9), and the checks that no
layer is missing or there twice. Files are read through `torch_files.py`, so nothing in them is executed.

A predictor is fc2 · relu(fc1 · h), without bias, where h is the residual stream before the feed-forward's norm (Falcon:
the layer's input); a neuron is predicted active where its logit reaches the threshold. Source: SJTU-IPADS/PowerInfer,
convert-hf-to-powerinfer-gguf.py.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedFile, FileMissing, ForeignFile, UnsupportedModel
from engine.kernels.formats import Float32
from engine.model.tensor_files import strict_json
from engine.model.torch_files import TorchFile

_MAX_LAYERS = 1024
_MAX_CONFIG_BYTES = 1 << 20
_MAX_LOGIT = 1e6
# Names of the two matrices that mean a ReLU in between: PowerInfer's module, and a Sequential of linear, ReLU, linear.
# 0 and 1 would be DejaVu's, which has none.
_PAIRS = (("fc1.weight", "fc2.weight"), ("0.weight", "2.weight"))


@dataclass(frozen=True, slots=True)
class PredictorShape:
    """What one layer's predictor maps: width d of the stream → rank r → n neurons."""

    width: int
    rank: int
    n_neurons: int


class PredictorFolder:
    """A folder of `model_{layer}.pt`.

    shapes            by layer; the rank may differ between layers
    sparse_threshold  of the logits, from config.json, else 0
    """

    def __init__(self, folder: Path) -> None:
        """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel; looks into every file."""
        self._paths = _layer_files(folder, "model")
        self.sparse_threshold = _threshold(folder)
        shapes: list[PredictorShape] = []
        for path in self._paths:
            with TorchFile(path) as file:
                first, second = _pair(path, file)
                (rank, width), (n_neurons, _) = file.entries[first].shape, file.entries[second].shape
            shapes.append(PredictorShape(width, rank, n_neurons))
            if (width, n_neurons) != (shapes[0].width, shapes[0].n_neurons):
                raise DamagedFile(str(path), f"maps {width} to {n_neurons}, the first layer's {shapes[0]}")
        self.shapes = tuple(shapes)

    @property
    def n_layers(self) -> int:
        return len(self.shapes)

    def read(self, layer: int) -> tuple[Float32, Float32]:
        """fc1 (r, d) and fc2 (n, r) of one layer; raises DamagedFile where a value is not finite."""
        path = self._paths[layer]
        with TorchFile(path) as file:
            first, second = _pair(path, file)
            return file.read(first), file.read(second)


def read_importance(folder: Path) -> tuple[NDArray[np.int64], ...]:
    """A count (n,) a neuron from `activation_{layer}.pt`, by layer: larger is more important.

    These are not firing rates. The published files count how often a neuron was among the 10 % (for 70B: 8 %) largest
    of its layer, so the mean is nearly the same in every layer: they order neurons and say nothing about sparsity.
    Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel.
    """
    counts: list[NDArray[np.int64]] = []
    for path in _layer_files(folder, "activation"):
        with TorchFile(path) as file:
            values = _counts(path, file)
        if counts and len(values) != len(counts[0]):
            raise DamagedFile(str(path), f"{len(values)} neurons, the first layer has {len(counts[0])}")
        counts.append(values)
    return tuple(counts)


def _layer_files(folder: Path, stem: str) -> list[Path]:
    """`{stem}_{layer}.pt` for layers 0 to the last, in that order."""
    pattern = re.compile(rf"{stem}_(\d+)\.pt", re.ASCII)
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError as error:
        raise FileMissing(str(folder), error.strerror or str(error)) from error
    found: dict[int, Path] = {}
    for name in names:
        if not (match := pattern.fullmatch(name)):
            continue
        if len(match[1]) > 9 or int(match[1]) >= _MAX_LAYERS:
            raise DamagedFile(str(folder / name), f"a layer beyond {_MAX_LAYERS}")
        layer = int(match[1])
        if layer in found:
            raise DamagedFile(str(folder / name), f"layer {layer} is also in {found[layer].name}")
        found[layer] = folder / name
    if not found:
        listing = ", ".join(names[:8]) if names else "an empty folder"
        raise ForeignFile(str(folder), f"{stem}_0.pt, {stem}_1.pt, …", listing)
    for layer in range(max(found) + 1):
        if layer not in found:
            raise FileMissing(str(folder / f"{stem}_{layer}.pt"), f"layers up to {max(found)} are there")
    return [found[layer] for layer in sorted(found)]


def _pair(path: Path, file: TorchFile) -> tuple[str, str]:
    """The names of the two matrices, whose shapes chain."""
    for first, second in _PAIRS:
        if file.entries.keys() == {first, second}:
            one, two = file.entries[first].shape, file.entries[second].shape
            if len(one) != 2 or len(two) != 2 or two[1] != one[0] or 0 in (*one, *two):
                raise DamagedFile(str(path), f"{first} {one} and {second} {two} do not follow each other")
            return first, second
    found = ", ".join(sorted(file.entries)[:8]) or "no tensor"
    raise UnsupportedModel(str(path), "predictor", found, " or ".join(" and ".join(pair) for pair in _PAIRS))


def _counts(path: Path, file: TorchFile) -> NDArray[np.int64]:
    if file.entries.keys() != {""}:
        raise UnsupportedModel(str(path), "neuron counts", f"{len(file.entries)} named tensors", "one tensor of counts")
    entry = file.entries[""]
    if len(entry.shape) != 1 or 0 in entry.shape:
        raise DamagedFile(str(path), f"counts of shape {entry.shape}")
    if entry.dtype in ("F32", "F64", "F16", "BF16"):
        floats = file.read("")
        if (floats != np.floor(floats)).any() or floats.max() >= 2.0**62:
            raise DamagedFile(str(path), "counts that are not whole numbers")
        values = floats.astype(np.int64)
    else:
        values = file.read_integers("")
    if values.min() < 0:
        raise DamagedFile(str(path), "counts below zero")
    return values


def _threshold(folder: Path) -> float:
    path = folder / "config.json"
    if not path.exists():
        return 0.0
    try:
        if path.stat().st_size > _MAX_CONFIG_BYTES:
            raise DamagedFile(str(path), f"a configuration of more than {_MAX_CONFIG_BYTES} bytes")
        value = strict_json(path.read_bytes(), path).get("sparse_threshold", 0.0)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -_MAX_LOGIT < value < _MAX_LOGIT:
        raise DamagedFile(str(path), f"sparse_threshold = {value!r}")
    return float(value)
