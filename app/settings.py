"""What the user chose: one typed, frozen value and the TOML file it lives in.

Owns names, defaults, ranges and the file; the file is replaced as a whole or not at all. Keys of a newer version are
carried along, a broken file is kept aside and said so, a value out of range falls back alone. Nobody goes online by a
broken file: where it may have said is_offline, that holds. Knows no Qt; the window's geometry is not a choice and is
kept elsewhere.
"""

import contextlib
import errno
import json
import os
import re
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from engine.errors import InvalidRequest
from engine.messages import SamplingParams
from engine.neuron_reports import EXACT, TIERS

VERSION = 1
THEMES = ("system", "light", "dark")

TomlValue = str | int | float | bool
Pairs = tuple[tuple[str, str], ...]
Names = tuple[str, ...]

_SAMPLING = SamplingParams()
_LONGEST_CARD = 200  # a card's UUID has 40 characters


@dataclass(frozen=True, slots=True)
class AppSettings:
    """The user's choices.

    last_model   loaded again at the next start; empty means the starter model
    theme        one of THEMES
    show_stats   whether answers carry a line of measured figures
    tiers        (model id, tier) where answers are not to be exact; in the file a table
    counts_neurons   whether what answers activate is added to the profile of the user's own chats
    card         which card the engine uses, as in EngineConfig; another one takes effect when the engine starts
    vram_bytes   what of the card's memory Ember may take; None means what is recommended
    endpoint     of the hub or a mirror of it; with proxy and ca_file as app/network.py reads them: empty means what the
                 environment says
    is_offline   whether every connection is forbidden
    library_folders   where models are kept, the first for new ones; empty means the folder in Ember's own
    download_limit    bytes/s of all downloads together; None means as fast as it goes
    keeps_source      whether what was fetched stays once it is prepared for use
    the others   see engine.messages.SamplingParams; seed and max_tokens None mean "not set"
    """

    last_model: str = ""
    theme: str = "system"
    show_stats: bool = True
    system_prompt: str = ""
    temperature: float = _SAMPLING.temperature
    top_p: float = _SAMPLING.top_p
    top_k: int = _SAMPLING.top_k
    min_p: float = _SAMPLING.min_p
    repetition_penalty: float = _SAMPLING.repetition_penalty
    seed: int | None = None
    max_tokens: int | None = None
    tiers: Pairs = ()
    counts_neurons: bool = False
    card: str = "auto"
    vram_bytes: int | None = None
    endpoint: str = ""
    is_offline: bool = False
    proxy: str = field(default="", repr=False)
    ca_file: str = ""
    library_folders: Names = ()
    download_limit: int | None = None
    keeps_source: bool = True

    def __post_init__(self) -> None:
        if self.theme not in THEMES:
            raise InvalidRequest("theme", self.theme, ", ".join(THEMES))
        unknown = next((tier for _, tier in self.tiers if tier not in TIERS), None)
        if unknown is not None:
            raise InvalidRequest("tiers", unknown, ", ".join(TIERS))
        if not 0 < len(self.card) <= _LONGEST_CARD:
            raise InvalidRequest("card", self.card[:_LONGEST_CARD], f"1 to {_LONGEST_CARD} characters")
        if self.vram_bytes is not None and self.vram_bytes < 0:
            raise InvalidRequest("vram_bytes", str(self.vram_bytes), "0 or more")
        if self.download_limit is not None and self.download_limit < 1:
            raise InvalidRequest("download_limit", str(self.download_limit), "1 or more")
        self.sampling()

    def tier_of(self, model_id: str) -> str:
        """The tier wished for with a model, which need not have it."""
        return dict(self.tiers).get(model_id, EXACT)

    def with_tier(self, model_id: str, tier: str) -> Pairs:
        """`tiers` with this one; exact needs no mention."""
        others = tuple(pair for pair in self.tiers if pair[0] != model_id)
        return others if tier == EXACT else tuple(sorted((*others, (model_id, tier))))

    def sampling(self) -> SamplingParams:
        return SamplingParams(
            temperature=self.temperature,
            top_p=self.top_p,
            top_k=self.top_k,
            min_p=self.min_p,
            repetition_penalty=self.repetition_penalty,
            seed=self.seed,
            max_tokens=self.max_tokens,
        )


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
        self.settings = self._read()

    def save(self, settings: AppSettings) -> None:
        """Replace the file; raises OSError where that is impossible and leaves the old file whole."""
        self.settings = settings
        if not self._may_write:
            return
        values: dict[str, TomlValue | Pairs | Names] = {"version": VERSION} | {
            f.name: value for f in fields(settings) if (value := getattr(settings, f.name)) not in (None, ())
        }
        text = "".join(f"{key} = {_toml(value)}\n" for key, value in (values | self._unknown).items())
        self.path.parent.mkdir(parents=True, exist_ok=True)
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
            return AppSettings(is_offline=is_offline)
        except RecursionError:
            return self._without_broken("too many values within each other")
        except ValueError as error:  # of the parser, of text that is no UTF-8, of a number of too many digits
            return self._without_broken(str(error))
        return self._from_table(table)

    def _without_broken(self, reason: str) -> AppSettings:
        """Defaults in place of a file that is none; offline is written at once, so that the next start knows of it."""
        settings = AppSettings(is_offline=_may_be_offline(self.path))
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
_TYPES: dict[str, type] = {
    "last_model": str, "theme": str, "show_stats": bool, "system_prompt": str, "temperature": float, "top_p": float,
    "top_k": int, "min_p": float, "repetition_penalty": float, "seed": int, "max_tokens": int, "tiers": dict,
    "counts_neurons": bool, "card": str, "vram_bytes": int, "endpoint": str, "is_offline": bool, "proxy": str,
    "ca_file": str, "library_folders": list, "download_limit": int, "keeps_source": bool,
}  # fmt: skip
_TYPE_WORDS: dict[type, str] = {dict: "table", list: "array"}


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
