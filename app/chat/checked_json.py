"""JSON of strangers, read with every step checked: what is refused is refused by name of its place.

A `Node` is a value and where in the file it stands. Asking it for something it is not raises `ImportRefused`; nothing
is guessed and nothing recurses, so that a hostile file costs no more than its size.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeVar

MAX_FILE_BYTES = 256 << 20
MAX_TEXT_CHARACTERS = 1_000_000
MAX_CONVERSATIONS = 50_000
MAX_MESSAGES = 500_000
_LAST_TIME_S = 253_402_300_800.0  # the year 10000

TIME_UNKNOWN = 0.0

T = TypeVar("T")


class ImportRefused(Exception):
    """A file that cannot be imported; nothing of it was.

    kind    unreadable, too_large, not_text, not_json, too_deep, unknown_format, wrong_type, missing, too_long,
            too_many, cycle, no_parent, duplicate, out_of_range, newer
    place   where in the file, for example conversations[3].messages[0].role, or a line and column; "" for the whole
    found   what was there instead, short
    """

    def __init__(self, path: str, kind: str, place: str, found: str) -> None:
        super().__init__(path, kind, place, found)
        self.path = path
        self.kind = kind
        self.place = place
        self.found = found


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a file of JSON, and its place there."""

    value: object
    place: str
    path: str

    def refuse(self, kind: str, found: str) -> NoReturn:
        raise ImportRefused(self.path, kind, self.place, found)

    @property
    def is_nothing(self) -> bool:
        """Whether it is null or absent."""
        return self.value is None

    def has(self, name: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(name) is not None

    def member(self, name: str) -> "Node":
        """A member of an object; null where it is absent."""
        step = _step(name)
        is_first = not self.place or self.place.endswith(": ")
        return Node(self._of(dict).get(name), self.place + (step.removeprefix(".") if is_first else step), self.path)

    def members(self, limit: int) -> Iterator[tuple[str, "Node"]]:
        """All members of an object with their names."""
        values = self._of(dict)
        if len(values) > limit:
            self.refuse("too_many", f"{len(values)} > {limit}")
        return ((name, self.member(name)) for name in values)

    def items(self, limit: int) -> list["Node"]:
        """All of a list."""
        values = self._of(list)
        if len(values) > limit:
            self.refuse("too_many", f"{len(values)} > {limit}")
        return [Node(value, f"{self.place}[{number}]", self.path) for number, value in enumerate(values)]

    def text(self, limit: int = MAX_TEXT_CHARACTERS) -> str:
        text = self._of(str)
        if len(text) > limit:
            self.refuse("too_long", f"{len(text)} > {limit}")
        return text

    def text_or_none(self, limit: int = MAX_TEXT_CHARACTERS) -> str | None:
        return None if self.is_nothing else self.text(limit)

    def fact(self) -> bool:
        """true or false; absent is false."""
        return False if self.is_nothing else self._of(bool)

    def time(self, unit_s: float = 1.0) -> float:
        """Seconds since 1970 from a number of units; TIME_UNKNOWN where it is absent."""
        if self.is_nothing:
            return TIME_UNKNOWN
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse("wrong_type", _named(self.value))
        if not math.isfinite(self.value) or not 0 <= self.value * unit_s < _LAST_TIME_S:
            self.refuse("out_of_range", str(self.value)[:40])
        return float(self.value) * unit_s

    def _of(self, kind: type[T]) -> T:
        if self.value is None:
            self.refuse("missing", kind.__name__)
        if not isinstance(self.value, kind):
            self.refuse("wrong_type", f"{_named(self.value)} instead of {_NAMES[kind]}")
        return self.value


def read_json(path: Path) -> Node:
    """A whole file. Raises ImportRefused."""
    return parse_json(_text_of(path), str(path))


def read_json_lines(path: Path) -> list[Node]:
    """A file with a value on each line that is not empty; places begin with the line."""
    lines = _text_of(path).split("\n")
    return [
        parse_json(line, str(path), f"line {number}: ") for number, line in enumerate(lines, start=1) if line.strip()
    ]


def parse_json(text: str, path: str, place: str = "") -> Node:
    def refuse_constant(name: str) -> NoReturn:
        raise ImportRefused(path, "out_of_range", place, name)

    try:
        return Node(json.loads(text, parse_constant=refuse_constant), place, path)
    except json.JSONDecodeError as error:
        where = f"{place}line {error.lineno}, column {error.colno}"
        raise ImportRefused(path, "not_json", where, error.msg) from error
    except RecursionError as error:
        raise ImportRefused(path, "too_deep", place, "nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise ImportRefused(path, "out_of_range", place, str(error)[:80]) from error


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ImportRefused(str(path), "unreadable", "", error.strerror or str(error)) from error
    if len(data) > MAX_FILE_BYTES:
        raise ImportRefused(str(path), "too_large", "", f"more than {MAX_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportRefused(str(path), "not_text", f"byte {error.start}", error.reason) from error


_NAMES = {dict: "object", list: "list", str: "text", bool: "true or false", int: "number", float: "number"}


def _named(value: object) -> str:
    return _NAMES.get(type(value), "null")


def _step(name: str) -> str:
    return f".{name}" if re.fullmatch(r"\w{1,40}", name) else f"[{json.dumps(name[:40])}]"
