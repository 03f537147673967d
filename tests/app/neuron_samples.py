"""Reports on neurons for tests and for pictures of the window: shapes as real ones have, figures made up.

Nothing here was measured, and nothing of it is shipped.
"""

import math
from dataclasses import replace

from engine.neuron_reports import (
    COVERED,
    KINDS,
    SCHEMA_VERSION,
    UNION_TOKENS,
    CensusReport,
    Comparison,
    Corpus,
    LayerCensus,
    OraclePoint,
    OracleReport,
    Overlap,
    PredictorFigures,
    PredictorReport,
    ProfileReport,
    RefusedTier,
    ReportHead,
    StudyReport,
    Subject,
    Thresholding,
    TierChoice,
    TierFigures,
    TierReport,
    UseProfile,
)

RELU = Subject("starter-135m", "Starter 135M", "gated relu", True, "int8", 30, 1536, 576, "5f3c")
SILU = replace(RELU, name="Starter 135M", feed_forward="gated silu", is_sparse=False)
LARGE = replace(RELU, name="Large 70B", n_layers=80, n_neurons=28672, width=8192)
CORPORA = (
    Corpus("prose", "Jane Austen, Persuasion", "public domain", 4096),
    Corpus("chinese", "三国演义", "public domain", 4096),
    Corpus("code", "Python's standard library", "PSF-2.0", 4096),
    Corpus("dialogue", "A corpus of small talk", "BSD-3-Clause", 4096),
)


def head(subject: Subject = RELU) -> ReportHead:
    return ReportHead("2026-11-29T22:00:00+00:00", "0.1.0", 214.0, subject, CORPORA)


def activity(layer: int, n_layers: int) -> float:
    """Share of a layer's neurons that are active: many in the first, few early on, more towards the end."""
    depth = layer / max(1, n_layers - 1)
    return 0.56 if layer == 0 else 0.14 + 0.3 * depth + 0.03 * math.sin(2.4 * layer)


def census(subject: Subject = RELU) -> CensusReport:
    n = subject.n_layers
    return CensusReport(SCHEMA_VERSION, head(subject), tuple(_layer_census(subject, i, n) for i in range(n)))


def _layer_census(subject: Subject, layer: int, n_layers: int) -> LayerCensus:
    active = activity(layer, n_layers)
    if not subject.is_sparse:
        active = 0.45 + 0.4 * active
    reach = 3.2 / active
    coverage = tuple((1 - math.exp(-reach * i / 20)) / (1 - math.exp(-reach)) for i in range(21))
    covering = tuple(-math.log(1 - c * (1 - math.exp(-reach))) / reach for c in COVERED)
    scale = 0.4 + 0.02 * layer
    low = (0.0, 0.0, 0.0, 0.0) if subject.is_sparse and active < 0.5 else (0.001, 0.006, 0.03, 0.09)
    magnitudes = tuple(scale * m for m in (*low, 0.3, 0.9, 1.8, 14.0))
    cuts = tuple(
        Thresholding(0.02 * scale * (i + 1), s, 0.9 * s**3.4)
        for i, s in enumerate((0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9))
    )
    return LayerCensus(
        zeros=0.92 * (1 - active) if subject.is_sparse else 0.0,
        silent=1 - active,
        magnitudes=magnitudes,
        covering=covering,
        coverage=coverage,
        overlap=0.62 - 0.3 * active,
        unions=tuple(1 - (1 - active) ** (k**0.55) for k in UNION_TOKENS),
        dead=0.004 * (layer % 5),
        always_on=0.01 + 0.004 * (layer % 3),
        thresholding=cuts,
    )


def profile(subject: Subject = RELU) -> ProfileReport:
    n = subject.n_layers
    uses = []
    for at, kind in enumerate(KINDS):
        active = tuple(activity(i, n) * (0.86 + 0.08 * at) for i in range(n))
        covering = tuple(tuple(a * c for c in (0.2, 0.5, 0.7, 0.82)) for a in active)
        uses.append(UseProfile(kind, 4096, active, covering))
    overlaps = []
    for a, kind in enumerate(KINDS):
        for b, other in enumerate(KINDS[a + 1 :], a + 1):
            jaccard = tuple(0.74 - 0.09 * (b - a) + 0.05 * math.sin(i) for i in range(n))
            overlaps.append(Overlap(kind, other, jaccard))
    return ProfileReport(SCHEMA_VERSION, head(subject), tuple(uses), tuple(overlaps))


def predictors(subject: Subject = RELU) -> PredictorReport:
    n = subject.n_layers
    active = tuple(activity(i, n) for i in range(n))
    layer_bytes = subject.n_neurons * (subject.width + 4)
    return PredictorReport(
        SCHEMA_VERSION, head(subject), active, layer_bytes, tuple(_tried(a, subject, layer_bytes) for a in active)
    )


def _tried(active: float, subject: Subject, layer_bytes: int) -> tuple[PredictorFigures, ...]:
    rank = max(16, subject.width // 8)
    low_rank = rank * (subject.width + subject.n_neurons)
    ways = (
        ("sign", "normed", 0, subject.n_neurons * subject.width // 8, 2.4),
        ("linear", "normed", rank, low_rank, 1.5),
        ("linear", "entering", rank, low_rank, 1.9),
    )
    found = []
    for kind, reads, r, n_bytes, excess in ways:
        for recall in (0.9, 0.95, 0.98, 0.99, 0.995, 0.999):
            named = min(1.0, active * excess * (0.6 + 0.5 * -math.log10(1 - recall) / 3))
            saved = (1 - named) * layer_bytes - n_bytes
            precision = min(1.0, recall * active / named)
            found.append(PredictorFigures(kind, reads, r, n_bytes, 0.1, named, recall - 0.02, recall, precision, saved))
    return tuple(found)


def oracle(subject: Subject = RELU) -> OracleReport:
    def points(shares: tuple[float, ...], loss: float) -> tuple[OraclePoint, ...]:
        found = []
        for share in shares:
            kl = 0.0 if share == 1.0 else loss * 10 ** (-9 * share)
            found.append(OraclePoint(share, kl, 11 * kl, min(0.9, 0.6 * kl**0.5), 38.0 * (1 + kl)))
        return tuple(found)

    neurons = points((1.0, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.02), 0.4)
    heads = points((1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2), 30.0)
    return OracleReport(SCHEMA_VERSION, head(subject), neurons, heads)


def tiers(subject: Subject = RELU, *, offered: tuple[str, ...] = ("fine", "fast")) -> TierReport:
    n = subject.n_layers
    exact = TierFigures("exact", 0.0, 0.0, 0.0, 0.0, 0.0, 41.62, 78_400_000, 44.1)
    known = {
        "fine": TierFigures(
            "fine", 0.01, 0.0071, 0.0088, 0.094, 0.021, 41.71, 66_100_000, 50.6, _choices(n, "sign", 2.1)
        ),
        "fast": TierFigures(
            "fast", 0.03, 0.0214, 0.0263, 0.281, 0.043, 42.05, 57_900_000, 56.2, _choices(n, "linear", 1.5)
        ),
    }
    refused = tuple(
        RefusedTier(name, "above_limit" if name == "fast" else "no_gain", 0.0412 if name == "fast" else 0.0)
        for name in known
        if name not in offered
    )
    measured = (exact, *(known[name] for name in offered))
    return TierReport(SCHEMA_VERSION, head(subject), measured, refused, 117_000_000, 31.9)


def _choices(n_layers: int, kind: str, excess: float) -> tuple[TierChoice, ...]:
    found = []
    for layer in range(n_layers):
        active = activity(layer, n_layers)
        if active > 0.4:
            found.append(TierChoice("", "", 0, 0.05, 1.0, 1.0, active))
        else:
            rank = 0 if kind == "sign" else 72
            found.append(TierChoice(kind, "normed", rank, 0.02, 0.985, min(1.0, excess * active), active))
    return tuple(found)


def every_report(subject: Subject = RELU) -> tuple[tuple[str, StudyReport], ...]:
    return (
        ("census", census(subject)),
        ("profile", profile(subject)),
        ("predictors", predictors(subject)),
        ("oracle", oracle(subject)),
        ("tiers", tiers(subject)),
    )


DIVERGING = Comparison(
    "fast",
    ("Rain", " begins", " with", " evaporation", ":", " the", " sun", " warms", " the", " sea", "."),
    ("Rain", " begins", " with", " evaporation", ".", " Water", " rises", " from", " the", " sea", "."),
    4, 41.2, 55.9,
)  # fmt: skip
IDENTICAL = Comparison("fine", ("Yes", ".", " It", " does", "."), ("Yes", ".", " It", " does", "."), -1, 40.0, 48.0)
_CHINESE = tuple("稀疏激活是指每个词只用到一小部分神经元，其余的在这一步保持沉默，因此它们的权重不必读取。")
CHINESE = Comparison(
    "fast", (*_CHINESE, *tuple("这样既省内存带宽，又不损失结果。" * 12)),
    (*_CHINESE, *tuple("这使得普通电脑也能运行较大的模型，速度取决于每个词要读多少字节。" * 8)),
    len(_CHINESE) + 1, 38.4, 51.0,
)  # fmt: skip
