"""What some layers of a model saw and did on text, on disk: the inputs a predictor may read, and what each neuron gave.

Owns the files of an unfinished collection and how far it is, so that a killed one goes on; knows nothing of predictors.
Inputs are float16. What a neuron gave, its *importance* |product| · ‖down row‖, takes one byte: 0 where the product is
zero, otherwise the exponent and three bits of the mantissa, which is within 6 % of it. All layers of a group are
collected in one run over the text, and a group is as large as fits `MOST_BYTES` and half of the free disk, so that the
text is run as few times as the disk allows.
"""

import errno
import hashlib
import itertools
import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedFile, LibraryNotWritable, OutOfDisk
from engine.kernels.formats import Bytes, Float32
from engine.model.array_file import write_whole
from engine.model.config import ModelConfig
from engine.model.packed_model import PackedModel
from engine.neurons.calibration import TextWindow
from engine.plain_json import from_json, to_json
from engine.runtime.prefill import LayerView
from engine.runtime.transformer import Transformer

# What one group of layers may take on disk; a single layer may take more.
MOST_BYTES = 16 << 30
STATE_VERSION = 1
_DISK_MARGIN = 256 << 20
_DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# Text that is run between two notes of how far a collection is.
_NOTED_TOKENS = 8192
_FLOAT16_LARGEST = 65504.0
# Of float32: bits below the three of the mantissa that are kept, and the exponent and mantissa that have the code 1.
_DROPPED_BITS = 20
_CODE_ZERO = ((127 - 20) << 3) - 1
_ROWS_TOGETHER = 1024


def importance_codes(importance: Float32) -> Bytes:
    """Importance, 0 or above, as bytes: 0 for exactly 0 only; 2^-20 to 2^12, beyond which it is taken for those."""
    bits = np.ascontiguousarray(importance, np.float32).view(np.int32) >> _DROPPED_BITS
    codes = np.clip(bits - _CODE_ZERO, 1, 255).astype(np.uint8)
    codes[importance == 0] = 0
    return np.asarray(codes, np.uint8)


def importance_of_codes() -> Float32:
    """(256,): the importance each code stands for, the middle of what is coded so."""
    bits = (np.arange(256, dtype=np.int32) + _CODE_ZERO << _DROPPED_BITS) + (1 << _DROPPED_BITS - 1)
    values = bits.view(np.float32).copy()
    values[0] = 0
    return values


@dataclass(frozen=True, slots=True, eq=False)
class LayerRecord:
    """One layer on T tokens, as mapped files: inputs (T, d) float16 by what a predictor reads, and codes (T, n)."""

    layer: int
    inputs: dict[str, NDArray[np.float16]]
    codes: Bytes

    def part(self, reads: str, tokens: slice) -> tuple[Float32, Float32]:
        """Inputs (t, d) and importance (t, n) of some tokens."""
        return self.inputs[reads][tokens].astype(np.float32), importance_of_codes().take(self.codes[tokens])


def token_bytes(config: ModelConfig, reads: Sequence[str]) -> int:
    """Disk that a token takes in one layer."""
    return 2 * config.width * len(reads) + config.n_neurons


def groups_of_layers(config: ModelConfig, reads: Sequence[str], n_tokens: int, folder: Path) -> list[range]:
    """All layers in groups that are collected together. Raises OutOfDisk where not even one layer fits."""
    one = token_bytes(config, reads) * n_tokens
    free = shutil.disk_usage(_existing(folder)).free
    if free < one + _DISK_MARGIN:
        raise OutOfDisk(str(folder), one + _DISK_MARGIN, free)
    most = max(1, min(MOST_BYTES, free // 2) // one)
    n_groups = -(-config.n_layers // most)
    bounds = [config.n_layers * i // n_groups for i in range(n_groups + 1)]
    return [range(first, last) for first, last in itertools.pairwise(bounds)]


def down_norms(packed: PackedModel, layer: int) -> Float32:
    """(n,): the length of each neuron's down row."""
    rows, fmt, d = packed.map()[f"layers.{layer}.down"], packed.parts.of("down"), packed.config.width
    starts = range(0, len(rows), _ROWS_TOGETHER)
    return np.concatenate(
        [np.linalg.norm(fmt.unpack(rows[s : s + _ROWS_TOGETHER], d), axis=1) for s in starts], dtype=np.float32
    )


def collect(
    transformer: Transformer, packed: PackedModel, windows: Sequence[TextWindow], layers: range, reads: Sequence[str],
    folder: Path, on_window: Callable[[int], None],
) -> list[LayerRecord]:  # fmt: skip
    """Run the windows, each on an empty cache, and keep what these layers saw, in the order of the windows.

    on_window(done) is told how many windows are done, those of an earlier call among them, and may raise Cancelled;
    the same call then goes on from the last note. Raises OutOfDisk, LibraryNotWritable.
    """
    state = _State(folder, packed, windows, layers, reads)
    tap = _Recorder(layers, reads, state, [down_norms(packed, layer) for layer in layers])
    on_window(state.n_done)
    unnoted = 0
    for number in range(state.n_done, len(windows)):
        transformer.observe(windows[number].tokens, tap)
        unnoted += len(windows[number].tokens)
        if unnoted >= _NOTED_TOKENS or number + 1 == len(windows):
            state.note(number + 1)
            unnoted = 0
        on_window(number + 1)
    return [state.record(layer) for layer in layers]


class _Recorder:
    """The tap that writes what it sees."""

    def __init__(self, layers: range, reads: Sequence[str], state: "_State", norms: Sequence[Float32]) -> None:
        self._layers, self._reads, self._state, self._norms = layers, reads, state, norms

    def attended(self, layer: int, heads: Float32) -> None:
        pass

    def neurons(self, layer: int, view: LayerView) -> None:
        if layer not in self._layers:
            return
        for name in self._reads:
            values: Float32 = getattr(view, name)
            halves = np.clip(values, -_FLOAT16_LARGEST, _FLOAT16_LARGEST).astype("<f2")
            self._state.append(layer, name, halves.tobytes())
        importance = np.abs(view.product) * self._norms[layer - self._layers.start]
        # A product too small for its importance to be told from zero is active all the same.
        importance[(importance == 0) & (view.product != 0)] = np.finfo(np.float32).tiny
        self._state.append(layer, "codes", importance_codes(importance).tobytes())


@dataclass(frozen=True, slots=True)
class _Note:
    schema: int
    key: str
    n_windows: int


class _State:
    """The files of a collection and how much of them is sound."""

    def __init__(
        self, folder: Path, packed: PackedModel, windows: Sequence[TextWindow], layers: range, reads: Sequence[str]
    ) -> None:
        self._folder, self._config = folder, packed.config
        self._sizes = [len(window.tokens) for window in windows]
        self._value_bytes = {**dict.fromkeys(reads, 2 * packed.config.width), "codes": packed.config.n_neurons}
        facts = [list(packed.checksums), [layers.start, layers.stop], list(reads), [w.tokens for w in windows]]
        self._key = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
        self._layers = layers
        self.n_done = self._noted()
        try:
            if not self.n_done:
                shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
            self._check_disk()
            for path, size in self._files(self.n_done):
                with path.open("ab") as file:
                    file.truncate(size)
        except OSError as error:
            raise LibraryNotWritable(str(folder), error.strerror or str(error)) from error

    def append(self, layer: int, name: str, content: bytes) -> None:
        """Raises OutOfDisk, LibraryNotWritable."""
        try:
            with self._path(layer, name).open("ab") as file:
                file.write(content)
        except OSError as error:
            if error.errno in _DISK_FULL:
                raise OutOfDisk(str(self._folder), self._missing(), shutil.disk_usage(self._folder).free) from error
            raise LibraryNotWritable(str(self._folder), error.strerror or str(error)) from error

    def note(self, n_windows: int) -> None:
        """From now on a later call goes on after so many windows."""
        try:
            for path, _ in self._files(n_windows):
                with path.open("ab") as file:
                    os.fsync(file.fileno())
        except OSError as error:
            raise LibraryNotWritable(str(self._folder), error.strerror or str(error)) from error
        self.n_done = n_windows
        write_whole(self._folder / "note.json", to_json(_Note(STATE_VERSION, self._key, n_windows)).encode())

    def record(self, layer: int) -> LayerRecord:
        n_tokens, d = sum(self._sizes), self._config.width
        names = [name for name in self._value_bytes if name != "codes"]
        return LayerRecord(
            layer,
            {name: np.memmap(self._path(layer, name), "<f2", "r", shape=(n_tokens, d)) for name in names},
            np.memmap(self._path(layer, "codes"), np.uint8, "r", shape=(n_tokens, self._config.n_neurons)),
        )

    def _noted(self) -> int:
        """Windows of this very collection that are on disk."""
        path = self._folder / "note.json"
        try:
            note = from_json(_Note, path.read_text(encoding="utf-8"), str(path), STATE_VERSION, "a note")
            is_whole = all(p.stat().st_size >= size for p, size in self._files(note.n_windows))
        except (OSError, DamagedFile, UnicodeDecodeError):  # nothing that could be gone on with
            return 0
        return note.n_windows if note.key == self._key and is_whole else 0

    def _files(self, n_windows: int) -> list[tuple[Path, int]]:
        """Every file with the bytes it has after so many windows."""
        n_tokens = sum(self._sizes[:n_windows])
        sizes = self._value_bytes.items()
        return [(self._path(layer, name), n_tokens * size) for layer in self._layers for name, size in sizes]

    def _missing(self) -> int:
        """Bytes still to be written."""
        return sum(self._sizes[self.n_done :]) * sum(self._value_bytes.values()) * len(self._layers)

    def _check_disk(self) -> None:
        needed, free = self._missing() + _DISK_MARGIN, shutil.disk_usage(self._folder).free
        if self._missing() and free < needed:
            raise OutOfDisk(str(self._folder), needed, free)

    def _path(self, layer: int, name: str) -> Path:
        return self._folder / f"{layer:03}.{name}"


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())
