"""The predicted time of a decode step: bytes over measured rates, and fixed charges.

One token is read from memory, not computed: a layer's attention and each of its neurons cost the bytes that are read of
them, on whichever side they lie, and what crosses between the sides costs a fixed time each way, since it is one short
vector. Where a layer's neurons lie on both sides, both work at once and the slower one counts. Owns these formulae and
what they need; bytes that merely *lie* somewhere are in `budget.py`.

A neuron costs what it is read on average. The mean of the slower side is at least the slower of the means, so that a
split layer is predicted a little too fast, by as much as the number of firing neurons varies from token to token.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidRequest
from engine.placement.plan import PlacementPlan
from engine.placement_reports import MachineSpeeds

Float64 = NDArray[np.float64]
Counts = NDArray[np.int64]

# Of a plain read's rate, what the processor's kernels reach: docs/benchmarks.md, "Share of reading the same bytes".
CPU_WHOLE_OF_READ = 0.85
CPU_PICKED_OF_READ = 2 / 3
# Assumed until measured on a card; published sparse operators reach 0.5 to 0.7 of what their bytes would allow.
CARD_WHOLE_OF_READ = 0.85
CARD_PICKED_OF_READ = 0.65
# Kernels that one part of a layer takes: norm, product, compaction, listed product, activation, sums, addition.
KERNELS_OF_PART = 8
# Around a step: sampling, of which 0.1 ms was measured for 49,152 tokens (two cores of a Zen 5), text and Python.
TOKEN_S = 2e-4


@dataclass(frozen=True, slots=True)
class Speeds:
    """A machine's rates in bytes/s and charges in seconds, all of them measured by the probe.

    *_dense_rate  matrices that are read whole: attention, head, predictors, keys and values
    *_rows_rate   rows of those neurons that are picked
    launch        starting one part of a layer on the card
    crossing      one way between the memories for a token's activation, with the wait for it
    join          what a split layer costs beyond both crossings: the wait for the other side, and the sum
    token         once a token, whatever lies where: sampling and the text
    """

    cpu_dense_rate: float
    cpu_rows_rate: float
    card_dense_rate: float
    card_rows_rate: float
    launch: float
    crossing: float
    join: float
    token: float

    def __post_init__(self) -> None:
        for speed in fields(self):
            value = getattr(self, speed.name)
            is_rate = speed.name.endswith("_rate")
            if not (np.isfinite(value) and (value > 0 if is_rate else value >= 0)):
                raise InvalidRequest(speed.name, str(value), "above 0" if is_rate else "0 or more")

    @property
    def split(self) -> float:
        """The fixed charge of a layer whose neurons lie on both sides."""
        return 2 * self.crossing + self.join


@dataclass(frozen=True, slots=True)
class ReadRates:
    """Bytes/s at which one side reads matrices as a whole, and rows that are picked."""

    whole: float
    picked: float

    def of_neurons(self, share_whole: float) -> float:
        """The rate of neurons, of whose bytes so large a share is read as a whole: the first product's rows, where no
        predictor names them, and all rows where most neurons fire."""
        return 1.0 / (share_whole / self.whole + (1.0 - share_whole) / self.picked)


def cpu_rates(machine: MachineSpeeds, n_threads: int | None = None) -> ReadRates:
    """What the processor's kernels read with so many threads, or with as many as read the most.

    Of a number of threads that was not measured, those of the next smaller one.
    """
    fitting = [rate for rate in machine.cpu if n_threads is None or rate.n_threads <= n_threads] or machine.cpu[:1]
    if not fitting:
        raise InvalidRequest("speeds", "no thread count", "one that was measured")
    read = max(rate.bytes_per_s for rate in fitting)
    return ReadRates(CPU_WHOLE_OF_READ * read, CPU_PICKED_OF_READ * read)


def card_rates(machine: MachineSpeeds) -> ReadRates:
    """Raises InvalidRequest where no card was measured."""
    if not machine.card_bytes_per_s > 0:
        raise InvalidRequest("speeds", "no card", "one that was measured")
    return ReadRates(CARD_WHOLE_OF_READ * machine.card_bytes_per_s, CARD_PICKED_OF_READ * machine.card_bytes_per_s)


def speeds_of(machine: MachineSpeeds, share_whole: float, n_threads: int | None = None) -> Speeds:
    """The rates and charges of a step on a measured machine and card, for neurons as in `ReadRates.of_neurons`.

    A crossing is half of a round trip; a part of a layer costs its kernels' launches; joining the two sides of a split
    layer costs two more, the sum and the wait. Raises InvalidRequest where no card was measured.
    """
    cpu, card = cpu_rates(machine, n_threads), card_rates(machine)
    return Speeds(
        cpu_dense_rate=cpu.whole,
        cpu_rows_rate=cpu.of_neurons(share_whole),
        card_dense_rate=card.whole,
        card_rows_rate=card.of_neurons(share_whole),
        launch=KERNELS_OF_PART * machine.launch_s,
        crossing=machine.round_trip_s / 2,
        join=2 * machine.launch_s,
        token=TOKEN_S,
    )


@dataclass(frozen=True, slots=True, eq=False)
class LayerWork:
    """What one layer reads for a token, in bytes.

    dense    attention's weights, the predictor, and the keys and values of the tokens so far
    neurons  (n,) float64, of each neuron, hottest first: `neuron_work` in the layer's order
    """

    dense: float
    neurons: Float64
    _read: Float64 = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.dense) and self.dense >= 0):
            raise InvalidRequest("dense", str(self.dense), "0 or more")
        if self.neurons.ndim != 1 or not len(self.neurons):
            raise InvalidRequest("neurons", str(self.neurons.shape), "one value for each neuron")
        if not (np.isfinite(self.neurons).all() and (self.neurons >= 0).all()):
            raise InvalidRequest("neurons", str(float(self.neurons.min())), "0 or more")
        object.__setattr__(self, "_read", np.concatenate(([0.0], np.cumsum(self.neurons))))

    @property
    def n_neurons(self) -> int:
        return len(self.neurons)

    def hottest(self, counts: Counts) -> Float64:
        """Bytes read of the `counts` hottest neurons together, shaped as `counts`."""
        read: Float64 = self._read[counts]
        return read


@dataclass(frozen=True, slots=True)
class StepWork:
    """What a decode step reads: its layers, and `head` bytes of the output projection."""

    layers: tuple[LayerWork, ...]
    head: float


def neuron_work(named: Float64, fired: Float64, first_bytes: int, rest_bytes: int) -> Float64:
    """(n,) bytes read of each neuron for a token.

    named, fired   (n,) shares of the tokens for which the neuron's first row is read (all of them without a predictor),
                   and for which it fires, so that the rest of its rows is read, too
    """
    for name, shares in (("named", named), ("fired", fired)):
        if not ((shares >= 0) & (shares <= 1)).all():
            raise InvalidRequest(name, str(shares.shape), "shares from 0 to 1")
    return first_bytes * named + rest_bytes * fired


def firing_from_coverage(coverage: Sequence[float], active: float, n_neurons: int) -> Float64:
    """(n,) share of the tokens for which each neuron fires, hottest first, from a layer's coverage curve.

    coverage  share of the activity carried by the most active 0 … 100 % of the neurons, in equal steps
    active    share of the neurons that fire for a token

    Between two of the curve's points its neurons fire alike. No neuron fires more than once a token: what a curve of
    few points would give beyond that goes to the next ones, so that the sum stays.
    """
    curve = np.asarray(coverage, np.float64)
    if len(curve) < 2 or curve[0] != 0 or abs(curve[-1] - 1) > 1e-9 or (np.diff(curve) < 0).any():
        raise InvalidRequest("coverage", str(tuple(coverage)), "rising from 0 to 1")
    if (np.diff(curve, 2) > 1e-9).any():
        raise InvalidRequest("coverage", str(tuple(coverage)), "most active first")
    if not 0 <= active <= 1:
        raise InvalidRequest("active", str(active), "0 to 1")
    covered = np.interp(np.arange(n_neurons + 1) / n_neurons, np.linspace(0, 1, len(curve)), curve)
    carried = active * n_neurons * covered
    # The largest curve below it that nowhere rises by more than 1 a neuron; it still ends at all that is carried.
    held = np.minimum.accumulate(carried - np.arange(n_neurons + 1)) + np.arange(n_neurons + 1)
    return np.clip(np.diff(held), 0.0, 1.0)


def layer_seconds(work: LayerWork, speeds: Speeds, *, attention_on_card: bool, counts: Counts) -> Float64:
    """Seconds of a layer with so many of its hottest neurons on the card, shaped as `counts`.

    A split layer's crossings are in it. Those of a layer whose neurons are all on one side are not: they depend on
    where the token's activation is needed next (`step_seconds`).
    """
    hot = work.hottest(counts)
    cold = work.hottest(np.array(work.n_neurons)) - hot
    on_card = speeds.launch + hot / speeds.card_rows_rate
    on_cpu = cold / speeds.cpu_rows_rate
    seconds = np.where(counts == 0, on_cpu, on_card)
    is_split = (counts > 0) & (counts < work.n_neurons)
    seconds = np.where(is_split, np.maximum(on_card, on_cpu) + speeds.split, seconds)
    return seconds + dense_seconds(work.dense, speeds, on_card=attention_on_card)


def dense_seconds(n_bytes: float, speeds: Speeds, *, on_card: bool) -> float:
    """Seconds of a part that is read whole: a layer's attention, or the head."""
    return speeds.launch + n_bytes / speeds.card_dense_rate if on_card else n_bytes / speeds.cpu_dense_rate


def step_seconds(work: StepWork, speeds: Speeds, plan: PlacementPlan) -> float:
    """Seconds of one decode step under any plan, part after part.

    The token's activation begins and ends in main memory, where the embedding and the sampler are. It crosses wherever
    the next part lies on the other side; a split layer brings its sum back to where its attention is.
    """
    seconds, is_on_card = speeds.token, False
    for layer, place in zip(work.layers, plan.layers, strict=True):
        count = np.array(place.n_hot)
        alone = float(layer_seconds(layer, speeds, attention_on_card=place.attention_on_card, counts=count))
        neurons_on_card = place.attention_on_card if place.is_split else place.n_hot > 0
        crossings = (is_on_card != place.attention_on_card) + (place.attention_on_card != neurons_on_card)
        seconds += crossings * speeds.crossing + alone
        is_on_card = neurons_on_card
    crossings = (is_on_card != plan.head_on_card) + plan.head_on_card
    return seconds + crossings * speeds.crossing + dense_seconds(work.head, speeds, on_card=plan.head_on_card)


def processor_seconds(work: StepWork, rates: ReadRates, share_whole: float) -> float:
    """Seconds of a decode step where nothing is on a card."""
    dense = sum(layer.dense for layer in work.layers) + work.head
    neurons = sum(float(layer.neurons.sum()) for layer in work.layers)
    return TOKEN_S + dense / rates.whole + neurons / rates.of_neurons(share_whole)


def hot_share(work: StepWork, plan: PlacementPlan) -> float:
    """Share of the bytes read of neurons that the card reads: what of their work is hot."""
    everything = sum(float(layer.neurons.sum()) for layer in work.layers)
    hot = sum(
        float(layer.neurons[: place.n_hot].sum()) for layer, place in zip(work.layers, plan.layers, strict=True)
    )  # fmt: skip
    return hot / everything if everything else 0.0
