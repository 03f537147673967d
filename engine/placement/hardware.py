"""What this machine is: processor, memory, limits of its container, NVIDIA cards, and whether CuPy can use them.

Only probes; nothing is decided or said in words here. NVML tells about cards without making a CUDA context on them, so
it is asked first and CuPy last. CuPy is imported inside the one function that needs it: a machine without it, or
without a card, is a normal case. Four ways in which a card may be out of reach are kept apart, because each has its own
remedy: no driver, a driver too old, no CUDA compiler or headers beside CuPy, and a driver without any card.
"""

import contextlib
import ctypes
import importlib
import importlib.metadata
import platform
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import psutil

from engine.placement.cores import usable_processors

# https://docs.nvidia.com/deploy/cuda-compatibility/: the first driver branch of each CUDA version
OLDEST_DRIVER_BRANCH = {"cupy-cuda12x": 525, "cupy-cuda13x": 580}
CUPY_PACKAGES = ("cupy-cuda13x", "cupy-cuda12x")
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
    index: int
    name: str
    memory_bytes: int
    free_bytes: int
    compute_capability: tuple[int, int]


@dataclass(frozen=True, slots=True)
class CardDriver:
    """What NVML says.

    state    ok, no_driver, no_device, or failed (`reason` holds NVML's words)
    version  of the driver, such as 580.65.06; empty where none answers
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

    state    usable, not_installed, no_driver, old_driver, no_device, no_compiler, or failed (`reason` says how)
    package  the distribution that is installed, cupy-cuda13x for instance
    """

    state: str
    package: str = ""
    version: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    processor: Processor
    memory: Memory
    driver: CardDriver
    cupy: Cupy


def probe_machine() -> DeviceInfo:
    """Look at everything; takes some ten milliseconds, or about half a second where CuPy is installed."""
    driver = probe_driver(importlib.import_module("pynvml"))
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


def probe_driver(nvml: ModuleType) -> CardDriver:
    """Ask the driver for its version and cards; `nvml` is the module pynvml."""
    try:
        nvml.nvmlInit()
    except (nvml.NVMLError_LibraryNotFound, nvml.NVMLError_DriverNotLoaded):
        return CardDriver("no_driver")
    except nvml.NVMLError as error:
        return CardDriver("failed", reason=str(error))
    try:
        version = _string(nvml.nvmlSystemGetDriverVersion())
        cards = tuple(_card(nvml, index) for index in range(nvml.nvmlDeviceGetCount()))
    except nvml.NVMLError as error:
        return CardDriver("failed", reason=str(error))
    finally:
        with contextlib.suppress(nvml.NVMLError):
            nvml.nvmlShutdown()
    return CardDriver("ok" if cards else "no_device", version, cards)


def _card(nvml: ModuleType, index: int) -> Card:
    handle = nvml.nvmlDeviceGetHandleByIndex(index)
    memory = nvml.nvmlDeviceGetMemoryInfo(handle)
    major, minor = nvml.nvmlDeviceGetCudaComputeCapability(handle)
    return Card(index, _string(nvml.nvmlDeviceGetName(handle)), memory.total, memory.free, (major, minor))


def _string(value: str | bytes) -> str:
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
    try:
        cupy = load("cupy")
        missing = _missing_compiler_parts(load("cuda.pathfinder"))
    except (ImportError, OSError) as error:
        return Cupy("failed", name, version, str(error))
    if missing:
        return Cupy("no_compiler", name, version, missing)
    try:
        cupy.cuda.runtime.getDeviceCount()
    except RuntimeError as error:  # CUDARuntimeError, whose class is out of reach where CUDA is
        too_old = "InsufficientDriver" in str(error)
        return Cupy("old_driver" if too_old else "failed", name, version, str(error))
    return Cupy("usable" if cupy.cuda.is_available() else "no_device", name, version)


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
