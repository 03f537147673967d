"""A file of conversations that cannot be written is read, whatever the last process left of it; it stays as it is."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.chat.chats import Chats, open_chats, open_protected
from app.chat.conversation import INTERRUPTED
from app.chat.search import search
from app.chat.store_errors import StoreError
from tests.app.protected_folder import protected_folder as protected_folder
from tests.app.protected_folder import write_protected

KILLED = (
    "import os, sys; from pathlib import Path; from app.chat.chats import open_chats\n"
    "chats = open_chats(Path(sys.argv[1])); c = chats.create('left in the journal')\n"
    "answer = chats.start_answer(c.messages[0].id, 'tiny'); chats.grow_answer(answer.id, 'half an')\n"
    "os._exit(9)"
)


def refused(path: Path) -> str:
    with pytest.raises(StoreError) as refusal:
        open_chats(path)
    return refusal.value.kind


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def first_texts(chats: Chats) -> list[str]:
    return [chats.load(summary.id).path()[0].content for summary in chats.conversations()]


@pytest.mark.parametrize("what", ["file", "folder", "both"])
def test_what_is_in_a_file_that_cannot_be_written_is_shown_and_found(protected_folder: Path, what: str) -> None:
    path = protected_folder / "chats.sqlite3"
    chats = open_chats(path)
    chats.add_folder("Work")
    chats.create("the zephyr blows")
    chats.save_draft(None, "half a thought")
    chats.database.close()
    before = contents(protected_folder)
    with write_protected(protected_folder, what):
        assert refused(path) == "read_only"
        protected = open_protected(path)

        assert first_texts(protected) == ["the zephyr blows"]
        assert [hit.snippet for hit in search(protected.database, "zephyr").hits if hit.kind == "message"] == [
            "the zephyr blows"
        ]
        assert protected.drafts() == {None: "half a thought"}
        ids = {*(s.id for s in protected.conversations()), *(f.id for f in protected.folders())}
        assert protected.protected == ids
        new = protected.create("new")
        assert new.id not in protected.protected
        assert search(protected.database, "new").hits
        protected.database.close()

    after = contents(protected_folder)
    assert {name: after[name] for name in before} == before
    again = open_chats(path)
    assert first_texts(again) == ["the zephyr blows"]
    assert again.protected == frozenset()
    again.database.close()


@pytest.mark.parametrize("with_shared_memory", [False, True])
def test_what_a_killed_process_left_in_the_journal_is_read_as_well(
    protected_folder: Path, with_shared_memory: bool
) -> None:
    path = protected_folder / "chats.sqlite3"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert killed.returncode == 9
    assert path.with_name(path.name + "-wal").stat().st_size
    if not with_shared_memory:
        path.with_name(path.name + "-shm").unlink()
    with write_protected(protected_folder, "both"):
        protected = open_protected(path)

        (summary,) = protected.conversations()
        question, answer = protected.load(summary.id).path()
        assert question.content == "left in the journal"
        assert (answer.content, answer.status) == ("half an", INTERRUPTED)
        assert protected.interrupted == (summary.id,)
        protected.database.close()


def test_a_file_of_another_kind_or_of_none_is_refused(protected_folder: Path) -> None:
    path = protected_folder / "chats.sqlite3"
    path.write_bytes(b"not a database, " * 1000)
    with write_protected(protected_folder, "both"):
        for name, kind in (("chats.sqlite3", "corrupt"), ("none.sqlite3", "unreadable")):
            with pytest.raises(StoreError) as refusal:
                open_protected(protected_folder / name)
            assert refusal.value.kind == kind
            assert refusal.value.path == str(protected_folder / name)


def test_an_older_version_is_brought_up_to_date_in_memory_only(protected_folder: Path) -> None:
    path = protected_folder / "chats.sqlite3"
    shutil.copyfile(Path(__file__).with_name("version1.sqlite3"), path)
    before = path.read_bytes()
    with write_protected(protected_folder, "both"):
        protected = open_protected(path)
        assert protected.conversations()
        protected.database.close()
    assert path.read_bytes() == before
