"""Which requests are taken and which names of a repository may become files."""

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import InvalidRequest, UnsafeName
from engine.hub.transfer.pending import pending_in, read_pending, remove_pending, write_pending
from engine.hub.transfer.request import WORK_FOLDER, FileWanted, TransferRequest, place_in

GOOD_NAMES = [
    "config.json",
    "onnx/model.onnx",
    "模型.safetensors",
    "a b.txt",
    ".gitattributes",
    "model-00001-of-00002.bin",
]
BAD_NAMES = [
    "", "/etc/passwd", "../up", "a/../../b", "a//b", "./a", "a/.", "a/", "C:/x", "C:x", "a\\b", "..\\up", "nul",
    "CON.txt", "a/Lpt1.json", "end.", "end /b", " start", "tab\tname", "zero\0byte", "line\nfeed", "x\u202egnp.exe",
    "stream:ads", "what?", "star*", "x" * 256, "y/" * 600 + "z", "\ud800", f"{WORK_FOLDER}/x", WORK_FOLDER.upper(),
]  # fmt: skip


def is_refused(kind: type[Exception], make) -> bool:
    try:
        make()
    except kind:
        return True
    return False


def test_names_of_usual_repositories_are_taken(tmp_path):
    assert [place_in(tmp_path, FileWanted(name).path) for name in GOOD_NAMES] == [
        tmp_path.resolve() / name for name in GOOD_NAMES
    ]


def test_a_name_that_is_no_plain_path_below_the_folder_is_refused():
    assert [name for name in BAD_NAMES if not is_refused(UnsafeName, lambda name=name: FileWanted(name))] == []


@given(st.text(st.sampled_from("ab./\\: \0~é\u202e"), max_size=12))
def test_what_is_taken_lies_below_the_folder(name):
    root = Path(os.sep, "library", "model")
    try:
        wanted = FileWanted(name)
    except UnsafeName:
        return

    assert Path(os.path.normpath(root / wanted.path)).is_relative_to(root)
    assert Path(os.path.normpath(root / wanted.path)) != root
    assert not any(unicodedata.category(c).startswith("C") for c in name)


def test_two_files_that_one_system_would_store_as_one_are_refused():
    pairs = [("a", "a"), ("Readme.md", "README.md"), ("a", "a/b"), ("A/b", "a"), ("caf\u00e9", "cafe\u0301")]

    for pair in pairs:
        for names in (pair, pair[::-1]):
            files = tuple(FileWanted(name) for name in names)
            assert is_refused(UnsafeName, lambda files=files: TransferRequest("org/m", "main", files)), names


def test_a_link_in_the_folder_that_leads_out_is_refused(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "sub").symlink_to(outside)

    with pytest.raises(UnsafeName):
        place_in(folder, "sub/w.bin")


def test_the_folder_itself_may_be_a_link(tmp_path):
    (tmp_path / "drive").mkdir()
    (tmp_path / "models").symlink_to(tmp_path / "drive")

    assert place_in(tmp_path / "models", "a/b.bin") == (tmp_path / "drive").resolve() / "a" / "b.bin"


def test_a_repository_is_an_owner_and_a_name_and_what_is_expected_of_a_file_well_formed():
    repos = ["", "a/b/c", "../b", "a/..", "https://x/y", "a b/c", "a/b?x", "-a/b", "a..b/c"]
    members = [{"size_bytes": -1}, {"sha256": "x" * 64}, {"sha256": "a" * 63}, {"git_sha1": "A" * 40}]
    file = (FileWanted("a"),)

    assert [r for r in repos if not is_refused(InvalidRequest, lambda r=r: TransferRequest(r, "main", file))] == []
    assert [m for m in members if not is_refused(InvalidRequest, lambda m=m: FileWanted("a", **m))] == []
    assert TransferRequest("gpt2", "refs/pr/3", file).repo == "gpt2"


def test_a_request_outlives_the_process_with_its_commit(tmp_path):
    request = TransferRequest("org/m", "main", (FileWanted("a", 3), FileWanted("b.bin", sha256="f" * 64)))
    (tmp_path / WORK_FOLDER).mkdir()

    write_pending(tmp_path, "https://hub.example", request, "c" * 40)

    kept = read_pending(tmp_path, "https://hub.example", request)
    assert kept is not None
    assert (kept.request, kept.commit) == (request, "c" * 40)
    assert [pending.request for pending in pending_in(tmp_path)] == [request]
    assert read_pending(tmp_path, "https://mirror.example", request) is None
    remove_pending(tmp_path, request)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema": 1', "\0" * 300])
def test_a_spoiled_record_of_a_request_is_left_out(tmp_path, text):
    (tmp_path / WORK_FOLDER).mkdir()
    (tmp_path / WORK_FOLDER / "x.request.json").write_text(text)

    assert pending_in(tmp_path) == []


def test_a_record_that_names_a_file_outside_is_left_out(tmp_path):
    request = TransferRequest("org/m", "main", (FileWanted("safe"),))
    (tmp_path / WORK_FOLDER).mkdir()
    write_pending(tmp_path, "https://hub.example", request, "")
    record = next((tmp_path / WORK_FOLDER).iterdir())

    record.write_text(record.read_text().replace('"safe"', '"../../.profile"'))

    assert pending_in(tmp_path) == []


def test_no_folder_has_no_pending_transfers(tmp_path):
    assert pending_in(tmp_path / "absent") == []
