"""From a file or folder of weights to a packed model in the library, for the compute lane and for downloads alike."""

import contextlib
import dataclasses
from collections.abc import Callable
from pathlib import Path

from engine.errors import FileMissing, InvalidRequest
from engine.hub.library import Library
from engine.hub.model_infos import STARTER_NOTE
from engine.hub.starter import STARTER_LICENCE, STARTER_NAME, find_starter, verify_starter
from engine.messages import WEIGHT_FORMATS
from engine.model.checkpoint import Checkpoint
from engine.model.config import ModelConfig
from engine.model.open_checkpoint import open_checkpoint
from engine.model.pack import pack
from engine.model.packed_model import PackedModel, default_weight_format
from engine.text.tokenizer import Tokenizer

# Called with a phase, and how much of it is done; may raise Cancelled.
OnPhase = Callable[[str, int, int], None]


def import_model(
    source: Path, library: Library, weight_format: str, on_phase: OnPhase, *, folder: Path | None = None
) -> PackedModel:  # fmt: skip
    """Pack `source` into the library, or into another of its folders; the starter is verified first.

    weight_format   empty chooses the one that suits the model

    Raises FileMissing, InvalidRequest, whatever opening a checkpoint raises, FolderNotConnected, LibraryNotWritable,
    Cancelled.
    """
    if weight_format and weight_format not in WEIGHT_FORMATS:
        raise InvalidRequest("weight_format", weight_format, ", ".join(WEIGHT_FORMATS))
    source = source.expanduser().absolute()
    if not source.exists():
        raise FileMissing(str(source), "there is no such file or folder")
    library.places.check(folder or library.folder)
    starter = find_starter()
    is_starter = starter is not None and source == starter.absolute()
    if is_starter:
        verify_starter(source, lambda done, total: on_phase("verify", done, total))
    on_phase("pack", 0, 0)  # opening a large vocabulary takes seconds
    with contextlib.closing(open_checkpoint(source)) as checkpoint:
        on_phase("pack", 0, 0)
        Tokenizer(checkpoint.tokenizer)  # one that cannot be built is told now, not at the first load
        subject: Checkpoint = checkpoint
        if is_starter:
            subject = _Renamed(checkpoint, STARTER_NAME, STARTER_LICENCE)
        weight_format = weight_format or default_weight_format(subject.config)
        library.places.prepare(folder or library.folder)
        path = library.path_for(subject.config.name, weight_format, str(source), folder)
        return pack(
            subject,
            path,
            weight_format,
            source=str(source),
            note=STARTER_NOTE if is_starter else "",
            on_step=lambda done, total: on_phase("pack", done, total),
        )


class _Renamed:
    """A checkpoint under a better name and with its licence stated."""

    def __init__(self, checkpoint: Checkpoint, name: str, licence: str) -> None:
        self._checkpoint = checkpoint
        self.config: ModelConfig = dataclasses.replace(checkpoint.config, name=name, licence=licence)
        self.tokenizer = checkpoint.tokenizer
        self.remarks = checkpoint.remarks
        self.tensor = checkpoint.tensor
        self.int8_rows = checkpoint.int8_rows
        self.close = checkpoint.close
