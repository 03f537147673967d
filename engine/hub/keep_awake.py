"""Keeps the system from going to sleep while models are downloaded, where the system lets a program ask for that.

Linux: an inhibitor of systemd-logind, held by a process that ends with its standard input, so with us, however we end.
macOS: `caffeinate`, which watches for our end. Windows: the execution state of a thread that waits meanwhile. Each is
optional: where it is absent or refuses, downloads go on, and the system may sleep.
"""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Protocol

_WHY = "Downloading a model"
_END_S = 2.0
_ES_CONTINUOUS, _ES_SYSTEM_REQUIRED = 0x80000000, 0x00000001


class Inhibitor(Protocol):
    """Something that keeps the system awake from when it was made until `end`."""

    @property
    def is_held(self) -> bool: ...
    def end(self) -> None: ...


class KeepAwake:
    """Asks the system to stay awake, and takes it back. To be called from one thread.

    `inhibit` makes an inhibitor, or gives None where this system has none.
    """

    def __init__(self, inhibit: Callable[[], Inhibitor | None] | None = None) -> None:
        self._inhibit = inhibit or inhibitor_of(sys.platform)
        self._held: Inhibitor | None = None
        self._is_wanted = False

    @property
    def is_awake(self) -> bool:
        """Whether the system has been asked and has not refused."""
        return self._held is not None and self._held.is_held

    def want(self, wanted: bool) -> None:
        """Keep awake from now on, or no more. A system that refused is not asked again until the next time."""
        if wanted == self._is_wanted:
            return
        self._is_wanted = wanted
        if wanted:
            self._held = self._inhibit()
        elif self._held is not None:
            self._held.end()
            self._held = None


def inhibitor_of(platform: str, find: Callable[[str], str | None] = shutil.which) -> Callable[[], Inhibitor | None]:
    """How a system is kept awake; `find` gives the path of a program."""
    if platform == "win32":
        return ExecutionState
    if platform == "darwin":
        return lambda: _by_program(find, ["caffeinate", "-i", "-w", str(os.getpid())])
    return lambda: _by_program(
        find, ["systemd-inhibit", "--what=sleep:idle", "--who=Ember", f"--why={_WHY}", "--mode=block", "cat"]
    )


class ProgramInhibitor:
    """A program that keeps the system awake for as long as it runs."""

    def __init__(self, command: list[str]) -> None:
        """Raises OSError where it cannot be started."""
        self._process = subprocess.Popen(  # noqa: S603 - found on the system's path, arguments of ours
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    @property
    def is_held(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.terminate()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class ExecutionState:
    """Windows keeps awake for as long as the thread that asked lives; `set_state` is SetThreadExecutionState."""

    def __init__(self, set_state: Callable[[int], int] | None = None) -> None:
        self._set_state = set_state or _windows_set_state()
        self._ended = threading.Event()
        self._asked = threading.Event()
        self.is_held = False
        self._thread = threading.Thread(target=self._hold, name="ember-keep-awake", daemon=True)
        self._thread.start()
        self._asked.wait(_END_S)

    def end(self) -> None:
        self._ended.set()
        self._thread.join(_END_S)

    def _hold(self) -> None:
        self.is_held = bool(self._set_state(_ES_CONTINUOUS | _ES_SYSTEM_REQUIRED))
        self._asked.set()
        self._ended.wait()
        self._set_state(_ES_CONTINUOUS)
        self.is_held = False


def _windows_set_state() -> Callable[[int], int]:
    import ctypes

    library = getattr(ctypes, "windll", None)
    if library is None:  # no Windows
        return lambda state: 0
    return lambda state: int(library.kernel32.SetThreadExecutionState(state))


def _by_program(find: Callable[[str], str | None], command: list[str]) -> Inhibitor | None:
    path = find(command[0])
    if path is None:
        return None
    try:
        return ProgramInhibitor([path, *command[1:]])
    except OSError:
        return None
