"""Predictors as plots: what they find for what they name, and the bytes that saves in each layer.

Owns which figures of the report are drawn together, and the sentence that says what each plot means for the model.
"""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from app.neuron_figures import WANTED_RECALL, at_wanted_recall, mean
from app.neuron_text import study_headline
from app.neuron_words import percent, predictor_name, share, signed_bytes
from app.window.neurons.axes import (
    StudyChart,
    bytes_axis,
    fill,
    ink_of,
    layer_axis,
    layer_name,
    nice_floor,
    range_axis,
    share_axis,
)
from app.window.neurons.plot_data import Bars, Limit, Line, PlotData, Stop
from engine.neuron_reports import PREDICTOR_INPUTS, PREDICTOR_KINDS, PredictorFigures, PredictorReport

Way = tuple[str, str, int]  # kind, reads, rank


def predictor_charts(report: PredictorReport, layer: int | None) -> tuple[StudyChart, ...]:
    """With `layer`, recall in that layer in place of the mean of all."""
    if not any(report.layers):
        return ()
    return _recall(report, layer), _saved(report), _named(report)


def _way(point: PredictorFigures) -> Way:
    return point.kind, point.reads, point.rank


def _ways(layers: Iterable[Sequence[PredictorFigures]]) -> list[Way]:
    """Every predictor that was tried, in a fixed order."""
    found = {_way(p) for layer in layers for p in layer}
    return sorted(found, key=lambda w: (PREDICTOR_KINDS.index(w[0]), w[2], PREDICTOR_INPUTS.index(w[1])))


def _recall(report: PredictorReport, layer: int | None) -> StudyChart:
    """Of one layer, or the mean over layers of the points that lie at the same place in each one's list."""
    shown = report.layers if layer is None else (report.layers[layer],)
    lines, stops = [], []
    for i, way in enumerate(_ways(report.layers)):
        of_layers = [[p for p in each if _way(p) == way] for each in shown]
        of_layers = [points for points in of_layers if points]
        n_points = min((len(points) for points in of_layers), default=0)
        points = []
        for at in range(n_points):
            here = [each[at] for each in of_layers]
            named, recall = mean([p.named for p in here]), mean([p.recall_weighted for p in here])
            points.append((named, recall))
            figures = fill(
                _tr("named: %1\nrecall: %2, weighted %3\nprecision: %4\nsaves a layer: %5"),
                share(named),
                share(mean([p.recall for p in here])),
                share(recall),
                share(mean([p.precision for p in here])),
                signed_bytes(mean([p.saved_bytes for p in here])),
            )
            stops.append(Stop(named, f"{predictor_name(*way)}\n{figures}"))
        if points:
            is_ahead = way[1] == "entering"
            lines.append(
                Line(predictor_name(*way), tuple(sorted(points)), ink_of(i), is_dashed=is_ahead, has_dots=True)
            )
    lowest = min((y for line in lines for _, y in line.points), default=0.9)
    y = range_axis(_tr("weighted recall"), nice_floor(lowest), 1.0)
    title = _tr("Recall against what is named")
    if layer is not None:
        title = f"{title}, {layer_name(layer)}"
    active = mean(report.active) if layer is None else report.active[layer]
    words = _tr("%1 of the neurons are active. The nearer to the upper left a predictor comes, the better it is.")
    x = share_axis(_tr("named, of the neurons"))
    limits = (Limit(WANTED_RECALL, percent(WANTED_RECALL), is_below=True),)
    stops.sort(key=lambda stop: stop.x)
    return StudyChart(
        PlotData(title, x, y, tuple(lines), limits=limits, stops=tuple(stops)), fill(words, share(active))
    )


def _saved(report: PredictorReport) -> StudyChart:
    best = [max(at_wanted_recall(layer), key=lambda p: p.saved_bytes, default=None) for layer in report.layers]
    saved = [point.saved_bytes if point is not None else 0.0 for point in best]
    stops = []
    for i, point in enumerate(best):
        words = _tr("no predictor reaches the recall")
        if point is not None:
            words = f"{predictor_name(*_way(point))}\n" + fill(
                _tr("saves %1 a token\nnamed: %2"), signed_bytes(point.saved_bytes), share(point.named)
            )
        stops.append(Stop(float(i), f"{layer_name(i)}\n{words}"))
    bars = (
        Bars(_tr("saves"), tuple((float(i), v) for i, v in enumerate(saved) if v >= 0), "good", 0.8),
        Bars(
            _tr("costs more than it saves"), tuple((float(i), v) for i, v in enumerate(saved) if v < 0), "danger", 0.8
        ),
    )
    data = PlotData(
        fill(_tr("Bytes the best predictor saves at a recall of %1"), percent(WANTED_RECALL)),
        layer_axis(len(saved)),
        bytes_axis(_tr("a token"), saved),
        bars=tuple(each for each in bars if each.points),
        stops=tuple(stops),
    )
    return StudyChart(data, study_headline(report))


def _named(report: PredictorReport) -> StudyChart:
    """How many neurons each predictor names where it finds what is wanted: same layer and look-ahead side by side."""
    n = len(report.layers)
    lines = [Line(_tr("active"), tuple(enumerate(report.active)), "muted", is_dashed=True)]
    found: list[list[str]] = [[layer_name(i), fill(_tr("active: %1"), share(report.active[i]))] for i in range(n)]
    needs: dict[Way, float] = {}
    for at, way in enumerate(_ways(report.layers)):
        points = []
        for i, layer in enumerate(report.layers):
            named = next((p.named for p in at_wanted_recall(layer) if _way(p) == way), None)
            if named is not None:
                points.append((float(i), named))
                found[i].append(f"{predictor_name(*way)}: {share(named)}")
        if points:
            lines.append(Line(predictor_name(*way), tuple(points), ink_of(at), is_dashed=way[1] == "entering"))
            needs[way] = mean([named for _, named in points])
    data = PlotData(
        fill(_tr("Neurons named for a recall of %1"), percent(WANTED_RECALL)),
        layer_axis(n),
        share_axis(_tr("of the neurons")),
        tuple(lines),
        stops=tuple(Stop(float(i), "\n".join(words)) for i, words in enumerate(found)),
    )
    if not needs:
        return StudyChart(data, _tr("No predictor that was tried reaches this recall."))
    fewest = min(needs, key=lambda way: needs[way])
    words = fill(
        _tr("Fewest are named by %1: %2, where %3 are active."),
        predictor_name(*fewest),
        share(needs[fewest]),
        share(mean(report.active)),
    )
    ahead = min((way for way in needs if way[1] == "entering"), key=lambda way: needs[way], default=None)
    if ahead is not None and ahead != fewest:
        words += " " + fill(_tr("One that runs before attention names %1."), share(needs[ahead]))
    return StudyChart(data, words)


def _tr(text: str) -> str:
    return QCoreApplication.translate("StudyCharts", text)
