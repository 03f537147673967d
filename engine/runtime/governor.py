"""How many threads take part in the next decode step, on a machine that other programs use too.

Threads meet at barriers some hundred times a token. Where another program takes a core, all of them wait there for the
one that lost it, and fewer threads are faster: so the times of steps are watched, and where they are much longer than
the best of late, one thread fewer is tried. What is faster is kept. The other direction is tried again at intervals,
since the other program ends some day. Steps are compared with their neighbours only, for a step's time also grows with
the conversation. Knows neither clocks nor threads: it is told seconds and answers a number, the same for the same
seconds.
"""

from collections import deque

# Steps whose median is compared: a trial costs so many tokens.
TRIAL_STEPS = 6
# Slower than the best of late by so much, another program is suspected; a trial must win by so much.
_SUSPICIOUS, _WORTH_IT = 1.25, 0.97
# The best of late is forgotten by so much a step.
_FORGETTING = 1.002
# Steps between trials of one direction; each trial that fails doubles its direction's wait.
FIRST_WAIT, LONGEST_WAIT = 32, 128
# A trial whose first steps are all much slower than before ends at once.
_HOPELESS_STEPS, _HOPELESS = 2, 1.2


class Governor:
    """`n_threads` is what the next step should use, between 1 and `n_most`; `observe` is told how long it took."""

    def __init__(self, n_most: int) -> None:
        self.n_threads = self._n_most = n_most
        self._recent: deque[float] = deque(maxlen=TRIAL_STEPS)
        self._best = 0.0
        self._settled, self._before = 0, 0.0  # the count a running trial may go back to (0: none runs), and its median
        self._fewer = _Patience()
        self._more = _Patience()

    def observe(self, seconds: float) -> int:
        """Take note of a step of one token; returns `n_threads`."""
        if self._n_most == 1:
            return 1
        self._recent.append(seconds)
        self._fewer.pass_step()
        self._more.pass_step()
        if len(self._recent) == TRIAL_STEPS:
            median = sorted(self._recent)[TRIAL_STEPS // 2]
            if self._settled:
                self._decide(median)
            else:
                self._watch(median)
        elif self._settled and len(self._recent) >= _HOPELESS_STEPS and min(self._recent) > _HOPELESS * self._before:
            self._decide(min(self._recent))
        return self.n_threads

    def _watch(self, median: float) -> None:
        self._best = min(median, self._best * _FORGETTING) if self._best else median
        if self.n_threads > 1 and median > _SUSPICIOUS * self._best and self._fewer.is_over:
            self._try(self.n_threads - 1, median)
        elif self.n_threads < self._n_most and self._more.is_over:
            self._try(self.n_threads + 1, median)

    def _try(self, n_threads: int, median: float) -> None:
        self._settled, self._before = self.n_threads, median
        self.n_threads = n_threads
        self._recent.clear()

    def _decide(self, median: float) -> None:
        """End a trial. After one that helped, the same direction is tried on at once; the other has to wait."""
        tried, back = (self._fewer, self._more) if self.n_threads < self._settled else (self._more, self._fewer)
        before, self._before = self._before, 0.0
        if median < _WORTH_IT * before:
            tried.reset(now=True)
            back.reset(now=False)
            self._best = median if tried is self._more else self._best
        else:
            tried.fail()
            self.n_threads = self._settled
            # what is slow with any number of threads is the new normal
            self._best = before
        self._settled = 0
        self._recent.clear()


class _Patience:
    """How many steps to wait before the next trial of a direction."""

    def __init__(self) -> None:
        self._wait, self._left = FIRST_WAIT, 0

    @property
    def is_over(self) -> bool:
        return self._left == 0

    def pass_step(self) -> None:
        if self._left:
            self._left -= 1

    def fail(self) -> None:
        self._left, self._wait = self._wait, min(2 * self._wait, LONGEST_WAIT)

    def reset(self, *, now: bool) -> None:
        self._wait = FIRST_WAIT
        self._left = 0 if now else FIRST_WAIT
