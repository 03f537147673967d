"""A file of conversations is opened by one, brought up to date after a copy, and salvaged when it is damaged."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chat import database as database_module
from app.chat.chats import Chats, open_chats
from app.chat.conversation import INTERRUPTED
from app.chat.database import Database
from app.chat.schema import APPLICATION_ID, MIGRATIONS
from app.chat.search import search
from app.chat.store_errors import StoreError
from app.error_text import STORE_TEXTS, describe_store_error

VERSION_1 = Path(__file__).with_name("version1.sqlite3")
ROOT = Path(__file__).resolve().parents[3]
PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "chats.sqlite3"


@contextlib.contextmanager
def opened(path: Path | None, **options: object) -> Iterator[Chats]:
    database = Database(path, **options)  # type: ignore[arg-type]
    try:
        yield Chats(database)
    finally:
        database.close()


def filled(path: Path, n_conversations: int = 30, text: str = "words of message ") -> dict[str, list[str]]:
    """A closed file; the texts of its conversations."""
    texts: dict[str, list[str]] = {}
    with opened(path) as chats:
        for number in range(n_conversations):
            conversation = chats.create(f"{number} question " + text * 20)
            answer = chats.start_answer(conversation.messages[0].id, "tiny")
            chats.finish_answer(answer.id, f"{number} answer " + text * 60)
            texts[conversation.id] = [m.content for m in chats.load(conversation.id).messages]
    return texts


def mark_unclosed(path: Path) -> None:
    path.with_name(path.name + ".lock").write_text("1")


def refusal(path: Path | None, **options: object) -> StoreError:
    with pytest.raises(StoreError) as caught, opened(path, **options):
        pass
    assert caught.value.kind in STORE_TEXTS
    assert str(path) in describe_store_error(caught.value).cause
    return caught.value


# One process ------------------------------------------------------------------------------------------------------


def test_two_processes_do_not_write_one_file(path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app.chat.database import Database\n"
        "db = Database(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read(); db.close()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "open\n"

    error = refusal(path)

    assert (error.kind, error.reason) == ("in_use", f"process {other.pid}")
    other.communicate("")
    with opened(path) as chats:
        assert chats.conversations() == []
        assert chats.database.was_closed


def test_a_second_process_may_read_what_is_written_meanwhile(path: Path) -> None:
    with opened(path) as chats, opened(path, is_read_only=True) as reader:
        conversation = chats.create("hello")

        assert [s.id for s in reader.conversations()] == [conversation.id]
        with pytest.raises(StoreError) as caught:
            reader.create("no")
        assert caught.value.kind == "read_only"


def test_a_process_that_was_killed_is_noticed_and_nothing_it_wrote_is_lost(path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from app.chat.database import Database\n"
        "from app.chat.chats import Chats\n"
        "chats = Chats(Database(Path(sys.argv[1]))); chats.create('kept'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, check=False)

    with opened(path) as chats:
        assert not chats.database.was_closed
        assert chats.database.salvaged is None
        assert [s.title for s in chats.conversations()] == ["kept"]
    with opened(path) as chats:
        assert chats.database.was_closed


def test_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with opened(None) as chats:
        conversation = chats.create("between us")
        assert chats.load(conversation.id).path()[0].content == "between us"

    assert list(tmp_path.iterdir()) == []


# Versions ---------------------------------------------------------------------------------------------------------


def test_a_file_of_version_1_is_brought_up_to_date_after_a_copy(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(VERSION_1, path)

    with opened(path) as chats:
        (summary,) = chats.conversations()
        conversation = chats.load(summary.id)
        hits = search(chats.database, "饺子").hits

    assert (summary.title, summary.is_pinned) == ("Dumplings 饺子", True)
    assert [m.content for m in conversation.path()] == [
        "How do I fold 饺子?", "Wet the rim and press.", "And the filling?", "Pork and cabbage",
    ]  # fmt: skip
    assert conversation.path()[-1].status == INTERRUPTED
    assert conversation.path()[1].reason == "stop"
    assert [hit.kind for hit in hits] == ["title", "message"]
    with contextlib.closing(sqlite3.connect(path.with_name("chats.version-1.sqlite3"))) as copy:
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
        assert copy.execute("SELECT count(*) FROM messages").fetchone() == (6,)


def test_every_step_copies_the_file_and_no_copy_is_written_over(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(VERSION_1, path)
    older = path.with_name("chats.version-1.sqlite3")
    older.write_text("mine")
    steps = (*MIGRATIONS, ("CREATE TABLE later (x)",))

    with opened(path, migrations=steps):
        pass

    assert older.read_text() == "mine"
    for name, version in (("chats.version-1-2.sqlite3", 1), ("chats.version-2.sqlite3", 2)):
        with contextlib.closing(sqlite3.connect(path.with_name(name))) as copy:
            assert copy.execute("PRAGMA user_version").fetchone() == (version,)


def test_a_step_that_fails_leaves_the_file_at_its_version(path: Path) -> None:
    filled(path, 2)
    steps = (*MIGRATIONS, ("CREATE TABLE later (x)", "INSERT INTO nowhere VALUES (1)"))

    assert refusal(path, migrations=steps).kind == "unreadable"

    with opened(path) as chats:
        assert len(chats.conversations()) == 2
        with chats.database.reading() as db:
            assert db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'later'").fetchone() == (0,)


def test_a_file_of_a_later_version_is_left_alone(path: Path) -> None:
    with opened(path, migrations=(*MIGRATIONS, ("CREATE TABLE later (x)",))):
        pass
    before = path.read_bytes()

    assert refusal(path).kind == "newer"
    assert refusal(path, is_read_only=True).kind == "newer"
    assert path.read_bytes() == before


def test_a_database_of_somebody_else_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url)")
    before = path.read_bytes()

    assert refusal(path).kind == "foreign"
    assert path.read_bytes() == before


def test_a_python_without_trigrams_is_told_apart(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Old(sqlite3.Connection):
        def execute(self, *_: object) -> sqlite3.Cursor:  # type: ignore[override]
            raise sqlite3.OperationalError("no such tokenizer: trigram")

    def connect(name: str, **_: object) -> sqlite3.Connection:
        return Old(name)

    monkeypatch.setattr(database_module.sqlite3, "connect", connect)

    assert refusal(path).kind == "no_search"
    assert not path.exists()


# Damage -----------------------------------------------------------------------------------------------------------


def test_a_damaged_page_costs_what_is_on_it_and_the_file_is_kept(path: Path) -> None:
    texts = filled(path, 60)
    data = bytearray(path.read_bytes())
    with contextlib.closing(sqlite3.connect(path)) as db:
        leaves = [
            number
            for number, kind in db.execute("SELECT pageno, pagetype FROM dbstat WHERE name = 'messages'")
            if kind == "leaf"
        ]
    hit = leaves[len(leaves) // 2]
    data[(hit - 1) * PAGE : hit * PAGE] = os.urandom(PAGE)
    path.write_bytes(data)
    mark_unclosed(path)

    with opened(path) as chats:
        report = chats.database.salvaged
        summaries = chats.conversations()
        found = {s.id: [m.content for m in chats.load(s.id).messages] for s in summaries}
        hits = search(chats.database, "question words", limit=500).hits

    assert report is not None
    assert Path(report.damaged_path).read_bytes() == data
    assert found.keys() == texts.keys()
    kept = sum(len(set(found[c]) & set(texts[c])) for c in texts)
    assert 2 * len(texts) - 20 < kept < 2 * len(texts)
    assert report.n_unreadable > 0
    assert report.n_messages == kept
    assert len(hits) > 30
    with opened(path) as chats:
        assert chats.database.salvaged is None
        assert len(chats.conversations()) == 60


@pytest.mark.parametrize("damage", ["header", "zeros", "cut", "text"])
def test_a_file_that_is_no_database_any_more_is_set_aside_untouched(path: Path, damage: str) -> None:
    filled(path, 3)
    data = path.read_bytes()
    data = {
        "header": b"\xff" * 100 + data[100:], "zeros": bytes(len(data)), "cut": data[:5000], "text": b"hello " * 1000,
    }[damage]  # fmt: skip
    path.write_bytes(data)

    with opened(path) as chats:
        report = chats.database.salvaged
        chats.create("life goes on")
        titles = [s.title for s in chats.conversations()]

    assert report is not None
    assert Path(report.damaged_path).read_bytes() == data
    assert "life goes on" in titles


@pytest.mark.parametrize("n_bytes", [100, PAGE])
def test_without_its_first_page_a_file_gives_back_every_chat(path: Path, n_bytes: int) -> None:
    texts = filled(path, 20, "long words 神经元 " * 30)
    with opened(path) as chats:
        folder = chats.add_folder("Work")
        talk = chats.create("running", folder_id=folder.id)
        chats.save_draft(talk.id, "draft")
        running = chats.start_answer(talk.messages[0].id, "tiny")
        for length in range(1, 40):
            chats.grow_answer(running.id, "so far " * length)
        chats.fork(next(iter(chats.load(next(iter(texts))).path())).id)
        before = {s.id: chats.load(s.id) for s in chats.conversations()}
    with path.open("rb+") as file:
        file.write(bytes(n_bytes))

    with opened(path) as chats:
        assert chats.database.salvaged is not None
        after = {s.id: chats.load(s.id) for s in chats.conversations()}
        assert chats.drafts() == {talk.id: "draft"}
        assert [f.name for f in chats.folders()] == ["Work"]

    assert after.keys() == before.keys()
    assert after[talk.id].path()[-1].content == "so far " * 39
    for conversation_id, conversation in before.items():
        assert [m.content for m in after[conversation_id].path()] == [m.content for m in conversation.path()]
        assert after[conversation_id].title == conversation.title


def test_two_damaged_files_of_one_second_are_both_kept(path: Path) -> None:
    for content in (b"a" * 5000, b"b" * 5000):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        with opened(path):
            pass

    kept = sorted(p.read_bytes()[:1] for p in path.parent.glob("*damaged*"))

    assert kept == [b"a", b"b"]


def test_random_damage_never_overwrites_the_file_and_never_stops_the_start(path: Path) -> None:
    filled(path, 12)
    data = path.read_bytes()
    n_salvaged = 0
    for seed in range(24):
        folder = path.parent / str(seed)
        folder.mkdir()
        broken = bytearray(data)
        at = (seed * 7919 * PAGE) % (len(data) - 700)
        broken[at : at + 600] = bytes((seed * 37 + i * 11) % 256 for i in range(600))
        copy = folder / "chats.sqlite3"
        copy.write_bytes(broken)
        mark_unclosed(copy)

        with opened(copy) as chats:
            chats.create("new")
            for summary in chats.conversations():
                chats.load(summary.id).path()
            report = chats.database.salvaged

        if report is not None:
            n_salvaged += 1
            assert Path(report.damaged_path).read_bytes() == broken
        with contextlib.closing(sqlite3.connect(copy)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert n_salvaged > 5


def test_a_file_whose_tables_are_gone_is_set_aside(path: Path) -> None:
    filled(path, 2)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE pieces")
        db.commit()

    with opened(path) as chats:
        assert chats.database.salvaged is not None
        assert chats.database.salvaged.n_messages == 4
        assert len(chats.conversations()) == 2


def test_a_start_that_ended_between_two_renames_is_finished(path: Path) -> None:
    texts = filled(path, 2)
    path.rename(path.with_name("chats.salvaged.sqlite3"))

    with opened(path) as chats:
        assert {s.id for s in chats.conversations()} == texts.keys()


def test_a_damaged_search_index_is_made_again(path: Path) -> None:
    filled(path, 3)
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE message_index_data SET block = x'00112233' WHERE id > 10")
        db.commit()
        with pytest.raises(sqlite3.DatabaseError):
            db.execute("SELECT count(*) FROM message_index WHERE message_index MATCH 'words'").fetchone()
    mark_unclosed(path)

    with opened(path) as chats:
        assert chats.database.salvaged is None
        kinds = [hit.kind for hit in search(chats.database, "words of").hits]
        assert (kinds.count("title"), kinds.count("message")) == (3, 6)


def test_damage_that_is_met_while_it_is_used_is_looked_into_at_the_next_start(path: Path) -> None:
    filled(path, 60)
    with contextlib.closing(sqlite3.connect(path)) as db:
        leaves = db.execute("SELECT pageno FROM dbstat WHERE name = 'messages' AND pagetype = 'leaf'").fetchall()
    with path.open("rb+") as file:
        for (number,) in leaves:
            file.seek((number - 1) * PAGE)
            file.write(b"\xaa" * PAGE)

    with opened(path) as chats:
        first = chats.conversations()[0].id
        with pytest.raises(StoreError) as caught:
            chats.load(first)

    assert caught.value.kind == "corrupt"
    with opened(path) as chats:
        assert chats.database.salvaged is not None
        assert len(chats.conversations()) == 60


def test_damage_that_the_start_itself_meets_is_repaired_by_that_start(path: Path) -> None:
    texts = filled(path, 20)
    with contextlib.closing(sqlite3.connect(path)) as db:
        pages = db.execute("SELECT pageno FROM dbstat WHERE name = 'messages_not_done'").fetchall()
    with path.open("rb+") as file:
        for (number,) in pages:
            file.seek((number - 1) * PAGE)
            file.write(b"\xaa" * PAGE)

    chats = open_chats(path)

    assert chats.database.salvaged is not None
    assert {s.id: [m.content for m in chats.load(s.id).messages] for s in chats.conversations()} == texts
    chats.database.close()


# No room, no right ------------------------------------------------------------------------------------------------


FULL_DISK = """
import sys
from pathlib import Path
from app.chat.chats import Chats, open_chats
from app.chat.database import Database
from app.chat.store_errors import StoreError

chats = Chats(Database(Path(sys.argv[1])))
conversation = chats.create("before")
limit(chats)
answer = chats.start_answer(conversation.messages[0].id, "tiny")
text, refused = "", None
for number in range(4000):
    text += f"{number:06} " * 200
    try:
        chats.grow_answer(answer.id, text)
    except StoreError as error:
        refused = error
        break
assert refused is not None
print(refused.kind)
stored = chats.message(answer.id).content
assert text.startswith(stored) and len(text) - len(stored) == 1400, (len(text), len(stored))
lift()
chats.grow_answer(answer.id, text)
chats.finish_answer(answer.id, text)
assert chats.message(answer.id).content == text
chats.database.close()
print(len(text))
"""


def run_full(path: Path, limit: str, lift: str) -> list[str]:
    code = f"def limit(chats):\n    {limit}\ndef lift():\n    {lift}\n{FULL_DISK}"
    answer = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.split()


def test_a_file_that_may_not_grow_refuses_and_goes_on_when_it_may(path: Path) -> None:
    kind, length = run_full(
        path,
        "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (3 << 20, r.RLIM_INFINITY))",
        "import resource as r; r.setrlimit(r.RLIMIT_FSIZE, (r.RLIM_INFINITY, r.RLIM_INFINITY))",
    )

    assert kind in ("full", "unreadable")
    with opened(path) as chats:
        (summary,) = chats.conversations()
        assert len(chats.load(summary.id).path()[-1].content) == int(length)


def test_a_full_drive_is_named_and_nothing_is_lost(tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    drive.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(drive)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small drive cannot be mounted here")
    try:
        kind, length = run_full(
            drive / "chats.sqlite3",
            f"open({str(drive / 'ballast')!r}, 'wb').write(b'x' * (3 << 20))",
            f"import os; os.unlink({str(drive / 'ballast')!r})",
        )

        assert kind == "full"
        with opened(drive / "chats.sqlite3") as chats:
            (summary,) = chats.conversations()
            assert len(chats.load(summary.id).path()[-1].content) == int(length)
    finally:
        subprocess.run(["umount", str(drive)], check=True)


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    assert refusal(tmp_path / "data" / "chats.sqlite3").kind == "unreadable"


def test_a_lock_that_is_a_link_is_not_followed(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    path.with_name(path.name + ".lock").symlink_to(victim)

    assert refusal(path).kind == "unreadable"
    assert victim.read_text() == "mine"


def test_it_says_whose_file_it_is(path: Path) -> None:
    filled(path, 1)

    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert {p.name for p in path.parent.iterdir()} <= {path.name, path.name + ".lock"} | {
        path.name + "-wal", path.name + "-shm",
    }  # fmt: skip
