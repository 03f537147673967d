"""A report survives being written and read; anything else is refused by name."""

import json
from dataclasses import replace

import pytest

from engine.benchmark_report import BenchmarkReport, BenchmarkSpec, Spread, report_from_json, report_to_json
from engine.errors import DamagedFile, InvalidRequest


def test_a_report_read_again_is_the_same(report: BenchmarkReport):
    assert report_from_json(report_to_json(report)) == report


def test_members_of_a_later_version_are_left_out(report: BenchmarkReport):
    values = json.loads(report_to_json(report))
    values["weather"] = "fine"
    values["machine"]["fans"] = 3

    assert report_from_json(json.dumps(values)) == report


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"schema": 99}', '{"schema": 1}', "[" * 100_000])
def test_what_is_no_report_is_refused_and_named(text: str):
    with pytest.raises(DamagedFile) as caught:
        report_from_json(text, "there.json")

    assert caught.value.path == "there.json"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("created",), 5),
        (("elapsed_s",), "long"),
        (("elapsed_s",), True),
        (("machine",), []),
        (("machine", "usable_cores"), 1.5),
        (("decode",), {}),
        (("decode", 0, "step_bytes"), [["attention"]]),
        (("decode", 0, "tokens_per_s"), None),
        (("spec", "repeats"), 0),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(report: BenchmarkReport, place: tuple[str | int, ...], value: object):
    values = json.loads(report_to_json(report))
    inner = values
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value

    with pytest.raises(DamagedFile):
        report_from_json(json.dumps(values))


def test_whole_numbers_stand_for_rates(report: BenchmarkReport):
    values = json.loads(report_to_json(report))
    values["elapsed_s"] = 12

    assert report_from_json(json.dumps(values)).elapsed_s == 12.0


@pytest.mark.parametrize(
    "changes",
    [
        {"shape": "7b", "model_id": "x"},
        {"modes": ("fast",)},
        {"active_shares": (0.0,)},
        {"active_shares": (1.5,)},
        {"depths": (-1,)},
        {"prompt_tokens": (0,)},
        {"repeats": 0},
        {"decoded_tokens": 0},
        {"n_threads": 0},
        {"probe_bytes": 10},
        {"against": ("nobody",)},
        {"against": ("llama-bench",)},
        {"against": ("xllamacpp=/bin/true",)},
    ],
)
def test_a_spec_that_cannot_be_measured_is_refused(changes: dict[str, object]):
    with pytest.raises(InvalidRequest) as caught:
        BenchmarkSpec(**changes)

    assert caught.value.field in changes


def test_a_spread_is_the_middle_and_both_ends():
    assert Spread.of([3.0, 1.0, 2.0]) == Spread(2.0, 1.0, 3.0, 3)


@pytest.mark.parametrize(("limit", "bound"), [(21e9, "memory"), (30e9, "both"), (80e9, "compute")])
def test_a_step_is_held_up_by_memory_where_it_reads_near_the_limit(report: BenchmarkReport, limit: float, bound: str):
    result = replace(report.decode[0], limit_bytes_per_s=limit)

    assert result.bytes_per_s == 20e9
    assert result.bound == bound
    assert replace(result, phases=(("waiting", 0.5), ("head", 0.5))).bound == "waiting"


def test_a_check_fails_by_a_token_or_by_a_distance(report: BenchmarkReport):
    (check,) = report.checks

    assert check.passed
    assert not replace(check, differing=1).passed
    assert not replace(check, deviation=0.02).passed
    assert replace(report, checks=(check, replace(check, differing=1))).failed_checks == (replace(check, differing=1),)
