"""Whatever moment a process is killed at, what its journal says is on the disk, and is not fetched again."""

import dataclasses
import random
import signal
import sys

import pytest

from engine.hub.transfer.partial_file import RECORD_BYTES
from engine.hub.transfer.pending import pending_in
from tests.hub.transfer.conftest import KIB, MIB, noise
from tests.hub.transfer.fake_hub import PIECE, Fault
from tests.hub.transfer.kills import Killing

KILLS = 5
SIZE = 5 * MIB + 4321


@pytest.fixture
def killing(hub, tmp_path) -> Killing:
    data = noise(SIZE)
    hub.add("org/m", {"w.safetensors": data})
    hub.faults.append(Fault(piece_s=0.01, times=-1))
    return Killing(hub, tmp_path / "model", "org/m", "w.safetensors", data, connections=4, block_bytes=64 * KIB)


def test_a_killed_transfer_goes_on_from_what_is_on_the_disk(killing):
    chance = random.Random(7)

    for number in range(KILLS):
        held, since = killing.held(), len(killing.hub.seen("cdn"))
        code = killing.run(chance.randrange(PIECE, SIZE // (KILLS + 2)))
        now = killing.held()

        assert code == (-signal.SIGKILL if sys.platform != "win32" else 1), number
        assert killing.wrong_blocks() == []
        assert killing.asked_again(held, since) == 0
        assert all(now[block].n_bytes >= before.n_bytes for block, before in held.items())
        assert (killing.folder / "w.safetensors").exists() is False
        assert [pending.repo for pending in pending_in(killing.folder)] == ["org/m"]

    held, since = killing.held(), len(killing.hub.seen("cdn"))
    assert killing.run(None) == 0
    assert killing.asked_again(held, since) == 0
    assert (killing.folder / "w.safetensors").read_bytes() == killing.data
    assert sorted(path.name for path in killing.folder.rglob("*")) == ["w.safetensors"]


def test_a_kill_loses_only_what_was_not_yet_recorded(killing):
    coarse = dataclasses.replace(killing, block_bytes=MIB)

    coarse.run(SIZE * 3 // 4)

    part = next(coarse.folder.rglob("*.part")).read_bytes()
    written = sum(part[at : at + KIB] == coarse.data[at : at + KIB] for at in range(0, len(part), KIB))
    held = sum(block.n_bytes for block in coarse.held().values())
    assert held > 0
    assert coarse.wrong_blocks() == []
    assert written * KIB - held <= coarse.connections * (RECORD_BYTES + PIECE)
