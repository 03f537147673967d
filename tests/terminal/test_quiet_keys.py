"""Keys typed while an answer is written wait for the next prompt."""

import io
import os
import sys

import pytest

from app.terminal.quiet_keys import quiet_keys

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="terminals of this kind exist on POSIX systems only")


@posix_only
def test_keys_are_neither_shown_nor_changed_and_the_terminal_is_put_back():
    import pty
    import termios

    ours, theirs = pty.openpty()
    with open(theirs, closefd=True) as terminal:  # noqa: PTH123 - a descriptor
        before = termios.tcgetattr(terminal)

        with quiet_keys(terminal):
            during = termios.tcgetattr(terminal)
            os.write(ours, b"next\r")
            typed = os.read(terminal.fileno(), 10)

        assert typed == b"next\r"
        assert not during[3] & termios.ECHO
        assert during[3] & termios.ISIG
        assert termios.tcgetattr(terminal) == before
    os.close(ours)


@posix_only
def test_terminal_is_put_back_after_an_exception():
    import pty
    import termios

    ours, theirs = pty.openpty()
    with open(theirs, closefd=True) as terminal:  # noqa: PTH123 - a descriptor
        before = termios.tcgetattr(terminal)

        with pytest.raises(KeyboardInterrupt), quiet_keys(terminal):
            raise KeyboardInterrupt

        assert termios.tcgetattr(terminal) == before
    os.close(ours)


def test_a_pipe_is_left_alone():
    with quiet_keys(io.StringIO("x")):
        pass
