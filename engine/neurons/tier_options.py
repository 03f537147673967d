"""What a tier could do in one layer: each predictor's operating points and each cut, what it saves and what it loses.

Owns the finding of cuts and thresholds from text, and the watching of a dense run that tells for all options at once
how many bytes each saves and how much of the feed-forward's output goes with the neurons it silences. What that loss
does to the model's predictions is measured elsewhere, for the few options that this leaves worth it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cpu.feed_forward import DENSE_ABOVE
from engine.kernels.formats import Float32
from engine.kernels.reference import activate
from engine.model.config import ModelConfig
from engine.model.packed_model import PackedModel
from engine.model.predictors import LayerChoice, LayerPredictor, sign_predictor
from engine.neurons.collect import down_norms
from engine.neurons.predictors import Candidate, first_format, thresholds_for
from engine.runtime.prefill import LayerView
from engine.runtime.traffic import predictor_bytes

Float64 = NDArray[np.float64]

# Cuts are these quantiles of the first products that the activation leaves alive.
CUT_QUANTILES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
# Of each layer and window so many values are looked at for that.
_SAMPLED = 20_000
# Options that lose more of a layer's output (squared) are not worth measuring.
MOST_LOST = 0.3
# Options of a layer that are kept, at about equal distances in the logarithm of what they lose.
MOST_OPTIONS = 16
# A loss below this is none: it stands for it in logarithms.
LEAST_LOST = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """A predictor and the thresholds its scores may be held against, rising; `predictor` None is none at all."""

    predictor: LayerPredictor | None
    thresholds: tuple[float, ...]
    n_bytes: int


@dataclass(frozen=True, slots=True)
class Option:
    """One choice for a layer: `predictor` is its number among the layer's, 0 for none.

    saved_bytes  a token, against exact
    lost         share of the squared contributions |product|² · ‖down row‖² that is silenced
    recall       share of active neurons that is not
    """

    predictor: int
    threshold: float
    cut: float
    saved_bytes: float
    lost: float
    recall: float

    def choice(self, predictors: "Sequence[LayerPredictor | None]") -> LayerChoice:
        """What the layer does; `predictors` are the layer's."""
        predictor = predictors[self.predictor]
        if predictor is not None:
            predictor = replace(predictor, bias=predictor.bias - np.float32(self.threshold))
        return LayerChoice(predictor, self.cut)


class Silenced:
    """The tap of a tier: silences in a dense run what the decode step would. Layers without a choice are exact."""

    def __init__(self, choices: Mapping[int, LayerChoice]) -> None:
        self._choices = choices

    def attended(self, layer: int, heads: Float32) -> None:
        pass

    def neurons(self, layer: int, view: LayerView) -> None:
        choice = self._choices.get(layer)
        if choice is None:
            return
        if choice.predictor is not None:
            view.product[choice.predictor.scores(input_of(choice.predictor, view)) <= 0] = 0
        if choice.cut > 0:
            view.product[view.first < np.float32(choice.cut)] = 0


def input_of(predictor: LayerPredictor, view: LayerView) -> Float32:
    """What this predictor reads."""
    return {"normed": view.normed, "stream": view.stream, "entering": view.entering}[predictor.reads]


def alive_neurons(first: Float32, config: ModelConfig) -> NDArray[np.bool_]:
    """Of first products, those the activation leaves alive."""
    return np.asarray(activate(first, config.activation, config.threshold) != 0)


# Predictors, thresholds and cuts ----------------------------------------------------------------------------------


def layer_predictors(
    packed: PackedModel, candidates: Sequence[Sequence[Candidate]] | None
) -> list[list[LayerPredictor | None]]:
    """By layer: none, then the candidates' that save anything at any threshold; without candidates, signs."""
    if candidates is None:
        return [[None, _signs_of(packed, layer)] for layer in range(packed.config.n_layers)]
    return [[None, *(c.predictor for c in of_layer if saving_thresholds(c))] for of_layer in candidates]


def saving_thresholds(candidate: Candidate) -> tuple[float, ...]:
    """Of a candidate's thresholds those at which it saves, rising."""
    return tuple(sorted({figures.threshold for figures in candidate.figures if figures.saved_bytes > 0}))


class Sampler:
    """A tap that finds each layer's cuts, and the thresholds of the predictors it is given one of for each layer."""

    def __init__(self, packed: PackedModel, signs: Sequence[LayerPredictor | None] = ()) -> None:
        self._config, self._signs = packed.config, signs
        layers = range(packed.config.n_layers)
        self._cuts: list[list[Float64]] = [[] for _ in layers]
        self._thresholds: list[list[list[float]]] = [[] for _ in layers]
        self._norms = [down_norms(packed, layer) for layer in layers] if signs else []

    def attended(self, layer: int, heads: Float32) -> None:
        pass

    def neurons(self, layer: int, view: LayerView) -> None:
        alive = view.first[alive_neurons(view.first, self._config)]
        if len(alive):
            sampled = alive[:: max(1, len(alive) // _SAMPLED)]
            self._cuts[layer].append(np.quantile(sampled.astype(np.float64), CUT_QUANTILES))
        signs = self._signs[layer] if self._signs else None
        if signs is not None:
            scores = signs.scores(input_of(signs, view))
            self._thresholds[layer].append(thresholds_for(scores, np.abs(view.product) * self._norms[layer]))

    def cuts(self, layer: int) -> tuple[float, ...]:
        """Rising; none where nothing was ever alive."""
        if not self._cuts[layer]:
            return ()
        means = np.mean(self._cuts[layer], axis=0).astype(np.float32)
        return tuple(float(cut) for cut in np.unique(means) if cut > 0)

    def thresholds(self, layer: int) -> tuple[float, ...]:
        """Rising."""
        return tuple(np.unique(np.mean(self._thresholds[layer], axis=0)).tolist())


def make_points(
    packed: PackedModel, predictors: Sequence[LayerPredictor | None], thresholds: Sequence[Sequence[float]]
) -> list[Points]:
    """The layer's predictors with the thresholds of each but the first, which is none."""
    c, fmt = packed.config, first_format(packed)
    found = [Points(None, (), 0)]
    for predictor, of_predictor in zip(predictors[1:], thresholds, strict=True):
        if predictor is not None:
            n_bytes = predictor_bytes(predictor.kind, predictor.rank, c.width, c.n_neurons, fmt)
            found.append(Points(predictor, tuple(of_predictor), n_bytes))
    return found


def _signs_of(packed: PackedModel, layer: int) -> LayerPredictor:
    c, fmt = packed.config, first_format(packed)
    rows = fmt.unpack(packed.map()[f"layers.{layer}.{c.first}"], c.width)[: c.n_neurons]
    return sign_predictor(rows, np.zeros(c.n_neurons, np.float32))


# Watching all options at once -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Tally:
    """Of one predictor, over all tokens: neurons named beyond each threshold (thresholds,), and by threshold and cut
    (thresholds, cuts): up rows read, neurons active, squared contributions."""

    named: Float64
    examined: Float64
    active: Float64
    squares: Float64


class Watcher:
    """A tap that counts, for every option of every layer, what it would read and what it would lose."""

    def __init__(
        self, packed: PackedModel, points: Sequence[Sequence[Points]], cuts: Sequence[Sequence[float]]
    ) -> None:
        self._packed, self._points, self._cuts = packed, points, cuts
        self._squared_norms = [down_norms(packed, layer) ** 2 for layer in range(packed.config.n_layers)]
        self._n_tokens = np.zeros(packed.config.n_layers)
        self._tallies = [[_empty(p, c) for p in of_layer] for of_layer, c in zip(points, cuts, strict=True)]

    def attended(self, layer: int, heads: Float32) -> None:
        pass

    def neurons(self, layer: int, view: LayerView) -> None:
        config, cuts = self._packed.config, np.asarray(self._cuts[layer], np.float32)
        t, n = view.first.shape
        tokens, neurons = np.nonzero(alive_neurons(view.first, config))
        products = view.product[tokens, neurons]
        squares = products.astype(np.float64) ** 2 * self._squared_norms[layer][neurons]
        by_cut = np.searchsorted(cuts, view.first[tokens, neurons], side="right")
        self._n_tokens[layer] += t
        for points, tally in zip(self._points[layer], self._tallies[layer], strict=True):
            beyond = np.ones((t, n), np.int64)
            if points.predictor is not None:
                scores = points.predictor.scores(input_of(points.predictor, view))
                beyond = np.searchsorted(np.asarray(points.thresholds, np.float32), scores, side="left")
            levels = len(tally.named)
            tally.named += _at_least(np.bincount(beyond.reshape(-1), minlength=levels + 1), 0)[1:]
            cells = (levels + 1) * (len(cuts) + 1)
            cell = beyond[tokens, neurons] * (len(cuts) + 1) + by_cut
            of_token = np.bincount(tokens * cells + cell, minlength=t * cells).reshape(t, levels + 1, len(cuts) + 1)
            alive = _at_least(_at_least(of_token, 1), 2)[:, 1:]
            tally.examined += np.where(alive > DENSE_ABOVE * n, n, alive).sum(axis=0)
            for sums, weights in ((tally.active, products != 0), (tally.squares, squares)):
                of_cell = np.bincount(cell, weights, cells).reshape(levels + 1, len(cuts) + 1)
                sums += _at_least(_at_least(of_cell, 0), 1)[1:]

    def options(self, layer: int) -> list[Option]:
        """Those worth measuring, by rising loss and saving; none where nothing saves."""
        exact, found = self._tallies[layer][0], []
        total, active = float(exact.squares[0, 0]), float(exact.active[0, 0])
        all_bytes = self._bytes(layer, exact, 0, 0, 0)
        cuts = (0.0, *self._cuts[layer])
        for number, (points, tally) in enumerate(zip(self._points[layer], self._tallies[layer], strict=True)):
            for i, threshold in enumerate(points.thresholds or (0.0,)):
                for j, cut in enumerate(cuts):
                    lost = max(0.0, 1 - float(tally.squares[i, j]) / total) if total else 0.0
                    saved = all_bytes - self._bytes(layer, tally, i, j, points.n_bytes)
                    if saved > 0 and lost <= MOST_LOST:
                        recall = float(tally.active[i, j]) / active if active else 1.0
                        found.append(Option(number, threshold, cut, saved, lost, recall))
        return thinned(found)

    def _bytes(self, layer: int, tally: _Tally, i: int, j: int, predictor: int) -> float:
        """Of the feed-forward, a token."""
        c, parts = self._packed.config, self._packed.parts
        read = float(tally.named[i]) * first_format(self._packed).stride(c.width)
        read += float(tally.active[i, j]) * parts.of("down").stride(c.width)
        if c.is_gated:
            read += float(tally.examined[i, j]) * parts.of_up(c).stride(c.width)
        return read / float(self._n_tokens[layer]) + predictor


def thinned(options: Sequence[Option]) -> list[Option]:
    """Of options those that nothing beats in both saving and loss and that lie on the upper hull, at most
    `MOST_OPTIONS` of them."""
    hull = upper_hull([(option.lost, option.saved_bytes) for option in options])
    chosen = [options[i] for i in hull]
    if len(chosen) <= MOST_OPTIONS:
        return chosen
    places = [math.log(max(option.lost, LEAST_LOST)) for option in chosen]
    wanted = np.linspace(places[0], places[-1], MOST_OPTIONS)
    kept = sorted({int(np.abs(np.asarray(places) - place).argmin()) for place in wanted})
    return [chosen[i] for i in kept]


def upper_hull(points: Sequence[tuple[float, float]]) -> list[int]:
    """Of (cost, gain) with gains above 0: the numbers of those on the upper concave hull from (0, 0), by rising cost.

    Along it each further cost buys less: what a greedy choice needs.
    """
    order = sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1]))
    hull: list[int] = []
    for i in order:
        cost, gain = points[i]
        if gain <= (points[hull[-1]][1] if hull else 0.0):
            continue
        while hull:
            last, before = points[hull[-1]], points[hull[-2]] if len(hull) > 1 else (0.0, 0.0)
            if (last[1] - before[1]) * (cost - last[0]) > (gain - last[1]) * (last[0] - before[0]):
                break
            hull.pop()
        hull.append(i)
    return hull


def _empty(points: Points, cuts: Sequence[float]) -> _Tally:
    """Without a predictor there is one threshold, which all neurons are beyond."""
    levels = max(1, len(points.thresholds))
    return _Tally(np.zeros(levels), *(np.zeros((levels, len(cuts) + 1)) for _ in range(3)))


def _at_least(counts: NDArray[Any], axis: int) -> NDArray[Any]:
    """Counts of each level → of that level or a higher one."""
    return np.asarray(np.flip(np.cumsum(np.flip(counts, axis), axis), axis))
