"""Reports about a model's neurons in words: facts, tables, and what a reader must know before believing them.

Written for a person who asks: how many neurons does this model need for a token, can they be known beforehand, and what
does leaving the others out cost. Knows neither Qt nor the terminal. Tables have one form for every layer and one that
says of each figure its mean and where it is lowest and highest.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.benchmark_text import Table, rate
from app.error_text import ErrorText, format_bytes
from engine.neuron_reports import (
    COVERED,
    EXACT,
    TIER_LIMITS,
    UNION_TOKENS,
    CensusReport,
    Corpus,
    LayerCensus,
    OraclePoint,
    OracleReport,
    PredictorFigures,
    PredictorReport,
    ProfileReport,
    RefusedTier,
    ReportHead,
    StudyReport,
    TierChoice,
    TierFigures,
    TierReport,
)

STUDY_NAMES = {
    "census": "Census", "profile": "Activation profile", "predictors": "Predictors", "oracle": "Two-pass ceiling",
    "tiers": "Tiers",
}  # fmt: skip
STUDY_MEANINGS = {
    "census": "what the neurons do: how many are silent, and how few carry the activity",
    "profile": "which neurons matter for which kind of text",
    "predictors": "whether active neurons can be named before they are computed",
    "oracle": "how few neurons and heads suffice for the same predictions: the ceiling of every predictor",
    "tiers": "how much may be left out at a stated loss, and what it brings",
}
KIND_NAMES = {"prose": "prose", "chinese": "Chinese", "code": "code", "dialogue": "dialogue", "own": "your own text",
              "chats": "your chats"}  # fmt: skip
READS = {"normed": "same layer", "stream": "same layer, before its norm", "entering": "before attention"}
QUANTILES = ("1 %", "5 %", "25 %", "50 %", "75 %", "95 %", "99 %", "largest")

KL_MEANING = (
    "The KL divergence (in nats) says how far the probabilities of the next word move. At a mean of 0.01 the words the "
    "exact model would write become, on the average, 1 % less likely; at 0.03, 3 %."
)
# A predictor is compared with others where it finds so much of what the active neurons contribute.
WANTED_RECALL = 0.99
# What thresholding may do to a feed-forward's output, as squared error relative to its square, to be called small.
SMALL_ERROR = 0.01

_ABSENT = "–"


def study_facts(report: StudyReport) -> list[tuple[str, str]]:
    """Names and values that stand above the tables."""
    match report:
        case CensusReport():
            found = _census_facts(report)
        case ProfileReport():
            found = _profile_facts(report)
        case PredictorReport():
            found = _predictor_facts(report)
        case OracleReport():
            found = _oracle_facts(report)
        case TierReport():
            found = _tier_facts(report)
    return [*_subject_facts(report.head), *found, *_origin_facts(report.head)]


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
            found = [_oracle_table("Neurons kept", report.neurons), _oracle_table("Attention heads kept", report.heads)]
        case TierReport():
            found = _tier_tables(report, every_layer=every_layer)
    return [table for table in found if table.rows]


def study_notes(report: StudyReport) -> list[str]:
    """Sentences that stand below the tables."""
    match report:
        case CensusReport():
            return _census_notes(report)
        case ProfileReport():
            return _profile_notes(report)
        case PredictorReport():
            return [
                "Recall is weighted by what an active neuron contributes; a predictor is judged at the threshold where "
                f"it finds {percent(WANTED_RECALL)} of it, on text it was not made from.",
                "A predictor pays where the rows it saves are more bytes than it reads itself.",
            ]
        case OracleReport():
            return [
                "The model ran twice on the same text: densely, noting what mattered for each token, and again with "
                "only that. A predictor has to guess what this run knew: it will hardly keep fewer at the same loss.",
                KL_MEANING,
            ]
        case TierReport():
            return _tier_notes(report)


def study_headline(report: StudyReport) -> str:
    """What the report says, in one sentence."""
    match report:
        case CensusReport():
            active = mean([1 - layer.silent for layer in report.layers])
            half = mean([layer.covering[0] for layer in report.layers])
            return (
                f"{share(active)} of the neurons are active for a token; half of the activity comes from {share(half)}."
            )
        case ProfileReport():
            sentence = _profile_sentence(report)
            return sentence[:1].upper() + sentence[1:]
        case PredictorReport():
            return _predictor_sentence(report)
        case OracleReport():
            found = [f"{percent(point.kept)} for {name}" for name, point in sufficing(report.neurons)]
            return f"Neurons that suffice: {_listed(found)}." if found else "No share of the neurons tried suffices."
        case TierReport():
            return f"Offered: {_tier_sentence(report)}"


# Words for front-ends ---------------------------------------------------------------------------------------------


def refused_words(refused: RefusedTier) -> str:
    """Why a tier is not offered."""
    if refused.reason == "above_limit":
        limit = TIER_LIMITS.get(refused.name, 0.0)
        return (
            f"The tier {refused.name} is not offered: its mean KL may be as high as {nats(refused.kl_upper)}, and "
            f"{limit:g} is its limit."
        )
    if refused.reason == "no_gain":
        return f"The tier {refused.name} is not offered: nothing can be left out within its limit that saves time."
    return f"The tier {refused.name} is not offered ({refused.reason})."


def tier_missing(tier: str, offered: Sequence[str], model_id: str) -> ErrorText:
    """A tier was asked for that the loaded model does not have."""
    there = "only exact" if tuple(offered) == (EXACT,) else _listed(list(offered))
    known = (EXACT, *TIER_LIMITS)
    cause = f"{model_id} has no tier “{tier}”: there is {there}."
    if tier not in known:
        return ErrorText(cause, f"Choose {_listed(list(offered), 'or')}. Tiers are called {_listed(list(known))}.")
    return ErrorText(cause, f"Measure what this model can leave out, and offer it: ember calibrate {model_id}")


def not_sparse(model_id: str, feed_forward: str, study: str) -> ErrorText:
    """A study that needs neurons which can be silent was asked of a model that has none."""
    why = {"predictors": "there is nothing to predict", "tiers": "there is nothing that could be left out unmeasured"}
    return ErrorText(
        f"No neuron of {model_id} is ever exactly silent ({feed_forward or 'no ReLU'}), so "
        f"{why.get(study, 'this study has no subject')}.",
        f"A census says how few neurons carry the activity, and what silencing small activations would cost: "
        f"ember profile {model_id} --census",
    )


def drift_words(tier: str, left_at: int) -> str:
    """An answer that a tier began went on exactly."""
    return (
        f"From token {left_at + 1:,} on this answer was computed exactly: the tier {tier} had drifted from what was "
        "promised for it."
    )


def share(value: float) -> str:
    """A share in percent: two digits, and one more where it is nearly nothing or nearly all."""
    hundredths = 100 * value
    if hundredths == 0:
        return "0 %"
    if 0 < hundredths < 0.05:
        return "<0.1 %"
    if 99.95 <= hundredths < 100:
        return ">99.9 %"
    return f"{hundredths:.1f} %" if abs(hundredths) < 9.95 or 99 <= hundredths < 100 else f"{hundredths:.0f} %"


def percent(chosen: float) -> str:
    """A share that was chosen and not measured."""
    return f"{100 * chosen:g} %"


def nats(value: float) -> str:
    """A divergence with three digits that count."""
    if value == 0:
        return "0"
    if value < 0.00005:
        return "<0.0001"
    return f"{value:.4f}" if value < 0.00995 else f"{value:.3f}" if value < 0.995 else f"{value:.2f}"


def mean(values: Sequence[float]) -> float:
    """0 where there are none."""
    return sum(values) / len(values) if values else 0.0


# Figures that charts and tables share -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LayerFigure:
    """One number of every layer; `write` makes it text."""

    name: str
    values: tuple[float, ...]
    write: Callable[[float], str]


def at_wanted_recall(layer: Iterable[PredictorFigures]) -> list[PredictorFigures]:
    """Of each predictor of a layer, the operating point that names fewest neurons with the wanted weighted recall."""
    best: dict[tuple[str, str, int], PredictorFigures] = {}
    for each in layer:
        key = (each.kind, each.reads, each.rank)
        if each.recall_weighted >= WANTED_RECALL and (key not in best or each.named < best[key].named):
            best[key] = each
    return list(best.values())


def best_of(layer: Iterable[PredictorFigures]) -> PredictorFigures | None:
    """The predictor that saves most at the wanted recall; None where none saves anything."""
    saving = [each for each in at_wanted_recall(layer) if each.saved_bytes > 0]
    return max(saving, key=lambda each: each.saved_bytes, default=None)


def predictor_name(kind: str, reads: str, rank: int) -> str:
    """signs; linear, rank 64; linear, rank 64, before attention."""
    words = {"sign": "signs", "linear": "linear", "relu": "with ReLU"}.get(kind, kind)
    if rank:
        words += f", rank {rank:,}"
    return words if reads == "normed" else f"{words}, {READS.get(reads, reads)}"


def sufficing(points: Sequence[OraclePoint]) -> list[tuple[str, OraclePoint]]:
    """By tier, the least that was kept with a mean KL within its limit."""
    found = []
    for name, limit in TIER_LIMITS.items():
        within = [point for point in points if point.kl_mean <= limit]
        if within:
            found.append((name, min(within, key=lambda point: point.kept)))
    return found


def small_error_silence(layer: LayerCensus) -> float:
    """The share that thresholding silences with a small error of the layer's output; 0 where no threshold does."""
    return max((step.silent for step in layer.thresholding if step.output_error <= SMALL_ERROR), default=0.0)


# Head -------------------------------------------------------------------------------------------------------------


def _subject_facts(head: ReportHead) -> list[tuple[str, str]]:
    s = head.subject
    shape = (
        f"{s.n_layers} layers of width {s.width:,}, {s.n_neurons:,} neurons each ({s.feed_forward}), {s.weight_format}"
    )
    return [("Model", f"{s.name} ({s.model_id})" if s.name != s.model_id else s.name), ("Shape", shape)]


def _origin_facts(head: ReportHead) -> list[tuple[str, str]]:
    made = f"{head.created}, in {duration(head.elapsed_s)}; Ember {head.ember_version or 'of an unknown version'}"
    return [("Text", f"{head.n_tokens:,} tokens: {'; '.join(map(_corpus, head.corpora))}"), ("Measured", made)]


def _corpus(corpus: Corpus) -> str:
    about = ", ".join(word for word in (corpus.name, corpus.licence) if word)
    return f"{kind_name(corpus.kind)} {corpus.n_tokens:,}" + (f" ({about})" if about else "")


def duration(seconds: float) -> str:
    """48 s; 12 min; 2 h 5 min."""
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


# Census -----------------------------------------------------------------------------------------------------------


def _census_facts(report: CensusReport) -> list[tuple[str, str]]:
    layers = report.layers
    active = tuple(1 - layer.silent for layer in layers)
    covering = [
        f"{percent(covered)} by {share(mean([layer.covering[i] for layer in layers]))}"
        for i, covered in enumerate(COVERED)
    ]
    unions = [f"{n} tokens {share(mean([layer.unions[i] for layer in layers]))}" for i, n in enumerate(UNION_TOKENS)]
    figures = {figure.name: share(mean(figure.values)) for figure in census_figures(report)}
    return [
        ("Active", f"{share(mean(active))} of the neurons for a token ({_extremes(active)})"),
        ("Zeros", f"{figures['exact zeros']} of the activations are exactly zero"),
        ("Activity", f"carried, of the neurons: {', '.join(covering)}"),
        ("Next token", f"{figures['also before']} of a token's active neurons were active for the token before it"),
        ("Together", f"neurons active for any of {', '.join(unions)}"),
        ("Never, always", f"{figures['never']} were never active, {figures['always']} at every token"),
    ]


def census_figures(report: CensusReport) -> list[LayerFigure]:
    """Every figure of a layer that is a share."""
    layers = report.layers

    def figure(name: str, of: Callable[[LayerCensus], float]) -> LayerFigure:
        return LayerFigure(name, tuple(of(layer) for layer in layers), share)

    def nth(values: Callable[[LayerCensus], Sequence[float]], i: int) -> Callable[[LayerCensus], float]:
        return lambda layer: values(layer)[i]

    return [
        figure("exact zeros", lambda layer: layer.zeros),
        figure("silent", lambda layer: layer.silent),
        *(figure(f"carry {percent(c)}", nth(lambda layer: layer.covering, i)) for i, c in enumerate(COVERED)),
        figure("also before", lambda layer: layer.overlap),
        *(figure(f"any of {n}", nth(lambda layer: layer.unions, i)) for i, n in enumerate(UNION_TOKENS)),
        figure("never", lambda layer: layer.dead),
        figure("always", lambda layer: layer.always_on),
    ]


def _census_tables(report: CensusReport, *, every_layer: bool) -> list[Table]:
    magnitudes = [
        LayerFigure(name, tuple(layer.magnitudes[i] for layer in report.layers), magnitude)
        for i, name in enumerate(QUANTILES)
    ]
    return [
        _layers("Neurons", census_figures(report), every_layer=every_layer),
        _layers("Size of activations, by quantile", magnitudes, every_layer=every_layer),
        _threshold_table(report, every_layer=every_layer),
    ]


def _threshold_table(report: CensusReport, *, every_layer: bool) -> Table:
    title = "Silencing small activations"
    if every_layer:
        rows = [
            (str(i), magnitude(step.threshold), share(step.silent), share(step.output_error))
            for i, layer in enumerate(report.layers)
            for step in layer.thresholding
        ]
        heading = ("layer", "below", "silenced", "error of the output")
        return Table(title, heading, tuple(rows), frozenset(range(4)))
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
    heading = ("below, on the average", "silenced", "error of the output", "in the worst layer")
    return Table(title, heading, tuple(rows), frozenset(range(4)))


def _census_notes(report: CensusReport) -> list[str]:
    found = []
    if report.head.subject.is_sparse:
        found.append("A neuron is active where its product is not zero; leaving the others out changes nothing.")
    else:
        silenced = mean([small_error_silence(layer) for layer in report.layers])
        found.append(
            "Nothing is ever exactly zero in this model. A neuron is called active where it is among the largest "
            "products of its token that together carry 95 % of their squares."
        )
        found.append(
            f"Thresholds with an error of at most {percent(SMALL_ERROR)} of the output's square in each layer would "
            f"silence {share(silenced)} of the neurons. Ember does not do this yet."
        )
    found.append(
        "“Carry 50 %” are the fewest neurons that carry so much of the activity, “any of 8” those active for any of 8 "
        "consecutive tokens; “also before” are those of a token's active neurons that were active for the token before."
    )
    if any(layer.thresholding for layer in report.layers):
        found.append("The error of the output is its squared change, relative to its square, in the layer alone.")
    return found


# Profile ----------------------------------------------------------------------------------------------------------


def _profile_facts(report: ProfileReport) -> list[tuple[str, str]]:
    found = []
    for use in report.uses:
        active = f"{share(mean(use.active))} of the neurons for a token ({_extremes(use.active)})"
        found.append(
            (kind_name(use.kind).capitalize(), f"{active}, 80 % of the activity from {share(_hot(use.covering))}")
        )
    if report.overlaps:
        found.append(("In common", _profile_sentence(report)))
    if report.chat_tokens:
        found.append(("Your chats", f"{report.chat_tokens:,} tokens were counted, on this computer only"))
    return found


def _profile_tables(report: ProfileReport, *, every_layer: bool) -> list[Table]:
    kinds = [use.kind for use in report.uses]
    uses = Table(
        "By use",
        ("text", "tokens", "active", *(f"carry {percent(c)}" for c in COVERED)),
        tuple(
            (kind_name(u.kind), f"{u.n_tokens:,}", share(mean(u.active)),
             *(share(mean([layer[i] for layer in u.covering])) for i in range(len(COVERED))))
            for u in report.uses
        ),
        frozenset(range(1, 3 + len(COVERED))),
    )  # fmt: skip
    alike = overlap_matrix(report)
    matrix = Table(
        "Hot neurons in common (Jaccard index)",
        ("", *map(kind_name, kinds)),
        tuple((kind_name(row), *(share(alike[row, column]) if (row, column) in alike else _ABSENT for column in kinds))
              for row in kinds) if report.overlaps else (),
        frozenset(range(1, 1 + len(kinds))),
    )  # fmt: skip
    figures = [LayerFigure(f"active, {kind_name(use.kind)}", use.active, share) for use in report.uses]
    hot = [
        LayerFigure(
            f"carry 80 %, {kind_name(use.kind)}", tuple(layer[COVERED.index(0.8)] for layer in use.covering), share
        )
        for use in report.uses
    ]
    common = [LayerFigure(f"{kind_name(o.kind)} and {kind_name(o.other)}", o.jaccard, share) for o in report.overlaps]
    return [
        uses,
        matrix,
        _layers("Neurons by use", figures + hot, every_layer=every_layer),
        _layers("Hot neurons in common, by layer", common, every_layer=every_layer),
    ]


def overlap_matrix(report: ProfileReport) -> dict[tuple[str, str], float]:
    """Mean Jaccard index of two kinds, in both orders, and 1 of each with itself."""
    found = {(use.kind, use.kind): 1.0 for use in report.uses}
    for each in report.overlaps:
        found[each.kind, each.other] = found[each.other, each.kind] = each.mean
    return found


def _profile_notes(report: ProfileReport) -> list[str]:
    found = [
        "Hot neurons of a text are the fewest that carry 80 % of its activity: how often a neuron was active, times "
        "how much it then added."
    ]
    if report.importance:
        found.append(
            "Published counts were read as the importance of neurons. They order neurons, and say nothing of how often "
            "one is active; no figure above is made from them."
        )
    return found


def _profile_sentence(report: ProfileReport) -> str:
    if not report.overlaps:
        return "there is only one kind of text, and nothing to compare it with."
    least, most = (pick(report.overlaps, key=lambda o: o.mean) for pick in (min, max))
    near = f"{kind_name(most.kind)} and {kind_name(most.other)}"
    if least is most:
        return f"{near} have {share(most.mean)} of their hot neurons in common."
    return (
        f"{near} have most hot neurons in common ({share(most.mean)}), {kind_name(least.kind)} and "
        f"{kind_name(least.other)} fewest ({share(least.mean)})."
    )


def _hot(covering: Sequence[Sequence[float]]) -> float:
    return mean([layer[COVERED.index(0.8)] for layer in covering])


# Predictors -------------------------------------------------------------------------------------------------------


def _predictor_facts(report: PredictorReport) -> list[tuple[str, str]]:
    words = [predictor_name(kind, reads, rank) for rank, kind, reads in _tried(report)]
    return [
        ("Active", f"{share(mean(report.active))} of the neurons for a token ({_extremes(report.active)})"),
        ("First products", f"{format_bytes(report.layer_bytes)} a layer and token without a predictor"),
        ("Tried", f"{len(words)} predictors a layer: {'; '.join(words)}" if words else "no predictor"),
        ("Found", _predictor_sentence(report)),
    ]


def _tried(report: PredictorReport) -> dict[tuple[int, str, str], int]:
    """By rank, kind and what it reads, the bytes of every predictor that was tried."""
    return dict(sorted(((p.rank, p.kind, p.reads), p.n_bytes) for layer in report.layers for p in layer))


def _predictor_sentence(report: PredictorReport) -> str:
    best = [best_of(layer) for layer in report.layers]
    saved = sum(each.saved_bytes for each in best if each is not None)
    n = sum(each is not None for each in best)
    if not n:
        return f"No predictor saves bytes in any of the {len(best)} layers at a recall of {percent(WANTED_RECALL)}."
    whole = report.layer_bytes * len(report.layers)
    return (
        f"In {n} of {len(best)} layers a predictor saves bytes at a recall of {percent(WANTED_RECALL)}: together "
        f"{format_bytes(round(saved))} a token, {share(saved / whole)} of the first products."
    )


def _predictor_tables(report: PredictorReport, *, every_layer: bool) -> list[Table]:
    found = [_tried_table(report)]
    if every_layer:
        found.append(_best_table(report))
        found.append(_points_table(report))
    else:
        found.append(_layers("Layers", [LayerFigure("active", report.active, share)], every_layer=False))
    return found


def _tried_table(report: PredictorReport) -> Table:
    """Each predictor over all layers, at the wanted recall; same-layer and look-ahead of one rank lie side by side."""
    rows = []
    wanted = [p for layer in report.layers for p in at_wanted_recall(layer)]
    for (rank, kind, reads), n_bytes in _tried(report).items():
        points = [p for p in wanted if (p.kind, p.rank, p.reads) == (kind, rank, reads)]
        saving = [p for p in points if p.saved_bytes > 0]
        rows.append(
            (
                predictor_name(kind, "normed", rank), READS.get(reads, reads), format_bytes(n_bytes),
                f"{len(points)} of {len(report.layers)}", *_point_cells(points), str(len(saving)),
                format_bytes(round(sum(p.saved_bytes for p in saving))),
            )
        )  # fmt: skip
    heading = (
        "predictor", "reads", "its bytes", "layers that reach it", "named", "recall", "precision", "layers that save",
        "saved a token",
    )  # fmt: skip
    return Table(
        f"Predictors at a weighted recall of {percent(WANTED_RECALL)}", heading, tuple(rows), frozenset(range(2, 9))
    )


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
            rows.append((str(i), share(active), "none saves", *(_ABSENT,) * 5))
        else:
            rows.append(
                (str(i), share(active), predictor_name(best.kind, best.reads, best.rank), share(best.named),
                 share(best.recall_weighted), share(best.recall), share(best.precision),
                 format_bytes(round(best.saved_bytes)))
            )  # fmt: skip
    heading = ("layer", "active", "best predictor", "named", "weighted recall", "recall", "precision", "saved a token")
    return Table("Best predictor of every layer", heading, tuple(rows), frozenset((0, 1, 3, 4, 5, 6, 7)))


def _points_table(report: PredictorReport) -> Table:
    rows = [
        (
            str(i), predictor_name(p.kind, p.reads, p.rank), share(p.named), share(p.recall_weighted), share(p.recall),
            share(p.precision), signed_bytes(p.saved_bytes),
        )
        for i, layer in enumerate(report.layers)
        for p in layer
    ]  # fmt: skip
    heading = ("layer", "predictor", "named", "weighted recall", "recall", "precision", "saved a token")
    return Table("Every predictor at every threshold", heading, tuple(rows), frozenset((0, 2, 3, 4, 5, 6)))


def signed_bytes(count: float) -> str:
    """Bytes saved; below 0 where it costs more than it saves."""
    return f"−{format_bytes(round(-count))}" if count < 0 else format_bytes(round(count))


# Oracle -----------------------------------------------------------------------------------------------------------


def _oracle_facts(report: OracleReport) -> list[tuple[str, str]]:
    return [
        ("Neurons", _sufficing_words(report.neurons, "neurons")),
        ("Heads", _sufficing_words(report.heads, "attention heads")),
    ]


def _sufficing_words(points: Sequence[OraclePoint], what: str) -> str:
    if not points:
        return f"not measured for {what}"
    found = [f"{percent(point.kept)} for {name} (KL {TIER_LIMITS[name]:g})" for name, point in sufficing(points)]
    return f"of the {what}, these shares suffice: {', '.join(found)}" if found else f"no share of the {what} suffices"


def _oracle_table(title: str, points: Sequence[OraclePoint]) -> Table:
    rows = tuple(
        (percent(p.kept), nats(p.kl_mean), nats(p.kl_p99), share(p.flips), f"{p.perplexity:.2f}", _within(p.kl_mean))
        for p in points
    )
    heading = ("kept", "mean KL", "p99", "other likeliest word", "perplexity", "within")
    return Table(title, heading, rows, frozenset(range(5)))


def _within(kl_mean: float) -> str:
    return next((name for name, limit in TIER_LIMITS.items() if kl_mean <= limit), "")


# Tiers ------------------------------------------------------------------------------------------------------------


def _tier_facts(report: TierReport) -> list[tuple[str, str]]:
    dense = f"{format_bytes(round(report.dense_bytes))} a token, {rate(report.dense_tokens_per_s)} tokens/s"
    found = [("Every neuron", dense), ("Offered", _tier_sentence(report))]
    if report.format_kl >= 0:
        found.append(
            (
                "Packing",
                f"costs a mean KL of {nats(report.format_kl)} by itself, in {report.head.subject.weight_format}",
            )
        )
    return found


def _tier_sentence(report: TierReport) -> str:
    exact = next((tier for tier in report.tiers if tier.name == EXACT), None)
    found = []
    for tier in report.tiers:
        if tier.name == EXACT or exact is None:
            found.append(tier.name)
            continue
        faster = (
            f"{tier.tokens_per_s / exact.tokens_per_s:.2f} times exact" if exact.tokens_per_s > 0 else "speed unknown"
        )
        found.append(f"{tier.name} ({faster}, mean KL {nats(tier.kl_mean)})")
    return f"{_listed(found)}." if found else "no tier."


def _tier_tables(report: TierReport, *, every_layer: bool) -> list[Table]:
    found = [_offered_table(report)]
    for tier in report.tiers:
        if tier.layers and every_layer:
            found.append(_choice_table(tier))
        elif tier.layers:
            found.append(_choice_summary(tier))
            figures = [
                LayerFigure("active", tuple(c.active for c in tier.layers), share),
                LayerFigure("named", tuple(c.named for c in tier.layers), share),
                LayerFigure("recall", tuple(c.recall for c in tier.layers), share),
                LayerFigure("cut", tuple(c.cut for c in tier.layers), magnitude),
            ]
            found.append(_layers(f"Layers of {tier.name}", figures, every_layer=False))
    return found


def _offered_table(report: TierReport) -> Table:
    dense_bytes, dense_rate = report.dense_bytes, report.dense_tokens_per_s
    rows = [
        (
            t.name, "" if t.name == EXACT else f"{t.limit:g}", nats(t.kl_mean), nats(t.kl_upper), nats(t.kl_p99),
            share(t.flips), f"{t.perplexity:.2f}", _perplexity_change(t, report), megabytes(t.step_bytes),
            _ratio(t.step_bytes, dense_bytes), rate(t.tokens_per_s), _ratio(t.tokens_per_s, dense_rate),
        )
        for t in report.tiers
    ]  # fmt: skip
    rows.append(("every neuron", *("",) * 7, megabytes(dense_bytes), "1.00", rate(dense_rate), "1.00"))
    heading = (
        "tier", "limit", "mean KL", "at most", "p99", "other likeliest word", "perplexity", "change", "MB/token",
        "of every neuron", "tokens/s", "times",
    )  # fmt: skip
    return Table("Tiers on text they were not chosen on", heading, tuple(rows), frozenset(range(1, 12)))


def _perplexity_change(tier: TierFigures, report: TierReport) -> str:
    exact = next((each.perplexity for each in report.tiers if each.name == EXACT), 0.0)
    if tier.name == EXACT or exact <= 0:
        return ""
    change = 100 * (tier.perplexity / exact - 1)
    return f"{'−' if change < 0 else '+'}{abs(change):.2f} %"


def megabytes(count: float) -> str:
    """Millions of bytes with three digits that count, without the unit."""
    return rate(count / 1e6)


def _ratio(value: float, other: float) -> str:
    return f"{value / other:.2f}" if other > 0 else _ABSENT


def _choice_table(tier: TierFigures) -> Table:
    rows = tuple(
        (str(i), choice_name(c), magnitude(c.cut) if c.cut else "none", share(c.active),
         share(c.named) if c.predictor else _ABSENT, share(c.recall) if c.predictor else _ABSENT)
        for i, c in enumerate(tier.layers)
    )  # fmt: skip
    heading = ("layer", "predictor", "cut", "active", "named", "recall")
    return Table(f"Layers of {tier.name}", heading, rows, frozenset((0, 2, 3, 4, 5)))


def _choice_summary(tier: TierFigures) -> Table:
    counted: dict[tuple[str, str], int] = {}
    for choice in tier.layers:
        key = choice_name(choice), "with a cut" if choice.cut else "without"
        counted[key] = counted.get(key, 0) + 1
    rows = tuple((name, cut, str(n)) for (name, cut), n in sorted(counted.items(), key=lambda item: -item[1]))
    return Table(f"Choices of {tier.name}", ("predictor", "cut", "layers"), rows, frozenset((2,)))


def choice_name(choice: TierChoice) -> str:
    """The predictor of a layer of a tier."""
    return predictor_name(choice.predictor, choice.reads, choice.rank) if choice.predictor else "none"


def _tier_notes(report: TierReport) -> list[str]:
    found = [refused_words(refused) for refused in report.refused]
    return [
        *found,
        KL_MEANING,
        "“At most” is the upper end of the mean's 95 % interval over windows of text; a tier is offered where this is "
        "within its limit. One token in a hundred moves further than p99.",
        "While a tier answers, every 64th token is also computed exactly; where it drifts, the answer goes on exactly.",
    ]


# Layers -----------------------------------------------------------------------------------------------------------


def _layers(title: str, figures: Sequence[LayerFigure], *, every_layer: bool) -> Table:
    """A row for each layer, or for each figure its mean and extremes."""
    n_layers = max((len(figure.values) for figure in figures), default=0)
    if every_layer:
        heading = ("layer", *(figure.name for figure in figures))
        rows = tuple((str(i), *(f.write(f.values[i]) for f in figures)) for i in range(n_layers))
        return Table(f"{title}, by layer" if not title.endswith("layer") else title, heading, rows,
                     frozenset(range(len(heading))))  # fmt: skip
    heading = ("", "mean", "lowest", "in layer", "highest", "in layer", "first layer", "last layer")
    rows = tuple(
        (
            f.name, f.write(mean(f.values)), f.write(min(f.values)), str(f.values.index(min(f.values))),
            f.write(max(f.values)), str(f.values.index(max(f.values))), f.write(f.values[0]), f.write(f.values[-1]),
        )
        for f in figures
        if f.values
    )  # fmt: skip
    return Table(title, heading, rows, frozenset(range(1, 8)))


def _extremes(values: Sequence[float]) -> str:
    return f"{share(min(values))} to {share(max(values))} by layer" if values else "no layers"


def magnitude(value: float) -> str:
    """An activation or a threshold."""
    return f"{value:.3g}"


def kind_name(kind: str) -> str:
    """A kind of text as people call it."""
    return KIND_NAMES.get(kind, kind)


def _listed(words: Sequence[str], joint: str = "and") -> str:
    *front, last = words
    return f"{', '.join(front)} {joint} {last}" if front else last
