"""Reports about a model's neurons in words: what they say, and what a reader must know before believing them.

Written for a person who asks: how many neurons does this model need for a token, can they be known beforehand, and what
does leaving the others out cost. Knows neither Qt nor the terminal. The door for front-ends, which find the tables and
the words for single numbers here as well.
"""

from collections.abc import Sequence

from app.benchmark_text import rate
from app.error_text import format_bytes
from app.neuron_figures import (
    SMALL_ERROR,
    WANTED_RECALL,
    LayerFigure,
    at_wanted_recall,
    best_of,
    census_figures,
    hot_share,
    mean,
    overlap_matrix,
    small_error_silence,
    sufficing,
    tried_predictors,
)
from app.neuron_tables import (
    QUANTILES,
    study_tables,
)
from app.neuron_words import (
    KIND_NAMES,
    KL_MEANING,
    READS,
    STUDY_MEANINGS,
    STUDY_NAMES,
    choice_name,
    drift_words,
    duration,
    kind_name,
    listed,
    magnitude,
    megabytes,
    nats,
    not_sparse,
    percent,
    predictor_name,
    refused_words,
    share,
    signed_bytes,
    tier_missing,
)
from engine.neuron_reports import (
    COVERED,
    EXACT,
    TIER_LIMITS,
    UNION_TOKENS,
    CensusReport,
    Corpus,
    OraclePoint,
    OracleReport,
    PredictorReport,
    ProfileReport,
    ReportHead,
    StudyReport,
    TierReport,
)

__all__ = [
    "KIND_NAMES",
    "KL_MEANING",
    "QUANTILES",
    "READS",
    "SMALL_ERROR",
    "STUDY_MEANINGS",
    "STUDY_NAMES",
    "WANTED_RECALL",
    "LayerFigure",
    "at_wanted_recall",
    "best_of",
    "census_figures",
    "choice_name",
    "drift_words",
    "duration",
    "hot_share",
    "kind_name",
    "listed",
    "magnitude",
    "mean",
    "megabytes",
    "nats",
    "not_sparse",
    "overlap_matrix",
    "percent",
    "predictor_name",
    "refused_words",
    "share",
    "signed_bytes",
    "small_error_silence",
    "study_facts",
    "study_headline",
    "study_notes",
    "study_tables",
    "sufficing",
    "tier_missing",
    "tried_predictors",
]


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
                f"{share(active)} of the neurons are active for a token; over the whole text, "
                f"half of the activity comes from {share(half)}."
            )
        case ProfileReport():
            sentence = _profile_sentence(report)
            return sentence[:1].upper() + sentence[1:]
        case PredictorReport():
            return _predictor_sentence(report)
        case OracleReport():
            found = [f"{_kept(point)} for {name}" for name, point in sufficing(report.neurons)]
            return f"Neurons that suffice: {listed(found)}." if found else "No share of the neurons tried suffices."
        case TierReport():
            if not any(tier.name != EXACT for tier in report.tiers):
                return "No tier is offered: answers are exact."
            return f"Offered: {_tier_sentence(report)}"


def _subject_facts(head: ReportHead) -> list[tuple[str, str]]:
    s = head.subject
    shape = (
        f"{s.n_layers} layers of width {s.width:,}, {s.n_neurons:,} neurons each ({s.feed_forward}), {s.weight_format}"
    )
    return [("Model", f"{s.name} ({s.model_id})" if s.name != s.model_id else s.name), ("Shape", shape)]


def _origin_facts(head: ReportHead) -> list[tuple[str, str]]:
    made = f"{head.created}, in {duration(head.elapsed_s)}; Ember {head.ember_version or 'of an unknown version'}"
    texts = [(f"  {kind_name(corpus.kind)}", _corpus(corpus)) for corpus in head.corpora]
    return [("Text", f"{head.n_tokens:,} tokens"), *texts, ("Measured", made)]


def _corpus(corpus: Corpus) -> str:
    licence = f" ({corpus.licence})" if corpus.licence else ""
    return f"{corpus.n_tokens:,}" + (f": {corpus.name}{licence}" if corpus.name else "")


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


def _profile_facts(report: ProfileReport) -> list[tuple[str, str]]:
    found = []
    for use in report.uses:
        active = f"{share(mean(use.active))} of the neurons for a token ({_extremes(use.active)})"
        found.append(
            (kind_name(use.kind).capitalize(), f"{active}, 80 % of the activity from {share(hot_share(use.covering))}")
        )
    if report.overlaps:
        found.append(("In common", _profile_sentence(report)))
    if report.chat_tokens:
        found.append(("Your chats", f"{report.chat_tokens:,} tokens were counted, on this computer only"))
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


def _predictor_facts(report: PredictorReport) -> list[tuple[str, str]]:
    words = [predictor_name(kind, reads, rank) for rank, kind, reads in tried_predictors(report)]
    return [
        ("Active", f"{share(mean(report.active))} of the neurons for a token ({_extremes(report.active)})"),
        ("First products", f"{format_bytes(report.layer_bytes)} a layer and token without a predictor"),
        ("Tried", f"{len(words)} predictors a layer: {'; '.join(words)}" if words else "no predictor"),
        ("Found", _predictor_sentence(report)),
    ]


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


def _oracle_facts(report: OracleReport) -> list[tuple[str, str]]:
    return [
        ("Neurons", _sufficing_words(report.neurons, "neurons")),
        ("Heads", _sufficing_words(report.heads, "attention heads")),
    ]


def _kept(point: OraclePoint) -> str:
    return "all" if point.kept == 1 else percent(point.kept)


def _sufficing_words(points: Sequence[OraclePoint], what: str) -> str:
    if not points:
        return f"not measured for {what}"
    found = [f"{_kept(point)} for {name} (KL {TIER_LIMITS[name]:g})" for name, point in sufficing(points)]
    return f"of the {what}, these shares suffice: {', '.join(found)}" if found else f"no share of the {what} suffices"


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
    return f"{listed(found)}." if found else "no tier."


def _tier_notes(report: TierReport) -> list[str]:
    found = [refused_words(refused) for refused in report.refused]
    return [
        *found,
        KL_MEANING,
        "“At most” is the upper end of the mean's 95 % interval over windows of text; a tier is offered where this is "
        "within its limit. One token in a hundred moves further than p99.",
        "While a tier answers, every 64th token is also computed exactly; where it drifts, the answer goes on exactly.",
    ]


def _extremes(values: Sequence[float]) -> str:
    return f"{share(min(values))} to {share(max(values))} by layer" if values else "no layers"
