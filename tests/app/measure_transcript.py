"""Measure the transcript against its budgets, and the naive way beside it.

    python -m tests.app.measure_transcript [--characters N] [--messages N] [--naive-characters N] [--processor-time]

A growing answer of Markdown, in pieces as a model gives them: what each update of the screen takes, laid out and
painted. Opening a conversation of many messages. How late a key that is typed shows, while every core computes. The
naive way sets all Markdown again for each piece (Qt's own, in one QTextBrowser), with fewer characters where asked,
since its cost grows with the square. With `--processor-time` updates and opening are timed by what the process took of
a processor, which says something on a busy machine, too. Prints; writes nothing.
"""

import argparse
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEventLoop, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextBrowser

from app.chat.conversation import STREAMING
from app.paths import assets_dir
from app.window.theme import Theme
from app.window.transcript.message_editor import EditField
from app.window.transcript.transcript_view import TranscriptView
from tests.app.transcript_samples import answered, asked, grown, talk

UPDATE_MEAN_MS, UPDATE_P99_MS = 8.0, 33.0
OPEN_MS = 150.0
KEY_MS = 50.0
PIECES_PER_UPDATE = 4  # what the bridge gathers: 30 updates a second at 120 tokens a second
PIECE = 4  # characters of a token

Clock = Callable[[], float]

SECTION = """## Section {n}

Some **bold** words, some *leaning* ones, `code` and a [link](https://example.org/{n}) in a paragraph that is long
enough to fill more than one line of the column, as most paragraphs of answers are.

1. First, a point that takes a line
2. Second, another one with $x_{n}^2$ in it
   - and one below it

```python
def section_{n}(values: list[int]) -> int:
    # what it adds
    return sum(value * {n} for value in values if value > 0)
```

| name | value |
|:-----|------:|
| one  | {n}   |
| two  | 22    |

> A quoted remark about section {n}.

"""


def document(n_characters: int) -> str:
    text = "".join(SECTION.replace("{n}", str(n)) for n in range(n_characters // len(SECTION) + 1))
    return text[:n_characters]


def shown(path: Sequence[object]) -> TranscriptView:
    view = TranscriptView(lambda message: [message], lambda message: ())
    view.resize(900, 800)
    view.show()
    view.show_path(path, show_stats=True)  # type: ignore[arg-type]
    settle()
    return view


def settle() -> None:
    QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)


def closed(view: TranscriptView) -> None:
    view.formulas.shut_down()
    view.close()
    view.deleteLater()
    settle()


def updates(text: str, clock: Clock) -> list[float]:
    """Milliseconds of each update while the text grows: taken in, laid out, painted."""
    message = answered(1, "", STREAMING)
    view = shown([asked(0), message])
    step = PIECE * PIECES_PER_UPDATE
    times: list[float] = []
    for at in range(0, len(text), step):
        piece = text[at : at + step]
        message = grown(message, piece)
        answer = view.views[1]
        answer._drawn_at = float("-inf")  # drawn at once, however long the last took
        start = clock()
        view.grow(message, piece)
        view.viewport().repaint()
        times.append((clock() - start) * 1000)
        settle()
    closed(view)
    return times


def naive_updates(text: str, clock: Clock) -> list[float]:
    """The same where all Markdown is set again."""
    view = QTextBrowser()
    view.resize(900, 800)
    view.show()
    step = PIECE * PIECES_PER_UPDATE
    features = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
    times: list[float] = []
    for at in range(0, len(text), step):
        start = clock()
        view.document().setMarkdown(text[: at + step], features)
        view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
        view.viewport().repaint()
        times.append((clock() - start) * 1000)
        settle()
    view.close()
    view.deleteLater()
    settle()
    return times


def opening(n_messages: int, clock: Clock) -> float:
    """Milliseconds from the path to the painted page; the best of three."""
    path = talk(n_messages, "Word {n} of this conversation, with **bold** and `code`. " * 20 + "\n\n- one\n- two\n")
    best = float("inf")
    for _ in range(3):
        view = TranscriptView(lambda message: [message], lambda message: ())
        view.resize(900, 800)
        view.show()
        settle()
        start = clock()
        view.show_path(path, show_stats=True)
        view.viewport().repaint()
        best = min(best, (clock() - start) * 1000)
        closed(view)
    return best


def spin() -> None:
    total = 0
    while True:
        total = (total * 31 + 7) % 1_000_003


def keys(text: str) -> list[float]:
    """Milliseconds from a key to its letter on the screen, while an answer grows and every core computes.

    The computing processes are at the usual priority, as other programs are; the engine's own lets the window go first.
    """
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=spin, daemon=True) for _ in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.start()
    message = answered(1, text[: len(text) // 2], STREAMING)
    view = shown([asked(0), message])
    field = EditField("")
    field.resize(600, 80)
    field.show()
    field.setFocus()
    settle()
    times: list[float] = []
    try:
        for at in range(len(text) // 2, len(text), 16):
            piece = text[at : at + 16]
            message = grown(message, piece)
            end = time.monotonic() + 1 / 30
            start = time.perf_counter()  # the key comes just as an update begins, and has to wait for it
            view.grow(message, piece)
            view.viewport().repaint()
            QTest.keyClick(field, Qt.Key.Key_A)
            field.viewport().repaint()
            times.append((time.perf_counter() - start) * 1000)
            while time.monotonic() < end:
                settle()
                time.sleep(0.002)
            if len(times) >= 300:
                break
    finally:
        for worker in workers:
            worker.kill()
            worker.join()
    field.close()
    field.deleteLater()
    closed(view)
    return times


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def line(name: str, values: Sequence[float]) -> str:
    mean, last = statistics.fmean(values), statistics.fmean(values[-max(1, len(values) // 10) :])
    return (
        f"{name:34} {len(values):6} updates  mean {mean:8.2f} ms  p99 {percentile(values, 0.99):8.2f} ms"
        f"  longest {max(values):8.2f} ms  last tenth {last:8.2f} ms"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--characters", type=int, default=32_000)
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--naive-characters", type=int, default=32_000)
    parser.add_argument("--processor-time", action="store_true")
    options = parser.parse_args()
    clock: Clock = time.process_time if options.processor_time else time.perf_counter
    app = QApplication.instance() or QApplication(sys.argv[:1])
    theme = Theme(app, assets_dir(), "light")  # type: ignore[arg-type]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    unit = "processor time" if options.processor_time else "time"
    print(f"{os.cpu_count()} cores, load {load:.1f} before; {unit}")

    ours = updates(document(options.characters), clock)
    print(line(f"update, {options.characters:,} characters", ours))
    print(f"{'':34} budget: mean {UPDATE_MEAN_MS:.0f} ms, p99 {UPDATE_P99_MS:.0f} ms")
    naive = naive_updates(document(options.naive_characters), clock)
    print(line(f"naive way, {options.naive_characters:,} characters", naive))
    opened = opening(options.messages, clock)
    print(f"{f'opening {options.messages:,} messages':34} {opened:.0f} ms  budget {OPEN_MS:.0f} ms")
    typed = keys(document(options.characters))
    print(line("key to letter, all cores busy", typed))
    print(f"{'':34} budget: {KEY_MS:.0f} ms")
    within = (
        statistics.fmean(ours) <= UPDATE_MEAN_MS
        and percentile(ours, 0.99) <= UPDATE_P99_MS
        and opened <= OPEN_MS
        and percentile(typed, 0.99) <= KEY_MS
    )
    print("within the budgets" if within else "NOT within the budgets")
    theme.deleteLater()
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
