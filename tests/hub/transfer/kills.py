"""A transfer in a process of its own that is killed, and what the disk says of it afterwards."""

import subprocess
import sys
import time
import zlib
from dataclasses import dataclass
from pathlib import Path

from engine.hub.transfer.journal import HeldBlock, read_journal
from engine.hub.transfer.request import WORK_FOLDER
from tests.hub.transfer.fake_hub import FakeHub

ROOT = Path(__file__).resolve().parents[3]
CODE = """
import sys
from pathlib import Path
from engine.hub.transfer.line import Network
from engine.hub.transfer.request import FileWanted, TransferRequest
from engine.hub.transfer.resolving import Hub
from engine.hub.transfer.transfer import Transfer, TransferOptions

endpoint, folder, repo, name, connections, block_bytes = sys.argv[1:]
request = TransferRequest(repo, "main", (FileWanted(name),))
options = TransferOptions(connections=int(connections), block_bytes=int(block_bytes))
Transfer(request, Path(folder), Hub(endpoint), Network(), options=options).run()
"""


@dataclass(frozen=True)
class Killing:
    """What to fetch, from where and how, in each of the processes."""

    hub: FakeHub
    folder: Path
    repo: str
    name: str
    data: bytes
    connections: int
    block_bytes: int

    def run(self, kill_after_bytes: int | None) -> int:
        """Fetch until the second server has sent so many bytes, then SIGKILL; returns the exit code."""
        arguments = (self.hub.url, str(self.folder), self.repo, self.name, self.connections, self.block_bytes)
        command = [sys.executable, "-c", CODE, *map(str, arguments)]
        before = self.sent_bytes()
        with subprocess.Popen(command, cwd=ROOT) as process:
            while kill_after_bytes is not None and process.poll() is None:
                if self.sent_bytes() - before >= kill_after_bytes:
                    process.kill()
                    break
                time.sleep(0.002)
            return process.wait()

    def sent_bytes(self) -> int:
        return sum(request.sent_bytes for request in self.hub.seen("cdn"))

    def held(self) -> dict[int, HeldBlock]:
        """What the journal on the disk says now; empty where there is none yet, or no more."""
        for path in (self.folder / WORK_FOLDER).glob("*.journal"):
            found = read_journal(path)
            return found[1].blocks if found else {}
        return {}

    def wrong_blocks(self) -> list[int]:
        """Blocks whose bytes on the disk are not those of the file, or not those of the journal."""
        held = self.held()
        if not held:
            return []
        part = next((self.folder / WORK_FOLDER).glob("*.part")).read_bytes()
        wrong = []
        for number, block in held.items():
            start = number * self.block_bytes
            there = part[start : start + block.n_bytes]
            if there != self.data[start : start + block.n_bytes] or zlib.crc32(there) != block.crc32:
                wrong.append(number)
        return wrong

    def asked_again(self, held: dict[int, HeldBlock], since: int) -> int:
        """How many of the bytes that were held have been asked for in requests from number `since` on."""
        ranges = [request.range for request in self.hub.seen("cdn")[since:] if request.range]
        return sum(
            max(0, min(end, number * self.block_bytes + block.n_bytes) - max(start, number * self.block_bytes))
            for number, block in held.items()
            for start, end in ranges
        )
