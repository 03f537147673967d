"""Transfers from a fake hub: what arrives, what interrupts, and what is fetched again afterwards."""

import threading
import time

import pytest

from engine.errors import (
    DownloadInUse,
    DownloadMismatch,
    HubAccessDenied,
    InvalidRequest,
    LicenceNotAccepted,
    NoRoomForDownload,
    NotOnHub,
    UnsafeName,
)
from engine.hub.transfer.journal import read_journal
from engine.hub.transfer.progress import TransferState
from engine.hub.transfer.request import WORK_FOLDER, FileWanted
from engine.hub.transfer.transfer import RoomToPack, TransferOptions
from tests.hub.transfer.conftest import KIB, MIB, REPO, noise
from tests.hub.transfer.fake_hub import Fault, git_sha1, sha256

WEIGHTS = noise(MIB + 12_345)
FILES = {"config.json": b'{"a": 1}\n', "w.safetensors": WEIGHTS, "empty.txt": b"", "sub/v.bin": noise(200_001, 2)}


def fetched_ranges(hub, since: int = 0) -> list[tuple[int, int]]:
    """Of the bytes that the second server actually sent, by request."""
    return [(r.range[0], r.range[0] + r.sent_bytes) for r in hub.seen("cdn")[since:] if r.range and r.status == 206]


def overlap(ranges: list[tuple[int, int]]) -> int:
    """How many bytes were sent more than once."""
    seen: set[int] = set()
    twice = 0
    for start, end in ranges:
        for block in range(start, end):
            twice += block in seen
            seen.add(block)
    return twice


def pause_when(trial, transfer, reached) -> None:
    """Run until `reached(progress)`, then pause; the hub has no faults after that."""

    def watch(progress):
        trial.watch(progress)
        if reached(progress):
            transfer.pause()

    transfer.run(watch)
    trial.hub.faults.clear()


def test_every_file_arrives_whole_and_nothing_else_stays(trial):
    trial.hub.add(REPO, FILES)

    progress = trial.run(*FILES)

    assert {name: trial.content(name) for name in FILES} == FILES
    assert trial.left_over() == []
    assert progress.state is TransferState.READY
    assert progress.done_bytes == progress.size_bytes == sum(map(len, FILES.values()))


def test_a_file_is_fetched_in_segments_over_several_connections(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(first_byte_s=0.1, times=-1))

    trial.run("w.safetensors")

    ranges = fetched_ranges(trial.hub)
    assert len(ranges) > 4
    assert sum(end - start for start, end in ranges) == len(WEIGHTS)
    assert overlap(ranges) == 0


def test_what_is_wanted_may_be_held_to_digests_known_beforehand(trial):
    trial.hub.add(REPO, FILES)
    right = [
        FileWanted("w.safetensors", len(WEIGHTS), sha256(WEIGHTS)),
        FileWanted("config.json", git_sha1=git_sha1(FILES["config.json"])),
    ]

    assert trial.run(*right).state is TransferState.READY
    for wrong in (FileWanted("sub/v.bin", sha256="0" * 64), FileWanted("sub/v.bin", 7), FileWanted("empty.txt", 1)):
        with pytest.raises(DownloadMismatch):
            trial.run(wrong)


def test_files_already_there_are_read_and_not_fetched_and_others_replaced(trial):
    trial.hub.add(REPO, FILES)
    trial.run("w.safetensors")
    (trial.folder / "config.json").write_bytes(b'{"a": 2}\n')
    before = len(trial.hub.seen("cdn"))

    trial.run("w.safetensors", "config.json")

    assert len(trial.hub.seen("cdn")) == before
    assert trial.content("config.json") == FILES["config.json"]


# interruptions by the other side


def test_a_cut_connection_is_continued_at_the_byte_where_it_broke(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(cut_after=40_000))

    trial.run("w.safetensors", connections=1, segment_bytes=4 * MIB)

    first, second = trial.hub.seen("cdn")[:2]
    assert first.range == (0, len(WEIGHTS)) or first.range[0] == 0
    assert second.range[0] == 40_000
    assert second.headers["if-range"].startswith('"cdn-0-')
    assert "if-range" not in first.headers
    assert trial.content("w.safetensors") == WEIGHTS


def test_cuts_go_on_for_as_long_as_they_come(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(cut_after=70_000, times=12))

    trial.run("w.safetensors")

    assert trial.content("w.safetensors") == WEIGHTS
    assert overlap(fetched_ranges(trial.hub)) == 0


@pytest.mark.parametrize("origin", ["hub", "cdn"])
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_without_end(trial, origin, status):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    method = "HEAD" if origin == "hub" else "GET"
    trial.hub.faults.append(Fault(origin=origin, method=method, status=status, times=6))

    trial.run("w.safetensors", connections=1)

    stalled = [p for p in trial.told if p.state is TransferState.STALLED]
    assert {(p.error.code, p.error.field("status")) for p in stalled} == {("HubBusy", status)}
    assert trial.content("w.safetensors") == WEIGHTS
    assert trial.clock.now - 100_000 > 40  # the waits had grown


def test_nobody_asks_before_the_time_the_server_named(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS, "config.json": b"{}"})
    trial.hub.faults.append(Fault(status=429, headers={"Retry-After": "300"}))
    start, seen_early = trial.clock.now, []

    def watch(progress):
        busy = [r for r in trial.hub.seen("cdn") if r.status == 429]
        if busy and progress.state is TransferState.STALLED and trial.clock.now < start + 290:
            seen_early.append(len(trial.hub.requests))
            trial.clock.now = start + 290 if len(seen_early) > 1 else trial.clock.now
        elif trial.clock.now >= start + 290:
            trial.clock.now += 11

    trial.transfer("w.safetensors", "config.json", connections=1).run(watch)

    assert len(seen_early) >= 2
    assert len(set(seen_early)) == 1
    assert trial.content("w.safetensors") == WEIGHTS


def test_while_one_file_has_to_wait_for_the_server_all_do_and_say_so(trial):
    trial.hub.add(REPO, {"a.bin": noise(100_000, 3), "b.bin": noise(100_000, 4)})
    trial.hub.faults.append(Fault(path="b.bin", status=503, headers={"Retry-After": "60"}))

    trial.run("a.bin", "b.bin", connections=1, segment_bytes=32 * KIB)

    stalled = [p for p in trial.told if p.state is TransferState.STALLED]
    assert {p.error.code for p in stalled} == {"HubBusy"}
    assert 59 < stalled[0].files[1].retry_in_s <= 60


def test_a_silent_connection_is_cut_after_thirty_seconds_and_said_to_be_stalled(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=100_000))
    silent_since = []

    def watch(progress):
        trial.watch(progress)
        hanging = trial.hub.seen("cdn") and trial.hub.seen("cdn")[0].sent_bytes == 100_000
        if hanging and progress.state is TransferState.DOWNLOADING and len(trial.hub.seen("cdn")) == 1:
            silent_since.append(trial.clock.now)
            trial.clock.now += 10

    trial.transfer("w.safetensors", connections=1, segment_bytes=4 * MIB).run(watch)

    errors = [p.error for p in trial.told if p.state is TransferState.STALLED]
    assert errors[0].code == "TransferStalled"
    assert 30 <= errors[0].field("silent_s") <= 50
    assert len(silent_since) >= 3
    assert overlap(fetched_ranges(trial.hub)) == 0
    assert trial.content("w.safetensors") == WEIGHTS


def test_a_slow_first_byte_is_waited_for(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(first_byte_s=0.5, times=2))

    trial.run("w.safetensors", connections=1)

    assert not [p for p in trial.told if p.state is TransferState.STALLED]
    assert trial.content("w.safetensors") == WEIGHTS


def test_an_expired_link_is_asked_for_anew_and_nothing_fetched_twice(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    gate = threading.Event()
    trial.hub.faults.append(Fault(hang_after=40_000, times=2, gate=gate))

    def watch(progress):
        trial.watch(progress)
        if progress.done_bytes > 0 and not gate.is_set():
            trial.hub.expire_links()
            gate.set()

    trial.transfer("w.safetensors", connections=2, segment_bytes=64 * KIB).run(watch)

    assert [r.status for r in trial.hub.seen("cdn")].count(403) >= 1
    assert len(trial.hub.seen("hub", "HEAD")) == 2
    assert overlap(fetched_ranges(trial.hub)) == 0
    assert trial.content("w.safetensors") == WEIGHTS


def test_links_that_are_refused_even_when_fresh_are_tried_again_later(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(status=403, times=6))

    trial.run("w.safetensors", connections=1)

    stalled = [p.error for p in trial.told if p.state is TransferState.STALLED]
    assert (stalled[0].code, stalled[0].field("status")) == ("HubBusy", 403)
    assert trial.content("w.safetensors") == WEIGHTS


def test_a_server_that_stays_down_is_left_for_another_link(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(status=503, times=-1))

    def watch(progress):
        trial.watch(progress)
        if len(trial.hub.seen("hub", "HEAD")) > 1:
            trial.hub.faults.clear()

    trial.transfer("w.safetensors").run(watch)

    assert trial.content("w.safetensors") == WEIGHTS


def test_a_link_to_nothing_is_believed_only_when_the_hub_insists(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(status=404, times=2))

    trial.run("w.safetensors", connections=1)
    trial.hub.faults.append(Fault(status=404, times=-1))
    (trial.folder / "w.safetensors").unlink()

    with pytest.raises(NotOnHub):
        trial.run("w.safetensors", connections=1)


# refusals


@pytest.mark.parametrize(
    ("names", "revision"),
    [(("config.json", "absent.bin"), "main"), (("config.json",), "v9"), (("config.json",), "b" * 40)],
)
def test_what_is_not_on_the_hub_ends_the_transfer_with_its_name(trial, names, revision):
    trial.hub.add(REPO, FILES)

    with pytest.raises(NotOnHub) as told:
        trial.run(*names, revision=revision)

    assert (told.value.repo, told.value.revision, told.value.path) == (
        REPO,
        "a" * 40 if revision == "main" else revision,
        names[-1],
    )
    assert trial.told[-1].state is TransferState.FAILED
    assert trial.told[-1].error.code == "NotOnHub"


def test_an_unknown_repository_and_a_hidden_one_look_alike(trial):
    with pytest.raises(NotOnHub):
        trial.run("config.json")
    trial.hub.add(REPO, FILES, private=True, readers={"secret"})
    with pytest.raises(NotOnHub):
        trial.run("config.json")

    assert trial.run("config.json", token="secret").state is TransferState.READY


@pytest.mark.parametrize("token", ["", "somebody"])
def test_a_gated_repository_names_the_page_where_its_terms_are(trial, token):
    trial.hub.add(REPO, FILES, gated=True, readers={"reader"})

    with pytest.raises(LicenceNotAccepted) as told:
        trial.run("w.safetensors", token=token)

    assert told.value.link == f"{trial.hub.url}/{REPO}"
    assert trial.run("w.safetensors", token="reader").state is TransferState.READY


def test_a_token_that_is_refused_ends_the_transfer_with_the_hubs_words(trial):
    trial.hub.add(REPO, FILES)
    trial.hub.faults.append(
        Fault(origin="hub", method="HEAD", status=401, headers={"X-Error-Message": "Invalid credentials"}, times=-1)
    )

    with pytest.raises(HubAccessDenied) as told:
        trial.run("w.safetensors", token="expired")

    assert (told.value.status, told.value.reason) == (401, "Invalid credentials")


# pause, quit, change


def test_a_pause_keeps_each_byte_and_another_start_goes_on_from_there(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    pause_when(trial, trial.transfer("w.safetensors"), lambda p: p.done_bytes > 100_000)
    paused = trial.told[-1]
    kept = read_journal(next((trial.folder / WORK_FOLDER).glob("*.journal")))[1].blocks
    before = len(trial.hub.seen("cdn"))
    held = {
        byte for number, block in kept.items() for byte in range(number * 16 * KIB, number * 16 * KIB + block.n_bytes)
    }

    trial.told.clear()
    trial.run("w.safetensors")

    assert paused.state is TransferState.PAUSED
    assert 100_000 < paused.done_bytes == len(held) < len(WEIGHTS)
    asked = [r.range for r in trial.hub.seen("cdn")[before:]]
    assert sum(end - start for start, end in asked) == len(WEIGHTS) - len(held)
    assert not any(byte in held for start, end in asked for byte in range(start, end))
    assert min(p.done_bytes for p in trial.told) == len(held)
    assert trial.content("w.safetensors") == WEIGHTS


def test_a_pause_ends_a_silent_connection_at_once(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=10_000, times=-1))
    transfer, paused_at = trial.transfer("w.safetensors"), []

    def watch(progress):
        if progress.state is TransferState.DOWNLOADING and not paused_at and len(trial.hub.seen("cdn")) == 4:
            paused_at.append(time.monotonic())
            transfer.pause()

    progress = transfer.run(watch)

    assert time.monotonic() - paused_at[0] < 5  # the other side would have been silent for a minute
    assert progress.state is TransferState.PAUSED
    assert progress.error is None


def test_a_pause_before_the_start_is_not_lost_and_can_be_taken_back(trial):
    trial.hub.add(REPO, FILES)
    transfer = trial.transfer("config.json")
    transfer.pause()

    assert transfer.run().state is TransferState.PAUSED
    transfer.resume()
    assert transfer.run().state is TransferState.READY


def test_progress_never_falls_and_counts_only_what_is_in_the_journal(trial):
    trial.hub.add(REPO, FILES)
    trial.hub.faults += [Fault(cut_after=30_000, times=5), Fault(piece_s=0.02, times=-1)]

    trial.run(*FILES)

    counts = [p.done_bytes for p in trial.told]
    assert counts == sorted(counts)
    assert counts[-1] == sum(map(len, FILES.values()))


def test_a_branch_that_moves_on_does_not_mix_two_versions(trial):
    repo = trial.hub.add(REPO, FILES)
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    pause_when(trial, trial.transfer(*FILES), lambda p: p.done_bytes > 100_000)
    repo.commits["b" * 40] = {name: data[::-1] for name, data in FILES.items()}

    trial.run(*FILES)

    assert {name: trial.content(name) for name in FILES} == FILES


def test_a_file_that_changed_on_the_hub_meanwhile_is_fetched_from_its_beginning(trial):
    repo = trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    gate, other = threading.Event(), noise(len(WEIGHTS), 9)
    trial.hub.faults.append(Fault(hang_after=60_000, times=4, gate=gate))

    def watch(progress):
        trial.watch(progress)
        if progress.done_bytes > 100_000:
            repo.commits["a" * 40]["w.safetensors"] = other
            gate.set()

    trial.transfer("w.safetensors", segment_bytes=64 * KIB).run(watch)

    assert trial.content("w.safetensors") == other


def test_connections_that_still_read_the_former_version_leave_it(trial):
    repo, other = trial.hub.add(REPO, {"w.safetensors": WEIGHTS}), noise(len(WEIGHTS), 9)
    trial.hub.faults += [Fault(cut_after=60_000), Fault(piece_s=0.15)]

    def watch(progress):
        trial.watch(progress)
        if trial.hub.seen("cdn") and trial.hub.seen("cdn")[0].sent_bytes == 60_000:
            repo.commits["a" * 40]["w.safetensors"] = other
            trial.clock.now += 1

    trial.transfer("w.safetensors", connections=2, segment_bytes=MIB).run(watch)

    slow = trial.hub.seen("cdn")[1]
    assert 0 < slow.sent_bytes < slow.range[1] - slow.range[0]
    assert trial.content("w.safetensors") == other


def test_another_store_of_the_same_file_costs_nothing_but_a_question(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    pause_when(trial, trial.transfer("w.safetensors"), lambda p: p.done_bytes > 100_000)
    trial.hub.cdn_epoch += 1

    trial.run("w.safetensors")

    assert overlap(fetched_ranges(trial.hub)) == 0
    assert trial.content("w.safetensors") == WEIGHTS


def test_a_server_without_ranges_is_read_from_the_beginning_and_what_is_held_kept(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults += [Fault(cut_after=300_000, ignore_range=True, skip=4), Fault(ignore_range=True, times=-1)]

    trial.run("w.safetensors")

    assert trial.content("w.safetensors") == WEIGHTS
    counts = [p.done_bytes for p in trial.told]
    assert counts == sorted(counts)


# wrong bytes


def test_a_segment_that_arrived_wrong_is_found_and_no_more_fetched_after_it(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(flip_at=300_000, skip=2))  # in the third segment

    trial.run("w.safetensors", connections=1, segment_bytes=128 * KIB)

    ranges = fetched_ranges(trial.hub)
    n_first = -(-len(WEIGHTS) // (128 * KIB))
    again = ranges[n_first:]
    assert trial.content("w.safetensors") == WEIGHTS
    assert sum(end - start for start, end in again) == 3 * 128 * KIB
    assert again[-1][0] <= 300_000 < again[-1][1]


def test_most_of_a_file_is_checked_before_its_last_byte_is_there(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    gate = threading.Event()
    trial.hub.faults.append(Fault(hang_after=10_000, skip=8, gate=gate))  # the last but one segment
    checked = []

    def watch(progress):
        trial.watch(progress)
        if progress.done_bytes > len(WEIGHTS) - 140_000 and not gate.is_set():
            checked.append(progress.files[0].verified_bytes)
            if checked[-1] > len(WEIGHTS) // 2 or len(checked) > 50:
                gate.set()

    trial.transfer("w.safetensors", segment_bytes=128 * KIB).run(watch)

    assert checked[-1] > len(WEIGHTS) // 2
    assert trial.content("w.safetensors") == WEIGHTS


def test_a_block_spoiled_on_the_disk_is_fetched_again_alone(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    pause_when(trial, trial.transfer("w.safetensors"), lambda p: p.done_bytes > 150_000)
    part = next((trial.folder / WORK_FOLDER).glob("*.part"))
    block = min(read_journal(part.with_suffix(".journal"))[1].blocks)
    with part.open("r+b") as file:
        file.seek(block * 16 * KIB + 5)
        file.write(b"power cut")

    trial.run("w.safetensors")

    twice = overlap(fetched_ranges(trial.hub))
    assert trial.content("w.safetensors") == WEIGHTS
    assert 0 < twice <= 16 * KIB


def test_a_file_that_is_always_wrong_is_not_given_its_name(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(flip_at=300_000, times=-1))

    with pytest.raises(DownloadMismatch) as told:
        trial.run("w.safetensors")

    assert (told.value.what, told.value.expected) == ("the SHA-256", sha256(WEIGHTS))
    assert not (trial.folder / "w.safetensors").exists()
    trial.hub.faults.clear()
    assert trial.run("w.safetensors").state is TransferState.READY


def test_a_small_file_is_held_to_the_name_git_gives_it(trial):
    trial.hub.add(REPO, FILES)
    trial.hub.faults.append(Fault(origin="hub", flip_at=3, times=-1))

    with pytest.raises(DownloadMismatch) as told:
        trial.run("config.json")

    assert (told.value.what, told.value.expected) == ("the git SHA-1", git_sha1(FILES["config.json"]))


@pytest.mark.parametrize("declared", [len(WEIGHTS) - 1, len(WEIGHTS) + 1])
def test_a_size_the_hub_insists_on_against_its_own_server_ends_the_transfer(trial, declared):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(origin="hub", method="HEAD", headers={"X-Linked-Size": str(declared)}, times=-1))

    with pytest.raises(DownloadMismatch) as told:
        trial.run("w.safetensors")

    assert str(len(WEIGHTS)) in told.value.found or told.value.expected == str(declared)


def test_an_answer_about_other_bytes_than_asked_for_is_not_believed(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(headers={"Content-Encoding": "gzip"}, times=2))
    trial.hub.faults.append(Fault(headers={"Content-Range": f"bytes 0-9/{len(WEIGHTS)}"}, times=2))

    trial.run("w.safetensors", connections=1)

    assert trial.content("w.safetensors") == WEIGHTS


# disk, lock, limits


def test_what_does_not_fit_is_refused_before_the_first_byte(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(origin="hub", method="HEAD", headers={"X-Linked-Size": str(10**15)}, times=-1))

    with pytest.raises(NoRoomForDownload) as told:
        trial.run("w.safetensors")

    assert told.value.needed_bytes >= 10**15
    assert told.value.available_bytes == 1 << 40
    assert trial.hub.seen("cdn") == []


def test_a_drive_that_fills_up_meanwhile_ends_the_transfer_and_keeps_what_came(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    room = [1 << 40]
    trial.free_bytes = lambda folder: room[0]

    def watch(progress):
        trial.watch(progress)
        if progress.done_bytes > 100_000:
            room[0] = 1000

    with pytest.raises(NoRoomForDownload) as told:
        trial.transfer("w.safetensors").run(watch)

    assert told.value.available_bytes == 1000
    assert trial.told[-1].state is TransferState.FAILED
    assert trial.told[-1].done_bytes > 100_000
    trial.hub.faults.clear()
    room[0] = 1 << 40
    trial.run("w.safetensors")
    assert overlap(fetched_ranges(trial.hub)) == 0


@pytest.mark.parametrize("short", [0, 1])
def test_what_packing_will_write_has_to_fit_as_well_before_the_first_byte(trial, short):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    needed = len(WEIGHTS) + 700_000 + 1000
    trial.free_bytes = lambda folder: needed - short
    packing = RoomToPack(trial.folder.parent, 700_000)

    if not short:
        trial.run("w.safetensors", packing=packing, reserve_bytes=1000)
        return
    with pytest.raises(NoRoomForDownload) as told:
        trial.run("w.safetensors", packing=packing, reserve_bytes=1000)

    error = told.value
    assert (error.needed_bytes, error.available_bytes, error.packing_bytes) == (needed, needed - 1, 700_000)
    assert error.path == str(trial.folder)
    assert trial.hub.seen("cdn") == []


def test_a_drive_that_is_filled_by_others_up_to_the_room_for_packing_ends_the_transfer(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    room = [1 << 40]
    trial.free_bytes = lambda folder: room[0]

    def watch(progress):
        trial.watch(progress)
        if progress.done_bytes > 100_000:
            room[0] = 5_000_000

    with pytest.raises(NoRoomForDownload) as told:
        trial.transfer("w.safetensors", packing=RoomToPack(trial.folder, 5_000_000)).run(watch)

    assert 5_000_000 < told.value.needed_bytes < 5_000_000 + len(WEIGHTS)
    assert trial.told[-1].done_bytes > 100_000


@pytest.mark.parametrize("free", [700_000, 699_999])
def test_where_packing_writes_to_another_drive_that_one_needs_the_room(trial, tmp_path, free):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    other = tmp_path / "other"
    trial.is_same_drive = lambda one, two: one == two
    trial.free_bytes = lambda folder: free if folder == other else len(WEIGHTS) + 1000
    packing = RoomToPack(other, 700_000)

    if free == 700_000:
        trial.run("w.safetensors", packing=packing, reserve_bytes=1000)
        return
    with pytest.raises(NoRoomForDownload) as told:
        trial.run("w.safetensors", packing=packing, reserve_bytes=1000)

    error = told.value
    assert (error.path, error.needed_bytes, error.available_bytes) == (str(other), 700_000, free)
    assert trial.hub.seen("cdn") == []


def test_a_second_instance_does_not_touch_a_file_in_work(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    trial.hub.faults.append(Fault(hang_after=50_000, times=-1))
    first = trial.transfer("w.safetensors")
    thread = threading.Thread(target=first.run)
    thread.start()
    while not trial.hub.seen("cdn"):
        time.sleep(0.01)

    with pytest.raises(DownloadInUse):
        trial.run("w.safetensors")
    with pytest.raises(DownloadInUse):
        trial.transfer("w.safetensors").discard()

    first.pause()
    thread.join()
    trial.hub.faults.clear()
    assert trial.run("w.safetensors").state is TransferState.READY


def test_a_link_in_place_of_the_folder_of_unfinished_files_is_refused(trial):
    trial.hub.add(REPO, FILES)
    trial.folder.mkdir()
    (trial.folder / "elsewhere").mkdir()
    (trial.folder / WORK_FOLDER).symlink_to(trial.folder / "elsewhere")

    with pytest.raises(UnsafeName):
        trial.run("config.json")

    assert list((trial.folder / "elsewhere").iterdir()) == []
    assert trial.hub.requests == []


def test_discarding_leaves_nothing_of_an_unfinished_file(trial):
    trial.hub.add(REPO, FILES)
    trial.hub.faults.append(Fault(hang_after=60_000, times=4))
    transfer = trial.transfer(*FILES)
    pause_when(trial, transfer, lambda p: p.done_bytes > 100_000)
    assert trial.left_over() != []

    transfer.discard()

    assert trial.left_over() == []


def test_a_limit_on_the_speed_is_kept(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS[:600_000]})
    started = time.monotonic()

    trial.run("w.safetensors", clock=time.monotonic, limit_bytes_s=600_000)

    assert time.monotonic() - started > 0.6  # a quarter of a second's worth may come at once


def test_a_clock_that_jumps_ends_nothing(trial):
    trial.hub.add(REPO, {"w.safetensors": WEIGHTS})
    gate, jumps = threading.Event(), [86_400.0, -50_000.0, 10_000_000.0]
    trial.hub.faults.append(Fault(hang_after=60_000, times=-1, gate=gate))

    def watch(progress):
        trial.watch(progress)
        if progress.state is TransferState.DOWNLOADING:
            if jumps:
                trial.clock.now += jumps.pop()
            else:
                gate.set()

    assert trial.transfer("w.safetensors").run(watch).state is TransferState.READY
    assert trial.content("w.safetensors") == WEIGHTS


@pytest.mark.parametrize(
    "option", [{"connections": 0}, {"block_bytes": 0}, {"silence_s": 0.5}, {"segment_bytes": 1 << 31}]
)
def test_options_out_of_range_are_refused(option):
    with pytest.raises(InvalidRequest):
        TransferOptions(**option)
