"""What a model takes of the memory, in the words of the window: reckoned before loading, measured afterwards."""

from PySide6.QtCore import QCoreApplication

from app.window.wording import number, size
from engine.messages import ModelDescription, ModelReady

NEARLY = 0.9  # of what is free: loading works, and leaves other programs little


def estimate_words(estimate: ModelDescription) -> str:
    """All it takes, and what of it is what."""
    rest = max(0, estimate.memory_bytes - estimate.weight_bytes - estimate.cache_bytes)
    return (
        _tr("Takes about %1 of memory: %2 weights, %3 for a context of %4 tokens, %5 to work in.")
        .replace("%1", size(estimate.memory_bytes))
        .replace("%2", size(estimate.weight_bytes))
        .replace("%3", size(estimate.cache_bytes))
        .replace("%4", number(estimate.context_tokens))
        .replace("%5", size(rest))
    )


def room_words(estimate: ModelDescription) -> str:
    """What is free for it; where that is too little, what follows."""
    if not estimate.free_bytes:
        return ""
    if fits(estimate):
        words = _tr("%1 are free for it.")
        if estimate.memory_bytes > NEARLY * estimate.free_bytes:
            words = _tr("%1 are free for it, so little is left for other programs.")
        return words.replace("%1", size(estimate.free_bytes))
    missing = size(estimate.memory_bytes - estimate.free_bytes)
    if estimate.memory_bytes - estimate.weight_bytes > estimate.free_bytes:
        words = _tr("Only %1 are free: it cannot be loaded. Close other programs; %2 are missing.")
    else:
        words = _tr("Only %1 are free, %2 too few: it would be read from the disk while it answers, slowly.")
    return words.replace("%1", size(estimate.free_bytes)).replace("%2", missing)


def fits(estimate: ModelDescription) -> bool:
    """Whether all of it can be in memory; true where what is free is not known."""
    return not estimate.free_bytes or estimate.memory_bytes <= estimate.free_bytes


def truth_words(ready: ModelReady) -> str:
    """What was reckoned beside what was measured; empty where nothing was."""
    if not ready.resident_bytes or not ready.estimated_bytes:
        return ""
    return (
        _tr("estimated %1, takes %2")
        .replace("%1", size(ready.estimated_bytes))
        .replace("%2", size(ready.resident_bytes))
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("MemoryWords", text)
