"""The engine's process: its death is told, and it never outlives its front-end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from engine.messages import ChatMessage, EngineConfig, Generate, HostDied, ListModels, ModelList
from tests.engine.conftest import Front
from tests.engine.test_engine import HELLO

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")

REPOSITORY = Path(__file__).parents[2]

# A front-end that opens a host, tells its pid, keeps it busy packing or idle, and waits.
FRONT_END = """
import sys, time
sys.path.insert(0, sys.argv[1])
from engine.api import open_engine
from engine.messages import EngineConfig, ListModels, LoadModel

def main():
    engine = open_engine(EngineConfig(sys.argv[2] + "/library", sys.argv[2] + "/kernels"), lambda event: None)
    engine.submit(LoadModel("busy", "smollm2") if sys.argv[3] == "busy" else ListModels("idle"))
    time.sleep(float(sys.argv[4]))
    print(engine.pid, flush=True)
    time.sleep(60)

if __name__ == "__main__":
    main()
"""


@pytest.fixture
def host(tmp_path, kernel_cache):
    front = Front(
        EngineConfig(str(tmp_path / "library"), str(kernel_cache), log_path=str(tmp_path / "engine.log")),
        in_process=False,
    )
    assert isinstance(front.ask(ListModels("first")), ModelList)
    yield front
    front.engine.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSEGV])
def test_a_host_that_dies_is_reported_once_with_what_it_leaves_unanswered(host, how):
    os.kill(host.engine.pid, signal.SIGSTOP)
    host.engine.submit(Generate("unanswered", HELLO))
    os.kill(host.engine.pid, how)
    os.kill(host.engine.pid, signal.SIGCONT)

    died = host.next(10)

    assert isinstance(died, HostDied)
    assert died.exit_code == -how
    assert died.pending == ("unanswered",)
    assert not host.engine.alive
    if how == signal.SIGSEGV:
        assert "Segmentation fault" in died.log_tail


def test_a_request_to_a_dead_host_is_answered_by_its_death(host):
    os.kill(host.engine.pid, signal.SIGKILL)
    host.until(HostDied)

    host.engine.submit(ListModels("late"))

    assert host.next(5).pending == ("late",)


def test_closing_is_quick_quiet_and_repeatable(host):
    process = psutil.Process(host.engine.pid)
    started = time.monotonic()

    host.engine.close()
    host.engine.close()

    assert time.monotonic() - started < 2.5
    assert not process.is_running()
    assert host.events.empty()


@pytest.mark.parametrize("work", ["idle", "busy"])
def test_no_host_outlives_a_killed_front_end(tmp_path, work):
    with subprocess.Popen(
        [sys.executable, "-c", FRONT_END, str(REPOSITORY), str(tmp_path), work, "2"],
        stdout=subprocess.PIPE, text=True,
    ) as front:  # fmt: skip
        pid = int(front.stdout.readline())
        host = psutil.Process(pid)
        assert host.is_running()
        front.kill()
        front.wait()
        gone, _ = psutil.wait_procs([host], timeout=5)

    assert gone


def test_an_interrupt_in_the_terminal_does_not_end_the_host(host):
    os.kill(host.engine.pid, signal.SIGINT)

    assert isinstance(host.ask(ListModels("still there")), ModelList)


def test_the_log_names_no_prompt(host, tmp_path):
    host.engine.submit(Generate("secret", HELLO))
    host.next()

    assert "hello" not in (tmp_path / "engine.log").read_text()


def test_a_host_that_does_not_read_holds_nobody_up(host):
    os.kill(host.engine.pid, signal.SIGSTOP)
    started = time.monotonic()

    host.engine.submit(Generate("large", (ChatMessage("user", "word " * 400_000),)))
    host.engine.submit(ListModels("after it"))
    submitted = time.monotonic() - started
    host.engine.close()

    assert submitted < 2  # for ever, where it waited for the pipe; a tenth of a second on an idle machine
    assert time.monotonic() - started < 4


def test_old_entries_of_the_log_do_not_explain_a_new_death(tmp_path, kernel_cache):
    log = tmp_path / "engine.log"
    log.write_text("MemoryError of last week\n")
    config = EngineConfig(str(tmp_path / "library"), str(kernel_cache), log_path=str(log))
    front = Front(config, in_process=False)
    front.ask(ListModels("first"))

    os.kill(front.engine.pid, signal.SIGKILL)
    died = front.until(HostDied)[-1]
    front.engine.close()

    assert "MemoryError" not in died.log_tail
    assert "engine started" in died.log_tail
