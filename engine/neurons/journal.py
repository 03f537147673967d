"""What a long study has found so far, record by record, so that it can be ended at any moment and go on from there.

One file of JSON lines: first what the records belong to, then one record a line, each with the time the study had run.
A line is appended whole or is found torn when the file is opened again, and is then dropped with whatever follows it.
Records of other settings, other weights or another version are never gone on with.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from engine.errors import LibraryNotWritable
from engine.model.array_file import write_whole

VERSION = 1
FILE_NAME = "journal.jsonl"


class Journal:
    """Records of one study by key; values are what JSON can hold, and floats come back with every bit."""

    def __init__(self, folder: Path, belongs_to: dict[str, Any]) -> None:
        """`belongs_to` must be equal for records to be gone on with. Raises LibraryNotWritable."""
        self._path = folder / FILE_NAME
        self._records: dict[str, Any] = {}
        self.elapsed_s = 0.0
        settings = json.dumps(belongs_to, sort_keys=True)
        first = json.dumps({"version": VERSION, "of": hashlib.sha256(settings.encode()).hexdigest()})
        write_whole(self._path, (self._read(first) or first + "\n").encode())

    def __contains__(self, key: str) -> bool:
        return key in self._records

    def get(self, key: str) -> Any:
        """The value put under this key. Raises KeyError."""
        return self._records[key]

    def put(self, key: str, value: Any, elapsed_s: float) -> None:
        """Keep a value for good; `elapsed_s` is how long the study has run. Raises LibraryNotWritable."""
        line = json.dumps([key, value, elapsed_s]) + "\n"
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise LibraryNotWritable(str(self._path), error.strerror or str(error)) from error
        self._records[key], self.elapsed_s = value, elapsed_s

    def _read(self, first: str) -> str:
        """Take in the records; returns the part of the file that can be trusted."""
        try:
            lines = self._path.read_text(encoding="utf-8").splitlines(keepends=True)
        except (OSError, UnicodeDecodeError):
            return ""
        if not lines or lines[0] != first + "\n":
            return ""
        for n, line in enumerate(lines[1:], 1):
            try:
                key, value, elapsed_s = json.loads(line)
                if not line.endswith("\n") or not isinstance(key, str):
                    raise ValueError(line)
                self._records[key], self.elapsed_s = value, float(elapsed_s)
            except (ValueError, TypeError, RecursionError):
                return "".join(lines[:n])
        return "".join(lines)
