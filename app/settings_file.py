"""The TOML file that the user's choices live in.

Owns reading, writing and versions; the file is replaced as a whole or not at all. Keys of a newer version are carried
along, a broken file is kept aside and said so, a value out of range falls back alone, and a file of an older version is
copied before it is first replaced. Nobody goes online by a broken file: where it may have said is_offline, that holds.
Knows no Qt.
"""

import contextlib
import errno
import json
import os
import re
import shutil
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from app.engine_phrases import parser_words
from app.settings import AppSettings, Names, Pairs
from engine.errors import InvalidRequest

VERSION = 2

TomlValue = str | int | float | bool


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """Why settings are not what the file said.

    reason      in plain words, from the parser or the system
    kept_aside  where the broken file was moved to; None when it stayed where it is
    is_offline  whether every connection is forbidden because the file may have said so
    """

    path: Path
    reason: str
    kept_aside: Path | None = None
    is_offline: bool = False


def problem_words(problem: SettingsProblem, translate: Callable[[str], str] = str) -> str:
    """One or more lines about it."""
    lines = [translate("Some settings could not be read: {reason}").format(reason=problem.reason)]
    if problem.kept_aside is not None:
        lines.append(translate("The file was kept as {name}.").format(name=problem.kept_aside.name))
    if problem.is_offline:
        lines.append(translate("Ember stays offline, since that may have been chosen; the settings can change it."))
    return "\n".join(lines)


class SettingsFile:
    """The file, the value read from it, and what was wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem: SettingsProblem | None = None
        self._unknown: dict[str, TomlValue] = {}
        self._may_write = True
        self._version = VERSION
        self.settings = self._read()

    def save(self, settings: AppSettings) -> None:
        """Replace the file; raises OSError where that is impossible and leaves the old file whole."""
        self.settings = settings
        if not self._may_write:
            return
        values: dict[str, TomlValue | Pairs | Names] = {"version": max(VERSION, self._version)} | {
            f.name: value for f in fields(settings) if (value := getattr(settings, f.name)) not in (None, ())
        }
        text = "".join(f"{key} = {_toml(value)}\n" for key, value in (values | self._unknown).items())
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._keep_older_version()
        handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=self.path.name, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise

    def _keep_older_version(self) -> None:
        """A copy of the file as an older version wrote it, so that one can go back to that version."""
        if self._version < VERSION:
            copy = self.path.with_name(f"{self.path.stem}.version-{self._version}{self.path.suffix}")
            if not copy.exists():
                shutil.copyfile(self.path, copy)
            self._version = VERSION

    def _read(self) -> AppSettings:
        try:
            table = tomllib.loads(self._text())
        except FileNotFoundError:
            return AppSettings()
        except OSError as error:
            # Not ours to replace: what we cannot read may still be good.
            self._may_write = False
            is_offline = self.path.is_file()
            self.problem = SettingsProblem(self.path, error.strerror or str(error), is_offline=is_offline)
            return AppSettings(is_offline=is_offline, is_welcomed=True)
        except (ValueError, RecursionError) as error:  # of the parser, of no UTF-8, of a number of too many digits
            return self._without_broken(parser_words(error))
        return self._from_table(table)

    def _without_broken(self, reason: str) -> AppSettings:
        """Defaults in place of a file that is none; offline is written at once, so that the next start knows of it."""
        settings = AppSettings(is_offline=_may_be_offline(self.path), is_welcomed=True)
        aside = self._keep_aside()
        if aside is not None and settings.is_offline:
            try:
                self.save(settings)
            except OSError:  # then the broken file remains, which says so as well
                self._may_write = False
                with contextlib.suppress(OSError):
                    aside.rename(self.path)
                    aside = None
        self.problem = SettingsProblem(self.path, reason, aside, settings.is_offline)
        return settings

    def _text(self) -> str:
        if self.path.exists() and not self.path.is_file():  # opening a pipe would wait for whoever writes to it
            raise OSError(errno.EINVAL, "This is not a file")
        return self.path.read_bytes().decode("utf-8")

    def _from_table(self, table: dict[str, object]) -> AppSettings:
        known = {f.name for f in fields(AppSettings)}
        settings = AppSettings()
        self._version = _version_of(table)
        for version in range(self._version, VERSION):
            table = _MIGRATIONS[version](table)
        may_be_offline = False  # said in a way that is none
        for key, value in table.items():
            if key == "version":
                continue
            if key not in known:
                if isinstance(value, TomlValue) and not (isinstance(value, int) and value.bit_length() > _INTEGER_BITS):
                    self._unknown[key] = value
                continue
            try:
                settings = replace(settings, **{key: _of_type(key, value)})
            except InvalidRequest as error:
                reason = f"{error.field} = {error.value} ({error.reason})"
                self.problem = SettingsProblem(self.path, reason, is_offline=may_be_offline or key == "is_offline")
                may_be_offline = self.problem.is_offline
        return replace(settings, is_offline=True) if may_be_offline else settings

    def _keep_aside(self) -> Path | None:
        aside = self.path.with_name(f"{self.path.stem}.broken-{time.strftime('%Y%m%d-%H%M%S')}{self.path.suffix}")
        try:
            self.path.rename(aside)
        except OSError:
            self._may_write = False
            return None
        return aside


def _may_be_offline(path: Path) -> bool:
    """Whether a broken file speaks of is_offline and does not plainly say false."""
    try:
        text = path.read_bytes().replace(b"\0", b"").decode("utf-8", "replace")  # without zeros UTF-16 is readable too
    except OSError:
        return True
    n_spoken_of, n_false = text.count("is_offline"), len(_SAYS_ONLINE.findall(text))
    return n_spoken_of > n_false


_SAYS_ONLINE = re.compile(r"""is_offline["']?[ \t]*=[ \t]*false[ \t\r]*(?:#[^\n]*)?$""", re.MULTILINE)
_INTEGER_BITS = 63  # with the sign, what TOML asks every reader to understand
_TYPE_WORDS: dict[type, str] = {dict: "table", list: "array"}


def _toml_type(annotation: Any) -> Any:
    """What a field is in the file: a table of names, an array of names, or a plain value that may be absent."""
    if annotation == Pairs:
        return dict
    if annotation == Names:
        return list
    if get_origin(annotation) is UnionType:
        return next(part for part in get_args(annotation) if part is not type(None))
    return annotation


_TYPES: dict[str, type] = {name: _toml_type(kind) for name, kind in get_type_hints(AppSettings).items()}


def _version_of(table: Mapping[str, object]) -> int:
    """The version a file says it is of; one that says nothing readable is taken for the first."""
    version = table.get("version")
    return version if type(version) is int and version >= 1 else 1


def _from_version_1(table: dict[str, object]) -> dict[str, object]:
    """There were no first-run questions yet: whoever has such a file is no newcomer."""
    return {"is_welcomed": True} | table


_MIGRATIONS: dict[int, Callable[[dict[str, object]], dict[str, object]]] = {1: _from_version_1}


def _of_type(key: str, value: object) -> Any:
    wanted = _TYPES[key]
    if isinstance(value, int) and value.bit_length() > _INTEGER_BITS:
        raise InvalidRequest(key, f"a number of {value.bit_length()} bits", f"at most {_INTEGER_BITS} bits")
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not wanted:
        shown = str(value) if isinstance(value, TomlValue) else "(several values)"
        raise InvalidRequest(key, shown, f"a value of type {_TYPE_WORDS.get(wanted, wanted.__name__)}")
    if isinstance(value, Mapping):
        if not all(isinstance(each, str) for each in value.values()):
            raise InvalidRequest(key, "(several values)", "a table of names")
        return tuple(sorted(value.items()))
    if isinstance(value, list):
        if not all(isinstance(each, str) and each for each in value):
            raise InvalidRequest(key, "(several values)", "an array of names")
        return tuple(value)
    return value


def _toml(value: TomlValue | Pairs | Names) -> str:
    if isinstance(value, tuple):
        if names := [each for each in value if isinstance(each, str)]:
            return "[" + ", ".join(_toml(each) for each in names) + "]"
        return "{" + ", ".join(f"{_toml(each[0])} = {_toml(each[1])}" for each in value) + "}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # A TOML basic string is a JSON string, except that TOML also forbids a bare DEL.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
