"""A command that talks to an engine: what it is given, and that the engine is closed whatever happens.

Imports of the terminal wait until such a command runs, so that `ember --version` answers at once.
"""

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.paths import AppPaths, app_paths

if TYPE_CHECKING:
    from app.terminal.console import Console
    from app.terminal.session import Session
    from engine.messages import EngineConfig


def with_engine(
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
    config = engine_config(options, paths, _log_path(paths, console))
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


def engine_config(options: argparse.Namespace, paths: AppPaths, log_path: str) -> "EngineConfig":
    """What the engine is opened with."""
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
