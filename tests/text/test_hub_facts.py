"""Folders in the hub's layout: which file is read, what the small files add, what is refused, and the right tokens."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from other_engines import CORPUS, SAMPLES, train_sentencepiece

from engine.errors import DamagedFile, EngineError, FileMissing, UnsupportedModel
from engine.messages import ChatMessage
from engine.text.chat_template import Prompt, render_chat
from engine.text.detokenizer import Detokenizer
from engine.text.facts import TokenizerFacts, facts_from_json, facts_to_json
from engine.text.hub_facts import facts_from_folder
from engine.text.library_tokenizer import library_tokenizer
from engine.text.tokenizer import Tokenizer

TEXTS = st.text(st.characters(codec="utf-8"), max_size=60)
CALM = settings(deadline=None, max_examples=100)


def write(folder: Path, name: str, content: object) -> Path:
    """A file of a repository: bytes and text as they are, anything else as JSON."""
    path = folder / name
    data = content if isinstance(content, bytes) else content if isinstance(content, str) else json.dumps(content)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def change(folder: Path, name: str, **values: object) -> None:
    """Set keys of a JSON file; None removes one."""
    path = folder / name
    document = json.loads(path.read_text()) if path.exists() else {}
    document.update(values)
    write(folder, name, {key: value for key, value in document.items() if value is not None})


def ids_of(facts: TokenizerFacts) -> dict[str, int]:
    return dict(facts.special_tokens)


@pytest.fixture(scope="session")
def opt_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What facebook/opt-125m holds, with a smaller vocabulary."""
    folder = tmp_path_factory.mktemp("opt")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=1500,
        show_progress=False,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(CORPUS * 3, trainer)
    tokenizer.model.save(str(folder))
    merges = (folder / "merges.txt").read_text(encoding="utf-8")
    assert merges.startswith("#version")
    token = {"content": "</s>", "lstrip": False, "normalized": True, "rstrip": False, "single_word": False}
    write(
        folder,
        "tokenizer_config.json",
        {
            "errors": "replace",
            "unk_token": {**token, "__type": "AddedToken"},
            "bos_token": {**token, "__type": "AddedToken"},
            "eos_token": {**token, "__type": "AddedToken"},
            "add_prefix_space": False,
            "add_bos_token": True,
            "tokenizer_class": "GPT2Tokenizer",
        },
    )
    write(
        folder,
        "special_tokens_map.json",
        {"bos_token": token, "eos_token": token, "unk_token": token, "pad_token": "<pad>"},
    )
    n_vocab = len(json.loads((folder / "vocab.json").read_bytes()))
    write(folder, "config.json", {"model_type": "opt", "vocab_size": n_vocab + 7, "eos_token_id": 2})
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def opt(tmp_path: Path, opt_files: dict[str, bytes]) -> Path:
    for name, data in opt_files.items():
        write(tmp_path, name, data)
    return tmp_path


@pytest.fixture
def llama(tmp_path: Path, sentencepiece_model: Path) -> Path:
    write(tmp_path, "tokenizer.model", sentencepiece_model.read_bytes())
    return tmp_path


@pytest.fixture
def fast(tmp_path: Path, byte_level_tokenizer: tokenizers.Tokenizer) -> Path:
    """A folder with tokenizer.json and a row of the embedding for each of its tokens."""
    document = json.loads(byte_level_tokenizer.to_str())
    write(tmp_path, "tokenizer.json", document)
    write(tmp_path, "config.json", {"vocab_size": len(document["model"]["vocab"])})
    write(tmp_path, "tokenizer_config.json", {"eos_token": "<|endoftext|>"})
    return tmp_path


# Which file is read -----------------------------------------------------------------------------------------------


def test_tokenizer_json_comes_first_and_vocabulary_with_merges_last(
    opt: Path, sentencepiece_model: Path, byte_level_tokenizer: tokenizers.Tokenizer
):
    pair = facts_from_folder(opt, "llama")
    write(opt, "tokenizer.model", sentencepiece_model.read_bytes())
    model = facts_from_folder(opt, "llama")
    document = write(opt, "tokenizer.json", byte_level_tokenizer.to_str())
    first = facts_from_folder(opt, "llama")

    assert (pair.kind, model.kind, first.kind) == ("json", "sentencepiece", "json")
    assert first.data == document.read_bytes() != pair.data


def test_folder_without_a_tokenizer_names_what_is_looked_for(tmp_path: Path):
    with pytest.raises(FileMissing) as caught:
        facts_from_folder(tmp_path, "llama")

    assert caught.value.path == str(tmp_path)
    assert all(name in caught.value.reason for name in ("tokenizer.json", "tokenizer.model", "vocab.json", "merges"))


def test_missing_folder_says_so(tmp_path: Path):
    with pytest.raises(FileMissing) as caught:
        facts_from_folder(tmp_path / "nothing", "llama")

    assert caught.value.reason == "not a folder"


def test_vocabulary_without_merges_names_the_merges(opt: Path):
    (opt / "merges.txt").unlink()

    with pytest.raises(FileMissing) as caught:
        facts_from_folder(opt, "opt")

    assert caught.value.path == str(opt / "merges.txt")


# vocab.json and merges.txt ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def opt_pair(opt_files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> tuple[Tokenizer, Any]:
    folder = tmp_path_factory.mktemp("pair")
    for name, data in opt_files.items():
        write(folder, name, data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import GPT2Tokenizer

        return Tokenizer(facts_from_folder(folder, "opt")), GPT2Tokenizer.from_pretrained(str(folder))


@pytest.mark.parametrize("text", [*CORPUS, *(t for t in SAMPLES if "</s>" not in t)])
def test_opt_encodes_as_transformers_does(opt_pair: tuple[Tokenizer, Any], text: str):
    ours, theirs = opt_pair

    ids = ours.encode(text)

    assert ids == theirs.encode(text, add_special_tokens=False)
    assert ours.decode(ids) == theirs.decode(ids, clean_up_tokenization_spaces=False) == text


def test_opt_encodes_any_text_as_transformers_does(opt_pair: tuple[Tokenizer, Any]):
    ours, theirs = opt_pair

    @CALM
    @given(text=st.lists(st.sampled_from(SAMPLES[:10]) | TEXTS, max_size=4).map("".join))
    def check(text: str) -> None:
        assert ours.encode(text) == theirs.encode(text, add_special_tokens=False)

    check()


def test_opt_prompt_begins_with_its_end_of_sequence(opt: Path):
    facts = facts_from_folder(opt, "opt")
    ours = Tokenizer(facts)

    prompt = ours.encode_prompt(render_chat(facts, [ChatMessage("user", "Hi")]))

    assert (facts.bos_id, facts.add_bos, facts.eos_ids) == (2, True, (2,))
    assert ids_of(facts) == {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    assert prompt == [2, *ours.encode("Question: Hi\nAnswer:")]
    assert facts.template_origin == "question and answer"


def test_opt_needs_none_of_its_small_files(opt: Path):
    complete = facts_from_folder(opt, "opt")
    for name in ("tokenizer_config.json", "special_tokens_map.json", "config.json"):
        (opt / name).unlink()

    assert facts_from_folder(opt, "opt") == complete


def test_opt_keeps_its_first_token_against_its_settings(opt: Path):
    change(opt, "tokenizer_config.json", add_bos_token=False, bos_token="<s>")

    facts = facts_from_folder(opt, "opt")

    assert (facts.bos_id, facts.add_bos) == (2, True)


def test_other_pairs_add_no_first_token(opt: Path):
    change(opt, "tokenizer_config.json", add_bos_token=None)

    assert not facts_from_folder(opt, "llama").add_bos


def test_control_token_of_a_pair_is_not_made_of_text(opt: Path):
    ours = Tokenizer(facts_from_folder(opt, "opt"))

    ids = ours.encode("a</s><pad>")

    assert not {0, 1, 2, 3} & set(ids)
    assert ours.decode(ids) == "a</s><pad>"


def test_windows_line_ends_in_merges_change_nothing(opt: Path):
    plain = facts_from_folder(opt, "opt")
    write(opt, "merges.txt", (opt / "merges.txt").read_bytes().replace(b"\n", b"\r\n") + b"\r\n\r\n")

    assert facts_from_folder(opt, "opt") == plain


def test_pair_that_is_cut_by_other_rules_is_refused(opt: Path):
    change(opt, "tokenizer_config.json", tokenizer_class="Qwen2Tokenizer")

    with pytest.raises(UnsupportedModel) as caught:
        facts_from_folder(opt, "qwen2")

    assert caught.value.found == "Qwen2Tokenizer"


def test_added_tokens_beside_a_pair_are_read(opt: Path):
    n_vocab = len(json.loads((opt / "vocab.json").read_bytes()))
    write(opt, "added_tokens.json", {"<|user|>": n_vocab, "<plain>": n_vocab + 1})

    facts = facts_from_folder(opt, "opt")
    ours = Tokenizer(facts)

    assert ids_of(facts)["<|user|>"] == n_vocab
    assert ours.encode("<plain>") == [n_vocab + 1]
    assert n_vocab not in ours.encode("<|user|>")
    assert facts.n_vocab == n_vocab + 2


# sentencepiece ----------------------------------------------------------------------------------------------------


def test_bytes_stand_for_characters_without_a_piece(llama: Path):
    ours = Tokenizer(facts_from_folder(llama, "llama"))
    text = "龘🦙"

    ids = ours.encode(text)
    pieces = [ours.token_bytes(i) for i in ids]
    streamed = Detokenizer(ours)

    assert pieces == [b" ", *(bytes([b]) for b in text.encode())]
    assert "".join(map(streamed.push, ids)) + streamed.flush() == text


@pytest.mark.parametrize(
    ("family", "own", "expected"),
    [
        ("llama", {}, True),
        ("llama", {"add_bos_token": True}, True),
        ("llama", {"add_bos_token": False}, False),
        ("minicpm", {"add_bos_token": False}, True),
        ("minicpm", {"add_bos_token": False, "bos_token": "</s>"}, True),
    ],
)
def test_first_token_of_a_sentencepiece_model(llama: Path, family: str, own: dict[str, object], expected: bool):
    write(llama, "tokenizer_config.json", own)

    facts = facts_from_folder(llama, family)
    prompt = Tokenizer(facts).encode_prompt(Prompt("hi"))

    assert (facts.bos_id, facts.add_bos) == (1, expected)
    assert (prompt[0] == 1) == expected


def test_minicpm_in_llamas_format_keeps_its_first_token(llama: Path):
    write(llama, "tokenizer_config.json", {"add_bos_token": False})

    facts = facts_from_folder(llama, "llama", repository="openbmb/MiniCPM-S-1B-sft-llama-format")
    prompt = Tokenizer(facts).encode_prompt(render_chat(facts, [ChatMessage("user", "床前 moon")]))

    library = sentencepiece.SentencePieceProcessor(model_file=str(llama / "tokenizer.model"))
    assert facts.template_origin == "built-in: MiniCPM"
    assert prompt == [1, *library.encode("<用户>床前 moon<AI>")]


MARKS = ["<用户>", "<AI>", "<|im_start|>", "<|im_end|>"]


@pytest.fixture(scope="module", params=["space before text", "no space before text"])
def exposed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that writes turns with pieces not marked as control pieces, as Yi's and MiniCPM's relatives do."""
    path = tmp_path_factory.mktemp("exposed") / "tokenizer.model"
    adds_space = request.param == "space before text"
    train_sentencepiece(path, user_defined_symbols=[*MARKS, "中国"], add_dummy_prefix=adds_space)
    return path.parent


@pytest.mark.parametrize(
    "text",
    [
        "<用户>你好 there<AI>",
        "<用户> a b <AI>c<用户><AI>",
        "hello<AI> world",
        "<|im_start|>user\n中国<|im_end|>\n<|im_start|>assistant\n",
    ],
)
def test_turns_written_as_text_pieces_are_encoded_as_the_library_does(exposed: Path, text: str):
    library = sentencepiece.SentencePieceProcessor(model_file=str(exposed / "tokenizer.model"))
    facts = facts_from_folder(exposed, "llama")
    ours = Tokenizer(facts)

    assert ours.encode_prompt(Prompt(text)) == [1, *library.encode(text)]
    assert ours.encode_prompt(Prompt(f"<s>{text}")) == [1, *library.encode(text)]
    assert facts.template_origin == "built-in: MiniCPM"
    assert ids_of(facts)["<用户>"] in facts.eos_ids


def test_turns_written_as_text_pieces_are_not_made_of_text(exposed: Path):
    library = sentencepiece.SentencePieceProcessor(model_file=str(exposed / "tokenizer.model"))
    facts = facts_from_folder(exposed, "llama")
    ours = Tokenizer(facts)
    marks = {library.piece_to_id(mark) for mark in MARKS}
    empty = ours.encode_prompt(render_chat(facts, [ChatMessage("user", "x")]))

    @CALM
    @given(st.lists(st.sampled_from([*MARKS, "<", ">", "AI", "用户"]) | TEXTS, max_size=6).map("".join))
    def check(text: str) -> None:
        ids = ours.encode_prompt(render_chat(facts, [ChatMessage("user", text)]))

        assert not marks & set(ours.encode(text))
        assert [i for i in ids if i in marks] == [i for i in empty if i in marks]

    check()
    assert ours.decode(ours.encode("<用户>")) == "<用户>"
    assert library.piece_to_id("中国") in ours.encode("中国")


def test_ordinary_pieces_that_settings_list_stay_ordinary(llama: Path):
    library = sentencepiece.SentencePieceProcessor(model_file=str(llama / "tokenizer.model"))
    piece_id = library.encode("truth")[-1]
    piece = library.id_to_piece(piece_id)
    n_pieces = library.vocab_size()
    decoder = {
        str(piece_id): {"content": piece, "special": False},
        "1": {"content": "<s>", "special": True},
        str(n_pieces): {"content": "<|tool|>", "special": True},
    }
    write(llama, "tokenizer_config.json", {"added_tokens_decoder": decoder})

    facts = facts_from_folder(llama, "llama")

    assert Tokenizer(facts).encode("truth") == library.encode("truth")
    assert ids_of(facts)["<|tool|>"] == n_pieces
    assert facts.n_vocab == n_pieces + 1


# Small files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"tokenizer_config.json": {"chat_template": "one"}}, "one"),
        ({"tokenizer_config.json": {"chat_template": [{"name": "default", "template": "d"}]}}, "d"),
        ({"tokenizer_config.json": {"chat_template": [{"name": "rag", "template": "r"}]}}, "r"),
        ({"tokenizer_config.json": {"chat_template": "one"}, "chat_template.jinja": "file 你"}, "file 你"),
        ({"tokenizer_config.json": {"chat_template": " \n"}}, ""),
        ({"tokenizer_config.json": {"chat_template": None}}, ""),
        ({"tokenizer_config.json": {"chat_template": []}}, ""),
        ({"chat_template.jinja": ""}, ""),
    ],
)
def test_template_of_a_folder(llama: Path, files: dict[str, object], expected: str):
    for name, content in files.items():
        write(llama, name, content)

    facts = facts_from_folder(llama, "llama")

    assert facts.chat_template == expected
    assert facts.template_origin == ("checkpoint" if expected else "built-in: ChatML")


def test_template_follows_the_name_of_the_hubs_cache(tmp_path: Path, sentencepiece_model: Path):
    folder = tmp_path / "models--SparseLLM--sparsing-law-0.1b-relu" / "snapshots" / "0123abcd"
    folder.mkdir(parents=True)
    write(folder, "tokenizer.model", sentencepiece_model.read_bytes())

    assert facts_from_folder(folder, "minicpm").template_origin == "question and answer"
    assert facts_from_folder(folder, "minicpm", repository="a/MiniCPM-S-1B-sft").template_origin == "built-in: MiniCPM"


def test_ends_come_from_every_file(fast: Path):
    change(fast, "tokenizer_config.json", eos_token="<|im_end|>")
    write(fast, "generation_config.json", {"eos_token_id": [1, 0, 99_999, -1]})

    assert facts_from_folder(fast, "llama").eos_ids == (2, 1, 0)


def test_end_in_the_configuration_counts_where_nothing_else_tells(tmp_path: Path):
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")]))
    write(tmp_path, "tokenizer.json", tokenizer.to_str())
    write(tmp_path, "config.json", {"eos_token_id": 1})

    facts = facts_from_folder(tmp_path, "falcon")

    assert (facts.eos_ids, facts.bos_id, facts.add_bos) == ((1,), None, False)


def test_special_tokens_map_fills_what_the_settings_leave_open(fast: Path):
    write(fast, "tokenizer_config.json", {"bos_token": None})
    write(fast, "special_tokens_map.json", {"bos_token": {"content": "<|im_start|>"}, "eos_token": "<|im_end|>"})

    facts = facts_from_folder(fast, "llama")

    assert (facts.bos_id, facts.eos_ids[0], facts.add_bos) == (1, 2, False)


def test_first_token_that_only_the_tokenizer_file_tells_is_found(fast: Path):
    tokenizer = tokenizers.Tokenizer.from_file(str(fast / "tokenizer.json"))
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="<|im_start|> $A", special_tokens=[("<|im_start|>", 1)]
    )
    tokenizer.enable_padding(length=9, direction="left", pad_id=5)
    write(fast, "tokenizer.json", tokenizer.to_str())

    facts = facts_from_folder(fast, "llama")

    assert (facts.bos_id, facts.add_bos) == (1, True)


def test_settings_mark_control_tokens_that_the_tokenizer_file_does_not(fast: Path):
    document = json.loads((fast / "tokenizer.json").read_text())
    n_vocab = len(document["model"]["vocab"])
    plain = {**document["added_tokens"][0], "special": False}
    document["added_tokens"] += [
        {**plain, "id": n_vocab, "content": "[A]"},
        {**plain, "id": n_vocab + 1, "content": "B"},
    ]
    write(fast, "tokenizer.json", document)
    change(fast, "config.json", vocab_size=n_vocab + 2)
    decoder = {str(n_vocab): {"content": "[A]", "special": True}, str(n_vocab + 1): {"content": "B", "special": False}}
    change(fast, "tokenizer_config.json", added_tokens_decoder=decoder)

    facts = facts_from_folder(fast, "llama")

    assert ids_of(facts)["[A]"] == n_vocab
    assert Tokenizer(facts).encode("B") == [n_vocab + 1]
    assert n_vocab not in Tokenizer(facts).encode("[A]")


def test_padding_that_is_an_ordinary_word_stays_one(fast: Path):
    change(fast, "tokenizer_config.json", pad_token="!")

    facts = facts_from_folder(fast, "llama")

    assert "!" not in ids_of(facts)
    assert Tokenizer(facts).decode(Tokenizer(facts).encode("hi!")) == "hi!"


def test_control_token_that_merges_would_make_is_not_made_of_text(fast: Path):
    document = json.loads((fast / "tokenizer.json").read_text())
    vocabulary, merges = document["model"]["vocab"], document["model"]["merges"]
    for left, right in (("<", "/"), ("</", "s"), ("</s", ">"), ("</s>", ".")):
        vocabulary.setdefault(left + right, len(vocabulary))
        merges.insert(0, [left, right])
    write(fast, "tokenizer.json", document)
    change(fast, "config.json", vocab_size=len(vocabulary))

    facts = facts_from_folder(fast, "llama")
    ours = Tokenizer(facts)
    ids = ours.encode("a</s>.")

    assert ids_of(facts)["</s>"] == vocabulary["</s>"]
    assert vocabulary["</s>"] not in ids
    assert ours.decode(ids) == "a</s>."


# Rows of the embedding --------------------------------------------------------------------------------------------


def test_embedding_with_more_rows_than_tokens_changes_nothing(fast: Path):
    exact = facts_from_folder(fast, "llama")
    change(fast, "config.json", vocab_size=exact.n_vocab + 128)

    assert facts_from_folder(fast, "llama") == exact


@pytest.mark.parametrize("special", [True, False])
def test_added_token_without_a_row_is_dropped(fast: Path, special: bool):
    exact = facts_from_folder(fast, "llama")
    document = json.loads((fast / "tokenizer.json").read_text())
    added = {**document["added_tokens"][0], "id": exact.n_vocab, "content": "[PAD]", "special": special}
    document["added_tokens"].append(added)
    write(fast, "tokenizer.json", document)
    change(fast, "tokenizer_config.json", pad_token="[PAD]")
    write(fast, "generation_config.json", {"eos_token_id": exact.n_vocab})

    facts = facts_from_folder(fast, "llama")
    ids = Tokenizer(facts).encode("a[PAD]")

    assert (facts.n_vocab, facts.special_tokens, facts.eos_ids) == (exact.n_vocab, exact.special_tokens, exact.eos_ids)
    assert max(ids) < exact.n_vocab
    assert Tokenizer(facts).decode(ids) == "a[PAD]"


def test_added_token_of_a_sentencepiece_model_without_a_row_is_dropped(llama: Path):
    exact = facts_from_folder(llama, "llama")
    write(llama, "added_tokens.json", {"<pad>": exact.n_vocab})
    with_row = facts_from_folder(llama, "llama")
    write(llama, "config.json", {"vocab_size": exact.n_vocab})

    assert ids_of(with_row)["<pad>"] == exact.n_vocab
    assert facts_from_folder(llama, "llama") == exact


def test_ordinary_tokens_without_a_row_are_left_for_the_checkpoint_to_refuse(fast: Path):
    exact = facts_from_folder(fast, "llama")
    change(fast, "config.json", vocab_size=exact.n_vocab - 5)

    assert facts_from_folder(fast, "llama").n_vocab == exact.n_vocab


# What is refused --------------------------------------------------------------------------------------------------


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def not_utf8(path: Path) -> None:
    path.write_bytes(b'{"\xff\xfe": "\xe4\xbd"}')


def nested(path: Path) -> None:
    path.write_bytes(b"[" * 200_000)


def an_array(path: Path) -> None:
    path.write_bytes(b"[1, 2]")


def huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(129 << 20)


JSON_FILES = [
    "tokenizer.json", "vocab.json", "tokenizer_config.json", "special_tokens_map.json", "generation_config.json",
    "added_tokens.json", "config.json",
]  # fmt: skip


@pytest.mark.parametrize("spoil", [truncated, emptied, not_utf8, nested, an_array, huge])
@pytest.mark.parametrize("name", JSON_FILES)
def test_unreadable_json_is_named(opt: Path, fast: Path, name: str, spoil: Callable[[Path], None]):
    if name == "vocab.json":
        (opt / "tokenizer.json").unlink()
    if not (opt / name).exists():
        write(opt, name, {"<|x|>": 5000})
    spoil(opt / name)

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(opt, "opt")

    assert caught.value.path == str(opt / name)
    assert "recursion" not in caught.value.what


@pytest.mark.parametrize("spoil", [truncated, emptied, not_utf8, an_array, huge])
def test_unreadable_sentencepiece_model_is_named(llama: Path, spoil: Callable[[Path], None]):
    spoil(llama / "tokenizer.model")

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(llama, "llama")

    assert caught.value.path == str(llama / "tokenizer.model")


def test_sentencepiece_model_with_a_piece_that_is_no_text_is_named(llama: Path):
    data = (llama / "tokenizer.model").read_bytes()
    write(llama, "tokenizer.model", data.replace("月".encode(), b"\xe6\x9c\x41"))

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(llama, "llama")

    assert caught.value.path == str(llama / "tokenizer.model")


@pytest.mark.parametrize("spoil", [not_utf8, huge])
def test_unreadable_template_is_named(llama: Path, spoil: Callable[[Path], None]):
    spoil(write(llama, "chat_template.jinja", "{{ messages }}"))

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(llama, "llama")

    assert caught.value.path == str(llama / "chat_template.jinja")


@pytest.mark.parametrize("name", [*JSON_FILES, "tokenizer.model", "merges.txt", "chat_template.jinja"])
@pytest.mark.parametrize("stand_in", ["folder", "broken link"])
def test_what_stands_in_a_files_place_is_not_passed_over(opt: Path, name: str, stand_in: str):
    (opt / name).unlink(missing_ok=True)
    if stand_in == "folder":
        (opt / name).mkdir()
    else:
        (opt / name).symlink_to(opt / "gone")

    with pytest.raises(FileMissing) as caught:
        facts_from_folder(opt, "opt")

    assert caught.value.path == str(opt / name)


@pytest.mark.parametrize("line", ["a", "a b c", "a  b", "a b ", "nosuchpiece b", "a zzzz"])
def test_wrong_line_of_merges_is_named(opt: Path, line: str):
    lines = (opt / "merges.txt").read_text(encoding="utf-8").split("\n")
    write(opt, "merges.txt", "\n".join([*lines[:10], line, *lines[10:]]))

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(opt, "opt")

    assert caught.value.path == str(opt / "merges.txt")
    assert caught.value.what.startswith("line 11: ")


def test_merges_that_are_no_text_are_named(opt: Path):
    (opt / "merges.txt").write_bytes(b"a b\n\xff\xfe\n")

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(opt, "opt")

    assert caught.value.path == str(opt / "merges.txt")


WRONG_VOCABULARIES = [
    '{"a": 0, "b": 0}', '{"a": 0, "a": 1}', '{"a": -1}', '{"a": 1.5}', '{"a": true}', '{"a": "1"}', '{"a": null}',
    '{"a": 9999999999}', "{}", "[]", "[[1, 2]]", '"a"', "7",
]  # fmt: skip


@pytest.mark.parametrize("vocabulary", WRONG_VOCABULARIES)
def test_wrong_vocabulary_is_damage(opt: Path, vocabulary: str):
    write(opt, "vocab.json", vocabulary)

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(opt, "opt")

    assert caught.value.path == str(opt / "vocab.json")


@pytest.mark.parametrize(
    "changes",
    [
        {"model": None},
        {"model": 5},
        {"added_tokens": 5},
        {"added_tokens": [5]},
        {"added_tokens": [{"id": "x", "content": "a", "special": True}]},
        {"added_tokens": [{"id": 1}]},
        {"model": {"type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": []}},
        {"model": {"type": "Unigram", "vocab": [[1, 2, 3]]}},
        {"model": {"type": "Unigram", "vocab": 7}},
        {"model": {"type": "Unigram", "vocab": [["b", 0.0]]}},
        {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [], "unk_token": "<unk>"}},
        {"model": {"vocab": {"a": 0}, "unk_token": "a"}},
        {"post_processor": {"type": "TemplateProcessing", "single": []}},
        {"post_processor": {"type": "TemplateProcessing", "single": ["<s>"]}},
        {"post_processor": {"type": "RobertaProcessing"}},
        {"post_processor": {"type": "Sequence", "processors": [5]}},
        {"post_processor": "x"},
    ],
)
def test_tokenizer_json_of_another_shape_is_damage(fast: Path, changes: dict[str, object]):
    change(fast, "tokenizer.json", **changes)

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(fast, "llama")

    assert caught.value.path == str(fast / "tokenizer.json")


@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "a"}},
        {"model": {"type": "BPE", "vocab": {"a": 0}}},
        {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "z"]]}},
        {"pre_tokenizer": {"type": "FromTheFuture"}},
    ],
)
def test_tokenizer_json_the_library_does_not_take_is_refused(fast: Path, changes: dict[str, object]):
    change(fast, "tokenizer.json", **changes)

    with pytest.raises(UnsupportedModel) as caught:
        facts_from_folder(fast, "llama")

    assert caught.value.path == str(fast / "tokenizer.json")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("tokenizer_config.json", {"added_tokens_decoder": {"x": {"content": "a"}}}),
        ("tokenizer_config.json", {"added_tokens_decoder": {"5": 5}}),
        ("tokenizer_config.json", {"added_tokens_decoder": [1]}),
        ("tokenizer_config.json", {"added_tokens_decoder": {"-5": {"content": "a"}}}),
        ("tokenizer_config.json", {"chat_template": 5}),
        ("tokenizer_config.json", {"chat_template": [{"name": "default", "template": {}}, 5]}),
        ("added_tokens.json", {"<a>": "five"}),
        ("generation_config.json", {"eos_token_id": "two"}),
        ("generation_config.json", {"eos_token_id": [2, None]}),
        ("config.json", {"eos_token_id": {}}),
    ],
)
def test_settings_of_another_shape_are_damage(llama: Path, name: str, values: dict[str, object]):
    write(llama, name, values)

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(llama, "llama")

    assert caught.value.path == str(llama / name)


@pytest.mark.parametrize(
    "values",
    [
        {"bos_token": 5, "eos_token": ["x"], "additional_special_tokens": "x"},
        {"bos_token": {"content": 5}, "additional_special_tokens": [None, 5, {}]},
        {"add_bos_token": None, "tokenizer_class": None, "added_tokens_decoder": None},
    ],
)
def test_senseless_names_are_no_names(llama: Path, values: dict[str, object]):
    plain = facts_from_folder(llama, "llama")
    write(llama, "tokenizer_config.json", values)

    assert facts_from_folder(llama, "llama") == plain


JUNK = st.sampled_from([None, True, 5, -1, 1.5, "x", "", [], {}, [1], {"a": 1}, [[]], 10**30, "▁", [None]])


def places(document: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to what stands in a document, of long lists the beginning."""
    keys = list(document)[:20] if isinstance(document, dict) else range(min(len(document), 5))
    found = []
    for key in keys:
        found.append((*above, key))
        if isinstance(document[key], dict | list):
            found += places(document[key], (*above, key))
    return found


@pytest.mark.parametrize(
    "name", ["tokenizer.json", "vocab.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"]
)
def test_spoiled_folder_is_refused_or_works(
    tmp_path: Path, opt_files: dict[str, bytes], byte_level_tokenizer: tokenizers.Tokenizer, name: str
):
    for other, data in opt_files.items():
        write(tmp_path, other, data)
    if name == "tokenizer.json":
        write(tmp_path, name, byte_level_tokenizer.to_str())
    whole = (tmp_path / name).read_text(encoding="utf-8")
    paths = places(json.loads(whole))

    @settings(deadline=None, max_examples=60)
    @given(st.sampled_from(paths), JUNK, st.booleans())
    def check(place: tuple[Any, ...], junk: object, remove: bool) -> None:
        document = json.loads(whole)
        within = document
        for key in place[:-1]:
            within = within[key]
        if remove:
            del within[place[-1]]
        else:
            within[place[-1]] = junk
        write(tmp_path, name, document)

        try:
            facts = facts_from_folder(tmp_path, "llama")
            ours = Tokenizer(facts)
        except EngineError:
            return
        ids = ours.encode_prompt(render_chat(facts, [ChatMessage("user", "a</s> 你 <|im_end|>")]))

        assert all(0 <= i < facts.n_vocab for i in ids)
        assert facts_from_json(json.loads(json.dumps(facts_to_json(facts))), facts.data) == facts

    check()


# Storing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["opt", "llama", "fast", "template"])
def test_facts_of_every_kind_survive_the_header_of_a_packed_model(request: pytest.FixtureRequest, kind: str):
    folder = request.getfixturevalue("llama" if kind == "template" else kind)
    if kind == "template":
        write(folder, "chat_template.jinja", "{{ messages }}你")
    facts = facts_from_folder(folder, kind)

    header = json.loads(json.dumps(facts_to_json(facts)))

    assert facts_from_json(header, facts.data) == facts


@pytest.mark.parametrize(
    "changes", [{"template_origin": "x"}, {"template_origin": "checkpoint"}, {"chat_template": "x"}]
)
def test_header_with_a_contradiction_is_damage(opt: Path, changes: dict[str, str]):
    header = facts_to_json(facts_from_folder(opt, "opt")) | changes

    with pytest.raises(DamagedFile):
        facts_from_json(header, b"")


def test_a_document_at_which_the_library_panics_is_an_error(monkeypatch):
    class Panic(BaseException):
        pass

    class Library:
        @staticmethod
        def from_str(text):
            raise Panic("slice index starts at 2 but ends at 1")

    monkeypatch.setattr("tokenizers.Tokenizer", Library)

    with pytest.raises(ValueError, match="slice index"):
        library_tokenizer("{}")
