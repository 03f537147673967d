"""Keys while an answer is written: kept for the next prompt, not shown in the middle of the answer.

A terminal left alone echoes what is typed wherever the cursor stands and turns Enter into a line feed, which the prompt
would take for a new line within the message. Ctrl+C keeps its meaning. Where there is no termios (Windows), the console
neither echoes nor converts unread keys, and there is nothing to do.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


@contextmanager
def quiet_keys(stdin: TextIO) -> Iterator[None]:
    """Keep the terminal from echoing while the block runs; no effect on what is no terminal."""
    try:
        import termios

        terminal = stdin.fileno()
        before = termios.tcgetattr(terminal)
    except (ImportError, OSError, ValueError, termios.error):  # ValueError: a stream without a file
        yield
        return
    quiet = termios.tcgetattr(terminal)
    quiet[0] &= ~(termios.ICRNL | termios.INLCR)
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(terminal, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)
