"""Which processor the kernels are compiled for.

Kernels normally take the host's own vector instructions. `EMBER_KERNEL_TARGET` narrows that, so that one machine can
hold several forms against the reference and measure what others would run: `generic` compiles the portable forms for
the oldest processor of this architecture, `sse` those of x86 processors without AVX, `avx2` those of x86 processors
without AVX-512. `EMBER_GENERIC_KERNELS=1` is `generic`. It is read once, before anything is compiled, and is part of
the kernel cache's name.
"""

import os

import numba

HOST, AVX2, SSE, GENERIC = "host", "avx2", "sse", "generic"

TARGET = GENERIC if os.environ.get("EMBER_GENERIC_KERNELS") == "1" else os.environ.get("EMBER_KERNEL_TARGET", HOST)
FORCE_GENERIC = TARGET == GENERIC

if TARGET != HOST:
    numba.config.CPU_NAME = {AVX2: "haswell", SSE: "nehalem", GENERIC: "generic"}[TARGET]
    numba.config.CPU_FEATURES = ""
