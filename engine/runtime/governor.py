"""How many threads take part in the next decode step, on a machine that other programs use too.

Threads meet at barriers some hundred times a token. Where another program takes a core, all of them wait there for the
one that lost it, and fewer threads are faster: so the times of steps are watched, and where they are much longer than
the best of late, one thread fewer is tried; now and then without a reason too, for the other program may have been
there from the start. What is faster is kept. More threads are tried again at intervals, since the other program ends
some day. Steps are compared with their neighbours only, for a step's time also grows with the conversation. Knows
neither clocks nor threads: it is told seconds and answers a number, the same for the same seconds.
"""

from collections import deque

# Steps whose median is compared: a trial costs so many tokens.
TRIAL_STEPS = 6
# Slower than the best of late by so much, another program is suspected; a trial must win by so much.
_SUSPICIOUS, _WORTH_IT = 1.25, 0.97
# The best of late is forgotten by so much a step.
_FORGETTING = 1.002
# Steps between trials of one kind; each that fails doubles the wait for the next.
FIRST_WAIT, LONGEST_WAIT, LONGEST_UNASKED_WAIT = 32, 128, 2048
# A trial whose first steps are all slower than before ends at once.
_HOPELESS_STEPS, _HOPELESS = 2, 1.1


class Governor:
    """`n_threads` is what the next step should use, between 1 and `n_most`; `observe` is told how long it took."""

    def __init__(self, n_most: int) -> None:
        self.n_threads = self._n_most = n_most
        self._recent: deque[float] = deque(maxlen=TRIAL_STEPS)
        self._best = 0.0
        self._settled, self._before = 0, 0.0  # the count a running trial may go back to (0: none runs), and its median
        self._fewer, self._more = _Patience(0, LONGEST_WAIT), _Patience(0, LONGEST_WAIT)
        self._unasked = _Patience(FIRST_WAIT, LONGEST_UNASKED_WAIT)
        self._reason = self._fewer

    def observe(self, seconds: float) -> int:
        """Take note of a step of one token; returns `n_threads`."""
        if self._n_most == 1:
            return 1
        self._recent.append(seconds)
        for patience in (self._fewer, self._more, self._unasked):
            patience.pass_step()
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
        is_suspicious = median > _SUSPICIOUS * self._best
        if self.n_threads > 1 and is_suspicious and self._fewer.is_over:
            self._try(self.n_threads - 1, median, self._fewer)
        elif self.n_threads > 1 and self._unasked.is_over:
            self._try(self.n_threads - 1, median, self._unasked)
        elif self.n_threads < self._n_most and self._more.is_over:
            self._try(self.n_threads + 1, median, self._more)

    def _try(self, n_threads: int, median: float, reason: "_Patience") -> None:
        self._settled, self._before, self._reason = self.n_threads, median, reason
        self.n_threads = n_threads
        self._recent.clear()

    def _decide(self, median: float) -> None:
        """End a trial. After one that helped, the same direction is tried on at once; the other has to wait."""
        if median < _WORTH_IT * self._before:
            is_more = self._reason is self._more
            self._more.reset(0 if is_more else FIRST_WAIT)
            self._fewer.reset(FIRST_WAIT if is_more else 0)
            self._unasked.reset(FIRST_WAIT if is_more else 0)
            self._best = median if is_more else self._best
        else:
            self._reason.fail()
            self.n_threads = self._settled
            # what is slow with any number of threads is the new normal
            self._best = self._before
        self._settled = 0
        self._recent.clear()


class _Patience:
    """How many steps to wait before the next trial of a kind."""

    def __init__(self, first: int, longest: int) -> None:
        self._left, self._wait, self._longest = first, FIRST_WAIT, longest

    @property
    def is_over(self) -> bool:
        return self._left == 0

    def pass_step(self) -> None:
        if self._left:
            self._left -= 1

    def fail(self) -> None:
        self._left, self._wait = self._wait, min(2 * self._wait, self._longest)

    def reset(self, left: int) -> None:
        self._left, self._wait = left, FIRST_WAIT
