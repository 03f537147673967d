"""The tiers of a model: chosen on one half of held-out text, decoded and measured for real on the other.

Owns the order of that work, what is kept of it, and which tiers are refused. Windows of each kind of text go to the two
halves in turns. On the first half dense runs are watched and disturbed: cuts and thresholds are found, every option of
every layer is counted, a few are run alone, a greedy choice is run together and scaled back until the bound of its mean
KL is within `AIM` of the limit, which leaves room for the halves' difference. On the second half the tier is loaded as
it would be used, and text is decoded token by token in turns with exact and dense. Only what was measured there is
offered: a tier above its limit, or one that saves nothing, is refused.
"""

import contextlib
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from engine.errors import NothingSilent, TextUnusable
from engine.kernels.formats import Float32
from engine.model.predictors import LayerChoice, LayerPredictor
from engine.neuron_reports import (
    EXACT,
    SCHEMA_VERSION,
    TIER_LIMITS,
    Corpus,
    RefusedTier,
    TierChoice,
    TierFigures,
    TierReport,
)
from engine.neurons.calibration import HELD_OUT_EVERY, TextWindow, calibration_windows
from engine.neurons.journal import Journal
from engine.neurons.predictors import read_candidates
from engine.neurons.study import Study
from engine.neurons.tier_choice import (
    Step,
    greedy_steps,
    interpolated,
    largest_within,
    measured_options,
    options_after,
)
from engine.neurons.tier_options import (
    Option,
    Sampler,
    Silenced,
    Watcher,
    layer_predictors,
    make_points,
    saving_thresholds,
)
from engine.runtime.dense import without_silence
from engine.runtime.divergence import Losses, compare_logits, summarise, upper_bound
from engine.runtime.transformer import Transformer

DEFAULT_TOKENS = 16_384
TIER_WINDOW = 256
# Of its limit a tier's bound is aimed at so much on the half of the text it is chosen on.
AIM = 0.85
# A tier that reads less than so much less than the one before it saves nothing.
LEAST_GAIN = 0.01
# Windows, one of each kind in turns, on which options are counted, and on which a few are run alone.
_COUNTED_WINDOWS = 8
_ALONE_WINDOWS = 4
# Windows that dense, which only has a speed, is decoded on.
_DENSE_WINDOWS = 8
DENSE = "dense"
# What the phases take of the whole, as it is noted for a study that is ended in the middle.
_SHARES = {"observe": (0.0, 0.05), "evaluate": (0.05, 0.4), "choose": (0.4, 0.65), "decode": (0.65, 1.0)}


@dataclass(frozen=True, slots=True)
class Decoded:
    """One window decoded one way: `losses` against exact (None for dense), and what it took.

    counts   (layers, 3): candidates, examined and active neurons, summed over the tokens
    """

    losses: Losses | None
    seconds: float
    n_bytes: int
    counts: NDArray[np.int64]


def take_tiers(study: Study) -> TierReport:
    """Choose, measure and keep the tiers of a sparse model.

    Raises NothingSilent, Cancelled, TextUnusable (too little text), DamagedFile (of predictors), LibraryNotWritable.
    """
    if not study.packed.config.is_sparse:
        raise NothingSilent(study.packed.config.feed_forward)
    window = min(TIER_WINDOW, study.model.transformer.cache.context_tokens)
    windows, corpora = calibration_windows(
        study.model.tokenizer, study.spec, n_tokens=study.spec.n_tokens or DEFAULT_TOKENS, window_tokens=window,
        held_out=True,
    )  # fmt: skip
    return _TierStudy(study, *halves(windows)).run(corpora)


def halves(windows: Sequence[TextWindow]) -> tuple[list[TextWindow], list[TextWindow]]:
    """Windows to choose on, and to measure on: of each kind in turns. Raises TextUnusable where there are too few."""
    parts: tuple[list[TextWindow], list[TextWindow]] = ([], [])
    seen: dict[str, int] = {}
    for window in windows:
        number = seen[window.kind] = seen.get(window.kind, -1) + 1
        parts[number % 2].append(window)
    if not parts[1]:
        raise TextUnusable("", "too_short", 2 * HELD_OUT_EVERY * len(windows[0].tokens))
    return parts


class _TierStudy:
    """One study, which goes on from its journal."""

    def __init__(self, study: Study, choosing: Sequence[TextWindow], measuring: Sequence[TextWindow]) -> None:
        self._study, self._choosing, self._measuring = study, choosing, measuring
        self._transformer, self._packed = study.model.transformer, study.packed
        self._candidates = read_candidates(study.store, study.packed.config)
        of_candidates = [[c.figures for c in of_layer] for of_layer in self._candidates or ()]
        self._journal = Journal(
            study.store.work_folder("tiers"),
            {
                "of": study.store.fingerprint,
                "choosing": [w.tokens for w in choosing],
                "measuring": [w.tokens for w in measuring],
                "candidates": repr(of_candidates),
            },
        )
        study.ran_before_s = self._journal.elapsed_s
        self._predictors = layer_predictors(self._packed, self._candidates)

    def run(self, corpora: Sequence[Corpus]) -> TierReport:
        options = self._options()
        steps = greedy_steps(self._alone(options))
        aims = {name: AIM * limit for name, limit in TIER_LIMITS.items()}
        n_steps, _ = largest_within(aims, steps, lambda ms: self._together(options, steps, ms))
        refused = [RefusedTier(name, "no_gain") for name, m in n_steps.items() if m == 0]
        chosen = {name: self._chosen(options, steps, m) for name, m in n_steps.items() if m > 0}
        decoded = self._decoded(chosen, n_steps)
        offered = [self._figures(EXACT, decoded[EXACT], {})]
        for name, of_tier in chosen.items():
            figures = self._figures(name, decoded[name], of_tier)
            if figures.kl_upper > figures.limit:
                refused.append(RefusedTier(name, "above_limit", figures.kl_upper))
            elif figures.step_bytes > (1 - LEAST_GAIN) * offered[-1].step_bytes:
                refused.append(RefusedTier(name, "no_gain", figures.kl_upper))
            else:
                offered.append(figures)
        self._study.store.forget("tiers")  # what it says is of other tier files from here on
        for figure in offered[1:]:
            self._study.store.write_tier(figure.name, self._choices(chosen[figure.name]))
        dense = decoded[DENSE]
        return TierReport(
            SCHEMA_VERSION, self._study.head(corpora), tuple(offered), tuple(refused), self._bytes(dense),
            self._speed(dense),
        )  # fmt: skip

    # Choosing -----------------------------------------------------------------------------------------------------

    def _options(self) -> list[list[Option]]:
        """By layer, what is worth measuring."""
        if "options" not in self._journal:
            windows, layers = self._choosing[:_COUNTED_WINDOWS], range(self._packed.config.n_layers)
            progress = self._progress("observe", len(windows) + min(_ALONE_WINDOWS, len(windows)))
            signs = [] if self._candidates is not None else [of_layer[1] for of_layer in self._predictors]
            sampler = Sampler(self._packed, signs)
            for window in windows[:_ALONE_WINDOWS]:
                self._transformer.observe(window.tokens, sampler)
                progress()
            cuts = [sampler.cuts(layer) for layer in layers]
            points = [
                make_points(self._packed, self._predictors[layer], self._thresholds(sampler, layer)) for layer in layers
            ]
            watcher = Watcher(self._packed, points, cuts)
            for window in windows:
                self._transformer.observe(window.tokens, watcher)
                progress()
            self._keep("options", [[astuple(option) for option in watcher.options(layer)] for layer in layers])
        return [[Option(*values) for values in of_layer] for of_layer in self._journal.get("options")]

    def _thresholds(self, sampler: Sampler, layer: int) -> list[tuple[float, ...]]:
        if self._candidates is None:
            return [sampler.thresholds(layer)]
        return [thresholds for c in self._candidates[layer] if (thresholds := saving_thresholds(c))]

    def _alone(self, options: Sequence[Sequence[Option]]) -> list[list[tuple[float, float]]]:
        """By layer and option, the KL it costs alone, and what it saves."""
        windows = self._choosing[:_ALONE_WINDOWS]
        runs = [[measured_options(of_layer) for of_layer in options] for _ in windows]
        progress = self._progress("evaluate", sum(len(of_layer) for of_window in runs for of_layer in of_window))
        for number, window in enumerate(windows):
            with self._dense(window) as dense:
                for layer, measured in enumerate(runs[number]):
                    key, kls = f"alone {number} {layer}", []
                    if key in self._journal:
                        progress(len(measured))
                        continue
                    for i in measured:
                        choice = options[layer][i].choice(self._predictors[layer])
                        kls.append(float(self._disturbed(window, {layer: choice}, dense()).kl.mean()))
                        progress()
                    self._keep(key, kls)
        found = []
        for layer, of_layer in enumerate(options):
            kls = np.mean([self._journal.get(f"alone {number} {layer}") for number in range(len(windows))], axis=0)
            known = dict(zip(measured_options(of_layer), kls.tolist(), strict=True))
            costs = interpolated(of_layer, known) if known else []
            found.append(list(zip(costs, (option.saved_bytes for option in of_layer), strict=True)))
        return found

    def _together(
        self, options: Sequence[Sequence[Option]], steps: Sequence[Step], wanted: Sequence[int]
    ) -> dict[int, float]:
        """For each number of steps the bound of the mean KL of the choices they make, over all windows to choose on."""
        progress = self._progress("choose", len(self._choosing) * len(wanted))
        losses: dict[int, list[NDArray[np.float64]]] = {m: [] for m in wanted}
        for number, window in enumerate(self._choosing):
            with self._dense(window) as dense:
                for m in wanted:
                    key = f"together {number} {m}"
                    if key not in self._journal:
                        choices = dict(enumerate(self._choices(self._chosen(options, steps, m))))
                        self._keep(key, self._disturbed(window, choices, dense()).kl.tolist())
                    losses[m].append(np.asarray(self._journal.get(key), np.float64))
                    progress()
        return {m: upper_bound(of_windows) for m, of_windows in losses.items()}

    @contextlib.contextmanager
    def _dense(self, window: TextWindow) -> Iterator[Callable[[], Float32]]:
        """What gives the logits of an undisturbed run over a window; they are computed once, if at all."""
        kept: list[Float32] = []

        def logits() -> Float32:
            if not kept:
                kept.append(self._transformer.all_logits(window.tokens)[:-1])
            return kept[0]

        yield logits
        kept.clear()

    def _disturbed(self, window: TextWindow, choices: Mapping[int, LayerChoice], dense: Float32) -> Losses:
        other = self._transformer.all_logits(window.tokens, Silenced(choices))[:-1]
        return compare_logits(dense, other, window.tokens[1:])

    def _chosen(self, options: Sequence[Sequence[Option]], steps: Sequence[Step], n_steps: int) -> dict[int, Option]:
        return {layer: options[layer][i] for layer, i in options_after(steps, n_steps).items()}

    def _choices(self, chosen: Mapping[int, Option]) -> tuple[LayerChoice, ...]:
        layers = range(self._packed.config.n_layers)
        return tuple(
            chosen[layer].choice(self._predictors[layer]) if layer in chosen else LayerChoice() for layer in layers
        )

    # Measuring for real -------------------------------------------------------------------------------------------

    def _decoded(
        self, chosen: Mapping[str, Mapping[int, Option]], n_steps: Mapping[str, int]
    ) -> dict[str, list[Decoded]]:
        """By exact, tier and dense: each window of the measuring half (dense: the first of them).

        Tiers that make the same choice are decoded once.
        """
        same = {name: next(other for other in chosen if n_steps[other] == n_steps[name]) for name in chosen}
        tiers = {name: self._choices(chosen[name]) for name in dict.fromkeys(same.values())}
        self._transformer.set_tiers(tiers)
        names = [*tiers, DENSE]
        n_tokens = sum(len(w.tokens) for w in self._measuring) * (1 + len(tiers))
        n_tokens += sum(len(w.tokens) for w in self._measuring[:_DENSE_WINDOWS])
        progress = self._progress("decode", n_tokens)
        key = f"decoded {[n_steps[name] for name in tiers]}"
        found: dict[str, list[Decoded]] = {name: [] for name in (EXACT, *names)}
        with self._dense_twin() as twin:
            for number, window in enumerate(self._measuring):
                turn = [*names[number % len(names) :], *names[: number % len(names)]]
                if number >= _DENSE_WINDOWS:
                    turn.remove(DENSE)
                if f"{key} {number}" not in self._journal:
                    of_window = self._decode_window(window, turn, twin, progress)
                    self._keep(f"{key} {number}", {name: _to_json(d) for name, d in of_window.items()})
                else:
                    progress(len(window.tokens) * (1 + len(turn)))
                for name, values in self._journal.get(f"{key} {number}").items():
                    found[name].append(_from_json(values))
        return found | {name: found[other] for name, other in same.items()}

    def _decode_window(
        self, window: TextWindow, turn: Sequence[str], twin: Transformer, progress: Callable[..., None]
    ) -> dict[str, Decoded]:
        exact = np.empty((len(window.tokens), self._packed.config.n_vocab), np.float32)
        found = {EXACT: self._decode(self._transformer, EXACT, window, exact, progress)}
        other = np.empty_like(exact)
        for name in turn:
            if name == DENSE:
                found[name] = self._decode(twin, EXACT, window, other, progress)
            else:
                found[name] = self._decode(self._transformer, name, window, other, progress)
                found[name] = _with_losses(found[name], compare_logits(exact[:-1], other[:-1], window.tokens[1:]))
        own = compare_logits(exact[:-1], exact[:-1], window.tokens[1:])
        return found | {EXACT: _with_losses(found[EXACT], own)}

    def _decode(
        self, transformer: Transformer, tier: str, window: TextWindow, logits: Float32, progress: Callable[..., None]
    ) -> Decoded:
        """Feed a window's tokens one by one; fills logits (t, v)."""
        seconds, n_bytes, counts = 0.0, 0, np.zeros((self._packed.config.n_layers, 3), np.int64)
        transformer.cache.rewind(0)
        transformer.tier = tier
        try:
            for i, token in enumerate(window.tokens):
                started = time.perf_counter()
                of_token = transformer.decode_step(token)
                seconds += time.perf_counter() - started
                logits[i] = of_token
                n_bytes += transformer.step_bytes_read
                counts += transformer.neuron_counts
                progress()
        finally:
            transformer.tier = EXACT
        return Decoded(None, seconds, n_bytes, counts)

    @contextlib.contextmanager
    def _dense_twin(self) -> Iterator[Transformer]:
        """The same weights computing every neuron, in private memory like the model's where there is room for both."""
        packed, cache = self._packed, self._transformer.cache
        is_room = psutil.virtual_memory().available > 2 * packed.data_bytes
        config, tensors = without_silence(
            packed.config, packed.read(lambda done, total: None) if is_room else packed.map()
        )
        twin = Transformer(
            config, packed.parts, tensors, context_tokens=cache.context_tokens, cache_kind=cache.kind,
            n_threads=self._transformer.pool.n_threads,
        )  # fmt: skip
        try:
            yield twin
        finally:
            twin.close()

    def _figures(self, name: str, windows: Sequence[Decoded], chosen: Mapping[int, Option]) -> TierFigures:
        s = summarise([w.losses for w in windows if w.losses is not None])
        layers = tuple(self._layer(layer, windows, chosen.get(layer)) for layer in range(self._packed.config.n_layers))
        return TierFigures(
            name, TIER_LIMITS.get(name, 0.0), s.kl_mean, s.kl_upper, s.kl_p99, s.flips, s.perplexity,
            self._bytes(windows), self._speed(windows), layers if name != EXACT else (),
        )  # fmt: skip

    def _layer(self, layer: int, windows: Sequence[Decoded], option: Option | None) -> TierChoice:
        n = self._packed.config.n_neurons * sum(len(w.tokens) for w in self._measuring)
        named, _, active = (int(c) for c in np.sum([w.counts[layer] for w in windows], axis=0))
        predictor: LayerPredictor | None = None if option is None else self._predictors[layer][option.predictor]
        kind, reads, rank = (predictor.kind, predictor.reads, predictor.rank) if predictor else ("", "", 0)
        cut, recall = (option.cut, option.recall) if option else (0.0, 1.0)
        return TierChoice(kind, reads, rank, cut, recall, named / n, active / n)

    def _bytes(self, windows: Sequence[Decoded]) -> float:
        n_tokens = sum(len(w.tokens) for w, _ in zip(self._measuring, windows, strict=False))
        return sum(w.n_bytes for w in windows) / n_tokens

    def _speed(self, windows: Sequence[Decoded]) -> float:
        """Tokens a second: the median over the windows that dense was decoded on as well."""
        rounds = zip(self._measuring[:_DENSE_WINDOWS], windows, strict=False)
        return statistics.median(len(w.tokens) / d.seconds for w, d in rounds)

    # What is kept -------------------------------------------------------------------------------------------------

    def _keep(self, key: str, value: Any) -> None:
        self._journal.put(key, value, self._study.elapsed_s)

    def _progress(self, phase: str, total: int) -> Callable[..., None]:
        """Counts what is done of a phase, which may raise Cancelled."""
        done, (first, last) = 0, _SHARES[phase]
        noted = -1.0

        def progress(n: int = 1) -> None:
            nonlocal done, noted
            done += n
            self._study.on_progress(phase, done, total)
            share = first + (last - first) * done / total
            if share - noted >= 0.01:
                noted = share
                self._study.store.note_done("tiers", share)

        self._study.on_progress(phase, 0, total)
        return progress


def _with_losses(decoded: Decoded, losses: Losses) -> Decoded:
    return Decoded(losses, decoded.seconds, decoded.n_bytes, decoded.counts)


def _to_json(decoded: Decoded) -> list[Any]:
    losses = None if decoded.losses is None else decoded.losses.to_lists()
    return [losses, decoded.seconds, decoded.n_bytes, decoded.counts.tolist()]


def _from_json(values: Sequence[Any]) -> Decoded:
    losses, seconds, n_bytes, counts = values
    return Decoded(
        None if losses is None else Losses.from_lists(losses), seconds, n_bytes, np.asarray(counts, np.int64)
    )
