"""`ember bench`: measure a model or a shape, print the tables, keep the report.

Owns what the options mean as a `BenchmarkSpec`, and where reports go. Tables are written to the standard output,
progress beside them. The exit code is 1 where a check found a wrong token.
"""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from app.benchmark_history import save_report
from app.benchmark_text import facts, notes, tables, to_markdown
from app.error_text import describe
from app.paths import full_path
from app.terminal.console import Console
from app.terminal.library_commands import find_model
from app.terminal.session import Session
from app.terminal.text_table import fact_lines, table_lines
from engine.benchmark_report import BenchmarkReport, BenchmarkSpec, report_to_json
from engine.errors import InvalidRequest

# With --quick: a look, not a measurement to publish.
QUICK = {
    "active_shares": (1.0, 0.1), "depths": (0,), "prompt_tokens": (64,), "decoded_tokens": 8, "repeats": 2,
}  # fmt: skip
MODULES = {"xllamacpp": "xllamacpp", "llama-cpp-python": "llama_cpp"}


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What was asked for on the command line; in `values`, fields of BenchmarkSpec, None where an option is not given.

    history  the folder reports are kept in; None keeps none
    """

    model: str
    values: dict[str, object]
    quick: bool
    against: tuple[str, ...]
    checks: bool
    json_path: str
    markdown_path: str
    history: Path | None
    version: str


def run_bench(session: Session, console: Console, options: BenchOptions) -> int:
    """Measure, print and keep; returns the exit code."""
    try:
        spec = make_spec(options, session)
    except InvalidRequest as error:
        console.error(describe(error.report()))
        return 2
    for path in (options.json_path, options.markdown_path):
        if path:  # what cannot be written to is told before minutes of measuring
            with full_path(path).open("a", encoding="utf-8"):
                pass
    report = session.benchmark(spec)
    console.result_lines(to_text(report))
    if options.history is not None:
        _keep(report, options.history, console)
    for path, text in ((options.json_path, report_to_json(report)), (options.markdown_path, to_markdown(report))):
        if path:
            full_path(path).write_text(text, encoding="utf-8")
    return 1 if report.failed_checks else 0


def make_spec(options: BenchOptions, session: Session) -> BenchmarkSpec:
    """Raises InvalidRequest, UnknownModel."""
    values: dict[str, object] = dict(QUICK) if options.quick else {}
    values |= {name: value for name, value in options.values.items() if value is not None}
    model_id = find_model(session.models(), options.model).model_id if options.model else ""
    return BenchmarkSpec(
        model_id=model_id, against=competitors(options.against), checks=options.checks,
        ember_version=options.version, **values,  # type: ignore[arg-type]
    )  # fmt: skip


def competitors(asked: tuple[str, ...]) -> tuple[str, ...]:
    """`auto` stands for those that are installed here; llama-bench is only ever named by its path.

    Raises InvalidRequest for a path where there is no file.
    """
    installed = tuple(name for name, module in MODULES.items() if importlib.util.find_spec(module) is not None)
    found = [name for each in asked for name in (installed if each == "auto" else (each,))]
    for name in found:
        program = name.partition("=")[2]
        if program and not full_path(program).is_file():
            raise InvalidRequest("against", program, "a program that is there")
    return tuple(dict.fromkeys(name for name in found if name != "none"))


def to_text(report: BenchmarkReport) -> str:
    """Facts, tables and notes as plain lines."""
    blocks = [fact_lines(facts(report)), *(table_lines(table) for table in tables(report))]
    blocks += ["\n".join(notes(report))] if notes(report) else []
    return "\n\n".join(blocks)


def _keep(report: BenchmarkReport, folder: Path, console: Console) -> None:
    try:
        path = save_report(folder, report)
    except OSError as error:
        console.note(f"The report is not kept: {folder} cannot be written to ({error.strerror or error}).")
    else:
        console.note(f"Kept as {path}")
