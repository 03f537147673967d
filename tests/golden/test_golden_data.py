"""The golden checkpoints themselves: complete, made by the script, and right by two references that share no code."""

import dataclasses
import json

import jinja2
import numpy as np
import pytest
import sentencepiece
import tokenizers
import torch
from safetensors import safe_open

from tests.golden import plain_reference
from tests.golden.families import GOLDEN, HERE, REFUSED, golden
from tests.golden.make_golden import plain_forward, read_weights, transformers_logits
from tests.golden.tiny_checkpoints import build

every_golden = pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row.folder)
sparse_only = pytest.mark.parametrize("row", [r for r in GOLDEN if r.activation != "silu"], ids=lambda row: row.folder)

# float32 against float64, relative to the largest logit; transformers sums in float32
AGREEMENT = 2e-6
# what a misread checkpoint must at least change, in logits
DIFFERENCE = 0.1


def facts_of(row):
    return plain_reference.read_facts(row.config, family=row.family, activation=row.activation, threshold=row.threshold)


def forward(row, **changes):
    facts = dataclasses.replace(facts_of(row), **changes)
    return plain_reference.forward(read_weights(row.path), facts, row.load()["tokens"].tolist())


def distance(a, b):
    return float(np.abs(np.asarray(a, np.float64) - np.asarray(b, np.float64)).max())


def test_every_folder_has_a_row():
    assert sorted(p.name for p in (HERE / "checkpoints").iterdir()) == sorted(row.folder for row in GOLDEN)
    assert sorted(p.name for p in (HERE / "refused").iterdir()) == sorted(row.folder for row in REFUSED)


def test_all_of_it_stays_small():
    files = [path for path in HERE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]

    assert sum(path.stat().st_size for path in files) < 6e6


@every_golden
def test_a_folder_has_what_its_row_says(row):
    names = {path.name for path in row.path.iterdir()}
    values = row.load()

    assert {"config.json", "golden.npz", "tokenizer_config.json"} <= names
    assert ("tokenizer.model" in names, "tokenizer.json" in names) == {
        "sentencepiece": (True, False), "json": (False, True), "both": (True, True), "vocab": (False, False),
    }[row.tokenizer]  # fmt: skip
    assert ({"vocab.json", "merges.txt"} <= names) or row.tokenizer != "vocab"
    assert any(name.endswith(".safetensors") for name in names) == row.weights.startswith(("safetensors", "both"))
    assert any(name.startswith("pytorch_model") for name in names) == row.weights.startswith(("bin", "both"))
    assert values["tokens"].dtype == np.int64
    assert values["logits"].dtype == np.float32
    assert values["logits"].shape == (len(values["tokens"]), row.config["vocab_size"])
    assert np.isfinite(values["logits"]).all()
    assert row.window < len(values["tokens"])
    assert {str(tensor.dtype) for tensor in read_weights(row.path).values()} == {f"torch.{row.stored}"}


@pytest.mark.parametrize("row", [row for row in GOLDEN if "shards" in row.weights], ids=lambda row: row.folder)
def test_an_index_lists_every_tensor_where_it_is(row):
    index = json.loads(next(row.path.glob("*.index.json")).read_text(encoding="utf-8"))
    found = {}
    for path in (row.path / name for name in set(index["weight_map"].values())):
        if path.suffix == ".safetensors":
            with safe_open(path, "pt") as file:
                found |= dict.fromkeys(file.keys(), path.name)
        else:
            found |= dict.fromkeys(torch.load(path, weights_only=True), path.name)

    assert index["weight_map"] == found
    assert len(set(found.values())) > 1
    assert index["metadata"]["total_size"] == sum(tensor.nbytes for tensor in read_weights(row.path).values())


@every_golden
def test_both_references_agree_on_the_logits(row):
    """For most rows the golden logits are transformers', for the others this holds the file to the formulas."""
    values = row.load()

    result = plain_forward(row, read_weights(row.path), values["tokens"].tolist())

    assert distance(result.logits, values["logits"]) <= AGREEMENT * np.abs(values["logits"]).max() + 1e-6
    assert distance(result.silent, values["silent"]) == 0


@pytest.mark.parametrize("folder", ["relu-llama-7b", "opt-350m", "falcon-40b", "arcee"])
def test_transformers_gives_the_golden_logits(folder):
    values = golden(folder).load()

    again = transformers_logits(golden(folder), values["tokens"].tolist())

    assert distance(again, values["logits"]) <= AGREEMENT * np.abs(values["logits"]).max()


@pytest.mark.parametrize(
    "folder", ["prosparse", "minicpm-s-llama-format", "falcon-7b", "opt-125m", "turbosparse-mistral"]
)
def test_the_script_makes_the_stored_files_again(folder):
    row, tiny = golden(folder), build(folder)
    stored = read_weights(row.path)

    assert list(tiny.text.prompt) == row.load()["tokens"].tolist()
    assert stored.keys() == tiny.tensors.keys()
    # the orthogonal projection of the predictors comes from sums whose last bit may differ between machines
    assert all(torch.equal(stored[n], t) for n, t in tiny.tensors.items() if "predictor" not in n)
    result = plain_forward(row, tiny.tensors, list(tiny.text.prompt))
    assert distance(result.logits, row.load()["logits"]) <= AGREEMENT * np.abs(row.load()["logits"]).max()
    assert all((row.path / name).read_bytes() == data for name, data in tiny.text.files.items())


@sparse_only
def test_most_neurons_are_silent(row):
    least, most = row.silent

    shares = row.load()["silent"]

    assert least <= shares.min() <= shares.max() <= most


@pytest.mark.parametrize("row", [row for row in GOLDEN if row.threshold], ids=lambda row: row.folder)
def test_no_neuron_stands_at_its_threshold(row):
    """There the activation jumps, and the last bit of a product would decide."""
    assert forward(row).margin > 2e-6


@pytest.mark.parametrize(
    ("folder", "misread"),
    [
        ("llama-linear", {"frequencies": plain_reference.plain_frequencies(8, 10000.0)}),
        ("llama-3.2", {"frequencies": plain_reference.plain_frequencies(16, 500000.0)}),
        ("llama-rope-parameters", {"frequencies": plain_reference.plain_frequencies(12, 10000.0)}),
        ("mistral", {"window": 0}),
        ("mistral", {"window": 10}),
        ("qwen2", {"window": 6}),
        ("relu-llama-7b", {"activation": "silu"}),
        ("relu2-nb", {"activation": "relu"}),
        ("prosparse", {"activation": "relu", "threshold": 0.0}),
        ("sparselm", {"activation": "silu"}),
        ("sparseqwen2", {"activation": "relu"}),
        ("minicpm-s", {"activation": "relu", "threshold": 0.0}),
        ("minicpm-s", {"embedding_gain": 1.0}),
        ("minicpm-s", {"branch_gain": 1.0}),
        ("minicpm-s", {"logit_gain": 1.0}),
        ("minicpm-s-llama-format", {"activation": "relu", "threshold": 0.0}),
        ("minicpm-s-llama-format", {"embedding_gain": 12.0}),
        ("minicpm-s-llama-format", {"branch_gain": 0.7}),
        ("minicpm-s-llama-format", {"logit_gain": 1 / 6}),
        ("bamboo", {"window": 0}),
        ("bamboo", {"activation": "relu"}),
        ("turbosparse-mistral", {"window": 9}),
        ("opt-125m", {"first_position": 0}),
        ("opt-350m", {"residual": "sequential"}),
        ("falcon-40b", {"residual": "sequential"}),
        ("nemotron-mini", {"norm_offset": 0.0}),
        ("nemotron-mini", {"frequencies": plain_reference.plain_frequencies(12, 10000.0)}),
        ("arcee", {"rope_gain": 1.0}),
        ("arcee", {"frequencies": plain_reference.plain_frequencies(12, 10000.0)}),
    ],
    ids=str,
)
def test_a_misread_checkpoint_shows(folder, misread):
    row = golden(folder)

    assert distance(forward(row, **misread).logits, row.load()["logits"]) > DIFFERENCE


@pytest.mark.parametrize("folder", ["falcon-40b", "falcon-7b"])
def test_a_fused_matrix_split_in_thirds_shows(folder):
    """The other layout of the hub: all queries, then all keys, then all values."""
    row, facts = golden(folder), facts_of(golden(folder))
    tensors = read_weights(row.path)
    keys = facts.n_key_heads * facts.head_width
    each = facts.n_heads // facts.n_key_heads
    for name, fused in tensors.items():
        if "query_key_value" in name:
            q, k, v = (
                part.reshape(facts.n_key_heads, -1, facts.head_width, fused.shape[1])
                for part in fused.split([each * keys, keys, keys])
            )
            tensors[name] = torch.cat([q, k, v], 1).reshape(fused.shape)

    misread = plain_reference.forward(tensors, facts, row.load()["tokens"].tolist())

    # with one key head both layouts are the same
    assert (distance(misread.logits, row.load()["logits"]) > DIFFERENCE) == (facts.n_key_heads > 1)


def test_llama_format_means_what_minicpm_means():
    """The same model twice: what differs is that its factors are rounded into the weights."""
    native, converted = golden("minicpm-s").load()["logits"], golden("minicpm-s-llama-format").load()["logits"]
    without_threshold = forward(golden("minicpm-s-llama-format"), activation="relu", threshold=0.0).logits.numpy()

    assert np.std(converted - native) < 0.1 * np.std(native)
    assert np.std(without_threshold - native) > 3 * np.std(converted - native)
    assert np.array_equal(native, golden("minicpm-s-saved").load()["logits"])


def test_predictors_find_most_active_neurons_and_are_not_exact():
    row = golden("turbosparse-mistral")
    values, tensors = row.load(), read_weights(row.path)

    predicted = plain_forward(row, tensors, values["tokens"].tolist(), predicted=True)

    assert distance(predicted.logits, values["predicted_logits"]) < 1e-5
    assert DIFFERENCE < distance(values["predicted_logits"], values["logits"]) < 2.0
    assert (predicted.silent >= torch.from_numpy(values["silent"]) - 0.02).all()


@every_golden
def test_the_prompt_is_what_the_tokenizer_makes_of_the_text(row):
    values, settings = row.load(), json.loads((row.path / "tokenizer_config.json").read_text(encoding="utf-8"))
    text, tokens = str(values["text"]), values["tokens"].tolist()
    without_first = tokens[1:] if settings.get("add_bos_token") else tokens

    if (row.path / "tokenizer.model").exists():
        processor = sentencepiece.SentencePieceProcessor(model_file=str(row.path / "tokenizer.model"))
        assert processor.EncodeAsIds(text) == without_first
        assert processor.GetPieceSize() <= row.config["vocab_size"]
    if (row.path / "tokenizer.json").exists():
        assert tokenizers.Tokenizer.from_file(str(row.path / "tokenizer.json")).encode(text).ids == tokens
    if row.tokenizer == "vocab":
        fast = tokenizers.ByteLevelBPETokenizer(str(row.path / "vocab.json"), str(row.path / "merges.txt"))
        assert fast.encode(text).ids == without_first
        assert tokens[0] == row.config["bos_token_id"]


def test_both_forms_of_a_tokenizer_agree():
    folder = golden("llama-2").path
    processor = sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
    fast = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))

    for line in (HERE.parent / "data" / "austen-persuasion.txt").read_text(encoding="utf-8").splitlines()[:200]:
        assert [1, *processor.EncodeAsIds(line)] == fast.encode(line).ids


@every_golden
def test_a_chat_template_writes_the_message(row):
    settings = json.loads((row.path / "tokenizer_config.json").read_text(encoding="utf-8"))
    template = jinja2.Template(settings.get("chat_template", "{{ messages[0]['content'] }}"))
    messages = [{"role": "user", "content": "Who is Anne?"}]

    written = template.render(messages=messages, add_generation_prompt=True, bos_token="<s>", eos_token="</s>")

    assert "Who is Anne?" in written


@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row.folder)
def test_a_refused_folder_has_a_configuration_and_no_weights(row):
    config = json.loads((row.path / "config.json").read_text(encoding="utf-8"))

    assert config["model_type"]
    assert all(path.suffix == ".json" for path in row.path.iterdir())
