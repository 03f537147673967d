"""The machine a report names, how busy it was before the benchmark began, and what others took of it meanwhile."""

import platform
import time

import psutil

from engine.benchmark_report import MachineFacts
from engine.placement.hardware import probe_memory, probe_processor

_LOOK_S = 0.5


def machine_facts() -> MachineFacts:
    """Look for half a second; to be called before anything of the benchmark computes."""
    busy = psutil.cpu_percent(interval=_LOOK_S) / 100
    processor = probe_processor()
    return MachineFacts(
        processor=processor.model,
        architecture=processor.architecture,
        vector_features=processor.features,
        physical_cores=processor.physical_cores,
        usable_cores=processor.usable_cores,
        memory_bytes=probe_memory().total_bytes,
        system=platform.platform(terse=True),
        python=platform.python_version(),
        load_average=psutil.getloadavg()[0],
        busy_share=busy,
    )


class Watch:
    """Processor time from now on that went to anybody but this process and the children it has waited for."""

    def __init__(self) -> None:
        self._started, self._busy, self._own = time.monotonic(), _busy_s(), _own_s()

    def others_share(self) -> float:
        """Of all processors' time since the start; what a hypervisor gave to other machines counts too."""
        elapsed = (time.monotonic() - self._started) * (psutil.cpu_count() or 1)
        others = (_busy_s() - self._busy) - (_own_s() - self._own)
        return min(max(others / elapsed, 0.0), 1.0) if elapsed > 0 else 0.0


def _busy_s() -> float:
    times = psutil.cpu_times()
    kinds = ("user", "nice", "system", "irq", "softirq", "steal", "interrupt", "dpc")
    return float(sum(getattr(times, kind, 0.0) for kind in kinds))


def _own_s() -> float:
    times = psutil.Process().cpu_times()
    return float(times.user + times.system + times.children_user + times.children_system)
