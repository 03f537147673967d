"""The library: names stay names, broken files break nothing else, the starter is what it says."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import DamagedFile, UnknownModel
from engine.hub.library import Library
from engine.hub.model_infos import STARTER_ID, model_id_of
from engine.hub.starter import STARTER_BYTES, find_starter, verify_starter
from engine.model.pack import pack
from engine.model.packed_model import FORMAT_VERSION
from tests.tiny_model import TinyCheckpoint


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "library")


def add(library, name, note=""):
    path = library.path_for(name, "int8", f"source of {name}")
    pack(TinyCheckpoint(), path, "int8", source=f"source of {name}", note=note, on_step=lambda done, total: None)
    return path


@given(st.text(max_size=200))
def test_any_name_becomes_a_safe_file_name(name):
    model_id = model_id_of(name)

    assert model_id
    assert len(model_id) <= 80
    assert set(model_id) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-")
    assert not model_id.startswith(".")


def test_a_library_that_does_not_exist_yet_lists_the_starter_only(library):
    assert [entry.info.model_id for entry in library.entries()] == [STARTER_ID]
    assert not library.folder.exists()


def test_a_model_is_found_by_the_beginning_of_its_name_if_only_one_begins_so(library):
    for name in ("Alpha One", "Alpha Two", "Beta"):
        add(library, name)

    assert library.find("beta").info.model_id == "beta"
    assert library.find("alpha-o").info.model_id == "alpha-one"
    for name in ("alpha", "gamma", "", "../beta"):
        with pytest.raises(UnknownModel):
            library.find(name)


def test_a_broken_file_is_left_out_and_named(library):
    add(library, "Good")
    (library.folder / "bad.ember").write_bytes(b"not a model")

    assert [e.info.model_id for e in library.entries()] == [STARTER_ID, "good"]
    assert [type(p).__name__ for p in library.problems()] == ["ForeignFile"]


def test_a_packed_starter_takes_the_place_of_its_source(library):
    add(library, STARTER_ID, note="starter")

    assert [(e.info.model_id, e.info.state) for e in library.entries()] == [(STARTER_ID, "packed")]


def test_removing_frees_the_file_and_only_packed_models_can_be_removed(library):
    path = add(library, "Gone")
    size = path.stat().st_size

    assert library.remove("gone") == size
    assert not path.exists()
    with pytest.raises(UnknownModel):
        library.remove(STARTER_ID)


@pytest.mark.model
def test_the_starter_file_is_the_published_one(starter_gguf):
    seen = []

    verify_starter(starter_gguf, lambda done, total: seen.append(done))

    assert find_starter() == starter_gguf
    assert seen[-1] == STARTER_BYTES


@pytest.mark.model
def test_an_altered_starter_file_is_refused(starter_gguf, tmp_path):
    content = bytearray(starter_gguf.read_bytes())
    content[len(content) // 2] ^= 1
    altered = tmp_path / "altered.gguf"
    altered.write_bytes(content)

    with pytest.raises(DamagedFile) as caught:
        verify_starter(altered, lambda done, total: None)
    assert "SHA-256" in caught.value.what

    altered.write_bytes(content[:-1])
    with pytest.raises(DamagedFile) as caught:
        verify_starter(altered, lambda done, total: None)
    assert str(STARTER_BYTES) in caught.value.what


def test_a_model_of_an_older_version_is_packed_again_in_its_place(library):
    path = add(library, "Old")
    content = path.read_bytes()
    version = f'"version": "{FORMAT_VERSION}"'.encode()
    path.write_bytes(content.replace(version, b'"version": "1"', 1))

    assert [e.info.model_id for e in library.entries()] == [STARTER_ID]
    assert library.path_for("Old", "int8", "anything") == path

    path.write_bytes(content.replace(version, b'"version": "9"', 1))
    assert library.path_for("Old", "int8", "anything") != path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_odd_things_in_the_folder_hang_and_break_nothing(library):
    add(library, "Good")
    os.mkfifo(library.folder / "pipe.ember")
    (library.folder / "folder.ember").mkdir()
    (library.folder / ".x.ember.99999999999999999999999.partial").touch()
    lying = add(library, "Lying")
    content = lying.read_bytes()
    version = f'"version": "{FORMAT_VERSION}"'.encode()
    lying.write_bytes(content.replace(version, b'"version":Infinity', 1))

    library.remove_leftovers()

    assert [e.info.model_id for e in library.entries()] == [STARTER_ID, "good"]
    assert len(library.problems()) == 3
