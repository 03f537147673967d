"""What the engine tells of models that are not here yet: the catalogue, the hub's repositories, and whether one fits.

Part of the engine's door: plain values only. What comes from the catalogue may have changed on the hub since it was
written, and says so by where it stands: `CatalogEntry` is the catalogue's, `HubModel` and `HubRepository` are the hub's
of this moment. The words are the front-ends'.
"""

from dataclasses import dataclass

from engine.errors import ErrorReport, InvalidRequest

# What a catalogue's model was made for: to answer people, or to go on with text.
PURPOSES = ("chat", "base")
WEIGHTS = ("safetensors", "bin", "gguf")
# Why a file of a repository is not fetched.
LEFT_OUT = ("duplicate", "other framework", "not of the model", "code")
# "unknown": nothing can be read of it before it is here.
VERDICTS = ("fits", "smaller_budget", "from_disk", "does_not_fit", "unsupported", "unknown")
# What stands behind a verdict, each with the bytes that are needed and there.
REASONS = ("disk", "memory", "cache", "card")
# What was known of the neurons when a speed was predicted: a published share of silent ones; only that some may be
# silent, so that the range goes from none of them to all; or that none ever is.
SPEED_BASES = ("catalogue", "bounds", "dense", "")
# What a verdict was read from: the headers of the weights; or no more than the sizes of the files, where there are no
# headers that could be read before the weights are here (torch files of before 2020, GGUF on Windows).
FIT_BASES = ("headers", "sizes")


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One model of the catalogue, as the studies found it.

    repo           its repository; `also` are other names of it, older or newer: the hub redirects or keeps a copy
    revision       the commit that was looked at; empty: the newest
    family         a row of `engine/model/families.py`; empty where Ember does not run it, and `unsupported` says why
    feed_forward   as ModelConfig.feed_forward
    purpose        one of PURPOSES
    weights        one of WEIGHTS: what is fetched of it
    languages      two-letter codes of those it was made for
    size_bytes     of what is fetched, about; 0: not known. `n_parameters`, about, too
    files          patterns of the files wanted
    sparsity       share of neurons that are silent for a token, published or measured elsewhere; None: not known
    sparsity_source  where from
    predictors, counts   repositories of predictors and of neurons' counts, where there are any
    note           one sentence
    """

    repo: str
    also: tuple[str, ...]
    revision: str
    name: str
    family: str
    unsupported: str
    feed_forward: str
    purpose: str
    languages: tuple[str, ...]
    licence: str
    is_gated: bool
    n_parameters: int
    weights: str
    size_bytes: int
    files: tuple[str, ...]
    sparsity: float | None
    sparsity_source: str
    predictors: str
    counts: str
    note: str

    @property
    def names(self) -> tuple[str, ...]:
        """Every repository under which the model is known, its own first."""
        return (self.repo, *self.also)


@dataclass(frozen=True, slots=True)
class HubSearch:
    """What to look for on the hub: text in the name, a tag, an organisation; at least one of them.

    Raises InvalidRequest.
    """

    text: str = ""
    tag: str = ""
    owner: str = ""
    limit: int = 30

    def __post_init__(self) -> None:
        if not (self.text.strip() or self.tag.strip() or self.owner.strip()):
            raise InvalidRequest("search", "", "a text, a tag or an organisation")
        for name in ("text", "tag", "owner"):
            value = getattr(self, name)
            if len(value) > 200 or (value and not value.isprintable()):
                raise InvalidRequest(name, value[:40], "up to 200 printable characters")
        if not 1 <= self.limit <= 200:
            raise InvalidRequest("limit", str(self.limit), "1 to 200")


@dataclass(frozen=True, slots=True)
class HubModel:
    """A repository as a search lists it; `gated` is empty, "auto" or "manual", `updated` an ISO date or empty."""

    repo: str
    downloads: int
    likes: int
    updated: str
    gated: str
    is_private: bool
    licence: str
    tags: tuple[str, ...]
    n_parameters: int


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a repository. `sha256` of a large one, `git_sha1` of the others.

    left_out   why it is not fetched, one of LEFT_OUT; empty for those that are
    """

    path: str
    size_bytes: int
    sha256: str
    git_sha1: str
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class HubRepository:
    """A repository at one commit.

    asked     the name that was asked for; `model.repo` is what the hub calls it now
    weights   one of WEIGHTS, or empty where there are none that Ember reads; `error` then says so
    entry     of the catalogue, where it is in there
    """

    asked: str
    commit: str
    model: HubModel
    files: tuple[HubFile, ...]
    weights: str
    entry: CatalogEntry | None
    error: ErrorReport | None = None

    @property
    def wanted(self) -> tuple[HubFile, ...]:
        return tuple(file for file in self.files if not file.left_out)

    @property
    def download_bytes(self) -> int:
        return sum(file.size_bytes for file in self.wanted)


@dataclass(frozen=True, slots=True)
class FitReason:
    """`what` is one of REASONS."""

    what: str
    needed_bytes: int
    available_bytes: int


@dataclass(frozen=True, slots=True)
class FitReport:
    """Whether a model of the hub would run here, before it is fetched.

    verdict         one of VERDICTS: "fits": in memory, and on the card where there is one; "smaller_budget": a part of
                    it on the card; "from_disk": more than memory, read from the drive as it goes, slowly
    basis           one of FIT_BASES; of "sizes" nothing but the download is known, and the rest is zero
    error           of "unsupported": what loading would say
    packed_bytes    the file that packing will write; `disk_bytes` the most the drive holds at once, with the download
    memory_bytes    of the loaded model; of that `cache_bytes` for the context
    fitting_context   the longest context with which all of it is in the memory that is free now; 0: none
    card_bytes      everything on the card; 0 where no card was asked about
    slowest, fastest   predicted tokens/s, zeros where nothing is measured; `speed_basis` one of SPEED_BASES
    """

    repo: str
    commit: str
    verdict: str
    basis: str
    reasons: tuple[FitReason, ...]
    error: ErrorReport | None
    family: str
    feed_forward: str
    is_sparse: bool
    n_parameters: int
    weight_format: str
    context_tokens: int
    longest_context: int
    fitting_context: int
    download_bytes: int
    packed_bytes: int
    disk_bytes: int
    memory_bytes: int
    cache_bytes: int
    card_bytes: int
    slowest: float = 0.0
    fastest: float = 0.0
    speed_basis: str = ""


# Requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadCatalog:
    """Answered by CatalogRead, without the network."""

    request_id: str


@dataclass(frozen=True, slots=True)
class SearchHub:
    """Answered by HubSearched."""

    request_id: str
    search: HubSearch


@dataclass(frozen=True, slots=True)
class ReadRepository:
    """`reference` is a repository's name, name@revision, or a link to it. Answered by RepositoryRead."""

    request_id: str
    reference: str


@dataclass(frozen=True, slots=True)
class CheckFit:
    """Whether a model of the hub would run here, from its headers alone. Progress, then FitChecked.

    weight_format, context_tokens   as in ImportModel and LoadModel
    """

    request_id: str
    reference: str
    weight_format: str = ""
    context_tokens: int | None = None


CatalogRequests = ReadCatalog | SearchHub | ReadRepository | CheckFit

# Events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CatalogRead:
    request_id: str
    entries: tuple[CatalogEntry, ...]


@dataclass(frozen=True, slots=True)
class HubSearched:
    request_id: str
    models: tuple[HubModel, ...]


@dataclass(frozen=True, slots=True)
class RepositoryRead:
    request_id: str
    repository: HubRepository


@dataclass(frozen=True, slots=True)
class FitChecked:
    request_id: str
    report: FitReport


CatalogEvents = CatalogRead | HubSearched | RepositoryRead | FitChecked
