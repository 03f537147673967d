"""What a checkpoint says about its text side, as plain values.

Owns `TokenizerFacts`, its form in a packed model's header, and which texts are control tokens and ends of a turn even
where a checkpoint does not say so. The facts are read in `hub_facts.py` and `gguf_facts.py`. Knows nothing of how text
becomes tokens.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import DamagedFile, UnsupportedModel
from engine.text.builtin_templates import CHECKPOINT, TURN_MARKERS, template_of_origin

# Control tokens that end a turn, whatever the checkpoint names as its end of sequence; there are often several.
# The same texts are recognised by llama.cpp (llama-vocab.cpp); the last one begins the next question of MiniCPM.
END_OF_TURN_TEXTS = frozenset(
    {
        "</s>", "<eos>", "<EOT>", "<end_of_turn>", "<end_of_utterance>", "<|end|>", "<|endoftext|>", "<|end_of_text|>",
        "<|eom_id|>", "<|eot_id|>", "<|im_end|>", "<｜end▁of▁sentence｜>", "<用户>",
    }
)  # fmt: skip
MAX_TEMPLATE_CHARS = 256 * 1024  # the longest published ones have about 15,000
_MAX_TOKEN_BYTES = 64 * 1024  # the longest published ones are a few hundred spaces
_CONTROL_LOOK = re.compile(r"<[|｜][^<>]+[|｜]>")


@dataclass(frozen=True, slots=True)
class TokenizerFacts:
    """Everything a packed model stores about its text side.

    kind             "json" (a tokenizer.json of the tokenizers library) or "sentencepiece" (a tokenizer.model)
    data             the bytes of that file
    special_tokens   text and id of every control token: written by templates, never by users
    bos_id           first token of a prompt where `add_bos`
    eos_ids          every token that ends an answer, the checkpoint's own end of sequence first
    n_vocab          ids are below it; may be less than the embedding has rows
    chat_template    jinja source of the checkpoint, empty where it has none
    template_origin  where the form of prompts comes from: "checkpoint", or the name of a row of `builtin_templates.py`
    """

    kind: str
    data: bytes
    special_tokens: tuple[tuple[str, int], ...]
    bos_id: int | None
    eos_ids: tuple[int, ...]
    add_bos: bool
    n_vocab: int
    chat_template: str
    template_origin: str

    def __post_init__(self) -> None:
        if (template_of_origin(self.template_origin) is None) != bool(self.chat_template):
            raise ValueError(f"template_origin {self.template_origin!r} with {len(self.chat_template)} characters")

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
        "template_origin": facts.template_origin,
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
            template_origin=str(values["template_origin"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedFile("", "the facts of its tokenizer cannot be read") from error


def looks_like_control(text: str) -> bool:
    """True for `<|…|>`, marks of a turn and ends of one: some checkpoints forget to mark these as control tokens."""
    return text in END_OF_TURN_TEXTS or text in TURN_MARKERS or _CONTROL_LOOK.fullmatch(text) is not None


def check_template(chat_template: str, path: str) -> None:
    """Refuse a template that would never be rendered; `path` only names the file in errors."""
    if len(chat_template) > MAX_TEMPLATE_CHARS:
        found = f"a template of {len(chat_template)} characters"
        raise UnsupportedModel(path, "chat template", found, f"at most {MAX_TEMPLATE_CHARS} characters")


def check_tokens(texts: Iterable[str], path: str) -> None:
    """Refuse a vocabulary with a token too long to be one; `path` only names the file in errors."""
    for text in texts:
        if len(text) > _MAX_TOKEN_BYTES // 4 and (n_bytes := len(text.encode(errors="replace"))) > _MAX_TOKEN_BYTES:
            raise UnsupportedModel(path, "tokenizer", f"a token of {n_bytes} bytes", f"at most {_MAX_TOKEN_BYTES}")


def in_id_order(special: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(special.items(), key=lambda item: item[1]))


def ends_of_turn(first: Iterable[int | None], special: Mapping[str, int]) -> tuple[int, ...]:
    """The given ids, then those of every control token whose text ends a turn; each once."""
    by_text = (token_id for text, token_id in in_id_order(special) if text in END_OF_TURN_TEXTS)
    return tuple(dict.fromkeys(i for i in (*first, *by_text) if i is not None))


def origin_of(chat_template: str, default: str) -> tuple[str, str]:
    """A checkpoint's template and where prompts get their form: a blank one counts as none."""
    return (chat_template, CHECKPOINT) if chat_template.strip() else ("", default)
