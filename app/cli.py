"""The command line: what was asked for, and who does it.

Owns the arguments and the building of the few objects a command needs; imports of front-ends wait until their command
is known, so that `ember --version` answers at once and a broken Qt does not take the terminal along.
"""

import argparse
import contextlib
import errno
import importlib.metadata
import importlib.util
import io
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from app.paths import SOURCE_ROOT, AppPaths, UnclearPath, app_paths, full_path

if TYPE_CHECKING:
    from app.terminal.console import Console
    from app.terminal.session import Session
    from app.terminal.studies import ReportFiles
    from engine.messages import EngineConfig, SamplingParams

WEIGHT_FORMATS = ("mixed", "int8", "int4", "f32")
TEXT_KINDS = ("prose", "chinese", "code", "dialogue")
WINDOW_PAGES = ("chat", "models", "speed", "neurons", "device", "settings", "logs")
MOST_VARIANTS = 32
STUDIES = ("census", "profile", "predictors", "oracle", "tiers")
_ANEW = "--anew"
_BROKEN_PIPE = 141  # what shells report for a reader that went away
_INTERRUPTED = 130
_SPEED = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmg]?)(i?)b?(?:/s)?\s*", re.IGNORECASE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _replace_closed_streams()
    _use_utf8()
    try:
        options = _parsed(arguments)
        code = int(options.run(options))
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except UnclearPath as error:
        return _refused(str(error))
    except OSError as error:
        return _refused(_reason(error))
    return code


def version() -> str:
    """The installed version; in a source tree, the one it will be installed as."""
    try:
        return importlib.metadata.version("emberchat")
    except importlib.metadata.PackageNotFoundError:
        with (SOURCE_ROOT / "pyproject.toml").open("rb") as file:
            return str(tomllib.load(file)["project"]["version"])


def _parsed(arguments: list[str]) -> argparse.Namespace:
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and hasattr(options, "words") and not any(word.startswith("-") for word in rest):
        options.words += rest  # argparse gives up on a message that goes on after an option
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    # As it is given again to go on with what was paused.
    options.command_line = shlex.join(["ember", *(word for word in arguments if word != _ANEW)])
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ember",
        description="Chat with large language models on this computer. Without a command: the window, or the terminal "
        "chat where there is no display.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and leave")
    parser.add_argument("--terminal", action="store_true", help="chat in the terminal even where a window could open")
    parser.add_argument(
        "--portable", action="store_true", help="keep everything in the folder ember-home beside the program"
    )
    window = parser.add_argument_group("the window")
    window.add_argument("--open", action="append", default=[], metavar="FILE", help="import a model; may be repeated")
    window.add_argument("--new-chat", action="store_true", help="begin a conversation")
    window.add_argument("--page", choices=WINDOW_PAGES, default="", metavar="NAME", help=", ".join(WINDOW_PAGES))
    parser.set_defaults(run=_run_default)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")

    chat = commands.add_parser(
        "chat",
        help="chat in the terminal, or answer one message",
        description="Chat in the terminal. With a message: answer it and leave; what comes through a pipe is added. "
        "Without a message, each line that comes through a pipe is one. Answers alone go to the standard output.",
    )
    chat.add_argument("words", nargs="*", metavar="MODEL | MESSAGE", help="a model of the library, then a message")
    chat.add_argument("--system", metavar="TEXT", help="the system prompt")
    chat.add_argument("--context", type=_positive, metavar="N", help="tokens of context to make room for")
    chat.add_argument("--format", choices=("mixed", "int8", "int4"), default="", help="weight format to pack in")
    chat.add_argument("--tier", default="exact", metavar="NAME", help="exact, or one that ember calibrate has measured")
    chat.add_argument(
        "--variants",
        type=_variants,
        default=1,
        metavar="N",
        help="give so many answers to the message, computed together; with --seed S they have the seeds S, S + 1, …",
    )
    chat.add_argument("--stats", action="store_true", help="show measured figures after each answer")
    chat.add_argument("--no-history", action="store_true", help="keep no history of what is typed")
    _add_threads(chat)
    _add_card(chat)
    _add_sampling(chat)
    chat.set_defaults(run=_run_chat)

    listing = commands.add_parser("list", help="list the models of the library")
    _add_threads(listing)
    listing.set_defaults(run=lambda options: _with_engine(options, _list))

    commands.add_parser("ps", help="say what runs: downloads, who has them in hand, memory").set_defaults(
        run=lambda options: _with_engine(options, _ps), threads=None
    )
    _add_pull(commands)
    _add_token(commands)

    showing = commands.add_parser("show", help="say what a model is and what memory it needs")
    showing.add_argument("model", metavar="MODEL")
    showing.add_argument("--context", type=_positive, metavar="N", help="tokens of context to reckon with")
    showing.add_argument("--json", action="store_true", help="print it as JSON")
    _add_threads(showing)
    showing.set_defaults(run=lambda options: _with_engine(options, _show))

    importing = commands.add_parser("import", help="pack a GGUF file or a folder of weights into the library")
    importing.add_argument("file", metavar="FILE.gguf | FOLDER")
    importing.add_argument(
        "--format",
        choices=WEIGHT_FORMATS,
        default="",
        help="weight format: int8 keeps the quality, int4 takes half the memory, mixed lies between (default: int8, "
        "and mixed from a billion weights)",
    )
    _add_threads(importing)
    importing.set_defaults(run=lambda options: _with_engine(options, _import))

    removing = commands.add_parser(
        "rm",
        help="move a model to the trash, or delete it",
        description="Move a model, and what it was packed from, to the library's trash. It is emptied after 30 days.",
    )
    what = removing.add_mutually_exclusive_group(required=True)
    what.add_argument("model", nargs="?", metavar="MODEL")
    what.add_argument("--restore", metavar="MODEL", help="take a model out of the trash")
    what.add_argument("--empty-trash", action="store_true", help="delete for good what is in the trash")
    removing.add_argument("--now", action="store_true", help="delete the model at once")
    _add_threads(removing)
    removing.set_defaults(run=lambda options: _with_engine(options, _remove))

    doctor = commands.add_parser("doctor", help="look at this computer and say what Ember can use")
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.add_argument("--measure", action="store_true", help="first measure how fast memory and card are, anew")
    _add_threads(doctor)
    doctor.set_defaults(run=_run_doctor)

    _add_plan(commands)
    _add_bench(commands)
    _add_studies(commands)
    _add_compare(commands)
    return parser


def _add_plan(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    plan = commands.add_parser(
        "plan",
        help="say what a graphics card's memory would buy for a model, without loading it",
        description="Predict the speed of a model for every budget of a card's memory, and show what the budget is "
        "spent on. Without a model: the starter.",
    )
    plan.add_argument("model", nargs="?", default="", metavar="MODEL", help="a model of the library")
    plan.add_argument(
        "--vram", type=_memory_size, metavar="SIZE", help="a budget, such as 4GiB (default: all that helps)"
    )
    plan.add_argument("--context", type=_positive, metavar="N", help="tokens of context to reckon with")
    card = plan.add_mutually_exclusive_group()
    card.add_argument("--card", default="auto", metavar="CARD", help="a card's name or UUID, auto, or none")
    card.add_argument(
        "--assume-card",
        default="",
        metavar="NAME",
        help="reckon with the published figures of a card, such as RTX 4090",
    )
    plan.add_argument("--json", action="store_true", help="print it as JSON")
    _add_threads(plan)
    plan.set_defaults(run=lambda options: _with_engine(options, _plan))


def _add_pull(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    pull = commands.add_parser(
        "pull",
        help="download a model from the hub and prepare it",
        description="Download a model from the hub and prepare it for use. Ctrl+C pauses; the same command goes on "
        "from the byte where it was. HF_ENDPOINT names a mirror of the hub, HTTPS_PROXY, ALL_PROXY and NO_PROXY the "
        "proxy to go by.",
    )
    pull.add_argument("model", metavar="REPO[@REV]", help="owner/name, or a link to a model on the hub")
    pull.add_argument("--limit", type=_speed, metavar="SPEED", help="download no faster, such as 10MB/s")
    pull.add_argument("--format", choices=WEIGHT_FORMATS, default="", help="weight format to pack in")
    pull.add_argument("--no-pack", action="store_true", help="only download")
    source = pull.add_mutually_exclusive_group()
    source.add_argument(
        "--keep-source", action="store_true", default=None, help="keep the weights as they came beside the packed file"
    )
    source.add_argument(
        "--replace-source", action="store_false", dest="keep_source", help="delete them once the packed file is whole"
    )
    _add_threads(pull)
    pull.set_defaults(run=lambda options: _with_engine(options, _pull))


def _add_token(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    token = commands.add_parser(
        "token",
        help="keep the hub's access token, for gated and private models",
        description="Keep the hub's access token: it is asked for without being shown, or read from a pipe, and goes "
        "to the hub it was entered for and nowhere else.",
    )
    chosen = token.add_mutually_exclusive_group()
    chosen.add_argument("--forget", action="store_true", help="delete the token that is kept")
    chosen.add_argument("--where", action="store_true", help="only say where a token is kept")
    token.set_defaults(threads=None, run=lambda options: _with_engine(options, _token))


def _add_bench(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    bench = commands.add_parser(
        "bench",
        help="measure how fast this computer runs a model",
        description="Measure decoding and the reading of prompts, how fast memory is read, and other engines in turns "
        "on the same file. Without arguments: the starter model, against llama.cpp where the package xllamacpp is "
        "installed. Reports are kept; close other programs first.",
    )
    what = bench.add_mutually_exclusive_group()
    what.add_argument("model", nargs="?", default="", metavar="MODEL", help="a model of the library")
    what.add_argument(
        "--shape", metavar="NAME", help="random weights of this size: 1b, 7b, 13b, or the first 8 layers: 7b-8"
    )
    bench.add_argument("--format", type=_words, metavar="F,…", help=f"weight formats: {', '.join(WEIGHT_FORMATS)}")
    bench.add_argument("--modes", type=_words, metavar="M,…", help="dense, exact, predicted (default: all there are)")
    bench.add_argument(
        "--active", type=_shares, metavar="S,…", help="shares of active neurons of a shape, such as 1.0,0.1"
    )
    bench.add_argument("--depth", type=_counts, metavar="N,…", help="tokens in the cache when decoding is measured")
    bench.add_argument("--prompt", type=_counts, metavar="N,…", help="lengths of the prompts that are read")
    bench.add_argument("--tokens", type=_positive, metavar="N", help="tokens decoded in one measurement")
    bench.add_argument("--repeats", type=_positive, metavar="N", help="measurements of each figure (default: 5)")
    threads = bench.add_mutually_exclusive_group()
    _add_threads(threads)
    threads.add_argument(
        "--thread-sweep", action="store_true", help="measure decoding with 1, 2, 3, 4, 6, 8, … threads"
    )
    bench.add_argument(
        "--against",
        action="append",
        metavar="ENGINE",
        help="xllamacpp, llama-cpp-python, llama-bench=PATH, auto (those that are installed) or none; may be repeated",
    )
    bench.add_argument("--quick", action="store_true", help="few and short measurements")
    bench.add_argument("--check", action="store_true", help="compare the tokens of every fast path with the reference")
    bench.add_argument("--json", default="", metavar="FILE", help="also write the report as JSON")
    bench.add_argument("--markdown", default="", metavar="FILE", help="also write the tables as Markdown")
    bench.add_argument("--no-history", action="store_true", help="keep no report")
    bench.set_defaults(run=lambda options: _with_engine(options, _bench))


def _add_studies(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
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
    profile.add_argument("--kinds", type=_kinds, metavar="K,…", help=f"of the bundled text: {', '.join(TEXT_KINDS)}")
    profile.add_argument(
        "--counts", default="", metavar="FOLDER", help="read published counts as the neurons' importance"
    )
    profile.set_defaults(study="profile")
    _add_study(profile)

    training = commands.add_parser(
        "train-predictor",
        help="train predictors that name active neurons before they are computed",
        description="Collect what a model's neurons do, train predictors of it, and measure them on text that was held "
        "out. For models whose neurons can be silent. Ctrl+C pauses; the same command goes on.",
    )
    training.add_argument("--ranks", type=_counts, metavar="N,…", help="ranks to train (default: by the model's width)")
    training.add_argument("--published", default="", metavar="FOLDER", help="take published predictors instead")
    training.set_defaults(study="predictors")
    _add_study(training)

    calibration = commands.add_parser(
        "calibrate",
        help="measure how much a model may leave out, and offer it as tiers",
        description="Choose for each layer what is left out, and measure what that costs and brings. A tier is offered "
        "only where it keeps its limit: a mean KL of 0.01 for fine, 0.03 for fast. Ctrl+C pauses; the same command "
        "goes on.",
    )
    calibration.set_defaults(study="tiers")
    _add_study(calibration)

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
    _add_threads(neurons)
    neurons.set_defaults(run=lambda options: _with_engine(options, _neurons))


def _add_study(parser: argparse.ArgumentParser) -> None:
    """What every study is asked for with."""
    parser.add_argument("model", nargs="?", default="", metavar="MODEL", help="a model of the library")
    parser.add_argument(
        "--text", nargs="+", action="extend", metavar="FILE", help="run the model on your own text files"
    )
    parser.add_argument(
        "--tokens", type=_positive, metavar="N",
        help="tokens of text to run, in whole windows and at least one of each kind of text, mostly of 512 tokens "
        "(default: what suits)",
    )  # fmt: skip
    parser.add_argument(_ANEW, action="store_true", help="begin anew where a paused study could be gone on with")
    _add_report_files(parser)
    _add_threads(parser)
    parser.set_defaults(run=lambda options: _with_engine(options, _study))


def _add_report_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", default="", metavar="FILE", help="also write the report as JSON")
    parser.add_argument("--html", default="", metavar="FILE", help="also write it as a page with charts")
    parser.add_argument("--layers", action="store_true", help="print a row for every layer")


def _add_compare(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    compare = commands.add_parser(
        "compare",
        help="answer one message exactly and by a tier, and show where the answers part",
        description="Answer one message twice with the same seed: exactly, and by a tier that ember calibrate made.",
    )
    compare.add_argument("model", metavar="MODEL", help="a model of the library")
    compare.add_argument("words", nargs="+", metavar="MESSAGE")
    compare.add_argument("--tier", required=True, metavar="NAME", help="fine or fast")
    compare.add_argument("--system", metavar="TEXT", help="the system prompt")
    compare.add_argument("--json", default="", metavar="FILE", help="also write both answers as JSON")
    _add_threads(compare)
    _add_sampling(compare)
    compare.set_defaults(run=lambda options: _with_engine(options, _compare))


def _add_threads(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--threads", type=_positive, metavar="N", help="compute threads (default: one per core)")


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    from app.terminal.sampling import PARAMETERS

    group = parser.add_argument_group("how the next token is chosen")
    for parameter in PARAMETERS:
        option = f"--{parameter.name.replace('_', '-')}"
        action = "append" if parameter.repeats else "store"
        group.add_argument(option, action=action, metavar=parameter.form, help=parameter.meaning.replace("%", "%%"))


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def _variants(text: str) -> int:
    value = _positive(text)
    if value > MOST_VARIANTS:
        raise argparse.ArgumentTypeError(f"must be 1 to {MOST_VARIANTS}")
    return value


def _add_card(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--card",
        default="auto",
        metavar="CARD",
        help="a card's name or UUID, auto, none, or emulated: the processor plays a card, slowly, to show how it works",
    )
    parser.add_argument(
        "--vram", type=_memory_size, metavar="SIZE", help="how much of the card's memory to take, such as 4GiB"
    )


def _memory_size(text: str) -> int:
    from app.terminal.sizes import memory_size

    try:
        return memory_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _speed(text: str) -> int:
    """A speed as people write it, in bytes a second: 10MB/s, 1.5 MiB, 800k."""
    match = _SPEED.fullmatch(text)
    value = float(match[1]) * (1024 if match[3] else 1000) ** " kmg".index(match[2].lower() or " ") if match else 0.0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no speed; write for example 10MB/s")
    return int(value)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _counts(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in _words(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of whole numbers, such as 64,512") from None


def _kinds(text: str) -> tuple[str, ...]:
    kinds = _words(text)
    unknown = [kind for kind in kinds if kind not in TEXT_KINDS]
    if unknown or not kinds:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown) or text!r} is none of {', '.join(TEXT_KINDS)}")
    return kinds


def _shares(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(word) for word in _words(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of shares, such as 1.0,0.1") from None


# Front-ends -------------------------------------------------------------------------------------------------------


def _run_default(options: argparse.Namespace) -> int:
    if options.version:
        print(f"ember {version()}")
        return 0
    from app.display import has_display
    from app.handover import Opening

    if not options.terminal and importlib.util.find_spec("PySide6") is not None and has_display(os.environ):
        try:
            from app.window.start import run_window
        except ImportError as error:
            print(f"The window cannot be opened ({error}); see: ember doctor. Chatting here instead.", file=sys.stderr)
        else:
            files = tuple(str(full_path(name)) for name in options.open)
            opening = Opening(files, options.page, begins_chat=options.new_chat)
            return int(run_window(app_paths(is_portable=options.portable), opening))
    return int(main(["--portable", "chat"] if options.portable else ["chat"]))


def _run_doctor(options: argparse.Namespace) -> int:
    from app.terminal import doctor

    paths = app_paths(is_portable=options.portable)
    if options.measure and (code := _with_engine(options, _measure)):
        return code
    return doctor.run(_engine_config(options, paths, str(paths.engine_log)), as_json=options.json)


def _measure(_options: argparse.Namespace, session: "Session", _console: "Console", _paths: AppPaths) -> int:
    session.devices(measure=True)
    return 0


def _plan(options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.plan import PlanOptions, run_plan

    chosen = PlanOptions(
        model=options.model,
        context_tokens=options.context,
        vram_bytes=options.vram,
        card=options.card,
        assumed_card=options.assume_card,
        as_json=options.json,
    )
    return run_plan(session, console, chosen)


def _run_chat(options: argparse.Namespace) -> int:
    if isinstance(sys.stdin, _ClosedStream):
        sys.stdin.refuse()  # before a model is loaded for nothing
    return _with_engine(options, _chat)


def _chat(options: argparse.Namespace, session: "Session", console: "Console", paths: AppPaths) -> int:
    from app.error_text import describe
    from app.settings_file import SettingsFile
    from app.terminal.chat import ChatOptions, run_chat
    from engine.errors import InvalidRequest

    settings = SettingsFile(paths.settings).settings
    try:
        sampling = _sampling(options, settings.sampling())
    except InvalidRequest as error:
        console.error(describe(error.report()))
        return 2
    return run_chat(
        session,
        console,
        sys.stdin,
        ChatOptions(
            words=tuple(options.words),
            system=settings.system_prompt if options.system is None else options.system,
            sampling=sampling,
            context_tokens=options.context,
            weight_format=options.format,
            shows_stats=options.stats,
            history_path=None if options.no_history else paths.terminal_history,
            last_model=settings.last_model,
            version=version(),
            tier=options.tier,
            card=options.card,
            vram_bytes=options.vram,
            n_variants=options.variants,
        ),
    )


def _sampling(options: argparse.Namespace, chosen: "SamplingParams") -> "SamplingParams":
    from app.terminal.sampling import PARAMETERS, changed

    for parameter in PARAMETERS:
        value = getattr(options, parameter.name)
        if value is not None:
            chosen = changed(chosen, parameter.name, value if parameter.repeats else [value])
    return chosen


def _list(_options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.library_commands import run_list

    return run_list(session, console)


def _ps(_options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.library_commands import run_ps

    return run_ps(session, console)


def _token(options: argparse.Namespace, session: "Session", console: "Console", paths: AppPaths) -> int:
    from app.network import network_settings
    from app.settings_file import SettingsFile
    from app.terminal.token import run_token

    own = SettingsFile(paths.settings).settings
    network = network_settings(
        os.environ, endpoint=own.endpoint, is_offline=own.is_offline, proxy=own.proxy, ca_file=own.ca_file
    )
    asks = not (options.forget or options.where)
    return run_token(session, console, sys.stdin, network, forgets=options.forget, asks=asks)


def _pull(options: argparse.Namespace, session: "Session", console: "Console", paths: AppPaths) -> int:
    from app.network import network_settings
    from app.settings_file import SettingsFile
    from app.terminal.pull import PullOptions, run_pull

    own = SettingsFile(paths.settings).settings
    keeps_source = own.keeps_source if options.keep_source is None else options.keep_source
    chosen = PullOptions(
        reference=options.model,
        command=options.command_line,
        network=network_settings(
            os.environ, endpoint=own.endpoint, is_offline=own.is_offline, proxy=own.proxy, ca_file=own.ca_file
        ),
        limit_bytes_s=options.limit or own.download_limit,
        weight_format=options.format,
        packs=not options.no_pack,
        keeps_source=keeps_source or options.no_pack,
    )
    return run_pull(session, console, chosen)


def _import(options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.library_commands import run_import

    return run_import(session, console, options.file, options.format)


def _show(options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.show import run_show

    return run_show(session, console, options.model, options.context, as_json=options.json)


def _remove(options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.library_commands import run_empty_trash, run_remove, run_restore

    if options.empty_trash:
        return run_empty_trash(session, console)
    if options.restore:
        return run_restore(session, console, options.restore)
    return run_remove(session, console, options.model, at_once=options.now)


def _bench(options: argparse.Namespace, session: "Session", console: "Console", paths: AppPaths) -> int:
    from app.terminal.bench import BenchOptions, run_bench

    values = {
        "shape": options.shape,
        "weight_formats": options.format,
        "modes": options.modes,
        "active_shares": options.active,
        "depths": options.depth,
        "prompt_tokens": options.prompt,
        "decoded_tokens": options.tokens,
        "repeats": options.repeats,
        "thread_sweep": options.thread_sweep,
    }
    chosen = BenchOptions(
        model=options.model,
        values=values,
        quick=options.quick,
        # A shape has no file until one is written for it: other engines are measured on it only when asked for.
        against=tuple(options.against or (("none",) if options.shape or options.quick else ("auto",))),
        checks=options.check,
        json_path=options.json,
        markdown_path=options.markdown,
        history=None if options.no_history else paths.benchmarks,
        version=version(),
    )
    return run_bench(session, console, chosen)


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
        sampling = _sampling(options, replace(settings.sampling(), **COMPARED))
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


def _with_engine(
    options: argparse.Namespace, command: Callable[[argparse.Namespace, "Session", "Console", AppPaths], int]
) -> int:
    """Run a command that talks to an engine; whatever happens, close the engine."""
    from app.settings_file import SettingsFile, problem_words
    from app.terminal.console import Console
    from app.terminal.ending import ended_by_signals
    from app.terminal.library_commands import explain
    from app.terminal.session import EngineDied, RequestFailed, Session, Stopped
    from engine.api import open_engine
    from engine.errors import UnknownModel

    paths = app_paths(is_portable=options.portable)
    console = Console(sys.stdout, sys.stderr)
    config = _engine_config(options, paths, _log_path(paths, console))
    file = SettingsFile(paths.settings)
    if file.problem is not None:  # said here, where they are first read: a broken file is kept aside by that
        console.note(problem_words(file.problem))
    folders = file.settings.library_folders
    session = Session(lambda on_event: open_engine(config, on_event), console.progress, folders)
    try:
        with ended_by_signals():
            return command(options, session, console, paths)
    except (RequestFailed, EngineDied, Stopped, UnknownModel) as error:
        return explain(error, console)
    finally:
        session.close()


def _engine_config(options: argparse.Namespace, paths: AppPaths, log_path: str) -> "EngineConfig":
    from engine.messages import EngineConfig

    return EngineConfig(
        library_dir=str(paths.library),
        kernel_cache_dir=str(paths.kernel_cache),
        n_threads=options.threads,
        log_path=log_path,
        card="none" if getattr(options, "assume_card", "") else getattr(options, "card", "auto"),
        vram_bytes=getattr(options, "vram", None),
    )


def _log_path(paths: AppPaths, console: "Console") -> str:
    try:
        paths.logs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        console.note(f"There will be no log: {paths.logs} cannot be made ({error.strerror or error}).")
        return ""
    return str(paths.engine_log)


def _reason(error: OSError) -> str:
    """What the system did not allow, in a sentence."""
    reason = error.strerror or str(error)
    if error.filename is None and error.errno in (errno.ENOSPC, errno.EIO):
        _drop_output()
        return f"The output cannot be written: {reason}."
    try:
        Path.cwd()
    except OSError:
        return "The folder Ember was started in no longer exists. Change to another one."
    where = f" ({error.filename})" if error.filename else ""
    return f"Ember cannot go on: {reason}{where}."


def _refused(sentence: str) -> int:
    with contextlib.suppress(OSError):
        print(sentence, file=sys.stderr, flush=True)
    return 1


def _drop_output() -> None:
    """Python would complain once more when it flushes the stream at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _ClosedStream(io.TextIOBase):
    """Stands for a standard stream the program was started without: using it says so."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._error = OSError(errno.EBADF, f"the standard {name} is closed")

    def refuse(self) -> None:
        raise self._error

    def write(self, _text: str) -> int:
        raise self._error

    def read(self, _size: int | None = -1) -> str:
        raise self._error

    def readline(self, _size: int = -1) -> str:  # type: ignore[override]
        raise self._error


def _replace_closed_streams() -> None:
    """Nothing that is opened later takes the place of a closed stream; what would be said beside it is said nowhere."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (taken := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(taken, True)  # the engine's process needs them as well
        os.close(taken)
    sys.stdin = sys.stdin or _ClosedStream("input")
    sys.stdout = sys.stdout or _ClosedStream("output")
    sys.stderr = sys.stderr or io.StringIO()


def _use_utf8() -> None:
    """Text goes in and out as UTF-8 whatever the locale, also through Windows pipes."""
    streams: tuple[tuple[TextIO, str], ...] = ((sys.stdin, "replace"), (sys.stdout, "replace"), (sys.stderr, "replace"))
    for stream, errors in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)
