"""How much a hundred kills cost: `python -m tests.hub.transfer.measure_kills [KILLS] [MEGABYTES]`, from the root.

Kills the downloading process at random moments of one transfer, and prints how many of the held bytes were ever asked
for again (none should be), how many bytes the server sent beyond the file's size, and whether the file is right.
"""

import random
import sys
import tempfile
from pathlib import Path

from tests.hub.transfer.fake_hub import PIECE, FakeHub, Fault, sha256
from tests.hub.transfer.kills import Killing


def main(kills: int, megabytes: int) -> None:
    chance = random.Random(1)
    data = chance.randbytes(megabytes << 20)
    with FakeHub(send_buffer=PIECE) as hub, tempfile.TemporaryDirectory() as folder:
        hub.add("org/m", {"w.safetensors": data})
        hub.faults.append(Fault(piece_s=0.002, times=-1))
        killing = Killing(hub, Path(folder), "org/m", "w.safetensors", data, connections=8, block_bytes=1 << 20)
        again, wrong, worst, finished = 0, 0, 0, 0
        for _ in range(kills):
            held, since, sent = killing.held(), len(hub.seen("cdn")), killing.sent_bytes()
            before = sum(block.n_bytes for block in held.values())
            if killing.run(chance.randrange(1 << 16, 16 << 20)) == 0:
                (Path(folder) / "w.safetensors").unlink()  # it had been finished: from the beginning again
                finished += 1
                continue
            again += killing.asked_again(held, since)
            wrong += len(killing.wrong_blocks())
            gained = sum(block.n_bytes for block in killing.held().values()) - before
            worst = max(worst, killing.sent_bytes() - sent - gained)
        killing.run(None)
        is_right = sha256((Path(folder) / "w.safetensors").read_bytes()) == sha256(data)
        print(f"{kills} kills, in {finished + 1} transfers of {megabytes} MiB")
        print(f"held bytes asked for again: {again}; wrong blocks in a journal: {wrong}")
        print(f"sent and not held: at most {worst} bytes in one kill")
        print(f"the file is {'right' if is_right else 'WRONG'}")


if __name__ == "__main__":
    main(*(int(argument) for argument in (*sys.argv[1:], *("100", "200")[len(sys.argv) - 1 :])))
