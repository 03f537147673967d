"""What a front-end asks about models of the hub: the catalogue, a search, one repository, whether it would run here.

Owns what is remembered between questions: a repository that was looked into is judged for another context or format
without the network. Questions block on the network and belong beside the compute lane; `stop` is for another thread.
The worker hands in the way to the hub and gathers what this machine has free.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from engine.catalog_reports import CatalogEntry, FitReport, HubModel, HubRepository, HubSearch
from engine.fit import FitQuestion, check_fit
from engine.hub.catalog import CATALOG, Catalog, read_catalog
from engine.hub.hub_metadata import HubMetadata
from engine.hub.remote_headers import RemoteModel, open_remote
from engine.hub.repository import Reference, parse_reference
from engine.hub.transfer.line import Network
from engine.hub.transfer.part_file import free_bytes
from engine.hub.transfer.resolving import Hub
from engine.messages import EngineConfig
from engine.placement.devices import card_memory
from engine.placement.hardware import probe_machine
from engine.worker_placement import kept_measures, wanted_card

# Repositories that stay looked into: a page of them; each keeps its tokenizer, up to some 30 MB.
_REMEMBERED = 12

OnFile = Callable[[int, int], None]


class HubDesk:
    """Answers about one library's hub.

    hub       the endpoint and token in use now; asked anew for every question
    catalog   read when first needed, so that a damaged one stops only what needs it
    """

    def __init__(self, hub: Callable[[], Hub], network: Network, catalog: Path = CATALOG) -> None:
        self._hub = hub
        self._network = network
        self._catalog_path = catalog
        self._catalog: Catalog | None = None
        self._lock = threading.Lock()
        self._asked: HubMetadata | None = None
        self._looked_into: OrderedDict[tuple[str, str, str], RemoteModel] = OrderedDict()

    def catalog(self) -> tuple[CatalogEntry, ...]:
        """Raises FileMissing or DamagedFile."""
        return self._read_catalog().entries

    def search(self, wanted: HubSearch) -> tuple[HubModel, ...]:
        """As HubMetadata.search."""
        return self._metadata(Catalog(())).search(wanted)

    def repository(self, written: str) -> HubRepository:
        """What a person pasted or chose, at the catalogue's commit where that pins one and nothing else was asked for.

        Raises InvalidRequest, and as HubMetadata.repository.
        """
        reference = parse_reference(written, self._hub().endpoint)
        catalog = self._read_catalog()
        entry = catalog.find(reference.repo)
        if entry is not None and not reference.revision:
            reference = Reference(reference.repo, entry.revision)
        return self._metadata(catalog).repository(reference)

    def fit(
        self, repository: HubRepository, question: FitQuestion, on_file: OnFile = lambda done, total: None
    ) -> FitReport:
        """As `check_fit`, without the network where the repository was looked into before."""
        return check_fit(repository, lambda: self._look_into(repository, on_file), question)

    def stop(self) -> None:
        """End the question that the hub is being asked, if one is; it raises HubUnreachable then."""
        asked = self._asked
        if asked is not None:
            asked.cut()

    def _look_into(self, repository: HubRepository, on_file: OnFile) -> RemoteModel:
        hub = self._hub()
        key = (hub.endpoint, repository.model.repo, repository.commit)
        with self._lock:
            known = self._looked_into.get(key)
        if known is not None:
            return known
        found = open_remote(repository, hub, self._network, on_file=on_file)
        with self._lock:
            self._looked_into[key] = found
            while len(self._looked_into) > _REMEMBERED:
                self._looked_into.popitem(last=False)
        return found

    def _metadata(self, catalog: Catalog) -> HubMetadata:
        self._asked = HubMetadata(self._hub(), self._network, catalog=catalog)
        return self._asked

    def _read_catalog(self) -> Catalog:
        with self._lock:
            if self._catalog is None:
                self._catalog = read_catalog(self._catalog_path)
            return self._catalog


def fit_question(
    config: EngineConfig, folder: Path, *, weight_format: str = "", context_tokens: int | None = None,
    leaving_bytes: int = 0, source: str = "",
) -> FitQuestion:  # fmt: skip
    """A question with what this machine has now.

    folder          of the library, which need not exist yet
    leaving_bytes   of memory, held by the loaded model that would make room
    """
    machine = probe_machine()
    card = wanted_card(config, machine)
    kept = kept_measures(config, machine, card)
    return FitQuestion(
        disk_free_bytes=free_bytes(_existing(folder)),
        memory_free_bytes=machine.memory.available_bytes + leaving_bytes,
        weight_format=weight_format,
        context_tokens=context_tokens,
        card=card_memory(card, config.vram_bytes) if card is not None else None,
        card_context_bytes=kept.context_bytes or None,
        speeds=kept.speeds,
        n_threads=config.n_threads,
        source=source,
    )


def _existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.exists())
