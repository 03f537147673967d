"""The virtual environment survives kills: what is half done is done again, and one set-up works at a time.

A stub stands for the interpreter: asked for `-m venv` it makes a folder whose own `python` notes every pip command in
`calls.txt` and does what a file named `pip.py` beside it says.
"""

import os
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
from ember_setup import commands, environment
from ember_setup.environment import Record, Venv

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
VERSION = (sys.version_info.major, sys.version_info.minor)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stub interpreter is a script with a #! line")


@pytest.fixture
def checkout(tmp_path):
    """A folder that looks like Ember's to set-up, with a stub interpreter."""
    lock = tmp_path / "packaging" / "lock"
    lock.mkdir(parents=True)
    for name in ("run", "dev", "torch", "cuda12", "cuda13"):
        (lock / f"{name}.txt").write_text(f"{name}==1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    site_packages = Venv(tmp_path).site_packages(VERSION)
    pip = f"""\
        #!{sys.executable}
        import pathlib, sys, time
        with open({str(tmp_path / "calls.txt")!r}, "a") as file:
            file.write(" ".join(sys.argv[1:]) + "\\n")
        script = pathlib.Path({str(tmp_path / "pip.py")!r})
        if script.exists():
            exec(script.read_text())
        wanted = pathlib.Path(sys.argv[-1])
        lines = wanted.read_text().split() if wanted.suffix == ".txt" else [sys.argv[-1]]
        for name, version in (line.split("==") for line in lines if "==" in line):
            info = pathlib.Path({str(site_packages)!r}, f"{{name}}-{{version}}.dist-info")
            info.mkdir(parents=True, exist_ok=True)
            (info / "METADATA").touch()
            (info / "RECORD").touch()
    """
    python = f"""\
        #!{sys.executable}
        import pathlib, sys, time
        folder = pathlib.Path(sys.argv[-1])
        (folder / "bin").mkdir(parents=True)
        (folder / "pyvenv.cfg").write_text("")
        script = pathlib.Path({str(tmp_path / "venv.py")!r})
        if script.exists():
            exec(script.read_text())
        python = folder / "bin" / "python"
        python.write_text({textwrap.dedent(pip)!r})
        python.chmod(0o755)
    """
    stub = tmp_path / "stub-python"
    stub.write_text(textwrap.dedent(python))
    stub.chmod(stub.stat().st_mode | stat.S_IXUSR)
    return tmp_path


def set_up(root):
    return commands.set_up(root, "macos", displays=(), for_tests=False, base_python=str(root / "stub-python"))


def set_up_elsewhere(root):
    """The same in a process of its own, which can be killed."""
    code = (
        f"import sys, pathlib; sys.path.insert(0, {str(PACKAGING)!r}); from ember_setup import commands; "
        f"commands.set_up(pathlib.Path({str(root)!r}), 'macos', displays=(), for_tests=False, "
        f"base_python={str(root / 'stub-python')!r})"
    )
    return subprocess.Popen([sys.executable, "-I", "-c", code], stderr=subprocess.DEVNULL, start_new_session=True)


def pip_calls(root):
    calls = root / "calls.txt"
    return [line for line in calls.read_text().splitlines() if " pip " in line] if calls.exists() else []


def wait_for(condition, timeout_s=20.0):
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.01)


def kill(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_second_set_up_does_nothing(checkout):
    assert set_up(checkout)
    calls = pip_calls(checkout)
    assert len(calls) == 5  # run, torch and what it needs, the starter model, Ember itself

    assert set_up(checkout)

    assert pip_calls(checkout) == calls


def test_a_changed_lock_file_is_installed_and_nothing_else(checkout):
    set_up(checkout)
    before = len(pip_calls(checkout))
    (checkout / "packaging" / "lock" / "run.txt").write_text("run==2\n")

    set_up(checkout)

    assert [call.split()[-1] for call in pip_calls(checkout)[before:]] == [str(checkout / "packaging/lock/run.txt")]


def test_a_package_that_went_missing_is_installed_again(checkout):
    set_up(checkout)
    before = len(pip_calls(checkout))
    shutil.rmtree(Venv(checkout).site_packages(VERSION) / "run-1.dist-info")

    set_up(checkout)

    assert len(pip_calls(checkout)) == before + 1


def test_an_environment_killed_half_made_is_made_anew(checkout):
    (checkout / "venv.py").write_text("(folder / 'half').write_text('x'); time.sleep(60)")
    process = set_up_elsewhere(checkout)
    wait_for((checkout / ".venv" / "half").exists)
    kill(process)
    (checkout / "venv.py").unlink()

    assert set_up(checkout)

    assert not (checkout / ".venv" / "half").exists()
    assert Record.read(Venv(checkout).record).running == ""


def test_an_installation_killed_half_way_is_repaired(checkout):
    (checkout / "pip.py").write_text("time.sleep(60)")
    process = set_up_elsewhere(checkout)
    wait_for(lambda: pip_calls(checkout))
    kill(process)
    (checkout / "pip.py").unlink()
    half = Venv(checkout).site_packages(VERSION) / "half-1.0.dist-info"
    half.mkdir(parents=True)
    (half / "METADATA").write_text("Name: half\n")

    assert set_up(checkout)

    assert not half.exists(), "pip would have taken it for installed"
    assert len(pip_calls(checkout)) == 6  # the one that was killed, then all five
    assert set(Record.read(Venv(checkout).record).done) == {"venv", "run", "torch", "starter model", "ember"}


def test_a_pip_that_outlives_a_killed_set_up_keeps_others_waiting(checkout):
    (checkout / "pip.py").write_text(f"""
while not pathlib.Path({str(checkout / "go")!r}).exists():
    time.sleep(0.01)
pathlib.Path({str(checkout / "ended")!r}).touch()
""")
    process = set_up_elsewhere(checkout)
    wait_for(lambda: pip_calls(checkout))
    process.kill()
    process.wait()
    said = []

    def release_once_it_waits():
        wait_for(lambda: said)
        (checkout / "go").touch()

    releasing = threading.Thread(target=release_once_it_waits)
    releasing.start()
    with environment.setup_lock(Venv(checkout), said.append, pause_s=0.01):
        ended = (checkout / "ended").exists()
    releasing.join()

    assert ended
    assert said[0].startswith(f"A command that process {process.pid} left behind is setting Ember up")


def test_a_stale_lock_file_stops_nobody(checkout):
    venv = Venv(checkout)
    venv.setup.mkdir(parents=True)
    venv.lock.write_text("999999999\n")
    said = []

    with environment.setup_lock(venv, said.append):
        assert venv.lock.read_text() == f"{os.getpid()}\n"

    assert said == []


def test_two_set_ups_at_once_do_the_work_once(checkout):
    (checkout / "pip.py").write_text("time.sleep(0.05)")
    first, second = set_up_elsewhere(checkout), set_up_elsewhere(checkout)

    assert (first.wait(30), second.wait(30)) == (0, 0)
    assert len(pip_calls(checkout)) == 5


def test_an_unreadable_record_counts_as_interrupted(checkout):
    set_up(checkout)
    Venv(checkout).record.write_text("{")

    assert set_up(checkout)

    assert len(pip_calls(checkout)) == 10


def test_an_environment_of_another_folder_is_made_anew(checkout):
    set_up(checkout)
    copy = checkout.parent / (checkout.name + "-copy")
    shutil.copytree(checkout, copy)
    (copy / ".venv" / "of-the-other").touch()

    assert set_up(copy)

    assert not (copy / ".venv" / "of-the-other").exists()
    assert Record.read(Venv(copy).record).done["venv"].endswith(str(copy))


def test_someone_elses_environment_that_does_not_serve_is_kept_aside(checkout):
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "precious").write_text("x")

    assert set_up(checkout)

    assert (checkout / ".venv.old1" / "precious").read_text() == "x"
    assert not (checkout / ".venv" / "precious").exists()


def test_a_failing_torch_stops_nothing_and_is_tried_at_the_next_start(checkout, capfd):
    (checkout / "pip.py").write_text("any('torch==' in a for a in sys.argv) and sys.exit('Connection refused')")

    assert set_up(checkout)
    assert "It is tried again at the next start" in capfd.readouterr().err
    before = len(pip_calls(checkout))
    assert set_up(checkout)
    assert "It is tried again tomorrow" in capfd.readouterr().err
    assert [call.split()[-1] for call in pip_calls(checkout)[before:]][-1] == "8", "hurried"
    (checkout / "pip.py").unlink()
    assert set_up(checkout)
    assert len(pip_calls(checkout)) == before + 2, "not tried again today"


def test_a_failure_shows_the_last_lines_the_cause_and_the_action(checkout, capfd):
    (checkout / "pip.py").write_text("sys.exit('[Errno 28] No space left on device')")

    assert not set_up(checkout)

    said = capfd.readouterr().err
    assert "| [Errno 28] No space left on device" in said
    assert "Cause: The disk is full." in said
    assert "What to do: Free some space" in said
    assert str(Venv(checkout).log) in said


def test_packages_cut_short_are_forgotten_and_whole_ones_kept(tmp_path):
    def package(name, record, *, metadata=True):
        info = tmp_path / f"{name}-1.dist-info"
        info.mkdir()
        if metadata:
            (info / "METADATA").write_text("")
        if record is not None:
            (info / "RECORD").write_text(record)

    (tmp_path / "there.py").write_text("12345")
    (tmp_path / "~hole").mkdir()
    package("whole", "there.py,sha256=x,5\n__pycache__/there.pyc,,\nwhole-1.dist-info/RECORD,,\n")
    package("unlisted", None)
    package("gone", "absent.py,sha256=x,5\n")
    package("shortened", "there.py,sha256=x,6\n")

    assert environment.remove_damaged(tmp_path) == ("gone", "shortened", "unlisted")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.py", "whole-1.dist-info"]
