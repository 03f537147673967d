"""The speed page shows what was measured, measures without losing the chat, and touches no file it was not asked to."""

import json
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from app.benchmark_history import save_report
from app.benchmark_text import tables, to_markdown
from app.window.report_card import ReportCard, ReportTable
from app.window.speed_charts import LineChart, PhaseBars
from engine.benchmark_report import BenchmarkReport, CheckResult
from engine.errors import OutOfMemory
from engine.messages import Cancel, Generate, LoadModel, RunBenchmark
from tests.app.benchmark_samples import REPORT, decoding, measured_on
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER, STARTER, Script
from tests.app.test_window_shell import right_edge, unnamed

MakeBench = Callable[..., Bench]


@pytest.fixture
def page(bench: Bench) -> Bench:
    return opened(bench)


def opened(bench: Bench) -> Bench:
    """The speed page of a window, once the folder has been read."""
    bench.window.show_speed_page()
    bench.until(lambda: bench.session.speed.is_read)
    bench.settle()
    return bench


def reread(bench: Bench) -> None:
    bench.session.speed.refresh()
    bench.until(lambda: bench.session.speed._reader is None)
    bench.settle()


def keep(bench: Bench, *reports: BenchmarkReport) -> list[Path]:
    return [save_report(bench.paths.benchmarks, report) for report in reports]


def cards(bench: Bench) -> list[ReportCard]:
    """From the top of the page down."""
    layout = bench.window.speed_page._list
    return [layout.itemAt(i).widget() for i in range(layout.count())]  # type: ignore[misc]


def press(card: ReportCard, name: str) -> None:
    assert card.details is not None
    next(b for b in card.details.findChildren(QPushButton) if b.text() == name).click()


def measured(bench: Bench) -> None:
    bench.window.speed_page._measure.click()
    bench.until(lambda: bench.session.speed.measurement is None)


def test_without_reports_the_page_says_how_to_begin(page: Bench) -> None:
    speed_page = page.window.speed_page

    assert speed_page._empty.isVisible()
    assert not speed_page._folder.isVisible()
    assert not speed_page._skipped.isVisible()
    assert speed_page._measure.isEnabled()


def test_reports_are_listed_newest_first_with_their_figures(bench: Bench) -> None:
    keep(bench, measured_on("2026-11-01T12:00:00+00:00"), REPORT)
    opened(bench)

    newest, oldest = cards(bench)

    assert newest._shown.report == REPORT
    assert oldest._shown.report.created.startswith("2026-11-01")
    for part in ("Demo 1B", "int8 exact", "2 threads", "A 7", "61.2 tokens/s decoding", "310 tokens/s", "1.57 ×"):
        assert part in newest.header.accessibleName()
    assert not bench.window.speed_page._empty.isVisible()


def test_a_report_opens_to_the_tables_of_the_command(bench: Bench) -> None:
    keep(bench, REPORT)
    (card,) = cards(opened(bench))
    assert card.details is None

    QTest.keyClick(card.header, Qt.Key.Key_Space)

    assert card.details is not None
    assert card.details.isVisible()
    shown = [table.toPlainText().split() for table in card.details.findChildren(ReportTable)]
    assert shown == [" ".join(" ".join(row) for row in (t.heading, *t.rows)).split() for t in tables(REPORT)]
    assert [bars.accessibleName().count("attention 30 %") for bars in card.details.findChildren(PhaseBars)] == [2]
    assert "opened" in card.header.accessibleName()
    QTest.keyClick(card.header, Qt.Key.Key_Space)
    assert not card.details.isVisible()


def test_decoding_is_drawn_over_time_for_what_is_alike(bench: Bench) -> None:
    keep(bench, REPORT, measured_on("2026-11-01T12:00:00+00:00", decode=(decoding(50.0),)))
    card = cards(opened(bench))[0]
    card.header.click()
    assert card.details is not None
    (chart,) = card.details.findChildren(LineChart)
    assert chart.isVisible()
    assert [point.tokens_per_s.median for point in chart._points] == [50.0, 61.2]
    assert "61.2 tokens/s" in chart.accessibleName()

    card.details._case.setCurrentIndex(1)

    assert not chart.isVisible()
    assert "int8 dense" in card.details._chart_note.text()
    assert "measured once" in card.details._chart_note.text()


@pytest.mark.parametrize("medians", [(0.0, 0.0), (1e-3, 1e-4), (99_999.0, 100_000.0), (1.0,) * 150])
def test_any_speed_can_be_drawn(bench: Bench, medians: tuple[float, ...]) -> None:
    keep(
        bench,
        *(
            measured_on(f"2026-11-01T12:{n // 60:02}:{n % 60:02}+00:00", decode=(decoding(m),))
            for n, m in enumerate(medians)
        ),
    )
    card = cards(opened(bench))[0]
    card.header.click()
    bench.settle()

    assert card.details is not None
    chart = card.details._chart
    chart.grab()
    assert len(chart._points) == len(medians)
    assert all(0 <= place.y() <= chart.height() and 0 <= place.x() <= chart.width() for _, place in chart._places())


def test_a_report_is_copied_as_the_command_writes_it(bench: Bench) -> None:
    keep(bench, REPORT)
    (card,) = cards(opened(bench))
    card.header.click()

    press(card, "Copy as Markdown")

    assert QGuiApplication.clipboard().text() == to_markdown(REPORT)
    assert "copied" in bench.window.toast._label.text()


def test_a_deleted_report_can_be_brought_back(bench: Bench) -> None:
    first, second = keep(bench, measured_on("2026-11-01T12:00:00+00:00"), REPORT)
    content = second.read_bytes()
    card = cards(opened(bench))[0]
    card.header.click()

    press(card, "Delete")
    bench.settle()

    assert not second.exists()
    assert first.exists()
    assert [c._shown.path for c in cards(bench)] == [first]
    assert bench.window.focusWidget() is cards(bench)[0].header
    bench.window.toast._button.click()
    bench.until(lambda: len(cards(bench)) == 2)
    assert second.read_bytes() == content


def test_a_report_that_is_gone_already_is_not_deleted_twice(bench: Bench) -> None:
    (path,) = keep(bench, REPORT)
    (card,) = cards(opened(bench))
    card.header.click()
    path.unlink()

    press(card, "Delete")

    assert "could not be deleted" in bench.window.toast._label.text()


def test_reports_of_the_terminal_appear_and_open_ones_stay_open(bench: Bench) -> None:
    keep(bench, REPORT)
    (card,) = cards(opened(bench))
    card.header.click()

    keep(bench, measured_on("2026-12-01T12:00:00+00:00"))
    reread(bench)

    assert [c.is_open for c in cards(bench)] == [False, True]
    assert cards(bench)[1] is card


def test_files_that_are_no_reports_are_named_and_left(bench: Bench) -> None:
    (kept,) = keep(bench, REPORT)
    folder = kept.parent
    (folder / "broken.json").write_text("{")
    (folder / "later.json").write_text(json.dumps(json.loads(kept.read_text()) | {"schema": 99}))
    for number in range(5):
        (folder / f"more-{number}.json").write_text("[]")
    opened(bench)

    words = bench.window.speed_page._skipped._words.text()

    assert "broken.json (no report, or a damaged one)" in words
    assert "later.json (written by a later Ember)" in words
    assert "4 more" in words
    assert len(cards(bench)) == 1
    assert len(list(folder.iterdir())) == 8


@pytest.mark.skipif(sys.platform == "win32", reason="a folder's name")
def test_a_folder_that_cannot_be_read_says_so(bench: Bench) -> None:
    bench.paths.benchmarks.parent.mkdir(parents=True, exist_ok=True)
    bench.paths.benchmarks.write_text("")
    opened(bench)

    error = bench.window.speed_page._error
    assert error is not None
    assert str(bench.paths.benchmarks) in error.text.cause


def test_what_spoils_a_report_is_said_in_its_line(bench: Bench) -> None:
    wrong = CheckResult("sparse", "int8", "Demo 1B", 33, 2, 5, 0.5, 0.01)
    keep(bench, replace(REPORT, others_share=0.6), measured_on("2026-12-01T12:00:00+00:00", checks=(wrong,)))
    failed, busy = cards(opened(bench))

    assert "WRONG" in failed.header.accessibleDescription()
    assert "busy" in busy.header.accessibleDescription()


# Measuring


def test_measuring_keeps_a_report_opens_it_and_loads_the_model_again(page: Bench) -> None:
    page.script.report = REPORT

    measured(page)

    (asked,) = page.engine.asked(RunBenchmark)
    assert asked.spec.model_id == STARTER.model_id  # type: ignore[union-attr]
    assert asked.spec.ember_version  # type: ignore[union-attr]
    assert [path.suffix for path in page.paths.benchmarks.iterdir()] == [".json"]
    assert [card.is_open for card in cards(page)] == [True]
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER
    reread(page)
    assert [card.is_open for card in cards(page)] == [True]
    page.window.show_chat_page()
    assert page.ask("still there?")


def test_another_model_can_be_chosen(page: Bench) -> None:
    page.script.report = REPORT
    combo = page.window.speed_page._model
    assert combo.currentText() == STARTER.name
    combo.setCurrentIndex(combo.findData(OTHER.model_id))
    combo.activated.emit(combo.currentIndex())

    measured(page)

    assert page.engine.asked(RunBenchmark)[0].spec.model_id == OTHER.model_id  # type: ignore[union-attr]
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER
    assert combo.currentData() == OTHER.model_id


def test_progress_is_shown_and_the_chat_says_that_it_pauses(page: Bench) -> None:
    gate = page.script.gates["benchmark"] = threading.Event()
    page.script.benchmark = (("decode", 1, 2),)
    page.script.report = REPORT
    speed_page = page.window.speed_page
    speed_page._measure.click()
    page.until(lambda: speed_page._running._line._words.text() == "Measuring decoding: 50 %")
    assert not speed_page._measure.isEnabled()
    assert "Chatting pauses" in speed_page._running._words.text()
    assert f"{STARTER.name} is loaded again" in speed_page._running._words.text()
    assert page.models.state == "measuring"

    page.window.show_chat_page()
    assert "Speed is being measured" in page.composer._hint.text()
    page.send("Hello?")
    page.until(lambda: page.transcript.has_status)
    assert page.engine.asked(Generate) == []
    gate.set()

    page.until(lambda: page.chat.path[-1].role == "assistant" and page.chat.answering is None)
    assert page.chat.path[-1].content == "Hello, world."
    assert "has been measured" in page.window.toast._label.text()


def test_an_answer_that_is_being_written_is_finished_first(page: Bench) -> None:
    gate = page.script.gates["answer"] = threading.Event()
    page.script.report = REPORT
    page.send("Tell me")
    page.until(lambda: page.chat.path[-1].content)
    speed_page = page.window.speed_page

    speed_page._measure.click()

    assert "Waits until the answer" in speed_page._running._words.text()
    assert page.engine.asked(RunBenchmark) == []
    gate.set()
    page.until(lambda: page.engine.asked(RunBenchmark))
    page.until(lambda: page.session.speed.measurement is None)
    assert page.chat.path[-1].status == "done"


def test_a_waiting_measurement_can_be_called_off(page: Bench) -> None:
    gate = page.script.gates["answer"] = threading.Event()
    page.send("Tell me")
    page.until(lambda: page.chat.path[-1].content)
    page.window.speed_page._measure.click()

    page.window.speed_page._running._line._cancel.click()
    gate.set()

    page.until(lambda: page.chat.answering is None)
    assert page.session.speed.measurement is None
    assert page.engine.asked(RunBenchmark) == []
    assert page.models.state == "ready"


def test_a_running_measurement_can_be_cancelled(page: Bench) -> None:
    page.script.gates["benchmark"] = threading.Event()
    page.script.benchmark = (("rates", 0, 2),)
    speed_page = page.window.speed_page
    speed_page._measure.click()
    page.until(lambda: speed_page._running._line._words.text().startswith("Measuring how fast"))

    speed_page._running._line._cancel.click()

    page.until(lambda: page.session.speed.measurement is None)
    assert page.engine.asked(Cancel)
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER
    assert cards(page) == []
    assert speed_page._error is None


def test_a_failed_measurement_is_explained_and_the_model_comes_back(page: Bench) -> None:
    page.script.benchmark_error = OutOfMemory("the benchmark", 9_000_000_000, 1_000_000_000).report()

    measured(page)

    error = page.window.speed_page._error
    assert error is not None
    assert "9.0 GB needed" in error.text.cause
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER
    page.session.speed.forget_error()
    assert page.window.speed_page._error is None


def test_an_engine_that_dies_while_measuring_is_told_and_can_be_restarted(page: Bench) -> None:
    page.script.gates["benchmark"] = threading.Event()
    page.window.speed_page._measure.click()
    page.until(lambda: page.engine.asked(RunBenchmark))

    page.engine.die()

    page.until(lambda: page.models.state == "stopped")
    assert page.session.speed.measurement is None
    assert page.window.speed_page._error is not None
    page.script.gates.clear()
    page.script.report = REPORT
    page.window.speed_page._measure.click()
    page.until(lambda: len(cards(page)) == 1)
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER


def test_a_model_asked_for_meanwhile_is_loaded_instead(page: Bench) -> None:
    gate = page.script.gates["benchmark"] = threading.Event()
    page.script.report = REPORT
    page.window.speed_page._measure.click()
    page.until(lambda: page.engine.asked(RunBenchmark))

    page.models.load(OTHER.model_id)
    gate.set()

    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == OTHER
    assert [request.model_id for request in page.engine.asked(LoadModel)] == [STARTER.model_id, OTHER.model_id]  # type: ignore[union-attr]


def test_measuring_without_a_loaded_model_loads_none(make_bench: MakeBench) -> None:
    broken = OutOfMemory("the model", 2, 1).report()
    script = Script(models=(OTHER,), report=REPORT, load_errors={OTHER.model_id: broken})
    bench = opened(make_bench(script).start(until_ready=False))
    bench.until(lambda: bench.models.state == "no model")

    measured(bench)

    assert bench.models.state == "no model"
    assert bench.engine.asked(LoadModel) == []
    assert len(cards(bench)) == 1


def test_without_a_model_nothing_can_be_measured(make_bench: MakeBench) -> None:
    bench = opened(make_bench(Script(models=())).start(until_ready=False))
    bench.until(lambda: bench.models.state == "no model")

    assert not bench.window.speed_page._measure.isEnabled()


def test_a_report_that_cannot_be_kept_is_shown_all_the_same(page: Bench) -> None:
    page.paths.benchmarks.write_text("")
    page.script.report = REPORT

    measured(page)

    (card,) = cards(page)
    assert card._shown.path is None
    error = page.window.speed_page._error
    assert error is not None
    assert "not kept" in error.text.cause
    press(card, "Delete")
    page.settle()
    assert cards(page) == []
    page.window.toast._button.click()
    assert len(cards(page)) == 1


# For everyone


def test_a_hundred_reports_leave_the_window_quick(bench: Bench) -> None:
    keep(bench, *(measured_on(f"2026-11-01T12:{n // 60:02}:{n % 60:02}+00:00") for n in range(100)))
    opened(bench)

    assert len(cards(bench)) == 100
    assert bench.window.findChildren(ReportTable) == []
    cards(bench)[0].header.click()
    assert cards(bench)[0].details._chart._points  # type: ignore[union-attr]


NAMES = ["A" * 300, "深度求索 大语言模型 稀疏激活 七十亿参数 对话版 " * 8, "a\nb<b>c</b>", ""]


@pytest.mark.parametrize("width", [440, 600, 760, 1180])
def test_nothing_sticks_out(make_bench: MakeBench, width: int) -> None:
    models = tuple(replace(STARTER, model_id=f"m{n}", name=name) for n, name in enumerate(NAMES))
    bench = make_bench(Script(models=models)).start()
    keep(bench, *(replace(REPORT, subject=replace(REPORT.subject, name=name)) for name in NAMES))
    bench.window.resize(width, 700)
    opened(bench)
    for card in cards(bench):
        card.header.click()
    bench.script.gates["benchmark"] = threading.Event()
    bench.window.speed_page._measure.click()
    (bench.paths.benchmarks / ("b" * 200 + ".json")).write_text("")
    reread(bench)
    bench.settle()

    page = bench.window.speed_page
    assert bench.window.width() == width
    assert page.widget().width() <= page.viewport().width()
    for widget in (page._measure, page._model, *(card.header for card in cards(bench))):
        assert right_edge(bench, widget) < width


def test_every_control_has_a_name(bench: Bench) -> None:
    keep(bench, REPORT)
    (kept,) = keep(bench, measured_on("2026-12-01T12:00:00+00:00"))
    (kept.parent / "broken.json").write_text("{")
    bench.script.gates["benchmark"] = threading.Event()
    opened(bench)
    bench.window.speed_page._measure.click()
    for card in cards(bench):
        card.header.click()
    bench.settle()

    assert unnamed(bench.window.speed_page) == []
    assert unnamed(bench.window.sidebar) == []


def test_the_tab_key_reaches_everything(bench: Bench) -> None:
    keep(bench, REPORT)
    (card,) = cards(opened(bench))
    card.header.click()
    bench.settle()
    reached = set()
    for _ in range(60):
        QTest.keyClick(bench.window.focusWidget(), Qt.Key.Key_Tab)
        reached.add(bench.window.focusWidget().accessibleName())

    for name in (
        "Back to the conversation",
        "Model to measure",
        "Measure the speed of Starter 135M now",
        card.header.accessibleName(),
        "What is shown over time",
        "Copy the report on Demo 1B as Markdown",
        "Delete the report on Demo 1B",
        "Open the folder of the reports",
        "Speed",
    ):
        assert name in reached, name


def test_the_page_is_reached_by_key_and_from_the_sidebar(bench: Bench) -> None:
    QTest.keyClick(bench.window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert bench.window.pages.currentWidget() is bench.window.speed_page
    bench.window.show_chat_page()

    bench.window.sidebar.speed.click()

    assert bench.window.pages.currentWidget() is bench.window.speed_page


def test_a_window_that_closes_while_measuring_leaves_nothing(page: Bench) -> None:
    page.script.gates["benchmark"] = threading.Event()
    page.window.speed_page._measure.click()
    page.until(lambda: page.engine.asked(RunBenchmark))

    page.session.speed.refresh()
    page.close()

    assert not page.paths.benchmarks.exists()
