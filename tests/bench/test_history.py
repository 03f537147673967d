"""Reports on disk: each under its own name, read back newest first, none lost to a broken neighbour."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.benchmark_history import read_history, save_report
from engine.benchmark_report import BenchmarkReport


def test_a_kept_report_is_read_back(tmp_path: Path, report: BenchmarkReport):
    path = save_report(tmp_path / "benchmarks", report)

    assert path.name == "20261129T220000-7b-8.json"
    assert [(k.path, k.report, k.problem) for k in read_history(tmp_path / "benchmarks")] == [(path, report, None)]


def test_two_reports_of_one_second_are_both_kept(tmp_path: Path, report: BenchmarkReport):
    first, second = save_report(tmp_path, report), save_report(tmp_path, report)

    assert first != second
    assert len(read_history(tmp_path)) == 2


def test_the_newest_comes_first(tmp_path: Path, report: BenchmarkReport):
    for day in ("28", "30", "29"):
        save_report(tmp_path, replace(report, created=f"2026-11-{day}T22:00:00+00:00"))

    assert [kept.report.created[8:10] for kept in read_history(tmp_path) if kept.report] == ["30", "29", "28"]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b'{"schema": 99}'])
def test_a_broken_file_is_named_and_left(tmp_path: Path, report: BenchmarkReport, content: bytes):
    save_report(tmp_path, report)
    broken = tmp_path / "20270101T000000-broken.json"
    broken.write_bytes(content)

    kept = read_history(tmp_path)

    assert [k.report is None for k in kept] == [True, False]
    assert kept[0].problem is not None
    assert broken.read_bytes() == content


def test_a_model_may_have_any_name(tmp_path: Path, report: BenchmarkReport):
    named = replace(report, subject=replace(report.subject, shape="", name="../大模型 / 7B"))

    path = save_report(tmp_path, named)

    assert path.parent == tmp_path
    assert path.exists()


def test_no_folder_is_no_history(tmp_path: Path):
    assert read_history(tmp_path / "nowhere") == []
