"""The page on neurons says what is known, studies without losing the chat, and draws every report there can be."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from app.neuron_words import refused_words
from app.window import dialogs
from app.window.model_words import model_words
from app.window.neurons.axes import fill, log_axis, share_axis
from app.window.neurons.chart import Chart
from app.window.neurons.learning_choice import Caption
from app.window.neurons.matrix import Matrix
from app.window.neurons.plot import Plot
from app.window.neurons.plot_data import Axis
from app.window.neurons.study_card import StudyCard
from app.window.neurons.study_charts import study_charts
from app.window.neurons.study_details import StudyDetails
from app.window.report_card import ReportTable
from app.window.wording import number, tied
from engine.errors import DamagedFile, OutOfDisk
from engine.messages import Cancel, ForgetChats, Generate, LoadModel, ReadStudies, StudyNeurons
from engine.neuron_reports import (
    STUDIES,
    OraclePoint,
    PredictorFigures,
    StudyReport,
    Subject,
    study_from_json,
)
from tests.app import neuron_samples
from tests.app.conftest import Bench
from tests.app.fake_engine import OTHER, STARTER, Script
from tests.app.test_window_shell import right_edge, unnamed

MakeBench = Callable[..., Bench]


def opened(bench: Bench) -> Bench:
    """The page of a window, once what is known has been read."""
    bench.window.show_neurons_page()
    bench.until(lambda: bench.session.studies.known is not None)
    bench.settle()
    return bench


@pytest.fixture
def page(bench: Bench) -> Bench:
    return opened(bench)


@pytest.fixture
def full(make_bench: MakeBench) -> Bench:
    """A page whose model has been studied in every way, and has both tiers."""
    known = {STARTER.model_id: neuron_samples.every_report()}
    return opened(make_bench(Script(known=known, tiers=("exact", "fine", "fast"))).start())


def card(bench: Bench, study: str) -> StudyCard:
    return bench.window.neurons_page.cards[study]


def opened_details(bench: Bench, study: str) -> StudyDetails:
    it = card(bench, study)
    if not it.is_open:
        it._toggle.click()
    bench.settle()
    assert it.details is not None
    return it.details


def studied(bench: Bench, study: str) -> None:
    card(bench, study)._start.click()
    bench.until(lambda: bench.session.studies.running is None)


# What is known


def test_without_reports_every_study_says_what_it_tells_and_one_is_to_begin_with(page: Bench) -> None:
    for study in STUDIES:
        it = card(page, study)
        assert it.isVisible()
        assert it._about.isVisible()
        assert "small model" in it._about.text()  # how long it takes
        assert it._start.text() == "Start"
        assert not it._toggle.isVisible()
        assert not it._resume.isVisible()
    kinds = [card(page, study)._start.property("kind") for study in STUDIES]
    assert kinds == ["primary", "plain", "plain", "plain", "plain"]


def test_reports_are_said_in_a_sentence_and_open_to_their_figures(full: Bench) -> None:
    it = card(full, "census")
    assert it._words.text().startswith(tied("30 % of the neurons are active for a token"))
    assert f"{number(16384)} tokens of text" in it._origin.text()
    assert it.details is None

    details = opened_details(full, "census")

    assert [type(chart) for chart in details.charts] == [Plot] * 7
    assert all(chart.isVisible() for chart in details.charts)
    assert details.findChildren(ReportTable) == []
    details._toggle.click()
    assert details.findChildren(ReportTable)
    it._toggle.click()
    assert not details.isVisible()


def test_what_is_known_is_read_again_when_the_page_is_shown_again(page: Bench) -> None:
    page.script.known[STARTER.model_id] = (("census", neuron_samples.census()),)
    page.window.show_chat_page()
    page.window.show_neurons_page()

    page.until(lambda: card(page, "census")._toggle.isVisible())


def test_another_model_can_be_looked_at_and_the_loaded_one_comes_first(page: Bench) -> None:
    page.script.known[OTHER.model_id] = (("oracle", neuron_samples.oracle()),)
    combo = page.window.neurons_page._model
    assert [combo.itemText(i) for i in range(combo.count())] == [STARTER.name, OTHER.name]
    assert combo.currentText() == STARTER.name

    combo.setCurrentIndex(1)
    combo.activated.emit(1)
    page.until(lambda: page.session.studies.known is not None)

    assert [r.model_id for r in page.engine.asked(ReadStudies)][-1] == OTHER.model_id  # type: ignore[union-attr]
    assert card(page, "oracle")._toggle.isVisible()
    assert page.engine.loaded == STARTER


def test_a_stale_report_says_so_and_offers_to_run_again(make_bench: MakeBench) -> None:
    bench = opened(make_bench(Script(stale=("census",))).start())

    assert "packed anew" in card(bench, "census")._note.label.text()
    assert card(bench, "census")._start.text() == "Run again"
    assert not card(bench, "profile")._note.isVisible()


def test_damaged_reports_say_so_beside_the_sound_ones(make_bench: MakeBench) -> None:
    bench = opened(make_bench(Script(damaged=("census", "oracle"))).start())

    for study in ("census", "oracle"):
        assert "damaged" in card(bench, study)._note.label.text()
        assert card(bench, study)._start.text() == "Run again"
    assert not card(bench, "profile")._note.isVisible()


def test_what_cannot_be_read_is_told_and_read_again_on_request(make_bench: MakeBench) -> None:
    script = Script(read_error=DamagedFile("/models/census.json", "no JSON").report())
    bench = make_bench(script).start()
    bench.window.show_neurons_page()
    neurons = bench.window.neurons_page
    bench.until(lambda: neurons._error is not None)
    assert neurons._error is not None
    assert "census.json" in neurons._error.text.cause
    assert len(bench.engine.asked(ReadStudies)) == 1
    assert not card(bench, "census").isVisible()

    script.read_error = None
    next(b for b in neurons._error.findChildren(QPushButton) if b.text() == "Try again").click()

    bench.until(lambda: card(bench, "census").isVisible())
    assert neurons._error is None


def test_a_model_without_silent_neurons_is_told_why_some_studies_are_not_for_it(make_bench: MakeBench) -> None:
    silu = replace(STARTER, feed_forward="gated silu", is_sparse=False)
    bench = opened(make_bench(Script(models=(silu,))).start())

    for study in ("predictors", "tiers"):
        assert "gated silu" in card(bench, study)._about.text()
        assert not card(bench, study)._start.isVisible()
    assert card(bench, "census")._start.isVisible()


def test_tiers_that_are_refused_say_why(make_bench: MakeBench) -> None:
    report = neuron_samples.tiers(offered=())
    bench = opened(make_bench(Script(known={STARTER.model_id: (("tiers", report),)})).start())

    words = card(bench, "tiers")._words.text()
    assert [refused.reason for refused in report.refused] == ["no_gain", "above_limit"]
    assert all(refused_words(refused) in words for refused in report.refused)
    assert not bench.window.neurons_page.compare.isVisible()


# Studying


def test_a_study_keeps_its_report_opens_it_and_loads_the_model_again(page: Bench) -> None:
    page.script.reports["census"] = neuron_samples.census()

    studied(page, "census")

    (asked,) = page.engine.asked(StudyNeurons)
    spec = asked.spec  # type: ignore[union-attr]
    assert (spec.study, spec.model_id, spec.paths, spec.is_resumed) == ("census", STARTER.model_id, (), False)
    assert spec.ember_version
    assert card(page, "census").is_open
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER
    page.until(lambda: page.session.studies._read_id == "")
    assert card(page, "census").is_open
    page.window.show_chat_page()
    assert page.ask("still there?")


def test_progress_and_the_time_left_are_shown_and_the_chat_says_that_it_pauses(page: Bench) -> None:
    gate = page.script.gates["study"] = threading.Event()
    now = iter((0.0, 10.0, 20.0))
    page.session.studies._clock = lambda: next(now)
    page.script.study = (("observe", 0, 1000), ("observe", 100, 1000))
    page.script.reports["census"] = neuron_samples.census()
    it = card(page, "census")
    it._start.click()
    page.until(lambda: "10 %" in it._line._words.text())

    assert it._line._words.text() == "Watching neurons while text is read: 10 % · about 2 min left"
    assert it._line._cancel.text() == "Pause"
    assert "Chatting pauses" in it._meanwhile.text()
    assert f"{STARTER.name} is loaded again" in it._meanwhile.text()
    assert not it._start.isVisible()
    assert not card(page, "profile")._start.isEnabled()
    assert not page.window.neurons_page._model.isEnabled()
    assert page.models.state == "measuring"
    assert "neurons are studied" in model_words(page.models)[1]
    page.window.show_chat_page()
    assert "Neurons are being studied" in page.composer._hint.text()
    page.send("Hello?")
    page.until(lambda: page.transcript.has_status)
    assert page.engine.asked(Generate) == []
    gate.set()

    page.until(lambda: page.chat.path[-1].role == "assistant" and page.chat.answering is None)
    assert page.chat.path[-1].content == "Hello, world."
    assert "study of Starter 135M is done" in page.window.toast._label.text()


def test_the_time_left_is_not_shown_until_it_is_known(page: Bench) -> None:
    page.script.gates["study"] = threading.Event()
    page.session.studies._clock = lambda: 0.0
    page.script.study = (("observe", 0, 1000), ("observe", 100, 1000))
    it = card(page, "census")
    it._start.click()
    page.until(lambda: "10 %" in it._line._words.text())

    assert "left" not in it._line._words.text()


def test_a_paused_study_keeps_what_it_has_and_goes_on_from_there(page: Bench) -> None:
    page.script.gates["study"] = threading.Event()
    page.script.study = (("train", 3, 8),)
    it = card(page, "predictors")
    it._start.click()
    page.until(lambda: it._line._words.text() == "Training predictors: 37 %")

    it._line._cancel.click()
    page.until(lambda: it._resume.isVisible())

    assert page.engine.asked(Cancel)
    assert it._note.label.text() == "Paused at 38 %; it can go on from there."
    assert it._error is None
    page.until(lambda: page.models.state == "ready")
    del page.script.gates["study"]
    page.script.reports["predictors"] = neuron_samples.predictors()
    it._resume.click()
    page.until(lambda: it.is_open)
    assert page.engine.asked(StudyNeurons)[-1].spec.is_resumed  # type: ignore[union-attr]
    assert not it._resume.isVisible()


def test_an_unfinished_study_can_be_begun_anew(make_bench: MakeBench) -> None:
    script = Script(unfinished={"oracle": 0.5}, reports={"oracle": neuron_samples.oracle()})
    bench = opened(make_bench(script).start())
    assert card(bench, "oracle")._start.text() == "Start anew"

    studied(bench, "oracle")

    assert not bench.engine.asked(StudyNeurons)[-1].spec.is_resumed  # type: ignore[union-attr]


def test_an_answer_that_is_being_written_is_finished_first(page: Bench) -> None:
    gate = page.script.gates["answer"] = threading.Event()
    page.script.reports["census"] = neuron_samples.census()
    page.window.show_chat_page()
    page.send("Tell me")
    page.until(lambda: page.chat.path[-1].content)
    page.window.show_neurons_page()

    card(page, "census")._start.click()

    assert "Waits until the answer" in card(page, "census")._meanwhile.text()
    assert page.engine.asked(StudyNeurons) == []
    gate.set()
    page.until(lambda: card(page, "census").is_open)
    assert page.chat.path[-1].status == "done"


def test_a_study_that_waits_can_be_called_off(page: Bench) -> None:
    gate = page.script.gates["answer"] = threading.Event()
    page.window.show_chat_page()
    page.send("Tell me")
    page.until(lambda: page.chat.path[-1].content)
    page.window.show_neurons_page()
    card(page, "census")._start.click()

    card(page, "census")._line._cancel.click()
    gate.set()

    page.until(lambda: page.chat.answering is None)
    assert page.session.studies.running is None
    assert page.engine.asked(StudyNeurons) == []


def test_a_study_and_a_measurement_take_turns(page: Bench) -> None:
    gate = page.script.gates["benchmark"] = threading.Event()
    page.script.reports["census"] = neuron_samples.census()
    page.session.speed.measure(STARTER.model_id)
    page.until(lambda: page.models.state == "measuring")

    card(page, "census")._start.click()

    assert "speed measurement" in card(page, "census")._meanwhile.text()
    assert page.engine.asked(StudyNeurons) == []
    gate.set()
    page.until(lambda: card(page, "census").is_open)


def test_a_failed_study_is_explained_and_the_model_comes_back(page: Bench) -> None:
    page.script.study_error = OutOfDisk("/models/x.neurons", 2_400_000_000, 310_000_000).report()

    studied(page, "predictors")

    it = card(page, "predictors")
    assert it._error is not None
    assert "2.4 GB needed" in it._error.text.cause
    assert card(page, "census")._error is None
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER
    next(b for b in it._error.findChildren(QPushButton) if b.text() == "Close").click()
    assert it._error is None


def test_an_engine_that_dies_while_studying_is_told_and_the_study_can_go_on(page: Bench) -> None:
    page.script.gates["study"] = threading.Event()
    it = card(page, "census")
    it._start.click()
    page.until(lambda: page.engine.asked(StudyNeurons))

    page.engine.die()

    page.until(lambda: page.models.state == "stopped")
    assert page.session.studies.running is None
    assert it._error is not None
    page.script.gates.clear()
    page.script.reports["census"] = neuron_samples.census()
    next(b for b in it._error.findChildren(QPushButton) if b.text() == "Try again").click()
    page.until(lambda: it.is_open)
    assert page.engine.asked(StudyNeurons)[-1].spec.is_resumed  # type: ignore[union-attr]
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER


def test_a_model_that_is_not_loaded_is_studied_and_the_loaded_one_comes_back(page: Bench) -> None:
    page.session.studies.choose(OTHER.model_id)
    page.until(lambda: page.session.studies.known is not None)
    page.script.reports["census"] = neuron_samples.census()

    studied(page, "census")

    assert page.engine.asked(StudyNeurons)[0].spec.model_id == OTHER.model_id  # type: ignore[union-attr]
    page.until(lambda: page.models.state == "ready")
    assert page.engine.loaded == STARTER
    assert page.window.neurons_page._model.currentData() == OTHER.model_id
    page.until(lambda: card(page, "census")._toggle.isVisible())


def test_the_users_own_text_is_studied_with(page: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogs, "ask_for_texts", lambda parent, use: use(("/home/me/a.txt", "/home/me/b.md")))
    page.script.reports["census"] = neuron_samples.census()
    combo = page.window.neurons_page._text
    assert combo.currentText() == "the bundled text"

    combo.activated.emit(1)
    assert combo.currentText() == "2 files of mine"
    studied(page, "census")

    assert page.engine.asked(StudyNeurons)[0].spec.paths == ("/home/me/a.txt", "/home/me/b.md")  # type: ignore[union-attr]
    combo.activated.emit(0)
    assert combo.currentText() == "the bundled text"
    assert page.session.studies.texts == ()


def test_without_a_model_the_page_says_where_one_comes_from(make_bench: MakeBench) -> None:
    bench = make_bench(Script(models=())).start(until_ready=False)
    bench.until(lambda: bench.models.state == "no model")
    bench.window.show_neurons_page()

    assert "Import one" in bench.window.neurons_page._waits.text()
    assert not card(bench, "census").isVisible()


def test_a_window_that_closes_while_studying_leaves_nothing(page: Bench) -> None:
    page.script.gates["study"] = threading.Event()
    card(page, "census")._start.click()
    page.until(lambda: page.engine.asked(StudyNeurons))

    page.close()

    assert not page.engine.alive


# Plots


@pytest.mark.parametrize("subject", [neuron_samples.RELU, neuron_samples.SILU, neuron_samples.LARGE])
@pytest.mark.parametrize("study", STUDIES)
def test_every_report_is_drawn_with_words_and_numbers(qapp: QApplication, subject: Subject, study: str) -> None:
    report = dict(neuron_samples.every_report(subject))[study]

    for chart in study_charts(report, subject.n_layers - 1):
        assert chart.data.title
        assert chart.words.endswith(".")
        widget: Plot | Matrix = Matrix() if not hasattr(chart.data, "lines") else Plot()
        widget.resize(380, 300)
        widget.show_data(chart.data, chart.words)  # type: ignore[arg-type]
        assert widget._stops()
        for at in range(len(widget._stops())):
            widget.choose_stop(at)
            assert widget.accessibleDescription() == widget.stop_words != ""
        widget.grab()
        widget.deleteLater()


def flat() -> StudyReport:
    """The census of a model that does nothing, in one layer."""
    census = neuron_samples.census()
    nothing = replace(
        census.layers[0],
        zeros=1.0, silent=1.0, magnitudes=(0.0,) * 8, covering=(0.0,) * 4, coverage=(0.0,) * 21, overlap=0.0,
        unions=(0.0,) * 5, dead=1.0, always_on=0.0, thresholding=(),
    )  # fmt: skip
    return replace(census, layers=(nothing,))


EDGES: dict[str, StudyReport] = {
    "nothing is ever active": flat(),
    "no layers": replace(neuron_samples.census(), layers=()),
    "no errors at any threshold": replace(
        neuron_samples.census(),
        layers=tuple(
            replace(layer, thresholding=tuple(replace(t, output_error=0.0) for t in layer.thresholding))
            for layer in neuron_samples.census().layers
        ),
    ),
    "one use": replace(neuron_samples.profile(), uses=neuron_samples.profile().uses[:1], overlaps=()),
    "no uses": replace(neuron_samples.profile(), uses=(), overlaps=()),
    "no predictors": replace(neuron_samples.predictors(), layers=((),) * 30),
    "a predictor in one layer that costs more than it saves": replace(
        neuron_samples.predictors(),
        layers=((PredictorFigures("sign", "normed", 0, 10, 0.0, 1.0, 1.0, 1.0, 0.1, -10.0),), *((),) * 29),
    ),
    "no ceiling": replace(neuron_samples.oracle(), neurons=(), heads=()),
    "a ceiling at all": replace(neuron_samples.oracle(), neurons=(OraclePoint(1.0, 0.0, 0.0, 0.0, 9.0),), heads=()),
    "no speeds": replace(neuron_samples.tiers(offered=()), dense_bytes=0.0, dense_tokens_per_s=0.0, tiers=()),
}


@pytest.mark.parametrize("name", EDGES)
def test_reports_at_their_edges_can_be_shown(make_bench: MakeBench, name: str) -> None:
    report = EDGES[name]
    study = next(s for s, kind in neuron_samples.every_report() if type(kind) is type(report))
    bench = opened(make_bench(Script(known={STARTER.model_id: ((study, report),)})).start())

    details = opened_details(bench, study)

    details.grab()
    for chart in details.charts:
        for at in range(len(chart._stops())):
            chart.choose_stop(at)
        chart.grab()


def test_arrow_keys_tell_the_numbers_one_after_the_other(full: Bench) -> None:
    chart = opened_details(full, "census").charts[0]
    chart.setFocus()

    QTest.keyClick(chart, Qt.Key.Key_Right)
    first = chart.stop_words
    QTest.keyClick(chart, Qt.Key.Key_Right)
    second = chart.stop_words
    QTest.keyClick(chart, Qt.Key.Key_End)
    last = chart.stop_words
    QTest.keyClick(chart, Qt.Key.Key_Right)

    assert first.splitlines() == ["layer 0", "silent: 44 %", "exact zeros: 40 %"]
    assert second.startswith("layer 1\n")
    assert last.startswith("layer 29\n")
    assert chart.stop_words == last
    QTest.keyClick(chart, Qt.Key.Key_Home)
    assert chart.stop_words == first
    card(full, "census")._toggle.setFocus()
    assert chart.stop_words == ""


def test_arrow_keys_go_up_and_down_a_matrix(full: Bench) -> None:
    matrix = next(c for c in opened_details(full, "profile").charts if isinstance(c, Matrix))
    matrix.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right):
        QTest.keyClick(matrix, key)

    assert matrix.stop_words.startswith("Chinese and code\n")
    assert "hot neurons in common: 65 %" in matrix.stop_words


def test_the_pointer_tells_the_nearest_numbers(full: Bench) -> None:
    chart = opened_details(full, "census").charts[0]
    assert isinstance(chart, Plot)
    place = chart._point(12.2, 0.4).toPoint()

    QTest.mouseMove(chart, place)
    full.until(lambda: chart.stop_words.startswith("layer 12\n"))
    QTest.mouseMove(chart, QPoint(2, 2))

    full.until(lambda: chart.stop_words == "")


def test_the_chosen_layer_stands_beside_the_mean(full: Bench) -> None:
    details = opened_details(full, "census")
    coverage = details.charts[1]
    assert isinstance(coverage, Plot)
    assert details._layer is not None

    details._layer.setCurrentIndex(8)

    assert [line.name for line in coverage.data.lines if line.name] == ["each layer", "mean", "layer 7"]
    assert coverage.data.lines[-1].points[4][1] == neuron_samples.census().layers[7].coverage[4]
    details._layer.setCurrentIndex(0)
    assert [line.name for line in coverage.data.lines if line.name] == ["each layer", "mean"]


def test_limits_of_the_tiers_are_drawn_on_the_ceiling(full: Bench) -> None:
    loss = opened_details(full, "oracle").charts[0]
    assert isinstance(loss, Plot)

    assert [(limit.value, limit.words) for limit in loss.data.limits] == [(0.01, "fine ≤ 0.01"), (0.03, "fast ≤ 0.03")]
    assert loss.data.y.is_log
    assert "20 % of the neurons suffice within the limit of fine, 15 % within that of fast" in loss.accessibleName()


def test_heads_that_are_all_needed_are_not_said_to_suffice() -> None:
    report = neuron_samples.oracle()
    all_needed = tuple(replace(p, kl_mean=0.0 if p.kept == 1 else 1.0) for p in report.heads)

    (loss, _) = study_charts(replace(report, heads=all_needed))

    assert "heads cannot be left out" in loss.words
    assert "100 %" not in loss.words


@pytest.mark.parametrize("value", [0.0, 1e-9, 0.5, 1.0, 7.0])
def test_a_place_on_an_axis_is_within_it(value: float) -> None:
    for axis in (Axis("", 0.0, 1.0, ()), log_axis("", [0.001, 1.0]), share_axis("", [0.3])):
        assert 0.0 <= axis.place(value) <= 1.0


def test_decades_are_equally_far_from_each_other() -> None:
    axis = log_axis("", [0.004, 30.0])

    assert (axis.low, axis.high) == (0.001, 100.0)
    places = [axis.place(value) for value, _ in axis.ticks]
    assert places == pytest.approx([i / 5 for i in range(6)])
    assert [label for _, label in axis.ticks] == ["0.001", "0.01", "0.1", "1", "10", "100"]


def test_places_are_filled_in_order() -> None:
    assert fill("%2 of %1", "a", "b") == "b of a"


# Saving


def saved_as(bench: Bench, study: str, which: int) -> tuple[str, str, bytes]:
    asked: list[tuple[str, str, bytes]] = []
    neurons = bench.window.neurons_page
    neurons.save_asked.disconnect()
    neurons.save_asked.connect(lambda name, kind, content: asked.append((name, kind, bytes(content))))
    menu = opened_details(bench, study).findChildren(QMenu)[0]
    menu.actions()[which].trigger()
    ((name, kind, content),) = asked
    return name, kind, content


def test_a_report_is_saved_as_figures_a_page_and_a_picture(full: Bench) -> None:
    report = neuron_samples.oracle()

    page = saved_as(full, "oracle", 0)
    figures = saved_as(full, "oracle", 1)
    picture = saved_as(full, "oracle", 2)
    whole = saved_as(full, "oracle", 3)

    assert figures[:2] == ("starter-135m-oracle.json", "json")
    assert study_from_json("oracle", figures[2].decode()) == report
    assert page[:2] == ("starter-135m-oracle.html", "html")
    assert page[2].lstrip().lower().startswith(b"<!doctype html")
    assert picture[:2] == ("starter-135m-oracle.png", "png")
    assert QImage.fromData(picture[2]).width() == card(full, "oracle").width()
    assert whole[0] == "starter-135m-neurons.png"
    assert QImage.fromData(whole[2]).height() > QImage.fromData(picture[2]).height()


def test_a_saved_file_is_written_and_a_failure_is_told(full: Bench, tmp_path: Path) -> None:
    full.window.report_files.write(tmp_path / "report.json", b"{}")
    assert (tmp_path / "report.json").read_bytes() == b"{}"
    assert "Saved as report.json" in full.window.toast._label.text()

    full.window.report_files.write(tmp_path / "missing" / "report.json", b"{}")
    assert "could not be saved" in full.window.toast._label.text()


# Learning from chats


def test_chats_are_counted_only_where_that_is_switched_on(page: Bench) -> None:
    learning = page.window.neurons_page.learning
    assert not learning.box.isChecked()
    page.window.show_chat_page()
    page.ask("one")

    page.window.show_neurons_page()
    (caption,) = learning.findChildren(Caption)
    QTest.mouseClick(caption, Qt.MouseButton.LeftButton)
    assert learning.box.isChecked()
    page.window.show_chat_page()
    page.ask("two")

    assert [r.counts_neurons for r in page.engine.asked(Generate)] == [False, True]  # type: ignore[union-attr]
    page.session.settings.save()
    assert "counts_neurons = true" in page.paths.settings.read_text()


def test_what_was_counted_of_chats_can_be_deleted(page: Bench) -> None:
    learning, studies = page.window.neurons_page.learning, page.window.neurons_page._studies
    assert not learning._forget.isVisibleTo(learning)
    page.script.chat_tokens = 1234
    studies.refresh()
    page.until(lambda: learning._forget.isVisibleTo(learning))
    assert "1,234" in learning._forget.text()

    learning._forget.click()

    page.until(lambda: not learning._forget.isVisibleTo(learning))
    assert len(page.engine.asked(ForgetChats)) == 1


# For everyone

NAMES = ["A" * 300, "深度求索 大语言模型 稀疏激活 七十亿参数 对话版 " * 8, "a\nb<b>c</b>", ""]


@pytest.mark.parametrize("width", [440, 600, 760, 1180])
def test_nothing_sticks_out(make_bench: MakeBench, width: int) -> None:
    models = tuple(replace(STARTER, model_id=f"m{n}", name=name) for n, name in enumerate(NAMES))
    subject = replace(neuron_samples.RELU, name=NAMES[0], feed_forward="B" * 90)
    script = Script(
        models=models, known={"m0": neuron_samples.every_report(subject)}, tiers=("exact", "fine", "fast"),
        study_error=DamagedFile("/" + "c" * 200, "d" * 120).report(),
    )  # fmt: skip
    bench = make_bench(script).start()
    bench.window.resize(width, 700)
    opened(bench)
    studied(bench, "oracle")
    bench.until(lambda: bench.models.state == "ready")
    for study in STUDIES:
        details = opened_details(bench, study)
        details._toggle.click()
    bench.settle()

    neurons = bench.window.neurons_page
    assert bench.window.width() == width
    assert neurons.widget().width() <= neurons.viewport().width()
    for study in STUDIES:
        it = card(bench, study)
        assert it.details is not None
        for widget in (it, it._start, *it.details.findChildren(Chart), *it.details.findChildren(ReportTable)):
            assert right_edge(bench, widget) < width, (study, widget)


def test_every_control_has_a_name(full: Bench) -> None:
    for study in STUDIES:
        opened_details(full, study)._toggle.click()
    full.script.gates["study"] = threading.Event()
    card(full, "census")._start.click()
    full.settle()

    assert unnamed(full.window.neurons_page) == []
    assert unnamed(full.window.comparison_page) == []
    assert unnamed(full.window.top_bar) == []


def test_the_tab_key_reaches_everything(full: Bench) -> None:
    charts = opened_details(full, "oracle").charts
    full.window.neurons_page.compare.prompt.setText("Explain how rain forms")
    reached = set()
    for _ in range(90):
        QTest.keyClick(full.window.focusWidget(), Qt.Key.Key_Tab)
        reached.add(full.window.focusWidget().accessibleName())

    for name in (
        "Back to the conversation",
        "Model to study",
        "Text that studies read",
        "Run again: Census",
        "Show the figures: Census",
        "Learn from my chats which neurons are used (kept on this computer)",
        "Open the folder where the counts are kept",
        "Show the tables: Two-pass ceiling",
        "Save the report: Two-pass ceiling",
        "Prompt to compare answers to",
        "Tier to compare with exact",
        "Compare exact with the tier",
        "Answers are computed: exact",
        "Neurons",
        *(chart.accessibleName() for chart in charts),
    ):
        assert name in reached, name


def test_the_page_is_reached_by_key_and_from_the_sidebar(bench: Bench) -> None:
    QTest.keyClick(bench.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert bench.window.pages.currentWidget() is bench.window.neurons_page
    bench.window.show_chat_page()

    bench.window.sidebar.neurons.click()

    assert bench.window.pages.currentWidget() is bench.window.neurons_page


def test_a_hidden_page_asks_for_nothing(bench: Bench) -> None:
    bench.models.load(OTHER.model_id)
    bench.until(lambda: bench.engine.loaded == OTHER)

    assert bench.engine.asked(ReadStudies) == []
    assert len(bench.engine.asked(LoadModel)) == 2


def test_a_study_that_ends_before_anything_was_read_is_shown_all_the_same(make_bench: MakeBench) -> None:
    """As where the window is opened anew while what is kept cannot be read yet."""
    script = Script(reports={"census": neuron_samples.census()}, gates={"studies": threading.Event()})
    bench = make_bench(script).start()
    bench.session.studies.start("census")
    bench.until(lambda: bench.session.studies.running is None)

    assert bench.session.studies.report("census") == neuron_samples.census()
    assert "study of Starter 135M is done" in bench.window.toast._label.text()
