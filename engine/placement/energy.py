"""Energy counters: what the processor and a card have taken between two moments.

Linux hands out the processor's counter under powercap, on most systems to root only; NVML counts a card's. What is not
there, or may not be read, is None and never guessed. Counters are the whole machine's, other programs included.
"""

import importlib
from dataclasses import dataclass
from pathlib import Path

POWERCAP = Path("/sys/class/powercap")
# Zones that do not overlap: cores and graphics are parts of a package, and psys is all of it again.
_PACKAGE, _MEMORY = "package-", "dram"


@dataclass(frozen=True, slots=True)
class EnergyReading:
    """Counters at one moment: (zone, microjoules) of the processor, and the card's millijoules."""

    zones: tuple[tuple[Path, int], ...] = ()
    card_mj: int | None = None


def read_energy(card_uuid: str = "", powercap: Path = POWERCAP) -> EnergyReading:
    """What the counters say now; of a card where one is named."""
    return EnergyReading(_zones(powercap), _card_millijoules(card_uuid) if card_uuid else None)


def joules_between(before: EnergyReading, after: EnergyReading) -> tuple[float | None, float | None]:
    """Of the processor and of the card; None where one of the readings lacks a counter."""
    then, now = dict(before.zones), dict(after.zones)
    processor = None
    if then and then.keys() == now.keys():
        processor = sum(_grown(zone, then[zone], now[zone]) for zone in then) / 1e6
    card = None
    if before.card_mj is not None and after.card_mj is not None and after.card_mj >= before.card_mj:
        card = (after.card_mj - before.card_mj) / 1e3
    return processor, card


def _zones(powercap: Path) -> tuple[tuple[Path, int], ...]:
    found = []
    try:
        for zone in sorted(powercap.iterdir()):
            name = _text(zone / "name")
            if name.startswith(_PACKAGE) or name == _MEMORY:
                found.append((zone, int(_text(zone / "energy_uj"))))
    except (OSError, ValueError):  # no such counters, or root's alone
        return ()
    return tuple(found)


def _grown(zone: Path, before: int, after: int) -> int:
    """Microjoules since; a counter that has begun anew went up to its range first."""
    if after >= before:
        return after - before
    try:
        return after - before + int(_text(zone / "max_energy_range_uj"))
    except (OSError, ValueError):
        return 0


def _text(path: Path) -> str:
    return path.read_text(encoding="ascii").strip() if path.is_file() else ""


def _card_millijoules(uuid: str) -> int | None:
    nvml = importlib.import_module("pynvml")
    try:
        nvml.nvmlInit()
    except nvml.NVMLError:
        return None
    try:
        return int(nvml.nvmlDeviceGetTotalEnergyConsumption(nvml.nvmlDeviceGetHandleByUUID(uuid)))
    except nvml.NVMLError:  # a card before Volta, or a part of one
        return None
    finally:
        nvml.nvmlShutdown()
