"""What the compiler takes of the memory: nothing where kernels are kept from an earlier start, else much and for good.

Owns the record, beside the kept kernels, of the row formats that they were compiled for. Loses nothing but an estimate
where it cannot be read or written.
"""

import contextlib
import json
import os
from pathlib import Path

from engine.kernels.cpu.cache import cache_name
from engine.model.packed_model import WEIGHT_FORMATS

# What this process has more after it compiled the kernels of a format than after reading them from their files, and
# keeps until it ends; of a further format it takes less (docs/benchmarks.md).
FIRST_BYTES, FURTHER_BYTES = 120 << 20, 50 << 20
_RECORD = "formats.json"


class CompiledKernels:
    """Those in a folder, as one process of the engine uses them."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / cache_name() / _RECORD
        self._compiled: set[str] = set()

    def compiler_bytes(self, weight_format: str) -> int:
        """What the compiler will take for a model in this format, or has taken already in this process."""
        name = _name_of(weight_format)
        n_formats = len(self._compiled if name in self._kept() else self._compiled | {name})
        return FIRST_BYTES + (n_formats - 1) * FURTHER_BYTES if n_formats else 0

    def note(self, weight_format: str) -> None:
        """A model in this format has been loaded: whatever was missing for it has been compiled."""
        kept, name = self._kept(), _name_of(weight_format)
        if name in kept:
            return
        self._compiled.add(name)
        if not any(self._path.parent.rglob("*.nbc")):  # none could be kept: the next start compiles again
            return
        with contextlib.suppress(OSError):
            fresh = self._path.with_suffix(f".{os.getpid()}")
            fresh.write_text(json.dumps(sorted({*kept, name})), encoding="utf-8")
            fresh.replace(self._path)

    def _kept(self) -> frozenset[str]:
        try:
            return frozenset(map(str, json.loads(self._path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError):
            return frozenset()


def _name_of(weight_format: str) -> str:
    return "-".join(WEIGHT_FORMATS[weight_format].of_step)
