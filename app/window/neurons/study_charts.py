"""Reports on neurons as plots, each with a sentence that says what it means for the model.

Owns which figures of a profile, a ceiling and tiers are drawn together; a census and predictors have modules of their
own. Figures that tables also have, and their sentences, come from app/neuron_text.py.
"""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.language import in_a_row, tr
from app.neuron_figures import mean, overlap_matrix, sufficing
from app.neuron_text import study_headline
from app.neuron_words import kind_name, magnitude, nats, percent, predictor_name, share, tier_name
from app.window.neurons.axes import (
    INKS,
    StudyChart,
    by_layer,
    bytes_words,
    categories,
    fill,
    first_upper,
    ink_of,
    kept_axis,
    layer_axis,
    layer_name,
    log_axis,
    share_axis,
    speed_words,
)
from app.window.neurons.census_charts import census_charts
from app.window.neurons.plot_data import Limit, Line, MatrixData, PlotData, Stop
from app.window.neurons.predictor_charts import predictor_charts
from app.window.wording import number
from engine.neuron_reports import (
    EXACT,
    TIER_LIMITS,
    CensusReport,
    OraclePoint,
    OracleReport,
    PredictorReport,
    ProfileReport,
    StudyReport,
    TierReport,
)

# Divergences below are drawn at the lower edge: a mean of so little is no difference.
LEAST_KL = 1e-4


def study_charts(report: StudyReport, layer: int | None = None) -> tuple[StudyChart, ...]:
    """The same charts whatever the `layer`, which is shown beside the mean where a chart can; None: the mean alone."""
    match report:
        case CensusReport():
            return census_charts(report, layer)
        case ProfileReport():
            return _profile_charts(report)
        case PredictorReport():
            return predictor_charts(report, layer)
        case OracleReport():
            return _oracle_charts(report)
        case TierReport():
            return _tier_charts(report)


def shows_layers(report: StudyReport) -> bool:
    """Whether a chart of this report can show one layer."""
    return isinstance(report, CensusReport | PredictorReport)


def _profile_charts(report: ProfileReport) -> tuple[StudyChart, ...]:
    if not report.uses:
        return ()
    names = [kind_name(use.kind) for use in report.uses]
    active = by_layer(
        _tr("Active neurons by kind of text"),
        _tr("of the neurons, for a token"),
        [(n, u.active, ink_of(i), i >= len(INKS)) for i, (n, u) in enumerate(zip(names, report.uses, strict=True))],
    )
    hot = by_layer(
        _tr("Neurons that carry 80 % of the activity"),
        _tr("of the neurons"),
        [
            (n, tuple(covering[1] for covering in u.covering), ink_of(i), i >= len(INKS))
            for i, (n, u) in enumerate(zip(names, report.uses, strict=True))
        ],
    )
    shares = [mean(use.active) for use in report.uses]
    carry = [mean([covering[1] for covering in use.covering]) for use in report.uses]
    most, least = shares.index(max(shares)), shares.index(min(shares))
    words = fill(_tr("%1 activates most neurons (%2)."), first_upper(names[most]), share(shares[most]))
    if most != least:
        words = fill(
            _tr("%1 activates most neurons (%2), %3 fewest (%4)."),
            first_upper(names[most]),
            share(shares[most]),
            names[least],
            share(shares[least]),
        )
    charts = [
        StudyChart(active, words),
        StudyChart(hot, fill(_tr("These neurons are hot: %1 of all, on the average."), share(mean(carry)))),
    ]
    if report.overlaps:
        charts.append(StudyChart(_overlap_matrix(report, names), study_headline(report)))
    return tuple(charts)


def _overlap_matrix(report: ProfileReport, names: Sequence[str]) -> MatrixData:
    kinds = [use.kind for use in report.uses]
    alike = overlap_matrix(report)
    extremes = {pair: (min(o.jaccard), max(o.jaccard)) for o in report.overlaps for pair in _pairs(o.kind, o.other)}

    def words(row: str, column: str) -> str:
        value = alike.get((row, column))
        if row == column or value is None:
            return kind_name(row) if row == column else _tr("not compared")
        title = fill(_tr("%1 and %2"), kind_name(row), kind_name(column))
        low, high = extremes[row, column]
        in_common = fill(_tr("hot neurons in common: %1"), share(value))
        return f"{title}\n{in_common}\n" + fill(_tr("by layer: %1 to %2"), share(low), share(high))

    return MatrixData(
        _tr("Hot neurons in common"),
        tuple(names),
        tuple(tuple(alike.get((row, column)) for column in kinds) for row in kinds),
        tuple(tuple(share(alike[row, column]) if (row, column) in alike else "–" for column in kinds) for row in kinds),
        tuple(tuple(words(row, column) for column in kinds) for row in kinds),
    )


def _pairs(kind: str, other: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return (kind, other), (other, kind)


def _oracle_charts(report: OracleReport) -> tuple[StudyChart, ...]:
    subjects = [
        (name, points, ink)
        for name, points, ink in (
            (_tr("neurons"), report.neurons, "accent"),
            (_tr("attention heads"), report.heads, "syntax_name"),
        )
        if points
    ]
    if not subjects:
        return ()
    x = kept_axis([p.kept for _, points, _ in subjects for p in points])
    stops = sorted(
        (Stop(p.kept, _oracle_words(name, p)) for name, points, _ in subjects for p in points), key=lambda s: s.x
    )
    lines = []
    for name, points, ink in subjects:
        lines.append(Line(name, tuple((p.kept, p.kl_mean) for p in points), ink, has_dots=True))
        label = fill(_tr("%1, worst 1 %"), name)
        lines.append(Line(label, tuple((p.kept, p.kl_p99) for p in points), ink, 0.75, 1.4, is_dashed=True))
    losses = [value for line in lines for _, value in line.points if value > LEAST_KL]
    least = min(TIER_LIMITS.values())
    limits = tuple(Limit(v, f"{tier_name(tier)} ≤ {v:g}", is_below=v == least) for tier, v in TIER_LIMITS.items())
    y = log_axis(_tr("KL divergence, nats"), [LEAST_KL, *losses, *TIER_LIMITS.values()], write=_kl_tick)
    loss = PlotData(
        _tr("Loss if only what mattered most is kept"), x, y, tuple(lines), limits=limits, stops=tuple(stops)
    )
    flips = PlotData(
        _tr("Tokens whose likeliest next token changes"),
        x,
        share_axis(_tr("of the tokens"), [p.flips for _, points, _ in subjects for p in points]),
        tuple(
            Line(name, tuple((p.kept, p.flips) for p in points), ink, has_dots=True) for name, points, ink in subjects
        ),
        stops=tuple(stops),
    )
    return StudyChart(loss, _ceiling_words(report)), StudyChart(flips, _flips_words(report))


def _kl_tick(value: float) -> str:
    return f"<{value:g}" if value <= LEAST_KL else f"{value:g}"


def _oracle_words(name: str, point: OraclePoint) -> str:
    return fill(_tr("%1 of the %2"), share(point.kept), name) + "\n" + fill(
        _tr("mean KL: %1\nworst 1 %: %2\nother likeliest token: %3\nperplexity: %4"),
        nats(point.kl_mean),
        nats(point.kl_p99),
        share(point.flips),
        number(point.perplexity, 2),
    )  # fmt: skip


def _ceiling_words(report: OracleReport) -> str:
    words = _sufficing_words(
        report.neurons,
        _tr("%1 of the neurons suffice within the limit of %2, %3 within that of %4."),
        _tr("%1 of the neurons suffice within the limit of %2."),
        _tr("Within the limits of the tiers none of the shares that were tried suffices, short of all neurons."),
    )
    heads = _sufficing_words(
        report.heads,
        _tr("Of the attention heads it takes %1 (%2) or %3 (%4)."),
        _tr("Of the attention heads it takes %1 (%2)."),
        _tr("Attention heads cannot be left out within these limits."),
    )
    return in_a_row(words, heads)


def _sufficing_words(points: Sequence[OraclePoint], both: str, one: str, none: str) -> str:
    """What suffices for the tiers' limits, where that is less than all; nothing where nothing was tried."""
    if len(points) < 2:
        return ""
    found = [(tier, point.kept) for tier, point in sufficing(points) if point.kept < 1]
    if not found:
        return none
    values = [word for tier, kept in found for word in (percent(kept), tier_name(tier))]
    return fill(both if len(found) > 1 else one, *values)


def _flips_words(report: OracleReport) -> str:
    points = report.neurons or report.heads
    middle = min(points, key=lambda p: abs(p.kept - 0.2))
    what = _tr("neurons") if report.neurons else _tr("attention heads")
    words = _tr("With %1 of the %2, %3 of the tokens would be followed by another one.")
    return fill(words, share(middle.kept), what, share(middle.flips))


def _tier_charts(report: TierReport) -> tuple[StudyChart, ...]:
    names = [tier_name(t.name) for t in report.tiers]
    ways = (_tr("every neuron"), *names)
    read = (report.dense_bytes, *(t.step_bytes for t in report.tiers))
    speeds = (report.dense_tokens_per_s, *(t.tokens_per_s for t in report.tiers))
    fastest = max(report.tiers, key=lambda t: t.tokens_per_s, default=None)
    exact = next((t for t in report.tiers if t.name == EXACT), None)
    read_sentence = speed_sentence = ""
    if exact is not None and report.dense_bytes > 0 and report.dense_tokens_per_s > 0:
        read_sentence = fill(
            _tr("Exact reads %1 of what every neuron would take, without any loss."),
            share(exact.step_bytes / report.dense_bytes),
        )
        speed_sentence = fill(
            _tr("Exact is %1 × as fast as computing every neuron."),
            number(exact.tokens_per_s / report.dense_tokens_per_s, 2),
        )
        if fastest is not None and fastest is not exact and exact.tokens_per_s > 0:
            faster = fill(
                _tr("%1 is %2 × as fast as exact."),
                first_upper(tier_name(fastest.name)),
                number(fastest.tokens_per_s / exact.tokens_per_s, 2),
            )
            speed_sentence = in_a_row(speed_sentence, faster)
    charts = [
        StudyChart(categories(_tr("Bytes read"), _tr("for a token"), ways, read, bytes_words, "accent"), read_sentence),
        StudyChart(
            categories(_tr("Speed of decoding"), _tr("tokens/s"), ways, speeds, speed_words, "syntax_name"),
            speed_sentence,
        ),
    ]
    if any(tier.layers for tier in report.tiers):
        charts.append(_choices(report))
    return tuple(charts)


def _choices(report: TierReport) -> StudyChart:
    lossy = [tier for tier in report.tiers if tier.layers]
    n = len(lossy[0].layers)
    lines = [
        Line(_tr("active"), tuple((float(i), c.active) for i, c in enumerate(lossy[0].layers)), "muted", width=1.6)
    ]
    found = [[layer_name(i), fill(_tr("active: %1"), share(lossy[0].layers[i].active))] for i in range(n)]
    for at, tier in enumerate(lossy):
        points = tuple((float(i), c.named) for i, c in enumerate(tier.layers))
        lines.append(Line(fill(_tr("%1 looks at"), tier_name(tier.name)), points, ink_of(at), is_dashed=at > 0))
        for i, choice in enumerate(tier.layers[:n]):
            way = _tr("no predictor")
            if choice.predictor:
                way = predictor_name(choice.predictor, choice.reads, choice.rank)
            cut = fill(_tr(", cut at %1"), magnitude(choice.cut)) if choice.cut > 0 else ""
            found[i].append(f"{tier_name(tier.name)}: {share(choice.named)} ({way}{cut})")
    counts = [
        fill(
            _tr("%1 uses a predictor in %2 and a cut in %3 of %4 layers"),
            tier_name(tier.name),
            number(sum(bool(c.predictor) for c in tier.layers)),
            number(sum(c.cut > 0 for c in tier.layers)),
            number(len(tier.layers)),
        )
        for tier in lossy
    ]
    data = PlotData(
        _tr("Neurons looked at, by layer"),
        layer_axis(n),
        share_axis(_tr("of the neurons, for a token")),
        tuple(lines),
        stops=tuple(Stop(float(i), "\n".join(words)) for i, words in enumerate(found)),
    )
    return StudyChart(data, fill(_tr("%1."), first_upper(tr("; ").join(counts))))


def _tr(text: str) -> str:
    return QCoreApplication.translate("StudyCharts", text)
