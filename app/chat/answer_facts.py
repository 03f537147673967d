"""What is known of an answer beside its text, as JSON and back: why it ended, its figures, its error.

Both conversation stores keep these. What another version wrote is read as far as it fits: a figure that was not
measured then has its default, unknown ones are left out, and damaged facts are none at all; they never cost the answer
its text.
"""

import json
import math
import types
import typing
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any

from engine.errors import ErrorReport, InvalidRequest
from engine.messages import GenerationStats, SamplingParams
from engine.neuron_reports import TIERS


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """reason: why a finished answer ended, in the engine's words; stats, error: where there are any.

    sampling   how its tokens were chosen, and `preset` the key of the preset that says so, empty for none
    is_whole   False where `stats` are without a part of the answer, which was not measured
    """

    reason: str = ""
    stats: GenerationStats | None = None
    error: ErrorReport | None = None
    sampling: SamplingParams | None = None
    preset: str = ""
    is_whole: bool = True


NO_FACTS = AnswerFacts()


def facts_to_json(facts: AnswerFacts) -> str | None:
    """None where nothing is known."""
    return json.dumps(asdict(facts)) if facts != NO_FACTS else None


def facts_from_json(text: str | bytes | None) -> AnswerFacts:
    try:
        read = json.loads(text) if text else {}
    except (ValueError, TypeError, RecursionError):
        return NO_FACTS
    return facts_from_values(read)


def facts_from_values(read: object) -> AnswerFacts:
    """The same from values of JSON."""
    if not isinstance(read, dict):
        return NO_FACTS
    reason = read.get("reason")
    preset = read.get("preset")
    return AnswerFacts(
        reason if isinstance(reason, str) else "",
        _stats(read.get("stats")),
        _error(read.get("error")),
        _sampling(read.get("sampling")),
        preset if isinstance(preset, str) else "",
        read.get("is_whole") is not False,
    )


def _stats(read: object) -> GenerationStats | None:
    try:
        stats = _fitting(GenerationStats, read)
    except (TypeError, ValueError, OverflowError):
        return None
    return stats if isinstance(stats, GenerationStats) and stats.tier in TIERS else None


def _sampling(read: object) -> SamplingParams | None:
    try:
        sampling = _fitting(SamplingParams, read)
    except (TypeError, ValueError, OverflowError, InvalidRequest):
        return None
    return sampling if isinstance(sampling, SamplingParams) else None


def _error(read: object) -> ErrorReport | None:
    if not isinstance(read, dict) or not isinstance(read.get("code"), str) or not isinstance(read.get("fields"), list):
        return None
    pairs = [tuple(pair) for pair in read["fields"] if isinstance(pair, list) and len(pair) == 2]
    if not all(isinstance(name, str) and isinstance(value, str | int) for name, value in pairs):
        return None
    return ErrorReport(read["code"], tuple(pairs))


def _fitting(kind: Any, value: Any) -> Any:
    """A value of JSON as the annotated kind. Raises TypeError or ValueError where it does not fit."""
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, dict):
            raise TypeError(kind.__name__)
        hints = typing.get_type_hints(kind)
        known = [field.name for field in fields(kind) if field.name in value]
        return kind(**{name: _fitting(hints[name], value[name]) for name in known})
    if isinstance(kind, types.UnionType):
        return None if value is None else _fitting(typing.get_args(kind)[0], value)
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError("tuple")
        return tuple(_fitting(typing.get_args(kind)[0], member) for member in value)
    if kind in (int, float):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise TypeError(kind.__name__)
        return value
    if not isinstance(value, kind):
        raise TypeError(kind.__name__)
    return value
