"""What the page on this device computes from what the engine told: predictions between points, accounts, shares.

Owns the arithmetic, so that every figure on the page follows from told ones by a rule that a test can hold: nothing is
predicted outside the points of an offer, and the parts of an account add up to the card. Knows neither Qt nor words.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from engine.placement_reports import (
    BudgetPoint,
    CardFacts,
    MachineSpeeds,
    NeuronSample,
    PlacementOffer,
    PlacementState,
    StepLoad,
)

MIB, GIB = 1 << 20, 1 << 30
# What of a card is not Ember's, as PlacementState.account calls it.
UNUSED, RESERVE, OTHERS = "unused", "reserve", "other programs"
_NOT_OURS = (UNUSED, RESERVE, OTHERS)
# One step of the arrow keys is at most a fiftieth of the range, and a size that can be said.
_STEPS = (MIB, 4 * MIB, 16 * MIB, 64 * MIB, 128 * MIB, 256 * MIB, 512 * MIB, GIB)
_LEVELS = 128  # shades of a side in the picture of neurons


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a budget buys. `is_between` says that it lies between two points of the offer, in proportion."""

    tokens_per_s: float
    hot_share: float
    is_between: bool


def predicted(points: Sequence[BudgetPoint], budget_bytes: int) -> Prediction | None:
    """At a budget, from the points of an offer by rising budget; None outside of them."""
    at = bisect_right(points, budget_bytes, key=lambda point: point.budget_bytes)
    if at == 0:
        return None
    low = points[at - 1]
    if low.budget_bytes == budget_bytes:
        return Prediction(low.tokens_per_s, low.hot_share, False)
    if at == len(points):
        return None
    high = points[at]
    part = (budget_bytes - low.budget_bytes) / (high.budget_bytes - low.budget_bytes)
    return Prediction(
        low.tokens_per_s + part * (high.tokens_per_s - low.tokens_per_s),
        low.hot_share + part * (high.hot_share - low.hot_share),
        True,
    )


def most_budget(offer: PlacementOffer, placement: PlacementState | None = None) -> int:
    """As far as the slider goes: what is free for Ember, and no further than the offer says what it buys.

    The account of a placement is newer than the offer where other programs have grown since.
    """
    last = offer.points[-1].budget_bytes if offer.points else 0
    most = max(0, min(offer.most_bytes, last))
    if placement is None or placement.card_uuid != offer.card_uuid or not placement.account:
        return most
    segments = account_segments(placement.account)
    return min(most, ours_of(segments) + part_of(segments, UNUSED))


def slider_step(most_bytes: int) -> int:
    """Bytes of one step of the arrow keys."""
    return next((step for step in reversed(_STEPS) if 50 * step <= most_bytes), MIB)


# The card's memory ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the card's memory; `is_ours` where Ember has it."""

    name: str
    n_bytes: int
    is_ours: bool


def account_segments(account: Sequence[tuple[str, int]]) -> tuple[Segment, ...]:
    """The account of a placement, Ember's own first and other programs last; what takes nothing is left out."""
    ours = [Segment(name, n, True) for name, n in account if name not in _NOT_OURS and n]
    rest = dict(account)
    ours.sort(key=lambda segment: -segment.n_bytes)
    return (*ours, *(Segment(name, rest[name], False) for name in _NOT_OURS if rest.get(name)))


def facts_segments(card: CardFacts) -> tuple[Segment, ...]:
    """The same where nothing has been placed, from what the driver says."""
    others = max(0, card.total_bytes - card.free_bytes - card.ours_bytes)
    parts = (Segment("Ember", card.ours_bytes, True), Segment(UNUSED, card.free_bytes, False))
    return tuple(part for part in (*parts, Segment(OTHERS, others, False)) if part.n_bytes)


def total_of(segments: Sequence[Segment]) -> int:
    return sum(segment.n_bytes for segment in segments)


def ours_of(segments: Sequence[Segment]) -> int:
    return sum(segment.n_bytes for segment in segments if segment.is_ours)


def part_of(segments: Sequence[Segment], name: str) -> int:
    return sum(segment.n_bytes for segment in segments if segment.name == name)


def taken_by_others(before: PlacementState, after: PlacementState) -> int:
    """How much more other programs have of the same card; 0 where it is not more, or another card."""
    if before.card_uuid != after.card_uuid:
        return 0
    return max(0, dict(after.account).get(OTHERS, 0) - dict(before.account).get(OTHERS, 0))


# Who did the work -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LoadShares:
    """Of the time of some tokens, as shares from 0 to 1; the neurons' work by bytes read.

    card_work      of the neurons' bytes, read by the card
    waited_for_processor, waited_for_card   the other side stood still until this one was done
    idle           neither computed: launching, copying
    """

    card_work: float
    overlap: float
    waited_for_processor: float
    waited_for_card: float
    idle: float
    tokens_per_s: float

    @property
    def processor_work(self) -> float:
        return 1.0 - self.card_work


def load_shares(load: StepLoad | None) -> LoadShares | None:
    """None where nothing was measured."""
    if load is None or load.n_tokens <= 0 or load.wall_s <= 0 or load.hot_bytes + load.cold_bytes <= 0:
        return None

    def share(seconds: float) -> float:
        return min(1.0, max(0.0, seconds / load.wall_s))

    idle = share(load.wall_s - load.card_busy_s - load.cpu_busy_s + load.overlap_s)
    return LoadShares(
        load.hot_bytes / (load.hot_bytes + load.cold_bytes),
        share(load.overlap_s),
        share(load.card_waited_s),
        share(load.cpu_waited_s),
        idle,
        load.n_tokens / load.wall_s,
    )


def read_rate(speeds: MachineSpeeds | None, n_threads: int) -> float:
    """Bytes/s that so many threads read from main memory, of the nearest count measured; 0.0 where none was."""
    rates = speeds.cpu if speeds is not None else ()
    if not rates:
        return 0.0
    return min(rates, key=lambda rate: (abs(rate.n_threads - n_threads), rate.n_threads)).bytes_per_s


# The picture of neurons -----------------------------------------------------------------------------------------------


def heat_pixels(sample: NeuronSample) -> bytes:
    """One byte for each bucket, row by row: 0 to 127 cold, 128 to 255 hot, by the share of it that fired.

    Shares are shown by their square root: a few percent, the common case, is to be seen.
    """
    rows = []
    for layer in range(sample.n_layers):
        row = sample.fired[layer * sample.n_buckets : (layer + 1) * sample.n_buckets]
        edge = hot_edge(sample, layer)
        rows.append(row[:edge].translate(_HOT) + row[edge:].translate(_COLD))
    return b"".join(rows).ljust(sample.n_layers * sample.n_buckets, b"\0")


def hot_edge(sample: NeuronSample, layer: int) -> int:
    """How many of a layer's buckets are shown as on the card: those of which at least half are."""
    hot = sample.hot_buckets[layer] if layer < len(sample.hot_buckets) else 0.0
    return max(0, min(sample.n_buckets, int(hot + 0.5)))


def fired_share(sample: NeuronSample, layer: int, bucket: int) -> float:
    at = layer * sample.n_buckets + bucket
    return sample.fired[at] / 255 if at < len(sample.fired) else 0.0


def hot_part(sample: NeuronSample, layer: int, bucket: int) -> float:
    """What share of a bucket is on the card."""
    hot = sample.hot_buckets[layer] if layer < len(sample.hot_buckets) else 0.0
    return min(1.0, max(0.0, hot - bucket))


def shade(index: int) -> tuple[bool, float]:
    """What a byte of `heat_pixels` says: whether it is hot, and how strongly it is drawn, 0 to 1."""
    return index >= _LEVELS, (index % _LEVELS) / (_LEVELS - 1)


_COLD = bytes(round((value / 255) ** 0.5 * (_LEVELS - 1)) for value in range(256))
_HOT = bytes(_LEVELS + value for value in _COLD)
