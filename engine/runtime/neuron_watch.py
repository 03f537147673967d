"""Which neurons fire, as a picture a few times a second: when a step is looked at, and what is made of it.

Owns the limit on what looking costs: a sample is due when the last one is old enough and all of them together have
taken less than their share of the time since watching began, so that a machine for which a sample is dear gets fewer.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.placement_reports import NeuronSample, StepLoad

SAMPLED_EVERY_S = 0.1
# Of the time, for making samples. Noting what fired costs the step itself about as much again.
MOST_SHARE = 0.01


class NeuronWatch:
    """`n_buckets` a layer at most; fewer where there are fewer neurons."""

    def __init__(
        self, n_layers: int, n_neurons: int, n_buckets: int, clock: Callable[[], float] = time.perf_counter
    ) -> None:  # fmt: skip
        self._n_layers, self._n_neurons = n_layers, n_neurons
        self._starts = np.arange(min(n_buckets, n_neurons)) * n_neurons // min(n_buckets, n_neurons)
        self._sizes = np.diff(self._starts, append=n_neurons)
        self._clock = clock
        self._began = self._last = clock()
        self._spent_s = 0.0
        self.sample: NeuronSample | None = None

    @property
    def is_due(self) -> bool:
        now = self._clock()
        return now - self._last >= SAMPLED_EVERY_S and self._spent_s <= MOST_SHARE * (now - self._began)

    def look(self, fired: NDArray[np.uint8], n_hot: Sequence[int], load: StepLoad) -> None:
        """Make the sample of one token. fired (layers, n), in the neurons' order; n_hot (layers,)."""
        began = self._clock()
        n_buckets = len(self._starts)
        counts = np.add.reduceat(fired, self._starts, axis=1, dtype=np.int64)
        shares = (counts * 255 // self._sizes).astype(np.uint8)
        hot = tuple(n * n_buckets / self._n_neurons for n in n_hot)
        self.sample = NeuronSample(self._n_layers, n_buckets, shares.tobytes(), hot, load)
        self._last = self._clock()
        self._spent_s += self._last - began
