"""Models of the hub in the window: the catalogue, a search, and the one that is being looked at.

Decides what the engine is asked about a repository and when: first what it is, then whether it fits; anew once a token
was entered or the network is back. Verdicts are remembered while the program runs. Knows no widget.
"""

from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from PySide6.QtCore import QObject

from app.catalog_filter import read_typed, revision_of
from app.error_text import ErrorText
from app.window.bridge import EngineBridge
from app.window.models.asking import Asking
from app.window.models.network_control import NetworkControl
from app.window.wording import error_words
from engine.catalog_reports import (
    CatalogEntry,
    CatalogRead,
    CheckFit,
    FitChecked,
    FitReport,
    HubModel,
    HubRepository,
    HubSearch,
    HubSearched,
    ReadCatalog,
    ReadRepository,
    RepositoryRead,
    SearchHub,
)
from engine.errors import ErrorReport, InvalidRequest, NetworkSwitchedOff
from engine.messages import DevicesRead, Event, Failed, Progress, ReadDevices, RequestCancelled


@dataclass(frozen=True, slots=True)
class Problem:
    """An error with its report, since the next step depends on what it is."""

    report: ErrorReport
    text: ErrorText = field(compare=False)

    @classmethod
    def of(cls, report: ErrorReport) -> "Problem":
        return cls(report, error_words(report))


@dataclass(frozen=True, slots=True)
class Looked:
    """The model that is being looked at.

    reference   as it was typed or chosen; `entry` of the catalogue, `listed` by a search, if it is from there
    fit         for `weight_format` and `context_tokens`, which are "" and None for what loading would choose
    progress    of reading headers
    """

    reference: str
    entry: CatalogEntry | None = None
    listed: HubModel | None = None
    repository: HubRepository | None = None
    problem: Problem | None = None
    fit: FitReport | None = None
    fit_problem: Problem | None = None
    progress: Progress | None = None
    is_asking: bool = False
    is_judging: bool = False
    weight_format: str = ""
    context_tokens: int | None = None

    @property
    def repo(self) -> str:
        """What the hub calls it, as far as that is known."""
        if self.repository is not None:
            return self.repository.model.repo
        if self.listed is not None:
            return self.listed.repo
        return self.entry.repo if self.entry is not None else self.reference

    @property
    def revision(self) -> str:
        asked = revision_of(self.reference)
        entry = self.entry or (self.repository.entry if self.repository is not None else None)
        return asked or (entry.revision if entry is not None else "") or "main"

    @property
    def known(self) -> CatalogEntry | None:
        return self.entry or (self.repository.entry if self.repository is not None else None)

    @property
    def gated(self) -> str:
        """How access is given: empty where it is free, else "auto" or "manual"."""
        if self.problem is not None and self.problem.report.code == "LicenceNotAccepted":
            return "manual" if self.listed is None else self.listed.gated or "manual"
        if self.repository is not None:
            return self.repository.model.gated
        if self.listed is not None:
            return self.listed.gated
        return "auto" if self.entry is not None and self.entry.is_gated else ""

    @property
    def link(self) -> str:
        """The page with the terms, where the hub named one."""
        for problem in (self.problem, self.fit_problem):
            if problem is not None and problem.report.code == "LicenceNotAccepted":
                return str(problem.report.field("link"))
        return ""


class HubControl(Asking):
    def __init__(self, bridge: EngineBridge, network: NetworkControl, parent: QObject | None = None) -> None:
        super().__init__(bridge, "hub", parent)
        self._network = network
        self._catalog_id = self._search_id = self._repository_id = self._fit_id = self._devices_id = ""
        self._wants_catalog = False
        self.catalog: tuple[CatalogEntry, ...] | None = None
        """None until it was read."""
        self.catalog_error: ErrorText | None = None
        self.memory_bytes = 0
        """Of this computer; 0 until known."""
        self.search: HubSearch | None = None
        self.found: tuple[HubModel, ...] | None = None
        """What the last search found; None while nothing was searched for, or the answer is not here yet."""
        self.search_problem: Problem | None = None
        self.looked: Looked | None = None
        self.fits: dict[str, FitReport] = {}
        """Verdicts by repository, in small letters; for what loading would choose."""
        network.token_kept.connect(self.ask_again)
        network.went_online.connect(self._on_online)

    @property
    def is_searching(self) -> bool:
        return bool(self._search_id)

    def fit_of(self, names: tuple[str, ...]) -> FitReport | None:
        return next((self.fits[name.casefold()] for name in names if name.casefold() in self.fits), None)

    def entry_of(self, repo: str) -> CatalogEntry | None:
        wanted = repo.casefold()
        return next((e for e in self.catalog or () if wanted in (name.casefold() for name in e.names)), None)

    @property
    def test_repo(self) -> str:
        """A repository with which a connection can be tried: one that anybody may read."""
        return next((e.repo for e in self.catalog or () if not e.is_gated and e.weights != "gguf"), "facebook/opt-125m")

    # What the user asks -------------------------------------------------------------------------------------------

    def need_catalog(self) -> None:
        """Read the catalogue, and how much memory there is, once somebody looks."""
        self._wants_catalog = True
        if self.catalog is None and not self._catalog_id and self.is_open:
            self.catalog_error = None
            self._catalog_id = self._ask(ReadCatalog)
        if not self.memory_bytes and not self._devices_id and self.is_open:
            self._devices_id = self._ask(ReadDevices)

    def enter(self, text: str) -> None:
        """Look at the repository that was typed, or search for the words. Raises InvalidRequest."""
        typed = read_typed(text)
        if typed.reference:
            self.look_at(typed.reference)
        elif typed.search is not None:
            self.search_for(typed.search)

    def search_for(self, search: HubSearch) -> None:
        self._cancel(self._search_id)
        self.search, self.found, self.search_problem = search, None, self._offline_problem()
        if self.search_problem is None:
            self._search_id = self._ask(lambda i: SearchHub(i, search))
        self.changed.emit()

    def clear_search(self) -> None:
        self._cancel(self._search_id)
        self._search_id = ""
        self.search, self.found, self.search_problem = None, None, None
        self.changed.emit()

    def look_at(self, reference: str, listed: HubModel | None = None) -> None:
        """Show what is known of a model, and ask the hub for the rest."""
        entry = self.entry_of(reference.partition("@")[0]) if "://" not in reference else None
        self.looked = Looked(reference, entry, listed)
        self.ask_again()

    def look_away(self) -> None:
        self._cancel(self._repository_id)
        self._cancel(self._fit_id)
        self._repository_id = self._fit_id = ""
        self.looked = None
        self.changed.emit()

    def ask_again(self) -> None:
        """After an error, with another token, or back online."""
        if self.looked is None:
            return
        self._cancel(self._repository_id)
        self._cancel(self._fit_id)
        self._repository_id = self._fit_id = ""
        problem = self._offline_problem()
        asks = problem is None and self.is_open
        looked = self.looked = replace(
            self.looked, problem=problem, fit=None, fit_problem=None, progress=None, is_asking=asks, is_judging=False
        )
        if asks:
            self._repository_id = self._ask(lambda i: ReadRepository(i, looked.reference))
        self.changed.emit()

    def _offline_problem(self) -> Problem | None:
        """Offline the hub is not asked at all, whether or not the engine has heard of the switch already."""
        if not self._network.is_offline:
            return None
        host = urlsplit(self._network.chosen.endpoint).hostname or self._network.chosen.endpoint
        return Problem.of(NetworkSwitchedOff(host).report())

    def judge(self, weight_format: str, context_tokens: int | None) -> None:
        """Ask whether it fits, prepared in a format and with a context."""
        if self.looked is None or self.looked.repository is None or not self.is_open:
            return
        self._cancel(self._fit_id)
        looked = replace(
            self.looked, weight_format=weight_format, context_tokens=context_tokens, is_judging=True,
            fit_problem=None, progress=None,
        )  # fmt: skip
        self.looked = looked
        self._fit_id = self._ask(lambda i: CheckFit(i, looked.reference, weight_format, context_tokens))
        self.changed.emit()

    # The engine ---------------------------------------------------------------------------------------------------

    def _on_opened(self) -> None:
        if self._wants_catalog:
            self.need_catalog()
        self.ask_again()

    def _on_online(self) -> None:
        self.ask_again()
        if self.search is not None and self.search_problem is not None:
            self.search_for(self.search)

    def _on_event(self, event: Event) -> None:
        match event:
            case CatalogRead() if event.request_id == self._catalog_id:
                self._catalog_id, self.catalog = "", event.entries
            case DevicesRead():
                self._devices_id, self.memory_bytes = "", event.report.memory_bytes
            case HubSearched() if event.request_id == self._search_id:
                self._search_id, self.found = "", event.models
            case RepositoryRead() if event.request_id == self._repository_id:
                self._on_repository(event.repository)
            case Progress() if event.request_id == self._fit_id and self.looked is not None:
                self.looked = replace(self.looked, progress=event)
            case FitChecked() if event.request_id == self._fit_id:
                self._on_fit(event.report)
            case Failed():
                if not self._on_failed(event.request_id, event.error):
                    return
            case RequestCancelled():
                return
            case _:
                return
        self.changed.emit()

    def _on_repository(self, repository: HubRepository) -> None:
        self._repository_id = ""
        if self.looked is not None:
            self.looked = replace(self.looked, repository=repository, problem=None, is_asking=False)
            self.judge(self.looked.weight_format, self.looked.context_tokens)

    def _on_fit(self, report: FitReport) -> None:
        self._fit_id = ""
        looked = self.looked
        if looked is None:
            return
        self.looked = replace(looked, fit=report, is_judging=False, progress=None)
        if not looked.weight_format and looked.context_tokens is None:
            for name in (report.repo, looked.repo, *(looked.known.names if looked.known else ())):
                self.fits[name.casefold()] = report

    def _on_failed(self, request_id: str, report: ErrorReport) -> bool:
        problem = Problem.of(report)
        if request_id == self._catalog_id:
            self._catalog_id, self.catalog_error = "", problem.text
        elif request_id == self._devices_id:
            self._devices_id = ""
        elif request_id == self._search_id:
            self._search_id, self.search_problem = "", problem
        elif request_id == self._repository_id and self.looked is not None:
            self._repository_id = ""
            self.looked = replace(self.looked, problem=problem, is_asking=False)
        elif request_id == self._fit_id and self.looked is not None:
            self._fit_id = ""
            self.looked = replace(self.looked, fit_problem=problem, is_judging=False, progress=None)
        else:
            return False
        return True

    def _on_death(self) -> None:
        self._catalog_id = self._search_id = self._repository_id = self._fit_id = self._devices_id = ""
        if self.looked is not None:
            self.looked = replace(self.looked, is_asking=False, is_judging=False, progress=None)
        self.changed.emit()


def refusal(error: InvalidRequest) -> ErrorText:
    """Why a search was not begun."""
    return error_words(error.report())
