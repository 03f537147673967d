"""How long a phase of some work will still take, from how fast it has been so far.

Says nothing until it has seen enough to be believed, and rounds as people do. What was done before it began to look
does not count as speed: a study that goes on from where it was paused begins far along.
"""

from collections import deque

from app.language import tr

# Seen for so long, and so large a part of what was left at the beginning, before anything is said.
_LEAST_S = 5.0
_LEAST_PART = 0.02


# Between two moments that are remembered.
_APART_S = 1.0


class TimeLeft:
    """One phase at a time, by its speed in the later half of what was seen; a new phase or total begins anew."""

    def __init__(self) -> None:
        self._phase = ("", 0)
        self._began, self._first_done = 0.0, 0
        self._seen: deque[tuple[float, int]] = deque()

    def seconds(self, phase: str, done: int, total: int, now: float) -> float | None:
        """Seconds from `now` (of any steady clock) to the end of this phase; None while that cannot be said."""
        if (phase, total) != self._phase or done < self._first_done:
            self._phase, self._first_done, self._began = (phase, total), done, now
            self._seen = deque([(now, done)])
        if now - self._seen[-1][0] >= _APART_S:
            self._seen.append((now, done))
        while len(self._seen) > 1 and self._seen[1][0] <= (self._began + now) / 2:
            self._seen.popleft()
        left, (since, done_then) = total - done, self._seen[0]
        is_enough = now - self._began >= _LEAST_S and done - self._first_done >= _LEAST_PART * (
            total - self._first_done
        )
        if total <= 0 or left <= 0 or not is_enough or done <= done_then:
            return None
        return left * (now - since) / (done - done_then)


def time_left_words(seconds: float) -> str:
    """less than a minute left; about 4 min left; about 2.5 h left."""
    if seconds < 50:
        return tr("less than a minute left")
    minutes = seconds / 60
    if minutes < 9.5:
        return tr("about {count} min left").format(count=max(1, round(minutes)))
    if minutes < 57.5:
        return tr("about {count} min left").format(count=5 * round(minutes / 5))
    hours = minutes / 60
    return tr("about {count} h left").format(count=f"{round(2 * hours) / 2:g}")
