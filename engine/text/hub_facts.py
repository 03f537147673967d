"""The text side of a repository in the hub's layout.

Owns which tokenizer file is read (tokenizer.json, else a sentencepiece tokenizer.model, else vocab.json with
merges.txt), what the small files beside it add, and what is believed where they contradict each other. Published
folders are careless: settings are missing, wrong or repeated in several files, so a missing one is normal, and one that
is there but unreadable is refused rather than passed over.
"""

import json
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import DamagedFile, FileMissing, UnsupportedModel
from engine.plain_json import NESTED_TOO_DEEPLY, NO_JSON
from engine.text.builtin_templates import template_for
from engine.text.byte_level import GPT2_SPLIT, added_token, byte_level_alphabet, byte_level_document
from engine.text.facts import (
    TokenizerFacts,
    check_template,
    check_tokens,
    ends_of_turn,
    in_id_order,
    looks_like_control,
    origin_of,
)
from engine.text.library_tokenizer import library_tokenizer
from engine.text.sentencepiece_model import load_sentencepiece, pieces_of

_MAX_VOCABULARY_BYTES = 128 << 20  # Gemma's, the largest known, has 34 MB
_MAX_SETTINGS_BYTES = 16 << 20
_MAX_VOCABULARY = 1 << 24

# Families whose prompts begin with this token whatever the settings say (cards of MiniCPM-S-1B-sft and of OPT).
_FIRST_TOKENS = {"minicpm": "<s>", "opt": "</s>"}
# Classes whose vocab.json and merges.txt mean what GPT-2's mean; others cut text differently before merging.
_GPT2_CLASSES = ("", "GPT2Tokenizer", "GPT2TokenizerFast", "OPTTokenizer", "CodeGenTokenizer")
_GPT2_CONTROL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>")


def facts_from_folder(folder: Path, family: str, *, repository: str = "") -> TokenizerFacts:
    """Read a folder's tokenizer; `family` as in engine/model/families.py.

    `repository` is the name under which the checkpoint is known, the folder's where it is empty; it is only asked which
    built-in template fits. Raises FileMissing, DamagedFile or UnsupportedModel.
    """
    settings = _read_settings(folder)
    check_template(settings.chat_template, str(folder))
    check_tokens(settings.added, str(folder))
    for name, read in _READERS.items():
        if _is_there(folder / name):
            vocabulary = read(folder / name, settings)
            break
    else:
        reason = "tokenizer.json, tokenizer.model, or vocab.json with merges.txt" if folder.is_dir() else "not a folder"
        raise FileMissing(str(folder), reason)
    vocabulary = vocabulary.within(settings.n_rows)
    template = template_for(vocabulary.special, family=family, repository=repository or _repository_of(folder))
    bos_id, add_bos = _first_token(vocabulary, settings, family, template.needs_bos)
    chat_template, origin = origin_of(settings.chat_template, template.origin)
    return TokenizerFacts(
        kind=vocabulary.kind,
        data=vocabulary.data,
        special_tokens=in_id_order(vocabulary.special),
        bos_id=bos_id,
        eos_ids=_ends(vocabulary, settings),
        add_bos=add_bos,
        n_vocab=vocabulary.n_vocab,
        chat_template=chat_template,
        template_origin=origin,
    )


@dataclass(frozen=True, slots=True)
class _Settings:
    """What the small files of a folder say; every one of them may be missing.

    named         texts of bos_token, eos_token and so on
    added         tokens beside the tokenizer file: text → id and whether it is marked as special
    eos_ids       of generation_config.json
    config_eos    of config.json, which is wrong more often
    n_rows        of the embedding; 0 where unknown
    """

    named: Mapping[str, str]
    added: Mapping[str, tuple[int, bool]]
    eos_ids: tuple[int, ...]
    config_eos: tuple[int, ...]
    n_rows: int
    add_bos: bool | None
    tokenizer_class: str
    chat_template: str

    def control_names(self, texts: Iterable[str]) -> list[str]:
        """Those of the named tokens that no text is meant to become, `texts` being the added ones.

        Padding is sometimes an ordinary word of the vocabulary, which must stay one.
        """
        added = set(texts)
        return [
            text
            for name, text in self.named.items()
            if name in ("bos_token", "eos_token") or text in added or (text[:1] + text[-1:]) in ("<>", "[]")
        ]


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """A tokenizer file, read.

    ids         every text that has an id of its own
    special     those of them that no text of a user becomes
    n_ordinary  ids of text are below it; beyond are added tokens only
    bos_id, eos_id   what the file itself says
    writes_bos  whether the file's own engine begins with bos_id
    """

    kind: str
    data: bytes
    ids: Mapping[str, int]
    special: Mapping[str, int]
    n_ordinary: int
    bos_id: int | None
    eos_id: int | None
    writes_bos: bool

    @property
    def n_vocab(self) -> int:
        return max([self.n_ordinary - 1, *self.ids.values()]) + 1

    def within(self, n_rows: int) -> "_Vocabulary":
        """The same without added tokens that the embedding has no row for; fine-tuners like to add a padding token."""
        if not self.n_ordinary <= n_rows < self.n_vocab:
            return self
        ids = {text: token_id for text, token_id in self.ids.items() if token_id < n_rows}
        special = {text: token_id for text, token_id in self.special.items() if token_id < n_rows}
        return _Vocabulary(
            self.kind, self.data, ids, special, self.n_ordinary, self.bos_id, self.eos_id, self.writes_bos
        )


def _first_token(vocabulary: _Vocabulary, settings: _Settings, family: str, is_needed: bool) -> tuple[int | None, bool]:
    """Id of the first token, and whether prompts begin with it."""
    by_family = vocabulary.ids.get(_FIRST_TOKENS.get(family, ""))
    if by_family is not None:
        return by_family, True
    bos_id = vocabulary.ids.get(settings.named.get("bos_token", ""), vocabulary.bos_id)
    wanted = vocabulary.writes_bos if settings.add_bos is None else settings.add_bos
    return bos_id, bos_id is not None and (wanted or is_needed)


def _ends(vocabulary: _Vocabulary, settings: _Settings) -> tuple[int, ...]:
    named = vocabulary.ids.get(settings.named.get("eos_token", ""))
    known = ends_of_turn((named, *settings.eos_ids), vocabulary.special)
    known = ends_of_turn((*known, vocabulary.eos_id), vocabulary.special)
    return tuple(i for i in known or settings.config_eos if 0 <= i < vocabulary.n_vocab)


# Tokenizer files --------------------------------------------------------------------------------------------------


def _read_tokenizer_json(path: Path, settings: _Settings) -> _Vocabulary:
    data = _read(path, _MAX_VOCABULARY_BYTES)
    document = _json_object(path, data)
    added = _added_of(path, document)
    vocabulary = _vocabulary_of(path, document)
    check_tokens((*vocabulary, *added), str(path))
    before = _text_before(path, document.get("post_processor"))
    library = _load(path, data)
    if type(library.model).__name__ != document["model"].get("type", "BPE"):
        raise DamagedFile(str(path), f"model of type {type(library.model).__name__} where BPE was expected")
    ids = vocabulary | {text: token_id for text, (token_id, _) in added.items()}
    marked = {text for text, (_, is_special) in settings.added.items() if is_special}
    special = {
        text: token_id
        for text, (token_id, is_special) in added.items()
        if is_special or text in marked or looks_like_control(text)
    }
    special |= {text: ids[text] for text in settings.control_names(added) if text in ids}
    special |= _exposed(vocabulary, lambda text: list(library.encode(text, add_special_tokens=False).ids))
    written = ids.get(before)
    bos_id = ids.get(settings.named.get("bos_token", ""), written)
    return _Vocabulary(
        kind="json",
        data=data,
        ids=ids,
        special=special,
        n_ordinary=max((token_id for text, token_id in vocabulary.items() if text not in added), default=-1) + 1,
        bos_id=bos_id,
        eos_id=None,
        writes_bos=bos_id == written,
    )


def _added_of(path: Path, document: Mapping[str, Any]) -> dict[str, tuple[int, bool]]:
    """The added tokens of a tokenizer.json: text → id and whether it is special."""
    try:
        return {str(t["content"]): (_checked_id(t["id"]), bool(t["special"])) for t in document.get("added_tokens", [])}
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedFile(str(path), "added_tokens cannot be read") from error


def _vocabulary_of(path: Path, document: Mapping[str, Any]) -> dict[str, int]:
    model = document.get("model")
    if not isinstance(model, dict):
        raise DamagedFile(str(path), "model is missing")
    if model.get("type", "BPE") not in ("BPE", "Unigram"):
        raise UnsupportedModel(str(path), "tokenizer.json model", str(model.get("type")), "BPE, Unigram")
    entries = model.get("vocab")
    try:
        if isinstance(entries, dict):
            vocabulary = _checked_vocabulary(path, entries.items())
            # With a piece for every byte no character is unknown.
            has_unknown = (
                model.get("unk_token") in {None, *vocabulary} or byte_level_alphabet().keys() <= vocabulary.keys()
            )
        else:
            vocabulary = {str(text): token_id for token_id, (text, _) in enumerate(entries or ())}
            has_unknown = model.get("unk_id") is not None
    except (TypeError, ValueError) as error:
        raise DamagedFile(str(path), "vocab cannot be read") from error
    if not has_unknown:  # the library takes such a model, and fails at the first unknown character
        raise DamagedFile(str(path), "no token for unknown characters")
    return vocabulary


def _load(path: Path, data: bytes) -> Any:
    try:
        library = library_tokenizer(data.decode("utf-8-sig"))
    except ValueError as error:
        raise UnsupportedModel(str(path), "tokenizer.json", str(error)[:500], "tokenizers 0.22 or later") from error
    library.no_truncation()
    library.no_padding()
    return library


def _text_before(path: Path, processor: Any) -> str:
    """The token that a post-processor writes before a text, empty where it writes none.

    Read here rather than tried out: of a token it does not know, the library aborts the thread.
    """
    try:
        match (processor or {}).get("type"):
            case "TemplateProcessing":
                return str(processor["single"][0].get("SpecialToken", {}).get("id", ""))
            case "BertProcessing" | "RobertaProcessing":
                return str(processor["cls"][0])
            case "Sequence":
                return next(filter(None, (_text_before(path, inner) for inner in processor["processors"])), "")
            case _:
                return ""
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise DamagedFile(str(path), "post_processor cannot be read") from error


def _read_sentencepiece(path: Path, settings: _Settings) -> _Vocabulary:
    data = _read(path, _MAX_VOCABULARY_BYTES)
    processor = load_sentencepiece(data, str(path))
    pieces = pieces_of(processor, str(path))
    check_tokens(pieces, str(path))
    n_pieces = len(pieces)
    added = {
        text: token_id
        for text, (token_id, is_special) in settings.added.items()
        if token_id >= n_pieces or (is_special and not processor.is_byte(token_id))
    }
    ids = pieces | added
    special = {text: token_id for text, token_id in pieces.items() if processor.is_control(token_id)} | added
    special |= {text: ids[text] for text in settings.control_names(added) if text in ids}
    special |= _exposed(pieces, processor.encode)
    return _Vocabulary(
        kind="sentencepiece",
        data=data,
        ids=ids,
        special=special,
        n_ordinary=n_pieces,
        bos_id=processor.bos_id() if processor.bos_id() >= 0 else None,
        eos_id=processor.eos_id() if processor.eos_id() >= 0 else None,
        writes_bos=True,
    )


def _exposed(vocabulary: Mapping[str, int], encode: Callable[[str], list[int]]) -> dict[str, int]:
    """Control tokens that are not marked as such, so that text becomes them.

    One that text does not become was never seen in training either: there the look-alike is what the model knows.
    """
    candidates = (text for text in vocabulary if looks_like_control(text))
    return {text: vocabulary[text] for text in candidates if encode(text)[-1:] == [vocabulary[text]]}


def _read_vocabulary_and_merges(path: Path, settings: _Settings) -> _Vocabulary:
    if settings.tokenizer_class not in _GPT2_CLASSES:
        raise UnsupportedModel(
            str(path), "tokenizer_class without tokenizer.json", settings.tokenizer_class, "GPT2Tokenizer"
        )
    entries = _json(path, _read(path, _MAX_VOCABULARY_BYTES), object_pairs_hook=list)
    if not isinstance(entries, list) or not all(isinstance(entry, tuple) for entry in entries):
        raise DamagedFile(str(path), "JSON: not an object")
    vocabulary = _checked_vocabulary(path, entries)
    check_tokens(vocabulary, str(path))
    merges = _read_merges(path.with_name("merges.txt"), vocabulary)
    added = {text: token_id for text, (token_id, _) in settings.added.items() if text not in vocabulary}
    ids = vocabulary | added
    names = {*_GPT2_CONTROL, *settings.control_names(added), *(t for t, (_, mark) in settings.added.items() if mark)}
    special = {text: token_id for text, token_id in ids.items() if text in names or looks_like_control(text)}
    tokens = [
        added_token(text, token_id, special=text in special)
        for text, token_id in sorted(ids.items(), key=lambda item: item[1])
        if text in special or text in added
    ]
    data = byte_level_document(vocabulary, merges, tokens, [GPT2_SPLIT])
    return _Vocabulary(
        kind="json",
        data=data,
        ids=ids,
        special=special,
        n_ordinary=max(vocabulary.values(), default=-1) + 1,
        bos_id=ids.get("<|endoftext|>"),
        eos_id=ids.get("<|endoftext|>"),
        writes_bos=False,
    )


def _read_merges(path: Path, vocabulary: Mapping[str, int]) -> list[list[str]]:
    lines = _text(path, _read(path, _MAX_VOCABULARY_BYTES)).split("\n")
    merges = []
    for number, line in enumerate(lines, 1):
        # Only these two are no merges; "#" alone is a piece like any other.
        if not line.strip() or line.startswith("#version"):
            continue
        pair = line.rstrip("\r").split(" ")
        if len(pair) != 2 or not all(piece in vocabulary for piece in (*pair, "".join(pair))):
            raise DamagedFile(str(path), f"line {number}: {line[:80]!r}")
        merges.append(pair)
    return merges


def _checked_vocabulary(path: Path, entries: Iterable[tuple[str, Any]]) -> dict[str, int]:
    vocabulary: dict[str, int] = {}
    texts: dict[int, str] = {}
    for text, value in entries:
        try:
            token_id = _checked_id(value)
        except ValueError as error:
            raise DamagedFile(str(path), f"vocab: {error} of {text[:80]!r}") from error
        if text in vocabulary:
            raise DamagedFile(str(path), f"vocab: {text[:80]!r} occurs twice")
        if token_id in texts:
            raise DamagedFile(str(path), f"vocab: {texts[token_id][:80]!r} and {text[:80]!r} are both {token_id}")
        vocabulary[text], texts[token_id] = token_id, text
    if not vocabulary:
        raise DamagedFile(str(path), "vocab: empty")
    return vocabulary


_READERS: Mapping[str, Callable[[Path, _Settings], _Vocabulary]] = {
    "tokenizer.json": _read_tokenizer_json,
    "tokenizer.model": _read_sentencepiece,
    "vocab.json": _read_vocabulary_and_merges,
}

# Small files ------------------------------------------------------------------------------------------------------


def _read_settings(folder: Path) -> _Settings:
    own = _optional_json(folder / "tokenizer_config.json")
    special_map = _optional_json(folder / "special_tokens_map.json")
    generation = _optional_json(folder / "generation_config.json")
    config = _optional_json(folder / "config.json")
    add_bos, n_rows = own.get("add_bos_token"), config.get("vocab_size")
    return _Settings(
        named=_named_tokens(special_map) | _named_tokens(own),
        added=_added_beside(folder, own),
        eos_ids=_token_ids(folder / "generation_config.json", generation.get("eos_token_id")),
        config_eos=_token_ids(folder / "config.json", config.get("eos_token_id")),
        n_rows=n_rows if isinstance(n_rows, int) else 0,
        add_bos=None if add_bos is None else bool(add_bos),
        tokenizer_class=str(own.get("tokenizer_class") or ""),
        chat_template=_chat_template(folder, own),
    )


def _named_tokens(values: Mapping[str, Any]) -> dict[str, str]:
    """bos_token and its like, each a text or an object with one; lists of further ones are numbered."""
    texts = {
        name: _token_text(value)
        for name, value in values.items()
        if name.endswith("_token") and isinstance(value, str | dict)
    }
    further = values.get("additional_special_tokens")
    for number, token in enumerate(further if isinstance(further, list) else ()):
        texts[f"additional {number}"] = _token_text(token)
    return {name: text for name, text in texts.items() if text}


def _token_text(token: Any) -> str:
    text = token.get("content") if isinstance(token, dict) else token
    return text if isinstance(text, str) else ""


def _added_beside(folder: Path, own: Mapping[str, Any]) -> dict[str, tuple[int, bool]]:
    """Tokens of added_tokens.json (older) and of tokenizer_config.json (newer, with a mark for special ones)."""
    older = _optional_json(folder / "added_tokens.json")
    newer = own.get("added_tokens_decoder") or {}
    path = folder / ("added_tokens.json" if older else "tokenizer_config.json")
    try:
        added = {text: (_checked_id(token_id), looks_like_control(text)) for text, token_id in older.items()}
        for key, token in newer.items():
            added[_token_text(token)] = (_checked_id(int(key)), bool(token.get("special", True)))
    except (AttributeError, TypeError, ValueError) as error:
        raise DamagedFile(str(path), "the added tokens cannot be read") from error
    return {text: value for text, value in added.items() if text}


def _token_ids(path: Path, value: Any) -> tuple[int, ...]:
    values = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(token_id, int) for token_id in values):
        raise DamagedFile(str(path), f"eos_token_id = {str(value)[:80]}")
    return tuple(values)


def _chat_template(folder: Path, own: Mapping[str, Any]) -> str:
    path = folder / "chat_template.jinja"
    if _is_there(path):
        return _text(path, _read(path, _MAX_SETTINGS_BYTES))
    template = own.get("chat_template")
    if isinstance(template, list):  # several named ones; the plain chat is called default
        named = {str(entry.get("name")): entry.get("template") for entry in template if isinstance(entry, dict)}
        template = named.get("default") or next(iter(named.values()), None)
    if not isinstance(template, str | None):
        raise DamagedFile(str(folder / "tokenizer_config.json"), f"chat_template is a {type(template).__name__}")
    return template or ""


def _repository_of(folder: Path) -> str:
    """The name a folder goes by; in the hub's own cache it is three levels up, as models--owner--name."""
    folder = folder.resolve()
    return folder.parent.parent.name.rsplit("--", 1)[-1] if folder.parent.name == "snapshots" else folder.name


# Reading ----------------------------------------------------------------------------------------------------------


def _is_there(path: Path) -> bool:
    """True for broken links and folders as well: what stands in a file's place is refused, not passed over."""
    return path.is_symlink() or path.exists()


def _read(path: Path, max_bytes: int) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise FileMissing(str(path), "not a file")
        if status.st_size > max_bytes:
            raise DamagedFile(str(path), f"{status.st_size} bytes where at most {max_bytes} are expected")
        return path.read_bytes()
    except OSError as error:
        raise FileMissing(str(path), error.strerror or str(error)) from error


def _text(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DamagedFile(str(path), "its text is not in UTF-8") from error


def _json(path: Path, data: bytes, **options: Any) -> Any:
    try:
        return json.loads(_text(path, data), **options)
    except RecursionError as error:
        raise DamagedFile(str(path), NESTED_TOO_DEEPLY) from error
    except ValueError as error:
        raise DamagedFile(str(path), NO_JSON) from error


def _json_object(path: Path, data: bytes) -> dict[str, Any]:
    document = _json(path, data)
    if not isinstance(document, dict):
        raise DamagedFile(str(path), "JSON: not an object")
    return document


def _optional_json(path: Path) -> dict[str, Any]:
    return _json_object(path, _read(path, _MAX_SETTINGS_BYTES)) if _is_there(path) else {}


def _checked_id(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MAX_VOCABULARY:
        raise ValueError(f"id {str(value)[:80]}")
    return value
