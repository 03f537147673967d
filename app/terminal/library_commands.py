"""`ember list`, `ember import` and `ember rm`, and how a model is chosen and described."""

import difflib
from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from app.error_text import describe, describe_host_death, format_bytes
from app.paths import full_path
from app.terminal.console import Console, one_line
from app.terminal.session import EngineDied, RequestFailed, Session, Stopped
from engine.errors import UnknownModel
from engine.messages import ModelInfo

STARTER_NOTE = (
    "{name} is the small starter model that comes with Ember: English only, weak at reasoning and arithmetic, "
    "licence {licence}. It shows how Ember works; for real use import a larger model with `ember import FILE.gguf`."
)
INTERRUPTED = 130  # what shells report for Ctrl+C


def run_list(session: Session, console: Console) -> int:
    """Print the library as a table."""
    models = session.models()
    if not models:
        console.note("The library is empty. Add a model with: ember import FILE.gguf")
    for line in model_table(models):
        console.result(line)
    return 0


def run_import(session: Session, console: Console, source: str, weight_format: str) -> int:
    """Pack a GGUF file into the library."""
    model = session.import_model(str(full_path(source)), weight_format)
    console.result(f"Imported {model.name} ({model.weight_format}, {format_bytes(model.size_bytes)}).")
    console.note(f"Chat with it: ember chat {model.model_id}")
    return 0


def run_remove(session: Session, console: Console, model_name: str) -> int:
    """Delete a packed model."""
    model = find_model(session.models(), model_name)
    if model.state != "packed":
        console.error(f"{model.model_id} is not packed; there is nothing to delete.")
        return 1
    removed = session.remove(model.model_id)
    console.result(f"Removed {removed.model_id}, {format_bytes(removed.freed_bytes)} freed.")
    return 0


def explain(error: RequestFailed | EngineDied | Stopped | UnknownModel, console: Console) -> int:
    """Show why something was not done; return the exit code that says so."""
    match error:
        case RequestFailed():
            console.error(describe(error.report))
        case UnknownModel():
            console.error(describe(error.report()))
        case EngineDied():
            console.error(describe_host_death(error.event))
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
    """The one used last, else the first that is no starter, ready ones and chat models before others."""
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
        state = "ready" if m.state == "packed" else "not packed yet"
        numbers = (format_bytes(m.size_bytes), _count(m.n_parameters), f"{m.context_tokens:,}")
        rows.append((one_line(m.model_id), state, m.weight_format or "-", *numbers, one_line(m.licence) or "-"))
    widths = [max(get_cwidth(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(c + " " * (w - get_cwidth(c)) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]


def _count(n_parameters: int) -> str:
    if n_parameters <= 0:
        return "-"
    if n_parameters < 999.5e3:
        return f"{n_parameters / 1e3:.0f} k"
    return f"{n_parameters / 1e9:.1f} B" if n_parameters >= 999.5e6 else f"{n_parameters / 1e6:.0f} M"
