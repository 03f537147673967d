"""What became of a damaged file, and why a file cannot be imported, in words a person can act on.

As in app/error_text.py, `translate` is applied before numbers and names are filled in.
"""

from app.chat.checked_json import ImportRefused
from app.chat.imports import ImportReport
from app.chat.salvage import SalvageReport
from app.error_text import ErrorText
from app.language import Translate, in_a_row, unchanged

SALVAGED = ErrorText(
    "The file with your conversations was damaged ({reason}). {n_messages} messages in {n_conversations} conversations"
    " could be read and are here.",
    "The damaged file is kept as it was: {damaged_path}. Copies that were made before updates lie beside it.",
)
SALVAGED_NOTHING = ErrorText(
    "The file with your conversations was damaged ({reason}), and nothing in it could be read.",
    "The damaged file is kept as it was: {damaged_path}. Copies that were made before updates lie beside it.",
)

REFUSALS: dict[str, str] = {
    "unreadable": "“{path}” cannot be read: {found}.",
    "too_large": "“{path}” is too large to be imported: {found}.",
    "not_text": "“{path}” is no text in UTF-8: {place} ({found}).",
    "not_json": "“{path}” is no valid JSON: {place} ({found}).",
    "too_deep": "“{path}” cannot be imported: it is nested too deeply {place}.",
    "unknown_format": "“{path}” is no export that Ember knows ({found}).",
    "newer": "“{path}” was exported by a later version ({found}).",
    "wrong_type": "“{path}” cannot be imported: {place} is {found}.",
    "missing": "“{path}” cannot be imported: {place} is missing ({found}).",
    "too_long": "“{path}” cannot be imported: {place} is too long ({found} characters).",
    "too_many": "“{path}” cannot be imported: {place} has too many members ({found}).",
    "cycle": "“{path}” cannot be imported: the messages of {place} run in a circle ({found}).",
    "no_parent": "“{path}” cannot be imported: {place} answers a message that is not there ({found}).",
    "duplicate": "“{path}” cannot be imported: {place} is there twice ({found}).",
    "out_of_range": "“{path}” cannot be imported: {place} has the value {found}.",
}
NOTHING_IMPORTED = "Nothing was imported. Export it again, or choose an export of Ember, ChatGPT, Open WebUI or Jan."

IMPORTED = "{n_conversations} conversations with {n_messages} messages were imported from {source}."
PRESENT = "{n_present} were there already."
LEFT_OUT = "{n_left_out} pictures, files and calls of tools were left out."


def describe_salvage(report: SalvageReport, translate: Translate = unchanged) -> ErrorText:
    text = SALVAGED if report.n_conversations else SALVAGED_NOTHING
    values = {
        "reason": report.reason.splitlines()[0][:200].rstrip(".") if report.reason else "",
        "n_messages": f"{report.n_messages:,}",
        "n_conversations": f"{report.n_conversations:,}",
        "damaged_path": report.damaged_path,
    }
    return ErrorText(translate(text.cause).format_map(values), translate(text.action).format_map(values))


def describe_refusal(refused: ImportRefused, translate: Translate = unchanged) -> ErrorText:
    values = {"path": refused.path, "place": refused.place or "[]", "found": refused.found.rstrip(".")}
    return ErrorText(translate(REFUSALS[refused.kind]).format_map(values), translate(NOTHING_IMPORTED))


def describe_import(report: ImportReport, translate: Translate = unchanged) -> str:
    values = {
        "n_conversations": f"{report.n_conversations:,}",
        "n_messages": f"{report.n_messages:,}",
        "n_present": f"{report.n_present:,}",
        "n_left_out": f"{report.n_left_out:,}",
        "source": report.source,
    }
    templates = [IMPORTED]
    templates += [PRESENT] if report.n_present else []
    templates += [LEFT_OUT] if report.n_left_out else []
    return in_a_row(*(translate(template).format_map(values) for template in templates))
