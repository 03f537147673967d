"""Every test leaves the process as it found it: no thread, no child process, no window and no ticking timer remains.

What a test leaves behind fails that test, not the one after it. Fixtures that live longer than one test set up before
this one looks, so what they hold is not counted.
"""

import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing import resource_tracker

import psutil
import pytest
from hypothesis import settings

# The same examples every time: a run says what the last one said. `--hypothesis-profile exploring` tries others.
settings.register_profile("repeatable", derandomize=True)
settings.register_profile("exploring", print_blob=True)
settings.load_profile("repeatable")

pytest_plugins = ["tests.model_fixtures", "tests.card_fixtures"]

GRACE_S = 3.0  # what has been told to stop may take a moment to do so


def live_threads() -> set[threading.Thread]:
    """Threads that would keep the process alive, and ours; other daemons belong to libraries, which keep them."""
    return {t for t in threading.enumerate() if not t.daemon or t.name.startswith("ember-")}


def live_children() -> set[psutil.Process]:
    """Child processes, but for the tracker that multiprocessing starts once and keeps."""
    tracker = getattr(resource_tracker, "_resource_tracker", None)
    return {
        child
        for child in psutil.Process().children()
        if child.pid != getattr(tracker, "_pid", None) and child.status() != psutil.STATUS_ZOMBIE
    }


def live_qt_objects() -> list[str]:
    """Visible windows and running timers of Qt, where a test has loaded it."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    core = sys.modules.get("PySide6.QtCore")
    if core is None or widgets is None or widgets.QApplication.instance() is None:
        return []
    application = widgets.QApplication.instance()
    windows = widgets.QApplication.topLevelWidgets()
    timers = [timer for owner in (application, *windows) for timer in owner.findChildren(core.QTimer)]
    shown = [f"window {type(window).__name__}" for window in windows if window.isVisible()]
    return shown + [f"timer of {type(timer.parent()).__name__}" for timer in timers if timer.isActive()]


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    threads, children, qt_objects = live_threads(), live_children(), live_qt_objects()
    yield
    end = time.monotonic() + GRACE_S
    while True:
        left = [f"thread {thread.name}" for thread in live_threads() - threads]
        left += [f"process {child.pid}" for child in live_children() - children]
        left += [name for name in live_qt_objects() if name not in qt_objects]
        if not left or time.monotonic() > end:
            break
        time.sleep(0.01)
    assert not left, f"left behind: {', '.join(left)}"
