"""The command line: what was asked for, and who does it.

Owns which commands there are, those of the chat and the library, and what is said where one cannot go on; families of
other commands are in app/command_line/. Imports of front-ends wait until their command is known, so that
`ember --version` answers at once and a broken Qt does not take the terminal along.
"""

import argparse
import contextlib
import errno
import importlib.metadata
import importlib.util
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.command_line.arguments import (
    WEIGHT_FORMATS,
    add_card,
    add_sampling,
    add_threads,
    chosen_sampling,
    memory_size,
    positive,
    variants,
)
from app.command_line.bench import add_bench
from app.command_line.engine_session import engine_config, with_engine
from app.command_line.hub import add_pull, add_token
from app.command_line.streams import ClosedStream, drop_output, replace_closed_streams, use_utf8
from app.command_line.studies import ANEW, add_compare, add_studies
from app.command_line.version import version
from app.paths import AppPaths, UnclearPath, app_paths, full_path

if TYPE_CHECKING:
    from app.terminal.console import Console
    from app.terminal.session import Session

WINDOW_PAGES = ("chat", "models", "speed", "neurons", "device", "settings", "logs")
_BROKEN_PIPE = 141  # what shells report for a reader that went away
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    replace_closed_streams()
    use_utf8()
    try:
        options = _parsed(arguments)
        code = int(options.run(options))
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED
    except UnclearPath as error:
        return _refused(str(error))
    except OSError as error:
        return _refused(_reason(error))
    return code


def _parsed(arguments: list[str]) -> argparse.Namespace:
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and hasattr(options, "words") and not any(word.startswith("-") for word in rest):
        options.words += rest  # argparse gives up on a message that goes on after an option
    elif rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    # As it is given again to go on with what was paused.
    options.command_line = shlex.join(["ember", *(word for word in arguments if word != ANEW)])
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
    chat.add_argument("--context", type=positive, metavar="N", help="tokens of context to make room for")
    chat.add_argument("--format", choices=("mixed", "int8", "int4"), default="", help="weight format to pack in")
    chat.add_argument("--tier", default="exact", metavar="NAME", help="exact, or one that ember calibrate has measured")
    chat.add_argument(
        "--variants",
        type=variants,
        default=1,
        metavar="N",
        help="give so many answers to the message, computed together; with --seed S they have the seeds S, S + 1, …",
    )
    chat.add_argument("--stats", action="store_true", help="show measured figures after each answer")
    chat.add_argument("--no-history", action="store_true", help="keep no history of what is typed")
    add_threads(chat)
    add_card(chat)
    add_sampling(chat)
    chat.set_defaults(run=_run_chat)

    listing = commands.add_parser(
        "list",
        help="list the models of the library",
        description="List the models of the library with their size, whether they are prepared, and their licence.",
    )
    add_threads(listing)
    listing.set_defaults(run=lambda options: with_engine(options, _list))

    commands.add_parser(
        "ps",
        help="say what runs: downloads, who has them in hand, memory",
        description="Say which downloads there are and which process has them in hand, and how much memory is free.",
    ).set_defaults(run=lambda options: with_engine(options, _ps), threads=None)
    add_pull(commands)
    add_token(commands)

    showing = commands.add_parser(
        "show",
        help="say what a model is and what memory it needs",
        description="Say what a model of the library is, and what memory it needs at a length of context. Only its "
        "headers are read.",
    )
    showing.add_argument("model", metavar="MODEL", help="a model of the library")
    showing.add_argument("--context", type=positive, metavar="N", help="tokens of context to reckon with")
    showing.add_argument("--json", action="store_true", help="print it as JSON")
    add_threads(showing)
    showing.set_defaults(run=lambda options: with_engine(options, _show))

    importing = commands.add_parser(
        "import",
        help="pack a GGUF file or a folder of weights into the library",
        description="Pack a model into the library, in the form in which Ember computes. What it is packed from is "
        "left as it is.",
    )
    importing.add_argument(
        "file",
        metavar="FILE.gguf | FOLDER",
        help="a GGUF file, or a folder with config.json and safetensors or torch weights",
    )
    importing.add_argument(
        "--format",
        choices=WEIGHT_FORMATS,
        default="",
        help="weight format: int8 keeps the quality, int4 takes half the memory, mixed lies between (default: int8, "
        "and mixed from a billion weights)",
    )
    add_threads(importing)
    importing.set_defaults(run=lambda options: with_engine(options, _import))

    removing = commands.add_parser(
        "rm",
        help="move a model to the trash, or delete it",
        description="Move a model, and what it was packed from, to the library's trash. It is emptied after 30 days.",
    )
    what = removing.add_mutually_exclusive_group(required=True)
    what.add_argument("model", nargs="?", metavar="MODEL", help="a model of the library")
    what.add_argument("--restore", metavar="MODEL", help="take a model out of the trash")
    what.add_argument("--empty-trash", action="store_true", help="delete for good what is in the trash")
    removing.add_argument("--now", action="store_true", help="delete the model at once")
    add_threads(removing)
    removing.set_defaults(run=lambda options: with_engine(options, _remove))

    doctor = commands.add_parser(
        "doctor",
        help="look at this computer and say what Ember can use",
        description="Look at the processor, the memory, the drives, the graphics card and the packages of this "
        "computer, and say what Ember can use and what is in its way.",
    )
    doctor.add_argument("--json", action="store_true", help="print the findings as JSON")
    doctor.add_argument("--measure", action="store_true", help="first measure how fast memory and card are, anew")
    add_threads(doctor)
    doctor.set_defaults(run=_run_doctor)

    _add_plan(commands)
    add_bench(commands)
    add_studies(commands)
    add_compare(commands)
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
        "--vram", type=memory_size, metavar="SIZE", help="a budget, such as 4GiB (default: all that helps)"
    )
    plan.add_argument("--context", type=positive, metavar="N", help="tokens of context to reckon with")
    card = plan.add_mutually_exclusive_group()
    card.add_argument("--card", default="auto", metavar="CARD", help="a card's name or UUID, auto, or none")
    card.add_argument(
        "--assume-card",
        default="",
        metavar="NAME",
        help="reckon with the published figures of a card, such as RTX 4090",
    )
    plan.add_argument("--json", action="store_true", help="print it as JSON")
    add_threads(plan)
    plan.set_defaults(run=lambda options: with_engine(options, _plan))


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
    if options.measure and (code := with_engine(options, _measure)):
        return code
    return doctor.run(engine_config(options, paths, str(paths.engine_log)), as_json=options.json)


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
    if isinstance(sys.stdin, ClosedStream):
        sys.stdin.refuse()  # before a model is loaded for nothing
    return with_engine(options, _chat)


def _chat(options: argparse.Namespace, session: "Session", console: "Console", paths: AppPaths) -> int:
    from app.error_text import describe
    from app.settings_file import SettingsFile
    from app.terminal.chat import ChatOptions, run_chat
    from engine.errors import InvalidRequest

    settings = SettingsFile(paths.settings).settings
    try:
        sampling = chosen_sampling(options, settings.sampling())
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


def _list(_options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.library_commands import run_list

    return run_list(session, console)


def _ps(_options: argparse.Namespace, session: "Session", console: "Console", _paths: AppPaths) -> int:
    from app.terminal.library_commands import run_ps

    return run_ps(session, console)


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


def _reason(error: OSError) -> str:
    """What the system did not allow, in a sentence."""
    reason = error.strerror or str(error)
    if error.filename is None and error.errno in (errno.ENOSPC, errno.EIO):
        drop_output()
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
