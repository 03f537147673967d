"""The models on this machine: packed files in the library's folder, and the starter model until it is packed.

Owns names of files and ids, what a model's listing says, and deletion. Reads headers only.
"""

import contextlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import psutil

from engine.errors import EngineError, FileMissing, LibraryNotWritable, PackedVersionMismatch, UnknownModel
from engine.hub.starter import (
    STARTER_BYTES,
    STARTER_CONTEXT_TOKENS,
    STARTER_LICENCE,
    STARTER_NAME,
    STARTER_PARAMETERS,
    find_starter,
)
from engine.messages import ModelInfo
from engine.model.packed_model import PARTIAL_SUFFIX, SUFFIX, PackedModel, open_packed
from engine.text.chat_template import is_chat

STARTER_NOTE = "starter"
STARTER_ID = "smollm2-135m-instruct"
NEURONS_SUFFIX = ".neurons"
# Files in this format carry the model's name alone.
_UNNAMED_FORMAT = "int8"
_PARTIAL = re.compile(rf"^\..*\.(\d{{1,9}}){re.escape(PARTIAL_SUFFIX)}$")


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """A model and where it is: `packed` once packed, `source` for the starter before that."""

    info: ModelInfo
    packed: Path | None
    source: Path | None


class Library:
    """The folder of packed models. It need not exist yet, and need not be writable to be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def entries(self) -> list[LibraryEntry]:
        """All models, the starter first; files that cannot be read are left out (`problems` names them)."""
        found = [self._entry(packed) for packed, _ in self._opened() if packed is not None]
        if not any(entry.info.note == STARTER_NOTE for entry in found):
            starter = find_starter()
            if starter is not None:
                found.append(LibraryEntry(_starter_info(starter), None, starter))
        return sorted(found, key=lambda e: (e.info.note != STARTER_NOTE, e.info.model_id))

    def problems(self) -> list[EngineError]:
        """One error for each file in the folder that should be a model and cannot be opened."""
        return [error for _, error in self._opened() if error is not None]

    def find(self, model_id: str) -> LibraryEntry:
        """By id, or by the beginning of exactly one id. Raises UnknownModel, or the error of a broken file."""
        entries = self.entries()
        matching = [e for e in entries if e.info.model_id == model_id]
        matching = matching or [e for e in entries if model_id and e.info.model_id.startswith(model_id.lower())]
        if len(matching) == 1:
            return matching[0]
        broken = self.folder / f"{model_id}{SUFFIX}"
        if re.fullmatch(r"[a-z0-9._-]+", model_id) and broken.is_file():
            open_packed(broken)
        raise UnknownModel(model_id)

    def path_for(self, name: str, weight_format: str, source: str) -> Path:
        """Where a model of this name goes: the file already packed from the same source, or a free name."""
        base = model_id_of(name) + ("" if weight_format == _UNNAMED_FORMAT else f"-{weight_format}")
        for number in range(1, 1000):
            path = self.folder / f"{base}{'' if number == 1 else f'-{number}'}{SUFFIX}"
            if not path.exists():
                return path
            try:
                if open_packed(path).source == source:
                    return path
            except PackedVersionMismatch as error:
                if error.found < error.expected:  # of no use to this version: packed again in its place
                    return path
            except EngineError:
                continue
        raise LibraryNotWritable(str(self.folder), f"a thousand models are named {base}")

    def remove(self, model_id: str) -> int:
        """Delete the packed file and what was found out about its neurons; returns the bytes freed."""
        entry = self.find(model_id)
        if entry.packed is None:
            raise UnknownModel(model_id)
        neurons = neurons_folder(entry.packed)
        try:
            found = [path.stat().st_size for path in neurons.rglob("*") if path.is_file()] if neurons.is_dir() else []
            size = entry.packed.stat().st_size + sum(found)
            entry.packed.unlink()
            if found:
                shutil.rmtree(neurons)
        except OSError as error:
            raise LibraryNotWritable(str(self.folder), error.strerror or str(error)) from error
        return size

    def remove_leftovers(self) -> None:
        """Delete partial files of processes that no longer run."""
        with contextlib.suppress(OSError):  # a folder that cannot be read is told when it is listed
            for path in self.folder.iterdir():
                match = _PARTIAL.match(path.name)
                if match and not psutil.pid_exists(int(match.group(1))):
                    path.unlink()

    def _opened(self) -> list[tuple[PackedModel | None, EngineError | None]]:
        out: list[tuple[PackedModel | None, EngineError | None]] = []
        try:
            paths = sorted(path for path in self.folder.iterdir() if path.name.endswith(SUFFIX))
        except (FileNotFoundError, NotADirectoryError):  # nothing there yet; what is in the way is told when written to
            return []
        except OSError as error:
            raise FileMissing(str(self.folder), error.strerror or str(error)) from error
        for path in paths:
            try:
                out.append((open_packed(path), None))
            except EngineError as error:
                out.append((None, error))
        return out

    def _entry(self, packed: PackedModel) -> LibraryEntry:
        return LibraryEntry(packed_info(packed), packed.path, None)


def neurons_folder(packed: Path) -> Path:
    """Where what is known of a packed model's neurons is kept."""
    return packed.with_suffix(NEURONS_SUFFIX)


def model_id_of(name: str) -> str:
    """A name as lower-case letters, digits, dots and dashes; never empty, never a path."""
    slug = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    return slug[:80] or "model"


def packed_info(packed: PackedModel) -> ModelInfo:
    config = packed.config
    return ModelInfo(
        model_id=packed.path.name.removesuffix(SUFFIX),
        name=config.name,
        state="packed",
        family=config.family,
        weight_format=packed.weight_format,
        size_bytes=packed.data_start + packed.data_bytes,
        n_parameters=config.n_parameters,
        context_tokens=config.context_tokens,
        licence=config.licence,
        source=packed.source,
        note=packed.note,
        chat=is_chat(packed.tokenizer),
        feed_forward=config.feed_forward,
        is_sparse=config.is_sparse,
        template=packed.tokenizer.template_origin,
        remarks=packed.remarks,
    )


def _starter_info(path: Path) -> ModelInfo:
    return ModelInfo(
        model_id=STARTER_ID,
        name=STARTER_NAME,
        state="source",
        family="llama",
        weight_format="",
        size_bytes=STARTER_BYTES,
        n_parameters=STARTER_PARAMETERS,
        context_tokens=STARTER_CONTEXT_TOKENS,
        licence=STARTER_LICENCE,
        source=str(path),
        note=STARTER_NOTE,
        feed_forward="gated silu",
        template="checkpoint",
    )
