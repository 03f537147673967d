"""A report in words answers how fast, compared with what, and what holds it up."""

from dataclasses import replace

import numpy as np
import pytest

from app.benchmark_text import (
    ABSENT,
    BOUND,
    CHECKS,
    COMPETITOR_NAMES,
    PARTS,
    PHASES,
    absent_words,
    check_words,
    notes,
    tables,
    to_markdown,
)
from app.terminal.bench import to_text
from engine.benchmark_report import COMPETITORS, AbsentCompetitor, BenchmarkReport
from engine.kernels.cpu.tables import PHASES as KERNEL_PHASES
from engine.messages import PROGRESS_PHASES
from engine.model.packed_model import WEIGHT_FORMATS
from engine.runtime.traffic import step_bytes
from tests.tiny_model import TINY


def test_the_text_names_speed_bytes_limit_and_machine(report: BenchmarkReport):
    text = to_text(report)

    for part in ("20.0", "exact, 10 % active", "1,000", "67 %", "A 7", "AVX2, FMA", "0.1.0", "2 threads", "load 0.10"):
        assert part in text, part


def test_the_text_says_what_was_compared_and_what_is_missing(report: BenchmarkReport):
    text = to_text(report)

    assert "llama.cpp (xllamacpp) 1.2" in text
    assert "2.50" in text
    assert "llama-cpp-python) was not measured: it is not installed here." in text


def test_a_busy_machine_is_said(report: BenchmarkReport):
    busy = replace(report, machine=replace(report.machine, busy_share=0.6))

    disturbed = replace(report, others_share=0.6)

    assert not any("busy" in note for note in notes(report))
    assert all(any("busy" in n and "60 %" in n for n in notes(r)) for r in (busy, disturbed))


def test_a_wrong_token_is_said_with_its_place_and_what_to_do(report: BenchmarkReport):
    wrong = replace(report.checks[0], differing=3, first=7)

    words = check_words(wrong)

    assert "3 of 33 tokens differ, the first at position 7" in words
    assert "report it" in words
    assert words in notes(replace(report, checks=(wrong,)))


def test_logits_too_far_apart_are_said_with_both_numbers(report: BenchmarkReport):
    words = check_words(replace(report.checks[0], deviation=0.5))

    assert "50 % off, 1 % allowed" in words


def test_markdown_holds_every_table_and_every_row(report: BenchmarkReport):
    markdown = to_markdown(report)

    for table in tables(report):
        assert f"### {table.title}" in markdown
        assert all("| " + " | ".join(row) + " |" in markdown for row in table.rows)


def test_a_bar_in_a_name_does_not_break_a_row(report: BenchmarkReport):
    odd = replace(report, comparisons=(replace(report.comparisons[0], version="a|b"),))

    assert "a\\|b" in to_markdown(odd)


def test_an_empty_report_can_be_told(report: BenchmarkReport):
    empty = replace(report, read_rates=(), decode=(), prefill=(), comparisons=(), absent=(), checks=())

    assert tables(empty) == []
    assert to_text(empty)
    assert to_markdown(empty)


def test_every_code_of_the_engine_has_words():
    from app.terminal.console import _PHASES

    counts = np.full((TINY.n_layers, 3), TINY.n_neurons)
    parts = {part for part, _ in step_bytes(TINY, WEIGHT_FORMATS["int8"], "f16", positions=1, counts=counts)}
    assert parts <= set(PARTS)
    assert set(KERNEL_PHASES) == set(PHASES)
    assert set(COMPETITORS) == set(COMPETITOR_NAMES)
    assert set(BOUND) == {"memory", "compute", "both", "waiting"}
    assert set(CHECKS) == {"reference", "sparse", "prefill", "threads", "predicted"}
    assert set(PROGRESS_PHASES) <= set(_PHASES)


@pytest.mark.parametrize("reason", sorted(ABSENT))
def test_every_reason_for_an_absence_has_words(reason: str):
    assert "llama.cpp (xllamacpp)" in absent_words(AbsentCompetitor("xllamacpp", reason, "it broke"))
