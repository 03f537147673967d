"""A newer commit takes the place of the older one, and whatever happens on the way one whole model is left."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.hub.library import Library, neurons_folder
from engine.hub.manifest import SOURCES, Manifest, Superseded, read_manifest, source_folder, write_manifest
from engine.hub.updates import note_superseded, packed_of, settle_updates
from engine.model.pack import pack
from tests.tiny_model import TinyCheckpoint

OLD, NEW, OTHER = "a" * 40, "b" * 40, "c" * 40
REPO = "org/tiny"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    return Library(tmp_path / "one", [tmp_path / "two"])


def add(
    library: Library,
    commit: str,
    *,
    formats: tuple[str, ...] = ("int8",),
    revision: str = "main",
    repo: str = REPO,
    folder: Path | None = None,
    day: int = 1,
) -> Path:
    """A version as a download leaves it, with the packed files made of it."""
    home = folder or library.folder
    source = source_folder(home, repo, commit)
    source.mkdir(parents=True)
    (source / "config.json").write_text("{}")
    manifest = Manifest(1, "https://hub", repo, revision, commit, "mit", f"2026-11-{day:02}T10:00:00+00:00", ())
    for weight_format in formats:
        path = library.path_for("Tiny", weight_format, str(source), folder)
        checkpoint = TinyCheckpoint()
        pack(checkpoint, path, weight_format, source=str(source), note="", on_step=lambda done, total: None)
        manifest = manifest.packed_as(path.name, weight_format, "2026-11-30T11:00:00+00:00")
    write_manifest(source, manifest)
    return source


def finish(library: Library, source: Path, in_use: tuple[Path, ...] = ()) -> bool:
    """As when a download has ended."""
    note_superseded(library, source, packed_of(source.parents[3], source))
    return settle_updates(library, lambda packed: packed in in_use)


def listed(library: Library) -> dict[str, str]:
    """The models by id, and the commit that each was packed from."""
    return {e.info.model_id: e.info.source.split(SOURCES)[-1] for e in library.entries() if e.info.note != "starter"}


def test_an_update_takes_the_name_of_the_older_version_which_is_in_the_trash(library):
    old = add(library, OLD)
    neurons_folder(library.folder / "tiny.ember").mkdir()
    new = add(library, NEW, day=2)
    neurons_folder(library.folder / "tiny-2.ember").mkdir()
    (neurons_folder(library.folder / "tiny-2.ember") / "census.json").write_text("new")

    waits = finish(library, new)

    assert not waits
    assert list(listed(library)) == ["tiny"]
    assert NEW[:12] in listed(library)["tiny"]
    assert not old.exists()
    assert (neurons_folder(library.folder / "tiny.ember") / "census.json").read_text() == "new"
    assert [trashed.model_id for trashed in library.trashed()] == ["tiny"]
    assert read_manifest(new).supersedes == ()
    assert packed_of(library.folder, new) == library.folder / "tiny.ember"
    assert library.card("tiny").commit == NEW


def test_an_older_version_that_is_loaded_stays_until_it_is_let_go(library):
    old = add(library, OLD)
    new = add(library, NEW, day=2)
    loaded = library.folder / "tiny.ember"

    waits = finish(library, new, in_use=(loaded,))
    meanwhile = listed(library)
    waits_longer = settle_updates(library, lambda packed: False)

    assert (waits, waits_longer) == (True, False)
    assert set(meanwhile) == {"tiny", "tiny-2"}
    assert list(listed(library)) == ["tiny"]
    assert not old.exists()


def test_what_was_wanted_beside_each_other_stays(library):
    add(library, OLD, formats=("int8", "int4"))
    add(library, OTHER, revision="v1", day=1)
    add(library, "d" * 40, revision="d" * 40, day=1)
    add(library, "e" * 40, repo="org/another", day=1)
    before = set(listed(library))
    new = add(library, NEW, formats=("int4",), day=2)

    finish(library, new)

    gone = before - set(listed(library))
    assert gone == set()  # the newer has the name of the older
    assert len(listed(library)) == len(before)
    assert NEW[:12] in listed(library)["tiny-int4"]
    assert OLD[:12] in listed(library)["tiny"]
    assert source_folder(library.folder, REPO, OLD).is_dir()


def test_a_commit_that_was_asked_for_by_itself_replaces_nothing(library):
    add(library, OLD)
    pinned = add(library, NEW, revision=NEW, day=2)

    finish(library, pinned)

    assert len(listed(library)) == 2


def test_an_adopted_model_is_of_the_newest_branch(library):
    add(library, OLD, revision="")
    new = add(library, NEW, day=2)

    finish(library, new)

    assert list(listed(library)) == ["tiny"]


def test_an_older_version_in_another_folder_is_replaced_too(library):
    add(library, OLD, folder=library.others[0])
    new = add(library, NEW, day=2)

    finish(library, new)

    assert list(listed(library)) == ["tiny"]
    assert library.find("tiny").packed == library.folder / "tiny.ember"
    assert not (library.others[0] / SOURCES).exists()


def test_files_that_were_not_packed_are_replaced_by_newer_ones(library):
    old = add(library, OLD, formats=())
    new = add(library, NEW, formats=(), day=2)

    finish(library, new)

    assert not old.exists()
    assert len(library.trashed()) == 1


def test_going_back_to_what_was_fetched_before_replaces_nothing_newer(library):
    newer = add(library, NEW, day=2)
    older = add(library, OLD, day=1)

    finish(library, older)

    assert newer.is_dir()
    assert len(listed(library)) == 2


@pytest.mark.parametrize("step", ["before the trash", "after the trash", "after the name"])
def test_a_kill_at_any_step_is_made_up_for_at_the_next_start(library, step):
    add(library, OLD)
    new = add(library, NEW, day=2)
    write_manifest(new, replace(read_manifest(new), supersedes=(Superseded(OLD, "tiny.ember"),)))
    if step != "before the trash":
        library.discard("tiny")
    if step == "after the name":
        (library.folder / "tiny-2.ember").rename(library.folder / "tiny.ember")

    waits = settle_updates(library, lambda packed: False)

    assert not waits
    assert list(listed(library)) == ["tiny"]
    assert packed_of(library.folder, new) == library.folder / "tiny.ember"
    assert read_manifest(new).supersedes == ()


def test_a_name_that_something_else_has_taken_is_left_alone(library):
    new = add(library, NEW, day=2)
    write_manifest(new, replace(read_manifest(new), supersedes=(Superseded(OLD, "tiny-9.ember"),)))
    (library.folder / "tiny-9.ember").write_bytes(b"something else")

    settle_updates(library, lambda packed: False)

    assert (library.folder / "tiny-9.ember").read_bytes() == b"something else"
    assert list(listed(library)) == ["tiny"]


def test_an_older_version_that_cannot_be_moved_stays_and_is_tried_again(library, monkeypatch):
    add(library, OLD)
    new = add(library, NEW, day=2)

    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    finish(library, new)
    stays = set(listed(library))
    monkeypatch.undo()
    settle_updates(library, lambda packed: False)

    assert stays == {"tiny", "tiny-2"}
    assert list(listed(library)) == ["tiny"]
