"""The probe reads every byte it says it reads."""

import types

import numpy as np
import psutil
import pytest

from engine.bench import bandwidth
from engine.bench.bandwidth import STREAMS, read_passes, read_rates, read_weights
from engine.benchmark_report import ReadRate, Spread
from engine.errors import Cancelled, OutOfMemory
from engine.kernels.cpu.bandwidth import LINE_BYTES, sum_four_streams, sum_one_stream
from engine.kernels.cpu.ops import aligned_zeros
from engine.runtime.workers import WorkerPool

MIB = 1 << 20


@pytest.mark.parametrize("lines", [1, 2, 7])
def test_both_ways_of_reading_sum_all_values(lines: int):
    n = 4 * lines * LINE_BYTES // 4
    values = aligned_zeros(n, np.float32)
    values[:] = np.arange(n)

    one = sum_one_stream(values.ctypes.data, 4 * n)
    four = sum_four_streams(values.ctypes.data, n, n)

    assert one == four == n * (n - 1) / 2


def test_every_thread_count_is_measured_in_both_ways():
    steps = []

    passes = read_passes(MIB, (1, 3), 2, lambda done, total: steps.append((done, total)))

    assert sorted(passes) == [(n, s) for n in (1, 3) for s in STREAMS]
    assert all(len(rates) == 2 and min(rates) > 0 for rates in passes.values())
    assert steps[-1] == (4, 4)


def test_passes_before_and_after_count_alike():
    before, after = {(2, 1): [1.0, 5.0]}, {(2, 1): [3.0]}

    assert read_rates(before, after) == (ReadRate(2, 1, Spread(3.0, 1.0, 5.0, 3)),)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_the_weights_themselves_are_read(n_threads: int):
    matrices = [np.ones((700, 4096), np.uint8), np.ones((300, 640), np.uint8)]
    pool = WorkerPool(n_threads)
    try:
        read_weights(matrices, pool)  # compiles
        assert 1e8 < read_weights(matrices, pool) < 1e13
    finally:
        pool.close()


def test_a_probe_that_is_stopped_leaves_no_thread():
    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_passes(MIB, (2,), 1, stop)


def test_no_more_is_taken_than_half_of_what_is_free(monkeypatch: pytest.MonkeyPatch):
    taken = []
    monkeypatch.setattr(psutil, "virtual_memory", lambda: types.SimpleNamespace(available=4 * MIB))
    monkeypatch.setattr(bandwidth, "aligned_empty", lambda n: taken.append(n) or aligned_zeros(n, np.uint8))

    read_passes(64 * MIB, (1,), 1, lambda done, total: None)

    assert taken == [2 * MIB]


def test_next_to_no_memory_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: types.SimpleNamespace(available=MIB))

    with pytest.raises(OutOfMemory):
        read_passes(64 * MIB, (1,), 1, lambda done, total: None)
