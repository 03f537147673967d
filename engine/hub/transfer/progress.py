"""What a watcher sees of a transfer: states and which may follow which, bytes, speed and the time left.

The speed is what arrived in the last five seconds, so that it falls to nothing when nothing arrives; the time left is
given only while there is such a speed.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import ErrorReport

Clock = Callable[[], float]

_WINDOW_S = 5.0
_SETTLED_S = 1.0  # a speed over less than this says nothing about the time left
_BURST_S = 0.25  # how much of an unused limit may be made up for at once


class TransferState(StrEnum):
    """Where a file, or a transfer as a whole, stands."""

    QUEUED = "queued"
    RESOLVING = "resolving"
    DOWNLOADING = "downloading"
    STALLED = "stalled-retrying"
    PAUSED = "paused"
    VERIFYING = "verifying"
    READY = "ready"
    FAILED = "failed"


_S = TransferState
_HALTS = {_S.PAUSED, _S.FAILED}
MOVES: dict[TransferState, frozenset[TransferState]] = {
    _S.QUEUED: frozenset({_S.RESOLVING} | _HALTS),
    _S.RESOLVING: frozenset({_S.DOWNLOADING, _S.VERIFYING, _S.STALLED} | _HALTS),
    _S.DOWNLOADING: frozenset({_S.RESOLVING, _S.VERIFYING, _S.STALLED} | _HALTS),
    _S.STALLED: frozenset({_S.RESOLVING, _S.DOWNLOADING} | _HALTS),
    _S.VERIFYING: frozenset({_S.READY, _S.RESOLVING, _S.DOWNLOADING} | _HALTS),
    _S.PAUSED: frozenset({_S.QUEUED}),
    _S.FAILED: frozenset({_S.QUEUED}),
    _S.READY: frozenset(),
}

# The state of several files is the first of these that any of them is in; all are ready only when each is.
_SHOWN_FIRST = (
    _S.FAILED, _S.DOWNLOADING, _S.VERIFYING, _S.STALLED, _S.RESOLVING, _S.PAUSED, _S.QUEUED, _S.READY,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FileProgress:
    """One file: `done_bytes` are on disk and in the journal, `error` is why the latest attempt ended, if it is over."""

    path: str
    state: TransferState
    done_bytes: int
    size_bytes: int | None
    verified_bytes: int
    error: ErrorReport | None
    retry_in_s: float | None


@dataclass(frozen=True, slots=True)
class TransferProgress:
    """All files of a transfer; `size_bytes` is None until each size is known, `left_s` while it cannot be told."""

    state: TransferState
    done_bytes: int
    size_bytes: int | None
    rate_bytes_s: float
    left_s: float | None
    error: ErrorReport | None
    files: tuple[FileProgress, ...]


def moved(state: TransferState, following: TransferState) -> TransferState:
    """The state after a move. Raises ValueError for one that no file makes."""
    if following is not state and following not in MOVES[state]:
        raise ValueError(f"{state} is not followed by {following}")
    return following


def state_of_all(states: Iterable[TransferState]) -> TransferState:
    """The one state that describes several files."""
    found = set(states)
    return next(state for state in _SHOWN_FIRST if state in found)


class RateMeter:
    """Bytes a second over the last five seconds. Safe to use from several threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._started = clock()
        self._arrivals: deque[tuple[float, int]] = deque()
        self._in_window = 0

    def add(self, n_bytes: int) -> None:
        with self._lock:
            self._arrivals.append((self._clock(), n_bytes))
            self._in_window += n_bytes

    def bytes_per_s(self) -> float:
        """Over as much of the window as has passed since the meter was made."""
        with self._lock:
            now = self._clock()
            while self._arrivals and self._arrivals[0][0] <= now - _WINDOW_S:
                self._in_window -= self._arrivals.popleft()[1]
            return self._in_window / min(_WINDOW_S, max(now - self._started, _SETTLED_S))

    def left_s(self, missing_bytes: int | None) -> float | None:
        """Seconds until `missing_bytes` have arrived at this speed, or None where nobody can know."""
        rate = self.bytes_per_s()
        if missing_bytes is None or rate <= 0 or self._clock() - self._started < _SETTLED_S:
            return None
        return missing_bytes / rate


class RateLimit:
    """A ceiling on the speed, shared by all connections; None is no ceiling. Safe to use from several threads."""

    def __init__(self, clock: Clock, bytes_per_s: int | None = None) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._bytes_per_s = bytes_per_s
        self._free_at = clock()
        self.n_changes = 0

    def change(self, bytes_per_s: int | None) -> None:
        """Whoever waits because of the former limit sees `n_changes` and need not wait any longer."""
        with self._lock:
            self.n_changes += 1
            self._bytes_per_s = bytes_per_s
            self._free_at = self._clock()

    def take(self, n_bytes: int) -> float:
        """Account for bytes that arrived; returns how long their receiver should wait before reading on, in seconds."""
        with self._lock:
            if not self._bytes_per_s:
                return 0.0
            now = self._clock()
            self._free_at = max(self._free_at, now - _BURST_S) + n_bytes / self._bytes_per_s
            return max(0.0, self._free_at - now)
