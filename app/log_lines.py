"""What window and engine wrote down, as lines: when, how serious, from where.

Owns reading the end of a log and telling its lines apart; a file is never read whole. A line without a head of its own,
as in the trace of an error, belongs to the one before. Knows no Qt.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

MOST_LINES = 5000
MOST_BYTES = 1_000_000
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

_HEAD = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:[,.]\d+)? +(DEBUG|INFO|WARNING|ERROR|CRITICAL)\b[ :]*(.*)")


@dataclass(frozen=True, slots=True)
class LogLine:
    """`moment` sorts as text; it is that of the line before where a line has none. `source` names the log."""

    source: str
    moment: str
    level: str
    text: str

    @property
    def written(self) -> str:
        return f"{self.moment[11:]} {self.source} {self.text}" if self.moment else f"{self.source} {self.text}"


class LogTail:
    """The end of one log, read on as it grows; one that was begun anew is read from its beginning."""

    def __init__(self, path: Path, source: str) -> None:
        self.path = path
        self.source = source
        self._at = 0
        self._identity: int | None = None
        self._rest = b""
        self._moment = ""
        self._level = "INFO"

    def read(self) -> list[LogLine]:
        """The lines since the last call; the first time those at the end of the file."""
        try:
            with self.path.open("rb") as file:
                return self._lines(self._new_bytes(file))
        except OSError:  # there is none yet, or none that can be read: the page says where it looked
            return []

    def _new_bytes(self, file: BufferedReader) -> bytes:
        status = os.fstat(file.fileno())
        if self._identity not in (None, status.st_ino) or status.st_size < self._at:
            self._at, self._rest = 0, b""
        self._identity = status.st_ino
        begins_inside = status.st_size - self._at > MOST_BYTES
        if begins_inside:
            self._at, self._rest = status.st_size - MOST_BYTES, b""
        file.seek(self._at)
        data = self._rest + file.read(MOST_BYTES)
        self._at = file.tell()
        if begins_inside:  # in the middle of a line
            data = data.partition(b"\n")[2]
        whole, newline, self._rest = data.rpartition(b"\n")
        return whole + newline

    def _lines(self, data: bytes) -> list[LogLine]:
        lines = []
        for raw in data.decode("utf-8", "replace").splitlines():
            head = _HEAD.match(raw)
            if head is not None:
                self._moment, self._level = head[1], head[2]
                lines.append(LogLine(self.source, self._moment, self._level, f"{head[2]} {head[3]}"))
            elif raw.strip():
                lines.append(LogLine(self.source, self._moment, self._level, raw))
        return lines[-MOST_LINES:]


def merged(*logs: Iterable[LogLine]) -> list[LogLine]:
    """In the order of time; lines of one log keep their order. The newest MOST_LINES."""
    return sorted((line for log in logs for line in log), key=lambda line: line.moment)[-MOST_LINES:]


def matching(lines: Iterable[LogLine], level: str, wanted: str = "") -> list[LogLine]:
    """Those at least as serious as `level` that hold every word looked for."""
    words = wanted.casefold().split()
    least = LEVELS.index(level)
    return [
        line
        for line in lines
        if LEVELS.index(line.level) >= least and all(word in line.written.casefold() for word in words)
    ]
