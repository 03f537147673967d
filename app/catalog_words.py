"""Models that are not here yet in words: what they are, whether they fit and why, what would be fetched.

Owns the sentences about the catalogue, the hub's repositories and fit verdicts; a figure of the catalogue always says
so, and one of the hub replaces it. Knows no Qt: `translate` is applied to a template before its numbers are filled in.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.engine_phrases import feed_forward_words
from app.error_text import format_bytes
from app.language import in_a_row
from engine.catalog_reports import CatalogEntry, FitReason, FitReport, HubModel, HubRepository

Translate = Callable[[str], str]

HUB_SAYS, CATALOGUE_SAYS = "from the hub, now", "from the catalogue; may have changed"

PURPOSES = {"chat": "chat", "base": "base"}
LANGUAGES = {"en": "English", "zh": "Chinese", "de": "German", "fr": "French", "es": "Spanish", "code": "code"}
VERDICTS = {
    "fits": "Fits this computer",
    "smaller_budget": "Fits, with a part of it on the card",
    "from_disk": "Runs from disk, slowly",
    "does_not_fit": "Does not fit this computer",
    "unsupported": "Ember cannot run this model",
    "unknown": "Cannot be judged before it is here",
}
SHORT_VERDICTS = {
    "fits": "fits",
    "smaller_budget": "fits in part",
    "from_disk": "from disk",
    "does_not_fit": "does not fit",
    "unsupported": "not supported",
    "unknown": "not judged",
}
# The colour of a verdict: a field of the theme's Colors.
VERDICT_INKS = {
    "fits": "good",
    "smaller_budget": "good",
    "from_disk": "accent",
    "does_not_fit": "danger",
    "unsupported": "danger",
    "unknown": "muted",
}
REASONS = {
    "disk": "The library's drive has {available} free; the download and the prepared model take {needed}. Free "
    "{missing} there, or have a folder of models on another drive.",
    "memory": "{needed} of memory are needed and {available} are free, so that weights are read from the drive as "
    "the answer goes on.",
    "cache": "What the model needs beside its weights, most of it for the conversation, takes {needed} of memory; "
    "{available} are free. A shorter context takes less.",
    "card": "All of it would take {needed} on the card, and {available} are free there. The processor does the rest.",
}
VERDICT_NOTES = {
    "fits": "Everything it needs is free now.",
    "unknown": "Its weights are in a form whose contents can only be read once they are here. The sizes are right.",
}
SPEED_BASES = {
    "catalogue": "Predicted from the speeds measured on this computer and the published share of silent neurons.",
    "bounds": "Predicted from the speeds measured on this computer. How many neurons stay silent is not published: the "
    "slow end is none of them, the fast end all.",
    "dense": "Predicted from the speeds measured on this computer. No neuron of this model can be skipped.",
}
NO_SPEED = "No speed can be predicted yet: measure this computer on the Device page."
NO_DISK_SPEED = "No speed is predicted for a model that is read from the drive."
LEFT_OUT = {
    "duplicate": "the same weights again",
    "other framework": "for another program",
    "not of the model": "not part of the model",
    "code": "program code, never run",
}
GATED = {
    "auto": "Its publisher asks everybody to accept terms first; access follows at once.",
    "manual": "Its publisher asks everybody to accept terms first and looks at each request; that can take days.",
}
GATE_STEPS = (
    "Open the page, sign in to the hub, and accept the terms there. Then enter an access token of that account: "
    "the hub's settings make one; reading is all it has to be allowed."
)


def unchanged(text: str) -> str:
    return text


def count_words(count: int) -> str:
    """Parameters as people write them: 1.4 B, 350 M; empty where not known."""
    if count <= 0:
        return ""
    if count < 999.5e3:
        return _short(count)
    if count < 999.5e6:
        return f"{count / 1e6:.0f} M"
    return f"{count / 1e9:.1f} B" if count < 99.95e9 else f"{count / 1e9:.0f} B"


def language_words(languages: tuple[str, ...], translate: Translate = unchanged) -> str:
    return translate(", ").join(translate(LANGUAGES.get(code, code)) for code in languages)


def entry_facts(entry: CatalogEntry, translate: Translate = unchanged) -> str:
    """What the catalogue knows of a model, in one line; what it does not know is left out."""
    parts = [count_words(entry.n_parameters), translate(PURPOSES.get(entry.purpose, entry.purpose))]
    parts.append(language_words(entry.languages, translate))
    if entry.size_bytes:
        parts.append(translate("about {size}").format(size=format_bytes(entry.size_bytes)))
    if entry.sparsity is not None:
        parts.append(translate("{share} % silent").format(share=f"{100 * entry.sparsity:.0f}"))
    return " · ".join(part for part in parts if part)


def hub_facts(model: HubModel, translate: Translate = unchanged) -> str:
    """What a search of the hub says of a model, in one line."""
    parts = [count_words(model.n_parameters), licence_words(model.licence, translate)]
    parts.append(translate("{count} downloads").format(count=_short(model.downloads)))
    if model.updated:
        parts.append(translate("updated {day}").format(day=model.updated))
    return " · ".join(part for part in parts if part)


def licence_words(licence: str, translate: Translate = unchanged) -> str:
    known = {"apache-2.0": "Apache-2.0", "mit": "MIT", "other": translate("a licence of its own")}
    return known.get(licence.lower(), licence) or translate("licence not stated")


def verdict_words(report: FitReport, translate: Translate = unchanged) -> str:
    return translate(VERDICTS.get(report.verdict, report.verdict))


def short_verdict(report: FitReport, translate: Translate = unchanged) -> str:
    return translate(SHORT_VERDICTS.get(report.verdict, report.verdict))


def reason_words(reason: FitReason, translate: Translate = unchanged) -> str:
    text = REASONS.get(reason.what, "{needed} are needed, {available} are free.")
    return translate(text).format(
        needed=format_bytes(reason.needed_bytes),
        available=format_bytes(reason.available_bytes),
        missing=format_bytes(max(0, reason.needed_bytes - reason.available_bytes)),
    )


def why_words(report: FitReport, translate: Translate = unchanged) -> str:
    """The reasons behind a verdict with their numbers, and what would help."""
    parts = [reason_words(reason, translate) for reason in report.reasons]
    if not parts and report.verdict in VERDICT_NOTES:
        parts.append(translate(VERDICT_NOTES[report.verdict]))
    is_short = any(reason.what in ("memory", "cache") for reason in report.reasons)
    if is_short and 0 < report.fitting_context < report.context_tokens:
        text = translate("With a context of {tokens} tokens it would be in memory as a whole.")
        parts.append(text.format(tokens=f"{report.fitting_context:,}"))
    return in_a_row(*parts)


def speed_words(report: FitReport, translate: Translate = unchanged) -> str:
    """The predicted speed as a range; empty where nothing can be said."""
    if report.fastest <= 0:
        return ""
    low, high = _speed(report.slowest), _speed(report.fastest)
    return translate("{speed} tokens/s").format(speed=low if low == high else f"{low}–{high}")


def speed_basis_words(report: FitReport, translate: Translate = unchanged) -> str:
    if report.fastest > 0:
        return translate(SPEED_BASES.get(report.speed_basis, ""))
    if report.basis != "headers" or report.verdict in ("unsupported", "does_not_fit"):
        return ""
    return translate(NO_DISK_SPEED if report.verdict == "from_disk" else NO_SPEED)


@dataclass(frozen=True, slots=True)
class FitFigure:
    """`is_catalogued`: the hub has not been asked yet."""

    name: str
    value: str
    note: str
    is_catalogued: bool = False


def figures(
    entry: CatalogEntry | None,
    repository: HubRepository | None,
    report: FitReport | None,
    translate: Translate = unchanged,
) -> tuple[FitFigure, ...]:
    """The numbers of a model's page: those of the hub and of its headers where they are known, else the catalogue's."""
    found: list[FitFigure] = []

    def add(name: str, value: str, note: str = "", *, is_catalogued: bool = False) -> None:
        if value:
            found.append(FitFigure(name, value, note, is_catalogued))

    if repository is not None:
        add(translate("to download"), format_bytes(repository.download_bytes))
    elif entry is not None and entry.size_bytes:
        add(translate("to download, about"), format_bytes(entry.size_bytes), is_catalogued=True)
    if report is not None and report.basis == "headers" and report.verdict != "unsupported":
        packed = translate("{size} once prepared").format(size=format_bytes(report.packed_bytes))
        add(translate("on the drive at most"), format_bytes(report.disk_bytes), packed)
        cache = translate("{size} of it for the conversation").format(size=format_bytes(report.cache_bytes))
        add(translate("of memory"), format_bytes(report.memory_bytes), cache)
        if report.card_bytes:
            add(translate("on the card, all of it"), format_bytes(report.card_bytes))
        add(translate("predicted"), speed_words(report, translate))
    if report is not None and report.n_parameters:
        add(translate("parameters"), count_words(report.n_parameters))
    elif repository is not None and repository.model.n_parameters:
        add(translate("parameters"), count_words(repository.model.n_parameters))
    elif entry is not None:
        add(translate("parameters, about"), count_words(entry.n_parameters), is_catalogued=True)
    return tuple(found)


def sparsity_words(entry: CatalogEntry | None, report: FitReport | None, translate: Translate = unchanged) -> str:
    """How many neurons stay silent, with where that is from."""
    if report is not None and report.basis == "headers" and not report.is_sparse and report.feed_forward:
        return translate("Neurons of this model ({kind}) are never silent: none can be skipped.").format(
            kind=feed_forward_words(report.feed_forward)
        )
    if entry is not None and entry.sparsity is not None:
        text = translate("{share} % of its neurons are silent for a token ({source}).")
        return text.format(share=f"{100 * entry.sparsity:.0f}", source=entry.sparsity_source or "–")
    if report is not None and report.is_sparse:
        return translate("Its neurons can be silent; how many are is not published.")
    return ""


def fetched_words(repository: HubRepository, translate: Translate = unchanged) -> str:
    """What of a repository would be fetched, and what not."""
    wanted = repository.wanted
    text = translate("1 file") if len(wanted) == 1 else translate("{count} files").format(count=len(wanted))
    parts = [translate("{files}, {size}").format(files=text, size=format_bytes(repository.download_bytes))]
    left = [file for file in repository.files if file.left_out]
    if left:
        one, several = "1 other ({size}) is left where it is", "{count} others ({size}) are left where they are"
        rest = translate(one if len(left) == 1 else several)
        parts.append(rest.format(count=len(left), size=format_bytes(sum(file.size_bytes for file in left))))
    return translate("; ").join(parts)


def left_out_words(reason: str, translate: Translate = unchanged) -> str:
    return translate(LEFT_OUT.get(reason, reason))


def gate_words(gated: str, translate: Translate = unchanged) -> str:
    return in_a_row(translate(GATED.get(gated, GATED["manual"])), translate(GATE_STEPS))


_FRONT_MATTER = re.compile(r"\A\s*---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HIDDEN = re.compile(r"<(style|script)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_BREAK = re.compile(r"<(?:br|/p|/div|/tr|/h[1-6]|/li)\s*/?>", re.IGNORECASE)
_INDENTED = re.compile(r"^[ \t]+(?=</?[a-zA-Z])", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_FENCED = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1[ \t]*$", re.DOTALL | re.MULTILINE)
_MANY_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def plain_card(text: str) -> str:
    """A model card's Markdown without the hub's table at its head and without HTML, whose text stays; code is kept."""
    text = _FRONT_MATTER.sub("", text.replace("\r\n", "\n"))
    parts: list[str] = []
    at = 0
    for fence in _FENCED.finditer(text):
        parts += [_without_html(text[at : fence.start()]), fence[0]]
        at = fence.end()
    parts.append(_without_html(text[at:]))
    return _MANY_LINES.sub("\n\n", "".join(parts)).strip()


def _without_html(text: str) -> str:
    text = _HIDDEN.sub("", _COMMENT.sub("", text))
    text = _INDENTED.sub("", text)  # what was indented to please the eye would become code
    return _TAG.sub("", _BREAK.sub("\n", text))


def _speed(tokens_per_s: float) -> str:
    return f"{tokens_per_s:,.0f}" if tokens_per_s >= 9.95 else f"{tokens_per_s:.1f}"


def _short(count: int) -> str:
    if count < 1000:
        return str(count)
    return f"{count / 1e3:.0f} k" if count < 999.5e3 else f"{count / 1e6:.1f} M"
