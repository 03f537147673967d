"""Cards, budgets and measured work in words: states with their remedy, what was given back, why an answer was slow.

Owns the sentences, and the written rules by which one reason for slowness is chosen from measured counters; where
nothing was measured there is no reason. Knows no Qt: `translate` is applied to a template before its numbers are filled
in, so that a translation may order them freely.
"""

from collections.abc import Callable
from dataclasses import dataclass

from app.device_figures import LoadShares, load_shares, predicted, read_rate, taken_by_others
from app.error_text import CARD_TEXTS, ErrorText, memory_words
from app.language import in_a_row, in_percent
from engine.placement_reports import BudgetPoint, CardFacts, DeviceReport, PlacementOffer, PlacementState, StepLoad

Translate = Callable[[str], str]

DEMONSTRATION = "Demonstration: the processor plays the card. Not a card's speed."

STATE_TEXTS: dict[str, ErrorText] = {
    **CARD_TEXTS,
    "usable": ErrorText("Ember can use this card.", ""),
    "emulated": ErrorText(DEMONSTRATION, "It shows how Ember would share work with a card."),
}
UNKNOWN_STATE = ErrorText("The card is in a state this version has no words for: {state}.", "Ember uses the processor.")

PURPOSE_NAMES = {
    "context and modules": "driver and kernels", "workspace": "working memory", "attention": "attention",
    "head": "output head", "predictors": "predictors", "KV cache": "memory of the conversation",
    "hot neurons": "hot neurons", "other programs": "other programs", "reserve": "kept free", "unused": "free",
}  # fmt: skip
BASELINE_NAMES = {
    "whole layers": "Whole layers on the card, as many as fit", "card only": "Everything on the card",
    "gpu only": "Everything on the card", "cpu only": "Everything on the processor",
}  # fmt: skip
BASIS_TEXTS = {
    "profile": "Predicted for exact answers from this model's activation profile and {speeds}.",
    "census": "Predicted for exact answers from this model's census and {speeds}. An activation profile (Neurons page) "
    "makes it sharper.",
    "even": "Predicted for exact answers from {speeds}, as if every neuron fired for every token: nothing is known of "
    "this model yet. An activation profile (Neurons page) makes it sharper.",
}
DENSE_BASIS = "Predicted from {speeds}. No neuron of this model can be silent: all are read for every token."
MEASURED_SPEEDS = "the speeds measured on this computer"
ASSUMED_SPEEDS = "the measured speed of this computer's processor and {whose}"
BY_PUBLISHED = "the published figures of the {card}, an assumption"

# Cards whose makers' figures the engine can reckon with where none is here: engine/placement/published_cards.py.
ASSUMABLE_CARDS = ("RTX 2080 Ti", "RTX 3060", "RTX 3090", "RTX 4060", "RTX 4070", "RTX 4090", "RTX 5090")

# A side that stood still for a smaller share of the time was not what made an answer slow.
WORTH_SAYING = 0.15
# Lists of rows are read at two thirds of a stream's rate (docs/benchmarks.md); half of that is not our own doing.
DISTURBED_RATE = 0.33
# Below this share of memory's rate it was not memory that was read.
DISK_RATE = 0.25
# More threads are worth a word where they read so much faster.
MORE_THREADS = 1.15


def unchanged(text: str) -> str:
    return text


def rate_words(bytes_per_s: float) -> str:
    giga = bytes_per_s / 1e9
    return f"{giga:.1f} GB/s" if giga < 99.95 else f"{giga:,.0f} GB/s"


def share_words(share: float) -> str:
    """A whole percent; what is there but small is not called nothing, what is not all is not called all."""
    percent = 100 * share
    if 0 < percent < 0.5:
        return in_percent("< 1")
    if 99.5 <= percent < 100:
        return in_percent("> 99")
    return in_percent(f"{percent:.0f}")


def speed_words(tokens_per_s: float, translate: Translate = unchanged) -> str:
    figure = f"{tokens_per_s:,.0f}" if tokens_per_s >= 99.95 else f"{tokens_per_s:.1f}"
    return translate("{speed} tokens/s").format(speed=figure)


def time_words(seconds: float) -> str:
    """Of something short: 4.0 µs, 18 ms, 0.4 s."""
    for limit, factor, unit in ((1e-3, 1e6, "µs"), (0.1, 1e3, "ms")):
        if seconds < limit:
            value = seconds * factor
            return f"{value:.1f} {unit}" if value < 10 else f"{value:.0f} {unit}"
    return f"{seconds:.1f} s"


def purpose_name(purpose: str, translate: Translate = unchanged) -> str:
    return translate(PURPOSE_NAMES.get(purpose, purpose))


def baseline_name(name: str, translate: Translate = unchanged) -> str:
    return translate(BASELINE_NAMES.get(name, name))


def basis_words(offer: PlacementOffer, translate: Translate = unchanged, *, is_sparse: bool = True) -> str:
    """What the speeds of an offer are predicted from; `is_sparse` as in ModelInfo."""
    text = BASIS_TEXTS.get(offer.basis, offer.basis) if is_sparse else DENSE_BASIS
    speeds = translate(MEASURED_SPEEDS)
    if offer.assumed:
        speeds = translate(ASSUMED_SPEEDS).format(whose=published_words(offer, translate))
    return translate(text).format(speeds=speeds)


def published_words(offer: PlacementOffer, translate: Translate = unchanged) -> str:
    """By what an offer of a card that is not here is predicted; empty for a card that is."""
    return translate(BY_PUBLISHED).format(card=offer.assumed) if offer.assumed else ""


# Cards ----------------------------------------------------------------------------------------------------------------


def state_words(report: DeviceReport, translate: Translate = unchanged) -> ErrorText:
    """Whether a card can be used, and what to do where not, with the driver's own words or versions."""
    text = STATE_TEXTS.get(report.state, UNKNOWN_STATE)
    chosen = chosen_card(report)
    detail = report.detail.rstrip(".")
    if report.state == "old_driver" and report.driver:
        detail = report.driver
    elif report.state == "too_old" and chosen is not None:
        detail = chosen.name
    values = {"detail": f" ({detail})" if detail else "", "state": report.state}
    return ErrorText(translate(text.cause).format(**values), translate(text.action).format(**values))


def refusal_words(refusal: ErrorText, translate: Translate = unchanged) -> ErrorText:
    """Of a card that takes no part in the model that was loaded, by the error that kept it from it."""
    return ErrorText(in_a_row(translate("The processor computes alone."), refusal.cause), refusal.action)


def chosen_card(report: DeviceReport) -> CardFacts | None:
    """The card that is used, or would be; None for a demonstration, which is none."""
    cards = real_cards(report)
    return next((card for card in cards if card.uuid == report.chosen_uuid), cards[0] if cards else None)


def real_cards(report: DeviceReport) -> tuple[CardFacts, ...]:
    return tuple(card for card in report.cards if not card.is_emulated)


def card_facts_words(card: CardFacts, translate: Translate = unchanged) -> str:
    """Memory, link and capability in one line."""
    parts = [
        translate("{total}, {free} free").format(
            total=memory_words(card.total_bytes), free=memory_words(card.free_bytes)
        )
    ]
    if card.link:
        parts.append(card.link)
    if card.capability != (0, 0):
        parts.append(translate("compute capability {major}.{minor}").format(
            major=card.capability[0], minor=card.capability[1]
        ))  # fmt: skip
    return " · ".join(parts)


def card_users_words(card: CardFacts, translate: Translate = unchanged) -> str:
    """Who has the card's memory, the largest first; the system does not tell of everybody how much."""
    users = [translate("Ember {size}").format(size=memory_words(card.ours_bytes))] if card.ours_bytes else []
    for process in sorted(card.processes, key=lambda each: -each.n_bytes):
        size = memory_words(process.n_bytes) if process.n_bytes else translate("size not told")
        users.append(f"{process.name} {size}" if process.n_bytes else f"{process.name} ({size})")
    if not users:
        return translate("No program is known to use it.")
    return translate("In use by: {users}").format(users=", ".join(users))


def step_down_words(
    after: PlacementState, before: PlacementState | None, translate: Translate = unchanged
) -> ErrorText:
    """What made Ember take less of the card by itself, with the numbers; what is not known is left out."""
    left = memory_words(after.budget_bytes)
    given_back = before.budget_bytes - after.budget_bytes if before and before.card_uuid == after.card_uuid else 0
    goes_on = (
        translate("Ember goes on with {left} of the card.").format(left=left)
        if after.budget_bytes
        else translate("Ember goes on with the processor alone.")
    )
    if after.stepped_down == "other_program":
        taken = taken_by_others(before, after) if before else 0
        if taken and given_back > 0:
            cause = translate("Another program took {taken}: Ember gave back {given}.").format(
                taken=memory_words(taken), given=memory_words(given_back)
            )
        elif given_back > 0:
            given = memory_words(given_back)
            cause = translate("Another program needs the card: Ember gave back {given}.").format(given=given)
        else:
            cause = translate("Another program needs the card's memory.")
        action = translate("Once it has ended, apply your budget again.")
    elif after.stepped_down == "out_of_memory":
        cause = translate("The card had no room for {wanted} more.").format(wanted=memory_words(after.wanted_bytes))
        if not after.wanted_bytes:
            cause = translate("The card had no room for this budget.")
        action = translate("Close programs that use the card, or stay with a smaller budget.")
    elif after.stepped_down == "device_lost":
        cause = translate("The card no longer answers.")
        action = translate("Nothing of the answer is lost. Restart the engine once the card is back.")
    elif after.stepped_down == "wrong_result":
        cause = translate("The card computed something else than the processor, so it is not used.")
        action = translate("Please report it with the name of the card and the version of its driver.")
    else:
        cause = translate("Ember took less of the card by itself ({reason}).").format(reason=after.stepped_down)
        action = ""
    return ErrorText(cause, in_a_row(goes_on, action))


# Budgets --------------------------------------------------------------------------------------------------------------


def point_words(point: BudgetPoint, n_layers: int, translate: Translate = unchanged, assumed: str = "") -> str:
    """A budget of an offer, a line for each figure; `assumed` is the card that is not here, if it is for one."""
    speed = speed_words(point.tokens_per_s, translate)
    text = "assumed, {card}: {speed}" if assumed else "predicted: {speed}"
    lines = [
        memory_words(point.budget_bytes),
        translate(text).format(speed=speed, card=assumed),
        translate("on the card: {share} of the neurons' work").format(share=share_words(point.hot_share)),
    ]
    if n_layers:
        lines.append(
            translate("attention on the card in {some} of {all} layers").format(
                some=point.attention_on_card, all=n_layers
            )
        )
    return "\n".join(lines)


def nothing_on_card_words(state: PlacementState, wanted_bytes: int | None, translate: Translate = unchanged) -> str:
    """Why nothing of a model is on the card; empty where something is. `wanted_bytes` None is what is recommended."""
    if any(n_bytes for _, n_bytes in state.allocated):
        return ""
    if state.stepped_down:
        return step_down_words(state, None, translate).cause
    if wanted_bytes == 0:
        return translate("Nothing is on the card: the budget is 0.")
    if wanted_bytes is None:
        return translate("Nothing is on the card: for this model, nothing there would be faster.")
    if state.budget_bytes == 0:
        return translate("Nothing is on the card: there was no room for anything.")
    text = translate("Nothing is on the card: for this model, nothing that fits in {budget} would be faster there.")
    return text.format(budget=memory_words(state.budget_bytes))


def assumed_words(offer: PlacementOffer, translate: Translate = unchanged, *, is_sparse: bool = True) -> str:
    """What a card that is not here would bring, named as the assumption it is."""
    now = predicted(offer.points, 0)
    then = predicted(offer.points, offer.recommended_bytes)
    text = (
        "{card} is not in this computer: its memory and rate are its maker's published figures, what is reached of "
        "them and what crossing costs are assumptions, and nothing of it was measured."
    )
    assumption = translate(text).format(card=offer.assumed)
    if not is_sparse:
        more = "No neuron of this model can be silent: all are read for every token."
        assumption = in_a_row(assumption, translate(more))
    elif offer.basis == "even":
        more = "Nothing is known of this model's neurons yet; this reckons as if every one fired for every token."
        assumption = in_a_row(assumption, translate(more))
    if now is None or then is None:
        return assumption
    if then.tokens_per_s <= now.tokens_per_s:
        result = translate("With this model the processor alone would be as fast: {now}, predicted.")
    else:
        result = translate(
            "Predicted with {budget} of it: {then} and {share} of the neurons' work on the card; with the processor "
            "alone: {now}."
        )
    values = {
        "budget": memory_words(offer.recommended_bytes), "then": speed_words(then.tokens_per_s, translate),
        "now": speed_words(now.tokens_per_s, translate), "share": share_words(then.hot_share),
    }  # fmt: skip
    return in_a_row(result.format(**values), assumption)


def main_memory_words(offer: PlacementOffer, translate: Translate = unchanged) -> str:
    """What the model needs of main memory; empty where that is not known."""
    if offer.memory_bytes <= 0:
        return ""
    values = {"needed": memory_words(offer.memory_bytes), "free": memory_words(offer.memory_free_bytes)}
    if offer.memory_bytes > offer.memory_free_bytes:
        text = (
            "Without a card this model needs {needed} of main memory and {free} is free: what does not fit is read "
            "from the disk, which is much slower."
        )
    else:
        text = "Without a card this model needs {needed} of main memory; {free} is free."
    return translate(text).format(**values)


def from_disk_words(needed_bytes: int, free_bytes: int, translate: Translate = unchanged) -> ErrorText:
    """Of a model that was loaded although it exceeds main memory."""
    cause = translate(
        "This model needs {needed} of main memory, and {free} is free: what does not fit is read from the disk as it "
        "is needed, which is much slower."
    )
    action = translate("Close other programs, or choose a smaller model or a smaller weight format.")
    return ErrorText(cause.format(needed=memory_words(needed_bytes), free=memory_words(free_bytes)), action)


# Why an answer was slow -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slowness:
    """One reason, by a code that tests hold, and in words."""

    code: str
    words: str


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known besides the counters; zeros and None where it is not.

    n_threads      that compute
    memory_bytes   of main memory that the loaded model needs
    most_bytes     of the card that Ember could have
    """

    report: DeviceReport | None = None
    placement: PlacementState | None = None
    n_threads: int = 0
    memory_bytes: int = 0
    most_bytes: int = 0


def slowness(load: StepLoad | None, known: Circumstances, translate: Translate = unchanged) -> Slowness | None:
    """The first of the rules below that the counters meet; None where nothing was measured.

    1. main memory is smaller than the model, and neurons were read at less than a quarter of its rate: the disk
    2. the card, or the processor, read at less than a third of its own rate: somebody else uses it
    3. neither side computed for the longest: crossing between them
    4. the processor was waited for: too few threads, or too small a budget, or too small a card
    5. the card was waited for
    6. only the processor computed: too few threads, or main memory
    7. both were at work
    """
    shares = load_shares(load)
    if load is None or shares is None:
        return None
    reason = (
        _disk(load, known, translate)
        or _disturbed_card(load, known, translate)
        or _disturbed_processor(load, known, translate)
    )
    if reason is not None:
        return reason
    if not load.hot_bytes and load.card_busy_s <= 0:
        return _processor_alone(known, translate)
    return _who_waited(shares, known, translate)


def _disk(load: StepLoad, known: Circumstances, translate: Translate) -> Slowness | None:
    rate, own = _cold_rate(load), _memory_rate(known)
    memory = known.report.memory_bytes if known.report else 0
    if not (0 < memory < known.memory_bytes and 0 < rate < DISK_RATE * own):
        return None
    text = (
        "The model needs {needed} of main memory and there are {memory}: neurons are read from the disk, at {rate} "
        "instead of {own}."
    )
    words = translate(text).format(
        needed=memory_words(known.memory_bytes), memory=memory_words(memory), rate=rate_words(rate), own=rate_words(own)
    )
    return Slowness("disk", words)


def _disturbed_card(load: StepLoad, known: Circumstances, translate: Translate) -> Slowness | None:
    """Held against the most that the card can have read: its neurons, attention, head and the whole cache."""
    speeds = known.report.speeds if known.report else None
    if known.placement is None or known.placement.is_emulated or speeds is None or load.card_busy_s <= 0:
        return None
    if speeds.card_bytes_per_s <= 0 or speeds.card_uuid != known.placement.card_uuid or not load.hot_bytes:
        return None
    account = dict(known.placement.account)
    every_token = sum(account.get(name, 0) for name in ("attention", "head", "predictors", "KV cache"))
    rate = (load.hot_bytes + every_token * load.n_tokens) / load.card_busy_s
    if rate >= DISTURBED_RATE * speeds.card_bytes_per_s:
        return None
    text = "The card read at most {rate}; alone it reads {own} here. Another program keeps it busy{who}."
    card = next((c for c in known.report.cards if c.uuid == known.placement.card_uuid), None) if known.report else None
    names = ", ".join(process.name for process in card.processes[:2]) if card else ""
    who = translate(" (on it: {names})").format(names=names) if names else ""
    words = translate(text).format(rate=rate_words(rate), own=rate_words(speeds.card_bytes_per_s), who=who)
    return Slowness("card_disturbed", words)


def _disturbed_processor(load: StepLoad, known: Circumstances, translate: Translate) -> Slowness | None:
    """Only where all the processor does is cold neurons: otherwise what it read besides is not counted."""
    placement = known.placement
    if placement is None or not (placement.head_on_card and placement.attention_on_card):
        return None
    if not all(placement.attention_on_card) or placement.is_emulated:
        return None
    rate, own = _cold_rate(load), _memory_rate(known)
    if not 0 < rate < DISTURBED_RATE * own:
        return None
    text = (
        "The processor read its neurons at {rate}; alone it reads {own} here. Other programs seem to use it or its "
        "memory."
    )
    return Slowness("processor_disturbed", translate(text).format(rate=rate_words(rate), own=rate_words(own)))


def _who_waited(shares: LoadShares, known: Circumstances, translate: Translate) -> Slowness:
    # The processor also waits while something crosses; that part is told as crossing.
    waited_for_card = max(0.0, shares.waited_for_card - shares.idle)
    longest = max(shares.idle, shares.waited_for_processor, waited_for_card)
    if longest < WORTH_SAYING:
        text = "Nobody waited for long: card and processor worked at the same time for {share} of the time."
        return Slowness("balanced", translate(text).format(share=share_words(shares.overlap)))
    if longest == shares.idle:
        text = "For {share} of the time neither side computed: launching work and carrying results across took it."
        return Slowness("crossing", translate(text).format(share=share_words(shares.idle)))
    if longest == waited_for_card:
        text = "For {share} of the time the processor waited for the card, which did {work} of the neurons' work."
        values = {"share": share_words(waited_for_card), "work": share_words(shares.card_work)}
        return Slowness("waited_for_card", translate(text).format(**values))
    text = "For {share} of the time the card waited for the processor, which did {work} of the neurons' work."
    waited = translate(text).format(
        share=share_words(shares.waited_for_processor), work=share_words(shares.processor_work)
    )
    more = _more_threads(known, translate)
    if more:
        return Slowness("too_few_threads", in_a_row(waited, more))
    if known.placement is None or not known.most_bytes:
        return Slowness("waited_for_processor", waited)
    if known.placement.budget_bytes < 0.95 * known.most_bytes:
        return Slowness("waited_for_processor", in_a_row(waited, translate("A larger budget takes work from it.")))
    more = translate("More of the card's memory is not to be had.")
    return Slowness("waited_for_processor", in_a_row(waited, more))


def _processor_alone(known: Circumstances, translate: Translate) -> Slowness:
    more = _more_threads(known, translate)
    start = translate("The processor computed everything.")
    if more:
        return Slowness("too_few_threads", in_a_row(start, more))
    if known.most_bytes and known.placement is not None:
        return Slowness("nothing_on_the_card", in_a_row(start, translate("A larger budget takes work from it.")))
    own = _memory_rate(known)
    if own:
        text = "What it reads for each token comes from main memory, at no more than {own} here."
        return Slowness("processor_alone", in_a_row(start, translate(text).format(own=rate_words(own))))
    return Slowness("processor_alone", start)


def _more_threads(known: Circumstances, translate: Translate) -> str:
    """What a measured count of threads within the machine's cores would bring; empty where little or nothing."""
    report = known.report
    if report is None or report.speeds is None or known.n_threads <= 0:
        return ""
    cores = report.usable_cores or report.physical_cores
    now = read_rate(report.speeds, known.n_threads)
    within = [rate for rate in report.speeds.cpu if known.n_threads < rate.n_threads <= cores]
    best = max(within, key=lambda rate: rate.bytes_per_s, default=None)
    if best is None or not now or best.bytes_per_s < MORE_THREADS * now:
        return ""
    text = "It computes with {now} of {cores} cores; {best} threads read memory {times} times as fast here."
    return translate(text).format(
        now=known.n_threads, cores=cores, best=best.n_threads, times=f"{best.bytes_per_s / now:.1f}"
    )


def _cold_rate(load: StepLoad) -> float:
    return load.cold_bytes / load.cpu_busy_s if load.cpu_busy_s > 0 else 0.0


def _memory_rate(known: Circumstances) -> float:
    return read_rate(known.report.speeds, known.n_threads) if known.report else 0.0
