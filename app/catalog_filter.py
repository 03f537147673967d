"""Which models a person is looking for: what was typed, and which of the catalogue's entries are shown.

Owns the meaning of the search field (a link or a name of a repository, or words, tag:…, owner:…) and of the filters.
Knows no Qt and asks nobody.
"""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from engine.catalog_reports import CatalogEntry, FitReport, HubSearch
from engine.transfer_reports import DownloadReport

SIZES: tuple[tuple[str, int, int], ...] = (
    ("small", 0, 2_000_000_000),
    ("medium", 2_000_000_000, 10_000_000_000),
    ("large", 10_000_000_000, 1 << 62),
)
# The least that a weight takes once prepared: 4 bits. Packing with scales takes more, so that what is left out for its
# size surely does not fit, and what is shown may still not.
_LEAST_BYTES_PER_WEIGHT = 0.5
_RUNS = ("fits", "smaller_budget", "from_disk", "unknown")

_REPO = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*(@[\w./+-]+)?", re.ASCII)
_FIELD = re.compile(r"(tag|owner|org|by):(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed: one repository, or something to search for; both empty for nothing."""

    reference: str = ""
    search: HubSearch | None = None


def read_typed(text: str) -> Typed:
    """Raises InvalidRequest for a text that no search takes."""
    text = text.strip()
    if not text:
        return Typed()
    if "://" in text or _REPO.fullmatch(text):
        return Typed(reference=text)
    fields = {name.lower(): value for name, value in _FIELD.findall(text)}
    rest = " ".join(_FIELD.sub(" ", text).split())
    owner = fields.get("owner") or fields.get("org") or fields.get("by") or ""
    if not owner and rest.endswith("/") and " " not in rest:
        owner, rest = rest.rstrip("/"), ""
    return Typed(search=HubSearch(rest, fields.get("tag", ""), owner))


@dataclass(frozen=True, slots=True)
class CatalogFilter:
    """Empty sets mean no choice: everything."""

    text: str = ""
    purposes: frozenset[str] = frozenset()
    sizes: frozenset[str] = frozenset()
    runs_here: bool = True

    def shows(self, entry: CatalogEntry, fit: FitReport | None, memory_bytes: int) -> bool:
        """`fit`: a verdict that was asked for before, if any; `memory_bytes` of this computer, 0 where not known."""
        if self.purposes and entry.purpose not in self.purposes:
            return False
        if self.sizes and not any(low <= entry.n_parameters < high for name, low, high in SIZES if name in self.sizes):
            return False
        if self.runs_here and not runs_here(entry, fit, memory_bytes):
            return False
        return self._names(entry)

    def _names(self, entry: CatalogEntry) -> bool:
        held = " ".join((*entry.names, entry.name, entry.family, entry.licence, entry.note)).casefold()
        words = _FIELD.sub(lambda match: match[2], self.text).casefold().split()
        return all(word.strip("/") in held for word in words)


def runs_here(entry: CatalogEntry, fit: FitReport | None, memory_bytes: int) -> bool:
    """Whether a model may run on this computer, as far as can be told without asking the hub."""
    if entry.unsupported:
        return False
    if fit is not None:
        return fit.verdict in _RUNS
    return not memory_bytes or entry.n_parameters * _LEAST_BYTES_PER_WEIGHT <= memory_bytes


def download_of(downloads: tuple[DownloadReport, ...], names: tuple[str, ...]) -> DownloadReport | None:
    """The download of a model that is known by these names."""
    wanted = {name.casefold() for name in names}
    return next((download for download in downloads if download.repo.casefold() in wanted), None)


_SOURCE = re.compile(r"[\\/]sources[\\/]([^\\/]+)[\\/]([0-9a-f]{7,40})[\\/]([^\\/]+)(?:[\\/][^\\/]*)?$")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a model of the library came from; `commit` is its beginning."""

    repo: str
    commit: str


def origin_of(source: str) -> Origin | None:
    """The repository a model was fetched from, by the folder it was packed from; None for what came otherwise."""
    found = _SOURCE.search(source)
    if found is None:
        return None
    owner, commit, name = found.groups()
    return Origin(name if owner == "_" else f"{owner}/{name}", commit)


_IN_LINK = re.compile(r"/(?:tree|blob|resolve|raw|commit)/(refs/[^/?#]+/[^/?#]+|[^/?#]+)")


def revision_of(reference: str) -> str:
    """The branch, tag or commit that somebody asked for with a repository; empty where none was, or the newest."""
    if "://" in reference:
        found = _IN_LINK.search(reference)
        asked = unquote(found[1]) if found else ""
    else:
        asked = reference.partition("@")[2]
    return "" if asked == "main" else asked
