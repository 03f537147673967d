"""A card as the engine uses it: memory by purpose, one ordered stream of work, kernels, and what may go wrong.

`cupy_device.py` is a real card and `emulated_device.py` the processor in its place, for tests and demonstrations;
above this interface nothing knows which. Arrays are CuPy's or numpy's, whose indexing, views and shapes are the same:
they are sliced and passed on, never read or written outside these calls. All work is put on one stream and done in that
order; the caller goes on at once and waits only in `Event.wait`, `download` with `wait=True`, and `synchronise`.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

# An array in the card's memory.
CardArray = Any


class Event(Protocol):
    """A place in the stream."""

    def wait(self) -> None:
        """Until everything put on the stream before it is done. Raises what a kernel before it raised."""

    def seconds_since(self, earlier: "Event") -> float:
        """Of the card's time, between two events that were recorded with `timed=True` and are done."""


class Kernel(Protocol):
    def __call__(self, grid: Sequence[int], block: Sequence[int], args: Sequence[Any], shared_bytes: int = 0) -> None:
        """Put a launch on the stream.

        `args` are card arrays and numpy scalars, in the order of the source's parameters. Raises InternalError where a
        type, a count or contiguity is not what the source declares: CUDA itself would compute nonsense.
        """


class Graph(Protocol):
    def launch(self) -> None: ...


class Device(Protocol):
    """One card. Used by one thread.

    Any call may raise OutOfMemory (with what was wanted and what is free) or DeviceLost.
    """

    @property
    def uuid(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def is_emulated(self) -> bool: ...

    @property
    def allocated(self) -> Mapping[str, int]:
        """Bytes by purpose (`placement.budget.PURPOSES`), as really allocated now."""

    def memory(self) -> tuple[int, int]:
        """(free, total) bytes of the card, other programs' use included."""

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike, purpose: str) -> CardArray:
        """Memory with undefined content, 256-byte aligned. Raises OutOfMemory."""

    def free(self, array: CardArray) -> None:
        """Give back what `empty` gave, once the stream no longer uses it."""

    def pinned(self, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """Host memory that copies run from and to without a detour; an ordinary array otherwise."""

    def upload(self, source: NDArray[Any], target: CardArray) -> None:
        """Copy on the stream, as many bytes; `source` must stay as it is until then (`record`)."""

    def download(self, source: CardArray, target: NDArray[Any], *, wait: bool = False) -> None: ...

    def fill(self, target: CardArray, value: int) -> None:
        """Every byte, on the stream."""

    def kernel(self, source: str, name: str) -> Kernel:
        """A kernel of `engine/kernels/cuda/<source>.cu`, compiled once. Raises InternalError."""

    def record(self, *, timed: bool = False) -> Event: ...

    def synchronise(self) -> None: ...

    def capture(self) -> AbstractContextManager[None]:
        """What is launched inside is not run but kept for `captured`; allocates and waits for nothing."""

    def captured(self) -> Graph:
        """What the last `capture` kept, to be launched again and again with the same arrays."""

    def close(self) -> None: ...


def as_argument(value: int | float) -> np.generic:
    """A Python number as the kernels take it: int32 or float32."""
    return np.float32(value) if isinstance(value, float) else np.int32(value)
