"""Several folders, the trash, moves between drives, adoption of caches: nothing lost, nothing outside."""

import errno
import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import (
    CacheFolderRefused,
    Cancelled,
    DamagedFile,
    FileMissing,
    InvalidRequest,
    PlaceTaken,
    UnknownModel,
    UnknownTrash,
    UnsafeName,
)
from engine.hub import relocation
from engine.hub.adoption import adopt, adoptable
from engine.hub.cache_folders import check_library_folder
from engine.hub.library import Library, neurons_folder
from engine.hub.manifest import MANIFEST, Manifest, ManifestFile, read_manifest, source_folder, write_manifest
from engine.hub.relocation import MOVES, finish_moves, move_parts
from engine.hub.trash import KEPT_DAYS, TRASH, Trash, bytes_on_drive
from engine.model.pack import pack
from tests.hub.transfer.fake_hub import git_sha1, sha256
from tests.tiny_model import TinyCheckpoint

ROOT = Path(__file__).resolve().parents[2]
COMMIT = "a" * 40
DAY_S = 86_400.0


def add_packed(library: Library, name: str, folder: Path | None = None) -> Path:
    path = library.path_for(name, "int8", f"source of {name}", folder)
    pack(TinyCheckpoint(), path, "int8", source=f"source of {name}", note="", on_step=lambda done, total: None)
    return path


def add_source(folder: Path, repo: str, *, packings: tuple[str, ...] = (), licence: str = "mit") -> Path:
    source = source_folder(folder, repo, COMMIT)
    files = {"config.json": b'{"model_type": "opt", "max_position_embeddings": 2048}', "model.safetensors": b"w" * 9000,
             "README.md": "# 模型\n".encode(), "LICENSE": b"Terms.\n"}  # fmt: skip
    source.mkdir(parents=True)
    for name, data in files.items():
        (source / name).write_bytes(data)
    manifest = Manifest(
        1, "https://hub", repo, "main", COMMIT, licence, "2026-11-30T10:00:00+00:00",
        tuple(ManifestFile(name, len(data)) for name, data in files.items()),
    )  # fmt: skip
    for packed in packings:
        manifest = manifest.packed_as(packed, "int8", "2026-11-30T11:00:00+00:00")
    write_manifest(source, manifest)
    return source


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def two(tmp_path: Path) -> Library:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    return Library(tmp_path / "one", [tmp_path / "two"])


# folders


@pytest.mark.parametrize(
    "place",
    [".cache/ember", ".cache/huggingface/hub/models", "Library/Caches/ember", "AppData/Local/Temp/m", "x/cache/models"],
)
def test_a_cache_folder_is_refused_with_what_makes_it_one(tmp_path, place):
    with pytest.raises(CacheFolderRefused) as told:
        check_library_folder(Path("/home/somebody", place), temporary=Path("/nowhere"))

    assert told.value.found.lower() in place.lower()


def test_a_tagged_folder_a_temporary_one_and_a_link_to_one_are_refused(tmp_path):
    (tmp_path / "tagged" / "models").mkdir(parents=True)
    (tmp_path / "tagged" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55")
    (tmp_path / "models").symlink_to(tmp_path / "tagged" / "models")
    for folder, temporary in (
        (tmp_path / "tagged" / "models", Path("/nowhere")),
        (tmp_path / "models", Path("/nowhere")),
        (tmp_path / "t" / "models", tmp_path / "t"),
        (Path("/tmp/x"), Path("/nowhere")),
    ):
        with pytest.raises(CacheFolderRefused):
            check_library_folder(folder, temporary)


@pytest.mark.parametrize("place", ["/home/me/models", "/media/me/Drive/Models", "/home/me/.local/share/ember/models"])
def test_folders_that_people_choose_are_taken(place):
    check_library_folder(Path(place), temporary=Path("/nowhere"))


def test_folders_are_apart_from_each_other_and_those_in_use_stay(two, monkeypatch):
    one, other = two.folders
    for folders in ([], [one, one], [one, one / "inside"], [one / "inside", one]):
        with pytest.raises(InvalidRequest):
            two.with_folders(folders)

    assert two.with_folders([other, one]).folders == (other, one)
    with pytest.raises(CacheFolderRefused):
        two.with_folders([one, Path.home() / ".cache" / "models"])


def test_models_of_all_folders_are_listed_and_a_drive_that_is_gone_is_no_fault(two, tmp_path):
    add_packed(two, "Alpha")
    add_packed(two, "Beta", two.others[0])
    gone = Library(two.folder, [*two.others, tmp_path / "unplugged"])

    assert [e.info.model_id for e in gone.entries() if e.info.note != "starter"] == ["alpha", "beta"]
    assert gone.find("beta").packed.parent == two.others[0]
    assert two.path_for("Beta", "int8", "something else").name != "beta.ember"


def test_what_was_fetched_and_not_packed_is_listed_until_it_is(two):
    source = add_source(two.folder, "org/Opt-Tiny")

    entry = two.find("opt-tiny")
    add_source(two.folder, "org/packed", packings=("alpha.ember",))
    add_packed(two, "Alpha")

    assert (entry.info.state, entry.info.family, entry.info.context_tokens) == ("source", "opt", 2048)
    assert (entry.source, entry.info.size_bytes, entry.info.licence) == (source, 9000, "mit")
    assert "packed" not in {e.info.model_id for e in two.entries()}


def test_a_licence_that_the_weights_do_not_say_is_the_hubs(two):
    path = two.path_for("Silent", "int8", "s")
    silent = replace(TinyCheckpoint().config, licence="", name="Silent")
    pack(TinyCheckpoint(silent), path, "int8", source="s", note="", on_step=lambda done, total: None)
    add_source(two.folder, "org/silent", packings=("silent.ember",), licence="apache-2.0")

    assert two.find("silent").info.licence == "apache-2.0"


def test_card_and_licence_are_read_from_the_source_even_without_its_weights(two):
    source = add_source(two.folder, "org/tiny", packings=("tiny.ember",))
    (source / "model.safetensors").unlink()
    add_packed(two, "Tiny")
    add_packed(two, "Local")

    card = two.card("tiny")

    assert (card.repo, card.commit, card.licence) == ("org/tiny", COMMIT, "mit")
    assert (card.card, card.licence_text) == ("# 模型\n", "Terms.\n")
    with pytest.raises(FileMissing):
        two.card("local")
    with pytest.raises(UnknownModel):
        two.card("absent")


@pytest.mark.parametrize("spoiled", ["", "[]", '{"schema": 1}', "\0", '{"schema": 1, "files": [{"path": "../../x"}]}'])
def test_a_spoiled_manifest_is_none(tmp_path, spoiled):
    (tmp_path / MANIFEST).write_text(spoiled)

    assert read_manifest(tmp_path) is None


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_source_behind_a_link_out_of_the_library_is_not_listed(two, tmp_path):
    add_source(tmp_path / "outside", "org/m")
    (two.folder / "sources").symlink_to(tmp_path / "outside" / "sources")

    assert list(two.sources()) == []
    with pytest.raises(UnsafeName):
        source_folder(two.folder, "org/m", COMMIT)


# the trash


def test_a_trashed_model_comes_back_with_all_that_was_known_of_it(two):
    path = add_packed(two, "Alpha")
    neurons_folder(path).mkdir()
    (neurons_folder(path) / "census.json").write_text("{}")
    add_source(two.folder, "org/alpha", packings=("alpha.ember",))
    before = contents(two.folder)

    trash_id, size = two.discard("alpha")
    listed = two.trashed()
    is_gone = not [e for e in two.entries() if e.info.model_id == "alpha"]
    restored = two.restore(trash_id)

    assert is_gone
    assert (listed[0].model_id, listed[0].size_bytes, listed[0].days_left) == ("alpha", size, KEPT_DAYS)
    assert size >= path.stat().st_size
    assert restored == "alpha"
    assert contents(two.folder) == before
    assert not (two.folder / TRASH).exists()


def test_a_source_that_another_model_was_packed_from_stays(two):
    add_packed(two, "Alpha")
    add_packed(two, "Beta")
    source = add_source(two.folder, "org/both", packings=("alpha.ember", "beta.ember"))

    two.discard("alpha")
    stays = source.is_dir()
    two.discard("beta")

    assert stays
    assert not source.exists()


def test_a_source_may_be_kept_when_its_packed_model_goes(two):
    add_packed(two, "Alpha")
    source = add_source(two.folder, "org/alpha", packings=("alpha.ember",))

    two.discard("alpha", and_source=False)

    assert source.is_dir()
    assert two.find("alpha").info.state == "source"


def test_emptying_says_what_was_freed(two):
    path = add_packed(two, "Alpha")
    held = bytes_on_drive(path)
    trash_id, size = two.discard("alpha")

    with pytest.raises(UnknownTrash):
        two.empty_trash("nothing")
    freed = two.empty_trash(trash_id)

    assert size == held <= freed <= held + 8192
    assert two.trashed() == []
    assert two.empty_trash() == 0
    with pytest.raises(UnknownTrash):
        two.restore(trash_id)


def test_restoring_leaves_what_has_taken_the_place_alone(two):
    path = add_packed(two, "Alpha")
    trash_id, _ = two.discard("alpha")
    path.write_bytes(b"another")

    with pytest.raises(PlaceTaken):
        two.restore(trash_id)

    assert path.read_bytes() == b"another"
    assert [model.trash_id for model in two.trashed()] == [trash_id]


def test_the_trash_is_emptied_after_thirty_days_by_a_clock_that_may_be_wrong(tmp_path):
    now = [1_000_000_000.0]
    trash = Trash(tmp_path, lambda: now[0])
    (tmp_path / "old.ember").write_bytes(b"x" * 5000)
    trash.take("old", [tmp_path / "old.ember"])
    now[0] -= 400 * DAY_S  # the clock was a year ahead
    (tmp_path / "new.ember").write_bytes(b"x" * 5000)
    trash.take("new", [tmp_path / "new.ember"])

    assert trash.expire() == 0
    now[0] += (KEPT_DAYS + 1) * DAY_S
    assert trash.expire() >= 5000
    assert [model.model_id for model in trash.listing()] == ["old"]
    now[0] += 400 * DAY_S
    trash.expire()
    assert trash.listing() == []


def test_a_kill_between_two_parts_loses_neither(tmp_path):
    """The record is there before the first part moves: restoring takes what it finds."""
    trash = Trash(tmp_path)
    for name in ("a.ember", "b.neurons"):
        (tmp_path / name).write_text(name)
    trash_id, _ = trash.take("a", [tmp_path / "a.ember", tmp_path / "b.neurons"])
    (tmp_path / TRASH / trash_id / "1").rename(tmp_path / "b.neurons")  # as if it had never come here

    assert trash.restore(trash_id) == "a"
    assert contents(tmp_path) == {"a.ember": b"a.ember", "b.neurons": b"b.neurons"}


def test_a_record_that_points_outside_restores_nothing_there(tmp_path):
    library = tmp_path / "library"
    trash = Trash(library)
    library.mkdir()
    (library / "a.ember").write_text("a")
    trash_id, _ = trash.take("a", [library / "a.ember"])
    record = library / TRASH / trash_id / "record.json"
    record.write_text(record.read_text().replace('"a.ember"', '"../outside.ember"'))

    with pytest.raises(UnsafeName):
        trash.restore(trash_id)
    with pytest.raises(UnsafeName):
        trash.take("x", [tmp_path / "elsewhere"] if (tmp_path / "elsewhere").write_text("") == 0 else [])

    assert not (tmp_path / "outside.ember").exists()


def test_what_is_linked_elsewhere_frees_nothing(tmp_path):
    (tmp_path / "blob").write_bytes(b"x" * 10_000)
    (tmp_path / "link").hardlink_to(tmp_path / "blob")

    assert bytes_on_drive(tmp_path / "link") == 0
    (tmp_path / "blob").unlink()
    assert bytes_on_drive(tmp_path / "link") >= 10_000


# moves


@pytest.fixture(params=["one drive", "two drives"])
def drives(request, monkeypatch):
    """Moves on one drive are renames; for two the device numbers are told apart by their folders."""
    if request.param == "two drives":
        monkeypatch.setattr(relocation, "_is_one_drive", lambda old, new: False)
    return request.param


def test_a_moved_model_is_whole_at_the_new_place_and_gone_from_the_old(two, drives):
    path = add_packed(two, "Alpha")
    neurons_folder(path).mkdir()
    (neurons_folder(path) / "census.json").write_text("{}")
    add_source(two.folder, "org/alpha", packings=("alpha.ember",))
    before = contents(two.folder)
    told: list[tuple[int, int]] = []

    two.move("alpha", two.others[0], lambda done, total: told.append((done, total)))

    assert contents(two.others[0]) == before
    assert contents(two.folder) == {}
    assert two.find("alpha").packed.parent == two.others[0]
    if drives == "two drives":
        assert told == sorted(told)
        assert told[-1][0] == told[-1][1] == 2 * sum(len(data) for data in before.values())


def test_a_move_that_is_stopped_leaves_everything_at_its_old_place(two, monkeypatch):
    monkeypatch.setattr(relocation, "_is_one_drive", lambda old, new: False)
    add_packed(two, "Alpha")
    before = contents(two.folder)

    def stop(done: int, total: int) -> None:
        if done > total // 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        two.move("alpha", two.others[0], stop)

    assert contents(two.folder) == before
    assert contents(two.others[0]) == {}


def test_a_copy_that_differs_is_refused_and_the_original_kept(two, monkeypatch):
    monkeypatch.setattr(relocation, "_is_one_drive", lambda old, new: False)
    add_packed(two, "Alpha")
    before = contents(two.folder)

    def spoil(done: int, total: int) -> None:
        for path in two.others[0].rglob("*.moving"):
            with path.open("r+b") as file:
                file.write(b"spoiled")

    with pytest.raises(DamagedFile):
        two.move("alpha", two.others[0], spoil)

    assert contents(two.folder) == before
    assert contents(two.others[0]) == {}


def test_nothing_is_moved_over_what_is_there(two, drives):
    path = add_packed(two, "Alpha")
    (two.others[0] / path.name).write_bytes(b"another")

    with pytest.raises(PlaceTaken):
        two.move("alpha", two.others[0], lambda done, total: None)

    assert path.exists()
    assert (two.others[0] / path.name).read_bytes() == b"another"


def test_a_full_drive_is_told_before_anything_is_copied(two, monkeypatch):
    monkeypatch.setattr(relocation, "_is_one_drive", lambda old, new: False)
    monkeypatch.setattr(relocation, "free_bytes", lambda folder: 1000)
    add_packed(two, "Alpha")
    before = contents(two.folder)

    with pytest.raises(Exception, match="NoRoomForDownload"):
        two.move("alpha", two.others[0], lambda done, total: None)

    assert contents(two.folder) == before


KILLED = """
import os, sys
from pathlib import Path
from engine.hub import relocation
root, kind, steps = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
relocation._is_one_drive = lambda old, new: kind == "renaming"
for step in steps:
    child = os.fork() if len(steps) > 1 else 0
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
old, new, count = root / step / "old", root / step / "new", 0
def dying(function):
    def wrapped(*arguments, **options):
        global count
        count += 1
        if count > int(step):
            os._exit(9)
        return function(*arguments, **options)
    return wrapped
for name in ("rename", "replace", "unlink", "fsync", "rmdir"):
    setattr(os, name, dying(getattr(os, name)))
    if hasattr(Path, name):
        setattr(Path, name, dying(getattr(Path, name)))
relocation.move_parts("m", [old / "m.ember", old / "m.neurons"], old, new, lambda done, total: None)
"""
N_STEPS = 32


@pytest.mark.parametrize("kind", ["copying", "renaming"])
def test_a_kill_at_any_step_of_a_move_leaves_one_whole_model(tmp_path, kind):
    """The process ends before each call that changes the drive, one after another; the next start puts it right."""
    places = {step: (tmp_path / f"{step}" / "old", tmp_path / f"{step}" / "new") for step in range(N_STEPS)}
    for old, new in places.values():
        (old / "m.neurons").mkdir(parents=True)
        new.mkdir()
        (old / "m.ember").write_bytes(b"m" * 5000)
        (old / "m.neurons" / "n").write_bytes(b"n" * 300)
    whole = contents(places[0][0])

    ended = killed_at_each_step(tmp_path, kind)

    for step, (old, new) in places.items():
        finish_moves(new, [old])
        assert whole in (contents(old), contents(new)), step
        assert {} in (contents(old), contents(new)), step
        assert not list(new.glob(f"{MOVES}/*")), step
        assert ended[step] or contents(new) == whole, step
    n_killed = sum(code != 0 for code in ended)
    assert 4 < n_killed < N_STEPS
    assert ended == [9] * n_killed + [0] * (N_STEPS - n_killed)


def killed_at_each_step(folder: Path, kind: str) -> list[int]:
    """How each of the processes ended; where a process can be forked that spares a start of Python for each."""
    command = [sys.executable, "-c", KILLED, str(folder), kind]
    steps = [str(step) for step in range(N_STEPS)]
    if hasattr(os, "fork"):
        said = subprocess.run([*command, *steps], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return [int(word) for word in said.split()]
    return [subprocess.run([*command, step], cwd=ROOT, check=False).returncode for step in steps]


def test_a_record_of_a_move_from_a_folder_that_is_not_the_librarys_deletes_nothing(tmp_path):
    victim, new = tmp_path / "home", tmp_path / "new"
    victim.mkdir()
    (victim / "precious").write_text("x")
    (new / MOVES).mkdir(parents=True)
    record = f'{{"schema": 1, "model_id": "m", "old": "{victim.as_posix()}", "stage": "copied", "parts": ["precious"]}}'
    (new / MOVES / "m.json").write_text(record)

    finish_moves(new, [tmp_path / "one"])

    assert (victim / "precious").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_link_that_leads_out_is_not_moved(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "m.neurons").mkdir(parents=True)
    new.mkdir()
    (tmp_path / "secret").write_text("x")
    (old / "m.neurons" / "link").symlink_to(tmp_path / "secret")

    with pytest.raises(UnsafeName):
        move_parts("m", [old / "m.neurons"], old, new, lambda done, total: None)


# adoption


FILES = {"config.json": b'{"model_type": "llama"}', "model.safetensors": os.urandom(50_000), "sub/x.json": b"{}"}


def cached(cache: Path, repo: str, files: dict[str, bytes], *, links: bool = True) -> Path:
    """A repository in a hub's cache, as other programs write it."""
    repository = cache / f"models--{repo.replace('/', '--')}"
    snapshot = repository / "snapshots" / COMMIT
    (repository / "blobs").mkdir(parents=True)
    for name, data in files.items():
        path = snapshot / name
        path.parent.mkdir(parents=True, exist_ok=True)
        blob = repository / "blobs" / (sha256(data) if name.endswith(".safetensors") else git_sha1(data))
        if links:
            blob.write_bytes(data)
            path.symlink_to(os.path.relpath(blob, path.parent))
        else:
            path.write_bytes(data)
    return snapshot


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("may_link", [True, False])
def test_a_model_in_a_cache_is_taken_over_with_a_manifest(tmp_path, may_link):
    snapshot = cached(tmp_path / "hub", "org/m", FILES)
    before = contents(tmp_path / "hub")
    told: list[tuple[int, int]] = []

    found = adoptable([tmp_path / "hub", tmp_path / "absent"], tmp_path / "library")
    adopted = adopt(
        snapshot,
        "org/m",
        COMMIT,
        tmp_path / "library",
        "2026-11-30",
        lambda d, t: told.append((d, t)),
        may_link=may_link,
    )

    size = sum(len(data) for data in FILES.values())
    assert [(m.repo, m.commit, m.size_bytes, m.n_files, m.links) for m in found] == [("org/m", COMMIT, size, 3, True)]
    assert {n: d for n, d in contents(adopted.folder).items() if n != MANIFEST} == FILES
    assert (adopted.linked_bytes, adopted.copied_bytes) == ((size, 0) if may_link else (0, size))
    manifest = read_manifest(adopted.folder)
    assert {f.path: f.sha256 or f.git_sha1 for f in manifest.files} == {
        n: sha256(d) if n.endswith(".safetensors") else git_sha1(d) for n, d in FILES.items()
    }
    assert told[-1] == (2 * size, 2 * size)
    assert contents(tmp_path / "hub") == before
    assert Library(tmp_path / "library").find("m").info.name == "org/m"


def test_a_cache_without_links_is_taken_over_with_hashes_of_what_is_there(tmp_path):
    snapshot = cached(tmp_path / "hub", "org/m", FILES, links=False)

    adopted = adopt(snapshot, "org/m", COMMIT, tmp_path / "library", "now", lambda d, t: None)

    hashes = {file.path: file.sha256 for file in read_manifest(adopted.folder).files}
    assert hashes["model.safetensors"] == hashlib.sha256(FILES["model.safetensors"]).hexdigest()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_blob_that_is_not_what_its_name_says_is_refused(tmp_path):
    snapshot = cached(tmp_path / "hub", "org/m", FILES)
    blob = (snapshot / "model.safetensors").resolve()
    blob.write_bytes(blob.read_bytes()[:-1] + b"!")

    with pytest.raises(DamagedFile):
        adopt(snapshot, "org/m", COMMIT, tmp_path / "library", "now", lambda d, t: None)

    assert list(Library(tmp_path / "library").sources()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_cache_whose_links_lead_out_is_not_followed(tmp_path):
    snapshot = cached(tmp_path / "hub", "org/m", FILES)
    (tmp_path / "secret").write_text("x")
    (snapshot / "weights.bin").symlink_to(tmp_path / "secret")

    assert adoptable([tmp_path / "hub"], tmp_path / "library") == []
    with pytest.raises(UnsafeName):
        adopt(snapshot, "org/m", COMMIT, tmp_path / "library", "now", lambda d, t: None)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_an_adoption_that_was_stopped_goes_on_and_copies_nothing_twice(tmp_path):
    snapshot = cached(tmp_path / "hub", "org/m", FILES)
    library = tmp_path / "library"

    def stop(done: int, total: int) -> None:
        if (source_folder(library, "org/m", COMMIT) / "model.safetensors").exists():
            raise Cancelled

    with pytest.raises(Cancelled):
        adopt(snapshot, "org/m", COMMIT, library, "now", stop, may_link=False)
    before = (source_folder(library, "org/m", COMMIT) / "model.safetensors").stat()
    is_listed = list(Library(library).sources())
    adopt(snapshot, "org/m", COMMIT, library, "now", lambda d, t: None, may_link=False)

    assert is_listed == []
    assert (source_folder(library, "org/m", COMMIT) / "model.safetensors").stat().st_ino == before.st_ino
    assert read_manifest(source_folder(library, "org/m", COMMIT)) is not None


def test_a_drive_that_fills_up_while_copying_leaves_the_original(two, monkeypatch):
    monkeypatch.setattr(relocation, "_is_one_drive", lambda old, new: False)
    add_packed(two, "Alpha")
    before = contents(two.folder)

    def full(done: int, total: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        two.move("alpha", two.others[0], full)

    assert contents(two.folder) == before
    assert contents(two.others[0]) == {}
