"""Reports on neurons as tables.

Each has one form with a row for every layer, and one that says of each figure its mean and where it is lowest and
highest; which of the two is wanted is the front-end's choice.
"""

from collections.abc import Sequence

from app.benchmark_text import Table, listed, rate
from app.error_text import format_bytes
from app.language import in_percent, tr
from app.neuron_figures import (
    WANTED_RECALL,
    LayerFigure,
    at_wanted_recall,
    best_of,
    carrying,
    census_figures,
    mean,
    overlap_matrix,
    tried_predictors,
)
from app.neuron_words import (
    choice_name,
    kind_name,
    magnitude,
    megabytes,
    nats,
    percent,
    predictor_name,
    reads_name,
    share,
    signed_bytes,
    tier_name,
)
from engine.neuron_reports import (
    COVERED,
    EXACT,
    TIER_LIMITS,
    CensusReport,
    OraclePoint,
    OracleReport,
    PredictorFigures,
    PredictorReport,
    ProfileReport,
    StudyReport,
    TierFigures,
    TierReport,
)

QUANTILES = ("1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %", "largest")
_ABSENT = "–"


def study_tables(report: StudyReport, *, every_layer: bool = False) -> list[Table]:
    """Those that have rows; with `every_layer` a row for each layer instead of the figures' means and extremes."""
    match report:
        case CensusReport():
            found = _census_tables(report, every_layer=every_layer)
        case ProfileReport():
            found = _profile_tables(report, every_layer=every_layer)
        case PredictorReport():
            found = _predictor_tables(report, every_layer=every_layer)
        case OracleReport():
            found = [
                _oracle_table(tr("Neurons kept"), report.neurons),
                _oracle_table(tr("Attention heads kept"), report.heads),
            ]
        case TierReport():
            found = _tier_tables(report, every_layer=every_layer)
    return [table for table in found if table.rows]


def _census_tables(report: CensusReport, *, every_layer: bool) -> list[Table]:
    magnitudes = [
        LayerFigure(tr(name), tuple(layer.magnitudes[i] for layer in report.layers), magnitude)
        for i, name in enumerate(QUANTILES)
    ]
    return [
        _layers(tr("Neurons"), census_figures(report), every_layer=every_layer),
        _layers(tr("Size of activations, by quantile"), magnitudes, every_layer=every_layer),
        _threshold_table(report, every_layer=every_layer),
    ]


def _threshold_table(report: CensusReport, *, every_layer: bool) -> Table:
    title = tr("Silencing small activations")
    if every_layer:
        rows = [
            (str(i), magnitude(step.threshold), share(step.silent), share(step.output_error))
            for i, layer in enumerate(report.layers)
            for step in layer.thresholding
        ]
        heading = (tr("layer"), tr("below"), tr("silenced"), tr("error of the output"))
        return Table(_by_layer(title), heading, tuple(rows), frozenset(range(4)))
    steps = min((len(layer.thresholding) for layer in report.layers), default=0)
    rows = []
    for i in range(steps):
        at = [layer.thresholding[i] for layer in report.layers]
        errors = tuple(step.output_error for step in at)
        rows.append(
            (
                magnitude(mean([step.threshold for step in at])), share(mean([step.silent for step in at])),
                share(mean(errors)), share(max(errors)),
            )
        )  # fmt: skip
    heading = (tr("below, on the average"), tr("silenced"), tr("error of the output"), tr("in the worst layer"))
    return Table(title, heading, tuple(rows), frozenset(range(4)))


def _profile_tables(report: ProfileReport, *, every_layer: bool) -> list[Table]:
    kinds = [use.kind for use in report.uses]
    uses = Table(
        tr("By use"),
        (tr("text"), tr("tokens"), tr("active"), *map(carrying, COVERED)),
        tuple(
            (kind_name(u.kind), f"{u.n_tokens:,}", share(mean(u.active)),
             *(share(mean([layer[i] for layer in u.covering])) for i in range(len(COVERED))))
            for u in report.uses
        ),
        frozenset(range(1, 3 + len(COVERED))),
    )  # fmt: skip
    alike = overlap_matrix(report)
    matrix = Table(
        tr("Hot neurons in common (Jaccard index)"),
        ("", *map(kind_name, kinds)),
        tuple((kind_name(row), *(share(alike[row, column]) if (row, column) in alike else _ABSENT for column in kinds))
              for row in kinds) if report.overlaps else (),
        frozenset(range(1, 1 + len(kinds))),
    )  # fmt: skip
    figures = [
        LayerFigure(tr("active, {kind}").format(kind=kind_name(use.kind)), use.active, share) for use in report.uses
    ]
    hot = [
        LayerFigure(
            tr("carry 80 %, {kind}").format(kind=kind_name(use.kind)),
            tuple(layer[COVERED.index(0.8)] for layer in use.covering),
            share,
        )
        for use in report.uses
    ]
    common = [LayerFigure(listed([kind_name(o.kind), kind_name(o.other)]), o.jaccard, share) for o in report.overlaps]
    return [
        uses,
        matrix,
        _layers(tr("Neurons by use"), figures + hot, every_layer=every_layer),
        _layers(tr("Hot neurons that two uses have in common"), common, every_layer=every_layer),
    ]


def _predictor_tables(report: PredictorReport, *, every_layer: bool) -> list[Table]:
    found = [_tried_table(report)]
    if every_layer:
        found.append(_best_table(report))
        found.append(_points_table(report))
    else:
        found.append(_layers(tr("Layers"), [LayerFigure(tr("active"), report.active, share)], every_layer=False))
    return found


def _tried_table(report: PredictorReport) -> Table:
    """Each predictor over all layers, at the wanted recall; same-layer and look-ahead of one rank lie side by side."""
    rows = []
    wanted = [p for layer in report.layers for p in at_wanted_recall(layer)]
    for (rank, kind, reads), n_bytes in tried_predictors(report).items():
        points = [p for p in wanted if (p.kind, p.rank, p.reads) == (kind, rank, reads)]
        saving = [p for p in points if p.saved_bytes > 0]
        rows.append(
            (
                predictor_name(kind, "normed", rank), reads_name(reads), format_bytes(n_bytes),
                tr("{count} of {all}").format(count=len(points), all=len(report.layers)), *_point_cells(points),
                str(len(saving)), format_bytes(round(sum(p.saved_bytes for p in saving))),
            )
        )  # fmt: skip
    heading = (
        tr("predictor"), tr("reads"), tr("its bytes"), tr("layers that reach it"), tr("named"), tr("recall"),
        tr("precision"), tr("layers that save"), tr("saved a token"),
    )  # fmt: skip
    title = tr("Predictors at a weighted recall of {recall}").format(recall=percent(WANTED_RECALL))
    return Table(title, heading, tuple(rows), frozenset(range(2, 9)))


def _point_cells(points: Sequence[PredictorFigures]) -> tuple[str, str, str]:
    if not points:
        return _ABSENT, _ABSENT, _ABSENT
    return (
        share(mean([p.named for p in points])),
        share(mean([p.recall for p in points])),
        share(mean([p.precision for p in points])),
    )


def _best_table(report: PredictorReport) -> Table:
    rows = []
    for i, (active, layer) in enumerate(zip(report.active, report.layers, strict=True)):
        best = best_of(layer)
        if best is None:
            rows.append((str(i), share(active), tr("none saves"), *(_ABSENT,) * 5))
        else:
            rows.append(
                (str(i), share(active), predictor_name(best.kind, best.reads, best.rank), share(best.named),
                 share(best.recall_weighted), share(best.recall), share(best.precision),
                 format_bytes(round(best.saved_bytes)))
            )  # fmt: skip
    heading = (
        tr("layer"), tr("active"), tr("best predictor"), tr("named"), tr("weighted recall"), tr("recall"),
        tr("precision"), tr("saved a token"),
    )  # fmt: skip
    return Table(tr("Best predictor of every layer"), heading, tuple(rows), frozenset((0, 1, 3, 4, 5, 6, 7)))


def _points_table(report: PredictorReport) -> Table:
    rows = [
        (
            str(i), predictor_name(p.kind, p.reads, p.rank), share(p.named), share(p.recall_weighted), share(p.recall),
            share(p.precision), signed_bytes(p.saved_bytes),
        )
        for i, layer in enumerate(report.layers)
        for p in layer
    ]  # fmt: skip
    heading = (
        tr("layer"), tr("predictor"), tr("named"), tr("weighted recall"), tr("recall"), tr("precision"),
        tr("saved a token"),
    )  # fmt: skip
    return Table(tr("Every predictor at every threshold"), heading, tuple(rows), frozenset((0, 2, 3, 4, 5, 6)))


def _oracle_table(title: str, points: Sequence[OraclePoint]) -> Table:
    rows = tuple(
        (percent(p.kept), nats(p.kl_mean), nats(p.kl_p99), share(p.flips), f"{p.perplexity:.2f}", _within(p.kl_mean))
        for p in points
    )
    heading = (tr("kept"), tr("mean KL"), "p99", tr("other likeliest word"), tr("perplexity"), tr("within"))
    return Table(title, heading, rows, frozenset(range(5)))


def _within(kl_mean: float) -> str:
    return next((tier_name(name) for name, limit in TIER_LIMITS.items() if kl_mean <= limit), "")


def _tier_tables(report: TierReport, *, every_layer: bool) -> list[Table]:
    found = [_offered_table(report)]
    for tier in report.tiers:
        if tier.layers and every_layer:
            found.append(_choice_table(tier))
        elif tier.layers:
            found.append(_choice_summary(tier))
            figures = [
                LayerFigure(tr("active"), tuple(c.active for c in tier.layers), share),
                LayerFigure(tr("named"), tuple(c.named for c in tier.layers), share),
                LayerFigure(tr("recall"), tuple(c.recall for c in tier.layers), share),
                LayerFigure(tr("cut"), tuple(c.cut for c in tier.layers), magnitude),
            ]
            title = tr("Layers of {tier}").format(tier=tier_name(tier.name))
            found.append(_layers(title, figures, every_layer=False))
    return found


def _offered_table(report: TierReport) -> Table:
    dense_bytes, dense_rate = report.dense_bytes, report.dense_tokens_per_s
    rows = [
        (
            tier_name(t.name), "" if t.name == EXACT else f"{t.limit:g}", nats(t.kl_mean), nats(t.kl_upper),
            nats(t.kl_p99), share(t.flips), f"{t.perplexity:.2f}", _perplexity_change(t, report),
            megabytes(t.step_bytes), _ratio(t.step_bytes, dense_bytes), rate(t.tokens_per_s),
            _ratio(t.tokens_per_s, dense_rate),
        )
        for t in report.tiers
    ]  # fmt: skip
    rows.append((tr("every neuron"), *("",) * 7, megabytes(dense_bytes), "1.00", rate(dense_rate), "1.00"))
    heading = (
        tr("tier"), tr("limit"), tr("mean KL"), tr("at most"), "p99", tr("other likeliest word"), tr("perplexity"),
        tr("change"), tr("MB/token"), tr("of every neuron"), tr("tokens/s"), tr("times"),
    )  # fmt: skip
    return Table(tr("Tiers on text they were not chosen on"), heading, tuple(rows), frozenset(range(1, 12)))


def _perplexity_change(tier: TierFigures, report: TierReport) -> str:
    exact = next((each.perplexity for each in report.tiers if each.name == EXACT), 0.0)
    if tier.name == EXACT or exact <= 0:
        return ""
    change = 100 * (tier.perplexity / exact - 1)
    return in_percent(f"{'−' if change < 0 else '+'}{abs(change):.2f}")


def _ratio(value: float, other: float) -> str:
    return f"{value / other:.2f}" if other > 0 else _ABSENT


def _choice_table(tier: TierFigures) -> Table:
    rows = tuple(
        (str(i), choice_name(c), magnitude(c.cut) if c.cut else tr("none"), share(c.active),
         share(c.named) if c.predictor else _ABSENT, share(c.recall) if c.predictor else _ABSENT)
        for i, c in enumerate(tier.layers)
    )  # fmt: skip
    heading = (tr("layer"), tr("predictor"), tr("cut"), tr("active"), tr("named"), tr("recall"))
    title = tr("Choices of {tier}").format(tier=tier_name(tier.name))
    return Table(_by_layer(title), heading, rows, frozenset((0, 2, 3, 4, 5)))


def _choice_summary(tier: TierFigures) -> Table:
    counted: dict[tuple[str, str], int] = {}
    for choice in tier.layers:
        key = choice_name(choice), tr("with a cut") if choice.cut else tr("without")
        counted[key] = counted.get(key, 0) + 1
    rows = tuple((name, cut, str(n)) for (name, cut), n in sorted(counted.items(), key=lambda item: -item[1]))
    title = tr("Choices of {tier}").format(tier=tier_name(tier.name))
    return Table(title, (tr("predictor"), tr("cut"), tr("layers")), rows, frozenset((2,)))


def _by_layer(title: str) -> str:
    return tr("{title}, by layer").format(title=title)


def _layers(title: str, figures: Sequence[LayerFigure], *, every_layer: bool) -> Table:
    """A row for each layer, or for each figure its mean and extremes."""
    n_layers = max((len(figure.values) for figure in figures), default=0)
    if every_layer:
        heading = (tr("layer"), *(figure.name for figure in figures))
        rows = tuple((str(i), *(f.write(f.values[i]) for f in figures)) for i in range(n_layers))
        return Table(_by_layer(title), heading, rows, frozenset(range(len(heading))))
    heading = (
        "", tr("mean"), tr("lowest"), tr("in layer"), tr("highest"), tr("in layer"), tr("first layer"),
        tr("last layer"),
    )  # fmt: skip
    rows = tuple(
        (
            f.name, f.write(mean(f.values)), f.write(min(f.values)), str(f.values.index(min(f.values))),
            f.write(max(f.values)), str(f.values.index(max(f.values))), f.write(f.values[0]), f.write(f.values[-1]),
        )
        for f in figures
        if f.values
    )  # fmt: skip
    return Table(title, heading, rows, frozenset(range(1, 8)))
