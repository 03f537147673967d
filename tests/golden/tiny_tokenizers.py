"""Tokenizers of about 300 tokens in the kinds that the repositories have, trained on a public-domain text.

Owns the files of a folder's text side: tokenizer.model, tokenizer.json, vocab.json with merges.txt, and the settings
beside them. A `Tokenizer` here is a set of files, a count of tokens, and the ids of the prompt. Knows nothing of
weights.
"""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors, trainers

CORPUS = Path(__file__).parents[1] / "data" / "austen-persuasion.txt"
# Letters with merges, digits, punctuation, two scripts, and characters of two, three and four bytes.
PROMPT = "the boats, 32: 用é🔥 Anne"

CHATML = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
QWEN = (
    "{% if messages[0]['role'] != 'system' %}{{ '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}"
    "{% endif %}" + CHATML
)
LLAMA_2 = (
    "{% if messages[0]['role'] == 'system' %}"
    "{% set first = '<<SYS>>\\n' + messages[0]['content'] + '\\n<</SYS>>\\n\\n' %}"
    "{% set turns = messages[1:] %}{% else %}{% set first = '' %}{% set turns = messages %}{% endif %}"
    "{% for message in turns %}{% if message['role'] == 'user' %}"
    "{{ bos_token + '[INST] ' + (first if loop.index0 == 0 else '') + message['content'].strip() + ' [/INST]' }}"
    "{% else %}{{ ' ' + message['content'].strip() + ' ' + eos_token }}{% endif %}{% endfor %}"
)
LLAMA_3 = (
    "{{ bos_token }}{% for message in messages %}{{ '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n'"
    " + message['content'] | trim + '<|eot_id|>' }}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}"
)
MINICPM = (
    "{% for message in messages %}{% if message['role'] == 'user' %}"
    "{{ '<用户>' + message['content'].strip() + '<AI>' }}"
    "{% else %}{{ message['content'].strip() }}{% endif %}{% endfor %}"
)
NEMOTRON = (
    "{{ '<extra_id_0>System' }}{% for message in messages %}{% if message['role'] == 'system' %}"
    "{{ '\\n' + message['content'].strip() }}{% endif %}{% endfor %}{{ '\\n\\n' }}"
    "{% for message in messages %}{% if message['role'] != 'system' %}"
    "{{ '<extra_id_1>' + message['role'] | capitalize + '\\n' + message['content'].strip() + '\\n' }}"
    "{% endif %}{% endfor %}{{ '<extra_id_1>Assistant\\n' }}"
)

_GPT4_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
_QWEN_SPLIT = _GPT4_SPLIT.replace(r"\p{N}{1,3}", r"\p{N}")


@dataclass(frozen=True, slots=True)
class TokenizerFiles:
    """files: name → bytes; n_tokens: one more than the highest id; prompt: the ids of PROMPT, as a model gets it."""

    files: Mapping[str, bytes]
    n_tokens: int
    prompt: tuple[int, ...]


def as_json(value: Any) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


# Sentencepiece, as LLaMA has it ---------------------------------------------------------------------------------------


@cache
def _sentencepiece(first_ids: str) -> bytes:
    """A BPE model of 300 pieces with bytes for what it lacks; first_ids: "llama" or "nemotron"."""
    special: dict[str, Any] = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}
    if first_ids == "nemotron":
        special = {"unk_id": 0, "pad_id": 1, "bos_id": 2, "eos_id": 3, "user_defined_symbols": _EXTRA_IDS}
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(CORPUS.read_text(encoding="utf-8").splitlines()[:400]), model_writer=written,
        model_type="bpe", vocab_size=300, byte_fallback=True, split_digits=True, character_coverage=0.98,
        normalization_rule_name="identity", add_dummy_prefix=True, remove_extra_whitespaces=False,
        allow_whitespace_only_pieces=True, unk_surface=" \u2047 ", num_threads=1, minloglevel=2, **special,
    )  # fmt: skip
    return written.getvalue()


_EXTRA_IDS = ["<extra_id_0>", "<extra_id_1>"]


def _fast_form(model: bytes, added: Mapping[str, int], *, bos: str) -> tokenizers.Tokenizer:
    """The same tokenizer for the tokenizers library: every way to write a piece as two others becomes a merge."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    pieces = {processor.IdToPiece(i): i for i in range(processor.GetPieceSize())}
    plain = {
        piece: i
        for piece, i in pieces.items()
        if not (processor.IsControl(i) or processor.IsByte(i) or processor.IsUnknown(i) or piece in _EXTRA_IDS)
    }
    merges = [
        (piece[:cut], piece[cut:])
        for piece, _ in sorted(plain.items(), key=lambda item: -processor.GetScore(item[1]))
        for cut in range(1, len(piece))
        if piece[:cut] in plain and piece[cut:] in plain
    ]
    fast = tokenizers.Tokenizer(models.BPE(pieces, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    fast.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    fast.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    special = [p for p, i in pieces.items() if processor.IsControl(i) or processor.IsUnknown(i) or p in _EXTRA_IDS]
    fast.add_special_tokens([AddedToken(text, normalized=False) for text in (*special, *added)])
    if bos:
        fast.post_processor = processors.TemplateProcessing(f"{bos} $A", special_tokens=[(bos, pieces[bos])])
    return fast


def llama_files(
    *,
    has_json: bool = False,
    has_model: bool = True,
    template: str = "",
    added: tuple[str, ...] = (),
    eos: str = "</s>",
    special_map: Mapping[str, Any] | None = None,
    n_positions: int = 4096,
) -> TokenizerFiles:
    """LLaMA's pieces, with tokens added after them."""
    model = _sentencepiece("llama")
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    ids = {text: 300 + i for i, text in enumerate(added)}
    settings: dict[str, Any] = {
        "add_bos_token": True,
        "add_eos_token": False,
        "added_tokens_decoder": _decoder({"<unk>": 0, "<s>": 1, "</s>": 2} | ids),
        "bos_token": "<s>",
        "clean_up_tokenization_spaces": False,
        "eos_token": eos,
        "legacy": True,
        "model_max_length": n_positions,
        "pad_token": None,
        "sp_model_kwargs": {},
        "tokenizer_class": "LlamaTokenizer",
        "unk_token": "<unk>",
        "use_default_system_prompt": False,
    }
    if template:
        settings["chat_template"] = template
    files = {
        "tokenizer_config.json": as_json(settings),
        "special_tokens_map.json": as_json(
            special_map or {"bos_token": whole("<s>"), "eos_token": whole(eos), "unk_token": whole("<unk>")}
        ),
    }
    if ids:
        files["added_tokens.json"] = as_json(ids)
    if has_model:
        files["tokenizer.model"] = model
    if has_json:
        files["tokenizer.json"] = _fast_form(model, ids, bos="<s>").to_str(pretty=False).encode()
    return TokenizerFiles(files, 300 + len(ids), (1, *processor.EncodeAsIds(PROMPT)))


def nemotron_files() -> TokenizerFiles:
    """Other ids for the control tokens, and tokens that only the chat template writes."""
    model = _sentencepiece("nemotron")
    fast = _fast_form(model, {}, bos="")
    special = {"<unk>": 0, "<s>": 2, "</s>": 3} | {text: 4 + i for i, text in enumerate(_EXTRA_IDS)}
    settings = {
        "added_tokens_decoder": _decoder(special),
        "bos_token": "<s>",
        "chat_template": NEMOTRON,
        "clean_up_tokenization_spaces": True,
        "eos_token": "</s>",
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": 1000000000000000019884624838656,
        "tokenizer_class": "PreTrainedTokenizerFast",
        "unk_token": "<unk>",
    }
    files = {
        "tokenizer.model": model,
        "tokenizer.json": fast.to_str(pretty=False).encode(),
        "tokenizer_config.json": as_json(settings),
        "special_tokens_map.json": as_json({"bos_token": "<s>", "eos_token": "</s>"}),
    }
    return TokenizerFiles(files, 300, tuple(fast.encode(PROMPT).ids))


# Byte-level BPE -------------------------------------------------------------------------------------------------------


@cache
def _byte_level(kind: str, n_tokens: int) -> tokenizers.Tokenizer:
    """Trained without special tokens, unless they come first: kind "opt" and "smollm"."""
    fast = tokenizers.Tokenizer(models.BPE(ignore_merges=kind == "llama3"))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=kind in ("opt", "smollm", "falcon"))
    before: list[Any] = {
        "opt": [],
        "smollm": [pre_tokenizers.Digits(individual_digits=True)],
        "falcon": [pre_tokenizers.Punctuation("contiguous")],
        "llama3": [pre_tokenizers.Split(Regex(_GPT4_SPLIT), "isolated")],
        "qwen2": [pre_tokenizers.Split(Regex(_QWEN_SPLIT), "isolated")],
    }[kind]
    after = [pre_tokenizers.Digits(individual_digits=False), pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")]
    fast.pre_tokenizer = pre_tokenizers.Sequence([*before, byte_level, *(after if kind == "falcon" else [])])
    if kind == "qwen2":
        fast.normalizer = normalizers.NFC()
    fast.decoder = decoders.ByteLevel()
    first = {
        "opt": ["<s>", "<pad>", "</s>", "<unk>"],
        "smollm": ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        "falcon": [">>TITLE<<", ">>ABSTRACT<<", ">>INTRODUCTION<<", ">>SUMMARY<<"],
    }.get(kind, [])
    trainer = trainers.BpeTrainer(
        vocab_size=n_tokens, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False,
        special_tokens=[AddedToken(text, normalized=False) for text in first],
    )  # fmt: skip
    fast.train_from_iterator(CORPUS.read_text(encoding="utf-8").splitlines()[:400], trainer)
    return fast


def _with_added(kind: str, n_tokens: int, added: tuple[str, ...]) -> tuple[tokenizers.Tokenizer, dict[str, int]]:
    fast = tokenizers.Tokenizer.from_str(_byte_level(kind, n_tokens).to_str())
    fast.add_special_tokens([AddedToken(text, normalized=False) for text in added])
    return fast, {text: fast.token_to_id(text) for text in added}


def _vocabulary(fast: tokenizers.Tokenizer) -> dict[str, bytes]:
    """vocab.json and merges.txt: the tokens that are not added."""
    model = json.loads(fast.to_str())["model"]
    merges = [" ".join(merge) for merge in model["merges"]]
    return {
        "vocab.json": json.dumps(model["vocab"], ensure_ascii=False).encode(),
        "merges.txt": ("#version: 0.2\n" + "\n".join(merges) + "\n").encode(),
    }


def opt_files() -> TokenizerFiles:
    """GPT-2's two files, no tokenizer.json; a prompt begins with </s>."""
    fast = _byte_level("opt", 290)
    end = {"__type": "AddedToken"} | whole("</s>", normalized=True)
    settings = {
        "errors": "replace",
        "unk_token": end,
        "bos_token": end,
        "eos_token": end,
        "pad_token": {"__type": "AddedToken"} | whole("<pad>", normalized=True),
        "add_prefix_space": False,
        "add_bos_token": True,
        "special_tokens_map_file": None,
        "name_or_path": "patrickvonplaten/opt-30b",
    }
    special = {name: whole("</s>", normalized=True) for name in ("bos_token", "eos_token", "unk_token")}
    files = _vocabulary(fast) | {
        "tokenizer_config.json": as_json(settings),
        "special_tokens_map.json": as_json(special | {"pad_token": whole("<pad>", normalized=True)}),
    }
    return TokenizerFiles(files, 290, (2, *fast.encode(PROMPT).ids))


def smollm_files() -> TokenizerFiles:
    """The end of text begins and ends a document and is token 0."""
    fast = _byte_level("smollm", 300)
    settings = {
        "add_prefix_space": False,
        "added_tokens_decoder": _decoder({"<|endoftext|>": 0, "<|im_start|>": 1, "<|im_end|>": 2}),
        "additional_special_tokens": ["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        "bos_token": "<|endoftext|>",
        "clean_up_tokenization_spaces": False,
        "eos_token": "<|endoftext|>",
        "model_max_length": 2048,
        "tokenizer_class": "GPT2Tokenizer",
        "unk_token": "<|endoftext|>",
        "vocab_size": 300,
    }
    files = _vocabulary(fast) | {
        "tokenizer.json": fast.to_str(pretty=False).encode(),
        "tokenizer_config.json": as_json(settings),
        "special_tokens_map.json": as_json({"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>"}),
    }
    return TokenizerFiles(files, 300, tuple(fast.encode(PROMPT).ids))


def falcon_files() -> TokenizerFiles:
    """No first token; the end of text is token 11 of the real vocabulary, here one of the added ones."""
    fast, ids = _with_added("falcon", 300, ("<|endoftext|>",))
    settings = {
        "add_prefix_space": False,
        "eos_token": "<|endoftext|>",
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": 2048,
        "name_or_path": "tiiuae/falcon_tokenizer",
        "special_tokens_map_file": None,
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    files = {
        "tokenizer.json": fast.to_str(pretty=False).encode(),
        "tokenizer_config.json": as_json(settings),
        "special_tokens_map.json": as_json({"eos_token": "<|endoftext|>"}),
    }
    return TokenizerFiles(files, 300 + len(ids), tuple(fast.encode(PROMPT).ids))


def qwen2_files(*, eos: str, template: str = QWEN) -> TokenizerFiles:
    """All three forms at once; control tokens after the vocabulary; no first token."""
    fast, ids = _with_added("qwen2", 300, ("<|endoftext|>", "<|im_start|>", "<|im_end|>"))
    settings = {
        "add_prefix_space": False,
        "added_tokens_decoder": _decoder(ids),
        "additional_special_tokens": ["<|im_start|>", "<|im_end|>"],
        "bos_token": None,
        "chat_template": template,
        "clean_up_tokenization_spaces": False,
        "eos_token": eos,
        "errors": "replace",
        "model_max_length": 32768,
        "pad_token": "<|endoftext|>",
        "split_special_tokens": False,
        "tokenizer_class": "Qwen2Tokenizer",
        "unk_token": None,
    }
    files = _vocabulary(fast) | {
        "tokenizer.json": fast.to_str(pretty=False).encode(),
        "tokenizer_config.json": as_json(settings),
    }
    return TokenizerFiles(files, 300 + len(ids), tuple(fast.encode(PROMPT).ids))


def llama3_files(*, added: tuple[str, ...], eos: str, template: str) -> TokenizerFiles:
    """The post-processor writes the first token, added[0]."""
    fast, ids = _with_added("llama3", 300, added)
    bos = added[0]
    fast.post_processor = processors.TemplateProcessing(f"{bos} $A", special_tokens=[(bos, ids[bos])])
    settings = {
        "added_tokens_decoder": _decoder(ids),
        "bos_token": bos,
        "chat_template": template,
        "clean_up_tokenization_spaces": True,
        "eos_token": eos,
        "model_input_names": ["input_ids", "attention_mask"],
        "model_max_length": 131072,
        "tokenizer_class": "PreTrainedTokenizerFast",
    }
    files = {
        "tokenizer.json": fast.to_str(pretty=False).encode(),
        "tokenizer_config.json": as_json(settings),
        "special_tokens_map.json": as_json({"bos_token": whole(bos), "eos_token": whole(eos)}),
    }
    return TokenizerFiles(files, 300 + len(ids), tuple(fast.encode(PROMPT).ids))


def whole(text: str, *, normalized: bool = False) -> dict[str, Any]:
    return {"content": text, "lstrip": False, "normalized": normalized, "rstrip": False, "single_word": False}


def _decoder(ids: Mapping[str, int]) -> dict[str, Any]:
    return {str(i): whole(text) | {"special": True} for text, i in sorted(ids.items(), key=lambda item: item[1])}
