"""A window whose theme, accent or size changed and changed back looks as it did."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.app import device_samples
from tests.app.conftest import Bench
from tests.app.fake_engine import BASE, OTHER, STARTER, Script

MakeBench = Callable[..., Bench]

CLEARLY = 24  # of 255 of a colour
ANSWER = "# Title\n\nText with [a link](https://a.b) and `code`.\n\n```py\nprint(1)\n```\n\n|a|b|\n|-|-|\n|1|2|\n"


def pictures(bench: Bench, qtbot: QtBot) -> dict[str, QImage]:
    """Every page; the composer's text cursor, which blinks, is elsewhere."""
    found = {}
    for name in bench.window.pages.names:
        bench.window.pages.show_page(name)
        bench.window.setFocus()
        qtbot.wait(40)
        bench.settle()
        found[name] = bench.window.grab().toImage()
    return found


def differing(one: QImage, other: QImage) -> tuple[int, ...]:
    """The box around the pixels that differ clearly: left, top, right, bottom; empty where none does."""
    a, b = (np.frombuffer(i.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8) for i in (one, other))
    far = np.abs(a.astype(np.int16) - b).reshape(one.height(), one.width(), 4).max(axis=2) > CLEARLY
    rows, columns = np.nonzero(far.any(axis=1))[0], np.nonzero(far.any(axis=0))[0]
    return (int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])) if rows.size else ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"theme": "dark"}, {"theme": "light"}),
        ({"theme": "light", "accent": "rose"}, {"theme": "dark", "accent": "forest"}),
        ({"theme": "light", "zoom": 100}, {"theme": "light", "zoom": 125}),
    ],
)
def test_a_window_that_changed_and_changed_back_looks_as_it_did(
    make_bench: MakeBench, qtbot: QtBot, before: dict[str, object], after: dict[str, object]
) -> None:
    script = Script(models=(STARTER, OTHER, BASE), devices=device_samples.UNMEASURED)
    script.answer = lambda request: (ANSWER,)
    bench = make_bench(script)
    bench.session.settings.update(**after)
    bench.start()
    bench.ask("one")
    bench.window.toggle_panel()
    pictures(bench, qtbot)  # what is made when it is first shown is there from here on
    opened = pictures(bench, qtbot)

    bench.session.settings.update(**before)
    pictures(bench, qtbot)
    bench.session.settings.update(**after)
    changed = pictures(bench, qtbot)

    assert {name: box for name in opened if (box := differing(opened[name], changed[name]))} == {}
