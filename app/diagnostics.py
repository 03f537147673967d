"""The report on this computer that a user can copy into a message: versions, machine, choices, the ends of the logs.

Owns what is in it, and that nothing private is: choices that hold words, addresses or paths of the user's are only said
to be made, conversations are not read at all, and the whole text is redacted. Knows no Qt.
"""

import platform
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields

from app.log_lines import LogLine
from app.redaction import Person, redacted
from app.settings import AppSettings

LINES = 200

# Choices whose values are plain facts: what is not named here is only said to have been made.
_TOLD = frozenset(
    {
        "theme", "language", "accent", "zoom", "has_tray", "tells_ends", "show_stats", "temperature", "top_p", "top_k",
        "min_p", "repetition_penalty", "seed", "max_tokens", "counts_neurons", "vram_bytes", "is_offline",
        "download_limit", "keeps_source", "is_welcomed", "restores_model", "unload_minutes", "completes_base",
        "send_with",
    }
)  # fmt: skip


def diagnostics(
    version: str,
    settings: AppSettings,
    facts: Mapping[str, str],
    logs: Mapping[str, Iterable[LogLine]],
    person: Person,
) -> str:
    """`facts` are further lines about the machine, by name; `logs` the newest lines, by name."""
    parts = [
        _table("Ember", {"version": version, "Python": platform.python_version(), **facts}),
        _table(
            "Computer",
            {"system": platform.platform(), "processor": platform.machine(), "display": sys.platform},
        ),
        _table("Choices that are not the usual ones", _choices(settings) or {"none": ""}),
    ]
    for name, lines in logs.items():
        text = "\n".join(f"{line.moment} {line.text}".strip() for line in list(lines)[-LINES:])
        parts.append(f"{name}\n{text or '(nothing)'}")
    return redacted("\n\n".join(parts), person) + "\n"


def _choices(settings: AppSettings) -> dict[str, str]:
    usual = AppSettings()
    changed = [f.name for f in fields(AppSettings) if getattr(settings, f.name) != getattr(usual, f.name)]
    return {name: str(getattr(settings, name)) if name in _TOLD else "(set)" for name in changed}


def _table(title: str, rows: Mapping[str, str]) -> str:
    return "\n".join([title, *(f"  {name}: {value}" if value else f"  {name}" for name, value in rows.items())])
