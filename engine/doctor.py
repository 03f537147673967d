"""A check-up of this machine: can Ember work here, how well, and what stands in its way.

Returns codes and fields, no prose: the terminal says them in words. Reads only; the one thing it computes is the
starter model's checksum. Nothing is left behind: the folders it asks about are not made.

A `problem` is something because of which Ember, or a part of it that a person has, does not work. A `note` is worth
knowing and costs something (speed, a card that lies idle). Everything else is `ok`.
"""

import contextlib
import ctypes
import importlib.metadata
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError
from engine.hub.library import Library, LibraryEntry
from engine.hub.starter import STARTER_BYTES, STARTER_PACKAGE, STARTER_SHA256, find_starter, verify_starter
from engine.messages import EngineConfig
from engine.placement.cores import compute_threads
from engine.placement.devices import card_facts, choose_card
from engine.placement.hardware import (
    DRIVER_LIMIT_S,
    Card,
    CardDriver,
    Cupy,
    DeviceInfo,
    Memory,
    Processor,
    probe_machine,
    probe_processor,
)
from engine.placement.speeds_file import machine_key, stored
from engine.placement_reports import MachineSpeeds
from engine.runtime.tuning_file import latest

OK, NOTE, PROBLEM = "ok", "note", "problem"

# The starter model needs less of both; a load or a packing states its own need exactly.
ENOUGH_MEMORY_BYTES = 1 << 30
ENOUGH_DISK_BYTES = 512 << 20
LOCK_FILES = Path(__file__).resolve().parent.parent / "packaging" / "lock"
SHOWN_LIBRARIES = (
    "numpy", "numba", "llvmlite", "pyside6-essentials", "gguf", "tokenizers", "sentencepiece", "jinja2",
    "prompt-toolkit", "torch",
)  # fmt: skip
# What PySide6's windows load from a Linux system; packaging/ember_setup/qt_libraries.py knows the packages' names.
QT_SONAMES = (
    "libEGL.so.1", "libGL.so.1", "libxkbcommon.so.0", "libfontconfig.so.1", "libfreetype.so.6", "libdbus-1.so.3",
    "libglib-2.0.so.0", "libX11.so.6", "libX11-xcb.so.1", "libxcb-cursor.so.0", "libxcb-icccm.so.4",
    "libxcb-image.so.0", "libxcb-keysyms.so.1", "libxcb-randr.so.0", "libxcb-render-util.so.0", "libxcb-shape.so.0",
    "libxcb-sync.so.1", "libxcb-util.so.1", "libxcb-xfixes.so.0", "libxcb-xkb.so.1", "libxkbcommon-x11.so.0",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact, as a code and plain values."""

    level: str
    code: str
    fields: tuple[tuple[str, str | int], ...] = ()

    def field(self, name: str) -> str | int:
        return dict(self.fields)[name]


@dataclass(frozen=True, slots=True)
class Section:
    """`name` is one of processor, memory, card, speeds, libraries, kernels, models, window."""

    name: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class DoctorReport:
    sections: tuple[Section, ...]

    @property
    def problems(self) -> tuple[Finding, ...]:
        return tuple(f for section in self.sections for f in section.findings if f.level == PROBLEM)


def inspect_machine(config: EngineConfig, *, has_screen: bool = True) -> DoctorReport:
    """Look at everything; takes about a second. Without a screen, what windows need is only worth a note."""
    machine = probe_machine()
    sonames = QT_SONAMES if sys.platform == "linux" else ()
    return DoctorReport(
        (
            Section("processor", processor_findings(machine.processor)),
            Section("memory", memory_findings(machine.memory)),
            Section("card", card_findings(machine)),
            Section("speeds", speed_findings(_kept_speeds(config, machine))),
            Section(
                "libraries", library_findings(installed_versions(), locked_versions("run"), locked_versions("torch"))
            ),
            Section("kernels", kernel_findings(config)),
            Section("models", model_findings(Path(config.library_dir))),
            Section("window", window_findings(sonames, has_screen=has_screen)),
        )
    )


def finding(level: str, code: str, /, **fields: str | int) -> Finding:
    return Finding(level, code, tuple(fields.items()))


def processor_findings(processor: Processor) -> tuple[Finding, ...]:
    found = [
        finding(OK, "processor", model=processor.model, architecture=processor.architecture),
        finding(
            OK, "cores", physical=processor.physical_cores, logical=processor.logical_cores,
            usable=processor.usable_cores,
        ),
    ]  # fmt: skip
    if processor.quota_cores is not None and processor.quota_cores < processor.logical_cores:
        found.append(finding(NOTE, "processor_quota", cores=f"{processor.quota_cores:g}"))
    fast = {"x86_64": "AVX2", "AMD64": "AVX2", "aarch64": "NEON", "arm64": "NEON"}.get(processor.architecture, "")
    if fast and fast not in processor.features:
        found.append(finding(NOTE, "no_fast_vectors", wanted=fast, features=", ".join(processor.features)))
    else:
        found.append(finding(OK, "vectors", features=", ".join(processor.features)))
    return tuple(found)


def memory_findings(memory: Memory) -> tuple[Finding, ...]:
    level = OK if memory.available_bytes >= ENOUGH_MEMORY_BYTES else NOTE
    found = [
        finding(
            level,
            "memory" if level == OK else "memory_low",
            total_bytes=memory.total_bytes,
            available_bytes=memory.available_bytes,
        )
    ]
    if memory.limit_bytes is not None:
        found.append(finding(NOTE, "memory_limit", limit_bytes=memory.limit_bytes))
    return tuple(found)


def card_findings(machine: DeviceInfo) -> tuple[Finding, ...]:
    return driver_findings(machine.driver, machine.cupy) + cupy_findings(machine.driver, machine.cupy)


def driver_findings(driver: CardDriver, cupy: Cupy | None = None) -> tuple[Finding, ...]:
    """The driver, and each card with who uses it; with `cupy`, whether that still serves the card."""
    if driver.state == "no_driver":
        return (finding(OK, "no_driver"),)
    if driver.state == "no_answer":
        return (finding(NOTE, "driver_silent", seconds=f"{DRIVER_LIMIT_S:g}"),)
    if driver.state == "failed":
        return (finding(NOTE, "driver_failed", reason=driver.reason),)
    if driver.state == "no_device":
        return (finding(NOTE, "no_device", driver=driver.version),)
    found = [finding(OK, "driver", driver=driver.version)]
    for card in driver.cards:
        found += _findings_of_card(card, is_served=cupy is None or cupy.serves(card))
    if driver.reason:
        found.append(finding(NOTE, "card_lost", reason=driver.reason))
    return tuple(found)


def _findings_of_card(card: Card, *, is_served: bool) -> list[Finding]:
    name, uuid = card.name, card.uuid
    capability = f"{card.compute_capability[0]}.{card.compute_capability[1]}"
    found = [finding(OK, "card", name=name, capability=capability, link=card.link, uuid=uuid)]
    if card.memory_bytes:
        others = max(0, card.used_by_others - card.reserved_bytes)
        found.append(
            finding(
                OK, "card_memory", name=name, memory_bytes=card.memory_bytes, free_bytes=card.free_bytes,
                others_bytes=others, reserved_bytes=card.reserved_bytes,
            )
        )  # fmt: skip
    else:
        found.append(finding(OK, "card_memory_untold", name=name))
    for process in card.processes:
        code = "card_process" if process.n_bytes else "card_process_untold"
        found.append(
            finding(OK, code, card=name, name=process.name, process=process.process_id, used_bytes=process.n_bytes)
        )
    if not is_served:
        found.append(finding(NOTE, "card_too_old", name=name, capability=capability))
    return found


def cupy_findings(driver: CardDriver, cupy: Cupy) -> tuple[Finding, ...]:
    """Without a card CuPy is of no use, and its absence not worth a word."""
    if driver.state != "ok":
        return (finding(OK, "cupy_idle", package=cupy.package, version=cupy.version),) if cupy.package else ()
    if cupy.state == "not_installed":
        return (finding(NOTE, "cupy_not_installed", driver=driver.version),)
    if cupy.state == "usable":
        return (finding(OK, "cupy", package=cupy.package, version=cupy.version),)
    code = {
        "old_driver": "cupy_old_driver",
        "no_compiler": "cupy_no_compiler",
        "no_device": "cupy_no_device",
        "too_old": "cupy_too_old",
    }.get(cupy.state, "cupy_failed")
    return (finding(NOTE, code, package=cupy.package, driver=driver.version, reason=cupy.reason),)


def speed_findings(speeds: MachineSpeeds | None) -> tuple[Finding, ...]:
    """What was measured of this machine's memories, and when."""
    if speeds is None:
        return (finding(OK, "speeds_not_measured"),)
    found = [finding(OK, "speeds_measured", measured_at=speeds.measured_at)]
    found += [
        finding(OK, "thread_rate", threads=rate.n_threads, rate_bytes=round(rate.bytes_per_s)) for rate in speeds.cpu
    ]
    if speeds.card_uuid:
        found.append(
            finding(
                OK, "card_rates", card=speeds.card_uuid, rate_bytes=round(speeds.card_bytes_per_s),
                upload_bytes=round(speeds.upload_bytes_per_s), download_bytes=round(speeds.download_bytes_per_s),
                launch_us=f"{1e6 * speeds.launch_s:.1f}", round_trip_us=f"{1e6 * speeds.round_trip_s:.0f}",
            )
        )  # fmt: skip
    return tuple(found)


def _kept_speeds(config: EngineConfig, machine: DeviceInfo) -> MachineSpeeds | None:
    """Those of the card that would be used, or of the processor alone."""
    chosen = None
    if machine.card_state == "usable":
        with contextlib.suppress(EngineError):  # a card that is set and no longer here is told elsewhere
            chosen = choose_card(card_facts(machine), config.card)
    key = machine_key(machine, chosen.uuid if chosen is not None else "")
    return stored(Path(config.kernel_cache_dir).parent, key).speeds


# Libraries --------------------------------------------------------------------------------------------------------


def all_library_findings() -> tuple[Finding, ...]:
    return library_findings(installed_versions(), locked_versions("run"), locked_versions("torch"))


def installed_versions() -> dict[str, str]:
    """Every installed distribution, by its normalised name."""
    found: dict[str, str] = {}
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"]
        if name:
            found.setdefault(_normalised(name), distribution.version)
    return found


def locked_versions(name: str, folder: Path = LOCK_FILES) -> dict[str, str]:
    """The tested versions of a lock file; empty where Ember was not started from its source folder."""
    found = {}
    with contextlib.suppress(OSError):
        for line in (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            pin = re.fullmatch(r"([\w.-]+)==(\S+)", line)  # a pin with a marker is for one system only
            if pin:
                found[_normalised(pin.group(1))] = pin.group(2)
    return found


def library_findings(
    installed: Mapping[str, str],
    locked: Mapping[str, str],
    locked_torch: Mapping[str, str],
    python: tuple[int, int] = (sys.version_info.major, sys.version_info.minor),
) -> tuple[Finding, ...]:
    found = [finding(OK, "python", version=platform.python_version())]
    shown = [name for name in SHOWN_LIBRARIES if name in installed]
    found += [finding(OK, "library", name=name, version=installed[name]) for name in shown]
    for name in sorted({*locked, *SHOWN_LIBRARIES} - {"torch"} - set(installed)):
        found.append(finding(PROBLEM, "library_missing", name=name, version=locked.get(name, "")))
    if "torch" not in installed:
        found.append(finding(NOTE, "torch_missing"))
    for name, version in sorted({**locked, **locked_torch}.items()):
        have = installed.get(name, version).split("+")[0]
        if have != version:
            found.append(finding(NOTE, "library_differs", name=name, version=have, locked=version))
    # every emitted signal drops a reference to True, which Python 3.11 still counts: the process aborts after some 580
    if python == (3, 11) and installed.get("pyside6-essentials") == "6.12.0":
        found.append(finding(PROBLEM, "pyside_aborts", version="6.12.0", locked=locked.get("pyside6-essentials", "")))
    return tuple(found)


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


# Kernels, models, window ------------------------------------------------------------------------------------------


def kernel_findings(config: EngineConfig) -> tuple[Finding, ...]:
    folder = Path(config.kernel_cache_dir)
    compiled = sum(1 for _ in folder.rglob("*.nbc")) if folder.exists() else 0
    writable = is_writable(folder)
    return (
        finding(OK, "own_threads", threads=compute_threads(config.n_threads)),
        finding(OK if writable else NOTE, "kernel_cache" if writable else "kernel_cache_not_writable",
                path=str(folder), compiled=compiled),
        tuning_finding(folder.parent),
    )  # fmt: skip


def tuning_finding(folder: Path) -> Finding:
    """What was last measured on this processor."""
    tuning = latest(folder, probe_processor().model)
    if tuning is None:
        return finding(OK, "not_tuned")
    return finding(
        OK, "tuned", threads=tuning.n_threads, fetch_ahead=tuning.fetch_ahead,
        int8_rate_bytes=round(tuning.bytes_per_s("int8")), int4_rate_bytes=round(tuning.bytes_per_s("int4")),
    )  # fmt: skip


def model_findings(folder: Path) -> tuple[Finding, ...]:
    found = [
        finding(OK, "library_folder", path=str(folder))
        if is_writable(folder)
        else finding(PROBLEM, "library_not_writable", path=str(folder)),
        *_disk_findings(folder),
    ]
    library = Library(folder)
    entries: list[LibraryEntry] = []
    try:
        entries, broken = library.entries(), library.problems()
    except EngineError as unreadable:  # the folder itself
        broken = [unreadable]
    for entry in entries:
        info = entry.info
        found.append(finding(OK, "model", model_id=info.model_id, state=info.state, size_bytes=info.size_bytes))
    for error in broken:
        report = error.report()
        found.append(finding(PROBLEM, "model_unreadable", error=report.code, **dict(report.fields)))
    found.append(starter_finding(find_starter(), other_models=any(entry.packed for entry in entries)))
    return tuple(found)


def _disk_findings(folder: Path) -> tuple[Finding, ...]:
    try:
        free = shutil.disk_usage(_nearest_existing(folder)).free
    except OSError as error:
        return (finding(NOTE, "disk_unknown", path=str(folder), reason=error.strerror or str(error)),)
    if free < ENOUGH_DISK_BYTES:
        return (finding(PROBLEM, "disk_low", path=str(folder), free_bytes=free, needed_bytes=ENOUGH_DISK_BYTES),)
    return (finding(OK, "disk", path=str(folder), free_bytes=free),)


def starter_finding(path: Path | None, *, other_models: bool) -> Finding:
    """The starter model's file, checked byte for byte."""
    if path is None:
        return finding(NOTE if other_models else PROBLEM, "starter_missing", package=STARTER_PACKAGE)
    try:
        verify_starter(path, lambda done, total: None)
    except EngineError as error:
        report = error.report()
        detail = str(report.field("what") or report.field("reason"))
        return finding(PROBLEM, "starter_damaged", path=str(path), error=report.code, detail=detail)
    return finding(OK, "starter", path=str(path), size_bytes=STARTER_BYTES, sha256=STARTER_SHA256)


def window_findings(
    sonames: Iterable[str], *, has_screen: bool, load: Callable[[str], object] = ctypes.CDLL
) -> tuple[Finding, ...]:
    """Libraries that Qt's wheels expect from a Linux system; other systems bring theirs in the wheel."""
    sonames = tuple(sonames)
    missing = []
    for soname in sonames:
        try:
            load(soname)
        except OSError:
            missing.append(soname)
    if missing:
        level = PROBLEM if has_screen else NOTE
        return (finding(level, "qt_libraries_missing", names=", ".join(missing), count=len(missing)),)
    screen = OK if has_screen else NOTE
    return (
        finding(OK, "qt_libraries", count=len(sonames)),
        finding(screen, "screen" if has_screen else "no_screen"),
    )


def is_writable(folder: Path) -> bool:
    """True where a file can be made in `folder`, or in the folder that it would be made in; found out by doing it."""
    try:
        with tempfile.TemporaryFile(dir=_nearest_existing(folder)):
            return True
    except OSError:
        return False


def _nearest_existing(folder: Path) -> Path:
    return next((path for path in (folder, *folder.parents) if path.exists()), Path(folder.anchor or "."))
