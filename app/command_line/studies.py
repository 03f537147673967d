"""The commands about a model's neurons: studies of them, what is known, and what a tier changes."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from app.command_line.arguments import TEXT_KINDS, add_sampling, add_threads, chosen_sampling, counts, kinds, positive
from app.command_line.engine_session import with_engine
from app.command_line.version import version
from app.paths import AppPaths

if TYPE_CHECKING:
    from app.terminal.console import Console
    from app.terminal.session import Session
    from app.terminal.studies import ReportFiles


STUDIES = ("census", "profile", "predictors", "oracle", "tiers")
ANEW = "--anew"


def add_studies(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`ember profile`, `train-predictor`, `calibrate` and `neurons`."""
    profile = commands.add_parser(
        "profile",
        help="find out what a model's neurons do, and which matter for which kind of text",
        description="Run a model on text and note which neurons are active, by kind of text. Ctrl+C pauses; the same "
        "command goes on. Without a model: the starter.",
    )
    which = profile.add_mutually_exclusive_group()
    which.add_argument(
        "--census", action="store_const", const="census", dest="study",
        help="count instead: silent neurons, how few carry the activity, how alike consecutive tokens are; any model",
    )  # fmt: skip
    which.add_argument(
        "--oracle", action="store_const", const="oracle", dest="study",
        help="run twice instead: how few neurons and heads would suffice if they were known beforehand",
    )  # fmt: skip
    profile.add_argument("--kinds", type=kinds, metavar="K,…", help=f"of the bundled text: {', '.join(TEXT_KINDS)}")
    profile.add_argument(
        "--counts", default="", metavar="FOLDER", help="read published counts as the neurons' importance"
    )
    profile.set_defaults(study="profile")
    _add_study(profile, "32,768; 16,384 for --census, 8,192 for --oracle")

    training = commands.add_parser(
        "train-predictor",
        help="train predictors that name active neurons before they are computed",
        description="Collect what a model's neurons do, train predictors of it, and measure them on text that was held "
        "out. For models whose neurons can be silent. Ctrl+C pauses; the same command goes on.",
    )
    training.add_argument("--ranks", type=counts, metavar="N,…", help="ranks to train (default: by the model's width)")
    training.add_argument("--published", default="", metavar="FOLDER", help="take published predictors instead")
    training.set_defaults(study="predictors")
    _add_study(training, "196,608; 32,768 with --published")

    calibration = commands.add_parser(
        "calibrate",
        help="measure how much a model may leave out, and offer it as tiers",
        description="Choose for each layer what is left out, and measure what that costs and brings. A tier is offered "
        "only where it keeps its limit: a mean KL of 0.01 for fine, 0.03 for fast. Ctrl+C pauses; the same command "
        "goes on.",
    )
    calibration.set_defaults(study="tiers")
    _add_study(calibration, "16,384")

    neurons = commands.add_parser(
        "neurons",
        help="say what is known of a model's neurons",
        description="List the studies that are kept of a model, or show the report of one again.",
    )
    neurons.add_argument("model", nargs="?", default="", metavar="MODEL", help="a model of the library")
    neurons.add_argument(
        "study", nargs="?", default="", choices=("", *STUDIES), metavar="STUDY", help=", ".join(STUDIES)
    )
    neurons.add_argument(
        "--forget-chats", action="store_true", help="delete what was counted of your own chats with this model"
    )
    exchange = neurons.add_mutually_exclusive_group()
    exchange.add_argument(
        "--save-profile", default="", metavar="FILE", help="write the measured profile to a file, for others"
    )
    exchange.add_argument(
        "--add-profile", default="", metavar="FILE",
        help="count such a file of the same weights together with what was measured here",
    )  # fmt: skip
    _add_report_files(neurons)
    add_threads(neurons)
    neurons.set_defaults(run=lambda options: with_engine(options, _neurons))


def _add_study(parser: argparse.ArgumentParser, usual_tokens: str) -> None:
    """What every study is asked for with; `usual_tokens` says how many tokens are read where nothing is said."""
    parser.add_argument("model", nargs="?", default="", metavar="MODEL", help="a model of the library")
    parser.add_argument(
        "--text", nargs="+", action="extend", metavar="FILE", help="run the model on your own text files"
    )
    parser.add_argument(
        "--tokens", type=positive, metavar="N",
        help="tokens of text to run, in whole windows and at least one of each kind of text, mostly of 512 tokens "
        f"(default: {usual_tokens})",
    )  # fmt: skip
    parser.add_argument(ANEW, action="store_true", help="begin anew where a paused study could be gone on with")
    _add_report_files(parser)
    add_threads(parser)
    parser.set_defaults(run=lambda options: with_engine(options, _study))


def _add_report_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", default="", metavar="FILE", help="also write the report as JSON")
    parser.add_argument("--html", default="", metavar="FILE", help="also write it as a page with charts")
    parser.add_argument("--layers", action="store_true", help="print a row for every layer")


def add_compare(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`ember compare`."""
    compare = commands.add_parser(
        "compare",
        help="answer one message exactly and by a tier, and show where the answers part",
        description="Answer one message twice with the same seed: exactly, and by a tier that ember calibrate made.",
    )
    compare.add_argument("model", metavar="MODEL", help="a model of the library")
    compare.add_argument("words", nargs="+", metavar="MESSAGE", help="the message to answer")
    compare.add_argument("--tier", required=True, metavar="NAME", help="fine or fast")
    compare.add_argument("--system", metavar="TEXT", help="the system prompt")
    compare.add_argument("--json", default="", metavar="FILE", help="also write both answers as JSON")
    add_threads(compare)
    add_sampling(compare)
    compare.set_defaults(run=lambda options: with_engine(options, _compare))


def _study(options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.studies import StudyOptions, run_study

    chosen = StudyOptions(
        study=options.study,
        model=options.model,
        files=_report_files(options),
        command=options.command_line,
        kinds=getattr(options, "kinds", None) or (),
        paths=tuple(options.text or ()),
        n_tokens=options.tokens or 0,
        is_resumed=not options.anew,
        ranks=getattr(options, "ranks", None) or (),
        published=getattr(options, "published", ""),
        counts=getattr(options, "counts", ""),
        version=version(),
    )
    return run_study(session, console, chosen)


def _neurons(options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.studies import add_profile, forget_chats, run_neurons, save_profile

    if options.forget_chats:
        return forget_chats(session, console, options.model)
    if options.save_profile:
        return save_profile(session, console, options.model, options.save_profile)
    if options.add_profile:
        return add_profile(session, console, options.model, options.add_profile, version())
    return run_neurons(session, console, options.model, options.study, _report_files(options))


def _report_files(options: argparse.Namespace) -> "ReportFiles":
    from app.terminal.studies import ReportFiles

    return ReportFiles(options.json, options.html, options.layers)


def _compare(options: argparse.Namespace, session: "Session", console: "Console", paths: AppPaths) -> int:
    from app.error_text import describe
    from app.settings_file import SettingsFile
    from app.terminal.compare import COMPARED, CompareOptions, run_compare
    from engine.errors import InvalidRequest

    settings = SettingsFile(paths.settings).settings
    try:
        sampling = chosen_sampling(options, replace(settings.sampling(), **COMPARED))
    except InvalidRequest as error:
        console.error(describe(error.report()))
        return 2
    chosen = CompareOptions(
        model=options.model,
        prompt=" ".join(options.words),
        tier=options.tier,
        sampling=sampling,
        system=settings.system_prompt if options.system is None else options.system,
        json_path=options.json,
    )
    return run_compare(session, console, chosen)
