"""The family of errors the engine raises.

Every error carries fields (which file, how many bytes, what was found) and no prose: the application turns the code and
the fields into a cause, a number and a next action in the user's language. The engine raises where the fact is known;
the worker catches once and sends `report()` as plain values.
"""

from dataclasses import dataclass, fields

# What is wrong with a file in which a library stumbles: its own words are for the log, and go along as the cause.
UNREADABLE_PART = "a part of it cannot be read"


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """An error as plain values, safe to send to another process."""

    code: str
    fields: tuple[tuple[str, str | int], ...]

    def field(self, name: str, default: str | int = "") -> str | int:
        return dict(self.fields).get(name, default)


class EngineError(Exception):
    """Base of everything the engine raises on purpose; subclasses are dataclasses of plain fields."""

    def report(self) -> ErrorReport:
        values = ((f.name, getattr(self, f.name)) for f in fields(self))  # type: ignore[arg-type]
        return ErrorReport(type(self).__name__, tuple(values))

    def __str__(self) -> str:
        report = self.report()
        return f"{report.code}({', '.join(f'{k}={v!r}' for k, v in report.fields)})"


@dataclass(eq=False)
class FileMissing(EngineError):
    """A file or folder that was named does not exist or cannot be read."""

    path: str
    reason: str = ""


@dataclass(eq=False)
class ForeignFile(EngineError):
    """The file is readable but is not of a kind we know; `found` describes its beginning."""

    path: str
    expected: str
    found: str


@dataclass(eq=False)
class DamagedFile(EngineError):
    """The file is of the right kind but cut short or altered; `what` names the failing part."""

    path: str
    what: str


@dataclass(eq=False)
class UnsupportedModel(EngineError):
    """The checkpoint is intact but asks for something Ember does not run; `supported` says what it does."""

    path: str
    what: str
    found: str
    supported: str


@dataclass(eq=False)
class PackedVersionMismatch(EngineError):
    """A packed model was written by another version of Ember and must be packed again."""

    path: str
    found: int
    expected: int


@dataclass(eq=False)
class OutOfDisk(EngineError):
    path: str
    needed_bytes: int
    available_bytes: int


@dataclass(eq=False)
class LibraryNotWritable(EngineError):
    """The model library cannot be written to; `reason` is the operating system's own words."""

    path: str
    reason: str


@dataclass(eq=False)
class FolderNotConnected(EngineError):
    """A folder of the library is not there, with its drive; nothing was written in its place."""

    path: str


@dataclass(eq=False)
class OutOfMemory(EngineError):
    what: str
    needed_bytes: int
    available_bytes: int


@dataclass(eq=False)
class DeviceLost(EngineError):
    """The card no longer answers: unplugged, reset, or its driver failed. `reason` holds the driver's words."""

    name: str
    reason: str


@dataclass(eq=False)
class ContextFull(EngineError):
    """The prompt does not fit the context; nothing is cut silently."""

    prompt_tokens: int
    context_tokens: int


@dataclass(eq=False)
class UnknownModel(EngineError):
    model_id: str


@dataclass(eq=False)
class NoModelLoaded(EngineError):
    """A generation was asked for before any model was loaded."""


@dataclass(eq=False)
class InvalidRequest(EngineError):
    """A field of a request is out of range; `reason` states the range."""

    field: str
    value: str
    reason: str


@dataclass(eq=False)
class TemplateFailed(EngineError):
    """A chat template cannot be rendered; `line` of its source is to blame, 0 where none is."""

    reason: str
    line: int = 0


@dataclass(eq=False)
class NetworkSwitchedOff(EngineError):
    """A connection was asked for while the offline switch is on; none was opened."""

    host: str


@dataclass(eq=False)
class HubUnreachable(EngineError):
    """No connection, or one that broke; tried again until it works. `reason` is the system's or the library's words."""

    host: str
    reason: str


@dataclass(eq=False)
class HubBusy(EngineError):
    """The server asked to come back later (408, 425, 429 or 5xx) or its signed link has expired; tried again.

    `wait_s` is how long it asked for, 0 where it did not say.
    """

    host: str
    status: int
    wait_s: int = 0


@dataclass(eq=False)
class TransferStalled(EngineError):
    """A connection stayed open and brought nothing for `silent_s` seconds; it was closed and is tried again."""

    host: str
    silent_s: int


@dataclass(eq=False)
class HubAnswerUnusable(EngineError):
    """An answer that no hub gives: `what` names the header or the redirection, `found` what stood there."""

    host: str
    what: str
    found: str


@dataclass(eq=False)
class NotOnHub(EngineError):
    """The hub knows no such repository, revision or file, or hides a private one from this token."""

    repo: str
    revision: str
    path: str


@dataclass(eq=False)
class LicenceNotAccepted(EngineError):
    """A gated repository: `link` is the page on which its terms are accepted."""

    repo: str
    link: str


@dataclass(eq=False)
class HubAccessDenied(EngineError):
    """The hub refuses this token, or any; `reason` is its own words, where it gave some."""

    repo: str
    status: int
    reason: str


@dataclass(eq=False)
class UnsafeName(EngineError):
    """A repository names a file that could land outside the folder it is fetched into, or that no system can store."""

    name: str
    reason: str


@dataclass(eq=False)
class DownloadMismatch(EngineError):
    """What arrived is not what was announced: `what` is the size, the SHA-256 or the git hash."""

    path: str
    what: str
    expected: str
    found: str


@dataclass(eq=False)
class DownloadInUse(EngineError):
    """Another process, or another transfer of this one, is fetching the same file."""

    path: str


@dataclass(eq=False)
class NoRoomForDownload(EngineError):
    """The drive cannot hold what is still to come; what has arrived is kept.

    `packing_bytes` of the needed ones are for preparing the model.
    """

    path: str
    needed_bytes: int
    available_bytes: int
    packing_bytes: int = 0


@dataclass(eq=False)
class ModelHeldElsewhere(EngineError):
    """Another process has this download in hand; `process` is its id, or words where it cannot be told."""

    repo: str
    process: str


@dataclass(eq=False)
class UnknownDownload(EngineError):
    download_id: str


@dataclass(eq=False)
class CacheFolderRefused(EngineError):
    """A library was to be where files are deleted unasked; `found` names what makes it a cache."""

    path: str
    found: str


@dataclass(eq=False)
class ModelInUse(EngineError):
    """A model was to be moved or deleted while it is loaded, downloaded or prepared."""

    model_id: str


@dataclass(eq=False)
class UnknownTrash(EngineError):
    trash_id: str


@dataclass(eq=False)
class PlaceTaken(EngineError):
    """Something is where a file or folder was to be put; it was left alone."""

    path: str


@dataclass(eq=False)
class TokenNotKept(EngineError):
    """Neither the system's keyring nor a file of ours took the token; `reason` is their words."""

    path: str
    reason: str


@dataclass(eq=False)
class PackageMissing(EngineError):
    """An optional package is not installed or does not load; `extra` names Ember's extra that brings it."""

    package: str
    extra: str
    reason: str


@dataclass(eq=False)
class CardUnusable(EngineError):
    """No card can be opened; `state` is one of `placement_reports.CARD_STATES`, `detail` CUDA's words or a version."""

    state: str
    detail: str


@dataclass(eq=False)
class CompilerMissing(EngineError):
    """The emulated card compiles its kernels, and none of the compilers `looked_for` is on this machine."""

    language: str
    looked_for: str


@dataclass(eq=False)
class NothingSilent(EngineError):
    """A study of silent neurons was asked for, and those of this model never are."""

    feed_forward: str


@dataclass(eq=False)
class StudyInUse(EngineError):
    """Another process is running the same study of the same model."""

    study: str
    model: str


@dataclass(eq=False)
class ProfileRefused(EngineError):
    """A profile of neurons cannot be given away or taken in.

    `reason`: "nothing_measured" (there is none to save), "other_weights", "other_version", "counted_before".
    """

    path: str
    reason: str


@dataclass(eq=False)
class TextUnusable(EngineError):
    """Text to run a model on cannot be used; `path` is empty where it is of all texts together.

    `reason`: "no_file" (a folder or a pipe), "not_utf8", "empty", "too_large", or "too_short": a study needs
    `needed_tokens` or more of it.
    """

    path: str
    reason: str
    needed_tokens: int = 0


@dataclass(eq=False)
class InternalError(EngineError):
    """A fault of ours: the exception's type and text; the log holds the traceback."""

    kind: str
    detail: str


class Cancelled(Exception):
    """Raised inside a running request once its stop flag is set; never leaves the worker."""
