"""Where Ember keeps things: one dataclass of folders, made once and passed on.

Models live in the data folder, never in a cache that cleaners empty. `EMBER_HOME`, or a file named `portable` beside
the program, keeps everything in one place.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "ember"
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


def app_paths(home: str | None = None) -> AppPaths:
    """Folders for this user; `home` (default: EMBER_HOME, or a portable installation's own folder) holds them all.

    Raises UnclearPath.
    """
    portable = SOURCE_ROOT / "portable"
    home = home or os.environ.get("EMBER_HOME") or (str(SOURCE_ROOT / "ember-home") if portable.exists() else None)
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


def assets_dir() -> Path:
    return SOURCE_ROOT / "assets"
