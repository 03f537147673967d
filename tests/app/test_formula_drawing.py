"""Formulas are drawn by a process beside the window, which none can hold up, and stay text where they cannot be."""

import json
import os
import re
import sys
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

import app.formula_process
from app.formula_process import answer, draw
from app.window.transcript.formula_object import OBJECT_CHARACTER
from app.window.transcript.formula_renderer import FormulaRenderer
from app.window.transcript.formula_view import FormulaView
from app.window.transcript.prose_view import ProseView
from app.window.transcript.transcript_view import TranscriptView
from tests.app.transcript_samples import answered, asked, open_transcript


@pytest.fixture
def renderer(qtbot: QtBot) -> FormulaRenderer:
    made = FormulaRenderer()
    yield made
    made.shut_down()
    made.deleteLater()


def drawn(qtbot: QtBot, renderer: FormulaRenderer, latex: str, timeout: int = 60_000) -> bool:
    renderer.drawing(latex, True)
    qtbot.waitUntil(lambda: renderer.is_known(latex, True), timeout=timeout)
    return renderer.drawing(latex, True) is not None


def settled(qtbot: QtBot, view: TranscriptView) -> None:
    qtbot.waitUntil(lambda: not view.formulas.is_busy, timeout=60_000)


old_ways = pytest.mark.filterwarnings("ignore:path is deprecated:DeprecationWarning")  # of ziamath, as it is imported


@old_ways
@pytest.mark.parametrize(
    "latex",
    [
        "E=mc^2",
        r"\frac{-b\pm\sqrt{b^2-4ac}}{2a}",
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
        r"\begin{cases}a&b\\c&d\end{cases}",
        r"\begin{aligned}a&=b\\c&=d\end{aligned}",
        r"\sum_{i=0}^n x_i\tag{1}",
        r"\text{if }x>0\label{eq}",
        r"\operatorname{softmax}(x)\in\mathbb{R}^n",
    ],
)
def test_usual_formulas_are_drawn_with_shapes_only(latex: str) -> None:
    drawing = draw(latex, True)

    assert set(re.findall(r"<(\w+)", drawing["svg"])) <= {"svg", "g", "path", "rect"}
    assert 0.3 < drawing["width"] < 30
    assert 0.3 < drawing["ascent"] + drawing["descent"] < 5


@old_ways
@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{1",
        r"\unknowncommand{x}",
        "{" * 100 + "x" + "}" * 100,
        r"\frac{1}{" * 10_000 + "x" + "}" * 10_000,
        "x" * 9000,
    ],
)
def test_what_cannot_be_drawn_is_said_to_fail(latex: str) -> None:
    assert set(answer(json.dumps({"latex": latex, "display": True}))) == {"failed"}


@old_ways
def test_a_letter_stands_on_the_line_and_one_with_a_tail_goes_below_it() -> None:
    assert draw("x", False)["descent"] < 0.1
    assert draw("y", False)["descent"] > 0.2


def test_drawings_come_from_one_process_and_are_kept(qtbot: QtBot, renderer: FormulaRenderer) -> None:
    assert renderer.drawing("x", True) is None
    assert drawn(qtbot, renderer, "x")
    process = renderer._process
    assert drawn(qtbot, renderer, "y")
    assert renderer._process is process
    assert not drawn(qtbot, renderer, r"\frac{1")
    assert renderer._process is process


HANG = """
import sys, time
sys.path.insert(0, {folder!r})
import formula_process
formula_process.draw = lambda latex, display: time.sleep(60) if "hang" in latex else {{
    "svg": "<svg xmlns='http://www.w3.org/2000/svg'/>", "width": 1, "ascent": 1, "descent": 0}}
formula_process.LIMIT_S = {limit}
sys.exit(formula_process.main())
"""


def hanging(monkeypatch: pytest.MonkeyPatch, folder: Path, limit: float) -> None:
    """Let the process hang at a formula that says so; the seconds after which it ends itself."""
    script = folder / "hanging.py"
    script.write_text(HANG.format(folder=str(Path(app.formula_process.__file__).parent), limit=limit))
    monkeypatch.setattr(app.formula_process, "__file__", str(script))


@pytest.mark.parametrize("limit", [0.3, 60.0], ids=["ends itself", "is ended"])
def test_a_formula_that_takes_too_long_is_given_up_and_the_next_is_drawn(
    qtbot: QtBot, renderer: FormulaRenderer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, limit: float
) -> None:
    hanging(monkeypatch, tmp_path, limit)
    monkeypatch.setattr("app.window.transcript.formula_renderer.LIMIT_MS", 1000)

    for latex in ("hang 1", "hang 2", "hang 3"):
        assert not drawn(qtbot, renderer, latex)
    assert drawn(qtbot, renderer, "x")


def test_without_the_library_formulas_stay_text_and_nothing_is_tried_for_ever(
    qtbot: QtBot, renderer: FormulaRenderer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit(1)")
    monkeypatch.setattr(app.formula_process, "__file__", str(broken))

    assert not drawn(qtbot, renderer, "x")
    assert not drawn(qtbot, renderer, "y")
    assert renderer.drawing("z", True) is None
    assert renderer._process is None


@pytest.mark.skipif(sys.platform == "win32", reason="the system gives no limit of a process's memory")
def test_the_process_may_take_only_so_much_memory(qtbot: QtBot, renderer: FormulaRenderer) -> None:
    assert drawn(qtbot, renderer, "x")
    assert renderer._process is not None
    limits = psutil.Process(renderer._process.processId()).rlimit(psutil.RLIMIT_AS)

    assert limits[0] == app.formula_process.MEMORY_BYTES


def test_the_process_ends_with_its_window(qtbot: QtBot, renderer: FormulaRenderer) -> None:
    assert drawn(qtbot, renderer, "x")
    assert renderer._process is not None
    pid = renderer._process.processId()

    renderer.shut_down()

    assert not psutil.pid_exists(pid) or os.name == "nt"


TEXT = "The mass $E=mc^2$ is\n\n$$\n\\frac{1}{2}\n$$\n\nand $\\frac{1$ is not.\n\n| a |\n|---|\n| $x$ |"


def test_formulas_of_an_answer_become_drawings_and_are_copied_as_latex(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, TEXT)])
    prose, formula, other, table = view.views[1].parts()
    assert prose.editor.toPlainText() == "The mass $E=mc^2$ is"
    assert formula.editor.toPlainText() == "$$\n\\frac{1}{2}\n$$"
    settled(qtbot, view)

    assert prose.editor.toPlainText() == f"The mass {OBJECT_CHARACTER} is"
    assert formula.editor.toPlainText() == OBJECT_CHARACTER
    assert other.editor.toPlainText() == "and $\\frac{1$ is not."
    assert OBJECT_CHARACTER in table.editor.toPlainText()
    view.selection.select(prose, 4, other, 3)
    assert view.selection.text() == "mass $E=mc^2$ is\n\n$$\n\\frac{1}{2}\n$$\n\nand"
    assert view.selection.text(as_markdown=False) == "mass $E=mc^2$ is\n\n$$\n\\frac{1}{2}\n$$\n\nand"


def inked(image: QImage, color: QColor) -> int:
    """Pixels near a colour."""

    def is_near(found: QColor) -> bool:
        pairs = ((found.red(), color.red()), (found.green(), color.green()), (found.blue(), color.blue()))
        return all(abs(a - b) < 24 for a, b in pairs)

    return sum(is_near(image.pixelColor(x, y)) for x in range(image.width()) for y in range(image.height()))


def test_a_drawing_is_painted_in_the_colour_of_text(qtbot: QtBot, renderer: FormulaRenderer) -> None:
    assert drawn(qtbot, renderer, "x")
    drawing = renderer.drawing("x", True)
    assert drawing is not None
    image = QImage(40, 40, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    drawing.renderer(QColor("#cc2200")).render(painter)
    painter.end()

    assert inked(image, QColor("#cc2200")) > 20


def test_a_formula_in_a_line_is_as_large_as_its_drawing(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, "A word $x$.\n\nA word $\\dfrac{a}{b}$.")])
    settled(qtbot, view)
    (prose,) = view.views[1].findChildren(ProseView)
    heights = []
    block = prose.document().begin()
    while block.isValid():
        heights.append(block.layout().lineAt(0).height())
        block = block.next()

    assert heights[1] > heights[0] * 1.3


def test_a_wide_formula_scrolls_by_itself(qtbot: QtBot) -> None:
    wide = "$$" + " + ".join(f"x_{{{n}}}" for n in range(60)) + "$$"
    view = open_transcript(qtbot, [asked(0), answered(1, wide)], width=500)
    settled(qtbot, view)
    (formula,) = view.views[1].findChildren(FormulaView)

    assert formula.horizontalScrollBar().maximum() > 300
    assert view._column.width() <= view.viewport().width()


def test_drawings_arriving_do_not_move_what_is_read(qtbot: QtBot) -> None:
    text = "\n\n".join(f"Line {n} with $\\dfrac{{{n}}}{{2}}$." for n in range(40))
    view = open_transcript(qtbot, [asked(0), answered(1, text), asked(2), answered(3, text)])
    view.verticalScrollBar().setValue(600)
    view._note_user_scroll()
    (prose,) = view.views[1].findChildren(ProseView)

    def line_at_the_top() -> tuple[str, int]:
        y = view.verticalScrollBar().value() - prose.mapTo(view._column, prose.rect().topLeft()).y()
        cursor = prose.cursorForPosition(QPoint(0, y))
        return cursor.block().text()[:8], prose.cursorRect(cursor).top() - y

    before = line_at_the_top()
    settled(qtbot, view)

    after = line_at_the_top()
    assert after[0] == before[0]
    assert abs(after[1] - before[1]) <= 2
