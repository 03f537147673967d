"""A chat that is ended from outside leaves the terminal as it found it."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

termios = pytest.importorskip("termios")

ROOT = Path(__file__).resolve().parents[2]
CHAT = (
    "import sys; sys.path.insert(0, 'tests/terminal')\n"
    "from scripted_engine import Script, WAIT; import engine.api, app.cli\n"
    "engine.api.open_engine = lambda config, on_event: Script([['so far', WAIT]]).open(on_event)\n"
    "sys.exit(app.cli.main(['chat', '--no-history', 'large-7b']))\n"
)


def read_until(master: int, words: bytes) -> bytes:
    seen, end = b"", time.monotonic() + 30
    while words not in seen and time.monotonic() < end:
        if select.select([master], [], [], 0.1)[0]:
            seen += os.read(master, 65536)
    assert words in seen
    return seen


def echoes(terminal: int) -> bool:
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("is_answering", [False, True])
def test_the_terminal_echoes_again(number: signal.Signals, is_answering: bool, tmp_path: Path):
    master, terminal = os.openpty()
    before = termios.tcgetattr(terminal)
    chat = subprocess.Popen(
        [sys.executable, "-c", CHAT],
        cwd=ROOT,
        env=os.environ | {"TERM": "xterm", "EMBER_HOME": str(tmp_path), "PROMPT_TOOLKIT_NO_CPR": "1"},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    try:
        read_until(master, b"?2004h")  # the prompt takes keys
        if is_answering:
            os.write(master, b"hi\r")
            read_until(master, b"so far")
        assert not echoes(terminal)

        chat.send_signal(number)

        code = chat.wait(30)
    finally:
        chat.kill()
        chat.wait()
        after = termios.tcgetattr(terminal)
        os.close(master)
        os.close(terminal)
    assert (code, after) == (128 + number, before)


def test_what_was_ignored_at_the_start_stays_ignored():
    code = (
        "import signal, os; from app.terminal.ending import ended_by_signals\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with ended_by_signals():\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "print('on')\n"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout == "on\n"
