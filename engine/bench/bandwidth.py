"""How fast this machine reads memory: the limit a decode step is held against.

The probe goes once through far more memory than the processor's caches hold, on the same threads as a decode step and
in both ways its kernels read. Four far-apart streams a thread keep more cache misses in flight than one does; on a
machine whose bus is the limit the two agree.
"""

import time
from collections.abc import Callable, Sequence

import numpy as np
import psutil

from engine.benchmark_report import ReadRate, Spread
from engine.errors import OutOfMemory
from engine.kernels.cpu.bandwidth import sum_matrices
from engine.kernels.cpu.cache import run_compiling
from engine.kernels.formats import Bytes
from engine.model.packed_model import aligned_empty
from engine.placement.probe import read_share, share_bytes
from engine.runtime.workers import WorkerPool

STREAMS = (1, 4)
_FEWEST_BYTES = 1 << 20


# (threads, streams a thread): bytes a second of each pass.
Passes = dict[tuple[int, int], list[float]]


def read_passes(n_bytes: int, threads: tuple[int, ...], repeats: int, on_step: Callable[[int, int], None]) -> Passes:
    """Go through n_bytes with each thread count, in one and in four streams; on_step(done, total) may raise to stop.

    Takes less where less than twice as much is free. Raises OutOfMemory where there is next to nothing.
    """
    available = psutil.virtual_memory().available
    n_bytes = min(n_bytes, available // 2)
    if n_bytes < _FEWEST_BYTES:
        raise OutOfMemory("the read-rate probe", _FEWEST_BYTES, available)
    memory = aligned_empty(n_bytes)
    memory[:] = 0  # a page that was never written to is one and the same page of zeros
    run_compiling(lambda: read_share(memory, 1, 1, 0))
    run_compiling(lambda: read_share(memory, 1, 4, 0))
    passes: Passes = {}
    total = len(STREAMS) * len(threads)
    for n_threads in threads:
        pool = WorkerPool(n_threads)
        try:
            for n_streams in STREAMS:
                on_step(len(passes), total)
                passes[n_threads, n_streams] = _rates(memory, pool, n_streams, repeats)
        finally:
            pool.close()
    on_step(total, total)
    return passes


def read_weights(matrices: Sequence[Bytes], pool: WorkerPool) -> float:
    """Bytes a second of one pass through these matrices in four streams a thread, all of the pool's threads at work.

    What a step could reach at best in the memory where its weights lie: on a virtual machine one region of memory may
    be half as fast as another.
    """

    addresses = np.asarray([matrix.ctypes.data for matrix in matrices], np.int64)
    lengths = np.asarray([matrix.nbytes for matrix in matrices], np.int64)
    started = time.perf_counter()
    pool.run(lambda thread: sum_matrices(addresses, lengths, thread, pool.n_threads))
    return float(lengths.sum()) / (time.perf_counter() - started)


def read_rates(*measured: Passes) -> tuple[ReadRate, ...]:
    """All passes of the same threads and streams together."""
    keys = sorted({key for passes in measured for key in passes})
    return tuple(ReadRate(*key, Spread.of([rate for passes in measured for rate in passes[key]])) for key in keys)


def _rates(memory: Bytes, pool: WorkerPool, n_streams: int, repeats: int) -> list[float]:
    measured = []
    for repeat in range(repeats + 1):
        started = time.perf_counter()
        pool.run(lambda thread: read_share(memory, pool.n_threads, n_streams, thread))
        elapsed = time.perf_counter() - started
        if repeat:
            measured.append(share_bytes(memory, pool.n_threads) * pool.n_threads / elapsed)
    return measured
