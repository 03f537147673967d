"""Kept benchmark reports as the window shows them: a line for each, its tables, and figures over time.

Owns which figures stand for a whole report, which of them may be joined to a line over time, why a file of the folder
is left out, and what a quick measurement is. Knows neither Qt nor how anything is drawn; the words of tables are those
of app/benchmark_text.py, so that the window says what the command says.
"""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.benchmark_history import KeptReport, read_history
from app.benchmark_text import COMPETITOR_NAMES, Table, case_words, facts, notes, rate, tables, to_markdown
from app.language import tr
from engine.benchmark_report import (
    SCHEMA_VERSION,
    BenchmarkReport,
    BenchmarkSpec,
    Comparison,
    DecodeResult,
    PrefillResult,
    Spread,
)

NEWER, FOREIGN, UNREADABLE = "newer", "foreign", "unreadable"

# What `ember bench --quick` measures.
QUICK_SHARES, QUICK_DEPTHS, QUICK_PROMPTS, QUICK_TOKENS, QUICK_REPEATS = (1.0, 0.1), (0,), (64,), 8, 2


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as the report gives it, with its unit, and what it is the number of."""

    value: str
    unit: str
    of: str

    @property
    def words(self) -> str:
        return f"{self.value} {self.unit} {self.of}"


@dataclass(frozen=True, slots=True)
class ShownReport:
    """A report with all that is said of it.

    path       None where it could not be kept
    subject    the model's name, or "shape 7b"
    case       the measurement that stands for the report: format, mode, share
    decode, prefill, ratio   its figures; None where it has none
    """

    path: Path | None
    report: BenchmarkReport
    created: datetime
    subject: str
    formats: str
    case: str
    machine: str
    threads: tuple[int, ...]
    decode: Figure | None
    prefill: Figure | None
    ratio: Figure | None
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    markdown: str

    @property
    def key(self) -> str:
        """The same as long as it is the same report."""
        return str(self.path) if self.path else self.report.created


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file of the folder that is not shown. `reason` is NEWER, FOREIGN or UNREADABLE, `detail` says more."""

    path: Path
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class History:
    """Newest first. `problem` are the system's words where the folder could not be listed."""

    reports: tuple[ShownReport, ...] = ()
    skipped: tuple[SkippedFile, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """What has to be the same for two figures of decoding to lie on one line over time."""

    subject: str
    weight_format: str
    mode: str
    asked_share: float | None
    depth: int
    n_threads: int
    processor: str

    @property
    def words(self) -> str:
        case = case_words(self.mode, self.asked_share)
        threads = "1 thread" if self.n_threads == 1 else f"{self.n_threads} threads"
        return f"{self.weight_format} {case}, depth {self.depth:,}, {threads}"


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement on a line; `is_shown` marks that of the report it is drawn for."""

    created: datetime
    tokens_per_s: Spread
    is_shown: bool

    @property
    def words(self) -> str:
        s = self.tokens_per_s
        return f"{rate(s.median)} tokens/s ({rate(s.smallest)} to {rate(s.largest)})"


def quick_spec(model_id: str, version: str) -> BenchmarkSpec:
    """A look at a model, not a measurement to publish."""
    return BenchmarkSpec(
        model_id=model_id, active_shares=QUICK_SHARES, depths=QUICK_DEPTHS, prompt_tokens=QUICK_PROMPTS,
        decoded_tokens=QUICK_TOKENS, repeats=QUICK_REPEATS, ember_version=version,
    )  # fmt: skip


def read_reports(folder: Path) -> History:
    """All that can be shown of a folder, and what cannot; no file is changed."""
    try:
        kept = read_history(folder)
    except OSError as error:
        return History(problem=error.strerror or str(error))
    seen = [_seen(each) for each in kept]
    reports = [each for each in seen if isinstance(each, ShownReport)]
    skipped = [each for each in seen if isinstance(each, SkippedFile)]
    reports.sort(key=lambda shown: (shown.created, shown.key), reverse=True)
    return History(tuple(reports), tuple(sorted(skipped, key=lambda s: s.path.name)))


def shown_report(path: Path | None, report: BenchmarkReport) -> ShownReport:
    """Raises ValueError, ArithmeticError or LookupError for values that a benchmark does not write."""
    rates = [result.tokens_per_s for result in report.decode] + [result.tokens_per_s for result in report.prefill]
    if not all(math.isfinite(value) and value >= 0 for r in rates for value in (r.median, r.smallest, r.largest)):
        raise ValueError("a speed that is no number")
    decode, prefill = _main_decode(report), _main_prefill(report)
    threads = {d.n_threads for d in report.decode} | {p.n_threads for p in report.prefill}
    formats = dict.fromkeys([d.weight_format for d in report.decode] + [p.weight_format for p in report.prefill])
    return ShownReport(
        path=path,
        report=report,
        created=datetime.fromisoformat(report.created).astimezone(),
        subject=_subject(report),
        formats=", ".join(formats),
        case=case_words(decode.mode, decode.asked_share) if decode else "",
        machine=machine_name(report.machine.processor),
        threads=tuple(sorted(threads)),
        decode=Figure(rate(decode.tokens_per_s.median), tr("tokens/s"), tr("decoding")) if decode else None,
        prefill=Figure(
            rate(prefill.tokens_per_s.median),
            tr("tokens/s"),
            tr("prompt of {count}").format(count=f"{prefill.n_tokens:,}"),
        )
        if prefill
        else None,
        ratio=_ratio(report, decode),
        facts=tuple(facts(report)),
        notes=tuple(notes(report)),
        tables=tuple(tables(report)),
        markdown=to_markdown(report),
    )


def lines_of(report: BenchmarkReport) -> tuple[Line, ...]:
    """Those a report has a point on, the one that stands for it first."""
    main = _main_decode(report)
    ordered = sorted(report.decode, key=lambda result: result is not main)
    return tuple(dict.fromkeys(_line(report, result) for result in ordered))


def points_of(line: Line, reports: Iterable[ShownReport], shown: ShownReport) -> tuple[Point, ...]:
    """The measurements on a line, oldest first."""
    found = [
        Point(each.created, result.tokens_per_s, each.key == shown.key)
        for each in reports
        for result in each.report.decode
        if _line(each.report, result) == line
    ]
    return tuple(sorted(found, key=lambda point: point.created))


def machine_name(processor: str) -> str:
    """A processor as people call it: without marks, clock and the word for what it is."""
    name = re.sub(r"\((R|TM|C)\)|\s@.*$|\b\d+-Core\b|\bProcessor\b|\bCPU\b", " ", processor, flags=re.IGNORECASE)
    return " ".join(name.split()) or processor.strip()


# Choices ----------------------------------------------------------------------------------------------------------


def _seen(kept: KeptReport) -> ShownReport | SkippedFile:
    if kept.report is not None:
        try:
            return shown_report(kept.path, kept.report)
        except (ValueError, ArithmeticError, LookupError) as error:
            # Its members have the right kinds, but not values that a benchmark writes.
            return SkippedFile(kept.path, FOREIGN, f"{type(error).__name__}: {error}")
    values = dict(kept.problem.report().fields) if kept.problem is not None else {}
    detail = str(values.get("what") or values.get("reason") or "")
    if "what" not in values:
        return SkippedFile(kept.path, UNREADABLE, detail)
    return SkippedFile(kept.path, NEWER if _is_newer(kept.path) else FOREIGN, detail)


def _is_newer(path: Path) -> bool:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    schema = values.get("schema") if isinstance(values, dict) else None
    is_report = isinstance(values, dict) and "machine" in values and "subject" in values
    return is_report and isinstance(schema, int) and not isinstance(schema, bool) and schema > SCHEMA_VERSION


def _subject(report: BenchmarkReport) -> str:
    shape = report.subject.shape
    return tr("shape {name}").format(name=shape) if shape else report.subject.name


def _line(report: BenchmarkReport, result: DecodeResult) -> Line:
    return Line(
        _subject(report), result.weight_format, result.mode, result.asked_share, result.depth, result.n_threads,
        report.machine.processor,
    )  # fmt: skip


def _main_decode(report: BenchmarkReport) -> DecodeResult | None:
    """The fastest case at the first depth and thread count: what the model can do on this machine."""
    if not report.decode:
        return None
    first = report.decode[0]
    alike = [d for d in report.decode if (d.depth, d.n_threads) == (first.depth, first.n_threads)]
    return max(alike, key=lambda result: result.tokens_per_s.median)


def _main_prefill(report: BenchmarkReport) -> PrefillResult | None:
    """The longest prompt, in the format that decodes fastest."""
    main = _main_decode(report)
    alike = [p for p in report.prefill if main is None or p.weight_format == main.weight_format] or report.prefill
    return max(alike, key=lambda result: result.n_tokens, default=None)


def _speed_figure(result: DecodeResult | PrefillResult, of: str) -> Figure:
    return Figure(rate(result.tokens_per_s.median), tr("tokens/s"), of)


def _ratio(report: BenchmarkReport, decode: DecodeResult | None) -> Figure | None:
    """Decoding against the first competitor, where the case that stands for the report was compared."""

    def is_main(c: Comparison) -> bool:
        return (
            decode is not None
            and c.task == "decode"
            and (c.weight_format, c.mode, c.asked_share, c.size, c.n_threads)
            == (decode.weight_format, decode.mode, decode.asked_share, decode.depth, decode.n_threads)
        )

    found = next((c for c in report.comparisons if is_main(c)), None)
    if found is None:
        return None
    name = COMPETITOR_NAMES.get(found.competitor, found.competitor).partition(" (")[0]
    return Figure(f"{found.ratio.median:.2f}", "×", name)
