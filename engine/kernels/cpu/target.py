"""Which processor the kernels are compiled for.

Kernels normally take the host's own vector instructions. `EMBER_GENERIC_KERNELS=1` compiles the portable forms instead,
so that tests can hold both against the reference on one machine. It is read once, before anything is compiled, and is
part of the kernel cache's name.
"""

import os

FORCE_GENERIC = os.environ.get("EMBER_GENERIC_KERNELS") == "1"
