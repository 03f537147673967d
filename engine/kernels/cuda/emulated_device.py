"""The processor in a card's place: the `Device` that tests and demonstrations run on. Never presented as a card.

The kernels' own sources are run (`emulation/`), memory is ordinary memory, and the stream is one thread that runs what
is put on it in order while the caller goes on: work that overlaps on a card overlaps here. What a card would hide is
found out: kernels that depend on the order of threads or read unwritten memory, writes beyond an allocation, launches
that use freed memory, waits that were forgotten (`lag_s`). Fills of memory and losses can be brought about.

    device = EmulatedDevice(cache, total_bytes=64 << 20)
    x = device.empty((8, 256), np.float32, "workspace")
    device.upload(host, x)
    scale = device.kernel("scale", "scale_f32")              # engine/kernels/cuda/scale.cu
    scale((8,), (256,), (x, np.float32(2.0), np.int32(256)))
    device.download(x, host, wait=True)
    device.others_bytes = 60 << 20                            # another program takes memory: `empty` raises OutOfMemory
    device.lose_after(3)                                      # three more calls, then every call raises DeviceLost
    device.close()
"""

import ctypes
import mmap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from engine.errors import DeviceLost, InternalError, OutOfMemory
from engine.kernels.cuda.device import CardArray, Event, Graph, Kernel
from engine.kernels.cuda.emulation.compiler import EmulatedModule, RunOptions
from engine.kernels.cuda.launch import CheckedKernel, Dims, Memory, Span, copied_spans, host_address, host_span
from engine.kernels.cuda.sources import FOLDER, read_source

ALIGNMENT = 256
POISON = 0xFF
_MARGIN = 256  # before and after each allocation, to see what is written there
_MARGIN_BYTE = 0xA5
_CONTEXT = "context and modules"

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Work:
    """Something for the stream: what it does, and the card's memory that it touches."""

    do: Callable[[], None]
    touches: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Allocation:
    """`memory` is all of it, from `before` bytes in ours; `purpose` for messages."""

    memory: Bytes
    before: int
    n_bytes: int
    purpose: str

    def is_whole(self) -> bool:
        around = (self.memory[: self.before], self.memory[self.before + self.n_bytes :])
        return all(bool((part == _MARGIN_BYTE).all()) for part in around)


class EmulatedDevice:
    """See `device.Device`, and the module for an example.

    cache         folder for compiled kernels, kept between runs
    sources       folder of the .cu files
    total_bytes, others_bytes, context_bytes   the card's memory, what other programs have of it, what a context takes
    os_threads    blocks of a launch are spread over so many threads
    reverses      blocks and their threads run last to first; a right kernel gives the same bits
    poisons       new memory and every block's shared memory is 0xff in every byte
    sanitises     misaligned accesses and indices beyond arrays are found out (kernels take longer)
    guards        every allocation ends at a page that cannot be read: an access beyond it is the kernel's fault
    lag_s         the stream waits so long before each piece of work

    All but the first two may be changed between calls, those of launches for the launches to come; `sanitises` and
    `guards` only for kernels and memory not asked for yet. Raises CompilerMissing from `kernel` without a C++ compiler.
    """

    uuid = "emulated"
    name = "Emulated card"
    is_emulated = True

    def __init__(
        self,
        cache: Path,
        *,
        sources: Path = FOLDER,
        total_bytes: int = 8 << 30,
        others_bytes: int = 0,
        context_bytes: int = 0,
        os_threads: int = 1,
        reverses: bool = False,
        poisons: bool = True,
        sanitises: bool = True,
        guards: bool = False,
        lag_s: float = 0.0,
    ) -> None:
        self.total_bytes = total_bytes
        self.others_bytes = others_bytes
        self.context_bytes = context_bytes
        self.os_threads = os_threads
        self.reverses = reverses
        self.poisons = poisons
        self.sanitises = sanitises
        self.guards = guards
        self.lag_s = lag_s
        self.n_calls = 0
        self._cache = cache
        self._sources = sources
        self._memory = Memory(np.ndarray, host_address)
        self._allocations: dict[int, Allocation] = {}
        self._modules: dict[tuple[str, bool], EmulatedModule] = {}
        self._kernels: dict[tuple[str, str, bool], CheckedKernel] = {}
        self._stream = ThreadPoolExecutor(1, thread_name_prefix="ember-emulated-card")
        self._last: Future[float] | None = None
        self._capturing: list[Work] | None = None
        self._captured: tuple[Work, ...] | None = None
        self._lost = ""
        self._lose_at: int | None = None
        self._allocations_left: int | None = None
        self._closed = False

    # Faults ---------------------------------------------------------------------------------------------------------

    def lose(self, reason: str = "taken away") -> None:
        """From now on every call raises DeviceLost, and nothing on the stream is run any more."""
        self._lost = reason

    def lose_after(self, n_calls: int) -> None:
        """The device is lost once so many more calls were made (`n_calls` counts them)."""
        self._lose_at = self.n_calls + n_calls

    def fail_allocation_after(self, n_allocations: int) -> None:
        """So many more allocations succeed, and the one after them raises OutOfMemory, once."""
        self._allocations_left = n_allocations

    # Memory ---------------------------------------------------------------------------------------------------------

    @property
    def allocated(self) -> Mapping[str, int]:
        purposes = self._memory.by_purpose
        if self.context_bytes:
            purposes[_CONTEXT] = purposes.get(_CONTEXT, 0) + self.context_bytes
        return purposes

    def memory(self) -> tuple[int, int]:
        self._enter()
        return self._free_bytes(), self.total_bytes

    def _free_bytes(self) -> int:
        return max(0, self.total_bytes - self.others_bytes - self.context_bytes - self._memory.total)

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike, purpose: str) -> CardArray:
        self._enter(waits=True)
        n_bytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        if self._fails_now() or n_bytes > self._free_bytes():
            raise OutOfMemory(purpose, n_bytes, self._free_bytes())
        memory, before = _guarded(n_bytes) if self.guards else _with_margins(n_bytes)
        ours = memory[before : before + n_bytes]
        if self.poisons:
            ours[...] = POISON
        array = ours.view(dtype).reshape(shape)
        start = memory.ctypes.data + before
        self._memory.add(start, n_bytes, purpose)
        self._allocations[start] = Allocation(memory, before, n_bytes, purpose)
        return array

    def _fails_now(self) -> bool:
        if self._allocations_left is None:
            return False
        self._allocations_left -= 1
        if self._allocations_left >= 0:
            return False
        self._allocations_left = None
        return True

    def free(self, array: CardArray) -> None:
        self._enter(waits=True)
        self._wait(self._last)
        self._look_around(self._allocations.pop(self._memory.remove(array)))

    def pinned(self, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        self._enter(waits=True)
        n_bytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        memory, before = _with_margins(n_bytes)
        return memory[before : before + n_bytes].view(dtype).reshape(shape)

    def _look_around(self, allocation: Allocation) -> None:
        if not allocation.is_whole():
            raise InternalError("KernelFault", f"written outside the memory for {allocation.purpose}")

    # The stream -----------------------------------------------------------------------------------------------------

    def upload(self, source: NDArray[Any], target: CardArray) -> None:
        self._enter()
        card, host = copied_spans(self._memory.span(target), host_span(source))
        self._put_copy(card, host, card, (target, source))

    def download(self, source: CardArray, target: NDArray[Any], *, wait: bool = False) -> None:
        self._enter(waits=wait)
        card, host = copied_spans(self._memory.span(source), host_span(target))
        self._put_copy(host, card, card, (target, source))
        if wait:
            self._wait(self._last)

    def _put_copy(self, target: Span, source: Span, card: Span, arrays: tuple[CardArray, ...]) -> None:
        def copy(_keep: tuple[CardArray, ...] = arrays) -> None:
            ctypes.memmove(target[0], source[0], source[1])

        self._put(Work(copy, (card,)))

    def fill(self, target: CardArray, value: int) -> None:
        self._enter()
        start, n_bytes = self._memory.span(target)

        def fill(_keep: CardArray = target) -> None:
            ctypes.memset(start, value & 0xFF, n_bytes)

        self._put(Work(fill, ((start, n_bytes),)))

    def kernel(self, source: str, name: str) -> Kernel:
        self._enter()
        key = (source, name, self.sanitises)
        if key not in self._kernels:
            self._kernels[key] = self._load(source, name)
        return self._kernels[key]

    def _load(self, source: str, name: str) -> CheckedKernel:
        if self._capturing is not None:
            raise InternalError("CardStream", f"{name} is compiled while launches are captured")
        key = (source, self.sanitises)
        if key not in self._modules:
            text = read_source(source, self._sources)
            self._modules[key] = EmulatedModule(source, text, self._cache, sanitises=self.sanitises)
        module = self._modules[key]
        if name not in module.signatures:
            raise InternalError("KernelSource", f"{source}.cu has no kernel {name}")
        compiled = module.kernel(name)

        def put(blocks: Dims, threads: Dims, args: Sequence[Any], shared_bytes: int) -> None:
            self._enter()
            values = b"".join(_eight_bytes(arg) for arg in args)
            options = RunOptions(self.os_threads, self.poisons, self.reverses, self.guards)

            def launch(_keep: tuple[Any, ...] = tuple(args)) -> None:
                compiled.run(blocks, threads, values, shared_bytes, options)

            spans = tuple((host_address(arg), arg.nbytes) for arg in args if isinstance(arg, np.ndarray))
            self._put(Work(launch, spans))

        return CheckedKernel(compiled.signature, self._memory, put)

    def record(self, *, timed: bool = False) -> Event:
        self._enter(waits=True)
        return _EmulatedEvent(self, self._put(Work(_nothing, ())), timed)

    def synchronise(self) -> None:
        self._enter(waits=True)
        self._wait(self._last)
        for allocation in self._allocations.values():
            self._look_around(allocation)

    @contextmanager
    def capture(self) -> Iterator[None]:
        self._enter(waits=True)
        self._capturing = []
        try:
            yield
            self._captured = tuple(self._capturing)
        finally:
            self._capturing = None

    def captured(self) -> Graph:
        self._enter()
        if self._captured is None:
            raise InternalError("CardStream", "nothing was captured")
        return _EmulatedGraph(self, self._captured, tuple(span for work in self._captured for span in work.touches))

    def launch_captured(self, works: tuple[Work, ...], touches: tuple[Span, ...]) -> None:
        """For the graph of these."""
        self._enter(waits=True)
        if not self._memory.holds_all(touches):
            raise InternalError("CardStream", "a graph uses memory that was given back")
        for work in works:
            self._put(work)

    def close(self) -> None:
        """Ends the stream's thread. Raises InternalError where a kernel was seen to write beyond its memory."""
        if self._closed:
            return
        self._closed = True
        self._stream.shutdown(wait=True)
        failed = self._last is not None and self._last.exception() is not None
        allocations = tuple(self._allocations.values())
        self._allocations.clear()
        self._kernels.clear()
        if not failed and not self._lost:
            for allocation in allocations:
                self._look_around(allocation)

    def _enter(self, *, waits: bool = False) -> None:
        """Every call begins here. `waits`: it waits or allocates, and must not while launches are captured."""
        if self._closed:
            raise InternalError("CardStream", "the card was closed")
        self.n_calls += 1
        if self._lose_at is not None and self.n_calls > self._lose_at:
            self._lost = self._lost or "taken away"
        if self._lost:
            raise DeviceLost(self.name, self._lost)
        if waits and self._capturing is not None:
            raise InternalError("CardStream", "waits or allocates while launches are captured")

    def _put(self, work: Work) -> Future[float] | None:
        if self._capturing is not None:
            self._capturing.append(work)
            return None
        if self._last is not None and self._last.done():
            self._last.result()  # a stream that failed stays so, as CUDA's
        self._last = self._stream.submit(self._run, self._last, work)
        return self._last

    def _run(self, before: Future[float] | None, work: Work) -> float:
        if before is not None:
            before.result()
        if self._lost:
            raise DeviceLost(self.name, self._lost)
        if self.lag_s:
            time.sleep(self.lag_s)
        work.do()
        return time.perf_counter()

    def _wait(self, place: Future[float] | None) -> float:
        return place.result() if place is not None else 0.0


class _EmulatedEvent:
    def __init__(self, device: EmulatedDevice, place: Future[float] | None, timed: bool) -> None:
        self._device = device
        self._place = place
        self._timed = timed

    def wait(self) -> None:
        self._device._enter(waits=True)
        self._device._wait(self._place)

    def seconds_since(self, earlier: Event) -> float:
        self._device._enter()
        if not isinstance(earlier, _EmulatedEvent) or not (self._timed and earlier._timed):
            raise InternalError("CardStream", "time between events that were not both recorded with it")
        if not all(event._place is not None and event._place.done() for event in (self, earlier)):
            raise InternalError("CardStream", "time between events that are not both done")
        return self._device._wait(self._place) - self._device._wait(earlier._place)


@dataclass(frozen=True, slots=True)
class _EmulatedGraph:
    device: EmulatedDevice
    works: tuple[Work, ...]
    touches: tuple[Span, ...]

    def launch(self) -> None:
        self.device.launch_captured(self.works, self.touches)


def _nothing() -> None:
    """What a place in the stream does."""


def _eight_bytes(arg: Any) -> bytes:
    if arg is None:
        return bytes(8)
    if isinstance(arg, np.ndarray):
        return host_address(arg).to_bytes(8, "little")
    return bytes(arg.tobytes()).ljust(8, b"\0")


def _with_margins(n_bytes: int) -> tuple[Bytes, int]:
    """Memory with margins around n_bytes of it, and where these begin: at a multiple of ALIGNMENT."""
    memory = np.empty(n_bytes + 2 * _MARGIN + ALIGNMENT, np.uint8)
    before = _MARGIN + -(memory.ctypes.data + _MARGIN) % ALIGNMENT
    memory[:before] = _MARGIN_BYTE
    memory[before + n_bytes :] = _MARGIN_BYTE
    return memory, before


def _guarded(n_bytes: int) -> tuple[Bytes, int]:
    """Memory that ends, within 16 bytes, where a page begins that cannot be read or written."""
    page = mmap.PAGESIZE
    n_pages = -(-max(1, n_bytes) // page)
    mapping = mmap.mmap(-1, (n_pages + 1) * page)
    memory = np.frombuffer(mapping, np.uint8, n_pages * page)
    libc = ctypes.CDLL(None, use_errno=True)
    end = ctypes.c_void_p(memory.ctypes.data + n_pages * page)
    if libc.mprotect(end, ctypes.c_size_t(page), 0):
        raise InternalError("CardMemory", f"no guard page: error {ctypes.get_errno()}")
    before = n_pages * page - -(-n_bytes // 16) * 16
    memory[...] = _MARGIN_BYTE
    return memory, before
