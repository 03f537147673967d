"""Each thing that can stand in Ember's way is found, has its level, and is said with a next action."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.terminal import doctor as terminal_doctor
from engine import doctor
from engine.api import inspect_machine
from engine.hub import starter
from engine.messages import EngineConfig
from engine.placement.hardware import Card, CardDriver, Cupy, Memory, Processor, probe_machine, probe_processor
from engine.placement.speeds_file import keep_speeds, machine_key
from engine.placement_reports import CardProcess, MachineSpeeds, ThreadRate
from engine.runtime.tuning_file import Rate, Tuning, store

PROCESSOR = Processor("Some CPU", "x86_64", ("AVX2", "FMA"), 4, 8, 8, None)
CARD = Card(0, "NVIDIA RTX 4090", 24 << 30, 20 << 30, (8, 9))
USED = replace(
    CARD, uuid="GPU-1", reserved_bytes=512 << 20, link="PCIe 4.0 x16",
    processes=(CardProcess("blender", 7, 3 << 30), CardProcess("", 8, 0)),
)  # fmt: skip
DRIVER = CardDriver("ok", "550.54.14", (CARD,))
SPEEDS = MachineSpeeds(
    (ThreadRate(1, 23e9), ThreadRate(2, 46e9)), "GPU-1", 9e11, 25e9, 24e9, 6e-6, 4e-5, "2026-11-30T10:00:00+00:00", 3.2
)  # fmt: skip
NO_CARD = dict.fromkeys(
    ("card_bytes_per_s", "upload_bytes_per_s", "download_bytes_per_s", "launch_s", "round_trip_s"), 0.0
)  # fmt: skip
LOCKED = dict.fromkeys(doctor.SHOWN_LIBRARIES, "1.0")


def levels(findings):
    return {found.code: found.level for found in findings}


def test_an_ordinary_processor_is_fine():
    assert set(levels(doctor.processor_findings(PROCESSOR)).values()) == {"ok"}


def test_a_processor_without_fast_vectors_and_a_quota_are_notes():
    slow = replace(PROCESSOR, features=("FMA",), quota_cores=1.5)

    found = levels(doctor.processor_findings(slow))

    assert found["no_fast_vectors"] == "note"
    assert found["processor_quota"] == "note"


def test_little_memory_and_a_limit_are_notes():
    found = levels(doctor.memory_findings(Memory(8 << 30, 100 << 20, 1 << 30)))

    assert found == {"memory_low": "note", "memory_limit": "note"}


@pytest.mark.parametrize(
    ("driver", "expected"),
    [
        (CardDriver("no_driver"), {"no_driver": "ok"}),
        (CardDriver("no_answer"), {"driver_silent": "note"}),
        (CardDriver("no_device", "580.1"), {"no_device": "note"}),
        (CardDriver("failed", reason="Unknown Error"), {"driver_failed": "note"}),
        (DRIVER, {"driver": "ok", "card": "ok", "card_memory": "ok"}),
        (
            replace(DRIVER, cards=(USED,)),
            {
                "driver": "ok",
                "card": "ok",
                "card_memory": "ok",
                "card_process": "ok",
                "card_process_untold": "ok",
            },
        ),
        (
            replace(DRIVER, cards=(replace(CARD, memory_bytes=0, free_bytes=0),)),
            {
                "driver": "ok",
                "card": "ok",
                "card_memory_untold": "ok",
            },
        ),
        (
            replace(DRIVER, reason="GPU is lost"),
            {
                "driver": "ok",
                "card": "ok",
                "card_memory": "ok",
                "card_lost": "note",
            },
        ),
    ],
)
def test_drivers(driver, expected):
    assert levels(doctor.driver_findings(driver)) == expected


@pytest.mark.parametrize(
    ("state", "code", "level"),
    [
        ("usable", "cupy", "ok"),
        ("not_installed", "cupy_not_installed", "note"),
        ("old_driver", "cupy_old_driver", "note"),
        ("no_compiler", "cupy_no_compiler", "note"),
        ("no_device", "cupy_no_device", "note"),
        ("too_old", "cupy_too_old", "note"),
        ("failed", "cupy_failed", "note"),
    ],
)
def test_cupy_beside_a_card(state, code, level):
    cupy = Cupy(state, "" if state == "not_installed" else "cupy-cuda13x", "14.2.0", "reason")

    assert levels(doctor.cupy_findings(DRIVER, cupy)) == {code: level}


def test_a_cards_memory_is_told_by_who_has_it():
    found = [f for f in doctor.driver_findings(replace(DRIVER, cards=(USED,))) if f.code == "card_memory"]

    case, _ = terminal_doctor.describe_finding(found[0])

    assert "21.5 GB free of 25.8 GB" in case
    assert "3.8 GB used by other programs, 537 MB kept by the driver" in case


def test_an_old_card_beside_a_new_one_is_named():
    old = replace(CARD, index=1, name="GTX 1080", compute_capability=(6, 1))
    cupy = Cupy("usable", "cupy-cuda13x", "14.2.0")

    found = doctor.driver_findings(replace(DRIVER, cards=(CARD, old)), cupy)

    assert [f.field("name") for f in found if f.code == "card_too_old"] == ["GTX 1080"]


def test_measured_speeds_are_told_with_their_date():
    cases = [terminal_doctor.describe_finding(found)[0] for found in doctor.speed_findings(SPEEDS)]

    assert cases[0] == "Measured at 2026-11-30T10:00:00+00:00"
    assert "Threads: 2, read 46.0 GB of main memory a second" in cases
    assert "a launch takes 6.0 µs, a short vector there and back 40 µs" in cases[-1]
    assert [f.code for f in doctor.speed_findings(None)] == ["speeds_not_measured"]


def test_speeds_kept_of_this_machine_are_found(tmp_path):
    config = EngineConfig(str(tmp_path / "models"), str(tmp_path / "kernels"), card="none")
    machine = probe_machine()
    keep_speeds(tmp_path, machine_key(machine, ""), replace(SPEEDS, card_uuid="", **NO_CARD))

    report = inspect_machine(config)

    found = next(section for section in report.sections if section.name == "speeds")
    assert "thread_rate" in levels(found.findings)


def test_without_a_card_the_absence_of_cupy_is_not_worth_a_word():
    assert doctor.cupy_findings(CardDriver("no_driver"), Cupy("not_installed")) == ()


def test_tested_versions_are_fine():
    found = levels(doctor.library_findings(LOCKED, LOCKED, {}, (3, 11)))

    assert set(found.values()) == {"ok"}


def test_missing_and_other_versions_are_told_apart():
    installed = {**LOCKED, "numpy": "1.1"}
    del installed["numba"]
    del installed["torch"]

    found = doctor.library_findings(installed, {**LOCKED, "torch": "1.0"}, {}, (3, 11))

    assert [f.field("name") for f in found if f.code == "library_missing"] == ["numba"]
    assert [f.field("name") for f in found if f.code == "library_differs"] == ["numpy"]
    assert levels(found)["torch_missing"] == "note"
    assert levels(found)["library_missing"] == "problem"


def test_a_cpu_build_of_the_locked_torch_is_the_locked_torch():
    installed = {**LOCKED, "torch": "2.13.0+cpu"}

    found = doctor.library_findings(installed, {}, {"torch": "2.13.0"}, (3, 11))

    assert "library_differs" not in levels(found)


@pytest.mark.parametrize(("python", "aborts"), [((3, 11), True), ((3, 12), False)])
def test_the_pyside_that_aborts_is_a_problem_on_python_3_11_only(python, aborts):
    installed = {**LOCKED, "pyside6-essentials": "6.12.0"}

    found = levels(doctor.library_findings(installed, {}, {}, python))

    assert (found.get("pyside_aborts") == "problem") == aborts


def test_lock_files_are_read_without_pins_for_other_systems(tmp_path):
    (tmp_path / "run.txt").write_text('# head\nFoo_Bar==1.2\ncolorama==0.4 ; sys_platform == "win32"\n')

    assert doctor.locked_versions("run", tmp_path) == {"foo-bar": "1.2"}
    assert doctor.locked_versions("absent", tmp_path) == {}


def test_a_kernel_cache_that_cannot_be_written_is_a_note(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    (tmp_path / "cache" / "v1").mkdir(parents=True)
    (tmp_path / "cache" / "v1" / "decode.nbc").write_text("")

    good = doctor.kernel_findings(EngineConfig("", str(tmp_path / "cache")))
    bad = doctor.kernel_findings(EngineConfig("", str(blocked / "cache")))

    assert good[1].field("compiled") == 1
    assert levels(bad)["kernel_cache_not_writable"] == "note"


def test_what_was_measured_on_this_processor_is_told(tmp_path):
    rates = (Rate("int8", 2, 3072, 50.4e9), Rate("int4", 2, 3072, 40e9), Rate("int8", 1, 3072, 30e9))
    store(tmp_path, f"{probe_processor().model} | anything", Tuning(2, 3072, rates))

    case, _ = terminal_doctor.describe_finding(doctor.tuning_finding(tmp_path))

    assert "2 threads fetching 3072 bytes ahead" in case
    assert "50.4 GB of int8 rows or 40.0 GB of int4 rows a second" in case
    assert doctor.tuning_finding(tmp_path / "elsewhere").code == "not_tuned"


def test_a_library_that_cannot_be_written_is_a_problem(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")

    assert levels(doctor.model_findings(blocked / "models"))["library_not_writable"] == "problem"


def test_nothing_is_made_by_looking(tmp_path):
    inspect_machine(EngineConfig(str(tmp_path / "models"), str(tmp_path / "kernels")))

    assert list(tmp_path.iterdir()) == []


def test_a_broken_model_is_named(tmp_path):
    from engine.model.packed_model import SUFFIX

    (tmp_path / f"broken{SUFFIX}").write_bytes(b"nonsense")

    found = [f for f in doctor.model_findings(tmp_path) if f.code == "model_unreadable"]

    assert [f.level for f in found] == ["problem"]
    cause, action = terminal_doctor.describe_finding(found[0])
    assert "broken" in cause
    assert action


def test_the_starter_must_be_there_and_unaltered(tmp_path):
    damaged = tmp_path / starter.STARTER_FILE
    damaged.write_bytes(b"GGUF")

    assert doctor.starter_finding(None, other_models=False).level == "problem"
    assert doctor.starter_finding(None, other_models=True).level == "note"
    found = doctor.starter_finding(damaged, other_models=True)
    assert (found.level, found.code) == ("problem", "starter_damaged")


@pytest.mark.model
def test_the_installed_starter_is_the_published_one():
    path = starter.find_starter()
    assert path is not None, "run packaging/bootstrap.py test, which installs it"

    assert doctor.starter_finding(path, other_models=False).code == "starter"


def test_missing_qt_libraries_matter_where_there_is_a_screen():
    def load(soname):
        if "icccm" in soname:
            raise OSError(soname)

    with_screen = doctor.window_findings(doctor.QT_SONAMES, has_screen=True, load=load)
    without = doctor.window_findings(doctor.QT_SONAMES, has_screen=False, load=load)

    assert levels(with_screen) == {"qt_libraries_missing": "problem"}
    assert levels(without) == {"qt_libraries_missing": "note"}
    assert with_screen[0].field("names") == "libxcb-icccm.so.4"


def test_a_screen_is_seen_in_the_environment():
    assert terminal_doctor.has_screen({"DISPLAY": ":0"}, "linux")
    assert not terminal_doctor.has_screen({"DISPLAY": ""}, "linux")
    assert terminal_doctor.has_screen({}, "win32")


def every_finding():
    """One finding of every code the engine can report."""
    cupy_states = ("usable", "not_installed", "old_driver", "no_compiler", "no_device", "too_old", "failed")
    drivers = (
        CardDriver("no_driver"), CardDriver("no_answer"), CardDriver("no_device", "580.1"),
        CardDriver("failed", reason="x"), DRIVER,
        replace(DRIVER, cards=(USED, replace(CARD, memory_bytes=0, compute_capability=(6, 1))), reason="lost"),
    )  # fmt: skip
    blocked = Path(__file__) / "below-a-file"
    yield from doctor.processor_findings(replace(PROCESSOR, quota_cores=1.0))
    yield from doctor.processor_findings(replace(PROCESSOR, features=()))
    yield from doctor.memory_findings(Memory(8 << 30, 100 << 20, 1 << 30))
    yield from doctor.memory_findings(Memory(8 << 30, 4 << 30, None))
    for driver in drivers:
        yield from doctor.driver_findings(driver, Cupy("usable", "cupy-cuda13x", "14.2.0"))
    yield from doctor.speed_findings(SPEEDS)
    yield from doctor.speed_findings(None)
    for state in cupy_states:
        yield from doctor.cupy_findings(DRIVER, Cupy(state, "cupy-cuda13x", "14.2.0", "reason"))
    yield from doctor.cupy_findings(drivers[0], Cupy("no_driver", "cupy-cuda13x", "14.2.0"))
    yield from doctor.library_findings({"numpy": "1", "pyside6-essentials": "6.12.0"}, LOCKED, {}, (3, 11))
    for folder in (blocked, Path(__file__).parent):
        yield from doctor.kernel_findings(EngineConfig("", str(folder)))
        yield from doctor.model_findings(folder)
    yield doctor.finding("ok", "tuned", threads=2, fetch_ahead=0, int8_rate_bytes=1, int4_rate_bytes=1)
    yield doctor.starter_finding(None, other_models=True)
    yield doctor.starter_finding(Path(__file__), other_models=True)
    yield doctor.finding("problem", "disk_low", path="/x", free_bytes=1, needed_bytes=2)
    yield doctor.finding("note", "disk_unknown", path="/x", reason="gone")
    for has_screen in (True, False):
        yield from doctor.window_findings(("libnone.so.0",), has_screen=has_screen)
        yield from doctor.window_findings((), has_screen=has_screen)


def test_every_code_has_words_and_every_problem_an_action():
    said = set()
    for found in every_finding():
        case, action = terminal_doctor.describe_finding(found)
        assert case
        assert "{" not in case + action
        assert action or found.level == "ok", found.code
        said.add(found.code)

    assert set(terminal_doctor.TEXTS) - said <= {"model", "starter"}, "texts nothing reports"


def test_the_report_has_a_line_per_finding_and_no_control_characters(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    config = EngineConfig(str(tmp_path / "models"), str(tmp_path / "kernels"))

    code = terminal_doctor.run(config, as_json=False)

    text = capsys.readouterr().out
    assert code in (0, 1)
    assert text.replace("\n", "").isprintable()
    assert all(title in text for title in terminal_doctor.TITLES.values())


@pytest.mark.parametrize("as_json", [False, True])
def test_a_library_too_broken_to_look_further_is_reported(as_json, capsys, monkeypatch):
    def inspect(config, *, has_screen):
        raise ImportError("No module named 'numpy'")

    monkeypatch.setattr(terminal_doctor, "inspect_machine", inspect)

    code = terminal_doctor.run(EngineConfig("", ""), as_json=as_json)

    text = capsys.readouterr().out
    assert code == 1
    assert ("import_failed" if as_json else "cannot be loaded") in text


def test_json_holds_codes_and_fields(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("")

    code = terminal_doctor.run(EngineConfig(str(blocked / "models"), str(tmp_path)), as_json=True)

    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert report["problems"] >= 1
    models = next(section for section in report["sections"] if section["name"] == "models")
    assert "library_not_writable" in [found["code"] for found in models["findings"]]
