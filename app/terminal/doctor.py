"""`ember doctor`: the engine's check-up of this machine in plain words, with what to do about each problem.

Owns the wording; the engine gives codes and fields. The report is plain text without colours, so that it can be piped
into a file or pasted into an issue; `--json` gives the codes and fields themselves.
"""

import json
import os
import sys
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.error_text import describe, format_bytes
from engine.api import inspect_machine
from engine.errors import ErrorReport
from engine.messages import EngineConfig

if TYPE_CHECKING:
    from engine.doctor import DoctorReport, Finding

WIDTH = 100
_LEVELS = {"ok": "ok", "note": "note", "problem": "PROBLEM"}
_SETUP = "Run `python3 packaging/bootstrap.py run` in Ember's folder"

TITLES = {
    "processor": "Processor",
    "memory": "Memory",
    "card": "Graphics card",
    "speeds": "Measured speeds",
    "libraries": "Libraries",
    "kernels": "Compute kernels",
    "models": "Models",
    "window": "Window",
}

# code: (what is the case, what to do about it)
TEXTS: dict[str, tuple[str, str]] = {
    "processor": ("{model} ({architecture})", ""),
    "cores": ("{physical} cores, {logical} hardware threads, {usable} usable by Ember", ""),
    "processor_quota": (
        "This container may use {cores} cores' worth of time.",
        "For more speed, give the container a larger processor share.",
    ),
    "vectors": ("Vector instructions: {features}", ""),
    "no_fast_vectors": (
        "This processor lacks {wanted}: Ember runs, but several times slower. It has: {features}.",
        "Choose a small model. In a virtual machine, pass the host's processor type through.",
    ),
    "memory": ("{available_bytes} available of {total_bytes}", ""),
    "memory_low": (
        "Only {available_bytes} of {total_bytes} are available; with less than 1 GB even small models may not load.",
        "Close other programs before loading a model.",
    ),
    "memory_limit": (
        "This container may use {limit_bytes} of memory.",
        "Models that need more do not load; raise the container's limit for those.",
    ),
    "no_driver": ("No NVIDIA driver answers: Ember runs on the processor, which is a normal case.", ""),
    "driver_silent": (
        "The NVIDIA driver does not answer: nothing came within {seconds} seconds. Ember runs on the processor.",
        "Restart the machine; if that does not help, install the driver again.",
    ),
    "no_device": (
        "The NVIDIA driver {driver} answers, but sees no card.",
        "If there should be one: check that it is seated, enabled, and passed on to this container or machine.",
    ),
    "driver_failed": (
        "The NVIDIA driver answers with an error: {reason}.",
        "Restart the machine; if that does not help, install the driver again.",
    ),
    "driver": ("NVIDIA driver {driver}", ""),
    "card": ("{name}, compute capability {capability}, link: {link}, {uuid}", ""),
    "card_memory": (
        "{name}: {free_bytes} free of {memory_bytes}, {others_bytes} used by other programs, {reserved_bytes} kept by "
        "the driver",
        "",
    ),
    "card_memory_untold": (
        "{name}: the driver tells of no memory of its own, so that Ember reckons with the main memory",
        "",
    ),
    "card_process": ("{card}: {name} (process {process}) uses {used_bytes}", ""),
    "card_process_untold": ("{card}: {name} (process {process}) uses it; how much is not told", ""),
    "card_too_old": (
        "{name} has compute capability {capability}, which the installed CUDA no longer serves.",
        "Ember computes without it. CUDA 12 serves cards from compute capability 5.0 on: install emberchat[cuda12] in "
        "place of emberchat[cuda13].",
    ),
    "card_lost": (
        "A card no longer answers: {reason}.",
        "Restart the machine; if it stays away, check that it is seated and cooled.",
    ),
    "cupy": ("CuPy can use the card ({package} {version})", ""),
    "cupy_idle": ("{package} {version} is installed; without a card it is not used.", ""),
    "cupy_not_installed": (
        "CuPy, through which a card is used, is not installed.",
        f"{_SETUP}: it installs what driver {{driver}} can serve.",
    ),
    "cupy_old_driver": (
        "The NVIDIA driver {driver} is too old for {package}.",
        "Install driver 580 or newer (525 or newer for CUDA 12), then set Ember up again.",
    ),
    "cupy_no_compiler": (
        "{package} is installed without the CUDA compiler's parts: {reason}.",
        f"{_SETUP}: it installs them.",
    ),
    "cupy_too_old": (
        "{package} no longer serves cards of compute capability {reason}.",
        "Ember runs on the processor. CUDA 12 serves cards from compute capability 5.0 on: install emberchat[cuda12] "
        "in place of emberchat[cuda13].",
    ),
    "cupy_no_device": (
        "The driver sees a card, but CuPy does not.",
        "Check whether CUDA_VISIBLE_DEVICES hides it.",
    ),
    "cupy_failed": (
        "{package} cannot be used: {reason}.",
        f"{_SETUP}: it installs CuPy again if its files are damaged.",
    ),
    "speeds_not_measured": ("Not measured yet: `ember doctor --measure` takes a few seconds", ""),
    "speeds_measured": ("Measured at {measured_at}", ""),
    "thread_rate": ("Threads: {threads}, read {rate_bytes} of main memory a second", ""),
    "card_rates": (
        "{card}: reads {rate_bytes} of its own memory a second; copies {upload_bytes} to and {download_bytes} from it "
        "a second; a launch takes {launch_us} µs, a short vector there and back {round_trip_us} µs",
        "",
    ),
    "python": ("Python {version}", ""),
    "library": ("{name} {version}", ""),
    "library_missing": ("{name} {version} is missing.", f"{_SETUP}: it installs what is missing."),
    "library_differs": (
        "{name} is {version}; Ember is tested with {locked}.",
        "Nothing to do unless something misbehaves. To get the tested version, delete .venv and set Ember up again.",
    ),
    "pyside_aborts": (
        "PySide6 {version} aborts the process on Python 3.11 after a few minutes of use.",
        f"{_SETUP}: it installs {{locked}}.",
    ),
    "torch_missing": (
        "torch is not installed. Only checkpoints in the older .bin format need it.",
        f"{_SETUP} with a network connection.",
    ),
    "tuned": (
        "Measured here: {threads} threads fetching {fetch_ahead} bytes ahead suit a decode step; they read "
        "{int8_rate_bytes} of int8 rows or {int4_rate_bytes} of int4 rows a second",
        "",
    ),
    "not_tuned": ("Not measured yet: the first model that is loaded takes two seconds more", ""),
    "own_threads": ("Compute threads: {threads}, Ember's own; numba's thread pool is not used", ""),
    "kernel_cache": ("{compiled} compiled functions kept in {path}", ""),
    "kernel_cache_not_writable": (
        "{path} cannot be written to: kernels are compiled at every start, which takes a while.",
        "Make the folder writable, or set EMBER_HOME to a folder of yours.",
    ),
    "library_folder": ("Library in {path}", ""),
    "library_not_writable": (
        "The library {path} cannot be written to: no model can be prepared or imported.",
        "Make the folder writable, or set EMBER_HOME to a folder of yours.",
    ),
    "disk": ("{free_bytes} free on its drive", ""),
    "disk_low": (
        "Only {free_bytes} are free on the drive of {path}: too little to prepare a model.",
        "Free at least {needed_bytes}, or set EMBER_HOME to a folder on another drive.",
    ),
    "disk_unknown": ("The free space on the drive of {path} is unknown: {reason}.", "Check that the drive is there."),
    "model": ("{model_id}: {state}, {size_bytes}", ""),
    "starter": ("The starter model's file is complete and unaltered ({size_bytes})", ""),
    "starter_missing": ("The starter model is not installed.", f"{_SETUP}: it installs it."),
    "starter_damaged": (
        "The starter model's file {path} is damaged: {detail}.",
        "Delete .venv and set Ember up again: the file is fetched anew. Conversations and models are kept elsewhere.",
    ),
    "qt_libraries": ("The system libraries that windows need are there", ""),
    "qt_libraries_missing": (
        "Windows cannot open; missing system libraries: {names}.",
        f"{_SETUP}: it installs them, or says the command that does. `ember chat` works without them.",
    ),
    "screen": ("A screen is there", ""),
    "no_screen": ("There is no screen here.", "Use `ember chat`, or start Ember on a desktop."),
}

_STATES = {"packed": "ready to load", "source": "will be prepared at first use"}


def run(config: EngineConfig, *, as_json: bool) -> int:
    """Print the report; 1 where there is a problem."""
    try:
        report = inspect_machine(config, has_screen=has_screen(os.environ))
    except ImportError as error:  # a library that the engine itself begins with is missing or broken
        print(import_failure(str(error), as_json=as_json))
        return 1
    print(to_json(report) if as_json else to_text(report))
    return 1 if report.problems else 0


def import_failure(reason: str, *, as_json: bool) -> str:
    """The whole report where not even the check-up can be loaded."""
    if as_json:
        found = {"level": "problem", "code": "import_failed", "fields": {"reason": reason}}
        return json.dumps({"problems": 1, "sections": [{"name": "libraries", "findings": [found]}]}, indent=2)
    lines = _wrapped(f"  {_LEVELS['problem']:<9}", f"Ember's libraries cannot be loaded: {reason.rstrip('.')}.")
    action = _wrapped(f"{'':11}What to do: ", f"{_SETUP}: it installs what is missing.")
    return "\n".join([TITLES["libraries"], *lines, *action, "", "1 problem."])


def has_screen(environment: Mapping[str, str], platform: str = sys.platform) -> bool:
    if platform in ("win32", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def to_json(report: "DoctorReport") -> str:
    sections = [
        {
            "name": section.name,
            "findings": [{"level": f.level, "code": f.code, "fields": dict(f.fields)} for f in section.findings],
        }
        for section in report.sections
    ]
    return json.dumps({"problems": len(report.problems), "sections": sections}, indent=2, ensure_ascii=False)


def to_text(report: "DoctorReport") -> str:
    lines = []
    for section in report.sections:
        lines += [TITLES[section.name], *(line for found in section.findings for line in _lines(found)), ""]
    notes = sum(1 for section in report.sections for found in section.findings if found.level == "note")
    lines.append(f"{_counted(len(report.problems), 'problem')}, {_counted(notes, 'note')}.")
    return "\n".join(lines)


def describe_finding(found: "Finding") -> tuple[str, str]:
    """What is the case, and what to do about it ("" for nothing)."""
    if found.code == "model_unreadable":
        fields = tuple((name, value) for name, value in found.fields if name != "error")
        text = describe(ErrorReport(str(found.field("error")), fields))
        return text.cause, text.action
    case, action = TEXTS[found.code]
    values = {name: _readable(name, value) for name, value in found.fields}
    return " ".join(case.format(**values).split()), action.format(**values)


def _readable(name: str, value: str | int) -> str:
    if isinstance(value, int):
        return format_bytes(value) if name.endswith("_bytes") else str(value)
    if name == "state":
        return _STATES.get(value, value)
    if name in ("reason", "detail"):
        return value.rstrip(".")
    if name in ("link", "uuid", "name"):
        return value or "not told"
    return value if value or name == "version" else "none"


def _lines(found: "Finding") -> list[str]:
    case, action = describe_finding(found)
    lines = _wrapped(f"  {_LEVELS[found.level]:<9}", case)
    return lines + _wrapped(f"{'':11}What to do: ", action) if action else lines


def _wrapped(first: str, text: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=" " * 11, break_long_words=False, break_on_hyphens=False
    )


def _counted(count: int, noun: str) -> str:
    return f"{count or 'No'} {noun}{'' if count == 1 else 's'}"
