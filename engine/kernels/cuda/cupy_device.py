"""A real card through CuPy: the `Device` that answers are computed on. CuPy is imported only where one is opened.

Memory is allocated and given back by explicit calls, not by CuPy's pool, so that what is given back is free for other
programs at once and the account holds. Kernels are compiled by NVRTC when they are first asked for; CuPy keeps them in
its own cache, by their text. What the driver reports becomes OutOfMemory, a fault of ours, or DeviceLost.

    device = open_card("GPU-8f2c…")     # or open_card() for the first one
"""

import contextlib
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from engine.errors import CardUnusable, DeviceLost, EngineError, InternalError, OutOfMemory
from engine.kernels.cuda.device import CardArray, Event, Graph, Kernel
from engine.kernels.cuda.launch import CheckedKernel, Dims, Memory, Span, copied_spans, host_span
from engine.kernels.cuda.sources import FOLDER, NVRTC_OPTIONS, Signature, read_source, signatures

_CONTEXT = "context and modules"
_OLDEST_CAPABILITY = {12: (5, 0), 13: (7, 5)}  # of the cards that a CUDA version compiles for, by its first number

# cudaError_t, https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html
_OUT_OF_MEMORY = 2
_OLD_DRIVER = 35
_NO_DEVICE = 100
_OURS = frozenset({1, 9, 12, 13, 21, 98, 200, 209, 218, 222, 400, 500, 600, 701, *range(900, 910)})


def open_card(
    wanted: str = "", index: int | None = None, *, load: Callable[[], ModuleType] | None = None
) -> "CupyDevice":  # fmt: skip
    """The card of this UUID, or the first one. Raises CardUnusable with one of `placement_reports.CARD_STATES`.

    index  CUDA's number of the card, where it is known (`placement/hardware.py`); its UUID is then taken on trust, for
           CuPy's own reading of it may end before its first zero byte
    load   imports CuPy; given by tests
    """
    cupy = (load or _cupy)()
    runtime = cupy.cuda.runtime
    try:
        count = runtime.getDeviceCount()
        found = [_uuid(runtime.getDeviceProperties(number)) for number in range(count)]
    except runtime.CUDARuntimeError as error:
        if error.status == _OLD_DRIVER:
            state = "old_driver" if runtime.driverGetVersion() else "no_driver"
        else:
            state = "no_device" if error.status == _NO_DEVICE else "failed"
        raise CardUnusable(state, str(error)) from error
    if index is not None and index < len(found):
        found[index] = wanted or found[index]
    if not found or (wanted and wanted not in found):
        raise CardUnusable("no_device", wanted)
    try:
        major, _ = cupy.cuda.nvrtc.getVersion()
    except (RuntimeError, OSError) as error:  # the library is looked for when it is first used
        raise CardUnusable("no_compiler", str(error)) from error
    if index is None or index >= len(found):
        index = found.index(wanted) if wanted else 0
    properties = runtime.getDeviceProperties(index)
    capability = (int(properties["major"]), int(properties["minor"]))
    if capability < _OLDEST_CAPABILITY.get(int(major), (0, 0)):
        raise CardUnusable("too_old", f"{capability[0]}.{capability[1]}")
    return CupyDevice(cupy, index, found[index], _text(properties["name"]))


def _cupy() -> ModuleType:
    try:
        import cupy
    except ImportError as error:
        raise CardUnusable("not_installed", str(error)) from error
    loaded: ModuleType = cupy
    return loaded


def _uuid(properties: Mapping[str, Any]) -> str:
    """As NVML writes it."""
    return f"GPU-{uuid.UUID(bytes=bytes(properties['uuid'])[:16].ljust(16, bytes(1)))}"


def _text(value: str | bytes) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value


class CupyDevice:
    """See `device.Device`; opened by `open_card`. `kernel` raises CardUnusable where CuPy lacks NVRTC or headers."""

    is_emulated = False
    _contexts: ClassVar[dict[str, int]] = {}

    def __init__(self, cupy: ModuleType, index: int, its_uuid: str, name: str, sources: Path = FOLDER) -> None:
        self.uuid = its_uuid
        self.name = name
        self._cupy = cupy
        self._runtime = cupy.cuda.runtime
        self._index = index
        self._sources = sources
        self._errors = (cupy.cuda.runtime.CUDARuntimeError, cupy.cuda.driver.CUDADriverError)
        self._memory = Memory(cupy.ndarray, lambda array: int(array.data.ptr))
        self._modules: dict[str, tuple[Any, dict[str, Signature]]] = {}
        self._kernels: dict[tuple[str, str], CheckedKernel] = {}
        self._capturing: list[Span] | None = None
        self._captured: tuple[Any, tuple[Span, ...]] | None = None
        self._closed = False
        self._thread = 0
        used_before = _used_bytes(its_uuid)
        with self._told("context", 0):
            self._enter()
            self._runtime.free(0)  # makes the context
            self._stream = cupy.cuda.Stream(non_blocking=True)
        # a context outlives its device: CUDA keeps one for the process, which is measured when it is made
        self._context_bytes = self._contexts.setdefault(its_uuid, max(0, _used_bytes(its_uuid) - used_before))

    @property
    def allocated(self) -> Mapping[str, int]:
        """With what the driver took for the context, as NVML saw it; without it where NVML tells nothing."""
        purposes = self._memory.by_purpose
        if self._context_bytes:
            purposes[_CONTEXT] = purposes.get(_CONTEXT, 0) + self._context_bytes
        return purposes

    def memory(self) -> tuple[int, int]:
        self._enter()
        with self._told("memory", 0):
            free, total = self._runtime.memGetInfo()
        return int(free), int(total)

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike, purpose: str) -> CardArray:
        self._enter(waits=True)
        n_bytes = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        with self._told(purpose, n_bytes):
            start = int(self._runtime.malloc(max(1, n_bytes)))
        self._memory.add(start, n_bytes, purpose)
        owned = self._cupy.cuda.UnownedMemory(start, max(1, n_bytes), self, self._index)
        return self._cupy.ndarray(shape, dtype, memptr=self._cupy.cuda.MemoryPointer(owned, 0))

    def free(self, array: CardArray) -> None:
        self._enter(waits=True)
        with self._told("", 0):
            self._stream.synchronize()
            self._runtime.free(self._memory.remove(array))

    def pinned(self, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        self._enter(waits=True)
        count = int(np.prod(shape, dtype=np.int64))
        n_bytes = count * np.dtype(dtype).itemsize
        with self._told("pinned memory", n_bytes):
            memory = self._cupy.cuda.alloc_pinned_memory(max(1, n_bytes))
        return np.frombuffer(memory, dtype, count).reshape(shape)

    def upload(self, source: NDArray[Any], target: CardArray) -> None:
        self._enter()
        (to, n_bytes), (origin, _) = copied_spans(self._touched(target), host_span(source))
        with self._told("", 0):
            self._runtime.memcpyAsync(to, origin, n_bytes, self._runtime.memcpyHostToDevice, self._stream.ptr)

    def download(self, source: CardArray, target: NDArray[Any], *, wait: bool = False) -> None:
        self._enter(waits=wait)
        (origin, n_bytes), (to, _) = copied_spans(self._touched(source), host_span(target))
        with self._told("", 0):
            self._runtime.memcpyAsync(to, origin, n_bytes, self._runtime.memcpyDeviceToHost, self._stream.ptr)
            if wait:
                self._stream.synchronize()

    def fill(self, target: CardArray, value: int) -> None:
        self._enter()
        start, n_bytes = self._touched(target)
        with self._told("", 0):
            self._runtime.memsetAsync(start, value & 0xFF, n_bytes, self._stream.ptr)

    def kernel(self, source: str, name: str) -> Kernel:
        self._enter()
        key = (source, name)
        if key not in self._kernels:
            self._kernels[key] = self._load(source, name)
        return self._kernels[key]

    def _load(self, source: str, name: str) -> CheckedKernel:
        if self._capturing is not None:
            raise InternalError("CardStream", f"{name} is compiled while launches are captured")
        if source not in self._modules:
            text = read_source(source, self._sources)
            module = self._cupy.RawModule(code=text, options=NVRTC_OPTIONS)
            self._modules[source] = (module, signatures(text))
        module, known = self._modules[source]
        if name not in known:
            raise InternalError("KernelSource", f"{source}.cu has no kernel {name}")
        try:
            function = module.get_function(name).kernel
        except self._errors as error:
            raise self._meaning(error, f"{source}.cu", 0) from error
        except self._cupy.cuda.compiler.CompileException as error:
            raise InternalError("KernelCompile", f"{source}.cu: {str(error)[:4000]}") from error
        except RuntimeError as error:  # CuPy found no NVRTC or no headers for it
            raise CardUnusable("no_compiler", str(error)) from error
        null = np.uintp(0)

        def put(blocks: Dims, threads: Dims, args: Sequence[Any], shared_bytes: int) -> None:
            self._enter()
            if self._capturing is not None:
                self._capturing += [self._memory.span(arg) for arg in args if isinstance(arg, self._memory.of_card)]
            try:
                given = tuple(null if arg is None else arg for arg in args)
                function(blocks, threads, given, shared_bytes, stream=self._stream)
            except self._errors as error:
                raise self._meaning(error, name, 0) from error

        return CheckedKernel(known[name], self._memory, put)

    def record(self, *, timed: bool = False) -> Event:
        self._enter(waits=True)
        with self._told("", 0):
            event = self._cupy.cuda.Event(disable_timing=not timed)
            event.record(self._stream)
        return _CupyEvent(self, event, timed)

    def synchronise(self) -> None:
        self._enter(waits=True)
        with self._told("", 0):
            self._stream.synchronize()

    @contextmanager
    def capture(self) -> Iterator[None]:
        self._enter(waits=True)
        with self._told("", 0):
            self._stream.begin_capture()
        touched = self._capturing = []
        try:
            yield
        except BaseException:
            self._capturing = None
            with contextlib.suppress(*self._errors):  # an unfinished capture must be ended, whatever came of it
                self._stream.end_capture()
            raise
        self._capturing = None
        with self._told("", 0):
            self._captured = (self._stream.end_capture(), tuple(touched))

    def captured(self) -> Graph:
        self._enter()
        if self._captured is None:
            raise InternalError("CardStream", "nothing was captured")
        return _CupyGraph(self, *self._captured)

    def close(self) -> None:
        """Gives all memory back; a card that is lost has none left."""
        if self._closed:
            return
        with contextlib.suppress(*self._errors, EngineError):
            self._enter()
            self._stream.synchronize()
            for start in self._memory.starts:
                self._runtime.free(start)
        self._closed = True
        self._captured = None
        self._kernels.clear()
        self._modules.clear()

    def wait_for(self, event: Any) -> None:
        self._enter(waits=True)
        with self._told("event", 0):
            event.synchronize()

    def seconds_between(self, earlier: Any, later: Any) -> float:
        self._enter()
        with self._told("event", 0):
            return float(self._cupy.cuda.get_elapsed_time(earlier, later)) / 1000

    def launch_captured(self, graph: Any, touches: tuple[Span, ...]) -> None:
        self._enter(waits=True)
        if not self._memory.holds_all(touches):
            raise InternalError("CardStream", "a graph uses memory that was given back")
        with self._told("graph", 0):
            graph.launch(self._stream)

    def _enter(self, *, waits: bool = False) -> None:
        """Every call begins here. `waits`: it waits or allocates, and must not while launches are captured."""
        if self._closed:
            raise InternalError("CardStream", "the card was closed")
        if waits and self._capturing is not None:
            raise InternalError("CardStream", "waits or allocates while launches are captured")
        if self._thread != threading.get_ident():  # CUDA keeps which card is meant for each thread
            self._thread = threading.get_ident()
            self._runtime.setDevice(self._index)

    def _touched(self, array: CardArray) -> Span:
        """Where it lies; remembered for the graph that is being captured."""
        span = self._memory.span(array)
        if self._capturing is not None:
            self._capturing.append(span)
        return span

    @contextmanager
    def _told(self, what: str, n_bytes: int) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            raise self._meaning(error, what, n_bytes) from error

    def _meaning(self, error: Any, what: str, n_bytes: int) -> EngineError:
        if error.status == _OUT_OF_MEMORY:
            return OutOfMemory(what, n_bytes, self._free_bytes())
        if error.status in _OURS:
            return InternalError("CardCall", f"{what}: {error}")
        return DeviceLost(self.name, str(error))

    def _free_bytes(self) -> int:
        with contextlib.suppress(*self._errors):
            return int(self._runtime.memGetInfo()[0])
        return 0


@dataclass(frozen=True, slots=True)
class _CupyEvent:
    device: CupyDevice
    event: Any
    timed: bool

    def wait(self) -> None:
        self.device.wait_for(self.event)

    def seconds_since(self, earlier: Event) -> float:
        if not isinstance(earlier, _CupyEvent) or not (self.timed and earlier.timed):
            raise InternalError("CardStream", "time between events that were not both recorded with it")
        return self.device.seconds_between(earlier.event, self.event)


@dataclass(frozen=True, slots=True)
class _CupyGraph:
    device: CupyDevice
    graph: Any
    touches: tuple[Span, ...]

    def launch(self) -> None:
        self.device.launch_captured(self.graph, self.touches)


def _used_bytes(its_uuid: str) -> int:
    """Of the card's memory, by all programs; 0 where NVML does not tell."""
    import pynvml

    with contextlib.suppress(pynvml.NVMLError):
        pynvml.nvmlInit()
        try:
            handle = pynvml.nvmlDeviceGetHandleByUUID(its_uuid.encode())
            return int(pynvml.nvmlDeviceGetMemoryInfo(handle).used)
        finally:
            pynvml.nvmlShutdown()
    return 0
