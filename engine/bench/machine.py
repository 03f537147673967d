"""The machine a report names, and how busy it was before the benchmark began."""

import platform

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
