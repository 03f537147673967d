"""What is measured: a model's weights in one row format, made ready for one case after another.

A case is a way of computing the same step: dense; exact, which computes every first product and skips the rest of
silent neurons; or predicted, which computes those only that a predictor names. For a shape the share of active neurons
is set by the constants of engine/bench/synthetic.py; the neurons of a real model decide for themselves, and its dense
case is the same weights under an activation that silences none.
"""

import contextlib
import dataclasses
import importlib.resources
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from engine.bench.shapes import shape_config
from engine.bench.synthetic import Tensors, calibrate, synthetic_model
from engine.benchmark_report import BenchmarkSpec, Subject
from engine.errors import FileMissing, InvalidRequest, OutOfMemory
from engine.kernels.cpu.cache import run_compiling
from engine.kernels.cpu.warmup import warm_up_steps
from engine.kernels.formats import Bytes
from engine.model.config import ModelConfig
from engine.model.open_checkpoint import open_checkpoint
from engine.model.pack import pack
from engine.model.packed_model import WEIGHT_FORMATS, PackedModel, PartFormats
from engine.runtime.dense import LIFTED, without_silence
from engine.runtime.loader import OnProgress, cache_kind_of, memory_need
from engine.runtime.transformer import Transformer
from engine.text.tokenizer import Tokenizer

# Smaller matrices are read too quickly to time.
_LARGE_BYTES = 1 << 18
_SEED = 1
# Of a shape's predictor: its rank, and the neurons it names for each that is active. Source: the project's CPU study.
_RANKS = ((4096, 512), (0, 256))  # (from this width on, rank)
_NAMED_PER_ACTIVE = 1.6
_PREDICTOR = "layers.0.predictor_in"
# Above this share of active neurons a predictor would name nearly all.
_PREDICTED_UP_TO = 0.5


@dataclass(frozen=True, slots=True)
class Case:
    """mode as in BenchmarkSpec; share of active neurons that is set, None where the model's own neurons decide."""

    mode: str
    share: float | None = None


def cases(spec: BenchmarkSpec, packed: PackedModel | None) -> tuple[Case, ...]:
    """The cases asked for that this model, or with None the shape, has; dense first.

    Raises InvalidRequest where there is none.
    """
    config = shape_config(spec.shape) if packed is None else packed.config
    has_predictor = packed is None or _PREDICTOR in packed.tensors
    known = ("dense", *(("exact",) if config.is_sparse else ()), *(("predicted",) if has_predictor else ()))
    modes = [mode for mode in known if mode in (spec.modes or known)]
    found = []
    for mode in modes:
        if mode == "dense":
            found.append(Case("dense", 1.0 if spec.shape else None))
        elif spec.shape:
            largest = 1.0 if mode == "exact" else _PREDICTED_UP_TO
            found += [Case(mode, share) for share in spec.active_shares if share <= largest]
        else:
            found.append(Case(mode))
    if not found:
        why = "" if config.is_sparse else ": no neuron of this model can be silent"
        raise InvalidRequest("modes", ", ".join(spec.modes), ", ".join(known) + why)
    return tuple(found)


class Bench:
    """One model's weights in one row format; makes a Transformer for a case and a thread count, one at a time."""

    def __init__(
        self, config: ModelConfig, weight_format: str, tensors: Tensors, tokens: list[int], *,
        is_synthetic: bool, context_tokens: int,
    ) -> None:  # fmt: skip
        self.config, self.weight_format, self.tokens = config, weight_format, tokens
        self.parts = _parts(weight_format, is_synthetic=is_synthetic)
        self.cache_kind = cache_kind_of(weight_format)
        self.is_synthetic = is_synthetic
        self._tensors, self._context_tokens = tensors, context_tokens
        self._constants: dict[Case, dict[str, NDArray[np.float32]]] = {}
        self._made: tuple[str, int] | None = None
        self._transformer: Transformer | None = None

    @property
    def large_matrices(self) -> list[Bytes]:
        """The weights, but for those that a cache may hold."""
        return [t for t in self._tensors.values() if t.ndim == 2 and t.nbytes >= _LARGE_BYTES] or [
            t for t in self._tensors.values() if t.ndim == 2
        ]

    @property
    def predictor_rank(self) -> int:
        """0 where the weights have no predictor."""
        first = self._tensors.get(_PREDICTOR)
        return 0 if first is None else len(first)

    def prepare(self, case: Case, n_threads: int) -> Transformer:
        """A Transformer that computes this case; the one prepared before must not be used any more."""
        transformer = self._transformer
        mode = "exact" if case.mode == "dense" and self.is_synthetic else case.mode
        if transformer is None or self._made != (mode, n_threads):
            self.close()
            config, tensors = self._computing(mode)
            transformer = self._transformer = Transformer(
                config, self.parts, tensors, context_tokens=self._context_tokens, cache_kind=self.cache_kind,
                n_threads=n_threads,
            )  # fmt: skip
            self._made = (mode, n_threads)
            run_compiling(transformer.compile)
        if case.share is not None:
            self._set_share(transformer, case, case.share)
        return transformer

    def fill(self, transformer: Transformer, depth: int, on_progress: OnProgress) -> None:
        """Make the cache hold `depth` tokens.

        Random keys and values cost a step what real ones do. Where real neurons decide what is active, the passage is
        read instead, since they decide by what was read.
        """
        cache, config = transformer.cache, transformer.config
        cache.rewind(0)
        if not depth:
            return
        if self.config.is_sparse and not self.is_synthetic:
            transformer.prefill(self.tokens[:depth], lambda done, total: on_progress("prompt", done, total))
            return
        rows = 30 * np.random.default_rng(_SEED).standard_normal((depth, config.head_width), np.float32)
        for stored in (cache.keys, cache.values):
            unit = 1 if stored.dtype.kind == "i" else 30
            stored[:, :, :depth, : config.head_width] = np.clip(rows / np.float32(unit), -127, 127).astype(stored.dtype)
        cache.tokens.extend(self.tokens[:depth])

    def close(self) -> None:
        if self._transformer is not None:
            self._transformer.close()
            self._transformer = None

    def _computing(self, mode: str) -> tuple[ModelConfig, Mapping[str, NDArray[Any]]]:
        """The configuration and the tensors with which a Transformer computes this way."""
        config, tensors = self.config, self._tensors
        if mode == "predicted":
            return config, tensors
        tensors = {name: tensor for name, tensor in tensors.items() if ".predictor_" not in name}
        return without_silence(config, tensors) if mode == "dense" else (config, tensors)

    def _set_share(self, transformer: Transformer, case: Case, share: float) -> None:
        """Set the constants of a shape, found once for each case."""
        if case in self._constants:
            for name, constant in self._constants[case].items():
                self._tensors[name][:] = constant
            return
        transformer.cache.rewind(0)
        names = self._names("first_bias")
        if case.mode == "predicted":
            names += self._names("predictor_bias")
            calibrate(transformer, self._tensors, self.config, share, min(_NAMED_PER_ACTIVE * share, 0.95))
        elif share < 1.0:
            calibrate(transformer, self._tensors, self.config, share)
        else:
            for name in names:
                self._tensors[name][:] = LIFTED
        transformer.cache.rewind(0)
        self._constants[case] = {name: self._tensors[name].copy() for name in names}

    def _names(self, part: str) -> list[str]:
        return [f"layers.{layer}.{part}" for layer in range(self.config.n_layers)]


def _parts(weight_format: str, *, is_synthetic: bool) -> PartFormats:
    """A shape's head has the bits of its attention, as in the random GGUF file it is compared with."""
    parts = WEIGHT_FORMATS[weight_format]
    return dataclasses.replace(parts, embedding=parts.attention) if is_synthetic else parts


@contextlib.contextmanager
def open_bench(
    spec: BenchmarkSpec, packed: PackedModel | None, weight_format: str, context_tokens: int, on_progress: OnProgress
) -> Iterator[Bench]:
    """The subject in one row format; `packed` is None for a shape. Raises OutOfMemory before anything is made."""
    config = shape_config(spec.shape) if packed is None else packed.config
    need = memory_need(config, weight_format, context_tokens)
    available = psutil.virtual_memory().available
    if need.total_bytes > available:
        raise OutOfMemory(spec.shape or config.name, need.total_bytes, available)
    if packed is None:
        on_progress("weights", 0, 0)
        rank = next(rank for width, rank in _RANKS if config.width >= width)
        wants_predictor = not spec.modes or "predicted" in spec.modes
        parts = _parts(weight_format, is_synthetic=True)
        tensors = synthetic_model(config, parts, _SEED, rank if wants_predictor else 0)
        tokens = np.random.default_rng(_SEED).integers(0, config.n_vocab, context_tokens).tolist()
    else:
        tensors = _tensors_of(packed, weight_format, on_progress)
        tokens = passage_tokens(Tokenizer(packed.tokenizer), context_tokens)
    on_progress("compile", 0, 0)
    parts = _parts(weight_format, is_synthetic=packed is None)
    for step in warm_up_steps(parts.of_step, cache_kind_of(weight_format)):
        run_compiling(step)
    bench = Bench(config, weight_format, tensors, tokens, is_synthetic=packed is None, context_tokens=context_tokens)
    try:
        yield bench
    finally:
        bench.close()


def subject_of(spec: BenchmarkSpec, packed: PackedModel | None) -> Subject:
    c = shape_config(spec.shape) if packed is None else packed.config
    source = None if packed is None else gguf_of(packed)
    return Subject(
        name=c.name, shape=spec.shape, family=c.family, feed_forward=c.feed_forward, is_sparse=c.is_sparse,
        n_parameters=c.n_parameters, width=c.width, n_neurons=c.n_neurons, n_layers=c.n_layers, n_heads=c.n_heads,
        n_key_heads=c.n_key_heads, n_vocab=c.n_vocab, gguf="" if source is None else source.name,
    )  # fmt: skip


def gguf_of(packed: PackedModel) -> Path | None:
    """The GGUF file a model was packed from, if it was one and is still there."""
    path = Path(packed.source)
    try:
        with path.open("rb") as file:
            return path if file.read(4) == b"GGUF" else None
    except OSError:
        return None


def passage_tokens(tokenizer: Tokenizer, n: int) -> list[int]:
    """n tokens of English prose, which begins again where it ends."""
    text = importlib.resources.files("engine.bench").joinpath("passage.txt").read_text(encoding="utf-8")
    tokens = tokenizer.encode(text)
    return (tokens * (n // len(tokens) + 1))[:n]


def _tensors_of(packed: PackedModel, weight_format: str, on_progress: OnProgress) -> Tensors:
    """In another format than the library's, the model is packed anew from its source into a folder that is deleted."""
    if packed.weight_format == weight_format:
        return packed.read(lambda done, total: on_progress("read", done, total))
    source = Path(packed.source)
    if not source.exists():
        raise FileMissing(str(source), f"it is needed to pack {packed.config.name} as {weight_format}")
    with (
        tempfile.TemporaryDirectory(prefix="ember-benchmark-") as folder,
        contextlib.closing(open_checkpoint(source)) as checkpoint,
    ):
        other = pack(
            checkpoint, Path(folder) / weight_format, weight_format, source=str(source), note="",
            on_step=lambda done, total: on_progress("pack", done, total),
        )  # fmt: skip
        return other.read(lambda done, total: on_progress("read", done, total))
