"""What the hub says of its models: a search, and one repository with its files.

Owns which questions are asked and the checking of every answer: the library takes members over as they come. How the
questions reach the hub is in `hub_client.py`; which files are wanted is in `repository.py`.
"""

import contextlib
import re
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.catalog_reports import HubFile, HubModel, HubRepository, HubSearch
from engine.errors import HubAnswerUnusable, HubUnreachable, InvalidRequest
from engine.hub.catalog import Catalog
from engine.hub.hub_client import asking, shown
from engine.hub.repository import NEWEST, Reference, check_repo, choose_files
from engine.hub.transfer.line import Line, Network
from engine.hub.transfer.progress import Clock
from engine.hub.transfer.resolving import Hub, host_of

if TYPE_CHECKING:
    from huggingface_hub import HfApi

MAX_FILES = 20_000
MAX_FILE_BYTES = 1 << 48

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_TAGS = 60


class HubMetadata:
    """A hub, asked on whatever thread calls.

    Every method raises HubBusy where the hub asks to come later, HubAccessDenied where it refuses the token,
    HubAnswerUnusable for an answer that no hub gives, and what `Line` raises: NetworkSwitchedOff, HubUnreachable.
    `cut` is for another thread.
    """

    def __init__(
        self, hub: Hub, network: Network, *, catalog: Catalog | None = None, clock: Clock = time.monotonic
    ) -> None:
        self._hub = hub
        self._network = network
        self._catalog = catalog or Catalog(())
        self._clock = clock
        self._line: Line | None = None
        self._is_cut = threading.Event()

    def search(self, wanted: HubSearch) -> tuple[HubModel, ...]:
        """Models by falling downloads; gated ones among them, private ones only where the token may see them."""
        self._network.check(host_of(self._hub.endpoint))
        with self._asking("", "") as api:
            found = api.list_models(
                search=wanted.text.strip() or None,
                filter=wanted.tag.strip() or None,
                author=wanted.owner.strip() or None,
                sort="downloads",
                limit=wanted.limit,
                full=True,
            )
            return tuple(self._model(info) for info in found)

    def repository(self, reference: Reference) -> HubRepository:
        """One repository at the commit its revision names now, with every file and what of it would be fetched.

        Raises NotOnHub where repository or revision are not there or hidden from this token, and LicenceNotAccepted.
        """
        repo, revision = reference.repo, reference.revision or NEWEST
        self._network.check(host_of(self._hub.endpoint))
        with self._asking(repo, revision) as api:
            info = api.model_info(repo, revision=revision)
            commit = info.sha if _matches(_COMMIT, info.sha) else ""
            if not commit:
                raise self._unusable("the commit", f"{info.sha!r}")
            model = self._model(info)
            files = self._files(api, model.repo, commit)
        entry = self._catalog.find(repo) or self._catalog.find(model.repo)
        choice = choose_files(model.repo, files, entry)
        error = choice.error.report() if choice.error else None
        return HubRepository(repo, commit, model, choice.files, choice.weights, entry, error)

    def cut(self) -> None:
        """End the question that is being asked, or waits for its turn; it and any later one raise HubUnreachable."""
        self._is_cut.set()
        line = self._line
        if line is not None:
            line.cut()

    @contextlib.contextmanager
    def _asking(self, repo: str, revision: str) -> Iterator["HfApi"]:
        with self._network.line(self._clock) as line:
            self._line = line
            with asking(line, self._hub, repo, revision, self._check) as api:
                self._check()
                yield api

    def _check(self) -> None:
        """Raises HubUnreachable once this is cut, NetworkSwitchedOff."""
        host = host_of(self._hub.endpoint)
        self._network.check(host)
        if self._is_cut.is_set():
            raise HubUnreachable(host, "the question was ended")

    def _files(self, api: "HfApi", repo: str, commit: str) -> list[HubFile]:
        from huggingface_hub.hf_api import RepoFile

        files: list[HubFile] = []
        for entry in api.list_repo_tree(repo, recursive=True, revision=commit):
            if not isinstance(entry, RepoFile):
                continue  # a folder; what is in it comes by itself
            path, size, blob = entry.path, entry.size, entry.blob_id
            sha256 = entry.lfs.sha256 if entry.lfs else ""
            if entry.lfs:
                size = entry.lfs.size
            if not isinstance(path, str) or type(size) is not int or not 0 <= size <= MAX_FILE_BYTES:
                raise self._unusable("a file", f"{path!r} of {size!r} bytes")
            if not (_matches(_SHA256, sha256) if entry.lfs else _matches(_COMMIT, blob)):
                raise self._unusable("a file's digest", f"{sha256 or blob!r} of {path!r}")
            files.append(HubFile(path, size, sha256, "" if sha256 else blob))
            if len(files) > MAX_FILES:
                raise self._unusable("the number of files", f"more than {MAX_FILES}")
        return files

    def _model(self, info: Any) -> HubModel:
        repo = str(info.id)
        try:
            check_repo(repo)
        except InvalidRequest as error:
            raise self._unusable("a repository's name", repo) from error
        tags = tuple(shown(tag) for tag in _list(info.tags)[:_MOST_TAGS] if isinstance(tag, str))
        card = info.card_data.get("license") if hasattr(info.card_data, "get") else None
        tagged = next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), "")
        return HubModel(
            repo=repo,
            downloads=_number(info.downloads),
            likes=_number(info.likes),
            updated=info.last_modified.date().isoformat() if info.last_modified else "",
            gated=info.gated if info.gated in ("auto", "manual") else "manual" if info.gated else "",
            is_private=info.private is True,
            licence=shown(card) if isinstance(card, str) else tagged,
            tags=tags,
            n_parameters=_number(info.safetensors.total if info.safetensors else 0),
        )

    def _unusable(self, what: str, found: str) -> HubAnswerUnusable:
        return HubAnswerUnusable(host_of(self._hub.endpoint), what, shown(found))


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _number(value: object) -> int:
    return value if type(value) is int and 0 <= value < 1 << 62 else 0


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
