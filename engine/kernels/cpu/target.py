"""Which processor the kernels are compiled for.

Kernels normally take the host's own vector instructions. `EMBER_KERNEL_TARGET` narrows that, so that one machine can
hold several forms against the reference and measure what others would run: `generic` compiles the portable forms for
the oldest processor of this architecture, `sse` those of x86 processors without AVX, `avx2` those of x86 processors
without AVX-512. `EMBER_GENERIC_KERNELS=1` is `generic`. It is read once, before anything is compiled, and is part of
the kernel cache's name.
"""

import logging
import os

import numba

log = logging.getLogger(__name__)

HOST, AVX2, SSE, GENERIC = "host", "avx2", "sse", "generic"

_PROCESSORS = {AVX2: "haswell", SSE: "nehalem", GENERIC: "generic"}


def _target() -> str:
    """What the environment asks for; the host's own where that is nothing known."""
    if os.environ.get("EMBER_GENERIC_KERNELS") == "1":
        return GENERIC
    asked = os.environ.get("EMBER_KERNEL_TARGET") or HOST
    if asked == HOST or asked in _PROCESSORS:
        return asked
    log.warning("EMBER_KERNEL_TARGET is %r, not one of host, %s: compiling for host", asked, ", ".join(_PROCESSORS))
    return HOST


TARGET = _target()
FORCE_GENERIC = TARGET == GENERIC

if TARGET != HOST:
    numba.config.CPU_NAME = _PROCESSORS[TARGET]
    numba.config.CPU_FEATURES = ""
