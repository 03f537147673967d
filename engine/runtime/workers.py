"""Persistent compute threads that run one job at a time, all of them on the same job.

The caller's thread is worker 0, so a pool of one has no threads of its own. A job spends its time in compiled code that
has released the GIL.
"""

import queue
import threading
from collections.abc import Callable
from typing import Any

Job = Callable[[int], Any]


class WorkerPool:
    """`n_threads` workers; `run(job)` calls job(0) … job(n-1) at once and waits for all."""

    def __init__(self, n_threads: int) -> None:
        self.n_threads = n_threads
        self._inboxes: list[queue.SimpleQueue[Job | None]] = [queue.SimpleQueue() for _ in range(n_threads - 1)]
        self._done: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, args=(i + 1, inbox), name=f"ember-compute-{i + 1}", daemon=True)
            for i, inbox in enumerate(self._inboxes)
        ]
        for thread in self._threads:
            thread.start()

    def run(self, job: Job, n_threads: int | None = None) -> Any:
        """Returns what worker 0's call returned; an exception of any worker is raised here.

        With `n_threads` only the first so many workers take part.
        """
        inboxes = self._inboxes if n_threads is None else self._inboxes[: n_threads - 1]
        for inbox in inboxes:
            inbox.put(job)
        try:
            result = job(0)
        finally:
            outcomes = [self._done.get() for _ in inboxes]
        for outcome in outcomes:
            if outcome is not None:
                raise outcome
        return result

    def close(self) -> None:
        for inbox in self._inboxes:
            inbox.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self, number: int, inbox: "queue.SimpleQueue[Job | None]") -> None:
        while (job := inbox.get()) is not None:
            try:
                job(number)
            except BaseException as error:  # noqa: BLE001 - handed to the caller of run
                self._done.put(error)
            else:
                self._done.put(None)
