"""What is known of an answer that was made in several parts: cut off, and continued once or more often.

Owns what the figures of the whole are: what was spent and made is added up, a mean is weighted by what it is a mean of,
and what happens once, before the first word, is the first part's. Where a part was not measured, the whole says so.
"""

from collections.abc import Sequence
from dataclasses import fields, replace

from app.chat.answer_facts import NO_FACTS, AnswerFacts
from engine.messages import GenerationStats
from engine.neuron_reports import TIER_LIMITS
from engine.placement_reports import StepLoad


def unfinished(facts: AnswerFacts) -> AnswerFacts:
    """Of an answer that is being continued: what was measured so far, which is not all."""
    return NO_FACTS if facts.stats is None else replace(facts, reason="", error=None, is_whole=False)


def joined_facts(before: AnswerFacts, part: AnswerFacts, *, is_grown: bool) -> AnswerFacts:
    """Of an answer that had text, and one part more: how it ended is the part's.

    `is_grown` says whether the part has brought text.
    """
    stats = part.stats or before.stats
    if before.stats is not None and part.stats is not None:
        stats = joined_stats(before.stats, part.stats)
    is_measured = before.stats is not None and (part.stats is not None or not is_grown)
    return replace(
        part,
        stats=stats,
        sampling=part.sampling or before.sampling,
        preset=part.preset if part.sampling is not None else before.preset,
        is_whole=stats is None or (is_measured and before.is_whole and part.is_whole),
    )


def joined_stats(before: GenerationStats, part: GenerationStats) -> GenerationStats:
    """The prompt, the way to the first token and the seed are the first part's; context and end are the last one's.

    A figure that only one of two parts has, and that both would need, is left out.
    """
    if not before.generated_tokens or not part.generated_tokens:
        made = part if part.generated_tokens else before
        return replace(
            made,
            context_tokens=part.context_tokens,
            stopped_by=part.stopped_by,
            processor_joules=_sum(before.processor_joules, part.processor_joules),
            card_joules=_sum(before.card_joules, part.card_joules),
        )
    steps = (before.decoded_tokens, part.decoded_tokens)
    audited = (before.audited_tokens, part.audited_tokens)
    left_at = before.tier_left_at
    if left_at < 0 <= part.tier_left_at:
        left_at = before.generated_tokens + part.tier_left_at
    return replace(
        before,
        parts=before.parts + part.parts,
        generated_tokens=before.generated_tokens + part.generated_tokens,
        decode_s=before.decode_s + part.decode_s,
        context_tokens=part.context_tokens,
        examined=_layers(before.examined, part.examined, steps),
        active=_layers(before.active, part.active, steps),
        proposed_tokens=before.proposed_tokens + part.proposed_tokens,
        accepted_tokens=before.accepted_tokens + part.accepted_tokens,
        tier=max(before.tier, part.tier, key=lambda tier: TIER_LIMITS.get(tier, 0.0)),
        tier_left_at=left_at,
        audited_tokens=sum(audited),
        audit_kl=_mean((before.audit_kl, part.audit_kl), audited),
        load=_load(before, part),
        left_out=part.left_out or before.left_out,
        seed=before.seed if before.seed == part.seed else None,
        stopped_by=part.stopped_by,
        step_bytes=_bytes((before.step_bytes, part.step_bytes), steps),
        dense_bytes=_bytes((before.dense_bytes, part.dense_bytes), steps),
        processor_joules=_sum(before.processor_joules, part.processor_joules),
        card_joules=_sum(before.card_joules, part.card_joules),
    )


def _mean(values: Sequence[float], weights: Sequence[int]) -> float:
    total = sum(weights)
    return sum(v * w for v, w in zip(values, weights, strict=True)) / total if total else 0.0


def _bytes(read: tuple[int, int], steps: tuple[int, int]) -> int:
    """For a token; 0, which is not known, where that of a part is not, as with versions that were written at once."""
    is_known = all(n_bytes or not n_steps for n_bytes, n_steps in zip(read, steps, strict=True))
    return round(_mean(read, steps)) if is_known else 0


def _layers(before: Sequence[float], part: Sequence[float], steps: tuple[int, int]) -> tuple[float, ...]:
    """Layer by layer; none where both parts have such figures of models that differ."""
    if not steps[0] or not steps[1]:
        return tuple(before if steps[0] else part)
    if len(before) != len(part):
        return ()
    return tuple(_mean(pair, steps) for pair in zip(before, part, strict=True))


def _load(before: GenerationStats, part: GenerationStats) -> StepLoad | None:
    """Who did the work; not known where a card took part in one of them only."""
    if not before.decoded_tokens or not part.decoded_tokens:
        return before.load if before.decoded_tokens else part.load
    if before.load is None or part.load is None:
        return None
    names = [field.name for field in fields(StepLoad)]
    return StepLoad(**{name: getattr(before.load, name) + getattr(part.load, name) for name in names})


def _sum(before: float | None, part: float | None) -> float | None:
    return None if before is None or part is None else before + part
