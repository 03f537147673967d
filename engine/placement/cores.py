"""How many compute threads this process should use."""

import os
from pathlib import Path

import psutil

_CGROUP_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def compute_threads(wanted: int | None) -> int:
    """The wanted number, at most the logical processors we may use; without a wish one per physical core.

    A second hardware thread of a core adds nothing to a step that waits for memory. A container's quota counts too: a
    barrier with a thread that is not scheduled costs more than the thread brings.
    """
    usable = usable_processors()
    if wanted is not None:
        return max(1, min(wanted, usable))
    physical = psutil.cpu_count(logical=False) or usable
    return max(1, min(physical, usable))


def usable_processors() -> int:
    """Logical processors after affinity and the container's quota."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    try:
        quota, period = _CGROUP_QUOTA.read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return count
    if quota == "max":
        return count
    return max(1, min(count, int(int(quota) / int(period) + 0.5)))
