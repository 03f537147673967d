"""A folder that can be made unwritable, for whoever runs the tests: the administrator becomes nobody meanwhile."""

import contextlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

NOBODY = 65534


@pytest.fixture
def protected_folder() -> Iterator[Path]:
    """Outside of pytest's own, into which nobody but its user may look."""
    if sys.platform == "win32":
        pytest.skip("a folder's mode does not keep anybody from writing there")
    folder = Path(tempfile.mkdtemp(prefix="ember-protected-"))
    yield folder
    shutil.rmtree(folder)


@contextlib.contextmanager
def write_protected(folder: Path, what: str = "both") -> Iterator[None]:
    """What is there can only be read: "file" for the files, "folder" for making others, or "both"."""
    for path in folder.iterdir():
        path.chmod(0o444 if what != "folder" else 0o666)
    folder.chmod(0o555 if what != "file" else 0o777)
    try:
        with _as_nobody():
            yield
    finally:
        folder.chmod(0o700)
        for path in folder.iterdir():
            path.chmod(stat.S_IRUSR | stat.S_IWUSR)


@contextlib.contextmanager
def _as_nobody() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
