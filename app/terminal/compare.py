"""`ember compare`: one prompt answered exactly and by a tier, with the same seed, and where the answers part."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from app.benchmark_text import rate
from app.error_text import ErrorText
from app.neuron_words import how_to_get_tiers, tier_missing
from app.paths import full_path
from app.terminal.columns import side_by_side, wrapped
from app.terminal.console import Console
from app.terminal.library_commands import find_model
from app.terminal.session import Session
from engine.messages import ChatMessage, SamplingParams
from engine.neuron_reports import EXACT, Comparison

MARK = "▸"
# Of a comparison where nothing else is asked for: a fixed seed, and no more than can be looked at.
COMPARED: dict[str, Any] = {"seed": 0, "max_tokens": 256}
# Below so many columns the answers stand one after the other.
_LEAST_BESIDE = 72


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """What was asked for on the command line; `json_path` is empty where no file is wanted."""

    model: str
    prompt: str
    tier: str
    sampling: SamplingParams
    system: str = ""
    json_path: str = ""


def run_compare(session: Session, console: Console, options: CompareOptions) -> int:
    """Answer twice and show both; the exit code says only whether that could be done."""
    model = find_model(session.models(), options.model)
    ready = session.load(model.model_id, None)
    if options.tier == EXACT:
        others = [tier for tier in ready.tiers if tier != EXACT]
        there = f"Choose one of: {', '.join(others)}." if others else how_to_get_tiers(ready.model)
        console.error(ErrorText("“exact” is what a tier is compared with.", there))
        return 1
    if options.tier not in ready.tiers:
        console.error(tier_missing(options.tier, ready.tiers, ready.model))
        return 1
    opening = [ChatMessage("system", options.system)] if options.system else []
    comparison = session.compare([*opening, ChatMessage("user", options.prompt)], options.sampling, options.tier)
    console.result_lines(comparison_text(comparison, console.columns))
    if options.json_path:
        text = json.dumps(asdict(comparison), indent=2, ensure_ascii=False) + "\n"
        full_path(options.json_path).write_text(text, encoding="utf-8")
        console.note(f"Written: {full_path(options.json_path)}")
    return 0


def comparison_text(comparison: Comparison, columns: int | None) -> str:
    """Both answers, side by side where there is room, the first token that differs marked; then what that says."""
    exact, other = (_marked(pieces, comparison.diverges_at) for pieces in (comparison.exact, comparison.other))
    names = EXACT, comparison.tier
    if columns is not None and columns >= _LEAST_BESIDE:
        shown = [*side_by_side(*names, columns), *side_by_side(exact, other, columns)]
    else:
        blocks = [(f"{name}:", text, "") for name, text in zip(names, (exact, other), strict=True)]
        shown = [line for block in blocks for part in block for line in _lines(part, columns)]
    words = [line for text in (divergence_words(comparison), speed_words(comparison)) for line in _lines(text, columns)]
    return "\n".join([*shown, *([""] if shown[-1] else []), *words])


def divergence_words(comparison: Comparison) -> str:
    """Whether the answers are the same, and where not."""
    at = comparison.diverges_at
    if at < 0:
        return f"Both answers are the same, all {len(comparison.exact):,} tokens."
    ends = [_piece(pieces, at) for pieces in (comparison.exact, comparison.other)]
    same = "1 token" if at == 1 else f"{at:,} tokens"
    return (
        f"The answers are the same for {same} and part at token {at + 1:,} ({MARK}): exact {ends[0]}, "
        f"{comparison.tier} {ends[1]}."
    )


def speed_words(comparison: Comparison) -> str:
    """How fast each was answered."""
    exact, other = comparison.exact_tokens_per_s, comparison.other_tokens_per_s
    ratio = f", {other / exact:.2f} times as fast" if exact > 0 and other > 0 else ""
    return f"exact {rate(exact)} tokens/s, {comparison.tier} {rate(other)} tokens/s{ratio}."


def _marked(pieces: tuple[str, ...], at: int) -> str:
    """The answer; before the first token that differs stands the mark, after any blank it begins with."""
    if not 0 <= at <= len(pieces):
        return "".join(pieces).strip("\n")
    rest = "".join(pieces[at:])
    blank = rest[: len(rest) - len(rest.lstrip())]
    return ("".join(pieces[:at]) + blank + MARK + rest[len(blank) :]).strip("\n")


def _piece(pieces: tuple[str, ...], at: int) -> str:
    if at >= len(pieces):
        return "ends there"
    return f"goes on with “{pieces[at].replace(chr(10), '↵')}”"


def _lines(text: str, columns: int | None) -> list[str]:
    return text.split("\n") if columns is None else wrapped(text, columns)
