"""How people name a repository, and which of its files are fetched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog_reports import HubFile
from engine.errors import EngineError, ForeignFile, InvalidRequest
from engine.hub.catalog import read_catalog
from engine.hub.repository import Reference, choose_files, parse_reference

MIRROR = "https://mirror.example/hub/"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("org/name", Reference("org/name")),
        ("  org/name\n", Reference("org/name")),
        ("org/name@v1.0", Reference("org/name", "v1.0")),
        ("org/name@main", Reference("org/name")),
        ("org/name@refs/pr/7", Reference("org/name", "refs/pr/7")),
        ("org/name@" + "a" * 40, Reference("org/name", "a" * 40)),
        ("https://huggingface.co/org/name", Reference("org/name")),
        ("https://huggingface.co/org/name/", Reference("org/name")),
        ("https://huggingface.co/org/name?x=1#readme", Reference("org/name")),
        ("https://huggingface.co/models/org/name", Reference("org/name")),
        ("http://hf.co/org/name/tree/v2", Reference("org/name", "v2")),
        ("huggingface.co/org/name/tree/main", Reference("org/name")),
        ("https://huggingface.co/org/name/tree/refs%2Fpr%2F7", Reference("org/name", "refs/pr/7")),
        ("https://huggingface.co/org/name/tree/refs/pr/7", Reference("org/name", "refs/pr/7")),
        ("https://huggingface.co/org/name/blob/v2/config.json", Reference("org/name", "v2")),
        ("https://huggingface.co/org/name/resolve/" + "b" * 40 + "/a.bin", Reference("org/name", "b" * 40)),
        ("https://huggingface.co/org/name/discussions/3", Reference("org/name")),
        ("hf://org/name@v2", Reference("org/name", "v2")),
        ("hf://models/org/name", Reference("org/name")),
        ("https://mirror.example/hub/org/name/tree/v2", Reference("org/name", "v2")),
        ("mirror.example/hub/org/name", Reference("org/name")),
    ],
)
def test_a_reference_is_read_as_it_was_meant(text, expected):
    assert parse_reference(text, MIRROR) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "name", "a/b/c", "org/name@", "org/na me", "org/name@a b", "org/name@../x", "../name", "org/..",
        "org/name.git", "org/na--me", "https://evil.example/org/name", "https://huggingface.co.evil.example/org/name",
        "https://huggingface.co", "https://huggingface.co/org", "https://huggingface.co/datasets/org/name",
        "https://huggingface.co/spaces/org/name", "ftp://huggingface.co/org/name", "file:///etc/passwd",
        "https://[::1/org/name", "org/name\x00", "org/name\u202e", "x" * 3000, "https://user@evil.example/org/name",
        "https://huggingface.co/org/name/tree/..%2F..", "hf://datasets/org/name",
    ],
)  # fmt: skip
def test_what_names_no_model_of_the_hub_is_refused(text):
    with pytest.raises(InvalidRequest) as told:
        parse_reference(text, MIRROR)

    assert told.value.field == "reference"


@given(st.text(max_size=80))
def test_nothing_that_is_typed_gets_past_as_anything_but_a_name(text):
    try:
        found = parse_reference(text)
    except InvalidRequest:
        return
    assert found.repo.count("/") == 1
    assert ".." not in found.repo
    assert not set("?#% \\:") & set(found.repo + found.revision)


# files


def files(*names: str, size: int = 100) -> list[HubFile]:
    return [HubFile(name, size, "", "a" * 40) for name in names]


def chosen(*names: str, entry=None) -> tuple[str, set[str]]:
    choice = choose_files("org/m", files(*names), entry)
    assert choice.error is None
    return choice.weights, {file.path for file in choice.files if not file.left_out}


def test_safetensors_are_preferred_and_nothing_is_fetched_twice():
    weights, wanted = chosen(
        "config.json", "model.safetensors", "pytorch_model.bin", "tf_model.h5", "flax_model.msgpack", "tokenizer.json",
        "tokenizer_config.json", "README.md", "LICENSE.txt", "modeling_x.py", "onnx/model.onnx", "activation/a_0.pt",
    )  # fmt: skip

    assert weights == "safetensors"
    assert wanted == {
        "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "README.md", "LICENSE.txt"
    }  # fmt: skip


def test_what_is_left_out_says_why():
    listing = files(
        "config.json", "model.safetensors", "pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5",
        "flax_model.msgpack", "model.py", "img/plot.png", "onnx/model.onnx", "training_args.bin", "consolidated.00.pth",
    )  # fmt: skip

    reasons = {file.path: file.left_out for file in choose_files("org/m", listing).files}

    assert reasons == {
        "config.json": "", "model.safetensors": "", "pytorch_model.bin": "duplicate",
        "pytorch_model.bin.index.json": "duplicate", "tf_model.h5": "other framework",
        "flax_model.msgpack": "other framework", "model.py": "code", "img/plot.png": "not of the model",
        "onnx/model.onnx": "other framework", "training_args.bin": "duplicate", "consolidated.00.pth": "duplicate",
    }  # fmt: skip


def test_shards_come_with_their_index_and_all_of_them():
    shards = [f"model-0000{n}-of-00003.safetensors" for n in (1, 2, 3)]

    assert chosen("config.json", "model.safetensors.index.json", *shards, "pytorch_model.bin") == (
        "safetensors",
        {"config.json", "model.safetensors.index.json", *shards},
    )
    choice = choose_files("org/m", files("config.json", "model.safetensors.index.json", *shards[:2]))
    assert isinstance(choice.error, ForeignFile)
    assert choice.weights == ""
    assert not [file for file in choice.files if not file.left_out]


def test_torch_files_are_taken_where_there_is_nothing_better():
    assert chosen("config.json", "pytorch_model.bin", "vocab.json", "merges.txt", "tf_model.h5") == (
        "bin",
        {"config.json", "pytorch_model.bin", "vocab.json", "merges.txt"},
    )


def test_of_gguf_files_one_is_taken_and_the_one_that_loses_least():
    assert chosen("m.Q4_K_M.gguf", "m.Q8_0.gguf", "m.Q2_K.gguf", "config.json", "README.md") == (
        "gguf",
        {"m.Q8_0.gguf", "README.md"},
    )


@pytest.mark.parametrize(
    "names",
    [
        (), ("README.md",), ("config.json",), ("model.safetensors",), ("sub/model.safetensors", "config.json"),
        ("config.json", "tf_model.h5"), ("config.json", "adapter_model.safetensors"),
        ("m-00001-of-00002.gguf", "m-00002-of-00002.gguf"),
        ("config.json", "model.safetensors.index.json"),
    ],
)  # fmt: skip
def test_a_repository_without_weights_that_we_read_is_a_choice_with_an_error(names):
    choice = choose_files("org/m", files(*names))

    assert isinstance(choice.error, EngineError)
    assert (choice.weights, {file.left_out for file in choice.files} & {""}) == ("", set())


def test_names_that_cannot_be_stored_are_not_even_listed():
    choice = choose_files(
        "org/m", files("config.json", "model.safetensors", "../evil", "a\x1b[2J", "con.txt", "/etc/x")
    )

    assert {file.path for file in choice.files} == {"config.json", "model.safetensors"}


def test_a_small_file_that_is_none_is_refused():
    listing = [*files("config.json", "model.safetensors"), HubFile("tokenizer.json", 1 << 40, "b" * 64, "")]

    assert isinstance(choose_files("org/m", listing).error, ForeignFile)


def test_of_a_catalogue_entry_nothing_beyond_its_patterns():
    entry = read_catalog().find("PowerInfer/ReluLLaMA-70B-PowerInfer-GGUF")

    assert chosen("config.json", "m.q4.powerinfer.gguf", "activation/activation_0.pt", "README.md", entry=entry) == (
        "gguf",
        {"m.q4.powerinfer.gguf", "README.md"},
    )


def test_an_entry_whose_repository_has_changed_does_not_stand_in_the_way():
    entry = read_catalog().find("openbmb/MiniCPM-S-1B-sft")

    assert entry.weights == "safetensors"
    assert chosen("config.json", "pytorch_model.bin", entry=entry) == ("bin", {"config.json", "pytorch_model.bin"})
    assert choose_files("org/m", files("README.md"), entry).error is not None
