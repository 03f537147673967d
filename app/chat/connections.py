"""Connections to files of conversations, and to a copy of one that cannot be written.

Owns how SQLite is asked to open a file, and how a file is read where nothing beside it can be made, which its journal
otherwise needs. Knows no table.
"""

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

BUSY_TIMEOUT_S = 2.0
JOURNALS = ("-wal", "-shm")
_PRIVATE = ""
"""SQLite's name for a database that is this connection's alone and spills to a file without a name."""


def connect(path: Path | None, mode: str = "rwc") -> sqlite3.Connection:
    """A connection in the mode of SQLite's URIs: ro, rw or rwc. Text that is damaged reads as far as it goes."""
    return _connected(":memory:" if path is None else f"{path.absolute().as_uri()}?mode={mode}")


def connect_to_copy(path: Path) -> sqlite3.Connection:
    """All that is in a file, its journal included, as a database that ends with the connection; the file is only read.

    Raises sqlite3.Error and OSError.
    """
    copy = _connected(_PRIVATE)
    try:
        with _for_reading(path) as db:
            db.backup(copy)
    except BaseException:
        copy.close()
        raise
    return copy


@contextlib.contextmanager
def _for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    journal = path.with_name(path.name + JOURNALS[0])
    with contextlib.ExitStack() as stack:
        db = stack.enter_context(contextlib.closing(connect(path, "ro")))
        try:
            db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError:
            if journal.exists() and journal.stat().st_size:
                # What the last process left in the journal can be had only where a file can be made beside it.
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ember-")))
                for each in (path, journal):
                    shutil.copyfile(each, folder / each.name)
                db = stack.enter_context(contextlib.closing(connect(folder / path.name, "rw")))
            else:
                uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
                db = stack.enter_context(contextlib.closing(_connected(uri)))
        yield db


def _connected(name: str) -> sqlite3.Connection:
    db = sqlite3.connect(name, uri=name.startswith("file:"), timeout=BUSY_TIMEOUT_S, isolation_level=None)
    db.text_factory = _readable
    return db


def _readable(text: bytes) -> str:
    return text.decode("utf-8", "replace")
