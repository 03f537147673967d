"""Rows of neurons in main memory, of which a layer's first may be given back while a card has them.

Owns which rows hold weights and which do not, and brings rows back: from the bytes the caller has (the card's copy),
or from the packed file. Only whole pages are given back, and only in memory that is our own (`weight_memory.py`):
elsewhere all rows stay, and `can_release` says so. Who computes which neurons is not known here: rows are released when
nothing reads them any more, and brought back before anything does.
"""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from engine.errors import InternalError
from engine.kernels.formats import Bytes
from engine.model.config import ModelConfig
from engine.model.packed_model import PackedRows
from engine.model.weight_memory import CAN_GIVE_BACK, give_back, is_mapped_file, resident_bytes
from engine.runtime.neuron_order import NeuronOrder

# A neuron's rows, one in each; the few bytes of its biases stay.
_MATRICES = ("gate", "up", "down")


class HostRows:
    """The neurons' rows of one loaded model. Rows [0, k) of a layer, with k of `released`, hold nothing."""

    def __init__(
        self, config: ModelConfig, tensors: Mapping[str, NDArray[Any]], order: NeuronOrder, file: PackedRows
    ) -> None:  # fmt: skip
        """`tensors` lie in `order`; `file` is the packed file they were read from, and is closed by the caller."""
        self._n_neurons, self._order, self._file = config.n_neurons, order, file
        self._layers = [
            {name: tensors[f"layers.{layer}.{name}"] for name in _MATRICES if f"layers.{layer}.{name}" in tensors}
            for layer in range(config.n_layers)
        ]
        self._released = [0] * config.n_layers
        self._is_mapped = is_mapped_file(self._layers[0]["up"])

    @property
    def can_release(self) -> bool:
        """Whether this system takes single pages back; otherwise `release` does nothing."""
        return CAN_GIVE_BACK

    @property
    def released(self) -> tuple[int, ...]:
        """For each layer how many of its first rows hold nothing."""
        return tuple(self._released)

    def release(self, layer: int, n: int) -> int:
        """Give back the memory of a layer's rows [0, n), which nothing reads any more; returns bytes given back now.

        Rows of a mapped file are dropped from memory, and come by themselves when they are read.
        """
        if not 0 <= n <= self._n_neurons:
            raise InternalError("Release", f"{n} of {self._n_neurons} neurons")
        before = self.resident_bytes(layer)
        if n <= self._released[layer] or not sum(give_back(rows[:n]) for rows in self._layers[layer].values()):
            return 0
        if not self._is_mapped:
            self._released[layer] = n
        return before - self.resident_bytes(layer)

    def refill(self, layer: int, begin: int, rows: Mapping[str, Bytes] | None = None) -> None:
        """Rows [begin, k), with k of `released`, hold their weights again; `released` is then `begin`.

        rows  for each of gate (where there is one), up and down the (k - begin, stride) bytes of these rows; without
              them they are read from the packed file

        A large part can be brought back in slices, the last rows first. Raises FileMissing or DamagedFile.
        """
        end = self._released[layer]
        if begin >= end:
            return
        for name, matrix in self._layers[layer].items():
            wanted = matrix[begin:end]
            if rows is None:
                self._file.read(f"layers.{layer}.{name}", self._order.numbers[layer, begin:end], wanted)
            elif rows[name].shape != wanted.shape:
                raise InternalError("Refill", f"{name} {rows[name].shape} for {wanted.shape}")
            else:
                wanted[:] = rows[name]
        self._released[layer] = begin

    def resident_bytes(self, layer: int) -> int:
        """Bytes of a layer's rows that are in memory now, in whole pages, as the system says."""
        return sum(resident_bytes(rows) for rows in self._layers[layer].values())
