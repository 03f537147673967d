"""What was found to suit this machine's decode step, and the file that it is kept in.

Apart from `tuning.py`, which measures it, so that the doctor can read it without loading a compiler. Each entry stands
under a name of the machine, its kernels and the wish it was measured for; anything that cannot be read counts as not
measured.
"""

import contextlib
import json
import logging
import os
from dataclasses import asdict, dataclass
from pathlib import Path

log = logging.getLogger(__name__)

FILE_NAME = "tuning.json"
# Bytes that are tried.
FETCHES = (0, 1536, 3072, 6144)
_KEPT_MACHINES = 8


@dataclass(frozen=True, slots=True)
class Rate:
    """The median of the bytes a second of rows in `row_format`, with so many threads and bytes fetched ahead."""

    row_format: str
    n_threads: int
    fetch_ahead: int
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class Tuning:
    """n_threads take part in a decode step, and each of their streams is fetched `fetch_ahead` bytes ahead.

    `rates` are what this was chosen by; empty where nothing could be measured.
    """

    n_threads: int
    fetch_ahead: int
    rates: tuple[Rate, ...] = ()

    def bytes_per_s(self, row_format: str) -> float:
        """What was measured of the choice; 0 where nothing was."""
        chosen = (row_format, self.n_threads, self.fetch_ahead)
        return next((r.bytes_per_s for r in self.rates if (r.row_format, r.n_threads, r.fetch_ahead) == chosen), 0.0)


def stored(folder: Path) -> dict[str, Tuning]:
    """All machines' tunings in the file, the latest last; none where there is no file or it is damaged."""
    try:
        entries = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        return {str(key): _parsed(entry) for key, entry in entries.items()}
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return {}


def latest(folder: Path, processor: str) -> Tuning | None:
    """The last that was measured on a processor of this name."""
    found = [tuning for key, tuning in stored(folder).items() if key.startswith(f"{processor} | ")]
    return found[-1] if found else None


def _parsed(entry: dict[str, object]) -> Tuning:
    n_threads, fetch_ahead, rates = entry["n_threads"], entry["fetch_ahead"], entry["rates"]
    if not (isinstance(n_threads, int) and n_threads >= 1 and isinstance(fetch_ahead, int) and fetch_ahead in FETCHES):
        raise ValueError(entry)
    if not isinstance(rates, list):
        raise TypeError(rates)
    return Tuning(n_threads, fetch_ahead, tuple(_parsed_rate(rate) for rate in rates))


def _parsed_rate(rate: dict[str, object]) -> Rate:
    row_format, n_threads, fetch_ahead, speed = (
        rate["row_format"], rate["n_threads"], rate["fetch_ahead"], rate["bytes_per_s"],
    )  # fmt: skip
    if not (isinstance(n_threads, int) and isinstance(fetch_ahead, int) and isinstance(speed, int | float)):
        raise TypeError(rate)
    return Rate(str(row_format), n_threads, fetch_ahead, float(speed))


def store(folder: Path, key: str, tuning: Tuning) -> None:
    """Other machines' entries are kept, but for the oldest; a file that cannot be written is done without."""
    entries = {k: t for k, t in stored(folder).items() if k != key} | {key: tuning}
    kept = dict(list(entries.items())[-_KEPT_MACHINES:])
    other = folder / f"{FILE_NAME}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        other.write_text(json.dumps({k: asdict(t) for k, t in kept.items()}, indent=1), encoding="utf-8")
        other.replace(folder / FILE_NAME)
    except OSError as error:
        log.warning("the tuning cannot be kept (%s): it is measured again at the next start", error.strerror)
        with contextlib.suppress(OSError):
            other.unlink(missing_ok=True)
