"""Arrays on a card for tests of its kernels, and runs that must give the same bits whatever the order of threads.

Memory of a card under test is poisoned: whatever a kernel reads without having been given it turns up as no number, and
what it writes beyond its part is seen.
"""

import numpy as np
from hypothesis import HealthCheck, settings

from engine.kernels.cuda.ops import CardCache, CardOps
from engine.kernels.formats import F16, F32, INT4, INT8

FORMATS = {fmt.name: fmt for fmt in (INT8, INT4, F16, F32)}
POISON = 0xFF


def few(n):
    """Settings of n examples; each run gives the device back as it was."""
    return settings(max_examples=n, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class CardRuns:
    """Puts arrays on the device, and gives all of them back at the end of each run."""

    def __init__(self, device) -> None:
        self.device = device
        self.ops = CardOps(device)
        self._arrays = []

    def empty(self, shape, dtype=np.float32):
        array = self.device.empty(shape, dtype, "workspace")
        self.device.fill(array, POISON)
        self._arrays.append(array)
        return array

    def put(self, values):
        values = np.ascontiguousarray(values)
        array = self.empty(values.shape, values.dtype)
        self.device.upload(values, array)
        self.device.synchronise()
        return array

    def wide(self, values, ld):
        """values (t, n) in the first columns of (t, ld), poison behind them."""
        rows = np.frombuffer(bytes([POISON]) * (4 * len(values) * ld), np.float32).reshape(len(values), ld).copy()
        rows[:, : values.shape[1]] = values
        return self.put(rows)

    def copied(self, array):
        """Another array of the card with what is in this one now."""
        return self.put(self.get(array))

    def get(self, array):
        out = np.empty(array.shape, array.dtype)
        self.device.download(array, out, wait=True)
        return out

    def both(self, run):
        """What `run()` gives, a tuple of card arrays, as numpy's; twice, with the threads in the other order.

        The second time memory ends where its allocation does, so that reading beyond one is a fault.
        """
        first = self.once(run)
        if self.device.is_emulated:
            self.device.reverses = self.device.guards = True
        try:
            second = self.once(run)
        finally:
            if self.device.is_emulated:
                self.device.reverses = self.device.guards = False
        for one, other in zip(first, second, strict=True):
            assert one.tobytes() == other.tobytes()
        return first

    def once(self, run):
        try:
            return tuple(self.get(array) for array in run())
        finally:
            self.ops.close()
            for array in self._arrays:
                self.device.free(array)
            self._arrays.clear()

    def cache(self, key_heads, context, head_width, kind, keys=None, values=None):
        """A layer's cache, with the rows of keys and values (arrays, scales) in it where given."""
        padded = -(-head_width // (32 if kind == "int8" else 8)) * (32 if kind == "int8" else 8)
        dtype = {"int8": np.int8, "f16": np.float16, "f32": np.float32}[kind]
        shape, groups = (key_heads, context, padded), (key_heads, context, padded // 32)
        arrays = [self.empty(shape, dtype) if rows is None else self.put(rows[0]) for rows in (keys, values)]
        scales = [None, None]
        if kind == "int8":
            scales = [self.empty(groups) if rows is None else self.put(rows[1]) for rows in (keys, values)]
        return CardCache(*arrays, *scales)


def is_poison(array) -> bool:
    return bool((np.ascontiguousarray(array).view(np.uint8) == POISON).all())


def random_rows(rng, n_rows, width, fmt):
    """Packed rows and what they stand for."""
    packed = fmt.pack(rng.standard_normal((n_rows, width)).astype(np.float32))
    return packed, fmt.unpack(packed, width)


def assert_sums(got, want, magnitude) -> None:
    """`got` are sums in float32 of terms whose absolute values sum to `magnitude`, `want` the same in float64."""
    assert np.isfinite(got).all()
    assert np.all(np.abs(got - want) <= 3e-6 * magnitude + 1e-30), np.abs(got - want).max()
