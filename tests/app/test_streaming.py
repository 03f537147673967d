"""An answer as a real engine gave it, played again: how often the window draws, and how little of it each time.

What is held here is what makes an update cheap, not its time: docs/benchmarks.md has that.
"""

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest
from PySide6.QtGui import QTextCursor

from app.chat.markdown import Shown
from app.window.bridge import TEXT_INTERVAL_MS
from app.window.transcript.answer_view import AnswerView
from app.window.transcript.prose_view import ProseView
from app.window.transcript.segments import Segment, SegmentsView, SegmentView
from engine.messages import Generate
from tests.app.conftest import Bench
from tests.app.fake_engine import Script
from tests.app.record_answer import Arrivals, read_recording

EARLY = 0.9  # a timer of Qt's may be over a twentieth too soon


def played(arrivals: Arrivals, speed: float) -> Callable[[Generate], Iterator[str]]:
    """The pieces when they came, or so many times as fast; the engine's thread waits for them, as it would."""

    def answer(_request: Generate) -> Iterator[str]:
        start = time.monotonic()
        for at, text in arrivals:
            time.sleep(max(0.0, start + at / speed - time.monotonic()))
            yield text

    return answer


@dataclass
class Drawings:
    """What was drawn of an answer while it grew."""

    n_draws: int = 0
    finished_and_drawn: list[int] = field(default_factory=list)
    """Parts that were drawn again although another stood below already."""

    finished_and_removed: list[int] = field(default_factory=list)
    """Paragraphs that were removed, to be written again, although another stood below already."""


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> Drawings:
    seen = Drawings()
    drawn: list[SegmentView] = []
    show_items, fill, truncate = SegmentsView.show_items, SegmentsView._fill, ProseView._truncate

    def spy_fill(view: SegmentsView, part: SegmentView, segment: Segment) -> None:
        drawn.append(part)
        fill(view, part, segment)

    def spy_items(view: SegmentsView, items: Sequence[Shown], *, is_growing: bool = False) -> None:
        n_before = len(view._segments)
        drawn.clear()
        show_items(view, items, is_growing=is_growing)
        if is_growing:
            seen.n_draws += 1
            seen.finished_and_drawn += [
                place for place, part in enumerate(view._views[: n_before - 1]) if part in drawn
            ]

    def spy_truncate(view: ProseView, cursor: QTextCursor, count: int) -> None:
        if count < len(view._blocks) - 1:
            seen.finished_and_removed.append(count)
        truncate(view, cursor, count)

    monkeypatch.setattr(SegmentsView, "_fill", spy_fill)
    monkeypatch.setattr(SegmentsView, "show_items", spy_items)
    monkeypatch.setattr(ProseView, "_truncate", spy_truncate)
    return seen


def body(bench: Bench) -> SegmentsView:
    answer = bench.transcript.views[-1]
    assert isinstance(answer, AnswerView)
    return answer._body


@pytest.mark.parametrize("speed", [1.0, 12.0])
def test_pieces_that_come_close_together_are_drawn_together(
    make_bench: Callable[[Script], Bench], drawings: Drawings, speed: float
) -> None:
    arrivals = read_recording()
    bench = make_bench(Script(answer=played(arrivals, speed))).start()
    grown: list[tuple[float, str]] = []
    bench.chat.answer_grew.connect(lambda _id, text: grown.append((time.monotonic(), text)))
    before = drawings.n_draws

    bench.send("Tips, please")
    bench.until(lambda: grown)
    bench.until(lambda: bench.chat.answering is None, timeout=60_000)

    assert "".join(text for _, text in grown) == "".join(text for _, text in arrivals)
    # the last one does not wait: an answer that has ended is shown at once
    pauses = [after - at for (at, _), (after, _) in itertools.pairwise(grown[:-1])]
    assert sum(pauses) >= EARLY * len(pauses) * TEXT_INTERVAL_MS / 1000
    assert len(grown) < len(arrivals) / (1.2 if speed == 1.0 else 3.0)
    assert 0 < drawings.n_draws - before <= len(grown) + 1


def test_only_the_unfinished_end_is_drawn_again(make_bench: Callable[[Script], Bench], drawings: Drawings) -> None:
    arrivals = read_recording()
    bench = make_bench(Script(answer=played(arrivals, 3.0))).start()
    finished: list[SegmentView] = []

    def note() -> None:
        parts = body(bench)._views
        assert parts[: len(finished)] == finished
        finished[:] = parts[:-1]

    bench.chat.answer_grew.connect(note)
    bench.send("Tips, please")
    bench.until(lambda: bench.chat.path and bench.chat.path[-1].role == "assistant")
    bench.until(lambda: bench.chat.answering is None, timeout=60_000)

    kinds = [type(segment).__name__ for segment in body(bench)._segments]
    assert kinds == ["list", "Code", "list"]
    assert drawings.n_draws > len(kinds)
    assert drawings.finished_and_drawn == []
    assert drawings.finished_and_removed == []
    assert body(bench)._views[:-1] == finished  # nor does its end make anything anew
