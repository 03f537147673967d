"""A fake hub for each test, and transfers from it whose time can be moved by hand."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.hub.transfer.line import Network
from engine.hub.transfer.progress import TransferProgress, TransferState
from engine.hub.transfer.request import FileWanted, TransferRequest
from engine.hub.transfer.resolving import Hub
from engine.hub.transfer.transfer import Machine, RoomToPack, Transfer, TransferOptions
from tests.hub.transfer.fake_hub import FakeHub

KIB, MIB = 1 << 10, 1 << 20
REPO = "org/m"


class HandClock:
    """A time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Trial:
    """A hub, a folder and a clock; each `transfer` is like another start of the program."""

    hub: FakeHub
    folder: Path
    clock: HandClock = field(default_factory=HandClock)
    network: Network = field(default_factory=Network)
    told: list[TransferProgress] = field(default_factory=list)
    free_bytes: Callable[[Path], int] = lambda folder: 1 << 40
    is_same_drive: Callable[[Path, Path], bool] = lambda one, other: True

    def transfer(
        self,
        *names: str | FileWanted,
        token: str = "",
        revision: str = "main",
        endpoint: str = "",
        clock: Callable[[], float] | None = None,
        packing: RoomToPack | None = None,
        **options,
    ) -> Transfer:
        """Small blocks, so that a few hundred kilobytes are many of them."""
        files = tuple(FileWanted(name) if isinstance(name, str) else name for name in names)
        return Transfer(
            TransferRequest(REPO, revision, files),
            self.folder,
            Hub(endpoint or self.hub.url, token),
            self.network,
            options=TransferOptions(
                **{"connections": 4, "block_bytes": 16 * KIB, "segment_bytes": 128 * KIB, **options}
            ),
            machine=Machine(
                clock or self.clock,
                lambda: 0.5,
                lambda folder: self.free_bytes(folder),
                lambda one, other: self.is_same_drive(one, other),
            ),
            packing=packing,
        )

    def watch(self, progress: TransferProgress) -> None:
        """Keeps what it is told, and lets waiting end: whenever all is stalled, the next attempt is due."""
        self.told.append(progress)
        waits = [file.retry_in_s for file in progress.files if file.retry_in_s is not None]
        if progress.state is TransferState.STALLED and waits:
            self.clock.now += min(waits) + 0.001

    def run(self, *names: str | FileWanted, **options) -> TransferProgress:
        return self.transfer(*names, **options).run(self.watch)

    def content(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def left_over(self) -> list[str]:
        """What is in the folder beside the files themselves."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.name.startswith(".ember"))


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    with FakeHub() as hub:
        yield hub


@pytest.fixture
def trial(hub: FakeHub, tmp_path: Path) -> Trial:
    return Trial(hub, tmp_path / "model")


def noise(n_bytes: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(n_bytes)
