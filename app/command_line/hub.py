"""The commands that speak to the hub: downloads, and the access token."""

import argparse
import os
import sys
from typing import TYPE_CHECKING

from app.command_line.arguments import WEIGHT_FORMATS, add_threads, speed
from app.command_line.engine_session import with_engine
from app.paths import AppPaths

if TYPE_CHECKING:
    from app.terminal.console import Console
    from app.terminal.session import Session


def add_pull(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`ember pull`."""
    pull = commands.add_parser(
        "pull",
        help="download a model from the hub and prepare it",
        description="Download a model from the hub and prepare it for use. Ctrl+C pauses; the same command goes on "
        "from the byte where it was. HF_ENDPOINT names a mirror of the hub, HTTPS_PROXY, ALL_PROXY and NO_PROXY the "
        "proxy to go by.",
    )
    pull.add_argument("model", metavar="REPO[@REV]", help="owner/name, or a link to a model on the hub")
    pull.add_argument("--limit", type=speed, metavar="SPEED", help="download no faster, such as 10MB/s")
    pull.add_argument("--format", choices=WEIGHT_FORMATS, default="", help="weight format to pack in")
    pull.add_argument("--no-pack", action="store_true", help="only download")
    source = pull.add_mutually_exclusive_group()
    source.add_argument(
        "--keep-source", action="store_true", default=None, help="keep the weights as they came beside the packed file"
    )
    source.add_argument(
        "--replace-source", action="store_false", dest="keep_source", help="delete them once the packed file is whole"
    )
    add_threads(pull)
    pull.set_defaults(run=lambda options: with_engine(options, _pull))


def add_token(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`ember token`."""
    token = commands.add_parser(
        "token",
        help="keep the hub's access token, for gated and private models",
        description="Keep the hub's access token: it is asked for without being shown, or read from a pipe, and goes "
        "to the hub it was entered for and nowhere else.",
    )
    chosen = token.add_mutually_exclusive_group()
    chosen.add_argument("--forget", action="store_true", help="delete the token that is kept")
    chosen.add_argument("--where", action="store_true", help="only say where a token is kept")
    token.set_defaults(threads=None, run=lambda options: with_engine(options, _token))


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
