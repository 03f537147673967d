"""Serialised sentencepiece models: loaded, written, and altered.

Owns the few fields of sentencepiece_model.proto that we write; the sentencepiece library reads the rest. Two laws of
protocol buffers let a model be altered by adding bytes, without understanding all of it: of a single field written
twice the later one holds, and of a message written twice the fields are merged.
"""

import struct
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.errors import DamagedFile

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)  # GGUF uses the same numbers

_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3  # fields of ModelProto
_PIECE_TYPE = 3  # of SentencePiece
_ADD_DUMMY_PREFIX = 3  # of NormalizerSpec
_BYTE_PAIRS = 2  # of TrainerSpec.ModelType


def load_sentencepiece(data: bytes, path: str = "") -> Any:
    """A sentencepiece processor over a serialised model."""
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(data)
    except (RuntimeError, OSError, ValueError) as error:
        raise DamagedFile(path, "the sentencepiece model cannot be read") from error
    return processor


def pieces_of(processor: Any, path: str = "") -> dict[str, int]:
    """Every piece and its id."""
    try:
        pieces = {str(processor.id_to_piece(i)): i for i in range(processor.vocab_size())}
    except ValueError as error:
        raise DamagedFile(path, "the sentencepiece model cannot be read") from error
    if not pieces:
        raise DamagedFile(path, "sentencepiece model: no pieces")
    return pieces


def write_sentencepiece(
    tokens: Sequence[str], scores: Sequence[float], types: Sequence[int], *, add_dummy_prefix: bool
) -> bytes:
    """A model of these pieces, merged by score; exactly one of them is UNKNOWN."""
    pieces = bytearray()
    for token_id, (text, score, piece_type) in enumerate(zip(tokens, scores, types, strict=True)):
        name = (text or f"\ufdd0empty {token_id}").encode()
        piece = _bytes(1, name) + b"\x15" + struct.pack("<f", score) + _number(_PIECE_TYPE, piece_type)
        pieces += _bytes(_PIECES, piece)
    unknown_id = types.index(UNKNOWN)
    trainer = (
        _number(3, _BYTE_PAIRS)
        + _number(35, int(types.count(BYTE) == 256))
        + _number(40, unknown_id)
        + _bytes(45, tokens[unknown_id].encode())
    )
    normalizer = _bytes(1, b"identity") + _number(_ADD_DUMMY_PREFIX, int(add_dummy_prefix))
    normalizer += _number(4, 0) + _number(5, 1)
    return bytes(pieces) + _bytes(_TRAINER, trainer) + _bytes(_NORMALIZER, normalizer)


def with_control_pieces(data: bytes, ids: Collection[int]) -> bytes:
    """The same model with these pieces as control pieces, which no text becomes."""
    altered = bytearray()
    token_id = 0
    for number, whole, content in _fields(data):
        if number == _PIECES:
            whole = _bytes(_PIECES, content + _number(_PIECE_TYPE, CONTROL)) if token_id in ids else whole
            token_id += 1
        altered += whole
    return bytes(altered)


def without_space_prefix(data: bytes) -> bytes:
    """The same model, putting no space before a text."""
    return data + _bytes(_NORMALIZER, _number(_ADD_DUMMY_PREFIX, 0))


def _fields(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Number, whole field and content of each field of a message the library has loaded."""
    position = 0
    while position < len(data):
        start = position
        tag, position = _read_varint(data, position)
        match tag & 7:
            case 0:
                _, end = _read_varint(data, position)
            case 1:
                end = position + 8
            case 2:
                length, position = _read_varint(data, position)
                end = position + length
            case 5:
                end = position + 4
            case kind:
                raise DamagedFile("", f"sentencepiece model: wire type {kind}")
        yield tag >> 3, data[start:end], data[position:end]
        position = end


def _read_varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while position < len(data):
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if byte < 0x80:
            return value, position
    raise DamagedFile("", "sentencepiece model: cut short")


def _bytes(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3) + _varint(value)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
