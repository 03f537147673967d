"""How many columns of a terminal a text takes: most Chinese characters two, marks that join the one before none.

From wcwidth, which the terminal chat's library has for the same; commands that only print are spared that one's start.
"""

from functools import lru_cache

from wcwidth import wcwidth


def columns_of(text: str) -> int:
    """Characters that steer the terminal count as none."""
    return sum(map(_columns, text))


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    return max(0, wcwidth(character))
