"""What the streaming detokenizer shows does not depend on how text was cut into tokens."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.detokenizer import Detokenizer

STOPS = st.lists(st.text("ab\n你👍", min_size=1, max_size=4), max_size=3)


class BytePieces:
    """A tokenizer whose tokens are the given byte strings."""

    def __init__(self, pieces: list[bytes], *, strips_leading_space: bool = False) -> None:
        self.pieces = pieces
        self.strips_leading_space = strips_leading_space

    def token_bytes(self, token_id: int) -> bytes:
        return self.pieces[token_id]


def stream(pieces: list[bytes], stop: tuple[str, ...] = (), *, strips_leading_space: bool = False) -> list[str]:
    detokenizer = Detokenizer(BytePieces(pieces, strips_leading_space=strips_leading_space), stop)
    return [*(detokenizer.push(i) for i in range(len(pieces))), detokenizer.flush()]


def before_stop(text: str, stop: list[str]) -> str:
    """The specification: read one character after the other, end with the first stop string that is complete."""
    for end in range(1, len(text) + 1):
        complete = [s for s in stop if text[:end].endswith(s)]
        if complete:
            return text[: end - max(map(len, complete))]
    return text


@given(pieces=st.lists(st.binary(max_size=5), max_size=12))
def test_pushes_and_flush_join_to_the_decoded_text(pieces: list[bytes]):
    assert "".join(stream(pieces)) == b"".join(pieces).decode("utf-8", "replace")


@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\ufffd")), cuts=st.lists(st.integers(0, 200)))
def test_valid_text_never_shows_a_replacement_character(text: str, cuts: list[int]):
    shown = stream(cut(text.encode(), cuts))

    assert "".join(shown) == text
    assert not any("\ufffd" in piece for piece in shown)


@given(text=st.text("ab\n你👍", max_size=30), cuts=st.lists(st.integers(0, 60)), stop=STOPS)
def test_text_ends_before_the_first_stop_string_however_it_is_cut(text: str, cuts: list[int], stop: list[str]):
    assert "".join(stream(cut(text.encode(), cuts), tuple(stop))) == before_stop(text, stop)


@given(text=st.text("ab", max_size=20), cuts=st.lists(st.integers(0, 20)), stop=STOPS)
def test_no_part_of_a_stop_string_is_shown_early(text: str, cuts: list[int], stop: list[str]):
    shown = ""
    for piece in stream(cut(text.encode(), cuts), tuple(stop)):
        shown += piece
        assert before_stop(text, stop).startswith(shown)


def cut(data: bytes, cuts: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(c for c in cuts if c < len(data))})
    return [data[a:b] for a, b in itertools.pairwise(edges)]


def test_characters_appear_whole_and_at_once():
    family = "👩‍👩‍👧"

    shown = stream([bytes([b]) for b in family.encode()])

    assert [piece for piece in shown if piece] == list(family)


def test_unfinished_character_becomes_one_replacement_character_at_the_end():
    assert stream([b"a", b"\xf0\x9f", b"\x91"]) == ["a", "", "", "\ufffd"]


def test_stop_string_across_tokens_shows_only_what_precedes_it():
    shown = stream([b"Hello", b"\nUs", b"er", b": hi"], ("\nUser:",))

    assert shown == ["Hello", "", "", "", ""]


def test_held_text_is_shown_once_it_cannot_become_a_stop_string():
    assert stream([b"a\nUs", b"u"], ("\nUser:",)) == ["a", "\nUsu", ""]


def test_stopped_tells_that_a_stop_string_came():
    detokenizer = Detokenizer(BytePieces([b"x", b"END", b"y"]), ("END",))
    pushed = [detokenizer.push(0), detokenizer.stopped, detokenizer.push(1), detokenizer.stopped, detokenizer.push(2)]

    assert pushed == ["x", False, "", True, ""]
    assert detokenizer.flush() == ""


@pytest.mark.parametrize("pieces", [[b" Hello", b" you"], [b" ", b"Hello", b" you"], [b"", b" Hello you"]])
def test_leading_space_of_the_encoding_is_not_shown(pieces: list[bytes]):
    assert "".join(stream(pieces, strips_leading_space=True)) == "Hello you"
    assert "".join(stream(pieces)) == " Hello you"
