"""Reports about a model's neurons in words: what they say, and what a reader must know before believing them.

Written for a person who asks: how many neurons does this model need for a token, can they be known beforehand, and what
does leaving the others out cost. Knows neither Qt nor the terminal. The door for front-ends, which find the tables and
the words for single numbers here as well.
"""

from collections.abc import Sequence

from app.benchmark_text import listed, rate
from app.engine_phrases import feed_forward_words
from app.error_text import format_bytes
from app.language import tr
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
    day_and_time,
    drift_words,
    duration,
    kind_name,
    magnitude,
    megabytes,
    nats,
    not_sparse,
    percent,
    predictor_name,
    reads_name,
    refused_words,
    share,
    signed_bytes,
    study_meaning,
    study_name,
    tier_missing,
    tier_name,
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
    "reads_name",
    "refused_words",
    "share",
    "signed_bytes",
    "small_error_silence",
    "study_facts",
    "study_headline",
    "study_meaning",
    "study_name",
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
            recall = tr(
                "Recall is weighted by what an active neuron contributes; a predictor is judged at the threshold where "
                "it finds {share} of it, on text it was not made from."
            )
            return [
                recall.format(share=percent(WANTED_RECALL)),
                tr("A predictor pays where the rows it saves are more bytes than it reads itself."),
            ]
        case OracleReport():
            twice = tr(
                "The model ran twice on the same text: densely, noting what mattered for each token, and again with "
                "only that. A predictor has to guess what this run knew: it will hardly keep fewer at the same loss."
            )
            return [twice, tr(KL_MEANING)]
        case TierReport():
            return _tier_notes(report)


def study_headline(report: StudyReport) -> str:
    """What the report says, in one sentence."""
    match report:
        case CensusReport():
            active = mean([1 - layer.silent for layer in report.layers])
            half = mean([layer.covering[0] for layer in report.layers])
            text = tr(
                "{active} of the neurons are active for a token; over the whole text, half of the activity comes from "
                "{half}."
            )
            return text.format(active=share(active), half=share(half))
        case ProfileReport():
            return _sentence_case(_profile_sentence(report))
        case PredictorReport():
            return _predictor_sentence(report)
        case OracleReport():
            found = [
                tr("{kept} for {tier}").format(kept=_kept(point), tier=tier_name(name))
                for name, point in sufficing(report.neurons)
            ]
            if not found:
                return tr("No share of the neurons tried suffices.")
            return tr("Neurons that suffice: {found}.").format(found=listed(found))
        case TierReport():
            if not any(tier.name != EXACT for tier in report.tiers):
                return tr("No tier is offered: answers are exact.")
            return tr("Offered: {tiers}").format(tiers=_tier_sentence(report))


def _subject_facts(head: ReportHead) -> list[tuple[str, str]]:
    s = head.subject
    shape = tr("{layers} layers of width {width}, {neurons} neurons each ({kind}), {format}").format(
        layers=s.n_layers,
        width=f"{s.width:,}",
        neurons=f"{s.n_neurons:,}",
        kind=feed_forward_words(s.feed_forward),
        format=s.weight_format,
    )
    return [(tr("Model"), f"{s.name} ({s.model_id})" if s.name != s.model_id else s.name), (tr("Shape"), shape)]


def _origin_facts(head: ReportHead) -> list[tuple[str, str]]:
    version = head.ember_version or tr("of an unknown version")
    made = tr("{created}, in {time}; Ember {version}")
    made = made.format(created=day_and_time(head.created), time=duration(head.elapsed_s), version=version)
    texts = [(f"  {kind_name(corpus.kind)}", _corpus(corpus)) for corpus in head.corpora]
    tokens = tr("{count} tokens").format(count=f"{head.n_tokens:,}")
    return [(tr("Text"), tokens), *texts, (tr("Measured"), made)]


def _corpus(corpus: Corpus) -> str:
    licence = f" ({corpus.licence})" if corpus.licence else ""
    return f"{corpus.n_tokens:,}" + (f": {corpus.name}{licence}" if corpus.name else "")


def _census_facts(report: CensusReport) -> list[tuple[str, str]]:
    layers = report.layers
    active = tuple(1 - layer.silent for layer in layers)
    covering = [
        tr("{part} by {neurons}").format(
            part=percent(covered), neurons=share(mean([layer.covering[i] for layer in layers]))
        )
        for i, covered in enumerate(COVERED)
    ]
    unions = [
        tr("{count} tokens {share}").format(count=n, share=share(mean([layer.unions[i] for layer in layers])))
        for i, n in enumerate(UNION_TOKENS)
    ]
    again = tr("{share} of a token's active neurons were active for the token before it")
    ends = tr("{never} were never active, {always} at every token").format(
        never=share(mean([x.dead for x in layers])), always=share(mean([x.always_on for x in layers]))
    )
    zeros = tr("{share} of the activations are exactly zero").format(share=share(mean([x.zeros for x in layers])))
    return [
        (tr("Active"), _active_words(active)),
        (tr("Zeros"), zeros),
        (tr("Activity"), tr("carried, of the neurons: {shares}").format(shares=tr(", ").join(covering))),
        (tr("Next token"), again.format(share=share(mean([x.overlap for x in layers])))),
        (tr("Together"), tr("neurons active for any of {shares}").format(shares=tr(", ").join(unions))),
        (tr("Never, always"), ends),
    ]


def _census_notes(report: CensusReport) -> list[str]:
    found = []
    if report.head.subject.is_sparse:
        found.append(tr("A neuron is active where its product is not zero; leaving the others out changes nothing."))
    else:
        silenced = mean([small_error_silence(layer) for layer in report.layers])
        found.append(
            tr(
                "Nothing is ever exactly zero in this model. A neuron is called active where it is among the largest "
                "products of its token that together carry 95 % of their squares."
            )
        )
        text = tr(
            "Thresholds with an error of at most {error} of the output's square in each layer would silence {share} of "
            "the neurons. Ember does not do this yet."
        )
        found.append(text.format(error=percent(SMALL_ERROR), share=share(silenced)))
    found.append(
        tr(
            "“Carry 50 %” are the fewest neurons that carry so much of the activity, “any of 8” those active for any "
            "of 8 consecutive tokens; “also before” are those of a token's active neurons that were active for the "
            "token before."
        )
    )
    if any(layer.thresholding for layer in report.layers):
        found.append(tr("The error of the output is its squared change, relative to its square, in the layer alone."))
    return found


def _profile_facts(report: ProfileReport) -> list[tuple[str, str]]:
    found = []
    for use in report.uses:
        text = tr("{active}, 80 % of the activity from {share}")
        words = text.format(active=_active_words(use.active), share=share(hot_share(use.covering)))
        found.append((_sentence_case(kind_name(use.kind)), words))
    if report.overlaps:
        found.append((tr("In common"), _profile_sentence(report)))
    if report.chat_tokens:
        counted = tr("{count} tokens were counted, on this computer only").format(count=f"{report.chat_tokens:,}")
        found.append((tr("Your chats"), counted))
    return found


def _profile_notes(report: ProfileReport) -> list[str]:
    found = [
        tr(
            "Hot neurons of a text are the fewest that carry 80 % of its activity: how often a neuron was active, "
            "times how much it then added."
        )
    ]
    if report.importance:
        found.append(
            tr(
                "Published counts were read as the importance of neurons. They order neurons, and say nothing of how "
                "often one is active; no figure above is made from them."
            )
        )
    return found


def _profile_sentence(report: ProfileReport) -> str:
    if not report.overlaps:
        return tr("there is only one kind of text, and nothing to compare it with.")
    least, most = (pick(report.overlaps, key=lambda o: o.mean) for pick in (min, max))
    values = {
        "one": kind_name(most.kind), "other": kind_name(most.other), "share": share(most.mean),
        "third": kind_name(least.kind), "fourth": kind_name(least.other), "least": share(least.mean),
    }  # fmt: skip
    if least is most:
        return tr("{one} and {other} have {share} of their hot neurons in common.").format(**values)
    text = tr("{one} and {other} have most hot neurons in common ({share}), {third} and {fourth} fewest ({least}).")
    return text.format(**values)


def _predictor_facts(report: PredictorReport) -> list[tuple[str, str]]:
    words = [predictor_name(kind, reads, rank) for rank, kind, reads in tried_predictors(report)]
    size = tr("{size} a layer and token without a predictor").format(size=format_bytes(report.layer_bytes))
    tried = tr("{count} predictors a layer: {names}").format(count=len(words), names=tr("; ").join(words))
    return [
        (tr("Active"), _active_words(report.active)),
        (tr("First products"), size),
        (tr("Tried"), tried if words else tr("no predictor")),
        (tr("Found"), _predictor_sentence(report)),
    ]


def _predictor_sentence(report: PredictorReport) -> str:
    best = [best_of(layer) for layer in report.layers]
    saved = sum(each.saved_bytes for each in best if each is not None)
    n = sum(each is not None for each in best)
    if not n:
        text = tr("No predictor saves bytes in any of the {layers} layers at a recall of {recall}.")
        return text.format(layers=len(best), recall=percent(WANTED_RECALL))
    whole = report.layer_bytes * len(report.layers)
    text = tr(
        "In {count} of {layers} layers a predictor saves bytes at a recall of {recall}: together {size} a token, "
        "{share} of the first products."
    )
    return text.format(
        count=n, layers=len(best), recall=percent(WANTED_RECALL), size=format_bytes(round(saved)),
        share=share(saved / whole),
    )  # fmt: skip


def _oracle_facts(report: OracleReport) -> list[tuple[str, str]]:
    return [
        (tr("Neurons"), _sufficing_words(report.neurons, tr("neurons"))),
        (tr("Heads"), _sufficing_words(report.heads, tr("attention heads"))),
    ]


def _kept(point: OraclePoint) -> str:
    return tr("all") if point.kept == 1 else percent(point.kept)


def _sufficing_words(points: Sequence[OraclePoint], what: str) -> str:
    if not points:
        return tr("not measured for {what}").format(what=what)
    found = [
        tr("{kept} for {tier} (KL {limit})").format(
            kept=_kept(point), tier=tier_name(name), limit=f"{TIER_LIMITS[name]:g}"
        )
        for name, point in sufficing(points)
    ]
    if not found:
        return tr("no share of the {what} suffices").format(what=what)
    return tr("of the {what}, these shares suffice: {found}").format(what=what, found=tr(", ").join(found))


def _tier_facts(report: TierReport) -> list[tuple[str, str]]:
    dense = tr("{size} a token, {speed} tokens/s").format(
        size=format_bytes(round(report.dense_bytes)), speed=rate(report.dense_tokens_per_s)
    )
    found = [(tr("Every neuron"), dense), (tr("Offered"), _tier_sentence(report))]
    if report.format_kl >= 0:
        cost = tr("costs a mean KL of {kl} by itself, in {format}")
        found.append((tr("Packing"), cost.format(kl=nats(report.format_kl), format=report.head.subject.weight_format)))
    return found


def _tier_sentence(report: TierReport) -> str:
    exact = next((tier for tier in report.tiers if tier.name == EXACT), None)
    found = []
    for tier in report.tiers:
        if tier.name == EXACT or exact is None:
            found.append(tier_name(tier.name))
            continue
        faster = tr("speed unknown")
        if exact.tokens_per_s > 0:
            faster = tr("{times} times exact").format(times=f"{tier.tokens_per_s / exact.tokens_per_s:.2f}")
        text = tr("{tier} ({speed}, mean KL {kl})")
        found.append(text.format(tier=tier_name(tier.name), speed=faster, kl=nats(tier.kl_mean)))
    return tr("{tiers}.").format(tiers=listed(found)) if found else tr("no tier.")


def _tier_notes(report: TierReport) -> list[str]:
    at_most = tr(
        "“At most” is the upper end of the mean's 95 % interval over windows of text; a tier is offered where this is "
        "within its limit. One token in a hundred moves further than p99."
    )
    audited = tr(
        "While a tier answers, every 64th token is also computed exactly; where it drifts, the answer goes on exactly."
    )
    return [*(refused_words(refused) for refused in report.refused), tr(KL_MEANING), at_most, audited]


def _active_words(active: Sequence[float]) -> str:
    """The mean over layers, with the least and the most."""
    extremes = tr("no layers")
    if active:
        extremes = tr("{least} to {most} by layer").format(least=share(min(active)), most=share(max(active)))
    text = tr("{share} of the neurons for a token ({extremes})")
    return text.format(share=share(mean(active)), extremes=extremes)


def _sentence_case(words: str) -> str:
    return words[:1].upper() + words[1:]
