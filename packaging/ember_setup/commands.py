"""The two commands: `run` sets up and starts Ember, `test` sets up and runs every check that CI runs."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from ember_setup import environment, machine, plan
from ember_setup.environment import Record, Venv
from ember_setup.perform import StepFailed, perform
from ember_setup.qt_libraries import SystemLibrary, missing_libraries

ROOT = Path(__file__).resolve().parent.parent.parent
QUICK_ENOUGH = ("-m", "not slow", "--durations", "20")

USAGE = """\
usage: python3 packaging/bootstrap.py run [--terminal] [-- arguments for ember]
       python3 packaging/bootstrap.py test [arguments for pytest]

run   set Ember up in .venv (first time: a few minutes and about 2 GB) and start it;
      the window where there is a screen, the terminal chat otherwise or with --terminal
test  set up with the tools that check it, then run ruff, lint-imports, mypy and pytest
"""


def main(arguments: list[str]) -> int:
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    try:
        if command == "run" and not {"-h", "--help"} & set(rest[:1]):
            return run(ROOT, rest)
        if command == "test" and not {"-h", "--help"} & set(rest[:1]):
            return test(ROOT, rest)
    except KeyboardInterrupt:
        say("Interrupted. The next start goes on from here.")
        return 130
    asked = command in ("-h", "--help", "run", "test")
    print(USAGE, end="", file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def app_arguments(rest: list[str]) -> list[str]:
    """What Ember itself is started with: `run`'s own arguments, less the `--` that sets Ember's apart."""
    if "--" in rest:
        at = rest.index("--")
        return rest[:at] + rest[at + 1 :]
    return rest


def run(root: Path, rest: list[str]) -> int:
    """Set up what is missing, then become Ember."""
    passed = app_arguments(rest)
    system = machine.system_name()
    displays = machine.display_kinds(system, os.environ) if wants_window(passed) else ()
    if not set_up(root, system, displays=displays, for_tests=False):
        return 1
    if system == "linux" and displays and not plan.usable_displays(displays):
        say("Without these libraries the window cannot open: starting the terminal chat.")
        passed = ["--terminal", *passed]
    return start(Venv(root), passed)


def wants_window(passed: list[str]) -> bool:
    """A command (`chat`, `doctor`) or --terminal needs no window."""
    return "--terminal" not in passed and all(argument.startswith("-") for argument in passed)


def start(venv: Venv, passed: list[str]) -> int:
    # -P: the folder this is started from must not be searched for modules named `app` or `engine`
    command = [str(venv.python), "-P", "-m", "app", *passed]
    sys.stdout.flush()
    sys.stderr.flush()
    if not venv.windows:
        os.execv(command[0], command)
    return subprocess.call(command)


def test(root: Path, rest: list[str]) -> int:
    """Set up, run every check whatever the others said, and return the first failure's code."""
    started = time.monotonic()
    system = machine.system_name()
    if not set_up(root, system, displays=machine.display_kinds(system, os.environ), for_tests=True):
        return 1
    timings = [("set-up", time.monotonic() - started, 0)]
    for name, command in checks(str(Venv(root).python), rest):
        print(f"\n== {name}", flush=True)
        started = time.monotonic()
        code = subprocess.call(command, cwd=root, env=check_environment(system, os.environ))
        timings.append((name, time.monotonic() - started, code))
    print(f"\n{summary(timings)}", flush=True)
    return next((code for _, _, code in timings if code), 0)


def checks(python: str, pytest_arguments: list[str]) -> tuple[tuple[str, list[str]], ...]:
    """Name and command of each. Tests of windows, each busy with one core, run two at a time, the others alone."""
    lint_imports = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    pytest = [python, "-m", "pytest"]
    tests: tuple[tuple[str, list[str]], ...] = (
        ("pytest app", [*pytest, "tests/app", "-n", "2", "--dist", "loadfile", *QUICK_ENOUGH]),
        ("pytest", [*pytest, "--ignore", "tests/app", *QUICK_ENOUGH]),
    )
    return (
        ("ruff", [python, "-m", "ruff", "check", "."]),
        ("lint-imports", [python, "-c", lint_imports]),
        ("mypy", [python, "-m", "mypy"]),
        *((("pytest", [*pytest, *pytest_arguments]),) if pytest_arguments else tests),
    )


def check_environment(system: str, inherited: Mapping[str, str]) -> dict[str, str]:
    changed = dict(inherited)
    if not machine.display_kinds(system, inherited):
        changed["QT_QPA_PLATFORM"] = "offscreen"
    return changed


def summary(timings: list[tuple[str, float, int]]) -> str:
    rows = [f"{name:<14}{took:8.1f} s   {f'failed ({code})' if code else 'ok'}" for name, took, code in timings]
    total = sum(took for _, took, _ in timings)
    return "\n".join([*rows, f"{'together':<14}{total:8.1f} s"])


def set_up(
    root: Path, system: str, *, displays: tuple[str, ...], for_tests: bool, base_python: str | None = None
) -> bool:
    """Do what is not done yet; False, with the reason said, where Ember cannot start.

    base_python   interpreter the environment is made with; the running one's by default
    """
    version = (sys.version_info.major, sys.version_info.minor)
    venv = Venv(root)
    target = plan.Target(root, str(venv.python), version, system)
    libraries = missing_libraries(plan.libraries_for(displays, for_tests=for_tests)) if system == "linux" else ()
    record = Record.read(venv.record)
    fingerprint = machine.driver_fingerprint(system)
    if _is_complete(venv, record, target, fingerprint, for_tests) and not libraries and not for_tests:
        return True
    with environment.setup_lock(venv, say) as lock:
        started = time.monotonic()
        worker = _SetUp(venv, Record.read(venv.record), target, lock, base_python or machine.base_python())
        try:
            worker.system_packages(libraries, for_tests=for_tests)
            worker.virtual_environment()
            worker.packages(fingerprint, for_tests=for_tests)
        except StepFailed as failure:
            _explain(failure)
            return False
        except OSError as error:
            say(f"Set-up failed: {error}")
            return False
    say(f"Ember is set up ({time.monotonic() - started:.1f} s).")
    return True


def _is_complete(venv: Venv, record: Record, target: plan.Target, fingerprint: str, for_tests: bool) -> bool:
    """True where nothing is left to do. Costs a few file reads: this is what every start goes through."""
    if record.running or not venv.python.exists():
        return False
    if record.done.get("venv") != environment.venv_key(venv.root, target.python_version):
        return False
    if fingerprint != record.driver_fingerprint:
        return False
    if not fingerprint and plan.cuda_extra_for(machine.nvidia_driver(target.system)) != record.cuda_extra:
        return False
    steps = plan.pip_steps(target, for_tests=for_tests, cuda_extra=record.cuda_extra)
    installed = environment.installed_distributions(venv.site_packages(target.python_version))
    return not any(plan.is_due(step, record, installed, time.time()) for step in steps)


class _SetUp:
    """The stages of one set-up, all under the lock."""

    def __init__(self, venv: Venv, record: Record, target: plan.Target, lock: int, base_python: str) -> None:
        self.venv = venv
        self.record = record
        self.target = target
        self.lock = lock
        self.base_python = base_python
        self.python_name = f"python{target.python_version[0]}.{target.python_version[1]}"
        if venv.log.exists():
            venv.log.replace(venv.log.with_suffix(".previous.log"))

    def perform(self, step: plan.Step) -> bool:
        return perform(step, self.venv, self.record, say, lock=self.lock, python_name=self.python_name)

    def system_packages(self, libraries: tuple[SystemLibrary, ...], *, for_tests: bool) -> None:
        """Install missing Debian packages where that is allowed; elsewhere say the command that does it."""
        if self.target.system != "linux":
            return
        manager = machine.package_manager()
        packages = plan.system_packages(libraries, manager) if manager else ()
        if manager == "apt":
            packages += self._missing_debian_packages(for_tests=for_tests)
        if not packages:
            if libraries:
                sonames = ", ".join(library.soname for library in libraries)
                say(f"Missing system libraries: {sonames}. Install them with your package manager.")
            return
        prefix = machine.root_prefix() if manager == "apt" else None
        if prefix is None:
            say(f"Missing system packages. To install them: {plan.by_hand(packages, manager)}")
            return
        try:
            self.perform(plan.apt_step(packages, prefix))
        except StepFailed as failure:
            say(f"  failed: {failure.diagnosis.cause} To try by hand: {plan.by_hand(packages, manager)}")

    def _missing_debian_packages(self, *, for_tests: bool) -> tuple[str, ...]:
        wanted = plan.TEST_PACKAGES if for_tests else ()
        have = machine.installed_debian_packages(wanted) if wanted else ()
        missing = tuple(package for package in wanted if package not in have)
        # Debian splits what makes environments off its own Python; where it is missing elsewhere, apt cannot help
        if not machine.has_ensurepip() and Path(self.base_python).is_relative_to("/usr/bin"):
            missing += (f"{self.python_name}-venv",)
        return missing

    def virtual_environment(self) -> None:
        """Leave a whole environment of this Python: keep it, repair it, or make it."""
        venv, record = self.venv, self.record
        key = environment.venv_key(venv.root, self.target.python_version)
        if record.done.get("venv") == key and venv.python.exists():
            self._repair_packages()
            return
        if environment.is_foreign(venv, record):
            if self._answers():
                say(f"Using the environment found in {venv.folder}.")
                record.done["venv"] = key
                record.write(venv.record)
                return
            say(f"{venv.folder} is no environment of {self.python_name}: moved to {environment.set_aside(venv)}.")
        elif record.running:
            say("An earlier set-up did not finish: making the environment anew.")
        elif "venv" in record.done:
            say("The environment belongs to another Python or another folder: making it anew.")
        record.done.clear()
        record.running = "venv"
        record.write(venv.record)
        environment.empty_venv(venv)
        make = (self.base_python, "-m", "venv", str(venv.folder))
        title = f"Making a virtual environment of Python {sys.version.split()[0]} in {venv.folder}"
        self.perform(plan.Step("venv", title, key, ((make,),), "", 30))

    def _answers(self) -> bool:
        """True where the environment's interpreter runs, is this version and has pip."""
        code = f"import pip, sys; sys.exit(sys.version_info[:2] != {self.target.python_version})"
        try:
            answer = subprocess.run([str(self.venv.python), "-I", "-c", code], capture_output=True, check=False)
        except OSError:
            return False
        return answer.returncode == 0

    def _repair_packages(self) -> None:
        if not self.record.running:
            return
        damaged = environment.remove_damaged(self.venv.site_packages(self.target.python_version))
        what = f"; to be installed again: {', '.join(damaged)}" if damaged else ""
        say(f"An earlier set-up did not finish{what}.")
        self.record.done = {"venv": self.record.done["venv"]}
        self.record.running = ""
        self.record.write(self.venv.record)

    def packages(self, fingerprint: str, *, for_tests: bool) -> None:
        driver = machine.nvidia_driver(self.target.system)
        extra = plan.cuda_extra_for(driver)
        if driver and not extra:
            say(
                f"The NVIDIA driver ({driver.version or 'version unknown'}) is older than "
                f"r{plan.OLDEST_CUDA12_BRANCH}, which Ember needs for the card: it uses the processor until the driver "
                "is renewed."
            )
        steps = plan.pip_steps(self.target, for_tests=for_tests, cuda_extra=extra)
        installed = environment.installed_distributions(self.venv.site_packages(self.target.python_version))
        pending = [step for step in steps if plan.is_due(step, self.record, installed, time.time())]
        self._check_space(pending)
        for step in pending:
            again = step.name in self.record.failures
            if not self.perform(plan.hurried(step) if again and step.loss else step):
                environment.remove_damaged(self.venv.site_packages(self.target.python_version))
        self.record.driver_fingerprint = fingerprint
        self.record.cuda_extra = extra
        self.record.running = ""
        self.record.write(self.venv.record)

    def _check_space(self, pending: list[plan.Step]) -> None:
        needed = sum(step.free_mib for step in pending)
        free = shutil.disk_usage(self.venv.root).free // 2**20
        if free < needed:
            raise OSError(
                f"it needs about {needed:,} MiB of disk space and {self.venv.root} has {free:,} MiB. "
                "Free some, then run this again: it goes on from here."
            )


def _explain(failure: StepFailed) -> None:
    for line in failure.last_lines:
        say(f"  | {line}")
    say(f"Set-up stopped at: {failure.step.title}")
    say(f"Cause: {failure.diagnosis.cause}")
    say(f"What to do: {failure.diagnosis.action}")
    say(f"The whole output is in {failure.log}")
