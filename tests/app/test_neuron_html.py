"""The page of a study: whole, alone, escaped, and with every point where its number says."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from app.neuron_html import study_to_html
from app.neuron_text import study_facts, study_notes, study_tables
from app.svg_charts import Axis, Series, bar_chart, line_chart, matrix_chart
from engine.neuron_reports import STUDIES, CensusReport, StudyReport, Thresholding
from tests.app import neuron_samples as samples

VOID = {"meta", "br"}


class Page(HTMLParser):
    """Checks that every element is closed in its turn; keeps names, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.names: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def pages() -> list[tuple[str, StudyReport]]:
    subjects = (samples.RELU, samples.SILU, samples.LARGE)
    return [(f"{s.name} {study}", report) for s in subjects for study, report in samples.every_report(s)]


def svgs(html: str) -> list[ET.Element]:
    return [ET.fromstring(found) for found in re.findall(r"<svg.*?</svg>", html, re.DOTALL)]


@pytest.mark.parametrize(("name", "report"), pages(), ids=lambda x: x if isinstance(x, str) else "")
def test_a_page_is_well_formed_and_needs_nothing_else(name: str, report: StudyReport) -> None:
    html = study_to_html(report)
    page = Page(html)

    assert page.open == []
    assert not {"script", "link", "img", "iframe", "object", "a"} & set(page.names)
    assert not {"src", "href", "onload", "onclick"} & {attribute for attribute, _ in page.attributes}
    assert not re.search(r"url\(|@import|https?:", html)
    assert "prefers-color-scheme: dark" in html


@pytest.mark.parametrize("study", STUDIES)
def test_every_fact_note_and_cell_is_on_the_page(study: str) -> None:
    report = dict(samples.every_report())[study]

    text = "".join(Page(study_to_html(report)).text.split())

    cells = [c for every in (False, True) for t in study_tables(report, every_layer=every) for r in t.rows for c in r]
    facts = [value for _, value in study_facts(report)]
    wanted = {"".join(words.split()) for words in (*cells, *facts, *study_notes(report))}
    assert {words for words in wanted if words not in text} == set()


@pytest.mark.parametrize(
    ("study", "n_charts"), [("census", 6), ("profile", 4), ("predictors", 3), ("oracle", 4), ("tiers", 5)]
)
def test_each_report_has_its_charts(study: str, n_charts: int) -> None:
    charts = svgs(study_to_html(dict(samples.every_report())[study]))

    assert len(charts) == n_charts
    assert all(chart.get("role") == "img" and chart.get("aria-label") for chart in charts)


@pytest.mark.parametrize(("name", "report"), pages(), ids=lambda x: x if isinstance(x, str) else "")
def test_nothing_is_drawn_outside_its_chart(name: str, report: StudyReport) -> None:
    for chart in svgs(study_to_html(report)):
        _, _, width, height = map(float, chart.get("viewBox", "").split())
        for element in chart.iter():
            xs = [float(element.get(a, 0)) for a in ("x", "cx", "x1", "x2")]
            ys = [float(element.get(a, 0)) for a in ("y", "cy", "y1", "y2")]
            points = [tuple(map(float, pair.split(","))) for pair in element.get("points", "").split()]
            assert all(0 <= x <= width for x in [*xs, *(x for x, _ in points)])
            assert all(0 <= y <= height for y in [*ys, *(y for _, y in points)])


def test_no_two_tables_of_a_page_have_one_title() -> None:
    for _, report in samples.every_report():
        titles = re.findall(r"<summary>(.*?)</summary>", study_to_html(report))

        assert len(titles) == len(set(titles))


def test_what_a_model_is_called_cannot_become_markup() -> None:
    evil = '</title></style><script>alert("1")</script>&amp;\'" onload="x'
    subject = replace(samples.RELU, name=evil, model_id=evil, feed_forward=evil, weight_format=evil)
    for _, report in samples.every_report():
        head = replace(report.head, subject=subject, created=evil, ember_version=evil)
        html = study_to_html(replace(report, head=head))

        assert "script" not in Page(html).names
        assert "<script" not in html
        assert evil in Page(html).text


@pytest.mark.parametrize("loss", [1.0, 1e-4, 50.0])
def test_the_limits_of_tiers_are_drawn_into_the_ceiling(loss: float) -> None:
    report = samples.oracle()
    points = tuple(replace(p, kl_mean=loss * p.kl_mean, kl_p99=loss * p.kl_p99) for p in report.neurons[:3])

    (first, *_) = svgs(study_to_html(replace(report, neurons=points)))

    names = [e.text for e in first.iter("text") if e.get("class") == "limit-name"]
    assert names == ["fine: 0.01", "fast: 0.03"]


def test_a_point_lies_where_its_numbers_say() -> None:
    axis = Axis("x", str, 0.0, 10.0)

    chart = ET.fromstring(line_chart("t", axis, Axis("y", str, 0.0, 1.0), [Series("s", ((0, 0), (5, 0.5), (10, 1)))]))

    line = next(e for e in chart.iter("polyline"))
    (x0, y0), (x1, y1), (x2, y2) = (tuple(map(float, p.split(","))) for p in line.get("points", "").split())
    assert x0 < x1 < x2
    assert y0 > y1 > y2
    assert x1 == pytest.approx((x0 + x2) / 2, abs=0.1)
    assert y1 == pytest.approx((y0 + y2) / 2, abs=0.1)
    across = [float(e.get("y1", 0)) for e in chart.iter("line") if e.get("class") == "grid"]
    assert min(across) == pytest.approx(y2, abs=0.1)
    assert max(across) == pytest.approx(y0, abs=0.1)


def test_a_line_is_parted_where_a_point_is_left_out() -> None:
    x, y = Axis("layer", str, 0.0, 4.0), Axis("size", str, 0.1, 1.0, is_log=True)

    drawn = line_chart("t", x, y, [Series("s", ((0, 0.2), (1, 0.3), (2, 0.0), (3, 0.5), (4, 0.6)))])

    lines = ET.fromstring(f"<p>{drawn}</p>").iter("polyline")
    assert [len(line.get("points", "").split()) for line in lines] == [2, 2]


def test_silence_that_is_all_zeros_is_one_line() -> None:
    report = samples.census()
    layers = tuple(replace(layer, zeros=layer.silent) for layer in report.layers)

    apart, same = (svgs(study_to_html(r))[0] for r in (report, replace(report, layers=layers)))

    assert [len(list(chart.iter("polyline"))) for chart in (apart, same)] == [2, 1]


def test_dots_say_their_numbers() -> None:
    axis = Axis("layer", lambda v: f"{v:.0f}", 0.0, 3.0, is_whole=True)
    series = [Series("silent", ((2.0, 0.25),))]

    chart = line_chart("t", axis, Axis("share", lambda v: f"{100 * v:.0f} %", 0, 1), series)

    assert "<title>silent: layer 2, share 25 %</title>" in chart


def test_a_logarithmic_axis_places_by_ratio_and_leaves_zero_out() -> None:
    axis = Axis("KL", str, 1e-4, 1.0, is_log=True)

    assert axis.place(1e-2) == pytest.approx(0.5)
    assert not axis.has(0.0)
    assert axis.ticks() == pytest.approx([1e-4, 1e-3, 1e-2, 1e-1, 1.0])


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (0.0, 79.0), (-300.0, 900.0), (0.93, 1.0), (0.0, 1e-3), (5.0, 5.0)]
)
def test_ticks_are_few_round_and_within_the_axis(low: float, high: float) -> None:
    ticks = Axis("x", str, low, high).ticks()

    assert len(ticks) <= 8
    assert all(low - 1e-9 <= t <= high + 1e-9 for t in ticks)
    assert low == high or len(ticks) >= 2


def test_layers_have_whole_ticks_however_few_there_are() -> None:
    assert Axis("layer", str, 0.0, 1.0, is_whole=True).ticks() == [0.0, 1.0]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_left_out(bad: float) -> None:
    axis = Axis("x", str, 0.0, 1.0)

    drawn = line_chart("t", axis, axis, [Series("s", ((0.0, 0.0), (0.5, bad), (1.0, 1.0)))])
    drawn += bar_chart("t", [("a", bad, "?"), ("b", 1.0, "1")])
    drawn += matrix_chart("t", ["a"], [[bad]], str)

    assert "nan" not in drawn
    assert "inf" not in drawn


def test_a_census_of_zeros_alone_is_drawn() -> None:
    layer = replace(
        samples.census().layers[0], magnitudes=(0.0,) * 8, coverage=(0.0,) * 21, thresholding=(Thresholding(0, 1, 0),)
    )
    report = CensusReport(1, samples.head(), (layer,))

    assert Page(study_to_html(report)).open == []
