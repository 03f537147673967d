"""A benchmark report in words: tables, and the same as Markdown.

Written for a person who asks three things: how fast, compared with what, and what holds it up. Knows neither Qt nor the
terminal; a `Table` is a title, a heading and rows of text, and each front-end draws it its own way.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from app.error_text import format_bytes
from engine.benchmark_report import (
    AbsentCompetitor,
    BenchmarkReport,
    CheckResult,
    Comparison,
    DecodeResult,
    ReadRate,
    Spread,
)

COMPETITOR_NAMES = {
    "xllamacpp": "llama.cpp (xllamacpp)",
    "llama-cpp-python": "llama.cpp (llama-cpp-python)",
    "llama-bench": "llama.cpp (llama-bench)",
}
BOUND = {"memory": "memory", "compute": "computing", "both": "both", "waiting": "other threads"}
PARTS = {
    "attention": "attention", "first": "first FFN matrix", "rest": "other FFN rows", "head": "head", "cache": "cache",
    "predictor": "predictor",
}  # fmt: skip
PHASES = {
    "qkv": "q, k, v", "attention": "attention", "out": "output", "predictor": "predictor", "first": "first FFN matrix",
    "up": "up", "down": "down", "sum": "sums", "head": "head", "waiting": "waiting",
}  # fmt: skip
CHECKS = {
    "reference": "the compiled step against the reference in numpy",
    "sparse": "skipping silent neurons against computing all",
    "predicted": "the neurons a predictor names against the same in numpy",
    "prefill": "a prompt read at once against token by token",
    "threads": "several threads against one",
}
ABSENT = {
    "not_installed": "{name} was not measured: it is not installed here.",
    "no_file": "{name} was not measured: there is no GGUF file of this model to give it.",
    "failed": "{name} was not measured: {detail}.",
}

PHASE_TITLE = "Time of a token"


@dataclass(frozen=True, slots=True)
class Table:
    """`numeric` columns are set flush right."""

    title: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int]


def facts(report: BenchmarkReport) -> list[tuple[str, str]]:
    """Names and values that stand above the tables."""
    m, s = report.machine, report.subject
    cores = f"{m.usable_cores} of {m.physical_cores} cores" if m.physical_cores else f"{m.usable_cores} processors"
    neurons = f"{s.n_neurons:,} neurons each ({s.feed_forward})"
    threads = sorted({d.n_threads for d in report.decode} | {p.n_threads for p in report.prefill})
    on_threads = f", {_list([str(n) for n in threads])} threads" if threads else ""
    return [
        ("Model", f"random weights of the shape {s.shape}" if s.shape else s.name),
        ("Shape", f"{s.n_layers} layers of width {s.width:,}, {neurons}, {s.n_parameters / 1e6:,.0f} M parameters"),
        ("Machine", f"{m.processor}, {cores}, {format_bytes(m.memory_bytes)}, {', '.join(m.vector_features)}"),
        ("System", f"{m.system}, Python {m.python}"),
        ("Ember", f"{report.ember_version or 'unknown version'}{on_threads}"),
        ("Measured", f"{report.created}, in {report.elapsed_s:.0f} s; {_machine_state(report)}"),
    ]


def notes(report: BenchmarkReport) -> list[str]:
    """Sentences that stand below the tables: what a reader must know before believing a figure."""
    found = []
    if report.was_busy:
        shares = f"{100 * report.machine.busy_share:.0f} % before and {100 * report.others_share:.0f} % during it"
        found.append(f"The machine was busy: other programs took {shares}. The figures may be too low; try again.")
    found += [absent_words(absent) for absent in report.absent]
    found += [check_words(check) for check in report.failed_checks]
    return found


def tables(report: BenchmarkReport) -> list[Table]:
    """Those that have rows, in the order of the three questions."""
    many_threads = len({d.n_threads for d in report.decode}) > 1
    found = [
        _decode_table(report.decode, many_threads=many_threads),
        _prefill_table(report),
        _comparison_table(report.comparisons),
        _rate_table(report.read_rates),
        _bytes_table(report.decode),
        _phase_table(report.decode, many_threads=many_threads),
        _check_table(report.checks),
    ]
    return [table for table in found if table.rows]


def to_markdown(report: BenchmarkReport) -> str:
    s = report.subject
    blocks = [f"## Benchmark: {'shape ' + s.shape if s.shape else s.name}"]
    blocks.append("\n".join(f"- {name}: {value}" for name, value in facts(report)))
    for table in tables(report):
        marks = ["---:" if i in table.numeric else "---" for i in range(len(table.heading))]
        lines = [_markdown_row(table.heading), _markdown_row(marks), *map(_markdown_row, table.rows)]
        blocks += [f"### {table.title}", "\n".join(lines)]
    blocks += ["\n".join(f"- {note}" for note in notes(report))] if notes(report) else []
    return "\n\n".join(blocks) + "\n"


def absent_words(absent: AbsentCompetitor) -> str:
    name = COMPETITOR_NAMES.get(absent.competitor, absent.competitor)
    return ABSENT[absent.reason].format(name=name, detail=absent.detail.rstrip("."))


def check_words(check: CheckResult) -> str:
    """One sentence about a check, passed or not."""
    what = f"{CHECKS.get(check.name, check.name)} ({check.weight_format}, {check.subject})"
    if check.passed:
        return f"{check.compared} tokens are the same: {what}."
    if check.differing:
        return (
            f"WRONG: {check.differing} of {check.compared} tokens differ, the first at position {check.first}: {what}. "
            "Do not trust answers of this build; please report it."
        )
    return (
        f"WRONG: the logits are {100 * check.deviation:.3g} % off, {100 * check.tolerance:.3g} % allowed: {what}. "
        "Do not trust answers of this build; please report it."
    )


def case_words(mode: str, asked_share: float | None) -> str:
    """dense; exact, 10 % active; exact."""
    return mode if asked_share is None or mode == "dense" else f"{mode}, {100 * asked_share:g} % active"


# Tables -----------------------------------------------------------------------------------------------------------


def _decode_table(results: tuple[DecodeResult, ...], *, many_threads: bool) -> Table:
    heading = [
        "format",
        "case",
        "active",
        "depth",
        "tokens/s",
        "min to max",
        "MB/token",
        "GB/s",
        "of the limit",
        "held up by",
    ]
    if many_threads:
        heading.insert(3, "threads")
    rows = []
    for r in results:
        row = [
            r.weight_format, case_words(r.mode, r.asked_share), _percent(r.active_share), f"{r.depth:,}",
            rate(r.tokens_per_s.median), _range(r.tokens_per_s), f"{r.bytes_per_token / 1e6:,.0f}",
            f"{r.bytes_per_s / 1e9:.1f}", _percent(r.limit_share), BOUND[r.bound],
        ]  # fmt: skip
        if many_threads:
            row.insert(3, str(r.n_threads))
        rows.append(tuple(row))
    last = len(heading) - 1
    return Table("Decoding, one token at a time", tuple(heading), tuple(rows), frozenset(range(2, last)))


def _prefill_table(report: BenchmarkReport) -> Table:
    rows = tuple(
        (p.weight_format, f"{p.n_tokens:,}", str(p.n_threads), rate(p.tokens_per_s.median), _range(p.tokens_per_s))
        for p in report.prefill
    )
    return Table(
        "Reading a prompt", ("format", "tokens", "threads", "tokens/s", "min to max"), rows, frozenset(range(1, 5))
    )


def _comparison_table(comparisons: tuple[Comparison, ...]) -> Table:
    heading = (
        "compared with",
        "their file",
        "ours",
        "task",
        "theirs, tokens/s",
        "ours, tokens/s",
        "ratio",
        "min to max",
    )
    rows = []
    for c in comparisons:
        name = COMPETITOR_NAMES.get(c.competitor, c.competitor)
        task = f"decode at {c.size:,}" if c.task == "decode" else f"prompt of {c.size:,}"
        rows.append(
            (
                f"{name} {c.version}".strip(), c.their_format, f"{c.weight_format} {case_words(c.mode, c.asked_share)}",
                task, rate(c.theirs.median), rate(c.ours.median), f"{c.ratio.median:.2f}",
                f"{c.ratio.smallest:.2f} to {c.ratio.largest:.2f}",
            )
        )  # fmt: skip
    return Table("In turns with other engines", heading, tuple(rows), frozenset(range(4, 8)))


def _rate_table(rates: tuple[ReadRate, ...]) -> Table:
    rows = tuple(
        (str(r.n_threads), str(r.n_streams), *(f"{x / 1e9:.1f}" for x in (r.bytes_per_s.median, r.bytes_per_s.largest)))
        for r in rates
    )
    heading = ("threads", "streams a thread", "GB/s", "fastest")
    return Table("Reading memory", heading, rows, frozenset(range(4)))


def _bytes_table(results: tuple[DecodeResult, ...]) -> Table:
    """Where a token's bytes lie, for the first thread count."""
    first = [r for r in results if r.n_threads == results[0].n_threads]
    parts = list(dict.fromkeys(part for r in first for part, _ in r.step_bytes))
    rows = tuple(
        (
            r.weight_format, case_words(r.mode, r.asked_share), f"{r.depth:,}",
            *(f"{100 * dict(r.step_bytes).get(part, 0) / r.bytes_per_token:.0f} %" for part in parts),
        )
        for r in first
    )  # fmt: skip
    heading = ("format", "case", "depth", *(PARTS.get(part, part) for part in parts))
    return Table("Bytes read for a token", heading, rows, frozenset(range(2, len(heading))))


def _phase_table(results: tuple[DecodeResult, ...], *, many_threads: bool) -> Table:
    timed = [r for r in results if r.phases]
    phases = list(dict.fromkeys(phase for r in timed for phase, _ in r.phases))
    rows = tuple(
        (
            r.weight_format, case_words(r.mode, r.asked_share), *((str(r.n_threads),) if many_threads else ()),
            f"{r.depth:,}", *(f"{100 * dict(r.phases).get(phase, 0):.0f} %" for phase in phases),
        )
        for r in timed
    )  # fmt: skip
    threads = ("threads",) if many_threads else ()
    heading = ("format", "case", *threads, "depth", *(PHASES.get(phase, phase) for phase in phases))
    return Table(PHASE_TITLE, heading, rows, frozenset(range(2, len(heading))))


def _check_table(checks: tuple[CheckResult, ...]) -> Table:
    """One row for each kind of check and format; what failed is named in the notes."""
    rows = []
    for name, weight_format in dict.fromkeys((c.name, c.weight_format) for c in checks):
        alike = [c for c in checks if (c.name, c.weight_format) == (name, weight_format)]
        rows.append(
            (
                CHECKS.get(name, name), weight_format, str(len(alike)), f"{sum(c.compared for c in alike):,}",
                f"{sum(c.differing for c in alike):,}", f"{100 * max(c.deviation for c in alike):.2g} %",
                "same" if all(c.passed for c in alike) else "WRONG",
            )
        )  # fmt: skip
    heading = ("check", "format", "variants", "tokens", "differing", "logits apart at most", "result")
    return Table("Tokens against the reference", heading, tuple(rows), frozenset((2, 3, 4, 5)))


# Words and figures ------------------------------------------------------------------------------------------------


def _machine_state(report: BenchmarkReport) -> str:
    load = f"load {report.machine.load_average:.2f} at the start"
    return f"{load}, other programs took {100 * report.others_share:.0f} % of the processors"


def rate(value: float) -> str:
    """Three digits, or all before the point."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def _range(spread: Spread) -> str:
    return f"{rate(spread.smallest)} to {rate(spread.largest)}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.0f} %"


def _list(words: list[str]) -> str:
    *front, last = words
    return f"{', '.join(front)} and {last}" if front else last


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
