"""How many threads and how much fetching ahead suit this machine's decode step: measured once, then kept in a file.

The measurement is the dense matrix-vector product, in which a step spends most of its time, over more memory than the
processor caches. It takes about two seconds. What is kept is only good for the same processor, the same share of it and
the same kernels; a file that is missing, damaged or of another machine costs no more than measuring again.

Reading a prompt is bound by arithmetic and takes all threads of the pool; the number found here is that of a decode
step, which waits for memory. Its work is cut into as many shares as the pool has threads, here as there.
"""

import itertools
import platform
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median

import numpy as np
import psutil

from engine.kernels.cpu.cache import cache_name, run_compiling
from engine.kernels.cpu.kinds import ROW_KINDS
from engine.kernels.cpu.rows import matvec
from engine.kernels.formats import INT4, INT8, Bytes, RowFormat
from engine.model.packed_model import aligned_empty
from engine.placement.cores import compute_threads, usable_processors
from engine.placement.hardware import cgroup_cores, largest_cache_bytes, probe_processor
from engine.runtime.decoder import FETCH_AHEAD
from engine.runtime.tuning_file import FETCHES, Rate, Tuning, store, stored
from engine.runtime.workers import WorkerPool

# A thread more must bring more than this share, or it is left to other programs.
_WORTH_A_THREAD = 0.03
_FORMATS: tuple[RowFormat, ...] = (INT8, INT4)
_ROW_VALUES = 4096
_LEAST_BYTES, _MOST_BYTES, _CACHES_FULL = 128 << 20, 1 << 30, 3
_SHARE_OF_FREE_MEMORY = 4
_BUDGET_S, _LEAST_ROUNDS, _MOST_ROUNDS, _PASS_S = 1.6, 3, 9, 0.008

# done, total; may raise to stop.
OnStep = Callable[[int, int], None]


# (threads of the pool, thread counts to compare, on_step) → rates.
Measure = Callable[[int, tuple[int, ...], OnStep], tuple[Rate, ...]]


def tuned(folder: Path, wanted_threads: int | None, on_step: OnStep, measure: Measure | None = None) -> Tuning:
    """This machine's tuning, from the file in `folder` or measured now and kept there.

    A wanted number of threads is taken as it is, and only the fetching tuned. on_step(done, total) is called only where
    something is measured, and may raise to stop.
    """
    n_pool = compute_threads(wanted_threads)
    counts = thread_steps(n_pool) if wanted_threads is None else (n_pool,)
    key = machine_key(wanted_threads)
    known = stored(folder).get(key)
    if known is not None and known.n_threads in counts:
        return known
    rates = (measure or measure_rates)(n_pool, counts, on_step)
    if not rates:
        return Tuning(n_pool, FETCH_AHEAD)
    found = choose(rates)
    store(folder, key, found)
    return found


def choose(rates: Iterable[Rate]) -> Tuning:
    """The fewest threads that come within 3 % of the best, with the fetching that is best for them.

    A rate counts as a share of its format's best, and a choice as the mean of its shares.
    """
    rates = tuple(rates)
    best = {f: max(r.bytes_per_s for r in rates if r.row_format == f) for f in {r.row_format for r in rates}}
    shares: dict[tuple[int, int], list[float]] = {}
    for rate in rates:
        shares.setdefault((rate.n_threads, rate.fetch_ahead), []).append(rate.bytes_per_s / best[rate.row_format])
    score = {choice: sum(values) / len(values) for choice, values in shares.items()}
    enough = max(score.values()) * (1 - _WORTH_A_THREAD)
    n_threads = min(n for (n, _), value in score.items() if value >= enough)
    fetch_ahead = max((value, -fetch) for (n, fetch), value in score.items() if n == n_threads)[1]
    return Tuning(n_threads, -fetch_ahead, rates)


def thread_steps(n_most: int) -> tuple[int, ...]:
    """Thread counts worth comparing: all up to four, then four, half of them and all."""
    if n_most <= 4:
        return tuple(range(1, n_most + 1))
    return tuple(sorted({1, 2, 4, n_most // 2, n_most}))


def machine_key(wanted_threads: int | None) -> str:
    """What a measurement is good for: this processor, how much of it we may use, these kernels, this wish."""
    quota = cgroup_cores()
    return " | ".join(
        (
            probe_processor().model, platform.machine(), f"{psutil.cpu_count(logical=False)} cores",
            f"{usable_processors()} usable", "no quota" if quota is None else f"quota {quota:g}", cache_name(),
            "any threads" if wanted_threads is None else f"{wanted_threads} threads",
        )
    )  # fmt: skip


# The measurement --------------------------------------------------------------------------------------------------


def measure_rates(
    n_pool: int, counts: tuple[int, ...], on_step: OnStep, n_bytes: int | None = None, budget_s: float = _BUDGET_S
) -> tuple[Rate, ...]:
    """Each number of threads with each fetching, in turns, until the time is up; nothing where memory is short."""
    n_bytes = bytes_to_read() if n_bytes is None else n_bytes
    if n_bytes > psutil.virtual_memory().available // _SHARE_OF_FREE_MEMORY:
        return ()
    data = aligned_empty(n_bytes)
    data[:] = 60  # scales of about 1 in either format; a page that was never written to is not read from memory
    choices = list(itertools.product(_FORMATS, counts, FETCHES))
    pool = WorkerPool(n_pool)
    try:
        for fmt in _FORMATS:
            run_compiling(partial(_Pass(data[: 8 * fmt.stride(_ROW_VALUES)], fmt, 1).seconds, pool, 1, 0, 1))
        passes = {fmt.name: _Pass(data, fmt, n_pool) for fmt in _FORMATS}
        loops: dict[tuple[RowFormat, int, int], int] = {}
        times: dict[tuple[RowFormat, int, int], list[float]] = {choice: [] for choice in choices}
        started, n_rounds = time.perf_counter(), 0
        while n_rounds < _LEAST_ROUNDS or (n_rounds < _MOST_ROUNDS and time.perf_counter() - started < budget_s):
            for number, (fmt, n_threads, fetch) in enumerate(choices):
                on_step(n_rounds * len(choices) + number, _MOST_ROUNDS * len(choices))
                one, choice = passes[fmt.name], (fmt, n_threads, fetch)
                if choice not in loops:  # the first time only finds out how long it takes
                    loops[choice] = 1 + int(_PASS_S / one.seconds(pool, n_threads, fetch, 1))
                seconds = one.seconds(pool, n_threads, fetch, loops[choice])
                times[choice].append(seconds / loops[choice])
            n_rounds += 1
    finally:
        pool.close()
    on_step(_MOST_ROUNDS * len(choices), _MOST_ROUNDS * len(choices))
    return tuple(
        Rate(fmt.name, n_threads, fetch, round(passes[fmt.name].n_bytes / median(times[fmt, n_threads, fetch])))
        for fmt, n_threads, fetch in choices
    )


def bytes_to_read() -> int:
    """More than the caches hold."""
    return max(_LEAST_BYTES, min(_MOST_BYTES, _CACHES_FULL * largest_cache_bytes()))


class _Pass:
    """The product of all rows of `data` in one format with a vector, cut into shares as a decode step's are."""

    def __init__(self, data: Bytes, fmt: RowFormat, n_shares: int) -> None:
        self._data, self._kind, self._n_shares = data, ROW_KINDS[fmt.name], n_shares
        self._stride = fmt.stride(_ROW_VALUES)
        self._n_rows = max(4, len(data) // self._stride)
        self._x = aligned_empty(8 * _ROW_VALUES + 256)
        self._x[:] = 1
        self._y = np.zeros(self._n_rows, np.float32)

    @property
    def n_bytes(self) -> int:
        return self._n_rows * self._stride

    def seconds(self, pool: WorkerPool, n_threads: int, fetch: int, loops: int) -> float:
        rows, x, y = self._data.ctypes.data, self._x.ctypes.data, self._y.ctypes.data

        def job(thread: int) -> None:
            for _ in range(loops):
                for share in range(thread, self._n_shares, n_threads):
                    first, last = (self._n_rows * s // self._n_shares for s in (share, share + 1))
                    matvec(self._kind, rows, self._stride, x, y, first, last, _ROW_VALUES, np.float32(1), fetch)

        started = time.perf_counter()
        pool.run(job, n_threads)
        return time.perf_counter() - started
