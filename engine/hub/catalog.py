"""The catalogue of sparse models, `assets/catalog.toml`, read and checked.

Owns the file's form: every key with its type, and the line of whatever is wrong with it. What an entry means is in
`catalog_reports.CatalogEntry`; what is fetched of a repository is decided in `repository.py`, within an entry's files.

    repo, name, feed_forward, purpose, languages, licence, gated, parameters, weights, size_bytes, note   always
    family or unsupported                  one of them: the engine's family, or why Ember does not run the model
    also, revision, predictors, counts     where there are any
    sparsity with sparsity_source          both or none
    files                                  where they are others than those of the kind of weights
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.catalog_reports import PURPOSES, WEIGHTS, CatalogEntry
from engine.errors import DamagedFile, EngineError, FileMissing, InvalidRequest
from engine.hub.repository import check_repo
from engine.hub.transfer.request import check_name
from engine.model.families import FAMILIES

CATALOG = Path(__file__).resolve().parents[2] / "assets" / "catalog.toml"
SCHEMA = 1
_MAX_BYTES = 4 << 20
_HEADING = re.compile(r"^\s*\[\[\s*model\s*\]\]\s*(#.*)?$")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")


class _Wrong(Exception):
    """A key whose value is not what it must be; the reader adds the line."""

    def __init__(self, key: str, what: str) -> None:
        super().__init__(key, what)
        self.key = key
        self.what = what


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError("a text")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError("a whole number, 0 or more")
    return value


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise ValueError("a share from 0 to 1")
    return float(value)


def _repo(value: Any) -> str:
    try:
        check_repo(_text(value))
    except InvalidRequest as error:
        raise ValueError(error.reason) from error
    return str(value)


def _list_of(one: Callable[[Any], str]) -> Callable[[Any], tuple[str, ...]]:
    def read(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            raise ValueError("a list that is not empty")
        return tuple(one(item) for item in value)

    return read


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return str(value)

    return read


def _matching(pattern: re.Pattern[str], what: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(what)
        return value

    return read


def _pattern(value: Any) -> str:
    try:
        check_name(_text(value).replace("*", "x"))
    except EngineError as error:
        raise ValueError("a pattern of file names") from error
    return str(value)


# Key → how it is read, and what stands where it is left out; None: it may not be.
_KEYS: Mapping[str, tuple[Callable[[Any], Any], Any]] = {
    "repo": (_repo, None),
    "also": (_list_of(_repo), ()),
    "revision": (_matching(_COMMIT, "a commit of 40 hexadecimal digits"), ""),
    "name": (_text, None),
    "family": (_one_of(*(family.name for family in FAMILIES)), ""),
    "unsupported": (_text, ""),
    "feed_forward": (_text, None),
    "purpose": (_one_of(*PURPOSES), None),
    "languages": (_list_of(_matching(_LANGUAGE, "a language's code")), None),
    "licence": (_text, None),
    "gated": (_flag, None),
    "parameters": (_count, None),
    "weights": (_one_of(*WEIGHTS), None),
    "size_bytes": (_count, None),
    "files": (_list_of(_pattern), ()),
    "sparsity": (_share, ""),
    "sparsity_source": (_text, ""),
    "predictors": (_repo, ""),
    "counts": (_repo, ""),
    "note": (_text, None),
}


@dataclass(frozen=True, slots=True)
class Catalog:
    """The models in the order of the file, the first to be shown first."""

    entries: tuple[CatalogEntry, ...]

    def find(self, repo: str) -> CatalogEntry | None:
        """By any of its names; the hub does not tell upper from lower case."""
        wanted = repo.casefold()
        return next((e for e in self.entries if wanted in (name.casefold() for name in e.names)), None)


def read_catalog(path: Path = CATALOG) -> Catalog:
    """Raises FileMissing, or DamagedFile with the line of what is wrong."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise DamagedFile(str(path), f"a catalogue of more than {_MAX_BYTES} bytes")
        text = path.read_bytes().decode("utf-8")
        values = tomllib.loads(text)
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:  # of UTF-8, or of TOML, which names the line itself
        raise DamagedFile(str(path), str(error)) from error
    return _Reader(path, text).read(values)


class _Reader:
    """Reads one file; knows on which line each model begins."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.splitlines()
        self._headings = [number for number, line in enumerate(self._lines) if _HEADING.match(line)]

    def read(self, values: Mapping[str, Any]) -> Catalog:
        for key in values.keys() - {"schema", "files", "model"}:
            raise self._damage(self._line_of(key, 0, len(self._lines)), f"{key} is not known")
        if values.get("schema") != SCHEMA:
            raise self._damage(
                self._line_of("schema", 0, len(self._lines)), f"schema is {values.get('schema')!r}, expected {SCHEMA}"
            )
        models = values.get("model")
        if not isinstance(models, list) or not models or len(models) != len(self._headings):
            raise self._damage(0, "each model stands under a line [[model]]")
        files = self._files(values.get("files"))
        entries: list[CatalogEntry] = []
        taken: set[str] = set()
        for number, model in enumerate(models):
            try:
                entry = _entry(model, files)
                again = taken & {name.casefold() for name in entry.names}
                if again:
                    raise _Wrong("repo", f"{min(again)} is there twice")
            except _Wrong as wrong:
                raise self._wrong(number, wrong) from wrong
            taken |= {name.casefold() for name in entry.names}
            entries.append(entry)
        return Catalog(tuple(entries))

    def _files(self, values: Any) -> Mapping[str, tuple[str, ...]]:
        if not isinstance(values, dict) or values.keys() != set(WEIGHTS):
            raise self._damage(0, f"[files] lists {', '.join(WEIGHTS)}")
        out: dict[str, tuple[str, ...]] = {}
        for kind, patterns in values.items():
            try:
                out[kind] = _list_of(_pattern)(patterns)
            except ValueError as error:
                line = self._line_of(kind, 0, len(self._lines))
                raise self._damage(line, f"{kind} is {patterns!r:.60}, expected {error}") from error
        return out

    def _wrong(self, number: int, wrong: _Wrong) -> DamagedFile:
        first = self._headings[number]
        last = self._headings[number + 1] if number + 1 < len(self._headings) else len(self._lines)
        return self._damage(self._line_of(wrong.key, first, last), wrong.what)

    def _line_of(self, key: str, first: int, last: int) -> int:
        """Where a key stands among the lines, or the first of them where it does not."""
        is_key = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*=""")
        return next((n for n in range(first, last) if is_key.match(self._lines[n])), first)

    def _damage(self, line: int, what: str) -> DamagedFile:
        return DamagedFile(str(self._path), f"line {line + 1}: {what}")


def _entry(model: Any, files: Mapping[str, tuple[str, ...]]) -> CatalogEntry:
    if not isinstance(model, dict):
        raise _Wrong("", "no table")
    for key in model:
        if key not in _KEYS:
            raise _Wrong(key, f"{key} is not known")
    read: dict[str, Any] = {}
    for key, (reader, default) in _KEYS.items():
        if key not in model:
            if default is None:
                raise _Wrong(key, f"{key} is missing")
            read[key] = default
            continue
        try:
            read[key] = reader(model[key])
        except ValueError as error:
            raise _Wrong(key, f"{key} is {model[key]!r:.60}, expected {error}") from error
    if bool(read["family"]) == bool(read["unsupported"]):
        raise _Wrong("family", "either the family or why the model is unsupported")
    if ("sparsity" in model) != ("sparsity_source" in model):
        raise _Wrong("sparsity", "a share comes with its source")
    return CatalogEntry(
        repo=read["repo"],
        also=read["also"],
        revision=read["revision"],
        name=read["name"],
        family=read["family"],
        unsupported=read["unsupported"],
        feed_forward=read["feed_forward"],
        purpose=read["purpose"],
        languages=read["languages"],
        licence=read["licence"],
        is_gated=read["gated"],
        n_parameters=read["parameters"],
        weights=read["weights"],
        size_bytes=read["size_bytes"],
        files=read["files"] or files[read["weights"]],
        sparsity=read["sparsity"] if "sparsity" in model else None,
        sparsity_source=read["sparsity_source"],
        predictors=read["predictors"],
        counts=read["counts"],
        note=read["note"],
    )
