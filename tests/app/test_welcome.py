"""The first questions: asked once, each can be skipped and gone back to, and what was chosen holds at once."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest

from app.settings_file import SettingsFile
from app.window.settings_ways import settings_ways
from app.window.theme import THEMES, colors_of
from app.window.wizard.steps import FolderStep, LanguageStep, LookStep, ModelStep, SpeedStep
from app.window.wizard.welcome import WelcomeDialog
from engine.messages import Cancel, ReadDevices
from tests.app import device_samples
from tests.app.conftest import Bench
from tests.app.fake_engine import STARTER, Script
from tests.app.test_process import ENVIRONMENT, ROOT

MakeBench = Callable[..., Bench]


@pytest.fixture
def dialog(bench: Bench) -> Iterator[WelcomeDialog]:
    bench.session.ask_first_questions()
    assert bench.session.welcome is not None
    bench.settle()
    yield bench.session.welcome
    if bench.session.welcome is not None:
        bench.session.welcome.close()
    bench.settle()


def reach(dialog: WelcomeDialog, kind: type) -> object:
    while not isinstance(dialog.step, kind):
        dialog.next_button.click()
    return dialog.step


def test_all_steps_are_gone_through_by_the_enter_key(bench: Bench, dialog: WelcomeDialog) -> None:
    seen = []
    for _ in range(5):
        seen.append(type(dialog.step))
        dialog.next_button.setFocus()
        QTest.keyClick(dialog, Qt.Key.Key_Return)

    assert seen == [LanguageStep, LookStep, FolderStep, SpeedStep, ModelStep]
    assert bench.session.welcome is None
    assert SettingsFile(bench.paths.settings).settings.is_welcomed


def test_back_goes_back_and_nothing_chosen_is_lost(bench: Bench, dialog: WelcomeDialog) -> None:
    assert not dialog.back_button.isVisible()
    look = reach(dialog, LookStep)
    assert isinstance(look, LookStep)
    look._themes["dark"].click()
    dialog.next_button.click()

    dialog.back_button.click()

    assert dialog.step is look
    assert look._themes["dark"].isChecked()
    assert bench.session.settings.value.theme == "dark"


@pytest.mark.parametrize("steps", [0, 1, 3])
def test_escape_leaves_with_what_was_chosen_and_they_do_not_come_again(
    bench: Bench, dialog: WelcomeDialog, steps: int
) -> None:
    for _ in range(steps):
        dialog.next_button.click()

    QTest.keyClick(dialog, Qt.Key.Key_Escape)

    assert bench.session.welcome is None
    assert SettingsFile(bench.paths.settings).settings.is_welcomed


def test_a_program_killed_in_the_middle_asks_again(bench: Bench, dialog: WelcomeDialog) -> None:
    look = reach(dialog, LookStep)
    assert isinstance(look, LookStep)
    look._themes["dark"].click()
    bench.session.settings.save()

    kept = SettingsFile(bench.paths.settings).settings

    assert kept.theme == "dark"
    assert not kept.is_welcomed


def test_theme_and_accent_act_at_once(bench: Bench, dialog: WelcomeDialog) -> None:
    look = reach(dialog, LookStep)
    assert isinstance(look, LookStep)

    look._themes["dark"].click()
    look._accents._discs["violet"].click()

    assert colors_of(bench.window.palette()) == THEMES[True, "violet"]
    assert colors_of(dialog.palette()) == THEMES[True, "violet"]


def test_a_language_is_chosen_and_the_steps_are_made_anew(bench: Bench, dialog: WelcomeDialog) -> None:
    language = dialog.step
    assert isinstance(language, LanguageStep)
    language._buttons["zh_CN"].click()
    assert bench.session.settings.value.language == "zh_CN"

    QCoreApplication.sendEvent(dialog, QEvent(QEvent.Type.LanguageChange))
    bench.settle()

    assert isinstance(dialog.step, LanguageStep)
    assert dialog.step is not language
    assert dialog.step._buttons["zh_CN"].isChecked()


def test_the_folder_is_shown_with_what_is_free_and_can_be_another(
    bench: Bench, dialog: WelcomeDialog, tmp_path: Path
) -> None:
    folder = reach(dialog, FolderStep)
    assert isinstance(folder, FolderStep)
    assert str(bench.paths.library) in folder._folder.text().replace("\u200b", "")
    assert "free there" in folder._free.text()
    other = tmp_path / "models of mine"
    other.mkdir()

    folder.use(other)

    bench.until(lambda: bench.session.settings.value.library_folders[:1] == (str(other),))
    bench.until(lambda: str(other) in folder._folder.text().replace("\u200b", ""))


def test_measuring_shows_how_far_it_is_and_then_what_was_measured(make_bench: MakeBench) -> None:
    script = Script(devices=device_samples.UNMEASURED, measured=device_samples.NO_CARD)
    script.measure = (("rates", 1, 4),)
    script.gates["measure"] = threading.Event()
    bench = make_bench(script).start()
    bench.session.ask_first_questions()
    dialog = bench.session.welcome
    assert dialog is not None
    speed = reach(dialog, SpeedStep)
    assert isinstance(speed, SpeedStep)
    bench.until(lambda: "no graphics card" in speed.told)
    assert "Not measured yet" in speed.told

    speed.measure.click()
    bench.until(lambda: "25 %" in speed.progress._words.text())
    assert not speed.measure.isVisible()
    script.gates["measure"].set()

    bench.until(lambda: "GB/s" in speed.told)
    assert speed.measure.isVisible()
    dialog.close()


@pytest.mark.parametrize("way", ["cancel", "next", "escape"])
def test_measuring_is_given_up_when_it_is_not_waited_for(make_bench: MakeBench, way: str) -> None:
    script = Script(devices=device_samples.UNMEASURED, gates={"measure": threading.Event()}, measure=(("rates", 1, 4),))
    bench = make_bench(script).start()
    bench.session.ask_first_questions()
    dialog = bench.session.welcome
    assert dialog is not None
    speed = reach(dialog, SpeedStep)
    assert isinstance(speed, SpeedStep)
    bench.until(lambda: speed.measure.isEnabled())
    speed.measure.click()
    bench.until(lambda: speed.progress.isVisible())
    (asked,) = [each for each in bench.engine.asked(ReadDevices) if each.measure]

    if way == "cancel":
        speed.progress.cancelled.emit()
    elif way == "next":
        dialog.next_button.click()
    else:
        QTest.keyClick(dialog, Qt.Key.Key_Escape)

    assert [each.target_id for each in bench.engine.asked(Cancel)] == [asked.request_id]
    bench.until(lambda: bench.session.device.measuring is None)
    if bench.session.welcome is not None:
        bench.session.welcome.close()


def test_the_model_that_came_with_ember_is_named_with_its_state(bench: Bench, dialog: WelcomeDialog) -> None:
    model = reach(dialog, ModelStep)
    assert isinstance(model, ModelStep)

    assert STARTER.name in model.told
    assert "Loaded and ready" in model.told
    assert dialog.next_button.text() == "Start chatting"


def asked_while_preparing(
    make_bench: MakeBench, gate: threading.Event, *, packs: bool = False
) -> tuple[Bench, ModelStep]:
    """The step about the model, while the starter is being prepared until the gate opens."""
    raw = replace(STARTER, state="source", weight_format="")
    script = Script(models=(raw,), load=(("pack", 1, 4),), gates={"load": gate}, packs=packs)
    bench = make_bench(script).start(until_ready=False)
    bench.until(lambda: bench.models.loading is not None and bench.models.loading.progress is not None)
    bench.session.ask_first_questions()
    dialog = bench.session.welcome
    assert dialog is not None
    model = reach(dialog, ModelStep)
    assert isinstance(model, ModelStep)
    return bench, model


def test_the_model_is_said_to_be_prepared_while_and_once_it_is(make_bench: MakeBench) -> None:
    gate = threading.Event()
    bench, model = asked_while_preparing(make_bench, gate, packs=True)
    assert "being prepared" in model.told.replace("\xa0", " ")
    assert "not prepared" not in model.told.replace("\xa0", " ")
    said: list[str] = []
    bench.models.changed.connect(lambda: said.append(model.told.replace("\xa0", " ")))

    gate.set()
    bench.until(lambda: bench.models.state == "ready")

    ready = [words for words in said if "Loaded and ready" in words]
    assert ready
    assert all("int8" in words and "prepared" not in words for words in ready)
    model.window().close()


def test_a_model_whose_preparation_was_stopped_is_not_prepared(make_bench: MakeBench) -> None:
    bench, model = asked_while_preparing(make_bench, threading.Event())

    bench.models.cancel_load()
    bench.until(lambda: bench.models.loading is None)

    assert "not prepared yet" in model.told.replace("\xa0", " ")
    model.window().close()


def test_larger_models_are_one_press_away(bench: Bench, dialog: WelcomeDialog) -> None:
    model = reach(dialog, ModelStep)
    assert isinstance(model, ModelStep)

    model.discover_asked.emit()

    assert bench.window.pages.current == "models"
    assert bench.session.settings.value.is_welcomed


def test_without_a_model_the_way_to_one_is_named(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=())).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")
    bench.session.ask_first_questions()
    dialog = bench.session.welcome
    assert dialog is not None

    model = reach(dialog, ModelStep)

    assert isinstance(model, ModelStep)
    assert "No model is here yet" in model.told
    dialog.close()


def test_they_can_be_asked_again_from_the_settings(bench: Bench) -> None:
    bench.session.settings.update(is_welcomed=True)

    settings_ways(bench.window)["welcome"]()

    assert bench.session.welcome is not None
    bench.session.welcome.close()


# A start of the program that says whether the first questions were asked, and ends as its argument says.
START = """
import os, sys
from PySide6.QtCore import QTimer
from app.paths import app_paths
from app.window import start
from tests.app.fake_engine import FakeEngine, Script

start.open_engine = lambda config, on_event: FakeEngine(on_event, Script())
asking = start.Session.ask_first_questions
asked = []

def ask(session):
    asking(session)
    asked.append(session.welcome)

def end():
    print("asked" if asked else "not asked", flush=True)
    if sys.argv[2] == "kill":
        os._exit(9)
    for dialog in asked:
        dialog.reject()
    QTimer.singleShot(0, ended[0].window.close)

ended = []
opening = start.Session.open

def open_session(session):
    opening(session)
    ended.append(session)
    QTimer.singleShot(100, end)

start.Session.ask_first_questions = ask
start.Session.open = open_session
sys.exit(start.run_window(app_paths(sys.argv[1])))
"""


def test_only_starts_until_they_were_answered_ask(tmp_path: Path) -> None:
    said = []
    for way in ("kill", "skip", "skip"):
        answer = subprocess.run(
            [sys.executable, "-c", START, str(tmp_path / "home"), way],
            cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        said.append(answer.stdout.strip())

    assert said == ["asked", "asked", "not asked"]
