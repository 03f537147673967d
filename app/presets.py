"""Presets: named ways to answer, those that come with Ember and the user's own.

Owns their names and values, the TOML file of the user's own, and the same form for a preset that is handed on. A preset
that says nothing of the system prompt leaves it as it is. The file is replaced as a whole or not at all; one that is
broken is kept aside and said so. Knows no Qt.
"""

import contextlib
import json
import os
import tempfile
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from app.answer_settings import SAMPLING_FIELDS, AnswerSettings, answer_settings_of
from app.engine_phrases import parser_words

VERSION = 1
MAX_PRESETS = 200
MAX_NAME_CHARS = 60
MAX_FILE_BYTES = 4 << 20
BALANCED = "balanced"
SUFFIX = ".toml"
_OWN = "own:"


class PresetError(ValueError):
    """A preset cannot be kept or read; `code` is one of name, taken, many, file, and `reason` the system's words."""

    def __init__(self, code: str, reason: str = "") -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Preset:
    """`key` is stable and what conversations keep; `name` is shown, of Ember's own after translation.

    system_prompt   None where the preset leaves it as it is
    settings        of these the system prompt and the preset's own key are not looked at
    """

    key: str
    name: str
    settings: AnswerSettings
    system_prompt: str | None = None

    @property
    def is_own(self) -> bool:
        return self.key.startswith(_OWN)

    def applied_to(self, settings: AnswerSettings) -> AnswerSettings:
        """The settings once this preset is chosen."""
        prompt = settings.system_prompt if self.system_prompt is None else self.system_prompt
        return replace(self.settings, system_prompt=prompt, preset=self.key)

    def differs_from(self, settings: AnswerSettings) -> tuple[str, ...]:
        """The fields in which these settings are not the preset's."""
        names = [name for name in SAMPLING_FIELDS if getattr(settings, name) != getattr(self.settings, name)]
        if self.system_prompt is not None and settings.system_prompt != self.system_prompt:
            names.append("system_prompt")
        return tuple(names)


BUILT_IN = (
    Preset("precise", "Precise", AnswerSettings(temperature=0.2, top_p=0.9, top_k=20, min_p=0.1)),
    Preset(BALANCED, "Balanced", AnswerSettings()),
    Preset("creative", "Creative", AnswerSettings(temperature=1.0, top_p=0.98, top_k=100, min_p=0.03)),
    Preset("code", "Code", AnswerSettings(temperature=0.1, top_p=0.95, top_k=40, min_p=0.1, repetition_penalty=1.0)),
)


class PresetFile:
    """The user's own presets and the file they are in.

    problem   why the file could not be read, in the system's words; empty where it could
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        self._may_write = True
        self.own: tuple[Preset, ...] = self._read()

    @property
    def all(self) -> tuple[Preset, ...]:
        return (*BUILT_IN, *self.own)

    def find(self, key: str) -> Preset | None:
        return next((preset for preset in self.all if preset.key == key), None)

    def save(self, name: str, settings: AnswerSettings) -> Preset:
        """Keep settings under a name; one of the user's own of this name is replaced. Raises PresetError."""
        name = self._checked(name)
        key = _OWN + name
        preset = Preset(key, name, replace(settings, system_prompt="", preset=""), settings.system_prompt)
        others = tuple(each for each in self.own if each.key != key)
        if len(others) >= MAX_PRESETS:
            raise PresetError("many")
        self._write((*others, preset))
        return preset

    def rename(self, key: str, name: str) -> Preset:
        """Raises PresetError."""
        name = self._checked(name)
        old = next((each for each in self.own if each.key == key), None)
        if old is None:
            raise PresetError("name")
        if any(each.name == name and each.key != key for each in self.own):
            raise PresetError("taken")
        new = replace(old, key=_OWN + name, name=name)
        self._write(tuple(new if each.key == key else each for each in self.own))
        return new

    def delete(self, key: str) -> Preset:
        """What was deleted, for `restore`. Raises PresetError."""
        gone = next((each for each in self.own if each.key == key), None)
        if gone is None:
            raise PresetError("name")
        self._write(tuple(each for each in self.own if each.key != key))
        return gone

    def restore(self, preset: Preset) -> None:
        """Raises PresetError."""
        if all(each.key != preset.key for each in self.own):
            self._write((*self.own, preset))

    def take_in(self, path: Path) -> tuple[Preset, ...]:
        """The presets of a file that was handed on; one whose name is taken gets a number. Raises PresetError."""
        try:
            found = read_presets(_text(path))
        except OSError as error:
            raise PresetError("file", error.strerror or str(error)) from error
        except (ValueError, RecursionError) as error:
            raise PresetError("file", parser_words(error)) from error
        taken_in: list[Preset] = []
        for preset in found:
            name = _free(preset.name, {each.name for each in (*self.all, *taken_in)})
            taken_in.append(replace(preset, key=_OWN + name, name=name))
        if not taken_in:
            raise PresetError("file", "there is no preset in it")
        if len(self.own) + len(taken_in) > MAX_PRESETS:
            raise PresetError("many")
        self._write((*self.own, *taken_in))
        return tuple(taken_in)

    def _checked(self, name: str) -> str:
        name = " ".join(name.split())
        if not name or len(name) > MAX_NAME_CHARS:
            raise PresetError("name")
        if any(preset.name.casefold() == name.casefold() for preset in BUILT_IN):
            raise PresetError("taken")
        return name

    def _read(self) -> tuple[Preset, ...]:
        try:
            return read_presets(_text(self.path))
        except FileNotFoundError:
            return ()
        except OSError as error:
            self._may_write, self.problem = False, error.strerror or str(error)
        except (ValueError, RecursionError) as error:
            self.problem = parser_words(error)
            aside = self.path.with_name(f"{self.path.stem}.broken-{time.strftime('%Y%m%d-%H%M%S')}{SUFFIX}")
            try:
                self.path.rename(aside)
            except OSError:
                self._may_write = False
        return ()

    def _write(self, own: tuple[Preset, ...]) -> None:
        if not self._may_write:
            raise PresetError("file", self.problem)
        try:
            write_presets(self.path, own)
        except OSError as error:
            raise PresetError("file", error.strerror or str(error)) from error
        self.own = own


def read_presets(text: str) -> tuple[Preset, ...]:
    """Raises ValueError for text that is no file of presets; a value that does not fit has its default."""
    table = tomllib.loads(text)
    found = table.get("preset")
    if not isinstance(found, list):
        raise ValueError("there is no preset in it")
    presets: dict[str, Preset] = {}
    for values in found[:MAX_PRESETS]:
        name = values.get("name") if isinstance(values, dict) else None
        if not isinstance(name, str) or not (name := " ".join(name.split())[:MAX_NAME_CHARS]):
            continue
        prompt = values.get("system_prompt")
        settings = replace(answer_settings_of(values), system_prompt="", preset="")
        presets[name] = Preset(_OWN + name, name, settings, prompt if isinstance(prompt, str) else None)
    return tuple(presets.values())


def write_presets(path: Path, presets: Iterable[Preset]) -> None:
    """Replace a file by these presets. Raises OSError and leaves an old file whole."""
    text = f"version = {VERSION}\n" + "".join(_table(preset) for preset in presets)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _table(preset: Preset) -> str:
    values: dict[str, object] = {"name": preset.name}
    if preset.system_prompt is not None:
        values["system_prompt"] = preset.system_prompt
    values |= {name: value for name in SAMPLING_FIELDS if (value := getattr(preset.settings, name)) is not None}
    return "\n[[preset]]\n" + "".join(f"{name} = {_toml(value)}\n" for name, value in values.items())


def _toml(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(each) for each in value) + "]"
    if isinstance(value, str):
        # A TOML basic string is a JSON string, except that TOML also forbids a bare DEL.
        return json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)


def _text(path: Path) -> str:
    if path.stat().st_size > MAX_FILE_BYTES:
        raise ValueError(f"it has more than {MAX_FILE_BYTES >> 20} MB")
    return path.read_bytes().decode("utf-8")


def _free(name: str, taken: set[str]) -> str:
    folded = {each.casefold() for each in taken}
    numbered = (name, *(f"{name[: MAX_NAME_CHARS - 4]} {number}" for number in range(2, MAX_PRESETS + 2)))
    return next(each for each in numbered if each.casefold() not in folded)
