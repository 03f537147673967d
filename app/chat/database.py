"""The file of conversations as SQLite keeps it: opening, checking, migrating, writing, closing.

Owns the way to an open connection: one process writes, a file that was not closed is checked, a damaged one is set
aside and what can be read of it goes into a new one, a schema of an earlier version is brought up to date after a copy
was made. Knows what a transaction is and nothing of what conversations mean. Every refusal is a `StoreError`, after
which the file is as it was before; one thread uses one connection.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.chat.connections import JOURNALS, connect, connect_to_copy
from app.chat.process_lock import ProcessLock, was_left_open
from app.chat.salvage import SalvageReport, salvage_into
from app.chat.schema import APPLICATION_ID, INDEXES, MIGRATIONS, TABLES, Migration
from app.chat.store_errors import StoreError, explained

CHECKPOINT_PAGES = 1000
"""A journal of so many pages (4 MB) is taken into the file by the write that fills it."""
JOURNAL_BYTES = 16 << 20
"""A journal that a long transaction made longer than this is cut once it is in the file."""


class Database:
    """An open file; `path` None keeps everything in memory, in the end nowhere.

    copied_from  a file that cannot be written, whose conversations are here as well; the file stays as it is
    salvaged     what became of a damaged file, if there was one
    was_closed   whether the last process closed the file
    """

    def __init__(
        self,
        path: Path | None,
        *,
        is_read_only: bool = False,
        copied_from: Path | None = None,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self.path = path
        self.is_read_only = is_read_only
        self.copied_from = copied_from
        self.salvaged: SalvageReport | None = None
        self.was_closed = True
        self.last_checkpoint = time.monotonic()
        self._migrations = migrations
        self._is_damaged = False
        self._lock: ProcessLock | None = None
        _require_search(path)
        if path is not None and not is_read_only:
            with explained(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = ProcessLock(path)
            self.was_closed = self._lock.was_released
        elif copied_from is not None:
            self.was_closed = not was_left_open(copied_from)
        try:
            with explained(self._named):
                self._db = self._opened()
        except BaseException:
            if self._lock is not None:
                self._lock.release(is_proper=self.was_closed)
            raise

    def close(self) -> None:
        """Take the journal into the file and let others have it; again is harmless."""
        with contextlib.suppress(sqlite3.Error):
            if not self.is_read_only:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with contextlib.suppress(sqlite3.Error):
            self._db.close()
        if self._lock is not None:
            self._lock.release(is_proper=not self._is_damaged)
            self._lock = None

    @property
    def _named(self) -> Path | None:
        """The file that a refusal is about."""
        return self.path or self.copied_from

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._watched():
            yield self._db

    @contextlib.contextmanager
    def writing(self, *, is_lasting: bool = False) -> Iterator[sqlite3.Connection]:
        """A transaction: all or nothing. With `is_lasting`, even a power cut does not undo it.

        Raises StoreError, after which it can be tried again.
        """
        with self._watched():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
        if is_lasting:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Bring what was written to the disk itself. What cannot be brought there now stays in the journal, intact."""
        self.last_checkpoint = time.monotonic()
        if self.path is None:
            return
        try:
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.OperationalError:
            pass  # the transaction itself has succeeded, and must not be reported as failed
        except sqlite3.DatabaseError:
            self._is_damaged = True

    @contextlib.contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            with explained(self._named):
                yield
        except StoreError as error:
            self._is_damaged |= error.kind == "corrupt"  # the next start then looks through the file
            raise

    # Opening ------------------------------------------------------------------------------------------------------

    def _opened(self) -> sqlite3.Connection:
        if self.copied_from is not None:
            return self._whole(connect_to_copy(self.copied_from), self.copied_from)
        if self.path is None:
            return self._prepared(connect(None))
        if self.is_read_only:
            return self._for_reading(self.path)
        self._adopt_salvaged(self.path)
        try:
            db = self._checked(self.path)
        except sqlite3.DatabaseError as error:
            if not _says_damaged(error):
                raise
            self._replace_damaged(self.path, str(error))
            db = self._checked(self.path)
        if self._lock is not None:
            self._lock.mark()
        return db

    def _for_reading(self, path: Path) -> sqlite3.Connection:
        db = connect(path, mode="ro")
        try:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            _require_ours(db, path, version)
            if version != len(self._migrations):
                kind = "newer" if version > len(self._migrations) else "read_only"
                raise StoreError(kind, str(path), f"version {version}, this Ember reads {len(self._migrations)}")
        except BaseException:
            db.close()
            raise
        return db

    def _checked(self, path: Path) -> sqlite3.Connection:
        """An open connection to a file that is whole. Raises sqlite3.DatabaseError for one that is not."""
        return self._whole(connect(path, mode="rwc"), path)

    def _whole(self, db: sqlite3.Connection, path: Path) -> sqlite3.Connection:
        try:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            _require_ours(db, path, version)
            if version > 0:
                _require_tables(db)
            if not self.was_closed:
                self._check(db)
            return self._prepared(db)
        except BaseException:
            db.close()
            raise

    def _check(self, db: sqlite3.Connection) -> None:
        verdicts = [str(row[0]) for row in db.execute("PRAGMA integrity_check(5)")]
        # What later versions of SQLite say of the search index is no damage: `_mend_indexes` makes it again.
        wrong = [verdict for verdict in verdicts if verdict != "ok" and "inverted index" not in verdict]
        if wrong:
            raise sqlite3.DatabaseError(f"{_DAMAGED}: {'; '.join(wrong)}")
        if db.execute("SELECT 1 FROM pragma_foreign_key_check LIMIT 1").fetchone():
            raise sqlite3.DatabaseError(f"{_DAMAGED}: a message or draft belongs to nothing")

    def _prepared(self, db: sqlite3.Connection) -> sqlite3.Connection:
        if self.path is not None:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            db.execute(f"PRAGMA journal_size_limit = {JOURNAL_BYTES}")
        db.execute("PRAGMA secure_delete = ON")
        db.execute("PRAGMA temp_store = MEMORY")
        db.execute("PRAGMA foreign_keys = ON")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > len(self._migrations):
            reason = f"version {version}, this Ember knows {len(self._migrations)}"
            raise StoreError("newer", str(self._named), reason)
        for number in range(version, len(self._migrations)):
            self._migrate(db, number, is_copied=version > 0)
        if not self.was_closed:
            _mend_indexes(db)
        return db

    def _migrate(self, db: sqlite3.Connection, version: int, *, is_copied: bool) -> None:
        """From this version to the next, for a file that was there before after a copy."""
        if is_copied and self.path is not None:
            _copy_file(db, self.path, version)
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in self._migrations[version]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {version + 1}")
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")

    # Damage -------------------------------------------------------------------------------------------------------

    def _replace_damaged(self, path: Path, reason: str) -> None:
        """Put what can be read into a new file, and only then move the damaged one to a name of its own."""
        unfinished, finished = _beside(path, "salvaging"), _beside(path, "salvaged")
        for left in (unfinished, finished):
            _remove(left)
        fresh = connect(unfinished, mode="rwc")
        try:
            for number in range(len(self._migrations)):
                self._migrate_fresh(fresh, number)
            counts = salvage_into(fresh, path)
        finally:
            fresh.close()
        unfinished.replace(finished)
        damaged = set_aside(path)
        finished.replace(path)
        self.salvaged = SalvageReport(str(damaged), reason, *counts)

    def _migrate_fresh(self, db: sqlite3.Connection, version: int) -> None:
        for statement in self._migrations[version]:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {version + 1}")

    def _adopt_salvaged(self, path: Path) -> None:
        """Finish what a process began that ended after setting the damaged file aside."""
        finished = _beside(path, "salvaged")
        if finished.exists() and not path.exists():
            finished.replace(path)


def set_aside(path: Path) -> Path:
    """Move a file and its journals to a name that is free; never over anything."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    number = 1
    while (aside := _beside(path, f"damaged-{stamp}-{number}")).exists():
        number += 1
    path.rename(aside)
    for suffix in JOURNALS:
        journal = path.with_name(path.name + suffix)
        if journal.exists():
            journal.rename(aside.with_name(aside.name + suffix))
    return aside


_DAMAGED = "damaged"


def _says_damaged(error: sqlite3.DatabaseError) -> bool:
    name = getattr(error, "sqlite_errorname", "")
    # A length out of all reason is what a damaged row looks like.
    return name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_TOOBIG")) or str(error).startswith(_DAMAGED)


def _require_search(path: Path | None) -> None:
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        try:
            db.execute("CREATE VIRTUAL TABLE probe USING fts5 (text, tokenize='trigram')")
        except sqlite3.OperationalError as error:
            raise StoreError("no_search", str(path), f"SQLite {sqlite3.sqlite_version}: {error}") from error


def _require_ours(db: sqlite3.Connection, path: Path, version: int) -> None:
    """A file with tables is touched only if it says that it is ours."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    has_tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] > 0
    if application != APPLICATION_ID and (has_tables or version or application):
        raise StoreError("foreign", str(path), f"application {application:#x}, version {version}")


def _require_tables(db: sqlite3.Connection) -> None:
    there = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if missing := [name for name in TABLES if name not in there]:
        raise sqlite3.DatabaseError(f"{_DAMAGED}: no table {missing[0]}")


def _mend_indexes(db: sqlite3.Connection) -> None:
    """Indexes are made of the tables, so a damaged one is made again."""
    for name in INDEXES:
        try:
            db.execute(f"INSERT INTO {name}({name}) VALUES ('integrity-check')")  # noqa: S608 - names of ours
        except sqlite3.DatabaseError:
            db.execute(f"INSERT INTO {name}({name}) VALUES ('rebuild')")  # noqa: S608


def _copy_file(db: sqlite3.Connection, path: Path, version: int) -> None:
    """A copy of the whole file, under a name that is free, on the disk before this returns."""
    number = 1
    while (copy := _beside(path, f"version-{version}" + (f"-{number}" if number > 1 else ""))).exists():
        number += 1
    unfinished = _beside(path, "copying")
    _remove(unfinished)
    try:
        db.execute("VACUUM INTO ?", (str(unfinished),))
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(copy)
    finally:
        _remove(unfinished)


def _beside(path: Path, word: str) -> Path:
    return path.with_name(f"{path.stem}.{word}{path.suffix}")


def _remove(path: Path) -> None:
    for name in (path.name, *(path.name + suffix for suffix in (*JOURNALS, "-journal"))):
        path.with_name(name).unlink(missing_ok=True)
