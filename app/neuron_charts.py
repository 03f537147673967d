"""The charts of a report about a model's neurons, as SVG with a title and a sentence each.

Owns which charts a report has, and what their axes are. Which figures are looked at is app/neuron_figures.py's choice,
the drawing is that of app/svg_charts.py.
"""

from collections.abc import Callable, Sequence

from app.benchmark_text import rate
from app.error_text import format_bytes
from app.language import in_percent, tr
from app.neuron_text import (
    QUANTILES,
    SMALL_ERROR,
    WANTED_RECALL,
    at_wanted_recall,
    kind_name,
    magnitude,
    mean,
    megabytes,
    nats,
    overlap_matrix,
    percent,
    predictor_name,
    reads_name,
    share,
)
from app.neuron_words import tier_name
from app.svg_charts import N_COLOURS, Axis, Series, bar_chart, line_chart, matrix_chart
from engine.neuron_reports import (
    COVERED,
    TIER_LIMITS,
    UNION_TOKENS,
    CensusReport,
    OraclePoint,
    OracleReport,
    PredictorFigures,
    PredictorReport,
    ProfileReport,
    StudyReport,
    TierReport,
)

# Its title, the drawing, and what it says.
StudyChart = tuple[str, str, str]
# Of an axis of divergences, so that the limits of all tiers are on it.
_ROOM_BELOW = tuple(limit / 2 for limit in TIER_LIMITS.values())
# Lines nearer to each other than this would lie on each other.
_SAME = 0.003


def study_charts(report: StudyReport) -> list[StudyChart]:
    """Those that have something to draw."""
    match report:
        case CensusReport():
            return _census_charts(report)
        case ProfileReport():
            return _profile_charts(report)
        case PredictorReport():
            return _predictor_charts(report)
        case OracleReport():
            return _oracle_charts(report)
        case TierReport():
            return _tier_charts(report)


def _shares(label: str) -> Axis:
    return Axis(label, lambda value: in_percent(f"{100 * value:.0f}"), 0.0, 1.0)


def _layer_axis(n_layers: int) -> Axis:
    return Axis(tr("layer"), lambda value: f"{value:.0f}", 0.0, float(max(n_layers - 1, 1)), is_whole=True)


def _by_layer(name: str, values: Sequence[float], colour: int) -> Series:
    return Series(name, tuple((float(i), value) for i, value in enumerate(values)), colour)


def _mean_curve(name: str, curves: Sequence[Sequence[tuple[float, float]]], colour: int = 0) -> Series:
    """The mean of curves, point by point; of those that are as long as the shortest."""
    n = min((len(curve) for curve in curves), default=0)
    points = [(mean([c[i][0] for c in curves]), mean([c[i][1] for c in curves])) for i in range(n)]
    return Series(name, tuple(points), colour)


def _with_layers(curves: Sequence[Sequence[tuple[float, float]]]) -> list[Series]:
    """Each layer faint, and their mean."""
    return [Series("", tuple(c), 1, is_faint=True) for c in curves] + [_mean_curve(tr("mean of the layers"), curves)]


def _census_charts(report: CensusReport) -> list[StudyChart]:
    layers, axis = report.layers, _layer_axis(len(report.layers))
    silences = [
        _by_layer(tr("silent"), [x.silent for x in layers], 0),
        _by_layer(tr("exact zeros"), [x.zeros for x in layers], 1),
    ]
    if all(abs(x.silent - x.zeros) < _SAME for x in layers):
        silences = [_by_layer(tr("silent, all of them exact zeros"), [x.silent for x in layers], 0)]
    silence = line_chart(tr("zeros and silent neurons by layer"), axis, _shares(tr("share")), silences)
    curves = [[(i / max(len(x.coverage) - 1, 1), c) for i, c in enumerate(x.coverage)] for x in layers]
    coverage = line_chart(
        tr("coverage"), _shares(tr("most active neurons")), _shares(tr("of the activity")), _with_layers(curves)
    )
    unions = [
        [(float(n), u) for n, u in zip((1, *UNION_TOKENS), (1 - x.silent, *x.unions), strict=False)] for x in layers
    ]
    lengths = (1.0, *map(float, UNION_TOKENS))
    tokens = Axis(
        tr("consecutive tokens"), lambda value: f"{value:.0f}", 1.0, float(UNION_TOKENS[-1]), is_log=True, marks=lengths
    )
    union = line_chart(tr("union growth"), tokens, _shares(tr("neurons active for any")), _with_layers(unions))
    ends = [
        _by_layer(tr("also active for the token before"), [x.overlap for x in layers], 0),
        _by_layer(tr("never active"), [x.dead for x in layers], 1),
        _by_layer(tr("active at every token"), [x.always_on for x in layers], 2),
    ]
    in_80, of_32 = mean([x.covering[COVERED.index(0.8)] for x in layers]), mean([x.unions[-1] for x in layers])
    silent, overlap = mean([x.silent for x in layers]), mean([x.overlap for x in layers])
    if not report.head.subject.is_sparse:
        quiet = tr("{share} of the neurons add little to a token, none is exactly zero.")
    elif len(silences) == 1:
        quiet = tr("{share} of the neurons are silent for a token; all of these are exact zeros.")
    else:
        quiet = tr("{share} of the neurons are silent for a token.")
    covered = tr("{share} of the neurons carry 80 % of the activity. Thin lines: layers.").format(share=share(in_80))
    together = tr("{count} tokens together need {share} of the neurons.")
    together = together.format(count=UNION_TOKENS[-1], share=share(of_32))
    again = tr("{share} of a token's active neurons were active for the token before it.").format(share=share(overlap))
    repeated = line_chart(tr("overlap, dead and always-on by layer"), axis, _shares(tr("share")), ends)
    found = [
        (tr("Silence"), silence, quiet.format(share=share(silent))),
        (tr("Coverage"), coverage, covered),
        (tr("Growth of the union"), union, together),
        (tr("From token to token"), repeated, again),
    ]
    sizes = [value for layer in layers for value in layer.magnitudes if value > 0]
    if sizes:
        span = Axis(tr("|activation|"), magnitude, min(sizes), max(sizes), is_log=True)
        quantiles = [
            _by_layer(tr(QUANTILES[i]), [x.magnitudes[i] for x in layers], i - 2) for i in range(2, len(QUANTILES))
        ]
        chart = line_chart(tr("quantiles of activations by layer"), axis, span, quantiles)
        words = tr("Quantiles of |activation|; those that are zero are not drawn.")
        found.append((tr("Size of activations"), chart, words))
    cuts = [[(step.silent, step.output_error) for step in x.thresholding] for x in layers]
    if any(cuts):
        errors = Axis(tr("error of the output"), percent, 1e-4, 1.0, is_log=True)
        chart = line_chart(
            tr("silenced share against error"), _shares(tr("silenced")), errors, _with_layers([c for c in cuts if c]),
            [(tr("{share} error").format(share=percent(SMALL_ERROR)), SMALL_ERROR)],
        )  # fmt: skip
        words = tr("What silencing the smallest activations would do to the layer's output (squared error, relative).")
        found.append((tr("Thresholding"), chart, words))
    return found


def _profile_charts(report: ProfileReport) -> list[StudyChart]:
    n_layers = report.head.subject.n_layers
    active = [_by_layer(kind_name(use.kind), use.active, i) for i, use in enumerate(report.uses)]
    at = COVERED.index(0.8)
    hot = [_by_layer(kind_name(u.kind), [layer[at] for layer in u.covering], i) for i, u in enumerate(report.uses)]
    axis = _layer_axis(n_layers)
    found = [
        (
            tr("Active by use"),
            line_chart(tr("active share by layer and use"), axis, _shares(tr("active")), active),
            tr("Share of the neurons that are active for a token, by kind of text."),
        ),
        (
            tr("Hot neurons by use"),
            line_chart(tr("hot share by layer and use"), axis, _shares(tr("neurons")), hot),
            tr("Share of the neurons that carry 80 % of the activity."),
        ),
    ]
    if report.overlaps:
        kinds = [use.kind for use in report.uses]
        alike = overlap_matrix(report)
        values = [[alike.get((row, column)) for column in kinds] for row in kinds]
        chart = matrix_chart(tr("hot neurons in common"), [kind_name(kind) for kind in kinds], values, share)
        words = tr("Hot neurons that two kinds share, of those hot for either (Jaccard index).")
        found.append((tr("In common"), chart, words))
        pairs = [
            _by_layer(tr(", ").join((kind_name(o.kind), kind_name(o.other))), o.jaccard, i)
            for i, o in enumerate(report.overlaps)
        ]
        if len(pairs) <= N_COLOURS:
            chart = line_chart(tr("hot neurons in common by layer"), axis, _shares(tr("in common")), pairs)
            found.append((tr("In common, by layer"), chart, tr("The same for each layer.")))
    return found


def _predictor_charts(report: PredictorReport) -> list[StudyChart]:
    axis = _layer_axis(len(report.layers))
    tried = sorted({(p.rank, p.kind, p.reads) for layer in report.layers for p in layer})
    names = {key: _predictor_words(*key) for key in tried}

    def at_recall(
        key: tuple[int, str, str], of: Callable[[PredictorFigures], float]
    ) -> tuple[tuple[float, float], ...]:
        return tuple(
            (float(i), of(p))
            for i, layer in enumerate(report.layers)
            for p in at_wanted_recall(layer)
            if (p.rank, p.kind, p.reads) == key
        )

    named = [Series(names[key], at_recall(key, lambda p: p.named), i + 1) for i, key in enumerate(tried)]
    active = _by_layer(tr("really active"), report.active, 0)
    saved = [Series(names[key], at_recall(key, lambda p: p.saved_bytes), i + 1) for i, key in enumerate(tried)]
    curves = [_trade(report, key, names[key], i + 1) for i, key in enumerate(tried)]
    values = [value for s in saved for _, value in s.points]
    span = Axis(tr("saved a token"), _axis_bytes, min([0.0, *values]), max([1.0, *values]))
    wanted = percent(WANTED_RECALL)
    lowest = min([p.recall_weighted for layer in report.layers for p in layer], default=0.0)
    recall = Axis(tr("weighted recall"), lambda value: in_percent(f"{100 * value:.4g}"), min(lowest, 0.99), 1.0)
    below = [("", 0.0)] if span.low < 0 else []
    cost = tr("A layer reads {size} without a predictor. Below zero a predictor costs more.")
    return [
        (
            tr("Recall"),
            line_chart(tr("weighted recall against named share"), _shares(tr("named")), recall, curves),
            tr("Mean of the layers at each threshold. Further left is better: fewer neurons to look at."),
        ),
        (
            tr("Named at {recall} recall").format(recall=wanted),
            line_chart(tr("named share by layer"), axis, _shares(tr("neurons")), [active, *named]),
            tr(
                "The nearer to what is really active, the better. No dot: the predictor does not reach that recall "
                "there."
            ),
        ),
        (
            tr("Bytes saved at {recall} recall").format(recall=wanted),
            line_chart(tr("bytes saved by layer"), axis, span, saved, below),
            cost.format(size=format_bytes(report.layer_bytes)),
        ),
    ]


def _predictor_words(rank: int, kind: str, reads: str) -> str:
    words = predictor_name(kind, "normed", rank)
    return words if kind == "sign" and reads == "normed" else tr(", ").join((words, reads_name(reads)))


def _trade(report: PredictorReport, key: tuple[int, str, str], name: str, colour: int) -> Series:
    """Named share and weighted recall of one predictor at its thresholds, as the mean of all layers."""
    curves = []
    for layer in report.layers:
        points = [(p.named, p.recall_weighted) for p in layer if (p.rank, p.kind, p.reads) == key]
        if points:
            curves.append(sorted(points))
    return _mean_curve(name, curves, colour)


def _axis_bytes(value: float) -> str:
    return f"−{format_bytes(round(-value))}" if value < 0 else format_bytes(round(value)) if value else "0"


def _oracle_charts(report: OracleReport) -> list[StudyChart]:
    found = []
    studied = (
        (tr("Neurons"), tr("neurons"), report.neurons),
        (tr("Heads"), tr("attention heads"), report.heads),
    )
    for title, what, points in studied:
        divergences = [x for p in points for x in (p.kl_mean, p.kl_p99) if x > 0]
        if not divergences:
            continue
        kept = _shares(tr("{what} kept").format(what=what))
        span = Axis(
            tr("KL, nats"),
            lambda value: f"{value:g}",
            max(min(*divergences, *_ROOM_BELOW), 1e-6),
            max(*divergences, 0.1),
            is_log=True,
        )
        name = tr("KL against {what} kept").format(what=what)
        chart = line_chart(name, kept, span, _kept_curves(points), _limits())
        words = tr(
            "What the predictions lose when only this share of the {what} is computed, the right ones for each token."
        )
        found.append((tr("{title} that suffice").format(title=title), chart, words.format(what=what)))
        likeliest = Axis(
            tr("other likeliest word"),
            lambda value: in_percent(f"{100 * value:.0f}"),
            0.0,
            max([0.01, *(p.flips for p in points)]),
        )
        curve = Series(tr("share of tokens"), tuple((p.kept, p.flips) for p in points))
        words = tr("Share of the tokens whose likeliest next token is another than in the dense run.")
        chart = line_chart(tr("flips against {what} kept").format(what=what), kept, likeliest, [curve])
        found.append((tr("{title}: other words").format(title=title), chart, words))
    return found


def _kept_curves(points: Sequence[OraclePoint]) -> list[Series]:
    return [
        Series(tr("mean"), tuple((p.kept, p.kl_mean) for p in points), 0),
        Series(tr("99 of 100 tokens are below"), tuple((p.kept, p.kl_p99) for p in points), 1),
    ]


def _limits() -> list[tuple[str, float]]:
    return [(f"{tier_name(name)}: {limit:g}", limit) for name, limit in TIER_LIMITS.items()]


def _tier_charts(report: TierReport) -> list[StudyChart]:
    everything = (tr("every neuron"), report.dense_bytes, report.dense_tokens_per_s)
    rows = [everything, *((tier_name(tier.name), tier.step_bytes, tier.tokens_per_s) for tier in report.tiers)]
    speeds = [(name, speed, tr("{speed} tokens/s").format(speed=rate(speed))) for name, _, speed in rows]
    sizes = [(name, size, f"{megabytes(size)} MB") for name, size, _ in rows]
    found = [
        (tr("Speed"), bar_chart(tr("tokens/s"), speeds), tr("Median of rounds in turns.")),
        (
            tr("Bytes read"),
            bar_chart(tr("MB a token"), sizes, 1),
            tr("Read for a token, as counted while text was decoded."),
        ),
    ]
    losses = [tier for tier in report.tiers if tier.kl_mean > 0]
    if losses:
        text = tr("{kl} of {limit}")
        bars = [(tier_name(t.name), t.kl_mean, text.format(kl=nats(t.kl_mean), limit=f"{t.limit:g}")) for t in losses]
        words = tr("Mean KL in nats, and the limit that the tier promises to keep.")
        found.append((tr("Loss"), bar_chart(tr("mean KL"), bars, 4), words))
    for tier in report.tiers:
        if not tier.layers:
            continue
        series = [
            _by_layer(tr("active"), [choice.active for choice in tier.layers], 0),
            _by_layer(tr("named by the predictor"), [choice.named for choice in tier.layers], 1),
            _by_layer(tr("recall"), [choice.recall for choice in tier.layers], 2),
        ]
        name = tier_name(tier.name)
        title = tr("layers of {tier}").format(tier=name)
        chart = line_chart(title, _layer_axis(len(tier.layers)), _shares(tr("share")), series)
        words = tr("Of all neurons, those active and those looked at; of the active ones, those found (recall).")
        found.append((tr("Layers of {tier}").format(tier=name), chart, words))
    return found
