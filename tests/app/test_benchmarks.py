"""What is shown of kept reports: figures as they stand in them, lines of what is alike, and no file lost or trusted."""

import json
import os
import random
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.benchmark_history import save_report
from app.benchmark_text import to_markdown
from app.benchmarks import (
    FOREIGN,
    NEWER,
    UNREADABLE,
    lines_of,
    machine_name,
    points_of,
    quick_spec,
    read_reports,
    shown_report,
)
from app.terminal.bench import QUICK
from engine.benchmark_report import BenchmarkSpec, report_to_json
from tests.app.benchmark_samples import REPORT, decoding, measured_on


def test_the_figures_are_those_of_the_report() -> None:
    shown = shown_report(Path("r.json"), REPORT)

    assert shown.subject == "Demo 1B"
    assert (shown.formats, shown.case, shown.threads) == ("int8", "exact", (2,))
    figures = [figure.words for figure in (shown.decode, shown.prefill, shown.ratio) if figure]
    assert figures == ["61.2 tokens/s decoding", "310 tokens/s prompt of 512", "1.57 × llama.cpp"]
    assert shown.markdown == to_markdown(REPORT)
    assert shown.created == datetime(2026, 11, 29, 22, tzinfo=UTC)


def test_what_was_not_measured_is_left_out() -> None:
    bare = replace(REPORT, decode=(), prefill=(), comparisons=(), read_rates=())

    shown = shown_report(None, bare)

    assert (shown.decode, shown.prefill, shown.ratio, shown.threads, shown.tables) == (None, None, None, (), ())
    assert lines_of(bare) == ()


def test_a_comparison_of_another_case_does_not_stand_for_the_report() -> None:
    (comparison,) = REPORT.comparisons

    for other in (
        replace(comparison, mode="dense"),
        replace(comparison, task="prefill"),
        replace(comparison, size=512),
        replace(comparison, n_threads=1),
    ):
        assert shown_report(None, replace(REPORT, comparisons=(other,))).ratio is None


def test_a_shape_is_called_a_shape() -> None:
    shaped = replace(REPORT, subject=replace(REPORT.subject, name="7b-8", shape="7b-8"))

    assert shown_report(None, shaped).subject == "shape 7b-8"


@pytest.mark.parametrize(
    ("processor", "name"),
    [
        ("Intel(R) Xeon(R) Platinum 8488C CPU @ 2.40GHz", "Intel Xeon Platinum 8488C"),
        ("AMD Ryzen 9 7950X 16-Core Processor", "AMD Ryzen 9 7950X"),
        ("Apple M3 Pro", "Apple M3 Pro"),
        ("Processor", "Processor"),
        ("", ""),
    ],
)
def test_a_machine_has_a_short_name(processor: str, name: str) -> None:
    assert machine_name(processor) == name


def test_the_newest_comes_first_whatever_the_file_is_called(tmp_path: Path) -> None:
    days = list(range(1, 29))
    random.Random(1).shuffle(days)
    for number, day in enumerate(days):
        (tmp_path / f"{number}.json").write_text(report_to_json(measured_on(f"2026-11-{day:02}T12:00:00+00:00")))
    (tmp_path / "zone.json").write_text(report_to_json(measured_on("2026-11-28T12:30:00-08:00")))

    shown = read_reports(tmp_path).reports

    assert [each.created for each in shown] == sorted((each.created for each in shown), reverse=True)
    assert shown[0].path == tmp_path / "zone.json"


def test_only_what_is_alike_lies_on_a_line() -> None:
    line = lines_of(REPORT)[0]
    old = measured_on("2026-11-01T12:00:00+00:00", decode=(decoding(50.0),))
    others = [
        replace(REPORT, decode=(decoding(1.0, weight_format="int4"),)),
        replace(REPORT, decode=(decoding(1.0, mode="dense"),)),
        replace(REPORT, decode=(decoding(1.0, depth=512),)),
        replace(REPORT, decode=(decoding(1.0, n_threads=1),)),
        replace(REPORT, decode=(decoding(1.0, asked_share=0.1),)),
        replace(REPORT, subject=replace(REPORT.subject, name="Another")),
        replace(REPORT, machine=replace(REPORT.machine, processor="Another")),
    ]
    shown = [shown_report(Path(str(n)), report) for n, report in enumerate((REPORT, *others, old))]

    points = points_of(line, shown, shown[0])

    assert [(p.tokens_per_s.median, p.is_shown) for p in points] == [(50.0, False), (61.2, True)]
    assert points[1].words == "61.2 tokens/s (55.1 to 67.3)"
    assert line.words == "int8 exact, depth 0, 2 threads"


def test_the_case_that_stands_for_a_report_begins_its_lines() -> None:
    several = replace(REPORT, decode=(decoding(20.0, mode="dense"), decoding(60.0), decoding(90.0, n_threads=4)))

    assert [line.mode for line in lines_of(several)] == ["exact", "dense", "exact"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", FOREIGN),
        (b"[]", FOREIGN),
        (b"\xff\xfe", FOREIGN),
        (b'{"schema": 2}', FOREIGN),
        (b'{"schema": 2, "machine": {}, "subject": {}}', NEWER),
        (b'{"schema": true, "machine": {}, "subject": {}}', FOREIGN),
        (b"[" * 100_000, FOREIGN),
    ],
)
def test_a_file_that_is_no_report_is_named_and_left(tmp_path: Path, content: bytes, reason: str) -> None:
    kept = save_report(tmp_path, REPORT)
    odd = tmp_path / "odd.json"
    odd.write_bytes(content)

    history = read_reports(tmp_path)

    assert [each.path for each in history.reports] == [kept]
    assert [(each.path, each.reason) for each in history.skipped] == [(odd, reason)]
    assert odd.read_bytes() == content


@pytest.mark.parametrize(
    "changes",
    [
        {"created": "yesterday"},
        {"created": "0001-01-01T00:00:00+23:00"},
        {"decode": (decoding(float("nan")),)},
        {"decode": (decoding(float("inf")),)},
        {"decode": (replace(decoding(1.0), step_bytes=(("head", 0),)),)},
        {"absent": ("xllamacpp", "because")},
    ],
)
def test_values_that_no_benchmark_writes_hide_one_report_and_no_other(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    kept = save_report(tmp_path, REPORT)
    if "absent" in changes:
        values = json.loads(report_to_json(REPORT))
        values["absent"] = [{"competitor": "xllamacpp", "reason": "because", "detail": ""}]
        text = json.dumps(values)
    else:
        text = report_to_json(replace(REPORT, **changes))  # type: ignore[arg-type]
    (tmp_path / "odd.json").write_text(text)

    history = read_reports(tmp_path)

    assert [each.path for each in history.reports] == [kept]
    assert [each.reason for each in history.skipped] == [FOREIGN]


def test_what_a_later_version_added_is_passed_over(tmp_path: Path) -> None:
    values = json.loads(report_to_json(REPORT)) | {"energy": {"joules": 3}}
    del values["comparisons"], values["absent"], values["checks"], values["read_rates"]
    (tmp_path / "r.json").write_text(json.dumps(values))

    (shown,) = read_reports(tmp_path).reports

    assert shown.ratio is None
    assert shown.decode is not None


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()

    assert [each.reason for each in read_reports(tmp_path).skipped] == [UNREADABLE]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="this user may read everything")
def test_a_folder_that_cannot_be_listed_says_so(tmp_path: Path) -> None:
    tmp_path.chmod(0)
    try:
        assert "ermission" in read_reports(tmp_path).problem
    finally:
        tmp_path.chmod(0o700)


def test_a_file_in_place_of_the_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "benchmarks").write_text("")

    assert read_reports(tmp_path / "benchmarks").problem


def test_no_folder_is_an_empty_history(tmp_path: Path) -> None:
    history = read_reports(tmp_path / "nowhere")

    assert (history.reports, history.skipped, history.problem) == ((), (), "")


def test_measuring_in_the_window_is_the_quick_benchmark_of_the_command() -> None:
    assert quick_spec("a", "1.0") == BenchmarkSpec(model_id="a", ember_version="1.0", **QUICK)  # type: ignore[arg-type]
