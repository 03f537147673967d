"""Benchmark reports on disk: one JSON file each, in one folder, newest first when listed.

Knows neither Qt nor the terminal. A file that cannot be read is named, never deleted.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from engine.benchmark_report import BenchmarkReport, report_from_json, report_to_json
from engine.errors import DamagedFile, EngineError, FileMissing

SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A file of the history: its report, or why it cannot be read."""

    path: Path
    report: BenchmarkReport | None
    problem: EngineError | None = None


def save_report(folder: Path, report: BenchmarkReport) -> Path:
    """Write the report under its own time and subject; returns where. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    moment = re.sub(r"[^0-9T]", "", report.created[:19])
    name = re.sub(r"[^a-z0-9.]+", "-", (report.subject.shape or report.subject.name).lower()).strip("-.")[:60]
    base = f"{moment}-{name or 'model'}"
    for number in range(1, 1000):
        path = folder / f"{base}{'' if number == 1 else f'-{number}'}{SUFFIX}"
        if not path.exists():
            break
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        partial.write_text(report_to_json(report), encoding="utf-8")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def read_history(folder: Path) -> list[KeptReport]:
    """All reports, newest first; a folder that is not there holds none. Raises OSError where it cannot be listed."""
    if not folder.exists():
        return []
    paths = sorted((p for p in folder.iterdir() if p.suffix == SUFFIX and not p.name.startswith(".")), reverse=True)
    return [_read(path) for path in paths]


def _read(path: Path) -> KeptReport:
    try:
        return KeptReport(path, report_from_json(path.read_text(encoding="utf-8"), str(path)))
    except OSError as error:
        return KeptReport(path, None, FileMissing(str(path), error.strerror or str(error)))
    except UnicodeDecodeError:
        return KeptReport(path, None, DamagedFile(str(path), "its text is not in UTF-8"))
    except DamagedFile as error:
        return KeptReport(path, None, error)
