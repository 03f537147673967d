"""`ember list`, `ember ps`, `ember import` and `ember rm`, and how a model is chosen and described."""

import difflib
from collections.abc import Sequence

import psutil

from app.error_text import describe, describe_host_death, format_bytes
from app.paths import full_path
from app.terminal.console import Console, one_line
from app.terminal.session import EngineDied, RequestFailed, Session, Stopped
from app.terminal.text_width import columns_of
from engine.errors import UnknownModel
from engine.messages import ModelInfo
from engine.transfer_reports import (
    CancelDownload,
    DownloadCancelled,
    DownloadReport,
    DownloadsRead,
    EmptyTrash,
    ModelTrashed,
    ReadDownloads,
    ReadTrash,
    RestoreModel,
    TrashEmptied,
    TrashModel,
    TrashRead,
)

STARTER_NOTE = (
    "{name} is the small starter model that comes with Ember: English only, weak at reasoning and arithmetic, "
    "licence {licence}. It shows how Ember works; for real use import a larger model with `ember import FILE.gguf`."
)
STARTER_MARK = "starter"
INTERRUPTED = 130  # what shells report for Ctrl+C


def run_list(session: Session, console: Console) -> int:
    """Print the library as a table."""
    models = session.models()
    if not models:
        console.note("The library is empty. Add a model with: ember import FILE.gguf")
    for line in model_table(models):
        console.result(line)
    downloads = [d for d in read_downloads(session) if d.state != "ready"]
    if downloads:
        console.result("")
    for line in download_table(downloads):
        console.result(line)
    return 0


def run_ps(session: Session, console: Console) -> int:
    """What runs on this computer of Ember: downloads, who has them in hand, and the memory of those processes.

    Which model another Ember has loaded is known to that one alone.
    """
    held = [d for d in read_downloads(session) if d.holder]
    for line in download_table(held):
        console.result(line)
    if not held:
        console.note("No download is running.")
    for process in sorted({int(d.holder) for d in held if d.holder.isdigit()}):
        used = memory_of(process)
        console.result(f"Process {process}: {format_bytes(used)} of memory" if used else f"Process {process}")
    memory = psutil.virtual_memory()
    console.note(f"Memory: {format_bytes(memory.available)} free of {format_bytes(memory.total)}.")
    return 0


def read_downloads(session: Session) -> tuple[DownloadReport, ...]:
    """All downloads of the library, also those that another Ember has in hand; none is taken up."""
    answer = session.ask(ReadDownloads(session.next_id()))
    return answer.queue.downloads if isinstance(answer, DownloadsRead) else ()


def memory_of(process_id: int) -> int:
    """What a process holds in memory, in bytes; 0 where it is gone or may not be asked."""
    try:
        return int(psutil.Process(process_id).memory_info().rss)
    except psutil.Error:
        return 0


def run_import(session: Session, console: Console, source: str, weight_format: str) -> int:
    """Pack a GGUF file into the library."""
    model = session.import_model(str(full_path(source)), weight_format)
    console.result(f"Imported {model.name} ({model.weight_format}, {format_bytes(model.size_bytes)}).")
    console.note(f"Chat with it: ember chat {model.model_id}")
    return 0


def run_remove(session: Session, console: Console, model_name: str, *, at_once: bool = False) -> int:
    """Move a model, and what it was packed from, to the library's trash, or with `at_once` delete it.

    The name of a repository that is not a model yet gives its download up.
    """
    try:
        model = find_model(session.models(), model_name)
    except UnknownModel:
        download = find_download(read_downloads(session), model_name)
        if download is None:
            raise
        return _give_up(session, console, download)
    if model.note == STARTER_MARK and model.state != "packed":
        console.error(f"{model.model_id} is not packed; there is nothing to delete.")
        return 1
    trashed = session.ask(TrashModel(session.next_id(), model.model_id))
    if not isinstance(trashed, ModelTrashed):
        return 1
    if at_once:
        emptied = session.ask(EmptyTrash(session.next_id(), trashed.trash_id))
        freed = emptied.freed_bytes if isinstance(emptied, TrashEmptied) else 0
        console.result(f"Removed {trashed.model_id}, {format_bytes(freed)} freed.")
        return 0
    console.result(f"Moved {trashed.model_id} to the trash; emptied, it frees {format_bytes(trashed.size_bytes)}.")
    console.note(f"Take it back: ember rm --restore {trashed.model_id}. Empty the trash: ember rm --empty-trash")
    return 0


def find_download(downloads: Sequence[DownloadReport], wanted: str) -> DownloadReport | None:
    """The unfinished download of this repository, as `owner/name` or `owner/name@revision`."""
    key = wanted.casefold()
    found = [d for d in downloads if d.state != "ready" and key in (d.repo.casefold(), _named(d).casefold())]
    return min(found, key=lambda d: d.revision != "main", default=None)


def _give_up(session: Session, console: Console, download: DownloadReport) -> int:
    answer = session.ask(CancelDownload(session.next_id(), download.download_id))
    if not isinstance(answer, DownloadCancelled):
        return 1
    console.result(f"Gave up the download of {_named(download)}, {format_bytes(answer.freed_bytes)} freed.")
    return 0


def _named(download: DownloadReport) -> str:
    return one_line(download.repo) + ("" if download.revision == "main" else f"@{one_line(download.revision)}")


def run_empty_trash(session: Session, console: Console) -> int:
    """Delete for good what is in the library's trash."""
    emptied = session.ask(EmptyTrash(session.next_id()))
    freed = emptied.freed_bytes if isinstance(emptied, TrashEmptied) else 0
    console.result(f"The trash is empty, {format_bytes(freed)} freed.")
    return 0


def run_restore(session: Session, console: Console, model_name: str) -> int:
    """Take a model out of the trash: the one thrown away last, if several are called so."""
    answer = session.ask(ReadTrash(session.next_id()))
    trashed = answer.models if isinstance(answer, TrashRead) else ()
    found = next((model for model in trashed if model.model_id == model_name), None)
    if found is None:
        names = ", ".join(one_line(model.model_id) for model in trashed)
        console.error(f"The trash holds no {model_name}." + (f" It holds: {names}" if names else " It is empty."))
        return 1
    session.ask(RestoreModel(session.next_id(), found.trash_id))
    console.result(f"{one_line(found.model_id)} is back in the library.")
    return 0


def explain(error: RequestFailed | EngineDied | Stopped | UnknownModel, console: Console) -> int:
    """Show why something was not done; return the exit code that says so."""
    match error:
        case RequestFailed():
            console.error(describe(error.report))
            return 2 if error.report.code == "InvalidRequest" else 1
        case UnknownModel():
            console.error(describe(error.report()))
        case EngineDied():
            console.error(describe_host_death(error.event, is_command=True))
        case Stopped():
            console.note("Stopped.")
            return INTERRUPTED
    return 1


def find_model(models: Sequence[ModelInfo], wanted: str) -> ModelInfo:
    """The model of this id or name, or the only one whose id begins like this; letters may be large or small."""
    key = wanted.casefold()
    exact = [m for m in models if m.model_id == wanted]
    named = [m for m in models if key in (m.model_id.casefold(), m.name.casefold())]
    begun = [m for m in models if key and m.model_id.casefold().startswith(key)]
    for found in (exact, named, begun if len(begun) == 1 else []):
        if found:
            return found[0]
    raise UnknownModel(wanted)


def similar_names(models: Sequence[ModelInfo], wanted: str) -> list[str]:
    return difflib.get_close_matches(wanted.casefold(), [m.model_id.casefold() for m in models], cutoff=0.6)


def default_model(models: Sequence[ModelInfo], last_model: str) -> ModelInfo | None:
    """The one used last, else the first that is no starter, ready ones and chat models before others.

    None that is on a drive which is not connected.
    """
    models = [model for model in models if not model.away_from]
    for model in models:
        if model.model_id == last_model:
            return model
    return min(models, key=lambda m: (m.note == "starter", not m.chat, m.state != "packed"), default=None)


def model_table(models: Sequence[ModelInfo]) -> list[str]:
    """The library as aligned lines with a heading."""
    if not models:
        return []
    rows = [("MODEL", "STATE", "FORMAT", "SIZE", "PARAMETERS", "CONTEXT", "LICENCE")]
    for m in models:
        state = "not connected" if m.away_from else "ready" if m.state == "packed" else "not packed yet"
        numbers = (format_bytes(m.size_bytes), _count(m.n_parameters), f"{m.context_tokens:,}")
        rows.append((one_line(m.model_id), state, m.weight_format or "-", *numbers, one_line(m.licence) or "-"))
    widths = [max(columns_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(c + " " * (w - columns_of(c)) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]


def download_table(downloads: Sequence[DownloadReport]) -> list[str]:
    """Downloads as aligned lines with a heading."""
    if not downloads:
        return []
    rows = [("DOWNLOAD", "STATE", "ARRIVED", "OF", "PROCESS")]
    for d in downloads:
        size = "-" if d.size_bytes is None or d.state == "packing" else format_bytes(d.size_bytes)
        arrived = "-" if d.state == "packing" else format_bytes(d.done_bytes)
        rows.append((_named(d), state_words(d), arrived, size, d.holder or "-"))
    widths = [max(columns_of(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(c + " " * (w - columns_of(c)) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]


def state_words(download: DownloadReport) -> str:
    """Where a download stands, in a word or two."""
    return _STATES.get(download.state, download.state)


_STATES = {
    "queued": "waiting",
    "resolving": "asking the hub",
    "downloading": "downloading",
    "paused": "paused",
    "stalled-retrying": "stalled, trying again",
    "verifying": "checking",
    "packing": "preparing",
    "ready": "ready",
    "failed": "failed",
}


def _count(n_parameters: int) -> str:
    if n_parameters <= 0:
        return "-"
    if n_parameters < 999.5e3:
        return f"{n_parameters / 1e3:.0f} k"
    return f"{n_parameters / 1e9:.1f} B" if n_parameters >= 999.5e6 else f"{n_parameters / 1e6:.0f} M"
