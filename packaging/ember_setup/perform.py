"""Carrying steps out: run their commands into the log, say what happens and how long it took, explain failures."""

import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

from ember_setup.diagnose import Diagnosis, diagnose
from ember_setup.environment import Failure, Record, Venv
from ember_setup.plan import Command, Step

Say = Callable[[str], None]

KEPT_LINES = 400
SHOWN_LINES = 12
HEARTBEAT_S = 30.0
HEARTBEAT_ON_TERMINAL_S = 10.0


class StepFailed(Exception):
    """A step that Ember cannot do without did not succeed."""

    def __init__(self, step: Step, diagnosis: Diagnosis, last_lines: tuple[str, ...], log: Path) -> None:
        super().__init__(step.name)
        self.step = step
        self.diagnosis = diagnosis
        self.last_lines = last_lines
        self.log = log


def perform(step: Step, venv: Venv, record: Record, say: Say, *, lock: int, python_name: str) -> bool:
    """Do one step, and remember it where it has a key.

    False where it failed but Ember can do without; raises StepFailed where it cannot.
    """
    say(f"{step.title} ...")
    started = time.monotonic()
    if step.key:
        record.done.pop(step.name, None)
        record.running = step.name
        record.write(venv.record)
    code: int = 0
    lines: tuple[str, ...] = ()
    for attempt in step.attempts:
        code, lines = _run_all(attempt, venv, say, lock)
        if code == 0:
            break
    took = f"{time.monotonic() - started:.1f} s"
    if code == 0:
        if step.key:
            record.done[step.name] = step.key
            record.failures.pop(step.name, None)
            record.running = ""
            record.write(venv.record)
        say(f"  done in {took}")
        return True
    diagnosis = diagnose("\n".join(lines), return_code=code, python=python_name)
    if not step.loss:
        raise StepFailed(step, diagnosis, lines[-SHOWN_LINES:], venv.log)
    earlier = record.failures.get(step.name)
    count = earlier.count + 1 if earlier and earlier.key == step.key else 1
    record.failures[step.name] = Failure(step.key, count, time.time())
    record.write(venv.record)
    again = "at the next start" if count < 2 else "tomorrow"
    say(f"  not done after {took}. {diagnosis.cause} {step.loss}. It is tried again {again}.")
    return False


def _run_all(commands: tuple[Command, ...], venv: Venv, say: Say, lock: int) -> tuple[int, tuple[str, ...]]:
    lines: tuple[str, ...] = ()
    for command in commands:
        code, lines = run_logged(command, venv.log, say, lock=lock, folder=venv.root)
        if code != 0:
            return code, lines
    return 0, lines


def run_logged(command: Command, log: Path, say: Say, *, lock: int, folder: Path) -> tuple[int, tuple[str, ...]]:
    """Run a command without input, its output into the log; returns its code and its last lines."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a", encoding="utf-8") as file:
        file.write(f"\n$ {subprocess.list2cmdline(command)}\n")
        file.flush()
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                env=child_environment(os.environ),
                pass_fds=() if sys.platform == "win32" else (lock,),
            )
        except OSError as error:
            file.write(f"{error}\n")
            return 127, (str(error),)
        with process:
            try:
                lines = _follow(process, file, say)
            except KeyboardInterrupt:
                _stop(process)
                raise
            return process.wait(), lines


def child_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The caller's environment less what would send pip's work elsewhere."""
    elsewhere = {"PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "__PYVENV_LAUNCHER__"}
    return {name: value for name, value in environment.items() if name not in elsewhere}


def _follow(process: "subprocess.Popen[str]", file: IO[str], say: Say) -> tuple[str, ...]:
    """Copy output to the log line by line; now and then say what the command is at."""
    assert process.stdout is not None
    arriving: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process.stdout, arriving), daemon=True)
    reader.start()
    kept: deque[str] = deque(maxlen=KEPT_LINES)
    pause = HEARTBEAT_ON_TERMINAL_S if sys.stderr.isatty() else HEARTBEAT_S
    next_beat = time.monotonic() + pause
    while True:
        try:
            line = arriving.get(timeout=max(0.0, next_beat - time.monotonic()))
        except queue.Empty:
            if kept:
                say(f"  still at it: {kept[-1].strip()[:100]}")
            next_beat = time.monotonic() + pause
            continue
        if line is None:
            return tuple(kept)
        file.write(line)
        file.flush()
        if line.strip():
            kept.append(line.rstrip())


def _read(stream: IO[str], arriving: "queue.SimpleQueue[str | None]") -> None:
    for line in stream:
        arriving.put(line)
    arriving.put(None)


def _stop(process: "subprocess.Popen[str]") -> None:
    """After Ctrl-C the child has had the signal too; it gets a moment to end by itself."""
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
