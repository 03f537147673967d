"""Names and numbers of studies of neurons, in words.

Owns how a share, a divergence or an activation is written, what studies, predictors and kinds of text are called,
and the sentences that refuse one. Knows neither Qt nor the terminal, and no report as a whole.
"""

from collections.abc import Sequence
from datetime import datetime

from app.benchmark_text import listed, rate
from app.engine_phrases import feed_forward_words
from app.error_text import ErrorText, format_bytes
from app.language import in_percent, tr
from engine.messages import ModelInfo
from engine.neuron_reports import EXACT, TIER_LIMITS, RefusedTier, TierChoice

STUDY_NAMES = {
    "census": "Census", "profile": "Activation profile", "predictors": "Predictors", "oracle": "Two-pass ceiling",
    "tiers": "Tiers",
}  # fmt: skip
STUDY_MEANINGS = {
    "census": "what the neurons do: how many are silent, and how few carry the activity",
    "profile": "which neurons matter for which kind of text",
    "predictors": "whether active neurons can be named before they are computed",
    "oracle": "how few neurons and heads suffice for the same predictions: the ceiling of every predictor",
    "tiers": "how much may be left out at a stated loss, and what it brings",
}
KIND_NAMES = {"prose": "prose", "chinese": "Chinese", "code": "code", "dialogue": "dialogue", "own": "your own text",
              "chats": "your chats"}  # fmt: skip
READS = {"normed": "same layer", "stream": "same layer, before its norm", "entering": "before attention"}
PREDICTOR_NAMES = {"sign": "signs", "linear": "linear", "relu": "with ReLU"}
TIER_NAMES = {"exact": "exact", "fine": "fine", "fast": "fast"}
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
KL_MEANING = (
    "The KL divergence (in nats) says how far the probabilities of the next word move. At a mean of 0.01 the words the "
    "exact model would write become, on the average, 1 % less likely; at 0.03, 3 %."
)


def refused_words(refused: RefusedTier) -> str:
    """Why a tier is not offered."""
    name = tier_name(refused.name)
    if refused.reason == "above_limit":
        text = tr("The tier {tier} is not offered: its mean KL may be as high as {kl}, and {limit} is its limit.")
        return text.format(tier=name, kl=nats(refused.kl_upper), limit=f"{TIER_LIMITS.get(refused.name, 0.0):g}")
    if refused.reason == "no_gain":
        text = tr("The tier {tier} is not offered: nothing worth leaving out was found within its limit.")
        return text.format(tier=name)
    return tr("The tier {tier} is not offered ({reason}).").format(tier=name, reason=refused.reason)


def tier_name(tier: str) -> str:
    """A tier by the name people read."""
    return tr(TIER_NAMES.get(tier, tier))


def tier_missing(tier: str, offered: Sequence[str], model: ModelInfo) -> ErrorText:
    """A tier was asked for that the loaded model does not have."""
    there = tr("only exact") if tuple(offered) == (EXACT,) else listed(offered)
    known = (EXACT, *TIER_LIMITS)
    cause = tr("{model} has no tier “{tier}”: there is {there}.")
    cause = cause.format(model=model.model_id, tier=tier, there=there)
    if tier not in known:
        action = tr("Choose {offered}. Tiers are called {known}.")
        return ErrorText(cause, action.format(offered=either(offered), known=listed(known)))
    return ErrorText(cause, how_to_get_tiers(model))


def how_to_get_tiers(model: ModelInfo) -> str:
    """What to do about a tier that is missing; some models can have none."""
    if not model.is_sparse:
        return not_sparse(model.model_id, model.feed_forward, "tiers").cause
    text = tr(
        "Measure what this model can leave out, and offer it: ember calibrate {model}. Where that was done, ember "
        "neurons {model} tiers says why a tier is not offered."
    )
    return text.format(model=model.model_id)


def not_sparse(model_id: str, feed_forward: str, study: str) -> ErrorText:
    """A study that needs neurons which can be silent was asked of a model that has none."""
    causes = {
        "predictors": tr("No neuron of {model} is ever exactly silent ({kind}), so there is nothing to predict."),
        "tiers": tr("No neuron of {model} is ever exactly silent ({kind}), so there is nothing to leave out."),
    }
    cause = causes.get(study) or tr(
        "No neuron of {model} is ever exactly silent ({kind}), so this study has no subject."
    )
    action = tr(
        "A census says how few neurons carry the activity, and what silencing small activations would cost: ember "
        "profile {model} --census"
    )
    kind = feed_forward_words(feed_forward) or tr("no ReLU")
    return ErrorText(cause.format(model=model_id, kind=kind), action.format(model=model_id))


def drift_words(tier: str, left_at: int) -> str:
    """An answer that a tier began went on exactly."""
    text = tr(
        "From token {number} on this answer was computed exactly: the tier {tier} had drifted from what was promised "
        "for it."
    )
    return text.format(number=f"{left_at + 1:,}", tier=tier)


def predictor_name(kind: str, reads: str, rank: int) -> str:
    """signs; linear, rank 64; linear, rank 64, before attention."""
    words = [tr(PREDICTOR_NAMES.get(kind, kind))]
    if rank:
        words.append(tr("rank {rank}").format(rank=f"{rank:,}"))
    if reads != "normed":
        words.append(reads_name(reads))
    return tr(", ").join(words)


def reads_name(reads: str) -> str:
    """What a predictor reads."""
    return tr(READS.get(reads, reads))


def choice_name(choice: TierChoice) -> str:
    """The predictor of a layer of a tier."""
    return predictor_name(choice.predictor, choice.reads, choice.rank) if choice.predictor else tr("none")


def kind_name(kind: str) -> str:
    """A kind of text as people call it."""
    return tr(KIND_NAMES.get(kind, kind))


def study_name(study: str) -> str:
    return tr(STUDY_NAMES[study])


def study_meaning(study: str) -> str:
    """What a study asks."""
    return tr(STUDY_MEANINGS[study])


def share(value: float) -> str:
    """A share in percent: two digits, and one more where it is nearly nothing or nearly all."""
    hundredths = 100 * value
    if hundredths == 0:
        return in_percent("0")
    if 0 < hundredths < 0.05:
        return in_percent("<0.1")
    if 99.95 <= hundredths < 100:
        return in_percent(">99.9")
    has_digit = abs(hundredths) < 9.95 or 99 <= hundredths < 100
    return in_percent(f"{hundredths:.1f}" if has_digit else f"{hundredths:.0f}")


def percent(chosen: float) -> str:
    """A share that was chosen and not measured."""
    return in_percent(f"{100 * chosen:g}")


def nats(value: float) -> str:
    """A divergence with three digits that count."""
    if value == 0:
        return "0"
    if value < 0.00005:
        return "<0.0001"
    return f"{value:.4f}" if value < 0.00995 else f"{value:.3f}" if value < 0.995 else f"{value:.2f}"


def magnitude(value: float) -> str:
    """An activation or a threshold."""
    return f"{value:.3g}"


def megabytes(count: float) -> str:
    """Millions of bytes with three digits that count, without the unit."""
    return rate(count / 1e6)


def signed_bytes(count: float) -> str:
    """Bytes saved; below 0 where it costs more than it saves."""
    return f"−{format_bytes(round(-count))}" if count < 0 else format_bytes(round(count))


def day_and_time(created: str) -> str:
    """When a report was made, which it keeps in ISO 8601, on this computer's clock: 30 Nov 2026, 20:07."""
    try:
        moment = datetime.fromisoformat(created).astimezone()
    except (ValueError, OverflowError, OSError):  # a report of strangers may hold any text, and any year
        return created
    return tr("{day} {month} {year}, {time}").format(
        day=moment.day, month=tr(MONTHS[moment.month - 1]), year=moment.year, time=f"{moment:%H:%M}"
    )


def duration(seconds: float) -> str:
    """48 s; 12 min; 2 h 5 min."""
    if seconds < 99.5:
        return tr("{count} s").format(count=f"{seconds:.0f}")
    minutes = round(seconds / 60)
    if minutes < 100:
        return tr("{count} min").format(count=minutes)
    return tr("{hours} h {minutes} min").format(hours=minutes // 60, minutes=minutes % 60)


def either(words: Sequence[str]) -> str:
    """a; a or b; a, b or c."""
    *front, last = words
    return tr("{first} or {last}").format(first=tr(", ").join(front), last=last) if front else last
