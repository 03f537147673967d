"""What the engine is asked and tells about downloads, the way to the hub, and the library's folders.

Part of the engine's door: plain values only, the words are the front-ends'. The requests here are answered beside the
compute lane, so that a download can be paused while an answer is being written.
"""

from dataclasses import dataclass, field

from engine.errors import ErrorReport, InvalidRequest

HUB = "https://huggingface.co"
# Where a download stands; the words are the states of `engine/hub/transfer/progress.py` and packing.
DOWNLOAD_STATES = (
    "queued", "resolving", "downloading", "paused", "stalled-retrying", "verifying", "packing", "ready", "failed",
)  # fmt: skip
RUNNING_STATES = ("resolving", "downloading", "stalled-retrying", "verifying", "packing")
STEERING = ("pause", "resume", "first", "earlier", "later", "last")
# What a test of the connection does, in this order; each finds another fault.
CONNECTION_STEPS = ("name", "connect", "encryption", "hub", "token", "file")
STEP_STATES = ("passed", "failed", "skipped")
# Where the hub's token is kept.
TOKEN_PLACES = ("keyring", "file", "nowhere")


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """The way to the hub.

    endpoint   of the hub or a mirror of it; a token goes only to the address it was entered for
    proxy      http://, https://, socks5:// or socks5h://, with user and password if need be; empty means the addresses
               below, "none" means no proxy whatever they say
    http_proxy, https_proxy, no_proxy   as the usual environment variables give them
    ca_file    certificates of a company's own authority (PEM), trusted beside the system's
    """

    endpoint: str = HUB
    is_offline: bool = False
    proxy: str = field(default="", repr=False)
    http_proxy: str = field(default="", repr=False)
    https_proxy: str = field(default="", repr=False)
    no_proxy: str = ""
    ca_file: str = ""


@dataclass(frozen=True, slots=True)
class DownloadedFile:
    """A file of a download; `state` as of a download, without packing."""

    path: str
    state: str
    done_bytes: int
    size_bytes: int | None
    error: ErrorReport | None = None


@dataclass(frozen=True, slots=True)
class DownloadReport:
    """A model on its way.

    commit        empty until the hub has named it
    state         one of DOWNLOAD_STATES
    done_bytes    on disk and in the journal; while packing, how many of `size_bytes` steps are done
    size_bytes    of all files, None until known; of a model that was packed and is ready the size of its packed file
    left_s        None while nobody can know, as when nothing arrives
    retry_in_s    of "stalled-retrying"
    error         of "failed"; of "stalled-retrying" that of the latest attempt; of "paused" why, if the user did not
    model_id      of the packed model, once there is one
    folder        where the files are
    holder        another process that has it in hand, by its id; empty for a download of this engine
    """

    download_id: str
    repo: str
    revision: str
    commit: str
    state: str
    done_bytes: int
    size_bytes: int | None
    rate_bytes_s: float = 0.0
    left_s: float | None = None
    retry_in_s: float | None = None
    error: ErrorReport | None = None
    packs: bool = True
    keeps_source: bool = True
    model_id: str = ""
    folder: str = ""
    holder: str = ""
    files: tuple[DownloadedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class DownloadQueueReport:
    """All downloads in their order, those of other processes last. `keeps_awake`: the system will not sleep.

    away              folders of the library that are not connected
    library_changes   another number each time that models came or went by themselves, as with a drive
    """

    downloads: tuple[DownloadReport, ...]
    limit_bytes_s: int | None = None
    is_offline: bool = False
    keeps_awake: bool = False
    away: tuple[str, ...] = ()
    library_changes: int = 0


@dataclass(frozen=True, slots=True)
class ConnectionStep:
    """`step` is one of CONNECTION_STEPS, `state` one of STEP_STATES, `detail` an address, a status or a count."""

    step: str
    state: str
    detail: str
    took_s: float = 0.0
    error: ErrorReport | None = None


@dataclass(frozen=True, slots=True)
class AdoptableModel:
    """A model in another program's cache; `links` says that it costs no room, being on the library's drive."""

    path: str
    repo: str
    commit: str
    size_bytes: int
    n_files: int
    links: bool


@dataclass(frozen=True, slots=True)
class TrashedModel:
    """`days_left` until it is deleted for good."""

    trash_id: str
    model_id: str
    size_bytes: int
    trashed_at: str
    days_left: int


@dataclass(frozen=True, slots=True)
class ModelUpdate:
    """`newest` is the hub's commit of the same revision; empty where it could not be asked, and `error` says why."""

    repo: str
    revision: str
    commit: str
    newest: str
    error: ErrorReport | None = None

    @property
    def is_newer(self) -> bool:
        return bool(self.newest) and self.newest != self.commit


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the publisher says of a model, as it was when it was fetched: Markdown, never HTML that is acted upon."""

    model_id: str
    repo: str
    commit: str
    fetched_at: str
    licence: str
    card: str
    licence_text: str


# Requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadDownloads:
    """Answered by DownloadsRead, at once."""

    request_id: str


@dataclass(frozen=True, slots=True)
class WatchDownloads:
    """Send DownloadsRead with this id a few times a second while something changes, until `wanted` is false.

    With `takes_up` the downloads that an earlier process left are gone on with here.
    """

    request_id: str
    wanted: bool = True
    takes_up: bool = False


@dataclass(frozen=True, slots=True)
class AddDownload:
    """Fetch a model and, with `packs`, prepare it for use. Answered by DownloadAdded.

    repo            owner/name, also with @revision, or a link to a model on the hub
    weight_format   as in ImportModel
    keeps_source    False deletes the weights that were fetched once the packed file is whole
    folder          one of the library's; empty means the first
    """

    request_id: str
    repo: str
    revision: str = "main"
    weight_format: str = ""
    packs: bool = True
    keeps_source: bool = True
    folder: str = ""


@dataclass(frozen=True, slots=True)
class SteerDownload:
    """`action` is one of STEERING. Answered by DownloadsRead."""

    request_id: str
    download_id: str
    action: str

    def __post_init__(self) -> None:
        if self.action not in STEERING:
            raise InvalidRequest("action", self.action, ", ".join(STEERING))


@dataclass(frozen=True, slots=True)
class CancelDownload:
    """Give a download up and delete what has come of it. Answered by DownloadCancelled."""

    request_id: str
    download_id: str


@dataclass(frozen=True, slots=True)
class LimitDownloads:
    """A ceiling on the speed of all downloads together, at once; None lifts it."""

    request_id: str
    bytes_per_s: int | None

    def __post_init__(self) -> None:
        if self.bytes_per_s is not None and self.bytes_per_s < 1:
            raise InvalidRequest("bytes_per_s", str(self.bytes_per_s), "1 or more")


@dataclass(frozen=True, slots=True)
class UseNetwork:
    """Another way to the hub; running downloads go on by it. Answered by DownloadsRead."""

    request_id: str
    network: NetworkSettings


@dataclass(frozen=True, slots=True)
class StoreToken:
    """Keep the hub's token, or with an empty one forget it. Answered by TokenKept."""

    request_id: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReadToken:
    """Where a token is kept; the token itself never leaves the engine. Answered by TokenKept."""

    request_id: str


@dataclass(frozen=True, slots=True)
class TryConnection:
    """Try the way to the hub step by step, with a file of `repo`. ConnectionTried after each, then ConnectionTested."""

    request_id: str
    repo: str
    path: str = "config.json"


@dataclass(frozen=True, slots=True)
class UseLibraryFolders:
    """The library's folders, the first for new models. Raises on a cache folder. Answered by FoldersUsed."""

    request_id: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindAdoptable:
    """Models of other programs in these cache folders."""

    request_id: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AdoptModel:
    """Take a model of another program's cache into the library: by hard links, or as a copy on another drive."""

    request_id: str
    path: str
    repo: str
    commit: str


@dataclass(frozen=True, slots=True)
class MoveModel:
    """Move a model to another of the library's folders. TransferProgressed events, then ModelMoved."""

    request_id: str
    model_id: str
    folder: str


@dataclass(frozen=True, slots=True)
class TrashModel:
    """Move a model, and what is known of it, to the library's trash; with `and_source` also what it was packed from."""

    request_id: str
    model_id: str
    and_source: bool = True


@dataclass(frozen=True, slots=True)
class ReadTrash:
    request_id: str


@dataclass(frozen=True, slots=True)
class RestoreModel:
    request_id: str
    trash_id: str


@dataclass(frozen=True, slots=True)
class EmptyTrash:
    """Delete one thing in the trash for good, or with an empty id all of them."""

    request_id: str
    trash_id: str = ""


@dataclass(frozen=True, slots=True)
class CheckUpdates:
    """Ask the hub whether the models of the library have newer commits."""

    request_id: str


@dataclass(frozen=True, slots=True)
class ReadCard:
    request_id: str
    model_id: str


TransferRequests = (
    ReadDownloads
    | WatchDownloads
    | AddDownload
    | SteerDownload
    | CancelDownload
    | LimitDownloads
    | UseNetwork
    | StoreToken
    | ReadToken
    | TryConnection
    | UseLibraryFolders
    | FindAdoptable
    | AdoptModel
    | MoveModel
    | TrashModel
    | ReadTrash
    | RestoreModel
    | EmptyTrash
    | CheckUpdates
    | ReadCard
)

# Events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DownloadsRead:
    request_id: str
    queue: DownloadQueueReport


@dataclass(frozen=True, slots=True)
class DownloadAdded:
    request_id: str
    download_id: str


@dataclass(frozen=True, slots=True)
class DownloadCancelled:
    request_id: str
    download_id: str
    freed_bytes: int


@dataclass(frozen=True, slots=True)
class TokenKept:
    """`place` is one of TOKEN_PLACES, `endpoint` the hub it is for."""

    request_id: str
    place: str
    endpoint: str


@dataclass(frozen=True, slots=True)
class ConnectionTried:
    request_id: str
    step: ConnectionStep


@dataclass(frozen=True, slots=True)
class ConnectionTested:
    request_id: str
    steps: tuple[ConnectionStep, ...]


@dataclass(frozen=True, slots=True)
class FoldersUsed:
    request_id: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TransferProgressed:
    """How far a move or an adoption is."""

    request_id: str
    done_bytes: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class AdoptableFound:
    request_id: str
    models: tuple[AdoptableModel, ...]


@dataclass(frozen=True, slots=True)
class ModelAdopted:
    """`folder` can be imported as it is."""

    request_id: str
    repo: str
    folder: str
    linked_bytes: int
    copied_bytes: int


@dataclass(frozen=True, slots=True)
class ModelMoved:
    request_id: str
    model_id: str
    folder: str


@dataclass(frozen=True, slots=True)
class ModelTrashed:
    """`size_bytes` will be free once the trash is emptied."""

    request_id: str
    model_id: str
    trash_id: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TrashRead:
    request_id: str
    models: tuple[TrashedModel, ...]


@dataclass(frozen=True, slots=True)
class ModelRestored:
    request_id: str
    model_id: str


@dataclass(frozen=True, slots=True)
class TrashEmptied:
    request_id: str
    freed_bytes: int


@dataclass(frozen=True, slots=True)
class UpdatesChecked:
    request_id: str
    updates: tuple[ModelUpdate, ...]


@dataclass(frozen=True, slots=True)
class CardRead:
    request_id: str
    card: ModelCard


TransferEvents = (
    DownloadsRead
    | DownloadAdded
    | DownloadCancelled
    | TokenKept
    | ConnectionTried
    | ConnectionTested
    | FoldersUsed
    | TransferProgressed
    | AdoptableFound
    | ModelAdopted
    | ModelMoved
    | ModelTrashed
    | TrashRead
    | ModelRestored
    | TrashEmptied
    | UpdatesChecked
    | CardRead
)
