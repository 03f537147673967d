"""The tables of the conversation database, as the steps that lead from one version to the next.

`PRAGMA user_version` says how many steps a file has taken. A step that was released is never edited: what changes is a
further step. Columns of `messages` end with the text, so that lists and searches need not read it.
"""

APPLICATION_ID = 0x456D6272  # "Embr"

Migration = tuple[str, ...]
"""Statements that are carried out in one transaction."""

_TREE: Migration = (
    "CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE folders (id TEXT PRIMARY KEY, name TEXT NOT NULL, created REAL NOT NULL)",
    """
    CREATE TABLE conversations (
        row INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        title_source TEXT NOT NULL,
        folder_id TEXT REFERENCES folders(id) ON DELETE SET NULL,
        is_pinned INTEGER NOT NULL DEFAULT 0,
        is_unread INTEGER NOT NULL DEFAULT 0,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        opened REAL NOT NULL,
        trashed REAL,
        system_prompt TEXT NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX conversations_by_time ON conversations(updated)",
    # No cascade from parent to child: SQLite would recurse once for each message of a path and stops at a thousand.
    """
    CREATE TABLE messages (
        row INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        parent_id TEXT REFERENCES messages(id) DEFERRABLE INITIALLY DEFERRED,
        role TEXT NOT NULL,
        status TEXT NOT NULL,
        is_shown INTEGER NOT NULL,
        model TEXT NOT NULL,
        created REAL NOT NULL,
        facts TEXT,
        content TEXT NOT NULL
    )
    """,
    "CREATE INDEX messages_of_conversation ON messages(conversation_id)",
    "CREATE INDEX messages_of_parent ON messages(parent_id)",
    "CREATE INDEX messages_by_time ON messages(created, row)",
    "CREATE INDEX messages_not_done ON messages(status, conversation_id) WHERE status <> 'done'",
    "CREATE UNIQUE INDEX one_version_shown ON messages(conversation_id, ifnull(parent_id, '')) WHERE is_shown",
    """
    CREATE TABLE pieces (
        message_id TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (message_id, number)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE drafts (
        conversation_id TEXT REFERENCES conversations(id) ON DELETE CASCADE,
        content TEXT NOT NULL
    )
    """,
    "CREATE UNIQUE INDEX one_draft ON drafts(ifnull(conversation_id, ''))",
)

TABLES = ("notes", "folders", "conversations", "messages", "pieces", "drafts")
INDEXES = ("message_index", "title_index")

_SEARCH: Migration = (
    """
    CREATE VIRTUAL TABLE message_index USING fts5 (
        content, content='messages', content_rowid='row', tokenize='trigram', columnsize=0
    )
    """,
    """
    CREATE VIRTUAL TABLE title_index USING fts5 (
        title, content='conversations', content_rowid='row', tokenize='trigram', columnsize=0
    )
    """,
    "INSERT INTO message_index(message_index) VALUES ('rebuild')",
    "INSERT INTO title_index(title_index) VALUES ('rebuild')",
    """
    CREATE TRIGGER message_written AFTER INSERT ON messages BEGIN
        INSERT INTO message_index(rowid, content) VALUES (new.row, new.content);
    END
    """,
    """
    CREATE TRIGGER message_erased AFTER DELETE ON messages BEGIN
        INSERT INTO message_index(message_index, rowid, content) VALUES ('delete', old.row, old.content);
    END
    """,
    """
    CREATE TRIGGER message_changed AFTER UPDATE OF content ON messages WHEN old.content IS NOT new.content BEGIN
        INSERT INTO message_index(message_index, rowid, content) VALUES ('delete', old.row, old.content);
        INSERT INTO message_index(rowid, content) VALUES (new.row, new.content);
    END
    """,
    """
    CREATE TRIGGER title_written AFTER INSERT ON conversations BEGIN
        INSERT INTO title_index(rowid, title) VALUES (new.row, new.title);
    END
    """,
    """
    CREATE TRIGGER title_erased AFTER DELETE ON conversations BEGIN
        INSERT INTO title_index(title_index, rowid, title) VALUES ('delete', old.row, old.title);
    END
    """,
    """
    CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversations WHEN old.title IS NOT new.title BEGIN
        INSERT INTO title_index(title_index, rowid, title) VALUES ('delete', old.row, old.title);
        INSERT INTO title_index(rowid, title) VALUES (new.row, new.title);
    END
    """,
)

# How answers of a conversation are made, as JSON, where not as in all others; the system prompt in it is the column's.
_ANSWERS: Migration = ("ALTER TABLE conversations ADD COLUMN answers TEXT",)

MIGRATIONS: tuple[Migration, ...] = (_TREE, _SEARCH, _ANSWERS)
