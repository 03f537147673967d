"""Ctrl+C and the engine's process: the key is the front-end's business, whichever front-end it is."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupt_ignored() -> Iterator[None]:
    """Ctrl+C reaches every process of a terminal; one started within this block ignores it from its first moment."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
