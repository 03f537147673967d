"""GPT-2's byte-level vocabularies as tokenizer.json documents of the tokenizers library.

Such a vocabulary writes bytes as printable stand-in characters and merges pairs of pieces; two sources hold one
without being a tokenizer.json: GGUF metadata and the pair vocab.json, merges.txt. How text is cut before merging
belongs to the caller, as patterns.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

GPT2_SPLIT = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"


def byte_level_document(
    vocabulary: Mapping[str, int],
    merges: Iterable[Sequence[str]],
    added_tokens: Iterable[Mapping[str, object]],
    patterns: Iterable[str],
    *,
    ignore_merges: bool = False,
) -> bytes:
    """A tokenizer.json; each pattern cuts within the pieces that the former ones left."""
    document: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": list(added_tokens),
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                *(
                    {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
                    for pattern in patterns
                ),
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
            ],
        },
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": ignore_merges,
            "vocab": dict(vocabulary),
            "merges": [list(merge) for merge in merges],
        },
    }
    return json.dumps(document, ensure_ascii=False).encode()


def added_token(content: str, token_id: int, *, special: bool, rstrip: bool = False) -> dict[str, object]:
    """An entry of `added_tokens`."""
    return {
        "id": token_id,
        "content": content,
        "single_word": False,
        "lstrip": False,
        "rstrip": rstrip,
        "normalized": False,
        "special": special,
    }


def byte_level_alphabet() -> dict[str, bytes]:
    """The printable stand-ins of bytes: printable Latin-1 as itself, the rest from U+0100 on."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    alphabet = {chr(byte): bytes([byte]) for byte in printable}
    others = [byte for byte in range(256) if byte not in printable]
    return alphabet | {chr(0x100 + n): bytes([byte]) for n, byte in enumerate(others)}
