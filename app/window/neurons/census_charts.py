"""A census as plots: how many neurons are silent, how few carry the activity, and how this goes on from token to token.

Owns which figures of a census are drawn together, and the sentence that says what each plot means for the model.
"""

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.language import tr
from app.neuron_figures import SMALL_ERROR, mean, small_error_silence
from app.neuron_tables import QUANTILES
from app.neuron_words import magnitude, percent, share
from app.window.neurons.axes import StudyChart, by_layer, fill, layer_axis, layer_name, log_axis, share_axis
from app.window.neurons.plot_data import Axis, Band, Limit, Line, PlotData, Stop
from app.window.wording import number
from engine.neuron_reports import UNION_TOKENS, CensusReport, LayerCensus


def census_charts(report: CensusReport, layer: int | None) -> tuple[StudyChart, ...]:
    """With `layer`, that layer beside the mean of all."""
    layers = report.layers
    if not layers:
        return ()
    charts = [
        _silence(report),
        _coverage(layers, layer),
        _unions(layers, layer),
        _overlap(layers),
        _magnitudes(layers),
        _extremes(layers),
    ]
    if all(each.thresholding for each in layers):
        charts.append(_thresholding(report, layer))
    return tuple(charts)


def _silence(report: CensusReport) -> StudyChart:
    layers = report.layers
    zeros, silent = [each.zeros for each in layers], [each.silent for each in layers]
    data = by_layer(
        _tr("Silent neurons"),
        _tr("of the neurons, for a token"),
        ((_tr("silent"), silent, "accent", False), (_tr("exact zeros"), zeros, "syntax_name", True)),
    )
    if not report.head.subject.is_sparse:
        words = fill(
            _tr(
                "Nothing is ever exactly zero in this model. Counted as silent are the neurons that are not among the "
                "largest which together carry 95 % of a token's activity: %1."
            ),
            share(mean(silent)),
        )
    else:
        lowest, highest = silent.index(min(silent)), silent.index(max(silent))
        words = fill(
            _tr("%1 of the neurons are silent for a token, from %2 in layer %3 to %4 in layer %5."),
            share(mean(silent)),
            share(silent[lowest]),
            number(lowest),
            share(silent[highest]),
            number(highest),
        )
    return StudyChart(data, words)


def _coverage(layers: Sequence[LayerCensus], layer: int | None) -> StudyChart:
    def points(curve: Sequence[float]) -> tuple[tuple[float, float], ...]:
        return tuple((i / (len(curve) - 1), value) for i, value in enumerate(curve))

    average = [mean(values) for values in zip(*(each.coverage for each in layers), strict=True)]
    lines = [Line("", points(each.coverage), "muted", 0.25, 1.0) for each in layers]
    lines[0] = Line(_tr("each layer"), lines[0].points, "muted", 0.6, 1.0)
    lines.append(Line(_tr("mean"), points(average), "accent", width=2.4))
    curves = [(_tr("mean"), average)]
    if layer is not None:
        lines.append(Line(layer_name(layer), points(layers[layer].coverage), "syntax_name", width=2.4))
        curves.append((layer_name(layer), list(layers[layer].coverage)))
    stops = tuple(
        Stop(
            i / (len(average) - 1),
            "\n".join(
                (
                    fill(_tr("The most active %1"), share(i / (len(average) - 1))),
                    *(f"{name}: {share(curve[i])}" for name, curve in curves),
                )
            ),
        )
        for i in range(len(average))
    )
    half, most = (mean([each.covering[i] for each in layers]) for i in (0, 2))
    return StudyChart(
        PlotData(
            _tr("How few carry the activity"),
            share_axis(_tr("most active neurons")),
            share_axis(_tr("of the activity")),
            tuple(lines),
            stops=stops,
        ),
        fill(_tr("Half of the activity comes from %1 of the neurons, 90 % of it from %2."), share(half), share(most)),
    )


def _unions(layers: Sequence[LayerCensus], layer: int | None) -> StudyChart:
    counts = (1, *UNION_TOKENS)
    curves = [(1 - each.silent, *each.unions) for each in layers]
    at = list(zip(*curves, strict=True))
    average = [mean(values) for values in at]
    xs = [math.log2(count) for count in counts]
    lines = [Line(_tr("mean"), tuple(zip(xs, average, strict=True)), "accent", width=2.4, has_dots=True)]
    if layer is not None:
        lines.append(Line(layer_name(layer), tuple(zip(xs, curves[layer], strict=True)), "syntax_name", has_dots=True))
    band = Band(
        _tr("lowest to highest layer"), tuple((x, min(values), max(values)) for x, values in zip(xs, at, strict=True))
    )
    stops = []
    for i, (x, count) in enumerate(zip(xs, counts, strict=True)):
        found = [_tr("1 token") if count == 1 else fill(_tr("%1 tokens"), number(count))]
        found.append(fill(_tr("mean: %1"), share(average[i])))
        if layer is not None:
            found.append(f"{layer_name(layer)}: {share(curves[layer][i])}")
        found.append(fill(_tr("layers: %1 to %2"), share(min(at[i])), share(max(at[i]))))
        stops.append(Stop(x, "\n".join(found)))
    axis = Axis(
        _tr("consecutive tokens"), -0.2, xs[-1] + 0.2, tuple((x, str(c)) for x, c in zip(xs, counts, strict=True))
    )
    return StudyChart(
        PlotData(
            _tr("Several tokens together"),
            axis,
            share_axis(_tr("of the neurons active for any")),
            tuple(lines),
            (band,),
            stops=tuple(stops),
        ),
        fill(
            _tr("A token needs %1 of the neurons, %2 together %3: the more are read at once, the less is left out."),
            share(average[0]),
            number(counts[-1]),
            share(average[-1]),
        ),
    )


def _overlap(layers: Sequence[LayerCensus]) -> StudyChart:
    again, active = [each.overlap for each in layers], [1 - each.silent for each in layers]
    data = by_layer(
        _tr("From token to token"),
        _tr("of a token's active neurons"),
        ((_tr("active before as well"), again, "accent", False), (_tr("if left to chance"), active, "muted", True)),
    )
    return StudyChart(
        data,
        fill(
            _tr("%1 of a token's active neurons were active for the token before; by chance it would be about %2."),
            share(mean(again)),
            share(mean(active)),
        ),
    )


def _magnitudes(layers: Sequence[LayerCensus]) -> StudyChart:
    positive = [value for each in layers for value in each.magnitudes if value > 0]
    y = log_axis(_tr("size of activations"), positive or [1.0], has_zero=any(0 in each.magnitudes for each in layers))

    def band(name: str, low: int, high: int, strength: float) -> Band:
        points = tuple((float(i), each.magnitudes[low], each.magnitudes[high]) for i, each in enumerate(layers))
        return Band(name, points, "accent", strength)

    def line(name: str, at: int, ink: str, *, is_dashed: bool) -> Line:
        points = tuple((float(i), each.magnitudes[at]) for i, each in enumerate(layers))
        return Line(name, points, ink, is_dashed=is_dashed)

    stops = tuple(
        Stop(
            float(i),
            "\n".join(
                (layer_name(i), *(f"{tr(q)}: {magnitude(v)}" for q, v in zip(QUANTILES, each.magnitudes, strict=False)))
            ),
        )
        for i, each in enumerate(layers)
    )
    largest = max(each.magnitudes[-1] for each in layers)
    n_zero = sum(each.magnitudes[3] == 0 for each in layers)
    words = _tr("Half of the activations are below %1, on the average of the layers; the largest anywhere is %2.")
    if n_zero == len(layers):
        words = _tr("In every layer half of the activations or more are zero; the largest anywhere is %2.")
    elif n_zero:
        words = _tr("In %3 of %4 layers half of the activations or more are zero; the largest anywhere is %2.")
    middle = mean([each.magnitudes[3] for each in layers])
    words = fill(words, magnitude(middle), magnitude(largest), number(n_zero), number(len(layers)))
    return StudyChart(
        PlotData(
            _tr("How large activations are"),
            layer_axis(len(layers)),
            y,
            (
                line(_tr("largest"), 7, "danger", is_dashed=True),
                line(_tr("median"), 3, "accent", is_dashed=False),
            ),
            (
                band(_tr("1 to 99 %"), 0, 6, 0.16),
                band(_tr("5 to 95 %"), 1, 5, 0.3),
                band(_tr("25 to 75 %"), 2, 4, 0.48),
            ),
            stops=stops,
        ),
        words,
    )


def _extremes(layers: Sequence[LayerCensus]) -> StudyChart:
    never, always = [each.dead for each in layers], [each.always_on for each in layers]
    data = by_layer(
        _tr("Never and always"),
        _tr("of the neurons"),
        ((_tr("never active"), never, "syntax_name", False), (_tr("active at every token"), always, "accent", False)),
    )
    words = _tr("%1 of the neurons were never active in this text, %2 at every token.")
    return StudyChart(data, fill(words, share(mean(never)), share(mean(always))))


def _thresholding(report: CensusReport, layer: int | None) -> StudyChart:
    layers = report.layers
    steps = min(len(each.thresholding) for each in layers)
    average = tuple(
        (
            mean([each.thresholding[i].silent for each in layers]),
            mean([each.thresholding[i].output_error for each in layers]),
        )
        for i in range(steps)
    )
    lines = [Line(_tr("mean"), average, "accent", width=2.4, has_dots=True)]
    found = [(_tr("mean"), average)]
    if layer is not None:
        points = tuple((step.silent, step.output_error) for step in layers[layer].thresholding)
        lines.append(Line(layer_name(layer), points, "syntax_name", has_dots=True))
        found.append((layer_name(layer), points))
    stops = sorted(
        (
            Stop(x, f"{name}\n" + fill(_tr("silenced: %1\nerror of the output: %2"), share(x), share(y)))
            for name, points in found
            for x, y in points
        ),
        key=lambda stop: stop.x,
    )
    errors = [y for _, points in found for _, y in points if y > 0]
    silenced = share(mean([small_error_silence(each) for each in layers]))
    words = _tr("With an error of at most %2 in each layer, the smallest %1 of the neurons could be silenced.")
    if not report.head.subject.is_sparse:
        words += " " + _tr("Ember does not do this yet.")
    return StudyChart(
        PlotData(
            _tr("If small activations were silenced"),
            share_axis(_tr("silenced")),
            log_axis(_tr("squared error of a layer's output"), errors or [SMALL_ERROR], write=_error_tick),
            tuple(lines),
            limits=(Limit(SMALL_ERROR, percent(SMALL_ERROR)),),
            stops=tuple(stops),
        ),
        fill(words, silenced, percent(SMALL_ERROR)),
    )


def _error_tick(value: float) -> str:
    return percent(float(f"{value:.0e}"))


def _tr(text: str) -> str:
    return QCoreApplication.translate("StudyCharts", text)
