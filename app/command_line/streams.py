"""The standard streams, as a command finds them: closed ones, other encodings, readers that went away."""

import contextlib
import errno
import io
import os
import sys
from typing import TextIO


class ClosedStream(io.TextIOBase):
    """Stands for a standard stream the program was started without: using it says so."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._error = OSError(errno.EBADF, f"the standard {name} is closed")

    def refuse(self) -> None:
        raise self._error

    def write(self, _text: str) -> int:
        raise self._error

    def read(self, _size: int | None = -1) -> str:
        raise self._error

    def readline(self, _size: int = -1) -> str:  # type: ignore[override]
        raise self._error


def replace_closed_streams() -> None:
    """Nothing that is opened later takes the place of a closed stream; what would be said beside it is said nowhere."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (taken := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(taken, True)  # the engine's process needs them as well
        os.close(taken)
    sys.stdin = sys.stdin or ClosedStream("input")
    sys.stdout = sys.stdout or ClosedStream("output")
    sys.stderr = sys.stderr or io.StringIO()


def use_utf8() -> None:
    """Text goes in and out as UTF-8 whatever the locale, also through Windows pipes."""
    streams: tuple[tuple[TextIO, str], ...] = ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "replace"))
    for stream, errors in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def drop_output() -> None:
    """Python would complain once more when it flushes the stream at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
