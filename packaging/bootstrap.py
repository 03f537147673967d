"""Sets Ember up in its own virtual environment and starts it, or runs its checks.

    python3 packaging/bootstrap.py run [--terminal] [-- arguments for ember]
    python3 packaging/bootstrap.py test [arguments for pytest]

This file only refuses Pythons that cannot run Ember, and hands over to `ember_setup`. It keeps to syntax of Python 3.6,
so that an old interpreter gets to the sentence that refuses it; everything here needs the standard library only.
"""

import os
import shutil
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SUPPORTED = ((3, 11), (3, 12), (3, 13))


def refusal(version: "tuple[int, ...]", which: "Callable[[str], str | None]" = shutil.which) -> str:
    """The sentence for a Python that cannot run Ember, or "" for one that can."""
    if tuple(version[:2]) in SUPPORTED:
        return ""
    sentence = "Ember needs Python 3.11, 3.12 or 3.13; this is Python {}.{}.".format(*version[:2])
    for minor in (11, 12, 13):
        name = f"python3.{minor}"
        if which(name):
            return f"{sentence} {name} is installed: run `{name} {sys.argv[0]}` with the same arguments."
    return f"{sentence} Install one of those, then run this again with it."


def main() -> int:
    sentence = refusal(sys.version_info[:2])
    if sentence:
        sys.stderr.write(sentence + "\n")
        return 2
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - reads the same on 3.6
    from ember_setup.commands import main as commands

    return commands(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
