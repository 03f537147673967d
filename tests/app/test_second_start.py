"""A second start brings the first window in front, with what was asked for; a portable program keeps to its folder."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from app import paths as app_paths_module
from app.cli import WINDOW_PAGES, _parsed
from app.handover import Opening, forget_openings, hand_over, handover_folder, take_openings
from app.paths import MARK, PORTABLE_HOME, UnclearPath, app_paths
from tests.app.conftest import Bench
from tests.app.test_process import ENVIRONMENT, ROOT

OPENING = Opening(("/models/größer 模型.gguf",), "device", begins_chat=True)


def test_what_is_handed_over_arrives_once_and_whole(tmp_path: Path) -> None:
    taken: list[Opening] = []

    def take() -> None:
        end = time.monotonic() + 10
        while not taken and time.monotonic() < end:
            taken.extend(take_openings(tmp_path))
            time.sleep(0.005)

    thread = threading.Thread(target=take)
    thread.start()

    assert hand_over(tmp_path, OPENING)
    thread.join()
    assert taken == [OPENING]
    assert list(tmp_path.iterdir()) == []


def test_where_nobody_listens_nothing_is_left_lying(tmp_path: Path) -> None:
    assert not hand_over(tmp_path, OPENING, wait_s=0.1)

    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_that_is_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(OSError, match=r"file"):
        hand_over(tmp_path / "file", OPENING)


def test_several_come_in_their_order(tmp_path: Path) -> None:
    for number in range(3):
        text = json.dumps({"files": [], "page": WINDOW_PAGES[number], "begins_chat": False})
        (tmp_path / f"{number}.json").write_text(text)

    assert [each.page for each in take_openings(tmp_path)] == list(WINDOW_PAGES[:3])


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"[]", b"nonsense", b'{"files": "x", "page": 3, "begins_chat": "yes"}',
     b'{"files": ["relative.gguf", 4, null]}', b'{"files": ' + b"[" * 100_000],
)  # fmt: skip
def test_what_cannot_be_understood_only_raises_the_window(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "1.json").write_bytes(content)

    assert take_openings(tmp_path) == [Opening()]


def test_requests_to_a_window_that_is_gone_are_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "handover"
    folder.mkdir()
    (folder / "1.json").write_text("{}")
    (folder / "2.new").write_text("{")

    forget_openings(folder)

    assert list(folder.iterdir()) == []


def test_the_open_window_does_what_the_second_start_asked_for(bench: Bench) -> None:
    bench.ask("one")
    before = bench.chat.conversation_id
    bench.window.showMinimized()
    done: list[bool] = []
    folder = handover_folder(bench.paths)
    thread = threading.Thread(target=lambda: done.append(hand_over(folder, Opening((), "device", begins_chat=True))))
    thread.start()

    bench.until(lambda: done)
    thread.join()

    assert done == [True]
    bench.until(lambda: bench.window.pages.current == "device")
    assert bench.chat.conversation_id != before
    assert not bench.window.isMinimized()


def test_files_of_a_second_start_are_imported(bench: Bench) -> None:
    bench.window.show_opening(Opening(("/models/another.gguf",)))

    assert bench.window.pages.current == "models"
    bench.until(lambda: any(model.name == "another" for model in bench.models.models))


FIRST = """
import sys
from PySide6.QtCore import QTimer
from app.handover import Opening
from app.paths import app_paths
from app.settings import AppSettings
from app.settings_file import SettingsFile
from app.window import start
from tests.app.fake_engine import FakeEngine, Script

paths = app_paths(sys.argv[1])
SettingsFile(paths.settings).save(AppSettings(is_welcomed=True))
start.open_engine = lambda config, on_event: FakeEngine(on_event, Script())
shown = start.MainWindow.show_opening

def show_opening(window, opening):
    shown(window, opening)
    print(window.pages.current, flush=True)
    QTimer.singleShot(0, window.close)

start.MainWindow.show_opening = show_opening
showing = start.Session.open

def open_session(session):
    showing(session)
    print("open", flush=True)

start.Session.open = open_session
sys.exit(start.run_window(paths))
"""


def test_two_programs_become_one_window(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    command = [sys.executable, "-m", "app", "--page", "speed"]
    with subprocess.Popen(
        [sys.executable, "-c", FIRST, home], cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"

        second = subprocess.run(
            command, cwd=ROOT, env=ENVIRONMENT | {"EMBER_HOME": home}, timeout=60, capture_output=True, check=False
        )

        assert (second.returncode, second.stderr) == (0, b"")
        assert first.stdout.readline() == "speed\n"
        assert first.wait(20) == 0


# One folder for everything


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source tree of the program's, as far as paths are concerned."""
    monkeypatch.delenv("EMBER_HOME", raising=False)
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.setattr(app_paths_module, "SOURCE_ROOT", tmp_path)
    return tmp_path


def all_below(folder: Path, *, is_portable: bool = False) -> bool:
    paths = app_paths(is_portable=is_portable)
    places = (paths.config, paths.data, paths.cache, paths.logs, paths.library, paths.settings, paths.engine_log)
    return all(place.is_relative_to(folder) for place in places)


def test_a_portable_program_keeps_everything_in_its_folder(program: Path) -> None:
    assert not all_below(program)
    assert all_below(program / PORTABLE_HOME, is_portable=True)

    (program / MARK).write_text("")
    assert all_below(program / PORTABLE_HOME)


def test_a_frozen_program_has_its_folder_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EMBER_HOME", raising=False)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "ember.exe"))

    assert all_below(tmp_path / PORTABLE_HOME, is_portable=True)


def test_an_installed_program_has_its_folder_in_its_environment(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program / "pyproject.toml").unlink()
    environment = tmp_path / "environment"
    environment.mkdir()
    monkeypatch.setattr(sys, "prefix", str(environment))

    assert all_below(environment / PORTABLE_HOME, is_portable=True)


def test_a_home_that_was_named_comes_before_a_mark_but_not_before_the_request(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program / MARK).write_text("")
    monkeypatch.setenv("EMBER_HOME", str(program / "named"))

    assert all_below(program / "named")
    assert all_below(program / PORTABLE_HOME, is_portable=True)


def test_a_folder_that_cannot_be_written_is_said(program: Path) -> None:
    (program / PORTABLE_HOME).write_text("a file")

    with pytest.raises(UnclearPath, match="cannot be made"):
        app_paths(is_portable=True)


def test_the_command_line_takes_what_the_window_is_to_show() -> None:
    options = _parsed(["--portable", "--open", "a.gguf", "--open", "b.gguf", "--page", "logs", "--new-chat"])

    assert (options.open, options.page, options.new_chat, options.portable) == (
        ["a.gguf", "b.gguf"],
        "logs",
        True,
        True,
    )
