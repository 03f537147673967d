"""Text to tokens and back.

Owns the separation of what a template writes from what a person typed: control tokens exist only where a template wrote
them, and text that merely looks like one is encoded as the characters it consists of. The two kinds of tokenizer file
are two encodings behind one `Tokenizer`; both agree with the engine the checkpoint came from (tests/text). Streaming is
elsewhere: `detokenizer.py` turns tokens into text while they arrive.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, Protocol

from engine.errors import DamagedFile, UnsupportedModel
from engine.text.byte_level import byte_level_alphabet
from engine.text.chat_template import Prompt, control_tokens, whole_characters
from engine.text.facts import TokenizerFacts
from engine.text.library_tokenizer import library_tokenizer
from engine.text.sentencepiece_model import load_sentencepiece, with_control_pieces, without_space_prefix

_SPACE_MARK = "▁"
_BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class Tokenizer:
    """One checkpoint's tokenizer."""

    def __init__(self, facts: TokenizerFacts) -> None:
        if facts.kind == "json":
            self._encoding: _Encoding = _JsonEncoding(facts)
        elif facts.kind == "sentencepiece":
            self._encoding = _SentencepieceEncoding(facts)
        else:
            raise UnsupportedModel("", "tokenizer kind", facts.kind, "json, sentencepiece")
        self.n_vocab = facts.n_vocab
        self.eos_ids = frozenset(facts.eos_ids)
        self._first_ids = [facts.bos_id] if facts.add_bos and facts.bos_id is not None else []
        self._control_ids = dict(facts.special_tokens)

    @property
    def strips_leading_space(self) -> bool:
        """Whether the first token's leading space is the encoding's own and not part of the text."""
        return self._encoding.strips_leading_space

    def encode(self, text: str) -> list[int]:
        """Encode plain text; nothing in it becomes a control token, nothing is added."""
        text = whole_characters(text)
        return self._encoding.encode(text, after=None) if text else []

    def encode_beginning(self, text: str) -> list[int]:
        """Encode a text that a model is to go on with: plain text behind the checkpoint's first token."""
        return [*self._first_ids, *self.encode(text)]

    def encode_prompt(self, prompt: Prompt) -> list[int]:
        """Encode what a template rendered: its control tokens, and the text between two of them as one piece.

        Begins with the checkpoint's first token where it wants one and the template wrote none, as llama.cpp does.
        """
        ids: list[int] = []
        position, eat_space = 0, False
        after: str | None = None
        text = whole_characters(prompt.text)
        for match in control_tokens(Prompt(text, prompt.guard, prompt.fence), self._control_ids):
            control = match.group()
            eat_before, eat_after = self._encoding.eats_space(control)
            between = _between(text[position : match.start()], prompt, eat_space, eat_before)
            ids += self._encoding.encode(between, after=after) if between else self._encoding.lead(control, after=after)
            ids.append(self._control_ids[control])
            position, eat_space, after = match.end(), eat_after, control
        if rest := _between(text[position:], prompt, eat_space, False):
            ids += self._encoding.encode(rest, after=after)
        return ids if ids[: len(self._first_ids)] == self._first_ids else [*self._first_ids, *ids]

    def token_bytes(self, token_id: int) -> bytes:
        """Bytes a token stands for; empty for control tokens and for ids beyond the vocabulary."""
        return self._encoding.token_bytes(token_id)

    def decode(self, token_ids: Iterable[int]) -> str:
        """Text of tokens; bytes that are no UTF-8 become U+FFFD."""
        data = b"".join(map(self.token_bytes, token_ids))
        return data.removeprefix(b" " if self.strips_leading_space else b"").decode("utf-8", "replace")


def _between(piece: str, prompt: Prompt, eat_left: bool, eat_right: bool) -> str:
    """Text between two control tokens, without the guards and the white space they swallow."""
    piece = piece.lstrip() if eat_left else piece
    piece = piece.rstrip() if eat_right else piece
    return prompt.unguarded(piece)


class _Encoding(Protocol):
    """What the two kinds of tokenizer file have in common."""

    strips_leading_space: bool

    def encode(self, text: str, *, after: str | None) -> list[int]:
        """Ids of text that stands behind this control token, None at the start of a prompt."""
        ...

    def lead(self, control: str, *, after: str | None) -> list[int]:
        """Ids of what the encoding itself puts before a control token that follows another one directly."""
        ...

    def token_bytes(self, token_id: int) -> bytes: ...

    def eats_space(self, control: str) -> tuple[bool, bool]:
        """Whether this control token swallows the white space before and after it."""
        ...


class _SentencepieceEncoding:
    """A tokenizer.model, through the sentencepiece library; it never makes its control pieces out of text.

    Some checkpoints write turns with pieces that are not marked so ("exposed"). Those become control pieces, in a copy
    of the model; what stands around them is still encoded as in the original, where they are part of the text.
    """

    def __init__(self, facts: TokenizerFacts) -> None:
        original = load_sentencepiece(facts.data)
        self._original = self._processor = self._behind_exposed = original
        self._n_pieces = original.vocab_size()
        self._control_ids = {token_id for _, token_id in facts.special_tokens}
        self._exposed = {
            text: i
            for text, i in facts.special_tokens
            if i < self._n_pieces and not (original.is_control(i) or original.is_unknown(i))
        }
        if self._exposed:
            altered = with_control_pieces(facts.data, frozenset(self._exposed.values()))
            self._processor = load_sentencepiece(altered)
            self._behind_exposed = load_sentencepiece(without_space_prefix(altered))
        # Whether the model puts a space before a text is in its normaliser; asking it is simpler than parsing that.
        self.strips_leading_space = original.encode("a", out_type=str)[0].startswith(_SPACE_MARK)

    def encode(self, text: str, *, after: str | None) -> list[int]:
        return list((self._behind_exposed if after in self._exposed else self._processor).encode(text))

    def lead(self, control: str, *, after: str | None) -> list[int]:
        if control not in self._exposed or after in self._exposed:
            return []
        ids = list(self._original.encode(control))
        return ids[:-1] if ids[-1:] == [self._exposed[control]] else []

    def token_bytes(self, token_id: int) -> bytes:
        if not 0 <= token_id < self._n_pieces or token_id in self._control_ids:
            return b""
        if self._processor.is_control(token_id) or self._processor.is_unknown(token_id):
            return b""
        piece = str(self._processor.id_to_piece(token_id))
        if self._processor.is_byte(token_id):
            return bytes.fromhex(piece[3:5])
        return piece.replace(_SPACE_MARK, " ").encode()

    def eats_space(self, control: str) -> tuple[bool, bool]:
        return False, False


class _JsonEncoding:
    """A tokenizer.json, through the tokenizers library, with every control token taken out of it."""

    def __init__(self, facts: TokenizerFacts) -> None:
        try:
            document = json.loads(facts.data)
        except ValueError as error:
            raise DamagedFile("", "its tokenizer cannot be read") from error
        control = dict(facts.special_tokens)
        added = [token for token in document.get("added_tokens", []) if int(token["id"]) < facts.n_vocab]
        self._strips = {t["content"]: (bool(t["lstrip"]), bool(t["rstrip"])) for t in added if t["content"] in control}
        plain = [token for token in added if token["content"] not in control]
        self._texts = {int(token["id"]): str(token["content"]).encode() for token in plain}
        self._pieces = _without_control(document, control, plain, facts.n_vocab)
        parts = _components(document.get("pre_tokenizer")) + _components(document.get("decoder"))
        types = {part.get("type") for part in parts}
        self._byte_values = byte_level_alphabet() if "ByteLevel" in types else {}
        self._byte_fallback = "ByteFallback" in types or bool(document["model"].get("byte_fallback"))
        self.strips_leading_space = any(map(_strips_first_space, _components(document.get("decoder"))))
        self._at_start = _load_tokenizer(document)
        self._inside = self._at_start
        if any(part.get("prepend_scheme") == "first" for part in parts):
            # "first" means the first characters of the whole prompt, while we encode piece by piece.
            for part in parts:
                if part.get("prepend_scheme") == "first":
                    part["prepend_scheme"] = "never"
            self._inside = _load_tokenizer(document)

    def encode(self, text: str, *, after: str | None) -> list[int]:
        tokenizer = self._at_start if after is None else self._inside
        return list(tokenizer.encode(text, add_special_tokens=False).ids)

    def lead(self, control: str, *, after: str | None) -> list[int]:
        return []

    def token_bytes(self, token_id: int) -> bytes:
        if token_id in self._texts:
            return self._texts[token_id]
        piece = self._pieces.get(token_id, "")
        if self._byte_values:
            return b"".join(self._byte_values.get(c) or c.encode() for c in piece)
        if self._byte_fallback and (match := _BYTE_PIECE.fullmatch(piece)):
            return bytes.fromhex(match.group(1))
        return piece.replace(_SPACE_MARK, " ").encode()

    def eats_space(self, control: str) -> tuple[bool, bool]:
        return self._strips.get(control, (False, False))


def _without_control(
    document: dict[str, Any], control: dict[str, int], plain: list[dict[str, Any]], n_vocab: int
) -> dict[int, str]:
    """Take the control tokens out of a tokenizer.json in place; return the pieces that are left, by id.

    Merges that make one go as well. The other added tokens enter the model's vocabulary, or the library would give them
    new ids.
    """
    document["added_tokens"] = plain
    document["post_processor"] = document["truncation"] = document["padding"] = None
    model = document["model"]
    kept = {token["content"]: int(token["id"]) for token in plain}
    if model.get("type", "BPE") == "BPE" and isinstance(model["vocab"], dict):
        merges = [merge if isinstance(merge, list) else merge.split(" ", 1) for merge in model["merges"]]
        model["merges"] = [merge for merge in merges if control.keys().isdisjoint((*merge, "".join(merge)))]
        gone = control.keys() - {model.get("unk_token")}  # which the library asks for
        vocabulary = {s: int(i) for s, i in model["vocab"].items() if s not in gone and int(i) < n_vocab}
        model["vocab"] = vocabulary | kept
        model["dropout"] = None
        return {i: s for s, i in vocabulary.items() if s not in control}
    if model.get("type") == "Unigram":
        # Ids are positions here, so a control token keeps its place under a text nobody can type.
        pieces = [[s, score] if s not in control else [f"\ufdd0{s}", score] for s, score in model["vocab"]]
        unreachable = min((score for _, score in pieces), default=0.0) - 100.0
        for text, token_id in sorted(kept.items(), key=lambda item: item[1]):
            pieces += [[f"\ufdd0{i}", unreachable] for i in range(len(pieces), token_id)]
            if token_id == len(pieces):
                pieces.append([text, unreachable])
        ids = {i: s for i, (s, _) in enumerate(pieces) if not s.startswith("\ufdd0")}
        model["vocab"] = pieces
        return ids
    raise UnsupportedModel("", "tokenizer.json model", str(model.get("type")), "BPE, Unigram")


def _load_tokenizer(document: dict[str, Any]) -> Any:
    try:
        return library_tokenizer(json.dumps(document, ensure_ascii=False))
    except ValueError as error:
        raise UnsupportedModel("", "tokenizer.json", str(error), "tokenizers 0.22 or later") from error


def _components(part: dict[str, Any] | None) -> list[dict[str, Any]]:
    """A pre-tokenizer or decoder, or the members of a sequence of them."""
    if part is None:
        return []
    members = part.get("pretokenizers", part.get("decoders")) if part.get("type") == "Sequence" else None
    return [part] if members is None else [inner for member in members for inner in _components(member)]


def _strips_first_space(decoder: dict[str, Any]) -> bool:
    if decoder.get("type") == "Strip":
        return decoder.get("content") == " " and int(decoder.get("start", 0)) > 0
    if decoder.get("type") == "Metaspace":
        return decoder.get("prepend_scheme", "always") != "never" and decoder.get("add_prefix_space", True) is not False
    return False
