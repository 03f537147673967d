"""The queue of downloads: order, states, what a restart finds, what is freed, and faults of the hub on the way."""

import contextlib
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import (
    Cancelled,
    DownloadInUse,
    EngineError,
    HubAnswerUnusable,
    InvalidRequest,
    ModelHeldElsewhere,
    UnknownDownload,
    UnsafeName,
    UnsupportedModel,
)
from engine.hub.download_record import DOWNLOADS, DownloadFiles, DownloadRecord, download_id_of
from engine.hub.hub_metadata import HubMetadata
from engine.hub.manifest import read_manifest, source_folder
from engine.hub.repository import Reference
from engine.hub.transfer.line import Network
from engine.hub.transfer.request import WORK_FOLDER
from engine.hub.transfer.resolving import Hub
from engine.hub_lane import look_into
from engine.plain_json import NESTED_TOO_DEEPLY
from tests.hub.hub_with_api import HubWithApi
from tests.hub.queue_rig import FILES, REPO, WANTED, WEIGHTS, Rig, report_of, until, until_state
from tests.hub.transfer.conftest import noise
from tests.hub.transfer.fake_hub import Fault

COMMIT = "a" * 40
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with HubWithApi() as hub:
        rig = Rig(hub, tmp_path / "library")
        yield rig
        rig.close()


def source(rig: Rig, repo: str = REPO) -> Path:
    return source_folder(rig.library, repo, COMMIT)


def hang(rig: Rig, after: int = 60_000, times: int = 4) -> threading.Event:
    """Connections bring so many bytes and then nothing, until the gate opens."""
    gate = threading.Event()
    rig.hub.faults.append(Fault(hang_after=after, times=times, gate=gate))
    return gate


def paused_in_the_middle(rig: Rig, **options) -> tuple[object, str]:
    """A queue and a download that has fetched a part and stands still."""
    hang(rig)
    queue = rig.queue(haste=1.0, **options)
    download_id = queue.add(REPO)
    until(lambda: report_of(queue, download_id).done_bytes > 90_000)
    queue.steer(download_id, "pause")
    until_state(queue, download_id, "paused")
    rig.hub.faults.clear()
    return queue, download_id


# from the hub to the library


def test_a_model_is_fetched_with_its_card_and_handed_over_to_be_packed(rig):
    rig.add()
    queue = rig.queue()

    download_id = queue.add(REPO, weight_format="int8")
    until(lambda: rig.orders)
    order = rig.orders[0]

    assert {path.name for path in source(rig).iterdir()} == WANTED | {"ember-manifest.json"}
    assert (source(rig) / "model.safetensors").read_bytes() == WEIGHTS
    assert (order.source, order.library, order.weight_format) == (source(rig), rig.library, "int8")
    assert report_of(queue, download_id).state == "packing"
    order.progress(3, 9)
    assert (report_of(queue, download_id).done_bytes, report_of(queue, download_id).size_bytes) == (3, 9)
    order.finish(rig.library / "tiny.ember", "int8")
    ready = report_of(queue, download_id)
    assert (ready.state, ready.model_id, ready.error) == ("ready", "tiny", None)
    manifest = read_manifest(source(rig))
    assert (manifest.repo, manifest.commit, manifest.packings[0].file) == (REPO, COMMIT, "tiny.ember")
    assert {file.path for file in manifest.files} == WANTED
    assert not (rig.library / DOWNLOADS).exists()


def test_the_packed_file_replaces_the_weights_only_where_that_was_wished_for(rig):
    rig.add()
    queue = rig.queue()

    queue.add(REPO, keeps_source=False)
    until(lambda: rig.orders)
    rig.orders[0].finish(rig.library / "tiny.ember", "int8")

    manifest = read_manifest(source(rig))
    assert not (source(rig) / "model.safetensors").exists()
    assert (source(rig) / "README.md").exists()
    assert not manifest.has_weights
    assert [file.path for file in manifest.files if not file.is_here] == ["model.safetensors"]


def test_without_packing_the_source_is_what_is_kept(rig):
    rig.add()
    queue = rig.queue()

    download_id = queue.add(REPO, packs=False)
    until_state(queue, download_id, "ready")

    assert rig.orders == []
    assert read_manifest(source(rig)).has_weights


def test_a_packing_that_fails_keeps_the_files_and_can_be_asked_for_again(rig):
    rig.add()
    queue = rig.queue()
    download_id = queue.add(REPO)
    until(lambda: rig.orders)

    rig.orders[0].fail(UnsupportedModel("x", "model_type", "mamba", "llama"))
    failed = report_of(queue, download_id)
    queue.steer(download_id, "resume")
    until(lambda: len(rig.orders) == 2)

    assert (failed.state, failed.error.code) == ("failed", "UnsupportedModel")
    assert len(rig.hub.seen("cdn")) == len({seen.range for seen in rig.hub.seen("cdn")})
    rig.orders[0].finish(rig.library / "old.ember", "int8")  # an order that was taken back says nothing any more
    assert report_of(queue, download_id).state == "packing"


def test_a_repository_in_gguf_is_packed_from_the_file(rig):
    rig.add("org/g", {"model-q8_0.gguf": noise(5000), "README.md": b"#"})
    queue = rig.queue()

    queue.add("org/g")
    until(lambda: rig.orders)

    assert rig.orders[0].source == source(rig, "org/g") / "model-q8_0.gguf"


def test_what_ember_cannot_run_is_refused_before_the_first_gigabyte(rig):
    rig.add("org/odd", {"config.json": b"{}", "weights.npz": noise(5000)})
    queue = rig.queue()

    download_id = queue.add("org/odd")

    assert until_state(queue, download_id, "failed").error.code == "ForeignFile"
    assert rig.hub.seen("cdn") == []


def test_a_model_that_cannot_be_run_is_refused_from_its_headers_and_nothing_of_its_weights_is_fetched(rig):
    config = b'{"model_type": "mamba", "architectures": ["MambaForCausalLM"]}'
    rig.add("org/odd", {**FILES, "config.json": config})
    queue = rig.queue(look=look_into)

    refused = until_state(queue, queue.add("org/odd"), "failed")

    assert refused.error.code == "UnsupportedModel"
    assert not any("model.safetensors" in seen.path for seen in rig.hub.requests)
    assert not source(rig, "org/odd").exists()
    assert rig.orders == []


def test_a_configuration_of_brackets_within_brackets_is_refused_in_words(rig):
    rig.add("org/odd", {**FILES, "config.json": b"[" * 200_000})
    queue = rig.queue(look=look_into)

    error = until_state(queue, queue.add("org/odd"), "failed").error

    assert (error.code, error.field("path")) == ("DamagedFile", "org/odd/config.json")
    assert error.field("what") == NESTED_TOO_DEEPLY


def test_a_look_that_hangs_ends_with_the_pause(rig):
    rig.add()
    gate = threading.Event()
    rig.hub.faults.append(Fault(origin="hub", path="config.json", hang_after=0, times=-1, gate=gate))
    queue = rig.queue(look=look_into)
    download_id = queue.add(REPO)
    until(lambda: any("config.json" in seen.path for seen in rig.hub.requests))

    started = time.monotonic()
    queue.steer(download_id, "pause")
    until_state(queue, download_id, "paused")

    assert time.monotonic() - started < 5
    gate.set()


def test_what_a_look_is_answered_wrongly_is_left_to_the_transfer(rig):
    def look(found, hub, network, **how):
        raise HubAnswerUnusable("hub", "the range", "the whole file")

    rig.add()
    queue = rig.queue(look=look)

    until_state(queue, queue.add(REPO, packs=False), "ready")


@pytest.mark.parametrize("repo", ["", "x", "../up", "a/b/c", "https://hub/a/b", "a b/c"])
def test_what_names_no_repository_is_refused_at_once(rig, repo):
    with pytest.raises(InvalidRequest):
        rig.queue().add(repo)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize(
    "link", ["sources", "sources/org", "sources/org/aaaaaaaaaaaa", "sources/org/aaaaaaaaaaaa/tiny"]
)
@pytest.mark.parametrize("inside", [True, False])
def test_a_link_in_the_place_of_a_models_folder_is_refused_and_not_followed(rig, tmp_path, link, inside):
    rig.add()
    behind = rig.library / "elsewhere" if inside else tmp_path / "outside"
    behind.mkdir(parents=True)
    (rig.library / link).parent.mkdir(parents=True, exist_ok=True)
    (rig.library / link).symlink_to(behind, target_is_directory=True)
    queue = rig.queue()

    refused = until_state(queue, queue.add(REPO), "failed")

    assert refused.error.code == "UnsafeName"
    assert list(behind.iterdir()) == []
    with pytest.raises(UnsafeName):
        source_folder(rig.library, REPO, COMMIT)


def test_a_library_that_is_itself_a_link_is_one(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "library").symlink_to(tmp_path / "real", target_is_directory=True)

    assert source_folder(tmp_path / "library", REPO, COMMIT).is_relative_to(tmp_path.resolve() / "real")


# order


def test_downloads_run_one_after_another_in_an_order_that_can_be_changed(rig):
    names = [f"org/m{n}" for n in range(4)]
    for name in names:
        rig.add(name, {**FILES, "model.safetensors": noise(300_000, hash(name) % 1000)})
    gate = hang(rig, 20_000, times=-1)
    queue = rig.queue(haste=1.0)
    ids = [queue.add(name, packs=False) for name in names]
    until_state(queue, ids[0], "downloading")

    queue.steer(ids[3], "first")
    queue.steer(ids[0], "first")
    queue.steer(ids[1], "later")
    order = [report.download_id for report in queue.report().downloads]
    states = [report.state for report in queue.report().downloads]
    rig.hub.faults.clear()
    gate.set()
    for download_id in ids:
        until_state(queue, download_id, "ready")

    assert order == [ids[0], ids[3], ids[2], ids[1]]
    assert states == ["downloading", "queued", "queued", "queued"]
    first_asked = []
    for seen in rig.hub.seen("cdn"):
        name = "/".join(seen.path.split("/")[1:3])
        if name not in first_asked:
            first_asked.append(name)
    assert first_asked == [names[0], names[3], names[2], names[1]]


def test_a_repository_that_the_hub_does_not_know_leaves_no_record_and_can_be_asked_for_again(rig):
    queue = rig.queue()
    missing = queue.add(REPO, packs=False)
    until_state(queue, missing, "failed")
    until(lambda: not (rig.library / DOWNLOADS).exists())
    seen_by_others = rig.queue().report().downloads
    rig.add()

    assert seen_by_others == ()
    queue.steer(missing, "resume")
    assert [record.repo for record in DownloadFiles((rig.library,)).all()] == [REPO]
    until_state(queue, missing, "ready")


def test_a_failed_download_lets_the_next_one_begin(rig):
    rig.add()
    queue = rig.queue()

    missing = queue.add("org/absent", packs=False)
    there = queue.add(REPO, packs=False)

    assert until_state(queue, missing, "failed").error.code == "NotOnHub"
    until_state(queue, there, "ready")


@pytest.mark.parametrize("fault", ["/api/models/org/slow", "/org/slow/resolve"])
def test_a_download_that_waits_for_the_hub_lets_the_next_one_go_on_and_takes_its_turn_again(rig, fault):
    rig.add("org/slow")
    rig.add()
    rig.hub.faults += [
        Fault(origin="hub", method=method, path=fault, status=503, headers={"Retry-After": "100"}, times=-1)
        for method in ("GET", "HEAD")
    ]
    queue = rig.queue()
    slow = queue.add("org/slow", packs=False)
    until_state(queue, slow, "stalled-retrying")

    there = queue.add(REPO, packs=False)
    until_state(queue, there, "ready")
    seen = []
    until(lambda: seen.append(report_of(queue, slow)) or seen[-1].state == "stalled-retrying")
    rig.hub.faults.clear()

    assert seen[-1].error.code == "HubBusy"
    assert 0 <= seen[-1].retry_in_s <= 100
    until_state(queue, slow, "ready")


def test_a_download_that_waits_can_be_paused_and_resumed_while_another_has_its_place(rig):
    rig.add("org/slow")
    rig.add()
    rig.hub.faults.append(
        Fault(origin="hub", path="/api/models/org/slow", status=503, headers={"Retry-After": "3000"}, times=-1)
    )
    queue = rig.queue(haste=1.0)
    slow = queue.add("org/slow", packs=False)
    until_state(queue, slow, "stalled-retrying")
    until_state(queue, queue.add(REPO, packs=False), "ready")

    queue.steer(slow, "pause")
    paused = report_of(queue, slow).state
    rig.hub.faults.clear()
    queue.steer(slow, "resume")

    assert paused == "paused"
    until_state(queue, slow, "ready")


def test_several_may_run_at_once_and_share_the_limit(rig):
    for name in ("org/a", "org/b"):
        rig.add(name, {**FILES, "model.safetensors": noise(300_000, len(name))})
    queue = rig.queue(haste=1.0, at_once=2)
    queue.limit(600_000)
    started = time.monotonic()

    ids = [queue.add(name, packs=False) for name in ("org/a", "org/b")]
    until(lambda: all(report_of(queue, i).state in ("downloading", "verifying", "ready") for i in ids))
    for download_id in ids:
        until_state(queue, download_id, "ready")

    assert time.monotonic() - started > 0.6


def test_the_limit_can_be_lifted_while_it_holds_a_download_back(rig):
    rig.add()
    queue = rig.queue(haste=1.0)
    queue.limit(2_000)
    download_id = queue.add(REPO, packs=False)
    until(lambda: rig.hub.seen("cdn"))
    held = report_of(queue, download_id)
    started = time.monotonic()

    queue.limit(None)
    until_state(queue, download_id, "ready")

    assert held.done_bytes < 200_000
    assert time.monotonic() - started < 5  # at the limit one piece alone would have taken half a minute


def test_the_system_is_kept_awake_only_while_something_is_fetched(rig):
    rig.add()
    queue = rig.queue()

    download_id = queue.add(REPO, packs=False)
    until_state(queue, download_id, "ready")
    until(lambda: not rig.awake.is_held)

    assert rig.awake.told == [True, False]


# pause, quit, kill, restart


def test_a_pause_is_kept_over_a_restart_and_nothing_is_fetched_twice(rig):
    rig.add()
    queue, download_id = paused_in_the_middle(rig)
    held = report_of(queue, download_id).done_bytes
    rig.close_last()

    again = rig.queue()
    again.take_up()
    found = report_of(again, download_id)
    before = len(rig.hub.seen("cdn"))
    time.sleep(0.3)
    is_quiet = len(rig.hub.seen("cdn")) == before
    again.steer(download_id, "resume")
    until(lambda: rig.orders)

    assert (found.state, found.done_bytes) == ("paused", held)
    assert is_quiet
    fetched = sum(seen.sent_bytes for seen in rig.hub.seen("cdn")[before:])
    assert fetched <= len(WEIGHTS) - held + sum(len(data) for data in FILES.values()) - len(WEIGHTS)
    assert (source(rig) / "model.safetensors").read_bytes() == WEIGHTS


def test_what_ran_when_the_program_ended_runs_again_when_it_is_taken_up(rig):
    rig.add()
    hang(rig)
    queue = rig.queue(haste=1.0)
    download_id = queue.add(REPO)
    until(lambda: report_of(queue, download_id).done_bytes > 90_000)
    rig.close_last()
    rig.hub.faults.clear()

    only_looks = rig.queue()
    seen = report_of(only_looks, download_id)
    assert (seen.state, seen.holder) == ("paused", "")
    rig.close_last()
    again = rig.queue()
    again.take_up()
    until(lambda: rig.orders)

    assert (source(rig) / "model.safetensors").read_bytes() == WEIGHTS


def test_a_packing_that_a_restart_interrupted_is_ordered_again_without_a_question_to_the_hub(rig):
    rig.add()
    queue = rig.queue()
    queue.add(REPO)
    until(lambda: rig.orders)
    rig.close_last()
    before = len(rig.hub.requests)

    again = rig.queue()
    again.take_up()
    until(lambda: len(rig.orders) == 2)

    assert len(rig.hub.requests) == before
    rig.orders[1].finish(rig.library / "tiny.ember", "int8")
    assert again.report().downloads[0].state == "ready"


def test_closing_ends_within_two_seconds_whatever_hangs(rig):
    rig.add()
    hang(rig, 10_000, times=-1)
    rig.add("org/slow")
    rig.hub.faults.append(Fault(origin="hub", path="/api/models/org/slow", first_byte_s=60, times=-1))
    queue = rig.queue(haste=1.0, at_once=2)
    until_state(queue, queue.add(REPO), "downloading")
    until_state(queue, queue.add("org/slow"), "resolving")
    started = time.monotonic()

    rig.close_last()

    assert time.monotonic() - started < 2


CHILD = """
import sys, time
from pathlib import Path
from tests.hub.hub_with_api import HubWithApi
from tests.hub.queue_rig import Rig
class There:
    url = sys.argv[1]
rig = Rig(There(), Path(sys.argv[2]))
queue = rig.queue(haste=1.0)
queue.take_up()
queue.add(sys.argv[3])
print("on", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other_instance(rig):
    """Another process that downloads the same, and can be killed."""
    rig.add()
    hang(rig, 50_000, times=-1)
    command = [sys.executable, "-c", CHILD, rig.hub.url, str(rig.library), REPO]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        until(lambda: rig.hub.seen("cdn"))
        yield process
        process.kill()


def test_a_second_instance_is_refused_with_the_process_that_has_it(rig, other_instance):
    queue = rig.queue()

    with pytest.raises(ModelHeldElsewhere) as told:
        queue.add(REPO)
    with pytest.raises(ModelHeldElsewhere):
        queue.cancel(download_id_of(REPO, "main"))
    seen = report_of(queue, download_id_of(REPO, "main"))

    assert (told.value.repo, told.value.process) == (REPO, str(other_instance.pid))
    assert (seen.holder, seen.state) == (str(other_instance.pid), "downloading")
    assert seen.repo == REPO


def test_after_the_other_instance_was_killed_this_one_goes_on_from_its_bytes(rig, other_instance):
    until(lambda: any(path.stat().st_size > 50_000 for path in source(rig).rglob("*.part")))
    other_instance.kill()
    other_instance.wait()
    rig.hub.faults.clear()
    queue = rig.queue()
    seen = report_of(queue, download_id_of(REPO, "main"))

    queue.add(REPO)
    until(lambda: rig.orders)

    assert seen.holder == ""
    assert seen.done_bytes > 0
    assert (source(rig) / "model.safetensors").read_bytes() == WEIGHTS


# giving up


def test_giving_up_says_what_was_freed_and_leaves_nothing(rig):
    rig.add()
    queue, download_id = paused_in_the_middle(rig)
    held = report_of(queue, download_id).done_bytes

    freed = queue.cancel(download_id)

    assert held * 0.9 <= freed <= len(WEIGHTS) + 64_000
    assert list(rig.library.rglob("*")) == []
    assert queue.report().downloads == ()
    with pytest.raises(UnknownDownload):
        queue.cancel(download_id)


def test_giving_up_while_it_runs_stops_it_first(rig):
    rig.add()
    hang(rig, 50_000, times=-1)
    queue = rig.queue(haste=1.0)
    download_id = queue.add(REPO)
    until(lambda: report_of(queue, download_id).done_bytes > 60_000)

    queue.cancel(download_id)

    assert list(rig.library.rglob("*")) == []


def test_giving_up_answers_within_a_second_while_another_question_keeps_the_hub(rig):
    rig.add()
    rig.add("org/slow")
    gate = threading.Event()
    rig.hub.faults.append(Fault(origin="hub", path="/api/models/org/slow", hang_after=0, times=-1, gate=gate))
    asking = threading.Thread(target=ask_in_vain, args=(HubMetadata(Hub(rig.hub.url), Network()),))
    asking.start()
    until(lambda: any("org/slow" in seen.path for seen in rig.hub.requests))
    queue = rig.queue()
    download_id = queue.add(REPO)
    until_state(queue, download_id, "resolving")

    started = time.monotonic()
    queue.cancel(download_id)

    assert time.monotonic() - started < 1
    assert not [path for path in rig.library.rglob("*") if path.is_file()]
    gate.set()
    asking.join()


def test_giving_up_what_does_not_end_soon_answers_at_once_and_deletes_when_it_has_ended(rig):
    gate, asked = threading.Event(), threading.Event()

    def look(found, hub, network, **how):
        asked.set()
        gate.wait(20)
        return 0

    rig.add()
    queue = rig.queue(look=look)
    download_id = queue.add(REPO)
    asked.wait(20)

    started = time.monotonic()
    queue.cancel(download_id)
    waited = time.monotonic() - started
    shown = queue.report().downloads
    with pytest.raises(DownloadInUse):
        queue.add(REPO)
    gate.set()

    assert waited < 1
    assert shown == ()
    until(lambda: download_id not in queue._book.downloads)
    assert not [path for path in rig.library.rglob("*") if path.is_file()]
    assert not (rig.library / DOWNLOADS).exists()
    until_state(queue, queue.add(REPO, packs=False), "ready")


def ask_in_vain(hub: HubMetadata) -> None:
    with contextlib.suppress(EngineError):
        hub.repository(Reference("org/slow"))


def test_giving_up_a_packing_takes_the_order_back(rig):
    rig.add()
    queue = rig.queue()
    download_id = queue.add(REPO)
    until(lambda: rig.orders)

    queue.cancel(download_id)

    with pytest.raises(Cancelled):
        rig.orders[0].check()
    assert list(rig.library.rglob("*")) == []


def test_giving_up_a_repair_leaves_the_model_that_was_whole(rig):
    rig.add()
    queue = rig.queue()
    until_state(queue, queue.add(REPO, packs=False), "ready")
    (source(rig) / "tokenizer.json").unlink()
    rig.hub.faults.append(Fault(origin="hub", path="tokenizer.json", first_byte_s=60, times=-1))
    download_id = queue.add(REPO, packs=False)
    until_state(queue, download_id, "downloading", "resolving")

    queue.cancel(download_id)

    assert (source(rig) / "model.safetensors").read_bytes() == WEIGHTS
    assert read_manifest(source(rig)) is not None


# the network


def test_offline_nothing_is_asked_and_downloads_wait_for_the_switch(rig):
    rig.add()
    access = rig.access(is_offline=True)
    queue = rig.queue(access=access)

    download_id = queue.add(REPO, packs=False)
    until(lambda: report_of(queue, download_id).error)
    waiting = report_of(queue, download_id)
    assert (waiting.state, waiting.error.code) == ("paused", "NetworkSwitchedOff")
    assert rig.hub.requests == []
    access.network.switch(offline=False)
    queue.network_changed()

    until_state(queue, download_id, "ready")


def test_switched_off_in_the_middle_a_download_waits_and_goes_on(rig):
    rig.add()
    hang(rig)
    access = rig.access()
    queue = rig.queue(access=access, haste=1.0)
    download_id = queue.add(REPO, packs=False)
    until(lambda: report_of(queue, download_id).done_bytes > 60_000)

    access.network.switch(offline=True)
    waiting = until_state(queue, download_id, "paused")
    rig.hub.faults.clear()
    access.network.switch(offline=False)
    queue.network_changed()

    until_state(queue, download_id, "ready")
    assert waiting.error.code == "NetworkSwitchedOff"


def test_a_hub_that_is_busy_is_asked_again_and_said_to_be(rig):
    rig.add()
    rig.hub.faults.append(Fault(origin="hub", path="/api/models", status=503, times=4))
    queue = rig.queue(haste=8.0)

    download_id = queue.add(REPO, packs=False)
    stalled = until_state(queue, download_id, "stalled-retrying")
    until_state(queue, download_id, "ready")

    assert stalled.error.code == "HubBusy"
    assert stalled.left_s is None
    assert stalled.rate_bytes_s == 0


def test_a_clock_that_jumps_ends_nothing_and_makes_nobody_wait_for_years(rig):
    rig.add()
    rig.hub.faults.append(Fault(origin="hub", path="/api/models", status=503, times=3))
    rig.hub.faults.append(Fault(cut_after=20_000, times=3))
    jumps = iter([86_400.0, -5_000_000.0, 10.0, -86_400.0, 3e7])
    shift = [0.0]

    def clock() -> float:
        return 20 * time.monotonic() + shift[0]

    queue = rig.queue(clock=clock)
    download_id = queue.add(REPO, packs=False)
    while report_of(queue, download_id).state != "ready":
        shift[0] += next(jumps, 0.0)
        time.sleep(0.05)
        assert report_of(queue, download_id).state != "failed"

    assert (source(rig) / "model.safetensors").read_bytes() == WEIGHTS


def test_no_time_left_is_told_while_a_download_stalls(rig):
    rig.add()
    gate = hang(rig, 0, times=-1)
    queue = rig.queue(haste=60.0)

    download_id = queue.add(REPO, packs=False)
    stalled = until_state(queue, download_id, "stalled-retrying")
    rig.hub.faults.clear()
    gate.set()
    until_state(queue, download_id, "ready")

    assert (stalled.left_s, stalled.error.code) == (None, "TransferStalled")
    assert stalled.retry_in_s is not None


@pytest.mark.parametrize("token", ["", "stranger"])
def test_a_gated_model_fails_with_the_page_of_its_terms_and_goes_on_with_a_token(rig, token):
    rig.add(gated=True, readers={"reader"})
    access = rig.access()
    access.tokens.write(rig.hub.url, token)
    queue = rig.queue(access=access)

    download_id = queue.add(REPO, packs=False)
    failed = until_state(queue, download_id, "failed")
    access.tokens.write(rig.hub.url, "reader")
    queue.steer(download_id, "resume")
    until_state(queue, download_id, "ready")

    assert failed.error.code == "LicenceNotAccepted"
    assert failed.error.field("link") == f"{rig.hub.url}/{REPO}"
    assert all("authorization" not in seen.headers for seen in rig.hub.requests if seen.origin == "cdn")


# the library's folder


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_in_the_library_that_leads_out_is_not_followed(rig, tmp_path):
    rig.add()
    outside = tmp_path / "outside"
    outside.mkdir()
    (rig.library / "sources").mkdir(parents=True)
    (rig.library / "sources" / "org").symlink_to(outside)
    queue = rig.queue()

    download_id = queue.add(REPO)

    assert until_state(queue, download_id, "failed").error.code == "UnsafeName"
    assert list(outside.iterdir()) == []


def test_a_full_drive_ends_a_download_and_keeps_what_came(rig):
    rig.add()
    gate = hang(rig, 60_000, times=4)
    room = [1 << 40]
    rig.free_bytes = lambda folder: room[0]
    queue = rig.queue(haste=1.0)
    download_id = queue.add(REPO, packs=False)
    until(lambda: report_of(queue, download_id).done_bytes > 90_000)

    room[0] = 1000
    failed = until_state(queue, download_id, "failed")
    room[0] = 1 << 40
    rig.hub.faults.clear()
    gate.set()
    queue.steer(download_id, "resume")
    until_state(queue, download_id, "ready")

    assert failed.error.code == "NoRoomForDownload"
    assert failed.error.field("available_bytes") == 1000
    assert failed.done_bytes > 90_000


LEFT_BY_PACKING = 64 << 20


@pytest.mark.parametrize(("told", "weight_format", "packing"), [
    (250_000, "", 250_000), (0, "", math.ceil(len(WEIGHTS) / 2 * 1.125)), (0, "f32", 2 * len(WEIGHTS)),
])  # fmt: skip
@pytest.mark.parametrize("keeps_source", [True, False])
def test_a_drive_that_holds_the_files_and_not_the_packed_one_is_refused_before_the_first_of_weights(
    rig, told, weight_format, packing, keeps_source
):
    asked = []

    def look(found, hub, network, **how):
        asked.append(how["weight_format"])
        return told

    rig.add()
    sizes = sum(len(FILES[name]) for name in WANTED)
    rig.free_bytes = lambda folder: 2 * sizes
    queue = rig.queue(look=look)

    refused = until_state(
        queue, queue.add(REPO, weight_format=weight_format, keeps_source=keeps_source), "failed"
    )  # fmt: skip

    assert asked == [weight_format]
    assert refused.error.code == "NoRoomForDownload"
    assert abs(refused.error.field("packing_bytes") - packing - LEFT_BY_PACKING) <= 2
    assert refused.error.field("needed_bytes") - refused.error.field("packing_bytes") <= sizes
    assert not any("model.safetensors" in seen.path for seen in rig.hub.seen("cdn"))


def test_what_is_not_packed_needs_no_room_for_that(rig):
    rig.add()
    rig.free_bytes = lambda folder: 2 * sum(map(len, FILES.values()))
    queue = rig.queue(look=lambda *found, **how: 1 << 40)

    until_state(queue, queue.add(REPO, packs=False), "ready")


def test_what_a_repository_has_under_the_name_of_our_own_record_is_left_out(rig):
    forged = b'{"schema": 1, "repo": "org/forged"}'
    rig.add(files={**FILES, "ember-manifest.json": forged, "Ember-Manifest.json": forged})
    queue = rig.queue()

    until_state(queue, queue.add(REPO, packs=False), "ready")

    assert read_manifest(source(rig)).repo == REPO
    assert {file.path for file in read_manifest(source(rig)).files} == WANTED


def test_hostile_names_in_a_listing_land_nowhere(rig, tmp_path):
    hostile = {
        "../../evil.json": b"1",
        "/etc/evil.json": b"2",
        "a\\..\\evil.json": b"3",
        "CON": b"4",
        "README.md:x": b"5",
    }
    rig.add(files={**FILES, **hostile})
    queue = rig.queue()

    until_state(queue, queue.add(REPO, packs=False), "ready")

    assert not [path for path in tmp_path.rglob("*") if "evil" in path.name]
    assert {path.name for path in source(rig).iterdir()} == WANTED | {"ember-manifest.json"}


def test_a_huge_declared_size_is_refused_before_the_first_byte(rig):
    rig.add()
    rig.hub.instead[f"/api/models/{REPO}/tree"] = (
        200,
        {"Content-Type": "application/json"},
        b'[{"type":"file","path":"config.json","size":2,"oid":"%s"},'
        b'{"type":"file","path":"model.safetensors","size":%d,"oid":"%s","lfs":{"oid":"%s","size":%d,"pointerSize":1}}]'
        % (b"c" * 40, 1 << 46, b"d" * 40, b"e" * 64, 1 << 46),
    )
    queue = rig.queue()

    failed = until_state(queue, queue.add(REPO, packs=False), "failed")

    assert failed.error.code in ("DownloadMismatch", "NoRoomForDownload")
    assert rig.hub.seen("cdn") == []
    assert sum(path.stat().st_size for path in rig.library.rglob("*") if path.is_file()) < 100_000


def test_files_that_changed_on_the_hub_since_they_were_listed_are_refused(rig):
    repo = rig.add()
    queue, download_id = paused_in_the_middle(rig)
    repo.commits[COMMIT]["model.safetensors"] = noise(len(WEIGHTS), 9)

    queue.steer(download_id, "resume")

    failed = until_state(queue, download_id, "failed")
    assert (failed.error.code, failed.error.field("what")) == ("DownloadMismatch", "the SHA-256")


# records


def test_a_record_that_names_files_outside_is_left_out(rig):
    files = DownloadFiles((rig.library,))
    download_id = download_id_of(REPO, "main")
    files.write(DownloadRecord(1, download_id, REPO, "main", rig.hub.url, "", "", True, True, 1))
    path = next((rig.library / DOWNLOADS).glob("*.json"))

    assert [record.repo for record in files.all()] == [REPO]
    text = path.read_text()
    outside = text.replace('"files": []', '"files": [{"path": "../../.profile"}]')
    for spoiled in (
        outside.replace('"commit": ""', f'"commit": "{COMMIT}"'),
        text.replace('"state": "queued"', '"state": "running"'),
        text[:50],
        "[]",
    ):
        path.write_text(spoiled)
        assert files.all() == []


def test_a_folder_that_is_the_librarys_no_more_is_not_written_to(rig, tmp_path):
    """A record in the first folder of a download to another, as earlier versions left them."""
    rig.add()
    download_id = download_id_of(REPO, "main")
    record = DownloadRecord(1, download_id, REPO, "main", rig.hub.url, "", "", True, True, 1)
    DownloadFiles((rig.library,)).write(record)
    path = next((rig.library / DOWNLOADS).glob("*.json"))
    path.write_text(path.read_text().replace('"folder": ""', f'"folder": "{tmp_path / "drive"}"'))

    queue = rig.queue()
    queue.take_up()

    assert until_state(queue, download_id, "failed").error.code == "LibraryNotWritable"
    assert not (tmp_path / "drive").exists()
    with pytest.raises(InvalidRequest):
        queue.add("org/b", folder=str(tmp_path / "elsewhere"))


def test_a_download_is_seen_and_goes_on_whichever_folder_is_the_first(rig, tmp_path):
    drive = tmp_path / "drive"
    rig.others = (drive,)
    rig.add()
    _, here = paused_in_the_middle(rig)
    rig.add("org/there", FILES)
    queue = rig.queues[-1]
    there = queue.add("org/there", folder=str(drive))
    queue.steer(there, "pause")
    rig.close_last()

    rig.library, rig.others = drive, (rig.library,)
    turned = rig.queue()
    seen = {report.download_id: report.state for report in turned.report().downloads}
    turned.take_up()
    for download_id in (here, there):
        turned.steer(download_id, "resume")
    until(lambda: len(rig.orders) == 2)

    assert seen == {here: "paused", there: "paused"}
    assert {order.download_id: order.library for order in rig.orders} == {here: rig.others[0], there: drive}
    assert not (drive / "sources" / "org" / COMMIT[:12] / "tiny").exists()


def test_a_download_given_up_in_vain_is_in_the_list_again(rig):
    rig.add()
    queue, download_id = paused_in_the_middle(rig)
    work = source(rig) / WORK_FOLDER
    aside = work.rename(work.with_name("aside"))
    work.symlink_to(aside)  # what cannot be deleted: a lock that is a folder
    lock = next(aside.glob("*.journal")).with_suffix(".lock")
    lock.unlink(missing_ok=True)
    lock.mkdir()

    with pytest.raises(EngineError):
        queue.cancel(download_id)

    assert report_of(queue, download_id).state == "paused"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="this user may write anywhere")
def test_a_library_that_cannot_be_written_says_so_at_once(rig):
    rig.library.mkdir()
    rig.library.chmod(0o500)

    with pytest.raises(Exception, match="LibraryNotWritable"):
        rig.queue().add(REPO)

    rig.library.chmod(0o700)


def test_unfinished_work_is_beside_the_files_and_gone_at_the_end(rig):
    rig.add()
    queue, download_id = paused_in_the_middle(rig)
    is_there = (source(rig) / WORK_FOLDER).is_dir()

    queue.steer(download_id, "resume")
    until(lambda: rig.orders)

    assert is_there
    assert not (source(rig) / WORK_FOLDER).exists()
