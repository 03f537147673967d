"""Folders of the library on drives that are not always connected: nothing is made in their place, nothing is lost."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.errors import FolderNotConnected
from engine.hub import download_schedule
from engine.hub.library import Library
from engine.hub.library_places import FOLDERS, MARKER, Places, mount_of
from engine.importing import import_model
from tests.hub.hub_with_api import HubWithApi
from tests.hub.queue_rig import REPO, WEIGHTS, Rig, report_of, until, until_state
from tests.hub.test_library_folders import add_packed
from tests.hub.transfer.fake_hub import Fault


@dataclass
class Drive:
    """A drive that can be pulled out; where it was attached an empty folder stays, or with `leaves_folder` none."""

    place: Path
    aside: Path
    leaves_folder: bool = True
    is_in: bool = field(default=False, init=False)

    def plug_in(self) -> None:
        if self.place.exists():
            shutil.rmtree(self.place)
        self.aside.mkdir(parents=True, exist_ok=True)
        self.place.parent.mkdir(parents=True, exist_ok=True)
        self.aside.rename(self.place)
        self.is_in = True

    def pull_out(self) -> None:
        self.place.rename(self.aside)
        if self.leaves_folder:
            self.place.mkdir()
        self.is_in = False

    def mount(self, path: Path) -> str:
        return str(self.place) if self.is_in and (path == self.place or self.place in path.parents) else "/"


@pytest.fixture(autouse=True)
def temporary_folders_are_taken(monkeypatch) -> None:
    monkeypatch.setattr("engine.hub.library.check_library_folder", lambda folder: None)


@pytest.fixture(params=[True, False], ids=["the folder stays", "the folder goes"])
def drive(request, tmp_path: Path) -> Drive:
    drive = Drive(tmp_path / "media" / "usb", tmp_path / "aside", request.param)
    drive.plug_in()
    return drive


def places_of(tmp_path: Path, drive: Drive) -> Places:
    """As they are known after another start."""
    return Places(tmp_path / "home", drive.mount)


def test_a_folder_is_marked_when_it_is_used_and_the_marker_says_what_it_is(tmp_path, drive):
    folder = drive.place / "models"
    places = places_of(tmp_path, drive)

    places.prepare(folder)

    assert "Ember" in (folder / MARKER).read_text()
    assert (tmp_path / "home" / FOLDERS).is_file()
    assert places_of(tmp_path, drive).is_connected(folder)


def test_nothing_is_made_in_the_place_of_a_drive_that_is_not_there(tmp_path, drive):
    folder = drive.place / "models"
    places_of(tmp_path, drive).prepare(folder)
    drive.pull_out()
    before = sorted(drive.place.parent.rglob("*"))
    library = Library(tmp_path / "home" / "library", places=places_of(tmp_path, drive)).with_folders(
        [tmp_path / "home" / "library", folder]
    )
    add_packed(library, "Alpha")

    for attempt in (
        lambda: library.places.prepare(folder),
        lambda: library.path_for("Beta", "int8", "b", folder),
        lambda: library.move("alpha", folder, lambda done, total: None),
        lambda: import_model(tmp_path / "home", library, "", lambda *step: None, folder=folder),
    ):
        with pytest.raises(FolderNotConnected) as told:
            attempt()
        assert told.value.path == str(folder)
    library.tidy()

    assert sorted(drive.place.parent.rglob("*")) == before
    assert library.find("alpha").packed.parent == library.folder


def test_models_of_a_drive_that_is_not_there_are_shown_as_such_and_come_back_with_it(tmp_path, drive):
    own, folder = tmp_path / "home" / "library", drive.place / "models"
    library = Library(own, places=places_of(tmp_path, drive)).with_folders([own, folder])
    library.places.prepare(folder)
    add_packed(library, "Alpha")
    add_packed(library, "Beta", folder)
    whole = {entry.info.model_id: entry.info for entry in library.entries()}

    drive.pull_out()
    again = Library(own, places=places_of(tmp_path, drive)).with_folders([own, folder])
    away = {entry.info.model_id: entry for entry in again.entries()}
    with pytest.raises(FolderNotConnected):
        again.find("beta")
    free_name = again.path_for("Beta", "int8", "another").name
    drive.plug_in()

    assert (away["beta"].info.away_from, away["beta"].packed) == (str(folder), None)
    assert (away["beta"].info.name, away["beta"].info.size_bytes) == (whole["beta"].name, whole["beta"].size_bytes)
    assert away["alpha"].info.away_from == ""
    assert free_name != "beta.ember"
    assert {entry.info.model_id: entry.info for entry in again.entries()} == whole


def test_a_folder_that_was_deleted_on_a_drive_that_is_there_is_made_anew(tmp_path, drive):
    folder = drive.place / "models"
    places_of(tmp_path, drive).prepare(folder)
    shutil.rmtree(folder)

    places_of(tmp_path, drive).prepare(folder)

    assert (folder / MARKER).is_file()


def test_a_drive_that_is_attached_elsewhere_is_known_by_its_marker(tmp_path, drive):
    folder = drive.place / "models"
    places_of(tmp_path, drive).prepare(folder)
    drive.is_in = False  # a folder above it is the mount now, as with another system's way to attach it

    assert places_of(tmp_path, drive).is_connected(folder)


def test_a_folder_chosen_on_a_drive_that_was_never_there_is_not_made(tmp_path):
    places = Places(tmp_path / "home")

    with pytest.raises(FolderNotConnected):
        places.prepare(tmp_path / "media" / "never" / "models")
    places.prepare(tmp_path / "fresh")

    assert not (tmp_path / "media").exists()
    assert (tmp_path / "fresh" / MARKER).is_file()


def test_embers_own_folder_is_made_wherever_it_is(tmp_path):
    own = tmp_path / "not" / "there" / "yet"
    places = Places(own)

    places.prepare(own / "library")

    assert (own / "library").is_dir()
    assert list((own / "library").iterdir()) == []


def test_a_folder_that_the_library_does_without_is_forgotten(tmp_path, drive):
    folder, other = drive.place / "models", tmp_path / "other"
    places = places_of(tmp_path, drive)
    places.prepare(folder)
    drive.pull_out()

    places.use([other])
    (tmp_path / "home" / FOLDERS).read_text()

    assert str(folder) not in (tmp_path / "home" / FOLDERS).read_text()


@pytest.mark.parametrize("spoiled", ["", "[]", '{"schema": 1, "folders": [{"path": 3}]}', "\0", '{"schema": 9}'])
def test_a_spoiled_list_is_none_and_is_written_again(tmp_path, drive, spoiled):
    places_of(tmp_path, drive).prepare(drive.place / "models")
    (tmp_path / "home" / FOLDERS).write_text(spoiled)

    places = places_of(tmp_path, drive)
    places.prepare(drive.place / "models")

    assert places.is_connected(drive.place / "models")
    assert str(drive.place) in (tmp_path / "home" / FOLDERS).read_text()


def test_where_a_drive_is_attached_is_found_for_what_does_not_exist_too(tmp_path):
    assert os.path.ismount(mount_of(tmp_path / "a" / "b"))
    assert mount_of(tmp_path / "a" / "b") == mount_of(tmp_path)


def test_a_drive_letter_that_nothing_has_is_where_nothing_is_attached(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "exists", lambda path: False)

    assert mount_of(tmp_path) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="mounts of Linux")
def test_a_real_drive_comes_and_goes(tmp_path):
    place = tmp_path / "usb"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "ember-test", str(place)], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("this user may not mount a drive")
    try:
        Places(tmp_path / "home").prepare(place / "models")
        was_there = Places(tmp_path / "home").is_connected(place / "models")
    finally:
        subprocess.run(["umount", str(place)], check=True)

    assert was_there
    with pytest.raises(FolderNotConnected):
        Places(tmp_path / "home").prepare(place / "models")
    assert list(place.iterdir()) == []


# downloads


@pytest.fixture
def rig(tmp_path: Path, drive: Drive, monkeypatch) -> Iterator[Rig]:
    monkeypatch.setattr(download_schedule, "_LOOK_AT_DRIVES_S", 0.05)
    with HubWithApi() as hub:
        rig = Rig(hub, tmp_path / "home" / "library", others=(drive.place / "models",))
        rig.places = places_of(tmp_path, drive)
        rig.places.prepare(drive.place / "models")
        rig.add()
        yield rig
        rig.close()


def test_a_download_to_a_drive_that_goes_waits_for_it_and_goes_on(rig, drive):
    gate = threading.Event()
    rig.hub.faults.append(Fault(hang_after=60_000, times=4, gate=gate))
    queue = rig.queue(haste=1.0)
    download_id = queue.add(REPO, packs=False, folder=str(drive.place / "models"))
    until(lambda: report_of(queue, download_id).done_bytes > 90_000)

    drive.pull_out()
    gate.set()
    waiting = until_state(queue, download_id, "paused")
    until(lambda: queue.report().away == (str(drive.place / "models"),))
    left = list(drive.place.rglob("*")) if drive.place.exists() else []
    rig.hub.faults.clear()
    drive.plug_in()
    until_state(queue, download_id, "ready")

    assert waiting.error.code == "FolderNotConnected"
    assert left == []
    assert next((drive.place / "models").rglob("model.safetensors")).read_bytes() == WEIGHTS


def test_downloads_that_a_drive_holds_are_taken_up_when_it_comes(rig, drive):
    rig.hub.faults.append(Fault(hang_after=60_000, times=-1))
    first = rig.queue(haste=1.0)
    download_id = first.add(REPO, folder=str(drive.place / "models"))
    until(lambda: report_of(first, download_id).done_bytes > 90_000)
    rig.close_last()
    rig.hub.faults.clear()
    drive.pull_out()

    queue = rig.queue()
    queue.take_up()
    without = queue.report()
    drive.plug_in()
    until(lambda: rig.orders)

    assert (without.downloads, without.away) == ((), (str(drive.place / "models"),))
    assert rig.orders[0].library == drive.place / "models"


def test_a_download_to_a_drive_that_is_not_there_is_refused_at_once(rig, drive):
    drive.pull_out()

    with pytest.raises(FolderNotConnected):
        rig.queue().add(REPO, folder=str(drive.place / "models"))

    assert list(drive.place.rglob("*")) == []
