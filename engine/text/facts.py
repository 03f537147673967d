"""What a checkpoint says about its text side, as plain values.

Owns `TokenizerFacts`, its form in a packed model's header, and how it is read from a Hugging Face folder or from a
sentencepiece file. GGUF metadata is read in `gguf_facts.py`. Knows nothing of how text becomes tokens.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import DamagedFile, FileMissing, UnsupportedModel

# Control tokens that end a turn, whatever the checkpoint names as its end of sequence; there are often several.
# The same texts are recognised by llama.cpp (llama-vocab.cpp).
END_OF_TURN_TEXTS = frozenset(
    {
        "</s>", "<eos>", "<EOT>", "<end_of_turn>", "<end_of_utterance>", "<|end|>", "<|endoftext|>", "<|end_of_text|>",
        "<|eom_id|>", "<|eot_id|>", "<|im_end|>", "<｜end▁of▁sentence｜>",
    }
)  # fmt: skip
_CONTROL_LOOK = re.compile(r"<[|｜][^<>]+[|｜]>")


@dataclass(frozen=True, slots=True)
class TokenizerFacts:
    """Everything a packed model stores about its text side.

    kind            "json" (a tokenizer.json of the tokenizers library) or "sentencepiece" (a tokenizer.model)
    data            the bytes of that file
    special_tokens  text and id of every control token: written by templates, never by users
    bos_id          first token of a prompt where `add_bos`
    eos_ids         every token that ends an answer, the checkpoint's own end of sequence first
    chat_template   jinja source, may be empty
    """

    kind: str
    data: bytes
    special_tokens: tuple[tuple[str, int], ...]
    bos_id: int | None
    eos_ids: tuple[int, ...]
    add_bos: bool
    n_vocab: int
    chat_template: str

    def text_of(self, token_id: int | None) -> str:
        """Text of a control token, empty for any other id."""
        return next((text for text, special_id in self.special_tokens if special_id == token_id), "")


def facts_to_json(facts: TokenizerFacts) -> dict[str, Any]:
    """Everything but `data`, as values that json can write."""
    return {
        "kind": facts.kind,
        "special_tokens": [[text, token_id] for text, token_id in facts.special_tokens],
        "bos_id": facts.bos_id,
        "eos_ids": list(facts.eos_ids),
        "add_bos": facts.add_bos,
        "n_vocab": facts.n_vocab,
        "chat_template": facts.chat_template,
    }


def facts_from_json(values: Mapping[str, Any], data: bytes) -> TokenizerFacts:
    """The inverse of `facts_to_json`, with the bytes that were stored apart."""
    try:
        return TokenizerFacts(
            kind=str(values["kind"]),
            data=bytes(data),
            special_tokens=tuple((str(text), int(token_id)) for text, token_id in values["special_tokens"]),
            bos_id=None if values["bos_id"] is None else int(values["bos_id"]),
            eos_ids=tuple(int(token_id) for token_id in values["eos_ids"]),
            add_bos=bool(values["add_bos"]),
            n_vocab=int(values["n_vocab"]),
            chat_template=str(values["chat_template"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedFile("", f"tokenizer facts: {error}") from error


def facts_from_tokenizer_json(folder: Path) -> TokenizerFacts:
    """Read `tokenizer.json` and the small files beside it from a Hugging Face folder."""
    path = folder / "tokenizer.json"
    data = _read(path)
    document = _json_object(path, data)
    settings = _Settings.beside(folder)
    added = [(str(t["content"]), int(t["id"]), bool(t["special"])) for t in document.get("added_tokens", [])]
    named = settings.token_texts.values()
    special = {text: token_id for text, token_id, flag in added if flag or text in named or looks_like_control(text)}
    vocabulary = document["model"]["vocab"] if isinstance(document.get("model"), dict) else {}
    ids = dict(vocabulary) if isinstance(vocabulary, dict) else {text: i for i, (text, _) in enumerate(vocabulary)}
    ids.update({text: token_id for text, token_id, _ in added})
    for text in named:  # a named token may be missing from added_tokens; it is a control token all the same
        if text in ids:
            special.setdefault(text, ids[text])
    bos_id = ids.get(settings.token_texts.get("bos_token", ""))
    add_bos = settings.add_bos if settings.add_bos is not None else _post_processor_writes(path, data, bos_id)
    return TokenizerFacts(
        kind="json",
        data=data,
        special_tokens=in_id_order(special),
        bos_id=bos_id,
        eos_ids=settings.eos_ids(ids, special),
        add_bos=add_bos and bos_id is not None,
        n_vocab=max(ids.values(), default=-1) + 1,
        chat_template=settings.chat_template,
    )


def facts_from_sentencepiece(path: Path) -> TokenizerFacts:
    """Read a `tokenizer.model`; settings files of a Hugging Face folder beside it are honoured."""
    data = _read(path)
    processor = load_sentencepiece(data, str(path))
    n_pieces = processor.vocab_size()
    special = {processor.id_to_piece(i): i for i in range(n_pieces) if processor.is_control(i)}
    settings = _Settings.beside(path.parent)
    special.update(settings.added_tokens)
    ids = {**{processor.id_to_piece(i): i for i in (processor.bos_id(), processor.eos_id()) if i >= 0}, **special}
    bos_id = processor.bos_id() if processor.bos_id() >= 0 else None
    eos_ids = settings.eos_ids(ids, special)
    if processor.eos_id() >= 0 and processor.eos_id() not in eos_ids:
        eos_ids = (*eos_ids, processor.eos_id())
    return TokenizerFacts(
        kind="sentencepiece",
        data=data,
        special_tokens=in_id_order(special),
        bos_id=bos_id,
        eos_ids=eos_ids,
        add_bos=bos_id is not None and settings.add_bos is not False,
        n_vocab=max([n_pieces - 1, *special.values()]) + 1,
        chat_template=settings.chat_template,
    )


def load_sentencepiece(data: bytes, path: str = "") -> Any:
    """A sentencepiece processor over a serialised model."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(data)
    except (RuntimeError, OSError) as error:
        raise DamagedFile(path, f"sentencepiece model: {error}") from error
    return processor


def looks_like_control(text: str) -> bool:
    """True for `<|…|>` and the texts that end a turn: some checkpoints forget to mark these as control tokens."""
    return text in END_OF_TURN_TEXTS or _CONTROL_LOOK.fullmatch(text) is not None


def in_id_order(special: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(special.items(), key=lambda item: item[1]))


def ends_of_turn(first: Iterable[int | None], special: Mapping[str, int]) -> tuple[int, ...]:
    """The given ids, then those of every control token whose text ends a turn; each once."""
    by_text = (token_id for text, token_id in sorted(special.items(), key=lambda i: i[1]) if text in END_OF_TURN_TEXTS)
    return tuple(dict.fromkeys(i for i in (*first, *by_text) if i is not None))


@dataclass(frozen=True, slots=True)
class _Settings:
    """What the small files of a Hugging Face folder say; every one of them may be missing."""

    token_texts: dict[str, str]
    added_tokens: dict[str, int]
    generation_eos_ids: tuple[int, ...]
    add_bos: bool | None
    chat_template: str

    @classmethod
    def beside(cls, folder: Path) -> "_Settings":
        config = _optional_json(folder / "tokenizer_config.json")
        special_map = _optional_json(folder / "special_tokens_map.json")
        generation = _optional_json(folder / "generation_config.json")
        texts = {name: _token_text(config.get(name) or special_map.get(name)) for name in ("bos_token", "eos_token")}
        decoder = config.get("added_tokens_decoder") or {}
        eos = generation.get("eos_token_id")
        add_bos = config.get("add_bos_token")
        return cls(
            token_texts={name: text for name, text in texts.items() if text},
            added_tokens={_token_text(token): int(token_id) for token_id, token in decoder.items()},
            generation_eos_ids=tuple(eos) if isinstance(eos, list) else () if eos is None else (int(eos),),
            add_bos=None if add_bos is None else bool(add_bos),
            chat_template=_folder_template(folder, config),
        )

    def eos_ids(self, ids: Mapping[str, int], special: Mapping[str, int]) -> tuple[int, ...]:
        own = ids.get(self.token_texts.get("eos_token", ""))
        return ends_of_turn((own, *self.generation_eos_ids), special)


def _token_text(token: Any) -> str:
    return str(token.get("content", "")) if isinstance(token, dict) else str(token or "")


def _folder_template(folder: Path, config: Mapping[str, Any]) -> str:
    path = folder / "chat_template.jinja"
    if path.is_file():
        return _read(path).decode("utf-8", "replace")
    template = config.get("chat_template") or ""
    if isinstance(template, list):  # several named ones; the plain chat is called default
        named = {str(entry.get("name")): str(entry.get("template", "")) for entry in template}
        return named.get("default") or next(iter(named.values()), "")
    return str(template)


def _post_processor_writes(path: Path, data: bytes, bos_id: int | None) -> bool:
    """Whether this tokenizer, asked to add its special tokens, begins with `bos_id`."""
    from tokenizers import Tokenizer

    try:
        ids = Tokenizer.from_buffer(data).encode("a", add_special_tokens=True).ids
    except Exception as error:  # the tokenizers library raises no narrower class
        raise UnsupportedModel(str(path), "tokenizer.json", str(error), "tokenizers 0.22 or later") from error
    return bos_id is not None and ids[:1] == [bos_id]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error


def _json_object(path: Path, data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data)
    except ValueError as error:
        raise DamagedFile(str(path), f"JSON: {error}") from error
    if not isinstance(document, dict):
        raise DamagedFile(str(path), "JSON: not an object")
    return document


def _optional_json(path: Path) -> dict[str, Any]:
    return _json_object(path, _read(path)) if path.is_file() else {}
