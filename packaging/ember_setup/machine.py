"""What set-up needs to know about the machine: its system, its display, its package manager, its NVIDIA driver.

Only reads; what follows from the facts is decided in `plan.py`. Facts that cost time (does sudo ask for a password?)
are functions to be called when the answer matters.
"""

import ctypes
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Driver:
    """An NVIDIA driver that answered: its version (580.65.06) where known, and the CUDA version it was made for."""

    version: str = ""
    cuda: tuple[int, int] | None = None

    @property
    def branch(self) -> int:
        """580 for 580.65.06; for a driver that only told its CUDA version, the first branch that had it."""
        if self.version:
            return int(self.version.split(".")[0])
        first_branch = {13: 580, 12: 525, 11: 450}
        return first_branch.get(self.cuda[0], 0) if self.cuda else 0


def system_name() -> str:
    """linux, windows or macos; any other Unix is treated as linux without package names."""
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")


def display_kinds(system: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Which window systems there are: x11 and wayland on Linux, `native` elsewhere; empty without a screen."""
    if system != "linux":
        return ("native",)
    kinds = []
    if environment.get("DISPLAY"):
        kinds.append("x11")
    if environment.get("WAYLAND_DISPLAY"):
        kinds.append("wayland")
    return tuple(kinds)


def package_manager() -> str:
    for command, name in (("apt-get", "apt"), ("dnf", "dnf"), ("pacman", "pacman")):
        if shutil.which(command):
            return name
    return ""


def root_prefix() -> tuple[str, ...] | None:
    """What to put before a command that needs root: nothing for root, sudo where it asks no password, else None."""
    if not hasattr(os, "geteuid"):
        return None
    if os.geteuid() == 0:
        return ()
    sudo = shutil.which("sudo")
    if sudo is None:
        return None
    asked = subprocess.run([sudo, "-n", "true"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return ("sudo", "-n") if asked.returncode == 0 else None


def has_ensurepip() -> bool:
    return importlib.util.find_spec("ensurepip") is not None


def base_python() -> str:
    """The interpreter below any virtual environment this may run in."""
    return getattr(sys, "_base_executable", "") or sys.executable


def installed_debian_packages(names: tuple[str, ...]) -> tuple[str, ...]:
    command = ["dpkg-query", "--show", "--showformat=${Package} ${db:Status-Status}\\n", *names]
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    rows = (line.split() for line in answer.stdout.splitlines())
    return tuple(row[0] for row in rows if len(row) == 2 and row[1] == "installed")


def driver_fingerprint(system: str) -> str:
    """A text that changes when the NVIDIA driver does, read without waking the card; "" where there is no such sign."""
    if system == "windows":
        library = Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "nvml.dll"
        return f"{library.stat().st_size}-{library.stat().st_mtime_ns}" if library.exists() else "none"
    module = Path("/sys/module/nvidia/version")
    if system == "linux" and module.exists():
        return f"{module.read_text().strip()} {Path('/dev/nvidiactl').exists()}"
    return ""


def nvidia_driver(system: str) -> Driver | None:
    """Ask the driver itself: NVML first, then nvidia-smi, then libcuda; None where none of them answers."""
    if system == "macos":
        return None
    version = _version_by_nvml(system) or _version_by_nvidia_smi()
    if version:
        return Driver(version=version)
    cuda = _cuda_version_by_libcuda(system)
    return Driver(cuda=cuda) if cuda else None


def _version_by_nvml(system: str) -> str:
    try:
        nvml = ctypes.CDLL("nvml.dll" if system == "windows" else "libnvidia-ml.so.1")
    except OSError:
        return ""
    if nvml.nvmlInit_v2() != 0:
        return ""
    text = ctypes.create_string_buffer(96)
    count = ctypes.c_uint(0)
    told = nvml.nvmlSystemGetDriverVersion(text, ctypes.c_uint(len(text))) == 0
    has_card = nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0 and count.value > 0
    nvml.nvmlShutdown()
    return text.value.decode() if told and has_card else ""


def _version_by_nvidia_smi() -> str:
    command = shutil.which("nvidia-smi")
    if command is None:
        return ""
    query = [command, "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(
            query, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.match(r"\d+(\.\d+)+", answer.stdout.strip())
    return found.group() if found and answer.returncode == 0 else ""


def _cuda_version_by_libcuda(system: str) -> tuple[int, int] | None:
    try:
        cuda = ctypes.CDLL("nvcuda.dll" if system == "windows" else "libcuda.so.1")
    except OSError:
        return None
    version, count = ctypes.c_int(0), ctypes.c_int(0)
    answers = (
        cuda.cuInit(0) == 0
        and cuda.cuDriverGetVersion(ctypes.byref(version)) == 0
        and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0
    )
    if not answers or count.value == 0:
        return None
    return version.value // 1000, version.value % 1000 // 10
