"""The probe reads every byte it says it reads."""

import numpy as np
import psutil
import pytest

from engine.bench.bandwidth import STREAMS, limit, read_rates
from engine.benchmark_report import ReadRate, Spread
from engine.errors import Cancelled, OutOfMemory
from engine.kernels.cpu.bandwidth import LINE_BYTES, sum_four_streams, sum_one_stream
from engine.kernels.cpu.ops import aligned_zeros

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

    rates = read_rates(MIB, (1, 3), 2, lambda done, total: steps.append((done, total)))

    assert [(r.n_threads, r.n_streams) for r in rates] == [(n, s) for n in (1, 3) for s in STREAMS]
    assert all(0 < r.bytes_per_s.smallest <= r.bytes_per_s.median <= r.bytes_per_s.largest for r in rates)
    assert steps[-1] == (4, 4)


def test_the_limit_is_the_fastest_that_was_read_with_these_threads():
    rates = (ReadRate(1, 1, Spread(3, 2, 4, 5)), ReadRate(2, 1, Spread(5, 4, 7, 5)), ReadRate(2, 4, Spread(6, 5, 6, 5)))

    assert (limit(rates, 1), limit(rates, 2), limit(rates, 3)) == (4, 7, 0)


def test_a_probe_that_is_stopped_leaves_no_thread():
    def stop(done: int, total: int) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_rates(MIB, (2,), 1, stop)


def test_more_memory_than_there_is_is_refused():
    with pytest.raises(OutOfMemory):
        read_rates(psutil.virtual_memory().total * 2, (1,), 1, lambda done, total: None)
