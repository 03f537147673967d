"""Drives that are really full, or take no file as long as this: what the system then says, and what is kept."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import NoRoomForDownload
from engine.hub.transfer.journal import read_journal
from engine.hub.transfer.progress import TransferState
from engine.hub.transfer.request import WORK_FOLDER
from tests.hub.transfer.conftest import MIB, REPO, noise
from tests.hub.transfer.test_transfer import fetched_ranges, overlap

ROOT = Path(__file__).resolve().parents[3]
WEIGHTS = noise(2 * MIB + 77)


def mount(*arguments: str) -> bool:
    try:
        return subprocess.run(["mount", *arguments], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture
def small_drive(tmp_path: Path) -> Iterator[Path]:
    """A drive of one mebibyte."""
    folder = tmp_path / "drive"
    folder.mkdir()
    if not mount("-t", "tmpfs", "-o", "size=1m", "ember-test", str(folder)):
        pytest.skip("this user may not mount a drive")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_drive_keeps_what_came_and_goes_on_when_there_is_room(trial, small_drive):
    """The drive says beforehand that there is room, as one does that others fill meanwhile."""
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.folder = small_drive / "model"

    with pytest.raises(NoRoomForDownload) as told:
        trial.run("w.safetensors")
    held = sum(
        block.n_bytes for block in read_journal(next((trial.folder / WORK_FOLDER).glob("*.journal")))[1].blocks.values()
    )
    assert told.value.available_bytes < 64 << 10
    assert told.value.needed_bytes == len(WEIGHTS) - held
    assert told.value.path == str(trial.folder)
    assert 500_000 < held < MIB
    assert trial.told[-1].state is TransferState.FAILED

    mount("-o", "remount,size=4m", str(small_drive))
    before = len(fetched_ranges(trial.hub))
    trial.run("w.safetensors")

    again = fetched_ranges(trial.hub)[before:]
    assert trial.content("w.safetensors") == WEIGHTS
    assert sum(end - start for start, end in again) == len(WEIGHTS) - held
    assert overlap(again) == 0


LIMITED = """
import resource, sys
from pathlib import Path
from engine.errors import LibraryNotWritable
from engine.hub.transfer.line import Network
from engine.hub.transfer.request import FileWanted, TransferRequest
from engine.hub.transfer.resolving import Hub
from engine.hub.transfer.transfer import Transfer, TransferOptions
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
request = TransferRequest("org/m", "main", (FileWanted("w.safetensors"),))
try:
    Transfer(request, Path(sys.argv[2]), Hub(sys.argv[1]), Network(), options=TransferOptions(connections=1)).run()
except LibraryNotWritable as error:
    print(error.reason)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_drive_that_takes_no_file_so_long_says_so_and_keeps_what_came(trial):
    """As FAT does with files of 4 GiB; here it is the process that may write no more than a mebibyte."""
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})

    command = [sys.executable, "-c", LIMITED, trial.hub.url, str(trial.folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    assert "too large" in done.stdout.lower()
    before = len(fetched_ranges(trial.hub))
    trial.run("w.safetensors", block_bytes=MIB)
    again = fetched_ranges(trial.hub)[before:]
    assert trial.content("w.safetensors") == WEIGHTS
    assert sum(end - start for start, end in again) < len(WEIGHTS) - 500_000
