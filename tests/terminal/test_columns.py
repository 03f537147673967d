"""Texts broken into lines of a width."""

import pytest
from prompt_toolkit.utils import get_cwidth

from app.terminal.columns import wrapped


@pytest.mark.parametrize("width", range(8, 40))
def test_a_number_is_not_parted_from_its_percent_sign(width: int) -> None:
    lines = wrapped("Carried by 35 %, of 红楼梦; 古文 5.6 %; 81 % and a little more (<0.1 %).", width)

    assert not [line for line in lines if line.startswith(("%", ";"))]
    assert max(map(get_cwidth, lines)) <= width
