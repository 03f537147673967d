"""Files stand in a message's text and are found there again, exactly, whatever is in them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat.attached_files import LONGEST_NAME, UNNAMED, AttachedFile, file_name, split_files, with_files
from app.chat.markdown import Code, parse

NOTES = AttachedFile("notes.md", "# Title\n\nSome *text*.\n")
SCRIPT = AttachedFile("a script.py", "print('`')")


@pytest.mark.parametrize("text", ["Explain this", "", "two\nlines", "ends with a break\n", "```py\nx\n```"])
@pytest.mark.parametrize("files", [(), (NOTES,), (NOTES, SCRIPT), (AttachedFile("empty", ""),)])
def test_what_was_put_together_comes_apart_the_same(text, files):
    assert split_files(with_files(text, files)) == (text, files)


_LINES = st.lists(
    st.sampled_from(["", "`", "```", "````", "`````", "````file x.txt", "text", "  ````", "~~~"]), max_size=9
)


@given(_LINES.map("\n".join), _LINES.map("\n".join))
def test_fences_within_a_file_do_not_end_it(first, second):
    files = (AttachedFile("a", first), AttachedFile("b", second))

    assert split_files(with_files("Hello", files)) == ("Hello", files)


def test_a_message_without_text_is_its_files():
    assert with_files("  ", [SCRIPT]) == "````file a script.py\nprint('`')\n````"


@pytest.mark.parametrize(
    "text",
    [
        "````file a.txt\nno end",
        "````file a.txt\nx\n````\nand more text",
        "in a line ````file a.txt\nx\n````",
        "right above\n````file a.txt\nx\n````",
        "````file\nx\n````",
        "```file a.txt\nx\n```",
        "````python\nx\n````",
    ],
)
def test_what_only_resembles_a_file_stays_text(text):
    assert split_files(text) == (text, ())


def test_a_resemblance_before_a_file_costs_nothing():
    text = "````file a.txt\nx\n````\nis how files are written"

    assert split_files(with_files(text, [NOTES])) == (text, (NOTES,))


def test_in_markdown_a_file_is_a_block_of_code():
    blocks = parse(with_files("See this", [NOTES]))

    assert blocks[1:] == [Code(NOTES.text, "file")]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a\nb.txt", "a b.txt"),
        ("`x`.md", "x .md"),
        ("  ", UNNAMED),
        ("\u202egpj.exe", "gpj.exe"),
        ("说明.txt", "说明.txt"),
    ],
)
def test_a_name_fits_on_a_line(name, written):
    assert file_name(name) == written


def test_a_very_long_name_keeps_its_ending():
    short = file_name("x" * 300 + ".tar")

    assert len(short) == LONGEST_NAME
    assert short.endswith("….tar")


def test_a_long_hostile_text_is_looked_through_quickly():
    text = "\n\n````file a\n" * 50_000

    started = time.thread_time()
    split_files(text)

    assert time.thread_time() - started < 2.0


def test_size_and_lines():
    assert (NOTES.n_bytes, NOTES.n_lines) == (len(NOTES.text), 3)
    assert (AttachedFile("x", "火\nb").n_bytes, AttachedFile("x", "火\nb").n_lines) == (5, 2)
    assert AttachedFile("x", "").n_lines == 0
