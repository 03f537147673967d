"""The study that finds predictors for each layer: text is run, candidates are made, and each is measured.

Owns the order of the work, what is kept of it when it is interrupted, and the report. For each layer there are the
signs; then either published predictors, or linear ones of a few ranks. Where the ranks are not given, only the rank
whose closed form saves most at the checked recalls is trained, the others stay as the closed form leaves them; the same
rank is trained once more on the stream that enters the layer (the look-ahead), so that both can be compared.

Text is divided three ways: learned from; checked, by which training stops, ranks are chosen and thresholds are set;
and held out, on which all figures are taken.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.errors import DamagedFile, FileMissing, InvalidRequest, LibraryNotWritable, NothingSilent, UnsupportedModel
from engine.kernels.formats import Float32, RowFormat
from engine.model.config import ModelConfig
from engine.model.packed_model import PackedModel
from engine.model.predictor_files import PredictorFolder
from engine.model.predictors import MAX_RANK, LayerPredictor, low_rank
from engine.neuron_reports import SCHEMA_VERSION, Corpus, PredictorReport
from engine.neurons.calibration import TextWindow, calibration_windows
from engine.neurons.collect import LayerRecord, collect, groups_of_layers, token_bytes
from engine.neurons.journal import Journal
from engine.neurons.predictors import (
    FILE_NAME,
    RECALL_TARGETS,
    Candidate,
    as_stored,
    first_format,
    layer_bytes,
    measured,
    read_candidates_file,
    thresholds_for,
    write_candidates,
)
from engine.neurons.signs import fitted_signs
from engine.neurons.study import WINDOW_TOKENS, Study
from engine.neurons.training import (
    CHECKED_RECALLS,
    FirstProduct,
    Moments,
    Recipe,
    closed_form,
    moments,
    torch_or_refusal,
    train,
)

# Tokens that are learned from where the spec names none, and where nothing is trained; then those held out.
TRAINED_TOKENS, FITTED_TOKENS, HELD_OUT_TOKENS = 196608, 32768, 16384
# Of the learned windows so many are checked instead: one in 16, and no more than the most.
CHECKED_SHARE, MOST_CHECKED = 16, 8
# Ranks that are tried, as a share of the width.
RANK_SHARES = (1 / 16, 1 / 8, 1 / 4)
# What one multiplication of a training takes, in those of a dense pass.
_TRAINING_COST = 10
_MEASURED_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Texts:
    """Windows in the order they are run, and the tokens of each division."""

    windows: tuple[TextWindow, ...]
    corpora: tuple[Corpus, ...]
    learned: slice
    checked: slice
    held_out: slice

    @property
    def n_learned(self) -> int:
        return int(self.learned.stop)


def take_predictors(study: Study) -> PredictorReport:
    """Find candidates for every layer and leave them beside the model.

    Raises NothingSilent, PackageMissing, TextUnusable (too little text), UnsupportedModel (published predictors of
    another model), OutOfDisk, LibraryNotWritable, Cancelled.
    """
    config = study.packed.config
    if not config.is_sparse:
        raise NothingSilent(config.feed_forward)
    torch_or_refusal()
    work = _Work(study)
    layers, active = work.run()
    write_candidates(study.store.folder / FILE_NAME, layers, first_format(study.packed), study.store.fingerprint)
    figures = tuple(tuple(f for candidate in candidates for f in candidate.figures) for candidates in layers)
    head = study.head(work.texts.corpora)
    return PredictorReport(SCHEMA_VERSION, head, tuple(active), layer_bytes(study.packed), figures)


def divided_texts(study: Study, n_tokens: int) -> Texts:
    """About `n_tokens` to learn from, and what is checked and held out. Raises InvalidRequest, TextUnusable."""
    window = min(WINDOW_TOKENS, study.model.transformer.cache.context_tokens)
    held_out_tokens = min(HELD_OUT_TOKENS, max(n_tokens // 8, window))

    def windows(most: int, *, held_out: bool) -> tuple[tuple[TextWindow, ...], tuple[Corpus, ...]]:
        return calibration_windows(
            study.model.tokenizer, study.spec, n_tokens=most, window_tokens=window, held_out=held_out
        )

    seen, corpora = windows(n_tokens, held_out=False)
    held_out, held_out_corpora = windows(held_out_tokens, held_out=True)
    if len(seen) < 2:
        raise InvalidRequest("n_tokens", str(n_tokens), f"{2 * window} or more, and as much text")
    n_checked = min(MOST_CHECKED, max(1, len(seen) // CHECKED_SHARE))
    # By lot: kinds of text come in turns, and every so many windows are of one kind.
    chosen = set(np.random.default_rng(0).choice(len(seen), n_checked, replace=False).tolist())
    learned = [w for i, w in enumerate(seen) if i not in chosen]
    checked = [w for i, w in enumerate(seen) if i in chosen]
    ends = np.cumsum([window * len(part) for part in (learned, checked, held_out)]).tolist()
    both = tuple(replace(a, n_tokens=a.n_tokens + b.n_tokens) for a, b in zip(corpora, held_out_corpora, strict=True))
    return Texts(
        (*learned, *checked, *held_out), both, slice(0, ends[0]), slice(ends[0], ends[1]), slice(ends[1], ends[2])
    )


def ranks_for(config: ModelConfig, fmt: RowFormat) -> tuple[int, ...]:
    """Ranks by the model's width that leave no padding in their rows: of the ranks that fill a row's stride, the
    nearest to each of RANK_SHARES."""
    full = [r for r in range(1, min(config.width, MAX_RANK) + 1) if fmt.stride(r) < fmt.stride(r + 1)]
    if not full:
        return (max(1, config.width // 2),)
    wanted = [max(1.0, config.width * share) for share in RANK_SHARES]
    return tuple(sorted({min(full, key=lambda r: abs(np.log(r / share))) for share in wanted}))


def first_product(packed: PackedModel, layer: int) -> FirstProduct:
    """The first product of a layer as it is packed."""
    config, tensors = packed.config, packed.map()
    rows = first_format(packed).unpack(tensors[f"layers.{layer}.{config.first}"], config.width)
    bias = tensors.get(f"layers.{layer}.first_bias", np.zeros(config.n_neurons, np.float32))
    return FirstProduct(rows, np.asarray(bias[: config.n_neurons], np.float32), config.threshold)


def published_predictors(folder: PredictorFolder, config: ModelConfig, path: str) -> Callable[[int], LayerPredictor]:
    """layer → its published predictor, with the folder's threshold in its constants. Raises UnsupportedModel where
    they are of another shape than the model."""
    shape = folder.shapes[0]
    found = f"{folder.n_layers} layers of {shape.width} to {shape.n_neurons}"
    wanted = f"{config.n_layers} layers of {config.width} to {config.n_neurons}"
    if found != wanted:
        raise UnsupportedModel(path, "predictors", found, wanted)
    if (rank := max(each.rank for each in folder.shapes)) > MAX_RANK:
        raise UnsupportedModel(path, "rank of predictors", str(rank), f"up to {MAX_RANK}")

    def read(layer: int) -> LayerPredictor:
        inner, outer = folder.read(layer)
        bias = np.full(config.n_neurons, -folder.sparse_threshold, np.float32)
        return low_rank("relu", "stream", inner, outer, bias)

    return read


class _Work:
    """What is to be done and what was done already, by layer."""

    def __init__(self, study: Study) -> None:
        self.study, self.packed, spec = study, study.packed, study.spec
        config = self.packed.config
        self.fmt = first_format(self.packed)
        self.published: Callable[[int], LayerPredictor] | None = None
        if spec.published:
            self.published = published_predictors(PredictorFolder(Path(spec.published)), config, spec.published)
        self.reads = ("normed", "stream") if self.published else ("normed", "entering")
        self.ranks = () if self.published else tuple(sorted(set(spec.ranks))) or ranks_for(config, self.fmt)
        default = FITTED_TOKENS if self.published else TRAINED_TOKENS
        self.texts = divided_texts(study, spec.n_tokens or default)
        self.recipe = Recipe()
        self.folder = study.store.work_folder("predictors")
        self.journal = Journal(self.folder, {
            "of": study.store.fingerprint, "windows": [w.tokens for w in self.texts.windows], "ranks": self.ranks,
            "chosen": bool(spec.ranks), "published": spec.published, "learned": self.texts.n_learned,
            "recipe": repr(self.recipe),
        })  # fmt: skip
        study.ran_before_s = self.journal.elapsed_s
        self.n_tokens = int(self.texts.held_out.stop)
        if "groups" not in self.journal:
            groups = groups_of_layers(config, self.reads, self.n_tokens, self.folder)
            self.journal.put("groups", [[g.start, g.stop] for g in groups], study.elapsed_s)
        self.groups = [range(*bounds) for bounds in self.journal.get("groups")]
        self.done_cost = 0

    def run(self) -> tuple[list[tuple[Candidate, ...]], list[float]]:
        """By layer: its candidates, and the share of neurons that are active on held-out text."""
        self._tell(0)
        for group in self.groups:
            if all(self._kept(layer) is not None for layer in group):
                self._tell(self._pass_cost + len(group) * self._layer_cost)
                continue
            records = collect(
                self.study.model.transformer, self.packed, self.texts.windows, group, self.reads,
                self.folder / "collected", self._teller(self._pass_cost, len(self.texts.windows)),
            )  # fmt: skip
            for record in records:
                before = self.done_cost
                if self._kept(record.layer) is None:
                    self._keep(record.layer, *self._candidates(record))
                self._tell_at(before + self._layer_cost)
            del records, record
            self._forget_collected()
        found = []
        for layer in range(self.packed.config.n_layers):
            if (candidates := self._kept(layer)) is None:
                raise DamagedFile(str(self._path(layer)), "it was written and can no longer be read")
            found.append(candidates)
        return found, [float(self.journal.get(f"layer {layer}")) for layer in range(len(found))]

    # Candidates ---------------------------------------------------------------------------------------------------

    def _candidates(self, record: LayerRecord) -> tuple[list[Candidate], float]:
        texts, first = self.texts, first_product(self.packed, record.layer)
        predictors = [fitted_signs(record, first.rows, texts.learned, texts.checked)]
        if self.published:
            predictors.append(self.published(record.layer))
        else:
            predictors += self._linear(record, first)
        candidates = [self._candidate(record, predictor) for predictor in predictors]
        codes = record.codes[texts.held_out]
        return candidates, np.count_nonzero(codes) / codes.size

    def _linear(self, record: LayerRecord, first: FirstProduct) -> list[LayerPredictor]:
        """Of each rank one that reads the normed input, and the look-ahead of those that are trained."""
        texts = self.texts
        of_normed = moments(record, "normed", texts.learned)
        starts = [closed_form(first, of_normed, "normed", rank) for rank in self.ranks]
        trained = set(self.ranks)
        if not self.study.spec.ranks:
            trained = {max(starts, key=lambda start: self._saved(record, start)).rank}
        found = [
            self._trained(record, s, of_normed) if s.rank in trained else self._stored(s, of_normed) for s in starts
        ]
        of_entering = moments(record, "entering", texts.learned)
        for rank in sorted(trained):
            start = closed_form(first, of_entering, "entering", rank)
            found.append(self._trained(record, start, of_entering))
        return found

    def _trained(self, record: LayerRecord, start: LayerPredictor, of: Moments) -> LayerPredictor:
        cost, threads = self._training_cost(start.rank), self.study.model.transformer.pool.n_threads
        predictor = train(
            record, start, self.texts.learned, self.texts.checked, threads, self.recipe,
            self._teller(cost, self.recipe.epochs * self.texts.n_learned),
        )  # fmt: skip
        return self._stored(predictor, of)

    def _stored(self, predictor: LayerPredictor, of: Moments) -> LayerPredictor:
        """With the format's error, but for what it does to the mean score, which the constants take up."""
        stored = as_stored(predictor, self.fmt)
        means = [each.outer @ (each.inner @ of.mean) for each in (predictor, stored)]
        return replace(stored, bias=np.asarray(predictor.bias + means[0] - means[1], np.float32))

    def _saved(self, record: LayerRecord, predictor: LayerPredictor) -> float:
        """Bytes, where the checked recalls are reached on the checked text."""
        x, importance = record.part(predictor.reads, self.texts.checked)
        thresholds = thresholds_for(predictor.scores(x), importance, CHECKED_RECALLS)
        return sum(f.saved_bytes for f in measured(predictor, thresholds, [(x, importance)], self.packed))

    def _candidate(self, record: LayerRecord, predictor: LayerPredictor) -> Candidate:
        predictor = as_stored(predictor, self.fmt) if predictor.kind == "relu" else predictor
        x, importance = record.part(predictor.reads, self.texts.checked)
        thresholds = set(thresholds_for(predictor.scores(x), importance, RECALL_TARGETS))
        if predictor.kind == "relu":
            thresholds.add(0.0)  # as it was published
        parts = self._held_out(record, predictor.reads)
        return Candidate(predictor, measured(predictor, sorted(thresholds), parts, self.packed))

    def _held_out(self, record: LayerRecord, reads: str) -> Iterator[tuple[Float32, Float32]]:
        held_out = self.texts.held_out
        for first in range(held_out.start, held_out.stop, _MEASURED_TOKENS):
            self._tell(0)
            yield record.part(reads, slice(first, min(first + _MEASURED_TOKENS, held_out.stop)))

    # What is kept -------------------------------------------------------------------------------------------------

    def _path(self, layer: int) -> Path:
        return self.folder / f"layer-{layer:03}.npz"

    def _keep(self, layer: int, candidates: Sequence[Candidate], active: float) -> None:
        write_candidates(self._path(layer), [candidates], self.fmt, self.study.store.fingerprint)
        self.journal.put(f"layer {layer}", active, self.study.elapsed_s)
        n_done = sum(f"layer {number}" in self.journal for number in range(self.packed.config.n_layers))
        self.study.store.note_done("predictors", n_done / self.packed.config.n_layers)

    def _kept(self, layer: int) -> tuple[Candidate, ...] | None:
        if f"layer {layer}" not in self.journal:
            return None
        config, of = self.packed.config, self.study.store.fingerprint
        try:
            found = read_candidates_file(self._path(layer), config, of, 1)
        except (DamagedFile, FileMissing):  # then it is made once more
            return None
        return found[0] if found else None

    def _forget_collected(self) -> None:
        try:
            shutil.rmtree(self.folder / "collected")
        except OSError as error:
            raise LibraryNotWritable(str(self.folder), error.strerror or str(error)) from error

    # Progress: in multiplications of a dense pass, about ----------------------------------------------------------

    @property
    def _pass_cost(self) -> int:
        config = self.packed.config
        outside = config.n_vocab * config.width * (1 if config.is_tied else 2)
        return self.n_tokens * max(config.n_parameters - outside, 1)

    @property
    def _layer_cost(self) -> int:
        ranks = self.ranks if self.study.spec.ranks else self.ranks[len(self.ranks) // 2 :][:1]
        measuring = self.n_tokens * token_bytes(self.packed.config, self.reads) * _TRAINING_COST
        return measuring + 2 * sum(self._training_cost(rank) for rank in ranks)

    def _training_cost(self, rank: int) -> int:
        config = self.packed.config
        one = rank * (2 * config.width + 3 * config.n_neurons)
        return self.recipe.epochs * self.texts.n_learned * one * _TRAINING_COST

    def _teller(self, cost: int, n_parts: int) -> Callable[[int], None]:
        """What is to be called with how many of the parts of a piece of work of this cost are done."""
        before = self.done_cost
        return lambda done: self._tell_at(before + cost * done // max(n_parts, 1))

    def _tell(self, cost: int) -> None:
        self._tell_at(self.done_cost + cost)

    def _tell_at(self, cost: int) -> None:
        self.done_cost = max(self.done_cost, cost)
        total = len(self.groups) * self._pass_cost + self.packed.config.n_layers * self._layer_cost
        self.study.on_progress("train", self.done_cost // 1_000_000, max(total // 1_000_000, 1))
