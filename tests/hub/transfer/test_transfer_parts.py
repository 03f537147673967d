"""The pieces a transfer is made of, each by its own law: plan, journal, back-off, speed, states, lock, read-back."""

import errno
import os
import shutil
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DownloadInUse, LibraryNotWritable, NoRoomForDownload
from engine.hub.transfer.backoff import CEILING_S, LONGEST_ASKED_S, delay_s, retry_after_s
from engine.hub.transfer.journal import HeldBlock, Identity, Journal, read_journal
from engine.hub.transfer.part_file import FileLock, PartFile, disk_errors
from engine.hub.transfer.partial_file import PartialFile, SegmentWriter
from engine.hub.transfer.progress import MOVES, RateLimit, RateMeter, TransferState, moved, state_of_all
from engine.hub.transfer.segments import SegmentPlan
from engine.hub.transfer.verify import RunningDigest, SecondReading, digest_kind, read_back
from tests.hub.transfer.fake_hub import git_sha1, sha256

IDENTITY = Identity("org/m", "w.bin", "e" * 64, size_bytes=1000, block_bytes=100)


class Clock:
    """A time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


# the plan


@st.composite
def plans(draw):
    size, block = draw(st.integers(0, 300)), draw(st.integers(1, 40))
    plan = SegmentPlan(size, block, {})
    held = draw(st.dictionaries(st.integers(0, max(plan.n_blocks - 1, 0)), st.integers(1, block)))
    return SegmentPlan(size, block, {b: min(n, plan.length(b)) for b, n in held.items() if b < plan.n_blocks})


@given(plans(), st.integers(1, 400))
def test_segments_cover_each_missing_byte_once_and_no_other(plan, longest):
    missing = {
        byte
        for block in range(plan.n_blocks)
        for byte in range(block * plan.block_bytes + plan.held(block), block * plan.block_bytes + plan.length(block))
    }

    claimed = []
    while (segment := plan.claim(longest)) is not None:
        claimed += range(segment.start, segment.end)
        assert segment.n_bytes < longest + plan.block_bytes

    assert sorted(claimed) == sorted(missing)


@given(plans(), st.data())
def test_a_released_segment_is_claimed_again_but_for_what_arrived(plan, data):
    first = plan.claim(1000)
    if first is None:
        assert plan.is_complete
        return
    arrived = data.draw(st.integers(0, plan.length(first.start // plan.block_bytes) - first.start % plan.block_bytes))
    block = first.start // plan.block_bytes
    plan.hold(block, first.start + arrived - block * plan.block_bytes)

    plan.release(first)

    again = plan.claim(1000)
    if first.start + arrived == first.end:
        assert again is None or again.start >= first.end
    else:
        assert again is not None
        assert (again.start, again.end) == (first.start + arrived, first.end)


# the journal


def write_journal(path: Path) -> dict[int, HeldBlock]:
    journal = Journal(path, IDENTITY)
    journal.record_validator('"v1"')
    for block, n_bytes in ((0, 100), (3, 40), (3, 100), (9, 7)):
        journal.record(block, HeldBlock(n_bytes, 0xABC0 + block))
    journal.close()
    return journal.entries.blocks


def test_a_journal_is_read_as_it_was_written(tmp_path):
    written = write_journal(tmp_path / "j")

    again = Journal(tmp_path / "j", IDENTITY)

    again.close()
    assert again.entries.blocks == written == {
        0: HeldBlock(100, 0xABC0), 3: HeldBlock(100, 0xABC3), 9: HeldBlock(7, 0xABC9)
    }  # fmt: skip
    assert again.entries.validator == '"v1"'


def test_a_journal_cut_at_any_byte_says_nothing_untrue_and_can_be_continued(tmp_path):
    written = write_journal(tmp_path / "whole")
    text = (tmp_path / "whole").read_bytes()

    for length in range(0, len(text), 2):
        path = tmp_path / f"cut-{length}"
        path.write_bytes(text[:length])
        journal = Journal(path, IDENTITY)
        said = dict(journal.entries.blocks)
        journal.record(5, HeldBlock(100, 5))
        journal.close()
        again = read_journal(path)

        assert all(block in (written[number], HeldBlock(40, 0xABC3)) for number, block in said.items())
        assert again is not None
        assert again[1].blocks == {**said, 5: HeldBlock(100, 5)}


@pytest.mark.parametrize(
    "spoiled", [b"\0" * 64, b"99 100 00000000", b"9 101 00000000", b"1 100 xyz", b"etag w/x", b"\xff"]
)
def test_lines_that_no_journal_has_are_left_out(tmp_path, spoiled):
    written = write_journal(tmp_path / "j")
    with (tmp_path / "j").open("ab") as file:
        file.write(spoiled + b"\n4 100 0000beef\n")

    journal = Journal(tmp_path / "j", IDENTITY)

    journal.close()
    assert journal.entries.blocks == {**written, 4: HeldBlock(100, 0xBEEF)}


@pytest.mark.parametrize(
    "other",
    [
        Identity("org/other", "w.bin", "e" * 64, 1000, 100),
        Identity("org/m", "w.bin", "f" * 64, 1000, 100),
        Identity("org/m", "w.bin", "e" * 64, 1001, 100),
        Identity("org/m", "w.bin", "e" * 64, 1000, 50),
    ],
)
def test_a_journal_of_another_file_is_begun_anew(tmp_path, other):
    write_journal(tmp_path / "j")

    journal = Journal(tmp_path / "j", other)

    journal.close()
    assert journal.entries.blocks == {}
    assert read_journal(tmp_path / "j")[0] == other


# the partial file


def partial(folder: Path, identity: Identity = IDENTITY) -> PartialFile:
    return PartialFile(folder / "w.part", folder / "w.journal", identity)


@settings(deadline=None, max_examples=25)  # each syncs a file to the drive
@given(st.lists(st.integers(1, 130), min_size=1, max_size=40))
def test_pieces_of_any_size_give_the_same_blocks(tmp_path_factory, pieces):
    folder = tmp_path_factory.mktemp("partial")
    data = bytes(range(250)) * 4
    whole = partial(folder)
    segment = whole.claim(1000)
    writer = SegmentWriter(whole, segment)

    at = 0
    for n in pieces:
        writer.write(data[at : min(at + n, 1000)])
        at = min(at + n, 1000)
    writer.record()
    whole.release(segment)
    while (rest := whole.claim(250)) is not None:
        SegmentWriter(whole, rest).write(data[rest.start : rest.end])
        whole.release(rest)

    assert whole.is_complete
    assert whole.blocks() == {b: HeldBlock(100, zlib.crc32(data[b * 100 : b * 100 + 100])) for b in range(10)}
    whole.close()
    assert (folder / "w.part").read_bytes() == data


def test_a_journal_without_its_bytes_counts_nothing(tmp_path):
    first = partial(tmp_path)
    SegmentWriter(first, first.claim(300)).write(b"x" * 300)
    first.close()
    os.truncate(tmp_path / "w.part", 250)
    shorter = partial(tmp_path)
    shorter.close()
    (tmp_path / "w.part").unlink()

    absent = partial(tmp_path)

    absent.close()
    assert [p.held_bytes for p in (first, shorter, absent)] == [300, 200, 0]


def test_a_full_drive_is_told_with_what_was_to_be_written_and_what_it_has(tmp_path):
    with pytest.raises(NoRoomForDownload) as told, disk_errors(tmp_path / "absent" / "w", 4096):
        raise OSError(errno.ENOSPC, "No space left on device")

    assert told.value.needed_bytes == 4096
    assert told.value.available_bytes == pytest.approx(shutil.disk_usage(tmp_path).free, rel=0.5)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_writing_to_a_full_device_is_a_full_drive(tmp_path):
    part = PartFile(tmp_path / "w")
    os.close(part._handle)
    part._handle = os.open("/dev/full", os.O_RDWR)

    with pytest.raises(NoRoomForDownload):
        part.write_at(0, b"0123456789")
    part.close()


def test_a_link_in_place_of_the_part_is_not_followed(tmp_path):
    (tmp_path / "w.part").symlink_to(tmp_path / "precious")

    with pytest.raises(LibraryNotWritable):
        PartFile(tmp_path / "w.part")

    assert not (tmp_path / "precious").exists()


def test_a_lock_has_one_holder_and_leaves_nothing(tmp_path):
    with FileLock(tmp_path / "l", "w.bin"):
        with pytest.raises(DownloadInUse) as told:
            FileLock(tmp_path / "l", "w.bin")
        assert told.value.path == "w.bin"

    with FileLock(tmp_path / "l", "w.bin"):
        pass
    assert list(tmp_path.iterdir()) == []


# reading back


def test_digests_are_the_ones_that_hub_and_git_give(tmp_path):
    for data in (b"", b"hello\n", bytes(range(256)) * 9):
        (tmp_path / "f").write_bytes(data)
        for etag in (sha256(data), git_sha1(data)):
            assert read_back(tmp_path / "f", len(data), etag, 100, {}, lambda n: None).digest == etag
    assert git_sha1(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"  # what `git hash-object` prints
    assert [digest_kind(e) for e in ("a" * 64, "a" * 40, "a" * 32, '"x"', "")] == ["SHA-256", "git SHA-1", "", "", ""]


def test_blocks_spoiled_on_the_disk_are_named(tmp_path):
    data = bytearray(os.urandom(1000))
    blocks = {b: HeldBlock(100, zlib.crc32(data[b * 100 : b * 100 + 100])) for b in range(10)}
    data[250] ^= 1
    data[999] ^= 1
    (tmp_path / "f").write_bytes(data)

    found = read_back(tmp_path / "f", 1000, "a" * 64, 100, blocks, lambda n: None)

    assert found.spoiled_blocks == (2, 9)
    assert found.digest == sha256(bytes(data))


def test_a_second_reading_takes_every_block_once():
    blocks = {b: HeldBlock(100, b) for b in range(7)}
    reading = SecondReading(blocks)

    batches = [reading.next_batch(3) for _ in range(4)]

    assert batches == [(0, 1, 2), (3, 4, 5), (6,), ()]


# waiting


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True))
def test_waits_double_up_to_a_minute_and_half_of_each_is_chance(failures, chance):
    longest = min(CEILING_S, 2.0 ** min(failures - 1, 30))

    assert delay_s(failures, lambda: 0.0) == longest / 2
    assert longest / 2 <= delay_s(failures, lambda: chance) <= longest


@pytest.mark.parametrize(
    ("value", "date", "seconds"),
    [
        ("120", "", 120.0),
        (" 7 ", "", 7.0),
        ("0", "", 0.0),
        ("999999999", "", LONGEST_ASKED_S),
        ("Wed, 21 Oct 2015 07:28:30 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", 30.0),
        ("Wed, 21 Oct 2015 07:27:00 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 21 Oct 2015 07:28:30 GMT", "", None),
        ("", "", None),
        ("-5", "", None),
        ("soon", "Wed, 21 Oct 2015 07:28:00 GMT", None),
    ],
)
def test_what_a_server_asks_for_is_read_by_its_own_clock(value, date, seconds):
    assert retry_after_s(value, date) == seconds


# speed


def test_the_speed_is_that_of_the_last_five_seconds():
    clock = Clock()
    meter = RateMeter(clock)

    for _ in range(20):
        clock.now += 1.0
        meter.add(1000)

    assert meter.bytes_per_s() == pytest.approx(1000)
    assert meter.left_s(5000) == pytest.approx(5.0)
    clock.now += 2.5
    assert meter.bytes_per_s() == pytest.approx(500, rel=0.25)
    clock.now += 2.6
    assert meter.bytes_per_s() == 0


def test_no_time_left_is_told_where_nobody_knows_it():
    clock = Clock()
    meter = RateMeter(clock)
    meter.add(1000)

    assert meter.left_s(5000) is None  # too early
    clock.now += 2.0
    assert meter.left_s(None) is None  # the size is not known
    assert meter.left_s(5000) == pytest.approx(10.0)
    clock.now += 10.0
    assert meter.left_s(5000) is None  # nothing arrives


def test_a_limit_is_kept_over_any_two_seconds():
    clock = Clock()
    limit = RateLimit(clock, 1000)
    taken, end = 0, clock.now + 2.0

    while clock.now < end:
        taken += 100
        clock.now += limit.take(100)

    assert 1900 <= taken <= 2400
    limit.change(None)
    assert limit.take(10**9) == 0.0


# states


def test_a_state_moves_only_as_the_table_says():
    for state in TransferState:
        for following in TransferState:
            if following in MOVES[state] or following is state:
                assert moved(state, following) is following
            else:
                with pytest.raises(ValueError):
                    moved(state, following)


def test_from_every_state_but_the_last_there_is_a_way_to_ready():
    reaches = {TransferState.READY}
    for _ in TransferState:
        reaches |= {state for state in TransferState if MOVES[state] & reaches}

    assert reaches == set(TransferState)
    assert MOVES[TransferState.READY] == frozenset()


@given(st.lists(st.sampled_from(TransferState), min_size=1))
def test_all_are_ready_only_when_each_is_and_a_failure_shows(states):
    shown = state_of_all(states)

    assert shown in states
    assert (shown is TransferState.READY) == all(state is TransferState.READY for state in states)
    assert (shown is TransferState.FAILED) == (TransferState.FAILED in states)


def test_a_drive_that_fails_while_it_catches_up_is_told_and_nothing_is_said_to_be_kept(tmp_path, monkeypatch):
    whole = PartialFile(tmp_path / "w.part", tmp_path / "w.journal", IDENTITY)
    monkeypatch.setattr("engine.hub.transfer.partial_file.SYNC_BYTES", 100)
    failing = [True]

    def sync() -> None:
        if failing.pop():
            raise LibraryNotWritable("w.part", "Input/output error")

    monkeypatch.setattr(whole._part, "sync", sync)
    SegmentWriter(whole, whole.claim(100)).write(b"x" * 100)

    with pytest.raises(LibraryNotWritable):
        whole.sync()  # the system would not tell of it a second time

    assert failing == []
    whole.close()


@given(plans(), st.data())
def test_what_is_held_from_the_beginning_has_no_gap(plan, data):
    for _ in range(data.draw(st.integers(0, 12))):
        if plan.n_blocks:
            block = data.draw(st.integers(0, plan.n_blocks - 1))
            plan.hold(block, data.draw(st.integers(0, plan.length(block))))
        prefix = plan.prefix_bytes

        whole = [plan.held(block) == plan.length(block) for block in range(plan.n_blocks)]
        n_whole = whole.index(False) if False in whole else len(whole)
        assert prefix == min(n_whole * plan.block_bytes, plan.size_bytes)


@given(st.lists(st.integers(0, 400), max_size=8))
def test_a_digest_that_is_carried_on_is_that_of_the_whole(tmp_path_factory, stops):
    path = tmp_path_factory.mktemp("digest") / "f"
    data = bytes(range(256)) + bytes(144)
    path.write_bytes(data)
    for etag in (sha256(data), git_sha1(data)):
        digest = RunningDigest(len(data), etag)

        for stop in sorted(stops):
            digest.read(path, stop, lambda n: None)
        digest.read(path, len(data), lambda n: None)

        assert (digest.hexdigest(), digest.n_bytes) == (etag, len(data))
