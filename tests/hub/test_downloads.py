"""Requests about downloads and the library, and what answers them, as a front-end sees it."""

import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import ErrorReport, UnsupportedModel
from engine.hub.download import PackOrder
from engine.hub.downloads import Downloads
from engine.hub.hub_metadata import HubMetadata
from engine.hub.library import Library
from engine.hub.manifest import source_folder
from engine.hub.trash import Trash
from engine.messages import Failed, RequestCancelled
from engine.model.pack import pack
from engine.transfer_reports import (
    AddDownload,
    AdoptModel,
    CancelDownload,
    CheckUpdates,
    ConnectionTested,
    DownloadAdded,
    DownloadsRead,
    EmptyTrash,
    FindAdoptable,
    LimitDownloads,
    ModelMoved,
    ModelTrashed,
    MoveModel,
    NetworkSettings,
    ReadCard,
    ReadDownloads,
    ReadToken,
    ReadTrash,
    RestoreModel,
    SteerDownload,
    StoreToken,
    TransferProgressed,
    TrashModel,
    TryConnection,
    UseLibraryFolders,
    UseNetwork,
    WatchDownloads,
)
from tests.hub.hub_with_api import HubWithApi
from tests.hub.queue_rig import FILES, REPO, MemoryKeyring, Rig, until
from tests.hub.test_library_folders import add_packed, add_source
from tests.hub.transfer.fake_hub import Fault
from tests.tiny_model import TinyCheckpoint

COMMIT = "a" * 40


class Desk:
    """The manager with what it says; `ask` gives the last event of a request."""

    def __init__(self, hub: HubWithApi, library: Library) -> None:
        self.said: queue.Queue = queue.Queue()
        self.seen: list = []
        self.orders: list[PackOrder] = []
        self.loaded: list[Path] = []
        rig = Rig(hub, library.folder, MemoryKeyring())
        self.access = rig.access()
        self.library = library
        self.downloads = Downloads(
            library,
            library.folder.parent,
            HubMetadata,
            self.orders.append,
            self.said.put,
            in_use=lambda packed: packed in self.loaded,
            on_library=lambda other: setattr(self, "library", other),
            access=self.access,
        )

    def next(self):
        event = self.said.get(timeout=15)
        self.seen.append(event)
        return event

    def ask(self, kind, *values, **named):
        request_id = f"r{len(self.seen)}-{kind.__name__}"
        self.downloads.submit(kind(request_id, *values, **named))
        while True:
            event = self.next()
            passing = type(event).__name__ in ("ConnectionTried", "TransferProgressed")
            if event.request_id == request_id and not passing:
                return event


@pytest.fixture
def hub() -> Iterator[HubWithApi]:
    with HubWithApi() as hub:
        hub.add(REPO, FILES)
        yield hub


@pytest.fixture
def desk(hub, tmp_path) -> Iterator[Desk]:
    (tmp_path / "home" / "one").mkdir(parents=True)
    (tmp_path / "home" / "two").mkdir()
    desk = Desk(hub, Library(tmp_path / "home" / "one", [tmp_path / "home" / "two"]))
    yield desk
    desk.downloads.close()


def test_a_watcher_is_told_of_changes_until_it_wants_no_more(desk):
    desk.ask(WatchDownloads)
    watch = desk.seen[-1].request_id
    added = desk.ask(AddDownload, REPO, packs=False)
    states = []
    while not states or states[-1] != "ready":
        event = desk.next()
        if isinstance(event, DownloadsRead) and event.request_id == watch:
            states += [report.state for report in event.queue.downloads]

    assert isinstance(added, DownloadAdded)
    desk.downloads.submit(WatchDownloads(watch, wanted=False))
    while not desk.said.empty():
        desk.next()
    desk.ask(ReadDownloads)
    time.sleep(0.4)
    assert desk.said.qsize() <= 1  # the answer to the last request about the watch


def test_a_download_is_steered_and_given_up(desk, hub):
    hub.faults.append(Fault(hang_after=10_000, times=-1))
    added = desk.ask(AddDownload, REPO)

    paused = desk.ask(SteerDownload, added.download_id, "pause")
    limited = desk.ask(LimitDownloads, 1000)
    given_up = desk.ask(CancelDownload, added.download_id)
    unknown = desk.ask(SteerDownload, "nothing", "pause")

    assert [type(event).__name__ for event in (paused, limited)] == ["DownloadsRead", "DownloadsRead"]
    assert limited.queue.limit_bytes_s == 1000
    assert given_up.freed_bytes >= 0
    assert desk.ask(ReadDownloads).queue.downloads == ()
    assert unknown.error.code == "UnknownDownload"


def test_what_is_refused_is_told_as_a_failure(desk):
    for request, code in (
        ((AddDownload, "nonsense"), "InvalidRequest"),
        ((ReadCard, "absent"), "UnknownModel"),
        ((RestoreModel, "absent"), "UnknownTrash"),
        ((UseNetwork, NetworkSettings(endpoint="ftp://x")), "InvalidRequest"),
        ((MoveModel, "absent", "/x"), "UnknownModel"),
        ((AdoptModel, "/absent", "org/m", COMMIT), "FileMissing"),
    ):
        event = desk.ask(*request)
        assert isinstance(event, Failed)
        assert isinstance(event.error, ErrorReport)
        assert event.error.code == code


def test_a_token_is_kept_and_never_told(desk, hub):
    kept = desk.ask(StoreToken, "hf_secret")
    where = desk.ask(ReadToken)

    assert (kept.place, where.place, where.endpoint) == ("keyring", "keyring", hub.url)
    assert "hf_secret" not in repr(desk.seen)
    assert desk.ask(StoreToken, "").place == "nowhere"


def test_the_steps_of_a_connection_are_told_as_they_end(desk):
    tested = desk.ask(TryConnection, REPO)

    tried = [event.step for event in desk.seen if type(event).__name__ == "ConnectionTried"]
    assert isinstance(tested, ConnectionTested)
    assert tested.steps == tuple(tried)
    assert [step.state for step in tried][-1] == "passed"


def test_a_model_is_trashed_restored_and_deleted_for_good(desk):
    path = add_packed(desk.library, "Alpha")
    desk.loaded.append(path)

    refused = desk.ask(TrashModel, "alpha")
    desk.loaded.clear()
    trashed = desk.ask(TrashModel, "alpha")
    listed = desk.ask(ReadTrash)
    restored = desk.ask(RestoreModel, trashed.trash_id)
    desk.ask(TrashModel, "alpha")
    emptied = desk.ask(EmptyTrash)

    assert refused.error.code == "ModelInUse"
    assert isinstance(trashed, ModelTrashed)
    assert listed.models[0].trash_id == trashed.trash_id
    assert restored.model_id == "alpha"
    assert emptied.freed_bytes >= trashed.size_bytes > 0
    assert not path.exists()


def test_a_start_empties_the_trash_of_what_is_too_old(hub, tmp_path):
    folder = tmp_path / "home" / "one"
    folder.mkdir(parents=True)
    for name, days in (("old", 31), ("new", 29)):
        (folder / name).write_bytes(b"x")
        Trash(folder, lambda days=days: time.time() - days * 86_400).take(name, [folder / name])
    desk = Desk(hub, Library(folder))

    desk.ask(FindAdoptable, ())  # answered after the tidying
    listed = desk.ask(ReadTrash)
    desk.downloads.close()

    assert [model.model_id for model in listed.models] == ["new"]


def test_a_model_that_is_being_prepared_is_neither_moved_nor_trashed_and_others_are(desk):
    desk.ask(AddDownload, REPO)
    add_source(desk.library.folder, "org/other")
    while not desk.orders:
        time.sleep(0.01)

    moved = desk.ask(MoveModel, "other", str(desk.library.others[0]))
    refused = [desk.ask(TrashModel, "tiny"), desk.ask(MoveModel, "tiny", str(desk.library.others[0]))]

    assert isinstance(moved, ModelMoved)
    assert source_folder(desk.library.others[0], "org/other", COMMIT).is_dir()
    assert [event.error.code for event in refused] == ["ModelInUse", "ModelInUse"]


def test_a_model_whose_preparation_failed_is_free_and_its_download_goes_with_it(desk):
    desk.ask(AddDownload, REPO)
    while not desk.orders:
        time.sleep(0.01)
    desk.orders[0].fail(UnsupportedModel("x", "model_type", "mamba", "llama"))
    failed = desk.ask(ReadDownloads).queue.downloads

    trashed = desk.ask(TrashModel, "tiny")

    assert [d.state for d in failed] == ["failed"]
    assert isinstance(trashed, ModelTrashed)
    assert desk.ask(ReadDownloads).queue.downloads == ()


def test_a_move_can_be_cancelled(desk, monkeypatch):
    monkeypatch.setattr("engine.hub.relocation._is_one_drive", lambda old, new: False)
    path = add_packed(desk.library, "Alpha")
    held = threading.Event()
    emit = desk.downloads._emit

    def hold(event) -> None:
        emit(event)
        if isinstance(event, TransferProgressed):
            desk.downloads.cancel("m")
            held.set()

    desk.downloads._emit = hold
    desk.downloads.submit(MoveModel("m", "alpha", str(desk.library.others[0])))
    held.wait(10)
    last = desk.next()
    while isinstance(last, TransferProgressed):
        last = desk.next()

    assert isinstance(last, RequestCancelled)
    assert path.exists()
    assert list(desk.library.others[0].rglob("*.ember")) == []


def test_newer_commits_are_found_by_asking_the_hub(desk, hub):
    add_source(desk.library.folder, REPO)
    add_source(desk.library.folder, "org/gone")
    hub.repos[REPO].commits["b" * 40] = FILES

    updates = {update.repo: update for update in desk.ask(CheckUpdates).updates}

    assert (updates[REPO].is_newer, updates[REPO].newest) == (True, "b" * 40)
    assert (updates["org/gone"].is_newer, updates["org/gone"].error.code) == (False, "NotOnHub")


def old_and_new(desk, hub) -> tuple[Path, PackOrder]:
    """A model of the library whose newer commit has been fetched and is to be packed."""
    source = add_source(desk.library.folder, REPO, packings=("tiny.ember",))
    packed = pack_tiny(desk, source)
    hub.repos[REPO].commits["b" * 40] = FILES
    desk.ask(AddDownload, REPO, weight_format="int8")
    until(lambda: desk.orders)
    return packed, desk.orders[0]


def pack_tiny(desk, source: Path) -> Path:
    path = desk.library.path_for("Tiny", "int8", str(source))
    pack(TinyCheckpoint(), path, "int8", source=str(source), note="", on_step=lambda done, total: None)
    return path


def models(desk) -> dict[str, str]:
    return {e.info.model_id: e.info.source for e in desk.library.entries() if e.info.note != "starter"}


def test_an_update_takes_the_place_of_the_older_version_and_is_offered_no_more(desk, hub):
    packed, order = old_and_new(desk, hub)

    order.finish(pack_tiny(desk, order.source), "int8")
    (report,) = desk.ask(ReadDownloads).queue.downloads

    assert (report.state, report.model_id) == ("ready", "tiny")
    assert models(desk) == {"tiny": str(order.source)}
    assert [trashed.model_id for trashed in desk.ask(ReadTrash).models] == ["tiny"]
    assert packed.is_file()
    assert not any(update.is_newer for update in desk.ask(CheckUpdates).updates)


def test_an_update_of_a_loaded_model_waits_and_is_told_when_it_took_its_place(desk, hub, monkeypatch):
    packed, order = old_and_new(desk, hub)
    desk.loaded.append(packed)

    order.finish(pack_tiny(desk, order.source), "int8")
    meanwhile = set(models(desk))
    before = desk.ask(ReadDownloads).queue.library_changes
    desk.loaded.clear()
    desk.downloads._settle_updates()  # as the desk does every few seconds

    assert meanwhile == {"tiny", "tiny-2"}
    assert models(desk) == {"tiny": str(order.source)}
    assert desk.ask(ReadDownloads).queue.library_changes == before + 1


def test_folders_can_be_others_and_downloads_go_there(desk, tmp_path, monkeypatch):
    monkeypatch.setattr("engine.hub.library.check_library_folder", lambda folder: None)
    drive = tmp_path / "drive"

    used = desk.ask(UseLibraryFolders, (str(drive), str(desk.library.folder)))
    desk.ask(WatchDownloads)
    desk.ask(AddDownload, REPO, packs=False)
    while not any(r.state == "ready" for e in desk.seen if isinstance(e, DownloadsRead) for r in e.queue.downloads):
        desk.next()

    assert used.folders == (str(drive), str(tmp_path / "home" / "one"))
    assert desk.library.folder == drive
    assert source_folder(drive, REPO, COMMIT).is_dir()
    monkeypatch.undo()
    refused = desk.ask(UseLibraryFolders, (str(Path.home() / ".cache" / "ember"),))
    assert refused.error.code == "CacheFolderRefused"


def test_a_change_of_folders_keeps_the_speed_limit_and_the_downloads_in_sight(desk, hub, tmp_path, monkeypatch):
    monkeypatch.setattr("engine.hub.library.check_library_folder", lambda folder: None)
    hub.faults.append(Fault(hang_after=10_000, times=-1))
    desk.ask(LimitDownloads, 123_456)
    download_id = desk.ask(AddDownload, REPO).download_id

    desk.ask(UseLibraryFolders, (str(tmp_path / "drive"), str(desk.library.folder)))
    queue = desk.ask(ReadDownloads).queue

    assert [report.download_id for report in queue.downloads] == [download_id]
    assert queue.limit_bytes_s == 123_456


def test_caches_of_others_are_looked_through_on_request(desk, tmp_path):
    assert desk.ask(FindAdoptable, (str(tmp_path / "absent"),)).models == ()


def test_offline_is_told_and_closing_is_quick_whatever_runs(desk, hub):
    hub.faults.append(Fault(hang_after=10_000, times=-1))
    desk.ask(AddDownload, REPO)
    read = desk.ask(UseNetwork, NetworkSettings(endpoint=hub.url, is_offline=True))
    started = time.monotonic()

    desk.downloads.close()

    assert read.queue.is_offline
    assert time.monotonic() - started < 1.5
