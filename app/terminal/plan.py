"""`ember plan`: what each budget of a card's memory would buy for a model, and what one budget is spent on.

Nothing is loaded. Every speed is predicted from what was measured on this machine, or, for a card that is not here,
from what its maker publishes; the text says which.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from app.benchmark_text import Table
from app.device_words import (
    DEMONSTRATION,
    baseline_name,
    basis_words,
    card_facts_words,
    card_users_words,
    chosen_card,
    main_memory_words,
    published_words,
    purpose_name,
    rate_words,
    share_words,
    speed_words,
    state_words,
)
from app.error_text import memory_words
from app.terminal.console import Console
from app.terminal.library_commands import find_model
from app.terminal.session import Session
from app.terminal.text_table import fact_lines, table_lines
from engine.messages import ModelInfo
from engine.placement_reports import BudgetPoint, DeviceReport, PlacementOffer

# Rows of the table of budgets, those that stand for themselves beside.
_SHOWN_BUDGETS = 12


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What was asked for on the command line; `model` is empty for the first of the library, the starter."""

    model: str
    context_tokens: int | None
    vram_bytes: int | None
    card: str
    assumed_card: str
    as_json: bool


def run_plan(session: Session, console: Console, options: PlanOptions) -> int:
    """Print the plan; returns the exit code."""
    models = session.models()
    if not models:
        console.error("The library is empty. Add a model with: ember import FILE.gguf")
        return 1
    model = find_model(models, options.model) if options.model else models[0]
    offer = session.offer_placement(
        model.model_id, options.context_tokens, options.card, options.vram_bytes, options.assumed_card
    )
    report = session.devices(measure=False)
    if options.as_json:
        values = {"devices": asdict(report), "offer": asdict(offer)}
        console.result_lines(json.dumps(values, indent=2, ensure_ascii=False))
    else:
        console.result_lines(plan_text(model, report, offer, console.columns, options.context_tokens))
    return 0


def plan_text(
    model: ModelInfo, report: DeviceReport, offer: PlacementOffer, columns: int | None = None,
    wanted_context: int | None = None,
) -> str:  # fmt: skip
    """Facts, then the tables that there are."""
    parts = [fact_lines(plan_facts(model, report, offer, wanted_context), columns)]
    if len(offer.points) > 1:
        parts.append(table_lines(budget_table(offer), columns))
        parts.append(table_lines(comparison_table(offer), columns))
        parts.append(table_lines(account_table(offer), columns))
    return "\n\n".join(parts)


def plan_facts(
    model: ModelInfo, report: DeviceReport, offer: PlacementOffer, wanted_context: int | None = None
) -> list[tuple[str, str]]:
    """Names and values that stand above the tables; `wanted_context` are the tokens that were asked for."""
    facts = [("Model", f"{model.name}, context of {offer.context_tokens:,} tokens")]
    if wanted_context is not None and wanted_context > offer.context_tokens:
        facts.append(("", f"A context of {wanted_context:,} was asked for; this is the most that the model can read."))
    facts += [
        ("Machine", machine_words(report)),
        *_card_facts(report, offer),
        ("Main memory", main_memory_words(offer)),
    ]
    alone = offer.points[0]
    facts.append(("Without a card", f"{speed_words(alone.tokens_per_s)}, predicted"))
    if offer.chosen is not None and len(offer.points) > 1:
        facts.append(("This budget", chosen_words(offer.chosen)))
    facts.append(("Basis", basis_words(offer, is_sparse=model.is_sparse)))
    if offer.assumed:
        facts.append(
            ("Assumed", f"The {offer.assumed} is not in this machine. Its memory and rate are its maker's published "
             "figures, what is reached of them and what crossing costs are assumptions; nothing of it was measured.")
        )  # fmt: skip
    return facts


def machine_words(report: DeviceReport) -> str:
    """The processor, its cores, and what they read from main memory."""
    cores = f"{report.usable_cores} of {report.logical_cores} hardware threads usable"
    words = f"{report.processor}, {cores}, {memory_words(report.memory_bytes)}"
    if report.speeds is None or not report.speeds.cpu:
        return words
    best = max(report.speeds.cpu, key=lambda rate: rate.bytes_per_s)
    threads = "1 thread reads" if best.n_threads == 1 else f"{best.n_threads} threads read"
    return f"{words}; {threads} {rate_words(best.bytes_per_s)}"


def chosen_words(point: BudgetPoint) -> str:
    """The budget that was asked for, or the recommended one."""
    if not point.budget_bytes or not point.hot_share + point.attention_on_card:
        return f"{memory_words(point.budget_bytes)}: the processor alone is as fast, {speed_words(point.tokens_per_s)}"
    return (
        f"{memory_words(point.budget_bytes)}: {speed_words(point.tokens_per_s)}, predicted; "
        f"{share_words(point.hot_share)} of the neurons' work on the card"
    )


def budget_table(offer: PlacementOffer) -> Table:
    """A row for some budgets, for the chosen and the recommended one, and for all that is free."""
    named = {offer.recommended_bytes: "recommended", offer.most_bytes: "all that is free"}
    if offer.recommended_bytes == offer.most_bytes:
        named = {offer.most_bytes: "recommended: all that is free"}
    points = {point.budget_bytes: point for point in _thinned(offer.points)}
    points |= {point.budget_bytes: point for point in offer.points if point.budget_bytes in named}
    if offer.chosen is not None:
        points[offer.chosen.budget_bytes] = offer.chosen
        if offer.chosen.budget_bytes not in named:
            named[offer.chosen.budget_bytes] = "asked for"
    rows = tuple(
        (
            memory_words(point.budget_bytes), speed_words(point.tokens_per_s), share_words(point.hot_share),
            str(point.attention_on_card), str(point.n_split), named.get(point.budget_bytes, ""),
        )
        for _, point in sorted(points.items())
    )  # fmt: skip
    title = f"What each budget of the card's memory buys, predicted{_by(offer)}"
    heading = ("budget", "speed", "neuron work on card", "layers' attention on card", "layers split", "")
    return Table(title, heading, rows, frozenset(range(5)))


def comparison_table(offer: PlacementOffer) -> Table:
    """The other ways to use the budget asked for, or else all that is free, from the same planner."""
    budget, ours = offer.asked_bytes, offer.chosen
    if budget is None:
        budget = offer.most_bytes
        ours = next((p for p in offer.points if p.budget_bytes == offer.recommended_bytes), offer.chosen)
    rows = [("Ember's plan", speed_words(ours.tokens_per_s))] if ours is not None else []
    rows += [(baseline_name(name), speed_words(speed)) for name, speed in offer.baselines]
    title = f"Within {memory_words(budget)}, predicted by the same planner{_by(offer)}"
    return Table(title, ("plan", "speed"), tuple(rows), frozenset({1}))


def account_table(offer: PlacementOffer) -> Table:
    """The chosen budget by purpose; every byte of the card once, so that the sum is the card."""
    rows = [(purpose_name(name), f"{n_bytes:,}") for name, n_bytes in offer.account if n_bytes]
    rows.append(("all of the card", f"{sum(n_bytes for _, n_bytes in offer.account):,}"))
    return Table("The card's memory, bytes", ("for", "bytes"), tuple(rows), frozenset({1}))


def _by(offer: PlacementOffer) -> str:
    """What a title says of figures that are no card's of this machine."""
    return f", by {published_words(offer)}" if offer.assumed else ""


def _card_facts(report: DeviceReport, offer: PlacementOffer) -> list[tuple[str, str]]:
    if offer.assumed and offer.card_uuid != "emulated":
        return []
    if report.state == "emulated" or offer.card_uuid == "emulated":
        return [("Card", DEMONSTRATION)]
    card = chosen_card(report)
    facts = [("Card", f"{card.name}: {card_facts_words(card)}. {card_users_words(card)}")] if card is not None else []
    if report.state != "usable":
        words = state_words(report)
        facts.append(("" if facts else "Card", f"{words.cause} {words.action}".rstrip()))
        facts.append(("", "What a card would bring: ember plan --assume-card NAME, by its published figures."))
    return facts


def _thinned(points: Sequence[BudgetPoint]) -> list[BudgetPoint]:
    """About _SHOWN_BUDGETS of them, the first and the last among them."""
    step = max(1, round((len(points) - 1) / (_SHOWN_BUDGETS - 1)))
    return [*points[:-1:step], points[-1]]
