"""The width of a text in columns is that which the terminal chat counts by."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from app.terminal.text_width import columns_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "columns"), [("", 0), ("abc", 3), ("模型", 4), ("e\u0301", 1), ("\x1b", 0), ("한", 2)]
)
def test_wide_characters_take_two_columns_and_joined_marks_none(text: str, columns: int) -> None:
    assert columns_of(text) == columns


@given(st.text(max_size=20))
def test_it_is_the_width_that_the_chat_counts_by(text: str) -> None:
    assert columns_of(text) == get_cwidth(text)


def test_a_download_in_a_terminal_does_not_load_what_only_a_chat_needs() -> None:
    code = "import sys, app.cli, app.terminal.pull, engine.host; print('prompt_toolkit' in sys.modules)"

    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert said.strip() == "False"
