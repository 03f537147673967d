"""Engine facts in the words of the window: phases, sizes, speeds, ends of answers.

Owns the sentences several panes share. Knows no widget; numbers follow the user's locale.
"""

import re
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QLocale

from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED
from app.chat.records import StoredMessage
from app.error_text import ErrorText, describe
from app.neuron_words import drift_words, nats, tier_name
from engine.errors import ErrorReport
from engine.messages import GenerationStats, ModelInfo, Progress
from engine.neuron_reports import EXACT, TIER_LIMITS

_UNIT = re.compile(r"(?<=\d) (?=%|×|[kMGT]?B\b|min\b|[sh]\b|tokens/s\b)")
_STOP_CHARACTERS = 32
_LONG_WORD = re.compile(r"[^\s\-\u200b]{24}(?=[^\s\-])")


def translate(text: str) -> str:
    """The translation of a template of a module without Qt."""
    return QCoreApplication.translate("Words", text)


def error_words(report: ErrorReport) -> ErrorText:
    return describe(report, translate)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Wording", text)


def progress_words(progress: Progress | None) -> str:
    """What a request is busy with, and how far it is."""
    if progress is None:
        return _tr("Waiting for its turn…")
    if progress.phase == "compile":
        label = _tr("Preparing the compute kernels")
        if not progress.total:
            return label + "…"
        return (
            _tr("%1: %2 of %3")
            .replace("%1", label)
            .replace("%2", number(progress.done))
            .replace("%3", number(progress.total))
        )
    label = {
        "verify": _tr("Checking the file"),
        "pack": _tr("Preparing the model (once)"),
        "tune": _tr("Measuring this computer (once)"),
        "read": _tr("Reading the model into memory"),
        "prompt": _tr("Reading the conversation"),
        "headers": _tr("Reading what its weights are"),
        "weights": _tr("Making random weights"),
        "rates": _tr("Measuring how fast memory is read"),
        "checks": _tr("Comparing tokens with the reference"),
        "decode": _tr("Measuring decoding"),
        "prefill": _tr("Measuring the reading of prompts"),
        "rounds": _tr("Taking turns with other engines"),
        "observe": _tr("Watching neurons while text is read"),
        "train": _tr("Training predictors"),
        "evaluate": _tr("Measuring on text that was held out"),
        "choose": _tr("Choosing for every layer"),
        "compare": _tr("Answering twice"),
    }.get(progress.phase, progress.phase)
    share = percent(progress)
    if share is None:
        return label + "…"
    return _tr("%1: %2 %").replace("%1", label).replace("%2", number(share))


def percent(progress: Progress) -> int | None:
    """How much of a phase is done; None while nobody knows."""
    if progress.total <= 0:
        return None
    return max(0, min(100, 100 * progress.done // progress.total))


def number(value: float, digits: int = 0) -> str:
    locale = QLocale()
    return locale.toString(float(value), "f", digits) if digits else locale.toString(round(value))


def size(count: int) -> str:
    """Three digits at most: 812 MB, 1.4 GB."""
    digits = 0 if len(str(count)) % 3 == 0 else 1
    return QLocale().formattedDataSize(count, digits, QLocale.DataSizeFormat.DataSizeSIFormat)


def stats_words(stats: GenerationStats) -> str:
    """The measured figures of an answer, in one line; what was not measured is left out."""
    count = stats.generated_tokens
    parts = [_tr("1 token") if count == 1 else _tr("%1 tokens").replace("%1", number(count))]
    if stats.decode_tokens_per_s > 0:
        parts.append(_tr("%1 tokens/s").replace("%1", _speed(stats.decode_tokens_per_s)))
    if stats.prompt_tokens_per_s > 0:
        parts.append(_tr("prompt %1 tokens/s").replace("%1", _speed(stats.prompt_tokens_per_s)))
    parts.append(_tr("first token after %1 s").replace("%1", number(stats.first_token_s, 2)))
    if stats.active_share is not None:
        parts.append(_tr("%1 % of neurons active").replace("%1", number(100 * stats.active_share, 1)))
    if 0 < stats.step_bytes < stats.dense_bytes:  # a model that reads everything saves nothing to speak of
        words = _tr("%1 of %2 read for a token")
        parts.append(words.replace("%1", size(stats.step_bytes)).replace("%2", size(stats.dense_bytes)))
    n_bytes = stats.load.hot_bytes + stats.load.cold_bytes if stats.load is not None else 0
    if stats.load is not None and n_bytes:
        share = round(100 * stats.load.hot_bytes / n_bytes)
        words = _tr("neurons: card %1 %, processor %2 %")
        parts.append(words.replace("%1", number(share)).replace("%2", number(100 - share)))
    if stats.tier != EXACT:
        parts.append(_audit_words(stats))
    return " · ".join(parts)


def tier_words(tier: str) -> str:
    """What a tier promises."""
    if tier == EXACT:
        return _tr("Exact: nothing is lost")
    name = tier_name(tier)
    words = _tr("%1: less is read; the next word's probabilities move by %2 nats on the average, at most")
    return words.replace("%1", name[:1].upper() + name[1:]).replace("%2", f"{TIER_LIMITS.get(tier, 0.0):g}")


def _audit_words(stats: GenerationStats) -> str:
    if not stats.audited_tokens:
        return _tr("tier %1, too short to be checked").replace("%1", tier_name(stats.tier))
    words = _tr("tier %1, mean KL %2 at 1 token checked")
    if stats.audited_tokens > 1:
        words = _tr("tier %1, mean KL %2 at %3 tokens checked").replace("%3", number(stats.audited_tokens))
    return words.replace("%1", tier_name(stats.tier)).replace("%2", nats(stats.audit_kl))


def drifted_words(stats: GenerationStats) -> str:
    """Where a tier did not keep its promise, what was done about it; empty where it did."""
    return drift_words(tier_name(stats.tier), stats.tier_left_at) if stats.tier_left_at >= 0 else ""


def stats_details(stats: GenerationStats) -> str:
    """The same figures with all they are made of."""
    lines = [
        _tr("Answer: %1 tokens in %2 s after the first")
        .replace("%1", number(stats.generated_tokens))
        .replace("%2", number(stats.decode_s, 2)),
        _tr("Prompt: %1 tokens, %2 of them still in memory from before; the rest read in %3 s")
        .replace("%1", number(stats.prompt_tokens))
        .replace("%2", number(stats.reused_tokens))
        .replace("%3", number(stats.prefill_s, 2)),
        _tr("First token %1 s after sending").replace("%1", number(stats.first_token_s, 2)),
    ]
    if stats.active and stats.examined:
        share = [100 * sum(shares) / len(shares) for shares in (stats.examined, stats.active)]
        lines.append(
            _tr("Neurons: %1 % looked at past their first product, %2 % active; by layer %3 to %4 %")
            .replace("%1", number(share[0], 1))
            .replace("%2", number(share[1], 1))
            .replace("%3", number(100 * min(stats.active), 1))
            .replace("%4", number(100 * max(stats.active), 1))
        )
    if stats.tier != EXACT:
        lines.append(
            _tr("Tier: %1; %2 tokens were also computed exactly, and the next word's probabilities were %3 nats apart")
            .replace("%1", tier_name(stats.tier))
            .replace("%2", number(stats.audited_tokens))
            .replace("%3", nats(stats.audit_kl))
            if stats.audited_tokens
            else _tr("Tier: %1; the answer is too short for one of its tokens to have been checked").replace(
                "%1", tier_name(stats.tier)
            )
        )
    return "\n".join(lines)


def end_words(message: StoredMessage) -> str:
    """Why an answer is not a whole one; empty where it is."""
    if message.status == STOPPED:
        return _tr("stopped")
    if message.status == INTERRUPTED:
        return _tr("interrupted")
    if message.status == ERROR:
        return _tr("failed")
    if message.reason == "length":
        return _tr("ended at the length limit")
    if message.reason == "context":
        return _tr("ended because the context is full")
    return ""


def stop_words(message: StoredMessage) -> str:
    """Which of the stop strings that were asked for ended an answer; empty where none did."""
    stopped_by = message.stats.stopped_by if message.stats is not None else ""
    asked_for = message.facts.sampling.stop if message.facts.sampling is not None else ()
    if message.status != DONE or message.reason != "stop" or stopped_by not in asked_for:
        return ""
    shown = stopped_by.encode("unicode_escape").decode("ascii") if not stopped_by.isprintable() else stopped_by
    shown = shown if len(shown) <= _STOP_CHARACTERS else f"{shown[:_STOP_CHARACTERS]}…"
    return _tr("ended at the stop string “%1”").replace("%1", shown)


def format_words(model: ModelInfo, *, is_loading: bool = False) -> str:
    """How the weights are kept, in a word; a model that is not prepared yet is while it is loaded."""
    if model.weight_format:
        return model.weight_format
    return _tr("being prepared") if is_loading else _tr("not prepared yet")


def parameters_words(count: int) -> str:
    for limit, unit in ((1e9, _tr("billion parameters")), (1e6, _tr("million parameters"))):
        if count >= limit:
            value = count / limit
            return f"{number(value, 1 if value < 10 else 0)} {unit}"
    return _tr("%1 parameters").replace("%1", number(count))


def licence_words(licence: str) -> str:
    """A licence by the name people know."""
    known = {"apache-2.0": "Apache-2.0", "mit": "MIT"}
    return known.get(licence.lower(), licence) or _tr("licence not stated")


def _speed(value: float) -> str:
    return number(value, 1 if value < 100 else 0)


def moment_words(moment: datetime) -> str:
    """A day and time that is read the same way everywhere."""
    return moment.strftime("%Y-%m-%d %H:%M")


def created_words(created: str) -> str:
    """The day and time of a report, which it keeps in ISO 8601, on this computer's clock."""
    try:
        return moment_words(datetime.fromisoformat(created).astimezone())
    except ValueError:
        return created


def tied(text: str) -> str:
    """The same, with numbers and their units on one line."""
    return _UNIT.sub("\u00a0", text)


def lined(text: str) -> str:
    """The same for parts between dots, of which none begins a line."""
    return tied(text).replace(" · ", "\u00a0· ").replace("B/s", "B\u2060/\u2060s")


def breakable(text: str) -> str:
    """The same to look at, but no word is so long that a label could not be made narrow."""
    return _LONG_WORD.sub("\\g<0>\u200b", text)
