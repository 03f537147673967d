"""What this machine is: processor, memory, limits of its container, NVIDIA cards, and whether CuPy can use them.

Only probes; nothing is decided or said in words here. NVML tells about cards without making a CUDA context on them, so
it is asked first and CuPy last. CuPy is imported inside the one function that needs it: a machine without it, or
without a card, is a normal case. Six ways in which a card may be out of reach are kept apart, because each has its own
remedy: no driver, a driver that does not answer, one too old, no CUDA compiler or headers beside CuPy, a driver without
any card, and a card too old for the installed CUDA.

NVML and CUDA number cards differently (NVML by their place on the bus, CUDA the fastest first, or as an environment
variable says), so that a card is known by its UUID alone. What a driver does not tell of a card, for want of permission
or because the card has no such thing, is left empty, and the card is told all the same.
"""

import contextlib
import ctypes
import importlib
import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any, TypeVar

import psutil

from engine.placement.cores import usable_processors
from engine.placement.patience import Patience
from engine.placement_reports import CardProcess

# https://docs.nvidia.com/deploy/cuda-compatibility/: the first driver branch of each CUDA version
OLDEST_DRIVER_BRANCH = {"cupy-cuda12x": 525, "cupy-cuda13x": 580}
CUPY_PACKAGES = ("cupy-cuda13x", "cupy-cuda12x")
# The first compute capability that each CUDA compiles for: the release notes of CUDA 12.0 and 13.0.
OLDEST_CAPABILITY = {"cupy-cuda12x": (5, 0), "cupy-cuda13x": (7, 5)}
# A driver answers within milliseconds, or within some seconds where it has to wake its cards first.
DRIVER_LIMIT_S = 5.0
# What is asked about where a driver counts more of them, which none has: cards, and parts of one.
MOST_CARDS = 64
# PCIe generations as NVML counts them.
_PCIE = {1: "PCIe 1.0", 2: "PCIe 2.0", 3: "PCIe 3.0", 4: "PCIe 4.0", 5: "PCIe 5.0", 6: "PCIe 6.0", 7: "PCIe 7.0"}
_FEATURES = {
    "avx2": "AVX2", "avx512f": "AVX-512", "fma": "FMA", "f16c": "F16C", "neon": "NEON", "asimd": "NEON",
    "avx512_vnni": "AVX-512 VNNI", "avx_vnni": "AVX-VNNI",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Processor:
    """`features` are the vector instructions we know a use for; `usable_cores` heeds affinity and quotas.

    physical_cores   0 where the system does not tell
    quota_cores      the container's share in cores, None where there is none
    """

    model: str
    architecture: str
    features: tuple[str, ...]
    physical_cores: int
    logical_cores: int
    usable_cores: int
    quota_cores: float | None


@dataclass(frozen=True, slots=True)
class Memory:
    """`limit_bytes` is the container's limit, None where there is none."""

    total_bytes: int
    available_bytes: int
    limit_bytes: int | None


@dataclass(frozen=True, slots=True)
class Card:
    """A card, or a part of one that its owner has cut off (MIG), which CUDA treats as a card of its own.

    index           NVML's
    memory_bytes    0 where the driver does not tell, as on cards that share the main memory
    free_bytes, reserved_bytes   free now, and kept by the driver itself, which is neither free nor a program's
    compute_capability   (major, minor); zeros where not told
    processes       those that use it, this one left out; empty also where the driver does not tell
    ours_bytes      what this process uses of it
    link            the fastest that card and slot agree on, such as "PCIe 4.0 x16": an idle card slows it down
    """

    index: int
    name: str
    memory_bytes: int
    free_bytes: int
    compute_capability: tuple[int, int]
    uuid: str = ""
    reserved_bytes: int = 0
    processes: tuple[CardProcess, ...] = ()
    ours_bytes: int = 0
    link: str = ""

    @property
    def used_by_others(self) -> int:
        """Bytes that are neither free nor ours, the driver's own among them."""
        return max(0, self.memory_bytes - self.free_bytes - self.ours_bytes)


@dataclass(frozen=True, slots=True)
class CardDriver:
    """What NVML says.

    state    ok, no_driver, no_answer (within DRIVER_LIMIT_S), no_device, or failed (`reason` holds NVML's words)
    version  of the driver, such as 580.65.06; empty where none answers
    reason   where the state is ok, what NVML said of a card that does not answer and is left out
    """

    state: str
    version: str = ""
    cards: tuple[Card, ...] = ()
    reason: str = ""

    @property
    def branch(self) -> int:
        found = re.match(r"\d+", self.version)
        return int(found.group()) if found else 0


@dataclass(frozen=True, slots=True)
class Cupy:
    """Whether CuPy can drive a card.

    state    usable, not_installed, no_driver, no_answer, old_driver, no_device, no_compiler, too_old (every card is),
             or failed (`reason` says how)
    package  the distribution that is installed, cupy-cuda13x for instance
    indices  (UUID, number for CUDA) of the cards that CUDA sees
    """

    state: str
    package: str = ""
    version: str = ""
    reason: str = ""
    indices: tuple[tuple[str, int], ...] = ()

    def cuda_index(self, uuid: str) -> int:
        """-1 where CUDA does not see this card."""
        return dict(self.indices).get(uuid, -1)

    def serves(self, card: Card) -> bool:
        """Whether the installed CUDA compiles for this card, as far as is known."""
        return not any(card.compute_capability) or card.compute_capability >= OLDEST_CAPABILITY.get(
            self.package, (0, 0)
        )


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    processor: Processor
    memory: Memory
    driver: CardDriver
    cupy: Cupy

    @property
    def card_state(self) -> str:
        """One of CARD_STATES: what stands first between this machine and a card that computes."""
        return self.cupy.state if self.driver.state == "ok" else self.driver.state

    @property
    def card_detail(self) -> str:
        """The driver's or CuPy's own words, or versions, about `card_state`."""
        return self.cupy.reason if self.driver.state == "ok" else self.driver.reason


# Of this process, so that a driver that hangs is waited for once and not by every probe.
_DRIVER = Patience(DRIVER_LIMIT_S)


def probe_machine(nvml: ModuleType | None = None, patience: Patience = _DRIVER) -> DeviceInfo:
    """Look at everything; takes some ten milliseconds, or about half a second where CuPy is installed.

    nvml, patience   the module pynvml, and how long it is waited for; given by tests
    """
    module = nvml or importlib.import_module("pynvml")
    driver = patience.ask(lambda: probe_driver(module), CardDriver("no_answer"))
    return DeviceInfo(probe_processor(), probe_memory(), driver, probe_cupy(driver))


# Processor and memory ---------------------------------------------------------------------------------------------


def probe_processor(root: Path = Path("/")) -> Processor:
    logical = psutil.cpu_count(logical=True) or 1
    if sys.platform == "linux":
        cpuinfo = _text(root / "proc/cpuinfo")
        model, flags = _linux_model(cpuinfo), _linux_flags(cpuinfo)
    else:
        model, flags = _foreign_model(), _llvm_flags()
    return Processor(
        model=model or platform.processor() or platform.machine(),
        architecture=platform.machine(),
        features=feature_names(flags),
        physical_cores=psutil.cpu_count(logical=False) or 0,
        logical_cores=logical,
        usable_cores=usable_processors(),
        quota_cores=cgroup_cores(root),
    )


def probe_memory(root: Path = Path("/")) -> Memory:
    memory = psutil.virtual_memory()
    limit = cgroup_memory_bytes(root)
    return Memory(memory.total, memory.available, limit if limit is not None and limit < memory.total else None)


def largest_cache_bytes(folder: Path = Path("/sys/devices/system/cpu/cpu0/cache")) -> int:
    """The last-level cache; 0 where the system does not tell."""
    largest = 0
    for file in folder.glob("index*/size"):
        with contextlib.suppress(OSError, ValueError, KeyError):
            text = file.read_text(encoding="ascii").strip()
            largest = max(largest, int(text[:-1]) * {"K": 1 << 10, "M": 1 << 20}[text[-1]])
    return largest


def feature_names(flags: Iterable[str]) -> tuple[str, ...]:
    """Our names of the vector features among the system's flags, sorted."""
    return tuple(sorted({_FEATURES[flag] for flag in flags if flag in _FEATURES}))


def cgroup_cores(root: Path = Path("/")) -> float | None:
    """The tightest processor quota of our control group and those above it, in cores."""
    quotas = []
    for folder in _cgroup_folders(root, ""):
        words = _text(folder / "cpu.max").split()
        if len(words) == 2 and words[0].isdigit():
            quotas.append(int(words[0]) / int(words[1]))
    for folder in _cgroup_folders(root, "cpu"):
        quota, period = _number(folder / "cpu.cfs_quota_us"), _number(folder / "cpu.cfs_period_us")
        if quota and period:
            quotas.append(quota / period)
    return min(quotas, default=None)


def cgroup_memory_bytes(root: Path = Path("/")) -> int | None:
    """The tightest memory limit of our control group and those above it."""
    limits = [_number(folder / "memory.max") for folder in _cgroup_folders(root, "")]
    limits += [_number(folder / "memory.limit_in_bytes") for folder in _cgroup_folders(root, "memory")]
    return min((limit for limit in limits if limit is not None), default=None)


def _cgroup_folders(root: Path, controller: str) -> list[Path]:
    """Our control group's folder and its parents; `controller` is empty for version 2."""
    folders = []
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controller in controllers.split(","):
            top = root / "sys/fs/cgroup" / controller
            inner = top / path.lstrip("/")
            folders += [folder for folder in (inner, *inner.parents) if folder.is_relative_to(top)]
    return folders


def _number(path: Path) -> int | None:
    text = _text(path).strip()
    return int(text) if text.isdigit() else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _linux_model(cpuinfo: str) -> str:
    found = re.search(r"^(?:model name|Model|cpu model|Hardware)\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    return found.group(1).strip() if found else ""


def _linux_flags(cpuinfo: str) -> list[str]:
    found = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    return found.group(1).split() if found else []


def _foreign_model() -> str:
    if sys.platform != "darwin":
        return platform.processor()
    libc = ctypes.CDLL(None)
    name, size = ctypes.create_string_buffer(256), ctypes.c_size_t(256)
    failed = libc.sysctlbyname(b"machdep.cpu.brand_string", name, ctypes.byref(size), None, ctypes.c_size_t(0))
    return "" if failed else name.value.decode(errors="replace")


def _llvm_flags() -> list[str]:
    from llvmlite import binding

    return [feature for feature, present in binding.get_host_cpu_features().items() if present]


# Cards ------------------------------------------------------------------------------------------------------------


_T = TypeVar("_T")


def probe_driver(nvml: ModuleType) -> CardDriver:
    """Ask the driver for its version and cards; `nvml` is the module pynvml. Does not return while the driver hangs.

    A card that no longer answers is left out where there is another one.
    """
    try:
        nvml.nvmlInit()
    except (nvml.NVMLError_LibraryNotFound, nvml.NVMLError_DriverNotLoaded):
        return CardDriver("no_driver")
    except nvml.NVMLError as error:
        return CardDriver("failed", reason=_string(str, error))
    cards: list[Card] = []
    reasons: list[str] = []
    try:
        version = _string(nvml.nvmlSystemGetDriverVersion)
        for index in range(min(nvml.nvmlDeviceGetCount(), MOST_CARDS)):
            try:
                cards += _cards(nvml, index)
            except nvml.NVMLError as error:
                reasons.append(_string(str, error))
    except nvml.NVMLError as error:
        return CardDriver("failed", reason=_string(str, error))
    finally:
        with contextlib.suppress(nvml.NVMLError):
            nvml.nvmlShutdown()
    state = "ok" if cards else "failed" if reasons else "no_device"
    return CardDriver(state, version, tuple(cards), "; ".join(dict.fromkeys(reasons)))


def _cards(nvml: ModuleType, index: int) -> list[Card]:
    """One card, or its parts where it is cut up. Raises NVMLError where it does not even tell its name."""
    handle = nvml.nvmlDeviceGetHandleByIndex(index)
    capability = _told(nvml, (0, 0), nvml.nvmlDeviceGetCudaComputeCapability, handle)
    parts = list(_parts(nvml, handle))
    link = _link(nvml, handle)
    return [_card(nvml, index, part, (capability[0], capability[1]), link) for part in parts or [handle]]


def _parts(nvml: ModuleType, handle: Any) -> Iterator[Any]:
    """Handles of a card's parts; none where it is whole, or cannot be cut up."""
    current, _ = _told(nvml, (0, 0), nvml.nvmlDeviceGetMigMode, handle)
    if not current:
        return
    for number in range(min(_told(nvml, 0, nvml.nvmlDeviceGetMaxMigDeviceCount, handle), MOST_CARDS)):
        part: Any = _told(nvml, None, nvml.nvmlDeviceGetMigDeviceHandleByIndex, handle, number)
        if part is not None:
            yield part


def _card(nvml: ModuleType, index: int, handle: Any, capability: tuple[int, int], link: str) -> Card:
    name, uuid = _string(nvml.nvmlDeviceGetName, handle), _told(nvml, "", _string, nvml.nvmlDeviceGetUUID, handle)
    total, free, reserved = _memory(nvml, handle)
    processes, ours = _processes(nvml, handle)
    return Card(index, name, total, free, capability, uuid, reserved, processes, ours, link)


def _memory(nvml: ModuleType, handle: Any) -> tuple[int, int, int]:
    """Total, free and reserved bytes; zeros where the driver does not tell.

    Drivers before r510 do not tell what they keep for themselves, and count it as used.
    """
    for version in (nvml.nvmlMemory_v2, None):
        memory: Any = _told(nvml, None, nvml.nvmlDeviceGetMemoryInfo, handle, version)
        if memory is not None:
            return memory.total, memory.free, getattr(memory, "reserved", 0)
    return 0, 0, 0


def _processes(nvml: ModuleType, handle: Any) -> tuple[tuple[CardProcess, ...], int]:
    """Other programs on the card, the largest first, and the bytes of this one.

    A program that both computes and draws is told twice, with the same bytes.
    """
    used: dict[int, int] = {}
    for ask in (nvml.nvmlDeviceGetComputeRunningProcesses, nvml.nvmlDeviceGetGraphicsRunningProcesses):
        processes: list[Any] = _told(nvml, [], ask, handle)
        for process in processes:
            used[process.pid] = max(used.get(process.pid, 0), process.usedGpuMemory or 0)
    ours = used.pop(os.getpid(), 0)
    others = (CardProcess(_process_name(nvml, pid), pid, n_bytes) for pid, n_bytes in used.items())
    return tuple(sorted(others, key=lambda process: (-process.n_bytes, process.process_id))), ours


def _process_name(nvml: ModuleType, process_id: int) -> str:
    """The program's file name without its folder; empty where neither the driver nor the system tells."""
    path = _told(nvml, "", _string, nvml.nvmlSystemGetProcessName, process_id)
    if not path:
        with contextlib.suppress(psutil.Error):
            path = psutil.Process(process_id).name()
    return PurePath(path.replace("\\", "/")).name


def _link(nvml: ModuleType, handle: Any) -> str:
    """The generation both ends can do, since an idle card slows down, with the lanes that are connected."""
    generation = _told(nvml, 0, nvml.nvmlDeviceGetMaxPcieLinkGeneration, handle)
    lanes = _told(nvml, 0, nvml.nvmlDeviceGetCurrPcieLinkWidth, handle)
    return f"{_PCIE[generation]} x{lanes}" if generation in _PCIE and lanes else ""


def _told(nvml: ModuleType, otherwise: _T, ask: Callable[..., _T], *args: Any) -> _T:
    """What NVML tells of one thing, or `otherwise` where it refuses."""
    try:
        return ask(*args)
    except nvml.NVMLError:
        return otherwise


def _string(ask: Callable[..., str | bytes], *args: Any) -> str:
    """A string of NVML, which pynvml decodes as UTF-8; of one that is not, what can be read. Raises NVMLError."""
    try:
        value = ask(*args)
    except UnicodeDecodeError as error:
        value = error.object
    return value.decode(errors="replace") if isinstance(value, bytes) else value


def probe_cupy(
    driver: CardDriver,
    *,
    package: tuple[str, str] | None = None,
    load: Callable[[str], ModuleType] = importlib.import_module,
) -> Cupy:
    """Whether CuPy, if installed, can drive a card of `driver`.

    package  name and version of the distribution; looked up where not given
    load     how a module is imported; given by tests
    """
    name, version = package or installed_cupy()
    if not name:
        return Cupy("not_installed")
    if driver.state != "ok":
        return Cupy(driver.state, name, version, driver.reason)
    if driver.branch < OLDEST_DRIVER_BRANCH.get(name, 0):
        return Cupy("old_driver", name, version, driver.version)
    found = Cupy("usable", name, version)
    if driver.cards and not any(found.serves(card) for card in driver.cards):
        newest = max(card.compute_capability for card in driver.cards)
        return Cupy("too_old", name, version, f"{newest[0]}.{newest[1]}")
    try:
        cupy = load("cupy")
        missing = _missing_compiler_parts(load("cuda.pathfinder"))
    except (ImportError, OSError) as error:
        return Cupy("failed", name, version, str(error))
    if missing:
        return Cupy("no_compiler", name, version, missing)
    try:
        count = cupy.cuda.runtime.getDeviceCount()
        uuids = [cupy.cuda.runtime.getDeviceProperties(number).get("uuid", b"") for number in range(count)]
    except RuntimeError as error:  # CUDARuntimeError, whose class is out of reach where CUDA is
        too_old = "InsufficientDriver" in str(error)
        return Cupy("old_driver" if too_old else "failed", name, version, str(error))
    if not cupy.cuda.is_available():
        return Cupy("no_device", name, version)
    return replace(found, indices=tuple(_matched(uuids, driver.cards)))


def _matched(uuids: Iterable[bytes], cards: Iterable[Card]) -> Iterator[tuple[str, int]]:
    """(NVML's UUID, CUDA's number) of the cards that both know.

    CuPy hands CUDA's 16 bytes over as a C string, which ends before the first zero byte, wherever that is: so the
    beginnings are compared, and count where only one card begins like that. A single card on both sides is the same.
    """
    uuids = list(uuids)
    known = {card.uuid: _uuid_bytes(card.uuid) for card in cards if card.uuid}
    for number, found in enumerate(uuids):
        beginning = found[:16]
        alike = [uuid for uuid, raw in known.items() if beginning and raw.startswith(beginning)]
        if not beginning and len(uuids) == len(known) == 1:
            alike = list(known)
        if len(alike) == 1:
            yield alike[0], number


def _uuid_bytes(uuid: str) -> bytes:
    """Those of a UUID as NVML writes it, GPU-… or MIG-…; empty for the names that older drivers give to parts."""
    found = re.fullmatch(r"(?:GPU|MIG)-([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})", uuid)
    return bytes.fromhex(found.group(1).replace("-", "")) if found else b""


def installed_cupy() -> tuple[str, str]:
    for name in CUPY_PACKAGES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return name, importlib.metadata.version(name)
    return "", ""


def _missing_compiler_parts(pathfinder: ModuleType) -> str:
    """What CuPy would miss when it compiles a kernel: the NVRTC library, the headers; empty where both are there."""
    missing = []
    try:
        pathfinder.load_nvidia_dynamic_lib("nvrtc")
    except RuntimeError:  # DynamicLibNotFoundError
        missing.append("NVRTC")
    if not pathfinder.find_nvidia_header_directory("cudart"):
        missing.append("headers")
    return ", ".join(missing)
