"""A benchmark report in words: tables, and the same as Markdown.

Written for a person who asks three things: how fast, compared with what, and what holds it up. Knows neither Qt nor the
terminal; a `Table` is a title, a heading and rows of text, and each front-end draws it its own way.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine_phrases import feed_forward_words
from app.error_text import format_bytes
from app.language import in_percent, tr
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
MODES = {"dense": "dense", "exact": "exact", "predicted": "predicted"}
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
    cores = tr("{usable} of {physical} cores") if m.physical_cores else tr("{usable} processors")
    cores = cores.format(usable=m.usable_cores, physical=m.physical_cores)
    threads = sorted({d.n_threads for d in report.decode} | {p.n_threads for p in report.prefill})
    ember = report.ember_version or tr("unknown version")
    if threads:
        ember = tr("{version}, {counts} threads").format(version=ember, counts=listed([str(n) for n in threads]))
    shape = tr("{layers} layers of width {width}, {neurons} neurons each ({kind}), {millions} M parameters").format(
        layers=s.n_layers, width=f"{s.width:,}", neurons=f"{s.n_neurons:,}", kind=feed_forward_words(s.feed_forward),
        millions=f"{s.n_parameters / 1e6:,.0f}",
    )  # fmt: skip
    measured = tr("{created}, in {seconds} s; {state}").format(
        created=report.created, seconds=f"{report.elapsed_s:.0f}", state=_machine_state(report)
    )
    return [
        (tr("Model"), tr("random weights of the shape {name}").format(name=s.shape) if s.shape else s.name),
        (tr("Shape"), shape),
        (tr("Machine"), f"{m.processor}, {cores}, {format_bytes(m.memory_bytes)}, {', '.join(m.vector_features)}"),
        (tr("System"), f"{m.system}, Python {m.python}"),
        ("Ember", ember),
        (tr("Measured"), measured),
    ]


def notes(report: BenchmarkReport) -> list[str]:
    """Sentences that stand below the tables: what a reader must know before believing a figure."""
    found = []
    if report.was_busy:
        text = tr(
            "The machine was busy: other programs took {before} % before and {during} % during it. The figures may be "
            "too low; try again."
        )
        before, during = 100 * report.machine.busy_share, 100 * report.others_share
        found.append(text.format(before=f"{before:.0f}", during=f"{during:.0f}"))
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
    subject = tr("shape {name}").format(name=s.shape) if s.shape else s.name
    blocks = ["## " + tr("Benchmark: {subject}").format(subject=subject)]
    blocks.append("\n".join(f"- {name}: {value}" for name, value in facts(report)))
    for table in tables(report):
        marks = ["---:" if i in table.numeric else "---" for i in range(len(table.heading))]
        lines = [_markdown_row(table.heading), _markdown_row(marks), *map(_markdown_row, table.rows)]
        blocks += [f"### {table.title}", "\n".join(lines)]
    blocks += ["\n".join(f"- {note}" for note in notes(report))] if notes(report) else []
    return "\n\n".join(blocks) + "\n"


def absent_words(absent: AbsentCompetitor) -> str:
    name = COMPETITOR_NAMES.get(absent.competitor, absent.competitor)
    return tr(ABSENT[absent.reason]).format(name=name, detail=absent.detail.rstrip("."))


def check_words(check: CheckResult) -> str:
    """One sentence about a check, passed or not."""
    what = f"{tr(CHECKS.get(check.name, check.name))} ({check.weight_format}, {check.subject})"
    if check.passed:
        return tr("{count} tokens are the same: {what}.").format(count=check.compared, what=what)
    if check.differing:
        text = tr(
            "WRONG: {differing} of {count} tokens differ, the first at position {first}: {what}. Do not trust answers "
            "of this build; please report it."
        )
        return text.format(differing=check.differing, count=check.compared, first=check.first, what=what)
    text = tr(
        "WRONG: the logits are {deviation} % off, {tolerance} % allowed: {what}. Do not trust answers of this build; "
        "please report it."
    )
    return text.format(deviation=f"{100 * check.deviation:.3g}", tolerance=f"{100 * check.tolerance:.3g}", what=what)


def case_words(mode: str, asked_share: float | None) -> str:
    """dense; exact, 10 % active; exact."""
    name = tr(MODES.get(mode, mode))
    if asked_share is None or mode == "dense":
        return name
    return tr("{mode}, {share} % active").format(mode=name, share=f"{100 * asked_share:g}")


def phase_name(phase: str) -> str:
    """A part of a token's time."""
    return tr(PHASES.get(phase, phase))


# Tables -----------------------------------------------------------------------------------------------------------


def _decode_table(results: tuple[DecodeResult, ...], *, many_threads: bool) -> Table:
    heading = [
        tr("format"), tr("case"), tr("active"), tr("depth"), tr("tokens/s"), tr("min to max"), tr("MB/token"), "GB/s",
        tr("of the limit"), tr("held up by"),
    ]  # fmt: skip
    if many_threads:
        heading.insert(3, tr("threads"))
    rows = []
    for r in results:
        row = [
            r.weight_format, case_words(r.mode, r.asked_share), _percent(r.active_share), f"{r.depth:,}",
            rate(r.tokens_per_s.median), _range(r.tokens_per_s), f"{r.bytes_per_token / 1e6:,.0f}",
            f"{r.bytes_per_s / 1e9:.1f}", _percent(r.limit_share), tr(BOUND[r.bound]),
        ]  # fmt: skip
        if many_threads:
            row.insert(3, str(r.n_threads))
        rows.append(tuple(row))
    last = len(heading) - 1
    return Table(tr("Decoding, one token at a time"), tuple(heading), tuple(rows), frozenset(range(2, last)))


def _prefill_table(report: BenchmarkReport) -> Table:
    rows = tuple(
        (p.weight_format, f"{p.n_tokens:,}", str(p.n_threads), rate(p.tokens_per_s.median), _range(p.tokens_per_s))
        for p in report.prefill
    )
    heading = (tr("format"), tr("tokens"), tr("threads"), tr("tokens/s"), tr("min to max"))
    return Table(tr("Reading a prompt"), heading, rows, frozenset(range(1, 5)))


def _comparison_table(comparisons: tuple[Comparison, ...]) -> Table:
    heading = (
        tr("compared with"), tr("their file"), tr("ours"), tr("task"), tr("theirs, tokens/s"), tr("ours, tokens/s"),
        tr("ratio"), tr("min to max"),
    )  # fmt: skip
    rows = []
    for c in comparisons:
        name = COMPETITOR_NAMES.get(c.competitor, c.competitor)
        task = tr("decode at {count}") if c.task == "decode" else tr("prompt of {count}")
        rows.append(
            (
                f"{name} {c.version}".strip(), c.their_format, f"{c.weight_format} {case_words(c.mode, c.asked_share)}",
                task.format(count=f"{c.size:,}"), rate(c.theirs.median), rate(c.ours.median), f"{c.ratio.median:.2f}",
                _from_to(f"{c.ratio.smallest:.2f}", f"{c.ratio.largest:.2f}"),
            )
        )  # fmt: skip
    return Table(tr("In turns with other engines"), heading, tuple(rows), frozenset(range(4, 8)))


def _rate_table(rates: tuple[ReadRate, ...]) -> Table:
    rows = tuple(
        (str(r.n_threads), str(r.n_streams), *(f"{x / 1e9:.1f}" for x in (r.bytes_per_s.median, r.bytes_per_s.largest)))
        for r in rates
    )
    heading = (tr("threads"), tr("streams a thread"), "GB/s", tr("fastest"))
    return Table(tr("Reading memory"), heading, rows, frozenset(range(4)))


def _bytes_table(results: tuple[DecodeResult, ...]) -> Table:
    """Where a token's bytes lie, for the first thread count."""
    first = [r for r in results if r.n_threads == results[0].n_threads]
    parts = list(dict.fromkeys(part for r in first for part, _ in r.step_bytes))
    rows = tuple(
        (
            r.weight_format, case_words(r.mode, r.asked_share), f"{r.depth:,}",
            *(_percent(dict(r.step_bytes).get(part, 0) / r.bytes_per_token) for part in parts),
        )
        for r in first
    )  # fmt: skip
    heading = (tr("format"), tr("case"), tr("depth"), *(tr(PARTS.get(part, part)) for part in parts))
    return Table(tr("Bytes read for a token"), heading, rows, frozenset(range(2, len(heading))))


def _phase_table(results: tuple[DecodeResult, ...], *, many_threads: bool) -> Table:
    timed = [r for r in results if r.phases]
    phases = list(dict.fromkeys(phase for r in timed for phase, _ in r.phases))
    rows = tuple(
        (
            r.weight_format, case_words(r.mode, r.asked_share), *((str(r.n_threads),) if many_threads else ()),
            f"{r.depth:,}", *(_percent(dict(r.phases).get(phase, 0)) for phase in phases),
        )
        for r in timed
    )  # fmt: skip
    threads = (tr("threads"),) if many_threads else ()
    heading = (tr("format"), tr("case"), *threads, tr("depth"), *map(phase_name, phases))
    return Table(tr(PHASE_TITLE), heading, rows, frozenset(range(2, len(heading))))


def _check_table(checks: tuple[CheckResult, ...]) -> Table:
    """One row for each kind of check and format; what failed is named in the notes."""
    rows = []
    for name, weight_format in dict.fromkeys((c.name, c.weight_format) for c in checks):
        alike = [c for c in checks if (c.name, c.weight_format) == (name, weight_format)]
        rows.append(
            (
                tr(CHECKS.get(name, name)), weight_format, str(len(alike)), f"{sum(c.compared for c in alike):,}",
                f"{sum(c.differing for c in alike):,}", in_percent(f"{100 * max(c.deviation for c in alike):.2g}"),
                tr("same") if all(c.passed for c in alike) else tr("WRONG"),
            )
        )  # fmt: skip
    heading = (
        tr("check"), tr("format"), tr("variants"), tr("tokens"), tr("differing"), tr("logits apart at most"),
        tr("result"),
    )  # fmt: skip
    return Table(tr("Tokens against the reference"), heading, tuple(rows), frozenset((2, 3, 4, 5)))


# Words and figures ------------------------------------------------------------------------------------------------


def _machine_state(report: BenchmarkReport) -> str:
    text = tr("load {load} at the start, other programs took {share} % of the processors")
    return text.format(load=f"{report.machine.load_average:.2f}", share=f"{100 * report.others_share:.0f}")


def rate(value: float) -> str:
    """Three digits, or all before the point."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def _range(spread: Spread) -> str:
    return _from_to(rate(spread.smallest), rate(spread.largest))


def _from_to(least: str, most: str) -> str:
    return tr("{least} to {most}").format(least=least, most=most)


def _percent(share: float | None) -> str:
    return "-" if share is None else in_percent(f"{100 * share:.0f}")


def listed(words: Sequence[str]) -> str:
    """a; a and b; a, b and c."""
    *front, last = words
    return tr("{first} and {last}").format(first=tr(", ").join(front), last=last) if front else last


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
