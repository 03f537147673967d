"""The probe: how fast this machine reads its memory, and a card its own; what crossing between them costs.

Everything is measured through what the engine computes with: the processor's memory by its own reading kernels on
threads, a card through the `Device` interface, so that launches and copies cost here what they cost in a step. It takes
about two seconds for the processor and one for a card, whose sizes grow until a pass can be timed; on an emulated card
they stay small, and its figures describe nothing but the emulation. What is kept of it is in `speeds_file.py`.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from statistics import median

import numpy as np
import psutil

from engine.errors import OutOfMemory
from engine.kernels.cpu.bandwidth import LINE_BYTES, sum_four_streams, sum_one_stream
from engine.kernels.cpu.cache import run_compiling
from engine.kernels.cuda.device import CardArray, Device
from engine.kernels.formats import Bytes
from engine.model.packed_model import aligned_empty
from engine.placement.hardware import Processor, largest_cache_bytes
from engine.placement_reports import MachineSpeeds, ThreadRate

# done, total; may raise to stop.
OnStep = Callable[[int, int], None]

_PAGE_BYTES = 4096
# Of main memory: more than the caches hold, and never more than a quarter of what is free.
_FEWEST_BYTES, _LEAST_BYTES, _MOST_BYTES, _CACHES_FULL, _SHARE_OF_FREE = 1 << 20, 128 << 20, 1 << 30, 3, 4
# Of several passes the fastest counts: other programs only ever take away from what a memory gives.
_PASSES, _PASS_S = 7, 0.02
# Of a card: the read grows until it takes long enough to be timed, or is far beyond every cache (H200: 50 MiB).
_FIRST_CARD_BYTES, _MOST_CARD_BYTES, _CARD_PASS_S = 1 << 18, 512 << 20, 2e-3
_MOST_COPY_BYTES, _COPY_S = 64 << 20, 2e-3
_SHORT_VALUES = 4096  # a token's activation, in float32
_REPEATS, _REPEATS_S = 50, 0.3
_BLOCK = 256
_MOST_BLOCKS = 2048
_CARD_STEPS = 4


def measure(processor: Processor, device: Device | None, on_step: OnStep) -> MachineSpeeds:
    """Measure everything; a card where one is given. Raises OutOfMemory, DeviceLost, and what on_step raises."""
    started = time.perf_counter()
    counts = thread_counts(processor)
    total = len(counts) + (_CARD_STEPS if device is not None else 0)
    rates = cpu_rates(counts, lambda done: on_step(done, total))
    card = card_rates(device, lambda done: on_step(len(counts) + done, total)) if device is not None else CardRates()
    on_step(total, total)
    return MachineSpeeds(
        cpu=rates,
        card_uuid=device.uuid if device is not None else "",
        card_bytes_per_s=card.read,
        upload_bytes_per_s=card.upload,
        download_bytes_per_s=card.download,
        launch_s=card.launch_s,
        round_trip_s=card.round_trip_s,
        measured_at=datetime.now(UTC).isoformat(timespec="seconds"),
        took_s=time.perf_counter() - started,
    )


# Main memory ------------------------------------------------------------------------------------------------------


def thread_counts(processor: Processor) -> tuple[int, ...]:
    """1, 2, 3, 4, 6, 8, 12, 16 … threads, the number of cores, and all hardware threads where there are more.

    A second hardware thread of a core brings nothing where memory is the limit; that shows only if it is measured.
    """
    usable = processor.usable_cores
    cores = min(processor.physical_cores or usable, usable)
    steps = {count for power in range(12) for count in (2**power, 3 * 2**power) if count < cores}
    return tuple(sorted({1, cores, usable} | steps))


def cpu_rates(counts: tuple[int, ...], on_step: Callable[[int], None]) -> tuple[ThreadRate, ...]:
    """What so many threads read together, in four streams each, at best.

    Raises OutOfMemory where there is next to none.
    """
    memory = _memory_to_read()
    run_compiling(lambda: read_share(memory[: 4 * LINE_BYTES], 1, 4, 0))
    rates = []
    for done, n_threads in enumerate(counts):
        on_step(done)
        rates.append(ThreadRate(n_threads, _cpu_rate(memory, n_threads)))
    return tuple(rates)


def read_share(memory: Bytes, n_threads: int, n_streams: int, thread: int) -> float:
    """Read one thread's share, in one stream or in four; both ways read the same bytes."""
    share = share_bytes(memory, n_threads)
    address = memory.ctypes.data + share * thread
    if n_streams == 1:
        return float(sum_one_stream(address, share))
    return float(sum_four_streams(address, share // 4, share // 4))


def share_bytes(memory: Bytes, n_threads: int) -> int:
    """Four equal streams; an odd number of pages apart, or they would fall on the same sets of the cache."""
    pages = len(memory) // n_threads // 4 // _PAGE_BYTES
    stream = (pages - 1 + pages % 2) * _PAGE_BYTES
    return max(4 * stream, 4 * LINE_BYTES)


def _memory_to_read() -> Bytes:
    available = psutil.virtual_memory().available
    wanted = max(_LEAST_BYTES, min(_MOST_BYTES, _CACHES_FULL * largest_cache_bytes()))
    n_bytes = min(wanted, available // _SHARE_OF_FREE)
    if n_bytes < _FEWEST_BYTES:
        raise OutOfMemory("the read-rate probe", _FEWEST_BYTES, available)
    memory = aligned_empty(n_bytes)
    memory[:] = 0  # a page that was never written to is one and the same page of zeros
    return memory


def _cpu_rate(memory: Bytes, n_threads: int) -> float:
    """Bytes a second; each thread goes through its share as often as makes a pass worth timing."""
    loops = 1

    def read(thread: int) -> None:
        for _ in range(loops):
            read_share(memory, n_threads, 4, thread)

    with ThreadPoolExecutor(n_threads, "ember-probe") as pool:

        def seconds() -> float:
            started = time.perf_counter()
            list(pool.map(read, range(n_threads)))
            return time.perf_counter() - started

        loops = max(1, round(_PASS_S / seconds()))
        n_bytes = loops * n_threads * share_bytes(memory, n_threads)
        return n_bytes / min(seconds() for _ in range(_PASSES))


# A card -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardRates:
    """Bytes a second and seconds, as in MachineSpeeds; zeros where there is no card."""

    read: float = 0.0
    upload: float = 0.0
    download: float = 0.0
    launch_s: float = 0.0
    round_trip_s: float = 0.0


def card_rates(device: Device, on_step: Callable[[int], None]) -> CardRates:
    """Measure a card; gives back all that it allocates. Raises OutOfMemory, DeviceLost."""
    on_step(0)
    read = _card_read_rate(device)
    on_step(1)
    upload, download = _copy_rates(device)
    on_step(2)
    launch_s = _launch_seconds(device)
    on_step(3)
    return CardRates(read, upload, download, launch_s, _round_trip_seconds(device))


def _card_read_rate(device: Device) -> float:
    kernel = device.kernel("read_memory", "read_memory")
    n_bytes, most = _FIRST_CARD_BYTES, min(_MOST_CARD_BYTES, device.memory()[0] // _SHARE_OF_FREE)
    while True:
        blocks = min(_MOST_BLOCKS, max(1, n_bytes // 16 // _BLOCK // 4))
        with _allocated(device, n_bytes // 4, blocks * _BLOCK) as (words, found):
            device.fill(words, 0)
            kernel((blocks,), (_BLOCK,), (words, found, np.int32(n_bytes // 16)))
            seconds = []
            for _ in range(_PASSES):
                before = device.record(timed=True)
                kernel((blocks,), (_BLOCK,), (words, found, np.int32(n_bytes // 16)))
                after = device.record(timed=True)
                after.wait()
                seconds.append(after.seconds_since(before))
        if min(seconds) >= _CARD_PASS_S or 2 * n_bytes > most:
            return n_bytes / min(seconds)
        n_bytes *= 2


def _copy_rates(device: Device) -> tuple[float, float]:
    """Up and down, pinned; the size grows until a copy takes long enough to be timed."""
    n_bytes, most = _FIRST_CARD_BYTES, min(_MOST_COPY_BYTES, device.memory()[0] // _SHARE_OF_FREE)
    while True:
        host = device.pinned((n_bytes // 4,), np.uint32)
        host[:] = 0
        with _allocated(device, n_bytes // 4) as (there,):
            up = _median_seconds(device, partial(device.upload, host, there))
            down = _median_seconds(device, partial(device.download, there, host))
        if min(up, down) >= _COPY_S or 2 * n_bytes > most:
            return n_bytes / up, n_bytes / down
        n_bytes *= 2


def _launch_seconds(device: Device) -> float:
    """Of one launch among many, from the first to the last one's end: what a kernel costs beside its work."""
    kernel = device.kernel("read_memory", "read_memory")
    with _allocated(device, 4, _BLOCK) as (words, found):
        launch = partial(kernel, (1,), (_BLOCK,), (words, found, np.int32(0)))
        return _median_seconds(device, launch, at_once=_REPEATS)


def _round_trip_seconds(device: Device) -> float:
    """A token's activation up, a kernel behind it, and down again with the wait for it."""
    kernel = device.kernel("read_memory", "read_memory")
    host = device.pinned((_SHORT_VALUES,), np.uint32)
    host[:] = 0
    with _allocated(device, _SHORT_VALUES, _BLOCK) as (there, found):

        def trip() -> None:
            device.upload(host, there)
            kernel((1,), (_BLOCK,), (there, found, np.int32(_SHORT_VALUES // 4)))
            device.download(there, host, wait=True)

        return _median_seconds(device, trip)


@contextmanager
def _allocated(device: Device, *counts: int) -> Iterator[list[CardArray]]:
    """Arrays of so many uint32 each, given back at the end."""
    arrays: list[CardArray] = []
    try:
        for count in counts:
            arrays.append(device.empty((count,), np.uint32, "workspace"))
        yield arrays
    finally:
        device.synchronise()
        for array in arrays:
            device.free(array)


def _median_seconds(device: Device, work: Callable[[], None], *, at_once: int = 1) -> float:
    """Of one `work`, done `at_once` times in a row, until its end on the card; until the time for it is up."""
    work()
    device.synchronise()
    seconds: list[float] = []
    began = time.perf_counter()
    while len(seconds) < 3 or (len(seconds) < _REPEATS and time.perf_counter() - began < _REPEATS_S):
        started = time.perf_counter()
        for _ in range(at_once):
            work()
        device.synchronise()
        seconds.append((time.perf_counter() - started) / at_once)
    return median(seconds)
