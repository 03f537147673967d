"""Frozen dataclasses of plain values as JSON, and back with every type checked.

Reports and specifications at the engine's door are kept as such files. Members a reader does not know are left out, so
that a later version may add some; anything else that does not fit is refused.
"""

import dataclasses
import json
import math
import types
import typing
from typing import Any

from engine.errors import DamagedFile, InvalidRequest

T = typing.TypeVar("T")

# What is wrong with a file of brackets within brackets; what Python says of that speaks of its own stack.
NESTED_TOO_DEEPLY = "its JSON is nested too deeply"
NO_JSON = "its text is not the JSON that it should be"


def to_json(value: Any) -> str:
    """A dataclass as indented JSON, with a newline at its end."""
    return json.dumps(dataclasses.asdict(value), indent=2, ensure_ascii=False) + "\n"


def from_json(kind: type[T], text: str, path: str, schema: int, what: str) -> T:
    """The inverse of `to_json` for a dataclass with a member `schema`.

    Raises DamagedFile, naming `path` and `what` it should have been, for anything else.
    """
    try:
        values = json.loads(text)
    except RecursionError as error:
        raise DamagedFile(path, NESTED_TOO_DEEPLY) from error
    except ValueError as error:
        raise DamagedFile(path, NO_JSON) from error
    found = values.get("schema") if isinstance(values, dict) else None
    if found != schema:
        raise DamagedFile(path, f"schema {found!r} of {what}, expected {schema}")
    try:
        return typing.cast(T, _read(kind, values, what))
    except InvalidRequest as error:
        raise DamagedFile(path, f"{error.field} = {error.value}") from error
    except (TypeError, ValueError, OverflowError) as error:
        raise DamagedFile(path, str(error)) from error


def _read(kind: Any, value: Any, where: str) -> Any:
    """A value of JSON as the annotated kind; unknown members are left out, so that a later version may add some."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, dict):
            raise TypeError(f"{where} is no object")
        hints = typing.get_type_hints(kind)
        fields = {f.name for f in dataclasses.fields(kind)}
        return kind(**{n: _read(hints[n], v, f"{where}.{n}") for n, v in value.items() if n in fields})
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise TypeError(f"{where} is no list")
        kinds = typing.get_args(kind)
        if kinds[-1] is Ellipsis:
            return tuple(_read(kinds[0], v, where) for v in value)
        if len(kinds) != len(value):
            raise TypeError(f"{where} has {len(value)} members, expected {len(kinds)}")
        return tuple(_read(k, v, where) for k, v in zip(kinds, value, strict=True))
    if typing.get_origin(kind) is types.UnionType:
        return None if value is None else _read(typing.get_args(kind)[0], value, where)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} = {value}")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{where} = {value!r} is no {kind.__name__}")
    return value
