"""The system is asked to stay awake, and no longer than it takes; a system that cannot is no fault."""

import sys
import threading

import pytest

from engine.hub.keep_awake import ExecutionState, KeepAwake, ProgramInhibitor, inhibitor_of

ES_CONTINUOUS, ES_SYSTEM_REQUIRED = 0x80000000, 1
WAITING = [sys.executable, "-c", "import sys; sys.stdin.read()"]


def test_a_program_holds_for_as_long_as_it_is_wanted():
    made: list[ProgramInhibitor] = []

    def inhibit():
        made.append(ProgramInhibitor(WAITING))
        return made[-1]

    awake = KeepAwake(inhibit)

    awake.want(True)
    awake.want(True)
    is_held = awake.is_awake
    awake.want(False)
    awake.want(False)

    assert (is_held, awake.is_awake, len(made)) == (True, False, 1)
    assert not made[0].is_held


def test_a_program_that_ends_by_itself_is_not_said_to_hold():
    program = ProgramInhibitor([sys.executable, "-c", ""])
    program._process.wait()
    awake = KeepAwake(lambda: program)

    awake.want(True)

    assert not awake.is_awake
    awake.want(False)


def test_the_process_that_holds_ends_when_this_one_does():
    """It reads from us: the end of its input, which the system gives it however we end, is its end."""
    program = ProgramInhibitor(WAITING)

    program._process.stdin.close()

    assert program._process.wait(10) == 0


@pytest.mark.parametrize("platform", ["linux", "darwin", "freebsd14"])
def test_a_system_without_the_program_is_left_as_it_is(platform):
    asked = []
    awake = KeepAwake(inhibitor_of(platform, lambda name: asked.append(name)))

    awake.want(True)

    assert asked == ["caffeinate" if platform == "darwin" else "systemd-inhibit"]
    assert not awake.is_awake
    awake.want(False)


def test_a_program_that_cannot_be_started_is_no_fault(tmp_path):
    (tmp_path / "systemd-inhibit").write_text("no program")
    awake = KeepAwake(inhibitor_of("linux", lambda name: str(tmp_path / name)))

    awake.want(True)

    assert not awake.is_awake
    awake.want(False)


def test_on_windows_one_thread_asks_and_takes_it_back():
    told: list[tuple[int, str]] = []

    def set_state(state: int) -> int:
        told.append((state, threading.current_thread().name))
        return 1

    awake = KeepAwake(lambda: ExecutionState(set_state))
    awake.want(True)
    is_held = awake.is_awake
    awake.want(False)

    assert is_held
    assert [state for state, _ in told] == [ES_CONTINUOUS | ES_SYSTEM_REQUIRED, ES_CONTINUOUS]
    assert len({name for _, name in told}) == 1


def test_a_windows_that_refuses_is_not_said_to_hold():
    awake = KeepAwake(lambda: ExecutionState(lambda state: 0))

    awake.want(True)

    assert not awake.is_awake
    awake.want(False)
