"""How answers are made: the system prompt, how the next token is chosen, and where an answer ends.

One frozen value, as presets, the settings' file and single conversations keep it. Owns the names and limits of its
fields, stop strings as people type them, and its form as JSON. Knows no Qt.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from engine.errors import InvalidRequest
from engine.messages import SamplingParams

MAX_STOPS = 16
MAX_STOP_CHARS = 200
MAX_PROMPT_CHARS = 1_000_000

_SAMPLING = SamplingParams()
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\r": "\r", "\\\\": "\\"}


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """`preset` is the key of the preset these began from, empty for none; the others as in SamplingParams."""

    system_prompt: str = ""
    temperature: float = _SAMPLING.temperature
    top_p: float = _SAMPLING.top_p
    top_k: int = _SAMPLING.top_k
    min_p: float = _SAMPLING.min_p
    repetition_penalty: float = _SAMPLING.repetition_penalty
    seed: int | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    preset: str = ""

    def __post_init__(self) -> None:
        if len(self.system_prompt) > MAX_PROMPT_CHARS:
            raise InvalidRequest("system_prompt", f"{len(self.system_prompt)} characters", f"up to {MAX_PROMPT_CHARS}")
        if len(self.stop) > MAX_STOPS:
            raise InvalidRequest("stop", f"{len(self.stop)} stop strings", f"up to {MAX_STOPS}")
        longest = max(map(len, self.stop), default=0)
        if longest > MAX_STOP_CHARS:
            raise InvalidRequest("stop", f"{longest} characters", f"up to {MAX_STOP_CHARS}")
        self.sampling()

    def sampling(self) -> SamplingParams:
        return SamplingParams(
            temperature=self.temperature,
            top_p=self.top_p,
            top_k=self.top_k,
            min_p=self.min_p,
            repetition_penalty=self.repetition_penalty,
            seed=self.seed,
            max_tokens=self.max_tokens,
            stop=self.stop,
        )

    def changed(self, changes: Mapping[str, Any]) -> "AnswerSettings":
        """Raises InvalidRequest where a value is out of range."""
        return replace(self, **changes)


FIELDS = tuple(field.name for field in fields(AnswerSettings))
SAMPLING_FIELDS = tuple(name for name in FIELDS if name not in ("system_prompt", "preset"))


def answer_settings_to_json(settings: AnswerSettings) -> str:
    return json.dumps(asdict(settings), ensure_ascii=False)


def answer_settings_from_json(text: str | None) -> AnswerSettings | None:
    """None where there are none, or none that can be read; what another version added is left out."""
    try:
        read = json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
    return answer_settings_of(read) if isinstance(read, dict) else None


def answer_settings_of(values: Mapping[str, object]) -> AnswerSettings:
    """The fields that fit; any other keeps its default."""
    settings = AnswerSettings()
    for name in FIELDS:
        if name in values:
            try:
                settings = replace(settings, **{name: _fitting(name, values[name])})
            except InvalidRequest:
                continue
    return settings


def stops_of(text: str) -> tuple[str, ...]:
    """Stop strings as they are typed, one a line: \\n, \\t, \\r and \\\\ stand for what cannot be typed there.

    Empty lines are no stop strings, and one that comes twice counts once.
    """
    return tuple(dict.fromkeys(stop for line in text.split("\n") if (stop := _unescaped(line))))


def stops_text(stops: tuple[str, ...]) -> str:
    """The inverse of `stops_of`."""
    return "\n".join(_escaped(stop) for stop in stops)


def _unescaped(line: str) -> str:
    out, position = [], 0
    while position < len(line):
        pair = line[position : position + 2]
        out.append(_ESCAPES.get(pair, line[position]))
        position += 2 if pair in _ESCAPES else 1
    return "".join(out)


def _escaped(stop: str) -> str:
    marks = {character: escape for escape, character in _ESCAPES.items()}
    return "".join(marks.get(character, character) for character in stop)


def _fitting(name: str, value: object) -> Any:
    """Raises InvalidRequest."""
    if name in ("system_prompt", "preset"):
        fits = isinstance(value, str)
    elif name == "stop":
        fits = isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
        value = tuple(value) if fits and isinstance(value, list | tuple) else value
    elif name in ("seed", "max_tokens"):
        fits = value is None or type(value) is int
    elif name == "top_k":
        fits = type(value) is int
    else:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        value = float(value) if fits and isinstance(value, int | float) else value
    if not fits:
        raise InvalidRequest(name, str(value)[:80], "a value of its kind")
    return value
