"""The door of the engine: submit requests, receive events.

`Engine` is the only engine object a front-end holds. The same interface is served in this process (tests, scripts) and
by a spawned process (the window, the terminal chat). `on_event` is called on a thread of the engine's, one call at a
time; front-ends hand the event over to their own thread. Importing this module loads neither numba nor torch.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from engine.messages import EngineConfig, Event, Request

if TYPE_CHECKING:
    from engine.doctor import DoctorReport

OnEvent = Callable[[Event], None]


class Engine(Protocol):
    """What both kinds of engine offer."""

    @property
    def alive(self) -> bool:
        """False once closed, or once the engine's process has ended."""
        ...

    def submit(self, request: Request) -> None:
        """Queue a request and return at once; requests run one after another, Cancel acts immediately."""
        ...

    def close(self) -> None:
        """Stop what runs, free everything, return within two seconds. May be called twice."""
        ...


def open_engine(config: EngineConfig, on_event: OnEvent, *, in_process: bool = False) -> Engine:
    """Start an engine; with `in_process` its compute lane is a thread of this process."""
    if in_process:
        from engine.local import LocalEngine

        return LocalEngine(config, on_event)
    from engine.host import HostEngine

    return HostEngine(config, on_event)


def inspect_machine(config: EngineConfig, *, has_screen: bool = True) -> "DoctorReport":
    """Check this machine up: what Ember finds, and what stands in its way. Takes about a second, starts no engine."""
    from engine import doctor

    return doctor.inspect_machine(config, has_screen=has_screen)
