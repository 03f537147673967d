"""Formulas drawn in a process of their own: a line of JSON with LaTeX comes in, a line with SVG goes out.

Apart from the window since drawing is slow, and since what a model writes may ask for any amount of time or memory:
both are bounded here, and a process that is killed takes nothing along. Started by file; imports nothing of Ember.

in    {"latex": …, "display": true or false}
out   {"ready": true} once, when all is read that is needed; then for each line in
      {"svg": …, "width": …, "ascent": …, "descent": …} in em, black standing for the colour of text; or {"failed": why}
"""

import faulthandler
import json
import os
import re
import sys
from typing import Any

SIZE = 20  # units of the drawing to an em
MARGIN = 1  # around it, since glyphs reach beyond their boxes
LIMIT_S = 2.0  # for one formula
MEMORY_BYTES = 1 << 30
MAX_LATEX = 8000
MAX_SVG = 2_000_000
MAX_DEPTH = 60  # of braces
DRAWN = {"svg", "g", "path", "rect", "line", "polyline", "polygon", "circle", "ellipse"}

_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_UNDRAWN = re.compile(r"\\(?:label\s*\{[^{}]*\}|nonumber|notag)(?![A-Za-z])")


def draw(latex: str, is_display: bool) -> dict[str, Any]:
    """The drawing of a formula. Raises ValueError, or whatever the libraries do, where it cannot be drawn."""
    from latex2mathml.converter import convert
    from ziamath.config import config
    from ziamath.zmath import Latex

    if len(latex) > MAX_LATEX or _depth(latex) > MAX_DEPTH:
        raise ValueError("too large")
    latex = _UNDRAWN.sub("", _TAG.sub(r"\\qquad\\text{(\1)}", latex))
    if "\\" in re.sub(r"<[^>]*>", "", convert(latex)):
        raise ValueError("a command that is not known")  # it would be drawn as its own name
    config.svg2 = False  # QtSvg knows no references to symbols
    drawing = Latex(latex, size=SIZE, inline=not is_display, margin=MARGIN)
    tree = drawing.svgxml()
    if foreign := {element.tag for element in tree.iter()} - DRAWN:
        raise ValueError(f"holds {', '.join(sorted(foreign))}")
    svg = drawing.svg()
    if len(svg) > MAX_SVG:
        raise ValueError("too large")
    box = drawing.node.bbox
    width, ascent, descent = box.xmax - box.xmin + 2 * MARGIN, box.ymax + MARGIN, MARGIN - box.ymin
    return {"svg": svg, "width": width / SIZE, "ascent": ascent / SIZE, "descent": descent / SIZE}


def answer(line: str) -> dict[str, Any]:
    asked = json.loads(line)
    try:
        return draw(asked["latex"], asked["display"])
    except Exception as error:  # noqa: BLE001  the libraries raise what they come across: KeyError, AssertionError, …
        return {"failed": type(error).__name__}


def main() -> int:
    _limit_memory()
    import ziamath  # noqa: F401  read before it is said to be ready

    _say({"ready": True})
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123  faulthandler wants a file of the system
        for line in sys.stdin:
            # Ends the process, whatever Python is busy with.
            faulthandler.dump_traceback_later(LIMIT_S, exit=True, file=nowhere)
            reply = answer(line)
            faulthandler.cancel_dump_traceback_later()
            _say(reply)
    return 0


def _say(reply: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


def _depth(latex: str) -> int:
    depth = deepest = 0
    for character in latex:
        depth += (character == "{") - (character == "}")
        deepest = max(deepest, depth)
    return max(deepest, latex.count("\\left"), latex.count("\\begin"))


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard == resource.RLIM_INFINITY or hard > MEMORY_BYTES:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))


if __name__ == "__main__":
    sys.exit(main())
