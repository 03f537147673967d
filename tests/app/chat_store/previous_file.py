"""A file of conversations as Ember 0.1 wrote it, with two versions of an answer, drafts and a deleted conversation."""

import contextlib
import sqlite3
from pathlib import Path

SCHEMA = """
CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, leaf_id INTEGER, created REAL NOT NULL,
    updated REAL NOT NULL, deleted REAL
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    parent_id INTEGER REFERENCES messages(id) ON DELETE CASCADE,
    role TEXT NOT NULL, content TEXT NOT NULL, status TEXT NOT NULL, stats TEXT, model TEXT NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX messages_of_conversation ON messages(conversation_id);
CREATE INDEX messages_of_parent ON messages(parent_id);
CREATE INDEX conversations_by_time ON conversations(updated);
CREATE TABLE drafts (conversation_id INTEGER PRIMARY KEY, content TEXT NOT NULL);
PRAGMA user_version = 1;
"""


def write_previous_file(path: Path) -> dict[str, list[str]]:
    """The paths shown, by title."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.executescript(SCHEMA)
        db.executemany(
            "INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?)",
            [(1, "One 题", 2, 10.0, 12.0, None), (2, "Two", 4, 20.0, 20.0, None), (3, "Deleted", 5, 30.0, 30.0, 31.0)],
        )
        db.executemany(
            "INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?)",
            [
                (1, 1, None, "user", "question", "done", "", 10.0),
                (2, 1, 1, "assistant", "first answer", "done", "tiny", 11.0),
                (3, 1, 1, "assistant", "second answer", "streaming", "tiny", 12.0),
                (4, 2, None, "user", "hello", "done", "", 20.0),
                (5, 3, None, "user", "gone", "done", "", 30.0),
            ],
        )
        db.executemany("INSERT INTO drafts VALUES (?, ?)", [(1, "next question"), (0, "new one")])
        db.commit()
    return {"One 题": ["question", "first answer"], "Two": ["hello"]}
