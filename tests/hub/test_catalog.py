"""The catalogue is whole, agrees with what the engine runs, and a wrong file is refused with its line."""

import dataclasses

import pytest

from engine.catalog_reports import CatalogEntry
from engine.errors import DamagedFile, FileMissing
from engine.hub.catalog import CATALOG, read_catalog
from engine.hub.repository import check_repo
from engine.model.families import FAMILIES, overridden_activation
from engine.model.hub_checkpoint import HubCheckpoint
from tests.golden.families import GOLDEN, REFUSED

ENTRIES = read_catalog().entries


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.repo)
def test_every_entry_is_complete(entry: CatalogEntry):
    for repo in (*entry.names, *filter(None, (entry.predictors, entry.counts))):
        check_repo(repo)
    assert entry.name
    assert entry.note.endswith(".")
    assert entry.licence
    assert entry.n_parameters > 0
    assert entry.languages
    assert entry.files
    assert (entry.sparsity is None) == (entry.sparsity_source == "")
    assert bool(entry.family) != bool(entry.unsupported)


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e.family], ids=lambda entry: entry.repo)
def test_a_model_that_is_said_to_run_has_a_family_that_computes_what_the_entry_says(entry: CatalogEntry):
    family = next(f for f in FAMILIES if f.name == entry.family)
    gate, activation, *threshold = entry.feed_forward.split()

    assert gate in ("gated", "plain")
    known = overridden_activation(family, entry.repo)
    if known:
        assert activation == known[0]
        assert [float(t) for t in threshold] == ([known[1]] if known[1] else [])
    elif family.activation:
        assert activation == family.activation
    if entry.weights == "gguf":
        assert family.gguf_architecture


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row.folder)
def test_the_catalogue_says_of_a_model_what_its_checkpoint_says(row):
    entry = read_catalog().find(row.repository)
    if entry is None:
        assert not row.repository.startswith(("SparseLLM/", "PowerInfer/", "openbmb/MiniCPM-S", "facebook/", "Sakana"))
        return

    with HubCheckpoint(row.path, repository=row.repository) as checkpoint:
        assert (entry.family, entry.feed_forward) == (checkpoint.config.family, checkpoint.config.feed_forward)


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.folder)
def test_what_the_engine_refuses_the_catalogue_does_not_promise(row):
    entry = read_catalog().find(row.repository)

    assert entry is None or entry.unsupported


def test_no_weights_twice_and_none_of_another_framework():
    for entry in ENTRIES:
        kinds = {kind for kind in ("safetensors", "bin", "gguf") if any(f".{kind}" in p for p in entry.files)}
        assert kinds == {entry.weights}, entry.repo
        assert not any(ending in pattern for pattern in entry.files for ending in (".h5", ".msgpack", ".py"))


def test_a_model_is_found_by_any_of_its_names_in_any_case():
    catalog = read_catalog()

    first = catalog.find("openbmb/MiniCPM-S-1B-sft")
    assert first is not None
    assert catalog.find("sparsellm/prosparse-minicpm-1b-SFT") == first
    assert catalog.find("Tiiny/SparseQwen2-7B") == catalog.find("PowerInfer/SparseQwen2-7B")
    assert catalog.find("nobody/knows") is None


def test_something_to_chat_with_comes_first():
    first = ENTRIES[0]

    assert (first.purpose, first.is_gated, bool(first.family)) == ("chat", False, True)


HEAD = """schema = 1

[files]
safetensors = ["*.safetensors"]
bin = ["*.bin"]
gguf = ["*.gguf"]

[[model]]
repo = "org/m"
name = "M"
family = "llama"
feed_forward = "gated relu"
purpose = "chat"
languages = ["en"]
licence = "mit"
gated = false
parameters = 10
weights = "bin"
size_bytes = 20
note = "A model."
"""


def test_what_is_left_out_has_its_default(tmp_path):
    path = tmp_path / "catalog.toml"
    path.write_text(HEAD, encoding="utf-8")

    (entry,) = read_catalog(path).entries

    assert entry == CatalogEntry(
        repo="org/m", also=(), revision="", name="M", family="llama", unsupported="", feed_forward="gated relu",
        purpose="chat", languages=("en",), licence="mit", is_gated=False, n_parameters=10, weights="bin", size_bytes=20,
        files=("*.bin",), sparsity=None, sparsity_source="", predictors="", counts="", note="A model.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("schema = 1", "schema = 2", 1, "schema is 2"),
        ("schema = 1", "schema = 1\nshape = 3", 2, "shape is not known"),
        ('repo = "org/m"', 'repo = "m"', 9, "repo is 'm'"),
        ('repo = "org/m"', 'repo = "org/../m"', 9, "repo"),
        ('name = "M"', "", 8, "name is missing"),
        ('name = "M"', 'name = ""', 10, "name is ''"),
        ('name = "M"', 'name = "M"\nnmae = "N"', 11, "nmae is not known"),
        ('family = "llama"', 'family = "lama"', 11, "family is 'lama'"),
        ('family = "llama"', "", 8, "either the family"),
        ('family = "llama"', 'family = "llama"\nunsupported = "no"', 11, "either the family"),
        ('purpose = "chat"', 'purpose = "fun"', 13, "one of chat, base"),
        ('languages = ["en"]', 'languages = "en"', 14, "a list"),
        ('languages = ["en"]', 'languages = ["English"]', 14, "language"),
        ("gated = false", "gated = 0", 16, "true or false"),
        ("parameters = 10", "parameters = -1", 17, "a whole number"),
        ("parameters = 10", "parameters = true", 17, "a whole number"),
        ("size_bytes = 20", 'size_bytes = 20\nsparsity = 1.5\nsparsity_source = "x"', 20, "a share"),
        ("size_bytes = 20", "size_bytes = 20\nsparsity = 0.5", 20, "a share comes with its source"),
        ("size_bytes = 20", 'size_bytes = 20\nrevision = "main"', 20, "a commit"),
        ("size_bytes = 20", 'size_bytes = 20\nfiles = ["../x"]', 20, "a pattern"),
        ("size_bytes = 20", 'size_bytes = 20\npredictors = "a b"', 20, "owner/name"),
        ('bin = ["*.bin"]', "bin = []", 5, "bin is"),
        ('bin = ["*.bin"]', "", 1, "[files]"),
        ("[[model]]", "[[model]]\n[[model]]", 8, "repo is missing"),
        ("[[model]]", "[model]", 1, "under a line"),
        ("parameters = 10", "parameters = ", 17, "line 17"),
        ('note = "A model."', 'note = "A\\nmodel."', 20, "note is"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path, old, new, line, what):
    path = tmp_path / "catalog.toml"
    assert old in HEAD
    path.write_text(HEAD.replace(old, new), encoding="utf-8")

    with pytest.raises(DamagedFile) as told:
        read_catalog(path)

    assert told.value.path == str(path)
    assert f"line {line}" in told.value.what
    assert what in told.value.what


def test_a_repository_twice_is_refused(tmp_path):
    path = tmp_path / "catalog.toml"
    model = HEAD.partition("[[model]]")[2].replace("org/m", "Org/M")
    path.write_text(f"{HEAD}\n[[model]]{model}", encoding="utf-8")

    with pytest.raises(DamagedFile) as told:
        read_catalog(path)

    assert "line 23: org/m is there twice" in told.value.what


@pytest.mark.parametrize("data", [b"\xff\xfe", b"model = 1", b"schema = 1", b"", b"[[model]]" * 3])
def test_what_is_no_catalogue_is_damage(tmp_path, data):
    path = tmp_path / "catalog.toml"
    path.write_bytes(data)

    with pytest.raises(DamagedFile):
        read_catalog(path)


def test_no_file_is_told_as_such(tmp_path):
    with pytest.raises(FileMissing):
        read_catalog(tmp_path / "none.toml")


def test_the_catalogue_lies_where_it_is_installed():
    assert CATALOG.is_file()
    assert {field.name for field in dataclasses.fields(CatalogEntry)} >= {"repo", "sparsity", "licence"}
