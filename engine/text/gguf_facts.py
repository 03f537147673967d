"""The tokenizer that lies in GGUF metadata, rebuilt.

GGUF stores a vocabulary but not the rules that split text before merging, only their name (`tokenizer.ggml.pre`); this
module owns the table from those names to rules and refuses the names it does not know, because a wrong rule gives a
model that answers badly without any error. Byte-level vocabularies become a tokenizer.json, sentencepiece ones a
sentencepiece model of the same pieces and scores. The rules are those of llama.cpp (llama-vocab.cpp), against which the
tests hold them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from engine.errors import DamagedFile, UnsupportedModel
from engine.text.builtin_templates import template_for
from engine.text.byte_level import GPT2_SPLIT, added_token, byte_level_document
from engine.text.facts import (
    END_OF_TURN_TEXTS,
    TokenizerFacts,
    check_template,
    check_tokens,
    ends_of_turn,
    in_id_order,
    looks_like_control,
    origin_of,
)
from engine.text.sentencepiece_model import (
    CONTROL,
    NORMAL,
    UNKNOWN,
    USER_DEFINED,
    load_sentencepiece,
    write_sentencepiece,
)


@dataclass(frozen=True, slots=True)
class SplitRule:
    """How text is cut before merging: each pattern is applied within the pieces the former ones left.

    ignore_merges   a whole piece that is in the vocabulary is taken as it is
    add_bos         what holds where the metadata is silent
    """

    patterns: tuple[str, ...]
    ignore_merges: bool = False
    add_bos: bool = False


_ENDINGS = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_WORD = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA3 = rf"{_ENDINGS}|{_WORD}|\p{{N}}{{1,3}}|{_REST}"
_QWEN2 = rf"{_ENDINGS}|{_WORD}|\p{{N}}|{_REST}"

_gpt2 = SplitRule((GPT2_SPLIT,))
_digits_apart = SplitRule((r"\p{N}", GPT2_SPLIT))
_llama3 = SplitRule((_LLAMA3,), ignore_merges=True, add_bos=True)
_qwen2 = SplitRule((_QWEN2,))

SPLIT_RULES: Mapping[str, SplitRule] = {
    "default": SplitRule((r"[\p{P}\$\+<=>\^~\|]+", GPT2_SPLIT, r"\p{N}+", r"[0-9][0-9][0-9]")),
    "gpt-2": _gpt2,
    "phi-2": _gpt2,
    "mpt": _gpt2,
    "olmo": _gpt2,
    "jais": _gpt2,
    "exaone4": _gpt2,
    "smollm": _digits_apart,
    "starcoder": _digits_apart,
    "refact": _digits_apart,
    "command-r": _digits_apart,
    "codeshell": _digits_apart,
    "exaone": _digits_apart,
    "minerva-7b": _digits_apart,
    "llama-bpe": _llama3,
    "llama-v3": _llama3,
    "llama3": _llama3,
    "falcon3": _llama3,
    "pixtral": _llama3,
    "lfm2": _llama3,
    "dbrx": SplitRule((_LLAMA3,)),
    "smaug-bpe": SplitRule((_LLAMA3,)),
    "glm4": SplitRule((_LLAMA3,)),
    "chatglm-bpe": SplitRule((_LLAMA3,)),
    "qwen2": _qwen2,
    "deepseek-r1-qwen": _qwen2,
    "stablelm2": _qwen2,
    "megrez": _qwen2,
    "hunyuan": _qwen2,
    "falcon": SplitRule((r"[\p{P}\$\+<=>\^~\|`]+", GPT2_SPLIT, r"[0-9][0-9][0-9]")),
    "deepseek-v3": SplitRule(
        (
            r"\p{N}{1,3}",
            "[一-龥\u3040-ゟ゠-ヿ]+",
            r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
            r"| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        )
    ),
}


def facts_from_gguf(fields: Mapping[str, object], path: str = "") -> TokenizerFacts:
    """Read the `tokenizer.*` metadata; `path` only names the file in errors."""
    metadata = _Metadata(fields, path)
    metadata.check()
    kind = metadata.text("tokenizer.ggml.model")
    if kind == "gpt2":
        return _byte_level_facts(metadata)
    if kind == "llama":
        return _sentencepiece_facts(metadata)
    raise UnsupportedModel(path, "tokenizer.ggml.model", kind or "(none)", "gpt2, llama")


@dataclass(frozen=True, slots=True)
class _Metadata:
    """Typed reads of GGUF metadata."""

    fields: Mapping[str, object]
    path: str

    def check(self) -> None:
        tokens = self.tokens()
        if not all(isinstance(token, str) for token in tokens):
            raise DamagedFile(self.path, "tokenizer.ggml.tokens: a token is no text")
        check_tokens(tokens, self.path)
        check_template(self.text("tokenizer.chat_template"), self.path)

    def text(self, key: str) -> str:
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else ""

    def flag(self, key: str, default: bool) -> bool:
        value = self.fields.get(key)
        return default if value is None else bool(value)

    def token_id(self, key: str) -> int | None:
        value = self.fields.get(key)
        return int(value) if isinstance(value, int) and 0 <= value < len(self.tokens()) else None

    def values(self, key: str) -> Sequence[Any]:
        value = self.fields.get(key)
        if value is None:
            return ()
        if isinstance(value, str | bytes) or not hasattr(value, "__len__"):
            raise DamagedFile(self.path, key)
        return cast(Sequence[Any], value)

    def tokens(self) -> Sequence[str]:
        return self.values("tokenizer.ggml.tokens")

    def token_types(self) -> list[int]:
        """Types with the corrections converters forget: a token that ends a turn or is written `<|…|>` is control."""
        tokens = self.tokens()
        types = [int(t) for t in self.values("tokenizer.ggml.token_type")] or [NORMAL] * len(tokens)
        if not tokens or len(types) != len(tokens):
            raise DamagedFile(self.path, f"tokenizer.ggml.token_type: {len(types)} types of {len(tokens)} tokens")
        return [
            CONTROL if (t == USER_DEFINED and looks_like_control(s)) or (t == NORMAL and s in END_OF_TURN_TEXTS) else t
            for s, t in zip(tokens, types, strict=True)
        ]

    def facts(
        self,
        kind: str,
        data: bytes,
        special: Mapping[str, int],
        *,
        add_bos: bool,
        bos_id: int | None,
        eos_id: int | None,
    ) -> TokenizerFacts:
        ends = (eos_id, *(self.token_id(f"tokenizer.ggml.{name}_token_id") for name in ("eot", "eom")))
        family, repository = self.text("general.architecture"), self.text("general.name")
        template = template_for(special, family=family, repository=repository)
        chat_template, origin = origin_of(self.text("tokenizer.chat_template"), template.origin)
        return TokenizerFacts(
            kind=kind,
            data=data,
            special_tokens=in_id_order(special),
            bos_id=bos_id,
            eos_ids=ends_of_turn(ends, special),
            add_bos=(template.needs_bos or self.flag("tokenizer.ggml.add_bos_token", add_bos)) and bos_id is not None,
            n_vocab=len(self.tokens()),
            chat_template=chat_template,
            template_origin=origin,
        )


def _byte_level_facts(metadata: _Metadata) -> TokenizerFacts:
    pre = metadata.text("tokenizer.ggml.pre") or "default"
    rule = SPLIT_RULES.get(pre)
    if rule is None:
        raise UnsupportedModel(metadata.path, "tokenizer.ggml.pre", pre, ", ".join(sorted(SPLIT_RULES)))
    tokens, types = metadata.tokens(), metadata.token_types()
    vocabulary = {text: token_id for token_id, text in enumerate(tokens)}
    if len(vocabulary) != len(tokens):
        raise DamagedFile(metadata.path, "tokenizer.ggml.tokens: a token occurs twice")
    merges = [_split_merge(str(merge)) for merge in metadata.values("tokenizer.ggml.merges")]
    if not merges:
        raise DamagedFile(metadata.path, "tokenizer.ggml.merges")
    special = {s: i for i, (s, t) in enumerate(zip(tokens, types, strict=True)) if t in (CONTROL, UNKNOWN)}
    # llama.cpp knows this exception by the model's name only: Phi-3 has no white space after control tokens.
    eats_space = any(name in metadata.text("general.name").lower() for name in ("phi-3", "phi3"))
    data = byte_level_document(
        vocabulary,
        [m for m in merges if m[0] in vocabulary and m[1] in vocabulary and m[0] + m[1] in vocabulary],
        [
            added_token(s, i, special=s in special, rstrip=s in special and eats_space and s not in _NOT_EATING)
            for i, (s, t) in enumerate(zip(tokens, types, strict=True))
            if s in special or t == USER_DEFINED
        ],
        rule.patterns,
        ignore_merges=rule.ignore_merges,
    )
    return metadata.facts(
        "json",
        data,
        special,
        add_bos=rule.add_bos,
        bos_id=metadata.token_id("tokenizer.ggml.bos_token_id"),
        eos_id=metadata.token_id("tokenizer.ggml.eos_token_id"),
    )


_NOT_EATING = ("<unk>", "<s>", "<|endoftext|>")


def _split_merge(merge: str) -> list[str]:
    cut = merge.find(" ", 1)
    return [merge[:cut], merge[cut + 1 :]] if cut > 0 else [merge, ""]


def _sentencepiece_facts(metadata: _Metadata) -> TokenizerFacts:
    tokens, types = metadata.tokens(), metadata.token_types()
    scores = [float(score) for score in metadata.values("tokenizer.ggml.scores")]
    if len(scores) != len(tokens):
        raise DamagedFile(metadata.path, f"tokenizer.ggml.scores: {len(scores)} scores of {len(tokens)} tokens")
    unknown_id = metadata.token_id("tokenizer.ggml.unknown_token_id")
    if UNKNOWN not in types:
        types[0 if unknown_id is None else unknown_id] = UNKNOWN
    data = write_sentencepiece(
        tokens, scores, types, add_dummy_prefix=metadata.flag("tokenizer.ggml.add_space_prefix", True)
    )
    load_sentencepiece(data, metadata.path)
    special = {s: i for i, (s, t) in enumerate(zip(tokens, types, strict=True)) if t == CONTROL}
    # 1 and 2 are what llama.cpp assumes for this kind where the metadata is silent.
    bos_id = metadata.token_id("tokenizer.ggml.bos_token_id")
    eos_id = metadata.token_id("tokenizer.ggml.eos_token_id")
    return metadata.facts(
        "sentencepiece",
        data,
        special,
        add_bos=True,
        bos_id=special.get("<s>", 1) if bos_id is None else bos_id,
        eos_id=special.get("</s>", 2) if eos_id is None else eos_id,
    )
