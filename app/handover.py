"""From a second start of the program to the window that is open already: what was asked for, in a file.

Owns the folder of such files. The second start writes one and waits until it has been taken; the window that is open
takes them as they come. No socket and no port is opened, and whoever may not write to the user's data cannot ask. Knows
no Qt.
"""

import contextlib
import json
import logging
import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.paths import AppPaths

log = logging.getLogger(__name__)

WAIT_S = 3.0
LOOK_EVERY_S = 0.05
MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Opening:
    """What the window is to show besides itself.

    files   absolute paths of models to import
    page    one of cli.WINDOW_PAGES; empty for the one shown
    """

    files: tuple[str, ...] = ()
    page: str = ""
    begins_chat: bool = False


NOTHING_ASKED = Opening()


def handover_folder(paths: AppPaths) -> Path:
    return paths.data / "handover"


def hand_over(folder: Path, opening: Opening, wait_s: float = WAIT_S) -> bool:
    """Ask the window that is open; whether it has taken the request. Raises OSError where nothing can be written."""
    folder.mkdir(parents=True, exist_ok=True)
    request = folder / f"{time.time_ns()}-{os.getpid()}.json"
    unfinished = request.with_suffix(".new")
    unfinished.write_text(json.dumps(asdict(opening)), encoding="utf-8")
    unfinished.replace(request)
    end = time.monotonic() + wait_s
    while request.exists():
        if time.monotonic() > end:
            with contextlib.suppress(OSError):  # taken this very moment, or taken away
                request.unlink()
            return False
        time.sleep(LOOK_EVERY_S)
    return True


def take_openings(folder: Path) -> list[Opening]:
    """What has been asked for, in its order; each is given once. What cannot be understood only raises the window."""
    openings = []
    try:
        requests = sorted(folder.glob("*.json"))
    except OSError as error:
        log.warning("requests of other starts not read: %s", error)
        return []
    for request in requests:
        try:
            text = request.read_bytes()[:MOST_BYTES].decode("utf-8", "replace")
            request.unlink()
        except OSError as error:
            log.warning("a request of another start not taken: %s", error)
            continue
        openings.append(_understood(text))
    return openings


def forget_openings(folder: Path) -> None:
    """Called at the start: what is there was meant for a window that is gone."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        for request in (*folder.glob("*.json"), *folder.glob("*.new")):
            request.unlink()


def _understood(text: str) -> Opening:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return NOTHING_ASKED
    if not isinstance(value, dict):
        return NOTHING_ASKED
    files, page = value.get("files"), value.get("page")
    names = files if isinstance(files, list) else []
    return Opening(
        tuple(name for name in names if isinstance(name, str) and Path(name).is_absolute()),
        page if isinstance(page, str) else "",
        begins_chat=value.get("begins_chat") is True,
    )
