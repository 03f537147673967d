"""What set-up decides to do, for machines other than this one too."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from ember_setup import commands, plan
from ember_setup.diagnose import diagnose
from ember_setup.environment import Failure, Record, Venv
from ember_setup.machine import Driver, display_kinds
from ember_setup.qt_libraries import BASE, WAYLAND, X11, missing_libraries

from engine import doctor

ROOT = Path(__file__).resolve().parents[2]
NOTHING: frozenset[str] = frozenset()
LINUX = plan.Target(ROOT, "/e/.venv/bin/python", (3, 11), "linux")


def named(steps, name):
    return next(step for step in steps if step.name == name)


def test_a_run_installs_everything_in_order_and_no_check_tools():
    names = [step.name for step in plan.pip_steps(LINUX, for_tests=False, cuda_extra="")]

    assert names == ["run", "torch", "starter model", "ember"]


def test_the_tests_need_the_tools_and_let_nothing_be_left_out():
    steps = plan.pip_steps(LINUX, for_tests=True, cuda_extra="")

    assert [step.name for step in steps] == ["run", "dev", "torch", "starter model", "ember"]
    assert not any(step.loss for step in steps)


def test_ember_starts_without_torch_the_card_and_the_starter_model():
    steps = plan.pip_steps(LINUX, for_tests=False, cuda_extra="cuda13")

    assert {step.name for step in steps if step.loss} == {"torch", "cuda", "starter model"}


@pytest.mark.parametrize(
    ("driver", "extra"),
    [
        (None, ""),
        (Driver("470.82.01"), ""),
        (Driver("524.0"), ""),
        (Driver("525.60.13"), "cuda12"),
        (Driver("575.57.08"), "cuda12"),
        (Driver("580.65.06"), "cuda13"),
        (Driver("600.1"), "cuda13"),
        (Driver(cuda=(11, 8)), ""),
        (Driver(cuda=(12, 4)), "cuda12"),
        (Driver(cuda=(13, 0)), "cuda13"),
        (Driver(), ""),
    ],
)
def test_the_driver_decides_the_cuda_packages(driver, extra):
    assert plan.cuda_extra_for(driver) == extra


def test_one_cuda_version_makes_the_other_go_first():
    step = named(plan.pip_steps(LINUX, for_tests=False, cuda_extra="cuda13"), "cuda")

    remove, install = step.attempts[0]
    assert "uninstall" in remove
    assert "cupy-cuda12x" in remove
    assert install[-1].endswith("cuda13.txt")


@pytest.mark.parametrize("system", ["linux", "windows"])
def test_torch_is_never_asked_of_the_general_index_where_that_means_cuda(system):
    step = named(plan.pip_steps(replace(LINUX, system=system), for_tests=False, cuda_extra=""), "torch")

    local, remote = (attempt[0] for attempt in step.attempts)
    assert "--no-index" in local
    assert remote[-3:] == ("--index-url", plan.TORCH_CPU_INDEX, f"torch=={plan.TORCH}+cpu")


def test_torch_on_a_mac_comes_from_the_general_index():
    step = named(plan.pip_steps(replace(LINUX, system="macos"), for_tests=False, cuda_extra=""), "torch")

    assert step.attempts[1][0][-1] == f"torch=={plan.TORCH}"
    assert "--index-url" not in step.attempts[1][0]


def test_every_pip_install_takes_no_dependencies_and_asks_nothing():
    for step in plan.pip_steps(LINUX, for_tests=True, cuda_extra="cuda12"):
        for command in (command for attempt in step.attempts for command in attempt if "install" in command):
            assert {"--no-deps", "--no-input", "--no-user"} <= set(command)


def test_a_step_is_due_again_when_its_lock_file_or_the_python_changes(tmp_path):
    lock = tmp_path / "packaging" / "lock"
    lock.mkdir(parents=True)
    for name in ("run", "torch"):
        (lock / f"{name}.txt").write_text("a==1\n")
    (tmp_path / "pyproject.toml").write_text("")
    target = replace(LINUX, root=tmp_path)

    def key(target=target):
        return named(plan.pip_steps(target, for_tests=False, cuda_extra=""), "run").key

    before = key()
    assert key() == before
    assert key(replace(target, python_version=(3, 12))) != before
    (lock / "run.txt").write_bytes(b"a==1\r\n")
    assert key() == before, "line ends of a checkout on Windows change nothing"
    (lock / "run.txt").write_text("a==2\n")
    assert key() != before


def test_a_step_done_is_not_due_and_a_needed_one_is_always_tried():
    step = plan.Step("x", "", "key", ())

    assert plan.is_due(step, Record(), NOTHING, 0.0)
    assert not plan.is_due(step, Record(done={"x": "key"}), NOTHING, 0.0)
    assert plan.is_due(step, Record(done={"x": "older"}), NOTHING, 0.0)
    assert plan.is_due(step, Record(failures={"x": Failure("key", 9, 0.0)}), NOTHING, 1.0)


def test_a_step_whose_package_is_gone_is_due_again():
    step = plan.Step("x", "", "key", (), leaves=frozenset({"numpy-2.4.6"}))
    record = Record(done={"x": "key"})

    assert not plan.is_due(step, record, frozenset({"numpy-2.4.6", "other-1"}), 0.0)
    assert plan.is_due(step, record, frozenset({"numpy-2.5.0"}), 0.0)


def test_what_ember_can_do_without_is_tried_at_two_starts_then_daily():
    step = plan.Step("x", "", "key", (), loss="less")

    assert plan.is_due(step, Record(failures={"x": Failure("key", 1, 1000.0)}), NOTHING, 1001.0)
    assert not plan.is_due(step, Record(failures={"x": Failure("key", 2, 1000.0)}), NOTHING, 1001.0)
    assert plan.is_due(step, Record(failures={"x": Failure("key", 2, 1000.0)}), NOTHING, 1001.0 + 24 * 3600)
    assert plan.is_due(step, Record(failures={"x": Failure("older", 2, 1000.0)}), NOTHING, 1001.0)


def test_missing_qt_libraries_become_the_exact_command():
    def load(soname):
        if soname in ("libxcb-icccm.so.4", "libxcb-keysyms.so.1"):
            raise OSError(soname)

    missing = missing_libraries(plan.libraries_for(("x11",), for_tests=False), load)

    packages = plan.system_packages(missing, "apt")
    assert plan.by_hand(packages, "apt") == "sudo apt-get install -y libxcb-icccm4 libxcb-keysyms1"
    assert plan.by_hand(plan.system_packages(missing, "dnf"), "dnf") == (
        "sudo dnf install -y xcb-util-wm xcb-util-keysyms"
    )
    assert plan.by_hand(plan.system_packages(missing, "pacman"), "pacman") == (
        "sudo pacman -S --needed xcb-util-wm xcb-util-keysyms"
    )
    assert plan.usable_displays(("x11", "wayland"), load) == ("wayland",)


def test_apt_asks_nothing_and_repairs_an_interrupted_dpkg():
    step = plan.apt_step(("libegl1",), ("sudo", "-n"))

    for attempt in step.attempts:
        assert all(command[:3] == ("sudo", "-n", "env") for command in attempt)
        assert all("DEBIAN_FRONTEND=noninteractive" in command for command in attempt)
    assert step.attempts[1][0][-2:] == ("--configure", "-a")


def test_without_a_screen_no_library_is_asked_for():
    assert plan.libraries_for((), for_tests=False) == ()
    assert plan.libraries_for(("wayland",), for_tests=False) == BASE + WAYLAND
    assert plan.libraries_for((), for_tests=True) == BASE + X11


def test_displays_are_read_from_the_environment():
    assert display_kinds("linux", {}) == ()
    assert display_kinds("linux", {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}) == ("x11", "wayland")
    assert display_kinds("windows", {}) == ("native",)


def test_doctor_and_set_up_look_for_the_same_qt_libraries():
    assert set(doctor.QT_SONAMES) == {library.soname for library in BASE + X11}


def test_paths_on_windows_and_elsewhere():
    assert Venv(Path("ember"), windows=True).python == Path("ember/.venv/Scripts/python.exe")
    assert Venv(Path("ember"), windows=False).python == Path("ember/.venv/bin/python")
    assert Venv(Path("ember"), windows=True).site_packages((3, 12)) == Path("ember/.venv/Lib/site-packages")
    assert Venv(Path("ember"), windows=False).site_packages((3, 12)).parts[-3:] == (
        "lib",
        "python3.12",
        "site-packages",
    )


@pytest.mark.parametrize(
    ("rest", "passed", "window"),
    [
        ([], [], True),
        (["--terminal"], ["--terminal"], False),
        (["--terminal", "--", "--model", "x"], ["--terminal", "--model", "x"], False),
        (["--", "chat", "--", "y"], ["chat", "--", "y"], False),
        (["--", "--verbose"], ["--verbose"], True),
    ],
)
def test_arguments_reach_ember(rest, passed, window):
    assert commands.app_arguments(rest) == passed
    assert commands.wants_window(passed) == window


def test_the_checks_are_offscreen_only_without_a_screen():
    assert commands.check_environment("linux", {})["QT_QPA_PLATFORM"] == "offscreen"
    assert "QT_QPA_PLATFORM" not in commands.check_environment("linux", {"DISPLAY": ":1"})
    assert "QT_QPA_PLATFORM" not in commands.check_environment("macos", {})


def test_the_summary_names_what_failed():
    text = commands.summary([("set-up", 1.0, 0), ("mypy", 2.5, 1)])

    assert [line.split() for line in text.splitlines()] == [
        ["set-up", "1.0", "s", "ok"],
        ["mypy", "2.5", "s", "failed", "(1)"],
        ["together", "3.5", "s"],
    ]


@pytest.mark.parametrize(
    ("output", "cause"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "disk is full"),
        ("Failed to establish a new connection: [Errno -2] Name or service not known", "cannot be reached"),
        ("ERROR: HTTP error 403 while getting https://r/x.whl", "refused the request"),
        ("ERROR: No matching distribution found for torch==9.9", "has no torch==9.9 for this Python"),
        ("ERROR: Cannot install torch==2.13.0+cpu because these package versions have", "has no torch==2.13.0+cpu"),
        (
            "created successfully because ensurepip is not\navailable.",
            "without the parts",
        ),
        ("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed", "certificate"),
        ("OSError: [Errno 13] Permission denied: '/x'", "could not be written"),
        ("E: Unable to locate package libxyz", "has no libxyz"),
        ("something else", "ended with code 3"),
    ],
)
def test_failures_are_told_by_cause(output, cause):
    assert cause in diagnose(output, return_code=3).cause


def test_a_missing_venv_module_names_the_debian_package():
    assert "python3.12-venv" in diagnose("No module named ensurepip", python="python3.12").action


def test_a_network_failure_outweighs_the_missing_version_it_causes():
    output = "Connection refused\nERROR: No matching distribution found for numpy==2.4.6"

    assert "cannot be reached" in diagnose(output).cause


def test_lock_files_hold_exact_versions_and_no_check_tools_at_run_time():
    def pins(name):
        lines = (ROOT / "packaging" / "lock" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        rows = [line.split(" ; ")[0].split("==") for line in lines if not line.startswith("#")]
        assert all(len(row) == 2 for row in rows), name
        return dict(rows)

    run, dev, torch = pins("run"), pins("dev"), pins("torch")

    assert run["pyside6-essentials"] == "6.11.3"
    assert torch["torch"] == plan.TORCH
    assert not set(run) & set(dev)
    assert not {"pytest", "mypy", "ruff", "torch", "transformers"} & set(run)
    assert {"pytest", "mypy", "ruff", "import-linter"} <= set(dev)
    assert "cupy-cuda13x" in pins("cuda13")
    assert "cupy-cuda12x" in pins("cuda12")


def test_every_dependency_of_the_project_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = "\n".join((ROOT / "packaging" / "lock" / f"{name}.txt").read_text() for name in ("run", "dev", "torch"))

    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    for text in (*project["dependencies"], *project["optional-dependencies"]["dev"]):
        requirement = Requirement(text)
        pin = next(line for line in locked.splitlines() if line.startswith(canonicalize_name(requirement.name) + "=="))
        assert requirement.specifier.contains(pin.split("==")[1].split(" ")[0]), pin
