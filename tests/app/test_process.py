"""The program as a process: what it loads, how it survives a kill, and that it leaves nothing behind."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from app.chat.chats import open_chats
from app.chat.conversation import INTERRUPTED
from app.paths import app_paths
from app.window.start import lock_data

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}

# A chat whose answer never ends; after each piece the number of characters the window has received goes to stdout.
ENDLESS = """
import sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app.chat.chats import open_chats
from app.paths import app_paths, assets_dir
from app.settings_file import SettingsFile
from app.window.start import Session
from app.window.theme import Theme
from tests.app.fake_engine import FakeEngine, Script

def endless(request):
    while True:
        yield "word "

app = QApplication([])
paths = app_paths(sys.argv[1])
script = Script(answer=endless, pause_s=0.01)
store = open_chats(paths.conversations)
session = Session(paths, SettingsFile(paths.settings), Theme(app, assets_dir()), store, lambda e: FakeEngine(e, script))
session.chat.answer_grew.connect(lambda i, t: print(time.time(), len(session.chat.path[-1].content), flush=True))
session.open()
QTimer.singleShot(300, lambda: session.chat.send("Go on for ever"))
app.exec()
"""


def run(code: str, *arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_windows_process_loads_neither_numbers_nor_compilers() -> None:
    code = "import sys, app.window.start, app.window.transcript.highlight; print(*sys.modules)"
    with run(code) as process:
        loaded = {name.split(".")[0] for name in process.communicate()[0].split()}

    assert "PySide6" in loaded
    assert not loaded & {"numba", "llvmlite", "numpy", "torch", "cupy", "pygments", "gguf", "sentencepiece"}


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_kill_while_answering_loses_at_most_a_second(tmp_path: Path) -> None:
    home = tmp_path / "home"
    received: list[tuple[float, int]] = []
    with run(ENDLESS, str(home)) as process:
        assert process.stdout is not None
        for line in process.stdout:
            moment, length = line.split()
            received.append((float(moment), int(length)))
            if received[-1][0] - received[0][0] > 2.2:
                process.send_signal(signal.SIGKILL)
                break
        killed_at = time.time()

    store = open_chats(app_paths(str(home)).conversations)
    assert len(store.interrupted) == 1
    question, answer = store.load(store.interrupted[0]).path()
    store.database.close()

    assert question.content == "Go on for ever"
    assert answer.status == INTERRUPTED
    a_second_before = max(length for moment, length in received if moment <= killed_at - 1.0)
    assert len(answer.content) >= a_second_before > 0


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM")
def test_the_program_ends_properly_when_told_to_and_leaves_no_process(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    code = "import sys; from app.paths import app_paths; from app.window.start import run_window"
    main = tmp_path / "main.py"
    main.write_text(f"{code}\nif __name__ == '__main__':\n    sys.exit(run_window(app_paths({home!r})))\n")
    with subprocess.Popen([sys.executable, str(main)], cwd=ROOT, env=ENVIRONMENT) as process:
        handle = psutil.Process(process.pid)
        end = time.monotonic() + 20
        while not handle.children() and time.monotonic() < end:
            time.sleep(0.05)
        children = handle.children(recursive=True)
        assert children, "the engine's process was not started"

        process.send_signal(signal.SIGTERM)

        assert process.wait(10) == 0
    _, alive = psutil.wait_procs(children, 5)
    assert [child for child in alive if child.status() != psutil.STATUS_ZOMBIE] == []
    with sqlite3.connect(app_paths(home).conversations) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()


LOCKED = """
import sys, time
from app.paths import app_paths
from app.window.start import lock_data

lock = lock_data(app_paths(sys.argv[1]))
print("none" if lock is None else "locked", flush=True)
time.sleep(60)
"""

# A start of the program whose message is answered as soon as it is there, and printed.
SECOND = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app.paths import app_paths
from app.window.start import run_window

def answer():
    box = QApplication.activeModalWidget()
    print(box.text(), flush=True)
    box.accept()

app = QApplication([])
QTimer.singleShot(200, answer)
sys.exit(run_window(app_paths(sys.argv[1])))
"""


def test_a_second_window_on_the_same_data_leaves_until_the_first_is_gone(tmp_path: Path) -> None:
    paths = app_paths(str(tmp_path / "home"))
    with run(LOCKED, str(tmp_path / "home")) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "locked\n"
        with run(SECOND, str(tmp_path / "home")) as second:
            said, _ = second.communicate(timeout=20)
        assert (said, second.returncode) == ("Ember is already open.\n", 0)
        assert not paths.conversations.exists()
        assert lock_data(paths) is None
        first.kill()

    lock = lock_data(paths)
    assert lock is not None
    assert lock.isLocked()
    lock.unlock()
