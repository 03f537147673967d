"""How long the conversation database takes, on this machine: python -m tests.app.chat_store.measure_store [folder]

Ten thousand messages of 150 English words and 40 Chinese characters each in 500 conversations; milliseconds, the median
of several runs, and the largest in brackets.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from app.chat.chats import Chats, open_chats
from app.chat.identifiers import new_id
from app.chat.records import ConversationSummary, StoredConversation, StoredMessage
from app.chat.rows import insert_conversation, insert_message
from app.chat.search import search

HAN = "今天气很好我们去公园散步吧稀疏激活的语言模型在处理器上运行神经元"
QUERIES = ("kernel", "numba kernels", "稀疏激活", "天气", "神", "zq", "да", "qwxyz")


def fill(chats: Chats, words: list[str]) -> None:
    chance = random.Random(1)
    number = 0
    with chats.database.writing(is_lasting=True) as db:
        for _ in range(500):
            summary = ConversationSummary(new_id(), " ".join(chance.choices(words, k=5)))
            insert_conversation(db, StoredConversation(summary))
            parent = None
            for _ in range(20):
                text = " ".join(chance.choices(words, k=150)) + "".join(chance.choices(HAN, k=40))
                number += 1
                message = StoredMessage(new_id(), summary.id, parent, "user", text, created=float(number))
                insert_message(db, message)
                parent = message.id


def timed(what: str, operation: Callable[[], object], n_runs: int = 20) -> None:
    taken = []
    for _ in range(n_runs):
        begin = time.perf_counter()
        operation()
        taken.append((time.perf_counter() - begin) * 1e3)
    print(f"{what:44} {statistics.median(taken):8.2f} ({max(taken):.2f})")


def main(folder: Path) -> None:
    words = (Path(__file__).resolve().parents[3] / "ARCHITECTURE.md").read_text(encoding="utf-8").split()
    path = folder / "chats.sqlite3"
    chats = open_chats(path)
    fill(chats, words)
    print(f"{path.stat().st_size / 1e6:.0f} MB")
    for query in QUERIES:
        n_hits = len(search(chats.database, query).hits)
        timed(f"search {query} ({n_hits} hits on the page)", lambda query=query: search(chats.database, query))  # type: ignore[misc]
    timed("list of conversations", chats.conversations)
    conversation = chats.create("question")
    answer = chats.start_answer(conversation.messages[0].id, "tiny")
    text = ["x" * 80 * 399]

    def grow() -> None:
        text[0] += "x" * 80
        chats.grow_answer(answer.id, text[0])

    timed("one more second of an answer of 32,000", grow, 100)
    timed("its end", lambda: chats.finish_answer(answer.id, text[0]))
    timed("a message sent, on the drive", lambda: chats.send(conversation.id, answer.id, "and then?"))
    chats.database.close()

    def reopen() -> None:
        open_chats(path).database.close()

    def reopen_unclosed() -> None:
        path.with_name(path.name + ".lock").write_text("1")
        reopen()

    timed("open and close", reopen, 5)
    timed("open after a kill, with the check", reopen_unclosed, 5)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
