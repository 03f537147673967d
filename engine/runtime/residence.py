"""Whether a model's weights fit into main memory, or are read from its file as they are needed.

Owns that rule and the advice to the system that goes with a mapped file. Rows that a card holds need not be in main
memory (`host_rows.py`), but are there for a moment while the model is read, one matrix at a time.
"""

import contextlib
import ctypes
import gc
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psutil
from numpy.typing import NDArray

from engine.errors import OutOfMemory
from engine.model.config import ModelConfig
from engine.model.weight_memory import expect_picked_rows, expect_whole
from engine.placement.hardware import Memory, probe_memory


@dataclass(frozen=True, slots=True)
class Residence:
    """Main memory in bytes: what a model needs with all its weights in it, what is free, and what follows.

    runs_from_disk  the weights are mapped from the packed file: a token waits for the disk wherever a row is not in
                    what memory the system has left for it
    """

    needed_bytes: int
    free_bytes: int
    runs_from_disk: bool


def residence(
    weight_bytes: int, other_bytes: int, *, on_card_bytes: int = 0, free_bytes: int | None = None
) -> Residence:  # fmt: skip
    """Where weights will lie.

    weight_bytes   of the packed file
    other_bytes    cache, buffers and tables, which are always in memory
    on_card_bytes  of the weights that a card holds and main memory gives back as they are read
    free_bytes     by default what is free now

    Raises OutOfMemory where not even the rest fits.
    """
    free = free_memory(probe_memory()) if free_bytes is None else free_bytes
    needed = weight_bytes - on_card_bytes + other_bytes
    if other_bytes > free:
        raise OutOfMemory("cache", other_bytes, free)
    return Residence(needed, free, needed > free)


def free_memory(memory: Memory) -> int:
    """Bytes that can still be taken: what the system says is available, within what a container's limit leaves us."""
    if memory.limit_bytes is None:
        return memory.available_bytes
    return max(0, min(memory.available_bytes, memory.limit_bytes - resident_memory()))


def resident_memory() -> int:
    """Bytes of main memory that this process has now."""
    return int(psutil.Process().memory_info().rss)


def give_back_unused() -> None:
    """Let the system have what was freed and is kept for later, where the C library can."""
    gc.collect()
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):  # another C library than glibc
            ctypes.CDLL(None).malloc_trim(0)


def advise_mapped(config: ModelConfig, tensors: Mapping[str, NDArray[Any]], *, for_prompt: bool = False) -> None:
    """Tell the system how a mapped model's file is about to be read; does nothing where it is not mapped.

    Token by token, of the second and third matrix of a sparse feed-forward the rows of active neurons, here and there,
    where fetching ahead would fetch the others too; for a prompt, and everything else, whole. What that saves and costs
    is in docs/optimisation-log.md.
    """
    if not config.is_sparse:
        return
    advise = expect_whole if for_prompt else expect_picked_rows
    for layer in range(config.n_layers):
        for part in ("up", "down") if config.is_gated else ("down",):
            advise(tensors[f"layers.{layer}.{part}"])
