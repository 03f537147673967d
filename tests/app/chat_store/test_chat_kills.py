"""A process that is killed at any moment loses nothing that it was told is written.

EMBER_KILLS says how often (20 without).
"""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.chat.chats import open_chats
from app.chat.conversation import DONE, INTERRUPTED

N_KILLS = int(os.environ.get("EMBER_KILLS", "20"))
ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the writer forks")


@pytest.fixture
def writer() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.app.chat_store.kill_writer"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    yield process
    process.communicate("")


def test_kills_at_any_moment_lose_no_chat_and_no_word_that_was_written(
    writer: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert writer.stdin is not None
    assert writer.stdout is not None
    chance = random.Random(8)
    path = tmp_path / "chats.sqlite3"
    written: dict[str, int] = {}
    n_unclosed = 0
    for seed in range(N_KILLS):
        writer.stdin.write(f"{path} {seed}\n")
        writer.stdin.flush()
        child: int | None = None
        lines: list[str] = []
        while child is None:  # the child may speak before its parent names it
            line = writer.stdout.readline()
            if line.startswith("child "):
                child = int(line.split()[1])
            else:
                lines.append(line)
        time.sleep(chance.random() * 0.12)
        os.kill(child, signal.SIGKILL)
        while (line := writer.stdout.readline()) != "ended\n":
            lines.append(line)
        for line in lines:
            words = line.split()
            written[words[1]] = int(words[2]) if words[0] == "grown" else written.get(words[1], 0)

        if seed % 4 != 3 and seed != N_KILLS - 1:
            continue  # so that the writer itself, too, opens what a kill left
        chats = open_chats(path)
        n_unclosed += not chats.database.was_closed
        assert chats.database.salvaged is None
        found = {m.id: m for s in chats.conversations() for m in chats.load(s.id).messages}
        assert found.keys() >= written.keys()
        for message_id, length in written.items():
            assert len(found[message_id].content) >= length
            assert found[message_id].status in (DONE, INTERRUPTED)
        with contextlib.closing(sqlite3.connect(path)) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        chats.database.close()

    assert n_unclosed > 0
    assert written
