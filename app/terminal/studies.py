"""`ember profile`, `ember train-predictor`, `ember calibrate` and `ember neurons`: studies of a model's neurons.

Owns what the options mean as a `StudySpec`, how a study is paused and gone on with, and where reports go. Reports are
written to the standard output, progress beside them. Ctrl+C pauses a study; the same command goes on with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.benchmark_text import Table
from app.error_text import ErrorText, describe, describe_host_death
from app.neuron_html import study_to_html
from app.neuron_text import (
    STUDY_MEANINGS,
    STUDY_NAMES,
    not_sparse,
    percent,
    study_facts,
    study_headline,
    study_notes,
    study_tables,
)
from app.neuron_words import day_and_time
from app.paths import full_path
from app.study_commands import STUDY_COMMANDS
from app.terminal.columns import wrapped
from app.terminal.console import Console
from app.terminal.library_commands import INTERRUPTED, default_model, find_model
from app.terminal.session import EngineDied, RequestFailed, Session, Stopped
from app.terminal.text_table import fact_lines, table_lines
from engine.errors import InvalidRequest
from engine.messages import ModelInfo, StudiesRead
from engine.neuron_reports import STUDIES, StudyReport, StudySpec, TierReport, study_to_json

_NO_MODEL = "The library has no model yet. Add one with: ember import FILE.gguf"
# These need neurons that can be silent.
_SPARSE_ONLY = ("predictors", "tiers")


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """Where else a report goes, and how much of it is shown; empty paths are files that nobody asked for."""

    json_path: str = ""
    html_path: str = ""
    every_layer: bool = False

    def check(self) -> None:
        """What cannot be written to is told before a study begins. Raises OSError, UnclearPath."""
        for path in (self.json_path, self.html_path):
            if path:
                target = full_path(path)
                is_new = not target.exists()
                with target.open("a", encoding="utf-8"):
                    pass
                if is_new:
                    target.unlink()

    def write(self, report: StudyReport) -> list[Path]:
        """Raises OSError."""
        written = []
        for path, text in ((self.json_path, study_to_json(report)), (self.html_path, study_to_html(report))):
            if path:
                written.append(full_path(path))
                written[-1].write_text(text, encoding="utf-8")
        return written


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """What was asked for on the command line; see StudySpec.

    command  the command line, as it is given again to go on with a study that was paused
    """

    study: str
    model: str
    files: ReportFiles
    command: str
    kinds: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    n_tokens: int = 0
    is_resumed: bool = True
    ranks: tuple[int, ...] = ()
    published: str = ""
    counts: str = ""
    version: str = ""


def run_study(session: Session, console: Console, options: StudyOptions) -> int:
    """Study a model's neurons, print and keep the report; returns the exit code."""
    model = chosen_model(session.models(), options.model)
    if model is None:
        console.error(_NO_MODEL)
        return 1
    if options.study in _SPARSE_ONLY and not model.is_sparse:
        console.error(not_sparse(model.model_id, model.feed_forward, options.study))
        return 1
    try:
        spec = make_spec(options, model)
    except InvalidRequest as error:
        console.error(describe(error.report()))
        return 2
    options.files.check()
    done = _paused_at(session, model, options.study)
    if done is not None and options.is_resumed:
        console.note(f"Going on where it was paused, at {percent(round(done, 2))}. To begin anew: --anew")
    try:
        report = session.study(spec)
    except Stopped:
        console.note(f"Paused. Go on with: {options.command}")
        return INTERRUPTED
    except EngineDied as died:
        cause = describe_host_death(died.event).cause
        console.error(ErrorText(cause, f"What was found until shortly before is kept. Go on with: {options.command}"))
        return 1
    console.result_lines(report_text(report, console.columns, every_layer=options.files.every_layer))
    _write(report, options.files, console)
    return 0


def make_spec(options: StudyOptions, model: ModelInfo) -> StudySpec:
    """Raises InvalidRequest, UnclearPath."""
    return StudySpec(
        study=options.study,
        model_id=model.model_id,
        kinds=options.kinds,
        paths=tuple(str(full_path(path)) for path in options.paths),
        n_tokens=options.n_tokens,
        is_resumed=options.is_resumed,
        ranks=options.ranks,
        published=str(full_path(options.published)) if options.published else "",
        counts=str(full_path(options.counts)) if options.counts else "",
        ember_version=options.version,
    )


def run_neurons(session: Session, console: Console, wanted: str, study: str, files: ReportFiles) -> int:
    """Say what is kept of a model's neurons, or show the report of one study again; returns the exit code."""
    model = chosen_model(session.models(), wanted)
    if model is None:
        console.error(_NO_MODEL)
        return 1
    if not study and (files.json_path or files.html_path):
        console.error(f"A file holds the report of one study. Name it: ember neurons {model.model_id} {STUDIES[0]}")
        return 2
    kept = session.studies(model.model_id)
    if not study:
        console.result_lines(kept_text(kept, model, console.columns))
        return 0
    report = dict(kept.reports).get(study)
    if report is None:
        console.error(_not_kept(study, kept, model))
        return 1
    files.check()
    console.result_lines(report_text(report, console.columns, every_layer=files.every_layer))
    _write(report, files, console)
    return 0


def forget_chats(session: Session, console: Console, wanted: str) -> int:
    """Delete what was counted of the user's chats with a model; returns the exit code."""
    model = chosen_model(session.models(), wanted)
    if model is None:
        console.error(_NO_MODEL)
        return 1
    counted = session.studies(model.model_id).chat_tokens
    session.forget_chats(model.model_id)
    console.note(
        f"Deleted: the counts of {counted:,} tokens of your chats with {model.model_id}."
        if counted
        else f"Nothing was counted of your chats with {model.model_id}."
    )
    return 0


def save_profile(session: Session, console: Console, wanted: str, path: str) -> int:
    """Write what was measured of a model's neurons to a file; returns the exit code. Raises UnclearPath."""
    model = chosen_model(session.models(), wanted)
    if model is None:
        console.error(_NO_MODEL)
        return 1
    target = full_path(path)
    session.save_profile(model.model_id, str(target))
    console.note(f"Written: {target}. It holds counts of neurons on texts, nothing of your chats.")
    return 0


def add_profile(session: Session, console: Console, wanted: str, path: str, version: str) -> int:
    """Count somebody's profile together with what is kept; returns the exit code. Raises UnclearPath."""
    model = chosen_model(session.models(), wanted)
    if model is None:
        console.error(_NO_MODEL)
        return 1
    kept = session.add_profile(model.model_id, str(full_path(path)), version)
    report = dict(kept.reports).get("profile")
    if report is not None:
        console.result_lines(report_text(report, console.columns, every_layer=False))
    return 0


def chosen_model(models: Sequence[ModelInfo], wanted: str) -> ModelInfo | None:
    """The model that is named; without a name the starter, or else the first. Raises UnknownModel."""
    if wanted:
        return find_model(models, wanted)
    return next((model for model in models if model.note == "starter"), default_model(models, ""))


def report_text(report: StudyReport, columns: int | None, *, every_layer: bool) -> str:
    """Headline, facts, tables and notes as plain lines, in so many columns."""
    blocks = [_filled(study_headline(report), columns), fact_lines(study_facts(report), columns)]
    blocks += [table_lines(table, columns) for table in study_tables(report, every_layer=every_layer)]
    notes = study_notes(report)
    blocks += ["\n".join(_filled(note, columns) for note in notes)] if notes else []
    return "\n\n".join(blocks)


def kept_text(kept: StudiesRead, model: ModelInfo, columns: int | None) -> str:
    """Every study with its state, what the finished ones say, and how the others are begun."""
    reports, unfinished = dict(kept.reports), dict(kept.unfinished)
    rows, next_steps = [], []
    for study in STUDIES:
        report = reports.get(study)
        is_for_it = model.is_sparse or study not in _SPARSE_ONLY
        state = _state(study, kept) if is_for_it else "not for this model"
        when = day_and_time(report.head.created) if report else ""
        tokens = f"{report.head.n_tokens:,}" if report else ""
        rows.append((STUDY_NAMES[study], state, when, tokens))
        if is_for_it and (report is None or study in unfinished):
            next_steps.append((STUDY_COMMANDS[study].format(model.model_id), STUDY_MEANINGS[study]))
    heading = ("study", "state", "when", "tokens of text")
    blocks = [
        table_lines(
            Table(f"Neurons of {model.name} ({model.model_id})", heading, tuple(rows), frozenset((3,))), columns
        )
    ]
    said = [(STUDY_NAMES[study], study_headline(report)) for study, report in kept.reports]
    blocks += [fact_lines(said, columns)] if said else []
    tiers = reports.get("tiers")
    if isinstance(tiers, TierReport):
        blocks.append(table_lines(study_tables(tiers)[0], columns))
    if kept.chat_tokens:
        forgetting = f"ember neurons {model.model_id} --forget-chats"
        counted = f"Of your chats, {kept.chat_tokens:,} tokens were counted, on this computer only. To delete that:"
        blocks.append(f"{_filled(counted, columns)}\n  {forgetting}")
    if not model.is_sparse:
        refusal = not_sparse(model.model_id, model.feed_forward, "predictors")
        blocks.append(_filled(refusal.cause, columns))
    if next_steps:
        blocks.append(
            "To begin or go on:\n" + fact_lines([(f"  {command}", what) for command, what in next_steps], columns)
        )
    return "\n\n".join(blocks)


def _paused_at(session: Session, model: ModelInfo, study: str) -> float | None:
    """Share done of a paused study. Reports that cannot be read are no reason not to measure."""
    try:
        return dict(session.studies(model.model_id).unfinished).get(study)
    except RequestFailed:
        return None


def _state(study: str, kept: StudiesRead) -> str:
    share = dict(kept.unfinished).get(study)
    unfinished = "" if share is None else f"unfinished, at {percent(round(share, 2))}"
    if study in dict(kept.reports):
        return f"done; another {unfinished}" if unfinished else "done"
    if study in kept.damaged:
        return f"damaged, {unfinished or 'measure again'}"
    if study in kept.stale:
        return f"of other weights, {unfinished or 'measure again'}"
    return unfinished or "not done"


def _not_kept(study: str, kept: StudiesRead, model: ModelInfo) -> ErrorText:
    name, command = STUDY_NAMES[study], STUDY_COMMANDS[study].format(model.model_id)
    if study in _SPARSE_ONLY and not model.is_sparse:
        return not_sparse(model.model_id, model.feed_forward, study)
    if study in kept.damaged:
        return ErrorText(
            f"{name} of {model.model_id}: the kept report is damaged and cannot be read.",
            f"Measure again, which replaces it: {command}",
        )
    share = dict(kept.unfinished).get(study)
    if share is not None:
        return ErrorText(
            f"{name} of {model.model_id}: unfinished, at {percent(round(share, 2))}.", f"Go on with: {command}"
        )
    if study in kept.stale:
        return ErrorText(
            f"{name} of {model.model_id}: the kept report is of other weights; the model was packed anew since.",
            f"Measure again: {command}",
        )
    return ErrorText(f"{name} of {model.model_id}: nothing is kept.", f"Begin with: {command}")


def _write(report: StudyReport, files: ReportFiles, console: Console) -> None:
    for path in files.write(report):
        console.note(f"Written: {path}")


def _filled(text: str, columns: int | None) -> str:
    return text if columns is None else "\n".join(wrapped(text, columns))
