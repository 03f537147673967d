"""What was measured of this machine's memories and cards, and the file that it is kept in, beside the compiled kernels.

Apart from `probe.py`, which measures, so that the doctor can read it without loading a compiler. An entry is good for
one machine, its share of it, one driver and one card; anything that cannot be read counts as not measured, and costs
the time of measuring again.
"""

import contextlib
import importlib.metadata
import logging
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

from engine.errors import DamagedFile, LibraryNotWritable
from engine.model.array_file import write_whole
from engine.placement.hardware import DeviceInfo
from engine.placement_reports import MachineSpeeds
from engine.plain_json import from_json, to_json

FILE_NAME = "speeds.json"
# Of the file and of how it is measured: raised when older figures are no longer comparable.
SCHEMA_VERSION = 1
_KEPT = 8
_MOST_BYTES = 1 << 20

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Measured:
    """One machine with one card, or with none.

    key            as `machine_key`
    context_bytes  of the card, that a context with the compiled modules was found to take; 0 where not found yet
    """

    key: str
    speeds: MachineSpeeds | None = None
    context_bytes: int = 0


@dataclass(frozen=True, slots=True)
class _File:
    schema: int
    machines: tuple[Measured, ...]


def machine_key(machine: DeviceInfo, card_uuid: str) -> str:
    """What a measurement is good for: this processor, how much of it we may use, this card, driver and versions."""
    processor = machine.processor
    quota = "no quota" if processor.quota_cores is None else f"quota {processor.quota_cores:g}"
    return " | ".join(
        (
            processor.model, processor.architecture, f"{psutil.cpu_count(logical=False)} cores",
            f"{processor.usable_cores} usable", quota, f"numba {_version('numba')}",
            f"driver {machine.driver.version}",
            f"{machine.cupy.package} {machine.cupy.version}", card_uuid or "no card",
        )
    )  # fmt: skip


def stored(folder: Path, key: str) -> Measured:
    """What is kept under `key`; nothing measured where there is no file, no such entry, or the file is damaged."""
    return next((measured for measured in _read(folder) if measured.key == key), Measured(key))


def keep_speeds(folder: Path, key: str, speeds: MachineSpeeds) -> None:
    """A file that cannot be written is done without."""
    _keep(folder, replace(stored(folder, key), speeds=speeds))


def keep_context_bytes(folder: Path, key: str, n_bytes: int) -> None:
    """What a context on the card has been found to take: its free memory before and after, less what was allocated."""
    _keep(folder, replace(stored(folder, key), context_bytes=max(0, n_bytes)))


def _keep(folder: Path, measured: Measured) -> None:
    others = [kept for kept in _read(folder) if kept.key != measured.key]
    machines = (*others, measured)[-_KEPT:]
    try:
        write_whole(folder / FILE_NAME, to_json(_File(SCHEMA_VERSION, machines)).encode())
    except LibraryNotWritable as error:
        log.warning("measured speeds cannot be kept (%s): they are measured again", error.reason)


def _read(folder: Path) -> tuple[Measured, ...]:
    path = folder / FILE_NAME
    with contextlib.suppress(OSError, UnicodeDecodeError, DamagedFile):
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode("utf-8")
        kept = from_json(_File, text, str(path), SCHEMA_VERSION, "measured speeds")
        return tuple(measured for measured in kept.machines if _is_sane(measured))
    return ()


# What no machine reaches: bytes/s, seconds, bytes.
_LEAST_RATE, _MOST_RATE = 1e5, 1e15
_LEAST_S, _MOST_S = 1e-10, 10.0
_MOST_CONTEXT_BYTES = 1 << 40


def _is_sane(measured: Measured) -> bool:
    """Numbers that a measurement can give: for a card either all of them or none."""
    speeds = measured.speeds
    if not 0 <= measured.context_bytes < _MOST_CONTEXT_BYTES:
        return False
    if speeds is None:
        return True
    rates = (speeds.card_bytes_per_s, speeds.upload_bytes_per_s, speeds.download_bytes_per_s)
    times = (speeds.launch_s, speeds.round_trip_s)
    has_processor = bool(speeds.cpu) and all(
        rate.n_threads >= 1 and _LEAST_RATE < rate.bytes_per_s < _MOST_RATE for rate in speeds.cpu
    )
    if not speeds.card_uuid:
        return has_processor and not any((*rates, *times))
    has_card = all(_LEAST_RATE < rate < _MOST_RATE for rate in rates) and all(_LEAST_S < s < _MOST_S for s in times)
    return has_processor and has_card


def _version(package: str) -> str:
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(package)
    return "none"
