"""Sampling parameters as words: their names, how a value is written, and what each is for.

One table serves the options of `ember chat`, `/set` and `/params`. Ranges are checked by `SamplingParams` itself.
"""

import dataclasses
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import InvalidRequest
from engine.messages import SamplingParams


@dataclass(frozen=True, slots=True)
class Parameter:
    """One field of SamplingParams.

    read      value of the words a person wrote
    form      how the value is written, for help
    repeats   whether the option may be given several times, each adding a word
    """

    name: str
    form: str
    meaning: str
    read: Callable[[Sequence[str]], Any]
    repeats: bool = False


def _one(kind: type[int] | type[float]) -> Callable[[Sequence[str]], int | float]:
    def read(words: Sequence[str]) -> int | float:
        (word,) = words
        return kind(word)

    return read


def _count_or_none(words: Sequence[str]) -> int | None:
    (word,) = words
    return None if word.lower() in ("none", "off", "random") else int(word)


def _biases(words: Sequence[str]) -> tuple[tuple[int, float], ...]:
    pairs = (word.partition("=") for word in words if word.lower() != "none")
    return tuple((int(token_id), float(bias)) for token_id, _, bias in pairs)


def _strings(words: Sequence[str]) -> tuple[str, ...]:
    if [word.lower() for word in words] == ["none"]:
        return ()
    return tuple(word.replace("\\n", "\n").replace("\\t", "\t") for word in words)


PARAMETERS = (
    Parameter("temperature", "NUMBER", "0 always takes the likeliest token; higher is more varied", _one(float)),
    Parameter("top_k", "COUNT", "choose among this many of the likeliest tokens; 0 is off", _one(int)),
    Parameter("top_p", "NUMBER", "choose among the likeliest tokens that add up to this share; 1 is off", _one(float)),
    Parameter("min_p", "NUMBER", "drop tokens below this share of the likeliest one; 0 is off", _one(float)),
    Parameter("repetition_penalty", "NUMBER", "make tokens that occurred less likely; 1 is off", _one(float)),
    Parameter("presence_penalty", "NUMBER", "subtract this from tokens that occurred; 0 is off", _one(float)),
    Parameter("frequency_penalty", "NUMBER", "subtract this per occurrence; 0 is off", _one(float)),
    Parameter("penalty_window", "COUNT", "how many of the latest tokens the penalties look at", _one(int)),
    Parameter("seed", "NUMBER", "the same seed makes the same random choices; none draws one", _count_or_none),
    Parameter("logit_bias", "ID=NUMBER", "add this to a token's logit", _biases, repeats=True),
    Parameter("stop", "TEXT", "end the answer before this text; \\n is a line break", _strings, repeats=True),
    Parameter("max_tokens", "COUNT", "end the answer after this many tokens; none is no limit", _count_or_none),
)
NAMES = tuple(parameter.name for parameter in PARAMETERS)


def changed(sampling: SamplingParams, name: str, words: Sequence[str]) -> SamplingParams:
    """`sampling` with one field read from words; raises InvalidRequest for an unknown name or an impossible value."""
    wanted = name.lower().replace("-", "_")
    parameter = next((p for p in PARAMETERS if p.name == wanted), None)
    if parameter is None:
        raise InvalidRequest(name, " ".join(words), f"known are {', '.join(NAMES)}")
    try:
        value = parameter.read(words)
    except ValueError:
        raise InvalidRequest(parameter.name, " ".join(words), f"written as {parameter.form}") from None
    return dataclasses.replace(sampling, **{parameter.name: value})


def split_words(text: str) -> list[str]:
    """Words of a command line; quotes keep blanks together, a backslash is just a backslash."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, "", ""
    try:
        return list(lexer)
    except ValueError:  # a quote that is not closed is an apostrophe
        return text.split()


def shown(sampling: SamplingParams) -> list[tuple[str, str, str]]:
    """Name, value and meaning of every parameter."""
    return [(p.name, _written(getattr(sampling, p.name)), p.meaning) for p in PARAMETERS]


def _written(value: Any) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, tuple):
        return " ".join(f"{v[0]}={v[1]:g}" if isinstance(v, tuple) else repr(v) for v in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
