import queue
import time

import pytest

from engine.api import open_engine
from engine.messages import EngineConfig, Progress

FINAL_WAIT_S = 120


class Front:
    """A front-end for tests: an engine, and its events in order."""

    def __init__(self, config, *, in_process):
        self.config = config
        self.events = queue.Queue()
        self.engine = open_engine(config, self.events.put, in_process=in_process)

    def next(self, wait_s=FINAL_WAIT_S):
        return self.events.get(timeout=wait_s)

    def until(self, kind, wait_s=FINAL_WAIT_S):
        """All events up to the first of `kind`, which is last."""
        seen, deadline = [], time.monotonic() + wait_s
        while not seen or not isinstance(seen[-1], kind):
            seen.append(self.next(deadline - time.monotonic()))
        return seen

    def ask(self, request):
        """Submit, and return the first event that is not progress."""
        self.engine.submit(request)
        while True:
            event = self.next()
            if not isinstance(event, Progress):
                return event


@pytest.fixture(params=["in process", "host"])
def front(request, tmp_path, kernel_cache):
    config = EngineConfig(str(tmp_path / "library"), str(kernel_cache), log_path=str(tmp_path / "engine.log"))
    made = Front(config, in_process=request.param == "in process")
    yield made
    made.engine.close()
