"""What of a report on neurons is looked at: the figures that tables, charts and sentences have in common.

Owns the choice of operating points and limits by which predictors, thresholds and ceilings are compared, so that every
front-end compares them by the same.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.language import tr
from app.neuron_words import percent, share
from engine.neuron_reports import (
    COVERED,
    TIER_LIMITS,
    UNION_TOKENS,
    CensusReport,
    LayerCensus,
    OraclePoint,
    PredictorFigures,
    PredictorReport,
    ProfileReport,
)

# A predictor is compared with others where it finds so much of what the active neurons contribute.
WANTED_RECALL = 0.99
# What thresholding may do to a feed-forward's output, as squared error relative to its square, to be called small.
SMALL_ERROR = 0.01


@dataclass(frozen=True, slots=True)
class LayerFigure:
    """One number of every layer; `write` makes it text."""

    name: str
    values: tuple[float, ...]
    write: Callable[[float], str]


def census_figures(report: CensusReport) -> list[LayerFigure]:
    """Every figure of a layer that is a share."""
    layers = report.layers

    def figure(name: str, of: Callable[[LayerCensus], float]) -> LayerFigure:
        return LayerFigure(name, tuple(of(layer) for layer in layers), share)

    def nth(values: Callable[[LayerCensus], Sequence[float]], i: int) -> Callable[[LayerCensus], float]:
        return lambda layer: values(layer)[i]

    return [
        figure(tr("exact zeros"), lambda layer: layer.zeros),
        figure(tr("silent"), lambda layer: layer.silent),
        *(figure(carrying(c), nth(lambda layer: layer.covering, i)) for i, c in enumerate(COVERED)),
        figure(tr("also before"), lambda layer: layer.overlap),
        *(
            figure(tr("any of {count}").format(count=n), nth(lambda layer: layer.unions, i))
            for i, n in enumerate(UNION_TOKENS)
        ),
        figure(tr("never"), lambda layer: layer.dead),
        figure(tr("always"), lambda layer: layer.always_on),
    ]


def carrying(covered: float) -> str:
    """The name of the share of neurons that carries so much of the activity."""
    return tr("carry {share}").format(share=percent(covered))


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


def tried_predictors(report: PredictorReport) -> dict[tuple[int, str, str], int]:
    """By rank, kind and what it reads, the bytes of every predictor that was tried."""
    return dict(sorted(((p.rank, p.kind, p.reads), p.n_bytes) for layer in report.layers for p in layer))


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


def hot_share(covering: Sequence[Sequence[float]]) -> float:
    return mean([layer[COVERED.index(0.8)] for layer in covering])


def overlap_matrix(report: ProfileReport) -> dict[tuple[str, str], float]:
    """Mean Jaccard index of two kinds, in both orders, and 1 of each with itself."""
    found = {(use.kind, use.kind): 1.0 for use in report.uses}
    for each in report.overlaps:
        found[each.kind, each.other] = found[each.other, each.kind] = each.mean
    return found


def mean(values: Sequence[float]) -> float:
    """0 where there are none."""
    return sum(values) / len(values) if values else 0.0
