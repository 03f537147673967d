"""Which folders are caches, where a library must not be: systems, programs and people empty them to win room.

Owns the list of places and marks. Whether a folder may be written to is found out by writing.
"""

import tempfile
from pathlib import Path

from engine.errors import CacheFolderRefused

# Names of folders that are a cache wherever they are, in lower case.
_NAMES = {
    ".cache", "cache", "caches", "__pycache__", "tmp", "temp", "inetcache", "huggingface", ".thumbnails", "trash",
    "$recycle.bin", ".trash", ".trashes",
}  # fmt: skip
_PLACES = ("/tmp", "/var/tmp", "/var/cache", "/dev/shm", "/run")  # noqa: S108 - they are to be refused
_TAG = "CACHEDIR.TAG"  # bford.info/cachedir


def check_library_folder(folder: Path, temporary: Path | None = None) -> None:
    """Raises CacheFolderRefused for a folder that is a cache or lies in one, under its own name or a link's.

    temporary   the system's folder for temporary files; None asks it
    """
    temporary = Path(tempfile.gettempdir()) if temporary is None else temporary
    for path in dict.fromkeys((folder.absolute(), folder.resolve())):
        for place in (path, *path.parents):
            if (found := _mark(place, temporary)) is not None:
                raise CacheFolderRefused(str(folder), found)


def _mark(place: Path, temporary: Path) -> str | None:
    """What makes this very folder a cache, if anything does."""
    if place in (temporary, temporary.resolve()) or str(place) in _PLACES:
        return str(place)
    if place.name.casefold() in _NAMES:
        return place.name
    try:
        return str(place / _TAG) if (place / _TAG).is_file() else None
    except OSError:
        return None
