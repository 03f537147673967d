"""How fast this machine reads memory: the limit a decode step is held against.

The probe goes once through far more memory than the processor's caches hold, on the same threads as a decode step and
in both ways its kernels read. Four far-apart streams a thread keep more cache misses in flight than one does; on a
machine whose bus is the limit the two agree.
"""

import time
from collections.abc import Callable

import psutil

from engine.benchmark_report import ReadRate, Spread
from engine.errors import OutOfMemory
from engine.kernels.cpu.bandwidth import LINE_BYTES, sum_four_streams, sum_one_stream
from engine.kernels.cpu.cache import run_compiling
from engine.kernels.formats import Bytes
from engine.model.packed_model import aligned_empty
from engine.runtime.workers import WorkerPool

STREAMS = (1, 4)
_PAGE_BYTES = 4096


def read_rates(
    n_bytes: int, threads: tuple[int, ...], repeats: int, on_step: Callable[[int, int], None]
) -> tuple[ReadRate, ...]:
    """Measure each thread count with one and with four streams; on_step(done, total) may raise to stop.

    Raises OutOfMemory where n_bytes are not to be had.
    """
    available = psutil.virtual_memory().available
    if n_bytes > available:
        raise OutOfMemory("the read-rate probe", n_bytes, available)
    memory = aligned_empty(n_bytes)
    memory[:] = 0  # a page that was never written to is one and the same page of zeros
    run_compiling(lambda: _read_all(memory, 1, 1, 0))
    run_compiling(lambda: _read_all(memory, 1, 4, 0))
    rates = []
    for number, n_threads in enumerate(threads):
        pool = WorkerPool(n_threads)
        try:
            for turn, n_streams in enumerate(STREAMS):
                on_step(len(STREAMS) * number + turn, len(STREAMS) * len(threads))
                rates.append(ReadRate(n_threads, n_streams, _rate(memory, pool, n_streams, repeats)))
        finally:
            pool.close()
    on_step(len(rates), len(rates))
    return tuple(rates)


def limit(rates: tuple[ReadRate, ...], n_threads: int) -> float:
    """The fastest that was read with so many threads, bytes a second; 0 where that was not measured."""
    return max((rate.bytes_per_s.largest for rate in rates if rate.n_threads == n_threads), default=0.0)


def _rate(memory: Bytes, pool: WorkerPool, n_streams: int, repeats: int) -> Spread:
    measured = []
    for repeat in range(repeats + 1):
        started = time.perf_counter()
        pool.run(lambda thread: _read_all(memory, pool.n_threads, n_streams, thread))
        elapsed = time.perf_counter() - started
        if repeat:
            measured.append(_share_bytes(memory, pool.n_threads) * pool.n_threads / elapsed)
    return Spread.of(measured)


def _read_all(memory: Bytes, n_threads: int, n_streams: int, thread: int) -> float:
    """One thread's share; both ways read the same bytes."""
    share = _share_bytes(memory, n_threads)
    address = memory.ctypes.data + share * thread
    if n_streams == 1:
        return float(sum_one_stream(address, share))
    return float(sum_four_streams(address, share // 4, share // 4))


def _share_bytes(memory: Bytes, n_threads: int) -> int:
    """Four equal streams; an odd number of pages apart, or they would fall on the same sets of the cache."""
    pages = len(memory) // n_threads // 4 // _PAGE_BYTES
    stream = (pages - 1 + pages % 2) * _PAGE_BYTES
    return max(4 * stream, 4 * LINE_BYTES)
