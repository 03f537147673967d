"""How few neurons, or heads, would do if one knew beforehand which matter: what no predictor can beat.

Owns the two runs over held-out text. The first computes everything and notes, for each token and layer, in which order
the parts mattered: neurons by |product| · ‖down row‖, heads by the length of what each adds to the stream. The second
runs the same text again with only the first of that order, a share of them in every layer, and is compared with the
first. What is kept is fixed by the first run; in the second, later layers see what earlier ones lost. Source: the
hypothesis test of Deja Vu (Liu et al., 2023), section 3.

Thinning neurons leaves all heads and the other way round. A run keeps the same share everywhere, so that a choice by
layers may do better.
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32
from engine.model.packed_model import PackedModel
from engine.neuron_reports import SCHEMA_VERSION, OraclePoint, OracleReport
from engine.neurons.calibration import TextWindow, calibration_windows
from engine.neurons.collect import down_norms
from engine.neurons.journal import Journal
from engine.neurons.study import Study
from engine.runtime.divergence import Losses, compare_logits, summarise
from engine.runtime.prefill import LayerView
from engine.runtime.transformer import Transformer

# Shares that are kept, of neurons and of heads.
NEURON_SHARES = (1.0, 0.8, 0.65, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05, 0.02)
HEAD_SHARES = (1.0, 0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2)
DEFAULT_TOKENS = 8192
ORACLE_WINDOW = 256

Buckets = NDArray[np.uint8]
# For each kind of part and share, the losses of one window.
WindowPoints = dict[str, list[Losses]]


def take_oracle(study: Study) -> OracleReport:
    """Both curves, on held-out text. Raises Cancelled, TextUnusable (too little text), LibraryNotWritable."""
    windows, corpora = calibration_windows(
        study.model.tokenizer, study.spec, n_tokens=study.spec.n_tokens or DEFAULT_TOKENS,
        window_tokens=min(ORACLE_WINDOW, study.model.transformer.cache.context_tokens), held_out=True,
    )  # fmt: skip
    journal = Journal(
        study.store.work_folder("oracle"),
        {"of": study.store.fingerprint, "windows": [w.tokens for w in windows], "shares": [NEURON_SHARES, HEAD_SHARES]},
    )
    study.ran_before_s = journal.elapsed_s
    oracle = Oracle(study.model.transformer, study.packed)
    done, total = 0, len(windows) * oracle.n_runs

    def on_run() -> None:
        nonlocal done
        done += 1
        study.on_progress("evaluate", done, total)

    study.on_progress("evaluate", done, total)
    for number, window in enumerate(windows):
        if str(number) not in journal:
            points = oracle.window(window, on_run)
            journal.put(str(number), _as_json(points), study.elapsed_s)
            study.store.note_done("oracle", (number + 1) / len(windows))
        done = (number + 1) * oracle.n_runs
        study.on_progress("evaluate", done, total)
    found = [_from_json(journal.get(str(number))) for number in range(len(windows))]
    return OracleReport(
        SCHEMA_VERSION, study.head(corpora), _points(NEURON_SHARES, [w["neurons"] for w in found]),
        _points(HEAD_SHARES, [w["heads"] for w in found]),
    )  # fmt: skip


class Oracle:
    """The two runs, for one model."""

    def __init__(self, transformer: Transformer, packed: PackedModel) -> None:
        self._transformer = transformer
        layers = range(packed.config.n_layers)
        self._norms = [down_norms(packed, layer) for layer in layers]
        self._grams = [head_grams(packed, layer) for layer in layers]

    @property
    def n_runs(self) -> int:
        """Over each window."""
        return len(NEURON_SHARES) + len(HEAD_SHARES) - 1

    def window(self, window: TextWindow, on_run: Callable[[], None]) -> WindowPoints:
        """The losses at each share, over all tokens of a window but the last; on_run() after each run but the last."""
        run, tokens = self._transformer.all_logits, window.tokens
        order = _Order(self._norms, self._grams)
        dense = run(tokens, order)[:-1]
        found = {}
        for part, shares in (("neurons", NEURON_SHARES), ("heads", HEAD_SHARES)):
            found[part] = [compare_logits(dense, dense, tokens[1:])]
            for number in range(1, len(shares)):
                on_run()
                thinned = run(tokens, _Thinned(part, order, number))[:-1]
                found[part].append(compare_logits(dense, thinned, tokens[1:]))
        return found


def head_grams(packed: PackedModel, layer: int) -> Float32:
    """(h, e, e): for a head's output y, y · gram · y is the squared length of what it adds to the stream."""
    c = packed.config
    out = packed.parts.of("out").unpack(packed.map()[f"layers.{layer}.out"], c.attention_width)
    blocks = out[: c.width].reshape(c.width, c.n_heads, c.head_width).transpose(1, 0, 2)
    return np.asarray(blocks.transpose(0, 2, 1) @ blocks, np.float32)


def kept_of(share: float, n: int) -> int:
    """How many of n parts are kept at a share: one at least."""
    return max(1, math.ceil(round(share * n, 9)))


def buckets_of(importance: Float32, shares: Sequence[float]) -> Buckets:
    """importance (t, n) → (t, n): the number of the smallest share that still keeps the part, as exactly so many of
    each token as `kept_of` says."""
    n = importance.shape[1]
    of_rank = np.zeros(n, np.uint8)
    for number, share in enumerate(shares):
        of_rank[: kept_of(share, n)] = number
    order = np.argsort(-importance, axis=1, kind="stable")
    buckets = np.empty(importance.shape, np.uint8)
    np.put_along_axis(buckets, order, np.broadcast_to(of_rank, importance.shape), axis=1)
    return buckets


@dataclass
class _Order:
    """Notes in the first run, by layer, down to which share each part is kept."""

    norms: Sequence[Float32]
    grams: Sequence[Float32]
    neurons_kept: dict[int, Buckets] = dataclasses.field(default_factory=dict)
    heads_kept: dict[int, Buckets] = dataclasses.field(default_factory=dict)

    def attended(self, layer: int, heads: Float32) -> None:
        squares = np.einsum("the,hef,thf->th", heads, self.grams[layer], heads, optimize=True)
        self.heads_kept[layer] = buckets_of(squares, HEAD_SHARES)

    def neurons(self, layer: int, view: LayerView) -> None:
        self.neurons_kept[layer] = buckets_of(np.abs(view.product) * self.norms[layer], NEURON_SHARES)


@dataclass(frozen=True, slots=True)
class _Thinned:
    """Keeps of one kind of part what the first run found to matter most, down to share `number`."""

    part: str
    order: _Order
    number: int

    def attended(self, layer: int, heads: Float32) -> None:
        if self.part == "heads":
            heads[self.order.heads_kept[layer] < self.number] = 0

    def neurons(self, layer: int, view: LayerView) -> None:
        if self.part == "neurons":
            view.product[self.order.neurons_kept[layer] < self.number] = 0


def _points(shares: Sequence[float], windows: Sequence[Sequence[Losses]]) -> tuple[OraclePoint, ...]:
    points = []
    for share, of_share in zip(shares, zip(*windows, strict=True), strict=True):
        s = summarise(of_share)
        points.append(OraclePoint(share, s.kl_mean, s.kl_p99, s.flips, s.perplexity))
    return tuple(points)


def _as_json(points: WindowPoints) -> dict[str, Any]:
    return {part: [losses.to_lists() for losses in found] for part, found in points.items()}


def _from_json(values: dict[str, Any]) -> WindowPoints:
    return {part: [Losses.from_lists(each) for each in found] for part, found in values.items()}
