"""Kills while answers are written: nothing that was sent is lost, and of answers at most the last second."""

import sys
from pathlib import Path

import pytest

from tests.app.measure_chat_kills import measure

KILLS = 10


@pytest.mark.skipif(sys.platform == "win32", reason="a kill there does not end a process at once")
def test_ten_kills_cost_no_chat_and_at_most_a_second(tmp_path: Path) -> None:
    losses = measure(tmp_path / "home", KILLS)

    assert losses.problems == []
    assert losses.n_kills == KILLS
    assert losses.n_cut >= KILLS // 2  # else it was not answers that were cut
    assert losses.n_messages > 2 * KILLS
