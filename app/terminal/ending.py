"""Being ended from outside: a signal becomes an orderly exit, so that the terminal gets its echo back.

Owns which signals count as the end. A second one ends the program at once; one that was ignored at the start, as under
nohup, stays ignored. Ctrl+C is not the end and is looked after by Session.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")  # Windows has no SIGHUP


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Raise SystemExit, with the exit code shells report, where the block runs when the signal comes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [number for name in _NAMES if (number := getattr(signal, name, None)) is not None]
    before = {number: signal.getsignal(number) for number in numbers}
    # The exit may come while the prompt is just changing the terminal, so that it cannot change it back.
    restore = _terminal_restorer()
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _end)
    try:
        yield
    finally:
        restore()
        for number, handler in before.items():
            signal.signal(number, handler)


def _terminal_restorer() -> Callable[[], None]:
    """A function that gives the terminal the modes it has now; one that does nothing where there is none."""
    try:
        import termios
    except ImportError:  # Windows
        return lambda: None
    try:
        terminal = sys.stdin.fileno()
        modes = termios.tcgetattr(terminal)
    except (AttributeError, ValueError, OSError, termios.error):
        return lambda: None

    def restore() -> None:
        with suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSANOW, modes)

    return restore


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise SystemExit(128 + number)
