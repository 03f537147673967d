"""Lines break between words, on a terminal small enough to be written down here."""

from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from app.terminal.word_wrap import WordWrap

WIDTH = 12


def screen_after(written: str) -> list[str]:
    """The lines of a terminal that knows line feed, cursor left and erase to the end of the line."""
    lines, i = [""], 0
    while i < len(written):
        if written[i] == "\n":
            lines.append("")
        elif written.startswith("\x1b[", i):
            end = next(k for k in range(i + 2, len(written)) if written[k].isalpha())
            if written[end] == "D":
                lines[-1] = lines[-1][: len(lines[-1]) - int(written[i + 2 : end])]
            i = end
        else:
            lines[-1] += written[i]
        i += 1
    return lines


def wrapped(*pieces: str) -> list[str]:
    wrap = WordWrap()
    return screen_after("".join(wrap.add(piece, WIDTH) for piece in pieces))


def test_word_at_the_edge_moves_to_the_next_line():
    assert wrapped("one two three four") == ["one two ", "three four"]


def test_blank_at_the_edge_becomes_the_break():
    assert wrapped("twelve chars and") == ["twelve chars", "and"]


def test_word_longer_than_a_line_is_cut():
    assert wrapped("a abcdefghijklmnop") == ["a ", "abcdefghijkl", "mnop"]


def test_chinese_breaks_anywhere_and_fills_the_line():
    assert wrapped("床前明月光疑是地上霜") == ["床前明月光疑", "是地上霜"]


def test_joined_emoji_are_not_parted():
    assert wrapped("0123456789👩‍👩‍👧 x") == ["0123456789👩‍👩‍👧", "x"]


def test_code_is_left_to_the_terminal():
    code = "```python\nprint('a long line of code')\n```"

    assert wrapped(code) == code.split("\n")
    assert wrapped(code + "\none two three") == [*code.split("\n"), "one two ", "three"]


@given(
    words=st.lists(st.text("abcdefg,.", min_size=1, max_size=WIDTH) | st.text("床前明月光", max_size=8), max_size=20),
    cuts=st.lists(st.integers(0, 100), max_size=10),
)
def test_no_line_is_too_long_and_nothing_but_blanks_is_lost(words: list[str], cuts: list[int]):
    text = " ".join(words)
    edges = sorted({0, len(text), *(c for c in cuts if c < len(text))})
    pieces = [text[a:b] for a, b in zip(edges, [*edges[1:], len(text)], strict=True)]

    lines = wrapped(*pieces)

    assert all(get_cwidth(line) <= WIDTH for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    for word in words:
        if word.isascii():
            assert any(word in line for line in lines)
