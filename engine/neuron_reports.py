"""What is known of a model's neurons, as plain values: what was asked, and each report that a study leaves.

Part of the engine's door, and the form in which reports are kept beside a model. Codes and numbers only; the words are
the front-ends'. Shares lie between 0 and 1, KL divergences are in nats, sizes in bytes.

The nouns: a *census* counts what neurons do; a *profile* says which neurons matter for which kind of text; a
*predictor* names the neurons of a layer worth looking at before they are computed; a *cut* silences those whose
activation is small; a *tier* is a choice of predictor and cut for each layer whose loss is measured; the *oracle* is
what a predictor that is never wrong would reach.
"""

from dataclasses import dataclass

from engine.errors import InvalidRequest
from engine.plain_json import from_json, to_json

# Of the JSON forms; raised whenever a reader of the former one could misread it.
SCHEMA_VERSION = 1
STUDIES = ("census", "profile", "predictors", "oracle", "tiers")
# Kinds of the bundled calibration text; "own" is what a user brings.
KINDS = ("prose", "chinese", "code", "dialogue")
OWN = "own"
# Tiers in the order of their loss, with the mean KL each may cost. "exact" loses nothing and needs no study.
EXACT = "exact"
TIER_LIMITS = {"fine": 0.01, "fast": 0.03}
TIERS = (EXACT, *TIER_LIMITS)
PREDICTOR_KINDS = ("sign", "linear", "relu")
# What a predictor reads: the feed-forward's normed input; the stream before that norm; the stream entering the layer
# (known before attention: the look-ahead).
PREDICTOR_INPUTS = ("normed", "stream", "entering")
# Of a census: how much of the activity is to be covered, and how many tokens a union spans.
COVERED = (0.5, 0.8, 0.9, 0.95)
UNION_TOKENS = (2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class StudySpec:
    """What to find out about a model of the library.

    study       one of STUDIES
    kinds       of KINDS, the bundled text to run the model on; empty: all of them, unless there are `paths`
    paths       the user's own text files, read as kind "own"
    n_tokens    of text to run, over all kinds; 0: what suits the study
    is_resumed  go on from where an unfinished study of the same kind was left; otherwise it begins anew
    ranks       predictors: ranks of low-rank predictors to train; empty: chosen by the model's width
    published   predictors: a folder of published ones to take instead of training; empty: none
    counts      profile: a folder of published counts to read as importance; empty: none
    """

    study: str
    model_id: str = ""
    kinds: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    n_tokens: int = 0
    is_resumed: bool = True
    ranks: tuple[int, ...] = ()
    published: str = ""
    counts: str = ""
    ember_version: str = ""

    def __post_init__(self) -> None:
        def check(name: str, ok: bool, reason: str) -> None:
            if not ok:
                value = getattr(self, name)
                shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
                raise InvalidRequest(name, shown, reason)

        check("study", self.study in STUDIES, ", ".join(STUDIES))
        check("kinds", set(self.kinds) <= set(KINDS), ", ".join(KINDS))
        check("n_tokens", 0 <= self.n_tokens <= 1 << 26, "0 to 67,108,864")
        check("ranks", all(1 <= r <= 4096 for r in self.ranks), "1 to 4096")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Text a study ran on: how much of it, where it is from and under which licence ("" for a user's own)."""

    kind: str
    name: str
    licence: str
    n_tokens: int


@dataclass(frozen=True, slots=True)
class Subject:
    """The model a report is about; `fingerprint` names its weights as packed."""

    model_id: str
    name: str
    feed_forward: str
    is_sparse: bool
    weight_format: str
    n_layers: int
    n_neurons: int
    width: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class ReportHead:
    """`created` is the time in ISO 8601 with the zone; `elapsed_s` the time the study ran, without its pauses."""

    created: str
    ember_version: str
    elapsed_s: float
    subject: Subject
    corpora: tuple[Corpus, ...]

    @property
    def n_tokens(self) -> int:
        return sum(corpus.n_tokens for corpus in self.corpora)


# Census -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Thresholding:
    """What silencing activations below `threshold` would do: the share silenced, and the squared error of the
    feed-forward's output relative to its square."""

    threshold: float
    silent: float
    output_error: float


@dataclass(frozen=True, slots=True)
class LayerCensus:
    """One layer's neurons over all tokens. An *active* neuron's product is not zero; where nothing is ever exactly zero
    (SiLU), one is active that is among the largest products of its token which together carry 95 % of their squares.

    zeros        share of exact zeros after the activation
    silent       share of neurons a token that are not active
    magnitudes   of |activation|: the quantiles 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99 and the largest
    covering     share of the neurons that carry each share of COVERED of the activity, most active first
    coverage     activity carried by the most active 0, 5, 10 … 100 % of the neurons
    overlap      share of a token's active neurons that were active for the token before it
    unions       share of the neurons active for any of UNION_TOKENS consecutive tokens
    dead, always_on    share of the neurons that were never, and at every token, active
    thresholding by rising threshold
    """

    zeros: float
    silent: float
    magnitudes: tuple[float, ...]
    covering: tuple[float, ...]
    coverage: tuple[float, ...]
    overlap: float
    unions: tuple[float, ...]
    dead: float
    always_on: float
    thresholding: tuple[Thresholding, ...]


@dataclass(frozen=True, slots=True)
class CensusReport:
    schema: int
    head: ReportHead
    layers: tuple[LayerCensus, ...]


# Profile ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UseProfile:
    """What one kind of text activates.

    active    share of neurons a token that were active, by layer
    covering  of COVERED: share of the neurons, by layer and covered share
    """

    kind: str
    n_tokens: int
    active: tuple[float, ...]
    covering: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How alike two kinds are: Jaccard index of their hot sets (the neurons that carry 80 % of the activity)."""

    kind: str
    other: str
    jaccard: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(self.jaccard) / len(self.jaccard) if self.jaccard else 0.0


@dataclass(frozen=True, slots=True)
class ProfileReport:
    """The counts themselves are in the profile's own file; this is what there is to say of them.

    importance   whether published counts were read, which order neurons and say nothing of how often they fire
    chat_tokens  tokens of the user's own chats that were counted, where that is switched on
    """

    schema: int
    head: ReportHead
    uses: tuple[UseProfile, ...]
    overlaps: tuple[Overlap, ...]
    importance: bool = False
    chat_tokens: int = 0


# Predictors -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PredictorFigures:
    """One predictor of one layer on held-out text, at a threshold of its scores.

    kind, reads   of PREDICTOR_KINDS and PREDICTOR_INPUTS; `rank` 0 for signs
    n_bytes       that are read each token to have its scores
    named         share of the neurons it names
    recall        share of the active neurons among those named; weighted by |product| · ‖down row‖ in `recall_weighted`
    precision     share of the named that are active
    saved_bytes   a token, against computing every neuron's first product; below 0 where it costs more than it saves
    """

    kind: str
    reads: str
    rank: int
    n_bytes: int
    threshold: float
    named: float
    recall: float
    recall_weighted: float
    precision: float
    saved_bytes: float


@dataclass(frozen=True, slots=True)
class PredictorReport:
    """By layer, every predictor that was tried at every threshold; `layer_bytes` is what all first products read."""

    schema: int
    head: ReportHead
    active: tuple[float, ...]
    layer_bytes: int
    layers: tuple[tuple[PredictorFigures, ...], ...]


# Oracle -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OraclePoint:
    """The model run again with only the neurons (or heads) that mattered most in a dense run before it.

    kept             share of them that was kept, in every layer and for every token
    kl_mean, kl_p99  of the next token's distribution, dense run first
    flips            share of tokens whose likeliest next token is another
    """

    kept: float
    kl_mean: float
    kl_p99: float
    flips: float
    perplexity: float


@dataclass(frozen=True, slots=True)
class OracleReport:
    """`neurons` and `heads` by falling share kept; the first point of each keeps all."""

    schema: int
    head: ReportHead
    neurons: tuple[OraclePoint, ...]
    heads: tuple[OraclePoint, ...]


# Tiers ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TierChoice:
    """One layer of a tier: its predictor ("" for none; `rank` 0 for signs) and its cut (0 for none)."""

    predictor: str
    reads: str
    rank: int
    cut: float
    recall: float
    named: float
    active: float


@dataclass(frozen=True, slots=True)
class TierFigures:
    """A tier as measured on held-out text, decoded token by token; exact has no loss, and its layers are empty.

    kl_upper         the mean's 95 % bound from resampling windows of text; it is what the tier's limit is held against
    perplexity       of the text, against `perplexity` of exact
    step_bytes       read a token
    tokens_per_s     median of rounds in turns with exact and dense
    """

    name: str
    limit: float
    kl_mean: float
    kl_upper: float
    kl_p99: float
    flips: float
    perplexity: float
    step_bytes: float
    tokens_per_s: float
    layers: tuple[TierChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedTier:
    """A tier that is not offered: no_gain (nothing to be had within its limit) or above_limit (`kl_upper` is)."""

    name: str
    reason: str
    kl_upper: float = 0.0


@dataclass(frozen=True, slots=True)
class TierReport:
    """`tiers` begin with exact; `dense_bytes` and `dense_tokens_per_s` are of reading every neuron, in the same rounds.

    format_kl  what packing itself costs against float weights, where that was measured; below 0 where not
    """

    schema: int
    head: ReportHead
    tiers: tuple[TierFigures, ...]
    refused: tuple[RefusedTier, ...]
    dense_bytes: float
    dense_tokens_per_s: float
    format_kl: float = -1.0


StudyReport = CensusReport | ProfileReport | PredictorReport | OracleReport | TierReport
REPORT_KINDS: dict[str, type] = {
    "census": CensusReport, "profile": ProfileReport, "predictors": PredictorReport, "oracle": OracleReport,
    "tiers": TierReport,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Comparison:
    """One prompt answered twice with the same seed, exactly and by a tier, as the pieces of text of each token.

    diverges_at  the first token that differs, -1 where none does
    """

    tier: str
    exact: tuple[str, ...]
    other: tuple[str, ...]
    diverges_at: int
    exact_tokens_per_s: float
    other_tokens_per_s: float


def study_to_json(report: StudyReport) -> str:
    return to_json(report)


def study_from_json(study: str, text: str, path: str = "") -> StudyReport:
    """The inverse of `study_to_json` for a study of this name. Raises DamagedFile, naming `path`."""
    report: StudyReport = from_json(REPORT_KINDS[study], text, path, SCHEMA_VERSION, f"a {study} report")
    return report
