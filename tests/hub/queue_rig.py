"""A download queue over a fake hub, with a keyring in memory, a quick clock and a compute lane that the test is."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from engine.hub.access import Access
from engine.hub.download import PackOrder
from engine.hub.download_queue import DownloadQueue
from engine.hub.hub_metadata import HubMetadata
from engine.hub.keep_awake import KeepAwake
from engine.hub.library_places import Places
from engine.hub.token_store import KeyringFailed, TokenStore
from engine.hub.transfer.part_file import free_bytes
from engine.hub.transfer.transfer import Machine, TransferOptions
from engine.transfer_reports import DownloadReport, NetworkSettings
from tests.hub.hub_with_api import HubWithApi
from tests.hub.transfer.conftest import KIB, noise
from tests.hub.transfer.fake_hub import Repo

REPO = "org/tiny"
WEIGHTS = noise(400_123)
FILES = {
    "config.json": b'{"model_type": "llama", "max_position_embeddings": 512}\n',
    "model.safetensors": WEIGHTS,
    "README.md": b"# Tiny\n\nA *card*.\n",
    "LICENSE": b"Do what you like.\n",
    "tokenizer.json": b"{}",
    "flax_model.msgpack": b"x" * 1000,
}
WANTED = set(FILES) - {"flax_model.msgpack"}
PATIENCE_S = 20.0
HASTE = 40.0  # how many seconds of the queue's clock pass in one of ours


class MemoryKeyring:
    """Holds tokens; `fails` is no keyring at all."""

    def __init__(self, *, fails: bool = False) -> None:
        self.kept: dict[str, str] = {}
        self.fails = fails

    def _check(self) -> None:
        if self.fails:
            raise KeyringFailed("NoKeyringError")

    def get(self, name: str) -> str | None:
        self._check()
        return self.kept.get(name)

    def set(self, name: str, secret: str) -> None:
        self._check()
        self.kept[name] = secret

    def delete(self, name: str) -> None:
        self._check()
        self.kept.pop(name, None)


@dataclass
class AwakeLog:
    """An inhibitor that notes when it was held."""

    told: list[bool] = field(default_factory=list)
    is_held: bool = False

    def begin(self) -> "AwakeLog":
        self.is_held = True
        self.told.append(True)
        return self

    def end(self) -> None:
        self.is_held = False
        self.told.append(False)


@dataclass
class Rig:
    """Each `queue` is like another start of the program; `orders` are what is to be packed."""

    hub: HubWithApi
    library: Path
    keyring: MemoryKeyring = field(default_factory=MemoryKeyring)
    orders: list[PackOrder] = field(default_factory=list)
    awake: AwakeLog = field(default_factory=AwakeLog)
    queues: list[DownloadQueue] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    others: tuple[Path, ...] = ()
    free_bytes: Callable[[Path], int] = free_bytes
    places: Places | None = None

    def access(self, **settings: object) -> Access:
        access = Access(TokenStore(self.library.parent / "token.json", self.keyring))
        access.use(NetworkSettings(**{"endpoint": self.hub.url, **settings}))
        self.accesses.append(access)
        return access

    def queue(self, *, access: Access | None = None, haste: float = HASTE, **options: object) -> DownloadQueue:
        chosen = {"connections": 2, "block_bytes": 16 * KIB, "segment_bytes": 64 * KIB, "reserve_bytes": 0}
        at_once = options.pop("at_once", 1)
        look = options.pop("look", None)
        clock = options.pop("clock", lambda: haste * time.monotonic())
        queue = DownloadQueue(
            (self.library, *self.others),
            access or self.access(),
            lambda hub, network: HubMetadata(hub, network, clock=clock),
            self.orders.append,
            look=look,
            places=self.places,
            options=TransferOptions(**{**chosen, **options}),
            machine=Machine(clock, lambda: 0.0, lambda folder: self.free_bytes(folder)),
            keep_awake=KeepAwake(self.awake.begin),
            at_once=at_once,
        )
        self.queues.append(queue)
        return queue

    def add(self, name: str = REPO, files: dict[str, bytes] = FILES, **facts: object) -> Repo:
        return self.hub.add(name, files, **facts)

    def close(self) -> None:
        for queue in self.queues:
            queue.close()

    def close_last(self) -> None:
        self.queues.pop().close()


def report_of(queue: DownloadQueue, download_id: str) -> DownloadReport:
    return next(report for report in queue.report().downloads if report.download_id == download_id)


def until(what: Callable[[], object], why: Callable[[], object] = lambda: "waited in vain") -> None:
    """Wait until it is true; a test that waits in vain fails."""
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end, why()
        time.sleep(0.01)


def until_state(queue: DownloadQueue, download_id: str, *states: str) -> DownloadReport:
    until(lambda: report_of(queue, download_id).state in states, lambda: report_of(queue, download_id))
    return report_of(queue, download_id)
