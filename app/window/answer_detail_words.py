"""Everything that is known of an answer, as sections of rows: how it ended, its figures, who computed it, its settings.

Only what was measured or chosen is among it; a row for which nothing is known is left out.
"""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from app.chat.records import StoredMessage
from app.device_figures import load_shares
from app.device_words import share_words
from app.neuron_words import tier_name
from app.window.context_words import left_out_words
from app.window.wording import end_words, number, size
from engine.messages import GenerationStats, SamplingParams
from engine.neuron_reports import EXACT

Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    rows: tuple[Row, ...]


def sections_of(message: StoredMessage, preset: str = "") -> tuple[Section, ...]:
    """`preset` is the name of the preset it was made with, empty for none."""
    stats = message.stats
    found = [Section(_tr("Answer"), _answer(message, stats))]
    if stats is not None:
        found += [
            Section(_tr("Speed"), _speed(stats)),
            Section(_tr("Work"), _work(stats)),
            Section(_tr("Energy"), _energy(stats)),
        ]
    found.append(Section(_tr("Settings"), _settings(message.facts.sampling, preset, stats)))
    return tuple(section for section in found if section.rows)


def as_text(sections: tuple[Section, ...]) -> str:
    """For the clipboard."""
    blocks = ("\n".join((section.title, *(f"{name}: {value}" for name, value in section.rows))) for section in sections)
    return "\n\n".join(blocks)


def _answer(message: StoredMessage, stats: GenerationStats | None) -> tuple[Row, ...]:
    rows = [(_tr("Model"), message.model)] if message.model else []
    ended = end_words(message)
    if not ended and message.reason == "stop":
        ended = _tr("by itself")
        if stats is not None and stats.stopped_by:
            ended = _tr("at the stop string %1").replace("%1", repr(stats.stopped_by))
    if ended:
        rows.append((_tr("Ended"), ended))
    if stats is None:
        return tuple(rows)
    rows.append((_tr("Tokens of the answer"), number(stats.generated_tokens)))
    if stats.parts > 1:
        rows.append((_tr("Written in"), _tr("%1 parts, continued in between").replace("%1", number(stats.parts))))
    if not message.facts.is_whole:
        rows.append((_tr("Figures"), _tr("without a part that was interrupted, which was not measured")))
    rows.append((_tr("Tokens of the prompt"), number(stats.prompt_tokens)))
    if stats.reused_tokens:
        rows.append((_tr("of these still in memory"), number(stats.reused_tokens)))
    used = stats.prompt_tokens + stats.generated_tokens
    if stats.context_tokens:
        words = _tr("%1 of %2 tokens").replace("%1", number(used)).replace("%2", number(stats.context_tokens))
        rows.append((_tr("Context used"), words))
    if stats.left_out is not None:
        rows.append((_tr("Not read"), left_out_words(stats.left_out)))
    return tuple(rows)


def _speed(stats: GenerationStats) -> tuple[Row, ...]:
    rows: list[Row] = []
    if stats.decode_tokens_per_s > 0:
        rows.append((_tr("Writing"), _rate(stats.decode_tokens_per_s)))
    if stats.prompt_tokens_per_s > 0:
        rows.append((_tr("Reading the prompt"), _rate(stats.prompt_tokens_per_s)))
    if stats.first_token_s > 0:
        rows.append((_tr("First token after"), _seconds(stats.first_token_s)))
    if stats.decode_s > 0:
        rows.append((_tr("The rest took"), _seconds(stats.decode_s)))
    if stats.proposed_tokens:
        words = _tr("%1 of %2 held").replace("%1", number(stats.accepted_tokens))
        rows.append((_tr("Tokens guessed from the text"), words.replace("%2", number(stats.proposed_tokens))))
    return tuple(rows)


def _work(stats: GenerationStats) -> tuple[Row, ...]:
    rows: list[Row] = []
    if stats.active_share is not None:
        layers = _tr("%1 %, by layer %2 to %3 %").replace("%1", number(100 * stats.active_share, 1))
        layers = layers.replace("%2", number(100 * min(stats.active), 1)).replace(
            "%3", number(100 * max(stats.active), 1)
        )
        rows.append((_tr("Active neurons"), layers))
    if stats.step_bytes:
        rows.append((_tr("Read for a token"), size(stats.step_bytes)))
    if stats.dense_bytes and stats.dense_bytes != stats.step_bytes:
        share = share_words(stats.step_bytes / stats.dense_bytes)
        words = _tr("%1; %2 of it was read").replace("%1", size(stats.dense_bytes)).replace("%2", share)
        rows.append((_tr("With every neuron"), words))
    shares = load_shares(stats.load)
    if shares is not None:
        words = _tr("%1 graphics card, %2 processor").replace("%1", share_words(shares.card_work))
        rows.append((_tr("Neurons’ work"), words.replace("%2", share_words(shares.processor_work))))
    rows.append((_tr("Computed"), _tier(stats)))
    return tuple(rows)


def _tier(stats: GenerationStats) -> str:
    if stats.tier == EXACT:
        return _tr("exactly")
    if not stats.audited_tokens:
        return tier_name(stats.tier)
    words = _tr("%1; mean KL %2 nats at %3 checked tokens").replace("%1", tier_name(stats.tier))
    return words.replace("%2", number(stats.audit_kl, 4)).replace("%3", number(stats.audited_tokens))


def _energy(stats: GenerationStats) -> tuple[Row, ...]:
    """By counters of the whole machine."""
    rows: list[Row] = []
    for name, joules in (
        (_tr("Processor and its memory"), stats.processor_joules),
        (_tr("Graphics card"), stats.card_joules),
    ):
        if joules is not None:
            words = _tr("%1 J").replace("%1", number(joules, 1))
            if stats.generated_tokens:
                a_token = number(joules / stats.generated_tokens, 2)
                words = _tr("%1 J, %2 J a token").replace("%1", number(joules, 1)).replace("%2", a_token)
            rows.append((name, words))
    return tuple(rows)


def _settings(sampling: SamplingParams | None, preset: str, stats: GenerationStats | None) -> tuple[Row, ...]:
    rows: list[Row] = [(_tr("Preset"), preset)] if preset else []
    if stats is not None and stats.seed is not None:
        rows.append((_tr("Seed"), str(stats.seed)))
    if sampling is None:
        return tuple(rows)
    rows += [
        (_tr("Temperature"), number(sampling.temperature, 2)),
        (_tr("Top-p"), number(sampling.top_p, 2)),
        (_tr("Top-k"), number(sampling.top_k)),
        (_tr("Min-p"), number(sampling.min_p, 2)),
        (_tr("Repetition penalty"), number(sampling.repetition_penalty, 2)),
    ]
    if sampling.max_tokens is not None:
        rows.append((_tr("Longest answer"), _tr("%1 tokens").replace("%1", number(sampling.max_tokens))))
    if sampling.stop:
        rows.append((_tr("Stop strings"), ", ".join(repr(stop) for stop in sampling.stop)))
    return tuple(rows)


def _rate(tokens_per_s: float) -> str:
    return _tr("%1 tokens/s").replace("%1", number(tokens_per_s, 1 if tokens_per_s < 100 else 0))


def _seconds(seconds: float) -> str:
    return _tr("%1 s").replace("%1", number(seconds, 2))


def _tr(text: str) -> str:
    return QCoreApplication.translate("AnswerDetails", text)
