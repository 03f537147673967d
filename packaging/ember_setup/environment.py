"""The virtual environment and what set-up remembers about it.

All of set-up's own files lie in `.venv/ember-setup`: the record of finished steps, the log, the lock. A step is
written down as running before it starts and as done after it ended, so a kill at any moment leaves a record that says
what may be half done: a half-made environment is made again, half-installed packages are found by their file lists and
installed again.
"""

import csv
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

SETUP_FOLDER = "ember-setup"
LOCKED_BYTE = 1 << 20  # beyond the file's end: Windows forbids others to read a locked byte, and the pid is to be read


@dataclass(frozen=True)
class Venv:
    """Where things are in the environment of the checkout at `root`; nothing here needs to exist yet."""

    root: Path
    windows: bool = sys.platform == "win32"

    @property
    def folder(self) -> Path:
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        return self.folder / "Scripts" / "python.exe" if self.windows else self.folder / "bin" / "python"

    @property
    def setup(self) -> Path:
        return self.folder / SETUP_FOLDER

    @property
    def log(self) -> Path:
        return self.setup / "setup.log"

    @property
    def record(self) -> Path:
        return self.setup / "record.json"

    @property
    def lock(self) -> Path:
        return self.setup / "lock"

    def site_packages(self, version: tuple[int, int]) -> Path:
        if self.windows:
            return self.folder / "Lib" / "site-packages"
        return self.folder / "lib" / f"python{version[0]}.{version[1]}" / "site-packages"


@dataclass(frozen=True)
class Failure:
    """A step that Ember can do without failed `count` times in a row, last at `when` (seconds since 1970)."""

    key: str
    count: int
    when: float


@dataclass
class Record:
    """Steps done, by name and key; the step that runs; what failed; what the driver said when last asked."""

    done: dict[str, str] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    running: str = ""
    driver_fingerprint: str = ""
    cuda_extra: str = ""

    @classmethod
    def read(cls, path: Path) -> "Record":
        """An unreadable record counts as an empty one whose last step was cut short."""
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            failures = {name: Failure(**failure) for name, failure in values.pop("failures", {}).items()}
            return cls(failures=failures, **values)
        except FileNotFoundError:
            return cls()
        except (ValueError, TypeError, AttributeError):
            return cls(running="unknown")

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(".new")
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)


def venv_key(root: Path, version: tuple[int, int]) -> str:
    """An environment belongs to one Python and one folder: its scripts name both."""
    return f"python{version[0]}.{version[1]} {root}"


def empty_venv(venv: Venv) -> None:
    """Remove a half-made or outdated environment, but not set-up's own files: another set-up may wait on the lock."""
    for entry in _entries(venv):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def set_aside(venv: Venv) -> Path:
    """Move an environment that someone else made, and that does not serve, to a folder beside it."""
    number = 1
    while (aside := venv.root / f".venv.old{number}").exists():
        number += 1
    aside.mkdir()
    for entry in _entries(venv):
        entry.replace(aside / entry.name)
    return aside


def is_foreign(venv: Venv, record: Record) -> bool:
    """True for an environment that set-up neither made nor began to make."""
    return bool(_entries(venv)) and "venv" not in record.done and not record.running


def _entries(venv: Venv) -> list[Path]:
    return [entry for entry in venv.folder.iterdir() if entry.name != SETUP_FOLDER] if venv.folder.exists() else []


def distribution(name: str, version: str) -> str:
    """One spelling for a distribution, whatever case and dashes it is written with, and whatever build it is."""
    return f"{re.sub(r'[-_.]+', '-', name)}-{version.split('+')[0]}".lower()


def installed_distributions(site_packages: Path) -> frozenset[str]:
    """What is installed, by the names of the folders that say so."""
    pairs = (path.name.removesuffix(".dist-info").rsplit("-", 1) for path in site_packages.glob("*.dist-info"))
    return frozenset(distribution(*pair) for pair in pairs if len(pair) == 2)


def remove_damaged(site_packages: Path) -> tuple[str, ...]:
    """Make pip forget packages whose installation was cut short, so that it installs them again; returns their names.

    pip writes a package's file list (RECORD) last. A package without one, or with files missing or of another size, was
    caught half-way in or half-way out; folders beginning with `~` are what pip had moved out of the way.
    """
    for leftover in site_packages.glob("~*"):
        shutil.rmtree(leftover, ignore_errors=True)
    damaged = [info for info in sorted(site_packages.glob("*.dist-info")) if not _is_whole(info)]
    for info in damaged:
        shutil.rmtree(info)
    return tuple(info.name.split("-")[0] for info in damaged)


def _is_whole(info: Path) -> bool:
    record = info / "RECORD"
    if not record.exists() or not (info / "METADATA").exists():
        return False
    with record.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    return all(_is_there(info.parent / row[0], row[2] if len(row) == 3 else "") for row in rows)


def _is_there(path: Path, size: str) -> bool:
    if path.suffix == ".pyc":
        return True  # compiled anew by whoever imports it
    try:
        return not size or path.stat().st_size == int(size)
    except FileNotFoundError:
        return False


@contextmanager
def setup_lock(venv: Venv, say: Callable[[str], None], pause_s: float = 0.2) -> Iterator[int]:
    """Hold the one right to change the environment; waits for another set-up, and says so.

    The operating system's file lock decides, so the lock of a killed process is free at once whatever its file says.
    The process id in the file is for the message. Yields the file descriptor: children that write into the environment
    get it too (on POSIX), so that a pip that outlives a killed set-up still keeps others out.
    """
    venv.setup.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(venv.lock, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _try_lock(descriptor):
            say(f"{_holder(venv.lock)} is setting Ember up in {venv.folder}; waiting for it.")
            while not _try_lock(descriptor):
                time.sleep(pause_s)
            say("It has finished; going on.")
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield descriptor
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _holder(lock: Path) -> str:
    text = lock.read_text(encoding="ascii", errors="replace").strip()
    if not text.isdigit():
        return "Another process"
    if sys.platform != "win32" and not _is_alive(int(text)):
        return f"A command that process {text} left behind"
    return f"Process {text}"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
