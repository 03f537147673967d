"""Tokens equal those of the engine a checkpoint comes from: llama.cpp, sentencepiece, transformers."""

import json
import shutil
import warnings
from pathlib import Path

import pytest
import sentencepiece
import tokenizers
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from other_engines import CORPUS, SAMPLES, LlamaCpp, write_gguf

from engine.errors import DamagedFile, FileMissing, UnsupportedModel
from engine.messages import ChatMessage
from engine.text.byte_level import byte_level_alphabet
from engine.text.chat_template import Prompt, render_chat
from engine.text.facts import TokenizerFacts, facts_from_json, facts_to_json
from engine.text.gguf_facts import SPLIT_RULES, facts_from_gguf
from engine.text.hub_facts import facts_from_folder
from engine.text.tokenizer import Tokenizer

# Without code points that are not assigned: what they are is up to the version of Unicode a library was built with.
TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cn", "Cs")), max_size=60)
MIXTURES = st.lists(st.sampled_from(SAMPLES) | TEXTS, max_size=4).map("".join)
CALM = settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


def byte_level_fields(tokenizer: tokenizers.Tokenizer, pre: str) -> dict[str, object]:
    document = json.loads(tokenizer.to_str())
    tokens = sorted(document["model"]["vocab"], key=document["model"]["vocab"].get)
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pre,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if t in ("<|endoftext|>", "<|im_start|>", "<|im_end|>") else 1 for t in tokens],
        "tokenizer.ggml.merges": [" ".join(m) for m in document["model"]["merges"]],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
    }


def sentencepiece_fields(model: Path) -> dict[str, object]:
    processor = sentencepiece.SentencePieceProcessor(model_file=str(model))
    ids = range(processor.vocab_size())

    def piece_type(i: int) -> int:
        tests = (processor.is_unknown, processor.is_control, processor.is_unused, processor.is_byte)
        return next((t for t, test in zip((2, 3, 5, 6), tests, strict=True) if test(i)), 1)

    return {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": [processor.id_to_piece(i) for i in ids],
        "tokenizer.ggml.scores": [processor.get_score(i) for i in ids],
        "tokenizer.ggml.token_type": [piece_type(i) for i in ids],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
    }


@pytest.fixture(scope="module")
def starter(starter_fields: dict[str, object]) -> Tokenizer:
    return Tokenizer(facts_from_gguf(starter_fields))


@pytest.fixture(scope="module", params=["<s>-space", "<s>-no-space"])
def scored(request: pytest.FixtureRequest, sentencepiece_model: Path, tmp_path_factory: pytest.TempPathFactory):
    fields = sentencepiece_fields(sentencepiece_model)
    fields["tokenizer.ggml.add_space_prefix"] = request.param == "<s>-space"
    path = tmp_path_factory.mktemp("gguf") / "scored.gguf"
    write_gguf(path, fields, len(fields["tokenizer.ggml.tokens"]))
    return Tokenizer(facts_from_gguf(fields)), LlamaCpp(path)


# GGUF against llama.cpp -------------------------------------------------------------------------------------------


@pytest.mark.model
@pytest.mark.parametrize("text", SAMPLES + CORPUS)
def test_starter_encodes_plain_text_as_llama_cpp_does(starter: Tokenizer, starter_llama_cpp: LlamaCpp, text: str):
    assert starter.encode(text) == starter_llama_cpp.tokenize(text)


@pytest.mark.model
@CALM
@given(text=MIXTURES)
def test_starter_encodes_any_text_as_llama_cpp_does(
    starter: Tokenizer, starter_fields: dict[str, object], starter_llama_cpp: LlamaCpp, text: str
):
    """But for bytes that its vocabulary lacks: those vanish, and llama.cpp does not join what stood around them."""
    tokens = starter_fields["tokenizer.ggml.tokens"]
    assert isinstance(tokens, list)
    lacking = {value for name, value in byte_level_alphabet().items() if name not in tokens}
    assume(not any(value in text.encode() for value in lacking))

    assert starter.encode(text) == starter_llama_cpp.tokenize(text)


@pytest.mark.model
def test_around_a_byte_the_starter_has_no_token_for_words_are_joined_as_in_its_own_library(
    starter: Tokenizer, starter_fields: dict[str, object]
):
    tokens, merges = starter_fields["tokenizer.ggml.tokens"], starter_fields["tokenizer.ggml.merges"]
    assert isinstance(tokens, list)
    assert isinstance(merges, list)
    model = tokenizers.models.BPE({t: i for i, t in enumerate(tokens)}, [tuple(merge.split(" ")) for merge in merges])
    library = tokenizers.Tokenizer(model)
    library.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)

    assert starter.encode(" \x16:") == library.encode(" \x16:").ids == starter.encode(" :")


@pytest.mark.model
@pytest.mark.parametrize("text", SAMPLES + CORPUS)
def test_starter_encodes_a_conversation_as_llama_cpp_does(
    starter: Tokenizer, starter_fields: dict[str, object], starter_llama_cpp: LlamaCpp, text: str
):
    turns = [("user", text.replace("<|", "< |")), ("assistant", "Yes."), ("user", " and\n2 more ")]
    prompt = render_chat(facts_from_gguf(starter_fields), [ChatMessage(*turn) for turn in turns])

    theirs = starter_llama_cpp.render([{"role": role, "content": content} for role, content in turns])

    assert prompt == Prompt(theirs)
    assert starter.encode_prompt(prompt) == starter_llama_cpp.tokenize(theirs, parse_special=True)


@pytest.mark.model
def test_starter_splits_digits(starter: Tokenizer):
    assert [starter.decode([i]) for i in starter.encode("12345")] == ["1", "2", "3", "4", "5"]


@pytest.mark.model
def test_starter_facts_are_those_of_its_card(starter_fields: dict[str, object]):
    facts = facts_from_gguf(starter_fields)

    assert (facts.kind, facts.n_vocab, facts.bos_id, facts.add_bos) == ("json", 49152, 1, False)
    assert facts.eos_ids == (2, 0)
    assert len(facts.special_tokens) == 17


@pytest.mark.parametrize("pre", sorted(SPLIT_RULES))
def test_every_split_rule_cuts_as_llama_cpp_does(pre: str, byte_level_tokenizer: tokenizers.Tokenizer, tmp_path: Path):
    fields = byte_level_fields(byte_level_tokenizer, pre)
    facts = facts_from_gguf(fields)
    ours = Tokenizer(facts)
    theirs = LlamaCpp(write_gguf(tmp_path / "model.gguf", fields, facts.n_vocab))

    for text in SAMPLES + CORPUS:
        assert ours.encode(text) == theirs.tokenize(text), text
    assert ours.encode_prompt(Prompt("a")) == theirs.tokenize("a", parse_special=True, add_special=True)


@pytest.mark.parametrize("pre", ["gpt-2", "llama-bpe", "qwen2", "default"])
def test_split_rules_agree_with_llama_cpp_on_any_text(
    pre: str, byte_level_tokenizer: tokenizers.Tokenizer, tmp_path_factory: pytest.TempPathFactory
):
    fields = byte_level_fields(byte_level_tokenizer, pre)
    facts = facts_from_gguf(fields)
    ours = Tokenizer(facts)
    theirs = LlamaCpp(write_gguf(tmp_path_factory.mktemp("gguf") / "model.gguf", fields, facts.n_vocab))

    @CALM
    @given(text=MIXTURES)
    def check(text: str) -> None:
        assert ours.encode(text) == theirs.tokenize(text)

    check()


@pytest.mark.parametrize("text", SAMPLES + CORPUS)
def test_scored_vocabulary_encodes_as_llama_cpp_does(scored: tuple[Tokenizer, LlamaCpp], text: str):
    ours, theirs = scored

    assert ours.encode(text) == theirs.tokenize(text)


@CALM
@given(text=MIXTURES)
def test_scored_vocabulary_encodes_any_text_as_llama_cpp_does(scored: tuple[Tokenizer, LlamaCpp], text: str):
    ours, theirs = scored

    assert ours.encode(text) == theirs.tokenize(text)


@pytest.mark.parametrize("text", ["<s>[INST] hi [/INST]", "<|im_start|>user\nhi 12<|im_end|>\n<|im_start|>assistant\n"])
def test_scored_vocabulary_encodes_a_prompt_as_llama_cpp_does(scored: tuple[Tokenizer, LlamaCpp], text: str):
    ours, theirs = scored

    expected = theirs.tokenize(text, parse_special=True)

    assert ours.encode_prompt(Prompt(text)) == (expected if expected[0] == 1 else [1, *expected])


@pytest.mark.parametrize("pre", ["no-such-rule", "kimi-k2"])
def test_unknown_split_rule_is_refused_by_name(pre: str, byte_level_tokenizer: tokenizers.Tokenizer):
    with pytest.raises(UnsupportedModel) as caught:
        facts_from_gguf(byte_level_fields(byte_level_tokenizer, pre), "model.gguf")

    assert (caught.value.path, caught.value.found) == ("model.gguf", pre)


def test_unknown_vocabulary_kind_is_refused_by_name():
    with pytest.raises(UnsupportedModel) as caught:
        facts_from_gguf({"tokenizer.ggml.model": "bert"})

    assert caught.value.found == "bert"


@pytest.mark.parametrize("key", ["tokenizer.ggml.tokens", "tokenizer.ggml.merges"])
def test_missing_vocabulary_is_a_damaged_file(key: str, byte_level_tokenizer: tokenizers.Tokenizer):
    fields = byte_level_fields(byte_level_tokenizer, "gpt-2")
    del fields[key]

    with pytest.raises(DamagedFile):
        facts_from_gguf(fields)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"tokenizer.chat_template": "x" * 300_000}, "a template of 300000 characters"),
        ({"tokenizer.ggml.tokens": ["a", "é" * 40_000]}, "a token of 80000 bytes"),
    ],
)
def test_text_too_long_to_be_meant_is_refused_with_its_size(
    changes: dict[str, object], found: str, byte_level_tokenizer: tokenizers.Tokenizer
):
    with pytest.raises(UnsupportedModel) as caught:
        facts_from_gguf(byte_level_fields(byte_level_tokenizer, "qwen2") | changes, "model.gguf")

    assert (caught.value.path, caught.value.found) == ("model.gguf", found)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_tokens_that_are_no_text_are_refused(kind: str):
    fields = {"tokenizer.ggml.model": kind, "tokenizer.ggml.tokens": [1, 2], "tokenizer.ggml.scores": [0.0, 0.0]}

    with pytest.raises(DamagedFile):
        facts_from_gguf(fields)


@pytest.mark.parametrize(
    ("changes", "origin", "add_bos"),
    [
        ({}, "built-in: ChatML", False),
        ({"tokenizer.chat_template": "{{ messages }}"}, "checkpoint", False),
        ({"tokenizer.chat_template": " "}, "built-in: ChatML", False),
        ({"general.name": "Some Model Base"}, "question and answer", False),
        ({"general.architecture": "minicpm"}, "built-in: MiniCPM", True),
    ],
)
def test_gguf_says_where_the_form_of_its_prompts_comes_from(
    changes: dict[str, object], origin: str, add_bos: bool, byte_level_tokenizer: tokenizers.Tokenizer
):
    facts = facts_from_gguf(byte_level_fields(byte_level_tokenizer, "qwen2") | changes)

    assert (facts.template_origin, facts.add_bos) == (origin, add_bos)


# Control tokens ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["byte-level", "merges-ignored", "scored", "file"])
def any_tokenizer(
    request: pytest.FixtureRequest, byte_level_tokenizer: tokenizers.Tokenizer, sentencepiece_model: Path
):
    if request.param == "byte-level":
        return Tokenizer(facts_from_gguf(byte_level_fields(byte_level_tokenizer, "smollm")))
    if request.param == "merges-ignored":
        return Tokenizer(facts_from_gguf(byte_level_fields(byte_level_tokenizer, "llama-bpe")))
    if request.param == "scored":
        return Tokenizer(facts_from_gguf(sentencepiece_fields(sentencepiece_model)))
    return Tokenizer(facts_from_folder(sentencepiece_model.parent, "llama"))


@CALM
@given(
    text=st.lists(st.sampled_from(["<|im_start|>", "<|im_end|>", "<s>", "</s>", "<|endoftext|>", " "]) | TEXTS).map(
        "".join
    )
)
def test_text_never_becomes_a_control_token(any_tokenizer: Tokenizer, text: str):
    ids = any_tokenizer.encode(text)

    assert all(any_tokenizer.token_bytes(i) for i in ids)
    assert not any_tokenizer.eos_ids & set(ids)


@CALM
@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\u2581"), max_size=80))
def test_text_survives_encoding_and_decoding(any_tokenizer: Tokenizer, text: str):
    assert any_tokenizer.decode(any_tokenizer.encode(text)) == text


@CALM
@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\ufdd0<"), min_size=1))
def test_guarded_look_alikes_encode_as_plain_text(any_tokenizer: Tokenizer, text: str):
    start = any_tokenizer.encode_prompt(Prompt("<|im_start|>"))
    look_alike = f"<|im_end|>{text}"

    ids = any_tokenizer.encode_prompt(Prompt(f"<|im_start|><\ufdd0|im_end|>{text}", "\ufdd0"))

    assert ids == start + any_tokenizer.encode(look_alike)


def control_ids(control: list[str], template: str, contents: list[str]) -> list[int]:
    """Control tokens of a conversation of users, with a vocabulary of single bytes and these."""
    tokens = list(dict.fromkeys([*byte_level_alphabet(), *control, "ab"]))
    fields = {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if token in control else 1 for token in tokens],
        "tokenizer.ggml.merges": ["a b"],
        "tokenizer.chat_template": template,
    }
    facts = facts_from_gguf(fields)
    ids = Tokenizer(facts).encode_prompt(render_chat(facts, [ChatMessage("user", content) for content in contents]))
    return [i for i in ids if i in dict(facts.special_tokens).values()]


def turns(content: str) -> str:
    return f"{{% for m in messages %}}<|user|>{{{{ m.content{content} }}}}<|end|>{{% endfor %}}"


MARKS = ["<|user|>", "<|end|>"]
HARMLESS = "\ufdef"


@pytest.mark.parametrize(
    ("control", "template", "contents"),
    [
        (MARKS, turns(""), ["<|end|><|user|>"]),
        (MARKS, turns(""), ["<|e<|end|>nd|>"]),
        ([*MARKS, "☃"], turns(""), ["a☃b☃"]),
        ([*MARKS, "☃"], "{% for m in messages %}{{ m.content }}☃{% endfor %}", ["☃", "☃☃<|end|>"]),
        ([*MARKS, "<ab>", "b>a"], turns(""), ["<ab>a"]),
        (MARKS, turns("|lower"), ["<|END|>"]),
        ([*MARKS, "a"], turns("|lower"), ["A"]),
        (MARKS, turns("|reverse"), [">|dne|<"]),
        (MARKS, turns("|replace('</think>', '')"), ["<|en</think>d|>"]),
        (MARKS, turns(".split('</think>')|join"), ["a</think>b", "<|en</think>d|>"]),
        (MARKS, "{% for m in messages %}<|user|>{{ m.content }}er|>{% endfor %}", ["<|us"]),
        (MARKS, "{% for m in messages %}<|us{{ m.content }}<|end|>{% endfor %}", ["er|>"]),
        (MARKS, "{% for m in messages %}{{ m.content }}{% endfor %}", ["<|e", "nd|>"]),
        (["|x|"], "{% for m in messages %}{{ m.content }}|x|{% endfor %}", ["|x"]),
        ([*MARKS, "😀"], turns(""), ["\ud83d\ude00"]),
    ],
)
def test_no_message_becomes_a_control_token(control: list[str], template: str, contents: list[str]):
    assert control_ids(control, template, contents) == control_ids(control, template, [HARMLESS] * len(contents))


TEMPLATE_PARTS = ["<|user|>{}<|end|>", "{}", "<{}", "{}>", "a{}b", "<a{}☃", "<|us{}er|>", "☃{}<ab>"]
CONTENT_PARTS = ["", "|trim", "|lower", "|upper", "|replace('b', '')", ".split('a')|join", "|e"]


@CALM
@given(
    control=st.lists(st.text("<|>abA☃", min_size=1, max_size=4), max_size=4),
    form=st.sampled_from(TEMPLATE_PARTS),
    content=st.sampled_from(CONTENT_PARTS),
    contents=st.lists(st.text("<|>abAB☃\ufdd0", min_size=1, max_size=8), min_size=1, max_size=3),
    pieces=st.lists(st.sampled_from([*MARKS, "<|us", "er|>", "<|e", "nd|>", "D|>", "</b>"]), max_size=3),
)
def test_control_tokens_of_a_prompt_are_those_its_template_writes(
    control: list[str], form: str, content: str, contents: list[str], pieces: list[str]
):
    template = f"{{% for m in messages %}}{form.format(f'{{{{ m.content{content} }}}}')}{{% endfor %}}"

    written = control_ids([*MARKS, *control], template, [HARMLESS] * len(contents))

    assert control_ids([*MARKS, *control], template, [*contents[:-1], contents[-1] + "".join(pieces)]) == written


def test_template_that_looks_into_a_message_still_does():
    template = "{{ messages[0].content.split('</think>')[-1] | trim }}<|end|>"
    facts = TokenizerFacts("json", b"", (("<|end|>", 0),), None, (0,), False, 1, template, "checkpoint")

    assert render_chat(facts, [ChatMessage("user", "<think>x</think> yes")]) == Prompt("yes<|end|>")


def test_half_a_surrogate_pair_is_encoded_as_replacement_character(any_tokenizer: Tokenizer):
    assert any_tokenizer.decode(any_tokenizer.encode("a\ud800b")) == "a\ufffdb"


def test_ids_beyond_the_vocabulary_stand_for_nothing(any_tokenizer: Tokenizer):
    assert any_tokenizer.decode([any_tokenizer.n_vocab, any_tokenizer.n_vocab + 1000]) == ""


# tokenizer.json against transformers ------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["byte-level", "metaspace-first", "metaspace-always", "prepended"])
def hugging_face_folder(
    request: pytest.FixtureRequest, byte_level_tokenizer: tokenizers.Tokenizer, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    folder = tmp_path_factory.mktemp("folder")
    if request.param == "byte-level":
        tokenizer = tokenizers.Tokenizer.from_str(byte_level_tokenizer.to_str())
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        bos, eos = "<|im_start|>", "<|im_end|>"
    else:
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
        decoders = [
            tokenizers.decoders.Replace("▁", " "),
            tokenizers.decoders.ByteFallback(),
            tokenizers.decoders.Fuse(),
        ]
        if request.param == "prepended":
            tokenizer.normalizer = tokenizers.normalizers.Sequence(
                [tokenizers.normalizers.Prepend("▁"), tokenizers.normalizers.Replace(" ", "▁")]
            )
        else:
            scheme = request.param.removeprefix("metaspace-")
            tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme=scheme, split=False)
        tokenizer.decoder = tokenizers.decoders.Sequence([*decoders, tokenizers.decoders.Strip(" ", 1, 0)])
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=900,
            show_progress=False,
            special_tokens=["<unk>", "<s>", "</s>", *(f"<0x{b:02X}>" for b in range(256))],
        )
        tokenizer.train_from_iterator([word for text in CORPUS for word in text.split()], trainer)
        document = json.loads(tokenizer.to_str())
        document["added_tokens"] = [t for t in document["added_tokens"] if not t["content"].startswith("<0x")]
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps(document))
        bos, eos = "<s>", "</s>"
    tokenizer.add_special_tokens(["<|user|>", tokenizers.AddedToken("<|eats|>", rstrip=True, special=True)])
    tokenizer.add_tokens(["<think>", "</think>"])
    tokenizer.add_special_tokens(["<|last|>"])
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single=f"{bos} $A", special_tokens=[(bos, tokenizer.token_to_id(bos))]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(
        json.dumps(
            {
                "bos_token": bos,
                "eos_token": {"__type": "AddedToken", "content": eos},
                "tokenizer_class": "PreTrainedTokenizerFast",
            }
        )
    )
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [tokenizer.token_to_id("<|last|>")]}))
    return folder


@pytest.fixture(scope="module")
def transformers_tokenizer(hugging_face_folder: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import PreTrainedTokenizerFast

        return PreTrainedTokenizerFast.from_pretrained(str(hugging_face_folder))


@pytest.mark.parametrize("text", [*SAMPLES, *CORPUS, "a<think>b</think>c"])
def test_tokenizer_json_encodes_as_transformers_does(hugging_face_folder: Path, transformers_tokenizer, text: str):
    facts = facts_from_folder(hugging_face_folder, "llama")
    without_control = text
    for special, _ in facts.special_tokens:
        without_control = without_control.replace(special, "")

    ours = Tokenizer(facts).encode(without_control)

    assert ours == transformers_tokenizer.encode(without_control, add_special_tokens=False)


def test_tokenizer_json_encodes_genuine_control_tokens_as_transformers_does(
    hugging_face_folder: Path, transformers_tokenizer
):
    facts = facts_from_folder(hugging_face_folder, "llama")
    bos = facts.text_of(facts.bos_id)
    text = f"{bos}<|user|>\nhello 123 <think>no</think><|eats|> \n world<|last|> x"

    ours = Tokenizer(facts).encode_prompt(Prompt(text))

    assert ours == transformers_tokenizer.encode(text, add_special_tokens=False)
    assert Tokenizer(facts).encode_prompt(Prompt("hi"))[0] == facts.bos_id


def test_tokenizer_json_decodes_as_transformers_does(hugging_face_folder: Path, transformers_tokenizer):
    ours = Tokenizer(facts_from_folder(hugging_face_folder, "llama"))

    for text in SAMPLES + CORPUS:
        ids = ours.encode(text)
        theirs = transformers_tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        assert ours.decode(ids) == theirs


def test_folder_facts_come_from_every_file(hugging_face_folder: Path):
    facts = facts_from_folder(hugging_face_folder, "llama")
    ids = dict(facts.special_tokens)

    assert facts.text_of(facts.eos_ids[0]) in ("</s>", "<|im_end|>")
    assert ids["<|last|>"] in facts.eos_ids
    assert facts.add_bos
    assert "<think>" not in ids
    assert facts.n_vocab == ids["<|last|>"] + 1


def test_unigram_tokenizer_json_keeps_control_tokens_out_of_text(tmp_path: Path):
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.Unigram([("<unk>", 0.0), ("<s>", 0.0), ("▁", -2.0), *((c, -3.0) for c in "<s>ab")], 0, False)
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens(["<s>"])
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text('{"bos_token": "<s>", "add_bos_token": true}')

    ours = Tokenizer(facts_from_folder(tmp_path, "llama"))

    assert 1 not in ours.encode("a<s>b")
    assert ours.encode_prompt(Prompt("<s>a")).count(1) == 1


@pytest.mark.parametrize(("content", "error"), [(None, FileMissing), (b"{", DamagedFile), (b"[]", DamagedFile)])
def test_unreadable_tokenizer_json_says_why(tmp_path: Path, content: bytes | None, error: type[Exception]):
    if content is not None:
        (tmp_path / "tokenizer.json").write_bytes(content)

    with pytest.raises(error):
        facts_from_folder(tmp_path, "llama")


@pytest.mark.parametrize("text", ["template", "token"])
def test_folder_with_text_too_long_to_be_meant_is_refused(hugging_face_folder: Path, tmp_path: Path, text: str):
    folder = shutil.copytree(hugging_face_folder, tmp_path / "copy")
    if text == "template":
        (folder / "chat_template.jinja").write_text("x" * 300_000)
    else:
        (folder / "added_tokens.json").write_text(json.dumps({"x" * 70_000: 5}))

    with pytest.raises(UnsupportedModel) as caught:
        facts_from_folder(folder, "llama")

    assert caught.value.found in ("a template of 300000 characters", "a token of 70000 bytes")


def test_chat_template_file_precedes_the_one_in_the_settings(hugging_face_folder: Path, tmp_path: Path):
    folder = shutil.copytree(hugging_face_folder, tmp_path / "copy")
    settings_file = folder / "tokenizer_config.json"
    settings = json.loads(settings_file.read_text())
    settings["chat_template"] = [{"name": "tool_use", "template": "t"}, {"name": "default", "template": "d"}]
    settings_file.write_text(json.dumps(settings))

    named = facts_from_folder(folder, "llama").chat_template
    (folder / "chat_template.jinja").write_text("file")

    assert (named, facts_from_folder(folder, "llama").chat_template) == ("d", "file")


# sentencepiece ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", SAMPLES + CORPUS)
def test_sentencepiece_file_encodes_as_the_library_does(sentencepiece_model: Path, text: str):
    ours = Tokenizer(facts_from_folder(sentencepiece_model.parent, "llama"))
    theirs = sentencepiece.SentencePieceProcessor(model_file=str(sentencepiece_model))

    ids = ours.encode(text)

    assert ids == theirs.encode(text)
    assert ours.decode(ids) == theirs.decode(ids)


def test_damaged_sentencepiece_file_is_named(tmp_path: Path):
    path = tmp_path / "tokenizer.model"
    path.write_bytes(b"\x0a\xff\xff nonsense")

    with pytest.raises(DamagedFile) as caught:
        facts_from_folder(tmp_path, "llama")

    assert caught.value.path == str(path)


# Storing ----------------------------------------------------------------------------------------------------------


def test_facts_survive_the_header_of_a_packed_model(byte_level_tokenizer: tokenizers.Tokenizer):
    facts = facts_from_gguf(byte_level_fields(byte_level_tokenizer, "qwen2"))

    header = json.loads(json.dumps(facts_to_json(facts)))

    assert facts_from_json(header, facts.data) == facts


def test_header_without_a_fact_is_a_damaged_file():
    with pytest.raises(DamagedFile):
        facts_from_json({"kind": "json"}, b"")
