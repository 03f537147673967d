"""What is refused when a report is read again."""

from dataclasses import dataclass

import pytest

from engine.errors import DamagedFile
from engine.plain_json import from_json, to_json


@dataclass(frozen=True, slots=True)
class Measured:
    schema: int
    seconds: float


def test_a_value_comes_back():
    assert from_json(Measured, to_json(Measured(1, 2.5)), "m.json", 1, "a measurement") == Measured(1, 2.5)


def test_brackets_within_brackets_are_told_in_words():
    with pytest.raises(DamagedFile) as told:
        from_json(Measured, "[" * 200_000, "m.json", 1, "a measurement")

    assert told.value.what == "its JSON is nested too deeply"


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "-Infinity", "1e999", "1" + "0" * 400])
def test_what_is_no_finite_number_is_refused(seconds):
    with pytest.raises(DamagedFile):
        from_json(Measured, f'{{"schema": 1, "seconds": {seconds}}}', "m.json", 1, "a measurement")
