"""Which reader a path on disk wants: a folder in the hub's layout, a GGUF file, or PowerInfer's variant of one."""

from pathlib import Path

from engine.errors import FileMissing
from engine.model.checkpoint import Checkpoint
from engine.model.gguf_checkpoint import GgufCheckpoint
from engine.model.hub_checkpoint import HubCheckpoint


def open_checkpoint(path: Path) -> Checkpoint:
    """Raises FileMissing, ForeignFile, DamagedFile or UnsupportedModel; nothing large is read yet."""
    if path.is_dir():
        return HubCheckpoint(path)
    if not path.is_file():
        raise FileMissing(str(path), "there is no such file or folder")
    return GgufCheckpoint(path)
