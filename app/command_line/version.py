"""Which Ember this is."""

import importlib.metadata
import tomllib

from app.paths import SOURCE_ROOT


def version() -> str:
    """The installed version; in a source tree, the one it will be installed as."""
    try:
        return importlib.metadata.version("emberchat")
    except importlib.metadata.PackageNotFoundError:
        with (SOURCE_ROOT / "pyproject.toml").open("rb") as file:
            return str(tomllib.load(file)["project"]["version"])
