"""The window stays quick: the model page opens at once, and eight files arriving do not hold the event loop up."""

import threading
import time
from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, QTimer

from app.window.models_page import DISCOVER
from engine.messages import ModelInfo
from engine.transfer_reports import DownloadReport
from tests.app import models_samples as samples
from tests.app.conftest import Bench
from tests.app.fake_engine import STARTER
from tests.app.models_bench import MakeBench, controls, opened, page

N_FILES = 8
N_EVENTS = 600
EVERY_S = 0.004  # sixty times as often as the engine tells
TICK_MS = 5


def arriving(step: int) -> DownloadReport:
    """Eight files side by side, each a little further than before."""
    size = 1_000_000_000
    files = tuple(
        replace(file, state="downloading", done_bytes=min(size, (step + 1) * 1_500_000 + 7919 * number))
        for number, file in enumerate(samples.shards(N_FILES, size)[2:])
    )
    done = sum(file.done_bytes for file in files)
    return replace(
        samples.running(), files=files, done_bytes=done, size_bytes=N_FILES * size, rate_bytes_s=20e6 + step,
        left_s=400.0 - step,
    )  # fmt: skip


def lateness_of(bench: Bench, work: threading.Thread) -> list[float]:
    """By how many milliseconds each tick of the event loop came later than it was due, while `work` ran."""
    late: list[float] = []
    clock = QElapsedTimer()
    timer = QTimer(bench.window)
    timer.setInterval(TICK_MS)

    def tick() -> None:
        if clock.isValid():
            late.append(max(0.0, clock.nsecsElapsed() / 1e6 - TICK_MS))
        clock.restart()

    timer.timeout.connect(tick)
    timer.start()
    work.start()
    bench.until(lambda: not work.is_alive(), timeout=30_000)
    timer.stop()
    timer.deleteLater()
    return sorted(late)


def test_eight_files_arriving_do_not_hold_the_window_up(make_bench: MakeBench) -> None:
    bench = opened(make_bench, samples.hub_script(downloads=(arriving(0), samples.WAITING)))
    bench.settle()
    page(bench).downloads.rows[0].toggle_files()
    hub = bench.engine.hub

    def tell() -> None:
        for step in range(N_EVENTS):
            hub.tell(arriving(step), samples.WAITING)
            time.sleep(EVERY_S)

    late = lateness_of(bench, threading.Thread(target=tell, name="teller"))

    assert len(late) > 100
    assert late[int(0.99 * len(late))] < 33.0
    bench.until(lambda: controls(bench).downloads.queue.downloads[0].done_bytes == arriving(N_EVENTS - 1).done_bytes)
    bench.settle()
    assert "7.2 GB of 8.0 GB" in page(bench).downloads.rows[0].line


def opening_s(bench: Bench) -> float:
    """From the click to the page on the screen, painted."""
    bench.window.show_chat_page()
    bench.settle()
    started = time.perf_counter()
    bench.window.show_models_page()
    bench.window.grab()
    return time.perf_counter() - started


def test_the_page_opens_at_once_with_the_whole_catalogue(make_bench: MakeBench) -> None:
    bench = opened(make_bench, part=DISCOVER)
    page(bench).discover.all_button.click()
    bench.settle()
    assert len(page(bench).discover.catalog.cards) == len(samples.ENTRIES) >= 48

    assert min(opening_s(bench) for _ in range(3)) < 0.1


def test_fifty_cards_are_made_at_once(make_bench: MakeBench) -> None:
    bench = opened(make_bench)
    hub = controls(bench).hub
    hub.catalog, hub.memory_bytes = samples.ENTRIES, 1 << 40
    page(bench).discover.chips.choose("runs", "here", is_on=False)
    started = time.thread_time()
    page(bench).show_part(DISCOVER)
    bench.window.grab()
    took_s = time.thread_time() - started

    assert len(page(bench).discover.catalog.cards) == len(samples.ENTRIES)
    assert took_s < 0.2  # half of that on an idle machine


def test_the_page_opens_at_once_with_fifty_models(make_bench: MakeBench) -> None:
    models: tuple[ModelInfo, ...] = (
        STARTER, *(replace(samples.FETCHED, model_id=f"m-{number}", name=f"Model {number}") for number in range(50)),
    )  # fmt: skip
    bench = opened(make_bench, models=models)
    bench.until(lambda: len(page(bench).library.cards) == 51)

    assert min(opening_s(bench) for _ in range(3)) < 0.1
