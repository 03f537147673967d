"""A card of numpy: the operations by their specification, on a stream that runs as late as it may, or at once.

What runs late sees host memory as it is at the next wait: a buffer that is written again too early, or read without a
wait, gives other numbers. Laws that hold for both orders hold for any card. Fast enough for many examples, where the
emulated kernels take milliseconds each.
"""

import contextlib
import time

import numpy as np

from engine.errors import DeviceLost, InternalError, OutOfMemory
from engine.kernels import reference
from engine.kernels.cuda.ops import PROMPT_LARGEST, PROMPT_UNIT_VALUES, rounds, workspace_bytes
from engine.kernels.formats import F32, INT8


class StandInEvent:
    def __init__(self, device):
        self._device, self.at = device, None

    def wait(self):
        self._device.enter()
        self._device.run(until=self)

    def seconds_since(self, earlier):
        return self.at - earlier.at


class StandInGraph:
    def __init__(self, device, works):
        self._device, self._works = device, works

    def launch(self):
        self._device.enter()
        self._device.n_graph_launches += 1
        for work in self._works:
            self._device.put(work)


class StandInDevice:
    """`is_late`: nothing runs before somebody waits."""

    uuid, name, is_emulated = "stand-in", "Stand-in card", True

    def __init__(self, *, is_late=True, total_bytes=1 << 30, others_bytes=0):
        self.is_late, self.total_bytes, self.others_bytes = is_late, total_bytes, others_bytes
        self.n_calls = self.n_allocations = 0
        self.n_graph_launches = 0
        self.uploaded_bytes = 0
        self._lose_at = self._fail_at = None
        self._held, self._works, self._capturing, self._captured = {}, [], None, None

    # Faults
    def lose_after(self, n):
        self._lose_at = self.n_calls + n

    def fail_allocation_after(self, n):
        self._fail_at = self.n_allocations + n

    def enter(self):
        self.n_calls += 1
        if self._lose_at is not None and self.n_calls > self._lose_at:
            raise DeviceLost(self.name, "taken away")

    # The stream
    def put(self, work):
        if self._capturing is not None:
            self._capturing.append(work)
            return
        self._works.append(work)
        if not self.is_late:
            self.run()

    def run(self, until=None):
        if self._capturing is not None:
            raise InternalError("StandIn", "waits while launches are captured")
        while self._works and (until is None or until.at is None):
            self._works.pop(0)()

    def record(self, *, timed=False):
        self.enter()
        event = StandInEvent(self)

        def reach():
            event.at = time.perf_counter()

        if self._capturing is not None:
            raise InternalError("StandIn", "an event while launches are captured")
        self.put(reach)
        return event

    def synchronise(self):
        self.enter()
        self.run()

    @contextlib.contextmanager
    def capture(self):
        self.enter()
        self._capturing = []
        try:
            yield
            self._captured = self._capturing
        finally:
            self._capturing = None

    def captured(self):
        return StandInGraph(self, self._captured)

    # Memory
    @property
    def allocated(self):
        sums = {}
        for array, purpose in self._held.values():
            sums[purpose] = sums.get(purpose, 0) + array.nbytes
        return sums

    def memory(self):
        self.enter()
        ours = sum(array.nbytes for array, _ in self._held.values())
        return max(0, self.total_bytes - self.others_bytes - ours), self.total_bytes

    def empty(self, shape, dtype, purpose):
        self.enter()
        self.n_allocations += 1
        array = np.empty(shape, dtype)
        ours = sum(held.nbytes for held, _ in self._held.values())
        free = self.total_bytes - self.others_bytes - ours
        is_failing = self._fail_at is not None and self.n_allocations > self._fail_at
        if is_failing:
            self._fail_at = None
        if is_failing or array.nbytes > free:
            raise OutOfMemory(purpose, array.nbytes, max(0, free))
        array.view(np.uint8).reshape(-1)[:] = 0xFF
        self._held[array.ctypes.data] = array, purpose
        return array

    def free(self, array):
        self.enter()
        self.run()
        held, _ = self._held.pop(array.ctypes.data)
        held.view(np.uint8).reshape(-1)[:] = 0xFF

    def pinned(self, shape, dtype):
        array = np.empty(shape, dtype)
        array.view(np.uint8).reshape(-1)[:] = 0xFF
        return array

    def upload(self, source, target):
        self.enter()
        self.uploaded_bytes += source.nbytes
        self._put_copy(source, target)

    def download(self, source, target, *, wait=False):
        self.enter()
        self._put_copy(source, target)
        if wait:
            self.run()

    def _put_copy(self, source, target):
        if source.nbytes != target.nbytes or not (source.flags.c_contiguous and target.flags.c_contiguous):
            raise InternalError("StandIn", f"copy of {source.shape} to {target.shape}")

        def copy():
            target.view(np.uint8).reshape(-1)[:] = source.view(np.uint8).reshape(-1)

        self.put(copy)

    def fill(self, target, value):
        self.enter()
        self.put(lambda: target.view(np.uint8).reshape(-1).__setitem__(slice(None), value))

    def close(self):
        pass


def multiplied(rows, n, fmt, *, of_prompt):
    """Rows of n values as they are multiplied: those of a prompt as float rows of what its integers stand for."""
    if not of_prompt or fmt is not INT8:
        return rows, n, fmt
    weights, unit = reference.int16_rows(rows, n, fmt)
    return F32.pack(weights[:, :n].astype(np.float32) * unit[:, None]), n, F32


class StandInOps:
    """`CardOps` by `reference.py`."""

    def __init__(self, device):
        self._device, self._workspace = device, None

    def reserve(self, width, heads, head_width):
        self.close()
        n = workspace_bytes(width, heads, head_width)
        self._workspace = self._device.empty((n // 4,), np.float32, "workspace")

    def close(self):
        if self._workspace is not None:
            workspace, self._workspace = self._workspace, None
            self._device.free(workspace)

    def _put(self, work):
        self._device.enter()
        self._device.put(work)

    def copy(self, source, target):
        self._put(lambda: np.copyto(target, source))

    def norm(self, x, weight, bias, eps, out, width):
        def work():
            values = x[:, :width]
            if weight is not None and bias is None:
                values = reference.rms_norm(values, weight[:width], eps)
            elif weight is not None:
                values = reference.layer_norm(values, weight[:width], bias[:width], eps)
            out[: len(x), :width] = values

        self._put(work)

    def add(self, target, *parts, width=None):
        def work():
            d = min(a.shape[-1] for a in (target, *parts)) if width is None else width
            for part in parts:
                target[:, :d] += part[..., :d]

        self._put(work)

    def round_activations(self, x, fmt, n, out, *, run=0):
        def work():
            out[: len(x), :n] = reference.round_activations(x[:, :n], fmt, run)

        self._put(work)

    def round_prompt(self, x, n, out):
        def work():
            out[: len(x), :n] = reference.round_prompt(x[:, :n], PROMPT_UNIT_VALUES, PROMPT_LARGEST)

        self._put(work)

    def round_prompt_acts(self, acts, lists, counts, rows, fmt, d):
        def work():
            for values, listed, k in zip(acts, lists, counts, strict=True):
                values[:k] = reference.round_prompt_acts(
                    values[:k], listed[:k], rows, d, fmt, PROMPT_UNIT_VALUES, PROMPT_LARGEST
                )

        self._put(work)

    def matvec(self, rows, fmt, n, x, out, bias=None, *, is_rectified=False, of_prompt=False):
        def work():
            for of_token, values in zip(out, x, strict=True):
                product = reference.matvec(*multiplied(rows, n, fmt, of_prompt=of_prompt), values[:n])
                product = product if bias is None else product + bias[: len(rows)]
                of_token[: len(rows)] = np.maximum(product, 0) if is_rectified else product

        self._put(work)

    def matvec_listed(self, rows, fmt, n, x, lists, counts, out, bias=None, *, of_prompt=False):
        def work():
            for of_token, values, listed, k in zip(out, x, lists, counts, strict=True):
                product = reference.matvec(*multiplied(rows[listed[:k]], n, fmt, of_prompt=of_prompt), values[:n])
                of_token[:k] = product if bias is None else product + bias[listed[:k]]

        self._put(work)

    def alive(self, acts, count_all, least, activation, lists, counts):
        def work():
            for t, (values, listed) in enumerate(zip(acts, lists, strict=True)):
                k = int(counts[t]) if count_all is None else count_all
                numbers = listed[:k].copy() if count_all is None else np.arange(k, dtype=np.int32)
                kept = ~((values[:k] <= 0) | (values[:k] < np.float32(least)))
                kept = np.ones(k, np.bool_) if activation == "silu" else kept
                counts[t] = kept.sum()
                values[: counts[t]], listed[: counts[t]] = values[:k][kept], numbers[kept]

        self._put(work)

    def candidates(self, scores, lists, counts, n=None):
        def work():
            for t, values in enumerate(scores):
                named = np.flatnonzero(~(values[:n] <= 0))
                counts[t], lists[t, : len(named)] = len(named), named

        self._put(work)

    def finish_acts(self, acts, ups, counts, activation, active):
        def work():
            for t, values in enumerate(acts):
                k = int(counts[t])
                done = reference.activate(values[:k], activation if activation != "fatrelu" else "relu")
                if ups is not None:
                    done = done * ups[t, :k]
                    done = np.where(ups[t, :k] <= 0, np.float32(0), done) if activation == "drelu" else done
                values[:k], active[t] = done, np.count_nonzero(done)

        self._put(work)

    def fired(self, lists, acts, counts, flags):
        def work():
            flags[:] = 0
            for t, (listed, values) in enumerate(zip(lists, acts, strict=True)):
                k = int(counts[t])
                flags[t, listed[:k][values[:k] != 0]] = 1

        self._put(work)

    def accumulate_down(self, acts, lists, counts, rows, fmt, d, out, *, of_prompt=False):
        def work():
            for t, (values, listed) in enumerate(zip(acts, lists, strict=True)):
                k, total = int(counts[t]), np.zeros(d, np.float32)
                down, _, down_format = multiplied(rows[listed[:k]], d, fmt, of_prompt=of_prompt)
                reference.accumulate_down(values[:k], np.arange(k), down, d, down_format, total)
                out[t, :d] = total

        self._put(work)

    def rotate_and_append(self, qkv, table, positions, layout, cache):
        e, heads, key_heads = layout.head_width, layout.heads, layout.key_heads
        padded = cache.keys.shape[2]

        def work():
            n_rotated = heads + key_heads
            rows = qkv[:, : layout.qkv_width].reshape(len(qkv), n_rotated + key_heads, e)
            if table is not None:
                rows[:, :n_rotated] = reference.rope(rows[:, :n_rotated], table[: len(qkv)])
            qkv[:, : layout.qkv_width] = rows.reshape(len(qkv), -1)
            for t, of_token in enumerate(rows):
                for source, kept, scales in (
                    (of_token[heads:n_rotated], cache.keys, cache.key_scales),
                    (of_token[n_rotated:], cache.values, cache.value_scales),
                ):
                    wide = np.zeros((key_heads, padded), np.float32)
                    wide[:, :e] = source
                    if scales is None:
                        kept[:, positions[t]] = wide
                    else:
                        kept[:, positions[t]], scales[:, positions[t]] = reference.quantise_cache(wide)

        self._put(work)

    def attention(self, qkv, layout, cache, positions, window, scale, out):
        e, heads = layout.head_width, layout.heads

        def rows_of(kept, scales, seen):
            rows = kept[:, seen].astype(np.float32)
            return (rows if scales is None else rows * np.repeat(scales[:, seen], 32, axis=-1))[..., :e]

        def work():
            for t, query in enumerate(qkv[:, : heads * e].reshape(len(qkv), heads, e)):
                end = int(positions[t]) + 1
                seen = slice(max(0, end - window) if window else 0, end)
                keys, values = (
                    rows_of(*pair, seen)
                    for pair in ((cache.keys, cache.key_scales), (cache.values, cache.value_scales))
                )
                out[t, : heads * e] = reference.attention(query, keys, values).reshape(-1)

        self._put(work)

    def low_rank_scores(self, x, inner, outer, bias, fmt, n, projected, scores, *, is_rectified):
        self.matvec(inner, fmt, n, x, projected, is_rectified=is_rectified)
        if rounds(fmt):
            self.round_activations(projected, fmt, len(inner), projected)
        self.matvec(outer, fmt, len(inner), projected, scores, bias)

    def sign_scores(self, x, width, signs, bias, scores):
        def work():
            for of_token, values in zip(scores, x, strict=True):
                of_token[: len(signs)] = reference.sign_scores(values[:width], signs, bias)

        self._put(work)
