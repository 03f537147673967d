"""A process that writes conversations until it is killed, and says on its output what it was told is written.

Reads "path seed" lines; for each it forks a child that writes, prints the child's number, and after the child's end
prints "ended". Forking spares the start of an interpreter for every kill.
"""

import os
import random
import sys
import time
from pathlib import Path

from app.chat.chats import open_chats

PAUSE_S = 0.0005


def write_for_ever(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    chats = open_chats(path)

    def say(*words: object) -> None:
        os.write(1, (" ".join(map(str, words)) + "\n").encode())

    number = 0
    while True:
        number += 1
        conversation = chats.create(f"question {number} of {seed}")
        say("sent", conversation.messages[0].id)
        answer = chats.start_answer(conversation.messages[0].id, "tiny")
        say("begun", answer.id)
        text = ""
        for _ in range(chance.randrange(1, 60)):
            text += f"{len(text)} words " * chance.randrange(1, 40)
            chats.grow_answer(answer.id, text)
            say("grown", answer.id, len(text))
            time.sleep(PAUSE_S)
        if chance.random() < 0.7:
            chats.finish_answer(answer.id, text, is_seen=False)
            say("grown", answer.id, len(text))
        if chance.random() < 0.2:
            chats.delete_version(chats.edit(conversation.messages[0].id, "other").id)


def main() -> None:
    for line in sys.stdin:
        path, seed = line.rsplit(" ", 1)
        child = os.fork()
        if child == 0:
            write_for_ever(Path(path), int(seed))
        os.write(1, f"child {child}\n".encode())
        os.waitpid(child, 0)
        os.write(1, b"ended\n")


if __name__ == "__main__":
    main()
