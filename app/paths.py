"""Where Ember keeps things: one dataclass of folders, made once and passed on.

Models live in the data folder, never in a cache that cleaners empty. `--portable`, `EMBER_HOME`, or a file named
`portable` beside the program, keeps everything in one place.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "ember"
MARK, PORTABLE_HOME = "portable", "ember-home"
SOURCE_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class AppPaths:
    config: Path
    data: Path
    cache: Path
    logs: Path

    @property
    def library(self) -> Path:
        return self.data / "models"

    @property
    def conversations(self) -> Path:
        return self.data / "chats.sqlite3"

    @property
    def previous_conversations(self) -> Path:
        """As Ember 0.1 kept them; they are taken over once."""
        return self.data / "conversations.sqlite3"

    @property
    def benchmarks(self) -> Path:
        return self.data / "benchmarks"

    @property
    def settings(self) -> Path:
        return self.config / "settings.toml"

    @property
    def presets(self) -> Path:
        return self.config / "presets.toml"

    @property
    def prompts(self) -> Path:
        return self.config / "prompts.toml"

    @property
    def terminal_history(self) -> Path:
        return self.data / "terminal-history.txt"

    @property
    def kernel_cache(self) -> Path:
        return self.cache / "kernels"

    @property
    def engine_log(self) -> Path:
        return self.logs / "engine.log"


class UnclearPath(Exception):
    """A path that leads nowhere from here: `~` of an unknown user, or relative to a folder that is gone."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"The path “{path}” cannot be used: {reason}.")


def full_path(text: str) -> Path:
    """The absolute path a person means, `~` included. Raises UnclearPath."""
    try:
        path = Path(text).expanduser()
    except RuntimeError as error:
        raise UnclearPath(text, "there is no home folder of this user") from error
    try:
        return path.absolute()
    except OSError as error:
        raise UnclearPath(text, "the folder Ember was started in no longer exists") from error


def app_paths(home: str | None = None, *, is_portable: bool = False) -> AppPaths:
    """Folders for this user, or one folder that holds them all: `home`, that of a portable installation, or EMBER_HOME.

    `is_portable` asks for the portable folder even where no mark beside the program does. Raises UnclearPath.
    """
    home = home or (_portable_home() if is_portable else None) or os.environ.get("EMBER_HOME")
    if not home and any((folder / MARK).exists() for folder in (program_folder(), SOURCE_ROOT)):
        home = str(program_folder() / PORTABLE_HOME)
    if home:
        try:
            root = full_path(home).resolve()
        except (OSError, RuntimeError) as error:  # links that lead in a circle
            raise UnclearPath(home, str(error)) from error
        return AppPaths(root / "config", root / "data", root / "cache", root / "logs")
    dirs = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
    return AppPaths(
        Path(dirs.user_config_dir), Path(dirs.user_data_dir), Path(dirs.user_cache_dir), Path(dirs.user_log_dir)
    )


def program_folder() -> Path:
    """Where the program lies as people see it: its source tree, its environment, or the folder of a frozen program."""
    if getattr(sys, "frozen", False):
        return Path(sys.executable).resolve().parent
    return SOURCE_ROOT if (SOURCE_ROOT / "pyproject.toml").is_file() else Path(sys.prefix)


def _portable_home() -> str:
    """Made at once, so that a folder that cannot be written to is said before anything is kept elsewhere."""
    home = program_folder() / PORTABLE_HOME
    try:
        home.mkdir(exist_ok=True)
    except OSError as error:
        raise UnclearPath(str(home), f"it cannot be made ({error.strerror or error})") from error
    if not os.access(home, os.W_OK):
        raise UnclearPath(str(home), "it cannot be written to")
    return str(home)


def assets_dir() -> Path:
    return SOURCE_ROOT / "assets"
