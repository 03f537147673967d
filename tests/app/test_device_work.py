"""Who did the work is what the counters say; the picture of neurons is the sample, at most ten times a second."""

import threading
import time

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from app.device_figures import heat_pixels
from app.window.device.heat_map import HeatMap
from engine.errors import OutOfMemory
from tests.app import device_samples as samples
from tests.app.conftest import Bench
from tests.app.device_bench import MODELS, MakeBench, ask_here, control, opened, page
from tests.app.device_screenshots import with_card, without_card


@pytest.fixture
def carded(make_bench: MakeBench) -> Bench:
    return opened(make_bench, with_card(MODELS))


# Who does the work ---------------------------------------------------------------------------------------------------


def test_before_an_answer_nothing_is_claimed_of_one(carded: Bench) -> None:
    work = page(carded).work

    assert not work.reason.isVisible()
    assert not work.work.isVisible()
    assert work._empty.isVisible()


def test_the_last_answer_says_who_worked_who_waited_and_why_it_was_slow(carded: Bench) -> None:
    ask_here(carded, "one")
    work = page(carded).work

    assert work.work.text == "card 77 %, processor 23 %"
    assert work.card.text == "computed 52 % of the time, waited 35 %"
    assert "the card waited for the processor" in work.reason.text


def test_while_an_answer_is_written_its_own_work_is_shown(carded: Bench) -> None:
    gate = carded.script.gates["answer"] = threading.Event()
    carded.chat.send("one")
    carded.until(lambda: control(carded).live_load is not None)
    carded.settle()

    assert page(carded).work._when.text().startswith("Of the answer that is being written")
    gate.set()
    carded.until(lambda: carded.chat.answering is None)
    carded.settle()
    assert page(carded).work._when.text().startswith("Of the last answer")


def test_without_a_card_only_the_processor_is_spoken_of(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    ask_here(bench, "one")

    assert page(bench).work.work.text == "processor 100 %"
    assert not page(bench).work.card.isVisible()
    assert "processor computed everything" in page(bench).work.reason.text


# Neurons as they fire ------------------------------------------------------------------------------------------------


def test_the_picture_has_a_pixel_for_each_bucket(carded: Bench) -> None:
    ask_here(carded, "one")
    sample = control(carded).pictures.sample
    assert sample is not None

    image = page(carded).heat.map.image

    assert image.format() == QImage.Format.Format_Indexed8
    assert (image.width(), image.height()) == (64, 32)
    pixels = heat_pixels(sample)
    for layer, bucket in ((0, 0), (7, 20), (31, 63)):
        assert image.pixelIndex(bucket, layer) == pixels[64 * layer + bucket]


def test_without_a_card_all_of_the_picture_is_cold(make_bench: MakeBench) -> None:
    bench = opened(make_bench, without_card(MODELS))
    ask_here(bench, "one")
    image = page(bench).heat.map.image

    assert all(image.pixelIndex(x, y) < 128 for x in range(64) for y in range(32))
    assert "hot" not in page(bench).heat._legend.accessibleName()


def test_why_there_is_no_picture_is_said(make_bench: MakeBench) -> None:
    error = OutOfMemory("the picture", 4, 2).report()
    bench = opened(make_bench, with_card(MODELS, watch_error=error))
    ask_here(bench, "one")

    assert page(bench).heat._state.text().startswith("No picture is to be had: Not enough memory for the picture")
    assert not page(bench).heat.map.isVisible()


def test_a_flood_of_samples_is_shown_ten_times_a_second(carded: Bench) -> None:
    shown: list[float] = []
    control(carded).pictures.sampled.connect(lambda: shown.append(time.monotonic()))
    start = time.monotonic()
    while time.monotonic() - start < 0.55:
        control(carded)._on_sample(samples.neurons(n_layers=2, n_buckets=4))
        QCoreApplication.processEvents()
        time.sleep(0.002)

    assert 2 <= len(shown) <= 2 + (time.monotonic() - start) / 0.1


def test_a_picture_is_painted_in_a_few_milliseconds(carded: Bench) -> None:
    sample = samples.neurons(n_layers=80, n_buckets=64)
    ask_here(carded, "one")
    heat = page(carded).heat.map
    took = []
    for _ in range(20):
        start = time.perf_counter()
        heat.show_sample(sample)
        heat.grab()
        took.append(time.perf_counter() - start)

    assert min(took) < 0.033


def test_a_bucket_is_told_to_pointer_and_keys(carded: Bench) -> None:
    ask_here(carded, "one")
    heat = page(carded).heat.map
    cell = heat._cell(9, 21).center()

    assert heat._stop_at(cell) == 64 * 9 + 21
    heat.choose_stop(64 * 9 + 21)
    QTest.keyClick(heat, Qt.Key.Key_Down)

    first, fired, side = heat.stop_words.splitlines()
    assert first == "layer 10, bucket 22 of 64"
    assert fired.endswith("% fired")
    assert "card" in side or "processor" in side


def test_a_change_of_theme_recolours_the_picture(carded: Bench) -> None:
    ask_here(carded, "one")
    heat = page(carded).heat.map
    carded.until(lambda: not control(carded).pictures._timer.isActive())
    image = heat.image

    def corner() -> int:
        carded.settle()
        area = heat._area().toRect()
        return heat.grab().toImage().pixelColor(area.left() + 2, area.top() + 2).rgb()

    carded.theme.choose("light")
    light = corner()
    carded.theme.choose("dark")

    assert corner() != light
    assert heat.image is image
    carded.theme.choose("system")


@pytest.mark.parametrize(("n_layers", "n_buckets"), [(1, 1), (200, 64), (3, 7)])
def test_models_of_every_shape_have_a_picture(qtbot: object, n_layers: int, n_buckets: int) -> None:
    heat = HeatMap()
    heat.resize(400, 300)
    heat.show_sample(samples.neurons(n_layers=n_layers, n_buckets=n_buckets))

    assert not heat.grab().isNull()
    assert heat.height() >= n_layers
    heat.deleteLater()
